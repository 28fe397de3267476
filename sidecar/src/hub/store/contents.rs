//! The announced contents of topics. To write the next number of a topic is to announce it; of several processes only
//! one succeeds.

use actix_web::web::Bytes;
use sqlx::{AssertSqlSafe, Row};

use super::{Result, Safety, Store, pairs::topic_lock};
use crate::{hub::clock::millis, runtime::limits::MAX_AHEAD};

/// A topic as it is published now.
#[derive(Clone, Debug)]
pub(crate) struct Announcement {
    /// The site, as in [`PairKey`](super::PairKey).
    pub(crate) site: String,
    /// The file of the topic.
    pub(crate) topic: String,
    /// The hash of the bytes.
    pub(crate) hash: String,
    pub(crate) media_type: String,
    /// The address of the site: the times of two sites do not compare.
    pub(crate) origin: String,
    /// The time of the publication, in milliseconds since the epoch.
    pub(crate) published_at: i64,
    pub(crate) bytes: Bytes,
}

/// The newest announced content of a topic.
#[derive(Clone, Debug)]
pub(crate) struct StoredContent {
    pub(crate) seq: i64,
    pub(crate) hash: String,
    pub(crate) media_type: String,
    /// The bytes; `None` once no delivery needs them.
    pub(crate) bytes: Option<Bytes>,
}

impl Store {
    /// Announces a topic if its bytes differ from the last announced ones. Returns the new number and the number of
    /// subscribers that are to receive it. Both are written in one transaction with the deliveries.
    ///
    /// A publication that is older than the last one is not announced: a replica may lag. A last one that is more than
    /// a day ahead of the clock does not count.
    pub(crate) async fn announce(
        &self,
        new: &Announcement,
        now: i64,
    ) -> Result<Option<(i64, u64)>> {
        let mut work = self.begin(self.safety_of(&new.site).await?).await?;
        self.lock(&mut work, &topic_lock(&new.site, &new.topic)).await?;
        let last = "SELECT seq, hash, origin, published_at FROM contents
                    WHERE site = $1 AND topic = $2 ORDER BY seq DESC LIMIT 1";
        let last = sqlx::query(last).bind(&new.site).bind(&new.topic);
        let last = last.fetch_optional(&mut *work).await?;
        let mut seq = 1;
        if let Some(last) = last {
            let origin: String = last.try_get("origin")?;
            let published_at: i64 = last.try_get("published_at")?;
            let is_trusted = published_at <= now.saturating_add(millis(MAX_AHEAD));
            let is_older = is_trusted && origin == new.origin && new.published_at <= published_at;
            if is_older || last.try_get::<String, _>("hash")? == new.hash {
                return Ok(None);
            }
            seq = last.try_get::<i64, _>("seq")? + 1;
        }
        let elect =
            "INSERT INTO contents (site, topic, seq, hash, media_type, origin, published_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)
                     ON CONFLICT (site, topic, seq) DO NOTHING";
        let elected = sqlx::query(elect)
            .bind(&new.site)
            .bind(&new.topic)
            .bind(seq)
            .bind(&new.hash)
            .bind(&new.media_type)
            .bind(&new.origin)
            .bind(new.published_at)
            .execute(&mut *work)
            .await?;
        if elected.rows_affected() == 0 {
            return Ok(None);
        }
        // Claims leave out expired subscriptions. They have rows here all the same, so that they
        // miss nothing if only the clock was wrong.
        let fan_out = "INSERT INTO deliveries (subscription, site, topic, host, seq, due_at)
                       SELECT id, site, topic, host, $1, $2 FROM subscriptions
                       WHERE site = $3 AND topic = $4
                       ON CONFLICT (subscription) DO UPDATE SET seq = excluded.seq";
        let fan_out = sqlx::query(fan_out).bind(seq).bind(now).bind(&new.site).bind(&new.topic);
        let subscribers = fan_out.execute(&mut *work).await?.rows_affected();
        if subscribers > 0 {
            let keep = "UPDATE contents SET bytes = $1 WHERE site = $2 AND topic = $3 AND seq = $4";
            sqlx::query(keep)
                .bind(new.bytes.to_vec())
                .bind(&new.site)
                .bind(&new.topic)
                .bind(seq)
                .execute(&mut *work)
                .await?;
        }
        let remove = "DELETE FROM contents WHERE site = $1 AND topic = $2 AND seq < $3";
        let remove = sqlx::query(remove).bind(&new.site).bind(&new.topic).bind(seq);
        remove.execute(&mut *work).await?;
        work.commit().await?;
        Ok(Some((seq, subscribers)))
    }

    /// Returns the safety of a change: one without subscribers may be announced again after a power cut.
    async fn safety_of(&self, site: &str) -> Result<Safety> {
        let any = "SELECT id FROM subscriptions WHERE site = $1 LIMIT 1";
        let any: Option<i64> =
            sqlx::query_scalar(any).bind(site).fetch_optional(&self.pool).await?;
        Ok(if any.is_some() { Safety::Synced } else { Safety::Light })
    }

    /// Returns the hash of the last announced content of a topic.
    pub(crate) async fn content_hash(&self, site: &str, topic: &str) -> Result<Option<String>> {
        let newest = "SELECT hash FROM contents WHERE site = $1 AND topic = $2
                      ORDER BY seq DESC LIMIT 1";
        Ok(sqlx::query_scalar(newest).bind(site).bind(topic).fetch_optional(&self.pool).await?)
    }

    /// Returns the newest content of a topic.
    pub(crate) async fn content(&self, site: &str, topic: &str) -> Result<Option<StoredContent>> {
        let newest = "SELECT seq, hash, media_type, bytes FROM contents
                      WHERE site = $1 AND topic = $2 ORDER BY seq DESC LIMIT 1";
        let row = sqlx::query(newest).bind(site).bind(topic).fetch_optional(&self.pool).await?;
        row.map(|row| {
            Ok(StoredContent {
                seq: row.try_get("seq")?,
                hash: row.try_get("hash")?,
                media_type: row.try_get("media_type")?,
                bytes: row.try_get::<Option<Vec<u8>>, _>("bytes")?.map(Bytes::from),
            })
        })
        .transpose()
    }

    /// Deletes deliveries of topics that a site no longer offers: their last bytes were withdrawn.
    pub(crate) async fn withdraw_all_but(&self, site: &str, topics: &[&str]) -> Result<u64> {
        let offered = serde_json::json!(topics).to_string();
        let texts = self.dialect.texts(2);
        let drop = format!("DELETE FROM deliveries WHERE site = $1 AND topic NOT IN {texts}");
        let drop = sqlx::query(AssertSqlSafe(drop)).bind(site).bind(offered);
        Ok(drop.execute(&self.pool).await?.rows_affected())
    }

    /// Removes the bytes that no delivery needs. Returns whether there were any.
    pub(crate) async fn prune(&self) -> Result<bool> {
        let prune = "UPDATE contents SET bytes = NULL WHERE bytes IS NOT NULL AND NOT EXISTS
                     (SELECT 1 FROM deliveries d WHERE d.site = contents.site AND d.topic = contents.topic)";
        let pruned = sqlx::query(prune).execute(&self.pool).await?;
        Ok(pruned.rows_affected() > 0)
    }

    /// Removes deleted data from the store's files. False while another process is reading them:
    /// then it must be repeated later.
    pub(crate) async fn scrub(&self) -> Result<bool> {
        let Some(scrub) = self.dialect.scrub() else { return Ok(true) };
        let row = sqlx::query(scrub).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? == 0)
    }
}
