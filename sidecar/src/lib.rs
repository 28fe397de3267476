//! The sidecar of a published review site: it answers what no file can, from the very files that
//! were published, and on request serves those files with the tags the manifest gives them.
//!
//! ```text
//! public/ ──reload (watch, poll)──▶ load (check every hash) ──▶ objects in the state directory
//!                                        │ whole                       │ bytes
//!                                        ▼                             ▼
//!                                   published ──current snapshot──▶ http ──▶ clients
//!                                        └──────────────────────────▶ admin ──▶ probes
//! ```
//!
//! - [`Config`] says where things are and how long they may take; [`serve`] turns it and bound
//!   listeners into a [`Sidecar`], which runs until its [`Handle`] stops it.
//! - `state`, `objects`: the state directory, its lock, and the immutable copies inside.
//! - `source`: where publications come from, a folder or a web server; `outgoing` is what all HTTP
//!   clients share.
//! - `load`, `reload`, `published`, `snapshot`, `urls`: one publication, how it becomes current,
//!   and which URL is which file.
//! - `collection`, `arena`, `names`, `deflate`: the reviews of a publication, where each lies in the
//!   published bytes, who mentions whom, and all of `since` in gzip.
//! - [`index`]: search, exact and fast whatever the needle.
//! - `facts`: what else is known of a publication, for agents.
//! - `listener`, `connection`: the server, and clients that keep it waiting.
//! - `http`, `mcp`, `admin`: the answers.
//! - `hub`: subscribers, and telling them of changes. [`StoreAdmin`] is what its operator does with the
//!   store beside a running sidecar.

mod admin;
mod arena;
mod catalog;
mod collection;
mod config;
mod connection;
mod deflate;
mod facts;
mod http;
mod hub;
pub mod index;
pub mod limits;
mod listener;
mod load;
mod names;
mod outgoing;
mod published;
mod random;
mod reload;
mod server;
mod signal;
mod snapshot;
mod source;
mod state;
mod stop;
mod urls;

pub use config::{
    Config, ConfigError, LOCK_WAIT, MAX_ANSWERS, MAX_LARGE_ANSWERS, POLL_INTERVAL, REFUSAL_LIMIT,
    REMOTE_POLL_INTERVAL, SETTLE, SHUTDOWN_TIMEOUT, STALL_TIMEOUT,
};
pub use http::mcp::{BadName, KeyError, MESSAGE_TIMEOUT, McpConfig, McpServer};
pub use hub::{
    BadDelays, Clock, HubConfig, HubError, HubLimits, HubTimeouts, KeyError as HubKeyError,
    NameLookup, RetryDelays, StoreAdmin, StoreAdminError, StoreError, SubscriptionInfo,
};
pub use outgoing::CaError;
pub use server::{Handle, Sidecar, StartError, serve};
pub use source::{BadAddress, Public, RemoteConfig, SiteUrl};
pub use state::StateError;
