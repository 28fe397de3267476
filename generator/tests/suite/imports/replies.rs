//! Replies that an export lacks.

use serde_json::{Value, json};

use super::Project;

#[test]
fn of_a_list_of_answers_the_owners_newest_is_taken() {
    let stored = |name: &str, list: Value| {
        let project = Project::new();
        let mut row = json!({ "author": "Ann", "rating": 5, "date": "2026-01-02", "text": "Good" });
        row[name] = list;
        project.write("a.json", json!([row]).to_string());
        let run = project.candor(["import", "a.json", "--source", "yelp"]).exits(0);
        (project.stored()[0]["owner_reply"].clone(), run.out)
    };
    let at = |day: u32, role: &str| {
        let (text, date) = (format!("Answer {day}"), format!("2026-02-{day:02}"));
        json!({ "text": text, "created_at": date, "author": { "role": role } })
    };
    let taken = json!({ "text": "Answer 7", "date": "2026-02-07" });
    let no_role = json!([{ "body": "Answer 7", "date": "2026-02-07" }]);
    for (name, list) in [
        ("replies", json!([at(7, "owner"), at(3, "business"), at(9, "customer")])),
        ("reply", json!([at(3, "merchant"), at(7, "merchant")])),
        ("owner_responses", no_role.clone()),
        ("responses", json!([{ "comment": "Answer 7", "date": "2026-02-07", "isOwner": true }])),
    ] {
        let (reply, said) = stored(name, list);
        assert_eq!(reply, taken, "{name}");
        assert!(!said.contains("a list of answers"), "{said}");
    }
    let undated =
        json!([{ "text": "One", "from_owner": true }, { "text": "Two", "from_owner": true }]);
    for (name, list) in [
        ("replies", no_role),
        ("replies", json!(["Thank you"])),
        ("replies", json!([at(7, "customer")])),
        ("replies", undated),
        (
            "replies",
            json!([at(7, "owner"), { "text": "B", "date": "2026-02-07", "by_owner": true }]),
        ),
    ] {
        let (reply, said) = stored(name, list.clone());
        assert_eq!(reply, Value::Null, "{list}");
        let note = "a list of answers does not say which one is the owner's newest, and was left out: 1 row\n";
        assert!(said.contains(note), "{list}: {said}");
    }
}

#[test]
fn a_reply_is_removed_when_two_exports_lack_it() {
    let project = Project::new();
    let table = |reply: &str, text: &str| {
        format!(
            "author,rating,date,text,reply\nAnn,5,2026-01-02,Good,{reply}\nBen,4,2026-01-03,{text},Thanks Ben\n"
        )
    };
    let import = |reply: &str, text: &str, flag: &[&str]| {
        project.write("a.csv", table(reply, text));
        project.candor([&["import", "a.csv", "--source", "yelp"], flag].concat()).exits(0)
    };
    import("Thanks Ann", "Fine", &[]);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    import("", "Fine", &[]).says(&format!(
        "1 answer is gone at the source and kept until another export, seven days later, lacks it too; --remove-replies removes it now: {id}\n"
    )).says("unchanged 2");
    let marked = project.stored();
    assert_eq!(marked[0]["owner_reply"]["text"], "Thanks Ann");
    import("", "Fine", &[]);
    assert_eq!(project.stored(), marked, "the same file changes nothing");
    let age = |days: i64| {
        let file = "content/reviews/2026.ndjson";
        let text = std::fs::read_to_string(project.path(file)).unwrap();
        let since = marked[0]["reply_missing"]["since"].as_str().unwrap();
        let old = since.parse::<jiff::civil::Date>().unwrap() - jiff::Span::new().days(days);
        project.write(file, text.replace(since, &old.to_string()));
    };
    // Another export on the same day says no more, and the same one after weeks neither.
    import("", "Fine!", &[]);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks Ann");
    age(7);
    import("", "Fine", &[]);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks Ann");
    import("", "Fine!", &[]).says("updated");
    assert_eq!(project.stored()[0]["owner_reply"], Value::Null);
    import("Thanks Ann", "Fine", &[]);
    import("", "Fine", &[]);
    import("Thanks Ann", "Fine", &[]);
    assert!(project.stored()[0].get("reply_missing").is_none(), "it is back");
    import("", "Fine", &["--remove-replies"]);
    assert_eq!(project.stored()[0]["owner_reply"], Value::Null);
}
