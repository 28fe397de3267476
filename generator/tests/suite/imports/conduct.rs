//! How an import behaves: dry runs, reports, exit codes, all or nothing, the log.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Project, apify, google};

#[test]
fn a_dry_run_writes_nothing_and_says_the_same() {
    let project = Project::new();
    project.write_export("a.json", &[google(1), google(2)]);
    let before = project.tree("content");
    let dry_run = project.candor(["import", "a.json", "--dry-run"]).exits(0);
    assert_eq!(project.tree("content"), before);
    let end = "; a dry run: nothing was written\nnext: candor import a.json";
    assert!(
        dry_run
            .out
            .ends_with(&format!("new 2 · updated 0 · unchanged 0 · missing 0 · rejected 0{end}\n"))
    );
    let run = project.candor(["import", "a.json"]).exits(0);
    assert_eq!(dry_run.out.replace(end, ""), run.out);
    project.candor(["import", "a.json", "--dry-run", "--exit-code"]).exits(2);
}

#[test]
fn exit_codes_tell_changed_unchanged_and_error_apart() {
    let project = Project::new();
    project.write_export("a.json", &[google(1)]);
    project.candor(["import", "a.json", "--exit-code"]).exits(0);
    project.candor(["import", "a.json", "--exit-code"]).exits(2);
    project.candor(["import", "a.json"]).exits(0);
    project.candor(["import", "nothing.json"]).exits(1).complains("nothing.json: No such file");
    project.candor(["import"]).exits(1).complains("error: there is nothing to import; ");
    for arguments in [
        &["import", "a.json", "--format", "goggle"][..],
        &["import", "a.json", "--map", "author=a,stars=b"],
        &["import", "a.json", "--map", "author=reviewer_email,rating=b"],
        &["import", "a.json", "--date-format", "soon"],
        &["import", "a.json", "--relative-to", "yesterday"],
        &["import", "http://example.com/a.json"],
        &["forget"],
        &["forget", "nobody"],
        &["forget", "--author", "Ann", "--reason", "bored"],
    ] {
        let run = project.candor(arguments.iter().copied());
        assert_eq!(run.code, 64, "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_file_with_a_bad_row_is_not_imported_and_the_others_are() {
    let project = Project::new();
    let mut bad = google(2);
    bad["starRating"] = json!("SIX");
    bad["createTime"] = json!("soon");
    project.write_export("bad.json", &[google(1), bad]);
    project.write_export("good.json", &[google(3)]);
    let run = project.candor(["import", "bad.json", "good.json"]).exits(1);
    assert_eq!(
        run.err,
        "bad.json#/reviews/1: error[invalid-rating]: starRating: the rating must be exactly 1 to 5, found \"SIX\"; ratings are never rounded; correct the row or remove it\n\
         bad.json#/reviews/1: error[invalid-date]: createTime: \"soon\" is not a date; write dates as 2026-03-01 or 2026-03-01T09:30:00Z, or say how they are written with --date-format\n\
         next: candor import bad.json good.json --keep-going\n"
    );
    assert!(
        run.out.contains("new 1 · updated 0 · unchanged 0 · missing 0 · rejected 1"),
        "{run:?}"
    );
    assert_eq!(project.stored().len(), 1);
    project.candor(["import", "bad.json", "--keep-going"]).exits(0).says("new 1");
    assert_eq!(project.stored().len(), 2);
}

#[test]
fn the_report_says_everything() {
    let project = Project::new();
    let mut bad = google(2);
    bad["starRating"] = json!("SIX");
    project.write_export("a.json", &[google(1), bad]);
    project.candor(["import", "a.json", "--keep-going", "--report", "report.json"]).exits(0);
    let report = project.json("report.json");
    assert_eq!(
        report["rejections"],
        json!([{
            "file": "a.json", "line": null, "pointer": "/reviews/1", "field": "starRating",
            "code": "invalid-rating", "reason": "the rating must be exactly 1 to 5, found \"SIX\"",
            "help": "ratings are never rounded; correct the row or remove it",
        }])
    );
    assert_eq!(report["counts"]["new"], 1);
    assert_eq!(
        (&report["files"][0]["format"], &report["changed"]),
        (&json!("google-takeout"), &json!(true))
    );
    assert_eq!(report["new"][0], project.stored()[0]["id"]);
    project.candor(["import", "gone.json", "--report", "report.json"]).exits(1);
    assert!(project.json("report.json")["error"].as_str().unwrap().starts_with("gone.json"));
}

#[test]
fn the_log_has_a_line_only_when_there_is_news() {
    let project = Project::new();
    project.write_export("folder/a.json", &[google(1)]);
    for _ in 0..3 {
        project.candor(["import", "folder/a.json"]).exits(0);
    }
    let log = project.import_log();
    assert_eq!(log.len(), 1);
    let bytes = project.bytes("folder/a.json");
    assert_eq!(log[0]["files"][0]["file"], "a.json", "no folder of anybody's machine");
    assert_eq!(log[0]["files"][0]["blake3"], blake3::hash(&bytes).to_hex().to_string());
    assert_eq!(log[0]["new"], 1);
    // Rejected rows are news, once.
    let mut bad = google(2);
    bad["starRating"] = json!("SIX");
    project.write_export("bad.json", &[bad]);
    for _ in 0..3 {
        project.candor(["import", "bad.json"]).exits(1);
    }
    assert_eq!(project.import_log().len(), 2);
    assert_eq!(project.import_log()[1]["rejected"], 1);
}

#[test]
fn several_businesses_are_refused_until_one_is_chosen() {
    let project = Project::new();
    let of = |n: usize, location: &str| {
        let mut review = google(n);
        let name = review["name"].as_str().unwrap().replace("locations/7", location);
        review["name"] = json!(name);
        review
    };
    project.write_export("takeout/account-1/location-7/reviews.json", &[google(1), google(2)]);
    project.write(
        "takeout/account-1/location-7/additionalData.json",
        "{\"x\":{\"LISTING_NAME\":\"Tillwater\"}}",
    );
    project.write_export("takeout/account-1/location-8/reviews.json", &[of(3, "locations/8")]);
    let run = project.candor(["import", "takeout"]).exits(1);
    assert_eq!(
        run.err,
        "error: the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n  7  Tillwater  2 reviews\n  8  (no name)  1 reviews\nnext: candor import takeout --location ID\n"
    );
    assert!(!project.path("content/reviews").exists());
    for wanted in ["7", "tillwater"] {
        project
            .candor(["import", "takeout", "--location", wanted, "--dry-run"])
            .exits(0)
            .says("new 2");
    }
    project
        .candor(["import", "takeout", "--location", "9"])
        .exits(1)
        .complains("there is no such business; known are");
    project.write("content/import.toml", "[import]\nlocation = \"8\"\n");
    project.candor(["import", "takeout"]).exits(0).says("new 1");
    assert_eq!(project.stored()[0]["author"], "Ann 3");
}

#[test]
fn a_scrape_and_an_export_of_one_business_are_no_two_businesses() {
    let project = Project::new();
    project.write_export("a.json", &[google(1)]);
    project.write("b.json", json!([apify(1), apify(2)]).to_string());
    project.candor(["import", "a.json", "b.json"]).exits(0).says("new 2");
}

#[test]
fn columns_that_vanish_are_said() {
    let project = Project::new();
    let mut replied = apify(1);
    replied["responseFromOwnerText"] = json!("Thanks!");
    project.write("a.json", json!([replied]).to_string());
    project.candor(["import", "a.json"]).exits(0);
    let mut bare = apify(1);
    bare.as_object_mut().unwrap().remove("reviewerId");
    project.write("a.json", json!([bare]).to_string());
    let run = project.candor(["import", "a.json"]).exits(0);
    assert_eq!(
        run.err,
        "warning: reviewerId is absent in all rows, and was present in the last apify import\n\
         warning: responseFromOwnerText is absent in all rows, and was present in the last apify import\n"
    );
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks!");
}

#[test]
fn columns_of_another_table_do_not_vanish() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
    project.write("b.csv", "kunde,sterne,datum,kommentar\nBen,4,2026-01-03,Gut\n");
    assert_eq!(project.candor(["import", "b.csv", "--source", "survey"]).exits(0).err, "");
    project.write("c.csv", "");
    assert!(
        !project.candor(["import", "c.csv", "--source", "shop"]).exits(1).err.contains("absent")
    );
}

#[test]
fn arrays_are_read_and_what_changes_in_them_moves_to_lines() {
    let project = Project::new();
    project.write_export("a.json", &[google(1), google(2)]);
    project.candor(["import", "a.json"]).exits(0);
    let array = Value::from(project.stored());
    project.write("content/reviews.json", serde_json::to_string_pretty(&array).unwrap());
    project.remove("content/reviews/2025.ndjson");
    let before = project.tree("content");
    project.candor(["import", "a.json", "--exit-code"]).exits(2);
    assert_eq!(project.tree("content"), before);
    let mut newer = google(1);
    newer["updateTime"] = json!("2025-06-01T00:00:00Z");
    newer["comment"] = json!("Better.");
    project.write_export("a.json", &[newer, google(2)]);
    project.candor(["import", "a.json"]).exits(0).says("updated 1 · unchanged 1");
    assert!(!project.path("content/reviews.json").exists());
    assert_eq!(project.stored().len(), 2);
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn a_new_review_of_the_same_year_leaves_an_array_alone() {
    let project = Project::new();
    project.write_export("a.json", &[google(1), google(2)]);
    project.candor(["import", "a.json"]).exits(0);
    let array = Value::from(project.stored());
    project.write("content/reviews.json", serde_json::to_string_pretty(&array).unwrap());
    project.remove("content/reviews/2025.ndjson");
    let before = project.text("content/reviews.json");
    project.write_export("a.json", &[google(1), google(2), google(3)]);
    project.candor(["import", "a.json"]).exits(0).says("new 1 · updated 0 · unchanged 2");
    assert_eq!(project.text("content/reviews.json"), before);
    assert_eq!(project.stored().len(), 1);
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn what_is_stored_and_cannot_be_read_is_not_lost() {
    let project = Project::new();
    project.write("content/reviews/2025.ndjson", "{\"id\": \"x\"}\n");
    project.write_export("a.json", &[google(1)]);
    let run = project.candor(["import", "a.json"]).exits(1);
    run.complains("content/reviews/2025.ndjson:1 cannot be read (")
        .complains("candor check says how");
    assert_eq!(project.text("content/reviews/2025.ndjson"), "{\"id\": \"x\"}\n");
}

#[test]
fn settings_that_are_wrong_stop_an_import() {
    let project = Project::new();
    project.write("content/import.toml", "[import]\navatar = true\n");
    project.write_export("a.json", &[google(1)]);
    let run = project.candor(["import", "a.json"]).exits(1);
    assert!(run.err.starts_with("content/import.toml:2:1: error[unknown-key]: unknown key \"import.avatar\"; did you mean \"avatars\"?"), "{run:?}");
}

/// An export large enough to be interrupted in the middle.
#[cfg(unix)]
fn large(project: &Project) {
    let rows: Vec<Value> = (0..6_000)
        .map(|n| {
            let mut row = apify(n % 300);
            row["reviewId"] = json!(format!("ChZDSUhNMG9nS0VJQ0FnSUNUlarge{n:08}"));
            row["reviewerId"] = json!(n.to_string());
            row["name"] = json!(format!("Ann {n}"));
            row["text"] =
                json!(format!("Words of review {n}, and there are enough of them to tell."));
            row
        })
        .collect();
    project.write("large.json", Value::from(rows).to_string());
}

#[test]
#[cfg(unix)]
fn killed_at_any_moment_the_content_is_old_or_new() {
    let project = Project::new();
    project.write_export("a.json", &(0..200).map(google).collect::<Vec<_>>());
    project.candor(["import", "a.json"]).exits(0);
    let old = project.tree("content/reviews");
    large(&project);
    project.candor(["import", "large.json"]).exits(0);
    let count = project.stored().len();
    let restore = || {
        std::fs::remove_dir_all(project.path("content/reviews")).unwrap();
        for (name, bytes) in &old {
            project.write(&format!("content/reviews/{name}"), bytes);
        }
    };
    let (mut killed, mut mid_way) = (0, 0);
    for round in 0..20_u64 {
        restore();
        let mut child = project.command(["import", "large.json", "--quiet"]).spawn().unwrap();
        let journal = project.path("content/.candor-import/journal.json");
        let deadline = Instant::now() + Duration::from_secs(60);
        let wait_for_journal = round % 2 == 1;
        let moment = Instant::now() + Duration::from_millis(20 * round);
        while child.try_wait().unwrap().is_none() && Instant::now() < deadline {
            let now = if wait_for_journal { journal.exists() } else { Instant::now() > moment };
            if now {
                break;
            }
        }
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let is_interrupted = journal.exists();
        mid_way += u32::from(is_interrupted);
        project.candor(["check", "--quiet"]).exits(i32::from(is_interrupted));
        // A dry run completes what was interrupted, and changes nothing itself.
        project.candor(["import", "a.json", "--dry-run", "--quiet"]).exits(0);
        project.candor(["check", "--quiet"]).exits(0);
        let stored = project.stored().len();
        assert!(stored == 200 || stored == count, "round {round}: {stored}");
        assert!(stored == count || project.tree("content/reviews") == old);
    }
    assert!(killed >= 5, "{killed} of 20 were killed, {mid_way} while files were put in place");
    restore();
    project.candor(["import", "large.json"]).exits(0);
    assert!(!project.path("content/.candor-import").exists());
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_the_content_untouched() {
    let project = Project::new();
    large(&project);
    let before = project.tree("content");
    let mut child = project.command(["import", "large.json"]);
    let mut child = child.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let stage = project.path("content/.candor-import");
    let deadline = Instant::now() + Duration::from_secs(60);
    // The import is about to read its rows.
    while !stage.exists() && Instant::now() < deadline {
        std::hint::spin_loop();
    }
    // The shell's own: not every system has the program.
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    let status = child.wait().unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(
        (status.code(), said.as_str()),
        (Some(1), "error: interrupted; nothing was changed\n")
    );
    assert_eq!(project.tree("content"), before, "and nothing is left over");
}

#[test]
fn two_imports_at_once_exclude_each_other() {
    let project = Project::new();
    project.write_export("a.json", &[google(1)]);
    let folder = std::fs::File::open(project.path("content")).unwrap();
    folder.lock().unwrap();
    project
        .candor(["import", "a.json"])
        .exits(1)
        .complains("error: another command is changing content; wait for it to end\n");
}

#[cfg(unix)]
#[test]
fn reviews_added_by_hand_at_the_same_time_wait_or_say_so() {
    let project = Project::new();
    let add = |n: u32| {
        let author = format!("Ann {n}");
        let mut command =
            project.command(["new", "review", "--rating", "5", "--date", "2026-01-02", "--author"]);
        command.arg(author).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let outputs: Vec<_> = (0..12)
        .map(add)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|c| c.wait_with_output().unwrap())
        .collect();
    let added = outputs.iter().filter(|output| output.status.success()).count();
    for output in outputs.iter().filter(|output| !output.status.success()) {
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(err, "error: another command is changing content; wait for it to end\n");
    }
    assert!(added > 0);
    assert_eq!(project.stored().len(), added, "what was reported as added is stored");
}

#[test]
fn a_report_takes_the_place_of_no_content() {
    let project = Project::new();
    project.write_export("a.json", &[google(1)]);
    let site = project.text("content/site.toml");
    let run = project.candor(["import", "a.json", "--report", "content/site.toml"]).exits(1);
    run.complains("--report content/site.toml: this is inside the content folder, which a report would change; name a file elsewhere");
    assert_eq!(project.text("content/site.toml"), site);
    assert!(!project.path("content/reviews").exists(), "nothing is imported either");
}
