//! Sets of reviews.

use std::ops::Range;

/// A list takes less memory than a bitmap below this share of all reviews: 32 bits against one.
const SPARSE: usize = 32;

/// One bit per review: what queries are answered in.
#[derive(Clone, Debug, Default)]
pub(super) struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    pub(super) fn new(reviews: usize) -> Self {
        Self { words: vec![0; reviews.div_ceil(64)] }
    }

    /// Forgets everything and makes room for numbers below `reviews`.
    pub(super) fn reset(&mut self, reviews: usize) {
        self.words.clear();
        self.words.resize(reviews.div_ceil(64), 0);
    }

    /// How many reviews it has room for, rounded up.
    pub(super) fn room(&self) -> usize {
        self.words.len() * 64
    }

    pub(super) fn insert_range(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        let head = u64::MAX << (range.start % 64);
        let tail = u64::MAX >> (63 - (range.end - 1) % 64);
        if first == last {
            self.words[first] |= head & tail;
            return;
        }
        self.words[first] |= head;
        self.words[first + 1..last].fill(u64::MAX);
        self.words[last] |= tail;
    }

    #[inline]
    pub(super) fn insert(&mut self, review: u32) {
        self.words[review as usize / 64] |= 1 << (review % 64);
    }

    pub(super) fn remove(&mut self, review: u32) {
        self.words[review as usize / 64] &= !(1 << (review % 64));
    }

    #[inline]
    pub(super) fn contains(&self, review: u32) -> bool {
        self.words[review as usize / 64] >> (review % 64) & 1 == 1
    }

    pub(super) fn union(&mut self, other: &Self) {
        self.union_words(&other.words);
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        self.intersect_words(&other.words);
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members from number `from` on, in order.
    pub(super) fn iter_from(&self, from: usize) -> impl Iterator<Item = u32> {
        let first = (from / 64).min(self.words.len());
        let mut mask = u64::MAX << (from % 64);
        self.words[first..].iter().enumerate().flat_map(move |(at, word)| {
            let mut left = word & std::mem::replace(&mut mask, u64::MAX);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(((first + at) * 64) as u32 + bit)
            })
        })
    }

    fn union_words(&mut self, other: &[u64]) {
        self.words.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
    }

    fn intersect_words(&mut self, other: &[u64]) {
        self.words.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
    }
}

/// A set that is kept: a sorted list or a bitmap, whichever is smaller.
#[derive(Clone, Debug)]
pub(super) enum ReviewSet {
    List(Box<[u32]>),
    Bits(Box<[u64]>),
}

impl ReviewSet {
    /// Of numbers below `reviews`, sorted, each once.
    pub(super) fn from_sorted(list: &[u32], reviews: usize) -> Self {
        if list.len() * SPARSE < reviews {
            return Self::List(list.into());
        }
        let mut bitmap = Bitmap::new(reviews);
        list.iter().for_each(|&review| bitmap.insert(review));
        Self::Bits(bitmap.words.into())
    }

    pub(super) fn from_bitmap(bitmap: &Bitmap) -> Self {
        match bitmap.count() * SPARSE < bitmap.words.len() * 64 {
            true => Self::List(bitmap.iter_from(0).collect()),
            false => Self::Bits(bitmap.words.as_slice().into()),
        }
    }

    pub(super) fn union_into(&self, bitmap: &mut Bitmap) {
        match self {
            Self::List(list) => list.iter().for_each(|&review| bitmap.insert(review)),
            Self::Bits(words) => bitmap.union_words(words),
        }
    }

    pub(super) fn subtract_from(&self, bitmap: &mut Bitmap) {
        match self {
            Self::List(list) => list.iter().for_each(|&review| bitmap.remove(review)),
            Self::Bits(words) => {
                bitmap.words.iter_mut().zip(words).for_each(|(word, other)| *word &= !other);
            }
        }
    }

    pub(super) fn intersect_into(&self, bitmap: &mut Bitmap) {
        let list = match self {
            Self::Bits(words) => return bitmap.intersect_words(words),
            Self::List(list) => list,
        };
        let mut list = list.iter().copied().peekable();
        for (at, word) in bitmap.words.iter_mut().enumerate() {
            let mut members = 0;
            while let Some(review) = list.next_if(|review| *review as usize / 64 == at) {
                members |= 1 << (review % 64);
            }
            *word &= members;
        }
    }

    /// On the heap.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::List(list) => size_of_val(&**list),
            Self::Bits(words) => size_of_val(&**words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVIEWS: usize = 200;

    fn bitmap(members: impl IntoIterator<Item = u32>) -> Bitmap {
        let mut bitmap = Bitmap::new(REVIEWS);
        members.into_iter().for_each(|review| bitmap.insert(review));
        bitmap
    }

    fn members(bitmap: &Bitmap) -> Vec<u32> {
        bitmap.iter_from(0).collect()
    }

    #[test]
    fn a_range_ends_anywhere_in_a_word() {
        for (start, end) in [(0, 0), (0, 1), (3, 60), (63, 65), (64, 128), (1, 200), (199, 200)] {
            let mut bitmap = Bitmap::new(REVIEWS);
            bitmap.insert_range(start..end);
            let expected: Vec<_> = (start as u32..end as u32).collect();
            assert_eq!(members(&bitmap), expected);
            assert_eq!(bitmap.count(), end - start);
        }
    }

    #[test]
    fn a_page_starts_anywhere() {
        let bitmap = bitmap([0, 63, 64, 130, 199]);
        for (from, first) in [(0, Some(0)), (1, Some(63)), (64, Some(64)), (131, Some(199))] {
            assert_eq!(bitmap.iter_from(from).next(), first);
        }
        for from in [200, 256, 9_999] {
            assert_eq!(bitmap.iter_from(from).next(), None);
        }
    }

    #[test]
    fn lists_and_bitmaps_do_the_same() {
        let lists: [Vec<u32>; 3] =
            [vec![], vec![5, 64, 199], (0..REVIEWS as u32).step_by(3).collect()];
        for list in lists {
            let sets = [
                ReviewSet::List(list.as_slice().into()),
                ReviewSet::Bits(bitmap(list.iter().copied()).words.into()),
                ReviewSet::from_sorted(&list, REVIEWS),
                ReviewSet::from_bitmap(&bitmap(list.iter().copied())),
            ];
            let start: Vec<u32> = (0..REVIEWS as u32).step_by(2).collect();
            for set in sets {
                let check = |apply: &dyn Fn(&mut Bitmap), keep: &dyn Fn(bool, bool) -> bool| {
                    let mut changed = bitmap(start.iter().copied());
                    apply(&mut changed);
                    let kept = |n: &u32| keep(start.contains(n), list.contains(n));
                    let expected: Vec<u32> = (0..REVIEWS as u32).filter(kept).collect();
                    assert_eq!(members(&changed), expected);
                };
                check(&|bits| set.union_into(bits), &|a, b| a || b);
                check(&|bits| set.intersect_into(bits), &|a, b| a && b);
                check(&|bits| set.subtract_from(bits), &|a, b| a && !b);
            }
        }
    }
}
