//! The header fields of a document, compared with the manifest and docs/verify.md, "Failures and warnings".

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    fetch::response::{Response, shorten},
    report::{Check, Findings, Level, Mismatch},
};
use contract::{etag::ETag, fields, manifest::FileEntry, security::Security};

/// The headers that scripts of other origins need from a browser.
const EXPOSED: [&str; 3] = ["ETag", "Link", "Last-Modified"];

/// The remedy for a header that the host does not send.
const CONFIGURE: &str = "let the host send it (`candor host` writes the configuration)";

/// The same for a document that never changes.
const CONFIGURE_ASSETS: &str =
    "every visit requests it again; let the host send it (`candor host` writes the configuration)";

/// An ETag, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// The ETag of the manifest.
    Ours(String),
    /// The host's own, which is as good to a reader.
    Host(String),
}

impl Tag {
    /// Returns the ETag as it was sent.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Ours(text) | Self::Host(text) => text,
        }
    }
}

/// Looks at every header of a document sent as it is.
pub(crate) fn judge(
    findings: &mut Findings,
    subject: &str,
    file: &FileEntry,
    response: &Response,
    security: &Security,
) {
    let mut warn = |check, verdict| findings.judge(check, Level::Warn, subject, verdict);
    warn(Check::Type, media_type(file, response));
    warn(Check::CacheControl, cache_control(file, response));
    if !file.encodings.is_empty() {
        warn(Check::Vary, vary(response));
    }
    warn(Check::NoSniff, no_sniff(response));
    for (name, expected) in security.fields(&file.path) {
        warn(Check::Security, protects(name, expected, response));
    }
    warn(Check::Security, sets_no_cookie(response));
    warn(Check::Cors, cors(response));
    warn(Check::LastModified, last_modified(file, response));
    if !file.links.is_empty() {
        warn(Check::Link, link(file, response));
    }
}

fn media_type(file: &FileEntry, response: &Response) -> Result<(), Mismatch> {
    let found = response.field("content-type");
    if found.as_deref().map(parameters) == Some(parameters(&file.media_type)) {
        return Ok(());
    }
    Err(Mismatch::new(&file.media_type, response.shown("Content-Type"), CONFIGURE))
}

/// The type and its parameters, however they are ordered and quoted.
fn parameters(field: &str) -> (String, BTreeMap<String, String>) {
    let mut parts = field.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let parameters = parts.filter_map(|part| part.split_once('=')).map(|(name, value)| {
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim().trim_matches('"');
        // Names of character sets have no case (RFC 9110 section 8.3.2).
        let value = if name == "charset" { value.to_ascii_lowercase() } else { value.to_owned() };
        (name, value)
    });
    (essence, parameters.collect())
}

/// The members of a list, without case and order.
fn members(field: &str) -> BTreeSet<String> {
    field
        .split(',')
        .map(|part| part.trim().to_ascii_lowercase())
        .filter(|p| !p.is_empty())
        .collect()
}

fn cache_control(file: &FileEntry, response: &Response) -> Result<(), Mismatch> {
    let expected = fields::cache_control(&file.path);
    let found = response.field("cache-control");
    if found.as_deref().map(members) == Some(members(expected)) {
        return Ok(());
    }
    let remedy = match expected {
        fields::IMMUTABLE => CONFIGURE_ASSETS,
        _ => {
            "readers may be shown an old document; let the host send it (`candor host` writes the configuration)"
        }
    };
    Err(Mismatch::new(expected, response.shown("Cache-Control"), remedy))
}

fn vary(response: &Response) -> Result<(), Mismatch> {
    let found = response.field("vary").map(|field| members(&field)).unwrap_or_default();
    if found.contains("accept-encoding") || found.contains("*") {
        return Ok(());
    }
    Err(Mismatch::new("Accept-Encoding", response.shown("Vary"), CONFIGURE))
}

fn no_sniff(response: &Response) -> Result<(), Mismatch> {
    let found = response.field("x-content-type-options");
    if found.is_some_and(|value| value.eq_ignore_ascii_case("nosniff")) {
        return Ok(());
    }
    Err(Mismatch::new("nosniff", response.shown("X-Content-Type-Options"), CONFIGURE))
}

/// Whether a field that protects readers is as it must be.
fn protects(name: &str, expected: String, response: &Response) -> Result<(), Mismatch> {
    if response.field(&name.to_ascii_lowercase()).as_deref().map(str::trim) == Some(&*expected) {
        return Ok(());
    }
    Err(Mismatch::new(expected, response.shown(name), CONFIGURE))
}

fn sets_no_cookie(response: &Response) -> Result<(), Mismatch> {
    match response.field("set-cookie") {
        None => Ok(()),
        Some(_) => {
            let remedy = "caches do not keep what sets a cookie, and readers would have to be asked: let the host or edge set none";
            Err(Mismatch::new("no Set-Cookie", response.shown("Set-Cookie"), remedy))
        }
    }
}

