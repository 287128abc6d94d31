//! A small dashboard, on which the shop's side and the bank's side of a payment can be played: refunds, disputes, and
//! the end of a delayed payment.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use platform::Amount;
use platform::html::escape;
use serde_json::json;

use super::model::{
    Charge, ChargeStatus, Dispute, DisputeStatus, Intent, Metadata, Refund, RefundStatus, Session,
};
use super::money::{api_amount, money};
use super::payments::RefundRequest;
use super::{Stripe, Tx};
use crate::page::{error_page, field, form_fields, page, redirect};

const LISTED: usize = 50;

type Fields = Vec<(String, String)>;

pub fn router(stripe: &Stripe) -> Router {
    Router::new()
        .route("/dashboard", get(list))
        .route("/dashboard/{session}", get(show).post(act))
        .with_state(stripe.clone())
}

async fn list(State(stripe): State<Stripe>) -> Response {
    let rows = stripe.transact(|tx| {
        let sessions = tx.state.sessions.iter().rev().take(LISTED);
        sessions.map(|session| tx.list_row(session, &stripe.dashboard_url())).collect::<String>()
    });
    match rows.as_deref() {
        Err(_) => broken(),
        Ok("") => page(
            "Payments",
            "<p>There are none yet. Place an order in the shop, and pay by card.</p>",
        ),
        Ok(rows) => {
            page("Payments", &format!("<p>What the provider knows, the newest first.</p>{rows}"))
        }
    }
}

async fn show(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    stripe.payment(&id, None)
}

async fn act(State(stripe): State<Stripe>, Path(id): Path<String>, body: Bytes) -> Response {
    let fields = form_fields(&body);
    match stripe.transact(|tx| tx.act(&id, &fields)) {
        Err(_) => broken(),
        Ok(Err(why)) => stripe.payment(&id, Some(&why)),
        Ok(Ok(())) => redirect(&format!("{}/{id}", stripe.dashboard_url())),
    }
}

fn broken() -> Response {
    error_page(StatusCode::INTERNAL_SERVER_ERROR, "Out of order", "The journal cannot be written.")
}

impl Stripe {
    pub fn dashboard_url(&self) -> String {
        format!("{}/dashboard", self.0.shared.url("stripe"))
    }

    fn payment(&self, id: &str, error: Option<&str>) -> Response {
        let url = self.dashboard_url();
        let content = self.transact(|tx| Some(tx.details(tx.state.sessions.get(id)?, &url)));
        match content {
            Err(_) => broken(),
            Ok(None) => {
                error_page(StatusCode::NOT_FOUND, "No such payment", "It is not known here.")
            }
            Ok(Some(content)) => {
                let alert = error.map_or(String::new(), |error| {
                    format!("<p role=\"alert\">{}</p>", escape(error))
                });
                page("Payment", &format!("{alert}{content}"))
            }
        }
    }
}

/// A state in words, such as `requires capture`.
fn shown(status: impl serde::Serialize) -> String {
    json!(status).as_str().unwrap_or_default().replace('_', " ")
}

fn title(session: &Session) -> &str {
    session.metadata.get("order").map_or(session.name.as_str(), String::as_str)
}

fn button(name: &str, value: &str, text: &str, effect: &str) -> String {
    format!(
        "<button name=\"{name}\" value=\"{}\">{text}<br><small>{effect}</small></button>",
        escape(value)
    )
}

