//! Opening a store: its process, its version, its key and its clock.

use std::time::Duration;

use sqlx::{AnyConnection, Connection, Row};

use super::*;

#[test]
fn a_store_has_one_key_and_says_so() {
    run(async {
        let test_store = TestStore::new();
        test_store.open().await.store.close().await;
        let other = Keyring::open(&test_store.directory.path().join("other.key")).unwrap();
        let opening = test_store.open().await;
        let error = opening.store.check_key(&other, &test_store.location.to_string()).await;
        let expected = format!(
            "the secrets in the hub's store {} were encrypted with another key: copy hub.key from \
             the state directory of the sidecar that made the store, or name it with --hub-key",
            test_store.location
        );
        assert_eq!(error.unwrap_err().to_string(), expected);
    });
}

#[test]
fn a_store_that_is_lost_is_not_made_anew() {
    run(async {
        let test_store = TestStore::new();
        let lost = format!(
            "the hub's store {} is lost or empty, and it was used before: restore it from a backup, \
             or begin without subscriptions by candor-sidecar state accept-loss with the --state, \
             --store and --hub-key of the sidecar",
            test_store.location
        );
        let refused = async || {
            let opened = test_store.location.open(IfNew::Refuse, Duration::ZERO).await;
            assert_eq!(opened.err().unwrap().to_string(), lost);
        };
        refused().await;
        if let Location::Sqlite(path) = &test_store.location {
            assert!(!path.exists());
            std::fs::write(path, "").unwrap();
            refused().await;
            assert_eq!(path.metadata().unwrap().len(), 0);
            // A database without tables.
            let empty = AnyConnection::connect(&format!("sqlite:{}", path.display()));
            let mut empty = empty.await.unwrap();
            sqlx::query("VACUUM").execute(&mut empty).await.unwrap();
            empty.close().await.unwrap();
            refused().await;
        }
        test_store.open().await.store.close().await;
        test_store.location.open(IfNew::Refuse, Duration::ZERO).await.unwrap();
    });
}

#[test]
fn a_newer_store_is_refused_by_name_and_version() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let raise = "UPDATE _sqlx_migrations SET version = 7 WHERE version = 4";
        sqlx::query(raise).execute(&opening.store.pool).await.unwrap();
        opening.store.close().await;
        drop(opening);
        let error = test_store.location.open(IfNew::Create, Duration::ZERO).await.err().unwrap();
        let expected = format!(
            "the hub's store {} is of version 7, this program reads up to 4: update candor-sidecar",
            test_store.location
        );
        assert_eq!(error.to_string(), expected);
    });
}

const FIRST: (&str, &str) = ("hub", include_str!("../../../../migrations/sqlite/0001_hub.sql"));
const SECOND: (&str, &str) =
    ("places", include_str!("../../../../migrations/sqlite/0002_places.sql"));
const THIRD: (&str, &str) = ("sites", include_str!("../../../../migrations/sqlite/0003_sites.sql"));
const FOURTH: (&str, &str) = ("seen", include_str!("../../../../migrations/sqlite/0004_seen.sql"));

#[test]
fn an_update_keeps_a_copy_of_the_file() {
    run(async {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hub.db");
        let location = Location::Sqlite(file.clone());
        let opening = location.open(IfNew::Create, Duration::ZERO).await.unwrap();
        subscribe(&opening.store, &key("a.example"), 1).await;
        let store = &opening.store;
        let more = ("more", "CREATE TABLE more (x INTEGER)");
        let steps = migrate::migrator(&[FIRST, SECOND, THIRD, FOURTH, more]);
        let mut connection = store.pool.acquire().await.unwrap();
        let name = location.to_string();
        let dialect = &*store.dialect;
        migrate::migrate(&mut connection, dialect, &steps, &name, Some(&file)).await.unwrap();
        sqlx::query("SELECT x FROM more").fetch_all(&mut *connection).await.unwrap();
        drop(connection);
        store.close().await;
        drop(opening);
        let copy = Location::Sqlite(directory.path().join("hub.db.v4"));
        let copy = copy.connect(IfNew::Create).await.unwrap();
        assert_eq!(copy.list(NOW).await.unwrap().len(), 1, "as it was");
        assert!(sqlx::query("SELECT x FROM more").fetch_all(&copy.pool).await.is_err());
    });
}

