//! `haat orders`: lists and processes orders.

use std::error::Error;

use platform::config::Settings;
use platform::{Amount, Language, PageRequest};
use serde_json::json;
use shop::gift_cards::{SoldGiftCard, SoldGiftCardState};
use shop::order_subscribers::order_store;
use shop::orders::{
    self, BaseAmounts, DocumentKind, Order, OrderDetails, OrderEmailSender, OrderEvent,
    OrderFilter, OrderLine, OrderNumber, OrderReturn, OrderStatus, OrderStore, PayLinks, Refund,
    Step, StepOutcome, TaxRows,
};

use super::print::{Align, format_table, print_value};
use super::served_settings::{EmailOptions, EmailSender};
use super::{CommandResult, open_existing_db};

#[derive(clap::Args)]
pub struct OrdersCommand {
    action: OrderAction,
    /// The order's number
    number: Option<OrderNumber>,
    /// List only orders with this status: placed, confirmed, packed, shipped, delivered, cancelled,
    /// return_requested, returned, refunded or partly_refunded
    #[arg(long)]
    status: Option<OrderStatus>,
    /// The maximum number of orders to list, newest first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// A note in the order's history, shown to the customer; for a shipment, the courier's tracking number or URL
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
    /// With refund: refund as store credit, if the customer has chosen it
    #[arg(long)]
    as_credit: bool,
    /// With refund: the amount, in the order's currency [default: the price of the returned units and their share of the VAT]
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<Amount>,
    /// With advance: do not add the returned units to the stock
    #[arg(long)]
    no_restock: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    email: EmailOptions,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    orders: orders::OrderSettings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum OrderAction {
    /// List the newest orders
    List,
    /// Show an order with its history
    Show,
    /// Move an order to its next status: confirm, pack, ship, deliver, receive a return
    Advance,
    /// Cancel an order that is not shipped yet
    Cancel,
    /// Refuse a requested return
    RefuseReturn,
    /// Refund a received return
    Refund,
}

impl OrderAction {
    fn step(self, refund: Refund, restock: bool) -> Option<Step<'static>> {
        match self {
            Self::List | Self::Show => None,
            Self::Advance if !restock => Some(Step::ReceiveReturn { restock }),
            Self::Advance => Some(Step::Advance),
            Self::Cancel => Some(Step::Cancel),
            Self::RefuseReturn => Some(Step::RefuseReturn),
            Self::Refund => Some(Step::Refund(refund)),
        }
    }
}

pub async fn run(options: OrdersCommand) -> CommandResult {
    let OrdersCommand { action, number, status, limit, note, json, email, .. } = options;
    let is_refund_option = options.amount.is_some() || options.as_credit;
    if is_refund_option && !matches!(action, OrderAction::Refund) {
        return Err("--as-credit and --amount are only for haat orders refund".into());
    }
    if options.no_restock && !matches!(action, OrderAction::Advance) {
        return Err("--no-restock is only for haat orders advance".into());
    }
    let (db, clock, random) = open_existing_db(&options.settings).await?;
    let EmailSender { profiles, origin, sms_limits, invoices } = email.sender(&db).await?;
    let order_emails = options.orders.order_emails;
    let sender = OrderEmailSender { profiles, origin, order_emails, sms_limits };
    let invoices = options.orders.invoices.clone().with_defaults(invoices);
    let pay_links = PayLinks::none();
    let orders = order_store(db.clone(), clock, random, sender, invoices, pay_links);
    if let OrderAction::List = action {
        let filter = OrderFilter { status, ..OrderFilter::default() };
        let found = orders.list(&filter, &PageRequest::first(limit.into())).await?.items;
        let value =
            |(order, status): &(Order, OrderStatus)| json!({ "status": status, "order": order });
        let values: Vec<_> = found.iter().map(value).collect();
        print_value(&values, json, |_| format_orders(&found))?;
    } else {
        let number = number.ok_or("an order's number is required: see haat orders --help")?;
        let refund = match options.amount {
            None => Refund { amount: None, as_credit: options.as_credit },
            Some(amount) => {
                let (order, _) =
                    orders.by_number(&number).await?.ok_or_else(|| no_such(&number))?;
                let amount = amount.named("--amount", order.currency)?;
                Refund { amount: Some(amount), as_credit: options.as_credit }
            }
        };
        if let Some(step) = action.step(refund, !options.no_restock) {
            apply_step(&orders, &number, step, &note).await?;
        }
        let (order, _) = orders.by_number(&number).await?.ok_or_else(|| no_such(&number))?;
        print_value(&orders.details(order, &options.orders).await?, json, format_order)?;
    }
    db.close().await;
    Ok(())
}

fn format_orders(orders: &[(Order, OrderStatus)]) -> String {
    let row = |(order, status): &(Order, OrderStatus)| {
        let (number, total) = (order.number.to_string(), order.total.to_string());
        [number, status.to_string(), total, order.created_at.to_string(), order.name.clone()]
    };
    let rows: Vec<_> = orders.iter().map(row).collect();
    format_table([Align::Left, Align::Left, Align::Right, Align::Left, Align::Left], &rows)
}

