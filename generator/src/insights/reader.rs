//! Reads a review sentence by sentence: mentions, patterns before the model.

use super::{
    opinion::{CONFIDENT, ONE, Place, Reading, VERDICT, rounded, votes},
    patterns::{Hit, Matcher, PatternSet, Sign},
    segment::sentences,
    sentiment::{
        lexicon::{Lexicon, class},
        model::Model,
        tokens::{Token, tokenize},
        valence::Sentence,
        view::View,
    },
};

/// Memory that is used again for every review.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) tokens: Vec<Token>,
    pub(super) sentence: Sentence,
    matcher: Matcher,
    pub(super) view: View,
    mentions: Vec<(u16, Place)>,
}

/// Everything that reads reviews: built once, shared by all threads.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) lexicon: Lexicon,
    pub(super) model: Model,
    pub(super) patterns: PatternSet,
    /// Numbers from here on are no aspects but marks of another business.
    pub(super) elsewhere: u16,
    /// By aspect: whether blame at five stars is what it seems to be. That of prices is.
    pub(super) plain: Vec<bool>,
}

impl Reader {
    /// Reads a review of so many stars.
    pub(super) fn read(&self, text: &str, stars: u8, scratch: &mut Scratch) -> Reading {
        scratch.mentions.clear();
        let mut sentence_scores = (0_i64, 0_i64);
        let mut clear = (0, 0);
        for range in sentences(text) {
            let score = self.read_sentence(text, range, scratch);
            sentence_scores.0 += i64::from(score);
            sentence_scores.1 += i64::from(score != 0);
            clear.0 += u32::from(score >= CONFIDENT);
            clear.1 += u32::from(score <= -CONFIDENT);
        }
        let text_score = rounded(sentence_scores.0, sentence_scores.1);
        Reading { opinions: votes(&mut scratch.mentions, stars), text_score, clear }
    }

    /// Collects the sentence's mentions and says what it says all in all.
    fn read_sentence(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        scratch: &mut Scratch,
    ) -> i32 {
        let Scratch { tokens, sentence, matcher, view, mentions } = scratch;
        tokens.clear();
        tokenize(&text[range.clone()], &self.lexicon, tokens);
        sentence.read(tokens, &self.lexicon);
        let seen = tokens.iter().zip(&sentence.words).map(|(token, word)| {
            let mark = matches!(
                text.as_bytes()[range.start + token.start as usize],
                b'-' | b'"' | b'*' | b'\''
            );
            (word.id, word.class, mark && token.end - token.start == 1)
        });
        let hits = matcher.find(&self.patterns, seen);
        let complains = sentence.classes & (class::COMPLAINT | class::CONTRAST) != 0;
        let tone = (Sentence::compound(&sentence.words) * f64::from(ONE)) as i32;
        let first = mentions.len();
        for (at, hit) in hits.iter().enumerate().filter(|(_, hit)| hit.about < self.elsewhere) {
            if hit.sign == Sign::Exclude || self.is_elsewhere(hit, hits, sentence) {
                continue;
            }
            let margin = match hit.sign {
                Sign::Praise => VERDICT,
                Sign::Blame => -VERDICT,
                Sign::Fact => 0,
                _ => self.judge(hits, at, sentence, view),
            };
            if hit.sign == Sign::Weak && margin.abs() < CONFIDENT {
                continue;
            }
            let byte = |at: u32| (range.start as u32) + at;
            let span = (byte(tokens[hit.words.0].start), byte(tokens[hit.words.1 - 1].end));
            let sentence = (range.start as u32, range.end as u32);
            let plain = complains || self.plain[usize::from(hit.about)];
            mentions.push((hit.about, Place { span, sentence, margin, plain, tone }));
        }
        let found = &mentions[first..];
        match found.len() {
            0 => tone,
            count => {
                rounded(found.iter().map(|(_, place)| i64::from(place.margin)).sum(), count as i64)
            }
        }
    }

    /// The model's margin for one hit, the others being other targets.
    fn judge(&self, hits: &[Hit], at: usize, sentence: &Sentence, view: &mut View) -> i32 {
        let target = hits[at].words;
        let others: Vec<(usize, usize)> = hits
            .iter()
            .map(|hit| hit.words)
            .filter(|words| words.1 <= target.0 || target.1 <= words.0)
            .collect();
        view.look(sentence, target, &others);
        self.model.margin(self.model.scores(view, sentence, target))
    }

    /// Whether the hit stands in a clause that is about another business.
    fn is_elsewhere(&self, hit: &Hit, hits: &[Hit], sentence: &Sentence) -> bool {
        let ends = |at: &usize| {
            sentence.words[*at].class & (class::STOP | class::CONTRAST) != 0
                || self.lexicon.word(sentence.words[*at].id) == ";"
        };
        hits.iter().filter(|mark| mark.about >= self.elsewhere && mark.sign != Sign::Exclude).any(
            |mark| {
                let (from, to) = match mark.words.0 <= hit.words.0 {
                    true => (mark.words.1, hit.words.0),
                    false => (hit.words.1, mark.words.0),
                };
                !(from..to.max(from)).any(|at| ends(&at))
            },
        )
    }
}
