//! One-time passwords from an authenticator app (RFC 6238): the key that the shop and the app share,
//! and whether a code is the one of the moment. Pure: who asks keeps the key and the last used step.

use std::fmt;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY};
use base::{Random, Timestamp};

pub const DIGITS: usize = 6;
pub const PERIOD_SECONDS: i64 = 30;
/// Steps that a phone's clock may be early or late.
const DRIFT: i64 = 1;

const KEY_LENGTH: usize = 20;
/// RFC 4648's alphabet: what every authenticator app reads.
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// What the shop and the app share. As long as SHA-1's output, which RFC 4226 advises.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; KEY_LENGTH]);

pub fn new_key(random: &Random) -> Key {
    Key(random.bytes())
}

impl Key {
    /// Base32 without padding: 32 letters and digits.
    pub fn to_text(&self) -> String {
        // 20 bytes are four groups of five, and a group is eight letters with no bit left over.
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

    /// The other way, in either case; `None` for what is not a key's text.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut key = [0; KEY_LENGTH];
        if text.len() != KEY_LENGTH / 5 * 8 {
            return None;
        }
        for (letters, bytes) in text.as_bytes().chunks(8).zip(key.chunks_mut(5)) {
            let mut bits = 0u64;
            for letter in letters {
                let letter = letter.to_ascii_uppercase();
                let value = ALPHABET.iter().position(|known| *known == letter)?;
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

/// A key is never shown, in a log least of all.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The step whose code this is: that of the moment, the one before or the one after. A step at or
/// before the last one used is gone for good, so that a code which was looked over a shoulder, or an
/// older one, opens nothing.
pub fn matches(key: &Key, code: &str, now: Timestamp, last_used: Option<i64>) -> Option<i64> {
    let step = now.0.div_euclid(PERIOD_SECONDS * 1000);
    let mut found = None;
    // Every step is tried, so that the time taken does not tell which one it was; of two with the same
    // code the later is used up.
    for step in step.saturating_sub(DRIFT)..=step.saturating_add(DRIFT) {
        let right = verify_slices_are_equal(key.code(step).as_bytes(), code.as_bytes()).is_ok();
        if right && last_used.is_none_or(|last| step > last) {
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
    fn rfc() -> Key {
        Key(*b"12345678901234567890")
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp(seconds * 1000)
    }

    #[test]
    fn the_codes_of_the_rfc() {
        // The appendix shows eight digits; six are the last six of them.
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(matches(&rfc(), &code[2..], at(seconds), None), Some(seconds / 30));
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
    fn a_code_is_good_for_one_step_before_and_after() {
        let code = rfc().code(1000);
        for (step, good) in [(998, false), (999, true), (1000, true), (1001, true), (1002, false)] {
            for second in [0, 29] {
                let found = matches(&rfc(), &code, at(step * 30 + second), None);
                assert_eq!(found, good.then_some(1000), "step {step}");
            }
        }
    }

    #[test]
    fn a_used_step_and_those_before_it_are_gone() {
        let now = at(1000 * 30);
        let used = matches(&rfc(), &rfc().code(1000), now, None);
        assert_eq!(used, Some(1000));
        assert_eq!(matches(&rfc(), &rfc().code(1000), now, used), None);
        assert_eq!(matches(&rfc(), &rfc().code(999), now, used), None);
        assert_eq!(matches(&rfc(), &rfc().code(1001), now, used), Some(1001));
    }

    #[test]
    fn only_six_plain_digits_are_a_code() {
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
            assert_eq!(matches(&rfc(), wrong, at(1000 * 30), None), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_key_as_text() {
        assert_eq!(rfc().to_text(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(Key::from_text("gezdgnbvgy3tqojqGEZDGNBVGY3TQOJQ"), Some(rfc()));
        for wrong in [
            "",
            "GEZDGNBV",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ========",
        ] {
            assert_eq!(Key::from_text(wrong), None, "{wrong:?}");
        }
        assert_eq!(format!("{:?}", rfc()), "Key(…)");
        assert_ne!(new_key(&Random::seeded(1)), new_key(&Random::seeded(2)));
    }

    proptest! {
        #[test]
        fn every_key_reads_back(bytes: [u8; KEY_LENGTH]) {
            let text = Key(bytes).to_text();
            prop_assert_eq!(text.len(), 32);
            prop_assert_eq!(Key::from_text(&text), Some(Key(bytes)));
        }

        #[test]
        fn every_code_matches_in_its_time_and_once(bytes: [u8; KEY_LENGTH], seconds in 0..10_000_000_000i64) {
            let (key, now) = (Key(bytes), at(seconds));
            let code = key.code(seconds / 30);
            prop_assert_eq!(code.len(), DIGITS);
            let used = matches(&key, &code, now, None);
            prop_assert!(used.is_some());
            prop_assert_eq!(matches(&key, &code, now, used), None);
        }

        #[test]
        fn no_text_and_no_moment_upsets_it(text: String, now: i64, last: Option<i64>) {
            let _ = Key::from_text(&text);
            let found = matches(&rfc(), &text, Timestamp(now), last);
            prop_assert!(found.is_none() || text.len() == DIGITS);
        }
    }
}
