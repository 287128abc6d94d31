//! PayPal's webhooks. PayPal itself verifies them: it gets back the headers and the event, byte for byte.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use platform::Timestamp;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::api::{Api, Call};
use crate::{WebhookError, WebhookEvent, WebhookSubject};

/// PayPal repeats a delivery for three days, and does not say whether it dates each attempt anew.
const PAST: Duration = Duration::from_secs((3 * 24 + 1) * 3600);
/// By how much PayPal's clock may be ahead.
const FUTURE: Duration = Duration::from_secs(300);
const MAX_BODY: usize = 512 << 10;
const MAX_HEADER: usize = 500;

/// A webhook that is not verified yet.
#[derive(Debug)]
pub struct Webhook<'b> {
    body: &'b str,
    auth_algo: String,
    cert_url: String,
    transmission_id: String,
    transmission_sig: String,
    transmission_time: String,
}

impl<'b> Webhook<'b> {
    /// What can be checked without PayPal. Nothing of the body is read but that it is one JSON object.
    pub fn read(
        headers: &HeaderMap,
        body: &'b [u8],
        now: Timestamp,
        api_origin: &str,
    ) -> Result<Self, WebhookError> {
        let header = |name: &'static str| {
            let value =
                headers.get(HeaderName::from_static(name)).and_then(|value| value.to_str().ok());
            let value = value.filter(|value| (1..=MAX_HEADER).contains(&value.len()));
            value
                .map(str::to_owned)
                .ok_or(WebhookError::Unverified("a header of the signature is missing"))
        };
        let webhook = Self {
            auth_algo: header("paypal-auth-algo")?,
            cert_url: header("paypal-cert-url")?,
            transmission_id: header("paypal-transmission-id")?,
            transmission_sig: header("paypal-transmission-sig")?,
            transmission_time: header("paypal-transmission-time")?,
            body: json_object(body)
                .ok_or(WebhookError::Unverified("the body is not a JSON object"))?,
        };
        let sent_at = Timestamp::parse(&webhook.transmission_time);
        let sent_at = sent_at.ok_or(WebhookError::Unverified("the time is malformed"))?;
        if now.since(sent_at) > PAST || sent_at.since(now) > FUTURE {
            return Err(WebhookError::Unverified("not of this time"));
        }
        if !is_certificate(&webhook.cert_url, api_origin) {
            return Err(WebhookError::Unverified("the certificate is not PayPal's"));
        }
        Ok(webhook)
    }

    pub async fn verify(&self, api: &Api, webhook_id: &str) -> Result<(), WebhookError> {
        let body = self.verification(webhook_id).into_bytes();
        let path = "/v1/notifications/verify-webhook-signature";
        let call = Call::new(Method::POST, path).with_bytes(body);
        let answer =
            api.send(&call).await.map_err(|why| WebhookError::Unavailable(why.to_string()))?;
        match (answer.status, answer.text("/verification_status")) {
            (status, "SUCCESS") if status.is_success() => Ok(()),
            (status, _) if status.is_success() => {
                Err(WebhookError::Unverified("the signature is wrong"))
            }
            (
                StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY,
                _,
            ) => Err(WebhookError::Unverified("PayPal does not accept the signature's headers")),
            (status, _) => Err(WebhookError::Unavailable(format!(
                "PayPal answered {status} to a verification"
            ))),
        }
    }

    /// The event is put in as it came: serialised again, its numbers, order or spaces could differ, and the signature
    /// would not match. That it is one JSON object ensures that it ends nothing but itself.
    fn verification(&self, webhook_id: &str) -> String {
        let fields = json!({
            "auth_algo": self.auth_algo,
            "cert_url": self.cert_url,
            "transmission_id": self.transmission_id,
            "transmission_sig": self.transmission_sig,
            "transmission_time": self.transmission_time,
            "webhook_id": webhook_id,
        });
        let fields = fields.to_string();
        let open = fields.trim_end_matches('}');
        format!("{open},\"webhook_event\":{}}}", self.body)
    }

    /// For a verified webhook.
    pub fn event(&self) -> Result<WebhookEvent, WebhookError> {
        let event: Value = serde_json::from_str(self.body)
            .map_err(|_| WebhookError::Malformed("the event is nested too deeply"))?;
        let text = |name: &str| event[name].as_str().filter(|text| !text.is_empty());
        let (Some(id), Some(kind)) = (text("id"), text("event_type")) else {
            return Err(WebhookError::Malformed("the event has no id or type"));
        };
        let subject = subject(kind, &event["resource"]);
        Ok(WebhookEvent { id: id.to_owned(), kind: kind.to_owned(), subject })
    }
}

