//! Requests to a service that may be busy: they are sent again at the pace that it asks for, until the command is
//! stopped. Its words are quoted without secrets.

use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ureq::{
    Agent, Body, Error,
    http::{Response, StatusCode},
};

use super::retry_after;
use contract::text::printable;

/// Retries of a request that was answered with 429 or 5xx. Without `Retry-After` the waits double from
/// two seconds and add up to 62 seconds: interfaces count their quotas by the minute.
pub const RETRIES: u32 = 5;
/// Longest wait that `Retry-After` may ask for. A longer one ends the retries.
pub const MAX_WAIT: Duration = Duration::from_secs(300);
/// The interval at which a wait checks whether the command was stopped.
const TICK: Duration = Duration::from_millis(50);
/// Characters of a service's own words that a message quotes.
const MAX_QUOTED: usize = 300;

/// Sends requests to one service, for any number of threads: its limits are those of all of them.
pub struct PoliteClient<S> {
    agent: Agent,
    /// Tells that nothing is to be sent any more.
    stop: S,
    /// No thread sends anything before this time.
    not_before: Mutex<Option<Instant>>,
}

/// The reason why there is no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// The command was stopped.
    Stopped,
    /// The request failed.
    Failed(Error),
}

impl<S: Fn() -> bool> PoliteClient<S> {
    /// Sends requests with this client until `stop` says so.
    pub fn new(agent: Agent, stop: S) -> Self {
        Self { agent, stop, not_before: Mutex::default() }
    }

    /// Sends a request, and again while the answer is 429 or 5xx. The last answer.
    ///
    /// # Errors
    /// When the command was stopped, or there is no answer.
    pub fn send(
        &self,
        request: &dyn Fn(&Agent) -> Result<Response<Body>, Error>,
    ) -> Result<Response<Body>, Unanswered> {
        let mut retry = 0;
        loop {
            self.wait_for_turn()?;
            let response = request(&self.agent).map_err(Unanswered::Failed)?;
            let wait = wait(retry, retry_after(&response));
            if !is_busy(response.status()) || retry == RETRIES || wait > MAX_WAIT {
                return Ok(response);
            }
            retry += 1;
            let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
            *not_before = (*not_before).max(Some(Instant::now() + wait));
        }
    }

    fn wait_for_turn(&self) -> Result<(), Unanswered> {
        loop {
            if (self.stop)() {
                return Err(Unanswered::Stopped);
            }
            let not_before = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
            match not_before.map(|until| until.saturating_duration_since(Instant::now())) {
                Some(left) if !left.is_zero() => thread::sleep(left.min(TICK)),
                _ => return Ok(()),
            }
        }
    }
}

/// Whether a request with this answer may succeed later.
pub fn is_busy(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// The wait before a retry, counted from 0: what `Retry-After` says, or else doubling from two seconds.
fn wait(retry: u32, retry_after: Option<Duration>) -> Duration {
    retry_after.unwrap_or(Duration::from_secs(2 << retry))
}

/// A text of another machine without the secrets that it may quote, and without control characters.
pub fn without_secrets<'s>(text: &str, secrets: impl IntoIterator<Item = &'s str>) -> String {
    let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
    let text = secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "[secret]"));
    printable(&text).into_owned()
}

/// The beginning of such a text, for a message.
pub fn quoted<'s>(text: &str, secrets: impl IntoIterator<Item = &'s str>) -> String {
    let text: String = without_secrets(text, secrets).chars().take(MAX_QUOTED).collect();
    text.trim_end_matches(['.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_unless_the_server_says_how_long() {
        let waits: Vec<u64> = (0..5).map(|retry| wait(retry, None).as_secs()).collect();
        assert_eq!(waits, [2, 4, 8, 16, 32]);
        assert_eq!(wait(3, Some(Duration::ZERO)), Duration::ZERO, "Retry-After decides");
    }

    #[test]
    fn words_of_a_service_are_short_and_without_secrets() {
        assert_eq!(quoted("Key s3cret is wrong. ", ["", "s3cret"]), "Key [secret] is wrong");
        assert_eq!(quoted(&"x".repeat(1_000), []).len(), MAX_QUOTED);
    }
}
