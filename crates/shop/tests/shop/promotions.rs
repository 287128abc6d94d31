//! Promotions: what is shown is charged, limits hold with many buyers at once, and a cancelled order gives back what it
//! used.

use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use platform::Random;
use platform::auth::Customer;
use platform::time_zone::TimeZone;
use serde_json::{Value, json};
use shop::orders::{Refund, Step};
use shop::promotions::{self, ActivePromotions, PromotionCode};
use test_support::on_both;

use super::test_shop::{Answer, ME, Shop, one_lamp, order, routes, usd};

on_both!(Shop:
    a_code_reduces_quote_order_and_email_by_the_same_amount,
    automatic_promotions_apply_to_the_specified_call_too,
    what_a_code_needs_is_said_and_the_order_is_refused_without_it,
    a_promotion_that_ended_since_the_quote_changes_the_total,
    limits_per_customer_follow_the_verified_address,
    limits_per_customer_follow_the_verified_phone_number,
    a_first_order_is_counted_once,
    groups_of_customers_have_their_own_promotions,
    codes_cannot_be_guessed,
    anonymized_orders_do_not_say_who_used_a_promotion,
    a_repeated_request_returns_its_order_although_the_code_is_used_up,
    returned_units_are_worth_what_was_paid_for_them,
    limits_hold_with_many_buyers_on_two_servers,
    promotions_are_imported_all_or_none_and_limits_stay_countable,
    amounts_are_converted_to_the_currency_of_the_order,
);

const ALL: &str = r#"{"effect": {"percent": 10}, "codes": ["SPRING10"], "title": "Spring sale"}"#;

fn spring() -> Value {
    serde_json::from_str(ALL).unwrap()
}

