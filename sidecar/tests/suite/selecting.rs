//! `q`, `sort` and the filters by facts of a review (docs/api.md, "GET /api/reviews/search"). `q` finds what
//! people type, and the rest selects by what is known of a review.

use serde_json::{Value, json};

use crate::{
    Running, Site, get,
    listing::{document, id, review},
    search::{found, number, search},
};

const PATH: &str = "/api/reviews/search";

/// Seven reviews, numbered so that the newest has the highest number.
fn site() -> Site {
    let reviews = [
        with(1, "2024-12-31", 4, "It’s the best crème brûlée: “very good”", "google", "fr", true),
        with(2, "2025-01-01", 2, "Came late,\n\nand left  early.", "Yelp", "en-US", false),
        with(3, "2025-01-01", 5, "On time; new filters fitted.", "google", "en", true),
        with(4, "2025-01-02", 1, "Luftfilterwechsel: zu spät!", "google", "de", false),
        with(5, "2025-02-28", 5, "Never on a whim, time after time", "yelp", "EN-gb", false),
        with(6, "2025-03-01", 4, "Filter changed 👍 24/7", "google", "", true),
        review(7, "2025-03-02", 3, None),
    ];
    let mut reviews = reviews;
    (reviews[4]["author"], reviews[6]["author"]) = ("Anne Krämer-Lux".into(), "anne".into());
    for at in [1, 3] {
        reviews[at]["mentions"]["service_areas"] = json!(["aspen"]);
    }
    let business = json!({ "service_areas": [{ "id": "aspen", "name": "Aspen Hill" }] });
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&business, &reviews));
    let says = |sentiment: &str, aspects: &[[&str; 2]]| {
        let aspects = aspects.iter().map(|[id, of]| json!({ "id": id, "sentiment": of }));
        json!({ "sentiment": sentiment, "aspects": Value::from_iter(aspects) })
    };
    let aspects = json!([
        { "id": "punctuality", "label": "Being on time" }, { "id": "price", "label": "Price" },
    ]);
    let mut per_review = json!({
        id(2): says("negative", &[["punctuality", "negative"], ["punctuality", "neutral"]]),
        id(3): says("positive", &[["punctuality", "positive"], ["price", "negative"]]),
        id(4): says("negative", &[["punctuality", "negative"]]),
        id(5): says("mixed", &[["unlisted", "positive"]]),
    });
    for n in [2, 4] {
        per_review[id(n)]["topics"] = json!(["valve"]);
    }
    let topics = json!([{ "id": "valve", "label": "Check valves" }]);
    let insights = json!({ "aspects": aspects, "topics": topics, "per_review": per_review });
    site.set("insights.json", insights.to_string());
    site.publish();
    site
}

fn with(
    n: u32,
    date: &str,
    rating: u8,
    text: &str,
    source: &str,
    language: &str,
    has_reply: bool,
) -> Value {
    let mut review = review(n, date, rating, Some(text));
    review["source"] = source.into();
    review["language"] = Some(language).filter(|tag| !tag.is_empty()).into();
    if has_reply {
        review["owner_reply"] = json!({ "text": "Thank you.", "date": date });
    }
    review
}

fn assert_finds(rows: &[(&str, &[u32])]) {
    let site = site();
    let running = Running::start(&site);
    for (query, expected) in rows {
        assert_eq!(found(&running, query), *expected, "{query}");
    }
}

#[test]
fn q_finds_all_words_in_any_order_as_people_type_them() {
    assert_finds(&[
        ("q=filter", &[6, 4, 3]),
        ("q=TIME+on", &[5, 3]),
        ("q=time,+on!", &[5, 3]),
        ("q=creme+brulee+it's", &[1]),
        ("q=it%E2%80%99s", &[1]),
        ("q=spat", &[4]),
        ("q=%F0%9F%91%8D", &[6]),
        ("q=24/7", &[6]),
        ("q=filter+absent", &[]),
        ("q=on&query=Time;", &[3]),
        ("q=", &[7, 6, 5, 4, 3, 2, 1]),
        ("q=-+%22%22", &[7, 6, 5, 4, 3, 2, 1]),
    ]);
}

