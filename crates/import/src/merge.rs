//! Merges the fields of rows and of the stored record.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};

use super::{
    ids::{self, is_nobody},
    node::{days, squeezed},
    normalise::ImportedReview,
};
use content::{Author, LanguageTag, Record, ReplyMissing, SourceName, Translation, WebUrl, Words};
use contract::model::{Day, Disclosure, ReviewId};

/// The rows of one review as one: what is newer covers what is older, and nothing covers something
/// with nothing. The order in which the rows came does not matter. Also whether rows of which none is known to be newer
/// have other stars: the fewest count, since who chooses the most improves his average.
pub(super) fn fold(mut rows: Vec<ImportedReview>) -> Option<(ImportedReview, bool)> {
    let age = |row: &ImportedReview| (row.updated, row.replied, row.day, row.instant);
    let newest = rows.iter().map(age).max()?;
    let stars = || rows.iter().filter(|row| age(row) == newest).map(|row| row.rating);
    let rating = stars().min()?;
    let is_lowered = stars().any(|stars| stars != rating);
    // Rows with an update time take precedence over those without; equal rows are ordered by their
    // content.
    rows.sort_by_cached_key(|row| {
        let written = serde_json::to_string(row).unwrap_or_default();
        (row.updated, row.replied, row.text.is_some(), row.day, written)
    });
    let ids: BTreeSet<String> = rows.iter().flat_map(|row| row.ids.iter().cloned()).collect();
    let is_several = rows.len() > 1;
    let folded = rows.into_iter().reduce(cover)?;
    let ids = if is_several { ids.into_iter().collect() } else { folded.ids };
    Some((ImportedReview { ids, rating, ..folded }, is_lowered))
}

fn cover(under: ImportedReview, over: ImportedReview) -> ImportedReview {
    let is_coarser = over.precision.is_some() && over.precision >= under.precision;
    let is_later = under.precision == over.precision
        && under.day < over.day
        && is_same_text(under.text.as_deref(), over.text.as_deref());
    let (day, instant, precision) = if is_coarser && under.precision != over.precision || is_later {
        (under.day, under.instant, under.precision)
    } else {
        (over.day, over.instant.or(under.instant), over.precision)
    };
    ImportedReview {
        author: over.author.or(under.author),
        author_id: over.author_id.or(under.author_id),
        avatar: over.avatar.or(under.avatar),
        day,
        instant,
        precision,
        updated: over.updated.max(under.updated),
        replied: over.replied.max(under.replied),
        language: over.language.or(under.language),
        translation: over.translation.or(under.translation),
        text: match (over.text, under.text) {
            (Some(over), Some(under)) if is_cut_from(&over, &under) => Some(under),
            (over, under) => over.or(under),
        },
        url: over.url.or(under.url),
        reply: over.reply.or(under.reply),
        purchase: over.purchase || under.purchase,
        disclosure: over.disclosure.or(under.disclosure),
        ..over
    }
}

/// The meaning of an import's lack of a stored reply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReplyAbsence {
    /// The export has no replies: nothing follows.
    Unknown,
    /// An export with this hash lacks it: a program that fetches pages may have missed it.
    InExport(Box<str>),
    /// The reply was removed at the source.
    Certain,
}

/// Days between two exports that lack a reply, from which on it is removed.
const REPLY_MISSING_DAYS: i32 = 7;

/// A review that is stored for the first time.
pub(super) fn new_record(row: &ImportedReview, id: ReviewId, now: Timestamp) -> Record {
    let updated = row.last_change().unwrap_or(now);
    let (author, source) = (Author(row.author().into()), SourceName(row.source.as_str().into()));
    Record {
        author_avatar_url: row.avatar.as_deref().map(|url| WebUrl(url.into())),
        text: row.text.as_deref().map(words),
        source_url: row.url.as_deref().map(|url| WebUrl(url.into())),
        owner_reply: row.reply.clone(),
        language: row.language.as_deref().map(|tag| LanguageTag(tag.into())),
        source_ids: row.ids.iter().map(|id| ids::stored(&row.source, id).into()).collect(),
        added: (updated != now).then_some(now),
        author_id: row.author_id.as_deref().map(Into::into),
        source_updated: row.updated,
        date_precision: row.precision,
        translation: translation(row),
        verified_purchase: row.purchase,
        disclosure: row.disclosure.map(|kind| Disclosure { kind, note: None }),
        ..Record::new(id, (author, row.rating), row.day, source, updated)
    }
}

