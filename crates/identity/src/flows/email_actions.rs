//! E-mail actions, by the protocol's out-of-band or "OOB" codes: verify an e-mail address, reset a
//! password, change an address, undo that, sign in by link.

use platform::{EmailAddress, Result, Tx};
use serde_json::json;

use super::account_json::update_response;
use super::call::Call;
use super::emails;
use crate::accounts::{self, Account, AccountId};
use crate::email_codes::{self, CodeKind, NewCode};
use crate::rate_limit::{EMAILS_PER_MAILBOX, PER_NETWORK};
use crate::services::Services;
use crate::sessions::{self, revoke_sessions};
use crate::wire::{ApiResult, UNVERIFIED_EMAIL, refuse, without_nulls};

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
        check_continue_url(identity, continue_url)?;
    }
    let network = call.network_limit("emails", PER_NETWORK);
    if !call.admin && !call.within_limits(network).await? {
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
    let created = email_codes::create(identity, call.language, &mut tx, &new).await?;
    if wants_link {
        answer["oobCode"] = created.code.into();
        answer["oobLink"] = created.link.into();
    } else {
        emails::enqueue_link(call, &mut tx, &new, &created.link, deliver)?;
    }
    call.record(&mut tx, "code_sent", new.account.as_ref()).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Counts an e-mail to a mailbox. Password resets have their own limit, so that others cannot use it up
/// with other e-mails; so has a known device.
async fn within_mailbox_limit(call: &Call<'_>, kind: CodeKind, recipient: &str) -> Result<bool> {
    let kind = if kind == CodeKind::ResetPassword { "resets" } else { "codes" };
    let address = EmailAddress::parse(recipient);
    let mailbox = address.map_or_else(|| recipient.to_owned(), |address| address.mailbox());
    let by_device = call.known_device(recipient).map(|device| format!(" by device {device}"));
    let key = format!("{kind} to {mailbox}{}", by_device.unwrap_or_default());
    call.within_limits([(key, EMAILS_PER_MAILBOX)]).await
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
        let session = sessions::authenticate(identity, token).await?;
        if kind == CodeKind::ChangeEmail {
            sessions::check_recent_auth(identity, &session.account, &session.sign_in)?;
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
    let created = email_codes::create(call.identity, call.language, tx, &new).await?;
    Ok(emails::enqueue_link(call, tx, &new, &created.link, true)?)
}

/// A continue URL must lead to this site or to an authorized domain.
fn check_continue_url(identity: &Services, url: &str) -> ApiResult<()> {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(host) = host.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default()) else {
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
    if identity.is_emulator() {
        return Ok(());
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let own = identity.site.origin.split_once("://").map_or("", |(_, host)| host);
    let known = host == own
        || identity.settings.authorized_domains.iter().any(|known| {
            name == known || name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'))
        });
    if known { Ok(()) } else { refuse("UNAUTHORIZED_DOMAIN : Domain not allowlisted by project") }
}

pub fn is_allowed_url(identity: &Services, url: &str) -> bool {
    check_continue_url(identity, url).is_ok()
}

/// `accounts:resetPassword`: describes a code, or sets the new password.
pub async fn reset_password(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let code = email_codes::find(identity, body.filled("oobCode")?).await?;
    let Some(password) = body.filled("newPassword")? else {
        return Ok(without_nulls(json!({
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": code.kind,
            "email": (code.kind() != Some(CodeKind::SignIn)).then_some(&code.email),
            "newEmail": code.new_email,
        })));
    };
    if code.kind() != Some(CodeKind::ResetPassword) {
        return refuse("INVALID_OOB_CODE");
    }
    identity.hasher.check_policy(password)?;
    let hash = identity.hasher.hash(password).await?;
    // Loaded after hashing, which takes long enough for concurrent changes.
    let mut account = email_codes::account(identity, &code).await?;
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
    email_codes::consume(identity, &mut tx, &code).await?;
    accounts::save(&mut tx, &account).await?;
    accounts::save_providers(&mut tx, &account).await?;
    revoke_sessions(&mut tx, &account.id).await?;
    call.record(&mut tx, "password_reset", Some(&account.id)).await?;
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
    let code = email_codes::find(identity, call.body.filled("oobCode")?).await?;
    let kind = code.kind();
    let mut account = email_codes::account(identity, &code).await?;
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
    email_codes::consume(identity, &mut tx, &code).await?;
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
        emails::enqueue_welcome(call, &mut tx, &code.email)?;
    }
    call.record(&mut tx, "code_used", Some(&account.id)).await?;
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
    let code = email_codes::find(identity, body.filled("oobCode")?).await?;
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
            let session = sessions::authenticate(identity, Some(token)).await?;
            sessions::check_link_allowed(identity, &session)?;
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
        None => known.unwrap_or_else(|| identity.new_account()),
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
        emails::enqueue_welcome(call, &mut tx, &address)?;
    }
    account.email = Some(address);
    account.email_verified = Some(true);
    account.email_link = true;
    email_codes::consume(identity, &mut tx, &code).await?;
    let outcome = call.begin_session(&mut tx, &mut account, "password", "sign_in").await?;
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
