//! Objects as the API writes them, with the properties that clients read.

use serde_json::{Value, json};

use super::model::{
    CaptureMethod, Charge, ChargeStatus, Dispute, Intent, IntentStatus, Method, Refund,
    RefundStatus, Session, SessionStatus, State,
};

fn seconds(milliseconds: i64) -> i64 {
    milliseconds.div_euclid(1000)
}

impl State {
    /// `page` is the address of payment pages.
    pub fn session_json(&self, session: &Session, page: &str, expand: &[String]) -> Value {
        let intent = self.intent_of(session);
        let is_paid = intent.is_some_and(|intent| intent.status == IntentStatus::Succeeded);
        let is_expanded = expand.iter().any(|one| one.starts_with("payment_intent"));
        let charge_too = expand.iter().any(|one| one == "payment_intent.latest_charge");
        let url = (session.status == SessionStatus::Open).then(|| format!("{page}/{}", session.id));
        json!({
            "id": session.id,
            "object": "checkout.session",
            "adaptive_pricing": { "enabled": false },
            "amount_subtotal": session.amount,
            "amount_total": session.amount,
            "cancel_url": session.cancel_url,
            "client_reference_id": session.client_reference_id,
            "created": seconds(session.created),
            "currency": session.currency,
            "customer": null,
            "customer_email": session.customer_email,
            "expires_at": seconds(session.expires_at),
            "livemode": false,
            "locale": session.locale,
            "metadata": session.metadata,
            "mode": "payment",
            "payment_intent": intent.map(|intent| match is_expanded {
                true => self.intent_json(intent, charge_too),
                false => intent.id.as_str().into(),
            }),
            "payment_method_types": ["card"],
            "payment_status": if is_paid { "paid" } else { "unpaid" },
            "status": session.status,
            "success_url": session.success_url,
            "ui_mode": "hosted_page",
            "url": url,
        })
    }

    pub fn intent_json(&self, intent: &Intent, expand_charge: bool) -> Value {
        let charge = self.latest_charge(intent);
        let error = intent.last_error.as_ref().map(|error| {
            json!({
                "type": "card_error",
                "charge": error.charge,
                "code": error.decline.code,
                "decline_code": error.decline.decline_code,
                "message": error.decline.message,
            })
        });
        let is_capturable = intent.status == IntentStatus::RequiresCapture;
        json!({
            "id": intent.id,
            "object": "payment_intent",
            "amount": intent.amount,
            "amount_capturable": if is_capturable { intent.amount } else { 0 },
            "amount_received": intent.received,
            "canceled_at": intent.cancelled.as_ref().map(|one| seconds(one.at)),
            "cancellation_reason": intent.cancelled.as_ref().and_then(|one| one.reason.as_deref()),
            "capture_method": intent.capture_method,
            "created": seconds(intent.created),
            "currency": intent.currency,
            "last_payment_error": error,
            "latest_charge": charge.map(|charge| match expand_charge {
                true => charge_json(charge),
                false => charge.id.as_str().into(),
            }),
            "livemode": false,
            "metadata": intent.metadata,
            "next_action": (intent.status == IntentStatus::RequiresAction)
                .then(|| json!({ "type": "use_stripe_sdk" })),
            "payment_method_types": ["card"],
            "status": intent.status,
        })
    }
}

pub fn charge_json(charge: &Charge) -> Value {
    let reason = charge
        .failure
        .as_ref()
        .map(|failure| failure.decline_code.as_ref().unwrap_or(&failure.code));
    let is_failed = charge.status == ChargeStatus::Failed;
    let kind = if is_failed { "issuer_declined" } else { "authorized" };
    json!({
        "id": charge.id,
        "object": "charge",
        "amount": charge.amount,
        "amount_captured": charge.captured,
        "amount_refunded": charge.refunded,
        "captured": charge.captured > 0,
        "created": seconds(charge.created),
        "currency": charge.currency,
        "disputed": charge.disputed,
        "failure_code": charge.failure.as_ref().map(|failure| &failure.code),
        "failure_message": charge.failure.as_ref().map(|failure| &failure.message),
        "livemode": false,
        "metadata": charge.metadata,
        "outcome": { "type": kind, "reason": reason },
        "paid": charge.status == ChargeStatus::Succeeded,
        "payment_intent": charge.intent,
        "payment_method_details": method_json(&charge.method),
        "refunded": charge.captured > 0 && charge.refunded == charge.captured,
        "status": charge.status,
    })
}

fn method_json(method: &Method) -> Value {
    match method {
        Method::Card { last4 } => {
            json!({ "type": "card", "card": { "last4": last4, "wallet": null } })
        }
        Method::GooglePay => {
            json!({ "type": "card", "card": { "last4": "4242", "wallet": { "type": "google_pay" } } })
        }
        Method::BankDebit => json!({ "type": "sepa_debit", "sepa_debit": { "last4": "3000" } }),
    }
}

pub fn refund_json(refund: &Refund) -> Value {
    let mut json = json!({
        "id": refund.id,
        "object": "refund",
        "amount": refund.amount,
        "charge": refund.charge,
        "created": seconds(refund.created),
        "currency": refund.currency,
        "metadata": refund.metadata,
        "payment_intent": refund.intent,
        "reason": refund.reason,
        "status": refund.status,
    });
    if refund.status == RefundStatus::Failed {
        json["failure_reason"] = "expired_or_canceled_card".into();
    }
    json
}

pub fn dispute_json(dispute: &Dispute) -> Value {
    json!({
        "id": dispute.id,
        "object": "dispute",
        "amount": dispute.amount,
        "charge": dispute.charge,
        "created": seconds(dispute.created),
        "currency": dispute.currency,
        "is_charge_refundable": false,
        "livemode": false,
        "metadata": {},
        "payment_intent": dispute.intent,
        "reason": "fraudulent",
        "status": dispute.status,
    })
}

impl CaptureMethod {
    pub fn parse(text: Option<&str>) -> Self {
        if text == Some("manual") { Self::Manual } else { Self::AutomaticAsync }
    }
}
