//! Orders and their state machine. An order changes only by a step that `transition` allows. The only
//! module that writes `orders`, `order_lines`, `order_line_translations`, `order_events` and `invoices`.

mod anonymize;
mod auto_cancel;
mod change;
mod claim;
mod emails;
mod guests;
mod http;
mod invoice;
mod invoice_pdf;
mod invoice_taxes;
mod issued;
mod journal;
mod limits;
mod mushak;
mod mushak_pdf;
mod numbering;
mod pay_links;
mod pay_reminder;
mod plan;
mod return_store;
mod returns;
mod rows;
mod shop_notices;
mod store;
mod tax_rows;
mod tender;

use std::sync::Arc;
use std::time::Duration;

use messages::Messages;
use platform::db::Json;
use platform::secret::Secret;
use platform::{Currencies, Currency, ExchangeRate, Language, Languages, Money, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::addresses::{Countries, StoredParts};
use crate::catalog::{ChosenOptions, ProductId, StockCache, VariantId};
use crate::delivery::{DeliveryDays, DeliveryZones, OrderDelivery};
use crate::gift_cards::SoldGiftCard;
use crate::payments::{Gateways, OrderPayment, PaymentAction, PaymentStatus};
use crate::pricing::{Adjustment, Charges, TaxLine, TaxSum, serialize_sums};
use crate::promotions::{ActivePromotions, PromotionId};
use crate::settings::ShopProfile;
use crate::string_enum::string_enum;
use crate::taxes::Taxes;

pub use crate::ids::{OrderId, OrderNumber};
pub use anonymize::anonymize;
pub(crate) use anonymize::anonymize_expired;
pub use change::{OrderChange, OrderSubscriber};
pub use emails::{OrderEmailSender, OrderUpdate};
pub(crate) use guests::{CODE_MINUTES, is_guest, normalize};
pub use guests::{GuestSettings, Guests};
pub use http::{SpecifiedOrder, router};
pub use invoice::InvoiceForm;
pub use issued::{DocumentKind, IssuedDocument};
pub use journal::{JournalEntry, RateSum};
pub use limits::OrderLimits;
pub use numbering::{InvoiceSettings, NumberFormat};
pub use pay_links::PayLinks;
pub use returns::{
    OrderReturn, Refund, RefundSplit, ReturnLine, ReturnProgress, ReturnState, return_taxes,
};
pub use shop_notices::{Day, OrderEmails};
pub use store::{OrderFilter, OrderStore, StepOutcome, has_bought, purchase_in_tx};
pub(crate) use store::{PURCHASES_SQL, PlacementTerms};
pub use tax_rows::TaxRows;
pub use tender::OrderGiftCard;

/// Settings of orders: return window, delivery time, notices to the shop, limits.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "orders")]
pub struct OrderSettings {
    /// Days after delivery within which a customer may request a return
    #[arg(
        long,
        env = "HAAT_RETURN_WINDOW",
        value_name = "DAYS",
        default_value_t = 7,
        value_parser = clap::value_parser!(u16).range(0..=3650),
        help_heading = "The shop"
    )]
    pub return_window: u16,
    /// Delivery time in days, such as 3 or 2-4, for product pages [default: not shown; in a demo 2-4]
    #[arg(long, env = "HAAT_DELIVERY_DAYS", value_name = "DAYS", help_heading = "The shop")]
    pub delivery_days: Option<DeliveryDays>,
    /// E-mails about new orders to the shop's e-mail address
    #[arg(
        long,
        env = "HAAT_ORDER_EMAILS",
        value_enum,
        default_value_t = OrderEmails::Each,
        help_heading = "The shop"
    )]
    pub order_emails: OrderEmails,
    #[command(flatten)]
    pub limits: OrderLimits,
    #[command(flatten)]
    pub guests: GuestSettings,
    #[command(flatten)]
    pub invoices: InvoiceSettings,
    /// Minutes for which the goods of an order are held while it is to be paid
    #[arg(
        long,
        env = "HAAT_PAYMENT_HOLD",
        value_name = "MINUTES",
        default_value_t = 60,
        value_parser = clap::value_parser!(u16).range(5..=1440),
        help_heading = "Payments"
    )]
    pub payment_hold: u16,
}

