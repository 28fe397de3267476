//! Texts that have a syntax: web addresses, language tags and colours.

use contract::address::is_public;
use language_tags::LanguageTag;

/// Checks that the text is an absolute `http` or `https` address. Other schemes, above all `javascript:`, never reach a
/// page.
pub fn web_url(text: &str) -> Result<(), String> {
    let url = url::Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => no_scheme(text),
        error => format!("{text:?} is not an address: {error}"),
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        let host = url.host_str().unwrap_or_default();
        return Err(format!(
            "the address at {host} has a user name or a password, which are not published"
        ));
    }
    match url.scheme() {
        "http" | "https" if !text.contains(char::is_whitespace) => Ok(()),
        "http" | "https" => Err(format!("{text:?} contains a blank")),
        // The host counts as the scheme of a text such as localhost:8081.
        _ if with_scheme(text).is_some() => Err(no_scheme(text)),
        scheme => Err(format!("{scheme}: addresses are not published, only http and https")),
    }
}

fn no_scheme(text: &str) -> String {
    let is_local = with_scheme(text).is_some_and(|whole| whole.starts_with("http:"));
    let schemes = if is_local { "http:// or https://" } else { "https://" };
    format!("{text:?} does not begin with {schemes}")
}

/// The address that is meant by a text that lacks nothing but the scheme.
pub(crate) fn with_scheme(text: &str) -> Option<String> {
    let host = text.split(['/', ':', '@']).next().unwrap_or_default();
    let scheme = if is_local(&format!("http://{text}")) { "http" } else { "https" };
    let whole = format!("{scheme}://{text}");
    let is_host = host.contains('.') || host == "localhost";
    (is_host && url::Url::parse(&whole).is_ok_and(|url| url.username().is_empty())).then_some(whole)
}

/// Whether the text is a BCP 47 tag of registered parts (RFC 5646 section 2.2.9).
pub fn is_language_tag(text: &str) -> bool {
    LanguageTag::parse(text).is_ok_and(|tag| !tag.primary_language().is_empty() && tag.is_valid())
}

/// The address of a site without its trailing slash.
pub fn origin(text: &str) -> Result<String, String> {
    web_url(text)?;
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("{text:?} has more than a scheme, a host and a path"));
    }
    let file = url.path().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    if [".html", ".htm", ".php"].iter().any(|ending| file.ends_with(ending)) {
        return Err(format!("{text:?} names a file; leave {file} out"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Whether the host of a web address is an IP address that is not public, or a name of this machine or its network, such
/// as `localhost` (RFC 6761, 6762, 8375).
pub(crate) fn is_local(url: &str) -> bool {
    match url::Url::parse(url).as_ref().ok().and_then(url::Url::host) {
        Some(url::Host::Ipv4(address)) => !is_public(address.into()),
        Some(url::Host::Ipv6(address)) => !is_public(address.into()),
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let ends = [".localhost", ".local", ".internal", ".home.arpa"];
            !name.contains('.') || ends.iter().any(|end| name.ends_with(end))
        }
        None => false,
    }
}

/// Names that nobody has: those of the documentation, and reserved ones (RFC 2606, RFC 6761).
const EXAMPLES: [&str; 3] = ["example.com", "example.net", "example.org"];
const RESERVED: [&str; 3] = ["example", "invalid", "test"];
/// Parts of names that documentation has in place of the reader's own, without hyphens.
const STAND_INS: [&str; 9] = [
    "yourdomain",
    "yoursite",
    "yourname",
    "yourbusiness",
    "yourcompany",
    "mydomain",
    "ihredomain",
    "deinedomain",
    "meinedomain",
];

/// Whether a web address is of this machine or network, or has a reserved name: no reader has such an address.
#[must_use]
pub fn is_placeholder(url: &str) -> bool {
    is_local(url) || is_example(url) || has_host(url, |name| is_below(name, &RESERVED))
}

/// Whether a web address is an example of some documentation. Who writes a reserved one means it.
pub(crate) fn is_example(url: &str) -> bool {
    let is_stand_in = |part: &str| STAND_INS.contains(&&*part.replace('-', ""));
    has_host(url, |name| is_below(name, &EXAMPLES) || name.split('.').any(is_stand_in))
}

fn has_host(url: &str, is_meant: impl Fn(&str) -> bool) -> bool {
    url::Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(is_meant))
}

fn is_below(name: &str, known: &[&str]) -> bool {
    let before = |known: &&str| name.trim_end_matches('.').strip_suffix(known);
    known.iter().filter_map(before).any(|before| before.is_empty() || before.ends_with('.'))
}

/// Red, green and blue of a colour.
pub(crate) fn colour(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, colour @ ..] = number
        .ok_or_else(|| format!("must be a colour such as #0b6b5d, found {text:?}"))?
        .to_be_bytes();
    Ok(colour)
}
