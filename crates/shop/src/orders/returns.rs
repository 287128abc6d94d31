//! Returns and refunds: which units of an order are returned, and what they are worth. Pure functions;
//! the store applies them.
//!
//! A refund is what was paid for the returned units, after discounts, plus their share of the taxes of their line that
//! were added to it or, of a flat VAT, a share by what was paid. Delivery and the fee for cash on delivery are not
//! refunded, nor is their tax. The parts of all returns add up to what was paid for the goods and for their taxes exactly,
//! because each is the difference of two rounded sums, and no more is refunded than was paid.

use platform::http::whole_number;
use platform::{Currency, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Order, OrderLine};
use crate::catalog::VariantId;
use crate::gift_cards::{SoldGiftCard, SoldGiftCardState};
use crate::pricing::TaxLine;
use crate::string_enum::string_enum;

string_enum! {
    pub enum ReturnState {
        /// The customer wants to return it.
        Requested = "requested",
        /// The shop has received it.
        Received = "received",
        /// The shop does not accept it.
        Refused = "refused",
        Refunded = "refunded",
    }
}

/// A quantity of one of an order's lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::FromRow)]
pub struct ReturnLine {
    #[serde(rename = "_id")]
    pub variant: VariantId,
    #[serde(rename = "qtn", deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 100)]
    pub quantity: i64,
}

/// A return of some of an order's lines. Amounts are in the order's currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderReturn {
    /// Index within the order, from 0.
    #[serde(skip)]
    pub place: i64,
    pub state: ReturnState,
    pub requested_at: Timestamp,
    /// When it was refused or refunded.
    #[schema(required)]
    pub settled_at: Option<Timestamp>,
    /// The price paid for its goods.
    pub goods: Money,
    /// The share of the order's VAT, or the taxes that were added to their prices.
    pub vat: Money,
    /// The amount that went back to the order's gift cards.
    pub gift_cards: Money,
    /// The amount refunded as store credit.
    pub credit: Money,
    /// The amount refunded through the original payment.
    pub paid: Money,
    pub lines: Vec<ReturnLine>,
}

impl OrderReturn {
    /// The whole refund.
    pub fn given_back(&self) -> Money {
        self.gift_cards + self.credit + self.paid
    }

    pub(super) fn is_refunded(&self) -> bool {
        self.state == ReturnState::Refunded
    }
}

/// How much of an order was returned; the next status depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReturnProgress {
    /// An earlier return was refunded.
    pub any_refunded: bool,
    /// Nothing is left with the customer once the open return is done.
    pub all_returned: bool,
}

/// The return that is neither refused nor refunded; there is at most one.
pub fn open_return(returns: &[OrderReturn]) -> Option<&OrderReturn> {
    returns.iter().find(|one| matches!(one.state, ReturnState::Requested | ReturnState::Received))
}

pub fn return_progress(order: &Order, returns: &[OrderReturn]) -> ReturnProgress {
    let some = returns.iter().any(OrderReturn::is_refunded);
    ReturnProgress { any_refunded: some, all_returned: returnable(order, returns).is_empty() }
}

/// Lines that can still be returned.
pub fn returnable(order: &Order, returns: &[OrderReturn]) -> Vec<ReturnLine> {
    let accepted = returns.iter().filter(|one| one.state != ReturnState::Refused);
    let back: Vec<&ReturnLine> = accepted.flat_map(|one| &one.lines).collect();
    let left = order.lines.iter().map(|line| {
        let of_it = back.iter().filter(|one| one.variant == line.variant);
        let quantity = line.quantity - of_it.map(|one| one.quantity).sum::<i64>();
        ReturnLine { variant: line.variant.clone(), quantity }
    });
    left.filter(|line| line.quantity > 0).collect()
}

/// The lines without units whose gift card was spent: the card stays with whoever has it.
pub fn without_spent(mut lines: Vec<ReturnLine>, cards: &[SoldGiftCard]) -> Vec<ReturnLine> {
    for line in &mut lines {
        let of_line = || cards.iter().filter(|card| card.line == line.variant);
        if of_line().next().is_some() {
            let is_left =
                |card: &&SoldGiftCard| card.state != SoldGiftCardState::Voided && !card.is_spent;
            line.quantity = line.quantity.min(of_line().filter(is_left).count() as i64);
        }
    }
    lines.retain(|line| line.quantity > 0);
    lines
}

