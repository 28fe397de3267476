//! Revokes a key of the log.

use std::path::Path;

use jiff::civil::Date;
use review_log::{Checkpoint, Entry, Revocation};

use super::{KeySource, LogError, init};
use content::{
    CHECKPOINT_FILE, EARLIER_FILE, TRANSPARENCY_SETTINGS, change::commit, log_settings_text,
};

/// Revokes a key, by its verifier key or the id in it, from a day on. The newest other key signs that, and the last
/// checkpoint. Earlier checkpoints that count no more are left out.
///
/// # Errors
/// When there is no log, it is damaged, it has no such key or no other one, or a file cannot be written.
pub fn revoke(
    content: &Path,
    key: &str,
    from: Date,
    source: Option<&KeySource>,
) -> Result<Revocation, LogError> {
    let (stage, log) = init::existing(content)?;
    let mut others = log.trusted_keys();
    let is_it = |known: &String| known == key || known.split('+').nth(1) == Some(key);
    let at = others.iter().position(is_it).ok_or_else(|| LogError::NoSuchKey(key.to_owned()))?;
    let revocation = Revocation { key: others.remove(at), from };
    if others.is_empty() {
        return Err(LogError::OnlyKey);
    }
    let signers = source.ok_or(LogError::NoKey)?.signers(&log.keys, &others)?;
    let newest =
        signers.iter().find(|key| Some(key.verifier_key()) == others.last().map(|it| &**it));
    let mut settings = log.settings();
    settings.revoked.push(revocation.sign(newest.ok_or(LogError::NoKey)?)?);
    let revoked: Vec<_> = log.revoked.1.iter().chain([&revocation]).cloned().collect();
    let counts = |(checkpoint, _): &&(Checkpoint, String)| {
        let last = log.tree.leaves().get(usize::try_from(checkpoint.size).ok()?.checked_sub(1)?)?;
        let at = Entry::from_leaf(last).ok()?.at;
        Revocation::of(&revoked, &checkpoint.signed_by, at).is_none().then_some(())
    };
    let earlier = log.earlier.iter().filter(|it| counts(it).is_some()).map(|(_, note)| note);
    let files = [
        (TRANSPARENCY_SETTINGS, log_settings_text(&settings).into_bytes()),
        (EARLIER_FILE, init::json_lines(earlier)?),
        (CHECKPOINT_FILE, init::signed_again(&log, &signers)?),
    ];
    commit(&stage, &init::stage_files(&stage, &files)?)?;
    Ok(revocation)
}
