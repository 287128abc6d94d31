//! Form tokens: a signed timestamp which proves that a form was open for some seconds before it was
//! sent, as it is when a person fills it in. Nothing is stored. Without a token a form is accepted too,
//! for browsers without JavaScript, under a stricter rate limit.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use platform::secret::Secret;
use platform::{Clock, Timestamp};

/// No person is faster.
const MIN_AGE: Duration = Duration::from_secs(2);
const MAX_AGE: Duration = Duration::from_secs(12 * 3600);
const MAX_LEN: usize = 100;

pub fn issue(secret: &Secret, clock: &Clock) -> String {
    let Timestamp(now) = clock.now();
    format!("{now}.{}", sign(secret, now))
}

pub fn is_valid(secret: &Secret, clock: &Clock, token: &str) -> bool {
    let Some((issued_at, signature)) = token.split_once('.') else { return false };
    let Ok(issued_at) = issued_at.parse::<i64>() else { return false };
    let own = sign(secret, issued_at);
    let Timestamp(now) = clock.now();
    let age = now.saturating_sub(issued_at);
    token.len() <= MAX_LEN
        && verify_slices_are_equal(own.as_bytes(), signature.as_bytes()).is_ok()
        && (MIN_AGE.as_millis() as i64..MAX_AGE.as_millis() as i64).contains(&age)
}

fn sign(secret: &Secret, issued_at: i64) -> String {
    let key = secret.derive(&format!("form open since {issued_at}"));
    key[..20].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_between_two_seconds_and_twelve_hours_for_its_own_secret() {
        let (secret, other) =
            (Secret::new(&"a".repeat(32)).unwrap(), Secret::new(&"b".repeat(32)).unwrap());
        let clock = Clock::fixed_at(Timestamp(1_800_000_000_000));
        let token = issue(&secret, &clock);
        assert!(!is_valid(&secret, &clock, &token), "too fast for a person");
        clock.advance(MIN_AGE);
        assert!(is_valid(&secret, &clock, &token));
        assert!(!is_valid(&other, &clock, &token));
        let earlier = token.replacen("1800000000000", "1799999990000", 1);
        for wrong in ["", ".", "x", "1.2", &token[1..], &token[..token.len() - 1], &earlier] {
            assert!(!is_valid(&secret, &clock, wrong), "{wrong}");
        }
        clock.advance(MAX_AGE);
        assert!(!is_valid(&secret, &clock, &token), "too old");
    }
}
