//! Claims: an order without an account becomes that of the account that proves its e-mail address or phone number.

use axum::Json;
use axum::extract::State;
use platform::auth::Customer;
use platform::error::ErrorBody;
use platform::http::{ClientIp, JsonBody};
use platform::{Error, Language, Result};
use serde::Deserialize;
use utoipa::ToSchema;

use super::guests::wrong_code;
use super::{Order, OrderDetails, OrderNumber, OrderStatus, OrderStore, Orders};
use crate::customers::{self, Verified};
use crate::error_responses::{BadRequest, NotFound, TooManyRequests};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Claim {
    #[schema(max_length = 40)]
    number: String,
    /// The code of a text message to the order's phone number (`POST /orders/phone-code`), where the order has not the
    /// account's verified e-mail address.
    #[serde(default)]
    #[schema(required = false, max_length = 40)]
    phone_code: Option<String>,
}

/// Add an order that was placed without an account to one's own
///
/// It has the account's e-mail address, which is verified; or a code proves its phone number.
#[utoipa::path(
    post, path = "/orders/claim", tag = "Orders", request_body = Claim, params(Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "The order, also where it is the caller's already", body = OrderDetails),
        (status = 403, description = "`wrong_phone_code`; `too_many_unpaid`, `too_much_unpaid` or `unproven` with the unpaid orders of the account", body = ErrorBody),
        BadRequest, NotFound, TooManyRequests,
    )
)]
pub(super) async fn claim(
    State(orders): State<Orders>,
    caller: Customer,
    peer: Option<ClientIp>,
    language: Language,
    JsonBody(Claim { number, phone_code }): JsonBody<Claim>,
) -> Result<Json<OrderDetails>> {
    let parsed = number.parse::<OrderNumber>().map_err(|_| Error::NotFound("order"))?;
    orders.limit_lookups(Some(parsed), peer).await?;
    let found = orders.store.by_number(&parsed).await?.map(|(order, _)| order);
    let is_own = found.as_ref().is_some_and(|order| order.customer == caller.uid);
    match (found.filter(Order::is_guest), &phone_code) {
        (Some(order), Some(code)) => {
            let OrderStore { db, clock, .. } = &orders.store;
            orders.guests.check_code((db, clock), &order.phone, code, peer).await?;
            orders.give_to(&caller, &order, true).await?;
        }
        (Some(order), None) => orders.give_to(&caller, &order, false).await?,
        // As for a wrong code, so that a guess does not show which numbers there are.
        (None, Some(_)) if !is_own => return Err(wrong_code()),
        (None, _) => {}
    }
    let own = orders.own(&caller, &number, Some(language)).await?;
    Ok(Json(orders.store.details(own, &orders.settings).await?))
}

impl Orders {
    /// Not found where nothing is proven. Of two concurrent claims, one finds that the order is not a guest's any more.
    async fn give_to(&self, caller: &Customer, order: &Order, proven: bool) -> Result<()> {
        let email = caller.email.to_lowercase();
        let mut tx = self.store.db.begin().await?;
        customers::lock(&mut tx, &caller.uid).await?;
        // The token may be older than the verification.
        let is_verified = caller.email_verified
            || customers::is_email_verified(&mut tx, &caller.uid, &email).await?;
        let is_own = is_verified && !email.is_empty() && email == order.email;
        if !proven && !is_own {
            return Err(Error::NotFound("order"));
        }
        let verified =
            Verified { email: is_verified, phone: proven || caller.verified_phone.is_some() };
        self.settings.limits.check_claim(&mut tx, &caller.uid, order, verified).await?;
        tx.query(
            "update orders set customer = $2, email = case email when '' then $3 else email end,
               release_at = case status when $5 then release_at else null end
             where id = $1 and customer = $4",
        )
        .bind(&order.id)
        .bind(caller.uid.as_str())
        .bind(if is_verified { &*email } else { "" })
        .bind(order.customer.as_str())
        .bind(OrderStatus::AwaitingPayment)
        .execute()
        .await?;
        tx.commit().await
    }
}
