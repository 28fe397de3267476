//! `reviews.json`, and what holds for all documents (docs/documents.md, "Published documents").

use atom_syndication::Feed;
use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{id, review},
};

/// The names of an object's members.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

pub(crate) fn sorted<const N: usize>(mut words: [&str; N]) -> Vec<&str> {
    words.sort_unstable();
    words.to_vec()
}

/// A site that uses everything there is.
pub(crate) fn full() -> Project {
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
                "verification",
                "updated",
                "url",
                "language",
                "translation",
                "date_precision",
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
            "source": "google", "source_url": null, "owner_reply": null, "verified": true, "verification": "business",
            "updated": "2026-01-01T09:00:00Z", "url": format!("https://reviews.example/reviews/{}/", id(0)),
            "language": "en", "translation": null, "date_precision": "day",
            "disclosure": null,
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
        json!([
            { "id": "jo-fischer", "name": "Jo Fischer", "aliases": ["Jo"], "active_until": null },
            { "id": "gone", "name": "Gone Person", "aliases": [], "active_until": "2025-12-31" },
        ]),
        "public ones only"
    );
    assert_eq!(business["services"], json!([{ "id": "drains", "label": "Drains", "aliases": [] }]));
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
            { "source": "google", "review_count": 12, "average": 3.33, "claimed_total": 312, "claimed_average": null, "complete": false,
              "profile_url": "https://maps.example/acme", "last_import": null,
              "verification": { "method": "Posted by an account on the review platform", "description": "Every one." } },
            { "source": "yelp", "review_count": 0, "average": null, "claimed_total": null, "claimed_average": null, "complete": null,
              "profile_url": null, "last_import": null,
              "verification": { "method": "Posted by an account on the review platform", "description": "Every one." } },
        ])
    );
    assert!(
        project
            .text("public/index.html")
            .contains("3.33 of 5 from 12 of about 312: not all of them are here")
    );
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
fn a_site_without_a_sidecar_mentions_nothing_it_does_not_have() {
    let project = full();
    project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    project.build();
    for (path, bytes) in project.tree("public") {
        // The manifest's schema describes the manifests of all sites.
        if [".br", ".gz", "manifest.json"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["mcp", "reviews/search", "reviews/since", "websub", "rel=\"hub\""] {
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
