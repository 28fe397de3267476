//! `candor verify --log` against a server that is wrong in one way at a time.

use serde_json::Value;

use super::{KEY, add, built, edit, logged};
use crate::{
    project::{Project, Run},
    review::{id, mixed},
    verify::faulty_site::{Asked, FaultySite, Told},
};

/// What is said about a server, its address written as `http://site/`.
pub(super) fn verify(project: &Project, site: &FaultySite, flags: &[&str]) -> Run {
    let url = site.url();
    let arguments = ["verify", "--log", &url].into_iter().chain(flags.iter().copied());
    let mut run = project.candor(arguments);
    for said in [&mut run.out, &mut run.err] {
        *said = said.replace(&url, "http://site/");
    }
    run
}

/// The codes of what is wrong.
pub(super) fn codes(project: &Project, site: &FaultySite, flags: &[&str]) -> Vec<String> {
    let flags: Vec<&str> = flags.iter().copied().chain(["--json"]).collect();
    let run = verify(project, site, &flags);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:#?}"));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(run.code, i32::from(!findings.is_empty()), "{report:#}");
    assert_eq!(report["passed"], findings.is_empty());
    assert_eq!(report["proved"].is_null(), !findings.is_empty());
    let code = |finding: &Value| finding["code"].as_str().unwrap().to_owned();
    findings.iter().map(code).collect()
}

