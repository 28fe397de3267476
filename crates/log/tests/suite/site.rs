//! A site with a log, and what it publishes.

use std::collections::BTreeMap;

use contract::model::{AggregateRating, Rating, ReviewId, WithheldReason};
use jiff::Timestamp;
use review_log::{
    Checkpoint, Code, Entry, Facts, History, LogKey, Policy, Published, Reply, Salt, Standing,
    Tree, Verdict, is_bundle, pending, sign, verify,
};
use serde_json::{Value, json};

/// The log of the tests.
pub(crate) const ORIGIN: &str = "reviews.example.com/log";
/// Its key.
pub(crate) const KEY: &str =
    "PRIVATE+KEY+reviews.example.com/log+6df47a33+AT1d1P/9ABpVUVKpYX2b2PeRWmkTklv5VOzsDfz1H4EH";
/// The key that replaces it.
pub(crate) const NEXT_KEY: &str =
    "PRIVATE+KEY+reviews.example.com/log+db44df27+AePWNpQBEHgvexzslrp5i8dMlV/MC9rV36u7dgJ15d7H";

/// Content, and the log of it.
#[derive(Clone, Default)]
pub(crate) struct Site {
    pub(crate) reviews: BTreeMap<ReviewId, Value>,
    pub(crate) withheld: BTreeMap<ReviewId, (WithheldReason, Rating)>,
    pub(crate) leaves: Vec<Vec<u8>>,
}

/// What a site publishes of its log, and its reviews.
#[derive(Clone)]
pub(crate) struct Files {
    pub(crate) checkpoint: Vec<u8>,
    pub(crate) keys: Vec<String>,
    pub(crate) entries: Vec<Vec<u8>>,
    pub(crate) tiles: BTreeMap<String, Vec<u8>>,
    pub(crate) reviews_json: Value,
    pub(crate) salts: BTreeMap<ReviewId, Salt>,
    pub(crate) known: Option<Checkpoint>,
    pub(crate) policy: Policy,
}

pub(crate) fn id(n: u8) -> ReviewId {
    ReviewId::from_bytes([n; 16])
}

fn key() -> LogKey {
    LogKey::from_text(KEY).unwrap()
}

fn salt(id: ReviewId) -> Salt {
    Salt::from_bytes([id.to_bytes()[0]; 32])
}

impl Site {
    /// Five published reviews, the first one answered, and a withheld one, logged on two days.
    pub(crate) fn new() -> Self {
        let mut site = Self::default();
        for n in 1..=4 {
            site.publish(n, n);
        }
        site.log("2026-05-01T08:00:00Z");
        site.publish(5, 5);
        site.review(1)["owner_reply"] = json!({ "text": "Thank you", "date": "2026-05-02" });
        let rating = Rating::try_from(1).unwrap();
        site.withheld.insert(id(6), (WithheldReason::OffTopic, rating));
        site.log("2026-05-02T08:00:00Z");
        site
    }

    pub(crate) fn publish(&mut self, n: u8, stars: u8) {
        let review = json!({
            "id": id(n), "author": format!("Author {n}"), "rating": stars, "date": "2026-04-30",
            "date_precision": "day", "text": format!("Text {n}"), "source": "google",
            "source_url": null, "owner_reply": null, "verified": true, "language": "en",
            "translation": null, "disclosure": null,
        });
        self.reviews.insert(id(n), review);
    }

    pub(crate) fn review(&mut self, n: u8) -> &mut Value {
        self.reviews.get_mut(&id(n)).unwrap()
    }

