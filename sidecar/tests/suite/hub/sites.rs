//! The operator's commands where one store has many sites.

use std::{path::Path, time::Duration};

use sqlx::{AnyConnection, Connection};

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

/// The columns that two subscriptions may share.
const SHARED: &str = "topic, callback_key, callback, topic_url, host, secret, lease_end, failures, \
                      created_at, network";

/// Gives another site the subscriptions of one.
async fn copy_subscriptions(store: &mut AnyConnection, from: &str, to: &str) {
    let copy = format!(
        "INSERT INTO subscriptions (site, {SHARED})
         SELECT '{to}', {SHARED} FROM subscriptions WHERE site = '{from}'"
    );
    sqlx::query(sqlx::AssertSqlSafe(copy)).execute(store).await.unwrap();
}

/// The state of a sidecar in whose store two sites have two subscriptions of one callback.
fn of_two_sites(site: &Site, subscriber: &Subscriber) -> String {
    let mut program = Program::launch(command().args(arguments(site)));
    let address = program.address();
    let callback = subscriber.url("localhost", "/cb");
    ask_for_both_topics(address, &callback);
    eventually("both are verified", || {
        let listed = super::operator::listed(site);
        assert!(listed.iter().all(|line| line["site"] == ""), "it has no name");
        listed.iter().filter(|line| line["state"] == "active").count() == 2
    });
    drop(program);
    block(async {
        sqlx::any::install_default_drivers();
        let store = format!("sqlite:{}", site.state().join("hub.db").display());
        let mut store = AnyConnection::connect(&store).await.unwrap();
        for name in ["one.example", "two.example"] {
            copy_subscriptions(&mut store, "", name).await;
        }
        let unnamed = sqlx::query("DELETE FROM subscriptions WHERE site = ''");
        unnamed.execute(&mut store).await.unwrap();
        store.close().await.unwrap();
    });
    callback
}

#[test]
fn subscriptions_are_listed_counted_and_removed_by_site() {
    let (site, subscriber) = (Site::new(), Subscriber::willing());
    let callback = of_two_sites(&site, &subscriber);
    let state = site.state();
    let listed = out(&state, &["subscriptions"]);
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(
        lines[0],
        "SITE        TOPIC          STATE        LEASE END         FAILS CALLBACK"
    );
    assert!(lines[1].starts_with("one.example feed.xml       active       20"), "{listed}");
    assert!(lines[3].starts_with("two.example feed.xml       active       20"), "{listed}");
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
    let expected = "error: the hub's store has nothing of two.example; its sites are: -\n";
    assert_eq!(error(&state, &remove), expected);
    assert_eq!(out(&state, &["subscriptions", "--json"]), "");
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
    setup.stop();
    block(async {
        sqlx::any::install_default_drivers();
        let file = || format!("sqlite:{}", setup.site.state().join("hub.db").display());
        let store = setup.config.hub.store.clone().unwrap_or_else(file);
        let mut store = AnyConnection::connect(&store).await.unwrap();
        copy_subscriptions(&mut store, "", "shop.example").await;
        let due = "INSERT INTO deliveries (subscription, site, topic, host, seq, due_at)
                   SELECT id, site, topic, host, 1, 0 FROM subscriptions
                   WHERE site = 'shop.example'";
        sqlx::query(due).execute(&mut store).await.unwrap();
        store.close().await.unwrap();
    });
    let before = block(admin.subscriptions(Some("shop.example"))).unwrap().remove(0);
    subscriber.now_answers(willing);
    setup.start();
    let of_shop = || block(admin.subscriptions(Some("shop.example"))).unwrap().remove(0);
    setup.clock.advance(Duration::from_secs(3600));
    setup.recorded("delivered", 1);
    setup.quiet();
    assert_eq!(of_shop(), before);
    let deliveries = subscriber.deliveries();
    assert_eq!(deliveries.len(), 2, "one that failed, and one of the site that is served");

    assert_eq!(block(admin.remove_site("shop.example")).unwrap(), 1);
    let left = block(admin.subscriptions(None)).unwrap();
    assert_eq!(left.iter().map(|it| it.site.as_str()).collect::<Vec<_>>(), [""]);
}
