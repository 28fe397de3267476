//! Opens a store: checks its location, its process and its key.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use contract::{hex::to_hex, lock};
use sqlx::{
    AnyConnection, AnyPool, ConnectOptions, Connection,
    any::{AnyConnectOptions, AnyPoolOptions},
};
use tokio::task::spawn_blocking;

use super::{
    Dialect, Result, Store, StoreError, dialect,
    migrate::{migrate, version},
};
use crate::{
    hub::secrets::Keyring,
    runtime::{random::Random, state::kept_aside},
};

/// The time that a statement waits for a connection, or for another process to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The location of a store.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Location {
    Sqlite(PathBuf),
    Postgres(url::Url),
}

/// The action for a store that does not exist yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfNew {
    Create,
    /// Fails, because there was one before.
    Refuse,
}

/// An open store and the lock that excludes other processes from its file.
pub(crate) struct Opening {
    pub(crate) store: Store,
    pub(crate) _lock: Option<File>,
}

impl FromStr for Location {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || StoreError::Address(redacted(text));
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() || path.contains(['?', '#', '%']) {
                Err(bad())
            } else {
                Ok(Self::Sqlite(path.into()))
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return url::Url::parse(text).map(Self::Postgres).map_err(|_| bad());
        }
        Err(bad())
    }
}

/// Returns an address without a part that may be a password.
fn redacted(text: &str) -> String {
    match url::Url::parse(text) {
        Ok(mut url) if url.password().is_some() => {
            // Only a URL that cannot have a password refuses one.
            let _ = url.set_password(Some("…"));
            url.into()
        }
        _ => text.to_owned(),
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => f.write_str(&redacted(url.as_str())),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Location {
    /// Opens the store for the process that works on it: alone if it is a file.
    pub(crate) async fn open(&self, if_new: IfNew, wait: Duration) -> Result<Opening> {
        let lock = match self {
            Self::Sqlite(path) => {
                let lock = acquire(path, wait).await?;
                if let Some(kept) = missing_original(path) {
                    return Err(StoreError::SetAside { path: path.clone(), kept });
                }
                Some(lock)
            }
            Self::Postgres(_) => None,
        };
        let store = self.connect(if_new).await?;
        if lock.is_some() {
            // Whoever claimed something of this file is gone.
            store.release_all().await?;
        }
        Ok(Opening { store, _lock: lock })
    }

    /// Opens the store beside the process that works on it.
    pub(crate) async fn connect(&self, if_new: IfNew) -> Result<Store> {
        if if_new == IfNew::Refuse && self.has_nothing() {
            return Err(StoreError::Lost { name: self.to_string() });
        }
        let unusable =
            |source| StoreError::Unusable { name: self.to_string(), source: Box::new(source) };
        sqlx::any::install_default_drivers();
        let (options, dialect) = self.options().map_err(unusable)?;
        let is_file = self.is_file();
        if is_file {
            self.check_file(&options).await?;
        }
        let pool = AnyPoolOptions::new()
            // The stages of the hub take turns, as a file demands and as suits a database.
            .max_connections(1)
            .acquire_timeout(BUSY_TIMEOUT)
            .after_connect(move |connection, _| {
                Box::pin(
                    async move { if is_file { prepare_sqlite(connection).await } else { Ok(()) } },
                )
            })
            // SQLite ends a transaction by itself when the disk is full; the connection does not
            // learn of it and would refuse every further one.
            .before_acquire(|connection, _| {
                let is_whole = !connection.is_in_transaction();
                Box::pin(async move { Ok(is_whole) })
            })
            .connect_with(options)
            .await
            .map_err(unusable)?;
        self.ready(pool, dialect, if_new).await
    }

    /// Whether the store is a file of no bytes, or one that does not exist.
    fn has_nothing(&self) -> bool {
        let Self::Sqlite(path) = self else { return false };
        path.metadata()
            .map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |file| file.len() == 0)
    }

    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// Checks for damage before anything is written to the file. A pool would repeat an attempt that fails, and lose
    /// the reason.
    async fn check_file(&self, options: &AnyConnectOptions) -> Result<()> {
        let fault = |error: sqlx::Error| {
            if is_damage(&error) {
                StoreError::Damaged { name: self.to_string(), reason: error.to_string() }
            } else {
                StoreError::Unusable { name: self.to_string(), source: Box::new(error) }
            }
        };
        let mut connection = AnyConnection::connect_with(options).await.map_err(fault)?;
        let query = sqlx::query_scalar::<_, String>("PRAGMA quick_check(1)");
        let found = query.fetch_one(&mut connection).await.map_err(fault)?;
        connection.close().await.map_err(fault)?;
        if found == "ok" {
            Ok(())
        } else {
            Err(StoreError::Damaged { name: self.to_string(), reason: found })
        }
    }

    async fn ready(
        &self,
        pool: AnyPool,
        dialect: Arc<dyn Dialect>,
        if_new: IfNew,
    ) -> Result<Store> {
        let file = match self {
            Self::Sqlite(path) => Some(path.as_path()),
            Self::Postgres(_) => None,
        };
        let mut connection = pool.acquire().await?;
        let name = self.to_string();
        if if_new == IfNew::Refuse && version(&mut connection, &*dialect).await? == 0 {
            return Err(StoreError::Lost { name });
        }
        migrate(&mut connection, &*dialect, &dialect.migrator(), &name, file).await?;
        drop(connection);
        let random: [u8; 16] = Random::new().bytes().map_err(|_| StoreError::NoRandomness)?;
        let random = to_hex(&random);
        let mut store = Store { pool, dialect, claimant: random.clone(), instance: String::new() };
        store.set_fact_once("instance", &random).await?;
        store.instance = store.fact("instance").await?.unwrap_or(random);
        Ok(store)
    }

    fn options(&self) -> std::result::Result<(AnyConnectOptions, Arc<dyn Dialect>), sqlx::Error> {
        let (url, dialect): (_, Arc<dyn Dialect>) = match self {
            Self::Sqlite(path) => {
                (format!("sqlite://{}?mode=rwc", path.display()), Arc::new(dialect::Sqlite))
            }
            Self::Postgres(url) => (url.to_string(), Arc::new(dialect::Postgres)),
        };
        Ok((url.parse::<AnyConnectOptions>()?.disable_statement_logging(), dialect))
    }
}

/// Sets a connection to be durable through a power cut, readable while it is written, and to erase deleted data.
async fn prepare_sqlite(connection: &mut AnyConnection) -> std::result::Result<(), sqlx::Error> {
    for statement in [
        "PRAGMA busy_timeout = 5000",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA secure_delete = ON",
        "PRAGMA foreign_keys = ON",
    ] {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Whether an error is `SQLITE_CORRUPT` or `SQLITE_NOTADB`, which are the lowest byte of their extended codes.
fn is_damage(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    let code = code.and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 11 | 26))
}

/// Returns the damaged file that was kept under another name, while the file itself is missing.
fn missing_original(path: &Path) -> Option<PathBuf> {
    if path.exists() { None } else { kept_aside(path) }
}

/// Locks the file for this process until the lock is dropped.
async fn acquire(path: &Path, wait: Duration) -> Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let name = PathBuf::from(name);
    let failed = |source| StoreError::File { path: name.clone(), source };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(&name).map_err(failed)?;
    let acquired = spawn_blocking(move || Ok((lock::acquire(&file, wait)?, file)));
    match acquired.await.map_err(io::Error::from).and_then(|result| result) {
        Ok((true, file)) => Ok(file),
        Ok((false, _)) => Err(StoreError::Held { path: path.to_path_buf() }),
        Err(error) => Err(failed(error)),
    }
}

