//! Every way to tamper with a site or its log, and the words that a reader gets for it.

use contract::model::{Rating, WithheldReason};
use review_log::{Checkpoint, Code, LogKey, Salt, Tree, sign};
use serde_json::json;

use crate::site::{Files, NEXT_KEY, ORIGIN, Site, id};

#[track_caller]
fn finds(files: &Files, expected: &[(Code, Option<u64>, &str)]) {
    let verdict = files.verify();
    let found: Vec<_> =
        verdict.findings.iter().map(|f| (f.code, f.leaf, f.message.as_str())).collect();
    assert_eq!(found, expected);
    assert_eq!(verdict.proved, None);
}

/// The ids are `0` to `5` sixteen times as bytes; this is how they are written.
fn name(n: u8) -> String {
    id(n).to_string()
}

#[test]
fn an_honest_site_is_proved() {
    let mut site = Site::new();
    let known = site.checkpoint();
    site.withheld.clear();
    site.publish(6, 1);
    site.reviews.remove(&id(2));
    site.log("2026-05-03T08:00:00Z");
    let files = Files { known: Some(known), ..site.files() };
    let verdict = files.verify();
    assert_eq!(verdict.findings, []);
    let proved = verdict.proved.unwrap();
    assert_eq!((proved.origin.as_str(), proved.size, proved.continues), (ORIGIN, 12, Some(9)));
    assert_eq!(proved.reviews, 5);
    assert_eq!(proved.signed_by, files.keys);
    assert_eq!(proved.root, site.checkpoint().root.to_string());
    assert_eq!(proved.since, Some("2026-05-01T08:00:00Z".parse().unwrap()));
    assert_eq!(proved.until, Some("2026-05-03T08:00:00Z".parse().unwrap()));
    let events: Vec<_> = proved.events.into_iter().collect();
    assert_eq!(
        events,
        [
            ("published", 5),
            ("removed", 1),
            ("reply_changed", 1),
            ("restored", 1),
            ("set", 3),
            ("withheld", 1)
        ]
    );
    assert!(proved.withheld.is_empty());
}

#[test]
fn text_stars_or_date_changed_without_an_entry() {
    for (key, value) in
        [("text", json!("Great")), ("date", json!("2020-01-01")), ("author", json!("X"))]
    {
        let mut files = Site::new().files();
        files.review(3)[key] = value;
        let message = format!(
            "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or \
             another fact was changed without an entry, or its salt was replaced.",
            name(3)
        );
        finds(&files, &[(Code::Record, Some(2), &message)]);
    }
    let mut files = Site::new().files();
    files.review(3)["rating"] = json!(4);
    let message = format!(
        "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or another \
         fact was changed without an entry, or its salt was replaced.",
        name(3)
    );
    let stars = "Published reviews rated 3 of 5: reviews.json has 0, and entry 8 of 2026-05-02, the last count of the log, has 1.";
    finds(&files, &[(Code::Record, Some(2), &message), (Code::Set, Some(8), stars)]);
}

/// An edit that is logged is an event, not tampering.
#[test]
fn an_edit_with_an_entry_is_in_the_log() {
    let mut site = Site::new();
    site.review(3)["text"] = json!("Great");
    site.log("2026-05-03T08:00:00Z");
    let proved = site.files().verify().proved.unwrap();
    assert_eq!(proved.events["changed"], 1);
}

#[test]
fn the_answer_changed_added_or_removed() {
    for (n, leaf, reply) in [
        (1, "entry 5 of 2026-05-02", json!({ "text": "Liar", "date": "2026-05-02" })),
        (1, "entry 5 of 2026-05-02", json!(null)),
        (2, "entry 1 of 2026-05-01", json!({ "text": "Thanks", "date": null })),
    ] {
        let mut files = Site::new().files();
        files.review(n)["owner_reply"] = reply;
        let message = format!(
            "The answer of the business to review {} is not what was logged by {leaf}: it was added, changed \
             or removed without an entry.",
            name(n)
        );
        finds(&files, &[(Code::Reply, Some(if n == 1 { 5 } else { 1 }), &message)]);
    }
}

#[test]
fn a_review_dropped_from_the_document() {
    let mut site = Site::new();
    site.reviews.remove(&id(1));
    let dropped = format!(
        "Review {} was logged as published by entry 5 of 2026-05-02 and is not in reviews.json: it was \
         dropped without an entry.",
        name(1)
    );
    let count = "Published reviews: reviews.json has 4, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::Missing, Some(5), &dropped), (Code::Set, Some(8), count)]);
}

#[test]
fn a_review_added_that_was_never_logged() {
    let mut site = Site::new();
    site.publish(7, 5);
    let added = format!(
        "Review {} is on the site and was never logged: it was added without an entry.",
        name(7)
    );
    let count = "Published reviews: reviews.json has 6, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::NotLogged, None, &added), (Code::Set, Some(8), count)]);

    let mut files = Site::new().files();
    let twice = files.review(2).clone();
    files.reviews_json["reviews"].as_array_mut().unwrap().push(twice);
    let message = format!("reviews.json has the review {} twice.", name(2));
    finds(&files, &[(Code::Document, None, &message), (Code::Set, Some(8), count)]);
}

