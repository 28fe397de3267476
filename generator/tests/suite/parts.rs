//! The parts of `reviews.json`, and the index of the search in the browser.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::{
    project::Project,
    review::{Review, id, mixed, review},
};

/// Three years: of 1,000 reviews, of 60, and of one.
fn many() -> Vec<Review> {
    let day = |n: usize| match n {
        0..1_000 => format!("2024-{:02}-{:02}", 1 + n % 10, 1 + n / 10 % 28),
        1_000..1_060 => format!("2025-03-{:02}", 1 + n % 28),
        _ => "2026-01-01".to_owned(),
    };
    let of = |n| {
        let text = format!("Word{n} it's, \"Fine\"!");
        review(n).with("date", day(n)).with("updated", "2026-01-02T00:00:00Z").with("text", text)
    };
    (0..1_061).map(of).collect()
}

fn integrity(project: &Project, path: &str) -> String {
    let bytes = std::fs::read(project.path(&format!("public/{path}"))).unwrap();
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, &bytes)))
}

#[test]
fn the_only_part_of_a_small_site_is_reviews_json() {
    let project = Project::new().reviews(mixed(3));
    project.build().exits(0);
    let part = json!({
        "path": "reviews.json", "count": 3, "integrity": integrity(&project, "reviews.json"),
    });
    assert_eq!(project.json("public/parts.json"), json!({ "version": 1, "parts": [part] }));
    assert!(!project.path("public/search/rows.json").exists());
    let page = project.text("public/reviews/index.html");
    assert!(!page.contains("data-parts") && !page.contains("assets/index"), "it needs no index");
}

#[test]
fn parts_are_the_reviews_whose_dates_begin_alike() {
    let project = Project::new().reviews(many());
    project.build().exits(0);
    let list = project.json("public/parts.json");
    let parts = list["parts"].as_array().unwrap();
    let mut reviews = Vec::new();
    for part in parts {
        let path = part["path"].as_str().unwrap();
        assert_eq!(part["integrity"], integrity(&project, path), "{path}");
        let document = project.json(&format!("public/{path}"));
        let of_part = document["reviews"].as_array().unwrap();
        assert_eq!(part["count"], of_part.len(), "{path}");
        assert!(of_part.len() <= 64, "{path}");
        let date = path.strip_prefix("reviews-").unwrap().strip_suffix(".json").unwrap();
        assert!(of_part.iter().all(|it| it["date"].as_str().unwrap().starts_with(date)), "{path}");
        reviews.extend(of_part.clone());
    }
    assert_eq!(Value::from(reviews), project.json("public/reviews.json")["reviews"]);
    let paths: Vec<_> = parts.iter().map(|part| part["path"].as_str().unwrap()).collect();
    assert_eq!(paths[..2], ["reviews-2026.json", "reviews-2025.json"]);
    assert_eq!(paths[2..5], [2, 1, 0].map(|ten| format!("reviews-2024-10-{ten}.json")));
}

#[test]
fn one_more_review_alters_one_part() {
    let mut reviews = many();
    let project = Project::new().reviews(reviews.clone());
    project.build().exits(0);
    let listed = |project: &Project| -> BTreeMap<String, Value> {
        let list = project.json("public/parts.json");
        let parts = list["parts"].as_array().unwrap().iter();
        parts.map(|part| (part["path"].to_string(), part["integrity"].clone())).collect()
    };
    let before = listed(&project);
    reviews.push(review(2_000).with("date", "2024-05-01").with("updated", "2026-01-02T00:00:00Z"));
    project.write_reviews(reviews);
    project.build().exits(0);
    let after = listed(&project);
    let altered: Vec<_> =
        after.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert_eq!(altered, ["\"reviews-2024-05-0.json\""]);
    assert_eq!(before.len(), after.len());
}

#[test]
fn the_index_leads_from_a_token_to_its_reviews() {
    let project = Project::new().reviews(many());
    project.build().exits(0);
    let rows = project.json("public/search/rows.json");
    let chunks = rows["chunks"].as_u64().unwrap();
    let tokens = project.json("public/search/tokens.json");
    let tokens: Vec<_> = tokens.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(["word7", "it's", "fine"].iter().all(|token| tokens.contains(token)), "{tokens:?}");
    assert_eq!(tokens.len(), 1_063, "as the texts have them, without the punctuation around them");
    let mut files = BTreeMap::new();
    for chunk in 0..chunks {
        let Value::Object(file) = project.json(&format!("public/search/tokens-{chunk}.json"))
        else {
            panic!("no object");
        };
        files.extend(file);
    }
    assert_eq!(files.keys().collect::<Vec<_>>(), tokens);
    // Rows are numbered from the oldest; of one day, ids decide.
    let newest_first = project.json("public/reviews.json")["reviews"].as_array().unwrap().clone();
    let sought = id(1_060).to_string();
    let row = newest_first.iter().rev().position(|review| review["id"] == sought).unwrap();
    assert_eq!(files["word1060"], json!([row]));
    assert_eq!(files["fine"].as_array().unwrap().len(), 1_061, "all have it");
    assert!(files["fine"].as_array().unwrap()[1..].iter().all(|gap| *gap == 1));
    let days = rows["days"].as_array().unwrap().iter().map(|day| day[1].as_u64().unwrap());
    assert_eq!(days.sum::<u64>(), 1_061);
}
