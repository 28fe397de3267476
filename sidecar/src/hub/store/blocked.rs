//! The hosts that the operator has blocked: no request names them, and nothing is sent to them.

use sqlx::{Any, Row, Transaction};

use super::{PairKey, Result, Safety, Store};

/// The condition that the host `$1` is the host of a row, or a name below it.
const COVERS_PARAMETER: &str = "'.' || host = substr('.' || $1, length($1) - length(host) + 1)";

/// The condition that the host of a row is `$1`, or a name below it.
const BELOW_PARAMETER: &str = "'.' || $1 = substr('.' || host, length(host) - length($1) + 1)";

impl Store {
    /// Refuses requests for callbacks at this host and below it from now on. Returns the existing pairs.
    pub(crate) async fn block(&self, host: &str) -> Result<Vec<PairKey>> {
        let mut work = self.begin(Safety::Synced).await?;
        let block = "INSERT INTO blocked (host) VALUES ($1) ON CONFLICT (host) DO NOTHING";
        sqlx::query(block).bind(host).execute(&mut *work).await?;
        let columns = "site, topic, callback_key, host";
        let pairs = format!(
            "SELECT {columns} FROM subscriptions WHERE {BELOW_PARAMETER}
             UNION SELECT {columns} FROM pending WHERE {BELOW_PARAMETER}"
        );
        let pairs = sqlx::query(sqlx::AssertSqlSafe(pairs)).bind(host);
        let pairs = pairs.fetch_all(&mut *work).await?.iter().map(PairKey::read).collect();
        work.commit().await?;
        pairs
    }

    /// Accepts requests for the host again. Returns whether it was blocked.
    pub(crate) async fn unblock(&self, host: &str) -> Result<bool> {
        let unblock = sqlx::query("DELETE FROM blocked WHERE host = $1").bind(host);
        Ok(unblock.execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Returns the blocked hosts by name.
    pub(crate) async fn blocked(&self) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT host FROM blocked ORDER BY host").fetch_all(&self.pool);
        rows.await?.iter().map(|row| Ok(row.try_get("host")?)).collect()
    }
}

pub(super) async fn is_blocked(work: &mut Transaction<'static, Any>, host: &str) -> Result<bool> {
    let covering = format!("SELECT COUNT(*) FROM blocked WHERE {COVERS_PARAMETER}");
    let covering = sqlx::query_scalar(sqlx::AssertSqlSafe(covering)).bind(host);
    let number: i64 = covering.fetch_one(&mut **work).await?;
    Ok(number > 0)
}
