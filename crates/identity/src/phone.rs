//! Phone numbers: verification by a code in a text message (SMS). A code works once, for ten minutes,
//! with a few attempts.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::sms::{self, TextMessage};
use platform::{Result, Timestamp, Tx};
use serde_json::{Value, json};

use crate::Identity;
use crate::accounts::{self, Account, AccountId};
use crate::http::Call;
use crate::protocol::{ApiError, ApiResult, refuse};
use crate::rate_limit::{
    CODES, Limit, MFA_PER_NETWORK, SMS_MFA_RESERVE, SMS_PER_COUNTRY, SMS_TOTAL,
};
use crate::sessions::hash_token;
use crate::sign_in::TOO_MANY;

const CODE_TTL: Duration = Duration::from_secs(10 * 60);
/// Too few to guess six digits.
const MAX_TRIES: i64 = 5;
const PROOF_TTL: Duration = Duration::from_secs(3600);
/// Stored instead of a code where the session info alone proves the number (`temporaryProof`).
const PROOF_CODE: &str = "proof";

/// Normalizes a phone number: `+` and 7 to 15 digits.
pub fn phone_number(text: &str) -> Option<String> {
    let number: String = text.chars().filter(|c| !" -().".contains(*c)).collect();
    let digits = number.strip_prefix('+')?;
    let is_valid = (7..=15).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0');
    is_valid.then_some(number)
}

