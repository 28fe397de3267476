//! The query parameters of the list of changes.

use std::borrow::Cow;

use jiff::Timestamp;

use super::{CHANGES, Code, DEFAULT_LIMIT, Given, Issue, MAX_LIMIT, search::Values};
use crate::hex::{from_hex, to_hex};
use crate::model::ReviewId;

/// Bytes of an instant, an id, the hash of the query, and the checksum.
const SECONDS: usize = 8;
const NANOSECONDS: usize = 4;
const ID: usize = 16;
const QUESTION: usize = 6;
const CHECK: usize = 4;
const CONTENT: usize = SECONDS + NANOSECONDS + ID;
const BYTES: usize = CONTENT + QUESTION + CHECK;

/// Length of a cursor of changes, in hexadecimal digits.
pub const CHANGES_CURSOR_LENGTH: usize = 2 * BYTES;

/// A position in the list of changes, which is sorted newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangePosition {
    /// The time of the change.
    pub at: Timestamp,
    /// The review that changed.
    pub id: ReviewId,
}

/// A query on the list of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangesQuery {
    /// The first instant: earlier changes are left out.
    pub since: Option<Timestamp>,
    /// The maximum number of changes, 1 to [`MAX_LIMIT`].
    pub limit: usize,
    /// The position after which the page begins.
    pub after: Option<ChangePosition>,
}

impl ChangesQuery {
    /// Parses the arguments of [`CHANGES`].
    ///
    /// # Errors
    /// With all issues, in the order of [`CHANGES`].
    pub fn parse<'a>(
        given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
    ) -> Result<Self, Vec<Issue>> {
        let mut values = Values::collect(CHANGES, given);
        let since = values.read("since", Given::instant);
        let known = values.issues.is_empty().then_some(since);
        let limit = values.read("limit", |given| given.count(MAX_LIMIT));
        let after = values
            .read("cursor", |given| ChangePosition::parse(given.short_text(usize::MAX)?, known));
        if values.issues.is_empty() {
            Ok(Self { since, limit: limit.unwrap_or(DEFAULT_LIMIT), after })
        } else {
            Err(values.issues)
        }
    }
}

impl ChangePosition {
    /// The cursor of the page after this change, for this query.
    #[must_use]
    pub fn cursor(&self, since: Option<Timestamp>) -> String {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(self.at.as_second().to_be_bytes());
        bytes.extend(self.at.subsec_nanosecond().to_be_bytes());
        bytes.extend(self.id.to_bytes());
        bytes.extend(question(since));
        bytes.extend(check(&bytes));
        to_hex(&bytes)
    }

    /// Parses a cursor. If the query could not be parsed, only the form of the cursor is checked.
    fn parse(cursor: &str, known: Option<Option<Timestamp>>) -> Result<Self, Code> {
        let bytes = from_hex::<BYTES>(cursor).ok_or(Code::Malformed)?;
        let (content, found) = bytes.split_at(BYTES - CHECK);
        if check(content) != found {
            return Err(Code::Malformed);
        }
        if known.is_some_and(|since| question(since) != content[CONTENT..]) {
            return Err(Code::OtherFilters);
        }
        position(content).ok_or(Code::Malformed)
    }
}

fn position(content: &[u8]) -> Option<ChangePosition> {
    let seconds = i64::from_be_bytes(*content.first_chunk()?);
    let nanoseconds = i32::from_be_bytes(*content[SECONDS..].first_chunk()?);
    let id = ReviewId::from_bytes(*content[SECONDS + NANOSECONDS..].first_chunk()?);
    Some(ChangePosition { at: Timestamp::new(seconds, nanoseconds).ok()?, id })
}

/// A checksum that detects mistyped and truncated cursors. It protects no secret.
fn check(content: &[u8]) -> [u8; CHECK] {
    let hash = blake3::derive_key("candor 2026 cursor of a page of changes", content);
    [hash[0], hash[1], hash[2], hash[3]]
}

fn question(since: Option<Timestamp>) -> [u8; QUESTION] {
    let text = since.map(|since| since.to_string()).unwrap_or_default();
    let hash = blake3::hash(text.as_bytes());
    let mut question = [0; QUESTION];
    question.copy_from_slice(&hash.as_bytes()[..QUESTION]);
    question
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::pairs;

    fn parse(query: &str) -> Result<ChangesQuery, Vec<Issue>> {
        ChangesQuery::parse(pairs(query))
    }

    #[test]
    fn a_cursor_leads_back_to_its_place_for_its_question_alone() {
        let at: Timestamp = "2026-01-09T09:30:00.25Z".parse().unwrap();
        let place = ChangePosition { at, id: "01JH0000000000000000000007".parse().unwrap() };
        let cursor = place.cursor(Some(at));
        assert_eq!(cursor.len(), CHANGES_CURSOR_LENGTH);
        let asked = parse(&format!("since=2026-01-09T10:30:00.25%2B01:00&cursor={cursor}"));
        assert_eq!(asked, Ok(ChangesQuery { since: Some(at), limit: 20, after: Some(place) }));
        let code = |query: &str| parse(query).unwrap_err()[0].code;
        assert_eq!(code(&format!("cursor={cursor}")), Code::OtherFilters);
        assert_eq!(code(&format!("cursor={}", &cursor[1..])), Code::Malformed);
        for at in 0..CHANGES_CURSOR_LENGTH {
            let mut changed = cursor.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(code(&format!("cursor={changed}")), Code::Malformed, "{at}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_utc() {
        let since = |query: &str| parse(query).unwrap().since;
        assert_eq!(since("since=2026-01-09"), since("since=2026-01-09T01:00:00%2B01:00"));
    }

    #[test]
    fn every_problem_at_once() {
        let messages: Vec<_> = parse("limit=0&since=2026-01-32&cursor=x")
            .unwrap_err()
            .into_iter()
            .map(|issue| issue.message)
            .collect();
        assert_eq!(
            messages,
            [
                "since must be a day, written YYYY-MM-DD, or an instant with its offset, written \
                 YYYY-MM-DDTHH:MM:SSZ",
                "limit must be a whole number from 1 to 100",
                "cursor must be the next_cursor of an answer, unchanged",
            ]
        );
    }
}
