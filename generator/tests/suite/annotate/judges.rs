//! What several judges say of one review.

use serde_json::json;

use super::{Endpoint, FILE, insight, judged, rows};
use crate::{
    project::Project,
    review::{Review, id, review},
};

const LATE: &str = "They were two hours late. Fair price.";

/// Two reviews, which a model judges otherwise than the built-in reader.
fn judged_differently() -> Project {
    let texts: [Review; 2] = [
        review(1).with("text", LATE).with("rating", 1),
        review(2).with("text", "They were on time."),
    ];
    let project = Project::new().reviews(texts);
    let endpoint = Endpoint::answering(|asked| {
        judged(asked, |text| {
            if text.contains("late") {
                json!([
                    { "aspect": "punctuality", "sentiment": "negative", "quote": "two hours late" },
                    { "aspect": "speed", "sentiment": "negative", "quote": "two hours late" },
                ])
            } else {
                super::opinions(text)
            }
        })
    });
    endpoint.annotate(&project, &[]).exits(0);
    project
}

#[test]
fn a_row_by_hand_counts_before_the_row_of_a_model() {
    let project = judged_differently();
    let mut row = rows(&project, FILE).remove(0);
    row.as_object_mut().unwrap().remove("prompt");
    row["source"] = json!("Ann");
    row["aspects"] = json!([{ "id": "pricing", "sentiment": "positive", "quote": "Fair price." }]);
    project.write("content/annotations/ann.jsonl", format!("{row}\n"));
    assert_eq!(project.candor(["check", "--strict"]).exits(0).err, "", "that is not a conflict");
    project.build();
    let judged = insight(&project, 1);
    assert_eq!(judged["judged_by"], "Ann");
    let aspects = judged["aspects"].as_array().unwrap();
    assert_eq!((aspects.len(), &aspects[0]["quote"]), (1, &json!("Fair price.")));
}

#[test]
fn rows_of_one_kind_that_differ_are_shown() {
    let project = judged_differently();
    let row = project.text("content/annotations/tiny-1b.jsonl").lines().next().unwrap().to_owned();
    project.write("content/annotations/zz.jsonl", row.replace("negative", "positive") + "\n");
    let check = project.candor(["check"]).exits(0);
    let (warning, _) = check.err.split_once(": ").unwrap();
    assert_eq!(warning, "content/annotations/zz.jsonl:1");
    check.complains(&format!(
        "warning[annotation-conflict]: content/annotations/tiny-1b.jsonl:1 judges {} differently; this line is used; remove the line that is wrong; candor help annotation-conflict\n",
        id(1)
    ));
}