impl Shop {
    async fn quote_as(&self, email: &str, lines: Value, codes: &[&str]) -> Value {
        let body = json!({ "lines": lines, "codes": codes });
        let answer = self.post("/api/quote", email, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    async fn order_with(&self, email: &str, lines: Value, codes: &[&str], total: f64) -> Answer {
        let mut body = order(lines, total);
        body["codes"] = json!(codes);
        self.post("/api/orders", email, &body).await
    }

    async fn uses(&self, code: &str) -> i64 {
        promotions::find(&self.given.db, code).await.unwrap().unwrap().orders
    }
}

fn number(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.body["number"].as_str().unwrap().to_owned()
}

fn reason(quote: &Value, place: usize) -> &str {
    quote["codes"][place]["reason"]["code"].as_str().unwrap_or("applied")
}

async fn a_code_reduces_quote_order_and_email_by_the_same_amount(shop: Shop) {
    shop.promote(spring()).await;
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    // 10 % of 57.75, half up: 5.78, of which 5.10 for the lamps and 0.68 for the bulbs.
    let quote = shop.quote_as(ME, lines.clone(), &["spring10 "]).await;
    assert_eq!(quote["codes"], json!([{ "code": "SPRING10", "applied": true }]));
    assert_eq!([&quote["subTotal"], &quote["discount"], &quote["total"]], [57.75, 5.78, 211.97]);
    let placed = shop.order_with(ME, lines, &["SPRING10"], 211.97).await;
    let number = number(&placed);
    let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(seen["adjustments"], quote["adjustments"]);
    let amounts: Vec<&Value> =
        seen["adjustments"].as_array().unwrap().iter().map(|one| &one["amount"]).collect();
    assert_eq!(amounts, [&json!(-5.1), &json!(-0.68)]);
    assert_eq!(
        [&seen["discount"], &seen["total"], &seen["base"]["discount"]],
        [5.78, 211.97, 5.78]
    );
    let email = &shop.emails().await[0]["text"];
    let text = email.as_str().unwrap();
    for part in ["Spring sale", "−$5.78", "$211.97"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(shop.uses("SPRING10").await, 1);
    shop.apply(&number, Step::Cancel).await;
    assert_eq!(shop.uses("SPRING10").await, 0);
}

async fn automatic_promotions_apply_to_the_specified_call_too(shop: Shop) {
    shop.promote(json!({ "effect": "freeDelivery", "title": "We deliver" })).await;
    let quote = shop.quote_as(ME, one_lamp(), &[]).await;
    assert_eq!([&quote["shipping"], &quote["discount"], &quote["cartTotal"]], [40.0, 40.0, 25.5]);
    let body = json!({ "firstname": "Rahim", "email": ME, "phone": "+880 1700 000000",
        "address": "Dhaka", "getState": [{ "_id": "lamp", "qtn": 1 }], "grandPrice": 145.5 });
    let placed = shop.post("/api/order", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
}

async fn what_a_code_needs_is_said_and_the_order_is_refused_without_it(shop: Shop) {
    shop.promote(json!({ "effect": { "amount": 5 }, "codes": ["FIVE"],
        "conditions": { "minSubTotal": 50 } }))
        .await;
    let quote = shop.quote_as(ME, one_lamp(), &["FIVE", "NOPE", "ten%"]).await;
    assert_eq!(
        [0, 1, 2].map(|place| reason(&quote, place)),
        ["code_min_sub_total", "unknown_code", "unknown_code"]
    );
    assert_eq!(
        quote["codes"][0]["reason"]["params"],
        json!({ "least": "50.00", "missing": "24.50" })
    );
    assert_eq!(quote["total"], 185.5);
    let refused = shop.order_with(ME, one_lamp(), &["FIVE"], 180.5).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price"))
    );
    assert_eq!(reason(&refused.body["quote"], 0), "code_min_sub_total");
    let many = vec!["A"; 11];
    let body = json!({ "lines": one_lamp(), "codes": many });
    let answer = shop.post("/api/quote", ME, &body).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
}

async fn a_promotion_that_ended_since_the_quote_changes_the_total(shop: Shop) {
    let id = shop.promote(spring()).await;
    // The shop does not know of the end yet: it has not polled.
    assert!(promotions::end(&shop.given.db, &shop.given.clock, &id).await.unwrap());
    let refused = shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price"))
    );
    let quote = &refused.body["quote"];
    assert_eq!((reason(quote, 0), &quote["total"]), ("code_ended", &json!(185.5)));
    assert_eq!((shop.count("orders").await, shop.stock("lamp").await), (0, (50, 0)));
}

async fn limits_per_customer_follow_the_verified_address(shop: Shop) {
    let mut once = spring();
    once["perCustomer"] = json!(1);
    shop.promote(once).await;
    let number = number(&shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await);
    let quote = shop.quote_as(ME, one_lamp(), &["SPRING10"]).await;
    assert_eq!(reason(&quote, 0), "code_already_used");
    let again = shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    // Somebody without a token is shown what a new customer gets.
    let body = json!({ "lines": one_lamp(), "codes": ["SPRING10"] }).to_string();
    let guest = shop.ask("POST", "/api/quote", &[], Body::from(body)).await;
    assert_eq!(reason(&guest.body, 0), "applied");
    // Another customer, and the first one after the order is cancelled.
    let other = shop.order_with("nasrin@haat.example", one_lamp(), &["SPRING10"], 182.95).await;
    assert_eq!(other.status, StatusCode::CREATED);
    shop.apply(&number, Step::CustomerCancel).await;
    let again = shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await;
    assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
    let keys: Vec<(String,)> =
        shop.given.db.query("select customer_key from promotion_customers").all().await.unwrap();
    assert_eq!(keys.len(), 4, "one for the account and one for the address of each");
    assert!(keys.iter().all(|(key,)| !key.contains('@')));
}

async fn limits_per_customer_follow_the_verified_phone_number(shop: Shop) {
    let mut once = spring();
    once["perCustomer"] = json!(1);
    shop.promote(once).await;
    let mut body = order(one_lamp(), 182.95);
    body["codes"] = json!(["SPRING10"]);
    let order = async |account: &str, phone: Option<&str>| {
        let customer = Customer {
            uid: account.into(),
            email: format!("{account}@haat.example"),
            name: None,
            email_verified: false,
            verified_phone: phone.map(str::to_owned),
        };
        let token = shop.context.context.tokens.access_token(customer, None).unwrap();
        let headers = [("authorization", &*format!("Bearer {token}"))];
        shop.ask("POST", "/api/orders", &headers, Body::from(body.to_string())).await.status
    };
    assert_eq!(order("one", Some("+8801700000001")).await, StatusCode::CREATED);
    assert_eq!(order("two", Some("+8801700000001")).await, StatusCode::CONFLICT);
    assert_eq!(order("two", Some("+8801700000002")).await, StatusCode::CREATED);
}

async fn a_first_order_is_counted_once(shop: Shop) {
    let mut first = spring();
    first["conditions"] = json!({ "firstOrder": true });
    shop.promote(first).await;
    let shop = Arc::new(shop);
    let both = [(); 2].map(|()| {
        let shop = shop.clone();
        tokio::spawn(
            async move { shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await.status },
        )
    });
    let mut outcomes = Vec::new();
    for one in both {
        outcomes.push(one.await.unwrap());
    }
    outcomes.sort();
    assert_eq!(outcomes, [StatusCode::CREATED, StatusCode::CONFLICT]);
    let quote = shop.quote_as(ME, one_lamp(), &["SPRING10"]).await;
    assert_eq!(reason(&quote, 0), "code_first_order");
}

async fn groups_of_customers_have_their_own_promotions(shop: Shop) {
    shop.promote(json!({ "effect": { "percent": 20 }, "title": "Wholesale",
        "conditions": { "groups": ["wholesale"] } }))
        .await;
    let discount = async || shop.quote_as(ME, one_lamp(), &[]).await["discount"].clone();
    assert_eq!(discount().await, 0);
    let (db, uid) = (&shop.given.db, format!("uid-{ME}"));
    assert!(promotions::set_member(db, "Wholesale", &uid, true).await.unwrap());
    assert!(!promotions::set_member(db, "wholesale", &uid, true).await.unwrap());
    assert_eq!(discount().await, 5.1);
    assert_eq!(shop.quote_as("nasrin@haat.example", one_lamp(), &[]).await["discount"], 0);
    assert!(promotions::set_member(db, "wholesale", &uid, false).await.unwrap());
    assert_eq!(discount().await, 0);
}

async fn codes_cannot_be_guessed(shop: Shop) {
    shop.promote(spring()).await;
    for guess in 0..10 {
        let codes: Vec<String> = (0..10).map(|code| format!("GUESS{guess}{code}")).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        shop.quote_as(ME, one_lamp(), &codes).await;
    }
    let quote = shop.quote_as(ME, one_lamp(), &["SPRING10"]).await;
    assert_eq!(reason(&quote, 0), "unknown_code");
    shop.given.clock.advance(std::time::Duration::from_secs(3601));
    assert_eq!(reason(&shop.quote_as(ME, one_lamp(), &["SPRING10"]).await, 0), "applied");
}

async fn anonymized_orders_do_not_say_who_used_a_promotion(shop: Shop) {
    let mut once = spring();
    once["perCustomer"] = json!(1);
    shop.promote(once).await;
    let number = number(&shop.order_with(ME, one_lamp(), &["SPRING10"], 182.95).await);
    shop.advance(&number, 4).await;
    let db = &shop.given.db;
    let mut tx = db.begin().await.unwrap();
    shop::orders::anonymize(&mut tx, &format!("uid-{ME}")).await.unwrap();
    tx.commit().await.unwrap();
    let (keys,): (String,) =
        db.query("select customer_keys from promotion_uses").one().await.unwrap();
    assert_eq!(keys, "[]");
    // The limit holds, for the same address in a new account too.
    let quote = shop.quote_as(ME, one_lamp(), &["SPRING10"]).await;
    assert_eq!(reason(&quote, 0), "code_already_used");
}

async fn a_repeated_request_returns_its_order_although_the_code_is_used_up(shop: Shop) {
    let mut once = spring();
    once["limit"] = json!(1);
    shop.promote(once).await;
    let mut body = order(one_lamp(), 182.95);
    body["codes"] = json!(["SPRING10"]);
    let first = shop.post_with_key("/api/orders", ME, "k", &body).await;
    let again = shop.post_with_key("/api/orders", ME, "k", &body).await;
    assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::OK));
    assert_eq!(first.body, again.body);
    body["codes"] = json!([]);
    let other = shop.post_with_key("/api/orders", ME, "k", &body).await;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
    let quote = shop.quote_as(ME, one_lamp(), &["SPRING10"]).await;
    assert_eq!(reason(&quote, 0), "code_used_up");
}