/// A site that answers each request for a path with other bytes.
pub(super) fn lying(
    project: &Project,
    path: &'static str,
    lie: impl Fn(Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
) -> FaultySite {
    FaultySite::telling(project, move |asked: &Asked, told: &mut Told| {
        if asked.path == path {
            told.body = lie(std::mem::take(&mut told.body));
        }
    })
}

/// With a text in place of another.
pub(super) fn replacing(
    project: &Project,
    path: &'static str,
    from: &'static str,
    to: &'static str,
) -> FaultySite {
    lying(project, path, move |body| {
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        text.replacen(from, to, 1).into_bytes()
    })
}

/// `reviews.json` changed as JSON.
fn with_reviews(
    project: &Project,
    change: impl Fn(&mut Value) + Send + Sync + 'static,
) -> FaultySite {
    lying(project, "/reviews.json", move |body| {
        let mut document: Value = serde_json::from_slice(&body).unwrap();
        change(&mut document);
        document.to_string().into_bytes()
    })
}

const BUNDLE: &str = "/log/tile/entries/000.p/4";
const HASHES: &str = "/log/tile/0/000.p/4";

#[test]
fn an_honest_site_is_proved_in_plain_words() {
    let project = built(3);
    let site = FaultySite::honest(&project);
    let run = verify(&project, &site, &[]).exits(0);
    let settings = project.text("content/log/log.toml");
    let key = settings.split('"').nth(3).unwrap();
    let at: Value = serde_json::from_str(super::lines(&project)[0].as_str()).unwrap();
    let at = at["at"].as_str().unwrap();
    assert_eq!(
        run.out,
        format!(
            "ok    signed: the log reviews.example/log is signed by {key}\n\
             ok    whole: its 4 entries from {at} to {at} are those that were signed, and follow from each other: 3 published\n\
             ok    complete: each of the 3 reviews in reviews.json is the one that was logged last, and none that is logged as published is missing\n\
             ok    withheld: no review is withheld, in the log as in reviews.json\n\
             skip  not proved: that the log was not rewritten before today: a checkpoint kept with --since FILE proves it the next time\n\
             skip  not proved: that these keys are the owner's, since the site itself names them: compare them with the ones published elsewhere, and give yours with --log-key KEY\n\
             skip  not proved: that pages, feeds and badges say what reviews.json says\n\
             skip  not proved: that a review is genuine, that every review of its source was imported, or what happened before it was logged\n\
             http://site/: the log proves reviews.json (4 entries); 7 requests\n"
        )
    );
    assert_eq!(codes(&project, &site, &["--log-key", key]), Vec::<String>::new());
}

#[test]
fn a_large_log_is_read_whole() {
    let project = built(600);
    let site = FaultySite::honest(&project);
    verify(&project, &site, &[]).exits(0).says("its 601 entries");
}

#[test]
fn many_findings_of_one_kind_are_counted() {
    let project = built(30);
    let site = lying(&project, "/log/salts.json", |_| br#"{"version":1,"salts":{}}"#.to_vec());
    let run = verify(&project, &site, &[]).exits(1);
    assert_eq!(run.out.matches("The salt of review ").count(), 10);
    run.says("FAIL  salt: 20 more like these; --json lists them\n");
    assert_eq!(codes(&project, &site, &[]).len(), 30);
}

#[test]
fn a_site_without_a_log_says_so() {
    let project = Project::new().reviews(mixed(2));
    project.build();
    let run = verify(&project, &FaultySite::honest(&project), &[]).exits(1);
    assert_eq!(
        run.out,
        "FAIL  the site has no transparency log: there is no /.well-known/candor-log.json, so nothing proves what it published before\n\
         http://site/: 1 thing is wrong, so nothing is proved; 1 request\n"
    );
}

#[test]
fn verify_without_the_option_mentions_the_log() {
    let project = built(2);
    let site = FaultySite::honest(&project);
    let run = project.candor(["verify", &site.url(), "--preview"]);
    run.says(&format!(
        "skip  log            the site has a transparency log, which this command checks: candor verify --log {}\n",
        site.url()
    ));
}

#[test]
fn text_stars_and_date_that_differ_from_the_log_are_found() {
    let project = built(3);
    for (from, to) in [
        ("Words of review 1.", "Other words."),
        ("\"author\":\"Ann 1\"", "\"author\":\"Bob\""),
        ("\"date\":\"2026-01-02\"", "\"date\":\"2026-01-03\""),
    ] {
        assert_eq!(
            codes(&project, &replacing(&project, "/reviews.json", from, to), &[]),
            ["record"],
            "{to}"
        );
    }
    let site = with_reviews(&project, |document| document["reviews"][1]["rating"] = 5.into());
    let found = codes(&project, &site, &[]);
    assert!(found.contains(&"record".to_owned()), "{found:?}");
    let site = with_reviews(&project, |document| {
        document["reviews"][1]["owner_reply"] = serde_json::json!({ "text": "No.", "date": null });
    });
    assert_eq!(codes(&project, &site, &[]), ["reply"]);
}

#[test]
fn a_review_that_was_dropped_or_slipped_in_is_found() {
    let project = built(3);
    let dropped = with_reviews(&project, |document| {
        document["reviews"].as_array_mut().unwrap().remove(1);
    });
    let found = codes(&project, &dropped, &[]);
    assert!(found.contains(&"missing".to_owned()), "{found:?}");
    let run = verify(&project, &dropped, &[]).exits(1);
    assert!(run.out.contains(&id(1)), "{}", run.out);
    let added = with_reviews(&project, |document| {
        let reviews = document["reviews"].as_array_mut().unwrap();
        let mut review = reviews[0].clone();
        review["id"] = id(7).into();
        reviews.push(review);
    });
    let found = codes(&project, &added, &[]);
    assert!(found.contains(&"not_logged".to_owned()), "{found:?}");
    let withheld = with_reviews(&project, |document| {
        document["moderation"]["by_reason"] = serde_json::json!({ "off_topic": 1 });
        document["moderation"]["withheld_count"] = 1.into();
    });
    let found = codes(&project, &withheld, &[]);
    assert!(!found.is_empty() && found.iter().all(|code| code == "withheld"), "{found:?}");
}

/// The entries as a bundle has them, changed.
fn with_entries(
    project: &Project,
    change: impl Fn(&mut Vec<Vec<u8>>) + Send + Sync + 'static,
) -> FaultySite {
    lying(project, BUNDLE, move |body| {
        let mut entries = review_log::parse_bundle(&body).unwrap();
        change(&mut entries);
        let bundled = entries
            .iter()
            .flat_map(|entry| [&(entry.len() as u16).to_be_bytes()[..], entry].concat());
        bundled.collect()
    })
}

#[test]
fn entries_that_were_dropped_swapped_or_changed_are_found() {
    let project = built(3);
    let dropped = with_entries(&project, |entries| {
        entries.remove(1);
    });
    let swapped = with_entries(&project, |entries| entries.swap(1, 2));
    let changed = with_entries(&project, |entries| {
        let text = String::from_utf8(entries[3].clone()).unwrap();
        entries[3] = text.replacen("\"reviews\":3", "\"reviews\":2", 1).into_bytes();
    });
    for (site, expected) in [(dropped, "size"), (swapped, "root"), (changed, "root")] {
        let found = codes(&project, &site, &[]);
        assert!(found.contains(&expected.to_owned()), "{found:?}");
    }
}

#[test]
fn a_tile_that_is_truncated_missing_or_changed_is_found() {
    let project = built(3);
    for path in [BUNDLE, HASHES] {
        let truncated = lying(&project, path, |mut body| {
            body.truncate(body.len() - 5);
            body
        });
        let found = codes(&project, &truncated, &[]);
        assert!(found.contains(&"tile".to_owned()), "{path}: {found:?}");
        let missing = FaultySite::telling(&project, move |asked, told| {
            if asked.path == path {
                told.status = 404;
            }
        });
        let found = codes(&project, &missing, &[]);
        assert!(found.contains(&"tile".to_owned()), "{path}: {found:?}");
        let torn = FaultySite::telling(&project, move |asked, told| {
            if asked.path == path {
                told.cut = Some(10);
            }
        });
        assert_eq!(codes(&project, &torn, &[]), ["unreachable"], "{path}");
    }
    let changed = lying(&project, HASHES, |mut body| {
        body[0] ^= 1;
        body
    });
    assert_eq!(codes(&project, &changed, &[]), ["tile"]);
}

#[test]
fn a_forged_checkpoint_and_a_wrong_key_are_found() {
    let project = built(3);
    let forged = lying(&project, "/log/checkpoint", |body| {
        let text = String::from_utf8(body).unwrap();
        let root = text.lines().nth(2).unwrap().to_owned();
        let other = root.chars().rev().collect::<String>();
        text.replacen(&root, &format!("{}=", other.trim_start_matches('=')), 1).into_bytes()
    });
    let run = verify(&project, &forged, &[]).exits(1);
    assert!(
        run.out.contains(
            "it was changed after it was signed, or was made by somebody who does not have the key"
        ),
        "{}",
        run.out
    );
    assert_eq!(codes(&project, &forged, &[])[0], "checkpoint");
    let other = built(3);
    let settings = other.text("content/log/log.toml");
    let key = settings.split('"').nth(3).unwrap();
    let found = codes(&project, &FaultySite::honest(&project), &["--log-key", key]);
    assert_eq!(found[0], "checkpoint");
    project
        .candor(["verify", "--log", "http://127.0.0.1:9/", "--log-key", "nonsense"])
        .exits(64)
        .complains("is not a verifier key");
}

#[test]
fn the_checkpoint_of_last_time_finds_what_was_taken_back() {
    let project = built(3);
    let old_content = project.tree("content");
    let old = project.tree("public");
    let since = ["--since", "kept"];
    verify(&project, &FaultySite::honest(&project), &since)
        .exits(0)
        .says("a checkpoint kept with --since FILE");
    assert_eq!(project.text("kept"), project.text("public/log/checkpoint"));
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    project.build();
    let run = verify(&project, &FaultySite::honest(&project), &since).exits(0);
    run.says("unchanged: it continues the log of 4 entries that was kept last time");
    let kept = project.text("kept");
    assert_eq!(kept, project.text("public/log/checkpoint"));

    // Rolled back: the site is the older one again.
    std::fs::remove_dir_all(project.path("public")).unwrap();
    for (path, bytes) in &old {
        project.write(&format!("public/{path}"), bytes);
    }
    let found = codes(&project, &FaultySite::honest(&project), &since);
    assert_eq!(found, ["rolled_back"]);

    // Forked: another history under the same key.
    std::fs::remove_dir_all(project.path("public")).unwrap();
    std::fs::remove_dir_all(project.path("content")).unwrap();
    for (path, bytes) in &old_content {
        project.write(&format!("content/{path}"), bytes);
    }
    edit(&project, "Words of review 2.", "Two.");
    add(&project).exits(0);
    project.build();
    let found = codes(&project, &FaultySite::honest(&project), &since);
    assert_eq!(found, ["fork"]);
    assert_eq!(project.text("kept"), kept, "what failed is not kept");

    // Made anew with another key.
    let other = logged(3);
    other.build();
    other.write("kept", &kept);
    let found = codes(&other, &FaultySite::honest(&other), &since);
    assert_eq!(found, ["known"]);
    assert!(other.path(KEY).exists());
}

#[test]
fn a_server_that_does_not_answer_or_never_ends_is_left() {
    let project = built(2);
    let endless = FaultySite::telling(&project, |asked, told| {
        if asked.path == "/log/checkpoint" {
            told.set("Content-Length", "100000000000");
            told.endless = Some(vec![b'x'; 65_536]);
        }
    });
    assert_eq!(codes(&project, &endless, &[]), ["unreachable"]);
    let huge = replacing(&project, "/log/checkpoint", "\n3\n", "\n99999999999999\n");
    assert_eq!(codes(&project, &huge, &[]), ["unreachable"]);
    let page = lying(&project, "/.well-known/candor-log.json", |_| b"<html>".to_vec());
    assert_eq!(codes(&project, &page, &[]), ["unreachable"]);
    project.candor(["verify", "http://127.0.0.1:9/", "--since", "kept"]).exits(64);
}
