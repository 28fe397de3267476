//! Selects the reviews to be judged.

use contract::model::{Day, Review};
use insights::{Annotation, Basis, Mode, text_hash};
use jiff::civil::Date;

use super::{
    answer::JudgedAspect,
    prompt::{self, Asked},
};
use content::dataset::Dataset;
use insights::AnnotatedAspect;

/// The reviews that the user wants to have judged.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The maximum number of reviews; the newest are kept.
    pub limit: Option<usize>,
    /// The first day; earlier reviews are left out.
    pub since: Option<Day>,
    /// The stars of the reviews; all if it is empty.
    pub ratings: Vec<u8>,
}

/// The published reviews that have words and no current annotation, newest first.
pub fn unjudged<'d>(data: &'d Dataset, selection: &Selection) -> Vec<&'d Review> {
    let insights = &data.insights.per_review;
    let reviews = data.reviews.iter().zip(insights);
    let wanted = reviews.filter(|(review, insight)| {
        review.text.is_some()
            && insight.basis != Basis::Annotation
            && selection.since.is_none_or(|since| review.date >= since)
            && (selection.ratings.is_empty()
                || selection.ratings.contains(&u8::from(review.rating)))
    });
    wanted.map(|(review, _)| review).take(selection.limit.unwrap_or(usize::MAX)).collect()
}

/// A review as it is asked about.
pub fn asked(review: &Review) -> Asked<'_> {
    Asked { text: review.text.as_deref().unwrap_or_default(), language: review.language.as_deref() }
}

/// The row of a model's judgement about the published text.
pub(crate) fn row(
    review: &Review,
    opinions: &[JudgedAspect],
    model: &str,
    date: Date,
) -> Annotation {
    let text = review.text.as_deref().unwrap_or_default();
    let aspect = |opinion: &JudgedAspect| AnnotatedAspect {
        id: opinion.aspect.clone(),
        sentiment: opinion.sentiment,
        quote: text.get(opinion.span.clone()).map(str::to_owned),
        span: None,
    };
    Annotation {
        review_id: review.id,
        text_hash: text_hash(Some(text)),
        aspects: opinions.iter().map(aspect).collect(),
        technicians: None,
        services: None,
        mode: Mode::Replace,
        source: model.to_owned(),
        date: Some(date),
        prompt: Some(prompt::VERSION),
        place: contract::problem::Place::default(),
    }
}
