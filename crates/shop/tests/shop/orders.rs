//! Orders through HTTP: life cycle, privacy, tracking and invoices.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use platform::Random;
use serde_json::{Value, json};
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{OrderNumber, OrderStatus, Step};
use test_support::on_both;

use super::test_shop::{GOODS, ME, ONE_LAMP, Shop, one_lamp, order};

on_both!(Shop:
    an_order_goes_from_placed_to_refunded,
    orders_keep_prices_and_names_of_the_time_of_purchase,
    orders_are_private,
    a_cancelled_order_is_restocked_once,
    returns_can_be_requested_within_the_window,
    tracking_reveals_no_personal_data_and_is_rate_limited,
    no_sequence_of_steps_creates_or_loses_stock,
    orders_are_listed_newest_first,
    the_invoice_of_a_cancelled_order_has_nothing_to_pay,
    the_invoice_pdf_is_private,
    any_order_renders_as_pdf,
);

async fn an_order_goes_from_placed_to_refunded(shop: Shop) {
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "bulb", "qtn": 3 }]);
    let placed = shop.post("/api/orders", "Rahim@Haat.example", &order(lines, 217.75)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap().to_owned();
    assert_eq!(placed.body["subTotal"], 57.75);
    assert_eq!(placed.body["email"], ME);
    assert_eq!(placed.body["lines"][1]["sku"], "B1");
    assert_eq!(shop.stock("lamp").await, (48, 2));
    assert_eq!(shop.stock("bulb").await, (9, 3));

    let path = format!("/api/orders/{number}");
    let seen = shop.get(&path, "Rahim@Haat.example").await.body;
    assert_eq!((&seen["status"], &seen["canCancel"]), (&json!("placed"), &json!(true)));
    assert_eq!(seen["payment"]["provider"], "cash_on_delivery");
    assert_eq!(
        (&seen["payment"]["state"], &seen["payment"]["amount"]),
        (&json!("authorised"), &json!(217.75))
    );
    for (status, can_cancel, paid) in [
        ("confirmed", true, "authorised"),
        ("packed", false, "authorised"),
        ("shipped", false, "authorised"),
        ("delivered", false, "captured"),
    ] {
        shop.given.clock.advance(Duration::from_secs(60));
        shop.advance(&number, 1).await;
        let seen = shop.get(&path, "Rahim@Haat.example").await.body;
        assert_eq!(seen["status"], status);
        assert_eq!(seen["canCancel"], can_cancel, "{status}");
        assert_eq!(seen["payment"]["state"], paid, "{status}");
    }
    assert_eq!(
        shop.apply(&number, Step::Advance).await,
        StepOutcome::NotAllowed(OrderStatus::Delivered)
    );
    let cancelled = shop.post(&format!("{path}/cancel"), "Rahim@Haat.example", &json!({})).await;
    assert_eq!(cancelled.status, StatusCode::CONFLICT);
    assert_eq!(cancelled.body["error"]["code"], "packed_already");
    let asked = json!({ "note": "It hums." });
    let asked = shop.post(&format!("{path}/return"), "Rahim@Haat.example", &asked).await;
    assert_eq!(asked.body["status"], "return_requested", "{}", asked.body);
    shop.given.clock.advance(Duration::from_secs(60));
    shop.advance(&number, 2).await;
    let seen = shop.get(&path, "Rahim@Haat.example").await.body;
    assert_eq!(
        (&seen["status"], &seen["payment"]["state"]),
        // The delivery is not refunded.
        (&json!("refunded"), &json!("partly_refunded"))
    );
    let history = seen["history"].as_array().unwrap();
    let statuses: Vec<&str> = history.iter().map(|e| e["status"].as_str().unwrap()).collect();
    assert_eq!(statuses.len(), 8);
    assert_eq!(history[0]["at"], "2026-11-15T09:00:00.000Z");
    assert_eq!(history[4]["at"], "2026-11-15T09:04:00.000Z");
    assert_eq!(history[5]["note"], "It hums.");
    assert_eq!(shop.stock("lamp").await, (50, 0));

    let emails = shop.emails().await;
    let subjects: Vec<&str> = emails.iter().map(|l| l["subject"].as_str().unwrap()).collect();
    assert_eq!(
        subjects,
        [
            format!("Your order {number}"),
            format!("Your order {number} is on its way"),
            format!("Your order {number} was delivered"),
            format!("Your order {number} is refunded"),
        ]
    );
    let (html, text) = (emails[0]["html"].as_str().unwrap(), emails[0]["text"].as_str().unwrap());
    assert!(html.contains("3 × Bulb &amp; &lt;i&gt;socket&lt;/i&gt;</td>"), "{html}");
    assert!(text.contains("3 × Bulb & <i>socket</i>: $6.75"), "{text}");
    assert!(text.contains("Total: $217.75") && text.contains("12 Market Lane\nDhaka"), "{text}");
    assert!(text.contains(&format!("https://haat.example/track?number={number}")));
    // Everything but the delivery.
    let text = emails[3]["text"].as_str().unwrap();
    assert!(text.contains("$177.75 is paid back to you"), "{text}");
    assert_eq!(history[7]["note"], "$177.75 paid back");
}

