//! Every folded text end to end: the whole index of a small collection.

use std::ops::Range;

use contract::text::casefold;
use memchr::memmem::Finder;

use super::{BuildError, IndexEntry, bitmap::Bitmap};

/// Between two texts. No UTF-8 holds this byte, so no needle reaches from one into the next.
const SEPARATOR: u8 = 0xff;

#[derive(Debug)]
pub(super) struct TextArena {
    bytes: Vec<u8>,
    /// Where each text starts, and where the last one's separator ends.
    starts: Vec<u32>,
}

impl TextArena {
    pub(super) fn build(entries: &[IndexEntry<'_>]) -> Result<Self, BuildError> {
        let mut bytes = Vec::new();
        let mut starts = Vec::with_capacity(entries.len() + 1);
        starts.push(0);
        for entry in entries {
            bytes.extend_from_slice(casefold(entry.text.unwrap_or_default()).as_bytes());
            bytes.push(SEPARATOR);
            starts.push(u32::try_from(bytes.len()).map_err(|_| BuildError::Text)?);
        }
        bytes.shrink_to_fit();
        Ok(Self { bytes, starts })
    }

    pub(super) fn text(&self, review: u32) -> &[u8] {
        let at = review as usize;
        &self.bytes[self.starts[at] as usize..self.starts[at + 1] as usize - 1]
    }

    /// Removes from `kept`, which lies within `range`, the texts without the needle.
    pub(super) fn narrow(
        &self,
        needle: &str,
        range: Range<usize>,
        kept: &mut Bitmap,
        found: &mut Bitmap,
    ) {
        let end = self.starts[range.end] as usize;
        let finder = Finder::new(needle);
        let mut review = range.start;
        let mut at = self.starts[review] as usize;
        found.reset(kept.room());
        while let Some(hit) = finder.find(&self.bytes[at..end]) {
            review = self.review_of(at + hit, review);
            found.insert(review as u32);
            // One hit says all there is to say about a review.
            review += 1;
            at = self.starts[review] as usize;
        }
        kept.intersect(found);
    }

    /// The review whose text holds this byte, which is not before review `from`'s.
    fn review_of(&self, byte: usize, from: usize) -> usize {
        let later =
            |step: usize| self.starts.get(from + step).is_some_and(|&start| start as usize <= byte);
        let mut step = 1;
        while later(step) {
            step *= 2;
        }
        let end = (from + step).min(self.starts.len());
        let passed = self.starts[from..end].partition_point(|&start| start as usize <= byte);
        from + passed - 1
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity() + size_of_val(&*self.starts)
    }
}
