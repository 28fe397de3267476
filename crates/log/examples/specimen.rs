//! Writes the log of an imagined business into a folder, and prints how large it is.
//!
//!     specimen FOLDER [REVIEWS]
//!
//! The business gets its reviews evenly over ten years and imports them every week. Of a hundred
//! reviews, fifteen are answered a week after they were published, three are changed by their
//! authors, two are withheld, one of them is restored, one is removed at its source, and one is
//! erased. `tests/log` verifies the folder with another implementation.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use contract::{
    compress::{Effort, encode},
    manifest::Coding,
    model::{AggregateRating, Rating, ReviewId, WithheldReason},
};
use jiff::{SignedDuration, Timestamp};
use review_log::{
    Facts, History, LogKey, Policy, Published, Reply, Salt, Standing, Tree, Verdict, WitnessKey,
    is_bundle, pending, sign, tlog_proof, verify,
};
use serde_json::{Value, json};

const ORIGIN: &str = "reviews.example.com/log";
const WEEKS: u64 = 520;
/// A checkpoint is kept every so many weeks.
const KEPT: u64 = 26;

/// The reviews and their log.
#[derive(Default)]
struct Business {
    reviews: BTreeMap<ReviewId, Value>,
    standings: BTreeMap<ReviewId, Standing>,
    salts: BTreeMap<ReviewId, Salt>,
    history: History,
    tree: Tree,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: specimen FOLDER [REVIEWS]")?;
    let reviews = arguments.next().map_or(Ok(3_000), |count| count.parse())?;
    let folder = Path::new(&folder);
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let keys = [LogKey::generate(ORIGIN)?, LogKey::generate(ORIGIN)?];
    let verifier_keys: Vec<String> = keys.iter().map(|key| key.verifier_key().to_owned()).collect();
    write(folder, "keys", (verifier_keys.join("\n") + "\n").as_bytes())?;

    let mut business = Business::default();
    for week in 0..WEEKS {
        business.import(week, reviews);
        business.log(week)?;
        if week % KEPT == 0 {
            let name = format!("kept/{}", business.tree.size());
            let note = sign(ORIGIN, &business.tree, &keys)?;
            write(folder, &name, &note)?;
            let (index, tree) = (business.tree.size() / 3, &business.tree);
            let leaf = tree.leaves().get(usize::try_from(index)?).ok_or("the log is empty")?;
            let proof =
                tlog_proof(tree.hashes(), (index, leaf), None, std::str::from_utf8(&note)?)?;
            write(folder, &format!("proofs/{index}.tlog-proof"), proof.as_bytes())?;
        }
    }
    let witness = WitnessKey::generate("witness.example.com")?;
    let checkpoint = sign(ORIGIN, &business.tree, &keys)?;
    let checkpoint = witness.cosign(&checkpoint, "2026-05-02T06:00:00Z".parse()?)?;
    write(folder, "log/checkpoint", &checkpoint)?;
    let policy = format!("witness one {}\nquorum one\n", witness.verifier_key());
    write(folder, "log/policy.txt", policy.as_bytes())?;
    for (path, bytes) in business.tree.tiles() {
        write(folder, &format!("log/{path}"), &bytes)?;
    }
    business.print_sizes(&checkpoint)?;
    business.print_times(&checkpoint, &verifier_keys, &Policy::parse(policy.as_bytes())?)
}

impl Business {
    /// What is new in a week.
    fn import(&mut self, week: u64, reviews: u64) {
        for n in (0..reviews).filter(|n| n * WEEKS / reviews == week) {
            self.publish(n);
        }
        for n in (0..reviews).filter(|n| n * WEEKS / reviews + 1 == week) {
            let id = id(n);
            match n % 100 {
                0..15 => {
                    self.edit(id, "owner_reply", json!({ "text": "Thank you.", "date": null }))
                }
                20..23 => self.edit(id, "text", json!("I have changed my mind.")),
                30..32 => self.withhold(id),
                40 => self.end(id, Standing::Removed),
                50 => self.end(id, Standing::Forgotten { reason: WithheldReason::AuthorRequest }),
                _ => {}
            }
        }
        for n in (0..reviews).filter(|n| n * WEEKS / reviews + 2 == week && n % 100 == 31) {
            self.publish(n);
        }
    }

    fn publish(&mut self, n: u64) {
        let review = json!({
            "id": id(n), "author": format!("Author {n}"), "rating": n % 5 + 1, "date": "2026-04-30",
            "date_precision": "day", "text": format!("Text {n}"), "source": "google",
            "source_url": null, "owner_reply": null, "verified": true, "translation": null,
            "disclosure": null,
        });
        self.reviews.insert(id(n), review);
        self.salts.entry(id(n)).or_insert_with(Salt::generate);
        self.commit(id(n));
    }

    fn edit(&mut self, id: ReviewId, key: &str, value: Value) {
        if let Some(review) = self.reviews.get_mut(&id) {
            review[key] = value;
            self.commit(id);
        }
    }

    fn withhold(&mut self, id: ReviewId) {
        let rating = self
            .reviews
            .get(&id)
            .and_then(|review| Rating::try_from(review["rating"].clone()).ok());
        if let Some(rating) = rating {
            self.end(id, Standing::Withheld { reason: WithheldReason::OffTopic, rating });
        }
    }

