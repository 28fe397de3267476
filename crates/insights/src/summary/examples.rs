//! Selection of example sentences for an aspect.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{opinion::CONFIDENT, opinion::Sentiment};
use contract::model::{Review, ReviewId};

/// The number of examples for each side.
const PER_SIDE: usize = 2;
/// The length of a good quote in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 40..=240;
/// Tones and margins that differ by less count as equal.
const BUCKET: i32 = 100;
/// From this value on, the words of a sentence clearly praise or blame.
const PLAIN: i32 = 200;

/// An exact part of a review that shows an opinion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Example {
    /// The review it is from.
    pub review_id: ReviewId,
    /// An exact substring of its text.
    pub quote: String,
    /// What it shows.
    pub sentiment: Sentiment,
}

/// A sentence that can be an example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'r> {
    pub(crate) review: &'r Review,
    /// The position of the sentence, or of the mention if the sentence is too long, in bytes.
    pub(crate) quote: (u32, u32),
    pub(crate) sentiment: Sentiment,
    /// The margin of the opinion, -1,000 to 1,000.
    pub(crate) margin: i32,
    /// The opinion of the sentence's words alone.
    pub(crate) tone: i32,
    /// Whether the sentence mentions no other aspect.
    pub(crate) alone: bool,
}

impl Candidate<'_> {
    pub(crate) fn text(&self) -> &str {
        let text = self.review.text.as_deref().unwrap_or_default();
        &text[self.quote.0 as usize..self.quote.1 as usize]
    }

    /// Sorts the clearest words first, then the clearest opinion, the newest review, the id.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let clear = (self.tone_to_its_side() / BUCKET, self.margin.abs() / BUCKET);
        std::cmp::Reverse((clear, self.review.date, self.review.id))
    }

    fn tone_to_its_side(&self) -> i32 {
        if self.sentiment == Sentiment::Negative { -self.tone } else { self.tone }
    }

    pub(crate) fn is_good(&self) -> bool {
        let stars = self.review.rating.stars();
        let on_the_stars_side = match self.sentiment {
            Sentiment::Positive => stars >= 3,
            Sentiment::Negative => stars <= 3,
            _ => true,
        };
        self.alone
            && on_the_stars_side
            && self.margin.abs() >= CONFIDENT
            && self.tone_to_its_side() >= PLAIN
            && LENGTHS.contains(&self.text().chars().count())
    }
}

/// At most two examples of praise and two of blame, one per author. If there is blame, an example
/// of blame is included even if no sentence is good.
pub(crate) fn choose(candidates: &[Candidate<'_>]) -> Vec<Example> {
    let mut shown = Vec::new();
    let mut authors = BTreeSet::new();
    for side in [Sentiment::Positive, Sentiment::Negative] {
        let mut of_side: Vec<&Candidate<'_>> =
            candidates.iter().filter(|candidate| candidate.sentiment == side).collect();
        of_side.sort_by_cached_key(|candidate| candidate.order());
        let mut chosen = 0;
        for candidate in of_side.iter().filter(|candidate| candidate.is_good()) {
            if chosen < PER_SIDE && authors.insert(&*candidate.review.author) {
                shown.push(example(candidate));
                chosen += 1;
            }
        }
        if let Some(any) = of_side.first().filter(|_| chosen == 0) {
            shown.push(example(any));
        }
    }
    shown
}

/// The clearest praise of all aspects, for the top of a page.
pub(crate) fn best(candidates: &[Candidate<'_>]) -> Option<Example> {
    let praise = candidates.iter().filter(|c| c.sentiment == Sentiment::Positive && c.is_good());
    praise.min_by_key(|candidate| candidate.order()).map(example)
}

fn example(candidate: &Candidate<'_>) -> Example {
    Example {
        review_id: candidate.review.id,
        quote: candidate.text().to_owned(),
        sentiment: candidate.sentiment,
    }
}

/// The sentence, shortened at white space to the length of a quote, with the mention inside.
pub(crate) fn quotable(text: &str, sentence: (u32, u32), mention: (u32, u32)) -> (u32, u32) {
    let most = *LENGTHS.end();
    let slice = &text[sentence.0 as usize..sentence.1 as usize];
    if slice.chars().count() <= most {
        return sentence;
    }
    // From the beginning of the clause before the mention, or from the mention itself.
    let before = &text[sentence.0 as usize..mention.0 as usize];
    let from = before.rfind([',', ';', ':', '(']).map_or(0, |at| at + 1);
    let start = sentence.0 as usize + from;
    let start = start + (text[start..].len() - text[start..].trim_start().len());
    let start = if text[start..mention.1 as usize].chars().count() > most {
        mention.0 as usize
    } else {
        start
    };
    let end = text[start..sentence.1 as usize]
        .char_indices()
        .nth(most)
        .map_or(sentence.1 as usize, |(at, _)| start + at);
    let cut = text[start..end].rfind(char::is_whitespace).map_or(end, |at| start + at);
    let cut = if end == sentence.1 as usize { end } else { cut.max(mention.1 as usize) };
    (start as u32, cut as u32)
}
