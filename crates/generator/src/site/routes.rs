//! The addresses of pages: their files, their paths on the host, their whole addresses.

use content::Site;
use serde::Serialize;

/// The path of the picture for shared links, below the pages.
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
    /// The first part of every page's path: nothing or `reviews/`.
    prefix: &'static str,
}

impl Routes {
    pub(crate) fn new(site: &Site) -> Self {
        let path = url::Url::parse(&site.base_url).map(|url| url.path().to_owned());
        let prefix = site.appearance.pages.prefix();
        let root = path.unwrap_or_default().trim_end_matches('/').to_owned();
        Self { base_url: site.base_url.clone(), root, prefix }
    }

    /// Returns a page's path below `base_url`: `search/`, or nothing for the first page.
    pub(super) fn page(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Returns the path of the list of all reviews. Below `/reviews/` the first page has that name.
    pub(super) fn all(&self) -> String {
        self.page(if self.prefix.is_empty() { "reviews/" } else { "all/" })
    }

    /// Returns the path of the page of the owner's statements.
    pub(super) fn policy(&self) -> String {
        self.page("review-policy/")
    }

    /// Returns a path as a link within the site: without a host, so that a preview links to itself.
    pub(super) fn href(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// Returns the whole address of a path.
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
