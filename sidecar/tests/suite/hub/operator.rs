//! The operator's commands.

use std::{net::SocketAddr, path::Path, process::Command};

use serde_json::Value;

use super::{
    setup::{HubSetup, post_form, topic},
    subscriber::{Authority, Subscriber},
};
use crate::{
    Request, Site,
    process::{Program, command},
    running::eventually,
};

pub(super) fn block<T>(future: impl Future<Output = T>) -> T {
    actix_web::rt::System::new().block_on(future)
}

/// Serves a site to subscribers on this machine, in a namespace whose mounts a shell script changes
/// first: `$1` is the state directory, and the rest is what the script runs in the end.
pub(crate) fn launch_mounted(site: &Site, script: &str) -> Program {
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]);
    unshare.arg(site.state()).arg(command().get_program()).args(arguments(site));
    unshare.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    Program::launch(&mut unshare)
}

/// Serves a site to subscribers on this machine.
pub(crate) fn arguments(site: &Site) -> Vec<String> {
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let fixed = [
        "--serve-public",
        "--listen=127.0.0.1:0",
        "--admin=127.0.0.1:0",
        "--log-format=json",
        "--hub-allow-cidr=127.0.0.0/8,::1",
    ];
    let mut arguments: Vec<_> = fixed.map(String::from).to_vec();
    for (name, value) in [
        ("--public", site.public()),
        ("--state", site.state()),
        ("--hub-extra-ca", Authority::get().file()),
    ] {
        arguments.extend([name.to_owned(), path(&value)]);
    }
    arguments
}

