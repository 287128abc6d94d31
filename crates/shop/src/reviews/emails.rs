//! E-mails about reviews: to the shop when one is queued, to its writer when it is refused.

use std::sync::Arc;

use email::{Email, EmailBody, Purpose};
use messages::{Args, Messages};
use platform::{EmailAddress, Language};

use super::OwnReview;
use crate::shop_profiles::ShopProfiles;

/// Builds the e-mails about reviews.
#[derive(Clone, Debug)]
pub struct ReviewEmailSender {
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public URL; without it e-mails have no button.
    pub origin: Option<Arc<str>>,
}

impl ReviewEmailSender {
    /// Tells the shop that a review waits for approval.
    pub(super) fn queued_email(&self, product: &str, own: &OwnReview) -> Option<Email> {
        let language = self.profiles.default_language();
        let shop = EmailAddress::parse(&self.profiles.of(language).email)?;
        let OwnReview { review, .. } = own;
        let text = |key, args: Args<'_>| Messages::text(language, key, args);
        let about: Args<'_> = &[("product", &product)];
        let name = review.writer(language);
        let stars: Args<'_> =
            &[("name", &name), ("rating", &review.rating), ("title", &review.title)];
        let approve = format!("haat reviews approve {}", review.id);
        let refuse = format!("haat reviews refuse {} --why \"…\"", review.id);
        let before =
            [text("email.reviewWaitsProduct", about), text("email.reviewWaitsStars", stars)];
        let lines = review.body.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let after = [
            text("email.reviewWaitsApprove", &[("command", &approve)]),
            text("email.reviewWaitsRefuse", &[("command", &refuse)]),
        ];
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.reviewWaitsHeading", &[]),
            paragraphs: before.into_iter().chain(lines.map(str::to_owned)).chain(after).collect(),
            button: self.button(language, "email.reviewWaitsButton", own),
            footnote: text("email.reviewWaitsFootnote", &[]),
        };
        let email = body.into_email(&shop, &text("email.reviewWaitsSubject", about));
        Some(email.purpose(Purpose::Shop))
    }

    /// Tells the writer why the review is not shown. To an unverified address nothing of the input is
    /// repeated.
    pub(super) fn refused_email(
        &self,
        (to, language): (&EmailAddress, Language),
        verified: bool,
        product: &str,
        own: &OwnReview,
    ) -> Email {
        let OwnReview { review, note, .. } = own;
        let name = review.writer(language);
        let text = |key| {
            let args: Args<'_> = &[
                ("name", &name),
                ("title", &review.title),
                ("product", &product),
                ("reason", note),
            ];
            Messages::text(language, key, args)
        };
        let intro = match verified {
            true => text("email.reviewRefusedIntro"),
            false => text("email.reviewRefusedUnverifiedIntro"),
        };
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text("email.reviewRefusedHeading"),
            paragraphs: vec![intro, text("email.reviewRefusedNext")],
            button: self.button(language, "email.reviewRefusedButton", own),
            footnote: text("email.reviewRefusedFootnote"),
        };
        body.into_email(to, &text("email.reviewRefusedSubject"))
    }

    /// The label and the URL of the product's reviews.
    fn button(&self, language: Language, key: &str, own: &OwnReview) -> Option<(String, String)> {
        let path = format!("/product/{}#reviews", own.product);
        let url = format!("{}{}", self.origin.as_ref()?, self.profiles.localize(language, &path));
        Some((Messages::text(language, key, &[]), url))
    }
}
