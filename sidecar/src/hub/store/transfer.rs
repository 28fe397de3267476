//! Export and import: a store as one SQLite file, whichever database it is in, and back.

use std::path::Path;

use sqlx::{Any, AnyConnection, AssertSqlSafe, Row, Transaction, any::AnyRow, query::Query};

use super::{
    IfNew, Location, PairKey, Result, Safety, SiteImport, Store, StoreError, pairs,
    sites::{self, count},
};
use crate::{hub::subscription::reconfirmation, runtime::random::Random};

/// A table's columns by what is in them.
struct TransferTable {
    name: &'static str,
    /// What is done with a row that is there already.
    conflict: &'static str,
    columns: &'static [(&'static str, ColumnKind)],
}

#[derive(Clone, Copy)]
enum ColumnKind {
    Number,
    Text,
    Blob,
}

use ColumnKind::{Blob, Number, Text};

const CONTENTS: TransferTable = TransferTable {
    name: "contents",
    conflict: "",
    columns: &[
        ("site", Text),
        ("topic", Text),
        ("seq", Number),
        ("hash", Text),
        ("media_type", Text),
        ("origin", Text),
        ("published_at", Number),
        ("bytes", Blob),
    ],
};

const SUBSCRIPTIONS: TransferTable = TransferTable {
    name: "subscriptions",
    conflict: "",
    columns: &[
        ("site", Text),
        ("topic", Text),
        ("callback_key", Text),
        ("callback", Text),
        ("topic_url", Text),
        ("host", Text),
        ("secret", Blob),
        ("lease_end", Number),
        ("confirmed", Number),
        ("failures", Number),
        ("created_at", Number),
        ("delivered_at", Number),
        ("last_error", Text),
        ("network", Text),
    ],
};

const PENDING: TransferTable = TransferTable {
    name: "pending",
    conflict: "",
    columns: &[
        ("ticket", Number),
        ("site", Text),
        ("topic", Text),
        ("callback_key", Text),
        ("callback", Text),
        ("topic_url", Text),
        ("host", Text),
        ("mode", Text),
        ("secret", Blob),
        ("lease", Number),
        ("attempts", Number),
        ("due_at", Number),
        ("network", Text),
        ("domain", Text),
        ("renews", Number),
        ("seen", Number),
    ],
};

const BLOCKED: TransferTable = TransferTable {
    name: "blocked",
    conflict: "ON CONFLICT (host) DO NOTHING",
    columns: &[("host", Text)],
};

/// A file of the state directory.
pub(crate) type KeyFile = (String, Vec<u8>);

impl Store {
    /// Writes everything as it is at one moment, or everything of one site, into an empty file, with
    /// the keys and the blocked hosts.
    pub(crate) async fn export(
        &self,
        file: &Path,
        keys: &[KeyFile],
        site: Option<&str>,
    ) -> Result<i64> {
        let copy = Location::Sqlite(file.to_path_buf()).connect(IfNew::Create).await?;
        // All tables as of one moment, while other processes write.
        let mut from = self.pool.begin().await?;
        if self.dialect.clock().is_some() {
            let whole = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
            sqlx::query(whole).execute(&mut *from).await?;
        }
        let mut into = copy.begin(Safety::Synced).await?;
        for table in [&CONTENTS, &SUBSCRIPTIONS, &PENDING, &BLOCKED] {
            copy_table(&mut from, &mut into, table).await?;
        }
        copy_deliveries(&mut from, &mut into).await?;
        if let Some(site) = site {
            sites::remove(&mut into, "<>", site).await?;
        }
        let make = "CREATE TABLE keys (name TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL)";
        sqlx::query(make).execute(&mut *into).await?;
        for (name, bytes) in keys {
            let key = sqlx::query("INSERT INTO keys (name, bytes) VALUES ($1, $2)");
            key.bind(name).bind(bytes.clone()).execute(&mut *into).await?;
        }
        let count = count(&mut into, None).await?;
        into.commit().await?;
        from.rollback().await?;
        for name in ["instance", "key_check"] {
            if let Some(value) = self.fact(name).await? {
                copy.set_fact(name, &value).await?;
            }
        }
        let single = "PRAGMA journal_mode = DELETE";
        sqlx::query(single).fetch_all(&copy.pool).await?;
        copy.close().await;
        Ok(count)
    }

