//! `candor verify` against a running sidecar: it passes whole, and a are on the way is noticed.

use std::{fs, net::SocketAddr, path::Path, time::Duration};

use content::cache::Cache;
use generator::{
    pipeline::Checked,
    publication,
    publish::{self, Options},
};
use jiff::Timestamp;
use serde_json::json;
use sidecar::Config;
use tempfile::TempDir;
use verify::{Check, Level, Report, Tags, VerifyOptions, verify};

use crate::{Running, relay::Relay};

const SITE: &str = r#"format = 1
base_url = "https://reviews.example"
language = "en"
id_base = "tag:reviews.example,2026-01-01:reviews"
"#;

const BUSINESS: &str = r#"name = "Acme Plumbing"
time_zone = "America/Chicago"

[verification]
method = "Posted by an account on the review platform"
sources = ["google"]
"#;

/// A site the generator built, and the sidecar that serves all of it.
struct Live {
    running: Running,
    _folder: TempDir,
}

impl Live {
    fn new(reviews: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        fs::create_dir_all(content.join("reviews")).unwrap();
        fs::write(content.join("site.toml"), SITE).unwrap();
        fs::write(content.join("business.toml"), BUSINESS).unwrap();
        write_reviews(folder.path(), reviews);
        build(folder.path());
        let state = folder.path().join("state");
        let mut config = Config::new(folder.path().join("public"), state).unwrap();
        config.serve_public = true;
        config.workers = 1;
        config.lock_wait = Duration::ZERO;
        config.poll_interval = Duration::from_millis(200);
        config.shutdown_timeout = Duration::from_secs(5);
        Self { running: Running::start_with(config), _folder: folder }
    }
}

fn write_reviews(folder: &Path, count: usize) {
    let lines: String = (0..count)
        .map(|n| {
            let date = format!("2026-01-{:02}", 1 + n % 28);
            let text = if n % 4 == 3 { json!(null) } else { json!(format!("Straße {n}: On Time, a b & c+d.")) };
            let review = json!({
                "id": format!("01J{n:023}"), "author": format!("Ann {n}"), "rating": 1 + n % 5,
                "date": date, "text": text, "source": "google", "updated": format!("{date}T09:00:00Z"),
            });
            format!("{review}\n")
        })
        .collect();
    fs::write(folder.join("content/reviews/2026.ndjson"), lines).unwrap();
}

fn build(folder: &Path) {
    let checked = Checked::read(&folder.join("content"), None, &Cache::none(), Timestamp::now());
    let data = checked.publishable().unwrap_or_else(|| panic!("{:#?}", checked.problems));
    let documents = publication::documents(data).unwrap();
    let public = folder.join("public");
    publish::publish(
        &publish::head(data),
        &documents,
        &public,
        &Options::new(Timestamp::now(), &Cache::none()),
    )
    .unwrap();
}

fn look(address: SocketAddr) -> Report {
    let options = VerifyOptions {
        url: format!("http://{address}").parse().unwrap(),
        preview: false,
        strict: true,
        all: true,
        max_age: None,
        timeout: Duration::from_secs(120),
        jobs: 4,
    };
    verify(&options, Timestamp::now())
}

/// What is not as it should be.
fn complaints(report: &Report) -> Vec<String> {
    let lines = report.lines(true).into_iter();
    lines.filter(|line| line.level > Level::Ok).map(|line| line.text).collect()
}

#[test]
fn a_sidecar_keeps_every_promise() {
    for reviews in [0, 1, 60] {
        let live = Live::new(reviews);
        let report = look(live.running.address);
        assert_eq!(complaints(&report), [""; 0]);
        assert!(report.passed);
        assert_eq!(report.tags, Tags::Ours);
        // The page that replaces others is asked for by other means.
        assert_eq!(report.documents_checked, report.documents - 1);
        let looked_at: Vec<_> = report.checks.iter().map(|row| row.check).collect();
        // No age was asked for, nothing went wrong, and the site has no transparency log.
        let absent = [Check::Age, Check::Run, Check::Log];
        let expected: Vec<_> = Check::ALL.into_iter().filter(|c| !absent.contains(c)).collect();
        assert_eq!(looked_at, expected);
        assert!(report.checks.iter().all(|row| row.level == Level::Ok && row.checked > 0));
    }
}

