//! `candor log init` and `candor log add`: files, words, exit codes.

use super::{CHECKPOINT, ENTRIES, KEY, SALTS, SETTINGS, add, events, logged, with_log};
use crate::{
    project::{Project, SITE},
    review::{id, mixed},
};

#[test]
fn a_log_is_made_once_and_its_key_is_private() {
    let project = Project::new().reviews(mixed(2));
    let run = project.candor(["log", "init", "--key-file", KEY]).exits(0);
    let settings = project.text(SETTINGS);
    let key = settings.split('"').nth(3).unwrap();
    assert!(key.starts_with("reviews.example/log+"), "{settings}");
    assert_eq!(
        settings,
        format!(
            "# Written by candor log init. The keys are public: readers check the log with them. The newest is last.\n\
             origin = \"reviews.example/log\"\nkeys = [\n    \"{key}\",\n]\n"
        )
    );
    assert_eq!(
        run.out,
        format!(
            "made the log reviews.example/log in content/log\n\
             verifier key, for readers; the site publishes it, and it is good to publish it elsewhere too:\n  {key}\n\
             the private key is in log.key; keep a copy where nobody else reads it, and never in a repository\n\
             in CI, make it the secret CANDOR_LOG_KEY; then run candor log add after each import and before each build\n"
        )
    );
    assert!(project.text(KEY).starts_with("PRIVATE+KEY+reviews.example/log+"));
    for (path, bytes) in project.tree("content") {
        assert!(!String::from_utf8_lossy(&bytes).contains("PRIVATE"), "{path}");
    }
    assert_eq!((project.text(ENTRIES), project.text(SALTS)), (String::new(), String::new()));
    assert!(project.text(CHECKPOINT).starts_with("reviews.example/log\n0\n"));
    let before = project.tree("content");
    let run = project.candor(["log", "init", "--key-file", "other.key"]).exits(1);
    assert_eq!(
        run.err,
        "error: content has a transparency log already, and a second one would not prove what the first one proves; candor log init --rotate gives it another key\n"
    );
    assert_eq!(project.tree("content"), before);
    assert!(!project.path("other.key").exists());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_the_key_file() {
    use std::os::unix::fs::PermissionsExt;
    let project = with_log(1);
    let mode = std::fs::metadata(project.path(KEY)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_key_file_is_never_where_it_would_be_published_or_overwritten() {
    let project = Project::new();
    let repository = project.path("").canonicalize().unwrap().join("repository");
    for (file, folder) in [
        ("content/log.key", "content"),
        ("content/../content/log.key", "content"),
        ("public/log.key", "public"),
        ("repository/keys/log.key", repository.to_str().unwrap()),
    ] {
        for folder in ["public", "repository/.git", "repository/keys"] {
            std::fs::create_dir_all(project.path(folder)).unwrap();
        }
        let run = project.candor(["log", "init", "--key-file", file]).exits(1);
        assert_eq!(
            run.err,
            format!(
                "error: {file} is inside {folder}: the private key would be published or committed with it; name a file elsewhere\n"
            )
        );
    }
    project.write(KEY, "mine\n");
    let run = project.candor(["log", "init", "--key-file", KEY]).exits(1);
    run.complains("error: the key file log.key cannot be written: ");
    assert_eq!(project.text(KEY), "mine\n");
    assert!(!project.path("content/log").exists());
}

#[test]
fn without_a_file_the_key_is_printed_even_when_all_else_is_quiet() {
    let project = Project::new().reviews(mixed(2));
    let run = project.candor(["log", "init", "--quiet"]).exits(0);
    assert!(run.out.starts_with("PRIVATE+KEY+reviews.example/log+"), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1);
    let mut command = project.command(["log", "add"]);
    let run = crate::project::Run::of(command.env("CANDOR_LOG_KEY", run.out.trim())).exits(0);
    assert_eq!(
        run.out,
        "logged 3 entries: 2 published, 1 set; the log then has 3; publish it with: candor build\n"
    );
}

#[test]
fn a_log_is_named_after_the_address_and_keeps_its_name() {
    let site = SITE.replace("https://reviews.example", "https://acme.example/shop");
    let project = Project::new().file("content/site.toml", site).reviews(mixed(1));
    project.candor(["log", "init", "--key-file", KEY]).exits(0).says("acme.example/shop/log");
    project.write("content/site.toml", SITE);
    add(&project).exits(0);
    assert!(project.text(CHECKPOINT).starts_with("acme.example/shop/log\n2\n"));
    project.build();
}

#[test]
fn add_needs_a_log_and_a_key() {
    let project = Project::new().reviews(mixed(1));
    let run = project.candor(["log", "add"]).exits(1);
    assert_eq!(run.err, "error: content has no transparency log; make one with: candor log init\n");
    let project = with_log(1);
    let before = project.tree("content");
    let run = project.candor(["log", "add"]).exits(1);
    assert_eq!(
        run.err,
        "error: the log's private key is needed: name its file with --key-file FILE, or put the key into the variable CANDOR_LOG_KEY; where it is lost, candor log init --rotate makes another one\n"
    );
    project
        .candor(["log", "add", "--key-file", "none"])
        .exits(1)
        .complains("error: the private key in none cannot be used: No such file or directory");
    project.write("bad.key", "secret words\n");
    let run = project.candor(["log", "add", "--key-file", "bad.key"]).exits(1);
    assert!(run.err.contains("the private key in bad.key cannot be used"), "{}", run.err);
    assert!(!run.err.contains("secret"), "{}", run.err);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn what_is_not_logged_yet_is_logged_once() {
    let project = with_log(3);
    let before = project.tree("content");
    let run = project.candor(["log", "add", "--dry-run", "--verbose"]).exits(0);
    let published: String = (0..3).map(|n| format!("  published {}\n", id(n))).collect();
    assert_eq!(
        run.out,
        format!(
            "{published}  set\nwould log 4 entries: 3 published, 1 set; the log then has 4; a dry run: nothing was written\n"
        )
    );
    assert_eq!(project.tree("content"), before);
    add(&project).exits(0);
    let published = (0..3).map(|n| format!("published {}", id(n)));
    assert_eq!(events(&project, 0), published.chain(["set".to_owned()]).collect::<Vec<_>>());
    let before = project.tree("content");
    let run = project.candor(["log", "add", "--exit-code"]).exits(2);
    assert_eq!(run.out, "nothing to log: the log says what the content says (4 entries)\n");
    add(&project).exits(0);
    assert_eq!(project.tree("content"), before, "not a byte");
}

#[test]
fn content_with_errors_is_not_logged() {
    let project = with_log(2);
    project.write("content/faq.toml", "[[faq]\n");
    let before = project.tree("content");
    let run = add(&project).exits(1);
    assert!(run.err.starts_with("content/faq.toml:1:"), "{}", run.err);
    assert!(run.err.ends_with("error: nothing was logged; fix the errors above\n"), "{}", run.err);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn of_two_commands_at_once_the_second_sees_what_the_first_wrote() {
    let project = with_log(40);
    let start = || {
        let mut command = project.command(["log", "add", "--key-file", KEY]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let children = [start(), start(), start()];
    let mut wrote = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        wrote += usize::from(out.starts_with("logged 41 entries"));
        let waited =
            out.starts_with("nothing to log") || err.contains("another command is changing");
        assert!(waited || out.starts_with("logged"), "{out}{err}");
    }
    assert_eq!(wrote, 1);
    assert_eq!(events(&project, 0).len(), 41);
    project.candor(["log", "add", "--exit-code"]).exits(2);
}

#[test]
fn a_log_begins_with_the_reviews_that_are_there_and_is_checked_without_warnings() {
    logged(5).candor(["check", "--strict"]).exits(0);
    let project = with_log(1);
    project.candor(["check"]).exits(0).complains(&format!(
        "content/log/entries.ndjson: warning[unlogged]: review {} is not in the log yet; run candor log add, then build\n",
        id(0)
    ));
}
