//! `insights.json` (docs/documents.md, "Published documents").

use serde_json::{Value, json};

use super::{
    documents::{full, keys, sorted},
    project::Project,
    review::{id, review},
};

#[test]
fn insights_have_these_keys() {
    let project = full();
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(
        keys(&insights),
        sorted([
            "version",
            "generated_at",
            "model",
            "review_count",
            "replied_count",
            "frequent_words",
            "date_range",
            "overall_sentiment",
            "aspects",
            "entities",
            "topics",
            "temporal",
            "per_review",
            "faq",
            "summary",
            "pull_quote"
        ])
    );
    assert_eq!(insights["version"], 1);
    assert_eq!(keys(&insights["date_range"]), ["earliest", "latest"]);
    assert_eq!(insights["date_range"], json!({ "earliest": "2026-01-01", "latest": "2026-01-12" }));
    assert_eq!(
        keys(&insights["overall_sentiment"]),
        sorted([
            "score",
            "positive_share",
            "positive_pct",
            "neutral_pct",
            "negative_pct",
            "positive_count",
            "neutral_count",
            "negative_count"
        ])
    );
    assert_eq!(
        keys(&insights["entities"]),
        sorted(["technicians", "services", "problems", "service_areas"])
    );
    assert_eq!(
        keys(&insights["model"]),
        sorted(["name", "version", "description", "hash", "coverage"])
    );
    assert_eq!(keys(&insights["temporal"]), ["monthly", "trend", "yearly"]);
    assert_eq!(
        keys(&insights["temporal"]["monthly"][0]),
        sorted(["month", "review_count", "average_rating", "score"])
    );
    for per_review in insights["per_review"].as_object().unwrap().values() {
        assert_eq!(
            keys(per_review),
            sorted([
                "sentiment",
                "score",
                "basis",
                "judged_by",
                "aspects",
                "technicians",
                "services",
                "problems",
                "service_areas",
                "topics"
            ])
        );
    }
    let shared = [
        "id",
        "mention_count",
        "average_rating",
        "positive_count",
        "neutral_count",
        "negative_count",
        "mixed_count",
        "positive_pct",
        "positive_range",
        "unjudged_count",
        "score",
        "top_phrases",
        "example_review_ids",
    ];
    for (list, name) in [("technicians", "name"), ("services", "label"), ("service_areas", "name")]
    {
        let mut expected = shared.to_vec();
        expected.push(name);
        expected.extend((list == "technicians").then_some("active_until"));
        expected.sort_unstable();
        assert_eq!(keys(&insights["entities"][list][0]), expected, "{list}");
    }
    assert_eq!(
        insights["faq"][0],
        json!({ "id": "fee", "question": "Fee?", "answer": "No.", "source": "owner", "review_ids": [id(0)] })
    );
    assert_eq!(insights["summary"], "People like it.");
}

#[test]
fn an_aspect_has_these_keys_and_shows_its_evidence() {
    let project = Project::new().reviews([
        review(1).with(
            "text",
            "They arrived exactly on time, and the crew was so friendly to my mother all day.",
        ),
        review(2).with("rating", 1).with("text", "Two hours late. Nobody called."),
    ]);
    project.build();
    let insights = project.json("public/insights.json");
    let punctuality = &insights["aspects"][0];
    assert_eq!(
        keys(punctuality),
        sorted([
            "id",
            "label",
            "definition",
            "mention_count",
            "average_rating",
            "positive_count",
            "neutral_count",
            "negative_count",
            "mixed_count",
            "positive_pct",
            "positive_range",
            "unjudged_count",
            "score",
            "trend",
            "top_phrases",
            "example_review_ids",
            "examples",
        ])
    );
    assert_eq!(punctuality["id"], "punctuality");
    assert_eq!(
        (&punctuality["positive_pct"], &punctuality["trend"]),
        (&json!(null), &json!("insufficient"))
    );
    assert_eq!(
        punctuality["examples"][1],
        json!({ "review_id": id(2), "quote": "Two hours late.", "sentiment": "negative", "cut_start": false, "cut_end": false })
    );
    let said = &insights["per_review"][id(2)]["aspects"];
    assert_eq!(
        said[0],
        json!({ "id": "punctuality", "sentiment": "negative", "score": -1.0, "quote": "Two hours late." })
    );
}

