//! The store's version: checked before anything is read, raised step by step, after a copy of the file.

use std::path::{Path, PathBuf};

use sqlx::{
    AnyConnection, AssertSqlSafe, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

use super::{Dialect, Result, StoreError};

/// Returns the steps in order; the first makes version 1.
pub(super) fn migrator(steps: &[(&'static str, &'static str)]) -> Migrator {
    let steps = (1..).zip(steps).map(|(version, (name, sql))| {
        let (name, sql) = ((*name).into(), (*sql).into_sql_str());
        Migration::new(version, name, MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(steps.collect())
}

/// Migrates a store to the version of this program. A SQLite file is copied first.
pub(super) async fn migrate(
    connection: &mut AnyConnection,
    dialect: &dyn Dialect,
    migrator: &Migrator,
    name: &str,
    file: Option<&Path>,
) -> Result<()> {
    let known = migrator.iter().map(|step| step.version).max().unwrap_or_default();
    let found = version(connection, dialect).await?;
    if found > known {
        return Err(StoreError::Newer { name: name.to_owned(), found, known });
    }
    if let Some(file) = file.filter(|_| 0 < found && found < known) {
        let copy = copy_name(file, found);
        let into = AssertSqlSafe("VACUUM INTO $1".to_owned());
        // One that is there already is of this version too, and was made before this one.
        if !copy.exists() {
            let target = copy.to_string_lossy().into_owned();
            sqlx::query(into).bind(target).execute(&mut *connection).await?;
            tracing::info!(copy = %copy.display(), "copied the hub's store before updating it");
        }
    }
    let unusable =
        |error: sqlx::migrate::MigrateError| StoreError::Failed(sqlx::Error::from(error));
    migrator.run(&mut *connection).await.map_err(unusable)
}

/// Returns the version of a store; 0 for a new one.
pub(super) async fn version(connection: &mut AnyConnection, dialect: &dyn Dialect) -> Result<i64> {
    let tables: i64 =
        sqlx::query_scalar(dialect.has_migrations()).fetch_one(&mut *connection).await?;
    if tables == 0 {
        return Ok(0);
    }
    let newest = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
    Ok(sqlx::query_scalar(newest).fetch_one(connection).await?)
}

/// Returns the name of the copy: `hub.db` of version 1 is copied to `hub.db.v1`.
fn copy_name(file: &Path, version: i64) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".v{version}"));
    name.into()
}
