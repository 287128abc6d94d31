//! Orders without an account: by name, phone number and address. What is sent about them, how they are found and
//! limited, and when they need a code.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use email::sms_limits::SmsLimits;
use platform::auth::Customer;
use platform::{Amount, Currency};
use serde_json::{Value, json};
use shop::ShopContext;
use shop::catalog::StockCache;
use shop::orders::StepOutcome::{self, Done};
use shop::orders::{GuestSettings, OrderLimits, OrderStatus, Refund, Step};
use shop::settings::Retention;
use shop::{promotions, retention};
use test_support::{TestDb, on_both};

use super::test_shop::{Answer, ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop:
    an_order_needs_an_account_unless_the_shop_says_otherwise,
    an_order_without_an_email_address_is_told_by_text_message,
    an_order_with_an_email_address_is_told_by_email,
    an_unproven_order_is_cancelled_and_a_proven_one_kept,
    a_repeated_request_returns_the_same_order,
    an_order_is_tracked_by_phone_or_email,
    a_shop_without_countries_knows_numbers_with_a_plus_sign,
    an_order_is_claimed_by_who_proves_its_email_address_or_phone,
    two_claims_at_once_have_one_winner,
    a_claim_keeps_the_limits_of_unpaid_orders,
    text_messages_about_orders_have_limits_of_their_own,
    orders_in_an_hour_are_limited,
    one_phone_number_has_one_limit_on_two_servers,
    an_order_over_an_amount_needs_a_code,
    an_unproven_order_over_the_limit_needs_a_code_or_an_account,
    promotions_that_depend_on_the_customer_need_an_account,
    store_credit_needs_an_account,
    an_old_order_is_anonymized,
    the_last_units_are_sold_once,
);

const PHONE: &str = "+8801711000000";
const EVIL: &str = "evil.example";

/// A shop in Bangladesh where guests can order, and which sends text messages.
fn open(mut shop: Shop, change: impl FnOnce(&mut ShopContext)) -> Shop {
    shop.context.countries = "BD, US".parse().unwrap();
    shop.context.sms_limits = Some(SmsLimits::new(1000, vec!["+880".into()]));
    shop.context.orders.guests =
        GuestSettings { guest_checkout: Some(true), ..GuestSettings::default() };
    change(&mut shop.context);
    shop.routes = routes(&shop.context);
    shop
}

/// Another server, with its own connections to the same database.
async fn second_server(shop: &Shop) -> (Router, TestDb) {
    let other = shop.given.second_connection().await;
    let mut context = shop.context.clone();
    context.context.db = other.db.clone();
    context.stock_cache = StockCache::default();
    (routes(&context), other)
}

/// What a guest orders who wants others to read what he types.
fn typed(phone: &str) -> Value {
    let mut body = order(one_lamp(), ONE_LAMP);
    body["name"] = json!(format!("Win at www.{EVIL}"));
    body["address"] = json!(format!("Click https://{EVIL}/now\nDhaka"));
    body["phone"] = json!(phone);
    body
}

fn with(mut body: Value, name: &str, value: impl Into<Value>) -> Value {
    body[name] = value.into();
    body
}

fn code(answer: &Answer) -> &str {
    answer.body["error"]["code"].as_str().unwrap_or("none")
}

fn refusal(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), code(answer))
}

impl Shop {
    async fn as_guest(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[], body.to_string()).await
    }

    async fn order_as_guest(&self, body: &Value) -> Answer {
        self.as_guest("/api/orders", body).await
    }

    /// The number of a guest's order.
    async fn place_as_guest(&self, body: &Value) -> String {
        let answer = self.order_as_guest(body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.body["number"].as_str().unwrap().to_owned()
    }

    /// The queued text messages: to whom, and the text.
    async fn texts(&self) -> Vec<(String, String)> {
        let sql = "select payload from jobs where kind = 'sms.send' order by created_at, id";
        let jobs: Vec<(String,)> = self.given.db.query(sql).all().await.unwrap();
        let text = |(job,): (String,)| {
            let text = serde_json::from_str::<Value>(&job).unwrap()["text"].take();
            let field = |name: &str| text[name].as_str().unwrap().to_owned();
            (field("to"), field("text"))
        };
        jobs.into_iter().map(text).collect()
    }

    async fn request_code(&self, phone: &str) -> StatusCode {
        let body = json!({ "phone": phone }).to_string();
        self.fetch("POST", "/api/orders/phone-code", &[], body).await.0.status
    }

    /// The code of the text message to a number.
    async fn phone_code(&self, phone: &str) -> String {
        assert_eq!(self.request_code(phone).await, StatusCode::NO_CONTENT);
        let texts = self.texts().await;
        let (_, text) = texts.iter().rfind(|(_, text)| text.contains("is your code")).unwrap();
        self.given.clock.advance(Duration::from_millis(1));
        text[..6].to_owned()
    }

    /// An account as the shop knows it.
    async fn add_account(&self, email: &str, email_verified: bool) {
        let sql = "insert into customers (id, email, name, created_at, email_verified)
                   values ($1, $2, 'Somebody', 0, $3)";
        let query = self.given.db.query(sql).bind(format!("uid-{email}").as_str()).bind(email);
        query.bind(email_verified).execute().await.unwrap();
    }

    fn account_token(&self, email: &str, email_verified: bool) -> String {
        let customer = Customer {
            uid: format!("uid-{email}"),
            email: email.into(),
            name: None,
            email_verified,
            verified_phone: None,
        };
        let token = self.context.context.tokens.access_token(customer, None).unwrap();
        format!("Bearer {token}")
    }

    fn minutes(&self, minutes: u64) {
        self.given.clock.advance(Duration::from_secs(60 * minutes));
    }
}

