//! Several sites in one process, chosen by the name in the Host field.

mod copies;
mod loading;

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use sidecar::Config;
use tempfile::TempDir;

use crate::{Answer, Request, Running, Site, eventually, get, listing::saying, process::command};

/// A folder of sites, and the sidecar's configuration for it.
pub(crate) struct Folder {
    directory: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("sites")).unwrap();
        Self { directory }
    }

    fn list(&self) -> PathBuf {
        self.directory.path().join("sites")
    }

    fn state(&self) -> PathBuf {
        self.directory.path().join("state")
    }

    /// Adds a site of this name, with one review that says its name.
    pub(crate) fn add(&self, host: &str) -> Site {
        let site = of(host);
        self.link(host, &site.public());
        site
    }

    #[cfg(unix)]
    fn link(&self, name: &str, to: &Path) {
        std::os::unix::fs::symlink(to, self.list().join(name)).unwrap();
    }

    pub(crate) fn config(&self) -> Config {
        let mut config = Config::of_sites(self.list(), self.state()).unwrap();
        config.serve_public = true;
        config.workers = 1;
        config.poll_interval = Duration::from_millis(100);
        config.lock_wait = Duration::from_secs(20);
        config.shutdown_timeout = Duration::from_secs(5);
        config
    }
}

/// A published site whose one review says its name.
pub(crate) fn of(host: &str) -> Site {
    let mut site = Site::unpublished();
    site.origin = format!("https://{host}");
    site.set("reviews.json", saying(host));
    site.publish();
    site
}

pub(crate) fn ask(running: &Running, host: &str, target: &str) -> Answer {
    Request::get(target).host(host).send(running.address)
}

fn says(running: &Running, host: &str, text: &str) -> bool {
    ask(running, host, "/api/reviews/since/2000-01-01").text().contains(text)
}

fn readyz(running: &Running, query: &str) -> Answer {
    get(running.admin, &format!("/readyz{query}"))
}

pub(crate) fn listed(running: &Running, host: &str) -> Value {
    let sites = get(running.admin, "/sites").json();
    let sites = sites.as_array().unwrap().clone();
    sites.into_iter().find(|site| site["site"] == host).unwrap_or_default()
}

#[test]
fn the_host_chooses_the_site_in_any_spelling() {
    let folder = Folder::new();
    let _sites = ["a.example", "b.example"].map(|host| folder.add(host));
    let running = Running::start_with(folder.config());
    for (host, site) in [
        ("a.example", "a.example"),
        ("B.Example", "b.example"),
        ("b.example.", "b.example"),
        ("a.example:8443", "a.example"),
    ] {
        assert!(says(&running, host, site), "{host}");
        let file = ask(&running, host, "/reviews.json");
        assert!(file.text().contains(site), "{host}");
    }
    let absolute = Request::get("http://b.example/api/reviews/since/2000-01-01").host("a.example");
    assert!(absolute.send(running.address).text().contains("b.example"));
}

#[test]
fn an_unknown_host_is_told_so_on_every_route() {
    let folder = Folder::new();
    let _site = folder.add("a.example");
    let running = Running::start_with(folder.config());
    let message = "No site of this server has the name in the Host field.";
    for host in ["c.example", "127.0.0.1", "a.example.evil.example"] {
        for path in ["/api/reviews/search", "/api/reviews/since/2024-01-01", "/", "/reviews.json"] {
            let answer = ask(&running, host, path);
            assert_eq!(answer.status, 421, "{host} {path}");
            assert_eq!(answer.json()["message"], message);
        }
        let posts = [
            ("/mcp", "application/json", "application/json"),
            ("/api/websub/hub", "application/x-www-form-urlencoded", "text/plain"),
        ];
        for (path, form, media_type) in posts {
            let post = Request::new("POST", path).host(host).with("Content-Type", form).body("x");
            let answer = post.send(running.address);
            assert_eq!(answer.status, 421, "{host} {path}");
            assert!(answer.text().contains(message), "{}", answer.text());
            assert!(answer.field("content-type").unwrap().starts_with(media_type));
        }
    }
}

#[test]
fn sites_appear_change_and_leave() {
    let folder = Folder::new();
    let mut a = folder.add("a.example");
    let running = Running::start_with(folder.config());
    assert!(says(&running, "a.example", "a.example"));
    assert_eq!(ask(&running, "b.example", "/api/reviews/search").status, 421);
    let _b = folder.add("b.example");
    eventually("it appears", || says(&running, "b.example", "b.example"));
    a.set("reviews.json", saying("something new"));
    a.later_by(1);
    a.publish();
    eventually("it changes", || says(&running, "a.example", "something new"));
    fs::remove_file(folder.list().join("b.example")).unwrap();
    eventually("it leaves", || ask(&running, "b.example", "/").status == 421);
    assert!(says(&running, "a.example", "something new"));
    let state = |name: &str| folder.state().join("sites").join(name).exists();
    assert!(state("b.example"), "a list that is incomplete for a moment removes nothing");
    drop(running);
    let _running = Running::start_with(folder.config());
    assert!(state("a.example") && !state("b.example"));
}

