//! Addresses with parts, and delivery by zones: what is quoted for a destination is what an order is charged.

use axum::http::StatusCode;
use platform::Currency;
use serde_json::{Value, json};
use shop::addresses::Countries;
use shop::credit;
use shop::delivery::{self, DeliveryZone};
use shop::orders::{OrderStatus, Step, StepOutcome};
use test_support::on_both;

use super::test_shop::{Answer, ME, Shop, one_lamp, order, routes, usd};

on_both!(Shop:
    an_address_has_the_parts_of_its_country,
    the_address_book_keeps_parts,
    a_destination_has_methods_with_prices_and_days,
    the_first_method_that_takes_the_goods_is_chosen,
    an_order_is_charged_what_its_address_and_method_cost,
    nothing_is_sent_where_nothing_is_delivered,
    free_delivery_is_an_adjustment_of_the_method,
    what_needs_no_delivery_goes_anywhere,
    cash_on_delivery_costs_the_fee_of_its_method,
    an_order_has_the_fee_everywhere,
    no_fee_is_charged_where_no_cash_is_left_to_pay,
);

const ZONES: &str = r#"[
  {"_id": "bd", "name": "Bangladesh", "places": [{"country": "BD"}], "methods": [
    {"_id": "post", "name": "Post", "translations": {"bn": "ডাক"}, "price": 5, "freeOver": 100, "days": "2-4",
     "skip": ["fri"]},
    {"_id": "shop", "name": "Pick up", "price": 0, "pickup": {"address": "12 Market Lane", "hours": "10-20"}}]},
  {"_id": "dhaka", "name": "Dhaka", "places": [{"country": "BD", "district": "ঢাকা"}],
   "methods": [{"_id": "bike", "name": "Bike", "price": 1.5, "days": "1"}]},
  {"_id": "us", "name": "USA", "places": [{"country": "US"}], "methods": [
    {"_id": "air", "name": "Air", "price": {"byWeight": [{"upTo": 2000, "price": 30}]}}]}]"#;

/// One lamp costs 25.5, the VAT is 120.
const FEES: &str = r#"[
  {"_id": "bd", "name": "Bangladesh", "places": [{"country": "BD"}], "methods": [
    {"_id": "post", "name": "Post", "price": 5, "freeOver": 100, "cashOnDeliveryFee": 2},
    {"_id": "shop", "name": "Pick up", "price": 0, "cashOnDeliveryFee": 0.5, "pickup": {"address": "12 Market Lane"}},
    {"_id": "bike", "name": "Bike", "price": 1.5}]}]"#;

/// A shop that delivers to three countries, of which one is in no zone.
async fn with_zones(shop: Shop) -> Shop {
    with(shop, ZONES).await
}

async fn with(mut shop: Shop, zones: &str) -> Shop {
    shop.context.countries = "BD, US, DE".parse::<Countries>().unwrap();
    shop.routes = routes(&shop.context);
    let zones: Vec<DeliveryZone> = serde_json::from_str(zones).unwrap();
    delivery::import(&shop.given.db, Currency::USD, &zones).await.unwrap();
    shop.revisions.poll(&shop.given.db).await.unwrap();
    shop
}

fn dhaka() -> Value {
    json!({ "country": "BD", "lines": ["House 7", "Road 3"], "region": "ঢাকা", "district": "Dhaka",
            "city": "Dhanmondi", "postcode": "১২০৫" })
}

impl Shop {
    async fn order_to(&self, address: Value, delivery: Option<&str>, total: f64) -> Answer {
        let mut body = order(one_lamp(), total);
        body["address"] = address;
        if let Some(delivery) = delivery {
            body["delivery"] = json!(delivery);
        }
        self.post("/api/orders", ME, &body).await
    }

