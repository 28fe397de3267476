//! Exports that `import.toml` lists.

use crate::project::Project;

fn with(settings: &str) -> Project {
    let rows =
        |author: &str| format!("author,rating,date,text\n{author},5,2026-02-03,{author} wrote.\n");
    Project::new()
        .file("content/import.toml", settings)
        .file("exports/a.csv", rows("Ann Lee"))
        .file("exports/b.csv", rows("Ben Lee"))
}

const TWO: &str = "[[export]]\ninput = \"../exports/a.csv\"\nsource = \"google\"\n\
                   [[export]]\ninput = \"../exports/b.csv\"\nsource = \"google\"\n";

#[test]
fn exports_of_one_source_are_one_import() {
    let project = with(TWO);
    project.candor(["import", "--exit-code"]).exits(0).says("new 2 ·");
    let stored = project.text("content/reviews/2026.ndjson");
    assert!(stored.contains("Ann Lee wrote.") && stored.contains("Ben Lee wrote."), "{stored}");
    // Neither file makes the reviews of the other one missing.
    project.candor(["import", "--exit-code"]).exits(2);
    project
        .write("content/import.toml", TWO.replace("\n[[", "\nprune = true\n[[") + "prune = true\n");
    project.candor(["import", "--exit-code"]).exits(2);
}

#[test]
fn an_export_that_fails_keeps_no_other_from_being_imported() {
    let project = with(&TWO.replace("a.csv", "none.csv").replacen("google", "yelp", 1));
    project.candor(["import"]).exits(1).complains("none.csv: No such file").says("new 1 ·");
}

#[test]
fn mistakes_in_the_list_are_named() {
    let project = with("[[export]]\ninputs = \"a.csv\"\n");
    project
        .candor(["import"])
        .exits(1)
        .complains("content/import.toml:2:1: error[unknown-key]: unknown key \"export[0].inputs\"; did you mean \"input\"?");
    project.write("content/import.toml", "[[export]]\ninput = \"ftp://a.example/a.csv\"\n");
    project.candor(["import"]).exits(1).complains(
        "error: ftp://a.example/a.csv: ftp: addresses cannot be imported, only https (and http on this machine)",
    );
    project.candor(["import", "--report", "r.json"]).exits(64);
}
