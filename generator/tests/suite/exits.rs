//! Exit codes: 0 done, 1 something is wrong, 2 nothing changed, 64 a command line without sense.

use std::io;

use super::{project::Project, review::review};

#[test]
fn help_and_version_are_no_errors() {
    let project = Project::new();
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help"],
        &["build", "--help"],
        &["new", "review", "--help"],
        &["diff", "--version"],
    ] {
        let run = project.candor(arguments.iter().copied()).exits(0);
        assert!(!run.out.is_empty() && run.err.is_empty(), "{run:?}");
    }
    let version = concat!("candor ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(project.candor(["--version"]).out, version);
}

#[test]
fn a_command_line_without_sense_is_64() {
    let project = Project::new();
    for arguments in [
        &[][..],
        &["--frobnicate"],
        &["biuld"],
        &["build", "--exit-kode"],
        &["build", "surplus"],
        &["build", "--quiet", "--verbose"],
        &["build", "--color", "sometimes"],
        &["build", "--previous"],
        &["build", "--previous", "ftp://reviews.example/candor-manifest.json"],
        &["build", "--base-url", "nonsense"],
        &["init"],
        &["new"],
        &["new", "review", "--author", "Ann", "--rating", "6"],
        &["new", "review", "--author", "Ann", "--rating", "4.5"],
        &["new", "id", "--date", "2026-02-30"],
        &["completions", "cobol"],
    ] {
        let run = project.candor(arguments.iter().copied());
        assert_eq!(run.code, 64, "{arguments:?}: {run:?}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}: {run:?}");
    }
    assert!(!project.path("public").exists());
}

#[test]
fn a_misspelt_verb_gets_a_suggestion() {
    Project::new().candor(["biuld"]).exits(64).complains("build");
}

#[test]
fn a_bad_value_in_the_environment_is_64_too() {
    let project = Project::new();
    let run = super::project::Run::of(project.command(["check"]).env("CANDOR_COLOR", "sometimes"));
    run.exits(64).complains("sometimes");
}

#[test]
fn done_is_0_and_wrong_is_1() {
    let project = Project::new();
    project.candor(["check"]).exits(0);
    project.candor(["build"]).exits(0);
    project.write_reviews([review(1).with("rating", 6)]);
    for verb in ["check", "build", "diff"] {
        project.candor([verb]).exits(1);
    }
}

#[test]
fn nothing_changed_is_2_where_it_is_asked_for() {
    let project = Project::new();
    project.candor(["build", "--exit-code"]).exits(0);
    project.candor(["build", "--exit-code"]).exits(2);
    project.candor(["diff", "--exit-code"]).exits(2);
    project.candor(["build"]).exits(0);
    project.candor(["diff"]).exits(0);
    project.write_reviews([review(1)]);
    project.candor(["diff", "--exit-code"]).exits(0);
    project.candor(["build", "--exit-code"]).exits(0);
    project.write_reviews([review(1).with("rating", 6)]);
    project.candor(["build", "--exit-code"]).exits(1);
}

#[test]
fn every_flag_has_its_variable() {
    let project = Project::new();
    std::fs::rename(project.path("content"), project.path("words")).unwrap();
    let mut command = project.command(["build"]);
    command.env("CANDOR_CONTENT", "words").env("CANDOR_PUBLIC", "site");
    command.env("CANDOR_BASE_URL", "https://other.example").env("CANDOR_QUIET", "true");
    let run = super::project::Run::of(&mut command).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    assert!(project.text("site/feed.xml").contains("https://other.example/feed.xml"));
}

#[test]
fn the_manual_and_completions_go_to_standard_output() {
    let project = Project::new();
    project.candor(["man"]).exits(0).says(".TH candor");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        project.candor(["completions", shell]).exits(0).says("candor");
    }
}

#[test]
fn who_reads_the_output_may_leave_before_its_end() {
    let project = Project::new().reviews([review(1), review(2)]);
    for arguments in [&["insights", "--dump"][..], &["check", "--json"], &["check"]] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = project.command(arguments.iter().copied());
        let run = command.stdout(writer).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!((run.status.code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn serving_without_the_sidecar_says_where_it_was_looked_for() {
    let project = Project::new().reviews([review(1)]);
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["mcp", "https://reviews.example"]]
    {
        let program = ["--sidecar", "nowhere/candor-sidecar"];
        let run = project.candor(command.iter().chain(&program).copied()).exits(1);
        assert_eq!(
            run.err,
            "error: nowhere/candor-sidecar was not found; install candor-sidecar into candor's folder or onto PATH, or name it with --sidecar PROGRAM\n"
        );
    }
}

#[test]
fn a_preview_of_broken_content_is_not_served() {
    let project = Project::new().reviews([review(1).with("rating", 6)]);
    let run = project.candor(["serve", "--listen", "127.0.0.1:0"]).exits(1);
    run.complains("error[invalid-value]").complains("error: the content has errors; correct them");
}
