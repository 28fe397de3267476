//! The folded texts of all reviews, in which needles are looked for.

use contract::text::{casefold, search_fold};

/// Texts end to end.
#[derive(Debug)]
struct Arena {
    bytes: Vec<u8>,
    /// Where each text starts, and where the last one ends.
    starts: Vec<usize>,
}

/// Every text in two forms.
#[derive(Debug)]
pub(super) struct Texts {
    /// As of [`search_fold`].
    loose: Arena,
    /// As of [`casefold`]. Empty where that is the loose form.
    exact: Arena,
}

impl Texts {
    pub(super) fn build<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut built = Self { loose: Arena::new(), exact: Arena::new() };
        for text in texts {
            let (loose, exact) = (search_fold(text), casefold(text));
            built.exact.push(if loose == exact { "" } else { &exact });
            built.loose.push(&loose);
        }
        built.loose.bytes.shrink_to_fit();
        built.exact.bytes.shrink_to_fit();
        built
    }

    pub(super) fn loose(&self, review: u32) -> &[u8] {
        self.loose.text(review)
    }

    pub(super) fn exact(&self, review: u32) -> &[u8] {
        match self.exact.text(review) {
            [] => self.loose(review),
            exact => exact,
        }
    }

    /// On the heap.
    pub(super) fn bytes(&self) -> usize {
        self.loose.bytes() + self.exact.bytes()
    }
}

impl Arena {
    fn new() -> Self {
        Self { bytes: Vec::new(), starts: vec![0] }
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.starts.push(self.bytes.len());
    }

    fn text(&self, review: u32) -> &[u8] {
        let review = review as usize;
        &self.bytes[self.starts[review]..self.starts[review + 1]]
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + size_of_val(&*self.starts)
    }
}
