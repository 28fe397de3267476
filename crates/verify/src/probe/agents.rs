//! `/mcp` as an agent's client meets it (docs/mcp.md, "Protocol"), and the hub as a subscriber with a
//! wrong callback does (docs/hub.md, "For subscribers"). No request leaves a trace.

use contract::{
    manifest::Manifest,
    query::encoded,
    routes::{HUB, MCP},
};
use serde_json::{Value, json};

use super::{
    ORIGIN,
    requests::{preflight, send},
};
use crate::{
    fetch::client::{Failure, Request, SiteClient},
    judge::{agents as judge, content::Reviews},
    report::{Check, Findings, Level, Mismatch},
};
use system::download::is_loopback;

/// The revision of the handshake; the one the contract's examples use.
const REVISION: &str = "2025-06-18";
/// Largest response: 1 MiB. A tool's text stays under 64 KiB.
const MAX_ANSWER: u64 = 1 << 20;
/// A name no server has (RFC 6761).
const FOREIGN_HOST: &str = "candor-verify.invalid";

/// One session.
struct Agent<'a> {
    client: &'a SiteClient,
    session: Option<String>,
}

impl Agent<'_> {
    fn message(&self, message: &Value) -> Request {
        let request = Request::new("POST", self.client.url(MCP))
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
            .with("accept-encoding", "identity")
            .body(message.to_string())
            .keeping(MAX_ANSWER);
        match &self.session {
            Some(session) => {
                request.with("mcp-session-id", session).with("mcp-protocol-version", REVISION)
            }
            None => request,
        }
    }

    fn request(&self, method: &str, params: &Value) -> Request {
        self.message(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    /// The result of a request.
    fn result(&self, method: &str, params: &Value) -> Result<Result<Value, Mismatch>, Failure> {
        let response = send(self.client, &self.request(method, params))?;
        Ok(response.and_then(|response| judge::result(&response)))
    }

    fn status(&self, request: &Request) -> Result<Result<u16, Mismatch>, Failure> {
        Ok(send(self.client, request)?.map(|response| response.status))
    }
}

/// Opens a session, looks at the tools and calls one, then at what must be refused. `has_log`: the
/// site publishes a transparency log.
pub(crate) fn mcp(
    client: &SiteClient,
    reviews: &Reviews,
    has_log: bool,
) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let mut agent = Agent { client, session: None };
    let opened = initialize(&mut agent)?;
    let is_open = opened.is_ok();
    findings.judge(Check::Mcp, Level::Fail, "/mcp initialize", opened);
    if !is_open {
        return Ok(findings);
    }
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let verdict = agent.status(&agent.message(&notice))?.and_then(|status| judge::is(status, 202));
    findings.judge(Check::Mcp, Level::Fail, "/mcp notifications/initialized", verdict);
    let listed = agent.result("tools/list", &json!({}))?;
    let verdict = listed.and_then(|result| judge::has_tools(&result, has_log));
    findings.judge(Check::Mcp, Level::Fail, "/mcp tools/list", verdict);
    let call = json!({ "name": "get_business", "arguments": {} });
    let called = agent.result("tools/call", &call)?;
    let verdict = called.and_then(|result| judge::counts(&result, reviews.list.len()));
    findings.judge(Check::Mcp, Level::Fail, "/mcp tools/call get_business", verdict);
    let verdict = preflight(client, MCP, "POST", "mcp-session-id")?;
    findings.judge(Check::Mcp, Level::Fail, "/mcp OPTIONS", verdict);
    refusals(&mut agent, &mut findings)?;
    foreign_origins(client, &mut findings)?;
    Ok(findings)
}

fn initialize(agent: &mut Agent<'_>) -> Result<Result<(), Mismatch>, Failure> {
    let params = json!({
        "protocolVersion": REVISION, "capabilities": {},
        "clientInfo": { "name": "candor-verify", "version": env!("CARGO_PKG_VERSION") },
    });
    let response = match send(agent.client, &agent.request("initialize", &params))? {
        Ok(response) => response,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    let result = match judge::result(&response) {
        Ok(result) => result,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    if let Err(mismatch) = judge::speaks(&result, REVISION) {
        return Ok(Err(mismatch));
    }
    agent.session = response.field("mcp-session-id");
    Ok(judge::has_session(agent.session.as_deref()))
}

/// A session is needed, and made-up ones are not taken.
fn refusals(agent: &mut Agent<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let session = agent.session.take();
    let request = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&request)?.and_then(|status| judge::is(status, 400));
    findings.judge(Check::Mcp, Level::Fail, "/mcp without a session", verdict);
    agent.session = session.map(|id| format!("{id}x"));
    let request = agent.request("tools/list", &json!({}));
    let verdict = agent.status(&request)?.and_then(|status| judge::is(status, 404));
    findings.judge(Check::Mcp, Level::Fail, "/mcp with a made-up session", verdict);
    Ok(())
}

/// Pages of other origins may ask a public server, and none may ask one on its reader's machine.
fn foreign_origins(client: &SiteClient, findings: &mut Findings) -> Result<(), Failure> {
    let agent = Agent { client, session: None };
    let requests =
        || agent.request("server/discover", &json!({})).with("mcp-protocol-version", REVISION);
    let origin = send(client, &requests().with("origin", ORIGIN))?;
    let subject = "/mcp from another Origin";
    if !is_loopback(client.base()) {
        let verdict = origin.and_then(|response| judge::allows_origin(response.status));
        findings.judge(Check::Mcp, Level::Warn, subject, verdict);
        return Ok(());
    }
    let verdict = origin.and_then(|response| judge::refuses_rebinding(&response));
    findings.judge(Check::Mcp, Level::Fail, subject, verdict);
    let host = send(client, &requests().with("host", FOREIGN_HOST))?;
    let verdict = host.and_then(|response| judge::refuses_rebinding(&response));
    findings.judge(Check::Mcp, Level::Fail, "/mcp under another Host", verdict);
    Ok(())
}

/// Requests what the hub must refuse: a callback without TLS.
pub(crate) fn hub(client: &SiteClient, manifest: &Manifest) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let topic = manifest.topics.first().map_or("", |topic| &topic.url);
    let form = format!(
        "hub.mode=subscribe&hub.topic={}&hub.callback={}",
        encoded(topic),
        encoded(&format!("http://{FOREIGN_HOST}/"))
    );
    let request = Request::new("POST", client.url(HUB))
        .with("content-type", "application/x-www-form-urlencoded")
        .with("accept-encoding", "identity")
        .body(form)
        .keeping(MAX_ANSWER);
    let subject = "/api/websub/hub with a plain-http callback";
    match send(client, &request)? {
        Ok(response) if response.status == 429 => {
            findings.judge(Check::Hub, Level::Warn, subject, Err(judge::too_many()));
        }
        Ok(response) => findings.judge(Check::Hub, Level::Fail, subject, judge::refuses(&response)),
        Err(mismatch) => findings.fail(Check::Hub, subject, mismatch),
    }
    Ok(findings)
}
