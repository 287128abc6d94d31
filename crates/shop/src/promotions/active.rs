//! The promotions that may apply to a cart, in memory: with dozens of them, a quote reads none from the database. What
//! changes with every order, such as how often a code was used, is read when it matters.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use platform::db::{SqlValue, in_list};
use platform::revisions::{CachedValue, Revisions};
use platform::secret::Secret;
use platform::time_zone::{LocalTime, TimeZone};
use platform::{Db, Id, Language, Result, Timestamp};

use super::redeem::CustomerKey;
use super::{CodeList, Promotion, PromotionCode, PromotionId};
use super::{groups, store};

/// Cheap to clone.
#[derive(Clone)]
pub struct ActivePromotions {
    cached: CachedValue<Arc<[Promotion]>>,
    time_zone: TimeZone,
    secret: Secret,
}

/// Somebody whose cart is priced.
#[derive(Clone, Copy, Default)]
pub struct Buyer<'b> {
    /// The account's id.
    pub customer: &'b str,
    /// In lower case.
    pub verified_email: Option<&'b str>,
    pub verified_phone: Option<&'b str>,
    /// Orders without an account: promotions that depend on who somebody is are not for these.
    pub is_guest: bool,
}

impl Buyer<'_> {
    pub const GUEST: Self =
        Self { customer: "", verified_email: None, verified_phone: None, is_guest: true };
}

/// What decides which promotions a shopper gets, besides the cart.
#[derive(Clone)]
pub struct ShopperPromotions {
    pub promotions: Arc<[Promotion]>,
    pub codes: Vec<(PromotionCode, CodeState)>,
    /// What was typed and cannot be a code.
    pub malformed: Vec<String>,
    /// Promotions that were used as often as they may be.
    pub used_up: HashSet<PromotionId>,
    /// How often this customer used those that are limited per customer.
    pub uses: HashMap<PromotionId, i64>,
    pub has_ordered: bool,
    /// Whether there is no account.
    pub is_guest: bool,
    /// The groups that the customer is in.
    pub groups: Vec<String>,
    pub time: LocalTime,
    /// To translate titles to.
    pub language: Option<Language>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeState {
    Unknown,
    Ended(PromotionId),
    UsedUp(PromotionId),
    /// Whether its uses are counted.
    Usable(PromotionId, bool),
}

impl CodeState {
    pub fn promotion(&self) -> Option<&PromotionId> {
        match self {
            Self::Unknown => None,
            Self::Ended(promotion) | Self::UsedUp(promotion) | Self::Usable(promotion, _) => {
                Some(promotion)
            }
        }
    }
}

impl ActivePromotions {
    pub fn new(revisions: Revisions, time_zone: TimeZone, secret: Secret) -> Self {
        Self { cached: CachedValue::new(revisions, store::cache_tag()), time_zone, secret }
    }

    /// One for the account and, where they are verified, one for the e-mail address and one for the phone number: a second
    /// account does not make a customer new. None for guests, who get no promotion that counts them.
    pub fn customer_keys(&self, buyer: Buyer<'_>) -> Vec<CustomerKey> {
        if buyer.is_guest {
            return Vec::new();
        }
        let account = format!("promotions of account {}", buyer.customer);
        let email = buyer.verified_email.map(|email| format!("promotions of e-mail {email}"));
        let phone = buyer.verified_phone.map(|phone| format!("promotions of phone {phone}"));
        let names = [Some(account), email, phone].into_iter().flatten();
        let mut keys: Vec<CustomerKey> =
            names.map(|name| Id::from_content(&self.secret.derive(&name))).collect();
        keys.sort();
        keys
    }

    /// Reads them again, after one turned out to be changed.
    pub async fn reload(&self, db: &Db, now: Timestamp) -> Result<Arc<[Promotion]>> {
        self.cached.reload(store::not_ended(db, now)).await
    }

