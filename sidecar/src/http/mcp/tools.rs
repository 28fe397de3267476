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

use std::borrow::Cow;

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

/// The result of a call.
#[derive(Debug)]
pub(super) enum ToolOutcome {
    /// A JSON object as the tool's schema says, the same for reading, and what else is to be said.
    Data { json: String, text: String, hint: Option<String> },
    /// What was wrong with the call, and what would be right.
    Mistake(String),
}

impl ToolOutcome {
    /// The texts of the answer: the data first.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match self {
            Self::Data { text, hint, .. } => (text, hint.as_deref()),
            Self::Mistake(text) => (text, None),
        };
        std::iter::once(first.as_str()).chain(second)
    }
}

/// The data of a result, and a hint about it.
#[derive(Debug)]
struct ToolData {
    json: String,
    hint: Option<String>,
}

impl ToolData {
    fn new(json: impl Into<String>) -> Self {
        Self { json: json.into(), hint: None }
    }
}

/// One call.
struct Call<'a> {
    served: &'a Served,
    snapshot: &'a Snapshot,
    tool: &'static Tool,
    arguments: &'a Map<String, Value>,
}

/// Calls a tool.
pub(super) async fn call(
    served: &Served,
    tool: &'static Tool,
    mut arguments: Map<String, Value>,
) -> ToolOutcome {
    let snapshot = match served.asked(tool, &mut arguments) {
        Ok(snapshot) => snapshot.clone(),
        Err(mistake) => return ToolOutcome::Mistake(readable(&mistake).into_owned()),
    };
    if tool.name == ToolName::GetChanges && snapshot.loaded_changes().is_none() {
        let snapshot = snapshot.clone();
        // Whether it succeeded shows when it is asked for.
        let _ = actix_web::web::block(move || snapshot.changes().is_ok()).await;
    }
    let call = Call { served, snapshot: &snapshot, tool, arguments: &arguments };
    match response(&call) {
        Ok(found) => call.finish(found),
        Err(mistake) => ToolOutcome::Mistake(fit::cut(&readable(&mistake), MAX_TOOL_TEXT)),
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

    /// Cuts what is too long, and makes the copy for reading.
    fn finish(&self, found: ToolData) -> ToolOutcome {
        let url = format!("{}/{INSIGHTS}", self.base_url());
        match fit::within(found.json, MAX_TOOL_TEXT, &url) {
            Some(json) => {
                let text = match readable(&json) {
                    Cow::Borrowed(same) => same.to_owned(),
                    Cow::Owned(text) => text,
                };
                ToolOutcome::Data { json, text, hint: found.hint }
            }
            None => ToolOutcome::Mistake(format!("The answer is too long for a tool. Read {url}.")),
        }
    }
}

/// The id that an argument means, in any case.
fn parse_id(word: &str) -> Option<ReviewId> {
    word.trim().to_ascii_uppercase().parse().ok()
}
