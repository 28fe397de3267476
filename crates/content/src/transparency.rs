//! `log/`: the transparency log, as `candor log` wrote it. Damage is reported with the first line that differs, if it
//! can be known.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use review_log::{
    Checkpoint, CheckpointError, History, HistoryError, Policy, PolicyError, Revocation, Salt,
    Tree, unrevoked,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ndjson, toml_reader::TomlFile};
use contract::{
    model::ReviewId,
    problem::{Place, Report},
};
use system::root::{Root, report_unreadable};

/// The folder of the log in `content/`.
pub const TRANSPARENCY_FOLDER: &str = "log";
/// The file with the log's name and keys.
pub const TRANSPARENCY_SETTINGS: &str = "log/log.toml";
/// The file of the entries, one leaf a line.
pub const ENTRIES_FILE: &str = "log/entries.ndjson";
/// The file of the salts of the hashes in the entries.
pub const SALTS_FILE: &str = "log/salts.ndjson";
/// The file of the signed size and root hash.
pub const CHECKPOINT_FILE: &str = "log/checkpoint";

/// The file of the checkpoints before that one, each a JSON string in a line.
pub const EARLIER_FILE: &str = "log/checkpoints.ndjson";

/// The file that names the witnesses (C2SP tlog-policy). The owner writes it.
const POLICY_FILE: &str = "log/policy";

/// The remedy for files that other programs than `candor log` have changed.
pub const RESTORE_LOG: &str = "take content/log as it last was from version control; only candor log and candor forget change it";

/// A transparency log whose files agree with each other.
#[derive(Debug, Default)]
pub struct TransparencyLog {
    /// The first line of every checkpoint.
    pub origin: String,
    /// Verifier keys, the newest last.
    pub keys: Vec<String>,
    /// The signed notes that revoke keys, and their content.
    pub revoked: (Vec<String>, Vec<Revocation>),
    /// The Merkle tree of the entries, which contains them.
    pub tree: Tree,
    /// The standing of each review after all entries.
    pub history: History,
    /// The salts, by review.
    pub salts: BTreeMap<ReviewId, Salt>,
    /// The signed note of the log's size and root hash.
    pub checkpoint: String,
    /// The earlier ones, the oldest first.
    pub earlier: Vec<(Checkpoint, String)>,
    /// The witnesses of the log, and which of them have to sign.
    pub policy: Policy,
    /// The file of the policy, if there is one.
    pub policy_text: Option<Vec<u8>>,
}

/// `log.toml`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct LogSettings {
    /// The first line of every checkpoint.
    pub origin: String,
    /// Verifier keys, the newest last.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Signed notes that revoke keys.
    #[serde(default)]
    pub revoked: Vec<String>,
}

impl TransparencyLog {
    /// The verifier keys that are not revoked, the newest last.
    #[must_use]
    pub fn trusted_keys(&self) -> Vec<String> {
        unrevoked(&self.keys, &self.revoked.1)
    }

    /// The first signed note of a size with this entry.
    #[must_use]
    pub fn note_of(&self, entry: u64) -> &str {
        let at = self.earlier.partition_point(|(checkpoint, _)| checkpoint.size <= entry);
        self.earlier.get(at).map_or(&self.checkpoint, |(_, note)| note)
    }

    /// The settings as they are stored.
    #[must_use]
    pub fn settings(&self) -> LogSettings {
        LogSettings {
            origin: self.origin.clone(),
            keys: self.keys.clone(),
            revoked: self.revoked.0.clone(),
        }
    }
}

/// A line of `salts.ndjson`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaltLine {
    /// The id of the review.
    pub id: ReviewId,
    /// The salt of its hash.
    pub salt: Salt,
}

/// Whether the content has a log, damaged or not.
#[must_use]
pub fn has_log(content: &Path) -> bool {
    content.join(TRANSPARENCY_FOLDER).symlink_metadata().is_ok()
}

