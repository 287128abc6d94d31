//! Which promotions reduce a cart, and by how much: pure functions.
//!
//! Promotions that combine are applied together, by priority; one that does not combine is applied alone. Of these choices
//! the shopper gets the one with the lowest total. What reduces several lines is shared out by largest remainder, so
//! that the shares add up exactly and a partial return is worth what was paid for it.

use std::cmp::Reverse;
use std::collections::HashMap;

use platform::error::ErrorParams;
use platform::{Amount, Currency, Exchange, Money, Timestamp};
use postal_address::Country;
use serde::Serialize;
use utoipa::ToSchema;

use super::QuotedLine;
use super::rounding::{apportion, rounded};
use super::shipping::{Shipping, ShippingRule};
use crate::catalog::{LineVariant, VariantId};
use crate::promotions::{
    CodeState, Conditions, Effect, Percent, Promotion, PromotionCode, PromotionId, Redemption,
    ShopperPromotions,
};
use crate::string_enum::string_enum;

string_enum! {
    /// What reduces a line or the delivery.
    pub enum AdjustmentKind {
        Percent = "percent",
        Amount = "amount",
        FixedPrice = "fixed_price",
        BuyGet = "buy_get",
        Gift = "gift",
        FreeDelivery = "free_delivery",
        /// The tax that the prices include and that an export or an exempt customer is not charged.
        TaxRelief = "tax_relief",
    }
}

/// A reduction of a line or, without one, of the delivery.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Adjustment {
    pub kind: AdjustmentKind,
    /// The title of its promotion, or the name of the tax, in the language of the request.
    pub label: String,
    /// Below 0.
    pub amount: Money,
    /// The variant of the line; missing for the delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<VariantId>,
    /// Missing where it is the relief of a tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub promotion: Option<PromotionId>,
    /// Missing where none was needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub code: Option<PromotionCode>,
}

/// What became of a code that the shopper typed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeOutcome {
    pub code: String,
    pub applied: bool,
    /// Why it was not applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<CodeRefusal>,
}

/// Why a code was not applied.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CodeRefusal {
    /// Stable: programs may depend on it.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// In English; may change.
    pub message: String,
    /// The values in the message. Amounts are plain numbers in the currency of the quote.
    #[serde(skip_serializing_if = "ErrorParams::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub params: ErrorParams,
}

/// Why a promotion is not applied. Made into a sentence only where it has a code that the shopper typed.
#[derive(Clone, Copy)]
enum Refusal<'p> {
    Unknown,
    UsedUp,
    Ended,
    NotStarted,
    NotNow,
    NeedsAccount,
    OtherGroup,
    FirstOrder,
    AlreadyUsed,
    OtherCurrency(&'p [Currency]),
    OtherCountry,
    NoGoods,
    MinSubTotal { least: Money, missing: Money },
    MinQuantity { least: i64, missing: i64 },
    GiftMissing(&'p VariantId),
    NoEffect,
    BetterOffer,
}

impl From<Refusal<'_>> for CodeRefusal {
    fn from(refusal: Refusal<'_>) -> Self {
        let new = |code, message: &str| Self::new(code, message);
        match refusal {
            Refusal::Unknown => new("unknown_code", "There is no such code."),
            Refusal::UsedUp => new("code_used_up", "It has been used as often as it could be."),
            Refusal::Ended => new("code_ended", "It has ended."),
            Refusal::NotStarted => new("code_not_started", "It has not started yet."),
            Refusal::NotNow => new("code_not_now", "It does not hold at this time of the week."),
            Refusal::NeedsAccount => {
                new("code_needs_account", "It is for customers who are signed in.")
            }
            Refusal::OtherGroup => new("code_other_group", "It is for certain customers."),
            Refusal::FirstOrder => new("code_first_order", "It is for a first order."),
            Refusal::AlreadyUsed => new("code_already_used", "You have used it already."),
            Refusal::OtherCurrency(currencies) => {
                let codes: Vec<&str> = currencies.iter().map(Currency::code).collect();
                let why = new("code_other_currency", "It is for orders in another currency.");
                why.with("currencies", codes.join(", "))
            }
            Refusal::OtherCountry => {
                new("code_other_country", "It is for orders to another country.")
            }
            Refusal::NoGoods => new("code_no_goods", "Nothing in the cart is part of it."),
            Refusal::MinSubTotal { least, missing } => {
                let why =
                    Self::new("code_min_sub_total", format!("It needs {least}; {missing} to go."));
                why.with("least", least.plain()).with("missing", missing.plain())
            }
            Refusal::MinQuantity { least, missing } => {
                let message = format!("It needs {least} items; {missing} to go.");
                let why = Self::new("code_min_quantity", message);
                why.with("least", least).with("missing", missing)
            }
            Refusal::GiftMissing(gift) => {
                new("code_gift_missing", "The gift is not in the cart yet.").with("gift", gift)
            }
            Refusal::NoEffect => new("code_no_effect", "It changes nothing here."),
            Refusal::BetterOffer => new("better_offer", "Another offer saves you more."),
        }
    }
}

