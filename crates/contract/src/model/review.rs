//! A published review.

use std::{fmt, str::FromStr, sync::Arc};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Day, Rating, ReviewId};

/// The name of authors without a name.
pub const ANONYMOUS: &str = "Anonymous";

/// One published review. Every key is always there, null where there is nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Generated once, survives every re-import.
    pub id: ReviewId,
    /// Display name.
    pub author: Box<str>,
    /// Where the platform shows the author's picture.
    pub author_avatar_url: Option<Box<str>>,
    /// 1 to 5.
    pub rating: Rating,
    /// The day it was written, in the business's time zone; as exact as `date_precision` says.
    pub date: Day,
    /// The author's words, NFC; null for a rating without words.
    pub text: Option<Box<str>>,
    /// The platform: `google`, `yelp`, …
    pub source: Arc<str>,
    /// The review on its platform.
    pub source_url: Option<Box<str>>,
    /// What the business answered.
    pub owner_reply: Option<OwnerReply>,
    /// Whether the method stated for its source covers it; always true for what is published. The
    /// method is in `sources`.
    pub verified: bool,
    /// How far it was checked: `purchase` where its source marks that the author bought, `business` where
    /// the method of the business covers it, `platform` where the purchase was not checked.
    pub verification: VerificationKind,
    /// When this published record last changed.
    pub updated: Timestamp,
    /// The review's own address on the site.
    pub url: Box<str>,
    /// BCP 47 tag of `text`, given by the source or detected; null when uncertain.
    pub language: Option<Box<str>>,
    /// A translation that the source supplied.
    pub translation: Option<Translation>,
    /// How exactly `date` is known. Where it is `month` or `year`, show no more than that.
    pub date_precision: DatePrecision,
    /// What the owner must disclose about it.
    pub disclosure: Option<Disclosure>,
    /// Who and what the text names.
    pub mentions: Mentions,
    /// The time it was first published here, where known: for `/changes.json` only.
    #[serde(skip)]
    pub added: Timestamp,
    /// The time it last changed here after that: for `/changes.json` only.
    #[serde(skip)]
    pub changed: Option<Timestamp>,
}

impl Review {
    /// The date as far as it is known, in ISO 8601: `2026-04-12`, `2026-04` or `2026`.
    #[must_use]
    pub fn known_date(&self) -> String {
        self.date_precision.known(self.date)
    }

    /// The day, if that is known. Series by month and trends count no other reviews.
    #[must_use]
    pub fn known_day(&self) -> Option<Day> {
        (self.date_precision == DatePrecision::Day).then_some(self.date)
    }

    /// The instant of publication for feeds: noon in UTC of the day, or the last change where that is
    /// earlier, so that no entry is published after it was updated. `None` where no day is known.
    #[must_use]
    pub fn published_at(&self) -> Option<Timestamp> {
        self.known_day().map(|day| day.noon_utc().min(self.updated))
    }
}

impl DatePrecision {
    /// A date as far as it is known, in ISO 8601: `2026-04-12`, `2026-04` or `2026`.
    #[must_use]
    pub fn known(self, date: Day) -> String {
        match self {
            Self::Day => date.to_string(),
            Self::Month => date.month(),
            Self::Year => format!("{:04}", date.date().year()),
        }
    }
}

/// The business's public answer to a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnerReply {
    /// The words, NFC.
    #[serde(deserialize_with = "crate::text::limited")]
    pub text: String,
    /// The day it was given; `null` where the source does not say.
    pub date: Option<Day>,
}

/// A translation of a review's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Translation {
    /// The translated words, NFC.
    pub text: Box<str>,
    /// BCP 47 tag of these words; null when uncertain.
    pub language: Option<Box<str>>,
    /// The source that supplied it: `google`, …
    pub by: Arc<str>,
}

/// A connection between author and business that readers must know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disclosure {
    /// What connects them.
    pub kind: DisclosureKind,
    /// In words.
    #[serde(default)]
    pub note: Option<String>,
}

/// Technicians by name, services and areas by id, each in the order of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mentions {
    /// Names.
    pub technicians: Vec<Arc<str>>,
    /// The ids of the same people; two may share a name.
    #[serde(skip)]
    pub technician_ids: Vec<Arc<str>>,
    /// Ids.
    pub services: Vec<Arc<str>>,
    /// Ids.
    pub service_areas: Vec<Arc<str>>,
    /// Ids; published in the insights only.
    #[serde(skip)]
    pub problems: Vec<Arc<str>>,
    /// Ids of the owner's topics; published in the insights only.
    #[serde(skip)]
    pub topics: Vec<Arc<str>>,
}

/// Defines an enum of a closed list of words, with the text of each.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
            JsonSchema,
        )]
        #[serde(try_from = "String", into = "String")]
        #[schemars(inline, extend("enum" = Self::WORDS))]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every word of the list, in its order.
            pub const WORDS: &[&str] = &[$($word),+];

            /// The text of the word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for $name {
            type Err = InvalidWord;

            fn from_str(text: &str) -> Result<Self, InvalidWord> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(InvalidWord { found: text.to_owned(), known: Self::WORDS }),
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidWord;
            fn try_from(text: String) -> Result<Self, InvalidWord> { text.parse() }
        }

        impl From<$name> for String {
            fn from(word: $name) -> Self { word.word().to_owned() }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.word()) }
        }
    };
}

/// The word is not on the list.
#[derive(Debug, thiserror::Error)]
#[error("must be one of {}, found {found:?}", known.join(", "))]
pub struct InvalidWord {
    found: String,
    known: &'static [&'static str],
}

words! {
    /// How exactly the date of a review is known.
    DatePrecision {
        /// The day, or the day before or after.
        Day = "day",
        /// The month, counted back from the day of an export.
        Month = "month",
        /// The year, likewise.
        Year = "year",
    }
}

words! {
    /// How far a review was checked.
    VerificationKind {
        /// Its source marks it as one of a verified purchase.
        Purchase = "purchase",
        /// The method that the business states for its source covers it.
        Business = "business",
        /// It was posted on that platform; the purchase was not checked.
        Platform = "platform",
    }
}

words! {
    /// Why a review must be marked.
    DisclosureKind {
        /// The author got something for it.
        Incentivized = "incentivized",
        /// The author belongs to the business or to somebody in it.
        Insider = "insider",
    }
}

words! {
    /// Why a review is not published. The list is closed, and no reason looks at the rating.
    WithheldReason {
        /// It exposes somebody's private data.
        PersonalData = "personal_data",
        /// It is unlawful to repeat.
        Defamatory = "defamatory",
        /// It is about something else.
        OffTopic = "off_topic",
        /// There is evidence that no customer wrote it.
        FakeSuspected = "fake_suspected",
        /// The same review twice.
        Duplicate = "duplicate",
        /// A law or a court forbids it.
        Unlawful = "unlawful",
        /// The author asked for it.
        AuthorRequest = "author_request",
        /// No method of verification covers it.
        Unverified = "unverified",
    }
}
