//! Codes that go out by mail: to prove an address, to choose a new password, to change the address, to
//! undo that, to sign in. Each works once, for a while, for the one thing it was made for.

use std::time::Duration;

use base::mail;
use base::{EmailAddress, Result, Timestamp, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use crate::Identity;
use crate::accounts::{self, Account, AccountId};
use crate::attempts::EMAILS;
use crate::http::Call;
use crate::letters::{self, letter};
use crate::profile::updated;
use crate::protocol::{Answer, refuse};
use crate::sessions::{hash, revoke_all};
use crate::sign_in::{UNPROVEN_EMAIL, accept};

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

/// The kinds by their places in the protocol's list.
const REQUESTS: &[&str] = &[
    "OOB_REQ_TYPE_UNSPECIFIED",
    "PASSWORD_RESET",
    "OLD_EMAIL_AGREE",
    "NEW_EMAIL_ACCEPT",
    "VERIFY_EMAIL",
    "RECOVER_EMAIL",
    "EMAIL_SIGNIN",
    "VERIFY_AND_CHANGE_EMAIL",
];

/// `accounts:sendOobCode`: sends a code to the address that it is for, and to nobody else; but an
/// admin may have the link instead.
pub async fn send(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let kind = match body.one_of("requestType", REQUESTS)? {
        None | Some("OOB_REQ_TYPE_UNSPECIFIED") => return refuse("MISSING_REQ_TYPE"),
        Some(name) => Kind::named(name).filter(|kind| *kind != Kind::RecoverEmail),
    };
    let Some(kind) = kind else { return refuse("INVALID_REQ_TYPE") };
    let wants_link = body.flag("returnOobLink")? == Some(true);
    if wants_link && !call.admin {
        return refuse("INSUFFICIENT_PERMISSION");
    }
    let back = body.filled("continueUrl")?;
    if let Some(back) = back {
        identity.accept_continue_url(back)?;
    }
    if !call.admin && !call.may_from_here("letters").await? {
        return refuse("RESET_PASSWORD_EXCEED_LIMIT");
    }
    let Asked { address, new_address, account } = match kind {
        Kind::VerifyEmail | Kind::ChangeEmail => own_address(call, kind).await?,
        _ => any_address(call)?,
    };
    let mut answer =
        json!({ "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": address });
    // Counted before anything is looked up by the address, so that nobody learns for nothing who has an
    // account.
    let recipient = new_address.as_deref().unwrap_or(&address);
    if !call.admin && !may_receive(call, kind, recipient).await? {
        return match account {
            Some(_) => refuse("RESET_PASSWORD_EXCEED_LIMIT"),
            // Whoever asked, it may not be the owner, who has got e-mails enough.
            None => Ok(answer),
        };
    }
    if let Some(new) = &new_address
        && accounts::id_by_email(&identity.db, new).await?.is_some()
    {
        return refuse("EMAIL_EXISTS");
    }
    let account = match account {
        Some(account) => Some(account),
        None => accounts::id_by_email(&identity.db, &address).await?,
    };
    let goes_out = account.is_some() || kind == Kind::SignIn;
    if !goes_out && identity.tells_who_exists() {
        return refuse("EMAIL_NOT_FOUND");
    }
    if !goes_out && (identity.is_lax() || call.admin) {
        return Ok(answer);
    }
    let mut tx = identity.db.begin().await?;
    let order =
        Order { kind, address: &address, new_address: new_address.as_deref(), account, back };
    let made = identity.make_code(&mut tx, &order).await?;
    if wants_link {
        answer["oobCode"] = made.code.into();
        answer["oobLink"] = made.link.into();
    } else {
        identity.post_code(&mut tx, &order, &made.link, goes_out)?;
    }
    identity.note(&mut tx, call.event("code_sent"), order.account.as_ref()).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Counts one more e-mail to a mailbox. Resets are counted apart, so that nobody's is used up by other
/// e-mails that strangers ask for; and so is a device that the account was entered on.
async fn may_receive(call: &Call<'_>, kind: Kind, recipient: &str) -> Answer<bool> {
    let kind = if kind == Kind::ResetPassword { "resets" } else { "codes" };
    let address = EmailAddress::parse(recipient);
    let mailbox = address.map_or_else(|| recipient.to_owned(), |address| address.mailbox());
    let by = call.known_device(recipient).map(|device| format!(" by device {device}"));
    let subject = format!("{kind} to {mailbox}{}", by.unwrap_or_default());
    call.may_all(&[(subject, EMAILS)]).await
}

/// Which address a code is asked for, and whose it is where a token says so.
struct Asked {
    address: String,
    new_address: Option<String>,
    account: Option<AccountId>,
}

/// The address of the account that asks; an admin asks for any.
async fn own_address(call: &Call<'_>, kind: Kind) -> Answer<Asked> {
    let Call { identity, body, .. } = call;
    let token = body.filled("idToken")?;
    let new_address = match (kind, body.filled("newEmail")?) {
        (Kind::ChangeEmail, None) => return refuse("MISSING_NEW_EMAIL"),
        (Kind::ChangeEmail, Some(new)) => match identity.email(new) {
            Some(new) => Some(new),
            None => return refuse("INVALID_NEW_EMAIL"),
        },
        _ => None,
    };
    let account = if call.admin && token.is_none() {
        let Some(address) = body.filled("email")?.and_then(|text| identity.email(text)) else {
            return refuse("MISSING_EMAIL");
        };
        match accounts::by_email(&identity.db, &address).await? {
            Some(account) => account,
            None => return refuse("USER_NOT_FOUND"),
        }
    } else if kind == Kind::VerifyEmail && token.is_none() {
        return refuse("INVALID_ID_TOKEN");
    } else {
        let holder = identity.holder(token).await?;
        if kind == Kind::ChangeEmail {
            identity.accept_change(&holder.account, &holder.sign_in)?;
        }
        holder.account
    };
    let Some(address) = account.email.clone() else { return refuse("MISSING_EMAIL") };
    Ok(Asked { address, new_address, account: Some(account.id) })
}

fn any_address(call: &Call<'_>) -> Answer<Asked> {
    let Call { identity, body, .. } = call;
    let Some(text) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = identity.email(text) else {
        let code = if identity.tells_who_exists() { "EMAIL_NOT_FOUND" } else { "INVALID_EMAIL" };
        return refuse(code);
    };
    Ok(Asked { address, new_address: None, account: None })
}

/// Makes a code for an account and posts it to `address`.
pub async fn post(
    call: &Call<'_>,
    tx: &mut Tx,
    kind: Kind,
    to: &str,
    account: &Account,
) -> Answer<()> {
    let order = Order {
        kind,
        address: to,
        new_address: None,
        account: Some(account.id.clone()),
        back: None,
    };
    let made = call.identity.make_code(tx, &order).await?;
    Ok(call.identity.post_code(tx, &order, &made.link, true)?)
}

/// A code to be made.
struct Order<'o> {
    kind: Kind,
    address: &'o str,
    new_address: Option<&'o str>,
    account: Option<AccountId>,
    /// Where the link leads on to.
    back: Option<&'o str>,
}

struct Made {
    code: String,
    link: String,
}

impl Identity {
    /// Makes a code and the link that carries it.
    async fn make_code(&self, tx: &mut Tx, order: &Order<'_>) -> Result<Made> {
        let code = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        let now = self.clock.now();
        tx.query(
            "insert into mail_codes (hash, kind, email, new_email, account, expires_at, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(hash(&code))
        .bind(order.kind.name())
        .bind(order.address)
        .bind(order.new_address)
        .bind(order.account.as_ref().map(|id| id.as_str().to_owned()))
        .bind(now.plus(order.kind.lives()))
        .bind(now)
        .execute()
        .await?;
        let page = if self.is_lax() { "/emulator/action" } else { "/auth/action" };
        let mut link = form_urlencoded::Serializer::new(format!("{}{page}?", self.origin()));
        link.append_pair("mode", order.kind.mode())
            .append_pair("lang", "en")
            .append_pair("oobCode", &code)
            .append_pair("apiKey", &self.settings.api_key);
        if let Some(back) = order.back {
            link.append_pair("continueUrl", back);
        }
        let link = link.finish().replacen("?&", "?", 1);
        if let Some(emulator) = self.emulator() {
            emulator.code_made(order.kind.name(), order.address, order.new_address, &code, &link);
        }
        Ok(Made { code, link })
    }

    /// Posts the letter with the link; an emulator lists its codes instead. One that does not go out is
    /// written all the same, and thrown away later: so the answer takes as long.
    fn post_code(&self, tx: &mut Tx, order: &Order<'_>, link: &str, goes_out: bool) -> Result<()> {
        // An account from before addresses were read strictly may have something else: nothing goes there.
        let recipient = EmailAddress::parse(order.new_address.unwrap_or(order.address));
        let Some(recipient) = recipient.filter(|_| !self.is_lax()) else { return Ok(()) };
        let letter = letter(self.shop_name(), order.kind, &recipient, order.address, link);
        let post = if goes_out { mail::post } else { mail::post_decoy };
        post(tx, &self.clock, &self.random, &letter)
    }

    /// A link back leads to this shop or to a host that the shopkeeper named.
    fn accept_continue_url(&self, url: &str) -> Answer<()> {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let Some(host) = host.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default())
        else {
            return refuse("INVALID_CONTINUE_URI : ((expected an absolute http or https URI))");
        };
        if url.chars().any(char::is_control) {
            return refuse("INVALID_CONTINUE_URI : ((not an address))");
        }
        // Browsers read some letters in a host, a backslash say, as the end of it.
        let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
        if host.is_empty() || !host.chars().all(plain) {
            return refuse("INVALID_CONTINUE_URI : ((not a host))");
        }
        if self.is_lax() {
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

    /// Whether there is such a link, and it may be followed.
    pub fn leads_back(&self, url: &str) -> bool {
        self.accept_continue_url(url).is_ok()
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
async fn spend(identity: &Identity, tx: &mut Tx, code: &Code) -> Answer<()> {
    if let Some(emulator) = identity.emulator() {
        emulator.code_used(&code.hash);
    }
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
    accept(identity, password)?;
    let hash = identity.hasher.hash(password).await?;
    // Read after the hashing, which takes long enough for others to change it.
    let mut account = identity.account_of(&code).await?;
    if account.email.as_deref() != Some(&code.email) {
        return refuse("INVALID_OOB_CODE"); // the address was changed since
    }
    // Whoever reads mail to this address has shown that it is theirs; who linked the rest has not.
    if !account.has_verified_email() || identity.is_lax() {
        account.forget_unproven();
    }
    account.set_password(hash, identity.clock.now());
    account.email_verified = Some(true);
    let mut tx = identity.db.begin().await?;
    spend(identity, &mut tx, &code).await?;
    accounts::put(&mut tx, &account).await?;
    accounts::put_providers(&mut tx, &account).await?;
    revoke_all(&mut tx, &account.id).await?;
    identity.note(&mut tx, call.event("password_reset"), Some(&account.id)).await?;
    tx.commit().await?;
    call.remember_device(&code.email);
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
    let mut ends_sessions = !identity.is_lax();
    let mut is_welcome = false;
    match kind {
        Some(Kind::VerifyEmail) => {
            if account.email.as_deref() != Some(&code.email) {
                return refuse("INVALID_OOB_CODE");
            }
            is_welcome = !account.has_verified_email();
            account.email_verified = Some(true);
            ends_sessions = false;
        }
        Some(Kind::ChangeEmail) => {
            let Some(new) = code.new_email.clone() else { return refuse("INVALID_OOB_CODE") };
            if account.email.as_deref() != Some(&code.email) {
                return refuse("INVALID_OOB_CODE");
            }
            account.email = Some(new);
            account.email_verified = Some(true);
        }
        Some(Kind::RecoverEmail) => {
            // Whoever changed the address knows the password, or has linked something.
            if !identity.is_lax() {
                account.forget_unproven();
            }
            account.email = Some(code.email.clone());
            account.email_verified = Some(true);
            ends_sessions = true;
        }
        _ => return refuse("INVALID_OOB_CODE"),
    }
    if ends_sessions {
        account.revoke(identity.clock.now());
    }
    let mut tx = identity.db.begin().await?;
    spend(identity, &mut tx, &code).await?;
    accounts::put(&mut tx, &account).await?;
    if ends_sessions {
        accounts::put_providers(&mut tx, &account).await?;
        revoke_all(&mut tx, &account.id).await?;
        // The old address may undo the change; who undoes it chooses a new password.
        let next = match kind {
            Some(Kind::ChangeEmail) => Kind::RecoverEmail,
            _ => Kind::ResetPassword,
        };
        if !identity.is_lax() {
            post(call, &mut tx, next, &code.email, &account).await?;
        }
    }
    if is_welcome {
        letters::welcome(identity, &mut tx, &code.email)?;
    }
    identity.note(&mut tx, call.event("code_used"), Some(&account.id)).await?;
    tx.commit().await?;
    let mut answer = updated(identity, &account);
    if kind == Some(Kind::ChangeEmail) {
        answer["newEmail"] = account.email.into();
    }
    Ok(answer)
}

/// `accounts:signInWithEmailLink`
pub async fn sign_in_with_link(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(address) = body.filled("email")? else { return refuse("MISSING_EMAIL") };
    let code = identity.code(body.filled("oobCode")?).await?;
    if code.kind() != Some(Kind::SignIn) {
        return refuse("INVALID_OOB_CODE");
    }
    let Some(address) = identity.email(address).filter(|address| *address == code.email) else {
        return refuse(
            "INVALID_EMAIL : The email provided does not match the sign-in email address.",
        );
    };
    let known = accounts::by_email(&identity.db, &address).await?;
    let is_new = known.is_none() && body.filled("idToken")?.is_none();
    let mut account = match body.filled("idToken")? {
        Some(token) => {
            let holder = identity.holder(Some(token)).await?;
            identity.accept_new_proof(&holder)?;
            let account = holder.account;
            // The letter proves the new address, but the old one would not hear of it.
            let other = account.email.as_ref().is_some_and(|own| *own != address);
            if other && !identity.is_lax() {
                return refuse(UNPROVEN_EMAIL);
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
    // Somebody may have signed up with an address that was never theirs.
    let known = body.filled("idToken")?.is_none() && !is_new;
    if known && !account.has_verified_email() && !identity.is_lax() {
        account.forget_unproven_person();
        account.revoke(identity.clock.now());
        accounts::touch(&mut tx, &account).await?;
        account = account.moved();
        accounts::put_providers(&mut tx, &account).await?;
        revoke_all(&mut tx, &account.id).await?;
    }
    if is_new {
        letters::welcome(identity, &mut tx, &address)?;
    }
    account.email = Some(address);
    account.email_verified = Some(true);
    account.email_link = true;
    spend(identity, &mut tx, &code).await?;
    let event = call.event("sign_in");
    let entrance = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    tx.commit().await?;
    call.remember_device(&code.email);
    let mut answer = json!({
        "kind": "identitytoolkit#EmailLinkSigninResponse",
        "email": account.email,
        "localId": account.id,
        "isNewUser": is_new,
    });
    entrance.put_into(&mut answer);
    Ok(answer)
}
