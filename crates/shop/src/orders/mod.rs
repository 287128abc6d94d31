//! What was bought, and what became of it. Alone writes `orders`, `order_lines` and `order_events`. An
//! order changes in one way only: by a step that `transition` allows.

mod anonymous;
mod http;
mod invoice;
mod invoice_pdf;
mod letters;
mod limits;
mod notices;
mod number;
mod plan;
mod release;
mod return_store;
mod returns;
mod store;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base::auth::Tokens;
use base::{Currency, Id, Money, Rate, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::{ProductId, Shelf};
use crate::content::Facts;
use crate::payments::{Deed, OrderPayment};
use crate::quote::Charges;
use crate::words::words;

pub use anonymous::forget;
pub(crate) use anonymous::forget_old;
pub use http::{LONGEST_NOTE, SpecifiedOrder, router};
pub use letters::{News, Sender};
pub use limits::Limits;
pub use notices::OrderEmails;
pub use number::{NotANumber, Number};
pub use returns::{Back, OrderReturn, Refund, ReturnLine, ReturnState, SentBack};
pub(crate) use store::{BOUGHT, Placed};
pub use store::{Book, Filter, Taken, has_bought, has_surely_bought};

pub type OrderId = Id<Order>;

/// How long after delivery something may be sent back, how the shop is told of orders, and what is too
/// much of them.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "orders")]
pub struct Settings {
    /// Days after delivery within which a customer may ask to return an order
    #[arg(
        long,
        env = "HAAT_RETURN_WINDOW",
        value_name = "DAYS",
        default_value_t = 7,
        value_parser = clap::value_parser!(u16).range(0..=3650),
        help_heading = "The shop"
    )]
    pub return_window: u16,
    /// Days that a delivery takes, such as 3 or 2-4; product pages say it [default: they say nothing]
    #[arg(long, env = "HAAT_DELIVERY_DAYS", value_name = "DAYS", help_heading = "The shop")]
    pub delivery_days: Option<DeliveryDays>,
    /// Which e-mails the shop's own address gets about new orders
    #[arg(
        long,
        env = "HAAT_ORDER_EMAILS",
        value_enum,
        default_value_t = OrderEmails::Each,
        help_heading = "The shop"
    )]
    pub order_emails: OrderEmails,
    #[command(flatten)]
    pub limits: Limits,
}

impl Default for Settings {
    /// As in a shop that says nothing else.
    fn default() -> Self {
        Self {
            return_window: 7,
            delivery_days: None,
            order_emails: OrderEmails::Each,
            limits: Limits::default(),
        }
    }
}

impl Settings {
    fn window(&self) -> Duration {
        Duration::from_secs(u64::from(self.return_window) * 24 * 3600)
    }
}

/// How many days a delivery takes, as the setting says it: `3` or `2-4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryDays {
    least: u16,
    most: u16,
}

impl DeliveryDays {
    const MOST: u16 = 365;

    pub const fn new(least: u16, most: u16) -> Self {
        Self { least, most }
    }
}

impl FromStr for DeliveryDays {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once(['-', '–']).unwrap_or((text, text));
        let days = (least.trim().parse::<u16>(), most.trim().parse::<u16>());
        match days {
            (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= Self::MOST => {
                Ok(Self { least, most })
            }
            _ => Err(format!("a number of days from 1 to {}, or two as in 2-4", Self::MOST)),
        }
    }
}

impl fmt::Display for DeliveryDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { least: 1, most: 1 } => f.write_str("1 day"),
            Self { least, most } if least == most => write!(f, "{least} days"),
            Self { least, most } => write!(f, "{least}–{most} days"),
        }
    }
}

/// What the handlers of orders and of the checkout need.
#[derive(Clone)]
pub struct Orders {
    pub book: Book,
    pub shelf: Shelf,
    pub tokens: Tokens,
    pub charges: Charges,
    pub settings: Settings,
    pub rate: Rate,
    /// Who sells, for the invoice.
    pub shop: Facts,
}

words! {
    /// Where an order stands.
    #[schema(as = OrderStatus)]
    pub enum Status {
        Placed = "placed",
        Confirmed = "confirmed",
        Packed = "packed",
        Shipped = "shipped",
        Delivered = "delivered",
        Cancelled = "cancelled",
        ReturnRequested = "return_requested",
        Returned = "returned",
        /// All of it was sent back and refunded.
        Refunded = "refunded",
        /// Some of it was sent back and refunded; the rest is with the customer.
        PartlyRefunded = "partly_refunded",
    }
}

impl Status {
    /// From here on nobody has to reach the customer: it has arrived, was called off, or is paid back.
    pub const SETTLED: [Self; 4] =
        [Self::Delivered, Self::Cancelled, Self::Refunded, Self::PartlyRefunded];
}

