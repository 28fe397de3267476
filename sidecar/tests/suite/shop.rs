//! A site agents can ask everything of.

use serde_json::{Value, json};

use crate::{
    Site,
    listing::{business, document, id, mentioning, review},
};

/// The head of `reviews.json` beside `business`.
fn head() -> Value {
    json!({
        "generated_at": "2025-03-01T09:00:00Z",
        "aggregate_rating": {
            "average": 3.33, "review_count": 6, "best": 5, "worst": 1,
            "distribution": { "1": 1, "2": 1, "3": 1, "4": 1, "5": 2 },
        },
        "sources": [{
            "source": "google", "review_count": 6,
            "verification": { "method": "Posted on Google; we did not check the purchase.", "description": null },
        }],
        "moderation": { "withheld_count": 1, "by_reason": { "off_topic": 1 }, "by_rating": { "1": 1 } },
    })
}

fn named(mut business: Value) -> Value {
    business["name"] = "Acme Plumbing".into();
    business["category"] = "Plumber".into();
    business["address"] = json!({ "city": "Tilla", "region": "IL" });
    business
}

/// Something reviews mention.
fn counted(id: &str, name: (&str, &str), examples: &[u32]) -> Value {
    let ids: Vec<_> = examples.iter().map(|n| self::id(*n)).collect();
    let mut counted = json!({
        "id": id, "mention_count": examples.len(), "average_rating": 3.0, "positive_count": 1,
        "neutral_count": 0, "negative_count": 1, "positive_pct": null, "positive_range": null,
        "unjudged_count": 0, "score": 0.0,
        "top_phrases": [], "example_review_ids": ids,
    });
    counted[name.0] = name.1.into();
    counted
}

/// `insights.json` with an aspect and without topics.
pub(crate) fn insights() -> Value {
    json!({
        "version": 1, "generated_at": "2025-03-01T09:00:00Z",
        "model": { "name": "stars", "version": 1 }, "review_count": 6,
        "date_range": { "earliest": "2024-12-31", "latest": "2025-03-01" },
        "overall_sentiment": { "score": 0.2, "positive_pct": 50.0, "neutral_pct": 16.7, "negative_pct": 33.3 },
        "aspects": [counted("punctuality", ("label", "Punctuality & waiting"), &[1, 3])],
        "entities": {
            "technicians": [
                counted("maria", ("name", "Maria López"), &[1, 3]),
                counted("jo", ("name", "Jo Straßer"), &[]),
                counted("sam-1", ("name", "Sam Lee"), &[4]),
                counted("sam-2", ("name", "Sam Lee"), &[4]),
            ],
            "services": [counted("drains", ("label", "Drain Cleaning"), &[4, 1])],
            "problems": [], "service_areas": [],
        },
        "topics": [],
        "temporal": { "monthly": [], "trend": "stable" },
        "per_review": { id(1): { "technicians": ["maria"] } },
        "faq": [
            { "id": "fee", "question": "What does a visit cost?", "answer": "**$89** on weekdays.",
              "source": "owner", "review_ids": [id(1)] },
            { "id": "nights", "question": "Do you come at night?", "answer": "Yes; also on weekends.",
              "source": "owner", "review_ids": [] },
        ],
        "summary": "People like it.", "pull_quote": null,
    })
}

/// Seven changes, which the site has in two files.
pub(crate) fn changes() -> Value {
    let change =
        |n: u32, change: &str, at: &str| json!({ "id": id(n), "change": change, "at": at });
    json!({ "version": 1, "changes": [
        change(9, "removed", "2025-03-02T00:00:00Z"),
        change(6, "added", "2025-03-01T09:00:00Z"),
        change(5, "added", "2025-02-28T09:00:00Z"),
        change(1, "changed", "2025-02-01T00:00:00.5Z"),
        change(4, "added", "2025-01-02T09:00:00Z"),
        change(3, "added", "2025-01-01T09:00:00Z"),
        change(2, "added", "2025-01-01T09:00:00Z"),
    ] })
}

/// The reviews, numbered so that the newest has the highest number.
pub(crate) fn reviews() -> Vec<Value> {
    let text = |n, date, rating, text| review(n, date, rating, Some(text));
    vec![
        mentioning(text(1, "2024-12-31", 5, "Clean work, on time."), &["Maria López"], &["drains"]),
        mentioning(text(2, "2025-01-01", 4, "Große Straße."), &["Jo Straßer"], &["heaters"]),
        mentioning(text(3, "2025-01-01", 1, "Not clean; came late."), &["Maria López"], &[]),
        mentioning(text(4, "2025-01-02", 3, "a b  c"), &["Sam Lee"], &["drains", "heaters"]),
        review(5, "2025-02-28", 5, None),
        mentioning(text(6, "2025-03-01", 2, "Café CLEANED"), &["Gone Person"], &["retired"]),
    ]
}

/// `reviews.json` of these reviews with everything around them.
pub(crate) fn listing(reviews: &[Value]) -> String {
    let plain = document(&named(business()), reviews);
    let head = head().to_string();
    plain.replacen("{\n\"version\":1,", &format!("{},\n\"version\":1,", &head[..head.len() - 1]), 1)
}

/// The site, written but not published.
pub(crate) fn site() -> Site {
    let mut site = Site::unpublished();
    site.set("reviews.json", listing(&reviews()));
    site.set("insights.json", insights().to_string());
    let mut newest = changes();
    let older = newest["changes"].as_array_mut().unwrap().split_off(4);
    newest["older"] = json!("changes-1.json");
    site.set("changes.json", newest.to_string());
    site.set("changes-1.json", json!({ "older": null, "changes": older }).to_string());
    site.set("llms.txt", "# Acme Plumbing\n");
    site
}

/// The same, published.
pub(crate) fn published() -> Site {
    let site = site();
    site.publish();
    site
}
