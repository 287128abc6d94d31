//! The status of a payment, as `payment/status` answers it.

use platform::money::decimal;
use platform::{Currency, Money, Timestamp};

use super::LIFETIME;
use crate::api::Answer;
use crate::{GatewayError, GatewayResult};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PaymentStatus {
    transaction: String,
    /// Whether the shopper has entered the code and the PIN.
    is_verified: bool,
    trx_id: String,
    amount: Option<Money>,
    max_refundable: Option<Money>,
    created_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// For the shopper.
    Waiting,
    /// The shopper has agreed; it can be executed.
    Approved,
    Paid {
        trx_id: String,
        amount: Money,
    },
    /// It cannot be paid any more; the code says why.
    Over(String),
    /// Neither paid nor over.
    Working,
}

impl PaymentStatus {
    pub fn read(answer: &Answer, payment: &str) -> GatewayResult<Self> {
        // The names differ between versions.
        let invoice = either(answer, "/merchantInvoice", "/merchantInvoiceNumber");
        if !invoice.is_empty() && invoice != payment {
            return Err(GatewayError::refused("mismatch", "the status is of another payment"));
        }
        let verification = either(answer, "/verificationStatus", "/userVerificationStatus");
        let currency = answer.text("/currency").parse().ok();
        let amount = |pointer| money(answer.text(pointer), currency?);
        let status = Self {
            transaction: answer.text("/transactionStatus").to_owned(),
            is_verified: verification.eq_ignore_ascii_case("complete"),
            trx_id: answer.text("/trxID").to_owned(),
            amount: amount("/amount"),
            max_refundable: amount("/maxRefundableAmount"),
            created_at: parse_time(answer.text("/paymentCreateTime")),
        };
        let is_paid = status.transaction == "Completed";
        if is_paid && (status.trx_id.is_empty() || status.amount.is_none()) {
            let why = "the status: completed without trxID, amount or currency";
            return Err(GatewayError::Unavailable(why.to_owned()));
        }
        Ok(status)
    }

    /// The amount is what bKash says, exactly; the shop compares it with the payment's.
    pub fn progress(&self, now: Timestamp) -> Progress {
        let is_expired = self.created_at.is_some_and(|at| at.plus(LIFETIME) <= now);
        match (self.transaction.as_str(), self.amount) {
            ("Completed", Some(amount)) => Progress::Paid { trx_id: self.trx_id.clone(), amount },
            ("Initiated", _) if is_expired => Progress::Over("expired".to_owned()),
            ("Initiated", _) if self.is_verified => Progress::Approved,
            ("Initiated", _) => Progress::Waiting,
            // Not among the states that bKash documents, but their meaning is plain.
            ("Cancelled" | "Canceled" | "Failed" | "Declined" | "Expired", _) => {
                Progress::Over(self.transaction.to_ascii_lowercase())
            }
            _ => Progress::Working,
        }
    }

    /// Whether it says that nothing was refunded of the amount.
    pub fn is_unrefunded(&self, amount: Money) -> bool {
        self.max_refundable == Some(amount)
    }
}

fn either<'a>(answer: &'a Answer, one: &str, other: &str) -> &'a str {
    match answer.text(one) {
        "" => answer.text(other),
        found => found,
    }
}

pub(super) fn money(text: &str, currency: Currency) -> Option<Money> {
    decimal(text, currency.decimals() as usize).map(|minor| Money::new(minor, currency))
}

