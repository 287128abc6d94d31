//! Refunds: asked for once for each key, and then followed until the bank has made them.

use aws_lc_rs::digest::{SHA256, digest};
use platform::Money;

use super::{Sslcommerz, TRANSACTION_PATH, shortened};
use crate::attempts::Begun;
use crate::{Fact, FactKind, GatewayError, GatewayResult, SessionRef};

const MAX_ID: usize = 30;

const OTHER_UNDER_WAY: &str = "another refund of the payment is under way";

/// The answer to a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reply {
    /// The bank has been asked.
    Started {
        refund_ref_id: String,
    },
    /// A refund is under way already: ours, if we have asked before, or another one.
    UnderWay {
        refund_ref_id: String,
    },
    Failed {
        reason: String,
    },
    Unclear,
}

impl Sslcommerz {
    /// `refund_trans_id` is derived from the key, and the provider requires it to be unique. Its documentation does not
    /// say what a repetition answers. A window remains: if a call has reached the provider, its answer was lost, and
    /// the provider does not recognise the id of the repetition, the money goes back twice. There is no call that lists
    /// the refunds of a payment.
    pub(super) async fn refund_once(
        &self,
        session: SessionRef<'_>,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Fact> {
        let Some(charge) = session.charge else {
            return Err(GatewayError::refused("not_captured", "nothing was captured"));
        };
        if let Some(earlier) = self.attempts.find(key).await? {
            if earlier.amount != amount.minor() {
                return Err(GatewayError::refused("key_reused", "the key is of another amount"));
            }
            if !earlier.reference.is_empty() {
                return Ok(refunded(key, amount));
            }
        }
        let begun = self.attempts.begin_refund(key, session.payment, amount.minor(), []).await?;
        let reply = self.ask_for_refund(session.payment, charge, amount, key).await;
        match begun {
            Begun::First => self.after_first(key, amount, reply).await,
            Begun::Again(_) => self.after_repetition(session.payment, key, amount, reply).await,
        }
    }

    async fn after_first(
        &self,
        key: &str,
        amount: Money,
        reply: GatewayResult<Reply>,
    ) -> GatewayResult<Fact> {
        let why = match reply {
            Ok(Reply::Started { refund_ref_id }) => {
                return self.finish(key, amount, &refund_ref_id).await;
            }
            Ok(Reply::UnderWay { .. }) => GatewayError::Unavailable(OTHER_UNDER_WAY.to_owned()),
            Ok(Reply::Failed { reason }) => GatewayError::refused("failed", reason),
            Err(why @ GatewayError::Refused { .. }) => why,
            Ok(Reply::Unclear) => return Err(unclear()),
            Err(why) => return Err(why),
        };
        self.attempts.forget(key).await?;
        Err(why)
    }

    /// A refusal does not tell whether the first attempt was accepted: it may be the reason for the refusal.
    async fn after_repetition(
        &self,
        payment: &str,
        key: &str,
        amount: Money,
        reply: GatewayResult<Reply>,
    ) -> GatewayResult<Fact> {
        let refund_ref_id = match reply {
            Ok(Reply::Started { refund_ref_id } | Reply::UnderWay { refund_ref_id }) => {
                refund_ref_id
            }
            Ok(Reply::Failed { reason: why }) | Err(GatewayError::Refused { message: why, .. }) => {
                let why = format!("the merchant panel tells whether it was refunded: {why}");
                return Err(GatewayError::Unavailable(why));
            }
            Ok(Reply::Unclear) => return Err(unclear()),
            Err(why) => return Err(why),
        };
        let refunds = self.attempts.refunds(payment).await?;
        let is_of_other =
            |id: &str| refunds.iter().any(|one| one.key != key && one.reference == id);
        if !refund_ref_id.is_empty() && is_of_other(&refund_ref_id) {
            return Err(GatewayError::Unavailable(OTHER_UNDER_WAY.to_owned()));
        }
        self.finish(key, amount, &refund_ref_id).await
    }