/// What somebody does to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'s> {
    /// The shop goes on with it, to what comes next.
    Advance,
    /// The shop calls it off; possible until it is on its way.
    Cancel,
    /// The customer calls it off; possible until it is packed.
    Withdraw,
    /// The customer wants to send these back; where none are named, all that can be.
    AskToReturn(&'s [ReturnLine]),
    /// The shop does not take it back.
    RefuseReturn,
    /// The shop has it back, and can sell it again, or cannot.
    TakeBack { restock: bool },
    /// The shop gives back the money for it.
    Refund(Refund),
}

/// What a step does beside the new status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub to: Status,
    pub restock: Restock,
    pub payment: Option<Deed>,
    pub refund: Option<Refund>,
    /// What becomes of the return that is under way; where there is none, one begins.
    pub return_state: Option<ReturnState>,
    /// Whether the customer is told by a letter.
    pub letter: bool,
}

/// Which goods go back into stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restock {
    None,
    Order,
    /// Those of the return that is under way.
    Return,
}

/// The one rule of an order's life: what `step` leads to, where it may be taken. Returns are taken one at a
/// time: the order stands where its return stands, and afterwards where what is left of it does.
pub fn transition(from: Status, step: Step, back: SentBack) -> Option<Transition> {
    use Status::*;
    let plain = |to| Transition {
        to,
        restock: Restock::None,
        payment: None,
        refund: None,
        return_state: None,
        letter: false,
    };
    let told = |to| Transition { letter: true, ..plain(to) };
    let taken_back = |restock| Transition {
        restock: if restock { Restock::Return } else { Restock::None },
        return_state: Some(ReturnState::Received),
        ..plain(Returned)
    };
    let refunded = |refund| Transition {
        payment: Some(if back.all { Deed::Refund } else { Deed::RefundPart }),
        refund: Some(refund),
        return_state: Some(ReturnState::Refunded),
        ..told(if back.all { Refunded } else { PartlyRefunded })
    };
    let asked = Transition { return_state: Some(ReturnState::Requested), ..plain(ReturnRequested) };
    let refused = Transition {
        return_state: Some(ReturnState::Refused),
        ..told(if back.some { PartlyRefunded } else { Delivered })
    };
    let called_off =
        Transition { restock: Restock::Order, payment: Some(Deed::Void), ..told(Cancelled) };
    Some(match (step, from) {
        (Step::Advance, Placed) => plain(Confirmed),
        (Step::Advance, Confirmed) => plain(Packed),
        (Step::Advance, Packed) => told(Shipped),
        (Step::Advance, Shipped) => Transition { payment: Some(Deed::Capture), ..told(Delivered) },
        (Step::Advance, ReturnRequested) => taken_back(true),
        (Step::TakeBack { restock }, ReturnRequested) => taken_back(restock),
        (Step::Advance, Returned) => refunded(Refund::default()),
        (Step::Refund(refund), Returned) => refunded(refund),
        (Step::Withdraw, Placed | Confirmed) => called_off,
        (Step::Cancel, Placed | Confirmed | Packed) => called_off,
        (Step::AskToReturn(_), Delivered | PartlyRefunded) => asked,
        (Step::RefuseReturn, ReturnRequested) => refused,
        _ => return None,
    })
}

/// An order as it was agreed; nothing of this ever changes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: OrderId,
    #[sqlx(try_from = "String")]
    pub number: Number,
    /// The account that placed it.
    #[serde(skip)]
    pub customer: String,
    pub email: String,
    pub name: String,
    pub phone: String,
    pub address: String,
    /// What the shopper saw the prices in.
    #[sqlx(try_from = "String")]
    pub currency: Currency,
    /// Taka per US dollar at that moment, in ten-thousandths.
    pub rate: Rate,
    pub sub_total: Money,
    pub shipping: Money,
    pub vat: Money,
    pub total: Money,
    /// What of the total was paid with store credit; the rest is what the payment is about.
    pub credit: Money,
    pub created_at: Timestamp,
    #[sqlx(skip)]
    pub lines: Vec<OrderLine>,
}

impl Order {
    /// What is left to pay.
    pub fn to_pay(&self) -> Money {
        self.total - self.credit
    }
}

/// A line as it was when the order was placed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OrderLine {
    #[serde(rename = "_id")]
    pub product: ProductId,
    pub name: String,
    pub sku: String,
    /// The address of the product's first picture.
    pub picture: String,
    #[serde(rename = "buyPrice")]
    pub price: Money,
    #[serde(rename = "qtn")]
    pub quantity: i64,
}

/// A step of an order's history.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct OrderEvent {
    #[sqlx(try_from = "String")]
    pub status: Status,
    pub at: Timestamp,
    /// What was said with it; often nothing.
    pub note: String,
}

