//! Receipts of reviews: what is published, and what `candor verify --log --receipt` says of them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    CHECKPOINT, KEY, add, built, edit,
    keys::{NEW, keys, rotate},
    lines,
    live::verify,
    logged,
};
use crate::{
    project::{Project, Run, SITE},
    review::{id, mixed},
    verify::faulty_site::FaultySite,
};

const EARLIER: &str = "content/log/checkpoints.ndjson";

fn path(at: usize) -> String {
    format!("log/proof/{}.tlog-proof", id(at))
}

/// The published receipts by their paths.
fn receipts(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let is_one = |path: &String| path.ends_with(".tlog-proof");
    project.tree("public").into_iter().filter(|(path, _)| is_one(path)).collect()
}

/// What the log says of the receipt in a file, without the lines about the rest.
fn check(project: &Project, receipt: &str) -> Run {
    let mut run = verify(project, &FaultySite::honest(project), &["--receipt", receipt]);
    let is_about = |line: &&str| line.contains("receipt");
    run.out = run.out.lines().filter(is_about).map(|line| format!("{line}\n")).collect();
    run
}

fn keep(project: &Project, at: usize) {
    project.write("kept", project.bytes(&format!("public/{}", path(at))));
}

#[test]
fn each_page_of_a_review_offers_its_receipt_in_every_language() {
    let project = logged(2);
    for (language, name, sentence) in [
        (
            "en",
            "Receipt",
            "Keep the receipt: with it anybody can see if the review is ever changed or dropped.",
        ),
        (
            "de",
            "Nachweis",
            "Bewahren Sie den Nachweis auf: Mit ihm lässt sich feststellen, ob die Bewertung je geändert oder weggelassen wird.",
        ),
        (
            "es",
            "Recibo",
            "Guarde el recibo: con él cualquiera puede ver si la reseña se cambia o se retira alguna vez.",
        ),
        (
            "fr",
            "Reçu",
            "Conservez le reçu : il permet de voir si l’avis est un jour modifié ou retiré.",
        ),
        (
            "nl",
            "Ontvangstbewijs",
            "Bewaar het ontvangstbewijs: daarmee kan iedereen zien of de beoordeling ooit wordt gewijzigd of weggelaten.",
        ),
    ] {
        let site = SITE.replace("language = \"en\"", &format!("language = \"{language}\""));
        project.write("content/site.toml", site);
        project.build();
        let page = project.text(&format!("public/reviews/{}/index.html", id(1)));
        let page = page.replace("&#x2f;", "/").replace('\u{a0}', " ");
        let link = format!("<a href=\"/{}\" download>{name}</a>", path(1));
        assert!(page.contains(&link) && page.contains(sentence), "{language}: {page}");
    }
    let published = receipts(&project).into_keys().collect::<Vec<_>>();
    assert_eq!(published, [path(0), path(1)]);
    let media_type = project.manifest().file(&path(0)).unwrap().media_type.clone();
    assert_eq!(media_type, "application/octet-stream");
}

#[test]
fn without_a_log_or_pages_of_reviews_there_are_none() {
    let project = logged(2);
    project.write("content/site.toml", format!("{SITE}[site]\nreview_pages = false\n"));
    project.build();
    assert!(receipts(&project).is_empty());
    let project = Project::new().reviews(mixed(2));
    project.build();
    for (path, bytes) in project.tree("public") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("tlog-proof") && !text.contains("Keep the receipt"), "{path}");
    }
}

#[test]
fn a_receipt_stays_as_it_is_until_the_review_changes() {
    let project = built(3);
    // Logs of earlier versions have no such file.
    std::fs::remove_file(project.path(EARLIER)).unwrap();
    project.build();
    let before = receipts(&project);
    for words in ["Other words.", "Yet other words."] {
        let from = if words == "Other words." { "Words of review 1." } else { "Other words." };
        edit(&project, from, words);
        add(&project).exits(0);
        project.build();
    }
    assert_eq!(project.text(EARLIER).lines().count(), 2);
    let after = receipts(&project);
    let changed = before.keys().filter(|path| before[*path] != after[*path]);
    assert_eq!(changed.collect::<Vec<_>>(), [&path(1)]);
}

