//! `candor-sidecar healthcheck`, as a container's engine runs it.

use std::net::{SocketAddr, TcpListener};

use crate::{Running, Site, process::command, running::eventually};

/// Exit code and complaint.
fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let output = command().arg("healthcheck").args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn at(flag: &str, address: SocketAddr) -> String {
    format!("{flag}={address}")
}

const WELL: (Option<i32>, String) = (Some(0), String::new());

#[test]
fn a_sidecar_with_data_is_well() {
    let running = Running::start(&Site::new());
    assert_eq!(check(&[&at("--admin", running.admin)]), WELL);
    assert_eq!(check(&[&at("--admin", running.admin), "--live"]), WELL);
    assert_eq!(check(&[&at("--listen", running.address)]), WELL);
    let port = running.admin.port();
    assert_eq!(check(&[&format!("--admin=0.0.0.0:{port}")]), WELL);
    let environment = command()
        .arg("healthcheck")
        .env("CANDOR_ADMIN", running.admin.to_string())
        .status()
        .unwrap();
    assert!(environment.success());
}

#[test]
fn a_sidecar_without_data_lives_and_is_not_ready() {
    let site = Site::unpublished();
    let running = Running::start(&site);
    let (admin, listen) = (at("--admin", running.admin), at("--listen", running.address));
    assert_eq!(check(&[&admin, "--live"]), WELL);
    let manifest = site.public().join("candor-manifest.json");
    let (code, said) = check(&[&admin]);
    let reason = format!(
        "error: http://{}/readyz answered 503: no data is loaded: cannot read {}: ",
        running.admin,
        manifest.display()
    );
    assert!(code == Some(1) && said.starts_with(&reason), "{said}");
    let (code, said) = check(&[&listen]);
    let reason =
        format!("error: http://{}/api/reviews/search?limit=1 answered 503: ", running.address);
    assert!(code == Some(1) && said.starts_with(&reason), "{said}");
    site.publish();
    eventually("it is well", || check(&[&admin]) == WELL && check(&[&listen]) == WELL);
}

#[test]
fn nobody_there_is_not_well() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = listener.local_addr().unwrap();
    drop(listener);
    let (code, said) = check(&[&at("--admin", nobody)]);
    let reason = format!("error: http://{nobody}/readyz does not answer: ");
    assert!(code == Some(1) && said.starts_with(&reason), "{said}");
}

#[test]
fn a_server_that_says_nothing_is_not_well() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let said = format!("error: http://{address}/readyz did not answer within 5 s\n");
    assert_eq!(check(&[&at("--admin", address)]), (Some(1), said));
}

#[test]
fn a_healthcheck_must_know_whom_to_ask() {
    let nowhere = "error: the address has port 0: give --admin or --listen with the actual port\n";
    assert_eq!(check(&["--listen=127.0.0.1:0"]), (Some(1), nowhere.into()));
    assert_eq!(check(&["--live"]).0, Some(64));
}
