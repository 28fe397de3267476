//! The view of clients that show results as a page (docs/mcp.md, "A view of the results").

use serde_json::{Value, json};

use crate::{
    Running,
    agent::{Agent, Era, post},
    shop,
};

const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";
const VIEW: &str = "ui://candor/reviews";

fn capabilities() -> Value {
    json!({ "extensions": { EXTENSION: { "mimeTypes": [MEDIA_TYPE] } } })
}

/// The tools whose description names a view.
fn linked(agent: &Agent) -> Vec<String> {
    let tools = agent.ask("tools/list", json!({}));
    let tools = tools["tools"].as_array().unwrap();
    let linked = tools.iter().filter(|tool| !tool["_meta"]["ui"].is_null());
    linked
        .map(|tool| {
            assert_eq!(tool["_meta"]["ui"], json!({ "resourceUri": VIEW }));
            assert_eq!(tool["_meta"]["anthropic/maxResultSizeChars"], 131_070);
            tool["name"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn clients_that_show_views_are_told_of_one_in_both_eras() {
    let site = shop::published();
    let running = Running::start(&site);
    for era in [Era::Session, Era::Stateless] {
        let agent = Agent::with(running.address, era, capabilities());
        assert_eq!(linked(&agent), ["get_business", "search_reviews"], "{era:?}");
        let read = agent.ask("resources/read", json!({ "uri": VIEW }));
        let contents = &read["contents"][0];
        assert_eq!(
            (contents["uri"].as_str(), contents["mimeType"].as_str()),
            (Some(VIEW), Some(MEDIA_TYPE))
        );
        assert_eq!(contents["_meta"]["ui"]["prefersBorder"], true);
        assert!(contents["text"].as_str().unwrap().starts_with("<!DOCTYPE html>"));
    }
}

#[test]
fn the_server_declares_the_extension_to_clients_that_have_it() {
    let site = shop::published();
    let running = Running::start(&site);
    let handshake = |capabilities: Value| {
        let message = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": capabilities,
                "clientInfo": { "name": "suite", "version": "1" },
            },
        });
        post(message.to_string()).send(running.address).json()
    };
    let with = handshake(capabilities());
    assert_eq!(with["result"]["capabilities"]["extensions"], json!({ EXTENSION: {} }));
    let agent = Agent::with(running.address, Era::Stateless, capabilities());
    let found = agent.ask("server/discover", json!({}));
    assert_eq!(found["capabilities"]["extensions"], json!({ EXTENSION: {} }));
    assert_eq!(found["cacheScope"], "private");
    assert!(handshake(json!({}))["result"]["capabilities"]["extensions"].is_null());
}

#[test]
fn other_clients_learn_nothing_of_it() {
    let site = shop::published();
    let running = Running::start(&site);
    for (era, capabilities) in [
        (Era::Session, json!({})),
        (Era::Stateless, json!({})),
        (Era::Session, json!({ "extensions": { EXTENSION: { "mimeTypes": ["text/plain"] } } })),
    ] {
        let agent = Agent::with(running.address, era, capabilities);
        assert!(linked(&agent).is_empty());
        let resources = agent.ask("resources/list", json!({}));
        assert!(!resources.to_string().contains("ui://"));
    }
}
