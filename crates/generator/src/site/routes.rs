//! Where each page is: its file, its path on the host, its whole address.

use content::Site;
use serde::Serialize;

/// Where the picture for shared links is, below the pages.
pub(super) const PICTURE: &str = "share.png";

/// A link.
#[derive(Clone, Debug, Hash, Serialize)]
pub(super) struct LinkView {
    pub(super) href: String,
    pub(super) label: String,
}

/// The addresses of a site's pages.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    base_url: String,
    /// The path of `base_url`, without a trailing slash.
    root: String,
    /// What comes before every page's path: nothing or `reviews/`.
    prefix: &'static str,
}

impl Routes {
    pub(crate) fn new(site: &Site) -> Self {
        let path = url::Url::parse(&site.base_url).map(|url| url.path().to_owned());
        let prefix = site.appearance.pages.prefix();
        let root = path.unwrap_or_default().trim_end_matches('/').to_owned();
        Self { base_url: site.base_url.clone(), root, prefix }
    }

    /// A page's path below `base_url`: `search/`, or nothing for the first page.
    pub(super) fn page(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The list of all reviews. Below `/reviews/` that name is taken by the first page.
    pub(super) fn all(&self) -> String {
        self.page(if self.prefix.is_empty() { "reviews/" } else { "all/" })
    }

    /// A path as a link within the site: no host in it, so that a preview links to itself.
    pub(super) fn href(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// The whole address.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base_url)
    }
}

/// The file that answers a path.
pub(crate) fn file(path: &str) -> String {
    if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.to_owned()
    }
}

#[cfg(test)]
impl Routes {
    pub(super) fn at(base_url: &str) -> Self {
        Self { base_url: base_url.to_owned(), root: String::new(), prefix: "" }
    }
}