async fn returned_units_are_worth_what_was_paid_for_them(shop: Shop) {
    shop.promote(json!({ "effect": { "buyGet": { "buy": 2, "get": 1 } }, "title": "3 for 2" }))
        .await;
    let lines = json!([{ "_id": "bulb", "qtn": 3 }]);
    // 6.75 for three bulbs, of which one is free: 4.50, delivery 40, VAT 120.
    let placed = shop.order_with(ME, lines, &[], 164.5).await;
    let number = number(&placed);
    shop.advance(&number, 4).await;
    let mut back = usd(0);
    for _ in 0..3 {
        let body = json!({ "lines": [{ "_id": "bulb", "qtn": 1 }] });
        shop.post(&format!("/api/orders/{number}/return"), ME, &body).await;
        shop.advance(&number, 1).await;
        shop.apply(&number, Step::Refund(Refund::default())).await;
        let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
        let newest = seen["returns"].as_array().unwrap().last().unwrap().clone();
        assert_eq!([&newest["goods"], &newest["vat"]], [1.5, 40.0]);
        back = back + usd((newest["paid"].as_f64().unwrap() * 100.0).round() as i64);
    }
    assert_eq!(back, usd(12_450));
    assert_eq!(shop.get(&format!("/api/orders/{number}"), ME).await.body["status"], "refunded");
}

