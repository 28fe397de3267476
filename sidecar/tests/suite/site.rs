//! Little sites, published as the generator does it: files first, the manifest last, by renaming.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use contract::{
    etag::ETag,
    manifest::{
        Coding, Encoded, FileEntry, Link, MANIFEST_FORMAT, MANIFEST_PATH, Manifest, SidecarAddress,
        Topic,
    },
    security::Security,
};
use flate2::{Compression, write::GzEncoder};
use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;

use crate::listing::{document, review, saying};

pub(crate) const ORIGIN: &str = "https://shop.example";

/// When every file of a site last changed.
pub(crate) const MODIFIED: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

/// Longer than what is held in memory.
pub(crate) const BIG: usize = 700_007;

/// Longer than what the sockets between two processes buffer.
const HUGE: usize = 24 * 1024 * 1024;

/// A site and the directory it is published to; both vanish with it.
pub(crate) struct Site {
    directory: TempDir,
    files: BTreeMap<String, Vec<u8>>,
    published_at: i64,
    /// When its files last changed.
    pub(crate) modified: Timestamp,
    /// The sidecar's own address.
    pub(crate) sidecar: Option<String>,
    pub(crate) origin: String,
    pub(crate) id_base: String,
    pub(crate) previous: Vec<String>,
    pub(crate) topics: Vec<&'static str>,
    pub(crate) security: Security,
}

impl Site {
    /// A site that is written but not published.
    pub(crate) fn unpublished() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("public")).unwrap();
        let mut site = Self {
            directory,
            files: BTreeMap::new(),
            published_at: 1_000,
            modified: "1994-11-06T08:49:37Z".parse().unwrap(),
            sidecar: None,
            origin: ORIGIN.into(),
            id_base: String::new(),
            previous: Vec::new(),
            topics: vec!["feed.xml", "reviews.json"],
            security: Security::default(),
        };
        site.set("reviews.json", saying("old"));
        site.set("insights.json", "{}\n");
        site.set("feed.xml", "<feed/>\n");
        site.set("index.html", "<h1>Home</h1>\n");
        site.set("about/index.html", "<h1>About</h1>\n");
        site.set("404.html", "<h1>Nothing here</h1>\n");
        site.set("big.bin", pattern(BIG));
        site
    }

    /// A published site whose `big.bin` is under way for as long as a client does not read on.
    pub(crate) fn huge() -> Self {
        let mut site = Self::unpublished();
        site.set("big.bin", pattern(HUGE));
        site.publish();
        site
    }

    /// A published site whose whole `since` is longer than what the sockets between two processes
    /// buffer.
    pub(crate) fn long() -> Self {
        let text = "Clean work, on time. ".repeat(400);
        let reviews: Vec<_> =
            (1..=3_000).map(|n| review(n, "2025-01-01", 5, Some(&format!("{n} {text}")))).collect();
        let mut site = Self::unpublished();
        site.set("reviews.json", document(&json!({}), &reviews));
        site.publish();
        site
    }

    /// A published site.
    pub(crate) fn new() -> Self {
        let site = Self::unpublished();
        site.publish();
        site
    }

    pub(crate) fn set(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    pub(crate) fn unset(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// The site's next publication is this many seconds later (or earlier).
    pub(crate) fn later_by(&mut self, seconds: i64) {
        self.published_at += seconds;
    }

    pub(crate) fn public(&self) -> PathBuf {
        self.directory.path().join("public")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.directory.path().join("state")
    }

    pub(crate) fn bytes(&self, path: &str) -> &[u8] {
        &self.files[path]
    }

    /// What is sent in a coding. Only `reviews.json` is precompressed.
    pub(crate) fn encoded(&self, path: &str, coding: Coding) -> Vec<u8> {
        let bytes = self.bytes(path);
        match coding {
            Coding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            // The sidecar sends siblings as they are: any bytes will do.
            other => [other.token().as_bytes(), b": ", bytes].concat(),
        }
    }

    pub(crate) fn tag(&self, path: &str) -> String {
        ETag::of(self.bytes(path)).to_string()
    }

    pub(crate) fn manifest(&self) -> Manifest {
        let origin = &self.origin;
        let topic = |path: &&str| Topic { url: format!("{origin}/{path}"), path: (*path).into() };
        let all: Vec<_> = self.files.values().flatten().copied().collect();
        Manifest {
            format: MANIFEST_FORMAT,
            build_id: ETag::of(&all),
            generator: None,
            published_at: Timestamp::from_second(1_700_000_000 + self.published_at).unwrap(),
            base_url: origin.clone(),
            id_base: self.id_base.clone(),
            previous_base_urls: self.previous.clone(),
            sample: false,
            security: self.security.clone(),
            sidecar: self.sidecar.clone().map(|url| SidecarAddress { url: Some(url) }),
            topics: self.topics.iter().map(topic).collect(),
            files: self.files.keys().map(|path| self.entry(path)).collect(),
            host_files: Vec::new(),
        }
    }

    fn entry(&self, path: &str) -> FileEntry {
        let mut encodings = BTreeMap::new();
        let mut links = Vec::new();
        if path == "reviews.json" {
            for coding in Coding::ALL {
                let bytes = self.encoded(path, coding);
                let (length, etag) = (bytes.len() as u64, ETag::of(&bytes));
                encodings.insert(coding, Encoded { length, etag });
            }
            let link = |href: String, rel: &str| Link { href, rel: rel.into() };
            links.push(link(format!("{}/api/websub/hub", self.origin), "hub"));
            links.push(link(format!("{}/{path}", self.origin), "self"));
        }
        FileEntry {
            path: path.into(),
            media_type: media_type(path).into(),
            length: self.bytes(path).len() as u64,
            etag: ETag::of(self.bytes(path)),
            encodings,
            modified: self.modified,
            links,
        }
    }

    pub(crate) fn publish(&self) {
        self.publish_files();
        self.publish_manifest();
    }

    /// Everything but the manifest.
    pub(crate) fn publish_files(&self) {
        for (path, bytes) in &self.files {
            self.write(path, bytes);
            for coding in self.entry(path).encodings.keys() {
                let sibling = format!("{path}{}", coding.suffix());
                self.write(&sibling, &self.encoded(path, *coding));
            }
        }
    }

    pub(crate) fn publish_manifest(&self) {
        self.write(MANIFEST_PATH, &self.manifest().to_json());
    }

    /// Replaces one file, whatever any manifest says of it.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.public().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let staged = self.directory.path().join("staged");
        fs::write(&staged, bytes).unwrap();
        fs::rename(&staged, &path).unwrap();
    }

    pub(crate) fn remove(&self, path: impl AsRef<Path>) {
        fs::remove_file(self.public().join(path)).unwrap();
    }

    /// The names of the objects in the state directory.
    pub(crate) fn objects(&self) -> Vec<String> {
        let entries = fs::read_dir(self.state().join("objects")).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn pattern(length: usize) -> Vec<u8> {
    let piece: Vec<u8> = (0..65_521_usize).map(|at| (at * 31 / 7) as u8).collect();
    piece.into_iter().cycle().take(length).collect()
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
        "json" => "application/json",
        "xml" => "application/atom+xml",
        "html" => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}