/// Reads the log; `None` if there is none, or a damaged one, which is reported.
pub fn read(dir: &Path, report: &Report) -> Option<TransparencyLog> {
    if !has_log(dir) {
        return None;
    }
    let reader = LogReader { root: Root::at(dir), dir, report };
    let mut settings = reader.settings()?;
    // Texts of TOML files are trimmed, and a signed note ends with a line break.
    settings.revoked.iter_mut().for_each(|note| note.push('\n'));
    let (tree, history) = reader.entries()?;
    let salts = reader.salts()?;
    let checkpoint = reader.bytes(CHECKPOINT_FILE)?;
    let revocations = match Revocation::read(&settings.revoked, &settings.keys) {
        Ok(revocations) => revocations,
        Err(error) => {
            return reader.damaged(reader.place(TRANSPARENCY_SETTINGS), error.to_string());
        }
    };
    let trusted = unrevoked(&settings.keys, &revocations);
    reader.compare(&tree, &settings, Checkpoint::open(&checkpoint, &trusted))?;
    let history = match history {
        Ok(history) => history,
        Err(error) => return reader.contradiction(&error),
    };
    let earlier = reader.earlier(&settings, &tree)?;
    let policy_text = reader.root.has(POLICY_FILE.as_ref()).then(|| reader.bytes(POLICY_FILE));
    let policy_text = policy_text.map_or(Some(None), |text| text.map(Some))?;
    let policy =
        policy_text.as_ref().map_or(Some(Policy::default()), |text| reader.policy(text))?;
    if let Err(error) = policy.check(&checkpoint) {
        return reader.damaged(reader.place(CHECKPOINT_FILE), error.to_string());
    }
    let LogSettings { origin, keys, revoked, .. } = settings;
    Some(TransparencyLog {
        origin,
        keys,
        revoked: (revoked, revocations),
        tree,
        history,
        salts,
        checkpoint: String::from_utf8_lossy(&checkpoint).into_owned(),
        earlier,
        policy,
        policy_text,
    })
}

/// Reads the files of one log.
struct LogReader<'a> {
    root: Root,
    dir: &'a Path,
    report: &'a Report,
}

