//! Which URL path is which file. A path is looked up here and nowhere else: no request ever turns
//! into a path on disk.

use std::{collections::HashMap, fmt::Write};

use contract::manifest::FileEntry;

const INDEX: &str = "index.html";

/// Pages that are sent in place of others and have no address themselves.
const NOT_FOUND: &str = "404.html";

/// The one hidden folder that is meant to be read (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// The URL paths of a site, decoded.
#[derive(Debug, Default)]
pub(crate) struct Urls(HashMap<String, Target>);

/// What a URL path is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The document at this place in the list.
    Document(usize),
    /// Another spelling of this percent-encoded path.
    Redirect(String),
}

impl Urls {
    /// Adds the addresses of a file: its own, and for `a/index.html` those that lead to `/a/`.
    pub(crate) fn add(&mut self, file: &FileEntry, at: usize) {
        if file.path == NOT_FOUND || is_hidden(&file.path) {
            return;
        }
        let url = file.url_path();
        if url.ends_with('/') {
            let to = Target::Redirect(encode(&url));
            self.0.entry(format!("{url}{INDEX}")).or_insert(to);
        }
        if let Some(bare) = url.strip_suffix('/').filter(|bare| !bare.is_empty()) {
            let to = Target::Redirect(encode(&url));
            self.0.entry(bare.to_owned()).or_insert(to);
        }
        self.add_document(url, at);
    }

    /// Adds a document at this address; it wins over a redirect.
    pub(crate) fn add_document(&mut self, url: String, at: usize) {
        self.0.insert(url, Target::Document(at));
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Target> {
        self.0.get(path)
    }
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.') && part != WELL_KNOWN)
}

/// Undoes percent-encoding, once. `None` for what no path of a site can be: a broken escape, an
/// escaped slash (it is not the slash between parts, RFC 3986 section 2.2), or no UTF-8.
pub(crate) fn decode(path: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(path.len());
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'%' => {
                let (high, low) = (hex(bytes.next()?)?, hex(bytes.next()?)?);
                Some(high << 4 | low).filter(|&byte| byte != b'/')?
            }
            plain => plain,
        };
        decoded.push(byte);
    }
    String::from_utf8(decoded).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Percent-encodes everything a path may not hold as it is (RFC 3986 section 3.3).
fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => encoded.push(byte.into()),
            b'/' | b'-' | b'.' | b'_' | b'~' | b'+' | b',' | b'@' => encoded.push(byte.into()),
            // Writing to a string cannot fail.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
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

    #[test]
    fn a_path_is_decoded_once_or_not_at_all() {
        assert_eq!(decode("/a%20b/%C3%BC+c").as_deref(), Some("/a b/ü+c"));
        assert_eq!(decode("/%252e").as_deref(), Some("/%2e"));
        for path in ["/%", "/%4", "/%zz", "/a%2Fb", "/..%2f", "/%ff", "/%c0%ae", "/%+1"] {
            assert_eq!(decode(path), None, "{path}");
        }
    }
}