async fn an_order_needs_an_account_unless_the_shop_says_otherwise(shop: Shop) {
    assert_eq!(shop.order_as_guest(&typed(PHONE)).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(shop.request_code(PHONE).await, StatusCode::FORBIDDEN);
    let shop = open(shop, |_| {});
    let specified = json!({ "firstname": "Rahim", "email": ME, "phone": PHONE, "address": "Dhaka",
                            "getState": [{ "_id": "lamp", "qtn": 1 }], "grandPrice": ONE_LAMP });
    let answer = shop.as_guest("/api/order", &specified).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", answer.body);
    // Somebody who believes to be signed in gets no order without an account.
    let expired = shop.token(ME);
    shop.minutes(16);
    let body = typed(PHONE).to_string();
    for token in ["", "x", "Bearer", "Bearer ", "Bearer x", &format!("Bearer {expired}")] {
        let headers = [("authorization", token)];
        let answer = shop.ask("POST", "/api/orders", &headers, body.clone()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token}: {}", answer.body);
    }
    assert_eq!((shop.count("orders").await, shop.texts().await.len()), (0, 0));
    shop.place_as_guest(&typed(PHONE)).await;
    for (field, value) in [("email", "no address"), ("phone", "call me")] {
        let answer = shop.order_as_guest(&with(typed(PHONE), field, value)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
        assert_eq!(answer.body["error"]["fields"][0]["name"], field, "{}", answer.body);
    }
    assert_eq!(shop.count("orders").await, 1);
}

async fn an_order_without_an_email_address_is_told_by_text_message(shop: Shop) {
    let shop = open(shop, |_| {});
    let number = shop.place_as_guest(&typed("০১৭১১-০০০০০০")).await;
    let link = format!("https://haat.example/track?number={number}");
    let placed = format!("Haat: thank you for your order {number}. To pay: $185.50. {link}");
    assert_eq!(shop.texts().await, [(PHONE.to_owned(), placed)]);
    shop.given.clock.advance(Duration::from_millis(1));
    let note = format!("For Win at www.{EVIL}");
    let number = number.parse().unwrap();
    for _ in 0..3 {
        let taken = shop.order_store().apply(&number, Step::Advance, &note).await.unwrap();
        assert!(matches!(taken, Done(_)), "{taken:?}");
    }
    let texts = shop.texts().await;
    let shipped = format!("Haat: Your order {number} is on its way. {link}");
    assert_eq!((texts.len(), &texts[1]), (2, &(PHONE.to_owned(), shipped)));

    shop.given.clock.advance(Duration::from_millis(1));
    let headers = [("accept-language", "bn")];
    let body = typed("01711000001").to_string();
    let placed = shop.ask("POST", "/api/orders", &headers, body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap();
    let text = &shop.texts().await[2].1;
    for part in ["আপনার অর্ডার", "১৮৫", &format!("https://haat.example/bn/track?number={number}")]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // None to what is no telephone number, or one of another country; and the order is placed.
    for phone in ["1234", "+8801", "+1 217 555 0123", "+8801711000000 x12"] {
        shop.place_as_guest(&typed(phone)).await;
    }
    assert_eq!((shop.texts().await.len(), shop.emails().await.len()), (3, 0));
}

async fn an_order_with_an_email_address_is_told_by_email(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.limits = OrderLimits::default().with_defaults(Currency::USD);
    });
    let body = with(typed(PHONE), "email", " Rahim@Haat.example ");
    let number = shop.place_as_guest(&body).await;
    shop.given.clock.advance(Duration::from_millis(1));
    shop.advance(&number, 3).await;
    let emails = shop.emails().await;
    let subjects: Vec<&str> =
        emails.iter().map(|email| email["subject"].as_str().unwrap()).collect();
    let shipped = format!("Your order {number} is on its way");
    assert_eq!(subjects, [format!("Your order {number}"), shipped]);
    for email in &emails {
        assert_eq!(email["to"], ME);
        let (text, html) = (email["text"].as_str().unwrap(), email["html"].as_str().unwrap());
        assert!(text.contains("1 × Lamp"), "{text}");
        for part in [EVIL, "Win at", "Click", PHONE] {
            assert!(!text.contains(part) && !html.contains(part), "{part}: {text}");
        }
    }
    let text = emails[0]["text"].as_str().unwrap();
    assert!(text.contains("We will call you") && text.contains("48 hours"), "{text}");
    assert!(!text.contains("address is not confirmed"), "{text}");
    assert_eq!(shop.texts().await.len(), 0);
}

async fn an_unproven_order_is_cancelled_and_a_proven_one_kept(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.limits = OrderLimits::default().with_defaults(Currency::USD);
    });
    let by_phone = shop.place_as_guest(&typed(PHONE)).await;
    let by_email =
        shop.place_as_guest(&with(typed("01711000001"), "email", "a@haat.example")).await;
    let confirmed = shop.place_as_guest(&typed("01711000002")).await;
    shop.advance(&confirmed, 1).await;
    shop.given.clock.advance(Duration::from_millis(1));
    let code = shop.phone_code("01711000003").await;
    shop.place_as_guest(&with(typed("01711000003"), "phoneCode", code)).await;
    shop.minutes(47 * 60);
    assert_eq!(shop.order_store().cancel_unverified_orders().await.unwrap(), 0);
    shop.minutes(60);
    assert_eq!(shop.order_store().cancel_unverified_orders().await.unwrap(), 2);
    assert_eq!(shop.stock("lamp").await, (48, 2));
    let sql = "select note from order_events where status = 'cancelled'";
    let notes: Vec<(String,)> = shop.given.db.query(sql).all().await.unwrap();
    let note = "The order was not confirmed in time.";
    assert_eq!(notes, [(note.to_owned(),), (note.to_owned(),)]);
    let texts = shop.texts().await;
    let cancelled = format!("Haat: Your order {by_phone} is cancelled. ");
    assert!(texts.last().unwrap().1.starts_with(&cancelled), "{texts:?}");
    let emails = shop.emails().await;
    let last = emails.last().unwrap();
    assert_eq!(last["subject"], format!("Your order {by_email} is cancelled"));
    assert!(!last["text"].as_str().unwrap().contains(EVIL), "{last}");
}

