//! The payment page, on which a test card is typed or chosen, and the page of the card's bank.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use platform::Timestamp;
use platform::html::escape;

use super::cards::{TEST_CARDS, TestCard, TypedCard};
use super::model::{CaptureMethod, Intent, IntentStatus, Session, SessionStatus};
use super::money::money;
use super::{Stripe, Tx};
use crate::page::{error_page, field, form_fields, page, page_to, redirect};

type Fields = Vec<(String, String)>;

/// What the shopper sees next.
enum Next {
    Page(Box<Session>, Option<String>),
    Authenticate(Box<Session>),
    Closed(Box<Session>),
    Ended(Box<Session>),
    Redirect(String),
    Missing,
}

pub fn router(stripe: &Stripe) -> Router {
    Router::new()
        .route("/pay/{session}", get(show).post(submit))
        .route("/pay/{session}/authenticate", get(show).post(authenticate))
        .with_state(stripe.clone())
}

async fn show(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    stripe.respond(|tx| tx.payment_page(&id))
}

async fn submit(State(stripe): State<Stripe>, Path(id): Path<String>, body: Bytes) -> Response {
    let fields = form_fields(&body);
    stripe.respond(|tx| tx.submit(&id, &fields))
}

async fn authenticate(
    State(stripe): State<Stripe>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let fields = form_fields(&body);
    stripe.respond(|tx| {
        let Some(session) = tx.open_session(&id) else { return tx.payment_page(&id) };
        let is_waiting = tx.state.intent_of(&session).is_some_and(is_authenticating);
        if is_waiting {
            tx.authenticated(&session, field(&fields, "authentication") == "complete");
        }
        tx.after_attempt(&id)
    })
}

fn is_authenticating(intent: &Intent) -> bool {
    intent.status == IntentStatus::RequiresAction
}

impl Stripe {
    fn respond(&self, work: impl FnOnce(&mut Tx<'_>) -> Next) -> Response {
        let broken = || {
            error_page(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Out of order",
                "The journal cannot be written.",
            )
        };
        let Ok(next) = self.transact(work) else { return broken() };
        let url = |session: &Session| format!("{}/{}", self.page_url(), session.id);
        match next {
            Next::Page(session, error) => {
                let dashboard = self.dashboard_url();
                payment_page(&session, &url(&session), &dashboard, error.as_deref())
            }
            Next::Authenticate(session) => authentication_page(&session, &url(&session)),
            Next::Closed(session) => closed_page(&session, &url(&session)),
            Next::Ended(session) => ended_page(&session),
            Next::Redirect(url) => redirect(&url),
            Next::Missing => error_page(
                StatusCode::NOT_FOUND,
                "No such payment",
                "The address is not that of a payment.",
            ),
        }
    }
}

impl Tx<'_> {
    fn open_session(&self, id: &str) -> Option<Session> {
        let found = self.state.sessions.get(id);
        found.filter(|session| session.status == SessionStatus::Open).cloned()
    }

    fn payment_page(&self, id: &str) -> Next {
        let Some(session) = self.state.sessions.get(id) else { return Next::Missing };
        let intent = self.state.intent_of(session);
        match session.status {
            SessionStatus::Open if intent.is_some_and(is_authenticating) => {
                Next::Authenticate(session.clone().into())
            }
            SessionStatus::Open => {
                let error = intent.and_then(|intent| intent.last_error.as_ref());
                Next::Page(session.clone().into(), error.map(|error| error.decline.message.clone()))
            }
            SessionStatus::Complete | SessionStatus::Expired => Next::Ended(session.clone().into()),
        }
    }

    fn submit(&mut self, id: &str, fields: &Fields) -> Next {
        let Some(session) = self.open_session(id) else { return self.after_attempt(id) };
        let is_delayable = session.capture_method != CaptureMethod::Manual;
        match (field(fields, "leave"), field(fields, "bank"), field(fields, "wallet")) {
            ("cancel", _, _) => {
                return Next::Redirect(session.cancel_url.unwrap_or(session.success_url));
            }
            ("close", _, _) => return Next::Closed(session.into()),
            (_, "succeed", _) if is_delayable => self.pay_by_bank(&session, true),
            (_, "fail", _) if is_delayable => self.pay_by_bank(&session, false),
            (_, _, "google_pay") => self.pay_by_wallet(&session),
            _ => match self.chosen_card(fields) {
                Ok(card) => self.pay_by_card(&session, card),
                Err(message) => return Next::Page(session.into(), Some(message)),
            },
        }
        self.after_attempt(id)
    }

    /// The card of a button, or the one that was typed.
    fn chosen_card(&self, fields: &Fields) -> Result<TestCard, String> {
        if let Some(card) = TestCard::find(field(fields, "card")) {
            return Ok(card);
        }
        let typed = TypedCard {
            number: field(fields, "number"),
            expiry: field(fields, "expiry"),
            cvc: field(fields, "cvc"),
            name: field(fields, "name"),
        };
        let now = Timestamp(self.now);
        typed.check(now.year().into(), now.month()).map_err(|why| why.message)
    }

