//! E-mail codes (the protocol's out-of-band or "OOB" codes) and the links that contain them. A code works
//! once, for a limited time, for one purpose.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::{Clock, Db, Random, Result, Timestamp, Tx};

use crate::accounts::{self, Account, AccountId};
use crate::crypto::hash_token;
use crate::emulator_mode::Emulator;
use crate::wire::{ApiResult, refuse};

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
        match self {
            Self::VerifyEmail => "VERIFY_EMAIL",
            Self::ResetPassword => "PASSWORD_RESET",
            Self::ChangeEmail => "VERIFY_AND_CHANGE_EMAIL",
            Self::RecoverEmail => "RECOVER_EMAIL",
            Self::SignIn => "EMAIL_SIGNIN",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// `mode` in the link.
    fn link_mode(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verifyEmail",
            Self::ResetPassword => "resetPassword",
            Self::ChangeEmail => "verifyAndChangeEmail",
            Self::RecoverEmail => "recoverEmail",
            Self::SignIn => "signIn",
        }
    }

    fn ttl(self) -> Duration {
        match self {
            Self::ResetPassword | Self::SignIn => HOUR,
            Self::VerifyEmail | Self::ChangeEmail => 72 * HOUR,
            Self::RecoverEmail => 30 * 24 * HOUR,
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

pub struct EmailCodes {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    /// The page that applies a code.
    pub action_url: String,
    pub api_key: String,
    pub emulator: Option<Arc<Emulator>>,
}

impl EmailCodes {
    /// Creates a code and the link that contains it.
    pub async fn create(&self, tx: &mut Tx, new: &NewCode<'_>) -> Result<CreatedCode> {
        let code = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let now = self.clock.now();
        tx.query(
            "insert into mail_codes (hash, kind, email, new_email, account, expires_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(hash_token(&code))
        .bind(new.kind.name())
        .bind(new.address)
        .bind(new.new_address)
        .bind(new.account.as_ref().map(|id| id.as_str().to_owned()))
        .bind(now.plus(new.kind.ttl()))
        .bind(now)
        .execute()
        .await?;
        let mut link = form_urlencoded::Serializer::new(format!("{}?", self.action_url));
        link.append_pair("mode", new.kind.link_mode())
            .append_pair("lang", "en")
            .append_pair("oobCode", &code)
            .append_pair("apiKey", &self.api_key);
        if let Some(continue_url) = new.continue_url {
            link.append_pair("continueUrl", continue_url);
        }
        let link = link.finish().replacen("?&", "?", 1);
        if let Some(emulator) = &self.emulator {
            emulator.oob_created(new.kind.name(), new.address, new.new_address, &code, &link);
        }
        Ok(CreatedCode { code, link })
    }

    /// A code that exists and has not expired.
    pub async fn find(&self, code: Option<&str>) -> ApiResult<EmailCode> {
        let Some(code) = code else { return refuse("MISSING_OOB_CODE") };
        let found: Option<EmailCode> = self
            .db
            .query(
                "select hash, kind, email, new_email, account, expires_at from mail_codes where hash = $1",
            )
            .bind(hash_token(code))
            .optional()
            .await?;
        match found {
            None => refuse("INVALID_OOB_CODE"),
            Some(code) if code.expires_at <= self.clock.now() => refuse("EXPIRED_OOB_CODE"),
            Some(code) => Ok(code),
        }
    }

    /// The account that a code is for.
    pub async fn account(&self, code: &EmailCode) -> ApiResult<Account> {
        let account = match &code.account {
            Some(id) => accounts::find_by_id(&self.db, id).await?,
            None => None,
        };
        match account {
            None => refuse("INVALID_OOB_CODE"),
            Some(account) if account.disabled => refuse("USER_DISABLED"),
            Some(account) => Ok(account),
        }
    }

    /// Deletes a code. Of two concurrent calls, one fails.
    pub async fn consume(&self, tx: &mut Tx, code: &EmailCode) -> ApiResult<()> {
        if let Some(emulator) = &self.emulator {
            emulator.oob_used(&code.hash);
        }
        let deleted = tx
            .query("delete from mail_codes where hash = $1")
            .bind(code.hash.as_str())
            .execute()
            .await?;
        if deleted == 1 { Ok(()) } else { refuse("INVALID_OOB_CODE") }
    }
}
