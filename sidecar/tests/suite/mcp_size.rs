//! Answers fit an agent's context: a tool's text stays under 64 KiB (docs/mcp.md, "Tools").

use serde_json::{Value, json};

use crate::{
    Running, Site,
    agent::{Agent, Era, MCP, initialize, meta, post},
    get,
    listing::{as_tools_do, review},
    shop,
};

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
        assert_eq!(*page, as_tools_do(rest));
        seen.extend(returned.iter().map(|review| review["id"].clone()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        assert!(text(&result).len() > MOST / 2, "a page wastes its room");
        assert_eq!(result["content"].as_array().unwrap().len(), 1, "the cursor is not repeated");
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
        let url = review.get("url").unwrap_or(&data["review_url"]).as_str().unwrap();
        assert_eq!(url.replace("{id}", &id), format!("https://shop.example/reviews/#{id}"));
        let cut = review["text"].as_str().unwrap();
        assert!(cut.ends_with('…') && cut.len() > 1000, "{}", cut.len());
    }
    // The page continues after the long one.
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

/// Arguments that no tool has, each of another name.
fn unknown(count: usize) -> Value {
    (0..count).map(|n| (format!("k{n}"), Value::Null)).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn more_than_64_arguments_are_a_mistake_that_names_the_limit() {
    let site = shop::published();
    let running = Running::start(&site);
    for era in [Era::Session, Era::Stateless] {
        let agent = Agent::of(running.address, era);
        for tool in agent.ask("tools/list", json!({}))["tools"].as_array().unwrap() {
            let tool = tool["name"].as_str().unwrap();
            for count in [65, 70_000] {
                assert_eq!(
                    agent.mistake(tool, unknown(count)),
                    format!("A call of {tool} has at most 64 arguments, and this one has {count}.")
                );
            }
            let named = agent.mistake(tool, unknown(64));
            assert_eq!(named.matches("is not an argument of").count(), 10, "{named}");
        }
    }
}

/// Messages that hold `long` where a response could repeat it, and the header fields they need.
fn repeating(long: &str) -> Vec<(Value, Vec<(&'static str, String)>)> {
    let call = |name: &str, arguments: Value| {
        ("tools/call", json!({ "name": name, "arguments": arguments }))
    };
    let nested = json!([{ long: long }, long]);
    let mut requests = vec![
        ("tools/list", json!({ "cursor": long })),
        ("prompts/get", json!({ "name": long })),
        ("prompts/get", json!({ "name": "whats_new", "arguments": { long: long } })),
        ("prompts/get", json!({ "name": "whats_new", "arguments": { "since": long } })),
        ("resources/read", json!({ "uri": long })),
        ("resources/read", json!({ "uri": format!("candor://shop.example/review/{long}") })),
        (long, json!({})),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/prompt", "name": long },
                "argument": { "name": long, "value": long },
            }),
        ),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/resource", "uri": long },
                "argument": { "name": "id", "value": long },
            }),
        ),
        (
            "completion/complete",
            json!({
                "ref": { "type": long }, "argument": { "name": "id", "value": long },
            }),
        ),
        call(long, json!({})),
        call("get_review", json!({ "id": long })),
        call("get_review", json!({ "id": nested })),
        call("get_aspect_sentiment", json!({ "aspect": long })),
        call("get_technician", json!({ "technician": nested })),
        call("get_faq", json!({ "query": long })),
        call("get_changes", json!({ "since": long, "cursor": nested })),
        call("get_reviews_since", json!({ "date": long, "cursor": long })),
    ];
    // With all of them the message has less than a mebibyte.
    let part = &long[..long.len() / 20];
    let known =
        contract::query::SEARCH.iter().map(|parameter| (parameter.name.to_owned(), json!([part])));
    let mut arguments: serde_json::Map<_, _> = known.collect();
    arguments.extend((0..40).map(|n| (format!("{n}{part}"), Value::Null)));
    arguments["rating"] = nested;
    requests.push(call("search_reviews", arguments.into()));
    let of = |(method, params): (&str, Value)| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut messages: Vec<_> = requests.into_iter().map(|it| (of(it), Vec::new())).collect();
    let mut other = meta();
    other["io.modelcontextprotocol/protocolVersion"] = long.into();
    other["progressToken"] = long.into();
    other[long] = long.into();
    let field = &long[..long.len().min(20_000)];
    let version = || ("MCP-Protocol-Version", field.to_owned());
    messages.push((of(("tools/list", json!({ "_meta": other }))), vec![version()]));
    messages.push((of(("tools/list", json!({ "_meta": meta() }))), vec![version()]));
    messages.push((of(("tools/list", json!({}))), vec![version()]));
    messages.push((of(("tools/list", json!({}))), vec![("Origin", field.to_owned())]));
    messages.push((of(("tools/list", json!({}))), vec![("Mcp-Session-Id", field.to_owned())]));
    let named = vec![
        ("MCP-Protocol-Version", crate::agent::STATELESS.to_owned()),
        ("Mcp-Method", field.to_owned()),
        ("Mcp-Name", field.to_owned()),
    ];
    messages.push((of(("tools/call", json!({ "name": "get_faq", "_meta": meta() }))), named));
    messages.push((json!({ "jsonrpc": "2.0", "id": long, "method": "ping" }), Vec::new()));
    messages.push((json!({ "jsonrpc": long, "id": 1, "method": "ping" }), Vec::new()));
    messages.push((json!(long), Vec::new()));
    let mut hello: Value = serde_json::from_str(&initialize("2025-06-18")).unwrap();
    hello["params"]["protocolVersion"] = long.into();
    messages.push((hello.clone(), Vec::new()));
    messages.push((hello, vec![version()]));
    messages
}

