//! The WebSub hub: who wants to be told of changes, and telling them.
//!
//! ```text
//! POST /api/websub/hub ─ limits ─ request ──▶ worker ──▶ store: pending ──▶ verify ──▶ store: active
//!   (http::hub, any thread)                     │ one thread owns all below
//! publication ── published ── announce ─────────┤──▶ store: content + deliveries, if the hash differs
//!                                               └──▶ deliver: claim ─ lanes ─ client ─▶ subscribers
//!                                                              └── results ──▶ subscription::step ──▶ store
//! ```
//!
//! - `request`, `callback`, `topics`, `limits`: what may be asked for, by whom and how often.
//! - `subscription`: the life of a subscription, a pure function. `store` runs it inside
//!   transactions; nothing else changes a subscription.
//! - `worker` owns the store, the HTTP client and the queues, on a thread of its own: `awc`'s client
//!   cannot leave its thread. `announce`, `verify` and `deliver` are its stages; `lanes` bounds them.
//! - `policy`, `resolver`, `client`: where a connection may lead, and what is said on it.
//! - `clock`, `retry`, `secrets`, `settings`: time, retry delays, keys, configuration.
//! - `health`, `metrics`, `commands`: what operators see and do.

mod announce;
mod callback;
mod client;
mod clock;
mod commands;
mod deliver;
mod health;
mod lanes;
mod limits;
mod metrics;
mod policy;
mod request;
mod resolver;
mod retry;
mod secrets;
mod settings;
mod start;
mod store;
mod subscription;
mod topics;
mod verify;
mod worker;

pub use clock::Clock;
pub use commands::{StoreAdmin, StoreAdminError};
pub use resolver::Lookup;
pub use retry::{BadDelays, RetryDelays};
pub use secrets::KeyError;
pub use settings::{HubConfig, HubLimits, HubTimeouts};
pub use start::HubError;
pub use store::{Listed, StoreError};

pub(crate) use limits::RateLimited;
pub(crate) use request::Request;
pub(crate) use start::{Hub, HubHandle, Refused};
pub(crate) use topics::Topics;
