//! `GET /api/reviews/search`: every row of docs/api.md, "GET /api/reviews/search".

use serde_json::{Value, json};

use crate::{
    Answer, Request, Running, Site, get,
    listing::{business, document, id, mentioning, review},
};

const PATH: &str = "/api/reviews/search";

/// Six reviews, numbered so that the newest has the highest number.
fn site() -> Site {
    let text = |n, date, rating, text| review(n, date, rating, Some(text));
    let reviews = [
        mentioning(text(1, "2024-12-31", 5, "Clean work, on time."), &["Maria López"], &["drains"]),
        mentioning(text(2, "2025-01-01", 4, "Große Straße."), &["Jo Straßer"], &["heaters"]),
        mentioning(text(3, "2025-01-01", 1, "Not clean; came late. 100% no"), &["Sam Lee"], &[]),
        mentioning(text(4, "2025-01-02", 3, "a b  c"), &["Sam Lee"], &["drains", "heaters"]),
        review(5, "2025-02-28", 5, None),
        mentioning(text(6, "2025-03-01", 2, "Café CLEANED"), &["Gone Person"], &["retired"]),
    ];
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&business(), &reviews));
    let technicians = |names: &[&str]| json!({ "technicians": names });
    site.set(
        "insights.json",
        json!({ "per_review": {
            id(1): technicians(&["maria"]), id(3): technicians(&["sam-1"]),
            id(4): technicians(&["sam-1", "sam-2"]),
        } })
        .to_string(),
    );
    site.publish();
    site
}

