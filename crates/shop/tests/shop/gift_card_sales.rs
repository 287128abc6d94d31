//! Gift cards that are bought in the shop: how they are priced, issued once, sent at their time and taken back.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use axum::http::StatusCode;
use platform::jobs::Worker;
use platform::{Currency, EmailAddress, Money};
use serde_json::{Value, json};
use shop::catalog::{self, Import, ImportFormat};
use shop::credit;
use shop::gift_cards::{self, GiftCard, GiftCardSender, SendGiftCard};
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{GuestSettings, ReturnLine, Step};
use test_support::on_both;

use super::test_shop::{Answer, ME, Shop, order, routes, usd};

on_both!(Shop:
    a_gift_card_is_no_goods_for_delivery_and_promotions,
    the_import_knows_gift_cards_and_changes_nothing_twice,
    cards_of_a_captured_order_are_sent_once_and_can_be_spent,
    cards_of_an_unpaid_order_are_issued_when_it_is_delivered,
    a_card_is_worth_its_price_in_the_base_currency,
    recipients_are_checked,
    a_cancelled_order_voids_its_cards_unless_one_is_spent,
    only_unspent_cards_are_returned,
    a_card_is_either_spent_or_taken_back,
    a_card_is_sent_again_with_a_new_code,
    recipients_are_erased_once_the_card_is_sent,
    a_mailbox_gets_no_more_than_a_hundred_cards_a_day,
);

const MINA: &str = "mina@mail.example";
const DAY: Duration = Duration::from_secs(24 * 3600);
const GIFT_CARD: &str = r#"{"products": [{"_id": "gift", "category": "light", "name": "Gift card", "sku": "G",
    "img": ["/g.svg"], "realPrice": 25, "giftCard": true,
    "options": [{"name": "Value", "values": ["25", "50"]}],
    "variants": [{"options": {"Value": "25"}}, {"_id": "gift-50", "options": {"Value": "50"}, "realPrice": 50}]}]}"#;

impl Shop {
    async fn sell_gift_cards(&self) {
        self.import(GIFT_CARD).await;
    }

    async fn credit_me(&self, cents: i64) {
        let (clock, random) = (&self.given.clock, &self.given.random);
        let uid = format!("uid-{ME}");
        credit::grant(&self.given.db, clock, random, &uid, usd(cents), "").await.unwrap();
    }

    /// Orders with store credit for everything, and returns the number.
    async fn buy(&self, lines: Value, total: f64, recipients: Value) -> String {
        self.credit_me((total * 100.0) as i64).await;
        let mut body = order(lines, total);
        body["credit"] = json!(total);
        body["giftCardRecipients"] = recipients;
        let placed = self.post("/api/orders", ME, &body).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        placed.body["number"].as_str().unwrap().to_owned()
    }

    async fn bought(&self, number: &str) -> Value {
        self.get(&format!("/api/orders/{number}"), ME).await.body
    }

    fn sender(&self) -> GiftCardSender {
        GiftCardSender::from_ref(&self.context)
    }

    async fn send_due(&self) {
        let (db, clock) = (self.given.db.clone(), self.given.clock.clone());
        let worker = Worker::new(db, clock, self.given.random.clone());
        worker.register::<SendGiftCard>(self.sender()).run_due().await.unwrap();
    }

    /// The codes in the e-mails to this address, the oldest first.
    async fn codes_to(&self, address: &str) -> Vec<String> {
        let emails = self.emails().await;
        let cards = emails.iter().filter(|email| {
            email["to"] == address && email["subject"].as_str().unwrap().contains("gift card")
        });
        let code = |email: &Value| {
            let text = email["text"].as_str().unwrap().to_owned();
            let is_code = |line: &&str| line.len() == 19 && line.matches('-').count() == 3;
            text.lines().map(str::trim).find(is_code).unwrap_or_else(|| panic!("{text}")).to_owned()
        };
        cards.map(code).collect()
    }

