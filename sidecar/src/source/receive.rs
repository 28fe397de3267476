//! Reads a body within the limits of length, time and content coding.

use std::{
    io::Write,
    time::{Duration, Instant},
};

use actix_web::{rt::time::timeout, web::Bytes};
use awc::{ClientResponse, error::PayloadError};
use futures_util::StreamExt;

use super::{
    decode::Decoder,
    request::{FetchError, SourceRequest},
};

/// Bytes that must be received within each stall timeout.
const LEAST: usize = 64 * 1024;

/// Writes a decoded body to `sink`.
pub(super) async fn body(
    mut response: ClientResponse,
    request: &SourceRequest<'_>,
    stall_timeout: Duration,
    sink: &mut dyn Write,
) -> Result<(), FetchError> {
    let mut decoder = if request.may_compress {
        Decoder::of(response.headers()).map_err(FetchError::Coding)?
    } else {
        Decoder::Identity
    };
    let mut received = ReceivedBytes { length: 0, limit: request.limit, sink };
    let mut rate = Rate::new(stall_timeout);
    while let Some(piece) = rate.next(&mut response).await? {
        let piece = piece.map_err(|error| received.interrupted(&error))?;
        received.receive(&decoder.push(piece).map_err(FetchError::Broken)?)?;
    }
    received.receive(&decoder.finish().map_err(FetchError::Broken)?)
}

/// The bytes that were received and written to the sink so far.
struct ReceivedBytes<'a> {
    length: u64,
    limit: u64,
    sink: &'a mut dyn Write,
}

impl ReceivedBytes<'_> {
    fn receive(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.length += bytes.len() as u64;
        if self.length > self.limit {
            return Err(FetchError::TooLong(self.limit));
        }
        self.sink.write_all(bytes).map_err(FetchError::Sink)
    }

    fn interrupted(&self, error: &PayloadError) -> FetchError {
        FetchError::Interrupted { received: self.length, reason: error.to_string() }
    }
}

/// Enforces the progress of a body.
struct Rate {
    stall_timeout: Duration,
    until: Instant,
    received: usize,
}

impl Rate {
    fn new(stall_timeout: Duration) -> Self {
        Self { stall_timeout, until: Instant::now() + stall_timeout, received: 0 }
    }

    async fn next(
        &mut self,
        response: &mut ClientResponse,
    ) -> Result<Option<Result<Bytes, PayloadError>>, FetchError> {
        let left = self.until.saturating_duration_since(Instant::now());
        let piece = timeout(left, response.next()).await;
        let piece = piece.map_err(|_| FetchError::Slow(self.stall_timeout))?;
        if let Some(Ok(bytes)) = &piece {
            self.received += bytes.len();
            if self.received >= LEAST {
                *self = Self::new(self.stall_timeout);
            }
        }
        Ok(piece)
    }
}