async fn a_repeated_request_returns_the_same_order(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.guests.guest_code_over = Some(Amount::units(100));
    });
    let code = shop.phone_code(PHONE).await;
    let body = with(typed(PHONE), "phoneCode", code);
    let keyed = async |body: &Value| {
        shop.ask("POST", "/api/orders", &[("idempotency-key", "k")], body.to_string()).await
    };
    let first = keyed(&body).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let other = keyed(&with(body.clone(), "name", "Karim")).await;
    assert_eq!(refusal(&other), (422, "idempotency_key_reused"), "{}", other.body);
    let other = keyed(&with(body.clone(), "email", ME)).await;
    assert_eq!(refusal(&other), (422, "idempotency_key_reused"), "{}", other.body);
    let again = keyed(&body).await;
    assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    // Also when the code is too old, and after too many tries.
    shop.minutes(30);
    let again = keyed(&body).await;
    assert_eq!((again.status, &again.body["number"]), (StatusCode::OK, &first.body["number"]));
    let wrong = with(typed(PHONE), "phoneCode", "0");
    for _ in 0..10 {
        shop.order_as_guest(&wrong).await;
    }
    assert_eq!(shop.order_as_guest(&wrong).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(keyed(&body).await.status, StatusCode::OK);
    assert_eq!(shop.count("orders").await, 1);
}

