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
//! - `load`, `reload`, `published`, `snapshot`, `urls`: one publication, how it becomes current,
//!   and which URL is which file.
//! - `http`, `admin`: the answers.
//! - `hub`: subscribers, and telling them of changes. [`Keeper`] is what its operator does with the
//!   store beside a running sidecar.

mod admin;
mod config;
mod fingerprint;
mod http;
mod hub;
mod index;
mod load;
mod objects;
mod published;
mod reload;
mod server;
mod snapshot;
mod state;
mod urls;

pub use config::{Config, ConfigError, LOCK_WAIT, POLL_INTERVAL, REFUSAL_LIMIT, SHUTDOWN_TIMEOUT};
pub use hub::{
    BadDelays, CaError, Clock, HubConfig, HubError, HubLimits, HubTimeouts, Keeper, KeeperError,
    KeyError, Listed, Lookup, RetryDelays, StoreError,
};
pub use server::{Handle, Sidecar, StartError, serve};
pub use state::StateError;
