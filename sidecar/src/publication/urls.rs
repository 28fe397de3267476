//! The file of each URL path. Paths of requests are only looked up here; none becomes a path on disk.

use std::collections::HashMap;

use contract::{manifest::FileEntry, percent::encode_path};

const INDEX: &str = "index.html";

/// The URL paths of a site, decoded.
#[derive(Debug, Default)]
pub(crate) struct Urls(HashMap<String, Target>);

/// The meaning of a URL path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The document at this place in the list.
    Document(usize),
    /// A redirect: the path is another spelling of this percent-encoded one.
    Redirect(String),
}

impl Urls {
    /// Adds the addresses of a file: its own, and for `a/index.html` those that lead to `/a/`.
    pub(crate) fn add(&mut self, file: &FileEntry, at: usize) {
        if !file.has_address() {
            return;
        }
        let url = file.url_path();
        if url.ends_with('/') {
            let to = Target::Redirect(encode_path(&url));
            self.0.entry(format!("{url}{INDEX}")).or_insert(to);
        }
        if let Some(bare) = url.strip_suffix('/').filter(|bare| !bare.is_empty()) {
            let to = Target::Redirect(encode_path(&url));
            self.0.entry(bare.to_owned()).or_insert(to);
        }
        self.add_document(url, at);
    }

    /// Adds a document at this address; it replaces a redirect.
    pub(crate) fn add_document(&mut self, url: String, at: usize) {
        self.0.insert(url, Target::Document(at));
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Target> {
        self.0.get(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::etag::ETag;

    fn urls(paths: &[&str]) -> Urls {
        let mut urls = Urls::default();
        for (at, path) in paths.iter().enumerate() {
            let file = FileEntry {
                path: (*path).to_owned(),
                media_type: "text/html".into(),
                length: 0,
                etag: ETag::of(b""),
                encodings: Default::default(),
                modified: jiff::Timestamp::UNIX_EPOCH,
                links: Vec::new(),
            };
            urls.add(&file, at);
        }
        urls
    }

    #[test]
    fn folders_have_one_address() {
        let urls = urls(&["index.html", "über uns/index.html"]);
        assert_eq!(urls.get("/"), Some(&Target::Document(0)));
        assert_eq!(urls.get("/index.html"), Some(&Target::Redirect("/".into())));
        assert_eq!(urls.get("/über uns/"), Some(&Target::Document(1)));
        let redirect = Target::Redirect("/%C3%BCber%20uns/".into());
        assert_eq!(urls.get("/über uns"), Some(&redirect));
        assert_eq!(urls.get("/über uns/index.html"), Some(&redirect));
        assert_eq!(urls.get(""), None);
    }

    #[test]
    fn a_file_wins_over_a_redirect_in_any_order() {
        for paths in [["about", "about/index.html"], ["about/index.html", "about"]] {
            let file = paths.iter().position(|path| *path == "about").unwrap();
            assert_eq!(urls(&paths).get("/about"), Some(&Target::Document(file)));
        }
    }

    #[test]
    fn hidden_files_have_no_address() {
        let urls = urls(&[".env", "a/.git/config", "404.html", ".well-known/security.txt"]);
        for path in ["/.env", "/a/.git/config", "/404.html"] {
            assert_eq!(urls.get(path), None, "{path}");
        }
        assert_eq!(urls.get("/.well-known/security.txt"), Some(&Target::Document(3)));
    }
}
