//! Simplification of JSON Schemas for clients that support only a part of the standard.

use serde_json::{Map, Value};

/// Converts a JSON Schema to one that every client accepts: no references, no unions, no uncommon
/// formats, no lists of types. A value that may be null has no type, but a keyword that does not
/// apply to null.
pub(super) fn plain(schema: Value) -> Value {
    match schema {
        Value::Object(schema) => Value::Object(object(schema)),
        other => other,
    }
}

fn object(schema: Map<String, Value>) -> Map<String, Value> {
    let mut plain = Map::new();
    for (key, value) in schema {
        match (key.as_str(), value) {
            // Clients ignore keys that they do not know, so additional keys are allowed.
            ("$schema" | "$defs" | "title" | "format" | "additionalProperties", _) => {}
            ("type", Value::Array(kinds)) => plain.extend(without_type(&kinds)),
            ("anyOf", Value::Array(choices)) => plain.extend(nullable(choices)),
            ("properties" | "patternProperties", Value::Object(properties)) => {
                let cleaned =
                    properties.into_iter().map(|(name, schema)| (name, self::plain(schema)));
                plain.insert(key, Value::Object(cleaned.collect()));
            }
            ("items", schema) => drop(plain.insert(key, self::plain(schema))),
            (_, value) => drop(plain.insert(key, value)),
        }
    }
    plain
}

/// A keyword that indicates the type of a value that may be null. A schema without a type accepts
/// anything, and strict clients report that. Numbers that may be null have limits in their own
/// description.
fn without_type(kinds: &[Value]) -> Option<(String, Value)> {
    kinds.iter().any(|kind| kind == "string").then(|| ("minLength".to_owned(), 0.into()))
}

/// The remaining schema of "this or null", with null allowed by the absence of a type.
fn nullable(choices: Vec<Value>) -> Map<String, Value> {
    let is_null = |choice: &Value| choice.get("type").is_some_and(|kind| kind == "null");
    let other = choices.into_iter().find(|choice| !is_null(choice)).map(plain);
    let mut kept = match other {
        Some(Value::Object(kept)) => kept,
        _ => Map::new(),
    };
    if kept.remove("type").is_some_and(|kind| kind == "string") {
        kept.insert("minLength".into(), 0.into());
    }
    kept.remove("description");
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_some_clients_refuse_is_said_otherwise() {
        let schema = json!({
            "$schema": "x", "title": "T", "type": "object", "additionalProperties": false,
            "properties": {
                "title": { "type": ["string", "null"], "format": "uri", "description": "d" },
                "list": { "type": "array", "items": { "type": ["integer", "null"], "minimum": 0 } },
                "reply": {
                    "description": "outer",
                    "anyOf": [
                        { "type": "object", "description": "inner", "required": ["text"],
                          "properties": { "text": { "type": "string", "format": "x" } } },
                        { "type": "null" },
                    ],
                },
            },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "title": { "minLength": 0, "description": "d" },
                "list": { "type": "array", "items": { "minimum": 0 } },
                "reply": {
                    "description": "outer", "required": ["text"],
                    "properties": { "text": { "type": "string" } },
                },
            },
        });
        assert_eq!(plain(schema), expected);
    }
}
