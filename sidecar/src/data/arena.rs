//! The reviews of one publication as slices of the published bytes.

use std::ops::Range;

use actix_web::web::Bytes;
use contract::{
    model::{Day, ReviewId},
    query::Position,
};

/// The first 128 bits of BLAKE3.
pub(crate) type Digest = [u8; 16];

/// Reviews newest first, each a span of `reviews.json`. There is a comma between two of them, so
/// any run of reviews can be sent as the elements of a JSON array.
#[derive(Debug)]
pub(crate) struct ReviewArena {
    /// The whole of `reviews.json`.
    json: Bytes,
    spans: Vec<Range<usize>>,
    positions: Vec<Position>,
    /// The numbers of the reviews, in the order of their ids.
    by_id: Box<[u32]>,
    digests: Vec<Digest>,
    days: Vec<Boundary>,
    /// The boundary before the newest day.
    empty: Boundary,
}

/// The end of a day: all reviews before it are of that day or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boundary {
    /// The number of these reviews.
    pub(crate) count: usize,
    /// The digest of their bytes, commas included.
    pub(crate) digest: Digest,
}

impl ReviewArena {
    /// Builds the arena. `spans` are in the order of `json`; `positions` are newest first, one for each.
    pub(crate) fn new(json: Bytes, spans: Vec<Range<usize>>, positions: Vec<Position>) -> Self {
        let digests = spans.iter().map(|at| digest(&blake3::hash(&json[at.clone()]))).collect();
        let days = boundaries(&json, &spans, &positions);
        let mut by_id: Box<[u32]> = (0..positions.len() as u32).collect();
        by_id.sort_unstable_by_key(|number| positions[*number as usize].id);
        let empty = Boundary { count: 0, digest: digest(&blake3::hash(b"")) };
        Self { json, spans, positions, by_id, digests, days, empty }
    }

    /// Returns the number of reviews.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns a review's bytes.
    pub(crate) fn review(&self, number: u32) -> &[u8] {
        &self.json[self.spans[number as usize].clone()]
    }

    /// Returns the digest of a review's bytes.
    pub(crate) fn digest(&self, number: u32) -> &Digest {
        &self.digests[number as usize]
    }

    /// Returns a review's day and id.
    pub(crate) fn position(&self, number: u32) -> Position {
        self.positions[number as usize]
    }

    /// Returns the number of the review with this id.
    pub(crate) fn number(&self, id: ReviewId) -> Option<u32> {
        let at = self.by_id.binary_search_by_key(&id, |number| self.position(*number).id).ok()?;
        self.by_id.get(at).copied()
    }

    /// Returns the ids with this beginning, at most `most` of them, in their order, and the number of all.
    pub(crate) fn ids_from(&self, prefix: &str, most: usize) -> (Vec<String>, usize) {
        let id = |number: &u32| self.position(*number).id.to_string();
        let start = self.by_id.partition_point(|number| id(number).as_str() < prefix);
        let length = self.by_id[start..].partition_point(|number| id(number).starts_with(prefix));
        (self.by_id[start..start + length].iter().take(most).map(id).collect(), length)
    }

    /// Returns the number of reviews before a position, which need not be that of a review.
    pub(crate) fn newer(&self, position: &Position) -> usize {
        self.positions.partition_point(|other| other > position)
    }

    /// Returns the number of the first review after a position, which need not be that of a review.
    pub(crate) fn after(&self, position: &Position) -> usize {
        self.positions.partition_point(|other| other >= position)
    }

    /// Returns the boundary of the reviews of this day or later.
    pub(crate) fn since(&self, day: Day) -> Boundary {
        let count = self.positions.partition_point(|position| position.date >= day);
        let days = self.days.partition_point(|boundary| boundary.count <= count);
        days.checked_sub(1).map_or(self.empty, |last| self.days[last])
    }

    /// Returns the bytes of the first `count` reviews with their commas, shared, not copied.
    pub(crate) fn newest(&self, count: usize) -> Bytes {
        let start = self.spans.first().map_or(0, |first| first.start);
        let end = count.checked_sub(1).map_or(start, |last| self.spans[last].end);
        self.json.slice(start..end)
    }

    /// Returns the whole of `reviews.json`.
    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }
}

/// Computes the boundaries in one pass over the bytes; a digest is taken at the end of each day.
fn boundaries(json: &[u8], spans: &[Range<usize>], positions: &[Position]) -> Vec<Boundary> {
    let mut days = Vec::new();
    let mut hasher = blake3::Hasher::new();
    let mut hashed = spans.first().map_or(0, |first| first.start);
    for (at, position) in positions.iter().enumerate() {
        if positions.get(at + 1).is_some_and(|next| next.date == position.date) {
            continue;
        }
        hasher.update(&json[hashed..spans[at].end]);
        hashed = spans[at].end;
        days.push(Boundary { count: at + 1, digest: digest(&hasher.finalize()) });
    }
    days
}

fn digest(hash: &blake3::Hash) -> Digest {
    let mut digest = Digest::default();
    digest.copy_from_slice(&hash.as_bytes()[..size_of::<Digest>()]);
    digest
}
