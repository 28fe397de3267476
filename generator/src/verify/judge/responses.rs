//! Single responses with one right answer: statuses, revalidation, preflights, the page for what does not exist.

use serde_json::Value;

use super::headers::{self, Tag};
use crate::verify::{
    fetch::{answer::Answer, client::Failure},
    report::Wrong,
};
use contract::manifest::FileEntry;

/// What a failure means where a response was expected.
pub(crate) fn unanswered(failure: Failure) -> Wrong {
    let found = match failure {
        Failure::OutOfTime => "the time was over".to_owned(),
        Failure::NoAnswer(why) => why,
    };
    Wrong::new("an answer", found, "look whether the server runs and what its log says")
}

/// Whether a status is the expected one.
pub(crate) fn status(found: u16, expected: u16, remedy: &str) -> Result<(), Wrong> {
    match found == expected {
        true => Ok(()),
        false => Err(Wrong::new(expected.to_string(), found.to_string(), remedy)),
    }
}

/// The JSON of an answer with this status.
pub(crate) fn json(answer: &Answer, status: u16, remedy: &str) -> Result<Value, Wrong> {
    if answer.status != status {
        let found = match answer.shown_content() {
            said if said.is_empty() => answer.shown_status(),
            said => format!("{}: {said}", answer.shown_status()),
        };
        return Err(Wrong::new(status.to_string(), found, remedy));
    }
    answer.json().map_err(|why| Wrong::new(format!("{status} with JSON"), why, remedy))
}

/// Whether a request with this ETag was answered with 304 and nothing else.
pub(crate) fn not_modified(answer: &Answer, tag: &Tag) -> Result<(), Wrong> {
    let text = tag.text();
    let expected = format!("304 to If-None-Match: {text}");
    if answer.status != 304 {
        let remedy = match tag {
            Tag::Ours(_) => {
                "the host sends a tag it does not compare: send no ETag of your own there, or serve by `candor host`"
            }
            Tag::Host(_) => {
                "every reader downloads everything every time: turn off what rewrites tags on the way (compression), or serve by `candor host`"
            }
        };
        return Err(Wrong::new(expected, answer.shown_status(), remedy));
    }
    if answer.body.length > 0 {
        let remedy = "a 304 has no body (RFC 9110 section 15.4.5): fix the server";
        return Err(Wrong::new(expected, "304 with a body", remedy));
    }
    let weak = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    match answer.field("etag") {
        Some(other) if weak(&other) != weak(text) => {
            let remedy = "a 304 carries the tag of what the reader has: fix the server";
            Err(Wrong::new(expected, format!("304 with the tag {other}"), remedy))
        }
        _ => Ok(()),
    }
}

/// Whether HEAD with the ETag `foreign` of other bytes was answered like GET.
pub(crate) fn modified(answer: &Answer, foreign: &str) -> Result<(), Wrong> {
    let remedy = match answer.status {
        200 => return Ok(()),
        304 => {
            "readers would keep what they have for ever: the server must compare the tags it is sent"
        }
        _ => "HEAD is answered like GET: let the host do so",
    };
    let expected = format!("200 to HEAD with If-None-Match: {foreign}");
    Err(Wrong::new(expected, answer.shown_status(), remedy))
}

/// Whether the response to `OPTIONS` allows a page of another origin to send this header.
pub(crate) fn allows_preflight(answer: &Answer, header: &str) -> Result<(), Wrong> {
    let remedy = "pages of other origins cannot send it: let the host answer OPTIONS (`candor host` writes the configuration)";
    if !(200..300).contains(&answer.status) {
        return Err(Wrong::new("204 to OPTIONS", answer.shown_status(), remedy));
    }
    let allowed = answer.field("access-control-allow-headers").unwrap_or_default();
    let allows = |name: &str| name == "*" || name.eq_ignore_ascii_case(header);
    match allowed.split(',').map(str::trim).any(allows) {
        true => headers::allows_any_origin(answer),
        false => {
            let expected = format!("Access-Control-Allow-Headers with {header}");
            Err(Wrong::new(expected, answer.shown("Access-Control-Allow-Headers"), remedy))
        }
    }
}

/// Whether a path at which nothing exists is 404.
pub(crate) fn not_found(answer: &Answer) -> Result<(), Wrong> {
    match answer.status {
        404 => Ok(()),
        _ => {
            let remedy = "search engines would keep pages that are gone: name 404.html as the host's error page, with the status 404";
            Err(Wrong::new("404", answer.shown_status(), remedy))
        }
    }
}

/// Whether a 404 is the site's own page.
pub(crate) fn own_page(answer: &Answer, page: &FileEntry) -> Result<(), Wrong> {
    match answer.body.content.as_ref().is_ok_and(|body| body.tag == page.etag) {
        true => Ok(()),
        false => {
            let remedy = "name 404.html as the host's error page";
            Err(Wrong::new("the site's own page, 404.html", "another page", remedy))
        }
    }
}
