//! Appends the events since the last entry to the log.

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;
use review_log::{Entry, LogKey, Salt, sign};

use super::{KeySource, LogError, init, previous};
use crate::pipeline::{Checked, UNLOGGED};
use content::{
    CHECKPOINT_FILE, EARLIER_FILE, ENTRIES_FILE, SALTS_FILE, SaltLine, TransparencyLog,
    cache::Cache, change::commit, dataset::Dataset,
};
use contract::{
    model::ReviewId,
    problem::{Problem, Severity},
};

/// The log and its content.
#[derive(Clone, Copy, Debug)]
pub struct AddOptions<'a> {
    /// The content folder.
    pub content: &'a Path,
    /// The address that replaces the one in `site.toml`.
    pub base_url: Option<&'a str>,
    /// The published site, whose log must be the beginning of this one.
    pub published: &'a Path,
    /// The private keys.
    pub keys: Option<&'a KeySource>,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// The result of an append.
#[derive(Debug)]
pub struct Added {
    /// The new entries.
    pub entries: Vec<Entry>,
    /// The number of entries of the log, with the new ones.
    pub size: u64,
    /// Problems of the content that do not prevent the append.
    pub warnings: Vec<Problem>,
}

/// Appends the events since the last entry, and signs the result. Without events nothing is written.
///
/// # Errors
/// When nothing was written: the content has errors, the log is damaged or not the published one, or
/// the private key is missing.
pub fn add(options: &AddOptions<'_>, cache: &Cache, now: Timestamp) -> Result<Added, LogError> {
    let AddOptions { content, keys, .. } = *options;
    // Another command may have changed the files: they are read behind the lock.
    let stage = init::open(content)?;
    if !content::has_log(content) {
        return Err(LogError::NoLog(content.to_owned()));
    }
    let mut checked = Checked::read(content, options.base_url, cache, now);
    checked.problems.retain(|problem| problem.code != UNLOGGED);
    let earlier = previous::Earlier::Folder(options.published);
    let Some((data, log)) = checked.publishable().and_then(|data| Some((data, data.log.as_ref()?)))
    else {
        let mut problems = checked.problems;
        problems.retain(|problem| problem.severity == Severity::Error);
        problems.extend(previous::first_damaged(&problems, content, &earlier));
        return Err(LogError::Content(problems));
    };
    if let Some(problem) = previous::compare(Some(log), content, &earlier)? {
        return Err(LogError::Content(vec![problem]));
    }
    let salts = salts_of_stored(data, log);
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let entries = data.pending(log, &salts, now);
    let size = log.tree.size() + entries.len() as u64;
    let signers = match (options.dry_run, entries.is_empty()) {
        (true, _) | (_, true) => None,
        (false, false) => {
            Some(keys.ok_or(LogError::NoKey)?.signers(&log.keys, &log.trusted_keys())?)
        }
    };
    if let Some(signers) = signers {
        let changes = init::stage_files(&stage, &files(log, &entries, &salts, &signers)?)?;
        commit(&stage, &changes)?;
    }
    Ok(Added { entries, size, warnings: checked.problems })
}

/// Returns the salts of published and withheld reviews, with new ones for published reviews that have none. Salts of
/// removed reviews are left out, so that their hashes identify nothing any more.
fn salts_of_stored(data: &Dataset, log: &TransparencyLog) -> BTreeMap<ReviewId, Salt> {
    let known = |id| log.salts.get(&id).copied();
    let published = data.reviews.iter().map(|review| review.id);
    let published = published.map(|id| (id, known(id).unwrap_or_else(Salt::generate)));
    let withheld = data.unpublished.withheld.keys().filter_map(|&id| Some((id, known(id)?)));
    published.chain(withheld).collect()
}

/// Returns the files of the log with more entries.
fn files(
    log: &TransparencyLog,
    entries: &[Entry],
    salts: &BTreeMap<ReviewId, Salt>,
    signers: &[LogKey],
) -> Result<Vec<(&'static str, Vec<u8>)>, LogError> {
    let mut tree = log.tree.clone();
    entries.iter().for_each(|entry| tree.push(&entry.to_leaf()));
    let lines = [tree.leaves().join(&b'\n'), b"\n".to_vec()].concat();
    let earlier = log.earlier.iter().map(|(_, note)| note).chain([&log.checkpoint]);
    let salts = salts.iter().map(|(&id, salt)| SaltLine { id, salt: *salt });
    Ok(vec![
        (ENTRIES_FILE, lines),
        (SALTS_FILE, init::json_lines(salts)?),
        (EARLIER_FILE, init::json_lines(earlier)?),
        (CHECKPOINT_FILE, sign(&log.origin, &tree, signers)?),
    ])
}