/// The lines of `left` that `wanted` selects, all of them when it is empty. `None` when a line
/// repeats or the quantity is not available.
pub fn select_lines(left: Vec<ReturnLine>, wanted: &[ReturnLine]) -> Option<Vec<ReturnLine>> {
    if wanted.is_empty() {
        return Some(left);
    }
    let mut chosen = Vec::with_capacity(wanted.len());
    for line in &left {
        let mut of_it = wanted.iter().filter(|one| one.variant == line.variant);
        let Some(one) = of_it.next() else { continue };
        if of_it.next().is_some() || !(1..=line.quantity).contains(&one.quantity) {
            return None;
        }
        chosen.push(one.clone());
    }
    (chosen.len() == wanted.len()).then_some(chosen)
}

/// The price paid for some of an order's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnValue {
    pub goods: Money,
    pub vat: Money,
}

impl ReturnValue {
    pub fn none(currency: Currency) -> Self {
        Self { goods: Money::zero(currency), vat: Money::zero(currency) }
    }
}

/// The value of `lines`, after earlier refunds. VAT is shared by what was paid, or by units when the goods were
/// free.
pub fn return_value(order: &Order, before: &[OrderReturn], lines: &[ReturnLine]) -> ReturnValue {
    let refunded: Vec<&ReturnLine> =
        before.iter().filter(|one| one.is_refunded()).flat_map(|one| &one.lines).collect();
    let done = value_of(order, refunded.iter().copied());
    let after = value_of(order, refunded.into_iter().chain(lines));
    ReturnValue { goods: after.goods - done.goods, vat: after.vat - done.vat }
}

/// The value of all these units together.
fn value_of<'l>(order: &Order, units: impl Iterator<Item = &'l ReturnLine>) -> ReturnValue {
    let units: Vec<&ReturnLine> = units.collect();
    let zero = Money::zero(order.currency);
    let (mut goods, mut worth, mut all_worth, mut tax) = (zero, zero, zero, zero);
    let (mut returned, mut ordered) = (0, 0);
    for line in &order.lines {
        let of_it = units.iter().filter(|one| one.variant == line.variant);
        let units = of_it.map(|one| one.quantity).sum();
        let all_units = order.worth_of_units(line, line.quantity);
        let some = order.worth_of_units(line, units);
        goods = goods + if units == line.quantity { order.paid_for(line) } else { some };
        (worth, all_worth) = (worth + some, all_worth + all_units);
        let of_line = order.taxes_of(line).filter(|tax| !tax.included);
        tax = of_line.fold(tax, |sum, one| sum + share(one.amount, (units, line.quantity)));
        (returned, ordered) = (returned + units, ordered + line.quantity);
    }
    let vat = match (order.taxes.is_empty(), all_worth.is_zero()) {
        (false, _) => tax,
        (true, true) => share(order.vat, (returned, ordered)),
        (true, false) => share(order.vat, (worth.minor(), all_worth.minor())),
    };
    ReturnValue { goods, vat }
}

/// The taxes of what a return refunds, also those that the prices included. Those of all returns add up to the taxes of the
/// goods.
pub fn return_taxes(order: &Order, returns: &[OrderReturn], of: &OrderReturn) -> Vec<TaxLine> {
    let units = |line: &OrderLine, upto: i64| -> i64 {
        let refunded = returns.iter().filter(|one| one.is_refunded() && one.place < upto);
        let lines = refunded.flat_map(|one| &one.lines);
        lines.filter(|one| one.variant == line.variant).map(|one| one.quantity).sum()
    };
    let mut taxes = Vec::new();
    for line in &order.lines {
        let (before, after) = (units(line, of.place), units(line, of.place + 1));
        if after == before {
            continue;
        }
        let part =
            |amount| share(amount, (after, line.quantity)) - share(amount, (before, line.quantity));
        let of_return =
            |tax: &TaxLine| TaxLine { net: part(tax.net), amount: part(tax.amount), ..tax.clone() };
        taxes.extend(order.taxes_of(line).map(of_return));
    }
    taxes
}

/// A part of an amount, rounded down.
fn share(amount: Money, (part, all): (i64, i64)) -> Money {
    let share = i128::from(amount.minor()) * i128::from(part) / i128::from(all.max(1));
    Money::new(i64::try_from(share).unwrap_or_default(), amount.currency())
}

