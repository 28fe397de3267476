//! The search index of one snapshot. Results are exact for every needle, in a time that hardly
//! depends on the needle.
//!
//! - `facets`: dates are a range of review numbers, stars, technicians and services bitmaps.
//! - `arena`: the folded texts end to end; the whole index of a small collection.
//! - `words`, `dictionary`, `suffixes`: the texts as numbers of words, and the words by their
//!   beginnings, endings and parts.
//! - `postings`: the positions of each word, by the word before it; `corpus` combines these.
//! - `answers`: precomputed results of needles for which the postings would take too long.
//! - `phrase`: needles of three words and more; `engine` chooses the structure.
//!
//! [`SearchIndex::find`] takes no lock and may run on any number of threads.

mod answers;
mod arena;
mod bitmap;
mod corpus;
mod costs;
mod cover;
mod dictionary;
mod engine;
mod facets;
mod parallel;
mod phrase;
mod postings;
mod suffixes;
mod table;
mod trie;
mod words;

use std::ops::Range;

use contract::{
    model::{Day, Rating},
    query::Filter,
};

use self::{
    engine::{Engine, QueryScratch},
    facets::Facets,
};

/// What the index needs to know of a review.
#[derive(Clone, Debug)]
pub struct IndexEntry<'a> {
    /// The day the review is of.
    pub date: Day,
    /// Its stars.
    pub rating: Rating,
    /// As published.
    pub text: Option<&'a str>,
    /// Numbers of [`Directory::technicians`].
    pub technicians: &'a [u32],
    /// Numbers of [`Directory::services`].
    pub services: &'a [u32],
}

impl<'a> IndexEntry<'a> {
    /// A review that mentions nobody and nothing.
    #[must_use]
    pub fn new(date: Day, rating: Rating, text: Option<&'a str>) -> Self {
        Self { date, rating, text, technicians: &[], services: &[] }
    }
}

/// The folded words by which each technician and service is found: names, ids, labels. Several may
/// have the same word.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// An element per technician.
    pub technicians: Vec<Vec<String>>,
    /// An element per service.
    pub services: Vec<Vec<String>>,
}

/// A page of the reviews that meet a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many reviews meet the filter, on this page or not.
    pub matched: usize,
    /// The first of them at or after the position asked for, in order.
    pub page: Vec<u32>,
    /// Whether more follow the page.
    pub more: bool,
}

/// Why reviews cannot be indexed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The numbers of reviews and the places in them share 32 bits.
    #[error("{0} reviews are more than the search index can number ({MOST_REVIEWS})")]
    Reviews(usize),
    /// Places in the arena are 32 bits wide.
    #[error("the reviews' texts are more than the search index can hold (4 GiB)")]
    Text,
    /// Places in the sequence of all words are 32 bits wide.
    #[error("the reviews' texts have more words than the search index can number (4,294,967,295)")]
    Words,
    /// Places in the dictionary are 32 bits wide.
    #[error("the reviews' texts have more different words than the search index can hold (4 GiB)")]
    Dictionary,
}

/// With so many reviews, places in texts of 128 words still have a number.
const MOST_REVIEWS: usize = 1 << 24;

/// The thresholds between search methods. Results do not depend on them.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Fewer reviews than this are searched by reading all of them.
    pub scan_below: usize,
    /// Where the filter leaves at most so many reviews, their texts are put together and read;
    /// where all texts are read anyway, at most eight times as many.
    pub read_each: usize,
    /// Answers are kept that take more steps of about a nanosecond than this …
    pub budget: u64,
    /// … and so many for every thousand reviews.
    pub budget_per_thousand: u64,
    /// How many of an occurrence's 32 bits its place in the text may take.
    pub place_bits: u32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            scan_below: 2_000,
            read_each: 8,
            budget: 20_000,
            budget_per_thousand: 500,
            place_bits: 20,
        }
    }
}

impl Tuning {
    fn budget(&self, reviews: usize) -> u64 {
        self.budget + reviews as u64 * self.budget_per_thousand / 1_000
    }
}

/// Reviews in the contract's order, numbered from 0, newest first.
#[derive(Debug)]
pub struct SearchIndex {
    facets: Facets,
    engine: Engine,
    read_each: usize,
}

impl SearchIndex {
    /// Indexes reviews that come newest first.
    ///
    /// # Errors
    ///
    /// When there are more than 32 bits can number.
    pub fn build<'a>(
        directory: Directory,
        entries: impl Iterator<Item = IndexEntry<'a>>,
    ) -> Result<Self, BuildError> {
        Self::build_with(&Tuning::default(), directory, entries)
    }

    /// [`Self::build`], tuned otherwise.
    ///
    /// # Errors
    ///
    /// When there are more than 32 bits can number.
    pub fn build_with<'a>(
        tuning: &Tuning,
        directory: Directory,
        entries: impl Iterator<Item = IndexEntry<'a>>,
    ) -> Result<Self, BuildError> {
        let entries: Vec<IndexEntry<'a>> = entries.collect();
        if entries.len() > MOST_REVIEWS {
            return Err(BuildError::Reviews(entries.len()));
        }
        let facets = Facets::build(directory, &entries);
        let engine = Engine::build(&entries, tuning)?;
        Ok(Self { facets, engine, read_each: tuning.read_each })
    }

    /// Every review the filter is met by is counted; the page holds the first `limit` of those
    /// whose number is `from` or higher.
    #[must_use]
    pub fn find(&self, filter: &Filter, from: usize, limit: usize) -> Hits {
        let range = self.facets.range(filter);
        let needle = filter.needle.as_deref().filter(|needle| !needle.is_empty());
        if range.is_empty() {
            return Hits::default();
        }
        if needle.is_none() && !facets::asked(filter) {
            return Hits::of_range(range, from, limit);
        }
        QueryScratch::with(|scratch| {
            scratch.kept.reset(self.facets.len());
            scratch.kept.insert_range(range.clone());
            self.facets.narrow(filter, &mut scratch.kept, &mut scratch.spare);
            if let Some(needle) = needle {
                self.engine.narrow(needle, range, self.read_each, scratch);
            }
            let mut numbers = scratch.kept.iter_from(from);
            let page = numbers.by_ref().take(limit).collect();
            Hits { matched: scratch.kept.count(), page, more: numbers.next().is_some() }
        })
    }

    /// What each structure takes on the heap, in bytes.
    #[must_use]
    pub fn memory(&self) -> Vec<(&'static str, usize)> {
        let facets = [("dates, stars, technicians, services", self.facets.bytes())];
        facets.into_iter().chain(self.engine.memory()).collect()
    }
}

impl Hits {
    fn of_range(range: Range<usize>, from: usize, limit: usize) -> Self {
        let start = range.start.max(from).min(range.end);
        let end = range.end.min(start.saturating_add(limit));
        let page = (start as u32..end as u32).collect();
        Self { matched: range.len(), page, more: end < range.end }
    }
}
