//! Reads `static/`: files of the owner's that are published with their names and bytes, such as a proof for
//! a search engine, `security.txt`, fonts and price lists.

use std::io;

use super::{picture, text_file};
use contract::{
    problem::{Place, Report},
    routes,
};
use system::root::{Root, is_hidden, report_unreadable};

/// The name of the folder.
pub const FOLDER: &str = "static";
/// Maximum bytes of a file, the limit of several hosts of static files: 25 MiB.
const LIMIT: usize = 25 * 1024 * 1024;
/// Hidden names that tools leave behind.
const OF_TOOLS: [&str; 4] = [".DS_Store", ".git", ".gitignore", ".gitkeep"];
const SVG_NAMESPACE: &[u8] = b"http://www.w3.org/2000/svg";
/// What a file is whose name says nothing, if it is not text.
const BYTES: &str = "application/octet-stream";

/// A file that is published as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticFile {
    /// The path below the root of the site.
    pub path: String,
    /// The whole `Content-Type` value.
    pub media_type: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl StaticFile {
    /// Whether pages can show it.
    pub fn is_picture(&self) -> bool {
        self.media_type.starts_with("image/")
    }
}

/// All files, by path.
pub(super) fn read(root: &Root, report: &Report) -> Vec<StaticFile> {
    let mut files = Vec::new();
    collect(root, "", &mut files, report);
    files
}

fn collect(root: &Root, below: &str, files: &mut Vec<StaticFile>, report: &Report) {
    let folder = format!("{FOLDER}/{below}");
    let folder = folder.trim_end_matches('/');
    let all = root.all_names(folder.as_ref()).unwrap_or_default();
    for name in all.iter().filter(|name| is_hidden(name) && !OF_TOOLS.contains(&&***name)) {
        let place = root.path().join(folder).join(name).display().to_string();
        let help = "candor host writes the settings of web servers";
        let message = "files whose name begins with a dot are not published";
        report.warning("unknown-file", Place::file(place), message, help);
    }
    for name in text_file::names(root, folder, report) {
        let path = format!("{below}{name}");
        let file = format!("{FOLDER}/{path}");
        let place = || Place::file(root.shown(file.as_ref()).display().to_string());
        let refuse = |message: String, help: &str| {
            report.error("invalid-static-file", place(), message, help);
        };
        // The unreserved characters of RFC 3986: no server and no link writes them in two ways.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if !name.bytes().all(is_plain) {
            let help = "rename it with letters, digits, hyphens, dots and underscores";
            refuse(format!("{name:?} cannot be part of an address"), help);
            continue;
        }
        if is_route(&path) {
            let help = "give it another name";
            refuse(format!("/{path} is where the search service answers"), help);
            continue;
        }
        match root.read(file.as_ref()) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                collect(root, &format!("{path}/"), files, report);
            }
            Err(error) => report_unreadable(report, &root.shown(file.as_ref()), &error),
            Ok(bytes) if bytes.len() > LIMIT => refuse(
                format!("the file has {} MiB; at most 25 are published", bytes.len() / 1024 / 1024),
                "make it smaller, or put it elsewhere and link to it",
            ),
            Ok(bytes) => match checked(media_type(&name, &bytes), bytes) {
                Ok((media_type, bytes)) => files.push(StaticFile { media_type, path, bytes }),
                Err(reason) => {
                    let help = "candor help invalid-logo says what a picture may contain";
                    refuse(format!("the file {reason}"), help);
                }
            },
        }
    }
}

/// Whether servers send requests for a path, or for what is below it, to the sidecar.
fn is_route(path: &str) -> bool {
    let routes = [routes::SEARCH, routes::SINCE_PREFIX, routes::MCP, routes::HUB];
    routes.iter().any(|route| route.trim_matches('/') == path)
}

/// Returns the bytes to publish. An SVG that is opened as a page could run scripts on the site, so it is filtered,
/// whatever its name: a browser knows it in every XML by its namespace.
fn checked(media_type: String, bytes: Vec<u8>) -> Result<(String, Vec<u8>), String> {
    let is_xml = media_type.ends_with("xml") || media_type.ends_with("xml; charset=utf-8");
    let has_svg = || bytes.windows(SVG_NAMESPACE.len()).any(|part| part == SVG_NAMESPACE);
    if media_type == "image/svg+xml" || is_xml && has_svg() {
        return Ok((media_type, picture::checked("svg", bytes)?));
    }
    Ok((media_type, bytes))
}

/// Returns the media type by the name; without an extension, as proofs for other services are, by the bytes.
fn media_type(name: &str, bytes: &[u8]) -> String {
    let is_text = str::from_utf8(bytes).is_ok();
    let known = mime_guess::from_path(name).first();
    let guessed = known.map_or_else(
        || match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[') if is_text => "application/json".to_owned(),
            _ if is_text => "text/plain".to_owned(),
            _ => BYTES.to_owned(),
        },
        |known| known.essence_str().to_owned(),
    );
    let charset = if guessed.starts_with("text/") && is_text { "; charset=utf-8" } else { "" };
    guessed + charset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_media_type_follows_from_name_or_bytes() {
        for (name, bytes, expected) in [
            ("google1a2b.html", &b"google-site-verification"[..], "text/html; charset=utf-8"),
            ("security.txt", b"Contact: mailto:a@b.example", "text/plain; charset=utf-8"),
            ("latin.txt", b"caf\xe9", "text/plain"),
            ("apple-app-site-association", b"{}", "application/json"),
            ("proof", b"abc", "text/plain; charset=utf-8"),
            ("blob", b"\xff\xfe", BYTES),
            ("Head.woff2", b"wOF2", "font/woff2"),
            ("prices.pdf", b"%PDF", "application/pdf"),
        ] {
            assert_eq!(media_type(name, bytes), expected, "{name}");
        }
    }
}
