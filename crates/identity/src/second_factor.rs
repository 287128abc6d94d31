//! The second proof: a code by text message, or from an app that shares a key with us. An account that
//! has one is not entered by the first proof alone.

use std::time::Duration;

use base::text::clean_name;
use base::{Db, Id, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accounts::{self, Account, AccountId, object};
use crate::attempts::CODES;
use crate::http::Call;
use crate::phone::{Purpose, phone_number};
use crate::protocol::{Answer, Body, refuse};
use crate::sessions::{Holder, LIVES, SecondFactor, SignIn, revoke_all};
use crate::sign_in::TOO_MANY;
use crate::{Identity, admin, attempts, totp};

const MOST: usize = 5;
const LONGEST_NAME: usize = 256;
/// How long the first proof waits for the second, and a new app for its first code.
const WAITS: Duration = Duration::from_secs(10 * 60);
const PENDING: &str = "sign-in that waits for its second factor";
const ENROLMENT: &str = "authenticator app to be enrolled";
const APP_KEY: &str = "authenticator app";
const APP_CODES: &str = "app codes";

/// Where the id of a second factor comes from that an admin describes.
#[derive(Clone, Copy, PartialEq)]
pub enum FactorIds {
    Made,
    /// From the description, which must have one.
    Given,
    GivenOrMade,
}

/// A second factor of an account: it has either a phone number or an app's key.
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

    fn as_proof(&self) -> SecondFactor {
        SecondFactor { id: self.id.clone(), kind: self.kind().into() }
    }

    /// As the account's holder sees it.
    pub fn described(&self) -> Value {
        self.shown(self.phone_number.clone())
    }

    /// As somebody sees it who has shown only the first proof.
    pub fn masked(&self) -> Value {
        let masked = self.phone_number.as_ref().map(|number| {
            let last: String =
                number.chars().skip(number.chars().count().saturating_sub(4)).collect();
            format!("+*******{last}")
        });
        self.shown(masked)
    }

    fn shown(&self, number: Option<String>) -> Value {
        object([
            ("mfaEnrollmentId", Some(self.id.clone().into())),
            ("displayName", self.display_name.clone().map(Value::from)),
            ("enrolledAt", Some(self.enrolled_at.to_string().into())),
            ("totpInfo", self.sealed_key.as_ref().map(|_| json!({}))),
            ("phoneInfo", number.map(Value::from)),
        ])
    }
}

pub async fn of(db: &Db, account: &AccountId) -> Result<Vec<Factor>> {
    db.query(
        "select id, phone_number, sealed_key, last_step, display_name, enrolled_at
         from second_factors where account = $1 order by place, enrolled_at, id",
    )
    .bind(account)
    .all()
    .await
}

/// Writes the factors of an account in place of those that were there.
pub async fn put_all(tx: &mut Tx, account: &Account) -> Result<()> {
    tx.query("delete from second_factors where account = $1").bind(&account.id).execute().await?;
    for factor in &account.factors {
        put(tx, &account.id, factor).await?;
    }
    Ok(())
}

/// Takes the factors that a client gives itself as it signs up, which an emulator lets it do.
pub async fn put_given(call: &Call<'_>, tx: &mut Tx, account: &mut Account) -> Answer<()> {
    if let Some(_emulator) = call.identity.emulator()
        && let Some(list) = call.body.objects("mfaInfo")?
    {
        account.factors = admin::factors(call.identity, &list, FactorIds::Made)?;
        put_all(tx, account).await?;
    }
    Ok(())
}

