//! What a site block imports.

use std::fmt::Write;

use super::{HEAD, quote};
use crate::host::{ForwardedHost, ROUTES, Route, Sidecar, Site, Types, pattern};
use contract::fields;

pub(super) fn text(site: &Site<'_>, name: &str, old: bool) -> String {
    let mut text = format!("{HEAD}({name}) {{\n");
    let prefix = &site.prefix;
    if let Some(sidecar) = &site.sidecar {
        text.extend(ROUTES.iter().map(|route| proxy(*route, prefix, sidecar, None)));
    }
    match prefix.as_str() {
        "" => text.push_str("handle {\nroute {\n"),
        prefix => {
            let _ = writeln!(text, "redir {prefix} {prefix}/ 308");
            let _ = writeln!(text, "handle {prefix}/* {{\nroute {{\nuri strip_prefix {prefix}");
        }
    }
    text.push_str(&refusals(prefix, old));
    if old {
        text.push_str(&folders(prefix));
    }
    text.push_str(&documents(site));
    text.push_str(&match old {
        true => by_map(site),
        false => BY_FILES.to_owned(),
    });
    text.push_str("}\n}\n");
    text.push_str(&errors(site));
    text.push_str("}\n");
    indent(&text)
}

/// As `caddy fmt` has it.
pub(super) fn indent(text: &str) -> String {
    let mut depth: usize = 0;
    let mut indented = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        depth -= usize::from(line == "}");
        indented.extend(std::iter::repeat_n('\t', if line.is_empty() { 0 } else { depth }));
        indented.push_str(line);
        indented.push('\n');
        depth += usize::from(line.ends_with(" {") || line == "{");
    }
    indented
}

/// A route of the sidecar's below `prefix`, which the sidecar does not know, asked for as `host` or
/// as the client did, unless the sidecar must be asked for by its own name.
pub(super) fn proxy(route: Route, prefix: &str, sidecar: &Sidecar, host: Option<&str>) -> String {
    let below = if route.path.ends_with('/') { "*" } else { "" };
    let mut text = format!("handle {prefix}{}{below} {{\n", route.path);
    if !prefix.is_empty() {
        let _ = writeln!(text, "uri strip_prefix {prefix}");
    }
    let _ = writeln!(text, "reverse_proxy {sidecar} {{");
    if route.stream {
        text.push_str("flush_interval -1\n");
    }
    let host = match sidecar.forwarded_host() {
        ForwardedHost::Own(authority) => Some(authority),
        ForwardedHost::Client => host.map(str::to_owned),
    };
    if let Some(host) = host {
        let _ = writeln!(text, "header_up Host {host}");
    }
    text + "}\n}\n"
}

