//! The schemas that the tools' results are made of.

use serde_json::{Value, json};

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
