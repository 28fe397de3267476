//! nginx 1.22 or newer. It compares `If-None-Match` with an ETag of its own only, so that ETag is switched off, and
//! maps find the ETags of a document, whether the request names one of them, and which one is sent.
//!
//! Everything depends on one map from path to ETags. What it does not list is 404, so siblings,
//! staged files and unknown files have no address. A map costs one line per document and a hash
//! look-up per request; locations would be compared one after another.
//!
//! nginx reads the map when it starts. A build removes the marker of the map before it changes a document, and until
//! nginx is reloaded the map then counts for nothing: documents are sent without an ETag, new ones too.

use minijinja::Error;

use super::{HostFile, HostFiles, HostSite, templates::Templates};

const MAPS: &str = "candor-maps.conf";
const HASHES: &str = "candor-hashes.conf";
const SERVER: &str = "candor-server.conf";
const SITE: &str = "site.conf";

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let always = ", now and after every build: nginx reads the tags when it starts";
    let when = if site.options.target.is_some() { "" } else { always };
    let next = [
        format!(
            "include {} in the http block of nginx.conf, and once {}",
            site.path(SITE),
            site.path(HASHES)
        ),
        format!("nginx -t && nginx -s reload{when}"),
    ];
    Ok(HostFiles {
        config: templates.files("nginx", &[HASHES, MAPS, SERVER])?,
        editable: templates.files("nginx", &[SITE])?,
        public: vec![HostFile::new(&*site.marker, "")],
        losses: LOSSES.map(str::to_owned).into(),
        next: next.into(),
    })
}

/// The losses, as measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 4] = [
    "answer If-Match: it is 412 whatever it says, because nginx compares it with a tag of its own",
    "take two If-None-Match lines: it answers 400",
    "send a 304 without Content-Length: 0",
    "send br without its brotli-static module: see site.conf",
];
