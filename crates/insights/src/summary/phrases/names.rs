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
    /// After a word such as "Herr".
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
    /// Finds the names: words that most texts write with a capital letter inside sentences, or after a word such as
    /// "Herr" in a language whose nouns have one, if those are to be `kept`. A word of a person's name is a name unless
    /// the texts use it as a word of the language, in small letters.
    pub(crate) fn of<'a>(
        texts: impl Iterator<Item = &'a [Word]>,
        people: impl Iterator<Item = &'a str>,
        business: &str,
        book: &mut Phrasebook,
        kept: Nouns,
    ) -> Self {
        let is_noun = kept == Nouns::Kept && book.language().has_capital_nouns();
        let mut uses: FxHashMap<u32, Uses> = FxHashMap::default();
        for words in texts {
            let mut before = "";
            for word in words {
                let uses = uses.entry(word.id).or_default();
                uses.capital += u32::from(word.letters == Letters::Capital);
                uses.small += u32::from(word.letters == Letters::Small);
                uses.named += u32::from(is_noun && book.language().has("suggest_roles", before));
                before = book.word(*word);
            }
        }
        let is_name = |uses: &Uses| {
            if is_noun {
                uses.named * 2 > uses.capital + uses.small
            } else {
                uses.capital > uses.small
            }
        };
        let of = |id: u32| uses.get(&id).copied().unwrap_or_default();
        let mut words: FxHashSet<u32> =
            uses.iter().filter(|(_, uses)| is_name(uses)).map(|(id, _)| *id).collect();
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
