//! The folded texts of all reviews, in which needles are searched.

use contract::text::{casefold, loosen};

/// The texts, one after the other.
#[derive(Debug)]
struct Arena {
    text: String,
    /// The offset at which each text begins, and the one at which the last one ends.
    starts: Vec<usize>,
}

/// Every text in two forms.
#[derive(Debug)]
pub(super) struct Texts {
    /// The texts of [`loosen`], for `q`.
    loose: Arena,
    /// The texts of [`casefold`]. Empty where they are equal to the loose ones.
    exact: Arena,
}

impl Texts {
    pub(super) fn build<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut built = Self { loose: Arena::new(), exact: Arena::new() };
        for text in texts {
            let exact = casefold(text);
            let loose = loosen(&exact);
            built.exact.push(if loose == exact { "" } else { &exact });
            built.loose.push(&loose);
        }
        built.loose.text.shrink_to_fit();
        built.exact.text.shrink_to_fit();
        built
    }

    pub(super) fn loose(&self, review: u32) -> &str {
        self.loose.text(review)
    }

    pub(super) fn exact(&self, review: u32) -> &str {
        if self.has_two_forms(review) { self.exact.text(review) } else { self.loose(review) }
    }

    pub(super) fn has_two_forms(&self, review: u32) -> bool {
        !self.exact.is_empty(review)
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.loose.bytes() + self.exact.bytes()
    }
}

impl Arena {
    fn new() -> Self {
        Self { text: String::new(), starts: vec![0] }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.starts.push(self.text.len());
    }

    fn text(&self, review: u32) -> &str {
        let review = review as usize;
        &self.text[self.starts[review]..self.starts[review + 1]]
    }

    fn is_empty(&self, review: u32) -> bool {
        let review = review as usize;
        self.starts[review] == self.starts[review + 1]
    }

    fn bytes(&self) -> usize {
        self.text.capacity() + size_of_val(&*self.starts)
    }
}