/// `2019-08-07T11:12:34:978 GMT+0600`.
fn parse_time(text: &str) -> Option<Timestamp> {
    let (local, zone) = text.split_once(" GMT")?;
    let (seconds, millis) = local.rsplit_once(':')?;
    let (hours, minutes) = zone.split_at_checked(3)?;
    Timestamp::parse(&format!("{seconds}.{millis}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, StatusCode};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const CREATED: &str = "2026-11-15T15:00:00:250 GMT+0600";

    fn read(json: Value) -> GatewayResult<PaymentStatus> {
        let answer = Answer { status: StatusCode::OK, headers: HeaderMap::new(), json };
        PaymentStatus::read(&answer, "P")
    }

    fn status(transaction: &str, verification: &str) -> Value {
        json!({
            "paymentID": "TR", "mode": "0011", "paymentCreateTime": CREATED, "amount": "100.50",
            "currency": "BDT", "intent": "sale", "merchantInvoice": "P", "trxID": "T",
            "transactionStatus": transaction, "verificationStatus": verification,
            "maxRefundableAmount": "100.50",
        })
    }

    fn progress(json: Value, after: i64) -> Progress {
        let now = Timestamp(Timestamp::parse("2026-11-15T09:00:00.250Z").unwrap().0 + after);
        read(json).unwrap().progress(now)
    }

    #[test]
    fn the_progress_follows_from_status_and_verification() {
        assert_eq!(progress(status("Initiated", "Incomplete"), 0), Progress::Waiting);
        assert_eq!(progress(status("Initiated", ""), 0), Progress::Waiting);
        assert_eq!(progress(status("Initiated", "Complete"), 0), Progress::Approved);
        let mut other_name = status("Initiated", "");
        other_name["userVerificationStatus"] = json!("Complete");
        assert_eq!(progress(other_name, 0), Progress::Approved);
        let amount = Money::new(10_050, Currency::BDT);
        let paid = Progress::Paid { trx_id: "T".into(), amount };
        assert_eq!(progress(status("Completed", "Complete"), 0), paid);
        assert_eq!(progress(status("Failed", ""), 0), Progress::Over("failed".into()));
        assert_eq!(progress(status("Cancelled", ""), 0), Progress::Over("cancelled".into()));
        assert_eq!(progress(status("Authorized", "Complete"), 0), Progress::Working);
        assert_eq!(progress(status("", "Complete"), 0), Progress::Working);
    }

    #[test]
    fn after_a_day_it_is_over_unless_it_is_paid() {
        const DAY: i64 = 24 * 3600 * 1000;
        let over = Progress::Over("expired".into());
        for verification in ["Incomplete", "Complete"] {
            assert_ne!(progress(status("Initiated", verification), DAY - 1), over);
            assert_eq!(progress(status("Initiated", verification), DAY), over);
        }
        assert!(matches!(progress(status("Completed", ""), 2 * DAY), Progress::Paid { .. }));
        // Without a time it is never over by itself.
        let mut timeless = status("Initiated", "Complete");
        timeless["paymentCreateTime"] = json!("yesterday");
        assert_eq!(progress(timeless, 2 * DAY), Progress::Approved);
    }

    #[test]
    fn the_status_of_another_payment_is_refused() {
        for name in ["merchantInvoice", "merchantInvoiceNumber"] {
            let mut other = json!({ "transactionStatus": "Completed", "trxID": "T" });
            other[name] = json!("Q");
            let why = read(other).unwrap_err();
            assert!(matches!(why, GatewayError::Refused { code, .. } if code == "mismatch"));
        }
    }

    #[test]
    fn a_completed_payment_must_say_what_was_paid() {
        for name in ["trxID", "amount", "currency"] {
            let mut lacking = status("Completed", "Complete");
            lacking[name] = json!("");
            assert!(matches!(read(lacking), Err(GatewayError::Unavailable(_))), "{name}");
        }
        let mut fractions = status("Completed", "Complete");
        fractions["amount"] = json!("100.505");
        assert!(read(fractions).is_err());
    }

    #[test]
    fn a_refund_shows_in_what_can_be_refunded() {
        let amount = Money::new(10_050, Currency::BDT);
        let mut json = status("Completed", "Complete");
        assert!(read(json.clone()).unwrap().is_unrefunded(amount));
        json["maxRefundableAmount"] = json!("100.49");
        assert!(!read(json.clone()).unwrap().is_unrefunded(amount));
        json["maxRefundableAmount"] = Value::Null;
        assert!(!read(json).unwrap().is_unrefunded(amount));
    }

    proptest! {
        #[test]
        fn amounts_are_read_as_they_are_written(minor in 0_i64..100_000_000_000) {
            let amount = Money::new(minor, Currency::BDT);
            prop_assert_eq!(money(&amount.plain(), Currency::BDT), Some(amount));
        }

        #[test]
        fn times_are_read_or_not_there(text in "\\PC{0,40}") {
            let _ = parse_time(&text);
        }
    }

    #[test]
    fn times_have_a_colon_before_the_milliseconds() {
        assert_eq!(parse_time(CREATED), Timestamp::parse("2026-11-15T09:00:00.250Z"));
        for text in ["", " GMT", ": GMT+", "2026-11-15T15:00:00:250", "2026-11-15 GMT+0600"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