async fn an_order_is_tracked_by_phone_or_email(shop: Shop) {
    let shop = open(shop, |_| {});
    let number = shop.place_as_guest(&typed("01711-000000")).await;
    let track = async |number: &str, email: &str, phone: &str| {
        // So that the limit of looks at one number does not count here.
        shop.minutes(60);
        let body = json!({ "number": number, "email": email, "phone": phone });
        shop.as_guest("/api/track", &body).await
    };
    let typed_forms = [PHONE, "01711000000", "+880 1711 000-000", "০১৭১১ ০০০০০০", "8801711000000"];
    for phone in typed_forms {
        let tracked = track(&number.to_lowercase(), "", phone).await;
        assert_eq!(tracked.status, StatusCode::OK, "{phone}: {}", tracked.body);
        let history = json!([{ "status": "placed", "at": "2026-11-15T09:00:00.000Z" }]);
        let wanted = json!({ "number": number, "status": "placed", "history": history, "guest": true,
                    "paymentStatus": "unpaid", "payUrl": null });
        assert_eq!(tracked.body, wanted);
    }
    for (email, phone) in [
        ("", "01711000001"),
        ("", "1711"),
        ("", "+"),
        ("", ""),
        (" ", " "),
        (ME, ""),
        // An address that is given has to be right.
        (ME, PHONE),
    ] {
        let tracked = track(&number, email, phone).await;
        assert_eq!(refusal(&tracked), (404, "not_found"), "{email:?} {phone:?}");
    }
    let by_email = shop.place_as_guest(&with(typed(PHONE), "email", ME)).await;
    for (email, phone) in [("RAHIM@haat.example ", ""), (ME, "1"), ("", PHONE)] {
        let tracked = track(&by_email, email, phone).await;
        assert_eq!(tracked.status, StatusCode::OK, "{email:?} {phone:?}: {}", tracked.body);
    }
    // A number as it is written where the order goes.
    let mut abroad = typed("(217) 555-0123");
    abroad["address"] = json!({ "country": "US", "lines": ["1 Main St"], "city": "Springfield",
                                "region": "Illinois", "postcode": "62701" });
    let abroad = shop.place_as_guest(&abroad).await;
    assert_eq!(track(&abroad, "", "217 555 0123").await.status, StatusCode::OK);
    assert_eq!(track(&abroad, "", "+12175550123").await.status, StatusCode::OK);
    // What is no telephone number of the country is compared by its digits.
    let short = shop.place_as_guest(&typed("12-34")).await;
    assert_eq!(track(&short, "", "১২৩৪").await.status, StatusCode::OK);
    assert_eq!(track(&short, "", "123").await.status, StatusCode::NOT_FOUND);
    let own = shop.place(ME, one_lamp(), ONE_LAMP).await;
    assert_eq!(track(&own, ME, "").await.body["guest"], false);
    assert_eq!(track(&own, "", "01700000000").await.body["guest"], false);

    let guess = json!({ "number": number, "phone": "01799999999" });
    let mut guesses = 0;
    while shop.as_guest("/api/track", &guess).await.status == StatusCode::NOT_FOUND {
        guesses += 1;
    }
    assert_eq!(guesses, 20);
    let right = json!({ "number": number, "phone": PHONE });
    let answer = shop.as_guest("/api/track", &right).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

async fn a_shop_without_countries_knows_numbers_with_a_plus_sign(shop: Shop) {
    let shop = open(shop, |context| {
        context.countries = Default::default();
        context.orders.guests.guest_orders_per_hour = Some(2);
        context.orders.guests.guest_code_over = Some(Amount::units(100));
    });
    let refused = shop.order_as_guest(&typed("01711-000000")).await;
    assert_eq!(refusal(&refused), (403, "no_text_messages"));
    let code = shop.phone_code("+880 1711 000 000").await;
    let body = with(typed("+880 1711-000000"), "phoneCode", code);
    let number = shop.place_as_guest(&body).await;
    let texts = shop.texts().await;
    assert!(texts.iter().all(|(to, _)| to == PHONE) && texts.len() == 2, "{texts:?}");
    let tracked = json!({ "number": number, "phone": "+880-1711-000-000" });
    assert_eq!(shop.as_guest("/api/track", &tracked).await.status, StatusCode::OK);
    shop.place_as_guest(&with(body.clone(), "phone", PHONE)).await;
    let over = shop.order_as_guest(&with(body, "phone", "+8801711000 000")).await;
    assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS);
    // Without a calling code the digits count.
    let bulb =
        |phone: &str| with(order(json!([{ "_id": "bulb", "qtn": 1 }]), 162.25), "phone", phone);
    let shop = open(shop, |context| {
        context.countries = Default::default();
        context.orders.guests.guest_orders_per_hour = Some(2);
    });
    shop.place_as_guest(&bulb("01711-000001")).await;
    shop.place_as_guest(&bulb("01711 000001")).await;
    let over = shop.order_as_guest(&bulb("০১৭১১০০০০০১")).await;
    assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS);
}

