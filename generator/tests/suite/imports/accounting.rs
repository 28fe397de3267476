//! Every row of an export is counted exactly once.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Project, apify, google};

/// The counts whose sum is the number of rows.
const OF_ROWS: [&str; 14] = [
    "new",
    "updated",
    "unchanged",
    "merged",
    "same",
    "rejected",
    "forgotten",
    "elsewhere",
    "held_back",
    "other_source",
    "spam",
    "pending",
    "answers",
    "others",
];

fn counts(project: &Project) -> Value {
    project.json("report.json")["counts"].clone()
}

fn sum(counts: &Value) -> u64 {
    OF_ROWS.iter().map(|name| counts[name].as_u64().unwrap()).sum()
}

#[test]
fn identical_rows_do_not_vanish() {
    let project = Project::new();
    project.write(
        "a.csv",
        "author,rating,date,text\nAnn,5,2026-01-02,\nAnn,5,2026-01-02,\nBen,4,2026-01-03,Good\n",
    );
    project
        .candor(["import", "a.csv", "--source", "direct", "--report", "report.json"])
        .exits(0)
        .says("new 2 · updated 0 · unchanged 0 · missing 0 · rejected 0 · same as another row 1; 3 rows read\n");
    let report = project.json("report.json");
    assert_eq!((&report["counts"]["same"], &report["counts"]["rows"]), (&1.into(), &3.into()));
    assert_eq!(report["same"], json!(["a.csv:3"]));
    let log = project.import_log();
    assert_eq!(
        (&log[0]["same"], &log[0]["merged"], &log[0]["rows"]),
        (&1.into(), &0.into(), &3.into())
    );
}

#[test]
fn rows_of_one_review_with_other_values_are_merged() {
    let project = Project::new();
    let mut edited = google(1);
    edited["comment"] = "Other words.".into();
    project.write_export("a.json", &[google(1), edited, google(2), google(1)]);
    project
        .candor(["import", "a.json", "--report", "report.json"])
        .exits(0)
        .says("new 2 · updated 0 · unchanged 0 · missing 0 · rejected 0 · merged 1 · same as another row 1; 4 rows read\n");
    assert_eq!(sum(&counts(&project)), 4);
}

#[test]
fn the_good_rows_of_a_file_that_is_not_imported_are_counted() {
    let project = Project::new();
    let mut bad = google(3);
    bad["starRating"] = "SIX".into();
    project.write_export("a.json", &[google(1), google(2), bad]);
    project.candor(["import", "a.json"]).exits(1).says(
        "new 0 · updated 0 · unchanged 0 · missing 0 · rejected 1 · held back 2; 3 rows read\n",
    );
}

#[test]
fn rows_of_other_businesses_are_counted_bad_ones_too() {
    let project = Project::new();
    let mut bad = apify(3);
    bad["stars"] = 0.into();
    let mut rows = [apify(1), apify(2), bad];
    rows[1]["placeId"] = "other".into();
    rows[2]["placeId"] = "other".into();
    project.write("a.json", json!(rows).to_string());
    project
        .candor(["import", "a.json", "--location", "ChIJtillwater0001"])
        .exits(0)
        .says("new 1 · updated 0 · unchanged 0 · missing 0 · rejected 0 · of another business 2; 3 rows read\n");
}

/// A line of a table. Few values, so that rows are equal, alike, and bad.
fn row() -> impl Strategy<Value = String> {
    let text = "They came on time and left the kitchen as clean as it had been.";
    (
        prop::sample::select(vec!["", "r1", "r2", "r3"]),
        prop::sample::select(vec!["Ann", "Ben", ""]),
        prop::sample::select(vec!["1", "5", "5", "0", ""]),
        prop::sample::select(vec!["2026-01-02", "2026-01-03", "2026-01-04", "soon"]),
        prop::sample::select(vec!["", "Good", "Fine", text]),
        prop::sample::select(vec!["7", "8", ""]),
        prop::sample::select(vec!["published", "published", "spam", "pending"]),
        prop::sample::select(vec!["", "", "1"]),
    )
        .prop_map(|(id, author, rating, date, text, place, status, answered)| {
            format!("{id},{author},{rating},{date},{text},{place},{status},{answered}\n")
        })
}

fn table() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(row(), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_counts_of_rows_are_all_rows(
        imports in prop::collection::vec((table(), table(), any::<bool>(), 0..3_usize), 1..3),
    ) {
        let project = Project::new();
        for (first, second, keep_going, locations) in imports {
            let header = "id,author,rating,date,text,place_id,status,answer_to\n";
            project.write("a.csv", header.to_owned() + &first.concat());
            project.write("b.csv", header.to_owned() + &second.concat());
            let mut command = vec!["import", "a.csv", "b.csv", "--source", "direct", "--report", "report.json"];
            command.extend(keep_going.then_some("--keep-going"));
            command.extend(["--location", "7", "--location", "8"].iter().take(2 * locations));
            project.candor(command);
            let report = project.json("report.json");
            // Nothing was imported: no such business, several of them, or no good row.
            if report["error"].is_null() {
                let counts = &report["counts"];
                prop_assert_eq!(&counts["rows"], first.len() + second.len(), "{}", counts);
                prop_assert_eq!(sum(counts), counts["rows"].as_u64().unwrap(), "{}", counts);
            }
        }
    }
}
