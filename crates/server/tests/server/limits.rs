//! What keeps strangers from using the shop's e-mails and its stock: nothing typed goes to an address that
//! is not proven, and what is not paid is limited and released.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use shop::orders::{Step, Taken};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    nothing_typed_goes_to_an_address_that_is_not_proven,
    what_is_not_paid_is_limited,
    an_order_that_nobody_proves_is_released_once,
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
    /// An access token of somebody new, of whom nothing is proven.
    async fn unproven(&self, email: &str) -> String {
        let id_token = self.id_token(email).await;
        self.access_token(&id_token, email).await
    }

    async fn try_order(&self, token: &str, lines: &[(&str, i64)]) -> Answer {
        self.ask("POST", "/api/orders", token, order(lines)).await
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

async fn nothing_typed_goes_to_an_address_that_is_not_proven(app: TestApp) {
    app.import(GOODS).await;
    let victim = "victim@haat.example";
    let id_token = app.id_token(victim).await;
    let token = app.access_token(&id_token, victim).await;
    let name = json!({ "displayName": EVIL });
    app.ask("PUT", &format!("/api/user/{victim}"), &token, name).await;
    let number = app.placed(&token, &[("bolt", 1)]).await;
    let why = json!({ "note": format!("See {EVIL}") });
    let cancel = format!("/api/orders/{number}/cancel");
    assert_eq!(app.ask("POST", &cancel, &token, why).await.status, StatusCode::OK);
    let shipped = app.placed(&token, &[("nut", 1)]).await;
    for _ in 0..3 {
        let taken = app.book().take(&shipped.parse().unwrap(), Step::Advance, "").await.unwrap();
        assert!(matches!(taken, Taken::Done(_)));
    }
    let letters = app.letters_to(victim).await;
    let subjects: BTreeSet<_> = letters.iter().map(|(subject, _)| subject.clone()).collect();
    let wanted = BTreeSet::from([
        format!("Your order {number}: please confirm your address"),
        format!("Your order {number} is cancelled"),
        format!("Your order {shipped}: please confirm your address"),
        format!("Your order {shipped} is on its way"),
    ]);
    assert_eq!((subjects, letters.len()), (wanted, 4));
    for (_, text) in &letters {
        assert!(!text.contains(EVIL) && text.contains("1 × "), "{text}");
    }
    let told = letters.iter().filter(|(_, text)| text.contains("within 48 hours")).count();
    assert_eq!(told, 2);

    // What is proven is written to by name, with the order that came before the proof too.
    let token = app.prove(victim, &id_token).await;
    app.book().take(&shipped.parse().unwrap(), Step::Advance, "").await.unwrap();
    let third = app.placed(&token, &[("bolt", 1)]).await;
    let letters = app.letters_to(victim).await;
    let text = |subject: String| &letters.iter().find(|letter| letter.0 == subject).unwrap().1;
    assert!(text(format!("Your order {shipped} was delivered")).contains(EVIL));
    let placed = text(format!("Your order {third}"));
    assert!(placed.contains(&format!("Dear Win at www.{EVIL}")) && placed.contains("Dhaka"));

    // The shop is told of each order, once, and of nothing that was typed.
    let told = app.letters_to("hello@haat.example").await;
    let subjects: BTreeSet<_> = told.iter().map(|(subject, _)| subject.clone()).collect();
    let wanted = [&number, &shipped, &third].map(|number| format!("New order {number}"));
    assert_eq!((subjects, told.len()), (BTreeSet::from(wanted), 3));
    for (subject, text) in &told {
        assert!(!text.contains(EVIL) && text.contains("haat orders show"), "{text}");
        assert_eq!(text.contains("has not confirmed"), !subject.contains(&third), "{text}");
    }
}

async fn what_is_not_paid_is_limited(app: TestApp) {
    app.import(GOODS).await;
    let email = "rahim@haat.example";
    let id_token = app.id_token(email).await;
    let token = app.access_token(&id_token, email).await;
    // As the specification orders.
    let body = json!({ "firstname": "Rahim", "email": email, "phone": "01700000000", "address": "Dhaka",
                       "getState": [{ "_id": "bolt", "qtn": 1 }], "grandPrice": 1 + BESIDE });
    let placed = app.ask("POST", "/api/order", &token, body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
    assert_eq!(app.refused(&token, &[("bolt", 99), ("nut", 1)]).await, "too_many_unpaid");
    assert_eq!(app.refused(&token, &[("gold", 1)]).await, "unproven");
    assert_eq!((app.stock("bolt").await, app.stock("gold").await), (json!(4999), json!(50)));

    // The shop knows of a proof as soon as anybody brings it; a token from before is good enough then.
    let proven = app.prove(email, &id_token).await;
    let number = app.placed(&token, &[("gold", 1)]).await;
    assert_eq!(app.refused(&proven, &[("gold", 5)]).await, "too_much_unpaid");
    let path = format!("/api/orders/{number}/cancel");
    assert_eq!(app.ask("POST", &path, &proven, json!({})).await.status, StatusCode::OK);
    app.placed(&proven, &[("gold", 5)]).await;

    // Of many at once no more get through than one after the other.
    let crowd = app.unproven("crowd@haat.example").await;
    let answers = join_all((0..8).map(|_| app.try_order(&crowd, &[("nut", 30)]))).await;
    let placed = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(placed, 3, "{}", answers[0].text());
    assert_eq!(app.stock("nut").await, json!(5000 - 90));
}

async fn an_order_that_nobody_proves_is_released_once(app: TestApp) {
    app.import(GOODS).await;
    let hours = |hours: u64| app.given.clock.advance(Duration::from_secs(hours * 3600));
    let number = app.placed(&app.unproven("a@haat.example").await, &[("bolt", 7)]).await;
    let confirmed = app.placed(&app.unproven("b@haat.example").await, &[("bolt", 10)]).await;
    app.book().take(&confirmed.parse().unwrap(), Step::Advance, "").await.unwrap();
    let late = "c@haat.example";
    let id_token = app.id_token(late).await;
    app.placed(&app.access_token(&id_token, late).await, &[("bolt", 10)]).await;
    app.placed(&app.proven("d@haat.example").await, &[("bolt", 10)]).await;
    app.prove(late, &id_token).await;
    hours(47);
    assert_eq!(app.book().release_unproven().await.unwrap(), 0);
    hours(1);
    let (one, other) = (app.book(), app.book());
    let released = tokio::join!(one.release_unproven(), other.release_unproven());
    assert_eq!(released.0.unwrap() + released.1.unwrap(), 1);
    assert_eq!(app.stock("bolt").await, json!(5000 - 30));
    let letters = app.letters_to("a@haat.example").await;
    assert_eq!(letters.last().unwrap().0, format!("Your order {number} is cancelled"));
    hours(1000);
    assert_eq!(app.book().release_unproven().await.unwrap(), 0);
}

async fn orders_in_an_hour_are_limited(app: TestApp) {
    app.import(GOODS).await;
    let email = "rahim@haat.example";
    let token = app.unproven(email).await;
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
        app.ask("POST", &path, &token, json!({})).await.status
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
    // What was placed before stays placed.
    let again = send("0", &token).await;
    assert_eq!((again.status, &again.json()["number"]), (StatusCode::OK, &first));
    assert_eq!(cancel(&first).await, StatusCode::OK);
    assert_eq!(cancel(&first).await, StatusCode::TOO_MANY_REQUESTS);
    // Another customer is not in the way of it; and after an hour neither is this one.
    let other = app.unproven("mina@haat.example").await;
    app.placed(&other, &[("bolt", 1)]).await;
    app.given.clock.advance(Duration::from_secs(3601));
    let credentials = json!({ "email": email, "password": "Secret1!", "returnSecureToken": true });
    let signed_in = app.identity("signInWithPassword", credentials).await;
    let token = app.access_token(signed_in["idToken"].as_str().unwrap(), email).await;
    assert_eq!(send("30", &token).await.status, StatusCode::CREATED);
}
