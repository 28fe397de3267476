//! Topics: frequent phrases that no aspect covers.

use std::collections::BTreeMap;

use super::{Candidate, MIN_AUTHORS, Text};
use crate::{
    names::NameKind,
    summary::{
        Input,
        phrases::{Counts, Nouns, Phrase, Phrasebook, Phrases, ProperNames},
        reading::{Mentions, Readings},
    },
};
use contract::{model::ReviewId, text::fold};

/// The minimum share of authors with a topic: one in this many.
const ONE_IN: u32 = 100;

/// The frequent phrases of the texts.
pub(super) fn candidates(
    texts: &[Text<'_>],
    read: &Readings<'_>,
    book: &mut Phrasebook,
    input: &Input<'_>,
) -> Vec<Candidate> {
    let people = input.reviews.iter().map(|review| &*review.author);
    let names = ProperNames::of(
        texts.iter().map(|text| &text.words[..]),
        people,
        &input.business.name,
        book,
        Nouns::Kept,
    );
    let mentions: BTreeMap<ReviewId, &Mentions> =
        input.reviews.iter().map(|review| review.id).zip(&read.mentions).collect();
    let mut by_author: BTreeMap<&str, (Phrases, Phrases)> = BTreeMap::new();
    for text in texts {
        let mut words = text.words.clone();
        names.remove(&mut words);
        let (all, covered) = by_author.entry(&text.author).or_default();
        all.extend(book.phrases(&words, &[(0, text.text.len() as u32)]));
        let spans = mentions.get(&text.review.id).into_iter().flat_map(|list| list.iter());
        let spans: Vec<(u32, u32)> = spans.map(|(_, span)| *span).collect();
        covered.extend(book.phrases(&words, &spans));
    }
    let (mut all, mut covered) = (Counts::default(), Counts::default());
    for (phrases, mentioned) in by_author.values() {
        all.add(phrases);
        covered.add(mentioned);
    }
    let at_least = (MIN_AUTHORS as u32).max((by_author.len() as u32).div_ceil(ONE_IN));
    let language = book.language();
    let says_nothing = |word: &str| {
        let word = fold(word);
        language.has("suggest_generic", &word)
            || language.is_word(&word)
            || language.words("adverb_endings").any(|ending| word.ends_with(ending))
    };
    let mut kept: Vec<Phrase> = Vec::new();
    let mut found = Vec::new();
    for (name, stems, authors) in all.frequent(at_least, book) {
        // A collocation such as "above and beyond" is not a subject.
        if stems.iter().any(|stem| book.is_stop(*stem)) {
            continue;
        }
        let overlaps = kept.iter().any(|other| other.iter().any(|stem| stems.contains(stem)));
        if overlaps || covered.of(stems) * 2 >= authors || name.split(' ').any(says_nothing) {
            continue;
        }
        kept.push(stems);
        found.push(Candidate { kind: NameKind::Topic, name, aliases: Vec::new() });
    }
    found
}
