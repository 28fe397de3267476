//! The tools (docs/mcp.md, "Tools"): from arguments to published JSON, or to an error message with
//! the remedy. No tool writes.

mod arguments;
mod changes;
mod entities;
mod listed;
mod names;
mod pages;
mod proofs;
mod reviews;

use std::{borrow::Cow, sync::Arc};

use contract::{
    mcp::{TOOLS, Tool, ToolName},
    model::ReviewId,
};
use serde_json::{Map, Value};

use super::{fit, text::readable};
use crate::{
    publication::snapshot::{INSIGHTS, Snapshot},
    runtime::limits::MAX_TOOL_TEXT,
};

pub(super) use arguments::quoted;

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
    snapshot: &'a Snapshot,
    tool: &'static Tool,
    arguments: &'a Map<String, Value>,
}

/// The tools that a publication offers.
pub(super) fn offered(snapshot: &Snapshot) -> impl Iterator<Item = &'static Tool> {
    let has_log = snapshot.log().is_some();
    TOOLS.iter().filter(move |tool| tool.is_offered(has_log))
}

/// The tool of this name, if the publication offers it.
pub(super) fn find(snapshot: &Snapshot, name: &str) -> Option<&'static Tool> {
    offered(snapshot).find(|tool| tool.name.as_str() == name)
}

/// Calls a tool.
pub(super) async fn call(
    snapshot: Arc<Snapshot>,
    tool: &'static Tool,
    arguments: Map<String, Value>,
) -> ToolOutcome {
    if tool.name == ToolName::GetChanges && snapshot.loaded_changes().is_none() {
        let snapshot = snapshot.clone();
        // Whether it succeeded shows when it is asked for.
        let _ = actix_web::web::block(move || snapshot.changes().is_ok()).await;
    }
    let call = Call { snapshot: &snapshot, tool, arguments: &arguments };
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