#[test]
fn an_uncertain_aspect_counts_without_a_quote_and_blame_still_has_an_example() {
    let project =
        Project::new().reviews([review(1).with("rating", 1).with("text", "The leak came back.")]);
    project.build();
    let insights = project.json("public/insights.json");
    let said = &insights["per_review"][id(1)]["aspects"][0];
    assert_eq!((&said["sentiment"], &said["quote"]), (&json!("negative"), &json!(null)));
    let aspects = insights["aspects"].as_array().unwrap();
    let aspect = aspects.iter().find(|aspect| aspect["id"] == said["id"]).unwrap();
    assert_eq!(aspect["negative_count"], 1);
    assert_eq!(aspect["examples"][0]["review_id"], id(1));
}

#[test]
fn examples_of_the_last_two_years_come_before_older_ones() {
    let clear = "They arrived exactly on time, which made us really happy.";
    let project = Project::new().reviews([
        review(1).with("date", "2023-05-01").with("text", clear),
        review(2)
            .with("date", "2026-05-01")
            .with("text", "They came right on time for us on the day."),
        review(3).with("date", "2024-04-30").with("text", clear),
    ]);
    project.build();
    let insights = project.json("public/insights.json");
    let punctuality = &insights["aspects"][0];
    assert_eq!(punctuality["id"], "punctuality");
    assert_eq!(punctuality["example_review_ids"], json!([id(2), id(3)]));
}

#[test]
fn examples_of_an_aspect_have_different_words() {
    let text = |number, text| review(number).with("date", "2026-05-01").with("text", text);
    let project = Project::new().reviews([
        text(1, "They came right on time for us on the day."),
        text(2, "They came right on time, for us, on the DAY!"),
        text(3, "He arrived exactly on time in the morning."),
    ]);
    project.build();
    let ids = &project.json("public/insights.json")["aspects"][0]["example_review_ids"];
    let has = |number| ids.as_array().unwrap().contains(&json!(id(number)));
    assert!(has(3) && has(1) != has(2), "{ids}");
}

#[test]
fn a_page_shows_where_a_quote_is_cut_and_marks_its_language() {
    let words = "But they arrived exactly on time on both of the days.";
    // An aspect has a page from five opinions on.
    let others = (2..=5).map(|n| review(n).with("text", "On time, recomended."));
    let mut reviews = vec![review(1).with("text", words)];
    reviews.extend(others);
    let project = Project::new().reviews(reviews);
    project.build();
    let example = &project.json("public/insights.json")["aspects"][0]["examples"][0];
    assert_eq!(
        *example,
        json!({
            "review_id": id(1), "quote": "they arrived exactly on time on both of the days.",
            "sentiment": "positive", "cut_start": true, "cut_end": false,
        })
    );
    let page = project.text("public/aspects/punctuality/index.html");
    let shown =
        "<p dir=\"auto\" lang=\"en\">… they arrived exactly on time on both of the days.</p>";
    assert!(page.contains(shown), "{page}");
}

#[test]
fn months_run_without_gaps_and_a_trend_needs_reviews() {
    let project = Project::new().reviews([
        review(1).with("date", "2025-11-30"),
        review(2).with("date", "2026-02-01").with("rating", 2),
    ]);
    project.build();
    assert_eq!(
        project.json("public/insights.json")["temporal"],
        json!({
            "monthly": [
                { "month": "2025-11", "review_count": 1, "average_rating": 5.0, "score": 0.6 },
                { "month": "2025-12", "review_count": 0, "average_rating": null, "score": null },
                { "month": "2026-01", "review_count": 0, "average_rating": null, "score": null },
                { "month": "2026-02", "review_count": 1, "average_rating": 2.0, "score": -0.3 },
            ],
            "yearly": [
                { "year": 2025, "review_count": 1, "average_rating": 5.0 },
                { "year": 2026, "review_count": 1, "average_rating": 2.0 },
            ],
            "trend": "insufficient",
        })
    );
}

