//! What one review says of each aspect: mentions, patterns before the model, the stars' share, one
//! vote per aspect.

use serde::Serialize;

use super::{
    aspects::Aspects,
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

/// What customers think, in the contract's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sentiment {
    /// Praise.
    Positive,
    /// Neither, or nothing that is sure.
    Neutral,
    /// Blame.
    Negative,
    /// Both, each of them clearly.
    Mixed,
}

/// A margin of 1 in the thousandths everything here counts in.
const ONE: i32 = 1_000;
/// What a pattern's verdict counts.
const VERDICT: i32 = 900;
/// Below this a margin is no opinion: two thirds of such targets are neutral.
const OPINION: i32 = 200;
/// From here on a margin is sure enough to be quoted, or to make a mixed opinion.
pub(super) const CONFIDENT: i32 = 400;
/// The stars' share at five stars, and at one.
const PRIOR_OF_BEST: i32 = 2 * PER_STAR;
const PRIOR_OF_WORST: i32 = -2 * PER_STAR;
/// What one star above or below three adds to a margin. Two stars cannot turn round a clear text.
const PER_STAR: i32 = 200;

/// What a review says of an aspect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The aspect's number.
    pub aspect: u16,
    /// One vote.
    pub sentiment: Sentiment,
    /// -1,000 to 1,000.
    pub score: i32,
    /// Where it says so: bytes of the text.
    pub quote: (u32, u32),
    /// Every place where it speaks of it.
    pub places: Vec<Place>,
}

/// One mention of an aspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the text.
    pub span: (u32, u32),
    /// The sentence around it.
    pub sentence: (u32, u32),
    /// -1,000 to 1,000, before the stars.
    pub margin: i32,
}

/// What a review says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// One for each aspect it speaks of, in the aspects' order.
    pub opinions: Vec<Opinion>,
    /// What the words say all in all, -1,000 to 1,000.
    pub text_score: i32,
    /// How many sentences speak for it and against it clearly.
    pub clear: (u32, u32),
}

/// Memory that is used again for every review.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    tokens: Vec<Token>,
    sentence: Sentence,
    matcher: Matcher,
    view: View,
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
    fn read_sentence(&self, text: &str, range: std::ops::Range<usize>, scratch: &mut Scratch) -> i32 {
        let Scratch { tokens, sentence, matcher, view, mentions } = scratch;
        tokens.clear();
        tokenize(&text[range.clone()], &self.lexicon, tokens);
        sentence.read(tokens, &self.lexicon);
        let seen = tokens.iter().zip(&sentence.words).map(|(token, word)| {
            let mark = matches!(text.as_bytes()[range.start + token.start as usize], b'-' | b'"' | b'*' | b'\'');
            (word.id, word.class, mark && token.end - token.start == 1)
        });
        let hits = matcher.find(&self.patterns, seen);
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
            mentions.push((hit.about, Place { span, sentence, margin }));
        }
        let found = &mentions[first..];
        match found.len() {
            0 => (Sentence::compound(&sentence.words) * f64::from(ONE)) as i32,
            count => rounded(found.iter().map(|(_, place)| i64::from(place.margin)).sum(), count as i64),
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
            sentence.words[*at].class & (class::STOP | class::CONTRAST) != 0 || self.lexicon.word(sentence.words[*at].id) == ";"
        };
        hits.iter().filter(|mark| mark.about >= self.elsewhere && mark.sign != Sign::Exclude).any(|mark| {
            let (from, to) = match mark.words.0 <= hit.words.0 {
                true => (mark.words.1, hit.words.0),
                false => (hit.words.1, mark.words.0),
            };
            !(from..to.max(from)).any(|at| ends(&at))
        })
    }
}

/// Half up; 0 of nothing.
fn rounded(sum: i64, count: i64) -> i32 {
    if count == 0 { 0 } else { (2 * sum + count).div_euclid(2 * count) as i32 }
}

