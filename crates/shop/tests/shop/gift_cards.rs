//! Gift cards through HTTP and orders: how they are issued, spent and given back, that codes cannot be guessed, and that no
//! card is ever overspent.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use platform::{Currency, Random, Timestamp};
use serde_json::{Value, json};
use shop::gift_cards::{
    self, GiftCard, GiftCardChange, GiftCardCode, GiftCardEmailSender, GiftCardImport, NewGiftCard,
};
use shop::orders::StepOutcome::Done;
use shop::orders::{OrderStatus, Refund, Step};
use shop::{credit, orders};
use test_support::on_both;

use super::test_shop::{Answer, ME, ONE_LAMP, Shop, one_lamp, order, routes, usd};

on_both!(Shop:
    cards_pay_a_part_and_get_it_back_on_cancellation,
    cards_are_spent_before_store_credit_and_the_payment,
    what_covers_the_total_is_the_payment,
    a_refund_goes_to_the_cards_first,
    a_partial_return_gives_each_card_its_part,
    only_the_customer_can_choose_store_credit_for_the_rest,
    a_card_that_cannot_pay_is_a_conflict_with_the_quote,
    invalid_cards_are_refused_without_effect,
    a_repeated_key_spends_a_card_once,
    codes_cannot_be_guessed,
    cards_are_spent_in_other_currencies,
    a_deleted_account_loses_no_card,
    cards_of_another_shop_are_imported_once,
    a_card_is_sent_by_email_without_the_shops_note,
    the_shop_changes_and_disables_cards,
    cards_are_never_overspent_by_many_buyers_on_two_servers,
);

const OTHER: &str = "karim@haat.example";

impl Shop {
    async fn issue_with(&self, new: NewGiftCard, count: usize) -> Vec<(GiftCard, GiftCardCode)> {
        let profiles = self.context.profiles.clone();
        let origin = Some("https://haat.example".into());
        let sender = GiftCardEmailSender { profiles, origin };
        let (secret, source) =
            (&self.context.context.secret, (&self.given.clock, &self.given.random));
        gift_cards::issue(&self.given.db, source, secret, &new, (count, &sender)).await.unwrap()
    }

    /// The code of a new card.
    pub async fn issue(&self, cents: i64) -> String {
        self.issue_with(worth(cents), 1).await[0].1.to_string()
    }

    async fn check(&self, code: &str) -> Answer {
        let body = json!({ "code": code }).to_string();
        self.ask("POST", "/api/gift-cards/check", &[], body).await
    }

    async fn balance(&self, code: &str) -> f64 {
        let answer = self.check(code).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body["balance"].as_f64().unwrap()
    }

    async fn card(&self, code: &str) -> GiftCard {
        let (db, now) = (&self.given.db, self.given.clock.now());
        let secret = &self.context.context.secret;
        gift_cards::find(db, secret, Currency::USD, now, code).await.unwrap().unwrap()
    }

    async fn order_with_cards(&self, cards: &[(&str, f64)]) -> Answer {
        self.post("/api/orders", ME, &lamp_with(cards)).await
    }

    async fn order_seen(&self, number: &str) -> Value {
        self.get(&format!("/api/orders/{number}"), ME).await.body
    }

    /// The text of the newest e-mail whose subject starts so.
    async fn email_starting(&self, subject: &str) -> String {
        let emails = self.emails().await;
        let starts = |email: &&Value| email["subject"].as_str().unwrap().starts_with(subject);
        emails.iter().rfind(starts).unwrap()["text"].as_str().unwrap().to_owned()
    }

    /// Every balance is the sum of its entries, each entry has the balance after it, and orders are paid as they say.
    async fn cards_add_up(&self) {
        for sql in [
            "select count(*) from gift_cards c where balance < 0 or balance <>
               (select sum(amount) from gift_card_entries e where e.card = c.id)",
            "select count(*) from gift_card_entries e where balance <>
               (select sum(amount) from gift_card_entries before
                where before.card = e.card and before.created_at <= e.created_at)",
            "select count(*) from orders o where
               gift_cards <> coalesce((select sum(amount) from order_gift_cards g where g.order_id = o.id), 0)
               or base_gift_cards <> coalesce((select sum(base_amount) from order_gift_cards g where g.order_id = o.id), 0)
               or (select count(*) from payments p where p.order_id = o.id
                   and p.amount = o.total - o.gift_cards - o.credit) <> 1",
            "select count(*) from orders o where o.status in ('placed', 'cancelled') and
               coalesce((select sum(amount) from gift_card_entries e where e.order_id = o.id), 0)
               <> case when o.status = 'cancelled' then 0 else -o.base_gift_cards end",
        ] {
            let (wrong,): (i64,) = self.given.db.query(sql).one().await.unwrap();
            assert_eq!(wrong, 0, "{sql}");
        }
    }
}

