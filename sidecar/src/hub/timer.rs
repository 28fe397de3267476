//! The timers of the stages: those of the runtime. In tests that replay a history, time passes only when they say so.

#[cfg(not(test))]
pub(super) use actix_web::rt::time::{Instant, Interval, interval, sleep_until, timeout};
#[cfg(not(test))]
pub(super) use tokio::time::MissedTickBehavior;

#[cfg(test)]
pub(super) use super::seeds::timer::{
    Instant, Interval, MissedTickBehavior, interval, sleep_until, timeout,
};
