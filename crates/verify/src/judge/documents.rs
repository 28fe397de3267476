//! Documents: whether a response is the published bytes, and whether its ETag says so.

use super::headers::{self, Tag};
use crate::{
    fetch::response::{ReadEnd, Response},
    report::Mismatch,
};
use contract::{
    etag::ETag,
    manifest::{FileEntry, NOT_FOUND_PAGE},
};

/// The address of a file of the manifest; none for the page that replaces others.
pub(crate) fn address(file: &FileEntry) -> Option<String> {
    (file.path != NOT_FOUND_PAGE).then(|| file.url_path())
}

/// Whether the response is the document, byte for byte.
pub(crate) fn is_document(file: &FileEntry, response: &Response) -> Result<(), Mismatch> {
    if response.status != 200 {
        let remedy = if response.is_redirect() {
            "a document must be served at its own address: remove the redirect (redirects are not followed)"
        } else {
            "publish the file, or let the host serve it"
        };
        return Err(Mismatch::new("200", response.shown_status(), remedy));
    }
    let expected = format!("{} bytes with the tag {}", file.length, file.etag);
    if let ReadEnd::Broken(why) = &response.body.end {
        let found = format!("{} bytes, then {why}", response.body.length);
        return Err(Mismatch::new(expected, found, "find out what truncates responses"));
    }
    let found = match &response.body.content {
        Err(why) => why.clone(),
        Ok(content) if content.length > file.length => format!("more than {} bytes", file.length),
        Ok(content) if content.tag != file.etag => {
            format!("{} bytes with the tag {}", content.length, content.tag)
        }
        Ok(_) => return Ok(()),
    };
    let remedy = "publish the files together with their manifest, and let no host or edge rewrite them; an edge may still have older ones";
    Err(Mismatch::new(expected, found, remedy))
}

/// Whether an ETag is that of the manifest.
pub(crate) fn is_ours(tag: &Tag, expected: &ETag) -> Result<(), Mismatch> {
    match tag {
        Tag::Ours(_) => Ok(()),
        Tag::Host(found) => {
            let remedy = "clients can use the host's own ETag; `candor host` reports whether the host can send the manifest's ETag";
            let weakened = found.strip_prefix("W/") == Some(expected.as_str());
            let found = if weakened { "it, weakened" } else { "the host's own" };
            Err(Mismatch::new("the manifest's tag", found, remedy))
        }
    }
}

/// The ETag of a document in a coding, whose bytes it names.
pub(crate) fn tag_of_coding(
    expected: &ETag,
    response: &Response,
    identity: &Response,
) -> Result<Tag, Mismatch> {
    let shared = same_opaque(response, identity).map(Tag::Host);
    let tag = shared.map_or_else(|| headers::tag(expected, response), Ok)?;
    names_these_bytes(tag, expected, response)
}

/// The published sibling's ETag may name no other bytes, though they unpack to the same.
fn names_these_bytes(tag: Tag, expected: &ETag, response: &Response) -> Result<Tag, Mismatch> {
    if matches!(tag, Tag::Host(_)) || response.body.tag == *expected {
        return Ok(tag);
    }
    let remedy = "caches would mix two versions: send the published precompressed file, or the host's own ETag";
    let expected = format!("the bytes {expected} belongs to");
    Err(Mismatch::new(expected, format!("those of {}", response.body.tag), remedy))
}

/// The ETag of both responses, where an edge compressed on the fly and kept it.
fn same_opaque(response: &Response, identity: &Response) -> Option<String> {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let (found, plain) = (response.field("etag")?, identity.field("etag")?);
    (opaque(&found) == opaque(&plain)).then_some(found)
}

/// A strong ETag names one coding's bytes (RFC 9110 section 8.8.3.3).
pub(crate) fn distinct(
    response: &Response,
    identity: &Response,
    expected: &ETag,
) -> Result<(), Mismatch> {
    let (found, plain) = (response.field("etag"), identity.field("etag"));
    if found.as_deref().is_some_and(|tag| tag.starts_with("W/")) || found != plain {
        return Ok(());
    }
    let remedy = "caches may join parts of two codings: serve the published .br and .gz files, or let the edge weaken the tag";
    let found = format!("{}, as without a coding", response.shown("ETag"));
    Err(Mismatch::new(expected.to_string(), found, remedy))
}

/// No document comes in any coding.
pub(crate) fn uncompressed() -> Mismatch {
    let remedy = "responses are several times larger than necessary: let the host send the precompressed files, or compress";
    Mismatch::new("a coding, where one is asked for", "none", remedy)
}
