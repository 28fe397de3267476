//! Header fields that every server of a document sends alike: the sidecar, and the web servers that
//! Candor configures.

/// `Cache-Control` of documents: a cache may store them and must revalidate them for each request.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// `Cache-Control` of the 404 page.
pub const NO_CACHE: &str = "no-cache";

/// `Cache-Control` of errors for programs, and of responses that hold for one moment.
pub const NO_STORE: &str = "no-store";

/// `Access-Control-Allow-Origin` of every response: all data is public, and no client is
/// authenticated.
pub const ALLOW_ORIGIN: &str = "*";

/// `Access-Control-Expose-Headers` of every response.
pub const EXPOSE_HEADERS: &str = "ETag, Link, Last-Modified, Mcp-Session-Id";

/// `X-Content-Type-Options` of every response.
pub const NO_SNIFFING: &str = "nosniff";

/// `Access-Control-Allow-Methods` of the response to a preflight.
pub const ALLOW_METHODS: &str = "GET, HEAD, POST, OPTIONS";

/// `Access-Control-Allow-Headers` of the response to a preflight.
pub const ALLOW_HEADERS: &str = "If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";

/// `Access-Control-Max-Age` of the response to a preflight, in seconds.
pub const MAX_AGE: &str = "3600";

/// `Allow` of the 405 response for a document.
pub const DOCUMENT_METHODS: &str = "GET, HEAD, OPTIONS";
