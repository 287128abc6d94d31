//! Payments of orders. An order has any number of payments: a second one follows when the first is declined. Each has a
//! ledger of events, which only grows, and from which its state and sums follow (decision 037). Cash on delivery always
//! works; other ways to pay are offered when their provider (the crate `payment-providers`) is configured. What a payment
//! means for its order is decided in `settlement`. The only module that writes the tables `payment…`.

pub mod alerts;
mod apply;
mod calls;
mod ledger;
mod methods;
mod record;
mod store;
mod webhooks;

use payment_providers::GatewayKind;
use platform::{Id, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::OrderId;
use crate::string_enum::string_enum;

pub use alerts::{AlertKind, PaymentAlert};
pub(crate) use apply::{apply, refund_one};
pub use calls::{CallState, PaymentCall, SendCall, Verb};
pub(crate) use calls::{calls_of, refundable, request};
pub use ledger::{EventSource, Ledger, NewEvent, PaymentEvent, PaymentEventKind};
pub use methods::{AmountRange, Gateways, PaymentMethod, router, unavailable};
pub use record::{PaymentListener, Recorder, SendChange};
pub use store::{PaymentFilter, PaymentStore};
pub(crate) use store::{append, is_paid, lock, lock_of_order, of_order, of_orders, start};
pub(crate) use webhooks::delete_received;
pub use webhooks::{Intake, MAX_WEBHOOK_BYTES, ProcessWebhook, WebhookListener, WebhookOutcome};

string_enum! {
    /// How a shopper pays.
    #[derive(Default)]
    pub enum PaymentProvider {
        #[default]
        CashOnDelivery = "cash_on_delivery",
        /// By Stripe, like Google Pay.
        Card = "card",
        Paypal = "paypal",
        GooglePay = "google_pay",
        Bkash = "bkash",
        /// Cards, wallets and banks of Bangladesh.
        Sslcommerz = "sslcommerz",
        /// Nothing is left to pay: store credit pays the rest of the total.
        StoreCredit = "store_credit",
        /// Nothing is left to pay: gift cards cover the total.
        GiftCard = "gift_card",
    }
}

string_enum! {
    /// The state of one payment, which follows from its events.
    pub enum PaymentState {
        /// The shopper has not paid yet.
        Pending = "pending",
        /// The shopper has paid by a way that takes time, such as a bank transfer.
        Processing = "processing",
        /// Reserved, or to be collected by the courier; not captured.
        Authorised = "authorised",
        Captured = "captured",
        PartlyRefunded = "partly_refunded",
        Refunded = "refunded",
        Voided = "voided",
        Failed = "failed",
    }
}

string_enum! {
    /// How far an order is paid: all of its payments together.
    pub enum PaymentStatus {
        /// It is paid in cash when it is delivered.
        Unpaid = "unpaid",
        AwaitingPayment = "awaiting_payment",
        Processing = "processing",
        /// The amount is reserved, and taken when the order is shipped.
        Authorised = "authorised",
        PartlyPaid = "partly_paid",
        Paid = "paid",
        PartlyRefunded = "partly_refunded",
        Refunded = "refunded",
        /// The customer has asked the bank for the money back.
        Disputed = "disputed",
        /// Nothing is to be paid any more.
        Cancelled = "cancelled",
    }
}

impl PaymentProvider {
    /// What a shopper can choose.
    pub const ALL: [Self; 6] = [
        Self::CashOnDelivery,
        Self::Card,
        Self::GooglePay,
        Self::Paypal,
        Self::Bkash,
        Self::Sslcommerz,
    ];

    /// The name that shoppers see.
    pub fn title(self) -> &'static str {
        match self {
            Self::CashOnDelivery => "Cash on delivery",
            Self::Card => "Credit card",
            Self::Paypal => "PayPal",
            Self::GooglePay => "Google Pay",
            Self::Bkash => "bKash",
            Self::Sslcommerz => "SSLCommerz",
            Self::StoreCredit => "Store credit",
            Self::GiftCard => "Gift card",
        }
    }

    /// Who carries it; `None` where nobody is to be asked.
    pub fn gateway(self) -> Option<GatewayKind> {
        match self {
            Self::Card | Self::GooglePay => Some(GatewayKind::Stripe),
            Self::Paypal => Some(GatewayKind::Paypal),
            Self::Bkash => Some(GatewayKind::Bkash),
            Self::Sslcommerz => Some(GatewayKind::Sslcommerz),
            Self::CashOnDelivery | Self::StoreCredit | Self::GiftCard => None,
        }
    }

    /// Whether it is one of the specification's cards, which are shown although they are not configured.
    fn is_always_listed(self) -> bool {
        matches!(self, Self::CashOnDelivery | Self::Card | Self::Paypal | Self::GooglePay)
    }
}

