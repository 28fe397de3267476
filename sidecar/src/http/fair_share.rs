//! Long answers let the others have their turn.
//!
//! A connection that can always be written to would keep its thread busy for as long as the answer
//! is, and a task that only wakes itself is polled dozens of times before the thread looks at its
//! sockets again. Yielding to the runtime goes past the sockets each time.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::rt::task::yield_now;

use crate::limits::FAIR_SHARE;

/// Counts what an answer hands out.
#[derive(Default)]
pub(crate) struct FairShare {
    bytes: usize,
    pause: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl FairShare {
    /// Ready when it is this answer's turn.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        Poll::Ready(())
    }

    /// This many more bytes were handed out.
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
