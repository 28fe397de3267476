//! Which rows are one review, and what becomes of their fields.

use serde_json::{Value, json};

use super::{Project, apify, google};

fn import(project: &Project, name: &str, reviews: &[Value]) -> String {
    project.write_export(name, reviews);
    project.candor(["import", name]).exits(0).out
}

fn import_apify(project: &Project, reviews: &[Value]) -> String {
    project.write("apify.json", Value::from(reviews).to_string());
    project.candor(["import", "apify.json"]).exits(0).out
}

#[test]
fn an_id_is_minted_from_the_instant_and_kept() {
    let project = Project::new();
    import(&project, "a.json", &[google(1)]);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    let at: jiff::Timestamp = "2025-01-02T12:01:00Z".parse().unwrap();
    let minted = contract::model::ReviewId::from_parts(at, &blake3::hash(b"google:AbFvOqTill0001"));
    assert_eq!(id, minted.to_string());
    let mut corrected = google(1);
    corrected["createTime"] = json!("2024-12-30T12:00:00Z");
    corrected["updateTime"] = json!("2025-03-01T12:00:00Z");
    import(&project, "a.json", &[corrected]);
    let stored = project.stored();
    assert_eq!(
        (stored.len(), &stored[0]["id"], &stored[0]["date"]),
        (1, &json!(id), &json!("2024-12-30"))
    );
    assert!(!project.path("content/reviews/2025.ndjson").exists(), "it moved to its year's file");
}

#[test]
fn accounts_do_not_matter_and_spellings_are_one() {
    let project = Project::new();
    import(&project, "a.json", &[google(1)]);
    let mut other = google(1);
    other["name"] = json!("accounts/99/locations/7/reviews/AbFvOqTill0001");
    other["reviewId"] = json!("AbFvOqTill0001");
    assert!(import(&project, "b.json", &[other]).contains("new 0 · updated 0 · unchanged 1"));
}

#[test]
fn two_id_spaces_of_google_are_one_review_and_it_is_said() {
    let project = Project::new();
    import(&project, "a.json", &[google(1), google(2)]);
    let said = import_apify(&project, &[apify(1), apify(2)]);
    assert!(
        said.contains("apify.json#/0 is merged with") && said.contains("the same text"),
        "{said}"
    );
    let stored = project.stored();
    assert_eq!(stored.len(), 2);
    assert_eq!(
        stored[0]["source_ids"],
        json!(["google:AbFvOqTill0001", "google:ChZDSUhNMG9nS0VJQ0FnSUNUill0001"])
    );
    assert_eq!(stored[0]["author_id"], "110000000001");
    let said = import_apify(&project, &[apify(1), apify(2)]);
    assert!(said.contains("unchanged 2") && !said.contains("taken for"), "{said}");
}

#[test]
fn two_namesakes_in_one_export_are_two_reviews() {
    let project = Project::new();
    let mut namesake = google(6);
    for key in ["reviewer", "createTime", "updateTime", "starRating"] {
        namesake[key] = google(1)[key].clone();
    }
    namesake["comment"] = Value::Null;
    let mut first = google(1);
    first["comment"] = Value::Null;
    import(&project, "a.json", &[first, namesake]);
    assert_eq!(project.stored().len(), 2);
}

#[test]
fn an_account_has_one_review_of_a_place() {
    let project = Project::new();
    import_apify(&project, &[apify(1)]);
    let mut rewritten = apify(1);
    rewritten["reviewId"] = json!("ChZDSUhNMG9nS0VJQ0FnSUNrewritten0001");
    rewritten["text"] = json!("Other words.");
    rewritten["stars"] = json!(1);
    import_apify(&project, &[rewritten]);
    let stored = project.stored();
    assert_eq!(
        (stored.len(), &stored[0]["text"], &stored[0]["rating"]),
        (1, &json!("Other words."), &json!(1))
    );
    assert_eq!(stored[0]["source_ids"].as_array().unwrap().len(), 2);
}

