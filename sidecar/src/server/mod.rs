//! The listeners of the process, and its start and end.
//!
//! - `listener`: the main listener, which joins the connections, the routes and the hub.
//! - `admin`: the listener of `/healthz`, `/readyz`, `/sites` and `/metrics`. `process` has the resources of the
//!   process, `imports` the last import of each source, `site_reports` the sites.
//! - `start`: makes a running service of a configuration and bound listeners.
//! - `agents`: the tools for one client over lines, without a listener.

mod admin;
pub(crate) mod agents;
mod imports;
mod listener;
mod process;
mod site_reports;
pub(crate) mod start;