impl Order {
    /// The taxes of a line.
    pub fn taxes_of(&self, line: &OrderLine) -> impl Iterator<Item = &TaxLine> {
        self.taxes.iter().filter(|tax| tax.line.as_ref() == Some(&line.variant))
    }

    /// What some units of a line are worth: their price or, of a reduced line, their share of what was paid. In orders in
    /// taka of earlier versions, what was paid for a whole line is not exactly price times quantity.
    pub(super) fn worth_of_units(&self, line: &OrderLine, units: i64) -> Money {
        let paid = self.paid_for(line);
        match paid == line.total {
            true => line.price * units,
            false => share(paid, (units, line.quantity)),
        }
    }
}

/// The amount and form of a refund.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refund {
    /// The value of the returned lines by default.
    pub amount: Option<Money>,
    /// Everything but the part of gift cards as store credit instead of through the original payment. Only the customer
    /// may choose this.
    pub as_credit: bool,
}

/// A refund's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundSplit {
    /// Back to the order's gift cards.
    pub gift_cards: Money,
    /// As store credit.
    pub credit: Money,
    /// Through the original payment.
    pub paid: Money,
}

impl RefundSplit {
    pub fn none(currency: Currency) -> Self {
        let zero = Money::zero(currency);
        Self { gift_cards: zero, credit: zero, paid: zero }
    }

    pub fn total(self) -> Money {
        self.gift_cards + self.credit + self.paid
    }
}

/// The sum of earlier refunds.
pub fn refunded_so_far(order: &Order, returns: &[OrderReturn]) -> RefundSplit {
    let refunded = || returns.iter().filter(|one| one.is_refunded());
    RefundSplit {
        gift_cards: Money::sum(refunded().map(|one| one.gift_cards), order.currency),
        credit: Money::sum(refunded().map(|one| one.credit), order.currency),
        paid: Money::sum(refunded().map(|one| one.paid), order.currency),
    }
}

impl Refund {
    /// Splits a refund for goods of this value, after the earlier refunds `given`: the part that was paid with gift cards is
    /// refunded first, to them; then the part that was paid with store credit, as store credit. An error is the most that
    /// can be refunded.
    pub fn split(
        self,
        order: &Order,
        given: RefundSplit,
        worth: ReturnValue,
    ) -> Result<RefundSplit, Money> {
        let left = order.total - given.total();
        let amount = match self.amount {
            Some(amount) if amount > left => return Err(left),
            Some(amount) => amount,
            None => (worth.goods + worth.vat).min(left),
        };
        let zero = Money::zero(order.currency);
        let gift_cards = amount.min(order.gift_card_sum() - given.gift_cards);
        let rest = amount - gift_cards;
        let credit = match self.as_credit {
            true => rest,
            false => rest.min((order.credit - given.credit).max(zero)),
        };
        Ok(RefundSplit { gift_cards, credit, paid: rest - credit })
    }
}

#[cfg(test)]
mod tests {
    use platform::db::Json;
    use platform::{ExchangeRate, Random};
    use proptest::prelude::*;

    use std::collections::BTreeMap;

    use super::super::{BaseAmounts, OrderGiftCard, OrderLine, OrderNumber};
    use super::*;
    use crate::gift_cards::GiftCardId;
    use crate::pricing::{Adjustment, AdjustmentKind};
    use crate::taxes::TaxPercent;

    fn taka(minor: i64) -> Money {
        Money::new(minor, Currency::BDT)
    }

