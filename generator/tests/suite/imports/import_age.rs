//! An import that died is noticed: the age of each source's last import.

use super::{Project, google};

/// A project with a Google import this long ago.
fn imported(hours_ago: i64) -> Project {
    let project = Project::new();
    project.write_export("a.json", &[google(1), google(2)]);
    project.candor(["import", "a.json"]).exits(0);
    age(&project, hours_ago);
    project
}

/// Moves every import of the log to this time.
fn age(project: &Project, hours_ago: i64) {
    let at = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(hours_ago);
    let lines = project.import_log().into_iter().map(|mut line| {
        line["at"] = at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into();
        format!("{line}\n")
    });
    let text: String = lines.collect();
    project.write("content/imports.log.ndjson", text);
}

#[test]
fn check_fails_when_a_sources_last_import_is_older_than_max_import_age() {
    let project = imported(100);
    let at = project.import_log()[0]["at"].as_str().unwrap().to_owned();
    let said = format!(
        "content/imports.log.ndjson: error[import-age]: the last import of google is 4 d old ({at}), and the limit is 3d; look why the scheduled import stopped, and run candor import\n"
    );
    for limit in ["3d", "google=3d"] {
        let run = project.candor(["check", "--max-import-age", limit]).exits(1);
        assert_eq!(run.err, said);
        run.says("1 error, no warnings");
    }
    let run = project.candor(["check", "--json", "--max-import-age", "3d"]).exits(1);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found[0]["code"], "import-age");
    project.candor(["check", "--max-import-age", "5d"]).exits(0);
    project.candor(["check"]).exits(0);
}

#[test]
fn a_source_may_have_a_limit_of_its_own() {
    let project = imported(100);
    project.candor(["check", "--max-import-age", "3d", "--max-import-age", "google=30d"]).exits(0);
    project.candor(["check", "--max-import-age", "9d", "--max-import-age", "google=36h"]).exits(1);
}

#[test]
fn a_source_that_was_never_imported_fails_if_it_is_named() {
    let project = imported(1);
    assert_eq!(
        project.candor(["check", "--max-import-age", "gogle=3d"]).exits(1).err,
        "content/imports.log.ndjson: error[import-age]: no import of gogle is recorded, and the limit is 3d; run candor import, or correct the name of the source\n"
    );
    assert_eq!(
        Project::new().candor(["check", "--max-import-age", "3d"]).exits(1).err,
        "content/imports.log.ndjson: error[import-age]: nothing was ever imported, and the limit is 3d; run candor import, or correct the name of the source\n"
    );
    project
        .candor(["check", "--max-import-age", "soon"])
        .exits(64)
        .complains("write an age such as 3d or 36h, or google=3d for one source");
}

#[test]
fn an_import_without_news_is_logged_when_the_last_one_is_old() {
    let project = imported(35);
    project.candor(["import", "a.json", "--exit-code"]).exits(2);
    assert_eq!(project.import_log().len(), 1, "a night without news");
    age(&project, 47);
    project.candor(["import", "a.json", "--exit-code", "--dry-run"]);
    assert_eq!(project.import_log().len(), 1, "a dry run");
    project.candor(["import", "a.json", "--exit-code"]).exits(0).says("unchanged 2");
    let log = project.import_log();
    assert_eq!((log.len(), &log[1]["new"]), (2, &0.into()));
    project.candor(["check", "--max-import-age", "1h"]).exits(0);
    project.candor(["import", "a.json", "--exit-code"]).exits(2);
}

#[test]
fn an_import_that_fails_is_not_logged_as_one() {
    let project = imported(100);
    project.write("a.json", "{\"reviews\":[]}");
    project.candor(["import", "a.json"]).exits(1);
    let mut faulty = google(1);
    faulty["starRating"] = "SIX".into();
    project.write_export("a.json", &[faulty]);
    project.candor(["import", "a.json"]).exits(1);
    project.candor(["check", "--max-import-age", "3d"]).exits(1);
}
