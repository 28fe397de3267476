//! An answer made of shared bytes, handed out in pieces, so that no connection holds more than one
//! and no reader makes the others wait.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};

use super::gate::Permit;

/// Bytes handed to the connection at a time: it copies each piece into a buffer of that size.
pub(crate) const PIECE: usize = 256 * 1024;

/// A body of known length.
#[derive(Debug)]
pub(crate) struct Pieces {
    length: u64,
    parts: VecDeque<Bytes>,
    /// A whole piece was handed out since others last had a turn.
    yields: bool,
    _permit: Permit,
}

impl Pieces {
    /// These parts one after the other.
    pub(crate) fn new(parts: impl IntoIterator<Item = Bytes>, permit: Permit) -> Self {
        let parts: VecDeque<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Self { length: length(&parts), parts, yields: false, _permit: permit }
    }

    /// The same without the bytes: what HEAD gets.
    pub(crate) fn without_bytes(mut self) -> Self {
        self.parts.clear();
        self
    }
}

/// In bytes.
pub(crate) fn length<'a>(parts: impl IntoIterator<Item = &'a Bytes>) -> u64 {
    parts.into_iter().map(|part| part.len() as u64).sum()
}

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if std::mem::take(&mut self.yields) {
            // The others on this thread come first; then it is our turn again.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(part) = self.parts.front_mut() else { return Poll::Ready(None) };
        if part.len() > PIECE {
            let piece = part.split_to(PIECE);
            self.yields = true;
            return Poll::Ready(Some(Ok(piece)));
        }
        Poll::Ready(self.parts.pop_front().map(Ok))
    }
}
