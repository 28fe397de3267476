//! Search as it is meant, without any index: what tests compare with and benchmarks measure
//! against.

use std::cmp::Ordering;

use contract::{
    model::{Day, Rating},
    query::{Sort, Words},
    text::{casefold, search_fold},
};
use sidecar::index::{Hits, IndexEntry, PageStart, Query};

/// Every review as a struct, looked at one by one.
#[derive(Debug)]
pub(crate) struct Scan {
    reviews: Vec<Scanned>,
}

#[derive(Debug)]
struct Scanned {
    date: Day,
    rating: Rating,
    text: Option<String>,
    tags: Vec<u32>,
}

impl Scan {
    /// Takes reviews that come newest first.
    pub(crate) fn new<'a>(entries: impl Iterator<Item = IndexEntry<'a>>) -> Self {
        let scanned = entries.map(|entry| Scanned {
            date: entry.date,
            rating: entry.rating,
            text: entry.text.map(str::to_owned),
            tags: entry.tags.to_vec(),
        });
        Self { reviews: scanned.collect() }
    }

    /// The same as the index's.
    pub(crate) fn find(&self, query: &Query<'_>) -> Hits {
        let Query { filter, tags, only, sort, start, limit } = *query;
        let has_one =
            |review: &Scanned, set: &[u32]| set.iter().any(|tag| review.tags.contains(tag));
        let meets = |review: &Scanned| {
            filter.rating.is_none_or(|rating| review.rating == rating)
                && filter.min_rating.is_none_or(|rating| review.rating >= rating)
                && filter.since.is_none_or(|day| review.date >= day)
                && filter.until.is_none_or(|day| review.date <= day)
                && tags.iter().all(|set| has_one(review, set))
                && filter.needle.as_ref().is_none_or(|needle| {
                    review.text.as_ref().is_some_and(|text| casefold(text).contains(needle))
                })
                && has_words(&filter.words, review.text.as_deref(), |_, _, _| true)
                && has_words(&filter.whole, review.text.as_deref(), Words::is_whole)
        };
        let matching = self.reviews.iter().enumerate().filter(|(number, review)| {
            only.is_none_or(|only| only.iter().any(|it| *it as usize == *number)) && meets(review)
        });
        let mut matching: Vec<usize> = matching.map(|(number, _)| number).collect();
        let matched = matching.len();
        // Reviews of equal rank stay newest first.
        let stars = |number: usize| i8::try_from(self.reviews[number].rating.stars()).unwrap_or(0);
        let rank = |rating: i8| match sort {
            Sort::Newest | Sort::Oldest => 0,
            Sort::Highest => -rating,
            Sort::Lowest => rating,
        };
        if sort == Sort::Oldest {
            matching.reverse();
        }
        matching.sort_by_key(|number| rank(stars(*number)));
        let is_left = |number: usize, start: PageStart| {
            let rating = i8::try_from(start.rating.stars()).unwrap_or(0);
            match (sort, rank(stars(number)).cmp(&rank(rating))) {
                (Sort::Oldest, _) => number < start.before,
                (_, Ordering::Equal) => number >= start.after,
                (_, order) => order == Ordering::Greater,
            }
        };
        matching.retain(|number| start.is_none_or(|start| is_left(*number, start)));
        let page = matching.iter().take(limit).map(|number| *number as u32).collect();
        Hits { matched, page, more: matching.len() > limit }
    }
}

fn has_words(
    words: &Words,
    text: Option<&str>,
    is_place: impl Fn(&str, &str, usize) -> bool,
) -> bool {
    if words.is_empty() {
        return true;
    }
    let text = search_fold(text.unwrap_or_default());
    let has = |word: &String| {
        let mut starts = text.char_indices().map(|(start, _)| start);
        starts.any(|start| text[start..].starts_with(word) && is_place(&text, word, start))
    };
    words.all.iter().all(has) && !words.none.iter().any(has)
}
