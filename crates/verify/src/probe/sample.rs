//! Chooses the documents of a large site that are requested.

use crate::judge::documents::address;
use contract::manifest::{FileEntry, Manifest};

/// Pages that are deeper than one folder: up to here all are requested, beyond it this many.
pub(crate) const SAMPLE: usize = 200;

/// Returns all documents, or all but most of the pages below lists: of those [`SAMPLE`], which depend on the
/// build id, so that a second run checks the same pages of a publication, and others of the next one.
pub(crate) fn chosen(manifest: &Manifest, all: bool) -> Vec<&FileEntry> {
    let files = manifest.files.iter().filter(|file| address(file).is_some());
    let (mut deep, mut chosen): (Vec<_>, Vec<_>) = files.partition(|file| is_deep_page(file));
    if !all && deep.len() > SAMPLE {
        let key = |file: &&FileEntry| {
            let mut hash = blake3::Hasher::new();
            hash.update(manifest.build_id.as_str().as_bytes()).update(file.path.as_bytes());
            *hash.finalize().as_bytes()
        };
        deep.sort_by_cached_key(key);
        deep.truncate(SAMPLE);
    }
    chosen.append(&mut deep);
    chosen.sort_by(|a, b| a.path.cmp(&b.path));
    chosen
}

/// A review's page, a list's second page: there may be a hundred thousand.
fn is_deep_page(file: &FileEntry) -> bool {
    file.media_type.starts_with("text/html") && file.path.matches('/').count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::etag::ETag;

    fn manifest(build: &[u8], reviews: usize) -> Manifest {
        let file = |path: String, media_type: &str| {
            serde_json::json!({
                "path": path, "media_type": media_type, "length": 0, "etag": ETag::of(b""),
                "modified": "2026-01-01T00:00:00Z",
            })
        };
        let pages = (0..reviews).map(|n| file(format!("reviews/{n:05}/index.html"), "text/html"));
        let rest =
            ["404.html", "index.html", "faq/index.html"].map(|p| file(p.into(), "text/html"));
        let data = ["a/b/c.json", "reviews.json"].map(|p| file(p.into(), "application/json"));
        let mut files: Vec<_> = pages.chain(rest).chain(data).collect();
        files.sort_by_key(|file| file["path"].as_str().map(str::to_owned));
        let json = serde_json::json!({
            "format": 1, "build_id": ETag::of(build), "published_at": "2026-01-01T00:00:00Z",
            "base_url": "https://x.example", "sidecar": null, "topics": [], "files": files,
        });
        Manifest::from_json(json.to_string().as_bytes()).unwrap()
    }

    fn paths<'a>(chosen: &[&'a FileEntry]) -> Vec<&'a str> {
        chosen.iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn a_small_site_is_walked_whole() {
        let manifest = manifest(b"1", SAMPLE);
        assert_eq!(chosen(&manifest, false).len(), SAMPLE + 4);
        assert_eq!(paths(&chosen(&manifest, false)), paths(&chosen(&manifest, true)));
    }

    #[test]
    fn of_many_pages_a_sample_is_taken_that_changes_with_the_publication() {
        let (one, two) = (manifest(b"1", 5_000), manifest(b"2", 5_000));
        let (a, again, b) = (chosen(&one, false), chosen(&one, false), chosen(&two, false));
        assert_eq!(a.len(), SAMPLE + 4);
        assert_eq!(paths(&a), paths(&again));
        assert_ne!(paths(&a), paths(&b));
        for path in ["index.html", "faq/index.html", "a/b/c.json", "reviews.json"] {
            assert!(paths(&a).contains(&path), "{path}");
        }
        assert!(paths(&a).is_sorted());
        assert_eq!(chosen(&one, true).len(), 5_004);
    }
}