    async fn quote_to(&self, destination: Value, delivery: Option<&str>) -> Value {
        let body = json!({ "lines": one_lamp(), "destination": destination, "delivery": delivery });
        let answer = self.post("/api/quote", ME, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }
}

fn codes(answer: &Answer) -> Vec<(&str, &str)> {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    let fields = answer.body["error"]["fields"].as_array().unwrap().iter();
    let text = |field: &Value, key: &str| field[key].as_str().unwrap().to_owned().leak() as &str;
    fields.map(|field| (text(field, "name"), text(field, "code"))).collect()
}

async fn an_address_has_the_parts_of_its_country(shop: Shop) {
    let shop = with_zones(shop).await;
    let placed = shop.order_to(dhaka(), None, 147.0).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(placed.body["address"], "House 7\nRoad 3\nDhanmondi\nDhaka - 1205");
    let parts = json!({ "country": "BD", "lines": ["House 7", "Road 3"], "city": "Dhanmondi",
        "district": "Dhaka", "region": "Dhaka", "postcode": "1205" });
    assert_eq!(placed.body["postalAddress"], parts);
    assert_eq!(placed.body["phone"], "+8801700000000");
    let american = json!({ "country": "US", "lines": ["1 Main St"], "city": "Springfield",
        "region": "Illinois", "postcode": "6270" });
    let mut body = order(one_lamp(), 175.5);
    body["address"] = american;
    body["phone"] = json!("12");
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(codes(&refused), [("address.postcode", "bad_postcode"), ("phone", "bad_phone")]);
    for (address, wrong) in [
        (
            json!({ "country": "FR", "lines": ["1 Rue"] }),
            vec![("address.country", "unknown_country")],
        ),
        (json!({ "country": "", "lines": [] }), vec![("address.country", "required")]),
    ] {
        let refused = shop.order_to(address, None, 147.0).await;
        assert_eq!(codes(&refused), wrong);
    }
    let unknown = shop.order_to(json!({ "country": "BD", "street": "1" }), None, 147.0).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    // A text is an address somewhere in the shop's own country.
    let text = shop.order_to(json!("12 Market Lane\nDhaka"), None, 150.5).await;
    assert_eq!(
        (text.status, &text.body["postalAddress"]),
        (StatusCode::CREATED, &Value::Null),
        "{}",
        text.body
    );
    let countries = shop.get("/api/countries", ME).await.body;
    assert_eq!(countries[0], json!({ "code": "BD", "name": "Bangladesh" }));
    assert_eq!(countries[1]["code"], "DE");
    let form = shop.get("/api/countries/BD?lang=bn", ME).await.body;
    assert_eq!(form["regions"].as_array().unwrap().len(), 8);
    assert_eq!(shop.get("/api/countries/FR", ME).await.status, StatusCode::NOT_FOUND);
}

async fn the_address_book_keeps_parts(shop: Shop) {
    let shop = with_zones(shop).await;
    shop.given
        .db
        .query("insert into customers (id, email, name, created_at) values ($1, $2, 'Rahim', 0)")
        .bind(format!("uid-{ME}").as_str())
        .bind(ME)
        .execute()
        .await
        .unwrap();
    let body = json!({ "name": "Rahim", "phone": "01700000000", "address": dhaka() });
    let added = shop.post("/api/addresses", ME, &body).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.body);
    let one = &added.body[0];
    assert_eq!(
        (&one["parts"]["district"], &one["phone"]),
        (&json!("Dhaka"), &json!("+8801700000000"))
    );
    let text = json!({ "name": "Rahim", "phone": "01700000000", "address": "12 Market Lane" });
    let changed = format!("/api/addresses/{}", one["_id"].as_str().unwrap());
    let bearer = format!("Bearer {}", shop.token(ME));
    let changed = shop.ask("PUT", &changed, &[("authorization", &bearer)], text.to_string()).await;
    assert_eq!(
        (&changed.body[0]["parts"], &changed.body[0]["address"]),
        (&Value::Null, &json!("12 Market Lane"))
    );
}

