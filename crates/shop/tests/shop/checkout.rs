//! Checkout through HTTP: refusals, idempotency keys, and the cache tags that an order bumps.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use platform::Random;
use platform::revisions::Revisions;
use serde_json::{Value, json};
use shop::catalog;
use shop::orders::StepOutcome::Done;
use shop::orders::{OrderStatus, Step};
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order, routes, view};

on_both!(Shop:
    the_specified_endpoints_use_the_specified_format,
    an_invalid_order_is_refused_without_effect,
    a_changed_cart_is_refused_with_a_new_quote,
    only_low_stock_bumps_cache_tags,
    popularity_follows_sales,
    a_repeated_key_returns_the_same_order,
    concurrent_requests_with_one_key_place_one_order,
    a_duplicate_order_number_is_retried,
);

async fn the_specified_endpoints_use_the_specified_format(shop: Shop) {
    let lamp = json!({ "_id": "lamp", "name": "Lamp", "img": ["/l.svg"], "buyPrice": 25.5, "qtn": 1,
                       "rating": 4, "productType": "standard" });
    let bulb = json!({ "_id": "bulb", "name": "x", "buyPrice": 0.01, "qtn": 2 });
    for (state, total) in [
        (json!([lamp, bulb]), 190.0),
        (json!([[lamp, bulb]]), 190.0),
        (json!([[lamp], [bulb]]), 190.0),
        (json!([lamp, lamp]), 211.0),
    ] {
        let body = json!({ "firstname": "Rahim", "email": "RAHIM@haat.example", "phone": "01700000000",
                           "address": "Dhaka", "getState": state, "grandPrice": total });
        let placed = shop.post("/api/order", ME, &body).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        assert_eq!(placed.body["grandPrice"], total);
    }
    let read = shop.get(&format!("/api/order/s/?email={ME}"), ME).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    let orders = read.body.as_array().unwrap();
    assert_eq!(orders.len(), 4);
    for order in orders {
        for text in ["_id", "createdAt", "firstname", "address", "phone"] {
            assert!(order[text].is_string(), "{text}: {order}");
        }
        assert!(order["getState"][0][0]["buyPrice"].is_number(), "{order}");
    }
    let twice = orders.iter().find(|order| order["grandPrice"] == 211).unwrap();
    assert_eq!(twice["getState"][0].as_array().unwrap().len(), 1);
    assert_eq!(twice["getState"][0][0]["qtn"], 2);
    let bulbs = orders.iter().find(|order| order["grandPrice"] == 190).unwrap();
    assert_eq!(bulbs["getState"][0][1]["buyPrice"], 2.25);
    let methods = shop.get("/api/payments", ME).await.body;
    let enabled: Vec<bool> = methods
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["enabled"].as_bool().unwrap())
        .collect();
    assert_eq!(enabled, [true, false, false, false]);
}

