//! The business: who the reviews are about, and the owner's questions and summary.

use std::{collections::BTreeMap, sync::Arc};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Day, ReviewId};
use crate::problem::{Passage, Place};

/// Who the reviews are about. Every key is always there, null where nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Business {
    /// The name customers know.
    pub name: String,
    /// The registered name.
    pub legal_name: Option<String>,
    /// A sentence or two.
    pub description: Option<String>,
    /// A schema.org type such as `Plumber`.
    pub category: Option<String>,
    /// The business's own site.
    pub url: Option<String>,
    /// As one would dial it.
    pub phone: Option<String>,
    /// Public contact address.
    pub email: Option<String>,
    /// Where it is.
    pub address: Option<Address>,
    /// Where it is on a map.
    pub geo: Option<Geo>,
    /// When it is open.
    pub hours: Vec<Hours>,
    /// Where it works.
    pub service_areas: Vec<Named>,
    /// What it does.
    pub services: Vec<Service>,
    /// Who does it or did, as far as they are public.
    pub technicians: Vec<Technician>,
    /// Profiles elsewhere.
    pub same_as: Vec<String>,
    /// IANA name; review dates are days there.
    pub time_zone: String,
    /// The method of verification that all sources share; null where they differ.
    pub verification: Option<Verification>,
    /// The method of each source by its id; published with the sources.
    #[serde(skip)]
    pub methods: BTreeMap<String, Verification>,
    /// What the data may be used for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_terms: Option<DataTerms>,
    /// How the owner says that reviews are collected and judged: on a page only.
    #[serde(skip)]
    pub policy: Policy,
}

/// A postal address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Address {
    /// Street and number.
    pub street: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// State or province.
    pub region: Option<String>,
    /// ZIP or postal code.
    pub postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

/// WGS 84 coordinates in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Geo {
    /// -90 to 90
    pub latitude: f64,
    /// -180 to 180
    pub longitude: f64,
}

/// Opening hours of some days of the week, local time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hours {
    /// English names, `Monday` to `Sunday`.
    pub days: Vec<String>,
    /// `HH:MM`
    pub opens: String,
    /// `HH:MM`
    pub closes: String,
}

/// How the reviews of a source are verified, and so what is known of their authors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// In a phrase.
    pub method: String,
    /// In sentences.
    pub description: Option<String>,
    /// A page that explains it.
    pub url: Option<String>,
    /// The source is a platform, and the business checks nothing: published with each review.
    #[serde(skip)]
    pub is_platform: bool,
}

/// The source of reviews that customers sent to the business itself.
pub const DIRECT: &str = "direct";

/// The end of a day as a time of [`Hours`].
pub const END_OF_DAY: &str = "24:00";

/// The name of a source for readers: its id with a capital letter.
#[must_use]
pub fn source_name(id: &str) -> String {
    let mut letters = id.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Terms for reuse of the published data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataTerms {
    /// In words.
    pub text: String,
    /// The full text.
    pub url: Option<String>,
}

/// What the owner states about all reviews. What is not stated is not claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The day of the statements.
    pub date: Option<Day>,
    /// The statements by key of [`Policy::KEYS`], in the owner's words; no words: there is none.
    pub statements: BTreeMap<&'static str, Option<String>>,
    /// The e-mail or `https` address to which readers report a review.
    pub report: Option<String>,
}

impl Policy {
    /// The keys of the statements, in their order on the page.
    pub const KEYS: [&str; 5] = ["collected", "invited", "left_out", "incentives", "fakes"];
}

/// An id with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub name: Arc<str>,
}

/// A service the business offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Service {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub label: Arc<str>,
    /// Other words for it.
    pub aliases: Vec<String>,
}

/// A person who does the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Technician {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub name: Arc<str>,
    /// Other names that customers use.
    pub aliases: Vec<String>,
    /// The last day of work; null where none is set.
    pub active_until: Option<Day>,
    /// Whether the technician has a page and figures.
    #[serde(skip)]
    pub is_scored: bool,
}

/// The owner's settings of a review source.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
pub struct Source {
    /// The id, such as `google` or `yelp`.
    pub id: String,
    /// The business's profile on the platform.
    pub profile_url: Option<String>,
    /// The address at which a customer writes a review, if not the profile.
    pub review_url: Option<String>,
    /// The number of reviews that the platform shows.
    pub claimed_total: Option<u64>,
    /// The average that the platform shows.
    pub claimed_average: Option<f64>,
    /// Whether all reviews of the source are in the content.
    pub complete: Option<bool>,
}

/// A question of customers, with the owner's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faq {
    /// The id (a slug).
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer: Markdown with computed values.
    pub answer: String,
    /// The condition under which the entry is published.
    pub when: Option<String>,
    /// The place of the condition, for problems found later.
    pub when_place: Passage,
    /// The place of the answer, for problems found later.
    pub answer_place: Passage,
    /// The sort key, lowest first.
    pub order: i64,
    /// Reviews that support the answer, and where each is named.
    pub review_ids: Vec<(ReviewId, Place)>,
}

/// A summary of the reviews.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Markdown.
    pub text: String,
    /// The author.
    pub author: Option<String>,
    /// The date.
    pub date: Option<Date>,
    /// Computed; otherwise the owner's.
    pub computed: bool,
}
