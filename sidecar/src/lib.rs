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
//! - [`Config`] has the paths and timeouts, [`limits`] what no setting changes. [`serve`] makes a
//!   [`Sidecar`] of a configuration and bound listeners; it runs until its [`Handle`] stops it.
//! - `state`: the state directory and its lock.
//! - `source`: where publications come from, a folder or a web server, and the immutable copies of
//!   their files; `outgoing` is what all HTTP clients share.
//! - `site`, `sites`: the sites of the process, and which of them a host name means.
//! - `load`, `timeline`, `reload`, `published`, `snapshot`, `urls`: one publication, how it becomes current,
//!   and which URL is which file.
//! - `collection`, `arena`, `names`, `per_review`, `deflate`: the reviews of a publication, the
//!   position of each in the published bytes, the words and insights they are selected by, and the
//!   gzip stream of `since`.
//! - [`index`]: the search index.
//! - `facts`, `transparency`, `catalog`: what the MCP tools need in addition to the reviews.
//! - `listener`, `connection`, `pipeline`: the server, the disconnection of slow clients, and one
//!   request at a time on each connection; `shares` bounds what one client network holds.
//! - `traffic` counts what the server receives and sends; `log_budget` bounds what is logged of it.
//! - `http`, `admin`: the routes of the main listener and of the health checks; `site_reports` tells
//!   the latter which sites there are, `imports` when each source was last imported, `degraded` what the sidecar runs without,
//!   `process` what it uses.
//! - `hub`: the WebSub hub. [`StoreAdmin`] lists, removes, exports and imports subscriptions.

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
pub use http::mcp::{BadName, KeyError, MESSAGE_TIMEOUT, McpConfig, McpServer};
pub use hub::{
    BadDelays, Clock, HubConfig, HubError, HubLimits, HubTimeouts, KeyError as HubKeyError,
    NameLookup, RetryDelays, StoreAdmin, StoreAdminError, StoreError, SubscriptionInfo,
};
pub use runtime::limits;
pub use runtime::outgoing::CaError;
pub use runtime::state::StateError;
pub use server::start::{Handle, Sidecar, StartError, serve};
pub use sites::{ListError, Publications};
pub use source::{BadAddress, Public, RemoteConfig, SiteUrl};
