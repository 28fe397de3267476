//! The paths of `openapi.json`.

use contract::{
    api::{SearchAnswer, SinceAnswer},
    query::{Parameter, SEARCH, SINCE_DATE},
    routes,
};
use serde_json::{Map, Value, json};

use super::{
    documents::{self, DOCUMENTS},
    examples::example,
    parts::Operation,
    posts,
    schemas::Schemas,
};
use crate::document::JSON;
use content::dataset::Dataset;

const REVIEWS: &str = "reviews";

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
    if sidecar {
        json!([documents, reviews, posts::hub_tag(), posts::mcp_tag()])
    } else {
        json!([documents])
    }
}

pub(super) fn all(data: &Dataset, schemas: &mut Schemas, badge: &Value) -> Value {
    let sidecar = data.site.sidecar;
    let mut operations = documents::all(data, schemas, badge);
    if sidecar {
        operations.extend([search(schemas, data), since(schemas, data)]);
    }
    let mut paths: Map<_, _> = operations
        .into_iter()
        .map(|operation| {
            let (get, head) = (operation.get(sidecar), operation.head(sidecar));
            (operation.path.to_owned(), json!({ "get": get, "head": head }))
        })
        .collect();
    if sidecar {
        paths.insert(routes::HUB.to_owned(), json!({ "post": posts::hub(data) }));
        paths.insert(routes::MCP.to_owned(), json!({ "post": posts::mcp() }));
    }
    paths.into()
}

fn search(schemas: &mut Schemas, data: &Dataset) -> Operation {
    Operation {
        path: routes::SEARCH,
        id: "searchReviews",
        tag: REVIEWS,
        summary: "Reviews that meet all of these conditions",
        description: "In the order of `sort`, a page at a time; `matched` counts all of them. An empty value \
                      means that the parameter is absent; a parameter may be given once; names that \
                      are not listed here are ignored and named in `ignored`. A technician or a service \
                      that is unknown, or can be several, is met by no review and is in `unresolved`.",
        parameters: SEARCH.iter().map(|parameter| in_query(data, parameter)).collect(),
        media_type: JSON,
        schema: schemas.of::<SearchAnswer>(),
        headers: &["ETag", "Last-Modified", "Cache-Control", "Vary", "Link"],
        answers: vec![
            ("400", "Invalid"),
            ("405", "MethodNotAllowed"),
            ("412", "PreconditionFailed"),
            ("414", "TargetTooLong"),
            ("429", "TooManyRequests"),
            ("503", "Unavailable"),
        ],
    }
}

fn since(schemas: &mut Schemas, data: &Dataset) -> Operation {
    let mut date = json!({
        "name": SINCE_DATE.name, "in": "path", "required": true,
        "description": SINCE_DATE.description, "schema": SINCE_DATE.kind.schema(),
    });
    show(&mut date, data, &SINCE_DATE);
    Operation {
        path: routes::SINCE,
        id: "getReviewsSince",
        tag: REVIEWS,
        summary: "All reviews from a day on",
        description: "Selected by the day a review was written, all in one answer. For changes of \
                      older reviews and for withdrawals read `/changes.json`.",
        parameters: vec![date],
        media_type: JSON,
        schema: schemas.of::<SinceAnswer>(),
        headers: &["ETag", "Last-Modified", "Cache-Control", "Vary"],
        answers: vec![
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

fn in_query(data: &Dataset, parameter: &Parameter) -> Value {
    let mut described = json!({
        "name": parameter.name, "in": "query", "description": parameter.http_description(),
        "schema": parameter.kind.schema(), "allowEmptyValue": true,
    });
    show(&mut described, data, parameter);
    described
}

/// Adds an example, if the site has one.
fn show(described: &mut Value, data: &Dataset, parameter: &Parameter) {
    if let Some(example) = example(data, parameter) {
        described["example"] = example;
    }
}