/// Everything before a document is looked for. The redirect needs a file that is there, so it never
/// leads to another host.
fn refusals(prefix: &str, old: bool) -> String {
    let hidden = if old { r"\.(br|gz|zst)$" } else { r"\.(br|gz|zst|etag)$" };
    format!(
        r#"header {{
Access-Control-Allow-Origin {origin}
Access-Control-Expose-Headers `{expose}`
X-Content-Type-Options {nosniff}
}}
@preflight method OPTIONS
handle @preflight {{
header {{
Access-Control-Allow-Methods `{methods}`
Access-Control-Allow-Headers `{headers}`
Access-Control-Max-Age {age}
}}
respond 204
}}
@unlisted path_regexp `{hidden}|^/404\.html$`
error @unlisted 404
@hidden {{
path_regexp `/\.`
not path /.well-known/*
}}
error @hidden 404
@index {{
path_regexp index `^/((?:.*/)?)index\.html$`
file
}}
handle @index {{
header Cache-Control `{revalidate}`
{index}}}
"#,
        index = redirect(&format!("{prefix}/{{re.index.1}}")),
        origin = fields::ALLOW_ORIGIN,
        expose = fields::EXPOSE_HEADERS,
        nosniff = fields::NO_SNIFFING,
        methods = fields::ALLOW_METHODS,
        headers = fields::ALLOW_HEADERS,
        age = fields::MAX_AGE,
        revalidate = fields::REVALIDATE,
    )
}

/// Folders are on no list of tags, and Caddy's own redirect forgets the query.
fn folders(prefix: &str) -> String {
    format!(
        "@folder {{
path_regexp folder `^/+(.*[^/])$`
file {{
try_files {{path}}/index.html
}}
}}
handle @folder {{
header Cache-Control `{}`
{}}}
",
        fields::REVALIDATE,
        redirect(&format!("{prefix}/{{re.folder.1}}/"))
    )
}

/// To another path, with the query if there is one.
fn redirect(to: &str) -> String {
    format!(
        r#"route {{
@asked expression `{{query}} != ""`
redir @asked {to}?{{query}} 308
redir * {to} 308
}}
"#
    )
}

/// What a document carries whatever its tag is.
fn documents(site: &Site<'_>) -> String {
    let mut text = refuse_methods();
    let _ = writeln!(text, "header Cache-Control `{}`", fields::REVALIDATE);
    for (at, document) in
        site.documents.iter().filter(|document| document.link.is_some()).enumerate()
    {
        let (path, link) =
            (below(site, &document.url), document.link.as_deref().unwrap_or_default());
        let _ = writeln!(text, "@link{at} path_regexp {}", quote::exact(path));
        let _ = writeln!(text, "header @link{at} Link {}", quote::value(link));
    }
    // Two publications may fall into one second: only the tag tells them apart.
    for (at, document) in site.documents.iter().filter(|one| one.modified.is_none()).enumerate() {
        let path = quote::exact(below(site, &document.url));
        let _ =
            writeln!(text, "@undated{at} path_regexp {path}\nheader @undated{at} -Last-Modified");
        let _ = writeln!(text, "request_header @undated{at} -If-Modified-Since");
    }
    text + &types(site)
}

fn refuse_methods() -> String {
    format!(
        "@write not method GET HEAD
handle @write {{
header {{
Allow `{}`
Cache-Control {}
Content-Type application/json
}}
respond `{}` 405
}}
",
        fields::DOCUMENT_METHODS,
        fields::NO_STORE,
        fields::METHOD_NOT_ALLOWED
    )
}

/// Types by extension, and before that each of the documents of which that is not true.
fn types(site: &Site<'_>) -> String {
    let types = Types::of(site);
    let mut text = String::from("map {path} {candor_type} {\n");
    for document in types.exceptions {
        let path = pattern(below(site, &document.url));
        let _ = writeln!(text, "`~^{path}$` {}", quote::replacement(document.media_type));
    }
    for (extension, media_type) in types.by_extension {
        let end = match extension.as_str() {
            "html" => r"(?:\.html|/)".to_owned(),
            other => format!(r"\.{}", pattern(other)),
        };
        let _ = writeln!(text, "`~{end}$` {}", quote::replacement(media_type));
    }
    text + "default application/octet-stream\n}\nheader Content-Type {candor_type}\n"
}

/// The path as it is once the prefix is stripped.
fn below<'a>(site: &Site<'_>, url: &'a str) -> &'a str {
    url.strip_prefix(&site.prefix).unwrap_or(url)
}

/// Caddy looks at the first of several lines alone, so they are made one.
const BY_FILES: &str = "@conditional header If-None-Match *
request_header @conditional If-None-Match {header.If-None-Match}
file_server {
precompressed br zstd gzip
etag_file_extensions .etag
}
";

/// One line for each document; what has none does not exist.
fn by_map(site: &Site<'_>) -> String {
    let mut text = String::from("map {path} {candor_tag} {\n");
    for document in &site.documents {
        let path = quote::key(below(site, &document.url));
        let _ = writeln!(text, "{path} {}", quote::value(document.etag.as_str()));
    }
    text + r#"default ""
}
@untagged expression `{candor_tag} == ""`
error @untagged 404
@fresh expression `{header.If-None-Match}.contains({candor_tag}) || {header.If-None-Match}.matches("^\\s*[*]\\s*$")`
handle @fresh {
header ETag {candor_tag}
respond 304
}
@match expression `{header.If-Match}.contains({candor_tag}) && !{header.If-Match}.contains("W/" + {candor_tag})`
request_header @match -If-Match
header {
ETag {candor_tag}
defer
}
file_server
"#
}

/// The site's own page for people, JSON for programs.
fn errors(site: &Site<'_>) -> String {
    let prefix = pattern(&site.prefix);
    let page = match site.not_found {
        Some(page) => format!(
            "header {{\nCache-Control {}\nContent-Type {}\n-ETag\n-Last-Modified\n}}\nrequest_header -If-None-Match\nrequest_header -If-Modified-Since\nrequest_header -Range\nrewrite * /404.html\nfile_server {{\nstatus 404\n}}\n",
            fields::NO_CACHE,
            quote::value(&page.media_type)
        ),
        None => "respond `404 Not found` 404\n".to_owned(),
    };
    format!(
        "handle_errors {{
route {{
@missing expression {{err.status_code}} == 404
handle @missing {{
@program path_regexp `^{prefix}/(?:api|mcp)(?:/|$)`
handle @program {{
header Cache-Control {no_store}
header Content-Type application/json
respond `{not_found}` 404
}}
handle {{
route {{
{page}}}
}}
}}
respond {{err.status_code}}
}}
}}
",
        no_store = fields::NO_STORE,
        not_found = fields::NOT_FOUND,
    )
}
