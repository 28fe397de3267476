//! Apache httpd 2.4. It compares `If-None-Match` with a tag of its own making. So rewriting rules
//! look a document's tags up in a file, compare them, and turn a hit into `If-None-Match: *`, which
//! Apache answers itself with 304.
//!
//! Rules for each document would be compared one after another. The file is a map: Apache keeps what
//! it looked up, and reads it anew when it changes, so that a build needs no reload.

mod escape;
mod example;
mod rules;

use std::fmt::Write;

use super::{HostFile, HostFiles, Options, Served, Site};
use contract::manifest::Coding;

const TAGS: &str = "candor-tags.txt";
const RULES: &str = "candor.conf";
const EXAMPLE: &str = "site.conf";

/// What every generated file begins with.
const HEAD: &str =
    "# Written by `candor host apache`. The next build replaces it: change a copy.\n";

pub(super) fn files(site: &Site<'_>, options: &Options) -> HostFiles {
    let tls = site.sidecar.as_ref().is_some_and(|sidecar| sidecar.scheme() == "https");
    let modules = match (&site.sidecar, tls) {
        (None, _) => "",
        (_, false) => " proxy proxy_http",
        (_, true) => " proxy proxy_http ssl",
    };
    HostFiles {
        config: vec![
            HostFile::new(TAGS, tags(site)),
            HostFile::new(RULES, rules::text(site, options)),
            HostFile::new(EXAMPLE, example::text(site, options)),
        ],
        public: Vec::new(),
        losses: LOSSES.map(str::to_owned).into(),
        next: vec![
            format!("a2enmod rewrite headers{modules}"),
            format!(
                "Include {EXAMPLE}, or Include {RULES} in a VirtualHost of yours; then apachectl graceful"
            ),
        ],
    }
}

/// `PATH b3-…,gzip=b3-…,br=b3-…`
fn tags(site: &Site<'_>) -> String {
    let mut text = HEAD.to_owned();
    for document in &site.documents {
        let _ = writeln!(text, "{} {}", escape::key(&document.url), value(document));
    }
    text
}

fn value(document: &Served<'_>) -> String {
    let bare = |tag: &str| tag.trim_matches('"').to_owned();
    let mut value = bare(document.etag.as_str());
    for coding in [Coding::Gzip, Coding::Brotli] {
        if let Some(tag) = document.encoded(coding) {
            let _ = write!(value, ",{}={}", coding.token(), bare(tag.as_str()));
        }
    }
    value
}

/// Measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 2] = [
    "redirect to a folder by a path alone: it writes the whole address, as it sees it",
    "send zstd",
];
