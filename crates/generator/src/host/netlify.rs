//! Netlify: `_headers` and `_redirects` among the documents. Responses that are passed on get none of these
//! headers, so the sidecar sends its own; a document's ETag is the platform's.

use std::path::Path;

use minijinja::{Error, context};

use super::{
    HostFile, HostFiles, HostSite, headers_file,
    platform::{self, relative},
    templates::Templates,
};
use contract::text::shell_word;

/// The limits of `_headers`: the platform documents none.
const UNLIMITED: headers_file::Limits = headers_file::Limits { rules: None, line: None };

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let headers = headers_file::text("netlify", site, templates, UNLIMITED)?;
    let mut losses = vec![
        "send Candor's ETags: it compares its own, which it answers with 304".to_owned(),
        "send a tag for each coding, or the compressed files .br and .gz in place of a document; they can be read at their own addresses".to_owned(),
        "say Last-Modified, or Allow and JSON with a document's 405".to_owned(),
        "answer the preflight of a script that sends If-None-Match to a document".to_owned(),
    ];
    if site.sidecar.is_some() {
        losses.push(
            "keep a stream open: what it passes on must be answered within 26 seconds".to_owned(),
        );
    }
    losses.extend(headers.left_out);
    let options = site.options;
    // For the root of a repository, two folders above where it is written unless told otherwise.
    let root = options.out.parent().and_then(Path::parent).unwrap_or(&options.out);
    let publish = context! {
        publish => relative(root, &options.public),
        version => env!("CARGO_PKG_VERSION"),
    };
    let settings = templates.render_with("netlify/netlify.toml", publish)?;
    Ok(HostFiles {
        config: vec![HostFile::new("netlify.toml", settings)],
        public: vec![
            HostFile::new("_headers", headers.text),
            HostFile::new("_redirects", templates.render("netlify/_redirects")?),
        ],
        losses,
        next: next(site),
        ..HostFiles::default()
    })
}

fn next(site: &HostSite<'_>) -> Vec<String> {
    let options = site.options;
    let public = shell_word(options.public.display());
    let mut next = vec![
        format!("npx netlify deploy --prod --no-build --dir {public}"),
        format!(
            "or let it build from your repository: copy {} to its root",
            options.out.join("netlify.toml").display()
        ),
    ];
    if !site.previous.is_empty() {
        next.push("add the earlier names as domain aliases of the site".to_owned());
    }
    next.extend(platform::name_of_sidecar(site));
    next
}
