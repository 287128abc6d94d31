//! How an order is paid. Alone writes `payments`. Cash on delivery works by itself; a provider that
//! stands behind `Payment` is offered as soon as it is configured.

use axum::Json;
use axum::http::HeaderMap;
use base::db::write;
use base::{Clock, Error, Id, Money, Random, Result, Timestamp, Tx};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::orders::{Number, OrderId};
use crate::words::words;

words! {
    /// Who takes the money.
    #[schema(as = PaymentProvider)]
    pub enum Provider {
        CashOnDelivery = "cash_on_delivery",
        Card = "card",
        Paypal = "paypal",
        GooglePay = "google_pay",
        /// Nobody: store credit has paid all of it.
        StoreCredit = "store_credit",
    }
}

words! {
    /// What has become of a payment.
    pub enum PaymentState {
        /// The provider has not said yet.
        Pending = "pending",
        /// Promised, not yet taken.
        Authorised = "authorised",
        Captured = "captured",
        Voided = "voided",
        Refunded = "refunded",
        Failed = "failed",
    }
}

impl Provider {
    /// Those that a shopper chooses from.
    pub const ALL: [Self; 4] = [Self::CashOnDelivery, Self::Card, Self::Paypal, Self::GooglePay];

    /// What shoppers call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::CashOnDelivery => "Cash on delivery",
            Self::Card => "Credit card",
            Self::Paypal => "PayPal",
            Self::GooglePay => "Google Pay",
            Self::StoreCredit => "Store credit",
        }
    }

    /// Who does its work; nobody where it is not configured.
    pub fn payment(self) -> Option<&'static dyn Payment> {
        match self {
            Self::CashOnDelivery => Some(&CashOnDelivery),
            Self::StoreCredit => Some(&StoreCredit),
            Self::Card | Self::Paypal | Self::GooglePay => None,
        }
    }
}

/// What a provider does. None of this waits for anybody, because it runs inside the order's transaction:
/// one that has to be asked over the network answers `Pending`, asks in a job of that transaction, and
/// its word comes back through `webhook`.
pub trait Payment: Send + Sync {
    /// Promises the money, when the order is placed.
    fn authorise(&self, charge: &Charge) -> Result<Opened>;
    /// Takes it.
    fn capture(&self, reference: &str) -> Result<PaymentState>;
    /// Lets go of what was promised and not taken.
    fn void(&self, reference: &str) -> Result<PaymentState>;
    /// Gives back so much of what was taken.
    fn refund(&self, reference: &str, amount: Money) -> Result<PaymentState>;
    /// Reads what the provider tells of its own accord, and proves that it is the provider.
    fn webhook(&self, headers: &HeaderMap, body: &[u8]) -> Result<Notice>;
}

/// What is to be paid, and for what.
pub struct Charge<'c> {
    pub number: &'c Number,
    pub amount: Money,
}

/// A payment that has begun.
pub struct Opened {
    pub state: PaymentState,
    /// The provider's own name for it.
    pub reference: String,
}

/// What a provider says of a payment.
pub struct Notice {
    pub reference: String,
    pub state: PaymentState,
}

/// The courier brings the goods and takes the money.
struct CashOnDelivery;

impl Payment for CashOnDelivery {
    fn authorise(&self, charge: &Charge) -> Result<Opened> {
        Ok(Opened { state: PaymentState::Authorised, reference: charge.number.to_string() })
    }
    fn capture(&self, _: &str) -> Result<PaymentState> {
        Ok(PaymentState::Captured)
    }
    fn void(&self, _: &str) -> Result<PaymentState> {
        Ok(PaymentState::Voided)
    }
    fn refund(&self, _: &str, _: Money) -> Result<PaymentState> {
        Ok(PaymentState::Refunded)
    }
    fn webhook(&self, _: &HeaderMap, _: &[u8]) -> Result<Notice> {
        Err(Error::NotFound("webhook"))
    }
}

/// Nothing is left to pay: the ledger has taken it with the order, and gives it back with it.
struct StoreCredit;

impl Payment for StoreCredit {
    fn authorise(&self, charge: &Charge) -> Result<Opened> {
        Ok(Opened { state: PaymentState::Captured, reference: charge.number.to_string() })
    }
    fn capture(&self, _: &str) -> Result<PaymentState> {
        Ok(PaymentState::Captured)
    }
    fn void(&self, _: &str) -> Result<PaymentState> {
        Ok(PaymentState::Voided)
    }
    fn refund(&self, _: &str, _: Money) -> Result<PaymentState> {
        Ok(PaymentState::Refunded)
    }
    fn webhook(&self, _: &HeaderMap, _: &[u8]) -> Result<Notice> {
        Err(Error::NotFound("webhook"))
    }
}

