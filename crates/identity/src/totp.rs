//! TOTP: one-time passwords of authenticator apps (RFC 6238). Without I/O: callers store the key and the
//! last used step.

use std::fmt;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY};
use platform::text::ascii_digits;
use platform::{Random, Timestamp};

pub const DIGITS: usize = 6;
pub const PERIOD_SECONDS: i64 = 30;
/// Tolerated clock difference, in steps.
const DRIFT_STEPS: i64 = 1;

const KEY_LENGTH: usize = 20;
/// RFC 4648, which all authenticator apps support.
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The shared secret. As long as a SHA-1 digest, which RFC 4226 recommends.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpKey([u8; KEY_LENGTH]);

impl TotpKey {
    pub fn generate(random: &Random) -> Self {
        Self(random.bytes())
    }

    /// Base32 without padding, 32 characters.
    pub fn to_base32(&self) -> String {
        // 20 bytes are four groups of five bytes, each exactly eight characters.
        self.0
            .chunks(5)
            .flat_map(|group| {
                let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
                (0..8)
                    .rev()
                    .map(move |place| char::from(ALPHABET[(bits >> (5 * place)) as usize % 32]))
            })
            .collect()
    }

    /// In upper or lower case; `None` if it is invalid.
    pub fn from_base32(text: &str) -> Option<Self> {
        let mut key = [0; KEY_LENGTH];
        if text.len() != KEY_LENGTH / 5 * 8 {
            return None;
        }
        for (chars, bytes) in text.as_bytes().chunks(8).zip(key.chunks_mut(5)) {
            let mut bits = 0u64;
            for c in chars {
                let c = c.to_ascii_uppercase();
                let value = ALPHABET.iter().position(|known| *known == c)?;
                bits = bits << 5 | value as u64;
            }
            bytes.copy_from_slice(&bits.to_be_bytes()[3..]);
        }
        Some(Self(key))
    }

    /// The code of a step (RFC 4226, section 5.3).
    fn code(&self, step: i64) -> String {
        let key = hmac::Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let tag = tag.as_ref();
        let from = usize::from(tag[tag.len() - 1] & 0xf);
        let bits = tag[from..from + 4].iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let number = (bits & 0x7fff_ffff) % 10u32.pow(DIGITS as u32);
        format!("{number:0DIGITS$}")
    }
}

/// Never shows the key, so that it cannot get into a log.
impl fmt::Debug for TotpKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpKey(…)")
    }
}

/// The time step of a code: the current one, the previous or the next. A step up to the last used one is
/// rejected, so that an observed code cannot be used again.
pub fn matching_step(key: &TotpKey, code: &str, now: Timestamp, last: Option<i64>) -> Option<i64> {
    let code = ascii_digits(code);
    let step = now.0.div_euclid(PERIOD_SECONDS * 1000);
    let mut found = None;
    // All steps are compared, so that the time does not reveal which one matched. If two have the same
    // code, the later one is used.
    for step in step.saturating_sub(DRIFT_STEPS)..=step.saturating_add(DRIFT_STEPS) {
        let is_equal = verify_slices_are_equal(key.code(step).as_bytes(), code.as_bytes()).is_ok();
        if is_equal && last.is_none_or(|last| step > last) {
            found = Some(step);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The key of RFC 6238, appendix B.
    fn rfc() -> TotpKey {
        TotpKey(*b"12345678901234567890")
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp(seconds * 1000)
    }

    #[test]
    fn codes_match_the_rfc() {
        // The RFC shows eight digits, of which ours are the last six.
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(matching_step(&rfc(), &code[2..], at(seconds), None), Some(seconds / 30));
        }
        // RFC 4226, appendix D: the codes of the first ten steps.
        for (step, code) in [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583",
            "399871", "520489",
        ]
        .iter()
        .enumerate()
        {
            assert_eq!(rfc().code(step as i64), *code);
        }
    }

    #[test]
    fn code_is_accepted_one_step_early_or_late() {
        let code = rfc().code(1000);
        for (step, good) in [(998, false), (999, true), (1000, true), (1001, true), (1002, false)] {
            for second in [0, 29] {
                let found = matching_step(&rfc(), &code, at(step * 30 + second), None);
                assert_eq!(found, good.then_some(1000), "step {step}");
            }
        }
    }

    #[test]
    fn used_and_earlier_steps_are_rejected() {
        let now = at(1000 * 30);
        let used = matching_step(&rfc(), &rfc().code(1000), now, None);
        assert_eq!(used, Some(1000));
        assert_eq!(matching_step(&rfc(), &rfc().code(1000), now, used), None);
        assert_eq!(matching_step(&rfc(), &rfc().code(999), now, used), None);
        assert_eq!(matching_step(&rfc(), &rfc().code(1001), now, used), Some(1001));
    }

    #[test]
    fn only_six_ascii_digits_are_accepted() {
        let code = rfc().code(1000);
        let wide: String =
            code.chars().map(|digit| char::from_u32(digit as u32 + 0xfee0).unwrap()).collect();
        for wrong in [
            "",
            &code[1..],
            &format!("{code}0"),
            &format!(" {code}"),
            &format!("+{}", &code[1..]),
            &wide,
        ] {
            assert_eq!(matching_step(&rfc(), wrong, at(1000 * 30), None), None, "{wrong:?}");
        }
    }

    #[test]
    fn key_is_encoded_as_base32() {
        assert_eq!(rfc().to_base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(TotpKey::from_base32("gezdgnbvgy3tqojqGEZDGNBVGY3TQOJQ"), Some(rfc()));
        for wrong in [
            "",
            "GEZDGNBV",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ========",
        ] {
            assert_eq!(TotpKey::from_base32(wrong), None, "{wrong:?}");
        }
        assert_eq!(format!("{:?}", rfc()), "TotpKey(…)");
        assert_ne!(TotpKey::generate(&Random::seeded(1)), TotpKey::generate(&Random::seeded(2)));
    }

    proptest! {
        #[test]
        fn base32_round_trips(bytes: [u8; KEY_LENGTH]) {
            let text = TotpKey(bytes).to_base32();
            prop_assert_eq!(text.len(), 32);
            prop_assert_eq!(TotpKey::from_base32(&text), Some(TotpKey(bytes)));
        }

        #[test]
        fn every_code_matches_once_in_its_step(bytes: [u8; KEY_LENGTH], seconds in 0..10_000_000_000i64) {
            let (key, now) = (TotpKey(bytes), at(seconds));
            let code = key.code(seconds / 30);
            prop_assert_eq!(code.len(), DIGITS);
            let used = matching_step(&key, &code, now, None);
            prop_assert!(used.is_some());
            prop_assert_eq!(matching_step(&key, &code, now, used), None);
        }

        #[test]
        fn arbitrary_input_never_panics(text: String, now: i64, last: Option<i64>) {
            let _ = TotpKey::from_base32(&text);
            let found = matching_step(&rfc(), &text, Timestamp(now), last);
            prop_assert!(found.is_none() || text.len() == DIGITS);
        }
    }
}
