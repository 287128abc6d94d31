//! SQL of promotions and their codes. A change bumps the cache tag, so that every server reads them again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use platform::db::{Json, SqlValue, in_list, retry_on_conflict, value_rows};
use platform::revisions::{self, CacheTag};
use platform::{Clock, Currency, Db, Error, Language, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};

use crate::base_currency;

use super::{Conditions, Effect, Goods, Promotion, PromotionCode, PromotionId, PromotionTerms};

const COLUMNS: &str =
    "id, title, translations, terms, priority, combines, by_code, starts_at, ends_at, max_uses,
    max_uses_per_customer";
const MAX_TITLE_CHARS: usize = 100;
/// Codes of one batch.
pub const MAX_BATCH: usize = 100_000;
const ROWS_PER_INSERT: usize = 500;
const MAX_PREFIX_LEN: usize = 20;
const MAX_PRIORITY: i64 = 1_000_000;

pub(super) fn cache_tag() -> CacheTag {
    CacheTag::new("promotions")
}

/// The promotions that have not ended, the first to apply first.
pub(super) async fn not_ended(db: &Db, now: Timestamp) -> Result<Arc<[Promotion]>> {
    let which = "from promotions where ends_at is null or ends_at > $1 order by priority desc, id";
    let all: Result<Vec<Promotion>> =
        db.query(format!("select {COLUMNS} {which}")).bind(now).all().await;
    if let Ok(all) = all {
        return Ok(all.into());
    }
    // A newer version of the program may have stored terms that this one cannot read.
    let ids: Vec<(PromotionId,)> = db.query(format!("select id {which}")).bind(now).all().await?;
    let mut readable: Vec<Promotion> = Vec::new();
    for (id,) in ids {
        let sql = format!("select {COLUMNS} from promotions where id = $1");
        match db.query(sql).bind(&id).optional().await {
            Ok(promotion) => readable.extend(promotion),
            Err(why) => {
                tracing::error!(promotion = %id, %why, "a promotion cannot be read, and is not applied")
            }
        }
    }
    Ok(readable.into())
}

/// A promotion to create or, where its id is known, to change; as import files have it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPromotion {
    #[serde(rename = "_id", default)]
    pub id: Option<PromotionId>,
    /// By default the first code.
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub translations: BTreeMap<Language, String>,
    pub effect: Effect,
    #[serde(default)]
    pub goods: Goods,
    #[serde(default)]
    pub conditions: Conditions,
    #[serde(default)]
    pub priority: i64,
    #[serde(default = "combines_by_default")]
    pub combines: bool,
    /// Applied without one where there is none.
    #[serde(default)]
    pub codes: Vec<PromotionCode>,
    #[serde(default)]
    pub from: Option<Timestamp>,
    #[serde(default)]
    pub until: Option<Timestamp>,
    #[serde(default)]
    pub limit: Option<i64>,
    #[serde(default)]
    pub per_customer: Option<i64>,
}

fn combines_by_default() -> bool {
    true
}

/// A file of promotions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromotionImport {
    pub promotions: Vec<NewPromotion>,
}

impl NewPromotion {
    /// An error where something is missing, out of range or contradictory.
    fn check(&self, base: Currency) -> Result<(), String> {
        let texts = [&self.title].into_iter().chain(self.translations.values());
        for text in texts {
            if text.chars().count() > MAX_TITLE_CHARS || text.contains(char::is_control) {
                return Err(format!(
                    "the title has at most {MAX_TITLE_CHARS} characters in one line"
                ));
            }
        }
        if self.shown_title().is_empty() {
            return Err("a title is required where there is no code".into());
        }
        self.terms().check(base)?;
        if self.from.zip(self.until).is_some_and(|(from, until)| from >= until) {
            return Err("it ends before it starts".into());
        }
        if !(-MAX_PRIORITY..=MAX_PRIORITY).contains(&self.priority) {
            return Err(format!("a priority is from -{MAX_PRIORITY} to {MAX_PRIORITY}"));
        }
        if self.limit.is_some_and(|most| most < 1) || self.per_customer.is_some_and(|most| most < 1)
        {
            return Err("a limit is at least 1".into());
        }
        Ok(())
    }

    fn shown_title(&self) -> &str {
        match self.title.trim() {
            "" => self.codes.first().map_or("", PromotionCode::as_str),
            title => title,
        }
    }

