//! The command line: one module for each command, and the modules that they share.
//!
//! - `args`: the commands and the options of all.
//! - `serve`, `mcp`, `list_sites`, `healthcheck`, `hub_args`: the commands, and the options of each.
//! - `values`, `print`, `log`: values of options, standard output, log lines.

pub(crate) mod args;
pub(crate) mod healthcheck;
pub(crate) mod hub_args;
pub(crate) mod list_sites;
pub(crate) mod log;
pub(crate) mod mcp;
pub(crate) mod print;
pub(crate) mod serve;
mod values;
