//! Payments of orders and the payment gateways. Cash on delivery always works; another provider is
//! offered once it has a `PaymentGateway`. The only module that writes `payments`.

use axum::Json;
use platform::db::statement;
use platform::error::Field;
use platform::{Clock, Currency, Db, Error, Id, MinorUnits, Money, Random, Result, Timestamp, Tx};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ids::{OrderId, OrderNumber};
use crate::string_enum::string_enum;

string_enum! {
    #[derive(Default)]
    pub enum PaymentProvider {
        #[default]
        CashOnDelivery = "cash_on_delivery",
        Card = "card",
        Paypal = "paypal",
        GooglePay = "google_pay",
        /// Nothing is left to pay: store credit pays the rest of the total.
        StoreCredit = "store_credit",
        /// Nothing is left to pay: gift cards cover the total.
        GiftCard = "gift_card",
    }
}

string_enum! {
    pub enum PaymentState {
        /// The provider has not answered yet.
        Pending = "pending",
        /// Reserved, not yet captured.
        Authorised = "authorised",
        Captured = "captured",
        Voided = "voided",
        Refunded = "refunded",
        Failed = "failed",
    }
}

impl PaymentProvider {
    /// The providers that a shopper can choose.
    pub const ALL: [Self; 4] = [Self::CashOnDelivery, Self::Card, Self::Paypal, Self::GooglePay];

    /// The name that shoppers see.
    pub fn title(self) -> &'static str {
        match self {
            Self::CashOnDelivery => "Cash on delivery",
            Self::Card => "Credit card",
            Self::Paypal => "PayPal",
            Self::GooglePay => "Google Pay",
            Self::StoreCredit => "Store credit",
            Self::GiftCard => "Gift card",
        }
    }

    /// Its gateway; `None` when it is not configured.
    pub fn gateway(self) -> Option<&'static dyn PaymentGateway> {
        match self {
            Self::CashOnDelivery => Some(&OfflineGateway { authorised: PaymentState::Authorised }),
            Self::StoreCredit | Self::GiftCard => {
                Some(&OfflineGateway { authorised: PaymentState::Captured })
            }
            Self::Card | Self::Paypal | Self::GooglePay => None,
        }
    }
}

/// A payment provider's API. Its methods run inside the order's transaction, so they must not block: a
/// gateway that calls a server returns `Pending` and enqueues a job in that transaction.
pub trait PaymentGateway: Send + Sync {
    /// Reserves the amount when the order is placed.
    fn authorise(&self, charge: &Charge) -> Result<PaymentStarted>;
    /// Takes the reserved amount.
    fn capture(&self, reference: &str) -> Result<PaymentState>;
    /// Releases an amount that was not captured.
    fn void(&self, reference: &str) -> Result<PaymentState>;
    /// Pays back some or all of the captured amount.
    fn refund(&self, reference: &str, amount: Money) -> Result<PaymentState>;
}

/// The amount to pay, and the order that it is for.
pub struct Charge<'c> {
    pub number: &'c OrderNumber,
    pub amount: Money,
}

/// Result of `authorise`.
pub struct PaymentStarted {
    pub state: PaymentState,
    /// The provider's id of the payment.
    pub reference: String,
}

/// Calls nobody: the courier collects cash, and gift cards and store credit are debited and refunded with the order.
struct OfflineGateway {
    /// The state of a new payment.
    authorised: PaymentState,
}

impl PaymentGateway for OfflineGateway {
    fn authorise(&self, charge: &Charge) -> Result<PaymentStarted> {
        Ok(PaymentStarted { state: self.authorised, reference: charge.number.to_string() })
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
}

/// What a step of an order does to its payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentAction {
    Capture,
    Void,
    /// Refunds the rest.
    Refund,
    /// Refunds a part; the payment stays captured.
    RefundPart,
}

