//! Every way to tamper with what a site publishes beside its log, and the words that a reader gets for it.

use contract::model::{Rating, WithheldReason};
use review_log::{Code, Salt};
use serde_json::json;

use crate::site::{Files, ORIGIN, Site, finds, id, name};

#[test]
fn an_honest_site_is_proved() {
    let mut site = Site::new();
    let known = site.checkpoint();
    site.withheld.clear();
    site.publish(6, 1);
    site.reviews.remove(&id(2));
    site.log("2026-05-03T08:00:00Z");
    let files = Files { known: Some(known), ..site.files() };
    let verdict = files.verify();
    assert_eq!(verdict.findings, []);
    let proved = verdict.proved.unwrap();
    assert_eq!((proved.origin.as_str(), proved.size, proved.continues), (ORIGIN, 12, Some(9)));
    assert_eq!(proved.reviews, 5);
    assert_eq!(proved.signed_by, files.keys);
    assert_eq!(proved.root, site.checkpoint().root.to_string());
    assert_eq!(proved.since, Some("2026-05-01T08:00:00Z".parse().unwrap()));
    assert_eq!(proved.until, Some("2026-05-03T08:00:00Z".parse().unwrap()));
    let events: Vec<_> = proved.events.into_iter().collect();
    assert_eq!(
        events,
        [
            ("published", 5),
            ("removed", 1),
            ("reply_changed", 1),
            ("restored", 1),
            ("set", 3),
            ("withheld", 1)
        ]
    );
    assert!(proved.withheld.is_empty());
}

#[test]
fn text_stars_or_date_changed_without_an_entry() {
    for (key, value) in
        [("text", json!("Great")), ("date", json!("2020-01-01")), ("author", json!("X"))]
    {
        let mut files = Site::new().files();
        files.review(3)[key] = value;
        let message = format!(
            "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or \
             another fact was changed without an entry, or its salt was replaced.",
            name(3)
        );
        finds(&files, &[(Code::Record, Some(2), &message)]);
    }
    let mut files = Site::new().files();
    files.review(3)["rating"] = json!(4);
    let message = format!(
        "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or another \
         fact was changed without an entry, or its salt was replaced.",
        name(3)
    );
    let stars = "Published reviews rated 3 of 5: reviews.json has 0, and entry 8 of 2026-05-02, the last count of the log, has 1.";
    finds(&files, &[(Code::Record, Some(2), &message), (Code::Set, Some(8), stars)]);
}

#[test]
fn a_salt_of_a_review_that_is_not_published() {
    let mut files = Site::new().files();
    for n in [6, 60] {
        files.salts.insert(id(n), Salt::from_bytes([n; 32]));
    }
    let message = |n| {
        format!(
            "/log/salts.json has the salt of review {}, which reviews.json does not have: with the salt, the \
             words of a withheld or erased review can be guessed from its entries.",
            name(n)
        )
    };
    finds(&files, &[(Code::Salt, None, &message(6)), (Code::Salt, None, &message(60))]);
}

/// An edit that is logged is an event, not tampering.
#[test]
fn an_edit_with_an_entry_is_in_the_log() {
    let mut site = Site::new();
    site.review(3)["text"] = json!("Great");
    site.log("2026-05-03T08:00:00Z");
    let proved = site.files().verify().proved.unwrap();
    assert_eq!(proved.events["changed"], 1);
}

#[test]
fn the_answer_changed_added_or_removed() {
    for (n, leaf, reply) in [
        (1, "entry 5 of 2026-05-02", json!({ "text": "Liar", "date": "2026-05-02" })),
        (1, "entry 5 of 2026-05-02", json!(null)),
        (2, "entry 1 of 2026-05-01", json!({ "text": "Thanks", "date": null })),
    ] {
        let mut files = Site::new().files();
        files.review(n)["owner_reply"] = reply;
        let message = format!(
            "The answer of the business to review {} is not what was logged by {leaf}: it was added, changed \
             or removed without an entry.",
            name(n)
        );
        finds(&files, &[(Code::Reply, Some(if n == 1 { 5 } else { 1 }), &message)]);
    }
}

#[test]
fn a_review_dropped_from_the_document() {
    let mut site = Site::new();
    site.reviews.remove(&id(1));
    let dropped = format!(
        "Review {} was logged as published by entry 5 of 2026-05-02 and is not in reviews.json: it was \
         dropped without an entry.",
        name(1)
    );
    let count = "Published reviews: reviews.json has 4, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::Missing, Some(5), &dropped), (Code::Set, Some(8), count)]);
}

#[test]
fn a_review_added_that_was_never_logged() {
    let mut site = Site::new();
    site.publish(7, 5);
    let added = format!(
        "Review {} is on the site and was never logged: it was added without an entry.",
        name(7)
    );
    let count = "Published reviews: reviews.json has 6, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::NotLogged, None, &added), (Code::Set, Some(8), count)]);

    let mut files = Site::new().files();
    let twice = files.review(2).clone();
    files.reviews_json["reviews"].as_array_mut().unwrap().push(twice);
    let message = format!("reviews.json has the review {} twice.", name(2));
    finds(&files, &[(Code::Document, None, &message), (Code::Set, Some(8), count)]);
}

