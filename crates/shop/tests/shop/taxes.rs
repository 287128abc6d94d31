//! Taxes by rates: what is quoted is charged and stored, by the order's destination and for its customer.

use std::time::Duration;

use axum::http::StatusCode;
use postal_address::Country;
use serde_json::{Value, json};
use shop::addresses::Countries;
use shop::delivery::{self, DeliveryZone};
use shop::orders::{GuestSettings, OrderStatus, Step, StepOutcome};
use shop::settings::Retention;
use shop::taxes::{self, TaxRules};
use shop::{orders, retention};
use test_support::on_both;

use super::test_shop::{Answer, ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop:
    a_quote_and_its_order_have_the_same_taxes,
    a_rate_that_changed_since_the_quote_is_a_conflict,
    the_rates_follow_the_destination,
    included_taxes_are_part_of_the_total,
    only_the_exempt_account_pays_no_tax,
    a_return_gives_back_the_tax_of_its_line,
    without_a_rate_the_setting_is_charged,
    an_order_without_taxes_reads_as_before,
    an_erased_account_leaves_no_tax_number,
    an_anonymized_order_has_no_tax_number,
);

const OTHER: &str = "mitali@haat.example";

/// One lamp costs 25.5 and its delivery 40.
fn rules() -> Value {
    json!({ "delivery": "standard", "rates": [
        { "_id": "bd", "name": "VAT", "translations": { "bn": "ভ্যাট" }, "percent": 15, "places": [{ "country": "BD" }] },
        { "_id": "bd-reduced", "name": "VAT", "percent": 5, "class": "reduced", "places": [{ "country": "BD" }] },
        { "_id": "de", "name": "MwSt", "percent": 19, "places": [{ "country": "DE" }] }] })
}

/// The total of one lamp with 15 % tax: 25.5 + 3.83 + 40 + 6.
const TAXED_LAMP: f64 = 75.33;

async fn with_rules(mut shop: Shop, rules: Value) -> Shop {
    shop.context.countries = "BD, DE, US".parse::<Countries>().unwrap();
    shop.context.orders.guests =
        GuestSettings { guest_checkout: Some(true), ..GuestSettings::default() };
    shop.routes = routes(&shop.context);
    shop.set_rules(rules).await;
    shop
}

fn address_in(country: &str) -> Value {
    match country {
        "BD" => {
            json!({ "country": "BD", "lines": ["House 7"], "city": "Dhanmondi", "district": "Dhaka",
            "postcode": "1205" })
        }
        "DE" => {
            json!({ "country": "DE", "lines": ["Hauptstr. 1"], "city": "Berlin", "postcode": "10115" })
        }
        _ => {
            json!({ "country": "US", "lines": ["1 Main St"], "city": "Springfield", "region": "IL",
            "postcode": "62704" })
        }
    }
}

fn order_to(country: &str, lines: Value, total: f64) -> Value {
    let mut body = order(lines, total);
    body["address"] = address_in(country);
    body
}

fn number(placed: &Answer) -> String {
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    placed.body["number"].as_str().unwrap().to_owned()
}

/// What is charged of each tax.
fn charged(body: &Value) -> Vec<(&str, f64, f64)> {
    let sum = |tax: &'_ Value| {
        let label: &'static str = tax["label"].as_str().unwrap().to_owned().leak();
        (label, tax["rate"].as_f64().unwrap(), tax["amount"].as_f64().unwrap())
    };
    body["taxes"].as_array().unwrap().iter().map(sum).collect()
}

impl Shop {
    async fn set_rules(&self, rules: Value) {
        let rules: TaxRules = serde_json::from_value(rules).unwrap();
        taxes::import(&self.given.db, rules).await.unwrap();
        self.revisions.poll(&self.given.db).await.unwrap();
    }

    async fn exempt(&self, email: &str, countries: &[&str]) {
        let countries: Vec<Country> = countries.iter().map(|code| code.parse().unwrap()).collect();
        let (account, now) = (format!("uid-{email}"), self.given.clock.now());
        let terms = ("001234567-0101", &countries[..]);
        taxes::exempt(&self.given.db, &account, terms, now).await.unwrap();
        self.revisions.poll(&self.given.db).await.unwrap();
    }

