//! The JSON Schema of a content file, made from the struct that serde builds of it.
//!
//! Keywords that begin with `x-` are for the [walker](super::walker) and are taken out for editors: `x-rule` names
//! a [rule](super::rules) of a text, `x-fault` has message and help for a value that breaks its rule, `x-missing` for
//! a key that is required, `x-properties` adds to the schemas of keys of a type of another crate.

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Value, json};

/// The schema of a file, with the keys of each table in their order as `x-order`.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let schema = |settings: SchemaSettings| {
        let settings = settings.with(|settings| settings.inline_subschemas = true);
        let settings = settings.with_transform(RecursiveTransform(as_in_toml));
        settings.into_generator().into_root_schema_for::<T>().to_value()
    };
    let mut of = schema(SchemaSettings::draft2020_12());
    // What is written has every key, in the order of the struct.
    add_order(&mut of, &schema(SchemaSettings::draft2020_12().for_serialize()));
    of
}

fn add_order(schema: &mut Value, written: &Value) {
    match schema {
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(key, value)| add_order(value, &written[key]));
            let keys = fields.get("properties").and_then(Value::as_object);
            if let (Some(keys), None) = (keys, fields.get("x-order")) {
                let mut order = written["required"].as_array().cloned().unwrap_or_default();
                let rest = keys.keys().filter(|key| !order.iter().any(|other| other == *key));
                order.extend(rest.cloned().map(Value::from).collect::<Vec<_>>());
                fields.insert("x-order".to_owned(), order.into());
            }
        }
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(at, item)| add_order(item, &written[at]));
        }
        _ => {}
    }
}

/// The schema without the keywords for the walker.
pub(crate) fn for_editors(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|key, _| !key.starts_with("x-"));
            fields.values_mut().for_each(for_editors);
        }
        Value::Array(items) => items.iter_mut().for_each(for_editors),
        _ => {}
    }
}

/// Adapts a schema to TOML, which has no null: an optional key is not required. A table has the known keys only.
fn as_in_toml(schema: &mut Schema) {
    let Some(fields) = schema.as_object_mut() else { return };
    let is_null = |value: &Value| value.is_null() || *value == "null" || value["type"] == "null";
    for key in ["type", "anyOf", "enum"] {
        let Some(Value::Array(all)) = fields.get_mut(key) else { continue };
        all.retain(|value| !is_null(value));
        if let ([only], true) = (&mut all[..], key != "enum") {
            match only.take() {
                Value::Object(only) => {
                    fields.remove(key);
                    for (key, value) in only {
                        fields.entry(key).or_insert(value);
                    }
                }
                only => drop(fields.insert(key.to_owned(), only)),
            }
        }
    }
    let is_empty = |value: &Value| value.is_null() || *value == json!([]) || *value == json!({});
    fields.retain(|key, value| key != "default" || !is_empty(value));
    let more = fields.remove("x-properties").unwrap_or_default();
    let inner = if fields.contains_key("items") {
        fields.get_mut("items")
    } else {
        fields.get_mut("anyOf").and_then(|any| any.get_mut(0))
    };
    if let (Some(inner), true) = (inner, more.is_object()) {
        inner["x-properties"] = more;
    } else if let (Some(Value::Object(all)), Value::Object(more)) =
        (fields.get_mut("properties"), more)
    {
        for (key, more) in more {
            let of = all.get_mut(&key).and_then(Value::as_object_mut);
            of.into_iter().for_each(|of| of.extend(more.as_object().cloned().unwrap_or_default()));
        }
    }
    if fields.contains_key("properties") {
        fields.entry("additionalProperties").or_insert(false.into());
    }
}
