//! A transparency log for a site: entries as a test wants them, signed and published.

use std::collections::BTreeMap;

use contract::model::{Rating, ReviewId, WithheldReason};
use jiff::Timestamp;
use review_log::{Commitment, Entry, Event, Facts, LogKey, Salt, Tree, is_bundle, sign};
use serde_json::{Value, json};

use crate::{Site, listing::id, shop};

/// The log of the tests.
pub(crate) const ORIGIN: &str = "shop.example/log";

/// Entries, and the key that signs them.
pub(crate) struct Log {
    pub(crate) key: LogKey,
    pub(crate) tree: Tree,
    salts: BTreeMap<ReviewId, Salt>,
}

/// The id of review `n`.
pub(crate) fn review_id(n: u32) -> ReviewId {
    id(n).parse().unwrap()
}

/// A hash of something.
pub(crate) fn hash(n: u8) -> Commitment {
    Commitment::from_bytes([n; 32])
}

impl Log {
    /// An empty log.
    pub(crate) fn new() -> Self {
        let key = LogKey::generate(ORIGIN).unwrap();
        Self { key, tree: Tree::default(), salts: BTreeMap::new() }
    }

    /// The log of the shop: its reviews were published, and three others are not any more.
    pub(crate) fn of_the_shop() -> Self {
        let mut log = Self::new();
        for review in shop::reviews() {
            log.publish(&review);
        }
        let (reason, rating) = (WithheldReason::OffTopic, Rating::try_from(1).unwrap());
        log.add(Event::Withheld { review: review_id(7), reason, rating });
        for n in [8, 9] {
            let (review, record) = (review_id(n), hash(n as u8));
            log.add(Event::Published { review, record, reply: None });
        }
        log.add(Event::Removed { review: review_id(8) });
        let reason = WithheldReason::AuthorRequest;
        log.add(Event::Forgotten { review: review_id(9), reason });
        log
    }

    /// Logs an event, a second after the one before.
    pub(crate) fn add(&mut self, event: Event) {
        let at = Timestamp::from_second(1_777_622_400 + self.tree.size() as i64).unwrap();
        self.tree.push(&Entry { at, event }.to_leaf());
    }

    /// Logs that a review was published for the first time.
    pub(crate) fn publish(&mut self, review: &Value) {
        let facts: Facts = serde_json::from_value(review.clone()).unwrap();
        let salt = Salt::from_bytes([self.salts.len() as u8; 32]);
        self.salts.insert(facts.id, salt);
        let (review, record) = (facts.id, salt.record(&facts));
        self.add(Event::Published { review, record, reply: None });
    }

    /// The signed note.
    pub(crate) fn checkpoint(&self) -> Vec<u8> {
        sign(ORIGIN, &self.tree, std::slice::from_ref(&self.key)).unwrap()
    }

    /// The published files by their paths.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let tiles = self.tree.tiles().map(|(path, bytes)| (format!("log/{path}"), bytes));
        let mut files: BTreeMap<_, _> = tiles.collect();
        files.insert("log/checkpoint".into(), self.checkpoint());
        let salts = json!({ "version": 1, "salts": self.salts });
        files.insert("log/salts.json".into(), salts.to_string().into_bytes());
        let keys = json!({
            "version": 1, "origin": ORIGIN, "keys": [self.key.verifier_key()],
            "log": "https://shop.example/log",
        });
        files.insert(".well-known/candor-log.json".into(), keys.to_string().into_bytes());
        files
    }

    /// The path of the last entry bundle.
    pub(crate) fn last_bundle(&self) -> String {
        let bundles = self.files().into_keys().filter(|path| is_bundle(path));
        bundles.max().unwrap()
    }

    /// The shop with this log, written but not published.
    pub(crate) fn site(&self) -> Site {
        let mut site = shop::site();
        for (path, bytes) in self.files() {
            site.set(&path, bytes);
        }
        site.set("proof/index.html", "<h1>Proof</h1>\n");
        site
    }
}