    /// An order with these lines: price in paisa and quantity.
    fn order(lines: &[(i64, i64)], shipping: i64, vat: i64, credit: i64) -> Order {
        let line = |(place, (price, quantity)): (usize, &(i64, i64))| OrderLine {
            variant: format!("p{place}").parse().unwrap(),
            product: format!("p{place}").parse().unwrap(),
            options: Json::default(),
            name: String::new(),
            sku: String::new(),
            picture: String::new(),
            price: taka(*price),
            quantity: *quantity,
            total: taka(*price) * *quantity,
            base_total: Money::default(),
        };
        let sub_total: i64 = lines.iter().map(|(price, quantity)| price * quantity).sum();
        let total = sub_total + shipping + vat;
        let credit = total * credit / 100;
        let rate: ExchangeRate = "120.5".parse().unwrap();
        Order {
            id: "o".parse().unwrap(),
            number: OrderNumber::new(&Random::seeded(1)),
            customer: String::new(),
            email: String::new(),
            name: String::new(),
            phone: String::new(),
            address: String::new(),
            postal_address: None,
            currency: Currency::BDT,
            base: BaseAmounts {
                currency: Currency::USD,
                rate,
                sub_total: rate.to_base(taka(sub_total), Currency::USD),
                discount: Money::default(),
                shipping: Money::default(),
                payment_fee: Money::default(),
                vat: Money::default(),
                total: rate.to_base(taka(total), Currency::USD),
                gift_cards: Money::zero(Currency::USD),
                credit: rate.to_base(taka(credit), Currency::USD),
            },
            language: None,
            sub_total: taka(sub_total),
            adjustments: Vec::new(),
            discount: taka(0),
            shipping: taka(shipping),
            delivery: None,
            payment_fee: taka(0),
            vat: taka(vat),
            taxes: Vec::new(),
            tax_number: String::new(),
            total: taka(total),
            gift_cards: Vec::new(),
            credit: taka(credit),
            created_at: Timestamp(0),
            lines: lines.iter().enumerate().map(line).collect(),
        }
    }

    /// Paid in cash on delivery.
    fn with_fee(mut order: Order, fee: i64) -> Order {
        order.payment_fee = taka(fee);
        order.total = order.total + order.payment_fee;
        order
    }

    /// With a reduction of each line by a percentage.
    fn reduced(mut order: Order, percents: &[i64], credit: i64) -> Order {
        for (line, percent) in order.lines.iter().zip(percents) {
            let off = taka(line.total.minor() * percent / 100);
            if off.is_positive() {
                order.adjustments.push(Adjustment {
                    kind: AdjustmentKind::Percent,
                    label: String::new(),
                    amount: -off,
                    line: Some(line.variant.clone()),
                    promotion: "spring".parse().ok(),
                    code: None,
                });
                order.discount = order.discount + off;
            }
        }
        order.total = order.total - order.discount;
        order.credit = taka(order.total.minor() * credit / 100);
        order.gift_cards.clear();
        order.base.credit = order.base.rate.to_base(order.credit, Currency::USD);
        order
    }

    /// Taxed at rates in percent: each line at some of them, the delivery with its fee at the first.
    fn taxed(mut order: Order, rates: &[i64], is_included: bool) -> Order {
        let row = |rate: usize, line: Option<&OrderLine>, paid: Money| {
            let (percent, all) = (rates[rate], rates.iter().sum::<i64>());
            let on = if is_included { 100 + all } else { 100 };
            TaxLine {
                label: format!("Tax {rate}"),
                percent: TaxPercent::from_thousandths(percent * 1000),
                line: line.map(|line| line.variant.clone()),
                net: if is_included { share(paid, (100, on)) } else { paid },
                amount: share(paid, (percent, on)),
                included: is_included,
                relief: None,
            }
        };
        let mut taxes = Vec::new();
        for (place, line) in order.lines.iter().enumerate() {
            let paid = order.paid_for(line);
            let of_line = (0..rates.len()).filter(|rate| (place + rate) % 3 != 0);
            taxes.extend(of_line.map(|rate| row(rate, Some(line), paid)));
        }
        taxes.push(row(0, None, order.shipping + order.payment_fee));
        order.taxes = taxes;
        let added = order.taxes.iter().filter(|tax| !tax.included);
        order.vat = Money::sum(added.map(|tax| tax.amount), order.currency);
        order.total = order.total + order.vat;
        order
    }

    /// Paid with gift cards too, each of which pays a percentage of what is left.
    fn with_gift_cards(mut order: Order, percents: &[i64]) -> Order {
        for (place, percent) in percents.iter().enumerate() {
            let amount = taka(order.to_pay().minor() * percent / 100);
            if amount.is_positive() {
                order.gift_cards.push(OrderGiftCard {
                    card: format!("card-{place}").parse().unwrap(),
                    last_four: "2345".to_owned(),
                    amount,
                    // At least as much as it is worth.
                    base_amount: order.base.rate.to_base(amount, Currency::USD)
                        + Money::new(place as i64 % 2, Currency::USD),
                });
            }
        }
        order
    }

    fn refunded(lines: Vec<ReturnLine>, back: RefundSplit) -> OrderReturn {
        let RefundSplit { gift_cards, credit, paid } = back;
        OrderReturn {
            place: 0,
            state: ReturnState::Refunded,
            requested_at: Timestamp(0),
            settled_at: None,
            goods: taka(0),
            vat: taka(0),
            gift_cards,
            credit,
            paid,
            lines,
        }
    }

