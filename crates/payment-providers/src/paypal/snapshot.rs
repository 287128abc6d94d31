//! The present truth about a payment: PayPal's order with its captures and refunds, and the disputes of the captures.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use platform::{Money, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::api::{self, Api, Call};
use super::{amount, path_id};
use crate::{Fact, FactKind, GatewayError, GatewayResult, SessionRef, SessionStatus, Snapshot};

/// Of the scopes that allow to read disputes: the app's feature Disputes.
const DISPUTES: &str = "/services/disputes/read";

/// The orders whose capture PayPal declined. PayPal keeps such an order approved, because the payer may choose another
/// source on its page; here another attempt is another payment. After a restart, `complete` is declined again.
#[derive(Default)]
pub struct Declines(Mutex<VecDeque<(String, String)>>);

impl Declines {
    const MOST: usize = 1000;

    pub fn add(&self, order: &str, code: &str) {
        let mut declines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if declines.len() == Self::MOST {
            declines.pop_front();
        }
        declines.push_back((order.to_owned(), code.to_owned()));
    }

    fn code(&self, order: &str) -> Option<String> {
        let declines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = declines.iter().rev().find(|(declined, _)| declined == order);
        found.map(|(_, code)| code.clone())
    }
}

#[derive(Deserialize)]
struct Order {
    status: String,
    #[serde(default)]
    purchase_units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    #[serde(default)]
    custom_id: String,
    #[serde(default)]
    payments: Payments,
}

#[derive(Default, Deserialize)]
struct Payments {
    #[serde(default)]
    captures: Vec<Charge>,
    #[serde(default)]
    refunds: Vec<Charge>,
}

/// A capture or a refund.
#[derive(Deserialize)]
struct Charge {
    id: String,
    status: String,
    amount: Value,
    #[serde(default)]
    status_details: Value,
    #[serde(default)]
    create_time: String,
}

#[derive(Deserialize)]
struct Dispute {
    dispute_id: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    create_time: String,
    #[serde(default)]
    update_time: String,
    #[serde(default)]
    dispute_amount: Value,
    #[serde(default)]
    dispute_outcome: Value,
}

/// Facts with their times.
type Timeline = Vec<(Timestamp, Fact)>;
const LATEST: Timestamp = Timestamp(i64::MAX);

pub async fn fetch(
    api: &Api,
    declines: &Declines,
    session: SessionRef<'_>,
) -> GatewayResult<Snapshot> {
    let path = format!("/v2/checkout/orders/{}", path_id(session.reference)?);
    let Some(order) = found::<Order>(api, &path).await? else {
        return unknown_order(api, session).await;
    };
    let mut payments = Payments::default();
    for unit in order.purchase_units {
        if unit.custom_id != session.payment {
            let message = "PayPal's order is of another payment";
            return Err(GatewayError::refused("another_payment", message));
        }
        payments.captures.extend(unit.payments.captures);
        payments.refunds.extend(unit.payments.refunds);
    }
    let mut timeline = timeline_of(&payments)?;
    let mut status = match order.status.as_str() {
        "CREATED" | "SAVED" | "PAYER_ACTION_REQUIRED" => SessionStatus::Open,
        "APPROVED" => SessionStatus::Approved,
        "COMPLETED" | "VOIDED" => SessionStatus::Closed,
        other => {
            let why = format!("an order with the unknown status {}", super::shortened(other, 40));
            return Err(GatewayError::Unavailable(why));
        }
    };
    if payments.captures.iter().any(|capture| capture.status == "PENDING") {
        status = SessionStatus::Processing;
    } else if order.status == "VOIDED" {
        timeline.push((LATEST, failed(session, "VOIDED")));
    } else if let (SessionStatus::Approved, Some(code)) = (status, declines.code(session.reference))
    {
        status = SessionStatus::Closed;
        timeline.push((LATEST, failed(session, &code)));
    }
    timeline.extend(disputes(api, session, &payments).await?);
    Ok(Snapshot { status, facts: in_order(timeline) })
}

/// PayPal forgets orders that were not paid after some hours. One that was paid is known by its capture.
async fn unknown_order(api: &Api, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
    let Some(capture) = session.charge else {
        let facts = vec![failed(session, "ORDER_EXPIRED")];
        return Ok(Snapshot { status: SessionStatus::Closed, facts });
    };
    let path = format!("/v2/payments/captures/{}", path_id(capture)?);
    let captures: Vec<Charge> = found(api, &path).await?.into_iter().collect();
    let payments = Payments { captures, refunds: Vec::new() };
    // The refunds are not known here.
    let mut timeline = timeline_of(&payments)?;
    timeline.retain(|(_, fact)| fact.kind != FactKind::Refunded);
    timeline.extend(disputes(api, session, &payments).await?);
    Ok(Snapshot { status: SessionStatus::Closed, facts: in_order(timeline) })
}

