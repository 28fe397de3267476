//! Changes of single reviews by hand: corrections go to `overrides.toml`, which imports never undo;
//! what cannot be corrected there is changed in the stored review, if nobody imported it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;
use serde_json::Value;

use super::{
    error::ImportError,
    normalise::is_email,
    read_context,
    store::{ReviewFile, read_or_empty, read_stored, with_line, without},
};
use content::{
    IdPrefix, ImportContext, KeyChange, OVERRIDES_FILE, Record,
    change::{ContentStage, FileChange, commit},
};
use contract::{
    model::{Day, OwnerReply, ReviewId},
    text::{check_length, clean, without_invisible},
};

/// The key of a stored review by which imports find it. It says nothing to readers.
pub const SOURCE_IDS: &str = "source_ids";

/// A change to a review that a command requests.
#[derive(Clone, Debug)]
pub enum ReviewChange {
    /// A key of the review's correction.
    Correction(KeyChange),
    /// A key of the stored review and its value.
    Stored(&'static str, Value),
    /// The reply of the business; `None`: no reply is published.
    Reply(Option<String>),
}

/// The result of a change.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The review.
    pub id: ReviewId,
    /// The files that changed; none if everything was so already.
    pub files: Vec<PathBuf>,
}

/// Makes all changes to one review, or none of them.
///
/// # Errors
/// When nothing was changed: the id is unknown or ambiguous, a value breaks a rule, or a file cannot be
/// read or written.
pub fn run(
    content: &Path,
    prefix: &IdPrefix,
    wanted: &[ReviewChange],
    now: Timestamp,
) -> Result<Edited, ImportError> {
    let context = read_context(content)?;
    let stage = ContentStage::open(content)?;
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let found = find(content, prefix)?;
    let mut edited = found.record.clone();
    let (mut keys, mut is_published) = (Vec::new(), false);
    for change in wanted {
        match change {
            ReviewChange::Correction(key) => {
                let value = key.value.as_ref().and_then(|value| value.as_str());
                if key.path == "author" && value.is_some_and(is_email) {
                    let reason =
                        "author: an e-mail address is not published; write a name, or Anonymous";
                    return Err(ImportError::Setting(reason.to_owned()));
                }
                let unknown = content::unknown_mention(content, key);
                unknown.map_or(Ok(()), |reason| Err(ImportError::Setting(reason)))?;
                keys.push(key.clone());
            }
            ReviewChange::Stored(key, value) => {
                if *key != SOURCE_IDS {
                    refuse_imported(&context, &found.record, key)?;
                    is_published = true;
                }
                edited = with_key(&edited, key, value)?;
            }
            ReviewChange::Reply(words) => {
                keys.extend(reply_change(&context, content, &found.record, words.as_deref(), now)?);
            }
        }
    }
    refuse_future(&edited, now)?;
    let mut changes = correction_changes(&stage, edited.id, &keys, now)?;
    if edited != found.record {
        if is_published {
            edited.added = edited.added.or(Some(edited.updated));
            edited.updated = now.max(edited.updated);
        }
        changes.extend(found.moved(&stage, &edited)?);
    }
    let files = changes.iter().map(|change| change.path().to_owned()).collect();
    commit(&stage, &changes)?;
    Ok(Edited { id: edited.id, files })
}

/// Stores a new review and returns the file it is in.
///
/// # Errors
/// When nothing was changed: the same review is stored already, another command is changing the folder,
/// or a file cannot be read or written.
pub fn add(content: &Path, record: &Record) -> Result<PathBuf, ImportError> {
    let stage = ContentStage::open(content)?;
    if let Some(id) = same_review(content, record)? {
        return Err(ImportError::Setting(format!(
            "nothing was added: this review is stored already; candor show {id} prints it"
        )));
    }
    let path = file_of_year(content, record.date);
    commit(&stage, &[insert(&stage, record, &path, &path)?])?;
    Ok(path)
}

/// Refuses a date in the future, as `check` does.
fn refuse_future(record: &Record, now: Timestamp) -> Result<(), ImportError> {
    if record.date > content::latest_day(now.to_zoned(TimeZone::UTC).date()) {
        return Err(ImportError::Setting(format!(
            "nothing was changed: the date {} is in the future; correct it",
            record.date
        )));
    }
    Ok(())
}

/// The id of a stored review that says the same.
fn same_review(content: &Path, record: &Record) -> Result<Option<ReviewId>, ImportError> {
    let said =
        |of: &Record| (of.date, of.rating, of.author.clone(), of.source.clone(), of.text.clone());
    let (wanted, mut same) = (said(record), None);
    read_stored(content, &mut |stored, _| {
        if said(&stored) == wanted {
            same = Some(stored.id);
        }
        Ok(())
    })?;
    Ok(same)
}

/// A stored review and where it is.
struct Found {
    record: Record,
    file: ReviewFile,
}

fn find(content: &Path, prefix: &IdPrefix) -> Result<Found, ImportError> {
    let mut matching = Vec::new();
    let files = read_stored(content, &mut |record, line| {
        if prefix.begins(record.id) {
            matching.push((record, line.file));
        }
        Ok(())
    })?;
    let id = prefix.choose(matching.iter().map(|(record, _)| record.id));
    let id = id.map_err(ImportError::Setting)?;
    let found = matching.into_iter().find(|(record, _)| record.id == id);
    let found =
        found.and_then(|(record, file)| Some(Found { record, file: files.into_iter().nth(file)? }));
    found.ok_or_else(|| ImportError::internal("the review is in no file"))
}

