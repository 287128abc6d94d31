//! Second factors (MFA): enrollment and sign-in with a text message or an authenticator app (TOTP). An
//! account with a second factor gets no session by the first factor alone.

use std::time::Duration;

use platform::text::clean_name;
use platform::{Db, Id, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accounts::{self, Account, AccountId, json_object};
use crate::http::Call;
use crate::phone::{SmsPurpose, phone_number};
use crate::protocol::{ApiFields, ApiResult, refuse};
use crate::rate_limit::CODES;
use crate::sessions::{ID_TOKEN_TTL, Session, SignIn, UsedFactor, revoke_sessions};
use crate::sign_in::TOO_MANY;
use crate::totp::{self, TotpKey};
use crate::{Identity, admin, rate_limit};

const MAX_FACTORS: usize = 5;
const MAX_NAME: usize = 256;
/// For the second factor after the first, and for the first code of a new app.
const PENDING_TTL: Duration = Duration::from_secs(10 * 60);
const PENDING: &str = "sign-in that waits for its second factor";
const ENROLLMENT: &str = "authenticator app to be enrolled";
const TOTP_KEY: &str = "authenticator app";
const TOTP_ATTEMPTS: &str = "app codes";

/// Where the ids of second factors in an admin's request come from.
#[derive(Clone, Copy, PartialEq)]
pub enum FactorIds {
    Generated,
    /// From the request, which must contain them.
    Provided,
    ProvidedOrGenerated,
}

/// An enrolled second factor, with either a phone number or an encrypted TOTP key.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Factor {
    pub id: String,
    pub phone_number: Option<String>,
    pub sealed_key: Option<String>,
    pub last_step: Option<i64>,
    pub display_name: Option<String>,
    pub enrolled_at: Timestamp,
}

impl Factor {
    pub fn phone(id: String, number: String, name: Option<String>, now: Timestamp) -> Self {
        let (sealed_key, last_step) = (None, None);
        let (phone_number, display_name) = (Some(number), name);
        Self { id, phone_number, sealed_key, last_step, display_name, enrolled_at: now }
    }

    fn kind(&self) -> &'static str {
        if self.phone_number.is_some() { "phone" } else { "totp" }
    }

    fn as_used(&self) -> UsedFactor {
        UsedFactor { id: self.id.clone(), kind: self.kind().into() }
    }

    /// As the account's user sees it.
    pub fn json(&self) -> Value {
        self.to_json(self.phone_number.clone())
    }

    /// Before the second factor is proven: with a masked phone number.
    pub fn masked(&self) -> Value {
        let masked = self.phone_number.as_ref().map(|number| {
            let last: String =
                number.chars().skip(number.chars().count().saturating_sub(4)).collect();
            format!("+*******{last}")
        });
        self.to_json(masked)
    }

    fn to_json(&self, number: Option<String>) -> Value {
        json_object([
            ("mfaEnrollmentId", Some(self.id.clone().into())),
            ("displayName", self.display_name.clone().map(Value::from)),
            ("enrolledAt", Some(self.enrolled_at.to_string().into())),
            ("totpInfo", self.sealed_key.as_ref().map(|_| json!({}))),
            ("phoneInfo", number.map(Value::from)),
        ])
    }
}

pub async fn find_by_account(db: &Db, account: &AccountId) -> Result<Vec<Factor>> {
    db.query(
        "select id, phone_number, sealed_key, last_step, display_name, enrolled_at
         from second_factors where account = $1 order by place, enrolled_at, id",
    )
    .bind(account)
    .all()
    .await
}

/// Replaces the second factors of an account.
pub async fn replace_all(tx: &mut Tx, account: &Account) -> Result<()> {
    tx.query("delete from second_factors where account = $1").bind(&account.id).execute().await?;
    for factor in &account.factors {
        insert(tx, &account.id, factor).await?;
    }
    Ok(())
}

/// In an emulator, clients may set second factors when they sign up.
pub async fn save_emulated(call: &Call<'_>, tx: &mut Tx, account: &mut Account) -> ApiResult<()> {
    if let Some(_emulator) = call.identity.emulator()
        && let Some(list) = call.body.objects("mfaInfo")?
    {
        account.factors = admin::parse_mfa(call.identity, &list, FactorIds::Generated)?;
        replace_all(tx, account).await?;
    }
    Ok(())
}

