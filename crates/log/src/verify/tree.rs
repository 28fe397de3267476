//! Checkpoint, entries and tiles: whether they are the same log, and the one seen before.

use std::collections::BTreeMap;

use tlog_tiles::Tile;

use super::{
    Published,
    finding::{Code, Finding},
};
use crate::{
    checkpoint::{Checkpoint, CheckpointError},
    tiles,
    tree::Tree,
};

const HASH: usize = tlog_tiles::HASH_SIZE;

/// The checkpoint, if it can be trusted and everything else is the log that it was signed for.
pub(super) fn check(published: &Published<'_>, findings: &mut Vec<Finding>) -> Option<Checkpoint> {
    let checkpoint = match Checkpoint::open(published.checkpoint, published.keys) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            let is_unknown = matches!(error, CheckpointError::UnknownKey { .. });
            let reason = is_unknown.then(|| revoked(published)).flatten();
            let reason = reason.unwrap_or_else(|| error.to_string());
            let message = format!("The checkpoint cannot be trusted: {reason}.");
            findings.push(Finding::new(Code::Checkpoint, message));
            return None;
        }
    };
    let before = findings.len();
    let tree = Tree::from_leaves(published.entries);
    match entries(&checkpoint, &tree, published) {
        Some(finding) => findings.push(finding),
        None => findings.extend(wrong_tiles(&tree, published.tiles)),
    }
    findings.extend(published.known.and_then(|known| known_before(known, &checkpoint, &tree)));
    (findings.len() == before).then_some(checkpoint)
}

/// What is wrong with a checkpoint that revoked keys alone have signed.
fn revoked(published: &Published<'_>) -> Option<String> {
    let keys: Vec<String> = published.revoked.iter().map(|it| it.key.clone()).collect();
    let signed_by = Checkpoint::open(published.checkpoint, &keys).ok()?.signed_by;
    let signers = published.revoked.iter().filter(|it| signed_by.contains(&it.key));
    let signers: Vec<String> =
        signers.map(|it| format!("{}, revoked from {} on", it.key, it.from)).collect();
    Some(format!(
        "no key that counts has signed it, only {}: whoever has a revoked key can have made it. Ask the \
         owner; the newest key of the log has to sign it",
        signers.join(", and ")
    ))
}

/// Whether the entries are those that the checkpoint was signed for.
fn entries(checkpoint: &Checkpoint, tree: &Tree, published: &Published<'_>) -> Option<Finding> {
    let (signed, found) = (checkpoint.size, tree.size());
    if signed != found {
        let what = if found < signed { "entries were dropped" } else { "entries were added" };
        let message = format!(
            "The checkpoint was signed for {signed} entries, and the site publishes {found}: {what} \
             without a signature."
        );
        let finding = Finding::new(Code::Size, message);
        return Some(finding.at(first_difference(checkpoint, tree, published.tiles)));
    }
    if checkpoint.root == tree.root() {
        return None;
    }
    let leaf = first_difference(checkpoint, tree, published.tiles);
    let which = match leaf {
        Some(leaf) => format!("Entry {leaf} is the first one that differs."),
        None => {
            "The tiles were changed too, so that it cannot be told which entry it is.".to_owned()
        }
    };
    let message = format!(
        "The entries are not those that the checkpoint was signed for: an entry was changed or \
         replaced, or entries changed places. {which}"
    );
    Some(Finding::new(Code::Root, message).at(leaf))
}

/// The first leaf that is not the one whose hash is in the tiles, if the tiles are those that the
/// checkpoint was signed for.
fn first_difference(
    checkpoint: &Checkpoint,
    tree: &Tree,
    tiles: &BTreeMap<String, Vec<u8>>,
) -> Option<u64> {
    let mut signed = Vec::new();
    let level_0 = |tile: &Tile| tile.level() == 0 && !tile.is_data();
    for tile in tiles::tiles(checkpoint.size).filter(level_0) {
        let bytes = tiles.get(&tiles::path(&tile))?;
        signed.extend(bytes.as_chunks().0.iter().copied().map(tlog_tiles::Hash));
    }
    (Tree::root_of(&signed) == checkpoint.root).then_some(())?;
    let hashes = tree.leaves().iter().map(|leaf| tlog_tiles::record_hash(leaf));
    let equal = hashes.zip(&signed).take_while(|(hash, signed)| hash == *signed).count();
    Some(equal as u64)
}

/// The tiles that are missing or differ from the entries.
fn wrong_tiles(tree: &Tree, published: &BTreeMap<String, Vec<u8>>) -> Vec<Finding> {
    let wrong = tiles::tiles(tree.size()).filter_map(|tile| {
        let (path, expected) = (tiles::path(&tile), tree.tile(&tile));
        let message = match published.get(&path) {
            None if tile.is_data() => return None,
            None => format!("The tile /log/{path} is missing: the site does not publish its whole log."),
            Some(found) if *found == expected => return None,
            Some(found) if found.len() != expected.len() => format!(
                "The tile /log/{path} has {} bytes and must have {}: it is truncated or damaged.",
                found.len(),
                expected.len()
            ),
            Some(found) => {
                let same = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
                format!(
                    "The tile /log/{path} was changed: from its hash {} on it does not fit the entries.",
                    same / HASH
                )
            }
        };
        Some(Finding::new(Code::Tile, message))
    });
    wrong.collect()
}

/// Whether the log continues the checkpoint that the reader kept.
fn known_before(known: &Checkpoint, now: &Checkpoint, tree: &Tree) -> Option<Finding> {
    if known.origin != now.origin {
        let message = format!(
            "The checkpoint that you kept is of the log {}, and this is the log {}: the log was \
             replaced, or you kept the checkpoint of another site.",
            known.origin, now.origin
        );
        return Some(Finding::new(Code::Fork, message));
    }
    if now.size < known.size {
        let message = format!(
            "The log was rolled back: it had {} entries when you kept your checkpoint, and has {} \
             now. A log only grows.",
            known.size, now.size
        );
        return Some(Finding::new(Code::RolledBack, message).at(Some(now.size)));
    }
    // A checkpoint of the same size has the root itself, also where the entries do not fit it. Entries
    // that are fewer than the checkpoint says are a finding of their own.
    let root = if now.size == known.size { now.root } else { tree.root_at(known.size)? };
    (root != known.root).then_some(())?;
    let message = format!(
        "The log was rewritten: its first {} entries are not those of the checkpoint that you \
         kept. Which one differs cannot be told from a checkpoint alone; a copy of the earlier \
         entries tells it.",
        known.size
    );
    Some(Finding::new(Code::Fork, message))
}
