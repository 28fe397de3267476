//! Caddy. From 2.8 on it reads a document's tag from a file beside it and decides by it, for every
//! coding: the configuration knows types and routes only, and a build needs no reload. Before, one
//! map from path to tag stands in the configuration.

mod quote;
mod site;
mod snippet;

use super::{Compat, HostFile, HostFiles, Options, Served, Site};

const SNIPPET: &str = "candor.caddyfile";
const EXAMPLE: &str = "Caddyfile";

/// What every generated file begins with.
const HEAD: &str = "# Written by `candor host caddy`. The next build replaces it: change a copy.\n";

pub(super) fn files(site: &Site<'_>, options: &Options) -> HostFiles {
    let old = options.compat == Some(Compat::Caddy26);
    let name = &snippet_name(site);
    let start = format!(
        "caddy run --config {EXAMPLE}, or import {SNIPPET} into your own and `import {name}` in its site"
    );
    let reload = "caddy reload after every build: Caddy reads the tags when it starts";
    HostFiles {
        config: vec![
            HostFile::new(SNIPPET, snippet::text(site, name, old)),
            HostFile::new(EXAMPLE, site::text(site, name, options)),
        ],
        public: if old { Vec::new() } else { site.documents.iter().flat_map(tags).collect() },
        losses: match old {
            true => OLD_LOSSES.map(str::to_owned).into(),
            false => LOSSES.map(str::to_owned).into(),
        },
        next: match old {
            true => vec![start, reload.to_owned()],
            false => vec![start],
        },
    }
}

/// Snippets are Caddy's, not a site's, and it may serve several.
fn snippet_name(site: &Site<'_>) -> String {
    format!("candor_{}", &blake3::hash(site.base_url.as_bytes()).to_hex()[..6])
}

/// `FILE.etag` and one for each sibling: the quoted tag, no line end.
fn tags(document: &Served<'_>) -> Vec<HostFile> {
    let mut files =
        vec![HostFile::new(format!("{}.etag", document.file), document.etag.to_string())];
    files.extend(document.encodings.iter().map(|(coding, etag)| {
        HostFile::new(format!("{}{}.etag", document.file, coding.suffix()), etag.to_string())
    }));
    files
}

/// Measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 2] = [
    "hide files in the public folder that are not Candor's, other than hidden ones",
    "answer 412 in a coding: it announces a length and ends the connection",
];

const OLD_LOSSES: [&str; 1] = ["send compressed siblings: 2.6 would give them tags of its own"];
