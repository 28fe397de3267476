//! What an import says by what it lacks: missing is not deleted.

use serde_json::{Value, json};

use super::{Project, google};

fn import(project: &Project, reviews: &[Value], more: &[&str]) -> super::super::project::Run {
    project.write_export("a.json", reviews);
    let arguments = ["import", "a.json"].into_iter().chain(more.iter().copied());
    project.candor(arguments)
}

fn many(count: usize) -> Vec<Value> {
    (0..count).map(google).collect()
}

fn today() -> String {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
}

#[test]
fn missing_is_marked_and_stays_published() {
    let project = Project::new();
    import(&project, &many(5), &[]).exits(0);
    import(&project, &many(4), &[]).exits(0).says("unchanged 4 · missing 1");
    let stored = project.stored();
    assert_eq!(stored[4]["missing_since"], today());
    project.build();
    assert_eq!(project.json("public/reviews.json")["reviews"].as_array().unwrap().len(), 5);
    // Still missing: nothing changes.
    import(&project, &many(4), &["--exit-code"]).exits(2).says("missing 1");
    import(&project, &many(5), &[]).exits(0).says("updated 1 · unchanged 4 · missing 0");
    assert!(project.stored()[4].get("missing_since").is_none());
}

#[test]
fn check_warns_after_thirty_days() {
    let project = Project::new();
    import(&project, &many(5), &[]).exits(0);
    import(&project, &many(4), &[]).exits(0);
    assert_eq!(project.candor(["check"]).exits(0).err, "");
    let text = project.text("content/reviews/2025.ndjson").replace(&today(), "2025-06-01");
    project.write("content/reviews/2025.ndjson", text);
    let id = project.stored()[4]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        project.candor(["check"]).exits(0).err,
        format!(
            "content/reviews/2025.ndjson:5: warning[missing-at-source]: imports from google have lacked 1 of its reviews for over 30 days, the first since 2025-06-01: {id}; look whether they are still there; a complete export and candor import --prune removes what is gone\n"
        )
    );
}

#[test]
fn an_empty_export_is_no_export() {
    let project = Project::new();
    import(&project, &many(5), &[]).exits(0);
    let before = project.tree("content");
    for nothing in [
        "[]",
        "{\"reviews\":[]}",
        "{}",
        "",
        "[null]",
        "review_id,author_title,review_rating,review_timestamp\n",
    ] {
        project.write("a.json", nothing);
        let run = project.candor(["import", "a.json"]);
        assert_eq!(run.code, 1, "{nothing}: {run:?}");
        assert!(
            run.err.contains("nothing was changed") || run.err.contains("no reviews"),
            "{nothing}: {run:?}"
        );
        assert_eq!(project.tree("content"), before);
    }
}

#[test]
fn a_part_of_an_export_marks_nothing() {
    let project = Project::new();
    import(&project, &many(20), &[]).exits(0);
    let before = project.tree("content/reviews");
    import(&project, &many(3), &["--exit-code"]).exits(2).says(
        "17 of 20 stored reviews are not in this import: the export is probably incomplete, so no review is marked as missing; pass --allow-shrink to accept it",
    );
    assert_eq!(project.tree("content/reviews"), before);
    import(&project, &many(3), &["--allow-shrink"]).exits(0).says("missing 17");
}

#[test]
fn what_an_export_says_of_itself_decides_whether_anything_is_missing() {
    let project = Project::new();
    import(&project, &many(20), &[]).exits(0);
    let part = json!({ "reviews": many(5), "totalReviewCount": 312 });
    project.write("a.json", part.to_string());
    project
        .candor(["import", "a.json"])
        .exits(0)
        .says("google says there are 312 reviews; this import has 5")
        .says("missing 0");
    project.build();
    let sources = &project.json("public/reviews.json")["sources"][0];
    assert_eq!((&sources["claimed_total"], &sources["complete"]), (&json!(312), &json!(false)));
    let at = project.import_log().last().unwrap()["at"].clone();
    assert_eq!(sources["last_import"], at);
    project.candor(["import", "a.json", "--prune"]).exits(1).complains(
        "--prune needs a complete export, and this one has 5 of 312 reviews from google",
    );
    let whole = json!({ "reviews": many(19), "totalReviewCount": 19 });
    project.write("a.json", whole.to_string());
    project.candor(["import", "a.json"]).exits(0).says("missing 1");
    project.build();
    let sources = &project.json("public/reviews.json")["sources"][0];
    assert_eq!((&sources["claimed_total"], &sources["complete"]), (&json!(19), &json!(true)));
}

