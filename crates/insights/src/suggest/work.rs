//! Services: the objects of verbs and nouns of work.

use std::collections::{BTreeMap, BTreeSet};

use rust_stemmers::{Algorithm, Stemmer};

use super::{
    Candidate, Sightings, Text,
    lists::{DETERMINERS, GENERIC, NOUNS, VERBS},
};
use crate::{
    names::NameKind,
    sentiment::lexicon::is_word,
    summary::phrases::{Letters, Phrasebook},
};

/// The maximum number of words of an object.
const LONGEST: usize = 3;
/// A part of a name is not suggested if the whole name has this share of its authors.
const COVERED: f64 = 0.6;

/// The objects of work that the texts name.
pub(super) fn candidates(texts: &[Text<'_>], book: &Phrasebook) -> Vec<Candidate> {
    let stemmer = Stemmer::create(Algorithm::English);
    let stem = |word: &str| stemmer.stem(word).into_owned();
    let verbs: BTreeSet<String> = VERBS.split_ascii_whitespace().map(&stem).collect();
    let set = |list: &'static str| list.split_ascii_whitespace().collect::<BTreeSet<_>>();
    let (nouns, determiners, generic) = (set(NOUNS), set(DETERMINERS), set(GENERIC));
    let mut found: BTreeMap<Vec<String>, Sightings> = BTreeMap::new();
    for text in texts {
        let word = |at: usize| book.word(text.words[at]);
        let is_object = |at: usize| {
            let word = word(at);
            !word.is_empty()
                && word.len() > 2
                && text.words[at].letters != Letters::Capital
                && !book.is_stop(text.words[at].id)
                && !generic.contains(word)
                && !is_word(word)
                && !word.ends_with("ly")
                && !word.ends_with("'s")
        };
        for at in 0..text.words.len() {
            let skipped =
                (at + 1..text.words.len()).take_while(|at| determiners.contains(word(*at)));
            let from = at + 1 + skipped.count();
            // Behind a determiner it is a noun: "the cut looks". Without one before its object, the
            // form has to be a verb's.
            let is_verb = verbs.contains(&stem(word(at)))
                && (at == 0 || !determiners.contains(word(at - 1)))
                && (from > at + 1 || word(at).ends_with("ed") || word(at).ends_with("ing"));
            let objects = if is_verb {
                let is_object = |at: &usize| is_object(*at) && !nouns.contains(word(*at));
                from..from + (from..text.words.len()).take(LONGEST).take_while(is_object).count()
            } else if nouns.contains(word(at)) {
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
