//! A sentence with the valence of each word: lexicon, boosters, negation.

use super::{
    lexicon::{Lexicon, WordId, class},
    tokens::{Case, Token},
};

/// The weight of a booster by its distance before the word.
const BOOSTER_REACH: [f64; 3] = [1.0, 0.95, 0.9];
/// The increase for capitals in a sentence that is not all capitals (vaderSentiment's `C_INCR`).
const SHOUT: f64 = 0.733;
/// The factor of a negated valence (vaderSentiment's `N_SCALAR`).
const NEGATED: f64 = -0.74;
/// The range of a negation in words.
const NEGATION_REACH: usize = 4;

/// A sentence prepared for scoring.
#[derive(Debug, Default)]
pub(crate) struct Sentence {
    pub(crate) words: Vec<Word>,
    /// The classes of all words.
    pub(crate) classes: u16,
}

/// A word in its sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) id: WordId,
    pub(crate) parts: [WordId; 2],
    pub(crate) class: u16,
    pub(crate) valence: f64,
}

impl Sentence {
    /// Computes the valences of the words of one sentence. The memory is reused.
    pub(crate) fn read(&mut self, tokens: &[Token], lexicon: &Lexicon) {
        self.words.clear();
        self.words.extend(tokens.iter().map(|token| Word {
            id: token.word,
            parts: token.parts,
            class: lexicon.get(token.word).class,
            valence: 0.0,
        }));
        self.classes = self.words.iter().fold(0, |all, word| all | word.class);
        let shouted = tokens.iter().filter(|token| token.case == Case::Shouted).count();
        let small =
            tokens.iter().any(|token| token.case != Case::Shouted && token.end - token.start > 1);
        let shouts = shouted > 0 && small;
        let mut at = 0;
        while at < tokens.len() {
            let rest = tokens[at..].iter().map(|token| token.word);
            if let Some((length, valence)) = lexicon.phrase(rest) {
                at += length;
                self.words[at - 1].valence = valence;
                continue;
            }
            let mut valence = lexicon.get(tokens[at].word).valence;
            if valence != 0.0 {
                let outward = if valence > 0.0 { 1.0 } else { -1.0 };
                valence += outward * self.boost_before(at, lexicon);
                if shouts && tokens[at].case == Case::Shouted {
                    valence += outward * SHOUT;
                }
                if self.is_negated(at) {
                    valence *= NEGATED;
                }
                self.words[at].valence = valence;
            }
            at += 1;
        }
    }

    fn boost_before(&self, at: usize, lexicon: &Lexicon) -> f64 {
        let mut sum = 0.0;
        for (back, weight) in BOOSTER_REACH.into_iter().enumerate() {
            let Some(word) = at.checked_sub(back + 1).map(|at| &self.words[at]) else { break };
            if word.class & class::SEPARATOR != 0 {
                break;
            }
            sum += lexicon.get(word.id).boost * weight;
        }
        sum
    }

    /// Whether an odd number of negations applies to the word.
    fn is_negated(&self, at: usize) -> bool {
        let mut count = 0;
        for back in 1..=NEGATION_REACH {
            let Some(before) = at.checked_sub(back) else { break };
            let word = &self.words[before];
            if word.class & (class::NEGATION_END | class::CONTRAST) != 0 {
                break;
            }
            count += usize::from(self.negates(before));
        }
        count % 2 == 1
    }

    /// Whether the word is a negation.
    pub(crate) fn negates(&self, at: usize) -> bool {
        negates(&self.words, at)
    }

    /// The compound of the words, -1 to 1 (vaderSentiment's normalisation).
    pub(crate) fn compound(words: &[Word]) -> f64 {
        let sum: f64 = words.iter().map(|word| word.valence).sum();
        sum / (sum * sum + 15.0).sqrt()
    }
}

/// Whether the word is a negation. "not only" and "no doubt" are not.
pub(crate) fn negates(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let follower = words.get(at + 1).map_or(0, |next| next.class);
    let idle = word.class & class::NOT != 0 && follower & class::NO_NEGATION != 0;
    word.class & class::NEGATION != 0 && !idle
}
