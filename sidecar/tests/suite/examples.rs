//! Every example that clients are shown is sent to a sidecar with the sample site, and finds
//! something: those of the tools' schemas, of `openapi.json` and of the documentation.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use content::cache::Cache;
use generator::{
    pipeline::Checked,
    publication,
    publish::{self, Options},
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sidecar::Config;
use tempfile::TempDir;

use crate::{Request, Running, agent::Agent, get};

/// The host of the addresses in the documentation.
const DOCUMENTED: &str = "https://reviews.example.com";

fn content() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../content")
}

/// The sample site, served.
pub(crate) struct Sample {
    pub(crate) running: Running,
    folder: TempDir,
}

impl Sample {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let checked = Checked::read(&content(), None, &Cache::none(), Timestamp::now());
        let data = checked.publishable().unwrap_or_else(|| panic!("{:#?}", checked.problems));
        let documents = publication::documents(data).unwrap();
        let public = folder.path().join("public");
        let head = publish::head(data);
        publish::publish(
            &head,
            &documents,
            &public,
            &Options::new(Timestamp::now(), &Cache::none()),
        )
        .unwrap();
        let mut config = Config::new(public, folder.path().join("state")).unwrap();
        config.serve_public = true;
        config.workers = 1;
        config.lock_wait = Duration::ZERO;
        Self { running: Running::start_with(config), folder }
    }

    fn published(&self, path: &str) -> Value {
        let bytes = fs::read(self.folder.path().join("public").join(path)).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// That a path answers with at least one review.
    fn finds(&self, path: &str) {
        let answer = get(self.running.address, path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let answer = answer.json();
        assert!(answer["matched"].as_u64() > Some(0), "{path}: {answer}");
        assert_eq!(answer.get("ignored"), None, "{path}");
    }
}

/// Whether a list in a result is empty, or a page has no match.
fn is_empty(data: &Value) -> bool {
    let lists = ["reviews", "changes", "faq", "aspects", "topics", "results"];
    let found = lists.iter().find_map(|list| data.get(list)).map(|list| list == &json!([]));
    found.unwrap_or_else(|| data.as_object().is_none_or(Map::is_empty))
}

#[test]
fn every_example_of_a_tools_schema_finds_something() {
    let sample = Sample::start();
    let agent = Agent::new(&sample.running);
    let tools = agent.ask("tools/list", json!({}))["tools"].take();
    let schemas = sample.published("schemas/tools.json")["$defs"].take();
    let mut called = 0;
    for tool in tools.as_array().unwrap() {
        let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
        let properties = schema["properties"].as_object().unwrap();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let required = required.iter().map(|name| name.as_str().unwrap());
        let least: Map<String, Value> =
            required.map(|name| (name.into(), properties[name]["examples"][0].clone())).collect();
        let mut all = vec![least.clone()];
        for (parameter, property) in properties {
            let examples = property["examples"].as_array();
            // An agent knows the name of an author from a review, or not at all.
            let has_none = ["author", "cursor"].contains(&parameter.as_str());
            assert_eq!(examples.is_none(), has_none, "{name}.{parameter}");
            for example in examples.into_iter().flatten() {
                let mut arguments = least.clone();
                arguments.insert(parameter.clone(), example.clone());
                all.push(arguments);
            }
        }
        for arguments in all {
            let data = agent.data(name, Value::Object(arguments.clone()));
            assert!(!is_empty(&data), "{name} {arguments:?}: {data}");
            let validator = jsonschema::draft202012::new(&schemas[name]).unwrap();
            let error = validator.iter_errors(&data).next();
            assert!(error.is_none(), "{name} {arguments:?}: {}", error.unwrap());
            called += 1;
        }
    }
    assert!(called > 40, "{called}");
}

#[test]
fn every_example_of_openapi_finds_something() {
    let sample = Sample::start();
    let description = sample.published("openapi.json");
    let mut shown = Vec::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        if !path.starts_with("/api/reviews/") {
            continue;
        }
        for parameter in operations["get"]["parameters"].as_array().unwrap() {
            let Some(name) = parameter["name"].as_str() else { continue };
            let Some(example) = parameter.get("example") else {
                assert_eq!(name, "cursor", "{path} has an example of everything else");
                continue;
            };
            let value = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            let value = contract::query::encoded(&value).to_string();
            let target = if parameter["in"] == "path" {
                path.replace(&format!("{{{name}}}"), &value)
            } else {
                format!("{path}?{name}={value}")
            };
            sample.finds(&target);
            shown.push(name.to_owned());
        }
    }
    for name in ["query", "mentions_technician", "mentions_service", "since", "date", "limit"] {
        assert!(shown.iter().any(|one| one == name), "{name} of {shown:?}");
    }
}

