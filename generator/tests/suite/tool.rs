//! The page of all reviews: its filters, the words that a search is compared with, ratings without words.

use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{id, mixed, review},
};

#[test]
fn words_are_listed_by_stem_with_the_reviews_of_each_form_and_authors_by_word() {
    let project =
        Project::new().file("content/site.toml", SITE.replace("\"en\"", "\"de\"")).reviews([
            review(1).with("text", "Pianos, pianos and a PIANO").with("language", "en"),
            review(2).with("text", "The piano").with("language", "en"),
            review(3).with("text", "Größe der Flügel").with("author", "Zoë O'Hara"),
            review(5).with("text", "Heute pünktlich, Pünktlich, PÜNKTLICH"),
            review(6).with("text", "Wieder Pünktlich"),
            review(7).with("text", "Wieder pünktlich, die Größe"),
            review(4).with("text", Value::Null),
        ]);
    project.build().exits(0);
    let table = project.json("public/search/words.json");
    assert_eq!(table["words"]["piano"], json!({ "piano": 2, "pianos": 1 }));
    assert_eq!(table["words"]["gross"], json!({ "Größe": 2 }), "as reviews spell it");
    assert_eq!(table["words"]["punktlich"].as_object().unwrap().values().next(), Some(&json!(3)));
    assert_eq!(
        table["words"].get("the"),
        None,
        "words of three letters are looked for as they are"
    );
    assert_eq!(table["authors"], json!(["1", "2", "4", "5", "6", "7", "ann", "hara", "o", "zoe"]));
}

#[test]
fn ratings_without_words_that_follow_each_other_are_one_group() {
    let mut reviews = mixed(24);
    for n in [3, 10, 11, 12] {
        reviews[n] = reviews[n].clone().with("text", Value::Null);
    }
    reviews[12] = reviews[12]
        .clone()
        .with("owner_reply", json!({ "text": "Thank you.", "date": "2026-02-01" }));
    let project = Project::new().reviews(reviews);
    project.build().exits(0);
    let page = project.text("public/reviews/index.html");
    let groups: Vec<&str> = page
        .split("<p class=\"bare\">")
        .skip(1)
        .map(|it| it.split("</p>").next().unwrap())
        .collect();
    let has = |group: &str| [3, 10, 11, 12].map(|n| group.contains(&format!("id=\"{}\"", id(n))));
    let found: Vec<_> = groups.into_iter().map(has).collect();
    assert_eq!(found, [[false, true, true, false], [true, false, false, false]]);
    assert!(
        page.contains(&format!("<article class=\"review\" id=\"{}\"", id(12))),
        "it has a reply"
    );
}

#[test]
fn filters_are_links_with_the_number_that_they_leave() {
    let project = Project::new().reviews(mixed(24));
    project.build().exits(0);
    let page = project.text("public/reviews/index.html");
    for filter in [
        "<a href=\"/rating/5/\" data-filter=\"rating=5\">",
        "data-filter=\"has_text=true\">With words <span class=\"soft\">24</span></a>",
    ] {
        assert!(page.contains(filter), "{filter}: {page}");
    }
    assert!(!page.contains("data-filter=\"source="), "there is one source only");
    assert!(!project.text("public/index.html").contains("data-filter"));
}