#[test]
fn q_has_phrases_in_straight_and_curly_quotes() {
    assert_finds(&[
        ("q=%22on+time%22", &[3]),
        ("q=%22On++Time%22+filters", &[3]),
        ("q=%E2%80%9Con+time%E2%80%9D", &[3]),
        ("q=%22late,+and+left+early%22", &[2]),
        ("q=%22on+time", &[3]),
        ("q=%22very+good%22", &[1]),
    ]);
}

#[test]
fn q_leaves_out_what_follows_a_minus() {
    assert_finds(&[
        ("q=filter+-luft", &[6, 3]),
        ("q=time+-%22on+time%22", &[5]),
        // A review without words has none of them.
        ("q=-filter+-late", &[7, 5, 1]),
        ("q=-brulee+-BRULEE", &[7, 6, 5, 4, 3, 2]),
    ]);
}

#[test]
fn a_year_an_author_an_area_a_topic_and_words_select() {
    assert_finds(&[
        ("year=2024", &[1]),
        ("year=2025&rating=5", &[5, 3]),
        ("year=1999", &[]),
        ("author=Anne", &[7, 5]),
        ("author=KRAMER+anne!", &[5]),
        ("author=Kram", &[]),
        ("author=!", &[]),
        ("mentions_area=%C3%81spen+Hill", &[4, 2]),
        ("mentions_area=aspen&year=2025&topic=Check+valves&rating=1", &[4]),
        ("topic=valve&sentiment=negative", &[4, 2]),
        ("has_text=false", &[7]),
        ("has_text=true&author=anne", &[5]),
    ]);
}

#[test]
fn facets_count_what_each_value_would_leave() {
    let running = &Running::start(&site());
    let conditions = [
        "",
        "q=filter",
        "aspect=punctuality",
        "sentiment=negative",
        "aspect=punctuality&sentiment=negative",
        "aspect=none&year=2025",
        "rating=5&language=en",
        "source=google&has_reply=true&since=2025-01-01",
        "topic=valve&mentions_area=aspen",
        "has_text=false&author=anne",
    ];
    let names: Vec<&str> = contract::query::facets().map(|facet| facet.name).collect();
    let all = search(running, &format!("facets={}", names.join(",")))["facets"].take();
    assert_eq!(all["rating"], json!({ "1": 1, "2": 1, "3": 1, "4": 2, "5": 2 }));
    assert_eq!(all["language"], json!({ "EN": 3, "EN-gb": 1, "de": 1, "en-US": 1, "fr": 1 }));
    assert_eq!(all["aspect"], json!({ "price": 1, "punctuality": 3, "unlisted": 1 }));
    let mut compared = 0;
    for condition in conditions {
        let counted = search(running, &format!("{condition}&facets={}", names.join(",")));
        for name in &names {
            let others = condition.split('&').filter(|it| it.split('=').next() != Some(*name));
            let others = others.collect::<Vec<_>>().join("&");
            for value in all[name].as_object().unwrap().keys() {
                let value = contract::query::encoded(value);
                let left = search(running, &format!("{others}&{name}={value}"))["matched"].clone();
                let counted = counted["facets"][name].get(&value).cloned().unwrap_or(json!(0));
                assert_eq!(counted, left, "{condition}: {name}={value}");
                compared += usize::from(left != 0);
            }
        }
    }
    assert!(compared > 100, "{compared}");
    assert_eq!(search(running, "q=filter").get("facets"), None);
}

#[test]
fn words_are_whole() {
    assert_finds(&[
        ("words=filter", &[6]),
        ("words=ON+time", &[5, 3]),
        ("words=a", &[5]),
        ("words=brulee:+-luft&q=cr", &[1]),
        ("words=-filter+-left", &[7, 5, 4, 3, 1]),
        ("words=%22on+time%22", &[3]),
        ("words=24/7", &[6]),
    ]);
}

#[test]
fn sort_is_by_day_or_by_stars_and_then_newest_first() {
    assert_finds(&[
        ("sort=newest", &[7, 6, 5, 4, 3, 2, 1]),
        ("sort=oldest", &[1, 2, 3, 4, 5, 6, 7]),
        ("sort=highest", &[5, 3, 6, 1, 7, 2, 4]),
        ("sort=lowest", &[4, 2, 7, 6, 1, 5, 3]),
        ("sort=highest&q=filter", &[3, 6, 4]),
        ("sort=", &[7, 6, 5, 4, 3, 2, 1]),
    ]);
}

