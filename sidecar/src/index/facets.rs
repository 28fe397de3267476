//! The conditions of a filter other than the needle: dates, stars, technicians, services.

use std::{collections::HashMap, ops::Range};

use contract::{
    model::{Day, Rating},
    query::Filter,
};

use super::{
    Directory, IndexEntry,
    bitmap::{Bitmap, ReviewSet},
};

#[derive(Debug)]
pub(super) struct Facets {
    /// Of every review, newest first.
    days: Vec<Day>,
    /// By stars: element 0 holds the reviews with one.
    ratings: [ReviewSet; Rating::BEST as usize],
    technicians: FacetNames,
    services: FacetNames,
}

impl Facets {
    pub(super) fn build(directory: Directory, entries: &[IndexEntry<'_>]) -> Self {
        let mut ratings: [Vec<u32>; Rating::BEST as usize] = Default::default();
        for (review, entry) in entries.iter().enumerate() {
            ratings[entry.rating.index()].push(review as u32);
        }
        Self {
            days: entries.iter().map(|entry| entry.date).collect(),
            ratings: ratings.map(|list| ReviewSet::from_sorted(&list, entries.len())),
            technicians: FacetNames::build(
                directory.technicians,
                entries.iter().map(|entry| entry.technicians),
            ),
            services: FacetNames::build(
                directory.services,
                entries.iter().map(|entry| entry.services),
            ),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.days.len()
    }

    /// The reviews between `since` and `until`: neighbours, as the order is by date.
    pub(super) fn range(&self, filter: &Filter) -> Range<usize> {
        let start = filter.until.map_or(0, |day| self.days.partition_point(|&at| at > day));
        let end = filter.since.map_or(self.len(), |day| self.days.partition_point(|&at| at >= day));
        start..end.max(start)
    }

    /// Removes from `kept` whatever the filter's stars and names exclude.
    pub(super) fn narrow(&self, filter: &Filter, kept: &mut Bitmap, spare: &mut Bitmap) {
        if let Some(rating) = filter.rating {
            self.ratings[rating.index()].intersect_into(kept);
        }
        if let Some(rating) = filter.min_rating {
            self.ratings[..rating.index()].iter().for_each(|below| below.subtract_from(kept));
        }
        for (names, wanted) in
            [(&self.technicians, &filter.technician), (&self.services, &filter.service)]
        {
            if let Some(word) = wanted {
                names.narrow(word, kept, spare);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let ratings: usize = self.ratings.iter().map(ReviewSet::bytes).sum();
        size_of_val(&*self.days) + ratings + self.technicians.bytes() + self.services.bytes()
    }
}

/// Whether a filter asks for stars or names.
pub(super) fn asked(filter: &Filter) -> bool {
    filter.rating.is_some()
        || filter.min_rating.is_some()
        || filter.technician.is_some()
        || filter.service.is_some()
}

/// Technicians or services: by which words, and in which reviews.
#[derive(Debug)]
struct FacetNames {
    by_word: HashMap<String, Vec<u32>>,
    mentions: Vec<ReviewSet>,
}

impl FacetNames {
    fn build<'a>(
        words: Vec<Vec<String>>,
        mentioned: impl ExactSizeIterator<Item = &'a [u32]>,
    ) -> Self {
        let reviews = mentioned.len();
        let mut lists = vec![Vec::new(); words.len()];
        for (review, numbers) in (0..).zip(mentioned) {
            for &number in numbers {
                // Nobody can ask for a number that the directory lacks.
                let list: Option<&mut Vec<u32>> = lists.get_mut(number as usize);
                if let Some(list) = list.filter(|list| list.last() != Some(&review)) {
                    list.push(review);
                }
            }
        }
        let mut by_word: HashMap<String, Vec<u32>> = HashMap::new();
        for (number, words) in (0..).zip(words) {
            words.into_iter().for_each(|word| by_word.entry(word).or_default().push(number));
        }
        let mentions = lists.iter().map(|list| ReviewSet::from_sorted(list, reviews));
        Self { by_word, mentions: mentions.collect() }
    }

    /// A word nobody answers to is met by no review.
    fn narrow(&self, word: &str, kept: &mut Bitmap, spare: &mut Bitmap) {
        match self.by_word.get(word).map_or(&[][..], Vec::as_slice) {
            [number] => self.mentions[*number as usize].intersect_into(kept),
            numbers => {
                spare.reset(kept.room());
                for &number in numbers {
                    self.mentions[number as usize].union_into(spare);
                }
                kept.intersect(spare);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.mentions.iter().map(ReviewSet::bytes).sum()
    }
}
