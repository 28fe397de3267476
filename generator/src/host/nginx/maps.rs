//! The part of the configuration that belongs into `http { }`.

use std::{collections::HashMap, fmt::Write};

use super::{HEAD, quote};
use crate::host::{Served, Sidecar, Site, pattern};
use contract::{fields, manifest::Coding};

/// The codings nginx finds precompressed; it knows no zstd.
const CODINGS: [Coding; 2] = [Coding::Gzip, Coding::Brotli];

/// Connections to the sidecar that are kept for the next request.
const KEEPALIVE: usize = 16;

/// `v` begins the name of every variable, so that one nginx can serve several sites.
pub(super) fn text(site: &Site<'_>, v: &str) -> String {
    let mut text = HEAD.to_owned();
    let dollar = format!("{v}dollar");
    let _ = writeln!(text, "geo ${dollar} {{ default \"$\"; }}");
    if let Some(sidecar) = &site.sidecar {
        text.push_str(&upstream(sidecar, v));
    }
    let link = |document: &Served<'_>| Some(quote::value(document.link.as_deref()?, &dollar));
    table(&mut text, site, &format!("{v}link"), link);
    text.push_str(&decisions(site, v));
    table(&mut text, site, &format!("{v}tags"), |document| Some(tags(document)));
    text
}

fn upstream(sidecar: &Sidecar, v: &str) -> String {
    let (host, port) = (sidecar.host(), sidecar.port());
    format!("upstream {v}sidecar {{\n    server {host}:{port};\n    keepalive {KEEPALIVE};\n}}\n")
}

/// A map from path to what `value` says of the document there. nginx ignores the case of a plain
/// key, so paths that differ in nothing else become regular expressions.
fn table(
    text: &mut String,
    site: &Site<'_>,
    name: &str,
    value: impl Fn(&Served<'_>) -> Option<String>,
) {
    let mut spellings: HashMap<String, usize> = HashMap::new();
    for document in &site.documents {
        *spellings.entry(document.url.to_ascii_lowercase()).or_default() += 1;
    }
    let _ = writeln!(text, "map $uri ${name} {{\n    default '';");
    for document in &site.documents {
        let Some(value) = value(document) else { continue };
        let alone = spellings.get(&document.url.to_ascii_lowercase()) == Some(&1);
        let key = match alone {
            true => quote::literal(&document.url),
            false => quote::exact_key(&document.url),
        };
        let _ = writeln!(text, "    {key} {value};");
    }
    text.push_str("}\n");
}

/// `'"b3-…" gzip="b3-…" br="b3-…"'`
fn tags(document: &Served<'_>) -> String {
    let mut tags = document.etag.to_string();
    for coding in CODINGS {
        if let Some(tag) = document.encoded(coding) {
            let _ = write!(tags, " {}={tag}", coding.token());
        }
    }
    format!("'{tags}'")
}

/// What follows from a request and the tags of the document it asks for.
///
/// The method is part of each key, or a POST with a known tag would be 304. That a hit names the tag
/// of any coding is enough: whoever has it has these very bytes. The answer names the tag that hit.
fn decisions(site: &Site<'_>, v: &str) -> String {
    format!(
        r#"map "$request_method|${v}tags|$http_if_none_match" ${v}fresh {{
    default '';
    "~^(GET|HEAD)\|[^|]+\|\s*\*\s*$" any;
    "~^(GET|HEAD)\|[^|]*(?<{v}hit>\"b3-[0-9a-f]+\")[^|]*\|.*\k<{v}hit>" hit;
}}
map "$request_method|$sent_http_content_encoding|${v}tags" ${v}sent {{
    default '';
    "~^(GET|HEAD)\|\|(?<{v}identity>\"b3-[0-9a-f]+\")" ${v}identity;
    "~^(GET|HEAD)\|gzip\|.* gzip=(?<{v}gzip>\"b3-[0-9a-f]+\")" ${v}gzip;
    "~^(GET|HEAD)\|br\|.* br=(?<{v}br>\"b3-[0-9a-f]+\")" ${v}br;
}}
map ${v}fresh ${v}etag {{ default ${v}sent; hit ${v}hit; }}
map ${v}tags ${v}vary {{ default ''; "~=" Accept-Encoding; }}
map $status ${v}cache {{ default "{revalidate}"; 204 ''; }}
map $request_method ${v}refused {{ default 1; GET ''; HEAD ''; OPTIONS ''; }}
map $request_method ${v}allow_methods {{ default ''; OPTIONS "{methods}"; }}
map $request_method ${v}allow_headers {{ default ''; OPTIONS "{headers}"; }}
map $request_method ${v}max_age {{ default ''; OPTIONS {age}; }}
map $uri ${v}file {{
    default $uri;
    "~^{prefix}(?<{v}path>/.*[^/])$" ${v}path;
    "~^{prefix}(?<{v}index>/(.*/)?)$" "${{{v}index}}index.html";
}}
map $uri ${v}missing {{ default /404.html; "~^{prefix}/(api|mcp)(/|$)" /.candor-404; }}
map $request_uri ${v}folder {{ default /; "~^/*(?<{v}bare>[^?]*?)/*(\?|$)" /${v}bare/; }}
map $request_uri ${v}above {{ default /; "~^/*(?<{v}parent>[^?]*)index\.html(\?|$)" /${v}parent; }}
"#,
        revalidate = fields::REVALIDATE,
        methods = fields::ALLOW_METHODS,
        headers = fields::ALLOW_HEADERS,
        age = fields::MAX_AGE,
        prefix = pattern(&site.prefix),
    )
}
