//! How sites are loaded, and make room for others.

use super::*;

#[test]
fn a_site_is_loaded_when_it_is_first_asked_for() {
    let folder = Folder::new();
    let _sites = ["a.example", "b.example"].map(|host| folder.add(host));
    let running = Running::start_with(folder.config());
    assert_eq!(readyz(&running, "").json()["loaded"], 0);
    assert_eq!(listed(&running, "a.example")["loaded"], Value::Null);
    assert!(says(&running, "a.example", "a.example"));
    eventually("it is counted", || readyz(&running, "").json()["loaded"] == 1);
    assert_ne!(listed(&running, "a.example")["loaded"]["build_id"], Value::Null);
    assert_eq!(listed(&running, "b.example")["loaded"], Value::Null);
}

#[test]
fn sites_that_were_used_least_recently_make_room() {
    let folder = Folder::new();
    let hosts: Vec<_> = (0..6).map(|n| format!("{n}.example")).collect();
    let _sites: Vec<_> = hosts.iter().map(|host| folder.add(host)).collect();
    let mut config = folder.config();
    // Less than any site needs.
    config.memory = 1;
    let running = Running::start_with(config);
    for host in &hosts {
        assert!(says(&running, host, host));
    }
    eventually("one site is left", || readyz(&running, "").json()["loaded"] == 1);
    assert_ne!(listed(&running, "5.example")["loaded"], Value::Null);
    // And those that had to leave come back.
    for host in hosts.iter().rev() {
        assert!(says(&running, host, host));
    }
    let metrics = || get(running.admin, "/metrics").text().to_owned();
    let count = |name: &str| {
        let metrics = metrics();
        let line = metrics.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    eventually("they are counted", || count("candor_site_loads_total ") >= 11);
    eventually("they leave again", || count("candor_site_unloads_total ") >= 10);
    // The one used last stays, although it needs more memory than there is. One that was used in the same moment may
    // have taken its place until the next request.
    eventually("it is listed", || {
        says(&running, "0.example", "0.example")
            && !listed(&running, "0.example")["loaded"].is_null()
    });
    assert_eq!(count("candor_site_requests_total{site=\"3.example\"}"), 2);
    assert!(!metrics().contains("candor_source_last_success_timestamp_seconds"));
}

#[test]
fn a_site_that_cannot_be_loaded_is_answered_for_at_once() {
    let folder = Folder::new();
    let (site, _b) = (folder.add("a.example"), folder.add("b.example"));
    site.write("reviews.json", b"torn");
    let running = Running::start_with(folder.config());
    for _ in 0..100 {
        assert_eq!(ask(&running, "a.example", "/api/reviews/search").status, 503);
        assert!(says(&running, "b.example", "b.example"));
    }
    site.publish();
    eventually("it is loaded", || says(&running, "a.example", "a.example"));
}

/// A named pipe in place of a file makes its reader wait for as long as the pipe has no writer.
#[cfg(unix)]
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_site_that_takes_long_delays_no_other() {
    let folder = Folder::new();
    let _sites = ["slow.example", "a.example", "b.example"].map(|host| folder.add(host));
    let state = folder.state().join("sites/slow.example/manifest.json");
    pipe(&state);
    let running = Running::start_with(folder.config());
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| says(&running, "slow.example", "slow.example"));
        eventually("it is asked for", || listed(&running, "slow.example")["requests"] == 1);
        for host in ["a.example", "b.example"] {
            assert!(says(&running, host, host));
        }
        assert!(!slow.is_finished(), "it is not loaded before its state is read");
        // Ends the wait: the state is empty, and the site is read from its source.
        drop(fs::OpenOptions::new().write(true).open(&state).unwrap());
        assert!(slow.join().unwrap());
    });
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_a_named_pipe_is_refused() {
    let folder = Folder::new();
    let site = folder.add("a.example");
    let manifest = site.public().join("candor-manifest.json");
    fs::remove_file(&manifest).unwrap();
    pipe(&manifest);
    let running = Running::start_with(folder.config());
    assert_eq!(ask(&running, "a.example", "/api/reviews/search").status, 503);
    let reason = listed(&running, "a.example")["refused"].as_str().unwrap().to_owned();
    assert!(reason.ends_with("candor-manifest.json: it is not a regular file"), "{reason}");
}