/// The object at a path; `None` where PayPal has none.
async fn found<T: DeserializeOwned>(api: &Api, path: &str) -> GatewayResult<Option<T>> {
    let answer = api.send(&Call::get(path)).await?;
    match answer.status {
        StatusCode::NOT_FOUND => Ok(None),
        status if status.is_success() => answer.parse().map(Some),
        _ => Err(api::refusal(&answer)),
    }
}

fn failed(session: SessionRef<'_>, code: &str) -> Fact {
    let reference = session.reference.to_owned();
    Fact { kind: FactKind::Failed, reference, amount: session.amount, code: code.to_owned() }
}

fn in_order(mut timeline: Timeline) -> Vec<Fact> {
    timeline.sort_by_key(|(at, _)| *at);
    timeline.into_iter().map(|(_, fact)| fact).collect()
}

/// The facts about captures and refunds.
fn timeline_of(payments: &Payments) -> GatewayResult<Timeline> {
    let mut timeline = Timeline::new();
    for capture in &payments.captures {
        let kind = match capture.status.as_str() {
            "COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED" | "REVERSED" => FactKind::Captured,
            "DECLINED" | "FAILED" => FactKind::Failed,
            _ => continue,
        };
        let code = if kind == FactKind::Failed { capture.reason() } else { "" };
        timeline.push((capture.created_at(), capture.fact(kind, code)?));
        let is_gone = matches!(capture.status.as_str(), "REFUNDED" | "REVERSED");
        if is_gone && payments.refunds.is_empty() {
            timeline.push((LATEST, capture.fact(FactKind::Refunded, "")?));
        }
    }
    for refund in &payments.refunds {
        let at = refund.created_at();
        timeline.push((at, refund.fact(FactKind::Refunded, "")?));
        if !refund.pays_back() {
            let fact = refund.fact(FactKind::RefundFailed, refund.reason())?;
            timeline.push((at, fact));
        }
    }
    Ok(timeline)
}

impl Charge {
    fn fact(&self, kind: FactKind, code: &str) -> GatewayResult<Fact> {
        let amount = amount::read(&self.amount)?;
        Ok(Fact { kind, reference: self.id.clone(), amount, code: code.to_owned() })
    }

    fn created_at(&self) -> Timestamp {
        Timestamp::parse(&self.create_time).unwrap_or_default()
    }

    /// Why it did not succeed.
    fn reason(&self) -> &str {
        self.status_details["reason"].as_str().unwrap_or(&self.status)
    }

    /// Whether a refund reaches, or is to reach, the customer.
    fn pays_back(&self) -> bool {
        !matches!(self.status.as_str(), "FAILED" | "CANCELLED")
    }
}

/// The facts about disputes. They are asked for where something was captured.
async fn disputes(
    api: &Api,
    session: SessionRef<'_>,
    payments: &Payments,
) -> GatewayResult<Timeline> {
    let mut timeline = Timeline::new();
    for capture in &payments.captures {
        match disputes_of(api, &capture.id).await {
            Ok(disputes) => {
                let captured = amount::read(&capture.amount)?;
                timeline
                    .extend(disputes.iter().flat_map(|dispute| dispute_facts(dispute, captured)));
            }
            // An outage of this part of the API must not hide a payment that is news; disputes come later.
            Err(why) if session.charge.is_none() => tracing::warn!(%why, "no disputes from PayPal"),
            Err(why) => return Err(why),
        }
    }
    Ok(timeline)
}

async fn disputes_of(api: &Api, capture: &str) -> GatewayResult<Vec<Dispute>> {
    #[derive(Deserialize)]
    struct Found {
        #[serde(default)]
        items: Vec<Dispute>,
    }
    if !api.may(DISPUTES).await? {
        return Ok(Vec::new());
    }
    let path = format!("/v1/customer/disputes?disputed_transaction_id={}", path_id(capture)?);
    let listed = found::<Found>(api, &path).await?.map(|found| found.items).unwrap_or_default();
    let mut disputes = Vec::new();
    for dispute in listed {
        // The list does not contain the outcome.
        let details = match dispute.status == "RESOLVED" && dispute.dispute_outcome.is_null() {
            true => {
                let path = format!("/v1/customer/disputes/{}", path_id(&dispute.dispute_id)?);
                found::<Dispute>(api, &path).await?
            }
            false => None,
        };
        disputes.push(details.unwrap_or(dispute));
    }
    Ok(disputes)
}

