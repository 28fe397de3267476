//! `candor schema content`: the schemas of hand-written files say what `candor check` says.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::project::Project;

fn schemas(project: &Project) -> BTreeMap<String, Value> {
    serde_json::from_str(&project.candor(["schema", "content"]).exits(0).out).unwrap()
}

/// A TOML file as JSON, dates as texts.
fn parsed(text: &str) -> Value {
    fn with_dates_as_texts(value: Value) -> Value {
        match value {
            Value::Object(mut fields) => match fields.remove("$__toml_private_datetime") {
                Some(date) => date,
                None => fields.into_iter().map(|(k, v)| (k, with_dates_as_texts(v))).collect(),
            },
            Value::Array(items) => items.into_iter().map(with_dates_as_texts).collect(),
            other => other,
        }
    }
    with_dates_as_texts(toml::from_str(text).unwrap())
}

#[track_caller]
pub(crate) fn assert_obeys(schema: &Value, text: &str, name: &str) {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let document = parsed(text);
    let errors = validator.iter_errors(&document);
    let errors: Vec<String> =
        errors.map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "{name}");
}

#[test]
fn the_files_of_the_sample_obey_the_schemas() {
    let project = Project::new();
    super::site::copy_sample(&project);
    let mut count = 0;
    for (file, schema) in schemas(&project) {
        if let Ok(text) = std::fs::read_to_string(project.path(&format!("content/{file}.toml"))) {
            assert_obeys(&schema, &text, &file);
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} files");
}

#[test]
fn a_file_with_a_wrong_value_does_not_obey_its_schema() {
    let project = Project::new();
    let schemas = schemas(&project);
    for (file, text) in [
        ("site", "base_url = \"https://a.example\"\n[privacy]\nauthors = \"none\"\n"),
        ("business", "name = \"Acme\"\ncategory = \"Plummer\"\n"),
        ("business", "name = \"Acme\"\n[geo]\nlatitude = 91\nlongitude = 0\n"),
        ("business", "name = \"Acme\"\n[verification]\nplatforms = [\"direct\"]\n"),
        ("business", "name = \"Acme\"\n[verification.direct]\ndescription = \"By phone\"\n"),
        ("business", "name = \"Acme\"\n[policy]\nincentives = true\n"),
        ("services", "[[service]]\nid = \"a\"\nlabel = 1\n"),
        ("overrides", "[01J00000000000000000000001]\ndate = 2026-01-01\nhidden = \"because\"\n"),
        ("strings", "nobody_says_this = \"x\"\n"),
        ("places", "[[place]]\nsource = \"google\"\nname = \"Acme\"\n"),
    ] {
        let validator = jsonschema::draft202012::new(&schemas[file]).unwrap();
        assert!(!validator.is_valid(&parsed(text)), "{file}: {text}");
    }
}

#[test]
fn one_schema_is_printed_by_the_name_of_its_file_and_all_are_written() {
    let project = Project::new();
    let one = project.candor(["schema", "content", "content/business.toml"]).exits(0).out;
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["title"], "business.toml");
    assert_eq!(one["properties"]["name"]["type"], "string");
    assert_eq!(one["properties"]["legal_name"]["type"], "string", "TOML has no null");
    let run = project.candor(["schema", "content", "busines.toml"]).exits(1);
    assert_eq!(run.err, "error: there is no schema of busines.toml; did you mean \"business\"?\n");
    project
        .candor(["schema", "content", "--write"])
        .exits(0)
        .says("13 schemas in content/.schema\n");
    assert_eq!(project.json("content/.schema/business.json"), one);
    assert_eq!(project.json("content/.schema/site.json")["required"], json!(["base_url"]));
    let site = &project.json("content/.schema/site.json")["properties"]["site"];
    assert_eq!(site["required"], Value::Null, "every key of [site] has a default");
    project.candor(["check", "--strict"]).exits(0);
}
