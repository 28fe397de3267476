//! The routes that accept a POST: the WebSub hub with its requests to subscribers, and the MCP server.

use contract::{mcp::PROTOCOL_VERSIONS, routes::TOPICS};
use serde_json::{Value, json};

use super::parts::answered;
use crate::document::{ATOM, JSON};
use content::dataset::Dataset;

const WEBSUB: &str = "hub";
const AGENTS: &str = "mcp";

/// The address to which the hub sends the requested topic.
const CALLBACK: &str = "{$request.body#/hub.callback}";

pub(super) fn hub_tag() -> Value {
    json!({
        "name": WEBSUB,
        "description": "Subscribe to changes (https://www.w3.org/TR/websub/).",
    })
}

pub(super) fn mcp_tag() -> Value {
    json!({
        "name": AGENTS,
        "description": "The reviews as tools for agents (https://modelcontextprotocol.io).",
    })
}

/// Describes `POST /api/websub/hub`.
pub(super) fn hub(data: &Dataset) -> Value {
    let text = |description: &str| {
        json!({
            "description": description,
            "content": { "text/plain": { "schema": { "type": "string" } } },
        })
    };
    let mut responses = answered(&[("429", "TooManyRequestsText"), ("503", "HubUnavailable")]);
    for (status, description) in [
        ("202", "Accepted. The callback is asked for its consent next."),
        ("400", "The reason why this is not a request."),
        ("403", "The operator has blocked the host of the callback."),
        ("408", "The form did not arrive in time."),
        ("413", "The form is too long."),
        ("415", "The body is not a form."),
    ] {
        responses.insert(status.to_owned(), text(description));
    }
    json!({
        "operationId": "subscribe", "tags": [WEBSUB], "summary": "Subscribe to a topic, or end it",
        "description": "WebSub section 5.1. The response follows from the form alone; the callback \
                        is verified afterwards. Fields that are not listed here are ignored. \
                        `hub.mode=publish` is the publisher's ping.",
        "requestBody": {
            "required": true,
            "content": { "application/x-www-form-urlencoded": { "schema": form(data) } },
        },
        "responses": responses,
        "callbacks": { "verification": verification(), "delivery": delivery(), "denial": denial() },
    })
}

fn form(data: &Dataset) -> Value {
    let topics: Vec<_> = TOPICS.iter().map(|topic| data.address(topic)).collect();
    let topic = json!({ "type": "string", "enum": topics, "description": "What to subscribe to." });
    let callback = json!({
        "type": "string", "format": "uri", "maxLength": 2048,
        "pattern": "^https://([a-z0-9-]{1,63}\\.){1,2}[a-z]{2,63}(/[A-Za-z0-9/._-]*)?$",
        "description": "The subscriber's address: HTTPS, a host name, no user name and no fragment. \
                        The hub accepts more than the pattern: a port of 443 or 1024 to 65535, a \
                        query, and any path.",
    });
    let mode = |mode: &str| json!({ "type": "string", "const": mode });
    let subscribe = json!({
        "title": "Subscribe", "type": "object",
        "required": ["hub.mode", "hub.topic", "hub.callback"],
        "properties": {
            "hub.mode": mode("subscribe"), "hub.topic": topic, "hub.callback": callback,
            "hub.lease_seconds": {
                "type": "integer", "minimum": 1,
                "description": "The lease asked for. Five minutes to 30 days are given, 10 days \
                                without this field.",
            },
            "hub.secret": {
                "type": "string", "maxLength": 199,
                "description": "Fewer than 200 bytes. Deliveries are then signed, unless it is empty.",
            },
        },
    });
    let unsubscribe = json!({
        "title": "Unsubscribe", "type": "object",
        "required": ["hub.mode", "hub.topic", "hub.callback"],
        "properties": {
            "hub.mode": mode("unsubscribe"), "hub.topic": topic, "hub.callback": callback,
        },
    });
    let publish = json!({
        "title": "Ping", "type": "object", "required": ["hub.mode", "hub.topic"],
        "properties": { "hub.mode": mode("publish"), "hub.topic": topic },
    });
    json!({ "oneOf": [subscribe, unsubscribe, publish] })
}

/// Describes a parameter in the query of a callback.
fn in_query(name: &str, required: bool, description: &str) -> Value {
    json!({
        "name": name, "in": "query", "required": required, "description": description,
        "schema": { "type": "string" },
    })
}

