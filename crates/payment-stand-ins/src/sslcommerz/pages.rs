//! The page of the stand-in of SSLCommerz, on which the shopper chooses how to pay, and from which the browser goes
//! back to the shop by posting a form.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use axum::routing::get;
use platform::html::escape;

use super::fields::notification;
use super::{Attempt, Event, STORE_PASSWORD, Session, Sslcommerz, Status, written};
use crate::page::{error_page, field, form_fields, hidden, page, page_to};
use crate::webhooks::{Message, MessageKind};

/// What the shopper can choose, and what its button says.
const CHOICES: [(Choice, &str); 8] = [
    (Choice::Card, "Pay with a card"),
    (Choice::Bkash, "Pay with bKash"),
    (Choice::Nagad, "Pay with Nagad"),
    (Choice::Risky, "Pay with a card that the provider considers risky"),
    (Choice::Lost, "Pay, but do not go back to the shop"),
    (Choice::Fail, "Fail: the bank declines the card"),
    (Choice::Cancel, "Cancel and go back to the shop"),
    (Choice::Expire, "Let the session expire"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Card,
    Bkash,
    Nagad,
    Risky,
    Lost,
    Fail,
    Cancel,
    Expire,
}

impl Choice {
    fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Bkash => "bkash",
            Self::Nagad => "nagad",
            Self::Risky => "risky",
            Self::Lost => "lost",
            Self::Fail => "fail",
            Self::Cancel => "cancel",
            Self::Expire => "expire",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        CHOICES.into_iter().map(|(choice, _)| choice).find(|choice| choice.as_str() == name)
    }

    fn status(self) -> Status {
        match self {
            Self::Card | Self::Bkash | Self::Nagad | Self::Risky | Self::Lost => Status::Valid,
            Self::Fail => Status::Failed,
            Self::Cancel => Status::Cancelled,
            Self::Expire => Status::Expired,
        }
    }

    /// `card_type`, `card_brand`.
    fn method(self) -> (&'static str, &'static str) {
        match self {
            Self::Bkash => ("BKASH-BKash", "MOBILEBANKING"),
            Self::Nagad => ("NAGAD-Nagad", "MOBILEBANKING"),
            Self::Card | Self::Risky | Self::Lost | Self::Fail => ("VISA-Dutch Bangla", "VISA"),
            Self::Cancel | Self::Expire => ("", ""),
        }
    }

    fn error(self) -> &'static str {
        match self {
            Self::Fail => "Transaction is declined by issuer bank",
            Self::Cancel => "Cancelled by User",
            Self::Expire => "Session is expired",
            _ => "",
        }
    }
}

pub(super) fn router(sslcommerz: Sslcommerz) -> Router {
    let pages = get(show).post(choose);
    Router::new().route("/EasyCheckOut/{key}", pages).with_state(sslcommerz)
}

async fn show(Extract(sslcommerz): Extract<Sslcommerz>, Path(key): Path<String>) -> Response {
    let state = sslcommerz.state();
    match (state.sessions.get(&key), state.attempt_of(&key)) {
        (None, _) => unknown(),
        (Some(session), Some(attempt)) => outcome_page(session, attempt),
        (Some(session), None) => choice_page(session),
    }
}

fn unknown() -> Response {
    error_page(StatusCode::NOT_FOUND, "No such payment", "This session does not exist.")
}

async fn choose(
    Extract(sslcommerz): Extract<Sslcommerz>,
    Path(key): Path<String>,
    body: Bytes,
) -> Response {
    let mut state = sslcommerz.state();
    let Some(session) = state.sessions.get(&key).cloned() else { return unknown() };
    if let Some(attempt) = state.attempt_of(&key) {
        return outcome_page(&session, attempt);
    }
    let Some(choice) = Choice::parse(field(&form_fields(&body), "choice")) else {
        return error_page(StatusCode::BAD_REQUEST, "No choice", "Choose one of the buttons.");
    };
    let attempt = sslcommerz.attempt(&session, choice);
    if state.record(Event::Tried(attempt.clone())).is_err() {
        let text = "What you chose could not be written down. Try again.";
        return error_page(StatusCode::INTERNAL_SERVER_ERROR, "Not saved", text);
    }
    drop(state);
    sslcommerz.notify(&session, &attempt);
    match choice {
        Choice::Lost => {
            let text = "<p>The shop is told by a notification alone. You can close this page.</p>";
            page("Paid", text)
        }
        _ => outcome_page(&session, &attempt),
    }
}

impl Sslcommerz {
    fn attempt(&self, session: &Session, choice: Choice) -> Attempt {
        let (card_type, card_brand) = choice.method();
        let status = choice.status();
        let id = |is_there: bool| match is_there {
            true => self.shared().random_id("", 28),
            false => String::new(),
        };
        Attempt {
            session: session.key.clone(),
            tran_id: session.tran_id.clone(),
            amount: session.amount,
            status,
            val_id: id(status == Status::Valid),
            bank_tran_id: id(matches!(status, Status::Valid | Status::Failed)),
            card_type: card_type.to_owned(),
            card_brand: card_brand.to_owned(),
            error: choice.error().to_owned(),
            is_risky: choice == Choice::Risky,
            is_validated: false,
            at: self.shared().now(),
        }
    }

    fn notify(&self, session: &Session, attempt: &Attempt) {
        if session.ipn_url.is_empty() {
            return;
        }
        let (url, session, attempt) = (session.ipn_url.clone(), session.clone(), attempt.clone());
        self.shared().webhooks().send(url, move |kind| Message {
            headers: vec![(CONTENT_TYPE.as_str(), "application/x-www-form-urlencoded".to_owned())],
            body: notification(&attempt, &session, kind == MessageKind::Forged),
        });
    }
}

fn choice_page(session: &Session) -> Response {
    let button = |(choice, text): (Choice, &str)| {
        let class = if choice == Choice::Card { " class=\"main\"" } else { "" };
        format!(
            "<button{class} name=\"choice\" value=\"{}\">{}</button>",
            choice.as_str(),
            escape(text)
        )
    };
    let buttons: String = CHOICES.into_iter().map(button).collect();
    page(
        "SSLCommerz",
        &format!(
            "<p>{}</p><p class=\"amount\">৳{}</p><form method=\"post\">{buttons}</form>\
             <p><small>Payment {}. A refund whose amount ends in .{} is cancelled by the bank.</small></p>",
            escape(&session.product_name),
            written(session.amount),
            escape(&session.tran_id),
            super::CANCELLED_REFUND_PAISA,
        ),
    )
}

/// The way back is a form that is posted to the shop, from another site.
fn outcome_page(session: &Session, attempt: &Attempt) -> Response {
    let (title, url) = match attempt.status {
        Status::Valid => ("Paid", &session.success_url),
        Status::Failed => ("Declined", &session.fail_url),
        Status::Cancelled => ("Cancelled", &session.cancel_url),
        Status::Expired => ("Expired", &session.fail_url),
    };
    let fields = attempt.signed_fields(session, STORE_PASSWORD);
    let fields: String = fields.iter().map(|(name, value)| hidden(name, value)).collect();
    let content = format!(
        "<p class=\"amount\">৳{}</p><form method=\"post\" action=\"{}\">{fields}\
         <button class=\"main\">Back to the shop</button></form>",
        written(attempt.amount),
        escape(url),
    );
    page_to(url, title, &content)
}
