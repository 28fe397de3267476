//! The command `insights`: prints what is computed for each review.

use clap::Args;
use insights::{AnnotatedAspect, Annotation, Mode, ReviewInsight, text_hash};

use super::{Context, Exit, check};
use content::cache::Cache;
use content::dataset::Dataset;
use contract::{model::Review, problem::Place};

#[derive(Debug, Args)]
pub(super) struct Insights {
    /// Print what was computed of every review, one a line, as content/annotations keeps it
    #[arg(long, required = true)]
    dump: bool,
}

impl Insights {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let checked = context.read_content(&Cache::none());
        context.out.problems(&checked.problems);
        let Some(data) = checked.publishable() else {
            context.out.say(&check::summary(&checked));
            anyhow::bail!("there is nothing to print; fix the errors above");
        };
        for (review, insight) in data.reviews.iter().zip(&data.insights.per_review) {
            context.out.json_line(&annotation(data, review, insight))?;
        }
        Ok(Exit::Done)
    }
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
