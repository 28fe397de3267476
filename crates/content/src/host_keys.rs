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
}

/// Returns the text of a `site.toml` with these keys. Everything else in it stays.
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
