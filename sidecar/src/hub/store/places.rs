//! The places of subscriptions and of requests that wait, and the choice of newcomers that get one.

use sqlx::{Any, AssertSqlSafe, Row, Transaction};

use super::{PairKey, Result, site_name};
use crate::hub::callback::registrable_domain;

/// Limits on the rows of the store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// Subscriptions whose callbacks have one host.
    pub(crate) by_host: i64,
    /// Subscriptions whose callbacks have one registrable domain.
    pub(crate) by_domain: i64,
    /// Subscriptions of one site, where the hub serves many.
    pub(crate) by_site: i64,
    /// Subscriptions in all.
    pub(crate) in_all: i64,
    /// Requests of newcomers that are not yet verified.
    pub(crate) pending: i64,
}

/// Whether a newcomer has a place; if none is free, one of the holder with the most is taken.
pub(super) async fn makes_room(
    work: &mut Transaction<'static, Any>,
    key: &PairKey,
    network: &str,
    capacity: Capacity,
) -> Result<bool> {
    let waiting = "SELECT COUNT(*) FROM pending WHERE renews = 0";
    let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut **work).await?;
    let all: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM subscriptions").fetch_one(&mut **work).await?;
    // Every pending request may become a subscription.
    let of_host = "SELECT (SELECT COUNT(*) FROM subscriptions WHERE host = $1)
                        + (SELECT COUNT(*) FROM pending WHERE host = $1 AND renews = 0)";
    let of_host: i64 = sqlx::query_scalar(of_host).bind(&key.host).fetch_one(&mut **work).await?;
    if all + waiting >= capacity.in_all || of_host >= capacity.by_host {
        return Ok(false);
    }
    if site_name(&key.site).is_some() {
        let of_site = "SELECT (SELECT COUNT(*) FROM subscriptions WHERE site = $1)
                            + (SELECT COUNT(*) FROM pending WHERE site = $1 AND renews = 0)";
        let of_site = sqlx::query_scalar(of_site).bind(&key.site);
        let of_site: i64 = of_site.fetch_one(&mut **work).await?;
        if of_site >= capacity.by_site {
            return Ok(false);
        }
    }
    let domain = registrable_domain(&key.host);
    // Reads every host: only where there are as many subscriptions as one domain may have.
    if all >= capacity.by_domain {
        let of_domain = "SELECT COUNT(*) FROM subscriptions WHERE host = $1 OR host LIKE $2";
        let of_domain = sqlx::query_scalar(of_domain).bind(domain).bind(format!("%.{domain}"));
        let of_domain: i64 = of_domain.fetch_one(&mut **work).await?;
        if of_domain >= capacity.by_domain {
            return Ok(false);
        }
    }
    if waiting < capacity.pending {
        return Ok(true);
    }
    Ok(displace(work, "network", network).await?
        || displace(work, "domain", domain).await?
        || displace(work, "site", &key.site).await?)
}

/// Removes the newest request of the network, domain or site that has the most of them, if that makes the shares of
/// those that wait more equal.
async fn displace(work: &mut Transaction<'static, Any>, column: &str, own: &str) -> Result<bool> {
    let fullest = format!(
        "SELECT {column} AS name, COUNT(*) AS number,
                (SELECT COUNT(*) FROM pending WHERE renews = 0 AND {column} = $1) AS own
         FROM pending WHERE renews = 0 GROUP BY {column} ORDER BY 2 DESC LIMIT 1"
    );
    let fullest = sqlx::query(AssertSqlSafe(fullest)).bind(own).fetch_optional(&mut **work).await?;
    let Some(fullest) = fullest else { return Ok(false) };
    let (name, number): (String, i64) = (fullest.try_get("name")?, fullest.try_get("number")?);
    if number <= fullest.try_get::<i64, _>("own")? + 1 {
        return Ok(false);
    }
    let remove = format!(
        "DELETE FROM pending WHERE ticket = (SELECT ticket FROM pending
             WHERE renews = 0 AND {column} = $1
             ORDER BY claim_until IS NOT NULL, due_at DESC, ticket LIMIT 1)"
    );
    let removed = sqlx::query(AssertSqlSafe(remove)).bind(name).execute(&mut **work).await?;
    Ok(removed.rows_affected() > 0)
}