impl Default for OrderSettings {
    fn default() -> Self {
        Self {
            return_window: 7,
            delivery_days: None,
            order_emails: OrderEmails::Each,
            limits: OrderLimits::default().with_defaults(Currency::USD),
            guests: GuestSettings::default().with_defaults(),
            invoices: InvoiceSettings::default(),
            payment_hold: 60,
        }
    }
}

/// State of the handlers of orders and checkout.
#[derive(Clone)]
pub struct Orders {
    pub store: OrderStore,
    pub stock_cache: StockCache,
    pub charges: Charges,
    pub promotions: ActivePromotions,
    pub zones: DeliveryZones,
    pub taxes: Taxes,
    pub gateways: Gateways,
    pub settings: OrderSettings,
    pub guests: Guests,
    /// The seller on invoices.
    pub profile: Arc<ShopProfile>,
    pub languages: Languages,
    pub currencies: Currencies,
    pub countries: Countries,
    /// For the codes of gift cards.
    pub secret: Secret,
}

string_enum! {
    pub enum OrderStatus {
        /// It is placed once it is paid, or cancelled after a while.
        AwaitingPayment = "awaiting_payment",
        Placed = "placed",
        Confirmed = "confirmed",
        Packed = "packed",
        Shipped = "shipped",
        Delivered = "delivered",
        Cancelled = "cancelled",
        ReturnRequested = "return_requested",
        Returned = "returned",
        /// Everything was returned and refunded.
        Refunded = "refunded",
        /// Some of it was returned and refunded; the customer keeps the rest.
        PartlyRefunded = "partly_refunded",
    }
}

impl OrderSettings {
    /// How long the goods of an order are held while it is to be paid.
    pub fn payment_hold(&self) -> Duration {
        Duration::from_secs(60 * u64::from(self.payment_hold))
    }
}

impl OrderStatus {
    /// From here on nobody has to contact the customer, so the order can be anonymized.
    pub const TERMINAL: [Self; 4] =
        [Self::Delivered, Self::Cancelled, Self::Refunded, Self::PartlyRefunded];
}

/// An action on an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'s> {
    /// It is paid, or its amount is reserved.
    Pay { captured: bool },
    /// It was not paid in time.
    Expire,
    /// The shop moves it to the next status.
    Advance,
    /// The shop cancels it; possible until it is shipped.
    Cancel,
    /// The customer cancels it; possible until it is packed.
    CustomerCancel,
    /// The customer wants to return these lines; when empty, everything returnable.
    RequestReturn(&'s [ReturnLine]),
    /// The shop refuses the return.
    RefuseReturn,
    /// The shop received the returned goods, which go back into stock or not.
    ReceiveReturn { restock: bool },
    /// The shop refunds the return.
    Refund(Refund),
}

/// The new status and the side effects of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub to: OrderStatus,
    pub restock: Restock,
    pub payment: Option<PaymentAction>,
    /// Whether from now on the whole amount is captured.
    pub is_paid: bool,
    pub refund: Option<Refund>,
    /// The new state of the open return; where none is open, one is created.
    pub return_state: Option<ReturnState>,
    /// Whether the customer gets an e-mail.
    pub notify_customer: bool,
}

/// What goes back into stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restock {
    None,
    Order,
    /// The lines of the open return.
    Return,
}

