//! The differences between SQLite and PostgreSQL.

use std::fmt;

use sqlx::migrate::Migrator;

use super::migrate::migrator;

/// The statements in which databases differ. Lists are JSON texts in one parameter.
pub(crate) trait Dialect: fmt::Debug + Send + Sync {
    /// Returns the statement that opens a transaction for writing. Its safety is set by the same call, so that no other
    /// transaction comes between.
    fn begin(&self, safety: Safety) -> &'static str;

    /// Returns a subquery over the numbers, or texts, of the list in this parameter.
    fn numbers(&self, parameter: u8) -> String;
    fn texts(&self, parameter: u8) -> String;

    /// Returns the end of a selection from `table` that skips rows locked by other processes.
    fn skip_locked(&self, table: &str) -> String;

    /// Returns the statement that serializes changes of one pair or topic, whose name is the first parameter.
    fn lock(&self) -> Option<&'static str>;

    /// Returns the query of the database's time in milliseconds, if it has one.
    fn clock(&self) -> Option<&'static str>;

    /// Returns the statement that removes deleted data from every file; the first column is 0 if it succeeded.
    fn scrub(&self) -> Option<&'static str>;

    /// Returns the query of the number of tables in which the migrations are recorded: 0 in a new store.
    fn has_migrations(&self) -> &'static str;

    fn migrator(&self) -> Migrator;
}

/// The changes that a power cut may undo. A killed process undoes no committed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// A power cut undoes nothing: subscriptions, announced contents.
    Synced,
    /// A power cut may undo the last moments: claims, deliveries that would be repeated with the same id, requests that
    /// the subscriber would have to repeat.
    Light,
}

/// SQLite: one file, one process that writes.
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

    /// Returns nothing: writers exclude each other as a whole.
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

/// PostgreSQL: several sidecars that share the work.
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
