//! `candor init` and `candor new`.

use super::{
    project::{Project, SITE},
    review::{id, review},
};

#[test]
fn a_new_site_is_clean_and_builds_at_once() {
    let project = Project::new();
    let run =
        project.candor(["init", "shop", "--name", "Ann \"the pipe\" O'Neil \\ Söhne"]).exits(0);
    run.says("made a site in shop\n").says("reviews from platforms count as verified");
    for arguments in [&["check", "--strict"][..], &["build"]] {
        let mut command = project.command(arguments.iter().copied());
        let run = super::project::Run::of(command.current_dir(project.path("shop"))).exits(0);
        assert_eq!(run.err, "");
    }
    let document = project.json("shop/public/reviews.json");
    assert_eq!(document["business"]["name"], "Ann \"the pipe\" O'Neil \\ Söhne");
    assert_eq!(document["reviews"], serde_json::json!([]), "no invented reviews");
    assert!(
        project.text("shop/content/site.toml").contains("id_base = \"tag:reviews.example.com,2")
    );
    assert!(project.text("shop/.gitattributes").contains("* text eol=lf"));
}

#[test]
fn a_new_site_knows_the_address_it_is_given() {
    let project = Project::new();
    project.candor(["init", "shop", "--base-url", "https://acme.example/r/"]).exits(0);
    let site = project.text("shop/content/site.toml");
    assert!(site.contains("base_url = \"https://acme.example/r\"\n"), "{site}");
    assert!(site.contains("id_base = \"tag:acme.example,2"), "{site}");
}

#[test]
fn a_platforms_reviews_are_published_from_a_new_site() {
    let project = Project::new();
    project.candor(["init", "shop"]).exits(0);
    let lines = ["google", "yelp", "facebook", "trustpilot", "direct"].iter().enumerate();
    let lines = lines.map(|(n, source)| review(n).with("source", *source).line() + "\n");
    project.write("shop/content/reviews/2026.ndjson", lines.collect::<String>());
    let run = project.candor(["check", "--strict", "--content", "shop/content"]).exits(0);
    run.says("5 reviews: 5 published, none withheld");
}

#[test]
fn a_folder_in_use_is_refused_and_left_alone() {
    let project = Project::new().file("shop/notes.txt", "mine");
    let run = project.candor(["init", "shop"]).exits(1);
    assert_eq!(run.err, "error: shop is not empty; name a new folder\n");
    assert_eq!(project.tree("shop"), [("notes.txt".to_owned(), b"mine".to_vec())].into());
    let run = project.candor(["init", "shop/notes.txt"]).exits(1);
    run.complains("shop/notes.txt cannot be used");
}

#[test]
fn an_empty_folder_is_used() {
    let project = Project::new();
    std::fs::create_dir(project.path("shop")).unwrap();
    project.candor(["init", "shop"]).exits(0);
}

#[test]
fn a_new_review_stands_where_its_date_belongs() {
    let project = Project::new().reviews([review(1), review(20)]);
    let arguments = [
        "new",
        "review",
        "--author",
        "Bo",
        "--rating",
        "4",
        "--date",
        "2026-01-10",
        "--source",
        "google",
        "--text",
        " Well\r\ndone. ",
    ];
    let run = project.candor(arguments).exits(0);
    let text = project.text("content/reviews/2026.ndjson");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[0]["id"].as_str(), lines[2]["id"].as_str()), (Some(&*id(1)), Some(&*id(20))));
    assert_eq!(lines[1]["text"], "Well\ndone.");
    let minted = lines[1]["id"].as_str().unwrap();
    assert_eq!(run.out, format!("added {minted} to content/reviews/2026.ndjson\n"));
    assert!(
        text.ends_with('\n') && text.starts_with(&review(1).line()),
        "other lines stay as they are"
    );
    project.candor(["check", "--strict"]).exits(0).says("3 reviews: 3 published");
    assert_eq!(project.tree("content/reviews").len(), 1, "nothing is left over");
}

#[test]
fn a_new_review_opens_the_file_of_its_year() {
    let project = Project::new();
    project
        .candor([
            "new",
            "review",
            "--author",
            "Bo",
            "--rating",
            "1",
            "--date",
            "2019-12-31",
            "--source",
            "yelp",
        ])
        .exits(0);
    project.candor(["check", "--strict"]).exits(0);
    let line: serde_json::Value =
        serde_json::from_str(&project.text("content/reviews/2019.ndjson")).unwrap();
    assert_eq!((&line["rating"], &line["text"]), (&serde_json::json!(1), &serde_json::Value::Null));
}

#[test]
fn a_new_review_that_check_would_refuse_is_not_stored() {
    let project = Project::new();
    for (flag, value, complaint) in [
        ("--author", "  ", "an author needs a name"),
        ("--source", "Google Maps", "a source is written in small letters"),
        ("--language", "?", "is no BCP 47 language tag"),
    ] {
        let mut arguments = vec!["new", "review", "--rating", "4", flag, value];
        if flag != "--author" {
            arguments.extend(["--author", "Bo"]);
        }
        project.candor(arguments).exits(1).complains(complaint);
    }
    assert!(!project.path("content/reviews").exists());
    let run = project
        .candor(["new", "review", "--author", "Bo", "--rating", "4", "--content", "nowhere"])
        .exits(1);
    run.complains("there is no content folder nowhere");
}

#[test]
fn minted_ids_are_new_and_begin_with_their_day() {
    let project = Project::new();
    let mint = |arguments: &[&'static str]| project.candor(arguments.iter().copied()).exits(0).out;
    let (one, other) = (
        mint(&["new", "id", "--date", "2024-03-01"]),
        mint(&["new", "id", "--date", "2024-03-01"]),
    );
    assert_ne!(one, other);
    assert!(one.starts_with("01HQVMZ100") && one.len() == 27, "{one}");
    assert!(
        mint(&["new", "id", "--quiet"]).trim_end().parse::<contract::model::ReviewId>().is_ok()
    );
}

#[test]
fn a_minted_id_mends_the_line_that_had_none() {
    let project = Project::new().file("content/site.toml", SITE);
    let minted = project.candor(["new", "id", "--date", "2026-01-02"]).exits(0).out;
    project.write_reviews([review(1).with("id", minted.trim_end())]);
    project.candor(["check", "--strict"]).exits(0);
}