/// The state machine: what `step` leads to, or `None` when it is not allowed. One return is open at a
/// time; the order's status follows it, and afterwards says what is left of the order.
pub fn transition(from: OrderStatus, step: Step, back: ReturnProgress) -> Option<Transition> {
    use OrderStatus::*;
    let silent = |to| Transition {
        to,
        restock: Restock::None,
        payment: None,
        is_paid: false,
        refund: None,
        return_state: None,
        notify_customer: false,
    };
    let notified = |to| Transition { notify_customer: true, ..silent(to) };
    let received = |restock| Transition {
        restock: if restock { Restock::Return } else { Restock::None },
        return_state: Some(ReturnState::Received),
        ..silent(Returned)
    };
    let refunded = |refund| Transition {
        payment: Some(if back.all_returned {
            PaymentAction::RefundLast
        } else {
            PaymentAction::Refund
        }),
        refund: Some(refund),
        return_state: Some(ReturnState::Refunded),
        ..notified(if back.all_returned { Refunded } else { PartlyRefunded })
    };
    let requested =
        Transition { return_state: Some(ReturnState::Requested), ..silent(ReturnRequested) };
    let refused = Transition {
        return_state: Some(ReturnState::Refused),
        ..notified(if back.any_refunded { PartlyRefunded } else { Delivered })
    };
    let cancelled = Transition {
        restock: Restock::Order,
        payment: Some(PaymentAction::Void),
        ..notified(Cancelled)
    };
    Some(match (step, from) {
        (Step::Pay { captured }, AwaitingPayment) => {
            Transition { is_paid: captured, ..notified(Placed) }
        }
        (Step::Expire, AwaitingPayment) => cancelled,
        (Step::Advance, Placed) => silent(Confirmed),
        (Step::Advance, Confirmed) => silent(Packed),
        (Step::Advance, Packed) => {
            Transition { payment: Some(PaymentAction::TakeReserved), ..notified(Shipped) }
        }
        (Step::Advance, Shipped) => Transition {
            payment: Some(PaymentAction::Collect),
            is_paid: true,
            ..notified(Delivered)
        },
        (Step::Advance, ReturnRequested) => received(true),
        (Step::ReceiveReturn { restock }, ReturnRequested) => received(restock),
        (Step::Advance, Returned) => refunded(Refund::default()),
        (Step::Refund(refund), Returned) => refunded(refund),
        (Step::CustomerCancel, AwaitingPayment | Placed | Confirmed) => cancelled,
        (Step::Cancel, AwaitingPayment | Placed | Confirmed | Packed) => cancelled,
        (Step::RequestReturn(_), Delivered | PartlyRefunded) => requested,
        (Step::RefuseReturn, ReturnRequested) => refused,
        _ => return None,
    })
}

/// An order as it was placed; never changes. Amounts are in its currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: OrderId,
    pub number: OrderNumber,
    /// The customer's account id, or what stands for a guest's; empty after anonymization.
    #[serde(skip)]
    pub customer: String,
    pub email: String,
    pub name: String,
    pub phone: String,
    /// As it is written on a parcel.
    pub address: String,
    /// Its parts; null where only the text is known.
    #[schema(required, value_type = Option<StoredParts>)]
    pub postal_address: Option<Json<StoredParts>>,
    /// The currency that the shopper saw and pays.
    pub currency: Currency,
    /// The same amounts in the shop's base currency, for its books.
    pub base: BaseAmounts,
    /// The language in which it was placed; null for the shop's default.
    #[schema(required)]
    pub language: Option<Language>,
    /// The lines before reductions.
    pub sub_total: Money,
    /// Reductions of lines and of the delivery.
    pub adjustments: Vec<Adjustment>,
    /// The sum of the adjustments, as a positive amount.
    pub discount: Money,
    /// The delivery before its reduction.
    pub shipping: Money,
    /// How it is delivered; null where the shop has no delivery zones.
    #[schema(required, value_type = Option<OrderDelivery>)]
    pub delivery: Option<Json<OrderDelivery>>,
    /// For cash on delivery; 0 where there is none.
    pub payment_fee: Money,
    /// The taxes that are added to the prices or, in a shop without rates, its flat amount.
    pub vat: Money,
    /// By tax and rate; none in a shop without rates.
    #[serde(serialize_with = "serialize_sums")]
    #[schema(value_type = Vec<TaxSum>)]
    pub taxes: Vec<TaxLine>,
    /// That of a customer who is exempt from taxes.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub tax_number: String,
    pub total: Money,
    /// What gift cards paid of the total, in the order in which they were spent.
    pub gift_cards: Vec<OrderGiftCard>,
    /// The part of the total that was paid with store credit; the payment is for the rest.
    pub credit: Money,
    pub created_at: Timestamp,
    pub lines: Vec<OrderLine>,
}

