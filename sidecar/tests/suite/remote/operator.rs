//! What the operator says, and is told.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use super::{Origin, Reply};
use crate::{
    Site, get,
    hub::{setup::post_form, subscriber::Authority},
    listing::saying,
    process::{Program, command},
};

/// The program, following an origin. It looks there while it starts, so that what it says of that
/// may come before or after it listens.
fn following(site: &Site, origin: &Origin) -> Command {
    let mut command = command();
    command
        .args(["--listen=127.0.0.1:0", "--admin=127.0.0.1:0", "--log-format=json"])
        .args(["--public", &origin.url("")])
        .arg("--public-extra-ca")
        .arg(Authority::get().file())
        .arg("--state")
        .arg(site.state());
    command
}

#[test]
fn outages_and_their_end_are_logged_once() {
    let site = Site::new();
    let origin = Origin::of(&site);
    origin.answers(|_| Reply::Status(503, "x-y", "z".into()));
    let mut program = Program::launch(&mut following(&site, &origin));
    let listening = program.logged("listening");
    assert_eq!(listening["public"], origin.url(""));
    let outage = program.said("the published site is unreachable");
    let reason = format!("{} answered 503", origin.url("candor-manifest.json"));
    assert_eq!((&outage["level"], &outage["error"]), (&"WARN".into(), &reason.into()));
    origin.heals();
    let loaded = program.logged("loaded the site");
    assert_eq!(loaded["build_id"], site.manifest().build_id.as_str());
    program.logged("the published site is reachable again");
}

#[test]
fn sighup_checks_the_source_at_once_and_ends_nothing() {
    let mut site = Site::new();
    let origin = Origin::of(&site);
    let mut program = Program::launch(&mut following(&site, &origin));
    program.address();
    program.said("loaded the site");
    for text in ["one", "two"] {
        site.set("reviews.json", saying(text));
        site.later_by(1);
        site.publish();
        let published = Instant::now();
        program.signal("HUP");
        program.logged("checking the source after SIGHUP");
        let loaded = program.logged("loaded the site");
        assert_eq!(loaded["build_id"], site.manifest().build_id.as_str());
        // Without the signal the next look is after 24 seconds at the earliest.
        assert!(published.elapsed() < Duration::from_secs(20), "{:?}", published.elapsed());
    }
    program.signal("TERM");
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn who_asks_to_be_left_alone_is_left_alone_even_by_pings() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let mut first = Program::launch(&mut following(&site, &origin));
    first.logged("loaded the site");
    drop(first);
    origin.answers(|_| Reply::Status(429, "retry-after", "3600".into()));
    let mut program = Program::launch(&mut following(&site, &origin));
    let (address, admin) = program.addresses();
    let outage = program.said("the published site is unreachable");
    let reason =
        format!("{} answered 429 with Retry-After: 3600 s", origin.url("candor-manifest.json"));
    assert_eq!(outage["error"], reason);
    origin.heals();
    origin.forget();
    let ping = [("hub.mode", "publish"), ("hub.url", "https://shop.example/feed.xml")];
    assert_eq!(post_form(address, &ping).status, 202);
    program.logged("postponed a ping: the source sent Retry-After");
    assert_eq!(origin.paths(), [""; 0]);
    let ready = get(admin, "/readyz");
    assert_eq!(
        (ready.status, &ready.json()["source"]["last_error"]["reason"]),
        (200, &reason.into())
    );
}

#[test]
fn addresses_that_are_not_secure_are_usage_errors() {
    let reason =
        "it must begin with https:// (http:// is for this machine alone, such as localhost)";
    let output = command().args(["--public", "http://shop.example"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(64));
    let opening =
        "error: invalid value 'http://shop.example' for '--public <DIR|URL>': ".to_owned() + reason;
    assert!(said.starts_with(&opening), "{said}");
}

#[test]
fn certificates_that_cannot_be_read_stop_the_start() {
    let state = tempfile::tempdir().unwrap();
    let output = command()
        .args(["--public=https://localhost:1", "--public-extra-ca=/nowhere.pem"])
        .args(["--listen=127.0.0.1:0", "--log=off"])
        .arg("--state")
        .arg(state.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let opening = "error: cannot read certificates from --public-extra-ca /nowhere.pem: ";
    assert!(said.starts_with(opening), "{said}");
}

#[test]
fn strangers_certificates_are_not_trusted() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let mut program = Program::launch(
        command()
            .args(["--listen=127.0.0.1:0", "--log-format=json", "--public", &origin.url("")])
            .arg("--state")
            .arg(site.state()),
    );
    let outage = program.said("the published site is unreachable");
    let opening = format!("{} no secure connection: ", origin.url("candor-manifest.json"));
    assert!(outage["error"].as_str().unwrap().starts_with(&opening), "{outage}");
    assert_eq!(origin.paths(), [""; 0]);
}
