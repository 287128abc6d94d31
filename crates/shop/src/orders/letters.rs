//! What the shop writes to a customer about an order: all its words are here.

use base::config::Shopfront;
use base::mail::{Letter, Words};
use base::{EmailAddress, Money};

use super::{Back, Order, OrderEmails, OrderLine, Status};

/// Who writes.
#[derive(Clone, Debug)]
pub struct Sender {
    pub shop_name: String,
    /// Where shoppers reach the shop; where that is not known, letters have no button and no pictures.
    pub origin: Option<String>,
    /// Where the shop itself reads, and what it is told there.
    pub shop_email: Option<EmailAddress>,
    pub order_emails: OrderEmails,
}

/// What an e-mail about an order goes by, beside the order itself.
#[derive(Clone, Copy, Debug)]
pub struct News {
    /// Where the order stood before.
    pub from: Option<Status>,
    pub status: Status,
    /// What of its money was given back.
    pub back: Back,
    /// Whether the address is known to be the customer's. To one that is not, nothing is repeated that
    /// was typed: a stranger may have typed it.
    pub proven: bool,
    /// In how many hours the order is cancelled unless the address is confirmed.
    pub released_in: Option<u64>,
}

impl Sender {
    pub fn new(front: &Shopfront, origin: Option<String>, order_emails: OrderEmails) -> Self {
        let (shop_name, shop_email) = (front.shop_name.clone(), EmailAddress::parse(&front.email));
        Self { shop_name, origin, shop_email, order_emails }
    }

    /// The e-mail that says where an order stands, and what of it was `returned`; for some steps there is
    /// none.
    pub fn letter(&self, order: &Order, news: &News, returned: &[OrderLine]) -> Option<Letter> {
        let News { from, status, back, proven, released_in } = *news;
        let Order { number, name, .. } = order;
        let dear = if proven { format!("Dear {name}") } else { "Hello".to_owned() };
        let (subject, heading, said) = match status {
            Status::Placed => (
                match released_in {
                    None => format!("Your order {number}"),
                    Some(_) => format!("Your order {number}: please confirm your address"),
                },
                "Thank you for your order",
                format!("{dear}, we have your order {number} and get to work on it."),
            ),
            Status::Shipped => (
                format!("Your order {number} is on its way"),
                "Your order is on its way",
                format!("{dear}, we have handed your order {number} to the courier."),
            ),
            Status::Delivered | Status::PartlyRefunded if from == Some(Status::ReturnRequested) => {
                (
                    format!("Your order {number} cannot be returned"),
                    "We cannot take it back",
                    format!(
                        "{dear}, we have looked at your request to return order {number}, and cannot \
                     take the goods back. Ring us if you see it differently."
                    ),
                )
            }
            Status::Delivered => (
                format!("Your order {number} was delivered"),
                "Your order was delivered",
                format!("{dear}, your order {number} was delivered. We hope you like it."),
            ),
            Status::Cancelled => (
                format!("Your order {number} is cancelled"),
                "Your order is cancelled",
                format!(
                    "{dear}, your order {number} is cancelled. Nothing is delivered, and there is \
                     nothing to pay."
                ),
            ),
            Status::Refunded => (
                format!("Your order {number} is refunded"),
                "Your order is refunded",
                format!("{dear}, what you sent back of your order {number} is with us."),
            ),
            Status::PartlyRefunded => (
                format!("Your return from order {number} is refunded"),
                "Your return is refunded",
                format!("{dear}, what you sent back of your order {number} is with us."),
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
        if proven && matches!(status, Status::Placed | Status::Shipped) {
            paragraphs.push(format!("It goes to:\n{}", order.address));
        }
        if let Some(hours) = released_in {
            paragraphs.push(format!(
                "This e-mail address is not confirmed yet. Please open the link in the e-mail “Confirm your \
                 e-mail address”, which you can have again in your profile: unless the address or the \
                 order is confirmed within {hours} hours, the order is cancelled."
            ));
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
        // Whoever is forgotten has none, and gets no letters.
        let letter = words.letter(&EmailAddress::parse(&order.email)?, &subject);
        let pictures = pictures(order, self.origin.as_deref());
        Some(Letter { bill: vec![lines(order), sums(order)], pictures, ..letter })
    }
}

/// The addresses of the lines' pictures, small; nothing where none of them has one.
pub(super) fn pictures(order: &Order, origin: Option<&str>) -> Vec<String> {
    let Some(origin) = origin else { return Vec::new() };
    let picture = |OrderLine { picture, .. }: &OrderLine| {
        let id = media::id_of(picture);
        id.map_or_else(String::new, |id| format!("{origin}/media/{id}/160.jpg"))
    };
    let pictures: Vec<String> = order.lines.iter().map(picture).collect();
    if pictures.iter().all(String::is_empty) { Vec::new() } else { pictures }
}

pub(super) fn lines(order: &Order) -> Vec<(String, String)> {
    let line = |OrderLine { name, price, quantity, .. }: &OrderLine| {
        let total = (*price * *quantity).shown_in(order.currency, order.rate);
        (format!("{quantity} × {name}"), total.to_string())
    };
    order.lines.iter().map(line).collect()
}

pub(super) fn sums(order: &Order) -> Vec<(String, String)> {
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
