//! Replies that an export lacks.

use serde_json::Value;

use super::Project;

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
