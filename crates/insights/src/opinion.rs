//! The opinions of one review: one vote per aspect, from its mentions and the stars.

use serde::{Deserialize, Serialize};

use crate::{
    language::Language,
    quotes::{examine, is_cut, quotable},
};
use contract::model::Rating;

/// What customers think, in the contract's words.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Sentiment {
    /// Praise.
    Positive,
    /// Neither, or nothing that is sure.
    Neutral,
    /// Blame.
    Negative,
    /// Both, each of them clearly.
    Mixed,
}

/// A margin of 1. All margins and scores here are in thousandths.
pub(crate) const ONE: i32 = 1_000;
/// The margin of a pattern that expresses an opinion.
pub(crate) const VERDICT: i32 = 900;
/// The margin below which there is no opinion: two thirds of such targets are neutral.
const OPINION: i32 = 200;
/// The margin from which an opinion is sure enough for a quote or for a mixed opinion.
pub(crate) const CONFIDENT: i32 = 400;
/// The score from which a review is positive. Below its negative a review is negative.
const DECIDED: i32 = 200;
/// The stars from which a customer is content, and those of a customer who is neither.
pub(crate) const CONTENT: u8 = 4;
pub(crate) const MIDDLE: u8 = 3;
/// The share of the stars at five stars and at one.
const PRIOR_OF_BEST: i32 = 2 * PER_STAR;
const PRIOR_OF_WORST: i32 = -2 * PER_STAR;
/// The margin of one star above or below three. Two stars do not reverse a clear text.
pub(crate) const PER_STAR: i32 = 200;

/// The opinion of a review about an aspect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// The aspect's number.
    pub aspect: u16,
    /// The vote.
    pub sentiment: Sentiment,
    /// The score, -1,000 to 1,000.
    pub score: i32,
    /// The position of the quote, in bytes of the text.
    pub quote: (u32, u32),
    /// Every mention of the aspect.
    pub places: Vec<Place>,
    /// The position of the quote that is published. `None` if the opinion could not be judged, if the
    /// detector is not sure enough of the aspect, or if no part of the text is fit to print.
    pub published: Option<(u32, u32)>,
}

impl Opinion {
    /// The clearest mention, and the position of the part of the text that shows it.
    pub(crate) fn evidence(&self, text: &str, language: &Language) -> Option<(Place, (u32, u32))> {
        let place = self.places.iter().find(|place| place.span == self.quote)?;
        Some((*place, quotable(text, place.sentence, place.span, language)))
    }

    /// The clearest mention's quote, if the detector is sure of the aspect and the quote is fit to
    /// print.
    fn printable(&self, text: &str, language: &Language) -> Option<(u32, u32)> {
        let (place, quote) = self.evidence(text, language)?;
        (place.sure && examine(text, Some(place.sentence), quote, language).fit).then_some(quote)
    }
}

/// A mention of an aspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The position, in bytes of the text.
    pub span: (u32, u32),
    /// The position of the sentence.
    pub sentence: (u32, u32),
    /// The margin before the stars, -1,000 to 1,000.
    pub margin: i32,
    /// Whether the detector is sure enough of the aspect for a quote.
    pub sure: bool,
    /// Whether words that sound like blame are, in a review of these stars.
    pub blamed: bool,
    /// The opinion of the sentence's words alone, -1,000 to 1,000: the suitability as a quote.
    pub tone: i32,
}

/// The analysis of one review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// One opinion for each aspect that the review mentions, in the order of the aspects.
    pub opinions: Vec<Opinion>,
    /// The opinion of the whole text, -1,000 to 1,000.
    pub text_score: i32,
    /// The number of sentences with clear praise and with clear blame.
    pub clear: (u32, u32),
}

/// The quotient rounded half up; 0 if the count is 0.
pub(crate) fn rounded(sum: i64, count: i64) -> i32 {
    if count == 0 { 0 } else { (2 * sum + count).div_euclid(2 * count) as i32 }
}

/// One vote per aspect from the mentions. Sorts the mentions by aspect. In reviews of four and five
/// stars, words that only sound like blame describe the problem that the customer had before, or
/// another business ("found a cracked exchanger"): such mentions are left out.
pub(crate) fn votes(
    (text, language): (&str, &Language),
    mentions: &mut Vec<(u16, Place)>,
    stars: u8,
) -> Vec<Opinion> {
    if stars >= CONTENT {
        mentions.retain(|(_, place)| place.margin > -OPINION || place.blamed);
    }
    mentions.sort_by_key(|(aspect, _)| *aspect);
    let prior = PER_STAR * (i32::from(stars) - 3);
    // The text decides: the stars of a content customer do not soften a complaint.
    let complains = |place: &Place| place.blamed && place.margin <= -OPINION;
    let opinion = |chunk: &[(u16, Place)]| {
        let places: Vec<Place> = chunk.iter().map(|(_, place)| *place).collect();
        let is_complaint = prior > 0 && places.iter().all(complains);
        vote((text, language), chunk[0].0, places, if is_complaint { 0 } else { prior })
    };
    mentions.chunk_by(|a, b| a.0 == b.0).map(opinion).collect()
}