async fn a_destination_has_methods_with_prices_and_days(shop: Shop) {
    let shop = with_zones(shop).await;
    let quote = shop.quote_to(json!({ "country": "BD", "region": "Khulna" }), None).await;
    let options = quote["deliveries"].as_array().unwrap();
    let names: Vec<&Value> = options.iter().map(|option| &option["name"]).collect();
    assert_eq!(names, [&json!("Post"), &json!("Pick up")]);
    assert_eq!([&options[0]["price"], &quote["shipping"], &quote["cartTotal"]], [5.0, 5.0, 30.5]);
    assert_eq!(
        (&quote["delivery"], &options[1]["pickup"]["hours"]),
        (&json!("post"), &json!("10-20"))
    );
    assert!(options[0]["earliest"].as_str() < options[0]["latest"].as_str());
    let picked_up = shop.quote_to(json!({ "country": "BD" }), Some("shop")).await;
    assert_eq!([&picked_up["shipping"], &picked_up["cartTotal"]], [0.0, 25.5]);
    // An unfinished postcode is ignored; a district decides.
    let near = json!({ "country": "BD", "region": "", "district": "Dhaka", "postcode": "1" });
    assert_eq!(shop.quote_to(near, None).await["delivery"], "bike");
    let nowhere = shop.quote_to(json!({ "country": "DE" }), None).await;
    assert_eq!((&nowhere["undeliverable"], &nowhere["deliveries"]), (&json!(true), &json!([])));
    let wrong = json!({ "lines": one_lamp(), "destination": { "country": "Atlantis" } });
    assert_eq!(shop.post("/api/quote", ME, &wrong).await.status, StatusCode::BAD_REQUEST);
}

async fn the_first_method_that_takes_the_goods_is_chosen(mut shop: Shop) {
    shop.context.countries = "US".parse::<Countries>().unwrap();
    shop.routes = routes(&shop.context);
    let zones: Vec<DeliveryZone> = serde_json::from_value(json!([{ "_id": "us", "name": "USA",
        "places": [{ "country": "US" }], "methods": [
            { "_id": "air", "name": "Air", "price": { "bySubTotal": [{ "upTo": 50, "price": 5 }] } },
            { "_id": "sea", "name": "Sea", "price": 3 }] }]))
    .unwrap();
    delivery::import(&shop.given.db, Currency::USD, &zones).await.unwrap();
    shop.revisions.poll(&shop.given.db).await.unwrap();
    let quote = async |qtn: i64, delivery: Option<&str>| {
        let body = json!({ "lines": [{ "_id": "lamp", "qtn": qtn }], "delivery": delivery });
        shop.post("/api/quote", ME, &body).await.body
    };
    let shown = |quote: &Value| (quote["delivery"].clone(), quote["shipping"].clone());
    assert_eq!(shown(&quote(1, None).await), (json!("air"), json!(5)));
    assert_eq!(shown(&quote(2, None).await), (json!("sea"), json!(3)));
    // The wanted one does not take them.
    assert_eq!(shown(&quote(2, Some("air")).await), (json!("sea"), json!(3)));
    // A promotion that makes the goods cheap enough for the wanted one is no other choice of method.
    shop.promote(json!({ "effect": { "amount": 2 }, "title": "Two off" })).await;
    assert_eq!(shown(&quote(2, Some("air")).await), (json!("air"), json!(5)));
    let mut body = order(json!([{ "_id": "lamp", "qtn": 3 }]), 77.5);
    body["address"] = json!({ "country": "US", "lines": ["1 Main St"], "city": "Springfield",
        "region": "IL", "postcode": "62704" });
    body["delivery"] = json!("air");
    let refused = shop.post("/api/orders", ME, &body).await;
    assert_eq!(refused.body["error"]["code"], "delivery", "{}", refused.body);
}

