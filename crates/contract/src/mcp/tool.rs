//! The form of an MCP tool, and the schemas of its arguments and result.

use std::fmt;

use serde_json::{Value, json};

use super::output::Answer;
use crate::query::{Kind, Parameter, Subject};

/// The names of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolName {
    /// The business.
    GetBusiness,
    /// Reviews that meet filters.
    SearchReviews,
    /// Reviews of a day or later.
    GetReviewsSince,
    /// One review.
    GetReview,
    /// Added, changed and removed reviews.
    GetChanges,
    /// The aspects.
    ListAspects,
    /// The sentiment of one aspect.
    GetAspectSentiment,
    /// One technician.
    GetTechnician,
    /// One service.
    GetService,
    /// The topics.
    ListTopics,
    /// Questions and answers.
    GetFaq,
    /// The summary.
    GetSummary,
    /// One review in the transparency log.
    GetProof,
    /// Figures of several businesses, side by side.
    CompareBusinesses,
    /// Reviews in the shape of ChatGPT's connectors.
    Search,
    /// One review in that shape.
    Fetch,
}

impl ToolName {
    /// The name in a `tools/call`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GetBusiness => "get_business",
            Self::SearchReviews => "search_reviews",
            Self::GetReviewsSince => "get_reviews_since",
            Self::GetReview => "get_review",
            Self::GetChanges => "get_changes",
            Self::ListAspects => "list_aspects",
            Self::GetAspectSentiment => "get_aspect_sentiment",
            Self::GetTechnician => "get_technician",
            Self::GetService => "get_service",
            Self::ListTopics => "list_topics",
            Self::GetFaq => "get_faq",
            Self::GetSummary => "get_summary",
            Self::GetProof => "get_proof",
            Self::CompareBusinesses => "compare_businesses",
            Self::Search => "search",
            Self::Fetch => "fetch",
        }
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A tool. Every tool is read-only.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The name.
    pub name: ToolName,
    /// The name for people.
    pub title: &'static str,
    /// The result of the tool and when to use it, for the agent.
    pub description: &'static str,
    /// The arguments.
    pub parameters: &'static [Parameter],
    /// The names of the required arguments.
    pub required: &'static [&'static str],
    /// The form of the result.
    pub answer: Answer,
}

/// Example values from the site's own data, for the schemas of arguments: by tool and parameter.
#[derive(Clone, Debug, Default)]
pub struct Examples(Vec<(ToolName, &'static str, Vec<Value>)>);

impl Examples {
    /// Values by tool and parameter, the best first.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = (ToolName, &'static str, Vec<Value>)>) -> Self {
        Self(values.into_iter().collect())
    }

    /// The values for a parameter of a tool.
    fn of(&self, tool: ToolName, parameter: &str) -> &[Value] {
        let mut known = self.0.iter();
        let found = known.find(|(known, name, _)| *known == tool && *name == parameter);
        found.map_or(&[], |(.., values)| values)
    }
}

/// The description for callers: for a name, with the tool that lists all of the kind.
fn described(parameter: &Parameter) -> String {
    let lister = match parameter.kind {
        Kind::Name(Subject::Technician | Subject::Service | Subject::Area | Subject::Source) => {
            ToolName::GetBusiness
        }
        Kind::Name(Subject::Aspect) => ToolName::ListAspects,
        Kind::Name(Subject::Topic) => ToolName::ListTopics,
        _ => return parameter.description.to_owned(),
    };
    format!("{} `{lister}` lists them.", parameter.description)
}

impl Tool {
    /// Whether a site offers it: `get_proof` only where there is a transparency log. One site alone is not
    /// compared.
    #[must_use]
    pub fn is_offered(&self, has_log: bool) -> bool {
        match self.name {
            ToolName::GetProof => has_log,
            ToolName::CompareBusinesses => false,
            _ => true,
        }
    }

    /// The description. For tools that return review text it ends with [`super::QUOTED_HERE`].
    #[must_use]
    pub fn full_description(&self) -> String {
        if self.answer.quotes_reviews() {
            format!("{} {}", self.description, super::QUOTED_HERE)
        } else {
            self.description.to_owned()
        }
    }

    /// The JSON Schema of the arguments: an object of scalars.
    #[must_use]
    pub fn input_schema(&self, examples: &Examples) -> Value {
        let property = |parameter: &Parameter| {
            let mut schema = super::plain::plain(parameter.kind.schema());
            // Every agent reads the list; a call that breaks one of these rules gets an error with the rule.
            if let Some(schema) = schema.as_object_mut() {
                schema.remove("maxLength");
                if matches!(parameter.kind, Kind::Facets) {
                    schema.remove("pattern");
                }
            }
            // No `enum`: a strict client would refuse the names that are accepted besides ids.
            let examples = examples.of(self.name, parameter.name);
            if !examples.is_empty() {
                schema["examples"] = examples.into();
            }
            schema["description"] = described(parameter).into();
            (parameter.name.to_owned(), schema)
        };
        let mut schema = json!({
            "type": "object",
            "properties": Value::Object(self.parameters.iter().map(property).collect()),
            "additionalProperties": false,
        });
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        schema
    }

    /// The JSON Schema of the structured result on a site with or without a transparency log.
    #[must_use]
    pub fn output_schema(&self, has_log: bool) -> Value {
        self.answer.schema(has_log)
    }
}