    /// The keys in an exported file.
    pub(crate) async fn exported_keys(&self) -> Result<Vec<KeyFile>> {
        let rows = sqlx::query("SELECT name, bytes FROM keys ORDER BY name");
        let rows = rows.fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get("name")?, row.try_get("bytes")?))).collect()
    }

    /// Imports everything of an exported file, or one site beside others. Every subscription must be
    /// verified again before its next delivery: its verification is due at once.
    pub(crate) async fn import(
        &self,
        from: &Self,
        name: &str,
        site: Option<SiteImport<'_>>,
        now: i64,
    ) -> Result<i64> {
        let mut into = self.begin(Safety::Synced).await?;
        let known = count(&mut into, site.map(|site| site.new_name)).await?;
        let name = name.to_owned();
        match site {
            None if known > 0 => return Err(StoreError::NotEmpty { name, count: known }),
            Some(SiteImport { new_name, .. }) if known > 0 => {
                let site = new_name.to_owned();
                return Err(StoreError::SiteNotEmpty { name, site, count: known });
            }
            None => {
                for clear in ["DELETE FROM contents", "DELETE FROM blocked"] {
                    sqlx::query(clear).execute(&mut *into).await?;
                }
            }
            Some(site) => sites::remove(&mut into, "=", site.new_name).await?,
        }
        // The file is changed to what is imported, and is in the end as it was.
        let mut source = from.pool.begin().await?;
        if let Some(site) = &site {
            sites::rename(&mut source, site).await?;
        }
        sqlx::query("UPDATE subscriptions SET confirmed = 0").execute(&mut *source).await?;
        sqlx::query("UPDATE pending SET due_at = $1").bind(now).execute(&mut *source).await?;
        request_confirmations(&mut source, now).await?;
        for table in [&CONTENTS, &SUBSCRIPTIONS, &PENDING, &BLOCKED] {
            copy_table(&mut source, &mut into, table).await?;
        }
        copy_deliveries(&mut source, &mut into).await?;
        let count = count(&mut source, None).await?;
        into.commit().await?;
        source.rollback().await?;
        if site.is_none()
            && let Some(instance) = from.fact("instance").await?
        {
            self.set_fact("instance", &instance).await?;
        }
        Ok(count)
    }
}

async fn copy_table(
    from: &mut AnyConnection,
    into: &mut AnyConnection,
    table: &TransferTable,
) -> Result<()> {
    let names: Vec<_> = table.columns.iter().map(|(name, _)| *name).collect();
    let (name, names, count) = (table.name, names.join(", "), table.columns.len());
    let places: Vec<_> = (1..=count).map(|at| format!("${at}")).collect();
    let read = AssertSqlSafe(format!("SELECT {names} FROM {name}"));
    let (places, conflict) = (places.join(", "), table.conflict);
    let write = format!("INSERT INTO {name} ({names}) VALUES ({places}) {conflict}");
    for row in sqlx::query(read).fetch_all(&mut *from).await? {
        let mut query = sqlx::query(AssertSqlSafe(write.clone()));
        for (column, kind) in table.columns {
            query = bind(query, &row, column, *kind)?;
        }
        query.execute(&mut *into).await?;
    }
    Ok(())
}

type AnyQuery<'q> = Query<'q, Any, sqlx::any::AnyArguments>;

fn bind<'q>(
    query: AnyQuery<'q>,
    row: &AnyRow,
    column: &str,
    kind: ColumnKind,
) -> Result<AnyQuery<'q>> {
    Ok(match kind {
        Number => query.bind(row.try_get::<Option<i64>, _>(column)?),
        Text => query.bind(row.try_get::<Option<String>, _>(column)?),
        Blob => query.bind(row.try_get::<Option<Vec<u8>>, _>(column)?),
    })
}

/// Rows are numbered anew in the other store; topic and callback find them there.
async fn copy_deliveries(from: &mut AnyConnection, into: &mut AnyConnection) -> Result<()> {
    let read = "SELECT d.seq, d.due_at, s.site, s.topic, s.callback_key
                FROM deliveries d JOIN subscriptions s ON s.id = d.subscription";
    let write = "INSERT INTO deliveries (subscription, site, topic, host, seq, due_at)
                 SELECT id, site, topic, host, $1, $2 FROM subscriptions
                 WHERE site = $3 AND topic = $4 AND callback_key = $5";
    for row in sqlx::query(read).fetch_all(&mut *from).await? {
        let mut query = sqlx::query(write);
        for (column, kind) in [
            ("seq", Number),
            ("due_at", Number),
            ("site", Text),
            ("topic", Text),
            ("callback_key", Text),
        ] {
            query = bind(query, &row, column, kind)?;
        }
        query.execute(&mut *into).await?;
    }
    Ok(())
}

/// Adds a request for each subscription; where one waits already, its verification is the
/// confirmation.
async fn request_confirmations(work: &mut Transaction<'static, Any>, now: i64) -> Result<()> {
    let without_request =
        "SELECT site, topic, callback_key, callback, topic_url, host, secret, lease_end,
                       confirmed, failures, network
                   FROM subscriptions s WHERE NOT EXISTS (SELECT 1 FROM pending p
                       WHERE p.site = s.site AND p.topic = s.topic
                           AND p.callback_key = s.callback_key)";
    let random = Random::new();
    for row in sqlx::query(without_request).fetch_all(&mut **work).await? {
        let (key, grant) = (PairKey::read(&row)?, pairs::read_grant(&row)?);
        let ticket = random.ticket().map_err(|_| StoreError::NoRandomness)?;
        if grant.lease_end > now {
            pairs::write_pending(work, &key, &reconfirmation(&grant, ticket, now), true).await?;
        }
    }
    Ok(())
}
