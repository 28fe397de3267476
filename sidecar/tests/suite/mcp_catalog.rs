//! What agents are offered: tools, resources, prompts, completions, instructions (docs/mcp.md,
//! "Tools").

use serde_json::{Value, json};

use crate::{
    Running,
    agent::{Agent, Era},
    eventually,
    listing::id,
    shop,
};

#[test]
fn tools_are_read_only_titled_and_described_with_examples_of_the_site() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let listed = agent.ask("tools/list", json!({}));
    let tools = listed["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "get_business",
            "search_reviews",
            "get_reviews_since",
            "get_review",
            "get_changes",
            "list_aspects",
            "get_aspect_sentiment",
            "get_technician",
            "get_service",
            "list_topics",
            "get_faq",
            "get_summary",
            "search",
            "fetch",
        ]
    );
    for tool in tools {
        let title = tool["title"].as_str().unwrap();
        assert_eq!(
            tool["annotations"],
            json!({
                "title": title, "readOnlyHint": true, "destructiveHint": false,
                "openWorldHint": false,
            })
        );
        assert_eq!(tool["_meta"], json!({ "anthropic/maxResultSizeChars": 131_070 }));
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert_eq!(tool.get("outputSchema"), None, "they are in /schemas/tools.json");
    }
    let example = |tool: &str, argument: &str| {
        let tool = tools.iter().find(|found| found["name"] == tool).unwrap();
        let property = &tool["inputSchema"]["properties"][argument];
        property["examples"][0].clone()
    };
    assert_eq!(example("search_reviews", "mentions_technician"), "maria");
    assert_eq!(example("search_reviews", "mentions_service"), "drains");
    assert_eq!(example("search_reviews", "since"), "2025-01-01");
    assert_eq!(example("search_reviews", "rating"), 5);
    assert_eq!(example("get_review", "id"), id(6));
    assert_eq!(example("get_changes", "since"), "2025-01-01");
    // The question, not the text of a review.
    assert_eq!(example("get_faq", "query"), "visit");
    let tool = |name: &str| tools.iter().find(|found| found["name"] == name).unwrap();
    let said = tool("get_faq")["description"].as_str().unwrap_or_default();
    assert!(said.contains("`owner`") && said.contains("`computed`"), "whose answer: {said}");
    let technicians = &tools[1]["inputSchema"]["properties"]["mentions_technician"]["examples"];
    assert_eq!(*technicians, json!(["maria", "jo", "sam-1"]));
    assert_eq!(example("get_aspect_sentiment", "aspect"), "punctuality");
    assert_eq!(agent.ask("tools/list", json!({})), listed);
}

#[test]
fn who_the_server_is_is_the_sites_own() {
    let site = shop::published();
    let running = Running::start(&site);
    let stateless = Agent::of(running.address, Era::Stateless);
    let discovered = stateless.ask("server/discover", json!({}));
    let info = json!({
        "name": "example.shop/reviews", "title": "Reviews of Acme Plumbing", "version": "1.0.0",
        "description": "All published reviews of Acme Plumbing.",
        "websiteUrl": "https://shop.example/",
    });
    assert_eq!(discovered["_meta"]["io.modelcontextprotocol/serverInfo"], info);
    assert_eq!(
        discovered["supportedVersions"],
        json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    );
    let capabilities = json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} });
    assert_eq!(discovered["capabilities"], capabilities);
    let body = crate::agent::initialize("2025-06-18");
    let opened = crate::agent::post(body).send(running.address).json()["result"].take();
    assert_eq!((&opened["serverInfo"], &opened["capabilities"]), (&info, &capabilities));
    assert_eq!(opened["instructions"], discovered["instructions"]);
    let instructions = opened["instructions"].as_str().unwrap();
    let begin = "All published reviews of Acme Plumbing (Plumber in Tilla, IL): 6 reviews, \
                 3.33 of 5 stars on average. get_business has";
    assert!(instructions.starts_with(begin), "{instructions}");
    for tool in contract::mcp::TOOLS.iter().filter(|tool| tool.is_offered(false)) {
        assert!(instructions.contains(tool.name.as_str()), "{}", tool.name);
    }
    assert!(!instructions.contains('\n'), "one paragraph");
}

