//! Writes log lines to standard error, coloured only on a terminal.

use std::io::{self, IsTerminal};

use tracing_subscriber::{EnvFilter, fmt};

use crate::cli::args::LogFormat;

/// Starts logging.
pub(crate) fn start(format: LogFormat, filter: &str) {
    let was_named = filter.contains("actix_http");
    let filter = EnvFilter::new(filter);
    let colour = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    // It logs each malformed request as an error. They are counted instead.
    let filter = match (was_named, "actix_http=off".parse()) {
        (false, Ok(off)) => filter.add_directive(off),
        _ => filter,
    };
    // Whoever read the log may be gone; to say so on standard error would end the process.
    let lines = fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(colour)
        .log_internal_errors(false);
    match format {
        LogFormat::Text => lines.with_target(false).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}
