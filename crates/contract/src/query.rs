//! The parameters of queries on the list of reviews. REST search, `since` and the MCP tools share
//! one table of parameters, one parser of values, and one form of issues.

mod changes;
mod cursor;
mod filter;
mod form;
mod given;
mod issue;
mod parameter;
mod search;
mod tools;
mod words;

pub use changes::{CHANGES_CURSOR_LENGTH, ChangePosition, ChangesQuery};
pub use cursor::{CURSOR_LENGTH, PageEnd, Position};
pub use filter::{Filter, Sentiment, Sort, facets, name_words};
pub use form::{check_count, encoded, pairs};
pub use given::Given;
pub use issue::{Code, Issue, MAX_PARAMETERS, shortened};
pub use parameter::{
    DEFAULT_LIMIT, Kind, MAX_IDS, MAX_LIMIT, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, Parameter, SEARCH,
    SINCE_DATE, Subject,
};
pub use search::{MAX_IGNORED, Search, ignored, since_date};
pub use tools::{
    ASPECT, CHANGES, COMPARE, CONNECTOR_QUERY, FAQ_QUERY, REVIEW_ID, SERVICE, SINCE, TECHNICIAN,
    word,
};
pub use words::{MAX_WORDS, Words};
