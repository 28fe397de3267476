//! Appends suggestions to the files of the content. What the owner wrote keeps its bytes.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use insights::{Suggestion, names::NameKind};

use super::{super::Context, key, word};
use contract::files;
use system::{access::explained, journal, root::Root};

/// The kinds with their files and the key of a name.
const FILES: [(NameKind, &str, &str); 4] = [
    (NameKind::Technician, "technicians.toml", "name"),
    (NameKind::Service, "services.toml", "label"),
    (NameKind::ServiceArea, "service_areas.toml", "name"),
    (NameKind::Topic, "topics.toml", "label"),
];

/// Appends the suggestions. Every new file is checked before the first one is replaced.
pub(super) fn write(context: &Context, chosen: &[&Suggestion]) -> anyhow::Result<()> {
    let folder = &context.global.content;
    let _lock = content::change::lock_content(folder)?;
    let mut changes: Vec<(PathBuf, String, Vec<String>)> = Vec::new();
    for (kind, file, name_key) in FILES {
        let added: Vec<&&Suggestion> = chosen.iter().filter(|s| s.kind == kind).collect();
        if added.is_empty() {
            continue;
        }
        let path = journal::resolve(folder, file)?;
        let text = read(&Root::at(folder), file)?.unwrap_or_default();
        let has_list = toml::from_str::<toml::Table>(text.trim_start_matches('\u{feff}'))
            .is_ok_and(|own| own.contains_key(word(kind)));
        let text = if has_list { text } else { text + &shared_text(folder, file, word(kind))? };
        let text = added.iter().try_fold(text, |text, added| append(text, added, name_key))?;
        let plain = text.strip_prefix('\u{feff}').unwrap_or(&text);
        anyhow::ensure!(
            toml::from_str::<toml::Table>(plain).is_ok(),
            "nothing was written: {} has no [[{table}]] tables, so none can be appended; add the suggestion by hand",
            path.display(),
            table = word(kind)
        );
        changes.push((path, text, added.iter().map(|added| key(added)).collect()));
    }
    for (path, text, keys) in changes {
        files::replace(&path, text.as_bytes())
            .map_err(explained(&path))
            .with_context(|| format!("{} was not changed", path.display()))?;
        context.out.say(&format!("added {} to {}", keys.join(", "), path.display()));
    }
    Ok(())
}

/// The text of a file that may not exist.
fn read(root: &Root, file: &str) -> anyhow::Result<Option<String>> {
    root.text(file.as_ref()).with_context(|| root.path().join(file).display().to_string())
}

/// The list that the site shares with others. A list of its own replaces it, so that one has to begin
/// with the same entries.
fn shared_text(folder: &Path, file: &str, list: &str) -> anyhow::Result<String> {
    let shared = content::folders(folder).into_iter().nth(1);
    let text = shared.map_or(Ok(None), |shared| read(&shared, file))?.unwrap_or_default();
    let table: toml::Table = toml::from_str(&text).unwrap_or_default();
    Ok(if table.contains_key(list) { text } else { String::new() })
}

/// The text with a table for the suggestion, in the line ends of the text.
fn append(text: String, suggestion: &Suggestion, name_key: &str) -> anyhow::Result<String> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // The escapes of JSON are escapes of TOML.
    let mut lines = vec![
        format!("[[{}]]", word(suggestion.kind)),
        format!("id = {}", serde_json::to_string(&suggestion.id)?),
        format!("{name_key} = {}", serde_json::to_string(&suggestion.name)?),
    ];
    if !suggestion.aliases.is_empty() {
        let aliases: Result<Vec<String>, _> =
            suggestion.aliases.iter().map(serde_json::to_string).collect();
        lines.push(format!("aliases = [{}]", aliases?.join(", ")));
    }
    let mut text = text;
    if !text.is_empty() {
        text.push_str(if text.ends_with('\n') { "" } else { end });
        text.push_str(end);
    }
    text.push_str(&lines.join(end));
    text.push_str(end);
    Ok(text)
}
