//! The words that are names, which no phrase contains.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Letters, Phrasebook, SIGN, Word};
use contract::text::fold;

/// The number of occurrences in small letters from which a word of a person's name can be another word.
const ENGLISH: u32 = 10;
/// The ratio of occurrences in small letters to those with a capital from which such a word is another one.
const RATIO: u32 = 4;

/// The number of times a word is written with a capital letter and with small letters, inside sentences.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    capital: u32,
    small: u32,
    /// Where a sentence begins, or in capital letters only.
    unclear: u32,
    /// After a word such as "Herr", or before what only people do.
    named: u32,
}

/// Whether nouns that have a capital letter are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nouns {
    Kept,
    Dropped,
}

/// The words of a site that are names.
#[derive(Debug, Default)]
pub(crate) struct ProperNames {
    words: FxHashSet<u32>,
    /// Pairs of neighbouring words of the business's name.
    pairs: FxHashSet<(u32, u32)>,
}

impl ProperNames {
    /// Finds the names: given names that are no other word; words that most texts write with a capital letter inside
    /// sentences, or after a word such as "Herr" in a language whose nouns have one, if those are to be `kept`; and words
    /// unknown to the language that most sentences begin with, or most of which have a role or a deed beside them. A
    /// word of a person's name is a name unless the texts use it as a word of the language, in small letters.
    pub(crate) fn of<'a>(
        texts: impl Iterator<Item = &'a [Word]>,
        people: impl Iterator<Item = &'a str>,
        business: &str,
        book: &mut Phrasebook,
        kept: Nouns,
    ) -> Self {
        let language = book.language();
        let is_noun = kept == Nouns::Kept && language.has_capital_nouns();
        let mut uses: FxHashMap<u32, Uses> = FxHashMap::default();
        for words in texts {
            for (at, word) in words.iter().enumerate() {
                let beside = |at: usize| words.get(at).map_or("", |word| book.word(*word));
                let (before, after) = (beside(at.wrapping_sub(1)), beside(at + 1));
                let uses = uses.entry(word.id).or_default();
                uses.capital += u32::from(word.letters == Letters::Capital);
                uses.small += u32::from(word.letters == Letters::Small);
                uses.unclear += u32::from(word.letters == Letters::Unclear);
                let is_named = language.has("suggest_roles", before)
                    || language.has("suggest_deeds", after) && !language.has("be", after);
                uses.named += u32::from(is_named);
            }
        }
        let is_name = |(id, uses): &(&u32, &Uses)| {
            let word = if **id == SIGN { "" } else { &*book.words[**id as usize] };
            let Uses { capital, small, unclear, named } = **uses;
            let is_unknown = || !language.knows(word) && language.is_read();
            let is_given = language.has("given_names", word) && !language.has("name_words", word);
            is_given
                || if is_noun { named * 2 > capital + small } else { capital > small }
                || is_unknown()
                    && (named * 2 > capital + small + unclear
                        || !is_noun && capital + unclear > small)
        };
        let of = |id: u32| uses.get(&id).copied().unwrap_or_default();
        let mut words: FxHashSet<u32> = uses.iter().filter(is_name).map(|(id, _)| *id).collect();
        for person in people {
            for word in fold(person).split(|c: char| !c.is_alphanumeric()) {
                let id = book.id(word);
                let Uses { capital, small, .. } = of(id);
                if small < ENGLISH.max(RATIO * capital) {
                    words.insert(id);
                }
            }
        }
        let business: Vec<u32> = book.words(business).iter().map(|word| word.id).collect();
        words.extend(business.iter().filter(|id| of(**id).small <= of(**id).capital));
        let pairs = business.windows(2).map(|pair| (pair[0], pair[1]));
        let pairs = pairs.filter(|(left, right)| *left != SIGN && *right != SIGN).collect();
        Self { words, pairs }
    }

    /// Replaces the names in a text by signs.
    pub(crate) fn remove(&self, words: &mut [Word]) {
        for at in 0..words.len() {
            let next = words.get(at + 1).map_or(SIGN, |next| next.id);
            if self.pairs.contains(&(words[at].id, next)) {
                (words[at].id, words[at + 1].id) = (SIGN, SIGN);
            }
            if self.words.contains(&words[at].id) {
                words[at].id = SIGN;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_by_their_use() {
        let mut book = Phrasebook::new(crate::language::Language::english());
        let prices = "the price and the price, ".repeat(5);
        let text = format!(
            "We met Ann in Springfield, {prices} acme plumbing did a plumbing job. thanks ann"
        );
        let words = book.words(&text);
        let people = ["Ann Price"].into_iter();
        let names = ProperNames::of(
            [&words[..]].into_iter(),
            people,
            "Acme Plumbing",
            &mut book,
            Nouns::Kept,
        );
        let mut kept = words.clone();
        names.remove(&mut kept);
        let removed: Vec<&str> = words
            .iter()
            .zip(&kept)
            .filter(|(before, after)| before.id != after.id)
            .map(|(word, _)| &text[word.span.0 as usize..word.span.1 as usize])
            .collect();
        assert_eq!(removed, ["Ann", "Springfield", "acme", "plumbing", "ann"]);
    }
}
