//! Checkout without an account: when an order needs the code of a text message, and sending it.

use axum::extract::State;
use axum::http::StatusCode;
use email::sms::{self, TextMessage};
use messages::{Args, Messages};
use platform::error::ErrorBody;
use platform::http::{ClientIp, JsonBody};
use platform::{Error, Language, Result};
use serde::Deserialize;
use utoipa::ToSchema;

use super::OrderRequest;
use crate::error_responses::{BadRequest, TooManyRequests};
use crate::orders::{self, CODE_MINUTES, Order, Orders};
use crate::schemas;
use crate::validation;

impl Orders {
    /// The refusal of an order that needs a code and has none.
    pub(super) fn needs_code(&self, request: &OrderRequest, order: &Order) -> Option<Error> {
        let guests = &self.settings.guests;
        // Whoever pays first needs no other proof.
        let pays_later = request.content.payment.gateway().is_none();
        let needs = request.is_guest()
            && pays_later
            && !request.verified.phone
            && guests.needs_code(order.base.to_pay());
        needs.then(|| self.ask_for_code(request))
    }

    /// A guest has no e-mail address to verify, but a phone number.
    pub(super) fn for_guest(&self, request: &OrderRequest, why: Error) -> Error {
        match &why {
            Error::Refused { code: "unproven", params, .. } if request.is_guest() => {
                if self.guests.can_text(&request.content.phone) {
                    return self.ask_for_code(request);
                }
                let message = "Such an order without payment needs an account. Please log in.";
                let refused = Error::refused(StatusCode::FORBIDDEN, "sign_in_required", message);
                params.iter().fold(refused, |why, (name, value)| why.with(name, value))
            }
            _ => why,
        }
    }

    fn ask_for_code(&self, request: &OrderRequest) -> Error {
        let refused = |code, message| Error::refused(StatusCode::FORBIDDEN, code, message);
        match self.guests.can_text(&request.content.phone) {
            true => refused("phone_code_required", "Please confirm this order with a code."),
            false => no_text_messages(),
        }
    }

    fn code_text(&self, phone: &str, language: Language) -> String {
        let code = self.guests.code(phone, self.store.clock.now());
        let shop = &self.store.sender.profiles.of(language).shop_name;
        let args: Args<'_> = &[("code", &code), ("shop", shop), ("minutes", &CODE_MINUTES)];
        Messages::text(language, "sms.code", args)
    }
}

fn no_text_messages() -> Error {
    let message = "We cannot send a text message to this number. Please log in.";
    Error::refused(StatusCode::FORBIDDEN, "no_text_messages", message)
}

#[derive(Deserialize, ToSchema)]
pub(super) struct PhoneCodeRequest {
    /// As in the order.
    #[schema(schema_with = schemas::phone)]
    phone: String,
    /// The country of the order's address; the shop's own by default.
    #[serde(default)]
    #[schema(required = false)]
    country: String,
    /// To claim an order, its number: then the code is sent as `phone` is read in that order's country.
    #[serde(default)]
    #[schema(required = false, max_length = 40)]
    number: String,
}

/// Send the code that confirms an order without an account
///
/// A text message to its phone number. The code works for ten to twenty minutes.
#[utoipa::path(
    post, path = "/orders/phone-code", tag = "Orders", request_body = PhoneCodeRequest,
    params(Language),
    responses(
        (status = 204, description = "It is sent"),
        (status = 403, description = "No text messages are sent to this number", body = ErrorBody),
        (status = 404, description = "No such order, or another phone number", body = ErrorBody),
        BadRequest, TooManyRequests,
    )
)]
pub(super) async fn send_phone_code(
    State(orders): State<Orders>,
    peer: Option<ClientIp>,
    language: Language,
    JsonBody(PhoneCodeRequest { phone, country, number }): JsonBody<PhoneCodeRequest>,
) -> Result<StatusCode> {
    let typed = validation::phone(&phone)?;
    let phone = match number.as_str() {
        "" => {
            let country = country.parse().ok().or(orders.countries.own());
            orders::normalize(&typed, country).unwrap_or(typed)
        }
        number => orders.find_by_contact(number, "", &typed, peer).await?.phone,
    };
    let texts = orders.guests.sms_limits.as_ref().filter(|_| orders.settings.guests.is_enabled());
    let Some(texts) = texts.filter(|_| orders.guests.can_text(&phone)) else {
        return Err(no_text_messages());
    };
    let (db, clock) = (&orders.store.db, &orders.store.clock);
    if !texts.allow_code((db, clock), &phone, peer).await? {
        return Err(Error::RateLimited("Too many requests. Please try again later."));
    }
    let text = orders.code_text(&phone, language);
    let mut tx = db.begin().await?;
    sms::enqueue(&mut tx, clock, &orders.store.random, &TextMessage { to: phone, text })?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
