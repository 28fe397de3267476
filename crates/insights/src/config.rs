//! What an owner configures: aspects, names to look for, judgements of a person or another model.

use std::{str::FromStr, sync::Arc};

use contract::{model::ReviewId, problem::Place};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::opinion::Sentiment;

/// Somebody or something a review can name.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub name: Arc<str>,
    /// Further names customers use.
    pub aliases: Vec<String>,
    /// Where it is described, for problems found later.
    pub place: Place,
}

/// Somebody who does the work.
#[derive(Clone, Debug)]
pub struct Technician {
    /// Id, name and aliases.
    pub entity: Entity,
    /// First day on the job.
    pub active_from: Option<Date>,
    /// Last day on the job; afterwards there is no page and no score.
    pub active_until: Option<Date>,
    /// Whether the technician is published at all.
    pub public: bool,
    /// Whether slips in the name are forgiven.
    pub fuzzy: bool,
}

impl Technician {
    /// Whether the technician is shown with a score, judged on the day `as_of`.
    #[must_use]
    pub fn is_listed(&self, as_of: Date) -> bool {
        self.public && self.active_until.is_none_or(|last| last >= as_of)
    }
}

/// What an owner says of an aspect in `aspects.toml`.
#[derive(Clone, Debug)]
pub struct AspectRules {
    /// Slug; a built-in aspect's id adds to that aspect.
    pub id: String,
    /// Shown.
    pub label: String,
    /// Words and phrases the aspect is known by; the model judges what is said of them.
    pub keywords: Vec<String>,
    /// Phrases that contain a keyword and mean something else.
    pub exclude: Vec<String>,
    /// Phrases that say by themselves what the customer thinks.
    pub patterns: Vec<(String, Polarity)>,
    /// Where it stands, for problems found later.
    pub place: Place,
}

/// What an owner's pattern says.
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

/// `aspects.toml`
#[derive(Clone, Debug)]
pub struct AspectConfig {
    /// Whether the built-in aspects are used beside the owner's.
    pub builtin: bool,
    /// The owner's, in the order of the file.
    pub aspects: Vec<AspectRules>,
}

impl AspectConfig {
    /// Everything a judgement depends on, in one text.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = format!("{}\n", self.builtin);
        for rules in &self.aspects {
            let AspectRules { id, label: _, keywords, exclude, patterns, place: _ } = rules;
            digest.push_str(&format!("{id} {keywords:?} {exclude:?} {patterns:?}\n"));
        }
        digest
    }
}

impl Default for AspectConfig {
    fn default() -> Self {
        Self { builtin: true, aspects: Vec::new() }
    }
}

/// What a person or another model says of a review: one line of `annotations/*.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The review.
    pub review_id: ReviewId,
    /// BLAKE3 of its published text, 64 hexadecimal digits: what was judged.
    pub text_hash: String,
    /// What it says, aspect by aspect.
    #[serde(default)]
    pub aspects: Vec<AnnotatedAspect>,
    /// Technicians by id; absent: as recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technicians: Option<Vec<String>>,
    /// Services by id; absent: as recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<String>>,
    /// How it goes together with what was computed.
    #[serde(default)]
    pub mode: Mode,
    /// Who says so: a person, or a program with its version.
    pub source: String,
    /// Where it stands.
    #[serde(skip)]
    pub place: Place,
}

/// One aspect of an annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotatedAspect {
    /// The aspect's id.
    pub id: String,
    /// What the review says of it.
    pub sentiment: Sentiment,
    /// First byte and the byte after the last in the published text.
    #[serde(default)]
    pub span: Option<(u32, u32)>,
}

/// How an annotation goes together with what was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The annotation's aspects stand alone.
    #[default]
    Replace,
    /// The annotation's aspects stand beside the others, and in place of the same ones.
    Merge,
}
