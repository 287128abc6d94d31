//! The list of charges, by PayPal's Transaction Search, which an app may use if the feature is on.

use std::collections::BTreeMap;
use std::time::Duration;

use platform::{Money, Timestamp};
use serde_json::Value;

use super::amount;
use super::api::{Api, Call};
use crate::{GatewayError, GatewayResult, ListedCharge};

const SCOPE: &str = "/services/reporting/search/read";
/// The longest period of a search.
const WINDOW: Duration = Duration::from_secs(31 * 24 * 3600);
const PAGE_SIZE: u32 = 500;
/// PayPal Checkout.
const PAYMENT: &str = "T0006";
/// A reversal by PayPal, a refund by the merchant, and a chargeback.
const PAID_BACK: [&str; 3] = ["T1106", "T1107", "T1201"];
/// Our ids of payments, so that other uses of the same account are not taken for the shop's charges.
const ID_LENGTH: usize = 26;

pub async fn list(
    api: &Api,
    from: Timestamp,
    to: Timestamp,
    now: Timestamp,
) -> GatewayResult<Option<Vec<ListedCharge>>> {
    if !api.may(SCOPE).await? {
        return Ok(None);
    }
    let mut listing = Listing::default();
    // Refunds of the charges may be later than the period.
    let (mut start, end) = (from, to.max(now));
    while start < end {
        let window_end = end.min(start.plus(WINDOW));
        search(api, start, window_end, &mut listing).await?;
        start = window_end;
    }
    // Transactions appear up to three hours late.
    if listing.refreshed_at.is_some_and(|at| at < to.min(now)) {
        return Err(GatewayError::Unavailable("PayPal's list is not complete yet".to_owned()));
    }
    Ok(Some(listing.charges(from, to)))
}

async fn search(
    api: &Api,
    start: Timestamp,
    end: Timestamp,
    listing: &mut Listing,
) -> GatewayResult<()> {
    let mut page = 1;
    loop {
        let path = format!(
            "/v1/reporting/transactions?start_date={start}&end_date={end}&fields=transaction_info\
             &page_size={PAGE_SIZE}&page={page}"
        );
        let found = api.json(&Call::get(&path)).await?;
        for transaction in found["transaction_details"].as_array().into_iter().flatten() {
            listing.add(&transaction["transaction_info"])?;
        }
        let refreshed = found["last_refreshed_datetime"].as_str().and_then(Timestamp::parse);
        listing.refreshed_at = refreshed.or(listing.refreshed_at);
        if page >= found["total_pages"].as_u64().unwrap_or(1) {
            return Ok(());
        }
        page += 1;
    }
}

#[derive(Default)]
struct Listing {
    /// By PayPal's id, because windows overlap in one instant.
    payments: BTreeMap<String, (Timestamp, String, Money)>,
    /// By PayPal's id: the payment that was paid back, and how much of it.
    paid_back: BTreeMap<String, (String, Money)>,
    refreshed_at: Option<Timestamp>,
}

impl Listing {
    fn add(&mut self, info: &Value) -> GatewayResult<()> {
        let text = |name: &str| info[name].as_str().unwrap_or_default();
        let succeeded = matches!(text("transaction_status"), "S" | "V");
        let id = text("transaction_id").to_owned();
        let code = text("transaction_event_code");
        if !succeeded || id.is_empty() {
            return Ok(());
        }
        let amount = amount::from_json(&info["transaction_amount"]);
        let unusual =
            || GatewayError::Unavailable("an unexpected transaction in the list".to_owned());
        if code == PAYMENT && text("custom_field").len() == ID_LENGTH {
            let at = Timestamp::parse(text("transaction_initiation_date")).ok_or_else(unusual)?;
            let payment = (at, text("custom_field").to_owned(), amount.ok_or_else(unusual)?);
            self.payments.insert(id, payment);
        } else if PAID_BACK.contains(&code) {
            let of = text("paypal_reference_id").to_owned();
            self.paid_back.insert(id, (of, -amount.ok_or_else(unusual)?));
        }
        Ok(())
    }

    fn charges(self, from: Timestamp, to: Timestamp) -> Vec<ListedCharge> {
        let mut charges = Vec::new();
        for (id, (at, payment, captured)) in self.payments {
            if at < from || at >= to || !captured.is_positive() {
                continue;
            }
            let of_it = self
                .paid_back
                .values()
                .filter(|(of, amount)| *of == id && amount.currency() == captured.currency());
            let refunded = Money::sum(of_it.map(|(_, amount)| *amount), captured.currency());
            charges.push(ListedCharge {
                reference: id,
                payment: Some(payment),
                captured,
                refunded,
            });
        }
        charges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn payments_of_the_period_are_listed_with_their_refunds() {
        let mut listing = Listing::default();
        let custom = "01kabcdefghjkmnpqrstvwxyz0";
        let info = |id: &str, code: &str, status: &str, value: &str, custom: &str, of: &str| {
            json!({
                "transaction_id": id, "transaction_event_code": code, "transaction_status": status,
                "transaction_initiation_date": "2026-11-10T04:03:52+0000", "custom_field": custom,
                "paypal_reference_id": of, "transaction_amount": { "currency_code": "USD", "value": value },
            })
        };
        for info in [
            info("A", "T0006", "S", "100.00", custom, ""),
            info("A", "T0006", "S", "100.00", custom, ""),
            info("B", "T0006", "V", "50.00", custom, ""),
            info("C", "T0006", "P", "50.00", custom, ""),
            info("D", "T0006", "S", "50.00", "another shop", ""),
            info("E", "T1107", "S", "-20.00", "", "A"),
            info("F", "T1106", "S", "-5.00", "", "A"),
            info("G", "T1107", "S", "-50.00", "", "B"),
            info("H", "T1107", "D", "-50.00", "", "B"),
            info("I", "T0400", "S", "-500.00", "", ""),
        ] {
            listing.add(&info).unwrap();
        }
        let day = |day: &str| Timestamp::parse(&format!("2026-11-{day}T00:00:00Z")).unwrap();
        let charges = listing.charges(day("10"), day("11"));
        let rows: Vec<_> = charges
            .iter()
            .map(|charge| {
                (charge.reference.as_str(), charge.captured.minor(), charge.refunded.minor())
            })
            .collect();
        assert_eq!(rows, [("A", 10_000, 2_500), ("B", 5_000, 5_000)]);
    }
}