/// A command's exit code, stdout and stderr.
pub(super) fn run(state: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command().args(arguments).arg("--state").arg(state).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The lines of `subscriptions --json`.
pub(crate) fn listed(site: &Site) -> Vec<Value> {
    let (code, out, err) = run(&site.state(), &["subscriptions", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asks for subscriptions of a callback to the two topics of a site.
pub(crate) fn ask_for_both_topics(address: SocketAddr, callback: &str) {
    for path in ["feed.xml", "reviews.json"] {
        let fields = [
            ("hub.mode", "subscribe"),
            ("hub.topic", &topic(path)),
            ("hub.callback", callback),
            ("hub.secret", "hush"),
        ];
        assert_eq!(post_form(address, &fields).status, 202);
    }
}

#[test]
fn subscriptions_are_listed_and_removed_beside_a_running_sidecar() {
    let site = Site::new();
    let subscriber = Subscriber::willing();
    let mut program = Program::launch(command().args(arguments(&site)));
    let address = program.address();
    let callback = subscriber.url("localhost", "/~cb");
    ask_for_both_topics(address, &callback);
    let active = || listed(&site).iter().filter(|line| line["state"] == "active").count();
    eventually("both are verified", || active() == 2);
    let line = listed(&site).remove(0);
    assert_eq!((&line["topic"], &line["callback"]), (&"feed.xml".into(), &callback.clone().into()));
    assert_eq!((&line["signed"], &line["failures"]), (&true.into(), &0.into()));
    assert!(line["lease_end"].is_i64() && line["last_error"].is_null());
    assert!(!line.to_string().contains("hush"));

    let (code, out, _) = run(&site.state(), &["subscriptions"]);
    assert_eq!(code, Some(0));
    let first = out.lines().next().unwrap();
    assert_eq!(first, "TOPIC          STATE        LEASE END         FAILS CALLBACK");
    let second = out.lines().nth(1).unwrap();
    assert!(second.starts_with("feed.xml       active       20"), "{second}");
    assert!(second.ends_with(&format!("Z 0     {callback}")), "{second}");

    let spelled = subscriber.url("LOCALHOST", "/%7Ecb");
    let remove = ["subscriptions", "remove", &spelled, "--topic", "https://x/feed.xml"];
    assert_eq!(run(&site.state(), &remove), (Some(0), "removed 1\n".into(), String::new()));
    assert_eq!(active(), 1);
    let remove = ["subscriptions", "remove", &callback];
    assert_eq!(run(&site.state(), &remove).1, "removed 1\n");
    let error = format!("error: {callback} is not subscribed: nothing was removed\n");
    assert_eq!(run(&site.state(), &remove), (Some(1), String::new(), error));
}

/// Subscribes to feed.xml as a client of this address, and waits until that is verified.
fn subscribed_from(site: &Site, address: SocketAddr, client: &str, callback: &str) {
    let fields =
        [("hub.mode", "subscribe"), ("hub.topic", &topic("feed.xml")), ("hub.callback", callback)];
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    let request = Request::new("POST", "/api/websub/hub")
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("X-Forwarded-For", client)
        .body(form.finish());
    assert_eq!(request.send(address).status, 202);
    let is_active = |line: &Value| line["callback"] == callback && line["state"] == "active";
    eventually("it is verified", || listed(site).iter().any(is_active));
}

#[test]
fn subscriptions_are_counted_by_host_domain_and_client() {
    let (site, subscriber) = (Site::new(), Subscriber::willing());
    let mut program =
        Program::launch(command().args(arguments(&site)).arg("--trusted-proxies=127.0.0.1"));
    let address = program.address();
    for (client, path) in [("9.9.9.1", "/1"), ("9.9.9.2", "/2"), ("2001:4860::1", "/3")] {
        subscribed_from(&site, address, client, &subscriber.url("localhost", path));
    }
    let counted = |by: &str| {
        let (code, out, error) = run(&site.state(), &["subscriptions", "--by", by]);
        assert_eq!((code, error.as_str()), (Some(0), ""));
        out
    };
    let head = "SUBSCRIPTIONS PENDING FAILING NAME\n";
    let localhost = format!("{head}3             0       0       localhost\n");
    assert_eq!([counted("host"), counted("domain")], [localhost.clone(), localhost]);
    let clients = "2             0       0       9.9.9.0/24\n\
                   1             0       0       2001:4860::/48\n";
    assert_eq!(counted("client"), format!("{head}{clients}"));
    let (_, out, _) = run(&site.state(), &["subscriptions", "--by", "host", "--json"]);
    let line = r#"{"failing":0,"name":"localhost","pending":0,"subscriptions":3}"#;
    assert_eq!(out, format!("{line}\n"));
}

#[test]
fn a_blocked_host_loses_its_subscriptions_and_gets_no_more_until_it_is_unblocked() {
    let (site, subscriber) = (Site::new(), Subscriber::willing());
    let mut program = Program::launch(command().args(arguments(&site)));
    let address = program.address();
    let callback = subscriber.url("localhost", "/cb");
    subscribed_from(&site, address, "9.9.9.1", &callback);
    let command =
        |arguments: &[&str]| run(&site.state(), &[&["subscriptions"], arguments].concat());
    let said = |text: &str| (Some(0), text.to_owned(), String::new());

    assert_eq!(command(&["block", "LocalHost."]), said("blocked LocalHost.; removed 1\n"));
    assert!(listed(&site).is_empty());
    assert_eq!(command(&["blocked"]), said("localhost\n"));
    for host in ["localhost", "any.localhost", "not-localhost"] {
        let callback = subscriber.url(host, "/cb");
        for mode in ["subscribe", "unsubscribe"] {
            let fields = [
                ("hub.mode", mode),
                ("hub.topic", &topic("feed.xml")),
                ("hub.callback", &callback),
            ];
            let answer = post_form(address, &fields);
            let reason = "the operator of this hub has blocked the host of hub.callback\n";
            match host {
                "not-localhost" => assert_eq!(answer.status, 202, "{mode}"),
                _ => assert_eq!((answer.status, answer.text()), (403, reason), "{host} {mode}"),
            }
        }
    }

    assert_eq!(command(&["unblock", "localhost"]), said("unblocked localhost\n"));
    let error = "error: localhost is not blocked\n".to_owned();
    assert_eq!(command(&["unblock", "localhost"]), (Some(1), String::new(), error));
    assert_eq!(command(&["blocked"]), said(""));
    subscribed_from(&site, address, "9.9.9.1", &callback);
}

#[test]
fn without_a_store_the_commands_say_where_they_looked() {
    let directory = tempfile::tempdir().unwrap();
    let (code, _, err) = run(directory.path(), &["subscriptions"]);
    let expected = format!(
        "error: there is no store at {}: name the state directory with --state, or --store\n",
        directory.path().join("hub.db").display()
    );
    assert_eq!((code, err), (Some(1), expected));
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_remedy() {
    let site = Site::new();
    let state = site.state();
    for (arguments, code, message) in [
        (
            ["--hub-retry-delays", "1m"],
            64,
            "there must be two delays, before the second and the third attempt, such as 1m,6h",
        ),
        (["--hub-allow-cidr", "x"], 64, "it is not a range such as 10.0.0.0/8 or fd00::/8"),
        (
            ["--store", "mysql://x"],
            1,
            "error: --store \"mysql://x\" is not a store: give sqlite:PATH",
        ),
        (
            ["--hub-extra-ca", "/nowhere.pem"],
            1,
            "error: cannot read certificates from --hub-extra-ca /nowhere.pem: ",
        ),
    ] {
        let (exit, _, err) =
            run(&state, &[arguments[0], arguments[1], "--public", site.public().to_str().unwrap()]);
        assert_eq!(exit, Some(code), "{err}");
        assert!(err.contains(message), "{err}");
    }
}

/// As docs/runbook.md, "Backup, restore, rollback" does it; a database has tools of its own.
#[test]
fn a_copy_by_vacuum_into_beside_the_running_sidecar_has_every_subscription() {
    use sqlx::{Connection, SqliteConnection};
    let mut setup = HubSetup::new();
    if setup.config.hub.store.is_some() {
        return;
    }
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/cb");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.secret", "hush")]);
    let (state, copy) = (setup.site.state(), setup.site.state().with_file_name("copy"));
    std::fs::create_dir(&copy).unwrap();
    block(async {
        let store = format!("sqlite:{}", state.join("hub.db").display());
        let mut store = SqliteConnection::connect(&store).await.unwrap();
        let into = sqlx::query("VACUUM INTO $1").bind(copy.join("hub.db").display().to_string());
        into.execute(&mut store).await.unwrap();
        store.close().await.unwrap();
    });
    for key in ["hub.key", "mcp-session-key"] {
        std::fs::copy(state.join(key), copy.join(key)).unwrap();
    }
    setup.stop();
    std::fs::remove_dir_all(&state).unwrap();
    setup.config.state = copy.clone();
    let admin = sidecar::StoreAdmin::new(&copy, &setup.config.hub).unwrap();
    let listed = block(admin.subscriptions(None)).unwrap();
    let [only] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((&*only.callback, only.state, only.signed), (&*callback, "active", true));
    setup.publish("feed.xml", "<feed>since</feed>");
    setup.start();
    setup.recorded("delivered", 1);
    let deliveries = subscriber.deliveries();
    let expected = super::deliveries::signature("hush", b"<feed>since</feed>");
    let newest = deliveries.last().unwrap();
    assert_eq!(newest.field("x-hub-signature"), Some(expected.as_str()));
}

#[test]
fn certificates_that_are_none_stop_the_start_and_are_named() {
    let site = Site::new();
    let empty = site.public().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let public = site.public();
    let flags = ["--hub-extra-ca", empty.to_str().unwrap(), "--public", public.to_str().unwrap()];
    let (code, _, err) = run(&site.state(), &flags);
    assert_eq!(code, Some(1));
    let expected = format!(
        "error: cannot read certificates from --hub-extra-ca {}: there are none in it\n",
        empty.display()
    );
    assert!(err.ends_with(&expected), "{err}");
}
