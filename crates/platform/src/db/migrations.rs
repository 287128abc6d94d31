//! Migrations: the list of the files in `migrations/`, and applying those that a database does not have.

use super::{Db, TxConnection};
use crate::{Clock, Error, Result};

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../migrations/", $name, ".sql")))),*]
    };
}

/// Names and SQL, in their order. A test compares this list with the folder.
const MIGRATIONS: &[(&str, &str)] = migrations![
    "0001_house",
    "0002_catalog",
    "0003_identity",
    "0004_customers",
    "0005_mail",
    "0006_social",
    "0007_media",
    "0008_messages",
    "0009_orders",
    "0010_carts",
    "0011_popularity",
    "0012_reviews",
    "0013_wishlists",
    "0014_profiles",
    "0015_credit",
    "0016_seats",
    "0017_kept_letters",
    "0018_revocation",
    "0019_attempt_delays",
    "0020_second_factors",
    "0021_order_limits",
    "0023_rating_of_reviews",
    "0024_returns",
    "0025_social_callbacks",
    "0026_job_queues",
    "0027_rate_limits",
    "0028_stored_emails",
    "0029_languages",
    "0030_translations",
    "0031_review_language",
    "0032_review_names",
    "0033_stock_journal",
    "0034_product_lifecycle",
    "0035_served_settings",
    "0036_products_by_status",
    "0037_variants",
    "0038_currencies",
    "0039_promotions",
    "0040_postal_addresses",
    "0041_delivery",
    "0043_gift_cards",
    "0044_payment_fee",
    "0045_taxes",
    "0046_gift_card_sales",
    "0047_past_prices",
    "0048_invoices",
    "0049_payments",
    "0050_provider_tokens",
];

/// The parts of a migration for one database, between lines `-- @sqlite` or `-- @postgres` and `-- @both`, and those for
/// both. Few migrations need such parts: JSON functions differ.
fn sql_for(marker: &str, sql: &str) -> String {
    let mut applies = true;
    let mut lines = Vec::new();
    for line in sql.lines() {
        match line.strip_prefix("-- @") {
            Some(named) => applies = named == marker || named == "both",
            None if applies => lines.push(line),
            None => {}
        }
    }
    lines.join("\n")
}

impl Db {
    /// Applies missing migrations. Of several processes one does it, and the others wait.
    pub async fn migrate(&self, clock: &Clock) -> Result<()> {
        let mut tx = self.begin().await?;
        if let TxConnection::Postgres(_) = &tx.connection {
            tx.query("select pg_advisory_xact_lock(4846420)").execute().await?;
        }
        tx.query("create table if not exists migrations (name text primary key, applied_at bigint not null)")
            .execute()
            .await?;
        let applied: Vec<(String,)> = tx.query("select name from migrations").all().await?;
        if let Some((newer,)) =
            applied.iter().find(|(name,)| !MIGRATIONS.iter().any(|(known, _)| known == name))
        {
            return Err(Error::internal(format!(
                "the database was made by a newer Haat (it has {newer}); update this program"
            )));
        }
        for (name, sql) in MIGRATIONS {
            if applied.iter().any(|(done,)| done == name) {
                continue;
            }
            match &mut tx.connection {
                TxConnection::Sqlite(tx) => {
                    let sql = sqlx::AssertSqlSafe(sql_for("sqlite", sql));
                    sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)
                }
                TxConnection::Postgres(tx) => {
                    let sql = sqlx::AssertSqlSafe(sql_for("postgres", sql));
                    sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)
                }
            }?;
            tx.query("insert into migrations (name, applied_at) values ($1, $2)")
                .bind(*name)
                .bind(clock.now())
                .execute()
                .await?;
            tracing::info!(name, "migrated");
        }
        tx.commit().await
    }

    /// How many migrations are missing.
    pub async fn pending_migrations(&self) -> Result<usize> {
        let applied: Result<Vec<(String,)>> = self.query("select name from migrations").all().await;
        // A new database has no such table.
        let applied = applied.unwrap_or_default();
        let missing = |name: &str| !applied.iter().any(|(done,)| done == name);
        Ok(MIGRATIONS.iter().filter(|(name, _)| missing(name)).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_for_one_database_is_left_out_for_the_other() {
        let sql = "a;\n-- @sqlite\nb;\n-- @postgres\nc;\n-- @both\n-- d\ne;";
        assert_eq!(sql_for("sqlite", sql), "a;\nb;\n-- d\ne;");
        assert_eq!(sql_for("postgres", sql), "a;\nc;\n-- d\ne;");
    }

    #[test]
    fn lists_every_migration_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let listed: Vec<_> = MIGRATIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, listed);
    }
}
