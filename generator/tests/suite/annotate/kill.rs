//! A run that is killed at any moment loses nothing, and repeats at most what was in progress.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use super::{Endpoint, FILE, numbered, rows};
use crate::project::Project;

const REVIEWS: usize = 1_000;
const BATCH: usize = 5;
const CONCURRENCY: usize = 4;
/// Requests after which the first runs are killed.
const KILLED_AFTER: [usize; 6] = [1, 37, 3, 61, 20, 44];

#[test]
fn killed_runs_are_resumed_and_nothing_recorded_is_lost_or_asked_again() {
    let project = Project::new();
    // No day of a thousand is in the future.
    let reviews = numbered(REVIEWS)
        .into_iter()
        .map(|review| review.with("date", "2026-01-05").with("updated", "2026-01-05T09:00:00Z"));
    project.write_reviews(reviews.collect::<Vec<_>>());
    let endpoint = Endpoint::right();
    let mut asked_before = 0;
    let mut recorded = BTreeSet::new();
    for requests in KILLED_AFTER {
        let mut child =
            endpoint.command(&project, &["--concurrency", "4", "--quiet"]).spawn().unwrap();
        for _ in 0..requests {
            endpoint.coming.recv_timeout(Duration::from_secs(60)).expect("a request comes");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        endpoint.coming.try_iter().count();
        let now = recorded_texts(&project);
        assert!(now.is_superset(&recorded), "a row was lost");
        let asked = endpoint.asked();
        let again = asked[asked_before..].iter().flat_map(|asked| &asked.texts);
        assert!(again.into_iter().all(|text| !recorded.contains(&number(text))), "asked again");
        (asked_before, recorded) = (asked.len(), now);
    }
    endpoint.annotate(&project, &["--concurrency", "4"]).exits(0);
    let asked = endpoint.asked();
    let again = asked[asked_before..].iter().flat_map(|asked| &asked.texts);
    assert!(again.into_iter().all(|text| !recorded.contains(&number(text))), "asked again");
    let all: usize = asked.iter().map(|asked| asked.texts.len()).sum();
    let in_progress = KILLED_AFTER.len() * CONCURRENCY * BATCH;
    assert!((REVIEWS..=REVIEWS + in_progress).contains(&all), "{all} reviews in all requests");
    assert_eq!(recorded_texts(&project).len(), REVIEWS);
    assert_eq!(rows(&project, FILE).len(), REVIEWS, "one row for each review");
    project.candor(["check", "--strict"]).exits(0);
}

/// The number of a review, by its text.
fn number(text: &str) -> usize {
    text.rsplit(' ').next().unwrap().trim_end_matches('.').parse().unwrap()
}

/// The numbers of the reviews with a whole row.
fn recorded_texts(project: &Project) -> BTreeSet<usize> {
    let text = project.text(FILE);
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    rows.map(|row| row["review_id"].as_str().unwrap()[3..].parse().unwrap()).collect()
}