async fn an_order_is_claimed_by_who_proves_its_email_address_or_phone(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.limits = OrderLimits::default().with_defaults(Currency::USD);
    });
    let (nasrin, mina, late) = ("nasrin@haat.example", "mina@haat.example", "late@haat.example");
    for (email, verified) in [(ME, true), (nasrin, true), (mina, false), (late, true)] {
        shop.add_account(email, verified).await;
    }
    let claim = async |email: &str, number: &str, code: Option<&str>| {
        let token = shop.account_token(email, email != mina && email != late);
        let body = json!({ "number": number, "phoneCode": code }).to_string();
        let headers = [("authorization", token.as_str())];
        shop.ask("POST", "/api/orders/claim", &headers, body).await
    };
    let by_email = shop.place_as_guest(&with(typed(PHONE), "email", "Rahim@haat.example")).await;
    let by_phone = shop.place_as_guest(&typed(PHONE)).await;
    let minas = shop.place_as_guest(&with(typed("01711000001"), "email", mina)).await;
    let lates = shop.place_as_guest(&with(typed("01711000001"), "email", late)).await;
    let left = shop.place_as_guest(&typed("01711000002")).await;
    let own = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.given.clock.advance(Duration::from_millis(1));
    let code = shop.phone_code(PHONE).await;
    let code_of_own = shop.phone_code("01700000000").await;
    for (email, number, code, why) in [
        (nasrin, by_email.as_str(), None, "another address"),
        (mina, &minas, None, "an address that is not verified"),
        (ME, &by_phone, None, "no address and no code"),
        (nasrin, &own, None, "it has an account"),
        (ME, "7K3M-9QXF", None, "there is no such order"),
        (ME, "x", None, "no number"),
    ] {
        let refused = claim(email, number, code).await;
        let not_found = json!({ "code": "not_found", "message": "There is no such order.",
                                "params": { "what": "order" } });
        assert_eq!((refused.status.as_u16(), &refused.body["error"]), (404, &not_found), "{why}");
    }
    let body = json!({ "number": by_email }).to_string();
    let nobody = shop.ask("POST", "/api/orders/claim", &[], body).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let wrong = if code == "000000" { "000001" } else { "000000" };
    assert_eq!(refusal(&claim(nasrin, &by_phone, Some(wrong)).await), (403, "wrong_phone_code"));
    assert_eq!(refusal(&claim(nasrin, &left, Some(&code)).await), (403, "wrong_phone_code"));
    // Whether there is such an order, or whose it is, does not show.
    assert_eq!(refusal(&claim(nasrin, "7K3M-9QXF", Some(&code)).await), (403, "wrong_phone_code"));
    assert_eq!(refusal(&claim(nasrin, &own, Some(&code_of_own)).await), (403, "wrong_phone_code"));

    // The second account's token is older than the verification of its address.
    for (email, number, code, kept) in [
        (ME, &by_email, None, ME),
        (late, &lates, None, late),
        (mina, &by_phone, Some(code.as_str()), ""),
    ] {
        for _ in 0..2 {
            let claimed = claim(email, &number.to_lowercase(), code).await;
            assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.body);
            assert_eq!([&claimed.body["number"], &claimed.body["email"]], [number, kept]);
        }
        assert_eq!(claim(nasrin, number, None).await.status, StatusCode::NOT_FOUND);
        let listed = shop.get("/api/orders", email).await.body;
        assert!(listed.as_array().unwrap().iter().any(|order| order["number"] == **number));
        let invoice = shop.get(&format!("/api/orders/{number}/invoice"), email).await;
        assert_eq!(invoice.status, StatusCode::OK, "{}", invoice.body);
    }
    let tracked = json!({ "number": by_phone, "phone": PHONE });
    assert_eq!(shop.as_guest("/api/track", &tracked).await.body["guest"], false);
    // Claimed orders are proven; the other two are cancelled.
    shop.minutes(48 * 60);
    assert_eq!(shop.order_store().cancel_unverified_orders().await.unwrap(), 2);
    for (email, number) in [(ME, by_email), (mina, by_phone)] {
        let path = format!("/api/orders/{number}/cancel");
        let cancelled = shop.post(&path, email, &json!({})).await;
        assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
    }
}

