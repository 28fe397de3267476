//! What may be wrong with a publication whose bytes all arrive.

use std::sync::atomic::{AtomicUsize, Ordering};

use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};

use super::{Run, assert_complains, complaints, faulty_site::FaultySite, published, verify};
use crate::{
    project::{BUSINESS, Project, SITE},
    review::{Review, id, mixed, review},
};

const REBUILD: &str =
    "the bytes are those that were published, so a build wrote this: report it, with the versions";

/// Changes a published document and its manifest alike, as a wrong build would.
fn forge(project: &Project, path: &str, from: &str, to: &str) {
    let text = project.text(&format!("public/{path}"));
    assert!(text.contains(from), "{from} is not in {text}");
    let forged = text.replacen(from, to, 1);
    let mut manifest = project.manifest();
    let file = manifest.files.iter_mut().find(|file| file.path == path).unwrap();
    (file.length, file.etag) = (forged.len() as u64, ETag::of(forged.as_bytes()));
    file.encodings.clear();
    project.write(&format!("public/{path}"), forged);
    write_manifest(project, &manifest);
}

fn write_manifest(project: &Project, manifest: &Manifest) {
    project.write(&format!("public/{MANIFEST_PATH}"), manifest.to_json());
}

fn run(project: &Project, flags: &[&str]) -> Run {
    verify(project, &FaultySite::honest(project), flags)
}

#[test]
fn documents_that_disagree_are_named() {
    for (path, from, to, lines) in [
        (
            "reviews.json",
            "\"review_count\":3",
            "\"review_count\":4",
            vec!["reviews        /reviews.json: expected aggregate_rating {\"average\":2.0,\"best\":5,\"distribution\":{\"1\":1,\"2\":1,\"3\":1,\"4\":0,\"5\":0},\"review_count\":3,\"worst\":1}, found aggregate_rating {\"average\":2.0,\"best\":5,\"distribution\":{\"1\":1,\"2\":1,\"3\":1,\"4\":0,\"5\":0},\"review_count\":4,\"worst\":1}".to_owned()],
        ),
        (
            "reviews.json",
            "\"verified\":true",
            "\"verified\":false",
            vec!["reviews        /reviews.json: expected 0 unverified reviews, found 1 unverified reviews".to_owned()],
        ),
        (
            "insights.json",
            "\"review_count\":3",
            "\"review_count\":2",
            vec!["agreement      /insights.json: expected 3 reviews, each of them published, found 2 reviews".to_owned()],
        ),
        (
            "api/feed.json",
            "https://jsonfeed.org/version/1.1",
            "https://jsonfeed.org/version/1",
            vec!["feeds          /api/feed.json: expected version \"https://jsonfeed.org/version/1.1\", found version \"https://jsonfeed.org/version/1\"".to_owned()],
        ),
        (
            "feed.xml",
            "rel=\"self\"",
            "rel=\"via\"",
            vec!["feeds          /feed.xml: expected the self link https://reviews.example/feed.xml, found no self link".to_owned()],
        ),
        (
            "feed.xml",
            &format!("reviews/{}</id>", id(2)),
            &format!("reviews/{}</id>", id(9)),
            vec![format!("feeds          /feed.xml: expected the entry tag:…/{}, found the entry tag:reviews.example,2026-01-01:reviews/{}", id(2), id(9))],
        ),
        (
            "changes.json",
            "\"added\"",
            "\"removed\"",
            vec![format!("agreement      /changes.json: expected a newest change of each review that fits reviews.json, found {} is removed and published", id(2))],
        ),
    ] {
        let project = published();
        forge(&project, path, from, to);
        let expected: Vec<_> =
            lines.into_iter().map(|line| format!("FAIL  {line}; {REBUILD}")).collect();
        assert_complains(&run(&project, &[]), &expected);
    }
}

#[test]
fn older_changes_are_in_files_that_are_read_too() {
    let site = format!("{SITE}[site]\nreview_pages = false\n[sidecar]\nenabled = false\n");
    let reviews: Vec<Review> = (0..501).map(|n| review(n % 300).with("id", id(n))).collect();
    let published = || {
        let project = Project::new().file("content/site.toml", &site).reviews(&reviews);
        project.build();
        project
    };
    assert_complains(&run(&published(), &[]), &[]);
    let oldest = published().json("public/changes-1.json")["changes"][0]["id"].clone();
    let removed = format!(
        "a newest change of each review that fits reviews.json, found {} is removed and published",
        oldest.as_str().unwrap()
    );
    for (path, from, to, expected) in [
        ("changes-1.json", "\"added\"", "\"removed\"", removed.as_str()),
        (
            "changes.json",
            "changes-1",
            "changes",
            "the name of a file of older changes, found changes.json",
        ),
    ] {
        let project = published();
        forge(&project, path, from, to);
        let line = format!("FAIL  agreement      /changes.json: expected {expected}; {REBUILD}");
        assert_complains(&run(&project, &[]), &[line]);
    }
}

