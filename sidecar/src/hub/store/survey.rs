//! Listings for operators and metrics, and the rows that upkeep changes.

use serde::Serialize;
use sqlx::{Row, any::AnyRow};

use super::{PairKey, Result, Store};
use crate::hub::{
    callback::registrable_domain,
    clock::{GRACE, millis},
};

/// Maximum number of ended subscriptions that are removed at once.
const EXPIRED_AT_ONCE: i64 = 500;

/// A subscription as an operator sees it, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SubscriptionInfo {
    /// The site's host name; empty for the only site of a sidecar.
    pub site: String,
    /// The file of the topic.
    pub topic: String,
    /// The URL of the callback.
    pub callback: String,
    /// The host of the callback.
    pub host: String,
    /// The network of the client that requested it, such as `198.51.100.0/24`; empty if it is unknown.
    pub network: String,
    /// The state: `active`; `expired` when its lease has ended; `pending` when it was never verified.
    pub state: &'static str,
    /// The mode, `subscribe` or `unsubscribe`, of a request that waits for its verification.
    pub pending: Option<String>,
    /// Whether deliveries are signed.
    pub signed: bool,
    /// The end of the lease in milliseconds since the epoch, like all times here.
    pub lease_end: Option<i64>,
    /// The number of deliveries in a row without a 2xx.
    pub failures: i64,
    /// The reason why the last delivery failed, if it did.
    pub last_error: Option<String>,
    /// The time of the last delivery with a 2xx.
    pub delivered_at: Option<i64>,
    /// The time at which the next delivery or verification is due.
    pub due_at: Option<i64>,
}

impl SubscriptionInfo {
    /// Returns the registered domain of the host, by the Public Suffix List.
    #[must_use]
    pub fn domain(&self) -> &str {
        registrable_domain(&self.host)
    }
}

/// The numbers of rows that wait, for the metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Backlog {
    /// The number of deliveries that wait or are in progress.
    pub(crate) deliveries: i64,
    /// The time at which the first of them is or was due.
    pub(crate) oldest_due: Option<i64>,
    pub(crate) verifications: i64,
    /// The number of subscriptions by topic.
    pub(crate) subscriptions: Vec<(String, i64)>,
}

impl Store {
    /// Returns every subscription and every request that waits, by site, topic and callback.
    pub(crate) async fn list(&self, now: i64) -> Result<Vec<SubscriptionInfo>> {
        let granted =
            "SELECT s.site, s.topic, s.callback, s.host, s.callback_key, s.secret IS NOT NULL AS signed,
                 s.network, s.lease_end, s.failures, s.last_error, s.delivered_at,
                 COALESCE(d.due_at, p.due_at) AS due_at, p.mode AS pending
             FROM subscriptions s LEFT JOIN deliveries d ON d.subscription = s.id
             LEFT JOIN pending p ON p.site = s.site AND p.topic = s.topic
                 AND p.callback_key = s.callback_key
             ORDER BY s.site, s.topic, s.callback";
        let granted = sqlx::query(granted).fetch_all(&self.pool).await?;
        let pending = "SELECT p.site, p.topic, p.callback, p.host, p.network,
                 p.secret IS NOT NULL AS signed, p.mode, p.due_at
             FROM pending p WHERE NOT EXISTS (SELECT 1 FROM subscriptions s
                 WHERE s.site = p.site AND s.topic = p.topic AND s.callback_key = p.callback_key)
             ORDER BY p.site, p.topic, p.callback";
        let pending = sqlx::query(pending).fetch_all(&self.pool).await?;
        let granted = granted.iter().map(|row| read_granted(row, now));
        granted.chain(pending.iter().map(read_pending)).collect()
    }

    /// Returns the sites that have subscriptions.
    pub(crate) async fn subscribed_sites(&self) -> Result<Vec<String>> {
        let sites = "SELECT DISTINCT site FROM subscriptions";
        Ok(sqlx::query_scalar(sites).fetch_all(&self.pool).await?)
    }

