//! What was bought, and what became of it. Alone writes `orders`, `order_lines` and `order_events`. An
//! order changes in one way only: by a step that `transition` allows.

mod anonymous;
mod http;
mod invoice;
mod letters;
mod number;
mod store;

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
pub use letters::Sender;
pub use number::{NotANumber, Number};
pub use store::{Book, Filter, Taken, has_bought, has_surely_bought};

pub type OrderId = Id<Order>;

/// How long after delivery something may be sent back.
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
}

impl Settings {
    fn window(&self) -> Duration {
        Duration::from_secs(u64::from(self.return_window) * 24 * 3600)
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
        Refunded = "refunded",
    }
}

impl Status {
    /// From here on nobody has to reach the customer: it has arrived, was called off, or is paid back.
    pub const SETTLED: [Self; 3] = [Self::Delivered, Self::Cancelled, Self::Refunded];
}

/// What somebody does to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The shop goes on with it, to what comes next.
    Advance,
    /// The shop calls it off; possible until it is on its way.
    Cancel,
    /// The customer calls it off; possible until it is packed.
    Withdraw,
    /// The customer wants to send it back.
    AskToReturn,
    /// The shop does not take it back.
    RefuseReturn,
    /// The shop has it back, and gives back the money.
    Refund(Refund),
}

/// How the money of an order is given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refund {
    /// How much; where nothing is said, all but the delivery.
    pub amount: Option<Money>,
    /// All of it as store credit, instead of the way in which it was paid. Only customers choose this.
    pub as_credit: bool,
}

/// What is given back of an order's money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Back {
    /// To the customer's store credit.
    pub credit: Money,
    /// In the way in which it was paid.
    pub paid: Money,
}

impl Refund {
    /// What was paid with store credit comes back first, and as that.
    fn back(self, order: &Order) -> Back {
        let amount = self.amount.unwrap_or(order.total - order.shipping);
        let credit = if self.as_credit { amount } else { amount.min(order.credit) };
        Back { credit, paid: amount - credit }
    }
}

/// What a step does beside the new status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub to: Status,
    /// Whether the goods go back on the shelf.
    pub restock: bool,
    pub payment: Option<Deed>,
    pub refund: Option<Refund>,
    /// Whether the customer is told by a letter.
    pub letter: bool,
}

/// The one rule of an order's life: what `step` leads to, where it may be taken. Goods that were returned
/// are not put back on the shelf by themselves: somebody looks at them first.
pub fn transition(from: Status, step: Step) -> Option<Transition> {
    use Status::*;
    let plain = |to| Transition { to, restock: false, payment: None, refund: None, letter: false };
    let told = |to| Transition { letter: true, ..plain(to) };
    let refunded =
        |refund| Transition { payment: Some(Deed::Refund), refund: Some(refund), ..told(Refunded) };
    let called_off = Transition { restock: true, payment: Some(Deed::Void), ..told(Cancelled) };
    Some(match (step, from) {
        (Step::Advance, Placed) => plain(Confirmed),
        (Step::Advance, Confirmed) => plain(Packed),
        (Step::Advance, Packed) => told(Shipped),
        (Step::Advance, Shipped) => Transition { payment: Some(Deed::Capture), ..told(Delivered) },
        (Step::Advance, ReturnRequested) => plain(Returned),
        (Step::Advance, Returned) => refunded(Refund::default()),
        (Step::Refund(refund), Returned) => refunded(refund),
        (Step::Withdraw, Placed | Confirmed) => called_off,
        (Step::Cancel, Placed | Confirmed | Packed) => called_off,
        (Step::AskToReturn, Delivered) => plain(ReturnRequested),
        (Step::RefuseReturn, ReturnRequested) => told(Delivered),
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
    /// Until when the customer may ask to return it; null where that cannot be asked.
    #[schema(required)]
    pub return_until: Option<Timestamp>,
}

/// Until when an order may be sent back: so long after it was first delivered.
fn return_until(status: Status, history: &[OrderEvent], window: Duration) -> Option<Timestamp> {
    transition(status, Step::AskToReturn)?;
    let delivered = history.iter().find(|event| event.status == Status::Delivered)?;
    Some(delivered.at.plus(window))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [Step; 6] = [
        Step::Advance,
        Step::Cancel,
        Step::Withdraw,
        Step::AskToReturn,
        Step::RefuseReturn,
        Step::Refund(Refund { amount: None, as_credit: true }),
    ];

    fn order(total: i64, shipping: i64, credit: i64) -> Order {
        let random = base::Random::seeded(1);
        Order {
            id: "o".parse().unwrap(),
            number: Number::new(&random),
            customer: String::new(),
            email: String::new(),
            name: String::new(),
            phone: String::new(),
            address: String::new(),
            currency: Currency::Usd,
            rate: "1".parse().unwrap(),
            sub_total: Money::cents(total - shipping),
            shipping: Money::cents(shipping),
            vat: Money::ZERO,
            total: Money::cents(total),
            credit: Money::cents(credit),
            created_at: Timestamp(0),
            lines: vec![],
        }
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        proptest::collection::vec(proptest::sample::select(&STEPS[..]), 0..24)
    }

    proptest! {
        #[test]
        fn goods_go_back_at_most_once_and_never_after_they_left(steps in steps()) {
            let (mut status, mut restocked, mut shipped) = (Status::Placed, 0, false);
            for step in steps {
                let Some(next) = transition(status, step) else { continue };
                shipped |= next.to == Status::Shipped;
                restocked += u32::from(next.restock);
                prop_assert!(restocked <= 1);
                prop_assert!(!(shipped && next.restock));
                prop_assert_eq!(next.restock, next.to == Status::Cancelled);
                status = next.to;
            }
        }

        #[test]
        fn money_is_taken_once_and_given_back_only_when_it_was(steps in steps()) {
            let (mut status, mut taken) = (Status::Placed, 0);
            for step in steps {
                let Some(next) = transition(status, step) else { continue };
                match next.payment {
                    Some(Deed::Capture) => taken += 1,
                    Some(Deed::Refund) => taken -= 1,
                    Some(Deed::Void) => prop_assert_eq!(taken, 0),
                    None => {}
                }
                prop_assert!((0..=1).contains(&taken));
                status = next.to;
            }
        }

        #[test]
        fn what_is_given_back_is_what_was_paid_and_credit_stays_credit(
            goods in 0i64..1_000_000, shipping in 0i64..10_000, paid in 0i64..=100, said in 0i64..=100,
        ) {
            let total = goods + shipping;
            let order = order(total, shipping, total * paid / 100);
            for amount in [None, Some(Money::cents(total * said / 100))] {
                let given = amount.unwrap_or(Money::cents(goods));
                let Back { credit, paid } = Refund { amount, as_credit: false }.back(&order);
                prop_assert_eq!(credit + paid, given);
                prop_assert!(credit <= order.credit && paid <= order.to_pay());
                let all = Refund { amount, as_credit: true }.back(&order);
                prop_assert_eq!(all, Back { credit: given, paid: Money::ZERO });
            }
        }

        #[test]
        fn what_has_ended_stays_ended(steps in steps()) {
            for end in [Status::Cancelled, Status::Refunded] {
                for step in &steps {
                    prop_assert_eq!(transition(end, *step), None);
                }
            }
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
