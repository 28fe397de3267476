//! The documents that `openapi.json` describes: every one but pages, their style and pictures,
//! fragments, sitemaps and `robots.txt`.

use contract::routes::TOPICS;
use serde_json::{Value, json};

use super::{parts::Operation, schemas::Schemas};
use crate::{
    document::{ATOM, JSON},
    render::parts::{self, Part, Parts},
};
use content::{Pages, dataset::Dataset};

pub(super) const DOCUMENTS: &str = "documents";

/// Path, operation, summary, description and media type of a document.
type Described = (&'static str, &'static str, &'static str, &'static str, &'static str);

const REVIEWS: Described = (
    "/reviews.json",
    "getReviews",
    "Every review",
    "The business, its averages, its sources, what is withheld and why, and every published review, \
     newest first.",
    JSON,
);
const INSIGHTS: Described = (
    "/insights.json",
    "getInsights",
    "What follows from the reviews",
    "Sentiment, aspects, entities, topics and their development.",
    JSON,
);
const JSON_FEED: Described = (
    "/api/feed.json",
    "getJsonFeed",
    "The newest reviews as JSON Feed 1.1",
    "The 50 newest reviews.",
    JSON,
);
const CHANGES: Described = (
    "/changes.json",
    "getChanges",
    "What was added, changed and withdrawn",
    "For whoever keeps a copy: apply what is newer than your last look, removals included. It has the newest 500; `older` names the file beside it with those before, or is null.",
    JSON,
);
const PARTS: Described = (
    "/parts.json",
    "getParts",
    "The files of all reviews",
    "With the SHA-256 of each: whoever keeps a copy requests the files that changed.",
    JSON,
);
const MANIFEST: Described = (
    "/candor-manifest.json",
    "getManifest",
    "Every published file",
    "With media type, length, tags, content codings and the time of the last change.",
    JSON,
);
const BADGE: Described = (
    "/badge.json",
    "getBadge",
    "The average as a badge",
    "In the form that shields.io reads from an endpoint.",
    JSON,
);

/// JSON documents whose form others define.
const FOREIGN: &[Described] =
    &[("/openapi.json", "getDescription", "This description", "OpenAPI 3.1.", JSON)];

/// JSON documents of a site with a sidecar, whose form others define.
const DISCOVERY: &[Described] = &[
    (
        "/mcp-server-card.json",
        "getMcpServerCard",
        "The card of the MCP server",
        "SEP-2127, a draft.",
        "application/mcp-server-card+json",
    ),
    (
        "/.well-known/ai-catalog.json",
        "getAiCatalog",
        "Where the card of the MCP server is",
        "A draft.",
        "application/ai-catalog+json",
    ),
    (
        "/server.json",
        "getMcpRegistryEntry",
        "What the MCP registry takes",
        "The owner submits it.",
        JSON,
    ),
];

/// The JSON document of a site with pages, whose form others define.
const CATALOG: Described = (
    "/.well-known/api-catalog",
    "getApiCatalog",
    "Where this description is",
    "A link set (RFC 9264) for RFC 9727.",
    "application/linkset+json",
);

/// The documents of a transparency log. Its tiles have paths of any depth, which OpenAPI cannot describe.
const LOG: &[(Described, &str)] = &[
    (
        (
            "/.well-known/candor-log.json",
            "getLogKeys",
            "The transparency log and its verifier keys",
            "The log is below `/log/`: tiles and entries as C2SP tlog-tiles has them.",
            JSON,
        ),
        "object",
    ),
    (
        (
            "/log/salts.json",
            "getLogSalts",
            "The salts of the published reviews",
            "The keys of the hashes in the transparency log, by review.",
            JSON,
        ),
        "object",
    ),
    (
        (
            "/log/checkpoint",
            "getCheckpoint",
            "The signed state of the transparency log",
            "The number of entries and the root hash (C2SP tlog-checkpoint).",
            "text/plain",
        ),
        "string",
    ),
];

/// The documents that are not JSON.
const TEXTS: &[Described] = &[
    (
        "/feed.xml",
        "getAtomFeed",
        "The newest reviews as Atom",
        "The 50 newest reviews (RFC 4287).",
        ATOM,
    ),
    (
        "/reviews.ndjson",
        "getReviewLines",
        "Every review, one per line",
        "The records of `/reviews.json`.",
        "application/x-ndjson",
    ),
    (
        "/reviews.csv",
        "getReviewTable",
        "Every review as a table",
        "For spreadsheets (RFC 4180), with a row of names.",
        "text/csv",
    ),
    ("/llms.txt", "getOverview", "An overview for language models", "Markdown.", "text/plain"),
    (
        "/badge.svg",
        "getBadgePicture",
        "The badge as a picture",
        "For light pages.",
        "image/svg+xml",
    ),
    (
        "/badge-dark.svg",
        "getDarkBadgePicture",
        "The badge as a picture",
        "For dark pages.",
        "image/svg+xml",
    ),
];

/// Returns every document. `badge` is the schema of `badge.json`.
pub(super) fn all(data: &Dataset, schemas: &mut Schemas, badge: &Value) -> Vec<Operation> {
    let sidecar = data.site.sidecar;
    let mut badge = badge.clone();
    if let Some(members) = badge.as_object_mut() {
        // OpenAPI 3.1 schemas are of this version of JSON Schema already.
        members.remove("$schema");
    }
    let object = || json!({ "type": "object" });
    let mut all = vec![
        (REVIEWS, schemas.reviews()),
        (INSIGHTS, schemas.insights()),
        (JSON_FEED, schemas.feed()),
        (CHANGES, schemas.changes()),
        (PARTS, schemas.of::<Parts>()),
        (MANIFEST, schemas.manifest()),
        (BADGE, badge),
    ];
    all.extend(FOREIGN.iter().map(|described| (*described, object())));
    if sidecar {
        all.extend(DISCOVERY.iter().map(|described| (*described, object())));
    }
    if data.site.appearance.pages != Pages::None {
        all.push((CATALOG, object()));
    }
    if data.log.is_some() {
        all.extend(LOG.iter().map(|(described, kind)| (*described, json!({ "type": kind }))));
    }
    all.extend(TEXTS.iter().map(|described| (*described, json!({ "type": "string" }))));
    let mut all: Vec<_> =
        all.into_iter().map(|(described, schema)| document(sidecar, described, schema)).collect();
    all.push(schema(sidecar));
    all.extend(part(data, schemas));
    all
}

/// Describes the parts of `reviews.json` of a site that has them.
fn part(data: &Dataset, schemas: &mut Schemas) -> Option<Operation> {
    let newest = parts::divided(data)?.into_iter().next()?.0;
    let described = (
        "/reviews-{date}.json",
        "getPart",
        "The reviews of a year, a month or some days",
        "`/parts.json` lists these files.",
        JSON,
    );
    let mut operation = document(data.site.sidecar, described, schemas.of::<Part<'_>>());
    operation.parameters = vec![json!({
        "name": "date", "in": "path", "required": true,
        "description": "The beginning of the dates of its reviews.",
        "schema": { "type": "string" }, "example": newest,
    })];
    operation.answers.push(("404", "NoDocument"));
    Some(operation)
}

/// Describes the JSON Schemas of these documents.
fn schema(sidecar: bool) -> Operation {
    let described = (
        "/schemas/{name}.json",
        "getSchema",
        "The JSON Schema of a document",
        "Of `reviews.json`, a review in it, and the others.",
        "application/schema+json",
    );
    let mut names = vec![
        "badge", "changes", "feed", "insights", "manifest", "part", "parts", "review", "reviews",
    ];
    // Of the results of the MCP tools.
    names.extend(sidecar.then_some("tools"));
    let mut operation = document(sidecar, described, json!({ "type": "object" }));
    operation.parameters = vec![json!({
        "name": "name", "in": "path", "required": true, "description": "Of the document.",
        "schema": { "type": "string", "enum": names }, "example": "review",
    })];
    operation.answers.push(("404", "NoDocument"));
    operation
}

/// Describes a document and its GET. `sidecar` is whether a sidecar may serve it.
fn document(sidecar: bool, described: Described, schema: Value) -> Operation {
    let (path, id, summary, description, media_type) = described;
    Operation {
        path,
        id,
        tag: DOCUMENTS,
        summary,
        description,
        parameters: Vec::new(),
        media_type,
        schema,
        headers: if TOPICS.contains(&path.trim_start_matches('/')) {
            &["ETag", "Last-Modified", "Cache-Control", "Vary", "Link"]
        } else {
            &["ETag", "Last-Modified", "Cache-Control", "Vary"]
        },
        answers: if sidecar {
            vec![("405", "MethodNotAllowed"), ("412", "PreconditionFailed"), ("503", "Unavailable")]
        } else {
            vec![("405", "MethodNotAllowed")]
        },
    }
}