    async fn worth_of(&self, code: &str) -> Answer {
        let body = json!({ "code": code }).to_string();
        self.ask("POST", "/api/gift-cards/check", &[], body).await
    }

    async fn spend(&self, code: &str, amount: f64) -> Answer {
        let mut body = order(json!([{ "_id": "bulb", "qtn": 1 }]), 162.25);
        body["giftCards"] = json!([{ "code": code, "amount": amount }]);
        self.post("/api/orders", "karim@haat.example", &body).await
    }

    async fn cards(&self) -> Vec<GiftCard> {
        let now = self.given.clock.now();
        gift_cards::list(&self.given.db, Currency::USD, now, 1000).await.unwrap()
    }

    /// The sum of the balances of all cards, each of which is the sum of its entries.
    async fn balances(&self) -> Money {
        let sql = "select count(*) from gift_cards c where balance <>
                     (select sum(amount) from gift_card_entries e where e.card = c.id)";
        let (wrong,): (i64,) = self.given.db.query(sql).one().await.unwrap();
        assert_eq!(wrong, 0);
        Money::sum(self.cards().await.iter().map(|card| card.balance), Currency::USD)
    }
}

fn gifts(quantity: i64) -> Value {
    json!([{ "_id": "gift", "qtn": quantity }])
}

fn states(order: &Value) -> Vec<&str> {
    let cards = order["soldGiftCards"].as_array().unwrap();
    cards.iter().map(|card| card["state"].as_str().unwrap()).collect()
}

async fn a_gift_card_is_no_goods_for_delivery_and_promotions(shop: Shop) {
    shop.sell_gift_cards().await;
    shop.promote(json!({ "effect": { "percent": 10 }, "title": "Spring" })).await;
    shop.promote(json!({ "effect": { "amount": 5 }, "codes": ["FIVE"],
        "conditions": { "minSubTotal": 30 } }))
        .await;
    shop.promote(json!({ "effect": { "gift": "gift" }, "codes": ["FREE"] })).await;
    let quote = async |lines: Value, codes: Value| {
        let body = json!({ "lines": lines, "codes": codes }).to_string();
        shop.ask("POST", "/api/quote", &[], body).await.body
    };
    let alone = quote(gifts(100), json!([])).await;
    assert_eq!([&alone["subTotal"], &alone["discount"], &alone["shipping"]], [2500, 0, 0]);
    assert_eq!(
        (&alone["lines"][0]["giftCard"], &alone["lines"][0]["qtn"]),
        (&json!(true), &json!(100))
    );
    // Of a cart with goods, these are reduced and delivered.
    let lines = json!([{ "_id": "gift", "qtn": 1 }, { "_id": "lamp", "qtn": 1 }]);
    let mixed = quote(lines, json!(["FIVE", "FREE"])).await;
    assert_eq!([&mixed["subTotal"], &mixed["discount"], &mixed["shipping"]], [50.5, 2.55, 40.0]);
    let reason = |place: usize| &mixed["codes"][place]["reason"]["code"];
    assert_eq!([reason(0), reason(1)], ["code_min_sub_total", "code_no_effect"]);
    assert!(mixed["lines"][1].get("giftCard").is_none());
}

