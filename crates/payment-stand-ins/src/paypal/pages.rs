//! The page on which the payer approves a payment.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use platform::Money;
use platform::html::escape;

use super::events::{Event, Funding};
use super::ledger::Order;
use super::{Paypal, messages};
use crate::page;

const TITLE: &str = "Pay with PayPal";

/// The ways to pay, by what the form sends: their names, and what becomes of them.
const CHOICES: [(&str, &str, Funding); 4] = [
    ("balance", "Pay now: the payment succeeds", Funding::Balance),
    ("declined", "Pay with a bank card that is declined", Funding::Declined),
    (
        "reviewed",
        "Pay: PayPal reviews the payment, and decides in the dashboard",
        Funding::Reviewed,
    ),
    ("denied", "Pay: PayPal's risk check denies the payment", Funding::Denied),
];

pub async fn show(State(paypal): State<Paypal>, RawQuery(query): RawQuery) -> Response {
    let query = page::form_fields(query.unwrap_or_default().as_bytes());
    let id = page::field(&query, "token");
    let books = paypal.lock();
    match books.ledger.order(id, paypal.shared().now()) {
        Some(order) if order.capture.is_none() => {
            page::page_to(&order.new.return_url, TITLE, &content(&paypal, order))
        }
        Some(_) => {
            let text = "This payment is made already.";
            page::error_page(StatusCode::CONFLICT, TITLE, text)
        }
        None => unknown(),
    }
}

fn unknown() -> Response {
    let text = "There is no such payment, or it has expired. Go back to the shop and start again.";
    page::error_page(StatusCode::NOT_FOUND, TITLE, text)
}

fn content(paypal: &Paypal, order: &Order) -> String {
    let money = Money::new(order.new.minor, order.new.currency);
    let about = [&order.new.description, &order.new.invoice_id];
    let about: Vec<String> = about.into_iter().flatten().map(|text| escape(text)).collect();
    let notice = match order.declined {
        true => "<p role=\"alert\">Your bank card was declined. Choose another way to pay.</p>",
        false => "",
    };
    let token = page::hidden("token", &order.new.id);
    let mut buttons = String::new();
    for (value, text, funding) in CHOICES {
        let class = if funding == Funding::Balance { " class=\"main\"" } else { "" };
        buttons
            .push_str(&format!("<button{class} name=\"choice\" value=\"{value}\">{text}</button>"));
    }
    let (action, dashboard) = (paypal.url("/checkoutnow"), paypal.url("/dashboard"));
    let (action, dashboard) = (escape(&action), escape(&dashboard));
    format!(
        "<p class=\"amount\">{}</p><p>{}</p>{notice}\
         <form method=\"post\" action=\"{action}\">{token}{buttons}\
         <button name=\"choice\" value=\"closed\">Approve, then close the page: only a webhook tells the shop</button>\
         <button name=\"choice\" value=\"cancel\">Cancel and return to the shop</button></form>\
         <p><a href=\"{dashboard}\">Dashboard: reviews, refunds and disputes</a></p>",
        escape(&money.to_string()),
        about.join("<br>"),
    )
}

pub async fn submit(State(paypal): State<Paypal>, body: Bytes) -> Response {
    let fields = page::form_fields(&body);
    let (id, choice) = (page::field(&fields, "token"), page::field(&fields, "choice"));
    let mut books = paypal.lock();
    let now = paypal.shared().now();
    let Some(order) = books.ledger.order(id, now) else { return unknown() };
    let (return_url, cancel_url) = (order.new.return_url.clone(), order.new.cancel_url.clone());
    if choice == "cancel" {
        return page::redirect(&with_query(&cancel_url, &format!("token={id}")));
    }
    let back = with_query(&return_url, &format!("token={id}&PayerID=STANDINPAYER"));
    // Sent twice, it is approved once.
    if order.capture.is_some() {
        return page::redirect(&back);
    }
    let found = CHOICES.iter().find(|(value, ..)| *value == choice).map(|(.., funding)| *funding);
    let funding = match (found, choice) {
        (Some(funding), _) => funding,
        (None, "closed") => Funding::Balance,
        _ => return page::error_page(StatusCode::BAD_REQUEST, TITLE, "Choose a way to pay."),
    };
    if books.commit(Event::Approved { order: id.to_owned(), funding, at: now }).is_err() {
        let text = "The payment could not be written.";
        return page::error_page(StatusCode::INTERNAL_SERVER_ERROR, TITLE, text);
    }
    messages::order_approved(&paypal, &books.ledger, id);
    match choice {
        "closed" => page::page(TITLE, "<p>Approved. You can close this page.</p>"),
        _ => page::redirect(&back),
    }
}

fn with_query(url: &str, query: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}{query}")
}
