//! The e-mail that brings a gift card to its recipient. It contains the code, so only whoever reads it can spend the card;
//! and nothing that the shop has noted about the card.

use std::sync::Arc;

use email::{Email, EmailBody, Purpose};
use messages::{Args, Messages, format};
use platform::{EmailAddress, Language};

use super::{GiftCard, GiftCardCode};
use crate::shop_profiles::ShopProfiles;

#[derive(Clone, Debug)]
pub struct GiftCardEmailSender {
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public URL; without it the e-mail has no button.
    pub origin: Option<Arc<str>>,
}

impl GiftCardEmailSender {
    pub(super) fn email(
        &self,
        to: &EmailAddress,
        language: Option<Language>,
        card: &GiftCard,
        code: &GiftCardCode,
    ) -> Email {
        let language = self.profiles.language(language);
        let text = |key, args: Args<'_>| Messages::text(language, key, args);
        let shop = self.profiles.of(language).shop_name.clone();
        let amount = format::money(language, card.balance);
        let mut paragraphs = vec![
            text("email.giftCardIntro", &[("amount", &amount), ("shop", &shop)]),
            text("email.giftCardCode", &[("code", code)]),
            text("email.giftCardUse", &[]),
        ];
        if let Some(end) = card.expires_at {
            let date = format::date(language, end);
            paragraphs.push(text("email.giftCardExpires", &[("date", &date)]));
        }
        // The code is not in the link: addresses are stored and logged in many places.
        let path = self.profiles.localize(language, "/gift-card");
        let link = self.origin.as_ref().map(|origin| format!("{origin}{path}"));
        let body = EmailBody {
            language,
            heading: text("email.giftCardHeading", &[("amount", &amount)]),
            paragraphs,
            button: link.map(|link| (text("email.giftCardButton", &[]), link)),
            footnote: text("email.giftCardFootnote", &[("shop", &shop)]),
            shop: shop.clone(),
        };
        let email = body.into_email(to, &text("email.giftCardSubject", &[("shop", &shop)]));
        email.purpose(Purpose::Paid)
    }
}
