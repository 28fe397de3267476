//! What one review says of each aspect: one vote per aspect from its mentions and the stars.

use serde::Serialize;

/// What customers think, in the contract's words.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
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
pub(crate) const ONE: i32 = 1_000;
/// What a pattern's verdict counts.
pub(crate) const VERDICT: i32 = 900;
/// Below this a margin is no opinion: two thirds of such targets are neutral.
const OPINION: i32 = 200;
/// From here on a margin is sure enough to be quoted, or to make a mixed opinion.
pub(crate) const CONFIDENT: i32 = 400;
/// The stars' share at five stars, and at one.
const PRIOR_OF_BEST: i32 = 2 * PER_STAR;
const PRIOR_OF_WORST: i32 = -2 * PER_STAR;
/// What one star above or below three adds to a margin. Two stars cannot turn round a clear text.
pub(crate) const PER_STAR: i32 = 200;

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
    /// Blame here is what it seems to be, whatever the stars.
    pub plain: bool,
    /// A pattern says blame here, whatever the margin.
    pub blame: bool,
    /// What the sentence's words say by themselves, -1,000 to 1,000: how well it can be quoted.
    pub tone: i32,
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

/// Half up; 0 of nothing.
pub(crate) fn rounded(sum: i64, count: i64) -> i32 {
    if count == 0 { 0 } else { (2 * sum + count).div_euclid(2 * count) as i32 }
}

/// One vote per aspect from the mentions, which are sorted by aspect on the way.
pub(crate) fn votes(mentions: &mut [(u16, Place)], stars: u8) -> Vec<Opinion> {
    mentions.sort_by_key(|(aspect, _)| *aspect);
    let prior = PER_STAR * (i32::from(stars) - 3);
    mentions
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|chunk| prior != PRIOR_OF_BEST || !is_story(chunk))
        .map(|chunk| vote(chunk[0].0, chunk.iter().map(|(_, place)| *place).collect(), prior))
        .collect()
}

/// Whether all that is said at five stars is blame without a sign of complaint: that tells of the
/// trouble the customer had before ("found a cracked exchanger"), and is no opinion.
fn is_story(mentions: &[(u16, Place)]) -> bool {
    mentions.iter().all(|(_, place)| (place.margin <= 0 || place.blame) && !place.plain)
        && mentions.iter().any(|(_, place)| place.margin <= -CONFIDENT || place.blame)
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