#[test]
fn no_refusal_repeats_a_value_at_any_length() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for long in ["x".repeat(70_000), "\u{1}\"\u{202e}".repeat(10_000)] {
        for (message, fields) in repeating(&long) {
            let mut request = post(message.to_string());
            if !fields.iter().any(|(name, _)| *name == "Mcp-Session-Id") {
                request = request.with("Mcp-Session-Id", &agent.session);
            }
            // A field has no control characters.
            for (name, value) in fields {
                request = request.with(name, value.replace(|c: char| !c.is_ascii_graphic(), "x"));
            }
            let answer = request.send(running.address);
            let shown: String = answer.text().chars().take(300).collect();
            assert!(answer.body.len() <= MOST, "{} bytes: {shown}", answer.body.len());
            assert!(answer.status < 500, "{shown}");
        }
    }
    let host = post("{}").host(&"x".repeat(20_000)).send(running.address);
    assert!(host.status == 403 && host.body.len() < 1_000, "{}", host.text());
    let method = crate::Request::new("DELETE", MCP).host(&"x".repeat(20_000)).send(running.address);
    assert!(method.status == 403 && method.body.len() < 1_000, "{}", method.text());
}

#[test]
fn the_responses_of_a_batch_are_bounded_together() {
    let texts: Vec<_> = (0..100).map(|n| format!("{n} {}", "é".repeat(400))).collect();
    let mut site = of(&texts);
    site.set("insights.json", json!({ "summary": "s".repeat(4 * 1024 * 1024) }).to_string());
    site.publish();
    let running = Running::start(&site);
    let opened = post(initialize("2025-03-26")).send(running.address);
    let session = opened.field("mcp-session-id").unwrap();
    let batch = |method: &str, params: Value| {
        let message =
            |id: usize| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let batch = Value::from((0..16).map(message).collect::<Vec<_>>());
        let answer = post(batch.to_string()).with("Mcp-Session-Id", session).send(running.address);
        let responses = answer.json().as_array().unwrap().clone();
        assert!(
            responses.iter().map(|it| &it["id"]).eq(&(0..16).map(Value::from).collect::<Vec<_>>())
        );
        let longest = responses.iter().map(|it| it.to_string().len()).max().unwrap();
        (answer.body.len(), longest, responses)
    };
    let page = json!({ "name": "search_reviews", "arguments": { "limit": 100 } });
    let resource = json!({ "uri": "https://shop.example/insights.json" });
    for (method, params) in [("tools/call", page), ("resources/read", resource)] {
        let (length, longest, responses) = batch(method, params);
        assert!(length < 256 * 1024 + longest + 16 * 300, "{method}: {length} bytes");
        assert!(responses[0]["result"].is_object());
        assert_eq!(
            responses[15]["error"],
            json!({
                "code": -32600,
                "message": "The responses before this one have more than 262144 bytes: send the \
                            request in a batch of its own.",
            })
        );
    }
    let (_, _, responses) = batch("tools/call", json!({ "name": "get_business" }));
    assert!(responses.iter().all(|response| response["result"].is_object()));
}
