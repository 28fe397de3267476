//! Customers' words can be long, strange and hostile.

use atom_syndication::Feed;

use super::{
    project::Project,
    review::{id, review},
};

/// Everything that means something to HTML, XML, JSON or a terminal.
const HOSTILE: &str = "</script><script>alert('1')</script> <!-- ]]> --> &amp; &lt; \" ' ` \\ \\u0000 \u{1f}\u{7f}\u{85}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}\u{202e}\u{10ffff} {{ x }} {% raw %} 🧰 \r\n\t end";

#[test]
fn hostile_words_are_words_everywhere() {
    let project = Project::new().reviews([review(1)
        .with("text", HOSTILE)
        .with("author", HOSTILE)
        .with("owner_reply", serde_json::json!({ "text": HOSTILE, "date": null }))
        .with("disclosure", serde_json::json!({ "kind": "insider", "note": HOSTILE }))
        .with("source_url", "https://maps.example/?a=\"><script>&b='")]);
    project.write(
        "content/business.toml",
        format!(
            "description = {0}\nlegal_name = {0}\n{1}",
            serde_json::Value::from(HOSTILE.replace('\u{7f}', "")),
            super::project::BUSINESS
        ),
    );
    project.candor(["build"]).exits(0);
    for (path, bytes) in project.tree("public") {
        if path.ends_with(".html") || path.ends_with(".xml") {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains("<!-- ]]>"), "{path}");
            if path.ends_with(".html") {
                crate::hostile::inspect(&path, &text);
            }
        } else if path.ends_with(".json") {
            serde_json::from_slice::<serde_json::Value>(&bytes).unwrap();
        }
    }
    let cleaned = contract::text::clean(HOSTILE).unwrap();
    assert_eq!(project.json("public/reviews.json")["reviews"][0]["text"], *cleaned);
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    let content = feed.entries[0].content.as_ref().unwrap().value.as_deref().unwrap();
    assert_eq!(content, cleaned.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"));
}

#[test]
fn an_address_in_a_review_is_no_link() {
    let text = "See https://spam.example/a, www.spam.example and [this](https://spam.example/b).";
    let reply = serde_json::json!({ "text": text, "date": null });
    let project = Project::new().reviews([review(1)
        .with("text", text)
        .with("author", "https://spam.example/c")
        .with("owner_reply", reply)]);
    project.build();
    let (mut shown, quotes) = (0, ['"', '\'']);
    for (path, bytes) in
        project.tree("public").into_iter().filter(|(path, _)| path.ends_with(".html"))
    {
        let page = String::from_utf8(bytes).unwrap();
        shown += page.matches("www.spam.example and").count();
        for (at, _) in page.match_indices("spam.example") {
            let before = page[..at].trim_end_matches("https://").trim_end_matches("www.");
            let is_attribute = before.strip_suffix(quotes).is_some_and(|it| it.ends_with('='));
            assert!(!is_attribute, "{path}: {}", &page[before.len().saturating_sub(60)..at]);
        }
    }
    assert!(shown > 1, "the pages have the words");
}

#[test]
fn control_characters_of_an_answer_are_cleaned_like_those_of_a_review() {
    let reply = serde_json::json!({ "text": " Thanks\u{0}\u{1b}[31m!\r\n ", "date": null });
    let project = Project::new().reviews([review(1).with("owner_reply", reply)]);
    project.build();
    assert_eq!(
        project.json("public/reviews.json")["reviews"][0]["owner_reply"]["text"],
        "Thanks[31m!"
    );
}

#[test]
fn a_text_of_64_kib_and_a_name_of_ten_thousand_letters() {
    // The cleaned text has 65,536 bytes.
    let (words, name) = (format!("{}wörds ", "wörd ".repeat(10_921)), "N".repeat(10_000));
    assert_eq!(words.trim_end().len(), 65_532);
    let project = Project::new().reviews([review(1).with("text", &*words).with("author", &*name)]);
    project.build();
    let published = &project.json("public/reviews.json")["reviews"][0];
    assert_eq!(published["text"], words.trim_end());
    assert_eq!(published["author"], *name);
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    assert_eq!(feed.entries[0].authors[0].name, name);
    project.assert_whole();
}

