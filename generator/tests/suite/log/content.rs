//! Tampering with the content: the next build, and the next `candor log add`, refuse.

use super::{
    CHECKPOINT, ENTRIES, SALTS, SETTINGS, add, assert_refused, built, edit, lines, logged,
    write_lines,
};
use crate::{
    project::Project,
    review::{id, mixed},
};

const HELP: &str = "take content/log as it last was from version control; only candor log and candor forget change it";
const UNSAID: &str = "one of the 4 signed entries is not as it was when it was signed; the checkpoint alone does not say which";

/// What the build and the next entry say of a damaged log; `published` is the line that differs from
/// the published log.
#[track_caller]
fn assert_damaged(project: &Project, place: &str, message: &str, published: Option<usize>) {
    let mut complaint = format!("{place}: error[damaged-log]: {message}; {HELP}\n");
    if let Some(leaf) = published {
        complaint += &format!(
            "{ENTRIES}:{}: error[damaged-log]: entry {leaf} is the first one that is not as it was published; {HELP}\n",
            leaf + 1
        );
    }
    assert_refused(project, &complaint);
    let before = project.tree("content");
    let run = add(project).exits(1);
    assert_eq!(run.err, format!("{complaint}error: nothing was logged; fix the errors above\n"));
    assert_eq!(project.tree("content"), before);
}

#[test]
fn a_change_after_logging_is_not_published_before_it_is_logged() {
    for (from, to) in [
        ("Words of review 1.", "Other words."),
        ("\"rating\":2", "\"rating\":5"),
        ("\"date\":\"2026-01-02\"", "\"date\":\"2026-01-03\""),
    ] {
        let project = built(3);
        edit(&project, from, to);
        assert_refused(
            &project,
            &format!(
                "{ENTRIES}: error[unlogged]: review {} was changed after it was logged; run candor log add, then build\n",
                id(1)
            ),
        );
        add(&project).exits(0);
        project.build();
    }
}

#[test]
fn a_review_that_vanishes_is_named() {
    let project = built(3);
    project.write_reviews(&mixed(3)[..2]);
    assert_refused(
        &project,
        &format!(
            "{ENTRIES}: error[unlogged]: review {} is gone, and the log does not say so; run candor log add, then build\n",
            id(2)
        ),
    );
}

#[test]
fn many_reviews_are_counted() {
    let project = logged(3);
    project.write_reviews(mixed(9));
    let run = project.candor(["build"]).exits(1);
    run.complains(&format!(
        "{ENTRIES}: error[unlogged]: 6 reviews are not what the log says of them: {} is not in the log yet, {} is not in the log yet, {} is not in the log yet and 3 more; run candor log add, then build\n",
        id(3), id(4), id(5)
    ));
}

