//! Texts that have a syntax: web addresses and language tags.

use language_tags::LanguageTag;

/// Whether the text is an absolute `http` or `https` address. Other schemes, `javascript:` above
/// all, never reach a page.
pub fn web_url(text: &str) -> Result<(), String> {
    let url = url::Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => format!("{text:?} does not begin with https://"),
        error => format!("{text:?} is not an address: {error}"),
    })?;
    match url.scheme() {
        "http" | "https" if !text.contains(char::is_whitespace) => Ok(()),
        "http" | "https" => Err(format!("{text:?} contains a blank")),
        scheme => Err(format!("{scheme}: addresses are not published, only http and https")),
    }
}

/// Whether the text is a BCP 47 tag of registered parts (RFC 5646 section 2.2.9).
pub fn is_language_tag(text: &str) -> bool {
    LanguageTag::parse(text).is_ok_and(|tag| !tag.primary_language().is_empty() && tag.is_valid())
}
