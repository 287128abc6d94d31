//! Promotions: reductions of prices, automatic or by a code, with limits that hold. `pricing` applies them; checkout
//! counts their uses in the placing transaction. The only module that writes `promotions`, `promotion_codes`,
//! `promotion_uses`, `promotion_customers` and `customer_groups` (decision 029).

mod active;
mod code;
mod groups;
mod redeem;
mod store;
mod terms;

use std::collections::BTreeMap;

use platform::db::Json;
use platform::{Id, Language, Timestamp};
use serde::Serialize;

pub use active::{ActivePromotions, Buyer, CodeState, ShopperPromotions};
pub use code::{CodeList, PromotionCode};
pub use groups::{erase, group_name, groups_of, list_groups, members, set_member};
pub use redeem::{CustomerKey, Redemption, anonymize, give_back, redeem};
pub(crate) use store::import_into;
pub use store::{
    CodeSummary, MAX_BATCH, NewPromotion, PromotionImport, PromotionSummary, add_codes, codes_of,
    create, end, find, import, list,
};
pub use terms::{Conditions, Effect, Goods, Hours, Percent, PromotionTerms, Weekday};

pub type PromotionId = Id<Promotion>;

/// A reduction of prices, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Promotion {
    #[serde(rename = "_id")]
    pub id: PromotionId,
    /// In the default language.
    pub title: String,
    pub translations: Json<BTreeMap<Language, String>>,
    pub terms: Json<PromotionTerms>,
    /// Higher ones are applied first.
    pub priority: i64,
    /// Whether it is applied together with others.
    pub combines: bool,
    /// Whether a code is needed.
    pub by_code: bool,
    pub starts_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    pub max_uses: Option<i64>,
    pub max_uses_per_customer: Option<i64>,
}

impl Promotion {
    /// The title as shoppers read it.
    pub fn title(&self, language: Option<Language>) -> &str {
        let translated = language.and_then(|language| self.translations.get(&language));
        translated.map_or(&self.title, String::as_str)
    }

    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
    }

    pub fn has_started(&self, now: Timestamp) -> bool {
        self.starts_at.is_none_or(|start| start <= now)
    }

    /// How often a customer may use it; what is only for first orders is used once.
    pub fn customer_limit(&self) -> Option<i64> {
        let first_order = self.terms.conditions.first_order.then_some(1);
        [self.max_uses_per_customer, first_order].into_iter().flatten().min()
    }

    /// Whether it matters who orders: then it is for accounts only, because a phone number can be invented.
    pub fn depends_on_customer(&self) -> bool {
        self.customer_limit().is_some() || !self.terms.conditions.groups.is_empty()
    }
}
