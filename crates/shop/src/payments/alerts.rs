//! Alerts: where our books and a provider's differ, or money needs a person's decision. Staff see them in the log, in the
//! metrics and with `haat payments alerts`, until someone resolves them.

use payment_providers::GatewayKind;
use platform::db::statement;
use platform::{Db, Id, Result, Timestamp, Tx};
use serde::Serialize;

use super::{Payment, PaymentId};
use crate::string_enum::string_enum;

string_enum! {
    pub enum AlertKind {
        /// Another amount was captured than was to be paid.
        AmountDiffers = "amount_differs",
        /// The provider has charged in another currency.
        CurrencyDiffers = "currency_differs",
        /// The provider has refused a capture or a refund that the shop owes.
        CallRefused = "call_refused",
        /// There is less to refund than an order's step wants to.
        RefundNotCovered = "refund_not_covered",
        /// A refund did not reach the customer.
        RefundFailed = "refund_failed",
        /// The customer has asked the bank for the money back.
        Dispute = "dispute",
        /// An order stands, and what was reserved for it is gone.
        OrderUnpaid = "order_unpaid",
        /// The provider has not answered for long.
        CallStuck = "call_stuck",
        /// The provider says that a payment may be fraud.
        Risk = "risk",
        /// The provider's sums of a payment are not ours.
        BooksDiffer = "books_differ",
        /// The provider's list has a charge that we do not know.
        UnknownCharge = "unknown_charge",
    }
}

/// Names the type of an alert's id.
pub struct AlertMarker;

#[derive(Clone, Debug, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PaymentAlert {
    pub id: Id<AlertMarker>,
    pub payment_id: Option<PaymentId>,
    pub gateway: String,
    #[sqlx(try_from = "String")]
    pub kind: AlertKind,
    pub detail: String,
    pub raised_at: Timestamp,
    pub resolved_at: Option<Timestamp>,
}

/// Raises an alert. One that is open is not raised again, and one that was resolved is open again.
pub(crate) fn raise(
    tx: &mut Tx,
    (gateway, payment): (&str, Option<&PaymentId>),
    kind: AlertKind,
    detail: &str,
    now: Timestamp,
) {
    let shown = payment.map_or("", PaymentId::as_str);
    tracing::error!(gateway, payment = shown, kind = kind.as_str(), detail, "payment alert");
    let id = Id::<AlertMarker>::from_name(&format!("{gateway} {shown} {kind} {detail}"));
    tx.defer(
        statement(
            "insert into payment_alerts (id, payment_id, gateway, kind, detail, raised_at)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (id) do update set raised_at = excluded.raised_at, resolved_at = null
               where payment_alerts.resolved_at is not null",
        )
        .bind(&id)
        .bind(payment.map(|id| id.to_string()))
        .bind(gateway)
        .bind(kind)
        .bind(detail)
        .bind(now),
    );
}

pub(crate) fn raise_for(
    tx: &mut Tx,
    payment: &Payment,
    kind: AlertKind,
    detail: &str,
    now: Timestamp,
) {
    let gateway = payment.provider.gateway().map_or("none", GatewayKind::as_str);
    raise(tx, (gateway, Some(&payment.id)), kind, detail, now);
}

/// The open alerts or all, the newest first.
pub async fn list(db: &Db, with_resolved: bool, limit: i64) -> Result<Vec<PaymentAlert>> {
    let open = if with_resolved { "1 = 1" } else { "resolved_at is null" };
    let sql = format!(
        "select id, payment_id, gateway, kind, detail, raised_at, resolved_at from payment_alerts
         where {open} order by raised_at desc, id limit $1"
    );
    db.query(sql).bind(limit).all().await
}

/// How many are open.
pub async fn count_open(db: &Db) -> Result<i64> {
    let sql = "select count(*) from payment_alerts where resolved_at is null";
    let (count,): (i64,) = db.query(sql).one().await?;
    Ok(count)
}

/// Marks an alert as dealt with; false where it is not open.
pub async fn resolve(db: &Db, id: &Id<AlertMarker>, now: Timestamp) -> Result<bool> {
    let sql = "update payment_alerts set resolved_at = $2 where id = $1 and resolved_at is null";
    Ok(db.query(sql).bind(id).bind(now).execute().await? == 1)
}
