//! Codes in text messages (SMS), which verify phone numbers. A code works once, for a limited time, with
//! a few attempts.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::text::ascii_digits;
use platform::{Result, Timestamp, Tx};

use crate::crypto::{ct_eq, hash_token};
use crate::services::Services;
use crate::wire::{ApiResult, refuse};

/// Too few to guess six digits.
const MAX_TRIES: i64 = 5;

/// Normalizes a phone number: `+` and 7 to 15 digits.
pub fn phone_number(text: &str) -> Option<String> {
    let number: String = ascii_digits(text).chars().filter(|c| !" -().".contains(*c)).collect();
    let digits = number.strip_prefix('+')?;
    let is_valid = (7..=15).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0');
    is_valid.then_some(number)
}

/// A phone number of a request.
pub fn required_phone_number(text: Option<&str>) -> ApiResult<String> {
    match text.and_then(phone_number) {
        Some(number) => Ok(number),
        None => refuse("INVALID_PHONE_NUMBER : Invalid format."),
    }
}

pub struct VerifiedNumber {
    pub number: String,
    /// The code to delete when the number is used.
    session_hash: String,
}

#[derive(sqlx::FromRow)]
struct PhoneCodeRow {
    phone_number: String,
    code: String,
    tries: i64,
    expires_at: Timestamp,
}

/// Stores a code and returns its session info.
pub async fn create(
    identity: &Services,
    tx: &mut Tx,
    number: &str,
    code: &str,
    ttl: Duration,
) -> Result<String> {
    let session_info = URL_SAFE_NO_PAD.encode(identity.random.bytes::<32>());
    tx.query(
        "insert into phone_codes (session, phone_number, code, tries, expires_at)
         values ($1, $2, $3, 0, $4)",
    )
    .bind(hash_token(&session_info))
    .bind(number)
    .bind(code_hash(identity, &session_info, code))
    .bind(identity.clock.now().plus(ttl))
    .execute()
    .await?;
    Ok(session_info)
}

/// A code is short, so its hash is keyed with the shop's secret: a leaked database reveals no code.
fn code_hash(identity: &Services, session_info: &str, code: &str) -> String {
    URL_SAFE_NO_PAD.encode(identity.secret.derive(&format!("phone code {code} of {session_info}")))
}

/// Verifies a code. Every call counts as a try.
pub async fn verify(
    identity: &Services,
    session_info: Option<&str>,
    code: Option<&str>,
) -> ApiResult<VerifiedNumber> {
    let Some(session_info) = session_info else { return refuse("MISSING_SESSION_INFO") };
    let Some(code) = code else { return refuse("MISSING_CODE") };
    let mut tx = identity.db.begin().await?;
    let sent: Option<PhoneCodeRow> = tx
        .query(
            "update phone_codes set tries = tries + 1 where session = $1
             returning phone_number, code, tries, expires_at",
        )
        .bind(hash_token(session_info))
        .optional()
        .await?;
    tx.commit().await?;
    let Some(sent) = sent else { return refuse("INVALID_SESSION_INFO") };
    if sent.expires_at <= identity.clock.now()
        || (sent.tries > MAX_TRIES && !identity.is_emulator())
    {
        return refuse("SESSION_EXPIRED");
    }
    let hash = code_hash(identity, session_info, &ascii_digits(code));
    if !ct_eq(&hash, &sent.code) {
        return refuse("INVALID_CODE");
    }
    Ok(VerifiedNumber { number: sent.phone_number, session_hash: hash_token(session_info) })
}

/// Deletes the code of a verified number. Of two concurrent calls, one fails.
pub async fn consume(identity: &Services, tx: &mut Tx, phone: &VerifiedNumber) -> ApiResult<()> {
    let deleted = tx
        .query("delete from phone_codes where session = $1")
        .bind(phone.session_hash.as_str())
        .execute()
        .await?;
    if deleted == 0 {
        return refuse("INVALID_SESSION_INFO");
    }
    if let Some(emulator) = identity.emulator() {
        emulator.sms_codes.remove(&phone.session_hash);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_are_normalized() {
        assert_eq!(phone_number("+880 1711-223344").as_deref(), Some("+8801711223344"));
        assert_eq!(phone_number("+1 (555) 010.0199").as_deref(), Some("+15550100199"));
        for text in ["", "+", "+46", "12345678", "0701234567", "+0701234567", "+1234567890123456"] {
            assert_eq!(phone_number(text), None, "{text}");
        }
        assert_eq!(phone_number("+৮৮০ ১৭১১-২২৩৩৪৪").as_deref(), Some("+8801711223344"));
        assert_eq!(phone_number("+12345٣7890"), None);
    }
}
