//! The contract's documents (sections 2.1 to 2.4 and 2.6), key by key.

use atom_syndication::Feed;
use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{id, mixed, review},
};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn sorted<const N: usize>(mut words: [&str; N]) -> Vec<&str> {
    words.sort_unstable();
    words.to_vec()
}

/// A site that uses everything there is.
fn full() -> Project {
    let project = Project::new();
    project.write(
        "content/business.toml",
        format!(
            "legal_name = \"Acme Ltd\"\ndescription = \"Pipes.\"\ncategory = \"Plumber\"\nurl = \"https://acme.example/\"\nphone = \"+1 555 0100\"\nemail = \"a@acme.example\"\nsame_as = [\"https://maps.example/acme\"]\n{BUSINESS}description = \"Every one.\"\nurl = \"https://acme.example/verify\"\n\n[address]\nstreet = \"1 Main Street\"\ncity = \"Tilla\"\nregion = \"IL\"\npostal_code = \"00001\"\ncountry = \"US\"\n\n[geo]\nlatitude = 41.5\nlongitude = -90\n\n[[hours]]\ndays = [\"Monday\"]\nopens = \"08:00\"\ncloses = \"17:00\"\n\n[data_terms]\ntext = \"Quote freely.\"\nurl = \"https://acme.example/terms\"\n\n[[source]]\nid = \"google\"\nclaimed_total = 312\ncomplete = false\nprofile_url = \"https://maps.example/acme\"\n\n[[source]]\nid = \"yelp\"\n"
        ),
    );
    project.write(
        "content/technicians.toml",
        "[[technician]]\nid = \"jo-fischer\"\nname = \"Jo Fischer\"\naliases = [\"Jo\"]\n\n[[technician]]\nid = \"gone\"\nname = \"Gone Person\"\nactive_until = 2025-12-31\n\n[[technician]]\nid = \"shy\"\nname = \"Shy Person\"\npublic = false\n",
    );
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    project.write(
        "content/service_areas.toml",
        "[[service_area]]\nid = \"north\"\nname = \"North Side\"\nzip = [\"00001\"]\n",
    );
    project.write("content/summary.md", "People like it.\n");
    project.write(
        "content/faq.toml",
        format!(
            "[[faq]]\nid = \"fee\"\nquestion = \"Fee?\"\nanswer = \"No.\"\nreview_ids = [\"{}\"]\n",
            id(0)
        ),
    );
    let mut reviews: Vec<_> = (0..12)
        .map(|n| {
            review(n).with("rating", [5, 5, 4, 3, 1, 2][n % 6]).with(
                "text",
                if n % 2 == 0 {
                    "Jo did the drains on the North Side; Gone Person and Shy Person helped."
                } else {
                    "Fine."
                },
            )
        })
        .collect();
    reviews[1] = review(1)
        .with("text", Value::Null)
        .with("source_url", "https://maps.example/r/1")
        .with("author_avatar_url", "https://maps.example/a/1.png")
        .with("owner_reply", json!({ "text": "Thanks!", "date": "2026-01-03" }))
        .with("language", "en")
        .with("disclosure", json!({ "kind": "incentivized", "note": "A voucher." }))
        .with("source_ids", json!(["google:abc"]));
    project.reviews(reviews)
}

#[test]
fn a_review_has_every_key_always_null_and_never_absent() {
    let project = full();
    project.build();
    let document = project.json("public/reviews.json");
    let reviews = document["reviews"].as_array().unwrap();
    for review in reviews {
        assert_eq!(
            keys(review),
            sorted([
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
                "url",
                "language",
                "disclosure",
                "mentions"
            ])
        );
        assert_eq!(keys(&review["mentions"]), ["service_areas", "services", "technicians"]);
        assert_eq!(review["verified"], true);
    }
    let plain = reviews.iter().find(|review| review["id"] == id(0)).unwrap();
    assert_eq!(
        *plain,
        json!({
            "id": id(0), "author": "Ann 0", "author_avatar_url": null, "rating": 5,
            "date": "2026-01-01", "text": "Jo did the drains on the North Side; Gone Person and Shy Person helped.",
            "source": "google", "source_url": null, "owner_reply": null, "verified": true,
            "updated": "2026-01-01T09:00:00Z", "url": format!("https://reviews.example/reviews/#{}", id(0)),
            "language": null, "disclosure": null,
            "mentions": { "technicians": ["Jo Fischer", "Gone Person"], "services": ["drains"], "service_areas": ["north"] },
        })
    );
    let rich = reviews.iter().find(|review| review["id"] == id(1)).unwrap();
    assert_eq!(rich["text"], Value::Null);
    assert_eq!(rich["owner_reply"], json!({ "text": "Thanks!", "date": "2026-01-03" }));
    assert_eq!(rich["disclosure"], json!({ "kind": "incentivized", "note": "A voucher." }));
    assert!(!project.text("public/reviews.json").contains("google:abc"), "source ids stay at home");
}

