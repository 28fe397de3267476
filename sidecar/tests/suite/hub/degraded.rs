//! Files of the state directory that are broken or lost: reads continue, the hub says 503, and what
//! is broken is named and kept.

use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde_json::json;
use sidecar::Config;
use sqlx::{AnyConnection, Connection};

use super::{
    operator::{launch_mounted, run},
    setup::{configure, post_form, topic},
};
use crate::{
    Answer, Running, Site,
    agent::Agent,
    get,
    process::Program,
    running::{config, eventually},
};

/// A site whose sidecar has run once, with a store in a file, and its configuration.
fn used() -> (Site, Config) {
    let site = Site::new();
    let mut config = config(&site);
    configure(&mut config.hub);
    drop(Running::start_with(config.clone()));
    (site, config)
}

fn subscribe(running: &Running) -> Answer {
    let callback = "https://nobody.invalid/";
    let topic = topic("feed.xml");
    let fields = [("hub.mode", "subscribe"), ("hub.topic", &topic), ("hub.callback", callback)];
    post_form(running.address, &fields)
}

/// The reason in `/readyz`, which agrees with `/metrics`. Reads continue.
fn degraded(running: &Running, part: &str) -> Option<String> {
    assert_eq!(get(running.address, "/api/reviews/search").status, 200);
    assert_eq!(get(running.address, "/feed.xml").status, 200);
    loop {
        let reason = reason(running, part);
        let metrics = get(running.admin, "/metrics");
        let line = format!("candor_degraded{{part=\"{part}\"}} {}", u8::from(reason.is_some()));
        if metrics.text().lines().any(|shown| shown == line) {
            return reason;
        }
        // It may have ended, or begun, between the two.
        assert_ne!(self::reason(running, part), reason, "{line} in {}", metrics.text());
    }
}

fn reason(running: &Running, part: &str) -> Option<String> {
    let ready = get(running.admin, "/readyz");
    assert_eq!(ready.status, 200);
    let report = ready.json();
    let found = report["degraded"].as_array()?.iter().find(|found| found["part"] == part)?;
    Some(found["reason"].as_str().unwrap().to_owned())
}

/// The hub says that it cannot take requests, and when to come back.
fn refuses(running: &Running) {
    let refused = subscribe(running);
    assert_eq!((refused.status, refused.field("retry-after")), (503, Some("30")));
    assert_eq!(refused.text(), "the hub cannot take requests at the moment: come back later\n");
    assert!(get(running.admin, "/metrics").text().contains("candor_hub_store_writable 0"));
}

/// The one file that was kept aside of this one.
fn kept(path: &Path) -> PathBuf {
    let name = format!("{}.damaged-", path.file_name().unwrap().to_str().unwrap());
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    // SQLite's own files may be beside it.
    let is_kept = |path: &PathBuf| {
        let found = path.file_name().unwrap().to_str().unwrap();
        found.starts_with(&name) && found.ends_with('Z')
    };
    let mut kept: Vec<_> = paths.filter(is_kept).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    kept.remove(0)
}

#[test]
fn a_damaged_store_pauses_the_hub_until_a_backup_is_in_its_place() {
    type Damage = fn(&Path);
    let half: Damage = |path| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    };
    let a_page: Damage = |path| {
        let mut file = fs::File::options().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(4096)).unwrap();
        file.write_all(&[0xAB; 4096]).unwrap();
    };
    let not_a_database: Damage = |path| fs::write(path, "<html>".repeat(1000)).unwrap();
    for damage in [half, a_page, not_a_database] {
        let (site, config) = used();
        let path = site.state().join("hub.db");
        let backup = fs::read(&path).unwrap();
        damage(&path);
        let damaged = fs::read(&path).unwrap();
        // A restart finds the same: it does not begin with an empty store.
        for _ in 0..2 {
            let running = Running::start_with(config.clone());
            refuses(&running);
            let kept = kept(&path);
            assert!(!path.exists() && fs::read(&kept).unwrap() == damaged);
            let expected = format!(
                "the hub's store {} was damaged and is kept as {}: put a backup in its place, or \
                 {ACCEPT_LOSS}",
                path.display(),
                kept.display()
            );
            assert_eq!(degraded(&running, "hub"), Some(expected));
        }
        let running = Running::start_with(config);
        refuses(&running);
        fs::write(path.with_extension("restored"), backup).unwrap();
        fs::rename(path.with_extension("restored"), &path).unwrap();
        eventually("the hub resumes", || degraded(&running, "hub").is_none());
        eventually("it takes requests", || subscribe(&running).status == 202);
        assert_eq!(fs::read(kept(&path)).unwrap(), damaged, "what was damaged is kept");
    }
}

/// What an operator can do who has no backup.
const ACCEPT_LOSS: &str = "begin without subscriptions by candor-sidecar state accept-loss with the \
                           --state, --store and --hub-key of the sidecar";