#[test]
fn a_trend_compares_half_years() {
    for (earlier, later, trend) in [(2, 5, "improving"), (5, 3, "declining"), (4, 5, "stable")] {
        let half = |from: usize, date: &'static str, stars: i32| {
            (from..from + 10).map(move |n| review(n).with("date", date).with("rating", stars))
        };
        let reviews: Vec<_> =
            half(0, "2026-01-15", earlier).chain(half(10, "2026-07-15", later)).collect();
        let project = Project::new().reviews(reviews);
        project.build();
        assert_eq!(project.json("public/insights.json")["temporal"]["trend"], trend);
    }
}

/// Three reviewers who repeat a phrase about a technician, each in a sentence of their own.
const SLANDER: [&str; 3] = [
    "Honestly Marcus stole copper pipes and the work was terrible",
    "I know that Marcus stole copper pipes and left a terrible mess",
    "My neighbour says Marcus stole copper pipes on a terrible day",
];

#[test]
fn what_three_reviews_repeat_is_published_in_quotes_only() {
    let technicians = "[[technician]]\nid = \"marcus\"\nname = \"Marcus\"\n";
    let hostile = (1..4).zip(SLANDER).map(|(n, text)| {
        review(n).with("author", format!("Reviewer {n}")).with("rating", 1).with("text", text)
    });
    let others = (4..12).map(|n| review(n).with("text", "The work was good."));
    let project = Project::new()
        .file("content/technicians.toml", technicians)
        .reviews(hostile.chain(others).collect::<Vec<_>>());
    project.build();
    let mut quotes = 0;
    for (path, bytes) in project.tree("public") {
        assert!(!path.contains("copper"), "{path}");
        // The words that the search offers are those of the reviews.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if path == "search/words.json" {
            continue;
        }
        let text = text.to_lowercase();
        let mut rest = text.clone();
        for sentence in SLANDER {
            quotes += rest.matches(&sentence.to_lowercase()).count();
            rest = rest.replace(&sentence.to_lowercase(), "");
        }
        assert!(!rest.contains("copper"), "{path}: {text}");
    }
    assert!(quotes > 3, "the reviews themselves are published");
}

/// What `insights.json` says of a retired technician, with this in `technicians.toml`, and whether
/// there is a page.
fn retired(settings: &str) -> (Value, bool) {
    let technicians =
        format!("[[technician]]\nid = \"ann\"\nname = \"Ann\"\naliases = [\"Annie\"]\n{settings}");
    let reviews: Vec<_> = (0..6).map(|n| review(n).with("text", "Annie was on time.")).collect();
    let project = Project::new().file("content/technicians.toml", technicians).reviews(reviews);
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(insights["per_review"][id(0)]["technicians"], json!(["ann"]));
    let has_page = project.path("public/technicians/ann/index.html").exists();
    (insights["entities"]["technicians"][0].clone(), has_page)
}

#[test]
fn a_retired_technician_has_an_entity_with_the_last_day_and_a_score_only_on_request() {
    let figures = |ann: &Value| {
        ["average_rating", "positive_pct", "positive_range", "score"].map(|key| ann[key].is_null())
    };
    for (settings, last, is_scored) in [
        ("", json!(null), true),
        ("score = false", json!(null), false),
        ("active_until = 2025-12-31", json!("2025-12-31"), false),
        ("active_until = 2025-12-31\nscore = true", json!("2025-12-31"), true),
        ("active_until = 2099-12-31", json!("2099-12-31"), true),
    ] {
        let (ann, has_page) = retired(settings);
        assert_eq!((&ann["id"], &ann["active_until"]), (&json!("ann"), &last), "{settings}");
        assert_eq!((&ann["mention_count"], &ann["positive_count"]), (&json!(6), &json!(6)));
        assert_eq!(figures(&ann), [!is_scored; 4], "{settings}");
        assert_eq!(has_page, is_scored, "{settings}");
    }
}