#[test]
fn requests_of_the_first_version_get_domains_and_their_kind() {
    run(async {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hub.db");
        sqlx::any::install_default_drivers();
        let url = format!("sqlite:{}?mode=rwc", file.display());
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        migrate::migrator(&[FIRST]).run(&mut connection).await.unwrap();
        for row in [
            "INSERT INTO subscriptions (topic, callback_key, callback, topic_url, host, lease_end,
                 confirmed, failures, created_at)
             VALUES ('feed.xml', 'k', 'https://a.example/', 't', 'a.example', 9, 1, 0, 1)",
            "INSERT INTO pending (ticket, topic, callback_key, callback, topic_url, host, mode, lease,
                 attempts, due_at)
             VALUES (1, 'feed.xml', 'k', 'https://a.example/', 't', 'a.example', 'subscribe', 9, 0, 1),
                    (2, 'feed.xml', 'l', 'https://b.example/', 't', 'b.example', 'subscribe', 9, 0, 1)",
        ] {
            sqlx::query(row).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
        let store = Location::Sqlite(file).connect(IfNew::Create).await.unwrap();
        let found = "SELECT domain, renews, network FROM pending ORDER BY ticket";
        let found = sqlx::query(found).fetch_all(&store.pool).await.unwrap();
        let found: Vec<(String, i64, String)> =
            found.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
        let row = |domain: &str, renews| (domain.to_owned(), renews, String::new());
        assert_eq!(found, [row("a.example", 1), row("b.example", 0)]);
        let listed = store.list(NOW).await.unwrap();
        assert!(listed.iter().all(|listed| listed.network.is_empty()));
    });
}

/// The rows of the version before there were sites, as another process may have claimed them.
const ROWS_OF_VERSION_2: [&str; 5] = [
    "INSERT INTO contents (topic, seq, hash, media_type, origin, published_at)
     VALUES ('feed.xml', 4, 'h', 'm/t', 'o', 1), ('reviews.json', 1, 'h', 'm/t', 'o', 1)",
    "INSERT INTO subscriptions (topic, callback_key, callback, topic_url, host, lease_end,
         confirmed, failures, created_at, network, last_error)
     VALUES ('feed.xml', 'k', 'https://a.example/', 't', 'a.example', 9, 1, 2, 1, 'n', 'e'),
            ('feed.xml', 'l', 'https://b.example/', 't', 'b.example', 9, 1, 0, 1, 'n', NULL),
            ('feed.xml', 'm', 'https://c.example/', 't', 'c.example', 9, 1, 0, 1, 'n', NULL)",
    "DELETE FROM subscriptions WHERE callback_key IN ('k', 'm')",
    "INSERT INTO pending (ticket, topic, callback_key, callback, topic_url, host, mode, lease,
         attempts, due_at, network, domain, renews)
     VALUES (7, 'feed.xml', 'l', 'https://b.example/', 't', 'b.example', 'subscribe', 9, 1, 2, 'n', 'd', 1)",
    "INSERT INTO deliveries (subscription, topic, host, seq, due_at, claimed_by, claim_until)
     SELECT id, topic, host, 4, 5, 'c', 6 FROM subscriptions",
];