fn vote(
    (text, language): (&str, &Language),
    aspect: u16,
    places: Vec<Place>,
    prior: i32,
) -> Opinion {
    // Each sentence counts once per aspect.
    let sentences: Vec<i32> = places
        .chunk_by(|a, b| a.sentence == b.sentence)
        .map(|same| rounded(same.iter().map(|p| i64::from(p.margin)).sum(), same.len() as i64))
        .collect();
    let mean = rounded(sentences.iter().map(|m| i64::from(*m)).sum(), sentences.len() as i64);
    let best = places.iter().map(|place| place.margin).max().unwrap_or(0);
    let worst = places.iter().map(|place| place.margin).min().unwrap_or(0);
    // At five stars blame is mild, and at one star praise is weak: the side of the stars counts.
    let mixed = best >= CONFIDENT && worst <= -CONFIDENT;
    let (mixed, mean) = match prior {
        PRIOR_OF_BEST if mixed => (false, best),
        PRIOR_OF_WORST if mixed => (false, worst),
        _ => (mixed, mean),
    };
    let said = places.iter().any(|place| place.margin != 0);
    let score = if said { (mean + prior).clamp(-ONE, ONE) } else { 0 };
    // Blame of an aspect is an accusation: unless it is sure, the opinion is not judged.
    let is_sure = places.iter().any(|place| place.blamed && place.margin < CONFIDENT);
    let is_doubtful = (mixed || score <= -OPINION) && !is_sure;
    let sentiment = match score {
        _ if is_doubtful => Sentiment::Neutral,
        _ if mixed => Sentiment::Mixed,
        OPINION.. => Sentiment::Positive,
        i32::MIN..=-200 => Sentiment::Negative,
        _ => Sentiment::Neutral,
    };
    let score = match score {
        _ if is_doubtful => 0,
        _ if mixed => mean,
        _ => score,
    };
    let sure = |place: &&Place| if score < 0 { -place.margin } else { place.margin };
    let quote = places.iter().rev().max_by_key(sure).map_or((0, 0), |place| place.span);
    let opinion = Opinion { aspect, sentiment, score, quote, places, published: None };
    let is_quoted = !is_doubtful && !is_cut(text, language);
    let published = is_quoted.then(|| opinion.printable(text, language)).flatten();
    Opinion { published, ..opinion }
}

/// The result of a review: three fifths stars, two fifths text. `text` is the score of the text,
/// -1,000 to 1,000, and the numbers of sentences with clear praise and clear blame.
pub(crate) fn verdict(rating: Rating, text: Option<(i32, (u32, u32))>) -> (Sentiment, i32) {
    let stars = (i32::from(rating.stars()) - 3) * ONE / 2;
    let Some((words, clear)) = text else {
        return (side(stars, false), stars);
    };
    let score = rounded(i64::from(3 * stars + 2 * words), 5);
    (side(score, clear.0 > 0 && clear.1 > 0), score)
}

fn side(score: i32, both: bool) -> Sentiment {
    match score {
        DECIDED.. => Sentiment::Positive,
        s if s <= -DECIDED => Sentiment::Negative,
        _ if both => Sentiment::Mixed,
        _ => Sentiment::Neutral,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The tap drips again.";

    /// A mention that sounds like blame.
    fn blame() -> Place {
        let whole = (0, TEXT.len() as u32);
        let (margin, tone) = (-VERDICT, -VERDICT);
        Place { span: whole, sentence: whole, margin, sure: false, blamed: false, tone }
    }

    fn sentiment(stars: u8, place: Place) -> Option<Sentiment> {
        let opinions = votes((TEXT, Language::english()), &mut vec![(0, place)], stars);
        opinions.first().map(|opinion| opinion.sentiment)
    }

    #[test]
    fn blame_that_is_not_sure_is_not_judged_and_no_opinion_of_a_content_customer() {
        use Sentiment::{Negative, Neutral, Positive};
        let blamed = Place { blamed: true, ..blame() };
        for (stars, place, expected) in [
            (1, blamed, Some(Negative)),
            (1, blame(), Some(Neutral)),
            (3, blamed, Some(Negative)),
            (3, blame(), Some(Neutral)),
            (4, blamed, Some(Negative)),
            (4, blame(), None),
            (5, blamed, Some(Negative)),
            (5, blame(), None),
        ] {
            assert_eq!(sentiment(stars, place), expected, "{stars} stars, {place:?}");
        }
        let praise = Place { margin: VERDICT, ..blame() };
        assert_eq!(sentiment(5, praise), Some(Positive), "praise accuses nobody");
    }

    #[test]
    fn what_was_not_judged_has_no_quote() {
        let sure = Place { sure: true, ..blame() };
        let praise = Place { margin: VERDICT, ..sure };
        let quote = |places: &[Place]| {
            let mut mentions: Vec<(u16, Place)> = places.iter().map(|place| (0, *place)).collect();
            votes((TEXT, Language::english()), &mut mentions, 2)[0].published
        };
        assert_eq!(quote(&[sure]), None);
        assert_eq!(quote(&[praise, sure]), None, "mixed");
        assert_eq!(quote(&[Place { blamed: true, ..sure }]), Some((0, TEXT.len() as u32)));
    }
}