async fn two_claims_at_once_have_one_winner(shop: Shop) {
    let shop = open(shop, |_| {});
    let (second, _db) = second_server(&shop).await;
    let number = shop.place_as_guest(&typed(PHONE)).await;
    let code = shop.phone_code(PHONE).await;
    let servers = [shop.routes.clone(), second];
    let shop = Arc::new(shop);
    let claims: Vec<_> = (0..8)
        .map(|account| {
            let (shop, server) = (shop.clone(), servers[account % 2].clone());
            let body = json!({ "number": number, "phoneCode": code });
            tokio::spawn(async move {
                let email = format!("{account}@haat.example");
                shop.add_account(&email, true).await;
                let token = shop.account_token(&email, true);
                let headers = [("authorization", token.as_str())];
                let claimed = shop.ask_server(&server, "/api/orders/claim", &headers, &body).await;
                (email, claimed.status)
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for claim in claims {
        outcomes.push(claim.await.unwrap());
    }
    outcomes.sort_by_key(|(_, status)| *status);
    let statuses: Vec<u16> = outcomes.iter().map(|(_, status)| status.as_u16()).collect();
    // Those that come later find no order of a guest.
    assert!(statuses[0] == 200 && statuses[1..].iter().all(|status| [403, 404].contains(status)));
    for (account, (email, _)) in outcomes.iter().enumerate() {
        let orders = shop.get("/api/orders", email).await.body;
        assert_eq!(orders.as_array().unwrap().len(), usize::from(account == 0), "{email}");
    }
}

async fn a_claim_keeps_the_limits_of_unpaid_orders(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.limits = OrderLimits { unpaid_units: Some(3), ..OrderLimits::default() };
    });
    shop.add_account(ME, true).await;
    let two = order(json!([{ "_id": "lamp", "qtn": 2 }]), 211.0);
    let own = shop.place(ME, two["lines"].clone(), 211.0).await;
    let number = shop.place_as_guest(&with(two, "email", ME)).await;
    let body = json!({ "number": number });
    let refused = shop.post("/api/orders/claim", ME, &body).await;
    assert_eq!(refusal(&refused), (403, "too_many_unpaid"), "{}", refused.body);
    shop.apply(&own, Step::CustomerCancel).await;
    let claimed = shop.post("/api/orders/claim", ME, &body).await;
    assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.body);
}

async fn text_messages_about_orders_have_limits_of_their_own(shop: Shop) {
    let shop = open(shop, |_| {});
    let mut number = String::new();
    for _ in 0..12 {
        number = shop.place_as_guest(&typed(PHONE)).await;
    }
    assert_eq!(shop.texts().await.len(), 10);
    // What the shop does with an order is told, and codes are sent.
    shop.advance(&number, 3).await;
    assert_eq!(shop.texts().await.len(), 11);
    let request = async |phone: &str, number: &str| {
        let body = json!({ "phone": phone, "number": number }).to_string();
        shop.fetch("POST", "/api/orders/phone-code", &[], body).await.0.status
    };
    assert_eq!(request("01711-000000", &number).await, StatusCode::NO_CONTENT);
    assert_eq!(shop.texts().await.last().unwrap().0, PHONE);
    assert_eq!(request("01711-000001", &number).await, StatusCode::NOT_FOUND);
    assert_eq!(request("01711-000000", "7K3M-9QXF").await, StatusCode::NOT_FOUND);
    assert_eq!(shop.texts().await.len(), 12);
}

async fn orders_in_an_hour_are_limited(shop: Shop) {
    let shop = open(shop, |context| context.orders.guests.guest_orders_per_hour = Some(2));
    let status = async |phone: &str, email: &str| {
        shop.order_as_guest(&with(typed(phone), "email", email)).await.status.as_u16()
    };
    let keyed = async |key| {
        let body = typed(PHONE).to_string();
        shop.ask("POST", "/api/orders", &[("idempotency-key", key)], body).await.status.as_u16()
    };
    assert_eq!((keyed("k").await, status("01711000000", "a@haat.example").await), (201, 201));
    assert_eq!(status("+880 1711-000000", "").await, 429);
    // An order that was placed stays placed.
    assert_eq!((keyed("k").await, keyed("l").await), (200, 429));
    assert_eq!(status("01711000001", "A+tag@haat.example").await, 201);
    assert_eq!(status("01711000002", "a+other@haat.example").await, 429);
    // Of one network six times as many.
    let mut placed = 3;
    while status(&format!("017110001{placed:02}"), "").await == 201 {
        placed += 1;
    }
    // Of the refused ones that with the used address has not counted for the network.
    assert_eq!(placed, 12);
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.minutes(61);
    assert_eq!(status("01711000000", "a@haat.example").await, 201);
}

/// 64 orders with one phone number, typed in two ways, on two servers.
async fn one_phone_number_has_one_limit_on_two_servers(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.limits = OrderLimits { unpaid_units: Some(5), ..OrderLimits::default() };
    });
    let (second, _db) = second_server(&shop).await;
    let servers = [shop.routes.clone(), second];
    let shop = Arc::new(shop);
    let buyers: Vec<_> = (0..64)
        .map(|buyer| {
            let (shop, server) = (shop.clone(), servers[buyer % 2].clone());
            let body = typed(["01711000000", "+880 1711 000 000"][buyer / 2 % 2]);
            tokio::spawn(async move { shop.ask_server(&server, "/api/orders", &[], &body).await })
        })
        .collect();
    let mut outcomes: BTreeMap<(u16, String), usize> = BTreeMap::new();
    for buyer in buyers {
        let answer = buyer.await.unwrap();
        let (status, code) = refusal(&answer);
        *outcomes.entry((status, code.to_owned())).or_default() += 1;
    }
    let wanted = [((201, "none".to_owned()), 5), ((403, "too_many_unpaid".to_owned()), 59)];
    assert_eq!(outcomes, wanted.into());
    assert_eq!(shop.stock("lamp").await, (45, 5));
    // Another number has its own limit.
    shop.place_as_guest(&typed("01711000001")).await;
}

