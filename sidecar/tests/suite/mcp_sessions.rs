//! Sessions of the handshake's era (docs/mcp.md, "Protocol"): signed, kept nowhere.

use serde_json::json;

use crate::{
    Answer, Request, Running,
    agent::{Agent, Era, initialize, post},
    running::config,
    shop,
};

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

fn ping(running: &Running, id: &str) -> Answer {
    post(PING).with("Mcp-Session-Id", id).send(running.address)
}

fn assert_unknown(answer: &Answer) {
    let message = "The session is not known here: send initialize to open a new one.";
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json(),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32001, "message": message } })
    );
}

#[test]
fn initialize_gives_an_id_that_later_requests_send() {
    let site = shop::published();
    let running = Running::start(&site);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let opened = post(initialize(version)).send(running.address);
        assert_eq!(opened.json()["result"]["protocolVersion"], version);
        let id = opened.field("mcp-session-id").unwrap();
        assert!(id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id}");
        let notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
        let noticed = post(notification).with("Mcp-Session-Id", id).send(running.address);
        assert_eq!((noticed.status, noticed.body.len()), (202, 0));
        let answer = post(PING).with("Mcp-Session-Id", id).with("MCP-Protocol-Version", version);
        assert_eq!(
            answer.send(running.address).json(),
            json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
        );
    }
    for version in ["2026-07-28", "1.0"] {
        let opened = post(initialize(version)).send(running.address);
        assert_eq!(opened.json()["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
}

#[test]
fn ids_come_back_as_they_were_sent() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for id in ["0", "-7", "9007199254740993", "\"a\"", "\"\"", "\"\\u00e9\\\"\""] {
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools\\/call\",\"params\":{{\"name\":\"get_faq\"}}}}"
        );
        let answer = post(body).with("Mcp-Session-Id", &agent.session).send(running.address);
        assert_eq!(answer.status, 200);
        assert!(answer.text().contains(&format!("\"id\":{id},")), "{}", answer.text());
    }
}

#[test]
fn a_missing_id_is_400() {
    let site = shop::published();
    let running = Running::start(&site);
    let notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    for (body, id) in [(PING, json!(1)), (notification, json!(null))] {
        let answer = post(body).send(running.address);
        let message =
            "The Mcp-Session-Id header is missing: send initialize first, and its id from then on.";
        assert_eq!(answer.status, 400);
        assert_eq!(
            answer.json(),
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32000, "message": message } })
        );
    }
    let agent = Agent::new(&running);
    let twice = post(PING).with("Mcp-Session-Id", &agent.session);
    let twice = twice.with("Mcp-Session-Id", &agent.session).send(running.address);
    assert_eq!(
        (twice.status, &twice.json()["error"]["message"]),
        (400, &json!("A request has one mcp-session-id field at most, of visible characters."))
    );
}

#[test]
fn an_unknown_or_tampered_id_is_404() {
    let site = shop::published();
    let running = Running::start(&site);
    let id = Agent::new(&running).session;
    assert_eq!(ping(&running, &id).status, 200);
    let flipped = format!("{}{}", &id[..id.len() - 1], if id.ends_with('0') { "1" } else { "0" });
    let older = id.replacen("2025-06-18", "2025-03-26", 1);
    for bad in ["x", "00000000-0000-4000-8000-000000000000", &flipped, &older, &id.to_uppercase()] {
        assert_unknown(&ping(&running, bad));
    }
}

#[test]
fn initialize_with_a_stale_id_gives_a_new_one() {
    let site = shop::published();
    let running = Running::start(&site);
    let opened = post(initialize("2025-06-18")).with("Mcp-Session-Id", "stale");
    let opened = opened.with("MCP-Protocol-Version", "2025-06-18").send(running.address);
    assert_eq!(opened.status, 200, "{}", opened.text());
    let id = opened.field("mcp-session-id").unwrap();
    assert!(id != "stale" && ping(&running, id).status == 200);
}

#[test]
fn initialize_that_fails_gives_none() {
    let site = shop::published();
    let running = Running::start(&site);
    let refused = post(initialize("2025-06-18")).with("MCP-Protocol-Version", "2025-03-26");
    let refused = refused.send(running.address);
    assert_eq!((refused.status, refused.field("mcp-session-id")), (400, None));
}

#[test]
fn a_session_works_after_a_restart() {
    let site = shop::published();
    let id = Agent::new(&Running::start(&site)).session;
    assert_eq!(ping(&Running::start(&site), &id).status, 200);
}

