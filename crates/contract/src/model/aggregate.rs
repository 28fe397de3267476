//! Averages and counts of ratings, computed with integers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rating;

/// A quotient rounded half up to a fixed number of decimals, computed in whole numbers so that
/// every machine writes the same digits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Ratio(f64);

impl Ratio {
    /// `numerator / denominator` with `decimals` digits (at most 6); `None` if the denominator is
    /// 0.
    #[must_use]
    pub fn of(numerator: i64, denominator: u64, decimals: u32) -> Option<Self> {
        let scale = 10_i128.pow(decimals.min(6));
        let denominator = i128::from(denominator);
        if denominator == 0 {
            return None;
        }
        let doubled = i128::from(numerator) * scale * 2 + denominator;
        let rounded = doubled.div_euclid(denominator * 2);
        // Both numbers fit a double exactly, and IEEE division gives the same result on every
        // machine.
        Some(Self(rounded as f64 / scale as f64))
    }

    /// The value as a floating-point number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Serialize for Ratio {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// Counts per star, and the figures that follow from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aggregate {
    stars: [u64; 5],
}

impl Aggregate {
    /// Adds one rating.
    pub fn add(&mut self, rating: Rating) {
        self.stars[rating.index()] += 1;
    }

    /// The number of ratings.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.stars.iter().sum()
    }

    /// The number of ratings with this value.
    #[must_use]
    pub fn with(&self, rating: Rating) -> u64 {
        self.stars[rating.index()]
    }

    /// The mean with two decimals.
    #[must_use]
    pub fn average(&self) -> Option<Ratio> {
        Ratio::of(self.sum(|stars| stars), self.count(), 2)
    }

    /// The mean on the scale from -1 (one star) to 1 (five stars), with three decimals.
    #[must_use]
    pub fn score(&self) -> Option<Ratio> {
        Ratio::of(self.sum(|stars| stars - 3), self.count() * 2, 3)
    }

    /// The number of ratings with four or five stars.
    #[must_use]
    pub fn positive(&self) -> u64 {
        self.stars[3] + self.stars[4]
    }

    /// The number of ratings with three stars.
    #[must_use]
    pub fn neutral(&self) -> u64 {
        self.stars[2]
    }

    /// The number of ratings with one or two stars.
    #[must_use]
    pub fn negative(&self) -> u64 {
        self.stars[0] + self.stars[1]
    }

    fn sum(&self, of: impl Fn(i64) -> i64) -> i64 {
        Rating::all().map(|r| of(i64::from(r.stars())) * self.with(r) as i64).sum()
    }
}

impl FromIterator<Rating> for Aggregate {
    fn from_iter<I: IntoIterator<Item = Rating>>(ratings: I) -> Self {
        let mut aggregate = Self::default();
        ratings.into_iter().for_each(|rating| aggregate.add(rating));
        aggregate
    }
}

/// How the reviews rate, over all of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AggregateRating {
    /// Two decimals, over all published reviews; `null` when there are none.
    pub average: Option<Ratio>,
    /// How many reviews.
    pub review_count: u64,
    /// The highest rating there is.
    pub best: u8,
    /// The lowest rating there is.
    pub worst: u8,
    /// Reviews per star, every star present.
    pub distribution: BTreeMap<u8, u64>,
}

impl AggregateRating {
    /// The average and distribution of these ratings.
    pub fn over(ratings: impl IntoIterator<Item = Rating>) -> Self {
        let aggregate: Aggregate = ratings.into_iter().collect();
        Self {
            average: aggregate.average(),
            review_count: aggregate.count(),
            best: Rating::BEST,
            worst: Rating::WORST,
            distribution: Rating::all().map(|r| (r.stars(), aggregate.with(r))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_round_half_up_in_whole_numbers() {
        let ratio = |n, d, decimals| Ratio::of(n, d, decimals).map(Ratio::value);
        assert_eq!(ratio(1, 3, 2), Some(0.33));
        assert_eq!(ratio(2, 3, 1), Some(0.7));
        assert_eq!(ratio(1, 8, 2), Some(0.13));
        assert_eq!(ratio(-1, 8, 2), Some(-0.12));
        assert_eq!(ratio(0, 0, 2), None);
    }

    #[test]
    fn an_empty_aggregate_has_no_average() {
        let empty = AggregateRating::over([]);
        assert_eq!(empty.average, None);
        assert_eq!(empty.distribution.len(), 5);
        let all: Aggregate = Rating::all().collect();
        assert_eq!(all.average().map(Ratio::value), Some(3.0));
        assert_eq!(all.score().map(Ratio::value), Some(0.0));
    }
}
