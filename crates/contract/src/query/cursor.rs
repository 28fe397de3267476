//! The cursor of a page of reviews: its last review, the filters and the order, as one opaque word.

use jiff::civil::Date;

use super::{Filter, Sort};
use crate::hex::{from_hex, to_hex};
use crate::model::{Day, Rating, Review, ReviewId};

/// Bytes of a day, an id, the stars, the hash of the filters, and the checksum.
const DAY: usize = 4;
const ID: usize = 16;
const STARS: usize = 1;
const FILTERS: usize = 6;
const CHECK: usize = 4;
const BYTES: usize = DAY + ID + STARS + FILTERS + CHECK;

/// Length of a cursor, in hexadecimal digits.
pub const CURSOR_LENGTH: usize = 2 * BYTES;

/// A position in the order of reviews, given by the day and the id of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The review's day.
    pub date: Day,
    /// The review's id.
    pub id: ReviewId,
}

/// The last review of a page, as it was then: the page after it starts behind it, whether it is
/// still published or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageEnd {
    /// The review's day and id.
    pub position: Position,
    /// The review's stars.
    pub rating: Rating,
}

/// The reason why a cursor cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadCursor {
    Malformed,
    OtherFilters,
}

impl From<&Review> for Position {
    fn from(review: &Review) -> Self {
        Self { date: review.date, id: review.id }
    }
}

impl PageEnd {
    /// The cursor of the page after this review, for these filters in this order.
    #[must_use]
    pub fn cursor(&self, filter: &Filter, sort: Sort) -> String {
        let mut bytes = Vec::with_capacity(BYTES);
        let date = self.position.date.date();
        bytes.extend(date.year().to_be_bytes());
        bytes.extend([date.month(), date.day()].map(i8::cast_unsigned));
        bytes.extend(self.position.id.to_bytes());
        bytes.push(self.rating.stars());
        bytes.extend(&filter.fingerprint(sort)[..FILTERS]);
        let check = check(&bytes);
        bytes.extend(check);
        to_hex(&bytes)
    }

    /// Parses a cursor. Without filters and order only the form of the cursor is checked.
    pub(super) fn parse(cursor: &str, known: Option<(&Filter, Sort)>) -> Result<Self, BadCursor> {
        let bytes = from_hex::<BYTES>(cursor).ok_or(BadCursor::Malformed)?;
        let (content, found) = bytes.split_at(BYTES - CHECK);
        if check(content) != found {
            return Err(BadCursor::Malformed);
        }
        let (review, filters) = content.split_at(DAY + ID + STARS);
        if known.is_some_and(|(filter, sort)| filter.fingerprint(sort)[..FILTERS] != *filters) {
            return Err(BadCursor::OtherFilters);
        }
        page_end(review).ok_or(BadCursor::Malformed)
    }
}

fn page_end(review: &[u8]) -> Option<PageEnd> {
    let [high, low, month, day] = *review.first_chunk::<DAY>()?;
    let year = i16::from_be_bytes([high, low]);
    let date = Date::new(year, month.cast_signed(), day.cast_signed()).ok()?;
    let id = ReviewId::from_bytes(*review[DAY..].first_chunk::<ID>()?);
    let rating = Rating::try_from(*review.last()?).ok()?;
    Some(PageEnd { position: Position { date: date.into(), id }, rating })
}

/// A checksum that detects mistyped and truncated cursors. It protects no secret: a client that
/// computes it gets a page of public reviews.
fn check(content: &[u8]) -> [u8; CHECK] {
    let hash = blake3::hash(&[b"candor 2026 cursor of a page of reviews", content].concat());
    let [first, second, third, fourth, ..] = *hash.as_bytes();
    [first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Search, Sentiment, Words, facets, pairs};

    fn place() -> PageEnd {
        let id = "01JH0000000000000000000007".parse().unwrap();
        let position = Position { date: "2025-01-09".parse().unwrap(), id };
        PageEnd { position, rating: Rating::try_from(4).unwrap() }
    }

    #[test]
    fn a_cursor_leads_back_to_its_place_under_its_filters_and_order_alone() {
        let filter = Filter { needle: Some("a".into()), ..Filter::default() };
        let cursor = place().cursor(&filter, Sort::Highest);
        assert_eq!(cursor.len(), CURSOR_LENGTH);
        assert_eq!(PageEnd::parse(&cursor, Some((&filter, Sort::Highest))), Ok(place()));
        assert_eq!(PageEnd::parse(&cursor, None), Ok(place()));
        let words = |all: &[&str], none: &[&str]| {
            let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
            let words = Words { all: owned(all), none: owned(none) };
            Filter { words, ..filter.clone() }
        };
        for other in [
            Filter::default(),
            Filter { technician: Some("a".into()), ..Filter::default() },
            Filter { source: Some("a".into()), ..filter.clone() },
            Filter { has_reply: Some(false), ..filter.clone() },
            Filter { sentiment: Sentiment::named("mixed"), ..filter.clone() },
            words(&["b"], &[]),
            words(&[], &["b"]),
        ] {
            let found = PageEnd::parse(&cursor, Some((&other, Sort::Highest)));
            assert_eq!(found, Err(BadCursor::OtherFilters), "{other:?}");
        }
        let found = PageEnd::parse(&cursor, Some((&filter, Sort::Lowest)));
        assert_eq!(found, Err(BadCursor::OtherFilters));
        let hash = |filter: &Filter| filter.fingerprint(Sort::Newest);
        assert_ne!(hash(&words(&["b"], &[])), hash(&words(&[], &["b"])));
    }

    #[test]
    fn without_the_condition_of_a_facet_a_filter_has_none() {
        for facet in facets() {
            let given = format!("{}={}", facet.name, facet.example);
            let filter = Search::parse(pairs(&given)).unwrap().filter;
            assert_ne!(filter, Filter::default(), "{given}");
            assert_eq!(filter.without(facet.name), Filter::default(), "{given}");
        }
    }

    #[test]
    fn a_changed_cursor_is_none() {
        let (filter, sort) = (Filter::default(), Sort::Newest);
        let cursor = place().cursor(&filter, sort);
        for at in 0..CURSOR_LENGTH {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            let found = PageEnd::parse(&changed, Some((&filter, sort)));
            assert_eq!(found, Err(BadCursor::Malformed), "{at}");
        }
        let longer = format!("{cursor}0");
        for bad in ["", "x", &cursor[1..], &longer, &cursor.to_uppercase(), &"é".repeat(30)] {
            let found = PageEnd::parse(bad, Some((&filter, sort)));
            assert_eq!(found, Err(BadCursor::Malformed), "{bad}");
        }
    }
}
