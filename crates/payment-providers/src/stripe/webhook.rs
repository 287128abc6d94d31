//! Webhooks of Stripe: the signature over the raw bytes, and which payment an event is about.

use aws_lc_rs::hmac;
use axum::http::HeaderMap;
use platform::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::{SecretText, WebhookError, WebhookEvent, WebhookSubject};

/// How far the time of the signature may be from ours, into the past or the future.
const TOLERANCE_SECONDS: u64 = 300;
/// While a secret is replaced, a webhook has one signature per secret.
const MAX_SIGNATURES: usize = 16;
/// The longest id that the shop gives a payment.
const MAX_PAYMENT_LENGTH: usize = 64;

#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    /// Other than of an event that we subscribe to, it can be missing.
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    object: Value,
}

/// The signatures of a webhook, from its header `t=1492774577,v1=5257a869…,v1=…`.
struct Signed<'h> {
    /// As it is written, because it is signed so.
    time: &'h str,
    signatures: Vec<[u8; 32]>,
}

impl<'h> Signed<'h> {
    fn parse(header: &'h str) -> Option<Self> {
        let mut time = None;
        let mut signatures = Vec::new();
        for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
            match name {
                "t" => time = Some(value),
                "v1" if signatures.len() < MAX_SIGNATURES => signatures.extend(unhex(value)),
                _ => {}
            }
        }
        Some(Self { time: time?, signatures })
    }
}

/// Verifies the raw body, and only then reads it.
pub fn verified(
    secrets: &[SecretText],
    headers: &HeaderMap,
    body: &[u8],
    now: Timestamp,
) -> Result<WebhookEvent, WebhookError> {
    let header = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let header = header.ok_or(WebhookError::Unverified("no Stripe-Signature"))?;
    let signed =
        Signed::parse(header).ok_or(WebhookError::Unverified("a malformed Stripe-Signature"))?;
    let time: i64 = signed
        .time
        .parse()
        .map_err(|_| WebhookError::Unverified("a malformed Stripe-Signature"))?;
    let message = [signed.time.as_bytes(), b".", body].concat();
    if !secrets.iter().any(|secret| signs(secret, &message, &signed.signatures)) {
        return Err(WebhookError::Unverified("a wrong signature"));
    }
    if time.abs_diff(now.0.div_euclid(1000)) > TOLERANCE_SECONDS {
        return Err(WebhookError::Unverified("a signature of another time"));
    }
    let event: Event = serde_json::from_slice(body)
        .map_err(|_| WebhookError::Malformed("not an event of Stripe"))?;
    Ok(WebhookEvent { subject: subject(&event.data.object), id: event.id, kind: event.kind })
}

/// The whole text of the secret is the key, `whsec_` included. Compares in constant time.
fn signs(secret: &SecretText, message: &[u8], signatures: &[[u8; 32]]) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes());
    signatures.iter().any(|signature| hmac::verify(&key, message, signature).is_ok())
}

/// Our id of the payment, where the object has it, or else the id of its session or intent. The account can have
/// payments of other programs, whose metadata is anything.
fn subject(object: &Value) -> WebhookSubject {
    let text = |pointer: &str| {
        object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
    };
    let ours = || text("/metadata/payment").filter(|id| is_payment(id));
    let named = || text("/client_reference_id").filter(|id| is_payment(id));
    // Expanded or not.
    let intent = || text("/payment_intent").or_else(|| text("/payment_intent/id"));
    let (payment, reference) = match text("/object") {
        Some("checkout.session") => (ours().or_else(named), text("/id")),
        Some("payment_intent") => (ours(), text("/id")),
        Some("charge" | "refund") => (ours(), intent().or_else(|| text("/id"))),
        Some("dispute") => (None, intent().or_else(|| text("/id"))),
        _ => (None, None),
    };
    match (payment, reference) {
        (Some(payment), _) => WebhookSubject::Payment(payment.to_owned()),
        (None, Some(reference)) => WebhookSubject::Reference(reference.to_owned()),
        (None, None) => WebhookSubject::Other,
    }
}

