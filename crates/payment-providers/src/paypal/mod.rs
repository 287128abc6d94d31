//! PayPal Orders v2. The shopper approves an order on PayPal's page; `complete` captures its money afterwards.
//!
//! An app needs the webhook events Checkout order approved, Payment capture (all), Payment refund (all) and Customer
//! dispute (all). With the features Disputes and Transaction Search, disputes and the list of charges are known too.

mod amount;
mod api;
mod list;
mod snapshot;
mod webhook;

use axum::http::{HeaderMap, Method, StatusCode};
use platform::{Clock, Currency, Language, Money, Timestamp};
use serde_json::{Value, json};

use crate::settings::{PaymentSettings, base_url};
use crate::{
    Fact, FactKind, GatewayError, GatewayResult, ListedCharge, OpenRequest, Opened, SessionRef,
    Snapshot, WebhookError, WebhookEvent,
};
use api::{Api, Call, Credentials};
use snapshot::Declines;
use webhook::Webhook;

const LIVE: &str = "https://api-m.paypal.com";
/// Of texts that PayPal takes; it counts some characters more than once, so these are bytes.
const MAX_TEXT: usize = 127;
const UNSUPPORTED: &str = "amounts are not reserved with PayPal";

pub struct Paypal {
    api: Api,
    clock: Clock,
    webhook_id: String,
    declines: Declines,
}

impl Paypal {
    /// `None` where no key is set.
    pub fn new(settings: &PaymentSettings, clock: &Clock) -> Result<Option<Self>, String> {
        let id = text_of(&settings.paypal_client_id);
        let secret = settings.paypal_client_secret.clone();
        let webhook_id = text_of(&settings.paypal_webhook_id);
        if id.is_none() && secret.is_none() && webhook_id.is_none() {
            return Ok(None);
        }
        let missing = |name: &str| format!("{name}: PayPal needs it too");
        let credentials = Credentials {
            id: id.ok_or_else(|| missing("paypal_client_id"))?,
            secret: secret.ok_or_else(|| missing("paypal_client_secret"))?,
        };
        let webhook_id = webhook_id.ok_or_else(|| missing("paypal_webhook_id"))?;
        if !is_plain_id(&webhook_id) {
            return Err("paypal_webhook_id: expected letters and digits".to_owned());
        }
        let base = base_url("paypal_url", settings.paypal_url.as_deref(), LIVE)?;
        let api = Api::new(base, credentials, clock.clone());
        Ok(Some(Self { api, clock: clock.clone(), webhook_id, declines: Declines::default() }))
    }

    /// The limit of an account is lower, and not known here: PayPal declines what is above it.
    pub fn range(&self, currency: Currency) -> Option<(Money, Money)> {
        amount::range(currency)
    }

    pub fn page_origins(&self) -> Vec<String> {
        let origin = self.api.origin();
        vec![match origin.strip_prefix("https://") {
            Some("api-m.paypal.com" | "api.paypal.com") => "https://www.paypal.com".to_owned(),
            Some("api-m.sandbox.paypal.com" | "api.sandbox.paypal.com") => {
                "https://www.sandbox.paypal.com".to_owned()
            }
            _ => origin.to_owned(),
        }]
    }

    pub async fn open(&self, request: &OpenRequest<'_>) -> GatewayResult<Opened> {
        if request.reserve_only {
            return Err(GatewayError::refused("unsupported", UNSUPPORTED));
        }
        let body = order_body(request)?;
        let key = format!("open-{}", request.payment);
        let call = Call::new(Method::POST, "/v2/checkout/orders").with_key(&key).with_json(&body);
        let order = self.api.json(&call).await?;
        let id = order["id"].as_str().filter(|id| is_plain_id(id));
        let id = id.ok_or_else(|| GatewayError::Unavailable("an order has no id".to_owned()))?;
        let redirect = match (page_of(&order), order["status"].as_str()) {
            (Some(page), _) if self.is_page(page) => page,
            // It is a repetition, and the shopper has approved the order meanwhile.
            (None, Some("APPROVED" | "COMPLETED")) => request.return_url,
            _ => return Err(GatewayError::refused("no_page", "the order has no page to pay it")),
        };
        Ok(Opened { reference: id.to_owned(), redirect: redirect.to_owned() })
    }

    pub async fn fetch(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        snapshot::fetch(&self.api, &self.declines, session).await
    }

    /// A refusal such as INSTRUMENT_DECLINED is not an error: the attempt has failed, which `fetch` tells.
    pub async fn complete(&self, session: SessionRef<'_>) -> GatewayResult<()> {
        let path = format!("/v2/checkout/orders/{}/capture", path_id(session.reference)?);
        let key = format!("capture-{}-{}", session.payment, session.reference);
        let call = Call::new(Method::POST, &path).with_key(&key).with_json(&json!({}));
        let answer = self.api.send(&call).await?;
        let code = api::issue(&answer).to_owned();
        match code.as_str() {
            _ if answer.status.is_success() => Ok(()),
            "ORDER_ALREADY_CAPTURED" => Ok(()),
            "ORDER_COMPLETION_IN_PROGRESS" => Err(GatewayError::Unavailable(code)),
            "ORDER_NOT_APPROVED" => Err(api::refusal(&answer)),
            _ if answer.status == StatusCode::UNPROCESSABLE_ENTITY => {
                tracing::info!(order = session.reference, code, "PayPal declined a capture");
                self.declines.add(session.reference, &code);
                Ok(())
            }
            // `fetch` says what has become of it.
            _ if answer.status == StatusCode::NOT_FOUND => Ok(()),
            _ => Err(api::refusal(&answer)),
        }
    }