async fn an_order_is_charged_what_its_address_and_method_cost(shop: Shop) {
    let shop = with_zones(shop).await;
    let mut khulna = dhaka();
    khulna["region"] = json!("");
    khulna["district"] = json!("Khulna");
    let placed = shop.order_to(khulna.clone(), Some("shop"), 145.5).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let delivery = &placed.body["delivery"];
    assert_eq!((&delivery["method"], &delivery["zone"]), (&json!("shop"), &json!("bd")));
    let text = shop.emails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("Pick up") && text.contains("12 Market Lane"), "{text}");
    // The method of another zone, and a total for another address.
    let refused = shop.order_to(khulna.clone(), Some("bike"), 147.0).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("delivery"))
    );
    assert_eq!(refused.body["quote"]["deliveries"][0]["id"], "post");
    let refused = shop.order_to(khulna, None, 147.0).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price"))
    );
    // The specification's call has a text and no method.
    let body = json!({ "firstname": "Rahim", "email": ME, "phone": "+880 1700 000000",
        "address": "Dhaka", "getState": [{ "_id": "lamp", "qtn": 1 }], "grandPrice": 150.5 });
    let placed = shop.post("/api/order", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
}

async fn nothing_is_sent_where_nothing_is_delivered(shop: Shop) {
    let shop = with_zones(shop).await;
    let german =
        json!({ "country": "DE", "lines": ["Hauptstr. 1"], "city": "Berlin", "postcode": "10115" });
    let refused = shop.order_to(german, None, 145.5).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("delivery")),
        "{}",
        refused.body
    );
    // Three kilograms are too heavy for the only method.
    shop.given
        .db
        .query("update variants set weight = 3000 where id = 'lamp'")
        .execute()
        .await
        .unwrap();
    let quote = shop.quote_to(json!({ "country": "US" }), None).await;
    assert_eq!((&quote["undeliverable"], &quote["delivery"]), (&json!(true), &Value::Null));
    let american = json!({ "country": "US", "lines": ["1 Main St"], "city": "Springfield",
        "region": "IL", "postcode": "62704" });
    let refused = shop.order_to(american.clone(), None, 175.5).await;
    assert_eq!(refused.body["error"]["code"], "delivery", "{}", refused.body);
    assert_eq!(shop.count("orders").await, 0);
    // The weight was a mistake: what the shop remembers of the lamp does not refuse the order.
    shop.given
        .db
        .query("update variants set weight = 300 where id = 'lamp'")
        .execute()
        .await
        .unwrap();
    let placed = shop.order_to(american, None, 175.5).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
}

async fn free_delivery_is_an_adjustment_of_the_method(shop: Shop) {
    let shop = with_zones(shop).await;
    shop.promote(json!({ "effect": "freeDelivery", "title": "We deliver" })).await;
    let quote = shop.quote_to(json!({ "country": "BD" }), None).await;
    assert_eq!([&quote["shipping"], &quote["discount"], &quote["cartTotal"]], [5.0, 5.0, 25.5]);
    let many =
        json!({ "lines": [{ "_id": "lamp", "qtn": 4 }], "destination": { "country": "BD" } });
    let quote = shop.post("/api/quote", ME, &many).await.body;
    assert_eq!([&quote["shipping"], &quote["discount"]], [0, 0]);
}

async fn what_needs_no_delivery_goes_anywhere(shop: Shop) {
    let shop = with_zones(shop).await;
    shop.import(
        r#"{"products": [{"_id": "course", "category": "light", "name": "Course", "sku": "C", "img": ["/c.svg"],
            "qtn": 9, "realPrice": 10, "needsDelivery": false}]}"#,
    )
    .await;
    let quote = async |lines: Value| {
        let body = json!({ "lines": lines, "destination": { "country": "DE" } });
        shop.post("/api/quote", ME, &body).await.body
    };
    let course = json!({ "_id": "course", "qtn": 1 });
    let alone = quote(json!([course])).await;
    assert_eq!((&alone["undeliverable"], &alone["cartTotal"]), (&json!(false), &json!(10)));
    let with_lamp = quote(json!([course, { "_id": "lamp", "qtn": 1 }])).await;
    assert_eq!(with_lamp["undeliverable"], true);
    let variant = shop.get("/api/products/course", ME).await.body["variants"][0].clone();
    assert_eq!(variant["needsDelivery"], false);
}