impl Order {
    /// What was paid for a line: its total less its reductions.
    pub fn paid_for(&self, line: &OrderLine) -> Money {
        let of_line =
            self.adjustments.iter().filter(|one| one.line.as_ref() == Some(&line.variant));
        of_line.fold(line.total, |paid, one| paid + one.amount)
    }

    /// What documents call the delivery: with the name of its method.
    fn shipping_label(&self, language: Language) -> String {
        match &self.delivery {
            Some(delivery) => {
                Messages::text(language, "server.shippingBy", &[("method", &delivery.name)])
            }
            None => Messages::text(language, "server.shipping", &[]),
        }
    }

    /// The reductions by the title of their promotion, as documents list them.
    pub fn discounts(&self, language: Language) -> Vec<(String, Money)> {
        let mut discounts: Vec<(&Option<PromotionId>, &str, Money)> = Vec::new();
        for Adjustment { promotion, label, amount, .. } in &self.adjustments {
            let is_same = |(of, name, _): &(&Option<PromotionId>, &str, Money)| {
                *of == promotion && (promotion.is_some() || name == label)
            };
            match discounts.iter_mut().find(|one| is_same(one)) {
                Some((_, _, sum)) => *sum = *sum + *amount,
                None => discounts.push((promotion, label, *amount)),
            }
        }
        let named = |(promotion, label, sum): (&Option<PromotionId>, &str, Money)| {
            let name = match promotion {
                Some(_) => label.to_owned(),
                None => Messages::text(language, "server.taxNotCharged", &[("tax", &label)]),
            };
            (name, sum)
        };
        discounts.into_iter().map(named).collect()
    }
}

/// An order's amounts in the shop's base currency. Sub total less discount, shipping, payment fee and VAT add
/// up to the total here too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaseAmounts {
    /// The base currency.
    pub currency: Currency,
    /// When it was placed.
    pub rate: ExchangeRate,
    pub sub_total: Money,
    pub discount: Money,
    pub shipping: Money,
    pub payment_fee: Money,
    pub vat: Money,
    pub total: Money,
    /// What was debited from the gift cards, and from the store credit: rounded up.
    pub gift_cards: Money,
    pub credit: Money,
}

/// A line with name and price as they were when the order was placed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderLine {
    /// The variant.
    #[serde(rename = "_id")]
    pub variant: VariantId,
    pub product: ProductId,
    /// The chosen options; none for orders from before there were any.
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: Json<ChosenOptions>,
    pub name: String,
    pub sku: String,
    /// URL of the variant's picture.
    pub picture: String,
    /// Of one.
    #[serde(rename = "buyPrice")]
    pub price: Money,
    #[serde(rename = "qtn")]
    pub quantity: i64,
    pub total: Money,
    /// The total in the base currency.
    #[serde(skip)]
    pub base_total: Money,
}

impl OrderLine {
    /// The product's name with the chosen options.
    pub fn title(&self) -> String {
        self.options.title(&self.name)
    }
}

/// An entry of an order's history.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
pub struct OrderEvent {
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    pub at: Timestamp,
    /// A note by whoever did the step; may be empty.
    pub note: String,
}

/// An order with its status, history, payment and returns.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = OrderNow)]
#[serde(rename_all = "camelCase")]
pub struct OrderDetails {
    #[serde(flatten)]
    pub order: Order,
    pub status: OrderStatus,
    /// The oldest first.
    pub history: Vec<OrderEvent>,
    /// The latest payment that was not in vain.
    pub payment: OrderPayment,
    /// The oldest first.
    pub payments: Vec<OrderPayment>,
    pub payment_status: PaymentStatus,
    /// Where it can be paid, while it awaits payment.
    #[schema(required)]
    pub pay_url: Option<String>,
    /// Whether the customer can cancel it now.
    pub can_cancel: bool,
    /// End of the return window; null when nothing can be returned.
    #[schema(required)]
    pub return_until: Option<Timestamp>,
    /// Lines that can be returned now.
    pub returnable: Vec<ReturnLine>,
    /// The oldest first.
    pub returns: Vec<OrderReturn>,
    /// The invoice, once it is issued, and the credit notes.
    pub invoices: Vec<IssuedDocument>,
    /// The gift cards that it bought, one for each unit; missing where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub sold_gift_cards: Vec<SoldGiftCard>,
}