pub(crate) fn search(running: &Running, query: &str) -> Value {
    let answer = get(running.address, &format!("{PATH}?{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

/// The numbers of the reviews found, which must be all of them.
pub(crate) fn found(running: &Running, query: &str) -> Vec<u32> {
    let answer = search(running, query);
    let reviews = answer["reviews"].as_array().unwrap();
    assert_eq!(answer["matched"], reviews.len(), "{query}");
    assert_eq!(answer["returned"], reviews.len(), "{query}");
    assert_eq!(answer["next_cursor"], Value::Null, "{query}");
    reviews.iter().map(number).collect()
}

pub(crate) fn number(review: &Value) -> u32 {
    let number = (1..100).find(|n| review["id"] == id(*n));
    number.unwrap()
}

fn assert_finds(rows: &[(&str, &[u32])]) {
    let site = site();
    let running = Running::start(&site);
    for (query, expected) in rows {
        assert_eq!(found(&running, query), *expected, "{query}");
    }
}

#[test]
fn without_parameters_everything_newest_first() {
    assert_finds(&[("", &[6, 5, 4, 3, 2, 1])]);
}

#[test]
fn rating_is_exact() {
    assert_finds(&[("rating=5", &[5, 1]), ("rating=1", &[3])]);
}

#[test]
fn min_rating_is_inclusive_and_may_be_a_fraction() {
    assert_finds(&[
        ("min_rating=4", &[5, 2, 1]),
        ("min_rating=3.5", &[5, 2, 1]),
        ("min_rating=4.01", &[5, 1]),
        ("min_rating=1", &[6, 5, 4, 3, 2, 1]),
        ("min_rating=5e0", &[5, 1]),
    ]);
}

#[test]
fn since_and_until_are_inclusive() {
    assert_finds(&[
        ("since=2025-02-28", &[6, 5]),
        ("until=2025-01-01", &[3, 2, 1]),
        ("since=2025-01-01&until=2025-01-01", &[3, 2]),
        ("since=9999-12-31", &[]),
        ("until=0001-01-01", &[]),
    ]);
}

#[test]
fn query_is_a_substring_under_full_case_folding() {
    assert_finds(&[
        ("query=CLEAN", &[6, 3, 1]),
        ("query=STRASSE", &[2]),
        ("query=gro%C3%9Fe", &[2]),
        ("query=GROSSE", &[2]),
        ("query=cafe%CC%81", &[6]),
        ("query=cafe", &[]),
        ("query=100%25", &[3]),
        ("query=ime.", &[1]),
    ]);
}

#[test]
fn query_is_never_trimmed() {
    assert_finds(&[
        ("query=+clean", &[6, 3]),
        ("query=clean+", &[1]),
        ("query=b++c", &[4]),
        ("query=b+c", &[]),
        ("query=++", &[4]),
    ]);
}

#[test]
fn plus_and_percent_20_both_mean_a_space() {
    assert_finds(&[("query=on+time", &[1]), ("query=on%20time", &[1]), ("query=on%2Btime", &[])]);
}

#[test]
fn mentions_technician_is_a_name_or_an_id_in_any_case() {
    assert_finds(&[
        ("mentions_technician=maria+L%C3%93PEZ", &[1]),
        ("mentions_technician=MARIA", &[1]),
        ("mentions_technician=jo+STRASSER", &[2]),
        ("mentions_technician=gone+person", &[6]),
    ]);
}

#[test]
fn technicians_of_one_name_are_told_apart_by_their_ids() {
    assert_finds(&[
        ("mentions_technician=sam+lee", &[]),
        ("mentions_technician=sam-1", &[4, 3]),
        ("mentions_technician=sam-2", &[4]),
    ]);
}

#[test]
fn mentions_service_is_an_id_or_a_label_in_any_case() {
    assert_finds(&[
        ("mentions_service=DRAINS", &[4, 1]),
        ("mentions_service=drain%20cleaning", &[4, 1]),
        ("mentions_service=water+heaters", &[4, 2]),
        ("mentions_service=retired", &[6]),
    ]);
}

#[test]
fn an_unknown_technician_or_service_is_no_error() {
    assert_finds(&[
        ("mentions_technician=nobody", &[]),
        ("mentions_service=nothing", &[]),
        ("mentions_technician=+maria", &[]),
    ]);
}

#[test]
fn filters_combine_with_and() {
    assert_finds(&[
        ("query=clean&rating=1", &[3]),
        ("query=clean&min_rating=2&until=2024-12-31", &[1]),
        ("mentions_technician=sam-2&mentions_service=drains", &[4]),
        ("rating=5&min_rating=4&since=2025-01-01", &[5]),
        (
            "rating=5&min_rating=5&since=2024-01-01&until=2024-12-31&query=on+time\
             &mentions_technician=maria&mentions_service=drains",
            &[1],
        ),
    ]);
}

#[test]
fn what_nothing_can_meet_is_an_empty_answer() {
    assert_finds(&[("since=2025-01-02&until=2025-01-01", &[]), ("rating=1&min_rating=5", &[])]);
}

#[test]
fn an_empty_value_means_absent() {
    assert_finds(&[(
        "rating=&min_rating=&since=&until=&query=&mentions_technician=&mentions_service&limit=&cursor=",
        &[6, 5, 4, 3, 2, 1],
    )]);
}

#[test]
fn limit_is_20_unless_given() {
    let reviews: Vec<_> = (1..=120).map(|n| review(n, "2025-01-01", 5, None)).collect();
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&json!({}), &reviews));
    site.publish();
    let running = Running::start(&site);
    for (query, returned) in [("", 20), ("limit=1", 1), ("limit=100", 100)] {
        let answer = search(&running, query);
        let reviews = answer["reviews"].as_array().unwrap().len();
        assert_eq!((reviews, &answer["returned"]), (returned, &returned.into()), "{query}");
        assert_eq!(answer["matched"], 120);
    }
}

#[test]
fn cursor_leads_to_the_next_page_and_matched_ignores_it() {
    let site = site();
    let running = Running::start(&site);
    let mut query = "limit=4".to_owned();
    let mut numbers = Vec::new();
    for returned in [4, 2] {
        let answer = search(&running, &query);
        assert_eq!((&answer["matched"], &answer["returned"]), (&6.into(), &returned.into()));
        numbers.extend(answer["reviews"].as_array().unwrap().iter().map(number));
        // The number of reviews may change from page to page.
        query = match answer["next_cursor"].as_str() {
            Some(next) => format!("limit=3&cursor={next}"),
            None => String::new(),
        };
    }
    assert_eq!((numbers, query), (vec![6, 5, 4, 3, 2, 1], String::new()));
}

#[test]
fn a_cursor_stays_good_when_its_review_is_withdrawn() {
    let mut site = site();
    let running = Running::start(&site);
    let first = search(&running, "limit=2");
    let cursor = first["next_cursor"].as_str().unwrap().to_owned();
    let left = [review(7, "2025-03-02", 5, None), review(1, "2024-12-31", 5, None)];
    site.set("reviews.json", document(&json!({}), &left));
    site.later_by(1);
    site.publish();
    crate::eventually("the withdrawal", || search(&running, "")["matched"] == 2);
    assert_eq!(search(&running, &format!("cursor={cursor}"))["reviews"][0]["id"], id(1));
}

#[test]
fn the_keys_come_in_the_order_of_the_contract() {
    let site = site();
    let running = Running::start(&site);
    let text = get(running.address, &format!("{PATH}?rating=1&b=1&a=2&b=3&rating%20=1"));
    assert!(
        text.text()
            .starts_with("{\"matched\":1,\"returned\":1,\"next_cursor\":null,\"reviews\":[\n{")
    );
    assert!(
        text.text().ends_with("}],\"ignored\":[\"b\",\"a\",\"rating \"]}\n"),
        "{}",
        text.text()
    );
    let none = get(running.address, &format!("{PATH}?since=2030-01-01"));
    assert_eq!(
        none.text(),
        "{\"matched\":0,\"returned\":0,\"next_cursor\":null,\"reviews\":[\n]}\n"
    );
}

#[test]
fn reviews_are_the_published_bytes() {
    let site = site();
    let running = Running::start(&site);
    let published = std::str::from_utf8(site.bytes("reviews.json")).unwrap();
    let (_, reviews) = published.split_once("\"reviews\":[").unwrap();
    let answer = get(running.address, PATH);
    let (_, sent) = answer.text().split_once("\"reviews\":[").unwrap();
    assert_eq!(sent, reviews);
}

#[test]
fn link_names_the_next_page_with_the_same_parameters() {
    let site = site();
    let running = Running::start(&site);
    let answer = get(running.address, &format!("{PATH}?x=1&query=CL%45AN&limit=1&rating="));
    let next = answer.json()["next_cursor"].as_str().unwrap().to_owned();
    let url = format!("https://shop.example{PATH}?query=CLEAN&limit=1&cursor={next}");
    assert_eq!(answer.field("link"), Some(format!("<{url}>; rel=\"next\"").as_str()));
    let second = get(running.address, &url["https://shop.example".len()..]);
    assert_eq!(second.json()["reviews"][0]["id"], id(3));
    let last = get(running.address, &format!("{PATH}?query=clean&limit=100"));
    assert_eq!(last.field("link"), None);
}

#[test]
fn each_coding_has_its_own_bytes_and_tag() {
    let site = site();
    let running = Running::start(&site);
    let plain = get(running.address, PATH);
    assert_eq!(plain.field("vary"), Some("Accept-Encoding"));
    let mut tags = vec![plain.field("etag").unwrap().to_owned()];
    for coding in ["gzip", "br"] {
        let answer = Request::get(PATH).with("Accept-Encoding", coding).send(running.address);
        assert_eq!(answer.field("content-encoding"), Some(coding));
        assert_eq!(decoded(coding, &answer.body), plain.body);
        let head = Request::new("HEAD", PATH).with("Accept-Encoding", coding);
        let head = head.send(running.address);
        assert_eq!(head.field("content-length"), answer.field("content-length"));
        tags.push(answer.field("etag").unwrap().to_owned());
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3);
}

/// What the bytes of a coding say.
pub(crate) fn decoded(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    match coding {
        "gzip" => drop(std::io::copy(&mut flate2::read::GzDecoder::new(bytes), &mut decoded)),
        "br" => drop(brotli::BrotliDecompress(&mut { bytes }, &mut decoded)),
        _ => decoded.extend(bytes),
    }
    decoded
}

#[test]
fn the_tag_follows_what_the_answer_says() {
    let site = site();
    let running = Running::start(&site);
    let tag = |query: &str| {
        let answer: Answer = get(running.address, &format!("{PATH}?{query}"));
        answer.field("etag").unwrap().to_owned()
    };
    assert_eq!(tag("rating=1"), tag("rating=1&limit=50"));
    assert_ne!(tag("rating=1"), tag("rating=1&x=1"));
    assert_ne!(tag("limit=2"), tag("limit=3"));
    assert_ne!(tag("query=clean&limit=1"), tag("rating=2&limit=1"));
    assert_ne!(tag("rating=1"), tag("rating=2"));
}

#[test]
fn last_modified_is_that_of_the_reviews_where_they_alone_decide() {
    let site = site();
    let running = Running::start(&site);
    let answer = get(running.address, &format!("{PATH}?rating=1"));
    assert_eq!(answer.field("last-modified"), Some(crate::site::MODIFIED));
    let answer = get(running.address, &format!("{PATH}?mentions_technician=sam-2"));
    assert_eq!(answer.field("last-modified"), None);
}
