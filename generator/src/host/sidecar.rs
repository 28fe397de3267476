use std::{fmt, str::FromStr};

use url::Url;

use super::{Host, HostError, Options};
use contract::manifest::Manifest;

/// Where a sidecar listens that was not told otherwise.
const LOCAL: &str = "http://127.0.0.1:8081";

/// Where a host reaches the sidecar: an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sidecar(Url);

/// Under which name requests are passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ForwardedHost {
    /// The one the client asked for: the sidecar is behind nothing but us.
    Client,
    /// The sidecar's own: whatever stands before it chooses by that name.
    Own(String),
}

impl Sidecar {
    /// `http` or `https`.
    pub(crate) fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// Name or address alone; IPv6 in brackets.
    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, whether it was written or not.
    pub(crate) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(80)
    }

    /// Host, and port where it was written.
    pub(crate) fn authority(&self) -> &str {
        self.0.authority()
    }

    /// A sidecar reached over TLS stands behind something that chooses by name; on plain HTTP it is
    /// the next machine.
    pub(crate) fn forwarded_host(&self) -> ForwardedHost {
        match self.scheme() {
            "https" => ForwardedHost::Own(self.authority().to_owned()),
            _ => ForwardedHost::Client,
        }
    }

    fn is_local(&self) -> bool {
        match self.0.host() {
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
            Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
            None => true,
        }
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
        match more || !url.username().is_empty() || url.password().is_some() {
            true => Err(refused("the sidecar's address is a scheme, a host and a port, no more")),
            false => Ok(Self(url)),
        }
    }
}

impl fmt::Display for Sidecar {
    /// Without a trailing slash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// The sidecar of a site on this host: as told, as published, or the one beside a server.
pub(super) fn resolve(
    host: Host,
    manifest: &Manifest,
    options: &Options,
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
        Some(sidecar) if !host.is_server() && sidecar.is_local() => {
            Err(HostError::SidecarLocal { host: host.name(), sidecar: sidecar.to_string() })
        }
        Some(sidecar) => Ok(Some(sidecar)),
        None if host.is_server() => Ok(LOCAL.parse().ok()),
        None => Err(HostError::SidecarUnknown(host.name())),
    }
}
