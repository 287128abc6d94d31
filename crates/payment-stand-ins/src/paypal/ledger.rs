//! The state of the stand-in, which follows from its events.

use std::collections::BTreeMap;
use std::time::Duration;

use platform::{Currency, Timestamp};

use super::events::{Event, Funding, NewOrder, NewRefund, Outcome, Request};
use crate::BookEntry;

/// An order that is not captured in this time, since it was created or approved, is forgotten.
const ORDER_LIFE: Duration = Duration::from_secs(3 * 3600);
/// How long the ids of requests for orders and captures are known; for refunds it is 45 days.
const KEY_LIFE: Duration = Duration::from_secs(6 * 3600);
const REFUND_KEY_LIFE: Duration = Duration::from_secs(45 * 24 * 3600);

#[derive(Default)]
pub struct Ledger {
    pub orders: BTreeMap<String, Order>,
    pub captures: BTreeMap<String, Capture>,
    pub refunds: BTreeMap<String, Refund>,
    pub disputes: BTreeMap<String, Dispute>,
    requests: BTreeMap<(Scope, String), Seen>,
}

/// Keys of different calls are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Order,
    Capture,
    Refund,
}

struct Seen {
    fingerprint: String,
    result: String,
    at: Timestamp,
}

/// What is known of a request's id.
#[derive(Debug, PartialEq, Eq)]
pub enum Repeated {
    New,
    /// The id of what the same request made before.
    Same(String),
    /// The id was used for something else.
    Other,
}

pub struct Order {
    pub new: NewOrder,
    pub created_at: Timestamp,
    pub approved: Option<(Funding, Timestamp)>,
    /// Whether a capture was refused since the last approval.
    pub declined: bool,
    pub capture: Option<String>,
}

pub struct Capture {
    pub id: String,
    pub order: String,
    pub minor: i64,
    pub currency: Currency,
    pub outcome: Outcome,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

pub struct Refund {
    pub new: NewRefund,
    pub status: RefundStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundStatus {
    Completed,
    Pending,
    Failed,
}

pub struct Dispute {
    pub id: String,
    pub capture: String,
    pub minor: i64,
    /// Whether it was lost, once it is resolved.
    pub lost: Option<bool>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Order {
    pub fn status(&self) -> &'static str {
        match (&self.capture, self.approved) {
            (Some(_), _) => "COMPLETED",
            (None, Some(_)) => "APPROVED",
            (None, None) => "PAYER_ACTION_REQUIRED",
        }
    }
}

impl Capture {
    pub fn is_paid(&self) -> bool {
        self.outcome == Outcome::Completed
    }
}

impl RefundStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "COMPLETED",
            Self::Pending => "PENDING",
            Self::Failed => "FAILED",
        }
    }
}

impl Ledger {
    pub fn apply(&mut self, event: Event) {
        match event {
            Event::OrderCreated { order, request, at } => {
                self.remember(Scope::Order, Some(request), &order.id, at);
                let id = order.id.clone();
                let order = Order {
                    new: order,
                    created_at: at,
                    approved: None,
                    declined: false,
                    capture: None,
                };
                self.orders.insert(id, order);
            }
            Event::Approved { order, funding, at } => {
                if let Some(order) = self.orders.get_mut(&order) {
                    (order.approved, order.declined) = (Some((funding, at)), false);
                }
            }
            Event::Declined { order } => {
                if let Some(order) = self.orders.get_mut(&order) {
                    order.declined = true;
                }
            }
            Event::Captured { order, capture, outcome, request, at } => {
                self.remember(Scope::Capture, request, &order, at);
                self.capture(&order, capture, outcome, at);
            }
            Event::Reviewed { capture, completed, at } => {
                if let Some(capture) = self.captures.get_mut(&capture) {
                    capture.outcome =
                        if completed { Outcome::Completed } else { Outcome::Declined };
                    capture.updated_at = at;
                }
            }
            Event::Refunded { refund, request, at } => {
                self.remember(Scope::Refund, request, &refund.id, at);
                let status =
                    if refund.pending { RefundStatus::Pending } else { RefundStatus::Completed };
                let id = refund.id.clone();
                self.refunds
                    .insert(id, Refund { new: refund, status, created_at: at, updated_at: at });
            }
            Event::RefundDecided { refund, completed, at } => {
                if let Some(refund) = self.refunds.get_mut(&refund) {
                    refund.status =
                        if completed { RefundStatus::Completed } else { RefundStatus::Failed };
                    refund.updated_at = at;
                }
            }
            Event::Disputed { dispute: id, capture, minor, at } => {
                let dispute = Dispute {
                    id: id.clone(),
                    capture,
                    minor,
                    lost: None,
                    created_at: at,
                    updated_at: at,
                };
                self.disputes.insert(id, dispute);
            }
            Event::DisputeResolved { dispute, lost, at } => {
                if let Some(dispute) = self.disputes.get_mut(&dispute) {
                    (dispute.lost, dispute.updated_at) = (Some(lost), at);
                }
            }
        }
    }

