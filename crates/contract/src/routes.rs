//! The paths of the dynamic routes, below the site's address.

use crate::model::ReviewId;

/// The search.
pub const SEARCH: &str = "/api/reviews/search";

/// The reviews of a day or later, as a URI template (RFC 6570).
pub const SINCE: &str = "/api/reviews/since/{date}";

/// The part of that path before the day.
pub const SINCE_PREFIX: &str = "/api/reviews/since/";

/// The MCP server.
pub const MCP: &str = "/mcp";
/// The MCP server with a slash at its end, which has the same responses.
pub const MCP_WITH_SLASH: &str = "/mcp/";

/// The WebSub hub.
pub const HUB: &str = "/api/websub/hub";

/// The documents that are WebSub topics, by their paths in the public directory.
pub const TOPICS: [&str; 3] = ["feed.xml", "api/feed.json", "reviews.json"];

/// The path of a review's page in the public directory. It does not depend on where the other pages
/// are.
#[must_use]
pub fn review(id: ReviewId) -> String {
    format!("reviews/{id}/")
}

/// The path of the page that proves what a log says of a review, in the public directory and after
/// the pages' prefix. The fragment of its URL is the review's id.
pub const PROOF_PAGE: &str = "proof/";

/// The possible prefixes of the paths of pages: none, or the folder of a larger site.
pub const PAGE_PREFIXES: [&str; 2] = ["", "reviews/"];
