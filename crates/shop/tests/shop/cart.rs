//! The cart of a signed-in customer, through HTTP.

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};
use test_support::on_both;

use super::test_shop::{Answer, Shop};

on_both!(Shop:
    a_cart_is_stored_on_the_server,
    a_guests_cart_is_merged_at_sign_in,
    ordered_products_leave_the_cart,
    a_cart_has_at_most_a_hundred_products,
    an_invalid_cart_change_is_refused,
    carts_are_private,
);

const ME: &str = "rahim@haat.example";

fn lines(lines: &[(&str, i64)]) -> Value {
    let line = |(id, qtn): &(&str, i64)| json!({ "_id": id, "qtn": qtn });
    json!({ "lines": lines.iter().map(line).collect::<Vec<_>>() })
}

/// The cart's lines, in order.
fn lines_of(answer: &Answer) -> Vec<(&str, i64)> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let lines = answer.body["lines"].as_array().unwrap().iter();
    lines.map(|line| (line["_id"].as_str().unwrap(), line["qtn"].as_i64().unwrap())).collect()
}

async fn a_cart_is_stored_on_the_server(shop: Shop) {
    assert_eq!(lines_of(&shop.get("/api/cart", ME).await), []);
    shop.patch("/api/cart", ME, &lines(&[("lamp", 2)])).await;
    shop.given.clock.advance(std::time::Duration::from_secs(1));
    let both = shop.patch("/api/cart", ME, &lines(&[("bulb", 5), ("gone", 1)])).await;
    assert_eq!(lines_of(&both), [("lamp", 2), ("bulb", 5)]);
    let lamp = &both.body["lines"][0];
    assert_eq!((&lamp["name"], &lamp["buyPrice"]), (&json!("Lamp"), &json!(25.5)));
    assert_eq!(lamp["img"], json!(["/l.svg"]));

    let fewer = shop.patch("/api/cart", ME, &lines(&[("lamp", 0), ("bulb", 1)])).await;
    assert_eq!(lines_of(&fewer), [("bulb", 1)]);
    assert_eq!(lines_of(&shop.get("/api/cart", ME).await), [("bulb", 1)]);
}

async fn a_guests_cart_is_merged_at_sign_in(shop: Shop) {
    shop.patch("/api/cart", ME, &lines(&[("lamp", 2), ("bulb", 5)])).await;
    let guest = lines(&[("lamp", 3), ("bulb", 1), ("last", 1)]);
    for _ in 0..2 {
        let joined = shop.post("/api/cart/join", ME, &guest).await;
        let mut joined = lines_of(&joined);
        joined.sort_unstable();
        assert_eq!(joined, [("bulb", 5), ("lamp", 3), ("last", 1)]);
    }
}

async fn ordered_products_leave_the_cart(shop: Shop) {
    shop.patch("/api/cart", ME, &lines(&[("lamp", 1), ("bulb", 5)])).await;
    shop.patch("/api/cart", "other@haat.example", &lines(&[("lamp", 1)])).await;
    shop.place(ME, json!([{ "_id": "lamp", "qtn": 1 }]), 185.5).await;
    assert_eq!(lines_of(&shop.get("/api/cart", ME).await), [("bulb", 5)]);
    assert_eq!(lines_of(&shop.get("/api/cart", "other@haat.example").await), [("lamp", 1)]);
}

async fn a_cart_has_at_most_a_hundred_products(shop: Shop) {
    let ids: Vec<String> = (0..101).map(|place| format!("p{place}")).collect();
    let all: Vec<(&str, i64)> = ids.iter().map(|id| (id.as_str(), 1)).collect();
    shop.patch("/api/cart", ME, &lines(&all[..100])).await;
    let full = shop.patch("/api/cart", ME, &lines(&all[100..])).await;
    assert_eq!(full.status, StatusCode::CONFLICT);
    assert_eq!(full.body["error"]["code"], "cart_full");
    let more = shop.patch("/api/cart", ME, &lines(&[("p0", 7)])).await;
    assert_eq!(more.status, StatusCode::OK);
    let joined = shop.post("/api/cart/join", ME, &lines(&all[50..])).await;
    assert_eq!(joined.status, StatusCode::OK);
    assert_eq!(shop.count("carts").await, 100);
}

async fn an_invalid_cart_change_is_refused(shop: Shop) {
    let many: Vec<(&str, i64)> = vec![("lamp", 1); 101];
    for body in [
        lines(&[("lamp", 1), ("bulb", 101)]),
        lines(&[("lamp", -1)]),
        lines(&many),
        json!({ "lines": [{ "_id": "lamp" }] }),
        json!({ "lines": [{ "_id": "no such/id", "qtn": 1 }] }),
        json!({ "lines": [{ "_id": "lamp", "qtn": 1.5 }] }),
        json!({}),
        json!([]),
    ] {
        for answer in
            [shop.patch("/api/cart", ME, &body).await, shop.post("/api/cart/join", ME, &body).await]
        {
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.body);
        }
    }
    assert_eq!(shop.count("carts").await, 0);
}

async fn carts_are_private(shop: Shop) {
    shop.patch("/api/cart", ME, &lines(&[("lamp", 2)])).await;
    assert_eq!(lines_of(&shop.get("/api/cart", "other@haat.example").await), []);
    for (method, path) in [("GET", "/api/cart"), ("PATCH", "/api/cart"), ("POST", "/api/cart/join")]
    {
        let body = lines(&[("lamp", 1)]).to_string();
        let answer = shop.ask(method, path, &[], Body::from(body)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method}");
    }
}
