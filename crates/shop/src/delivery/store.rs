//! SQL of delivery zones, and the zones in memory: there are few, and they change seldom.

use std::sync::Arc;

use platform::db::Json;
use platform::revisions::{self, CacheTag, CachedValue, Revisions};
use platform::time_zone::TimeZone;
use platform::{Currency, Db, Error, Result};

use super::{DeliveryZone, ZoneId};
use crate::base_currency;

const MAX_ZONES: usize = 1000;

/// Bumped when a zone changes.
pub fn cache_tag() -> CacheTag {
    CacheTag::new("delivery")
}

/// The zones as of the last change. Cheap to clone.
#[derive(Clone)]
pub struct DeliveryZones {
    cached: CachedValue<Arc<[DeliveryZone]>>,
    /// For the days on which something arrives.
    pub time_zone: TimeZone,
}

impl DeliveryZones {
    pub fn new(revisions: Revisions, time_zone: TimeZone) -> Self {
        Self { cached: CachedValue::new(revisions, cache_tag()), time_zone }
    }

    pub async fn get(&self, db: &Db) -> Result<Arc<[DeliveryZone]>> {
        self.cached.get(async { Ok(list(db).await?.into()) }).await
    }
}

/// All zones, in their order.
pub async fn list(db: &Db) -> Result<Vec<DeliveryZone>> {
    let sql = "select terms from delivery_zones order by position, id";
    let rows: Vec<(Json<DeliveryZone>,)> = db.query(sql).all().await?;
    Ok(rows.into_iter().map(|(Json(zone),)| zone).collect())
}

/// Replaces all zones by these, in this order.
pub async fn import(db: &Db, base: Currency, zones: &[DeliveryZone]) -> Result<()> {
    if zones.len() > MAX_ZONES {
        return Err(Error::invalid("zones", format!("at most {MAX_ZONES}")));
    }
    let mut checked = Vec::with_capacity(zones.len());
    for (place, zone) in zones.iter().enumerate() {
        checked.push(zone.check(base).map_err(|why| Error::invalid("zones", why))?);
        if zones[..place].iter().any(|before| before.id == zone.id) {
            return Err(Error::invalid("zones", format!("two zones {}", zone.id)));
        }
    }
    let mut tx = db.begin().await?;
    revisions::lock_bulk_writes(&mut tx).await?;
    base_currency::establish(&mut tx, base).await?;
    tx.query("delete from delivery_zones").execute().await?;
    for (position, zone) in checked.into_iter().enumerate() {
        tx.query("insert into delivery_zones (id, position, terms) values ($1, $2, $3)")
            .bind(&zone.id.clone())
            .bind(position as i64)
            .bind(&Json(zone))
            .execute()
            .await?;
    }
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await
}

/// False where there is no such zone.
pub async fn remove(db: &Db, id: &ZoneId) -> Result<bool> {
    let mut tx = db.begin().await?;
    let removed = tx.query("delete from delivery_zones where id = $1").bind(id).execute().await?;
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await?;
    Ok(removed > 0)
}
