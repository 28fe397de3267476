//! The dataset that published documents state, with all figures computed again (docs/proof.md, "Compute the figures
//! again").

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{Dataset, Listed, Moderation, SourceSummary, Unpublished};
use crate::{aspects::quality_label, site::Site, words::Words};
use contract::{
    model::{
        Aggregate, AggregateRating, Business, Rating, Review, Summary, Verification,
        VerificationKind,
    },
    problem::{Passage, Place, Report},
};
use insights::{
    Answer, Applied, AspectConfig, AspectRules, Entity, Facts, Input, answers, compute,
};

#[derive(Deserialize)]
struct PublishedReviews {
    generated_at: Timestamp,
    business: Business,
    sources: Vec<SourceSummary>,
    moderation: Value,
    reviews: Vec<Review>,
}

impl Dataset {
    /// Takes reviews, business and names from `reviews.json` and `insights.json`, and computes the figures. Only the
    /// settings that `site` has are known. Opinions are computed too, and the result is `true`, unless the site has
    /// aspects or annotations of its own: then they are those of `insights.json`.
    ///
    /// # Errors
    /// When it is not a `reviews.json`.
    pub fn published(
        site: Site,
        reviews_json: &[u8],
        insights: &Value,
    ) -> serde_json::Result<(Self, bool)> {
        let of: PublishedReviews = serde_json::from_slice(reviews_json)?;
        let PublishedReviews { mut business, mut sources, moderation, mut reviews, .. } = of;
        reviews.iter_mut().for_each(|review| complete(review, &site, insights));
        reviews.sort_by_key(|review| Reverse((review.date, review.id)));
        for source in &mut sources {
            let of = || reviews.iter().filter(|review| *review.source == *source.source);
            let ratings: Aggregate = of().map(|review| review.rating).collect();
            let is_platform = of().any(|it| it.verification == VerificationKind::Platform);
            (source.review_count, source.average) = (ratings.count(), ratings.average());
            if let Some(stated) = &source.verification {
                let (method, description) = (stated.method.clone(), stated.description.clone());
                let stated = Verification { method, description, url: None, is_platform };
                business.methods.insert(source.source.clone(), stated);
            }
        }
        let figures = insights["entities"]["technicians"].as_array();
        for technician in &mut business.technicians {
            let figures = figures.into_iter().flatten().find(|it| it["id"] == *technician.id);
            technician.is_scored = figures
                .is_none_or(|it| it["mention_count"] == 0 || !it["average_rating"].is_null());
        }
        let aggregate = AggregateRating::over(reviews.iter().map(|review| review.rating));
        let quality = quality_label(business.category.as_deref());
        let mut listed = Listed {
            problems: entities(&insights["entities"]["problems"]),
            topics: entities(&insights["topics"]),
            aspects: AspectConfig { quality, ..AspectConfig::default() },
            ..Listed::default()
        };
        let compute = |listed: &Listed, annotations: &Applied| {
            let input = Input {
                reviews: &reviews,
                language: &site.language,
                business: &business,
                known: listed.names(),
                config: &listed.aspects,
                annotations,
                memory: &(),
            };
            compute(&input, &Report::default())
        };
        let mut computed = compute(&listed, &Applied::default());
        let model = &insights["model"];
        let judged = model["hash"] == *computed.model_hash && model["coverage"]["annotated"] == 0;
        if !judged {
            listed.aspects.builtin = false;
            listed.aspects.aspects = aspects(&insights["aspects"]);
            let judgements = Deserialize::deserialize(&insights["per_review"])?;
            computed = compute(&listed, &Applied::published(judgements));
        }
        let words = Words::new(&site);
        let facts = Facts {
            business: &business,
            aggregate: &aggregate,
            insights: &computed,
            reviews: &reviews,
            rated: super::rated(&words, &aggregate, &sources),
            parts: super::parts(&words, &sources),
            speech: Arc::new(words),
        };
        let (mut faq, summary) =
            answers(&facts, Vec::new(), None, &Passage::default(), &Report::default());
        let owners = owners_answers(&insights["faq"]);
        faq.retain(|answer| owners.iter().all(|it| it.id != answer.id));
        let data = Self {
            title: site.title.clone().unwrap_or_default(),
            generated_at: super::newest_change(&reviews).unwrap_or(of.generated_at),
            moderation: withheld(&moderation)?,
            postal_codes: BTreeMap::new(),
            service_texts: BTreeMap::new(),
            area_texts: BTreeMap::new(),
            unpublished: Unpublished::default(),
            log: None,
            withdrawn: Vec::new(),
            drop_missing_after: None,
            insights: computed,
            site,
            business,
            aggregate,
            sources,
            reviews,
            faq: [owners, faq].concat(),
            summary: summary_of(insights["summary"].as_str(), summary),
            listed,
        };
        Ok((data, judged))
    }
}

