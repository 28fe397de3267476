//! The rating in words, with the share of its sources that the site has.

use contract::model::AggregateRating;

use super::SourceSummary;
use crate::words::Words;

/// The number of incomplete sources with a line of their own; the others are counted.
const PARTS: usize = 2;

/// The extent to which the site has the reviews of its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The site has all.
    All,
    /// The site has a part of about so many.
    Of(u64),
    /// The site has a part of an unknown number.
    Part,
}

impl Extent {
    /// Compares what is here with what the sources state.
    #[must_use]
    pub fn of(aggregate: &AggregateRating, sources: &[SourceSummary]) -> Self {
        let missing = sources.iter().filter(|source| source.is_partial());
        let lacks = missing.map(|source| Some(source.claimed_above()? - source.review_count));
        match lacks.sum::<Option<u64>>() {
            Some(0) => Self::All,
            Some(lacks) => Self::Of(aggregate.review_count + lacks),
            None => Self::Part,
        }
    }
}

/// Returns `4.8 of 5 from 212 reviews`, or `from 32 of 184 reviews` if sources have more; nothing without reviews.
#[must_use]
pub fn rated(
    words: &Words,
    aggregate: &AggregateRating,
    sources: &[SourceSummary],
) -> Option<String> {
    let mut values = vec![("average", words.decimal(aggregate.average?.value(), 2))];
    let key = match Extent::of(aggregate, sources) {
        Extent::All => "rated",
        Extent::Of(total) => {
            values.push(("total", words.count(total)));
            "rated_part"
        }
        Extent::Part => "rated_some",
    };
    words.say(key, Some(aggregate.review_count), &values).ok()
}

/// Returns `Google: 50 of about 176 reviews are here`, for each source that is not complete.
#[must_use]
pub fn parts(words: &Words, sources: &[SourceSummary]) -> Vec<String> {
    let parts: Vec<_> = sources.iter().filter(|it| it.is_partial()).collect();
    let more = parts.len().saturating_sub(PARTS) as u64;
    let more = (more > 0).then(|| words.say("and_more", Some(more), &[]).unwrap_or_default());
    let line = |source: &SourceSummary| {
        let mut values = vec![("source", words.source(&source.source))];
        values.extend(source.claimed_above().map(|total| ("total", words.count(total))));
        let key = if values.len() > 1 { "part_of_total" } else { "part" };
        let line = words.say(key, Some(source.review_count), &values).unwrap_or_default();
        with_claim(words, source, line)
    };
    parts.iter().take(PARTS).map(|source| line(source)).chain(more).collect()
}

/// Adds the average that the platform shows, if it is not that of the reviews here.
#[must_use]
pub fn with_claim(words: &Words, source: &SourceSummary, line: String) -> String {
    let Some(claimed) = source.claimed_average else { return line };
    // As exact as platforms write it: 4.7, and 4.65.
    let decimals = if (claimed * 10.0).fract() == 0.0 { 1 } else { 2 };
    let average = words.decimal(claimed, decimals);
    if source.average.is_none_or(|here| words.decimal(here.value(), decimals) == average) {
        return line;
    }
    let values = [("line", line), ("source", words.source(&source.source)), ("average", average)];
    words.say("source_claims", None, &values).unwrap_or_default()
}
