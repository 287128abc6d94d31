//! The ledger of a payment: what has happened, and what follows from it. Pure.

use std::collections::BTreeMap;

use payment_providers::{Fact, FactKind};
use platform::{Currency, Money, Timestamp};
use serde::Serialize;

use super::PaymentState;
use crate::string_enum::string_enum;

string_enum! {
    pub enum PaymentEventKind {
        /// The provider has made a session for it.
        Opened = "opened",
        /// The shopper has paid by a way that takes time.
        Processing = "processing",
        Authorised = "authorised",
        Captured = "captured",
        /// An attempt failed, and the shopper can try again in the same session.
        Declined = "declined",
        /// Nothing was paid, and the session is over.
        Failed = "failed",
        /// What was reserved is released.
        Voided = "voided",
        Refunded = "refunded",
        /// A refund did not reach the customer.
        RefundFailed = "refund_failed",
        Disputed = "disputed",
        DisputeWon = "dispute_won",
        DisputeLost = "dispute_lost",
    }
}

string_enum! {
    /// Where an event was learned.
    pub enum EventSource {
        /// A step of the order.
        Order = "order",
        /// The shopper came back from the provider's page.
        Return = "return",
        Webhook = "webhook",
        Reconciliation = "reconciliation",
        Staff = "staff",
        /// It is from before there was a ledger.
        Migration = "migration",
    }
}

