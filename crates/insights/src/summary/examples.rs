//! Selection of example sentences for an aspect.

use std::collections::BTreeSet;

use serde::Serialize;

use jiff::ToSpan;

use crate::{
    opinion::{CONFIDENT, Sentiment},
    quotes::{MAX_CHARS, Print},
    sentiment::{
        lexicon::{Lexicon, UNKNOWN},
        tokens::{Case, each_word},
    },
};
use contract::{
    model::{Day, Review, ReviewId},
    text::casefold,
};

/// The number of examples for each side.
const PER_SIDE: usize = 2;
/// The number of spare examples for each side.
const SPARE: usize = 4;
/// The length of a good quote in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 40..=MAX_CHARS;
/// The length in months of the period before the newest review whose examples are preferred.
const RECENT_MONTHS: i32 = 24;
/// The difference below which tones and margins count as equal.
const BUCKET: i32 = 100;
/// The tone from which the words of a sentence clearly praise or blame.
const PLAIN: i32 = 200;

/// An exact part of a review that shows an opinion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Example {
    /// The review it is from.
    pub review_id: ReviewId,
    /// An exact substring of its text.
    pub quote: String,
    /// What it shows.
    pub sentiment: Sentiment,
    /// Words of the same sentence precede the quote; pages print an ellipsis there.
    pub cut_start: bool,
    /// Words of the same sentence follow the quote; pages print an ellipsis there.
    pub cut_end: bool,
}

/// The first day of the period whose examples are preferred.
pub(crate) fn recent_from(newest: Option<Day>) -> Option<Day> {
    let first = newest?.date().checked_sub(RECENT_MONTHS.months()).ok()?;
    Some(first.into())
}

/// Whether the tables know each word that is written in small letters, or the word that it is a form of.
/// Most words of customers that they do not know are misspelt.
pub(crate) fn is_spelt(text: &str, lexicon: &Lexicon) -> bool {
    let stemming = &lexicon.stemming;
    let mut known = true;
    each_word(text, |_, _, case, word| {
        let is_plain = case == Case::Plain && word.starts_with(char::is_alphabetic);
        let knows = |word: &str| lexicon.id(word) != UNKNOWN;
        known &= !is_plain || knows(word) || knows(&stemming.stem(word));
    });
    known
}

/// A sentence that can be an example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'r> {
    pub(crate) review: &'r Review,
    /// Whether the review is of the last 24 months before the newest one.
    pub(crate) recent: bool,
    /// Whether the text is in the language of the site.
    pub(crate) native: bool,
    /// The position of the quote, in bytes.
    pub(crate) quote: (u32, u32),
    /// Whether the quote can be printed, and how.
    pub(crate) print: Print,
    pub(crate) sentiment: Sentiment,
    /// The margin of the opinion, -1,000 to 1,000.
    pub(crate) margin: i32,
    /// The opinion of the sentence's words alone.
    pub(crate) tone: i32,
    /// Whether the sentence mentions no other aspect.
    pub(crate) alone: bool,
    /// Whether every word of the quote is known.
    pub(crate) spelt: bool,
}

impl Candidate<'_> {
    pub(crate) fn text(&self) -> &str {
        let text = self.review.text.as_deref().unwrap_or_default();
        &text[self.quote.0 as usize..self.quote.1 as usize]
    }

    /// Sorts quotes that are fit to print first, then those in the site's language, those without unknown words, recent
    /// reviews, good quotes, the clearest words, the clearest opinion, the newest review, the id.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let first = (self.print.fit, self.native, self.spelt, self.recent, self.is_good());
        let clear = (self.tone_to_its_side() / BUCKET, self.margin.abs() / BUCKET);
        std::cmp::Reverse((first, clear, self.review.date, self.review.id))
    }

    fn tone_to_its_side(&self) -> i32 {
        if self.sentiment == Sentiment::Negative { -self.tone } else { self.tone }
    }

    fn is_good(&self) -> bool {
        let stars = self.review.rating.stars();
        let on_the_stars_side = match self.sentiment {
            Sentiment::Positive => stars >= 3,
            Sentiment::Negative => stars <= 3,
            _ => true,
        };
        self.print.fit
            && self.spelt
            && self.alone
            && on_the_stars_side
            && self.margin.abs() >= CONFIDENT
            && self.tone_to_its_side() >= PLAIN
            && LENGTHS.contains(&self.text().chars().count())
    }
}

/// Selects at most two examples of praise and two of blame, one per author and one of the same words; the second of a side is a good quote. If
/// there is blame, an example of blame is included even if no quote is fit to print. Then the spare examples: further
/// quotes of each side without unknown words.
pub(crate) fn choose(candidates: &[Candidate<'_>]) -> [Vec<Example>; 2] {
    let (mut shown, mut spare) = (Vec::new(), Vec::new());
    let (mut authors, mut told) = (BTreeSet::new(), BTreeSet::new());
    for side in [Sentiment::Positive, Sentiment::Negative] {
        let mut of_side: Vec<&Candidate<'_>> =
            candidates.iter().filter(|candidate| candidate.sentiment == side).collect();
        of_side.sort_by_cached_key(|candidate| candidate.order());
        let (mut chosen, mut spared) = (0, 0);
        for candidate in of_side.iter().filter(|candidate| candidate.print.fit) {
            let is_shown = chosen == 0 || chosen < PER_SIDE && candidate.is_good();
            let is_spare = spared < SPARE && candidate.spelt;
            let author = &*candidate.review.author;
            if !(is_shown || is_spare)
                || authors.contains(author)
                || !told.insert(letters(candidate.text()))
            {
                continue;
            }
            authors.insert(author);
            let (list, count) =
                if is_shown { (&mut shown, &mut chosen) } else { (&mut spare, &mut spared) };
            list.push(example(candidate));
            *count += 1;
        }
        let any = of_side.first().filter(|_| chosen == 0 && side == Sentiment::Negative);
        shown.extend(any.map(|candidate| example(candidate)));
    }
    [shown, spare]
}

/// The letters and digits of a text: two texts with the same are one sentence of a usual kind.
fn letters(text: &str) -> String {
    casefold(text).chars().filter(|sign| sign.is_alphanumeric()).collect()
}

/// The clearest praise of all aspects, for the top of a page.
pub(crate) fn best(candidates: &[Candidate<'_>]) -> Option<Example> {
    let praise = candidates.iter().filter(|c| c.sentiment == Sentiment::Positive && c.is_good());
    praise.min_by_key(|candidate| candidate.order()).map(example)
}

fn example(candidate: &Candidate<'_>) -> Example {
    Example {
        review_id: candidate.review.id,
        quote: candidate.text().to_owned(),
        sentiment: candidate.sentiment,
        cut_start: candidate.print.cut_start,
        cut_end: candidate.print.cut_end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_not_known() {
        let lexicon = Lexicon::new(crate::language::Language::english());
        for (text, known) in [
            ("excellent, helpful and 5 was friendly", true),
            ("Ottokar was excellent", true),
            ("excellent and freindly", false),
        ] {
            assert_eq!(is_spelt(text, &lexicon), known, "{text}");
        }
    }
}