impl LogReader<'_> {
    fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    fn place(&self, file: &str) -> Place {
        Place::file(self.path(file).display().to_string())
    }

    fn damaged<T>(&self, place: Place, message: impl Into<String>) -> Option<T> {
        self.report.error("damaged-log", place, message, RESTORE_LOG);
        None
    }

    /// Reports a damaged entry by its number, counted from 0.
    fn damaged_entry<T>(&self, leaf: u64, message: &str) -> Option<T> {
        self.damaged(entry_place(self.dir, leaf), message)
    }

    fn bytes(&self, file: &str) -> Option<Vec<u8>> {
        let missing = || self.damaged(self.place(file), "the file is missing");
        match self.root.read(file.as_ref()) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing(),
            Err(error) => {
                report_unreadable(self.report, &self.path(file), &error);
                None
            }
        }
    }

    fn settings(&self) -> Option<LogSettings> {
        if !self.root.has(TRANSPARENCY_SETTINGS.as_ref()) {
            return self.damaged(self.place(TRANSPARENCY_SETTINGS), "the file is missing");
        }
        TomlFile::open(&self.root, TRANSPARENCY_SETTINGS, self.report)?.load()
    }

    /// Reads the lines as a tree, and replays them.
    fn entries(&self) -> Option<(Tree, Result<History, HistoryError>)> {
        let bytes = self.bytes(ENTRIES_FILE)?;
        let Some(lines) = lines(&bytes) else {
            return self.damaged(self.place(ENTRIES_FILE), "the last line is cut short");
        };
        match History::from_leaves(&lines) {
            // What is not an entry was never signed.
            Err(error) if !error.is_entry => self.contradiction(&error),
            history => Some((Tree::from_leaves(&lines), history)),
        }
    }

    /// Reports an entry that contradicts earlier ones.
    fn contradiction<T>(&self, error: &HistoryError) -> Option<T> {
        self.damaged_entry(error.leaf, &error.to_string())
    }

    /// Reads the salts. None if there is no file: `candor forget` removes it with the last line.
    fn salts(&self) -> Option<BTreeMap<ReviewId, Salt>> {
        let before = self.report.has_errors_in(&self.path(SALTS_FILE));
        let path = self.path(SALTS_FILE);
        let lines =
            ndjson::read::<SaltLine>(&self.root, SALTS_FILE, ndjson::MACHINE_WRITTEN, self.report);
        let failed = self.report.has_errors_in(&path) && !before;
        let salts = lines.into_iter().map(|(_, line)| (line.id, line.salt));
        (!failed).then(|| salts.collect())
    }

    /// Reads the earlier checkpoints; none if there is no file.
    fn earlier(&self, settings: &LogSettings, tree: &Tree) -> Option<Vec<(Checkpoint, String)>> {
        let machine_written = ndjson::MACHINE_WRITTEN;
        let notes = ndjson::read::<String>(&self.root, EARLIER_FILE, machine_written, self.report);
        let open = |(line, note): (usize, String)| {
            let checkpoint = Checkpoint::open(note.as_bytes(), &settings.keys).ok();
            match checkpoint.filter(|it| tree.root_at(it.size) == Some(it.root)) {
                Some(checkpoint) => Some((checkpoint, note)),
                None => {
                    let file = self.path(EARLIER_FILE).display().to_string();
                    self.damaged(Place::line(file, line), "this is not a checkpoint of the log")
                }
            }
        };
        notes.into_iter().map(open).collect()
    }

    /// Reads the owner's policy. The keys of the log are in `log.toml`.
    fn policy(&self, text: &[u8]) -> Option<Policy> {
        let mut place = self.place(POLICY_FILE);
        let reason = match Policy::parse(text) {
            Ok(policy) if policy.logs.is_empty() => return Some(policy),
            Ok(_) => "it has a log line, which a build adds".to_owned(),
            Err(PolicyError { line, reason }) => {
                place.line = Some(line);
                reason
            }
        };
        let help = "write it as C2SP tlog-policy has it, without log lines";
        self.report.error("invalid-policy", place, reason, help);
        None
    }

    /// Whether the checkpoint is signed, and of these entries.
    fn compare(
        &self,
        tree: &Tree,
        settings: &LogSettings,
        signed: Result<Checkpoint, CheckpointError>,
    ) -> Option<()> {
        let place = self.place(CHECKPOINT_FILE);
        let signed = match signed {
            Ok(signed) => signed,
            Err(error) => return self.damaged(place, error.to_string()),
        };
        if signed.origin != settings.origin {
            let message = format!(
                "the checkpoint is of the log {:?}, and log.toml names {:?}",
                signed.origin, settings.origin
            );
            return self.damaged(place, message);
        }
        let (size, signed_size) = (tree.size(), signed.size);
        if size < signed_size {
            let message = format!(
                "entries were removed from the log: {signed_size} are signed and {size} are left"
            );
            return self.damaged(self.place(ENTRIES_FILE), message);
        }
        if tree.root_at(signed_size) != Some(signed.root) {
            let message = format!(
                "one of the {signed_size} signed entries is not as it was when it was signed; the checkpoint alone does not say which"
            );
            return self.damaged(self.place(ENTRIES_FILE), message);
        }
        if size > signed_size {
            let message = format!(
                "entry {signed_size} of the log is not covered by the signed checkpoint: it was not written by candor log add"
            );
            return self.damaged_entry(signed_size, &message);
        }
        Some(())
    }
}

/// Splits the bytes of the file into entries; `None` if the last line has no end.
pub fn lines(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    match bytes.strip_suffix(b"\n") {
        None => bytes.is_empty().then(Vec::new),
        Some(lines) => Some(lines.split(|&byte| byte == b'\n').collect()),
    }
}

/// Returns the place of an entry, counted from 0.
pub fn entry_place(content: &Path, leaf: u64) -> Place {
    let line = usize::try_from(leaf).unwrap_or(usize::MAX).saturating_add(1);
    Place::line(content.join(ENTRIES_FILE).display().to_string(), line)
}

/// The text of `log.toml`.
pub fn settings_text(settings: &LogSettings) -> String {
    const HEAD: &str = "# Written by candor log init. The keys are public: readers check the log with them. The newest is last.\n";
    let quoted = |text: &str| toml_edit::Value::from(text).to_string();
    let list = |name: &str, keys: &[String]| {
        let keys: String = keys.iter().map(|key| format!("    {},\n", quoted(key))).collect();
        format!("{name} = [\n{keys}]\n")
    };
    let mut text = format!("{HEAD}origin = {}\n", quoted(&settings.origin));
    text += &list("keys", &settings.keys);
    if !settings.revoked.is_empty() {
        text += &list("revoked", &settings.revoked);
    }
    text
}