#[test]
fn a_list_that_is_suddenly_empty_changes_nothing() {
    let folder = Folder::new();
    let _site = folder.add("a.example");
    let running = Running::start_with(folder.config());
    let (list, away) = (folder.list(), folder.directory.path().join("away"));
    fs::rename(&list, &away).unwrap();
    fs::create_dir(&list).unwrap();
    let fault = format!("{} has no sites now; to serve none, stop the sidecar", list.display());
    eventually("it is reported", || readyz(&running, "").json()["list_fault"] == fault);
    assert!(ask(&running, "a.example", "/api/reviews/search").status != 421);
    fs::remove_dir(&list).unwrap();
    fs::rename(&away, &list).unwrap();
    eventually("it is over", || readyz(&running, "").json()["list_fault"].is_null());
    eventually("it is loaded", || says(&running, "a.example", "a.example"));
}

#[test]
fn an_alias_leads_to_the_same_site() {
    let folder = Folder::new();
    let _site = folder.add("a.example");
    folder.link("old.example", Path::new("a.example"));
    let running = Running::start_with(folder.config());
    assert!(says(&running, "old.example", "a.example") && says(&running, "a.example", "a.example"));
    eventually("it is counted", || readyz(&running, "").json()["loaded"] == 1);
    assert_eq!(listed(&running, "a.example")["aliases"], serde_json::json!(["old.example"]));
}

#[test]
fn a_publication_of_another_site_is_refused() {
    let folder = Folder::new();
    let site = of("a.example");
    folder.link("b.example", &site.public());
    let running = Running::start_with(folder.config());
    assert_eq!(ask(&running, "b.example", "/api/reviews/search").status, 503);
    let readyz = readyz(&running, "?site=b.example");
    assert_eq!(readyz.status, 503);
    let reason = format!(
        "no data is loaded: {}/b.example/candor-manifest.json is of https://a.example, and the list \
         of sites has it as b.example: list it under the host name of its base_url, or of its sidecar",
        folder.list().display()
    );
    assert_eq!(readyz.json()["reason"], reason);
    let all = get(running.admin, "/readyz");
    assert_eq!((all.status, &all.json()["refused"]), (200, &1.into()));
}

#[test]
fn a_site_may_be_named_after_its_sidecar() {
    let folder = Folder::new();
    let mut site = Site::unpublished();
    site.origin = "https://shop.example".into();
    site.sidecar = Some("https://live.shop.example".into());
    site.publish();
    folder.link("live.shop.example", &site.public());
    let running = Running::start_with(folder.config());
    assert_eq!(ask(&running, "live.shop.example", "/api/reviews/search").status, 200);
}

#[test]
fn the_last_good_publication_survives_in_the_state_folder() {
    let folder = Folder::new();
    let site = folder.add("a.example");
    drop({
        let running = Running::start_with(folder.config());
        assert!(says(&running, "a.example", "a.example"));
        running
    });
    site.remove("candor-manifest.json");
    let running = Running::start_with(folder.config());
    assert!(says(&running, "a.example", "a.example"));
}

#[test]
fn nothing_older_replaces_a_site_that_was_unloaded() {
    let folder = Folder::new();
    let mut sites = ["a.example", "b.example"].map(|host| folder.add(host));
    let mut config = folder.config();
    config.memory = 1;
    let running = Running::start_with(config);
    assert!(says(&running, "a.example", "a.example") && says(&running, "b.example", "b.example"));
    eventually("one is unloaded", || listed(&running, "a.example")["loaded"] == Value::Null);
    sites[0].set("reviews.json", saying("from a backup"));
    sites[0].later_by(-5);
    sites[0].publish();
    assert!(says(&running, "a.example", "a.example"));
    eventually("it is refused", || {
        let refused = &listed(&running, "a.example")["refused"];
        refused.as_str().is_some_and(|reason| reason.contains("is older than the served"))
    });
    assert!(!says(&running, "a.example", "from a backup"));
}

#[test]
fn a_file_lists_sites_and_a_faulty_one_changes_nothing() {
    let folder = Folder::new();
    let (a, b) = (of("a.example"), of("b.example"));
    let list = folder.directory.path().join("sites.toml");
    let line = |host: &str, site: &Site| format!("\"{host}\" = {:?}\n", site.public());
    fs::write(&list, line("a.example", &a)).unwrap();
    let mut config = Config::of_sites(&list, folder.state()).unwrap();
    config.poll_interval = Duration::from_millis(100);
    let running = Running::start_with(config);
    assert!(says(&running, "a.example", "a.example"));
    fs::write(&list, "\"b.example\" = 7\n").unwrap();
    eventually("the fault is reported", || {
        readyz(&running, "").json()["list_fault"]
            .as_str()
            .is_some_and(|fault| fault.contains("sites.toml:1:15: this is neither"))
    });
    assert!(says(&running, "a.example", "a.example"));
    assert!(get(running.admin, "/metrics").text().contains("candor_sites_list_usable 0"));
    fs::write(&list, line("a.example", &a) + &line("b.example", &b)).unwrap();
    eventually("the list is read", || says(&running, "b.example", "b.example"));
    assert_eq!(readyz(&running, "").json()["list_fault"], Value::Null);
    // Without --serve-public there are no files here either.
    assert_eq!(ask(&running, "b.example", "/reviews.json").status, 404);
}

