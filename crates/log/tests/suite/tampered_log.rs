//! Every way to tamper with a log, and the words that a reader gets for it.

use review_log::{Checkpoint, Code, LogKey, Tree, sign};
use serde_json::json;

use crate::site::{Files, NEXT_KEY, Site, finds};

#[test]
fn a_leaf_dropped() {
    let mut files = Site::new().files();
    files.entries.remove(2);
    let size = "The checkpoint was signed for 9 entries, and the site publishes 8: entries were dropped \
                without a signature.";
    let counts = "The log contradicts itself: entry 3 of the log counts 4 for published reviews; the entries before it give 3. An entry was dropped, moved or forged.";
    finds(&files, &[(Code::Size, Some(2), size), (Code::Entry, Some(3), counts)]);

    files.sign_again();
    finds(&files, &[(Code::Entry, Some(3), counts)]);

    let mut files = Site::new().files();
    files.entries.push(files.entries[8].clone());
    let added = "The checkpoint was signed for 9 entries, and the site publishes 10: entries were added \
                 without a signature.";
    finds(&files, &[(Code::Size, Some(9), added)]);
}

/// One finding per cause: entries that are missing do not make the log a fork.
#[test]
fn leaves_dropped_below_the_kept_checkpoint() {
    let mut site = Site::new();
    let known = Some(site.checkpoint());
    site.publish(7, 1);
    site.log("2026-05-03T08:00:00Z");
    let mut files = Files { known, ..site.files() };
    files.entries.truncate(5);
    let codes: Vec<Code> = files.verify().findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::Size) && !codes.contains(&Code::Fork), "{codes:?}");
}

#[test]
fn two_leaves_swapped() {
    let mut files = Site::new().files();
    files.entries.swap(1, 2);
    let root = "The entries are not those that the checkpoint was signed for: an entry was changed or \
                replaced, or entries changed places. Entry 1 is the first one that differs.";
    finds(&files, &[(Code::Root, Some(1), root)]);

    // Who has the key can sign it; who kept a checkpoint sees it.
    files.sign_again();
    assert_eq!(files.verify().findings, []);
    files.known = Some(Site::new().checkpoint());
    finds(&files, &[(Code::Fork, None, FORK)]);
}

const FORK: &str = "The log was rewritten: its first 9 entries are not those of the checkpoint that you kept. \
                    Which one differs cannot be told from a checkpoint alone; a copy of the earlier entries \
                    tells it.";

#[test]
fn a_leaf_changed() {
    let mut files = Site::new().files();
    let leaf = String::from_utf8(files.entries[7].clone()).unwrap();
    files.entries[7] = leaf.replace("off_topic", "duplicate").into_bytes();
    let root = "The entries are not those that the checkpoint was signed for: an entry was changed or \
                replaced, or entries changed places. Entry 7 is the first one that differs.";
    let counts = "The log contradicts itself: entry 8 of the log counts 1 for reviews withheld as off_topic; the entries before it give 0. An entry was dropped, moved or forged.";
    finds(&files, &[(Code::Root, Some(7), root), (Code::Entry, Some(8), counts)]);

    // With tiles that fit the changed entries, nothing tells which one it was.
    files.tiles = Tree::from_leaves(&files.entries).tiles().collect();
    let root = "The entries are not those that the checkpoint was signed for: an entry was changed or \
                replaced, or entries changed places. The tiles were changed too, so that it cannot be told \
                which entry it is.";
    finds(&files, &[(Code::Root, None, root), (Code::Entry, Some(8), counts)]);
}

/// The owner writes the log anew, of the reviews as they are to be now, with the same key.
#[test]
fn a_fork() {
    let mut site = Site::default();
    for n in [2, 3, 4, 5] {
        site.publish(n, n);
    }
    site.log("2026-05-01T08:00:00Z");
    for n in 7..=9 {
        site.publish(n, 5);
    }
    site.log("2026-05-02T08:00:00Z");
    let known = Some(Site::new().checkpoint());
    assert_eq!(known.as_ref().map(|known| known.size), Some(9));
    let files = Files { known: known.clone(), ..site.files() };
    finds(&files, &[(Code::Fork, None, FORK)]);

    site.publish(1, 5);
    site.log("2026-05-03T08:00:00Z");
    finds(&Files { known, ..site.files() }, &[(Code::Fork, None, FORK)]);
    assert_eq!(site.files().verify().findings, [], "nobody can tell who kept no checkpoint");
}

