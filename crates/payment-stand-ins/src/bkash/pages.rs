//! The page of the stand-in of bKash, on which the shopper enters wallet, code and PIN.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State as Extract};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use platform::html::escape;

use super::api::with_query;
use super::{Bkash, Event, Payment, WALLET_BLOCKED, WALLET_WITHOUT_FUNDS, written};
use crate::page::{error_page, field, form_fields, hidden, page, page_to, redirect};

pub(super) fn router(bkash: Bkash) -> Router {
    Router::new().route("/redirect/tokenized/", get(show).post(choose)).with_state(bkash)
}

/// The payment that the address or the form names; the hash is what the shop alone was told.
fn named(bkash: &Bkash, fields: &[(String, String)]) -> Option<Payment> {
    let payment = bkash.state().payments.get(field(fields, "paymentID")).cloned()?;
    (payment.hash == field(fields, "hash")).then_some(payment)
}

fn unknown() -> Response {
    error_page(StatusCode::NOT_FOUND, "No such payment", "This payment does not exist.")
}

/// Once the shopper has agreed, or after a day, nothing can be chosen any more.
fn is_over(bkash: &Bkash, payment: &Payment) -> bool {
    !payment.wallet.is_empty() || payment.is_expired(bkash.shared().now())
}

fn over(payment: &Payment) -> Response {
    let url = with_query(&payment.callback_url, &payment.id, "failure");
    let link = format!(
        "<p>This payment was agreed to, or is too old.</p>\
         <p><a class=\"button\" href=\"{}\">Back to the shop</a></p>",
        escape(&url)
    );
    page("Over", &link)
}

async fn show(Extract(bkash): Extract<Bkash>, RawQuery(query): RawQuery) -> Response {
    let fields = form_fields(query.unwrap_or_default().as_bytes());
    match named(&bkash, &fields) {
        None => unknown(),
        Some(payment) if is_over(&bkash, &payment) => over(&payment),
        Some(payment) => form_page(&payment, ""),
    }
}

async fn choose(Extract(bkash): Extract<Bkash>, body: Bytes) -> Response {
    let fields = form_fields(&body);
    let Some(payment) = named(&bkash, &fields) else { return unknown() };
    if is_over(&bkash, &payment) {
        return over(&payment);
    }
    let back = |status: &str| redirect(&with_query(&payment.callback_url, &payment.id, status));
    let entered = [field(&fields, "wallet"), field(&fields, "otp"), field(&fields, "pin")];
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wallet = match field(&fields, "choice") {
        "cancel" => return back("cancel"),
        "wrong_pin" => return back("failure"),
        "no_funds" => WALLET_WITHOUT_FUNDS,
        "pay" | "lost" if !entered.iter().all(|text| is_number(text)) || entered[0].len() != 11 => {
            let why = "Enter a wallet of 11 digits, and any digits as code and PIN.";
            return form_page(&payment, why);
        }
        "pay" | "lost" => entered[0],
        _ => return form_page(&payment, "Choose one of the buttons."),
    };
    let approved = Event::Approved { payment: payment.id.clone(), wallet: wallet.to_owned() };
    if bkash.state().record(approved).is_err() {
        let text = "What you chose could not be written down. Try again.";
        return error_page(StatusCode::INTERNAL_SERVER_ERROR, "Not saved", text);
    }
    match field(&fields, "choice") {
        "lost" => page("Agreed", "<p>The shop is not told. You can close this page.</p>"),
        _ => back("success"),
    }
}

fn form_page(payment: &Payment, why: &str) -> Response {
    let alert = match why {
        "" => String::new(),
        why => format!("<p role=\"alert\">{}</p>", escape(why)),
    };
    let is_wallet = payment.payer_reference.len() == 11
        && payment.payer_reference.bytes().all(|byte| byte.is_ascii_digit());
    let wallet = if is_wallet { payment.payer_reference.as_str() } else { "01770618575" };
    let content = format!(
        "<p>Payment {}</p><p class=\"amount\">৳{}</p>{alert}<form method=\"post\">{}{}\
         <label>Wallet <input name=\"wallet\" inputmode=\"numeric\" autocomplete=\"off\" value=\"{}\"></label>\
         <div class=\"pair\">\
         <label>Code <input name=\"otp\" inputmode=\"numeric\" autocomplete=\"off\" value=\"123456\"></label>\
         <label>PIN <input name=\"pin\" inputmode=\"numeric\" autocomplete=\"off\" value=\"12121\"></label></div>\
         <button class=\"main\" name=\"choice\" value=\"pay\">Pay</button>\
         <button name=\"choice\" value=\"no_funds\">Pay from a wallet without enough money</button>\
         <button name=\"choice\" value=\"lost\">Pay, but do not go back to the shop</button>\
         <button name=\"choice\" value=\"wrong_pin\">Fail: enter a wrong PIN too often</button>\
         <button name=\"choice\" value=\"cancel\">Cancel and go back to the shop</button></form>\
         <p><small>Any wallet, code and PIN will do. {WALLET_WITHOUT_FUNDS} has no money, {WALLET_BLOCKED} is \
         blocked.</small></p>",
        escape(&payment.invoice),
        written(payment.amount),
        hidden("paymentID", &payment.id),
        hidden("hash", &payment.hash),
        escape(wallet),
    );
    page_to(&payment.callback_url, "bKash", &content)
}
