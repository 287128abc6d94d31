//! To whom the gift cards in a cart are sent, and when.

use std::collections::HashSet;

use axum::http::StatusCode;
use platform::error::Field;
use platform::time_zone::CalendarDay;
use platform::{EmailAddress, Error, MinorUnits, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::http::FieldErrors;
use super::{OrderRequest, Orders};
use crate::catalog::{StockedVariant, VariantId};
use crate::gift_cards::{MAX_SOLD, NewSoldGiftCard};
use crate::pricing::MAX_LINES;
use crate::schemas;

/// The hour at which cards are sent, in the shop's time zone.
const SENDING_HOUR: i8 = 9;

/// Where the cards of a line are sent.
#[derive(Deserialize, ToSchema)]
#[schema(as = GiftCardRecipient)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TypedGiftCardRecipient {
    /// The variant of the line.
    line: VariantId,
    /// The order's own by default.
    #[serde(default)]
    #[schema(required = false, max_length = 254)]
    email: String,
    /// The day in the shop's time zone, from today to one year ahead; at once by default.
    #[serde(default)]
    #[schema(required = false, schema_with = schemas::day)]
    send_on: String,
}

/// The same, checked as far as it can be without the goods and the time.
#[derive(Debug, Serialize)]
pub(super) struct GiftCardRecipient {
    line: VariantId,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<EmailAddress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send_on: Option<CalendarDay>,
}

/// Collects the errors.
pub(super) fn parse(
    typed: Vec<TypedGiftCardRecipient>,
    errors: &mut FieldErrors,
) -> Vec<GiftCardRecipient> {
    if typed.len() > MAX_LINES {
        let message = format!("at most {MAX_LINES}");
        errors.invalid.push(Field::malformed("giftCardRecipients", message));
        return Vec::new();
    }
    let (mut parsed, mut seen) = (Vec::with_capacity(typed.len()), HashSet::new());
    for (place, TypedGiftCardRecipient { line, email, send_on }) in typed.into_iter().enumerate() {
        let name = |field: &str| format!("giftCardRecipients.{place}.{field}");
        let (email, send_on) = (email.trim(), send_on.trim());
        let known = EmailAddress::parse(email);
        if known.is_none() && !email.is_empty() {
            let message = "an e-mail address like name@example.com";
            errors.invalid.push(Field::new(name("email"), "bad_email", message));
        }
        let day = match send_on {
            "" => None,
            send_on => match send_on.parse() {
                Ok(day) => Some(day),
                Err(why) => {
                    errors.invalid.push(Field::malformed(name("sendOn"), why));
                    None
                }
            },
        };
        if !seen.insert(line.clone()) {
            errors.conflicting.push(Field::malformed(name("line"), "appears twice".to_owned()));
        }
        parsed.push(GiftCardRecipient { line, email: known, send_on: day });
    }
    parsed
}

/// The refusal of an order that sends too much to one mailbox.
pub(super) fn too_many() -> Error {
    Error::RateLimited("Too many gift cards are sent to this address. Please try again tomorrow.")
}

impl Orders {
    /// The gift cards that an order of these goods buys, one for each unit.
    pub(super) fn sold_gift_cards(
        &self,
        request: &OrderRequest,
        goods: &[StockedVariant],
        now: Timestamp,
    ) -> Result<Vec<NewSoldGiftCard>> {
        let content = &request.content;
        let card_of = |line: &VariantId| {
            goods.iter().map(|one| &one.line).find(|one| one.id == *line && one.is_gift_card)
        };
        let ordered = |line: &VariantId| content.lines.iter().any(|(id, _)| id == line);
        for (place, recipient) in content.gift_card_recipients.iter().enumerate() {
            if !ordered(&recipient.line) || card_of(&recipient.line).is_none() {
                let name = format!("giftCardRecipients.{place}.line");
                let message = "is no gift card of this order";
                return Err(Error::unprocessable(Field::new(name, "no_gift_card", message)));
            }
        }
        let mut cards = Vec::new();
        for (id, quantity) in &content.lines {
            let Some(card) = card_of(id) else { continue };
            let place = content.gift_card_recipients.iter().position(|one| one.line == *id);
            let chosen = place.map(|place| &content.gift_card_recipients[place]);
            let recipient = chosen.and_then(|chosen| chosen.email.clone());
            let recipient = recipient.or_else(|| EmailAddress::parse(&request.email));
            let recipient = recipient.ok_or_else(recipient_missing)?;
            let send_on = chosen.and_then(|chosen| chosen.send_on);
            let send_at = self.send_at(send_on, now).ok_or_else(|| bad_day(place))?;
            let amount = MinorUnits(card.stored.in_base_at(now)).of(request.to.base);
            let card = |unit| NewSoldGiftCard {
                variant: id.clone(),
                unit,
                amount,
                recipient: recipient.clone(),
                language: request.language,
                send_at,
            };
            cards.extend((0..*quantity).filter(|_| amount.is_positive()).map(card));
        }
        if cards.len() as i64 > MAX_SOLD {
            let message = format!("at most {MAX_SOLD} gift cards in one order");
            let field = Field::new("lines", "too_many_gift_cards_bought", message);
            return Err(Error::unprocessable(field.with("most", MAX_SOLD)));
        }
        Ok(cards)
    }

    /// When a card is sent; `None` where the day is not possible.
    fn send_at(&self, send_on: Option<CalendarDay>, now: Timestamp) -> Option<Timestamp> {
        let time_zone = &self.zones.time_zone;
        let today = time_zone.day(now);
        match send_on {
            None => Some(now),
            Some(day) if day == today => Some(now),
            Some(day) if (today..=today.in_a_year()).contains(&day) => {
                Some(time_zone.at_hour(day, SENDING_HOUR))
            }
            Some(_) => None,
        }
    }
}

fn recipient_missing() -> Error {
    let message = "A gift card is sent by e-mail: say to which address.";
    Error::refused(StatusCode::UNPROCESSABLE_ENTITY, "gift_card_recipient_required", message)
}

fn bad_day(place: Option<usize>) -> Error {
    let name = format!("giftCardRecipients.{}.sendOn", place.unwrap_or_default());
    let field = Field::new(name, "bad_sending_day", "from today to one year ahead");
    Error::unprocessable(field)
}
