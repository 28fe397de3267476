//! Routes of the sidecar.

use super::quote;
use crate::host::{ForwardedHost, Route, Sidecar};

/// Longest wait for the next byte of a stream.
const STREAM_TIMEOUT: &str = "1h";

/// A route below `prefix`, which the sidecar does not know, asked for as `host` (a value of nginx's)
/// unless the sidecar must be asked for by its own name. The field without a value keeps nginx
/// from adding the documents' fields to the sidecar's.
pub(super) fn location(
    route: Route,
    prefix: &str,
    sidecar: &Sidecar,
    host: &str,
    v: &str,
) -> String {
    let place = if route.path.ends_with('/') { "^~" } else { "=" };
    let at = quote::literal(&format!("{prefix}{}", route.path));
    // With a path, nginx puts it in place of the location's; without, the path goes on untouched.
    let path = if prefix.is_empty() { "" } else { route.path };
    let scheme = sidecar.scheme();
    let (host, tls) = match sidecar.forwarded_host() {
        ForwardedHost::Client => (host.to_owned(), String::new()),
        ForwardedHost::Own(authority) => (quote::literal(&authority), tls(sidecar)),
    };
    let stream = match route.stream {
        true => format!("    proxy_buffering off;\n    proxy_read_timeout {STREAM_TIMEOUT};\n"),
        false => String::new(),
    };
    format!(
        "location {place} {at} {{
    proxy_pass {scheme}://{v}sidecar{path};
    proxy_http_version 1.1;
    proxy_set_header Connection \"\";
    proxy_set_header Host {host};
    proxy_set_header X-Forwarded-Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    client_max_body_size 2m;
    add_header X-Content-Type-Options '';
{tls}{stream}}}
"
    )
}

/// nginx believes every certificate unless told otherwise.
fn tls(sidecar: &Sidecar) -> String {
    format!(
        "    proxy_ssl_server_name on;
    proxy_ssl_name {};
    proxy_ssl_verify on;
    proxy_ssl_verify_depth 3;
    proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
",
        quote::literal(sidecar.host())
    )
}
