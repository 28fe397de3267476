//! A client of the Model Context Protocol that hides nothing.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::{Answer, Request, Running};

pub(crate) const MCP: &str = "/mcp";
pub(crate) const STATELESS: &str = "2026-07-28";

/// The two eras of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Session,
    Stateless,
}

/// A client of one server, in one era.
pub(crate) struct Agent {
    pub(crate) address: SocketAddr,
    pub(crate) session: String,
    era: Era,
    /// The capabilities that the client has.
    capabilities: Value,
}

/// A message under a loopback Host, with the headers every one must have.
pub(crate) fn post(body: impl Into<Vec<u8>>) -> Request {
    Request::new("POST", MCP)
        .host("localhost")
        .with("Content-Type", "application/json")
        .with("Accept", "application/json, text/event-stream")
        .body(body)
}

/// The handshake's first message, of a client without capabilities.
pub(crate) fn initialize(version: &str) -> String {
    handshake(version, &json!({}))
}

fn handshake(version: &str, capabilities: &Value) -> String {
    json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": { "name": "suite", "version": "1" },
        },
    })
    .to_string()
}

/// What a stateless message carries in its parameters.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "suite", "version": "1" },
    })
}

impl Agent {
    /// After the handshake.
    pub(crate) fn new(running: &Running) -> Self {
        Self::of(running.address, Era::Session)
    }

    pub(crate) fn of(address: SocketAddr, era: Era) -> Self {
        Self::with(address, era, json!({}))
    }

    /// A client with these capabilities.
    pub(crate) fn with(address: SocketAddr, era: Era, capabilities: Value) -> Self {
        let mut agent = Self { address, session: String::new(), era, capabilities };
        if era == Era::Session {
            let opened = post(handshake("2025-06-18", &agent.capabilities)).send(address);
            assert_eq!(opened.status, 200, "{}", opened.text());
            agent.session = opened.field("mcp-session-id").unwrap().to_owned();
        }
        agent
    }

    /// The request for a method, right in every respect.
    pub(crate) fn request(&self, method: &str, mut params: Value) -> Request {
        if self.era == Era::Stateless {
            params["_meta"] = meta();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                self.capabilities.clone();
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = post(body.to_string());
        match self.era {
            Era::Session => request
                .with("Mcp-Session-Id", &self.session)
                .with("MCP-Protocol-Version", "2025-06-18"),
            Era::Stateless => {
                let request = request.with("MCP-Protocol-Version", STATELESS);
                let request = request.with("Mcp-Method", method);
                let named = ["name", "uri"].into_iter().find_map(|key| params[key].as_str());
                match named.filter(|_| method != "completion/complete") {
                    Some(name) => request.with("Mcp-Name", name),
                    None => request,
                }
            }
        }
    }

    pub(crate) fn send(&self, method: &str, params: Value) -> Answer {
        self.request(method, params).send(self.address)
    }

    /// The result, which there must be.
    pub(crate) fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.send(method, params);
        assert_eq!(answer.status, 200, "{method}: {}", answer.text());
        let mut answer = answer.json();
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The JSON-RPC error, which there must be.
    pub(crate) fn fail(&self, method: &str, params: Value) -> Value {
        let mut answer = self.send(method, params).json();
        assert!(answer.get("result").is_none(), "{method}: {answer}");
        answer["error"].take()
    }

    /// The result of a tool, error or not.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The structured answer of a tool, which its text must repeat.
    pub(crate) fn data(&self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let text = result["content"][0]["text"].take();
        let data = result["structuredContent"].take();
        assert_eq!(serde_json::from_str::<Value>(text.as_str().unwrap()).unwrap(), data, "{tool}");
        data
    }

    /// What is said beside the data.
    pub(crate) fn hint(&self, tool: &str, arguments: Value) -> Option<String> {
        let result = self.call(tool, arguments);
        result["content"].get(1).map(|content| content["text"].as_str().unwrap().to_owned())
    }

    /// What a tool says of a call it cannot answer.
    pub(crate) fn mistake(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result.get("structuredContent").is_none());
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}
