//! Annotations: judgements by a person or another model that replace or complete the computed
//! results.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    aspects::Aspects,
    config::{AnnotatedAspect, Annotation, AspectConfig, Mode},
    opinion::{Sentiment, VERDICT, rounded, verdict},
    summary::document::{Agreement, Basis, ReviewAspect, ReviewInsight},
};
use contract::{
    model::{Review, ReviewId},
    problem::{Report, unknown_help},
};
use serde::Deserialize;

/// The hash in an annotation: BLAKE3 of the published text, or of nothing for a review without
/// text.
#[must_use]
pub fn text_hash(text: Option<&str>) -> String {
    blake3::hash(text.unwrap_or_default().as_bytes()).to_hex().to_string()
}

/// The valid annotations, by review; or the judgements that a site publishes.
#[derive(Clone, Debug, Default)]
pub struct Applied(BTreeMap<ReviewId, Annotation>, BTreeMap<ReviewId, Judgement>);

/// The judgement of a review in a published `insights.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Judgement {
    sentiment: Sentiment,
    score: f64,
    basis: Basis,
    judged_by: Option<Arc<str>>,
    aspects: Vec<AspectJudgement>,
}

#[derive(Clone, Debug, Deserialize)]
struct AspectJudgement {
    id: String,
    sentiment: Sentiment,
    score: f64,
    quote: Option<String>,
}

impl Judgement {
    fn insight(&self, text: &str, number: impl Fn(&str) -> Option<u16>) -> ReviewInsight {
        let thousandths = |score: f64| (score * 1_000.0).round() as i32;
        let aspect = |of: &AspectJudgement| {
            let at = of.quote.as_deref().and_then(|quote| Some((text.find(quote)?, quote.len())));
            Some(ReviewAspect {
                aspect: number(&of.id)?,
                sentiment: of.sentiment,
                score: thousandths(of.score),
                quote: at.map(|(at, length)| (at as u32, (at + length) as u32)),
            })
        };
        ReviewInsight {
            sentiment: self.sentiment,
            score: thousandths(self.score),
            basis: self.basis,
            aspects: self.aspects.iter().filter_map(aspect).collect(),
            topics: Vec::new(),
            judged_by: self.judged_by.clone(),
        }
    }
}

impl Applied {
    /// Takes these judgements in place of those of the program.
    #[must_use]
    pub fn published(judgements: BTreeMap<ReviewId, Judgement>) -> Self {
        Self(BTreeMap::new(), judgements)
    }

    /// Keeps the annotations of the current texts of these reviews and reports the others. The line of
    /// a person replaces that of a model; apart from that a later line about the same review replaces
    /// an earlier one, which is reported if they differ.
    #[must_use]
    pub fn new(
        annotations: Vec<Annotation>,
        reviews: &BTreeMap<ReviewId, Option<Box<str>>>,
        config: &AspectConfig,
        report: &Report,
    ) -> Self {
        let known = Aspects::new(config);
        let aspects: Vec<&str> = known.list.iter().map(|aspect| &*aspect.id).collect();
        let mut applied: BTreeMap<ReviewId, Annotation> = BTreeMap::new();
        for mut annotation in annotations {
            let Some(text) = reviews.get(&annotation.review_id) else {
                let message = format!("there is no published review {}", annotation.review_id);
                let help = "remove the line, or correct its id; candor list shows the ids";
                report.warning("unknown-id", annotation.place.clone(), message, help);
                continue;
            };
            if annotation.text_hash != text_hash(text.as_deref()) {
                let message =
                    format!("the text of {} is another one than was judged", annotation.review_id);
                let help = if annotation.is_by_model() {
                    format!(
                        "candor annotate --model {} asks again and removes the line",
                        annotation.source
                    )
                } else {
                    "judge it again: candor show ID --insights has its present hash".to_owned()
                };
                report.warning("stale-annotation", annotation.place.clone(), message, help);
                continue;
            }
            if !is_sound(&mut annotation, text.as_deref().unwrap_or_default(), &aspects, report) {
                continue;
            }
            if let Some(earlier) = applied.get(&annotation.review_id) {
                if annotation.is_by_model() && !earlier.is_by_model() {
                    continue;
                }
                if annotation.is_by_model() == earlier.is_by_model() {
                    compare(earlier, &annotation, report);
                }
            }
            applied.insert(annotation.review_id, annotation);
        }
        Self(applied, BTreeMap::new())
    }

    /// The annotation of a review.
    #[must_use]
    pub fn get(&self, id: ReviewId) -> Option<&Annotation> {
        self.0.get(&id)
    }

