//! Limits on text messages that anybody may request: each costs money, and goes to a telephone that may be
//! a stranger's.

use platform::http::ClientIp;
use platform::rate_limit::{self, Limit};
use platform::{Clock, Db, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};

/// To one number.
pub const PER_NUMBER: Limit = Limit::per_hour(10);
/// For the whole shop.
pub const TOTAL: Limit = Limit::per_hour(400);
/// To one country, unless the settings list it.
const PER_COUNTRY: Limit = Limit::per_hour(100);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SmsLimits {
    /// So many codes one network may request.
    per_hour: u32,
    /// Calling codes; all countries where there are none.
    countries: Vec<String>,
}

impl SmsLimits {
    pub fn new(per_hour: u32, countries: Vec<String>) -> Self {
        Self { per_hour, countries }
    }

    /// Whether text messages are sent to the country of this number.
    pub fn has_country(&self, number: &str) -> bool {
        self.countries.is_empty() || self.lists(number)
    }

    /// Whether the settings name the country of this number.
    pub fn lists(&self, number: &str) -> bool {
        self.countries.iter().any(|prefix| number.starts_with(prefix))
    }

    /// Counts a code to a number in the form +8801700000000, and returns whether it may be sent. The narrow limits come
    /// first, so that what they reject does not use up the shared ones.
    pub async fn allow_code(
        &self,
        (db, clock): (&Db, &Clock),
        number: &str,
        peer: Option<ClientIp>,
    ) -> Result<bool> {
        let per_network = Limit::per_hour(self.per_hour);
        let network = peer.map(|peer| (format!("texts from {}", peer.network()), per_network));
        let narrow = network.into_iter().chain([(format!("texts to {number}"), PER_NUMBER)]);
        let keys: Vec<_> = narrow.chain(shared_keys(number, self.lists(number))).collect();
        Ok(self.has_country(number) && rate_limit::allows(db, clock, &keys).await?)
    }

    /// The same for a notice of an order. Notices have limits of their own, so that codes can be sent however many orders
    /// there are.
    pub async fn allow_notice(&self, tx: &mut Tx, now: Timestamp, number: &str) -> Result<bool> {
        if !self.has_country(number) {
            return Ok(false);
        }
        let to_number = (format!("order texts to {number}"), PER_NUMBER);
        let shared = shared_keys(number, self.lists(number))
            .map(|(key, limit)| (format!("order {key}"), limit));
        for (key, limit) in [to_number].into_iter().chain(shared) {
            if !rate_limit::count(tx, now, &key, limit).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The limits that a number shares with others: those of its country, unless it is listed, and of the shop.
pub fn shared_keys(number: &str, is_listed: bool) -> impl Iterator<Item = (String, Limit)> {
    let country = || (format!("texts to country {}", calling_code(number)), PER_COUNTRY);
    (!is_listed).then(country).into_iter().chain([("texts of all".into(), TOTAL)])
}

/// The calling code of a phone number: `+` and one to three digits.
fn calling_code(number: &str) -> &str {
    const TWO_DIGITS: &str = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 \
                              62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
    let length = match number.get(1..3) {
        Some(code) if code.starts_with(['1', '7']) => 2,
        Some(code) if TWO_DIGITS.split(' ').any(|known| known == code) => 3,
        _ => 4,
    };
    number.get(..length).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calling_codes_are_recognized() {
        for (number, code) in [
            ("+15550100199", "+1"),
            ("+79991234567", "+7"),
            ("+447700900123", "+44"),
            ("+8801711223344", "+880"),
            ("+3531234567", "+353"),
            ("+9601234567", "+960"),
        ] {
            assert_eq!(calling_code(number), code);
        }
    }
}