#[test]
fn a_text_above_64_kib_is_an_error_of_its_review() {
    let long = "x".repeat(65_537);
    let texts = [
        ("author", serde_json::json!(long)),
        ("text", serde_json::json!(long)),
        ("owner_reply", serde_json::json!({ "text": long, "date": null })),
        ("translation", serde_json::json!({ "text": long })),
    ];
    for (key, value) in texts {
        let project = Project::new().reviews([review(1).with(key, value)]);
        let run = project.candor(["check"]).exits(1);
        let (place, message) = run.err.split_once(" error[invalid-value]: ").unwrap();
        assert!(place.starts_with("content/reviews/2026.ndjson:1:"), "{place}");
        let help = match key {
            "owner_reply" => {
                "write {\"text\": \"…\", \"date\": \"2026-03-01\"}, with null for an unknown day"
            }
            _ => "correct it here, or remove the review and import it again",
        };
        let said = format!("{key}: it has 65537 bytes, and 65536 are allowed; {help}");
        // The line of the file follows.
        assert_eq!(message.lines().next(), Some(&*said));
    }
}

#[test]
fn a_text_above_64_kib_by_hand_names_its_key() {
    let long = "x".repeat(70_000);
    let reason = "it has 70000 bytes, and 65536 are allowed; shorten it";
    let project = Project::new().reviews([review(1)]);
    let before = project.tree("content");
    let run = project.candor(["reply", &id(1), &long]).exits(1);
    assert_eq!(run.err, format!("error: nothing was changed: owner_reply.text: {reason}\n"));
    for (option, other) in [("--text", ["--author", "Bo"]), ("--author", ["--text", "Good."])] {
        let new = ["new", "review", "--rating", "5", option, &long];
        let run = project.candor(new.into_iter().chain(other)).exits(1);
        assert_eq!(run.err, format!("error: nothing was added: {option}: {reason}\n"));
    }
    assert_eq!(project.tree("content"), before);
    let reply = format!("{{ text = \"{long}\", date = 2026-03-01 }}");
    let text = format!("[{}]\ndate = 2026-03-01\nowner_reply = {reply}\n", id(1));
    project.write("content/overrides.toml", text);
    let run = project.candor(["check"]).exits(1);
    let said =
        format!("content/overrides.toml:3:24: error[invalid-value]: owner_reply.text: {reason}");
    assert_eq!(run.err.lines().next(), Some(&*said));
    assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err.len());
}

#[test]
fn no_reviews_at_all() {
    let project = Project::new();
    project.build();
    project.assert_whole();
    assert!(project.text("public/index.html").contains("No reviews have been published yet."));
    let insights = project.json("public/insights.json");
    assert_eq!(insights["review_count"], 0);
    assert_eq!(insights["overall_sentiment"]["positive_pct"], serde_json::Value::Null);
    assert_eq!(insights["date_range"], serde_json::json!({ "earliest": null, "latest": null }));
}

#[test]
fn words_that_are_only_blanks_are_no_words() {
    let project = Project::new().reviews([review(1).with("text", " \n\t\u{a0} ")]);
    project.build();
    assert_eq!(project.json("public/reviews.json")["reviews"][0]["text"], serde_json::Value::Null);
}

#[test]
fn the_first_day() {
    let project = Project::new().reviews([review(1).with("date", "0001-01-01")]);
    project.build();
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    let published = feed.entries[0].published.as_ref().unwrap().to_rfc3339();
    assert_eq!(published[..4], *"0001", "{published}");
    let feed = project.json("public/api/feed.json");
    let published = feed["items"][0]["date_published"].as_str().unwrap();
    assert_eq!(published[..4], *"0001", "{published}");
}
