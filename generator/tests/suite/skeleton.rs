//! The files of a new site: every option that is in a comment is valid.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    project::{Project, Run},
    review::review,
};

/// Keys without which a table is an error.
const REQUIRED: [&str; 8] = ["id", "name", "label", "question", "answer", "date", "kind", "method"];

const FILES: [&str; 7] =
    ["site", "business", "technicians", "services", "service_areas", "faq", "overrides"];

/// A new site with what its options name: a picture, a review.
fn new_site() -> Project {
    let project = Project::new();
    let run = ["init", "shop", "--name", "Acme", "--base-url", "https://acme.example"];
    project.candor(run).exits(0);
    project.write("shop/content/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    project.write("shop/content/photos/van.jpg", super::photos::jpeg(40, 30));
    project.write("shop/content/reviews/2026.ndjson", review(0).line());
    project
}

fn check(project: &Project) -> Run {
    project.candor(["check", "--content", "shop/content"])
}

/// The text of a line that is an option.
fn option(line: &str) -> Option<&str> {
    let text = line.strip_prefix("# ")?;
    let (key, _) = text.split_once(" = ").unwrap_or((text, ""));
    let is_key =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b"._".contains(&b));
    (is_key && text.contains(" = ") || text.starts_with('[')).then_some(text)
}

/// Line numbers of what an owner may uncomment at once: an option, a table with its required keys and
/// one more, a whole table.
fn choices(text: &str) -> Vec<BTreeSet<usize>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut choices = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(found) = option(lines[at]) else {
            at += 1;
            continue;
        };
        if !found.starts_with('[') {
            choices.push(BTreeSet::from([at]));
            at += 1;
            continue;
        }
        let end =
            (at..lines.len()).find(|line| !lines[*line].starts_with("# ")).unwrap_or(lines.len());
        let keys = (at + 1..end).filter(|line| option(lines[*line]).is_some());
        let is_required = |line: &usize| {
            REQUIRED.iter().any(|key| lines[*line].starts_with(&format!("# {key} = ")))
        };
        let (required, optional): (Vec<usize>, Vec<usize>) = keys.partition(is_required);
        let least = BTreeSet::from_iter(required.into_iter().chain([at]));
        let with = |line: &usize| least.iter().copied().chain([*line]).collect();
        choices.extend(optional.iter().map(with));
        choices.push((at..end).filter(|line| option(lines[*line]).is_some()).collect());
        at = end;
    }
    choices
}

fn uncommented(text: &str, chosen: &BTreeSet<usize>) -> String {
    let lines = text.lines().enumerate().map(|(at, line)| {
        if chosen.contains(&at) {
            format!("{}\n", option(line).unwrap())
        } else {
            format!("{line}\n")
        }
    });
    lines.collect()
}

#[test]
fn every_option_of_a_new_site_is_valid_alone() {
    let project = new_site();
    let mut count = 0;
    for file in FILES {
        let path = format!("shop/content/{file}.toml");
        let text = project.text(&path);
        for chosen in choices(&text) {
            let changed = uncommented(&text, &chosen);
            project.write(&path, &changed);
            let run = check(&project);
            assert_eq!((run.code, run.err.contains("error")), (0, false), "{changed}\n{}", run.err);
            count += 1;
        }
        project.write(&path, text);
    }
    assert!(count > 40, "only {count} options were found");
}

#[test]
fn all_options_of_a_new_site_are_valid_together() {
    let project = new_site();
    for file in FILES {
        let path = format!("shop/content/{file}.toml");
        let text = project.text(&path);
        let all = choices(&text).into_iter().flatten().collect();
        project.write(&path, uncommented(&text, &all));
    }
    let run = check(&project);
    assert_eq!((run.code, run.err.contains("error")), (0, false), "{}", run.err);
    let built = ["build", "--content", "shop/content", "--public", "shop/public"];
    project.candor(built).exits(0);
    let business = project.json("shop/public/reviews.json")["business"].clone();
    for key in ["category", "phone", "email", "geo", "description", "url"] {
        assert_ne!(business[key], Value::Null, "{key}");
    }
    assert_eq!(business["address"]["postal_code"], "62701");
    assert_eq!(business["hours"][0]["opens"], "08:00");
}

#[test]
fn every_file_of_a_new_site_names_a_schema_that_it_obeys() {
    let project = new_site();
    for file in FILES {
        let text = project.text(&format!("shop/content/{file}.toml"));
        assert!(text.starts_with(&format!("#:schema .schema/{file}.json\n")), "{file}");
        let schema = project.json(&format!("shop/content/.schema/{file}.json"));
        let all = choices(&text).into_iter().flatten().collect();
        super::content_schema::assert_obeys(&schema, &uncommented(&text, &all), file);
    }
}
