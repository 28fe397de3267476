//! What is published is what its schema says.

use serde_json::{Value, json};

use super::{project::Project, review::mixed};

/// Each document with its schema.
const DOCUMENTS: [(&str, &str); 6] = [
    ("reviews.json", "reviews"),
    ("insights.json", "insights"),
    ("api/feed.json", "feed"),
    ("changes.json", "changes"),
    ("badge.json", "badge"),
    ("candor-manifest.json", "manifest"),
];

#[track_caller]
fn assert_valid(schema: &Value, document: &Value, name: &str) {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{name}");
}

fn check(project: &Project) {
    project.build();
    for (path, schema) in DOCUMENTS {
        let schema = project.json(&format!("public/schemas/{schema}.json"));
        assert_valid(&schema, &project.json(&format!("public/{path}")), path);
    }
    let schema = project.json("public/schemas/review.json");
    for line in project.text("public/reviews.ndjson").lines() {
        assert_valid(&schema, &serde_json::from_str(line).unwrap(), line);
    }
}

#[test]
fn every_document_of_a_site_is_valid() {
    check(&Project::new().reviews(mixed(30)));
}

#[test]
fn every_document_of_an_empty_site_is_valid() {
    check(&Project::new());
}

#[test]
fn every_document_of_the_sample_is_valid() {
    let project = Project::new();
    super::site::copy_sample(&project);
    check(&project);
}

#[test]
fn a_document_that_is_otherwise_is_not_valid() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let schema = project.json("public/schemas/reviews.json");
    assert_eq!(schema["$id"], "https://reviews.example/schemas/reviews.json");
    let mut document = project.json("public/reviews.json");
    document["reviews"][0]["rating"] = json!(6);
    assert!(!jsonschema::draft202012::is_valid(&schema, &document));
    document["reviews"][0].as_object_mut().unwrap().remove("rating");
    assert!(!jsonschema::draft202012::is_valid(&schema, &document));
}