async fn an_invalid_order_is_refused_without_effect(shop: Shop) {
    let with = |field: &str, value: Value| {
        let mut body = order(one_lamp(), ONE_LAMP);
        body[field] = value;
        body
    };
    let lines = |count: usize| json!(vec![json!({ "_id": "lamp", "qtn": 1 }); count]);
    let line = |qtn: Value| json!([{ "_id": "lamp", "qtn": qtn }]);
    for (body, named) in [
        (with("name", json!("")), "name"),
        (with("name", json!("a\u{0}b")), "name"),
        (with("name", json!("two\nlines")), "name"),
        (with("name", json!("x".repeat(201))), "name"),
        (with("phone", json!("call me")), "phone"),
        (with("phone", json!("1".repeat(41))), "phone"),
        (with("phone", json!("+++")), "phone"),
        (with("address", json!(" \n ")), "address"),
        (with("address", json!("x".repeat(1001))), "address"),
        (with("address", json!("a\u{7}b")), "address"),
        (with("lines", json!([])), "lines"),
        (with("lines", lines(101)), "lines"),
        (with("lines", lines(10_000)), "lines"),
        (with("lines", line(json!(0))), "lines.0.qtn"),
        (with("lines", line(json!(-1))), "lines.0.qtn"),
        (with("lines", line(json!(101))), "lines.0.qtn"),
        (with("lines", line(json!(i64::MAX))), "lines.0.qtn"),
        (
            with("lines", json!([{ "_id": "lamp", "qtn": 60 }, { "_id": "lamp", "qtn": 60 }])),
            "lines.1.qtn",
        ),
        (with("total", json!(-185.5)), "total"),
        (with("payment", json!("paypal")), "payment"),
        (with("lines", line(json!(1.5))), "body"),
        (with("lines", line(json!("1"))), "body"),
        (with("lines", line(json!(null))), "body"),
        (with("lines", json!([{ "_id": "../etc", "qtn": 1 }])), "body"),
        (with("lines", json!({ "_id": "lamp" })), "body"),
        (with("total", json!(1e300)), "body"),
        (with("total", json!(185.505)), "total"),
        (with("total", json!(185.5055)), "body"),
        (with("total", json!("185.5")), "body"),
        (with("total", json!(null)), "body"),
        (with("currency", json!("CHF")), "currency"),
        (with("currency", json!("XYZ")), "body"),
        (with("payment", json!("barter")), "body"),
        (with("discount", json!(100)), "body"),
        (json!([]), "body"),
        (json!("x"), "body"),
    ] {
        let answer = shop.post("/api/orders", ME, &body).await;
        let request = body.to_string().chars().take(200).collect::<String>();
        // Errors that no schema can express are 422.
        let wanted = match named {
            "lines.1.qtn" | "payment" | "currency" => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::BAD_REQUEST,
        };
        assert_eq!(answer.status, wanted, "{request}: {}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], named, "{request}: {}", answer.body);
    }
    let bearer = format!("Bearer {}", shop.token(ME));
    for text in [
        "",
        "{",
        "NaN",
        r#"{"total": NaN}"#,
        r#"{"total": 1e309}"#,
        &"[".repeat(10_000),
        "\u{feff}{}",
    ] {
        let headers = [("authorization", bearer.as_str())];
        let answer = shop.ask("POST", "/api/orders", &headers, text.to_owned()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text:.20}: {}", answer.body);
    }
    // All errors are reported at once, in the names of the specification.
    let body = json!({ "firstname": "", "email": ME, "phone": "", "address": "", "grandPrice": -1,
                       "getState": [{ "_id": "lamp", "qtn": 0 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    let fields = answer.body["error"]["fields"].as_array().unwrap();
    let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["firstname", "phone", "address", "getState.0.qtn", "grandPrice"]);
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D", "grandPrice": 1,
                       "getState": [[{ "_id": "lamp", "qtn": 1 }, 7], { "qtn": 1 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    assert_eq!(answer.body["error"]["fields"][0]["name"], "getState.1", "{}", answer.body);
    for key in ["", " ", "a b", "\u{e9}", &"k".repeat(129)] {
        let body = order(one_lamp(), ONE_LAMP);
        let answer = shop.post_with_key("/api/orders", ME, key, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{key:?}");
        assert_eq!(answer.body["error"]["fields"][0]["name"], "Idempotency-Key");
    }
    for table in ["orders", "order_lines", "order_events", "payments", "placings"] {
        assert_eq!(shop.count(table).await, 0, "{table}");
    }
    assert_eq!(shop.stock("lamp").await, (50, 0));
}

async fn a_changed_cart_is_refused_with_a_new_quote(shop: Shop) {
    let jobs = shop.count("jobs").await;
    for (lines, total, code, quoted) in [
        (json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "last", "qtn": 2 }]), 385.5, "stock", 285.5),
        (json!([{ "_id": "lamp", "qtn": 1 }, { "_id": "ghost", "qtn": 1 }]), 1.0, "gone", 185.5),
        (one_lamp(), 185.49, "price", 185.5),
        (one_lamp(), 0.0, "price", 185.5),
        (json!([{ "_id": "lamp", "qtn": 60 }]), 1.0, "stock", 1435.0),
    ] {
        let answer = shop.post("/api/orders", ME, &order(lines, total)).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
        assert_eq!(answer.body["error"]["code"], code, "{}", answer.body);
        assert_eq!(answer.body["quote"]["total"], quoted, "{}", answer.body);
    }
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D",
                       "grandPrice": 0.01, "getState": [{ "_id": "lamp", "qtn": 1, "buyPrice": 0.01 }] });
    let answer = shop.post("/api/order", ME, &body).await;
    assert_eq!(
        (answer.status, &answer.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("price"))
    );
    // The offer ends, so the total is no longer valid.
    shop.given.clock.advance(Duration::from_secs(6 * 24 * 3600));
    let answer = shop.post("/api/orders", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(answer.body["error"]["code"], "price");
    assert_eq!(answer.body["quote"]["lines"][0]["buyPrice"], 30);
    for table in ["orders", "order_lines", "order_events", "payments", "placings"] {
        assert_eq!(shop.count(table).await, 0, "{table}");
    }
    assert_eq!(shop.count("jobs").await, jobs);
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((50, 0), (1, 0)));
}

async fn only_low_stock_bumps_cache_tags(shop: Shop) {
    let db = &shop.given.db;
    let revisions = Revisions::load(db).await.unwrap();
    let before = revisions.latest();
    let bumped = async |id: &str, since: i64| {
        revisions.poll(db).await.unwrap();
        revisions.changed_since(since, &[catalog::product_tag(&id.parse().unwrap())])
    };
    let lamp = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.place(ME, json!([{ "_id": "bulb", "qtn": 1 }]), 162.25).await;
    assert!(!bumped("lamp", before).await && !bumped("bulb", before).await);
    shop.place(ME, json!([{ "_id": "bulb", "qtn": 1 }]), 162.25).await;
    assert!(bumped("bulb", before).await && !bumped("lamp", before).await);
    let last = shop.place(ME, json!([{ "_id": "last", "qtn": 1 }]), 260.0).await;
    assert!(bumped("last", before).await);
    let sold_out = revisions.latest();
    shop.apply(&lamp, Step::Cancel).await;
    shop.apply(&last, Step::Cancel).await;
    assert!(bumped("last", sold_out).await && !bumped("lamp", sold_out).await);
}

async fn popularity_follows_sales(shop: Shop) {
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let best = async || {
        let lamp =
            catalog::product(db, view(now), &"lamp".parse().unwrap()).await.unwrap().unwrap();
        let cards = catalog::related(db, view(now), &lamp, 2).await.unwrap();
        cards.into_iter().map(|card| card.id.to_string()).collect::<Vec<_>>()
    };
    let first = best().await;
    let less_sold = first[1].clone();
    let price = if less_sold == "bulb" { 162.25 } else { 260.0 };
    let lines = json!([{ "_id": less_sold, "qtn": 1 }]);
    let placed = shop.post("/api/orders", ME, &order(lines, price)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(best().await, first);
    catalog::update_popularity(db, Some(now.minus(Duration::from_secs(1)))).await.unwrap();
    assert_eq!(best().await[0], less_sold);
    // After a restart all products are updated.
    let number = placed.body["number"].as_str().unwrap();
    assert_eq!(shop.apply(number, Step::Cancel).await, Done(OrderStatus::Cancelled));
    assert_eq!(best().await, first);
    catalog::update_popularity(db, None).await.unwrap();
    assert_eq!(best().await, first);
}

async fn a_repeated_key_returns_the_same_order(shop: Shop) {
    let body = order(json!([{ "_id": "last", "qtn": 1 }]), 260.0);
    let refused = order(json!([{ "_id": "last", "qtn": 1 }]), 1.0);
    // A refused order does not use up the key.
    let answer = shop.post_with_key("/api/orders", ME, "k1", &refused).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let first = shop.post_with_key("/api/orders", ME, "k1", &body).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    // Sold out and confirmed by now, and the repeated request still returns the same order.
    shop.advance(first.body["number"].as_str().unwrap(), 1).await;
    let again = shop.post_with_key("/api/orders", ME, "k1", &body).await;
    assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    for other in [
        order(json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP),
        order(json!([{ "_id": "last", "qtn": 1 }]), 260.01),
        json!({ "name": "Karim", "phone": "12345", "address": "D", "total": 260.0,
                "lines": [{ "_id": "last", "qtn": 1 }] }),
    ] {
        let answer = shop.post_with_key("/api/orders", ME, "k1", &other).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
        assert_eq!(answer.body["error"]["code"], "idempotency_key_reused");
    }
    // The order can also be found by its key.
    let number = &first.body["number"];
    for (email, key, found) in
        [(ME, "k1", json!([number])), (ME, "k2", json!([])), ("b@haat.example", "k1", json!([]))]
    {
        let listed = shop.get(&format!("/api/orders?key={key}"), email).await.body;
        let numbers = listed.as_array().unwrap().iter().map(|order| order["number"].clone());
        assert_eq!(json!(numbers.collect::<Vec<_>>()), found, "{email} {key}");
    }
    // Keys are per customer, and optional.
    let lamp = order(one_lamp(), ONE_LAMP);
    let theirs = shop.post_with_key("/api/orders", "b@haat.example", "k1", &lamp).await;
    assert_eq!(theirs.status, StatusCode::CREATED);
    for _ in 0..2 {
        assert_eq!(shop.post("/api/orders", ME, &lamp).await.status, StatusCode::CREATED);
    }
    assert_eq!((shop.count("orders").await, shop.count("placings").await), (4, 2));
    assert_eq!(shop.stock("last").await, (0, 1));
}

async fn concurrent_requests_with_one_key_place_one_order(shop: Shop) {
    let shop = Arc::new(shop);
    let body =
        Arc::new(order(json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 1 }]), 213.25));
    let buyers: Vec<_> = (0..32)
        .map(|_| {
            let (shop, body) = (shop.clone(), body.clone());
            tokio::spawn(async move { shop.post_with_key("/api/orders", ME, "one", &body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for buyer in buyers {
        answers.push(buyer.await.unwrap());
    }
    let created = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(created, 1);
    for answer in &answers {
        assert!(answer.status.is_success(), "{}", answer.body);
        assert_eq!(answer.body, answers[0].body);
    }
    assert_eq!((shop.count("orders").await, shop.count("order_lines").await), (1, 2));
    assert_eq!((shop.stock("lamp").await, shop.stock("bulb").await), ((48, 2), (11, 1)));
    assert_eq!(shop.emails().await.len(), 1);
}

async fn a_duplicate_order_number_is_retried(mut shop: Shop) {
    let mut numbers = Vec::new();
    for _ in 0..2 {
        // The same seed generates the same number first, and then another one.
        shop.context.context.random = Random::seeded(7);
        shop.given.clock.advance(Duration::from_secs(1));
        shop.routes = routes(&shop.context);
        numbers.push(shop.place(ME, one_lamp(), ONE_LAMP).await);
    }
    assert_ne!(numbers[0], numbers[1]);
    assert_eq!(shop.count("orders").await, 2);
}
