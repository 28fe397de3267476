//! Search as it is meant, without any index: what tests compare with and benchmarks measure
//! against.

use contract::{
    model::{Day, Rating},
    query::Filter,
    text::casefold,
};
use sidecar::index::{Directory, Hits, IndexEntry};

/// Every review as a struct, looked at one by one.
#[derive(Debug)]
pub(crate) struct Scan {
    directory: Directory,
    reviews: Vec<Scanned>,
}

#[derive(Debug)]
struct Scanned {
    date: Day,
    rating: Rating,
    text: Option<String>,
    technicians: Vec<u32>,
    services: Vec<u32>,
}

impl Scan {
    /// Takes reviews that come newest first.
    pub(crate) fn new<'a>(
        directory: Directory,
        entries: impl Iterator<Item = IndexEntry<'a>>,
    ) -> Self {
        let scanned = entries.map(|entry| Scanned {
            date: entry.date,
            rating: entry.rating,
            text: entry.text.map(str::to_owned),
            technicians: entry.technicians.to_vec(),
            services: entry.services.to_vec(),
        });
        Self { directory, reviews: scanned.collect() }
    }

    /// The same as the index's.
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
                    review.text.as_ref().is_some_and(|text| casefold(text).contains(needle))
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
