//! Invisible characters that mean nothing where they are: no review has them after an import or a change
//! by hand, and `check` names those that were typed into the files. The rule itself is tested in `contract::text`.

use serde_json::{Value, json};

use super::Project;

/// "Ann", "Good work", "Thanks" and "Gut", with tags, an override, and what is between words unseen.
const AUTHOR: &str = "\u{2060}An\u{200b}n\u{e0041}";
const TEXT: &str = "\u{ad}Good \u{202e}wor\u{202c}k\u{e0069}\u{e0067}\u{feff} 👩\u{200d}🔧";
const REPLY: &str = "Tha\u{200c}nks\u{3164}";

fn row() -> Value {
    json!({
        "name": "accounts/1/locations/2/reviews/3", "reviewId": "3", "starRating": "FIVE",
        "reviewer": { "displayName": AUTHOR }, "createTime": "2026-01-02T03:04:05Z",
        "updateTime": "2026-01-02T03:04:05Z",
        "comment": format!("(Translated by Google) Go\u{200b}od.\n\n(Original)\n{TEXT}"),
        "reviewReply": { "comment": REPLY, "updateTime": "2026-01-03T03:04:05Z" },
    })
}

/// Author, text, reply and translation of the only stored review.
fn words(project: &Project) -> [String; 4] {
    let stored = project.stored();
    let [review] = &stored[..] else { panic!("{stored:?}") };
    ["/author", "/text", "/owner_reply/text", "/translation/text"]
        .map(|path| review.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned())
}

const CLEAN: [&str; 4] = ["Ann", "Good work 👩\u{200d}🔧", "Thanks", "Good."];

#[test]
fn an_import_removes_and_counts_them() {
    let project = Project::new();
    project.write_export("a.json", &[row()]);
    let run = project.candor(["import", "a.json", "--report", "report.json"]).exits(0);
    let note = "invisible characters that mean nothing where they are were removed: 1 row";
    run.says(note);
    assert_eq!(project.json("report.json")["notes"], json!([note]));
    assert_eq!(words(&project), CLEAN);
    project.candor(["check", "--strict"]).exits(0);
    project.candor(["import", "a.json"]).exits(0).says("new 0 · updated 0 · unchanged 1");
}

#[test]
fn an_address_has_none_either() {
    let address = "https://maps.example/\u{200b}x\u{e0041}";
    let project = Project::new();
    project
        .write("a.csv", format!("author,rating,date,text,url\nAnn,5,2026-01-02,Good,{address}\n"));
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0).says("invisible characters");
    assert_eq!(project.stored()[0]["source_url"], "https://maps.example/x");
    let path = "content/reviews/2026.ndjson";
    project.write(path, project.text(path).replace("https://maps.example/x", address));
    project.candor(["check"]).exits(0).complains("warning[invisible-text]: source_url of ");
}

#[test]
fn stored_ones_are_named_and_published_until_the_next_import_removes_them() {
    let table = |text: &str| format!("author,rating,date,text\n{AUTHOR},5,2026-01-02,{text}\n");
    let project = Project::new();
    project.write("a.csv", table("Good work"));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    // As somebody wrote it into the file.
    let path = "content/reviews/2026.ndjson";
    let stored = project
        .text(path)
        .replace("Good work", TEXT)
        .replace("\"Ann\"", &json!(AUTHOR).to_string());
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    project.write(path, &stored);
    let mut run = project.candor(["check"]).exits(0);
    let help = format!(
        "importing the export again removes them, and so does writing it again with candor edit {id} or candor reply {id}"
    );
    for (key, count, first) in [("author", 3, "2060"), ("text", 6, "00AD")] {
        run = run.complains(&format!(
            "{path}:1: warning[invisible-text]: {key} of {id} has invisible characters that mean nothing where they are: {count}, the first of them U+{first}; {help}\n"
        ));
    }
    project.build();
    assert_eq!(
        project.json("public/reviews.json")["reviews"][0]["text"],
        TEXT,
        "not changed silently"
    );
    assert_eq!(project.text(path), stored);
    project.write("a.csv", table(TEXT));
    let run = project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    run.says("new 0 · updated 1 · unchanged 0 · missing 0");
    assert_eq!(words(&project)[..2], ["Ann", "Good work 👩\u{200d}🔧"]);
    assert_eq!(project.stored()[0]["id"], id.as_str());
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn a_removed_review_does_not_come_back_without_them() {
    let text = format!("{TEXT} and more words so that nobody else wrote the same.");
    let project = Project::new();
    project.write(
        "a.csv",
        format!("author,rating,date,text\nBob,4,2026-01-03,Fine\n{AUTHOR},5,2026-01-02,{text}\n"),
    );
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    let path = "content/reviews/2026.ndjson";
    let clean = "Good work 👩\u{200d}🔧";
    project.write(path, project.text(path).replace(clean, TEXT));
    let ann =
        project.stored().iter().find(|review| review["author"] == "Ann").unwrap()["id"].clone();
    project.candor(["forget", ann.as_str().unwrap()]).exits(0);
    project.candor(["import", "a.csv", "--source", "google"]).exits(0).says("forgotten 1");
}

#[test]
fn what_is_written_by_hand_has_none() {
    let project = Project::new();
    project.candor(["new", "review", "--author", AUTHOR, "--rating", "5", "--text", TEXT]).exits(0);
    assert_eq!(words(&project)[..2], ["Ann", "Good work 👩\u{200d}🔧"]);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    project.candor(["edit", &id, "--set", &format!("text={TEXT}!")]).exits(0);
    assert_eq!(words(&project)[1], "Good work 👩\u{200d}🔧!");
    project.candor(["edit", &id, "--set", &format!("author={AUTHOR}a")]).exits(0);
    project.candor(["reply", &id, REPLY]).exits(0);
    let overrides = project.text("content/overrides.toml");
    assert!(overrides.contains("\"Anna\"") && overrides.contains("\"Thanks\""), "{overrides}");
    project.candor(["reply", &id, "\u{200b}"]).exits(1).complains("the reply has no words");
    // Typed into the file, they are named.
    project.write(
        "content/overrides.toml",
        overrides.replace("Thanks", REPLY).replace("Anna", AUTHOR),
    );
    let mut run = project.candor(["check"]).exits(0);
    for (key, count) in [("author", 3), ("owner_reply", 2)] {
        run = run.complains(&format!(
            "content/overrides.toml:1:2: warning[invisible-text]: {key} of {id} has invisible characters that mean nothing where they are: {count}, the first"
        ));
    }
}
