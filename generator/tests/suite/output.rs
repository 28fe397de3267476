//! What a terminal or a file is given: nothing that acts on it, and no panic when it takes no more.

use std::{fs::File, process::Stdio};

use super::{
    project::{Project, Run},
    review::review,
};

/// Every verb that prints to standard output.
const PRINTING: [&[&str]; 11] = [
    &["stats"],
    &["stats", "--json"],
    &["suggest"],
    &["check"],
    &["check", "--json"],
    &["build"],
    &["diff"],
    &["insights", "--dump"],
    &["new", "id"],
    &["man"],
    &["completions", "bash"],
];

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_an_error_and_no_panic() {
    let project = Project::new().reviews([review(1), review(2)]);
    for verb in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = Run::of(project.command(verb.iter().copied()).stdout(full)).exits(1);
        assert_eq!(
            run.err,
            "error: standard output cannot be written: No space left on device (os error 28)\n",
            "{verb:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_error_is_no_panic() {
    let project = Project::new().reviews([review(1).with("rating", 6)]);
    for verb in [&["check"][..], &["build"], &["frobnicate"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let code = if verb == ["frobnicate"] { 64 } else { 1 };
        let run = Run::of(project.command(verb.iter().copied()).stderr(full)).exits(code);
        assert!(!run.out.contains("panicked"), "{run:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_error() {
    let project = Project::new().reviews([review(1), review(2)]);
    for verb in PRINTING {
        let mut command = project.command(verb.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{verb:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{verb:?}");
    }
}

#[test]
fn what_acts_on_a_terminal_is_printed_as_an_escape() {
    let project = Project::new();
    project.write(
        "a.csv",
        "author,rating,date,\"text\u{1b}[2J\u{202e}\nforged\"\nAnn,5,2026-01-02,Good.\n",
    );
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    assert!(!run.out.contains('\u{1b}'), "{run:?}");
    project.write("b.csv", "who\u{1b}[2J,\"stars\u{202e}\nforged\"\nAnn,5\n");
    let run = project.candor(["import", "b.csv", "--source", "yelp"]).exits(1);
    run.complains("its columns are of no known format: who\\u{1b}[2J, stars\\u{202e}\\nforged");
    let run = project.candor(["import", "gone\u{1b}[2J\u{2066}.csv"]).exits(1);
    run.complains("error: gone\\u{1b}[2J\\u{2066}.csv: No such file or directory");
    project.write("content/\u{9b}31m.txt", "");
    project.candor(["check"]).exits(0).complains("content/\\u{9b}31m.txt: warning[unknown-file]");
}

#[test]
#[cfg(unix)]
fn a_file_name_begins_no_line_of_its_own() {
    let project = Project::new();
    project.write("content/x\n::error file=a::forged.txt", "");
    let run = project.candor(["check"]).exits(0);
    assert!(
        run.err.starts_with("content/x\\n::error file=a::forged.txt: warning[unknown-file]"),
        "{run:?}"
    );
    assert!(!run.err.lines().any(|line| line.starts_with("::")), "{run:?}");
}
