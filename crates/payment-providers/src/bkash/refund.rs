//! Refunds, by the second version of this part of the API: up to ten for a payment, within 60 days. The first version,
//! beside the payments, allows one.

use std::collections::BTreeSet;

use platform::{Currency, Money};
use serde_json::{Value, json};

use super::status::money;
use super::{Bkash, unexpected};
use crate::api::Answer;
use crate::attempts::{Begun, RefundAttempt};
use crate::{Fact, FactKind, GatewayError, GatewayResult, SessionRef};

/// Below the host, not below the version of the other calls.
const PATH: &str = "/v2/tokenized-checkout/refund/payment";
/// What the query may answer where nothing was refunded: no such payment or transaction among the refunds.
const NONE: [&str; 3] = ["2002", "2077", "3045"];

/// A refund in bKash's list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refund {
    id: String,
    amount: Money,
    is_completed: bool,
}

/// A refund of the same amount, less than ten minutes after another one: later it is accepted.
const DUPLICATE: &str = "2029";

impl Refund {
    /// Its id, once the money is back.
    fn completed(self) -> GatewayResult<String> {
        match self.is_completed {
            true => Ok(self.id),
            false => Err(GatewayError::Unavailable("the refund is under way".to_owned())),
        }
    }
}

impl Bkash {
    /// bKash has no idempotency key: `sku` is for the merchant's records, and refunds are listed without it. So what
    /// was refunded is asked before a repetition, and a refund of the same amount that was not there before the first
    /// attempt, and is of no other key, is the one that was asked for. What remains is a refund that was made and is
    /// not in the list yet when the call is repeated: that is 35 seconds later at the earliest, and within ten minutes
    /// bKash refuses another refund of the same amount.
    pub(super) async fn refund_once(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        let Some(trx_id) = session.charge else {
            return Err(GatewayError::refused("not_captured", "nothing was captured"));
        };
        let earlier = self.attempts.find(key).await?;
        let is_first = earlier.is_none();
        if let Some(earlier) = earlier {
            if earlier.amount != amount.minor() {
                return Err(GatewayError::refused("key_reused", "the key is of another amount"));
            }
            if !earlier.reference.is_empty() {
                return Ok(refunded(earlier.reference, amount));
            }
        }
        let currency = amount.currency();
        let listed = match self.refunds(session.reference, trx_id, currency).await {
            // Nothing was asked for that could be in the list.
            Err(GatewayError::Refused { .. }) if is_first => Vec::new(),
            Err(GatewayError::Refused { code, message }) => {
                return Err(GatewayError::Unavailable(format!("{code}: {message}")));
            }
            listed => listed?,
        };
        let ids = listed.iter().map(|refund| refund.id.as_str());
        let begun = self.attempts.begin_refund(key, session.reference, amount.minor(), ids).await?;
        if let Begun::Again(attempt) = &begun
            && let Some(refund) = self.found(session.reference, attempt, listed).await?
        {
            return self.finish(key, refund.completed()?, amount).await;
        }
        let why = match self.ask_for_refund(session, trx_id, amount, key).await {
            Ok(id) => return self.finish(key, id, amount).await,
            Err(why) => why,
        };
        if let Begun::Again(attempt) = &begun {
            // The first attempt may be what the refusal is about.
            let listed = self.refunds(session.reference, trx_id, currency).await?;
            if let Some(refund) = self.found(session.reference, attempt, listed).await? {
                return self.finish(key, refund.completed()?, amount).await;
            }
        }
        match why {
            GatewayError::Refused { code, message } if code == DUPLICATE => {
                Err(GatewayError::Unavailable(format!("{code}: {message}")))
            }
            refused @ GatewayError::Refused { .. } => {
                self.attempts.forget(key).await?;
                Err(refused)
            }
            unclear @ GatewayError::Unavailable(_) => Err(unclear),
        }
    }

    async fn finish(&self, key: &str, id: String, amount: Money) -> GatewayResult<Fact> {
        self.attempts.finish(key, &id).await?;
        Ok(refunded(id, amount))
    }

    /// The refund that an earlier attempt has made.
    async fn found(
        &self,
        session: &str,
        attempt: &RefundAttempt,
        listed: Vec<Refund>,
    ) -> GatewayResult<Option<Refund>> {
        let others = self.attempts.refunds(session).await?;
        let taken: BTreeSet<&str> = others.iter().map(|one| one.reference.as_str()).collect();
        let is_it = |refund: &Refund| {
            refund.amount.minor() == attempt.amount
                && !attempt.knew(&refund.id)
                && !taken.contains(refund.id.as_str())
        };
        Ok(listed.into_iter().find(is_it))
    }

