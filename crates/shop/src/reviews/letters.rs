//! What the shop writes about reviews: to itself when one waits, to a writer whose review it does not show.

use base::EmailAddress;
use base::mail::{Letter, Purpose, Words};

use super::OwnReview;
use crate::content::Facts;

/// Who writes.
#[derive(Clone, Debug)]
pub struct Sender {
    pub shop: Facts,
    /// Where shoppers reach the shop; where that is not known, letters have no button.
    pub origin: Option<String>,
}

impl Sender {
    /// To the shop: a review waits.
    pub(super) fn notice(&self, product: &str, own: &OwnReview) -> Option<Letter> {
        let shop = EmailAddress::parse(&self.shop.email)?;
        let OwnReview { review, .. } = own;
        let said = format!("{}, {} of 5 stars: {}", review.name, review.rating, review.title);
        let lines = review.body.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let show = format!("To show it: haat reviews approve {}", review.id);
        let refuse = format!("Not to: haat reviews refuse {} --why \"…\"", review.id);
        let before = [format!("About {product}."), said].into_iter();
        let words = Words {
            shop: self.shop.name.clone(),
            heading: "A review waits for you".into(),
            paragraphs: before.chain(lines.map(str::to_owned)).chain([show, refuse]).collect(),
            button: self.link(own).map(|link| ("See the product".into(), link)),
            footnote: "It holds a link, or its writer was refused before. Until you say so, nobody else sees it."
                .into(),
        };
        let letter = words.letter(&shop, &format!("A review of {product} waits"));
        Some(letter.purpose(Purpose::Shop))
    }

    /// To the writer: why it is not shown. To an address that is not proven nothing is repeated that was
    /// typed.
    pub(super) fn refusal(
        &self,
        to: &EmailAddress,
        proven: bool,
        product: &str,
        own: &OwnReview,
    ) -> Letter {
        let OwnReview { review, note, .. } = own;
        let said = match proven {
            true => format!(
                "Dear {}, we do not show your review “{}” of {product}. The reason: {note}",
                review.name, review.title
            ),
            false => format!("We do not show your review of {product}. The reason: {note}"),
        };
        let words = Words {
            shop: self.shop.name.clone(),
            heading: "We do not show your review".into(),
            paragraphs: vec![
                said,
                "You can change it on the product's page, and we look at it again. What our reviews must \
                 not hold is in our terms; that one is unkind is no reason."
                    .into(),
            ],
            button: self.link(own).map(|link| ("Change the review".into(), link)),
            footnote: "You get this letter because you wrote a review with this account.".into(),
        };
        words.letter(to, &format!("Your review of {product}"))
    }

    fn link(&self, own: &OwnReview) -> Option<String> {
        self.origin.as_ref().map(|origin| format!("{origin}/product/{}#reviews", own.product))
    }
}