#[test]
fn a_row_like_two_reviews_is_refused_with_both() {
    let project = Project::new();
    let mut twin = google(6);
    for key in ["reviewer", "createTime", "updateTime", "starRating"] {
        twin[key] = google(1)[key].clone();
    }
    import(&project, "a.json", &[google(1), twin]);
    let before = project.tree("content/reviews");
    let mut third = apify(1);
    third["text"] = json!("Neither.");
    project.write("apify.json", json!([third]).to_string());
    let run = project.candor(["import", "apify.json"]).exits(1);
    assert!(
        run.err.starts_with(
            "apify.json#/0: error[ambiguous]: it is as much like one as the other of 01J"
        ),
        "{run:?}"
    );
    assert!(
        run.err.contains(" and 01J") && run.out.contains("nothing of apify.json was imported"),
        "{run:?}"
    );
    assert_eq!(project.tree("content/reviews"), before);
    let run = project.candor(["import", "apify.json", "--keep-going"]).exits(0);
    run.says("new 0 · updated 0 · unchanged 0 · missing 0 · rejected 1");
}

#[test]
fn the_newer_version_wins_in_either_order() {
    let mut newer = google(1);
    newer["updateTime"] = json!("2025-06-01T00:00:00Z");
    newer["starRating"] = json!("FIVE");
    newer["comment"] = json!("Better now.");
    for order in [[google(1), newer.clone()], [newer, google(1)]] {
        let project = Project::new();
        for version in &order {
            import(&project, "a.json", std::slice::from_ref(version));
        }
        let stored = project.stored();
        assert_eq!((&stored[0]["text"], &stored[0]["rating"]), (&json!("Better now."), &json!(5)));
        assert_eq!(stored[0]["source_updated"], "2025-06-01T00:00:00Z");
        assert_eq!(stored[0]["updated"], "2025-06-01T00:00:00Z");
    }
}

#[test]
fn a_text_is_never_replaced_by_nothing() {
    let project = Project::new();
    import_apify(&project, &[apify(1)]);
    let before = project.tree("content/reviews");
    for nothing in [Value::Null, json!(""), json!(" \n ")] {
        let mut empty = apify(1);
        empty["text"] = nothing;
        empty["name"] = Value::Null;
        import_apify(&project, &[empty]);
        assert_eq!(project.tree("content/reviews"), before);
    }
}

#[test]
fn a_reply_goes_only_where_replies_are_known() {
    let project = Project::new();
    let mut replied = google(1);
    replied["reviewReply"] = json!({ "comment": "Thanks!", "updateTime": "2025-02-01T00:00:00Z" });
    import(&project, "a.json", &[replied.clone()]);
    assert_eq!(
        project.stored()[0]["owner_reply"],
        json!({ "text": "Thanks!", "date": "2025-01-31" })
    );
    // A scrape without any reply says nothing about them.
    import_apify(&project, &[apify(1)]);
    assert_ne!(project.stored()[0]["owner_reply"], Value::Null);
    let mut without = google(1);
    without["updateTime"] = json!("2025-03-01T00:00:00Z");
    import(&project, "a.json", &[without]);
    assert_eq!(project.stored()[0]["owner_reply"], Value::Null);
}

