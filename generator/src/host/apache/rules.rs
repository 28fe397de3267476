//! What a virtual host includes.

use std::fmt::Write;

use super::{
    HEAD, TAGS,
    escape::{argument, field},
};
use crate::host::{ForwardedHost, Options, ROUTES, Route, Sidecar, Site, Types, pattern};
use contract::fields;

/// Longest wait for the next byte of a stream, in seconds.
const STREAM_TIMEOUT: u32 = 3600;

pub(super) fn text(site: &Site<'_>, options: &Options) -> String {
    let prefix = pattern(&site.prefix);
    let mut text = HEAD.to_owned();
    text.push_str(&rewriting(site, options, &prefix));
    text.push_str(&headers());
    types(&mut text, site);
    links(&mut text, site);
    errors(&mut text, site, &prefix);
    if let Some(sidecar) = &site.sidecar {
        text.push_str(&peer(sidecar));
        text.extend(ROUTES.iter().map(|route| proxy(*route, &site.prefix, sidecar)));
    }
    text
}

/// From a request to a file, its tag, and whether the client has it. Variables of a hit:
/// `C_FRESH` its tag, `C_TAG` the tag of what is sent, `C_CODING` its coding.
fn rewriting(site: &Site<'_>, options: &Options, prefix: &str) -> String {
    let routes: Vec<String> = ROUTES
        .iter()
        .filter(|_| site.sidecar.is_some())
        .map(|route| {
            format!("{}{}", pattern(route.path), if route.path.ends_with('/') { ".*" } else { "" })
        })
        .collect();
    let proxied = match routes.is_empty() {
        true => String::new(),
        false => format!(
            "RewriteRule \"^{prefix}(?:{})$\" - [E=C_PROXY:1,E=no-gzip:1,E=no-brotli:1,END]\n",
            routes.join("|")
        ),
    };
    // A member of Accept-Encoding that is not refused.
    let accepts = |coding: &str| format!(r#""\b{coding}\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))" [NV]"#);
    format!(
        r#"RewriteEngine On
RewriteMap c_tags {tags}
RewriteMap c_escape int:escape
{proxied}RewriteCond %{{REQUEST_METHOD}} =OPTIONS
RewriteRule ^ - [E=C_OPTIONS:1,R=204,L]
RewriteCond %{{ENV:REDIRECT_STATUS}} =404
RewriteRule ^/404\.html$ - [E=C_PAGE:1,END]
RewriteCond ${{c_tags:${{c_escape:%{{REQUEST_URI}}}}}} ^(b3-[0-9a-f]{{32}})(?:,gzip=(b3-[0-9a-f]{{32}}))?(?:,br=(b3-[0-9a-f]{{32}}))?$
RewriteRule ^ - [E=C_ID:%1,E=C_GZIP:%2,E=C_BR:%3,E=no-gzip:1,E=no-brotli:1]
RewriteCond %{{ENV:C_ID}} =""
RewriteCond ${{c_tags:${{c_escape:%{{REQUEST_URI}}/}}}} .
RewriteRule ^ %{{REQUEST_URI}}/ [R=308,L]
RewriteCond %{{ENV:C_ID}} =""
RewriteCond %{{REQUEST_URI}} ^(.*/)index\.html$
RewriteCond ${{c_tags:${{c_escape:%1}}}} .
RewriteRule ^(.*/)index\.html$ $1 [R=308,L]
RewriteCond %{{ENV:C_ID}} =""
RewriteRule ^ - [R=404,L]
RewriteCond %{{REQUEST_METHOD}} !^(?:GET|HEAD)$
RewriteRule ^ - [R=405,L]
RewriteCond "%{{ENV:C_ID}},%{{ENV:C_GZIP}},%{{ENV:C_BR}}|%{{HTTP:If-None-Match}}" "(b3-[0-9a-f]{{32}})[^|]*\|.*\x22\1\x22" [NV]
RewriteRule ^ - [E=C_FRESH:%1]
RewriteCond %{{HTTP:If-None-Match}} ^\s*\*\s*$ [NV]
RewriteRule ^ - [E=C_FRESH:%{{ENV:C_ID}}]
RewriteCond "%{{ENV:C_ID}},%{{ENV:C_GZIP}},%{{ENV:C_BR}}|%{{HTTP:If-Match}}" "(b3-[0-9a-f]{{32}})[^|]*\|(?:.*,)?\s*\x22\1\x22" [NV]
RewriteRule ^ - [E=C_MATCH:1]
RewriteCond %{{HTTP:If-None-Match}} . [NV]
RewriteRule ^ - [E=C_INM:1]
RewriteCond %{{ENV:C_GZIP}}%{{ENV:C_BR}} .
RewriteRule ^ - [E=C_VARY:1]
RewriteRule "^{prefix}(/.*)$" - [E=C_FILE:$1]
RewriteRule "^{prefix}(/(?:.*/)?)$" - [E=C_FILE:$1index.html]
RewriteRule ^ - [E=C_TAG:%{{ENV:C_ID}}]
RewriteCond %{{ENV:C_BR}} .
RewriteCond %{{HTTP:Accept-Encoding}} {br}
RewriteRule ^ %{{DOCUMENT_ROOT}}%{{ENV:C_FILE}}.br [E=C_TAG:%{{ENV:C_BR}},E=C_CODING:br,L]
RewriteCond %{{ENV:C_GZIP}} .
RewriteCond %{{HTTP:Accept-Encoding}} {gzip}
RewriteRule ^ %{{DOCUMENT_ROOT}}%{{ENV:C_FILE}}.gz [E=C_TAG:%{{ENV:C_GZIP}},E=C_CODING:gzip,L]
RewriteRule ^ %{{DOCUMENT_ROOT}}%{{ENV:C_FILE}} [L]
"#,
        tags = argument(&format!("txt:{}", options.out.join(TAGS).to_string_lossy())),
        br = accepts("br"),
        gzip = accepts("gzip"),
    )
}

/// What the client is told, and what Apache is made to decide by.
fn headers() -> String {
    format!(
        r#"RequestHeader set If-None-Match "*" env=C_FRESH
RequestHeader unset If-Match env=C_MATCH
RequestHeader unset If-Modified-Since env=C_INM
Header unset ETag env=C_TAG
Header set ETag "\"%{{C_TAG}}e\"" env=C_TAG
Header set ETag "\"%{{C_FRESH}}e\"" env=C_FRESH
Header set Content-Encoding "%{{C_CODING}}e" env=C_CODING
Header set Vary Accept-Encoding env=C_VARY
Header set Cache-Control {revalidate} env=C_ID
Header always set Access-Control-Allow-Origin {origin} env=!C_PROXY
Header always set Access-Control-Expose-Headers {expose} env=!C_PROXY
Header always set X-Content-Type-Options {nosniff} env=!C_PROXY
Header always set Access-Control-Allow-Methods {methods} env=C_OPTIONS
Header always set Access-Control-Allow-Headers {headers} env=C_OPTIONS
Header always set Access-Control-Max-Age {age} env=C_OPTIONS
RemoveEncoding .br .gz
RemoveLanguage .br
"#,
        revalidate = field(fields::REVALIDATE),
        origin = field(fields::ALLOW_ORIGIN),
        expose = field(fields::EXPOSE_HEADERS),
        nosniff = field(fields::NO_SNIFFING),
        methods = field(fields::ALLOW_METHODS),
        headers = field(fields::ALLOW_HEADERS),
        age = field(fields::MAX_AGE),
    )
}

/// By extension, then each of the documents of which that is not true: later sections win.
fn types(text: &mut String, site: &Site<'_>) {
    let types = Types::of(site);
    for (extension, media_type) in types.by_extension {
        let end = match extension.as_str() {
            "html" => r"(?:\.html|/)".to_owned(),
            other => format!(r"\.{}", pattern(other)),
        };
        location(text, &format!("{end}$"), &format!("ForceType {}", argument(media_type)));
    }
    for document in types.exceptions {
        let mut lines = format!("ForceType {}", argument(document.media_type));
        if document.modified.is_none() {
            // Two publications may fall into one second: only the tag tells them apart.
            lines += "\nRequestHeader unset If-Modified-Since\nHeader unset Last-Modified";
        }
        location(text, &format!("^{}$", pattern(&document.url)), &lines);
    }
}

fn links(text: &mut String, site: &Site<'_>) {
    for document in &site.documents {
        let Some(link) = &document.link else { continue };
        let line = format!("Header set Link {} env=C_ID", field(link));
        location(text, &format!("^{}$", pattern(&document.url)), &line);
    }
}

fn location(text: &mut String, expression: &str, lines: &str) {
    let _ = writeln!(text, "<LocationMatch \"{expression}\">\n{lines}\n</LocationMatch>");
}

/// The site's own page for people, JSON for programs. Apache adds an `Allow` of its own to a 405,
/// which names nothing once TRACE is off.
fn errors(text: &mut String, site: &Site<'_>, prefix: &str) {
    let _ = match site.not_found {
        Some(page) => writeln!(
            text,
            "ErrorDocument 404 /404.html\n<LocationMatch \"^/404\\.html$\">\nForceType {}\n</LocationMatch>",
            argument(&page.media_type)
        ),
        None => writeln!(text, "ErrorDocument 404 \"404 Not found\""),
    };
    let not_found = format!("ErrorDocument 404 {}", argument_with_braces(fields::NOT_FOUND));
    let json =
        "expr=%{REQUEST_STATUS} in {'404','405'} && -z reqenv('C_PAGE') && -z reqenv('C_PROXY')";
    let programs = format!("^{prefix}/(?:api|mcp)(?:/|$)");
    let lines = format!("{not_found}\nHeader always set Content-Type application/json \"{json}\"");
    location(text, &programs, &lines);
    let _ = write!(
        text,
        r#"ErrorDocument 405 {not_allowed}
TraceEnable off
Header always set Content-Type application/json "expr=%{{REQUEST_STATUS}} == 405 && -z reqenv('C_PROXY')"
Header always set Allow {allow} "expr=%{{REQUEST_STATUS}} == 405 && -z reqenv('C_PROXY')"
Header always set Cache-Control {no_store} "{json}"
Header unset ETag env=C_PAGE
Header unset Last-Modified env=C_PAGE
Header always set Cache-Control {no_cache} env=C_PAGE
"#,
        not_allowed = argument_with_braces(fields::METHOD_NOT_ALLOWED),
        allow = field(fields::DOCUMENT_METHODS),
        no_store = fields::NO_STORE,
        no_cache = fields::NO_CACHE,
    );
}

/// Our own text, in which no brace follows a dollar sign.
fn argument_with_braces(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

/// How the sidecar is spoken to.
pub(super) fn peer(sidecar: &Sidecar) -> String {
    match sidecar.forwarded_host() {
        ForwardedHost::Client => "ProxyPreserveHost On\n".to_owned(),
        ForwardedHost::Own(_) => "ProxyPreserveHost Off\nSSLProxyEngine On\nSSLProxyVerify require\nSSLProxyCACertificateFile /etc/ssl/certs/ca-certificates.crt\n".to_owned(),
    }
}

/// A route of the sidecar's below `prefix`, which the sidecar does not know. The path goes on as it
/// came: `nocanon`.
pub(super) fn proxy(route: Route, prefix: &str, sidecar: &Sidecar) -> String {
    let from = argument(&format!("{prefix}{}", route.path));
    let to = argument(&format!("{sidecar}{}", route.path));
    let how = match route.stream {
        true => format!("flushpackets=on timeout={STREAM_TIMEOUT}"),
        false => "nocanon".to_owned(),
    };
    format!("ProxyPass {from} {to} {how}\n")
}
