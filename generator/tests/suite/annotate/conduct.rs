//! How a run continues, or ends, when the server does not answer as it should.

use std::time::Duration;

use super::{Answer, Asked, Endpoint, FILE, judged, numbered, opinions, rows};
use crate::project::{Project, Run};

#[test]
fn a_server_that_asks_to_wait_or_fails_for_a_while_is_asked_again() {
    let project = Project::new().reviews(numbered(1));
    let endpoint = Endpoint::answering(|asked| match asked.earlier {
        0 => Answer::Status(429, Some("0"), String::new()),
        1 => Answer::Status(503, Some("0"), "busy".to_owned()),
        2 => Answer::Status(500, Some("0"), String::new()),
        _ => match judged(asked, opinions) {
            Answer::Content(text) => Answer::Stream(text),
            other => other,
        },
    });
    let run = endpoint.annotate(&project, &[]).exits(0);
    assert_eq!((run.err, endpoint.asked().len()), (String::new(), 4));
    assert_eq!(rows(&project, FILE)[0]["aspects"][0]["quote"], "on time");
}

#[test]
fn a_server_without_json_schema_is_asked_without_it() {
    let project = Project::new().reviews(numbered(6));
    let endpoint = Endpoint::answering(|asked| match asked.body.get("response_format") {
        Some(_) => {
            Answer::Status(400, None, r#"{"error":{"message":"no response_format"}}"#.to_owned())
        }
        None => judged(asked, opinions),
    });
    endpoint.annotate(&project, &["--concurrency", "1"]).exits(0);
    assert_eq!((rows(&project, FILE).len(), endpoint.asked().len()), (6, 4), "refused once");
}

#[test]
fn a_model_that_refuses_a_temperature_still_gets_the_schema() {
    let project = Project::new().reviews(numbered(6));
    let endpoint = Endpoint::answering(|asked| match asked.body.get("temperature") {
        Some(_) => Answer::Status(400, None, String::new()),
        None => judged(asked, opinions),
    });
    endpoint.annotate(&project, &["--concurrency", "1"]).exits(0);
    let asked = endpoint.asked();
    assert_eq!((rows(&project, FILE).len(), asked.len()), (6, 3), "refused once");
    assert!(asked.iter().all(|asked| asked.body.get("response_format").is_some()));
}

#[test]
fn a_request_to_this_machine_does_not_leave_it() {
    let project = Project::new().reviews(numbered(1));
    let (endpoint, proxy) = (Endpoint::right(), Endpoint::right());
    let mut command = endpoint.command(&project, &[]);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"] {
        command.env(name, format!("http://{}", proxy.address));
    }
    Run::of(command.env_remove("NO_PROXY").env_remove("no_proxy")).exits(0);
    assert_eq!((rows(&project, FILE).len(), endpoint.asked().len()), (1, 1));
}

#[test]
fn a_request_that_is_too_long_costs_the_others_nothing() {
    let project = Project::new().reviews(numbered(3));
    let endpoint = Endpoint::answering(|asked| {
        if asked.texts[0].contains("No. 2") {
            Answer::Status(400, None, r#"{"error":{"message":"Too long."}}"#.to_owned())
        } else {
            judged(asked, opinions)
        }
    });
    let run = endpoint.annotate(&project, &["--batch", "1", "--concurrency", "1"]).exits(0);
    let url = endpoint.url();
    assert_eq!(
        run.err,
        format!(
            "1 review is left to the built-in reader: {url}/chat/completions answers 400 Bad Request: Too long\n"
        )
    );
    assert_eq!(rows(&project, FILE).len(), 2);
    let with_schema = |asked: &Asked| asked.body.get("response_format").is_some();
    assert!(with_schema(&endpoint.asked()[4]), "the schema is still sent to the others");
}

#[test]
fn a_refusal_ends_the_run_and_keeps_what_was_stored() {
    let stop = |status: u16, retry_after: Option<&'static str>, body: &'static str| {
        let project = Project::new().reviews(numbered(3));
        let endpoint = Endpoint::answering(move |asked| match asked.earlier {
            0 => judged(asked, opinions),
            _ => Answer::Status(status, retry_after, body.to_owned()),
        });
        let mut command = endpoint.command(&project, &["--batch", "1", "--concurrency", "1"]);
        let run = Run::of(command.env("CANDOR_ANNOTATE_KEY", "s3cret")).exits(1);
        assert_eq!(rows(&project, FILE).len(), 1);
        run.err.replace(&endpoint.url(), "URL")
    };
    let rest = "2 reviews are not judged yet, and the same command continues with them\n";
    assert_eq!(
        stop(401, None, r#"{"error":{"message":"Bad key s3cret."}}"#),
        format!(
            "error: URL/chat/completions answers 401 Unauthorized: Bad key [secret]; look whether the key in CANDOR_ANNOTATE_KEY is right and may use the model: {rest}"
        )
    );
    assert_eq!(
        stop(404, None, r#"{"error":"no such model"}"#),
        format!(
            "error: URL/chat/completions answers 404 Not Found: no such model; look whether --endpoint and --model are right: {rest}"
        )
    );
    assert_eq!(
        stop(429, Some("9999"), ""),
        format!(
            "error: URL/chat/completions answers 429 Too Many Requests; try again later: what was recorded is not asked again: {rest}"
        )
    );
}

#[test]
fn a_server_that_is_gone_ends_the_run() {
    let project = Project::new().reviews(numbered(9));
    let url = Endpoint::right().url();
    let run =
        project.candor(["annotate", "--endpoint", &url, "--model", "m", "--batch", "1"]).exits(1);
    assert!(
        run.err.starts_with("error: 5 requests in a row had no answer, the last one because of: "),
        "{}",
        run.err
    );
    assert!(run.err.contains("look whether the server runs at that address"), "{}", run.err);
    assert!(!project.path("content/annotations/m.jsonl").exists());
}

#[test]
fn two_commands_ask_about_no_review_twice_and_a_dry_run_waits_for_none() {
    let project = Project::new().reviews(numbered(1));
    let endpoint = Endpoint::answering(|_| Answer::Silence);
    let mut child = endpoint.command(&project, &["--quiet"]).spawn().unwrap();
    endpoint.coming.recv_timeout(Duration::from_secs(60)).expect("a request comes");
    let second = endpoint.annotate(&project, &[]).exits(1);
    assert_eq!(
        (&*second.out, &*second.err),
        (
            "",
            "error: another candor annotate is writing to content/annotations; wait until it has ended\n"
        ),
        "before it reads the content"
    );
    endpoint.annotate(&project, &["--dry-run"]).exits(0).says("1 review in 1 request: ");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(endpoint.asked().len(), 1);
}

#[test]
fn a_wrong_folder_is_left_as_it_is() {
    let project = Project::new().reviews(numbered(1));
    let endpoint = Endpoint::right();
    let run = endpoint.annotate(&project, &["--content", "contents"]).exits(1);
    run.complains("nothing can be judged; fix the errors above");
    assert!(!project.path("contents").exists());
}