    async fn quoted(&self, email: &str, country: &str, lines: Value) -> Value {
        let body = json!({ "lines": lines, "destination": { "country": country } });
        let answer = self.post("/api/quote", email, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    async fn tax_number(&self, number: &str) -> String {
        let query = self.given.db.query("select tax_number from orders where number = $1");
        query.bind(number).one::<(String,)>().await.unwrap().0
    }
}

async fn a_quote_and_its_order_have_the_same_taxes(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    let reduced = "update products set tax_class = 'reduced' where id = 'bulb'";
    shop.given.db.query(reduced).execute().await.unwrap();
    shop.promote(json!({ "effect": { "percent": 10 }, "title": "Spring" })).await;
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    let quote = shop.quoted(ME, "BD", lines.clone()).await;
    // 10 % of 57.75 are 5.78, of which the lamps have 5.10 and the bulbs 0.68; 15 % of 45.90 are 6.89, of the
    // delivery's 40.00 6.00, and 5 % of 6.07 are 0.30.
    assert_eq!(charged(&quote), [("VAT", 15.0, 12.89), ("VAT", 5.0, 0.3)]);
    assert_eq!([&quote["taxes"][0]["net"], &quote["taxes"][1]["net"]], [85.9, 6.07]);
    assert_eq!([&quote["discount"], &quote["vat"], &quote["total"]], [5.78, 13.19, 105.16]);
    let placed = shop.post("/api/orders", ME, &order_to("BD", lines, 105.16)).await;
    let number = number(&placed);
    let read = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    let listed = shop.get("/api/orders", ME).await.body;
    for order in [&placed.body, &read, &listed[0]] {
        assert_eq!(order["taxes"], quote["taxes"], "{order}");
        assert_eq!([&order["vat"], &order["total"]], [13.19, 105.16]);
        assert_eq!(order["taxNumber"], Value::Null);
    }
    let bangla = json!({ "lines": one_lamp(), "destination": { "country": "BD" } });
    let bangla = shop.post("/api/quote?language=bn", ME, &bangla).await.body;
    // 15 % of 22.95 are 3.44.
    assert_eq!(charged(&bangla), [("ভ্যাট", 15.0, 9.44)]);
}

async fn a_rate_that_changed_since_the_quote_is_a_conflict(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    assert_eq!(shop.quoted(ME, "BD", one_lamp()).await["total"], TAXED_LAMP);
    let mut higher = rules();
    higher["rates"][0]["percent"] = json!(20);
    shop.set_rules(higher).await;
    let refused = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), TAXED_LAMP)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price")),
        "{}",
        refused.body
    );
    let quote = &refused.body["quote"];
    assert_eq!(charged(quote), [("VAT", 20.0, 13.1)]);
    assert_eq!((&quote["total"], shop.count("orders").await), (&json!(78.6), 0));
    number(&shop.post("/api/orders", ME, &order_to("BD", one_lamp(), 78.6)).await);
    // A rate holds from the midnight of its first day.
    let mut dated = rules();
    dated["rates"][0]["until"] = json!("2026-11-20");
    dated["rates"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "_id": "new", "name": "VAT", "percent": 10,
        "places": [{ "country": "BD" }], "from": "2026-11-21" }));
    shop.set_rules(dated).await;
    let start = shop.given.clock.now();
    let midnight = platform::Timestamp::parse("2026-11-21T00:00:00Z").unwrap();
    shop.given.clock.advance(Duration::from_millis((midnight.0 - start.0 - 1) as u64));
    assert_eq!(shop.quoted(ME, "BD", one_lamp()).await["taxes"][0]["rate"], 15);
    shop.given.clock.advance(Duration::from_millis(1));
    assert_eq!(shop.quoted(ME, "BD", one_lamp()).await["taxes"][0]["rate"], 10);
}

