//! The identity of a site's MCP server.

use url::{Host, Url};

use crate::{api::VERSION, routes};

/// Maximum length of a description in characters (MCP registry, `server.json`).
const MAX_DESCRIPTION: usize = 100;

/// The identity of a site's server, the same in its handshake, its server card and the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name in reverse-DNS form, such as `com.example.reviews/reviews`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The version of the interface ([`VERSION`]).
    pub version: &'static str,
    /// The description, at most 100 characters.
    pub description: String,
    /// The address of the site.
    pub website_url: String,
    /// The host of the site's address.
    pub host: String,
}

impl Identity {
    /// The identity for the site at `base_url` and the business of this name.
    #[must_use]
    pub fn new(base_url: &str, business: &str) -> Self {
        let url = Url::parse(base_url).ok();
        let host = url.as_ref().and_then(Url::host);
        Self {
            name: format!("{}/reviews", host.as_ref().map_or_else(String::new, reversed)),
            title: shortened(&format!("Reviews of {business}")),
            version: VERSION,
            description: shortened(&format!("All published reviews of {business}.")),
            website_url: format!("{base_url}/"),
            host: host.map_or_else(String::new, |host| host.to_string()),
        }
    }

    /// The URL of the server. `own` is the sidecar's own address, if it has one.
    #[must_use]
    pub fn endpoint(base_url: &str, own: Option<&str>) -> String {
        format!("{}{}", own.unwrap_or(base_url).trim_end_matches('/'), routes::MCP)
    }
}

/// `reviews.example.com` as `com.example.reviews`. An IP address has no hierarchy and is not
/// changed.
fn reversed<S: AsRef<str>>(host: &Host<S>) -> String {
    match host {
        Host::Domain(name) => {
            let labels: Vec<_> = name.as_ref().trim_matches('.').rsplit('.').collect();
            labels.join(".")
        }
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string().replace(':', "-"),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_DESCRIPTION) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MAX_DESCRIPTION - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_begins_with_the_domain_backwards() {
        for (base_url, name) in [
            ("https://reviews.example.com", "com.example.reviews/reviews"),
            ("https://shop.example/sub", "example.shop/reviews"),
            ("http://127.0.0.1:8080", "127.0.0.1/reviews"),
            ("http://[::1]:8080", "--1/reviews"),
        ] {
            assert_eq!(Identity::new(base_url, "A").name, name);
        }
    }

    #[test]
    fn a_description_fits_the_registry() {
        let identity = Identity::new("https://x.example", &"é".repeat(200));
        assert_eq!(identity.description.chars().count(), MAX_DESCRIPTION);
        assert!(identity.description.ends_with("é…"));
    }

    #[test]
    fn the_endpoint_is_the_sidecars_own_where_it_has_one() {
        let at = |own| Identity::endpoint("https://x.example", own);
        assert_eq!(at(None), "https://x.example/mcp");
        assert_eq!(at(Some("https://api.x.example/")), "https://api.x.example/mcp");
    }
}