    proptest! {
        /// Unit by unit, in any order: in the end everything but the delivery and the fee is refunded, to the cent.
        #[test]
        fn all_returns_together_refund_everything_but_delivery(
            lines in proptest::collection::vec((0i64..100_000, 1i64..5), 1..6),
            (shipping, fee, vat, credit) in (0i64..10_000, 0i64..2_000, 0i64..20_000, 0i64..=100),
            offs in proptest::collection::vec(0i64..=100, 6),
            cards in proptest::collection::vec(0i64..=100, 0..4),
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 32),
        ) {
            let order = with_fee(order(&lines, shipping, vat, credit), fee);
            let order = reduced(order, &offs, credit);
            let order = with_gift_cards(order, &cards);
            let mut returns = Vec::new();
            let mut credited = Money::zero(Currency::USD);
            let mut on_cards: BTreeMap<&GiftCardId, Money> = BTreeMap::new();
            for pick in picks {
                let left = returnable(&order, &returns);
                if left.is_empty() {
                    break;
                }
                let one = ReturnLine { quantity: 1, ..pick.get(&left).clone() };
                let chosen = select_lines(left, &[one]).unwrap();
                let worth = return_value(&order, &returns, &chosen);
                let given = refunded_so_far(&order, &returns);
                let back = Refund::default().split(&order, given, worth).unwrap();
                prop_assert_eq!(back.total(), worth.goods + worth.vat);
                credited = credited + order.credit_in_base(given.credit, back.credit);
                for (card, amount) in order.gift_card_refunds(given.gift_cards, back.gift_cards) {
                    let sum = on_cards.entry(card).or_insert(Money::zero(Currency::USD));
                    *sum = *sum + amount;
                }
                returns.push(refunded(chosen, back));
            }
            let given = refunded_so_far(&order, &returns);
            prop_assert!(given.credit <= order.credit && given.paid <= order.to_pay());
            prop_assert!(given.gift_cards <= order.gift_card_sum());
            let zero = Money::zero(Currency::USD);
            for card in &order.gift_cards {
                let back = on_cards.get(&card.card).copied().unwrap_or(zero);
                prop_assert!(back <= card.base_amount);
                if given.gift_cards == order.gift_card_sum() {
                    prop_assert_eq!(back, card.base_amount);
                }
            }
            prop_assert!(credited <= order.base.credit);
            if given.credit == order.credit {
                prop_assert_eq!(credited, order.base.credit);
            }
            if returnable(&order, &returns).is_empty() {
                prop_assert_eq!(given.total(), order.total - order.shipping - order.payment_fee);
                prop_assert!(return_progress(&order, &returns).all_returned);
            }
        }

