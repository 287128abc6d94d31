//! E-mails to customers about their orders.

use std::sync::Arc;

use email::{Email, EmailBody};
use platform::{EmailAddress, Money};

use super::{Order, OrderEmails, OrderLine, OrderStatus, RefundSplit};
use crate::settings::ShopProfile;

/// Builds the e-mails about orders.
#[derive(Clone, Debug)]
pub struct OrderEmailSender {
    pub profile: Arc<ShopProfile>,
    /// The shop's public URL; without it e-mails have neither button nor pictures.
    pub origin: Option<Arc<str>>,
    /// Which notices the shop itself gets.
    pub order_emails: OrderEmails,
}

/// What an e-mail about an order depends on, besides the order.
#[derive(Clone, Copy, Debug)]
pub struct OrderUpdate {
    /// The previous status.
    pub from: Option<OrderStatus>,
    pub status: OrderStatus,
    /// The amount refunded by this step.
    pub back: RefundSplit,
    /// Whether the address is verified. E-mails to other addresses repeat no input, because a stranger
    /// may have typed them.
    pub verified: bool,
    /// Hours until the order is cancelled unless the address is confirmed.
    pub cancelled_in_hours: Option<u64>,
}

impl OrderEmailSender {
    /// The shop's own mailbox.
    pub(super) fn shop_email(&self) -> Option<EmailAddress> {
        EmailAddress::parse(&self.profile.email)
    }

    /// The e-mail about an order's new status and the `returned` lines; `None` for steps without one.
    pub fn status_email(
        &self,
        order: &Order,
        update: &OrderUpdate,
        returned: &[OrderLine],
    ) -> Option<Email> {
        let OrderUpdate { from, status, back, verified, cancelled_in_hours } = *update;
        let Order { number, name, .. } = order;
        let dear = if verified { format!("Dear {name}") } else { "Hello".to_owned() };
        let (subject, heading, intro) = match status {
            OrderStatus::Placed => (
                match cancelled_in_hours {
                    None => format!("Your order {number}"),
                    Some(_) => format!("Your order {number}: please confirm your address"),
                },
                "Thank you for your order",
                format!("{dear}, we have your order {number} and get to work on it."),
            ),
            OrderStatus::Shipped => (
                format!("Your order {number} is on its way"),
                "Your order is on its way",
                format!("{dear}, we have handed your order {number} to the courier."),
            ),
            OrderStatus::Delivered | OrderStatus::PartlyRefunded
                if from == Some(OrderStatus::ReturnRequested) =>
            {
                (
                    format!("Your order {number} cannot be returned"),
                    "We cannot take it back",
                    format!(
                        "{dear}, we have looked at your request to return order {number}, and cannot \
                     take the goods back. Ring us if you see it differently."
                    ),
                )
            }
            OrderStatus::Delivered => (
                format!("Your order {number} was delivered"),
                "Your order was delivered",
                format!("{dear}, your order {number} was delivered. We hope you like it."),
            ),
            OrderStatus::Cancelled => (
                format!("Your order {number} is cancelled"),
                "Your order is cancelled",
                format!(
                    "{dear}, your order {number} is cancelled. Nothing is delivered, and there is \
                     nothing to pay."
                ),
            ),
            OrderStatus::Refunded => (
                format!("Your order {number} is refunded"),
                "Your order is refunded",
                format!("{dear}, what you sent back of your order {number} is with us."),
            ),
            OrderStatus::PartlyRefunded => (
                format!("Your return from order {number} is refunded"),
                "Your return is refunded",
                format!("{dear}, what you sent back of your order {number} is with us."),
            ),
            _ => return None,
        };
        let mut paragraphs = vec![intro];
        if !returned.is_empty() {
            let line = |line: &OrderLine| format!("{} × {}", line.quantity, line.name);
            let lines: Vec<String> = returned.iter().map(line).collect();
            paragraphs.push(format!("It is about:\n{}", lines.join("\n")));
        }
        paragraphs.extend(refund_text(order, back));
        if verified && matches!(status, OrderStatus::Placed | OrderStatus::Shipped) {
            paragraphs.push(format!("It goes to:\n{}", order.address));
        }
        if let Some(hours) = cancelled_in_hours {
            paragraphs.push(format!(
                "This e-mail address is not confirmed yet. Please open the link in the e-mail “Confirm your \
                 e-mail address”, which you can have again in your profile: unless the address or the \
                 order is confirmed within {hours} hours, the order is cancelled."
            ));
        }
        let link = self.origin.as_ref().map(|origin| format!("{origin}/track?number={number}"));
        let body = EmailBody {
            shop: self.profile.shop_name.clone(),
            heading: heading.into(),
            paragraphs,
            button: link.map(|link| ("See how it is going".into(), link)),
            footnote: "You get this e-mail because you placed an order with this e-mail address."
                .into(),
        };
        // An anonymized order has no address.
        let email = body.into_email(&EmailAddress::parse(&order.email)?, &subject);
        let pictures = pictures(order, self.origin.as_deref());
        Some(Email { totals: vec![lines(order), totals(order)], pictures, ..email })
    }
}

/// URLs of the lines' thumbnails; empty when no line has a picture.
pub(super) fn pictures(order: &Order, origin: Option<&str>) -> Vec<String> {
    let Some(origin) = origin else { return Vec::new() };
    let picture = |OrderLine { picture, .. }: &OrderLine| {
        let id = media::id_in_url(picture);
        id.map_or_else(String::new, |id| format!("{origin}/media/{id}/160.jpg"))
    };
    let pictures: Vec<String> = order.lines.iter().map(picture).collect();
    if pictures.iter().all(String::is_empty) { Vec::new() } else { pictures }
}

pub(super) fn lines(order: &Order) -> Vec<(String, String)> {
    let line = |OrderLine { name, price, quantity, .. }: &OrderLine| {
        (format!("{quantity} × {name}"), order.format(*price * *quantity))
    };
    order.lines.iter().map(line).collect()
}

pub(super) fn totals(order: &Order) -> Vec<(String, String)> {
    let shown = |money| order.format(money);
    let mut totals = vec![
        ("Sub Total".to_owned(), shown(order.sub_total)),
        ("Shipping".to_owned(), shown(order.shipping)),
        ("Vat".to_owned(), shown(order.vat)),
        ("Total".to_owned(), shown(order.total)),
    ];
    if order.credit > Money::ZERO {
        totals.push(("Store credit".to_owned(), format!("−{}", shown(order.credit))));
        totals.push(("To pay".to_owned(), shown(order.to_pay())));
    }
    totals
}

/// How the refund is paid.
fn refund_text(order: &Order, RefundSplit { credit, paid }: RefundSplit) -> Option<String> {
    let shown = |money| order.format(money);
    let credit = (credit > Money::ZERO).then(|| {
        format!("{} is in your store credit now, to be spent on any order.", shown(credit))
    });
    let paid = (paid > Money::ZERO)
        .then(|| format!("{} is paid back to you in the way that we agreed on.", shown(paid)));
    let parts: Vec<String> = [credit, paid].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