    async fn ask_for_refund(
        &self,
        session: SessionRef<'_>,
        trx_id: &str,
        amount: Money,
        key: &str,
    ) -> GatewayResult<String> {
        let body = json!({
            "paymentId": session.reference,
            "trxId": trx_id,
            "refundAmount": amount.plain(),
            "sku": key,
            "reason": "Refund by the shop",
        });
        let url = format!("{}{PATH}/transaction", self.base_url);
        let answer = self.call_at(&url, &body).await?;
        let id = answer.text("/refundTrxId");
        let is_completed = answer.text("/refundTransactionStatus") == "Completed";
        let is_ours = money(answer.text("/refundAmount"), amount.currency()) == Some(amount);
        match is_completed && is_ours && !id.is_empty() {
            true => Ok(id.to_owned()),
            false => Err(unexpected(&answer)),
        }
    }

    async fn refunds(
        &self,
        payment_id: &str,
        trx_id: &str,
        currency: Currency,
    ) -> GatewayResult<Vec<Refund>> {
        let url = format!("{}{PATH}/status", self.base_url);
        let body = json!({ "paymentId": payment_id, "trxId": trx_id });
        match self.call_at(&url, &body).await {
            Ok(answer) => read_refunds(&answer, currency),
            Err(GatewayError::Refused { code, .. }) if NONE.contains(&code.as_str()) => {
                Ok(Vec::new())
            }
            Err(why) => Err(why),
        }
    }

    /// Also those that were made in bKash's panel. That a payment was made does not depend on this part of the API,
    /// which is not enabled for every merchant: where it does not answer, they are in a later snapshot.
    pub(super) async fn refund_facts(
        &self,
        payment_id: &str,
        trx_id: &str,
        captured: Money,
    ) -> Vec<Fact> {
        let listed = self.refunds(payment_id, trx_id, captured.currency()).await;
        let listed = listed.unwrap_or_else(|why| {
            tracing::warn!(%why, "refunds of a bKash payment are not known");
            Vec::new()
        });
        let completed = listed.into_iter().filter(|refund| refund.is_completed);
        completed.map(|refund| refunded(refund.id, refund.amount)).collect()
    }
}

fn refunded(reference: String, amount: Money) -> Fact {
    Fact { kind: FactKind::Refunded, reference, amount, code: String::new() }
}

/// A list that cannot be read is not an empty one.
fn read_refunds(answer: &Answer, currency: Currency) -> GatewayResult<Vec<Refund>> {
    let listed = match &answer.json["refundTransactions"] {
        Value::Array(listed) => listed,
        _ => return Err(unexpected(answer)),
    };
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let read = |value: &Value| {
        let id = Some(text(value, "refundTrxId")).filter(|id| !id.is_empty())?;
        let amount = money(&text(value, "refundAmount"), currency)?;
        let is_completed = text(value, "refundTransactionStatus") == "Completed";
        Some(Refund { id, amount, is_completed })
    };
    let refunds: Option<Vec<Refund>> = listed.iter().map(read).collect();
    refunds.ok_or_else(|| unexpected(answer))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, StatusCode};

    use super::*;

    fn read(json: Value) -> GatewayResult<Vec<Refund>> {
        let answer = Answer { status: StatusCode::OK, headers: HeaderMap::new(), json };
        read_refunds(&answer, Currency::BDT)
    }

    #[test]
    fn a_list_that_cannot_be_read_is_not_an_empty_one() {
        assert_eq!(read(json!({ "refundTransactions": [] })), Ok(Vec::new()));
        let one = json!({ "refundTrxId": "R", "refundTransactionStatus": "Completed", "refundAmount": "10.5" });
        let refund =
            Refund { id: "R".into(), amount: Money::new(1_050, Currency::BDT), is_completed: true };
        assert_eq!(read(json!({ "refundTransactions": [one] })), Ok(vec![refund]));
        for broken in [
            json!({}),
            json!({ "refundTransactions": null }),
            json!({ "refundTransactions": [{ "refundTrxId": "R" }] }),
            json!({ "refundTransactions": [{ "refundAmount": "10" }] }),
            json!({ "refundTransactions": [{ "refundTrxId": "R", "refundAmount": "10.001" }] }),
        ] {
            assert!(matches!(read(broken), Err(GatewayError::Unavailable(_))));
        }
    }
}
