//! Claims: the process that works on a row, and the end of the claim. A claim expires, so that the work of a process
//! that was killed is delayed but not lost.

use std::collections::BTreeMap;

use contract::hex::to_hex;
use sqlx::{Any, AssertSqlSafe, Row, Transaction, any::AnyRow};

use super::{
    PairKey, Result, Safety, Store, list,
    pairs::{read_pending, read_secret},
};
use crate::hub::{secrets::Sealed, subscription::Pending};

/// The limits of what may be claimed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClaimLimits<'a> {
    /// Maximum number of rows.
    pub(crate) count: usize,
    /// The hosts of which nothing is claimed.
    pub(crate) busy_hosts: &'a [String],
    pub(crate) sites: ClaimSites<'a>,
    pub(crate) now: i64,
    /// The end of the claim; both times are in milliseconds since the epoch.
    pub(crate) until: i64,
}

/// The sites of which rows are claimed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClaimSites<'a> {
    /// Rows of these sites alone.
    Only(&'a [String]),
    /// Rows of any sites but these.
    AllBut(&'a [String]),
}

impl ClaimSites<'_> {
    /// Returns the condition on a column, with the list in this parameter.
    fn condition(self, column: &str, list: &str) -> String {
        match self {
            Self::Only(_) => format!("{column} IN {list}"),
            Self::AllBut(_) => format!("{column} NOT IN {list}"),
        }
    }

    fn names(self) -> String {
        let (Self::Only(names) | Self::AllBut(names)) = self;
        serde_json::json!(names).to_string()
    }
}

/// The number of verifications of newcomers that may be in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Maximum number for one network of clients, if it is known.
    pub(crate) by_network: i64,
    /// Maximum number at one registrable domain.
    pub(crate) by_domain: i64,
}

/// A delivery that this process has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    /// The row of the subscription.
    pub(crate) subscription: i64,
    pub(crate) key: PairKey,
    /// The number of the newest content when it was claimed, then of the content that is sent.
    pub(crate) seq: i64,
    pub(crate) callback: String,
    pub(crate) topic_url: String,
    pub(crate) secret: Option<Sealed>,
    pub(crate) claimed_until: i64,
}

/// A verification that this process has claimed.
#[derive(Clone, Debug)]
pub(crate) struct VerificationClaim {
    pub(crate) key: PairKey,
    pub(crate) pending: Pending,
}

/// A delivery that got a 2xx.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Delivered {
    /// The number of the content that was sent.
    pub(crate) seq: i64,
    pub(crate) subscription: i64,
}

impl Delivery {
    /// Returns the id of a delivery: the same for every attempt with this subscription and content, whichever process
    /// makes it.
    pub(crate) fn id(&self, instance: &str) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("candor hub delivery");
        let seq = self.seq.to_string();
        for part in [instance].into_iter().chain(self.key.parts()).chain([&*seq]) {
            hasher.update(part.as_bytes()).update(b"\0");
        }
        to_hex(&hasher.finalize().as_bytes()[..16])
    }
}