#[test]
fn a_withheld_review_published_again_without_an_entry() {
    let mut site = Site::new();
    let withheld = std::mem::take(&mut site.withheld);
    site.publish(6, 1);
    site.withheld = withheld;
    let message = format!(
        "Review {} is on the site, but by entry 7 of 2026-05-02 it is withheld: it was published again \
         without an entry.",
        name(6)
    );
    let count = "Published reviews: reviews.json has 6, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::NotLogged, Some(7), &message), (Code::Set, Some(8), count)]);
}

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
fn a_salt_missing_or_changed() {
    let mut files = Site::new().files();
    files.salts.remove(&id(3));
    let message = format!(
        "The salt of review {} is missing in /log/salts.json: without it nobody can compare the review with \
         entry 2 of 2026-05-01.",
        name(3)
    );
    finds(&files, &[(Code::Salt, Some(2), &message)]);

    files.salts.insert(id(3), Salt::from_bytes([99; 32]));
    let message = format!(
        "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or another \
         fact was changed without an entry, or its salt was replaced.",
        name(3)
    );
    finds(&files, &[(Code::Record, Some(2), &message)]);
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
    let open = "The log has events after entry 8 of 2026-05-02, its last count, and no new count: it is not \
                complete.";
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
fn a_reason_or_count_of_withheld_reviews_differs() {
    let mut site = Site::new();
    site.withheld.get_mut(&id(6)).unwrap().0 = WithheldReason::PersonalData;
    let by_reason = |said: u64, reason: &str, counted: u64| {
        format!("Reviews withheld as {reason}: reviews.json says {said}, and the log {counted}.")
    };
    finds(
        &site.files(),
        &[
            (Code::Withheld, None, &by_reason(1, "personal_data", 0)),
            (Code::Withheld, None, &by_reason(0, "off_topic", 1)),
        ],
    );

    site.withheld.clear();
    finds(
        &site.files(),
        &[
            (Code::Withheld, None, &by_reason(0, "off_topic", 1)),
            (Code::Withheld, None, "Reviews withheld in all: reviews.json says 0, and the log 1."),
            (
                Code::Withheld,
                None,
                "Withheld reviews rated 1 of 5: reviews.json says 0, and the log 1.",
            ),
        ],
    );

    let rating = Rating::try_from(5).unwrap();
    site.withheld.insert(id(6), (WithheldReason::OffTopic, rating));
    let stars = "Withheld reviews rated 1 of 5: reviews.json says 0, and the log 1.";
    finds(&site.files(), &[(Code::Withheld, None, stars)]);
}

#[test]
fn a_document_or_entry_that_cannot_be_read() {
    let mut files = Site::new().files();
    files.review(5)["rating"] = json!(6);
    let message = "reviews.json cannot be read: reviews[0]: rating must be a whole number from 1 to 5, found 6 at \
                   line 1 column ";
    let verdict = files.verify();
    assert_eq!(verdict.findings.len(), 1);
    assert_eq!(verdict.findings[0].code, Code::Document);
    assert!(verdict.findings[0].message.starts_with(message), "{}", verdict.findings[0]);

    let mut files = Site::new().files();
    files.entries[3].push(b' ');
    files.sign_again();
    let verdict = files.verify();
    let message = "The log contradicts itself: entry 3 of the log is an entry, but not spelled as the log writes \
                   it: {";
    assert_eq!(verdict.findings.len(), 1);
    assert!(verdict.findings[0].message.starts_with(message), "{}", verdict.findings[0]);
}

#[test]
fn an_average_that_the_reviews_do_not_have() {
    let mut files = Site::new().files();
    let honest = json!({
        "average": 3.0, "review_count": 5, "best": 5, "worst": 1,
        "distribution": { "1": 1, "2": 1, "3": 1, "4": 1, "5": 1 },
    });
    files.reviews_json["aggregate_rating"] = honest;
    assert_eq!(files.verify().findings, []);
    files.reviews_json["aggregate_rating"]["average"] = json!(4.9);
    let message = "The average of aggregate_rating in reviews.json is 4.9, and over the reviews in it it is 3.0.";
    finds(&files, &[(Code::Average, None, message)]);
}

#[test]
fn a_verdict_is_json_for_programs() {
    let mut files = Site::new().files();
    files.review(3)["text"] = json!("Great");
    let verdict = serde_json::to_value(files.verify()).unwrap();
    assert_eq!(verdict["findings"][0]["code"], "record");
    assert_eq!(verdict["findings"][0]["review"], name(3));
    assert_eq!(verdict["findings"][0]["leaf"], 2);
    assert_eq!(verdict["proved"], json!(null));
    let proved = serde_json::to_value(Site::new().files().verify()).unwrap();
    assert_eq!(proved["proved"]["withheld"], json!({ "off_topic": 1 }));
}
