//! Removing a review for good.

use serde_json::{Value, json};

use super::{Project, apify, google};

fn imported(count: usize) -> Project {
    let project = Project::new();
    let rows: Vec<Value> = (0..count).map(apify).collect();
    project.write("apify.json", Value::from(rows).to_string());
    project.candor(["import", "apify.json"]).exits(0);
    project
}

fn id(project: &Project, at: usize) -> String {
    project.stored()[at]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_forgotten_review_never_comes_back() {
    let project = imported(4);
    let id = id(&project, 1);
    let run = project.candor(["forget", &id]).exits(0);
    assert_eq!(
        run.out,
        format!(
            "removed 1 review from content/reviews/2025.ndjson: {id}\n\
             imports leave it out from now on; publish the site to take it off there: candor build\n\
             what still holds it:\n  \
             version control: no git history was found; look into your own backups\n  \
             exports: delete your copies of apify.json, or the reviews in them\n"
        )
    );
    assert_eq!(project.stored().len(), 3);
    let tombstone = project.text("content/tombstones.ndjson");
    let value: Value = serde_json::from_str(&tombstone).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 4, "{tombstone}");
    assert_eq!(value["hashes"].as_array().unwrap().len(), 2, "its id and its words: {tombstone}");
    assert_eq!((&value["id"], &value["reason"]), (&json!(id), &json!("author_request")));
    for trace in ["Ann", "ChZD", "Words"] {
        assert!(!tombstone.contains(trace), "{tombstone}");
    }
    project
        .candor(["import", "apify.json", "--exit-code"])
        .exits(2)
        .says("unchanged 3 · missing 0 · rejected 0 · forgotten 1");
    // Nor by its other id, where the words are the same.
    project.write_export("a.json", &(0..4).map(google).collect::<Vec<_>>());
    project.candor(["import", "a.json"]).exits(0).says("forgotten 1");
    assert!(project.stored().iter().all(|review| review["id"] != id));
    project.build();
    for (path, bytes) in project.tree("public") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !["Ann 1<", "Ann 1\"", "Words of review 1,"].iter().any(|it| text.contains(it)),
            "{path}"
        );
    }
    let changes = project.json("public/changes.json");
    let of_it = |change: &&Value| change["id"] == id;
    let found: Vec<&Value> = changes["changes"].as_array().unwrap().iter().filter(of_it).collect();
    assert_eq!(found, [&json!({ "id": id, "change": "removed", "at": value["at"] })]);
}

#[test]
fn everything_by_an_author() {
    let project = imported(4);
    let id = id(&project, 2);
    project.candor(["forget", "--author", "ANN  2", "--reason", "unlawful"]).exits(0).says(&id);
    assert_eq!(project.stored().len(), 3);
    assert!(project.text("content/tombstones.ndjson").contains("\"unlawful\""));
    project
        .candor(["forget", "--author", "Ann 2"])
        .exits(1)
        .complains("error: there is no review by \"Ann 2\"\n");
}

#[test]
fn rows_without_ids_are_forgotten_too() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2025-01-02,Good.\nBob,4,2025-01-03,\n");
    let import = || project.candor(["import", "a.csv", "--source", "direct"]).exits(0).out;
    import();
    project.candor(["forget", &id(&project, 0)]).exits(0);
    assert!(import().contains("unchanged 1 · missing 0 · rejected 0 · forgotten 1"));
}

#[test]
fn an_id_that_is_nobodys() {
    let project = imported(1);
    let before = project.tree("content");
    let run = project.candor(["forget", "01J00000000000000000000009", &id(&project, 0)]).exits(1);
    assert_eq!(
        run.err,
        "error: there is no review 01J00000000000000000000009; candor list shows the ids\n"
    );
    assert_eq!(project.tree("content"), before);
}

#[test]
fn a_pruned_review_can_still_be_forgotten() {
    let project = imported(20);
    let id = id(&project, 19);
    let rows: Vec<Value> = (0..19).map(apify).collect();
    project.write("fewer.json", Value::from(rows).to_string());
    project.candor(["import", "fewer.json", "--prune"]).exits(0).says("removed 1");
    project
        .candor(["forget", &id])
        .exits(0)
        .says("was removed earlier; its tombstone now prevents an import");
    project.candor(["import", "apify.json"]).exits(0).says("forgotten 1");
    assert_eq!(project.stored().len(), 19);
}

#[test]
fn what_is_written_by_hand_about_it_is_named_and_does_not_stop_the_site() {
    let project = imported(2);
    let id = id(&project, 0);
    project
        .write("content/overrides.toml", format!("[{id}]\ndate = 2025-02-01\nauthor = \"A.\"\n"));
    project
        .candor(["forget", &id])
        .exits(0)
        .says(&format!("content/overrides.toml: names {id}; remove it there by hand"));
    let run = project.candor(["check"]).exits(0);
    assert!(run.err.starts_with(&format!("content/overrides.toml:1:2: warning[removed-review]: the review {id} was removed; remove the table")), "{run:?}");
}

#[test]
fn a_review_put_back_by_hand_is_an_error() {
    let project = imported(2);
    let lines = project.text("content/reviews/2025.ndjson");
    let id = id(&project, 0);
    project.candor(["forget", &id]).exits(0);
    project.write("content/reviews/2025.ndjson", lines);
    let run = project.candor(["check"]).exits(1);
    assert_eq!(
        run.err,
        format!(
            "content/tombstones.ndjson:1: error[removed-review]: the review {id} was removed, and is among the reviews again; remove it for good with: candor forget {id}, or remove this line to keep it\n"
        )
    );
}

#[test]
fn reviews_in_an_array_are_forgotten_too() {
    let project = imported(2);
    let array = Value::from(project.stored());
    project.write("content/reviews.json", array.to_string());
    project.remove("content/reviews/2025.ndjson");
    let id = array[0]["id"].as_str().unwrap().to_owned();
    project.candor(["forget", &id]).exits(0).says("content/reviews.json");
    assert_eq!(project.json("content/reviews.json").as_array().unwrap().len(), 1);
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn git_is_asked_what_it_still_holds() {
    let project = imported(2);
    let git = |arguments: &[&str]| {
        let mut git = project.shielded("git");
        git.args(["-c", "user.name=T", "-c", "user.email=t@example.com"]).args(arguments);
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "content"]);
    git(&["commit", "-qm", "Reviews"]);
    let run = project.candor(["forget", &id(&project, 0)]).exits(0);
    run.says("version control: 1 commit has it; to rewrite the history, see git filter-repo");
}

#[test]
fn ids_and_an_author_are_not_asked_for_at_once() {
    let project = imported(3);
    let run = project.candor(["forget", &id(&project, 0), "--author", "Ann 1"]).exits(64);
    run.complains("error: the argument '[ID]...' cannot be used with '--author <NAME>'");
    assert_eq!(project.stored().len(), 3);
}
