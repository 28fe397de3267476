//! The schemas of the tools' results.

use serde_json::{Value, json};

use super::{
    listed::{listed, review_url},
    proof,
    schema::{array, cut, integer, object, of, string, text_or_null},
};
use crate::{
    api::SearchAnswer,
    model::AggregateRating,
    model::{Business, Review},
};

/// The form of a tool's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The head of `reviews.json`.
    Business,
    /// A page of reviews.
    Reviews,
    /// One review.
    Review,
    /// A page of changes.
    Changes,
    /// All aspects.
    Aspects,
    /// One aspect.
    Aspect,
    /// An entity that reviews mention.
    Entity {
        /// The key of the entity's name.
        name: &'static str,
    },
    /// All topics.
    Topics,
    /// Questions and answers.
    Faq,
    /// The summary.
    Summary,
    /// The entries of a review in the transparency log.
    Proof,
    /// Figures of several businesses, side by side.
    Comparison,
    /// Reviews, as ChatGPT's connectors list them.
    Results,
    /// One review, as they read it.
    Fetched,
}

impl Answer {
    /// Whether the result contains text that customers wrote.
    #[must_use]
    pub fn quotes_reviews(self) -> bool {
        !matches!(self, Self::Business | Self::Changes | Self::Aspects | Self::Proof)
    }

    /// `has_log`: the site has a transparency log.
    pub(super) fn schema(self, has_log: bool) -> Value {
        match self {
            Self::Business => business(),
            Self::Reviews => page(),
            Self::Review => review(has_log),
            Self::Changes => changes(),
            Self::Aspects => aspects(),
            Self::Aspect => aspect(),
            Self::Entity { name } => entity(name),
            Self::Topics => topics(),
            Self::Faq => faq(),
            Self::Summary => summary(),
            Self::Proof => proof::proof(),
            Self::Comparison => comparison(),
            Self::Results => results(),
            Self::Fetched => fetched(),
        }
    }
}

/// The schema of a number within limits that may be null.
fn number_or_null(least: i64, most: i64) -> Value {
    json!({ "minimum": least, "maximum": most })
}

fn percentage_or_null() -> Value {
    number_or_null(0, 100)
}

fn range_or_null() -> Value {
    json!({ "properties": { "low": percentage_or_null(), "high": percentage_or_null() } })
}

fn score_or_null() -> Value {
    number_or_null(-1, 1)
}

fn stars_or_null() -> Value {
    number_or_null(1, 5)
}

fn business() -> Value {
    cut(object([
        ("generated_at", string(), "When the reviews last changed (RFC 3339)."),
        (
            "business",
            of::<Business>(),
            "Identity, contact, hours, service areas, services, people.",
        ),
        ("aggregate_rating", aggregate_rating(), "Over all published reviews."),
        (
            "sources",
            array(json!({ "type": "object" })),
            "Where the reviews come from, and how those of each source are verified.",
        ),
        ("moderation", json!({ "type": "object" }), "What was withheld, by reason and by rating."),
    ]))
}

fn aggregate_rating() -> Value {
    let mut schema = of::<AggregateRating>();
    let average = &mut schema["properties"]["average"];
    (average["minimum"], average["maximum"]) = (1.into(), 5.into());
    schema
}

fn page() -> Value {
    let mut schema = of::<SearchAnswer>();
    if let Some(properties) = schema["properties"].as_object_mut() {
        // An unknown argument or name is an error.
        properties.remove("ignored");
        properties.remove("unresolved");
    }
    schema["properties"]["reviews"] = listed("Newest first.");
    schema["properties"]["review_url"] = review_url();
    schema
}

fn review(has_log: bool) -> Value {
    let mut schema = cut(of::<Review>());
    if has_log {
        schema["properties"]["log"] = proof::logged();
    }
    schema
}

fn changes() -> Value {
    let change = object([
        ("id", string(), "The review's id."),
        ("change", json!({ "type": "string", "enum": ["added", "changed", "removed"] }), "What."),
        ("at", string(), "When (RFC 3339)."),
    ]);
    object([
        ("matched", integer(), "How many changes there are, on this page or not."),
        ("returned", integer(), "How many of them are on this page."),
        (
            "next_cursor",
            text_or_null(),
            "What to send as `cursor` for the next page; null on the last.",
        ),
        ("changes", array(change), "Newest first."),
    ])
}

/// The schema of the counts that all parts of `insights.json` share.
fn counted(name: &str) -> Value {
    let mut schema = object([
        ("id", string(), "What to ask for it by."),
        (name, string(), "Its name."),
        ("mention_count", integer(), "How many reviews mention it."),
        ("positive_count", integer(), "Of them, positive ones."),
        ("neutral_count", integer(), "Of them, neutral ones."),
        ("negative_count", integer(), "Of them, negative ones."),
        (
            "positive_pct",
            percentage_or_null(),
            "Positive among positive and negative, 0 to 100; null below five opinions, and where more than a tenth could not be judged. Say the counts first.",
        ),
        (
            "positive_range",
            range_or_null(),
            "The share if those that could not be judged are blame (low) or praise (high); null below five opinions.",
        ),
        (
            "unjudged_count",
            integer(),
            "Of the neutral ones, those of one to three stars: they could not be judged.",
        ),
        ("score", score_or_null(), "From -1 to 1; null where there is nothing to score."),
        ("top_phrases", array(string()), "What is said most."),
        ("example_review_ids", array(string()), "Reviews to look at, a negative one among them."),
    ]);
    schema["required"] = json!(["id", name, "mention_count"]);
    schema
}