    /// What decides which promotions a shopper with these codes gets.
    pub async fn shopper(
        &self,
        db: &Db,
        buyer: Buyer<'_>,
        typed: &CodeList,
        (language, now): (Option<Language>, Timestamp),
    ) -> Result<ShopperPromotions> {
        let mut promotions = self.cached.get(store::not_ended(db, now)).await?;
        let time = self.time_zone.local(now);
        let codes = code_states(db, &typed.codes, now).await?;
        let is_known = |id: &PromotionId| promotions.iter().any(|one| one.id == *id);
        let is_new = |state: &CodeState| match state {
            CodeState::Usable(id, _) => !is_known(id),
            _ => false,
        };
        if codes.iter().any(|(_, state)| is_new(state)) {
            // It was created since the last poll.
            promotions = self.reload(db, now).await?;
        }
        let mut shopper = ShopperPromotions {
            promotions: promotions.clone(),
            codes,
            malformed: typed.malformed.clone(),
            used_up: HashSet::new(),
            uses: HashMap::new(),
            has_ordered: false,
            is_guest: buyer.is_guest,
            groups: Vec::new(),
            time,
            language,
        };
        let by_code = |one: &Promotion| {
            shopper.codes.iter().any(|(_, state)| state.promotion() == Some(&one.id))
        };
        let possible: Vec<&Promotion> =
            promotions.iter().filter(|one| !one.by_code || by_code(one)).collect();
        let limited = possible.iter().filter(|one| one.max_uses.is_some());
        shopper.used_up = used_up(db, limited.map(|one| &one.id)).await?;
        if buyer.customer.is_empty() {
            return Ok(shopper);
        }
        let limited = possible.iter().filter(|one| one.customer_limit().is_some());
        shopper.uses = uses_of(db, &self.customer_keys(buyer), limited.map(|one| &one.id)).await?;
        if possible.iter().any(|one| !one.terms.conditions.groups.is_empty()) {
            shopper.groups = groups::groups_of(db, buyer.customer).await?;
        }
        if possible.iter().any(|one| one.terms.conditions.first_order) {
            shopper.has_ordered = has_ordered(db, buyer.customer).await?;
        }
        Ok(shopper)
    }
}

impl ShopperPromotions {
    /// When a promotion starts or ends next.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let bounds = |one: &Promotion| [one.starts_at, one.ends_at].into_iter().flatten();
        let shown = self.promotions.iter().filter(|one| {
            !one.by_code || self.codes.iter().any(|(_, code)| code.promotion() == Some(&one.id))
        });
        shown.flat_map(bounds).filter(|at| *at > now).min()
    }

    #[cfg(test)]
    pub fn for_tests(promotions: Vec<Promotion>) -> Self {
        Self {
            promotions: promotions.into(),
            codes: Vec::new(),
            malformed: Vec::new(),
            used_up: HashSet::new(),
            uses: HashMap::new(),
            has_ordered: false,
            is_guest: false,
            groups: Vec::new(),
            time: TimeZone::default().local(Timestamp(0)),
            language: None,
        }
    }
}

async fn code_states(
    db: &Db,
    typed: &[PromotionCode],
    now: Timestamp,
) -> Result<Vec<(PromotionCode, CodeState)>> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "select code, promotion, promotion_codes.max_uses, promotion_codes.uses, ends_at
         from promotion_codes join promotions on promotions.id = promotion_codes.promotion where {}",
        in_list("code", 1, typed.len())
    );
    let codes = typed.iter().map(|code| SqlValue::from(code.as_str()));
    type CodeRow = (PromotionCode, PromotionId, Option<i64>, i64, Option<Timestamp>);
    let rows: Vec<CodeRow> = db.query(sql).bind_all(codes).all().await?;
    let state = |code: &PromotionCode| {
        let found = rows.iter().find(|(known, ..)| known == code);
        match found {
            None => CodeState::Unknown,
            Some((_, promotion, .., Some(end))) if *end <= now => {
                CodeState::Ended(promotion.clone())
            }
            Some((_, promotion, Some(most), uses, _)) if uses >= most => {
                CodeState::UsedUp(promotion.clone())
            }
            Some((_, promotion, most, ..)) => CodeState::Usable(promotion.clone(), most.is_some()),
        }
    };
    Ok(typed.iter().map(|code| (code.clone(), state(code))).collect())
}

async fn used_up(
    db: &Db,
    limited: impl Iterator<Item = &PromotionId>,
) -> Result<HashSet<PromotionId>> {
    let ids: Vec<SqlValue> = limited.map(SqlValue::from).collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let listed = in_list("id", 1, ids.len());
    let sql = format!("select id from promotions where uses >= max_uses and {listed}");
    let rows: Vec<(PromotionId,)> = db.query(sql).bind_all(ids).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

async fn uses_of(
    db: &Db,
    keys: &[CustomerKey],
    limited: impl Iterator<Item = &PromotionId>,
) -> Result<HashMap<PromotionId, i64>> {
    let ids: Vec<SqlValue> = limited.map(SqlValue::from).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "select promotion, max(uses) from promotion_customers where {} and {} group by promotion",
        in_list("promotion", 1, ids.len()),
        in_list("customer_key", 1 + ids.len(), keys.len())
    );
    let keys = keys.iter().map(SqlValue::from);
    let rows: Vec<(PromotionId, i64)> = db.query(sql).bind_all(ids).bind_all(keys).all().await?;
    Ok(rows.into_iter().collect())
}

async fn has_ordered(db: &Db, customer: &str) -> Result<bool> {
    let sql = "select id from orders where customer = $1 and status <> 'cancelled' limit 1";
    let found: Option<(Id<()>,)> = db.query(sql).bind(customer).optional().await?;
    Ok(found.is_some())
}
