//! The phrases of a site, counted once over the newest reviews, by aspect and by name.

use crate::{
    summary::document::Basis,
    summary::document::ReviewInsight,
    summary::phrases::{Counts, Phrasebook, Phrases},
    summary::reading::Readings,
};
use contract::model::{Review, ReviewId};

/// The number of newest reviews from which phrases are taken. More reviews change little and take
/// longer.
pub(crate) const PHRASE_REVIEWS: usize = 5_000;
/// The maximum number of words of a phrase.
const LONGEST: usize = 4;

/// The phrases of all texts, and of each aspect's sentences.
#[derive(Debug)]
pub(crate) struct Phrasing {
    book: Phrasebook,
    all: Counts,
    aspects: Vec<Counts>,
    /// The phrases of each of the newest reviews.
    texts: Vec<(ReviewId, Phrases)>,
}

impl Phrasing {
    pub(crate) fn of(reviews: &[Review], read: &Readings<'_>, aspects: usize) -> Self {
        let mut phrasing = Self {
            book: Phrasebook::new(),
            all: Counts::default(),
            aspects: (0..aspects).map(|_| Counts::default()).collect(),
            texts: Vec::new(),
        };
        for ((review, insight), sentences) in
            reviews.iter().zip(&read.insights).zip(&read.sentences)
        {
            let text = review.text.as_ref().filter(|_| insight.basis != Basis::Rating);
            if let Some(text) = text {
                phrasing.add(review.id, text, sentences);
            }
        }
        phrasing
    }

    fn add(&mut self, id: ReviewId, text: &str, sentences: &[(u16, (u32, u32))]) {
        let mut phrases = |range: (u32, u32)| {
            let runs = self.book.runs(&text[range.0 as usize..range.1 as usize]);
            self.book.phrases(&runs, 1..=LONGEST)
        };
        let whole = phrases((0, text.len() as u32));
        let mut by_aspect: Vec<(u16, Phrases)> = Vec::new();
        for (aspect, range) in sentences {
            let found = phrases(*range);
            match by_aspect.iter_mut().find(|(other, _)| other == aspect) {
                Some((_, all)) => all.extend(found),
                None => by_aspect.push((*aspect, found)),
            }
        }
        for (aspect, phrases) in &by_aspect {
            self.aspects[usize::from(*aspect)].add(phrases);
        }
        self.all.add(&whole);
        self.texts.push((id, whole));
    }

    /// The phrases that are specific to sentences about the aspect.
    pub(crate) fn of_aspect(&self, aspect: usize) -> Vec<String> {
        self.aspects[aspect].top(&self.all, &self.book)
    }

    /// The phrases that are specific to the texts of some reviews.
    pub(crate) fn of_reviews(&self, is_one: impl Fn(ReviewId) -> bool) -> Vec<String> {
        let mut counts = Counts::default();
        for (_, phrases) in self.texts.iter().filter(|(id, _)| is_one(*id)) {
            counts.add(phrases);
        }
        counts.top(&self.all, &self.book)
    }
}
