//! The sidecar of a published review site. It serves the routes that files cannot, from the
//! published files, and on request those files themselves with the ETags of the manifest.
//!
//! ```text
//! public/ ──reload (watch, poll)──▶ load (check every hash) ──▶ objects in the state directory
//!                                        │ complete                    │ bytes
//!                                        ▼                             ▼
//!                                   published ──current snapshot──▶ http ──▶ clients
//!                                        └──────────────────────────▶ admin ──▶ probes
//! ```
//!
//! - [`Config`] has the paths and timeouts, [`limits`] the values that no setting changes. [`serve`] makes a
//!   [`Sidecar`] of a configuration and bound listeners; it runs until its [`Handle`] stops it.
//! - [`StoreAdmin`] lists, ends and blocks the hub's subscriptions, and replaces a lost store.
//! - [`index`] is the search index.
//!
//! Each module is a folder but `config`. It uses no module that is listed after it:
//!
//! - `runtime`: the common parts, such as [`limits`], threads, random numbers, the state directory.
//! - `transport`: connections below HTTP, the disconnection of slow clients, the shares of client
//!   networks, counts of traffic.
//! - `data`: the data derived from one publication: its reviews, [`index`], the names in queries, the
//!   transparency log, and what the MCP tools need in addition.
//! - `source`: the sources of publications, a folder or a web server, and the immutable copies of
//!   their files.
//! - `publication`: one publication, the file of each URL, and the current publication of a site.
//! - `sites`: the sites of the process, and the site of each host name.
//! - `hub`: the WebSub hub.
//! - `http`: the routes of the main listener, with `/mcp`.
//! - `config`: the settings of all these.
//! - `loading`: the checks by which a publication becomes current.
//! - `server`: the listeners, the health checks and metrics, the start of the service, and the tools for
//!   one client over lines.
//!
//! The program has one more module, `cli`: the command line.

mod config;
mod data;
mod http;
mod hub;
mod loading;
mod publication;
mod runtime;
mod server;
mod sites;
mod source;
mod transport;

pub use config::{
    Config, ConfigError, LOCK_WAIT, MAX_LARGE_RESPONSES, MAX_MEMORY, MAX_PUBLICATION,
    MAX_RESPONSES, POLL_INTERVAL, REFUSAL_LIMIT, REMOTE_POLL_INTERVAL, SETTLE, SHUTDOWN_TIMEOUT,
    SITES_MEMORY, STALL_TIMEOUT,
};
pub use data::index;
pub use http::mcp::{BadName, KeyError, MESSAGE_TIMEOUT, McpConfig};
pub use hub::{
    BadDelays, Clock, HubConfig, HubError, HubLimits, HubTimeouts, KeyError as HubKeyError,
    NameLookup, RetryDelays, StoreAdmin, StoreAdminError, StoreError, SubscriptionInfo,
};
pub use runtime::{limits, outgoing::CaError, state::StateError};
pub use server::{
    agents::{AgentsConfig, AgentsError, answer_agents},
    start::{Handle, Sidecar, StartError, serve},
};
pub use sites::{ListError, Publications};
pub use source::{BadAddress, Public, RemoteConfig, SiteUrl};
