//! What every part of the process uses: limits, threads, random numbers, the state directory, HTTP clients.
//!
//! - `limits`: what no setting changes.
//! - `stop`, `background`: how threads end, and threads whose panic ends the process.
//! - `random`, `outgoing`, `log_budget`: random numbers, what all HTTP clients share, the bound on log lines that
//!   clients cause.
//! - `degraded`, `state`: what the sidecar runs without, and the state directory and its lock.

pub(crate) mod background;
pub(crate) mod degraded;
pub mod limits;
pub(crate) mod log_budget;
pub(crate) mod outgoing;
pub(crate) mod random;
pub(crate) mod state;
pub(crate) mod stop;
