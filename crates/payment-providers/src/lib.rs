//! The protocols of payment providers: Stripe, SSLCommerz, bKash and PayPal, each in its own file. They call the
//! provider's API and verify its webhooks; what follows for a payment and its order is decided in `shop`.
//!
//! Every provider shows the payment on a page of its own, to which the shopper is redirected (hosted checkout). What
//! comes back, by the browser or by a webhook, is only a hint that something has changed: the truth is what `fetch`
//! answers.

mod api;
mod attempts;
mod bkash;
mod paypal;
mod settings;
mod sslcommerz;
mod stripe;

use std::fmt;
use std::sync::Arc;

use axum::http::HeaderMap;
use platform::{Currency, Language, Money, Timestamp};

pub use bkash::Bkash;
pub use paypal::Paypal;
pub use settings::{Capture, PaymentSettings};
pub use sslcommerz::Sslcommerz;
pub use stripe::Stripe;

/// The payment providers; the name is that of webhooks, settings and the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GatewayKind {
    Stripe,
    Sslcommerz,
    Bkash,
    Paypal,
}

impl GatewayKind {
    pub const ALL: [Self; 4] = [Self::Stripe, Self::Sslcommerz, Self::Bkash, Self::Paypal];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
            Self::Sslcommerz => "sslcommerz",
            Self::Bkash => "bkash",
            Self::Paypal => "paypal",
        }
    }

    /// As people write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Stripe => "Stripe",
            Self::Sslcommerz => "SSLCommerz",
            Self::Bkash => "bKash",
            Self::Paypal => "PayPal",
        }
    }
}

impl std::str::FromStr for GatewayKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| format!("{name} is not a payment provider"))
    }
}

impl fmt::Display for GatewayKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A payment provider with its configuration. Cheap to clone.
#[derive(Clone)]
pub enum Gateway {
    Stripe(Arc<Stripe>),
    Sslcommerz(Arc<Sslcommerz>),
    Bkash(Arc<Bkash>),
    Paypal(Arc<Paypal>),
}

/// A payment to be made at the provider.
#[derive(Clone, Debug)]
pub struct OpenRequest<'r> {
    /// Our id of the payment, 26 characters: the provider's merchant reference, and what repeated calls are recognised by.
    pub payment: &'r str,
    pub order_number: &'r str,
    pub amount: Money,
    /// What the shopper reads on the provider's page.
    pub title: &'r str,
    pub language: Language,
    pub customer: CustomerDetails<'r>,
    /// Where the provider's page sends the browser afterwards, whatever the outcome is. It has a query already.
    pub return_url: &'r str,
    /// Where the provider sends its webhooks, for those that are told it with each payment.
    pub webhook_url: &'r str,
    /// After this the shopper is not to pay any more.
    pub expires_at: Timestamp,
    pub now: Timestamp,
    /// Whether the money is only reserved now and captured later, where the provider can do that.
    pub reserve_only: bool,
}

/// What providers want to know of the customer. Empty where it is not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct CustomerDetails<'c> {
    pub name: &'c str,
    pub email: &'c str,
    pub phone: &'c str,
    /// In one line.
    pub address: &'c str,
    pub city: &'c str,
    pub postcode: &'c str,
    /// A code of ISO 3166.
    pub country: &'c str,
}

/// The provider's session for a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The provider's id of the session.
    pub reference: String,
    /// The provider's page.
    pub redirect: String,
}

/// A payment that the provider knows.
#[derive(Clone, Copy, Debug)]
pub struct SessionRef<'p> {
    /// Our id of the payment.
    pub payment: &'p str,
    /// `Opened::reference`.
    pub reference: &'p str,
    pub amount: Money,
    /// The reference of the latest fact `Authorised` or `Captured`.
    pub charge: Option<&'p str>,
}

/// The provider's present truth about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub status: SessionStatus,
    /// Everything that has happened so far, the oldest first. Each fact is in every later snapshot again.
    pub facts: Vec<Fact>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStatus {
    /// The shopper can pay.
    Open,
    /// The shopper has agreed, and the provider waits for `complete`.
    Approved,
    /// The provider works on it; it may succeed or fail.
    Processing,
    /// The shopper cannot pay with it (any more): it is paid, has failed, was cancelled or has expired.
    Closed,
}

/// Something that has happened to a payment, by the provider's own id. The same kind with the same reference is the same fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub kind: FactKind,
    /// The provider's id of the charge, refund or dispute.
    pub reference: String,
    pub amount: Money,
    /// The provider's code of a failure, such as `card_declined`; empty otherwise.
    pub code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// The amount is reserved.
    Authorised,
    Captured,
    /// An attempt failed, or the session was cancelled or has expired without a payment.
    Failed,
    /// A reserved amount was released.
    Voided,
    Refunded,
    /// A refund that was a fact before did not reach the customer.
    RefundFailed,
    Disputed,
    DisputeWon,
    DisputeLost,
}

/// What a verified webhook says has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookEvent {
    /// The provider's id of the event; the same one is delivered repeatedly.
    pub id: String,
    /// The provider's name for what happened, for the log.
    pub kind: String,
    pub subject: WebhookSubject,
}

