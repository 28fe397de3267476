//! Every document: requested as it is, with its own ETag, with another one, and in every coding it
//! was published in.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::requests::{miss, preflight, revalidates, send};
use crate::{
    fetch::{
        client::{Failure, Request, SiteClient},
        response::{self, Response},
    },
    judge::{documents, headers},
    report::{Check, Findings, Level, Tags},
};
use contract::{
    changes,
    etag::ETag,
    manifest::{Coding, FileEntry},
    security::Security,
};

/// Largest document that is held to be read: 1 GiB.
const MAX_READ: u64 = 1 << 30;

/// Documents whose content is looked at, beside the files of changes.
const READ: [&str; 4] = ["reviews.json", "insights.json", "api/feed.json", "feed.xml"];

/// The results for all documents together.
pub(crate) struct DocumentsResult {
    pub(crate) findings: Findings,
    pub tags: Tags,
    /// The number of documents that were requested before the time was over.
    pub done: usize,
    contents: Vec<(String, Vec<u8>)>,
}

impl DocumentsResult {
    /// The bytes of a document whose content is looked at, where they are those of the manifest.
    pub(crate) fn content(&self, path: &str) -> Option<&[u8]> {
        self.contents.iter().find(|(at, _)| at == path).map(|(_, bytes)| bytes.as_slice())
    }
}

/// The result for one document.
#[derive(Default)]
struct DocumentResult {
    findings: Findings,
    ours: Option<bool>,
    codings: Vec<(Coding, bool)>,
    content: Option<Vec<u8>>,
}

/// Walks the documents, `jobs` at a time; what is found is in their order all the same.
pub(crate) fn walk(
    client: &SiteClient,
    files: &[&FileEntry],
    security: &Security,
    jobs: usize,
) -> DocumentsResult {
    let next = AtomicUsize::new(0);
    let visits = Mutex::new(Vec::with_capacity(files.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(visit) = visit(client, file, security) {
                        let mut visits = visits.lock().unwrap_or_else(PoisonError::into_inner);
                        visits.push((file.path.clone(), visit));
                    }
                }
            });
        }
    });
    let mut visits = visits.into_inner().unwrap_or_else(PoisonError::into_inner);
    visits.sort_by(|(a, _), (b, _)| a.cmp(b));
    joined(visits)
}

fn joined(visits: Vec<(String, DocumentResult)>) -> DocumentsResult {
    let (mut findings, mut contents, done) = (Findings::default(), Vec::new(), visits.len());
    let (mut ours, mut host, mut none) = (0, 0, 0);
    let mut offered = [(0, 0); 3];
    for (path, visit) in visits {
        findings.append(visit.findings);
        contents.extend(visit.content.map(|bytes| (path, bytes)));
        match visit.ours {
            Some(true) => ours += 1,
            Some(false) => host += 1,
            None => none += 1,
        }
        for (coding, sent) in visit.codings {
            let at = &mut offered[Coding::ALL.iter().position(|c| *c == coding).unwrap_or(0)];
            *at = (at.0 + u32::from(sent), at.1 + 1);
        }
    }
    for (coding, (sent, published)) in Coding::ALL.iter().zip(offered) {
        if published > 0 {
            findings.note(Check::Codings, format!("{} {sent} of {published}", coding.token()));
        }
    }
    let (sent, published) = offered.iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    if published > 0 {
        let verdict = if sent > 0 { Ok(()) } else { Err(documents::uncompressed()) };
        findings.judge(Check::Codings, Level::Warn, "any document", verdict);
    }
    let tags = match (ours, host, none) {
        (1.., 0, 0) => Tags::Ours,
        (0, 1.., 0) => Tags::Host,
        (0, 0, _) => Tags::None,
        _ => Tags::Mixed,
    };
    DocumentsResult { findings, tags, done, contents }
}

fn get(client: &SiteClient, path: &str, coding: &'static str) -> Request {
    Request::new("GET", client.url(path)).with("accept-encoding", coding)
}