/// Writes a factor behind those that are there.
async fn put(tx: &mut Tx, account: &AccountId, factor: &Factor) -> Result<()> {
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

/// An app's key that waits for its first code.
#[derive(Serialize, Deserialize)]
struct Enrolment {
    account: AccountId,
    key: String,
    until: Timestamp,
}

/// `mfaEnrollment:start`
pub async fn start_enrolment(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let holder = identity.holder(body.text("idToken")?).await?;
    accept_enrolment(identity, &holder)?;
    if let Some(info) = body.object("phoneEnrollmentInfo")? {
        let Some(number) = info.text("phoneNumber")?.and_then(phone_number) else {
            return refuse("INVALID_PHONE_NUMBER : Invalid format.");
        };
        accept_number(&holder.account, &number)?;
        let session = identity.send_code(call, &number, Purpose::NewNumber).await?;
        return Ok(json!({ "phoneSessionInfo": { "sessionInfo": session } }));
    }
    if body.object("totpEnrollmentInfo")?.is_some() {
        if holder.account.factors.iter().any(|factor| factor.sealed_key.is_some()) {
            return refuse("SECOND_FACTOR_EXISTS : An authenticator app is enrolled already.");
        }
        let key = totp::new_key(&identity.random).to_text();
        let until = identity.clock.now().plus(WAITS);
        let enrolment = Enrolment { account: holder.account.id, key: key.clone(), until };
        return Ok(json!({ "totpSessionInfo": {
            "sharedSecretKey": key,
            "verificationCodeLength": totp::DIGITS,
            "hashingAlgorithm": "SHA1",
            "periodSec": totp::PERIOD_SECONDS,
            "sessionInfo": identity.sealed(ENROLMENT, &enrolment)?,
            "finalizeEnrollmentTime": until.to_string(),
        } }));
    }
    refuse("INVALID_ARGUMENT : MFA provider not supported!")
}

/// A second factor protects an account whose first one can be recovered by mail.
fn accept_enrolment(identity: &Identity, holder: &Holder) -> Answer<()> {
    if ["anonymous", "phone", "custom"].contains(&holder.sign_in.provider.as_str()) {
        return refuse(
            "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.",
        );
    }
    if !holder.account.has_verified_email() {
        return refuse(
            "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.",
        );
    }
    if holder.account.factors.len() >= MOST {
        return refuse("SECOND_FACTOR_LIMIT_EXCEEDED");
    }
    identity.accept_change(&holder.account, &holder.sign_in)
}

fn accept_number(account: &Account, number: &str) -> Answer<()> {
    if account.factors.iter().any(|factor| factor.phone_number.as_deref() == Some(number)) {
        return refuse(
            "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.",
        );
    }
    Ok(())
}

/// `mfaEnrollment:finalize`
pub async fn finish_enrolment(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let holder = identity.holder(body.text("idToken")?).await?;
    accept_enrolment(identity, &holder)?;
    let now = identity.clock.now();
    let name = body.filled("displayName")?.map(|name| clean_name(name, LONGEST_NAME + 1));
    if name.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME) {
        return refuse("INVALID_DISPLAY_NAME : At most 256 characters.");
    }
    let id = Id::<Factor>::new(&identity.clock, &identity.random).to_string();
    let mut tx;
    let factor = if let Some(info) = body.object("phoneVerificationInfo")? {
        let proven = call.proven_number(info.filled("sessionInfo")?, info.filled("code")?).await?;
        accept_number(&holder.account, &proven.number)?;
        tx = identity.db.begin().await?;
        proven.spend(identity, &mut tx).await?;
        Factor::phone(id, proven.number.clone(), name, now)
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let (key, step) = first_code(call, &holder.account, &info).await?;
        tx = identity.db.begin().await?;
        let (phone_number, last_step) = (None, Some(step));
        let sealed_key = Some(identity.sealed(APP_KEY, &key)?);
        Factor { id, phone_number, sealed_key, last_step, display_name: name, enrolled_at: now }
    } else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    put(&mut tx, &holder.account.id, &factor).await?;
    let shown = if factor.phone_number.is_some() { "phoneAuthInfo" } else { "totpAuthInfo" };
    let mut answer =
        renewed(call, &mut tx, holder, Some(factor.as_proof()), "factor_enrolled").await?;
    tx.commit().await?;
    if !identity.is_lax() {
        answer[shown] = json!({});
    }
    Ok(answer)
}

