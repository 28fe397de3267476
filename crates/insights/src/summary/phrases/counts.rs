//! Counts phrases by author and selects the phrases that are specific to some texts.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Phrase, Phrasebook, Phrases};

/// The maximum number of phrases of an aspect or entity.
const SHOWN: usize = 6;
/// The minimum number of authors of a phrase. Three reviewers who agree on a phrase cannot publish it.
pub(crate) const MIN_AUTHORS: u32 = 4;
/// A part of a phrase is dropped if the whole phrase has this share of the part's authors.
const COVERED: f64 = 0.6;

/// The spellings of a phrase, with the number of authors of each.
type Forms = BTreeMap<Phrase, u32>;

/// The number of authors of each phrase, and its spellings.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    by_stems: FxHashMap<Phrase, (u32, Forms)>,
    authors: u32,
}

/// A phrase that can be shown.
struct Candidate {
    score: f64,
    authors: u32,
    text: String,
    stems: Phrase,
}

impl Counts {
    /// Counts the phrases of one author.
    pub(crate) fn add(&mut self, phrases: &Phrases) {
        self.authors += 1;
        for (stems, words) in phrases {
            let entry = self.by_stems.entry(*stems).or_default();
            entry.0 += 1;
            *entry.1.entry(*words).or_default() += 1;
        }
    }

    /// The number of authors of a phrase.
    pub(crate) fn of(&self, stems: Phrase) -> u32 {
        self.by_stems.get(&stems).map_or(0, |(count, _)| *count)
    }

    /// The phrases that are specific to these texts, compared with `all`, and whose words are tied to their subject. At
    /// least the share `least` of a phrase's authors wrote it here. They are sorted by the number of authors multiplied by
    /// the log-odds against the others; ties by authors, then by text.
    pub(crate) fn top(
        &self,
        all: &Self,
        least: f64,
        book: &Phrasebook,
        mut is_tied: impl FnMut(&str) -> bool,
    ) -> Vec<String> {
        let mut candidates: Vec<Candidate> = self
            .by_stems
            .iter()
            .filter(|(stems, (authors, _))| {
                *authors >= MIN_AUTHORS && f64::from(*authors) >= least * f64::from(all.of(**stems))
            })
            .map(|(stems, (authors, forms))| Candidate {
                score: f64::from(*authors) * self.log_odds(*authors, all, *stems),
                authors: *authors,
                text: usual_form(forms, book),
                stems: *stems,
            })
            .filter(|candidate| candidate.score > 0.0 && is_tied(&candidate.text))
            .collect();
        candidates.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then(b.authors.cmp(&a.authors)).then(a.text.cmp(&b.text))
        });
        let mut kept: Vec<&Candidate> = Vec::new();
        for candidate in &candidates {
            let is_part = candidates.iter().any(|whole| is_most_of(whole, candidate));
            if !is_part && !kept.iter().any(|other| repeats(candidate, other)) {
                kept.push(candidate);
            }
        }
        kept.iter().take(SHOWN).map(|candidate| candidate.text.clone()).collect()
    }

    /// The phrases of at least this many authors, the most frequent first: usual spelling, stems,
    /// authors.
    pub(crate) fn frequent(&self, at_least: u32, book: &Phrasebook) -> Vec<(String, Phrase, u32)> {
        let mut found: Vec<(String, Phrase, u32)> = self
            .by_stems
            .iter()
            .filter(|(_, (authors, _))| *authors >= at_least)
            .map(|(stems, (authors, forms))| (usual_form(forms, book), *stems, *authors))
            .collect();
        found.sort_by(|a, b| b.2.cmp(&a.2).then(a.1.len().cmp(&b.1.len())).then(a.0.cmp(&b.0)));
        found
    }

    /// The logarithm of the odds here over the odds elsewhere, with one half added to every count.
    fn log_odds(&self, authors: u32, all: &Self, stems: Phrase) -> f64 {
        let elsewhere = f64::from(all.of(stems).saturating_sub(authors)) + 0.5;
        let others = f64::from(all.authors.saturating_sub(self.authors)) + 1.0;
        let here = f64::from(authors) + 0.5;
        let these = f64::from(self.authors) + 1.0;
        libm::log(here / these) - libm::log(elsewhere / others)
    }
}

fn contains(whole: &[u32], part: &[u32]) -> bool {
    whole.len() > part.len() && whole.windows(part.len()).any(|words| words == part)
}

/// Whether most authors of a part wrote the whole phrase.
fn is_most_of(whole: &Candidate, part: &Candidate) -> bool {
    contains(&whole.stems, &part.stems)
        && f64::from(whole.authors) >= COVERED * f64::from(part.authors)
}

/// Whether a candidate contains a selected phrase, or has its words in another order.
fn repeats(candidate: &Candidate, selected: &Candidate) -> bool {
    let words = |phrase: &Candidate| phrase.stems.iter().copied().collect::<BTreeSet<u32>>();
    contains(&candidate.stems, &selected.stems) || words(candidate) == words(selected)
}

/// The most frequent spelling; the first in alphabetical order if several are.
fn usual_form(forms: &Forms, book: &Phrasebook) -> String {
    let texts: BTreeSet<(std::cmp::Reverse<u32>, String)> =
        forms.iter().map(|(words, count)| (std::cmp::Reverse(*count), book.text(words))).collect();
    texts.into_iter().next().map(|(_, text)| text).unwrap_or_default()
}
