//! Answers fit an agent's context: a tool's text stays under 64 KiB (contract section 6).

use serde_json::{Value, json};

use crate::{Running, Site, agent::Agent, get, listing::review, shop};

const MOST: usize = 64 * 1024;

fn of(texts: &[String]) -> Site {
    let reviews: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| review(at as u32 + 1, "2025-01-01", 5, Some(text)))
        .collect();
    let mut site = shop::site();
    site.set("reviews.json", shop::listing(&reviews));
    site.publish();
    site
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn as_many_reviews_as_fit_and_a_cursor_for_the_rest() {
    // Hidden characters are longer as they are written out than as they are published.
    let texts: Vec<_> = (0..100).map(|n| format!("{n} {}", "\u{202e}é".repeat(250))).collect();
    let site = of(&texts);
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let mut arguments = json!({ "limit": 100 });
    let mut seen = Vec::new();
    loop {
        let result = agent.call("search_reviews", arguments.clone());
        let page = &result["structuredContent"];
        let returned = page["reviews"].as_array().unwrap();
        assert!(text(&result).len() < MOST, "{}", text(&result).len());
        assert_eq!((&page["matched"], &page["returned"]), (&json!(100), &json!(returned.len())));
        // REST answers the same for as many.
        let query = match arguments["cursor"].as_str() {
            Some(cursor) => format!("limit={}&cursor={cursor}", returned.len()),
            None => format!("limit={}", returned.len()),
        };
        let rest = get(running.address, &format!("/api/reviews/search?{query}")).json();
        assert_eq!(*page, rest);
        seen.extend(returned.iter().map(|review| review["id"].clone()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        assert!(text(&result).len() > MOST / 2, "a page wastes its room");
        let hint = result["content"][1]["text"].as_str().unwrap();
        assert!(hint.ends_with(&format!("cursor \"{cursor}\".")), "{hint}");
        arguments["cursor"] = cursor.into();
    }
    assert_eq!(seen.len(), 100);
    seen.dedup();
    assert_eq!(seen.len(), 100);
}

#[test]
fn one_review_that_is_too_long_is_cut_and_says_where_the_whole_is() {
    let site = of(&["a".repeat(10), "é\u{200b}".repeat(100_000), "b".repeat(10)]);
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let id = crate::listing::id(2);
    for (tool, arguments) in
        [("search_reviews", json!({ "query": "é" })), ("get_review", json!({ "id": id }))]
    {
        let result = agent.call(tool, arguments);
        assert!(text(&result).len() < MOST, "{tool}");
        let data = &result["structuredContent"];
        assert_eq!(serde_json::from_str::<Value>(text(&result)).unwrap(), *data);
        let review = data.get("reviews").map_or(data, |reviews| &reviews[0]);
        assert_eq!((&review["truncated"], &review["id"]), (&json!(true), &json!(id)));
        assert_eq!(review["url"], format!("https://shop.example/reviews/#{id}"));
        let cut = review["text"].as_str().unwrap();
        assert!(cut.ends_with('…') && cut.len() > 1000, "{}", cut.len());
    }
    // The page goes on after the long one.
    let page = agent.data("search_reviews", json!({ "limit": 100 }));
    assert_eq!(
        (&page["returned"], &page["reviews"][0]["id"]),
        (&json!(1), &json!(crate::listing::id(3)))
    );
}

#[test]
fn other_long_answers_are_cut_too() {
    let mut insights = shop::insights();
    let entry = json!({ "id": "q", "question": "Q?", "answer": "a".repeat(2_000), "source": "owner", "review_ids": [] });
    insights["faq"] = Value::from(vec![entry; 100]);
    insights["summary"] = "s".repeat(200_000).into();
    let mut site = shop::site();
    site.set("insights.json", insights.to_string());
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for tool in ["get_faq", "get_summary"] {
        let result = agent.call(tool, json!({}));
        assert!(text(&result).len() < MOST, "{tool}: {}", text(&result).len());
        let data = &result["structuredContent"];
        assert_eq!(data["truncated"], true);
        assert_eq!(data["url"], "https://shop.example/insights.json");
    }
}

#[test]
fn the_default_page_is_twenty_reviews() {
    let texts: Vec<_> = (0..50).map(|n| format!("{n}")).collect();
    let site = of(&texts);
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for (tool, arguments) in
        [("search_reviews", json!({})), ("get_reviews_since", json!({ "date": "2025-01-01" }))]
    {
        assert_eq!(agent.data(tool, arguments)["returned"], 20, "{tool}");
    }
}
