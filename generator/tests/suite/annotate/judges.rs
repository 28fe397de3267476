//! What several judges say of one review: comparison, disputes, and the text file of a person.

use serde_json::json;

use super::{Endpoint, insight, judged, rows};
use crate::{
    project::{Project, Run},
    review::{Review, id, review},
};

const LATE: &str = "They were two hours late. Fair price.";

/// Two reviews, which a model judges otherwise than the built-in reader.
fn disputed() -> Project {
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

/// The file of disputed reviews.
fn written(project: &Project) -> String {
    let run = project.candor(["annotate", "--disputed", "d.txt"]).exits(0);
    assert_eq!(
        run.out,
        "wrote 1 disputed review to d.txt; decide the lines that begin with ? and run: candor annotate --import d.txt\n"
    );
    project.text("d.txt")
}

fn import(project: &Project, text: impl AsRef<[u8]>) -> Run {
    project.write("d.txt", text);
    project.candor(["annotate", "--import", "d.txt"])
}

#[test]
fn judges_are_compared_by_aspect_and_differences_are_listed() {
    let project = disputed();
    let run = project.candor(["annotate", "--compare"]).exits(0);
    let expected = format!(
        "model and built-in: 2 reviews\n\
         aspect       both  only model  only built-in  same sentiment\n\
         punctuality     2           0              0         100.0 %\n\
         pricing         0           0              1               -\n\
         speed           0           1              0               -\n  \
         {one} pricing: model nothing, built-in positive “Fair price.”\n  \
         {one} speed: model negative “two hours late”, built-in nothing\n\n",
        one = id(1)
    );
    assert_eq!(run.out, expected);
    let run = Project::new().candor(["annotate", "--compare"]).exits(0);
    assert_eq!(
        run.out,
        "nothing can be compared: no review has a current annotation and another judge; candor help annotations says how to get one\n"
    );
}

#[test]
fn a_person_settles_what_is_disputed() {
    let project = disputed();
    let text = written(&project);
    assert!(text.contains(&format!(
        "\nby:\n\n== {} {}\n> {LATE}\npunctuality | negative | two hours late\n# built-in:\n? pricing | positive | Fair price.\n# model:\n? speed | negative | two hours late\n",
        id(1), &blake3::hash(LATE.as_bytes()).to_hex()[..8]
    )), "{text}");
    let text = text.replace("by:\n", "by: Ann\n");
    let as_notepad_saves_it = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let run = import(&project, as_notepad_saves_it).exits(0);
    assert_eq!(
        run.out,
        "no review is decided; 1 review is left out with a line that begins with ?\n"
    );
    let text =
        text.replace("? pricing", "pricing").replace("? speed | negative | two hours late\n", "");
    let run = import(&project, &text).exits(0);
    assert_eq!(run.out, "stored what Ann says of 1 review in content/annotations/ann.jsonl\n");
    let row = &rows(&project, "content/annotations/ann.jsonl")[0];
    assert_eq!((&row["source"], row.get("prompt")), (&json!("Ann"), None));
    assert_eq!(row["aspects"].as_array().unwrap().len(), 2);
    project.build();
    let judged = insight(&project, 1);
    assert_eq!(judged["judged_by"], "Ann", "a person's row counts before a model's");
    assert_eq!(judged["aspects"][1]["quote"], "Fair price.");
    assert_eq!(project.candor(["check", "--strict"]).exits(0).err, "", "that is not a conflict");
    let compared = project.candor(["annotate", "--compare"]).exits(0);
    compared.says("model and person: 1 review\n").says("built-in and person: 1 review\n");
    let settled = project.candor(["annotate", "--disputed", "e.txt"]).exits(0);
    settled.says("nothing is disputed");
    // Again, with another mind: the row is replaced.
    let run = import(&project, text.replace("pricing | positive", "pricing | neutral")).exits(0);
    assert_eq!((run.code, rows(&project, "content/annotations/ann.jsonl").len()), (0, 1));
}

#[test]
fn the_work_of_a_person_is_not_overwritten() {
    let project = disputed();
    written(&project);
    let again = project.candor(["annotate", "--disputed", "d.txt"]).exits(1);
    assert_eq!(
        again.err,
        "error: d.txt exists already, and may have a person's work in it; name a new file\n"
    );
}

#[test]
fn mistakes_of_a_person_have_line_and_column() {
    let project = disputed();
    let hash = &blake3::hash(LATE.as_bytes()).to_hex()[..8];
    let one = id(1);
    let text = format!(
        "by:\n\
         pricing | positive\n\
         == {one} {hash}\n\
         prices | positive\n\
         pricing | good\n\
         pricing | pric\n\
         pricing\n\
         pricing | positive | cheap as chips\n\
         value | neutral\n\
         value | neutral\n\
         == {one} {hash}\n\
         == {} 00000000\n\
         == nobody\n",
        id(2)
    );
    let run = import(&project, text).exits(1);
    assert!(!project.path("content/annotations/ann.jsonl").exists());
    let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with(['d', 'e'])).collect();
    assert_eq!(
        lines,
        [
            "d.txt: error[invalid-judgement]: the judge is not named; write your name behind by:, above the first review",
            "d.txt:2:1: error[invalid-judgement]: no review is above this line; a review begins with == and its id; remarks begin with #",
            "d.txt:4:1: error[invalid-judgement]: there is no aspect \"prices\"; known are punctuality, pricing, communication, quality, professionalism, cleanliness, scheduling, friendliness, value, speed",
            "d.txt:5:11: error[invalid-judgement]: \"good\" is not a sentiment; write aspect | positive, neutral, negative or mixed | words of the review",
            "d.txt:6:11: error[invalid-judgement]: \"pric\" is not a sentiment; write aspect | positive, neutral, negative or mixed | words of the review",
            "d.txt:7:8: error[invalid-judgement]: \"\" is not a sentiment; write aspect | positive, neutral, negative or mixed | words of the review",
            "d.txt:8:22: error[invalid-judgement]: the review does not have these words; copy them from the lines above that begin with >, or leave them out",
            "d.txt:10:1: error[invalid-judgement]: value is judged twice; keep one line for an aspect; praise and blame together are mixed",
            &format!(
                "d.txt:11:4: error[invalid-judgement]: {one} is judged twice; keep one of the two"
            ),
            &format!(
                "d.txt:12:4: error[invalid-judgement]: the text of {} has changed since the file was written; write the file again with candor annotate --disputed FILE",
                id(2)
            ),
            "d.txt:13:4: error[invalid-judgement]: there is no published review \"nobody\"; remove the review, or correct its id",
            "error: no judgement was read; correct what is above",
        ]
    );
}

#[test]
fn rows_of_one_kind_that_differ_are_shown() {
    let project = disputed();
    let row = project.text("content/annotations/tiny-1b.jsonl").lines().next().unwrap().to_owned();
    project.write("content/annotations/zz.jsonl", row.replace("negative", "positive") + "\n");
    let check = project.candor(["check"]).exits(0);
    let (warning, _) = check.err.split_once(": ").unwrap();
    assert_eq!(warning, "content/annotations/zz.jsonl:1");
    check.complains(&format!(
        "warning[annotation-conflict]: content/annotations/tiny-1b.jsonl:1 judges {} differently; this line is used; remove the line that is wrong; candor explain annotation-conflict\n",
        id(1)
    ));
}
