//! Quotes: a pure function from lines, rules and time to every amount that a shopper sees.

use std::collections::HashMap;

use platform::{Currency, Exchange, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::discounts::{Adjustment, CodeOutcome, Discounts, discounts};
use super::shipping::Shipment;
use super::taxes::{CartTaxes, PaidLine, TaxLine, TaxTerms, Taxation, serialize_sums};
use super::{Charges, MAX_QUANTITY, PaymentTerms, TaxSum};
use crate::catalog::{ChosenOptions, LineVariant, ProductId, TextField, VariantId};
use crate::delivery::{DeliveryOption, MethodId};
use crate::promotions::{Redemption, ShopperPromotions};
use media::Picture;

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// Of all amounts.
    pub currency: Currency,
    pub lines: Vec<QuotedLine>,
    /// The lines before reductions.
    pub sub_total: Money,
    /// Reductions of lines and of the delivery.
    pub adjustments: Vec<Adjustment>,
    /// The sum of the adjustments, as a positive amount.
    pub discount: Money,
    /// The delivery before its reduction.
    pub shipping: Money,
    /// The methods of delivery to the destination; none without delivery zones, or where nothing is delivered.
    pub deliveries: Vec<DeliveryOption>,
    /// The one that is charged: the wanted one if it takes the goods, or else the first; null where there is none.
    #[schema(required, value_type = Option<String>)]
    pub delivery: Option<MethodId>,
    /// Whether these goods are not delivered to the destination: then no order can be placed.
    pub undeliverable: bool,
    /// Whether delivery or taxes depend on the destination.
    pub depends_on_destination: bool,
    /// For cash on delivery by the charged method; 0 where there is none, or where nothing is left to pay in cash.
    pub payment_fee: Money,
    /// The total where gift cards and store credit pay it: without the fee and its tax.
    pub total_without_fee: Money,
    /// Charged at checkout: the taxes that the prices do not include or, in a shop without rates, its setting.
    pub vat: Money,
    /// By tax and rate; none in a shop without rates.
    #[schema(value_type = Vec<TaxSum>)]
    #[serde(serialize_with = "serialize_sums")]
    pub taxes: Vec<TaxLine>,
    /// Sub total, shipping and payment fee, less the discount, as the cart shows it.
    pub cart_total: Money,
    /// The cart's total and VAT: what an order is charged.
    pub total: Money,
    /// What became of the codes of the request.
    pub codes: Vec<CodeOutcome>,
    /// What placing this as an order uses.
    #[serde(skip)]
    pub redemptions: Vec<Redemption>,
    /// The time of this quote.
    pub now: Timestamp,
    /// When a sale of one of the lines starts or ends next; null when none does.
    #[schema(required)]
    pub changes_at: Option<Timestamp>,
}

impl Quote {
    /// The method that is charged.
    pub fn chosen_delivery(&self) -> Option<&DeliveryOption> {
        let chosen = self.delivery.as_ref()?;
        self.deliveries.iter().find(|option| option.id == *chosen)
    }
}

/// A line of the cart with its current price and stock.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotedLine {
    /// The variant.
    #[serde(rename = "_id")]
    pub id: VariantId,
    pub product: ProductId,
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: ChosenOptions,
    /// Empty for an unknown variant.
    pub name: String,
    pub img: String,
    pub picture: Picture,
    pub buy_price: Money,
    /// The available quantity, at most the requested one.
    pub qtn: i64,
    /// Units that can be ordered.
    pub stock: i64,
    /// When it can be had, where the quantity is not in stock; null where it is.
    #[schema(required)]
    pub back_order: Option<Timestamp>,
    pub total: Money,
    #[schema(required)]
    pub change: Option<LineChange>,
    /// Whether it is a gift card; missing where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub gift_card: bool,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LineChange {
    /// Out of stock or unknown.
    Gone,
    /// Fewer in stock than requested.
    Less,
}

/// What a quote depends on, besides goods and time.
#[derive(Clone, Copy)]
pub struct PricingRules<'r> {
    pub charges: &'r Charges,
    pub shipment: Shipment<'r>,
    pub shopper: &'r ShopperPromotions,
    pub taxes: TaxTerms<'r>,
    pub payment: PaymentTerms,
}

