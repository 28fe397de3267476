//! Cloudflare, as a Worker with static assets or as Pages with a function. The platform compares `If-None-Match` with
//! its own hash of a file only, and always answers 200 to any other tag; so one module, [`WORKER`], answers every
//! request, by a table of the published documents.
//!
//! Deployments are switched as a whole, code and files, so that the table is always the one of the files.

mod limits;
mod table;

use minijinja::{Error, context};

use super::{
    HostFile, HostFiles, HostSite, headers_file,
    platform::{self, relative},
    templates::Templates,
};
use contract::text::shell_word;

/// The module that runs at the edge, the same for every site.
const WORKER: &str = include_str!("templates/cloudflare/worker.mjs");
/// The worker as a function of Pages.
const PAGES: &str = include_str!("templates/cloudflare/pages.js");

/// The day whose behaviour the platform keeps for this worker, whatever it changes later.
const COMPATIBILITY_DATE: &str = "2026-01-01";

/// Maximum characters of a worker's name; it becomes part of a host name, with a suffix.
const NAME_LENGTH: usize = 54;

/// The files that must not become assets of a Worker. Pages has no such list; there the table keeps them without an
/// address.
const IGNORED: &str = include_str!("templates/cloudflare/assetsignore");

/// The routes of Pages: every request runs the function. This is one rule of the hundred allowed.
const ROUTES_JSON: &str = include_str!("templates/cloudflare/_routes.json");

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let table = table::WorkerTable::of(site);
    let headers = headers_file::text("cloudflare", site, templates, limits::HEADERS)?;
    let options = site.options;
    let project = context! {
        worker_name => name(&site.authority),
        compatibility_date => COMPATIBILITY_DATE,
        public_from_out => relative(&options.out, &options.public),
        public_from_pages => relative(&options.out.join("pages"), &options.public),
    };
    let worker = templates.render_with("cloudflare/wrangler.jsonc", project.clone())?;
    let pages = templates.render_with("cloudflare/pages.wrangler.jsonc", project)?;
    let documents = templates.render_with("cloudflare/site.mjs", table.values())?;
    Ok(HostFiles {
        config: vec![
            HostFile::new("worker.mjs", WORKER),
            HostFile::new("site.mjs", documents),
            HostFile::new("wrangler.jsonc", worker),
            HostFile::new("pages/wrangler.jsonc", pages),
            HostFile::new("pages/functions/[[path]].js", PAGES),
        ],
        public: vec![
            HostFile::new(".assetsignore", IGNORED),
            HostFile::new("_headers", headers.text),
            HostFile::new("_routes.json", ROUTES_JSON),
        ],
        losses: losses(site, &table, headers.left_out),
        next: next(site),
        ..HostFiles::default()
    })
}

fn losses(
    site: &HostSite<'_>,
    table: &table::WorkerTable<'_>,
    left_out: Vec<String>,
) -> Vec<String> {
    let mut losses = vec![
        "send a tag for each coding: it compresses on the way, under the tag of the bytes as they are"
            .to_owned(),
        "answer ranges of a document".to_owned(),
    ];
    losses.extend(table.left_out());
    losses.extend(left_out);
    losses.extend(limits::exceeded(site.manifest));
    losses
}

fn next(site: &HostSite<'_>) -> Vec<String> {
    let config = site.options.out.join("wrangler.jsonc");
    let pages = site.options.out.join("pages");
    let mut next = vec![
        format!("as a Worker: npx wrangler deploy --config {}", shell_word(config.display())),
        format!("or as Pages: cd {} && npx wrangler pages deploy", shell_word(pages.display())),
        "switch on \"Respect strong ETags\" of the zone, or tags arrive as weak ones".to_owned(),
        "every request runs the function: look at what your plan includes".to_owned(),
    ];
    next.extend(platform::name_of_sidecar(site));
    next
}

/// Returns the name of a worker: `reviews-example` of `reviews.example:8080`.
fn name(authority: &str) -> String {
    let host = authority.split(':').next().unwrap_or_default();
    let dashed = host.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let short: String = dashed.chars().take(NAME_LENGTH).collect();
    match short.trim_matches('-') {
        "" => "reviews".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_worker_is_named_after_its_host() {
        assert_eq!(name("Reviews.Shop.example:8080"), "reviews-shop-example");
        assert_eq!(name("[::1]:80"), "reviews");
        assert_eq!(name(&"a".repeat(80)).len(), 54);
    }
}
