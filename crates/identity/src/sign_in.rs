//! Signing up and signing in.

use std::borrow::Cow;

use base::Tx;
use base::http::Peer;
use base::text::clean_name;
use serde_json::{Map, Value, json};

use crate::accounts::{self, Account, AccountId};
use crate::attempts::{self, GUESSES_ANYWHERE, GUESSES_HERE, Limit};
use crate::emulator::fake_hash;
use crate::foreign_hashes::Foreign;
use crate::http::Call;
use crate::keys::unsigned_claims;
use crate::protocol::{Answer, refuse};
use crate::second_factor;
use crate::sessions::{Event, Holder, accept_claims, revoke_all};
use crate::{Identity, common_passwords, passwords, service_accounts};

pub const MOST_NAME: usize = 256;
const PASSWORDS: &str = "passwords";
pub const TOO_MANY: &str =
    "TOO_MANY_ATTEMPTS_TRY_LATER : Too many unsuccessful attempts. Please try again later.";

/// `accounts:signUp`: with e-mail and password, without either (anonymous), or with an ID token, to
/// give the account behind it a password.
pub async fn sign_up(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    if body.text("localId")?.is_some() {
        return refuse("UNEXPECTED_PARAMETER : User ID");
    }
    let (address, password) = (body.filled("email")?, body.filled("password")?);
    let token = body.filled("idToken")?;
    if address.is_none() && password.is_none() && token.is_none() {
        // A form that was sent empty is no wish for an anonymous account.
        if body.text("email")?.is_some() {
            return refuse("INVALID_EMAIL");
        }
        return anonymous(call).await;
    }
    let Some(address) = address else { return refuse("MISSING_EMAIL") };
    let Some(password) = password else { return refuse("MISSING_PASSWORD") };
    let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
    // First, so that nobody learns for nothing which addresses have accounts.
    if !identity.is_lax() {
        accept(identity, password)?;
    }
    accept_sign_up(call).await?;
    let known = accounts::by_email(&identity.db, &address).await?;
    let holder = match token {
        Some(token) => Some(identity.holder(Some(token)).await?),
        None => None,
    };
    let own = holder.as_ref().map(|holder| &holder.account.id);
    if known.is_some_and(|known| Some(&known.id) != own) {
        return refuse("EMAIL_EXISTS");
    }
    accept(identity, password)?;
    let hash = identity.hasher.hash(password).await?;
    let now = identity.clock.now();
    let linked = holder.is_some();
    let mut account = match holder {
        Some(holder) => {
            identity.accept_new_proof(&holder)?;
            holder.account
        }
        None => Account::new(AccountId::new(&identity.clock, &identity.random), now),
    };
    if account.email.as_ref() != Some(&address) {
        // Else this would be a way round proving the new address.
        if account.email.is_some() && !identity.is_lax() {
            return refuse(UNPROVEN_EMAIL);
        }
        account.email = Some(address);
        account.email_verified = Some(false);
    }
    account.set_password(hash, now);
    if let Some(name) = name_of(call)? {
        account.display_name = Some(name);
    }
    let mut tx = identity.db.begin().await?;
    if linked {
        revoke_all(&mut tx, &account.id).await?;
    }
    let event = call.event("sign_up");
    let entrance = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    second_factor::put_given(call, &mut tx, &mut account).await?;
    tx.commit().await?;
    let mut answer = json!({
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": account.id,
        "email": account.email,
    });
    if let Some(name) = account.display_name {
        answer["displayName"] = name.into();
    }
    entrance.put_into(&mut answer);
    Ok(answer)
}

/// An address is changed by `VERIFY_AND_CHANGE_EMAIL`, which proves the new one first.
pub const UNPROVEN_EMAIL: &str =
    "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.";

/// Counts one more account that a network makes, whether it is made or not: neither a flood of them nor
/// the search for addresses that have one gets far.
async fn accept_sign_up(call: &Call<'_>) -> Answer<()> {
    let limit = Limit::per_hour(call.identity.settings.sign_ups_per_hour);
    let here: Vec<_> = call.here_at_most("sign-ups", limit).into_iter().collect();
    if call.may_all(&here).await? { Ok(()) } else { refuse(TOO_MANY) }
}

async fn anonymous(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    if !identity.is_lax() && identity.settings.anonymous_sign_in == Some(false) {
        return refuse("ADMIN_ONLY_OPERATION");
    }
    accept_sign_up(call).await?;
    let id = AccountId::new(&identity.clock, &identity.random);
    let mut account = Account::new(id, identity.clock.now());
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_up");
    let entrance = identity.begin_session(&mut tx, &mut account, "anonymous", event).await?;
    second_factor::put_given(call, &mut tx, &mut account).await?;
    tx.commit().await?;
    let mut answer =
        json!({ "kind": "identitytoolkit#SignupNewUserResponse", "localId": account.id });
    entrance.put_into(&mut answer);
    Ok(answer)
}

