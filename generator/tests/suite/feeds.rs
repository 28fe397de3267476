//! The feeds and `changes.json` (docs/documents.md, "Published documents").

use atom_syndication::Feed;
use serde_json::{Value, json};

use super::{
    documents::{full, keys, sorted},
    project::{Project, SITE},
    review::{Review, id, mixed, review},
};

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
            "url": format!("https://reviews.example/reviews/{}/", id(1)),
            "title": "5 of 5 from Ann 1 (incentivized)", "content_text": "Rated 5 of 5, no written review.",
            "date_published": "2026-01-02T09:00:00Z", "date_modified": "2026-01-02T09:00:00Z",
            "authors": [{ "name": "Ann 1", "avatar": "https://maps.example/a/1.png" }], "language": "en",
            "tags": ["incentivized"],
            "_review": { "rating": 5, "verified": true, "verification": "business", "source": "google", "source_url": "https://maps.example/r/1",
                "owner_reply": { "text": "Thanks!", "date": "2026-01-03" },
                "date_precision": "day",
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
            "older": null,
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
fn changes_are_in_files_of_500_of_which_one_more_change_alters_two() {
    let reviews = |count: usize| -> Vec<Review> {
        let at = |n: usize| format!("2026-01-01T{:02}:{:02}:00Z", n / 60, n % 60);
        let dated = |n| review(n).with("date", "2025-12-31").with("updated", at(n));
        (0..count).map(dated).collect()
    };
    let site = format!("{SITE}[site]\nreview_pages = false\n");
    let project = Project::new().file("content/site.toml", site).reviews(reviews(1_203));
    let files = || {
        project.build();
        let mut files = vec![project.json("public/changes.json")];
        while let Some(older) = files.last().unwrap()["older"].as_str() {
            files.push(project.json(&format!("public/{older}")));
        }
        files
    };
    let changes = |file: &Value| file["changes"].as_array().unwrap().clone();
    let before = files();
    assert_eq!(before.iter().map(|file| changes(file).len()).collect::<Vec<_>>(), [500, 203, 500]);
    let all: Vec<Value> = before.iter().flat_map(changes).collect();
    let instant = |change: &Value| (change["at"].to_string(), change["id"].to_string());
    assert!(all.is_sorted_by(|a, b| instant(a) > instant(b)));
    project.write_reviews(reviews(1_204));
    let after = files();
    assert_eq!((after.len(), &after[2]), (3, &before[2]));
    assert_eq!(changes(&after[1]).len(), 204);
    assert_eq!(changes(&after[0])[1..], changes(&before[0])[..499]);
}
