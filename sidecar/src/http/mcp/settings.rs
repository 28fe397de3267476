//! The configuration of the Model Context Protocol server.

use std::{path::PathBuf, time::Duration};

use super::hosts::{Authority, normal_origin};

/// The time that a message of an agent may take to arrive.
pub const MESSAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The settings of the Model Context Protocol server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpConfig {
    /// The file of the session keys, one a line: the first signs, all are accepted. Without one a
    /// key is made and kept in the state directory.
    pub session_keys: Option<PathBuf>,
    /// Host names that requests may have beside the site's own and loopback.
    pub hosts: Vec<String>,
    /// The origins whose pages may send requests; empty: all of them, under the site's own names.
    pub origins: Vec<String>,
    /// The time that a message may take to arrive; by default [`MESSAGE_TIMEOUT`].
    pub body_timeout: Duration,
}

impl Default for McpConfig {
    fn default() -> Self {
        Self {
            session_keys: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            body_timeout: MESSAGE_TIMEOUT,
        }
    }
}

impl McpConfig {
    /// Refuses names that no request could have.
    ///
    /// # Errors
    /// At the first one.
    pub fn check(&self) -> Result<(), BadName> {
        if let Some(host) = self.hosts.iter().find(|host| Authority::parse(host).is_none()) {
            return Err(BadName::Host(host.clone()));
        }
        match self.origins.iter().find(|origin| normal_origin(origin).is_none()) {
            Some(origin) => Err(BadName::Origin(origin.clone())),
            None => Ok(()),
        }
    }
}

/// A name that no request could have.
#[derive(Debug, thiserror::Error)]
pub enum BadName {
    /// A host name that no request can have.
    #[error("--mcp-hosts: {0:?} is not a host name: write it without scheme, port and path")]
    Host(String),
    /// An origin that no page can have.
    #[error("--mcp-origins: {0:?} is not an origin: write it as https://host or https://host:port")]
    Origin(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_never_match_are_refused() {
        let check = |host: &str, origin: &str| {
            let mut config = McpConfig::default();
            config.hosts.push(host.into());
            config.origins.push(origin.into());
            config.check().map_err(|error| error.to_string())
        };
        assert_eq!(check("shop.example", "https://claude.ai"), Ok(()));
        assert_eq!(
            check("https://shop.example", "https://claude.ai").unwrap_err(),
            "--mcp-hosts: \"https://shop.example\" is not a host name: write it without scheme, port \
             and path"
        );
        assert_eq!(
            check("shop.example", "claude.ai").unwrap_err(),
            "--mcp-origins: \"claude.ai\" is not an origin: write it as https://host or \
             https://host:port"
        );
    }
}
