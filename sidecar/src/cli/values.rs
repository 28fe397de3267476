//! Values of options.

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// The least memory for connections.
const LEAST_MEMORY: u64 = 16 << 20;

/// Reads the memory for connections.
pub(crate) fn connection_memory(text: &str) -> Result<u64, String> {
    let bytes = terminal::bytes(text)?;
    if bytes < LEAST_MEMORY { Err("16M is the least".to_owned()) } else { Ok(bytes) }
}

/// Reads a filter of log lines. A word that is not a level would be a target that nothing has.
pub(crate) fn filter(text: &str) -> Result<String, String> {
    let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let is_known = |part: &str| part.contains(['=', '[']) || part.parse::<LevelFilter>().is_ok();
    if parts.any(|part| !is_known(part)) {
        return Err("write error, warn, info, debug, trace or off, or TARGET=LEVEL".to_owned());
    }
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}