    async fn finish(&self, key: &str, amount: Money, refund_ref_id: &str) -> GatewayResult<Fact> {
        let own = refund_trans_id(key);
        let reference = if refund_ref_id.is_empty() { &own } else { refund_ref_id };
        self.attempts.finish(key, reference).await?;
        Ok(refunded(key, amount))
    }

    async fn ask_for_refund(
        &self,
        payment: &str,
        charge: &str,
        amount: Money,
        key: &str,
    ) -> GatewayResult<Reply> {
        let fields = [
            ("bank_tran_id", charge),
            ("refund_trans_id", &refund_trans_id(key)),
            ("refund_amount", &amount.plain()),
            ("refund_remarks", "Refund by the shop"),
            ("refe_id", payment),
        ];
        let answer = self.ask(TRANSACTION_PATH, &fields).await?;
        let told = answer.text("/bank_tran_id");
        let is_ours = told.is_empty() || told == charge;
        let refund_ref_id = answer.text("/refund_ref_id").to_owned();
        Ok(match answer.text("/status") {
            _ if !is_ours => Reply::Unclear,
            "success" => Reply::Started { refund_ref_id },
            "processing" => Reply::UnderWay { refund_ref_id },
            "failed" => Reply::Failed { reason: shortened(answer.text("/errorReason"), 200) },
            _ => Reply::Unclear,
        })
    }

    /// The refunds of a payment that we have asked for. Those that a person has made in the provider's panel are in no
    /// answer of its API.
    pub(super) async fn refund_facts(&self, session: SessionRef<'_>) -> GatewayResult<Vec<Fact>> {
        let mut facts = Vec::new();
        for attempt in self.attempts.refunds(session.payment).await? {
            if attempt.reference.is_empty() {
                continue;
            }
            let amount = Money::new(attempt.amount, session.amount.currency());
            let fact = refunded(&attempt.key, amount);
            let has_reference = attempt.reference != refund_trans_id(&attempt.key);
            if has_reference && self.is_cancelled(&attempt.reference).await? {
                facts.push(fact.clone());
                facts.push(Fact { kind: FactKind::RefundFailed, code: "cancelled".into(), ..fact });
            } else {
                facts.push(fact);
            }
        }
        Ok(facts)
    }

    /// The bank takes days for a refund, and until then, and afterwards, it counts.
    async fn is_cancelled(&self, refund_ref_id: &str) -> GatewayResult<bool> {
        let answer = self.ask(TRANSACTION_PATH, &[("refund_ref_id", refund_ref_id)]).await?;
        Ok(answer.text("/status") == "cancelled")
    }
}

/// Its reference is our own id of the refund: the provider's is not in every answer.
fn refunded(key: &str, amount: Money) -> Fact {
    let reference = refund_trans_id(key);
    Fact { kind: FactKind::Refunded, reference, amount, code: String::new() }
}

/// The provider's limit for ids is 30 characters.
fn refund_trans_id(key: &str) -> String {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_plain && (1..=MAX_ID).contains(&key.len()) {
        return key.to_owned();
    }
    let hash = digest(&SHA256, key.as_bytes());
    hash.as_ref().iter().take(MAX_ID / 2).map(|byte| format!("{byte:02x}")).collect()
}

fn unclear() -> GatewayError {
    GatewayError::Unavailable("an unexpected answer".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_refunds_fit_and_differ() {
        let ulid = "01JD0000000000000000000000";
        assert_eq!(refund_trans_id(ulid), ulid);
        let long = refund_trans_id("refund-of-01JD0000000000000000000000-1");
        let other = refund_trans_id("refund-of-01JD0000000000000000000000-2");
        assert_eq!((long.len(), other.len()), (MAX_ID, MAX_ID));
        assert_ne!(long, other);
        assert_eq!(refund_trans_id("with a space").len(), MAX_ID);
    }
}
