//! E-mail codes (the protocol's out-of-band or "OOB" codes) and the links that contain them. A code works
//! once, for a limited time, for one purpose.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::{Language, Result, Timestamp, Tx};
use serde_json::json;

use crate::accounts::{self, Account, AccountId};
use crate::crypto::hash_token;
use crate::services::Services;
use crate::wire::{ApiResult, refuse, without_nulls};

const HOUR: Duration = Duration::from_secs(3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    VerifyEmail,
    ResetPassword,
    ChangeEmail,
    RecoverEmail,
    SignIn,
}

impl CodeKind {
    const ALL: [Self; 5] = [
        Self::VerifyEmail,
        Self::ResetPassword,
        Self::ChangeEmail,
        Self::RecoverEmail,
        Self::SignIn,
    ];

    /// `requestType` in the protocol.
    pub fn name(self) -> &'static str {
        self.parts().0
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name, `mode` in the link, and how long a code is valid.
    fn parts(self) -> (&'static str, &'static str, Duration) {
        match self {
            Self::VerifyEmail => ("VERIFY_EMAIL", "verifyEmail", 72 * HOUR),
            Self::ResetPassword => ("PASSWORD_RESET", "resetPassword", HOUR),
            Self::ChangeEmail => ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail", 72 * HOUR),
            Self::RecoverEmail => ("RECOVER_EMAIL", "recoverEmail", 30 * 24 * HOUR),
            Self::SignIn => ("EMAIL_SIGNIN", "signIn", HOUR),
        }
    }
}

#[derive(Debug, sqlx::FromRow)]
pub struct EmailCode {
    hash: String,
    pub kind: String,
    pub email: String,
    pub new_email: Option<String>,
    account: Option<String>,
    expires_at: Timestamp,
}

impl EmailCode {
    pub fn kind(&self) -> Option<CodeKind> {
        CodeKind::from_name(&self.kind)
    }
}

/// The values of a code to create.
pub struct NewCode<'o> {
    pub kind: CodeKind,
    pub address: &'o str,
    pub new_address: Option<&'o str>,
    pub account: Option<AccountId>,
    /// Where the action page leads afterwards.
    pub continue_url: Option<&'o str>,
}

pub struct CreatedCode {
    pub code: String,
    pub link: String,
}

/// Creates a code and the link that contains it.
pub async fn create(
    identity: &Services,
    language: Language,
    tx: &mut Tx,
    new: &NewCode<'_>,
) -> Result<CreatedCode> {
    let code = URL_SAFE_NO_PAD.encode(identity.random.bytes::<32>());
    let (now, (name, mode, ttl)) = (identity.clock.now(), new.kind.parts());
    tx.query(
        "insert into mail_codes (hash, kind, email, new_email, account, expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(hash_token(&code))
    .bind(name)
    .bind(new.address)
    .bind(new.new_address)
    .bind(new.account.as_ref().map(|id| id.as_str().to_owned()))
    .bind(now.plus(ttl))
    .bind(now)
    .execute()
    .await?;
    let page = match identity.is_emulator() {
        true => format!("{}/emulator/action?", identity.site.origin),
        false => identity.site.url(language, "/auth/action?"),
    };
    let mut link = form_urlencoded::Serializer::new(page);
    link.append_pair("mode", mode)
        .append_pair("lang", language.as_str())
        .append_pair("oobCode", &code)
        .append_pair("apiKey", &identity.settings.api_key);
    if let Some(continue_url) = new.continue_url {
        link.append_pair("continueUrl", continue_url);
    }
    let link = link.finish().replacen("?&", "?", 1);
    if let Some(emulator) = identity.emulator() {
        let entry = json!({
            "email": new.address,
            "newEmail": new.new_address,
            "requestType": name,
            "oobCode": code,
            "oobLink": link,
        });
        emulator.email_codes.add(&code, without_nulls(entry));
    }
    Ok(CreatedCode { code, link })
}

/// A code that exists and has not expired.
pub async fn find(identity: &Services, code: Option<&str>) -> ApiResult<EmailCode> {
    let Some(code) = code else { return refuse("MISSING_OOB_CODE") };
    let found: Option<EmailCode> = identity
    .db
        .query(
            "select hash, kind, email, new_email, account, expires_at from mail_codes where hash = $1",
        )
        .bind(hash_token(code))
        .optional()
        .await?;
    match found {
        None => refuse("INVALID_OOB_CODE"),
        Some(code) if code.expires_at <= identity.clock.now() => refuse("EXPIRED_OOB_CODE"),
        Some(code) => Ok(code),
    }
}

/// The account that a code is for.
pub async fn account(identity: &Services, code: &EmailCode) -> ApiResult<Account> {
    let account = match &code.account {
        Some(id) => accounts::find_by_id(&identity.db, id).await?,
        None => None,
    };
    match account {
        None => refuse("INVALID_OOB_CODE"),
        Some(account) if account.disabled => refuse("USER_DISABLED"),
        Some(account) => Ok(account),
    }
}

/// Deletes a code. Of two concurrent calls, one fails.
pub async fn consume(identity: &Services, tx: &mut Tx, code: &EmailCode) -> ApiResult<()> {
    if let Some(emulator) = identity.emulator() {
        emulator.email_codes.remove(&code.hash);
    }
    let deleted = tx
        .query("delete from mail_codes where hash = $1")
        .bind(code.hash.as_str())
        .execute()
        .await?;
    if deleted == 1 { Ok(()) } else { refuse("INVALID_OOB_CODE") }
}