/// PayPal takes the money of a lost dispute by a refund of its own, which is among the order's refunds.
fn dispute_facts(dispute: &Dispute, captured: Money) -> Timeline {
    let opened_at = Timestamp::parse(&dispute.create_time).unwrap_or_default();
    let disputed = amount::from_json(&dispute.dispute_amount).unwrap_or(captured);
    let fact = |kind, amount, code: &str| {
        let reference = dispute.dispute_id.clone();
        Fact { kind, reference, amount, code: code.to_owned() }
    };
    let mut timeline = vec![(opened_at, fact(FactKind::Disputed, disputed, ""))];
    if dispute.status == "RESOLVED" {
        let outcome = &dispute.dispute_outcome;
        let code = outcome["outcome_code"].as_str().unwrap_or_default();
        let paid_back = amount::from_json(&outcome["amount_refunded"]);
        let is_lost = match code {
            "RESOLVED_BUYER_FAVOUR" | "ACCEPTED" => true,
            "RESOLVED_SELLER_FAVOUR" | "RESOLVED_WITH_PAYOUT" | "CANCELED_BY_BUYER" | "DENIED" => {
                false
            }
            _ => paid_back.is_some_and(Money::is_positive),
        };
        let (kind, amount) = match is_lost {
            true => (FactKind::DisputeLost, paid_back.unwrap_or(disputed)),
            false => (FactKind::DisputeWon, disputed),
        };
        let resolved_at = Timestamp::parse(&dispute.update_time).unwrap_or(opened_at);
        timeline.push((resolved_at, fact(kind, amount, code)));
    }
    timeline
}

#[cfg(test)]
mod tests {
    use super::*;
    use FactKind::{Captured, DisputeLost, DisputeWon, Disputed, Failed, RefundFailed, Refunded};
    use serde_json::json;

    fn capture(status: &str) -> Value {
        json!({ "id": "C", "status": status, "amount": { "currency_code": "USD", "value": "100.00" } })
    }

    fn refund(id: &str, status: &str, value: &str, day: u8) -> Value {
        json!({
            "id": id, "status": status, "amount": { "currency_code": "USD", "value": value },
            "create_time": format!("2026-11-{day:02}T12:13:29-07:00"),
        })
    }

    fn facts(captures: &[Value], refunds: &[Value]) -> Vec<(FactKind, String, i64)> {
        let json = json!({ "captures": captures, "refunds": refunds });
        rows(timeline_of(&serde_json::from_value(json).unwrap()).unwrap())
    }

    fn rows(timeline: Timeline) -> Vec<(FactKind, String, i64)> {
        let facts = in_order(timeline).into_iter();
        facts.map(|fact| (fact.kind, fact.reference, fact.amount.minor())).collect()
    }

    fn row(kind: FactKind, reference: &str, minor: i64) -> (FactKind, String, i64) {
        (kind, reference.to_owned(), minor)
    }

    #[test]
    fn captures_are_facts_by_their_status() {
        // PayPal calls a capture partly refunded as soon as it is disputed: only refunds count.
        for status in ["COMPLETED", "PARTIALLY_REFUNDED"] {
            assert_eq!(facts(&[capture(status)], &[]), [row(Captured, "C", 10_000)], "{status}");
        }
        for status in ["DECLINED", "FAILED"] {
            assert_eq!(facts(&[capture(status)], &[]), [row(Failed, "C", 10_000)], "{status}");
        }
        assert_eq!(facts(&[capture("PENDING")], &[]), []);
    }

    #[test]
    fn refunds_are_facts_in_the_order_of_their_times() {
        let refunds = [refund("R2", "FAILED", "20.00", 9), refund("R1", "PENDING", "10.00", 8)];
        assert_eq!(
            facts(&[capture("COMPLETED")], &refunds),
            [
                row(Captured, "C", 10_000),
                row(Refunded, "R1", 1_000),
                row(Refunded, "R2", 2_000),
                row(RefundFailed, "R2", 2_000)
            ]
        );
    }

    #[test]
    fn what_paypal_took_back_without_a_refund_counts_once() {
        for status in ["REFUNDED", "REVERSED"] {
            let whole = [row(Captured, "C", 10_000), row(Refunded, "C", 10_000)];
            assert_eq!(facts(&[capture(status)], &[]), whole);
            let listed = [row(Captured, "C", 10_000), row(Refunded, "R", 10_000)];
            let refunds = [refund("R", "COMPLETED", "100.00", 9)];
            assert_eq!(facts(&[capture(status)], &refunds), listed);
        }
    }