#[test]
fn a_cursor_leads_on_in_every_order_though_its_review_is_withdrawn() {
    for (sort, first, rest) in [
        ("oldest", [1, 2], &[3, 4, 5, 6, 7][..]),
        ("highest", [5, 3], &[6, 1, 7, 2, 4]),
        ("lowest", [4, 2], &[7, 6, 1, 5, 3]),
    ] {
        let mut site = site();
        let running = Running::start(&site);
        let page = search(&running, &format!("sort={sort}&limit=2"));
        let numbers = |page: &Value| -> Vec<u32> {
            page["reviews"].as_array().unwrap().iter().map(number).collect()
        };
        assert_eq!(numbers(&page), first, "{sort}");
        let next = format!("sort={sort}&cursor={}", page["next_cursor"].as_str().unwrap());
        assert_eq!(numbers(&search(&running, &next)), rest, "{sort}");
        let withdrawn = first[1];
        let published: Value = serde_json::from_slice(site.bytes("reviews.json")).unwrap();
        let left: Vec<Value> = published["reviews"].as_array().unwrap().clone();
        let left: Vec<Value> =
            left.into_iter().filter(|review| number(review) != withdrawn).collect();
        site.set("reviews.json", document(&json!({}), &left));
        site.later_by(1);
        site.publish();
        crate::eventually("the withdrawal", || search(&running, "")["matched"] == 6);
        assert_eq!(numbers(&search(&running, &next)), rest, "{sort}");
    }
}

#[test]
fn source_is_that_of_the_review_in_any_case() {
    assert_finds(&[
        ("source=yelp", &[5, 2]),
        ("source=GOOGLE&rating=4", &[6, 1]),
        ("source=unknown", &[]),
    ]);
}

#[test]
fn language_is_a_tag_or_its_first_subtags() {
    assert_finds(&[
        ("language=en", &[5, 3, 2]),
        ("language=EN-us", &[2]),
        ("language=de", &[4]),
        ("language=e", &[]),
        ("language=en-US-x", &[]),
    ]);
}

#[test]
fn has_reply_is_whether_the_owner_replied() {
    assert_finds(&[("has_reply=true", &[6, 3, 1]), ("has_reply=false", &[7, 5, 4, 2])]);
}

#[test]
fn aspect_is_an_id_or_a_label_in_any_case() {
    assert_finds(&[
        ("aspect=punctuality", &[4, 3, 2]),
        ("aspect=BEING+on+time", &[4, 3, 2]),
        ("aspect=price", &[3]),
        ("aspect=unlisted", &[5]),
        ("aspect=unknown", &[]),
    ]);
}

#[test]
fn sentiment_is_of_the_review_and_with_an_aspect_of_that_aspect() {
    assert_finds(&[
        ("sentiment=negative", &[4, 2]),
        ("sentiment=mixed", &[5]),
        ("sentiment=neutral", &[]),
        ("aspect=punctuality&sentiment=negative", &[4, 2]),
        ("aspect=punctuality&sentiment=neutral", &[2]),
        ("aspect=price&sentiment=negative", &[3]),
        ("aspect=price&sentiment=mixed", &[]),
        ("sentiment=negative&aspect=being+on+time&sort=lowest&has_reply=false&q=late", &[2]),
    ]);
}

#[test]
fn last_modified_is_left_out_where_the_insights_decide() {
    let site = site();
    let running = Running::start(&site);
    for (query, expected) in [
        ("q=filter&sort=highest&source=google&language=en&has_reply=true", true),
        ("aspect=price", false),
        ("sentiment=mixed", false),
    ] {
        let answer = get(running.address, &format!("{PATH}?{query}"));
        assert_eq!(answer.field("last-modified").is_some(), expected, "{query}");
    }
}

#[test]
fn link_repeats_what_was_asked_in_the_order_of_the_table() {
    let site = site();
    let running = Running::start(&site);
    let answer = get(running.address, &format!("{PATH}?sort=lowest&limit=1&q=-%22a+b%22+filter"));
    let next = answer.json()["next_cursor"].as_str().unwrap().to_owned();
    let query = format!("q=-%22a%20b%22%20filter&sort=lowest&limit=1&cursor={next}");
    let link = format!("<https://shop.example{PATH}?{query}>; rel=\"next\"");
    assert_eq!(answer.field("link"), Some(link.as_str()));
    assert_eq!(search(&running, &query)["reviews"][0]["id"], id(6));
}
