//! What happens to a review is one entry more, and what is not public of it stays out of the log.

use serde_json::json;

use super::{ENTRIES, SALTS, add, assert_refused, edit, events, lines, logged};
use crate::{
    project::Project,
    review::{id, mixed, review},
    verify::faulty_site::FaultySite,
};

/// The entries that one change adds.
fn after(project: &Project, change: impl FnOnce()) -> Vec<String> {
    let before = lines(project);
    change();
    add(project).exits(0);
    assert_eq!(lines(project)[..before.len()], before, "entries are only added");
    events(project, before.len())
}

#[test]
fn text_stars_and_date_are_changes_of_the_record() {
    for (from, to) in [
        ("Words of review 1.", "Other words."),
        ("\"rating\":2", "\"rating\":5"),
        ("\"date\":\"2026-01-02\"", "\"date\":\"2026-01-03\""),
        ("Ann 1", "Ann One"),
    ] {
        let project = logged(3);
        let changed = after(&project, || edit(&project, from, to));
        assert_eq!(changed, [format!("changed {}", id(1)), "set".to_owned()], "{to}");
        project.build();
    }
}

#[test]
fn a_reply_is_a_change_of_its_own() {
    let project = logged(3);
    let reply = |words: &[&str]| {
        let id = id(1);
        project.candor(["reply", &id].into_iter().chain(words.iter().copied())).exits(0);
    };
    for words in [["Thanks."], ["Thank you."], ["--remove"]] {
        let changed = after(&project, || reply(&words));
        assert_eq!(changed, [format!("reply_changed {}", id(1)), "set".to_owned()]);
    }
}

#[test]
fn what_the_program_computes_and_what_moves_with_the_site_is_no_change() {
    let project = logged(3);
    project.write("content/services.toml", "[[service]]\nid = \"words\"\nlabel = \"Words\"\n");
    let site = project.text("content/site.toml").replace("https://reviews.", "https://other.");
    project.write("content/site.toml", site);
    edit(&project, "2026-01-02T09:00:00Z", "2026-02-02T09:00:00Z");
    // How far a review was checked is said again whenever the business states another method.
    edit(&project, "\"source\":", "\"verified_purchase\":true,\"source\":");
    project.candor(["log", "add", "--exit-code"]).exits(2);
}

#[test]
fn a_withheld_review_is_counted_with_reason_and_stars_and_comes_back() {
    let project = logged(3);
    let hide = || {
        let run = project.candor(["hide", &id(1), "--reason", "off_topic"]).exits(0);
        run.says("publish the change with: candor log add, then candor build\n");
    };
    let hidden = after(&project, hide);
    assert_eq!(hidden, [format!("withheld {} off_topic 2", id(1)), "set".to_owned()]);
    project.build();
    let salts = project.json("public/log/salts.json");
    assert_eq!(salts["salts"].as_object().unwrap().len(), 2, "of published reviews only");
    assert!(project.text(SALTS).contains(&id(1)), "it may come back");
    let shown = after(&project, || {
        project.candor(["hide", &id(1), "--undo"]).exits(0);
    });
    assert_eq!(shown, [format!("restored {}", id(1)), "set".to_owned()]);
}

#[test]
fn a_review_that_was_never_published_is_counted_too() {
    let project = Project::new().reviews([review(0), review(1).with("source", "elsewhere")]);
    project.candor(["log", "init", "--key-file", super::KEY]).exits(0);
    add(&project).exits(0);
    let withheld = format!("withheld {} unverified 5", id(1));
    assert_eq!(events(&project, 0), [format!("published {}", id(0)), withheld, "set".to_owned()]);
}

#[test]
fn a_review_that_is_gone_from_its_source_is_removed() {
    let project = logged(3);
    let removed = after(&project, || project.write_reviews(&mixed(3)[..2]));
    assert_eq!(removed, [format!("removed {}", id(2)), "set".to_owned()]);
    assert!(!project.text(SALTS).contains(&id(2)), "its hashes say nothing any more");
    project.build();
    let site = FaultySite::honest(&project);
    project.candor(["verify", "--log", &site.url()]).exits(0).says(
        "not proved: why 1 review was taken out or erased, and whether the source still has what was taken out\n",
    );
    let back = after(&project, || project.write_reviews(mixed(3)));
    assert_eq!(back, [format!("restored {}", id(2)), "set".to_owned()]);
}

#[test]
fn no_word_and_no_name_is_in_the_log() {
    let project = Project::new().reviews([review(0)
        .with("text", "Unmistakable words.")
        .with("author", "Rosalind Q.")
        .with("owner_reply", json!({ "text": "Gratitude.", "date": "2026-01-09" }))]);
    project.candor(["log", "init", "--key-file", super::KEY]).exits(0);
    add(&project).exits(0);
    for (path, bytes) in project.tree("content/log") {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for word in ["Unmistakable", "Rosalind", "Gratitude"] {
            assert!(!text.contains(word), "{word} in {path}");
        }
    }
    assert!(project.text(ENTRIES).contains(r#""reply":""#));
}

#[test]
fn a_forgotten_review_leaves_its_entries_and_no_salt() {
    let project = logged(3);
    project.build();
    let salt = project.text(SALTS).lines().find(|line| line.contains(&id(1))).unwrap().to_owned();
    let run = project.candor(["forget", &id(1)]).exits(0);
    run.says("publish the site to take it off there: candor log add, then candor build\n");
    let salts = project.text(SALTS);
    assert!(!salts.contains(&id(1)) && salts.lines().count() == 2, "{salts}");
    assert_refused(
        &project,
        &format!(
            "content/log/entries.ndjson: error[unlogged]: review {} was removed for good, and the log does not say so; run candor log add, then build\n",
            id(1)
        ),
    );
    let before = lines(&project);
    add(&project).exits(0);
    assert_eq!(lines(&project)[..4], before, "the count stays");
    let forgotten = format!("forgotten {} author_request", id(1));
    assert_eq!(events(&project, 4), [forgotten, "set".to_owned()]);
    project.build();
    let value = salt.rsplit('"').nth(1).unwrap();
    for (path, bytes) in project.tree("public").into_iter().chain(project.tree("content")) {
        assert!(!String::from_utf8_lossy(&bytes).contains(value), "{path}");
    }
    project.assert_whole();
}

#[test]
fn forgetting_the_last_review_removes_the_file_of_salts() {
    let project = logged(1);
    project.candor(["forget", &id(0)]).exits(0);
    assert!(!project.path(SALTS).exists());
    add(&project).exits(0);
    project.build();
}
