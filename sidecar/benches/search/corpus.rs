//! Made-up reviews in which words depend on the word before, as in real texts. Independent words
//! would misjudge whatever looks at phrases. The same size gives the same bytes on every machine.

use contract::model::{Day, Rating};
use jiff::{ToSpan, civil::date};
use sidecar::index::IndexEntry;

use crate::{random::Random, vocabulary::Vocabulary};

pub(crate) const TECHNICIANS: u32 = 12;
pub(crate) const SERVICES: u32 = 20;

/// Days the newest review is away from the oldest.
const DAYS: usize = 8 * 365;

/// How many reviews have one to five stars, in percent.
const STARS: [usize; 5] = [6, 3, 4, 9, 78];

/// What a share of the reviews says, and one in how many does.
const SAYINGS: [(&str, usize); 9] = [
    ("water heater replacement", 30),
    ("Drain cleaning", 26),
    ("they came on time", 160),
    ("die richtige Größe", 66),
    ("Hauptstraße", 150),
    ("HAUPTSTRASSE", 400),
    ("👍🏽", 40),
    ("xylophone-quartz", 20_000),
    ("double  space", 12_000),
];

/// One review in so many is in Chinese, with no spaces but between sentences.
const CHINESE: usize = 50;

pub(crate) struct Corpus {
    dates: Vec<Day>,
    ratings: Vec<Rating>,
    texts: String,
    /// Where each text ends.
    ends: Vec<usize>,
    /// Technicians, then services.
    tags: Vec<Vec<u32>>,
}

impl Corpus {
    pub(crate) fn new(reviews: usize) -> Self {
        let vocabulary = Vocabulary::new();
        let mut random = Random::new(7);
        let mut corpus = Self {
            dates: Vec::with_capacity(reviews),
            ratings: Vec::with_capacity(reviews),
            texts: String::new(),
            ends: Vec::with_capacity(reviews),
            tags: Vec::with_capacity(reviews),
        };
        for review in 0..reviews {
            corpus.push(review as f64 / reviews as f64, &vocabulary, &mut random);
        }
        corpus
    }

    /// Adds a review at a share of the whole, newest first; recent years have more.
    fn push(&mut self, share: f64, vocabulary: &Vocabulary, random: &mut Random) {
        let age = (share.powf(1.4) * DAYS as f64) as i64;
        self.dates.push(Day::from(date(2026, 1, 1) - age.days()));
        self.ratings.push(stars(random));
        if !random.one_in(40) {
            if random.one_in(CHINESE) {
                vocabulary.chinese(&mut self.texts, random)
            } else {
                write(&mut self.texts, vocabulary, random)
            }
        }
        self.ends.push(self.texts.len());
        let some = |of: u32, random: &mut Random| {
            (!random.one_in(3)).then(|| random.below(of as usize) as u32)
        };
        let technician = some(TECHNICIANS, random);
        let service = some(SERVICES, random).map(|number| TECHNICIANS + number);
        self.tags.push(technician.into_iter().chain(service).collect());
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = IndexEntry<'_>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).enumerate().map(|(review, (&start, &end))| IndexEntry {
            tags: &self.tags[review],
            ..IndexEntry::new(
                self.dates[review],
                self.ratings[review],
                (start < end).then(|| &self.texts[start..end]),
            )
        })
    }

    pub(crate) fn text_bytes(&self) -> usize {
        self.texts.len()
    }

    /// The first day of the newest 40 % and of the newest 70 %.
    pub(crate) fn days(&self) -> [Day; 2] {
        [4, 7].map(|tenths| self.dates[self.dates.len() * tenths / 10])
    }
}

fn stars(random: &mut Random) -> Rating {
    let mut left = random.below(100);
    for (rating, percent) in Rating::all().zip(STARS) {
        match left.checked_sub(percent) {
            Some(rest) => left = rest,
            None => return rating,
        }
    }
    unreachable!("the shares add up to 100")
}

/// 20 to 120 words, in sentences, with a typo in a hundred words.
fn write(text: &mut String, vocabulary: &Vocabulary, random: &mut Random) {
    let start = text.len();
    let mut word = vocabulary.first(random);
    for left in (0..20 + random.below(100)).rev() {
        let from = text.len();
        text.push_str(vocabulary.word(word));
        if random.one_in(100) {
            misspell(text, from, random);
        }
        match random.below(if left == 0 { 1 } else { 22 }) {
            0 => text.push('.'),
            1 => text.push(','),
            2 if random.one_in(8) => text.push('\n'),
            _ => {}
        }
        text.push(' ');
        for (saying, every) in SAYINGS {
            // Once per review on average, wherever it falls.
            if random.one_in(every * 70) {
                text.push_str(saying);
                text.push(' ');
            }
        }
        word = vocabulary.next(word, random);
    }
    text.truncate(text.trim_end().len().max(start));
}

/// Doubles a letter.
fn misspell(text: &mut String, from: usize, random: &mut Random) {
    let letters: Vec<(usize, char)> = text[from..].char_indices().collect();
    let (at, letter) = letters[random.below(letters.len())];
    text.insert(from + at, letter);
}
