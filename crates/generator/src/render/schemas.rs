//! JSON Schemas of all published JSON documents, made from their types.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::{
    Body, Document, RenderError, changes, document, insights, json_feed, parts, reviews_json,
};
use content::dataset::Dataset;
use contract::{manifest::Manifest, mcp::result_schemas, model::Review};

/// Media type of a JSON Schema.
const SCHEMA: &str = "application/schema+json";

/// Returns `schemas/*.json`.
pub(super) fn documents<'d>(
    data: &'d Dataset,
    others: &[(&str, Value)],
) -> Result<Vec<Document<'d>>, RenderError> {
    let all = [
        ("reviews", schema_of_reviews()),
        ("review", schema_of::<Review>()),
        ("insights", schema_of_insights()),
        ("feed", schema_of::<json_feed::Feed<'_>>()),
        ("changes", schema_of::<changes::Changes>()),
        ("parts", schema_of::<parts::Parts>()),
        ("part", schema_of::<parts::Part<'_>>()),
        ("manifest", schema_of::<Manifest>()),
    ];
    let tools = data.site.sidecar.then(|| ("tools", result_schemas(data.log.is_some())));
    all.into_iter()
        .chain(tools)
        .chain(others.iter().cloned())
        .map(|(name, mut schema)| {
            let path = format!("schemas/{name}.json");
            schema["$id"] = json!(data.address(&path));
            let mut bytes = serde_json::to_vec_pretty(&schema)?;
            bytes.push(b'\n');
            Ok(document(data, &path, SCHEMA, Body::Bytes(bytes)))
        })
        .collect()
}

/// Returns the schema of `reviews.json`.
pub(crate) fn schema_of_reviews() -> Value {
    schema_of::<reviews_json::Reviews<'_>>()
}

/// Returns the schema of `insights.json`.
pub(crate) fn schema_of_insights() -> Value {
    schema_of::<insights::Document<'_>>()
}

/// Returns the schema of a document's type.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
