//! Where the service answers, below the site's address (section 1 of the contract).

use crate::model::ReviewId;

/// The search.
pub const SEARCH: &str = "/api/reviews/search";

/// The reviews since a day, as a URI template (RFC 6570).
pub const SINCE: &str = "/api/reviews/since/{date}";

/// What comes before the day.
pub const SINCE_PREFIX: &str = "/api/reviews/since/";

/// The server of the Model Context Protocol.
pub const MCP: &str = "/mcp";

/// The WebSub hub.
pub const HUB: &str = "/api/websub/hub";

/// The documents that are WebSub topics: each one's path in the public directory.
pub const TOPICS: [&str; 3] = ["feed.xml", "api/feed.json", "reviews.json"];

/// The path of a review's page in the public directory, the same wherever the other pages are.
#[must_use]
pub fn review(id: ReviewId) -> String {
    format!("reviews/{id}/")
}