async fn cash_on_delivery_costs_the_fee_of_its_method(shop: Shop) {
    let shop = with(shop, FEES).await;
    let quote = async |body: Value, currency: &str| {
        let mut all = json!({ "lines": one_lamp() });
        all.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        shop.post(&format!("/api/quote?currency={currency}"), ME, &all).await.body
    };
    let amounts = |quote: &Value| {
        ["shipping", "paymentFee", "cartTotal", "total"].map(|name| quote[name].as_f64().unwrap())
    };
    let by_cash = quote(json!({}), "USD").await;
    assert_eq!(amounts(&by_cash), [5.0, 2.0, 32.5, 152.5]);
    let fees = by_cash["deliveries"].as_array().unwrap().iter();
    let fees: Vec<f64> = fees.map(|one| one["cashOnDeliveryFee"].as_f64().unwrap()).collect();
    assert_eq!(fees, [2.0, 0.5, 0.0]);
    let cash = json!({ "payment": "cash_on_delivery" });
    assert_eq!(amounts(&quote(cash, "USD").await), amounts(&by_cash));
    for payment in ["card", "paypal", "google_pay", "store_credit", "gift_card"] {
        let quote = quote(json!({ "payment": payment }), "USD").await;
        assert_eq!(amounts(&quote), [5.0, 0.0, 30.5, 150.5], "{payment}");
    }
    let shown =
        async |delivery: &str| amounts(&quote(json!({ "delivery": delivery }), "USD").await);
    assert_eq!(shown("shop").await, [0.0, 0.5, 26.0, 146.0]);
    assert_eq!(shown("bike").await, [1.5, 0.0, 27.0, 147.0]);
    // 25.5, 5, 2 and 120 dollars in taka.
    let in_taka = quote(json!({}), "BDT").await;
    assert_eq!(amounts(&in_taka), [603.0, 241.0, 3_917.0, 18_377.0]);
    // Delivered for nothing by amount, and by a promotion.
    let four = json!({ "lines": [{ "_id": "lamp", "qtn": 4 }] });
    assert_eq!(amounts(&quote(four, "USD").await), [0.0, 2.0, 104.0, 224.0]);
    shop.promote(json!({ "effect": "freeDelivery", "title": "We deliver" })).await;
    assert_eq!(amounts(&quote(json!({}), "USD").await), [5.0, 2.0, 27.5, 147.5]);
    let nowhere = quote(json!({ "destination": { "country": "US" } }), "USD").await;
    assert_eq!((&nowhere["undeliverable"], &nowhere["paymentFee"]), (&json!(true), &json!(0)));
    let wrong = json!({ "lines": one_lamp(), "payment": "cheque" });
    assert_eq!(shop.post("/api/quote", ME, &wrong).await.status, StatusCode::BAD_REQUEST);
}