/// Inserts a factor after the existing ones.
async fn insert(tx: &mut Tx, account: &AccountId, factor: &Factor) -> Result<()> {
    tx.query(
        "insert into second_factors
           (id, account, phone_number, sealed_key, last_step, display_name, enrolled_at, place)
         values ($1, $2, $3, $4, $5, $6, $7,
           (select coalesce(max(place), 0) + 1 from second_factors where account = $2))",
    )
    .bind(factor.id.as_str())
    .bind(account)
    .bind(factor.phone_number.clone())
    .bind(factor.sealed_key.clone())
    .bind(factor.last_step)
    .bind(factor.display_name.clone())
    .bind(factor.enrolled_at)
    .execute()
    .await
    .map(drop)
}

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
    let session = identity.authenticate(body.string("idToken")?).await?;
    check_enrollment(identity, &session)?;
    if let Some(info) = body.object("phoneEnrollmentInfo")? {
        let Some(number) = info.string("phoneNumber")?.and_then(phone_number) else {
            return refuse("INVALID_PHONE_NUMBER : Invalid format.");
        };
        check_new_number(&session.account, &number)?;
        let session_info = identity.send_code(call, &number, SmsPurpose::NewNumber).await?;
        return Ok(json!({ "phoneSessionInfo": { "sessionInfo": session_info } }));
    }
    if body.object("totpEnrollmentInfo")?.is_some() {
        if session.account.factors.iter().any(|factor| factor.sealed_key.is_some()) {
            return refuse("SECOND_FACTOR_EXISTS : An authenticator app is enrolled already.");
        }
        let key = TotpKey::generate(&identity.random).to_base32();
        let expires_at = identity.clock.now().plus(PENDING_TTL);
        let enrollment = Enrollment { account: session.account.id, key: key.clone(), expires_at };
        return Ok(json!({ "totpSessionInfo": {
            "sharedSecretKey": key,
            "verificationCodeLength": totp::DIGITS,
            "hashingAlgorithm": "SHA1",
            "periodSec": totp::PERIOD_SECONDS,
            "sessionInfo": identity.seal(ENROLLMENT, &enrollment)?,
            "finalizeEnrollmentTime": expires_at.to_string(),
        } }));
    }
    refuse("INVALID_ARGUMENT : MFA provider not supported!")
}

/// Requires a first factor that can be recovered by e-mail.
fn check_enrollment(identity: &Identity, session: &Session) -> ApiResult<()> {
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
    identity.check_recent_auth(&session.account, &session.sign_in)
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
    let session = identity.authenticate(body.string("idToken")?).await?;
    check_enrollment(identity, &session)?;
    let now = identity.clock.now();
    let name = body.filled("displayName")?.map(|name| clean_name(name, MAX_NAME + 1));
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
        return refuse("INVALID_DISPLAY_NAME : At most 256 characters.");
    }
    let id = Id::<Factor>::new(&identity.clock, &identity.random).to_string();
    let mut tx;
    let factor = if let Some(info) = body.object("phoneVerificationInfo")? {
        let phone = call.verify_code(info.filled("sessionInfo")?, info.filled("code")?).await?;
        check_new_number(&session.account, &phone.number)?;
        tx = identity.db.begin().await?;
        phone.consume(identity, &mut tx).await?;
        Factor::phone(id, phone.number.clone(), name, now)
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let (key, step) = first_totp(call, &session.account, &info).await?;
        tx = identity.db.begin().await?;
        let (phone_number, last_step) = (None, Some(step));
        let sealed_key = Some(identity.seal(TOTP_KEY, &key)?);
        Factor { id, phone_number, sealed_key, last_step, display_name: name, enrolled_at: now }
    } else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    insert(&mut tx, &session.account.id, &factor).await?;
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
    let Some(enrollment) = identity.unseal::<Enrollment>(ENROLLMENT, session_info) else {
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
    let allowed = call.within_limit(TOTP_ATTEMPTS, account.id.as_str(), CODES).await?;
    if allowed { Ok(()) } else { refuse(TOO_MANY) }
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
    call.identity.record_event(tx, call.event(event), Some(&account.id)).await?;
    let sign_in = SignIn { second_factor, ..sign_in };
    let tokens = call.identity.issue_tokens(tx, &account, &sign_in, call.agent.as_deref()).await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}

