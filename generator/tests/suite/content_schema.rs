//! `candor schema content`: the schemas of hand-written files say what `candor check` says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{project::Project, review::id};

/// No file has this key.
const NOBODYS: &str = "zzzzzzzzzzzzzzzz";

/// A name that the author of a file chooses.
const CHOSEN: &str = "aaaaaaaaaaaaaaaa";

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

/// The tables of a schema by their paths, with their keys; and the keys that are not tables.
#[derive(Default)]
struct Keys {
    tables: BTreeMap<String, BTreeSet<String>>,
    leaves: BTreeSet<String>,
}

/// An inline TOML table with an unknown key in every table, and a value of a wrong type for
/// every other key.
fn wrong(schema: &Value, path: &str, keys: &mut Keys) -> String {
    let mut pairs = vec![format!("{NOBODYS} = 1")];
    let mut names = BTreeSet::new();
    for (name, of) in schema["properties"].as_object().into_iter().flatten() {
        names.insert(name.clone());
        // A table or another value: what is said of the table.
        let any = of["anyOf"].as_array().into_iter().flatten();
        let of = any.clone().find(|of| of["properties"].is_object()).unwrap_or(of);
        let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if of["properties"].is_object() {
            pairs.push(format!("{name} = {}", wrong(of, &full, keys)));
        } else if of["items"]["properties"].is_object() {
            pairs.push(format!("{name} = [{}]", wrong(&of["items"], &format!("{full}[0]"), keys)));
        } else {
            // A text where another type is wanted, and a number where a text is.
            let is_number =
                of["type"] == "integer" || of["type"] == "number" || of["type"] == "boolean";
            pairs.push(format!("{name} = {}", if is_number { "\"x\"" } else { "{}" }));
            keys.leaves.insert(full);
        }
    }
    let named = &schema["additionalProperties"];
    if named["properties"].is_object() {
        names.insert(CHOSEN.to_owned());
        pairs.push(format!("{CHOSEN} = {}", wrong(named, &format!("{path}.{CHOSEN}"), keys)));
    }
    keys.tables.insert(path.to_owned(), names);
    match path {
        "" => pairs.join("\n"),
        _ => format!("{{ {} }}", pairs.join(", ")),
    }
}

fn found(project: &Project) -> (BTreeMap<String, BTreeSet<String>>, BTreeSet<String>) {
    let run = project.candor(["check", "--json"]).exits(1);
    let problems: Vec<Map<String, Value>> = serde_json::from_str(&run.out).unwrap();
    let mut tables = BTreeMap::new();
    let mut leaves = BTreeSet::new();
    for problem in problems {
        let (message, help) =
            (problem["message"].as_str().unwrap(), problem["help"].as_str().unwrap());
        match problem["code"].as_str().unwrap() {
            "unknown-key" => {
                let full = message.split('"').nth(1).unwrap();
                assert!(full.ends_with(NOBODYS), "{message}");
                let path = full.trim_end_matches(NOBODYS).trim_end_matches('.');
                let known = help.strip_prefix("known are ").unwrap().split(", ");
                tables.insert(path.to_owned(), known.map(str::to_owned).collect());
            }
            "wrong-type" => {
                leaves.insert(message.split(' ').next().unwrap().to_owned());
            }
            _ => {}
        }
    }
    (tables, leaves)
}

#[test]
fn schemas_have_exactly_the_keys_that_check_knows() {
    let project = Project::new();
    for (file, schema) in schemas(&project) {
        if file == "strings" {
            continue;
        }
        let mut keys = Keys::default();
        let text = match file.as_str() {
            "overrides" => {
                let table = wrong(&schema["additionalProperties"], &id(1), &mut keys);
                format!("{} = {table}", id(1))
            }
            _ => wrong(&schema, "", &mut keys),
        };
        let project = Project::new();
        project.write(&format!("content/{file}.toml"), &text);
        let (mut tables, leaves) = found(&project);
        // `check` knows these keys to say that nobody may correct them.
        if let Some(known) = tables.get_mut(&id(1)) {
            known.retain(|key| key != "rating" && key != "text");
        }
        assert_eq!(tables, keys.tables, "{file}");
        assert_eq!(leaves, keys.leaves, "{file}: {text}");
    }
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
        ("services", "[[service]]\nid = \"a\"\nlabel = 1\n"),
        ("overrides", "[01J00000000000000000000001]\ndate = 2026-01-01\nhidden = \"because\"\n"),
        ("strings", "nobody_says_this = \"x\"\n"),
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
    project.candor(["check", "--strict"]).exits(0);
}
