//! Stripe: Checkout Sessions, to whose page the shopper is redirected. Cards and wallets, and whatever else the account
//! accepts.

mod amount;
mod api;
mod session;
mod snapshot;
mod webhook;

use axum::http::HeaderMap;
use platform::{Currency, EmailAddress, Money, Timestamp};
use serde_json::Value;

use self::amount::{from_api, to_api};
use self::api::{Api, Field, escape};
use self::session::{fingerprint, session_fields};
use self::snapshot::{Charge, Dispute, Expandable, Intent, Objects, Refund, Session, fact};
use crate::settings::{PaymentSettings, base_url};
use crate::{
    Fact, FactKind, GatewayError, GatewayResult, ListedCharge, OpenRequest, Opened, SecretText,
    SessionRef, Snapshot, WebhookError, WebhookEvent,
};

const DEFAULT_URL: &str = "https://api.stripe.com";
const PAGE_ORIGIN: &str = "https://checkout.stripe.com";

pub struct Stripe {
    api: Api,
    webhook_secrets: Vec<SecretText>,
    page_origin: String,
}

impl Stripe {
    /// `None` where no key is set.
    pub fn new(settings: &PaymentSettings) -> Result<Option<Self>, String> {
        let secrets = &settings.stripe_webhook_secret;
        let key = match (&settings.stripe_secret_key, secrets.as_slice()) {
            (None, []) => return Ok(None),
            (None, _) => {
                return Err("stripe_secret_key: required where stripe_webhook_secret is set".into());
            }
            (Some(_), []) => {
                return Err("stripe_webhook_secret: required where stripe_secret_key is set".into());
            }
            (Some(key), _) => key,
        };
        if !["sk_", "rk_"].iter().any(|prefix| key.expose().starts_with(prefix)) {
            return Err(
                "stripe_secret_key: expected a secret key, which begins with sk_ or rk_".into()
            );
        }
        if !secrets.iter().all(|secret| secret.expose().starts_with("whsec_")) {
            return Err(
                "stripe_webhook_secret: expected a signing secret, which begins with whsec_".into(),
            );
        }
        let url = base_url("stripe_url", settings.stripe_url.as_deref(), DEFAULT_URL)?;
        Ok(Some(Self {
            page_origin: page_origin(&url),
            api: Api::new(url, key.clone()),
            webhook_secrets: secrets.clone(),
        }))
    }

    pub fn range(&self, currency: Currency) -> Option<(Money, Money)> {
        amount::range(currency)
    }

    pub fn page_origins(&self) -> Vec<String> {
        vec![self.page_origin.clone()]
    }

    pub async fn open(&self, request: &OpenRequest<'_>) -> GatewayResult<Opened> {
        let email = EmailAddress::parse(request.customer.email);
        let fields = session_fields(request, email.as_ref().map(EmailAddress::as_str))?;
        let session = match self.create_session(&fields, request.payment).await {
            // Stripe's page then asks for the address.
            Err(why) if is_refused_as(&why, "email_invalid") => {
                self.create_session(&session_fields(request, None)?, request.payment).await?
            }
            other => other?,
        };
        let redirect = session.url.ok_or_else(|| unexpected("a session without a page"))?;
        Ok(Opened { reference: session.id, redirect })
    }

    /// The key is that of the payment. When the fields differ from the first call's, such as the expiry that is too
    /// near by now, it becomes another session.
    async fn create_session(&self, fields: &[Field], payment: &str) -> GatewayResult<Session> {
        const PATH: &str = "checkout/sessions";
        let key = format!("open-{payment}");
        match self.api.post(PATH, fields, &key).await {
            Err(why) if is_refused_as(&why, "idempotency_error") => {
                self.api.post(PATH, fields, &format!("{key}-{}", fingerprint(fields))).await
            }
            other => other,
        }
    }

    pub async fn fetch(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        let mut objects = Objects {
            session: self.session(session).await?,
            charges: Vec::new(),
            refunds: Vec::new(),
            disputes: Vec::new(),
        };
        if let Some(intent) = objects.session.intent() {
            let currency = session.amount.currency();
            if !intent.currency.eq_ignore_ascii_case(currency.code()) {
                return Err(unexpected("a payment in another currency"));
            }
            let of_intent = [("payment_intent", intent.id.clone())];
            let charges: Vec<Charge> = self.api.list("charges", &of_intent).await?;
            if charges.iter().any(|charge| charge.captured) {
                objects.refunds = self.refunds(&intent.id).await?;
            }
            if charges.iter().any(|charge| charge.disputed) {
                let disputes: Vec<Dispute> = self.api.list("disputes", &of_intent).await?;
                objects.disputes = disputes;
            }
            objects.charges = charges;
        }
        Ok(objects.snapshot(session.amount))
    }

