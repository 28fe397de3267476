//! What `/mcp` refuses, and that it says so in JSON-RPC (docs/mcp.md, "Protocol").

use serde_json::{Value, json};

use crate::{
    Answer, Request, Running, Site,
    agent::{Agent, Era, MCP, STATELESS, initialize, meta, post},
    running::config,
};

/// The status, the JSON-RPC code, the id and the message of a refusal.
pub(crate) fn refused(answer: &Answer) -> (u16, i64, Value, String) {
    assert_eq!(answer.field("content-type"), Some("application/json"), "{}", answer.text());
    assert_eq!(answer.field("mcp-session-id"), None);
    let mut body = answer.json();
    assert_eq!((&body["jsonrpc"], body.get("result")), (&json!("2.0"), None));
    let message = body["error"]["message"].as_str().unwrap().to_owned();
    (answer.status, body["error"]["code"].as_i64().unwrap(), body["id"].take(), message)
}

fn ping(id: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}")
}

/// A body, the JSON-RPC code, the id and the message of its refusal.
type Refused<'a> = (&'a str, i64, Value, &'a str);

fn assert_refused(running: &Running, rows: &[Refused<'_>]) {
    let agent = Agent::new(running);
    for (body, code, id, message) in rows {
        let answer = post(*body).with("Mcp-Session-Id", &agent.session).send(running.address);
        let short = &body[..body.len().min(60)];
        assert_eq!(refused(&answer), (400, *code, id.clone(), (*message).to_owned()), "{short}");
    }
}

#[test]
fn bodies_that_are_not_json() {
    let site = Site::new();
    let running = Running::start(&site);
    let empty = "The body is not JSON: EOF while parsing a value at line 1 column 0";
    let open = "The body is not JSON: EOF while parsing an object at line 1 column 10";
    let word = "The body is not JSON: expected value at line 1 column 1";
    let trailing = "The body is not JSON: trailing characters at line 1 column 4";
    assert_refused(
        &running,
        &[
            ("", -32700, json!(null), empty),
            ("{\"jsonrpc\"", -32700, json!(null), open),
            ("hello", -32700, json!(null), word),
            ("{} {}", -32700, json!(null), trailing),
        ],
    );
    let answer = post(b"\xff\xfe".as_slice()).send(running.address);
    assert_eq!(refused(&answer).1, -32700);
}

#[test]
fn malformed_messages() {
    let site = Site::new();
    let running = Running::start(&site);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let four = |rest: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":4,{rest}}}");
    let (result, no_method) = (four("\"result\":{}"), four("\"method\":[]"));
    let (twice, list) =
        (four("\"id\":5,\"method\":\"ping\""), four("\"method\":\"ping\",\"params\":[]"));
    let batch = "Only sessions of revision 2025-03-26 have batches: send one message.";
    let object = "A message is a JSON object.";
    let id = "An id is a string or a whole number; a notification has none.";
    let long = "An id has at most 256 bytes.";
    let version = "A message says \"jsonrpc\": \"2.0\".";
    let method =
        "A message must have a method. This server sends no requests, so it accepts no responses.";
    let form = "The message is not of the protocol's form.";
    assert_refused(
        &running,
        &[
            ("[]", -32600, json!(null), batch),
            (&format!("[{}]", ping("1")), -32600, json!(null), batch),
            (&deep, -32600, json!(null), batch),
            ("3", -32600, json!(null), object),
            ("null", -32600, json!(null), object),
            (&ping("null"), -32600, json!(null), id),
            (&ping("1.5"), -32600, json!(null), id),
            (&ping("[1]"), -32600, json!(null), id),
            (&ping("true"), -32600, json!(null), id),
            (&ping("99999999999999999999"), -32600, json!(null), id),
            (&ping(&format!("\"{}\"", "x".repeat(255))), -32600, json!(null), long),
            ("{\"id\":4,\"method\":\"ping\"}", -32600, json!(4), version),
            ("{}", -32600, json!(null), version),
            ("{\"jsonrpc\":2.0,\"id\":4,\"method\":\"ping\"}", -32600, json!(4), version),
            ("{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", -32600, json!("a"), version),
            (&result, -32600, json!(4), method),
            (&no_method, -32600, json!(4), "A method is a string."),
            (&twice, -32600, json!(null), "A message has each member once."),
            (&list, -32600, json!(4), form),
        ],
    );
}