/// Adds what `insights.json` says of a review, and what follows from its id.
fn complete(review: &mut Review, site: &Site, insights: &Value) {
    let of = &insights["per_review"][review.id.to_string()];
    let ids = |key: &str| Vec::deserialize(&of[key]).unwrap_or_default();
    review.mentions.technician_ids = ids("technicians");
    review.mentions.problems = ids("problems");
    review.mentions.topics = ids("topics");
    review.url = site.review_url(review.id).into();
    review.verified = true;
}

/// Returns the answers that the owner wrote, as they are published.
fn owners_answers(faq: &Value) -> Vec<Answer> {
    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let owners = faq.as_array().into_iter().flatten().filter(|it| it["source"] == "owner");
    let answer = |it: &Value| Answer {
        id: text(&it["id"]),
        question: text(&it["question"]),
        answer: text(&it["answer"]),
        source: "owner",
        review_ids: Vec::deserialize(&it["review_ids"]).unwrap_or_default(),
    };
    owners.map(answer).collect()
}

/// Returns the computed summary, unless the published one has other words: then the owner wrote it.
fn summary_of(published: Option<&str>, computed: Option<Summary>) -> Option<Summary> {
    let words = |text: &str| text.replace(|c: char| c.is_ascii_digit() || ".,".contains(c), "");
    match published {
        Some(text) if computed.as_ref().is_none_or(|it| words(&it.text) != words(text)) => {
            Some(Summary { text: text.to_owned(), author: None, date: None, computed: false })
        }
        _ => computed,
    }
}

fn withheld(of: &Value) -> serde_json::Result<Moderation> {
    let by_reason: BTreeMap<_, usize> = Deserialize::deserialize(&of["by_reason"])?;
    let stars = |rating: Rating| Some((rating, of["by_rating"][rating.to_string()].as_u64()?));
    let by_rating = Rating::all().filter_map(stars).map(|(it, count)| (it, count as usize));
    let withheld_count = by_reason.values().sum();
    Ok(Moderation { withheld_count, by_reason, by_rating: by_rating.collect() })
}

/// Returns the aspects of a site by their names alone.
fn aspects(of: &Value) -> Vec<AspectRules> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rules = |of: &Value| AspectRules {
        id: text(&of["id"]).unwrap_or_default(),
        label: text(&of["label"]).unwrap_or_default(),
        definition: text(&of["definition"]),
        keywords: Vec::new(),
        exclude: Vec::new(),
        patterns: Vec::new(),
        place: Passage::default(),
    };
    of.as_array().into_iter().flatten().map(rules).collect()
}

fn entities(of: &Value) -> Vec<Entity> {
    let text = |value: &Value| Arc::from(value.as_str().unwrap_or_default());
    let entity = |of: &Value| {
        let (id, name) = (text(&of["id"]), text(&of["label"]));
        Entity { id, name, aliases: Vec::new(), place: Place::default() }
    };
    of.as_array().into_iter().flatten().map(entity).collect()
}
