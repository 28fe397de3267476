//! The sites of a history and their publications: each version changes the bytes of some topics.

use std::{
    cell::RefCell,
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    time::Duration,
};

use contract::{etag::ETag, manifest::Manifest};
use serde_json::json;

use crate::{
    publication::snapshot::Snapshot,
    sites::{
        Publications, Sites,
        site::{LoadingThreads, Site},
    },
    source::Objects,
};

/// The topics of every site.
pub(super) const TOPICS: [&str; 2] = ["feed.xml", "api/feed.json"];

/// The number of sites where a sidecar serves a list.
pub(super) const SITES: usize = 2;

/// Returns the name of a site in the store.
pub(super) fn site_name(has_list: bool, site: usize) -> String {
    if has_list { format!("site{site}.example") } else { String::new() }
}

/// Returns the version in which a topic last changed: the second changes in every other one.
pub(super) fn content_version(topic: usize, version: u32) -> u32 {
    if topic == 0 { version } else { version / 2 * 2 }
}

/// Returns the bytes of a topic.
pub(super) fn body(site: usize, topic: usize, version: u32) -> String {
    format!("{site} {topic} {}", content_version(topic, version))
}

/// The folder of a worker: publications that were made, and lists of sites.
pub(super) struct Shelf {
    folder: PathBuf,
    objects: Objects,
    made: RefCell<HashMap<(usize, u32), Arc<Snapshot>>>,
}

impl Shelf {
    pub(super) fn new(folder: &Path) -> Self {
        for site in 0..SITES {
            fs::create_dir_all(folder.join("sites").join(site_name(true, site))).unwrap();
        }
        let objects = Objects::open(folder).unwrap();
        Self { folder: folder.to_path_buf(), objects, made: RefCell::default() }
    }

    /// Returns the publication of a site with this version.
    pub(super) fn snapshot(&self, site: usize, version: u32) -> Arc<Snapshot> {
        let mut made = self.made.borrow_mut();
        made.entry((site, version)).or_insert_with(|| Arc::new(self.make(site, version))).clone()
    }

    fn make(&self, site: usize, version: u32) -> Snapshot {
        let base = format!("https://site{site}.example");
        let mut files = Vec::new();
        let mut file = |path: &str, bytes: &str| {
            let tag = ETag::of(bytes.as_bytes());
            fs::write(self.objects.path(&tag), bytes).unwrap();
            files.push(json!({
                "path": path, "media_type": "text/plain", "length": bytes.len(), "etag": tag,
                "modified": "2026-01-01T00:00:00Z"
            }));
        };
        let reviews = json!({
            "generated_at": "2026-01-01T00:00:00Z", "business": {}, "aggregate_rating": null,
            "sources": [], "moderation": {}, "reviews": []
        });
        file("reviews.json", &reviews.to_string());
        for (topic, path) in TOPICS.into_iter().enumerate() {
            file(path, &body(site, topic, version));
        }
        // As in any manifest.
        files.sort_by_key(|file| file["path"].to_string());
        let topics = TOPICS.map(|path| json!({ "url": format!("{base}/{path}"), "path": path }));
        let manifest = json!({
            "format": 1, "build_id": ETag::of(format!("{site} {version}").as_bytes()),
            "published_at": format!("2026-01-01T{:02}:{:02}:00Z", version / 60, version % 60),
            "base_url": base, "previous_base_urls": [], "sidecar": null, "topics": topics,
            "files": files
        });
        let bytes = manifest.to_string();
        let manifest = Manifest::from_json(bytes.as_bytes()).unwrap();
        Snapshot::new(manifest, bytes.into(), false, &self.objects, None).unwrap()
    }

    /// Makes the sites of a process, none of them loaded.
    pub(super) fn sites(&self, has_list: bool) -> (Arc<Sites>, Arc<LoadingThreads>) {
        let folder = self.folder.join("sites");
        let publications =
            if has_list { Publications::Many(folder) } else { Publications::One(folder.into()) };
        // Nobody receives: the history looks for sites that wait itself.
        let loading = LoadingThreads::new(vec![mpsc::channel().0]);
        let threads = [loading.clone(), loading.clone()];
        let sites = Sites::new(&publications, u64::MAX, Duration::ZERO, threads).unwrap();
        (Arc::new(sites), loading)
    }
}

/// Makes a publication of a site current, as the thread that loads it does.
pub(super) fn load(sites: &Sites, site: &Arc<Site>, snapshot: Arc<Snapshot>) {
    site.published.replace(snapshot);
    sites.was_loaded(site, 1);
    site.was_tried();
}
