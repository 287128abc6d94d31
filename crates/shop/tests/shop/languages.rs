//! The language of quotes, carts and orders.

use axum::http::StatusCode;
use platform::Currency;
use serde_json::json;
use shop::catalog::{self, Import, ImportFormat};
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order};

on_both!(Shop:
    quotes_and_carts_name_products_in_the_language_of_the_request,
    an_order_keeps_the_names_of_its_moment_in_each_language,
);

/// The lamp of the test shop, with this name in Bangla.
async fn name_lamp(shop: &Shop, name: &str) {
    let file = format!(
        r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
            "img": ["/l.svg"], "realPrice": 30, "offerPrice": 25.5, "name@bn": "{name}"}}]}}"#
    );
    let rows = Import::parse(&file, ImportFormat::Json, Currency::USD).unwrap();
    catalog::import(&shop.given.db, &shop.given.clock, &shop.given.random, &rows).await.unwrap();
}

async fn quotes_and_carts_name_products_in_the_language_of_the_request(shop: Shop) {
    name_lamp(&shop, "বাতি").await;
    let lines = json!({ "lines": [{ "_id": "lamp", "qtn": 1 }, { "_id": "bulb", "qtn": 1 }] });
    let bangla = [("accept-language", "bn-BD,bn;q=0.9,en;q=0.5")];
    let quote = shop.ask("POST", "/api/quote", &bangla, lines.to_string()).await.body;
    assert_eq!(quote["lines"][0]["name"], "বাতি");
    assert_eq!(quote["lines"][0]["untranslated"], json!(null));
    assert_eq!(quote["lines"][1]["untranslated"], json!(["name"]));
    let quote = shop.ask("POST", "/api/quote", &[], lines.to_string()).await.body;
    assert_eq!(
        (&quote["lines"][0]["name"], &quote["lines"][1]["untranslated"]),
        (&json!("Lamp"), &json!(null))
    );
    let cart = shop.patch("/api/cart?language=bn", ME, &lines).await.body;
    assert_eq!(
        (&cart["lines"][1]["name"], &cart["lines"][0]["untranslated"]),
        (&json!("বাতি"), &json!(["name"]))
    );
    let product = shop.get("/api/products/lamp?language=bn", ME).await.body;
    assert_eq!((&product["name"], &product["untranslated"]), (&json!("বাতি"), &json!(null)));
    let product = shop.get("/api/products/lamp", ME).await.body;
    assert_eq!(product["name"], "Lamp");
}

async fn an_order_keeps_the_names_of_its_moment_in_each_language(shop: Shop) {
    name_lamp(&shop, "বাতি").await;
    let placed = shop.post("/api/orders?language=bn", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(placed.body["lines"][0]["name"], "বাতি");
    name_lamp(&shop, "প্রদীপ").await;
    let number = placed.body["number"].as_str().unwrap();
    for (path, name) in [
        (format!("/api/orders/{number}?language=bn"), "বাতি"),
        (format!("/api/orders/{number}"), "Lamp"),
    ] {
        assert_eq!(shop.get(&path, ME).await.body["lines"][0]["name"], name, "{path}");
    }
    let listed = shop.get("/api/orders?language=bn", ME).await.body;
    assert_eq!(listed[0]["lines"][0]["name"], "বাতি");
}
