//! Shared hosting with Apache, where a folder has no configuration but `.htaccess`: no map of tags, no proxy, and
//! only the modules that the host allows.

use minijinja::Error;

use super::{HostFile, HostFiles, HostSite, github_pages::without_sidecar, templates::Templates};

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let public = site.options.public.display();
    let folder = if site.prefix.is_empty() { "the site's folder" } else { &site.prefix };
    let mut next = vec![format!(
        "upload all of {public}, hidden files too, into {folder} of the host by FTP, SFTP or its file manager"
    )];
    let mut losses = without_sidecar(site, &mut next);
    losses.extend(
        [
            "send Candor's ETags: it compares its own, which it answers with 304",
            "send Link, or Allow and JSON with a 405, or answer a preflight",
            "send header fields or compressed files where mod_headers or mod_rewrite is off; then documents are served as they are",
        ]
        .map(str::to_owned),
    );
    let text = templates.render("htaccess/.htaccess")?;
    Ok(HostFiles {
        public: vec![HostFile::new(".htaccess", text)],
        losses,
        next,
        ..HostFiles::default()
    })
}
