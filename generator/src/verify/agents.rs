//! `/mcp` as an agent's client meets it (contract section 6), and the hub as a subscriber with a
//! wrong callback does (section 7). Nothing that is asked leaves a trace.

use contract::{
    manifest::Manifest,
    mcp::{PROTOCOL_VERSIONS, TOOLS},
    query::encoded,
    routes,
    routes::HUB,
};
use serde_json::{Value, json};

use super::{
    ORIGIN,
    answer::Answer,
    client::{Ask, Client, Failure},
    content::Reviews,
    probes::{answered, preflight},
    queries::expect_json,
    report::{Check, Level, Log, Wrong},
    site::is_loopback,
};

/// The revision of the handshake; the one the contract's examples use.
const REVISION: &str = "2025-06-18";
/// Largest answer: 1 MiB. A tool's text stays under 64 KiB.
const MAX_ANSWER: u64 = 1 << 20;
/// A name no server has (RFC 6761).
const FOREIGN_HOST: &str = "candor-verify.invalid";

const SIDECAR: &str = "start candor-sidecar and send POST /mcp to it with the site's Host, or publish with [sidecar] enabled = false";
const HUB_SIDECAR: &str = "start candor-sidecar and send POST /api/websub/hub to it, or publish with [sidecar] enabled = false";
const PASS_ON: &str = "let the proxy pass this header on";
const OTHER: &str = "look which server answers; it is not this version of candor-sidecar";

/// One session.
struct Agent<'a> {
    client: &'a Client,
    session: Option<String>,
}

impl Agent<'_> {
    fn message(&self, message: &Value) -> Ask {
        let ask = Ask::new("POST", self.client.url(routes::MCP))
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
            .with("accept-encoding", "identity")
            .body(message.to_string())
            .keeping(MAX_ANSWER);
        match &self.session {
            Some(session) => {
                ask.with("mcp-session-id", session).with("mcp-protocol-version", REVISION)
            }
            None => ask,
        }
    }

    fn request(&self, method: &str, params: &Value) -> Ask {
        self.message(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    /// The result of a request.
    fn result(&self, method: &str, params: &Value) -> Result<Result<Value, Wrong>, Failure> {
        let answer = answered(self.client, &self.request(method, params))?;
        Ok(answer.and_then(|answer| result_of(&answer)))
    }

    fn status(&self, ask: &Ask) -> Result<Result<u16, Wrong>, Failure> {
        Ok(answered(self.client, ask)?.map(|answer| answer.status))
    }
}

fn result_of(answer: &Answer) -> Result<Value, Wrong> {
    let remedy = match answer.status {
        403 => "name this host to the sidecar with --mcp-hosts, or let the proxy pass the Host on",
        404 | 405 | 501 => SIDECAR,
        _ => OTHER,
    };
    let mut json = expect_json(answer, 200, remedy)?;
    match json.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(Wrong::new("a JSON-RPC result", answer.shown_content(), OTHER)),
    }
}

/// Opens a session, looks at the tools and calls one, then at what must be refused.
pub(super) fn mcp(client: &Client, reviews: &Reviews) -> Result<Log, Failure> {
    let mut log = Log::default();
    let mut agent = Agent { client, session: None };
    let opened = initialize(&mut agent)?;
    let is_open = opened.is_ok();
    log.judge(Check::Mcp, Level::Fail, "/mcp initialize", opened);
    if !is_open {
        return Ok(log);
    }
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let verdict = agent.status(&agent.message(&notice))?.and_then(|status| is(status, 202, OTHER));
    log.judge(Check::Mcp, Level::Fail, "/mcp notifications/initialized", verdict);
    let verdict = agent.result("tools/list", &json!({}))?.and_then(|result| has_tools(&result));
    log.judge(Check::Mcp, Level::Fail, "/mcp tools/list", verdict);
    let call = json!({ "name": "get_business", "arguments": {} });
    let called = agent.result("tools/call", &call)?;
    let verdict = called.and_then(|result| counts(&result, reviews.list.len()));
    log.judge(Check::Mcp, Level::Fail, "/mcp tools/call get_business", verdict);
    let verdict = preflight(client, routes::MCP, "POST", "mcp-session-id")?;
    log.judge(Check::Mcp, Level::Fail, "/mcp OPTIONS", verdict);
    refusals(&mut agent, &mut log)?;
    strangers(client, &mut log)?;
    Ok(log)
}

