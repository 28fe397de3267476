//! Services: the objects of verbs and nouns of work.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Sightings, Text};
use crate::{
    names::NameKind,
    summary::phrases::{Letters, Phrasebook},
};

/// The maximum number of words of an object.
const LONGEST: usize = 3;
/// A part of a name is not suggested if the whole name has this share of its authors.
const COVERED: f64 = 0.6;

/// The objects of work that the texts name.
pub(super) fn candidates(texts: &[Text<'_>], book: &Phrasebook) -> Vec<Candidate> {
    let language = book.language();
    let stemming = language.stemming();
    let stem = |word: &str| stemming.stem(word).into_owned();
    let verbs: BTreeSet<String> = language.words("suggest_verbs").map(&stem).collect();
    let is_noun = |word: &str| language.has("suggest_nouns", word);
    let is_determiner = |word: &str| language.has("suggest_determiners", word);
    let ends = |word: &str, list: &str| language.words(list).any(|ending| word.ends_with(ending));
    let mut found: BTreeMap<Vec<String>, Sightings> = BTreeMap::new();
    for text in texts {
        let word = |at: usize| book.word(text.words[at]);
        let is_object = |at: usize| {
            let word = word(at);
            !word.is_empty()
                && word.len() > 2
                && text.words[at].letters != Letters::Capital
                && !book.is_stop(text.words[at].id)
                && !language.has("suggest_generic", word)
                && !language.is_word(word)
                && !ends(word, "adverb_endings")
                && !ends(word, "possessives")
        };
        for at in 0..text.words.len() {
            let skipped = (at + 1..text.words.len()).take_while(|at| is_determiner(word(*at)));
            let from = at + 1 + skipped.count();
            // Behind a determiner it is a noun: "the cut looks". Without one before its object, the
            // form has to be a verb's.
            let is_verb = verbs.contains(&stem(word(at)))
                && (at == 0 || !is_determiner(word(at - 1)))
                && (from > at + 1 || ends(word(at), "suggest_verb_endings"));
            let objects = if is_verb {
                let is_object = |at: &usize| is_object(*at) && !is_noun(word(*at));
                from..from + (from..text.words.len()).take(LONGEST).take_while(is_object).count()
            } else if is_noun(word(at)) {
                at - (0..at).rev().take(LONGEST - 1).take_while(|at| is_object(*at)).count()..at
            } else {
                continue;
            };
            // The head of an English noun phrase is its last word.
            for from in objects.clone() {
                let words: Vec<&str> = (from..objects.end).map(word).collect();
                let key = words.iter().map(|word| stem(word)).collect();
                found.entry(key).or_default().add(&text.author, words.join(" "));
            }
        }
    }
    services(found)
}

/// The frequent objects that are not part of a longer one.
fn services(mut found: BTreeMap<Vec<String>, Sightings>) -> Vec<Candidate> {
    found.retain(|_, sightings| sightings.is_frequent());
    let covered = |key: &[String], count: usize| {
        found.iter().any(|(other, sightings)| {
            other.len() > key.len()
                && other.ends_with(key)
                && sightings.authors.len() as f64 >= COVERED * count as f64
        })
    };
    let kept = found.iter().filter(|(key, sightings)| !covered(key, sightings.authors.len()));
    kept.map(|(_, sightings)| {
        let mut aliases: Vec<String> = sightings.spellings.keys().cloned().collect();
        let name = sightings.spelling();
        aliases.retain(|alias| *alias != name);
        Candidate { kind: NameKind::Service, name, aliases }
    })
    .collect()
}
