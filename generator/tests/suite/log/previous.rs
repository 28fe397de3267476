//! The published log must be the beginning of the one that is published next.

use super::{ENTRIES, KEY, add, assert_refused, built, edit, logged};
use crate::{project::Project, review::mixed, verify::faulty_site::FaultySite};

const HELP: &str = "readers who know that log would see that history was rewritten; take content/log as it was at the last publication from version control, then run candor log add";

/// Puts a folder of files in the place of another.
fn restore(project: &Project, files: &std::collections::BTreeMap<String, Vec<u8>>) {
    std::fs::remove_dir_all(project.path("content")).unwrap();
    for (path, bytes) in files {
        project.write(&format!("content/{path}"), bytes);
    }
}

#[track_caller]
fn assert_rewritten(project: &Project, place: &str, message: &str) {
    let complaint = format!("{place}: error[rewritten-log]: {message}: {HELP}\n");
    assert_refused(project, &complaint);
    let before = project.tree("content");
    edit(project, "Words of review 0.", "Words that are new.");
    let run = add(project).exits(1);
    assert_eq!(run.err, format!("{complaint}error: nothing was logged; fix the errors above\n"));
    restore(project, &before);
}

#[test]
fn an_older_copy_of_the_content_does_not_take_back_what_is_published() {
    let project = logged(3);
    let old = project.tree("content");
    project.write_reviews(mixed(4));
    add(&project).exits(0);
    project.build();
    let new = project.tree("content");
    restore(&project, &old);
    assert_rewritten(&project, ENTRIES, "6 entries are published, and the log has 4");
    restore(&project, &new);
    project.build();
}

#[test]
fn two_runs_that_logged_on_their_own_do_not_replace_each_other() {
    let project = built(3);
    let common = project.tree("content");
    edit(&project, "Words of review 1.", "One.");
    add(&project).exits(0);
    project.build();
    restore(&project, &common);
    edit(&project, "Words of review 2.", "Two.");
    // The public folder has the entries of the first run.
    add(&project).exits(1).complains("6 entries are published, and the log has 4");
    std::fs::rename(project.path("public"), project.path("elsewhere")).unwrap();
    add(&project).exits(0);
    std::fs::rename(project.path("elsewhere"), project.path("public")).unwrap();
    let message = "entry 4 of the log is not the one that is published";
    assert_rewritten(&project, &format!("{ENTRIES}:5"), message);
}

#[test]
fn a_log_that_was_made_anew_does_not_replace_the_published_one() {
    let project = built(3);
    std::fs::remove_dir_all(project.path("content/log")).unwrap();
    assert_refused(
        &project,
        &format!(
            "{ENTRIES}: error[rewritten-log]: a log is published, and the content has none: {HELP}\n"
        ),
    );
    std::fs::remove_file(project.path(KEY)).unwrap();
    project.candor(["log", "init", "--key-file", KEY]).exits(0);
    add(&project).exits(1).complains(
        "error[rewritten-log]: the published checkpoint does not belong to this log: the checkpoint is signed by none of the log's known keys",
    );
}

#[test]
fn a_machine_with_an_empty_disk_compares_with_the_live_site() {
    let project = built(300);
    let old = project.tree("content");
    let site = FaultySite::honest(&project);
    let manifest = format!("{}candor-manifest.json", site.url());
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    let build =
        |public: &str| project.candor(["build", "--public", public, "--previous", &manifest]);
    build("next").exits(0);
    restore(&project, &old);
    build("same").exits(0);
    // Another key, another log.
    let other = logged(300);
    let run = other.candor(["build", "--previous", &manifest]).exits(1);
    assert!(
        run.err.contains("error[rewritten-log]: the published checkpoint does not"),
        "{}",
        run.err
    );
    // The same key, another history.
    other.write(KEY, project.text(KEY));
    for file in ["log.toml", "entries.ndjson", "salts.ndjson", "checkpoint"] {
        other.remove(&format!("content/log/{file}"));
    }
    other.write("content/log/log.toml", project.text("content/log/log.toml"));
    let run = other.candor(["build", "--previous", &manifest]).exits(1);
    assert!(run.err.contains("damaged-log"), "{}", run.err);
}

#[test]
fn a_manifest_that_was_kept_is_compared_with_what_lies_beside_it() {
    let project = built(3);
    let old = project.tree("content");
    project.write_reviews(mixed(4));
    add(&project).exits(0);
    project.build();
    restore(&project, &old);
    let arguments = ["build", "--public", "next", "--previous", "public/candor-manifest.json"];
    project
        .candor(arguments)
        .exits(1)
        .complains("error[rewritten-log]: 6 entries are published, and the log has 4");
    assert!(!project.path("next/index.html").exists());
}
