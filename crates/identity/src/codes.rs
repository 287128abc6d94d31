//! Codes that go out by mail: to prove an address, to choose a new password, to change the address, to
//! undo that, to sign in. Each works once, for a while, for the one thing it was made for.

use std::time::Duration;

use base::mail::{self, Letter, Words};
use base::{Result, Timestamp, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use crate::Identity;
use crate::accounts::{self, Account};
use crate::http::Call;
use crate::profile::updated;
use crate::protocol::{Answer, email, refuse};
use crate::sessions::{hash, revoke_all};
use crate::sign_in::accept;

const HOUR: Duration = Duration::from_secs(3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    VerifyEmail,
    ResetPassword,
    ChangeEmail,
    RecoverEmail,
    SignIn,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::VerifyEmail,
        Self::ResetPassword,
        Self::ChangeEmail,
        Self::RecoverEmail,
        Self::SignIn,
    ];

    /// The protocol's name.
    fn name(self) -> &'static str {
        match self {
            Self::VerifyEmail => "VERIFY_EMAIL",
            Self::ResetPassword => "PASSWORD_RESET",
            Self::ChangeEmail => "VERIFY_AND_CHANGE_EMAIL",
            Self::RecoverEmail => "RECOVER_EMAIL",
            Self::SignIn => "EMAIL_SIGNIN",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What the link in the letter says it is for.
    fn mode(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verifyEmail",
            Self::ResetPassword => "resetPassword",
            Self::ChangeEmail => "verifyAndChangeEmail",
            Self::RecoverEmail => "recoverEmail",
            Self::SignIn => "signIn",
        }
    }

    fn lives(self) -> Duration {
        match self {
            Self::ResetPassword | Self::SignIn => HOUR,
            Self::VerifyEmail | Self::ChangeEmail => 72 * HOUR,
            Self::RecoverEmail => 30 * 24 * HOUR,
        }
    }
}

#[derive(Debug, sqlx::FromRow)]
struct Code {
    hash: String,
    kind: String,
    email: String,
    new_email: Option<String>,
    account: Option<String>,
    expires_at: Timestamp,
}

impl Code {
    fn kind(&self) -> Option<Kind> {
        Kind::named(&self.kind)
    }
}

/// `accounts:sendOobCode`: sends a code to the address that it is for, and to nobody else.
pub async fn send(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(kind) = body.filled("requestType")? else { return refuse("MISSING_REQ_TYPE") };
    let kind = match Kind::named(kind) {
        Some(Kind::RecoverEmail) | None => return refuse("INVALID_REQ_TYPE"),
        Some(kind) => kind,
    };
    let back = body.filled("continueUrl")?;
    if let Some(back) = back {
        identity.accept_continue_url(back)?;
    }
    let asked = body.filled("email")?.map(|text| email(text).ok_or("INVALID_EMAIL")).transpose();
    let asked = match asked {
        Ok(asked) => asked,
        Err(code) => return refuse(code),
    };
    let (address, new_address, account) = match kind {
        Kind::VerifyEmail => {
            let account = identity.holder(body.text("idToken")?).await?.account;
            let Some(address) = account.email.clone() else { return refuse("MISSING_EMAIL") };
            (address, None, Some(account))
        }
        Kind::ChangeEmail => {
            let holder = identity.holder(body.text("idToken")?).await?;
            identity.recent(&holder.sign_in)?;
            let Some(new) = body.filled("newEmail")? else { return refuse("MISSING_NEW_EMAIL") };
            let Some(new) = email(new) else { return refuse("INVALID_NEW_EMAIL") };
            if accounts::by_email(&identity.db, &new).await?.is_some() {
                return refuse("EMAIL_EXISTS");
            }
            let old = holder.account.email.clone().unwrap_or_default();
            (old, Some(new), Some(holder.account))
        }
        Kind::ResetPassword | Kind::SignIn | Kind::RecoverEmail => {
            let Some(address) = asked else { return refuse("MISSING_EMAIL") };
            let account = accounts::by_email(&identity.db, &address).await?;
            (address, None, account)
        }
    };
    let recipient = new_address.as_deref().unwrap_or(&address).to_owned();
    if !identity.attempts.allowed(&format!("letters to {recipient}"), call.address).await? {
        return refuse("RESET_PASSWORD_EXCEED_LIMIT");
    }
    // An address without an account gets the same answer and no letter.
    if account.is_some() || kind == Kind::SignIn {
        let mut tx = identity.db.begin().await?;
        let link = identity
            .make_code(&mut tx, kind, &address, new_address.as_deref(), account.as_ref(), back)
            .await?;
        let letter = letter(identity.shop_name(), kind, &recipient, &address, &link);
        mail::post(&mut tx, &identity.clock, &identity.random, &letter).await?;
        identity
            .note(&mut tx, call.event("code_sent"), account.as_ref().map(|account| &account.id))
            .await?;
        tx.commit().await?;
    }
    Ok(json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": address }))
}

fn subject(kind: Kind) -> &'static str {
    match kind {
        Kind::VerifyEmail => "Confirm your e-mail address",
        Kind::ResetPassword => "Choose a new password",
        Kind::ChangeEmail => "Confirm your new e-mail address",
        Kind::RecoverEmail => "Your e-mail address was changed",
        Kind::SignIn => "Your link to sign in",
    }
}

