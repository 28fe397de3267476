//! GitHub Pages: documents as they are, without header fields and without a proxy. For a site without a sidecar, or as
//! the origin of a server in front of it.

use super::{HostFile, HostFiles, HostSite};

/// The end of names that need no CNAME, because they are GitHub's.
const OWN: &str = ".github.io";

pub(super) fn files(site: &HostSite<'_>) -> HostFiles {
    // Without it, names with a leading underscore or dot are left out.
    let mut public = vec![HostFile::new(".nojekyll", "")];
    let mut next = vec![format!(
        "deploy {} with actions/upload-pages-artifact (include-hidden-files: true) and actions/deploy-pages",
        site.options.public.display()
    )];
    let host = &site.host;
    if !host.ends_with(OWN) {
        public.push(HostFile::new("CNAME", format!("{host}\n")));
        next.push(format!("set {host} as the repository's custom domain"));
    }
    let mut losses = without_sidecar(site, &mut next);
    losses.extend(
        [
            "send Candor's ETags, Last-Modified or Cache-Control: it has its own tag, which it answers with 304, and lets copies be kept for ten minutes",
            "send Link, Access-Control-Expose-Headers, X-Content-Type-Options, or Referrer-Policy, Permissions-Policy and frame-ancestors; the rest of Content-Security-Policy is in the pages",
            "send the right type of every document: feed.xml, the schemas and what has no extension get its own",
            "send a tag for each coding; the files .br and .gz can be read at their own addresses",
            "say Allow and JSON with a 405, or answer a preflight",
        ]
        .map(str::to_owned),
    );
    HostFiles { public, losses, next, ..HostFiles::default() }
}

/// What a host of files alone cannot do, and what the owner does about it.
pub(super) fn without_sidecar(site: &HostSite<'_>, next: &mut Vec<String>) -> Vec<String> {
    let mut losses = Vec::new();
    if site.manifest.sidecar.is_some() {
        losses.push(
            "pass anything on: search, since, /mcp and the hub, which the site names at its own address, are 404 or 405"
                .to_owned(),
        );
        next.push(
            "set [sidecar] enabled = false in site.toml and build again, or choose another host"
                .to_owned(),
        );
    }
    if !site.previous.is_empty() {
        losses.push(
            "redirect from the addresses the site had before: keep what serves them".to_owned(),
        );
    }
    losses
}
