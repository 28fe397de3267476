//! The previous addresses of a site.

use serde::Serialize;
use url::Url;

use contract::manifest::Manifest;

/// A previous origin of the site. Documents are redirected to the new one; POST requests are passed on, because
/// subscribers and agents do not follow a redirected POST.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PreviousOrigin {
    /// The scheme, `http` or `https`.
    scheme: String,
    /// The host name or address alone.
    pub host: String,
    /// The port, if it is not the scheme's own.
    port: Option<u16>,
    /// The host, with the port if it is not the scheme's own.
    authority: String,
    /// The path: nothing, or `/shop`.
    pub(crate) prefix: String,
}

impl PreviousOrigin {
    /// Returns all previous origins of a manifest that are not the present one, each once.
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