#[test]
fn a_log_rolled_back() {
    let mut site = Site::new();
    let earlier = site.clone();
    site.publish(7, 1);
    site.log("2026-05-03T08:00:00Z");
    let files = Files { known: Some(site.checkpoint()), ..earlier.files() };
    let message = "The log was rolled back: it had 11 entries when you kept your checkpoint, and has 9 now. A \
                   log only grows.";
    finds(&files, &[(Code::RolledBack, Some(9), message)]);
}

#[test]
fn the_checkpoint_of_another_log_kept() {
    let key = LogKey::generate("other.example.com/log").unwrap();
    let note = sign("other.example.com/log", &Tree::default(), std::slice::from_ref(&key)).unwrap();
    let known = Checkpoint::open(&note, &[key.verifier_key().to_owned()]).unwrap();
    let files = Files { known: Some(known), ..Site::new().files() };
    let message = "The checkpoint that you kept is of the log other.example.com/log, and this is the log \
                   reviews.example.com/log: the log was replaced, or you kept the checkpoint of another site.";
    finds(&files, &[(Code::Fork, None, message)]);
}

#[test]
fn a_forged_checkpoint() {
    let mut files = Site::new().files();
    let text = String::from_utf8(files.checkpoint.clone()).unwrap();
    files.checkpoint = text.replace("\n9\n", "\n8\n").into_bytes();
    let message = "The checkpoint cannot be trusted: the signature of the key \
                   reviews.example.com/log+6df47a33 does not fit the checkpoint: it was changed after it was \
                   signed, or was made by somebody who does not have the key.";
    finds(&files, &[(Code::Checkpoint, None, message)]);
}

#[test]
fn a_wrong_key() {
    let mut files = Site::new().files();
    files.keys = vec![LogKey::from_text(NEXT_KEY).unwrap().verifier_key().to_owned()];
    let message = "The checkpoint cannot be trusted: the checkpoint is signed by none of the log's known keys \
                   (reviews.example.com/log+db44df27+AXJoZkoFHwpJUuJK7ddMD3l/EnJYGV2abJOyJSzcD+/8): somebody \
                   else made it, or the log has a new key. If the owner announced a new key, use that one as \
                   well.";
    finds(&files, &[(Code::Checkpoint, None, message)]);
}

#[test]
fn a_tile_truncated_changed_or_missing() {
    let files = Site::new().files();
    let path = "tile/0/000.p/9";
    assert_eq!(files.tiles.keys().collect::<Vec<_>>(), [path]);

    let mut truncated = files.clone();
    truncated.tiles.get_mut(path).unwrap().truncate(100);
    let message =
        "The tile /log/tile/0/000.p/9 has 100 bytes and must have 288: it is truncated or damaged.";
    finds(&truncated, &[(Code::Tile, None, message)]);

    let mut changed = files.clone();
    changed.tiles.get_mut(path).unwrap()[4 * 32 + 1] ^= 1;
    let message =
        "The tile /log/tile/0/000.p/9 was changed: from its hash 4 on it does not fit the entries.";
    finds(&changed, &[(Code::Tile, None, message)]);

    let mut missing = files;
    missing.tiles.clear();
    let message =
        "The tile /log/tile/0/000.p/9 is missing: the site does not publish its whole log.";
    finds(&missing, &[(Code::Tile, None, message)]);
}

#[test]
fn a_log_that_never_counts_or_does_not_count_at_its_end() {
    let mut files = Site::new().files();
    files.entries.pop();
    files.sign_again();
    let count = "Published reviews: reviews.json has 5, and entry 4 of 2026-05-01, the last count of the log, has 4.";
    finds(&files, &[(Code::Set, Some(4), count)]);

    let mut site = Site::new();
    site.review(1)["text"] = json!("Edited");
    site.log("2026-05-03T08:00:00Z");
    let mut files = site.files();
    files.entries.pop();
    files.sign_again();
    let open = "The published reviews are not those of entry 8 of 2026-05-02, the last count of the log: an \
                entry or a count is missing.";
    finds(&files, &[(Code::Set, Some(8), open)]);

    let mut site = Site::default();
    site.publish(1, 5);
    site.log("2026-05-01T08:00:00Z");
    let mut files = site.files();
    files.entries.pop();
    files.sign_again();
    let never = "The log never counts the reviews of the site: nothing tells whether reviews.json is complete.";
    finds(&files, &[(Code::Set, None, never)]);
}

#[test]
fn an_entry_that_cannot_be_read() {
    let mut files = Site::new().files();
    files.entries[3].push(b' ');
    files.sign_again();
    let verdict = files.verify();
    let message = "The log contradicts itself: entry 3 of the log is an entry, but not spelled as the log writes \
                   it: {";
    assert_eq!(verdict.findings.len(), 1);
    assert!(verdict.findings[0].message.starts_with(message), "{verdict:?}");
}