fn aspect() -> Value {
    cut(defined(starred(counted("label"))))
}

/// Adds the stars of the reviews that mention it.
fn starred(mut schema: Value) -> Value {
    let words = "Mean stars of the whole reviews that mention it, given for everything they say: never say it as the rating of this alone. Null where there are none.";
    put(&mut schema, "average_rating", stars_or_null(), words);
    schema
}

/// Adds a property to the schema of an object.
fn put(schema: &mut Value, name: &str, mut value: Value, description: &str) {
    value["description"] = description.into();
    schema["properties"][name] = value;
}

/// What `list_aspects` says of an aspect; `get_aspect_sentiment` has the rest.
pub const LISTED_ASPECT: [&str; 11] = [
    "id",
    "label",
    "definition",
    "mention_count",
    "positive_count",
    "neutral_count",
    "negative_count",
    "mixed_count",
    "positive_pct",
    "positive_range",
    "unjudged_count",
];

fn aspects() -> Value {
    let mut listed = defined(counted("label"));
    if let Some(properties) = listed["properties"].as_object_mut() {
        properties.retain(|name, _| LISTED_ASPECT.contains(&name.as_str()));
    }
    cut(object([("aspects", array(listed), "All of them, the owner's first.")]))
}

fn defined(mut schema: Value) -> Value {
    let words = "What counts, in a sentence; null for an owner's aspect without one.";
    put(&mut schema, "definition", text_or_null(), words);
    schema
}

fn entity(name: &'static str) -> Value {
    let mut schema = starred(counted(name));
    schema["properties"]["example_reviews"] = listed("The examples themselves.");
    schema["properties"]["review_url"] = review_url();
    if name == "name" {
        let words = "A technician's last day of work; null where none is set.";
        put(&mut schema, "active_until", text_or_null(), words);
    }
    cut(schema)
}

fn deprecated(mut schema: Value) -> Value {
    schema["deprecated"] = true.into();
    schema
}

fn topics() -> Value {
    cut(object([("topics", array(counted("label")), "Most mentioned first.")]))
}

fn faq() -> Value {
    let entry = object([
        ("id", string(), "The question's id."),
        ("question", string(), "As customers ask."),
        ("answer", string(), "Markdown."),
        (
            "source",
            string(),
            "Whose answer it is: `owner`, written by the business, or `computed` from the reviews.",
        ),
        ("review_ids", array(string()), "Reviews that bear the answer out."),
    ]);
    cut(object([(
        "faq",
        array(entry),
        "Matching questions: the owner's in their order, then computed ones.",
    )]))
}

fn results() -> Value {
    let result = object([
        ("id", string(), "What to `fetch` it by."),
        ("title", string(), "Stars, author and day."),
        ("url", string(), "Its address."),
    ]);
    cut(object([("results", array(result), "Newest first.")]))
}

fn fetched() -> Value {
    cut(object([
        ("id", string(), "The review's id."),
        ("title", string(), "Stars, author and day."),
        ("text", string(), "What the author wrote, and the reply of the business."),
        ("url", string(), "Its address."),
        ("metadata", json!({ "type": "object" }), "Its other members."),
    ]))
}

fn comparison() -> Value {
    cut(object([
        ("critical_stars", integer(), "The most stars of a review that counts as criticism."),
        ("businesses", array(json!({ "type": "object" })), "In the order of the configuration."),
    ]))
}

fn summary() -> Value {
    let overall = object([
        ("score", score_or_null(), "From -1 to 1."),
        ("positive_share", percentage_or_null(), "Share of all scored reviews, 0 to 100."),
        ("positive_pct", deprecated(percentage_or_null()), "The same as positive_share."),
        ("neutral_pct", percentage_or_null(), "Share of all scored reviews, mixed ones included."),
        ("negative_pct", percentage_or_null(), "Share of all scored reviews."),
        ("positive_count", integer(), "Positive reviews."),
        ("neutral_count", integer(), "Neutral and mixed reviews."),
        ("negative_count", integer(), "Negative reviews."),
    ]);
    let range = object([
        ("earliest", text_or_null(), "Day of the oldest review."),
        ("latest", text_or_null(), "Day of the newest."),
    ]);
    cut(object([
        (
            "summary",
            text_or_null(),
            "Markdown: the owner's words, or computed from the reviews; null where there is neither.",
        ),
        (
            "pull_quote",
            json!({
                "properties": {
                    "review_id": string(),
                    "quote": string(),
                    "sentiment": string(),
                },
            }),
            "A quote and the review it is from; null where none is chosen.",
        ),
        ("overall_sentiment", overall, "Over all reviews."),
        (
            "trend",
            json!({
                "type": "string",
                "enum": ["improving", "stable", "declining", "insufficient"],
            }),
            "The last six months against the six before.",
        ),
        ("review_count", integer(), "How many reviews there are."),
        ("date_range", range, "From when they are."),
        ("model", json!({ "type": "object" }), "What computed the sentiment."),
    ]))
}
