//! The part of the configuration that belongs into `server { }`.

use std::fmt::Write;

use super::{HEAD, quote};
use crate::host::{ForwardedHost, ROUTES, Route, Sidecar, Site, Types, fields};

/// Longest wait for the next byte of a stream.
const STREAM_TIMEOUT: &str = "1h";

pub(super) fn text(site: &Site<'_>, v: &str) -> String {
    let types = Types::of(site);
    let prefix = &site.prefix;
    let pattern = quote::pattern(prefix);
    let mut text = format!(
        "{HEAD}etag off;\ngzip off;\ngzip_static on;\ngzip_proxied any;\nif_modified_since before;\nlarge_client_header_buffers 4 40k;\nerror_page 404 ${v}missing;\nerror_page 405 /.candor-405;\n{}\n",
        types_block(&types)
    );
    let folder = format!(
        "    if (-f \"$document_root${v}file/index.html\") {{ return 308 ${v}folder$is_args$args; }}\n"
    );
    location(&mut text, v, &quote::literal(&format!("{prefix}/")), "", &folder);
    location(&mut text, v, &format!("~ \"^{pattern}/(.*/)?$\""), "", "");
    let index =
        format!("    if (-f $document_root${v}file) {{ return 308 ${v}above$is_args$args; }}\n");
    location(&mut text, v, &format!("~ \"^{pattern}/(.*/)?index\\.html$\""), "", &index);
    if !prefix.is_empty() {
        location(&mut text, v, &format!("= {}", quote::literal(prefix)), "", &folder);
    }
    for document in types.exceptions {
        let own =
            format!("    types {{ }}\n    default_type {};\n", quote::literal(document.media_type));
        // Two publications may fall into one second: only the tag tells them apart.
        let undated = "    if_modified_since off;\n    add_header Last-Modified '';\n";
        let own = own + if document.modified.is_none() { undated } else { "" };
        location(&mut text, v, &format!("= {}", quote::literal(&document.url)), &own, "");
    }
    errors(&mut text, site);
    if let Some(sidecar) = &site.sidecar {
        for route in ROUTES {
            text.push_str(&proxy(route, prefix, sidecar, v));
        }
    }
    text
}

/// Documents of one place: `own` directives, then refusals in the order the sidecar has them, with
/// `first` right after the preflight. Nothing is inherited where a location has fields of its own.
fn location(text: &mut String, v: &str, place: &str, own: &str, first: &str) {
    let _ = write!(
        text,
        "location {place} {{
{own}    if ($request_method = OPTIONS) {{ return 204; }}
{first}    if (${v}tags = '') {{ return 404; }}
    if (${v}refused) {{ return 405; }}
    if (${v}fresh) {{ return 304; }}
    try_files ${v}file =404;
    add_header ETag ${v}etag;
    add_header Vary ${v}vary;
    add_header Link ${v}link;
    add_header Cache-Control \"{}\";
    add_header Access-Control-Allow-Methods ${v}allow_methods;
    add_header Access-Control-Allow-Headers ${v}allow_headers;
    add_header Access-Control-Max-Age ${v}max_age;
{}}}
",
        fields::REVALIDATE,
        every_answer()
    );
}

/// The types by extension, in place of nginx's own.
fn types_block(types: &Types<'_>) -> String {
    let mut block = String::from("types {\n");
    for (extension, media_type) in &types.by_extension {
        let _ =
            writeln!(block, "    {} {};", quote::literal(media_type), quote::literal(extension));
    }
    block + "}\ndefault_type application/octet-stream;"
}

/// What errors carry too.
fn every_answer() -> String {
    format!(
        "    add_header Access-Control-Allow-Origin \"{}\" always;
    add_header Access-Control-Expose-Headers \"{}\" always;
    add_header X-Content-Type-Options {} always;
",
        fields::ALLOW_ORIGIN,
        fields::EXPOSE_HEADERS,
        fields::NO_SNIFFING
    )
}

/// The site's own page for people, JSON for programs.
fn errors(text: &mut String, site: &Site<'_>) {
    let page = match site.not_found {
        Some(page) => {
            format!("    types {{ }}\n    default_type {};\n", quote::literal(&page.media_type))
        }
        None => {
            "    default_type \"text/plain; charset=utf-8\";\n    return 404 \"404 Not found\n\";\n"
                .to_owned()
        }
    };
    let error = |status: u16, body: &str, fields: &str| {
        let body = quote::literal(body);
        (
            format!("/.candor-{status}"),
            format!("    default_type application/json;\n    return {status} {body};\n{fields}"),
            fields::NO_STORE,
        )
    };
    let allow = format!("    add_header Allow \"{}\" always;\n", fields::DOCUMENT_METHODS);
    for (place, lines, cache) in [
        ("/404.html".to_owned(), page, fields::NO_CACHE),
        error(404, fields::NOT_FOUND, ""),
        error(405, fields::METHOD_NOT_ALLOWED, &allow),
    ] {
        let _ = write!(
            text,
            "location = {place} {{\n    internal;\n{lines}    add_header Cache-Control {cache} always;\n{}}}\n",
            every_answer()
        );
    }
}

/// A route of the sidecar's below `prefix`, which the sidecar does not know.
pub(super) fn proxy(route: Route, prefix: &str, sidecar: &Sidecar, v: &str) -> String {
    let place = match route.path.ends_with('/') {
        true => "^~",
        false => "=",
    };
    let at = quote::literal(&format!("{prefix}{}", route.path));
    // With a path, nginx puts it in place of the location's; without, the path goes on untouched.
    let path = if prefix.is_empty() { "" } else { route.path };
    let scheme = sidecar.scheme();
    let (host, tls) = match sidecar.forwarded_host() {
        ForwardedHost::Client => ("$host".to_owned(), String::new()),
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
