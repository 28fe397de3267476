//! The search index of one snapshot: exact answers, whatever the needle.

use reviews::{
    model::{Day, Rating},
    query::Filter,
    text::casefold,
};

/// What the index needs to know of a review.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) date: Day,
    pub(crate) rating: Rating,
    /// As published.
    pub(crate) text: Option<&'a str>,
    /// Numbers of [`Directory::technicians`].
    pub(crate) technicians: &'a [u32],
    /// Numbers of [`Directory::services`].
    pub(crate) services: &'a [u32],
}

/// The folded words by which each technician and service can be asked for: names, ids, labels.
/// Several may answer to one word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    pub(crate) technicians: Vec<Vec<String>>,
    pub(crate) services: Vec<Vec<String>>,
}

/// A page of what a filter is met by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hits {
    /// How many reviews meet the filter, on this page or not.
    pub(crate) matched: usize,
    /// The first of them at or after the position asked for, in order.
    pub(crate) page: Vec<u32>,
    /// Whether more follow the page.
    pub(crate) more: bool,
}

/// Reviews in the contract's order, numbered from 0, newest first.
#[derive(Debug)]
pub(crate) struct Index {
    directory: Directory,
    reviews: Vec<Scanned>,
}

#[derive(Debug)]
struct Scanned {
    date: Day,
    rating: Rating,
    folded: Option<String>,
    technicians: Vec<u32>,
    services: Vec<u32>,
}

impl Index {
    /// Indexes reviews that come newest first.
    pub(crate) fn build<'a>(
        directory: Directory,
        entries: impl Iterator<Item = Entry<'a>>,
    ) -> Self {
        let scanned = entries.map(|entry| Scanned {
            date: entry.date,
            rating: entry.rating,
            folded: entry.text.map(|text| casefold(text).into_owned()),
            technicians: entry.technicians.to_vec(),
            services: entry.services.to_vec(),
        });
        Self { directory, reviews: scanned.collect() }
    }

    /// Every review the filter is met by is counted; the page holds the first `limit` of those
    /// whose number is `from` or higher.
    pub(crate) fn find(&self, filter: &Filter, from: usize, limit: usize) -> Hits {
        let numbers = |names: &[Vec<String>], wanted: &Option<String>| -> Option<Vec<u32>> {
            let wanted = wanted.as_ref()?;
            let matching = names.iter().enumerate().filter(|(_, words)| words.contains(wanted));
            Some(matching.map(|(number, _)| number as u32).collect())
        };
        let technicians = numbers(&self.directory.technicians, &filter.technician);
        let services = numbers(&self.directory.services, &filter.service);
        let any = |wanted: &Option<Vec<u32>>, of: &[u32]| {
            wanted.as_ref().is_none_or(|wanted| wanted.iter().any(|number| of.contains(number)))
        };
        let meets = |review: &Scanned| {
            filter.rating.is_none_or(|rating| review.rating == rating)
                && filter.min_rating.is_none_or(|rating| review.rating >= rating)
                && filter.since.is_none_or(|day| review.date >= day)
                && filter.until.is_none_or(|day| review.date <= day)
                && any(&technicians, &review.technicians)
                && any(&services, &review.services)
                && filter.needle.as_ref().is_none_or(|needle| {
                    review.folded.as_ref().is_some_and(|text| text.contains(needle))
                })
        };
        let matching = self.reviews.iter().enumerate().filter(|(_, review)| meets(review));
        let matching: Vec<u32> = matching.map(|(number, _)| number as u32).collect();
        let start = matching.partition_point(|&number| (number as usize) < from);
        let end = matching.len().min(start + limit);
        let more = end < matching.len();
        Hits { matched: matching.len(), page: matching[start..end].to_vec(), more }
    }
}