    /// Counts the rows that wait.
    pub(crate) async fn backlog(&self) -> Result<Backlog> {
        let queue = "SELECT COUNT(*) AS length, MIN(due_at) AS oldest FROM deliveries";
        let queue = sqlx::query(queue).fetch_one(&self.pool).await?;
        let pending = sqlx::query_scalar("SELECT COUNT(*) FROM pending");
        let subscriptions = "SELECT topic, COUNT(*) AS number FROM subscriptions GROUP BY topic";
        let subscriptions = sqlx::query(subscriptions).fetch_all(&self.pool).await?;
        let by_topic = subscriptions.iter().map(|row| {
            let counted: (String, i64) = (row.try_get("topic")?, row.try_get("number")?);
            Ok(counted)
        });
        Ok(Backlog {
            deliveries: queue.try_get("length")?,
            oldest_due: queue.try_get("oldest")?,
            verifications: pending.fetch_one(&self.pool).await?,
            subscriptions: by_topic.collect::<Result<_>>()?,
        })
    }

    /// Makes rows due at once that are due later than any delay allows: they are from a wrong clock.
    pub(crate) async fn reschedule(&self, now: i64, longest: i64) -> Result<()> {
        for pull in [
            "UPDATE deliveries SET due_at = $1, claimed_by = NULL, claim_until = NULL
             WHERE due_at > $2 OR claim_until > $2",
            "UPDATE pending SET due_at = $1, claimed_by = NULL, claim_until = NULL
             WHERE due_at > $2 OR claim_until > $2",
        ] {
            let latest = now.saturating_add(longest);
            sqlx::query(pull).bind(now).bind(latest).execute(&self.pool).await?;
        }
        Ok(())
    }

    /// Returns some of the subscriptions whose lease ended long enough ago.
    pub(crate) async fn expired(&self, now: i64) -> Result<Vec<PairKey>> {
        let expired = "SELECT site, topic, callback_key, host FROM subscriptions
                       WHERE lease_end <= $1 ORDER BY lease_end LIMIT $2";
        let expired =
            sqlx::query(expired).bind(now.saturating_sub(millis(GRACE))).bind(EXPIRED_AT_ONCE);
        read_keys(&expired.fetch_all(&self.pool).await?)
    }

    /// Returns the pairs with this callback, as given or in another spelling of it.
    pub(crate) async fn pairs_of(&self, callback_key: &str) -> Result<Vec<PairKey>> {
        let pairs =
            "SELECT site, topic, callback_key, host FROM subscriptions WHERE callback_key = $1
                     UNION SELECT site, topic, callback_key, host FROM pending
                     WHERE callback_key = $1 ORDER BY site, topic";
        read_keys(&sqlx::query(pairs).bind(callback_key).fetch_all(&self.pool).await?)
    }
}

fn read_keys(rows: &[AnyRow]) -> Result<Vec<PairKey>> {
    rows.iter().map(PairKey::read).collect()
}

fn read_granted(row: &AnyRow, now: i64) -> Result<SubscriptionInfo> {
    let lease_end: i64 = row.try_get("lease_end")?;
    Ok(SubscriptionInfo {
        site: row.try_get("site")?,
        topic: row.try_get("topic")?,
        callback: row.try_get("callback")?,
        host: row.try_get("host")?,
        network: row.try_get("network")?,
        state: if lease_end > now { "active" } else { "expired" },
        pending: row.try_get("pending")?,
        signed: flag(row, "signed")?,
        lease_end: Some(lease_end),
        failures: row.try_get("failures")?,
        last_error: row.try_get("last_error")?,
        delivered_at: row.try_get("delivered_at")?,
        due_at: row.try_get("due_at")?,
    })
}

fn read_pending(row: &AnyRow) -> Result<SubscriptionInfo> {
    Ok(SubscriptionInfo {
        site: row.try_get("site")?,
        topic: row.try_get("topic")?,
        callback: row.try_get("callback")?,
        host: row.try_get("host")?,
        network: row.try_get("network")?,
        state: "pending",
        pending: row.try_get("mode")?,
        signed: flag(row, "signed")?,
        lease_end: None,
        failures: 0,
        last_error: None,
        delivered_at: None,
        due_at: row.try_get("due_at")?,
    })
}

/// Reads a truth value, which is a number in one database and not in the other.
fn flag(row: &AnyRow, column: &str) -> Result<bool> {
    match row.try_get::<bool, _>(column) {
        Ok(flag) => Ok(flag),
        Err(_) => Ok(row.try_get::<i64, _>(column)? != 0),
    }
}
