//! A new site of several that take what they have in common from one folder: its files have the rest.

use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use toml_edit::{DocumentMut, Item, TableLike};

use super::files::quoted;

/// Keys that each site has, whatever the shared folder has.
const OWN: [&str; 4] = ["format", "base_url", "id_base", "name"];

/// What the program does where neither a site nor its shared folder has the key. `[sidecar] enabled` and `[verification]
/// platforms` are written into each site: without them it would be another site.
const DEFAULTS: &str = "language = \"en\"\nsite.pages = \"/\"\nprivacy.authors = \"full\"\n";

/// The text of a new site's file without what the shared folder decides, but for the keys that were `given`.
pub(super) fn without_shared(
    text: &str,
    path: &Path,
    shared: &Path,
    given: &[&str],
) -> anyhow::Result<String> {
    let file = shared.join(path.file_name().unwrap_or_default());
    let mut own: DocumentMut = text.parse()?;
    if file.is_file() {
        let failed = || format!("{} cannot be read", file.display());
        let defaults: DocumentMut =
            std::fs::read_to_string(&file).with_context(failed)?.parse().with_context(failed)?;
        leave_out(own.as_table_mut(), defaults.as_table(), given, false);
    }
    // The folder may say it later.
    leave_out(own.as_table_mut(), DEFAULTS.parse::<DocumentMut>()?.as_table(), given, true);
    Ok(own.to_string())
}

/// With `if_same` only what has the value of the default.
fn leave_out(own: &mut dyn TableLike, defaults: &dyn TableLike, given: &[&str], if_same: bool) {
    let is_shared = |key: &&str| !OWN.contains(key) && !given.contains(key);
    for (key, default) in defaults.iter().filter(|(key, _)| is_shared(key)) {
        let tables = own.get_mut(key).and_then(Item::as_table_like_mut);
        if let (Some(table), Some(defaults)) = (tables, default.as_table_like()) {
            leave_out(table, defaults, given, if_same);
            if !table.is_empty() {
                continue;
            }
        } else if if_same && own.get(key).and_then(Item::as_str) != default.as_str() {
            continue;
        }
        own.remove(key);
    }
}

/// The absolute path of a folder.
pub(super) fn known(path: &Path) -> anyhow::Result<PathBuf> {
    path.canonicalize().with_context(|| format!("{} cannot be used", path.display()))
}

/// Names the shared folder in `site.toml`, as seen from the content.
pub(super) fn with_shared(text: &str, shared: &Path, dir: &Path) -> anyhow::Result<String> {
    let (start, end) = (known(dir)?.join("content"), known(shared)?);
    let common = start.components().zip(end.components()).take_while(|(a, b)| a == b).count();
    let up = start.components().skip(common).map(|_| Component::ParentDir);
    let name: PathBuf = up.chain(end.components().skip(common)).collect();
    let line = format!("shared = {}", quoted(&name.display().to_string().replace('\\', "/")));
    let note =
        "# Defaults of several sites: a key that this folder does not have is taken from there.";
    Ok(text.replacen("\nformat = 1\n", &format!("\nformat = 1\n\n{note}\n{line}\n"), 1))
}
