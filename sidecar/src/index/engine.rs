//! Chooses the structure that finds a needle.

use std::{cell::RefCell, ops::Range};

use memchr::memmem::Finder;

use super::{
    BuildError, IndexEntry, Tuning,
    answers::Answers,
    arena::TextArena,
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    costs::LOOKUP,
    cover::RangePart,
    phrase::NeedlePhrase,
    suffixes,
};

/// Texts that lie ready in an arena are read so many times as fast as those put together of words.
const READY: usize = 8;

/// The texts, ready to be searched.
#[derive(Debug)]
pub(super) enum Engine {
    /// Of a small collection: reading all of it is as fast as anything.
    Scan(TextArena),
    Words(Box<WordIndex>),
}

#[derive(Debug)]
pub(super) struct WordIndex {
    corpus: Corpus,
    answers: Answers,
}

/// What one query works in. Each thread keeps its own, so that no query waits or allocates.
#[derive(Debug, Default)]
pub(super) struct QueryScratch {
    /// What meets the filter.
    pub(super) kept: Bitmap,
    pub(super) spare: Bitmap,
    text: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<QueryScratch> = RefCell::default();
}

impl QueryScratch {
    pub(super) fn with<T>(run: impl FnOnce(&mut Self) -> T) -> T {
        SCRATCH.with_borrow_mut(run)
    }
}

impl Engine {
    pub(super) fn build(entries: &[IndexEntry<'_>], tuning: &Tuning) -> Result<Self, BuildError> {
        if entries.len() < tuning.scan_below {
            return TextArena::build(entries).map(Self::Scan);
        }
        let corpus = Corpus::build(entries, tuning)?;
        let answers = Answers::build(&corpus, tuning.budget(entries.len()));
        Ok(Self::Words(Box::new(WordIndex { corpus, answers })))
    }

    /// Removes from the scratch's `kept`, which lies within `range`, the texts without the needle.
    pub(super) fn narrow(
        &self,
        needle: &str,
        range: Range<usize>,
        few: usize,
        scratch: &mut QueryScratch,
    ) {
        let few = match self {
            Self::Scan(_) => few * READY,
            Self::Words(_) => few,
        };
        if scratch.kept.count() <= few {
            return self.read_each(needle, scratch);
        }
        match self {
            Self::Scan(arena) => arena.narrow(needle, range, &mut scratch.kept, &mut scratch.spare),
            Self::Words(index) => index.narrow(needle, scratch),
        }
    }

    /// Looks into every text that is left.
    fn read_each(&self, needle: &str, scratch: &mut QueryScratch) {
        let finder = Finder::new(needle);
        let candidates: Vec<u32> = scratch.kept.iter_from(0).collect();
        for review in candidates {
            let text = match self {
                Self::Scan(arena) => arena.text(review),
                Self::Words(index) => index.corpus.spell(review, &mut scratch.text),
            };
            if finder.find(text).is_none() {
                scratch.kept.remove(review);
            }
        }
    }

    /// In bytes, structure by structure.
    pub(super) fn memory(&self) -> Vec<(&'static str, usize)> {
        match self {
            Self::Scan(arena) => vec![("arena", arena.bytes())],
            Self::Words(index) => index.memory(),
        }
    }
}

impl WordIndex {
    fn narrow(&self, needle: &str, scratch: &mut QueryScratch) {
        let QueryScratch { kept, spare, text } = scratch;
        spare.reset(kept.room());
        match self.search(needle.as_bytes(), spare) {
            Some(answer) if self.corpus.long.is_empty() => return answer.intersect_into(kept),
            Some(answer) => answer.union_into(spare),
            None => {}
        }
        self.search_long(needle, spare, text);
        kept.intersect(spare);
    }

