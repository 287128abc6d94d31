//! A pass shows that a form was open for a moment before it was sent, as it is when a person fills it in.
//! It is a moment that only this shop can have sealed, so nothing is kept. Without one a form is taken
//! too, from a browser without JavaScript say, but less often (`allowance`).

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base::secret::Secret;
use base::{Clock, Timestamp};

/// Nobody has typed anything before.
const RIPE_AFTER: Duration = Duration::from_secs(2);
const LIVES: Duration = Duration::from_secs(12 * 3600);
pub const LONGEST: usize = 100;

pub fn issue(secret: &Secret, clock: &Clock) -> String {
    let Timestamp(now) = clock.now();
    format!("{now}.{}", seal(secret, now))
}

pub fn is_good(secret: &Secret, clock: &Clock, pass: &str) -> bool {
    let Some((moment, sealed)) = pass.split_once('.') else { return false };
    let Ok(moment) = moment.parse::<i64>() else { return false };
    let own = seal(secret, moment);
    let Timestamp(now) = clock.now();
    let age = now.saturating_sub(moment);
    pass.len() <= LONGEST
        && verify_slices_are_equal(own.as_bytes(), sealed.as_bytes()).is_ok()
        && (RIPE_AFTER.as_millis() as i64..LIVES.as_millis() as i64).contains(&age)
}

fn seal(secret: &Secret, moment: i64) -> String {
    let key = secret.derive(&format!("form open since {moment}"));
    key[..20].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_good_for_a_while_after_a_moment_and_only_where_it_is_ours() {
        let (secret, other) =
            (Secret::new(&"a".repeat(32)).unwrap(), Secret::new(&"b".repeat(32)).unwrap());
        let clock = Clock::standing_at(Timestamp(1_800_000_000_000));
        let pass = issue(&secret, &clock);
        assert!(!is_good(&secret, &clock, &pass), "too fast for a person");
        clock.advance(RIPE_AFTER);
        assert!(is_good(&secret, &clock, &pass));
        assert!(!is_good(&other, &clock, &pass));
        let earlier = pass.replacen("1800000000000", "1799999990000", 1);
        for wrong in ["", ".", "x", "1.2", &pass[1..], &pass[..pass.len() - 1], &earlier] {
            assert!(!is_good(&secret, &clock, wrong), "{wrong}");
        }
        clock.advance(LIVES);
        assert!(!is_good(&secret, &clock, &pass), "too old");
    }
}
