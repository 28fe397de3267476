//! A publication as a host serves it: the context that every template is rendered with.

use std::path::Path;

use serde::Serialize;

use super::{
    Compat, Host, HostOptions, PreviousOrigin, Served, Sidecar, Types,
    served::{TILES, prefix},
};
use contract::{
    api::ErrorBody,
    etag::ETag,
    fields,
    manifest::{Link, MANIFEST_PATH, Manifest, NOT_FOUND_PAGE},
    routes,
    security::{self, Security},
    text::shell_word,
};

/// A route that only the sidecar can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Route {
    /// The path below the site's prefix.
    pub path: &'static str,
    /// Whether the route includes everything below the path, which then ends with a slash.
    is_folder: bool,
    /// Whether it accepts POST. Such a request must be passed on, never redirected: clients turn a redirected POST into
    /// a GET.
    post: bool,
    /// Whether responses may be streams that stay open.
    stream: bool,
}

/// The dynamic routes, in the order of docs/documents.md, "Published documents".
const ROUTES: [Route; 5] = [
    Route { path: routes::SEARCH, is_folder: false, post: false, stream: false },
    Route { path: routes::SINCE_PREFIX, is_folder: true, post: false, stream: false },
    Route { path: routes::MCP, is_folder: false, post: true, stream: true },
    Route { path: routes::MCP_WITH_SLASH, is_folder: false, post: true, stream: true },
    Route { path: routes::HUB, is_folder: false, post: true, stream: false },
];

/// The values of header fields and the bodies of errors that the contract fixes.
#[derive(Debug, Serialize)]
struct Fields {
    revalidate: &'static str,
    immutable: &'static str,
    /// The URL paths of documents that never change, as a regular expression.
    immutable_pattern: &'static str,
    no_cache: &'static str,
    no_store: &'static str,
    allow_origin: &'static str,
    expose_headers: &'static str,
    no_sniffing: &'static str,
    allow_methods: &'static str,
    allow_headers: &'static str,
    max_age: &'static str,
    document_methods: &'static str,
    /// `Content-Security-Policy` of all documents but those in frames.
    policy: String,
    /// `Content-Security-Policy` of documents that other sites show in frames.
    framed_policy: String,
    /// The URL paths of documents in frames, as a regular expression.
    framed_pattern: &'static str,
    referrer: &'static str,
    permissions: &'static str,
    /// `Strict-Transport-Security`, if the owner configured it.
    transport: Option<String>,
    /// The seconds of `Strict-Transport-Security`.
    transport_seconds: Option<u32>,
    /// The body of a 404 response for programs.
    not_found: String,
    /// The body of the 405 response for a document.
    method_not_allowed: String,
}

impl Fields {
    fn of(security: &Security) -> Self {
        Self {
            policy: security.policy_field(false),
            framed_policy: security.policy_field(true),
            framed_pattern: security::FRAMED_PATTERN,
            referrer: security::REFERRER,
            permissions: security::PERMISSIONS,
            transport: security.transport_field(),
            transport_seconds: security.hsts_days.map(|days| days * 86_400),
            revalidate: fields::REVALIDATE,
            immutable: fields::IMMUTABLE,
            immutable_pattern: fields::IMMUTABLE_PATTERN,
            no_cache: fields::NO_CACHE,
            no_store: fields::NO_STORE,
            allow_origin: fields::ALLOW_ORIGIN,
            expose_headers: fields::EXPOSE_HEADERS,
            no_sniffing: fields::NO_SNIFFING,
            allow_methods: fields::ALLOW_METHODS,
            allow_headers: fields::ALLOW_HEADERS,
            max_age: fields::MAX_AGE,
            document_methods: fields::DOCUMENT_METHODS,
            not_found: ErrorBody::not_found().to_json(),
            method_not_allowed: ErrorBody::method_not_allowed().to_json(),
        }
    }
}

