//! Caddy. From 2.8 on it reads a document's ETag from a file next to it and compares that, for every coding: the
//! configuration has types and routes only, and a build needs no reload. For older versions, one map from path to ETag
//! is in the configuration.

use minijinja::Error;

use super::{HostFile, HostFiles, HostSite, Served, templates::Templates};

const SNIPPET: &str = "candor.caddyfile";
const SITE: &str = "Caddyfile";

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let old = site.caddy26;
    // Snippets are Caddy's, not a site's, and it may serve several.
    let name = format!("candor_{}", site.id);
    let (config, snippet) = (site.path(SITE), site.path(SNIPPET));
    let start = format!(
        "caddy run --config {config}, or import {snippet} into your own and `import {name}` in its site"
    );
    let errors = format!("and `import {name}_errors` in its handle_errors");
    let reload = format!(
        "caddy reload --config {config} after every build: Caddy reads the tags when it starts"
    );
    Ok(HostFiles {
        config: templates.files("caddy", &[SNIPPET])?,
        editable: templates.files("caddy", &[SITE])?,
        public: if old { Vec::new() } else { site.documents.iter().flat_map(tags).collect() },
        losses: if old {
            OLD_LOSSES.map(str::to_owned).into()
        } else {
            LOSSES.map(str::to_owned).into()
        },
        next: [
            Some(start),
            (!site.prefix.is_empty()).then_some(errors),
            (old && site.options.target.is_none()).then_some(reload),
        ]
        .into_iter()
        .flatten()
        .collect(),
    })
}

/// Returns `FILE.etag` and one for each sibling, with the quoted ETag and no line end.
fn tags(document: &Served<'_>) -> Vec<HostFile> {
    let mut files =
        vec![HostFile::new(format!("{}.etag", document.file), document.etag.to_string())];
    files.extend(document.encodings.iter().map(|(coding, etag)| {
        HostFile::new(format!("{}{}.etag", document.file, coding.suffix()), etag.to_string())
    }));
    files
}

/// The losses, as measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 2] = [
    "hide files in the public folder that are not Candor's, other than hidden ones",
    "answer 412 in a coding: it announces a length and ends the connection",
];

const OLD_LOSSES: [&str; 1] = ["send compressed files: 2.6 would give them tags of its own"];