fn is_payment(id: &str) -> bool {
    id.len() <= MAX_PAYMENT_LENGTH
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    };
    pairs.map(byte).collect::<Option<Vec<u8>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const SECRET: &str = "whsec_test_secret";
    const TIME: i64 = 1_795_130_000;
    /// Signed with `webhooks.generateTestHeaderString` of Stripe's library for Node.
    const BODY: &str = "{\"id\":\"evt_1\",\"type\":\"charge.refunded\",\"data\":{\"object\":{}}}";
    const SIGNATURE: &str = "94c456002ee9b24567e38ceee4f9d4a89bcabda04008f13ba2903189ac50e5fd";

    fn headers(header: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("stripe-signature", header.parse().unwrap());
        headers
    }

    fn secrets(all: &[&str]) -> Vec<SecretText> {
        all.iter().map(|secret| SecretText::new(secret)).collect()
    }

    fn check(
        secret: &str,
        header: &str,
        body: &str,
        at: i64,
    ) -> Result<WebhookEvent, WebhookError> {
        verified(&secrets(&[secret]), &headers(header), body.as_bytes(), Timestamp(at * 1000))
    }

    #[test]
    fn a_signature_of_stripes_library_is_accepted() {
        let header = format!("t={TIME},v1={SIGNATURE}");
        let event = check(SECRET, &header, BODY, TIME).unwrap();
        assert_eq!(event.id, "evt_1");
        assert_eq!(
            (event.kind.as_str(), event.subject),
            ("charge.refunded", WebhookSubject::Other)
        );
        // Either the secret or the signature is one of several while a secret is replaced.
        let both = format!("t={TIME},v1={},v0=ignored,v1={SIGNATURE}", "0".repeat(64));
        assert!(check(SECRET, &both, BODY, TIME).is_ok());
        let body = BODY.as_bytes();
        let replaced = secrets(&["whsec_new", SECRET]);
        assert!(verified(&replaced, &headers(&header), body, Timestamp(TIME * 1000)).is_ok());
    }

    #[test]
    fn everything_else_is_refused() {
        let header = format!("t={TIME},v1={SIGNATURE}");
        let later = format!("t={},v1={SIGNATURE}", TIME + 1);
        let respaced = BODY.replace(":", ": ");
        for (secret, header, body) in [
            ("whsec_other", header.as_str(), BODY),
            // Without its prefix, it is another key.
            ("test_secret", header.as_str(), BODY),
            (SECRET, later.as_str(), BODY),
            (SECRET, header.as_str(), respaced.as_str()),
            (SECRET, header.as_str(), ""),
            (SECRET, &header.replace("v1", "v0"), BODY),
            (SECRET, &format!("v1={SIGNATURE}"), BODY),
            (SECRET, &format!("t=,v1={SIGNATURE}"), BODY),
            (SECRET, &format!("t={TIME}"), BODY),
            (SECRET, &format!("t={TIME},v1="), BODY),
            (SECRET, &header[..header.len() - 2], BODY),
            (SECRET, "", BODY),
        ] {
            let found = check(secret, header, body, TIME);
            assert!(matches!(found, Err(WebhookError::Unverified(_))), "{header} {found:?}");
        }
        let missing = verified(
            &secrets(&[SECRET]),
            &HeaderMap::new(),
            BODY.as_bytes(),
            Timestamp(TIME * 1000),
        );
        assert!(matches!(missing, Err(WebhookError::Unverified(_))));
        let without_secret =
            verified(&[], &headers(&header), BODY.as_bytes(), Timestamp(TIME * 1000));
        assert!(matches!(without_secret, Err(WebhookError::Unverified(_))));
    }

    #[test]
    fn a_signature_counts_for_five_minutes_in_both_directions() {
        let header = format!("t={TIME},v1={SIGNATURE}");
        for (at, is_accepted) in [(-301, false), (-300, true), (0, true), (300, true), (301, false)]
        {
            assert_eq!(check(SECRET, &header, BODY, TIME + at).is_ok(), is_accepted, "{at}");
        }
        assert!(
            check(SECRET, &format!("t=99999999999999999999,v1={SIGNATURE}"), BODY, TIME).is_err()
        );
    }

    #[test]
    fn an_event_names_its_payment_or_its_intent() {
        let payment = |id: &str| WebhookSubject::Payment(id.to_owned());
        let reference = |id: &str| WebhookSubject::Reference(id.to_owned());
        for (object, wanted) in [
            (
                json!({ "object": "checkout.session", "id": "cs_1", "metadata": { "payment": "p1" } }),
                payment("p1"),
            ),
            (
                json!({ "object": "checkout.session", "id": "cs_1", "client_reference_id": "p2" }),
                payment("p2"),
            ),
            (
                json!({ "object": "checkout.session", "id": "cs_1", "client_reference_id": null }),
                reference("cs_1"),
            ),
            (
                json!({ "object": "payment_intent", "id": "pi_1", "metadata": { "payment": "p1" } }),
                payment("p1"),
            ),
            (
                json!({ "object": "payment_intent", "id": "pi_1", "metadata": {} }),
                reference("pi_1"),
            ),
            // Of another program.
            (
                json!({ "object": "payment_intent", "id": "pi_1", "metadata": { "payment": "a b" } }),
                reference("pi_1"),
            ),
            (
                json!({ "object": "charge", "id": "ch_1", "payment_intent": "pi_1" }),
                reference("pi_1"),
            ),
            (
                json!({ "object": "charge", "id": "ch_1", "payment_intent": null }),
                reference("ch_1"),
            ),
            (
                json!({ "object": "refund", "id": "re_1", "payment_intent": { "id": "pi_1" } }),
                reference("pi_1"),
            ),
            (
                json!({ "object": "dispute", "id": "dp_1", "payment_intent": "pi_1" }),
                reference("pi_1"),
            ),
            (json!({ "object": "customer", "id": "cus_1" }), WebhookSubject::Other),
            (json!([]), WebhookSubject::Other),
        ] {
            assert_eq!(subject(&object), wanted, "{object}");
        }
    }

    proptest! {
        #[test]
        fn no_header_panics_or_passes(header in "[ -~]{0,80}", body in "\\PC{0,20}") {
            prop_assert!(check(SECRET, &header, &body, TIME).is_err());
        }
    }
}