/// `accounts:sendVerificationCode`
pub async fn send_code(call: &Call<'_>) -> ApiResult {
    let identity = call.identity;
    let number = call.body.string("phoneNumber")?.and_then(phone_number);
    let Some(number) = number else { return refuse("INVALID_PHONE_NUMBER : Invalid format.") };
    // Only in the emulator: otherwise it would reveal which numbers have accounts. The service checks it
    // at the sign-in.
    if identity.is_emulator()
        && let Some(account) = accounts::find_by_phone_number(&identity.db, &number).await?
    {
        check_first_factor(&account)?;
    }
    Ok(json!({ "sessionInfo": identity.send_code(call, &number, SmsPurpose::NewNumber).await? }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmsPurpose {
    /// Anybody may request it, for any number.
    NewNumber,
    /// The caller has proven the first factor of an account with this number.
    SecondFactor,
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

/// A phone number that is a second factor cannot also be the first.
fn check_first_factor(account: &Account) -> ApiResult<()> {
    if account.factors.iter().any(|factor| factor.phone_number.is_some()) {
        return refuse(
            "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS \
             based MFA user.",
        );
    }
    Ok(())
}

pub struct VerifiedNumber {
    pub number: String,
    /// The code to delete when the number is used.
    session_hash: String,
}

impl VerifiedNumber {
    /// Deletes the code. Of two concurrent calls, one fails.
    pub async fn consume(&self, identity: &Identity, tx: &mut Tx) -> ApiResult<()> {
        let deleted = tx
            .query("delete from phone_codes where session = $1")
            .bind(self.session_hash.as_str())
            .execute()
            .await?;
        if deleted == 0 {
            return refuse("INVALID_SESSION_INFO");
        }
        if let Some(emulator) = identity.emulator() {
            emulator.sms_code_used(&self.session_hash);
        }
        Ok(())
    }
}

#[derive(sqlx::FromRow)]
struct PhoneCodeRow {
    phone_number: String,
    code: String,
    tries: i64,
    expires_at: Timestamp,
}

impl Identity {
    /// Sends a code to a number and returns its session info.
    pub async fn send_code(
        &self,
        call: &Call<'_>,
        number: &str,
        purpose: SmsPurpose,
    ) -> ApiResult<String> {
        if !self.site.sends_sms && !self.is_emulator() {
            return refuse("OPERATION_NOT_ALLOWED : No text messages are sent here.");
        }
        self.limit_sms(call, number, purpose).await?;
        let code = format!("{:06}", u64::from_be_bytes(self.random.bytes()) % 1_000_000);
        let mut tx = self.db.begin().await?;
        let session_info = self.create_phone_code(&mut tx, number, &code, CODE_TTL).await?;
        if let Some(emulator) = self.emulator() {
            emulator.sms_code_sent(number, &session_info, &code);
        } else {
            let text =
                format!("{code} is your code for {}. It works for 10 minutes.", self.shop_name());
            sms::enqueue(
                &mut tx,
                &self.clock,
                &self.random,
                &TextMessage { to: number.into(), text },
            )?;
        }
        self.record_event(&mut tx, call.event("code_sent"), None).await?;
        tx.commit().await?;
        Ok(session_info)
    }

    /// Counts a text message per network, per number, per country and in total. The narrow limits come
    /// first, so that what they reject does not use up the shared ones.
    async fn limit_sms(&self, call: &Call<'_>, number: &str, purpose: SmsPurpose) -> ApiResult<()> {
        let is_enrolled = purpose == SmsPurpose::SecondFactor;
        let allowed = &self.settings.sms_countries;
        let is_allowed = allowed.iter().any(|prefix| number.starts_with(prefix));
        if !allowed.is_empty() && !is_allowed && !is_enrolled && !self.is_emulator() {
            return refuse(
                "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app \
                 developer.",
            );
        }
        let (kind, per_network) = if is_enrolled {
            ("texts to factors", MFA_PER_NETWORK)
        } else {
            ("texts", Limit::per_hour(self.settings.sms_per_hour))
        };
        let mut narrow: Vec<_> = call.network_limit_of(kind, per_network).into_iter().collect();
        narrow.push((format!("{kind} to {number}"), CODES));
        if !call.within_limits(&narrow).await? {
            return refuse(TOO_MANY);
        }
        let mut wide = Vec::new();
        if !is_enrolled && !is_allowed {
            wide.push((format!("texts to country {}", calling_code(number)), SMS_PER_COUNTRY));
        }
        wide.push(("texts of all".into(), SMS_TOTAL));
        let reserve = [("texts of all factors".into(), SMS_MFA_RESERVE)];
        if call.within_limits(&wide).await? || is_enrolled && call.within_limits(&reserve).await? {
            return Ok(());
        }
        refuse("QUOTA_EXCEEDED : Too many text messages. Please try again later.")
    }

    /// Stores a code and returns its session info.
    async fn create_phone_code(
        &self,
        tx: &mut Tx,
        number: &str,
        code: &str,
        ttl: Duration,
    ) -> Result<String> {
        let session_info = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        tx.query(
            "insert into phone_codes (session, phone_number, code, tries, expires_at)
             values ($1, $2, $3, 0, $4)",
        )
        .bind(hash_token(&session_info))
        .bind(number)
        .bind(self.code_hash(&session_info, code))
        .bind(self.clock.now().plus(ttl))
        .execute()
        .await?;
        Ok(session_info)
    }

    /// A code is short, so its hash is keyed with the shop's secret: a leaked database reveals no code.
    fn code_hash(&self, session_info: &str, code: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.secret.derive(&format!("phone code {code} of {session_info}")))
    }

    /// Verifies a code. Every call counts as a try.
    async fn verify_code(
        &self,
        session_info: Option<&str>,
        code: Option<&str>,
    ) -> ApiResult<VerifiedNumber> {
        let Some(session_info) = session_info else { return refuse("MISSING_SESSION_INFO") };
        let Some(code) = code else { return refuse("MISSING_CODE") };
        let mut tx = self.db.begin().await?;
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
        if sent.expires_at <= self.clock.now() || (sent.tries > MAX_TRIES && !self.is_emulator()) {
            return refuse("SESSION_EXPIRED");
        }
        let hash = self.code_hash(session_info, code);
        if verify_slices_are_equal(hash.as_bytes(), sent.code.as_bytes()).is_err() {
            return refuse("INVALID_CODE");
        }
        Ok(VerifiedNumber { number: sent.phone_number, session_hash: hash_token(session_info) })
    }
}

impl Call<'_> {
    /// Verifies a code, once per call even if the call is retried.
    pub async fn verify_code(
        &self,
        session_info: Option<&str>,
        code: Option<&str>,
    ) -> ApiResult<&VerifiedNumber> {
        self.number.get_or_try_init(|| self.identity.verify_code(session_info, code)).await
    }
}

/// `accounts:signInWithPhoneNumber`: signs in, or links the number to the account behind an ID token.
pub async fn sign_in(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let phone = match body.filled("temporaryProof")? {
        Some(proof) => {
            let Some(number) = body.filled("phoneNumber")? else {
                return refuse("MISSING_PHONE_NUMBER");
            };
            match call.verify_code(Some(proof), Some(PROOF_CODE)).await {
                Ok(phone) if phone.number == number => phone,
                Ok(_) | Err(ApiError::Protocol(..)) => return refuse("INVALID_TEMPORARY_PROOF"),
                Err(why) => return Err(why),
            }
        }
        None => call.verify_code(body.filled("sessionInfo")?, body.filled("code")?).await?,
    };
    let known = accounts::find_by_phone_number(&identity.db, &phone.number).await?;
    let is_new = known.is_none();
    let (mut account, is_new) = match (body.filled("idToken")?, known) {
        (Some(token), known) => {
            let session = identity.authenticate(Some(token)).await?;
            if known.is_some_and(|known| known.id != session.account.id) {
                // Otherwise one proof could be exchanged for the next for ever.
                if body.filled("temporaryProof")?.is_some() {
                    return refuse("PHONE_NUMBER_EXISTS");
                }
                return temporary_proof(identity, phone).await;
            }
            identity.check_link_allowed(&session)?;
            (session.account, false)
        }
        (None, Some(known)) => (known, false),
        (None, None) if body.filled("operation")? == Some("REAUTH") && !identity.is_emulator() => {
            return refuse("USER_NOT_FOUND");
        }
        (None, None) => {
            let id = AccountId::new(&identity.clock, &identity.random);
            (Account::new(id, identity.clock.now()), is_new)
        }
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    check_first_factor(&account)?;
    account.phone_number = Some(phone.number.clone());
    let mut tx = identity.db.begin().await?;
    phone.consume(identity, &mut tx).await?;
    let event = call.event("sign_in");
    let outcome = identity.begin_session(&mut tx, &mut account, "phone", event).await?;
    tx.commit().await?;
    let mut answer = json!({
        "isNewUser": is_new,
        "phoneNumber": phone.number,
        "localId": account.id,
    });
    outcome.write_to(&mut answer);
    Ok(answer)
}

/// The number belongs to another account: returns a proof with which the client can sign in to that one.
async fn temporary_proof(identity: &Identity, phone: &VerifiedNumber) -> ApiResult<Value> {
    let mut tx = identity.db.begin().await?;
    phone.consume(identity, &mut tx).await?;
    let proof = identity.create_phone_code(&mut tx, &phone.number, PROOF_CODE, PROOF_TTL).await?;
    tx.commit().await?;
    Ok(json!({
        "phoneNumber": phone.number,
        "temporaryProof": proof,
        "temporaryProofExpiresIn": PROOF_TTL.as_secs().to_string(),
    }))
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
        assert_eq!(phone_number("+12345٣7890"), None);
    }

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
