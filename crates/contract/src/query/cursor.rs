//! The cursor of a page of reviews: its last review and the filters, as one opaque word.

use jiff::civil::Date;

use super::Filter;
use crate::hex::{from_hex, to_hex};
use crate::model::{Day, Review, ReviewId};

/// Bytes of a day, an id, the hash of the filters, and the checksum.
const DAY: usize = 4;
const ID: usize = 16;
const FILTERS: usize = 6;
const CHECK: usize = 4;
const BYTES: usize = DAY + ID + FILTERS + CHECK;

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

impl Position {
    /// The cursor of the page after this review, for these filters.
    #[must_use]
    pub fn cursor(&self, filter: &Filter) -> String {
        let mut bytes = Vec::with_capacity(BYTES);
        let date = self.date.date();
        bytes.extend(date.year().to_be_bytes());
        bytes.extend([date.month(), date.day()].map(i8::cast_unsigned));
        bytes.extend(self.id.to_bytes());
        bytes.extend(&filter.fingerprint()[..FILTERS]);
        let check = check(&bytes);
        bytes.extend(check);
        to_hex(&bytes)
    }

    /// Parses a cursor. Without a filter only the form of the cursor is checked.
    pub(super) fn parse(cursor: &str, filter: Option<&Filter>) -> Result<Self, BadCursor> {
        let bytes = from_hex::<BYTES>(cursor).ok_or(BadCursor::Malformed)?;
        let (content, found) = bytes.split_at(BYTES - CHECK);
        if check(content) != found {
            return Err(BadCursor::Malformed);
        }
        if filter.is_some_and(|filter| filter.fingerprint()[..FILTERS] != content[DAY + ID..]) {
            return Err(BadCursor::OtherFilters);
        }
        position(content).ok_or(BadCursor::Malformed)
    }
}

fn position(content: &[u8]) -> Option<Position> {
    let [high, low, month, day] = *content.first_chunk::<DAY>()?;
    let year = i16::from_be_bytes([high, low]);
    let date = Date::new(year, month.cast_signed(), day.cast_signed()).ok()?;
    let id = ReviewId::from_bytes(*content[DAY..].first_chunk::<ID>()?);
    Some(Position { date: date.into(), id })
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

    fn place() -> Position {
        Position {
            date: "2025-01-09".parse().unwrap(),
            id: "01JH0000000000000000000007".parse().unwrap(),
        }
    }

    #[test]
    fn a_cursor_leads_back_to_its_place_under_its_filters_alone() {
        let filter = Filter { needle: Some("a".into()), ..Filter::default() };
        let other = Filter { technician: Some("a".into()), ..Filter::default() };
        let cursor = place().cursor(&filter);
        assert_eq!(cursor.len(), CURSOR_LENGTH);
        assert_eq!(Position::parse(&cursor, Some(&filter)), Ok(place()));
        assert_eq!(Position::parse(&cursor, None), Ok(place()));
        for wrong in [other, Filter::default()] {
            assert_eq!(Position::parse(&cursor, Some(&wrong)), Err(BadCursor::OtherFilters));
        }
    }

    #[test]
    fn a_changed_cursor_is_none() {
        let filter = Filter::default();
        let cursor = place().cursor(&filter);
        for at in 0..CURSOR_LENGTH {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(Position::parse(&changed, Some(&filter)), Err(BadCursor::Malformed), "{at}");
        }
        let longer = format!("{cursor}0");
        for bad in ["", "x", &cursor[1..], &longer, &cursor.to_uppercase(), &"é".repeat(30)] {
            assert_eq!(Position::parse(bad, Some(&filter)), Err(BadCursor::Malformed), "{bad}");
        }
    }
}
