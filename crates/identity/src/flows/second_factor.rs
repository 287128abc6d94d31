//! Second factors (MFA): enrollment and sign-in with a text message or an authenticator app (TOTP). An
//! account with a second factor gets no session by the first factor alone.

use std::time::Duration;

use platform::text::clean_name;
use platform::{Id, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::account_json::MAX_NAME;
use super::call::Call;
use super::phone::{SmsPurpose, send_code_to};
use crate::accounts::{self, Account, AccountId, Factor, UsedFactor};
use crate::crypto::{seal, unseal};
use crate::phone_codes::{self, required_phone_number};
use crate::rate_limit::{self, CODES, PER_NETWORK};
use crate::services::Services;
use crate::sessions::{self, ID_TOKEN_TTL, Session, SignInDetails, revoke_sessions};
use crate::totp::{self, TotpKey};
use crate::wire::{ApiFields, ApiResult, refuse};

const MAX_FACTORS: usize = 5;
/// For the first code of a new app.
const ENROLLMENT_TTL: Duration = Duration::from_secs(10 * 60);
const ENROLLMENT: &str = "authenticator app to be enrolled";
const TOTP_KEY: &str = "authenticator app";
const TOTP_ATTEMPTS: &str = "app codes";

/// A TOTP key that is not confirmed yet.
#[derive(Serialize, Deserialize)]
struct Enrollment {
    account: AccountId,
    key: String,
    #[serde(rename = "until")]
    expires_at: Timestamp,
}

/// `mfaEnrollment:start`
pub async fn start_enrollment(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let session = sessions::authenticate(identity, body.string("idToken")?).await?;
    check_enrollment(identity, &session)?;
    if let Some(info) = body.object("phoneEnrollmentInfo")? {
        let number = required_phone_number(info.string("phoneNumber")?)?;
        check_new_number(&session.account, &number)?;
        let session_info = send_code_to(call, &number, SmsPurpose::NewNumber).await?;
        return Ok(json!({ "phoneSessionInfo": { "sessionInfo": session_info } }));
    }
    if body.object("totpEnrollmentInfo")?.is_some() {
        if session.account.factors.iter().any(|factor| factor.sealed_key.is_some()) {
            return refuse("SECOND_FACTOR_EXISTS : An authenticator app is enrolled already.");
        }
        let key = TotpKey::generate(&identity.random).to_base32();
        let expires_at = identity.clock.now().plus(ENROLLMENT_TTL);
        let enrollment = Enrollment { account: session.account.id, key: key.clone(), expires_at };
        return Ok(json!({ "totpSessionInfo": {
            "sharedSecretKey": key,
            "verificationCodeLength": totp::DIGITS,
            "hashingAlgorithm": "SHA1",
            "periodSec": totp::PERIOD_SECONDS,
            "sessionInfo": seal(&identity.secret, ENROLLMENT, &enrollment)?,
            "finalizeEnrollmentTime": expires_at.to_string(),
        } }));
    }
    refuse("INVALID_ARGUMENT : MFA provider not supported!")
}

/// Requires a first factor that can be recovered by e-mail.
fn check_enrollment(identity: &Services, session: &Session) -> ApiResult<()> {
    if ["anonymous", "phone", "custom"].contains(&session.sign_in.provider.as_str()) {
        return refuse(
            "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.",
        );
    }
    if !session.account.has_verified_email() {
        return refuse(
            "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.",
        );
    }
    if session.account.factors.len() >= MAX_FACTORS {
        return refuse("SECOND_FACTOR_LIMIT_EXCEEDED");
    }
    sessions::check_recent_auth(identity, &session.account, &session.sign_in)
}

fn check_new_number(account: &Account, number: &str) -> ApiResult<()> {
    if account.factors.iter().any(|factor| factor.phone_number.as_deref() == Some(number)) {
        return refuse(
            "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.",
        );
    }
    Ok(())
}

/// `mfaEnrollment:finalize`
pub async fn finalize_enrollment(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let session = sessions::authenticate(identity, body.string("idToken")?).await?;
    check_enrollment(identity, &session)?;
    let name = body.filled("displayName")?.map(|name| clean_name(name, MAX_NAME + 1));
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
        return refuse("INVALID_DISPLAY_NAME : At most 256 characters.");
    }
    let id = Id::<Factor>::new(&identity.clock, &identity.random).to_string();
    let new =
        Factor { id, display_name: name, enrolled_at: identity.clock.now(), ..Factor::default() };
    let mut tx;
    let factor = if let Some(info) = body.object("phoneVerificationInfo")? {
        let phone = call.verify_code(info.filled("sessionInfo")?, info.filled("code")?).await?;
        check_new_number(&session.account, &phone.number)?;
        tx = identity.db.begin().await?;
        phone_codes::consume(identity, &mut tx, phone).await?;
        Factor { phone_number: Some(phone.number.clone()), ..new }
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let (key, step) = first_totp(call, &session.account, &info).await?;
        tx = identity.db.begin().await?;
        let sealed_key = Some(seal(&identity.secret, TOTP_KEY, &key)?);
        Factor { sealed_key, last_step: Some(step), ..new }
    } else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    accounts::insert_factor(&mut tx, &session.account.id, &factor).await?;
    let auth_info = if factor.phone_number.is_some() { "phoneAuthInfo" } else { "totpAuthInfo" };
    let mut answer =
        renew_session(call, &mut tx, session, Some(factor.as_used()), "factor_enrolled").await?;
    tx.commit().await?;
    if !identity.is_emulator() {
        answer[auth_info] = json!({});
    }
    Ok(answer)
}

