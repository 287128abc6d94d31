//! What has happened to a payment, by the provider's list of attempts and its validation of those that were paid. What
//! a browser or an IPN says about amounts is never read.

use platform::money::decimal;
use platform::{Currency, Money};
use serde_json::Value;

use super::{Sslcommerz, TRANSACTION_PATH, VALIDATION_PATH};
use crate::{Fact, FactKind, GatewayError, GatewayResult, SessionRef, SessionStatus, Snapshot};

/// The code of a captured amount that the provider considers risky: the money is taken, and whether the goods are sent
/// is for the shop to decide.
const RISK: &str = "risk";

/// An attempt to pay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Attempt {
    status: String,
    tran_id: String,
    val_id: String,
    bank_tran_id: String,
    /// `2020-12-28 18:14:09`.
    date: String,
}

/// A text or number of an answer, in which numbers come as either.
fn field(value: &Value, name: &str) -> String {
    match &value[name] {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

impl Attempt {
    fn read(value: &Value) -> Self {
        Self {
            status: field(value, "status"),
            tran_id: field(value, "tran_id"),
            val_id: field(value, "val_id"),
            bank_tran_id: field(value, "bank_tran_id"),
            date: field(value, "tran_date"),
        }
    }

    fn progress(&self) -> Progress {
        match self.status.as_str() {
            "VALID" | "VALIDATED" => Progress::Paid,
            "FAILED" | "CANCELLED" | "EXPIRED" | "UNATTEMPTED" => Progress::Failed,
            // There is no such transaction: the answer to a payment that nobody has tried yet.
            "INVALID" | "INVALID_TRANSACTION" | "" => Progress::None,
            // PENDING, and what is not known: it is neither paid nor over.
            _ => Progress::Pending,
        }
    }

    fn failure(&self, session: SessionRef<'_>) -> Fact {
        let ids = [&self.bank_tran_id, &self.val_id].into_iter().find(|id| !id.is_empty());
        let reference = match ids {
            Some(id) => id.clone(),
            None => format!("{} {}", session.payment, self.date).trim().to_owned(),
        };
        let code = self.status.to_ascii_lowercase();
        Fact { kind: FactKind::Failed, reference, amount: session.amount, code }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    None,
    Pending,
    Paid,
    Failed,
}

/// The attempts with this `tran_id`, the oldest first.
fn attempts(answer: &Value, tran_id: &str) -> Vec<Attempt> {
    let found = match &answer["element"] {
        Value::Array(many) => many.iter().map(Attempt::read).collect(),
        one @ Value::Object(_) => vec![Attempt::read(one)],
        _ => Vec::new(),
    };
    let mut found: Vec<Attempt> = found.into_iter().filter(|one| one.tran_id == tran_id).collect();
    // The format sorts as text.
    found.sort_by(|one, other| one.date.cmp(&other.date));
    found
}

fn session_status(attempts: &[Attempt]) -> SessionStatus {
    let any = |progress| attempts.iter().any(|one| one.progress() == progress);
    match () {
        () if any(Progress::Paid) => SessionStatus::Closed,
        // The shopper is still on the page of the bank.
        () if any(Progress::Pending) => SessionStatus::Open,
        () if any(Progress::Failed) => SessionStatus::Closed,
        () => SessionStatus::Open,
    }
}

impl Sslcommerz {
    pub(super) async fn snapshot(&self, session: SessionRef<'_>) -> GatewayResult<Snapshot> {
        let answer = self.ask(TRANSACTION_PATH, &[("tran_id", session.payment)]).await?;
        let attempts = attempts(&answer.json, session.payment);
        let mut facts = Vec::new();
        for attempt in &attempts {
            match attempt.progress() {
                Progress::Paid => facts.push(self.validate(session, attempt).await?),
                Progress::Failed => facts.push(attempt.failure(session)),
                Progress::None | Progress::Pending => {}
            }
        }
        Ok(Snapshot { status: session_status(&attempts), facts })
    }

    async fn validate(&self, session: SessionRef<'_>, attempt: &Attempt) -> GatewayResult<Fact> {
        let answer = self.ask(VALIDATION_PATH, &[("val_id", &attempt.val_id)]).await?;
        captured(&answer.json, session.payment, &attempt.val_id)
    }
}

/// What was captured, by the answer to the validation. An amount or currency other than the payment's is answered as it
/// is, for the shop to compare: nothing is rounded, and nothing taken from the request.
fn captured(answer: &Value, payment: &str, val_id: &str) -> GatewayResult<Fact> {
    let unclear = |what: &str| GatewayError::Unavailable(format!("the validation: {what}"));
    let validated = Attempt::read(answer);
    if validated.progress() != Progress::Paid {
        return Err(unclear("it does not confirm what the list says"));
    }
    if validated.tran_id != payment || validated.val_id != val_id {
        return Err(GatewayError::refused("mismatch", "the validation is of another payment"));
    }
    if validated.bank_tran_id.is_empty() {
        return Err(unclear("no bank_tran_id"));
    }
    let amount = amount(answer).ok_or_else(|| unclear("no amount"))?;
    let code = if field(answer, "risk_level") == "1" { RISK } else { "" };
    Ok(Fact {
        kind: FactKind::Captured,
        reference: validated.bank_tran_id,
        amount,
        code: code.to_owned(),
    })
}

/// `currency_amount` is what the session was opened for, and `amount` the same in taka. Where both are in taka, the
/// lesser one counts, so that a discount of the provider does not pass for the whole.
fn amount(answer: &Value) -> Option<Money> {
    let currency: Currency = field(answer, "currency_type").parse().ok()?;
    let read = |name| {
        let minor = decimal(&field(answer, name), currency.decimals() as usize)?;
        Some(Money::new(minor, currency))
    };
    let agreed = read("currency_amount")?;
    match currency {
        Currency::BDT => Some(agreed.min(read("amount")?)),
        _ => Some(agreed),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const SESSION: SessionRef<'_> = SessionRef {
        payment: "P",
        reference: "P",
        amount: Money::new(10_000, Currency::BDT),
        charge: None,
    };

    fn valid(amount: &str, currency_amount: &str) -> Value {
        json!({
            "status": "VALID", "tran_id": "P", "val_id": "V", "amount": amount, "currency": "BDT",
            "currency_type": "BDT", "currency_amount": currency_amount, "bank_tran_id": "B",
            "risk_level": "0", "APIConnect": "DONE",
        })
    }

    #[test]
    fn the_amount_is_the_validations_and_exact() {
        let amount = |answer: Value| captured(&answer, "P", "V").unwrap().amount;
        assert_eq!(amount(valid("100.00", "100.00")), SESSION.amount);
        assert_eq!(amount(valid("100", "100.0")), SESSION.amount);
        // Differences below one taka count.
        assert_eq!(amount(valid("99.99", "100.00")).minor(), 9_999);
        assert_eq!(amount(valid("100.00", "99.50")).minor(), 9_950);
        let mut numbers = valid("", "");
        numbers["amount"] = json!(100);
        numbers["currency_amount"] = json!(100.0);
        assert_eq!(amount(numbers), SESSION.amount);
        let mut dollars = valid("12000.00", "100.00");
        dollars["currency_type"] = json!("USD");
        assert_eq!(amount(dollars), Money::new(10_000, Currency::USD));
        for wrong in [
            valid("", "100.00"),
            valid("100.00", ""),
            valid("100.001", "100.00"),
            valid("-1", "-1"),
        ] {
            assert!(matches!(captured(&wrong, "P", "V"), Err(GatewayError::Unavailable(_))));
        }
    }

    proptest! {
        #[test]
        fn amounts_are_read_as_they_are_written(minor in 0_i64..100_000_000_000) {
            let text = Money::new(minor, Currency::BDT).plain();
            let fact = captured(&valid(&text, &text), "P", "V").unwrap();
            prop_assert_eq!(fact.amount.minor(), minor);
        }

        #[test]
        fn other_texts_are_no_amounts(text in "\\PC{0,12}") {
            if let Ok(fact) = captured(&valid(&text, &text), "P", "V") {
                prop_assert!(text.trim().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
                prop_assert!(!fact.amount.is_negative());
            }
        }
    }

    #[test]
    fn a_validation_of_another_payment_is_refused() {
        for (payment, val_id) in [("Q", "V"), ("P", "W")] {
            let why = captured(&valid("100.00", "100.00"), payment, val_id).unwrap_err();
            assert!(matches!(why, GatewayError::Refused { code, .. } if code == "mismatch"));
        }
        let mut invalid = valid("100.00", "100.00");
        invalid["status"] = json!("INVALID_TRANSACTION");
        assert!(captured(&invalid, "P", "V").is_err());
        let mut without_id = valid("100.00", "100.00");
        without_id["bank_tran_id"] = Value::Null;
        assert!(captured(&without_id, "P", "V").is_err());
    }

    #[test]
    fn risk_is_told() {
        let mut risky = valid("100.00", "100.00");
        for level in [json!("1"), json!(1)] {
            risky["risk_level"] = level;
            assert_eq!(captured(&risky, "P", "V").unwrap().code, "risk");
        }
        assert_eq!(captured(&valid("100.00", "100.00"), "P", "V").unwrap().code, "");
    }

    #[test]
    fn the_status_follows_from_all_attempts() {
        let attempt = |status: &str, date: &str| json!({ "tran_id": "P", "status": status, "tran_date": date });
        let status = |elements: Value| {
            session_status(&attempts(&json!({ "no_of_trans_found": 1, "element": elements }), "P"))
        };
        assert_eq!(status(json!([])), SessionStatus::Open);
        assert_eq!(status(json!([attempt("INVALID", "")])), SessionStatus::Open);
        assert_eq!(status(attempt("PENDING", "1")), SessionStatus::Open);
        assert_eq!(status(json!([attempt("SOMETHING_NEW", "1")])), SessionStatus::Open);
        for over in ["FAILED", "CANCELLED", "EXPIRED", "UNATTEMPTED", "VALID", "VALIDATED"] {
            assert_eq!(status(json!([attempt(over, "1")])), SessionStatus::Closed, "{over}");
        }
        assert_eq!(
            status(json!([attempt("FAILED", "1"), attempt("PENDING", "2")])),
            SessionStatus::Open
        );
        let others = json!([{ "tran_id": "Q", "status": "VALID" }]);
        assert_eq!(status(others), SessionStatus::Open);
    }

    #[test]
    fn attempts_are_in_their_order_and_failures_have_own_references() {
        let answer = json!({ "element": [
            { "tran_id": "P", "status": "CANCELLED", "tran_date": "2026-01-01 10:00:02", "bank_tran_id": "" },
            { "tran_id": "P", "status": "FAILED", "tran_date": "2026-01-01 10:00:01", "bank_tran_id": "B" },
        ] });
        let found = attempts(&answer, "P");
        let facts: Vec<Fact> = found.iter().map(|one| one.failure(SESSION)).collect();
        let told: Vec<_> =
            facts.iter().map(|one| (one.code.as_str(), one.reference.as_str())).collect();
        assert_eq!(told, [("failed", "B"), ("cancelled", "P 2026-01-01 10:00:02")]);
    }
}
