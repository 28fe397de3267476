//! The transparency log: `candor log`, what a build publishes of it and refuses, `candor verify --log`.

mod beside;
mod content;
mod events;
mod init;
mod keys;
mod live;
mod previous;
mod proof;
mod published;
mod receipts;
mod revocations;
pub(crate) mod witness;
mod witnesses;

use serde_json::Value;

use crate::{
    project::{Project, Run},
    review::{Review, mixed},
};

/// The file with the private key of a test's log.
const KEY: &str = "log.key";
const ENTRIES: &str = "content/log/entries.ndjson";
const SALTS: &str = "content/log/salts.ndjson";
const CHECKPOINT: &str = "content/log/checkpoint";
const SETTINGS: &str = "content/log/log.toml";

/// A site with an empty log.
fn with_log(count: usize) -> Project {
    let project = Project::new().reviews(mixed(count));
    project.candor(["log", "init", "--key-file", KEY]).exits(0);
    project
}

/// A site whose reviews are logged. The dates of many would reach into the future.
pub(crate) fn logged(count: usize) -> Project {
    let project = with_log(count.min(100));
    if count > 100 {
        project.write_reviews(many(count));
    }
    add(&project).exits(0);
    project
}

/// Reviews of one day.
fn many(count: usize) -> Vec<Review> {
    let at =
        |review: Review| review.with("date", "2026-01-02").with("updated", "2026-01-02T09:00:00Z");
    mixed(count).into_iter().map(at).collect()
}

/// A site whose reviews are logged and published.
fn built(count: usize) -> Project {
    let project = logged(count);
    project.build();
    project
}

fn add(project: &Project) -> Run {
    project.candor(["log", "add", "--key-file", KEY])
}

/// The lines of the log.
fn lines(project: &Project) -> Vec<String> {
    project.text(ENTRIES).lines().map(str::to_owned).collect()
}

fn write_lines(project: &Project, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    project.write(ENTRIES, text);
}

/// The entries from the `from`th on, without their times and hashes: event, review, and what is in clear.
fn events(project: &Project, from: usize) -> Vec<String> {
    let lines = lines(project);
    let word = |line: &String| {
        let entry: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let rating = entry["rating"].as_u64().map_or(String::new(), |stars| stars.to_string());
        let parts = [text("event"), text("review"), text("reason"), rating];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    lines[from..].iter().map(word).collect()
}

/// Changes a review in its file.
fn edit(project: &Project, from: &str, to: &str) {
    let path = "content/reviews/2026.ndjson";
    let text = project.text(path);
    assert!(text.contains(from), "{from} is not in {text}");
    project.write(path, text.replacen(from, to, 1));
}

/// The build refuses, with exactly these words, and leaves the site as it is.
#[track_caller]
fn assert_refused(project: &Project, complaint: &str) {
    let public = project.path("public").exists();
    let before = public.then(|| project.tree("public"));
    let run = project.candor(["build"]).exits(1);
    assert_eq!(
        run.err,
        format!("{complaint}error: nothing was published; fix the errors above\n"),
        "{run:#?}"
    );
    assert_eq!(project.path("public").exists().then(|| project.tree("public")), before);
}
