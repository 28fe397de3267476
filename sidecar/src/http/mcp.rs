//! The reviews as an agent's tools: the Model Context Protocol at `/mcp` (docs/mcp.md, "Protocol").
//!
//! ```text
//! request ─▶ hosts ─▶ headers ─▶ body ─▶ gate ─┐
//!                                              ├─▶ exchange ─▶ message ─▶ dispatch ─▶ tools, …
//! line ────▶ lines ────────────────────────────┘
//! ```
//!
//! - `layer` is the route; `hosts`, `headers`, `body`, `session` and `keys` are parts of its checks. Nothing is stored
//!   per session.
//! - `lines` is one client over standard input and output.
//! - `exchange` responds to messages of both, and makes JSON-RPC of every refusal; `message` parses a message.
//! - `dispatch` has the result of each method, in the types of the official SDK.
//! - `served` has the publication or the publications to answer from.
//! - `catalog` has the lists of a publication: tools, resources, prompts, instructions, identity.
//! - `apps` is the view of clients that show results as a page.
//! - `tools`, `resources`, `prompts`, `completions` answer; `text` and `fit` adapt results to agents.

mod apps;
mod body;
mod catalog;
mod completions;
mod dispatch;
mod examples;
mod exchange;
mod fit;
mod headers;
mod hosts;
mod keys;
mod layer;
mod lines;
mod message;
mod prompts;
mod resources;
mod served;
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
pub use settings::{BadName, MESSAGE_TIMEOUT, McpConfig};

/// The settings and keys by which the route checks requests.
pub(crate) struct Mcp {
    hosts: hosts::Policy,
    keys: keys::Keys,
    body_timeout: Duration,
}

impl Mcp {
    /// Reads or makes the session key. Blocks. The state directory must be locked already. A fault of the key is
    /// reported.
    ///
    /// # Errors
    /// When the system provides no random numbers.
    pub(crate) fn open(
        config: &McpConfig,
        state: &Path,
        degraded: &Degraded,
    ) -> Result<Self, KeyError> {
        let keys = keys::Keys::open(config.session_keys.as_deref(), state, degraded)?;
        let hosts = hosts::Policy::new(&config.hosts, &config.origins);
        Ok(Self { hosts, keys, body_timeout: config.body_timeout })
    }
}
