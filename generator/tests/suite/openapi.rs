//! `openapi.json` describes what is there: the paths, the parameters, and the very keys of what is
//! published.

use std::collections::BTreeSet;

use contract::query::SEARCH;
use serde_json::Value;

use super::{
    documents::{full, keys},
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
fn it_describes_every_document_each_with_get_and_head() {
    let dynamic = ["/api/reviews/search", "/api/reviews/since/{date}", "/api/websub/hub", "/mcp"];
    for (sidecar, pages) in [(true, true), (false, true), (true, false)] {
        let project = full();
        let pages = if pages { "" } else { "[site]\npages = false\n" };
        project
            .write("content/site.toml", format!("{SITE}{pages}[sidecar]\nenabled = {sidecar}\n"));
        project.build().exits(0);
        let paths = &project.json("public/openapi.json")["paths"];
        let files = project.tree("public").into_keys().filter(|path| is_described(path));
        let mut expected: BTreeSet<String> = files
            .map(|path| {
                if path.starts_with("schemas/") {
                    "/schemas/{name}.json".to_owned()
                } else {
                    format!("/{path}")
                }
            })
            .collect();
        if sidecar {
            expected.extend(dynamic.map(str::to_owned));
        }
        assert_eq!(keys(paths), expected.iter().map(String::as_str).collect::<Vec<_>>());
        for path in expected {
            let methods: &[&str] = match path.as_str() {
                "/api/websub/hub" | "/mcp" => &["post"],
                _ => &["get", "head"],
            };
            assert_eq!(keys(&paths[&path]), methods, "{path}");
        }
        let manifest = project.json("public/candor-manifest.json");
        for file in manifest["files"].as_array().unwrap() {
            let (path, media_type) = (&file["path"], file["media_type"].as_str().unwrap());
            let path = format!("/{}", path.as_str().unwrap());
            if let Some(described) = paths.get(&path) {
                let content = &described["get"]["responses"]["200"]["content"];
                assert_eq!(keys(content), [media_type.split(';').next().unwrap()], "{path}");
            }
        }
    }
}

/// All but pages and what belongs to them: style, pictures, fragments and what crawlers look for.
fn is_described(path: &str) -> bool {
    let coding = [".br", ".gz"].iter().any(|end| path.ends_with(end));
    // The words that the search page offers are a part of it.
    let page =
        path.ends_with(".html") || path.starts_with("assets/") || path.starts_with("search/");
    let picture = path.ends_with(".png") || path.ends_with(".ico");
    !coding && !page && !picture && !path.starts_with("sitemap") && path != "robots.txt"
}

#[test]
fn the_schemas_are_listed() {
    let (project, document) = document(true);
    let names =
        &document["paths"]["/schemas/{name}.json"]["get"]["parameters"][0]["schema"]["enum"];
    let files = project.tree("public").into_keys();
    let files = files
        .filter_map(|path| path.strip_prefix("schemas/")?.strip_suffix(".json").map(str::to_owned));
    assert_eq!(names, &Value::from(files.collect::<Vec<_>>()));
}

#[test]
fn the_hub_names_its_topics_and_what_it_sends_to_callbacks() {
    let (_, document) = document(true);
    let hub = &document["paths"]["/api/websub/hub"]["post"];
    let form = &hub["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
    let topics = ["feed.xml", "api/feed.json", "reviews.json"]
        .map(|topic| format!("https://reviews.example/{topic}"));
    for form in form["oneOf"].as_array().unwrap() {
        assert_eq!(form["properties"]["hub.topic"]["enum"], Value::from(topics.to_vec()));
    }
    assert_eq!(keys(&hub["callbacks"]), ["delivery", "denial", "verification"]);
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
        assert_eq!(found["description"], parameter.http_description());
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
