use serde_json::Value;
use test_support::eventually;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    products_are_listed_newest_first_with_the_specified_field_names,
    a_long_list_is_paged_by_cursor,
    a_list_is_filtered,
    a_product_and_a_category_are_found_by_id,
    invalid_input_is_refused_with_a_message,
    a_changed_price_is_served_soon,
    an_unchanged_response_is_not_sent_again,
);

async fn products_are_listed_newest_first_with_the_specified_field_names(app: TestApp) {
    let answer = app.get("/api/products").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-total-count"), "64");
    let products = answer.json();
    let products = products.as_array().unwrap();
    assert_eq!(products.len(), 64);
    for product in products {
        for number in ["realPrice", "offerPrice", "buyPrice", "rating", "qtn"] {
            assert!(product[number].is_number(), "{number}: {product}");
        }
        for text in ["_id", "name", "productType", "fullDescription", "sku", "brand", "createdAt"] {
            assert!(product[text].is_string(), "{text}: {product}");
        }
        for list in ["img", "options", "tags", "attributes"] {
            assert!(product[list].is_array(), "{list}: {product}");
        }
        let charged = if product["offerPrice"].as_f64() < product["realPrice"].as_f64() {
            &product["offerPrice"]
        } else {
            &product["realPrice"]
        };
        assert_eq!(&product["buyPrice"], charged);
    }
    let created: Vec<&str> =
        products.iter().map(|product| product["createdAt"].as_str().unwrap()).collect();
    assert!(created.is_sorted_by(|newer, older| newer >= older));
}

async fn a_long_list_is_paged_by_cursor(app: TestApp) {
    let all = app.get("/api/products").await.json();
    let all: Vec<&Value> = all.as_array().unwrap().iter().collect();
    let mut walked = Vec::new();
    let mut address = "/api/products?limit=25".to_owned();
    loop {
        let answer = app.get(&address).await;
        walked.extend(answer.json().as_array().unwrap().clone());
        match answer.header("x-next-cursor") {
            "" => break,
            cursor => address = format!("/api/products?limit=25&cursor={cursor}"),
        }
    }
    assert_eq!(walked.iter().collect::<Vec<_>>(), all);
}

async fn a_list_is_filtered(app: TestApp) {
    for (query, field, value, count) in [
        ("category=audio", "category", "audio", 8),
        ("productType=flashsale", "productType", "flashsale", 10),
        ("brand=Ombrick&category=kitchen", "brand", "Ombrick", 8),
    ] {
        let answer = app.get(&format!("/api/products?{query}&utm_source=x")).await;
        let products = answer.json();
        let products = products.as_array().unwrap();
        assert_eq!(products.len(), count, "{query}");
        assert_eq!(answer.header("x-total-count"), count.to_string());
        assert!(products.iter().all(|product| product[field] == value), "{query}");
    }
    assert_eq!(app.get("/api/products?category=nothing").await.text(), "[]");
}

async fn a_product_and_a_category_are_found_by_id(app: TestApp) {
    let product = app.get("/api/products/skerry-turntable").await.json();
    assert_eq!(product["qtn"], 0);
    let categories = app.get("/api/category").await.json();
    assert_eq!(categories.as_array().unwrap().len(), 8);
    let (id, name) = (categories[0]["_id"].as_str().unwrap(), &categories[0]["name"]);
    let category = app.get(&format!("/api/category/{id}")).await.json();
    assert_eq!(&category["name"], name);
    assert_eq!(category["products"].as_array().unwrap().len(), 8);
}