/// Which payment a webhook is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookSubject {
    /// Our id of the payment.
    Payment(String),
    /// The provider's id of the session, charge, refund or dispute, as in `Opened` and `Fact`.
    Reference(String),
    /// Something that is no payment.
    Other,
}

/// Why a webhook is refused. The text is logged, and never contains what was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The signature is missing, wrong, or not of this time.
    #[error("{0}")]
    Unverified(&'static str),
    /// The signature is right, but the content is not understood.
    #[error("{0}")]
    Malformed(&'static str),
    /// The provider, which verifies the signature itself, cannot be asked now.
    #[error("{0}")]
    Unavailable(String),
}

/// Why a call failed. The text never contains keys or what the shopper typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// No usable answer: whether the call took effect is not known, and it can be repeated with the same key.
    #[error("{0}")]
    Unavailable(String),
    /// The provider refused, and would refuse the same call again.
    #[error("{code}: {message}")]
    Refused { code: String, message: String },
}

impl GatewayError {
    pub fn refused(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Refused { code: code.into(), message: message.into() }
    }
}

pub type GatewayResult<T> = Result<T, GatewayError>;

/// A charge in the provider's own list, for the comparison of the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCharge {
    /// Of the fact `Captured`.
    pub reference: String,
    /// Our id of the payment, where the provider kept it.
    pub payment: Option<String>,
    pub captured: Money,
    pub refunded: Money,
}

/// Calls the method of whichever provider it is.
macro_rules! each {
    ($gateway:expr, $one:ident => $call:expr) => {
        match $gateway {
            Gateway::Stripe($one) => $call,
            Gateway::Sslcommerz($one) => $call,
            Gateway::Bkash($one) => $call,
            Gateway::Paypal($one) => $call,
        }
    };
}

impl Gateway {
    pub fn kind(&self) -> GatewayKind {
        match self {
            Self::Stripe(_) => GatewayKind::Stripe,
            Self::Sslcommerz(_) => GatewayKind::Sslcommerz,
            Self::Bkash(_) => GatewayKind::Bkash,
            Self::Paypal(_) => GatewayKind::Paypal,
        }
    }

    /// The least and the most that can be paid in a currency; `None` where it is not accepted.
    pub fn range(&self, currency: Currency) -> Option<(Money, Money)> {
        each!(self, one => one.range(currency))
    }

    /// Whether an amount can be reserved and captured later.
    pub fn can_reserve(&self) -> bool {
        matches!(self, Self::Stripe(_))
    }

    /// The origins of the pages to which shoppers are redirected, such as `https://checkout.stripe.com`.
    pub fn page_origins(&self) -> Vec<String> {
        each!(self, one => one.page_origins())
    }

    /// Begins a payment. Repeated for the same payment, it answers the same session, or another one for the same amount;
    /// then the first is cancelled or expires unpaid.
    pub async fn open(&self, request: &OpenRequest<'_>) -> GatewayResult<Opened> {
        each!(self, one => one.open(request).await)
    }

    pub async fn fetch(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        each!(self, one => one.fetch(session).await)
    }

    /// Takes the money of an `Approved` session. Afterwards `fetch` says how it went. Repeating it charges once.
    pub async fn complete(&self, session: SessionRef<'_>) -> GatewayResult<()> {
        each!(self, one => one.complete(session).await)
    }

    /// Captures some or all of a reserved amount. Repeated with the same key, it captures once.
    pub async fn capture(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        each!(self, one => one.capture(session, amount, key).await)
    }

    /// Pays back some or all of what was captured. Repeated with the same key, it refunds once.
    pub async fn refund(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        each!(self, one => one.refund(session, amount, key).await)
    }

    /// Makes a session unpayable, and releases what it has reserved. What was captured stays. Answers without error where
    /// there is nothing to cancel; afterwards `fetch` says what holds.
    pub async fn cancel(&self, session: SessionRef<'_>, key: &str) -> GatewayResult<()> {
        each!(self, one => one.cancel(session, key).await)
    }

    /// Verifies a webhook by its raw bytes, before anything of it is parsed.
    pub async fn webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<WebhookEvent, WebhookError> {
        each!(self, one => one.webhook(headers, body, now).await)
    }

    /// The charges of a period, the end excluded, by the provider's own list; `None` where it has none.
    pub async fn list(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> GatewayResult<Option<Vec<ListedCharge>>> {
        each!(self, one => one.list(from, to).await)
    }

    /// Whether the keys work, by a call that changes nothing.
    pub async fn check(&self) -> GatewayResult<()> {
        each!(self, one => one.check().await)
    }
}

/// A key or password: never logged, shown or serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(Arc<str>);

impl SecretText {
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// For the request to the provider alone.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

impl std::str::FromStr for SecretText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("must not be empty".to_owned()),
            text if text.contains(char::is_whitespace) => Err("must not contain spaces".to_owned()),
            text => Ok(Self::new(text)),
        }
    }
}
