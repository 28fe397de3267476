//! Header fields that every server of a document sends alike: the sidecar, and the web servers that
//! Candor configures.

/// `Cache-Control` of documents: a cache may store them and must revalidate them for each request.
pub const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// `Cache-Control` of documents whose bytes never change (RFC 8246): a cache keeps them for a year.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The URL paths of these documents, as a regular expression of PCRE, RE2 and JavaScript: files of
/// `assets/` with a hash of their bytes in the name.
pub const IMMUTABLE_PATTERN: &str = r"/assets/[^/]+\.[0-9a-f]{16}\.[0-9a-z]+$";

/// Digits of the hash in the name of an asset.
pub const HASH_DIGITS: usize = 16;

/// Whether the bytes at a path never change, as [`IMMUTABLE_PATTERN`] says. The path may be a URL's or
/// a file's.
#[must_use]
pub fn is_immutable(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let (name, folder) = (parts.next().unwrap_or_default(), parts.next());
    let mut words = name.rsplitn(3, '.');
    let (Some(extension), Some(hash), Some(stem)) = (words.next(), words.next(), words.next())
    else {
        return false;
    };
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_plain = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
    folder == Some("assets")
        && !stem.is_empty()
        && (hash.len() == HASH_DIGITS && hash.bytes().all(is_hex))
        && (!extension.is_empty() && extension.bytes().all(is_plain))
}

/// `Cache-Control` of the document at a path, which may be a URL's or a file's.
#[must_use]
pub fn cache_control(path: &str) -> &'static str {
    if is_immutable(path) { IMMUTABLE } else { REVALIDATE }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_asset_with_a_hash_in_its_name_never_changes() {
        for path in ["/assets/style.0123456789abcdef.css", "reviews/assets/a.b.00000000000000ff.js"]
        {
            assert_eq!(cache_control(path), IMMUTABLE, "{path}");
        }
        for path in [
            "/",
            "/assets/style.css",
            "/assets/style.0123456789abcde.css",
            "/assets/style.0123456789ABCDEF.css",
            "/assets/0123456789abcdef.css",
            "/assets/.0123456789abcdef.css",
            "/assets/style.0123456789abcdef.",
            "/assets/style.0123456789abcdef.css.br",
            "/assets/style.0123456789abcdef.css/",
            "/style.0123456789abcdef.css",
            "/myassets/style.0123456789abcdef.css",
        ] {
            assert_eq!(cache_control(path), REVALIDATE, "{path}");
        }
    }
}
