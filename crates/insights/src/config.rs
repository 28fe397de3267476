//! The owner's settings: aspects, names to find, annotations.

use std::{str::FromStr, sync::Arc};

use contract::{
    model::ReviewId,
    problem::{Passage, Place},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::opinion::Sentiment;

/// An entity that a review can mention.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// Other names that customers use.
    pub aliases: Vec<String>,
    /// The place of the definition, for problems found later.
    pub place: Place,
}

/// A technician.
#[derive(Clone, Debug)]
pub struct Technician {
    /// The id, the name and the aliases.
    pub entity: Entity,
    /// The first day of work.
    pub active_from: Option<Date>,
    /// The last day of work.
    pub active_until: Option<Date>,
    /// Whether the technician is published.
    pub public: bool,
    /// Whether the technician has a page and figures. By default, while active.
    pub score: Option<bool>,
    /// Whether misspellings of the name match.
    pub fuzzy: bool,
}

impl Technician {
    /// Whether the technician has a page and figures on the day `as_of`.
    #[must_use]
    pub fn is_scored(&self, as_of: Date) -> bool {
        let is_active = self.active_until.is_none_or(|last| last >= as_of);
        self.public && self.score.unwrap_or(is_active)
    }
}

/// An aspect of `aspects.toml`.
#[derive(Clone, Debug)]
pub struct AspectRules {
    /// The id (a slug). The id of a built-in aspect extends that aspect.
    pub id: String,
    /// The label.
    pub label: String,
    /// The definition in a sentence.
    pub definition: Option<String>,
    /// Words and phrases that mention the aspect. The model judges the opinion.
    pub keywords: Vec<String>,
    /// Phrases that contain a keyword and mean something else.
    pub exclude: Vec<String>,
    /// Phrases that express an opinion by themselves.
    pub patterns: Vec<(String, Polarity)>,
    /// The text of the definition, for problems found later.
    pub place: Passage,
}

/// The opinion of an owner's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Praise.
    Positive,
    /// A plain fact.
    Neutral,
    /// Blame.
    Negative,
}

impl FromStr for Polarity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "positive" => Ok(Self::Positive),
            "neutral" => Ok(Self::Neutral),
            "negative" => Ok(Self::Negative),
            _ => Err(format!("must be one of positive, neutral, negative, found {text:?}")),
        }
    }
}

/// The label of the built-in aspect `quality` of any business.
pub const QUALITY: &str = "Quality";

/// `aspects.toml`
#[derive(Clone, Debug)]
pub struct AspectConfig {
    /// Whether the built-in aspects are used in addition to the owner's.
    pub builtin: bool,
    /// The owner's aspects, in the order of the file.
    pub aspects: Vec<AspectRules>,
    /// The label of the built-in aspect `quality`, which depends on the type of the business.
    pub quality: &'static str,
}

impl AspectConfig {
    /// The owner's definition of an aspect.
    pub(crate) fn definition(&self, id: &str) -> Option<&str> {
        self.aspects.iter().find(|rules| rules.id == id)?.definition.as_deref()
    }

    /// A text that contains everything that affects a judgement.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = format!("{}\n", self.builtin);
        for rules in &self.aspects {
            let AspectRules { id, label: _, definition: _, keywords, exclude, patterns, place: _ } =
                rules;
            digest.push_str(&format!("{id} {keywords:?} {exclude:?} {patterns:?}\n"));
        }
        digest
    }
}

impl Default for AspectConfig {
    fn default() -> Self {
        Self { builtin: true, aspects: Vec::new(), quality: QUALITY }
    }
}

/// The annotation of a review by a person or another model: one line of `annotations/*.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The review.
    pub review_id: ReviewId,
    /// BLAKE3 of the published text that was judged, 64 hexadecimal digits.
    pub text_hash: String,
    /// The opinions by aspect.
    #[serde(default)]
    pub aspects: Vec<AnnotatedAspect>,
    /// Technicians by id. If absent, the recognised ones stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technicians: Option<Vec<String>>,
    /// Services by id. If absent, the recognised ones stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<String>>,
    /// The rule by which the annotation is combined with the computed result.
    #[serde(default)]
    pub mode: Mode,
    /// The author: a person, or a program with its version.
    pub source: String,
    /// The day of the judgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The version of the prompt that `candor annotate` sent. Only the row of a model has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<u32>,
    /// The place of the line.
    #[serde(skip)]
    pub place: Place,
}

/// One aspect of an annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotatedAspect {
    /// The aspect's id.
    pub id: String,
    /// The sentiment.
    pub sentiment: Sentiment,
    /// Words of the published text that support the opinion, character by character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The position of the quote in the published text, once it was searched for: the first byte, and the byte after
    /// the last.
    #[serde(skip)]
    pub span: Option<(u32, u32)>,
}

impl Annotation {
    /// Whether a model wrote it, by `candor annotate`.
    #[must_use]
    pub fn is_by_model(&self) -> bool {
        self.prompt.is_some()
    }
}

/// The rule by which an annotation is combined with the computed result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The annotation's aspects replace all computed ones.
    #[default]
    Replace,
    /// The annotation's aspects are added and replace computed ones of the same id.
    Merge,
}
