//! Currencies over HTTP and on the command line.

use test_support::on_both;

use super::program::{Sandbox, text};
use super::*;

on_both!(TestApp:
    every_answer_with_prices_is_in_the_currency_asked_for,
    pages_say_their_currency,
    a_filter_by_price_is_in_the_currency_of_the_page,
);

const PRODUCT: &str = "/api/products/quern-pepper-mill";

async fn every_answer_with_prices_is_in_the_currency_asked_for(app: TestApp) {
    let price = async |url: &str, headers: &[(&str, &str)]| {
        let answer = app.get_as(url, headers).await;
        assert_eq!(answer.status, StatusCode::OK, "{url}");
        answer.json()["buyPrice"].clone()
    };
    // In any order: the cache keeps one answer per currency.
    for _ in 0..2 {
        assert_eq!(price(PRODUCT, &[]).await, 46);
        assert_eq!(price(PRODUCT, &[("x-currency", "BDT")]).await, 5_543);
        assert_eq!(price(&format!("{PRODUCT}?currency=BDT"), &[]).await, 5_543);
        assert_eq!(price(&format!("{PRODUCT}?currency=USD"), &[("x-currency", "BDT")]).await, 46);
        assert_eq!(price(PRODUCT, &[("cookie", "currency=BDT")]).await, 46);
    }
    let category = app.get(PRODUCT).await.json()["category"].as_str().unwrap().to_owned();
    for list in [
        format!("/api/category/{category}"),
        "/api/products?ids=quern-pepper-mill".into(),
        "/api/variants?ids=quern-pepper-mill".into(),
        "/api/search?q=quern".into(),
    ] {
        let answers =
            async |code: &str| app.get_as(&list, &[("x-currency", code)]).await.text().to_owned();
        assert!(answers("USD").await.contains("\"buyPrice\":46,"), "{list}");
        assert!(answers("BDT").await.contains("\"buyPrice\":5543,"), "{list}");
    }
    for (url, header) in
        [(PRODUCT, "EUR"), (PRODUCT, ""), (PRODUCT, "bdt"), ("/api/search?q=quern", "XXX")]
    {
        let refused = app.get_as(url, &[("x-currency", header)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{header}");
        let field = &refused.json()["error"]["fields"][0];
        assert_eq!(
            (&field["name"], &field["code"]),
            (&"currency".into(), &"unknown_currency".into())
        );
        assert_eq!(field["params"]["currencies"], "USD, BDT");
    }
}

async fn pages_say_their_currency(app: TestApp) {
    let data = async |cookie: &str| {
        let headers = [("accept", "application/json"), ("cookie", cookie)];
        app.get_as("/product/quern-pepper-mill", &headers).await.json()
    };
    let taka = data("currency=BDT").await;
    assert_eq!(taka["shop"]["currency"], "BDT");
    assert_eq!(taka["shop"]["currencies"], serde_json::json!(["USD", "BDT"]));
    assert_eq!(taka["props"]["terms"]["shipping"], 4_820);
    assert_eq!(taka["props"]["product"]["buyPrice"], 5_543);
    // One that is not offered any more, or never was.
    for cookie in ["currency=EUR", "currency=usd", "currency="] {
        let page = data(cookie).await;
        assert_eq!(
            (&page["shop"]["currency"], &page["props"]["terms"]["shipping"]),
            (&"USD".into(), &40.into())
        );
    }
    let page = app.get_as("/product/quern-pepper-mill", &[("cookie", "currency=BDT")]).await;
    let html = page.text();
    assert!(
        html.contains("\"priceCurrency\":\"BDT\"") && html.contains("\"price\":\"5543.00\""),
        "{html}"
    );
    let feed = app.get_as("/feeds/google.xml", &[("cookie", "currency=BDT")]).await;
    assert!(feed.text().contains("<g:price>46.00 USD</g:price>"));
}

async fn a_filter_by_price_is_in_the_currency_of_the_page(app: TestApp) {
    let found = async |query: &str, currency: &str| {
        let url = format!("/api/search?{query}");
        let answer = app.get_as(&url, &[("x-currency", currency)]).await;
        let names = answer.text().matches("\"_id\":\"quern-pepper-mill\"").count();
        names > 0
    };
    for (query, currency, wanted) in [
        ("q=quern&max=46", "USD", true),
        ("q=quern&max=45", "USD", false),
        ("q=quern&max=5543", "BDT", true),
        ("q=quern&max=5542", "BDT", false),
        ("q=quern&min=5543", "BDT", true),
        ("q=quern&min=5544", "BDT", false),
    ] {
        assert_eq!(found(query, currency).await, wanted, "{query} in {currency}");
    }
}

mod command_line {
    use super::*;

    on_both!(Sandbox: a_shop_keeps_its_base_currency,);
}

const GOODS: &str = r#"{"categories": [{"_id": "bowls", "name": "Bowls", "img": "/favicon.svg"}],
    "products": [{"_id": "bowl", "category": "bowls", "name": "Bowl", "sku": "B1", "img": ["/favicon.svg"],
      "realPrice": 1200.5, "qtn": 4}]}"#;

async fn a_shop_keeps_its_base_currency(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    let import = |code: &str| sandbox.run(&["import", goods.to_str().unwrap(), "--currency", code]);
    let refused = import("JPY");
    assert!(
        text(&refused).contains("realPrice: 1200.5 has more decimals than JPY"),
        "{}",
        text(&refused)
    );
    let check = |args: &[&str]| text(&sandbox.run(&[&["check"], args].concat()));
    assert!(check(&["--currency", "EUR"]).contains("\ncurrencies: EUR\n"));
    // A refused file chooses no currency.
    assert!(import("BDT").status.success());
    let refused = import("USD");
    assert!(
        text(&refused).contains("are in BDT, which cannot be changed to USD"),
        "{}",
        text(&refused)
    );
    let wrong = check(&["--currency", "EUR"]);
    assert!(wrong.contains("currency: the prices and books of this shop are in BDT"), "{wrong}");
    let right = check(&["--currencies", "USD=0.0083 to 0.05 on 2026-11-01, EUR=0.0076"]);
    assert!(
        right.contains("\ncurrencies: BDT; USD at 0.0083 of 2026-11-01; EUR at 0.0076\n"),
        "{right}"
    );

    let shop = sandbox.open_with(&["--currencies", "USD=0.0083 to 0.05"]);
    assert!(shop.get("/product/bowl").contains("৳1,200.50"));
    assert!(shop.get("/api/products/bowl?currency=USD").contains("\"buyPrice\":9.95,"));
    drop(shop);
    // Back to one currency: the other is gone from pages, and refused in the API.
    let shop = sandbox.open_with(&[]);
    assert!(shop.get("/api/products/bowl?currency=USD").contains("unknown_currency"));
    assert!(!shop.get("/product/bowl").contains("action=\"/currency\""));
    drop(shop);

    let exported = sandbox.file("goods.csv", "");
    assert!(sandbox.run(&["export", exported.to_str().unwrap()]).status.success());
    assert!(std::fs::read_to_string(exported).unwrap().contains("1200.5"));
}