async fn orders_keep_prices_and_names_of_the_time_of_purchase(shop: Shop) {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["currency"] = json!("BDT");
    body["total"] = json!(22_353);
    body["name"] = json!("রহিম 🪔 رحيم");
    let placed = shop.post("/api/orders", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    shop.import(&GOODS.replace("\"Lamp\"", "\"Lantern\"").replace("25.5", "29")).await;
    let path = format!("/api/orders/{}", placed.body["number"].as_str().unwrap());
    let seen = shop.get(&path, ME).await.body;
    assert_eq!((&seen["currency"], &seen["base"]["rate"]), (&json!("BDT"), &json!(120.5)));
    let line = &seen["lines"][0];
    assert_eq!((&line["name"], &line["buyPrice"]), (&json!("Lamp"), &json!(3073)));
    assert_eq!(line["picture"], "/l.svg");
    assert_eq!(seen["name"], "রহিম 🪔 رحيم");
    let text = shop.emails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("1 × Lamp: ৳3,073") && text.contains("Total: ৳22,353"), "{text}");
}

async fn orders_are_private(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    let stranger = "mallory@haat.example";
    for (method, path) in [
        ("GET", format!("/api/orders/{number}")),
        ("POST", format!("/api/orders/{number}/cancel")),
        ("POST", format!("/api/orders/{number}/return")),
        ("GET", "/api/orders/0000-0000".into()),
        ("GET", "/api/orders/nonsense".into()),
    ] {
        let bearer = format!("Bearer {}", shop.token(stranger));
        let answer = shop.ask(method, &path, &[("authorization", &bearer)], Body::empty()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.body);
        let answer = shop.ask(method, &path, &[], Body::empty()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let foreign = shop.get(&format!("/api/order/s/?email={ME}"), stranger).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    let body = json!({ "firstname": "R", "email": ME, "phone": "12345", "address": "D",
                       "grandPrice": 185.5, "getState": [{ "_id": "lamp", "qtn": 1 }] });
    assert_eq!(shop.post("/api/order", stranger, &body).await.status, StatusCode::FORBIDDEN);
    let anonymous = shop.ask("POST", "/api/order", &[], body.to_string()).await;
    assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
    for path in ["/api/orders", "/api/order/s/?email=mallory@haat.example"] {
        assert_eq!(shop.get(path, stranger).await.body, json!([]), "{path}");
    }
    assert_eq!(shop.count("orders").await, 1);
    let seen = shop.get(&format!("/api/orders/{}", number.to_lowercase()), ME).await;
    assert_eq!(seen.body["status"], "placed");
}

async fn a_cancelled_order_is_restocked_once(shop: Shop) {
    let lines = json!([{ "_id": "lamp", "qtn": 2 }, { "_id": "last", "qtn": 1 }]);
    let number = shop.place(ME, lines, 311.0).await;
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((48, 2), (0, 1)));
    let shop = Arc::new(shop);
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (shop, path) = (shop.clone(), format!("/api/orders/{number}/cancel"));
            let number = number.clone();
            tokio::spawn(async move {
                if n % 2 == 0 {
                    shop.apply(&number, Step::Cancel).await;
                } else {
                    let answer = shop.post(&path, ME, &json!({ "note": "A mistake" })).await;
                    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
                    assert_eq!(answer.body["status"], "cancelled");
                    assert_eq!(answer.body["payment"]["state"], "voided");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!((shop.stock("lamp").await, shop.stock("last").await), ((50, 0), (1, 0)));
    assert_eq!(shop.count("order_events").await, 2);
    assert_eq!(shop.emails().await.len(), 2);
    // Restocked units can be bought again.
    shop.place(ME, json!([{ "_id": "last", "qtn": 1 }]), 260.0).await;
}

async fn returns_can_be_requested_within_the_window(shop: Shop) {
    let (early, late) =
        (shop.place(ME, one_lamp(), ONE_LAMP).await, shop.place(ME, one_lamp(), ONE_LAMP).await);
    let request_return = async |number: &str| {
        shop.post(&format!("/api/orders/{number}/return"), ME, &json!({})).await
    };
    assert_eq!(request_return(&early).await.status, StatusCode::CONFLICT);
    shop.advance(&early, 4).await;
    shop.advance(&late, 4).await;
    let seen = shop.get(&format!("/api/orders/{early}"), ME).await.body;
    assert_eq!(seen["returnUntil"], "2026-11-22T09:00:00.000Z");
    shop.given.clock.advance(Duration::from_secs(7 * 24 * 3600 - 1));
    for _ in 0..2 {
        let asked = request_return(&early).await;
        assert_eq!(
            (asked.status, &asked.body["status"]),
            (StatusCode::OK, &json!("return_requested"))
        );
    }
    // A refused return leaves the order delivered, with the same window.
    assert!(matches!(shop.apply(&early, Step::RefuseReturn).await, Done(_)));
    shop.given.clock.advance(Duration::from_secs(1));
    for number in [&early, &late] {
        let seen = shop.get(&format!("/api/orders/{number}"), ME).await.body;
        assert_eq!(seen["returnUntil"], Value::Null);
        let answer = request_return(number).await;
        assert_eq!(
            (answer.status, &answer.body["error"]["code"]),
            (StatusCode::CONFLICT, &json!("too_late_to_return"))
        );
    }
}

async fn tracking_reveals_no_personal_data_and_is_rate_limited(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&number, 2).await;
    let track = async |number: &str, email: &str| {
        let body = json!({ "number": number, "email": email }).to_string();
        shop.ask("POST", "/api/track", &[], body).await
    };
    let seen = track(&number.to_lowercase().replace('-', " "), " RAHIM@haat.example ").await;
    assert_eq!(seen.status, StatusCode::OK, "{}", seen.body);
    assert_eq!((&seen.body["status"], &seen.body["number"]), (&json!("packed"), &json!(number)));
    assert_eq!(seen.body["history"].as_array().unwrap().len(), 3);
    for personal in ["Rahim", "rahim", "Market", "1700", "lamp", "Lamp", "185"] {
        assert!(!seen.body.to_string().contains(personal), "{personal}");
    }
    let other = OrderNumber::new(&Random::seeded(99)).to_string();
    let unknown = track(&other, ME).await;
    for (number, email) in [(number.as_str(), "b@haat.example"), ("nonsense", ME), (&other, "")] {
        let answer = track(number, email).await;
        assert_eq!((answer.status, &answer.body), (StatusCode::NOT_FOUND, &unknown.body));
    }
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(track(&number, "guess@haat.example").await.status);
    }
    assert!(answers.contains(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(track(&number, ME).await.status, StatusCode::TOO_MANY_REQUESTS);
    shop.given.clock.advance(Duration::from_secs(3600));
    assert_eq!(track(&number, ME).await.status, StatusCode::OK);
    let mut answers = Vec::new();
    for seed in 0..61 {
        let guess = OrderNumber::new(&Random::seeded(seed)).to_string();
        answers.push(track(&guess, ME).await.status);
    }
    assert_eq!(answers.last(), Some(&StatusCode::TOO_MANY_REQUESTS));
    let long = track(&"1".repeat(300), ME).await;
    assert_eq!(long.status, StatusCode::BAD_REQUEST);
}

async fn no_sequence_of_steps_creates_or_loses_stock(shop: Shop) {
    const STEPS: [Step; 5] = [
        Step::Advance,
        Step::Cancel,
        Step::CustomerCancel,
        Step::RequestReturn(&[]),
        Step::RefuseReturn,
    ];
    let mut out = 0;
    for sequence in 0..24u64 {
        let rng = Random::seeded(sequence);
        let quantity = 1 + i64::from(rng.bytes::<1>()[0] % 3);
        let total = 160.0 + 25.5 * quantity as f64;
        let number = shop.place(ME, json!([{ "_id": "lamp", "qtn": quantity }]), total).await;
        out += quantity;
        for _ in 0..12 {
            let step = STEPS[usize::from(rng.bytes::<1>()[0]) % STEPS.len()];
            let taken = shop.apply(&number, step).await;
            if let Done(OrderStatus::Cancelled | OrderStatus::Returned) = taken {
                out -= quantity;
            }
            assert_eq!(shop.stock("lamp").await, (50 - out, out));
        }
    }
    assert!(out > 0 && out < 50);
}

async fn orders_are_listed_newest_first(shop: Shop) {
    let mut placed = Vec::new();
    for _ in 0..5 {
        shop.given.clock.advance(Duration::from_secs(1));
        placed.push(shop.place(ME, one_lamp(), ONE_LAMP).await);
    }
    placed.reverse();
    let mut walked = Vec::new();
    let mut path = "/api/orders?limit=2".to_owned();
    loop {
        let answer = shop.get(&path, ME).await;
        let orders = answer.body.as_array().unwrap().iter();
        walked.extend(orders.map(|order| order["number"].as_str().unwrap().to_owned()));
        let Some(cursor) = answer.headers.get("x-next-cursor") else { break };
        path = format!("/api/orders?limit=2&cursor={}", cursor.to_str().unwrap());
    }
    assert_eq!(walked, placed);
    for wrong in ["limit=0", "limit=201", "limit=x", "cursor=x"] {
        let answer = shop.get(&format!("/api/orders?{wrong}"), ME).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

async fn the_invoice_of_a_cancelled_order_has_nothing_to_pay(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    let path = format!("/api/orders/{number}/invoice");
    let invoice = shop.get(&path, ME).await.body;
    let document = &invoice["documents"][0];
    let title = (&document["title"], &document["cancelled"]);
    assert_eq!(title, (&json!("Pro forma invoice"), &Value::Null));
    assert_eq!(document["facts"][0], json!({ "name": "Order number", "value": number }));
    let item = json!({ "name": "Lamp", "options": "", "sku": "L1", "quantity": 1, "taxRate": "", "price": "$25.50", "amount": "$25.50" });
    assert_eq!(document["items"], json!([item]));
    let sum = |name: &str, amount: &str, total: bool| json!({ "name": name, "amount": amount, "total": total });
    let mut sums = vec![
        sum("Sub Total", "$25.50", false),
        sum("Shipping", "$40.00", false),
        sum("Vat", "$120.00", false),
        sum("Invoice total", "$185.50", true),
    ];
    assert_eq!(document["sums"], json!(sums));
    shop.post(&format!("/api/orders/{number}/cancel"), ME, &json!({})).await;
    let invoice = shop.get(&path, ME).await.body;
    let document = &invoice["documents"][0];
    assert_eq!(document["cancelled"], "Cancelled on 15 November 2026. Nothing is to be paid.");
    sums.push(sum("To pay", "$0.00", true));
    assert_eq!(document["sums"], json!(sums));
    assert_eq!(invoice["documents"].as_array().unwrap().len(), 1);
}

async fn the_invoice_pdf_is_private(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    let path = format!("/api/orders/{number}/invoice.pdf");
    let bearer = format!("Bearer {}", shop.token(ME));
    let own = [("authorization", bearer.as_str())];
    let (parts, pdf) = shop.fetch("GET", &path, &own, Body::empty()).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert_eq!(parts.headers["content-type"], "application/pdf");
    assert_eq!(parts.headers["cache-control"], "private, no-store");
    let file = format!("attachment; filename=\"invoice-{number}.pdf\"");
    assert_eq!(parts.headers["content-disposition"], file.as_str());
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    assert!(pdf.len() < 100_000, "only the used glyphs are embedded: {}", pdf.len());

    assert_eq!(shop.get(&path, "other@haat.example").await.status, StatusCode::NOT_FOUND);
    let anonymous = shop.ask("GET", &path, &[], Body::empty()).await;
    assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
    let unknown = shop.get("/api/orders/0000-0000/invoice.pdf", ME).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// A hundred lines, with characters that no font has and words that do not break.
async fn any_order_renders_as_pdf(shop: Shop) {
    let product = |place: usize| {
        json!({ "_id": format!("p{place}"), "category": "light", "sku": format!("P{place}"),
                "name": format!("{} ৳ Ő Łódź মিতালী 😀 مرحبا {place}", "x".repeat(place)),
                "img": ["/l.svg"], "realPrice": 1, "qtn": 9 })
    };
    let goods: Vec<Value> = (0..100).map(product).collect();
    shop.import(&json!({ "products": goods }).to_string()).await;
    let lines: Vec<Value> =
        (0..100).map(|place| json!({ "_id": format!("p{place}"), "qtn": 1 })).collect();
    // A product is 120.5 taka, and rounded: 121.
    let mut order = order(json!(lines), 12_100.0 + 4_820.0 + 14_460.0);
    order["name"] = json!("W".repeat(200));
    order["address"] = json!("ক\n".repeat(300));
    order["currency"] = json!("BDT");
    let placed = shop.post("/api/orders", ME, &order).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let path = format!("/api/orders/{}/invoice.pdf", placed.body["number"].as_str().unwrap());
    let bearer = format!("Bearer {}", shop.token(ME));
    let (parts, pdf) = shop.fetch("GET", &path, &[("authorization", &bearer)], Body::empty()).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert!(pdf.starts_with(b"%PDF-"));
}
