//! The parameters of a new Checkout Session.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use platform::{Language, Timestamp};

use super::amount::{code, to_api};
use super::api::Field;
use crate::{GatewayResult, OpenRequest};

/// Stripe demands 30 minutes from when it makes the session, by its own clock.
const MIN_EXPIRY: Duration = Duration::from_secs(31 * 60);
/// Stripe allows 24 hours.
const MAX_EXPIRY: Duration = Duration::from_secs(24 * 3600 - 60);
const MAX_NAME_CHARS: usize = 250;
/// The languages of the payment page, of those with a code of two or three letters.
const LOCALES: &str = "bg cs da de el en es et fi fil fr hr hu id it ja ko lt lv ms mt nb nl pl pt ro ru sk sl sv th \
    tr vi zh";

pub fn session_fields(request: &OpenRequest<'_>, email: Option<&str>) -> GatewayResult<Vec<Field>> {
    let name: String = request.title.chars().take(MAX_NAME_CHARS).collect();
    let name = if name.trim().is_empty() { request.order_number.to_owned() } else { name };
    let mut fields = vec![
        ("mode", "payment".to_owned()),
        ("client_reference_id", request.payment.to_owned()),
        ("line_items[0][quantity]", "1".to_owned()),
        ("line_items[0][price_data][currency]", code(request.amount.currency())),
        ("line_items[0][price_data][unit_amount]", to_api(request.amount)?.to_string()),
        ("line_items[0][price_data][product_data][name]", name),
        ("metadata[payment]", request.payment.to_owned()),
        ("metadata[order]", request.order_number.to_owned()),
        ("payment_intent_data[metadata][payment]", request.payment.to_owned()),
        ("payment_intent_data[metadata][order]", request.order_number.to_owned()),
        // The shopper pays the amount of the order, not one that Stripe has converted.
        ("adaptive_pricing[enabled]", "false".to_owned()),
        ("expires_at", expiry(request.expires_at, request.now).to_string()),
        ("locale", locale(request.language).to_owned()),
        ("success_url", request.return_url.to_owned()),
        ("cancel_url", format!("{}&outcome=cancelled", request.return_url)),
    ];
    if request.reserve_only {
        fields.push(("payment_intent_data[capture_method]", "manual".to_owned()));
    }
    fields.extend(email.map(|email| ("customer_email", email.to_owned())));
    Ok(fields)
}

/// In seconds since 1970, within the limits of Stripe.
fn expiry(wanted: Timestamp, now: Timestamp) -> i64 {
    wanted.clamp(now.plus(MIN_EXPIRY), now.plus(MAX_EXPIRY)).0.div_euclid(1000)
}

fn locale(language: Language) -> &'static str {
    match language.as_str() {
        "no" | "nn" => "nb",
        code => LOCALES.split(' ').find(|locale| *locale == code).unwrap_or("auto"),
    }
}

/// A short hash of the fields.
pub fn fingerprint(fields: &[Field]) -> String {
    let lines: String = fields.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
    let hash = digest(&SHA256, lines.as_bytes());
    hash.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use platform::{Currency, Money};

    use super::*;
    use crate::CustomerDetails;

    #[test]
    fn a_session_has_the_order_and_the_limits_of_stripe() {
        let now = Timestamp(1_795_130_000_000);
        let request = OpenRequest {
            payment: "p1",
            order_number: "H-1",
            amount: Money::new(120_000, Currency::BDT),
            title: "",
            language: "bn".parse().unwrap(),
            customer: CustomerDetails::default(),
            return_url: "https://shop.example/pay?payment=p1",
            webhook_url: "",
            expires_at: now,
            now,
            reserve_only: true,
        };
        let fields = session_fields(&request, None).unwrap();
        let field = |name: &str| {
            fields.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
        };
        assert_eq!(field("line_items[0][price_data][currency]"), Some("bdt"));
        assert_eq!(field("line_items[0][price_data][unit_amount]"), Some("120000"));
        assert_eq!(field("line_items[0][price_data][product_data][name]"), Some("H-1"));
        assert_eq!(field("payment_intent_data[capture_method]"), Some("manual"));
        assert_eq!(field("expires_at"), Some("1795131860"));
        assert_eq!(field("locale"), Some("auto"));
        assert_eq!(
            field("cancel_url"),
            Some("https://shop.example/pay?payment=p1&outcome=cancelled")
        );
        assert_eq!(field("customer_email"), None);
        let later = OpenRequest {
            expires_at: now.plus(Duration::from_secs(90 * 3600)),
            reserve_only: false,
            ..request
        };
        let other = session_fields(&later, Some("a@b.example")).unwrap();
        assert!(other.contains(&("expires_at", "1795216340".to_owned())));
        assert!(!other.iter().any(|(name, _)| name.contains("capture_method")));
        assert!(other.contains(&("customer_email", "a@b.example".to_owned())));
        assert_ne!(fingerprint(&fields), fingerprint(&other));
    }

    #[test]
    fn languages_that_stripe_does_not_know_are_the_browsers() {
        let locale = |code: &str| super::locale(code.parse().unwrap());
        assert_eq!(
            ["en", "de", "fil", "no", "bn", "ar"].map(locale),
            ["en", "de", "fil", "nb", "auto", "auto"]
        );
    }
}
