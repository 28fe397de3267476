//! `insights.json` (contract section 2.3).

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
        sorted(["score", "positive_pct", "neutral_pct", "negative_pct"])
    );
    assert_eq!(
        keys(&insights["entities"]),
        sorted(["technicians", "services", "problems", "service_areas"])
    );
    assert_eq!(keys(&insights["temporal"]), ["monthly", "trend"]);
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
        "positive_pct",
        "score",
        "top_phrases",
        "example_review_ids",
    ];
    for (list, name) in [("technicians", "name"), ("services", "label"), ("service_areas", "name")]
    {
        let mut expected = shared.to_vec();
        expected.push(name);
        expected.sort_unstable();
        assert_eq!(keys(&insights["entities"][list][0]), expected, "{list}");
    }
    assert_eq!(
        insights["faq"],
        json!([{ "id": "fee", "question": "Fee?", "answer": "No.", "source": "owner", "review_ids": [id(0)] }])
    );
    assert_eq!(insights["summary"], "People like it.");
}

#[test]
fn every_number_of_the_insights_follows_from_reviews_json() {
    let project = full();
    project.build();
    let insights = project.json("public/insights.json");
    let document = project.json("public/reviews.json");
    let reviews = document["reviews"].as_array().unwrap();
    let stars = |review: &Value| review["rating"].as_u64().unwrap();
    let rounded = |value: f64, decimals: i32| {
        let scale = 10_f64.powi(decimals);
        (value * scale + 0.5 + 1e-9).floor() / scale
    };
    let counted = |reviews: &[&Value]| {
        let of = |range: std::ops::RangeInclusive<u64>| {
            reviews.iter().filter(|r| range.contains(&stars(r))).count() as f64
        };
        let sum: u64 = reviews.iter().map(|r| stars(r)).sum();
        (of(4..=5), of(3..=3), of(1..=2), sum as f64, reviews.len() as f64)
    };
    let all: Vec<&Value> = reviews.iter().collect();
    let (positive, neutral, negative, sum, count) = counted(&all);
    assert_eq!(insights["review_count"], reviews.len());
    assert_eq!(
        insights["overall_sentiment"],
        json!({
            "score": rounded((sum / count - 3.0) / 2.0, 3), "positive_pct": rounded(positive * 100.0 / count, 1),
            "neutral_pct": rounded(neutral * 100.0 / count, 1), "negative_pct": rounded(negative * 100.0 / count, 1),
        })
    );
    let per_review = insights["per_review"].as_object().unwrap();
    assert_eq!(per_review.len(), reviews.len());
    for review in reviews {
        let entry = &per_review[review["id"].as_str().unwrap()];
        let word = match stars(review) {
            4.. => "positive",
            3 => "neutral",
            _ => "negative",
        };
        assert_eq!(entry["sentiment"], word);
        assert_eq!(entry["services"], review["mentions"]["services"]);
        assert_eq!(entry["service_areas"], review["mentions"]["service_areas"]);
    }
    for list in ["technicians", "services", "service_areas"] {
        for entity in insights["entities"][list].as_array().unwrap() {
            let mentioned: Vec<&Value> = reviews
                .iter()
                .filter(|r| {
                    per_review[r["id"].as_str().unwrap()][list]
                        .as_array()
                        .unwrap()
                        .contains(&entity["id"])
                })
                .collect();
            let (positive, neutral, negative, sum, count) = counted(&mentioned);
            assert_eq!(entity["mention_count"], mentioned.len());
            assert_eq!(entity["positive_count"], positive as u64);
            assert_eq!(entity["neutral_count"], neutral as u64);
            assert_eq!(entity["negative_count"], negative as u64);
            assert_eq!(entity["average_rating"], rounded(sum / count, 2));
            let share = rounded(positive * 100.0 / (positive + negative), 1);
            let share = if positive + negative < 5.0 { Value::Null } else { json!(share) };
            assert_eq!(entity["positive_pct"], share);
            let examples = entity["example_review_ids"].as_array().unwrap();
            let is_negative =
                |id: &Value| per_review[id.as_str().unwrap()]["sentiment"] == "negative";
            assert!(negative == 0.0 || examples.iter().any(is_negative), "{entity}");
            assert!(examples.iter().all(|id| mentioned.iter().any(|r| r["id"] == *id)), "{entity}");
        }
    }
    assert_eq!(
        insights["entities"]["technicians"].as_array().unwrap().len(),
        1,
        "listed ones only"
    );
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
                { "month": "2025-11", "review_count": 1, "average_rating": 5.0, "score": 1.0 },
                { "month": "2025-12", "review_count": 0, "average_rating": null, "score": null },
                { "month": "2026-01", "review_count": 0, "average_rating": null, "score": null },
                { "month": "2026-02", "review_count": 1, "average_rating": 2.0, "score": -0.5 },
            ],
            "trend": "insufficient",
        })
    );
}

#[test]
fn a_trend_compares_half_years() {
    for (earlier, later, trend) in [(3, 5, "improving"), (5, 3, "declining"), (4, 4, "stable")] {
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
