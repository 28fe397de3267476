//! What names and values of columns say: answers, their states, wishes of authors, totals, and objects in a column.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};

impl Project {
    /// Imports two reviews with these columns more, and returns whether it went well.
    fn with_columns(&self, head: &str, ann: &str, joe: &str) -> super::super::project::Run {
        self.write(
            "a.csv",
            format!(
                "Name,Stars,Date,Text,{head}\nAnn Bell,5,2026-03-02,{},{ann}\nJoe Day,1,2026-03-04,{},{joe}\n",
                WORDS[0], WORDS[1]
            ),
        );
        self.candor(["import", "a.csv", "--source", "shop"])
    }

    fn authors(&self) -> Vec<Value> {
        self.stored().iter().map(|review| review["author"].clone()).collect()
    }
}

#[test]
fn who_answered_and_how_far_an_answer_is_are_no_answers() {
    for (column, ann, joe) in [
        ("Answered by", "Kate", "Lou"),
        ("Response by", "Kate", "Kate"),
        ("Beantwortet von", "Kate", "Lou"),
        ("Antwort durch", "Kate", "Lou"),
        ("Réponse par", "Kate", "Lou"),
        ("Reactie door", "Kate", "Lou"),
        ("Response Permalink", "r/1", "r/2"),
        ("Reply link", "r/1", "r/2"),
        ("Antwortzeit", "two days", "one day"),
        ("Answer category", "Praise", "Complaint"),
        ("Reply template", "Warm", "Sorry"),
        ("Antwort", "ja", "offen"),
        ("Response", "Done", "Open"),
        ("Reply", "2026-03-05", "2026-03-06"),
        ("Customer reply", "Thank you for the quick help", "Still waiting for a word"),
        ("Response from customer", "Thank you for the quick help", "Still waiting for a word"),
    ] {
        let project = Project::new();
        if project.with_columns(column, ann, joe).code == 0 {
            let stored = project.stored();
            assert!(
                stored.iter().all(|it| it["owner_reply"] == Value::Null),
                "{column}: {stored:?}"
            );
        } else {
            assert!(!project.path("content/reviews").exists());
        }
    }
    for column in
        ["Antwort", "Answer of the shop", "Réponse de la direction", "Response to customer"]
    {
        let project = Project::new();
        project.with_columns(column, "Thanks Ann", "Sorry Joe").exits(0);
        let stored = project.stored();
        assert!(
            stored.iter().all(|review| review["owner_reply"] != Value::Null),
            "{column}: {stored:?}"
        );
    }
}

#[test]
fn the_state_of_an_answer_is_not_that_of_the_review() {
    for (ann, joe) in [("Replied", "New"), ("Ignored", "New"), ("Responded", "Pending")] {
        let project = Project::new();
        project.with_columns("Status", ann, joe).exits(0).says("new 2 ·");
    }
    let project = Project::new();
    project.with_columns("Status", "Published", "New").exits(0).says("new 1 ·");
    for (column, ann, joe) in [
        ("Removed by Google", "no", "yes"),
        ("Is duplicate", "no", "yes"),
        ("Flag", "", "fake"),
        ("Review type", "", "Test"),
    ] {
        let project = Project::new();
        project.with_columns(column, ann, joe).exits(0).says("new 1 ·");
        assert_eq!(project.authors(), ["Ann Bell"], "{column}");
    }
}

#[test]
fn a_row_of_an_answer_without_stars_stops_no_file() {
    let project = Project::new();
    project.write(
        "a.csv",
        format!(
            "Type,Name,Stars,Date,Text\nReview,Ann Bell,5,2026-03-02,{}\nOwner response,Acme,,2026-03-03,Thanks Ann\n",
            WORDS[0]
        ),
    );
    project.candor(["import", "a.csv", "--source", "shop"]).exits(0).says("new 1 ·");
}

#[test]
fn what_an_author_agreed_to_is_kept() {
    for (column, yes, no) in [
        ("May we publish this on our website?", "Yes", "No"),
        ("Publish?", "Yes", "No"),
        ("OK for website", "Yes", "No"),
        ("Consent", "Yes", "No"),
        ("GDPR consent", "Yes", "No"),
        ("Veröffentlichen", "Ja", "Nein"),
        ("Einwilligung", "Ja", "Nein"),
        ("Autorisation de publication", "Oui", "Non"),
        ("Withdrawn on", "", "2026-03-09"),
        ("Author asked for deletion", "no", "yes"),
    ] {
        let project = Project::new();
        project.with_columns(column, yes, no).exits(0).says("new 1 ·");
        assert_eq!(project.authors(), ["Ann Bell"], "{column}");
    }
    for (column, shown, nameless) in [
        ("May we publish this on our website?", "Yes", "\"Yes, but without my name\""),
        ("Publish as", "Full name", "Anonymous"),
        ("Publish as", "Full name", "Initials"),
        ("Name display", "Full name", "Anonymous"),
        ("Privacy", "Public", "Hide my name"),
        ("Rester anonyme", "non", "oui"),
        ("Public name", "Ann Bell", "Anonymous"),
        ("Anzeigename", "Ann Bell", "Anonymous"),
        ("Pseudonym", "Ann Bell", "Anonymous"),
        ("Screen name", "Ann Bell", "Anonymous"),
    ] {
        let project = Project::new();
        project.with_columns(column, shown, nameless).exits(0).says("new 2 ·");
        assert_eq!(project.authors(), ["Ann Bell", "Anonymous"], "{column}");
    }
}