#[test]
fn a_receipt_shows_whether_its_review_was_changed_or_dropped() {
    let project = built(3);
    keep(&project, 1);
    let run = check(&project, "kept").exits(0);
    let (start, end) = (
        format!("receipt: the review {} is published as it was on ", id(1)),
        "; the log has nothing newer about it\n",
    );
    assert!(run.out.contains(&start) && run.out.ends_with(end), "{}", run.out);
    edit(&project, "Words of review 0.", "Words of the first review.");
    add(&project).exits(0);
    project.build();
    check(&project, "kept").exits(0).says(end);

    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    project.candor(["hide", &id(1), "--reason", "off_topic"]).exits(0);
    add(&project).exits(0);
    project.build();
    let run = check(&project, "kept").exits(0);
    let said = format!("receipt: the review {} was published on ", id(1));
    let rest = run.out.split_once(&said).unwrap().1;
    let since: Vec<&str> = rest
        .split(": ")
        .nth(1)
        .unwrap()
        .split(", ")
        .map(|it| it.split(' ').next().unwrap())
        .collect();
    assert_eq!(since, ["changed", "withheld"], "{}", run.out);
    let run = verify(&project, &FaultySite::honest(&project), &["--receipt", "kept", "--json"]);
    let report: Value = serde_json::from_str(&run.exits(0).out).unwrap();
    assert_eq!(report["receipt"]["review"], id(1));
    assert_eq!(report["receipt"]["status"], "published");
    assert_eq!(report["receipt"]["since"][1][0], "withheld");
}

#[test]
fn a_receipt_shows_that_the_log_was_rewritten() {
    let project = built(3);
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    project.build();
    keep(&project, 1);
    // With the same key, from the beginning.
    let other = Project::new().reviews(mixed(3));
    other.candor(["log", "init", "--key-file", KEY]).exits(0);
    other.write(KEY, project.text(KEY));
    other.write("content/log/log.toml", project.text("content/log/log.toml"));
    other.write(
        CHECKPOINT,
        project
            .text(EARLIER)
            .lines()
            .next()
            .map(|line| serde_json::from_str::<String>(line).unwrap())
            .unwrap(),
    );
    add(&other).exits(0);
    other.build();
    other.write("kept", project.text("kept"));
    check(&other, "kept").exits(1).says(
        "FAIL  the log was rewritten: its first 6 entries are not those of which the owner signed the receipt\n",
    );
}

#[test]
fn what_is_no_receipt_of_this_log_is_refused() {
    let project = built(2);
    keep(&project, 1);
    project.write("changed", project.text("kept").replace("index 1", "index 0"));
    check(&project, "changed").exits(1).says(
        "FAIL  the receipt does not prove anything: the proof does not lead to the root hash of the checkpoint\n",
    );
    project.write("other", "x\n");
    check(&project, "other").exits(1).says(
        "FAIL  the receipt does not prove anything: it is not a tlog-proof of an entry about a review, or was changed\n",
    );
    let (tree, note) = (lines(&project), project.text(CHECKPOINT));
    let tree = review_log::Tree::from_leaves(&tree);
    let set = review_log::tlog_proof(tree.hashes(), (2, &tree.leaves()[2]), None, &note).unwrap();
    project.write("set", set);
    check(&project, "set")
        .exits(1)
        .says("FAIL  the receipt does not prove anything: its entry is not about a review\n");
    check(&project, "none")
        .exits(1)
        .complains("error: the receipt none cannot be read: No such file");
}

#[test]
fn a_receipt_that_a_revoked_key_signed_too_late_does_not_count() {
    let project = built(2);
    keep(&project, 1);
    edit(&project, "Words of review 0.", "Other words.");
    add(&project).exits(0);
    rotate(&project, None).exits(0);
    let keys = keys(&project);
    project.candor(["log", "revoke", &keys[0], "--from", "2001-01-01", "--key-file", NEW]).exits(0);
    project.build();
    assert_eq!(project.text(EARLIER), "");
    let run = check(&project, "kept").exits(1);
    run.says(&format!(
        "and it is signed by {} alone, which was revoked: its signatures do not count from 2001-01-01 on\n",
        keys[0]
    ));
    keep(&project, 1);
    check(&project, "kept").exits(0);
}

#[test]
fn an_earlier_checkpoint_that_was_changed_is_named() {
    let project = built(2);
    edit(&project, "Words of review 0.", "Other words.");
    add(&project).exits(0);
    let text =
        project.text(EARLIER).replacen("reviews.example/log\\n3", "reviews.example/log\\n2", 1);
    project.write(EARLIER, text);
    project.candor(["build"]).exits(1).complains(
        "content/log/checkpoints.ndjson:2: error[damaged-log]: this is not a checkpoint of the log;",
    );
}
