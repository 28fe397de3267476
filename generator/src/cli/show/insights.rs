//! `show --insights`: prints what was computed of reviews.

use insights::{AnnotatedAspect, Annotation, Mode, ReviewInsight, text_hash};

use crate::cli::{Context, Exit};
use content::{IdPrefix, dataset::Dataset};
use contract::{model::Review, problem::Place};

/// Prints a line for the published review with this id, or for each.
pub(super) fn run(context: &Context, id: Option<&IdPrefix>) -> anyhow::Result<Exit> {
    let (data, _) = &context.read_publishable("there is nothing to print")?;
    let ids = data.reviews.iter().map(|review| review.id);
    let chosen = id.map(|id| id.choose(ids)).transpose();
    let chosen = chosen
        .map_err(|error| anyhow::anyhow!("{error}; nothing is computed of a withheld review"))?;
    for (review, insight) in data.reviews.iter().zip(&data.insights.per_review) {
        if chosen.is_some_and(|chosen| chosen != review.id) {
            continue;
        }
        context.out.json_line(&annotation(data, review, insight))?;
    }
    Ok(Exit::Done)
}

/// Returns the computed result in the form of a judgement by a person or another model.
fn annotation(data: &Dataset, review: &Review, insight: &ReviewInsight) -> Annotation {
    let words = review.text.as_deref().unwrap_or_default();
    let aspects = insight.aspects.iter().map(|opinion| AnnotatedAspect {
        id: data.insights.aspect_ids[usize::from(opinion.aspect)].to_string(),
        sentiment: opinion.sentiment,
        quote: opinion
            .quote
            .and_then(|(from, to)| words.get(from as usize..to as usize))
            .map(str::to_owned),
        span: None,
    });
    let ids = |list: &[std::sync::Arc<str>]| Some(list.iter().map(ToString::to_string).collect());
    let source = match &insight.judged_by {
        Some(source) => source.to_string(),
        None => format!("candor {}", &data.insights.model_hash[..12]),
    };
    Annotation {
        review_id: review.id,
        text_hash: text_hash(review.text.as_deref()),
        aspects: aspects.collect(),
        technicians: ids(&review.mentions.technician_ids),
        services: ids(&review.mentions.services),
        mode: Mode::Replace,
        source,
        date: None,
        prompt: None,
        place: Place::default(),
    }
}
