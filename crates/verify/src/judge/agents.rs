//! `/mcp` and the hub: what an agent's client and a subscriber with a wrong callback must receive
//! (docs/mcp.md, "Protocol"; docs/hub.md, "For subscribers").

use serde_json::Value;

use super::responses::{self, json};
use crate::{fetch::response::Response, report::Mismatch};
use contract::mcp::{PROTOCOL_VERSIONS, TOOLS};

const SIDECAR: &str = "start candor-sidecar and send POST /mcp to it with the site's Host, or publish with [sidecar] enabled = false";
const HUB_SIDECAR: &str = "start candor-sidecar and send POST /api/websub/hub to it, or publish with [sidecar] enabled = false";
const PASS_ON: &str = "let the proxy pass this header on";
const OTHER: &str = "check which server responds: it is not this version of candor-sidecar";

/// The result of a JSON-RPC request.
pub(crate) fn result(response: &Response) -> Result<Value, Mismatch> {
    let remedy = match response.status {
        403 => "name this host to the sidecar with --mcp-hosts, or let the proxy pass the Host on",
        404 | 405 | 501 => SIDECAR,
        _ => OTHER,
    };
    let mut json = json(response, 200, remedy)?;
    match json.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(Mismatch::new("a JSON-RPC result", response.shown_content(), OTHER)),
    }
}

/// Whether the server chose a revision of the protocol that it may choose.
pub(crate) fn speaks(result: &Value, revision: &str) -> Result<(), Mismatch> {
    let found = &result["protocolVersion"];
    if PROTOCOL_VERSIONS.contains(&found.as_str().unwrap_or_default()) {
        return Ok(());
    }
    let expected = format!("protocolVersion {revision}");
    Err(Mismatch::new(expected, format!("protocolVersion {found}"), OTHER))
}

/// Whether a session was opened.
pub(crate) fn has_session(session: Option<&str>) -> Result<(), Mismatch> {
    match session {
        Some(_) => Ok(()),
        None => Err(Mismatch::new("an Mcp-Session-Id", "no Mcp-Session-Id", PASS_ON)),
    }
}

/// Whether a status is the sidecar's.
pub(crate) fn is(found: u16, expected: u16) -> Result<(), Mismatch> {
    responses::status(found, expected, OTHER)
}

/// Whether every tool is listed that a site with or without a transparency log offers.
pub(crate) fn has_tools(result: &Value, has_log: bool) -> Result<(), Mismatch> {
    let no_tools = Vec::new();
    let listed = result["tools"].as_array().unwrap_or(&no_tools);
    let has = |name: &str| listed.iter().any(|tool| tool["name"] == name);
    let mut offered = TOOLS.iter().filter(|tool| tool.is_offered(has_log));
    match offered.find(|tool| !has(tool.name.as_str())) {
        None => Ok(()),
        Some(tool) => {
            let found = format!("{} tools without it", listed.len());
            Err(Mismatch::new(format!("the tool {}", tool.name), found, OTHER))
        }
    }
}

/// Whether the business has this many reviews.
pub(crate) fn counts(result: &Value, reviews: usize) -> Result<(), Mismatch> {
    let found = &result["structuredContent"]["aggregate_rating"]["review_count"];
    if *found == reviews {
        Ok(())
    } else {
        let remedy =
            "the sidecar loads a publication within 60 s: check its log if the fault persists";
        Err(Mismatch::new(format!("{reviews} reviews"), format!("{found} reviews"), remedy))
    }
}

/// Whether a public server answers pages of other origins.
pub(crate) fn allows_origin(status: u16) -> Result<(), Mismatch> {
    match status {
        403 => {
            let remedy =
                "the sidecar lists origins (--mcp-origins): agents in browsers are shut out";
            Err(Mismatch::new("any Origin", "403", remedy))
        }
        _ => Ok(()),
    }
}

/// Whether a server on its reader's machine refuses other names and origins. A server in front of the
/// sidecar may have no site of that name, and answers as it likes: only an answer of MCP is one.
pub(crate) fn refuses_rebinding(response: &Response) -> Result<(), Mismatch> {
    let is_answered = response.json().is_ok_and(|answer| answer.get("jsonrpc").is_some());
    if !is_answered {
        return Ok(());
    }
    let remedy = "any web page could send requests through a visitor's browser (DNS rebinding): do not rewrite Host in the proxy";
    responses::status(response.status, 403, remedy)
}

/// The hub refuses for a reason of its own.
pub(crate) fn too_many() -> Mismatch {
    Mismatch::new("400", "429", "too many ask just now: verify again later")
}

/// Whether the hub refuses a callback without TLS, with a reason.
pub(crate) fn refuses(response: &Response) -> Result<(), Mismatch> {
    let (said, expected) = (response.shown_content(), "400 with a reason that says https");
    if response.status == 400 && said.contains("https") {
        return Ok(());
    }
    let remedy = match response.status {
        404 | 405 | 501 => HUB_SIDECAR,
        503 => "the hub cannot take requests: look at the sidecar's log and its store",
        _ => OTHER,
    };
    Err(Mismatch::new(expected, format!("{}: {said}", response.shown_status()), remedy))
}