    fn after_attempt(&self, id: &str) -> Next {
        let Some(session) = self.state.sessions.get(id) else { return Next::Missing };
        let page = format!("{}/{id}", super::page_url(self.shared));
        match session.status {
            SessionStatus::Complete => Next::Redirect(success_url(session)),
            SessionStatus::Expired => Next::Redirect(page),
            SessionStatus::Open if self.state.intent_of(session).is_some_and(is_authenticating) => {
                Next::Redirect(format!("{page}/authenticate"))
            }
            SessionStatus::Open => Next::Redirect(page),
        }
    }
}

fn success_url(session: &Session) -> String {
    session.success_url.replace("{CHECKOUT_SESSION_ID}", &session.id)
}

/// The amount, and what it is for.
fn summary(session: &Session) -> String {
    let amount = money(session.amount, &session.currency).to_string();
    let order = session
        .metadata
        .get("order")
        .map_or(String::new(), |order| format!("Order {}", escape(order)));
    format!(
        "<p class=\"amount\">{}</p><p>{}<br>{order}</p>",
        escape(&amount),
        escape(&session.name)
    )
}

fn payment_page(session: &Session, url: &str, dashboard: &str, error: Option<&str>) -> Response {
    let alert =
        error.map_or(String::new(), |error| format!("<p role=\"alert\">{}</p>", escape(error)));
    let url = escape(url);
    let form = |content: &str| format!("<form method=\"post\" action=\"{url}\">{content}</form>");
    let typed = form(
        "<label>Card number<input name=\"number\" inputmode=\"numeric\" maxlength=\"23\" required \
         autocomplete=\"off\"></label>\
         <div class=\"pair\"><label>Expiry<input name=\"expiry\" placeholder=\"MM / YY\" maxlength=\"9\" required \
         autocomplete=\"off\"></label>\
         <label>CVC<input name=\"cvc\" inputmode=\"numeric\" maxlength=\"4\" required \
         autocomplete=\"off\"></label></div>\
         <label>Name on the card<input name=\"name\" maxlength=\"100\" required autocomplete=\"off\"></label>\
         <button class=\"main\">Pay</button>",
    );
    let content = format!(
        "{}{alert}{}<hr><h2>Card</h2>\
         <p><small>Type a test card with any name, CVC and future expiry. Real cards are refused; do not type \
         one.</small></p>\
         {typed}<h2>Test cards</h2><p><small>A button pays with its card at once.</small></p>{}{}\
         <h2>Leave</h2>{}<p><small>Later, refunds and disputes can be played on the \
         <a href=\"{}\">list of payments</a>.</small></p>",
        summary(session),
        form(
            "<button class=\"main\" name=\"wallet\" value=\"google_pay\">Pay with Google Pay</button>"
        ),
        form(&card_buttons()),
        delayed(session, form),
        form(
            "<button name=\"leave\" value=\"cancel\">Cancel and go back<br>\
             <small>The shop is told by the address that you come back to; the payment stays open here</small></button>\
             <button name=\"leave\" value=\"close\">Close the page without paying<br>\
             <small>As closing the tab: the shop hears nothing until the payment expires</small></button>",
        ),
        escape(dashboard),
    );
    page_to(&session.success_url, "Pay by card", &content)
}

fn card_buttons() -> String {
    let button = |card: &TestCard| {
        format!(
            "<button name=\"card\" value=\"{}\">{}<br><small>{}</small></button>",
            card.number,
            card.grouped(),
            escape(card.effect)
        )
    };
    TEST_CARDS.iter().map(button).collect()
}

/// A bank debit cannot be reserved.
fn delayed(session: &Session, form: impl Fn(&str) -> String) -> String {
    if session.capture_method == CaptureMethod::Manual {
        return String::new();
    }
    let buttons = "<button name=\"bank\" value=\"succeed\">Pay by bank debit<br>\
         <small>You go back at once; the money arrives 10 seconds later</small></button>\
         <button name=\"bank\" value=\"fail\">Pay by a bank debit that fails<br>\
         <small>You go back at once; the bank refuses 10 seconds later</small></button>";
    format!("<h2>Delayed payment</h2>{}", form(buttons))
}

fn authentication_page(session: &Session, url: &str) -> Response {
    let content = format!(
        "<p>The bank of this card asks whether it is you (3-D Secure).</p>{}\
         <form method=\"post\" action=\"{}/authenticate\">\
         <button class=\"main\" name=\"authentication\" value=\"complete\">It is me</button>\
         <button name=\"authentication\" value=\"fail\">It is not me<br>\
         <small>The authentication fails, and you can pay in another way</small></button></form>",
        summary(session),
        escape(url)
    );
    page_to(&session.success_url, "Your bank", &content)
}

fn closed_page(session: &Session, url: &str) -> Response {
    let content = format!(
        "<p>As if you had closed the tab: nothing was paid, and the shop was not told.</p>\
         <p><a class=\"button\" href=\"{}\">Back to the payment page</a></p>{}",
        escape(url),
        summary(session)
    );
    page("Closed", &content)
}

fn ended_page(session: &Session) -> Response {
    let (title, text, back) = match session.status {
        SessionStatus::Complete => ("Done", "This payment is complete.", success_url(session)),
        _ => (
            "Expired",
            "The time for this payment is over. Nothing was paid.",
            session.cancel_url.clone().unwrap_or_else(|| success_url(session)),
        ),
    };
    let link =
        format!("<p><a class=\"button\" href=\"{}\">Back to the shop</a></p>", escape(&back));
    page(title, &format!("<p>{text}</p>{}{link}", summary(session)))
}
