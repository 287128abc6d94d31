//! SQL of the tax rules, and the rules in memory: they change seldom.

use std::collections::HashMap;
use std::sync::Arc;

use platform::db::Json;
use platform::revisions::{self, CacheTag, CachedValue, Revisions};
use platform::time_zone::TimeZone;
use platform::{Db, Error};

use super::{TaxExemption, TaxRules, list_exemptions};

/// Bumped when the rules or an exemption change.
pub fn cache_tag() -> CacheTag {
    CacheTag::new("taxes")
}

/// The rules, and who is exempt, by the ids of customers.
#[derive(Debug, Default)]
pub struct TaxTable {
    pub rules: TaxRules,
    pub exemptions: HashMap<String, TaxExemption>,
}

/// The table as of the last change. Cheap to clone.
#[derive(Clone)]
pub struct Taxes {
    cached: CachedValue<Arc<TaxTable>>,
    /// For the days on which rates hold.
    pub time_zone: TimeZone,
}

impl Taxes {
    pub fn new(revisions: Revisions, time_zone: TimeZone) -> Self {
        Self { cached: CachedValue::new(revisions, cache_tag()), time_zone }
    }

    pub async fn get(&self, db: &Db) -> platform::Result<Arc<TaxTable>> {
        self.cached
            .get(async {
                let exempt = list_exemptions(db).await?;
                let exemptions = exempt.into_iter().map(|one| (one.customer.clone(), one));
                Ok(Arc::new(TaxTable { rules: find(db).await?, exemptions: exemptions.collect() }))
            })
            .await
    }
}

const STORED_RULES: &str = "select terms from tax_rules where id = 1";

/// The stored rules; without any rate where none are.
pub async fn find(db: &Db) -> platform::Result<TaxRules> {
    let found: Option<(Json<TaxRules>,)> = db.query(STORED_RULES).optional().await?;
    Ok(found.map(|(Json(rules),)| rules).unwrap_or_default())
}

/// Changes the rules, and returns them as stored. Of two changes at once, the second sees what the first one stored.
pub async fn update(
    db: &Db,
    change: impl FnOnce(&mut TaxRules) -> Result<(), String>,
) -> platform::Result<TaxRules> {
    let invalid = |why| Error::invalid("taxes", why);
    let mut tx = db.begin().await?;
    revisions::lock_bulk_writes(&mut tx).await?;
    let found: Option<(Json<TaxRules>,)> = tx.query(STORED_RULES).optional().await?;
    let mut rules = found.map(|(Json(rules),)| rules).unwrap_or_default();
    change(&mut rules).map_err(invalid)?;
    let rules = rules.check().map_err(invalid)?;
    tx.query(
        "insert into tax_rules (id, terms) values (1, $1)
         on conflict (id) do update set terms = excluded.terms",
    )
    .bind(&Json(rules.clone()))
    .execute()
    .await?;
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await?;
    Ok(rules)
}

/// Replaces the rules.
pub async fn import(db: &Db, rules: TaxRules) -> platform::Result<TaxRules> {
    update(db, |stored| {
        *stored = rules;
        Ok(())
    })
    .await
}