    fn capture(&mut self, order_id: &str, id: String, outcome: Outcome, at: Timestamp) {
        let Some(order) = self.orders.get_mut(order_id) else { return };
        order.capture = Some(id.clone());
        let NewOrder { minor, currency, .. } = order.new;
        let order = order_id.to_owned();
        let capture = Capture {
            id: id.clone(),
            order,
            minor,
            currency,
            outcome,
            created_at: at,
            updated_at: at,
        };
        self.captures.insert(id, capture);
    }

    fn remember(&mut self, scope: Scope, request: Option<Request>, result: &str, at: Timestamp) {
        if let Some(Request { key, fingerprint }) = request {
            let seen = Seen { fingerprint, result: result.to_owned(), at };
            self.requests.insert((scope, key), seen);
        }
    }

    pub fn repeated(&self, scope: Scope, request: &Request, now: Timestamp) -> Repeated {
        let life = if scope == Scope::Refund { REFUND_KEY_LIFE } else { KEY_LIFE };
        match self.requests.get(&(scope, request.key.clone())) {
            Some(seen) if now.since(seen.at) > life => Repeated::New,
            Some(seen) if seen.fingerprint == request.fingerprint => {
                Repeated::Same(seen.result.clone())
            }
            Some(_) => Repeated::Other,
            None => Repeated::New,
        }
    }

    pub fn has(&self, id: &str) -> bool {
        self.orders.contains_key(id)
            || self.captures.contains_key(id)
            || self.refunds.contains_key(id)
    }

    /// An order that is not forgotten.
    pub fn order(&self, id: &str, now: Timestamp) -> Option<&Order> {
        self.orders.get(id).filter(|order| {
            let latest = order.approved.map_or(order.created_at, |(_, at)| at);
            order.capture.is_some() || now.since(latest) <= ORDER_LIFE
        })
    }

    /// Whether an order with this invoice id was paid, which an account can be set to allow only once.
    pub fn is_invoice_paid(&self, invoice_id: &str) -> bool {
        let mut paid = self.orders.values().filter(|order| order.capture.is_some());
        paid.any(|order| order.new.invoice_id.as_deref() == Some(invoice_id))
    }

    pub fn order_of(&self, capture: &Capture) -> Option<&NewOrder> {
        self.orders.get(&capture.order).map(|order| &order.new)
    }

    pub fn refunds_of(&self, capture: &str) -> impl Iterator<Item = &Refund> {
        self.refunds.values().filter(move |refund| refund.new.capture == capture)
    }

    /// What is, or is being, paid back.
    pub fn refunded(&self, capture: &str) -> i64 {
        let refunds =
            self.refunds_of(capture).filter(|refund| refund.status != RefundStatus::Failed);
        refunds.map(|refund| refund.new.minor).sum()
    }

    pub fn disputes_of(&self, capture: &str) -> impl Iterator<Item = &Dispute> {
        self.disputes.values().filter(move |dispute| dispute.capture == capture)
    }

    pub fn capture_status(&self, capture: &Capture) -> &'static str {
        match (capture.outcome, self.refunded(&capture.id)) {
            (Outcome::Pending, _) => "PENDING",
            (Outcome::Declined, _) => "DECLINED",
            (_, refunded) if refunded >= capture.minor => "REFUNDED",
            // PayPal says so of a disputed one, too.
            (_, refunded) if refunded > 0 => "PARTIALLY_REFUNDED",
            _ if self.disputes_of(&capture.id).any(|dispute| dispute.lost.is_none()) => {
                "PARTIALLY_REFUNDED"
            }
            _ => "COMPLETED",
        }
    }

    pub fn entries(&self) -> Vec<BookEntry> {
        let paid = self.captures.values().filter(|capture| capture.is_paid());
        paid.filter_map(|capture| {
            Some(BookEntry {
                provider: "paypal",
                payment: self.order_of(capture)?.custom_id.clone().unwrap_or_default(),
                currency: capture.currency.code().to_owned(),
                captured: capture.minor,
                refunded: self.refunded(&capture.id),
                authorised: 0,
            })
        })
        .collect()
    }
}
