//! Header fields that are the same whoever serves a document: the sidecar, or a web server that Candor writes the configuration of.

/// `Cache-Control` of documents: keep it, and ask each time whether it is still the one.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// `Cache-Control` of the page for what does not exist.
pub const NO_CACHE: &str = "no-cache";

/// `Cache-Control` of errors programs read.
pub const NO_STORE: &str = "no-store";

/// `Access-Control-Allow-Origin` of every answer: it is all public, and nobody is known.
pub const ALLOW_ORIGIN: &str = "*";

/// `Access-Control-Expose-Headers` of every answer.
pub const EXPOSE_HEADERS: &str = "ETag, Link, Last-Modified, Mcp-Session-Id";

/// `X-Content-Type-Options` of every answer.
pub const NO_SNIFFING: &str = "nosniff";

/// `Access-Control-Allow-Methods` of a preflight's answer.
pub const ALLOW_METHODS: &str = "GET, HEAD, POST, OPTIONS";

/// `Access-Control-Allow-Headers` of a preflight's answer.
pub const ALLOW_HEADERS: &str = "If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";

/// `Access-Control-Max-Age` of a preflight's answer, in seconds.
pub const MAX_AGE: &str = "3600";

/// `Allow` of a document's 405.
pub const DOCUMENT_METHODS: &str = "GET, HEAD, OPTIONS";

/// Body of the 404 programs read.
pub const NOT_FOUND: &str = r#"{"error":"not_found","message":"There is nothing at this path."}"#;

/// Body of a document's 405.
pub const METHOD_NOT_ALLOWED: &str =
    r#"{"error":"method_not_allowed","message":"This path answers GET, HEAD and OPTIONS."}"#;
