//! Every document: asked for as it is, with its own tag, with another one, and in every coding it
//! was published in.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::questions::{answered, miss, preflight, revalidates};
use crate::verify::{
    fetch::{
        answer::{self, Answer},
        client::{Ask, Client, Failure},
    },
    judge::{documents, headers},
    report::{Check, Level, Log, Tags},
};
use contract::{
    etag::ETag,
    manifest::{Coding, FileEntry},
};

/// Largest document that is held to be read: 1 GiB.
const MAX_READ: u64 = 1 << 30;

/// Documents whose content is looked at.
pub(crate) const READ: [&str; 5] =
    ["reviews.json", "insights.json", "changes.json", "api/feed.json", "feed.xml"];

/// What was learnt from all documents together.
pub(crate) struct Walked {
    pub(crate) log: Log,
    pub(crate) tags: Tags,
    /// How many of them were asked for before the time was over.
    pub(crate) done: usize,
    contents: Vec<(String, Vec<u8>)>,
}

impl Walked {
    /// The bytes of one of [`READ`], where they are those of the manifest.
    pub(crate) fn content(&self, path: &str) -> Option<&[u8]> {
        self.contents.iter().find(|(at, _)| at == path).map(|(_, bytes)| bytes.as_slice())
    }
}

/// What was learnt from one.
#[derive(Default)]
struct Visit {
    log: Log,
    ours: Option<bool>,
    codings: Vec<(Coding, bool)>,
    content: Option<Vec<u8>>,
}

/// Walks the documents, `jobs` at a time; what is found is in their order all the same.
pub(crate) fn walk(client: &Client, files: &[&FileEntry], jobs: usize) -> Walked {
    let next = AtomicUsize::new(0);
    let visits = Mutex::new(Vec::with_capacity(files.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(visit) = visit(client, file) {
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

fn joined(visits: Vec<(String, Visit)>) -> Walked {
    let (mut log, mut contents, done) = (Log::default(), Vec::new(), visits.len());
    let (mut ours, mut host, mut none) = (0, 0, 0);
    let mut offered = [(0, 0); 3];
    for (path, visit) in visits {
        log.append(visit.log);
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
            log.note(Check::Codings, format!("{} {sent} of {published}", coding.token()));
        }
    }
    let (sent, published) = offered.iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    if published > 0 {
        let verdict = if sent > 0 { Ok(()) } else { Err(documents::uncompressed()) };
        log.judge(Check::Codings, Level::Warn, "any document", verdict);
    }
    let tags = match (ours, host, none) {
        (1.., 0, 0) => Tags::Ours,
        (0, 1.., 0) => Tags::Host,
        (0, 0, _) => Tags::None,
        _ => Tags::Mixed,
    };
    Walked { log, tags, done, contents }
}

fn get(client: &Client, path: &str, coding: &'static str) -> Ask {
    Ask::new("GET", client.url(path)).with("accept-encoding", coding)
}

/// `Err` where the time was over.
fn visit(client: &Client, file: &FileEntry) -> Result<Visit, Failure> {
    let mut visit = Visit::default();
    let path = file.url_path();
    let ask = get(client, &path, "identity");
    let read = READ.contains(&file.path.as_str()) && file.length <= MAX_READ;
    let limited = match read {
        true => ask.clone().keeping(file.length),
        false => ask.clone().hashing(file.length),
    };
    let mut answer = match answered(client, &limited)? {
        Ok(answer) => answer,
        Err(wrong) => {
            visit.log.fail(Check::Documents, &path, wrong);
            return Ok(visit);
        }
    };
    let same = documents::is_document(file, &answer);
    visit.log.judge(Check::Documents, Level::Fail, &path, same.clone());
    if answer.status != 200 {
        return Ok(visit);
    }
    headers::judge(&mut visit.log, &path, file, &answer);
    if same.is_ok()
        && let Ok(content) = &mut answer.body.content
    {
        visit.content = read.then(|| std::mem::take(&mut content.bytes));
    }
    let plain = matches!(answer::coding(&answer.fields), Ok(None));
    visit.ours = tagged(client, &mut visit.log, &path, &file.etag, &answer, &ask)?;
    if visit.ours.is_some() {
        miss(client, &mut visit.log, &path)?;
    }
    if same.is_ok() && plain {
        for (coding, encoded) in &file.encodings {
            let sent = coded(client, &mut visit.log, file, *coding, &encoded.etag, &answer)?;
            visit.codings.push((*coding, sent));
        }
    }
    if !file.media_type.starts_with("text/html") {
        let verdict = preflight(client, &path, "GET", "if-none-match")?;
        visit.log.judge(Check::Preflight, Level::Warn, &path, verdict);
    }
    Ok(visit)
}

/// Whether it has a tag that works, and whether that is ours.
fn tagged(
    client: &Client,
    log: &mut Log,
    subject: &str,
    expected: &ETag,
    answer: &Answer,
    ask: &Ask,
) -> Result<Option<bool>, Failure> {
    let tag = match headers::tag(expected, answer) {
        Ok(tag) => tag,
        Err(wrong) => {
            log.fail(Check::Tags, subject, wrong);
            return Ok(None);
        }
    };
    let ours = documents::is_ours(&tag, expected);
    let is_ours = ours.is_ok();
    log.judge(Check::Tags, Level::Warn, subject, ours);
    let verdict = revalidates(client, ask, &tag)?;
    log.judge(Check::NotModified, Level::Fail, subject, verdict);
    Ok(Some(is_ours))
}

/// Whether a document is the same in a coding, if the host sends it so.
fn coded(
    client: &Client,
    log: &mut Log,
    file: &FileEntry,
    coding: Coding,
    expected: &ETag,
    identity: &Answer,
) -> Result<bool, Failure> {
    let path = file.url_path();
    let subject = format!("{path} ({})", coding.token());
    let ask = get(client, &path, coding.token());
    let answer = match answered(client, &ask.clone().hashing(file.length))? {
        Ok(answer) => answer,
        Err(wrong) => {
            log.fail(Check::Codings, &subject, wrong);
            return Ok(false);
        }
    };
    let same = documents::is_document(file, &answer);
    let sent = answer::coding(&answer.fields) == Ok(Some(coding));
    let is_same = same.is_ok();
    log.judge(Check::Codings, Level::Fail, &subject, same);
    if !sent || !is_same {
        return Ok(sent);
    }
    match documents::tag_of_coding(expected, &answer, identity) {
        Err(wrong) => log.fail(Check::Codings, &subject, wrong),
        Ok(tag) => {
            let verdict = revalidates(client, &ask, &tag)?;
            log.judge(Check::Codings, Level::Fail, &subject, verdict);
            let verdict = documents::distinct(&answer, identity, expected);
            log.judge(Check::Codings, Level::Warn, &subject, verdict);
        }
    }
    Ok(sent)
}
