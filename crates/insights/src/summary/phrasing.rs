//! The phrases of a site, counted once over the newest reviews, by aspect and by review.

use crate::{
    aspects::reader::Scratch,
    language::is_of,
    summary::{
        Input,
        document::Basis,
        phrases::{Counts, Nouns, Phrasebook, Phrases, ProperNames, Word},
        reading::{Analyst, Readings},
    },
    threads::{in_parts, threads},
};
use contract::{model::ReviewId, text::fold};

/// The minimum share of a phrase's authors who wrote it about the aspect and not only about others.
const OF_ASPECT: f64 = 0.5;

/// The phrases of the opinions about each aspect, and about all aspects. An author counts once,
/// however many reviews they wrote.
#[derive(Debug)]
pub(crate) struct Phrasing {
    book: Phrasebook,
    all: Counts,
    aspects: Vec<Counts>,
    /// The phrases of each of the newest reviews, by author.
    reviews: Vec<Vec<(ReviewId, Phrases)>>,
}

/// A review that was judged by its text.
struct Text<'a> {
    author: String,
    id: ReviewId,
    words: Vec<Word>,
    /// The aspects and the positions of their mentions.
    mentions: &'a [(u16, (u32, u32))],
}

impl Phrasing {
    pub(crate) fn of(input: &Input<'_>, read: &Readings<'_>, aspects: usize) -> Self {
        let mut book = Phrasebook::new(input.main_language());
        let mut texts = texts(input, read, &mut book);
        let words = texts.iter().map(|text| &text.words[..]);
        let names =
            ProperNames::of(words, people(input), &input.business.name, &mut book, Nouns::Kept);
        texts.iter_mut().for_each(|text| names.remove(&mut text.words));
        texts.sort_by(|a, b| a.author.cmp(&b.author));
        let mut phrasing = Self {
            book,
            all: Counts::default(),
            aspects: (0..aspects).map(|_| Counts::default()).collect(),
            reviews: Vec::new(),
        };
        let find = |_, part: &[Text<'_>]| -> Vec<Vec<(u16, Phrases)>> {
            part.iter().map(|text| phrasing.find(text)).collect()
        };
        let mut found = in_parts(&texts, threads(texts.len()), find).into_iter().flatten();
        for texts in texts.chunk_by(|a, b| a.author == b.author) {
            phrasing.add(texts, &mut found);
        }
        phrasing
    }

    /// The phrases of a text, by aspect.
    fn find(&self, text: &Text<'_>) -> Vec<(u16, Phrases)> {
        let same = text.mentions.chunk_by(|a, b| a.0 == b.0);
        let phrases = same.map(|same| {
            let spans: Vec<(u32, u32)> = same.iter().map(|(_, span)| *span).collect();
            (same[0].0, self.book.phrases(&text.words, &spans))
        });
        phrases.collect()
    }

    /// Adds the texts of one author, whose phrases are the next of `found`.
    fn add(&mut self, texts: &[Text<'_>], found: &mut impl Iterator<Item = Vec<(u16, Phrases)>>) {
        let mut all = Phrases::default();
        let mut by_aspect: Vec<Option<Phrases>> = vec![None; self.aspects.len()];
        let mut reviews = Vec::new();
        for (text, found) in texts.iter().zip(found) {
            let mut whole = Phrases::default();
            for (aspect, found) in found {
                whole.extend(&found);
                by_aspect[usize::from(aspect)].get_or_insert_default().extend(found);
            }
            all.extend(&whole);
            reviews.push((text.id, whole));
        }
        self.all.add(&all);
        for (counts, phrases) in self.aspects.iter_mut().zip(by_aspect) {
            phrases.iter().for_each(|phrases| counts.add(phrases));
        }
        self.reviews.push(reviews);
    }

    /// The phrases that are specific to opinions about the aspect, and that speak of it by themselves.
    pub(crate) fn of_aspect(&self, aspect: usize, analyst: &Analyst<'_>) -> Vec<String> {
        let compiled = analyst.compiled(self.book.language());
        let mut scratch = Scratch::default();
        self.aspects[aspect].top(&self.all, OF_ASPECT, &self.book, |phrase| {
            compiled.is_none_or(|it| it.reader.speaks_of(phrase, aspect as u16, &mut scratch))
        })
    }

    /// The phrases that are specific to the opinions of some reviews.
    pub(crate) fn of_reviews(&self, is_one: impl Fn(ReviewId) -> bool) -> Vec<String> {
        let mut counts = Counts::default();
        for author in &self.reviews {
            let chosen: Vec<&Phrases> =
                author.iter().filter(|(id, _)| is_one(*id)).map(|(_, phrases)| phrases).collect();
            if let [first, rest @ ..] = &chosen[..] {
                let mut phrases = (*first).clone();
                rest.iter().for_each(|more| phrases.extend(*more));
                counts.add(&phrases);
            }
        }
        counts.top(&self.all, 0.0, &self.book, |_| true)
    }
}

/// The names of technicians and of authors.
pub(crate) fn people<'a>(input: &Input<'a>) -> impl Iterator<Item = &'a str> {
    let technicians = input.known.technicians.iter().map(|technician| &technician.entity);
    let names = technicians
        .flat_map(|entity| entity.aliases.iter().map(String::as_str).chain([&*entity.name]));
    names.chain(input.reviews.iter().map(|review| &*review.author))
}

/// The newest reviews that were judged by their text, in the language of the phrases, and not by a translation.
fn texts<'a>(input: &Input<'_>, read: &'a Readings<'_>, book: &mut Phrasebook) -> Vec<Text<'a>> {
    let language = book.language();
    let reviews = input.reviews.iter().zip(&read.insights).zip(&read.mentions);
    reviews
        .filter(|((_, insight), _)| insight.basis != Basis::Rating)
        .filter(|((review, _), _)| is_of(review, language.tag()))
        .filter_map(|((review, _), mentions)| {
            let words = book.words(review.text.as_deref()?);
            Some(Text { author: fold(review.author.trim()), id: review.id, words, mentions })
        })
        .collect()
}