/// What happens to a payment in the course of its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Capture,
    Void,
    /// Gives back what is left of it.
    Refund,
    /// Gives back a part, and keeps the rest.
    RefundPart,
}

impl PaymentState {
    /// Whether this can be done to a payment in this state.
    pub fn allows(self, deed: Deed) -> bool {
        match deed {
            Deed::Capture | Deed::Void => matches!(self, Self::Pending | Self::Authorised),
            Deed::Refund | Deed::RefundPart => self == Self::Captured,
        }
    }
}

/// An order's payment, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OrderPayment {
    #[sqlx(try_from = "String")]
    pub provider: Provider,
    #[sqlx(try_from = "String")]
    pub state: PaymentState,
    pub amount: Money,
    /// What of it was given back.
    pub refunded: Money,
    #[serde(skip)]
    pub reference: String,
    pub changed_at: Timestamp,
}

pub(crate) const PAYMENT: &str = "provider, state, amount, refunded, reference, changed_at";

/// Begins an order's payment.
pub(crate) fn open(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    order: &OrderId,
    provider: Provider,
    charge: &Charge<'_>,
) -> Result<()> {
    let payment = provider.payment().ok_or_else(|| unavailable(provider))?;
    let Opened { state, reference } = payment.authorise(charge)?;
    let id = Id::<OrderPayment>::new(clock, random);
    tx.later(
        write(
            "insert into payments
               (id, order_id, provider, state, amount, reference, created_at, changed_at)
             values ($1, $2, $3, $4, $5, $6, $7, $7)",
        )
        .bind(&id)
        .bind(order)
        .bind(provider)
        .bind(state)
        .bind(charge.amount)
        .bind(reference)
        .bind(clock.now()),
    );
    Ok(())
}

/// Does `deed` to an order's payment where its state allows it. `back` is what a refund gives back.
pub(crate) async fn settle(
    tx: &mut Tx,
    now: Timestamp,
    order: &OrderId,
    deed: Deed,
    back: Money,
) -> Result<()> {
    let sql = format!("select {PAYMENT} from payments where order_id = $1");
    let found: Option<OrderPayment> = tx.query(sql).bind(order).optional().await?;
    let Some(OrderPayment { provider, state, amount, reference, .. }) = found else {
        return Ok(());
    };
    // What was taken before its order is called off is given back.
    let taken = deed == Deed::Void && state == PaymentState::Captured;
    let (deed, back) = if taken { (Deed::Refund, amount) } else { (deed, back) };
    if !state.allows(deed) {
        return Ok(());
    }
    let payment = provider.payment().ok_or_else(|| unavailable(provider))?;
    let (next, back) = match deed {
        Deed::Capture => (payment.capture(&reference)?, Money::ZERO),
        Deed::Void => (payment.void(&reference)?, Money::ZERO),
        Deed::Refund => (payment.refund(&reference, back)?, back),
        Deed::RefundPart => {
            payment.refund(&reference, back)?;
            (state, back)
        }
    };
    tx.query(
        "update payments set state = $3, changed_at = $4, refunded = refunded + $5
         where order_id = $1 and state = $2",
    )
    .bind(order)
    .bind(state)
    .bind(next)
    .bind(now)
    .bind(back)
    .execute()
    .await
    .map(drop)
}

/// Refuses a provider that is not configured.
pub fn unavailable(provider: Provider) -> Error {
    Error::unprocessable("payment", format!("{} is not offered yet", provider.title()))
}

pub fn router<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A way to pay.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct PaymentMethod {
    pub provider: Provider,
    pub title: &'static str,
    /// Whether it can be chosen.
    pub enabled: bool,
}

/// The ways to pay: those that can be chosen lead.
pub fn methods() -> Vec<PaymentMethod> {
    let method = |provider: Provider| PaymentMethod {
        provider,
        title: provider.title(),
        enabled: provider.payment().is_some(),
    };
    let mut methods: Vec<_> = Provider::ALL.map(method).into();
    methods.sort_by_key(|method| !method.enabled);
    methods
}

/// The ways to pay
#[utoipa::path(
    get, path = "/payments", tag = "Orders",
    responses((status = 200, body = Vec<PaymentMethod>))
)]
async fn list() -> Json<Vec<PaymentMethod>> {
    Json(methods())
}