#[test]
fn answers_of_the_stateless_era_say_how_long_they_may_be_kept() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::of(running.address, Era::Stateless);
    for (method, params, ttl) in [
        ("server/discover", json!({}), 300_000),
        ("tools/list", json!({}), 300_000),
        ("prompts/list", json!({}), 300_000),
        ("resources/list", json!({}), 60_000),
        ("resources/templates/list", json!({}), 300_000),
        ("resources/read", json!({ "uri": "https://shop.example/llms.txt" }), 60_000),
    ] {
        let result = agent.ask(method, params);
        let found = (&result["ttlMs"], &result["cacheScope"], &result["resultType"]);
        assert_eq!(found, (&json!(ttl), &json!("public"), &json!("complete")), "{method}");
    }
    let called = agent.call("get_faq", json!({}));
    assert_eq!((&called["resultType"], called.get("ttlMs")), (&json!("complete"), None));
    let session = Agent::new(&running);
    assert_eq!(session.call("get_faq", json!({})).get("resultType"), None);
}

#[test]
fn cursors_of_lists_that_have_one_page_are_refused() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        assert_eq!(agent.ask(method, json!({})).get("nextCursor"), None, "{method}");
        let error = agent.fail(method, json!({ "cursor": "x" }));
        let message = "The cursor is none of this list: leave it out to begin anew.";
        assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!(message)));
    }
}

#[test]
fn resources_are_the_published_documents_whole() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let listed = agent.ask("resources/list", json!({}))["resources"].take();
    let listed = listed.as_array().unwrap();
    let names: Vec<_> = listed.iter().map(|resource| resource["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["reviews.json", "insights.json", "changes.json", "llms.txt"]);
    for resource in listed {
        let name = resource["name"].as_str().unwrap();
        assert_eq!(resource["uri"], format!("https://shop.example/{name}"));
        assert_eq!(resource["size"], site.bytes(name).len());
        let read = agent.ask("resources/read", json!({ "uri": resource["uri"] }));
        let contents = &read["contents"][0];
        assert_eq!(contents["text"].as_str().unwrap().as_bytes(), site.bytes(name));
        assert_eq!(contents["mimeType"], resource["mimeType"]);
        assert_eq!(contents["uri"], resource["uri"]);
    }
}

#[test]
fn only_what_is_published_is_a_resource() {
    let mut site = shop::site();
    site.unset("llms.txt");
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let count = || agent.ask("resources/list", json!({}))["resources"].as_array().unwrap().len();
    assert_eq!(count(), 3);
    site.set("llms.txt", "# Acme\n");
    site.later_by(1);
    site.publish();
    eventually("llms.txt", || count() == 4);
}

#[test]
fn a_review_is_a_resource_by_its_id() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let templates = agent.ask("resources/templates/list", json!({}));
    let template = templates["resourceTemplates"][0]["uriTemplate"].as_str().unwrap();
    assert_eq!(template, "candor://shop.example/review/{id}");
    for id in [id(3), id(3).to_lowercase()] {
        let uri = template.replace("{id}", &id);
        let read = agent.ask("resources/read", json!({ "uri": uri }));
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), shop::reviews()[2]);
    }
}

#[test]
fn an_unknown_resource_is_not_found_in_each_eras_way() {
    let site = shop::published();
    let running = Running::start(&site);
    for (era, code) in [(Era::Session, -32002), (Era::Stateless, -32602)] {
        let agent = Agent::of(running.address, era);
        for uri in
            ["https://shop.example/x", "file:///etc/passwd", "candor://shop.example/review/x"]
        {
            let error = agent.fail("resources/read", json!({ "uri": uri }));
            let message = format!(
                "There is no resource {uri:?}. There are https://shop.example/reviews.json, \
                 https://shop.example/insights.json, https://shop.example/changes.json, \
                 https://shop.example/llms.txt and candor://shop.example/review/{{id}}."
            );
            assert_eq!((&error["code"], &error["message"]), (&json!(code), &json!(message)));
            assert_eq!(error["data"]["uri"], uri);
        }
    }
}