#[test]
fn readiness_is_of_the_list_or_of_one_site() {
    let folder = Folder::new();
    let site = folder.add("a.example");
    let running = Running::start_with(folder.config());
    assert_eq!(readyz(&running, "?site=a.example").json()["status"], "ready");
    assert!(says(&running, "a.example", "a.example"));
    let report = readyz(&running, "?site=A.example").json();
    assert_eq!(report["build_id"], site.manifest().build_id.as_str());
    let unknown = readyz(&running, "?site=c.example");
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json()["message"], "No site of the list has this name.");
}

#[test]
fn agents_meet_the_site_of_the_host() {
    let folder = Folder::new();
    let _sites = ["a.example", "b.example"].map(|host| folder.add(host));
    folder.link("old.example", Path::new("a.example"));
    let running = Running::start_with(folder.config());
    for (host, site) in
        [("a.example", "a.example"), ("b.example", "b.example"), ("old.example", "a.example")]
    {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_reviews","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
        let answer = Request::new("POST", "/mcp")
            .host(host)
            .with("Accept", "application/json, text/event-stream")
            .with("Content-Type", "application/json")
            .with("MCP-Protocol-Version", "2026-07-28")
            .with("Mcp-Method", "tools/call")
            .with("Mcp-Name", "search_reviews")
            .body(call)
            .send(running.address);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.text().contains(site), "{}", answer.text());
    }
}

#[test]
fn the_state_must_not_be_among_the_sites() {
    let folder = Folder::new();
    let list = folder.list();
    let output = command()
        .args(["--sites", list.to_str().unwrap(), "--state"])
        .arg(list.join("state"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("is inside the public directory"), "{said}");
    let output = command().args(["--memory", "1000"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(64) && said.contains("--sites <DIR|FILE>"), "{said}");
}

#[test]
fn the_command_lists_what_is_loaded() {
    let folder = Folder::new();
    let site = folder.add("a.example");
    let other = of("c.example");
    let _b = folder.add("b.example");
    folder.link("d.example", &other.public());
    let running = Running::start_with(folder.config());
    assert!(says(&running, "a.example", "a.example"));
    assert_eq!(ask(&running, "d.example", "/").status, 503);
    let list = |more: &[&str]| {
        let admin = format!("--admin={}", running.admin);
        let output = command().args(["sites", &admin]).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = list(&[]);
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let head = "SITE BUILD LOADED AT REVIEWS KIB REQUESTS";
    assert_eq!(fields(lines[0]).join(" "), head);
    let build = site.manifest().build_id.as_str()[1..13].to_owned();
    let found = fields(lines[1]);
    assert_eq!((&*found[0], &*found[1], &*found[3]), ("a.example", &*build, "1"), "{found:?}");
    let all = list(&["--all"]);
    assert_eq!(all.lines().count(), 5, "{all}");
    assert!(all.contains("  refused: ") && all.contains("is of https://c.example"), "{all}");
    let json = list(&["--json"]);
    let json: Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!((&json["site"], &json["loaded"]["reviews"]), (&"a.example".into(), &1.into()));
}

#[test]
fn a_site_has_its_share_of_the_places_and_others_have_theirs() {
    let folder = Folder::new();
    let site = Site::long();
    let mut long = Site::unpublished();
    long.origin = "https://a.example".into();
    long.set("reviews.json", site.bytes("reviews.json"));
    long.publish();
    folder.link("a.example", &long.public());
    let _b = folder.add("b.example");
    let mut config = folder.config();
    // A fourth of them is one.
    config.max_responses = 4;
    let running = Running::start_with(config);
    let all = "/api/reviews/since/2000-01-01";
    eventually("it is loaded", || ask(&running, "a.example", "/api/reviews/search").status == 200);
    // Of a proxy that is not listed, behind which every client has the whole.
    let of_proxy = |target| {
        let field = ("X-Forwarded-For", "198.51.100.1");
        Request::get(target).host("a.example").with(field.0, field.1)
    };
    let mut download = of_proxy(all).start(running.address);
    download.read_exact(&mut [0; 1000]).unwrap();
    let busy = of_proxy("/api/reviews/search").send(running.address);
    assert_eq!((busy.status, busy.field("retry-after")), (503, Some("1")));
    let message = "Too many responses of this site are in progress. Try again in a second.";
    assert_eq!(busy.json()["message"], message);
    for _ in 0..20 {
        assert!(says(&running, "b.example", "b.example"));
    }
    drop(download);
    eventually("a free place", || ask(&running, "a.example", "/api/reviews/search").status == 200);
}