async fn the_import_knows_gift_cards_and_changes_nothing_twice(shop: Shop) {
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    shop.sell_gift_cards().await;
    let page = shop.get("/api/products/gift", ME).await.body;
    assert_eq!(page["giftCard"], true);
    assert!(shop.get("/api/products/lamp", ME).await.body.get("giftCard").is_none());
    let again = async |text: &str| {
        let rows = Import::parse(text, ImportFormat::Json, Currency::USD).unwrap();
        catalog::import(db, clock, random, &rows).await.unwrap().products.unchanged
    };
    assert_eq!(again(GIFT_CARD).await, 1);
    let (rows, _) = catalog::export::export_products(db, Currency::USD, None).await.unwrap();
    let rows: Value = serde_json::to_value(&rows).unwrap();
    let gift = rows.as_array().unwrap().iter().find(|row| row["_id"] == "gift").unwrap();
    assert_eq!(gift["giftCard"], true);
    assert_eq!(again(&json!({ "products": rows }).to_string()).await, 4);
    // Goods become a gift card: they have no end any more. A file that does not say it keeps it.
    let lamp = |more: &str| {
        format!(
            r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
            "img": ["/l.svg", "/m.svg"], "realPrice": 30{more}}}]}}"#
        )
    };
    shop.import(&lamp(r#", "giftCard": true"#)).await;
    shop.import(&lamp("")).await;
    let sql = "select id from products where gift_card order by id";
    let known: Vec<(String,)> = db.query(sql).all().await.unwrap();
    assert_eq!(known, [("gift".into(),), ("lamp".into(),)]);
    assert_eq!(shop.stock("lamp").await.0, catalog::MAX_STOCK);
    let free = GIFT_CARD.replace(r#""realPrice": 25"#, r#""realPrice": 0"#);
    let rows = Import::parse(&free, ImportFormat::Json, Currency::USD).unwrap();
    let why = catalog::import(db, clock, random, &rows).await.unwrap_err().to_string();
    assert!(why.contains("a gift card is worth its price"), "{why}");
}

async fn cards_of_a_captured_order_are_sent_once_and_can_be_spent(shop: Shop) {
    shop.sell_gift_cards().await;
    let tomorrow = "2026-11-16";
    let start = shop.given.clock.now().to_string();
    assert!(start.starts_with("2026-11-15"), "{start}");
    let lines = json!([{ "_id": "gift", "qtn": 2 }, { "_id": "gift-50", "qtn": 1 }]);
    let to = json!([{ "line": "gift-50", "email": "Mina@Mail.example", "sendOn": tomorrow }]);
    let number = shop.buy(lines, 100.0, to).await;
    let seen = shop.bought(&number).await;
    assert_eq!(states(&seen), ["scheduled"; 3]);
    assert_eq!(seen["soldGiftCards"][2]["recipient"], "m•••@mail.example");
    assert_eq!(seen["soldGiftCards"][2]["sendAt"], "2026-11-16T09:00:00.000Z");
    assert_eq!(seen["soldGiftCards"][0]["recipient"], "r•••@haat.example");
    // The cards exist, and nobody has a code yet.
    assert_eq!(
        (shop.balances().await, shop.cards().await[0].number.as_ref()),
        (usd(10_000), Some(&number))
    );
    assert!(shop.cards().await.iter().all(|card| card.last_four.is_empty()));
    for _ in 0..3 {
        shop.send_due().await;
    }
    let mine = shop.codes_to(ME).await;
    assert_eq!((mine.len(), shop.codes_to(MINA).await.len()), (2, 0));
    let emails = shop.emails().await;
    let text = emails.iter().find(|one| one["text"].as_str().unwrap().contains(&mine[0])).unwrap();
    assert!(!text["text"].as_str().unwrap().contains("Rahim"), "{text}");
    shop.given.clock.advance(DAY * 2);
    // A job that is replayed sends no second e-mail.
    for _ in 0..2 {
        shop.send_due().await;
        let db = &shop.given.db;
        db.query("update sold_gift_cards set voided_at = voided_at").execute().await.unwrap();
    }
    let hers = shop.codes_to(MINA).await;
    assert_eq!(hers.len(), 1);
    let worth = shop.worth_of(&hers[0]).await.body;
    assert_eq!((&worth["balance"], &worth["state"]), (&json!(50), &json!("active")));
    assert_eq!(shop.spend(&hers[0], 10.0).await.status, StatusCode::CREATED);
    let seen = shop.bought(&number).await;
    assert_eq!(states(&seen), ["sent"; 3]);
    assert_eq!(seen["soldGiftCards"][2]["lastFour"], hers[0][15..]);
    assert_eq!(shop.balances().await, usd(9_000));
}

async fn cards_of_an_unpaid_order_are_issued_when_it_is_delivered(shop: Shop) {
    shop.sell_gift_cards().await;
    let body = order(gifts(1), 25.0);
    let placed = shop.post_with_key("/api/orders", ME, "one", &body).await;
    let number = placed.body["number"].as_str().unwrap().to_owned();
    assert_eq!(shop.post_with_key("/api/orders", ME, "one", &body).await.status, StatusCode::OK);
    assert_eq!(
        (states(&shop.bought(&number).await), shop.count("gift_cards").await),
        (vec!["unpaid"], 0)
    );
    shop.advance(&number, 3).await;
    shop.send_due().await;
    assert_eq!(shop.count("gift_cards").await, 0);
    shop.advance(&number, 1).await;
    shop.send_due().await;
    assert_eq!(
        (states(&shop.bought(&number).await), shop.count("gift_cards").await),
        (vec!["sent"], 1)
    );
    assert_eq!(shop.codes_to(ME).await.len(), 1);
    // Cancelled before it is paid, nothing is ever issued.
    let number = shop.place(ME, gifts(2), 50.0).await;
    assert!(matches!(shop.apply(&number, Step::Cancel).await, Done(_)));
    assert_eq!(
        (states(&shop.bought(&number).await), shop.count("gift_cards").await),
        (vec!["voided"; 2], 1)
    );
}

async fn a_card_is_worth_its_price_in_the_base_currency(shop: Shop) {
    shop.sell_gift_cards().await;
    let quote = json!({ "lines": gifts(1) }).to_string();
    let quote = shop.ask("POST", "/api/quote?currency=EUR", &[], quote).await.body;
    let mut body = order(gifts(1), quote["total"].as_f64().unwrap());
    body["currency"] = json!("EUR");
    let placed = shop.post("/api/orders", ME, &body).await;
    assert_eq!(
        (placed.status, &placed.body["lines"][0]["buyPrice"]),
        (StatusCode::CREATED, &json!(22.99))
    );
    shop.advance(placed.body["number"].as_str().unwrap(), 4).await;
    assert_eq!(shop.balances().await, usd(2_500));
}

async fn recipients_are_checked(mut shop: Shop) {
    shop.sell_gift_cards().await;
    let refused = async |shop: &Shop, recipients: Value| {
        let mut body = order(gifts(1), 25.0);
        body["giftCardRecipients"] = recipients;
        let answer = shop.post("/api/orders", ME, &body).await;
        let error = &answer.body["error"];
        let field = error["fields"][0]["name"].as_str().unwrap_or_default().to_owned();
        (answer.status.as_u16(), field)
    };
    let to = |field: &str, value: &str| json!([{ "line": "gift", field: value }]);
    let field = |name: &str| format!("giftCardRecipients.{name}");
    for (recipients, status, name) in [
        (to("email", "nobody"), 400, "0.email"),
        (to("email", "a@b.example\nBcc: c@d.example"), 400, "0.email"),
        (to("sendOn", "24.12.2026"), 400, "0.sendOn"),
        (to("sendOn", "2026-02-30"), 400, "0.sendOn"),
        (to("sendOn", "2026-11-14"), 422, "0.sendOn"),
        (to("sendOn", "2027-11-16"), 422, "0.sendOn"),
        (json!([{ "line": "lamp" }]), 422, "0.line"),
        (json!([{ "line": "gift" }, { "line": "gift" }]), 422, "1.line"),
    ] {
        assert_eq!(refused(&shop, recipients.clone()).await, (status, field(name)), "{recipients}");
    }
    assert_eq!(refused(&shop, json!([{ "line": "gift", "from": "me" }])).await.0, 400);
    let many: Vec<Value> = (0..101).map(|place| json!({ "line": format!("p{place}") })).collect();
    assert_eq!(refused(&shop, json!(many)).await.0, 400);
    assert_eq!((shop.count("orders").await, shop.count("sold_gift_cards").await), (0, 0));
    // Of a key, recipients are a part of the request.
    let mut body = order(gifts(1), 25.0);
    assert_eq!(shop.post_with_key("/api/orders", ME, "k", &body).await.status, StatusCode::CREATED);
    body["giftCardRecipients"] = to("sendOn", "2027-11-15");
    let reused = shop.post_with_key("/api/orders", ME, "k", &body).await;
    assert_eq!(reused.body["error"]["code"], "idempotency_key_reused");
    // A guest without an e-mail address says where the card is sent.
    shop.context.orders.guests =
        GuestSettings { guest_checkout: Some(true), ..GuestSettings::default() };
    shop.routes = routes(&shop.context);
    let mut body = order(gifts(1), 25.0);
    let answer = shop.ask("POST", "/api/orders", &[], body.to_string()).await;
    assert_eq!(
        (answer.status, &answer.body["error"]["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("gift_card_recipient_required"))
    );
    body["giftCardRecipients"] = to("email", MINA);
    let placed = shop.ask("POST", "/api/orders", &[], body.to_string()).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    shop.advance(placed.body["number"].as_str().unwrap(), 4).await;
    shop.send_due().await;
    assert_eq!(shop.codes_to(MINA).await.len(), 1);
}

async fn a_cancelled_order_voids_its_cards_unless_one_is_spent(shop: Shop) {
    shop.sell_gift_cards().await;
    let number = shop.buy(gifts(2), 50.0, json!([])).await;
    shop.send_due().await;
    let code = shop.codes_to(ME).await[0].clone();
    let spent = shop.spend(&code, 2.25).await.body["number"].as_str().unwrap().to_owned();
    let cancel = format!("/api/orders/{number}/cancel");
    assert_eq!(shop.bought(&number).await["canCancel"], false);
    let refused = shop.post(&cancel, ME, &json!({})).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("gift_card_spent"))
    );
    assert_eq!(
        (shop.balances().await, &shop.bought(&number).await["status"]),
        (usd(4_775), &json!("placed"))
    );
    // What paid for is back on the card: then it can be cancelled.
    assert!(matches!(shop.apply(&spent, Step::Cancel).await, Done(_)));
    for _ in 0..2 {
        assert_eq!(shop.post(&cancel, ME, &json!({})).await.body["status"], "cancelled");
    }
    assert_eq!(
        (shop.balances().await, states(&shop.bought(&number).await)),
        (usd(0), vec!["voided"; 2])
    );
    assert_eq!(shop.worth_of(&code).await.body["state"], "disabled");
    let account = shop.get("/api/credit", ME).await.body;
    assert_eq!(account["balance"], 50, "{account}");
    // A card that is not sent yet is never sent.
    let number =
        shop.buy(gifts(1), 25.0, json!([{ "line": "gift", "sendOn": "2026-12-24" }])).await;
    shop.post(&format!("/api/orders/{number}/cancel"), ME, &json!({})).await;
    shop.given.clock.advance(DAY * 60);
    shop.send_due().await;
    assert_eq!((shop.codes_to(ME).await.len(), shop.balances().await), (2, usd(0)));
}

async fn only_unspent_cards_are_returned(shop: Shop) {
    shop.sell_gift_cards().await;
    let lines = json!([{ "_id": "gift", "qtn": 3 }, { "_id": "lamp", "qtn": 1 }]);
    let number = shop.buy(lines, 260.5, json!([])).await;
    shop.advance(&number, 4).await;
    shop.send_due().await;
    let codes = shop.codes_to(ME).await;
    assert_eq!((codes.len(), shop.cards().await.len()), (3, 3), "issued once");
    shop.spend(&codes[0], 1.0).await;
    let returnable = |order: &Value| order["returnable"].clone();
    let wanted = json!([{ "_id": "gift", "qtn": 2 }, { "_id": "lamp", "qtn": 1 }]);
    assert_eq!(returnable(&shop.bought(&number).await), wanted);
    let path = format!("/api/orders/{number}/return");
    let three = json!({ "lines": [{ "_id": "gift", "qtn": 3 }] });
    let refused = shop.post(&path, ME, &three).await;
    assert_eq!(refused.body["error"]["fields"][0]["code"], "not_returnable");
    let two = json!({ "lines": [{ "_id": "gift", "qtn": 2 }] });
    assert_eq!(shop.post(&path, ME, &two).await.status, StatusCode::OK);
    // Spent after the request: the shop cannot receive it, and refuses.
    shop.spend(&codes[1], 1.0).await;
    let receive = async || {
        let number = number.parse().unwrap();
        shop.order_store().apply(&number, Step::Advance, "").await
    };
    assert!(receive().await.unwrap_err().to_string().contains("has been spent"));
    assert_eq!(shop.balances().await, usd(7_300));
    assert!(matches!(shop.apply(&number, Step::RefuseReturn).await, Done(_)));
    let one = [ReturnLine { variant: "gift".parse().unwrap(), quantity: 1 }];
    assert!(matches!(shop.apply(&number, Step::RequestReturn(&one)).await, Done(_)));
    assert!(matches!(receive().await.unwrap(), Done(_)));
    assert_eq!(
        (shop.balances().await, shop.spend(&codes[2], 1.0).await.status),
        (usd(4_800), StatusCode::CONFLICT)
    );
    assert!(matches!(shop.apply(&number, Step::Advance).await, Done(_)));
    let seen = shop.bought(&number).await;
    // Its price with its share of the VAT; the spent ones and the lamp stay.
    assert_eq!(
        (&seen["status"], &seen["returns"][1]["goods"]),
        (&json!("partly_refunded"), &json!(25))
    );
    assert_eq!(returnable(&seen), json!([{ "_id": "lamp", "qtn": 1 }]));
    assert_eq!(shop.apply(&number, Step::RequestReturn(&one)).await, StepOutcome::NotReturnable);
}

/// Two servers: a card is spent while it is taken back, many times.
async fn a_card_is_either_spent_or_taken_back(shop: Shop) {
    const CARDS: i64 = 8;
    shop.sell_gift_cards().await;
    let mut numbers = Vec::new();
    for _ in 0..CARDS {
        let number = shop.buy(gifts(1), 25.0, json!([])).await;
        shop.send_due().await;
        let sent = shop.bought(&number).await["soldGiftCards"][0]["lastFour"].clone();
        numbers.push((number, sent.as_str().unwrap().to_owned()));
    }
    let codes = shop.codes_to(ME).await;
    let other = routes(&shop.context.clone());
    let shop = Arc::new(shop);
    let races = numbers.into_iter().map(|(number, sent)| {
        let code = codes.iter().find(|code| code.ends_with(&sent)).unwrap().clone();
        let (shop, other) = (shop.clone(), other.clone());
        tokio::spawn(async move {
            let bearer = format!("Bearer {}", shop.token(ME));
            let mut body = order(json!([{ "_id": "bulb", "qtn": 1 }]), 162.25);
            body["giftCards"] = json!([{ "code": code, "amount": 25 }]);
            let headers = [("authorization", bearer.as_str())];
            let cancel = format!("/api/orders/{number}/cancel");
            let nothing = json!({});
            let (spent, cancelled) = tokio::join!(
                shop.ask_server(&other, "/api/orders", &headers, &body),
                shop.post(&cancel, ME, &nothing),
            );
            let done = (spent.status == StatusCode::CREATED, cancelled.status == StatusCode::OK);
            assert!(done.0 != done.1, "{} {}", spent.body, cancelled.body);
            done.1
        })
    });
    let mut cancelled = 0;
    for race in races.collect::<Vec<_>>() {
        cancelled += i64::from(race.await.unwrap());
    }
    assert_eq!(shop.balances().await, usd(0));
    let account = shop.get("/api/credit", ME).await.body;
    assert_eq!(account["balance"], json!(cancelled * 25));
}

async fn a_card_is_sent_again_with_a_new_code(shop: Shop) {
    shop.sell_gift_cards().await;
    shop.buy(gifts(1), 25.0, json!([])).await;
    shop.send_due().await;
    let old = shop.codes_to(ME).await[0].clone();
    let card = shop.cards().await[0].clone();
    shop.sender().resend(&card.id, None).await.unwrap();
    let new = shop.codes_to(ME).await[1].clone();
    assert_eq!(shop.worth_of(&old).await.status, StatusCode::NOT_FOUND);
    assert_eq!(shop.worth_of(&new).await.body["balance"], 25);
    let mina = EmailAddress::parse(MINA).unwrap();
    shop.sender().resend(&card.id, Some(&mina)).await.unwrap();
    assert_eq!(shop.worth_of(&new).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        (shop.codes_to(MINA).await.len(), shop.cards().await[0].recipient.as_str()),
        (1, MINA)
    );
    // Sent by hand before its day, it is not sent again.
    let number =
        shop.buy(gifts(1), 25.0, json!([{ "line": "gift", "sendOn": "2026-12-24" }])).await;
    let cards = shop.cards().await;
    let later = cards.iter().find(|card| card.number.as_deref() == Some(&number)).unwrap();
    shop.sender().resend(&later.id, Some(&mina)).await.unwrap();
    shop.given.clock.advance(DAY * 60);
    shop.send_due().await;
    assert_eq!((shop.codes_to(MINA).await.len(), shop.codes_to(ME).await.len()), (2, 2));
    // Nothing is sent of a card that is taken back.
    assert!(matches!(shop.apply(&number, Step::Cancel).await, Done(_)));
    assert!(shop.sender().resend(&later.id, None).await.is_err());
}

async fn recipients_are_erased_once_the_card_is_sent(shop: Shop) {
    shop.sell_gift_cards().await;
    let to = json!([{ "line": "gift", "email": MINA, "sendOn": "2026-12-24" }]);
    let number = shop.buy(gifts(1), 25.0, to).await;
    let mut tx = shop.given.db.begin().await.unwrap();
    gift_cards::erase(&mut tx, MINA);
    tx.commit().await.unwrap();
    assert_eq!(shop.cards().await[0].recipient, "");
    shop.given.clock.advance(DAY * 60);
    shop.send_due().await;
    assert_eq!(shop.codes_to(MINA).await.len(), 1);
    let known = "select count(*) from sold_gift_cards where recipient <> ''";
    let (known,): (i64,) = shop.given.db.query(known).one().await.unwrap();
    assert_eq!((known, states(&shop.bought(&number).await)), (0, vec!["sent"]));
}

async fn a_mailbox_gets_no_more_than_a_hundred_cards_a_day(shop: Shop) {
    shop.sell_gift_cards().await;
    let to = |email: &str| json!([{ "line": "gift", "email": email }]);
    shop.buy(gifts(60), 1500.0, to(MINA)).await;
    let mut body = order(gifts(41), 1025.0);
    body["giftCardRecipients"] = to("mina+2@mail.example");
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.body);
    shop.buy(gifts(40), 1000.0, to("mina+2@mail.example")).await;
    shop.given.clock.advance(DAY);
    shop.buy(gifts(41), 1025.0, to(MINA)).await;
    let too_many = json!([{ "_id": "gift", "qtn": 60 }, { "_id": "gift-50", "qtn": 41 }]);
    let refused = shop.post("/api/orders", ME, &order(too_many, 3550.0)).await;
    assert_eq!(refused.body["error"]["fields"][0]["code"], "too_many_gift_cards_bought");
}
