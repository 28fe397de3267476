//! Counts of opinions, as integers until the last division, and the support that a statement needs.

use contract::{model::Rating, model::Ratio};
use serde::Serialize;

use crate::opinion::Sentiment;

/// The minimum number of opinions for a share.
pub const MIN_OPINIONS: u64 = 5;
/// The square of the normal quantile of 95 % intervals.
const Z_SQUARED: f64 = 3.841_458_820_694_124;
/// The minimum number of opinions in each period for a trend.
const TREND_MIN: u64 = 10;
/// The minimum number of opinions for a statement such as "most praised".
const STATEMENT_MIN: u64 = 8;
/// Up to this number of stars an opinion that could not be judged can be a complaint.
const LOW_STARS: u8 = 3;

/// Where things go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    /// Better than before, beyond chance.
    Improving,
    /// No difference beyond chance.
    Stable,
    /// Worse than before, beyond chance.
    Declining,
    /// Too few opinions to say.
    Insufficient,
}

/// The opinions about one subject, one per review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [u64; 4],
    score: i64,
    stars: u64,
    unjudged: u64,
}

impl Tally {
    /// Counts the opinion of one review. `score` is in thousandths.
    pub fn add(&mut self, sentiment: Sentiment, score: i32, rating: Rating) {
        self.counts[sentiment as usize] += 1;
        self.score += i64::from(score);
        self.stars += u64::from(rating.stars());
        let unjudged = sentiment == Sentiment::Neutral && rating.stars() <= LOW_STARS;
        self.unjudged += u64::from(unjudged);
    }

    /// The number of reviews that mention the subject.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of reviews with this opinion.
    #[must_use]
    pub fn with(&self, sentiment: Sentiment) -> u64 {
        self.counts[sentiment as usize]
    }

    /// The number of reviews that praise or blame.
    #[must_use]
    pub fn opinions(&self) -> u64 {
        self.with(Sentiment::Positive) + self.with(Sentiment::Negative)
    }

    /// The number of reviews of one to three stars that mention the subject and whose opinion of it
    /// could not be judged.
    #[must_use]
    pub fn unjudged(&self) -> u64 {
        self.unjudged
    }

    /// The share of praise among praise and blame, 0 to 100 with one decimal. `None` below five
    /// opinions, and in place of 100 % while a review of low stars could not be judged: it can be a
    /// complaint.
    #[must_use]
    pub fn positive_pct(&self) -> Option<Ratio> {
        let share = Ratio::of(self.with(Sentiment::Positive) as i64 * 100, self.opinions(), 1);
        let all = |share: &Ratio| share.value() >= 100.0;
        share
            .filter(|_| self.opinions() >= MIN_OPINIONS)
            .filter(|share| !all(share) || self.unjudged == 0)
    }

    /// The mean score, -1 to 1 with three decimals.
    #[must_use]
    pub fn score(&self) -> Option<Ratio> {
        Ratio::of(self.score, self.count() * 1_000, 3)
    }

    /// The mean stars of the reviews that mention the subject, with two decimals.
    #[must_use]
    pub fn average_rating(&self) -> Option<Ratio> {
        Ratio::of(self.stars as i64, self.count(), 2)
    }
}

/// Compares two periods, each with the count of a part and of the whole. There is a direction only
/// if the Wilson intervals (95 %) of both shares do not overlap and both wholes are at least ten.
pub(crate) fn direction(now: (u64, u64), before: (u64, u64)) -> Trend {
    if now.1 < TREND_MIN || before.1 < TREND_MIN {
        return Trend::Insufficient;
    }
    let (now, before) = (wilson(now), wilson(before));
    if now.0 > before.1 {
        Trend::Improving
    } else if now.1 < before.0 {
        Trend::Declining
    } else {
        Trend::Stable
    }
}

/// Whether the first of two counts leads the second beyond chance: it is at least eight, and the
/// Wilson interval (95 %) of its share of `whole` is above that of the second.
pub(crate) fn leads(first: u64, second: u64, whole: u64) -> bool {
    first >= STATEMENT_MIN && wilson((first, whole)).0 > wilson((second, whole)).1
}

/// Wilson's score interval. Square roots are the same on every machine.
fn wilson((part, whole): (u64, u64)) -> (f64, f64) {
    let (part, whole) = (part as f64, whole as f64);
    let centre = part + Z_SQUARED / 2.0;
    let reach = (part * (whole - part) / whole + Z_SQUARED / 4.0).sqrt() * Z_SQUARED.sqrt();
    ((centre - reach) / (whole + Z_SQUARED), (centre + reach) / (whole + Z_SQUARED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        let (low, high) = wilson((8, 10));
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson((0, 10));
        assert!(low.abs() < 1e-9 && (high - 0.2775).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn a_direction_needs_numbers_and_distance() {
        assert_eq!(direction((9, 9), (0, 10)), Trend::Insufficient);
        assert_eq!(direction((10, 10), (0, 10)), Trend::Improving);
        assert_eq!(direction((2, 20), (18, 20)), Trend::Declining);
        assert_eq!(direction((12, 20), (14, 20)), Trend::Stable);
    }

    #[test]
    fn a_lead_needs_eight_opinions_and_distance() {
        assert!(leads(8, 0, 20));
        assert!(!leads(7, 0, 20), "too few");
        assert!(leads(40, 20, 100));
        assert!(!leads(40, 30, 100), "too close");
        assert!(!leads(40, 40, 100), "no lead");
        assert!(!leads(8, 7, 1_000), "too close in a large number of reviews");
    }

    #[test]
    fn a_full_share_waits_for_low_stars_that_could_not_be_judged() {
        let stars = |stars: u8| Rating::try_from(stars).unwrap();
        let mut tally = Tally::default();
        for _ in 0..5 {
            tally.add(Sentiment::Positive, 900, stars(5));
        }
        tally.add(Sentiment::Neutral, 0, stars(4));
        assert_eq!((tally.unjudged(), tally.positive_pct().map(Ratio::value)), (0, Some(100.0)));
        tally.add(Sentiment::Neutral, 0, stars(3));
        assert_eq!((tally.unjudged(), tally.positive_pct()), (1, None));
        tally.add(Sentiment::Negative, -900, stars(1));
        assert_eq!((tally.unjudged(), tally.positive_pct().map(Ratio::value)), (1, Some(83.3)));
        for _ in 0..2_500 {
            tally.add(Sentiment::Positive, 900, stars(5));
        }
        assert_eq!(tally.positive_pct(), None, "99.96 % would be printed as 100.0 %");
    }

    #[test]
    fn shares_need_five_opinions_and_leave_out_the_undecided() {
        let rating = Rating::try_from(4).unwrap();
        let mut tally = Tally::default();
        for sentiment in
            [Sentiment::Positive, Sentiment::Mixed, Sentiment::Neutral, Sentiment::Negative]
        {
            tally.add(sentiment, 100, rating);
        }
        assert_eq!((tally.count(), tally.positive_pct()), (4, None));
        for _ in 0..3 {
            tally.add(Sentiment::Positive, 500, rating);
        }
        assert_eq!(tally.positive_pct().map(Ratio::value), Some(80.0));
        assert_eq!(tally.score().map(Ratio::value), Some(0.271));
    }
}
