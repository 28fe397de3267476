use std::{collections::BTreeMap, io};

use contract::{manifest::MANIFEST_FORMAT, model::WithheldReason};
use review_log::{Event, LogKey, Tree, sign};
use serde_json::json;

use super::*;

const ORIGIN: &str = "x.example/log";

type Files = BTreeMap<String, Vec<u8>>;

fn leaf(event: Event) -> Vec<u8> {
    Entry { at: "2026-05-01T08:00:00Z".parse().unwrap(), event }.to_leaf()
}

fn forgotten(n: u8) -> Vec<u8> {
    let (review, reason) = (ReviewId::from_bytes([n; 16]), WithheldReason::Unlawful);
    leaf(Event::Forgotten { review, reason })
}

/// Makes a leaf of review `n`.
fn withheld(n: u8) -> Vec<u8> {
    let (reason, rating) = (WithheldReason::OffTopic, 1.try_into().unwrap());
    leaf(Event::Withheld { review: ReviewId::from_bytes([n; 16]), reason, rating })
}

/// Makes the files of a log of these leaves.
fn files(leaves: &[Vec<u8>], named: &str) -> Files {
    let (tree, key) = (Tree::from_leaves(leaves), LogKey::generate(ORIGIN).unwrap());
    let mut files: Files =
        tree.tiles().map(|(path, bytes)| (format!("{LOG_FOLDER}{path}"), bytes)).collect();
    let keys = json!({ "version": 1, "origin": named, "keys": [key.verifier_key()] });
    files.insert(CHECKPOINT_PATH.into(), sign(ORIGIN, &tree, &[key]).unwrap());
    files.insert(LOG_KEYS_PATH.into(), keys.to_string().into());
    files.insert(SALTS_PATH.into(), json!({ "version": 1, "salts": {} }).to_string().into());
    files
}

fn manifest(files: &Files) -> Manifest {
    let entries = files.iter().map(|(path, bytes)| {
        json!({
            "path": path, "media_type": "x/y", "length": bytes.len(), "etag": ETag::of(bytes),
            "modified": "2026-01-01T00:00:00Z",
        })
    });
    let manifest = json!({
        "format": MANIFEST_FORMAT, "build_id": ETag::of(b""), "published_at": "2026-01-01T00:00:00Z",
        "base_url": "https://x.example", "sidecar": null, "topics": [],
        "files": entries.collect::<Vec<_>>(),
    });
    serde_json::from_value(manifest).unwrap()
}

fn read(files: &Files) -> Result<TransparencyLog, String> {
    let bytes = |path: &str| {
        let bytes = files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Bytes::copy_from_slice(bytes))
    };
    TransparencyLog::read(&manifest(files), bytes).map_err(|fault| fault.to_string())
}

const BUNDLE: &str = "log/tile/entries/000.p/3";

#[test]
fn every_fault_names_the_file_the_reason_and_the_remedy() {
    let sound = files(&[withheld(1), withheld(2), forgotten(1)], ORIGIN);
    assert_eq!(read(&sound).unwrap().entries_of(ReviewId::from_bytes([1; 16])), [0, 2]);
    let remedy = "Run candor verify --log on the site: it says what differs. Then build the site and \
                  publish all of it again";
    let without = |path: &str| {
        let mut files = sound.clone();
        files.remove(path).unwrap();
        files
    };
    let with = |path: &str, bytes: &[u8]| {
        let mut files = sound.clone();
        files.insert(path.into(), bytes.into());
        files
    };
    let bundle = &sound[BUNDLE];
    let first = 2 + withheld(1).len();
    let contradiction = format!(
        "log/tile/entries: entry 0 of the log says that review {} was forgotten, but by the entries \
         before it the review was not in the log",
        ReviewId::from_bytes([1; 16])
    );
    for (files, fault) in [
        (without(CHECKPOINT_PATH), "log/checkpoint: it is missing"),
        (without(SALTS_PATH), "log/salts.json: it is missing"),
        (
            without(BUNDLE),
            "log/checkpoint: it was signed for 3 entries, which are 1 bundles, and 0 are published",
        ),
        (
            with("log/tile/entries/001.p/1", &bundle[..first]),
            "log/checkpoint: it was signed for 3 entries, which are 1 bundles, and 2 are published",
        ),
        (
            with(BUNDLE, &bundle[..first]),
            "log/tile/entries/000.p/3: it has 1 entries, and its path says 3",
        ),
        (
            with(BUNDLE, &bundle[..first + 9]),
            "log/tile/entries/000.p/3: the bundle ends in the middle of its entry 1: it is truncated or \
             damaged. Fetch it again; if it stays so, the site does not publish its whole log",
        ),
        (
            with(SALTS_PATH, b"{\"version\":1}"),
            "log/salts.json: it is not a document of its kind: missing field `salts` at line 1 column 13",
        ),
        (
            self::files(&[withheld(1)], "y.example/log"),
            "log/checkpoint: it is of the log \"x.example/log\", and candor-log.json names \
             \"y.example/log\"",
        ),
        (self::files(&[forgotten(1)], ORIGIN), contradiction.as_str()),
    ] {
        assert_eq!(read(&files).unwrap_err(), format!("{fault}. {remedy}"));
    }
    let long = with(CHECKPOINT_PATH, &[b'x'; 8193]);
    let expected = "log/checkpoint: it has 8193 bytes, and at most 8192 are read. The site is served \
                    whole, and candor verify --log can check it";
    assert_eq!(read(&long).unwrap_err(), expected);
}

#[test]
fn a_log_whose_files_stay_the_same_is_kept_and_its_fault_reported_once() {
    let sound = files(&[withheld(1)], ORIGIN);
    let read = |_: &str| Err(io::ErrorKind::NotFound.into());
    let first = LoadedLog::of(&manifest(&sound), None, read).unwrap();
    assert!(first.log().is_none());
    let unread = |path: &str| panic!("{path} is read again");
    let second = LoadedLog::of(&manifest(&sound), Some(&first), unread).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert!(LoadedLog::of(&manifest(&Files::new()), Some(&first), unread).is_none());
}

#[test]
fn an_empty_log_proves_nothing_and_is_no_fault() {
    let log = read(&files(&[], ORIGIN)).unwrap();
    assert_eq!((log.checkpoint.size, log.reviews), (0, 0));
    assert_eq!(log.entries_of(ReviewId::from_bytes([1; 16])), [0_u32; 0]);
}
