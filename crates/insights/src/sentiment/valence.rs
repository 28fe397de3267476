//! One sentence with what each of its words says by itself: valence, boosters, negation.

use super::{
    lexicon::{Lexicon, WordId, class},
    tokens::{Case, Token},
};

/// Boosters count less the farther they stand before the word.
const BOOSTER_REACH: [f64; 3] = [1.0, 0.95, 0.9];
/// What capitals add in a sentence that is not all capitals (vaderSentiment's `C_INCR`).
const SHOUT: f64 = 0.733;
/// A negated valence (vaderSentiment's `N_SCALAR`).
const NEGATED: f64 = -0.74;
/// Words a negation reaches over.
const NEGATION_REACH: usize = 4;

/// A sentence ready to be scored.
#[derive(Debug, Default)]
pub(crate) struct Sentence {
    pub(crate) words: Vec<Word>,
    /// Any word has this class.
    pub(crate) classes: u16,
}

/// A word in its sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) id: WordId,
    pub(crate) class: u16,
    pub(crate) valence: f64,
}

impl Sentence {
    /// Values the words of one sentence, reusing the memory of the last.
    pub(crate) fn read(&mut self, tokens: &[Token], lexicon: &Lexicon) {
        self.words.clear();
        self.words.extend(tokens.iter().map(|token| Word {
            id: token.word,
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

    /// Whether an odd number of negations reaches the word.
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

    /// Whether the word is a negation: "not only", "no doubt" are none.
    pub(crate) fn negates(&self, at: usize) -> bool {
        let word = &self.words[at];
        let follower = self.words.get(at + 1).map_or(0, |next| next.class);
        let idle = word.class & class::NOT != 0 && follower & class::NO_NEGATION != 0;
        word.class & class::NEGATION != 0 && !idle
    }

    /// What the words from `from` to `to` say together, -1 to 1 (vaderSentiment's normalisation).
    pub(crate) fn compound(words: &[Word]) -> f64 {
        let sum: f64 = words.iter().map(|word| word.valence).sum();
        sum / (sum * sum + 15.0).sqrt()
    }
}