    /// Applies the review's annotation and counts the agreement.
    pub(crate) fn apply(
        &self,
        review: &Review,
        number: impl Fn(&str) -> Option<u16>,
        insight: &mut ReviewInsight,
        agreement: &mut Option<Agreement>,
    ) {
        if let Some(judgement) = self.1.get(&review.id) {
            let published = judgement.insight(review.text.as_deref().unwrap_or_default(), number);
            *insight = ReviewInsight { topics: std::mem::take(&mut insight.topics), ..published };
            return;
        }
        let Some(annotation) = self.get(review.id) else { return };
        let judged: Vec<ReviewAspect> = annotation
            .aspects
            .iter()
            .filter_map(|aspect| {
                let score = score_of(aspect.sentiment);
                Some(ReviewAspect {
                    aspect: number(&aspect.id)?,
                    sentiment: aspect.sentiment,
                    score,
                    quote: aspect.span,
                })
            })
            .collect();
        agreement.get_or_insert_default().count(&insight.aspects, &judged);
        let same = |a: &ReviewAspect| judged.iter().any(|b| b.aspect == a.aspect);
        match annotation.mode {
            Mode::Replace => insight.aspects.clear(),
            Mode::Merge => insight.aspects.retain(|aspect| !same(aspect)),
        }
        insight.aspects.extend(judged);
        insight.aspects.sort_by_key(|aspect| aspect.aspect);
        insight.basis = Basis::Annotation;
        insight.judged_by = Some(Arc::from(annotation.source.as_str()));
        if !insight.aspects.is_empty() {
            let sum = insight.aspects.iter().map(|aspect| i64::from(aspect.score)).sum();
            let text = rounded(sum, insight.aspects.len() as i64);
            let clear =
                |sentiment| u32::from(insight.aspects.iter().any(|a| a.sentiment == sentiment));
            let clear = (clear(Sentiment::Positive), clear(Sentiment::Negative));
            (insight.sentiment, insight.score) = verdict(review.rating, Some((text, clear)));
        }
    }
}

/// The score of a sentiment without a score.
fn score_of(sentiment: Sentiment) -> i32 {
    match sentiment {
        Sentiment::Positive => VERDICT,
        Sentiment::Negative => -VERDICT,
        Sentiment::Neutral | Sentiment::Mixed => 0,
    }
}

/// Reports two lines about the same text that differ.
fn compare(earlier: &Annotation, later: &Annotation, report: &Report) {
    let said = |annotation: &Annotation| {
        let mut said: Vec<(String, Sentiment)> =
            annotation.aspects.iter().map(|a| (a.id.clone(), a.sentiment)).collect();
        said.sort();
        said
    };
    if said(earlier) != said(later) {
        let id = later.review_id;
        let message = format!("{} judges {id} differently; this line is used", earlier.place);
        let help = "remove the line that is wrong; candor help annotation-conflict";
        report.warning("annotation-conflict", later.place.clone(), message, help);
    }
}

/// The code, the message and the remedy.
type Fault = (&'static str, String, String);

/// Whether the annotation fits the text; if not, its faults are reported.
fn is_sound(annotation: &mut Annotation, text: &str, aspects: &[&str], report: &Report) -> bool {
    if annotation.is_by_model() {
        // Known when it was stored: the owner has removed the aspect since.
        annotation.aspects.retain(|aspect| aspects.contains(&aspect.id.as_str()));
    }
    let mut faults: Vec<Fault> = Vec::new();
    if annotation.source.trim().is_empty() {
        let help = "name the person or the model in source; it is published as judged_by";
        faults.push(("invalid-annotation", "the judge is not named".to_owned(), help.to_owned()));
    }
    let mut judged = BTreeSet::new();
    for aspect in &mut annotation.aspects {
        if !judged.insert(aspect.id.clone()) {
            let message = format!("aspect {:?} is judged twice", aspect.id);
            let help = "keep one opinion for an aspect; praise and blame together are mixed";
            faults.push(("invalid-annotation", message, help.to_owned()));
        }
        if !aspects.contains(&aspect.id.as_str()) {
            let message = format!("there is no aspect {:?}", aspect.id);
            let help = unknown_help(&aspect.id, aspects.iter().copied());
            faults.push(("unknown-id", message, help));
        }
        faults.extend(locate(aspect, text));
    }
    let is_sound = faults.is_empty();
    for (code, message, help) in faults {
        report.error(code, annotation.place.clone(), message, help);
    }
    is_sound
}

/// Finds the quote of an aspect that has one.
fn locate(aspect: &mut AnnotatedAspect, text: &str) -> Option<Fault> {
    let quote = aspect.quote.as_deref()?;
    let found = text.find(quote).filter(|_| !quote.is_empty());
    aspect.span = found.map(|at| (at as u32, (at + quote.len()) as u32));
    let message = format!("aspect {:?}: the quote is not part of the text", aspect.id);
    let help = "copy the words from the published text, character by character";
    found.is_none().then(|| ("invalid-quote", message, help.to_owned()))
}