impl From<FactKind> for PaymentEventKind {
    fn from(kind: FactKind) -> Self {
        match kind {
            FactKind::Authorised => Self::Authorised,
            FactKind::Captured => Self::Captured,
            FactKind::Failed => Self::Failed,
            FactKind::Voided => Self::Voided,
            FactKind::Refunded => Self::Refunded,
            FactKind::RefundFailed => Self::RefundFailed,
            FactKind::Disputed => Self::Disputed,
            FactKind::DisputeWon => Self::DisputeWon,
            FactKind::DisputeLost => Self::DisputeLost,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentEvent {
    pub kind: PaymentEventKind,
    pub amount: Money,
    /// The provider's id of the charge, refund or dispute.
    pub reference: String,
    /// The provider's code of a failure.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub code: String,
    pub source: EventSource,
    pub at: Timestamp,
}

/// An event to be added, unless one of the same kind and reference is there.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    pub kind: PaymentEventKind,
    pub amount: Money,
    pub reference: String,
    pub code: String,
}

impl NewEvent {
    pub fn new(kind: PaymentEventKind, amount: Money, reference: impl Into<String>) -> Self {
        Self { kind, amount, reference: reference.into(), code: String::new() }
    }
}

impl From<Fact> for NewEvent {
    fn from(Fact { kind, reference, amount, code }: Fact) -> Self {
        Self { kind: kind.into(), amount, reference, code }
    }
}

/// What follows from the events of a payment, whatever their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ledger {
    pub state: PaymentState,
    /// What is reserved now.
    pub authorised: Money,
    pub captured: Money,
    pub refunded: Money,
    /// Whether a dispute is open or lost.
    pub disputed: bool,
}

impl Ledger {
    pub fn of<'e>(events: impl IntoIterator<Item = &'e PaymentEvent>, currency: Currency) -> Self {
        use PaymentEventKind as Kind;
        let zero = Money::zero(currency);
        let (mut reserved, mut captured, mut refunds) = (zero, zero, BTreeMap::new());
        let mut disputes = BTreeMap::new();
        let mut seen = Vec::new();
        for PaymentEvent { kind, amount, reference, .. } in events {
            seen.push(*kind);
            match kind {
                Kind::Authorised => reserved = reserved.max(*amount),
                Kind::Captured => captured = captured + *amount,
                Kind::Refunded => {
                    refunds.entry(reference).or_insert(*amount);
                }
                Kind::RefundFailed => {
                    refunds.insert(reference, zero);
                }
                Kind::Disputed | Kind::DisputeLost => {
                    disputes.entry(reference).or_insert(true);
                }
                Kind::DisputeWon => {
                    disputes.insert(reference, false);
                }
                Kind::Opened | Kind::Processing | Kind::Declined | Kind::Failed | Kind::Voided => {}
            }
        }
        let refunded = Money::sum(refunds.into_values(), currency);
        let has = |kind| seen.contains(&kind);
        let state = if has(Kind::Captured) {
            match () {
                // Also of nothing: gift cards and store credit have paid, and have it back.
                () if has(Kind::Refunded) && refunded >= captured => PaymentState::Refunded,
                () if refunded.is_positive() => PaymentState::PartlyRefunded,
                () => PaymentState::Captured,
            }
        } else if has(Kind::Voided) {
            PaymentState::Voided
        } else if has(Kind::Authorised) {
            PaymentState::Authorised
        } else if has(Kind::Failed) {
            PaymentState::Failed
        } else if has(Kind::Processing) {
            PaymentState::Processing
        } else {
            PaymentState::Pending
        };
        // The rest of a partial capture is released.
        let is_reserved = state == PaymentState::Authorised;
        let authorised = if is_reserved { reserved } else { zero };
        let disputed = disputes.into_values().any(|is_open| is_open);
        Self { state, authorised, captured, refunded, disputed }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(kind: PaymentEventKind, amount: i64, reference: &str) -> PaymentEvent {
        PaymentEvent {
            kind,
            amount: Money::new(amount, Currency::USD),
            reference: reference.to_owned(),
            code: String::new(),
            source: EventSource::Webhook,
            at: Timestamp(0),
        }
    }

    fn ledger(events: &[PaymentEvent]) -> Ledger {
        Ledger::of(events, Currency::USD)
    }

    #[test]
    fn the_state_follows_from_the_events() {
        use PaymentEventKind as Kind;
        use PaymentState as State;
        let opened = event(Kind::Opened, 0, "s");
        let captured = event(Kind::Captured, 500, "c");
        let cases: Vec<(Vec<PaymentEvent>, State, i64)> = vec![
            (vec![], State::Pending, 0),
            (vec![opened.clone()], State::Pending, 0),
            (vec![opened.clone(), event(Kind::Processing, 500, "s")], State::Processing, 0),
            (vec![opened.clone(), event(Kind::Failed, 500, "f")], State::Failed, 0),
            // An attempt that failed, and one that worked.
            (vec![event(Kind::Failed, 500, "f"), captured.clone()], State::Captured, 500),
            (vec![event(Kind::Authorised, 500, "a")], State::Authorised, 0),
            (
                vec![event(Kind::Authorised, 500, "a"), event(Kind::Voided, 500, "a")],
                State::Voided,
                0,
            ),
            (vec![captured.clone(), event(Kind::Refunded, 200, "r")], State::PartlyRefunded, 300),
            (
                vec![
                    captured.clone(),
                    event(Kind::Refunded, 200, "r"),
                    event(Kind::Refunded, 300, "q"),
                ],
                State::Refunded,
                0,
            ),
            (
                vec![
                    captured.clone(),
                    event(Kind::Refunded, 500, "r"),
                    event(Kind::RefundFailed, 500, "r"),
                ],
                State::Captured,
                500,
            ),
            // Paid by store credit alone.
            (vec![event(Kind::Captured, 0, "o")], State::Captured, 0),
        ];
        for (events, state, kept) in cases {
            let ledger = ledger(&events);
            assert_eq!(ledger.state, state, "{events:?}");
            assert_eq!((ledger.captured - ledger.refunded).minor(), kept, "{events:?}");
        }
    }

    #[test]
    fn a_won_dispute_is_no_dispute() {
        use PaymentEventKind as Kind;
        let mut events = vec![event(Kind::Captured, 500, "c"), event(Kind::Disputed, 500, "d")];
        assert!(ledger(&events).disputed);
        events.push(event(Kind::DisputeWon, 500, "d"));
        assert!(!ledger(&events).disputed);
        events.push(event(Kind::DisputeLost, 500, "e"));
        assert!(ledger(&events).disputed);
    }

    proptest! {
        /// Webhooks arrive in any order.
        #[test]
        fn the_order_of_events_does_not_matter(
            events in proptest::collection::vec((0usize..11, 1i64..1000, 0usize..3), 0..12),
            turn in any::<proptest::sample::Index>(),
        ) {
            use PaymentEventKind as Kind;
            let kinds = [
                Kind::Opened, Kind::Processing, Kind::Authorised, Kind::Captured, Kind::Failed, Kind::Voided,
                Kind::Refunded, Kind::RefundFailed, Kind::Disputed, Kind::DisputeWon, Kind::DisputeLost,
            ];
            let references = ["a", "b", "c"];
            let mut events: Vec<PaymentEvent> =
                events.into_iter().map(|(kind, amount, at)| event(kinds[kind], amount, references[at])).collect();
            // The database keeps the first of a kind and reference.
            let mut known = std::collections::BTreeSet::new();
            events.retain(|one| known.insert((one.kind.as_str(), one.reference.clone())));
            let before = ledger(&events);
            if !events.is_empty() {
                let middle = turn.index(events.len());
                events.rotate_left(middle);
                events.reverse();
            }
            prop_assert_eq!(ledger(&events), before);
        }
    }
}
