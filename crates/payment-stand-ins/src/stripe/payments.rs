//! What can happen to a payment: attempts, captures, refunds, disputes, and what the clock brings.

use super::cards::{Decline, TestCard};
use super::error::ApiError;
use super::model::{
    Cancelled, CaptureMethod, Charge, ChargeStatus, Dispute, DisputeStatus, Due, DueEvent, Intent,
    IntentStatus, Metadata, Method, PaymentError, Refund, RefundStatus, Session, SessionStatus,
};
use super::{Subject, Tx};

const DELAYED_MS: i64 = 10_000;
const DISPUTED_AFTER_MS: i64 = 5_000;
/// How long a card's bank reserves an amount.
const RESERVED_MS: i64 = 7 * 24 * 3_600_000;

/// A refund that is asked for.
pub struct RefundRequest {
    pub charge: Charge,
    /// All that is left where it is not said.
    pub amount: Option<i64>,
    pub reason: Option<String>,
    pub metadata: Metadata,
}

impl Tx<'_> {
    /// Expires sessions and reservations, and settles what is due.
    pub fn do_what_is_due(&mut self) {
        let now = self.now;
        let sessions = self.state.sessions.iter();
        let expired =
            sessions.filter(|one| one.status == SessionStatus::Open && one.expires_at <= now);
        for session in expired.cloned().collect::<Vec<_>>() {
            self.expire(session);
        }
        let due = self.state.charges.iter().filter(|one| one.due.is_some_and(|due| due.at <= now));
        for charge in due.cloned().collect::<Vec<_>>() {
            self.settle_due(charge);
        }
        let intents = self.state.intents.iter();
        let lapsed = |one: &&Intent| {
            one.status == IntentStatus::RequiresCapture && one.created + RESERVED_MS <= now
        };
        for intent in intents.filter(lapsed).cloned().collect::<Vec<_>>() {
            self.cancel_intent(intent, Some("expired".to_owned()));
        }
    }

    fn settle_due(&mut self, charge: Charge) {
        match charge.due.map(|due| due.event) {
            Some(DueEvent::Succeed) => self.settle(charge, true),
            Some(DueEvent::Fail) => self.settle(charge, false),
            Some(DueEvent::Dispute) => self.dispute(charge),
            None => {}
        }
    }

    pub fn expire(&mut self, session: Session) {
        let intent = self.state.intent_of(&session).cloned();
        let unfinished = [IntentStatus::RequiresPaymentMethod, IntentStatus::RequiresAction];
        if let Some(intent) = intent.filter(|intent| unfinished.contains(&intent.status)) {
            self.cancel_intent(intent, None);
        }
        self.notify("checkout.session.expired", Subject::Session(session.id.clone()));
        self.put_session(Session { status: SessionStatus::Expired, ..session });
    }

    pub fn cancel_intent(&mut self, intent: Intent, reason: Option<String>) {
        self.notify("payment_intent.canceled", Subject::Intent(intent.id.clone()));
        let cancelled = Some(Cancelled { at: self.now, reason });
        self.put_intent(Intent {
            status: IntentStatus::Canceled,
            cancelled,
            authenticating: None,
            ..intent
        });
    }

    /// The intent of a session, made with the first attempt to pay.
    fn intent_for(&mut self, session: &Session) -> Intent {
        if let Some(intent) = self.state.intent_of(session) {
            return intent.clone();
        }
        let intent = Intent {
            id: self.new_id("pi_"),
            session: session.id.clone(),
            status: IntentStatus::RequiresPaymentMethod,
            amount: session.amount,
            currency: session.currency.clone(),
            received: 0,
            capture_method: session.capture_method,
            metadata: session.intent_metadata.clone(),
            last_error: None,
            latest_charge: None,
            authenticating: None,
            cancelled: None,
            created: self.now,
        };
        self.put_session(Session { intent: Some(intent.id.clone()), ..session.clone() });
        self.notify("payment_intent.created", Subject::Intent(intent.id.clone()));
        intent
    }

    fn new_charge(&self, intent: &Intent, status: ChargeStatus, method: Method) -> Charge {
        let is_captured =
            status == ChargeStatus::Succeeded && intent.capture_method != CaptureMethod::Manual;
        Charge {
            id: self.new_id(if method == Method::BankDebit { "py_" } else { "ch_" }),
            intent: intent.id.clone(),
            status,
            amount: intent.amount,
            captured: if is_captured { intent.amount } else { 0 },
            refunded: 0,
            currency: intent.currency.clone(),
            metadata: intent.metadata.clone(),
            method,
            failure: None,
            disputed: false,
            due: None,
            created: self.now,
        }
    }

    /// An attempt with a test card, whose holder may have to authenticate first.
    pub fn pay_by_card(&mut self, session: &Session, card: TestCard) {
        let intent = self.intent_for(session);
        if card.outcome.authenticates() {
            let authenticating = Some(card.number.to_owned());
            self.notify("payment_intent.requires_action", Subject::Intent(intent.id.clone()));
            self.put_intent(Intent {
                status: IntentStatus::RequiresAction,
                authenticating,
                ..intent
            });
        } else {
            self.charge_card(intent, card);
        }
    }

    /// What follows from the page of the card's bank.
    pub fn authenticated(&mut self, session: &Session, is_authentic: bool) {
        let Some(intent) = self.state.intent_of(session).cloned() else { return };
        let card = intent.authenticating.as_deref().and_then(TestCard::find);
        let intent = Intent { authenticating: None, ..intent };
        match card {
            Some(card) if is_authentic => self.charge_card(intent, card),
            _ => self.fail(intent, None, Decline::authentication()),
        }
    }

    fn charge_card(&mut self, intent: Intent, card: TestCard) {
        let method = Method::Card { last4: card.last4().to_owned() };
        if let Some(decline) = card.outcome.decline() {
            let charge = self.new_charge(&intent, ChargeStatus::Failed, method);
            let charge = Charge { failure: Some(decline.clone()), ..charge };
            return self.fail(intent, Some(charge), decline);
        }
        let is_disputed = card.outcome == super::cards::CardOutcome::Disputed;
        let due = is_disputed
            .then_some(Due { at: self.now + DISPUTED_AFTER_MS, event: DueEvent::Dispute });
        let charge = self.new_charge(&intent, ChargeStatus::Succeeded, method);
        self.succeed(intent, Charge { due, ..charge });
    }

    pub fn pay_by_wallet(&mut self, session: &Session) {
        let intent = self.intent_for(session);
        let charge = self.new_charge(&intent, ChargeStatus::Succeeded, Method::GooglePay);
        self.succeed(intent, charge);
    }

    /// The session is complete, and the payment is decided later.
    pub fn pay_by_bank(&mut self, session: &Session, succeeds: bool) {
        let intent = self.intent_for(session);
        let event = if succeeds { DueEvent::Succeed } else { DueEvent::Fail };
        let charge = self.new_charge(&intent, ChargeStatus::Pending, Method::BankDebit);
        let charge = Charge { due: Some(Due { at: self.now + DELAYED_MS, event }), ..charge };
        self.notify("payment_intent.processing", Subject::Intent(intent.id.clone()));
        self.notify("charge.pending", Subject::Charge(charge.id.clone()));
        let latest_charge = Some(charge.id.clone());
        self.complete(&intent.session);
        self.put_intent(Intent {
            status: IntentStatus::Processing,
            latest_charge,
            last_error: None,
            ..intent
        });
        self.put_charge(charge);
    }

    /// What the bank says of a delayed payment.
    pub fn settle(&mut self, charge: Charge, succeeds: bool) {
        let Some(intent) = self.state.intents.get(&charge.intent).cloned() else { return };
        let session = intent.session.clone();
        if succeeds {
            let captured = charge.amount;
            self.notify("checkout.session.async_payment_succeeded", Subject::Session(session));
            let charge = Charge { status: ChargeStatus::Succeeded, captured, due: None, ..charge };
            return self.succeed(intent, charge);
        }
        self.notify("checkout.session.async_payment_failed", Subject::Session(session));
        let failure = Some(Decline::bank());
        let charge = Charge { status: ChargeStatus::Failed, failure, due: None, ..charge };
        self.fail(intent, Some(charge), Decline::bank());
    }

    fn succeed(&mut self, intent: Intent, charge: Charge) {
        let (status, received, kind) = match intent.capture_method {
            CaptureMethod::Manual => {
                (IntentStatus::RequiresCapture, 0, "payment_intent.amount_capturable_updated")
            }
            CaptureMethod::AutomaticAsync => {
                (IntentStatus::Succeeded, charge.captured, "payment_intent.succeeded")
            }
        };
        self.notify("charge.succeeded", Subject::Charge(charge.id.clone()));
        self.notify(kind, Subject::Intent(intent.id.clone()));
        self.complete(&intent.session);
        let latest_charge = Some(charge.id.clone());
        self.put_intent(Intent { status, received, latest_charge, last_error: None, ..intent });
        self.put_charge(charge);
    }

    /// The shopper can try again while the session is open.
    fn fail(&mut self, intent: Intent, charge: Option<Charge>, decline: Decline) {
        let id = charge.as_ref().map(|charge| charge.id.clone());
        self.notify("payment_intent.payment_failed", Subject::Intent(intent.id.clone()));
        if let Some(charge) = charge {
            self.notify("charge.failed", Subject::Charge(charge.id.clone()));
            self.put_charge(charge);
        }
        self.put_intent(Intent {
            status: IntentStatus::RequiresPaymentMethod,
            last_error: Some(PaymentError { charge: id.clone(), decline }),
            latest_charge: id.or_else(|| intent.latest_charge.clone()),
            ..intent
        });
    }

    fn complete(&mut self, session: &str) {
        let open = self.state.sessions.get(session).filter(|one| one.status == SessionStatus::Open);
        if let Some(session) = open.cloned() {
            self.notify("checkout.session.completed", Subject::Session(session.id.clone()));
            self.put_session(Session { status: SessionStatus::Complete, ..session });
        }
    }

    pub fn capture(&mut self, intent: Intent, amount: Option<i64>) -> Result<(), ApiError> {
        let amount = amount.unwrap_or(intent.amount);
        let charge = self.state.latest_charge(&intent).cloned();
        let Some(charge) = charge.filter(|_| intent.status == IntentStatus::RequiresCapture) else {
            return Err(unexpected_state(&intent, "captured"));
        };
        if amount > intent.amount {
            let message = "The payment could not be captured because the requested capture amount is greater than the \
                           authorized amount.";
            return Err(
                ApiError::state(Some("amount_too_large"), message).of_param("amount_to_capture")
            );
        }
        self.notify("charge.captured", Subject::Charge(charge.id.clone()));
        self.notify("payment_intent.succeeded", Subject::Intent(intent.id.clone()));
        self.put_charge(Charge { captured: amount, ..charge });
        self.put_intent(Intent { status: IntentStatus::Succeeded, received: amount, ..intent });
        Ok(())
    }

    pub fn refund(&mut self, request: RefundRequest) -> Result<Refund, ApiError> {
        let RefundRequest { charge, amount, reason, metadata } = request;
        let left = charge.captured - charge.refunded;
        let amount = amount.unwrap_or(left);
        self.check_refund(&charge, amount, left)?;
        let refund = Refund {
            id: self.new_id("re_"),
            charge: charge.id.clone(),
            intent: charge.intent.clone(),
            status: RefundStatus::Succeeded,
            amount,
            currency: charge.currency.clone(),
            reason,
            metadata,
            created: self.now,
        };
        self.notify("refund.created", Subject::Refund(refund.id.clone()));
        self.notify("charge.refunded", Subject::Charge(charge.id.clone()));
        self.put_charge(Charge { refunded: charge.refunded + amount, ..charge });
        self.put_refund(refund.clone());
        Ok(refund)
    }

    fn check_refund(&self, charge: &Charge, amount: i64, left: i64) -> Result<(), ApiError> {
        let mut disputes = self.state.disputes.iter();
        if disputes.any(|one| one.charge == charge.id && one.status != DisputeStatus::Won) {
            let message =
                format!("Charge {} has been charged back; cannot issue a refund.", charge.id);
            return Err(ApiError::state(Some("charge_disputed"), message));
        }
        if left == 0 {
            let message = format!("Charge {} has already been refunded.", charge.id);
            return Err(ApiError::state(Some("charge_already_refunded"), message));
        }
        if amount > left {
            let shown = |amount| super::money::money(amount, &charge.currency).to_string();
            let message = format!(
                "Refund amount ({}) is greater than unrefunded amount on charge ({})",
                shown(amount),
                shown(left)
            );
            return Err(ApiError::state(None, message).of_param("amount"));
        }
        Ok(())
    }

    /// The bank of the customer gives a refund back.
    pub fn fail_refund(&mut self, refund: Refund) {
        let charge = self.state.charges.get(&refund.charge).cloned();
        let Some(charge) = charge.filter(|_| refund.status == RefundStatus::Succeeded) else {
            return;
        };
        for kind in ["refund.updated", "refund.failed", "charge.refund.updated"] {
            self.notify(kind, Subject::Refund(refund.id.clone()));
        }
        self.put_charge(Charge { refunded: charge.refunded - refund.amount, ..charge });
        self.put_refund(Refund { status: RefundStatus::Failed, ..refund });
    }

    /// The holder of the card disputes what was captured, once.
    pub fn dispute(&mut self, charge: Charge) {
        let charge = Charge { due: None, ..charge };
        let left = charge.captured - charge.refunded;
        if charge.disputed || left == 0 {
            return self.put_charge(charge);
        }
        let dispute = Dispute {
            id: self.new_id("dp_"),
            charge: charge.id.clone(),
            intent: charge.intent.clone(),
            status: DisputeStatus::NeedsResponse,
            amount: left,
            currency: charge.currency.clone(),
            created: self.now,
        };
        for kind in ["charge.dispute.created", "charge.dispute.funds_withdrawn"] {
            self.notify(kind, Subject::Dispute(dispute.id.clone()));
        }
        self.put_charge(Charge { disputed: true, ..charge });
        self.put_dispute(dispute);
    }

    pub fn close_dispute(&mut self, dispute: Dispute, status: DisputeStatus) {
        if dispute.status != DisputeStatus::NeedsResponse {
            return;
        }
        self.notify("charge.dispute.closed", Subject::Dispute(dispute.id.clone()));
        if status == DisputeStatus::Won {
            self.notify("charge.dispute.funds_reinstated", Subject::Dispute(dispute.id.clone()));
        }
        self.put_dispute(Dispute { status, ..dispute });
    }
}

pub fn unexpected_state(intent: &Intent, done: &str) -> ApiError {
    let status = serde_json::json!(intent.status);
    let status = status.as_str().unwrap_or_default();
    let message = format!(
        "This PaymentIntent could not be {done} because it has a status of {status}. Only a PaymentIntent with one of \
         the following statuses may be {done}: requires_capture."
    );
    ApiError::state(Some("payment_intent_unexpected_state"), message)
}