#[test]
fn a_sample_and_a_local_site_pass_as_a_preview_only() {
    let site = SITE.replace("https://reviews.example", "http://127.0.0.1:8080");
    let site = format!("{site}sample = true\n[sidecar]\nenabled = false\n");
    let project = Project::new().file("content/site.toml", site).reviews(mixed(1));
    project.build();
    assert_complains(&run(&project, &[]), &[
        "FAIL  site           candor-manifest.json: expected a real business, found a sample: its reviews are invented; put in your own reviews and set sample = false in site.toml, or verify with --preview".to_owned(),
        "FAIL  site           candor-manifest.json: expected a public base_url, found http://127.0.0.1:8080; set base_url in site.toml to the public address and publish again, or verify with --preview".to_owned(),
    ]);
    let preview = run(&project, &["--preview"]);
    assert_complains(&preview, &[]);
    assert!(
        preview.out.contains(
            "skip  site           a preview: sample and local address are not looked at\n"
        )
    );
}

#[test]
fn an_old_publication_is_too_old_where_asked() {
    let project = published();
    assert_complains(&run(&project, &["--max-age", "14d"]), &[]);
    let mut manifest = project.manifest();
    manifest.published_at = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * 15 + 1);
    write_manifest(&project, &manifest);
    let at = manifest.published_at;
    assert_complains(&run(&project, &[]), &[]);
    assert_complains(
        &run(&project, &["--max-age", "14d"]),
        &[format!(
            "FAIL  age            candor-manifest.json: expected published within the last 14 d, found published 15 d ago, at {at}; publish again"
        )],
    );
}

/// Words that were published yesterday say nothing about imports.
#[test]
fn where_there_were_imports_the_newest_counts() {
    let project = published();
    let text = project.text("public/reviews.json");
    assert!(text.contains("\"last_import\":null"), "{text}");
    forge(
        &project,
        "reviews.json",
        "\"last_import\":null",
        "\"last_import\":\"2020-02-01T00:00:00Z\"",
    );
    let run = run(&project, &["--max-age", "2000d"]);
    let line = complaints(&run).join("\n");
    assert!(line.starts_with("FAIL  age            reviews.json: expected imported within the last 2000 d, found imported "), "{line}");
    assert!(line.ends_with(" d ago, at 2020-02-01T00:00:00Z; look why the scheduled import stopped, import and publish"), "{line}");
}

#[test]
fn a_publication_in_between_is_read_again_once() {
    let project = published();
    let asked_for = AtomicUsize::new(0);
    let faulty_site = FaultySite::telling(&project, move |asked, told| {
        if asked.path == format!("/{MANIFEST_PATH}")
            && asked_for.fetch_add(1, Ordering::SeqCst) == 0
        {
            told.body.push(b'\n');
            told.unset("ETag");
        }
    });
    let run = verify(&project, &faulty_site, &[]);
    assert_complains(&run, &[]);
    assert!(run.out.contains("ok    run            one publication, in time (1); a new publication came in between, so all was read again\n"), "{}", run.out);
}

#[test]
fn a_site_that_changes_all_the_time_is_no_publication() {
    let project = published();
    let asked_for = AtomicUsize::new(0);
    let faulty_site = FaultySite::telling(&project, move |asked, told| {
        if asked.path == format!("/{MANIFEST_PATH}") && told.status == 200 {
            let blanks = asked_for.fetch_add(1, Ordering::SeqCst);
            told.body.extend(vec![b'\n'; blanks]);
            let tag = ETag::of(&told.body);
            told.set("ETag", tag.as_str());
        }
    });
    let run = verify(&project, &faulty_site, &[]);
    let last = "FAIL  run            candor-manifest.json: expected one publication, found a new one while the last was read, twice; verify again when the publication is through";
    assert_eq!(complaints(&run).last(), Some(&last), "{}", run.out);
}

#[test]
fn a_sidecar_that_is_not_there_is_missed() {
    let project = Project::new().file("content/business.toml", BUSINESS).reviews(mixed(3));
    project.build();
    let run = run(&project, &[]);
    let found = complaints(&run);
    let remedy = "or publish with [sidecar] enabled = false";
    assert_eq!(found.len(), 4, "{}", run.out);
    for (line, start) in found.iter().zip([
        "FAIL  search         /api/reviews/search?limit=1: expected 200, found 404: ",
        "FAIL  since          /api/reviews/since/2026-",
        "FAIL  mcp            /mcp initialize: expected 200, found 404: ",
        "FAIL  hub            /api/websub/hub with a plain-http callback: expected 400 with a reason that says https, found 404: ",
    ]) {
        assert!(line.starts_with(start) && line.ends_with(remedy), "{line}");
    }
}
