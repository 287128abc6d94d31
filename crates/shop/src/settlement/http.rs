//! HTTP of payments: the page on which an order is paid, the way back from a provider, and the webhooks.

use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRef, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use payment_providers::{GatewayKind, WebhookError};
use platform::error::ErrorBody;
use platform::http::{JsonBody, PathString, QueryParams};
use platform::{Context, Error, Result};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{PaymentView, Settlement};
use crate::error_responses::{BadRequest, NotFound};
use crate::orders::{Order, OrderNumber, OrderStatus};
use crate::payments::{
    EventSource, Intake, MAX_WEBHOOK_BYTES, PaymentId, PaymentProvider, WebhookOutcome,
};

/// The provider is not asked about a payment more often.
const ASK_INTERVAL: Duration = Duration::from_secs(2);

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Settlement: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show)).routes(routes!(pay)).routes(routes!(give_up))
}

/// What is not part of the API: the addresses that providers call and send browsers to.
pub fn web_router<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Settlement: FromRef<S>,
    Intake: FromRef<S>,
{
    Router::new()
        // SSLCommerz sends the browser back by a form.
        .route("/payments/return/{payment}/{key}", get(come_back).post(come_back))
        .route("/webhooks/payments/{gateway}", post(receive))
        .layer(DefaultBodyLimit::max(MAX_WEBHOOK_BYTES))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PayKey {
    /// That of the link.
    #[param(pattern = "^[0-9a-f]{32}$")]
    key: String,
}

impl Settlement {
    /// The order with this number, for whoever has its key.
    pub async fn by_key(&self, number: &str, key: &str) -> Result<(Order, OrderStatus)> {
        let number = number.parse::<OrderNumber>().map_err(|_| Error::NotFound("order"))?;
        let found = self.orders.by_number(&number).await?;
        let own = found.filter(|(order, _)| self.orders.pay_links.is_key(&order.id, key));
        own.ok_or(Error::NotFound("order"))
    }

    pub(super) fn next_page(&self, order: &Order, redirect: String) -> NextPage {
        NextPage { redirect, pay_url: self.orders.pay_links.path(order).unwrap_or_default() }
    }

    /// The order as it is after its provider was asked. `returned`: the shopper comes from the provider's page.
    pub async fn fresh_view(&self, number: &str, key: &str, returned: bool) -> Result<PaymentView> {
        let (order, status) = self.by_key(number, key).await?;
        let payments = self.recorder.store.of_order(&order.id).await?;
        let open = payments.last().filter(|one| one.is_open() && !one.reference.is_empty());
        let Some(open) = open else { return self.view(&order, status, returned).await };
        let asked = self.recorder.store.asked_at(&open.id).await?;
        if self.orders.clock.now().since(asked) >= ASK_INTERVAL
            && let Err(why) = self.settle(&open.id, EventSource::Return).await
        {
            tracing::warn!(%why, payment = %open.id, "a payment could not be asked about");
        }
        let (order, status) = self.by_key(number, key).await?;
        self.view(&order, status, returned).await
    }
}

/// See how far an order is paid
///
/// Asks its provider. Whoever has the link to pay may see it.
#[utoipa::path(
    get, path = "/pay/{number}", tag = "Orders",
    params(("number" = String, Path, description = "The order's number"), PayKey),
    responses((status = 200, body = PaymentView), NotFound)
)]
async fn show(
    State(settlement): State<Settlement>,
    PathString(number): PathString,
    QueryParams(PayKey { key }): QueryParams<PayKey>,
) -> Result<Json<PaymentView>> {
    Ok(Json(settlement.fresh_view(&number, &key, false).await?))
}

/// With what an order is to be paid.
#[derive(Deserialize, ToSchema)]
struct PayRequest {
    payment: PaymentProvider,
}

/// Where a shopper goes on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextPage {
    /// The provider's page or, where the provider cannot be reached, ours.
    pub redirect: String,
    /// The path of our page on which the order is paid, with its key.
    pub pay_url: String,
}