fn words(text: &str) -> Words {
    Words(Some(text.into()))
}

fn translation(row: &ImportedReview) -> Option<Box<Translation>> {
    let (text, language) = row.translation.as_ref()?;
    let language = language.as_deref().map(|tag| LanguageTag(tag.into()));
    Some(Box::new(Translation { text: text.as_str().into(), language }))
}

/// The stored record as it is after an import; `None` where that is as it was.
pub(super) fn update(
    stored: &Record,
    row: &ImportedReview,
    absence: &ReplyAbsence,
    now: Timestamp,
) -> Option<Record> {
    let mut record = stored.clone();
    // The time of a reply says nothing about the review: a row whose reply is gone is not older.
    let is_stale = matches!((row.updated, stored.source_updated), (Some(r), Some(s)) if r < s);
    if is_stale {
        fill(&mut record, row)
    } else {
        overlay(&mut record, row);
        overlay_reply(&mut record, row, absence, now);
    }
    record.source = SourceName(row.source.as_str().into());
    record.verified_purchase |= row.purchase;
    let disclosure = row.disclosure.map(|kind| Disclosure { kind, note: None });
    record.disclosure = record.disclosure.or(disclosure);
    let is_changed = published(&record) != published(stored);
    if is_changed {
        // What changes by itself now and then changes only along with something else.
        let follow = |url: &Option<String>| url.as_deref().map(|url| WebUrl(url.into()));
        record.source_url = follow(&row.url).or(record.source_url);
        record.author_avatar_url = follow(&row.avatar).or(record.author_avatar_url);
        record.updated =
            row.last_change().filter(|at| *at > stored.updated).unwrap_or(now.max(stored.updated));
        record.changed = Some(now);
    }
    let bare = |id: &str| ids::bare(&row.source, id).to_owned();
    let mut known: BTreeSet<String> = record.source_ids.iter().map(|id| bare(id)).collect();
    for id in row.ids.iter().map(|id| ids::stored(&row.source, id)) {
        if known.insert(bare(&id)) {
            record.source_ids.push(id.into());
        }
    }
    record.author_id = record.author_id.or_else(|| row.author_id.as_deref().map(Into::into));
    record.source_updated = stored.source_updated.max(row.updated);
    record.missing_since = None;
    (record != *stored).then_some(record)
}

/// The row is older than the stored record: it only fills fields that are empty.
fn fill(record: &mut Record, row: &ImportedReview) {
    if text_of(record).is_none() {
        record.text = row.text.as_deref().map(words);
        record.translation = translation(row);
    }
    if is_nobody(&record.author.0) && row.author.is_some() {
        record.author = Author(row.author().into());
    }
    fill_blanks(record, row);
}

fn fill_blanks(record: &mut Record, row: &ImportedReview) {
    let url = |url: &Option<String>| url.as_deref().map(|url| WebUrl(url.into()));
    record.language = record
        .language
        .take()
        .or_else(|| row.language.as_deref().map(|tag| LanguageTag(tag.into())));
    record.source_url = record.source_url.take().or_else(|| url(&row.url));
    record.author_avatar_url = record.author_avatar_url.take().or_else(|| url(&row.avatar));
}