impl Store {
    /// Claims deliveries that are due, the longest due first.
    pub(crate) async fn claim_deliveries(&self, limits: ClaimLimits<'_>) -> Result<Vec<Delivery>> {
        let skip_locked = self.dialect.skip_locked("d");
        let busy = self.dialect.texts(4);
        let of_sites = limits.sites.condition("d.site", &self.dialect.texts(6));
        let claim = format!(
            "UPDATE deliveries SET claimed_by = $1, claim_until = $2 WHERE subscription IN (
                 SELECT d.subscription FROM deliveries d
                 JOIN subscriptions s ON s.id = d.subscription
                 WHERE d.due_at <= $3 AND (d.claim_until IS NULL OR d.claim_until <= $3)
                   AND s.lease_end > $3 AND d.host NOT IN {busy}
                   AND {of_sites}
                 ORDER BY d.due_at LIMIT $5 {skip_locked})
             RETURNING subscription"
        );
        let mut work = self.begin(Safety::Light).await?;
        let claimed = self.claim(&mut work, claim, &limits).await?;
        let numbers = self.dialect.numbers(1);
        let read = format!(
            "SELECT d.subscription, d.seq, d.site, d.topic, d.host, s.callback_key, s.callback,
                    s.topic_url, s.secret
             FROM deliveries d JOIN subscriptions s ON s.id = d.subscription
             WHERE d.subscription IN {numbers} ORDER BY d.due_at"
        );
        let rows = sqlx::query(AssertSqlSafe(read)).bind(list(claimed)).fetch_all(&mut *work);
        let rows = rows.await?;
        work.commit().await?;
        rows.iter().map(|row| read_delivery(row, limits.until)).collect()
    }

    /// Claims verifications of newcomers that are due. Their networks take turns; of one network, and at one domain, no
    /// more than `share` allows are in progress.
    pub(crate) async fn claim_newcomers(
        &self,
        limits: ClaimLimits<'_>,
        share: Share,
    ) -> Result<Vec<VerificationClaim>> {
        let skip_locked = self.dialect.skip_locked("p");
        let busy = self.dialect.texts(4);
        let of_sites = limits.sites.condition("p.site", &self.dialect.texts(6));
        let Share { by_network, by_domain } = share;
        // Those in progress come first, so that a turn is what is left to its network.
        let first = "CASE WHEN claim_until > $3 THEN 0 ELSE 1 END, due_at";
        let claim = format!(
            "UPDATE pending SET claimed_by = $1, claim_until = $2 WHERE ticket IN (
                 SELECT p.ticket FROM pending p JOIN (
                     SELECT ticket,
                            ROW_NUMBER() OVER (PARTITION BY network ORDER BY {first}) AS turn,
                            ROW_NUMBER() OVER (PARTITION BY domain ORDER BY {first}) AS at_domain
                     FROM pending WHERE renews = 0) r ON r.ticket = p.ticket
                 WHERE p.due_at <= $3 AND (p.claim_until IS NULL OR p.claim_until <= $3)
                   AND p.host NOT IN {busy} AND {of_sites}
                   AND (p.network = '' OR r.turn <= {by_network}) AND r.at_domain <= {by_domain}
                 ORDER BY r.turn, p.due_at LIMIT $5 {skip_locked})
             RETURNING ticket"
        );
        self.claim_verifications(claim, limits).await
    }

    /// Claims verifications of pairs that have a subscription, the longest due first.
    pub(crate) async fn claim_renewals(
        &self,
        limits: ClaimLimits<'_>,
    ) -> Result<Vec<VerificationClaim>> {
        let skip_locked = self.dialect.skip_locked("p");
        let busy = self.dialect.texts(4);
        let of_sites = limits.sites.condition("p.site", &self.dialect.texts(6));
        let claim = format!(
            "UPDATE pending SET claimed_by = $1, claim_until = $2 WHERE ticket IN (
                 SELECT p.ticket FROM pending p
                 WHERE p.renews = 1
                   AND p.due_at <= $3 AND (p.claim_until IS NULL OR p.claim_until <= $3)
                   AND p.host NOT IN {busy} AND {of_sites}
                 ORDER BY p.due_at LIMIT $5 {skip_locked})
             RETURNING ticket"
        );
        self.claim_verifications(claim, limits).await
    }

    async fn claim_verifications(
        &self,
        claim: String,
        limits: ClaimLimits<'_>,
    ) -> Result<Vec<VerificationClaim>> {
        let mut work = self.begin(Safety::Light).await?;
        let claimed = self.claim(&mut work, claim, &limits).await?;
        let numbers = self.dialect.numbers(1);
        let read = format!(
            "SELECT ticket, mode, site, topic, host, callback_key, topic_url, callback, secret,
                    lease, attempts, due_at, network, seen
             FROM pending WHERE ticket IN {numbers} ORDER BY due_at"
        );
        let rows = sqlx::query(AssertSqlSafe(read)).bind(list(claimed)).fetch_all(&mut *work);
        let rows = rows.await?;
        work.commit().await?;
        rows.iter().map(read_verification).collect()
    }

    async fn claim(
        &self,
        work: &mut Transaction<'static, Any>,
        statement: String,
        limits: &ClaimLimits<'_>,
    ) -> Result<Vec<i64>> {
        let busy = serde_json::json!(limits.busy_hosts).to_string();
        let count = i64::try_from(limits.count).unwrap_or(i64::MAX);
        let claimed = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(&self.claimant)
            .bind(limits.until)
            .bind(limits.now)
            .bind(busy)
            .bind(count)
            .bind(limits.sites.names())
            .fetch_all(&mut **work);
        Ok(claimed.await?)
    }

    /// Deletes deliveries that got a 2xx. If newer content was announced meanwhile, the row stays and is due at once;
    /// if the claim has passed to another process, the row stays as it is.
    pub(crate) async fn delivered(&self, done: &[Delivered], now: i64) -> Result<()> {
        let mut by_seq: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for delivered in done {
            by_seq.entry(delivered.seq).or_default().push(delivered.subscription);
        }
        let numbers = self.dialect.numbers(1);
        let delete = format!(
            "DELETE FROM deliveries
             WHERE subscription IN {numbers} AND claimed_by = $2 AND seq = $3"
        );
        let again = format!(
            "UPDATE deliveries SET due_at = $3, claimed_by = NULL, claim_until = NULL
             WHERE subscription IN {numbers} AND claimed_by = $2"
        );
        let reset = format!(
            "UPDATE subscriptions SET failures = 0, last_error = NULL, delivered_at = $2
             WHERE id IN {numbers}"
        );
        let mut work = self.begin(Safety::Light).await?;
        for (seq, subscriptions) in by_seq {
            let subscriptions = list(subscriptions);
            for (statement, third) in [(&delete, seq), (&again, now)] {
                sqlx::query(AssertSqlSafe(statement.clone()))
                    .bind(&subscriptions)
                    .bind(&self.claimant)
                    .bind(third)
                    .execute(&mut *work)
                    .await?;
            }
            let reset = sqlx::query(AssertSqlSafe(reset.clone())).bind(&subscriptions).bind(now);
            reset.execute(&mut *work).await?;
        }
        work.commit().await?;
        Ok(())
    }

    /// Ends the claims of deliveries that did not begin.
    pub(crate) async fn release_deliveries(&self, subscriptions: Vec<i64>) -> Result<()> {
        let numbers = self.dialect.numbers(1);
        let release = format!(
            "UPDATE deliveries SET claimed_by = NULL, claim_until = NULL
             WHERE subscription IN {numbers} AND claimed_by = $2"
        );
        self.release(release, subscriptions).await
    }

    /// Ends the claims of verifications that did not begin.
    pub(crate) async fn release_verifications(&self, tickets: Vec<i64>) -> Result<()> {
        let numbers = self.dialect.numbers(1);
        let release = format!(
            "UPDATE pending SET claimed_by = NULL, claim_until = NULL
             WHERE ticket IN {numbers} AND claimed_by = $2"
        );
        self.release(release, tickets).await
    }

    async fn release(&self, statement: String, rows: Vec<i64>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let query = sqlx::query(AssertSqlSafe(statement)).bind(list(rows)).bind(&self.claimant);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Ends every claim: for the only process of a store, when it starts.
    pub(crate) async fn release_all(&self) -> Result<()> {
        for release in [
            "UPDATE deliveries SET claimed_by = NULL, claim_until = NULL",
            "UPDATE pending SET claimed_by = NULL, claim_until = NULL",
        ] {
            sqlx::query(release).execute(&self.pool).await?;
        }
        Ok(())
    }
}

fn read_delivery(row: &AnyRow, claimed_until: i64) -> Result<Delivery> {
    Ok(Delivery {
        subscription: row.try_get("subscription")?,
        key: PairKey::read(row)?,
        seq: row.try_get("seq")?,
        callback: row.try_get("callback")?,
        topic_url: row.try_get("topic_url")?,
        secret: read_secret(row)?,
        claimed_until,
    })
}

fn read_verification(row: &AnyRow) -> Result<VerificationClaim> {
    Ok(VerificationClaim { key: PairKey::read(row)?, pending: read_pending(row)? })
}
