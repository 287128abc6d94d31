//! Phone numbers: verification by a code in a text message (SMS). A code works once, for ten minutes,
//! with a few attempts.

use std::time::Duration;

use email::sms::{self, TextMessage};
use email::sms_limits;
use messages::{Args, Messages};
use serde_json::{Value, json};

use super::call::Call;
use crate::accounts::{self, Account};
use crate::phone_codes::{self, VerifiedNumber, required_phone_number};
use crate::rate_limit::{CODES, Limit, MFA_PER_NETWORK, SMS_MFA_RESERVE};
use crate::services::Services;
use crate::sessions;
use crate::wire::{ApiError, ApiResult, refuse};

const CODE_TTL: Duration = Duration::from_secs(10 * 60);
const PROOF_TTL: Duration = Duration::from_secs(3600);
/// Stored instead of a code where the session info alone proves the number (`temporaryProof`).
const PROOF_CODE: &str = "proof";

/// `accounts:sendVerificationCode`
pub async fn send_code(call: &Call<'_>) -> ApiResult {
    let identity = call.identity;
    let number = required_phone_number(call.body.string("phoneNumber")?)?;
    // Only in the emulator: otherwise it would reveal which numbers have accounts. The service checks it
    // at the sign-in.
    if identity.is_emulator()
        && let Some(account) = accounts::find_by_phone_number(&identity.db, &number).await?
    {
        check_first_factor(&account)?;
    }
    Ok(json!({ "sessionInfo": send_code_to(call, &number, SmsPurpose::NewNumber).await? }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmsPurpose {
    /// Anybody may request it, for any number.
    NewNumber,
    /// The caller has proven the first factor of an account with this number.
    SecondFactor,
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

/// Sends a code to a number and returns its session info.
pub async fn send_code_to(call: &Call<'_>, number: &str, purpose: SmsPurpose) -> ApiResult<String> {
    let identity = call.identity;
    if !identity.site.sends_sms && !identity.is_emulator() {
        return refuse("OPERATION_NOT_ALLOWED : No text messages are sent here.");
    }
    limit_sms(call, number, purpose).await?;
    let code = format!("{:06}", u64::from_be_bytes(identity.random.bytes()) % 1_000_000);
    let mut tx = identity.db.begin().await?;
    let session_info = phone_codes::create(identity, &mut tx, number, &code, CODE_TTL).await?;
    if let Some(emulator) = identity.emulator() {
        let entry = json!({ "code": code, "phoneNumber": number, "sessionInfo": session_info });
        emulator.sms_codes.add(&session_info, entry);
    } else {
        let shop = identity.site.shop_name(call.language);
        let minutes = CODE_TTL.as_secs() / 60;
        let args: Args<'_> = &[("code", &code), ("shop", &shop), ("minutes", &minutes)];
        let text = Messages::text(call.language, "sms.code", args);
        let message = TextMessage { to: number.into(), text };
        sms::enqueue(&mut tx, &identity.clock, &identity.random, &message)?;
    }
    call.record(&mut tx, "code_sent", None).await?;
    tx.commit().await?;
    Ok(session_info)
}

/// Counts a text message per network, per number, per country and in total. The narrow limits come
/// first, so that what they reject does not use up the shared ones.
async fn limit_sms(call: &Call<'_>, number: &str, purpose: SmsPurpose) -> ApiResult<()> {
    let identity = call.identity;
    let is_enrolled = purpose == SmsPurpose::SecondFactor;
    let limits = identity.settings.sms_limits();
    if !limits.has_country(number) && !is_enrolled && !identity.is_emulator() {
        return refuse(
            "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app \
             developer.",
        );
    }
    let (kind, per_network) = if is_enrolled {
        ("texts to factors", MFA_PER_NETWORK)
    } else {
        ("texts", Limit::per_hour(identity.settings.sms_per_hour))
    };
    let narrow = call.network_limit(kind, per_network).into_iter();
    call.check_limits(narrow.chain([(format!("{kind} to {number}"), CODES)])).await?;
    let wide = sms_limits::shared_keys(number, limits.lists(number) || is_enrolled);
    let reserve = [("texts of all factors".into(), SMS_MFA_RESERVE)];
    if call.within_limits(wide).await? || is_enrolled && call.within_limits(reserve).await? {
        return Ok(());
    }
    refuse("QUOTA_EXCEEDED : Too many text messages. Please try again later.")
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
    let (mut account, is_new) = match (body.filled("idToken")?, known) {
        (Some(token), known) => {
            let session = sessions::authenticate(identity, Some(token)).await?;
            if known.is_some_and(|known| known.id != session.account.id) {
                // Otherwise one proof could be exchanged for the next for ever.
                if body.filled("temporaryProof")?.is_some() {
                    return refuse("PHONE_NUMBER_EXISTS");
                }
                return temporary_proof(identity, phone).await;
            }
            sessions::check_link_allowed(identity, &session)?;
            (session.account, false)
        }
        (None, Some(known)) => (known, false),
        (None, None) if body.filled("operation")? == Some("REAUTH") && !identity.is_emulator() => {
            return refuse("USER_NOT_FOUND");
        }
        (None, None) => (identity.new_account(), true),
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    check_first_factor(&account)?;
    account.phone_number = Some(phone.number.clone());
    let mut tx = identity.db.begin().await?;
    phone_codes::consume(identity, &mut tx, phone).await?;
    let outcome = call.begin_session(&mut tx, &mut account, "phone", "sign_in").await?;
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
async fn temporary_proof(identity: &Services, phone: &VerifiedNumber) -> ApiResult<Value> {
    let mut tx = identity.db.begin().await?;
    phone_codes::consume(identity, &mut tx, phone).await?;
    let proof =
        phone_codes::create(identity, &mut tx, &phone.number, PROOF_CODE, PROOF_TTL).await?;
    tx.commit().await?;
    Ok(json!({
        "phoneNumber": phone.number,
        "temporaryProof": proof,
        "temporaryProofExpiresIn": PROOF_TTL.as_secs().to_string(),
    }))
}
