//! Pages of the documentation that the program `candor` prints (`candor help TOPIC`), and the workflows
//! that `candor init` copies. They are a crate, because a packaged crate has no files of other folders.

/// The files of `content/`.
pub const CONTENT: &str = include_str!("content.md");
/// Deployment, with the step *Deploy* of each host.
pub const DEPLOY: &str = include_str!("deploy.md");
/// Import of reviews.
pub const IMPORT: &str = include_str!("import.md");
/// Insights, annotations, answers.
pub const INSIGHTS: &str = include_str!("insights.md");
/// The MCP server.
pub const MCP: &str = include_str!("mcp.md");
/// The pages of the site.
pub const SITE: &str = include_str!("site.md");

/// The workflow that publishes to GitHub Pages.
pub const GITHUB_PAGES: &str = include_str!("ci/github-pages.yml");
/// The workflow that publishes to a server.
pub const PUBLISH: &str = include_str!("ci/publish.yml");

#[cfg(test)]
mod citations;
