//! The paths of `openapi.json`.

use contract::{
    api::{SearchAnswer, SinceAnswer},
    query::{Kind, Parameter, SEARCH, SINCE_DATE},
    routes,
    routes::TOPICS,
};
use serde_json::{Map, Value, json};

use super::{
    parts::{answered, conditions, named},
    schemas::Schemas,
};
use crate::document::{ATOM, JSON};

const DOCUMENTS: &str = "documents";
const REVIEWS: &str = "reviews";

/// One GET, and the HEAD that goes with it.
struct Operation {
    path: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: &'static str,
    parameters: Vec<Value>,
    media_type: &'static str,
    schema: Value,
    headers: &'static [&'static str],
    /// Besides 200 and 304.
    answers: &'static [(&'static str, &'static str)],
}

pub(super) fn tags(sidecar: bool) -> Value {
    let documents = json!({
        "name": DOCUMENTS,
        "description": "Files, as any web server or CDN gives them; tags, headers and errors may be \
                        the host's own.",
    });
    let reviews = json!({
        "name": REVIEWS,
        "description": "Answers made on request, from the same reviews as the documents.",
    });
    if sidecar { json!([documents, reviews]) } else { json!([documents]) }
}

pub(super) fn all(schemas: &mut Schemas, sidecar: bool) -> Value {
    let mut operations = documents(schemas, sidecar);
    if sidecar {
        operations.extend([search(schemas), since(schemas)]);
    }
    let paths = operations.into_iter().map(|operation| {
        let (get, head) = (operation.get(sidecar), operation.head(sidecar));
        (operation.path.to_owned(), json!({ "get": get, "head": head }))
    });
    paths.collect::<Map<_, _>>().into()
}

/// A document and its GET. `sidecar`: whether a sidecar may serve it.
fn document(
    sidecar: bool,
    path: &'static str,
    (id, summary, description): (&'static str, &'static str, &'static str),
    media_type: &'static str,
    schema: Value,
) -> Operation {
    Operation {
        path,
        id,
        tag: DOCUMENTS,
        summary,
        description,
        parameters: Vec::new(),
        media_type,
        schema,
        headers: match TOPICS.contains(&path.trim_start_matches('/')) {
            true => &["ETag", "Last-Modified", "Cache-Control", "Vary", "Link"],
            false => &["ETag", "Last-Modified", "Cache-Control", "Vary"],
        },
        answers: match sidecar {
            true => &[
                ("405", "MethodNotAllowed"),
                ("412", "PreconditionFailed"),
                ("503", "Unavailable"),
            ],
            false => &[("405", "MethodNotAllowed")],
        },
    }
}

fn documents(schemas: &mut Schemas, sidecar: bool) -> Vec<Operation> {
    vec![
        document(
            sidecar,
            "/reviews.json",
            (
                "getReviews",
                "Every review",
                "The business, its averages, its sources, what is withheld and why, and every published \
             review, newest first.",
            ),
            JSON,
            schemas.reviews(),
        ),
        document(
            sidecar,
            "/insights.json",
            (
                "getInsights",
                "What follows from the reviews",
                "Sentiment, aspects, entities, topics and their development.",
            ),
            JSON,
            schemas.insights(),
        ),
        document(
            sidecar,
            "/api/feed.json",
            ("getJsonFeed", "The newest reviews as JSON Feed 1.1", "The 50 newest reviews."),
            JSON,
            schemas.feed(),
        ),
        document(
            sidecar,
            "/feed.xml",
            ("getAtomFeed", "The newest reviews as Atom", "The 50 newest reviews (RFC 4287)."),
            ATOM,
            json!({ "type": "string" }),
        ),
        document(
            sidecar,
            "/changes.json",
            (
                "getChanges",
                "What was added, changed and withdrawn",
                "For whoever keeps a copy: apply what is newer than your last look, removals included.",
            ),
            JSON,
            schemas.changes(),
        ),
    ]
}

fn search(schemas: &mut Schemas) -> Operation {
    Operation {
        path: routes::SEARCH,
        id: "searchReviews",
        tag: REVIEWS,
        summary: "Reviews that meet all of these conditions",
        description: "Newest first, a page at a time; `matched` counts all of them. An empty value \
                      means that the parameter is absent; a parameter may be given once; names that \
                      are not listed here are ignored and named in `ignored`.",
        parameters: SEARCH.iter().map(in_query).collect(),
        media_type: JSON,
        schema: schemas.of::<SearchAnswer>(),
        headers: &["ETag", "Last-Modified", "Cache-Control", "Vary", "Link"],
        answers: &[
            ("400", "Invalid"),
            ("405", "MethodNotAllowed"),
            ("412", "PreconditionFailed"),
            ("414", "TargetTooLong"),
            ("429", "TooManyRequests"),
            ("503", "Unavailable"),
        ],
    }
}

fn since(schemas: &mut Schemas) -> Operation {
    Operation {
        path: routes::SINCE,
        id: "getReviewsSince",
        tag: REVIEWS,
        summary: "All reviews from a day on",
        description: "Selected by the day a review was written, all in one answer. For changes of \
                      older reviews and for withdrawals read `/changes.json`.",
        parameters: vec![json!({
            "name": SINCE_DATE.name, "in": "path", "required": true,
            "description": SINCE_DATE.description, "schema": SINCE_DATE.kind.schema(),
            "example": SINCE_DATE.example_value(),
        })],
        media_type: JSON,
        schema: schemas.of::<SinceAnswer>(),
        headers: &["ETag", "Last-Modified", "Cache-Control", "Vary"],
        answers: &[
            ("400", "Invalid"),
            ("404", "NotFound"),
            ("405", "MethodNotAllowed"),
            ("412", "PreconditionFailed"),
            ("414", "TargetTooLong"),
            ("429", "TooManyRequests"),
            ("503", "Unavailable"),
        ],
    }
}

fn in_query(parameter: &Parameter) -> Value {
    let mut described = json!({
        "name": parameter.name, "in": "query", "description": parameter.description,
        "schema": parameter.kind.schema(), "allowEmptyValue": true,
    });
    // A cursor somebody made up is refused: there is no example to give.
    if parameter.kind != Kind::Cursor {
        described["example"] = parameter.example_value();
    }
    described
}

impl Operation {
    fn get(&self, sidecar: bool) -> Value {
        let mut responses = self.responses();
        responses["200"]["content"] = json!({ self.media_type: { "schema": self.schema } });
        self.describe(self.id, self.summary, responses, sidecar)
    }

    /// HEAD says the same status without saying why.
    fn head(&self, sidecar: bool) -> Value {
        let mut responses = self.responses();
        for (status, _) in self.answers {
            let description = format!("As GET answers {status}, without content.");
            responses[*status] = json!({ "description": description });
        }
        let summary = format!("{}: the headers alone", self.summary);
        self.describe(&format!("{}Head", self.id), &summary, responses, sidecar)
    }

    fn responses(&self) -> Value {
        let mut responses = answered(self.answers);
        responses.extend(answered(&[("304", "NotModified")]));
        let found = json!({ "description": self.summary, "headers": named(self.headers) });
        responses.insert("200".to_owned(), found);
        responses.into()
    }

    fn describe(&self, id: &str, summary: &str, responses: Value, sidecar: bool) -> Value {
        let conditions = conditions(sidecar)
            .iter()
            .map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }));
        let parameters: Vec<_> = self.parameters.iter().cloned().chain(conditions).collect();
        json!({
            "operationId": id, "tags": [self.tag], "summary": summary,
            "description": self.description, "parameters": parameters, "responses": responses,
        })
    }
}
