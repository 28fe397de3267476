//! Whether the sites of a workspace are different sites: a copied folder publishes one business under two names.

use std::{collections::HashMap, fs, path::Path};

use content::workspace::Site;
use contract::problem::Report;

/// Refuses two sites with one address or one base of ids. Returns a warning for two with the same reviews, and the host
/// name of each site whose settings can be read.
pub(super) fn check(
    sites: &[Site],
    content: &Path,
) -> anyhow::Result<(Vec<String>, Vec<Option<String>>)> {
    let mut keys: HashMap<(&str, String), &str> = HashMap::new();
    let mut files: HashMap<blake3::Hash, &str> = HashMap::new();
    let (mut warnings, mut hosts) = (Vec::new(), Vec::new());
    for Site { name, folder } in sites {
        let content = folder.join(content);
        // A site that cannot be read says so in its own run.
        let site = content::read_site(&content, None, &Report::default());
        let host = site.as_ref().and_then(|site| url::Url::parse(&site.base_url).ok());
        hosts.push(host.and_then(|url| url.host_str().map(str::to_owned)));
        if let Some(site) = site {
            for (key, value) in [("base_url", site.base_url.to_string()), ("id_base", site.id_base)]
            {
                if let Some(other) = keys.insert((key, value.clone()), name) {
                    anyhow::bail!(
                        "{other} and {name} have one {key}, {value}, and two sites cannot be at one address; give one of them its own in site.toml, or remove a copy"
                    );
                }
            }
        }
        let alike = hashes(&content.join("reviews"))
            .into_iter()
            .filter_map(|hash| files.insert(hash, name).filter(|other| other != name))
            .next();
        warnings.extend(alike.map(|other| {
            format!("warning: {other} and {name} have the same reviews; look whether one is a copy of the other")
        }));
    }
    Ok((warnings, hosts))
}

/// The hashes of the files with reviews.
fn hashes(folder: &Path) -> Vec<blake3::Hash> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let texts = files.filter_map(|entry| fs::read(entry.path()).ok());
    texts.filter(|text| !text.trim_ascii().is_empty()).map(|text| blake3::hash(&text)).collect()
}
