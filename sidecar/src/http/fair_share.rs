//! Lets other requests of a thread run during a long response.
//!
//! A connection that is always writable would keep its thread busy for the whole response, and a
//! task that only wakes itself is polled dozens of times before the thread polls its sockets again.
//! Yielding to the runtime polls the sockets each time.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::rt::task::yield_now;

use crate::runtime::limits::FAIR_SHARE;

/// Counts the bytes that a response sends.
#[derive(Default)]
pub(crate) struct FairShare {
    bytes: usize,
    pause: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl FairShare {
    /// Is ready when the response may send more.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        Poll::Ready(())
    }

    /// Adds sent bytes, and yields after [`FAIR_SHARE`] of them.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes >= FAIR_SHARE {
            self.bytes = 0;
            self.pause = Some(Box::pin(yield_now()));
        }
    }
}

impl fmt::Debug for FairShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
