//! Frequent phrases: n-grams of an aspect's sentences that are rarer elsewhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::sentiment::tokens::each_word;

/// The maximum number of phrases of an aspect.
const SHOWN: usize = 6;
/// The minimum number of reviews with a phrase. Three reviewers who agree on a phrase cannot publish
/// it.
const MIN_REVIEWS: u32 = 4;
/// The maximum number of words of a phrase.
const LONGEST: usize = 4;
/// A part of a phrase is dropped if the whole phrase has this share of the part's reviews.
const COVERED: f64 = 0.8;

/// Words that do not begin or end a phrase.
const STOP_WORDS: &str = "a about above after again all almost along already also although always am an and any anyone anything \
    are around as ask asked at away back be because been before being best both but by call called came can can't cannot come \
    could couldn't day days did didn't do does doesn't doing don't done down during each either else ended enough even ever every \
    everyone everything few first for from gave get gets getting give go goes going gone got had has hasn't have haven't having \
    he he's her here him his how i i'd i'll i'm i've if in into is isn't it it's its just know last later least left let like \
    little long look lot made make many may maybe me might more most much must my myself need needed never next no nobody not \
    nothing now of off on once one only or other our out over own people place put rather really right said same say says see \
    seen she she's should since so some someone something soon still such sure take taken tell than that that's the their them \
    then there these they they're they've thing things think this those though thought through time times to told too took two \
    under until up us use used very want wanted was wasn't way we we'd we're we've well went were weren't what when where which \
    while who whole why will with within without won't would wouldn't year years yet you you're your three four five six seven \
    eight nine ten hour hours minute minutes week weeks month months # s t re ve ll d m";

/// Words by number, with their stems. All phrases of a site share it.
#[derive(Debug)]
pub(crate) struct Phrasebook {
    ids: HashMap<Box<str>, u32, FxBuildHasher>,
    words: Vec<Box<str>>,
    stems: Vec<u32>,
    stop: FxHashSet<u32>,
    stemmer: StemmerOf,
}

struct StemmerOf(Stemmer);

impl std::fmt::Debug for StemmerOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stemmer")
    }
}

/// A run of words without signs in between.
type Run = Vec<u32>;
/// Distinct phrases: their stems, and one spelling.
pub(crate) type Phrases = BTreeMap<Box<[u32]>, Box<[u32]>>;
/// The spellings of a phrase, with the number of reviews of each.
type Forms = BTreeMap<Box<[u32]>, u32>;

impl Phrasebook {
    pub(crate) fn new() -> Self {
        let mut book = Self {
            ids: HashMap::default(),
            words: Vec::new(),
            stems: Vec::new(),
            stop: FxHashSet::default(),
            stemmer: StemmerOf(Stemmer::create(Algorithm::English)),
        };
        for word in STOP_WORDS.split_whitespace() {
            let id = book.id(word);
            book.stop.insert(id);
        }
        book
    }

    fn id(&mut self, word: &str) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = self.words.len() as u32;
        self.ids.insert(word.into(), id);
        self.words.push(word.into());
        self.stems.push(id);
        let stem = self.stemmer.0.stem(word).into_owned();
        if stem != word {
            let stem = self.id(&stem);
            self.stems[id as usize] = stem;
        }
        id
    }

    /// The runs of words of a text. Numbers and signs end a run.
    pub(crate) fn runs(&mut self, text: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = vec![Vec::new()];
        let mut words: Vec<u32> = Vec::new();
        each_word(text, |_, _, _, word| {
            let is_word = word.starts_with(char::is_alphabetic);
            words.push(if is_word { self.id(word) } else { u32::MAX });
        });
        for word in words {
            if word != u32::MAX {
                if let Some(run) = runs.last_mut() {
                    run.push(word);
                }
            } else if runs.last().is_some_and(|run| !run.is_empty()) {
                runs.push(Vec::new());
            }
        }
        runs
    }

    /// The distinct phrases of some runs: their stems, and one spelling.
    pub(crate) fn phrases(
        &self,
        runs: &[Run],
        lengths: std::ops::RangeInclusive<usize>,
    ) -> Phrases {
        let mut found = Phrases::new();
        for run in runs {
            for from in 0..run.len() {
                for length in lengths.clone() {
                    let Some(words) = run.get(from..from + length) else { break };
                    let outer = [words[0], words[length - 1]];
                    if outer.iter().any(|word| self.stop.contains(word)) {
                        continue;
                    }
                    let stems: Box<[u32]> =
                        words.iter().map(|word| self.stems[*word as usize]).collect();
                    found.entry(stems).or_insert_with(|| words.into());
                }
            }
        }
        found
    }

    /// The text of a phrase.
    pub(crate) fn text(&self, words: &[u32]) -> String {
        words.iter().map(|word| &*self.words[*word as usize]).collect::<Vec<_>>().join(" ")
    }
}

