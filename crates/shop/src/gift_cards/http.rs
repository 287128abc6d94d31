//! HTTP API of gift cards.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use platform::http::{ClientIp, JsonBody};
use platform::{Context, Error, Exchange, Result};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lookup::{Lookup, look_up};
use super::{GiftCardBalance, GiftCardCode};
use crate::error_responses::{BadRequest, NotFound, TooManyRequests};

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(check))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TypedGiftCard {
    /// As it is printed; spaces, hyphens and case do not matter.
    code: String,
}

/// Get the balance of a gift card
///
/// Whoever knows the code may know the balance. A code that cannot be one is answered like an unknown one.
#[utoipa::path(
    post, path = "/gift-cards/check", tag = "Gift cards", request_body = TypedGiftCard, params(Exchange),
    responses((status = 200, body = GiftCardBalance), BadRequest, NotFound, TooManyRequests)
)]
async fn check(
    State(context): State<Context>,
    peer: Option<ClientIp>,
    to: Exchange,
    JsonBody(TypedGiftCard { code }): JsonBody<TypedGiftCard>,
) -> Result<Json<GiftCardBalance>> {
    let Context { db, clock, secret, .. } = &context;
    let hash = GiftCardCode::typed(&code).hash(secret);
    match look_up((db, clock), to.base, peer, &hash).await? {
        Lookup::Found(card) => Ok(Json(GiftCardBalance {
            spendable: card.spendable(to),
            last_four: card.last_four,
            currency: card.currency,
            balance: card.balance,
            state: card.state,
            expires_at: card.expires_at,
        })),
        Lookup::Unknown => {
            let message = "There is no gift card with this code.";
            Err(Error::refused(StatusCode::NOT_FOUND, "unknown_gift_card", message))
        }
        Lookup::TooManyGuesses => {
            Err(Error::RateLimited("Too many unknown codes. Please try again later."))
        }
    }
}