#[test]
fn reviews_json_has_these_keys() {
    let project = full();
    project.build();
    let document = project.json("public/reviews.json");
    assert_eq!(
        keys(&document),
        sorted([
            "version",
            "generated_at",
            "business",
            "aggregate_rating",
            "sources",
            "moderation",
            "reviews"
        ])
    );
    assert_eq!(document["version"], 1);
    assert_eq!(document["generated_at"], "2026-01-12T09:00:00Z");
    let business = &document["business"];
    assert_eq!(
        keys(business),
        sorted([
            "name",
            "legal_name",
            "description",
            "category",
            "url",
            "phone",
            "email",
            "address",
            "geo",
            "hours",
            "service_areas",
            "services",
            "technicians",
            "same_as",
            "time_zone",
            "verification",
            "data_terms"
        ])
    );
    assert_eq!(
        keys(&business["address"]),
        sorted(["street", "city", "region", "postal_code", "country"])
    );
    assert_eq!(business["geo"], json!({ "latitude": 41.5, "longitude": -90.0 }));
    assert_eq!(
        business["hours"],
        json!([{ "days": ["Monday"], "opens": "08:00", "closes": "17:00" }])
    );
    assert_eq!(
        business["technicians"],
        json!([{ "id": "jo-fischer", "name": "Jo Fischer" }]),
        "listed ones only"
    );
    assert_eq!(business["services"], json!([{ "id": "drains", "label": "Drains" }]));
    assert_eq!(business["service_areas"], json!([{ "id": "north", "name": "North Side" }]));
    assert_eq!(keys(&business["verification"]), sorted(["method", "description", "url"]));
    assert_eq!(
        business["data_terms"],
        json!({ "text": "Quote freely.", "url": "https://acme.example/terms" })
    );
}

#[test]
fn a_bare_business_has_the_same_keys_and_nothing_in_them() {
    let project = Project::new();
    project.build();
    assert_eq!(
        project.json("public/reviews.json"),
        json!({
            "version": 1, "generated_at": "2026-01-01T00:00:00Z",
            "business": {
                "name": "Acme Plumbing", "legal_name": null, "description": null, "category": null,
                "url": null, "phone": null, "email": null, "address": null, "geo": null, "hours": [],
                "service_areas": [], "services": [], "technicians": [], "same_as": [],
                "time_zone": "America/Chicago",
                "verification": { "method": "Posted by an account on the review platform", "description": null, "url": null },
            },
            "aggregate_rating": { "average": null, "review_count": 0, "best": 5, "worst": 1,
                "distribution": { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 } },
            "sources": [],
            "moderation": { "withheld_count": 0, "by_reason": {}, "by_rating": { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 } },
            "reviews": [],
        })
    );
}

#[test]
fn reviews_are_newest_first_and_later_ids_first_on_one_day() {
    let day = |n: usize, date: &str| review(n).with("date", date);
    let project = Project::new().reviews([
        day(3, "2026-01-05"),
        day(9, "2026-01-04"),
        day(1, "2026-01-06"),
        day(5, "2026-01-05"),
        day(4, "2026-01-05"),
    ]);
    project.build();
    let expected = [id(1), id(5), id(4), id(3), id(9)];
    let document = project.json("public/reviews.json");
    let ids = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&document["reviews"], "id"), expected);
    let entries = ids(&project.json("public/api/feed.json")["items"], "id");
    assert_eq!(
        entries,
        expected.clone().map(|id| format!("tag:reviews.example,2026-01-01:reviews/{id}"))
    );
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    assert_eq!(feed.entries.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>(), entries);
    let page = project.text("public/reviews/index.html");
    let at: Vec<_> =
        expected.iter().map(|id| page.find(&format!("id=\"{id}\"")).unwrap()).collect();
    assert!(at.is_sorted());
}

