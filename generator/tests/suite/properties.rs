//! Whatever customers write: nothing panics, nothing escapes its quotes, nothing is lost.

use content::cache::Cache;
use contract::problem::Severity;
use generator::{document::Document, pipeline::Checked, publication};
use proptest::prelude::*;

use super::{project::Project, review::review};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn read(project: &Project) -> Checked {
    Checked::read(
        &project.path("content"),
        None,
        &Cache::none(),
        "2026-06-01T00:00:00Z".parse().unwrap(),
    )
}

fn body<'a, 'd>(documents: &'a [Document<'d>], path: &str) -> &'a Document<'d> {
    documents.iter().find(|document| document.path == path).unwrap()
}

/// Text with more of what is dangerous than chance would give.
fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[<>&\"'/!\\-\\]\\[\\\\{}%]{1,6}",
        Just("<script>".to_owned()),
        Just("]]>".to_owned()),
        Just("{{ business.name }}".to_owned()),
        Just("\u{0}\u{b}\u{1b}\u{7f}\u{fffe}\u{ffff}".to_owned()),
        Just("e\u{301}\u{202e}\u{2028}\u{feff}".to_owned()),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Objects that are almost reviews.
fn almost_a_review() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("{\"text\":\"x\"}".to_owned()),
        Just("1e400".to_owned()),
        Just("-0".to_owned()),
        Just("5.0".to_owned()),
        words().prop_map(|text| serde_json::Value::from(text).to_string()),
    ];
    let key = prop::sample::select(vec![
        "id",
        "author",
        "author_avatar_url",
        "rating",
        "date",
        "text",
        "source",
        "source_url",
        "owner_reply",
        "verified",
        "updated",
        "language",
        "disclosure",
        "source_ids",
        "added",
        "raitng",
    ]);
    (key, value, any::<bool>()).prop_map(|(key, value, twice)| {
        let line = review(1).line();
        let head = if twice { line.trim_end_matches('}').to_owned() + "," } else { "{".to_owned() };
        format!("{head}\"{key}\":{value}}}").into_bytes()
    })
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn no_line_makes_the_reader_panic(line in prop_oneof![prop::collection::vec(any::<u8>(), 0..200), almost_a_review()]) {
        let project = Project::new().file("content/reviews/2026.ndjson", &line).file("content/reviews.json", &line);
        let checked = read(&project);
        for problem in &checked.problems {
            prop_assert!(!problem.to_string().is_empty());
            prop_assert!(!problem.help.is_empty(), "{problem}");
        }
    }

    #[test]
    fn no_text_makes_the_toml_reader_panic(text in prop_oneof![any::<String>(), words(), "([a-z_]{1,12} ?= ?[\"\\[{0-9a-z.-]{0,8}\n|\\[{1,2}[a-z0-9]{1,8}\\]{1,2}\n){0,8}"]) {
        let files = ["site", "business", "technicians", "services", "service_areas", "aspects", "faq", "overrides"];
        let project = Project::new().file("content/summary.md", format!("+++\n{text}\n+++\n"));
        for name in files {
            project.write(&format!("content/{name}.toml"), &text);
        }
        for problem in read(&project).problems {
            prop_assert!(!problem.to_string().is_empty());
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn any_words_are_published_whole_and_escaped(text in words(), author in words(), reply in words()) {
        let reply_value = serde_json::json!({ "text": reply, "date": null });
        let project = Project::new().reviews([
            review(1).with("text", &*text).with("author", format!("A {author}")).with("owner_reply", reply_value),
        ]);
        let checked = read(&project);
        prop_assert_eq!(checked.count(Severity::Error), 0);
        let data = checked.publishable().unwrap();
        let documents = publication::documents(data).unwrap();
        let cleaned = contract::text::clean(&text);

        let json: serde_json::Value = serde_json::from_slice(&body(&documents, "reviews.json").body.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(json["reviews"][0]["text"].as_str(), cleaned.as_deref());

        for document in documents.iter().filter(|document| document.path.ends_with(".html")) {
            let html = String::from_utf8(document.body.to_bytes().unwrap()).unwrap();
            crate::hostile::inspect(&document.path, &html);
            if document.path == "reviews/index.html" {
                // As many as a review with harmless words has, beside the one that a search fills in.
                let reply = contract::text::clean(&reply);
                let shown = usize::from(cleaned.is_some() || reply.is_some());
                prop_assert_eq!(html.matches("<article").count(), 1 + shown);
            }
        }

        let xml = body(&documents, "feed.xml").body.to_bytes().unwrap();
        let feed = atom_syndication::Feed::read_from(&xml[..]).unwrap();
        let content = feed.entries[0].content.as_ref().unwrap().value.clone().unwrap_or_default();
        let expected = cleaned.unwrap_or_else(|| "Rated 5 of 5, no written review.".to_owned());
        prop_assert_eq!(content, expected.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"));
    }
}