impl Found {
    /// The files in which the review changes. As after an import, a review leaves an array and the file
    /// of another year.
    fn moved(&self, stage: &ContentStage, edited: &Record) -> Result<Vec<FileChange>, ImportError> {
        let removed = BTreeSet::from([edited.id]);
        let staged = stage.folder().join("without");
        let ReviewFile { path, is_array } = &self.file;
        let rest = without(stage.content(), path, *is_array, staged.clone(), &removed)?;
        let of_year = file_of_year(stage.content(), self.record.date);
        let is_same_year = self.record.date.date().year() == edited.date.date().year();
        let stays = !is_array && (is_same_year || *path != of_year);
        if stays {
            return Ok(vec![insert(stage, edited, &staged, path)?]);
        }
        let target = file_of_year(stage.content(), edited.date);
        Ok(vec![rest, insert(stage, edited, &target, &target)?])
    }
}

fn file_of_year(content: &Path, day: Day) -> PathBuf {
    content.join(format!("reviews/{:04}.ndjson", day.date().year()))
}

/// The file at `path` becomes the lines at `base` with the review among them.
fn insert(
    stage: &ContentStage,
    record: &Record,
    base: &Path,
    path: &Path,
) -> Result<FileChange, ImportError> {
    let text =
        with_line(&read_or_empty(stage.content(), base)?, record).map_err(ImportError::internal)?;
    let staged = stage.folder().join("reviews");
    std::fs::write(&staged, text).map_err(ImportError::io(&staged))?;
    Ok(FileChange::Replace { staged, path: path.to_owned() })
}

fn correction_changes(
    stage: &ContentStage,
    id: ReviewId,
    keys: &[KeyChange],
    now: Timestamp,
) -> Result<Vec<FileChange>, ImportError> {
    let path = stage.content().join(OVERRIDES_FILE);
    let text = read_or_empty(stage.content(), &path)?;
    let edited = content::edit_overrides(&path.display().to_string(), &text, id, keys, now);
    let Some(edited) = edited.map_err(ImportError::Content)? else { return Ok(Vec::new()) };
    let staged = stage.folder().join("overrides");
    std::fs::write(&staged, edited).map_err(ImportError::io(&staged))?;
    Ok(vec![FileChange::Replace { staged, path }])
}

/// The reply in `overrides.toml`; no change where that reply is given already.
fn reply_change(
    context: &ImportContext,
    content: &Path,
    record: &Record,
    words: Option<&str>,
    now: Timestamp,
) -> Result<Option<KeyChange>, ImportError> {
    let report = contract::problem::Report::default();
    let corrected = content::read_overrides(content, &report).remove(&record.id);
    let Some(words) = words else {
        // A reply that is nowhere else goes with its key; a stored one is hidden.
        return Ok(Some(match &record.owner_reply {
            None => KeyChange { path: "owner_reply", value: None },
            Some(_) => KeyChange::reply(None),
        }));
    };
    let text = clean(&without_invisible(words).0).ok_or_else(|| {
        ImportError::Setting(
            "the reply has no words; candor reply ID --remove publishes no reply".to_owned(),
        )
    })?;
    check_length(&text).map_err(|reason| {
        let reason = format!("nothing was changed: owner_reply.text: {reason}; shorten it");
        ImportError::Setting(reason)
    })?;
    let given = content::Override::reply(corrected.as_ref(), record.owner_reply.clone());
    if given.is_some_and(|given| given.text == text) {
        return Ok(None);
    }
    let zone = TimeZone::get(&context.time_zone).unwrap_or(TimeZone::UTC);
    let reply = OwnerReply { text, date: Some(now.to_zoned(zone).date().into()) };
    Ok(Some(KeyChange::reply(Some(&reply))))
}

/// Refuses to edit an imported review: its author wrote it, and the next import would undo the change.
fn refuse_imported(context: &ImportContext, record: &Record, key: &str) -> Result<(), ImportError> {
    let source = &*record.source.0;
    let mut logged = context.imports.iter().flat_map(|line| &line.sources);
    let is_imported = !record.source_ids.is_empty()
        || record.source_updated.is_some()
        || record.date_precision.is_some()
        || logged.any(|imported| imported.source == source);
    if is_imported {
        Err(ImportError::Setting(format!(
            "the {key} of an imported review is its author's: when it changes on {source}, the next import brings the change; candor hide {} --reason REASON withholds the review",
            record.id
        )))
    } else {
        Ok(())
    }
}

/// The record with another value, by the record's own rules.
fn with_key(record: &Record, key: &str, value: &Value) -> Result<Record, ImportError> {
    let mut json = serde_json::to_value(record).map_err(ImportError::internal)?;
    json[key] = value.clone();
    let edited = Record::deserialize(json);
    let edited = edited.map_err(|error| ImportError::Setting(format!("{key}: {error}")))?;
    Ok(Record { origin: record.origin.clone(), ..edited })
}