/// What goes out with a code.
fn letter(shop: &str, kind: Kind, to: &str, address: &str, link: &str) -> Letter {
    let (paragraph, label, footnote) = match kind {
        Kind::VerifyEmail => (
            format!("Thank you for signing up. Please confirm that {address} is your address."),
            "Confirm my address",
            "If you did not sign up, nothing happens when you leave this letter alone.",
        ),
        Kind::ResetPassword => (
            format!(
                "Somebody asked to choose a new password for {address}. The link works once, for an hour."
            ),
            "Choose a new password",
            "If it was not you, leave this letter alone: your password stays as it is.",
        ),
        Kind::ChangeEmail => (
            format!("Please confirm that this is to be your address instead of {address}."),
            "Confirm my new address",
            "If you did not ask for this, leave this letter alone.",
        ),
        Kind::RecoverEmail => (
            "The e-mail address of your account was changed. If it was not you, undo it here."
                .to_owned(),
            "That was not me: undo it",
            "If it was you, there is nothing to do.",
        ),
        Kind::SignIn => (
            format!("Here is the link to sign in as {address}. It works once, for an hour."),
            "Sign in",
            "If you did not ask for it, leave this letter alone.",
        ),
    };
    let words = Words {
        shop,
        heading: subject(kind),
        paragraphs: &[&paragraph],
        button: Some((label, link)),
        footnote,
    };
    words.letter(to, subject(kind))
}

impl Identity {
    /// Makes a code and gives the link that carries it.
    async fn make_code(
        &self,
        tx: &mut Tx,
        kind: Kind,
        address: &str,
        new_address: Option<&str>,
        account: Option<&Account>,
        back: Option<&str>,
    ) -> Result<String> {
        let code = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let now = self.clock.now();
        tx.query(
            "insert into mail_codes (hash, kind, email, new_email, account, expires_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(hash(&code))
        .bind(kind.name())
        .bind(address)
        .bind(new_address)
        .bind(account.map(|account| account.id.as_str().to_owned()))
        .bind(now.plus(kind.lives()))
        .bind(now)
        .execute()
        .await?;
        let mut link = form_urlencoded::Serializer::new(format!("{}/auth/action?", self.origin()));
        link.append_pair("mode", kind.mode())
            .append_pair("lang", "en")
            .append_pair("oobCode", &code)
            .append_pair("apiKey", &self.settings.api_key);
        if let Some(back) = back {
            link.append_pair("continueUrl", back);
        }
        Ok(link.finish().replacen("?&", "?", 1))
    }

    /// A link back leads to this shop or to a host that the shopkeeper named.
    fn accept_continue_url(&self, url: &str) -> Answer<()> {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let Some(host) = host.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default())
        else {
            return refuse("INVALID_CONTINUE_URI : ((expected an absolute http or https URI))");
        };
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let own = self.origin().split_once("://").map_or("", |(_, host)| host);
        let known = host == own
            || self.settings.authorized_domains.iter().any(|known| {
                name == known || name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'))
            });
        if known {
            Ok(())
        } else {
            refuse("UNAUTHORIZED_DOMAIN : Domain not allowlisted by project")
        }
    }

    /// A code that is good now, still unused.
    async fn code(&self, code: Option<&str>) -> Answer<Code> {
        let Some(code) = code else { return refuse("MISSING_OOB_CODE") };
        let found: Option<Code> = self
            .db
            .query(
                "select hash, kind, email, new_email, account, expires_at from mail_codes where hash = $1",
            )
            .bind(hash(code))
            .optional()
            .await?;
        match found {
            None => refuse("INVALID_OOB_CODE"),
            Some(code) if code.expires_at <= self.clock.now() => refuse("EXPIRED_OOB_CODE"),
            Some(code) => Ok(code),
        }
    }

    async fn account_of(&self, code: &Code) -> Answer<Account> {
        let account = match &code.account {
            Some(id) => accounts::by_id(&self.db, id).await?,
            None => None,
        };
        match account {
            None => refuse("INVALID_OOB_CODE"),
            Some(account) if account.disabled => refuse("USER_DISABLED"),
            Some(account) => Ok(account),
        }
    }
}

