//! Asks the witnesses of the log to sign its checkpoint (C2SP tlog-witness), and reads the key of a witness.

use std::{io::Read as _, path::Path, time::Duration};

use review_log::{
    Checkpoint, CheckpointError, PolicyWitness, WitnessError, WitnessKey, add_checkpoint,
    monitoring_path,
};
use url::Url;

use super::{KeySource, LogError, init, keys};
use content::{CHECKPOINT_FILE, TransparencyLog, change::commit};
use system::download;

/// The variable with the private key of a witness.
pub const WITNESS_KEY_VARIABLE: &str = "CANDOR_WITNESS_KEY";

/// Timeout until a witness answers.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum bytes of an answer.
const MAX_ANSWER: u64 = 64 << 10;

/// The remedy for a witness that knows neither the log nor its key.
const UNKNOWN_LOG: &str =
    "; its operator has to know the log and its newest key, in content/log/log.toml";
/// The reason of a witness that has signed entries which are not in this log.
const OTHER_LOG: &str = "it has signed another log than this one is: it was shown another one, or entries of this log are missing or were changed since; take the newest content/log from version control";

/// The reason of a witness that has signed another size, and does not say which.
const NO_SIZE: &str = "its answer is 409 without the size that it signed last";
/// The reason of a witness whose answer cannot be read.
const NO_SIGNATURE: &str = "its answer is not a signature of the checkpoint (C2SP tlog-witness)";

/// Reads the private key of a witness. With a name it is made first, in the file of the source.
///
/// # Errors
/// When there is none, the name cannot be that of a key, or the file cannot be read or written.
pub fn witness_key(source: Option<&KeySource>, name: Option<&str>) -> Result<WitnessKey, LogError> {
    let source = source.ok_or(LogError::NoWitnessKey)?;
    if let (KeySource::File(path), Some(name)) = (source, name) {
        keys::write(path, WitnessKey::generate(name)?.to_text(), &[])?;
    }
    WitnessKey::from_text(&source.text()?)
        .map_err(|error| LogError::InvalidKey { place: source.place(), reason: error.to_string() })
}

/// The answers of the witnesses that were asked.
#[derive(Debug)]
pub struct Witnessing {
    /// The names of those that have signed.
    pub signed: Vec<String>,
    /// The names of the others, with the reasons.
    pub unsigned: Vec<(String, String)>,
    /// Whether the quorum of the policy has signed, now or before.
    pub is_quorum: bool,
}

/// Asks each witness that has an address and has not signed the last checkpoint, and stores what they sign. The
/// checkpoint is stored before: a witness signs no other one in its place.
///
/// # Errors
/// When there is no log, it is damaged, or a file cannot be written.
pub fn ask_witnesses(content: &Path) -> Result<Witnessing, LogError> {
    let (stage, log) = init::existing(content)?;
    let (mut signed, mut unsigned, mut note) = (Vec::new(), Vec::new(), log.checkpoint.clone());
    for witness in log.policy.witnesses.iter().filter(|_| log.tree.size() > 0) {
        let Some(url) = &witness.url else { continue };
        if witness.key.cosignature(note.as_bytes())?.is_some() {
            continue;
        }
        match ask(witness, url, &log) {
            Ok(line) => {
                note += &line;
                signed.push(witness.name.clone());
            }
            Err(reason) => unsigned.push((witness.name.clone(), reason)),
        }
    }
    let is_quorum = log.tree.size() == 0 || log.policy.check(note.as_bytes())?.1;
    if !signed.is_empty() {
        let file = (CHECKPOINT_FILE, note.into_bytes());
        commit(&stage, &init::stage_files(&stage, &[file])?)?;
    }
    Ok(Witnessing { signed, unsigned, is_quorum })
}

/// Returns the line of a witness's signature, or the reason why there is none.
fn ask(witness: &PolicyWitness, url: &str, log: &TransparencyLog) -> Result<String, String> {
    let at = |path: &str| format!("{}/{path}", url.trim_end_matches('/'));
    let submit = |old| {
        let body = add_checkpoint(log.tree.hashes(), old, &log.checkpoint);
        send(&at("add-checkpoint"), Some(body.ok_or(OTHER_LOG)?))
    };
    let (mut status, mut answer) = submit(log.earlier.last().map_or(0, |(it, _)| it.size))?;
    if status == 409 {
        // It has signed another size last than was assumed, and says which.
        let size = answer.trim().parse().map_err(|_| NO_SIZE)?;
        (status, answer) = submit(size)?;
    }
    let note = match status {
        200 => log.checkpoint.clone() + &answer,
        409 | 422 => return Err(OTHER_LOG.to_owned()),
        // A witness without a server signs when it runs, and publishes that.
        _ => match send(&at(&monitoring_path(&log.origin)), None)? {
            (200, note) => note,
            _ => {
                let hint = if matches!(status, 403 | 404) { UNKNOWN_LOG } else { "" };
                return Err(format!("its answer is {status}{hint}"));
            }
        },
    };
    let failed = |error: WitnessError| match error {
        WitnessError::Checkpoint(CheckpointError::Malformed) => NO_SIGNATURE.to_owned(),
        error => error.to_string(),
    };
    let checkpoint = Checkpoint::open(note.as_bytes(), &log.keys);
    let Checkpoint { size, root, .. } = checkpoint.map_err(|error| failed(error.into()))?;
    if log.tree.root_at(size) != Some(root) {
        return Err(OTHER_LOG.to_owned());
    }
    if size < log.tree.size() {
        return Err(format!(
            "it has signed {size} entries so far, and comes to see the rest once it is published"
        ));
    }
    let cosignature = witness.key.cosignature(note.as_bytes()).map_err(failed)?;
    let none = || "its answer has no signature of the key in the policy".to_owned();
    cosignature.map(|(_, line)| line).ok_or_else(none)
}

/// Sends a request; the status and the text of the answer.
fn send(url: &str, body: Option<String>) -> Result<(u16, String), String> {
    let url = Url::parse(url).map_err(|error| format!("{url}: {error}"))?;
    let agent = download::agent(&url, 0, TIMEOUT);
    let response = match body {
        Some(body) => agent.post(url.as_str()).send(body),
        None => agent.get(url.as_str()).call(),
    };
    let response = response.map_err(|error| download::explain(&error))?;
    let (status, mut text) = (response.status().as_u16(), String::new());
    let read =
        download::body(response, MAX_ANSWER).and_then(|mut body| body.read_to_string(&mut text));
    read.map_err(|error| error.to_string())?;
    Ok((status, text))
}