async fn an_order_has_the_fee_everywhere(shop: Shop) {
    let shop = with(shop, FEES).await;
    let refused = shop.order_to(dhaka(), None, 150.5).await;
    assert_eq!(refused.body["error"]["code"], "price", "{}", refused.body);
    assert_eq!(refused.body["quote"]["paymentFee"], 2);
    let placed = shop.order_to(dhaka(), None, 152.5).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap();
    let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    for order in [&placed.body, &seen] {
        assert_eq!([&order["paymentFee"], &order["base"]["paymentFee"]], [2, 2]);
    }
    assert_eq!(seen["payment"]["amount"], 152.5);
    let text = shop.emails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("Cash on delivery") && text.contains("$2.00"), "{text}");
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    let sums = invoice["documents"][0]["sums"].as_array().unwrap().iter();
    let sums: Vec<(&str, &str)> =
        sums.map(|sum| (sum["name"].as_str().unwrap(), sum["amount"].as_str().unwrap())).collect();
    assert_eq!(
        sums,
        [
            ("Sub Total", "$25.50"),
            ("Shipping (Post)", "$5.00"),
            ("Cash on delivery", "$2.00"),
            ("Vat", "$120.00"),
            ("Invoice total", "$152.50"),
        ]
    );
    // Like the delivery, it is not refunded for a return.
    shop.advance(number, 4).await;
    let step = Step::RequestReturn(&[]);
    assert!(matches!(shop.apply(number, step).await, StepOutcome::Done(_)));
    shop.advance(number, 1).await;
    assert_eq!(shop.apply(number, Step::Advance).await, StepOutcome::Done(OrderStatus::Refunded));
    let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(seen["returns"][0]["paid"], 145.5);
    // In taka, by the specification's call, and cancelled.
    let body = json!({ "firstname": "Rahim", "email": ME, "phone": "+880 1700 000000",
        "address": "Dhaka", "getState": [{ "_id": "lamp", "qtn": 1 }], "grandPrice": 18_377 });
    let placed = shop.post("/api/order?currency=BDT", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let path = format!("/api/orders/{}", placed.body["number"].as_str().unwrap());
    let seen = shop.get(&path, ME).await.body;
    assert_eq!([&seen["paymentFee"], &seen["total"]], [241, 18_377]);
    let base = &seen["base"];
    let amount = |name: &str| (base[name].as_f64().unwrap() * 100.0).round() as i64;
    let parts = ["subTotal", "shipping", "paymentFee", "vat"].map(amount);
    assert_eq!((parts.iter().sum::<i64>(), parts[2]), (amount("total"), 200));
    let cancelled = shop.post(&format!("{path}/cancel"), ME, &json!({})).await.body;
    assert_eq!(cancelled["payment"]["state"], "voided");
}

/// Without the fee, the total is 150.5.
async fn no_fee_is_charged_where_no_cash_is_left_to_pay(shop: Shop) {
    let shop = with(shop, FEES).await;
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    let uid = format!("uid-{ME}");
    credit::grant(db, clock, random, &uid, usd(100_000), "").await.unwrap();
    let place = async |total: f64, credit: f64, card: Option<(&str, f64)>| {
        let mut body = order(one_lamp(), total);
        body["address"] = dhaka();
        body["credit"] = json!(credit);
        let card = card.map(|(code, amount)| json!({ "code": code, "amount": amount }));
        body["giftCards"] = card.into_iter().collect();
        shop.post("/api/orders", ME, &body).await
    };
    // What covers the total without the fee leaves nothing for it, also where the shopper saw the fee.
    for (total, credit, now) in [
        (152.5, 152.5, 150.5),
        (152.5, 151.0, 150.5),
        (152.5, 150.5, 150.5),
        // Something is left to pay in cash.
        (150.5, 150.49, 152.5),
    ] {
        let refused = place(total, credit, None).await;
        assert_eq!(refused.body["error"]["code"], "price", "{total} {credit}: {}", refused.body);
        let quote = &refused.body["quote"];
        assert_eq!([&quote["total"], &quote["paymentFee"]], [now, now - 150.5]);
    }
    assert_eq!(shop.count("orders").await, 0);
    let (covering, small) = (shop.issue(20_000).await, shop.issue(1_000).await);
    for (total, credit, card, paid) in [
        (150.5, 150.5, None, ("store_credit", 0.0, 0.0)),
        (150.5, 0.0, Some((covering.as_str(), 150.5)), ("gift_card", 0.0, 0.0)),
        (150.5, 140.5, Some((small.as_str(), 10.0)), ("store_credit", 0.0, 0.0)),
        (152.5, 150.49, None, ("cash_on_delivery", 2.0, 2.01)),
        (152.5, 0.0, Some((covering.as_str(), 49.5)), ("cash_on_delivery", 2.0, 103.0)),
    ] {
        let placed = place(total, credit, card).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        let path = format!("/api/orders/{}", placed.body["number"].as_str().unwrap());
        let seen = shop.get(&path, ME).await.body;
        let payment = &seen["payment"];
        assert_eq!(
            (
                payment["provider"].as_str().unwrap(),
                seen["paymentFee"].as_f64().unwrap(),
                payment["amount"].as_f64().unwrap()
            ),
            paid
        );
    }
}