#[test]
fn who_checked_a_review_did_not_write_it() {
    let project = Project::new();
    project.with_columns("Reviewed by", "Kate (moderator)", "Lou (moderator)").exits(0);
    assert_eq!(project.authors(), ["Ann Bell", "Joe Day"]);
}

#[test]
fn totals_are_no_customers() {
    let project = Project::new();
    let rows = "Total,2,2026-03-31,\nAverage,3.33,,\nDurchschnitt:,3.33,,\n";
    project.write(
        "a.csv",
        format!(
            "Name,Stars,Date,Text\nAnn Bell,5,2026-03-02,{}\nJoe Day,1,2026-03-04,\n{rows}",
            WORDS[0]
        ),
    );
    project.candor(["import", "a.csv", "--source", "shop"]).exits(0).says("new 2 ·");
    assert_eq!(project.authors(), ["Ann Bell", "Joe Day"]);
}

#[test]
fn an_object_that_is_null_in_another_row_is_read() {
    let row = |name: &str, stars: u8, key: &str, value: &Value| {
        let mut row = json!({
            "name": name, "stars": stars, "date": "2026-03-02", "text": WORDS[usize::from(stars) / 5],
        });
        row[key] = value.clone();
        row
    };
    let import = |ann: &Value, joe: &Value| {
        let project = Project::new();
        project.write("a.json", Value::from(vec![ann.clone(), joe.clone()]).to_string());
        project.candor(["import", "a.json", "--source", "shop"]).exits(0).says("new 2 ·");
        let mut stored = project.stored();
        stored.sort_by_key(|review| review["rating"].as_u64());
        stored
    };
    for nothing in [Value::Null, json!(""), json!("Sorry Joe")] {
        for (key, answer) in [
            ("reply", json!({ "text": "Thanks Ann" })),
            ("companyReply", json!({ "text": "Thanks Ann", "createdAt": "2026-03-05T10:00:00Z" })),
            ("reply", json!({ "message": "Thanks Ann" })),
            ("ownerAnswer", json!({ "text": "Thanks Ann" })),
            ("response", json!({ "comment": "Thanks Ann" })),
        ] {
            for is_first in [true, false] {
                let (ann, joe) =
                    (row("Ann Bell", 5, key, &answer), row("Joe Day", 1, key, &nothing));
                let stored = if is_first { import(&ann, &joe) } else { import(&joe, &ann) };
                assert_eq!(stored[1]["owner_reply"]["text"], "Thanks Ann", "{key} {nothing}");
                let other = nothing.as_str().filter(|text| !text.is_empty());
                assert_eq!(stored[0]["owner_reply"]["text"].as_str(), other, "{key}");
            }
        }
    }
    let person = |name: Value, stars: Value, day: &str, text: &str| json!({ "reviewer": name, "rating": stars, "date": day, "text": text });
    for nobody in [Value::Null, json!("Joe Day")] {
        let ann =
            person(json!({ "name": "Ann Bell" }), json!({ "value": 5 }), "2026-03-02", WORDS[0]);
        let joe = person(nobody.clone(), json!(1), "2026-03-04", WORDS[1]);
        let stored = import(&ann, &joe);
        assert_eq!((&stored[1]["author"], &stored[1]["rating"]), (&json!("Ann Bell"), &json!(5)));
        assert_eq!(stored[0]["author"], nobody.as_str().unwrap_or("Anonymous"));
    }
}

#[test]
fn a_printed_command_names_columns_that_there_are() {
    let project = Project::new();
    project.write("a.json", json!([{ "a": "Ann Bell", "b": 5, "c": WORDS[0] }]).to_string());
    for gap in ["…", "COLUMN"] {
        let map = format!("author={gap},rating=b,date=c,text={gap}");
        let run = project.candor(["import", "a.json", "--source", "shop", "--map", &map]);
        run.exits(1).complains(&format!("it has no column {gap:?}"));
    }
    let run = project.candor(["import", "a.json", "--source", "shop"]).exits(1);
    assert!(!run.err.contains('…') && !run.out.contains("=…"), "{run:?}");
}