impl Store {
    /// Checks the key. The first key that a store is used with is its key.
    pub(crate) async fn check_key(&self, keys: &Keyring, name: &str) -> Result<()> {
        self.set_fact_once("key_check", keys.check()).await?;
        if self.fact("key_check").await?.as_deref() == Some(keys.check()) {
            Ok(())
        } else {
            Err(StoreError::OtherKey { name: name.to_owned() })
        }
    }

    /// Whether the store was used with a key.
    pub(crate) async fn has_key(&self) -> Result<bool> {
        Ok(self.fact("key_check").await?.is_some())
    }

    pub(crate) async fn fact(&self, name: &str) -> Result<Option<String>> {
        let query = sqlx::query_scalar("SELECT value FROM facts WHERE name = $1").bind(name);
        Ok(query.fetch_optional(&self.pool).await?)
    }

    async fn set_fact_once(&self, name: &str, value: &str) -> Result<()> {
        let once = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        sqlx::query(once).bind(name).bind(value).execute(&self.pool).await?;
        Ok(())
    }

    pub(crate) async fn set_fact(&self, name: &str, value: &str) -> Result<()> {
        let set = "INSERT INTO facts (name, value) VALUES ($1, $2)
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        sqlx::query(set).bind(name).bind(value).execute(&self.pool).await?;
        Ok(())
    }
}
