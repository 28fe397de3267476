//! Requests to Google's APIs: access tokens and errors.

use std::io::Read;

use serde::{Deserialize, de::DeserializeOwned};
use ureq::{Body, http::Response};
use url::Url;

use super::{
    SHOWN,
    access::{CLIENT_ID, CLIENT_SECRET, GoogleAccess, REFRESH_TOKEN},
};
use crate::{
    error::ImportError,
    source::fetch::{MAX_PAGE, RESPONSE_TIMEOUT},
};
use system::download::{
    agent, body, explain,
    polite::{MAX_WAIT, PoliteClient, RETRIES, Unanswered, is_busy, quoted, without_secrets},
    retry_after,
};

/// The address that issues access tokens.
const TOKEN: &str = "https://oauth2.googleapis.com/token";
/// Largest error that is read: 64 KiB.
const MAX_ERROR: u64 = 64 << 10;

/// Sends requests with an access token and renews the token when it expires.
pub(super) struct Client<'a> {
    access: &'a GoogleAccess,
    client: PoliteClient<&'a dyn Fn() -> bool>,
    token: String,
}

impl<'a> Client<'a> {
    /// A client with a new access token.
    pub(super) fn connect(
        access: &'a GoogleAccess,
        is_interrupted: &'a dyn Fn() -> bool,
    ) -> Result<Self, ImportError> {
        let agent = agent(&access.url(TOKEN)?, 0, RESPONSE_TIMEOUT);
        let client = PoliteClient::new(agent, is_interrupted);
        let mut client = Self { access, client, token: String::new() };
        client.renew()?;
        Ok(client)
    }

    /// The body of a successful answer.
    pub(super) fn get(&mut self, url: &Url) -> Result<Box<dyn Read>, ImportError> {
        let mut is_renewed = false;
        loop {
            let authorization = format!("Bearer {}", self.token);
            let response = self.send(&|agent| {
                agent.get(url.as_str()).header("Authorization", &authorization).call()
            })?;
            match response.status().as_u16() {
                200..=299 => {
                    let body = body(response, MAX_PAGE);
                    return Ok(Box::new(body.map_err(|error| self.error(&error.to_string()))?));
                }
                401 if !is_renewed => {
                    is_renewed = true;
                    drop(response);
                    self.renew()?;
                }
                _ => return Err(self.refused(response)),
            }
        }
    }

    /// Exchanges the refresh token for an access token.
    fn renew(&mut self) -> Result<(), ImportError> {
        let access = self.access;
        let url = access.url(TOKEN)?;
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", access.client_id.as_str()),
            ("client_secret", access.client_secret.as_str()),
            ("refresh_token", access.refresh_token.as_str()),
        ];
        let response = self.send(&|agent| agent.post(url.as_str()).send_form(form))?;
        let status = response.status();
        if status.is_success() {
            let answer: TokenAnswer = read(response).ok_or_else(|| {
                self.error("the answer to the refresh token holds no access token")
            })?;
            self.token = answer.access_token;
            return Ok(());
        }
        match status.as_u16() {
            400 | 401 => Err(self.refused_token(response)),
            _ => Err(self.refused(response)),
        }
    }

    /// Explains why there is no access token, and what to do.
    fn refused_token(&self, response: Response<Body>) -> ImportError {
        let status = response.status();
        let TokenError { error, error_description } = read(response).unwrap_or_default();
        self.error(&match error.as_str() {
            "invalid_grant" => format!(
                "the refresh token was revoked or has expired (invalid_grant); create a new one as candor help import-google says and put it into {REFRESH_TOKEN}; if it lasted seven days, publish the consent screen, because tokens of one in testing expire after seven days"
            ),
            "invalid_client" | "unauthorized_client" => format!(
                "Google does not know the client ({error}); compare {CLIENT_ID} and {CLIENT_SECRET} with the client in the Google Cloud console, and use the client for which the refresh token was created"
            ),
            _ => {
                let said = quoted(&format!("{error} {error_description}"), self.secrets());
                format!("the answer to the refresh token is {status}: {said}")
            }
        })
    }

    fn send(
        &self,
        request: &dyn Fn(&ureq::Agent) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, ImportError> {
        self.client.send(request).map_err(|why| match why {
            Unanswered::Stopped => ImportError::Interrupted,
            Unanswered::Failed(error) => self.error(&explain(&error)),
        })
    }

    /// Explains a response without success, and what to do.
    fn refused(&self, response: Response<Body>) -> ImportError {
        #[derive(Default, Deserialize)]
        struct Refusal {
            error: Reason,
        }
        #[derive(Default, Deserialize)]
        struct Reason {
            message: String,
        }
        let status = response.status();
        let wait = retry_after(&response).filter(|wait| *wait > MAX_WAIT);
        let said = read(response).map_or(String::new(), |Refusal { error }| {
            format!(": {}", quoted(&error.message, self.secrets()))
        });
        let retries = match wait {
            Some(wait) => format!(", and Google asks to wait {} s", wait.as_secs()),
            None => format!(", also after {RETRIES} retries"),
        };
        let help = match status.as_u16() {
            401 => {
                "; the access token was new; create the refresh token again as candor help import-google says"
            }
            403 => {
                "; look whether the project has access to the Business Profile APIs and has them enabled, and whether the account owns or manages the profile"
            }
            429 => {
                "; try again later; a project whose access to the Business Profile APIs was not approved has a quota of 0"
            }
            500.. => "; try again later",
            _ => "",
        };
        let retries = if is_busy(status) { retries } else { String::new() };
        self.error(&format!("the answer is {status}{retries}{said}{help}"))
    }

    /// An error of this text.
    fn error(&self, text: &str) -> ImportError {
        ImportError::Read(SHOWN.to_owned(), without_secrets(text, self.secrets()))
    }

    /// The credentials that an answer may quote.
    fn secrets(&self) -> [&str; 3] {
        [&self.access.client_secret, &self.access.refresh_token, &self.token]
    }
}

/// The answer to a refresh token (RFC 6749, section 5.1).
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
}

/// The refusal of one (RFC 6749, section 5.2).
#[derive(Default, Deserialize)]
#[serde(default)]
struct TokenError {
    error: String,
    error_description: String,
}

/// A small answer; `None` for one of another form.
fn read<T: DeserializeOwned>(response: Response<Body>) -> Option<T> {
    let mut bytes = Vec::new();
    body(response, MAX_ERROR).ok()?.read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