/// 64 buyers on two servers want a promotion for 100 orders, one that everybody gets once, and 50 codes for one order each.
async fn limits_hold_with_many_buyers_on_two_servers(shop: Shop) {
    const BUYERS: usize = 64;
    shop.import(
        r#"{"products": [{"_id": "pen", "category": "light", "name": "Pen", "sku": "P",
        "img": ["/p.svg"], "qtn": 100000, "realPrice": 10}]}"#,
    )
    .await;
    let exclusive = |terms: Value| {
        let mut terms = terms;
        terms["combines"] = json!(false);
        terms
    };
    shop.promote(json!({ "effect": { "amount": 1 }, "codes": ["HUNDRED"], "limit": 100 })).await;
    shop.promote(json!({ "effect": { "amount": 2 }, "codes": ["ONCE"], "perCustomer": 1 })).await;
    let batch = shop
        .promote(exclusive(
            json!({ "effect": { "amount": 3 }, "codes": ["BATCH"], "limit": 10_000 }),
        ))
        .await;
    let source = (&shop.given.clock, &shop.given.random);
    let codes = promotions::add_codes(&shop.given.db, source, &batch, (50, "")).await.unwrap();
    let mut second = shop.context.clone();
    let secret = shop.context.context.secret.clone();
    second.promotions = ActivePromotions::new(shop.revisions.clone(), TimeZone::default(), secret);
    let servers = [shop.routes.clone(), routes(&second)];
    let shop = Arc::new(shop);
    let buyers: Vec<_> = (0..BUYERS)
        .map(|buyer| {
            let (shop, server, codes) = (shop.clone(), servers[buyer % 2].clone(), codes.clone());
            tokio::spawn(async move {
                let random = Random::seeded(buyer as u64);
                let email = format!("buyer-{buyer}@haat.example");
                let bearer = format!("Bearer {}", shop.token(&email));
                let mut placed = [0i64; 3];
                for attempt in 0..6 {
                    let [pick, which] = random.bytes();
                    let code = &codes[usize::from(pick) % codes.len()];
                    // The first two combine: an order that uses both locks both.
                    let (kinds, codes): (&[usize], &[&str]) = match which % 4 {
                        0 => (&[0], &["HUNDRED"]),
                        1 => (&[1], &["ONCE"]),
                        2 => (&[0, 1], &["HUNDRED", "ONCE"]),
                        _ => (&[2], &[PromotionCode::as_str(code)]),
                    };
                    let off: usize = kinds.iter().map(|kind| kind + 1).sum();
                    let mut body = order(json!([{ "_id": "pen", "qtn": 1 }]), 170.0 - off as f64);
                    body["codes"] = json!(codes);
                    let key = format!("{buyer}-{attempt}");
                    let headers = [("authorization", bearer.as_str()), ("idempotency-key", &key)];
                    let answer = shop.ask_server(&server, "/api/orders", &headers, &body).await;
                    match answer.status {
                        StatusCode::CREATED => {
                            kinds.iter().for_each(|kind| placed[*kind] += 1);
                            // Some think again.
                            if which >= 200 {
                                let number = answer.body["number"].as_str().unwrap();
                                shop.apply(number, Step::CustomerCancel).await;
                                kinds.iter().for_each(|kind| placed[*kind] -= 1);
                            }
                        }
                        StatusCode::CONFLICT => {
                            assert_eq!(answer.body["error"]["code"], "price", "{}", answer.body);
                        }
                        _ => panic!("{}", answer.body),
                    }
                }
                placed
            })
        })
        .collect();
    let mut placed = [0; 3];
    for buyer in buyers {
        let of_buyer = buyer.await.unwrap();
        assert!(of_buyer[1] <= 1, "once per customer");
        placed.iter_mut().zip(of_buyer).for_each(|(sum, one)| *sum += one);
    }
    let uses = [shop.uses("HUNDRED").await, shop.uses("ONCE").await, shop.uses("BATCH").await];
    assert_eq!(uses, placed);
    assert!(uses[0] <= 100 && uses[1] <= BUYERS as i64 && uses[2] <= 50, "{uses:?}");
    assert!(uses.iter().all(|uses| *uses > 0), "{uses:?}");
    let db = &shop.given.db;
    let counted: Vec<(i64, i64)> = db
        .query(
            "select uses, (select count(*) from promotion_uses where code = promotion_codes.code)
             from promotion_codes where max_uses is not null",
        )
        .all()
        .await
        .unwrap();
    assert!(counted.iter().all(|(uses, orders)| uses == orders && *uses <= 1));
    let (counted,): (i64,) =
        db.query("select uses from promotions where max_uses = 100").one().await.unwrap();
    assert_eq!(counted, uses[0]);
}

