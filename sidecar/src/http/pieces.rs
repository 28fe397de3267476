//! A body of shared bytes, sent in pieces, so that no connection buffers more than one and no
//! client delays the others.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};

use super::{fair_share::FairShare, gate::Permit};

/// Bytes passed to the connection at a time: it copies each piece into a buffer of that size.
pub(crate) const PIECE: usize = 64 * 1024;

/// A body of known length.
#[derive(Debug)]
pub(crate) struct Pieces {
    length: u64,
    parts: VecDeque<Bytes>,
    fair_share: FairShare,
    _permit: Permit,
}

impl Pieces {
    /// Makes a body of these parts, one after the other.
    pub(crate) fn new(parts: impl IntoIterator<Item = Bytes>, permit: Permit) -> Self {
        let parts: VecDeque<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Self { length: length(&parts), parts, fair_share: FairShare::default(), _permit: permit }
    }

    /// Removes the bytes, for HEAD.
    pub(crate) fn without_bytes(mut self) -> Self {
        self.parts.clear();
        self
    }
}

/// Returns the length of these parts in bytes.
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
        ready!(self.fair_share.poll(cx));
        let Some(part) = self.parts.front_mut() else { return Poll::Ready(None) };
        let piece = part.split_to(part.len().min(PIECE));
        if part.is_empty() {
            self.parts.pop_front();
        }
        self.fair_share.count(piece.len());
        Poll::Ready(Some(Ok(piece)))
    }
}
