//! The table of the MCP tools.

use serde_json::{Value, json};

use super::{
    output::Answer,
    tool::{Tool, ToolName},
};
use crate::query::{
    ASPECT, CHANGES, COMPARE, CONNECTOR_QUERY, FAQ_QUERY, REVIEW_ID, SEARCH, SERVICE, SINCE,
    TECHNICIAN,
};

/// Every tool, in the order in which they are listed. [`Tool::is_offered`] says which a site offers.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: ToolName::GetBusiness,
        title: "The business",
        description: "Who the reviews are about: name, contact, address, opening hours, services, \
                      service areas and technicians with their ids, the average rating over all \
                      reviews with its distribution, where the reviews come from and what was \
                      withheld. Call it first: the other tools take its ids.",
        parameters: &[],
        required: &[],
        answer: Answer::Business,
    },
    Tool {
        name: ToolName::SearchReviews,
        title: "Search reviews",
        description: "Reviews that meet every filter given, newest first or in the order of `sort`; \
                      without filters, all of them. `matched` counts all that meet the filters, beyond this \
                      page.",
        parameters: SEARCH,
        required: &[],
        answer: Answer::Reviews,
    },
    Tool {
        name: ToolName::GetReviewsSince,
        title: "Reviews since a day",
        description: "Reviews of a day or later, newest first: what is new since you last looked.",
        parameters: SINCE,
        required: &["date"],
        answer: Answer::Reviews,
    },
    Tool {
        name: ToolName::GetReview,
        title: "One review",
        description: "One review by its id, with the owner's reply and a link to quote it by.",
        parameters: &[REVIEW_ID],
        required: &["id"],
        answer: Answer::Review,
    },
    Tool {
        name: ToolName::GetChanges,
        title: "What changed",
        description: "Which reviews were added, changed or removed, and when, newest first: for \
                      keeping a copy true. Removed reviews must be removed from copies.",
        parameters: CHANGES,
        required: &[],
        answer: Answer::Changes,
    },
    Tool {
        name: ToolName::ListAspects,
        title: "Aspects",
        description: "What customers judge, such as punctuality: each aspect with its definition, \
                      counts of mentions and opinions, and how many could not be judged. \
                      get_aspect_sentiment has trend, phrases and examples of one.",
        parameters: &[],
        required: &[],
        answer: Answer::Aspects,
    },
    Tool {
        name: ToolName::GetAspectSentiment,
        title: "Sentiment of an aspect",
        description: "How customers feel about one aspect, such as punctuality: counts, the \
                      range of the share of praise, trend and examples. Say counts first, such as \
                      \"27 of 28 positive, 1 unclear\".",
        parameters: &[ASPECT],
        required: &["aspect"],
        answer: Answer::Aspect,
    },
    Tool {
        name: ToolName::GetTechnician,
        title: "One technician",
        description: "What the reviews that mention one technician say: counts of opinions, \
                      average rating and example reviews. Who has retired has a day in \
                      `active_until`, and null figures unless the owner keeps them.",
        parameters: &[TECHNICIAN],
        required: &["technician"],
        answer: Answer::Entity { name: "name" },
    },
    Tool {
        name: ToolName::GetService,
        title: "One service",
        description: "What the reviews that mention one service say: counts of opinions, \
                      average rating and example reviews.",
        parameters: &[SERVICE],
        required: &["service"],
        answer: Answer::Entity { name: "label" },
    },
    Tool {
        name: ToolName::ListTopics,
        title: "Topics",
        description: "What customers talk about besides services and aspects: the topics that the \
                      owner listed, with counts.",
        parameters: &[],
        required: &[],
        answer: Answer::Topics,
    },
    Tool {
        name: ToolName::GetFaq,
        title: "Questions and answers",
        description: "Questions customers ask, with answers and the reviews that bear them out. \
                      `source` says whose each answer is: `owner`, written by the business about prices, \
                      warranty and the like, or `computed` from the reviews. Say which when you repeat one.",
        parameters: &[FAQ_QUERY],
        required: &[],
        answer: Answer::Faq,
    },
    Tool {
        name: ToolName::GetSummary,
        title: "Summary",
        description: "The owner's summary of the reviews, overall sentiment, trend, how many \
                      reviews there are and from when. A short overview to begin with.",
        parameters: &[],
        required: &[],
        answer: Answer::Summary,
    },
    Tool {
        name: ToolName::GetProof,
        title: "Proof of a review",
        description: "What the site's transparency log says about one review, published or not: \
                      its entries with their times, each with a proof that it is in the signed \
                      log, and everything that a program needs to check that.",
        parameters: &[REVIEW_ID],
        required: &["id"],
        answer: Answer::Proof,
    },
    Tool {
        name: ToolName::Search,
        title: "Search",
        description: "Reviews with these whole words as id, title and url; search_reviews has more.",
        parameters: &[CONNECTOR_QUERY],
        required: &["query"],
        answer: Answer::Results,
    },
    Tool {
        name: ToolName::Fetch,
        title: "Fetch",
        description: "One review of `search` as text.",
        parameters: &[REVIEW_ID],
        required: &["id"],
        answer: Answer::Fetched,
    },
    Tool {
        name: ToolName::CompareBusinesses,
        title: "Compare businesses",
        description: "The same of every business: average with what is partial and withheld, how many \
                      reviews have the words of `words`, how many of them criticise (one or two stars) and \
                      were answered, the newest criticism with its reply, opening hours. It ranks nothing.",
        parameters: COMPARE,
        required: &[],
        answer: Answer::Comparison,
    },
];