impl CodeRefusal {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), params: ErrorParams::new() }
    }

    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.insert(name, value.to_string());
        self
    }
}

/// The reductions of a cart, and its delivery before them.
#[derive(Debug)]
pub struct Discounts<'s> {
    pub adjustments: Vec<Adjustment>,
    /// `None` where the goods cannot be delivered.
    pub shipping: Option<Shipping<'s>>,
    pub codes: Vec<CodeOutcome>,
    pub redemptions: Vec<Redemption>,
}

/// A cart whose promotions are looked for.
struct PricedLines<'c, 's> {
    lines: &'c [QuotedLine],
    /// The lines' variants; none where one is unknown.
    variants: Vec<Option<&'c LineVariant>>,
    shipping: &'c ShippingRule<'s>,
    /// Where it goes.
    country: Option<Country>,
    to: Exchange,
}

/// What a choice of promotions comes to.
struct Choice<'c, 's> {
    /// Goods and delivery.
    total: Money,
    shipping: Option<Shipping<'s>>,
    adjustments: Vec<Adjustment>,
    applied: Vec<&'c PromotionId>,
}

/// A promotion whose conditions hold.
struct Candidate<'c> {
    promotion: &'c Promotion,
    /// The code by which it came, and whether its uses are counted.
    code: Option<(&'c PromotionCode, bool)>,
    /// The places of the lines that are its goods.
    goods: Vec<usize>,
}