    /// Adds the reviews that hold the needle, or gives the answer that is kept for it.
    fn search(&self, needle: &[u8], found: &mut Bitmap) -> Option<&ReviewSet> {
        let mut parts: Vec<&[u8]> = needle.split(|&byte| byte == b' ').collect();
        let dictionary = &self.corpus.dictionary;
        let (Some(last), Some(first)) = (parts.pop(), parts.first().copied()) else {
            return self.search_part(needle, found);
        };
        let ending = dictionary.ending_with(first);
        let beginning = dictionary.beginning_with(last);
        let middle: Option<Vec<u32>> =
            parts[1..].iter().map(|word| dictionary.exact(word)).collect();
        // A word in the middle that the dictionary lacks is in no review.
        let middle = middle?;
        match middle[..] {
            [] => return self.search_pair(&ending, &beginning, found),
            [word] => {
                if let Some(answer) = self.answers.middle(&ending, word, &beginning) {
                    return Some(answer);
                }
            }
            _ => {}
        }
        NeedlePhrase::new(&self.corpus, ending, &middle, beginning).add_to(found);
        None
    }

    fn search_part(&self, part: &[u8], found: &mut Bitmap) -> Option<&ReviewSet> {
        let Corpus { dictionary, .. } = &self.corpus;
        let suffixes = dictionary.containing(part);
        if part.len() > suffixes::DEPTH {
            for suffix in suffixes.filter(|&suffix| dictionary.has_at(suffix, part)) {
                self.corpus.add_word(dictionary.word_of(suffix), found);
            }
            return None;
        }
        let answers = self.answers.parts();
        let exact = answers.exact(&suffixes);
        if exact.is_none() {
            answers.visit(&suffixes, |piece| match piece {
                RangePart::Answer(set) => set.union_into(found),
                RangePart::Gap(gap) => self.corpus.add_suffixes(gap, found),
            });
        }
        exact
    }

    fn search_pair(
        &self,
        ending: &Range<u32>,
        beginning: &Range<u32>,
        found: &mut Bitmap,
    ) -> Option<&ReviewSet> {
        let Some(answers) = self.answers.pairs(ending) else {
            if !self.add_followed(ending, beginning, found) {
                self.corpus.add_pairs(ending, beginning, found);
            }
            return None;
        };
        let exact = answers.exact(beginning);
        if exact.is_none() && !self.add_followed(ending, beginning, found) {
            answers.visit(beginning, |piece| match piece {
                RangePart::Answer(set) => set.union_into(found),
                RangePart::Gap(gap) => self.corpus.add_pairs(ending, &gap, found),
            });
        }
        exact
    }

    /// Any word may follow: whether one does is told occurrence by occurrence if these are few.
    fn add_followed(
        &self,
        ending: &Range<u32>,
        beginning: &Range<u32>,
        found: &mut Bitmap,
    ) -> bool {
        let Self { corpus, answers } = self;
        let applies = *beginning == corpus.dictionary.all_words()
            && ending.len() as u64 * LOOKUP <= answers.budget()
            && corpus.cost_of_followed(ending) <= answers.budget();
        if applies {
            corpus.add_followed(ending, found);
        }
        applies
    }

    /// Reads the few texts that are too long for the postings.
    fn search_long(&self, needle: &str, found: &mut Bitmap, text: &mut Vec<u8>) {
        let finder = Finder::new(needle);
        for &review in &self.corpus.long {
            if finder.find(self.corpus.spell(review, text)).is_some() {
                found.insert(review);
            }
        }
    }

    fn memory(&self) -> Vec<(&'static str, usize)> {
        let Corpus { dictionary, words, postings, .. } = &self.corpus;
        let [parts, pairs, middles] = self.answers.bytes();
        vec![
            ("texts as words", words.bytes()),
            ("dictionary", dictionary.bytes()),
            ("suffixes of words", dictionary.suffix_bytes()),
            ("occurrences", postings.occurrence_bytes()),
            ("word pairs", postings.pair_bytes()),
            ("frequent words", self.corpus.frequent_bytes()),
            ("answers: one word", parts),
            ("answers: two words", pairs),
            ("answers: three words", middles),
        ]
    }
}
