//! Orders without an account through the whole program: its tokens, its e-mails and its command line.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use shop::orders::GuestSettings;
use test_support::on_both;

use super::orders::{open, request};
use super::program::{Sandbox, text};
use super::*;

mod in_a_shop {
    use super::{
        GuestApp, a_guests_order_becomes_that_of_the_account_with_its_address,
        a_token_that_is_not_good_places_no_order, on_both, the_shop_is_told_of_a_guests_order,
    };

    on_both!(GuestApp:
        a_token_that_is_not_good_places_no_order,
        a_guests_order_becomes_that_of_the_account_with_its_address,
        the_shop_is_told_of_a_guests_order,
    );
}

mod in_a_program {
    use super::{Sandbox, a_demo_shop_texts_its_guests, on_both};

    on_both!(Sandbox: a_demo_shop_texts_its_guests,);
}

/// A shop in Bangladesh where guests can order.
struct GuestApp(TestApp);

impl GuestApp {
    async fn new(engine: Engine) -> Self {
        let countries = "BD".parse().unwrap();
        let mut settings = ShopSettings { countries, ..ShopSettings::default() };
        settings.orders.guests = GuestSettings {
            guest_checkout: Some(true),
            ..GuestSettings::default().with_defaults()
        };
        let (given, limits) = (demo_db(engine).await, PictureLimits::default());
        let app =
            TestApp::start(given, |routes| routes, None, limits, None, URLS_PER_SITEMAP, settings);
        Self(app.await)
    }
}

const ME: &str = "rahim@haat.example";

fn order(email: &str) -> Value {
    json!({ "name": "Rahim", "phone": "01711000000", "address": "Dhaka", "email": email,
            "total": 359, "lines": [{ "_id": "tarn-over-ear-headphones", "qtn": 1 }] })
}

impl TestApp {
    async fn place_as_guest(&self, email: &str) -> String {
        let placed = self.request("POST", "/api/orders", "", order(email)).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        assert_eq!(placed.header("cache-control"), "no-store");
        placed.json()["number"].as_str().unwrap().to_owned()
    }
}

async fn a_token_that_is_not_good_places_no_order(GuestApp(app): GuestApp) {
    let id_token = app.id_token(ME).await;
    let token = app.access_token(&id_token, ME).await;
    let ended = app.request("POST", "/auth/devices/end", &id_token, json!({})).await;
    assert_eq!(ended.status, StatusCode::OK, "{}", ended.text());
    for token in ["x", &id_token, &token] {
        let answer = app.request("POST", "/api/orders", token, order("")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token}: {}", answer.text());
    }
    let specified = json!({ "firstname": "Rahim", "email": ME, "phone": "01711000000", "address": "Dhaka",
        "getState": [{ "_id": "tarn-over-ear-headphones", "qtn": 1 }], "grandPrice": 359 });
    let answer = app.request("POST", "/api/order", "", specified).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", answer.text());
    assert_eq!(app.count("select count(*) from orders").await, 0);
    app.place_as_guest("").await;
}

async fn a_guests_order_becomes_that_of_the_account_with_its_address(GuestApp(app): GuestApp) {
    let number = app.place_as_guest(ME).await;
    let id_token = app.id_token(ME).await;
    let unverified = app.access_token(&id_token, ME).await;
    let claim = async |token: &str| {
        app.request("POST", "/api/orders/claim", token, json!({ "number": number })).await
    };
    assert_eq!(claim(&unverified).await.status, StatusCode::NOT_FOUND);
    let other = app.verified_customer("mina@haat.example").await;
    assert_eq!(claim(&other).await.status, StatusCode::NOT_FOUND);
    let token = app.verify_email(ME, &id_token).await;
    let claimed = claim(&token).await;
    assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.text());
    assert_eq!(claimed.json()["number"], number);
    assert_eq!(claim(&other).await.status, StatusCode::NOT_FOUND);
    let listed = app.request("GET", "/api/orders", &token, json!({})).await.json();
    assert_eq!(listed[0]["number"], number);
    let path = format!("/api/orders/{number}/invoice.pdf");
    let invoice = app.request("GET", &path, &token, json!({})).await;
    assert_eq!((invoice.status, &invoice.body[..5]), (StatusCode::OK, &b"%PDF-"[..]));
    let path = format!("/api/orders/{number}/cancel");
    let cancelled = app.request("POST", &path, &token, json!({})).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.text());
    // What was placed by somebody unknown is told without input, and what the account then does with it.
    let emails = app.emails_to(ME).await;
    let about = |subject: String| &emails.iter().find(|email| email.0 == subject).unwrap().1;
    assert!(!about(format!("Your order {number}")).contains("Dear Rahim"));
    assert!(about(format!("Your order {number} is cancelled")).contains("Dear Rahim"));
}

