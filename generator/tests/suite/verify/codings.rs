//! What a host can get wrong about compressed documents.

use std::io::Write;

use contract::{etag::ETag, manifest::Coding};

use super::{about_the_feed, faulty_site::Asked, published};

fn is_coded(asked: &Asked) -> bool {
    asked.field("accept-encoding") == "gzip"
}

#[test]
fn a_coding_hides_the_same_document_and_revalidates() {
    let project = published();
    let manifest = project.manifest();
    let file = manifest.file("feed.xml").unwrap();
    let expected = format!("expected {} bytes with the tag {}", file.length, file.etag);
    let remedy = "publish the files together with their manifest, and let no host or edge rewrite them; an edge may still have older ones";
    about_the_feed(
        &project,
        |asked, told| {
            if is_coded(asked) && told.status == 200 {
                told.body = b"no gzip at all".to_vec();
            }
        },
        format!(
            "FAIL  codings        /feed.xml (gzip): {expected}, found it does not decode as gzip: invalid gzip header; {remedy}"
        ),
    );
    let other = gzip(b"another document");
    about_the_feed(
        &project,
        move |asked, told| {
            if is_coded(asked) && told.status == 200 {
                told.body = other.clone();
            }
        },
        format!(
            "FAIL  codings        /feed.xml (gzip): {expected}, found 16 bytes with the tag {}; {remedy}",
            ETag::of(b"another document")
        ),
    );
    let (bytes, bomb) = (project.bytes("public/feed.xml"), gzip(&vec![b' '; 50 << 20]));
    about_the_feed(
        &project,
        move |asked, told| {
            if is_coded(asked) && told.status == 200 {
                told.body = bomb.clone();
            }
        },
        format!(
            "FAIL  codings        /feed.xml (gzip): {expected}, found more than {} bytes; {remedy}",
            bytes.len()
        ),
    );
    let sibling = file.encodings[&Coding::Gzip].etag.to_string();
    let again = gzip(&bytes);
    let line = format!(
        "FAIL  codings        /feed.xml (gzip): expected the bytes {sibling} belongs to, found those of {}; caches would mix two versions: send the published precompressed file, or the host's own ETag",
        ETag::of(&again)
    );
    about_the_feed(
        &project,
        move |asked, told| {
            if is_coded(asked) && told.status == 200 {
                told.body = again.clone();
            }
        },
        line,
    );
    // As Apache's mod_deflate does it.
    about_the_feed(
        &project,
        |asked, told| {
            if is_coded(asked) {
                told.status = 200;
                told.set("ETag", "\"1f-63-gzip\"");
            }
        },
        "FAIL  codings        /feed.xml (gzip): expected 304 to If-None-Match: \"1f-63-gzip\", found 200; every client downloads every document again: disable the compression or proxy that changes ETags, or use the configuration of `candor host`",
    );
}

/// As edges do that compress on the fly.
#[test]
fn two_codings_with_one_strong_tag_are_a_warning() {
    let project = published();
    let manifest = project.manifest();
    let file = manifest.file("feed.xml").unwrap();
    let (plain, sibling) = (file.etag.to_string(), file.encodings[&Coding::Gzip].etag.to_string());
    let line = format!(
        "warn  codings        /feed.xml (gzip): expected {sibling}, found {plain}, as without a coding; caches may join parts of two codings: serve the published .br and .gz files, or let the edge weaken the tag"
    );
    about_the_feed(
        &project,
        move |asked, told| {
            if is_coded(asked) {
                told.set("ETag", &plain);
                if asked.field("if-none-match") == plain {
                    told.status = 304;
                    told.body.clear();
                }
            }
        },
        line,
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