async fn the_rates_follow_the_destination(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    // 19 % of 25.50 are 4.85, and of 40.00 7.60.
    let german = shop.quoted(ME, "DE", one_lamp()).await;
    assert_eq!(charged(&german), [("MwSt", 19.0, 12.45)]);
    let export = shop.quoted(ME, "US", one_lamp()).await;
    assert_eq!(charged(&export), [("VAT", 0.0, 0.0)]);
    assert_eq!((&export["taxes"][0]["relief"], &export["total"]), (&json!("export"), &json!(65.5)));
    // The order is charged by its own address, whatever destination was quoted.
    for (country, total, wrong) in
        [("BD", TAXED_LAMP, 65.5), ("DE", 77.95, TAXED_LAMP), ("US", 65.5, TAXED_LAMP)]
    {
        let refused = shop.post("/api/orders", ME, &order_to(country, one_lamp(), wrong)).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{country}: {}", refused.body);
        assert_eq!(refused.body["quote"]["total"], total, "{country}");
        let placed = shop.post("/api/orders", ME, &order_to(country, one_lamp(), total)).await;
        let quote = shop.quoted(ME, country, one_lamp()).await;
        number(&placed);
        assert_eq!(placed.body["taxes"], quote["taxes"], "{country}");
    }
    // An address that is a text is in the shop's own country, as is a cart without a destination.
    let answer = shop.post("/api/quote", ME, &json!({ "lines": one_lamp() })).await;
    assert_eq!(answer.body["total"], TAXED_LAMP);
    number(&shop.post("/api/orders", ME, &order(one_lamp(), TAXED_LAMP)).await);
    // What is picked up is taxed where the shop is.
    let zones: Vec<DeliveryZone> = serde_json::from_value(json!([{ "_id": "world", "name": "World",
        "methods": [{ "_id": "post", "name": "Post", "price": 40 },
            { "_id": "shop", "name": "Pick up", "price": 0, "pickup": { "address": "12 Market Lane" } }] }]))
    .unwrap();
    delivery::import(&shop.given.db, platform::Currency::USD, &zones).await.unwrap();
    shop.revisions.poll(&shop.given.db).await.unwrap();
    let mut picked_up = order_to("US", one_lamp(), 25.5);
    picked_up["delivery"] = json!("shop");
    let refused = shop.post("/api/orders", ME, &picked_up).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert_eq!(charged(&refused.body["quote"]), [("VAT", 15.0, 3.83)]);
}

async fn included_taxes_are_part_of_the_total(shop: Shop) {
    let mut rules = rules();
    rules["pricesIncludeTax"] = json!(true);
    let shop = with_rules(shop, rules).await;
    // 25.50 × 15 ÷ 115 = 3.33, and 40.00 × 15 ÷ 115 = 5.22.
    let quote = shop.quoted(ME, "BD", one_lamp()).await;
    assert_eq!(charged(&quote), [("VAT", 15.0, 8.55)]);
    assert_eq!((&quote["vat"], &quote["total"]), (&json!(0), &json!(65.5)));
    assert_eq!(quote["taxes"][0]["included"], true);
    let placed = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), 65.5)).await;
    let read = shop.get(&format!("/api/orders/{}", number(&placed)), ME).await.body;
    assert_eq!((&read["taxes"], &read["vat"]), (&quote["taxes"], &json!(0)));
    // An export costs what is left without the tax.
    let placed = shop.post("/api/orders", ME, &order_to("US", one_lamp(), 56.95)).await;
    let read = shop.get(&format!("/api/orders/{}", number(&placed)), ME).await.body;
    let relief: Vec<_> = read["adjustments"].as_array().unwrap().iter().collect();
    assert_eq!(relief.len(), 2, "{read}");
    let of_lamp = json!({ "kind": "tax_relief", "label": "VAT", "amount": -3.33, "line": "lamp" });
    assert_eq!((relief[0], &relief[1]["amount"]), (&of_lamp, &json!(-5.22)));
    assert_eq!([&read["discount"], &read["total"]], [8.55, 56.95]);
}