/// One vote per aspect from the mentions, which are sorted by aspect on the way.
fn votes(mentions: &mut [(u16, Place)], stars: u8) -> Vec<Opinion> {
    mentions.sort_by_key(|(aspect, _)| *aspect);
    let prior = PER_STAR * (i32::from(stars) - 3);
    mentions
        .chunk_by(|a, b| a.0 == b.0)
        .map(|chunk| vote(chunk[0].0, chunk.iter().map(|(_, place)| *place).collect(), prior))
        .collect()
}

fn vote(aspect: u16, places: Vec<Place>, prior: i32) -> Opinion {
    // Each sentence counts once, however often it names the aspect.
    let sentences: Vec<i32> = places
        .chunk_by(|a, b| a.sentence == b.sentence)
        .map(|same| rounded(same.iter().map(|p| i64::from(p.margin)).sum(), same.len() as i64))
        .collect();
    let mean = rounded(sentences.iter().map(|m| i64::from(*m)).sum(), sentences.len() as i64);
    let best = places.iter().map(|place| place.margin).max().unwrap_or(0);
    let worst = places.iter().map(|place| place.margin).min().unwrap_or(0);
    // At five stars a reservation is mild, at one star praise is faint: the stars' side counts.
    let mixed = best >= CONFIDENT && worst <= -CONFIDENT;
    let (mixed, mean) = match prior {
        PRIOR_OF_BEST if mixed => (false, best),
        PRIOR_OF_WORST if mixed => (false, worst),
        _ => (mixed, mean),
    };
    let said = places.iter().any(|place| place.margin != 0);
    let score = if said { (mean + prior).clamp(-ONE, ONE) } else { 0 };
    let sentiment = match score {
        _ if mixed => Sentiment::Mixed,
        OPINION.. => Sentiment::Positive,
        i32::MIN..=-200 => Sentiment::Negative,
        _ => Sentiment::Neutral,
    };
    let score = if mixed { mean } else { score };
    let sure = |place: &&Place| if score < 0 { -place.margin } else { place.margin };
    let quote = places.iter().rev().max_by_key(sure).map_or((0, 0), |place| place.span);
    Opinion { aspect, sentiment, score, quote, places }
}

/// What the built-in aspects make of texts: for measuring, not for publishing.
#[derive(Debug)]
pub struct Judge {
    reader: Reader,
    aspects: Aspects,
    scratch: Scratch,
}

impl Judge {
    /// With the built-in aspects.
    #[must_use]
    pub fn builtin() -> Self {
        let aspects = Aspects::builtin();
        let reader = aspects.reader();
        Self { reader, aspects, scratch: Scratch::default() }
    }

    /// What a review says.
    pub fn read(&mut self, text: &str, stars: u8) -> Reading {
        self.reader.read(text, stars, &mut self.scratch)
    }

    /// The id of an aspect.
    #[must_use]
    pub fn id(&self, aspect: u16) -> &str {
        self.aspects.id(aspect)
    }

    /// The model's margin with the stars' share for a place that is given, -1,000 to 1,000.
    pub fn at(&mut self, text: &str, span: (usize, usize), stars: u8) -> i32 {
        let range = sentences(text).into_iter().find(|range| range.start <= span.0 && span.0 < range.end);
        let range = range.unwrap_or(0..text.len());
        let Scratch { tokens, sentence, view, .. } = &mut self.scratch;
        tokens.clear();
        tokenize(&text[range.clone()], &self.reader.lexicon, tokens);
        sentence.read(tokens, &self.reader.lexicon);
        let whole = Sentence::compound(&sentence.words);
        let from = tokens.partition_point(|token| range.start + token.end as usize <= span.0);
        let to = tokens.partition_point(|token| range.start + (token.start as usize) < span.1);
        let own: f64 = sentence.words[from..to.max(from)].iter().map(|word| word.valence).sum();
        let margin = if own != 0.0 { (own / (own * own + 2.0).sqrt() * f64::from(ONE)) as i32 } else if from < to {
            view.look(sentence, (from, to), &[]);
            self.reader.model.margin(self.reader.model.scores(view, sentence, (from, to)))
        } else {
            (whole * f64::from(ONE)) as i32
        };
        margin + PER_STAR * (i32::from(stars) - 3)
    }
}