    #[test]
    fn disputes_are_won_or_lost_by_their_outcome() {
        let lost = json!({ "outcome_code": "NONE", "amount_refunded": { "currency_code": "USD", "value": "40.00" } });
        for (outcome, expected) in [
            (json!({ "outcome_code": "RESOLVED_SELLER_FAVOUR" }), Some((DisputeWon, 6_000))),
            (json!({ "outcome_code": "RESOLVED_WITH_PAYOUT" }), Some((DisputeWon, 6_000))),
            (json!({ "outcome_code": "CANCELED_BY_BUYER" }), Some((DisputeWon, 6_000))),
            (json!({ "outcome_code": "RESOLVED_BUYER_FAVOUR" }), Some((DisputeLost, 6_000))),
            (json!({ "outcome_code": "ACCEPTED" }), Some((DisputeLost, 6_000))),
            (lost, Some((DisputeLost, 4_000))),
            (json!({}), Some((DisputeWon, 6_000))),
            (Value::Null, None),
        ] {
            let dispute: Dispute = serde_json::from_value(json!({
                "dispute_id": "PP-D-1", "status": if outcome.is_null() { "UNDER_REVIEW" } else { "RESOLVED" },
                "create_time": "2026-11-10T00:00:00.000Z", "update_time": "2026-11-20T00:00:00.000Z",
                "dispute_amount": { "currency_code": "USD", "value": "60.00" }, "dispute_outcome": outcome,
            }))
            .unwrap();
            let mut wanted = vec![row(Disputed, "PP-D-1", 6_000)];
            wanted.extend(expected.map(|(kind, minor)| row(kind, "PP-D-1", minor)));
            let captured = Money::new(10_000, platform::Currency::USD);
            assert_eq!(rows(dispute_facts(&dispute, captured)), wanted);
        }
    }

    #[tokio::test]
    async fn an_outage_of_disputes_hides_no_new_payment() {
        let order = json!({
            "status": "COMPLETED",
            "purchase_units": [{ "custom_id": "p", "payments": { "captures": [capture("COMPLETED")] } }],
        });
        let answer = async move || order.to_string();
        let routes = axum::Router::new()
            .route("/v2/checkout/orders/O", axum::routing::get(answer))
            .route("/v1/customer/disputes", axum::routing::get(async || StatusCode::BAD_GATEWAY));
        let api = api::serve(routes).await;
        let amount = Money::new(10_000, platform::Currency::USD);
        let session = SessionRef { payment: "p", reference: "O", amount, charge: None };
        let news = fetch(&api, &Declines::default(), session).await.unwrap();
        assert_eq!((news.status, news.facts.len()), (SessionStatus::Closed, 1));
        let known = SessionRef { charge: Some("C"), ..session };
        let known = fetch(&api, &Declines::default(), known).await;
        assert!(matches!(known, Err(GatewayError::Unavailable(_))), "{known:?}");
        let other = SessionRef { payment: "q", ..session };
        assert!(matches!(
            fetch(&api, &Declines::default(), other).await,
            Err(GatewayError::Refused { .. })
        ));
    }

    #[tokio::test]
    async fn a_paid_order_that_paypal_has_forgotten_is_known_by_its_capture() {
        let answer = async || capture("REFUNDED").to_string();
        let routes = axum::Router::new()
            .route("/v2/payments/captures/C", axum::routing::get(answer))
            .fallback(async || (StatusCode::NOT_FOUND, "{}"));
        let api = api::serve(routes).await;
        let amount = Money::new(10_000, platform::Currency::USD);
        let session = SessionRef { payment: "p", reference: "O", amount, charge: None };
        let unpaid = fetch(&api, &Declines::default(), session).await.unwrap();
        assert_eq!((unpaid.status, unpaid.facts[0].kind), (SessionStatus::Closed, Failed));
        let paid = SessionRef { charge: Some("C"), ..session };
        let paid = fetch(&api, &Declines::default(), paid).await.unwrap();
        let kinds: Vec<FactKind> = paid.facts.iter().map(|fact| fact.kind).collect();
        assert_eq!((paid.status, kinds), (SessionStatus::Closed, vec![Captured]));
    }

    #[test]
    fn the_latest_declines_are_remembered() {
        let declines = Declines::default();
        for number in 0..=Declines::MOST {
            declines.add(&number.to_string(), "INSTRUMENT_DECLINED");
        }
        assert_eq!(declines.code("0"), None);
        assert_eq!(declines.code("1").as_deref(), Some("INSTRUMENT_DECLINED"));
    }
}
