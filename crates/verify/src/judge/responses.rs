//! Single requests with one right response: statuses, revalidation, preflights, the page for what does not exist.

use serde_json::Value;

use super::headers::{self, Tag};
use crate::{
    fetch::{client::Failure, response::Response},
    report::Mismatch,
};
use contract::manifest::FileEntry;

/// Returns the mismatch of a failure in place of a response.
pub(crate) fn no_response(failure: Failure) -> Mismatch {
    let found = match failure {
        Failure::OutOfTime => "the time was over".to_owned(),
        Failure::NoResponse(why) => why,
    };
    Mismatch::new("an answer", found, "look whether the server runs and what its log says")
}

/// Whether a status is the expected one.
pub(crate) fn status(found: u16, expected: u16, remedy: &str) -> Result<(), Mismatch> {
    if found == expected {
        Ok(())
    } else {
        Err(Mismatch::new(expected.to_string(), found.to_string(), remedy))
    }
}

/// The JSON of a response with this status.
pub(crate) fn json(response: &Response, status: u16, remedy: &str) -> Result<Value, Mismatch> {
    if let 502 | 504 = response.status {
        let remedy = "the proxy reaches no server behind it: start that one (candor-sidecar, for the four dynamic routes), or correct its address";
        return Err(Mismatch::new(status.to_string(), response.shown_status(), remedy));
    }
    if response.status != status {
        let found = match response.shown_content() {
            said if said.is_empty() => response.shown_status(),
            said => format!("{}: {said}", response.shown_status()),
        };
        return Err(Mismatch::new(status.to_string(), found, remedy));
    }
    response.json().map_err(|why| Mismatch::new(format!("{status} with JSON"), why, remedy))
}

/// Whether a request with this ETag was answered with 304 and nothing else.
pub(crate) fn not_modified(response: &Response, tag: &Tag) -> Result<(), Mismatch> {
    let text = tag.text();
    let expected = format!("304 to If-None-Match: {text}");
    if response.status != 304 {
        let remedy = match tag {
            Tag::Ours(_) => {
                "the host sends an ETag that it does not compare: remove the ETag header you set, or use the configuration of `candor host`"
            }
            Tag::Host(_) => {
                "every client downloads every document again: disable the compression or proxy that changes ETags, or use the configuration of `candor host`"
            }
        };
        return Err(Mismatch::new(expected, response.shown_status(), remedy));
    }
    if response.body.length > 0 {
        let remedy = "a 304 has no body (RFC 9110 section 15.4.5): fix the server";
        return Err(Mismatch::new(expected, "304 with a body", remedy));
    }
    let weak = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    match response.field("etag") {
        Some(other) if weak(&other) != weak(text) => {
            let remedy = "a 304 must have the ETag of the client's document: fix the server";
            Err(Mismatch::new(expected, format!("304 with the tag {other}"), remedy))
        }
        _ => Ok(()),
    }
}

/// Whether HEAD with the ETag `foreign` of other bytes was answered like GET.
pub(crate) fn modified(response: &Response, foreign: &str) -> Result<(), Mismatch> {
    let remedy = match response.status {
        200 => return Ok(()),
        304 => {
            "clients would never receive a newer document: let the server compare the ETag of the request"
        }
        _ => "HEAD is answered like GET: let the host do so",
    };
    let expected = format!("200 to HEAD with If-None-Match: {foreign}");
    Err(Mismatch::new(expected, response.shown_status(), remedy))
}

/// Whether the response to `OPTIONS` allows a page of another origin to send this header.
pub(crate) fn allows_preflight(response: &Response, header: &str) -> Result<(), Mismatch> {
    let remedy = "pages of other origins cannot send it: let the host answer OPTIONS (`candor host` writes the configuration)";
    if !(200..300).contains(&response.status) {
        return Err(Mismatch::new("204 to OPTIONS", response.shown_status(), remedy));
    }
    let allowed = response.field("access-control-allow-headers").unwrap_or_default();
    let allows = |name: &str| name == "*" || name.eq_ignore_ascii_case(header);
    if allowed.split(',').map(str::trim).any(allows) {
        headers::allows_any_origin(response)
    } else {
        let expected = format!("Access-Control-Allow-Headers with {header}");
        Err(Mismatch::new(expected, response.shown("Access-Control-Allow-Headers"), remedy))
    }
}

/// Whether a path at which nothing exists is 404.
pub(crate) fn not_found(response: &Response) -> Result<(), Mismatch> {
    match response.status {
        404 => Ok(()),
        _ => {
            let remedy = "search engines would keep pages that are gone: name 404.html as the host's error page, with the status 404";
            Err(Mismatch::new("404", response.shown_status(), remedy))
        }
    }
}

/// Whether a 404 is the site's own page.
pub(crate) fn own_page(response: &Response, page: &FileEntry) -> Result<(), Mismatch> {
    if response.body.content.as_ref().is_ok_and(|body| body.tag == page.etag) {
        Ok(())
    } else {
        let remedy = "name 404.html as the host's error page";
        Err(Mismatch::new("the site's own page, 404.html", "another page", remedy))
    }
}