/// Uses a code up; of two who try at once, one finds it gone.
async fn spend(tx: &mut Tx, code: &Code) -> Answer<()> {
    let spent = tx
        .query("delete from mail_codes where hash = $1")
        .bind(code.hash.as_str())
        .execute()
        .await?;
    if spent == 1 { Ok(()) } else { refuse("INVALID_OOB_CODE") }
}

/// `accounts:resetPassword`: says what a code is for, or sets the new password.
pub async fn reset_password(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let code = identity.code(body.filled("oobCode")?).await?;
    let Some(password) = body.filled("newPassword")? else {
        let mut answer = json!({
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": code.kind,
        });
        if code.kind() != Some(Kind::SignIn) {
            answer["email"] = code.email.clone().into();
        }
        if let Some(new) = &code.new_email {
            answer["newEmail"] = new.clone().into();
        }
        return Ok(answer);
    };
    if code.kind() != Some(Kind::ResetPassword) {
        return refuse("INVALID_OOB_CODE");
    }
    accept(password)?;
    let mut account = identity.account_of(&code).await?;
    if account.email.as_deref() != Some(&code.email) {
        return refuse("INVALID_OOB_CODE"); // the address was changed since
    }
    account.set_password(identity.hasher.hash(password).await?, identity.clock.now());
    // Whoever reads mail to this address has shown that it is theirs.
    account.email_verified = true;
    let mut tx = identity.db.begin().await?;
    spend(&mut tx, &code).await?;
    accounts::put(&mut tx, &account).await?;
    revoke_all(&mut tx, &account.id).await?;
    identity.note(&mut tx, call.event("password_reset"), Some(&account.id)).await?;
    tx.commit().await?;
    Ok(json!({
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": code.kind,
        "email": code.email,
    }))
}

/// `accounts:update` with a code: does what the code is for.
pub async fn apply(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    let code = identity.code(call.body.filled("oobCode")?).await?;
    let kind = code.kind();
    let mut account = identity.account_of(&code).await?;
    let mut tx = identity.db.begin().await?;
    match kind {
        Some(Kind::VerifyEmail) => {
            if account.email.as_deref() != Some(&code.email) {
                return refuse("INVALID_OOB_CODE");
            }
            account.email_verified = true;
        }
        Some(Kind::ChangeEmail) => {
            let Some(new) = code.new_email.clone() else { return refuse("INVALID_OOB_CODE") };
            account.initial_email = account.initial_email.or(account.email.clone());
            account.email = Some(new);
            account.email_verified = true;
            account.valid_since = identity.clock.now().0 / 1000;
            revoke_all(&mut tx, &account.id).await?;
            if !code.email.is_empty() {
                let kind = Kind::RecoverEmail;
                let link = identity
                    .make_code(&mut tx, kind, &code.email, None, Some(&account), None)
                    .await?;
                let letter = letter(identity.shop_name(), kind, &code.email, &code.email, &link);
                mail::post(&mut tx, &identity.clock, &identity.random, &letter).await?;
            }
        }
        Some(Kind::RecoverEmail) => {
            account.email = Some(code.email.clone());
            account.email_verified = true;
            account.valid_since = identity.clock.now().0 / 1000;
            revoke_all(&mut tx, &account.id).await?;
        }
        _ => return refuse("INVALID_OOB_CODE"),
    }
    spend(&mut tx, &code).await?;
    accounts::put(&mut tx, &account).await?;
    identity.note(&mut tx, call.event("code_used"), Some(&account.id)).await?;
    tx.commit().await?;
    Ok(updated(&account))
}

/// `accounts:signInWithEmailLink`
pub async fn sign_in_with_link(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(address) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = email(address) else { return refuse("INVALID_EMAIL") };
    let code = identity.code(body.filled("oobCode")?).await?;
    if code.kind() != Some(Kind::SignIn) {
        return refuse("INVALID_OOB_CODE");
    }
    if code.email != address {
        return refuse(
            "INVALID_EMAIL : The email provided does not match the sign-in email address.",
        );
    }
    let known = accounts::by_email(&identity.db, &address).await?;
    let is_new = known.is_none();
    let mut account = match body.text("idToken")? {
        Some(token) => {
            let account = identity.holder(Some(token)).await?.account;
            if known.is_some_and(|known| known.id != account.id) {
                return refuse("EMAIL_EXISTS");
            }
            account
        }
        None => known.unwrap_or_else(|| {
            Account::new(base::Id::new(&identity.clock, &identity.random), identity.clock.now())
        }),
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    account.email = Some(address);
    account.email_verified = true;
    account.email_link = true;
    let mut tx = identity.db.begin().await?;
    spend(&mut tx, &code).await?;
    let event = call.event("sign_in");
    let tokens = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    tx.commit().await?;
    let mut answer = json!({
        "kind": "identitytoolkit#EmailLinkSigninResponse",
        "email": account.email,
        "localId": account.id,
        "isNewUser": is_new,
    });
    tokens.put_into(&mut answer);
    Ok(answer)
}