/// The end of the return window, which starts at the first delivery.
fn return_until(status: OrderStatus, events: &[OrderEvent], window: Duration) -> Option<Timestamp> {
    transition(status, Step::RequestReturn(&[]), ReturnProgress::default())?;
    let delivered = events.iter().find(|event| event.status == OrderStatus::Delivered)?;
    Some(delivered.at.plus(window))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [Step; 9] = [
        Step::Pay { captured: true },
        Step::Expire,
        Step::Advance,
        Step::Cancel,
        Step::CustomerCancel,
        Step::RequestReturn(&[]),
        Step::RefuseReturn,
        Step::ReceiveReturn { restock: true },
        Step::Refund(Refund { amount: None, as_credit: true }),
    ];

    /// Random steps, each with whether everything is returned after it.
    fn steps() -> impl Strategy<Value = Vec<(Step<'static>, bool)>> {
        let step = (proptest::sample::select(&STEPS[..]), any::<bool>());
        proptest::collection::vec(step, 0..24)
    }

    /// Applies steps to a new order, and calls `see` with every transition.
    fn walk(steps: Vec<(Step<'static>, bool)>, mut see: impl FnMut(OrderStatus, Transition)) {
        let (mut status, mut some) = (OrderStatus::AwaitingPayment, false);
        for (step, all) in [(Step::Pay { captured: false }, false)].into_iter().chain(steps) {
            let Some(next) =
                transition(status, step, ReturnProgress { any_refunded: some, all_returned: all })
            else {
                continue;
            };
            see(status, next);
            some |= next.refund.is_some();
            status = next.to;
        }
    }

    proptest! {
        #[test]
        fn goods_are_restocked_once_on_cancellation_and_once_per_return(steps in steps()) {
            let (mut shipped, mut asked) = (false, 0);
            walk(steps, |from, next| {
                shipped |= next.to == OrderStatus::Shipped;
                asked += u32::from(next.to == OrderStatus::ReturnRequested);
                match next.restock {
                    Restock::None => {}
                    Restock::Order => assert!(!shipped && next.to == OrderStatus::Cancelled),
                    Restock::Return => {
                        assert!(shipped && from == OrderStatus::ReturnRequested && asked == 1);
                        assert_eq!(next.to, OrderStatus::Returned);
                    }
                }
                if from == OrderStatus::ReturnRequested {
                    asked -= 1;
                }
            });
        }

        #[test]
        fn payments_are_captured_once_and_refunded_only_after_capture(steps in steps()) {
            let mut taken = 0;
            walk(steps, |_, next| {
                match next.payment {
                    Some(PaymentAction::Collect) => taken += 1,
                    Some(PaymentAction::Refund | PaymentAction::RefundLast) => assert_eq!(taken, 1),
                    Some(PaymentAction::Void) => assert_eq!(taken, 0),
                    Some(PaymentAction::TakeReserved) | None => {}
                }
                assert!((0..=1).contains(&taken));
                assert_eq!(next.refund.is_some(), next.return_state == Some(ReturnState::Refunded));
            });
        }

        #[test]
        fn cancelled_and_refunded_are_final(steps in steps(), some in any::<bool>()) {
            for end in [OrderStatus::Cancelled, OrderStatus::Refunded] {
                for (step, all) in &steps {
                    let back = ReturnProgress { any_refunded: some, all_returned: *all };
                    prop_assert_eq!(transition(end, *step, back), None);
                }
            }
        }
    }

    #[test]
    fn the_return_window_starts_at_delivery() {
        let event = |status, at| OrderEvent { status, at: Timestamp(at), note: String::new() };
        let history = [event(OrderStatus::Placed, 1), event(OrderStatus::Delivered, 5)];
        let window = Duration::from_millis(10);
        assert_eq!(return_until(OrderStatus::Delivered, &history, window), Some(Timestamp(15)));
        assert_eq!(return_until(OrderStatus::Shipped, &history, window), None);
        assert_eq!(return_until(OrderStatus::Returned, &history, window), None);
    }
}