/// Verifies the first code of a new app; returns the key and the code's time step.
async fn first_totp(
    call: &Call<'_>,
    account: &Account,
    info: &ApiFields,
) -> ApiResult<(String, i64)> {
    let identity = call.identity;
    let Some(session_info) = info.filled("sessionInfo")? else {
        return refuse("MISSING_SESSION_INFO");
    };
    let Some(code) = info.filled("verificationCode")? else { return refuse("MISSING_CODE") };
    let Some(enrollment) = unseal::<Enrollment>(&identity.secret, ENROLLMENT, session_info) else {
        return refuse("INVALID_SESSION_INFO");
    };
    if enrollment.account != account.id {
        return refuse("INVALID_SESSION_INFO");
    }
    if enrollment.expires_at <= identity.clock.now() {
        return refuse("SESSION_EXPIRED");
    }
    if account.factors.iter().any(|factor| factor.sealed_key.is_some()) {
        return refuse("SECOND_FACTOR_EXISTS : An authenticator app is enrolled already.");
    }
    check_totp_limit(call, account).await?;
    let key = TotpKey::from_base32(&enrollment.key);
    let step = key.and_then(|key| totp::matching_step(&key, code, identity.clock.now(), None));
    match step {
        Some(step) => Ok((enrollment.key, step)),
        None => refuse("INVALID_CODE"),
    }
}

/// TOTP codes can be guessed, so attempts are limited.
async fn check_totp_limit(call: &Call<'_>, account: &Account) -> ApiResult<()> {
    let network = call.network_limit(TOTP_ATTEMPTS, PER_NETWORK).into_iter();
    let key = format!("{TOTP_ATTEMPTS} {}", account.id.as_str());
    call.check_limits(network.chain([(key, CODES)])).await
}

/// Issues new tokens to the caller. All other sessions end, because they began under other rules.
async fn renew_session(
    call: &Call<'_>,
    tx: &mut Tx,
    session: Session,
    second_factor: Option<UsedFactor>,
    event: &'static str,
) -> ApiResult {
    let Session { mut account, sign_in, .. } = session;
    if call.identity.is_emulator() {
        accounts::bump_revision(tx, &account).await?;
    } else {
        account.revoke_tokens(call.identity.clock.now());
        accounts::save(tx, &account).await?;
    }
    revoke_sessions(tx, &account.id).await?;
    call.record(tx, event, Some(&account.id)).await?;
    let sign_in = SignInDetails { second_factor, ..sign_in };
    let tokens =
        sessions::issue_tokens(call.identity, tx, &account, &sign_in, call.agent.as_deref())
            .await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}