    fn end(&mut self, id: ReviewId, standing: Standing) {
        self.reviews.remove(&id);
        self.standings.insert(id, standing);
    }

    fn commit(&mut self, id: ReviewId) {
        let (Some(review), Some(salt)) = (self.reviews.get(&id), self.salts.get(&id)) else {
            return;
        };
        let facts = serde_json::from_value::<Facts>(review.clone());
        let reply = serde_json::from_value::<Option<Reply>>(review["owner_reply"].clone());
        if let (Ok(facts), Ok(reply)) = (facts, reply) {
            let reply = reply.map(|reply| salt.reply(&reply));
            self.standings.insert(id, Standing::Published { record: salt.record(&facts), reply });
        }
    }

    fn by_rating(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for review in self.reviews.values() {
            counts[review["rating"].as_u64().unwrap_or(1) as usize - 1] += 1;
        }
        counts
    }

    fn log(&mut self, week: u64) -> Result<(), Box<dyn Error>> {
        let start: Timestamp = "2016-05-02T06:00:00Z".parse()?;
        let at = start + SignedDuration::from_hours(i64::try_from(week)? * 7 * 24);
        for entry in pending(&self.history, &self.standings, self.by_rating(), at) {
            self.history.add(&entry)?;
            self.tree.push(&entry.to_leaf());
        }
        Ok(())
    }

    fn public_salts(&self) -> BTreeMap<ReviewId, Salt> {
        let public = self.salts.iter().filter(|(id, _)| self.reviews.contains_key(id));
        public.map(|(id, salt)| (*id, *salt)).collect()
    }

    fn reviews_json(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let (mut by_rating, mut count) = (BTreeMap::<Rating, u64>::new(), 0);
        for standing in self.standings.values() {
            if let Standing::Withheld { rating, .. } = standing {
                *by_rating.entry(*rating).or_default() += 1;
                count += 1;
            }
        }
        let ratings =
            self.reviews.values().map(|review| Rating::try_from(review["rating"].clone()));
        Ok(serde_json::to_vec(&json!({
            "aggregate_rating": AggregateRating::over(ratings.collect::<Result<Vec<_>, _>>()?),
            "moderation": {
                "withheld_count": count, "by_reason": self.history.withheld(), "by_rating": by_rating,
            },
            "reviews": self.reviews.values().collect::<Vec<_>>(),
        }))?)
    }

    fn print_sizes(&self, checkpoint: &[u8]) -> Result<(), Box<dyn Error>> {
        let salts = serde_json::to_vec(&json!({ "version": 1, "salts": self.public_salts() }))?;
        let (bundles, hashes): (Vec<_>, Vec<_>) =
            self.tree.tiles().partition(|(path, _)| is_bundle(path));
        let leaves: usize = self.tree.leaves().iter().map(Vec::len).sum();
        println!(
            "{} reviews, {} entries: {:?}",
            self.reviews.len(),
            self.tree.size(),
            self.history.events()
        );
        println!("| What | Files | Bytes | Brotli |\n|---|---:|---:|---:|");
        println!("| leaves, {} bytes each | | {leaves} | |", leaves as u64 / self.tree.size());
        for (what, files) in [
            ("entry bundles", bundles),
            ("hash tiles", hashes),
            ("salts.json", vec![(String::new(), salts)]),
            ("checkpoint", vec![(String::new(), checkpoint.to_vec())]),
        ] {
            let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
            let brotli = files.iter().map(|(_, bytes)| brotli(bytes)).sum::<Result<usize, _>>()?;
            println!("| {what} | {} | {bytes} | {brotli} |", files.len());
        }
        Ok(())
    }

    fn print_times(
        &self,
        checkpoint: &[u8],
        keys: &[String],
        policy: &Policy,
    ) -> Result<(), Box<dyn Error>> {
        let (tree, made) = timed(|| Tree::from_leaves(self.tree.leaves()));
        let (tiles, written) = timed(|| tree.tiles().collect::<BTreeMap<_, _>>());
        let (history, replayed) = timed(|| History::from_leaves(self.tree.leaves()));
        history?;
        let (reviews_json, salts) = (self.reviews_json()?, self.public_salts());
        let published = Published {
            checkpoint,
            keys,
            revoked: &[],
            entries: self.tree.leaves(),
            tiles: &tiles,
            reviews_json: &reviews_json,
            salts: &salts,
            known: None,
            policy,
        };
        let (verdict, verified): (Verdict, _) = timed(|| verify(&published));
        println!("tree {made:?}, tiles {written:?}, replay {replayed:?}, verify {verified:?}");
        match verdict.findings.first() {
            Some(finding) => Err(finding.message.clone().into()),
            None => Ok(()),
        }
    }
}

fn id(n: u64) -> ReviewId {
    ReviewId::from_bytes(
        (u128::from(n) << 64 | u128::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).to_be_bytes(),
    )
}

fn brotli(bytes: &[u8]) -> Result<usize, Box<dyn Error>> {
    let mut out = Vec::new();
    encode(Effort::Best, Coding::Brotli, bytes.len() as u64, &mut &bytes[..], &mut out)?;
    Ok(out.len())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    Ok(fs::write(path, bytes)?)
}