#[test]
fn a_reply_that_its_source_removed_is_removed() {
    let project = Project::new();
    let mut replied = google(1);
    // Later than the review's own update time, which a removed reply does not change.
    replied["reviewReply"] = json!({ "comment": "Thanks!", "updateTime": "2025-02-01T12:00:00Z" });
    import(&project, "a.json", &[replied.clone(), google(2)]);
    let stored = &project.stored()[0];
    assert_eq!(stored["owner_reply"]["text"], "Thanks!");
    assert_eq!(stored["updated"], "2025-02-01T12:00:00Z");
    // The Places API carries no replies: it removes none.
    let review = json!({
        "name": "places/ChIJtillwater0001/reviews/ChZDSUhNMG9nS0VJQ0FnSUNUill0001", "rating": 2,
        "text": { "text": google(1)["comment"], "languageCode": "en" },
        "authorAttribution": { "displayName": "Ann 1" }, "publishTime": "2025-01-02T12:01:00Z",
    });
    project.write("p.json", json!({ "reviews": [review] }).to_string());
    project.candor(["import", "p.json"]).exits(0);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks!");
    project.write_export("a.json", &[google(1), google(2)]);
    project.candor(["import", "a.json"]).exits(0).says("new 0 · updated 1 · unchanged 1");
    let stored = &project.stored()[0];
    assert_eq!(stored["owner_reply"], Value::Null);
    assert!(stored["updated"].as_str() > Some("2025-02-01T12:00:00Z"), "{stored}");
    // An older export does not bring an older reply back.
    import(&project, "a.json", &[replied.clone(), google(2)]);
    replied["reviewReply"] =
        json!({ "comment": "Thank you!", "updateTime": "2025-01-20T12:00:00Z" });
    import(&project, "a.json", &[replied, google(2)]);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks!");
}