/// The text of exactly one JSON object.
fn json_object(body: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(body).ok().filter(|text| text.len() <= MAX_BODY)?;
    let is_object = text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{');
    (is_object && serde_json::from_str::<IgnoredAny>(text).is_ok()).then_some(text)
}

/// PayPal verifies with its certificate, wherever the header points; this stops what is plainly not its own.
fn is_certificate(url: &str, api_origin: &str) -> bool {
    let host = url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?', '#']).next());
    let of_paypal = host.is_some_and(|host| host.ends_with(".paypal.com"));
    of_paypal || url.strip_prefix(api_origin).is_some_and(|path| path.starts_with('/'))
}

fn subject(kind: &str, resource: &Value) -> WebhookSubject {
    let text = |pointer: &str| {
        let text =
            resource.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let (payment, reference) = match kind.rsplit_once('.').map_or(kind, |(of, _)| of) {
        "CHECKOUT.ORDER" | "CHECKOUT.PAYMENT-APPROVAL" => {
            (text("/purchase_units/0/custom_id"), text("/id").or_else(|| text("/order_id")))
        }
        "PAYMENT.CAPTURE" | "PAYMENT.REFUND" => {
            let order = text("/supplementary_data/related_ids/order_id");
            (text("/custom_id"), order.or_else(|| capture_of(resource)).or_else(|| text("/id")))
        }
        "CUSTOMER.DISPUTE" => (
            text("/disputed_transactions/0/custom"),
            text("/disputed_transactions/0/seller_transaction_id").or_else(|| text("/dispute_id")),
        ),
        _ => (None, None),
    };
    match (payment, reference) {
        (Some(payment), _) => WebhookSubject::Payment(payment),
        (None, Some(reference)) => WebhookSubject::Reference(reference),
        (None, None) => WebhookSubject::Other,
    }
}

/// A refund links to its capture.
fn capture_of(resource: &Value) -> Option<String> {
    let links = resource["links"].as_array()?;
    let up = links.iter().find(|link| link["rel"] == "up")?["href"].as_str()?;
    let (_, capture) = up.split_once("/v2/payments/captures/")?;
    Some(capture.to_owned()).filter(|capture| super::is_plain_id(capture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::Mutex;

    use crate::paypal::api::serve;
    use axum::Router;
    use axum::body::Bytes;
    use axum::routing::post;
    use proptest::prelude::*;

    const ORIGIN: &str = "https://api-m.paypal.com";
    /// In an order and with spaces, numbers and escapes that no serialiser would write again.
    const EVENT: &str = "{ \"id\":\"WH-1\" ,\n\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\",\"b\":1.0,\"a\":1e2,\
        \"resource\":{\"links\":{},\"custom_id\":\"p\\u00e9\",\"n\":12345678901234567890123}}\n";

    fn now() -> Timestamp {
        Timestamp::parse("2026-11-20T12:00:00Z").unwrap()
    }

    fn headers(change: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("paypal-auth-algo", "SHA256withRSA"),
            ("paypal-cert-url", "https://api.paypal.com/v1/notifications/certs/CERT-1"),
            ("paypal-transmission-id", "89556ce0-4d55-11ee-9f56-dd5f48f22b28"),
            ("paypal-transmission-sig", "a\"b+/=="),
            ("paypal-transmission-time", "2026-11-20T11:59:59Z"),
        ]
        .iter()
        .chain(change)
        {
            headers.insert(*name, value.parse().unwrap());
        }
        headers
    }

    fn read<'b>(
        change: &[(&'static str, &str)],
        body: &'b str,
    ) -> Result<Webhook<'b>, WebhookError> {
        Webhook::read(&headers(change), body.as_bytes(), now(), ORIGIN)
    }

    #[tokio::test]
    async fn the_event_reaches_the_verification_byte_for_byte() {
        let received = Arc::new(Mutex::new(Vec::new()));
        let keep = received.clone();
        let routes = Router::new().route(
            "/v1/notifications/verify-webhook-signature",
            post(async move |body: Bytes| {
                keep.lock().unwrap().extend_from_slice(&body);
                r#"{"verification_status":"SUCCESS"}"#
            }),
        );
        let api = serve(routes).await;
        let webhook = read(&[], EVENT).unwrap();
        webhook.verify(&api, "WEBHOOK1").await.unwrap();
        let sent = String::from_utf8(received.lock().unwrap().clone()).unwrap();
        assert!(sent.ends_with(&format!(",\"webhook_event\":{EVENT}}}")), "{sent}");
        let json: Value = serde_json::from_str(&sent).unwrap();
        assert_eq!(json["webhook_id"], "WEBHOOK1");
        assert_eq!(json["transmission_sig"], "a\"b+/==");
        assert_eq!(json.as_object().unwrap().len(), 7);
        let event = webhook.event().unwrap();
        assert_eq!(event.subject, WebhookSubject::Payment("pé".into()));
    }

    #[test]
    fn what_is_not_one_json_object_is_refused() {
        for body in [
            "",
            "[]",
            "null",
            "1",
            "\"a\"",
            "{",
            "{}}",
            "{}{}",
            "{},\"webhook_id\":\"x\"",
            "{\"a\":1,}",
            "x{}",
            "{a:1}",
            "\u{feff}{}",
        ] {
            assert!(read(&[], body).is_err(), "{body}");
        }
        assert!(Webhook::read(&headers(&[]), b"{\"a\":\"\xff\"}", now(), ORIGIN).is_err());
        assert!(read(&[], " {} ").is_ok());
        // Deep nesting must not exhaust the stack.
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        if let Ok(webhook) = read(&[], &deep) {
            assert!(webhook.event().is_err());
        }
    }

    proptest! {
        #[test]
        fn no_body_breaks_out_of_the_verification(body in "[{}\\[\\]\",:a1 \\\\]{0,24}", sig in "[ -~]{1,24}") {
            if let Ok(webhook) = read(&[("paypal-transmission-sig", sig.trim())], &body) {
                let text = webhook.verification("W");
                let json: Value = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(json.as_object().unwrap().len(), 7);
                prop_assert_eq!(&json["webhook_id"], "W");
                prop_assert_eq!(&json["webhook_event"], &serde_json::from_str::<Value>(&body).unwrap());
            }
        }
    }

    #[test]
    fn headers_must_be_complete_of_this_time_and_name_a_certificate_of_paypal() {
        assert!(Webhook::read(&HeaderMap::new(), b"{}", now(), ORIGIN).is_err());
        for (name, value, accepted) in [
            ("paypal-auth-algo", "", false),
            ("paypal-transmission-sig", &"a".repeat(501), false),
            ("paypal-transmission-time", "yesterday", false),
            ("paypal-transmission-time", "2026-11-17T11:30:00Z", true),
            ("paypal-transmission-time", "2026-11-17T10:30:00Z", false),
            ("paypal-transmission-time", "2026-11-20T12:04:00Z", true),
            ("paypal-transmission-time", "2026-11-20T12:06:00Z", false),
            (
                "paypal-cert-url",
                "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1",
                true,
            ),
            ("paypal-cert-url", "http://api.paypal.com/v1/notifications/certs/CERT-1", false),
            ("paypal-cert-url", "https://api.paypal.com.evil.example/CERT-1", false),
            ("paypal-cert-url", "https://evilpaypal.com/CERT-1", false),
            ("paypal-cert-url", "https://evil.example/.paypal.com", false),
            ("paypal-cert-url", "https://api-m.paypal.com@evil.example/", false),
        ] {
            let value: &str = value;
            assert_eq!(read(&[(name, value)], "{}").is_ok(), accepted, "{name}: {value}");
        }
    }

    #[test]
    fn events_lead_to_their_payment_or_to_a_reference() {
        use WebhookSubject::{Other, Payment, Reference};
        let up = json!([
            { "rel": "self", "href": "https://api.paypal.com/v2/payments/refunds/R" },
            { "rel": "up", "href": "https://api.paypal.com/v2/payments/captures/C" },
        ]);
        for (kind, resource, expected) in [
            (
                "CHECKOUT.ORDER.APPROVED",
                json!({ "id": "O", "purchase_units": [{ "custom_id": "p" }] }),
                Payment("p".into()),
            ),
            ("CHECKOUT.ORDER.APPROVED", json!({ "id": "O" }), Reference("O".into())),
            (
                "PAYMENT.CAPTURE.COMPLETED",
                json!({ "id": "C", "custom_id": "p" }),
                Payment("p".into()),
            ),
            (
                "PAYMENT.CAPTURE.DENIED",
                json!({ "id": "C", "supplementary_data": { "related_ids": { "order_id": "O" } } }),
                Reference("O".into()),
            ),
            ("PAYMENT.CAPTURE.PENDING", json!({ "id": "C" }), Reference("C".into())),
            ("PAYMENT.CAPTURE.REVERSED", json!({ "id": "R", "links": up }), Reference("C".into())),
            (
                "PAYMENT.REFUND.FAILED",
                json!({ "id": "R", "links": up, "custom_id": "p" }),
                Payment("p".into()),
            ),
            (
                "CUSTOMER.DISPUTE.CREATED",
                json!({ "dispute_id": "D", "disputed_transactions": [{ "seller_transaction_id": "C" }] }),
                Reference("C".into()),
            ),
            ("CUSTOMER.DISPUTE.RESOLVED", json!({ "dispute_id": "D" }), Reference("D".into())),
            ("BILLING.SUBSCRIPTION.CREATED", json!({ "id": "I", "custom_id": "p" }), Other),
        ] {
            let body =
                json!({ "id": "WH-1", "event_type": kind, "resource": resource }).to_string();
            assert_eq!(read(&[], &body).unwrap().event().unwrap().subject, expected, "{body}");
        }
        for body in ["{}", "{\"id\":\"WH-1\"}", "{\"id\":1,\"event_type\":\"a\"}"] {
            assert!(matches!(read(&[], body).unwrap().event(), Err(WebhookError::Malformed(_))));
        }
    }
}
