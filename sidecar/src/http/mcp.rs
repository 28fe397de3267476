//! The reviews as an agent's tools: the Model Context Protocol at `/mcp` (docs/mcp.md, "Protocol").
//!
//! ```text
//! request ─▶ hosts ─▶ headers ─▶ body ─▶ gate ─▶ message ─▶ session ─┬─▶ direct   the ordinary call
//!                                                                    └─▶ sdk ─▶ server   the rest
//!                                               tools ◀── both ask ──┘
//! line ────▶ lines ────────────────────────▶ message ─▶ …
//! ```
//!
//! - `layer` makes every check in order and turns every refusal into JSON-RPC; `hosts`, `body`,
//!   `message`, `session` and `keys` are its parts. Nothing is kept per session.
//! - `sdk` mounts the official SDK's stateless service in actix-web; `server` is what it asks.
//! - `direct` answers tool calls without the SDK where nothing about them is unusual, from the
//!   published bytes; a test holds both ways to the same answers.
//! - `lines` is the same for one client over standard input and output.
//! - `served` is the publication that answers, or several.
//! - `catalog` is what a publication offers: tools, resources, prompts, instructions, identity.
//! - `tools`, `resources`, `prompts`, `completions` answer; `text` and `fit` shape what agents read.

mod body;
mod catalog;
mod completions;
mod direct;
mod examples;
mod fit;
mod hosts;
mod keys;
mod layer;
mod lines;
mod message;
mod prompts;
mod resources;
mod sdk;
mod served;
mod server;
mod session;
mod settings;
mod text;
mod tools;

use std::{path::Path, time::Duration};

use crate::runtime::degraded::Degraded;

pub(crate) use layer::{response, wrong_method};
pub(crate) use lines::LineSession;
pub(crate) use served::{Served, ServedSite};

pub use keys::KeyError;
pub use sdk::McpServer;
pub use settings::{BadName, MESSAGE_TIMEOUT, McpConfig};

/// Everything the route answers with.
pub(crate) struct Mcp {
    hosts: hosts::Policy,
    keys: keys::Keys,
    /// In place of the own server of each publication.
    server: Option<McpServer>,
    direct: bool,
    body_timeout: Duration,
}

impl Mcp {
    /// Reads or makes the session key. Blocks. The state directory must be held already. What is
    /// wrong with the key is reported.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub(crate) fn open(
        config: &McpConfig,
        state: &Path,
        degraded: &Degraded,
    ) -> Result<Self, KeyError> {
        let keys = keys::Keys::open(config.session_keys.as_deref(), state, degraded)?;
        let hosts = hosts::Policy::new(&config.hosts, &config.origins);
        let (server, body_timeout) = (config.server.clone(), config.body_timeout);
        // The direct way answers from the reviews alone.
        let direct = config.direct && server.is_none();
        Ok(Self { hosts, keys, server, direct, body_timeout })
    }

    /// What answers from these publications.
    fn server(&self, served: &Served) -> McpServer {
        let own = || McpServer::new(server::Server::new(served.clone()));
        self.server.clone().unwrap_or_else(own)
    }
}
