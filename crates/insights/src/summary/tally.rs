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
/// The number of stars up to which an opinion that could not be judged can be a complaint.
const LOW_STARS: u8 = 3;

/// The number of opinions of which at most one may be unjudged for a share to be published.
const MAX_UNJUDGED: u64 = 10;

/// The percentages of complaints in reviews of one to three stars that the program finds, by language. The model card
/// has the figures with their intervals.
const COMPLAINTS_FOUND: [(&str, u64); 2] = [("en", 71), ("de", 62)];

/// Returns the percentage of complaints in reviews of one to three stars that the program finds in texts of these
/// languages: the lowest, if they are several. `None` if it reads none of them.
#[must_use]
pub fn complaints_found(languages: &[&str]) -> Option<u64> {
    let is_read = |(tag, _): &&(&str, u64)| languages.contains(tag);
    COMPLAINTS_FOUND.iter().filter(is_read).map(|(_, found)| *found).min()
}

/// The least and the greatest share of praise, 0 to 100 with one decimal: the opinions that could not
/// be judged count as blame and as praise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PositiveRange {
    /// If all that could not be judged is blame.
    pub low: Ratio,
    /// If all that could not be judged is praise.
    pub high: Ratio,
}

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

    /// The number of reviews that mention the subject and neither praise nor blame it.
    #[must_use]
    pub fn unclear(&self) -> u64 {
        self.count() - self.opinions()
    }

    /// The share of praise among praise and blame, 0 to 100 with one decimal. `None` below five
    /// opinions, and where more than a tenth of them and of those that could not be judged are of the
    /// latter: most of these are complaints.
    #[must_use]
    pub fn positive_pct(&self) -> Option<Ratio> {
        let all = self.opinions() + self.unjudged;
        let is_known = self.opinions() >= MIN_OPINIONS && self.unjudged * MAX_UNJUDGED <= all;
        share(self.with(Sentiment::Positive), self.opinions()).filter(|_| is_known)
    }

    /// The lowest and the highest value that [`Self::positive_pct`] can have, whatever the opinions that could not be
    /// judged are. `None` below five opinions.
    #[must_use]
    pub fn positive_range(&self) -> Option<PositiveRange> {
        let (positive, all) = (self.with(Sentiment::Positive), self.opinions() + self.unjudged);
        let range = PositiveRange {
            low: share(positive, all)?,
            high: share(positive + self.unjudged, all)?,
        };
        Some(range).filter(|_| self.opinions() >= MIN_OPINIONS)
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

fn share(part: u64, whole: u64) -> Option<Ratio> {
    Ratio::of(part as i64 * 100, whole, 1)
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

/// Each subject with more praise, or more blame, among its opinions than all subjects together, beyond
/// chance: at least eight such opinions, and a Wilson interval (95 %) that is above the share of all. The
/// first is the most distinct one. No subject is distinct on both sides.
pub(crate) fn distinct<T>(
    subjects: &[T],
    tally: impl Fn(&T) -> &Tally,
    side: Sentiment,
) -> Vec<&T> {
    let part = |tally: &Tally| (tally.with(side), tally.opinions());
    let sum = |all: (u64, u64), one: (u64, u64)| (all.0 + one.0, all.1 + one.1);
    let all = subjects.iter().map(|subject| part(tally(subject))).fold((0, 0), sum);
    let share = |(part, whole): (u64, u64)| part as f64 / whole as f64;
    let is_distinct = |it: (u64, u64)| it.0 >= STATEMENT_MIN && wilson(it).0 > share(all);
    let mut found: Vec<(f64, &T)> = subjects
        .iter()
        .map(|subject| (part(tally(subject)), subject))
        .filter(|(it, _)| is_distinct(*it))
        .map(|(it, subject)| (share(it) - share(all), subject))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, subject)| subject).collect()
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
    fn what_is_praised_most_differs_from_the_whole_and_is_not_criticised_most() {
        let rating = Rating::try_from(3).unwrap();
        let named = |name: &'static str, positive: u64, negative: u64| {
            let mut tally = Tally::default();
            (0..positive).for_each(|_| tally.add(Sentiment::Positive, 0, rating));
            (0..negative).for_each(|_| tally.add(Sentiment::Negative, 0, rating));
            (name, tally)
        };
        let both = |subjects: &[(&'static str, Tally)]| {
            [Sentiment::Positive, Sentiment::Negative].map(|side| {
                let found = distinct(subjects, |subject| &subject.1, side);
                found.iter().map(|subject| subject.0).collect::<Vec<_>>()
            })
        };
        // The largest is neither: it is like the whole.
        let subjects = [
            named("work", 380, 70),
            named("time", 20, 30),
            named("manners", 90, 1),
            named("price", 38, 18),
        ];
        assert_eq!(both(&subjects), [vec!["manners"], vec!["time", "price"]]);
        assert_eq!(both(&[named("a", 7, 0), named("b", 0, 7)]), [vec![""; 0], vec![]], "too few");
        assert_eq!(both(&[named("a", 50, 0)]), [vec![""; 0], vec![]], "like the whole");
        assert_eq!(both(&[named("a", 20, 10), named("b", 20, 12)]), [vec![""; 0], vec![]]);
    }

    #[test]
    fn a_share_needs_at_most_a_tenth_that_could_not_be_judged() {
        let tally = |positive: u64, negative: u64, unjudged: u64| {
            let mut tally = Tally::default();
            for (sentiment, stars, count) in [
                (Sentiment::Positive, 5, positive),
                (Sentiment::Negative, 1, negative),
                (Sentiment::Neutral, 3, unjudged),
                (Sentiment::Neutral, 4, 2),
            ] {
                let rating = Rating::try_from(stars).unwrap();
                (0..count).for_each(|_| tally.add(sentiment, 0, rating));
            }
            let range = tally.positive_range();
            let range = range.map(|range| [range.low, range.high].map(Ratio::value));
            (tally.unclear(), tally.positive_pct().map(Ratio::value), range)
        };
        assert_eq!(tally(27, 0, 1), (3, Some(100.0), Some([96.4, 100.0])));
        assert_eq!(tally(8, 1, 1), (3, Some(88.9), Some([80.0, 90.0])));
        assert_eq!(tally(8, 0, 1), (3, None, Some([88.9, 100.0])), "one of nine");
        assert_eq!(tally(3, 3, 60), (62, None, Some([4.5, 95.5])));
        assert_eq!(tally(4, 0, 9), (11, None, None), "four opinions");
        assert_eq!(tally(0, 5, 0), (2, Some(0.0), Some([0.0, 0.0])));
    }

    #[test]
    fn the_card_has_the_complaints_that_are_found() {
        let card = include_str!("../data/MODEL_CARD.md");
        for (_, found) in COMPLAINTS_FOUND {
            let sentence = format!("finds {found} of 100 complaints");
            assert_eq!(card.matches(&sentence).count(), 1, "{sentence}");
        }
        assert_eq!(complaints_found(&["en", "de"]), Some(62));
        assert_eq!(complaints_found(&["en"]), Some(71));
        assert_eq!(complaints_found(&[]), None);
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
