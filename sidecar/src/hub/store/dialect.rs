//! Where SQLite and PostgreSQL differ.

use std::fmt;

use sqlx::migrate::Migrator;

use super::migrate::migrator;

/// The statements in which databases differ. Lists are JSON texts in one parameter.
pub(crate) trait Dialect: fmt::Debug + Send + Sync {
    /// Opens a transaction that will write. Its safety is set by the same call, so that no other
    /// transaction comes between.
    fn begin(&self, safety: Safety) -> &'static str;

    /// A subquery over the numbers, or texts, of the list in this parameter.
    fn numbers(&self, parameter: u8) -> String;
    fn texts(&self, parameter: u8) -> String;

    /// The end of a selection from `table` that skips rows locked by other processes.
    fn skip_locked(&self, table: &str) -> String;

    /// Serializes changes of one pair or topic, whose name is the first parameter.
    fn lock(&self) -> Option<&'static str>;

    /// Selects the database's time in milliseconds, where it has one.
    fn clock(&self) -> Option<&'static str>;

    /// Folds what was deleted out of every file; the first column is 0 when that was possible.
    fn scrub(&self) -> Option<&'static str>;

    /// The version a store has, as one number or NULL; `None` in a new store.
    fn has_migrations(&self) -> &'static str;

    fn migrator(&self) -> Migrator;
}

/// What a power cut may undo. A killed process undoes nothing that was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// Nothing: who is subscribed, what was announced.
    Synced,
    /// The last moments: claims, deliveries that would be repeated with the same id, requests whose
    /// subscriber would have to repeat them.
    Light,
}

/// One file, one process that writes.
#[derive(Debug)]
pub(crate) struct Sqlite;

impl Dialect for Sqlite {
    /// With a log, NORMAL syncs at checkpoints only; a later FULL commit syncs all before it too.
    fn begin(&self, safety: Safety) -> &'static str {
        match safety {
            Safety::Synced => "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
            Safety::Light => "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
        }
    }

    fn numbers(&self, parameter: u8) -> String {
        format!("(SELECT value FROM json_each(${parameter}))")
    }

    fn texts(&self, parameter: u8) -> String {
        self.numbers(parameter)
    }

    /// Writers exclude each other as a whole.
    fn skip_locked(&self, _: &str) -> String {
        String::new()
    }

    fn lock(&self) -> Option<&'static str> {
        None
    }

    fn clock(&self) -> Option<&'static str> {
        None
    }

    fn scrub(&self) -> Option<&'static str> {
        Some("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    fn has_migrations(&self) -> &'static str {
        "SELECT COUNT(*) FROM sqlite_master WHERE name = '_sqlx_migrations'"
    }

    fn migrator(&self) -> Migrator {
        migrator(&[("hub", include_str!("../../../migrations/sqlite/0001_hub.sql"))])
    }
}

/// Several sidecars that share the work.
#[derive(Debug)]
pub(crate) struct Postgres;

impl Dialect for Postgres {
    fn begin(&self, safety: Safety) -> &'static str {
        match safety {
            Safety::Synced => "BEGIN",
            Safety::Light => "BEGIN; SET LOCAL synchronous_commit = off",
        }
    }

    fn numbers(&self, parameter: u8) -> String {
        format!("(SELECT value::bigint FROM json_array_elements_text(${parameter}::json))")
    }

    fn texts(&self, parameter: u8) -> String {
        format!("(SELECT value FROM json_array_elements_text(${parameter}::json))")
    }

    fn skip_locked(&self, table: &str) -> String {
        format!("FOR UPDATE OF {table} SKIP LOCKED")
    }

    fn lock(&self) -> Option<&'static str> {
        Some("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
    }

    fn clock(&self) -> Option<&'static str> {
        Some("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    }

    fn scrub(&self) -> Option<&'static str> {
        None
    }

    fn has_migrations(&self) -> &'static str {
        "SELECT COUNT(*) FROM information_schema.tables
         WHERE table_name = '_sqlx_migrations' AND table_schema = current_schema()"
    }

    fn migrator(&self) -> Migrator {
        migrator(&[("hub", include_str!("../../../migrations/postgres/0001_hub.sql"))])
    }
}
