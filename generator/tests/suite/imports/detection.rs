//! Which format a file is: never by one weak mark, and wherever its reviews are.

use serde_json::{Value, json};

use super::{Project, fixture};

fn says(file: &Value, arguments: &[&str], words: &str) -> Project {
    let project = Project::new();
    project.write("a.json", file.to_string());
    project.candor(["import", "a.json"].iter().chain(arguments).copied()).exits(0).says(words);
    project
}

/// A review as people keep them by hand.
fn review() -> Value {
    json!({ "name": "Ann", "rating": 5, "date": "2026-01-05", "text": "Good." })
}

#[test]
fn total_review_count_alone_makes_no_google_export() {
    let file = json!({ "totalReviewCount": 1, "reviews": [review()] });
    let project = says(&file, &["--source", "direct"], "a.json: json (by the names");
    assert_eq!(project.stored()[0]["text"], "Good.");
}

#[test]
fn a_page_of_google_without_reviews_is_still_googles() {
    let project = Project::new();
    project.write("a.json", json!({ "totalReviewCount": 0 }).to_string());
    project.write_export("b.json", &[super::google(1)]);
    project.candor(["import", "a.json", "b.json"]).exits(0).says("new 1");
}

#[test]
fn one_name_of_a_known_format_in_a_hand_kept_review_is_not_that_format() {
    for (name, value) in [
        ("starRating", json!(5)),
        ("reviewId", json!("r1")),
        ("iso_date", json!("2026-01-05")),
        ("features", json!("fast")),
        ("totalReviewCount", json!(1)),
    ] {
        let mut row = review();
        row[name] = value;
        let project = says(&json!([row]), &["--source", "direct"], "a.json: json (by the names");
        assert_eq!(project.stored()[0]["text"], "Good.", "{name}");
    }
}

#[test]
fn a_list_of_features_in_a_table_is_no_map_of_google() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,features\nAnn,5,2026-01-02,fast\n");
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0).says("not used: features");
}

#[test]
fn reviews_in_a_place_in_an_object_are_found() {
    let place: Value =
        serde_json::from_slice(&std::fs::read(fixture("places_new.json")).unwrap()).unwrap();
    for (file, pointer) in [
        (json!({ "place": place }), "/place/reviews/0"),
        (json!({ "data": { "place": place } }), "/data/place/reviews/0"),
        (json!([{ "place": place }]), "/0/place/reviews/0"),
    ] {
        for format in ["auto", "places"] {
            let project = says(&file, &["--format", format], "a.json: places (");
            assert!(!project.stored().is_empty());
        }
        let mut file = file;
        file.pointer_mut(pointer).unwrap()["rating"] = 0.into();
        let project = Project::new();
        project.write("a.json", file.to_string());
        project.candor(["import", "a.json"]).exits(1).complains(&format!("a.json#{pointer}: "));
    }
}

#[test]
fn a_place_is_found_in_the_object_around_its_reviews() {
    let reviews = json!([{
        "author_name": "Ann", "rating": 5, "time": 1_767_600_000, "text": "Good.",
        "relative_time_description": "a week ago",
    }]);
    let place =
        |id: &str| json!({ "place": { "place_id": id, "name": "Tillwater", "reviews": reviews } });
    let project = Project::new();
    project.write("a.json", place("ChIJ1").to_string());
    project.write("b.json", place("ChIJ2").to_string());
    project
        .candor(["import", "a.json", "b.json"])
        .exits(1)
        .complains("  ChIJ2  Tillwater  1 reviews");
}
