//! JSON Schemas of the hand-written files of `content/`, for editors: they complete keys and mark what
//! `candor check` would refuse.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    aspects::AspectsFile,
    business::BusinessFile,
    entities::{ProblemsFile, ServiceAreasFile, ServicesFile, TechniciansFile, TopicsFile},
    import_settings::ImportFile,
    overrides::OverridesFile,
    pages::FaqFile,
    places::PlacesFile,
    site::SiteFile,
    theme,
    toml_reader::schema,
};

/// Returns the schema of every file by the file's name without `.toml`.
#[must_use]
pub fn all() -> BTreeMap<&'static str, Value> {
    let mut all = BTreeMap::from([
        ("site", schema::of::<SiteFile>()),
        ("business", schema::of::<BusinessFile>()),
        ("technicians", schema::of::<TechniciansFile>()),
        ("services", schema::of::<ServicesFile>()),
        ("service_areas", schema::of::<ServiceAreasFile>()),
        ("problems", schema::of::<ProblemsFile>()),
        ("topics", schema::of::<TopicsFile>()),
        ("aspects", schema::of::<AspectsFile>()),
        ("faq", schema::of::<FaqFile>()),
        ("overrides", schema::of::<OverridesFile>()),
        ("import", schema::of::<ImportFile>()),
        ("places", schema::of::<PlacesFile>()),
        ("strings", schema_of_strings()),
    ]);
    for (name, schema) in &mut all {
        schema::for_editors(schema);
        schema["title"] = format!("{name}.toml").into();
    }
    all
}

/// The files of `content/.schema/`: names and texts.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let text = |(name, schema)| (format!("{name}.json"), format!("{schema:#}\n"));
    all().into_iter().map(text).collect()
}

/// `strings.toml`: any of the shipped phrases, with the English one as description.
fn schema_of_strings() -> Value {
    let phrase = |(key, phrase): (String, theme::Phrase)| {
        let by_number = json!({ "type": "object", "additionalProperties": { "type": "string" } });
        let schema = json!({
            "description": phrase.to_string(), "anyOf": [{ "type": "string" }, by_number],
        });
        (key, schema)
    };
    let properties: serde_json::Map<String, Value> =
        theme::shipped_keys().into_iter().map(phrase).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": properties, "additionalProperties": false,
    })
}
