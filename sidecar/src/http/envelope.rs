//! The one form in which a page of reviews is sent: what is around the reviews, and the reviews as
//! they were published.

use actix_web::web::{Bytes, BytesMut};
use contract::query::{Filter, Position};

use crate::{arena::Arena, index::Hits};

/// Between two reviews, as in `reviews.json`.
const BETWEEN: &[u8] = b",\n";

/// A page of reviews, not yet copied from where they lie.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    arena: &'a Arena,
    numbers: &'a [u32],
    head: String,
    tail: String,
    /// The cursor of the page after this one.
    pub(crate) next: Option<String>,
}

impl<'a> Page<'a> {
    /// `{matched, returned, next_cursor, reviews}`, and `ignored` where there is any.
    pub(crate) fn new(
        arena: &'a Arena,
        filter: &Filter,
        hits: &'a Hits,
        ignored: &[String],
    ) -> Self {
        let last = hits.page.last().filter(|_| hits.more);
        let next = last.map(|last| Position::cursor(&arena.place(*last), filter));
        let (matched, returned) = (hits.matched, hits.page.len());
        let cursor = next.as_ref().map_or_else(|| "null".into(), |next| format!("\"{next}\""));
        let head = format!(
            "{{\"matched\":{matched},\"returned\":{returned},\"next_cursor\":{cursor},\"reviews\":[\n"
        );
        let tail = match ignored {
            [] => "]}\n".to_owned(),
            names => format!("],\"ignored\":{}}}\n", serde_json::Value::from(names)),
        };
        Self { arena, numbers: &hits.page, head, tail, next }
    }

    /// What the bytes follow from, without reading a review.
    pub(crate) fn identity(&self) -> Vec<u8> {
        let mut identity = self.head.as_bytes().to_vec();
        for number in self.numbers {
            identity.extend(self.arena.digest(*number));
        }
        identity.extend(self.tail.as_bytes());
        identity
    }

    /// The bytes: the one copy of the reviews.
    pub(crate) fn to_bytes(&self) -> Bytes {
        let reviews = || self.numbers.iter().map(|number| self.arena.review(*number));
        let length: usize = reviews().map(|review| review.len() + BETWEEN.len()).sum();
        let mut bytes = BytesMut::with_capacity(self.head.len() + length + self.tail.len());
        bytes.extend_from_slice(self.head.as_bytes());
        for (at, review) in reviews().enumerate() {
            if at > 0 {
                bytes.extend_from_slice(BETWEEN);
            }
            bytes.extend_from_slice(review);
        }
        bytes.extend_from_slice(self.tail.as_bytes());
        bytes.freeze()
    }
}
