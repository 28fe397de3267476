//! The insights of a site as they are published (contract 2.3), without the keys that the generator adds.

use contract::model::{Day, Ratio, ReviewId};
use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    opinion::Sentiment,
    summary::{
        examples::Example,
        tally::{Tally, Trend},
    },
};

/// The computed insights of a site's reviews.
#[derive(Clone, Debug)]
pub struct Insights {
    /// The number of reviews by basis.
    pub coverage: Coverage,
    /// The shares over all reviews.
    pub overall: Overall,
    /// The aspects, the owner's first.
    pub aspects: Vec<AspectSummary>,
    /// Technicians, services, problems and areas.
    pub entities: BTreeMap<EntityKind, Vec<EntitySummary>>,
    /// The owner's topics.
    pub topics: Vec<TopicSummary>,
    /// Every month from the first review to the last.
    pub monthly: Vec<Month>,
    /// The words that many reviews contain, the most frequent one first.
    pub frequent_words: Vec<FrequentWord>,
    /// The last half year compared with the one before.
    pub trend: Trend,
    /// One entry per review, in the order of the reviews.
    pub per_review: Vec<ReviewInsight>,
    /// The clearest praise.
    pub pull_quote: Option<Example>,
    /// The agreement of annotations and computed results.
    pub agreement: Option<Agreement>,
    /// The ids of all aspects, by number.
    pub aspect_ids: Vec<Arc<str>>,
    /// BLAKE3 of everything that affects a judgement except the reviews: tables, model, the owner's
    /// rules.
    pub model_hash: String,
    /// The tags of the languages whose texts are analysed.
    pub languages: Vec<&'static str>,
}

/// A word that many reviews contain, as praise or as criticism.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FrequentWord {
    /// The most frequent form, in small letters.
    pub word: String,
    /// The reviews that contain it in any form.
    pub review_count: u64,
}

/// How many reviews were judged how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Coverage {
    /// By their words, or those of a translation, and stars.
    pub text: u64,
    /// By their stars alone: no words.
    pub rating_only: u64,
    /// By their stars alone: words in another language than English, or in one that is uncertain,
    /// and no English translation.
    pub other_language: u64,
    /// By an annotation.
    pub annotated: u64,
}

/// What a judgement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Words, or those of a translation, and stars.
    Text,
    /// Stars alone.
    Rating,
    /// A person's or another model's word.
    Annotation,
}

/// Shares of all reviews, 0 to 100 with one decimal.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct Overall {
    /// Mean score, -1 to 1.
    pub score: Option<Ratio>,
    /// Positive reviews.
    pub positive_share: Option<Ratio>,
    /// The same as `positive_share`. Elsewhere this key is a share of praise among praise and blame.
    #[schemars(extend("deprecated" = true))]
    pub positive_pct: Option<Ratio>,
    /// Neutral and mixed reviews.
    pub neutral_pct: Option<Ratio>,
    /// Negative reviews.
    pub negative_pct: Option<Ratio>,
    /// The number of positive reviews.
    pub positive_count: u64,
    /// The number of neutral and mixed reviews.
    pub neutral_count: u64,
    /// The number of negative reviews.
    pub negative_count: u64,
}

/// The result of one review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewInsight {
    /// The overall sentiment.
    pub sentiment: Sentiment,
    /// The overall score, -1,000 to 1,000.
    pub score: i32,
    /// The basis of the judgement.
    pub basis: Basis,
    /// The opinions about aspects, in the order of the aspects.
    pub aspects: Vec<ReviewAspect>,
    /// The numbers of topics, ascending.
    pub topics: Vec<u16>,
    /// The person or model that wrote the annotation; `None` for the program.
    pub judged_by: Option<Arc<str>>,
}

/// The opinion of one review about one aspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewAspect {
    /// The number of the aspect.
    pub aspect: u16,
    /// The vote.
    pub sentiment: Sentiment,
    /// The score, -1,000 to 1,000.
    pub score: i32,
    /// The position of the quote, in bytes of the text.
    pub quote: Option<(u32, u32)>,
}

/// An aspect.
#[derive(Clone, Debug)]
pub struct AspectSummary {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The label.
    pub label: Arc<str>,
    /// The definition in a sentence: the owner's words, or those of the built-in aspect.
    pub definition: Option<Arc<str>>,
    /// The opinions, one per review.
    pub tally: Tally,
    /// The last half year compared with the one before.
    pub trend: Trend,
    /// Phrases that are specific to opinions about the aspect.
    pub top_phrases: Vec<String>,
    /// Example sentences, praise first.
    pub examples: Vec<Example>,
    /// Further example sentences, for a page that shows the reviews of the first ones in full.
    pub spare_examples: Vec<Example>,
}

/// The kind of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntityKind {
    /// A person who does the work.
    Technician,
    /// Work that the business does.
    Service,
    /// A problem that customers had.
    Problem,
    /// An area where the business works.
    ServiceArea,
}

/// A technician, service, problem or area. The opinions are those of the reviews that mention it.
#[derive(Clone, Debug)]
pub struct EntitySummary {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The name or label.
    pub name: Arc<str>,
    /// The sentiments of the reviews that mention it.
    pub tally: Tally,
    /// Phrases that are specific to the opinions of these reviews.
    pub top_phrases: Vec<String>,
    /// The newest reviews, including a negative one if there is any.
    pub example_review_ids: Vec<ReviewId>,
    /// The last day of work of a technician; `None` where none is set.
    pub active_until: Option<Day>,
    /// Whether its figures are published. Only a technician can be without.
    pub is_scored: bool,
}

/// A topic of the owner.
#[derive(Clone, Debug)]
pub struct TopicSummary {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The label.
    pub label: Arc<str>,
    /// The sentiments of the reviews that mention it.
    pub tally: Tally,
    /// The newest reviews, including a negative one if there is any.
    pub example_review_ids: Vec<ReviewId>,
}

/// The reviews of one month.
#[derive(Clone, Copy, Debug)]
pub struct Month {
    /// The first day of the month.
    pub first: Day,
    /// The reviews of the month.
    pub tally: Tally,
}

/// The agreement of annotations and computed results, over the annotated reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Annotated reviews.
    pub reviews: u64,
    /// Aspects that both mention.
    pub both: u64,
    /// Aspects that only the annotation mentions.
    pub missed: u64,
    /// Aspects that only the computed result mentions.
    pub made_up: u64,
    /// Aspects that both mention with the same sentiment.
    pub same_sentiment: u64,
}

impl Agreement {
    /// Adds the counts of another part.
    pub(crate) fn add(&mut self, part: &Self) {
        self.reviews += part.reviews;
        self.both += part.both;
        self.missed += part.missed;
        self.made_up += part.made_up;
        self.same_sentiment += part.same_sentiment;
    }

    pub(super) fn count(&mut self, computed: &[ReviewAspect], judged: &[ReviewAspect]) {
        self.reviews += 1;
        for aspect in judged {
            match computed.iter().find(|other| other.aspect == aspect.aspect) {
                Some(other) => {
                    self.both += 1;
                    self.same_sentiment += u64::from(other.sentiment == aspect.sentiment);
                }
                None => self.missed += 1,
            }
        }
        let only =
            |aspect: &&ReviewAspect| !judged.iter().any(|other| other.aspect == aspect.aspect);
        self.made_up += computed.iter().filter(only).count() as u64;
    }
}
