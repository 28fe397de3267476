//! Checks the Host and the Origin of a request (docs/mcp.md, "Hosts and origins").
//!
//! A page of another site can make a browser send requests to a server on the user's own machine under a name that the
//! page's owner controls (DNS rebinding). Therefore only known names are accepted.

use actix_web::{
    HttpRequest,
    http::{
        StatusCode,
        header::{HOST, ORIGIN},
    },
};
use contract::manifest::Manifest;
use url::{Host, Url};

use super::{headers::single, text::quoted};
use crate::{
    http::refusal::{RpcRefusal, TRANSPORT},
    sites::site::Site,
};

/// Maximum bytes of a host: a name of RFC 1035 whose every letter is percent-encoded, and the root's dot. The time to
/// decode the labels of an international name grows faster than their length.
const MAX_HOST: usize = 3 * 253 + 1;

/// The names that the operator allows beside the site's own.
#[derive(Debug)]
pub(super) struct Policy {
    hosts: Vec<Authority>,
    /// The origins whose pages may send requests; empty: all of them, to the site's own names.
    origins: Vec<String>,
}

/// A host without its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority(Host<String>);

impl Authority {
    /// Parses a bare host name or address; IPv6 in brackets.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // What else an authority may have is not part of a host.
        if text.contains(['/', '@', '?', '#', '\\']) || text.is_empty() || text.len() > MAX_HOST {
            return None;
        }
        Host::parse(text.trim_end_matches('.')).ok().map(Self)
    }

    /// Parses `host` or `host:port`.
    fn of_field(text: &str) -> Option<Self> {
        let port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        match text.rsplit_once(':') {
            Some((host, number)) if port(number) => Self::parse(host),
            _ => Self::parse(text),
        }
    }

    fn of_url(url: &str) -> Option<Self> {
        Url::parse(url).ok()?.host().map(|host| Self(host.to_owned()))
    }

    fn is_loopback(&self) -> bool {
        match &self.0 {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        }
    }
}

impl Policy {
    pub(super) fn new(hosts: &[String], origins: &[String]) -> Self {
        let hosts = hosts.iter().filter_map(|host| Authority::parse(host)).collect();
        let origins = origins.iter().filter_map(|origin| normal_origin(origin)).collect();
        Self { hosts, origins }
    }

    /// Refuses a request to a name that is not this site's, or of a page that may not send it.
    pub(super) fn check(
        &self,
        request: &HttpRequest,
        site: &Site,
        manifest: &Manifest,
    ) -> Result<(), RpcRefusal> {
        let requested = requested_host(request)?;
        let host = Authority::of_field(requested);
        let own = manifest.sidecar.as_ref().and_then(|sidecar| sidecar.url.as_deref());
        let own_hosts = [Some(manifest.base_url.as_str()), own];
        let own_hosts = own_hosts.into_iter().flatten().filter_map(Authority::of_url);
        let loopback = host.as_ref().is_some_and(Authority::is_loopback);
        // A list of sites says under which names each is served.
        let known = |host: &Authority| {
            !site.is_only()
                || self.hosts.contains(host)
                || own_hosts.clone().any(|own| own == *host)
        };
        if !loopback && !host.as_ref().is_some_and(known) {
            return Err(forbidden(format!(
                "The Host {} is not allowed. To allow it, add it to --mcp-hosts (CANDOR_MCP_HOSTS).",
                quoted(requested)
            )));
        }
        self.check_origin(request, loopback)
    }

    fn check_origin(&self, request: &HttpRequest, loopback: bool) -> Result<(), RpcRefusal> {
        let Some(origin) = single(request.headers(), ORIGIN.as_str())? else { return Ok(()) };
        let allowed = if origin.len() > MAX_HOST {
            false
        } else if loopback {
            let host = Url::parse(origin).ok().filter(|url| url.origin().is_tuple());
            host.and_then(|url| Authority::of_url(url.as_str()))
                .is_some_and(|host| host.is_loopback())
        } else {
            self.origins.is_empty()
                || normal_origin(origin).is_some_and(|origin| self.origins.contains(&origin))
        };
        let shown = quoted(origin);
        match (allowed, loopback) {
            (true, _) => Ok(()),
            (false, true) => Err(forbidden(format!(
                "The Origin {shown} is not allowed with a loopback Host: use the site's own name. A proxy must pass the Host header through."
            ))),
            (false, false) => Err(forbidden(format!(
                "The Origin {shown} is not allowed. If it should be, add it to --mcp-origins \
                 (CANDOR_MCP_ORIGINS)."
            ))),
        }
    }
}

/// Returns the host of a request: that of its target if it is absolute (RFC 9112 section 3.2.2).
fn requested_host(request: &HttpRequest) -> Result<&str, RpcRefusal> {
    if let Some(authority) = request.uri().authority() {
        return Ok(authority.as_str());
    }
    let bad = || RpcRefusal::bad(TRANSPORT, "A request needs one Host field.");
    single(request.headers(), HOST.as_str())?.ok_or_else(bad)
}

/// Returns an origin, `scheme://host[:port]`, in its one spelling.
pub(crate) fn normal_origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let origin = url.origin();
    (bare && origin.is_tuple()).then(|| origin.ascii_serialization())
}

fn forbidden(message: String) -> RpcRefusal {
    RpcRefusal::new(StatusCode::FORBIDDEN, TRANSPORT, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_whatever_its_port_and_spelling() {
        let parse = |text| Authority::of_field(text);
        assert_eq!(parse("Shop.Example:443"), parse("shop.example"));
        assert_eq!(parse("shop.example."), parse("shop.example"));
        assert_eq!(parse("[::1]:8080"), parse("[0:0::1]"));
        for bad in ["", ":80", "a/b", "user@shop.example", "a b", "[::1", "https://shop.example"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn loopback_is_this_machine_and_no_name_that_looks_like_it() {
        for (host, loopback) in [
            ("localhost:3000", true),
            ("LOCALHOST", true),
            ("127.0.0.1", true),
            ("127.9.9.9:80", true),
            ("[::1]:8080", true),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("10.0.0.1", false),
            ("0.0.0.0", false),
            ("[::ffff:10.0.0.1]", false),
        ] {
            let found = Authority::of_field(host).is_some_and(|host| host.is_loopback());
            assert_eq!(found, loopback, "{host}");
        }
    }

    #[test]
    fn origins_have_one_spelling() {
        assert_eq!(normal_origin("HTTPS://A.example:443/"), Some("https://a.example".into()));
        for bad in ["null", "a.example", "https://a.example/x", "file:///x", "data:x"] {
            assert_eq!(normal_origin(bad), None, "{bad}");
        }
    }
}
