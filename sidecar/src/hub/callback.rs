//! The callback of a subscription: the rules of its syntax, and the equality of two callbacks.

use url::{Host, Url};

/// Maximum bytes of a callback.
pub(crate) const MAX_CALLBACK: usize = 2048;

/// The first port that is not one of well-known services (RFC 6335, section 6): a request to one of those is a message
/// to a mail server, a name server or a shell.
const FIRST_FREE_PORT: u16 = 1024;

/// The URL to which deliveries are posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Callback {
    /// The URL that is requested, with its query.
    pub(crate) url: String,
    /// The normal form: equal for two spellings of one URL.
    pub(crate) key: String,
    /// The name of the host, by which limits count.
    pub(crate) host: String,
}

/// The reason why a callback is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadCallback {
    #[error("hub.callback is longer than {MAX_CALLBACK} bytes")]
    TooLong,
    #[error("hub.callback is not a URL ({0})")]
    Syntax(url::ParseError),
    #[error("hub.callback must be an https URL: deliveries are not sent in the clear")]
    NotHttps,
    #[error("hub.callback must not hold a user name or password")]
    UserInfo,
    #[error("hub.callback must name its host: IP addresses are not called")]
    IpAddress,
    #[error("hub.callback must not have a fragment")]
    Fragment,
    #[error("hub.callback must name no port, 443, or one from {FIRST_FREE_PORT} to 65535")]
    Port,
}

impl Callback {
    /// Reads a callback. Its host is resolved when the subscription is verified. `ports` are
    /// permitted by the operator.
    ///
    /// # Errors
    /// When it is not an `https` URL with a host name and a permitted port. The parser follows the WHATWG URL standard,
    /// which reads `0x7f.1` and `2130706433` as IP addresses.
    pub(crate) fn parse(text: &str, ports: &[u16]) -> Result<Self, BadCallback> {
        if text.len() > MAX_CALLBACK {
            return Err(BadCallback::TooLong);
        }
        let url = Url::parse(text).map_err(BadCallback::Syntax)?;
        if url.scheme() != "https" {
            return Err(BadCallback::NotHttps);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadCallback::UserInfo);
        }
        let Some(Host::Domain(host)) = url.host() else { return Err(BadCallback::IpAddress) };
        if url.fragment().is_some() {
            return Err(BadCallback::Fragment);
        }
        // The standard port is not part of a parsed URL.
        if url.port().is_some_and(|port| port < FIRST_FREE_PORT && !ports.contains(&port)) {
            return Err(BadCallback::Port);
        }
        if url.as_str().len() > MAX_CALLBACK {
            return Err(BadCallback::TooLong);
        }
        // One host may be written with and without the root's dot.
        let host = host.trim_end_matches('.').to_owned();
        Ok(Self { key: canonical(url.as_str()), url: url.into(), host })
    }

    /// Appends these parameters to those of the callback (WebSub §5.1.1).
    pub(crate) fn with_parameters(url: &str, parameters: &[(&str, &str)]) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let joint = if !url.contains('?') {
            "?"
        } else if url.ends_with(['?', '&']) {
            ""
        } else {
            "&"
        };
        format!("{url}{joint}{}", query.finish())
    }
}

/// Returns the registered domain of a host, such as `example.co.uk` of `a.b.example.co.uk` (the Public Suffix List):
/// its owner may make any number of names below it. A host that has none, such as `localhost`, is its own.
pub(crate) fn registrable_domain(host: &str) -> &str {
    psl::domain_str(host).unwrap_or(host)
}

/// Returns one spelling of a URL; a text that is not a URL stays as it is.
pub(crate) fn normal(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), |url| canonical(url.as_str()))
}

