//! `candor-manifest.json`: what the sidecar and the next build rely on.

use std::io::Read;

use contract::{
    fields::is_immutable,
    manifest::{Coding, FileEntry, Link},
};

use super::{
    project::{Project, SITE},
    review::mixed,
};

fn built() -> Project {
    let project = Project::new().reviews(mixed(30));
    project.build();
    project
}

#[test]
fn the_published_files_are_these_and_sorted() {
    let manifest = built().manifest();
    let files: Vec<String> = manifest
        .files
        .iter()
        .filter(|file| !is_review_page(&file.path))
        .map(|file| format!("{} {}\n", without_hash(file), file.media_type))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/published.txt");
    if std::env::var_os("CANDOR_TEST_BLESS").is_some() {
        std::fs::write(path, files.concat()).unwrap();
    }
    let listed = std::fs::read_to_string(path).unwrap();
    assert_eq!(files.concat(), listed, "published.txt is the list; change it knowingly");
    assert!(manifest.files.is_sorted_by_key(|file| &file.path));
}

/// The path, with a word for the hash of the bytes, which is the beginning of the tag.
fn without_hash(file: &FileEntry) -> String {
    if is_immutable(&file.path) {
        file.path.replace(&file.etag.hex()[..16], "HASH")
    } else {
        file.path.clone()
    }
}

fn is_review_page(path: &str) -> bool {
    path.starts_with("reviews/0")
}

#[test]
fn a_tag_is_the_start_of_the_blake3_hash_of_the_bytes_in_each_coding() {
    let project = built();
    for file in project.manifest().files {
        let bytes = project.bytes(&format!("public/{}", file.path));
        let tag = |bytes: &[u8]| format!("\"b3-{}\"", &blake3::hash(bytes).to_hex()[..32]);
        assert_eq!((file.length, file.etag.to_string()), (bytes.len() as u64, tag(&bytes)));
        // A review's page is one of very many, a picture of dots is compressed already; below some
        // hundred bytes a coding gains nothing.
        let picture = [".png", ".ico"].iter().any(|end| file.path.ends_with(end));
        let codings = if is_review_page(&file.path) || picture {
            0..=0
        } else {
            2 * usize::from(file.length > 300)..=2
        };
        assert!(codings.contains(&file.encodings.len()), "{}", file.path);
        for (coding, encoded) in &file.encodings {
            let sibling = project.bytes(&format!("public/{}", file.sibling(*coding)));
            assert_eq!(
                (encoded.length, encoded.etag.to_string()),
                (sibling.len() as u64, tag(&sibling))
            );
            assert!(encoded.length < file.length, "{}", file.path);
            let mut decoded = Vec::new();
            match coding {
                Coding::Brotli => {
                    brotli::Decompressor::new(&sibling[..], 4096).read_to_end(&mut decoded)
                }
                Coding::Gzip => {
                    flate2::read::GzDecoder::new(&sibling[..]).read_to_end(&mut decoded)
                }
            }
            .unwrap();
            assert_eq!(decoded, bytes, "{} {coding:?}", file.path);
            if *coding == Coding::Gzip {
                assert_eq!(sibling[4..8], [0; 4], "gzip carries no time");
            }
        }
    }
}

#[test]
fn a_sibling_that_would_not_be_smaller_does_not_exist() {
    let project = Project::new();
    project.build();
    project.assert_whole();
    let manifest = project.manifest();
    let changes = manifest.file("changes.json").unwrap();
    assert!(changes.length < 50 && changes.encodings.is_empty(), "{changes:?}");
    assert!(!project.path("public/changes.json.br").exists());
}

#[test]
fn topics_and_links_are_the_contracts() {
    let project = built();
    let manifest = project.manifest();
    let topics: Vec<(&str, &str)> =
        manifest.topics.iter().map(|topic| (topic.url.as_str(), topic.path.as_str())).collect();
    assert_eq!(
        topics,
        [
            ("https://reviews.example/feed.xml", "feed.xml"),
            ("https://reviews.example/api/feed.json", "api/feed.json"),
            ("https://reviews.example/reviews.json", "reviews.json"),
        ]
    );
    for file in &manifest.files {
        let link = |rel: &str, href: &str| Link { href: href.to_owned(), rel: rel.to_owned() };
        let expected = match topics.iter().find(|(_, path)| *path == file.path) {
            Some((url, _)) => {
                vec![link("hub", "https://reviews.example/api/websub/hub"), link("self", url)]
            }
            None => vec![],
        };
        assert_eq!(file.links, expected, "{}", file.path);
    }
    assert_eq!(manifest.base_url, "https://reviews.example");
    assert!(manifest.sidecar.is_some() && !manifest.sample);
}

#[test]
fn without_a_sidecar_there_are_no_topics() {
    let project = Project::new().reviews(mixed(3));
    project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    project.build();
    let manifest = project.manifest();
    assert!(manifest.topics.is_empty() && manifest.sidecar.is_none());
    assert!(manifest.files.iter().flat_map(|file| &file.links).all(|link| link.rel == "self"));
}

#[test]
fn times_are_whole_seconds() {
    for file in built().manifest().files {
        assert_eq!(file.modified.subsec_nanosecond(), 0, "{}", file.path);
    }
}

#[test]
fn a_site_below_a_path_links_below_it() {
    let project = Project::new().reviews(mixed(3));
    project.write(
        "content/site.toml",
        SITE.replace("https://reviews.example\"", "https://example.com/reviews-of-us/\""),
    );
    project.build();
    let manifest = project.manifest();
    assert_eq!(manifest.base_url, "https://example.com/reviews-of-us");
    assert_eq!(manifest.topics[0].url, "https://example.com/reviews-of-us/feed.xml");
    let page = project.text("public/reviews/index.html");
    assert!(
        page.contains("href=\"https://example.com/reviews-of-us/reviews/\""),
        "the whole address"
    );
    assert!(page.contains("href=\"/reviews-of-us/assets/style."), "the path on any host");
}
