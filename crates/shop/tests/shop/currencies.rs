//! Orders, store credit and returns in other currencies than the base currency, through HTTP.

use axum::http::StatusCode;
use messages::format;
use platform::{Currency, Language, Money, Random};
use serde_json::{Value, json};
use shop::base_currency;
use shop::credit;
use shop::orders::StepOutcome::Done;
use shop::orders::{OrderStatus, Refund, Step};
use test_support::on_both;

use super::test_shop::{Answer, ME, ONE_LAMP, Shop, one_lamp, order, usd};

on_both!(Shop:
    an_order_says_the_same_amounts_wherever_it_is_shown,
    an_order_is_placed_in_the_currency_of_the_body_or_else_of_the_request,
    a_total_of_another_currency_is_a_changed_price,
    a_key_places_no_order_in_another_currency,
    store_credit_is_spent_and_returned_at_the_rate_of_the_order,
    everything_but_the_delivery_is_refunded_in_the_orders_currency,
    unpaid_orders_are_limited_in_the_base_currency,
    the_base_currency_is_chosen_once,
    the_migration_keeps_the_totals_that_customers_saw,
);

impl Shop {
    async fn quote(&self, lines: &Value, currency: &str) -> Value {
        let headers = [("x-currency", currency)];
        let body = json!({ "lines": lines }).to_string();
        let answer = self.ask("POST", "/api/quote", &headers, body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    /// Orders these lines at the total of their quote.
    async fn order_in(&self, currency: &str, lines: &Value, credit: f64) -> Answer {
        let quote = self.quote(lines, currency).await;
        let mut body = order(lines.clone(), quote["total"].as_f64().unwrap());
        body["currency"] = json!(currency);
        body["credit"] = json!(credit);
        self.post("/api/orders", ME, &body).await
    }

    async fn seen_order(&self, number: &str) -> Value {
        self.get(&format!("/api/orders/{number}"), ME).await.body
    }

    async fn credit_in(&self, currency: &str) -> (f64, f64) {
        let seen = self.get(&format!("/api/credit?currency={currency}"), ME).await.body;
        assert_eq!(seen["currency"], "USD");
        (seen["balance"].as_f64().unwrap(), seen["spendable"].as_f64().unwrap())
    }
}

/// An amount of an answer in its smallest unit.
fn minor(amount: &Value, currency: &str) -> i64 {
    let currency: Currency = currency.parse().unwrap();
    (amount.as_f64().unwrap() * currency.minor_per_unit() as f64).round() as i64
}

fn written(amount: &Value, currency: &str, language: &str) -> String {
    let amount = Money::new(minor(amount, currency), currency.parse().unwrap());
    format::money(language.parse::<Language>().unwrap(), amount)
}

/// For products of many prices in several quantities: API, order, invoice and e-mail, in two languages.
async fn an_order_says_the_same_amounts_wherever_it_is_shown(shop: Shop) {
    let random = Random::seeded(22);
    let pick = |below: u64| (u64::from_le_bytes(random.bytes()) % below) as i64;
    let prices: Vec<f64> = (0..12).map(|_| pick(30_000) as f64 / 100.0).collect();
    let product = |(place, price): (usize, &f64)| {
        json!({ "_id": format!("p{place}"), "category": "light", "sku": format!("P{place}"), "name": "Thing",
                "img": ["/l.svg"], "realPrice": price, "qtn": 1000 })
    };
    let goods: Vec<Value> = prices.iter().enumerate().map(product).collect();
    shop.import(&json!({ "products": goods }).to_string()).await;
    for (currency, language) in
        [("BDT", "en"), ("BDT", "bn"), ("JPY", "en"), ("EUR", "bn"), ("USD", "en")]
    {
        let some = (0..6)
            .map(|place| json!({ "_id": format!("p{}", place * 2 + pick(2)), "qtn": 1 + pick(9) }));
        let lines = json!(some.collect::<Vec<_>>());
        let quote = shop.quote(&lines, currency).await;
        assert_eq!(quote["currency"], currency);
        let mut body = order(lines, quote["total"].as_f64().unwrap());
        body["currency"] = json!(currency);
        let path = format!("/api/orders?language={language}");
        let placed = shop.post(&path, ME, &body).await.body;
        let seen = shop.seen_order(placed["number"].as_str().unwrap()).await;
        // In whole smallest units, everything adds up.
        let amount = |of: &Value, field: &str| minor(&of[field], currency);
        let mut sum = 0;
        for (line, quoted) in
            seen["lines"].as_array().unwrap().iter().zip(quote["lines"].as_array().unwrap())
        {
            assert_eq!(
                amount(line, "total"),
                amount(line, "buyPrice") * line["qtn"].as_i64().unwrap()
            );
            assert_eq!(
                (&line["total"], &line["buyPrice"]),
                (&quoted["total"], &quoted["buyPrice"])
            );
            sum += amount(line, "total");
        }
        assert_eq!(sum, amount(&seen, "subTotal"), "{seen}");
        let charges = amount(&seen, "shipping") + amount(&seen, "vat");
        assert_eq!(sum + charges, amount(&seen, "total"), "{seen}");
        for field in ["subTotal", "shipping", "vat", "total"] {
            assert_eq!((&seen[field], &placed[field]), (&quote[field], &quote[field]));
        }
        // And so they do in the books.
        let base = |field: &str| minor(&seen["base"][field], "USD");
        assert_eq!(base("subTotal") + base("shipping") + base("vat"), base("total"));
        let number = seen["number"].as_str().unwrap();
        let sql = "select cast(sum(l.base_total) as bigint) from order_lines l join orders o on o.id = l.order_id
                   where o.number = $1";
        let (books,): (i64,) = shop.given.db.query(sql).bind(number).one().await.unwrap();
        assert_eq!(books, base("subTotal"));

        let invoice =
            shop.get(&format!("/api/orders/{number}/invoice?language={language}"), ME).await.body;
        let document = &invoice["documents"][0];
        let items = document["items"].as_array().unwrap();
        for (item, line) in items.iter().zip(seen["lines"].as_array().unwrap()) {
            assert_eq!(item["price"], written(&line["buyPrice"], currency, language));
            assert_eq!(item["amount"], written(&line["total"], currency, language));
        }
        let fields = ["subTotal", "shipping", "vat", "total"];
        let sums: Vec<Value> =
            document["sums"].as_array().unwrap().iter().map(|sum| sum["amount"].clone()).collect();
        assert_eq!(sums, fields.map(|field| json!(written(&seen[field], currency, language))));
        let emails = shop.emails().await;
        let mut texts = emails.iter().map(|email| email["text"].as_str().unwrap());
        let text = texts.rfind(|text| text.contains(number)).unwrap();
        let amounts = seen["lines"].as_array().unwrap().iter().map(|line| &line["total"]);
        for amount in amounts.chain(fields.map(|field| &seen[field])) {
            let written = written(amount, currency, language);
            assert!(text.contains(&format!(": {written}\n")), "{written}: {text}");
        }
    }
}

async fn an_order_is_placed_in_the_currency_of_the_body_or_else_of_the_request(shop: Shop) {
    let path = "/api/orders?currency=BDT";
    let placed = shop.post(path, ME, &order(one_lamp(), 22_353.0)).await;
    assert_eq!((placed.status, &placed.body["currency"]), (StatusCode::CREATED, &json!("BDT")));
    let mut body = order(one_lamp(), ONE_LAMP);
    body["currency"] = json!("USD");
    let placed = shop.post(path, ME, &body).await;
    assert_eq!((placed.status, &placed.body["currency"]), (StatusCode::CREATED, &json!("USD")));
    // The call of the specification too.
    let specified = json!({ "firstname": "Rahim", "email": ME, "phone": "+880 1700 000 000",
        "address": "12 Market Lane", "getState": [one_lamp()], "grandPrice": 22_353 });
    let placed = shop.post("/api/order?currency=BDT", ME, &specified).await;
    assert_eq!((placed.status, &placed.body["grandPrice"]), (StatusCode::CREATED, &json!(22_353)));
    // A currency without decimals takes none.
    let mut body = order(one_lamp(), 28_050.5);
    body["currency"] = json!("JPY");
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(refused.body["error"]["fields"][0]["name"], "total");
}

async fn a_total_of_another_currency_is_a_changed_price(shop: Shop) {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["currency"] = json!("BDT");
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(refused.body["error"]["code"], "price");
    let quote = &refused.body["quote"];
    assert_eq!((&quote["currency"], &quote["total"]), (&json!("BDT"), &json!(22_353)));
    assert_eq!(shop.count("orders").await, 0);
}

async fn a_key_places_no_order_in_another_currency(shop: Shop) {
    let in_currency = |code: &str, total: f64| {
        let mut body = order(one_lamp(), total);
        body["currency"] = json!(code);
        body
    };
    let place =
        async |body: Value| shop.post_with_key("/api/orders", ME, "once", &body).await.status;
    assert_eq!(place(in_currency("BDT", 22_353.0)).await, StatusCode::CREATED);
    assert_eq!(place(in_currency("BDT", 22_353.0)).await, StatusCode::OK);
    assert_eq!(place(in_currency("USD", ONE_LAMP)).await, StatusCode::UNPROCESSABLE_ENTITY);
}

async fn store_credit_is_spent_and_returned_at_the_rate_of_the_order(shop: Shop) {
    let context = &shop.context.context;
    let uid = format!("uid-{ME}");
    let grant =
        credit::grant(&context.db, &context.clock, &context.random, &uid, usd(10_001), "Thanks");
    grant.await.unwrap();
    assert_eq!(shop.credit_in("USD").await, (100.01, 100.01));
    // 100.01 × 120.5 = 12,051.205
    assert_eq!(shop.credit_in("BDT").await, (100.01, 12_051.2));
    assert_eq!(shop.credit_in("JPY").await, (100.01, 15_121.0));
    let placed = shop.order_in("BDT", &one_lamp(), 12_051.2).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(
        (&placed.body["credit"], &placed.body["base"]["credit"]),
        (&json!(12_051.2), &json!(100.01))
    );
    assert_eq!(shop.credit_in("BDT").await, (0.0, 0.0));
    let number = placed.body["number"].as_str().unwrap();
    assert_eq!(shop.apply(number, Step::Cancel).await, Done(OrderStatus::Cancelled));
    assert_eq!(shop.credit_in("BDT").await, (100.01, 12_051.2));
    let refused = shop.order_in("BDT", &one_lamp(), 12_051.21).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("credit"))
    );
}