/// The name that a call gives, if it gives one.
pub fn name_of(call: &Call<'_>) -> Answer<Option<String>> {
    match call.body.text("displayName")? {
        Some(name) if name.chars().count() > MOST_NAME => {
            refuse("INVALID_DISPLAY_NAME : At most 256 characters.")
        }
        name => Ok(name.map(|name| clean_name(name, MOST_NAME))),
    }
}

/// The password rule, as the protocol words a breach of it. Emulators know only the shortest length.
pub fn accept(identity: &Identity, password: &str) -> Answer<()> {
    accept_length(password)?;
    if identity.is_lax() {
        return Ok(());
    }
    if common_passwords::contains(password) {
        return refuse("WEAK_PASSWORD : Password is one of the most common ones");
    }
    let lacks = passwords::lacks(password);
    if lacks.is_empty() {
        return Ok(());
    }
    refuse(format!(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [{}]",
        lacks.join(", ")
    ))
}

/// The part of it that holds for admins too.
pub fn accept_length(password: &str) -> Answer<()> {
    if password.chars().count() < passwords::SHORTEST_OF_PROTOCOL {
        return refuse("WEAK_PASSWORD : Password should be at least 6 characters");
    }
    if password.len() > passwords::LONGEST {
        return refuse("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password is too long.");
    }
    Ok(())
}

/// `accounts:signInWithPassword`. Whether the address or the password was wrong is not told, and
/// takes as long to find out.
pub async fn with_password(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(address) = body.text("email")? else { return refuse("MISSING_EMAIL") };
    let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
    let Some(password) = body.filled("password")? else { return refuse("MISSING_PASSWORD") };
    if password.len() > passwords::LONGEST {
        return refuse("INVALID_LOGIN_CREDENTIALS");
    }
    let guesses = Guesses::at(call, &address);
    if !call.may_all(&guesses.subjects(call)).await? {
        return refuse(TOO_MANY);
    }
    let account = accounts::by_email(&identity.db, &address).await?;
    if identity.is_lax() && account.as_ref().is_some_and(|account| account.disabled) {
        return refuse("USER_DISABLED");
    }
    let hash = account.as_ref().and_then(|account| account.password_hash.clone());
    let readable = hash.as_deref().map(|hash| identity.readable(hash));
    let right = identity.hasher.verify(password, readable.as_deref()).await?;
    let mut account = match account {
        Some(account) if right => account,
        account => {
            let mut tx = identity.db.begin().await?;
            identity.note(&mut tx, call.event("wrong_password"), None).await?;
            tx.commit().await?;
            return refuse(match account {
                _ if !identity.tells_who_exists() => "INVALID_LOGIN_CREDENTIALS",
                None => "EMAIL_NOT_FOUND",
                Some(_) => "INVALID_PASSWORD",
            });
        }
    };
    // Only somebody who knows the password learns that the account is closed.
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    if hash.is_some_and(|hash| identity.hasher.is_outdated(&hash)) {
        account.password_hash = Some(identity.hasher.hash(password).await?);
    }
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_in");
    let entrance = identity.begin_session(&mut tx, &mut account, "password", event).await?;
    guesses.succeeded(call, &mut tx).await?;
    tx.commit().await?;
    if account.has_verified_email() {
        call.remember_device(&address);
    }
    let mut answer = json!({
        "kind": "identitytoolkit#VerifyPasswordResponse",
        "registered": true,
        "localId": account.id,
        "email": account.email,
    });
    if let Some(name) = account.display_name.filter(|_| !identity.is_lax()) {
        answer["displayName"] = name.into();
    }
    entrance.put_into(&mut answer);
    Ok(answer)
}

/// The counts of guesses at a password: tightly by whoever guesses, loosely by the account. A known
/// device is counted by itself alone, so that nobody keeps it out.
struct Guesses {
    by_guesser: String,
    by_account: Option<String>,
}

impl Guesses {
    fn at(call: &Call<'_>, address: &str) -> Self {
        if let Some(device) = call.known_device(address) {
            let by_guesser = format!("{address} by device {device}");
            return Self { by_guesser, by_account: None };
        }
        let network = call.address.map(|address| Peer(address).network()).unwrap_or_default();
        let by_account = Some(format!("{PASSWORDS} {address}"));
        Self { by_guesser: format!("{address} from {network}"), by_account }
    }

    fn subjects(&self, call: &Call<'_>) -> Vec<(String, Limit)> {
        let by_guesser = (format!("{PASSWORDS} {}", self.by_guesser), GUESSES_HERE);
        let by_account = self.by_account.clone().map(|subject| (subject, GUESSES_ANYWHERE));
        call.here(PASSWORDS).into_iter().chain([by_guesser]).chain(by_account).collect()
    }