pub type PaymentId = Id<Payment>;

/// A payment with what follows from its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Payment {
    pub id: PaymentId,
    pub order: OrderId,
    /// 0 for the first one of the order.
    pub place: i64,
    pub provider: PaymentProvider,
    /// What is to be paid with it.
    pub amount: Money,
    pub state: PaymentState,
    /// What is reserved now.
    pub authorised: Money,
    pub captured: Money,
    pub refunded: Money,
    pub disputed: bool,
    /// The provider's id of its session; empty until it is opened.
    pub reference: String,
    /// The provider's page; empty where there is none.
    pub redirect: String,
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
}

impl Payment {
    /// What is taken and not paid back.
    pub fn kept(&self) -> Money {
        self.captured - self.refunded
    }

    /// Whether the provider may still report a payment by itself.
    pub fn is_open(&self) -> bool {
        matches!(self.state, PaymentState::Pending | PaymentState::Processing)
    }
}

/// An order's payment, as the customer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderPayment {
    pub provider: PaymentProvider,
    pub state: PaymentState,
    pub amount: Money,
    /// The amount refunded so far.
    pub refunded: Money,
    pub changed_at: Timestamp,
    /// The provider's reason of a failure, such as `card_declined`; empty where there is none.
    pub code: String,
    /// Whether the customer has asked the bank for the money back.
    pub disputed: bool,
}

/// All payments of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderPayments {
    /// The oldest first.
    pub all: Vec<OrderPayment>,
    pub status: PaymentStatus,
}

impl OrderPayments {
    /// The latest one that was not in vain or, where all were, the latest.
    pub fn current(&self) -> Option<&OrderPayment> {
        let in_vain =
            |one: &&OrderPayment| !matches!(one.state, PaymentState::Failed | PaymentState::Voided);
        self.all.iter().rev().find(in_vain).or(self.all.last())
    }
}

/// What a step of an order does to its payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentAction {
    /// The goods leave: takes what is reserved.
    TakeReserved,
    /// The goods have arrived: the courier has collected the cash.
    Collect,
    /// Releases what is not captured, and refunds what is.
    Void,
    /// Pays back what the step says.
    Refund,
    /// The same, when all goods are returned.
    RefundLast,
}

/// The status of an order with this amount to pay.
pub fn payment_status(to_pay: Money, is_cancelled: bool, payments: &[Payment]) -> PaymentStatus {
    let zero = Money::zero(to_pay.currency());
    let sum = |amount: fn(&Payment) -> Money| payments.iter().map(amount).fold(zero, |a, b| a + b);
    let (captured, refunded) = (sum(|one| one.captured), sum(|one| one.refunded));
    let any = |state: PaymentState| payments.iter().any(|one| one.state == state);
    if payments.iter().any(|one| one.disputed) {
        PaymentStatus::Disputed
    } else if any(PaymentState::Refunded) && refunded >= captured {
        PaymentStatus::Refunded
    } else if refunded.is_positive() {
        PaymentStatus::PartlyRefunded
    } else if is_cancelled && !captured.is_positive() {
        PaymentStatus::Cancelled
    } else if captured >= to_pay {
        PaymentStatus::Paid
    } else if captured.is_positive() {
        PaymentStatus::PartlyPaid
    } else if payments.iter().all(|one| one.provider.gateway().is_none()) {
        PaymentStatus::Unpaid
    } else if any(PaymentState::Authorised) {
        PaymentStatus::Authorised
    } else if any(PaymentState::Processing) {
        PaymentStatus::Processing
    } else {
        PaymentStatus::AwaitingPayment
    }
}

/// An amount to pay, for a new payment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge<'c> {
    pub order: &'c OrderId,
    /// The order's number, which stands for a payment that has no provider.
    pub number: &'c str,
    pub amount: Money,
}