#[test]
fn rows_from_before_there_were_sites_belong_to_the_one_without_a_name() {
    run(async {
        let test_store = TestStore::new();
        sqlx::any::install_default_drivers();
        let (url, steps) = match &test_store.location {
            Location::Sqlite(path) => {
                (format!("sqlite:{}?mode=rwc", path.display()), dialect::Sqlite.migrator())
            }
            Location::Postgres(url) => (url.to_string(), dialect::Postgres.migrator()),
        };
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        let steps = steps.iter().take(2).cloned().collect::<Vec<_>>();
        let steps = sqlx::migrate::Migrator::with_migrations(steps);
        steps.run(&mut connection).await.unwrap();
        for row in ROWS_OF_VERSION_2 {
            sqlx::query(row).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();

        let store = test_store.location.connect(IfNew::Create).await.unwrap();
        let listed = store.list(NOW).await.unwrap();
        let [listed] = &listed[..] else { panic!("{listed:?}") };
        let expected = ("", "feed.xml", "https://b.example/", Some("subscribe"), Some(5));
        let SubscriptionInfo { site, topic, callback, pending, due_at, .. } = listed;
        assert_eq!((&**site, &**topic, &**callback, pending.as_deref(), *due_at), expected);
        assert_eq!(store.content("", "feed.xml").await.unwrap().unwrap().seq, 4);
        assert_eq!(store.backlog().await.unwrap().deliveries, 1);
        let found =
            "SELECT d.subscription, s.id, d.site, p.site, d.claimed_by, d.claim_until, p.ticket, p.seen
                     FROM deliveries d JOIN subscriptions s ON s.id = d.subscription
                     JOIN pending p ON p.callback_key = s.callback_key";
        let found = sqlx::query(found).fetch_one(&store.pool).await.unwrap();
        assert_eq!((found.get::<i64, _>(0), found.get::<i64, _>(1)), (2, 2));
        assert_eq!((found.get::<&str, _>(2), found.get::<&str, _>(3)), ("", ""));
        let claim = (found.get::<&str, _>(4), found.get::<i64, _>(5), found.get::<i64, _>(6));
        assert_eq!(claim, ("c", 6, 7));
        assert_eq!(found.get::<i64, _>(7), 4, "what was there is not new to it");

        // No id is given twice, and a delivery goes with its subscription.
        subscribe(&store, &key("d.example"), 1).await;
        let newest = sqlx::query_scalar("SELECT MAX(id) FROM subscriptions");
        let newest: i64 = newest.fetch_one(&store.pool).await.unwrap();
        assert_eq!(newest, 4);
        sqlx::query("DELETE FROM subscriptions").execute(&store.pool).await.unwrap();
        assert_eq!(store.backlog().await.unwrap().deliveries, 0);
    });
}

#[test]
fn a_file_has_one_process_that_works_on_it() {
    run(async {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hub.db");
        let location = Location::Sqlite(file.clone());
        let first = location.open(IfNew::Create, Duration::ZERO).await.unwrap();
        let error = location.open(IfNew::Create, Duration::from_millis(60)).await.err().unwrap();
        let expected = format!(
            "the hub's store {} is held by another process: stop that one first",
            file.display()
        );
        assert_eq!(error.to_string(), expected);
        first.store.close().await;
        drop(first);
        location.open(IfNew::Create, Duration::ZERO).await.unwrap();
    });
}

#[test]
fn addresses_of_stores_are_understood_or_refused_without_their_password() {
    let parse = |text: &str| text.parse::<Location>().map_err(|error| error.to_string());
    let sqlite = |path: &str| Ok(Location::Sqlite(path.into()));
    assert_eq!(parse("sqlite:hub.db"), sqlite("hub.db"));
    assert_eq!(parse("sqlite:///var/hub.db"), sqlite("/var/hub.db"));
    for text in ["", "hub.db", "sqlite:", "sqlite:a?mode=memory", "mysql://u:…@h/d"] {
        let given = text.replace('…', "secret");
        let expected =
            format!("--store {text:?} is not a store: give sqlite:PATH, or postgres://…");
        assert_eq!(parse(&given).unwrap_err().replace("%E2%80%A6", "…"), expected);
    }
}

#[test]
fn the_time_is_the_databases_where_it_has_one() {
    run(async {
        let test_store = TestStore::new();
        let found = test_store.open().await.store.clock().await.unwrap();
        let here = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let here = i64::try_from(here.as_millis()).unwrap();
        if test_store.is_file() {
            assert_eq!(found, None)
        } else {
            assert!((found.unwrap() - here).abs() < 60_000, "{found:?} {here}")
        }
    });
}
