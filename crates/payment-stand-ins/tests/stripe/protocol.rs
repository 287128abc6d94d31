//! The stand-in refuses what Stripe refuses.

use axum::http::Method;
use payment_stand_ins::stripe::SECRET_KEY;
use platform::http_client::HttpResponse;
use serde_json::Value;

use super::{PAYMENT, PAYS, Shop, usd};

const VERSION: &str = "2026-07-29.dahlia";

/// The parameters of a session that is accepted.
const SESSION: [(&str, &str); 6] = [
    ("mode", "payment"),
    ("line_items[0][quantity]", "1"),
    ("line_items[0][price_data][currency]", "usd"),
    ("line_items[0][price_data][unit_amount]", "1999"),
    ("line_items[0][price_data][product_data][name]", "Chair"),
    ("success_url", "https://shop.example/?a=b"),
];

impl Shop {
    async fn api(&self, path: &str, fields: &[(&str, &str)], key: Option<&str>) -> (u16, Value) {
        let url = format!("{}/dev/payments/stripe/v1/{path}", self.origin);
        let sent = self.http.exchange(Method::POST, &url, |request| {
            let request =
                request.bearer_auth(SECRET_KEY).header("stripe-version", VERSION).form(fields);
            key.into_iter().fold(request, |request, key| request.header("idempotency-key", key))
        });
        read(&sent.await.unwrap())
    }

    async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &'static str,
    ) -> (u16, Value) {
        let url = format!("{}/dev/payments/stripe/v1/{path}", self.origin);
        let sent = self.http.exchange(method, &url, |request| {
            headers
                .iter()
                .fold(request.body(body), |request, (name, value)| request.header(*name, *value))
        });
        read(&sent.await.unwrap())
    }
}

fn read(answer: &HttpResponse) -> (u16, Value) {
    assert!(answer.headers.contains_key("request-id"));
    (answer.status.as_u16(), serde_json::from_slice(&answer.body).unwrap())
}

fn with<'f>(name: &'f str, value: &'f str) -> Vec<(&'f str, &'f str)> {
    let others = SESSION.into_iter().filter(|(other, _)| *other != name);
    others.chain((!value.is_empty()).then_some((name, value))).collect()
}

#[tokio::test]
async fn wrong_parameters_of_a_session_are_refused() {
    let shop = Shop::start().await;
    let now = shop.clock.now().0 / 1000;
    let (status, session) = shop.api("checkout/sessions", &SESSION, None).await;
    assert_eq!(
        (status, session["status"].as_str(), session["payment_status"].as_str()),
        (200, Some("open"), Some("unpaid"))
    );
    let [too_soon, soon, late, too_late] =
        [1799, 1800, 86_400, 86_401].map(|ahead| (now + ahead).to_string());
    for (name, value, code) in [
        ("mode", "", Some("parameter_missing")),
        ("mode", "subscription", None),
        ("success_url", "", Some("parameter_missing")),
        ("success_url", "/pay", Some("url_invalid")),
        ("colour", "red", Some("parameter_unknown")),
        ("line_items[1][quantity]", "1", Some("parameter_unknown")),
        ("line_items[0][quantity]", "0", Some("parameter_invalid_integer")),
        ("line_items[0][price_data][unit_amount]", "19.99", Some("parameter_invalid_integer")),
        ("line_items[0][price_data][unit_amount]", "49", Some("amount_too_small")),
        ("line_items[0][price_data][unit_amount]", "100000000", Some("amount_too_large")),
        ("line_items[0][price_data][currency]", "USD", None),
        (
            "line_items[0][price_data][currency]",
            "isk",
            Some("invalid_charge_amount_no_decimal_compatible"),
        ),
        ("line_items[0][price_data][product_data][name]", "", Some("parameter_missing")),
        ("locale", "bn", None),
        ("customer_email", "nobody", Some("email_invalid")),
        ("payment_intent_data[capture_method]", "later", None),
        ("expires_at", &too_soon, None),
        ("expires_at", &too_late, None),
        ("expand[]", "customer", None),
    ] {
        let (status, answer) = shop.api("checkout/sessions", &with(name, value), None).await;
        assert_eq!(
            (status, answer["error"]["code"].as_str()),
            (400, code),
            "{name}={value}: {answer}"
        );
        assert_eq!(answer["error"]["type"], "invalid_request_error");
    }
    for (name, value) in [
        ("expires_at", soon.as_str()),
        ("expires_at", &late),
        ("locale", "pt-BR"),
        ("metadata[a]", "b"),
    ] {
        assert_eq!(
            shop.api("checkout/sessions", &with(name, value), None).await.0,
            200,
            "{name}={value}"
        );
    }
}

