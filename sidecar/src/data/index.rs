//! The search index of one snapshot. Its results are exact.
//!
//! - `facets`: dates are a range of review numbers, stars and tags sets of them.
//! - `frequent`: the texts of each frequent word.
//! - `ngrams`: a table of bits that excludes most texts without a needle, and all of them for short frequent ones.
//! - `texts`: the folded texts, in which a needle is searched if it is not excluded.
//!
//! [`SearchIndex::find`] takes no lock and may run on any number of threads.

mod bitmap;
mod facets;
mod frequent;
mod ngrams;
mod texts;

use contract::{
    model::{Day, Rating},
    parallel::both_if,
    query::{Filter, Sort, Words},
    text::search_fold,
};
use memchr::memmem::Finder;

pub use self::bitmap::Bitmap;
use self::{facets::Facets, frequent::FrequentWords, ngrams::NgramTable, texts::Texts};

/// The number of reviews from which parts of the index are built side by side.
const MANY: usize = 1_000;

/// The facts of a review that are indexed.
#[derive(Clone, Debug)]
pub struct IndexEntry<'a> {
    /// The day of the review.
    pub date: Day,
    /// The stars of the review.
    pub rating: Rating,
    /// The text as published.
    pub text: Option<&'a str>,
    /// Numbers of further properties to filter by, without gaps; the caller knows their meaning.
    pub tags: &'a [u32],
}

impl<'a> IndexEntry<'a> {
    /// Makes the entry of a review without tags.
    #[must_use]
    pub fn new(date: Day, rating: Rating, text: Option<&'a str>) -> Self {
        Self { date, rating, text, tags: &[] }
    }
}

/// A search: the filter and the page.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The conditions that the reviews must meet. Names are not read: `tags` replace them.
    pub filter: &'a Filter,
    /// Sets of tags; the reviews must have a tag of each.
    pub tags: &'a [&'a [u32]],
    /// The numbers that the reviews must be among, if there are any.
    pub only: Option<&'a [u32]>,
    /// The order of the page.
    pub sort: Sort,
    /// The start of the page; absent for the first one.
    pub start: Option<PageStart>,
    /// Maximum number of reviews on a page.
    pub limit: usize,
}

/// The last review of the page before, which may have been withdrawn since.
#[derive(Clone, Copy, Debug)]
pub struct PageStart {
    /// The stars of that review.
    pub rating: Rating,
    /// The number of newer reviews.
    pub before: usize,
    /// The number of the next older review.
    pub after: usize,
}

/// A page of the reviews that meet a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// The number of reviews that meet the filter, on all pages.
    pub matched: usize,
    /// The numbers of the reviews of the page, in the requested order.
    pub page: Vec<u32>,
    /// Whether there are more pages.
    pub more: bool,
}

/// Reviews in the contract's order, numbered from 0, newest first.
#[derive(Debug)]
pub struct SearchIndex {
    facets: Facets,
    frequent: FrequentWords,
    ngrams: NgramTable,
    texts: Texts,
}

