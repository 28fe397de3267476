//! Who serves the site, as `site.toml` remembers it: every build writes what that host needs.

use std::path::PathBuf;

use toml_edit::{DocumentMut, TomlError, value};

use super::toml_reader::TomlTable;
use contract::problem::unknown_help;

/// The hosts that there are, as they are typed.
pub const HOSTS: [&str; 8] =
    ["nginx", "caddy", "apache", "cloudflare", "netlify", "vercel", "s3", "github-pages"];
/// The older versions that there are configurations for.
pub const COMPAT: [&str; 1] = ["2.6"];

/// `host` of `site.toml`, and the keys beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostKeys {
    /// `host`: one of [`HOSTS`].
    pub name: String,
    /// `host_sidecar`: where the host reaches the sidecar.
    pub sidecar: Option<String>,
    /// `host_compat`: one of [`COMPAT`].
    pub compat: Option<String>,
    /// `host_out`: the folder of the host's configuration.
    pub out: Option<PathBuf>,
}

pub(super) fn read(table: &TomlTable<'_>) -> Option<HostKeys> {
    let keys = HostKeys {
        name: one_of(table, "host", &HOSTS).unwrap_or_default(),
        sidecar: table.url("host_sidecar"),
        compat: one_of(table, "host_compat", &COMPAT),
        out: table.string("host_out").map(PathBuf::from),
    };
    for key in ["host_sidecar", "host_compat", "host_out"] {
        if table.contains(key) && !table.contains("host") {
            let message = format!("{key} is about a host, and there is none");
            table.error(key, "missing-key", message, "add host = \"NAME\"");
        }
    }
    Some(keys).filter(|keys| !keys.name.is_empty())
}

fn one_of(table: &TomlTable<'_>, key: &'static str, words: &[&str]) -> Option<String> {
    let text = table.string(key)?;
    if words.contains(&&*text) {
        return Some(text);
    }
    let help = unknown_help(&text, words.iter().copied());
    table.error(key, "unknown-value", format!("{key}: {text:?} is not known"), help);
    None
}

/// The text of a `site.toml` with these keys. Everything else in it stays.
///
/// # Errors
/// When the text is not TOML.
pub fn remembered(text: &str, keys: &HostKeys) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let out = keys.out.as_ref().map(|out| out.display().to_string());
    let all = [
        ("host", Some(keys.name.clone())),
        ("host_sidecar", keys.sidecar.clone()),
        ("host_compat", keys.compat.clone()),
        ("host_out", out),
    ];
    for (key, text) in all {
        match text {
            Some(text) if document.get(key).and_then(|item| item.as_str()) == Some(&text) => {}
            Some(text) => document[key] = value(text),
            None => drop(document.remove(key)),
        }
    }
    Ok(document.to_string())
}