async fn everything_but_the_delivery_is_refunded_in_the_orders_currency(shop: Shop) {
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    let context = &shop.context.context;
    let uid = format!("uid-{ME}");
    let grant =
        credit::grant(&context.db, &context.clock, &context.random, &uid, usd(5_000), "Thanks");
    grant.await.unwrap();
    let placed = shop.order_in("BDT", &lines, 1_000.5).await.body;
    let number = placed["number"].as_str().unwrap();
    // 1,000.5 ÷ 120.5 = 8.303, rounded up.
    assert_eq!(placed["base"]["credit"], 8.31);
    shop.advance(number, 4).await;
    let mut back = 0;
    for line in
        [json!([{ "_id": "bulb", "qtn": 2 }]), json!([{ "_id": "lamp", "qtn": 2 }]), json!([])]
    {
        let path = format!("/api/orders/{number}/return");
        let asked = shop.post(&path, ME, &json!({ "lines": line })).await;
        assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
        shop.advance(number, 1).await;
        let refund = Step::Refund(Refund::default());
        assert!(matches!(shop.apply(number, refund).await, Done(_)));
    }
    let seen = shop.seen_order(number).await;
    for one in seen["returns"].as_array().unwrap() {
        back += minor(&one["credit"], "BDT") + minor(&one["paid"], "BDT");
    }
    assert_eq!(seen["status"], "refunded");
    assert_eq!(back, minor(&seen["total"], "BDT") - minor(&seen["shipping"], "BDT"));
    assert_eq!(minor(&seen["payment"]["refunded"], "BDT"), back - 100_050);
    assert_eq!(shop.credit_in("USD").await.0, 50.0);
    let text = shop.emails().await.last().unwrap()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("৳"), "{text}");

    // A part that is worth nothing in the base currency is refunded nevertheless.
    let number =
        &shop.order_in("BDT", &lines, 0.0).await.body["number"].as_str().unwrap().to_owned();
    shop.advance(number, 4).await;
    let path = format!("/api/orders/{number}/return");
    shop.post(&path, ME, &json!({ "lines": [{ "_id": "bulb", "qtn": 1 }] })).await;
    shop.advance(number, 1).await;
    let amount = Some(Money::new(50, Currency::BDT));
    let step = Step::Refund(Refund { amount, as_credit: true });
    assert_eq!(shop.apply(number, step).await, Done(OrderStatus::PartlyRefunded));
    assert_eq!(shop.credit_in("USD").await.0, 50.0);
}