async fn only_the_exempt_account_pays_no_tax(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    shop.exempt(ME, &[]).await;
    let quote = shop.quoted(ME, "BD", one_lamp()).await;
    assert_eq!((&quote["total"], &quote["taxes"][0]["relief"]), (&json!(65.5), &json!("exempt")));
    let placed = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), 65.5)).await;
    let mine = number(&placed);
    let read = shop.get(&format!("/api/orders/{mine}"), ME).await.body;
    assert_eq!(read["taxNumber"], "001234567-0101");
    assert_eq!(read["taxes"], quote["taxes"]);

    // Others pay it, also with the same name, phone and e-mail address.
    let refused = shop.post("/api/orders", OTHER, &order_to("BD", one_lamp(), 65.5)).await;
    assert_eq!(refused.body["quote"]["total"], TAXED_LAMP, "{}", refused.body);
    let theirs = shop.post("/api/orders", OTHER, &order_to("BD", one_lamp(), TAXED_LAMP)).await;
    let mut guests = order_to("BD", one_lamp(), 65.5);
    guests["phone"] = json!("+8801711000000");
    guests["email"] = json!(ME);
    let refused = shop.ask("POST", "/api/orders", &[], guests.to_string()).await;
    assert_eq!(refused.body["quote"]["total"], TAXED_LAMP, "{}", refused.body);
    guests["total"] = json!(TAXED_LAMP);
    let guests = shop.ask("POST", "/api/orders", &[], guests.to_string()).await;
    for placed in [&theirs, &guests] {
        assert_eq!(shop.tax_number(&number(placed)).await, "");
    }

    // For some countries only.
    shop.exempt(ME, &["DE"]).await;
    assert_eq!(shop.quoted(ME, "BD", one_lamp()).await["total"], TAXED_LAMP);
    assert_eq!(shop.quoted(ME, "DE", one_lamp()).await["taxes"][0]["relief"], "exempt");
    let home = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), TAXED_LAMP)).await;
    assert_eq!(shop.tax_number(&number(&home)).await, "");
    assert!(taxes::unexempt(&shop.given.db, &format!("uid-{ME}")).await.unwrap());
    assert!(!taxes::unexempt(&shop.given.db, &format!("uid-{ME}")).await.unwrap());
    shop.revisions.poll(&shop.given.db).await.unwrap();
    assert_eq!(shop.quoted(ME, "DE", one_lamp()).await["total"], 77.95);
    // What was ordered stays exempt.
    assert_eq!(shop.tax_number(&mine).await, "001234567-0101");
}

async fn a_return_gives_back_the_tax_of_its_line(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    let lines = json!([{ "_id": "lamp", "qtn": 3 }, { "_id": "bulb", "qtn": 1 }]);
    // 15 % of 76.50 are 11.48, of 2.25 0.34, and of 40.00 6.00.
    let placed = shop.post("/api/orders", ME, &order_to("BD", lines, 136.57)).await;
    let number = number(&placed);
    shop.advance(&number, 4).await;
    let mut back = Vec::new();
    for lines in [json!([{ "_id": "lamp", "qtn": 2 }]), json!([])] {
        let path = format!("/api/orders/{number}/return");
        let asked = shop.post(&path, ME, &json!({ "lines": lines })).await;
        assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
        shop.advance(&number, 2).await;
        let read = shop.get(&format!("/api/orders/{number}"), ME).await.body;
        let last = read["returns"].as_array().unwrap().last().unwrap();
        back.push([&last["goods"], &last["vat"], &last["paid"]].map(|part| part.as_f64().unwrap()));
    }
    // Two thirds of 11.48 rounded down, and then the rest: everything but the delivery and its tax.
    assert_eq!(back, [[51.0, 7.65, 58.65], [27.75, 4.17, 31.92]]);
    let read = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(read["payment"]["refunded"], 90.57);
}

async fn without_a_rate_the_setting_is_charged(shop: Shop) {
    let shop = with_rules(shop, json!({ "rates": [] })).await;
    let quote = shop.quoted(ME, "BD", one_lamp()).await;
    assert_eq!([&quote["vat"], &quote["total"]], [120.0, ONE_LAMP]);
    assert_eq!(quote["taxes"], json!([]));
    shop.set_rules(rules()).await;
    let quote = shop.quoted(ME, "BD", one_lamp()).await;
    assert_eq!([&quote["vat"], &quote["total"]], [9.83, TAXED_LAMP]);
    shop.set_rules(json!({ "rates": [], "pricesIncludeTax": true })).await;
    let placed = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), ONE_LAMP)).await;
    assert_eq!([&placed.body["vat"], &placed.body["total"]], [120.0, ONE_LAMP]);
}

