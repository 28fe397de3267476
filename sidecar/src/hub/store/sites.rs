//! The rows of one site: which sites there are, and their removal, choice and renaming.

use sqlx::{Any, AssertSqlSafe, Transaction};

use super::{PairKey, Result, Safety, Store, StoreError, pairs::read_secret};
use crate::{hub::secrets::Keyring, runtime::random::Random};

/// The tables with rows of sites; those that refer to others first.
const TABLES: [&str; 4] = ["deliveries", "pending", "subscriptions", "contents"];

/// A site of an exported file, and what becomes of it in another store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteImport<'a> {
    /// Its name in the file.
    pub(crate) site: &'a str,
    pub(crate) new_name: &'a str,
    /// What the secrets in the file are encrypted with, and those of the store.
    pub(crate) keys: &'a Keyring,
    pub(crate) new_keys: &'a Keyring,
}

impl Store {
    /// The names of the sites that have rows.
    pub(crate) async fn sites(&self) -> Result<Vec<String>> {
        let sites = "SELECT site FROM subscriptions UNION SELECT site FROM pending
                     UNION SELECT site FROM contents ORDER BY site";
        Ok(sqlx::query_scalar(sites).fetch_all(&self.pool).await?)
    }

    /// Removes every row of a site. Returns how many subscriptions it had.
    pub(crate) async fn remove_site(&self, site: &str) -> Result<i64> {
        let mut work = self.begin(Safety::Synced).await?;
        let number = count(&mut work, Some(site)).await?;
        remove(&mut work, "=", site).await?;
        work.commit().await?;
        Ok(number)
    }
}

/// The number of subscriptions, of one site or of all.
pub(super) async fn count(work: &mut Transaction<'static, Any>, site: Option<&str>) -> Result<i64> {
    let count = match site {
        Some(site) => {
            sqlx::query_scalar("SELECT COUNT(*) FROM subscriptions WHERE site = $1").bind(site)
        }
        None => sqlx::query_scalar("SELECT COUNT(*) FROM subscriptions"),
    };
    Ok(count.fetch_one(&mut **work).await?)
}

/// Removes the rows whose site compares like this with a name: `=` the site's, `<>` all others.
pub(super) async fn remove(
    work: &mut Transaction<'static, Any>,
    comparison: &str,
    site: &str,
) -> Result<()> {
    for table in TABLES {
        let remove = format!("DELETE FROM {table} WHERE site {comparison} $1");
        sqlx::query(AssertSqlSafe(remove)).bind(site).execute(&mut **work).await?;
    }
    Ok(())
}

/// Leaves the rows of the site alone, under its new name and with tickets of their own; secrets are
/// encrypted for the new name.
pub(super) async fn rename(
    work: &mut Transaction<'static, Any>,
    import: &SiteImport<'_>,
) -> Result<()> {
    let random = Random::new();
    remove(work, "<>", import.site).await?;
    let tickets = sqlx::query_scalar("SELECT ticket FROM pending").fetch_all(&mut **work);
    for ticket in tickets.await? {
        let ticket: i64 = ticket;
        let new = random.ticket().map_err(|_| StoreError::NoRandomness)?;
        let change = sqlx::query("UPDATE pending SET ticket = $1 WHERE ticket = $2");
        change.bind(new).bind(ticket).execute(&mut **work).await?;
    }
    for table in ["subscriptions", "pending"] {
        let secrets = format!(
            "SELECT site, topic, callback_key, host, secret FROM {table} WHERE secret IS NOT NULL"
        );
        let secrets = sqlx::query(AssertSqlSafe(secrets)).fetch_all(&mut **work).await?;
        for row in secrets {
            let key = PairKey::read(&row)?;
            let Some(sealed) = read_secret(&row)? else { continue };
            let secret = import.keys.open_sealed(&sealed, &key.owner());
            let secret = secret.ok_or(StoreError::Undecryptable)?;
            let new = PairKey { site: import.new_name.to_owned(), ..key.clone() };
            let sealed = import.new_keys.seal(&secret, &new.owner());
            let sealed = sealed.map_err(|_| StoreError::NoRandomness)?;
            let change =
                format!("UPDATE {table} SET secret = $1 WHERE topic = $2 AND callback_key = $3");
            let change = sqlx::query(AssertSqlSafe(change)).bind(sealed.0);
            change.bind(key.topic).bind(key.callback).execute(&mut **work).await?;
        }
    }
    for table in TABLES {
        let rename = format!("UPDATE {table} SET site = $1");
        sqlx::query(AssertSqlSafe(rename)).bind(import.new_name).execute(&mut **work).await?;
    }
    Ok(())
}
