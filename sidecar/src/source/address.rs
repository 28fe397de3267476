//! The values of `--public`: a folder or an address.

use std::{
    ffi::OsString,
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use url::{Host, ParseError, Url};

/// The location of a publication. Paths become folders; [`Public::read`] distinguishes URLs from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Public {
    /// A folder on this machine.
    Folder(PathBuf),
    /// A web server or CDN.
    Url(SiteUrl),
}

/// The address of a published site: `https`, or `http` on this machine alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrl(Url);

/// The reason why a site cannot be fetched from an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// The text is not a URL.
    #[error("it is not a URL: {0}")]
    Syntax(ParseError),
    /// The address is not `https`: anyone on the way could change the data.
    #[error("it must begin with https:// (http:// is for this machine alone, such as localhost)")]
    NotSecure,
    /// The address has credentials, though logs and checks show it.
    #[error("it must hold no user name and no password")]
    Credentials,
    /// The address is not that of a folder, below which the files are.
    #[error("it must end with a path: no query and no fragment")]
    NotAFolder,
}

impl Public {
    /// Reads a command line's value: one with a scheme is a URL, any other a folder.
    ///
    /// # Errors
    /// When it is a URL from which no site can be fetched.
    pub fn read(value: OsString) -> Result<Self, BadAddress> {
        match value.to_str() {
            Some(text) if text.contains("://") => text.parse().map(Self::Url),
            _ => Ok(Self::Folder(value.into())),
        }
    }
}

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Url(url) => url.fmt(f),
        }
    }
}

impl fmt::Display for SiteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<PathBuf> for Public {
    fn from(path: PathBuf) -> Self {
        Self::Folder(path)
    }
}

impl From<OsString> for Public {
    fn from(path: OsString) -> Self {
        Self::Folder(path.into())
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Public {
    fn from(path: &P) -> Self {
        Self::Folder(path.as_ref().to_path_buf())
    }
}

impl From<SiteUrl> for Public {
    fn from(url: SiteUrl) -> Self {
        Self::Url(url)
    }
}

impl FromStr for SiteUrl {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let mut url = Url::parse(text).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => BadAddress::NotSecure,
            error => BadAddress::Syntax(error),
        })?;
        if !is_secure(&url) {
            return Err(BadAddress::NotSecure);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BadAddress::NotAFolder);
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(Self(url))
    }
}

fn is_secure(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

impl SiteUrl {
    /// Returns the URL of a published file.
    pub(crate) fn file(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        // Fails for URLs without a host only.
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path.split('/'));
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let public = Public::read(text.into()).map_err(|error| error.to_string())?;
        Ok(match &public {
            Public::Folder(_) => format!("folder {public}"),
            Public::Url(_) => format!("url {public}"),
        })
    }

    #[test]
    fn what_has_a_scheme_is_a_url() {
        for (text, meaning) in [
            ("public", "folder public"),
            ("/srv/https", "folder /srv/https"),
            ("https://shop.example", "url https://shop.example/"),
            ("https://shop.example/fr", "url https://shop.example/fr/"),
            ("http://localhost:8080", "url http://localhost:8080/"),
            ("http://127.0.0.1:8080", "url http://127.0.0.1:8080/"),
            ("http://[::1]:8080", "url http://[::1]:8080/"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(meaning));
        }
    }

    #[test]
    fn an_address_is_secure_and_says_no_more_than_where() {
        let secure =
            "it must begin with https:// (http:// is for this machine alone, such as localhost)";
        let credentials = "it must hold no user name and no password";
        let folder = "it must end with a path: no query and no fragment";
        for (text, reason) in [
            ("http://shop.example", secure),
            ("http://localhost.example", secure),
            ("http://10.0.0.1", secure),
            ("ftp://shop.example", secure),
            ("file:///srv/public", secure),
            ("https://me@shop.example", credentials),
            ("https://:word@shop.example", credentials),
            ("https://shop.example/?x", folder),
            ("https://shop.example/#x", folder),
            ("https://", "it is not a URL: empty host"),
        ] {
            assert_eq!(read(text).unwrap_err(), reason, "{text}");
        }
        for text in ["shop.example", "127.0.0.1:9101", "shop.example/fr", ""] {
            assert_eq!(text.parse::<SiteUrl>().unwrap_err().to_string(), secure, "{text}");
        }
    }

    #[test]
    fn a_file_is_below_the_address() {
        let url: SiteUrl = "https://shop.example/fr".parse().unwrap();
        let file = |path| url.file(path).to_string();
        assert_eq!(file("api/feed.json"), "https://shop.example/fr/api/feed.json");
        assert_eq!(file("a b?c#d%.html"), "https://shop.example/fr/a%20b%3Fc%23d%25.html");
    }
}