#[test]
fn unknown_methods_and_params_that_cannot_be_read() {
    let site = Site::new();
    let running = Running::start(&site);
    let agents = [Era::Session, Era::Stateless].map(|era| Agent::of(running.address, era));
    let [session, stateless] = &agents;
    for (agent, status) in [(session, 200), (stateless, 404)] {
        let answer = agent.send("reviews/delete", json!({}));
        let message = "There is no method \"reviews/delete\" here.".to_owned();
        assert_eq!(refused(&answer), (status, -32601, json!(1), message));
        let answer = agent.send("resources/subscribe", json!({ "uri": "x" }));
        assert_eq!(refused(&answer).1, -32601);
    }
    for agent in &agents {
        for (method, params) in [
            ("tools/call", json!({})),
            ("tools/call", json!({ "name": 3 })),
            ("tools/call", json!({ "name": "get_faq", "arguments": "x" })),
            ("tools/call", json!({ "name": "get_faq", "arguments": [1] })),
            ("resources/read", json!({})),
            ("prompts/get", json!({ "arguments": {} })),
            ("completion/complete", json!({})),
        ] {
            let answer = agent.send(method, params);
            let message =
                format!("The params of {method} are missing or not of the protocol's form.");
            assert_eq!(refused(&answer), (200, -32602, json!(1), message));
        }
    }
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let nested = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{{\"name\":\"search_reviews\",\
         \"arguments\":{{\"query\":{deep}}}}}}}"
    );
    let answer = post(nested).with("Mcp-Session-Id", &session.session).send(running.address);
    assert_eq!(refused(&answer).1, -32602);
    let bare = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\"}";
    let answer = post(bare).with("Mcp-Session-Id", &session.session).send(running.address);
    assert_eq!(refused(&answer).1, -32602);
    let bare = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"initialize\"}";
    assert_eq!(refused(&post(bare).send(running.address)).1, -32602);
    let removed = stateless.send("initialize", json!({}));
    let (status, code, ..) = refused(&removed);
    assert_eq!((status, code), (404, -32601));
    let error = session.fail("tools/call", json!({ "name": "delete_review" }));
    let known = "There is no tool \"delete_review\". There are get_business, search_reviews, \
                 get_reviews_since, get_review, get_changes, list_aspects, get_aspect_sentiment, \
                 get_technician, get_service, list_topics, get_faq, get_summary, search, fetch.";
    assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!(known)));
}

#[test]
fn media_types_in_and_out() {
    let site = Site::new();
    let running = Running::start(&site);
    let ask = |accept: &str, content_type: &str| {
        let request = Request::new("POST", MCP).host("localhost").body(initialize("2025-06-18"));
        request.with("Accept", accept).with("Content-Type", content_type).send(running.address)
    };
    let both = "application/json, text/event-stream";
    for accept in [
        "application/json",
        "text/event-stream",
        "*/*",
        "application/*, text/*",
        "application/json;q=0, text/event-stream",
        "application/json, text/event-stream; q=0.0",
        "",
    ] {
        let message = "Accept must list both application/json and text/event-stream.";
        let expected = (406, -32000, json!(null), message.to_owned());
        assert_eq!(refused(&ask(accept, "application/json")), expected, "{accept}");
    }
    for content_type in ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", ""]
    {
        let message = "Content-Type must be application/json.".to_owned();
        assert_eq!(refused(&ask(both, content_type)), (415, -32000, json!(null), message));
    }
    for (accept, content_type) in [
        ("text/event-stream;q=0.5 ,Application/JSON", "application/json; charset=utf-8"),
        ("text/html, application/json, text/event-stream, */*", "APPLICATION/JSON"),
    ] {
        assert_eq!(ask(accept, content_type).status, 200, "{accept}");
    }
    let coded = post(initialize("2025-06-18")).with("Content-Encoding", "gzip");
    assert_eq!(refused(&coded.send(running.address)).0, 415);
}

