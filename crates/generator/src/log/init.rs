//! Makes the log, and further keys for it.

use std::path::{Path, PathBuf};

use review_log::{KeyError, LogKey, Tree, sign};
use serde::Serialize;

use super::{KeySource, LogError, keys};
use content::{
    CHECKPOINT_FILE, ENTRIES_FILE, LogSettings, SALTS_FILE, TRANSPARENCY_FOLDER,
    TRANSPARENCY_SETTINGS, TransparencyLog,
    change::{self, ChangeError, ContentStage, FileChange, commit},
    log_settings_text,
};
use contract::problem::{Report, Severity};

/// A key that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The log's name.
    pub origin: String,
    /// The verifier key, with which readers check signatures.
    pub verifier_key: String,
    /// The private key, if it was not written to a file.
    pub private_key: Option<String>,
    /// Whether the last checkpoint is signed with an earlier key too.
    pub is_linked: bool,
}

/// The place of a new private key.
#[derive(Clone, Copy, Debug)]
pub struct KeyPlace<'a> {
    /// The file; `None` to return the key to the caller.
    pub file: Option<&'a Path>,
    /// Folders that are published or committed.
    pub exposed: &'a [&'a Path],
}

/// Makes an empty log and its key. `base_url` replaces the one in `site.toml`.
///
/// # Errors
/// When there is a log, the content has no address, or a file cannot be written.
pub fn init(
    content: &Path,
    base_url: Option<&str>,
    place: KeyPlace<'_>,
) -> Result<NewKey, LogError> {
    let stage = open(content)?;
    if content::has_log(content) {
        return Err(LogError::Exists(content.to_owned()));
    }
    let report = Report::default();
    let site = content::read_site(content, base_url, &report);
    let mut problems = report.into_problems();
    problems.retain(|problem| problem.severity == Severity::Error);
    let Some(site) = site.filter(|_| problems.is_empty()) else {
        return Err(LogError::Content(problems));
    };
    let origin = origin(&site.base_url);
    let key = LogKey::generate(&origin)?;
    let settings = LogSettings {
        origin: origin.clone(),
        keys: vec![key.verifier_key().to_owned()],
        revoked: Vec::new(),
    };
    let note = sign(&origin, &Tree::default(), std::slice::from_ref(&key))?;
    let files = [
        (TRANSPARENCY_SETTINGS, log_settings_text(&settings).into_bytes()),
        (ENTRIES_FILE, Vec::new()),
        (SALTS_FILE, Vec::new()),
        (CHECKPOINT_FILE, note),
    ];
    write(&stage, &files, &key, place)?;
    Ok(new_key(origin, &key, place, false))
}

/// Adds a key to the log, which signs from then on. `old` is the source of earlier private keys, which sign the last
/// checkpoint too.
///
/// # Errors
/// When there is no log, it is damaged, or a file cannot be written.
pub fn rotate(
    content: &Path,
    old: Option<&KeySource>,
    place: KeyPlace<'_>,
) -> Result<NewKey, LogError> {
    let (stage, log) = existing(content)?;
    let mut signers = old.map_or(Ok(Vec::new()), |source| source.read(&log.keys))?;
    let is_linked = !signers.is_empty();
    let key = LogKey::generate(&log.origin)?;
    let mut settings = log.settings();
    settings.keys.push(key.verifier_key().to_owned());
    signers.insert(0, key);
    let files = [
        (TRANSPARENCY_SETTINGS, log_settings_text(&settings).into_bytes()),
        (CHECKPOINT_FILE, signed_again(&log, &signers)?),
    ];
    write(&stage, &files, &signers[0], place)?;
    Ok(new_key(settings.origin, &signers[0], place, is_linked))
}

/// Returns the last checkpoint, signed with these keys. The witnesses have signed the same text: their signatures stay.
pub(super) fn signed_again(log: &TransparencyLog, signers: &[LogKey]) -> Result<Vec<u8>, KeyError> {
    let mut note = sign(&log.origin, &log.tree, signers)?;
    let own = format!("\u{2014} {} ", log.origin);
    let (_, signatures) = log.checkpoint.split_once("\n\n").unwrap_or_default();
    let witnesses = signatures.split_inclusive('\n').filter(|line| !line.starts_with(&own));
    witnesses.for_each(|line| note.extend_from_slice(line.as_bytes()));
    Ok(note)
}

/// Returns the lock and the stage, after completing an interrupted command.
pub(super) fn open(content: &Path) -> Result<ContentStage, LogError> {
    if !content.is_dir() {
        let report = Report::default();
        content::load_for_import(content, &report);
        return Err(LogError::Content(report.into_problems()));
    }
    change::complete(content)?;
    Ok(ContentStage::open(content)?)
}

/// Returns the lock and the stage, and the log.
pub(super) fn existing(content: &Path) -> Result<(ContentStage, TransparencyLog), LogError> {
    let stage = open(content)?;
    if !content::has_log(content) {
        return Err(LogError::NoLog(content.to_owned()));
    }
    let report = Report::default();
    let log = content::read_log(content, &report);
    Ok((stage, log.ok_or_else(|| LogError::Content(report.into_problems()))?))
}

/// Returns the name of the log: the address without its scheme, with `/log` behind it (C2SP tlog-checkpoint: a URL
/// without a scheme, unique to the log).
fn origin(base_url: &str) -> String {
    let address = base_url.split_once("://").map_or(base_url, |(_, address)| address);
    format!("{address}/log")
}

fn new_key(origin: String, key: &LogKey, place: KeyPlace<'_>, is_linked: bool) -> NewKey {
    NewKey {
        origin,
        verifier_key: key.verifier_key().to_owned(),
        private_key: place.file.is_none().then(|| key.to_text().to_owned()),
        is_linked,
    }
}

/// Writes the private key first: a log without its key is useless.
fn write(
    stage: &ContentStage,
    files: &[(&str, Vec<u8>)],
    key: &LogKey,
    place: KeyPlace<'_>,
) -> Result<(), LogError> {
    let changes = stage_files(stage, files)?;
    if let Some(path) = place.file {
        keys::write(path, key.to_text(), place.exposed)?;
    }
    commit(stage, &changes).inspect_err(|_| {
        if let Some(path) = place.file {
            // The key of a log that does not exist.
            let _ = std::fs::remove_file(path);
        }
    })?;
    Ok(())
}

/// Returns values as JSON, each in a line.
pub(super) fn json_lines(
    values: impl IntoIterator<Item = impl Serialize>,
) -> Result<Vec<u8>, LogError> {
    let mut lines = Vec::new();
    for value in values {
        let written = serde_json::to_writer(&mut lines, &value);
        written.map_err(|error| ChangeError::io(Path::new(TRANSPARENCY_FOLDER))(error.into()))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// Prepares files of the log: the bytes of each path in the content folder.
pub(super) fn stage_files(
    stage: &ContentStage,
    files: &[(impl AsRef<str>, Vec<u8>)],
) -> Result<Vec<FileChange>, LogError> {
    let mut changes = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let path = path.as_ref();
        let name = path.rsplit('/').next().unwrap_or(path);
        let staged: PathBuf = stage.folder().join(name);
        std::fs::write(&staged, bytes).map_err(ChangeError::io(&staged))?;
        changes.push(FileChange::Replace { staged, path: stage.content().join(path) });
    }
    Ok(changes)
}
