//! MCP Apps (`io.modelcontextprotocol/ui`, revision 2026-01-26): a view that shows the results of two tools. Clients
//! that do not offer to show views learn nothing of it.

use contract::mcp::ToolName;
use rmcp::model::{
    CacheScope, ClientCapabilities, JsonObject, MetaObject, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerResult,
};
use serde_json::json;

use super::catalog::object;

/// The name of the extension.
const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The only media type of views.
const VIEW: &str = "text/html;profile=mcp-app";

/// The URI of the view, for every site: all that it shows is in a result.
pub(super) const URI: &str = "ui://candor/reviews";

/// The tools whose results the view shows.
const SHOWN: [ToolName; 2] = [ToolName::GetBusiness, ToolName::SearchReviews];

/// Whether a client with these capabilities shows views in HTML.
pub(super) fn offered(capabilities: &ClientCapabilities) -> bool {
    let extension = capabilities.extensions.as_ref().and_then(|all| all.get(EXTENSION));
    let types = extension.and_then(|extension| extension.get("mimeTypes")?.as_array());
    types.is_some_and(|types| types.iter().any(|media_type| media_type == VIEW))
}

/// Adds the extension to a result for a client that shows views.
pub(super) fn add_to(result: &mut ServerResult) {
    let declare = |capabilities: &mut ServerCapabilities| {
        let all = capabilities.extensions.get_or_insert_default();
        all.insert(EXTENSION.to_owned(), JsonObject::new());
    };
    // Other clients receive other results.
    match result {
        ServerResult::InitializeResult(result) => declare(&mut result.capabilities),
        ServerResult::DiscoverResult(result) => {
            declare(&mut result.capabilities);
            result.cache_scope = CacheScope::Private;
        }
        ServerResult::ListToolsResult(result) => {
            let names = SHOWN.map(ToolName::as_str);
            for tool in result.tools.iter_mut().filter(|tool| names.contains(&&*tool.name)) {
                let meta = tool.meta.get_or_insert_default();
                meta.0.insert("ui".to_owned(), json!({ "resourceUri": URI }));
            }
            result.cache_scope = Some(CacheScope::Private);
        }
        _ => {}
    }
}

/// Returns the view: a document that requests nothing and receives each result from the client.
pub(super) fn view() -> ReadResourceResult {
    let meta = MetaObject(object(json!({ "ui": { "prefersBorder": true } })));
    let contents =
        ResourceContents::text(include_str!("view.html"), URI).with_mime_type(VIEW).with_meta(meta);
    ReadResourceResult::new(vec![contents])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_shows_views_if_it_accepts_their_media_type() {
        for (capabilities, expected) in [
            (json!({}), false),
            (json!({ "extensions": {} }), false),
            (json!({ "extensions": { EXTENSION: {} } }), false),
            (json!({ "extensions": { EXTENSION: { "mimeTypes": VIEW } } }), false),
            (json!({ "extensions": { EXTENSION: { "mimeTypes": ["text/html"] } } }), false),
            (json!({ "extensions": { "other": { "mimeTypes": [VIEW] } } }), false),
            (json!({ "extensions": { EXTENSION: { "mimeTypes": ["text/x", VIEW] } } }), true),
        ] {
            let read = serde_json::from_value(capabilities.clone()).unwrap();
            assert_eq!(offered(&read), expected, "{capabilities}");
        }
    }

    #[test]
    fn the_view_is_small_and_names_no_address() {
        let text = include_str!("view.html");
        assert!(text.len() < 10_000, "{} bytes", text.len());
        assert!(!text.contains("://"), "an address in the view");
    }
}
