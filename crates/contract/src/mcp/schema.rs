//! The schemas that the tools' results are made of.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::plain::plain;

/// The schema of a type, in the form that every client accepts.
pub(super) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    plain(settings.into_generator().into_root_schema_for::<T>().to_value())
}

/// The schema of an object in which all members are required, each with a description.
pub(super) fn object<const N: usize>(members: [(&str, Value, &str); N]) -> Value {
    let mut properties = json!({});
    let mut required = Vec::new();
    for (name, mut schema, description) in members {
        schema["description"] = description.into();
        properties[name] = schema;
        required.push(name);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

pub(super) fn integer() -> Value {
    json!({ "type": "integer" })
}

pub(super) fn string() -> Value {
    json!({ "type": "string" })
}

/// The schema of a text that may be null. It declares no type, because some clients reject lists of
/// types.
pub(super) fn text_or_null() -> Value {
    json!({ "minLength": 0 })
}

pub(super) fn array(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// Adds the member that marks a truncated result.
pub(super) fn cut(mut schema: Value) -> Value {
    schema["properties"]["truncated"] = json!({
        "type": "boolean",
        "description": "Only there, and true, where the answer was cut to fit; `url` has all of it.",
    });
    schema
}
