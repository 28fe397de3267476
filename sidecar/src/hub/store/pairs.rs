//! Changes of pairs: each is read, changed by the state machine, and written in one transaction, so that the store
//! always has a state of the machine.

use std::collections::BTreeSet;

use sqlx::{Any, Row, Transaction, any::AnyRow};

use super::{
    Capacity, RequestOutcome, Result, Safety, Store, StoreError, blocked::is_blocked,
    places::makes_room,
};
use crate::hub::{
    callback::{Callback, registrable_domain},
    request::SubscriptionMode,
    secrets::Sealed,
    subscription::{Effect, Event, Grant, Pair, Pending, SubscriptionRules, step},
};

/// The key of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PairKey {
    /// The site's host name; empty for the only site of a sidecar.
    pub(crate) site: String,
    /// The file of the topic.
    pub(crate) topic: String,
    /// The callback, as [`Callback::key`].
    pub(crate) callback: String,
    /// The host of the callback, as [`Callback::host`].
    pub(crate) host: String,
}

/// An event of a pair, with the values that are recorded and sent with it.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub(crate) key: PairKey,
    pub(crate) event: Event,
    /// The reason for the operator.
    pub(crate) error: Option<String>,
    /// The denial to send if this ends the subscription.
    pub(crate) denial: Option<String>,
}

impl PairKey {
    pub(crate) fn new(site: &str, topic: &str, callback: &Callback) -> Self {
        let (callback, host) = (callback.key.clone(), callback.host.clone());
        Self { site: site.to_owned(), topic: topic.to_owned(), callback, host }
    }

    /// Reads the columns `site`, `topic`, `callback_key` and `host`.
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            site: row.try_get("site")?,
            topic: row.try_get("topic")?,
            callback: row.try_get("callback_key")?,
            host: row.try_get("host")?,
        })
    }

    /// Returns the parts of the key in the store.
    pub(crate) fn parts(&self) -> [&str; 3] {
        [&self.site, &self.topic, &self.callback]
    }

    /// Returns the owner of a secret, for its encryption.
    pub(crate) fn owner(&self) -> String {
        self.parts().join(" ")
    }
}

/// Returns the name of the lock that changes of a topic and of its subscriptions take.
pub(super) fn topic_lock(site: &str, topic: &str) -> String {
    format!("{site} {topic}")
}

/// Returns the name of a site for the log; none for the only site of a sidecar.
pub(crate) fn site_name(site: &str) -> Option<&str> {
    Some(site).filter(|site| !site.is_empty())
}

impl Settled {
    /// Makes an event without an error and without a denial.
    pub(crate) fn new(key: PairKey, event: Event) -> Self {
        Self { key, event, error: None, denial: None }
    }
}

impl Store {
    /// Writes a request. One that changes an existing subscription always has a place.
    pub(crate) async fn request(
        &self,
        key: &PairKey,
        mut pending: Pending,
        capacity: Capacity,
        rules: &SubscriptionRules,
    ) -> Result<RequestOutcome> {
        let mut work = self.begin(Safety::Light).await?;
        self.lock(&mut work, &key.owner()).await?;
        if is_blocked(&mut work, &key.host).await? {
            return Ok(RequestOutcome::Blocked);
        }
        let known = load(&mut work, key).await?;
        let adds = pending.mode == SubscriptionMode::Subscribe && known.grant.is_none();
        if adds && known.pending.is_none() {
            let network = &pending.network;
            if !makes_room(&mut work, key, network, capacity).await? {
                return Ok(RequestOutcome::Full);
            }
        }
        let newest = "SELECT COALESCE(MAX(seq), 0) FROM contents WHERE site = $1 AND topic = $2";
        let newest = sqlx::query_scalar(newest).bind(&key.site).bind(&key.topic);
        let newest = newest.fetch_one(&mut *work).await?;
        // Who asks again has not seen more since.
        pending.seen = known.pending.as_ref().map_or(newest, |asked| newest.min(asked.seen));
        let effect = advance(&mut work, key, known, Event::Requested(pending), rules).await?;
        work.commit().await?;
        Ok(RequestOutcome::Recorded(effect))
    }

    /// Applies events in this order. The effects have the same order.
    pub(crate) async fn settle(
        &self,
        events: &[Settled],
        rules: &SubscriptionRules,
    ) -> Result<Vec<Effect>> {
        let mut work = self.begin(Safety::Synced).await?;
        let mut effects = Vec::with_capacity(events.len());
        // One order for all processes, so that none waits for another that waits for it.
        let owners: BTreeSet<_> = events.iter().map(|event| event.key.owner()).collect();
        // A verification and an announcement at the same time would not see each other.
        let verified = events.iter().filter(|it| matches!(it.event, Event::Verified { .. }));
        let topics: BTreeSet<_> =
            verified.map(|it| topic_lock(&it.key.site, &it.key.topic)).collect();
        for name in owners.iter().chain(&topics) {
            self.lock(&mut work, name).await?;
        }
        for Settled { key, event, error, .. } in events {
            let known = load(&mut work, key).await?;
            let posted = matches!(event, Event::Posted(_));
            let effect = advance(&mut work, key, known, event.clone(), rules).await?;
            if posted {
                self.after_post(&mut work, key, effect, error.as_deref(), rules.now).await?;
            }
            effects.push(effect);
        }
        work.commit().await?;
        Ok(effects)
    }

