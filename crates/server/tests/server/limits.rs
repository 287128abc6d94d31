//! Abuse limits: e-mails to unverified addresses contain no user input, and unpaid orders are limited and
//! cancelled automatically.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use shop::orders::{Step, StepOutcome};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    emails_to_unverified_addresses_contain_no_user_input,
    unpaid_orders_are_limited,
    an_unverified_order_is_cancelled_once,
    orders_in_an_hour_are_limited,
);

const GOODS: &str = r#"{"products": [
    {"_id": "bolt", "category": "audio", "name": "Bolt", "sku": "B", "img": ["/favicon.svg"],
     "realPrice": 1, "qtn": 5000},
    {"_id": "nut", "category": "audio", "name": "Nut", "sku": "N", "img": ["/favicon.svg"],
     "realPrice": 1, "qtn": 5000},
    {"_id": "gold", "category": "audio", "name": "Gold", "sku": "G", "img": ["/favicon.svg"],
     "realPrice": 900, "qtn": 50}]}"#;
const EVIL: &str = "evil.example";
/// Delivery and VAT.
const BESIDE: i64 = 160;

impl TestApp {
    /// The access token of a new customer with an unverified address.
    async fn unverified_customer(&self, email: &str) -> String {
        let id_token = self.id_token(email).await;
        self.access_token(&id_token, email).await
    }

    async fn try_order(&self, token: &str, lines: &[(&str, i64)]) -> TestResponse {
        self.request("POST", "/api/orders", token, order(lines)).await
    }

    async fn placed(&self, token: &str, lines: &[(&str, i64)]) -> String {
        let answer = self.try_order(token, lines).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        answer.json()["number"].as_str().unwrap().to_owned()
    }

    async fn refused(&self, token: &str, lines: &[(&str, i64)]) -> String {
        let answer = self.try_order(token, lines).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.text());
        answer.json()["error"]["code"].as_str().unwrap().to_owned()
    }

    async fn stock(&self, id: &str) -> Value {
        self.get(&format!("/api/products/{id}")).await.json()["qtn"].clone()
    }
}

fn order(lines: &[(&str, i64)]) -> Value {
    let price = |id: &str| if id == "gold" { 900 } else { 1 };
    let total = BESIDE + lines.iter().map(|(id, qtn)| price(id) * qtn).sum::<i64>();
    let line = |(id, qtn): &(&str, i64)| json!({ "_id": id, "qtn": qtn });
    json!({ "name": format!("Win at www.{EVIL}"), "phone": "01711000000", "total": total,
            "address": format!("Click https://{EVIL}/now\nDhaka"),
            "lines": lines.iter().map(line).collect::<Vec<_>>() })
}

async fn emails_to_unverified_addresses_contain_no_user_input(app: TestApp) {
    app.import(GOODS).await;
    let victim = "victim@haat.example";
    let id_token = app.id_token(victim).await;
    let token = app.access_token(&id_token, victim).await;
    let name = json!({ "displayName": EVIL });
    app.request("PUT", &format!("/api/user/{victim}"), &token, name).await;
    let number = app.placed(&token, &[("bolt", 1)]).await;
    let why = json!({ "note": format!("See {EVIL}") });
    let cancel = format!("/api/orders/{number}/cancel");
    assert_eq!(app.request("POST", &cancel, &token, why).await.status, StatusCode::OK);
    let shipped = app.placed(&token, &[("nut", 1)]).await;
    for _ in 0..3 {
        let taken = app.book().apply(&shipped.parse().unwrap(), Step::Advance, "").await.unwrap();
        assert!(matches!(taken, StepOutcome::Done(_)));
    }
    let emails = app.emails_to(victim).await;
    let subjects: BTreeSet<_> = emails.iter().map(|(subject, _)| subject.clone()).collect();
    let wanted = BTreeSet::from([
        format!("Your order {number}: please confirm your address"),
        format!("Your order {number} is cancelled"),
        format!("Your order {shipped}: please confirm your address"),
        format!("Your order {shipped} is on its way"),
    ]);
    assert_eq!((subjects, emails.len()), (wanted, 4));
    for (_, text) in &emails {
        assert!(!text.contains(EVIL) && text.contains("1 × "), "{text}");
    }
    let told = emails.iter().filter(|(_, text)| text.contains("within 48 hours")).count();
    assert_eq!(told, 2);

    // A verified address gets e-mails with the customer's input, also for earlier orders.
    let token = app.verify_email(victim, &id_token).await;
    app.book().apply(&shipped.parse().unwrap(), Step::Advance, "").await.unwrap();
    let third = app.placed(&token, &[("bolt", 1)]).await;
    let emails = app.emails_to(victim).await;
    let text = |subject: String| &emails.iter().find(|email| email.0 == subject).unwrap().1;
    assert!(text(format!("Your order {shipped} was delivered")).contains(EVIL));
    let placed = text(format!("Your order {third}"));
    assert!(placed.contains(&format!("Dear Win at www.{EVIL}")) && placed.contains("Dhaka"));

    // The shop gets one notice per order, without user input.
    let told = app.emails_to("hello@haat.example").await;
    let subjects: BTreeSet<_> = told.iter().map(|(subject, _)| subject.clone()).collect();
    let wanted = [&number, &shipped, &third].map(|number| format!("New order {number}"));
    assert_eq!((subjects, told.len()), (BTreeSet::from(wanted), 3));
    for (subject, text) in &told {
        assert!(!text.contains(EVIL) && text.contains("haat orders show"), "{text}");
        assert_eq!(text.contains("has not confirmed"), !subject.contains(&third), "{text}");
    }
}

