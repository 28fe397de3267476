//! The host of the site, as `site.toml` names it: every build writes what that host needs.

use std::path::PathBuf;

use toml_edit::{DocumentMut, TomlError, value};

/// The hosts that there are, as they are typed.
pub const HOSTS: [&str; 9] = [
    "nginx",
    "caddy",
    "apache",
    "cloudflare",
    "netlify",
    "vercel",
    "s3",
    "github-pages",
    "htaccess",
];
/// The older versions that there are configurations for.
pub const COMPAT: [&str; 1] = ["2.6"];

/// `host` of `site.toml`, and the keys beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostKeys {
    /// `host`: one of [`HOSTS`].
    pub name: String,
    /// `host_sidecar`: the address at which the host reaches the sidecar.
    pub sidecar: Option<String>,
    /// `host_compat`: one of [`COMPAT`].
    pub compat: Option<String>,
    /// `host_out`: the folder of the host's configuration.
    pub out: Option<PathBuf>,
    /// `host_target`: a [`target`].
    pub target: Option<String>,
}

/// Returns the server and the site's folder on it, without a trailing slash, of `deploy@server:/srv/reviews`.
///
/// # Errors
/// When it names no server, or no absolute path. A hyphen at the start would make an option of it.
pub fn target(text: &str) -> Result<(&str, &str), String> {
    let (server, folder) = text.split_once(':').unwrap_or_default();
    let (start, folder) = (server.chars().next(), folder.trim_end_matches('/'));
    let is_known = |c: char| c.is_ascii_alphanumeric() || "@._-".contains(c);
    let is_server = start.is_some_and(|c| c != '-') && server.chars().all(is_known);
    if is_server && folder.starts_with('/') && !folder.contains(char::is_control) {
        return Ok((server, folder));
    }
    Err(format!("{text:?} is not a folder on a server, such as deploy@server:/srv/reviews"))
}

impl HostKeys {
    /// Returns the keys of `site.toml` with their values.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("host", Some(self.name.clone())),
            ("host_sidecar", self.sidecar.clone()),
            ("host_compat", self.compat.clone()),
            ("host_out", self.out.as_ref().map(|out| out.display().to_string())),
            ("host_target", self.target.clone()),
        ]
    }
}

/// Returns the text of a `site.toml` with these keys, without those that have no value. Everything else in it stays.
///
/// # Errors
/// When the text is not TOML.
pub fn remembered(text: &str, keys: &[(&str, Option<String>)]) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    for (key, text) in keys {
        match text {
            Some(text) if document.get(key).and_then(|item| item.as_str()) == Some(text) => {}
            Some(text) => document[key] = value(text),
            None => drop(document.remove(key)),
        }
    }
    Ok(document.to_string())
}
