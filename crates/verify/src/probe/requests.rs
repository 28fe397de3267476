//! Single requests with one right response, for documents and for dynamic routes.

use super::ORIGIN;
use crate::{
    fetch::{
        client::{Failure, Request, SiteClient},
        response::Response,
    },
    judge::{headers::Tag, responses},
    report::{Check, Findings, Level, Mismatch},
};
use contract::manifest::{Manifest, NOT_FOUND_PAGE};

/// An ETag in Candor's form that belongs to other bytes.
const FOREIGN_TAG: &str = "\"b3-00000000000000000000000000000000\"";

/// The response, or what is wrong if there is none; `Err` if the time was over.
pub(crate) fn send(
    client: &SiteClient,
    request: &Request,
) -> Result<Result<Response, Mismatch>, Failure> {
    match client.send(request) {
        Ok(response) => Ok(Ok(response)),
        Err(Failure::OutOfTime) => Err(Failure::OutOfTime),
        Err(failure) => Ok(Err(responses::no_response(failure))),
    }
}

/// Whether an ETag that is sent back is answered with 304 and nothing else.
pub(crate) fn revalidates(
    client: &SiteClient,
    request: &Request,
    tag: &Tag,
) -> Result<Result<(), Mismatch>, Failure> {
    let request = request.clone().hashing(0).with("if-none-match", tag.text());
    let response = send(client, &request)?;
    Ok(response.and_then(|response| responses::not_modified(&response, tag)))
}

/// Another ETag must not be answered with 304.
pub(crate) fn miss(
    client: &SiteClient,
    findings: &mut Findings,
    path: &str,
) -> Result<(), Failure> {
    let request = Request::new("HEAD", client.url(path))
        .with("accept-encoding", "identity")
        .with("if-none-match", FOREIGN_TAG);
    let response = send(client, &request)?;
    let verdict = response.and_then(|response| responses::modified(&response, FOREIGN_TAG));
    findings.judge(Check::NotModified, Level::Fail, path, verdict);
    Ok(())
}

/// Whether `OPTIONS` allows a page of another origin to ask like this.
pub(crate) fn preflight(
    client: &SiteClient,
    path: &str,
    method: &'static str,
    header: &'static str,
) -> Result<Result<(), Mismatch>, Failure> {
    let request = Request::new("OPTIONS", client.url(path))
        .with("origin", ORIGIN)
        .with("access-control-request-method", method)
        .with("access-control-request-headers", header);
    let response = send(client, &request)?;
    Ok(response.and_then(|response| responses::allows_preflight(&response, header)))
}

/// Checks that a path without a document is 404, with the site's own page.
pub(crate) fn not_found(client: &SiteClient, manifest: &Manifest) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let page = manifest.file(NOT_FOUND_PAGE);
    for path in ["/candor-verify-finds-nothing", "/candor-verify/finds/nothing/"] {
        let length = page.map_or(0, |page| page.length);
        let request = Request::new("GET", client.url(path)).with("accept-encoding", "identity");
        let response = match send(client, &request.hashing(length))? {
            Ok(response) => response,
            Err(mismatch) => {
                findings.fail(Check::NotFound, path, mismatch);
                continue;
            }
        };
        let verdict = responses::not_found(&response);
        let is_404 = verdict.is_ok();
        findings.judge(Check::NotFound, Level::Fail, path, verdict);
        if let Some(page) = page.filter(|_| is_404) {
            let verdict = responses::own_page(&response, page);
            findings.judge(Check::NotFound, Level::Warn, path, verdict);
        }
    }
    Ok(findings)
}