impl PaymentState {
    pub fn allows(self, action: PaymentAction) -> bool {
        match action {
            PaymentAction::Capture | PaymentAction::Void => {
                matches!(self, Self::Pending | Self::Authorised)
            }
            PaymentAction::Refund | PaymentAction::RefundPart => self == Self::Captured,
        }
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
}

#[derive(sqlx::FromRow)]
struct PaymentRow {
    #[sqlx(try_from = "String")]
    provider: PaymentProvider,
    #[sqlx(try_from = "String")]
    state: PaymentState,
    amount: MinorUnits,
    refunded: MinorUnits,
    reference: String,
    changed_at: Timestamp,
}

const BY_ORDER: &str = "select provider, state, amount, refunded, reference, changed_at
    from payments where order_id = $1";

/// The payment of an order, whose currency this is.
pub(crate) async fn of_order(db: &Db, order: &OrderId, currency: Currency) -> Result<OrderPayment> {
    let PaymentRow { provider, state, amount, refunded, changed_at, .. } =
        db.query(BY_ORDER).bind(order).one().await?;
    let (amount, refunded) = (amount.of(currency), refunded.of(currency));
    Ok(OrderPayment { provider, state, amount, refunded, changed_at })
}

/// Authorises and stores an order's payment.
pub(crate) fn start(
    tx: &mut Tx,
    clock: &Clock,
    random: &Random,
    order: &OrderId,
    provider: PaymentProvider,
    charge: &Charge<'_>,
) -> Result<()> {
    let gateway = provider.gateway().ok_or_else(|| unavailable(provider))?;
    let PaymentStarted { state, reference } = gateway.authorise(charge)?;
    let id = Id::<OrderPayment>::new(clock, random);
    tx.defer(
        statement(
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

/// Whether an order's payment is captured.
pub(crate) async fn is_captured(tx: &mut Tx, order: &OrderId) -> Result<bool> {
    let sql = "select state from payments where order_id = $1";
    let found: Option<(String,)> = tx.query(sql).bind(order).optional().await?;
    Ok(found.is_some_and(|(state,)| state == PaymentState::Captured.as_str()))
}

/// Applies `action` to an order's payment when its state allows it. `back` is the amount of a refund.
pub(crate) async fn apply(
    tx: &mut Tx,
    now: Timestamp,
    order: &OrderId,
    action: PaymentAction,
    back: Money,
) -> Result<()> {
    let found: Option<PaymentRow> = tx.query(BY_ORDER).bind(order).optional().await?;
    let Some(PaymentRow { provider, state, amount, reference, .. }) = found else {
        return Ok(());
    };
    let (amount, nothing) = (amount.of(back.currency()), Money::zero(back.currency()));
    // Cancelling an order that is already paid refunds it.
    let captured = action == PaymentAction::Void && state == PaymentState::Captured;
    let (action, back) = if captured { (PaymentAction::Refund, amount) } else { (action, back) };
    if !state.allows(action) {
        return Ok(());
    }
    let gateway = provider.gateway().ok_or_else(|| unavailable(provider))?;
    let (next, back) = match action {
        PaymentAction::Capture => (gateway.capture(&reference)?, nothing),
        PaymentAction::Void => (gateway.void(&reference)?, nothing),
        PaymentAction::Refund => (gateway.refund(&reference, back)?, back),
        PaymentAction::RefundPart => {
            gateway.refund(&reference, back)?;
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

/// The error for a provider that is not configured.
pub fn unavailable(provider: PaymentProvider) -> Error {
    let message = format!("{} is not offered yet", provider.title());
    Error::unprocessable(Field::new("payment", "payment_unavailable", message))
}

pub fn router<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A payment method.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct PaymentMethod {
    pub provider: PaymentProvider,
    pub title: &'static str,
    /// Whether it can be chosen.
    pub enabled: bool,
}

/// All payment methods, the available ones first.
pub fn methods() -> Vec<PaymentMethod> {
    let method = |provider: PaymentProvider| PaymentMethod {
        provider,
        title: provider.title(),
        enabled: provider.gateway().is_some(),
    };
    let mut methods: Vec<_> = PaymentProvider::ALL.map(method).into();
    methods.sort_by_key(|method| !method.enabled);
    methods
}

/// List the payment methods
#[utoipa::path(
    get, path = "/payments", tag = "Orders",
    responses((status = 200, body = Vec<PaymentMethod>))
)]
async fn list() -> Json<Vec<PaymentMethod>> {
    Json(methods())
}
