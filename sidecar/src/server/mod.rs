//! The listeners of the process, and its start and end.
//!
//! - `listener`: the main listener, which joins the connections, the routes and the hub.
//! - `admin`: the listener of `/healthz`, `/readyz`, `/sites` and `/metrics`. `process` tells it what the process uses,
//!   `imports` when each source was last imported, `site_reports` which sites there are.
//! - `start`: from a configuration and bound listeners to a running service.
//! - `agents`: the tools for one client over lines, without a listener.

mod admin;
pub(crate) mod agents;
mod imports;
mod listener;
mod process;
mod site_reports;
pub(crate) mod start;