    /// With its intent expanded.
    async fn session(&self, session: SessionRef<'_>) -> GatewayResult<Session> {
        let path = format!("checkout/sessions/{}", escape(session.reference));
        self.api.get(&path, &[("expand[]", "payment_intent".to_owned())]).await
    }

    async fn refunds(&self, intent: &str) -> GatewayResult<Vec<Refund>> {
        self.api.list("refunds", &[("payment_intent", intent.to_owned())]).await
    }

    /// A session that is paid needs nothing more.
    pub async fn complete(&self, _: SessionRef<'_>) -> GatewayResult<()> {
        Ok(())
    }

    pub async fn capture(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        let wanted = to_api(amount)?;
        let path = format!("payment_intents/{}", escape(&self.intent_id(session).await?));
        let fields = [("amount_to_capture", wanted.to_string())];
        let intent: Intent = match self.api.post(&format!("{path}/capture"), &fields, key).await {
            // It may be a repetition after Stripe has forgotten the key.
            Err(why) if is_refused_as(&why, "payment_intent_unexpected_state") => {
                let intent: Intent = self.api.get(&path, &[]).await?;
                if intent.amount_received == wanted { intent } else { return Err(why) }
            }
            other => other?,
        };
        let captured = from_api(intent.amount_received, amount.currency());
        Ok(fact(FactKind::Captured, &intent.id, captured, ""))
    }

    pub async fn refund(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        let intent = self.intent_id(session).await?;
        let wanted = to_api(amount)?;
        let fields = [
            ("payment_intent", intent.clone()),
            ("amount", wanted.to_string()),
            ("metadata[payment]", session.payment.to_owned()),
            ("metadata[key]", key.to_owned()),
        ];
        // Stripe forgets keys after a day, and a job can be repeated later than that.
        let mut earlier = self.refunds(&intent).await?.into_iter();
        let earlier = earlier.find(|refund| refund.metadata("key").is_some_and(|its| its == key));
        let refund: Refund = match earlier {
            Some(refund) if refund.amount == wanted => refund,
            Some(_) => {
                let message = "the key is that of a refund of another amount";
                return Err(GatewayError::refused("idempotency_error", message));
            }
            None => self.api.post("refunds", &fields, key).await?,
        };
        if refund.has_failed() {
            return Err(GatewayError::refused(
                refund.failure(),
                "the refund did not reach the customer",
            ));
        }
        let refunded = from_api(refund.amount, amount.currency());
        Ok(fact(FactKind::Refunded, &refund.id, refunded, ""))
    }

    /// The reference of the fact `Authorised` or `Captured`.
    async fn intent_id(&self, session: SessionRef<'_>) -> GatewayResult<String> {
        if let Some(intent) = session.charge {
            return Ok(intent.to_owned());
        }
        match self.session(session).await?.payment_intent {
            Some(Expandable::Id(id) | Expandable::Object(Intent { id, .. })) => Ok(id),
            None => Err(GatewayError::refused("not_paid", "nothing was paid or reserved yet")),
        }
    }

    /// An intent of a session can be cancelled while it reserves money; before that, its session is expired.
    pub async fn cancel(&self, session: SessionRef<'_>, key: &str) -> GatewayResult<()> {
        let mut found = self.session(session).await?;
        if found.status == "open" {
            let path = format!("checkout/sessions/{}/expire", escape(session.reference));
            let expired: GatewayResult<Value> =
                self.api.post(&path, &[], &format!("{key}-expire")).await;
            match expired {
                Ok(_) => return Ok(()),
                Err(why @ GatewayError::Unavailable(_)) => return Err(why),
                // It may have been paid at the same moment.
                Err(why) => {
                    found = self.session(session).await?;
                    if found.status == "open" {
                        return Err(why);
                    }
                }
            }
        }
        match found.intent() {
            Some(intent) if intent.status == "requires_capture" => {
                self.release(&intent.id, key).await
            }
            _ => Ok(()),
        }
    }