async fn invalid_input_is_refused_with_a_message(app: TestApp) {
    let long = format!("/api/products?brand={}", "x".repeat(101));
    let longer = format!("/api/products?brand={}", "x".repeat(9000));
    for (address, status, code) in [
        ("/api/products/no-such-thing", 404, "not_found"),
        ("/api/products/a%20b", 400, "invalid"),
        ("/api/products/%ff%fe", 400, "invalid"),
        ("/api/products/%00", 400, "invalid"),
        ("/api/category/nowhere", 404, "not_found"),
        ("/api/products?limit=-1", 400, "invalid"),
        ("/api/products?limit=0", 400, "invalid"),
        ("/api/products?limit=1e9", 400, "invalid"),
        ("/api/products?limit=1000000000", 400, "invalid"),
        ("/api/products?limit=99999999999999999999", 400, "invalid"),
        ("/api/products?limit=", 400, "invalid"),
        ("/api/products?cursor=x", 400, "invalid"),
        ("/api/products?cursor=1.%27%20or%201=1", 400, "invalid"),
        ("/api/products?category=a%20b", 400, "invalid"),
        ("/api/products?brand=%00", 400, "invalid"),
        ("/api/products?limit=1&limit=2", 400, "invalid"),
        (&long, 400, "invalid"),
        (&longer, 414, "uri_too_long"),
        ("/api/nothing", 404, "not_found"),
        ("/api", 404, "not_found"),
    ] {
        let answer = app.get(address).await;
        let shown = &address[..address.len().min(60)];
        assert_eq!(answer.status.as_u16(), status, "{shown}: {}", answer.text());
        let error = &answer.json()["error"];
        assert_eq!(error["code"], code, "{shown}");
        assert!(!error["message"].as_str().unwrap().is_empty(), "{shown}");
        assert_eq!(error["requestId"], answer.header("x-request-id"), "{shown}");
    }
    // NUL is refused, because PostgreSQL cannot store it.
    for address in ["/api/category/%00", "/api/products?category=audio&brand=%00"] {
        assert_eq!(app.get(address).await.status, StatusCode::BAD_REQUEST, "{address}");
    }
    for (path, body) in [
        ("/api/track", r#"{"number": "a\u0000", "email": "a@b.example"}"#),
        ("/api/track", r#"{"number": "7K3M-9QXF", "email": "a\u0000@b.example"}"#),
        ("/api/contact", r#"{"name": "R", "email": "a@b.example", "message": "a\u0000"}"#),
        ("/api/quote", r#"{"lines": [{"_id": "a\u0000", "qtn": 1}]}"#),
    ] {
        let request = Request::post(path).header("content-type", "application/json");
        let answer = app.send(request.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path} {body}: {}", answer.text());
    }
    let post = Request::post("/api/products").body(Body::empty()).unwrap();
    let answer = app.send(post).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.json()["error"]["code"], "method_not_allowed");
}

async fn a_changed_price_is_served_soon(app: TestApp) {
    app.get("/api/products/skerry-turntable").await;
    app.import(
        r#"{"products": [{"_id": "skerry-turntable", "category": "audio", "name": "Turntable",
            "sku": "HT-AUD-900", "img": ["/favicon.svg"], "realPrice": 77.7, "qtn": 1}]}"#,
    )
    .await;
    eventually("the price has changed", async || {
        app.get("/api/products/skerry-turntable").await.json()["buyPrice"] == 77.7
    })
    .await;
}

async fn an_unchanged_response_is_not_sent_again(app: TestApp) {
    let first = app.get_as("/api/products", &[("accept-encoding", "br")]).await;
    assert_eq!(first.header("content-encoding"), "br");
    let has = [("accept-encoding", "br"), ("if-none-match", first.header("etag"))];
    let second = app.get_as("/api/products", &has).await;
    assert_eq!(second.status, StatusCode::NOT_MODIFIED);
    assert!(second.body.is_empty());
}

#[test]
fn the_generated_typescript_types_are_up_to_date() {
    let made = server::api::typescript();
    let expected = std::fs::read_to_string(Path::new(WEB).join("src/lib/api.gen.ts")).unwrap();
    assert!(made == expected, "web/src/lib/api.gen.ts is stale: run make types");
}

#[tokio::test]
async fn the_openapi_description_has_every_path_and_error() {
    let app = TestApp::new(Engine::Sqlite).await;
    let description = app.get("/api/openapi.json").await.json();
    let paths: Vec<&String> = description["paths"].as_object().unwrap().keys().collect();
    let categories = ["/api/category", "/api/category/{id}"];
    let messages = ["/api/contact", "/api/newsletter", "/api/pass", "/api/stock-alerts"];
    let wishlist = ["/api/wishlist", "/api/wishlist/share", "/api/wishlist/{product}"];
    let products =
        ["/api/products", "/api/products/{id}", "/api/products/{id}/variants", "/api/variants"];
    let reviews = [
        "/api/products/{id}/reviews",
        "/api/products/{id}/reviews/mine",
        "/api/reviews/{id}/helpful",
    ];
    let search = ["/api/search", "/api/search/suggestions"];
    let customers = [
        "/api/account",
        "/api/account/data",
        "/api/account/photo",
        "/api/addresses",
        "/api/addresses/{id}",
        "/api/user",
        "/api/user/jwt",
        "/api/user/{email}",
    ];
    let orders = [
        "/api/cart",
        "/api/cart/join",
        "/api/countries",
        "/api/countries/{code}",
        "/api/credit",
        "/api/gift-cards/check",
        "/api/order",
        "/api/order/s/",
        "/api/orders",
        "/api/orders/claim",
        "/api/orders/phone-code",
        "/api/orders/{number}",
        "/api/orders/{number}/cancel",
        "/api/orders/{number}/invoice",
        "/api/orders/{number}/invoice.pdf",
        "/api/orders/{number}/return",
        "/api/pay/{number}",
        "/api/pay/{number}/cancel",
        "/api/payments",
        "/api/quote",
        "/api/track",
    ];
    let shopping = [&search[..], &orders, &wishlist].concat();
    let mut all = [&categories[..], &messages, &products, &reviews, &customers, &shopping].concat();
    all.sort_unstable();
    assert_eq!(paths, all);
    let schemes = &description["components"]["securitySchemes"];
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            // Every operation with a 401 names its security scheme.
            let refused = operation["responses"]["401"].is_object();
            let wants = operation["security"].as_array();
            assert_eq!(refused, wants.is_some(), "{method} {path}");
            let mut names =
                wants.into_iter().flatten().flat_map(|one| one.as_object().unwrap().keys());
            assert!(names.all(|name| schemes[name]["scheme"] == "bearer"), "{method} {path}");
        }
    }
    let docs = app.get("/api/docs").await;
    for path in paths {
        assert!(docs.text().contains(path.as_str()), "{path}");
    }
}