/// `Err` where the time was over.
fn visit(
    client: &SiteClient,
    file: &FileEntry,
    security: &Security,
) -> Result<DocumentResult, Failure> {
    let mut visit = DocumentResult::default();
    let path = file.url_path();
    let request = get(client, &path, "identity");
    let is_read = READ.contains(&file.path.as_str()) || changes::number(&file.path).is_some();
    let read = is_read && file.length <= MAX_READ;
    let limited = if read {
        request.clone().keeping(file.length)
    } else {
        request.clone().hashing(file.length)
    };
    let mut response = match send(client, &limited)? {
        Ok(response) => response,
        Err(mismatch) => {
            visit.findings.fail(Check::Documents, &path, mismatch);
            return Ok(visit);
        }
    };
    let same = documents::is_document(file, &response);
    visit.findings.judge(Check::Documents, Level::Fail, &path, same.clone());
    if response.status != 200 {
        return Ok(visit);
    }
    headers::judge(&mut visit.findings, &path, file, &response, security);
    if same.is_ok()
        && let Ok(content) = &mut response.body.content
    {
        visit.content = read.then(|| std::mem::take(&mut content.bytes));
    }
    let plain = matches!(response::coding(&response.fields), Ok(None));
    visit.ours = tagged(client, &mut visit.findings, &path, &file.etag, &response, &request)?;
    if visit.ours.is_some() {
        miss(client, &mut visit.findings, &path)?;
    }
    if same.is_ok() && plain {
        for (coding, encoded) in &file.encodings {
            let sent = coded(client, &mut visit.findings, file, *coding, &encoded.etag, &response)?;
            visit.codings.push((*coding, sent));
        }
    }
    if !file.media_type.starts_with("text/html") {
        let verdict = preflight(client, &path, "GET", "if-none-match")?;
        visit.findings.judge(Check::Preflight, Level::Warn, &path, verdict);
    }
    Ok(visit)
}

/// Whether it has an ETag that works, and whether that is ours.
fn tagged(
    client: &SiteClient,
    findings: &mut Findings,
    subject: &str,
    expected: &ETag,
    response: &Response,
    request: &Request,
) -> Result<Option<bool>, Failure> {
    let tag = match headers::tag(expected, response) {
        Ok(tag) => tag,
        Err(mismatch) => {
            findings.fail(Check::Tags, subject, mismatch);
            return Ok(None);
        }
    };
    let ours = documents::is_ours(&tag, expected);
    let is_ours = ours.is_ok();
    findings.judge(Check::Tags, Level::Warn, subject, ours);
    let verdict = revalidates(client, request, &tag)?;
    findings.judge(Check::NotModified, Level::Fail, subject, verdict);
    Ok(Some(is_ours))
}

/// Whether a document is the same in a coding, if the host sends it so.
fn coded(
    client: &SiteClient,
    findings: &mut Findings,
    file: &FileEntry,
    coding: Coding,
    expected: &ETag,
    identity: &Response,
) -> Result<bool, Failure> {
    let path = file.url_path();
    let subject = format!("{path} ({})", coding.token());
    let request = get(client, &path, coding.token());
    let response = match send(client, &request.clone().hashing(file.length))? {
        Ok(response) => response,
        Err(mismatch) => {
            findings.fail(Check::Codings, &subject, mismatch);
            return Ok(false);
        }
    };
    let same = documents::is_document(file, &response);
    let sent = response::coding(&response.fields) == Ok(Some(coding));
    let is_same = same.is_ok();
    findings.judge(Check::Codings, Level::Fail, &subject, same);
    if !sent || !is_same {
        return Ok(sent);
    }
    match documents::tag_of_coding(expected, &response, identity) {
        Err(mismatch) => findings.fail(Check::Codings, &subject, mismatch),
        Ok(tag) => {
            let verdict = revalidates(client, &request, &tag)?;
            findings.judge(Check::Codings, Level::Fail, &subject, verdict);
            let verdict = documents::distinct(&response, identity, expected);
            findings.judge(Check::Codings, Level::Warn, &subject, verdict);
        }
    }
    Ok(sent)
}
