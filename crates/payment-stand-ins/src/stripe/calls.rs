//! The calls of the API.

use serde_json::{Value, json};

use super::Tx;
use super::api::Answered;
use super::error::ApiError;
use super::model::{
    CaptureMethod, Charge, ChargeStatus, Dispute, Intent, IntentStatus, Refund, Row, Session,
    SessionStatus, Table,
};
use super::money::{check_amount, check_currency, check_step};
use super::params::Params;
use super::payments::{RefundRequest, unexpected_state};
use super::render::{charge_json, dispute_json, refund_json};

const MIN_EXPIRY_MS: i64 = 30 * 60_000;
const MAX_EXPIRY_MS: i64 = 24 * 3_600_000;
const LOCALES: &str = "auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl \
    pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW";

impl Tx<'_> {
    pub fn create_session(&mut self, mut params: Params) -> Answered {
        let expand = params.expand(&["payment_intent"])?;
        let session = self.parse_session(params)?;
        self.put_session(session.clone());
        Ok(self.session_json(&session, &expand))
    }

    fn parse_session(&self, mut params: Params) -> Result<Session, ApiError> {
        params.one_of("mode", &["payment"])?.ok_or_else(|| ApiError::missing("mode"))?;
        params.one_of("adaptive_pricing[enabled]", &["true", "false"])?;
        let (amount, currency, name) = parse_line_item(&mut params)?;
        let capture = params.one_of(
            "payment_intent_data[capture_method]",
            &["automatic", "automatic_async", "manual"],
        )?;
        params.text("payment_intent_data[description]");
        let expires_at = params.integer("expires_at")?.map(|seconds| seconds.saturating_mul(1000));
        let locales: Vec<&str> = LOCALES.split(' ').collect();
        let session = Session {
            id: self.shared.random_id("cs_test_", 58),
            status: SessionStatus::Open,
            amount,
            currency,
            name,
            client_reference_id: params.text("client_reference_id"),
            customer_email: params.text("customer_email"),
            locale: params.one_of("locale", &locales)?,
            metadata: params.metadata("metadata")?,
            intent_metadata: params.metadata("payment_intent_data[metadata]")?,
            capture_method: CaptureMethod::parse(capture.as_deref()),
            success_url: params.required("success_url")?,
            cancel_url: params.text("cancel_url"),
            intent: None,
            created: self.now,
            expires_at: expires_at.unwrap_or(self.now + MAX_EXPIRY_MS),
        };
        params.finish()?;
        self.check_session(&session)?;
        Ok(session)
    }

    fn check_session(&self, session: &Session) -> Result<(), ApiError> {
        let ahead = session.expires_at - self.now;
        // The rest of a second is not counted: the parameter has whole seconds.
        if ahead + 1000 <= MIN_EXPIRY_MS {
            let message = "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.";
            return Err(ApiError::invalid("expires_at", message));
        }
        if ahead > MAX_EXPIRY_MS {
            let message = "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.";
            return Err(ApiError::invalid("expires_at", message));
        }
        for (name, url) in [
            ("success_url", Some(&session.success_url)),
            ("cancel_url", session.cancel_url.as_ref()),
        ] {
            if url.is_some_and(|url| !url.starts_with("http://") && !url.starts_with("https://")) {
                return Err(ApiError::parameter("url_invalid", name, "Not a valid URL"));
            }
        }
        if session.client_reference_id.as_ref().is_some_and(|id| id.is_empty() || id.len() > 200) {
            return Err(ApiError::invalid(
                "client_reference_id",
                "Invalid string: 1 to 200 characters are allowed.",
            ));
        }
        if let Some(email) = session.customer_email.as_ref().filter(|email| !is_email(email)) {
            let message = format!("Invalid email address: {email}");
            return Err(ApiError::parameter("email_invalid", "customer_email", message));
        }
        check_amount("line_items", session.amount, &session.currency)
    }

    pub fn get_session(&self, id: &str, mut params: Params) -> Answered {
        let expand = params.expand(&["payment_intent", "payment_intent.latest_charge"])?;
        params.finish()?;
        Ok(self.session_json(self.find_session(id)?, &expand))
    }

    pub fn expire_session(&mut self, id: &str, params: Params) -> Answered {
        params.finish()?;
        let session = self.find_session(id)?.clone();
        if session.status != SessionStatus::Open {
            let status = json!(session.status);
            let message = format!(
                "Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status \
                 of `{}`.",
                status.as_str().unwrap_or_default()
            );
            return Err(ApiError::state(None, message));
        }
        self.expire(session);
        Ok(self.session_json(self.find_session(id)?, &[]))
    }

    pub fn get_intent(&self, id: &str, mut params: Params) -> Answered {
        let expand = params.expand(&["latest_charge"])?;
        params.finish()?;
        Ok(self.state.intent_json(self.find_intent(id)?, !expand.is_empty()))
    }

    pub fn capture_intent(&mut self, id: &str, mut params: Params) -> Answered {
        let amount = params.integer("amount_to_capture")?;
        params.finish()?;
        let intent = self.find_intent(id)?.clone();
        if let Some(amount) = amount {
            check_positive("amount_to_capture", amount)?;
            check_step("amount_to_capture", amount, &intent.currency)?;
        }
        self.capture(intent, amount)?;
        Ok(self.state.intent_json(self.find_intent(id)?, false))
    }

    pub fn release_intent(&mut self, id: &str, mut params: Params) -> Answered {
        let reasons = ["duplicate", "fraudulent", "requested_by_customer", "abandoned"];
        let reason = params.one_of("cancellation_reason", &reasons)?;
        params.finish()?;
        let intent = self.find_intent(id)?.clone();
        // Before that, the session is to be expired.
        if intent.status != IntentStatus::RequiresCapture {
            return Err(unexpected_state(&intent, "canceled"));
        }
        self.cancel_intent(intent, reason);
        Ok(self.state.intent_json(self.find_intent(id)?, false))
    }

    pub fn list_charges(&self, mut params: Params) -> Answered {
        let intent = params.text("payment_intent");
        let page = Paging::parse(&mut params)?;
        params.finish()?;
        let of_intent = |charge: &&Charge| intent.as_ref().is_none_or(|id| *id == charge.intent);
        page.of("charges", &self.state.charges, of_intent, |one| one.created, charge_json)
    }

    pub fn get_charge(&self, id: &str, params: Params) -> Answered {
        params.finish()?;
        let charge = self.state.charges.get(id);
        charge.map(charge_json).ok_or_else(|| ApiError::no_such("charge", "id", id))
    }

    pub fn create_refund(&mut self, mut params: Params) -> Answered {
        let (intent, charge) = (params.text("payment_intent"), params.text("charge"));
        let amount = params.integer("amount")?;
        let reason =
            params.one_of("reason", &["duplicate", "fraudulent", "requested_by_customer"])?;
        let metadata = params.metadata("metadata")?;
        params.finish()?;
        let charge = self.refundable(intent.as_deref(), charge.as_deref())?.clone();
        if let Some(amount) = amount {
            check_positive("amount", amount)?;
            check_step("amount", amount, &charge.currency)?;
        }
        let refund = self.refund(RefundRequest { charge, amount, reason, metadata })?;
        Ok(refund_json(&refund))
    }

    fn refundable(&self, intent: Option<&str>, charge: Option<&str>) -> Result<&Charge, ApiError> {
        let found = match (intent, charge) {
            (Some(intent), None) => self.state.latest_charge(self.find_intent(intent)?),
            (None, Some(charge)) => {
                let found = self.state.charges.get(charge);
                Some(found.ok_or_else(|| ApiError::no_such("charge", "charge", charge))?)
            }
            (None, None) => return Err(ApiError::missing("payment_intent")),
            (Some(_), Some(_)) => {
                return Err(ApiError::invalid(
                    "charge",
                    "You may only specify one of charge and payment_intent.",
                ));
            }
        };
        let captured =
            found.filter(|charge| charge.status == ChargeStatus::Succeeded && charge.captured > 0);
        captured.ok_or_else(|| {
            let shown = intent.or(charge).unwrap_or_default();
            let message = format!(
                "This PaymentIntent ({shown}) does not have a successful charge to refund."
            );
            ApiError::state(Some("payment_intent_unexpected_state"), message)
        })
    }

    pub fn list_refunds(&self, mut params: Params) -> Answered {
        let (intent, charge) = (params.text("payment_intent"), params.text("charge"));
        let page = Paging::parse(&mut params)?;
        params.finish()?;
        let fits =
            |wanted: &Option<String>, id: &str| wanted.as_ref().is_none_or(|wanted| wanted == id);
        let filter = |one: &&Refund| fits(&intent, &one.intent) && fits(&charge, &one.charge);
        page.of("refunds", &self.state.refunds, filter, |one| one.created, refund_json)
    }

    pub fn list_disputes(&self, mut params: Params) -> Answered {
        let (intent, charge) = (params.text("payment_intent"), params.text("charge"));
        let page = Paging::parse(&mut params)?;
        params.finish()?;
        let fits =
            |wanted: &Option<String>, id: &str| wanted.as_ref().is_none_or(|wanted| wanted == id);
        let filter = |one: &&Dispute| fits(&intent, &one.intent) && fits(&charge, &one.charge);
        page.of("disputes", &self.state.disputes, filter, |one| one.created, dispute_json)
    }

    pub fn balance(&self) -> Value {
        json!({ "object": "balance", "available": [], "pending": [], "livemode": false })
    }

    fn session_json(&self, session: &Session, expand: &[String]) -> Value {
        self.state.session_json(session, &super::page_url(self.shared), expand)
    }

    fn find_session(&self, id: &str) -> Result<&Session, ApiError> {
        self.state
            .sessions
            .get(id)
            .ok_or_else(|| ApiError::no_such("checkout.session", "session", id))
    }

    fn find_intent(&self, id: &str) -> Result<&Intent, ApiError> {
        self.state.intents.get(id).ok_or_else(|| ApiError::no_such("payment_intent", "intent", id))
    }
}