    /// Schedules the waiting delivery of a pair by the effect, whatever its content is now.
    async fn after_post(
        &self,
        work: &mut Transaction<'static, Any>,
        key: &PairKey,
        effect: Effect,
        error: Option<&str>,
        now: i64,
    ) -> Result<()> {
        let due_at = match effect {
            Effect::Retry { due_at } => due_at,
            // Successes are recorded by `delivered`, which knows what was sent.
            _ => now,
        };
        let wait = "UPDATE deliveries SET due_at = $1, claimed_by = NULL, claim_until = NULL
                    WHERE claimed_by = $2 AND subscription =
                        (SELECT id FROM subscriptions
                         WHERE site = $3 AND topic = $4 AND callback_key = $5)";
        sqlx::query(wait)
            .bind(due_at)
            .bind(&self.claimant)
            .bind(&key.site)
            .bind(&key.topic)
            .bind(&key.callback)
            .execute(&mut **work)
            .await?;
        let remember = "UPDATE subscriptions SET last_error = $1
                        WHERE site = $2 AND topic = $3 AND callback_key = $4";
        sqlx::query(remember)
            .bind(error)
            .bind(&key.site)
            .bind(&key.topic)
            .bind(&key.callback)
            .execute(&mut **work)
            .await?;
        Ok(())
    }

    pub(super) async fn lock(
        &self,
        work: &mut Transaction<'static, Any>,
        name: &str,
    ) -> Result<()> {
        if let Some(lock) = self.dialect.lock() {
            sqlx::query(lock).bind(name).execute(&mut **work).await?;
        }
        Ok(())
    }

    /// Returns the state of a pair.
    #[cfg(test)]
    pub(crate) async fn pair(&self, key: &PairKey) -> Result<Pair> {
        let mut work = self.begin(Safety::Synced).await?;
        load(&mut work, key).await
    }
}

async fn load(work: &mut Transaction<'static, Any>, key: &PairKey) -> Result<Pair> {
    let grant = "SELECT topic_url, callback, secret, lease_end, failures, network
                 FROM subscriptions WHERE site = $1 AND topic = $2 AND callback_key = $3";
    let grant = sqlx::query(grant).bind(&key.site).bind(&key.topic).bind(&key.callback);
    let grant = grant.fetch_optional(&mut **work).await?;
    let pending =
        "SELECT ticket, mode, topic_url, callback, secret, lease, attempts, due_at, network, seen
                   FROM pending WHERE site = $1 AND topic = $2 AND callback_key = $3";
    let pending = sqlx::query(pending).bind(&key.site).bind(&key.topic).bind(&key.callback);
    let pending = pending.fetch_optional(&mut **work).await?;
    Ok(Pair {
        grant: grant.as_ref().map(read_grant).transpose()?,
        pending: pending.as_ref().map(read_pending).transpose()?,
    })
}

/// Reads the column `secret`.
pub(super) fn read_secret(row: &AnyRow) -> Result<Option<Sealed>> {
    Ok(row.try_get::<Option<Vec<u8>>, _>("secret")?.map(Sealed))
}

fn read_grant(row: &AnyRow) -> Result<Grant> {
    Ok(Grant {
        topic_url: row.try_get("topic_url")?,
        callback: row.try_get("callback")?,
        secret: read_secret(row)?,
        lease_end: row.try_get("lease_end")?,
        failures: count(row.try_get("failures")?)?,
        network: row.try_get("network")?,
    })
}

pub(super) fn read_pending(row: &AnyRow) -> Result<Pending> {
    let mode: String = row.try_get("mode")?;
    Ok(Pending {
        ticket: row.try_get("ticket")?,
        mode: if mode == "subscribe" {
            SubscriptionMode::Subscribe
        } else {
            SubscriptionMode::Unsubscribe
        },
        topic_url: row.try_get("topic_url")?,
        callback: row.try_get("callback")?,
        secret: read_secret(row)?,
        lease: row.try_get("lease")?,
        attempts: count(row.try_get("attempts")?)?,
        due_at: row.try_get("due_at")?,
        network: row.try_get("network")?,
        seen: row.try_get("seen")?,
    })
}

fn count(number: i64) -> Result<u32> {
    let error = |error| StoreError::Failed(sqlx::Error::Decode(Box::new(error)));
    u32::try_from(number).map_err(error)
}

