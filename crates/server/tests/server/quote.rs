use axum::http::header::CONTENT_TYPE;
use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    a_cart_is_priced_by_the_server,
    unavailable_products_are_reported_on_their_line,
    a_quote_follows_price_and_stock,
    invalid_carts_are_refused,
    products_are_found_by_their_ids,
);

async fn quote(app: &TestApp, lines: Value) -> Value {
    let answer = request(app, json!({ "lines": lines }).to_string()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

async fn request(app: &TestApp, body: String) -> TestResponse {
    let request = Request::post("/api/quote").header(CONTENT_TYPE, "application/json");
    app.send(request.body(Body::from(body)).unwrap()).await
}

async fn a_cart_is_priced_by_the_server(app: TestApp) {
    let quote = quote(
        &app,
        json!([
            {"_id": "tarn-over-ear-headphones", "qtn": 1, "buyPrice": 0.01, "name": "mine"},
            {"_id": "tarn-over-ear-headphones", "qtn": 1},
            {"_id": "quern-pepper-mill", "qtn": 1},
        ]),
    )
    .await;
    let mill = app.get("/api/products/quern-pepper-mill").await.json();
    let mill = mill["buyPrice"].as_f64().unwrap();
    assert_eq!(quote["lines"].as_array().unwrap().len(), 2);
    let headphones = &quote["lines"][0];
    assert_eq!(headphones["name"], "Tarn Over-Ear Headphones");
    assert_eq!((&headphones["buyPrice"], &headphones["qtn"]), (&json!(199), &json!(2)));
    assert_eq!((&headphones["total"], &headphones["change"]), (&json!(398), &Value::Null));
    let total = |name: &str| quote[name].as_f64().unwrap();
    assert_eq!(total("subTotal"), 398.0 + mill);
    assert_eq!((total("shipping"), total("vat")), (40.0, 120.0));
    assert_eq!(total("cartTotal"), 398.0 + mill + 40.0);
    assert_eq!(total("total"), 398.0 + mill + 160.0);
}

async fn unavailable_products_are_reported_on_their_line(app: TestApp) {
    let quote = quote(
        &app,
        json!([
            {"_id": "never-heard-of", "qtn": 2},
            {"_id": "skerry-turntable", "qtn": 1},
            {"_id": "quern-pepper-mill", "qtn": 9},
        ]),
    )
    .await;
    let lines = quote["lines"].as_array().unwrap();
    let summary =
        |line: &Value| (line["change"].clone(), line["qtn"].clone(), line["stock"].clone());
    assert_eq!(summary(&lines[0]), (json!("gone"), json!(0), json!(0)));
    assert_eq!((&lines[0]["name"], &lines[0]["total"]), (&json!(""), &json!(0)));
    assert_eq!(summary(&lines[1]), (json!("gone"), json!(0), json!(0)));
    assert_eq!(lines[1]["name"], "Skerry Turntable");
    assert_eq!(summary(&lines[2]), (json!("less"), json!(4), json!(4)));
    assert_eq!(quote["subTotal"], lines[2]["total"]);

    let nothing = self::quote(&app, json!([])).await;
    for amount in ["subTotal", "shipping", "vat", "cartTotal", "total"] {
        assert_eq!(nothing[amount], 0, "{amount}");
    }
}

async fn a_quote_follows_price_and_stock(app: TestApp) {
    let wanted = json!([{"_id": "quern-pepper-mill", "qtn": 2}]);
    let before = quote(&app, wanted.clone()).await;
    assert_eq!(before["lines"][0]["change"], Value::Null);
    app.import(
        r#"{"products": [{"_id": "quern-pepper-mill", "category": "kitchen", "name": "Mill",
            "sku": "HT-KIT-007", "img": ["/demo/kitchen.svg"], "realPrice": 10, "qtn": 1}]}"#,
    )
    .await;
    let after = quote(&app, wanted).await;
    assert_eq!((&after["lines"][0]["buyPrice"], &after["subTotal"]), (&json!(10), &json!(10)));
    assert_eq!(after["lines"][0]["change"], "less");
}

async fn invalid_carts_are_refused(app: TestApp) {
    let many: Vec<Value> = (0..101).map(|n| json!({"_id": format!("p{n}"), "qtn": 1})).collect();
    for body in [
        json!({ "lines": many }).to_string(),
        json!({"lines": [{"_id": "mill", "qtn": 0}]}).to_string(),
        json!({"lines": [{"_id": "mill", "qtn": -1}]}).to_string(),
        json!({"lines": [{"_id": "mill", "qtn": 101}]}).to_string(),
        json!({"lines": [{"_id": "mill", "qtn": 1.5}]}).to_string(),
        json!({"lines": [{"_id": "mill", "qtn": "1"}]}).to_string(),
        json!({"lines": [{"_id": "a b", "qtn": 1}]}).to_string(),
        json!({"lines": [{"_id": "", "qtn": 1}]}).to_string(),
        r#"{"lines": [{"_id": "mill", "qtn": 1e309}]}"#.into(),
        r#"{"lines": [{"_id": "mill", "qtn": 99999999999999999999}]}"#.into(),
        r#"{"lines": {}}"#.into(),
        "{}".into(),
        "lines".into(),
    ] {
        let answer = request(&app, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.json()["error"]["code"], "invalid", "{body}");
    }
    let twice = json!({"lines": [{"_id": "mill", "qtn": 60}, {"_id": "mill", "qtn": 60}]});
    let answer = request(&app, twice.to_string()).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text());
    assert_eq!(answer.json()["error"]["fields"][0]["name"], "lines.1.qtn");
}

async fn products_are_found_by_their_ids(app: TestApp) {
    let ids = "skerry-turntable,never-heard-of,quern-pepper-mill,";
    let answer = app.get(&format!("/api/products?ids={ids}")).await;
    assert_eq!(answer.header("x-total-count"), "2");
    let found = answer.json();
    let mut found: Vec<&str> =
        found.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, ["quern-pepper-mill", "skerry-turntable"]);
    assert_eq!(app.get("/api/products?ids=").await.text(), "[]");
    let both = app.get("/api/products?ids=skerry-turntable&category=kitchen").await;
    assert_eq!(both.text(), "[]");
    let many = |count: usize| format!("/api/products?ids={}", ["a"; 101][..count].join(","));
    assert_eq!(app.get(&many(100)).await.status, StatusCode::OK);
    for address in [many(101), "/api/products?ids=a%20b".into()] {
        let refused = app.get(&address).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_eq!(refused.json()["error"]["fields"][0]["name"], "ids");
    }
}