async fn the_shop_is_told_of_a_guests_order(GuestApp(app): GuestApp) {
    let number = app.place_as_guest(ME).await;
    let told = app.emails_to("hello@haat.example").await;
    assert_eq!((told.len(), &told[0].0), (1, &format!("New order {number}")));
    let text = &told[0].1;
    let call = "The customer has no account: please confirm the order by phone.";
    assert!(text.contains(call) && !text.contains("e-mail address"), "{text}");
    assert!(!text.contains("Rahim") && !text.contains("1711"), "{text}");
}

async fn a_demo_shop_texts_its_guests(sandbox: Sandbox) {
    let shop = open(&sandbox);
    let (_, products) = request(&shop, "GET", "/api/products", "", &Value::Null);
    let mut products = products.as_array().unwrap().iter();
    let product = products.find(|product| product["qtn"].as_i64() > Some(20)).unwrap();
    let order = json!({ "name": "Rahim", "phone": "+880 1711-000000", "address": "Dhaka",
        "lines": [{ "_id": product["_id"], "qtn": 1 }],
        "total": product["buyPrice"].as_f64().unwrap() + 5.0 });
    let (head, placed) = request(&shop, "POST", "/api/orders", "", &order);
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {placed}");
    let number = placed["number"].as_str().unwrap();
    for _ in 0..3 {
        let advanced = sandbox.run(&["orders", "advance", number]);
        assert!(advanced.status.success(), "{}", text(&advanced));
    }
    let show = sandbox.run(&["orders", "show", number]);
    assert!(text(&show).contains("+8801711000000"), "{}", text(&show));
    // The command line sends text messages where the running shop does.
    let mut texts = Vec::new();
    eventually("both text messages are sent", async || {
        let list = shop.get("/dev/mail");
        let links = list.split("href=\"/dev/mail/").skip(1);
        let links = links.map(|rest| format!("/dev/mail/{}", rest.split('"').next().unwrap()));
        texts = links.map(|link| shop.get(&link)).collect();
        texts.retain(|text| text.contains("+8801711000000"));
        texts.len() == 2
    })
    .await;
    let track = format!("http://{}/track?number={number}", shop.address);
    for part in [
        format!("Haat: Your order {number} is on its way. {track}"),
        format!("Haat: thank you for your order {number}. To pay: "),
    ] {
        assert!(texts.iter().any(|text| text.contains(&part)), "{part}: {texts:?}");
    }
}

#[tokio::test]
async fn codes_for_guests_need_a_gateway_for_text_messages() {
    let sandbox = Sandbox::sqlite();
    let over = ["--guest-checkout", "true", "--guest-code-over", "100"];
    let why = "guest_code_over: codes are sent as text messages: set sms_url";
    let check = |more: &[&str]| sandbox.run(&[&["check"], &over[..], more].concat());
    let refused = check(&[]);
    assert!(!refused.status.success() && text(&refused).contains(why), "{}", text(&refused));
    for more in [&["--sms-url", "https://sms.example/"][..], &["--demo"]] {
        let good = text(&check(more));
        assert!(good.contains("settings: good"), "{good}");
    }
    let decimals = sandbox.run(&["check", "--demo", "--guest-code-over", "1.005"]);
    assert!(text(&decimals).contains("guest_code_over: USD has 2 decimals"), "{}", text(&decimals));
    let mut serve = sandbox.haat(&["serve", "--listen", "127.0.0.1:0"]);
    let serve = serve.args(over).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut serve = serve.spawn().unwrap();
    let mut opened = String::new();
    BufReader::new(serve.stdout.take().unwrap()).read_line(&mut opened).unwrap();
    let _ = serve.kill();
    let output = serve.wait_with_output().unwrap();
    assert!(opened.is_empty() && text(&output).contains(why), "{opened} {}", text(&output));
}