#[test]
fn every_address_in_the_documentation_of_the_interface_finds_something() {
    let sample = Sample::start();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut tried = 0;
    for page in ["api.md", "mcp.md", "documents.md"] {
        let text = fs::read_to_string(docs.join(page)).unwrap();
        let begin = format!("{DOCUMENTED}/api/reviews/");
        for (at, _) in text.match_indices(&begin) {
            let rest = &text[at + DOCUMENTED.len()..];
            let end = rest.find(|c: char| "'\"` )\n".contains(c)).unwrap_or(rest.len());
            sample.finds(&rest[..end]);
            tried += 1;
        }
    }
    assert!(tried >= 4, "{tried}");
}

#[test]
fn every_address_in_llms_txt_answers() {
    let sample = Sample::start();
    let llms = fs::read_to_string(sample.folder.path().join("public/llms.txt")).unwrap();
    let base = sample.published("candor-manifest.json")["base_url"].as_str().unwrap().to_owned();
    let mut tried = 0;
    for (at, _) in llms.match_indices(&format!("({base}/")) {
        let rest = &llms[at + 1 + base.len()..];
        let path = &rest[..rest.find(')').unwrap()];
        // MCP clients post.
        let expected = if path == "/mcp" { 405 } else { 200 };
        let answer = Request::get(path).host("localhost").send(sample.running.address);
        assert_eq!(answer.status, expected, "{path}");
        tried += 1;
    }
    assert!(tried >= 5, "{tried}: {llms}");
}

#[test]
fn prompts_name_tools_that_exist() {
    let sample = Sample::start();
    let agent = Agent::new(&sample.running);
    let technician = sample.published("reviews.json")["business"]["technicians"][0]["id"].take();
    let mut text = String::new();
    for (prompt, arguments) in [
        ("should_i_hire", json!({ "service": "drains", "aspect": "punctuality" })),
        ("technician_feedback", json!({ "technician": technician })),
        ("whats_new", json!({ "since": "2026-01-01" })),
    ] {
        let got = agent.ask("prompts/get", json!({ "name": prompt, "arguments": arguments }));
        text.push_str(got["messages"][0]["content"]["text"].as_str().unwrap());
    }
    let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let tools =
        words.filter(|word| ["get_", "search_", "list_"].iter().any(|verb| word.starts_with(verb)));
    let named: Vec<_> = tools.collect();
    assert!(named.len() >= 8, "{named:?}");
    for name in named {
        assert!(contract::mcp::Tool::find(name).is_some(), "{name}");
    }
}

#[test]
fn everybody_whom_a_review_mentions_is_known_by_id_and_name() {
    let sample = Sample::start();
    let agent = Agent::new(&sample.running);
    let reviews = sample.published("reviews.json")["reviews"].take();
    let mentioned = |list: &str| -> BTreeSet<String> {
        let lists = reviews.as_array().unwrap().iter().map(|it| &it["mentions"][list]);
        lists.flat_map(|list| list.as_array().unwrap()).map(text).collect()
    };
    let technicians = mentioned("technicians");
    assert!(technicians.contains("Dwight Perriman"), "the one who retired: {technicians:?}");
    for name in technicians {
        let entity = agent.data("get_technician", json!({ "technician": name }));
        assert_eq!(entity["name"], *name);
        let found = |who: &Value| {
            agent.data("search_reviews", json!({ "mentions_technician": who }))["matched"].take()
        };
        assert_eq!(found(&entity["id"]), entity["mention_count"], "{name}");
        assert_eq!(found(&json!(name)), entity["mention_count"], "{name}");
    }
    for id in mentioned("services") {
        assert_eq!(agent.data("get_service", json!({ "service": id }))["id"], *id);
    }
    let dwight = agent.data("get_technician", json!({ "technician": "dwight" }));
    assert_eq!((&dwight["active_until"], &dwight["score"]), (&json!("2023-08-31"), &Value::Null));
}

#[test]
fn lists_have_every_aspect_with_its_definition_and_the_topics_of_the_owner_alone() {
    let sample = Sample::start();
    let agent = Agent::new(&sample.running);
    let aspects = agent.data("list_aspects", json!({}))["aspects"].take();
    let aspects = aspects.as_array().unwrap();
    assert_eq!(
        aspects.len(),
        sample.published("insights.json")["aspects"].as_array().unwrap().len()
    );
    for aspect in aspects {
        assert!(aspect["definition"].is_string(), "{aspect}");
        let found = agent.data("get_aspect_sentiment", json!({ "aspect": aspect["label"] }));
        for (key, value) in aspect.as_object().unwrap() {
            assert_eq!(found[key], *value, "{key}");
        }
    }
    let owners = fs::read_to_string(content().join("topics.toml")).unwrap();
    let ids = owners.lines().filter_map(|line| line.strip_prefix("id = \""));
    let owners: Vec<_> = ids.map(|id| id.trim_end_matches('"').to_owned()).collect();
    let topics = agent.data("list_topics", json!({}))["topics"].take();
    let topics: Vec<_> = topics.as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    assert!(!owners.is_empty());
    assert_eq!(topics, owners);
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
