//! The buyers: each orders random carts, accepts less stock, pays, and cancels most orders.

use std::sync::atomic::Ordering;

use platform::Random;
use serde_json::Value;

use super::cart::{
    BuyerCart, Tender, available_cart, order, order_has_code, random_cards, random_cart, total,
};
use super::payer::Payment;
use super::{ACCOUNTS, Trial};
use crate::BenchResult;
use crate::load_shop::send_request;

/// An order that was acknowledged.
pub struct Placed {
    pub account: usize,
    pub key: String,
    pub cart: BuyerCart,
    pub code: String,
    pub tender: Tender,
    pub payment: Payment,
    pub number: String,
    pub known: Known,
}

/// What a buyer knows of an order at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The shop has told that it is placed.
    Stands,
    /// The shop has told that it is cancelled.
    Cancelled,
    /// It awaits payment, and nothing was paid.
    Unpaid,
    /// It may be paid, or cancelled.
    Unknown,
}

/// The response to an order.
enum PlaceResult {
    /// Its number, and where the buyer goes on.
    Placed(String, String),
    /// The cart reduced to the available stock.
    Reduced(BuyerCart),
    LessCredit,
    /// A gift card cannot pay its part.
    WithoutCards,
    /// The code cannot be used any more.
    WithoutCode,
}

impl Trial {
    /// One buyer.
    pub fn buy(&self, buyer: usize) -> BenchResult {
        let random = Random::system();
        while self.attempts.fetch_add(1, Ordering::Relaxed) < self.plan.attempts {
            let attempt = self.attempts.load(Ordering::Relaxed);
            let (key, cart) = (
                format!("{buyer}-{attempt}-{:x}", u64::from_le_bytes(random.bytes())),
                random_cart(&random),
            );
            let code = self.random_code(&random);
            // None, some, or all of the total.
            let credit = total(&cart, code) * i64::from(random.bytes::<1>()[0] % 5) / 4;
            let tender = Tender { cards: random_cards(&self.cards, &random), credit };
            let tender = tender.at_most(total(&cart, code));
            // Most orders are cancelled, so that there is stock to compete for; near the end all orders are kept.
            let keeps = attempt > self.plan.attempts * 9 / 10 || random.bytes::<1>()[0] < 2;
            let payment = Payment::random(&random);
            self.attempt(buyer, key, (cart, code), (tender, payment), keeps)?;
        }
        Ok(())
    }

    pub fn attempt(
        &self,
        buyer: usize,
        key: String,
        (mut cart, mut code): (BuyerCart, &str),
        (mut tender, mut payment): (Tender, Payment),
        keeps: bool,
    ) -> BenchResult {
        for again in 0.. {
            let key = format!("{key}-{again}");
            payment = payment.for_amount(tender.left_to_pay(total(&cart, code)));
            match self.place(buyer, &key, &order(&cart, code, &tender, payment))? {
                PlaceResult::Placed(number, next) => {
                    let known = match payment {
                        Payment::Cash if keeps => Known::Stands,
                        Payment::Cash => {
                            self.cancel(buyer, &number)?;
                            Known::Cancelled
                        }
                        _ => self.pay(buyer, (&number, &next), payment, keeps)?,
                    };
                    let (account, code) = (buyer % ACCOUNTS, code.to_owned());
                    let placed =
                        Placed { account, key, cart, code, tender, payment, number, known };
                    self.placed().push(placed);
                    return Ok(());
                }
                PlaceResult::Reduced(rest) if rest.is_empty() => return Ok(()),
                PlaceResult::Reduced(rest) => {
                    tender = tender.at_most(total(&rest, code));
                    cart = rest;
                }
                PlaceResult::LessCredit => tender.credit = 0,
                PlaceResult::WithoutCards => tender.cards.clear(),
                PlaceResult::WithoutCode => code = "",
            }
        }
        Ok(())
    }

    /// A code of each kind, or none.
    fn random_code(&self, random: &Random) -> &str {
        let [kind, which] = random.bytes();
        match kind % 4 {
            0 => "",
            1 => "LIMITED",
            2 => "ONCE",
            _ => &self.codes[usize::from(which) % self.codes.len()],
        }
    }

    fn place(&self, buyer: usize, key: &str, order: &str) -> BenchResult<PlaceResult> {
        let (status, body) = self.send(buyer, ("POST", "/api/orders"), key, order)?;
        if matches!(status, 200 | 201) {
            let number = body["number"].as_str().ok_or("an order without number")?;
            let next = body["next"]["redirect"].as_str().unwrap_or_default();
            return Ok(PlaceResult::Placed(number.to_owned(), next.to_owned()));
        }
        let refused = match body["error"]["code"].as_str() {
            Some("stock") => PlaceResult::Reduced(available_cart(&body["quote"])?),
            Some("credit") => PlaceResult::LessCredit,
            Some("gift_card") => PlaceResult::WithoutCards,
            Some("price") if order_has_code(order) => PlaceResult::WithoutCode,
            _ => return Err(format!("placing: {status} {body}").into()),
        };
        self.refused.fetch_add(1, Ordering::Relaxed);
        Ok(refused)
    }

    pub fn cancel(&self, buyer: usize, number: &str) -> BenchResult {
        let path = format!("/api/orders/{number}/cancel");
        let (status, body) = self.send(buyer, ("POST", &path), "", "")?;
        match status == 200 && body["status"] == "cancelled" {
            true => Ok(()),
            false => Err(format!("cancelling: {status} {body}").into()),
        }
    }

    /// Retries until there is a response: a server that is killed, or has lost its database, gives none.
    pub fn send(
        &self,
        buyer: usize,
        (method, path): (&str, &str),
        key: &str,
        body: &str,
    ) -> BenchResult<(u16, Value)> {
        for turn in buyer.. {
            match self.send_once((buyer, turn), (method, path), key, body) {
                Ok((401, _)) => {
                    let account = &self.accounts[buyer % ACCOUNTS];
                    drop(account.renew_token(&self.shop.address(turn)));
                }
                Ok((503, _)) | Err(_) => drop(self.lost.fetch_add(1, Ordering::Relaxed)),
                Ok(answer) => return Ok(answer),
            }
            std::thread::yield_now();
        }
        Err("never answered".into())
    }

    /// To the server whose turn it is.
    pub fn send_once(
        &self,
        (buyer, turn): (usize, usize),
        (method, path): (&str, &str),
        key: &str,
        body: &str,
    ) -> std::io::Result<(u16, Value)> {
        let bearer = self.accounts[buyer % ACCOUNTS].bearer();
        let mut headers = vec![("authorization", bearer.as_str())];
        if !key.is_empty() {
            headers.push(("idempotency-key", key));
        }
        send_request(&self.shop.address(turn), method, path, &headers, body)
    }
}