    /// Adds what is pending to the log.
    pub(crate) fn log(&mut self, at: &str) {
        let history = History::from_leaves(&self.leaves).unwrap();
        let mut by_rating = [0; 5];
        let mut current = BTreeMap::new();
        for (id, review) in &self.reviews {
            let facts: Facts = serde_json::from_value(review.clone()).unwrap();
            let reply: Option<Reply> =
                serde_json::from_value(review["owner_reply"].clone()).unwrap();
            by_rating[facts.rating.index()] += 1;
            let reply = reply.map(|reply| salt(*id).reply(&reply));
            current.insert(*id, Standing::Published { record: salt(*id).record(&facts), reply });
        }
        for (id, (reason, rating)) in &self.withheld {
            current.insert(*id, Standing::Withheld { reason: *reason, rating: *rating });
        }
        let at: Timestamp = at.parse().unwrap();
        let entries = pending(&history, &current, by_rating, at);
        self.leaves.extend(entries.iter().map(Entry::to_leaf));
    }

    pub(crate) fn files(&self) -> Files {
        let (mut by_reason, mut by_rating) = (BTreeMap::new(), BTreeMap::new());
        for (reason, rating) in self.withheld.values() {
            *by_reason.entry(*reason).or_insert(0) += 1;
            *by_rating.entry(*rating).or_insert(0) += 1;
        }
        let mut files = Files {
            checkpoint: Vec::new(),
            keys: vec![key().verifier_key().to_owned()],
            entries: self.leaves.clone(),
            tiles: BTreeMap::new(),
            reviews_json: json!({
                "version": 1,
                "moderation": {
                    "withheld_count": self.withheld.len(), "by_reason": by_reason, "by_rating": by_rating,
                },
                "reviews": self.reviews.values().rev().collect::<Vec<_>>(),
            }),
            salts: self.reviews.keys().map(|id| (*id, salt(*id))).collect(),
            known: None,
            policy: Policy::default(),
        };
        files.sign_again();
        files
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        let files = self.files();
        Checkpoint::open(&files.checkpoint, &files.keys).unwrap()
    }
}

impl Files {
    /// Makes tiles and checkpoint of the entries, as an owner can who has the key.
    pub(crate) fn sign_again(&mut self) {
        let tree = Tree::from_leaves(&self.entries);
        self.checkpoint = sign(ORIGIN, &tree, &[key()]).unwrap();
        self.tiles = tree.tiles().filter(|(path, _)| !is_bundle(path)).collect();
    }

    pub(crate) fn verify(&self) -> Verdict {
        let mut reviews_json = self.reviews_json.clone();
        // Who changes reviews changes the average too.
        if reviews_json.get("aggregate_rating").is_none() {
            reviews_json["aggregate_rating"] = average(&reviews_json);
        }
        let reviews_json = reviews_json.to_string();
        verify(&Published {
            checkpoint: &self.checkpoint,
            keys: &self.keys,
            revoked: &[],
            entries: &self.entries,
            tiles: &self.tiles,
            reviews_json: reviews_json.as_bytes(),
            salts: &self.salts,
            known: self.known.as_ref(),
            policy: &self.policy,
        })
    }

    /// The published review.
    pub(crate) fn review(&mut self, n: u8) -> &mut Value {
        let reviews = self.reviews_json["reviews"].as_array_mut().unwrap();
        reviews.iter_mut().find(|review| review["id"] == id(n).to_string()).unwrap()
    }
}

/// The `aggregate_rating` that fits the reviews.
fn average(reviews_json: &Value) -> Value {
    let reviews = reviews_json["reviews"].as_array().into_iter().flatten();
    let ratings = reviews.filter_map(|review| Rating::try_from(review["rating"].clone()).ok());
    serde_json::to_value(AggregateRating::over(ratings)).unwrap()
}

/// Checks that a verification finds exactly this, and proves nothing.
#[track_caller]
pub(crate) fn finds(files: &Files, expected: &[(Code, Option<u64>, &str)]) {
    let verdict = files.verify();
    let found: Vec<_> =
        verdict.findings.iter().map(|f| (f.code, f.leaf, f.message.as_str())).collect();
    assert_eq!(found, expected);
    assert_eq!(verdict.proved, None);
}

/// How the id of a review is written.
pub(crate) fn name(n: u8) -> String {
    id(n).to_string()
}
