//! Invented exports in the shapes of public code. What is right was written down without sight of the importer.

use std::{collections::BTreeMap, path::PathBuf};

use super::Project;

/// The businesses of files that name one. The site is theirs.
const BUSINESSES: [(&str, &str); 9] = [
    ("01-", "Hob & Whistle"),
    ("22-", "Kavárna U Tří Kohoutů"),
    ("23-", "Granris Skidservice"),
    ("26-", "Spindle & Sons"),
    ("27-", "Fahrschule Kuppelkamp"),
    ("28-", "Podeszwa"),
    ("31-", "Thistledown"),
    ("36-", "Saltmarsh Ceramics"),
    ("37-", "Pasieka Pod Lipą"),
];

#[test]
fn each_export_gives_what_a_careful_person_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/corpus");
    let expected = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in expected.lines().skip(1) {
        let [file, flags, stars, first, last, answers, purchases, outcome, why] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let path = folder.join(file);
        let project = Project::new();
        let business = std::fs::read_to_string(project.path("content/business.toml")).unwrap();
        let business = business.replace("America/Chicago", "UTC");
        let name = BUSINESSES.iter().find(|(start, _)| file.starts_with(start));
        let name = name.map_or("Acme Plumbing", |(_, name)| name);
        project.write("content/business.toml", business.replace("Acme Plumbing", name));
        let mut command = vec!["import", path.to_str().unwrap()];
        command.extend(flags.split_whitespace());
        let run = project.candor(command);
        let stored = if run.code == 0 && project.path("content/reviews").exists() {
            project.stored()
        } else {
            Vec::new()
        };
        let mut counts = BTreeMap::<u64, u64>::new();
        for review in &stored {
            *counts.entry(review["rating"].as_u64().unwrap()).or_default() += 1;
        }
        let counts: Vec<String> =
            counts.iter().rev().map(|(stars, count)| format!("{stars}:{count}")).collect();
        let replies = stored.iter().filter(|review| review["owner_reply"].is_object()).count();
        let marked = stored.iter().filter(|review| review["verified_purchase"] == true).count();
        let mut days: Vec<&str> =
            stored.iter().filter_map(|review| review["date"].as_str()).collect();
        days.sort_unstable();
        let is_right = match outcome {
            "refuse" => run.code == 1 && stored.is_empty(),
            _ => {
                counts.join(" ") == stars
                    && replies.to_string() == answers
                    && marked.to_string() == purchases
                    && days.first().is_some_and(|day| day.starts_with(first))
                    && days.last().is_some_and(|day| day.starts_with(last))
            }
        };
        if !is_right {
            wrong.push(format!("{file}: {why}\n  {counts:?} {replies} {marked} {days:?} {run:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
