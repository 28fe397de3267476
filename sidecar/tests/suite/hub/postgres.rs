//! A database for each test, on the server that `make test-postgres` starts.

/// `None` where the tests run against SQLite.
pub(crate) fn fresh_database() -> Option<String> {
    use std::{
        process::{self, Command},
        sync::atomic::{AtomicU32, Ordering},
    };

    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("CANDOR_TEST_POSTGRES").ok()?;
    let name = format!("hub_{}_{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let made = Command::new("psql")
        .args(["--quiet", "--no-psqlrc", "-c", &format!("CREATE DATABASE {name}")])
        .arg(format!("{server}/postgres"))
        .status()
        .unwrap();
    assert!(made.success());
    Some(format!("{server}/{name}"))
}