/// `mfaEnrollment:withdraw`
pub async fn withdraw(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let session = sessions::authenticate(identity, body.string("idToken")?).await?;
    let factor_id = body.string("mfaEnrollmentId")?.unwrap_or_default();
    if !session.account.factors.iter().any(|factor| factor.id == factor_id) {
        return refuse("MFA_ENROLLMENT_NOT_FOUND");
    }
    sessions::check_recent_auth(identity, &session.account, &session.sign_in)?;
    let mut tx = identity.db.begin().await?;
    accounts::delete_factor(&mut tx, &session.account.id, factor_id).await?;
    // The current session may have used the withdrawn factor.
    let used = session.sign_in.second_factor.clone().filter(|factor| factor.id != factor_id);
    let mut answer = renew_session(call, &mut tx, session, used, "factor_withdrawn").await?;
    tx.commit().await?;
    answer["expiresIn"] = ID_TOKEN_TTL.as_secs().to_string().into();
    Ok(answer)
}

fn find_factor<'a>(account: &'a Account, id: &str) -> ApiResult<&'a Factor> {
    match account.factors.iter().find(|factor| factor.id == id) {
        Some(factor) => Ok(factor),
        None => refuse("MFA_ENROLLMENT_NOT_FOUND"),
    }
}

/// `mfaSignIn:start`: sends the code by text message. TOTP needs no start.
pub async fn start_sign_in(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(credential) = body.filled("mfaPendingCredential")? else {
        return refuse(
            "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.",
        );
    };
    let Some(factor_id) = body.filled("mfaEnrollmentId")? else {
        return refuse("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.");
    };
    let (account, _) = sessions::open_pending(identity, credential).await?;
    let Some(number) = &find_factor(&account, factor_id)?.phone_number else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    let session_info = send_code_to(call, number, SmsPurpose::SecondFactor).await?;
    Ok(json!({ "phoneResponseInfo": { "sessionInfo": session_info } }))
}

/// `mfaSignIn:finalize`
pub async fn finalize_sign_in(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(credential) = body.filled("mfaPendingCredential")? else {
        return refuse("MISSING_CREDENTIAL : Please set MFA Pending Credential.");
    };
    let (mut account, mut sign_in) = sessions::open_pending(identity, credential).await?;
    let mut tx;
    let used_factor = if let Some(info) = body.object("phoneVerificationInfo")? {
        let phone = call.verify_code(info.filled("sessionInfo")?, info.filled("code")?).await?;
        let mut factors = account.factors.iter();
        let number = Some(phone.number.as_str());
        let Some(factor) = factors.find(|factor| factor.phone_number.as_deref() == number) else {
            return refuse("MFA_ENROLLMENT_NOT_FOUND");
        };
        tx = identity.db.begin().await?;
        phone_codes::consume(identity, &mut tx, phone).await?;
        factor.as_used()
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let Some(factor_id) = body.filled("mfaEnrollmentId")? else {
            return refuse("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.");
        };
        let Some(code) = info.filled("verificationCode")? else { return refuse("MISSING_CODE") };
        let factor = find_factor(&account, factor_id)?;
        check_totp_limit(call, &account).await?;
        let key = factor.sealed_key.as_deref();
        let key = key.and_then(|sealed| unseal::<String>(&identity.secret, TOTP_KEY, sealed));
        let key = key.and_then(|text| TotpKey::from_base32(&text));
        let now = identity.clock.now();
        let step = key.and_then(|key| totp::matching_step(&key, code, now, factor.last_step));
        let Some(step) = step else { return refuse("INVALID_CODE") };
        tx = identity.db.begin().await?;
        if !accounts::record_totp_step(&mut tx, &account.id, factor, step).await? {
            return refuse("INVALID_CODE");
        }
        rate_limit::reset(&mut tx, TOTP_ATTEMPTS, account.id.as_str(), call.client_ip).await?;
        factor.as_used()
    } else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    sign_in.second_factor = Some(used_factor);
    sign_in.auth_time = identity.clock.now();
    let event = call.event("sign_in");
    let tokens = sessions::open_session(identity, &mut tx, &mut account, sign_in, event).await?;
    tx.commit().await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}
