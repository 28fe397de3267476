//! The response types of the dynamic routes. The sidecar writes them, and the published description
//! of the interface is generated from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    model::{Day, Review},
    query::Issue,
};

/// The number of reviews in a feed.
pub const FEED_SIZE: usize = 50;

/// The version of the interface: documents, routes and tools together. Within 1.x keys may be
/// added; clients ignore keys that they do not know.
pub const VERSION: &str = "1.0.0";

/// A page of reviews.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchAnswer {
    /// How many reviews meet the filters, on this page or not.
    pub matched: u64,
    /// How many of them are on this page.
    pub returned: u64,
    /// What to send as `cursor` for the next page; null on the last one.
    pub next_cursor: Option<String>,
    /// Newest first.
    pub reviews: Vec<Review>,
    /// By each parameter of `facets` and by value, where it is not 0: how many reviews meet it and all other
    /// conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "FacetCounts")]
    pub facets: Option<FacetCounts>,
    /// Names of parameters that were given and mean nothing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Values that name nothing, or several things: no review meets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<Unresolved>,
}

/// By parameter and by value: a number of reviews.
pub type FacetCounts = BTreeMap<&'static str, BTreeMap<String, u64>>;

/// A value of a parameter that does not name exactly one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unresolved {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The value, as it was sent.
    pub value: String,
    /// Ids: of those that the value can mean, or of those with a similar name. Empty if there are
    /// none.
    pub did_you_mean: Vec<String>,
}

/// The reviews from a day on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SinceAnswer {
    /// The day asked for.
    pub since: Day,
    /// How many reviews are of this day or later.
    pub matched: u64,
    /// The same: all of them are here.
    pub returned: u64,
    /// Newest first.
    pub reviews: Vec<Review>,
    /// Names of parameters that were given: none means anything here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
}

/// Why there is no other answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "Error", rename = "Error")]
pub struct ErrorBody {
    /// For programs.
    pub error: String,
    /// For people.
    pub message: String,
    /// Everything that is wrong with the parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<Issue>>,
}

impl ErrorBody {
    /// An error that is not about parameters.
    #[must_use]
    pub fn new(error: &str, message: &str) -> Self {
        Self { error: error.to_owned(), message: message.to_owned(), issues: None }
    }

    /// The 404 that programs read.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new("not_found", "There is nothing at this path.")
    }

    /// The 405 of a document.
    #[must_use]
    pub fn method_not_allowed() -> Self {
        Self::new("method_not_allowed", "This path answers GET, HEAD and OPTIONS.")
    }

    /// The body, as a web server can be configured to send it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
