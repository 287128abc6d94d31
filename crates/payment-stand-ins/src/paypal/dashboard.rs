//! The merchant's dashboard: what happens to payments without the shop: refunds, reviews and disputes.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use platform::Money;
use platform::html::escape;
use platform::money::decimal;

use super::api::ApiError;
use super::events::{Event, NewRefund, Outcome};
use super::ledger::{Capture, Ledger, RefundStatus};
use super::{Books, Paypal, messages};
use crate::page;

const TITLE: &str = "PayPal dashboard";

pub async fn show(State(paypal): State<Paypal>) -> Response {
    let books = paypal.lock();
    let ledger = &books.ledger;
    let mut captures: Vec<&Capture> = ledger.captures.values().collect();
    captures.sort_by_key(|capture| std::cmp::Reverse(capture.created_at));
    let rows: String =
        captures.into_iter().map(|capture| section(&paypal, ledger, capture)).collect();
    let content = match rows.is_empty() {
        true => "<p>No payment was made yet.</p>".to_owned(),
        false => rows,
    };
    page::page(TITLE, &content)
}

fn section(paypal: &Paypal, ledger: &Ledger, capture: &Capture) -> String {
    let money = |minor| escape(&Money::new(minor, capture.currency).to_string());
    let invoice = ledger.order_of(capture).and_then(|order| order.invoice_id.as_deref());
    let form = |id: &str, action: &str, text: &str, more: &str| {
        format!(
            "<form method=\"post\" action=\"{}\">{}{}{more}<button>{text}</button></form>",
            escape(&paypal.url("/dashboard")),
            page::hidden("id", id),
            page::hidden("action", action),
        )
    };
    let left = capture.minor - ledger.refunded(&capture.id);
    let mut forms = String::new();
    if capture.outcome == Outcome::Pending {
        forms.push_str(&form(&capture.id, "accept", "Accept the payment after the review", ""));
        forms.push_str(&form(&capture.id, "deny", "Deny the payment after the review", ""));
    }
    if capture.is_paid() && left > 0 {
        let plain = Money::new(left, capture.currency).plain();
        let amount = format!(
            "<label>Amount<input name=\"amount\" inputmode=\"decimal\" value=\"{plain}\"></label>"
        );
        forms.push_str(&form(&capture.id, "refund", "Refund", &amount));
        forms.push_str(&form(
            &capture.id,
            "refund-later",
            "Refund by a bank transfer that takes time",
            &amount,
        ));
        forms.push_str(&form(&capture.id, "dispute", "The customer disputes the payment", &amount));
    }
    let mut rows = String::new();
    for refund in ledger.refunds_of(&capture.id) {
        let (id, status) = (&refund.new.id, refund.status.as_str().to_lowercase());
        rows.push_str(&format!("<tr><th>Refund {id}<td>{} {status}", money(refund.new.minor)));
        if refund.status == RefundStatus::Pending {
            forms.push_str(&form(id, "refund-done", "The refund arrives", ""));
            forms.push_str(&form(id, "refund-failed", "The refund fails", ""));
        }
    }
    for dispute in ledger.disputes_of(&capture.id) {
        let state = match dispute.lost {
            None => "open",
            Some(true) => "lost by the shop",
            Some(false) => "won by the shop",
        };
        rows.push_str(&format!(
            "<tr><th>Dispute {}<td>{} {state}",
            dispute.id,
            money(dispute.minor)
        ));
        if dispute.lost.is_none() {
            forms.push_str(&form(&dispute.id, "won", "Resolve the dispute for the shop", ""));
            forms.push_str(&form(&dispute.id, "lost", "Resolve the dispute for the customer", ""));
        }
    }
    format!(
        "<h2>{} for {}</h2><table><tr><th>Capture {}<td>{}{rows}</table>{forms}",
        money(capture.minor),
        escape(invoice.unwrap_or("an order")),
        capture.id,
        ledger.capture_status(capture).to_lowercase().replace('_', " "),
    )
}

pub async fn submit(State(paypal): State<Paypal>, body: Bytes) -> Response {
    let fields = page::form_fields(&body);
    let field = |name| page::field(&fields, name);
    let mut books = paypal.lock();
    match act(&paypal, &mut books, field("action"), field("id"), field("amount")) {
        Ok(true) => page::redirect(&paypal.url("/dashboard")),
        Ok(false) => {
            let text = "This is not possible, or not any more.";
            page::error_page(StatusCode::CONFLICT, TITLE, text)
        }
        Err(_) => {
            let text = "It could not be written.";
            page::error_page(StatusCode::INTERNAL_SERVER_ERROR, TITLE, text)
        }
    }
}