/// The key that an app was given, and the step of its first code.
async fn first_code(call: &Call<'_>, account: &Account, info: &Body) -> Answer<(String, i64)> {
    let identity = call.identity;
    let Some(session) = info.filled("sessionInfo")? else { return refuse("MISSING_SESSION_INFO") };
    let Some(code) = info.filled("verificationCode")? else { return refuse("MISSING_CODE") };
    let Some(enrolment) = identity.unsealed::<Enrolment>(ENROLMENT, session) else {
        return refuse("INVALID_SESSION_INFO");
    };
    if enrolment.account != account.id {
        return refuse("INVALID_SESSION_INFO");
    }
    if enrolment.until <= identity.clock.now() {
        return refuse("SESSION_EXPIRED");
    }
    if account.factors.iter().any(|factor| factor.sealed_key.is_some()) {
        return refuse("SECOND_FACTOR_EXISTS : An authenticator app is enrolled already.");
    }
    count_guess(call, account).await?;
    let key = totp::Key::from_text(&enrolment.key);
    let step = key.and_then(|key| totp::matches(&key, code, identity.clock.now(), None));
    match step {
        Some(step) => Ok((enrolment.key, step)),
        None => refuse("INVALID_CODE"),
    }
}

/// An app's codes can be guessed like passwords, so guesses are counted like them.
async fn count_guess(call: &Call<'_>, account: &Account) -> Answer<()> {
    if call.may(APP_CODES, account.id.as_str(), CODES).await? { Ok(()) } else { refuse(TOO_MANY) }
}

/// New tokens for whoever changed the factors; all other sessions end, because they were opened
/// under other rules.
async fn renewed(
    call: &Call<'_>,
    tx: &mut Tx,
    holder: Holder,
    second_factor: Option<SecondFactor>,
    event: &'static str,
) -> Answer {
    let Holder { mut account, sign_in, .. } = holder;
    if call.identity.is_lax() {
        accounts::touch(tx, &account).await?;
    } else {
        account.revoke(call.identity.clock.now());
        accounts::put(tx, &account).await?;
    }
    revoke_all(tx, &account.id).await?;
    call.identity.note(tx, call.event(event), Some(&account.id)).await?;
    let sign_in = SignIn { second_factor, ..sign_in };
    let tokens = call.identity.issue(tx, &account, &sign_in, call.agent.as_deref()).await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}

/// `mfaEnrollment:withdraw`
pub async fn withdraw(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let holder = identity.holder(body.text("idToken")?).await?;
    let wanted = body.text("mfaEnrollmentId")?.unwrap_or_default();
    if !holder.account.factors.iter().any(|factor| factor.id == wanted) {
        return refuse("MFA_ENROLLMENT_NOT_FOUND");
    }
    identity.accept_change(&holder.account, &holder.sign_in)?;
    let mut tx = identity.db.begin().await?;
    tx.query("delete from second_factors where account = $1 and id = $2")
        .bind(&holder.account.id)
        .bind(wanted)
        .execute()
        .await?;
    tx.query("update accounts set factors_withdrawn = $2 where id = $1")
        .bind(&holder.account.id)
        .bind(true)
        .execute()
        .await?;
    // A session that showed this factor has shown one that is gone.
    let shown = holder.sign_in.second_factor.clone().filter(|factor| factor.id != wanted);
    let mut answer = renewed(call, &mut tx, holder, shown, "factor_withdrawn").await?;
    tx.commit().await?;
    answer["expiresIn"] = LIVES.as_secs().to_string().into();
    Ok(answer)
}

/// The first proof, shown, until the second one follows.
#[derive(Serialize, Deserialize)]
struct Pending {
    account: AccountId,
    /// A password that was changed since proves nothing any more.
    generation: i64,
    sign_in: SignIn,
}

/// What somebody holds who has shown the first proof.
pub fn pending(identity: &Identity, account: &Account, sign_in: &SignIn) -> Result<String> {
    let (id, generation) = (account.id.clone(), account.token_generation);
    let pending = Pending { account: id, generation, sign_in: sign_in.clone() };
    identity.sealed(PENDING, &pending)
}

