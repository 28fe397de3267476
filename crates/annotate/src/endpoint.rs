//! Sends requests to an OpenAI-compatible chat endpoint, politely.

use std::{
    fmt,
    io::Read,
    str::FromStr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use ureq::{Agent, Body, http::Response};
use url::Url;

use super::{
    answer::Fault,
    chat::{self, Reply},
    prompt::Form,
};
use system::download::{
    agent, explain, is_loopback,
    polite::{PoliteClient, Unanswered, quoted, without_secrets},
};

/// The variable with the key of the endpoint.
pub const KEY_VARIABLE: &str = "CANDOR_ANNOTATE_KEY";
/// Largest response that is read: 4 MiB. An answer about a few reviews has some KiB.
const MAX_RESPONSE: u64 = 4 << 20;

/// The address of an interface, such as `http://localhost:11434/v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut url = Url::parse(text).ok().filter(|url| {
            let has_secret = !url.username().is_empty() || url.password().is_some();
            matches!(url.scheme(), "http" | "https") && url.has_host() && !has_secret
        });
        if let Some(url) = &mut url
            && !url.path().ends_with("/chat/completions")
        {
            let path = format!("{}/chat/completions", url.path().trim_end_matches('/'));
            url.set_path(&path);
        }
        url.map(Self).ok_or_else(|| {
            "must be the base address of an OpenAI-compatible interface, such as http://localhost:11434/v1".to_owned()
        })
    }
}

/// Writes the address without a query, which may contain a key.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.0.clone();
        url.set_query(None);
        url.fmt(f)
    }
}

impl Address {
    /// Whether a key may be sent there: over https, or to this machine.
    pub fn is_safe(&self) -> bool {
        self.0.scheme() == "https" || is_loopback(&self.0)
    }

    /// Whether it is expected to ask for a key: public interfaces speak https.
    pub fn wants_key(&self) -> bool {
        self.0.scheme() == "https" && !is_loopback(&self.0)
    }
}

/// The reason why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// This request has no reply.
    Request(Fault),
    /// No request will have one; the reason and the remedy.
    Run(String),
    /// The run was interrupted or its time is over.
    Stopped,
}

/// Sends requests to one address, for any number of threads.
pub(crate) struct Endpoint<'a> {
    client: PoliteClient<&'a (dyn Fn() -> bool + Sync)>,
    address: Address,
    key: Option<String>,
    timeout: Duration,
    /// The form that the server accepts.
    form: Mutex<Form>,
}

impl<'a> Endpoint<'a> {
    /// `timeout` is that of one request and its whole response. `stop` tells that nothing is to be sent
    /// any more.
    pub(crate) fn new(
        address: Address,
        key: Option<String>,
        timeout: Duration,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let client = PoliteClient::new(agent(&address.0, 0, timeout), stop);
        Self { client, address, key, timeout, form: Mutex::default() }
    }

    /// Sends a request. `body` writes it.
    pub(crate) fn ask(&self, body: &dyn Fn(Form) -> Value) -> Result<Reply, Refusal> {
        let mut form = *lock(&self.form);
        loop {
            let response = self.send(&body(form).to_string())?;
            let status = response.status().as_u16();
            match status {
                200..=299 => {
                    let mut accepted = lock(&self.form);
                    *accepted = form.max(*accepted);
                    drop(accepted);
                    return self.read(response);
                }
                400 | 413 | 422 => match form.simpler() {
                    Some(simpler) if status != 413 => form = simpler,
                    // This request may be too long.
                    _ => return Err(no_answer(self.complaint(response))),
                },
                500.. => return Err(no_answer(format!("the answer is {}", response.status()))),
                _ => return Err(self.refused(response)),
            }
        }
    }

    fn send(&self, body: &str) -> Result<Response<Body>, Refusal> {
        let request = |agent: &Agent| {
            let request = agent.post(self.address.0.as_str());
            let mut request = request
                .config()
                .timeout_global(Some(self.timeout))
                .build()
                .header("Content-Type", "application/json");
            if let Some(key) = &self.key {
                request = request.header("Authorization", format!("Bearer {key}"));
            }
            request.send(body)
        };
        self.client.send(&request).map_err(|why| match why {
            Unanswered::Stopped => Refusal::Stopped,
            Unanswered::Failed(error) => self.failed(&explain(&error)),
        })
    }

    fn read(&self, response: Response<Body>) -> Result<Reply, Refusal> {
        let bytes =
            bytes(response, MAX_RESPONSE).map_err(|error| self.failed(&error.to_string()))?;
        chat::read(&bytes).map_err(Refusal::Request)
    }

    /// A refusal that all requests would get, and what to do.
    fn refused(&self, response: Response<Body>) -> Refusal {
        let help = match response.status().as_u16() {
            300..=399 => "; name the final address as --endpoint",
            401 | 403 => {
                "; look whether the key in CANDOR_ANNOTATE_KEY is right and may use the model"
            }
            404 => "; look whether --endpoint and --model are right",
            429 => "; try again later: what was recorded is not asked again",
            _ => "",
        };
        Refusal::Run(format!("{}{help}", self.complaint(response)))
    }

    /// Describes a response without success, with the server's own words.
    fn complaint(&self, response: Response<Body>) -> String {
        let status = response.status();
        let body = bytes(response, MAX_RESPONSE).unwrap_or_default();
        let value: Value = serde_json::from_slice(&body).unwrap_or_default();
        let said = value.pointer("/error/message").or(value.get("error"));
        let said = said.and_then(Value::as_str);
        let said = said.map_or_else(String::new, |said| format!(": {}", quoted(said, self.key())));
        format!("{} answers {status}{said}", self.address)
    }

    /// A request without an answer. The reason may quote the key.
    fn failed(&self, reason: &str) -> Refusal {
        no_answer(without_secrets(reason, self.key()))
    }

    fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

/// Returns the value that a mutex guards, also after a panic of another thread.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_answer(reason: String) -> Refusal {
    Refusal::Request(Fault::NoAnswer(reason))
}

/// A body that comes within the time of the request. Models think without sending anything, so no rate
/// is expected.
fn bytes(response: Response<Body>, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    response.into_body().into_with_config().limit(limit).reader().read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_an_interface() {
        let of = |text: &str| text.parse::<Address>().map(|address| address.to_string());
        let full = "http://localhost:11434/v1/chat/completions";
        for text in ["http://localhost:11434/v1", "http://localhost:11434/v1/", full] {
            assert_eq!(of(text).as_deref(), Ok(full), "{text}");
        }
        for bad in [
            "localhost:11434",
            "ftp://localhost",
            "gpt",
            "",
            "https://me:secret@host/v1",
            "https://:secret@host/v1",
        ] {
            assert!(of(bad).is_err(), "{bad}");
        }
        assert_eq!(
            of("https://host/v1?key=secret").as_deref(),
            Ok("https://host/v1/chat/completions")
        );
    }

    #[test]
    fn a_key_goes_over_https_or_stays_on_the_machine() {
        let of = |text: &str| {
            let address: Address = text.parse().unwrap();
            (address.is_safe(), address.wants_key())
        };
        assert_eq!(of("https://api.example/v1"), (true, true));
        assert_eq!(of("http://127.0.0.1:1/v1"), (true, false));
        assert_eq!(of("http://192.168.1.5:11434/v1"), (false, false));
    }
}