/// The number of reviews with each phrase, and its spellings.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    by_stems: FxHashMap<Box<[u32]>, (u32, Forms)>,
    pub(crate) reviews: u32,
}

impl Counts {
    /// Counts the phrases of one review.
    pub(crate) fn add(&mut self, phrases: &Phrases) {
        self.reviews += 1;
        for (stems, words) in phrases {
            let entry = self.by_stems.entry(stems.clone()).or_default();
            entry.0 += 1;
            *entry.1.entry(words.clone()).or_default() += 1;
        }
    }

    pub(crate) fn of(&self, stems: &[u32]) -> u32 {
        self.by_stems.get(stems).map_or(0, |(count, _)| *count)
    }

    /// The phrases that are specific to these reviews, compared with `all`. They are sorted by the
    /// number of reviews multiplied by the log-odds against the others; ties by reviews, then by
    /// text.
    pub(crate) fn top(&self, all: &Self, book: &Phrasebook) -> Vec<String> {
        let several = self.ranked(all, book, 2..=LONGEST);
        let chosen = if several.is_empty() { self.ranked(all, book, 1..=1) } else { several };
        chosen.into_iter().take(SHOWN).map(|(text, _)| text).collect()
    }

    fn ranked(
        &self,
        all: &Self,
        book: &Phrasebook,
        lengths: std::ops::RangeInclusive<usize>,
    ) -> Vec<(String, Vec<u32>)> {
        let candidates = self
            .by_stems
            .iter()
            .filter(|(stems, (count, _))| *count >= MIN_REVIEWS && lengths.contains(&stems.len()));
        let mut scored: Vec<(f64, u32, String, &[u32])> = candidates
            .map(|(stems, (count, forms))| {
                let score = f64::from(*count) * self.log_odds(*count, all, stems);
                (score, *count, usual_form(forms, book), &**stems)
            })
            .filter(|(score, ..)| *score > 0.0)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        let mut kept: Vec<(f64, u32, String, &[u32])> = Vec::new();
        for candidate in scored {
            let part_of =
                |a: &[u32], b: &[u32]| b.len() > a.len() && b.windows(a.len()).any(|w| w == a);
            let covered = kept.iter().any(|other| {
                (part_of(candidate.3, other.3)
                    && f64::from(other.1) >= COVERED * f64::from(candidate.1))
                    || part_of(other.3, candidate.3)
            });
            if !covered {
                kept.push(candidate);
            }
        }
        kept.into_iter().map(|(_, _, text, stems)| (text, stems.to_vec())).collect()
    }

    /// The logarithm of the odds here over the odds elsewhere, with one half added to every count.
    fn log_odds(&self, count: u32, all: &Self, stems: &[u32]) -> f64 {
        let elsewhere = f64::from(all.of(stems).saturating_sub(count)) + 0.5;
        let others = f64::from(all.reviews.saturating_sub(self.reviews)) + 1.0;
        let here = f64::from(count) + 0.5;
        let these = f64::from(self.reviews) + 1.0;
        libm::log(here / these) - libm::log(elsewhere / others)
    }
}

/// The most frequent spelling; the first in alphabetical order of equals.
fn usual_form(forms: &Forms, book: &Phrasebook) -> String {
    let texts: BTreeSet<(std::cmp::Reverse<u32>, String)> =
        forms.iter().map(|(words, count)| (std::cmp::Reverse(*count), book.text(words))).collect();
    texts.into_iter().next().map(|(_, text)| text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_grouped_by_stem_and_set_apart_from_the_rest() {
        let mut book = Phrasebook::new();
        let (mut here, mut all) = (Counts::default(), Counts::default());
        let texts = [
            "They arrived right on time, friendly crew.",
            "A friendly crew.",
            "Friendly crews, every visit.",
            "Such a friendly crew!",
            "Nice crew",
        ];
        for text in texts {
            let runs = book.runs(text);
            let phrases = book.phrases(&runs, 1..=4);
            here.add(&phrases);
            all.add(&phrases);
        }
        for _ in 0..8 {
            let runs = book.runs("The tap drips.");
            all.add(&book.phrases(&runs, 1..=4));
        }
        assert_eq!(here.top(&all, &book), ["friendly crew"]);
    }
}
