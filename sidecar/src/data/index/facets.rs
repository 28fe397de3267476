//! The conditions of a filter other than the text: dates, stars, tags.

use std::ops::Range;

use contract::{
    model::{Day, Rating},
    query::Filter,
};

use super::{IndexEntry, bitmap::Bitmap};

#[derive(Debug)]
pub(super) struct Facets {
    /// The day of every review, newest first.
    days: Vec<Day>,
    /// The reviews of each number of stars: element 0 has those with one.
    ratings: [Bitmap; Rating::BEST as usize],
    /// The reviews of each tag, in order.
    tags: Vec<Vec<u32>>,
}

impl Facets {
    pub(super) fn build(entries: &[IndexEntry<'_>]) -> Self {
        let mut ratings = std::array::from_fn(|_| Bitmap::new(entries.len()));
        let mut tags: Vec<Vec<u32>> = Vec::new();
        for (review, entry) in (0..).zip(entries) {
            ratings[entry.rating.index()].insert(review);
            for &number in entry.tags {
                let number = number as usize;
                tags.resize_with(tags.len().max(number + 1), Vec::new);
                // A review can have a tag twice: two opinions of one aspect.
                if tags[number].last() != Some(&review) {
                    tags[number].push(review);
                }
            }
        }
        tags.iter_mut().for_each(Vec::shrink_to_fit);
        Self { days: entries.iter().map(|entry| entry.date).collect(), ratings, tags }
    }

    /// Returns the reviews that meet the filter's dates and stars and have a tag of every set. No review has one of an
    /// empty set.
    pub(super) fn select(&self, filter: &Filter, tags: &[&[u32]]) -> Bitmap {
        let mut kept = Bitmap::of_range(self.range(filter), self.days.len());
        if let Some(rating) = filter.rating {
            kept.intersect(self.of_stars(rating).words());
        }
        if let Some(rating) = filter.min_rating {
            self.ratings[..rating.index()].iter().for_each(|below| kept.subtract(below));
        }
        for set in tags {
            let mut tagged = Bitmap::new(self.days.len());
            // No review has a number beyond the last.
            let lists = set.iter().filter_map(|number| self.tags.get(*number as usize));
            lists.flatten().for_each(|&review| tagged.insert(review));
            kept.intersect(tagged.words());
        }
        kept
    }

    /// How many of these reviews have a tag.
    pub(super) fn count(&self, tag: u32, kept: &Bitmap) -> usize {
        let tagged = self.tags.get(tag as usize).map_or(&[][..], Vec::as_slice);
        tagged.iter().filter(|review| kept.contains(**review)).count()
    }

    /// The reviews with so many stars.
    pub(super) fn of_stars(&self, rating: Rating) -> &Bitmap {
        &self.ratings[rating.index()]
    }

    /// Returns a review's stars; none if there is no such review.
    pub(super) fn rating(&self, review: u32) -> Option<Rating> {
        Rating::all().find(|stars| self.of_stars(*stars).contains(review))
    }

    /// Returns the reviews between `since` and `until`: a range, as the order is by date.
    fn range(&self, filter: &Filter) -> Range<usize> {
        let start = filter.until.map_or(0, |day| self.days.partition_point(|&at| at > day));
        let end =
            filter.since.map_or(self.days.len(), |day| self.days.partition_point(|&at| at >= day));
        start..end
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let ratings = self.ratings.iter().map(|set| size_of_val(set.words()));
        let tags = self.tags.iter().map(|list| size_of_val(&**list));
        size_of_val(&*self.days) + ratings.chain(tags).sum::<usize>()
    }
}