    fn terms(&self) -> PromotionTerms {
        PromotionTerms {
            effect: self.effect.clone(),
            goods: self.goods.clone(),
            conditions: self.conditions.clone(),
        }
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::invalid("promotion", message)
}

/// Creates a promotion with its codes.
pub async fn create(
    db: &Db,
    (clock, random): (&Clock, &Random),
    base: Currency,
    new: &NewPromotion,
) -> Result<PromotionId> {
    Ok(import(db, (clock, random), base, std::slice::from_ref(new)).await?.remove(0))
}

/// Creates or changes promotions, all or none. Codes are added; none is removed.
pub async fn import(
    db: &Db,
    (clock, random): (&Clock, &Random),
    base: Currency,
    rows: &[NewPromotion],
) -> Result<Vec<PromotionId>> {
    retry_on_conflict(async || {
        let mut tx = db.begin().await?;
        revisions::lock_bulk_writes(&mut tx).await?;
        let ids = import_into(&mut tx, (clock, random), base, rows).await?;
        tx.commit().await?;
        Ok(ids)
    })
    .await
}

/// The same in the caller's transaction, which has locked bulk writes.
pub(crate) async fn import_into(
    tx: &mut Tx,
    (clock, random): (&Clock, &Random),
    base: Currency,
    rows: &[NewPromotion],
) -> Result<Vec<PromotionId>> {
    base_currency::establish(tx, base).await?;
    let mut ids = Vec::with_capacity(rows.len());
    for (place, new) in rows.iter().enumerate() {
        let at = |why: String| match rows.len() {
            1 => invalid(why),
            _ => invalid(format!("promotion {}: {why}", place + 1)),
        };
        new.check(base).map_err(at)?;
        let id = new.id.clone().unwrap_or_else(|| PromotionId::new(clock, random));
        write(tx, clock, &id, new).await?.map_err(at)?;
        let codes = new.codes.iter().map(|code| (code.clone(), None));
        insert_codes(tx, clock, &id, codes.collect()).await?.map_err(at)?;
        ids.push(id);
    }
    revisions::bump(tx, [cache_tag()]).await?;
    Ok(ids)
}

/// Uses are counted only where there is a limit, so none can be set later.
async fn write(
    tx: &mut Tx,
    clock: &Clock,
    id: &PromotionId,
    new: &NewPromotion,
) -> Result<Result<(), String>> {
    let before: Option<Promotion> = by_id(tx, id).await?;
    if let Some(before) = &before {
        let counted = |had: Option<i64>, has: Option<i64>| had.is_some() || has.is_none();
        if !counted(before.max_uses, new.limit)
            || !counted(before.customer_limit(), new.per_customer)
            || (new.conditions.first_order && before.customer_limit().is_none())
        {
            return Ok(Err(format!(
                "{id} has no limit, and none can be set later: end it and create another one"
            )));
        }
        if before.by_code && new.codes.is_empty() {
            return Ok(Err(format!("{id} needs a code: list at least one of its codes")));
        }
        if !before.by_code && !new.codes.is_empty() {
            return Ok(Err(format!("{id} is applied without a code, and cannot get one later")));
        }
    }
    tx.query(
        "insert into promotions (id, title, translations, terms, priority, combines, by_code, starts_at, ends_at,
           max_uses, max_uses_per_customer, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (id) do update set title = $2, translations = $3, terms = $4, priority = $5, combines = $6,
           starts_at = $8, ends_at = $9, max_uses = $10, max_uses_per_customer = $11",
    )
    .bind(id)
    .bind(new.shown_title())
    .bind(&Json(new.translations.clone()))
    .bind(&Json(new.terms()))
    .bind(new.priority)
    .bind(new.combines)
    .bind(!new.codes.is_empty())
    .bind(new.from)
    .bind(new.until)
    .bind(new.limit)
    .bind(new.per_customer)
    .bind(clock.now())
    .execute()
    .await?;
    Ok(Ok(()))
}

async fn by_id(tx: &mut Tx, id: &PromotionId) -> Result<Option<Promotion>> {
    let sql = format!("select {COLUMNS} from promotions where id = $1");
    tx.query(sql).bind(id).optional().await
}

/// Inserts codes with their limits. Those that the promotion has already stay; an error names one of another promotion.
async fn insert_codes(
    tx: &mut Tx,
    clock: &Clock,
    promotion: &PromotionId,
    codes: Vec<(PromotionCode, Option<i64>)>,
) -> Result<Result<(), String>> {
    for some in codes.chunks(ROWS_PER_INSERT) {
        let listed = some.iter().map(|(code, _)| SqlValue::from(code.as_str()));
        let sql = format!(
            "select code from promotion_codes where promotion <> $1 and {}",
            in_list("code", 2, some.len())
        );
        let taken: Option<(PromotionCode,)> =
            tx.query(sql).bind(promotion).bind_all(listed).optional().await?;
        if let Some((taken,)) = taken {
            return Ok(Err(format!("the code {taken} is that of another promotion")));
        }
        let rows = some.iter().flat_map(|(code, most)| -> [SqlValue; 4] {
            [code.as_str().into(), promotion.into(), (*most).into(), clock.now().into()]
        });
        let sql = format!(
            "insert into promotion_codes (code, promotion, max_uses, created_at) values {}
             on conflict (code) do nothing",
            value_rows(some.len(), 4)
        );
        tx.query(sql).bind_all(rows).execute().await?;
    }
    Ok(Ok(()))
}

/// Adds a batch of random codes, each of which can be used once.
pub async fn add_codes(
    db: &Db,
    (clock, random): (&Clock, &Random),
    id: &PromotionId,
    (count, prefix): (usize, &str),
) -> Result<Vec<PromotionCode>> {
    if !(1..=MAX_BATCH).contains(&count) {
        return Err(invalid(format!("a batch has 1 to {MAX_BATCH} codes")));
    }
    let prefix = match prefix {
        "" => String::new(),
        prefix => {
            let prefix: PromotionCode =
                prefix.parse().map_err(|_| invalid("the prefix is no code"))?;
            if prefix.as_str().len() > MAX_PREFIX_LEN {
                return Err(invalid(format!("a prefix has at most {MAX_PREFIX_LEN} characters")));
            }
            prefix.as_str().to_owned()
        }
    };
    let mut codes = BTreeSet::new();
    while codes.len() < count {
        codes.insert(PromotionCode::random(&prefix, random));
    }
    let mut tx = db.begin().await?;
    let promotion = by_id(&mut tx, id).await?.ok_or(Error::NotFound("promotion"))?;
    if !promotion.by_code {
        return Err(invalid(format!("{id} is applied without a code")));
    }
    let rows = codes.iter().map(|code| (code.clone(), Some(1))).collect();
    insert_codes(&mut tx, clock, id, rows).await?.map_err(invalid)?;
    tx.commit().await?;
    Ok(codes.into_iter().collect())
}

/// Ends a promotion now. False where it has ended already.
pub async fn end(db: &Db, clock: &Clock, id: &PromotionId) -> Result<bool> {
    let mut tx = db.begin().await?;
    let ended = tx
        .query("update promotions set ends_at = $2 where id = $1 and (ends_at is null or ends_at > $2)")
        .bind(id)
        .bind(clock.now())
        .execute()
        .await?;
    revisions::bump(&mut tx, [cache_tag()]).await?;
    tx.commit().await?;
    Ok(ended > 0)
}

/// A promotion with how often it was used.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PromotionSummary {
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub promotion: Promotion,
    /// One of its codes; empty where it needs none.
    pub code: String,
    /// How many codes it has.
    pub codes: i64,
    /// Orders that are not cancelled.
    pub orders: i64,
    pub created_at: Timestamp,
}