/// The amount, the currency and the name of the only line.
fn parse_line_item(params: &mut Params) -> Result<(i64, String, String), ApiError> {
    const PRICE: &str = "line_items[0][price_data]";
    let quantity = params
        .integer("line_items[0][quantity]")?
        .ok_or_else(|| ApiError::missing("line_items[0][quantity]"))?;
    check_positive("line_items[0][quantity]", quantity)?;
    let currency = params.required(&format!("{PRICE}[currency]"))?;
    check_currency(&format!("{PRICE}[currency]"), &currency)?;
    let name = params.required(&format!("{PRICE}[product_data][name]"))?;
    let unit = format!("{PRICE}[unit_amount]");
    let amount = params.integer(&unit)?.ok_or_else(|| ApiError::missing(&unit))?;
    if amount < 0 {
        return Err(ApiError::invalid(&unit, "Invalid non-negative integer."));
    }
    Ok((amount.saturating_mul(quantity), currency, name))
}

fn check_positive(param: &str, amount: i64) -> Result<(), ApiError> {
    match amount > 0 {
        true => Ok(()),
        false => Err(ApiError::parameter(
            "parameter_invalid_integer",
            param,
            "This value must be greater than or equal to 1.",
        )),
    }
}

fn is_email(text: &str) -> bool {
    let (local, domain) = text.split_once('@').unwrap_or_default();
    !local.is_empty()
        && domain.contains('.')
        && !text.contains(char::is_whitespace)
        && !domain.contains('@')
}