async fn promotions_are_imported_all_or_none_and_limits_stay_countable(shop: Shop) {
    let (db, source) = (&shop.given.db, (&shop.given.clock, &shop.given.random));
    let import = async |text: &str| {
        let rows: Vec<promotions::NewPromotion> = serde_json::from_str(text).unwrap();
        promotions::import(db, source, platform::Currency::USD, &rows).await
    };
    let refused = import(
        r#"[{"_id": "a", "effect": "freeDelivery", "title": "A"},
            {"_id": "b", "effect": {"fixedPrice": 0}, "title": "B"}]"#,
    );
    assert!(refused.await.unwrap_err().message().contains("promotion 2"));
    assert_eq!(shop.count("promotions").await, 0);
    import(
        r#"[{"_id": "a", "effect": {"percent": 5}, "codes": ["A", "B"]},
               {"_id": "b", "effect": {"percent": 5}, "codes": ["C"], "limit": 3}]"#,
    )
    .await
    .unwrap();
    for wrong in [
        r#"[{"_id": "a", "effect": {"percent": 5}, "codes": ["A"], "limit": 3}]"#,
        r#"[{"_id": "a", "effect": {"percent": 5}, "codes": ["A"], "perCustomer": 3}]"#,
        r#"[{"_id": "a", "effect": {"percent": 5}, "title": "A"}]"#,
        r#"[{"effect": {"percent": 5}, "codes": ["C"]}]"#,
        r#"[{"effect": {"percent": 5}}]"#,
        r#"[{"effect": {"percent": 5}, "codes": ["D"], "from": "2026-11-02T00:00:00Z", "until": "2026-11-01T00:00:00Z"}]"#,
    ] {
        assert!(import(wrong).await.is_err(), "{wrong}");
    }
    import(r#"[{"_id": "a", "effect": {"percent": 7}, "codes": ["A", "D"]}, {"_id": "b", "effect": {"percent": 5}, "codes": ["C"], "limit": 9}]"#)
        .await
        .unwrap();
    let a = promotions::find(db, "d").await.unwrap().unwrap();
    assert_eq!((a.promotion.id.as_str(), a.codes, a.promotion.title.as_str()), ("a", 3, "A"));
    assert_eq!(promotions::find(db, "C").await.unwrap().unwrap().promotion.max_uses, Some(9));
}

async fn amounts_are_converted_to_the_currency_of_the_order(shop: Shop) {
    shop.promote(json!({ "effect": { "amount": 5 }, "codes": ["FIVE"], "title": "Five",
        "translations": { "bn": "পাঁচ" }, "conditions": { "minSubTotal": 20 } }))
        .await;
    let body = json!({ "lines": one_lamp(), "codes": ["FIVE"] });
    let headers = [("x-currency", "BDT"), ("accept-language", "bn")];
    let quote = shop.ask("POST", "/api/quote?lang=bn", &headers, body.to_string()).await.body;
    // $25.50 are 3073 taka, and $5 are 602.50.
    assert_eq!([&quote["subTotal"], &quote["discount"]], [3073.0, 602.5]);
    let bearer = format!("Bearer {}", shop.token(ME));
    let mut body = order(one_lamp(), quote["total"].as_f64().unwrap());
    body["codes"] = json!(["FIVE"]);
    let headers = [("x-currency", "BDT"), ("authorization", bearer.as_str())];
    let placed = shop.ask("POST", "/api/orders", &headers, body.to_string()).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let base = &placed.body["base"];
    let cents = |name: &str| (base[name].as_f64().unwrap() * 100.0).round() as i64;
    assert_eq!(
        cents("subTotal") - cents("discount") + cents("shipping") + cents("vat"),
        cents("total")
    );
    assert_eq!(cents("discount"), 500);
}