impl Tx<'_> {
    fn list_row(&self, session: &Session, url: &str) -> String {
        let intent = self.state.intent_of(session);
        let state = intent.map_or_else(|| shown(session.status), |intent| shown(intent.status));
        let amount = money(session.amount, &session.currency).to_string();
        format!(
            "<p><a class=\"button\" href=\"{}/{}\">{} · {}<br><small>{state}</small></a></p>",
            escape(url),
            session.id,
            escape(title(session)),
            escape(&amount)
        )
    }

    fn details(&self, session: &Session, url: &str) -> String {
        let intent = self.state.intent_of(session);
        let charge = intent.and_then(|intent| self.state.latest_charge(intent));
        let amount = |amount: i64| money(amount, &session.currency).to_string();
        let mut lines = vec![
            ("Order", title(session).to_owned()),
            ("Amount", amount(session.amount)),
            ("Session", format!("{} ({})", session.id, shown(session.status))),
        ];
        lines.extend(intent.map(|one| ("Payment", format!("{} ({})", one.id, shown(one.status)))));
        if let Some(charge) = charge {
            lines.push(("Charge", format!("{} ({})", charge.id, shown(charge.status))));
            lines.push(("Captured", amount(charge.captured)));
            lines.push(("Refunded", amount(charge.refunded)));
        }
        let row = |(name, value): &(&str, String)| {
            format!("<tr><th>{name}</th><td>{}</td></tr>", escape(value))
        };
        let table: String = lines.iter().map(row).collect();
        let actions = intent
            .zip(charge)
            .map_or(String::new(), |(intent, charge)| self.actions(intent, charge));
        format!(
            "<table>{table}</table><form method=\"post\" action=\"{url}/{}\">{actions}</form>\
             <p><a href=\"{url}\">All payments</a></p>",
            session.id,
            url = escape(url),
        )
    }

    fn actions(&self, intent: &Intent, charge: &Charge) -> String {
        let mut parts = Vec::new();
        if charge.status == ChargeStatus::Pending {
            parts.push(button(
                "settle",
                "succeed",
                "The money arrives now",
                "The bank debit succeeds",
            ));
            parts.push(button("settle", "fail", "The bank refuses now", "The bank debit fails"));
        }
        let left = charge.captured - charge.refunded;
        let disputes = self.state.disputes.iter().filter(|dispute| dispute.charge == charge.id);
        let disputes: Vec<String> = disputes.map(|dispute| self.dispute_part(dispute)).collect();
        if left > 0 && disputes.is_empty() {
            parts.push(refund_part(&money(left, &charge.currency).plain(), &intent.currency));
            parts.push(button(
                "dispute",
                "open",
                "The customer disputes it",
                "The bank takes the money back until the dispute is decided",
            ));
        }
        parts.extend(disputes);
        let refunds = self.state.refunds.iter().filter(|refund| refund.charge == charge.id);
        parts.extend(refunds.map(refund_line));
        parts.concat()
    }

    fn dispute_part(&self, dispute: &Dispute) -> String {
        let amount = money(dispute.amount, &dispute.currency).to_string();
        let heading =
            format!("<h2>Dispute</h2><p>{}, {}</p>", escape(&amount), shown(dispute.status));
        match dispute.status {
            DisputeStatus::NeedsResponse => format!(
                "{heading}{}{}",
                button(
                    "won",
                    &dispute.id,
                    "The shop wins",
                    "The bank gives the money back to the shop"
                ),
                button("lost", &dispute.id, "The customer wins", "The customer keeps the money")
            ),
            DisputeStatus::Won | DisputeStatus::Lost => heading,
        }
    }

    fn act(&mut self, id: &str, fields: &Fields) -> Result<(), String> {
        let intent = self.state.sessions.get(id).and_then(|session| self.state.intent_of(session));
        let charge = intent.and_then(|intent| self.state.latest_charge(intent)).cloned();
        let charge = charge.ok_or("Nothing was paid yet.")?;
        let is = |name: &str, value: &str| field(fields, name) == value;
        let of_charge = |name: &str| {
            let disputes = self.state.disputes.iter();
            disputes.filter(|one| one.charge == charge.id).find(|one| is(name, &one.id)).cloned()
        };
        if let Some(dispute) = of_charge("won") {
            self.close_dispute(dispute, DisputeStatus::Won);
        } else if let Some(dispute) = of_charge("lost") {
            self.close_dispute(dispute, DisputeStatus::Lost);
        } else if let Some(refund) = self.state.refunds.get(field(fields, "fail_refund")).cloned() {
            self.fail_refund(refund);
        } else if is("dispute", "open") {
            self.dispute(charge);
        } else if charge.status == ChargeStatus::Pending && !field(fields, "settle").is_empty() {
            self.settle(charge, is("settle", "succeed"));
        } else if is("refund", "1") {
            self.refund_typed(charge, field(fields, "amount"))?;
        }
        Ok(())
    }

    fn refund_typed(&mut self, charge: Charge, typed: &str) -> Result<(), String> {
        let currency = charge.currency.to_ascii_uppercase().parse()?;
        let amount = typed.trim().parse::<Amount>().ok().and_then(|amount| amount.of(currency));
        let amount =
            amount.filter(|amount| amount.is_positive()).ok_or("That is not an amount.")?;
        let request = RefundRequest {
            charge,
            amount: Some(api_amount(amount)),
            reason: Some("requested_by_customer".to_owned()),
            metadata: Metadata::new(),
        };
        let refunded = self.refund(request).map(drop);
        refunded.map_err(|why| {
            why.body()
                .pointer("/error/message")
                .and_then(|text| text.as_str())
                .unwrap_or_default()
                .to_owned()
        })
    }
}

fn refund_part(left: &str, currency: &str) -> String {
    format!(
        "<label>Amount in {}<input name=\"amount\" inputmode=\"decimal\" value=\"{}\"></label>{}",
        escape(&currency.to_ascii_uppercase()),
        escape(left),
        button(
            "refund",
            "1",
            "Refund",
            "As if the shop had refunded it on the provider's own page"
        )
    )
}

fn refund_line(refund: &Refund) -> String {
    let amount = money(refund.amount, &refund.currency).to_string();
    let line = format!("<h2>Refund</h2><p>{}, {}</p>", escape(&amount), shown(refund.status));
    match refund.status {
        RefundStatus::Succeeded => format!(
            "{line}{}",
            button(
                "fail_refund",
                &refund.id,
                "The refund fails",
                "The customer's bank gives it back to the shop"
            )
        ),
        RefundStatus::Failed => line,
    }
}