/// Whether it was possible.
fn act(
    paypal: &Paypal,
    books: &mut Books,
    action: &str,
    id: &str,
    amount: &str,
) -> Result<bool, ApiError> {
    match action {
        "accept" | "deny" => review(paypal, books, id, action == "accept"),
        "refund" | "refund-later" => {
            let Some(minor) = part(&books.ledger, id, amount) else { return Ok(false) };
            let refund = new_refund(paypal, &books.ledger, id, minor);
            let refund = NewRefund { pending: action == "refund-later", ..refund };
            commit_refund(paypal, books, refund)
        }
        "refund-done" | "refund-failed" => {
            decide_refund(paypal, books, id, action == "refund-done")
        }
        "dispute" => dispute(paypal, books, id, amount),
        "won" | "lost" => resolve(paypal, books, id, action == "lost"),
        _ => Ok(false),
    }
}

fn review(paypal: &Paypal, books: &mut Books, id: &str, completed: bool) -> Result<bool, ApiError> {
    let is_pending =
        books.ledger.captures.get(id).is_some_and(|one| one.outcome == Outcome::Pending);
    if is_pending {
        books.commit(Event::Reviewed {
            capture: id.to_owned(),
            completed,
            at: paypal.shared().now(),
        })?;
        messages::capture_changed(paypal, &books.ledger, id);
    }
    Ok(is_pending)
}

/// An amount of what is left of a capture, in minor units.
fn part(ledger: &Ledger, capture: &str, amount: &str) -> Option<i64> {
    let capture = ledger.captures.get(capture).filter(|capture| capture.is_paid())?;
    let minor = decimal(amount, capture.currency.decimals() as usize)?;
    let left = capture.minor - ledger.refunded(&capture.id);
    (1..=left).contains(&minor).then_some(minor)
}

/// The refund belongs to the same payment of the shop.
fn new_refund(paypal: &Paypal, ledger: &Ledger, capture: &str, minor: i64) -> NewRefund {
    let order = ledger.captures.get(capture).and_then(|capture| ledger.order_of(capture));
    NewRefund {
        id: paypal.new_id(ledger),
        capture: capture.to_owned(),
        minor,
        custom_id: order.and_then(|order| order.custom_id.clone()),
        pending: false,
        reversal: false,
    }
}

fn commit_refund(paypal: &Paypal, books: &mut Books, refund: NewRefund) -> Result<bool, ApiError> {
    let id = refund.id.clone();
    books.commit(Event::Refunded { refund, request: None, at: paypal.shared().now() })?;
    messages::refund_changed(paypal, &books.ledger, &id);
    Ok(true)
}

fn decide_refund(
    paypal: &Paypal,
    books: &mut Books,
    id: &str,
    completed: bool,
) -> Result<bool, ApiError> {
    let is_pending =
        books.ledger.refunds.get(id).is_some_and(|one| one.status == RefundStatus::Pending);
    if is_pending {
        books.commit(Event::RefundDecided {
            refund: id.to_owned(),
            completed,
            at: paypal.shared().now(),
        })?;
        messages::refund_changed(paypal, &books.ledger, id);
    }
    Ok(is_pending)
}

fn dispute(
    paypal: &Paypal,
    books: &mut Books,
    capture: &str,
    amount: &str,
) -> Result<bool, ApiError> {
    let Some(minor) = part(&books.ledger, capture, amount) else { return Ok(false) };
    if books.ledger.disputes_of(capture).any(|dispute| dispute.lost.is_none()) {
        return Ok(false);
    }
    let dispute = format!("PP-D-{}", books.ledger.disputes.len() + 1);
    let event = Event::Disputed {
        dispute: dispute.clone(),
        capture: capture.to_owned(),
        minor,
        at: paypal.shared().now(),
    };
    books.commit(event)?;
    messages::dispute_changed(paypal, &books.ledger, &dispute);
    Ok(true)
}

/// PayPal pays the customer back itself where the shop has lost.
fn resolve(paypal: &Paypal, books: &mut Books, id: &str, lost: bool) -> Result<bool, ApiError> {
    let Some(dispute) = books.ledger.disputes.get(id).filter(|dispute| dispute.lost.is_none())
    else {
        return Ok(false);
    };
    let capture = dispute.capture.clone();
    let left = books.ledger.captures.get(&capture).map_or(0, |one| one.minor)
        - books.ledger.refunded(&capture);
    let minor = dispute.minor.min(left);
    books.commit(Event::DisputeResolved {
        dispute: id.to_owned(),
        lost,
        at: paypal.shared().now(),
    })?;
    messages::dispute_changed(paypal, &books.ledger, id);
    if lost && minor > 0 {
        let refund = new_refund(paypal, &books.ledger, &capture, minor);
        return commit_refund(paypal, books, NewRefund { reversal: true, ..refund });
    }
    Ok(true)
}
