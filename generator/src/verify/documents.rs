//! Every document: asked for as it is, with its own tag, with another one, and in every coding it
//! was published in.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::{
    answer::{Answer, End},
    client::{Ask, Client, Failure},
    headers::{self, Tag},
    probes::{answered, miss, preflight, revalidates},
    report::{Check, Level, Log, Tags, Wrong},
};
use contract::{
    etag::ETag,
    manifest::{Coding, FileEntry},
};

/// The page that is sent in place of others, and may have no address itself.
pub(super) const NOT_FOUND_PAGE: &str = "404.html";

/// Largest document that is held to be read: 1 GiB.
const MAX_READ: u64 = 1 << 30;

/// Documents whose content is looked at.
pub(super) const READ: [&str; 5] =
    ["reviews.json", "insights.json", "changes.json", "api/feed.json", "feed.xml"];

/// What was learnt from all documents together.
pub(super) struct Walked {
    pub(super) log: Log,
    pub(super) tags: Tags,
    /// How many of them were asked for before the time was over.
    pub(super) done: usize,
    contents: Vec<(String, Vec<u8>)>,
}

impl Walked {
    /// The bytes of one of [`READ`], where they are those of the manifest.
    pub(super) fn content(&self, path: &str) -> Option<&[u8]> {
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
pub(super) fn walk(client: &Client, files: &[&FileEntry], jobs: usize) -> Walked {
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
        let verdict = if sent > 0 { Ok(()) } else { Err(uncompressed()) };
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

fn uncompressed() -> Wrong {
    let remedy = "readers wait for several times the bytes: let the host send the published siblings, or compress";
    Wrong::new("a coding, where one is asked for", "none", remedy)
}

/// The address of a file of the manifest; none for the page that stands in for others.
pub(super) fn address(file: &FileEntry) -> Option<String> {
    (file.path != NOT_FOUND_PAGE).then(|| file.url_path())
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
    let same = is_document(file, &answer);
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
    let plain = matches!(super::answer::coding(&answer.fields), Ok(None));
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

/// Whether the answer is the document, byte for byte.
fn is_document(file: &FileEntry, answer: &Answer) -> Result<(), Wrong> {
    if answer.status != 200 {
        let remedy = match answer.is_redirect() {
            true => {
                "a document answers at its own address: take the redirect away (none is followed)"
            }
            false => "publish the file, or let the host serve it",
        };
        return Err(Wrong::new("200", answer.shown_status(), remedy));
    }
    let expected = format!("{} bytes with the tag {}", file.length, file.etag);
    if let End::Broken(why) = &answer.body.end {
        let found = format!("{} bytes, then {why}", answer.body.length);
        return Err(Wrong::new(expected, found, "look what cuts answers off"));
    }
    let found = match &answer.body.content {
        Err(why) => why.clone(),
        Ok(content) if content.length > file.length => format!("more than {} bytes", file.length),
        Ok(content) if content.tag != file.etag => {
            format!("{} bytes with the tag {}", content.length, content.tag)
        }
        Ok(_) => return Ok(()),
    };
    let remedy = "publish the files together with their manifest, and let no host or edge rewrite them; an edge may still have older ones";
    Err(Wrong::new(expected, found, remedy))
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
    let ours = match &tag {
        Tag::Ours(_) => Ok(()),
        Tag::Host(found) => {
            let remedy = "the host's own tag does for readers; `candor host` says whether yours can send the manifest's";
            let weakened = found.strip_prefix("W/") == Some(expected.as_str());
            let found = if weakened { "it, weakened" } else { "the host's own" };
            Err(Wrong::new("the manifest's tag", found, remedy))
        }
    };
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
    let same = is_document(file, &answer);
    let sent = super::answer::coding(&answer.fields) == Ok(Some(coding));
    let is_same = same.is_ok();
    log.judge(Check::Codings, Level::Fail, &subject, same);
    if !sent || !is_same {
        return Ok(sent);
    }
    let shared = same_opaque(&answer, identity).map(Tag::Host);
    let tag = shared.map_or_else(|| headers::tag(expected, &answer), Ok);
    match tag.and_then(|tag| names_these_bytes(tag, expected, &answer)) {
        Err(wrong) => log.fail(Check::Codings, &subject, wrong),
        Ok(tag) => {
            let verdict = revalidates(client, &ask, &tag)?;
            log.judge(Check::Codings, Level::Fail, &subject, verdict);
            let verdict = distinct(&answer, identity, expected);
            log.judge(Check::Codings, Level::Warn, &subject, verdict);
        }
    }
    Ok(sent)
}

/// The published sibling's tag may stand on no other bytes, though they unpack to the same.
fn names_these_bytes(tag: Tag, expected: &ETag, answer: &Answer) -> Result<Tag, Wrong> {
    if matches!(tag, Tag::Host(_)) || answer.body.tag == *expected {
        return Ok(tag);
    }
    let remedy = "caches would mix two versions: send the published sibling, or the host's own tag";
    let expected = format!("the bytes {expected} belongs to");
    Err(Wrong::new(expected, format!("those of {}", answer.body.tag), remedy))
}

/// The tag of both answers, where an edge compressed on the fly and kept it.
fn same_opaque(answer: &Answer, identity: &Answer) -> Option<String> {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let (found, plain) = (answer.field("etag")?, identity.field("etag")?);
    (opaque(&found) == opaque(&plain)).then_some(found)
}

/// A strong tag names one coding's bytes (RFC 9110 section 8.8.3.3).
fn distinct(answer: &Answer, identity: &Answer, expected: &ETag) -> Result<(), Wrong> {
    let (found, plain) = (answer.field("etag"), identity.field("etag"));
    if found.as_deref().is_some_and(|tag| tag.starts_with("W/")) || found != plain {
        return Ok(());
    }
    let remedy = "caches may join parts of two codings: serve the published siblings, or let the edge weaken the tag";
    let found = format!("{}, as without a coding", answer.shown("ETag"));
    Err(Wrong::new(expected.to_string(), found, remedy))
}
