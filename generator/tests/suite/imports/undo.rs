//! Ways out of a wrong import.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Project;

#[test]
fn the_last_import_is_taken_back_as_a_whole() {
    let project = Project::new();
    let content = || project.tree("content");
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    let before = content();
    project.write("b.csv", "author,rating,date,text,company\nAnn,5,2026-01-02,Better,Acme\nBen,1,2024-01-03,Bad,Acme\n");
    project.candor(["import", "b.csv", "--source", "direct"]).exits(0).says("new 1 · updated 1");
    let after = content();
    project.candor(["import", "--undo", "--dry-run"]).exits(64);
    project.candor(["import", "--undo"]).exits(0).says("is taken back:\n").says("2024.ndjson");
    let visible = |tree: BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        tree.into_iter().filter(|(name, _)| !name.starts_with('.')).collect()
    };
    assert_eq!(visible(content()), visible(before));
    project.candor(["check"]).exits(0);
    project.candor(["import", "--undo"]).exits(1).complains("error: there is no import to take back in this folder; one that was made elsewhere is taken back with version control, such as git revert\n");
    // What a repository could have put there.
    project.write("secret", "TOKEN=1\n");
    let index = project.path("content/.candor-undo/undo.json");
    std::fs::create_dir_all(index.parent().unwrap()).unwrap();
    let outside = r#"{"at":"2026-01-01T00:00:00Z","files":[{"path":"reviews/2024.ndjson","before":"../../secret","after":null}]}"#;
    std::fs::write(&index, outside).unwrap();
    project
        .candor(["import", "--undo"])
        .exits(1)
        .complains("\"../../secret\" is not a file that an import kept");
    // Neither a file without an end nor one behind a link is read.
    for path in ["/dev/zero", "../../../../../../dev/zero"] {
        let file = format!(
            r#"{{"at":"2026-01-01T00:00:00Z","files":[{{"path":"{path}","before":null,"after":null}}]}}"#
        );
        std::fs::write(&index, file).unwrap();
        project.candor(["import", "--undo"]).exits(1).complains("/dev/zero");
    }
    project.candor(["import", "b.csv", "--source", "direct"]).exits(0);
    assert_eq!(visible(content()).len(), visible(after).len());
    project
        .candor(["new", "review", "--author", "Cy", "--rating", "4", "--date", "2026-01-05"])
        .exits(0);
    project
        .candor(["import", "--undo"])
        .exits(1)
        .complains("2026.ndjson has changed since the import of ")
        .complains("; take both back with version control\n");
}

#[test]
fn a_review_that_was_replied_to_since_is_not_taken_back() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    project.candor(["reply", &id, "Thank you"]).exits(0);
    project.candor(["import", "--undo"]).exits(1).complains(&format!(
        "overrides.toml names {id}, which this import added; remove it there first\n"
    ));
    project.candor(["check"]).exits(0);
    project.remove("content/overrides.toml");
    project.candor(["import", "--undo"]).exits(0);
    project.candor(["check"]).exits(0);
}

#[test]
fn what_is_forgotten_cannot_be_taken_back() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    project
        .write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\nBen,4,2026-01-03,Fine\n");
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    assert!(project.path("content/.candor-undo/0").exists());
    project.candor(["forget", "--author", "Ann"]).exits(0);
    assert!(!project.path("content/.candor-undo").exists());
}

#[test]
fn a_copied_file_is_one_message() {
    let project = Project::new();
    let rows: String =
        (1..=20).map(|n| format!("Ann {n},5,2026-01-{n:02},Good {n},x{n}12345678\n")).collect();
    project.write("a.csv", format!("author,rating,date,text,id\n{rows}"));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    let text = std::fs::read_to_string(project.path("content/reviews/2026.ndjson")).unwrap();
    project.write("content/reviews/copy.ndjson", text);
    let run = project.candor(["check"]).exits(1);
    assert_eq!(run.err.matches("duplicate").count(), 1, "{}", run.err);
    run.complains("this file repeats 20 reviews of ").complains("remove one of the two files");
}

/// A change to the content: what it is before, and after.
type Damage = fn(&Project, &str);

/// Each error that check finds in what imports store: how it comes about, its code, and what its help
/// says to do.
const WAYS_OUT: [(Damage, &str, Damage); 9] = [
    (|project, _| replace(project, "\"rating\":5", "\"rating\":6"), "invalid-value", without_ann),
    (|project, _| replace(project, "\"Good\"", "5"), "invalid-value", without_ann),
    (|project, _| replace(project, "{\"id\"", "{id"), "json-syntax", without_ann),
    (|project, _| replace(project, "\"author\":\"Ann\",", ""), "missing-key", without_ann),
    (|project, _| replace(project, "\"rating\":5", "\"stars\":5,\"rating\":5"), "unknown-key", {
        |project, _| replace(project, "\"stars\":5,", "")
    }),
    (
        |project, _| replace(project, "\"date\":\"2026-01-02\"", "\"date\":\"2099-01-02\""),
        "future-date",
        import_again,
    ),
    (
        |project, _| {
            let text = reviews(project);
            project.write("content/reviews/2025.ndjson", text.lines().next().unwrap());
        },
        "duplicate-id",
        |project, _| project.remove("content/reviews/2025.ndjson"),
    ),
    (
        |project, id| {
            let text = reviews(project);
            project.candor(["forget", id]).exits(0);
            project.write(REVIEWS, text);
        },
        "removed-review",
        |project, id| drop(project.candor(["forget", id]).exits(0)),
    ),
    (
        |project, id| {
            project.candor(["reply", id, "Thank you"]).exits(0);
            without_ann_alone(project);
        },
        "unknown-id",
        |project, _| project.remove("content/overrides.toml"),
    ),
];

const REVIEWS: &str = "content/reviews/2026.ndjson";

fn reviews(project: &Project) -> String {
    std::fs::read_to_string(project.path(REVIEWS)).unwrap()
}

fn replace(project: &Project, from: &str, to: &str) {
    let text = reviews(project);
    assert!(text.contains(from), "{from} is not in {text}");
    project.write(REVIEWS, text.replacen(from, to, 1));
}

fn without_ann_alone(project: &Project) {
    let text = reviews(project);
    project
        .write(REVIEWS, text.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>());
}

fn without_ann(project: &Project, id: &str) {
    without_ann_alone(project);
    import_again(project, id);
    assert_eq!(project.stored().len(), 2);
}

fn import_again(project: &Project, _: &str) {
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
}

#[test]
fn every_error_about_stored_reviews_has_a_way_out() {
    for (damage, code, way_out) in WAYS_OUT {
        let project = Project::new();
        project.write(
            "a.csv",
            "author,rating,date,text\nAnn,5,2026-01-02,Good\nBen,4,2026-01-03,Fine\n",
        );
        import_again(&project, "");
        let first: Value = serde_json::from_str(reviews(&project).lines().next().unwrap()).unwrap();
        let id = first["id"].as_str().unwrap();
        damage(&project, id);
        project.candor(["check"]).exits(1).complains(&format!("error[{code}]"));
        way_out(&project, id);
        project.candor(["check"]).exits(0);
    }
}