async fn unpaid_orders_are_limited_in_the_base_currency(mut shop: Shop) {
    shop.context.orders.limits.unpaid_max = Some("200".parse().unwrap());
    shop.routes = super::test_shop::routes(&shop.context);
    let first = shop.order_in("BDT", &one_lamp(), 0.0).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let second = shop.order_in("JPY", &one_lamp(), 0.0).await;
    assert_eq!(second.status, StatusCode::FORBIDDEN, "{}", second.body);
    assert_eq!(second.body["error"]["params"]["most"], "$200.00");
}

async fn the_base_currency_is_chosen_once(shop: Shop) {
    let db = &shop.given.db;
    let establish = async |base| {
        let mut tx = db.begin().await.unwrap();
        base_currency::establish(&mut tx, base).await?;
        tx.commit().await
    };
    assert_eq!(base_currency::find(db).await.unwrap(), Some(Currency::USD));
    let bdt = Some(Currency::BDT);
    for refused in [base_currency::agree(db, bdt).await.map(drop), establish(Currency::BDT).await] {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("in USD, which cannot be changed to BDT"), "{refused}");
    }
    // As long as the shop is empty, the last wish counts.
    let mut tx = db.begin().await.unwrap();
    for table in ["variants", "products"] {
        tx.query(format!("delete from {table}")).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(base_currency::agree(db, bdt).await.unwrap(), Currency::BDT);
    establish(Currency::BDT).await.unwrap();
    assert_eq!(base_currency::agree(db, None).await.unwrap(), Currency::BDT);
    assert_eq!(base_currency::find(db).await.unwrap(), bdt);
}

