//! The part of the configuration that belongs into `server { }`.

use std::{collections::BTreeMap, fmt::Write};

use super::{HEAD, proxy, quote};
use crate::host::{ROUTES, Route, Site, Types, pattern};
use contract::fields;

pub(super) fn text(site: &Site<'_>, v: &str) -> String {
    let types = Types::of(site);
    let mut text = HEAD.to_owned();
    text.push_str(&settings(v));
    text.push_str(&types_block(&types));
    documents(&mut text, site, v);
    exceptions(&mut text, &types, v);
    errors(&mut text, site);
    if let Some(sidecar) = &site.sidecar {
        let route = |route: &Route| proxy::location(*route, &site.prefix, sidecar, "$host", v);
        text.extend(ROUTES.iter().map(route));
    }
    text
}

/// Fields of every location that has none of its own; nginx leaves out those that are empty.
fn settings(v: &str) -> String {
    format!(
        r#"etag off;
gzip off;
gzip_static on;
gzip_proxied any;
if_modified_since before;
absolute_redirect off;
large_client_header_buffers 4 40k;
error_page 404 ${v}missing;
error_page 405 /.candor-405;
add_header ETag ${v}etag;
add_header Vary ${v}vary;
add_header Link ${v}link;
add_header Cache-Control ${v}cache;
add_header Access-Control-Allow-Methods ${v}allow_methods;
add_header Access-Control-Allow-Headers ${v}allow_headers;
add_header Access-Control-Max-Age ${v}max_age;
{}"#,
        every_answer("")
    )
}

/// What errors carry too.
fn every_answer(indent: &str) -> String {
    let (origin, expose) = (fields::ALLOW_ORIGIN, fields::EXPOSE_HEADERS);
    format!(
        "{indent}add_header Access-Control-Allow-Origin \"{origin}\" always;
{indent}add_header Access-Control-Expose-Headers \"{expose}\" always;
{indent}add_header X-Content-Type-Options {} always;
",
        fields::NO_SNIFFING
    )
}

/// The types by extension, in place of nginx's own.
fn types_block(types: &Types<'_>) -> String {
    let mut block = String::from("types {\n");
    for (extension, media_type) in &types.by_extension {
        let (media_type, extension) = (quote::literal(media_type), quote::literal(extension));
        let _ = writeln!(block, "    {media_type} {extension};");
    }
    block + "}\ndefault_type application/octet-stream;\n"
}

/// Documents whose type their extension tells, and the redirects to a folder's one address.
fn documents(text: &mut String, site: &Site<'_>, v: &str) {
    let prefix = &site.prefix;
    let to_folder = format!(
        "    if (-f \"$document_root${v}file/index.html\") {{ return 308 ${v}folder$is_args$args; }}\n"
    );
    location(text, v, &quote::literal(&format!("{prefix}/")), "", &to_folder);
    if !prefix.is_empty() {
        location(text, v, &format!("= {}", quote::literal(prefix)), "", &to_folder);
    }
    let prefix = pattern(prefix);
    let above =
        format!("    if (-f $document_root${v}file) {{ return 308 ${v}above$is_args$args; }}\n");
    location(text, v, &format!("~ \"^{prefix}/(.*/)?index\\.html$\""), "", &above);
    location(text, v, &format!("~ \"^{prefix}/(.*/)?$\""), "", "");
}

/// Documents of another type, one location for each type.
fn exceptions(text: &mut String, types: &Types<'_>, v: &str) {
    let mut groups: BTreeMap<(&str, bool), Vec<String>> = BTreeMap::new();
    for document in &types.exceptions {
        let group = (document.media_type, document.modified.is_some());
        groups.entry(group).or_default().push(pattern(&document.url));
    }
    for ((media_type, dated), paths) in groups {
        let mut own =
            format!("    types {{ }}\n    default_type {};\n", quote::literal(media_type));
        if !dated {
            // Two publications may fall into one second: only the tag tells them apart.
            own.push_str("    if_modified_since off;\n");
        }
        location(text, v, &format!("~ \"^(?:{})$\"", paths.join("|")), &own, "");
    }
}

/// Documents of one place: `own` directives, then refusals in the sidecar's order, with `first`
/// right after the preflight.
fn location(text: &mut String, v: &str, place: &str, own: &str, first: &str) {
    let _ = write!(
        text,
        "location {place} {{
{own}    if ($request_method = OPTIONS) {{ return 204; }}
{first}    if (${v}tags = '') {{ return 404; }}
    if (${v}refused) {{ return 405; }}
    if (${v}fresh) {{ return 304; }}
    try_files ${v}file =404;
}}
"
    );
}

/// The site's own page for people, JSON for programs.
fn errors(text: &mut String, site: &Site<'_>) {
    let page = match site.not_found {
        Some(page) => {
            format!("    types {{ }}\n    default_type {};\n", quote::literal(&page.media_type))
        }
        None => "    default_type \"text/plain; charset=utf-8\";\n    return 404 \"404 Not found\\n\";\n".to_owned(),
    };
    error(text, "/404.html", &page, fields::NO_CACHE);
    let json = |status: u16, body: &str| {
        let body = quote::literal(body);
        format!("    default_type application/json;\n    return {status} {body};\n")
    };
    error(text, "/.candor-404", &json(404, fields::NOT_FOUND), fields::NO_STORE);
    let allow = format!("    add_header Allow \"{}\" always;\n", fields::DOCUMENT_METHODS);
    let lines = json(405, fields::METHOD_NOT_ALLOWED) + &allow;
    error(text, "/.candor-405", &lines, fields::NO_STORE);
}

fn error(text: &mut String, place: &str, lines: &str, cache: &str) {
    let every = every_answer("    ");
    let _ = write!(
        text,
        "location = {place} {{\n    internal;\n{lines}    add_header Cache-Control {cache} always;\n{every}}}\n"
    );
}
