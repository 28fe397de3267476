//! The common parts of the process: limits, threads, random numbers, the state directory, HTTP clients.
//!
//! - `limits`: the values that no setting changes.
//! - `stop`, `background`: requests to threads to end, and threads whose panic ends the process.
//! - `random`, `outgoing`, `log_budget`: random numbers, the common parts of HTTP clients, the limit on log lines that
//!   clients cause.
//! - `degraded`, `state`: the parts that the sidecar runs without, and the state directory and its lock.

pub(crate) mod background;
pub(crate) mod degraded;
pub mod limits;
pub(crate) mod log_budget;
pub(crate) mod outgoing;
pub(crate) mod random;
pub(crate) mod state;
pub(crate) mod stop;