    pub async fn capture(&self, _: SessionRef<'_>, _: Money, _: &str) -> GatewayResult<Fact> {
        Err(GatewayError::refused("unsupported", UNSUPPORTED))
    }

    pub async fn refund(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        let Some(capture) = session.charge else {
            return Err(GatewayError::refused("not_captured", "nothing is captured"));
        };
        let path = format!("/v2/payments/captures/{}/refund", path_id(capture)?);
        // Webhooks of the refund contain the custom id.
        let body = json!({ "amount": amount::to_json(amount)?, "custom_id": session.payment });
        let call = Call::new(Method::POST, &path).with_key(key).with_json(&body).in_full();
        let refund = self.api.json(&call).await?;
        let Some(id) = refund["id"].as_str() else {
            return Err(GatewayError::Unavailable("a refund without an id".to_owned()));
        };
        match refund["status"].as_str() {
            Some("COMPLETED" | "PENDING") => Ok(Fact {
                kind: FactKind::Refunded,
                reference: id.to_owned(),
                amount,
                code: String::new(),
            }),
            Some(status @ ("FAILED" | "CANCELLED")) => {
                Err(GatewayError::refused(status, format!("the refund {id} did not succeed")))
            }
            _ => Err(GatewayError::Unavailable("a refund without a known status".to_owned())),
        }
    }

    /// PayPal has no call that cancels an order: one that is not captured expires after some hours. No money moves
    /// unless `complete` is called.
    pub async fn cancel(&self, _: SessionRef<'_>, _: &str) -> GatewayResult<()> {
        Ok(())
    }

    pub async fn webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<WebhookEvent, WebhookError> {
        let webhook = Webhook::read(headers, body, now, self.api.origin())?;
        webhook.verify(&self.api, &self.webhook_id).await?;
        webhook.event()
    }