/// `mfaEnrollment:withdraw`
pub async fn withdraw(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let session = identity.authenticate(body.string("idToken")?).await?;
    let factor_id = body.string("mfaEnrollmentId")?.unwrap_or_default();
    if !session.account.factors.iter().any(|factor| factor.id == factor_id) {
        return refuse("MFA_ENROLLMENT_NOT_FOUND");
    }
    identity.check_recent_auth(&session.account, &session.sign_in)?;
    let mut tx = identity.db.begin().await?;
    tx.query("delete from second_factors where account = $1 and id = $2")
        .bind(&session.account.id)
        .bind(factor_id)
        .execute()
        .await?;
    tx.query("update accounts set factors_withdrawn = $2 where id = $1")
        .bind(&session.account.id)
        .bind(true)
        .execute()
        .await?;
    // The current session may have used the withdrawn factor.
    let used = session.sign_in.second_factor.clone().filter(|factor| factor.id != factor_id);
    let mut answer = renew_session(call, &mut tx, session, used, "factor_withdrawn").await?;
    tx.commit().await?;
    answer["expiresIn"] = ID_TOKEN_TTL.as_secs().to_string().into();
    Ok(answer)
}

/// A sign-in that waits for its second factor.
#[derive(Serialize, Deserialize)]
struct PendingMfa {
    account: AccountId,
    /// Invalid after a password change, which changes the generation.
    generation: i64,
    sign_in: SignIn,
}

/// Encrypts a sign-in that waits for its second factor.
pub fn seal_pending(identity: &Identity, account: &Account, sign_in: &SignIn) -> Result<String> {
    let (id, generation) = (account.id.clone(), account.token_generation);
    let pending = PendingMfa { account: id, generation, sign_in: sign_in.clone() };
    identity.seal(PENDING, &pending)
}

/// Decrypts a pending credential and checks that it is still valid.
async fn open_pending(identity: &Identity, credential: &str) -> ApiResult<(Account, SignIn)> {
    let Some(PendingMfa { account, generation, sign_in }) = identity.unseal(PENDING, credential)
    else {
        return refuse("INVALID_MFA_PENDING_CREDENTIAL");
    };
    let account = accounts::find_by_id(&identity.db, account.as_str()).await?;
    let is_expired = identity.clock.now().since(sign_in.auth_time) > PENDING_TTL;
    match account {
        Some(account) if account.disabled => refuse("USER_DISABLED"),
        Some(account) if !is_expired && generation == account.token_generation => {
            Ok((account, sign_in))
        }
        _ => refuse("INVALID_MFA_PENDING_CREDENTIAL"),
    }
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
    let (account, _) = open_pending(identity, credential).await?;
    let Some(number) = &find_factor(&account, factor_id)?.phone_number else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    let session_info = identity.send_code(call, number, SmsPurpose::SecondFactor).await?;
    Ok(json!({ "phoneResponseInfo": { "sessionInfo": session_info } }))
}

/// `mfaSignIn:finalize`
pub async fn finalize_sign_in(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(credential) = body.filled("mfaPendingCredential")? else {
        return refuse("MISSING_CREDENTIAL : Please set MFA Pending Credential.");
    };
    let (mut account, mut sign_in) = open_pending(identity, credential).await?;
    let mut tx;
    let used_factor = if let Some(info) = body.object("phoneVerificationInfo")? {
        let phone = call.verify_code(info.filled("sessionInfo")?, info.filled("code")?).await?;
        let mut factors = account.factors.iter();
        let number = Some(phone.number.as_str());
        let Some(factor) = factors.find(|factor| factor.phone_number.as_deref() == number) else {
            return refuse("MFA_ENROLLMENT_NOT_FOUND");
        };
        tx = identity.db.begin().await?;
        phone.consume(identity, &mut tx).await?;
        factor.as_used()
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let Some(factor_id) = body.filled("mfaEnrollmentId")? else {
            return refuse("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.");
        };
        let Some(code) = info.filled("verificationCode")? else { return refuse("MISSING_CODE") };
        let factor = find_factor(&account, factor_id)?;
        check_totp_limit(call, &account).await?;
        let key = factor.sealed_key.as_deref();
        let key = key.and_then(|sealed| identity.unseal::<String>(TOTP_KEY, sealed));
        let key = key.and_then(|text| TotpKey::from_base32(&text));
        let now = identity.clock.now();
        let step = key.and_then(|key| totp::matching_step(&key, code, now, factor.last_step));
        let Some(step) = step else { return refuse("INVALID_CODE") };
        tx = identity.db.begin().await?;
        // Of two concurrent calls with the same code, one fails.
        let used = tx
            .query(
                "update second_factors set last_step = $2
                 where id = $1 and account = $3 and (last_step is null or last_step < $2)",
            )
            .bind(factor.id.as_str())
            .bind(step)
            .bind(&account.id)
            .execute()
            .await?;
        if used == 0 {
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
    let tokens = identity.open_session(&mut tx, &mut account, sign_in, event).await?;
    tx.commit().await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}