#[test]
fn a_body_has_at_most_one_mebibyte() {
    let site = Site::new();
    let running = Running::start(&site);
    let padded = |length: usize| {
        let message = initialize("2025-06-18");
        let blanks = " ".repeat(length - message.len());
        format!("{message}{blanks}")
    };
    assert_eq!(post(padded(1_048_576)).send(running.address).status, 200);
    let message = "A message has at most 1048576 bytes.".to_owned();
    let answer = post(padded(1_048_577)).send(running.address);
    assert_eq!(refused(&answer), (413, -32000, json!(null), message));
}

#[test]
fn a_message_has_at_most_128_levels() {
    let running = Running::start(&Site::new());
    let agent = Agent::new(&running);
    // The message, its params, the arguments, and the lists of the query.
    for (levels, is_read) in [(128, true), (129, false)] {
        let deep = (0..levels - 4).fold(json!([]), |inner, _| json!([inner]));
        let call = json!({ "name": "search_reviews", "arguments": { "query": deep } });
        let answer = agent.send("tools/call", call).json();
        assert_eq!(answer["result"]["isError"] == true, is_read, "{levels}: {answer}");
        assert_eq!(answer["error"]["code"] == -32602, !is_read, "{levels}: {answer}");
    }
}

#[test]
fn a_body_that_does_not_arrive_is_408_and_takes_nobodys_place() {
    let site = Site::new();
    let mut config = config(&site);
    config.mcp.body_timeout = std::time::Duration::from_millis(500);
    config.max_responses = 1;
    let running = Running::start_with(config);
    let announced = |length: &str| {
        Request::new("POST", MCP)
            .host("localhost")
            .with("Content-Type", "application/json")
            .with("Accept", "application/json, text/event-stream")
            .with("Content-Length", length)
    };
    let mut stalled = announced("10").start(running.address);
    assert_eq!(post(initialize("2025-06-18")).send(running.address).status, 200);
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut stalled, &mut bytes).unwrap();
    let message = "The body must arrive within 0.5 seconds.".to_owned();
    assert_eq!(refused(&Answer::parse(&bytes)), (408, -32000, json!(null), message));
}

#[test]
fn other_methods_are_405_and_preflights_are_answered() {
    let site = Site::new();
    let running = Running::start(&site);
    for method in ["GET", "DELETE", "PUT", "PATCH"] {
        let answer = Request::new(method, MCP).host("localhost").send(running.address);
        let message =
            "This path answers POST: there are no streams to open and no sessions to end.";
        assert_eq!(refused(&answer), (405, -32000, json!(null), message.to_owned()), "{method}");
        assert_eq!(answer.field("allow"), Some("POST, OPTIONS"));
    }
    let head = Request::new("HEAD", MCP).host("localhost").send(running.address);
    assert_eq!((head.status, head.body.len()), (405, 0));
    let preflight = Request::new("OPTIONS", MCP)
        .with("Origin", "https://claude.ai")
        .with("Access-Control-Request-Method", "POST")
        .send(running.address);
    assert_eq!(preflight.status, 204);
    for name in ["mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"] {
        let allowed = preflight.field("access-control-allow-headers").unwrap();
        assert!(allowed.to_lowercase().contains(name), "{name}");
    }
    let opened = post(initialize("2025-06-18")).send(running.address);
    let exposed = opened.field("access-control-expose-headers").unwrap();
    assert!(exposed.contains("Mcp-Session-Id"));
}