    pub async fn list(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> GatewayResult<Option<Vec<ListedCharge>>> {
        list::list(&self.api, from, to, self.clock.now()).await
    }

    pub async fn check(&self) -> GatewayResult<()> {
        self.api.renew_token().await
    }

    /// Over HTTPS, except with a stand-in on this machine.
    fn is_page(&self, url: &str) -> bool {
        url.starts_with("https://")
            || url.strip_prefix(self.api.origin()).is_some_and(|path| path.starts_with('/'))
    }
}

/// A setting that is not empty.
fn text_of(setting: &Option<String>) -> Option<String> {
    let text = setting.as_deref().map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

fn order_body(request: &OpenRequest<'_>) -> GatewayResult<Value> {
    let mut unit = json!({
        "amount": amount::to_json(request.amount)?,
        "custom_id": request.payment,
        "invoice_id": invoice_id(request.order_number, request.payment),
    });
    let title = shortened(request.title.trim(), MAX_TEXT);
    if !title.is_empty() {
        unit["description"] = title.into();
    }
    let mut context = json!({
        "return_url": request.return_url,
        "cancel_url": format!("{}&outcome=cancelled", request.return_url),
        "shipping_preference": "NO_SHIPPING",
        "user_action": "PAY_NOW",
        // Without it, shoppers may pay by a bank transfer that takes days, for which no stock can be held.
        "payment_method_preference": "IMMEDIATE_PAYMENT_REQUIRED",
    });
    if let Some(locale) = locale(request.language) {
        context["locale"] = locale.into();
    }
    Ok(json!({
        "intent": "CAPTURE",
        "purchase_units": [unit],
        "payment_source": { "paypal": { "experience_context": context } },
    }))
}

/// Where the payer approves an order.
fn page_of(order: &Value) -> Option<&str> {
    let mut links = order["links"].as_array()?.iter();
    let page = links.find(|link| link["rel"] == "payer-action" || link["rel"] == "approve")?;
    page["href"].as_str()
}

/// Shown to the payer. PayPal can refuse an invoice id that was paid before, in the same account, which other shops may
/// use too; and an order may be paid in several payments. So a part of the payment's id follows the number.
fn invoice_id(order_number: &str, payment: &str) -> String {
    let unique = payment.char_indices().rev().nth(9).map_or(payment, |(at, _)| &payment[at..]);
    format!("{}-{unique}", shortened(order_number, MAX_TEXT - 1 - unique.len()))
}

/// Languages of PayPal's pages. In any other, PayPal chooses.
fn locale(language: Language) -> Option<&'static str> {
    Some(match language.as_str() {
        "ar" => "ar-EG",
        "cs" => "cs-CZ",
        "da" => "da-DK",
        "de" => "de-DE",
        "el" => "el-GR",
        "en" => "en-US",
        "es" => "es-ES",
        "fi" => "fi-FI",
        "fr" => "fr-FR",
        "he" => "he-IL",
        "hu" => "hu-HU",
        "id" => "id-ID",
        "it" => "it-IT",
        "ja" => "ja-JP",
        "ko" => "ko-KR",
        "nl" => "nl-NL",
        "nb" | "nn" | "no" => "no-NO",
        "pl" => "pl-PL",
        "pt" => "pt-PT",
        "ru" => "ru-RU",
        "sk" => "sk-SK",
        "sv" => "sv-SE",
        "th" => "th-TH",
        "tr" => "tr-TR",
        "zh" => "zh-CN",
        _ => return None,
    })
}

/// At most so many bytes, without half a character.
fn shortened(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// PayPal's ids need no escaping in a path.
fn path_id(id: &str) -> GatewayResult<&str> {
    match is_plain_id(id) {
        true => Ok(id),
        false => Err(GatewayError::refused("malformed_reference", "not an id of PayPal")),
    }
}

fn is_plain_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 64
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SecretText;

    fn settings() -> PaymentSettings {
        PaymentSettings {
            paypal_client_id: Some("id".into()),
            paypal_client_secret: Some(SecretText::new("secret")),
            paypal_webhook_id: Some("1JE4291016473214C".into()),
            ..Default::default()
        }
    }

    fn made(settings: &PaymentSettings) -> Result<Option<Paypal>, String> {
        Paypal::new(settings, &Clock::system())
    }

    fn request<'r>(amount: Money, title: &'r str, language: &str) -> OpenRequest<'r> {
        OpenRequest {
            payment: "01kabcdefghjkmnpqrstvwxyz0",
            order_number: "HAAT-1042",
            amount,
            title,
            language: language.parse().unwrap(),
            customer: Default::default(),
            return_url: "https://shop.example/payments/return?payment=01k",
            webhook_url: "",
            expires_at: Timestamp(0),
            now: Timestamp(0),
            reserve_only: false,
        }
    }

    #[test]
    fn all_keys_are_needed_and_errors_name_the_missing_one() {
        assert!(made(&PaymentSettings::default()).unwrap().is_none());
        assert!(made(&settings()).unwrap().is_some());
        let without = [
            (PaymentSettings { paypal_client_id: None, ..settings() }, "paypal_client_id"),
            (PaymentSettings { paypal_client_secret: None, ..settings() }, "paypal_client_secret"),
            (
                PaymentSettings { paypal_webhook_id: Some(" ".into()), ..settings() },
                "paypal_webhook_id",
            ),
            (
                PaymentSettings { paypal_url: Some("http://a.example".into()), ..settings() },
                "paypal_url",
            ),
        ];
        for (settings, name) in without {
            let why = made(&settings).err().unwrap();
            assert!(why.starts_with(name), "{why}");
        }
    }

    #[test]
    fn pages_are_on_another_host_than_the_api() {
        for (url, page) in [
            (None, "https://www.paypal.com"),
            (Some("https://api-m.sandbox.paypal.com/"), "https://www.sandbox.paypal.com"),
            (Some("http://127.0.0.1:8080/dev/payments/paypal"), "http://127.0.0.1:8080"),
        ] {
            let settings = PaymentSettings { paypal_url: url.map(str::to_owned), ..settings() };
            assert_eq!(made(&settings).unwrap().unwrap().page_origins(), [page]);
        }
    }

    #[test]
    fn an_order_is_requested_with_the_exact_amount_and_no_shipping() {
        let money = Money::new(123_405, "EUR".parse().unwrap());
        let long = "৳".repeat(60);
        let body = order_body(&request(money, &long, "de")).unwrap();
        let unit = &body["purchase_units"][0];
        assert_eq!(unit["amount"], json!({ "currency_code": "EUR", "value": "1234.05" }));
        assert_eq!(unit["custom_id"], "01kabcdefghjkmnpqrstvwxyz0");
        assert_eq!(unit["invoice_id"], "HAAT-1042-qrstvwxyz0");
        assert_eq!(unit["description"], "৳".repeat(42));
        let context = &body["payment_source"]["paypal"]["experience_context"];
        assert_eq!(context["locale"], "de-DE");
        assert_eq!(context["shipping_preference"], "NO_SHIPPING");
        let cancelled = "https://shop.example/payments/return?payment=01k&outcome=cancelled";
        assert_eq!(context["cancel_url"], cancelled);
        let body = order_body(&request(money, " ", "bn")).unwrap();
        assert_eq!(body["purchase_units"][0].get("description"), None);
        assert_eq!(body["payment_source"]["paypal"]["experience_context"].get("locale"), None);
    }

    #[test]
    fn ids_that_could_change_a_path_are_refused() {
        assert!(path_id("5O190127TN364715T").is_ok());
        for id in ["", "../orders", "a/b", "a?b", "a b", &"a".repeat(65)] {
            assert!(path_id(id).is_err(), "{id}");
        }
    }
}
