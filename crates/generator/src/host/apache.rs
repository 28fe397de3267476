//! Apache httpd 2.4. It compares `If-None-Match` with an ETag of its own. So rewriting rules read a document's ETags
//! from a file, compare them, and replace a match by `If-None-Match: *`, which Apache answers with 304.
//!
//! Rules for each document would be compared one after another. The file is a map: Apache caches its entries, and reads
//! it again when it changes, so that a build needs no reload.

use minijinja::Error;

use super::{HostFiles, HostSite, templates::Templates};

const TAGS: &str = "candor-tags.txt";
const RULES: &str = "candor.conf";
const SITE: &str = "site.conf";

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let modules = match site.sidecar.as_ref().map(|sidecar| &*sidecar.scheme) {
        None => "",
        Some("https") => " proxy proxy_http ssl",
        Some(_) => " proxy proxy_http",
    };
    Ok(HostFiles {
        config: templates.files("apache", &[TAGS, RULES])?,
        editable: templates.files("apache", &[SITE])?,
        public: Vec::new(),
        losses: vec![LOSS.to_owned()],
        next: vec![
            format!("a2enmod rewrite headers{modules}"),
            format!(
                "Include {}, or Include {} in a VirtualHost of yours; then apachectl graceful",
                site.path(SITE),
                site.path(RULES)
            ),
        ],
    })
}

/// The losses, as measured by the request matrix of `tests/hosts`.
const LOSS: &str =
    "redirect to a folder by a path alone: it writes the whole address, as it sees it";
