//! The parts of operations, and those that several operations share.

use serde_json::{Map, Value, json};

use super::schemas::Schemas;
use contract::api::ErrorBody;

/// Returns the conditional fields of a request, by their names among the parameters. The first is the one that every
/// host understands.
fn conditions(sidecar: bool) -> &'static [&'static str] {
    let all = &["IfNoneMatch", "IfModifiedSince", "IfMatch", "IfUnmodifiedSince"];
    if sidecar { all } else { &all[..1] }
}

/// Keeps the components that are referred to.
fn kept(components: Value, names: impl Fn(&str) -> bool) -> Value {
    let Value::Object(mut components) = components else { return components };
    components.retain(|name, _| names(name));
    components.into()
}

pub(super) fn parameters(sidecar: bool) -> Value {
    let field = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "description": description,
            "schema": { "type": "string" },
        })
    };
    let parameters = json!({
        "IfNoneMatch": field(
            "If-None-Match",
            "Tags the client has, or `*`. If one of them is current, the answer is 304.",
        ),
        "IfModifiedSince": field(
            "If-Modified-Since",
            "An HTTP date. If nothing changed after it, the answer is 304. Ignored beside \
             `If-None-Match`.",
        ),
        "IfMatch": field(
            "If-Match",
            "Tags, or `*`. If none of them is current, the answer is 412.",
        ),
        "IfUnmodifiedSince": field(
            "If-Unmodified-Since",
            "An HTTP date. If something changed after it, the answer is 412.",
        ),
    });
    kept(parameters, |name| conditions(sidecar).contains(&name))
}

pub(super) fn headers(sidecar: bool) -> Value {
    let header = |description: &str, example: &str| {
        json!({
            "description": description, "schema": { "type": "string" }, "example": example,
        })
    };
    let link = if sidecar {
        "On a page that is not the last: the next one, as `rel=\"next\"` (RFC 8288). On a \
             topic: its hub and its own address."
    } else {
        "Its own address, as `rel=\"self\"` (RFC 8288)."
    };
    let headers = json!({
        "ETag": header(
            "The tag of exactly these bytes; another for each content coding.",
            "\"b3-81069c5ea2ab1cd19772974d5f185efb\"",
        ),
        "LastModified": header(
            "When it last changed, where that is known.", "Sun, 06 Nov 2025 08:49:37 GMT",
        ),
        "CacheControl": header(
            "Caches may keep it and must ask before each use.",
            "public, max-age=0, must-revalidate",
        ),
        "Vary": header("Present where there are several codings.", "Accept-Encoding"),
        "Link": header(
            link,
            "<https://reviews.example/reviews.json>; rel=\"self\"",
        ),
        "Allow": {
            "description": "The methods of this path.", "required": true,
            "schema": { "type": "string" }, "example": "GET, HEAD, OPTIONS",
        },
        "RetryAfter": {
            "description": "Seconds to wait.", "required": true,
            "schema": { "type": "integer", "minimum": 0 }, "example": 5,
        },
    });
    kept(headers, |name| sidecar || !matches!(name, "Allow" | "RetryAfter"))
}

pub(super) fn responses(schemas: &mut Schemas, sidecar: bool) -> Value {
    let not_modified = json!({
        "description": "The client has it already.",
        "headers": named(&["ETag", "Cache-Control", "Vary"]),
    });
    let no_document = json!({ "description": "There is no such document." });
    if !sidecar {
        let not_allowed = json!({ "description": "The path answers GET and HEAD." });
        return json!({
            "NotModified": not_modified, "MethodNotAllowed": not_allowed, "NoDocument": no_document,
        });
    }
    let error = schemas.of::<ErrorBody>();
    let refusal = |description: &str, headers: Value| {
        json!({
            "description": description, "headers": headers,
            "content": { "application/json": { "schema": error } },
        })
    };
    let text = |description: &str| {
        json!({
            "description": description, "headers": named(&["Retry-After"]),
            "content": { "text/plain": { "schema": { "type": "string" } } },
        })
    };
    json!({
        "NotModified": not_modified,
        "NoDocument": no_document,
        "TooManyRequestsText": text("Too many requests, of one client or in all."),
        "HubUnavailable": text("The hub cannot record requests at the moment."),
        "Invalid": refusal(
            "Parameters that cannot be used: `issues` names all of them.", json!({}),
        ),
        "NotFound": refusal("There is nothing at this path.", json!({})),
        "MethodNotAllowed": refusal("The path answers other methods.", named(&["Allow"])),
        "PreconditionFailed": refusal(
            "`If-Match` or `If-Unmodified-Since` does not hold.", json!({}),
        ),
        "TargetTooLong": refusal("The address is too long.", json!({})),
        "TooManyRequests": refusal(
            "Too many answers to the client's network are under way.", named(&["Retry-After"]),
        ),
        "Unavailable": refusal(
            "No reviews are loaded yet, or too many answers are under way.",
            named(&["Retry-After"]),
        ),
    })
}

/// Returns references to headers by their names in a response.
fn named(headers: &[&str]) -> Value {
    let reference = |name: &&str| {
        let component = name.replace('-', "");
        ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{component}") }))
    };
    headers.iter().map(reference).collect::<Map<_, _>>().into()
}

/// Returns references to responses by status.
pub(super) fn answered(with: &[(&str, &str)]) -> Map<String, Value> {
    let reference = |(status, name): &(&str, &str)| {
        ((*status).to_owned(), json!({ "$ref": format!("#/components/responses/{name}") }))
    };
    with.iter().map(reference).collect()
}

/// One GET, with its HEAD.
pub(super) struct Operation {
    pub(super) path: &'static str,
    pub(super) id: &'static str,
    pub(super) tag: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    pub(super) parameters: Vec<Value>,
    pub(super) media_type: &'static str,
    pub(super) schema: Value,
    pub(super) headers: &'static [&'static str],
    /// The responses besides 200 and 304.
    pub(super) answers: Vec<(&'static str, &'static str)>,
}

impl Operation {
    pub(super) fn get(&self, sidecar: bool) -> Value {
        let mut responses = self.responses();
        responses["200"]["content"] = json!({ self.media_type: { "schema": self.schema } });
        self.describe(self.id, self.summary, responses, sidecar)
    }

    /// Describes HEAD, which has the same statuses without a body.
    pub(super) fn head(&self, sidecar: bool) -> Value {
        let mut responses = self.responses();
        for (status, _) in &self.answers {
            let description = format!("As GET answers {status}, without content.");
            responses[*status] = json!({ "description": description });
        }
        let summary = format!("{}: the headers alone", self.summary);
        self.describe(&format!("{}Head", self.id), &summary, responses, sidecar)
    }

    fn responses(&self) -> Value {
        let mut responses = answered(&self.answers);
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
