//! Built-in templates that became an owner's files. The first line of such a file has the hash of the built-in text
//! that it was copied from, so that a later version of Candor knows whether that has changed.

use contract::etag::ETag;

use super::{ASSETS, TEMPLATES};

/// The text before the hash of the built-in text.
const MARK: &str = "Ejected from the built-in template ";

/// Digits of the hash.
const DIGITS: usize = 16;

/// The built-in template of this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    TEMPLATES.iter().chain(ASSETS).find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the file that an owner edits: the built-in text below a comment with its hash.
pub fn ejected(name: &str) -> Option<String> {
    let text = built_in(name)?;
    let (open, close) = match name.rsplit('.').next() {
        Some("css" | "js") => ("/*", "*/"),
        _ => ("{#", "#}"),
    };
    Some(format!("{open} {MARK}{} {close}\n{text}", hash(text)))
}

/// Returns the hash of the built-in template of this name, if `own` was made from another text. A file without a hash
/// is not judged.
pub fn newer_built_in(name: &str, own: &str) -> Option<String> {
    let (_, rest) = own.lines().next()?.split_once(MARK)?;
    let now = hash(built_in(name)?);
    (rest.split_whitespace().next() != Some(now.as_str())).then_some(now)
}

fn hash(text: &str) -> String {
    ETag::of(text.as_bytes()).hex()[..DIGITS].to_owned()
}
