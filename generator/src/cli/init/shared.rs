//! A new site of several that take what they have in common from one folder: its files have the rest.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use toml::{Table, Value};
use toml_edit::{DocumentMut, Item, TableLike};

use super::files::quoted;

/// Keys that each site has, whatever the shared folder has.
const OWN: [&str; 4] = ["format", "base_url", "id_base", "name"];

/// Keys of the skeleton that nobody is asked for: the shared folder decides them if it has them. A site without `[sidecar]
/// enabled` and `[verification] platforms`, of which neither says anything, would be another site.
const UNASKED: [&str; 3] = ["pages", "authors", "enabled"];

/// What the shared folder says of its sites: the keys of `site.toml` and `business.toml`.
pub(super) fn defaults(shared: &Path) -> anyhow::Result<Table> {
    let mut all = Table::new();
    for file in ["site.toml", "business.toml"].map(|name| shared.join(name)) {
        if file.is_file() {
            let failed = || format!("{} cannot be read", file.display());
            let text = std::fs::read_to_string(&file).with_context(failed)?;
            all.extend(text.parse::<Table>().with_context(failed)?);
        }
    }
    // A site that says where its sidecar is has one.
    if let Some(Value::Table(sidecar)) = all.get_mut("sidecar") {
        sidecar.entry("enabled").or_insert(true.into());
    }
    Ok(all)
}

/// The text of a new site's file with what differs from the shared folder.
pub(super) fn without_shared(text: &str, shared: &Table) -> anyhow::Result<String> {
    let (mut own, values) = (text.parse::<DocumentMut>()?, text.parse()?);
    leave_out(own.as_table_mut(), &values, shared);
    // What the program does without the key: the folder may say it later.
    let defaults = "language = \"en\"\nsite.pages = \"/\"\nprivacy.authors = \"full\"\n";
    let mut defaults: Table = defaults.parse()?;
    defaults.retain(|key, _| key != "language" || !shared.contains_key(key));
    leave_out(own.as_table_mut(), &values, &defaults);
    Ok(own.to_string())
}

fn leave_out(own: &mut dyn TableLike, values: &Table, defaults: &Table) {
    for (key, default) in defaults.iter().filter(|(key, _)| !OWN.contains(&key.as_str())) {
        let is_left_out = match (values.get(key), default) {
            (Some(Value::Table(values)), Value::Table(defaults)) => {
                own.get_mut(key).and_then(Item::as_table_like_mut).is_some_and(|own| {
                    leave_out(own, values, defaults);
                    own.is_empty()
                })
            }
            (value, default) => value == Some(default) || UNASKED.contains(&key.as_str()),
        };
        if is_left_out {
            own.remove(key);
        }
    }
}

/// The absolute path of a folder.
pub(super) fn known(path: &Path) -> anyhow::Result<PathBuf> {
    path.canonicalize().with_context(|| format!("{} cannot be used", path.display()))
}

/// Names the shared folder in `site.toml`, as seen from the content.
pub(super) fn with_shared(text: &str, shared: &Path, dir: &Path) -> anyhow::Result<String> {
    let (start, end) = (known(dir)?.join("content"), known(shared)?);
    let name = content::workspace::path_between(&start, &end);
    let line = format!("shared = {}", quoted(&name.display().to_string().replace('\\', "/")));
    let note =
        "# Defaults of several sites: a key that this folder does not have is taken from there.";
    Ok(text.replacen("\nformat = 1\n", &format!("\nformat = 1\n\n{note}\n{line}\n"), 1))
}