fn initialize(agent: &mut Agent<'_>) -> Result<Result<(), Wrong>, Failure> {
    let params = json!({
        "protocolVersion": REVISION, "capabilities": {},
        "clientInfo": { "name": "candor-verify", "version": env!("CARGO_PKG_VERSION") },
    });
    let answer = match answered(agent.client, &agent.request("initialize", &params))? {
        Ok(answer) => answer,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let result = match result_of(&answer) {
        Ok(result) => result,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let version = result["protocolVersion"].as_str().unwrap_or_default();
    if !PROTOCOL_VERSIONS.contains(&version) {
        let expected = format!("protocolVersion {REVISION}");
        let found = format!("protocolVersion {}", result["protocolVersion"]);
        return Ok(Err(Wrong::new(expected, found, OTHER)));
    }
    agent.session = answer.field("mcp-session-id");
    Ok(match &agent.session {
        Some(_) => Ok(()),
        None => Err(Wrong::new("an Mcp-Session-Id", "no Mcp-Session-Id", PASS_ON)),
    })
}

fn is(found: u16, expected: u16, remedy: &str) -> Result<(), Wrong> {
    match found == expected {
        true => Ok(()),
        false => Err(Wrong::new(expected.to_string(), found.to_string(), remedy)),
    }
}

fn has_tools(result: &Value) -> Result<(), Wrong> {
    let no_tools = Vec::new();
    let listed = result["tools"].as_array().unwrap_or(&no_tools);
    let has = |name: &str| listed.iter().any(|tool| tool["name"] == name);
    match TOOLS.iter().find(|tool| !has(tool.name)) {
        None => Ok(()),
        Some(tool) => {
            let found = format!("{} tools without it", listed.len());
            Err(Wrong::new(format!("the tool {}", tool.name), found, OTHER))
        }
    }
}

fn counts(result: &Value, reviews: usize) -> Result<(), Wrong> {
    let found = &result["structuredContent"]["aggregate_rating"]["review_count"];
    match *found == reviews {
        true => Ok(()),
        false => {
            let remedy =
                "the sidecar follows a publication within 60 s: look at its log if this stays";
            Err(Wrong::new(format!("{reviews} reviews"), format!("{found} reviews"), remedy))
        }
    }
}

/// A session is needed, and made-up ones are not taken.
fn refusals(agent: &mut Agent<'_>, log: &mut Log) -> Result<(), Failure> {
    let session = agent.session.take();
    let ask = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&ask)?.and_then(|status| is(status, 400, OTHER));
    log.judge(Check::Mcp, Level::Fail, "/mcp without a session", verdict);
    agent.session = session.map(|id| format!("{id}x"));
    let ask = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&ask)?.and_then(|status| is(status, 404, OTHER));
    log.judge(Check::Mcp, Level::Fail, "/mcp with a made-up session", verdict);
    Ok(())
}

/// Pages of other origins may ask a public server, and none may ask one on its reader's machine.
fn strangers(client: &Client, log: &mut Log) -> Result<(), Failure> {
    let agent = Agent { client, session: None };
    let asks =
        || agent.request("server/discover", &json!({})).with("mcp-protocol-version", REVISION);
    let origin = agent.status(&asks().with("origin", ORIGIN))?;
    if !is_loopback(client.base()) {
        let remedy = "the sidecar lists origins (--mcp-origins): agents in browsers are shut out";
        let verdict = origin.and_then(|status| match status {
            403 => Err(Wrong::new("any Origin", "403", remedy)),
            _ => Ok(()),
        });
        log.judge(Check::Mcp, Level::Warn, "/mcp from another Origin", verdict);
        return Ok(());
    }
    let remedy =
        "any page could ask through its reader's browser (DNS rebinding): let nothing rewrite Host";
    let verdict = origin.and_then(|status| is(status, 403, remedy));
    log.judge(Check::Mcp, Level::Fail, "/mcp from another Origin", verdict);
    let verdict = agent.status(&asks().with("host", FOREIGN_HOST))?;
    let verdict = verdict.and_then(|status| is(status, 403, remedy));
    log.judge(Check::Mcp, Level::Fail, "/mcp under another Host", verdict);
    Ok(())
}

/// Asks the hub for what it must refuse: a callback without TLS.
pub(super) fn hub(client: &Client, manifest: &Manifest) -> Result<Log, Failure> {
    let mut log = Log::default();
    let topic = manifest.topics.first().map_or("", |topic| &topic.url);
    let form = format!(
        "hub.mode=subscribe&hub.topic={}&hub.callback={}",
        encoded(topic),
        encoded(&format!("http://{FOREIGN_HOST}/"))
    );
    let ask = Ask::new("POST", client.url(HUB))
        .with("content-type", "application/x-www-form-urlencoded")
        .with("accept-encoding", "identity")
        .body(form)
        .keeping(MAX_ANSWER);
    let subject = "/api/websub/hub with a plain-http callback";
    match answered(client, &ask)? {
        Ok(answer) if answer.status == 429 => {
            let wrong = Wrong::new("400", "429", "too many ask just now: verify again later");
            log.judge(Check::Hub, Level::Warn, subject, Err(wrong));
        }
        Ok(answer) => log.judge(Check::Hub, Level::Fail, subject, refuses(&answer)),
        Err(wrong) => log.fail(Check::Hub, subject, wrong),
    }
    Ok(log)
}

fn refuses(answer: &Answer) -> Result<(), Wrong> {
    let (said, expected) = (answer.shown_content(), "400 with a reason that says https");
    if answer.status == 400 && said.contains("https") {
        return Ok(());
    }
    let remedy = match answer.status {
        404 | 405 | 501 => HUB_SIDECAR,
        503 => "the hub cannot take requests: look at the sidecar's log and its store",
        _ => OTHER,
    };
    Err(Wrong::new(expected, format!("{}: {said}", answer.shown_status()), remedy))
}