async fn an_order_over_an_amount_needs_a_code(shop: Shop) {
    let shop = open(shop, |context| {
        context.orders.guests.guest_code_over = Some("185.49".parse().unwrap());
    });
    let refused = shop.order_as_guest(&typed("01711000000")).await;
    assert_eq!(refusal(&refused), (403, "phone_code_required"));
    let with_code = |phone: &str, code: &str| with(typed(phone), "phoneCode", code);
    let first = shop.phone_code("01711000000").await;
    let (to, text) = shop.texts().await.remove(0);
    let wanted = format!("{first} is your code for Haat. It works for 10 minutes.");
    assert_eq!((to.as_str(), text), (PHONE, wanted));
    shop.place_as_guest(&with_code("+880 1711 000 000", &format!(" {first} "))).await;
    let bangla: String =
        first.chars().map(|digit| "০১২৩৪৫৬৭৮৯".chars().nth(digit as usize - 48).unwrap()).collect();
    shop.place_as_guest(&with_code("01711000000", &bangla)).await;
    // The code of one number is none of another.
    let others = shop.order_as_guest(&with_code("01711000001", &first)).await;
    assert_eq!(refusal(&others), (403, "wrong_phone_code"));
    // It works for ten minutes at least, and for twenty at most.
    shop.minutes(10);
    shop.place_as_guest(&with_code("01711000000", &first)).await;
    shop.minutes(10);
    let late = shop.order_as_guest(&with_code("01711000000", &first)).await;
    assert_eq!(refusal(&late), (403, "wrong_phone_code"));
    shop.minutes(60);
    let code = shop.phone_code("01711000000").await;
    assert_ne!(code, first);
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for _ in 0..10 {
        let answer = shop.order_as_guest(&with_code("01711000000", wrong)).await;
        assert_eq!(refusal(&answer), (403, "wrong_phone_code"));
    }
    let answer = shop.order_as_guest(&with_code("01711000000", &code)).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{}", answer.body);
    shop.minutes(61);
    let mut tries = 0;
    let guess = |number: usize| with_code(&format!("017110001{number:02}"), "000000");
    while shop.order_as_guest(&guess(tries)).await.status == StatusCode::FORBIDDEN {
        tries += 1;
    }
    assert_eq!(tries, 60, "codes of many numbers tried from one network");
    // An account needs none, and neither does what costs less.
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    let bulb = json!([{ "_id": "bulb", "qtn": 1 }]);
    shop.place_as_guest(&order(bulb, 162.25)).await;

    for phone in ["+1 217 555 0123", "+88017", "12345"] {
        let refused = shop.order_as_guest(&typed(phone)).await;
        assert_eq!(refusal(&refused), (403, "no_text_messages"), "{phone}");
        let body = json!({ "phone": phone });
        let refused = shop.as_guest("/api/orders/phone-code", &body).await;
        assert_eq!(refusal(&refused), (403, "no_text_messages"), "{phone}");
    }
    let invalid = shop.as_guest("/api/orders/phone-code", &json!({ "phone": "call me" })).await;
    assert_eq!(invalid.body["error"]["fields"][0]["name"], "phone", "{}", invalid.body);
    let mut sent = 0;
    while shop.request_code("01711000009").await == StatusCode::NO_CONTENT {
        sent += 1;
    }
    assert_eq!(sent, 10, "text messages to one number");
}

async fn an_unproven_order_over_the_limit_needs_a_code_or_an_account(shop: Shop) {
    let shop = open(shop, |context| {
        let unproven_max = Some(Amount::units(200));
        context.orders.limits = OrderLimits { unproven_max, ..OrderLimits::default() };
    });
    shop.place_as_guest(&typed(PHONE)).await;
    let second = shop.order_as_guest(&typed(PHONE)).await;
    assert_eq!(refusal(&second), (403, "phone_code_required"), "{}", second.body);
    let code = shop.phone_code(PHONE).await;
    shop.place_as_guest(&with(typed(PHONE), "phoneCode", code)).await;
    let two = |phone: &str| {
        let lines = json!([{ "_id": "lamp", "qtn": 2 }]);
        with(order(lines, 211.0), "phone", phone)
    };
    let abroad = shop.order_as_guest(&two("+1 217 555 0123")).await;
    assert_eq!(refusal(&abroad), (403, "sign_in_required"));
    let shop = open(shop, |context| context.sms_limits = None);
    let refused = shop.order_as_guest(&two("01711000001")).await;
    assert_eq!(refusal(&refused), (403, "sign_in_required"));
    assert_eq!(refused.body["error"]["params"]["most"], "$200.00", "{}", refused.body);
}

async fn promotions_that_depend_on_the_customer_need_an_account(shop: Shop) {
    let shop = open(shop, |_| {});
    let off = |code: &str, more: Value| {
        let mut promotion = json!({ "effect": { "percent": 10 }, "codes": [code] });
        promotion.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        promotion
    };
    shop.promote(off("ONCE", json!({ "perCustomer": 1 }))).await;
    shop.promote(off("FIRST", json!({ "conditions": { "firstOrder": true } }))).await;
    shop.promote(off("FRIENDS", json!({ "conditions": { "groups": ["friends"] } }))).await;
    shop.promote(off("ALL", json!({ "limit": 1 }))).await;
    let quote = async |codes: &[&str]| {
        let body = json!({ "lines": one_lamp(), "codes": codes });
        shop.as_guest("/api/quote", &body).await.body
    };
    let for_accounts = ["ONCE", "FIRST", "FRIENDS"];
    let quoted = quote(&for_accounts).await;
    for place in 0..3 {
        assert_eq!(quoted["codes"][place]["reason"]["code"], "code_needs_account", "{quoted}");
    }
    assert_eq!((&quoted["total"], &quoted["discount"]), (&json!(ONE_LAMP), &json!(0)));
    // With an account they are judged as before.
    let body = json!({ "lines": one_lamp(), "codes": for_accounts });
    let quoted = shop.post("/api/quote", ME, &body).await.body;
    assert_eq!(quoted["codes"][0]["applied"], true, "{quoted}");

    let mut body = with(typed(PHONE), "codes", json!(["ONCE"]));
    body["total"] = json!(182.95);
    let refused = shop.order_as_guest(&body).await;
    assert_eq!((refused.status, code(&refused)), (StatusCode::CONFLICT, "price"));
    let reason = &refused.body["quote"]["codes"][0]["reason"]["code"];
    assert_eq!(reason, "code_needs_account", "{}", refused.body);
    let number = shop.place_as_guest(&with(body.clone(), "total", ONE_LAMP)).await;
    assert_eq!(shop.count("promotion_uses").await, 0, "{number}");

    let uses = async || promotions::find(&shop.given.db, "ALL").await.unwrap().unwrap().orders;
    assert_eq!(quote(&["ALL"]).await["total"], 182.95);
    body["codes"] = json!(["ALL"]);
    let number = shop.place_as_guest(&body).await;
    assert_eq!(uses().await, 1);
    let again = shop.order_as_guest(&with(body.clone(), "phone", "01711000001")).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.body);
    assert_eq!(quote(&["ALL"]).await["codes"][0]["reason"]["code"], "code_used_up");
    assert_eq!(shop.apply(&number, Step::Cancel).await, Done(OrderStatus::Cancelled));
    assert_eq!(uses().await, 0);

    // One that is applied without a code.
    shop.promote(json!({ "effect": { "percent": 20 }, "title": "Welcome",
                         "conditions": { "firstOrder": true } }))
        .await;
    assert_eq!(quote(&[]).await["discount"], 0);
    let body = json!({ "lines": one_lamp() });
    let nasrin = shop.post("/api/quote", "nasrin@haat.example", &body).await.body;
    assert_eq!(nasrin["discount"], 5.1, "{nasrin}");
    shop.place_as_guest(&typed(PHONE)).await;
}

