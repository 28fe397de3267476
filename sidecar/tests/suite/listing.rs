//! Documents of reviews, laid out as the generator does it.

use serde_json::{Value, json};

/// The id of review `n`; later numbers sort later.
pub(crate) fn id(n: u32) -> String {
    format!("01JH00000000000000{n:08}")
}

/// A review with every key; `n` decides its id.
pub(crate) fn review(n: u32, date: &str, rating: u8, text: Option<&str>) -> Value {
    json!({
        "id": id(n), "author": format!("Ann {n}"), "author_avatar_url": null, "rating": rating,
        "date": date, "text": text, "source": "google", "source_url": null, "owner_reply": null,
        "verified": true, "verification": "platform", "updated": format!("{date}T09:00:00Z"),
        "url": format!("https://shop.example/reviews/#{}", id(n)), "language": null,
        "date_precision": "day", "disclosure": null,
        "mentions": { "technicians": [], "services": [], "service_areas": [] },
    })
}

/// The same, mentioning technicians by name and services by id.
pub(crate) fn mentioning(mut review: Value, technicians: &[&str], services: &[&str]) -> Value {
    review["mentions"]["technicians"] = technicians.into();
    review["mentions"]["services"] = services.into();
    review
}

/// `reviews.json` of these reviews, newest first whatever their order.
pub(crate) fn document(business: &Value, reviews: &[Value]) -> String {
    let mut reviews = reviews.to_vec();
    reviews.sort_by_key(|review| {
        let key = |name: &str| review[name].as_str().unwrap().to_owned();
        std::cmp::Reverse((key("date"), key("id")))
    });
    let lines: Vec<_> = reviews.iter().map(|review| format!("\n{review}")).collect();
    format!("{{\n\"version\":1,\n\"business\":{business},\n\"reviews\":[{}]}}\n", lines.join(","))
}

/// A review as tools list it: without what is null, usual, or follows from its address.
pub(crate) fn in_lists(mut review: Value) -> Value {
    let members = review.as_object_mut().unwrap();
    for name in ["author_avatar_url", "source_url", "verified", "updated", "url", "language"] {
        members.remove(name);
    }
    let mentions = members["mentions"].as_object_mut().unwrap();
    mentions.retain(|name, _| name == "technicians");
    let is_usual = |name: &str, value: &Value| match name {
        "date_precision" => value == "day",
        "verification" => value != "purchase",
        "mentions" => value["technicians"] == json!([]),
        _ => value.is_null(),
    };
    members.retain(|name, value| !is_usual(name, value));
    review
}

/// A page of the search as tools answer it.
pub(crate) fn as_tools_do(mut page: Value) -> Value {
    let reviews = page["reviews"].as_array_mut().unwrap();
    reviews.iter_mut().for_each(|review| *review = in_lists(review.take()));
    if !reviews.is_empty() {
        page["review_url"] = "https://shop.example/reviews/#{id}".into();
    }
    page
}

/// A document of one review that says this; long enough to be worth compressing.
pub(crate) fn saying(word: &str) -> String {
    document(&json!({}), &[review(1, "2025-01-09", 5, Some(&format!("{word} ").repeat(40)))])
}

/// A business with two technicians, one name shared by two more, and two services.
pub(crate) fn business() -> Value {
    json!({
        "technicians": [
            { "id": "maria", "name": "Maria López" },
            { "id": "jo", "name": "Jo Straßer" },
            { "id": "sam-1", "name": "Sam Lee" },
            { "id": "sam-2", "name": "Sam Lee" },
        ],
        "services": [
            { "id": "drains", "label": "Drain Cleaning" },
            { "id": "heaters", "label": "Water Heaters" },
        ],
    })
}
