//! Sentences of reviews, each with its review.

use serde::Serialize;

use super::view::Viewer;
use content::theme::primary_tag;
use contract::model::{Day, Review, ReviewId};
use insights::{Example, Sentiment};

/// A sentence of a review.
#[derive(Debug, Serialize)]
pub(super) struct QuoteView<'d> {
    quote: &'d str,
    cut_start: bool,
    cut_end: bool,
    href: String,
    author: &'d str,
    #[serde(skip)]
    written: Day,
    #[serde(skip)]
    pub(super) review: ReviewId,
    stars: String,
    fill: String,
    day: String,
    date: String,
    sentiment: &'static str,
    sentiment_word: String,
    language: Option<&'d str>,
}

/// Returns the examples with their reviews, those in the site's language first, then those of the last two years.
pub(super) fn quotes<'d>(
    viewer: &Viewer<'d>,
    examples: impl Iterator<Item = &'d Example>,
) -> Vec<QuoteView<'d>> {
    let newest = viewer.data.reviews.first().map(|review| review.date.date());
    let since = newest.and_then(|day| day.checked_sub(jiff::Span::new().years(2)).ok());
    let mut quotes: Vec<_> = examples.filter_map(|example| quote(viewer, example)).collect();
    let is_foreign = |tag: Option<&str>| {
        tag.is_none_or(|tag| primary_tag(tag) != primary_tag(&viewer.data.site.language))
    };
    quotes.sort_by_key(|quote| {
        (is_foreign(quote.language), since.is_some_and(|since| quote.written.date() < since))
    });
    quotes
}

/// An example with its review.
fn quote<'d>(viewer: &Viewer<'d>, example: &'d Example) -> Option<QuoteView<'d>> {
    let reviews = &viewer.data.reviews;
    let review = reviews.iter().find(|review| review.id == example.review_id)?;
    let sentiment = match example.sentiment {
        Sentiment::Positive => "positive",
        Sentiment::Neutral => "neutral",
        Sentiment::Negative => "negative",
        Sentiment::Mixed => "mixed",
    };
    Some(QuoteView {
        cut_start: example.cut_start,
        cut_end: example.cut_end,
        sentiment,
        sentiment_word: viewer.words.word(sentiment),
        ..spoken(viewer, review, &example.quote)
    })
}

/// Returns a sentence of praise with its review.
pub(super) fn spoken<'d>(viewer: &Viewer<'d>, review: &'d Review, quote: &'d str) -> QuoteView<'d> {
    let stars = [("stars", review.rating.to_string())];
    QuoteView {
        quote,
        cut_start: false,
        cut_end: false,
        href: viewer.reviews.review_href(review),
        author: &review.author,
        written: review.date,
        review: review.id,
        stars: viewer.words.say("stars_of_5", None, &stars).unwrap_or_default(),
        fill: format!("s{}0", review.rating),
        day: review.known_date(),
        date: viewer.words.review_date(review),
        sentiment: "positive",
        sentiment_word: viewer.words.word("positive"),
        language: review.language.as_deref(),
    }
}
