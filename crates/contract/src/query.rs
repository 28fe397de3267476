//! The parameters of queries on the list of reviews. REST search, `since` and the MCP tools share
//! one table of parameters, one parser of values, and one form of issues.

mod changes;
mod cursor;
mod form;
mod given;
mod issue;
mod parameter;
mod search;
mod tools;

pub use changes::{CHANGES_CURSOR_LENGTH, ChangePosition, ChangesQuery};
pub use cursor::{CURSOR_LENGTH, Position};
pub use form::{encoded, pairs};
pub use given::Given;
pub use issue::{Code, Issue};
pub use parameter::{
    DEFAULT_LIMIT, Kind, MAX_LIMIT, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, Parameter, SEARCH,
    SINCE_DATE,
};
pub use search::{Search, since_date};
pub use tools::{ASPECT, CHANGES, FAQ_QUERY, REVIEW_ID, SERVICE, SINCE, TECHNICIAN, word};

use crate::model::{Day, Rating};

/// The conditions of a query. A review must meet all of them; every review meets the empty filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Exactly this many stars.
    pub rating: Option<Rating>,
    /// This many stars or more. A fraction in the query is rounded up to the next whole star.
    pub min_rating: Option<Rating>,
    /// On or after this day.
    pub since: Option<Day>,
    /// On or before this day.
    pub until: Option<Day>,
    /// The text contains this string: folded by [`casefold`](crate::text::casefold), never empty.
    pub needle: Option<String>,
    /// The review mentions a technician with this folded name or id.
    pub technician: Option<String>,
    /// The review mentions a service with this folded id or label.
    pub service: Option<String>,
}