/// Orders of the version before: all amounts in cents, and each shown in whole taka at the order's rate.
async fn the_migration_keeps_the_totals_that_customers_saw(shop: Shop) {
    let db = &shop.given.db;
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    let uid = format!("uid-{ME}");
    let context = &shop.context.context;
    let grant = credit::grant(db, &context.clock, &context.random, &uid, usd(1_000), "Thanks");
    grant.await.unwrap();
    let place = async |credit: f64| {
        let placed = shop.order_in("USD", &lines, credit).await.body;
        placed["number"].as_str().unwrap().to_owned()
    };
    let (in_taka, in_dollars) = (place(10.0).await, place(0.0).await);
    shop.advance(&in_taka, 4).await;
    let path = format!("/api/orders/{in_taka}/return");
    shop.post(&path, ME, &json!({ "lines": [{ "_id": "bulb", "qtn": 1 }] })).await;
    shop.advance(&in_taka, 2).await;
    let before = shop.seen_order(&in_dollars).await;
    let mut tx = db.begin().await.unwrap();
    for undo in [
        "drop table product_prices",
        "drop table base_currency",
        "alter table variants drop column fixed_prices",
        "alter table orders drop column base_currency",
        "alter table orders drop column base_sub_total",
        "alter table orders drop column base_shipping",
        "alter table orders drop column base_vat",
        "alter table orders drop column base_total",
        "alter table orders drop column base_credit",
        "alter table order_lines drop column total",
        "alter table order_lines drop column base_total",
        "delete from migrations where name = '0038_currencies'",
        "alter table orders rename column exchange_rate to rate",
        "update orders set rate = 1205000",
    ] {
        tx.query(undo).execute().await.unwrap();
    }
    let sql = "update orders set currency = 'BDT' where number = $1";
    tx.query(sql).bind(in_taka.as_str()).execute().await.unwrap();
    tx.commit().await.unwrap();
    db.migrate(&shop.given.clock).await.unwrap();

    assert_eq!(base_currency::find(db).await.unwrap(), Some(Currency::USD));
    assert_eq!(shop.seen_order(&in_dollars).await, before);
    let seen = shop.seen_order(&in_taka).await;
    // 217.75 × 120.5 = 26,238.875, and 10 × 120.5 = 1,205
    assert_eq!((&seen["total"], &seen["credit"]), (&json!(26_239), &json!(1_205)));
    assert_eq!(seen["payment"]["amount"], 25_034);
    assert_eq!((&seen["base"]["rate"], &seen["base"]["total"]), (&json!(120.5), &json!(217.75)));
    let amount = |field: &str| minor(&seen[field], "BDT");
    assert_eq!(amount("subTotal") + amount("shipping") + amount("vat"), amount("total"));
    let of_lines: i64 =
        seen["lines"].as_array().unwrap().iter().map(|line| minor(&line["total"], "BDT")).sum();
    assert_eq!(of_lines, amount("subTotal"));
    assert_eq!(seen["lines"][0]["buyPrice"], 3_073);
    let invoice = shop.get(&format!("/api/orders/{in_taka}/invoice"), ME).await.body;
    let items = invoice["documents"][0]["items"].as_array().unwrap();
    for (item, line) in items.iter().zip(seen["lines"].as_array().unwrap()) {
        assert_eq!(item["amount"], written(&line["total"], "BDT", "en"));
    }
    let back = &seen["returns"][0];
    assert_eq!((&back["goods"], &back["credit"]), (&json!(271), &json!(834)));
    // The rest can still be returned, and no more is refunded than was paid.
    let asked = shop.post(&path, ME, &json!({})).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
    shop.advance(&in_taka, 2).await;
    let seen = shop.seen_order(&in_taka).await;
    assert_eq!(seen["status"], "refunded");
    let refunded = |part: &str| {
        seen["returns"].as_array().unwrap().iter().map(|one| minor(&one[part], "BDT")).sum::<i64>()
    };
    let paid_back = refunded("credit") + refunded("paid");
    let worth = amount("total") - amount("shipping");
    assert!((worth - 500..=worth + 500).contains(&paid_back), "{paid_back} of {worth}");
    assert_eq!(shop.credit_in("USD").await.0, 10.0);
}
