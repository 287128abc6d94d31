//! What the shop writes to a customer about an order: all its words are here.

use base::Money;
use base::mail::{Letter, Words};

use super::{Back, Order, OrderLine, Status};

/// Who writes.
#[derive(Clone, Debug)]
pub struct Sender {
    pub shop_name: String,
    /// Where shoppers reach the shop; where that is not known, letters have no button.
    pub origin: Option<String>,
}

impl Sender {
    /// The letter that says where an order stands that was elsewhere before, what of it was `returned`, and
    /// what of its money was given `back`; for some steps there is none.
    pub fn letter(
        &self,
        order: &Order,
        from: Option<Status>,
        status: Status,
        back: Back,
        returned: &[OrderLine],
    ) -> Option<Letter> {
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
            Status::Delivered | Status::PartlyRefunded if from == Some(Status::ReturnRequested) => {
                (
                    format!("Your order {number} cannot be returned"),
                    "We cannot take it back",
                    format!(
                        "Dear {name}, we have looked at your request to return order {number}, and cannot \
                     take the goods back. Ring us if you see it differently."
                    ),
                )
            }
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
            Status::Refunded => (
                format!("Your order {number} is refunded"),
                "Your order is refunded",
                format!("Dear {name}, what you sent back of your order {number} is with us."),
            ),
            Status::PartlyRefunded => (
                format!("Your return from order {number} is refunded"),
                "Your return is refunded",
                format!("Dear {name}, what you sent back of your order {number} is with us."),
            ),
            _ => return None,
        };
        let mut paragraphs = vec![said];
        if !returned.is_empty() {
            let line = |line: &OrderLine| format!("{} × {}", line.quantity, line.name);
            let lines: Vec<String> = returned.iter().map(line).collect();
            paragraphs.push(format!("It is about:\n{}", lines.join("\n")));
        }
        paragraphs.extend(given_back(order, back));
        if matches!(status, Status::Placed | Status::Shipped) {
            paragraphs.push(format!("It goes to:\n{}", order.address));
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
        let letter = words.letter(&order.email, &subject);
        Some(Letter { bill: vec![lines(order), sums(order)], ..letter })
    }
}

fn lines(order: &Order) -> Vec<(String, String)> {
    let line = |OrderLine { name, price, quantity, .. }: &OrderLine| {
        let total = (*price * *quantity).shown_in(order.currency, order.rate);
        (format!("{quantity} × {name}"), total.to_string())
    };
    order.lines.iter().map(line).collect()
}

fn sums(order: &Order) -> Vec<(String, String)> {
    let shown = |money: Money| money.shown_in(order.currency, order.rate).to_string();
    let mut sums = vec![
        ("Sub Total".to_owned(), shown(order.sub_total)),
        ("Shipping".to_owned(), shown(order.shipping)),
        ("Vat".to_owned(), shown(order.vat)),
        ("Total".to_owned(), shown(order.total)),
    ];
    if order.credit > Money::ZERO {
        sums.push(("Store credit".to_owned(), format!("−{}", shown(order.credit))));
        sums.push(("To pay".to_owned(), shown(order.to_pay())));
    }
    sums
}

/// Where the money went.
fn given_back(order: &Order, Back { credit, paid }: Back) -> Option<String> {
    let shown = |money: Money| money.shown_in(order.currency, order.rate);
    let credit = (credit > Money::ZERO).then(|| {
        format!("{} is in your store credit now, to be spent on any order.", shown(credit))
    });
    let paid = (paid > Money::ZERO)
        .then(|| format!("{} is paid back to you in the way that we agreed on.", shown(paid)));
    let said: Vec<String> = [credit, paid].into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" "))
}
