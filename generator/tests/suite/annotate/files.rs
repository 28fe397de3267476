//! Requests in files, for a batch interface or any other tool, and their answers.

use serde_json::{Value, json};

use super::{FILE, insight, numbered, rows, server::completion};
use crate::{
    project::{Project, Run},
    review::{id, review},
};

/// A project whose requests about `count` reviews are in the folder `out`, two in each.
fn exported(count: usize) -> Project {
    let project = Project::new().reviews(numbered(count));
    let run = export(&project).exits(0);
    assert_eq!(run.err, "");
    project
}

fn export(project: &Project) -> Run {
    project.candor(["annotate", "--model", "tiny:1b", "--export", "out", "--batch", "2"])
}

fn import(project: &Project) -> Run {
    project.candor(["annotate", "--import", "out"])
}

fn requests(project: &Project) -> Vec<Value> {
    rows(project, "out/requests-001.jsonl")
}

/// The answer of a model that is right, to the request.
fn reviews(request: &Value) -> Value {
    let question = request["body"]["messages"][1]["content"].as_str().unwrap();
    let question: Value = serde_json::from_str(question).unwrap();
    let answer = |review: &Value| json!({ "id": review["id"], "opinions": super::opinions(review["text"].as_str().unwrap()) });
    question["reviews"].as_array().unwrap().iter().map(answer).collect()
}

/// The answer as any tool writes it.
fn plain(request: &Value) -> String {
    format!("{}\n", json!({ "custom_id": request["custom_id"], "reviews": reviews(request) }))
}

/// The answer as a batch interface writes it.
fn batch(request: &Value) -> String {
    let content = json!({ "reviews": reviews(request) }).to_string();
    let body: Value = serde_json::from_str(&completion(&content)).unwrap();
    let response = json!({ "status_code": 200, "request_id": "r", "body": body });
    format!(
        "{}\n",
        json!({ "id": "b", "custom_id": request["custom_id"], "response": response, "error": null })
    )
}

#[test]
fn answers_of_a_batch_interface_and_of_any_tool_are_imported() {
    let project = exported(5);
    let requests = requests(&project);
    assert_eq!(requests.len(), 3);
    assert_eq!(
        (&requests[0]["method"], &requests[0]["url"]),
        (&json!("POST"), &json!("/v1/chat/completions"))
    );
    assert_eq!(requests[0]["body"]["model"], "tiny:1b");
    project.write("out/answers.jsonl", batch(&requests[2]) + &batch(&requests[0]));
    project.write("out/by-hand.jsonl", plain(&requests[1]));
    let run = import(&project).exits(0);
    assert_eq!(
        (&*run.out, &*run.err),
        ("judged 5 reviews with 5 opinions in content/annotations/tiny-1b.jsonl\n", "")
    );
    assert_eq!(rows(&project, FILE)[4]["review_id"], id(5));
    project.build();
    assert_eq!(insight(&project, 3)["judged_by"], "tiny:1b");
    // Once imported is enough.
    let run = import(&project).exits(0);
    assert_eq!((&*run.out, &*run.err), ("", "5 reviews have a current annotation already\n"));
    let run = project.candor(["annotate", "--model", "m", "--export", "more"]).exits(0);
    assert_eq!(run.out, "no review is to be judged: every text has a current annotation\n");
}

#[test]
fn an_export_says_what_to_do_next() {
    let project = Project::new().reviews(numbered(1));
    let run = export(&project).exits(0);
    assert_eq!(
        run.out,
        "wrote requests about 1 review to out/requests-001.jsonl; put the answers into out and run: candor annotate --import out\n"
    );
    let again = export(&project).exits(1);
    assert_eq!(
        again.err,
        "error: out has requests of another export; name a new folder, or import their answers first and delete it\n"
    );
    let early = import(&project).exits(1);
    assert_eq!(
        early.err,
        "error: out has no answers; put the files of the batch interface there, as .jsonl files beside index.jsonl\n"
    );
    let other = project.candor(["annotate", "--import", "content"]).exits(1);
    assert_eq!(
        other.err,
        "error: content has no index.jsonl; name the folder that candor annotate --export wrote, with the answers in it as .jsonl files\n"
    );
}

#[test]
fn what_does_not_count_is_said() {
    let project = exported(8);
    let requests = requests(&project);
    let failed = json!({ "custom_id": requests[1]["custom_id"], "response": null, "error": { "code": "batch_expired" } });
    let wrong = plain(&requests[2]).replace("on time", "always early");
    project.write("out/a.jsonl", format!("{}{failed}\n{wrong}", plain(&requests[0])));
    let mut reviews = numbered(8);
    reviews[7] = review(8).with("text", "Changed.");
    project.write_reviews(reviews);
    let run = import(&project).exits(0);
    assert_eq!(run.out, "judged 1 review with 1 opinion in content/annotations/tiny-1b.jsonl\n");
    assert_eq!(
        run.err,
        "2 reviews are left to the built-in reader: most quotes are not in the review\n\
         2 reviews are left to the built-in reader: the batch interface reports an error\n\
         1 review has another text now or none: export again\n\
         1 request has no answer in the folder\n"
    );
}

#[test]
fn a_line_that_is_no_answer_has_a_place() {
    let project = exported(1);
    let error = |line: &str| {
        project.write("out/a.jsonl", format!("\n{line}\n"));
        let run = import(&project).exits(1);
        assert!(!project.path(FILE).exists());
        run.err
    };
    let help =
        "a line is an answer of a batch interface, or {\"custom_id\": …, \"reviews\": […]}\n";
    assert_eq!(error("x"), format!("error: out/a.jsonl:2: this is not JSON; {help}"));
    assert_eq!(error("{}"), format!("error: out/a.jsonl:2: custom_id is missing; {help}"));
    assert_eq!(
        error("{\"custom_id\":\"a\"}"),
        format!("error: out/a.jsonl:2: neither response nor reviews is there; {help}")
    );
    assert_eq!(
        error("{\"custom_id\":\"a\",\"reviews\":[]}"),
        "error: out/a.jsonl:2: no request of this folder has the custom_id \"a\"; put the answers beside the requests they belong to\n"
    );
}