async fn an_order_without_taxes_reads_as_before(shop: Shop) {
    let number = shop.place(ME, json!([{ "_id": "lamp", "qtn": 2 }]), 211.0).await;
    // As the migration leaves the orders of earlier versions.
    let sql = "select has_taxes, tax_number from orders where number = $1";
    let row: (bool, String) = shop.given.db.query(sql).bind(number.as_str()).one().await.unwrap();
    assert_eq!((row, shop.count("order_taxes").await), ((false, String::new()), 0));
    let before = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    let shop = with_rules(shop, rules()).await;
    assert_eq!(shop.get(&format!("/api/orders/{number}"), ME).await.body, before);
    assert_eq!((&before["taxes"], &before["vat"]), (&json!([]), &json!(120)));
    // Its VAT is shared by what was paid.
    shop.advance(&number, 4).await;
    let one = json!({ "lines": [{ "_id": "lamp", "qtn": 1 }] });
    shop.post(&format!("/api/orders/{number}/return"), ME, &one).await;
    shop.advance(&number, 2).await;
    let read = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    let back = &read["returns"][0];
    assert_eq!([&back["goods"], &back["vat"]], [25.5, 60.0]);
}

async fn an_erased_account_leaves_no_tax_number(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    let account = format!("uid-{ME}");
    for email in [ME, OTHER] {
        shop.exempt(email, &[]).await;
    }
    let body = order_to("BD", one_lamp(), 65.5);
    let [done, open] =
        [shop.post("/api/orders", ME, &body).await, shop.post("/api/orders", ME, &body).await];
    let (done, open) = (number(&done), number(&open));
    shop.post(&format!("/api/orders/{done}/cancel"), ME, &json!({ "note": "" })).await;
    let mut tx = shop.given.db.begin().await.unwrap();
    let tags = taxes::erase(&mut tx, &account).await.unwrap();
    assert_eq!(tags.len(), 1);
    assert!(taxes::erase(&mut tx, &account).await.unwrap().is_empty());
    orders::anonymize(&mut tx, &account).await.unwrap();
    platform::revisions::bump(&mut tx, tags).await.unwrap();
    tx.commit().await.unwrap();
    shop.revisions.poll(&shop.given.db).await.unwrap();
    // Its taxes stay, for the books; an order that is still on its way keeps the number.
    assert_eq!(shop.tax_number(&done).await, "");
    assert_eq!(shop.tax_number(&open).await, "001234567-0101");
    assert_eq!(shop.count("order_taxes where relief = 'exempt'").await, 4);
    let exempt = taxes::list_exemptions(&shop.given.db).await.unwrap();
    let left: Vec<&str> = exempt.iter().map(|one| one.customer.as_str()).collect();
    assert_eq!(left, [format!("uid-{OTHER}")]);
    assert_eq!(shop.quoted(ME, "BD", one_lamp()).await["total"], TAXED_LAMP);
}

async fn an_anonymized_order_has_no_tax_number(shop: Shop) {
    let shop = with_rules(shop, rules()).await;
    shop.exempt(ME, &[]).await;
    let placed = shop.post("/api/orders", ME, &order_to("BD", one_lamp(), 65.5)).await;
    let number = number(&placed);
    let cancelled = shop.apply(&number, Step::CustomerCancel).await;
    assert_eq!(cancelled, StepOutcome::Done(OrderStatus::Cancelled));
    let years = Duration::from_secs(6 * 365 * 24 * 3600 + 1);
    shop.given.clock.advance(years);
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    assert_eq!(shop.tax_number(&number).await, "001234567-0101");
    retention::delete_expired(db, clock, &Retention::default()).await.unwrap();
    assert_eq!(shop.tax_number(&number).await, "");
    assert_eq!(shop.count("order_taxes").await, 2);
}
