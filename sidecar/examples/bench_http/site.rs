//! A published site of made-up reviews, the same each time.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use contract::{
    etag::ETag,
    manifest::{FileEntry, MANIFEST_FORMAT, MANIFEST_PATH, Manifest},
};
use jiff::{Timestamp, ToSpan, civil::Date};
use serde_json::json;

const NEWEST: Date = Date::constant(2025, 6, 30);
/// Eight years of reviews.
const DAYS: u64 = 8 * 365;
const WORDS: u64 = 4_000;
const SERVICES: u64 = 20;

pub(crate) struct Site(tempfile::TempDir);

impl Site {
    /// Made in memory where the system has a place for that.
    pub(crate) fn publish(count: u32) -> Self {
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let site = Self(folder.expect("a temporary folder can be made"));
        let files = [("insights.json", "{}\n".to_owned()), ("reviews.json", reviews(count))];
        let public = site.path().join("public");
        let written = fs::create_dir(&public).and_then(|()| {
            for (name, text) in &files {
                fs::write(public.join(name), text)?;
            }
            fs::write(public.join(MANIFEST_PATH), manifest(&files).to_json())
        });
        written.expect("a temporary folder can be written to");
        site
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().to_path_buf()
    }

    pub(crate) fn thirty_days_ago(&self) -> String {
        NEWEST.saturating_sub(29.days()).to_string()
    }
}

fn manifest(files: &[(&str, String)]) -> Manifest {
    let entry = |(path, text): &(&str, String)| FileEntry {
        path: (*path).to_owned(),
        media_type: "application/json".to_owned(),
        length: text.len() as u64,
        etag: ETag::of(text.as_bytes()),
        encodings: Default::default(),
        modified: Timestamp::UNIX_EPOCH,
        links: Vec::new(),
    };
    Manifest {
        format: MANIFEST_FORMAT,
        build_id: ETag::of(files[1].1.as_bytes()),
        generator: None,
        published_at: Timestamp::UNIX_EPOCH,
        base_url: "https://bench.example".to_owned(),
        id_base: String::new(),
        previous_base_urls: Vec::new(),
        sample: true,
        sidecar: None,
        security: Default::default(),
        topics: Vec::new(),
        files: files.iter().map(entry).collect(),
        host_files: Vec::new(),
    }
}

/// `reviews.json`, newest first.
fn reviews(count: u32) -> String {
    let mut random = Random(1);
    let services: Vec<_> = (0..SERVICES)
        .map(|n| json!({ "id": format!("s{n}"), "label": format!("Service {n}") }))
        .collect();
    let business = json!({ "services": services });
    let mut document = format!("{{\n\"version\":1,\n\"business\":{business},\n\"reviews\":[");
    for n in 0..count {
        let back = u64::from(n) * DAYS / u64::from(count.max(1));
        let date = NEWEST.saturating_sub((back as i64).days());
        let between = if n == 0 { "" } else { "," };
        let review = review(&mut random, count - n, date);
        // Writing to a string cannot fail.
        let _ = write!(document, "{between}\n{review}");
    }
    document + "]}\n"
}

fn review(random: &mut Random, number: u32, date: Date) -> serde_json::Value {
    let length = 20 + random.below(100);
    let mut words: Vec<String> = (0..length).map(|_| word(random)).collect();
    if random.below(6) == 0 {
        words.push("clean".to_owned());
    }
    if random.below(150) == 0 {
        words.push("on time".to_owned());
    }
    let id = format!("01JH00000000000000{number:08}");
    json!({
        "author": format!("Author {number}"), "author_avatar_url": null, "date": date.to_string(),
        "date_precision": "day", "disclosure": null, "id": id, "language": "en",
        "mentions": {
            "service_areas": [], "services": [format!("s{}", random.below(SERVICES))],
            "technicians": [],
        },
        "owner_reply": null, "rating": if random.below(100) < 78 { 5 } else { 1 + random.below(4) },
        "source": "google", "source_url": null, "text": words.join(" "),
        "updated": format!("{date}T12:00:00Z"), "url": format!("https://bench.example/reviews/#{id}"),
        "verified": true, "verification": "platform",
    })
}

/// Low numbers are frequent.
fn word(random: &mut Random) -> String {
    let most = 1 + random.below(WORDS);
    format!("w{}", random.below(most))
}

/// A linear congruential generator (Knuth's constants): good enough to make texts of.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}