/// Whether any page may read the response.
pub(crate) fn allows_any_origin(response: &Response) -> Result<(), Mismatch> {
    if response.field("access-control-allow-origin").as_deref() == Some("*") {
        return Ok(());
    }
    Err(Mismatch::new("*", response.shown("Access-Control-Allow-Origin"), CONFIGURE))
}

fn cors(response: &Response) -> Result<(), Mismatch> {
    allows_any_origin(response)?;
    let exposed = response.field("access-control-expose-headers").map(|field| members(&field));
    let exposed = exposed.unwrap_or_default();
    if EXPOSED.iter().all(|name| exposed.contains(&name.to_ascii_lowercase())) {
        return Ok(());
    }
    let found = response.shown("Access-Control-Expose-Headers");
    Err(Mismatch::new(EXPOSED.join(", "), found, CONFIGURE))
}

fn last_modified(file: &FileEntry, response: &Response) -> Result<(), Mismatch> {
    let expected = httpdate::fmt_http_date(file.modified.into());
    if response.field("last-modified").as_deref() == Some(&expected) {
        return Ok(());
    }
    let remedy = "a change of server or a copy without times makes readers fetch again; keep the files' times, or let the host send it";
    Err(Mismatch::new(expected, response.shown("Last-Modified"), remedy))
}

fn link(file: &FileEntry, response: &Response) -> Result<(), Mismatch> {
    let found = response.field("link").unwrap_or_default();
    let missing =
        file.links.iter().find(|link| !has_link(&found, &link.href, &link.rel)).map(|link| {
            let remedy = "subscribers find the hub by it; let the host send it (`candor host` writes the configuration)";
            Mismatch::new(link.to_string(), response.shown("Link"), remedy)
        });
    missing.map_or(Ok(()), Err)
}

/// Whether a `Link` field has this target with this relation (RFC 8288 section 3).
fn has_link(field: &str, href: &str, rel: &str) -> bool {
    field.match_indices('<').any(|(at, _)| {
        let Some((target, rest)) = field[at + 1..].split_once('>') else { return false };
        let parameters =
            rest.split('<').next().unwrap_or_default().trim_end().trim_end_matches(',');
        target == href
            && parameters.split(';').filter_map(|part| part.split_once('=')).any(|(name, value)| {
                name.trim().eq_ignore_ascii_case("rel")
                    && value
                        .trim()
                        .trim_matches('"')
                        .split(' ')
                        .any(|r| r.eq_ignore_ascii_case(rel))
            })
    })
}

/// Determines whose ETag this is. Without one, or with an ETag of Candor that belongs to other bytes, a reader
/// cannot tell what it has.
pub(crate) fn tag(expected: &ETag, response: &Response) -> Result<Tag, Mismatch> {
    let Some(found) = response.field("etag") else {
        let remedy = "every document needs one: turn the host's tags on, or serve by `candor host`; of a server with its tables, they are older than the build: reload it";
        return Err(Mismatch::new("an ETag", "no ETag", remedy));
    };
    let opaque = found.strip_prefix("W/").unwrap_or(&found);
    if found == expected.as_str() {
        return Ok(Tag::Ours(found));
    }
    let quoted = opaque.len() >= 2 && opaque.starts_with('"') && opaque.ends_with('"');
    if !quoted || opaque[1..opaque.len() - 1].contains('"') {
        let remedy = "a tag is quoted (RFC 9110 section 8.8.3): fix the host's configuration";
        return Err(Mismatch::new("a quoted ETag", shorten(&found), remedy));
    }
    if opaque != expected.as_str() && opaque.parse::<ETag>().is_ok() {
        let remedy = "the ETag belongs to other bytes, so clients keep an old document: publish files and ETags together, and reload the host";
        return Err(Mismatch::new(expected.to_string(), found, remedy));
    }
    Ok(Tag::Host(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_found_however_it_is_written() {
        let field = "<https://x.example/hub>; rel=\"hub\", <https://x.example/a,b;c>;rel=self; x=1";
        assert!(has_link(field, "https://x.example/hub", "hub"));
        assert!(has_link(field, "https://x.example/a,b;c", "self"));
        assert!(has_link("<u>; rel=\"next HUB\"", "u", "hub"));
        for (href, rel) in [("https://x.example/hub", "self"), ("https://x.example/", "hub")] {
            assert!(!has_link(field, href, rel), "{href}");
        }
        for broken in ["", "<u", "u>; rel=hub", "<u>", "<u>; rel", "<u>, <v>; rel=hub"] {
            assert!(!has_link(broken, "u", "hub"), "{broken}");
        }
    }

    #[test]
    fn types_are_equal_in_any_spelling() {
        let same = |a, b| parameters(a) == parameters(b);
        assert!(same("Text/HTML;charset=UTF-8", "text/html; charset=\"utf-8\""));
        assert!(!same("text/html", "text/html; charset=utf-8"));
        assert!(!same("application/xml", "application/atom+xml"));
    }
}
