//! A shop that an earlier version of the program made opens and works.

use std::io::Read;

use super::program::{Sandbox, text};

/// The database of a shop with two products, a customer, an order and two queued e-mails, at migration
/// 0025. Made by `haat serve`, compressed with `gzip`.
const DATABASE: &[u8] = include_bytes!("../data/previous-version.db.gz");
/// The shop's `secret.key`: a test's, which protects nothing.
const SECRET: &str = "f75f59cdacb329b1bcb44dad0c403263e76a7c94bbfac3c331579ae1afac96bd";
const ORDER: &str = "GM2K-A38F";

#[tokio::test]
async fn a_database_of_the_previous_version_opens() {
    let sandbox = Sandbox::sqlite();
    let data = sandbox.dir.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let mut database = Vec::new();
    flate2::read::GzDecoder::new(DATABASE).read_to_end(&mut database).unwrap();
    std::fs::write(data.join("haat.db"), database).unwrap();
    std::fs::write(data.join("secret.key"), SECRET).unwrap();

    let shop = sandbox.open_with(&["--demo"]);
    for (path, found) in [
        ("/api/products", "x-total-count: 2\r\n"),
        ("/search?q=brass", "Brass lamp"),
        ("/product/oak-lamp", "Oak lamp"),
    ] {
        let answer = shop.get(path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(found), "{path}: {answer}");
    }
    let account = r#"{"email": "rahim@haat.example", "password": "Market!Lane7"}"#;
    let sign_in =
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=haat-storefront";
    let answer = shop.try_post(sign_in, account).unwrap();
    assert!(answer.contains("idToken"), "{answer}");
    // The e-mails that it had queued.
    test_support::eventually("the order's e-mail is sent", async || {
        shop.get("/dev/mail").contains(ORDER)
    })
    .await;
    drop(shop);
    let orders = text(&sandbox.run(&["orders", "show", ORDER]));
    assert!(orders.contains("Oak lamp") && orders.contains("240"), "{orders}");
    let stock = text(&sandbox.run(&["stock", "history", "oak-lamp"]));
    assert!(stock.contains("Stock before the journal"), "{stock}");
}
