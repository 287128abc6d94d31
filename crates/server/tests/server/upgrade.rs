//! A shop that the previous version of the program made opens and works.

use std::io::Read;

use platform::Db;
use serde_json::{Value, json};
use test_support::on_both;

use super::program::{Sandbox, Shop, text};

on_both!(Sandbox: a_database_of_the_previous_version_opens,);

/// The databases of a shop with three products, of which two come in colours, and a customer with an order, a return, a
/// review, a cart, wishes and an alert, at migration 0036. Made by `haat serve`; SQLite's file, and PostgreSQL's
/// statements by `pg_dump --inserts`, both compressed with `gzip`.
const SQLITE: &[u8] = include_bytes!("../data/previous-version.db.gz");
const POSTGRES: &[u8] = include_bytes!("../data/previous-version.sql.gz");
/// The shop's secret: a test's, which protects nothing.
const SECRET: &str = "f75f59cdacb329b1bcb44dad0c403263e76a7c94bbfac3c331579ae1afac96bd";

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut content).unwrap();
    content
}

async fn restore(sandbox: &Sandbox) {
    let url = sandbox.database_url();
    if url.starts_with("sqlite:") {
        let data = sandbox.dir.path().join("data");
        std::fs::create_dir_all(&data).unwrap();
        return std::fs::write(data.join("haat.db"), decompress(SQLITE)).unwrap();
    }
    let db = Db::open(&url).await.unwrap();
    let dump = String::from_utf8(decompress(POSTGRES)).unwrap();
    let schema = ["drop schema public cascade", "create schema public"].map(str::to_owned);
    let statements = dump.split(";\n").filter(|statement| {
        let settings = ["SET ", "SELECT pg_catalog.set_config", "CREATE SCHEMA"];
        !statement.trim().is_empty() && !settings.iter().any(|start| statement.starts_with(start))
    });
    for statement in schema.into_iter().chain(statements.map(str::to_owned)) {
        db.query(statement).execute().await.unwrap();
    }
    db.close().await;
}

/// The JSON of an answer.
fn body(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}"))
}

/// The ID token and the access token of the customer.
fn sign_in(shop: &Shop) -> (String, String) {
    let account = r#"{"email": "rahim@haat.example", "password": "Market!Lane7"}"#;
    let sign_in =
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=haat-storefront";
    let answer = body(&shop.try_post(sign_in, account).unwrap());
    let id_token = answer["idToken"].as_str().unwrap();
    let path = "/api/user/jwt?email=rahim@haat.example";
    let answer = body(&shop.get_with_token(path, id_token));
    (id_token.to_owned(), answer["accessToken"].as_str().unwrap().to_owned())
}

async fn a_database_of_the_previous_version_opens(sandbox: Sandbox) {
    restore(&sandbox).await;
    let shop = sandbox.open_with(&["--demo", "--secret", SECRET, "--languages", "en,bn"]);
    for (path, found) in [
        ("/api/products", "x-total-count: 3\r\n"),
        ("/search?q=brass", "Brass lamp"),
        ("/product/oak-lamp", "Oak lamp"),
        ("/product/oak-lamp?colour=Walnut", "Walnut"),
    ] {
        let answer = shop.get(path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(found), "{path}: {answer}");
    }
    // Its colours are variants, and all of the stock is the first one's: 9, less the two that were sold.
    let product = body(&shop.get("/api/products/oak-lamp?language=bn"));
    let options = json!([{ "name": "রং", "param": "colour", "values": ["ওক", "আখরোট", "Bottle \"Green\""],
                           "originals": ["Oak", "Walnut", "Bottle \"Green\""] }]);
    assert_eq!(product["options"], options);
    let variants = product["variants"].as_array().unwrap();
    let stock: Vec<&Value> = variants.iter().map(|variant| &variant["qtn"]).collect();
    assert_eq!(stock, [7, 0, 0]);
    assert_eq!((&variants[0]["_id"], &variants[1]["sku"]), (&json!("oak-lamp"), &json!("OAK-1")));
    assert_eq!((&variants[1]["img"], &variants[1]["buyPrice"]), (&json!("/icon.svg"), &json!(64)));
    assert_eq!(product["reviews"], 1);

    let (id_token, token) = sign_in(&shop);
    let get = |path: &str| body(&shop.get_with_token(path, &token));
    let cart = get("/api/cart");
    assert_eq!(
        (&cart["lines"][0]["_id"], &cart["lines"][0]["qtn"]),
        (&json!("oak-lamp"), &json!(3))
    );
    assert_eq!(cart["lines"][0]["options"], json!({ "Colour": "Oak" }));
    let wishes = get("/api/wishlist");
    assert_eq!(wishes["products"].as_array().unwrap().len(), 2);
    let shared = shop.get(wishes["share"].as_str().unwrap());
    assert!(shared.contains("Paper lamp") && shared.contains("Oak lamp"), "{shared}");
    let orders = get("/api/orders");
    let (number, lines) = (orders[0]["number"].as_str().unwrap(), &orders[0]["lines"]);
    assert_eq!((&lines[0]["product"], &lines[0]["options"]), (&json!("oak-lamp"), &json!({})));
    let order = get(&format!("/api/orders/{number}"));
    assert_eq!(order["returns"][0]["lines"], json!([{ "_id": "oak-lamp", "qtn": 1 }]));
    assert_eq!((&order["taxes"], &order["taxNumber"]), (&json!([]), &Value::Null));
    assert!(order["vat"].as_f64() > Some(0.0), "{order}");
    assert_eq!(get("/api/products/oak-lamp/reviews/mine")["review"]["title"], "Warm");
    let data = body(&shop.get_with_token("/api/account/data", &id_token));
    assert_eq!(data["wishlist"]["wishes"][0]["options"], json!({ "Colour": "Oak" }), "{data}");

    // The return arrives, and the alert's variant is in stock again.
    for _ in 0..2 {
        let moved = sandbox.run(&["orders", "advance", number]);
        assert!(moved.status.success(), "{}", text(&moved));
    }
    assert!(sandbox.run(&["stock", "set", "brass-lamp", "5"]).status.success());
    test_support::eventually("the alert is sent", async || {
        shop.get("/dev/mail").contains("Brass lamp is back in stock")
    })
    .await;
    drop(shop);
    let shown = text(&sandbox.run(&["orders", "show", number]));
    assert!(shown.contains("Oak lamp") && shown.contains("return refunded"), "{shown}");
    let stock = text(&sandbox.run(&["stock", "history", "OAK-1"]));
    assert!(stock.contains("returned  +1  8") && stock.contains("sold      -2  7"), "{stock}");
    let check = text(&sandbox.run(&["check"]));
    assert!(!check.contains("stock"), "{check}");
}