#[test]
fn the_aggregate_is_over_all_published_reviews() {
    let stars = [5, 5, 4, 1, 1, 3, 5];
    let project = Project::new().reviews(
        stars.iter().enumerate().map(|(n, s)| review(n).with("rating", *s)).collect::<Vec<_>>(),
    );
    project.build();
    assert_eq!(
        project.json("public/reviews.json")["aggregate_rating"],
        json!({ "average": 3.43, "review_count": 7, "best": 5, "worst": 1,
                "distribution": { "1": 2, "2": 0, "3": 1, "4": 1, "5": 3 } })
    );
}

#[test]
fn sources_say_what_they_are_and_what_is_missing() {
    let project = full();
    project.build();
    assert_eq!(
        project.json("public/reviews.json")["sources"],
        json!([
            { "source": "google", "review_count": 12, "average": 3.33, "claimed_total": 312, "complete": false,
              "profile_url": "https://maps.example/acme", "last_import": null },
            { "source": "yelp", "review_count": 0, "average": null, "claimed_total": null, "complete": null,
              "profile_url": null, "last_import": null },
        ])
    );
    assert!(project.text("public/index.html").contains("3.33 of 5 from 12 of about 312"));
}

#[test]
fn generated_at_is_the_newest_update_and_never_the_clock() {
    let project = Project::new().reviews([
        review(1).with("updated", "2026-05-05T05:05:05Z"),
        review(2).with("updated", "2026-04-04T04:04:04+02:00"),
    ]);
    project.build();
    for path in ["public/reviews.json", "public/insights.json"] {
        assert_eq!(project.json(path)["generated_at"], "2026-05-05T05:05:05Z");
    }
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    assert_eq!(feed.updated.to_rfc3339(), "2026-05-05T05:05:05+00:00");
}

#[test]
fn an_empty_site_is_as_old_as_its_id_base() {
    for (date, instant) in
        [("2025", "2025-01-01"), ("2025-06", "2025-06-01"), ("2025-06-07", "2025-06-07")]
    {
        let project = Project::new();
        project.write("content/site.toml", SITE.replace("2026-01-01", date));
        project.build();
        assert_eq!(
            project.json("public/insights.json")["generated_at"],
            format!("{instant}T00:00:00Z")
        );
    }
}

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

#[test]
fn the_json_feed_has_these_keys() {
    let project = full();
    project.build();
    let feed = project.json("public/api/feed.json");
    assert_eq!(
        keys(&feed),
        sorted([
            "version",
            "title",
            "home_page_url",
            "feed_url",
            "description",
            "language",
            "hubs",
            "items"
        ])
    );
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["title"], "Acme Plumbing");
    assert_eq!(
        feed["hubs"],
        json!([{ "type": "WebSub", "url": "https://reviews.example/api/websub/hub" }])
    );
    let items = feed["items"].as_array().unwrap();
    let item = |n: usize| {
        items.iter().find(|item| item["id"].as_str().unwrap().ends_with(&id(n))).unwrap()
    };
    assert_eq!(
        *item(1),
        json!({
            "id": format!("tag:reviews.example,2026-01-01:reviews/{}", id(1)),
            "url": format!("https://reviews.example/reviews/#{}", id(1)),
            "title": "5 of 5 from Ann 1 (incentivized)", "content_text": "Rated 5 of 5, no written review.",
            "date_published": "2026-01-02T12:00:00Z", "date_modified": "2026-01-02T09:00:00Z",
            "authors": [{ "name": "Ann 1", "avatar": "https://maps.example/a/1.png" }], "language": "en",
            "tags": ["incentivized"],
            "_review": { "rating": 5, "verified": true, "source": "google", "source_url": "https://maps.example/r/1",
                "owner_reply": { "text": "Thanks!", "date": "2026-01-03" },
                "disclosure": { "kind": "incentivized", "note": "A voucher." } },
        })
    );
    assert_eq!(item(0)["tags"], json!(["Drains", "North Side"]));
}

