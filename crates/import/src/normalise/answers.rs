//! The reply of a row that has a list of answers.

use contract::model::Day;
use jiff::Timestamp;
use serde_json::Value;

use super::Note;
use crate::{
    date::DateRules,
    raw::{Answer, NamedValue, RawReview},
};

/// Takes the newest answer of a list as the reply. Several of which one has no date have no newest one.
pub(super) fn take_newest(raw: &mut RawReview, dates: &DateRules, notes: &mut Vec<Note>) {
    let Some(answers) = raw.answers.take() else { return };
    let written = |(_, date): &Answer| {
        let date = dates.read(date.as_ref()?).ok()?;
        Some((date.day, date.instant))
    };
    let newest = answers.iter().max_by_key(|answer| written(answer));
    let others = answers.iter().filter(|answer| Some(*answer) != newest);
    let mut others = others.map(written);
    let last = newest.and_then(written);
    let is_older = |other: Option<(Day, Option<Timestamp>)>| {
        let (Some(other), Some(last)) = (other, last) else { return false };
        other.0 < last.0 || other.1.is_some() && other < last
    };
    match newest {
        Some((text, date)) if others.all(is_older) => {
            raw.reply = Some(text.clone());
            let named =
                |value: &Value| NamedValue { field: "date".to_owned(), value: value.clone() };
            raw.reply_date = date.as_ref().map(named);
        }
        _ => notes.push(Note::Answers),
    }
}