/// The sign-in behind a pending credential, while it is good.
async fn waiting(identity: &Identity, credential: &str) -> Answer<(Account, SignIn)> {
    let Some(Pending { account, generation, sign_in }) = identity.unsealed(PENDING, credential)
    else {
        return refuse("INVALID_MFA_PENDING_CREDENTIAL");
    };
    let account = accounts::by_id(&identity.db, account.as_str()).await?;
    let too_late = identity.clock.now().since(sign_in.auth_time) > WAITS;
    match account {
        Some(account) if account.disabled => refuse("USER_DISABLED"),
        Some(account) if !too_late && generation == account.token_generation => {
            Ok((account, sign_in))
        }
        _ => refuse("INVALID_MFA_PENDING_CREDENTIAL"),
    }
}

fn factor<'a>(account: &'a Account, id: &str) -> Answer<&'a Factor> {
    match account.factors.iter().find(|factor| factor.id == id) {
        Some(factor) => Ok(factor),
        None => refuse("MFA_ENROLLMENT_NOT_FOUND"),
    }
}

/// `mfaSignIn:start`: sends the code to a phone. An app needs no start.
pub async fn start_sign_in(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(credential) = body.filled("mfaPendingCredential")? else {
        return refuse(
            "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.",
        );
    };
    let Some(wanted) = body.filled("mfaEnrollmentId")? else {
        return refuse("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.");
    };
    let (account, _) = waiting(identity, credential).await?;
    let Some(number) = &factor(&account, wanted)?.phone_number else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    let session = identity.send_code(call, number, Purpose::EnrolledFactor).await?;
    Ok(json!({ "phoneResponseInfo": { "sessionInfo": session } }))
}

/// `mfaSignIn:finalize`
pub async fn finish_sign_in(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(credential) = body.filled("mfaPendingCredential")? else {
        return refuse("MISSING_CREDENTIAL : Please set MFA Pending Credential.");
    };
    let (mut account, mut sign_in) = waiting(identity, credential).await?;
    let mut tx;
    let shown = if let Some(info) = body.object("phoneVerificationInfo")? {
        let proven = call.proven_number(info.filled("sessionInfo")?, info.filled("code")?).await?;
        let mut factors = account.factors.iter();
        let number = Some(proven.number.as_str());
        let Some(factor) = factors.find(|factor| factor.phone_number.as_deref() == number) else {
            return refuse("MFA_ENROLLMENT_NOT_FOUND");
        };
        tx = identity.db.begin().await?;
        proven.spend(identity, &mut tx).await?;
        factor.as_proof()
    } else if let Some(info) = body.object("totpVerificationInfo")? {
        let Some(wanted) = body.filled("mfaEnrollmentId")? else {
            return refuse("MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.");
        };
        let Some(code) = info.filled("verificationCode")? else { return refuse("MISSING_CODE") };
        let factor = factor(&account, wanted)?;
        count_guess(call, &account).await?;
        let key = factor.sealed_key.as_deref();
        let key = key.and_then(|sealed| identity.unsealed::<String>(APP_KEY, sealed));
        let key = key.and_then(|text| totp::Key::from_text(&text));
        let now = identity.clock.now();
        let step = key.and_then(|key| totp::matches(&key, code, now, factor.last_step));
        let Some(step) = step else { return refuse("INVALID_CODE") };
        tx = identity.db.begin().await?;
        // Of two who show the same code at once, one is late.
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
        attempts::succeeded(&mut tx, APP_CODES, account.id.as_str(), call.address).await?;
        factor.as_proof()
    } else {
        return refuse("INVALID_ARGUMENT : MFA provider not supported!");
    };
    sign_in.second_factor = Some(shown);
    sign_in.auth_time = identity.clock.now();
    let event = call.event("sign_in");
    let tokens = identity.open_session(&mut tx, &mut account, sign_in, event).await?;
    tx.commit().await?;
    Ok(json!({ "idToken": tokens.id_token, "refreshToken": tokens.refresh_token }))
}