#[test]
fn an_entry_with_another_hash_is_found_by_the_published_log() {
    let project = built(3);
    let mut entries = lines(&project);
    let at = entries[1].find(r#""record":""#).unwrap() + r#""record":""#.len();
    let digit = if entries[1][at..].starts_with('0') { "1" } else { "0" };
    entries[1].replace_range(at..=at, digit);
    write_lines(&project, &entries);
    assert_damaged(&project, ENTRIES, UNSAID, Some(1));
}

#[test]
fn two_entries_that_changed_places_are_found() {
    let project = built(3);
    let mut entries = lines(&project);
    entries.swap(1, 2);
    write_lines(&project, &entries);
    assert_damaged(&project, ENTRIES, UNSAID, Some(1));
    // Nothing is published: which one is not known.
    let project = logged(3);
    write_lines(&project, &entries);
    let run = project.candor(["build"]).exits(1);
    assert!(run.err.contains("error[damaged-log]: one of the 4 signed entries"), "{}", run.err);
}

#[test]
fn an_entry_that_is_missing_is_found() {
    let project = built(3);
    let mut entries = lines(&project);
    entries.remove(1);
    write_lines(&project, &entries);
    let message = "entries were removed from the log: 4 are signed and 3 are left";
    assert_damaged(&project, ENTRIES, message, Some(1));
}

#[test]
fn an_entry_that_nobody_signed_is_found() {
    let project = built(3);
    let mut entries = lines(&project);
    entries.push(entries[3].clone());
    write_lines(&project, &entries);
    let message = "entry 4 of the log is not covered by the signed checkpoint: it was not written by candor log add";
    assert_damaged(&project, &format!("{ENTRIES}:5"), message, None);
}

#[test]
fn a_line_that_is_no_entry_is_named() {
    let project = built(3);
    let mut entries = lines(&project);
    entries[2] = entries[2].replacen('{', "{ ", 1);
    write_lines(&project, &entries);
    let run = project.candor(["build"]).exits(1);
    let start = format!(
        "{ENTRIES}:3: error[damaged-log]: entry 2 of the log is an entry, but not spelled as the log writes it: "
    );
    assert!(run.err.starts_with(&start), "{}", run.err);
    project.write(ENTRIES, project.text(ENTRIES).replace('\n', "\r\n"));
    project.candor(["build"]).exits(1).complains(&format!("{ENTRIES}:1: error[damaged-log]"));
    project.write(ENTRIES, lines(&logged(3)).join("\n"));
    project.candor(["build"]).exits(1).complains("error[damaged-log]: the last line is cut short");
}

#[test]
fn a_forged_checkpoint_is_found() {
    let project = built(3);
    let note = project.text(CHECKPOINT);
    project.write(CHECKPOINT, note.replacen("\n4\n", "\n3\n", 1));
    project.candor(["build"]).exits(1).complains(&format!(
        "{CHECKPOINT}: error[damaged-log]: the signature of the key reviews.example/log+"
    ));
    project.write(CHECKPOINT, "reviews.example/log\n");
    project
        .candor(["build"])
        .exits(1)
        .complains("error[damaged-log]: this is not a checkpoint of a log");
    // By somebody with a key of his own.
    let other = logged(3);
    project.write(CHECKPOINT, other.text(CHECKPOINT));
    project
        .candor(["build"])
        .exits(1)
        .complains("error[damaged-log]: the checkpoint is signed by none of the log's known keys");
}

#[test]
fn files_that_are_missing_are_named() {
    for path in [SETTINGS, ENTRIES, CHECKPOINT] {
        let project = built(3);
        project.remove(path);
        project
            .candor(["build"])
            .exits(1)
            .complains(&format!("{path}: error[damaged-log]: the file is missing; {HELP}\n"));
    }
}

#[test]
fn a_salt_that_is_missing_is_no_change_of_its_review() {
    let project = built(3);
    let salts = project.text(SALTS);
    project.write(SALTS, salts.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>());
    let missing = |more: &str| {
        format!(
            "{SALTS}: error[damaged-log]: the salt of review {} is missing{more}: nothing proves what was logged of it; {HELP}\n",
            id(if more.is_empty() { 0 } else { 2 })
        )
    };
    assert_refused(&project, &missing(""));
    let before = project.tree("content");
    add(&project).exits(1).complains(&missing(""));
    std::fs::remove_file(project.path(SALTS)).unwrap();
    assert_refused(&project, &missing(", and those of 2 more"));
    add(&project).exits(1);
    project.write(SALTS, salts.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(project.tree("content"), before);
    project.write(SALTS, salts);
    add(&project).exits(0);
    project.build();
}

#[test]
fn a_preview_and_other_commands_only_warn() {
    let project = built(3);
    edit(&project, "Words of review 1.", "Other words.");
    for command in ["check", "build --dry-run", "stats"] {
        project.candor(command.split(' ')).exits(0).complains("warning[unlogged]");
    }
    project.candor(["check", "--strict"]).exits(1);
    for code in ["unlogged", "damaged-log", "rewritten-log"] {
        project.candor(["help", code]).exits(0).says("candor log add");
    }
}
