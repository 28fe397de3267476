//! The credentials of the Business Profile APIs, and the addresses they are sent to.

use std::fmt;

use url::Url;

use crate::{error::ImportError, source::is_safe};

/// Variable with the client id of an OAuth client.
pub(super) const CLIENT_ID: &str = "CANDOR_GOOGLE_CLIENT_ID";
/// Variable with the secret of that client.
pub(super) const CLIENT_SECRET: &str = "CANDOR_GOOGLE_CLIENT_SECRET";
/// Variable with a refresh token of the profile's owner or manager, issued for that client.
pub(super) const REFRESH_TOKEN: &str = "CANDOR_GOOGLE_REFRESH_TOKEN";
/// Variable with the address of a server that replaces Google's, for tests.
const BASE: &str = "CANDOR_GOOGLE_BASE_URL";

/// The credentials with which Google's OAuth 2.0 token endpoint issues an access token (RFC 6749, section 6).
#[derive(Clone)]
pub struct GoogleAccess {
    pub(super) client_id: String,
    pub(super) client_secret: String,
    pub(super) refresh_token: String,
    /// The server in place of Google's.
    base: Option<Url>,
}

impl fmt::Debug for GoogleAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleAccess").finish_non_exhaustive()
    }
}

impl GoogleAccess {
    /// Takes the credentials from the environment, as `variable` returns it.
    ///
    /// # Errors
    /// Names the variables that are not set.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ImportError> {
        let value = |name: &str| variable(name).map(|value| value.trim().to_owned());
        let missing: Vec<&str> = [CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN]
            .into_iter()
            .filter(|name| value(name).is_none_or(|value| value.is_empty()))
            .collect();
        if !missing.is_empty() {
            return Err(ImportError::Setting(format!(
                "candor import google needs {} in the environment; candor help import-google says how to create them (a folder of this name is ./google)",
                missing.join(", ")
            )));
        }
        let base = value(BASE).map(|text| match Url::parse(&text) {
            Ok(base) if is_safe(&base) && base.has_host() => Ok(base),
            _ => Err(ImportError::Setting(format!(
                "{BASE} must be an https address (http on this machine only)"
            ))),
        });
        Ok(Self {
            client_id: value(CLIENT_ID).unwrap_or_default(),
            client_secret: value(CLIENT_SECRET).unwrap_or_default(),
            refresh_token: value(REFRESH_TOKEN).unwrap_or_default(),
            base: base.transpose()?,
        })
    }

    /// An address of Google's, at the server that replaces it if there is one.
    pub(super) fn url(&self, address: &str) -> Result<Url, ImportError> {
        let mut url = Url::parse(address).map_err(ImportError::internal)?;
        if let Some(base) = &self.base {
            let moved = url.set_scheme(base.scheme()).is_ok()
                && url.set_host(base.host_str()).is_ok()
                && url.set_port(base.port()).is_ok();
            if !moved {
                return Err(ImportError::internal(format!("{address} has no place at {base}")));
            }
        }
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_has_no_credentials() {
        let access = GoogleAccess::read(|name| Some(format!("http://localhost/{name}"))).unwrap();
        assert_eq!(format!("{access:?}"), "GoogleAccess { .. }");
    }

    #[test]
    fn credentials_go_to_google_unless_a_server_stands_in() {
        let of = |base: Option<&str>| {
            GoogleAccess::read(|name| match name {
                BASE => base.map(str::to_owned),
                _ => Some("x".to_owned()),
            })
        };
        let url = |base| of(base).unwrap().url("https://oauth2.googleapis.com/token").unwrap();
        assert_eq!(url(None).as_str(), "https://oauth2.googleapis.com/token");
        assert_eq!(url(Some("http://127.0.0.1:81")).as_str(), "http://127.0.0.1:81/token");
        for bad in ["http://google.example", "ftp://localhost", "localhost:80", "unix:/a", ""] {
            let said = of(Some(bad)).unwrap_err().to_string();
            assert!(said.starts_with("CANDOR_GOOGLE_BASE_URL must be an https address"), "{bad}");
        }
    }
}
