//! Single questions with one right answer, for documents and for dynamic routes.

use crate::verify::{
    ORIGIN,
    fetch::{
        answer::Answer,
        client::{Ask, Client, Failure},
    },
    judge::{documents::NOT_FOUND_PAGE, headers::Tag, responses},
    report::{Check, Level, Log, Wrong},
};
use contract::manifest::Manifest;

/// An ETag in Candor's form that belongs to other bytes.
const FOREIGN_TAG: &str = "\"b3-00000000000000000000000000000000\"";

/// An answer; what is wrong where there is none; `Err` where the time was over.
pub(crate) fn answered(client: &Client, ask: &Ask) -> Result<Result<Answer, Wrong>, Failure> {
    match client.send(ask) {
        Ok(answer) => Ok(Ok(answer)),
        Err(Failure::OutOfTime) => Err(Failure::OutOfTime),
        Err(failure) => Ok(Err(responses::unanswered(failure))),
    }
}

/// Whether an ETag that is sent back is answered with 304 and nothing else.
pub(crate) fn revalidates(
    client: &Client,
    ask: &Ask,
    tag: &Tag,
) -> Result<Result<(), Wrong>, Failure> {
    let asked = ask.clone().hashing(0).with("if-none-match", tag.text());
    let answer = answered(client, &asked)?;
    Ok(answer.and_then(|answer| responses::not_modified(&answer, tag)))
}

/// Another ETag must not be answered with 304.
pub(crate) fn miss(client: &Client, log: &mut Log, path: &str) -> Result<(), Failure> {
    let ask = Ask::new("HEAD", client.url(path))
        .with("accept-encoding", "identity")
        .with("if-none-match", FOREIGN_TAG);
    let answer = answered(client, &ask)?;
    let verdict = answer.and_then(|answer| responses::modified(&answer, FOREIGN_TAG));
    log.judge(Check::NotModified, Level::Fail, path, verdict);
    Ok(())
}

/// Whether `OPTIONS` allows a page of another origin to ask like this.
pub(crate) fn preflight(
    client: &Client,
    path: &str,
    method: &'static str,
    header: &'static str,
) -> Result<Result<(), Wrong>, Failure> {
    let ask = Ask::new("OPTIONS", client.url(path))
        .with("origin", ORIGIN)
        .with("access-control-request-method", method)
        .with("access-control-request-headers", header);
    let answer = answered(client, &ask)?;
    Ok(answer.and_then(|answer| responses::allows_preflight(&answer, header)))
}

/// What does not exist is 404, with the site's own page.
pub(crate) fn not_found(client: &Client, manifest: &Manifest) -> Result<Log, Failure> {
    let mut log = Log::default();
    let page = manifest.file(NOT_FOUND_PAGE);
    for path in ["/candor-verify-finds-nothing", "/candor-verify/finds/nothing/"] {
        let length = page.map_or(0, |page| page.length);
        let ask = Ask::new("GET", client.url(path)).with("accept-encoding", "identity");
        let answer = match answered(client, &ask.hashing(length))? {
            Ok(answer) => answer,
            Err(wrong) => {
                log.fail(Check::NotFound, path, wrong);
                continue;
            }
        };
        let verdict = responses::not_found(&answer);
        let is_404 = verdict.is_ok();
        log.judge(Check::NotFound, Level::Fail, path, verdict);
        if let Some(page) = page.filter(|_| is_404) {
            let verdict = responses::own_page(&answer, page);
            log.judge(Check::NotFound, Level::Warn, path, verdict);
        }
    }
    Ok(log)
}