/// Pay an order that awaits payment, again or in another way
#[utoipa::path(
    post, path = "/pay/{number}", tag = "Orders", request_body = PayRequest,
    params(("number" = String, Path, description = "The order's number"), PayKey),
    responses(
        (status = 200, body = NextPage),
        (status = 409, description = "`not_awaiting_payment`: it is paid already, or cancelled; `payment_processing`; \
         `payment_refused`", body = ErrorBody),
        (status = 422, description = "`payment_unavailable`, `payment_amount`", body = ErrorBody),
        (status = 503, description = "The provider cannot be reached", body = ErrorBody),
        BadRequest, NotFound,
    )
)]
async fn pay(
    State(settlement): State<Settlement>,
    PathString(number): PathString,
    QueryParams(PayKey { key }): QueryParams<PayKey>,
    JsonBody(PayRequest { payment }): JsonBody<PayRequest>,
) -> Result<Json<NextPage>> {
    let (order, _) = settlement.by_key(&number, &key).await?;
    let redirect = settlement.pay_again(&order, payment).await?;
    Ok(Json(settlement.next_page(&order, redirect)))
}

/// Give up an order that awaits payment
///
/// It is cancelled, unless it was paid meanwhile. Repeating it changes nothing.
#[utoipa::path(
    post, path = "/pay/{number}/cancel", tag = "Orders",
    params(("number" = String, Path, description = "The order's number"), PayKey),
    responses((status = 200, body = PaymentView), NotFound)
)]
async fn give_up(
    State(settlement): State<Settlement>,
    PathString(number): PathString,
    QueryParams(PayKey { key }): QueryParams<PayKey>,
) -> Result<Json<PaymentView>> {
    let (order, _) = settlement.by_key(&number, &key).await?;
    settlement.give_up(&order).await?;
    let (order, status) = settlement.by_key(&number, &key).await?;
    Ok(Json(settlement.view(&order, status, false).await?))
}

/// The browser comes back from a provider. Nothing of what it brings is believed: the provider is asked.
async fn come_back(
    State(settlement): State<Settlement>,
    Path((payment, key)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let id: PaymentId = payment.parse().map_err(|_| Error::NotFound("payment"))?;
    let payment = settlement.recorder.store.find(&id).await?.ok_or(Error::NotFound("payment"))?;
    let order = settlement.orders.by_id(&payment.order).await?;
    let order = order.filter(|order| settlement.orders.pay_links.is_key(&order.id, &key));
    let order = order.ok_or(Error::NotFound("payment"))?;
    if let Err(why) = settlement.settle(&id, EventSource::Return).await {
        // The page asks again.
        tracing::warn!(%why, payment = %id, "a payment could not be asked about");
    }
    let gave_up = query.is_some_and(|query| {
        query
            .split(['&', '?'])
            .any(|pair| matches!(pair, "outcome=cancelled" | "outcome=cancel" | "status=cancel"))
    });
    let page = settlement.page(&order);
    let page = if gave_up { page } else { format!("{page}&returned=1") };
    Ok(Redirect::to(&page).into_response())
}

/// A webhook of a provider.
async fn receive(
    State(intake): State<Intake>,
    Path(gateway): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(gateway) = gateway.parse::<GatewayKind>() else {
        return StatusCode::NOT_FOUND.into_response();
    };

    let status = match intake.receive(gateway, &headers, &body).await {
        WebhookOutcome::Stored | WebhookOutcome::Ignored => StatusCode::OK,
        WebhookOutcome::UnknownProvider => StatusCode::NOT_FOUND,
        WebhookOutcome::Refused(why) => {
            tracing::warn!(%why, %gateway, "a webhook is refused");
            match why {
                WebhookError::Unverified(_) | WebhookError::Malformed(_) => StatusCode::BAD_REQUEST,
                WebhookError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            }
        }
        WebhookOutcome::Busy => StatusCode::SERVICE_UNAVAILABLE,
    };
    status.into_response()
}
