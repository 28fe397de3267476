//! The data documents: pure functions from a [`Dataset`] to bytes.

mod agents;
mod atom;
mod changes;
mod insights;
mod json_feed;
mod openapi;
pub(crate) mod parts;
mod reviews_json;
mod schemas;
mod stream;
mod transparency;

pub(crate) use self::insights::samples as insight_samples;
pub(crate) use openapi::example_word;
pub(crate) use schemas::{schema_of, schema_of_insights, schema_of_reviews};

use contract::compress::Effort;

use crate::document::{ATOM, Body, Document, JSON, RenderError, document};
use content::dataset::Dataset;

/// Returns every data document. `schemas` are those of documents that are made elsewhere, by name.
///
/// # Errors
/// When a document cannot be rendered.
pub fn documents<'d>(
    data: &'d Dataset,
    schemas: &[(&str, serde_json::Value)],
) -> Result<Vec<Document<'d>>, RenderError> {
    let badge = schemas.iter().find(|(name, _)| *name == "badge").map(|(_, schema)| schema.clone());
    // Each review changes the feeds, and readers mostly get 304: high levels would take longer than all
    // pages that changed.
    let feed = |path, media_type, bytes| {
        document(data, path, media_type, Body::Bytes(bytes)).with_effort(Effort::Quick)
    };
    let mut documents = vec![
        document(data, "reviews.json", JSON, reviews_json::body(data)),
        document(data, "insights.json", JSON, insights::body(data)),
        feed("api/feed.json", JSON, json_feed::bytes(data)?),
        feed("feed.xml", ATOM, atom::bytes(data)?),
        document(data, "openapi.json", JSON, openapi::body(data, badge.unwrap_or_default())),
    ];
    documents.extend(changes::documents(data));
    documents.extend(parts::documents(data)?);
    documents.extend(schemas::documents(data, schemas)?);
    documents.extend(agents::documents(data)?);
    documents.extend(transparency::documents(data)?);
    Ok(documents)
}
