//! The rows of one site: the names of sites with rows, and the removal of the rows.

use sqlx::AssertSqlSafe;

use super::{Result, Safety, Store};

/// The tables with rows of sites; those that refer to others first.
const TABLES: [&str; 4] = ["deliveries", "pending", "subscriptions", "contents"];

impl Store {
    /// Returns the names of the sites that have rows.
    pub(crate) async fn sites(&self) -> Result<Vec<String>> {
        let sites = "SELECT site FROM subscriptions UNION SELECT site FROM pending
                     UNION SELECT site FROM contents ORDER BY site";
        Ok(sqlx::query_scalar(sites).fetch_all(&self.pool).await?)
    }

    /// Removes every row of a site. Returns the number of its subscriptions.
    pub(crate) async fn remove_site(&self, site: &str) -> Result<i64> {
        let mut work = self.begin(Safety::Synced).await?;
        let count = sqlx::query_scalar("SELECT COUNT(*) FROM subscriptions WHERE site = $1");
        let number = count.bind(site).fetch_one(&mut *work).await?;
        for table in TABLES {
            let remove = format!("DELETE FROM {table} WHERE site = $1");
            sqlx::query(AssertSqlSafe(remove)).bind(site).execute(&mut *work).await?;
        }
        work.commit().await?;
        Ok(number)
    }
}