    async fn succeeded(&self, call: &Call<'_>, tx: &mut Tx) -> base::Result<()> {
        attempts::succeeded(tx, PASSWORDS, &self.by_guesser, call.address).await?;
        match &self.by_account {
            Some(subject) => attempts::take_back(tx, subject).await,
            None => Ok(()),
        }
    }
}

/// `accounts:signInWithCustomToken`: a program that we trust says who somebody is.
pub async fn with_custom_token(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(token) = body.filled("token")? else { return refuse("MISSING_CUSTOM_TOKEN") };
    let said = if identity.is_lax() {
        unproven(token)?
    } else {
        service_accounts::custom_token(identity, token).await?
    };
    let id = said.get("uid").or_else(|| said.get("user_id")).and_then(Value::as_str);
    let Some(id) = id.filter(|id| !id.is_empty()) else { return refuse("MISSING_IDENTIFIER") };
    let Some(id) = AccountId::parse(id) else {
        return refuse("INVALID_CUSTOM_TOKEN : The uid must have at most 128 characters.");
    };
    let claims = match said.get("claims") {
        None => Map::new(),
        Some(Value::Object(claims)) => claims.clone(),
        Some(_) => return refuse("INVALID_CLAIMS"),
    };
    accept_claims(&claims)?;
    let known = accounts::by_id(&identity.db, id.as_str()).await?;
    let is_new = known.is_none();
    let mut account = known.unwrap_or_else(|| identity.account_named(id));
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    account.custom_auth = true;
    let mut tx = identity.db.begin().await?;
    let event = call.event("sign_in");
    let entrance =
        identity.begin_session_with(&mut tx, &mut account, "custom", claims, event).await?;
    tx.commit().await?;
    let kind = "identitytoolkit#VerifyCustomTokenResponse";
    let mut answer = json!({ "kind": kind, "isNewUser": is_new });
    entrance.put_into(&mut answer);
    Ok(answer)
}

/// What the emulator takes for a custom token: one that nobody signed, or its claims alone.
fn unproven(token: &str) -> Answer<Map<String, Value>> {
    if token.trim_start().starts_with('{') {
        return match serde_json::from_str(token) {
            Ok(Value::Object(said)) => Ok(said),
            _ => refuse("INVALID_CUSTOM_TOKEN : The token looks like JSON, but it is none."),
        };
    }
    match unsigned_claims(token) {
        None => refuse("INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        Some(said)
            if said.get("aud").and_then(Value::as_str) == Some(service_accounts::AUDIENCE) =>
        {
            Ok(said)
        }
        Some(_) => refuse("INVALID_CUSTOM_TOKEN : The token is for another audience."),
    }
}

/// Marks a hash from elsewhere. It may hold keys of the service it came from, so it is kept sealed.
const FOREIGN: &str = "foreign:";
const FOREIGN_PURPOSE: &str = "password hash from elsewhere";

impl Identity {
    /// How a hash from elsewhere is kept.
    pub fn keep_foreign(&self, hash: &Foreign) -> base::Result<String> {
        Ok(format!("{FOREIGN}{}", self.sealed(FOREIGN_PURPOSE, hash)?))
    }

    /// A kept hash as the hasher reads it.
    fn readable<'h>(&self, hash: &'h str) -> Cow<'h, str> {
        if let Some(_emulator) = self.emulator()
            && let Some(foreign) = fake_hash::foreign(hash)
        {
            return self.readable(&foreign).into_owned().into();
        }
        let foreign = hash.strip_prefix(FOREIGN);
        let foreign = foreign.and_then(|hash| self.unsealed::<Value>(FOREIGN_PURPOSE, hash));
        foreign.map_or(hash.into(), |foreign| foreign.to_string().into())
    }

    /// Whether another way to sign in may be given to this account now: a token that was stolen must
    /// not open a door that stays open. Somebody anonymous has no door yet.
    pub fn accept_new_proof(&self, holder: &Holder) -> Answer<()> {
        let Holder { account, sign_in, .. } = holder;
        let anonymous = sign_in.provider == "anonymous"
            && !(account.linked || account.custom_auth || account.email.is_some());
        if anonymous { Ok(()) } else { self.accept_change(account, sign_in) }
    }

    /// A new account of an id that somebody chose: it may have been another's before, whose tokens
    /// must not open it.
    pub fn account_named(&self, id: AccountId) -> Account {
        let now = self.clock.now();
        let mut account = Account::new(id, now);
        if !self.is_lax() {
            account.revoke(now);
        }
        account
    }
}

impl Call<'_> {
    pub fn event(&self, kind: &'static str) -> Event {
        Event { kind, address: self.address, agent: self.agent.clone() }
    }
}