/// A publication as a host serves it.
#[derive(Debug, Serialize)]
pub(crate) struct HostSite<'a> {
    #[serde(skip)]
    pub(super) manifest: &'a Manifest,
    #[serde(skip)]
    pub(super) options: &'a HostOptions,
    /// The site's address, without a trailing slash.
    base_url: &'a str,
    /// The site's address without its path.
    origin: &'a str,
    /// The host name or address of `base_url`.
    pub(super) host: String,
    /// The port of `base_url`, if it is not the scheme's own.
    port: Option<u16>,
    /// The host of `base_url`, with the port if it is not the scheme's own.
    pub(super) authority: String,
    /// The path of `base_url`: nothing, or `/shop`. Every address begins with it.
    pub(super) prefix: String,
    /// Six digits that distinguish the sites of one server.
    pub(super) id: String,
    /// The documents that have an address, sorted by file.
    pub(super) documents: &'a [Served<'a>],
    /// Bytes of the longest URL path of a document.
    longest_url: usize,
    types: Types<'a>,
    /// The URL paths of the folders of the transparency log's tiles and receipts, with a slash, if there are any.
    pub(super) tiles: Vec<String>,
    /// The media type of the page for paths without a document, if there is one.
    not_found_type: Option<&'a str>,
    fields: Fields,
    /// The routes that the sidecar answers; none if the site has no sidecar.
    routes: &'static [Route],
    /// The sidecar; `None` if the site has none.
    pub(super) sidecar: Option<Sidecar>,
    /// The previous origins of the site.
    pub(super) previous: Vec<PreviousOrigin>,
    /// The public directory as an absolute path on the host.
    public: String,
    /// The folder the configuration is written to, without a trailing slash.
    out: String,
    /// A file among the documents that is there while they have the ETags of this publication.
    pub(super) marker: String,
    /// Whether to write for Caddy 2.6.
    pub(super) caddy26: bool,
}

impl<'a> HostSite<'a> {
    /// Describes the publication of `manifest`.
    pub(super) fn new(
        on: Host,
        manifest: &'a Manifest,
        documents: &'a [Served<'a>],
        sidecar: Option<Sidecar>,
        options: &'a HostOptions,
    ) -> Self {
        let base = url::Url::parse(&manifest.base_url).ok();
        let host = base.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
        let prefix = prefix(manifest);
        let has = |folder: &&&str| documents.iter().any(|it| it.file.starts_with(**folder));
        let tiles = TILES.iter().filter(has).map(|folder| format!("{prefix}/{folder}")).collect();
        let text = |path: &Path| path.to_string_lossy().trim_end_matches('/').to_owned();
        let (mut public, mut out) = (text(&options.public), text(&options.out));
        if let Some((_, folder)) = &options.target {
            let served = options.releases.as_ref().map_or("public", |_| "releases/current");
            public = format!("{folder}/{served}");
            out = format!("{folder}/hosts/{}", on.name());
        }
        Self {
            manifest,
            options,
            base_url: &manifest.base_url,
            origin: manifest.base_url.strip_suffix(&prefix).unwrap_or(&manifest.base_url),
            host: host.to_owned(),
            port: base.as_ref().and_then(url::Url::port),
            authority: base.as_ref().map_or("", |url| url.authority()).to_owned(),
            prefix,
            id: blake3::hash(manifest.base_url.as_bytes()).to_hex()[..6].to_owned(),
            documents,
            longest_url: documents.iter().map(|document| document.url.len()).max().unwrap_or(0),
            types: Types::of(documents),
            tiles,
            not_found_type: manifest.file(NOT_FOUND_PAGE).map(|page| &*page.media_type),
            fields: Fields::of(&manifest.security),
            routes: if sidecar.is_some() { &ROUTES } else { &[] },
            sidecar,
            previous: PreviousOrigin::all(manifest),
            public,
            out,
            marker: marker(documents),
            caddy26: options.compat == Some(Compat::Caddy26),
        }
    }

    /// The path of a file of the configuration on the host, as a word of a command.
    pub(super) fn path(&self, name: &str) -> String {
        shell_word(format!("{}/{name}", self.out))
    }

    /// Returns the number of rules of a platform that belong to no single document: one for all documents, and one for
    /// all tiles and receipts each.
    pub(super) fn common_rules(&self) -> usize {
        1 + self.tiles.len()
    }
}

/// The name of the marker. The manifest lists it, so it cannot depend on the manifest's own ETag.
fn marker(documents: &[Served<'_>]) -> String {
    let tags = documents.iter().filter(|document| document.file != MANIFEST_PATH);
    let tags: Vec<_> = tags.map(|it| (&it.url, &it.etag, &it.encodings)).collect();
    let tags = serde_json::to_vec(&tags).expect("texts serialize");
    format!(".candor-{}", ETag::of(&tags).as_str().trim_matches('"'))
}

/// A document whose type or links hold a control character: no field can carry it.
pub(super) fn unwritable(manifest: &Manifest) -> Option<&str> {
    let bad = |text: &str| text.chars().any(char::is_control);
    let link = |link: &Link| bad(&link.href) || bad(&link.rel);
    if bad(manifest.security.policy()) {
        return Some("security");
    }
    let file =
        manifest.files.iter().find(|file| bad(&file.media_type) || file.links.iter().any(link));
    file.map(|file| file.path.as_str())
}

/// Whether the path of an address can be written into any configuration as it is.
pub(super) fn has_plain_path(address: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || "/-_.".contains(char);
    url::Url::parse(address).is_ok_and(|url| url.path().chars().all(plain))
}