fn summary_sql() -> String {
    format!(
        "select {COLUMNS}, created_at,
           coalesce((select min(code) from promotion_codes where promotion = promotions.id), '') as code,
           (select count(*) from promotion_codes where promotion = promotions.id) as codes,
           (select count(*) from promotion_uses where promotion = promotions.id) as orders
         from promotions"
    )
}

/// The newest promotions; without those that have ended, unless `ended`.
pub async fn list(
    db: &Db,
    now: Timestamp,
    ended: bool,
    most: i64,
) -> Result<Vec<PromotionSummary>> {
    let sql = format!(
        "{} where ends_at is null or ends_at > $1 order by created_at desc, id desc limit $2",
        summary_sql()
    );
    let since = if ended { Timestamp(i64::MIN) } else { now };
    db.query(sql).bind(since).bind(most).all().await
}

/// A promotion by its id or one of its codes; an error where they are two.
pub async fn find(db: &Db, named: &str) -> Result<Option<PromotionSummary>> {
    let by_code = match named.parse::<PromotionCode>() {
        Ok(code) => {
            let sql = "select promotion from promotion_codes where code = $1";
            let found: Option<(PromotionId,)> =
                db.query(sql).bind(code.as_str()).optional().await?;
            found.map(|(id,)| id)
        }
        Err(_) => None,
    };
    let sql = format!("{} where id = $1", summary_sql());
    let summary = async |id: Option<PromotionId>| -> Result<Option<PromotionSummary>> {
        match id {
            Some(id) => db.query(sql.clone()).bind(&id).optional().await,
            None => Ok(None),
        }
    };
    let by_code = summary(by_code).await?;
    let by_id = summary(named.parse().ok()).await?;
    match (&by_code, &by_id) {
        (Some(one), Some(other)) if one.promotion.id != other.promotion.id => {
            let why =
                format!("{named} is a code of {} and the id of another one", one.promotion.id);
            Err(invalid(why))
        }
        _ => Ok(by_code.or(by_id)),
    }
}

/// A code, and what is left of it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct CodeSummary {
    pub code: PromotionCode,
    /// How often it may be used; null where that is not limited.
    pub max_uses: Option<i64>,
    /// In orders that are not cancelled.
    pub orders: i64,
}

/// The codes of a promotion.
pub async fn codes_of(db: &Db, id: &PromotionId, most: i64) -> Result<Vec<CodeSummary>> {
    let sql = "select code, max_uses,
                 (select count(*) from promotion_uses
                  where promotion_uses.promotion = promotion_codes.promotion
                    and promotion_uses.code = promotion_codes.code) as orders
               from promotion_codes where promotion = $1 order by created_at, code limit $2";
    db.query(sql).bind(id).bind(most).all().await
}