#[test]
fn without_a_backup_of_a_damaged_store_the_hub_begins_anew_when_it_is_told_to() {
    let (site, config) = used();
    let path = site.state().join("hub.db");
    fs::write(&path, "<html>".repeat(1000)).unwrap();
    let running = Running::start_with(config);
    refuses(&running);
    accept_loss(&site, &[]);
    eventually("the hub resumes", || subscribe(&running).status == 202);
    assert!(kept(&path).exists());
}

fn accept_loss(site: &Site, more: &[&str]) {
    let arguments = [&["state", "accept-loss"], more].concat();
    let said = "made an empty store: the hub begins without subscriptions\n".to_owned();
    assert_eq!(run(&site.state(), &arguments), (Some(0), said, String::new()));
}

#[test]
fn a_store_that_is_lost_or_empty_beside_its_key_is_reported_until_the_loss_is_accepted() {
    type Loss = fn(&Path);
    let lost: Loss = |path| fs::remove_file(path).unwrap();
    let empty: Loss = |path| fs::write(path, "").unwrap();
    for (loss, is_key_named) in [(lost, false), (empty, false), (lost, true), (empty, true)] {
        let site = Site::new();
        let mut config = config(&site);
        configure(&mut config.hub);
        let key = site.state().with_file_name("named.key");
        if is_key_named {
            fs::write(&key, [7; 32]).unwrap();
            config.hub.key = Some(key.clone());
        }
        // A first start, and a second one that finds what the first has left.
        for _ in 0..2 {
            let running = Running::start_with(config.clone());
            assert_eq!(degraded(&running, "hub"), None);
            assert_eq!(subscribe(&running).status, 202);
        }
        let path = site.state().join("hub.db");
        loss(&path);
        let running = Running::start_with(config.clone());
        refuses(&running);
        let lost = format!(
            "the hub's store {} is lost or empty, and it was used before: restore it from a backup, \
             or {ACCEPT_LOSS}",
            path.display()
        );
        assert_eq!(degraded(&running, "hub"), Some(lost.clone()));
        if path.exists() {
            // No other command makes it anew.
            let listed = run(&site.state(), &["subscriptions"]);
            assert_eq!(listed, (Some(1), String::new(), format!("error: {lost}\n")));
        }
        let more = ["--hub-key", key.to_str().unwrap()];
        accept_loss(&site, if is_key_named { &more } else { &[] });
        eventually("the hub resumes", || subscribe(&running).status == 202);
        assert_eq!(degraded(&running, "hub"), None);
        let again = run(&site.state(), &["state", "accept-loss"]);
        let not_lost =
            format!("the hub's store {} is not lost: nothing was changed", path.display());
        // Without its key it is most likely another one that is meant.
        let error = if is_key_named {
            format!(
                "there is no store at {}: name the state directory with --state, or --store",
                site.state().display()
            )
        } else {
            not_lost
        };
        assert_eq!(again, (Some(1), String::new(), format!("error: {error}\n")));
    }
}

#[test]
fn a_first_start_that_breaks_off_is_continued() {
    type Step = fn(&Path);
    // The tables are made first, then the key, which is noted in them in the end.
    let file: Step = |state| fs::write(state.join("hub.db"), "").unwrap();
    let tables: Step = |state| {
        fs::remove_file(state.join("hub.key")).unwrap();
        forget_key(state);
    };
    let key: Step = |state| forget_key(state);
    for (step, is_empty) in [(file, true), (tables, false), (key, false)] {
        let (site, config) = used();
        if is_empty {
            fs::remove_file(site.state().join("hub.key")).unwrap();
        }
        step(&site.state());
        let running = Running::start_with(config);
        assert_eq!((degraded(&running, "hub"), subscribe(&running).status), (None, 202));
    }
}

/// Leaves the store as one that was not yet used with a key.
fn forget_key(state: &Path) {
    actix_web::rt::System::new().block_on(async {
        sqlx::any::install_default_drivers();
        let url = format!("sqlite:{}", state.join("hub.db").display());
        let mut store = AnyConnection::connect(&url).await.unwrap();
        let forget = sqlx::query("DELETE FROM facts WHERE name = 'key_check'");
        forget.execute(&mut store).await.unwrap();
        store.close().await.unwrap();
    });
}

#[test]
fn a_torn_key_is_kept_and_none_is_made_for_a_store_that_has_one() {
    let (site, config) = used();
    let path = site.state().join("hub.key");
    let backup = fs::read(&path).unwrap();
    fs::write(&path, &backup[..7]).unwrap();
    for _ in 0..2 {
        let running = Running::start_with(config.clone());
        refuses(&running);
        assert_eq!(fs::read(kept(&path)).unwrap(), &backup[..7]);
        let expected = format!(
            "the key file {} is lost, and the hub's store was encrypted with it: restore the file \
             from a backup, or move the store to another directory to begin without subscriptions",
            path.display()
        );
        assert_eq!(degraded(&running, "hub"), Some(expected));
        assert!(!path.exists());
    }
    let running = Running::start_with(config);
    fs::write(&path, &backup).unwrap();
    eventually("the hub resumes", || subscribe(&running).status == 202);
}