#[test]
fn versions_nobody_speaks() {
    let site = Site::new();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let all = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];
    for (version, code) in [("2025-01-01", -32000), ("2099-01-01", -32022), ("banana", -32022)] {
        let answer = post(ping("1"))
            .with("Mcp-Session-Id", &agent.session)
            .with("MCP-Protocol-Version", version)
            .send(running.address);
        let message = format!(
            "MCP-Protocol-Version {version:?} is not supported; these are: {}.",
            all.join(", ")
        );
        assert_eq!(refused(&answer), (400, code, json!(1), message));
        let data = json!({ "supported": all, "requested": version });
        assert_eq!(answer.json()["error"]["data"], data);
    }
    let mut params = json!({ "_meta": meta() });
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
    let answer = post(body.to_string())
        .with("MCP-Protocol-Version", "2099-01-01")
        .with("Mcp-Method", "tools/list")
        .send(running.address);
    let (status, code, ..) = refused(&answer);
    assert_eq!((status, code), (400, -32022));
    assert_eq!(answer.json()["error"]["data"]["supported"], json!(all));
}

#[test]
fn headers_of_a_stateless_message_must_agree_with_it() {
    let site = Site::new();
    let running = Running::start(&site);
    let call = |meta: Value| {
        let params = json!({ "name": "get_business", "arguments": {}, "_meta": meta });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
    };
    let rows: [(&[(&str, &str)], i64); 6] = [
        (&[("MCP-Protocol-Version", STATELESS), ("Mcp-Name", "get_business")], -32020),
        (&[("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "tools/call")], -32020),
        (
            &[
                ("MCP-Protocol-Version", STATELESS),
                ("Mcp-Method", "tools/list"),
                ("Mcp-Name", "get_business"),
            ],
            -32020,
        ),
        (
            &[
                ("MCP-Protocol-Version", STATELESS),
                ("Mcp-Method", "tools/call"),
                ("Mcp-Name", "get_faq"),
            ],
            -32020,
        ),
        (&[("MCP-Protocol-Version", "2025-11-25")], -32020),
        (&[], -32020),
    ];
    for (headers, expected) in rows {
        let request =
            headers.iter().fold(post(call(meta())), |r, (name, value)| r.with(name, *value));
        let (status, code, id, _) = refused(&request.send(running.address));
        assert_eq!((status, code, id), (400, expected, json!(1)), "{headers:?}");
    }
    let mut incomplete = meta();
    incomplete.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let request = post(call(incomplete))
        .with("MCP-Protocol-Version", STATELESS)
        .with("Mcp-Method", "tools/call")
        .with("Mcp-Name", "get_business");
    let (status, code, ..) = refused(&request.send(running.address));
    assert_eq!((status, code), (400, -32602));
    let encoded = post(call(meta()))
        .with("MCP-Protocol-Version", STATELESS)
        .with("Mcp-Method", "tools/call")
        .with("Mcp-Name", "=?base64?Z2V0X2J1c2luZXNz?=");
    assert_eq!(encoded.send(running.address).status, 200);
}

#[test]
fn while_nothing_is_loaded_it_is_503() {
    let site = Site::unpublished();
    let running = Running::start(&site);
    for request in [post(initialize("2025-06-18")), Request::new("GET", MCP)] {
        let answer = request.send(running.address);
        let message = "No reviews are loaded yet. Try again in a few seconds.".to_owned();
        assert_eq!(refused(&answer), (503, -32000, json!(null), message));
        assert_eq!(answer.field("retry-after"), Some("5"));
    }
}

#[test]
fn paths_beside_the_endpoint_are_404_in_json_rpc() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in ["/mcp/x", "/mcp/x/"] {
        let answer = Request::new("POST", path).host("localhost").send(running.address);
        assert_eq!(refused(&answer).0, 404, "{path}");
    }
}