#[test]
fn a_session_works_on_every_replica_with_the_key_and_on_no_other() {
    let (site, other) = (shop::published(), shop::published());
    let keys = site.public().with_file_name("keys");
    std::fs::write(&keys, format!("{}\n", "k".repeat(64))).unwrap();
    let start = |site, keys: Option<&std::path::PathBuf>| {
        let mut config = config(site);
        config.mcp.session_keys = keys.cloned();
        Running::start_with(config)
    };
    let id = {
        let (first, second) = (start(&site, Some(&keys)), start(&other, Some(&keys)));
        let id = Agent::new(&first).session;
        assert_eq!(ping(&second, &id).status, 200);
        id
    };
    assert_unknown(&ping(&start(&other, None), &id));
}

#[test]
fn a_stateless_message_needs_no_session_and_any_is_ignored() {
    let site = shop::published();
    let running = Running::start(&site);
    let agent = Agent::of(running.address, Era::Stateless);
    let with =
        |id: &str| -> Request { agent.request("tools/list", json!({})).with("Mcp-Session-Id", id) };
    for request in [agent.request("tools/list", json!({})), with("anything")] {
        let answer = request.send(running.address);
        assert_eq!((answer.status, answer.field("mcp-session-id")), (200, None));
    }
    let error = agent.send("ping", json!({}));
    assert_eq!((error.status, &error.json()["error"]["code"]), (404, &json!(-32601)));
}

/// Sends this in a session of a revision, without the header that names the revision.
fn in_session(running: &Running, revision: &str, body: &str) -> Answer {
    let opened = post(initialize(revision)).send(running.address);
    let id = opened.field("mcp-session-id").unwrap();
    post(body).with("Mcp-Session-Id", id).send(running.address)
}

#[test]
fn a_batch_is_answered_in_sessions_of_2025_03_26() {
    let site = shop::published();
    let running = Running::start(&site);
    let notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    let call = "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"tools/call\",\
                \"params\":{\"name\":\"get_business\"}}";
    let batch = format!(
        " [{PING}, {notification},{call},\n{{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\"}}, 7, {} ]",
        initialize("2025-03-26")
    );
    let answered = in_session(&running, "2025-03-26", &batch);
    assert_eq!(answered.status, 200);
    assert_eq!(
        (answered.field("content-type"), answered.field("cache-control")),
        (Some("application/json"), Some("no-store"))
    );
    let answers = answered.json();
    let ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!("b"), &json!(3), &json!(null), &json!(0)]);
    assert_eq!(answers[0]["result"], json!({}));
    let agent = Agent::new(&running);
    let alone = agent.call("get_business", json!({}));
    assert_eq!(answers[1]["result"], alone);
    assert_eq!(answers[2]["error"]["code"], -32601);
    assert_eq!(answers[3]["error"]["message"], "A message is a JSON object.");
    assert_eq!(answers[4]["error"]["message"], "initialize is sent alone, not in a batch.");
    let silent = in_session(&running, "2025-03-26", &format!("[{notification},{notification}]"));
    assert_eq!((silent.status, silent.body.len()), (202, 0));
}

#[test]
fn a_batch_is_refused_in_every_other_session_and_without_one() {
    let site = shop::published();
    let running = Running::start(&site);
    let batch = format!("[{PING}]");
    let message = "Only sessions of revision 2025-03-26 have batches: send one message.";
    let others = ["2024-11-05", "2025-06-18", "2025-11-25"]
        .map(|revision| (revision, in_session(&running, revision, &batch)));
    let without = ("no session", post(&*batch).send(running.address));
    for (of, refused) in others.into_iter().chain([without]) {
        let answer = refused.json();
        assert_eq!((refused.status, &answer["error"]["code"]), (400, &json!(-32600)), "{of}");
        assert_eq!(answer["error"]["message"], message, "{of}");
    }
}

#[test]
fn a_batch_has_one_to_sixteen_messages() {
    let site = shop::published();
    let running = Running::start(&site);
    let of = |count: usize| format!("[{}]", vec![PING; count].join(","));
    let full = in_session(&running, "2025-03-26", &of(16)).json();
    assert_eq!(full.as_array().unwrap().len(), 16);
    for (count, message) in [
        (0, "A batch has a message at least."),
        (17, "A batch has at most 16 messages, and this one has 17."),
    ] {
        let refused = in_session(&running, "2025-03-26", &of(count));
        assert_eq!((refused.status, &refused.json()["error"]["message"]), (400, &json!(message)));
    }
}