fn worth(cents: i64) -> NewGiftCard {
    NewGiftCard {
        amount: usd(cents),
        expires_at: None,
        note: String::new(),
        recipient: None,
        language: None,
    }
}

fn paying(cards: &[(&str, f64)]) -> Value {
    cards.iter().map(|(code, amount)| json!({ "code": code, "amount": amount })).collect()
}

fn lamp_with(cards: &[(&str, f64)]) -> Value {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["giftCards"] = paying(cards);
    body
}

fn number(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.body["number"].as_str().unwrap().to_owned()
}

fn last_four(code: &str) -> &str {
    &code[code.len() - 4..]
}

async fn cards_pay_a_part_and_get_it_back_on_cancellation(shop: Shop) {
    let (first, second) = (shop.issue(10_000).await, shop.issue(5_000).await);
    let placed = shop.order_with_cards(&[(&second, 50.0), (&first, 20.25)]).await;
    let number = number(&placed);
    let wanted = json!([{ "lastFour": last_four(&second), "amount": 50 },
                        { "lastFour": last_four(&first), "amount": 20.25 }]);
    assert_eq!(placed.body["giftCards"], wanted);
    // The total and the VAT are those without cards.
    assert_eq!((&placed.body["total"], &placed.body["vat"]), (&json!(ONE_LAMP), &json!(120)));
    let seen = shop.order_seen(&number).await;
    assert_eq!((&seen["giftCards"], &seen["base"]["giftCards"]), (&wanted, &json!(70.25)));
    assert_eq!(
        (&seen["payment"]["provider"], &seen["payment"]["amount"]),
        (&json!("cash_on_delivery"), &json!(115.25))
    );
    assert_eq!((shop.balance(&first).await, shop.balance(&second).await), (79.75, 0.0));
    let (line, rest) = (format!("Gift card •••• {}", last_four(&first)), "To pay");
    let text = shop.email_starting(&format!("Your order {number}")).await;
    for part in [line.as_str(), "−$20.25", rest, "$115.25"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    let sums = invoice["documents"][0]["sums"].as_array().unwrap();
    let amount = |name: &str| &sums.iter().find(|sum| sum["name"] == name).unwrap()["amount"];
    assert_eq!((amount(&line), amount(rest)), (&json!("−$20.25"), &json!("$115.25")));
    let listed = shop.get("/api/orders", ME).await.body;
    assert_eq!(listed[0]["spent"], 70.25);

    for _ in 0..2 {
        let path = format!("/api/orders/{number}/cancel");
        assert_eq!(shop.post(&path, ME, &json!({})).await.body["payment"]["state"], "voided");
    }
    assert_eq!((shop.balance(&first).await, shop.balance(&second).await), (100.0, 50.0));
    let text = shop.email_starting(&format!("Your order {number} is cancelled")).await;
    assert!(text.contains("$70.25 was paid by gift card"), "{text}");
    let card = shop.card(&first).await;
    let entries = gift_cards::entries(&shop.given.db, Currency::USD, &card.id).await.unwrap();
    let kinds: Vec<&str> = entries.iter().map(|entry| entry.kind.as_str()).collect();
    assert_eq!(kinds, ["returned", "spent", "issued"]);
    assert_eq!(entries[1].number.as_ref(), Some(&number));
    // Neither the card nor its ledger has the code.
    let stored: Vec<(String, String)> =
        shop.given.db.query("select code_hash, last_four from gift_cards").all().await.unwrap();
    assert!(stored.iter().all(|(hash, _)| !first.contains(hash) && !second.contains(hash)));
    shop.cards_add_up().await;
}

async fn cards_are_spent_before_store_credit_and_the_payment(shop: Shop) {
    let code = shop.issue(10_000).await;
    let source = (&shop.given.clock, &shop.given.random);
    let uid = format!("uid-{ME}");
    credit::grant(&shop.given.db, source.0, source.1, &uid, usd(5_000), "").await.unwrap();
    let mut body = lamp_with(&[(&code, 100.0)]);
    body["credit"] = json!(50);
    let number = number(&shop.post("/api/orders", ME, &body).await);
    let seen = shop.order_seen(&number).await;
    assert_eq!((&seen["credit"], &seen["payment"]["amount"]), (&json!(50), &json!(35.5)));
    assert_eq!(shop.get("/api/orders", ME).await.body[0]["spent"], 150);
    // An order that fails because of its credit spends no card either.
    let other = shop.issue(10_000).await;
    let mut body = lamp_with(&[(&other, 100.0)]);
    body["credit"] = json!(50);
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(refused.body["error"]["code"], "credit", "{}", refused.body);
    assert_eq!(shop.balance(&other).await, 100.0);
    shop.cards_add_up().await;
}

async fn what_covers_the_total_is_the_payment(shop: Shop) {
    let (one, two) = (shop.issue(10_000).await, shop.issue(30_000).await);
    let mut body = lamp_with(&[(&one, 100.0), (&two, 85.5)]);
    // Ignored, because nothing is left to pay.
    body["payment"] = json!("paypal");
    let number = number(&shop.post("/api/orders", ME, &body).await);
    let payment = &shop.order_seen(&number).await["payment"];
    assert_eq!(
        (&payment["provider"], &payment["amount"], &payment["state"]),
        (&json!("gift_card"), &json!(0), &json!("captured"))
    );
    shop.advance(&number, 4).await;
    assert_eq!(shop.order_seen(&number).await["payment"]["state"], "captured");
    // The last that pays is store credit.
    let (clock, random) = (&shop.given.clock, &shop.given.random);
    let uid = format!("uid-{ME}");
    credit::grant(&shop.given.db, clock, random, &uid, usd(5_000), "").await.unwrap();
    let mut body = lamp_with(&[(&two, 135.5)]);
    body["credit"] = json!(50);
    let number = self::number(&shop.post("/api/orders", ME, &body).await);
    assert_eq!(shop.order_seen(&number).await["payment"]["provider"], "store_credit");
    let cancelled = shop.post(&format!("/api/orders/{number}/cancel"), ME, &json!({})).await.body;
    assert_eq!(cancelled["payment"]["state"], "refunded");
    assert_eq!(shop.balance(&two).await, 214.5);
    shop.cards_add_up().await;
}

/// A delivered and returned order of one lamp.
async fn returned(shop: &Shop, cards: &[(&str, f64)], credit: f64) -> String {
    let mut body = lamp_with(cards);
    body["credit"] = json!(credit);
    let number = number(&shop.post("/api/orders", ME, &body).await);
    shop.advance(&number, 4).await;
    assert!(matches!(shop.apply(&number, Step::RequestReturn(&[])).await, Done(_)));
    shop.advance(&number, 1).await;
    number
}

async fn a_refund_goes_to_the_cards_first(shop: Shop) {
    let code = shop.issue(6_000).await;
    let (clock, random) = (&shop.given.clock, &shop.given.random);
    let uid = format!("uid-{ME}");
    credit::grant(&shop.given.db, clock, random, &uid, usd(5_000), "").await.unwrap();
    // 145.50 without the delivery: 60 to the card, 50 as credit, and the rest through the payment.
    let number = returned(&shop, &[(&code, 60.0)], 50.0).await;
    // It is given back to a disabled card too.
    let card = shop.card(&code).await;
    gift_cards::set_disabled(&shop.given.db, clock, &card.id, true).await.unwrap();
    assert_eq!(shop.apply(&number, Step::Advance).await, Done(OrderStatus::Refunded));
    let seen = shop.order_seen(&number).await;
    let back = &seen["returns"][0];
    assert_eq!([&back["giftCards"], &back["credit"], &back["paid"]], [60.0, 50.0, 35.5]);
    assert_eq!(shop.card(&code).await.balance, usd(6_000));
    assert_eq!(shop.get("/api/orders", ME).await.body[0]["spent"], 40);
    let text = shop.email_starting(&format!("Your order {number} is refunded")).await;
    for part in ["$60.00 was paid by gift card", "$50.00 is in your store credit", "$35.50 is paid"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    let note = invoice["documents"][1]["sums"].to_string();
    assert!(note.contains("Back on the gift card") && note.contains("$60.00"), "{note}");
    let note = seen["history"].as_array().unwrap().last().unwrap()["note"].to_string();
    assert!(note.contains("$60.00 back on the gift card"), "{note}");
    shop.cards_add_up().await;
}

async fn a_partial_return_gives_each_card_its_part(shop: Shop) {
    let (first, second) = (shop.issue(500).await, shop.issue(2_500).await);
    // Four bulbs for 9, delivery 40, VAT 120.
    let mut body = order(json!([{ "_id": "bulb", "qtn": 4 }]), 169.0);
    body["giftCards"] = paying(&[(&first, 5.0), (&second, 25.0)]);
    let number = number(&shop.post("/api/orders", ME, &body).await);
    shop.advance(&number, 4).await;
    // Each bulb is worth 2.25 and a quarter of the VAT.
    for (amount, balances) in [(Some(4), (4.0, 0.0)), (None, (5.0, 25.0)), (None, (5.0, 25.0))] {
        let body = json!({ "lines": [{ "_id": "bulb", "qtn": 1 }] });
        shop.post(&format!("/api/orders/{number}/return"), ME, &body).await;
        shop.advance(&number, 1).await;
        let amount = amount.map(|dollars| usd(dollars * 100));
        let step = Step::Refund(Refund { amount, as_credit: false });
        assert!(matches!(shop.apply(&number, step).await, Done(_)));
        assert_eq!((shop.balance(&first).await, shop.balance(&second).await), balances);
    }
    let back = &shop.order_seen(&number).await["returns"];
    let parts: Vec<_> = (0..3).map(|n| [&back[n]["giftCards"], &back[n]["paid"]]).collect();
    assert_eq!(parts, [[4.0, 0.0], [26.0, 6.25], [0.0, 32.25]]);
    shop.cards_add_up().await;
}

async fn only_the_customer_can_choose_store_credit_for_the_rest(shop: Shop) {
    let code = shop.issue(6_000).await;
    let number = returned(&shop, &[(&code, 60.0)], 0.0).await;
    let step = Step::Refund(Refund { amount: None, as_credit: true });
    assert_eq!(shop.apply(&number, step).await, Done(OrderStatus::Refunded));
    // The card's part stays with the card, which may be another person's gift.
    assert_eq!(shop.balance(&code).await, 60.0);
    assert_eq!(shop.get("/api/credit", ME).await.body["balance"], 85.5);
}

async fn a_card_that_cannot_pay_is_a_conflict_with_the_quote(shop: Shop) {
    let now = shop.given.clock.now();
    let empty = shop.issue(1_000).await;
    let expired =
        NewGiftCard { expires_at: Some(now.plus(Duration::from_secs(60))), ..worth(9_000) };
    let expired = shop.issue_with(expired, 1).await[0].1.to_string();
    let disabled = shop.issue(9_000).await;
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    let card = shop.card(&disabled).await;
    gift_cards::set_disabled(db, clock, &card.id, true).await.unwrap();
    clock.advance(Duration::from_secs(60));
    assert_eq!(shop.check(&expired).await.body["state"], "active");
    clock.advance(Duration::from_millis(1));
    for (code, state) in [(&expired, "expired"), (&disabled, "disabled")] {
        let seen = shop.check(code).await.body;
        assert_eq!(
            (&seen["state"], &seen["balance"], &seen["spendable"]),
            (&json!(state), &json!(90), &json!(0))
        );
    }
    for code in [empty.as_str(), &expired, &disabled, "AAAA-BBBB-CCCC-DDDD", "", "ঈদ 🎁"] {
        let refused =
            shop.post_with_key("/api/orders", ME, "k", &lamp_with(&[(code, 10.01)])).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{code}: {}", refused.body);
        assert_eq!(refused.body["error"]["code"], "gift_card", "{code}");
        assert_eq!(refused.body["quote"]["total"], ONE_LAMP, "{code}");
    }
    // One of two cards cannot pay: the other one keeps its balance.
    let refused = shop.order_with_cards(&[(&empty, 10.0), (&disabled, 10.0)]).await;
    assert_eq!(refused.body["error"]["code"], "gift_card");
    assert_eq!(shop.balance(&empty).await, 10.0);
    for table in ["orders", "payments", "placings", "order_gift_cards"] {
        assert_eq!(shop.count(table).await, 0, "{table}");
    }
    // A refused order uses no key.
    let placed = shop.post_with_key("/api/orders", ME, "k", &lamp_with(&[(&empty, 10.0)])).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    shop.cards_add_up().await;
}

async fn invalid_cards_are_refused_without_effect(shop: Shop) {
    let code = shop.issue(100_000).await;
    let eleven: Vec<(String, f64)> = (0..11).map(|n| (format!("CARD-{n}"), 1.0)).collect();
    let eleven: Vec<(&str, f64)> = eleven.iter().map(|(code, amount)| (&**code, *amount)).collect();
    let twice = [(code.as_str(), 10.0), (&code.to_lowercase(), 10.0)];
    for (cards, status, named) in [
        (paying(&[(&code, 0.0)]), 400, "giftCards.0.amount"),
        (paying(&[(&code, -5.0)]), 400, "giftCards.0.amount"),
        (paying(&[(&code, 1.001)]), 400, "giftCards.0.amount"),
        (paying(&eleven), 400, "giftCards"),
        (json!([code]), 400, "body"),
        (json!([{ "code": code, "amount": 1, "more": 1 }]), 400, "body"),
        (paying(&[(&code, 185.51)]), 422, "giftCards"),
        (paying(&twice), 422, "giftCards"),
    ] {
        let mut body = order(one_lamp(), ONE_LAMP);
        body["giftCards"] = cards;
        let answer = shop.post("/api/orders", ME, &body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], named, "{body}: {}", answer.body);
    }
    // Together with the credit more than the total, and a payment that is none.
    let mut body = lamp_with(&[(&code, 100.0)]);
    body["credit"] = json!(85.51);
    assert_eq!(shop.post("/api/orders", ME, &body).await.status.as_u16(), 422);
    let mut body = lamp_with(&[(&code, 100.0)]);
    body["payment"] = json!("gift_card");
    let answer = shop.post("/api/orders", ME, &body).await;
    assert_eq!(answer.body["error"]["fields"][0]["code"], "gift_cards_too_small");
    assert_eq!((shop.count("orders").await, shop.balance(&code).await), (0, 1_000.0));
}

async fn a_repeated_key_spends_a_card_once(shop: Shop) {
    let code = shop.issue(6_000).await;
    let body = lamp_with(&[(&code, 60.0)]);
    let first = shop.post_with_key("/api/orders", ME, "k", &body).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    // Also when the card was typed in another way, or is disabled by now.
    let card = shop.card(&code).await;
    gift_cards::set_disabled(&shop.given.db, &shop.given.clock, &card.id, true).await.unwrap();
    let typed = code.to_lowercase().replace('-', " ");
    for code in [code.as_str(), &typed] {
        let body = lamp_with(&[(code, 60.0)]);
        let again = shop.post_with_key("/api/orders", ME, "k", &body).await;
        assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    }
    for cards in [&[][..], &[(&*code, 59.0)]] {
        let answer = shop.post_with_key("/api/orders", ME, "k", &lamp_with(cards)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
    }
    assert_eq!(shop.balance(&code).await, 0.0);
    assert_eq!((shop.count("orders").await, shop.count("gift_card_entries").await), (1, 2));
    // Orders without cards have the fingerprint that they always had.
    let plain = order(one_lamp(), ONE_LAMP);
    shop.post_with_key("/api/orders", ME, "plain", &plain).await;
    let again = shop.post_with_key("/api/orders", ME, "plain", &lamp_with(&[])).await;
    assert_eq!(again.status, StatusCode::OK, "{}", again.body);
}

async fn codes_cannot_be_guessed(shop: Shop) {
    let code = shop.issue(1_000).await;
    let unknown = shop.check("AAAA-BBBB-CCCC-DDDD").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(unknown.body["error"]["code"], "unknown_gift_card");
    for malformed in ["", "x", "%", "ঈদ", &"A".repeat(5_000)] {
        let answer = shop.check(malformed).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{malformed}");
        assert_eq!(answer.body["error"]["message"], unknown.body["error"]["message"]);
    }
    // Known codes are not counted.
    for _ in 0..60 {
        assert_eq!(shop.check(&code).await.status, StatusCode::OK);
    }
    // An order with unknown cards is one guess: 6 so far, and these are 44.
    for guess in 0..43 {
        shop.check(&format!("GUESS-{guess}-GUESS")).await;
    }
    let cards = [("GUESS-A-GUESS", 1.0), ("GUESS-B-GUESS", 1.0)];
    assert_eq!(shop.order_with_cards(&cards).await.status, StatusCode::CONFLICT);
    let answer = shop.check(&code).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{}", answer.body);
    let refused = shop.order_with_cards(&[(&code, 10.0)]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.body);
    shop.given.clock.advance(Duration::from_secs(3601));
    assert_eq!(shop.balance(&code).await, 10.0);
    let no_json = shop.ask("POST", "/api/gift-cards/check", &[], Body::from("{}")).await;
    assert_eq!(no_json.status, StatusCode::BAD_REQUEST);
}

async fn cards_are_spent_in_other_currencies(shop: Shop) {
    for (currency, spendable, total) in [("BDT", 12_050.0, 22_353.0), ("JPY", 15_120.0, 28_048.0)] {
        let code = shop.issue(10_000).await;
        let path = format!("/api/gift-cards/check?currency={currency}");
        let seen = shop.ask("POST", &path, &[], json!({ "code": code }).to_string()).await.body;
        assert_eq!([&seen["balance"], &seen["spendable"]], [100.0, spendable], "{currency}");
        assert_eq!(seen["currency"], "USD");
        let quote = shop
            .ask(
                "POST",
                "/api/quote",
                &[("x-currency", currency)],
                json!({ "lines": one_lamp() }).to_string(),
            )
            .await
            .body;
        assert_eq!(quote["total"], total, "{currency}");
        let mut body = order(one_lamp(), total);
        body["currency"] = json!(currency);
        // A part, so that what it is debited with is rounded.
        body["giftCards"] = paying(&[(&code, 1_001.0)]);
        let number = number(&shop.post("/api/orders", ME, &body).await);
        let left = shop.balance(&code).await;
        let debited = ((100.0 - left) * 100.0).round() as i64;
        assert_eq!(debited, if currency == "BDT" { 831 } else { 663 }, "{currency}");
        shop.advance(&number, 4).await;
        assert!(matches!(shop.apply(&number, Step::RequestReturn(&[])).await, Done(_)));
        shop.advance(&number, 1).await;
        assert!(matches!(shop.apply(&number, Step::Advance).await, Done(_)));
        assert_eq!(shop.order_seen(&number).await["returns"][0]["giftCards"], 1_001.0);
        assert_eq!(shop.balance(&code).await, 100.0, "{currency}");
    }
    shop.cards_add_up().await;
}

async fn a_deleted_account_loses_no_card(shop: Shop) {
    let new = NewGiftCard { recipient: Some(ME.parse().unwrap()), ..worth(10_000) };
    let code = shop.issue_with(new, 1).await[0].1.to_string();
    let number = number(&shop.order_with_cards(&[(&code, 60.0)]).await);
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let sent = gift_cards::export(db, Currency::USD, now, "Rahim@Haat.example").await.unwrap();
    assert_eq!(sent.len(), 1);
    let mut tx = db.begin().await.unwrap();
    orders::anonymize(&mut tx, &format!("uid-{ME}")).await.unwrap();
    gift_cards::erase(&mut tx, ME);
    tx.commit().await.unwrap();
    assert!(gift_cards::export(db, Currency::USD, now, ME).await.unwrap().is_empty());
    assert_eq!(shop.card(&code).await.recipient, "");
    assert_eq!(shop.apply(&number, Step::Cancel).await, Done(OrderStatus::Cancelled));
    assert_eq!(shop.balance(&code).await, 100.0);
    shop.cards_add_up().await;
}

async fn cards_of_another_shop_are_imported_once(shop: Shop) {
    let (db, source) = (&shop.given.db, (&shop.given.clock, &shop.given.random));
    let secret = &shop.context.context.secret;
    let import = async |cards: Value| {
        let file: GiftCardImport =
            serde_json::from_value(json!({ "giftCards": cards })).map_err(|why| why.to_string())?;
        let added = gift_cards::import(db, source, secret, Currency::USD, &file.gift_cards).await;
        added.map_err(|why| why.message())
    };
    let one = json!({ "code": "gift 0001 old", "amount": 12.5, "note": "From the old shop" });
    let two = json!({ "code": "ABCD-EFGH-2", "amount": 7, "expiresAt": "2027-12-31T23:59:59Z" });
    assert_eq!(import(json!([one, two])).await, Ok(2));
    assert_eq!(import(json!([one, two])).await, Ok(0), "they are there already");
    assert_eq!(shop.balance("GIFT-0001-OLD").await, 12.5);
    assert_eq!(shop.check("abcdefgh2").await.body["expiresAt"], "2027-12-31T23:59:59.000Z");
    for (wrong, why) in [
        (json!([{ "code": "short", "amount": 5 }]), "8 to 40 letters and digits"),
        (json!([{ "code": "LONGENOUGH", "amount": 0 }]), "above 0"),
        (json!([{ "code": "LONGENOUGH", "amount": 5.001 }]), "decimals"),
        (
            json!([{ "code": "LONGENOUGH", "amount": 5, "expiresAt": "2020-01-01T00:00:00Z" }]),
            "expired",
        ),
        (
            json!([{ "code": "LONGENOUGH", "amount": 5 }, { "code": "LONGENOUGH2", "amount": -1 }]),
            "above 0",
        ),
    ] {
        let refused = import(wrong.clone()).await.unwrap_err();
        assert!(refused.contains(why), "{wrong}: {refused}");
    }
    assert_eq!(shop.check("LONGENOUGH").await.status, StatusCode::NOT_FOUND, "all or none");
    shop.cards_add_up().await;
}

async fn a_card_is_sent_by_email_without_the_shops_note(shop: Shop) {
    let new = NewGiftCard {
        expires_at: Timestamp::parse("2027-12-31T23:59:59Z"),
        note: "For the complaint".into(),
        recipient: Some("mina@haat.example".parse().unwrap()),
        ..worth(5_000)
    };
    let code = shop.issue_with(new, 1).await[0].1.to_string();
    let emails = shop.emails().await;
    let email = &emails[0];
    assert_eq!((&email["to"], emails.len()), (&json!("mina@haat.example"), 1));
    let text = email["text"].as_str().unwrap();
    for part in [code.as_str(), "$50.00", "2027", "https://haat.example/gift-card"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("complaint"), "{text}");
    // Nothing but the text has the code: no address of a page.
    assert!(!email["html"].as_str().unwrap().contains(&format!("gift-card?{code}")));
    let sent = gift_cards::export(
        &shop.given.db,
        Currency::USD,
        shop.given.clock.now(),
        "mina@haat.example",
    );
    assert_eq!(sent.await.unwrap()[0].note, "");
}

async fn the_shop_changes_and_disables_cards(shop: Shop) {
    let code = shop.issue(5_000).await;
    let (db, source) = (&shop.given.db, (&shop.given.clock, &shop.given.random));
    let id = shop.card(&code).await.id;
    let by = |cents: i64| GiftCardChange {
        amount: Some(usd(cents)),
        note: "Sorry".into(),
        ..GiftCardChange::default()
    };
    assert!(gift_cards::adjust(db, source, &id, &by(1_000)).await.unwrap());
    assert!(!gift_cards::adjust(db, source, &id, &by(-6_001)).await.unwrap());
    assert!(gift_cards::adjust(db, source, &id, &by(-6_000)).await.unwrap());
    assert_eq!(shop.balance(&code).await, 0.0);
    let end = Timestamp::parse("2028-01-31T23:59:59Z");
    let later = GiftCardChange { expires_at: end, ..GiftCardChange::default() };
    assert!(gift_cards::adjust(db, source, &id, &later).await.unwrap());
    assert_eq!(shop.card(id.as_str()).await.expires_at, end);
    let entries = gift_cards::entries(db, Currency::USD, &id).await.unwrap();
    let seen: Vec<_> =
        entries.iter().map(|entry| (entry.amount.minor(), entry.note.as_str())).collect();
    assert_eq!(seen, [(-6_000, "Sorry"), (1_000, "Sorry"), (5_000, "")]);
    for disabled in [true, false] {
        gift_cards::set_disabled(db, source.0, &id, disabled).await.unwrap();
        let state = if disabled { "disabled" } else { "active" };
        assert_eq!(shop.check(&code).await.body["state"], state);
    }
    let issued = shop.issue_with(worth(100), 20).await;
    let list = gift_cards::list(db, Currency::USD, source.0.now(), 5).await.unwrap();
    assert_eq!((issued.len(), list.len()), (20, 5));
    shop.cards_add_up().await;
}

/// 64 buyers on two servers share 20 cards, and want more than is on them.
async fn cards_are_never_overspent_by_many_buyers_on_two_servers(shop: Shop) {
    const BUYERS: usize = 64;
    const CARDS: usize = 20;
    const ATTEMPTS: usize = 5;
    shop.import(
        r#"{"products": [{"_id": "pen", "category": "light", "name": "Pen", "sku": "P",
        "img": ["/p.svg"], "qtn": 100000, "realPrice": 10}]}"#,
    )
    .await;
    let cards = shop.issue_with(worth(50_000), CARDS).await;
    let codes: Arc<Vec<String>> =
        Arc::new(cards.iter().map(|(_, code)| code.to_string()).collect());
    let servers = [shop.routes.clone(), routes(&shop.context.clone())];
    let shop = Arc::new(shop);
    let buyers: Vec<_> = (0..BUYERS)
        .map(|buyer| {
            let (shop, server, codes) = (shop.clone(), servers[buyer % 2].clone(), codes.clone());
            tokio::spawn(async move {
                let random = Random::seeded(buyer as u64);
                let bearer =
                    format!("Bearer {}", shop.token(&format!("buyer-{buyer}@haat.example")));
                let (mut spent, mut refused) = (0, 0);
                for attempt in 0..ATTEMPTS {
                    let [one, other, share, keeps] = random.bytes().map(usize::from);
                    // Two different cards, in any order.
                    let one = one % CARDS;
                    let other = (one + 1 + other % (CARDS - 1)) % CARDS;
                    let first = 1 + (share as i64 * 16_900 / 255);
                    let amounts = [(one, first), (other, 17_000 - first)];
                    let amounts = amounts.into_iter().filter(|(_, cents)| *cents > 0);
                    let paid: Vec<(&str, f64)> = amounts
                        .map(|(card, cents)| (codes[card].as_str(), cents as f64 / 100.0))
                        .collect();
                    let mut body = order(json!([{ "_id": "pen", "qtn": 1 }]), 170.0);
                    body["giftCards"] = paying(&paid);
                    let key = format!("{buyer}-{attempt}");
                    let headers = [("authorization", bearer.as_str()), ("idempotency-key", &key)];
                    let answer = shop.ask_server(&server, "/api/orders", &headers, &body).await;
                    match answer.status {
                        StatusCode::CREATED if keeps % 4 == 0 => {
                            let number = answer.body["number"].as_str().unwrap();
                            let step = Step::CustomerCancel;
                            assert!(matches!(shop.apply(number, step).await, Done(_)));
                        }
                        StatusCode::CREATED => spent += 17_000,
                        StatusCode::CONFLICT => {
                            assert_eq!(
                                answer.body["error"]["code"], "gift_card",
                                "{}",
                                answer.body
                            );
                            refused += 1;
                        }
                        _ => panic!("{}", answer.body),
                    }
                }
                (spent, refused)
            })
        })
        .collect();
    let (mut spent, mut refused) = (0, 0);
    for buyer in buyers {
        let (of_buyer, conflicts) = buyer.await.unwrap();
        (spent, refused) = (spent + of_buyer, refused + conflicts);
    }
    let sql = "select cast(sum(balance) as bigint) from gift_cards";
    let (left,): (i64,) = shop.given.db.query(sql).one().await.unwrap();
    assert_eq!(left, 50_000 * CARDS as i64 - spent);
    assert!(spent > 0 && refused > 0, "{spent} spent, {refused} refused");
    shop.cards_add_up().await;
    assert_eq!(shop.get("/api/orders", OTHER).await.body, json!([]));
}

/// Triggers differ between the two databases, so this checks the source code instead.
#[test]
fn the_ledger_is_append_only() {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![module];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap().to_lowercase();
            for words in ["update gift_card_entries", "delete from gift_card_entries"] {
                assert!(!text.contains(words), "{}: {words}", path.display());
            }
            let writes = ["into gift_card", "update gift_cards"];
            if writes.iter().any(|words| text.contains(words)) {
                assert!(path.parent().unwrap().ends_with("gift_cards"), "{}", path.display());
            }
        }
    }
}
