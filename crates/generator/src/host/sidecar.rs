//! The address at which a host reaches the sidecar.

use std::{fmt, str::FromStr};

use serde::Serialize;
use url::Url;

use super::{Host, HostError, HostOptions};
use contract::manifest::Manifest;

/// The default address of a sidecar.
const LOCAL: &str = "http://127.0.0.1:8081";

/// The address at which a host reaches the sidecar: an origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sidecar {
    /// The origin, without a trailing slash.
    url: String,
    /// The scheme, `http` or `https`.
    pub(super) scheme: String,
    /// The name or address alone; IPv6 in brackets.
    pub(super) host: String,
    /// The port, whether it is in the address or not.
    port: u16,
    /// The host, with the port if the address has one.
    authority: String,
    /// Whether requests have the sidecar's own name as Host, not the client's. A sidecar reached over TLS is behind a
    /// server that selects by name; on plain HTTP it is the next machine.
    own_host: bool,
    /// Whether only this machine reaches it.
    #[serde(skip)]
    is_local: bool,
}

impl Sidecar {
    /// The origin, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl FromStr for Sidecar {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = |why: &str| format!("{why}; write it as https://sidecar.example or {LOCAL}");
        let url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("only http and https reach a sidecar"));
        }
        let more = url.path() != "/" || url.query().is_some() || url.fragment().is_some();
        if more || !url.username().is_empty() || url.password().is_some() {
            return Err(refused("the sidecar's address is a scheme, a host and a port, no more"));
        }
        Ok(Self {
            url: url.as_str().trim_end_matches('/').to_owned(),
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or(80),
            authority: url.authority().to_owned(),
            own_host: url.scheme() == "https",
            is_local: is_local(&url),
        })
    }
}

impl fmt::Display for Sidecar {
    /// Writes the origin without a trailing slash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        None => true,
    }
}

/// Returns the sidecar of a site on this host: of the options, of the manifest, or the one next to a server.
pub(super) fn resolve(
    host: Host,
    manifest: &Manifest,
    options: &HostOptions,
) -> Result<Option<Sidecar>, HostError> {
    let Some(address) = &manifest.sidecar else {
        return match options.sidecar {
            Some(_) => Err(HostError::NoSidecar),
            None => Ok(None),
        };
    };
    if !host.passes_on() {
        return match options.sidecar {
            Some(_) => Err(HostError::NoProxy(host.name())),
            None => Ok(None),
        };
    }
    let published = || address.url.as_ref().and_then(|url| url.parse().ok());
    let known: Option<Sidecar> = options.sidecar.clone().or_else(published);
    match known {
        Some(sidecar) if !host.is_server() && sidecar.is_local => {
            Err(HostError::SidecarLocal { host: host.name(), sidecar: sidecar.to_string() })
        }
        Some(sidecar) => Ok(Some(sidecar)),
        None if host.is_server() => Ok(LOCAL.parse().ok()),
        None => Err(HostError::SidecarUnknown(host.name())),
    }
}