/// Makes one step, and writes the rows of its result.
async fn advance(
    work: &mut Transaction<'static, Any>,
    key: &PairKey,
    before: Pair,
    event: Event,
    rules: &SubscriptionRules,
) -> Result<Effect> {
    let mut after = before.clone();
    let effect = step(&mut after, event, rules);
    if after.grant != before.grant {
        match &after.grant {
            Some(grant) => write_grant(work, key, grant, rules.now).await?,
            None => delete(work, key).await?,
        }
    }
    if effect == Effect::Activated {
        // Nothing of an earlier subscription, which had ended, is delivered to this one.
        let stale = "DELETE FROM deliveries WHERE subscription =
                     (SELECT id FROM subscriptions
                      WHERE site = $1 AND topic = $2 AND callback_key = $3)";
        let stale = sqlx::query(stale).bind(&key.site).bind(&key.topic).bind(&key.callback);
        stale.execute(&mut **work).await?;
        let seen = before.pending.as_ref().map_or(i64::MAX, |pending| pending.seen);
        deliver_newer(work, key, seen, rules.now).await?;
    }
    if after.pending != before.pending {
        let remove = "DELETE FROM pending WHERE site = $1 AND topic = $2 AND callback_key = $3";
        let remove = sqlx::query(remove).bind(&key.site).bind(&key.topic).bind(&key.callback);
        remove.execute(&mut **work).await?;
        if let Some(pending) = &after.pending {
            write_pending(work, key, pending, after.grant.is_some()).await?;
        }
    }
    Ok(effect)
}

/// Schedules a delivery of a content that was announced while a request waited. The first announcement of a topic is
/// not a change.
async fn deliver_newer(
    work: &mut Transaction<'static, Any>,
    key: &PairKey,
    seen: i64,
    now: i64,
) -> Result<()> {
    let deliver = "INSERT INTO deliveries (subscription, site, topic, host, seq, due_at)
                   SELECT s.id, s.site, s.topic, s.host, MAX(c.seq), $1 FROM subscriptions s
                   JOIN contents c ON c.site = s.site AND c.topic = s.topic
                   WHERE s.site = $2 AND s.topic = $3 AND s.callback_key = $4 AND c.seq > $5
                   GROUP BY s.id, s.site, s.topic, s.host";
    let deliver = sqlx::query(deliver).bind(now).bind(&key.site).bind(&key.topic);
    deliver.bind(&key.callback).bind(seen.max(1)).execute(&mut **work).await?;
    Ok(())
}

/// Deletes a subscription with its delivery.
async fn delete(work: &mut Transaction<'static, Any>, key: &PairKey) -> Result<()> {
    let delete = "DELETE FROM subscriptions WHERE site = $1 AND topic = $2 AND callback_key = $3";
    let delete = sqlx::query(delete).bind(&key.site).bind(&key.topic).bind(&key.callback);
    delete.execute(&mut **work).await?;
    Ok(())
}

async fn write_grant(
    work: &mut Transaction<'static, Any>,
    key: &PairKey,
    grant: &Grant,
    now: i64,
) -> Result<()> {
    let write = "INSERT INTO subscriptions (topic, callback_key, host, callback, topic_url, secret,
                     lease_end, failures, created_at, network, site)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                 ON CONFLICT (site, topic, callback_key) DO UPDATE SET
                     callback = excluded.callback, topic_url = excluded.topic_url,
                     secret = excluded.secret, lease_end = excluded.lease_end,
                     failures = excluded.failures,
                     network = excluded.network";
    sqlx::query(write)
        .bind(&key.topic)
        .bind(&key.callback)
        .bind(&key.host)
        .bind(&grant.callback)
        .bind(&grant.topic_url)
        .bind(grant.secret.as_ref().map(|secret| secret.0.clone()))
        .bind(grant.lease_end)
        .bind(i64::from(grant.failures))
        .bind(now)
        .bind(&grant.network)
        .bind(&key.site)
        .execute(&mut **work)
        .await?;
    Ok(())
}

/// Writes a pending request. `renews` is whether the pair has a subscription.
async fn write_pending(
    work: &mut Transaction<'static, Any>,
    key: &PairKey,
    pending: &Pending,
    renews: bool,
) -> Result<()> {
    let write = "INSERT INTO pending (ticket, topic, callback_key, host, callback, topic_url, mode,
                     secret, lease, attempts, due_at, network, domain, renews, site, seen)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    sqlx::query(write)
        .bind(pending.ticket)
        .bind(&key.topic)
        .bind(&key.callback)
        .bind(&key.host)
        .bind(&pending.callback)
        .bind(&pending.topic_url)
        .bind(pending.mode.as_str())
        .bind(pending.secret.as_ref().map(|secret| secret.0.clone()))
        .bind(pending.lease)
        .bind(i64::from(pending.attempts))
        .bind(pending.due_at)
        .bind(&pending.network)
        .bind(registrable_domain(&key.host))
        .bind(i64::from(renews))
        .bind(&key.site)
        .bind(pending.seen)
        .execute(&mut **work)
        .await?;
    Ok(())
}