/// Exactly these lines when answers to one target are changed on the way like this.
#[track_caller]
fn changed(
    live: &Live,
    path: &'static str,
    change: impl Fn(String) -> String + Send + Sync + 'static,
    lines: &[&str],
) {
    let relay = Relay::to(live.running.address, move |target, answer| {
        if target == path {
            change(String::from_utf8(answer).unwrap()).into_bytes()
        } else {
            answer
        }
    });
    assert_eq!(complaints(&look(relay.address)), lines);
}

#[test]
fn a_lie_about_search_or_since_is_one_line() {
    let live = Live::new(3);
    let behind = "the sidecar loads a publication within 60 s: check its log if the fault persists, or for a cache on the way";
    let contract = "check which server responds: it is not this version of candor-sidecar";
    changed(
        &live,
        "/api/reviews/search?limit=1&rating=2",
        |answer| answer.replace("\"matched\":1", "\"matched\":2"),
        &[&format!(
            "search         /api/reviews/search?limit=1&rating=2: expected matched 1, found matched 2; {behind}"
        )],
    );
    changed(
        &live,
        "/api/reviews/search?rating=9&since=2026-02-30",
        |answer| answer.replace("\"path\":[\"since\"]", "\"path\":[\"until\"]"),
        &[&format!(
            "search         /api/reviews/search?rating=9&since=2026-02-30: expected issues of rating, since, found issues of [rating, until]; {contract}"
        )],
    );
    changed(
        &live,
        "/api/reviews/since/2026-01-03",
        |answer| answer.replace("\r\netag:", "\r\nx-etag:"),
        &[
            "since          /api/reviews/since/2026-01-03: expected an ETag, found no ETag; look what takes it away on the way",
        ],
    );
    changed(
        &live,
        "/api/reviews/since/2026-01-03",
        |_| "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 8\r\n\r\n<h1>502<".to_owned(),
        &[
            "since          /api/reviews/since/2026-01-03: expected 200, found 502; the proxy reaches no server behind it: start that one (candor-sidecar, for the four dynamic routes), or correct its address",
        ],
    );
    changed(
        &live,
        "/api/reviews/since/2026-02-30",
        |answer| answer.replace("400 Bad Request", "304 Not Modified"),
        &[&format!(
            "since          /api/reviews/since/2026-02-30: expected 400, found 304; {contract}"
        )],
    );
}

#[test]
fn a_lie_about_agents_or_the_hub_is_one_line() {
    let live = Live::new(3);
    changed(
        &live,
        "/mcp",
        |answer| answer.replace("\r\nmcp-session-id:", "\r\nx-session:"),
        &[
            "mcp            /mcp initialize: expected an Mcp-Session-Id, found no Mcp-Session-Id; let the proxy pass this header on",
        ],
    );
    changed(
        &live,
        "/mcp",
        |answer| answer.replace("\"get_faq\"", "\"get_fax\""),
        &[
            "mcp            /mcp tools/list: expected the tool get_faq, found 14 tools without it; check which server responds: it is not this version of candor-sidecar",
        ],
    );
    changed(
        &live,
        "/mcp",
        |answer| answer.replace("403 Forbidden", "200 OK"),
        &[
            "mcp            /mcp from another Origin and 1 more: expected 403, found 200; any web page could send requests through a visitor's browser (DNS rebinding): do not rewrite Host in the proxy",
        ],
    );
    // A web server in front may answer names it has no site for, with nothing.
    let empty = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    changed(
        &live,
        "/mcp",
        |answer| if answer.contains("403 Forbidden") { empty.to_owned() } else { answer },
        &[],
    );
    changed(
        &live,
        "/api/websub/hub",
        |answer| answer.replace("400 Bad Request", "202 Accepted"),
        &[
            "hub            /api/websub/hub with a plain-http callback: expected 400 with a reason that says https, found 202: hub.callback must be an https URL: deliveries are not sent in the clear; check which server responds: it is not this version of candor-sidecar",
        ],
    );
}

#[test]
fn a_cursor_that_leads_elsewhere_is_noticed() {
    let live = Live::new(3);
    let relay = Relay::to(live.running.address, |target, answer| {
        if target.starts_with("/api/reviews/search?limit=2&cursor=") {
            let answer = String::from_utf8(answer).unwrap();
            answer.replace(&format!("01J{:023}", 0), &format!("01J{:023}", 9)).into_bytes()
        } else {
            answer
        }
    });
    let complaints = complaints(&look(relay.address));
    assert_eq!(complaints.len(), 1, "{complaints:#?}");
    let expected = format!(
        ": expected 01J{:023} first on the second page, found \"01J{:023}\"; the sidecar loads",
        0, 9
    );
    assert!(complaints[0].contains(&expected), "{complaints:#?}");
}