impl SearchIndex {
    /// Indexes reviews that come newest first.
    #[must_use]
    pub fn build<'a>(entries: impl Iterator<Item = IndexEntry<'a>>) -> Self {
        let entries: Vec<IndexEntry<'a>> = entries.collect();
        let facets = Facets::build(&entries);
        let texts = Texts::build(entries.iter().map(|entry| entry.text.unwrap_or_default()));
        let (frequent, ngrams) = both_if(
            entries.len() >= MANY,
            || FrequentWords::build(entries.len(), |review| texts.loose(review)),
            || NgramTable::build(entries.len(), |review| texts.loose(review).as_bytes()),
        );
        Self { facets, frequent, ngrams, texts }
    }

    /// Counts every review that meets the query; the page has the first of them from its start on.
    #[must_use]
    pub fn find(&self, query: &Query<'_>) -> Hits {
        let kept = self.select(query);
        let mut page = self.first(query, &kept, query.limit.saturating_add(1));
        let more = page.len() > query.limit;
        page.truncate(query.limit);
        Hits { matched: kept.count(), page, more }
    }

    /// The reviews that meet the query, on all pages.
    #[must_use]
    pub fn select(&self, query: &Query<'_>) -> Bitmap {
        let mut kept = self.facets.select(query.filter, query.tags);
        if let Some(only) = query.only {
            kept.retain_only(only);
        }
        self.narrow(query.filter, &mut kept);
        kept
    }

    /// How many of the reviews of [`Self::select`] have a tag.
    #[must_use]
    pub fn count(&self, tag: u32, kept: &Bitmap) -> usize {
        self.facets.count(tag, kept)
    }

    /// Keeps the reviews whose texts meet the filter. Texts are read last, when few are left.
    fn narrow(&self, filter: &Filter, kept: &mut Bitmap) {
        let plain = filter.needle.as_deref().map(search_fold);
        for needle in plain.iter().chain(&filter.words.all).chain(&filter.whole.all) {
            self.narrow_unread(needle, kept);
        }
        if let Some(needle) = &filter.needle {
            let finder = Finder::new(needle);
            let is_known = plain.as_ref() == Some(needle) && self.is_exact(needle);
            kept.retain(|review| {
                let unread = is_known && !self.texts.has_two_forms(review);
                unread || finder.find(self.texts.exact(review).as_bytes()).is_some()
            });
        }
        let exclude = |read: &dyn Fn(&mut Bitmap), kept: &mut Bitmap| {
            let mut excluded = kept.clone();
            read(&mut excluded);
            kept.subtract(&excluded);
        };
        filter.whole.all.iter().for_each(|word| self.read_whole(word, kept));
        for word in &filter.whole.none {
            exclude(&|them| self.read_whole(word, them), kept);
        }
        filter.words.all.iter().for_each(|word| self.read(word, kept));
        for word in &filter.words.none {
            exclude(&|them| self.read(word, them), kept);
        }
    }

    /// Whether no text needs to be read for the needle.
    fn is_exact(&self, needle: &str) -> bool {
        self.frequent.texts(needle).is_some() || self.ngrams.is_exact(needle.as_bytes())
    }

    /// Excludes texts without the needle: all of them if it is frequent.
    fn narrow_unread(&self, needle: &str, kept: &mut Bitmap) {
        match self.frequent.texts(needle) {
            Some(texts) => kept.intersect(texts.words()),
            None => self.ngrams.narrow(needle.as_bytes(), kept),
        }
    }

    /// Keeps the reviews whose texts contain the word.
    fn read(&self, word: &str, kept: &mut Bitmap) {
        self.narrow_unread(word, kept);
        if !self.is_exact(word) {
            let finder = Finder::new(word);
            kept.retain(|review| finder.find(self.texts.loose(review).as_bytes()).is_some());
        }
    }

    /// Keeps the reviews whose texts have it as a whole word.
    fn read_whole(&self, word: &str, kept: &mut Bitmap) {
        self.narrow_unread(word, kept);
        let finder = Finder::new(word);
        kept.retain(|review| {
            let text = self.texts.loose(review);
            let mut from = 0;
            // Places of a phrase can overlap.
            while let Some(at) = finder.find(&text.as_bytes()[from..]) {
                if Words::is_whole(text, word, from + at) {
                    return true;
                }
                from += at + 1;
            }
            false
        });
    }

    /// The first `most` of these reviews from the page's start on, in order.
    fn first(&self, query: &Query<'_>, kept: &Bitmap, most: usize) -> Vec<u32> {
        let start = query.start;
        let after = start.map_or(0, |start| start.after);
        let by_stars = |mut stars: Vec<Rating>| {
            let passed = start.and_then(|start| stars.iter().position(|at| *at == start.rating));
            stars.drain(..passed.unwrap_or(0));
            let group = |(at, rating): (usize, Rating)| {
                let mut group = kept.clone();
                group.intersect(self.facets.of_stars(rating).words());
                group.iter_from(if at == 0 { after } else { 0 }).take(most).collect::<Vec<_>>()
            };
            stars.into_iter().enumerate().flat_map(group).take(most).collect()
        };
        match query.sort {
            Sort::Newest => kept.iter_from(after).take(most).collect(),
            Sort::Oldest => {
                let before = start.map_or(usize::MAX, |start| start.before);
                kept.iter_before(before).take(most).collect()
            }
            Sort::Highest => by_stars(Rating::all().rev().collect()),
            Sort::Lowest => by_stars(Rating::all().collect()),
        }
    }

    /// Returns the stars of a review; none if there is no such review.
    #[must_use]
    pub fn rating(&self, review: u32) -> Option<Rating> {
        self.facets.rating(review)
    }

    /// Returns the size of each structure on the heap, in bytes.
    #[must_use]
    pub fn memory(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("dates, stars, tags", self.facets.bytes()),
            ("frequent words", self.frequent.bytes()),
            ("texts", self.texts.bytes()),
            ("n-grams", self.ngrams.bytes()),
        ]
    }
}
