//! The facts of a review that the log commits to: what author and source gave, and the business's answer.
//!
//! Anybody must compute the same commitment, so the JSON of these types is canonical (RFC 8785): their fields are in
//! the order of their names.

use contract::model::{
    DatePrecision, Day, Disclosure, DisclosureKind, OwnerReply, Rating, Review, ReviewId,
    Translation,
};
use serde::{Deserialize, Serialize};

/// The keys of a published record that come from author and source. Keys that the program computes
/// (`language`, `mentions`), that move with the site (`url`) or that change without the review
/// (`updated`, `author_avatar_url`, `verification`) are left out. Deserialized from a review of `reviews.json`, other
/// keys are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Display name.
    pub author: String,
    /// The day it was written.
    pub date: Day,
    /// The precision of the day.
    pub date_precision: DatePrecision,
    /// The connection that the owner must disclose.
    pub disclosure: Option<DisclosureFact>,
    /// The review.
    pub id: ReviewId,
    /// 1 to 5.
    pub rating: Rating,
    /// The platform.
    pub source: String,
    /// The review on its platform.
    pub source_url: Option<String>,
    /// The author's words.
    pub text: Option<String>,
    /// A translation that the source supplied.
    pub translation: Option<TranslationFact>,
    /// Whether the method stated for its source covers it.
    pub verified: bool,
}

/// A connection between author and business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisclosureFact {
    /// The kind of the connection.
    pub kind: DisclosureKind,
    /// The connection in words.
    pub note: Option<String>,
}

/// A translation without its language, which the program may have detected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslationFact {
    /// The source that supplied it.
    pub by: String,
    /// The translated words.
    pub text: String,
}

/// The business's answer. Deserialized from the `owner_reply` of a review of `reviews.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The day it was given.
    pub date: Option<Day>,
    /// The words.
    pub text: String,
}

impl From<&Review> for Facts {
    fn from(review: &Review) -> Self {
        // The log says for ever what it says of a review: a new field is one of its facts, or it is `_` here.
        let Review {
            id,
            author,
            author_avatar_url: _,
            rating,
            date,
            text,
            source,
            source_url,
            owner_reply: _,
            verified,
            verification: _,
            updated: _,
            url: _,
            language: _,
            translation,
            date_precision,
            disclosure,
            mentions: _,
            added: _,
            changed: _,
        } = review;
        Self {
            author: author.to_string(),
            date: *date,
            date_precision: *date_precision,
            disclosure: disclosure.as_ref().map(DisclosureFact::from),
            id: *id,
            rating: *rating,
            source: source.to_string(),
            source_url: source_url.as_deref().map(str::to_owned),
            text: text.as_deref().map(str::to_owned),
            translation: translation.as_ref().map(TranslationFact::from),
            verified: *verified,
        }
    }
}

impl From<&Disclosure> for DisclosureFact {
    fn from(disclosure: &Disclosure) -> Self {
        Self { kind: disclosure.kind, note: disclosure.note.clone() }
    }
}

impl From<&Translation> for TranslationFact {
    fn from(translation: &Translation) -> Self {
        Self { by: translation.by.to_string(), text: translation.text.to_string() }
    }
}

impl From<&OwnerReply> for Reply {
    fn from(reply: &OwnerReply) -> Self {
        Self { date: reply.date, text: reply.text.clone() }
    }
}
