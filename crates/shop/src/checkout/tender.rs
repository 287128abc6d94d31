//! What of an order is to be paid with gift cards and store credit, as requested. The rest is the payment's.

use std::collections::BTreeSet;

use platform::error::Field;
use platform::secret::Secret;
use platform::{Amount, Currency, Money};
use serde::Deserialize;
use utoipa::ToSchema;

use super::http::FieldErrors;
use crate::gift_cards::{CodeHash, GiftCardCode, MAX_CARDS};
use crate::payments::{Gateways, PaymentProvider};
use crate::schemas;

/// A gift card that is to pay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GiftCardPayment {
    /// The code, as it is printed; spaces, hyphens and case do not matter.
    code: String,
    #[schema(schema_with = schemas::gift_card)]
    amount: Amount,
}

/// As the shopper was shown it.
pub(super) struct RequestedTender {
    pub gift_cards: Vec<GiftCardPayment>,
    pub credit: Amount,
    pub payment: PaymentProvider,
}

/// In the currency of the order.
pub(super) struct Tender {
    pub gift_cards: Vec<(CodeHash, Money)>,
    pub credit: Money,
    /// Who gets the rest; where there is none, the last that pays.
    pub payment: PaymentProvider,
}

impl RequestedTender {
    /// Collects the errors.
    pub fn parse(
        self,
        total: Amount,
        currency: Currency,
        (secret, gateways): (&Secret, &Gateways),
        errors: &mut FieldErrors,
    ) -> Option<Tender> {
        let Self { gift_cards, credit: credited, payment } = self;
        let spends_cards = !gift_cards.is_empty();
        let cards = parse_cards(gift_cards, currency, secret, errors);
        let credit = credited.of(currency);
        if credited < Amount::ZERO || credit.is_none() {
            errors.invalid.push(bad_credit());
        }
        let spends_credit = credited > Amount::ZERO;
        if spends_credit && credited > total {
            errors.conflicting.push(bad_credit());
        }
        let (cards, credit, total) = (cards?, credit?, total.of(currency)?);
        let by_cards = Money::sum(cards.iter().map(|(_, amount)| *amount), currency);
        let left = total - by_cards - credit;
        if spends_cards && left.is_negative() {
            errors.conflicting.push(bad_gift_cards("together more than the total"));
        }
        let covered = (spends_credit || spends_cards) && left.is_zero();
        let payment = match covered {
            true if spends_credit => PaymentProvider::StoreCredit,
            true => PaymentProvider::GiftCard,
            false => payment,
        };
        match payment {
            _ if covered => {}
            PaymentProvider::StoreCredit => {
                let message = "store credit does not cover the total";
                errors.conflicting.push(Field::new("payment", "credit_too_small", message));
            }
            PaymentProvider::GiftCard => {
                let message = "the gift cards do not cover the total";
                errors.conflicting.push(Field::new("payment", "gift_cards_too_small", message));
            }
            payment => {
                errors.collect(gateways.check(payment, left));
            }
        }
        Some(Tender { gift_cards: cards, credit, payment })
    }
}

fn parse_cards(
    gift_cards: Vec<GiftCardPayment>,
    currency: Currency,
    secret: &Secret,
    errors: &mut FieldErrors,
) -> Option<Vec<(CodeHash, Money)>> {
    if gift_cards.len() > MAX_CARDS {
        let message = format!("at most {MAX_CARDS} gift cards");
        let field = Field::new("giftCards", "too_many_gift_cards", message);
        errors.invalid.push(field.with("most", MAX_CARDS));
        return None;
    }
    let mut cards = Vec::with_capacity(gift_cards.len());
    for (place, GiftCardPayment { code, amount }) in gift_cards.into_iter().enumerate() {
        match amount.of(currency).filter(|amount| amount.is_positive()) {
            Some(amount) => cards.push((GiftCardCode::typed(&code).hash(secret), amount)),
            None => {
                let message = format!("an amount in {currency} above 0");
                let name = format!("giftCards.{place}.amount");
                errors.invalid.push(Field::malformed(name, message));
            }
        }
    }
    let different: BTreeSet<&CodeHash> = cards.iter().map(|(hash, _)| hash).collect();
    if different.len() < cards.len() {
        errors.conflicting.push(bad_gift_cards("a gift card is named twice"));
    }
    Some(cards)
}

fn bad_credit() -> Field {
    Field::new("credit", "bad_credit", "from nothing to the total")
}

fn bad_gift_cards(message: &'static str) -> Field {
    Field::new("giftCards", "bad_gift_cards", message)
}