pub fn discounts<'s>(
    lines: &[QuotedLine],
    goods: &HashMap<VariantId, LineVariant>,
    (shipping, country): (&ShippingRule<'s>, Option<Country>),
    shopper: &ShopperPromotions,
    (to, now): (Exchange, Timestamp),
) -> Discounts<'s> {
    let variants = lines.iter().map(|line| goods.get(&line.id)).collect();
    let cart = PricedLines { lines, variants, shipping, country, to };
    let mut refused: HashMap<&PromotionId, Refusal<'_>> = HashMap::new();
    let mut candidates = Vec::new();
    for promotion in &*shopper.promotions {
        let code = code_of(promotion, shopper);
        if promotion.by_code && code.is_none() {
            continue;
        }
        match cart.goods_of(promotion, shopper, now) {
            Ok(goods) => candidates.push(Candidate { promotion, code, goods }),
            Err(why) => {
                refused.insert(&promotion.id, why);
            }
        }
    }
    let Choice { shipping, adjustments, applied, .. } = cart.best_of(&candidates, shopper);
    let is_applied =
        |id: &PromotionId| adjustments.iter().any(|one| one.promotion.as_ref() == Some(id));
    let used = candidates.iter().filter(|one| is_applied(&one.promotion.id));
    let redemptions = used.map(|one| Redemption::new(one.promotion, one.code)).collect();
    let why_not = |id: &PromotionId| match refused.get(id) {
        Some(why) => *why,
        None if !shopper.promotions.iter().any(|one| one.id == *id) => Refusal::Ended,
        None if applied.contains(&id) => Refusal::NoEffect,
        None => Refusal::BetterOffer,
    };
    let outcome = |(code, state): &(PromotionCode, CodeState)| {
        let is_applied = adjustments.iter().any(|one| one.code.as_ref() == Some(code));
        let reason = match state {
            CodeState::Unknown => Some(Refusal::Unknown),
            CodeState::Ended(_) => Some(Refusal::Ended),
            CodeState::UsedUp(_) => Some(Refusal::UsedUp),
            CodeState::Usable(id, _) => (!is_applied).then(|| why_not(id)),
        };
        let reason = reason.map(CodeRefusal::from);
        CodeOutcome { code: code.to_string(), applied: reason.is_none(), reason }
    };
    let mut codes: Vec<CodeOutcome> = shopper.codes.iter().map(outcome).collect();
    codes.extend(shopper.malformed.iter().map(|typed| CodeOutcome {
        code: typed.clone(),
        applied: false,
        reason: Some(Refusal::Unknown.into()),
    }));
    Discounts { adjustments, shipping, codes, redemptions }
}

/// The first usable code of a promotion.
fn code_of<'s>(
    promotion: &Promotion,
    shopper: &'s ShopperPromotions,
) -> Option<(&'s PromotionCode, bool)> {
    shopper.codes.iter().find_map(|(code, state)| match state {
        CodeState::Usable(id, limited) if *id == promotion.id => Some((code, *limited)),
        _ => None,
    })
}

