//! What the shop writes to a customer about an order: all its words are here.

use base::mail::{Letter, Words};

use super::{Order, OrderLine, Status};

/// Who writes.
#[derive(Clone, Debug)]
pub struct Sender {
    pub shop_name: String,
    /// Where shoppers reach the shop; where that is not known, letters have no button.
    pub origin: Option<String>,
}

impl Sender {
    /// The letter that says where an order stands; for some steps there is none.
    pub fn letter(&self, order: &Order, status: Status) -> Option<Letter> {
        let Order { number, name, .. } = order;
        let (subject, heading, said) = match status {
            Status::Placed => (
                format!("Your order {number}"),
                "Thank you for your order",
                format!("Dear {name}, we have your order {number} and get to work on it."),
            ),
            Status::Shipped => (
                format!("Your order {number} is on its way"),
                "Your order is on its way",
                format!("Dear {name}, we have handed your order {number} to the courier."),
            ),
            Status::Delivered => (
                format!("Your order {number} was delivered"),
                "Your order was delivered",
                format!("Dear {name}, your order {number} was delivered. We hope you like it."),
            ),
            Status::Cancelled => (
                format!("Your order {number} is cancelled"),
                "Your order is cancelled",
                format!(
                    "Dear {name}, your order {number} is cancelled. Nothing is delivered, and there is \
                     nothing to pay."
                ),
            ),
            _ => return None,
        };
        let (lines, sums, to) = (lines(order), sums(order), format!("To:\n{}", order.address));
        let mut paragraphs = vec![said, lines, sums];
        if matches!(status, Status::Placed | Status::Shipped) {
            paragraphs.push(to);
        }
        let link = self.origin.as_ref().map(|origin| format!("{origin}/track?number={number}"));
        let words = Words {
            shop: self.shop_name.clone(),
            heading: heading.into(),
            paragraphs,
            button: link.map(|link| ("See how it is going".into(), link)),
            footnote: "You get this letter because you placed an order with this e-mail address."
                .into(),
        };
        Some(words.letter(&order.email, &subject))
    }
}

fn lines(order: &Order) -> String {
    let line = |OrderLine { name, price, quantity, .. }: &OrderLine| {
        let total = (*price * *quantity).shown_in(order.currency, order.rate);
        format!("{quantity} × {name}: {total}")
    };
    order.lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn sums(order: &Order) -> String {
    let sums = [
        ("Sub Total", order.sub_total),
        ("Shipping", order.shipping),
        ("Vat", order.vat),
        ("Total", order.total),
    ];
    let sum = |(name, money): (&str, base::Money)| {
        format!("{name}: {}", money.shown_in(order.currency, order.rate))
    };
    sums.map(sum).join("\n")
}
