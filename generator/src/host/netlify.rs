//! Netlify: `_headers` and `_redirects` among the documents. Answers that are passed on get no
//! headers of ours, so the sidecar sends its own; a document's tag is the platform's.

use std::fmt::Write;

use super::{
    HostFile, HostFiles, Options, PreviousOrigin, ROUTES, Route, Sidecar, Site, headers_file,
    platform::{self, relative},
};
use contract::manifest::Manifest;

const HEAD: &str = "# Written by `candor host netlify`. The next build replaces it.\n";

/// `_headers` has no limit that is written down.
const UNLIMITED: headers_file::Limits = headers_file::Limits { rules: None, line: None };

pub(super) fn files(site: &Site<'_>, manifest: &Manifest, options: &Options) -> HostFiles {
    let headers = headers_file::text("netlify", site, UNLIMITED);
    let mut losses = vec![
        "send our tags: it compares its own, which it answers with 304".to_owned(),
        "send a tag for each coding, or the siblings .br, .gz and .zst in place of a document; they can be read at their own addresses".to_owned(),
        "say Last-Modified, or Allow and JSON with a document's 405".to_owned(),
        "answer the preflight of a script that sends If-None-Match to a document".to_owned(),
    ];
    if site.sidecar.is_some() {
        losses.push(
            "keep a stream open: what it passes on must be answered within 26 seconds".to_owned(),
        );
    }
    losses.extend(headers.left_out);
    HostFiles {
        config: vec![HostFile::new("netlify.toml", settings(options))],
        public: vec![
            HostFile::new("_headers", headers.text),
            HostFile::new("_redirects", redirects(site)),
        ],
        losses,
        next: next(site, manifest, options),
    }
}

fn next(site: &Site<'_>, manifest: &Manifest, options: &Options) -> Vec<String> {
    let mut next = vec![
        format!("npx netlify deploy --prod --no-build --dir {}", options.public.display()),
        format!(
            "or let it build from your repository: copy {} to its root",
            options.out.join("netlify.toml").display()
        ),
    ];
    if !site.previous.is_empty() {
        next.push("add the earlier names as domain aliases of the site".to_owned());
    }
    next.extend(platform::name_of_sidecar(site, manifest));
    next
}

/// For the root of a repository, two folders above where it is written unless told otherwise.
fn settings(options: &Options) -> String {
    let root = options.out.parent().and_then(std::path::Path::parent).unwrap_or(&options.out);
    // A JSON string is a TOML string.
    let publish = serde_json::Value::from(relative(root, &options.public));
    format!("{HEAD}[build]\npublish = {publish}\n")
}

/// The first rule that fits decides, and `!` lets it decide before any file.
fn redirects(site: &Site<'_>) -> String {
    let mut text = HEAD.to_owned();
    for origin in &site.previous {
        moved(&mut text, origin, site);
    }
    for route in ROUTES {
        if let Some(sidecar) = &site.sidecar {
            pass(&mut text, &site.prefix, route, sidecar);
        }
    }
    if !site.prefix.is_empty() {
        let _ = writeln!(text, "{}/*  /:splat  200", site.prefix);
    }
    text
}

fn pass(text: &mut String, at: &str, route: Route, sidecar: &Sidecar) {
    let path = route.path;
    let _ = match path.ends_with('/') {
        true => writeln!(text, "{at}{path}*  {sidecar}{path}:splat  200!"),
        false => writeln!(text, "{at}{path}  {sidecar}{path}  200!"),
    };
}

/// Documents are redirected, what is POSTed is passed on.
fn moved(text: &mut String, origin: &PreviousOrigin, site: &Site<'_>) {
    let at = origin.to_string();
    for route in ROUTES.into_iter().filter(|route| route.post) {
        if let Some(sidecar) = &site.sidecar {
            pass(text, &at, route, sidecar);
        }
    }
    let _ = writeln!(text, "{at}/*  {}/:splat  301!", site.base_url);
}
