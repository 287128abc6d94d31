//! E-mails about reviews: to the shop when one is queued, to its writer when it is refused.

use std::sync::Arc;

use email::{Email, EmailBody, Purpose};
use platform::EmailAddress;

use super::OwnReview;
use crate::settings::ShopProfile;

/// Builds the e-mails about reviews.
#[derive(Clone, Debug)]
pub struct ReviewEmailSender {
    pub profile: Arc<ShopProfile>,
    /// The shop's public URL; without it e-mails have no button.
    pub origin: Option<Arc<str>>,
}

impl ReviewEmailSender {
    /// Tells the shop that a review waits for approval.
    pub(super) fn queued_email(&self, product: &str, own: &OwnReview) -> Option<Email> {
        let shop = EmailAddress::parse(&self.profile.email)?;
        let OwnReview { review, .. } = own;
        let intro = format!("{}, {} of 5 stars: {}", review.name, review.rating, review.title);
        let lines = review.body.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let show = format!("To show it: haat reviews approve {}", review.id);
        let refuse = format!("Not to: haat reviews refuse {} --why \"…\"", review.id);
        let before = [format!("About {product}."), intro].into_iter();
        let body = EmailBody {
            shop: self.profile.shop_name.clone(),
            heading: "A review waits for you".into(),
            paragraphs: before.chain(lines.map(str::to_owned)).chain([show, refuse]).collect(),
            button: self.link(own).map(|link| ("See the product".into(), link)),
            footnote: "It holds a link, or its writer was refused before. Until you say so, nobody else sees it."
                .into(),
        };
        let email = body.into_email(&shop, &format!("A review of {product} waits"));
        Some(email.purpose(Purpose::Shop))
    }

    /// Tells the writer why the review is not shown. To an unverified address nothing of the input is
    /// repeated.
    pub(super) fn refused_email(
        &self,
        to: &EmailAddress,
        verified: bool,
        product: &str,
        own: &OwnReview,
    ) -> Email {
        let OwnReview { review, note, .. } = own;
        let intro = match verified {
            true => format!(
                "Dear {}, we do not show your review “{}” of {product}. The reason: {note}",
                review.name, review.title
            ),
            false => format!("We do not show your review of {product}. The reason: {note}"),
        };
        let body = EmailBody {
            shop: self.profile.shop_name.clone(),
            heading: "We do not show your review".into(),
            paragraphs: vec![
                intro,
                "You can change it on the product's page, and we look at it again. What our reviews must \
                 not hold is in our terms; that one is unkind is no reason."
                    .into(),
            ],
            button: self.link(own).map(|link| ("Change the review".into(), link)),
            footnote: "You get this e-mail because you wrote a review with this account.".into(),
        };
        body.into_email(to, &format!("Your review of {product}"))
    }

    fn link(&self, own: &OwnReview) -> Option<String> {
        self.origin.as_ref().map(|origin| format!("{origin}/product/{}#reviews", own.product))
    }
}