/// Percent-decodes characters that need not be encoded, and writes the remaining escapes in one way (WebSub §5.1.1, RFC
/// 3986 section 6.2.2): equal for two spellings of one URL.
fn canonical(url: &str) -> String {
    let mut decoded = String::with_capacity(url.len());
    let mut rest = url;
    while let Some(at) = rest.find('%') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let escape = rest.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escape.filter(|_| rest.as_bytes()[1..3].iter().all(u8::is_ascii_hexdigit)) {
            Some(byte) => {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    decoded.push(char::from(byte))
                } else {
                    decoded.push_str(&rest[..3].to_ascii_uppercase())
                }
                rest = &rest[3..];
            }
            None => {
                decoded.push('%');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Callback::parse(text, &[]).unwrap_err().to_string()
    }

    #[test]
    fn only_https_urls_with_a_named_host_are_called() {
        let http = "hub.callback must be an https URL: deliveries are not sent in the clear";
        let address = "hub.callback must name its host: IP addresses are not called";
        let user = "hub.callback must not hold a user name or password";
        for (text, reason) in [
            ("http://a.example/", http),
            ("ftp://a.example/", http),
            ("javascript:alert(1)", http),
            ("https://127.0.0.1/", address),
            ("https://127.1/", address),
            ("https://0x7f.1/", address),
            ("https://2130706433/", address),
            ("https://1.2.3.4./", address),
            ("https://[::1]/", address),
            ("https://[::ffff:127.0.0.1]:8443/", address),
            ("https://u@a.example/", user),
            ("https://u:p@a.example/", user),
            ("https://:p@a.example/", user),
            ("https://a.example/#f", "hub.callback must not have a fragment"),
            ("https://a.example/#", "hub.callback must not have a fragment"),
            ("", "hub.callback is not a URL (relative URL without a base)"),
            ("https://", "hub.callback is not a URL (empty host)"),
            ("https://a b/", "hub.callback is not a URL (invalid international domain name)"),
        ] {
            assert_eq!(refused(text), reason, "{text}");
        }
    }

    #[test]
    fn ports_of_well_known_services_are_called_only_if_listed() {
        for port in [0, 22, 25, 53, 80, 442, 1023] {
            let url = format!("https://a.example:{port}/");
            let reason = "hub.callback must name no port, 443, or one from 1024 to 65535";
            assert_eq!(refused(&url), reason);
            assert!(Callback::parse(&url, &[port]).is_ok(), "{port}");
        }
        for port in [443, 1024, 8443, 65535] {
            assert!(Callback::parse(&format!("https://a.example:{port}/"), &[]).is_ok(), "{port}");
        }
    }

    #[test]
    fn a_callback_has_at_most_2048_bytes() {
        let of = |length: usize| format!("https://a.example/{}", "x".repeat(length - 18));
        assert!(Callback::parse(&of(2048), &[]).is_ok());
        assert_eq!(refused(&of(2049)), "hub.callback is longer than 2048 bytes");
        let grows = format!("https://a.example/{}", "ü".repeat(1000));
        assert_eq!(refused(&grows), "hub.callback is longer than 2048 bytes");
    }

    #[test]
    fn spellings_of_one_url_have_one_key() {
        let key = |text: &str| Callback::parse(text, &[]).unwrap().key;
        let plain = key("https://a.example/~x?q=%2F");
        for same in [
            "https://A.example:443/%7Ex?q=%2f",
            "https://a.example/%7ex?q=%2F",
            "https://a.example/b/../~%78?q=%2f",
        ] {
            assert_eq!(key(same), plain, "{same}");
        }
        for other in ["https://a.example/~x?q=/", "https://a.example:8443/~x?q=%2F"] {
            assert_ne!(key(other), plain, "{other}");
        }
        assert_eq!(canonical("%zz%4%é%"), "%zz%4%é%");
        assert_eq!(canonical("%+1%e2%82%ac"), "%+1%E2%82%AC");
    }

    #[test]
    fn limits_count_a_host_whatever_its_port_or_dot() {
        let host = |text: &str| Callback::parse(text, &[]).unwrap().host;
        assert_eq!(host("https://A.example:8443/"), "a.example");
        assert_eq!(host("https://a.example./"), "a.example");
    }

    #[test]
    fn names_below_one_registrable_domain_share_it() {
        for (host, domain) in [
            ("a.b.example.com", "example.com"),
            ("example.com", "example.com"),
            ("shop.example.co.uk", "example.co.uk"),
            ("me.github.io", "me.github.io"),
            ("x.me.github.io", "me.github.io"),
            ("a.s.test", "s.test"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(registrable_domain(host), domain);
        }
    }

    #[test]
    fn the_callbacks_own_query_is_kept_and_nothing_is_overwritten() {
        let with = |url: &str| Callback::with_parameters(url, &[("hub.mode", "a b"), ("x", "&")]);
        assert_eq!(with("https://a/"), "https://a/?hub.mode=a+b&x=%26");
        assert_eq!(with("https://a/?"), "https://a/?hub.mode=a+b&x=%26");
        assert_eq!(
            with("https://a/?x=1&hub.mode=z"),
            "https://a/?x=1&hub.mode=z&hub.mode=a+b&x=%26"
        );
    }
}
