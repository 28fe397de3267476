//! Each format's fixture and the lines it becomes. `CANDOR_TEST_BLESS=1` writes what comes out now.

use serde_json::{Value, json};

use super::{Project, fixture};

/// What came with the import rather than with the export is masked.
fn masked(project: &Project, now: &str) -> String {
    let mut text = String::new();
    for mut review in project.stored() {
        for key in ["updated", "added"] {
            if review[key].as_str().is_some_and(|at| at >= now) {
                review[key] = Value::from("<the import's>");
            }
        }
        text.push_str(&review.to_string());
        text.push('\n');
    }
    text
}

fn check(name: &str, arguments: &[&str]) {
    let project = Project::new();
    let path = fixture(name);
    let now = jiff::Timestamp::now().to_string();
    let mut command = vec!["import", path.to_str().unwrap()];
    command.extend(arguments);
    let run = project.candor(command.iter().copied()).exits(0);
    assert_eq!(run.err, "", "{run:?}");
    let said = run.out.replace(path.to_str().unwrap(), name);
    let found = format!("{said}{}", masked(&project, &now[..19]));
    project.candor(["check"]).exits(0);

    let golden = fixture("expected").join(format!("{}.txt", name.replace('.', "_")));
    if std::env::var_os("CANDOR_TEST_BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    assert_eq!(found, expected, "\n--- found ---\n{found}\n--- expected ---\n{expected}");

    // The same file again: not a byte changes.
    let before = project.tree("content");
    let mut again = command.clone();
    again.push("--exit-code");
    project.candor(again.iter().copied()).exits(2);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn google_takeout_folder() {
    check("takeout", &[]);
}

#[test]
fn google_business() {
    check("google_business.json", &[]);
}

#[test]
fn apify_json() {
    check("apify.json", &[]);
}

#[test]
fn apify_csv() {
    check("apify.csv", &[]);
}

#[test]
fn apify_nested() {
    check("apify_nested.json", &[]);
}

#[test]
fn outscraper_csv() {
    check("outscraper.csv", &[]);
}

#[test]
fn outscraper_json() {
    check("outscraper.json", &[]);
}

#[test]
fn places_new() {
    check("places_new.json", &[]);
}

#[test]
fn places_legacy() {
    check("places_legacy.json", &[]);
}

#[test]
fn serpapi() {
    check("serpapi.json", &[]);
}

#[test]
fn yelp_academic() {
    check("yelp.ndjson", &[]);
}

#[test]
fn jsonld_page() {
    check("jsonld.html", &[]);
}

#[test]
fn jsonld_document() {
    check("jsonld.json", &["--source", "direct"]);
}

#[test]
fn a_table_with_common_column_names() {
    check("judgeme.csv", &["--source", "judgeme"]);
}

#[test]
fn a_table_with_a_column_map() {
    let map = "author=Kunde,rating=Sterne,date=Datum,text=Kommentar";
    check("spreadsheet.csv", &["--map", map, "--date-format", "DD.MM.YYYY", "--source", "direct"]);
}

#[test]
fn json_kept_by_hand() {
    check("hand_kept.json", &["--source", "direct"]);
}

#[test]
fn a_renamed_file_is_what_it_is() {
    let project = Project::new();
    std::fs::copy(fixture("outscraper.csv"), project.path("reviews.txt")).unwrap();
    project.candor(["import", "reviews.txt"]).exits(0).says("outscraper (its reviews have");
}

#[test]
fn every_fixture_has_what_it_becomes() {
    let folder = fixture("expected");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let stem = name.trim_end_matches(".txt");
        let known = std::fs::read_dir(fixture(""))
            .unwrap()
            .any(|file| file.unwrap().file_name().to_string_lossy().replace('.', "_") == stem);
        assert!(known, "{name} is of no fixture");
    }
}

#[test]
fn google_records_with_short_names_keep_author_language_and_reply() {
    let review = json!({
        "id": "AbFvOqTillwater_0009", "displayName": "Ann Example", "starRating": 5, "comment": "Fine work.",
        "createTime": "2026-03-04T06:42:04Z", "updateTime": "2026-03-04T06:42:04Z", "language": "en",
        "reply": { "comment": "Thank you.", "updateTime": "2026-03-05T08:00:00Z" },
    });
    let project = Project::new().file("reviews.json", json!({ "reviews": [review] }).to_string());
    project.candor(["import", "reviews.json"]).exits(0).says("new 1");
    let stored = &project.stored()[0];
    assert_eq!(stored["source_ids"], json!(["google:AbFvOqTillwater_0009"]));
    assert_eq!((&stored["author"], &stored["language"]), (&json!("Ann Example"), &json!("en")));
    assert_eq!(stored["owner_reply"]["text"], "Thank you.");
}