    async fn release(&self, intent: &str, key: &str) -> GatewayResult<()> {
        let path = format!("payment_intents/{}/cancel", escape(intent));
        let cancelled: GatewayResult<Value> =
            self.api.post(&path, &[], &format!("{key}-cancel")).await;
        match cancelled {
            // Captured or cancelled at the same moment.
            Err(why) if is_refused_as(&why, "payment_intent_unexpected_state") => Ok(()),
            other => other.map(drop),
        }
    }

    pub async fn webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<WebhookEvent, WebhookError> {
        webhook::verified(&self.webhook_secrets, headers, body, now)
    }

    /// By the time of the payment, not of its capture.
    pub async fn list(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> GatewayResult<Option<Vec<ListedCharge>>> {
        let seconds = |time: Timestamp| time.0.div_euclid(1000).to_string();
        let period = [("created[gte]", seconds(from)), ("created[lt]", seconds(to))];
        let charges: Vec<Charge> = self.api.list("charges", &period).await?;
        Ok(Some(charges.into_iter().filter_map(listed_charge).collect()))
    }

    /// Reads what `fetch` and `list` need, because a restricted key may read nothing else.
    pub async fn check(&self) -> GatewayResult<()> {
        let charges: GatewayResult<Value> =
            self.api.get("charges", &[("limit", "1".to_owned())]).await;
        charges.map(drop)
    }
}

/// Where Stripe's API is, its page is at an address of its own; a stand-in has both.
fn page_origin(url: &str) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find('/').map_or(url.len(), |at| host + at);
    let authority = url[host..end].split(':').next().unwrap_or_default();
    match authority == "stripe.com" || authority.ends_with(".stripe.com") {
        true => PAGE_ORIGIN.to_owned(),
        false => url[..end].to_owned(),
    }
}

/// Nothing for what was only reserved, and for currencies that the shop does not know.
fn listed_charge(charge: Charge) -> Option<ListedCharge> {
    let currency: Currency = charge.currency.to_ascii_uppercase().parse().ok()?;
    let is_captured = charge.status == "succeeded" && charge.captured;
    is_captured.then(|| ListedCharge {
        captured: from_api(charge.amount_captured, currency),
        refunded: from_api(charge.amount_refunded, currency),
        payment: charge.metadata("payment").cloned(),
        reference: charge.payment_intent.unwrap_or(charge.id),
    })
}

fn is_refused_as(why: &GatewayError, wanted: &str) -> bool {
    matches!(why, GatewayError::Refused { code, .. } if code == wanted)
}

fn unexpected(what: &str) -> GatewayError {
    GatewayError::Unavailable(format!("Stripe answered {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(key: Option<&str>, webhook: &[&str], url: Option<&str>) -> PaymentSettings {
        PaymentSettings {
            stripe_secret_key: key.map(SecretText::new),
            stripe_webhook_secret: webhook.iter().map(|secret| SecretText::new(secret)).collect(),
            stripe_url: url.map(str::to_owned),
            ..Default::default()
        }
    }

    #[test]
    fn the_key_and_the_webhook_secret_are_needed_together() {
        let made = |key, webhook: &[&str], url| {
            Stripe::new(&settings(key, webhook, url)).map(|one| one.is_some())
        };
        assert_eq!(made(None, &[], None), Ok(false));
        assert_eq!(made(Some("sk_test_1"), &["whsec_1", "whsec_2"], None), Ok(true));
        for (found, named) in [
            (made(Some("sk_test_1"), &[], None), "stripe_webhook_secret"),
            (made(None, &["whsec_1"], None), "stripe_secret_key"),
            (made(Some("pk_test_1"), &["whsec_1"], None), "stripe_secret_key"),
            (made(Some("sk_test_1"), &["whsec_1", "secret"], None), "stripe_webhook_secret"),
            (made(Some("sk_test_1"), &["whsec_1"], Some("http://api.example")), "stripe_url"),
        ] {
            let why = found.unwrap_err();
            assert!(why.starts_with(named) && !why.contains("test_1"), "{why}");
        }
    }

    #[test]
    fn pages_are_stripes_or_those_of_the_stand_in() {
        for (url, origin) in [
            (DEFAULT_URL, PAGE_ORIGIN),
            ("https://api.stripe.com:443", PAGE_ORIGIN),
            ("http://127.0.0.1:8080/dev/payments/stripe", "http://127.0.0.1:8080"),
            ("https://api.notstripe.com", "https://api.notstripe.com"),
        ] {
            assert_eq!(page_origin(url), origin);
        }
    }
}