fn verification() -> Value {
    json!({ CALLBACK: { "get": {
        "operationId": "verifyIntent", "tags": [WEBSUB],
        "summary": "Whether the subscriber asked for this",
        "description": "WebSub section 5.3.",
        "parameters": [
            in_query("hub.mode", true, "`subscribe` or `unsubscribe`."),
            in_query("hub.topic", true, "The topic as it was given."),
            in_query("hub.challenge", true, "What to repeat."),
            in_query("hub.lease_seconds", false, "The lease that is given, on `subscribe`."),
        ],
        "responses": {
            "2XX": {
                "description": "Yes: the body is exactly `hub.challenge`.",
                "content": { "text/plain": { "schema": { "type": "string" } } },
            },
            "4XX": { "description": "No. So is every other response." },
        },
    } } })
}

fn delivery() -> Value {
    let header = |name: &str, required: bool, description: &str| {
        json!({
            "name": name, "in": "header", "required": required, "description": description,
            "schema": { "type": "string" },
        })
    };
    json!({ CALLBACK: { "post": {
        "operationId": "deliver", "tags": [WEBSUB], "summary": "The topic, after each change",
        "description": "WebSub section 7. A delivery may come twice.",
        "parameters": [
            header("Link", true, "The hub as `rel=\"hub\"`, and the topic as `rel=\"self\"`."),
            header("X-Hub-Signature", false, "`sha256=` and the HMAC of the body, with a secret."),
            header("X-Hub-Delivery", true, "The same for the same content of one subscription."),
        ],
        "requestBody": {
            "required": true,
            "content": {
                JSON: { "schema": { "type": "object" } }, ATOM: { "schema": { "type": "string" } },
            },
        },
        "responses": {
            "2XX": { "description": "Received. The body is not read." },
            "410": { "description": "Gone: the subscription ends." },
            "4XX": { "description": "Not received. It is sent again, three times in all." },
        },
    } } })
}

fn denial() -> Value {
    json!({ CALLBACK: { "get": {
        "operationId": "deny", "tags": [WEBSUB], "summary": "The subscription has ended",
        "description": "WebSub section 5.2, sent once, after three deliveries that failed.",
        "parameters": [
            in_query("hub.mode", true, "`denied`."),
            in_query("hub.topic", true, "The topic of the subscription."),
            in_query("hub.reason", false, "Why, in words."),
        ],
        "responses": {
            "2XX": { "description": "Ignored." },
            "4XX": { "description": "Ignored." },
        },
    } } })
}

/// Describes `POST /mcp`.
pub(super) fn mcp() -> Value {
    let header = |name: &str, required: bool, description: &str| {
        json!({
            "name": name, "in": "header", "required": required, "description": description,
            "schema": { "type": "string" },
        })
    };
    let message = json!({
        "type": "object", "required": ["jsonrpc", "method"],
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": {
                "type": ["string", "integer"], "description": "None: a notification, without result.",
            },
            "method": { "type": "string" },
            "params": { "type": "object" },
        },
        "example": { "jsonrpc": "2.0", "id": 1, "method": "ping" },
    });
    let error = json!({
        "type": "object", "required": ["jsonrpc", "id", "error"],
        "properties": {
            "jsonrpc": { "type": "string", "const": "2.0" },
            "id": { "type": ["string", "integer", "null"] },
            "error": {
                "type": "object", "required": ["code", "message"],
                "properties": {
                    "code": { "type": "integer" }, "message": { "type": "string" }, "data": {},
                },
            },
        },
    });
    let mut responses = answered(&[("429", "TooManyRequests"), ("503", "Unavailable")]);
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "The result or the error of the method.",
            "headers": { "Mcp-Session-Id": {
                "description": "In the response to `initialize`: what later requests send.",
                "schema": { "type": "string" },
            } },
            "content": { JSON: { "schema": { "type": "object" } } },
        }),
    );
    responses.insert("202".to_owned(), json!({ "description": "A notification was received." }));
    for (status, description) in [
        ("400", "This is not a message, or a header is missing or wrong."),
        ("403", "The Host or the Origin is not allowed."),
        ("404", "The session is unknown; without a session, the method is."),
        ("406", "`Accept` does not list both types."),
        ("408", "The message did not arrive in time."),
        ("413", "The message is too long."),
        ("415", "The body is not JSON by its type."),
    ] {
        let refused =
            json!({ "description": description, "content": { JSON: { "schema": error } } });
        responses.insert(status.to_owned(), refused);
    }
    json!({
        "operationId": "callMcp", "tags": [AGENTS], "summary": "One message of the protocol",
        "description": format!(
            "Model Context Protocol, streamable HTTP, revisions {}. Responses are JSON, never a \
             stream. `tools/list` describes the tools.",
            PROTOCOL_VERSIONS.join(", ")
        ),
        "parameters": [
            header("Accept", true, "`application/json` and `text/event-stream`, both."),
            header("Mcp-Session-Id", false, "Of the session, in revisions with a handshake."),
            header("MCP-Protocol-Version", false, "The revision of the session or message."),
        ],
        "requestBody": { "required": true, "content": { JSON: { "schema": message } } },
        "responses": responses,
    })
}
