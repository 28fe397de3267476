//! What a build publishes of the log, and that a site without one publishes what it always did.

use std::collections::BTreeMap;

use jiff::Timestamp;
use review_log::WitnessKey;
use serde_json::json;

use super::{CHECKPOINT, add, built, edit, lines, logged};
use crate::{
    project::{Project, SITE},
    review::{id, mixed},
};

/// The published files of the log with their media types.
fn files(project: &Project) -> BTreeMap<String, String> {
    let manifest = project.manifest();
    let is_log = |path: &str| path.starts_with("log/") || path.contains("candor-log");
    let files = manifest.files.into_iter().filter(|file| is_log(&file.path));
    files.map(|file| (file.path, file.media_type)).collect()
}

#[test]
fn the_files_are_those_of_tlog_tiles() {
    let project = built(3);
    let expected = [
        (".well-known/candor-log.json", "application/json"),
        ("log/checkpoint", "text/plain; charset=utf-8"),
        ("log/salts.json", "application/json"),
        ("log/tile/0/000.p/4", "application/octet-stream"),
        ("log/tile/entries/000.p/4", "application/octet-stream"),
    ];
    let expected = expected.map(|(path, media_type)| (path.to_owned(), media_type.to_owned()));
    let receipt = |at| (format!("log/proof/{}.tlog-proof", id(at)), expected[3].1.clone());
    let receipts = (0..3).map(receipt);
    assert_eq!(
        files(&project),
        expected.clone().into_iter().chain(receipts).collect::<BTreeMap<_, _>>()
    );
    assert_eq!(project.text("public/log/checkpoint"), project.text(CHECKPOINT));
    assert_eq!(project.bytes("public/log/tile/0/000.p/4").len(), 4 * 32);
    let bundle = project.bytes("public/log/tile/entries/000.p/4");
    let expected: Vec<u8> = lines(&project)
        .iter()
        .flat_map(|line| [&(line.len() as u16).to_be_bytes(), line.as_bytes()].concat())
        .collect();
    assert_eq!(bundle, expected);
    let keys = project.json("public/.well-known/candor-log.json");
    let settings = project.text("content/log/log.toml");
    let key = settings.split('"').nth(3).unwrap();
    assert_eq!(
        keys,
        json!({
            "version": 1, "origin": "reviews.example/log", "keys": [key],
            "log": "https://reviews.example/log",
        })
    );
    let salts = project.json("public/log/salts.json");
    assert_eq!(salts["version"], 1);
    let ids: Vec<&String> = salts["salts"].as_object().unwrap().keys().collect();
    assert_eq!(ids, [&id(0), &id(1), &id(2)]);
    project.assert_whole();
}

#[test]
fn full_tiles_stay_as_they_are_when_the_log_grows() {
    let project = built(300);
    let full = ["log/tile/0/000", "log/tile/entries/000"];
    let before = full.map(|path| project.bytes(&format!("public/{path}")));
    assert_eq!(before[0].len(), 256 * 32);
    assert!(files(&project).contains_key("log/tile/0/001.p/45"), "{:?}", files(&project));
    assert!(files(&project).contains_key("log/tile/1/000.p/1"));
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    project.build();
    assert_eq!(full.map(|path| project.bytes(&format!("public/{path}"))), before);
    assert!(!files(&project).contains_key("log/tile/0/001.p/45"), "{:?}", files(&project));
    assert!(files(&project).contains_key("log/tile/0/001.p/47"));
    project.assert_whole();
}

#[test]
fn entries_are_precompressed_and_hashes_are_not() {
    let project = built(300);
    let manifest = project.manifest();
    let codings = |path: &str| manifest.file(path).unwrap().encodings.len();
    assert!(codings("log/tile/entries/000") >= 2);
    assert!(codings("log/salts.json") >= 2);
    assert_eq!((codings("log/tile/0/000"), codings("log/checkpoint")), (0, 0));
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    let project = built(5);
    let before = project.tree("public");
    project.build();
    assert_eq!(project.tree("public"), before);
    let build = ["build", "--clean", "--public", "again"];
    project.candor(build).exits(0);
    let again = project.tree("again");
    for (path, bytes) in before.iter().filter(|(path, _)| *path != "candor-manifest.json") {
        assert!(again.get(path) == Some(bytes), "{path}");
    }
    project.candor(["log", "add", "--exit-code"]).exits(2);
}