#[test]
fn a_withheld_review_published_again_without_an_entry() {
    let mut site = Site::new();
    let withheld = std::mem::take(&mut site.withheld);
    site.publish(6, 1);
    site.withheld = withheld;
    let message = format!(
        "Review {} is on the site, but by entry 7 of 2026-05-02 it is withheld: it was published again \
         without an entry.",
        name(6)
    );
    let count = "Published reviews: reviews.json has 6, and entry 8 of 2026-05-02, the last count of the log, has 5.";
    finds(&site.files(), &[(Code::NotLogged, Some(7), &message), (Code::Set, Some(8), count)]);
}

#[test]
fn a_salt_missing_or_changed() {
    let mut files = Site::new().files();
    files.salts.remove(&id(3));
    let message = format!(
        "The salt of review {} is missing in /log/salts.json: without it nobody can compare the review with \
         entry 2 of 2026-05-01.",
        name(3)
    );
    finds(&files, &[(Code::Salt, Some(2), &message)]);

    files.salts.insert(id(3), Salt::from_bytes([99; 32]));
    let message = format!(
        "Review {} is not what was logged by entry 2 of 2026-05-01: its author, stars, date, text or another \
         fact was changed without an entry, or its salt was replaced.",
        name(3)
    );
    finds(&files, &[(Code::Record, Some(2), &message)]);
}

#[test]
fn a_reason_or_count_of_withheld_reviews_differs() {
    let mut site = Site::new();
    site.withheld.get_mut(&id(6)).unwrap().0 = WithheldReason::PersonalData;
    let by_reason = |said: u64, reason: &str, counted: u64| {
        format!("Reviews withheld as {reason}: reviews.json says {said}, and the log {counted}.")
    };
    finds(
        &site.files(),
        &[
            (Code::Withheld, None, &by_reason(1, "personal_data", 0)),
            (Code::Withheld, None, &by_reason(0, "off_topic", 1)),
        ],
    );

    site.withheld.clear();
    finds(
        &site.files(),
        &[
            (Code::Withheld, None, &by_reason(0, "off_topic", 1)),
            (Code::Withheld, None, "Reviews withheld in all: reviews.json says 0, and the log 1."),
            (
                Code::Withheld,
                None,
                "Withheld reviews rated 1 of 5: reviews.json says 0, and the log 1.",
            ),
        ],
    );

    let rating = Rating::try_from(5).unwrap();
    site.withheld.insert(id(6), (WithheldReason::OffTopic, rating));
    let stars = "Withheld reviews rated 1 of 5: reviews.json says 0, and the log 1.";
    finds(&site.files(), &[(Code::Withheld, None, stars)]);
}

#[test]
fn a_document_that_cannot_be_read() {
    let mut files = Site::new().files();
    files.review(5)["rating"] = json!(6);
    let message = "reviews.json cannot be read: reviews[0]: rating must be a whole number from 1 to 5, found 6 at \
                   line 1 column ";
    let verdict = files.verify();
    assert_eq!(verdict.findings.len(), 1);
    assert_eq!(verdict.findings[0].code, Code::Document);
    assert!(verdict.findings[0].message.starts_with(message), "{verdict:?}");
}

#[test]
fn an_average_that_the_reviews_do_not_have() {
    let mut files = Site::new().files();
    let honest = json!({
        "average": 3.0, "review_count": 5, "best": 5, "worst": 1,
        "distribution": { "1": 1, "2": 1, "3": 1, "4": 1, "5": 1 },
    });
    files.reviews_json["aggregate_rating"] = honest;
    assert_eq!(files.verify().findings, []);
    files.reviews_json["aggregate_rating"]["average"] = json!(4.9);
    let message = "The average of aggregate_rating in reviews.json is 4.9, and over the reviews in it it is 3.0.";
    finds(&files, &[(Code::Average, None, message)]);
    files.reviews_json["aggregate_rating"] = json!(null);
    let message = "The average of aggregate_rating in reviews.json is null, and over the reviews in it it is 3.0.";
    finds(&files, &[(Code::Average, None, message)]);
}

#[test]
fn a_verdict_is_json_for_programs() {
    let mut files = Site::new().files();
    files.review(3)["text"] = json!("Great");
    let verdict = serde_json::to_value(files.verify()).unwrap();
    assert_eq!(verdict["findings"][0]["code"], "record");
    assert_eq!(verdict["findings"][0]["review"], name(3));
    assert_eq!(verdict["findings"][0]["leaf"], 2);
    assert_eq!(verdict["proved"], json!(null));
    let proved = serde_json::to_value(Site::new().files().verify()).unwrap();
    assert_eq!(proved["proved"]["withheld"], json!({ "off_topic": 1 }));
}