#[test]
fn the_owners_word_on_a_source_goes_first() {
    let project = Project::new();
    let business = super::super::project::BUSINESS;
    project.write(
        "content/business.toml",
        format!("{business}\n[[source]]\nid = \"google\"\nclaimed_total = 7\n"),
    );
    project.write("a.json", json!({ "reviews": many(5), "totalReviewCount": 312 }).to_string());
    project.candor(["import", "a.json"]).exits(0);
    project.build();
    assert_eq!(project.json("public/reviews.json")["sources"][0]["claimed_total"], 7);
}

#[test]
fn a_takeout_folder_is_complete() {
    let project = Project::new();
    project.write_export("takeout/location-7/reviews.json", &many(12));
    project.candor(["import", "takeout"]).exits(0);
    project.build();
    assert_eq!(project.json("public/reviews.json")["sources"][0]["complete"], true);
}

#[test]
fn pruning_removes_and_what_comes_back_has_its_id() {
    let project = Project::new();
    import(&project, &many(20), &[]).exits(0);
    let id = project.stored()[19]["id"].as_str().unwrap().to_owned();
    import(&project, &many(19), &["--prune"]).exits(0).says("missing 0 · rejected 0 · removed 1");
    assert_eq!(project.stored().len(), 19);
    let tombstone: Value =
        serde_json::from_str(&project.text("content/tombstones.ndjson")).unwrap();
    assert_eq!((&tombstone["id"], &tombstone["reason"]), (&json!(id), &json!("missing")));
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let newest = &project.json("public/changes.json")["changes"][0];
    assert_eq!(*newest, json!({ "id": id, "change": "removed", "at": tombstone["at"] }));

    import(&project, &many(20), &[]).exits(0).says("new 1");
    assert_eq!(project.stored()[19]["id"], id);
    assert_eq!(project.text("content/tombstones.ndjson"), "");
    project.build();
    let changes = project.json("public/changes.json");
    assert!(changes["changes"].as_array().unwrap().iter().all(|c| c["change"] == "added"));
}

#[test]
fn much_is_not_removed_without_a_word() {
    let project = Project::new();
    import(&project, &many(20), &[]).exits(0);
    let before = project.tree("content");
    for count in [17, 10, 1] {
        let run = import(&project, &many(count), &["--prune"]).exits(1);
        assert_eq!(
            run.err,
            format!(
                "error: {} of 20 stored reviews would be removed, more than 5 or a tenth of them; look whether the export is whole, and add --allow-shrink if it is\nnext: candor import a.json --prune --allow-shrink\n",
                20 - count
            )
        );
        assert_eq!(project.tree("content"), before);
    }
    import(&project, &many(10), &["--prune", "--allow-shrink"]).exits(0).says("removed 10");
}

#[test]
fn what_is_missing_for_long_goes_where_the_owner_asked_for_it() {
    let project = Project::new();
    project.write("content/import.toml", "[import]\ndrop_missing_after = 30\n");
    import(&project, &many(20), &[]).exits(0);
    import(&project, &many(19), &[]).exits(0).says("missing 1");
    let text = project.text("content/reviews/2025.ndjson").replace(&today(), "2025-06-01");
    project.write("content/reviews/2025.ndjson", text);
    import(&project, &many(19), &[]).exits(0).says("removed 1");
    assert_eq!(project.stored().len(), 19);
}

#[test]
fn nothing_is_missing_where_rows_could_not_be_read() {
    let project = Project::new();
    import(&project, &many(12), &[]).exits(0);
    let mut rows = many(12);
    rows[3]["starRating"] = json!("STAR_RATING_UNSPECIFIED");
    import(&project, &rows, &["--keep-going"])
        .exits(0)
        .says("unchanged 11 · missing 0 · rejected 1");
}

#[test]
fn reviews_of_a_platform_that_was_not_asked_for_are_not_missing() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-03-02,Good\n");
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    project.write(
        "a.csv",
        "author,rating,date,text,source\nAnn,5,2026-03-02,Good,\nJoe,4,2026-03-03,Fine,yelp\n",
    );
    let run = project.candor(["import", "a.csv", "--source", "google", "--only-source", "yelp"]);
    run.exits(0).says("new 1 · updated 0 · unchanged 0 · missing 0 ·");
    assert!(project.stored().iter().all(|review| review["missing_since"].is_null()));
}
