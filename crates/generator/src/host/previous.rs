//! The addresses a site had before.

use serde::Serialize;
use url::Url;

use contract::manifest::Manifest;

/// An origin the site had before. Documents are redirected to the new one; POST requests are passed on,
/// because subscribers and agents do not follow a redirected POST.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PreviousOrigin {
    /// `http` or `https`.
    scheme: String,
    /// The name alone.
    pub host: String,
    /// Where it was not the scheme's own.
    port: Option<u16>,
    /// Host, and port where it was not the scheme's own.
    authority: String,
    /// Its path: nothing, or `/shop`.
    pub(crate) prefix: String,
}

impl PreviousOrigin {
    /// All of a manifest that are not the present one, each once.
    pub(super) fn all(manifest: &Manifest) -> Vec<Self> {
        let mut all = Vec::new();
        let present = Self::parse(&manifest.base_url);
        for origin in manifest.previous_base_urls.iter().filter_map(|url| Self::parse(url)) {
            if present.as_ref() != Some(&origin) && !all.contains(&origin) {
                all.push(origin);
            }
        }
        all
    }

    fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?.to_owned();
        Some(Self {
            scheme: url.scheme().to_owned(),
            authority: url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}")),
            host,
            port: url.port(),
            prefix: url.path().trim_end_matches('/').to_owned(),
        })
    }
}
