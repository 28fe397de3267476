//! Tool calls are answered alike with the SDK and without.

use serde_json::{Value, json};

use crate::{
    Running, Site,
    agent::{Agent, Era},
    listing::{id, review},
    running::config,
    shop,
};

/// A site with hidden characters, long texts and everything else.
fn site() -> Site {
    let mut reviews = shop::reviews();
    reviews.push(review(7, "2025-03-02", 5, Some("\u{202e}\"\\\u{e0041}\n\u{2028}")));
    reviews.push(review(8, "2025-03-03", 5, Some(&"long ".repeat(20_000))));
    let mut site = shop::site();
    site.set("reviews.json", shop::listing(&reviews));
    site.publish();
    site
}

fn calls() -> Vec<Value> {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let mut calls: Vec<_> = contract::mcp::TOOLS
        .iter()
        .flat_map(|tool| {
            [
                call(tool.name.as_str(), json!({})),
                call(tool.name.as_str(), json!({ "x": 1 })),
                json!({ "name": tool.name.as_str() }),
            ]
        })
        .collect();
    calls.extend([
        call("search_reviews", json!({ "limit": 1 })),
        call("search_reviews", json!({ "query": "long" })),
        call("search_reviews", json!({ "rating": 5.0, "until": "2025-03-02" })),
        call("search_reviews", json!({ "mentions_technician": "nobody" })),
        call("search_reviews", json!({ "rating": "5" })),
        call("get_reviews_since", json!({ "date": "2025-01-01", "limit": 3 })),
        call("get_review", json!({ "id": id(7) })),
        call("get_review", json!({ "id": id(8) })),
        call("get_changes", json!({ "limit": 2 })),
        call("get_technician", json!({ "technician": "Maria" })),
        call("get_service", json!({ "service": "drains" })),
        call("get_aspect_sentiment", json!({ "aspect": "punctuality" })),
        call("get_faq", json!({ "query": "night" })),
        json!({ "name": "get_faq", "arguments": null }),
        json!({ "name": "get_faq", "_meta": { "progressToken": 7 } }),
        json!({ "name": "get_faq", "other": true }),
        json!({ "name": "get_faq", "arguments": [] }),
        json!({ "name": "no_tool" }),
        json!({}),
    ]);
    calls
}

#[test]
fn every_call_has_one_answer_whichever_way_it_takes() {
    let (site, other) = (site(), site());
    let direct = Running::start(&site);
    let mut config = config(&other);
    config.mcp.direct = false;
    let by_the_sdk = Running::start_with(config);
    for era in [Era::Session, Era::Stateless] {
        let agents = [&direct, &by_the_sdk].map(|running| Agent::of(running.address, era));
        for params in calls() {
            let [one, two] =
                agents.each_ref().map(|agent| agent.send("tools/call", params.clone()));
            assert_eq!(one.status, two.status, "{era:?} {params}");
            assert_eq!(one.json(), two.json(), "{era:?} {params}");
            for name in ["content-type", "cache-control", "mcp-session-id"] {
                assert_eq!(one.field(name), two.field(name), "{era:?} {params}");
            }
        }
    }
}

#[test]
fn ids_come_back_as_they_were_sent() {
    let (site, other) = (site(), site());
    let direct = Running::start(&site);
    let mut config = config(&other);
    config.mcp.direct = false;
    let by_the_sdk = Running::start_with(config);
    for id in ["0", "-7", "9007199254740993", "\"a\"", "\"\"", "\"\\u00e9\\\"\""] {
        for running in [&direct, &by_the_sdk] {
            let agent = Agent::new(running);
            let body = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools\\/call\",\"params\":{{\"name\":\"get_faq\"}}}}"
            );
            let answer = crate::agent::post(body).with("Mcp-Session-Id", &agent.session);
            let answer = answer.send(running.address);
            let sent: Value = serde_json::from_str(id).unwrap();
            assert_eq!((answer.status, &answer.json()["id"]), (200, &sent), "{id}");
        }
    }
}
