//! What survives a restart, and what a sidecar says of itself.

use std::{fs, net::TcpStream, process, time::Duration};

use serde_json::{Value, json};

use crate::{Request, Running, Site, eventually, get, listing::saying, running::config};

#[test]
fn without_data_everything_is_503_until_there_is_some() {
    let site = Site::unpublished();
    let running = Running::start(&site);
    let answer = get(running.address, "/");
    assert_eq!((answer.status, answer.field("retry-after")), (503, Some("5")));
    assert_eq!(
        answer.text(),
        "{\"error\":\"unavailable\",\"message\":\"No reviews are loaded yet. Try again in a few \
         seconds.\"}"
    );
    for (method, path) in [("GET", "/api/reviews/search"), ("POST", "/mcp"), ("HEAD", "/x")] {
        assert_eq!(Request::new(method, path).send(running.address).status, 503, "{path}");
    }
    assert_eq!(Request::new("OPTIONS", "/").send(running.address).status, 204);
    let ready = get(running.admin, "/readyz");
    let manifest = site.public().join("candor-manifest.json");
    assert_eq!((ready.status, &ready.json()["status"]), (503, &"unavailable".into()));
    assert_eq!(
        ready.json()["reason"],
        format!(
            "no data is loaded: cannot read {}: No such file or directory (os error 2)",
            manifest.display()
        )
    );
    assert_eq!(get(running.admin, "/healthz").text(), "{\"status\":\"ok\"}");
    site.publish();
    eventually("data", || get(running.address, "/").status == 200);
}

#[test]
fn a_public_directory_may_come_later() {
    let site = Site::unpublished();
    fs::remove_dir(site.public()).unwrap();
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/").status, 503);
    site.publish();
    eventually("data", || get(running.address, "/").status == 200);
}

#[test]
fn metrics_say_what_is_served_and_how_long_something_newer_is_refused() {
    let mut site = Site::unpublished();
    let running = Running::start(&site);
    let gauge = |name: &str| -> Option<f64> {
        let text = get(running.admin, "/metrics").text().to_owned();
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map(|value| value.parse().unwrap())
    };
    assert_eq!(gauge("candor_publication_ready"), Some(0.0));
    assert_eq!(gauge("candor_publication_timestamp_seconds"), None);
    site.publish();
    eventually("data", || gauge("candor_publication_ready") == Some(1.0));
    let published_at = site.manifest().published_at.as_second();
    assert_eq!(gauge("candor_publication_timestamp_seconds"), Some(published_at as f64));
    assert_eq!(gauge("candor_publication_reviews"), Some(1.0));
    eventually("nothing refused", || gauge("candor_publication_refused_seconds") == Some(0.0));
    site.set("reviews.json", saying("new"));
    site.later_by(1);
    site.publish_manifest();
    let refused = || gauge("candor_publication_refused_seconds").unwrap();
    eventually("the refusal", || refused() > 0.0);
    let first = refused();
    eventually("time", || refused() > first);
    assert_eq!(gauge("candor_publication_ready"), Some(1.0));
    site.publish_files();
    eventually("no refusal", || refused() == 0.0);
}

#[test]
fn counters_are_there_before_there_is_anything_to_count() {
    let site = Site::new();
    let running = Running::start(&site);
    let text = get(running.admin, "/metrics").text().to_owned();
    for line in [
        "candor_hub_requests_total{mode=\"subscribe\",status=\"503\"} 0",
        "candor_hub_verifications_total{topic=\"feed.xml\",outcome=\"activated\"} 0",
        "candor_hub_deliveries_total{topic=\"reviews.json\",outcome=\"removed_failures\"} 0",
        "candor_hub_announcements_total{topic=\"api/feed.json\"} 0",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line} in {text}");
    }
}

