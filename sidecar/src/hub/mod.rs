//! The WebSub hub: subscriptions to topics, and the delivery of their changes.
//!
//! ```text
//! POST /api/websub/hub ─ limits ─ request ──▶ verifier ──▶ store: pending
//!   (http::hub, any thread)                      └─ calls ─ client ─▶ subscribers
//! publication ──▶ announcer ──▶ store: content + deliveries, if the hash differs
//!                     └──▶ deliverer: claim ─ calls ─ client ─▶ subscribers
//! results of both ──▶ recorder ──▶ store, by subscription::step
//! ```
//!
//! - `request`, `callback`, `topics`, `limits`: the form of requests, and the limits on their clients and rates.
//! - `subscription`: the states of a subscription, a pure function. `store` runs it inside
//!   transactions; nothing else changes a subscription.
//! - `stages` connects the four stages, which share one thread: `announce`, `verify`, `deliver` and `record`. Each has
//!   a `run` loop and owns its own state; `context` is the state of all of them, and messages join them.
//! - `calls`, `host_queues`, `content`, `denial`: calls in progress, their limits by host, their bodies.
//! - `policy`, `resolver`, `connector`, `client`: the addresses that may be connected to, and the HTTP requests.
//! - `opening`: the store and the key, also when one of them is damaged.
//! - `clock`, `timer`, `retry`, `secrets`, `settings`: time, timers, retry delays, keys, configuration.
//! - `health`, `metrics`, `commands`: reports and commands for operators.

/// Waits for the first of several events. In tests a seed decides which one of those that are ready it is.
#[cfg(not(test))]
macro_rules! select {
    ($($branches:tt)*) => { tokio::select! { $($branches)* } };
}
#[cfg(test)]
macro_rules! select {
    ($($branches:tt)*) => {
        tokio::select!(@{ start = crate::runtime::random::seeded::below(BRANCHES); () } $($branches)*)
    };
}

mod announce;
mod callback;
mod calls;
mod client;
mod clock;
mod commands;
mod connector;
mod content;
mod context;
mod deliver;
mod denial;
mod health;
mod host_queues;
mod limits;
mod metrics;
mod opening;
mod policy;
mod record;
mod request;
mod resolver;
mod retry;
mod secrets;
#[cfg(test)]
#[path = "../../tests/seeds/mod.rs"]
mod seeds;
mod settings;
mod stages;
mod start;
mod store;
mod subscription;
mod timer;
mod topics;
mod verify;

pub use clock::Clock;
pub use commands::{StoreAdmin, StoreAdminError};
pub use resolver::NameLookup;
pub use retry::{BadDelays, RetryDelays};
pub use secrets::KeyError;
pub use settings::{HubConfig, HubLimits, HubTimeouts};
pub use start::HubError;
pub use store::{StoreError, SubscriptionInfo};

pub(crate) use limits::{Client, RateLimited};
pub(crate) use request::{BadRequest, HubRequest};
pub(crate) use start::{Hub, HubHandle, Refused};
pub(crate) use topics::Topics;
