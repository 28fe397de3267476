//! The `id_base` of a new site: until the site is published at an address that readers have, it is the one of a placeholder.

use contract::{manifest::Manifest, problem::Report};

use crate::cli::{Context, host::keep_keys};
use generator::publish;

/// Writes the host of `base_url` into an `id_base` that has a placeholder's, before the first build for an address that
/// is none. Ids that readers know stay: those of a site that was published at such an address.
///
/// # Errors
/// When `site.toml` cannot be written, or the previous publication cannot be read.
pub(super) fn follow(
    context: &Context,
    previous: impl FnOnce() -> anyhow::Result<Option<Manifest>>,
) -> anyhow::Result<()> {
    let content = &context.global.content;
    // A given address is a preview's. What is wrong with the file is reported by what reads all of the content.
    let site = content::read_site(content, None, &Report::default());
    let site = site.filter(|_| context.global.base_url.is_none());
    let Some((site, (host, rest))) = site.and_then(|site| {
        let (host, rest) = site.id_base.strip_prefix("tag:")?.split_once(',')?;
        let parts = (host.to_owned(), rest.to_owned());
        Some((site, parts))
    }) else {
        return Ok(());
    };
    let is_placeholder = |host: &str| content::is_placeholder(&format!("https://{host}"));
    if !is_placeholder(&host) || content::is_placeholder(&site.base_url) {
        return Ok(());
    }
    let here = publish::manifest_in(&context.global.published()).ok().flatten();
    let known = previous()?.or(here);
    let url = url::Url::parse(&site.base_url)?;
    let id_base = match known.filter(|known| !content::is_placeholder(&known.base_url)) {
        Some(known) => known.id_base,
        None => format!("tag:{},{rest}", url.host_str().unwrap_or_default()),
    };
    let keys = [("id_base", Some(id_base.clone()))];
    if let Some(path) = keep_keys(content, &keys, "id_base")? {
        let path = path.display();
        context.out.say(&format!(
            "{path} has id_base = \"{id_base}\" now: {host} was a placeholder; keep it, whatever the address will be"
        ));
    }
    Ok(())
}