#[test]
fn prompts_are_filled_in() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let listed = agent.ask("prompts/list", json!({}));
    let names: Vec<_> =
        listed["prompts"].as_array().unwrap().iter().map(|p| p["name"].clone()).collect();
    assert_eq!(names, ["should_i_hire", "technician_feedback", "whats_new"]);
    let text = |name: &str, arguments: Value| {
        let result = agent.ask("prompts/get", json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["messages"][0]["role"], "user");
        result["messages"][0]["content"]["text"].as_str().unwrap().to_owned()
    };
    let hire = text("should_i_hire", json!({ "service": "drains" }));
    assert!(hire.starts_with("Should I hire Acme Plumbing?") && hire.contains("\"drains\""));
    assert!(!text("should_i_hire", json!({})).contains("get_service"));
    assert!(text("technician_feedback", json!({ "technician": "maria" })).contains("\"maria\""));
    assert!(text("whats_new", json!({ "since": "2025-01-01" })).contains("\"2025-01-01\""));
    for (name, arguments, message) in [
        (
            "x",
            json!({}),
            "There is no prompt \"x\". There are should_i_hire, technician_feedback, whats_new.",
        ),
        ("whats_new", json!({}), "since is required: The day to begin with, YYYY-MM-DD."),
        ("whats_new", json!({ "since": 3 }), "since must be text."),
        (
            "whats_new",
            json!({ "since": "x".repeat(201) }),
            "since must be text of at most 200 characters.",
        ),
        (
            "whats_new",
            json!({ "since": "2025-01-01", "x": "" }),
            "\"x\" is not an argument of whats_new; its arguments are since.",
        ),
    ] {
        let error = agent.fail("prompts/get", json!({ "name": name, "arguments": arguments }));
        assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!(message)));
    }
}

#[test]
fn completions_for_technicians_services_aspects_and_ids() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let complete = |of: Value, argument: &str, value: &str| {
        let argument = json!({ "name": argument, "value": value });
        agent.ask("completion/complete", json!({ "ref": of, "argument": argument }))["completion"]
            .take()
    };
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    let all = complete(prompt("technician_feedback"), "technician", "");
    assert_eq!(
        all,
        json!({
            "values": ["maria", "jo", "sam-1", "sam-2", "Gone Person"],
            "total": 5, "hasMore": false,
        })
    );
    for (name, argument, value, found) in [
        ("technician_feedback", "technician", "SAM", json!(["sam-1", "sam-2"])),
        ("technician_feedback", "technician", "maria lóp", json!(["maria"])),
        ("technician_feedback", "technician", "x", json!([])),
        ("should_i_hire", "service", "drain", json!(["drains"])),
        ("should_i_hire", "aspect", "p", json!(["punctuality"])),
        ("whats_new", "since", "2025", json!([])),
    ] {
        assert_eq!(complete(prompt(name), argument, value)["values"], found, "{name} {value}");
    }
    let template = json!({ "type": "ref/resource", "uri": "candor://shop.example/review/{id}" });
    let ids = complete(template.clone(), "id", &id(3)[..20].to_lowercase());
    assert_eq!(ids["values"], json!((1..=6).map(id).collect::<Vec<_>>()));
    assert_eq!(complete(template, "id", &id(3))["values"], json!([id(3)]));
    let error = agent.fail(
        "completion/complete",
        json!({ "ref": prompt("whats_new"), "argument": { "name": "x", "value": "" } }),
    );
    assert_eq!(
        error["message"],
        "There is no argument \"x\" of the prompt \"whats_new\". prompts/list and \
         resources/templates/list say which there are."
    );
}

#[test]
fn a_new_publication_is_answered_from_at_once() {
    let mut site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let gone = json!({ "id": id(3) });
    assert_eq!(agent.data("get_review", gone.clone())["id"], id(3));
    site.set("reviews.json", shop::listing(&shop::reviews()[..2]));
    site.later_by(1);
    site.publish();
    eventually("the withdrawal", || agent.call("get_review", gone.clone())["isError"] == true);
    assert_eq!(agent.data("search_reviews", json!({}))["matched"], 2);
}
