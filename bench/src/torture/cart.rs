//! What buyers order, and what pays for it besides a payment.

use std::collections::BTreeMap;

use platform::Random;
use serde_json::{Value, json};

use super::payer::Payment;
use super::{CARDS, DISCOUNT, PRODUCTS};
use crate::BenchResult;

pub type BuyerCart = BTreeMap<usize, i64>;

pub fn price(product: usize) -> i64 {
    100 + 37 * product as i64
}

/// What a cart costs with delivery and VAT.
pub fn total(cart: &BuyerCart, code: &str) -> i64 {
    let discount = if code.is_empty() { 0 } else { DISCOUNT };
    16_000 - discount + cart.iter().map(|(product, qtn)| price(*product) * qtn).sum::<i64>()
}

/// What pays for an order, besides its payment: gift cards by their codes, and store credit.
#[derive(Clone, Debug, Default)]
pub struct Tender {
    pub cards: Vec<(String, i64)>,
    pub credit: i64,
}

impl Tender {
    pub fn by_cards(&self) -> i64 {
        self.cards.iter().map(|(_, cents)| cents).sum()
    }

    /// Not more than this total: the credit is lowered first.
    pub fn at_most(mut self, total: i64) -> Self {
        let mut left = total;
        for (_, cents) in &mut self.cards {
            *cents = (*cents).min(left);
            left -= *cents;
        }
        self.cards.retain(|(_, cents)| *cents > 0);
        Self { credit: self.credit.min(left), ..self }
    }

    /// What a payment has to pay.
    pub fn left_to_pay(&self, total: i64) -> i64 {
        total - self.by_cards() - self.credit
    }
}

/// An order as it is sent.
pub fn order(cart: &BuyerCart, code: &str, tender: &Tender, payment: Payment) -> String {
    let card =
        |(code, cents): &(String, i64)| json!({ "code": code, "amount": *cents as f64 / 100.0 });
    let line =
        |(product, qtn): (&usize, &i64)| json!({ "_id": format!("goods-{product}"), "qtn": qtn });
    json!({ "name": "Buyer", "phone": "12345", "address": "Dhaka",
            "lines": cart.iter().map(line).collect::<Vec<_>>(),
            "codes": if code.is_empty() { vec![] } else { vec![code] },
            "giftCards": tender.cards.iter().map(card).collect::<Vec<_>>(),
            "payment": payment.as_str(), "currency": payment.currency(),
            "total": total(cart, code) as f64 / 100.0, "credit": tender.credit as f64 / 100.0 })
    .to_string()
}

pub fn order_has_code(order: &str) -> bool {
    !order.contains(r#""codes":[]"#)
}

pub fn random_cart(random: &Random) -> BuyerCart {
    let [lines, rest @ ..] = random.bytes::<9>();
    rest.chunks(2)
        .take(1 + usize::from(lines % 4))
        .map(|pair| (usize::from(pair[0]) % PRODUCTS, 1 + i64::from(pair[1] % 3)))
        .collect()
}

/// None, one or two gift cards of these codes, in any order.
pub fn random_cards(codes: &[String], random: &Random) -> Vec<(String, i64)> {
    let [count, one, other, cents] = random.bytes().map(usize::from);
    let (one, cents) = (one % CARDS, 1 + cents as i64 * 25);
    let other = (one + 1 + other % (CARDS - 1)) % CARDS;
    let cards = [(codes[one].clone(), cents), (codes[other].clone(), cents / 2 + 1)];
    cards.into_iter().take(count % 3).collect()
}

pub fn available_cart(quote: &Value) -> BenchResult<BuyerCart> {
    let lines = quote["lines"].as_array().ok_or("a refusal without a quote")?;
    let mut rest = BuyerCart::new();
    for line in lines {
        let product = line["_id"].as_str().and_then(|id| id.strip_prefix("goods-"));
        let quantity = line["qtn"].as_i64().ok_or("a line without qtn")?;
        if quantity > 0 {
            rest.insert(product.ok_or("a line without _id")?.parse()?, quantity);
        }
    }
    Ok(rest)
}
