//! `haat orders`: the shopkeeper's hand on orders.

use std::error::Error;

use base::config::{Settings, Shopfront};
use base::{Clock, Money, Random};
use serde_json::json;
use shop::orders::{
    self, Book, Filter, Number, Order, OrderNow, OrderReturn, Refund, Sender, Status, Step, Taken,
};

use super::print::print_text;
use super::{Outcome, log, open};

#[derive(clap::Args)]
pub struct Orders {
    action: Action,
    /// The order's number
    number: Option<Number>,
    /// List only those that stand here: placed, confirmed, packed, shipped, delivered, cancelled,
    /// return_requested, returned, refunded or partly_refunded
    #[arg(long)]
    status: Option<Status>,
    /// List at most so many, the newest
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// What is written into the order's history, where the customer reads it; with a shipment, the
    /// courier's tracking number or address
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    /// Refund as store credit, which the customer has chosen
    #[arg(long)]
    as_credit: bool,
    /// Refund so much, in US dollars [default: what was paid for what is returned, without the delivery]
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<Money>,
    /// With advance: what comes back is not sold again, and does not go back into stock
    #[arg(long)]
    no_restock: bool,
    /// For programs
    #[arg(long)]
    json: bool,
    /// Where shoppers reach the shop, for the letters that go out
    #[arg(long, env = "HAAT_PUBLIC_URL", value_name = "URL", value_parser = server::origin)]
    public_url: Option<String>,
    #[command(flatten)]
    front: Shopfront,
    #[command(flatten)]
    orders: orders::Settings,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Action {
    /// Show the newest
    List,
    /// Show one with its history
    Show,
    /// Go on with one: confirm, pack, ship, deliver; take back what is to be returned, then refund it
    Advance,
    /// Call one off that is not on its way yet
    Cancel,
    /// Do not take back what a customer wants to return
    RefuseReturn,
    /// Give back the money of what was returned
    Refund,
}

impl Action {
    fn step(self, refund: Refund, restock: bool) -> Option<Step<'static>> {
        match self {
            Self::List | Self::Show => None,
            Self::Advance if !restock => Some(Step::TakeBack { restock }),
            Self::Advance => Some(Step::Advance),
            Self::Cancel => Some(Step::Cancel),
            Self::RefuseReturn => Some(Step::RefuseReturn),
            Self::Refund => Some(Step::Refund(refund)),
        }
    }
}

pub async fn run(options: Orders) -> Outcome {
    let Orders { action, number, status, limit, note, json, public_url, front, .. } = options;
    let refund = Refund { amount: options.amount, as_credit: options.as_credit };
    if refund != Refund::default() && !matches!(action, Action::Refund) {
        return Err("--as-credit and --amount are for haat orders refund alone".into());
    }
    if options.no_restock && !matches!(action, Action::Advance) {
        return Err("--no-restock is for haat orders advance alone".into());
    }
    log(&options.settings)?;
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&options.settings, &clock).await?;
    let sender = Sender::new(&front, public_url, options.orders.order_emails);
    let book = Book { db: db.clone(), clock, random, sender };
    if let Action::List = action {
        list(&book, status, limit, json).await?;
    } else {
        let number = number.ok_or("an order's number is wanted: see haat orders --help")?;
        if let Some(step) = action.step(refund, !options.no_restock) {
            take(&book, &number, step, &note).await?;
        }
        show(&book, &number, &options.orders, json).await?;
    }
    db.close().await;
    Ok(())
}

async fn list(book: &Book, status: Option<Status>, limit: u32, json: bool) -> Outcome {
    let filter = Filter { status, ..Filter::default() };
    let found = book.list(&filter, None, i64::from(limit)).await?;
    if json {
        let rows: Vec<_> = found
            .iter()
            .map(|(order, status)| json!({ "status": status, "order": order }))
            .collect();
        print_line!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    for (order, status) in &found {
        print_line!(
            "{}  {status:<16}  {:>12}  {}  {}",
            order.number,
            order.total.to_string(),
            order.created_at,
            order.name
        );
    }
    Ok(())
}

async fn take(book: &Book, number: &Number, step: Step<'_>, note: &str) -> Outcome {
    match book.take(number, step, note).await? {
        Taken::Done(_) => Ok(()),
        Taken::NotNow(status) => {
            Err(format!("{number} is {status}: that cannot be done now").into())
        }
        Taken::NoSuchOrder => Err(no_such(number)),
        Taken::TooMuch(left) => {
            Err(format!("{left} of {number} is left: more cannot be given back").into())
        }
        Taken::NotReturnable => Err(format!("nothing of {number} can be returned").into()),
        Taken::NobodysOrder => {
            Err(format!("the account of {number} is gone, and its store credit with it").into())
        }
    }
}

async fn show(book: &Book, number: &Number, settings: &orders::Settings, json: bool) -> Outcome {
    let (order, _) = book.by_number(number).await?.ok_or_else(|| no_such(number))?;
    let now = book.now(order, settings).await?;
    match json {
        true => print_line!("{}", serde_json::to_string_pretty(&now)?),
        false => print_text(&words(&now)),
    }
    Ok(())
}

fn no_such(number: &Number) -> Box<dyn Error> {
    format!("there is no order {number}").into()
}

fn words(now: &OrderNow) -> String {
    let OrderNow { order, status, history, payment, returns, .. } = now;
    let mut text = format!("{}  {status}\n", order.number);
    text += &match order.email.as_str() {
        "" => "(the customer has deleted their account)\n\n".to_owned(),
        email => format!("{} <{email}>, {}\n{}\n\n", order.name, order.phone, order.address),
    };
    for line in &order.lines {
        let total = (line.price * line.quantity).to_string();
        text += &format!("{:>4} × {}  {}  {total}\n", line.quantity, line.sku, line.name);
    }
    text += &format!(
        "sub total {}, shipping {}, VAT {}, total {} (shown in {})\n",
        order.sub_total,
        order.shipping,
        order.vat,
        order.total,
        order.currency.code()
    );
    if order.credit > Money::ZERO {
        text += &format!("store credit {}, to pay {}\n", order.credit, order.to_pay());
    }
    text += &format!("{}: {}\n", payment.provider.title(), payment.state);
    for one in returns {
        text += &return_words(order, one);
    }
    text.push('\n');
    for event in history {
        let line = format!("{}  {:<16}  {}", event.at, event.status, event.note);
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn return_words(order: &Order, back: &OrderReturn) -> String {
    let mut text = format!("return {}:", back.state);
    for line in &back.lines {
        let bought = order.lines.iter().find(|bought| bought.product == line.product);
        let name = bought.map_or(line.product.as_str(), |bought| bought.name.as_str());
        text += &format!(" {} × {name},", line.quantity);
    }
    let mut text = text.trim_end_matches(',').to_owned();
    if back.credit + back.paid > Money::ZERO {
        text += &format!("; {} as store credit, {} paid back", back.credit, back.paid);
    }
    text + "\n"
}
