//! The tools (docs/mcp.md, "Tools"): from arguments to published JSON, or to an error message with
//! the remedy. No tool writes.

mod arguments;
mod changes;
mod compare;
mod connectors;
mod entities;
mod listed;
mod names;
mod pages;
mod proofs;
mod reviews;

use contract::{
    mcp::{Tool, ToolName},
    model::ReviewId,
};
use serde_json::{Map, Value};

use super::{
    fit,
    served::Served,
    text::{quoted, readable},
};
use crate::{
    publication::snapshot::{INSIGHTS, Snapshot},
    runtime::limits::MAX_TOOL_TEXT,
};

/// The result of a call: a JSON object as the tool's schema defines it, and further texts.
#[derive(Debug)]
pub(super) struct ToolData {
    pub(super) json: String,
    pub(super) hint: Option<String>,
}

impl ToolData {
    fn new(json: impl Into<String>) -> Self {
        Self { json: json.into(), hint: None }
    }
}

/// The arguments and the publication of one call.
struct Call<'a> {
    served: &'a Served,
    snapshot: &'a Snapshot,
    tool: &'static Tool,
    arguments: &'a Map<String, Value>,
}

/// Calls a tool.
///
/// # Errors
/// With the fault of the call, and the remedy.
pub(super) async fn call(
    served: &Served,
    tool: &'static Tool,
    mut arguments: Map<String, Value>,
) -> Result<ToolData, String> {
    let shown = |mistake: String| fit::cut(&readable(&mistake), MAX_TOOL_TEXT);
    let snapshot = served.asked(tool, &mut arguments).map_err(shown)?.1.clone();
    if tool.name == ToolName::GetChanges && snapshot.loaded_changes().is_none() {
        let snapshot = snapshot.clone();
        // Whether it succeeded shows when it is asked for.
        let _ = actix_web::web::block(move || snapshot.changes().is_ok()).await;
    }
    let call = Call { served, snapshot: &snapshot, tool, arguments: &arguments };
    let ToolData { json, hint } = response(&call).map_err(shown)?;
    let url = format!("{}/{INSIGHTS}", call.base_url());
    match fit::within(json, MAX_TOOL_TEXT, &url) {
        Some(json) => Ok(ToolData { json, hint }),
        None => Err(format!("The answer is too long for a tool. Read {url}.")),
    }
}

fn response(call: &Call<'_>) -> Result<ToolData, String> {
    match call.tool.name {
        ToolName::GetBusiness => pages::business(call),
        ToolName::SearchReviews => reviews::search(call),
        ToolName::GetReviewsSince => reviews::since(call),
        ToolName::GetReview => reviews::review(call),
        ToolName::GetChanges => changes::page(call),
        ToolName::ListAspects => entities::aspects(call),
        ToolName::GetAspectSentiment => entities::aspect(call),
        ToolName::GetTechnician => entities::technician(call),
        ToolName::GetService => entities::service(call),
        ToolName::ListTopics => pages::topics(call),
        ToolName::GetFaq => pages::faq(call),
        ToolName::GetSummary => pages::summary(call),
        ToolName::GetProof => proofs::proof(call),
        ToolName::CompareBusinesses => compare::businesses(call),
        ToolName::Search => connectors::search(call),
        ToolName::Fetch => connectors::fetch(call),
    }
}

impl Call<'_> {
    fn base_url(&self) -> &str {
        &self.snapshot.manifest.base_url
    }
}

/// Parses the id in an argument, in upper or lower case.
fn parse_id(word: &str) -> Option<ReviewId> {
    word.trim().to_ascii_uppercase().parse().ok()
}