#[test]
fn metrics_count_the_traffic_and_describe_the_process() {
    let site = Site::new();
    let running = Running::start(&site);
    let value = |name: &str| -> Option<f64> {
        let text = get(running.admin, "/metrics").text().to_owned();
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map(|value| value.parse().unwrap())
    };
    let requests = |route: &str, status: u16| {
        value(&format!("candor_http_requests_total{{route=\"{route}\",status=\"{status}\"}}"))
    };
    assert_eq!(requests("/api/reviews/search", 503), Some(0.0), "there from the start");
    for (target, route, status) in [
        ("/api/reviews/search", "/api/reviews/search", 200),
        ("/api/reviews/search?limit=0", "/api/reviews/search", 400),
        ("/api/reviews/since/2026-01-01", "/api/reviews/since/{date}", 200),
        ("/api/websub/hub", "/api/websub/hub", 405),
        ("/mcp", "/mcp", 405),
        ("/feed.xml", "{file}", 200),
        ("/none", "{file}", 404),
    ] {
        assert_eq!(Request::get(target).host("localhost").send(running.address).status, status);
        assert_eq!(requests(route, status), Some(1.0), "{target}");
    }
    let sent = value("candor_http_sent_bytes_total").unwrap();
    let answer = get(running.address, "/big.bin");
    eventually("its bytes are counted", || {
        value("candor_http_sent_bytes_total").unwrap() >= sent + answer.body.len() as f64
    });
    assert!(value("candor_http_received_bytes_total").unwrap() > 100.0);
    let count = "candor_http_request_duration_seconds_count{route=\"{file}\"}";
    assert_eq!(value(count), Some(3.0));
    let idle = TcpStream::connect(running.address).unwrap();
    eventually("a connection", || value("candor_http_connections") == Some(1.0));
    drop(idle);
    eventually("none", || value("candor_http_connections") == Some(0.0));
    assert_eq!(value("candor_http_requests_in_flight"), Some(0.0));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(value(&format!("candor_build_info{{version=\"{version}\"}}")), Some(1.0));
    assert!(value("process_resident_memory_bytes").unwrap() > 1e6);
    assert!(value("process_open_fds").unwrap() > 2.0);
}

#[test]
fn a_ready_sidecar_says_what_it_serves() {
    let site = Site::new();
    let running = Running::start(&site);
    let ready = get(running.admin, "/readyz");
    let (manifest, report) = (site.manifest(), ready.json());
    assert_eq!((ready.status, &report["status"]), (200, &"ready".into()));
    assert_eq!(report["build_id"], manifest.build_id.as_str());
    assert_eq!(report["published_at"], manifest.published_at.to_string());
    assert_eq!(report["files"], manifest.files.len());
    assert!(report["loaded_at"].is_string() && report["age_seconds"].is_u64());
    assert_eq!(get(running.admin, "/reviews.json").status, 404);
    assert_eq!(Request::new("HEAD", "/readyz").send(running.admin).status, 200);
}