/// An order with what has become of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderNow {
    #[serde(flatten)]
    pub order: Order,
    pub status: Status,
    /// The first step first.
    pub history: Vec<OrderEvent>,
    pub payment: OrderPayment,
    /// Whether the customer can still cancel it.
    pub can_cancel: bool,
    /// Until when the customer may ask to return something of it; null where that cannot be asked.
    #[schema(required)]
    pub return_until: Option<Timestamp>,
    /// What can still be returned; nothing where that cannot be asked.
    pub returnable: Vec<ReturnLine>,
    /// What was asked to be returned, the first one first.
    pub returns: Vec<OrderReturn>,
}

/// Until when an order may be sent back: so long after it was first delivered.
fn return_until(status: Status, history: &[OrderEvent], window: Duration) -> Option<Timestamp> {
    transition(status, Step::AskToReturn(&[]), SentBack::default())?;
    let delivered = history.iter().find(|event| event.status == Status::Delivered)?;
    Some(delivered.at.plus(window))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [Step; 7] = [
        Step::Advance,
        Step::Cancel,
        Step::Withdraw,
        Step::AskToReturn(&[]),
        Step::RefuseReturn,
        Step::TakeBack { restock: true },
        Step::Refund(Refund { amount: None, as_credit: true }),
    ];

    /// Steps, each with whether it is the last of the goods that comes back then.
    fn steps() -> impl Strategy<Value = Vec<(Step<'static>, bool)>> {
        let step = (proptest::sample::select(&STEPS[..]), any::<bool>());
        proptest::collection::vec(step, 0..24)
    }

    /// Walks through an order's life, and hands every step that was taken to `see`.
    fn walk(steps: Vec<(Step<'static>, bool)>, mut see: impl FnMut(Status, Transition)) {
        let (mut status, mut some) = (Status::Placed, false);
        for (step, all) in steps {
            let Some(next) = transition(status, step, SentBack { some, all }) else { continue };
            see(status, next);
            some |= next.refund.is_some();
            status = next.to;
        }
    }

    proptest! {
        #[test]
        fn goods_go_back_once_when_called_off_and_once_for_each_return(steps in steps()) {
            let (mut shipped, mut asked) = (false, 0);
            walk(steps, |from, next| {
                shipped |= next.to == Status::Shipped;
                asked += u32::from(next.to == Status::ReturnRequested);
                match next.restock {
                    Restock::None => {}
                    Restock::Order => assert!(!shipped && next.to == Status::Cancelled),
                    Restock::Return => {
                        assert!(shipped && from == Status::ReturnRequested && asked == 1);
                        assert_eq!(next.to, Status::Returned);
                    }
                }
                if from == Status::ReturnRequested {
                    asked -= 1;
                }
            });
        }

        #[test]
        fn money_is_taken_once_and_given_back_only_when_it_was(steps in steps()) {
            let mut taken = 0;
            walk(steps, |_, next| {
                match next.payment {
                    Some(Deed::Capture) => taken += 1,
                    Some(Deed::Refund) => taken -= 1,
                    Some(Deed::RefundPart) => assert_eq!(taken, 1),
                    Some(Deed::Void) => assert_eq!(taken, 0),
                    None => {}
                }
                assert!((0..=1).contains(&taken));
                assert_eq!(next.refund.is_some(), next.return_state == Some(ReturnState::Refunded));
            });
        }

        #[test]
        fn what_has_ended_stays_ended(steps in steps(), some in any::<bool>()) {
            for end in [Status::Cancelled, Status::Refunded] {
                for (step, all) in &steps {
                    prop_assert_eq!(transition(end, *step, SentBack { some, all: *all }), None);
                }
            }
        }
    }

    #[test]
    fn delivery_takes_one_number_of_days_or_two() {
        for (text, shown) in
            [("1", "1 day"), ("3", "3 days"), ("2-4", "2–4 days"), (" 2 – 4 ", "2–4 days")]
        {
            assert_eq!(text.parse::<DeliveryDays>().unwrap().to_string(), shown, "{text}");
        }
        for text in ["", "0", "4-2", "2-", "-2", "soon", "2-4-6", "366", "1-99999"] {
            assert!(text.parse::<DeliveryDays>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_return_is_asked_for_within_the_window() {
        let event = |status, at| OrderEvent { status, at: Timestamp(at), note: String::new() };
        let history = [event(Status::Placed, 1), event(Status::Delivered, 5)];
        let window = Duration::from_millis(10);
        assert_eq!(return_until(Status::Delivered, &history, window), Some(Timestamp(15)));
        assert_eq!(return_until(Status::Shipped, &history, window), None);
        assert_eq!(return_until(Status::Returned, &history, window), None);
    }
}