async fn apply_step(
    orders: &OrderStore,
    number: &OrderNumber,
    step: Step<'_>,
    note: &str,
) -> CommandResult {
    match orders.apply(number, step, note).await? {
        StepOutcome::Done(_) => Ok(()),
        StepOutcome::NotAllowed(status) => {
            Err(format!("{number} is {status}: this step is not possible now").into())
        }
        StepOutcome::OrderNotFound => Err(no_such(number)),
        StepOutcome::ExceedsPaid(left) => {
            Err(format!("only {left} of {number} can still be refunded").into())
        }
        StepOutcome::NotReturnable => Err(format!("nothing of {number} can be returned").into()),
        StepOutcome::NoAccount => {
            Err(format!("{number} has no account, or a deleted one, and so no store credit").into())
        }
    }
}

fn no_such(number: &OrderNumber) -> Box<dyn Error> {
    format!("there is no order {number}").into()
}

fn format_order(now: &OrderDetails) -> String {
    let OrderDetails { order, status, history, payment, returns, sold_gift_cards, .. } = now;
    let mut text = format!("{}  {status}\n", order.number);
    text += &match (order.customer.as_str(), order.email.as_str()) {
        ("", _) => "(the customer's data is deleted)\n".to_owned(),
        (_, "") => format!("{}, {}\n{}\n", order.name, order.phone, order.address),
        (_, email) => format!("{} <{email}>, {}\n{}\n", order.name, order.phone, order.address),
    };
    if order.is_guest() {
        text += "(without an account)\n";
    }
    text.push('\n');
    for line in &order.lines {
        let OrderLine { quantity, sku, total, .. } = line;
        text += &format!("{quantity:>4} × {sku}  {}  {total}\n", line.title());
    }
    for (label, amount) in order.discounts(Language::ENGLISH) {
        text += &format!("{label}  {amount}\n");
    }
    if let Some(delivery) = &order.delivery {
        let dates = [delivery.earliest, delivery.latest].into_iter().flatten();
        let dates: Vec<String> = dates.map(|at| at.to_string()[..10].to_owned()).collect();
        text += &format!("{} ({})  {}\n", delivery.name, delivery.zone, dates.join(" to "));
    }
    let discount = match order.discount.is_zero() {
        true => String::new(),
        false => format!("discount {}, ", order.discount),
    };
    let payment_fee = match order.payment_fee.is_zero() {
        true => String::new(),
        false => format!("cash on delivery {}, ", order.payment_fee),
    };
    text += &format!(
        "sub total {}, {discount}shipping {}, {payment_fee}VAT {}, total {}\n",
        order.sub_total, order.shipping, order.vat, order.total,
    );
    if !order.taxes.is_empty() {
        let TaxRows { added, included } = order.tax_rows(Language::ENGLISH);
        for (name, amount) in added.into_iter().chain(included) {
            text += &format!("{name}  {amount}\n");
        }
    }
    if !order.tax_number.is_empty() {
        text += &format!("tax number {}\n", order.tax_number);
    }
    let BaseAmounts { currency: base, rate, total, .. } = order.base;
    if order.currency != base {
        text += &format!("in the books {total}, at {rate} {} for 1 {base}\n", order.currency);
    }
    for card in &order.gift_cards {
        text += &format!("gift card {}  −{}\n", card.masked(), card.amount);
    }
    if order.credit.is_positive() {
        text += &format!("store credit {}, to pay {}\n", order.credit, order.to_pay());
    } else if order.has_tender() {
        text += &format!("to pay {}\n", order.to_pay());
    }
    text += &format!("{}: {}\n", payment.provider.title(), payment.state);
    for document in &now.invoices {
        let kind = match document.kind {
            DocumentKind::Invoice => "invoice",
            DocumentKind::CreditNote => "credit note",
        };
        text += &format!("{kind} {} of {}\n", document.number, document.issued_at);
    }
    for card in sold_gift_cards {
        text += &format_sold_card(card);
    }
    for one in returns {
        text += &format_return(order, one);
    }
    text.push('\n');
    let row =
        |event: &OrderEvent| [event.at.to_string(), event.status.to_string(), event.note.clone()];
    text + &format_table([Align::Left; 3], &history.iter().map(row).collect::<Vec<_>>())
}

fn format_sold_card(card: &SoldGiftCard) -> String {
    let SoldGiftCard { line, last_four, recipient, state, send_at, sent_at, .. } = card;
    let code =
        if last_four.is_empty() { String::new() } else { format!(" •••• {last_four}") };
    let when = match (state, sent_at) {
        (SoldGiftCardState::Sent, Some(at)) => format!("sent at {at}"),
        (SoldGiftCardState::Voided, _) => "voided".to_owned(),
        (SoldGiftCardState::Unpaid, _) => format!("for {send_at}, once the order is paid"),
        _ => format!("to be sent at {send_at}"),
    };
    format!("bought gift card {line}{code} to {recipient}: {when}\n")
}

fn format_return(order: &Order, back: &OrderReturn) -> String {
    let mut text = format!("return {}:", back.state);
    for line in &back.lines {
        let bought = order.lines.iter().find(|bought| bought.variant == line.variant);
        let name = bought.map_or_else(|| line.variant.to_string(), OrderLine::title);
        text += &format!(" {} × {name},", line.quantity);
    }
    let mut text = text.trim_end_matches(',').to_owned();
    if back.given_back().is_positive() {
        text += &format!("; {} as store credit, {} paid back", back.credit, back.paid);
    }
    if back.gift_cards.is_positive() {
        text += &format!(", {} to gift cards", back.gift_cards);
    }
    text + "\n"
}
