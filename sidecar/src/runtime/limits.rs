//! Limits that no setting changes. `docs/operating.md` lists them.

use std::time::Duration;

/// Maximum time by which a publication may be ahead of the clock; one beyond it is not trusted.
pub const MAX_AHEAD: Duration = Duration::from_secs(86_400);

/// The time for which an idle connection is kept.
pub const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// The time within which the head of a connection's first request must arrive.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of memory that a connection may need: the head of a request, and the unread part of a
/// response. A test measures it.
pub const CONNECTION_MEMORY: u64 = 384 * 1024;

/// The number of parts of all connections or responses, of which one client network has one at most.
pub const SHARES: usize = 4;

/// Bytes that a client must read of a response that waits for it, within each stall timeout.
pub const MIN_PROGRESS: usize = 64 * 1024;

/// Maximum bytes of a request's path and query.
pub const MAX_TARGET: usize = 32 * 1024;

/// Bytes above which a response counts as large.
pub const LARGE_RESPONSE: u64 = 256 * 1024;

/// Bytes that a long response sends before other requests on its thread are served.
pub const FAIR_SHARE: usize = 256 * 1024;

/// Maximum bytes of a response that is compressed on request.
pub const MAX_COMPRESSED: u64 = 16 * 1024 * 1024;

/// Maximum bytes of compressed responses kept in memory; the oldest are removed first.
pub const COMPRESSED_CACHE: usize = 32 * 1024 * 1024;

/// Maximum bytes of a message to `/mcp`.
pub const MAX_MESSAGE: usize = 1024 * 1024;

/// Bytes above which a message to `/mcp` takes the place of a large response.
pub const LARGE_MESSAGE: usize = 64 * 1024;

/// Maximum bytes of the text of a tool's result (docs/mcp.md, "Tools").
pub const MAX_TOOL_TEXT: usize = 64 * 1024 - 1;

/// Maximum bytes of an MCP resource; a longer document is fetched from its URL.
pub const MAX_RESOURCE: u64 = 16 * 1024 * 1024;

/// Maximum bytes of all entries of a transparency log; `get_proof` is not offered for a longer one.
pub const MAX_LOG_ENTRIES: u64 = 256 * 1024 * 1024;

/// Maximum bytes of the salts of a transparency log.
pub const MAX_SALTS: u64 = 64 * 1024 * 1024;

/// Maximum bytes of a log's checkpoint, and of the document with its keys. Both are in each result of `get_proof`, and
/// leave room for entries.
pub const MAX_LOG_NOTE: u64 = 8 * 1024;

/// The time that a request waits for a site that is not loaded.
pub const LOAD_WAIT: Duration = Duration::from_secs(5);

/// Number of sites of a list in folders that are loaded side by side.
pub const LOADING_FOLDERS: usize = 4;

/// Number of sites of a list at addresses that are loaded side by side: a server that does not respond keeps a thread
/// waiting.
pub const LOADING_ADDRESSES: usize = 8;
