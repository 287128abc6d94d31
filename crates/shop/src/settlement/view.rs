//! What the page shows on which an order is paid.

use platform::{Currency, Money, Result, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::Settlement;
use crate::orders::{Order, OrderNumber, OrderStatus};
use crate::payments::{self, OrderPayment, PaymentMethod, PaymentStatus};

/// An order to be paid, without personal data: whoever has the link sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentView {
    pub number: OrderNumber,
    /// Of the link.
    pub key: String,
    pub created_at: Timestamp,
    pub status: OrderStatus,
    pub payment_status: PaymentStatus,
    pub to_pay: Money,
    pub currency: Currency,
    pub total: Money,
    /// Until when the goods are held; null where nothing is to be paid.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
    /// The latest payment; null where there is none.
    #[schema(required)]
    pub payment: Option<OrderPayment>,
    /// The provider's page of the open payment.
    #[schema(required)]
    pub redirect: Option<String>,
    /// Whether the shopper comes from the provider's page.
    pub returned: bool,
    /// Whether the order has no account, so that one can claim it.
    pub guest: bool,
    pub can_pay: bool,
    /// With what it can be paid.
    pub methods: Vec<PaymentMethod>,
}

impl Settlement {
    pub async fn view(
        &self,
        order: &Order,
        status: OrderStatus,
        returned: bool,
    ) -> Result<PaymentView> {
        let awaits = status == OrderStatus::AwaitingPayment;
        let is_cancelled = status == OrderStatus::Cancelled;
        let db = &self.orders.db;
        let paid = payments::of_order(db, &order.id, order.to_pay(), is_cancelled).await?;
        let held = match awaits {
            true => self.orders.held_until(&order.id).await?,
            false => None,
        };
        let can_pay = held.is_some_and(|until| until > self.orders.clock.now());
        let all = self.recorder.store.of_order(&order.id).await?;
        let open = all.last().filter(|latest| can_pay && latest.is_open());
        let redirect = open.map(|open| open.redirect.clone()).filter(|page| !page.is_empty());
        let methods = match can_pay {
            true => self.recorder.gateways.methods_for(order.to_pay()),
            false => Vec::new(),
        };
        Ok(PaymentView {
            number: order.number,
            key: self.orders.pay_links.key(&order.id).unwrap_or_default(),
            created_at: order.created_at,
            status,
            payment_status: paid.status,
            to_pay: order.to_pay(),
            currency: order.currency,
            total: order.total,
            expires_at: held,
            payment: paid.all.last().cloned(),
            redirect,
            returned,
            guest: order.is_guest(),
            can_pay,
            methods,
        })
    }
}
