//! `openapi.json` describes what is there: the paths, the parameters, and the very keys of what is
//! published.

use std::collections::BTreeSet;

use contract::query::SEARCH;
use serde_json::Value;

use super::{
    documents::{full, keys, sorted},
    project::SITE,
};

fn document(sidecar: bool) -> (super::project::Project, Value) {
    let project = full();
    if !sidecar {
        project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    }
    project.build();
    let document = project.json("public/openapi.json");
    (project, document)
}

#[test]
fn it_names_its_versions_and_where_the_interface_is() {
    let (project, document) = document(true);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["version"], "1.0.0");
    assert_eq!(document["info"]["title"], "Reviews of Acme Plumbing");
    assert_eq!(document["servers"][0]["url"], "https://reviews.example");
    assert!(project.text("public/index.html").contains("https://reviews.example/openapi.json"));
}

#[test]
fn it_has_these_paths_each_with_get_and_head() {
    let files = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/changes.json"];
    let (_, without) = document(false);
    assert_eq!(keys(&without["paths"]), sorted(files));
    let (_, with) = document(true);
    let mut all = files.to_vec();
    all.extend(["/api/reviews/search", "/api/reviews/since/{date}"]);
    all.sort_unstable();
    assert_eq!(keys(&with["paths"]), all);
    for path in all {
        assert_eq!(keys(&with["paths"][path]), ["get", "head"], "{path}");
    }
}

#[test]
fn the_parameters_are_the_table_the_sidecar_reads_by() {
    let (_, document) = document(true);
    let parameters = document["paths"]["/api/reviews/search"]["get"]["parameters"].clone();
    let described = parameters.as_array().unwrap().iter().filter(|p| p["in"] == "query");
    let described: Vec<_> = described.collect();
    assert_eq!(described.len(), SEARCH.len());
    for (found, parameter) in described.into_iter().zip(SEARCH) {
        assert_eq!(found["name"], parameter.name);
        assert_eq!(found["schema"], parameter.kind.schema());
        assert_eq!(found["description"], parameter.description);
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_referred_to() {
    for sidecar in [true, false] {
        let (_, document) = document(sidecar);
        let mut referred = BTreeSet::new();
        references(&document, &mut referred);
        let mut present = BTreeSet::new();
        for kind in keys(&document["components"]) {
            for name in keys(&document["components"][kind]) {
                present.insert(format!("#/components/{kind}/{name}"));
            }
        }
        assert_eq!(referred, present, "with a sidecar: {sidecar}");
    }
}

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value.as_str().filter(|_| name == "$ref") {
                    Some(reference) => drop(found.insert(reference.to_owned())),
                    None => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// The members a schema names and those a value has must be the same, all the way down.
fn agree(document: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => schema,
    };
    if let Some(choices) = schema["anyOf"].as_array() {
        if !value.is_null() {
            agree(document, &choices[0], value, place);
        }
        return;
    }
    match value {
        Value::Object(members) if schema["properties"].is_object() => {
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(members.contains_key(name.as_str().unwrap()), "{place} lacks {name}");
            }
            for (name, value) in members {
                let schema = &schema["properties"][name];
                assert!(!schema.is_null(), "{place}.{name} is not described");
                agree(document, schema, value, &format!("{place}.{name}"));
            }
        }
        Value::Array(items) => {
            for item in items {
                agree(document, &schema["items"], item, &format!("{place}[]"));
            }
        }
        _ => {}
    }
}

#[test]
fn the_schemas_name_exactly_the_keys_of_what_is_published() {
    let (project, document) = document(true);
    for path in ["reviews.json", "changes.json", "api/feed.json", "insights.json"] {
        let answer = &document["paths"][format!("/{path}")]["get"]["responses"]["200"];
        let schema = &answer["content"]["application/json"]["schema"];
        agree(&document, schema, &project.json(&format!("public/{path}")), path);
    }
}
