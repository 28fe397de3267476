//! Opening a store: its process, its version, its key and its clock.

use std::time::Duration;

use sqlx::{AnyConnection, Connection};

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
        let raise = "UPDATE _sqlx_migrations SET version = 7 WHERE version = 1";
        sqlx::query(raise).execute(&opening.store.pool).await.unwrap();
        opening.store.close().await;
        drop(opening);
        let error = test_store.location.open(IfNew::Create, Duration::ZERO).await.err().unwrap();
        let expected = format!(
            "the hub's store {} is of version 7, this program reads up to 1: update candor-sidecar",
            test_store.location
        );
        assert_eq!(error.to_string(), expected);
    });
}

const FIRST: (&str, &str) = ("hub", include_str!("../../../../migrations/sqlite/0001_hub.sql"));

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
        let steps = migrate::migrator(&[FIRST, more]);
        let mut connection = store.pool.acquire().await.unwrap();
        let name = location.to_string();
        let dialect = &*store.dialect;
        migrate::migrate(&mut connection, dialect, &steps, &name, Some(&file)).await.unwrap();
        sqlx::query("SELECT x FROM more").fetch_all(&mut *connection).await.unwrap();
        drop(connection);
        store.close().await;
        drop(opening);
        let copy = Location::Sqlite(directory.path().join("hub.db.v1"));
        let copy = copy.connect(IfNew::Create).await.unwrap();
        assert_eq!(copy.list(NOW).await.unwrap().len(), 1, "as it was");
        assert!(sqlx::query("SELECT x FROM more").fetch_all(&copy.pool).await.is_err());
    });
}

#[test]
fn no_id_of_a_subscription_is_given_twice_and_its_delivery_goes_with_it() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        subscribe(store, &key("a.example"), 1).await;
        sqlx::query("DELETE FROM subscriptions").execute(&store.pool).await.unwrap();
        subscribe(store, &key("b.example"), 1).await;
        let newest = sqlx::query_scalar("SELECT MAX(id) FROM subscriptions");
        let newest: i64 = newest.fetch_one(&store.pool).await.unwrap();
        assert_eq!(newest, 2);
        assert_eq!(store.announce(&announcement("1", 1), NOW).await.unwrap(), Some((1, 1)));
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