#[test]
fn the_atom_feed_says_the_same() {
    let project = full();
    project.build();
    let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    let json = project.json("public/api/feed.json");
    let items = json["items"].as_array().unwrap();
    assert_eq!(feed.entries.len(), items.len());
    for (entry, item) in feed.entries.iter().zip(items) {
        assert_eq!(item["id"], *entry.id);
        assert_eq!(item["title"], *entry.title.value);
        assert_eq!(item["url"], *entry.links[0].href);
        assert_eq!(item["authors"][0]["name"], *entry.authors[0].name);
        assert_eq!(
            item["content_text"],
            *entry.content.as_ref().unwrap().value.as_deref().unwrap()
        );
        let at = |text: &Value| text.as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        let instant = |at: &atom_syndication::FixedDateTime| {
            at.to_rfc3339().parse::<jiff::Timestamp>().unwrap()
        };
        assert_eq!(at(&item["date_modified"]), instant(&entry.updated));
        assert_eq!(at(&item["date_published"]), instant(entry.published.as_ref().unwrap()));
    }
    let rels: Vec<&str> = feed.links.iter().map(|link| link.rel.as_str()).collect();
    for rel in ["self", "hub", "alternate"] {
        assert!(rels.contains(&rel), "{rel}");
    }
}

#[test]
fn feeds_carry_the_fifty_newest() {
    for (count, carried) in [(0, 0), (1, 1), (49, 49), (50, 50), (51, 50)] {
        let project = Project::new().reviews(mixed(count));
        project.build();
        let feed = Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
        assert_eq!(feed.entries.len(), carried);
        assert!(!feed.id.is_empty() && !feed.title.value.is_empty());
        let json = project.json("public/api/feed.json");
        assert_eq!(json["items"].as_array().unwrap().len(), carried);
    }
}

#[test]
fn changes_are_newest_first_with_every_review_added_and_the_changed_ones_twice() {
    let project = Project::new().reviews([
        review(1).with("added", "2026-01-02T00:00:00Z").with("updated", "2026-03-01T00:00:00Z"),
        review(2).with("updated", "2026-02-01T00:00:00Z"),
        review(3).with("updated", "2026-02-01T00:00:00Z"),
        review(4),
    ]);
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-02-15\nhidden = \"duplicate\"\n", id(4)),
    );
    project.build();
    let change = |n: usize, change: &str, at: &str| json!({ "id": id(n), "change": change, "at": format!("{at}T00:00:00Z") });
    assert_eq!(
        project.json("public/changes.json"),
        json!({
            "version": 1,
            "changes": [
                change(1, "changed", "2026-03-01"),
                change(4, "removed", "2026-02-15"),
                change(3, "added", "2026-02-01"),
                change(2, "added", "2026-02-01"),
                change(1, "added", "2026-01-02"),
            ],
        })
    );
}

#[test]
fn a_site_without_a_sidecar_mentions_nothing_it_does_not_have() {
    let project = full();
    project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    project.build();
    for (path, bytes) in project.tree("public") {
        if path.ends_with(".br") || path.ends_with(".gz") || path.ends_with(".zst") {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap().to_lowercase();
        for word in ["hub", "mcp", "search", "since", "websub"] {
            assert!(!text.contains(word), "{path} contains {word}");
        }
    }
    let ids = |project: &Project| -> Vec<Value> {
        let feed = project.json("public/api/feed.json");
        feed["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
    };
    let before = ids(&project);
    project.write("content/site.toml", SITE);
    project.build();
    assert_eq!(ids(&project), before, "turning it on changes no id");
}

#[test]
fn a_sample_says_that_it_is_one() {
    let project = Project::new().reviews([review(1)]);
    project.write("content/site.toml", format!("sample = true\n{SITE}"));
    project.build();
    for page in ["index.html", "reviews/index.html", "404.html"] {
        assert!(
            project
                .text(&format!("public/{page}"))
                .contains("business and its reviews are invented")
        );
    }
    assert!(project.manifest().sample);
}
