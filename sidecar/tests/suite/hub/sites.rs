//! The operator's commands where one store has many sites.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    operator::{arguments, ask_for_both_topics, block, run},
    setup::HubSetup,
    subscriber::{Reply, Subscriber, willing},
};
use crate::{
    Site,
    process::{Program, command},
    running::eventually,
};

/// Everything in a command's stdout, which must succeed.
fn out(state: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = run(state, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

/// The message of a command that must fail, without the log line of a new state directory.
fn error(state: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = run(state, arguments);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{arguments:?}");
    err.lines().last().unwrap().to_owned() + "\n"
}

/// The exported state of a sidecar that serves one site, with two subscriptions of one callback.
fn exported_by_a_single_site(site: &Site, subscriber: &Subscriber) -> (PathBuf, String) {
    let mut program = Program::launch(command().args(arguments(site)));
    let address = program.address();
    let callback = subscriber.url("localhost", "/cb");
    ask_for_both_topics(address, &callback);
    eventually("both are verified", || {
        let listed = super::operator::listed(site);
        assert!(listed.iter().all(|line| line["site"] == ""), "it has no name");
        listed.iter().filter(|line| line["state"] == "active").count() == 2
    });
    let file = site.state().with_file_name("one");
    out(&site.state(), &["state", "export", file.to_str().unwrap()]);
    (file, callback)
}

#[test]
fn sidecars_of_one_site_each_become_one_of_many() {
    let (site, subscriber) = (Site::new(), Subscriber::willing());
    let (file, callback) = exported_by_a_single_site(&site, &subscriber);
    let file = file.to_str().unwrap();
    let state = site.state().with_file_name("many");
    let import = |name: &str| out(&state, &["state", "import", file, "--site", name]);
    let said = format!(
        "imported 2 subscriptions from {file}\nEach is verified again before its next delivery.\n"
    );
    assert_eq!([import("One.Example"), import("two.example")], [said.clone(), said]);

    let database = state.join("hub.db");
    let expected = format!(
        "error: the hub's store {} already holds 2 subscriptions of one.example: import under another \
         name, or remove them with candor-sidecar subscriptions remove-site one.example\n",
        database.display()
    );
    assert_eq!(error(&state, &["state", "import", file, "--site", "one.example"]), expected);
    let expected = format!(
        "error: {} is there already and holds another key: import into a new --state\n",
        state.join("hub.key").display()
    );
    assert_eq!(error(&state, &["state", "import", file]), expected);

    let listed = out(&state, &["subscriptions"]);
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(
        lines[0],
        "SITE        TOPIC          STATE        LEASE END         FAILS CALLBACK"
    );
    assert!(lines[1].starts_with("one.example feed.xml       unconfirmed  20"), "{listed}");
    assert!(lines[3].starts_with("two.example feed.xml       unconfirmed  20"), "{listed}");
    assert_eq!(lines.len(), 5);
    let of_two = out(&state, &["subscriptions", "--site", "TWO.example", "--json"]);
    let sites: Vec<_> =
        of_two.lines().map(|line| line.contains(r#""site":"two.example""#)).collect();
    assert_eq!(sites, [true, true], "{of_two}");
    let head = "SUBSCRIPTIONS PENDING FAILING NAME\n";
    let by_site = format!(
        "{head}2             0       0       one.example\n2             0       0       two.example\n"
    );
    assert_eq!(out(&state, &["subscriptions", "--by", "site"]), by_site);
    let by_host = format!("{head}2             0       0       localhost\n");
    let of_two = ["subscriptions", "--by", "host", "--site", "two.example"];
    assert_eq!(out(&state, &of_two), by_host);

    let remove = ["subscriptions", "remove", &callback, "--site", "one.example"];
    assert_eq!(out(&state, &remove), "removed 2\n");
    let left = out(&state, &["subscriptions", "--json"]);
    assert!(left.lines().count() == 2 && !left.contains("one.example"), "{left}");
    let blocks = ["subscriptions", "block", "localhost", "--site", "one.example"];
    let expected = "error: --site is for the list and for remove\n";
    assert_eq!(error(&state, &blocks), expected);

    let remove = ["subscriptions", "remove-site", "Two.Example"];
    assert_eq!(out(&state, &remove), "removed 2 subscriptions of Two.Example\n");
    let expected =
        "error: the hub's store has nothing of two.example; its sites are: one.example\n";
    assert_eq!(error(&state, &remove), expected);
    assert_eq!(out(&state, &["subscriptions", "--json"]), "");
}

#[test]
fn one_site_is_exported_and_a_file_of_several_must_have_the_one_that_is_imported() {
    let (site, subscriber) = (Site::new(), Subscriber::willing());
    let (file, _) = exported_by_a_single_site(&site, &subscriber);
    let state = site.state().with_file_name("many");
    for name in ["one.example", "two.example"] {
        out(&state, &["state", "import", file.to_str().unwrap(), "--site", name]);
    }
    let path = |name: &str| site.state().with_file_name(name).to_str().unwrap().to_owned();
    let (all, two) = (path("all"), path("two"));
    out(&state, &["state", "export", &all]);
    let said = format!(
        "exported 2 subscriptions and the keys to {two}\n\
         The file holds secrets: keep it as you keep the state directory.\n"
    );
    assert_eq!(out(&state, &["state", "export", &two, "--site", "two.example"]), said);
    let expected = "error: the hub's store has nothing of three.example; its sites are: one.example, \
                    two.example\n";
    let three = path("three");
    assert_eq!(error(&state, &["state", "export", &three, "--site", "three.example"]), expected);
    assert!(!Path::new(&three).exists());

    let other = site.state().with_file_name("other");
    let expected = format!(
        "error: {all} holds several sites (one.example, two.example) and three.example is none of \
         them: export one of them alone, with --site\n"
    );
    assert_eq!(error(&other, &["state", "import", &all, "--site", "three.example"]), expected);
    out(&other, &["state", "import", &all, "--site", "one.example"]);
    // The only site of a file may get another name.
    out(&other, &["state", "import", &two, "--site", "three.example"]);
    let by_site = "SUBSCRIPTIONS PENDING FAILING NAME\n\
                   2             0       0       one.example\n\
                   2             0       0       three.example\n";
    assert_eq!(out(&other, &["subscriptions", "--by", "site"]), by_site);

    // The file's other sites and its key are not changed by that, and it can be imported as a whole.
    let whole = site.state().with_file_name("whole");
    let said = format!(
        "imported 4 subscriptions from {all}\nEach is verified again before its next delivery.\n"
    );
    assert_eq!(out(&whole, &["state", "import", &all]), said);

    let broken = path("broken");
    std::fs::copy(&two, &broken).unwrap();
    break_key(&broken);
    let expected = format!(
        "error: {broken} is not an exported state (a secret in it cannot be decrypted with the key in \
         it)\n"
    );
    assert_eq!(error(&other, &["state", "import", &broken, "--site", "four.example"]), expected);
}

/// Replaces the key in an exported file.
fn break_key(file: &str) {
    use sqlx::{Connection, SqliteConnection};
    block(async {
        let mut connection = SqliteConnection::connect(&format!("sqlite:{file}")).await.unwrap();
        let replace = "UPDATE keys SET bytes = zeroblob(32) WHERE name = 'hub.key'";
        sqlx::query(replace).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

#[test]
fn secrets_are_encrypted_anew_for_the_name_and_the_store() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let keen = subscriber.url("a.s.test", "/keen");
    setup.subscribed(&subscriber, "feed.xml", &keen, &[("hub.secret", "hush")]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    let mut state = setup.site.state();
    let mut hub = setup.config.hub.clone();
    // From the sidecar of the site to one of many, and back to one that serves the site alone.
    for name in ["shop.example", ""] {
        let file = state.with_file_name(format!("to {name}"));
        let admin = sidecar::StoreAdmin::new(&state, &hub).unwrap();
        assert_eq!(block(admin.export(&file, None)).unwrap(), 1);
        setup.stop();
        state = state.with_file_name(format!("state of {name}"));
        if hub.store.is_some() {
            hub.store = super::postgres::fresh_database();
        }
        let admin = sidecar::StoreAdmin::new(&state, &hub).unwrap();
        assert_eq!(block(admin.import(&file, Some(name))).unwrap(), 1);
        let listed = block(admin.subscriptions(Some(name))).unwrap();
        assert_eq!((listed.len(), listed[0].site.as_str(), listed[0].signed), (1, name, true));
    }
    assert!(!state.join("mcp-session-key").exists(), "only the hub's own");
    (setup.config.state, setup.config.hub) = (state, hub);
    setup.publish("feed.xml", "<feed>2</feed>");
    setup.start();
    setup.recorded("delivered", 1);
    let deliveries = subscriber.deliveries();
    let newest = deliveries.last().unwrap();
    let expected = super::deliveries::signature("hush", b"<feed>2</feed>");
    assert_eq!(newest.field("x-hub-signature"), Some(expected.as_str()));
}

#[test]
fn deliveries_of_a_site_that_is_not_served_wait_as_they_are() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/cb");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    subscriber.now_answers(|received| match received.method.as_str() {
        "POST" => Reply::Text(500, String::new()),
        _ => willing(received),
    });
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 1);
    let admin = sidecar::StoreAdmin::new(setup.site.state(), &setup.config.hub).unwrap();
    let file = setup.site.state().with_file_name("moved");
    assert_eq!(block(admin.export(&file, None)).unwrap(), 1);
    setup.stop();
    assert_eq!(block(admin.import(&file, Some("shop.example"))).unwrap(), 1, "into the same store");
    subscriber.now_answers(willing);
    setup.start();
    let of_shop = || block(admin.subscriptions(Some("shop.example"))).unwrap().remove(0);
    eventually("it is confirmed", || of_shop().state == "active");
    setup.clock.advance(Duration::from_secs(3600));
    setup.recorded("delivered", 1);
    setup.quiet();
    let waiting = of_shop();
    assert_eq!((waiting.failures, waiting.delivered_at), (0, None));
    assert!(waiting.due_at.is_some());
    let deliveries = subscriber.deliveries();
    assert_eq!(deliveries.len(), 2, "one that failed, and one of the site that is served");

    assert_eq!(block(admin.remove_site("shop.example")).unwrap(), 1);
    let left = block(admin.subscriptions(None)).unwrap();
    assert_eq!(left.iter().map(|it| it.site.as_str()).collect::<Vec<_>>(), [""]);
}
