//! nginx 1.22 or newer. It compares `If-None-Match` with a tag of its own making only, so that tag
//! is switched off and maps decide: what a document's tags are, whether the request names one of
//! them, which one is sent.
//!
//! Everything hangs on one map from path to tags. What it does not list is 404, so siblings,
//! staged files and strangers' files have no address. A map costs one line per document and a hash
//! look-up per request; locations would be compared one after another.

mod example;
mod maps;
mod proxy;
mod quote;
mod server;

use super::{HostFile, HostFiles, Options, Site};

const MAPS: &str = "candor-maps.conf";
const SERVER: &str = "candor-server.conf";
const EXAMPLE: &str = "site.conf";

/// What every generated file begins with.
const HEAD: &str = "# Written by `candor host nginx`. The next build replaces it: change a copy.\n";

pub(super) fn files(site: &Site<'_>, options: &Options) -> HostFiles {
    let v = &variables(site);
    let next = [
        format!("include {EXAMPLE} in the http block of nginx.conf, or copy it and change the copy"),
        "nginx -t && nginx -s reload, now and after every build: nginx reads the tags when it starts".to_owned(),
    ];
    HostFiles {
        config: vec![
            HostFile::new(MAPS, maps::text(site, v)),
            HostFile::new(SERVER, server::text(site, v)),
            HostFile::new(EXAMPLE, example::text(site, options, v)),
        ],
        public: Vec::new(),
        losses: LOSSES.map(str::to_owned).into(),
        next: next.into(),
    }
}

/// What the names of all variables of a site begin with: variables are nginx's, not a server's, and
/// it may serve several sites. Short, because PCRE takes 32 characters.
fn variables(site: &Site<'_>) -> String {
    format!("candor_{}_", &blake3::hash(site.base_url.as_bytes()).to_hex()[..6])
}

/// Measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 4] = [
    "answer If-Match: it is 412 whatever it says, because nginx compares it with a tag of its own",
    "take two If-None-Match lines: it answers 400",
    "send a 304 without Content-Length: 0",
    "send zstd, and br only with its brotli-static module: see site.conf",
];
