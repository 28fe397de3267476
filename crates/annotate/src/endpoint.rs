//! Sends requests to an OpenAI-compatible chat endpoint, politely.

use std::{
    fmt,
    io::Read,
    str::FromStr,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use contract::text::printable;
use serde_json::Value;
use ureq::{Body, http::Response};
use url::Url;

use super::{
    answer::Fault,
    chat::{self, Reply},
    prompt::Form,
};
use system::download::{agent, explain, is_loopback, retry_after, wait};

/// The variable with the key of the endpoint.
pub const KEY_VARIABLE: &str = "CANDOR_ANNOTATE_KEY";
/// Retries of a request that was answered with 429 or 5xx.
const RETRIES: u32 = 5;
/// Longest wait that `Retry-After` may ask for. A longer one ends the run.
const MAX_WAIT: Duration = Duration::from_secs(300);
/// The interval at which a wait checks whether the run was interrupted.
const TICK: Duration = Duration::from_millis(50);
/// Largest response that is read: 4 MiB. An answer about a few reviews has some KiB.
const MAX_RESPONSE: u64 = 4 << 20;
/// Characters of a server's error that a message quotes.
const MAX_QUOTED: usize = 300;

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
    agent: ureq::Agent,
    address: Address,
    key: Option<String>,
    timeout: Duration,
    /// The form that the server accepts.
    form: Mutex<Form>,
    /// No thread sends anything before this time.
    not_before: Mutex<Option<Instant>>,
    stop: &'a (dyn Fn() -> bool + Sync),
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
        let agent = agent(&address.0, 0, timeout);
        let (form, not_before) = (Mutex::default(), Mutex::default());
        Self { agent, address, key, timeout, form, not_before, stop }
    }

    /// Sends a request. `body` writes it.
    pub(crate) fn ask(&self, body: &dyn Fn(Form) -> Value) -> Result<Reply, Refusal> {
        let mut retry = 0;
        let mut form = *lock(&self.form);
        loop {
            self.wait_for_turn()?;
            let response = self
                .send(&body(form).to_string())
                .map_err(|error| no_answer(self.without_key(&explain(&error))))?;
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
                429 | 500.. => {
                    let wait = wait(retry, retry_after(&response));
                    let is_over = retry == RETRIES || wait > MAX_WAIT;
                    if is_over && status == 429 {
                        return Err(self.refused(response));
                    }
                    if is_over {
                        return Err(no_answer(format!("the answer is {}", response.status())));
                    }
                    retry += 1;
                    self.pause(wait);
                }
                _ => return Err(self.refused(response)),
            }
        }
    }

    fn send(&self, body: &str) -> Result<Response<Body>, ureq::Error> {
        let request = self.agent.post(self.address.0.as_str());
        let mut request = request
            .config()
            .timeout_global(Some(self.timeout))
            .build()
            .header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        request.send(body)
    }

    fn read(&self, response: Response<Body>) -> Result<Reply, Refusal> {
        let bytes = bytes(response, MAX_RESPONSE)
            .map_err(|error| no_answer(self.without_key(&error.to_string())))?;
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
        let said = said.and_then(Value::as_str).map_or(String::new(), |said| {
            let said: String = self.without_key(said).chars().take(MAX_QUOTED).collect();
            format!(": {}", said.trim_end_matches(['.', ' ']))
        });
        format!("{} answers {status}{said}", self.address)
    }

    /// Makes all threads wait, because the limits of a server are those of the client.
    fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut not_before = lock(&self.not_before);
        *not_before = not_before.map_or(Some(until), |before| Some(before.max(until)));
    }

    fn wait_for_turn(&self) -> Result<(), Refusal> {
        loop {
            if (self.stop)() {
                return Err(Refusal::Stopped);
            }
            let not_before = *lock(&self.not_before);
            match not_before.map(|until| until.saturating_duration_since(Instant::now())) {
                Some(left) if !left.is_zero() => thread::sleep(left.min(TICK)),
                _ => return Ok(()),
            }
        }
    }

    /// A text of the server that may quote the key.
    fn without_key(&self, text: &str) -> String {
        let text = match &self.key {
            Some(key) => text.replace(key, "[key]"),
            None => text.to_owned(),
        };
        printable(&text).into_owned()
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
