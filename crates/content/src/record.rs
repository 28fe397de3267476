//! One stored review: the contract's record without `url` and `mentions`, with the keys that merging needs.

mod faults;

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(super) use faults::{Fault, JSON_SYNTAX, faults};

use super::syntax::{is_language_tag, web_url};
use contract::{
    model::{self, Day, Disclosure, OwnerReply, Rating, ReviewId},
    problem::Place,
    text::{check_length, clean},
};

/// The file and line a review is on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pub(crate) file: Option<Arc<str>>,
    pub(crate) line: usize,
}

impl Origin {
    /// Returns the line as the place of a problem.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::line(self.file.as_deref().unwrap_or("content/reviews"), self.line)
    }
}

/// A review as a line of `content/reviews/*.ndjson` stores it. Field order is the order of the keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The id, generated once.
    pub id: ReviewId,
    /// Display name, never blank.
    pub author: Author,
    /// The address of the author's picture on the platform.
    #[serde(default)]
    pub author_avatar_url: Option<WebUrl>,
    /// The stars, 1 to 5.
    pub rating: Rating,
    /// The day of the review, in the business's time zone.
    pub date: Day,
    /// The author's words.
    #[serde(default)]
    pub text: Option<Words>,
    /// The platform.
    pub source: SourceName,
    /// The review on its platform.
    #[serde(default)]
    pub source_url: Option<WebUrl>,
    /// The business's reply.
    #[serde(default)]
    pub owner_reply: Option<OwnerReply>,
    /// Whether a method of verification confirmed it; `None`: it is if a method is stated for the source.
    #[serde(default)]
    pub verified: Option<bool>,
    /// The evidence that was checked for this very review, such as an invoice number: never published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<Words>,
    /// The source marks it as one of a verified purchase.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verified_purchase: bool,
    /// The time at which the record last changed.
    pub updated: Timestamp,
    /// BCP 47 tag of the text.
    #[serde(default)]
    pub language: Option<LanguageTag>,
    /// The connection of author and business that must be disclosed.
    #[serde(default)]
    pub disclosure: Option<Disclosure>,
    /// Every id the review has at its source.
    #[serde(default)]
    pub source_ids: Vec<Box<str>>,
    /// The time at which the record was first stored, if that is not when it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<Timestamp>,
    /// The time at which an import last changed published parts of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Timestamp>,
    /// The day of the first import that lacked the review; removed when an import has it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_since: Option<Day>,
    /// The first import that lacked the business's reply; removed when an import has it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_missing: Option<Box<ReplyMissing>>,
    /// The author's account at the source: never published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author_id: Option<Box<str>>,
    /// The source's own time of its last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_updated: Option<Timestamp>,
    /// The precision of `date`, if the source gave no date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_precision: Option<DatePrecision>,
    /// The source's translation of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<Box<Translation>>,
    /// The file and line that it is on.
    #[serde(skip)]
    pub origin: Origin,
}

impl Record {
    /// A record of which nothing more is known.
    #[must_use]
    pub fn new(
        id: ReviewId,
        (author, rating): (Author, Rating),
        date: Day,
        source: SourceName,
        updated: Timestamp,
    ) -> Self {
        Self {
            id,
            author,
            author_avatar_url: None,
            rating,
            date,
            text: None,
            source,
            source_url: None,
            owner_reply: None,
            verified: None,
            verified_by: None,
            verified_purchase: false,
            updated,
            language: None,
            disclosure: None,
            source_ids: Vec::new(),
            added: None,
            changed: None,
            missing_since: None,
            reply_missing: None,
            author_id: None,
            source_updated: None,
            date_precision: None,
            translation: None,
            origin: Origin::default(),
        }
    }

    /// Returns the precision of its date.
    #[must_use]
    pub fn known_precision(&self) -> model::DatePrecision {
        self.date_precision.map_or(model::DatePrecision::Day, DatePrecision::published)
    }
}

/// The first import that lacked the business's reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyMissing {
    /// The day of the import.
    pub since: Day,
    /// The BLAKE3 hash of the export, in hexadecimal.
    pub export: Box<str>,
}

/// Characters from which on a text is long enough that two authors do not write it by chance.
const DISTINCTIVE_TEXT: usize = 40;

/// Whether a text is long enough to identify its review.
pub fn is_distinctive(text: &str) -> bool {
    text.chars().nth(DISTINCTIVE_TEXT - 1).is_some()
}

/// A text in another language than its author's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// The source's words.
    #[serde(deserialize_with = "contract::text::limited")]
    pub text: Box<str>,
    /// BCP 47 tag of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageTag>,
}

/// The unit in which the source counted back to a date: "3 months ago" is true to a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatePrecision {
    /// "2 days ago"
    Day,
    /// "a week ago"
    Week,
    /// "3 months ago"
    Month,
    /// "a year ago"
    Year,
}

impl DatePrecision {
    /// Returns the published word: the finest of the three that is not finer than this unit.
    #[must_use]
    pub fn published(self) -> model::DatePrecision {
        match self {
            Self::Day => model::DatePrecision::Day,
            Self::Week | Self::Month => model::DatePrecision::Month,
            Self::Year => model::DatePrecision::Year,
        }
    }

    /// The maximum number of days that the date can be off.
    #[must_use]
    pub fn days(self) -> u16 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 31,
            Self::Year => 366,
        }
    }
}

/// A text newtype whose `TryFrom` is the rule its key must meet.
macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident($inner:ty), |$text:ident| $convert:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(pub $inner);

        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from($text: String) -> Result<Self, String> { $convert }
        }
    };
}

text_type! {
    /// A display name: cleaned, not blank.
    Author(Box<str>), |text| match clean(&text) {
        Some(name) => check_length(&name).map(|()| Self(name.into())),
        None => Err("an author needs a name".to_owned()),
    }
}

text_type! {
    /// A review's text, cleaned. `None` if it is blank.
    Words(Option<Box<str>>), |text| {
        let words = clean(&text);
        check_length(words.as_deref().unwrap_or_default())?;
        Ok(Self(words.map(Into::into)))
    }
}

text_type! {
    /// An absolute `http` or `https` address.
    WebUrl(Box<str>), |text| web_url(&text).map(|()| Self(text.into()))
}

text_type! {
    /// A platform's name: small letters, digits, hyphens and underscores.
    SourceName(Arc<str>), |text| {
        let valid = !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
        if valid {
            Ok(Self(text.into()))
        } else {
            Err(format!("a source is written in small letters, digits, - and _, found {text:?}"))
        }
    }
}

text_type! {
    /// A BCP 47 tag.
    LanguageTag(Box<str>), |text| if is_language_tag(&text) {
        Ok(Self(text.into()))
    } else {
        Err(format!("{text:?} is not a BCP 47 language tag"))
    }
}
