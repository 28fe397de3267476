//! Cloudflare, as a Worker with static assets or as Pages with a function. The platform compares
//! `If-None-Match` with its own hash of a file only, and answers 200 to any other tag for ever; so
//! one module, [`WORKER`], answers every request, by a table of what was published.
//!
//! Deployments are switched as a whole, code and files, so that the table never names other bytes.

mod limits;
mod table;

use serde_json::json;

use super::{
    HostFile, HostFiles, Options, Site, headers_file,
    platform::{self, relative},
};
use contract::manifest::Manifest;

/// What runs at the edge, the same for every site.
const WORKER: &str = include_str!("cloudflare/worker.mjs");
/// The worker as a function of Pages.
const PAGES: &str = include_str!("cloudflare/pages.js");

/// Whose behaviour the platform keeps for this worker, whatever it changes later.
const COMPATIBILITY_DATE: &str = "2026-01-01";

/// Characters of a worker's name; it becomes part of a host name, with a suffix.
const NAME_LENGTH: usize = 54;

/// What must not become an asset of a Worker. Pages has no such list; there the table keeps them
/// without an address.
const IGNORED: &str = "_routes.json\n*.br\n*.gz\n*.zst\n*.etag\n.candor-*\n";

pub(super) fn files(site: &Site<'_>, manifest: &Manifest, options: &Options) -> HostFiles {
    let table = table::Table::of(site);
    let headers = headers_file::text("cloudflare", site, limits::HEADERS);
    HostFiles {
        config: vec![
            HostFile::new("worker.mjs", WORKER),
            HostFile::new("site.mjs", table.text()),
            HostFile::new("wrangler.jsonc", worker_settings(site, options)),
            HostFile::new("pages/wrangler.jsonc", pages_settings(site, options)),
            HostFile::new("pages/functions/[[path]].js", PAGES),
        ],
        public: vec![
            HostFile::new(".assetsignore", IGNORED),
            HostFile::new("_headers", headers.text),
            HostFile::new("_routes.json", ROUTES_JSON),
        ],
        losses: losses(manifest, &table, headers.left_out),
        next: next(site, manifest, options),
    }
}

/// Pages: every request runs the function. One rule of the hundred allowed, however many documents.
const ROUTES_JSON: &str = "{\"version\": 1, \"include\": [\"/*\"], \"exclude\": []}\n";

fn losses(manifest: &Manifest, table: &table::Table<'_>, left_out: Vec<String>) -> Vec<String> {
    let mut losses = vec![
        "send a tag for each coding: it compresses on the way, under the tag of the bytes as they are"
            .to_owned(),
        "answer ranges of a document".to_owned(),
    ];
    losses.extend(table.left_out());
    losses.extend(left_out);
    losses.extend(limits::exceeded(manifest));
    losses
}

fn next(site: &Site<'_>, manifest: &Manifest, options: &Options) -> Vec<String> {
    let config = options.out.join("wrangler.jsonc");
    let pages = options.out.join("pages");
    let mut next = vec![
        format!("as a Worker: npx wrangler deploy --config {}", config.display()),
        format!("or as Pages: cd {} && npx wrangler pages deploy", pages.display()),
        "switch on \"Respect strong ETags\" of the zone, or tags arrive as weak ones".to_owned(),
        "every request runs the function: look at what your plan includes".to_owned(),
    ];
    next.extend(platform::name_of_sidecar(site, manifest));
    next
}

fn worker_settings(site: &Site<'_>, options: &Options) -> String {
    let mut settings = settings(site);
    settings["main"] = json!("worker.mjs");
    settings["assets"] = json!({
        "directory": relative(&options.out, &options.public),
        "binding": "ASSETS",
        "run_worker_first": true,
        "not_found_handling": "404-page",
        "html_handling": "auto-trailing-slash",
    });
    platform::json_text(&settings)
}

fn pages_settings(site: &Site<'_>, options: &Options) -> String {
    let mut settings = settings(site);
    settings["pages_build_output_dir"] =
        json!(relative(&options.out.join("pages"), &options.public));
    platform::json_text(&settings)
}

fn settings(site: &Site<'_>) -> serde_json::Value {
    let mut settings =
        json!({ "name": name(&site.authority), "compatibility_date": COMPATIBILITY_DATE });
    if let Some(sidecar) = &site.sidecar {
        settings["vars"] = json!({ "SIDECAR_ORIGIN": sidecar.to_string() });
    }
    settings
}

/// `reviews-example` of `reviews.example:8080`.
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