/// Which part of a list is asked for.
struct Paging {
    limit: usize,
    after: Option<String>,
    /// In seconds since 1970: from, and before.
    created: (i64, i64),
}

impl Paging {
    fn parse(params: &mut Params) -> Result<Self, ApiError> {
        let limit = params.integer("limit")?.unwrap_or(10);
        let from = params.integer("created[gte]")?.unwrap_or(i64::MIN);
        let to = params.integer("created[lt]")?.unwrap_or(i64::MAX);
        match usize::try_from(limit) {
            Ok(limit @ 1..=100) => {
                Ok(Self { limit, after: params.text("starting_after"), created: (from, to) })
            }
            _ => Err(ApiError::invalid("limit", "Invalid limit: 1 to 100.")),
        }
    }

    /// The newest first.
    fn of<T: Row>(
        &self,
        name: &str,
        table: &Table<T>,
        filter: impl Fn(&&T) -> bool,
        created: impl Fn(&T) -> i64,
        json: impl Fn(&T) -> Value,
    ) -> Answered {
        let in_time =
            |row: &&T| (self.created.0..self.created.1).contains(&created(row).div_euclid(1000));
        let mut rows = table.iter().rev().filter(filter).filter(in_time);
        if let Some(after) = &self.after
            && !rows.any(|row| row.id() == after)
        {
            return Err(ApiError::no_such("object", "starting_after", after));
        }
        let data: Vec<Value> = rows.by_ref().take(self.limit).map(json).collect();
        let has_more = rows.next().is_some();
        Ok(
            json!({ "object": "list", "url": format!("/v1/{name}"), "has_more": has_more, "data": data }),
        )
    }
}