async fn unpaid_orders_are_limited(app: TestApp) {
    app.import(GOODS).await;
    let email = "rahim@haat.example";
    let id_token = app.id_token(email).await;
    let token = app.access_token(&id_token, email).await;
    // In the format of the specification.
    let body = json!({ "firstname": "Rahim", "email": email, "phone": "01700000000", "address": "Dhaka",
                       "getState": [{ "_id": "bolt", "qtn": 1 }], "grandPrice": 1 + BESIDE });
    let placed = app.request("POST", "/api/order", &token, body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
    assert_eq!(app.refused(&token, &[("bolt", 99), ("nut", 1)]).await, "too_many_unpaid");
    assert_eq!(app.refused(&token, &[("gold", 1)]).await, "unproven");
    assert_eq!((app.stock("bolt").await, app.stock("gold").await), (json!(4999), json!(50)));

    // The shop learns of the verification from the first new token; older tokens then count too.
    let proven = app.verify_email(email, &id_token).await;
    let number = app.placed(&token, &[("gold", 1)]).await;
    assert_eq!(app.refused(&proven, &[("gold", 5)]).await, "too_much_unpaid");
    let path = format!("/api/orders/{number}/cancel");
    assert_eq!(app.request("POST", &path, &proven, json!({})).await.status, StatusCode::OK);
    app.placed(&proven, &[("gold", 5)]).await;

    // Concurrent orders do not exceed the limit.
    let crowd = app.unverified_customer("crowd@haat.example").await;
    let answers = join_all((0..8).map(|_| app.try_order(&crowd, &[("nut", 30)]))).await;
    let placed = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(placed, 3, "{}", answers[0].text());
    assert_eq!(app.stock("nut").await, json!(5000 - 90));
}

async fn an_unverified_order_is_cancelled_once(app: TestApp) {
    app.import(GOODS).await;
    let hours = |hours: u64| app.given.clock.advance(Duration::from_secs(hours * 3600));
    let number = app.placed(&app.unverified_customer("a@haat.example").await, &[("bolt", 7)]).await;
    let confirmed =
        app.placed(&app.unverified_customer("b@haat.example").await, &[("bolt", 10)]).await;
    app.book().apply(&confirmed.parse().unwrap(), Step::Advance, "").await.unwrap();
    let late = "c@haat.example";
    let id_token = app.id_token(late).await;
    app.placed(&app.access_token(&id_token, late).await, &[("bolt", 10)]).await;
    app.placed(&app.verified_customer("d@haat.example").await, &[("bolt", 10)]).await;
    app.verify_email(late, &id_token).await;
    hours(47);
    assert_eq!(app.book().cancel_unverified_orders().await.unwrap(), 0);
    hours(1);
    let (one, other) = (app.book(), app.book());
    let released = tokio::join!(one.cancel_unverified_orders(), other.cancel_unverified_orders());
    assert_eq!(released.0.unwrap() + released.1.unwrap(), 1);
    assert_eq!(app.stock("bolt").await, json!(5000 - 30));
    let emails = app.emails_to("a@haat.example").await;
    assert_eq!(emails.last().unwrap().0, format!("Your order {number} is cancelled"));
    hours(1000);
    assert_eq!(app.book().cancel_unverified_orders().await.unwrap(), 0);
}

async fn orders_in_an_hour_are_limited(app: TestApp) {
    app.import(GOODS).await;
    let email = "rahim@haat.example";
    let token = app.unverified_customer(email).await;
    let send = async |key: &str, token: &str| {
        let request = Request::post("/api/orders")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .header("idempotency-key", key);
        let body = order(&[("bolt", 1)]).to_string();
        app.send(request.body(Body::from(body)).unwrap()).await
    };
    let cancel = async |number: &Value| {
        let path = format!("/api/orders/{}/cancel", number.as_str().unwrap());
        app.request("POST", &path, &token, json!({})).await.status
    };
    let first = send("0", &token).await.json()["number"].clone();
    for key in 1..30 {
        let placed = send(&key.to_string(), &token).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{key}: {}", placed.text());
        assert_eq!(cancel(&placed.json()["number"]).await, StatusCode::OK);
    }
    let over = send("30", &token).await;
    assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(over.json()["error"]["code"], "too_many");
    // Earlier orders stay placed.
    let again = send("0", &token).await;
    assert_eq!((again.status, &again.json()["number"]), (StatusCode::OK, &first));
    assert_eq!(cancel(&first).await, StatusCode::OK);
    assert_eq!(cancel(&first).await, StatusCode::TOO_MANY_REQUESTS);
    // Another customer is not limited, and after an hour this one is not either.
    let other = app.unverified_customer("mina@haat.example").await;
    app.placed(&other, &[("bolt", 1)]).await;
    app.given.clock.advance(Duration::from_secs(3601));
    let credentials = json!({ "email": email, "password": "Secret1!", "returnSecureToken": true });
    let signed_in = app.identity("signInWithPassword", credentials).await;
    let token = app.access_token(signed_in["idToken"].as_str().unwrap(), email).await;
    assert_eq!(send("30", &token).await.status, StatusCode::CREATED);
}