#[test]
fn each_sources_last_import_is_in_readyz_and_metrics() {
    let mut site = Site::unpublished();
    let running = Running::start(&site);
    let shown = || -> Vec<String> {
        let text = get(running.admin, "/metrics").text().to_owned();
        let lines = text.lines().filter(|line| line.starts_with("candor_last_import"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(shown(), Vec::<String>::new());
    let sources = json!([
        { "source": "direct", "last_import": null },
        { "source": "google", "last_import": "2001-09-09T01:46:40Z" },
        { "source": "yelp", "last_import": "2001-09-09T01:46:41Z" },
    ]);
    let with = |sources: &Value| {
        saying("x").replacen("\"business\"", &format!("\"sources\":{sources},\"business\""), 1)
    };
    site.set("reviews.json", with(&sources));
    site.publish();
    eventually("data", || get(running.admin, "/readyz").status == 200);
    let imports = get(running.admin, "/readyz").json()["imports"].clone();
    assert_eq!(imports.as_array().unwrap().len(), 2);
    assert_eq!(
        (&imports[0]["source"], &imports[0]["last_import"]),
        (&"google".into(), &"2001-09-09T01:46:40Z".into())
    );
    assert!(imports[0]["age_seconds"].as_i64().unwrap() > 700_000_000);
    let line =
        |source, at| format!("candor_last_import_timestamp_seconds{{source=\"{source}\"}} {at}");
    let mut lines = shown();
    lines.sort();
    assert_eq!(lines, [line("google", 1_000_000_000), line("yelp", 1_000_000_001)]);
    // A source that is no longer published has no line, or its alert would never end.
    site.set("reviews.json", with(&json!([sources[1]])));
    site.later_by(1);
    site.publish();
    eventually("the new data", || shown() == [line("google", 1_000_000_000)]);
}

#[test]
fn a_refusal_that_lasts_makes_it_unready_and_names_file_and_hashes() {
    let mut site = Site::new();
    let mut config = config(&site);
    config.refusal_limit = Duration::ZERO;
    let running = Running::start_with(config);
    site.set("feed.xml", "<feed>new</feed>\n");
    site.later_by(1);
    site.publish_manifest();
    eventually("unready", || get(running.admin, "/readyz").status == 503);
    let report = get(running.admin, "/readyz").json();
    let file = site.public().join("feed.xml");
    let (expected, actual) = (site.tag("feed.xml"), Site::unpublished().tag("feed.xml"));
    assert_eq!(report["refused"]["file"], file.to_str().unwrap());
    assert_eq!(report["refused"]["expected"], expected);
    assert_eq!(report["refused"]["actual"], actual);
    assert_eq!(
        report["reason"],
        format!(
            "{} is not the file the manifest lists: expected {expected} (17 bytes), found {actual} \
             (8 bytes)",
            file.display()
        )
    );
    assert_eq!(get(running.address, "/feed.xml").text(), "<feed/>\n");
}

#[test]
fn a_restart_serves_the_last_good_site_while_the_public_directory_is_torn() {
    let mut site = Site::new();
    drop(Running::start(&site));
    let old = site.bytes("reviews.json").to_vec();
    site.set("reviews.json", saying("new"));
    site.later_by(1);
    site.publish_manifest();
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/reviews.json").body, old);
    assert!(get(running.address, "/big.bin").body == site.bytes("big.bin"));
    drop(running);
    fs::remove_dir_all(site.public()).unwrap();
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/reviews.json").body, old);
}

#[test]
fn a_torn_state_directory_is_seen_and_mended() {
    let site = Site::new();
    drop(Running::start(&site));
    let object = site.state().join("objects").join(&site.tag("reviews.json")[4..36]);
    fs::write(&object, "torn").unwrap();
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/reviews.json").body, site.bytes("reviews.json"));
    drop(running);
    fs::write(&object, "torn").unwrap();
    site.remove("reviews.json");
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/reviews.json").status, 503);
}

#[test]
fn an_older_publication_is_refused_and_the_served_one_stays_ready() {
    let mut site = Site::new();
    drop(Running::start(&site));
    let served = site.manifest().published_at;
    let loaded = site.bytes("reviews.json").to_vec();
    site.set("reviews.json", saying("older"));
    site.later_by(-1);
    site.publish();
    let mut config = config(&site);
    config.refusal_limit = Duration::ZERO;
    let running = Running::start_with(config);
    assert_eq!(get(running.address, "/reviews.json").body, loaded);
    let ready = get(running.admin, "/readyz");
    assert_eq!((ready.status, &ready.json()["status"]), (200, &"ready".into()));
    let manifest = site.public().join("candor-manifest.json");
    assert_eq!(
        ready.json()["refused"]["reason"],
        format!(
            "{} is older than the served publication: it was published at {}, the served one at \
             {served}. To go back to it, build and publish it again. If the served one was built \
             with a wrong clock, stop the program, delete manifest.json in --state if it has one, and start it",
            manifest.display(),
            site.manifest().published_at
        )
    );
    let refused = || {
        let text = get(running.admin, "/metrics").text().to_owned();
        text.lines().any(|line| line.starts_with("candor_publication_refused_seconds 0."))
    };
    eventually("the metric shows it", refused);
    site.later_by(2);
    site.publish();
    eventually("the newer one", || {
        get(running.address, "/reviews.json").body == site.bytes("reviews.json")
    });
    assert!(get(running.admin, "/readyz").json()["refused"].is_null());
}

#[test]
fn a_publication_of_the_future_is_refused_and_one_that_is_served_is_replaced() {
    const TEN_YEARS: i64 = 10 * 365 * 86_400;
    let mut site = Site::unpublished();
    let now = jiff::Timestamp::now().as_second();
    site.later_by(now - site.manifest().published_at.as_second());
    site.publish();
    let running = Running::start(&site);
    site.set("reviews.json", saying("of the future"));
    site.later_by(TEN_YEARS);
    site.publish();
    eventually("the refusal", || !get(running.admin, "/readyz").json()["refused"].is_null());
    let report = get(running.admin, "/readyz").json();
    let reason = report["refused"]["reason"].as_str().unwrap();
    assert!(reason.contains("more than a day ahead of this machine's clock: "), "{reason}");
    assert_eq!(report["status"], "ready");
    assert!(get(running.address, "/reviews.json").text().contains("old old"));
    drop(running);

    // With nothing else to serve it is served, and any publication of the present replaces it.
    fs::remove_dir_all(site.state()).unwrap();
    let running = Running::start(&site);
    assert!(get(running.address, "/reviews.json").text().contains("of the future"));
    site.set("reviews.json", saying("of today"));
    site.later_by(-TEN_YEARS);
    site.publish();
    eventually("today", || get(running.address, "/reviews.json").text().contains("of today"));
}

#[test]
fn a_state_directory_has_one_holder() {
    let site = Site::new();
    let first = Running::start(&site);
    let mut impatient = config(&site);
    impatient.lock_wait = Duration::ZERO;
    let error = Running::try_start(impatient).err().unwrap().to_string();
    let directory = site.state();
    let expected = format!(
        "the state directory {} is held by process {}, started ",
        directory.display(),
        process::id()
    );
    assert!(error.starts_with(&expected), "{error}");
    drop(first);
    drop(Running::start(&site));
}