/// The schemas of all results as one document, by the names of the tools. They are published instead of
/// listed: with them `tools/list` is four times as long, and no client that we test needs them.
#[must_use]
pub fn result_schemas(has_log: bool) -> Value {
    let offered = TOOLS.iter().filter(|tool| tool.is_offered(has_log));
    let schemas = offered.map(|tool| (tool.name.to_string(), tool.output_schema(has_log)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Results of the MCP tools",
        "$defs": Value::Object(schemas.collect()),
    })
}

impl Tool {
    /// The tool of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::mcp::Examples;

    fn walk(schema: &Value, check: &mut impl FnMut(&Map<String, Value>)) {
        match schema {
            Value::Object(object) => {
                check(object);
                object.values().for_each(|value| walk(value, check));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, check)),
            _ => {}
        }
    }

    #[test]
    fn schemas_are_what_strict_clients_accept() {
        for tool in TOOLS {
            let input = tool.input_schema(&Examples::default());
            for schema in [&input, &tool.output_schema(true)] {
                assert_eq!(schema["type"], "object", "{}", tool.name);
                walk(schema, &mut |object| {
                    for keyword in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "format"] {
                        assert!(!object.contains_key(keyword), "{}: {keyword}", tool.name);
                    }
                    assert!(!object.get("type").is_some_and(Value::is_array), "{}", tool.name);
                    // A schema with a description that accepts any value.
                    let described = object.get("description").is_some_and(Value::is_string);
                    assert!(!described || object.len() > 1, "{}: {object:?}", tool.name);
                });
            }
            for (name, property) in input["properties"].as_object().unwrap() {
                let kind = property["type"].as_str().unwrap();
                assert!(
                    matches!(kind, "integer" | "number" | "string" | "boolean"),
                    "{}.{name}",
                    tool.name
                );
                assert!(property["description"].as_str().unwrap().len() > 10);
            }
            for name in tool.required {
                assert!(input["properties"].get(*name).is_some(), "{}.{name}", tool.name);
            }
        }
    }

    #[test]
    fn every_object_of_an_answer_describes_its_members() {
        for tool in TOOLS {
            let schema = tool.output_schema(true);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property.get("description").is_some(), "{}.{name}", tool.name);
            }
        }
    }

    #[test]
    fn a_site_without_a_log_offers_no_proof_and_its_reviews_say_nothing_of_one() {
        let refused = |has_log| {
            let tools = TOOLS.iter().filter(move |tool| !tool.is_offered(has_log));
            tools.map(|tool| tool.name).collect::<Vec<_>>()
        };
        let compared = ToolName::CompareBusinesses;
        assert_eq!(
            (refused(false), refused(true)),
            (vec![ToolName::GetProof, compared], vec![compared])
        );
        let review = Tool::find("get_review").unwrap();
        let log = |has_log| review.output_schema(has_log)["properties"].get("log").is_some();
        assert_eq!((log(false), log(true)), (false, true));
    }

    #[test]
    fn what_returns_reviews_says_that_they_are_quoted() {
        for tool in TOOLS {
            let says = tool.full_description().ends_with(super::super::QUOTED_HERE);
            assert_eq!(says, tool.answer.quotes_reviews(), "{}", tool.name);
        }
    }

    #[test]
    fn argument_texts_name_tools_and_no_files() {
        for tool in TOOLS {
            let schema = tool.input_schema(&Examples::default()).to_string();
            assert!(!schema.contains(".json"), "{}: {schema}", tool.name);
        }
        let schema = Tool::find("search_reviews").unwrap().input_schema(&Examples::default());
        let technician = schema["properties"]["mentions_technician"]["description"].as_str();
        assert!(technician.unwrap().ends_with("`get_business` lists them."), "{technician:?}");
    }

    #[test]
    fn examples_are_the_sites_own() {
        let ids = ["jo", "ann"].map(Value::from).to_vec();
        let examples = Examples::new([(ToolName::GetTechnician, "technician", ids)]);
        let schema = Tool::find("get_technician").unwrap().input_schema(&examples);
        let technician = &schema["properties"]["technician"];
        assert_eq!(technician["examples"], json!(["jo", "ann"]));
        let schema = Tool::find("get_review").unwrap().input_schema(&examples);
        assert_eq!(schema["properties"]["id"].get("examples"), None);
    }
}