#[tokio::test]
async fn calls_need_the_key_the_version_and_a_form() {
    let shop = Shop::start().await;
    let bearer = format!("Bearer {SECRET_KEY}");
    let auth = ("authorization", bearer.as_str());
    let version = ("stripe-version", VERSION);
    let form = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(shop.raw(Method::GET, "balance", &[auth, version], "").await.0, 200);
    for (method, path, headers, status) in [
        (Method::GET, "balance", vec![version], 401),
        (Method::GET, "balance", vec![("authorization", "Bearer sk_live_1"), version], 401),
        (Method::GET, "balance", vec![auth], 400),
        (Method::GET, "balance", vec![auth, ("stripe-version", "2020-08-27")], 400),
        (Method::POST, "refunds", vec![auth, version, ("content-type", "application/json")], 400),
        (Method::DELETE, "balance", vec![auth, version], 404),
        (Method::GET, "customers", vec![auth, version], 404),
        (Method::GET, "charges/ch_1", vec![auth, version], 404),
        (Method::GET, "checkout/sessions/cs_1", vec![auth, version], 404),
        (Method::GET, "charges?limit=101", vec![auth, version], 400),
        (Method::GET, "charges?colour=red", vec![auth, version], 400),
        (Method::POST, "payment_intents/pi_1/capture", vec![auth, version, form], 404),
    ] {
        let found = shop.raw(method.clone(), path, &headers, "").await;
        assert_eq!(found.0, status, "{method} {path}: {}", found.1);
    }
}

#[tokio::test]
async fn an_idempotency_key_stands_for_one_call() {
    let shop = Shop::start().await;
    shop.paid(PAYMENT, usd(1000)).await;
    let (_, charges) = shop
        .raw(
            Method::GET,
            "charges",
            &[("authorization", &format!("Bearer {SECRET_KEY}")), ("stripe-version", VERSION)],
            "",
        )
        .await;
    let intent = charges["data"][0]["payment_intent"].as_str().unwrap().to_owned();
    let refund = [("payment_intent", intent.as_str()), ("amount", "600")];
    let (status, first) = shop.api("refunds", &refund, Some("key-1")).await;
    assert_eq!((status, first["amount"].as_i64()), (200, Some(600)));
    assert_eq!(shop.api("refunds", &refund, Some("key-1")).await, (200, first));
    let (status, other) = shop.api("refunds", &[refund[0], ("amount", "100")], Some("key-1")).await;
    assert_eq!((status, other["error"]["type"].as_str()), (400, Some("idempotency_error")));
    // An outcome is kept, also when it is a refusal; what did not begin is not.
    let (status, refused) = shop.api("refunds", &refund, Some("key-2")).await;
    assert_eq!((status, refused["error"]["param"].as_str()), (400, Some("amount")));
    assert_eq!(shop.api("refunds", &[refund[0], ("amount", "x")], Some("key-3")).await.0, 400);
    assert_eq!(shop.api("refunds", &[refund[0], ("amount", "400")], Some("key-3")).await.0, 200);
    assert_eq!(shop.api("refunds", &refund, Some("key-2")).await, (400, refused));
    let long = "k".repeat(256);
    assert_eq!(shop.api("refunds", &refund, Some(&long)).await.0, 400);
}

#[tokio::test]
async fn calls_in_a_wrong_state_are_refused() {
    let shop = Shop::start().await;
    let opened = shop.paid(PAYMENT, usd(1000)).await;
    let intent = shop.fetch(&opened, usd(1000)).await.facts[0].reference.clone();
    let (status, answer) =
        shop.api(&format!("checkout/sessions/{}/expire", opened.reference), &[], None).await;
    assert_eq!(status, 400);
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("status of `complete`"),
        "{answer}"
    );
    for call in ["capture", "cancel"] {
        let (status, answer) =
            shop.api(&format!("payment_intents/{intent}/{call}"), &[], None).await;
        assert_eq!(
            (status, answer["error"]["code"].as_str()),
            (400, Some("payment_intent_unexpected_state"))
        );
    }
    // Before it is reserved, the session is to be expired instead.
    let open = shop.reserve("p2", usd(1000)).await;
    shop.press(&open.redirect, &[("card", "4000000000000002")]).await;
    shop.wait_for_webhook("payment_intent.payment_failed").await;
    let failed = shop.fetch(&open, usd(1000)).await;
    assert_eq!(failed.facts.len(), 1);
    shop.press(&open.redirect, &[("card", PAYS)]).await;
    let reserved = shop.fetch(&open, usd(1000)).await;
    let intent = &reserved.facts.last().unwrap().reference;
    let (status, _) =
        shop.api("refunds", &[("payment_intent", intent), ("amount", "1")], None).await;
    assert_eq!(status, 400);
    let (status, _) = shop.api("refunds", &[("amount", "1")], None).await;
    assert_eq!(status, 400);
}
