//! `/mcp` as an agent's client meets it (contract section 6), and the hub as a subscriber with a
//! wrong callback does (section 7). Nothing that is asked leaves a trace.

use contract::{
    manifest::Manifest,
    query::encoded,
    routes::{HUB, MCP},
};
use serde_json::{Value, json};

use super::questions::{answered, preflight};
use crate::verify::{
    ORIGIN,
    fetch::client::{Ask, Client, Failure},
    judge::{agents as judge, content::Reviews, site::is_loopback},
    report::{Check, Level, Log, Wrong},
};

/// The revision of the handshake; the one the contract's examples use.
const REVISION: &str = "2025-06-18";
/// Largest answer: 1 MiB. A tool's text stays under 64 KiB.
const MAX_ANSWER: u64 = 1 << 20;
/// A name no server has (RFC 6761).
const FOREIGN_HOST: &str = "candor-verify.invalid";

/// One session.
struct Agent<'a> {
    client: &'a Client,
    session: Option<String>,
}

impl Agent<'_> {
    fn message(&self, message: &Value) -> Ask {
        let ask = Ask::new("POST", self.client.url(MCP))
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
        Ok(answer.and_then(|answer| judge::result(&answer)))
    }

    fn status(&self, ask: &Ask) -> Result<Result<u16, Wrong>, Failure> {
        Ok(answered(self.client, ask)?.map(|answer| answer.status))
    }
}

/// Opens a session, looks at the tools and calls one, then at what must be refused.
pub(crate) fn mcp(client: &Client, reviews: &Reviews) -> Result<Log, Failure> {
    let mut log = Log::default();
    let mut agent = Agent { client, session: None };
    let opened = initialize(&mut agent)?;
    let is_open = opened.is_ok();
    log.judge(Check::Mcp, Level::Fail, "/mcp initialize", opened);
    if !is_open {
        return Ok(log);
    }
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let verdict = agent.status(&agent.message(&notice))?.and_then(|status| judge::is(status, 202));
    log.judge(Check::Mcp, Level::Fail, "/mcp notifications/initialized", verdict);
    let verdict =
        agent.result("tools/list", &json!({}))?.and_then(|result| judge::has_tools(&result));
    log.judge(Check::Mcp, Level::Fail, "/mcp tools/list", verdict);
    let call = json!({ "name": "get_business", "arguments": {} });
    let called = agent.result("tools/call", &call)?;
    let verdict = called.and_then(|result| judge::counts(&result, reviews.list.len()));
    log.judge(Check::Mcp, Level::Fail, "/mcp tools/call get_business", verdict);
    let verdict = preflight(client, MCP, "POST", "mcp-session-id")?;
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
    let result = match judge::result(&answer) {
        Ok(result) => result,
        Err(wrong) => return Ok(Err(wrong)),
    };
    if let Err(wrong) = judge::speaks(&result, REVISION) {
        return Ok(Err(wrong));
    }
    agent.session = answer.field("mcp-session-id");
    Ok(judge::has_session(agent.session.as_deref()))
}

/// A session is needed, and made-up ones are not taken.
fn refusals(agent: &mut Agent<'_>, log: &mut Log) -> Result<(), Failure> {
    let session = agent.session.take();
    let ask = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&ask)?.and_then(|status| judge::is(status, 400));
    log.judge(Check::Mcp, Level::Fail, "/mcp without a session", verdict);
    agent.session = session.map(|id| format!("{id}x"));
    let ask = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&ask)?.and_then(|status| judge::is(status, 404));
    log.judge(Check::Mcp, Level::Fail, "/mcp with a made-up session", verdict);
    Ok(())
}

/// Pages of other origins may ask a public server, and none may ask one on its reader's machine.
fn strangers(client: &Client, log: &mut Log) -> Result<(), Failure> {
    let agent = Agent { client, session: None };
    let asks =
        || agent.request("server/discover", &json!({})).with("mcp-protocol-version", REVISION);
    let origin = agent.status(&asks().with("origin", ORIGIN))?;
    let subject = "/mcp from another Origin";
    if !is_loopback(client.base()) {
        log.judge(Check::Mcp, Level::Warn, subject, origin.and_then(judge::allows_origin));
        return Ok(());
    }
    log.judge(Check::Mcp, Level::Fail, subject, origin.and_then(judge::refuses_rebinding));
    let host = agent.status(&asks().with("host", FOREIGN_HOST))?;
    let verdict = host.and_then(judge::refuses_rebinding);
    log.judge(Check::Mcp, Level::Fail, "/mcp under another Host", verdict);
    Ok(())
}

/// Asks the hub for what it must refuse: a callback without TLS.
pub(crate) fn hub(client: &Client, manifest: &Manifest) -> Result<Log, Failure> {
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
            log.judge(Check::Hub, Level::Warn, subject, Err(judge::too_many()));
        }
        Ok(answer) => log.judge(Check::Hub, Level::Fail, subject, judge::refuses(&answer)),
        Err(wrong) => log.fail(Check::Hub, subject, wrong),
    }
    Ok(log)
}
