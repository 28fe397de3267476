//! Single questions with one right answer, asked of documents and of dynamic routes.

use super::{
    answer::Answer,
    client::{Ask, Client, Failure},
    documents::NOT_FOUND_PAGE,
    headers::{self, Tag},
    report::{Check, Level, Log, Wrong},
};
use contract::manifest::Manifest;

/// What a tag of ours for other bytes looks like.
const FOREIGN_TAG: &str = "\"b3-00000000000000000000000000000000\"";

/// An answer; what is wrong where there is none; `Err` where the time was over.
pub(super) fn answered(client: &Client, ask: &Ask) -> Result<Result<Answer, Wrong>, Failure> {
    match client.send(ask) {
        Ok(answer) => Ok(Ok(answer)),
        Err(Failure::OutOfTime) => Err(Failure::OutOfTime),
        Err(failure) => Ok(Err(failure.wrong())),
    }
}

/// Whether a tag that is sent back is answered with 304 and nothing else.
pub(super) fn revalidates(
    client: &Client,
    ask: &Ask,
    tag: &Tag,
) -> Result<Result<(), Wrong>, Failure> {
    let text = tag.text();
    let asked = ask.clone().hashing(0).with("if-none-match", text);
    let answer = match answered(client, &asked)? {
        Ok(answer) => answer,
        Err(wrong) => return Ok(Err(wrong)),
    };
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
        return Ok(Err(Wrong::new(expected, answer.shown_status(), remedy)));
    }
    if answer.body.length > 0 {
        let remedy = "a 304 has no body (RFC 9110 section 15.4.5): fix the server";
        return Ok(Err(Wrong::new(expected, "304 with a body", remedy)));
    }
    let weak = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    Ok(match answer.field("etag") {
        Some(other) if weak(&other) != weak(text) => {
            let remedy = "a 304 carries the tag of what the reader has: fix the server";
            Err(Wrong::new(expected, format!("304 with the tag {other}"), remedy))
        }
        _ => Ok(()),
    })
}

/// Another tag must not be answered with 304.
pub(super) fn miss(client: &Client, log: &mut Log, path: &str) -> Result<(), Failure> {
    let ask = Ask::new("HEAD", client.url(path))
        .with("accept-encoding", "identity")
        .with("if-none-match", FOREIGN_TAG);
    let verdict = match answered(client, &ask)? {
        Ok(answer) if answer.status == 200 => Ok(()),
        Ok(answer) => {
            let remedy = match answer.status {
                304 => {
                    "readers would keep what they have for ever: the server must compare the tags it is sent"
                }
                _ => "HEAD is answered like GET: let the host do so",
            };
            let expected = format!("200 to HEAD with If-None-Match: {FOREIGN_TAG}");
            Err(Wrong::new(expected, answer.shown_status(), remedy))
        }
        Err(wrong) => Err(wrong),
    };
    log.judge(Check::NotModified, Level::Fail, path, verdict);
    Ok(())
}

/// Whether `OPTIONS` allows a page of another origin to ask like this.
pub(super) fn preflight(
    client: &Client,
    path: &str,
    method: &'static str,
    header: &'static str,
) -> Result<Result<(), Wrong>, Failure> {
    let ask = Ask::new("OPTIONS", client.url(path))
        .with("origin", super::ORIGIN)
        .with("access-control-request-method", method)
        .with("access-control-request-headers", header);
    let answer = match answered(client, &ask)? {
        Ok(answer) => answer,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let remedy = "pages of other origins cannot send it: let the host answer OPTIONS (`candor host` writes the configuration)";
    if !(200..300).contains(&answer.status) {
        return Ok(Err(Wrong::new("204 to OPTIONS", answer.shown_status(), remedy)));
    }
    let allowed = answer.field("access-control-allow-headers").unwrap_or_default();
    let allows = |name: &str| name == "*" || name.eq_ignore_ascii_case(header);
    Ok(match allowed.split(',').map(str::trim).any(allows) {
        true => headers::allows_any_origin(&answer),
        false => {
            let expected = format!("Access-Control-Allow-Headers with {header}");
            Err(Wrong::new(expected, answer.shown("Access-Control-Allow-Headers"), remedy))
        }
    })
}

/// What does not exist is 404, with the site's own page.
pub(super) fn not_found(client: &Client, manifest: &Manifest) -> Result<Log, Failure> {
    let mut log = Log::default();
    let page = manifest.file(NOT_FOUND_PAGE);
    for path in ["/candor-verify-finds-nothing", "/candor-verify/finds/nothing/"] {
        let length = page.map_or(0, |page| page.length);
        let ask = Ask::new("GET", client.url(path)).with("accept-encoding", "identity");
        let ask = ask.hashing(length);
        let answer = match answered(client, &ask)? {
            Ok(answer) => answer,
            Err(wrong) => {
                log.fail(Check::NotFound, path, wrong);
                continue;
            }
        };
        let verdict = match answer.status {
            404 => Ok(()),
            _ => {
                let remedy = "search engines would keep pages that are gone: name 404.html as the host's error page, with the status 404";
                Err(Wrong::new("404", answer.shown_status(), remedy))
            }
        };
        let is_404 = verdict.is_ok();
        log.judge(Check::NotFound, Level::Fail, path, verdict);
        if let Some(page) = page.filter(|_| is_404) {
            let own = answer.body.content.as_ref().is_ok_and(|body| body.tag == page.etag);
            let verdict = if own {
                Ok(())
            } else {
                let remedy = "name 404.html as the host's error page";
                Err(Wrong::new("the site's own page, 404.html", "another page", remedy))
            };
            log.judge(Check::NotFound, Level::Warn, path, verdict);
        }
    }
    Ok(log)
}
