//! E-mail codes (the protocol's out-of-band or "OOB" codes): verify an e-mail address, reset a password,
//! change an address, undo that, sign in by link. A code works once, for a limited time, for one purpose.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::{EmailAddress, Result, Timestamp, Tx, mail};
use serde_json::json;

use crate::Identity;
use crate::account_api::update_response;
use crate::accounts::{self, Account, AccountId};
use crate::emails::{self, code_email};
use crate::http::Call;
use crate::protocol::{ApiResult, refuse};
use crate::rate_limit::EMAILS_PER_MAILBOX;
use crate::sessions::{hash_token, revoke_sessions};
use crate::sign_in::{UNVERIFIED_EMAIL, check_password};

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
    fn name(self) -> &'static str {
        match self {
            Self::VerifyEmail => "VERIFY_EMAIL",
            Self::ResetPassword => "PASSWORD_RESET",
            Self::ChangeEmail => "VERIFY_AND_CHANGE_EMAIL",
            Self::RecoverEmail => "RECOVER_EMAIL",
            Self::SignIn => "EMAIL_SIGNIN",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
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
struct EmailCode {
    hash: String,
    kind: String,
    email: String,
    new_email: Option<String>,
    account: Option<String>,
    expires_at: Timestamp,
}

impl EmailCode {
    fn kind(&self) -> Option<CodeKind> {
        CodeKind::from_name(&self.kind)
    }
}

/// In the protocol's order: an enum value may be sent as its number.
const REQUEST_TYPES: &[&str] = &[
    "OOB_REQ_TYPE_UNSPECIFIED",
    "PASSWORD_RESET",
    "OLD_EMAIL_AGREE",
    "NEW_EMAIL_ACCEPT",
    "VERIFY_EMAIL",
    "RECOVER_EMAIL",
    "EMAIL_SIGNIN",
    "VERIFY_AND_CHANGE_EMAIL",
];

/// `accounts:sendOobCode`: sends a code to the address that it is for. An admin may get the link instead.
pub async fn send_code(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let kind = match body.enum_value("requestType", REQUEST_TYPES)? {
        None | Some("OOB_REQ_TYPE_UNSPECIFIED") => return refuse("MISSING_REQ_TYPE"),
        Some(name) => CodeKind::from_name(name).filter(|kind| *kind != CodeKind::RecoverEmail),
    };
    let Some(kind) = kind else { return refuse("INVALID_REQ_TYPE") };
    let wants_link = body.bool("returnOobLink")? == Some(true);
    if wants_link && !call.admin {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    let continue_url = body.filled("continueUrl")?;
    if let Some(continue_url) = continue_url {
        identity.check_continue_url(continue_url)?;
    }
    if !call.admin && !call.within_network_limit("emails").await? {
        return refuse("RESET_PASSWORD_EXCEED_LIMIT");
    }
    let Recipient { address, new_address, account } = match kind {
        CodeKind::VerifyEmail | CodeKind::ChangeEmail => recipient_from_session(call, kind).await?,
        _ => recipient_from_email(call)?,
    };
    let mut answer =
        json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": address });
    // Counted before the account is looked up, so that the limit also slows down probing for accounts.
    let recipient = new_address.as_deref().unwrap_or(&address);
    if !call.admin && !within_mailbox_limit(call, kind, recipient).await? {
        return match account {
            Some(_) => refuse("RESET_PASSWORD_EXCEED_LIMIT"),
            // Not an error: the caller may not be the owner, whose mailbox has received enough e-mails.
            None => Ok(answer),
        };
    }
    if let Some(new) = &new_address
        && accounts::find_id_by_email(&identity.db, new).await?.is_some()
    {
        return refuse("EMAIL_EXISTS");
    }
    let account = match account {
        Some(account) => Some(account),
        None => accounts::find_id_by_email(&identity.db, &address).await?,
    };
    let deliver = account.is_some() || kind == CodeKind::SignIn;
    if !deliver && identity.reveals_accounts() {
        return refuse("EMAIL_NOT_FOUND");
    }
    if !deliver && (identity.is_emulator() || call.admin) {
        return Ok(answer);
    }
    let mut tx = identity.db.begin().await?;
    let new_address = new_address.as_deref();
    let new = NewCode { kind, address: &address, new_address, account, continue_url };
    let created = identity.create_email_code(&mut tx, &new).await?;
    if wants_link {
        answer["oobCode"] = created.code.into();
        answer["oobLink"] = created.link.into();
    } else {
        identity.enqueue_email(&mut tx, &new, &created.link, deliver)?;
    }
    identity.record_event(&mut tx, call.event("code_sent"), new.account.as_ref()).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Counts an e-mail to a mailbox. Password resets have their own limit, so that others cannot use it up
/// with other e-mails; so has a known device.
async fn within_mailbox_limit(call: &Call<'_>, kind: CodeKind, recipient: &str) -> ApiResult<bool> {
    let kind = if kind == CodeKind::ResetPassword { "resets" } else { "codes" };
    let address = EmailAddress::parse(recipient);
    let mailbox = address.map_or_else(|| recipient.to_owned(), |address| address.mailbox());
    let by_device = call.known_device(recipient).map(|device| format!(" by device {device}"));
    let key = format!("{kind} to {mailbox}{}", by_device.unwrap_or_default());
    call.within_limits(&[(key, EMAILS_PER_MAILBOX)]).await
}

/// The address that a code is for, and its account where a token proves it.
struct Recipient {
    address: String,
    new_address: Option<String>,
    account: Option<AccountId>,
}

/// The address of the signed-in account; an admin may name any account.
async fn recipient_from_session(call: &Call<'_>, kind: CodeKind) -> ApiResult<Recipient> {
    let Call { identity, body, .. } = call;
    let token = body.filled("idToken")?;
    let new_address = match (kind, body.filled("newEmail")?) {
        (CodeKind::ChangeEmail, None) => return refuse("MISSING_NEW_EMAIL"),
        (CodeKind::ChangeEmail, Some(new)) => match identity.email(new) {
            Some(new) => Some(new),
            None => return refuse("INVALID_NEW_EMAIL"),
        },
        _ => None,
    };
    let account = if call.admin && token.is_none() {
        let Some(address) = body.filled("email")?.and_then(|text| identity.email(text)) else {
            return refuse("MISSING_EMAIL");
        };
        match accounts::find_by_email(&identity.db, &address).await? {
            Some(account) => account,
            None => return refuse("USER_NOT_FOUND"),
        }
    } else if kind == CodeKind::VerifyEmail && token.is_none() {
        return refuse("INVALID_ID_TOKEN");
    } else {
        let session = identity.authenticate(token).await?;
        if kind == CodeKind::ChangeEmail {
            identity.check_recent_auth(&session.account, &session.sign_in)?;
        }
        session.account
    };
    let Some(address) = account.email.clone() else { return refuse("MISSING_EMAIL") };
    Ok(Recipient { address, new_address, account: Some(account.id) })
}

fn recipient_from_email(call: &Call<'_>) -> ApiResult<Recipient> {
    let Call { identity, body, .. } = call;
    let Some(text) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = identity.email(text) else {
        let code = if identity.reveals_accounts() { "EMAIL_NOT_FOUND" } else { "INVALID_EMAIL" };
        return refuse(code);
    };
    Ok(Recipient { address, new_address: None, account: None })
}

/// Creates a code for an account and enqueues the e-mail.
pub async fn enqueue_code(
    call: &Call<'_>,
    tx: &mut Tx,
    kind: CodeKind,
    to: &str,
    account: &Account,
) -> ApiResult<()> {
    let new = NewCode {
        kind,
        address: to,
        new_address: None,
        account: Some(account.id.clone()),
        continue_url: None,
    };
    let created = call.identity.create_email_code(tx, &new).await?;
    Ok(call.identity.enqueue_email(tx, &new, &created.link, true)?)
}

/// The values of a code to create.
struct NewCode<'o> {
    kind: CodeKind,
    address: &'o str,
    new_address: Option<&'o str>,
    account: Option<AccountId>,
    /// Where the action page leads afterwards.
    continue_url: Option<&'o str>,
}

struct CreatedCode {
    code: String,
    link: String,
}

impl Identity {
    /// Creates a code and the link that contains it.
    async fn create_email_code(&self, tx: &mut Tx, new: &NewCode<'_>) -> Result<CreatedCode> {
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
        let page = if self.is_emulator() { "/emulator/action" } else { "/auth/action" };
        let mut link = form_urlencoded::Serializer::new(format!("{}{page}?", self.origin()));
        link.append_pair("mode", new.kind.link_mode())
            .append_pair("lang", "en")
            .append_pair("oobCode", &code)
            .append_pair("apiKey", &self.settings.api_key);
        if let Some(continue_url) = new.continue_url {
            link.append_pair("continueUrl", continue_url);
        }
        let link = link.finish().replacen("?&", "?", 1);
        if let Some(emulator) = self.emulator() {
            emulator.oob_created(new.kind.name(), new.address, new.new_address, &code, &link);
        }
        Ok(CreatedCode { code, link })
    }

    /// Enqueues the e-mail with the link; an emulator lists its codes instead. An undeliverable e-mail
    /// is enqueued as a decoy, so that the response takes as long.
    fn enqueue_email(&self, tx: &mut Tx, new: &NewCode<'_>, link: &str, send: bool) -> Result<()> {
        // An account from before addresses were validated strictly may have an invalid one.
        let recipient = EmailAddress::parse(new.new_address.unwrap_or(new.address));
        let Some(recipient) = recipient.filter(|_| !self.is_emulator()) else { return Ok(()) };
        let email = code_email(self.shop_name(), new.kind, &recipient, new.address, link);
        let enqueue = if send { mail::enqueue } else { mail::enqueue_decoy };
        enqueue(tx, &self.clock, &self.random, &email)
    }

    /// A continue URL must lead to this site or to an authorized domain.
    fn check_continue_url(&self, url: &str) -> ApiResult<()> {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let Some(host) = host.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default())
        else {
            return refuse("INVALID_CONTINUE_URI : ((expected an absolute http or https URI))");
        };
        if url.chars().any(char::is_control) {
            return refuse("INVALID_CONTINUE_URI : ((not an address))");
        }
        // Browsers treat some characters in a host, such as a backslash, as its end.
        let is_host_char = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host_char) {
            return refuse("INVALID_CONTINUE_URI : ((not a host))");
        }
        if self.is_emulator() {
            return Ok(());
        }
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

    pub fn is_allowed_url(&self, url: &str) -> bool {
        self.check_continue_url(url).is_ok()
    }

    /// A code that exists and has not expired.
    async fn find_code(&self, code: Option<&str>) -> ApiResult<EmailCode> {
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

    async fn code_account(&self, code: &EmailCode) -> ApiResult<Account> {
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
}

/// Deletes a code. Of two concurrent calls, one fails.
async fn consume(identity: &Identity, tx: &mut Tx, code: &EmailCode) -> ApiResult<()> {
    if let Some(emulator) = identity.emulator() {
        emulator.oob_used(&code.hash);
    }
    let deleted = tx
        .query("delete from mail_codes where hash = $1")
        .bind(code.hash.as_str())
        .execute()
        .await?;
    if deleted == 1 { Ok(()) } else { refuse("INVALID_OOB_CODE") }
}

/// `accounts:resetPassword`: describes a code, or sets the new password.
pub async fn reset_password(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let code = identity.find_code(body.filled("oobCode")?).await?;
    let Some(password) = body.filled("newPassword")? else {
        let mut answer = json!({
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": code.kind,
        });
        if code.kind() != Some(CodeKind::SignIn) {
            answer["email"] = code.email.clone().into();
        }
        if let Some(new) = &code.new_email {
            answer["newEmail"] = new.clone().into();
        }
        return Ok(answer);
    };
    if code.kind() != Some(CodeKind::ResetPassword) {
        return refuse("INVALID_OOB_CODE");
    }
    check_password(identity, password)?;
    let hash = identity.hasher.hash(password).await?;
    // Loaded after hashing, which takes long enough for concurrent changes.
    let mut account = identity.code_account(&code).await?;
    if account.email.as_deref() != Some(&code.email) {
        return refuse("INVALID_OOB_CODE"); // the address was changed since
    }
    // The code proves the e-mail address, but not who added the other credentials.
    if !account.has_verified_email() || identity.is_emulator() {
        account.drop_unverified();
    }
    account.set_password(hash, identity.clock.now());
    account.email_verified = Some(true);
    let mut tx = identity.db.begin().await?;
    consume(identity, &mut tx, &code).await?;
    accounts::save(&mut tx, &account).await?;
    accounts::save_providers(&mut tx, &account).await?;
    revoke_sessions(&mut tx, &account.id).await?;
    identity.record_event(&mut tx, call.event("password_reset"), Some(&account.id)).await?;
    tx.commit().await?;
    call.remember_device(&code.email);
    Ok(json!({
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": code.kind,
        "email": code.email,
    }))
}

/// `accounts:update` with a code: applies the code.
pub async fn apply_code(call: &Call<'_>) -> ApiResult {
    let identity = call.identity;
    let code = identity.find_code(call.body.filled("oobCode")?).await?;
    let kind = code.kind();
    let mut account = identity.code_account(&code).await?;
    let mut ends_sessions = !identity.is_emulator();
    let mut send_welcome = false;
    match kind {
        Some(CodeKind::VerifyEmail) => {
            if account.email.as_deref() != Some(&code.email) {
                return refuse("INVALID_OOB_CODE");
            }
            send_welcome = !account.has_verified_email();
            account.email_verified = Some(true);
            ends_sessions = false;
        }
        Some(CodeKind::ChangeEmail) => {
            let Some(new) = code.new_email.clone() else { return refuse("INVALID_OOB_CODE") };
            if account.email.as_deref() != Some(&code.email) {
                return refuse("INVALID_OOB_CODE");
            }
            account.email = Some(new);
            account.email_verified = Some(true);
        }
        Some(CodeKind::RecoverEmail) => {
            // Whoever changed the address knows the password or has linked a provider.
            if !identity.is_emulator() {
                account.drop_unverified();
            }
            account.email = Some(code.email.clone());
            account.email_verified = Some(true);
            ends_sessions = true;
        }
        _ => return refuse("INVALID_OOB_CODE"),
    }
    if ends_sessions {
        account.revoke_tokens(identity.clock.now());
    }
    let mut tx = identity.db.begin().await?;
    consume(identity, &mut tx, &code).await?;
    accounts::save(&mut tx, &account).await?;
    if ends_sessions {
        accounts::save_providers(&mut tx, &account).await?;
        revoke_sessions(&mut tx, &account.id).await?;
        // The old address may undo the change; undoing it also offers a password reset.
        let next = match kind {
            Some(CodeKind::ChangeEmail) => CodeKind::RecoverEmail,
            _ => CodeKind::ResetPassword,
        };
        if !identity.is_emulator() {
            enqueue_code(call, &mut tx, next, &code.email, &account).await?;
        }
    }
    if send_welcome {
        emails::enqueue_welcome(identity, &mut tx, &code.email)?;
    }
    identity.record_event(&mut tx, call.event("code_used"), Some(&account.id)).await?;
    tx.commit().await?;
    let mut answer = update_response(identity, &account);
    if kind == Some(CodeKind::ChangeEmail) {
        answer["newEmail"] = account.email.into();
    }
    Ok(answer)
}

/// `accounts:signInWithEmailLink`
pub async fn sign_in_with_link(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(address) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let code = identity.find_code(body.filled("oobCode")?).await?;
    if code.kind() != Some(CodeKind::SignIn) {
        return refuse("INVALID_OOB_CODE");
    }
    let Some(address) = identity.email(address).filter(|address| *address == code.email) else {
        return refuse(
            "INVALID_EMAIL : The email provided does not match the sign-in email address.",
        );
    };
    let known = accounts::find_by_email(&identity.db, &address).await?;
    let is_new = known.is_none() && body.filled("idToken")?.is_none();
    let mut account = match body.filled("idToken")? {
        Some(token) => {
            let session = identity.authenticate(Some(token)).await?;
            identity.check_link_allowed(&session)?;
            let account = session.account;
            // The code proves the new address, but the old one would not be notified.
            let other = account.email.as_ref().is_some_and(|own| *own != address);
            if other && !identity.is_emulator() {
                return refuse(UNVERIFIED_EMAIL);
            }
            if known.is_some_and(|known| known.id != account.id) {
                return refuse("EMAIL_EXISTS");
            }
            account
        }
        None => known.unwrap_or_else(|| {
            Account::new(AccountId::new(&identity.clock, &identity.random), identity.clock.now())
        }),
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    let mut tx = identity.db.begin().await?;
    // Somebody else may have signed up with this address.
    let known = body.filled("idToken")?.is_none() && !is_new;
    if known && !account.has_verified_email() && !identity.is_emulator() {
        account.drop_unverified_profile();
        account.revoke_tokens(identity.clock.now());
        accounts::bump_revision(&mut tx, &account).await?;
        account = account.after_bump();
        accounts::save_providers(&mut tx, &account).await?;
        revoke_sessions(&mut tx, &account.id).await?;
    }
    if is_new {
        emails::enqueue_welcome(identity, &mut tx, &address)?;
    }
    account.email = Some(address);
    account.email_verified = Some(true);
    account.email_link = true;
    consume(identity, &mut tx, &code).await?;
    let event = call.event("sign_in");
    let outcome = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    tx.commit().await?;
    call.remember_device(&code.email);
    let mut answer = json!({
        "kind": "identitytoolkit#EmailLinkSigninResponse",
        "email": account.email,
        "localId": account.id,
        "isNewUser": is_new,
    });
    outcome.write_to(&mut answer);
    Ok(answer)
}
