use std::fmt;

use url::Url;

use contract::manifest::Manifest;

/// An origin the site had before. Documents are redirected to the new one; what is POSTed is passed
/// on, because subscribers and agents do not follow a redirected POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreviousOrigin {
    /// `http` or `https`.
    pub(crate) scheme: String,
    /// The name alone.
    pub(crate) host: String,
    /// Where it was not the scheme's own.
    pub(crate) port: Option<u16>,
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
        Some(Self {
            scheme: url.scheme().to_owned(),
            host: url.host_str()?.to_owned(),
            port: url.port(),
            prefix: url.path().trim_end_matches('/').to_owned(),
        })
    }
}

impl fmt::Display for PreviousOrigin {
    /// Without a trailing slash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        f.write_str(&self.prefix)
    }
}
