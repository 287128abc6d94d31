//! What has happened to a payment, from Stripe's objects: the session, its intent, and the charges, refunds and
//! disputes of the intent.

use std::collections::BTreeMap;

use platform::{Currency, Money};
use serde::Deserialize;

use super::amount::from_api;
use super::api::Listed;
use crate::{Fact, FactKind, SessionStatus, Snapshot};

#[derive(Debug, Deserialize)]
pub struct Session {
    pub id: String,
    #[serde(default)]
    pub url: Option<String>,
    pub status: String,
    /// Made when the shopper first tries to pay. It is expanded where it is asked for.
    #[serde(default)]
    pub payment_intent: Option<Expandable<Intent>>,
}

/// An object or its id.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    Id(String),
    Object(T),
}

#[derive(Debug, Deserialize)]
pub struct Intent {
    pub id: String,
    pub status: String,
    pub currency: String,
    pub amount_received: i64,
    pub capture_method: String,
    #[serde(default)]
    pub last_payment_error: Option<PaymentError>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PaymentError {
    charge: Option<String>,
    code: Option<String>,
    decline_code: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Charge {
    pub id: String,
    pub amount: i64,
    pub amount_captured: i64,
    pub amount_refunded: i64,
    pub captured: bool,
    pub currency: String,
    pub disputed: bool,
    pub status: String,
    #[serde(default)]
    pub payment_intent: Option<String>,
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
    #[serde(default)]
    failure_code: Option<String>,
    #[serde(default)]
    outcome: Option<Outcome>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Outcome {
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Refund {
    pub id: String,
    pub amount: i64,
    #[serde(default)]
    pub status: Option<String>,
    pub created: i64,
    #[serde(default)]
    pub failure_reason: Option<String>,
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    pub status: String,
    pub created: i64,
    #[serde(default)]
    pub reason: Option<String>,
}

/// Everything of a payment, each list with the oldest first.
#[derive(Debug)]
pub struct Objects {
    pub session: Session,
    pub charges: Vec<Charge>,
    pub refunds: Vec<Refund>,
    pub disputes: Vec<Dispute>,
}

macro_rules! listed {
    ($($kind:ty),+) => {
        $(impl Listed for $kind {
            fn id(&self) -> &str {
                &self.id
            }
        })+
    };
}
listed!(Charge, Refund, Dispute);

impl Session {
    /// The intent, where it is expanded.
    pub fn intent(&self) -> Option<&Intent> {
        match &self.payment_intent {
            Some(Expandable::Object(intent)) => Some(intent),
            _ => None,
        }
    }

    /// Why nothing can be paid any more.
    fn end(&self) -> Option<&'static str> {
        match (self.status.as_str(), self.intent()) {
            ("expired", _) => Some("expired"),
            ("complete", Some(intent)) if intent.status == "canceled" => Some("canceled"),
            _ => None,
        }
    }

    fn state(&self) -> SessionStatus {
        let intent = self.intent().map(|intent| intent.status.as_str());
        match (self.status.as_str(), intent) {
            // A complete session can be unpaid: a bank debit takes days, and a voucher waits to be paid.
            ("open" | "complete", Some("processing")) => SessionStatus::Processing,
            ("complete", Some("requires_action" | "requires_confirmation")) => {
                SessionStatus::Processing
            }
            ("open", None) => SessionStatus::Open,
            ("open", Some(status))
                if !matches!(status, "succeeded" | "requires_capture" | "canceled") =>
            {
                SessionStatus::Open
            }
            _ => SessionStatus::Closed,
        }
    }
}

impl Refund {
    /// Whether the money did not reach, or will not reach, the customer.
    pub fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    pub fn metadata(&self, name: &str) -> Option<&String> {
        self.metadata.as_ref()?.get(name)
    }

    pub fn failure(&self) -> String {
        self.failure_reason.clone().unwrap_or_else(|| self.status.clone().unwrap_or_default())
    }
}

impl Charge {
    pub fn metadata(&self, name: &str) -> Option<&String> {
        self.metadata.as_ref()?.get(name)
    }

    /// The most precise code of a decline: `insufficient_funds` rather than `card_declined`.
    fn failure(&self) -> String {
        let code = self.failure_code.as_deref().unwrap_or("charge_failed");
        let reason = self.outcome.as_ref().and_then(|outcome| outcome.reason.as_deref());
        match (code, reason) {
            ("card_declined", Some(reason)) if reason != "generic_decline" => reason.to_owned(),
            _ => code.to_owned(),
        }
    }
}

impl PaymentError {
    fn failure(&self) -> String {
        let declined = self.decline_code.as_deref().filter(|code| *code != "generic_decline");
        declined.or(self.code.as_deref()).unwrap_or("payment_failed").to_owned()
    }
}

impl Objects {
    /// `total` is the payment's amount.
    pub fn snapshot(&self, total: Money) -> Snapshot {
        let mut facts = self.failures(total);
        if let Some(intent) = self.session.intent() {
            facts.extend(self.money_in(intent, total.currency()));
            facts.extend(self.money_out(total));
        }
        let is_paid =
            facts.iter().any(|fact| matches!(fact.kind, FactKind::Authorised | FactKind::Captured));
        if let Some(code) = self.session.end().filter(|_| !is_paid) {
            facts.push(fact(FactKind::Failed, &self.session.id, total, code));
        }
        Snapshot { status: self.session.state(), facts }
    }

    /// The attempts that failed. Those that ended before there was a charge, such as a failed authentication, are
    /// known while they are the latest.
    fn failures(&self, total: Money) -> Vec<Fact> {
        let failed = self.charges.iter().filter(|charge| charge.status == "failed");
        let mut facts: Vec<Fact> = failed
            .map(|charge| fact(FactKind::Failed, &charge.id, total, &charge.failure()))
            .collect();
        let intent = self.session.intent();
        if let Some((intent, error)) =
            intent.and_then(|one| Some((one, one.last_payment_error.as_ref()?)))
        {
            // The session's id is the reference of its own end.
            let reference = error.charge.as_deref().unwrap_or(&intent.id);
            if !facts.iter().any(|fact| fact.reference == reference) {
                facts.push(fact(FactKind::Failed, reference, total, &error.failure()));
            }
        }
        facts
    }

    /// What was reserved, captured and released. A partial capture releases the rest, which is no fact of its own.
    fn money_in(&self, intent: &Intent, currency: Currency) -> Vec<Fact> {
        let mut facts = Vec::new();
        let fact = |kind, amount| fact(kind, &intent.id, from_api(amount, currency), "");
        let authorised = self.charges.iter().find(|charge| charge.status == "succeeded");
        let authorised =
            authorised.filter(|_| intent.capture_method == "manual").map(|charge| charge.amount);
        facts.extend(authorised.map(|amount| fact(FactKind::Authorised, amount)));
        match (intent.status.as_str(), authorised) {
            ("canceled", Some(amount)) => facts.push(fact(FactKind::Voided, amount)),
            _ if intent.amount_received > 0 => {
                facts.push(fact(FactKind::Captured, intent.amount_received))
            }
            _ => {}
        }
        facts
    }

    /// Refunds and disputes in the order of their time.
    fn money_out(&self, total: Money) -> Vec<Fact> {
        let refunds = self.refunds.iter().map(|one| (one.created, one.facts(total.currency())));
        let disputes = self.disputes.iter().map(|one| (one.created, one.facts(total)));
        let mut facts: Vec<(i64, Vec<Fact>)> = refunds.chain(disputes).collect();
        facts.sort_by_key(|(created, _)| *created);
        facts.into_iter().flat_map(|(_, facts)| facts).collect()
    }
}

impl Refund {
    /// A pending refund counts: the money has left the balance.
    pub fn facts(&self, currency: Currency) -> Vec<Fact> {
        let amount = from_api(self.amount, currency);
        let mut facts = vec![fact(FactKind::Refunded, &self.id, amount, "")];
        if self.has_failed() {
            facts.push(fact(FactKind::RefundFailed, &self.id, amount, &self.failure()));
        }
        facts
    }
}

impl Dispute {
    /// Nothing for an inquiry and for a prevented dispute, which take no money.
    fn facts(&self, total: Money) -> Vec<Fact> {
        // The bank can dispute in another currency, which says nothing about the payment's.
        let is_same = self.currency.eq_ignore_ascii_case(total.currency().code());
        let amount = if is_same { from_api(self.amount, total.currency()) } else { total };
        let reason = self.reason.as_deref().unwrap_or_default();
        let end = match self.status.as_str() {
            "needs_response" | "under_review" => None,
            "won" => Some(FactKind::DisputeWon),
            "lost" => Some(FactKind::DisputeLost),
            _ => return Vec::new(),
        };
        let begun = fact(FactKind::Disputed, &self.id, amount, reason);
        [begun].into_iter().chain(end.map(|kind| fact(kind, &self.id, amount, ""))).collect()
    }
}

pub fn fact(kind: FactKind, reference: &str, amount: Money, code: &str) -> Fact {
    Fact { kind, reference: reference.to_owned(), amount, code: code.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn usd(minor: i64) -> Money {
        Money::new(minor, Currency::USD)
    }

    fn session(status: &str, intent: Value) -> Value {
        json!({ "id": "cs_1", "status": status, "url": null, "payment_status": "unpaid", "payment_intent": intent })
    }

    fn intent(status: &str, capture: &str, received: i64, error: Value) -> Value {
        json!({ "id": "pi_1", "status": status, "currency": "usd", "amount_received": received,
            "capture_method": capture, "last_payment_error": error })
    }

    fn charge(id: &str, status: &str, captured: i64, code: Option<(&str, &str)>) -> Value {
        json!({ "id": id, "amount": 1000, "amount_captured": captured, "amount_refunded": 0, "captured": captured > 0,
            "currency": "usd", "disputed": false, "status": status, "payment_intent": "pi_1",
            "metadata": { "payment": "p" }, "failure_code": code.map(|(code, _)| code),
            "outcome": { "reason": code.map(|(_, reason)| reason) } })
    }

    fn refund(id: &str, amount: i64, status: &str, created: i64) -> Value {
        json!({ "id": id, "amount": amount, "status": status, "created": created,
            "metadata": null, "failure_reason": (status == "failed").then_some("lost_or_stolen_card") })
    }

    fn dispute(status: &str, currency: &str, created: i64) -> Value {
        json!({ "id": "dp_1", "amount": 1000, "currency": currency, "status": status, "created": created,
            "reason": "fraudulent" })
    }

    fn snapshot(session: Value, charges: Value, refunds: Value, disputes: Value) -> Snapshot {
        let objects = Objects {
            session: serde_json::from_value(session).unwrap(),
            charges: serde_json::from_value(charges).unwrap(),
            refunds: serde_json::from_value(refunds).unwrap(),
            disputes: serde_json::from_value(disputes).unwrap(),
        };
        objects.snapshot(usd(1000))
    }

    fn shown(snapshot: &Snapshot) -> Vec<String> {
        let line = |fact: &Fact| {
            let text =
                format!("{:?} {} {} {}", fact.kind, fact.reference, fact.amount.minor(), fact.code);
            text.trim_end().to_owned()
        };
        snapshot.facts.iter().map(line).collect()
    }

    #[test]
    fn a_session_is_open_until_it_is_paid_or_expires() {
        let none = || json!([]);
        let status = |session| snapshot(session, none(), none(), none()).status;
        let with = |state: &str, status: &str| {
            session(state, intent(status, "automatic_async", 0, Value::Null))
        };
        assert_eq!(status(session("open", Value::Null)), SessionStatus::Open);
        assert_eq!(status(with("open", "requires_payment_method")), SessionStatus::Open);
        assert_eq!(status(with("open", "requires_action")), SessionStatus::Open);
        assert_eq!(status(with("open", "processing")), SessionStatus::Processing);
        assert_eq!(status(with("complete", "processing")), SessionStatus::Processing);
        assert_eq!(status(with("complete", "requires_action")), SessionStatus::Processing);
        assert_eq!(status(with("complete", "succeeded")), SessionStatus::Closed);
        assert_eq!(status(with("complete", "requires_capture")), SessionStatus::Closed);
        assert_eq!(status(with("complete", "requires_payment_method")), SessionStatus::Closed);
        assert_eq!(status(session("expired", Value::Null)), SessionStatus::Closed);
    }

    #[test]
    fn a_complete_session_that_is_unpaid_has_no_facts() {
        let processing =
            session("complete", intent("processing", "automatic_async", 0, Value::Null));
        let charges = json!([charge("py_1", "pending", 0, None)]);
        assert!(snapshot(processing, charges, json!([]), json!([])).facts.is_empty());
    }

    #[test]
    fn failed_attempts_stay_when_a_later_one_succeeds() {
        let paid = session("complete", intent("succeeded", "automatic_async", 1000, Value::Null));
        let charges = json!([
            charge("ch_1", "failed", 0, Some(("card_declined", "generic_decline"))),
            charge("ch_2", "failed", 0, Some(("card_declined", "insufficient_funds"))),
            charge("ch_3", "failed", 0, Some(("expired_card", "expired_card"))),
            charge("ch_4", "succeeded", 1000, None),
        ]);
        let found = snapshot(paid, charges, json!([]), json!([]));
        assert_eq!(
            shown(&found),
            [
                "Failed ch_1 1000 card_declined",
                "Failed ch_2 1000 insufficient_funds",
                "Failed ch_3 1000 expired_card",
                "Captured pi_1 1000",
            ]
        );
    }

    #[test]
    fn an_error_without_a_charge_is_the_intents_and_the_end_is_the_sessions() {
        let error = json!({ "code": "payment_intent_authentication_failure", "message": "…" });
        let expired = session("expired", intent("canceled", "automatic_async", 0, error));
        let found = snapshot(expired, json!([]), json!([]), json!([]));
        assert_eq!(
            shown(&found),
            ["Failed pi_1 1000 payment_intent_authentication_failure", "Failed cs_1 1000 expired"]
        );
        let error = json!({ "charge": "ch_1", "code": "card_declined", "decline_code": "insufficient_funds" });
        let open = session("open", intent("requires_payment_method", "automatic_async", 0, error));
        let charges =
            json!([charge("ch_1", "failed", 0, Some(("card_declined", "insufficient_funds")))]);
        let found = snapshot(open, charges, json!([]), json!([]));
        assert_eq!(shown(&found), ["Failed ch_1 1000 insufficient_funds"]);
    }

    #[test]
    fn a_payment_that_was_cancelled_while_it_was_processed_has_failed() {
        let cancelled = session("complete", intent("canceled", "automatic_async", 0, Value::Null));
        let found = snapshot(cancelled, json!([]), json!([]), json!([]));
        assert_eq!(shown(&found), ["Failed cs_1 1000 canceled"]);
    }

    #[test]
    fn reserved_money_is_captured_in_part_or_released() {
        let with = |status: &str, received| {
            session("complete", intent(status, "manual", received, Value::Null))
        };
        let authorised = || json!([charge("ch_1", "succeeded", 0, None)]);
        let none = || json!([]);
        let found = snapshot(with("requires_capture", 0), authorised(), none(), none());
        assert_eq!(shown(&found), ["Authorised pi_1 1000"]);
        let found = snapshot(with("canceled", 0), authorised(), none(), none());
        assert_eq!(shown(&found), ["Authorised pi_1 1000", "Voided pi_1 1000"]);
        let partial = json!([charge("ch_1", "succeeded", 600, None)]);
        let found = snapshot(with("succeeded", 600), partial, none(), none());
        assert_eq!(shown(&found), ["Authorised pi_1 1000", "Captured pi_1 600"]);
    }

    #[test]
    fn refunds_and_disputes_follow_in_the_order_of_their_time() {
        let paid =
            || session("complete", intent("succeeded", "automatic_async", 1000, Value::Null));
        let charges = || json!([charge("ch_1", "succeeded", 1000, None)]);
        let refunds =
            json!([refund("re_1", 100, "pending", 10), refund("re_2", 200, "failed", 30)]);
        let found = snapshot(paid(), charges(), refunds, json!([dispute("won", "usd", 20)]));
        assert_eq!(
            shown(&found),
            [
                "Captured pi_1 1000",
                "Refunded re_1 100",
                "Disputed dp_1 1000 fraudulent",
                "DisputeWon dp_1 1000",
                "Refunded re_2 200",
                "RefundFailed re_2 200 lost_or_stolen_card",
            ]
        );
        for (status, last) in [
            ("needs_response", "Disputed dp_1 1000 fraudulent"),
            ("lost", "DisputeLost dp_1 1000"),
            ("warning_needs_response", "Captured pi_1 1000"),
            ("prevented", "Captured pi_1 1000"),
        ] {
            let found = snapshot(paid(), charges(), json!([]), json!([dispute(status, "eur", 20)]));
            assert_eq!(shown(&found).last().unwrap(), last);
        }
    }
}