#[test]
fn an_empty_session_key_is_kept_and_agents_go_on() {
    let (site, config) = used();
    let path = site.state().join("mcp-session-key");
    fs::write(&path, "").unwrap();
    let running = Running::start_with(config.clone());
    Agent::new(&running).ask("ping", json!({}));
    assert_eq!(fs::read(kept(&path)).unwrap(), b"");
    let reason = degraded(&running, "mcp_session_keys").unwrap();
    assert!(reason.starts_with(&format!("{} holds no session key: ", path.display())), "{reason}");
    assert_eq!(subscribe(&running).status, 202, "the hub does not need it");
    drop(running);
    let running = Running::start_with(config);
    assert_eq!(degraded(&running, "mcp_session_keys"), None);
}

#[test]
fn a_session_key_file_that_was_named_and_is_lost_is_reported() {
    let (site, mut config) = used();
    let named = site.state().with_file_name("keys");
    config.mcp.session_keys = Some(named.clone());
    let running = Running::start_with(config);
    Agent::new(&running).ask("ping", json!({}));
    let reason = degraded(&running, "mcp_session_keys").unwrap();
    let expected = format!("cannot use the session keys in {}: ", named.display());
    assert!(reason.starts_with(&expected) && !named.exists(), "{reason}");
}

#[test]
fn a_key_file_that_was_named_is_never_made() {
    let site = Site::new();
    let named = site.state().with_file_name("hub.kye");
    let arguments = ["--hub-key", named.to_str().unwrap(), "--listen", "127.0.0.1:0", "--public"];
    let public = site.public();
    let (code, _, err) =
        run(&site.state(), &[&arguments[..], &[public.to_str().unwrap()]].concat());
    let expected = format!(
        "error: there is no key file {0}: correct --hub-key, or create the file with openssl rand \
         -out {0} 32\n",
        named.display()
    );
    assert_eq!(code, Some(1));
    assert!(err.ends_with(&expected), "{err}");
    assert!(!named.exists());
    // What cannot be read: as a file of another user, and as root too.
    fs::create_dir(&named).unwrap();
    let (code, _, err) =
        run(&site.state(), &[&arguments[..], &[public.to_str().unwrap()]].concat());
    let expected = format!(
        "error: cannot use the key file {}, which the user of the sidecar must be able to read (under systemd by LoadCredential=): ",
        named.display()
    );
    assert_eq!(code, Some(1));
    let (_, reason) = err.split_once(&expected).unwrap_or_else(|| panic!("{err}"));
    assert_eq!(reason.matches("os error").count(), 1, "{err}");
}

/// A program that sees its state directory as read-only.
#[cfg(target_os = "linux")]
fn on_a_read_only_disk(site: &Site) -> Program {
    fs::create_dir_all(site.state()).unwrap();
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && shift && exec \"$@\"";
    launch_mounted(site, script)
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_read_only_state_directory_reads_go_on_and_follow_the_site() {
    for used_before in [true, false] {
        let mut site = if used_before { used().0 } else { Site::new() };
        let before: usize = walk(&site.state());
        let published = site.bytes("feed.xml").to_vec();
        if used_before {
            // What the last process served is served although nothing is published.
            fs::rename(site.public(), site.public().with_extension("away")).unwrap();
        }
        let mut program = on_a_read_only_disk(&site);
        let reported = program.said("the sidecar runs degraded");
        assert_eq!(reported["part"], "state");
        let reason = reported["reason"].as_str().unwrap();
        let expected = format!("cannot use the state directory {}: ", site.state().display());
        assert!(reason.starts_with(&expected), "{reason}");
        let (address, admin) = program.addresses();
        assert_eq!(get(address, "/feed.xml").body, published);
        if used_before {
            fs::rename(site.public().with_extension("away"), site.public()).unwrap();
        }
        site.set("feed.xml", "<feed>new</feed>\n");
        site.later_by(1);
        site.publish();
        eventually("the new feed", || get(address, "/feed.xml").text() == "<feed>new</feed>\n");
        let report = get(admin, "/readyz");
        assert_eq!((report.status, report.json()["status"].as_str()), (200, Some("ready")));
        let topic = topic("feed.xml");
        let fields = [
            ("hub.mode", "subscribe"),
            ("hub.topic", &topic),
            ("hub.callback", "https://x.invalid/"),
        ];
        assert_eq!(post_form(address, &fields).status, 503);
        assert_eq!(walk(&site.state()), before, "nothing was written");
        program.signal("TERM");
        assert_eq!(program.ended().code(), Some(0));
        let copies = reason.split(" are in ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(!Path::new(copies).exists(), "{copies} is removed");
    }
}

/// How many files and folders there are.
#[cfg(target_os = "linux")]
fn walk(path: &Path) -> usize {
    match fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| 1 + walk(&entry.unwrap().path())).sum(),
        Err(_) => 0,
    }
}
