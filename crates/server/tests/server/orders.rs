//! Orders by the command line, with the program as a process.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::program::{Sandbox, Shop, text};

on_both!(Sandbox: an_order_is_processed_by_the_command_line,);

pub fn request(
    shop: &Shop,
    method: &str,
    path: &str,
    token: &str,
    body: &Value,
) -> (String, Value) {
    let mut stream = TcpStream::connect(&shop.address).unwrap();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let length = body.len();
    let bearer = if token.is_empty() { "" } else { &format!("authorization: Bearer {token}\r\n") };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{bearer}\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), serde_json::from_str(body).unwrap_or(Value::Null))
}

/// A demo shop with charges of five dollars.
pub fn open(sandbox: &Sandbox) -> Shop {
    let options = "--demo --shipping 5 --vat 0 --free-delivery-over 1000000";
    sandbox.open_with(&options.split(' ').collect::<Vec<_>>())
}

/// The access token of a new customer.
pub fn sign_up(shop: &Shop, email: &str) -> String {
    let credentials = json!({ "email": email, "password": "Secret1!" });
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
    let (_, new) = request(shop, "POST", path, "", &credentials);
    let id_token = new["idToken"].as_str().unwrap();
    let path = format!("/api/user/jwt?email={email}");
    let (_, access) = request(shop, "GET", &path, id_token, &Value::Null);
    access["accessToken"].as_str().unwrap().to_owned()
}

/// A customer, Rahim, places an order in a demo shop with charges of `more`. Returns his token, the product and the
/// order.
pub fn rahim_buys(shop: &Shop, more: f64) -> (String, Value, Value) {
    let token = sign_up(shop, "rahim@haat.example");
    let (_, products) = request(shop, "GET", "/api/products", "", &Value::Null);
    let mut products = products.as_array().unwrap().iter();
    let product = products.find(|product| product["qtn"].as_i64() > Some(20)).unwrap();
    let total = product["buyPrice"].as_f64().unwrap() + more;
    let mut order = json!({ "firstname": "Rahim", "email": "rahim@haat.example", "phone": "01700000000",
                        "address": "Dhaka", "getState": [product], "grandPrice": total });
    order["getState"][0]["qtn"] = json!(1);
    let (head, placed) = request(shop, "POST", "/api/order", &token, &order);
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {placed}");
    (token, product.clone(), placed)
}

async fn an_order_is_processed_by_the_command_line(sandbox: Sandbox) {
    let shop = open(&sandbox);
    let (token, product, placed) = rahim_buys(&shop, 5.0);
    let total = product["buyPrice"].as_f64().unwrap() + 5.0;
    let number = placed["number"].as_str().unwrap();
    let (_, read) =
        request(&shop, "GET", "/api/order/s/?email=rahim@haat.example", &token, &Value::Null);
    assert_eq!(read[0]["grandPrice"].as_f64(), Some(total));

    let list = sandbox.run(&["orders", "list", "--status", "placed"]);
    assert!(list.status.success() && text(&list).contains(number), "{}", text(&list));
    assert!(!text(&sandbox.run(&["orders", "list", "--status", "packed"])).contains(number));
    let note = ["--note", "Courier: https://courier.example/t/42"];
    for status in ["confirmed", "packed", "shipped"] {
        let advance = sandbox.run(&[&["orders", "advance", number, "--json"], &note[..]].concat());
        assert!(advance.status.success(), "{}", text(&advance));
        let now: Value = serde_json::from_slice(&advance.stdout).unwrap();
        assert_eq!(now["status"], status);
    }
    let cancel = sandbox.run(&["orders", "cancel", number]);
    assert!(!cancel.status.success() && text(&cancel).contains("is shipped"), "{}", text(&cancel));
    let show = sandbox.run(&["orders", "show", &number.to_lowercase()]);
    for part in [number, "shipped", "Rahim", "Cash on delivery: authorised"] {
        assert!(text(&show).contains(part), "{part}: {}", text(&show));
    }
    for (args, why) in [
        (&["orders", "show"][..], "number is required"),
        (&["orders", "show", "0000-0000"][..], "there is no order"),
        (&["orders", "show", "7K3M-9QXA"][..], "not an order number"),
        (&["orders", "list", "--status", "lost"][..], "is none of awaiting_payment"),
    ] {
        let output = sandbox.run(args);
        assert!(!output.status.success() && text(&output).contains(why), "{}", text(&output));
    }
    // A delivered order is returned, and not restocked.
    assert!(sandbox.run(&["orders", "advance", number]).status.success());
    let id = product["_id"].as_str().unwrap();
    let lines = json!({ "lines": [{ "_id": id, "qtn": 1 }] });
    let (head, _) = request(&shop, "POST", &format!("/api/orders/{number}/return"), &token, &lines);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    for (args, part) in [
        (&["orders", "show", number][..], "return requested: 1 × "),
        (&["orders", "refund", number, "--no-restock"][..], "only for haat orders advance"),
        (&["orders", "advance", number, "--no-restock"][..], "return received: 1 × "),
        (&["orders", "refund", number][..], "return refunded: 1 × "),
    ] {
        let output = sandbox.run(args);
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let (_, left) = request(&shop, "GET", &format!("/api/products/{id}"), "", &Value::Null);
    assert_eq!(left["qtn"].as_i64(), product["qtn"].as_i64().map(|stock| stock - 1));
    let subject = format!(">Your order {number} is on its way</a>");
    let mut list = String::new();
    eventually("the e-mails are sent", async || {
        list = shop.get("/dev/mail");
        list.contains(&subject)
    })
    .await;
    // As the running shop writes: with its name, its address and the note.
    let (before, _) = list.split_once(&subject).unwrap();
    let address = before.rsplit_once("href=\"").unwrap().1.trim_end_matches('"');
    let email = shop.get(address);
    let link = format!("http://{}/track?number={number}", shop.address);
    for part in ["Note from the shop: Courier: https://courier.example/t/42", &link, "Haat"] {
        assert!(email.contains(part), "{part}: {email}");
    }
    assert!(!email.contains("My shop"), "{email}");
}

#[tokio::test]
async fn a_command_without_a_shop_creates_none() {
    let sandbox = Sandbox::sqlite();
    for command in ["orders", "reviews", "jobs"] {
        let output = sandbox.run(&[command, "list"]);
        assert!(!output.status.success(), "{command}");
        assert!(
            text(&output).contains("there is no shop: data/haat.db does not exist"),
            "{command}"
        );
    }
    assert!(!sandbox.dir.path().join("data").exists());
}