        /// Whatever amounts the shop enters, in either form.
        #[test]
        fn no_more_is_refunded_than_was_paid(
            goods in 1i64..1_000_000, shipping in 0i64..10_000, credit in 0i64..=100,
            cards in proptest::collection::vec(0i64..=100, 0..4),
            said in proptest::collection::vec((0i64..=60, any::<bool>()), 0..6),
        ) {
            let order = with_gift_cards(order(&[(goods, 6)], shipping, 0, credit), &cards);
            let mut returns = Vec::new();
            for (percent, as_credit) in said {
                let given = refunded_so_far(&order, &returns);
                let amount = taka(order.total.minor() * percent / 100);
                let refund = Refund { amount: Some(amount), as_credit };
                match refund.split(&order, given, ReturnValue::none(Currency::BDT)) {
                    Ok(back) => {
                        prop_assert_eq!(back.total(), amount);
                        prop_assert!(!as_credit || back.paid.is_zero());
                        returns.push(refunded(vec![], back));
                    }
                    Err(left) => prop_assert!(left < amount && left == order.total - given.total()),
                }
                let given = refunded_so_far(&order, &returns);
                prop_assert!(given.total() <= order.total && given.paid <= order.to_pay());
                prop_assert!(given.gift_cards <= order.gift_card_sum());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// Unit by unit, in any order: in the end everything but the delivery, the fee and their tax is refunded, and the
        /// taxes of the returns are those of the goods.
        #[test]
        fn all_returns_together_refund_the_goods_with_their_taxes(
            lines in proptest::collection::vec((0i64..100_000, 1i64..4), 1..5),
            (shipping, fee, credit) in (0i64..10_000, 0i64..2_000, 0i64..=100),
            offs in proptest::collection::vec(0i64..=100, 5),
            (rates, is_included) in (proptest::collection::vec(0i64..=30, 1..4), any::<bool>()),
            cards in proptest::collection::vec(0i64..=100, 0..3),
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 12),
        ) {
            let order = with_fee(order(&lines, shipping, 0, credit), fee);
            let order = taxed(reduced(order, &offs, credit), &rates, is_included);
            let order = with_gift_cards(order, &cards);
            let mut returns: Vec<OrderReturn> = Vec::new();
            let mut taxes: Vec<TaxLine> = Vec::new();
            for pick in picks {
                let left = returnable(&order, &returns);
                if left.is_empty() {
                    break;
                }
                let one = ReturnLine { quantity: 1, ..pick.get(&left).clone() };
                let worth = return_value(&order, &returns, std::slice::from_ref(&one));
                prop_assert!(!worth.goods.is_negative() && !worth.vat.is_negative());
                let back = Refund::default().split(&order, refunded_so_far(&order, &returns), worth).unwrap();
                prop_assert_eq!(back.total(), worth.goods + worth.vat);
                let place = returns.len() as i64;
                returns.push(OrderReturn { place, ..refunded(vec![one], back) });
                let of_return = return_taxes(&order, &returns, &returns[returns.len() - 1]);
                let added = of_return.iter().filter(|tax| !tax.included).map(|tax| tax.amount);
                prop_assert_eq!(Money::sum(added, order.currency), worth.vat);
                taxes.extend(of_return);
                prop_assert!(refunded_so_far(&order, &returns).total() <= order.total);
            }
            prop_assert!(returnable(&order, &returns).is_empty());
            let (of_goods, of_delivery): (Vec<&TaxLine>, Vec<&TaxLine>) =
                order.taxes.iter().partition(|tax| tax.line.is_some());
            let added = of_delivery.into_iter().filter(|tax| !tax.included).map(|tax| tax.amount);
            let kept = order.shipping + order.payment_fee + Money::sum(added, order.currency);
            prop_assert_eq!(refunded_so_far(&order, &returns).total(), order.total - kept);
            for tax in of_goods {
                let back = || taxes.iter().filter(|one| (&one.line, &one.label) == (&tax.line, &tax.label));
                prop_assert_eq!(Money::sum(back().map(|one| one.amount), order.currency), tax.amount);
                prop_assert_eq!(Money::sum(back().map(|one| one.net), order.currency), tax.net);
            }
        }
    }

    /// Its line is worth less than three times its price, because it was converted as a whole.
    #[test]
    fn orders_in_taka_of_earlier_versions_are_refunded_as_before() {
        let mut order = order(&[(120_400, 3)], 0, 1_446_000, 0);
        order.lines[0].total = taka(361_100);
        order.sub_total = taka(361_100);
        order.total = taka(361_100 + 1_446_000);
        let (mut returns, mut values) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let one = ReturnLine { variant: "p0".parse().unwrap(), quantity: 1 };
            let worth = return_value(&order, &returns, std::slice::from_ref(&one));
            values.push((worth.goods.minor(), worth.vat.minor()));
            let paid = worth.goods + worth.vat;
            let back = RefundSplit { paid, ..RefundSplit::none(Currency::BDT) };
            returns.push(refunded(vec![one], back));
        }
        assert_eq!(values, [(120_400, 482_000), (120_400, 482_000), (120_300, 482_000)]);
    }

    #[test]
    fn only_returnable_lines_can_be_selected() {
        let line = |id: &str, quantity| ReturnLine { variant: id.parse().unwrap(), quantity };
        let left = || vec![line("p0", 2), line("p1", 1)];
        assert_eq!(select_lines(left(), &[]), Some(left()));
        let chosen = [line("p1", 1), line("p0", 1)];
        assert_eq!(select_lines(left(), &chosen), Some(vec![line("p0", 1), line("p1", 1)]));
        for wrong in [
            vec![line("p0", 3)],
            vec![line("p0", 0)],
            vec![line("p2", 1)],
            vec![line("p0", 1), line("p0", 1)],
        ] {
            assert_eq!(select_lines(left(), &wrong), None, "{wrong:?}");
        }
    }
}