impl<'s> PricedLines<'_, 's> {
    /// The places of a promotion's goods, where its conditions hold.
    fn goods_of<'p>(
        &self,
        promotion: &'p Promotion,
        shopper: &ShopperPromotions,
        now: Timestamp,
    ) -> Result<Vec<usize>, Refusal<'p>> {
        let terms = &promotion.terms;
        let Conditions { min_sub_total, min_quantity, first_order, groups, .. } = &terms.conditions;
        let Conditions { currencies, countries, .. } = &terms.conditions;
        if promotion.has_ended(now) {
            return Err(Refusal::Ended);
        }
        if !promotion.has_started(now) {
            return Err(Refusal::NotStarted);
        }
        if !terms.conditions.hold_at(shopper.time) {
            return Err(Refusal::NotNow);
        }
        if shopper.used_up.contains(&promotion.id) {
            return Err(Refusal::UsedUp);
        }
        if shopper.is_guest && promotion.depends_on_customer() {
            return Err(Refusal::NeedsAccount);
        }
        if !groups.is_empty() && !groups.iter().any(|group| shopper.groups.contains(group)) {
            return Err(Refusal::OtherGroup);
        }
        if *first_order && shopper.has_ordered {
            return Err(Refusal::FirstOrder);
        }
        let used = shopper.uses.get(&promotion.id).copied().unwrap_or_default();
        if promotion.customer_limit().is_some_and(|most| used >= most) {
            return Err(Refusal::AlreadyUsed);
        }
        if !currencies.is_empty() && !currencies.contains(&self.to.currency) {
            return Err(Refusal::OtherCurrency(currencies));
        }
        let goes_there = |country: &Country| self.country == Some(*country);
        if !countries.is_empty() && !countries.iter().any(goes_there) {
            return Err(Refusal::OtherCountry);
        }
        let gift = match &terms.effect {
            Effect::Gift(variant) => Some(variant),
            _ => None,
        };
        let is_goods = |(place, line): (usize, &QuotedLine)| {
            let variant =
                self.variants[place].filter(|_| line.qtn > 0 && Some(&line.id) != gift)?;
            // A gift card is money: no promotion is for it, and none counts it.
            (terms.goods.contain(variant) && !variant.is_gift_card).then_some(place)
        };
        let goods: Vec<usize> = self.lines.iter().enumerate().filter_map(is_goods).collect();
        if goods.is_empty() {
            return Err(Refusal::NoGoods);
        }
        if let Some(least) = min_sub_total {
            self.check_minimum(*least, &goods)?;
        }
        let units: i64 = goods.iter().map(|place| self.lines[*place].qtn).sum();
        if let Some(least) = min_quantity.filter(|least| units < *least) {
            return Err(Refusal::MinQuantity { least, missing: least - units });
        }
        match gift {
            Some(gift) if !self.lines.iter().any(|line| line.id == *gift && line.qtn > 0) => {
                Err(Refusal::GiftMissing(gift))
            }
            _ => Ok(goods),
        }
    }

    fn check_minimum(&self, least: Amount, goods: &[usize]) -> Result<(), Refusal<'static>> {
        let least = least.of(self.to.base).map(|least| self.to.worth(least));
        let least = least.ok_or(Refusal::Ended)?;
        let worth =
            Money::sum(goods.iter().map(|place| self.lines[*place].total), self.to.currency);
        match worth >= least {
            true => Ok(()),
            false => Err(Refusal::MinSubTotal { least, missing: least - worth }),
        }
    }

    /// The choice with the lowest total: all that combine, one that does not, or none.
    fn best_of<'c>(
        &self,
        candidates: &[Candidate<'c>],
        shopper: &ShopperPromotions,
    ) -> Choice<'c, 's> {
        let combined = candidates.iter().filter(|one| one.promotion.combines).collect();
        let alone = candidates.iter().filter(|one| !one.promotion.combines).map(|one| vec![one]);
        let mut best = self.apply(combined, shopper);
        // None at all, where a smaller cart would lose its free delivery.
        for choice in alone.chain([Vec::new()]) {
            let next = self.apply(choice, shopper);
            // What cannot be delivered is not cheaper.
            let rank = |choice: &Choice<'_, '_>| (choice.shipping.is_none(), choice.total.minor());
            if rank(&next) < rank(&best) {
                best = next;
            }
        }
        best
    }

    fn apply<'c>(
        &self,
        mut chosen: Vec<&Candidate<'c>>,
        shopper: &ShopperPromotions,
    ) -> Choice<'c, 's> {
        let phase = |one: &&Candidate<'_>| phase(&one.promotion.terms.effect);
        chosen.sort_by_key(|one| (Reverse(one.promotion.priority), phase(one)));
        let mut left: Vec<Money> = self.lines.iter().map(|line| line.total).collect();
        let mut adjustments = Vec::new();
        let row = |candidate: &Candidate<'_>, line: Option<VariantId>, amount: Money| Adjustment {
            kind: kind(&candidate.promotion.terms.effect),
            label: candidate.promotion.title(shopper.language).to_owned(),
            amount: -amount,
            line,
            promotion: Some(candidate.promotion.id.clone()),
            code: candidate.code.map(|(code, _)| code.clone()),
        };
        for candidate in &chosen {
            for (place, off) in self.reductions(candidate, &left) {
                let off = off.min(left[place]);
                if off.is_positive() {
                    left[place] = left[place] - off;
                    adjustments.push(row(candidate, Some(self.lines[place].id.clone()), off));
                }
            }
        }
        let sub_total = Money::sum(left, self.to.currency);
        let shipping = self.shipping.price(sub_total, self.to);
        let cost = shipping.map_or(Money::zero(self.to.currency), |(_, cost)| cost);
        let is_free = |one: &&&Candidate<'_>| one.promotion.terms.effect == Effect::FreeDelivery;
        let free = chosen.iter().find(is_free).filter(|_| cost.is_positive());
        let total = if free.is_some() { sub_total } else { sub_total.saturating_add(cost) };
        adjustments.extend(free.map(|candidate| row(candidate, None, cost)));
        let applied = chosen.into_iter().map(|one| &one.promotion.id).collect();
        Choice { total, shipping, adjustments, applied }
    }

    /// What a promotion takes off which lines, of what is left of them.
    fn reductions(&self, candidate: &Candidate<'_>, left: &[Money]) -> Vec<(usize, Money)> {
        let (goods, currency, base) = (&candidate.goods, self.to.currency, self.to.base);
        let sum = Money::sum(goods.iter().map(|place| left[*place]), currency);
        let shared = |off: Money| {
            let weights: Vec<i64> = goods.iter().map(|place| left[*place].minor()).collect();
            let shares = apportion(off.min(sum).minor(), &weights);
            let shares = shares.into_iter().map(|share| Money::new(share, currency));
            goods.iter().copied().zip(shares).collect()
        };
        match &candidate.promotion.terms.effect {
            Effect::Percent(percent) => shared(part(sum, *percent)),
            Effect::Amount(off) => match off.of(base) {
                Some(off) => shared(self.to.worth(off)),
                None => Vec::new(),
            },
            Effect::FixedPrice(price) => {
                let Some(price) = price.of(base).map(|price| self.to.price(price)) else {
                    return Vec::new();
                };
                let above = |place: &usize| {
                    let fixed = price.saturating_mul(self.lines[*place].qtn);
                    (*place, (left[*place] - fixed.min(left[*place])))
                };
                goods.iter().map(above).collect()
            }
            Effect::BuyGet { buy, get, percent } => {
                let units: i64 = goods.iter().map(|place| self.lines[*place].qtn).sum();
                let mut reduced = units / (buy + get) * get;
                let mut cheapest = goods.clone();
                cheapest.sort_by_key(|place| self.lines[*place].buy_price.minor());
                let take = |place: usize| {
                    let units = reduced.min(self.lines[place].qtn);
                    reduced -= units;
                    (place, part(self.price_of(place, units, left), *percent))
                };
                cheapest.into_iter().map(take).collect()
            }
            Effect::Gift(variant) => {
                let is_gift = |line: &QuotedLine| line.id == *variant && !line.gift_card;
                let place = self.lines.iter().position(is_gift);
                place.map(|place| (place, self.price_of(place, 1, left))).into_iter().collect()
            }
            Effect::FreeDelivery => Vec::new(),
        }
    }

    /// What is left to pay for some units of a line.
    fn price_of(&self, place: usize, units: i64, left: &[Money]) -> Money {
        let all = self.lines[place].qtn.max(1);
        let kept = i128::from(left[place].minor()) * i128::from(all - units) / i128::from(all);
        left[place] - Money::new(i64::try_from(kept).unwrap_or(i64::MAX), self.to.currency)
    }
}

/// Prices of single units are changed before whole lines, and amounts taken off last.
fn phase(effect: &Effect) -> u8 {
    match effect {
        Effect::FixedPrice(_) | Effect::BuyGet { .. } | Effect::Gift(_) => 0,
        Effect::Percent(_) => 1,
        Effect::Amount(_) => 2,
        Effect::FreeDelivery => 3,
    }
}

fn kind(effect: &Effect) -> AdjustmentKind {
    match effect {
        Effect::Percent(_) => AdjustmentKind::Percent,
        Effect::Amount(_) => AdjustmentKind::Amount,
        Effect::FixedPrice(_) => AdjustmentKind::FixedPrice,
        Effect::BuyGet { .. } => AdjustmentKind::BuyGet,
        Effect::Gift(_) => AdjustmentKind::Gift,
        Effect::FreeDelivery => AdjustmentKind::FreeDelivery,
    }
}

/// A percentage, half up.
fn part(of: Money, percent: Percent) -> Money {
    rounded(of, percent.hundredths().into(), Percent::ALL.into()).min(of)
}