#[test]
fn a_site_without_a_log_has_no_trace_of_one() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert_eq!(files(&project), BTreeMap::new());
    for (path, bytes) in project.tree("public") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("candor-log") && !text.contains("/log/checkpoint"), "{path}");
    }
    let about = project.text("public/about-these-reviews/index.html");
    assert!(!about.contains(" log"), "an ordinary site lacks nothing: {about}");
    assert!(!project.path("content/log").exists());
}

#[test]
fn the_page_about_the_reviews_names_the_log_and_its_key_in_every_language() {
    for (language, words) in [
        ("en", "which can only grow"),
        ("de", "das nur wachsen kann"),
        ("es", "que solo puede crecer"),
        ("fr", "qui ne peut que croître"),
        ("nl", "dat alleen kan groeien"),
    ] {
        let project = logged(2);
        let site = SITE.replace("language = \"en\"", &format!("language = \"{language}\""));
        project.write("content/site.toml", site);
        project.build();
        let about = project.text("public/about-these-reviews/index.html");
        let settings = project.text("content/log/log.toml");
        let key = settings.split('"').nth(3).unwrap();
        let plain = about.replace("&#x2f;", "/").replace("&#43;", "+").replace("&#x3d;", "=");
        for expected in [words, "reviews.example/log", key] {
            assert!(plain.contains(expected), "{language}: {expected} is not in {plain}");
        }
    }
}

#[test]
fn a_site_without_pages_has_its_log_too() {
    let project = logged(2);
    project.write("content/site.toml", format!("{SITE}[site]\npages = false\n"));
    project.build();
    assert_eq!(files(&project).len(), 5);
}

#[test]
fn hosts_have_one_rule_for_all_tiles() {
    let project = logged(300);
    project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    project.build();
    for (host, file, rule) in [
        ("netlify", "public/_headers", "/log/tile/*\n  Content-Type: application/octet-stream\n"),
        (
            "cloudflare",
            "public/_headers",
            "/log/tile/*\n  Content-Type: application/octet-stream\n",
        ),
        ("vercel", "public/vercel.json", "\"/log/tile/(.*)\""),
        ("vercel", "public/vercel.json", "\"/log/proof/(.*)\""),
        ("netlify", "public/_headers", "/log/proof/*\n  Content-Type: application/octet-stream\n"),
        ("s3", "hosts/s3/upload.sh", "all application/octet-stream --include 'log/tile/*'\n"),
        (
            "apache",
            "hosts/apache/candor.conf",
            "<LocationMatch \"^/log/tile/\">\nForceType application/octet-stream\n",
        ),
        ("nginx", "hosts/nginx/candor-server.conf", "default_type application/octet-stream;"),
        ("caddy", "hosts/caddy/candor.caddyfile", "default application/octet-stream\n"),
    ] {
        project.candor(["host", host]).exits(0);
        let text = project.text(file);
        assert!(text.contains(rule), "{host}: {text}");
        assert!(!text.contains("/log/tile/0") && !text.contains("/log/proof/0"), "{host}: {text}");
    }
}

#[test]
fn a_release_with_a_shorter_log_is_not_published_again() {
    let project = logged(3);
    let build = ["build", "--releases", "releases"];
    project.candor(build).exits(0);
    // Another page, and the same log, which a witness has signed since.
    project.write("content/summary.md", "They are content.\n");
    let witness = WitnessKey::generate("witness.example").unwrap();
    let signed = witness.cosign(&project.bytes(CHECKPOINT), Timestamp::now()).unwrap();
    project.write(CHECKPOINT, signed);
    project.candor(build).exits(0);
    let back = ["rollback", "--releases", "releases"];
    project.candor(back).exits(0);
    project.candor(build).exits(0);
    edit(&project, "Words of review 1.", "Other words.");
    project.candor(["log", "add", "--key-file", super::KEY, "--releases", "releases"]).exits(0);
    project.candor(build).exits(0);
    let current = project.text("releases/current/log/checkpoint");
    let run = project.candor(back).exits(1);
    assert!(
        run.err.contains("has an older transparency log: readers who know the current one"),
        "{}",
        run.err
    );
    assert_eq!(project.text("releases/current/log/checkpoint"), current);
}
