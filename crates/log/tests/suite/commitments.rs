//! What is committed to of a review, with values that another program computed.

use contract::model::{Day, OwnerReply};
use review_log::{Commitment, Facts, Reply, Salt};
use serde_json::{Value, json};

fn salt() -> Salt {
    Salt::from_bytes(std::array::from_fn(|n| n as u8))
}

/// A review as `reviews.json` has it.
fn review() -> Value {
    json!({
        "id": "01HQ3S5B00ABCDEFGHJKMNPQRS",
        "author": "Zoë \"Z\" K.",
        "author_avatar_url": null,
        "rating": 2,
        "date": "2026-04-12",
        "text": "Late.\n\tStill: 5 °C \\ 😀",
        "source": "google",
        "source_url": "https://example.com/r?a=1&b=2",
        "owner_reply": { "text": "Sorry.", "date": null },
        "verified": true,
        "updated": "2026-04-13T00:00:00Z",
        "url": "https://reviews.example.com/reviews/01HQ3S5B00ABCDEFGHJKMNPQRS/",
        "language": "en",
        "translation": { "text": "Tard.", "language": "fr", "by": "google" },
        "date_precision": "day",
        "disclosure": { "kind": "incentivized", "note": null },
        "mentions": { "technicians": [], "services": [], "service_areas": [] },
    })
}

fn record(review: &Value) -> Commitment {
    salt().record(&serde_json::from_value::<Facts>(review.clone()).unwrap())
}

/// Computed with Python's `hmac` over `json.dumps(…, sort_keys=True, separators=(",", ":"),
/// ensure_ascii=False)`; docs/proof.md has the program.
#[test]
fn the_commitments_of_a_review() {
    assert_eq!(
        record(&review()).to_string(),
        "76d4dfb5d7059564f30abe59d7efaa4d131010e5242882f86eb985ab154eea61"
    );
    let reply: Reply = serde_json::from_value(review()["owner_reply"].clone()).unwrap();
    assert_eq!(
        salt().reply(&reply).to_string(),
        "472be5809a7b49484611c2e3695e4529e9b5cb9471a61e83d4282e5f697a180f"
    );
    let published = OwnerReply { text: "Sorry.".to_owned(), date: None };
    assert_eq!(Reply::from(&published), reply);
    let dated = Reply { date: Some("2026-04-13".parse::<Day>().unwrap()), ..reply.clone() };
    assert_ne!(salt().reply(&dated), salt().reply(&reply));
}

#[test]
fn every_fact_counts_and_nothing_else_does() {
    let plain = record(&review());
    for (pointer, value) in [
        ("/author", json!("Zoë K.")),
        ("/rating", json!(3)),
        ("/date", json!("2026-04-11")),
        ("/date_precision", json!("month")),
        ("/text", json!("Late.")),
        ("/text", Value::Null),
        ("/source", json!("yelp")),
        ("/source_url", Value::Null),
        ("/verified", json!(false)),
        ("/disclosure", Value::Null),
        ("/disclosure/kind", json!("insider")),
        ("/disclosure/note", json!("a discount")),
        ("/translation/text", json!("En retard.")),
        ("/translation/by", json!("yelp")),
        ("/id", json!("01HQ3S5B00ABCDEFGHJKMNPQRT")),
    ] {
        let mut changed = review();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert_ne!(record(&changed), plain, "{pointer}");
    }
    for (pointer, value) in [
        ("/author_avatar_url", json!("https://example.com/a.png")),
        ("/updated", json!("2027-01-01T00:00:00Z")),
        ("/url", json!("https://elsewhere.example/")),
        ("/language", Value::Null),
        ("/translation/language", Value::Null),
        ("/mentions/technicians", json!(["Ann"])),
        ("/owner_reply", Value::Null),
    ] {
        let mut changed = review();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert_eq!(record(&changed), plain, "{pointer}");
    }
}

#[test]
fn another_salt_gives_another_commitment_and_salts_are_random() {
    let facts: Facts = serde_json::from_value(review()).unwrap();
    assert_ne!(Salt::generate().record(&facts), Salt::generate().record(&facts));
    assert_eq!(format!("{:?}", salt()), "Salt(…)");
}

#[test]
fn salts_and_commitments_are_64_hexadecimal_digits() {
    let text = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    assert_eq!(serde_json::to_value(salt()).unwrap(), text);
    assert_eq!(serde_json::from_value::<Salt>(json!(text)).unwrap(), salt());
    for bad in ["", &text[1..], &text.to_uppercase(), &format!("{text}00")] {
        let error = serde_json::from_value::<Commitment>(json!(bad)).unwrap_err().to_string();
        assert!(error.starts_with("must be 64 hexadecimal digits in lower case"), "{error}");
    }
}