#[test]
fn pictures_and_profiles_flicker_without_changing_anything() {
    let project = Project::new().file("content/import.toml", "[import]\navatars = true\n");
    let with_picture = |url: &str| {
        let mut review = apify(1);
        review["reviewerPhotoUrl"] = json!(url);
        review
    };
    import_apify(&project, &[with_picture("https://photos.example/1.png")]);
    assert_eq!(project.stored()[0]["author_avatar_url"], "https://photos.example/1.png");
    let before = project.tree("content");
    import_apify(&project, &[with_picture("https://photos.example/2.png")]);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn pictures_are_left_out_by_default() {
    let project = Project::new();
    let mut review = apify(1);
    review["reviewerPhotoUrl"] = json!("https://photos.example/1.png");
    import_apify(&project, &[review]);
    assert_eq!(project.stored()[0]["author_avatar_url"], Value::Null);
}

#[test]
fn corrections_by_hand_win() {
    let project = Project::new();
    import(&project, "a.json", &[google(1)]);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    project.write(
        "content/overrides.toml",
        format!("[{id}]\ndate = 2025-02-01\nauthor = \"Ann the First\"\n"),
    );
    let mut newer = google(1);
    newer["updateTime"] = json!("2025-06-01T00:00:00Z");
    newer["reviewer"] = json!({ "displayName": "Annie" });
    import(&project, "a.json", &[newer]);
    project.build();
    assert_eq!(project.json("public/reviews.json")["reviews"][0]["author"], "Ann the First");
    assert_eq!(project.stored()[0]["author"], "Annie");
}

#[test]
fn what_is_not_the_imports_is_left_as_it_was() {
    let project = Project::new();
    import(&project, "a.json", &[google(1), google(2)]);
    let text = project.text("content/reviews/2025.ndjson");
    let text = text.replacen("\"verified\":null", "\"verified\":false", 1);
    let text = text.replacen(
        "\"disclosure\":null",
        "\"disclosure\":{\"kind\":\"insider\",\"note\":null}",
        1,
    );
    project.write("content/reviews/2025.ndjson", &text);
    let mut newer = google(1);
    newer["updateTime"] = json!("2025-06-01T00:00:00Z");
    newer["comment"] = json!("Better.");
    import(&project, "a.json", &[newer, google(2)]);
    let stored = project.stored();
    assert_eq!(
        (&stored[0]["verified"], &stored[0]["disclosure"]["kind"]),
        (&json!(false), &json!("insider"))
    );
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(
        project.text("content/reviews/2025.ndjson").contains(&lines[1]),
        "the other line is untouched"
    );
}

#[test]
fn rows_without_ids_are_known_by_what_they_say() {
    let project = Project::new();
    let table = |rows: &str| project.write("a.csv", format!("author,rating,date,text\n{rows}"));
    let import = || project.candor(["import", "a.csv", "--source", "direct"]).exits(0).out;
    table("Ann,5,2025-01-02,Good.\nBob,1,2025-01-02,\nBob,5,2025-01-02,\nAnn,5,2025-01-02,Good.\n");
    assert!(import().contains("new 3 ·"));
    let ids: Vec<Value> = project.stored().iter().map(|review| review["id"].clone()).collect();
    assert_ne!(ids[0], ids[1]);
    let before = project.tree("content");
    assert!(import().contains("unchanged 3"));
    table("Bob,5,2025-01-02,\nAnn,5,2025-01-02,Good.\nBob,1,2025-01-02,\n");
    assert!(import().contains("unchanged 3"));
    assert_eq!(project.tree("content"), before);
    table("Bob,5,2025-01-02,\nAnn,5,2025-01-03,Good indeed.\nBob,1,2025-01-02,\n");
    let said = import();
    assert!(
        said.contains("updated 1 · unchanged 2") && said.contains("a.csv:3 is merged with"),
        "{said}"
    );
}

#[test]
fn platforms_are_never_merged_with_each_other() {
    let project = Project::new();
    let table = "author,rating,date,text\nAnn,5,2025-01-02,The very same words, which are long enough to tell them by.\n";
    project.write("a.csv", table.replace("The", "\"The").replace("by.", "by.\""));
    for source in ["direct", "judgeme"] {
        project.candor(["import", "a.csv", "--source", source]).exits(0).says("new 1");
    }
    assert_eq!(project.stored().len(), 2);
}

#[test]
fn eleven_versions_of_one_scrape_are_25_reviews() {
    // As measured: rows lost and found, all texts gone and back, one edited, one version empty.
    let project = Project::new();
    let version = |range: std::ops::Range<usize>, text: bool| -> Vec<Value> {
        range
            .map(|n| {
                let mut review = apify(n);
                if !text {
                    review["text"] = Value::Null;
                }
                review
            })
            .collect()
    };
    let mut edited = version(2..24, true);
    edited[3]["text"] = json!("Edited under its id.");
    let versions = [
        version(0..20, false),
        version(0..20, true),
        version(0..20, true),
        version(1..21, true),
        version(1..24, false),
        version(1..24, true),
        edited,
        Vec::new(),
        version(2..25, true),
        version(2..25, false),
        version(0..25, true),
    ];
    for version in versions {
        project.write("apify.json", Value::from(version.clone()).to_string());
        project.candor(["import", "apify.json"]).exits(i32::from(version.is_empty()));
    }
    let stored = project.stored();
    assert_eq!(stored.len(), 25);
    assert!(stored.iter().all(|review| review["text"].is_string()));
    assert!(stored.iter().all(|review| review.get("missing_since").is_none()));
}

#[test]
fn relative_dates_are_kept_as_they_were_first_counted() {
    let project = Project::new();
    let mut review = apify(1);
    review["publishedAtDate"] = Value::Null;
    review["publishAt"] = json!("vor 2 Monaten");
    project.write("apify.json", json!([review]).to_string());
    project.candor(["import", "apify.json"]).exits(1).complains("only a distance from one");
    project.candor(["import", "apify.json", "--relative-to", "2025-03-15"]).exits(0);
    let first = project.stored();
    assert_eq!(
        (&first[0]["date"], &first[0]["date_precision"]),
        (&json!("2025-01-15"), &json!("month"))
    );
    review["publishAt"] = json!("vor 3 Monaten");
    project.write("apify.json", json!([review]).to_string());
    project.candor(["import", "apify.json", "--relative-to", "2025-04-29", "--exit-code"]).exits(2);
    // A source that knows the day settles it.
    import_apify(&project, &[apify(1)]);
    let settled = project.stored();
    assert_eq!(
        (&settled[0]["date"], &settled[0]["date_precision"]),
        (&json!("2025-01-02"), &Value::Null)
    );
    assert_eq!(settled[0]["id"], first[0]["id"]);
}