fn overlay(record: &mut Record, row: &ImportedReview) {
    if row.author.is_some() {
        record.author = Author(row.author().into());
    }
    if row.author.as_deref().is_some_and(is_nobody) {
        record.author_avatar_url = None;
    }
    record.rating = row.rating;
    overlay_date(record, row);
    if let Some(text) = row.text.as_deref()
        && !is_same_text(text_of(record), Some(text))
        && !text_of(record).is_some_and(|stored| is_cut_from(text, stored))
    {
        record.text = Some(words(text));
        record.translation = None;
        if let Some(tag) = row.language.as_deref() {
            record.language = Some(LanguageTag(tag.into()));
        }
    }
    if row.translation.is_some() {
        record.translation = translation(row);
    }
    fill_blanks(record, row);
}

fn overlay_reply(
    record: &mut Record,
    row: &ImportedReview,
    absence: &ReplyAbsence,
    now: Timestamp,
) {
    let missing = record.reply_missing.take();
    match (&row.reply, &mut record.owner_reply) {
        (Some(reply), Some(stored)) if reply.text == stored.text => {
            stored.date = reply.date.or(stored.date);
        }
        // Of two exports with the same update time the one with the later reply is newer.
        (Some(reply), Some(stored)) if stored.date > reply.date && reply.date.is_some() => {}
        (Some(reply), stored) => *stored = Some(reply.clone()),
        (None, None) => {}
        (None, Some(_)) => match absence {
            ReplyAbsence::Unknown => record.reply_missing = missing,
            ReplyAbsence::Certain => record.owner_reply = None,
            ReplyAbsence::InExport(export) => {
                let today = Day::from(now.to_zoned(TimeZone::UTC).date());
                let is_gone = missing.as_ref().is_some_and(|first| {
                    first.export != *export && days(today) - days(first.since) >= REPLY_MISSING_DAYS
                });
                if is_gone {
                    record.owner_reply = None;
                } else {
                    let first = || ReplyMissing { since: today, export: export.clone() };
                    record.reply_missing = missing.or_else(|| Some(Box::new(first())));
                }
            }
        },
    }
}

/// Whether the only change is that a reply is marked as missing, or no longer is.
pub(super) fn is_only_marked(stored: &Record, changed: &Record) -> bool {
    let unmarked = Record { reply_missing: stored.reply_missing.clone(), ..changed.clone() };
    unmarked == *stored
}

/// An exact date replaces a counted one, and never the other way round. Without a time a source may
/// show the day of another time zone: one day's difference is none.
fn overlay_date(record: &mut Record, row: &ImportedReview) {
    let is_counted = row.precision.is_some();
    let apart = (days(record.date) - days(row.day)).abs();
    let is_same = !is_counted && row.instant.is_none() && apart <= 1;
    if is_counted && record.date_precision <= row.precision {
        return;
    }
    if is_same && record.date_precision.is_none() {
        return;
    }
    // The same words have the date of the first time: what a platform shows later is when it was shown.
    let is_later = record.date_precision == row.precision && record.date < row.day;
    if is_later && text_of(record).is_some() && is_same_text(text_of(record), row.text.as_deref()) {
        return;
    }
    record.date = row.day;
    record.date_precision = row.precision;
}

/// Whether two texts are the same but for white space and the form of quotes.
fn is_same_text(a: Option<&str>, b: Option<&str>) -> bool {
    a == b || matches!((a, b), (Some(a), Some(b)) if squeezed(a) == squeezed(b))
}

/// Whether a text is the beginning of another one, with dots where it was cut off.
fn is_cut_from(text: &str, whole: &str) -> bool {
    let rest = text.strip_suffix('…').or_else(|| text.strip_suffix("...")).map(squeezed);
    rest.is_some_and(|rest| squeezed(whole).starts_with(&rest))
}

fn text_of(record: &Record) -> Option<&str> {
    record.text.as_ref()?.0.as_deref()
}

/// Returns the published parts of a record that an import can change.
fn published(record: &Record) -> impl PartialEq + '_ {
    (
        (&record.author, &record.source),
        record.rating,
        (record.date, record.date_precision),
        text_of(record),
        &record.source_url,
        &record.author_avatar_url,
        &record.owner_reply,
        &record.language,
        &record.translation,
        record.verified_purchase,
        &record.disclosure,
    )
}
