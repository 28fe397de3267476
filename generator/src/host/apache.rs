//! Apache httpd 2.4. It compares `If-None-Match` with an ETag of its own. So rewriting rules look a document's
//! ETags up in a file, compare them, and turn a hit into `If-None-Match: *`, which Apache answers itself with
//! 304.
//!
//! Rules for each document would be compared one after another. The file is a map: Apache keeps what
//! it looked up, and reads it again when it changes, so that a build needs no reload.

use minijinja::Error;

use super::{HostFile, HostFiles, HostSite, templates::Templates};

const TAGS: &str = "candor-tags.txt";
const RULES: &str = "candor.conf";
const EXAMPLE: &str = "site.conf";

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let modules = match site.sidecar.as_ref().map(|sidecar| &*sidecar.scheme) {
        None => "",
        Some("https") => " proxy proxy_http ssl",
        Some(_) => " proxy proxy_http",
    };
    let config = [TAGS, RULES, EXAMPLE].map(|name| {
        let text = templates.render(&format!("apache/{name}"))?;
        Ok(HostFile::new(name, text))
    });
    Ok(HostFiles {
        config: config.into_iter().collect::<Result<_, Error>>()?,
        public: Vec::new(),
        losses: LOSSES.map(str::to_owned).into(),
        next: vec![
            format!("a2enmod rewrite headers{modules}"),
            format!(
                "Include {EXAMPLE}, or Include {RULES} in a VirtualHost of yours; then apachectl graceful"
            ),
        ],
    })
}

/// Measured by the request matrix of `tests/hosts`.
const LOSSES: [&str; 2] = [
    "redirect to a folder by a path alone: it writes the whole address, as it sees it",
    "send zstd",
];