async fn store_credit_needs_an_account(shop: Shop) {
    let shop = open(shop, |_| {});
    let refused = shop.order_as_guest(&with(typed(PHONE), "credit", 1)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert_eq!(refused.body["error"]["fields"][0]["name"], "credit", "{}", refused.body);
    let number = shop.place_as_guest(&typed(PHONE)).await;
    shop.advance(&number, 4).await;
    shop.apply(&number, Step::RequestReturn(&[])).await;
    shop.advance(&number, 1).await;
    let as_credit = Step::Refund(Refund { amount: None, as_credit: true });
    assert_eq!(shop.apply(&number, as_credit).await, StepOutcome::NoAccount);
    let refunded = shop.apply(&number, Step::Refund(Refund::default())).await;
    assert_eq!(refunded, Done(OrderStatus::Refunded));
    assert_eq!(shop.count("credit_entries").await, 0);
}

async fn an_old_order_is_anonymized(shop: Shop) {
    let shop = open(shop, |_| {});
    let body = with(typed(PHONE), "email", ME).to_string();
    let placed = shop.ask("POST", "/api/orders", &[("idempotency-key", "k")], body).await;
    let number = placed.body["number"].as_str().unwrap();
    let row = async || {
        let sql = "select customer, email, name, phone, address from orders where number = $1";
        let query = shop.given.db.query(sql).bind(number);
        query.one::<(String, String, String, String, String)>().await.unwrap()
    };
    assert_eq!((row().await.1.as_str(), row().await.3.as_str()), (ME, PHONE));
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    clock.advance(Duration::from_secs(6 * 365 * 24 * 3600 + 1));
    retention::delete_expired(db, clock, &Retention::default()).await.unwrap();
    let none = String::new;
    assert_eq!(row().await, (none(), none(), none(), none(), none()));
    assert_eq!(shop.count("placings").await, 0);
    for (email, phone) in [("", ""), (ME, ""), ("", PHONE)] {
        let body = json!({ "number": number, "email": email, "phone": phone });
        let tracked = shop.as_guest("/api/track", &body).await;
        assert_eq!(tracked.status, StatusCode::NOT_FOUND, "{email:?} {phone:?}: {}", tracked.body);
    }
}

/// Many guests on two servers want the last units.
async fn the_last_units_are_sold_once(shop: Shop) {
    let shop = open(shop, |_| {});
    let (second, _db) = second_server(&shop).await;
    let servers = [shop.routes.clone(), second];
    let shop = Arc::new(shop);
    let buyers: Vec<_> = (0..32)
        .map(|buyer| {
            let (shop, server) = (shop.clone(), servers[buyer % 2].clone());
            let body = order(json!([{ "_id": "bulb", "qtn": 2 }]), 164.5);
            let body = with(body, "phone", format!("017110000{buyer:02}"));
            tokio::spawn(async move { shop.ask_server(&server, "/api/orders", &[], &body).await })
        })
        .collect();
    let mut placed = 0;
    for buyer in buyers {
        let answer = buyer.await.unwrap();
        match answer.status {
            StatusCode::CREATED => placed += 1,
            _ => assert_eq!(refusal(&answer), (409, "stock"), "{}", answer.body),
        }
    }
    assert_eq!((placed, shop.stock("bulb").await), (6, (0, 12)));
    assert_eq!(shop.count("orders").await, 6);
}