/// Computes a quote for quantities from 1 to 100 in a currency. Unit prices and charges are converted and rounded once, so
/// that everything adds up. Amounts saturate instead of overflowing.
pub fn quote(
    wanted: &[(VariantId, i64)],
    goods: &HashMap<VariantId, LineVariant>,
    PricingRules { charges, shipment, shopper, taxes, payment }: PricingRules<'_>,
    (to, now): (Exchange, Timestamp),
) -> Quote {
    let (currency, charges) = (to.currency, charges.shown(to));
    let lines: Vec<QuotedLine> =
        wanted.iter().map(|(id, qtn)| line(id, *qtn, goods.get(id), (to, now))).collect();
    let sub_total = Money::sum(lines.iter().map(|line| line.total), currency);
    // A gift card is money, not goods: it is not taxed.
    let is_taxed = lines.iter().any(|line| line.qtn > 0 && !line.gift_card);
    let weight = |line: &QuotedLine| goods.get(&line.id).map_or(0, |one| one.grams() * line.qtn);
    let grams: i64 = lines.iter().map(weight).fold(0, i64::saturating_add);
    let needs_delivery = |line: &QuotedLine| {
        line.qtn > 0 && goods.get(&line.id).is_some_and(LineVariant::needs_delivery)
    };
    let delivered = lines.iter().any(needs_delivery);
    let rule = shipment.rule(&charges, grams, delivered);
    let country = shipment.destination.map(|destination| destination.country);
    let Discounts { mut adjustments, shipping, codes, redemptions } =
        discounts(&lines, goods, (&rule, country), shopper, (to, now));
    let paid_goods = adjustments.iter().filter(|one| one.line.is_some());
    let paid_goods = paid_goods.fold(sub_total, |sum, one| sum + one.amount);
    let deliveries = match delivered {
        true => shipment.options((paid_goods, grams), shopper.language, (to, now)),
        false => Vec::new(),
    };
    let method = shipping.and_then(|(method, _)| method);
    let delivery = method.map(|method| method.id.clone());
    let shipping = shipping.map_or(Money::zero(currency), |(_, cost)| cost);
    let undeliverable = delivered && shipment.has_zones && deliveries.is_empty();
    let is_pickup = method.is_some_and(|method| method.pickup.is_some());
    let depends_on_destination = (delivered && shipment.has_zones) || taxes.has_rates();
    let taxation = Taxation::new(taxes, shipment.destination, is_pickup, shopper.language);
    let paid_lines = paid_lines(&lines, goods, &adjustments);
    let paid_delivery = adjustments.iter().filter(|one| one.line.is_none());
    let paid_delivery = paid_delivery.fold(shipping, |sum, one| sum + one.amount);
    let tax = |delivery: Money| taxation.as_ref().map(|all| all.apply(&paid_lines, delivery));
    let flat = if is_taxed { charges.vat } else { Money::zero(currency) };
    let added = |taxes: &Option<CartTaxes>| taxes.as_ref().map_or(flat, |all| all.added(currency));
    let discount_of = |adjustments: &[Adjustment]| {
        Money::sum(adjustments.iter().map(|one| -one.amount), currency)
    };
    let reduced = discount_of(&adjustments);
    let relieved = |taxes: &Option<CartTaxes>| {
        taxes.as_ref().map_or(Money::zero(currency), |all| discount_of(&all.relief))
    };
    // Promotions are chosen by the total without the fee: which are applied does not depend on the payment.
    let mut taxes = tax(paid_delivery);
    let without_fee = sub_total.saturating_add(shipping) - reduced - relieved(&taxes);
    let fee = method.map_or(Money::zero(currency), |method| method.cash_on_delivery_fee(to));
    let total_without_fee = without_fee.saturating_add(added(&taxes));
    let payment_fee = payment.charged(fee, total_without_fee);
    if payment_fee.is_positive() {
        taxes = tax(paid_delivery + payment_fee);
    }
    let discount = reduced.saturating_add(relieved(&taxes));
    let vat = added(&taxes);
    let CartTaxes { relief, taxes } = taxes.unwrap_or_default();
    adjustments.extend(relief);
    let cart_total = sub_total.saturating_add(shipping).saturating_add(payment_fee) - discount;
    let total = cart_total.saturating_add(vat);
    let known = wanted.iter().filter_map(|(id, _)| goods.get(id));
    let price_changes = known.filter_map(|variant| variant.stored.next_price_change(now));
    let changes_at = price_changes.chain(shopper.next_change(now)).min();
    Quote {
        currency,
        lines,
        sub_total,
        adjustments,
        discount,
        shipping,
        deliveries,
        delivery,
        undeliverable,
        depends_on_destination,
        payment_fee,
        total_without_fee,
        vat,
        taxes,
        cart_total,
        total,
        codes,
        redemptions,
        now,
        changes_at,
    }
}

/// What is paid for each line, with its class of goods.
fn paid_lines<'l>(
    lines: &'l [QuotedLine],
    goods: &'l HashMap<VariantId, LineVariant>,
    adjustments: &[Adjustment],
) -> Vec<PaidLine<'l>> {
    let bought = lines.iter().filter(|line| line.qtn > 0);
    let paid = |line: &'l QuotedLine| {
        let of_line = adjustments.iter().filter(|one| one.line.as_ref() == Some(&line.id));
        // A gift card is money, not goods.
        let taxed = goods.get(&line.id).filter(|variant| !variant.is_gift_card);
        PaidLine {
            line: &line.id,
            class: taxed.map(LineVariant::tax_class),
            paid: of_line.fold(line.total, |paid, one| paid + one.amount),
        }
    };
    bought.map(paid).collect()
}

fn line(
    id: &VariantId,
    wanted: i64,
    variant: Option<&LineVariant>,
    (to, now): (Exchange, Timestamp),
) -> QuotedLine {
    let stock = variant.map_or(0, |variant| variant.available().min(MAX_QUANTITY.max(variant.qtn)));
    let qtn = wanted.min(stock);
    let free = Money::zero(to.currency);
    let buy_price = variant.map_or(free, |variant| variant.stored.at(now, to));
    QuotedLine {
        id: id.clone(),
        product: variant.map_or_else(|| id.cast(), |variant| variant.product.clone()),
        options: variant.map(|variant| variant.options.clone()).unwrap_or_default(),
        name: variant.map_or_else(String::new, |variant| variant.name.clone()),
        img: variant
            .and_then(|variant| variant.img.first())
            .map_or_else(String::new, |photo| photo.src.clone()),
        picture: variant.and_then(|variant| variant.pictures.first().cloned()).unwrap_or_default(),
        buy_price,
        qtn,
        stock,
        back_order: variant.filter(|variant| variant.qtn < qtn).and_then(|one| one.back_order),
        total: buy_price.saturating_mul(qtn),
        change: match qtn {
            0 => Some(LineChange::Gone),
            _ if qtn < wanted => Some(LineChange::Less),
            _ => None,
        },
        gift_card: variant.is_some_and(|variant| variant.is_gift_card),
        untranslated: variant.map(|variant| variant.untranslated.clone()).unwrap_or_default(),
    }
}
