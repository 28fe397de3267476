use contract::{
    etag::ETag,
    manifest::{Coding, FileEntry, Link, MANIFEST_PATH, Manifest},
    routes,
};
use std::borrow::Cow;

use jiff::Timestamp;

use super::{PreviousOrigin, Sidecar};
use crate::document::JSON;

/// The page sent in place of what does not exist; it has no address of its own.
const NOT_FOUND: &str = "404.html";

/// The one hidden folder that is meant to be read (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// A route only the sidecar can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// Below the site's prefix; a trailing slash stands for everything below it.
    pub(crate) path: &'static str,
    /// Whether it is POSTed to. Such a request must be passed on, never redirected: clients turn a
    /// redirected POST into a GET.
    pub(crate) post: bool,
    /// Whether answers may be streams that stay open.
    pub(crate) stream: bool,
}

/// The dynamic routes, in the contract's order (section 1).
pub(crate) const ROUTES: [Route; 4] = [
    Route { path: routes::SEARCH, post: false, stream: false },
    Route { path: routes::SINCE_PREFIX, post: false, stream: false },
    Route { path: routes::MCP, post: true, stream: true },
    Route { path: routes::HUB, post: true, stream: false },
];

/// A publication as a host sees it.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    /// The path of `base_url`: nothing, or `/shop`. Every address begins with it.
    pub(crate) prefix: String,
    /// Host and, where it is not the scheme's own, port of `base_url`.
    pub(crate) authority: String,
    /// The origin, without a trailing slash.
    pub(crate) base_url: &'a str,
    /// What has an address, sorted by file.
    pub(crate) documents: Vec<Served<'a>>,
    /// The page for what does not exist.
    pub(crate) not_found: Option<&'a FileEntry>,
    /// `None` where the site has none.
    pub(crate) sidecar: Option<Sidecar>,
    /// Where the site was before.
    pub(crate) previous: Vec<PreviousOrigin>,
}

/// A document and everything a host must say of it.
#[derive(Debug)]
pub(crate) struct Served<'a> {
    /// The path it answers, prefix included, not percent-encoded: `/`, `/badges/`, `/feed.xml`.
    pub(crate) url: String,
    /// Its file, relative to the public directory.
    pub(crate) file: &'a str,
    /// The whole `Content-Type` value.
    pub(crate) media_type: &'a str,
    /// Of the identity bytes.
    pub(crate) etag: Cow<'a, ETag>,
    /// Of each sibling, in the order of [`Coding::ALL`].
    pub(crate) encodings: Vec<(Coding, &'a ETag)>,
    /// `None` for the manifest: two publications may fall into one second.
    pub(crate) modified: Option<Timestamp>,
    /// The whole `Link` value, where it has one.
    pub(crate) link: Option<String>,
}

impl<'a> Site<'a> {
    pub(crate) fn new(manifest: &'a Manifest, sidecar: Option<Sidecar>) -> Self {
        let base = url::Url::parse(&manifest.base_url).ok();
        let prefix = base.as_ref().map_or("", |url| url.path()).trim_end_matches('/').to_owned();
        let listed = manifest.files.iter().filter(|file| has_address(&file.path));
        let mut documents: Vec<_> = listed.map(|file| Served::of(file, &prefix)).collect();
        documents.push(Served::of_manifest(manifest, &prefix));
        documents.sort_by(|a, b| a.file.cmp(b.file));
        Self {
            authority: base.as_ref().map(|url| url.authority().to_owned()).unwrap_or_default(),
            base_url: &manifest.base_url,
            documents,
            not_found: manifest.file(NOT_FOUND),
            sidecar,
            previous: PreviousOrigin::all(manifest),
            prefix,
        }
    }
}

impl<'a> Served<'a> {
    fn of(file: &'a FileEntry, prefix: &str) -> Self {
        let tag = |coding| file.encodings.get(&coding).map(|encoded| (coding, &encoded.etag));
        Self {
            url: format!("{prefix}{}", file.url_path()),
            file: &file.path,
            media_type: &file.media_type,
            etag: Cow::Borrowed(&file.etag),
            encodings: Coding::ALL.into_iter().filter_map(tag).collect(),
            modified: Some(file.modified),
            link: link(&file.links),
        }
    }

    /// The manifest is published too; its tag can only come from its bytes.
    fn of_manifest(manifest: &Manifest, prefix: &str) -> Self {
        Self {
            url: format!("{prefix}/{MANIFEST_PATH}"),
            file: MANIFEST_PATH,
            media_type: JSON,
            etag: Cow::Owned(ETag::of(&manifest.to_json())),
            encodings: Vec::new(),
            modified: None,
            link: None,
        }
    }

    /// The tag of the bytes in this coding, where there are such.
    pub(crate) fn encoded(&self, coding: Coding) -> Option<&ETag> {
        self.encodings.iter().find(|(is, _)| *is == coding).map(|(_, etag)| *etag)
    }
}

/// One `Link` field with every link of the file (RFC 8288).
fn link(links: &[Link]) -> Option<String> {
    let member = |link: &Link| format!("<{}>; rel=\"{}\"", link.href, link.rel);
    let members: Vec<_> = links.iter().map(member).collect();
    Some(members.join(", ")).filter(|field| !field.is_empty())
}

/// A document whose path, type or links hold a control character: no field can carry it.
pub(super) fn unwritable(manifest: &Manifest) -> Option<&str> {
    let bad = |text: &str| text.chars().any(char::is_control);
    let link = |link: &Link| bad(&link.href) || bad(&link.rel);
    let file = manifest
        .files
        .iter()
        .find(|file| bad(&file.path) || bad(&file.media_type) || file.links.iter().any(link));
    file.map(|file| file.path.as_str())
}

/// Whether the path of an address can stand in any configuration as it is.
pub(super) fn has_plain_path(address: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || "/-_.".contains(char);
    url::Url::parse(address).is_ok_and(|url| url.path().chars().all(plain))
}

fn has_address(path: &str) -> bool {
    let hidden = |part: &str| part.starts_with('.') && part != WELL_KNOWN;
    path != NOT_FOUND && !path.split('/').any(hidden)
}
