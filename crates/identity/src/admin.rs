//! What a program may do that the shopkeeper trusts: make accounts, list, find and delete them, bring
//! them along from elsewhere, and turn an ID token into a cookie.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use base::Timestamp;
use base::text::clean_name;
use serde_json::{Value, json};

use crate::accounts::{self, Account, AccountId, Order};
use crate::emulator::fake_hash;
use crate::foreign_hashes;
use crate::http::Call;
use crate::phone::phone_number;
use crate::profile::{described, provider_of};
use crate::protocol::{Answer, Body, Refusal, refuse};
use crate::second_factor::{self, Factor, FactorIds};
use crate::sessions::{accept_custom_attributes, revoke_all};
use crate::sign_in::{MOST_NAME, accept_length, name_of};
use crate::{Identity, sessions};

/// The most accounts that one call makes, lists or deletes.
const MOST: usize = 1000;
/// The most that one call looks up.
const MOST_LOOKED_UP: usize = 100;
/// The most plain passwords that one call brings.
const MOST_HASHED: usize = 100;
const A_PAGE: i64 = 20;
const A_QUERY: i64 = 500;

/// The account that a call names by its id.
pub async fn named_account(call: &Call<'_>) -> Answer<Account> {
    let Some(id) = call.body.filled("localId")? else { return refuse("MISSING_LOCAL_ID") };
    match accounts::by_id(&call.identity.db, id).await? {
        Some(account) => Ok(account),
        None => refuse("USER_NOT_FOUND"),
    }
}

/// `POST projects/{p}/accounts`
pub async fn create(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let now = identity.clock.now();
    let id = match body.filled("localId")? {
        Some(id) => match AccountId::parse(id) {
            Some(id) if accounts::by_id(&identity.db, id.as_str()).await?.is_none() => id,
            Some(_) => return refuse("DUPLICATE_LOCAL_ID"),
            None => return refuse("INVALID_LOCAL_ID"),
        },
        None => AccountId::new(&identity.clock, &identity.random),
    };
    let mut account = identity.account_named(id);
    account.last_login_at = identity.is_lax().then_some(now);
    account.display_name = name_of(call)?;
    account.photo_url = body.text("photoUrl")?.map(str::to_owned);
    account.disabled = body.flag("disabled")?.unwrap_or(false);
    account.email_verified = Some(body.flag("emailVerified")?.unwrap_or(false));
    if let Some(address) = body.filled("email")? {
        let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
        account.email = Some(address);
    }
    if let Some(number) = body.filled("phoneNumber")? {
        let Some(number) = phone_number(number) else {
            return refuse("INVALID_PHONE_NUMBER : Invalid format.");
        };
        account.phone_number = Some(number);
    }
    let given = body.objects("mfaInfo")?.unwrap_or_default();
    account.factors = factors(identity, &given, FactorIds::Made)?;
    if let Some(password) = body.filled("password")? {
        accept_length(password)?;
        account.set_password(identity.hasher.hash(password).await?, now);
    }
    write(call, &account, "created").await?;
    let mut answer = json!({
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": account.id,
    });
    if let Some(name) = account.display_name {
        answer["displayName"] = name.into();
    }
    if let Some(address) = account.email {
        answer["email"] = address.into();
    }
    Ok(answer)
}

/// Second factors as an admin lists them; the same number counts once.
pub fn factors(identity: &Identity, list: &[Body], ids: FactorIds) -> Answer<Vec<Factor>> {
    let (now, mut factors) = (identity.clock.now(), Vec::<Factor>::new());
    for info in list {
        let factor = factor(info, now)?;
        if factors.iter().any(|known| known.phone_number == factor.phone_number) {
            continue;
        }
        let given = info.filled("mfaEnrollmentId")?.filter(|_| ids != FactorIds::Made);
        let id = match given {
            Some(given) => given.to_owned(),
            None if ids == FactorIds::Given => {
                return refuse("INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.");
            }
            None => AccountId::new(&identity.clock, &identity.random).as_str().to_owned(),
        };
        if factors.iter().any(|known| known.id == id) {
            return refuse("DUPLICATE_MFA_ENROLLMENT_ID");
        }
        factors.push(Factor { id, ..factor });
    }
    Ok(factors)
}

/// A second factor as an admin describes it, still without an id.
fn factor(info: &Body, now: Timestamp) -> Answer<Factor> {
    let Some(number) = info.filled("phoneInfo")?.and_then(phone_number) else {
        return refuse("INVALID_MFA_PHONE_NUMBER : Invalid format.");
    };
    let name = info.filled("displayName")?.map(|name| clean_name(name, MOST_NAME));
    let since = info.filled("enrolledAt")?.and_then(Timestamp::parse).unwrap_or(now);
    Ok(Factor::phone(String::new(), number, name, since))
}

/// Writes an account with all that belongs to it.
async fn write(call: &Call<'_>, account: &Account, event: &'static str) -> Answer<()> {
    let mut tx = call.identity.db.begin().await?;
    accounts::put(&mut tx, account).await?;
    accounts::put_providers(&mut tx, account).await?;
    second_factor::put_all(&mut tx, account).await?;
    call.identity.note(&mut tx, call.event(event), Some(&account.id)).await?;
    Ok(tx.commit().await?)
}

/// `accounts:lookup` of anyone, by whatever they are known by.
pub async fn lookup(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let (db, mut found) = (&identity.db, Vec::<Account>::new());
    let (ids, addresses) = (body.texts("localId")?, body.texts("email")?);
    let numbers = body.texts("phoneNumber")?;
    let providers = body.objects("federatedUserId")?.unwrap_or_default();
    if ids.len() + addresses.len() + numbers.len() + providers.len() > MOST_LOOKED_UP {
        return refuse("INVALID_ARGUMENT : At most 100 accounts are looked up at once.");
    }
    for id in ids {
        found.extend(accounts::by_id(db, id).await?);
    }
    for address in addresses {
        found.extend(accounts::by_email(db, &address.to_lowercase()).await?);
    }
    for number in numbers {
        found.extend(accounts::by_phone_number(db, number).await?);
    }
    for known in providers {
        let part = |name: &str| Ok::<_, Refusal>(known.text(name)?.unwrap_or_default());
        found.extend(accounts::by_provider(db, part("providerId")?, part("rawId")?).await?);
    }
    let mut seen = BTreeSet::new();
    found.retain(|account| seen.insert(account.id.as_str().to_owned()));
    let mut answer = json!({ "kind": "identitytoolkit#GetAccountInfoResponse" });
    if !found.is_empty() {
        answer["users"] = found.iter().map(|account| described(identity, account)).collect();
    }
    Ok(answer)
}

/// `GET accounts:batchGet`: every account, a page at a time.
pub async fn list(call: &Call<'_>) -> Answer {
    let most = call.body.number("maxResults")?.unwrap_or(A_PAGE);
    let most = most.clamp(1, MOST as i64);
    let after = call.body.text("nextPageToken")?.unwrap_or_default();
    let page = accounts::page(&call.identity.db, after, most).await?;
    let mut answer = json!({
        "kind": "identitytoolkit#DownloadAccountResponse",
        "users": page.iter().map(|account| described(call.identity, account)).collect::<Value>(),
    });
    if let Some(last) = page.last().filter(|_| page.len() as i64 == most) {
        answer["nextPageToken"] = last.id.as_str().into();
    }
    Ok(answer)
}

/// `accounts:query`
pub async fn query(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let mut found = None;
    if let Some(wanted) = body.objects("expression")?.unwrap_or_default().first() {
        let db = &identity.db;
        let account = if let Some(address) = wanted.filled("email")? {
            accounts::by_email(db, &address.to_lowercase()).await?
        } else if let Some(number) = wanted.filled("phoneNumber")? {
            accounts::by_phone_number(db, number).await?
        } else {
            accounts::by_id(db, wanted.text("userId")?.unwrap_or_default()).await?
        };
        found = Some(Vec::from_iter(account));
    }
    let count = match &found {
        Some(found) => found.len() as i64,
        None => accounts::count(&identity.db).await?,
    };
    let mut answer = json!({ "recordsCount": count.to_string() });
    if body.flag("returnUserInfo")? == Some(false) {
        return Ok(answer);
    }
    const COLUMNS: &[&str] = &[
        "SORT_BY_FIELD_UNSPECIFIED",
        "USER_ID",
        "NAME",
        "CREATED_AT",
        "LAST_LOGIN_AT",
        "USER_EMAIL",
    ];
    let column = match body.one_of("sortBy", COLUMNS)? {
        Some("NAME") => "display_name",
        Some("CREATED_AT") => "created_at",
        Some("LAST_LOGIN_AT") => "last_login_at",
        Some("USER_EMAIL") => "email",
        _ => "id",
    };
    let order = body.one_of("order", &["ORDER_UNSPECIFIED", "ASC", "DESC"])?;
    let order = Order { column, descending: order == Some("DESC") };
    let most = body.number("limit")?.unwrap_or(A_QUERY).clamp(1, A_QUERY);
    let skip = body.number("offset")?.unwrap_or(0).max(0);
    let found = match found {
        Some(found) => found,
        None => accounts::sorted(&identity.db, order, most, skip).await?,
    };
    answer["userInfo"] = found.iter().map(|account| described(identity, account)).collect();
    Ok(answer)
}

/// `accounts:batchDelete`
pub async fn delete_all(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let ids = body.texts("localIds")?;
    if ids.is_empty() || ids.len() > MOST {
        return refuse("LOCAL_ID_LIST_EXCEEDS_LIMIT");
    }
    let force = body.flag("force")? == Some(true);
    let (mut errors, mut doomed) = (Vec::new(), BTreeMap::new());
    for (index, id) in ids.into_iter().enumerate() {
        let account = accounts::by_id(&identity.db, id).await?;
        let Some(account) = account else { continue };
        if force || account.disabled {
            doomed.insert(id, account);
        } else {
            let message = "NOT_DISABLED : Disable the account before batch deletion.";
            errors.push(json!({ "index": index, "localId": id, "message": message }));
        }
    }
    let mut tx = identity.db.begin().await?;
    for account in doomed.values() {
        identity.remove(&mut tx, account, call.event("deleted")).await?;
    }
    tx.commit().await?;
    Ok(if errors.is_empty() { json!({}) } else { json!({ "errors": errors }) })
}

/// `accounts:batchCreate`: accounts from elsewhere, with the hashes of their passwords.
pub async fn import(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let users = body.objects("users")?.unwrap_or_default();
    if users.is_empty() {
        return refuse("MISSING_USER_ACCOUNT");
    }
    if users.len() > MOST {
        return refuse("MAXIMUM_USER_COUNT_EXCEEDED : Can not import more than 1000 users.");
    }
    let unique = body.flag("sanityCheck")? == Some(true);
    accept_once(&users, "localId", "DUPLICATE_LOCAL_ID")?;
    if unique {
        if !identity.allows_duplicate_emails() {
            accept_once(&users, "email", "DUPLICATE_EMAIL")?;
        }
        accept_each_provider_once(&users)?;
    }
    let overwrite = body.flag("allowOverwrite")? == Some(true);
    let plain = users.iter().filter(|user| user.fields().contains_key("rawPassword")).count();
    if plain > MOST_HASHED {
        return refuse(
            "MAXIMUM_USER_COUNT_EXCEEDED : Can not hash more than 100 passwords at once.",
        );
    }
    let mut errors = Vec::new();
    for (index, user) in users.iter().enumerate() {
        let failed = match imported(identity, body, user).await {
            Ok(account) => take_in(call, account, overwrite).await?,
            Err(Import::Wrong(why)) => Some(why),
            Err(Import::Refused(why)) => return Err(why),
        };
        errors.extend(failed.map(|message| json!({ "index": index, "message": message })));
    }
    Ok(json!({ "kind": "identitytoolkit#UploadAccountResponse", "error": errors }))
}

fn accept_once(users: &[Body], field: &str, refusal: &str) -> Answer<()> {
    let mut seen = BTreeSet::new();
    for user in users {
        if let Some(value) = user.filled(field)?.map(str::to_lowercase)
            && !seen.insert(value.clone())
        {
            return refuse(format!("{refusal} : {value}"));
        }
    }
    Ok(())
}

fn accept_each_provider_once(users: &[Body]) -> Answer<()> {
    let mut seen = BTreeSet::new();
    for user in users {
        for info in user.objects("providerUserInfo")?.unwrap_or_default() {
            if let Some(provider) = provider_of(&info)?
                && !seen.insert((provider.provider_id.clone(), provider.raw_id.clone()))
            {
                let (id, raw_id) = (provider.provider_id, provider.raw_id);
                return refuse(format!("DUPLICATE_RAW_ID : Provider id({id}), Raw id({raw_id})"));
            }
        }
    }
    Ok(())
}

/// Why a user is not taken in: for a reason of their own, or because the call is no good.
enum Import {
    Wrong(String),
    Refused(Refusal),
}

impl<R: Into<Refusal>> From<R> for Import {
    fn from(why: R) -> Self {
        Self::Refused(why.into())
    }
}

/// An account as the call describes it.
async fn imported(identity: &Identity, call: &Body, user: &Body) -> Result<Account, Import> {
    let wrong = |why: &str| Err(Import::Wrong(why.to_owned()));
    let now = identity.clock.now();
    let Some(id) = user.filled("localId")? else { return wrong("localId is missing") };
    let Some(id) = AccountId::parse(id) else { return wrong("localId is invalid") };
    let mut account = Account::new(id, now);
    account.revoke(now);
    account.disabled = user.flag("disabled")?.unwrap_or(false);
    account.email_verified = Some(user.flag("emailVerified")?.unwrap_or(false));
    account.display_name = user.text("displayName")?.map(|name| clean_name(name, MOST_NAME));
    account.photo_url = user.text("photoUrl")?.map(str::to_owned);
    if let Some(address) = user.filled("email")? {
        let Some(address) = identity.email(address) else { return wrong("email is invalid") };
        account.email = Some(address);
    }
    if let Some(number) = user.filled("phoneNumber")? {
        let Some(number) = phone_number(number) else {
            return wrong("phone number format is invalid");
        };
        account.phone_number = Some(number);
    }
    if let Some(attributes) = user.filled("customAttributes")? {
        match accept_custom_attributes(attributes) {
            Ok(()) => account.custom_attributes = Some(attributes.to_owned()),
            Err(Refusal::Protocol(_, why, _)) if why.starts_with("FORBIDDEN_CLAIM") => {
                return wrong("Custom claims provided include a reserved claim.");
            }
            Err(Refusal::Protocol(_, why, _)) if why == "CLAIMS_TOO_LARGE" => {
                return wrong("Custom claims provided are too large.");
            }
            Err(_) => return wrong("Invalid custom claims provided."),
        }
    }
    for info in user.objects("providerUserInfo")?.unwrap_or_default() {
        if ["password", "phone"].contains(&info.text("providerId")?.unwrap_or_default()) {
            continue;
        }
        let Some(provider) = provider_of(&info)? else {
            return wrong("federatedId or (providerId & rawId) is required");
        };
        account.link(provider);
    }
    account.factors = imported_factors(identity, &account, user)?;
    if let Some(moment) = user.number("createdAt")? {
        account.created_at = Timestamp(moment);
    }
    account.last_login_at = user.number("lastLoginAt")?.map(Timestamp);
    if let Some(password) = user.filled("rawPassword")? {
        if accept_length(password).is_err() {
            return wrong("Password is too short or too long");
        }
        account.set_password(identity.hasher.hash(password).await?, now);
    } else if let Some(given) = user.filled("passwordHash")? {
        let foreign = foreign_hashes::read(call.fields(), user.fields());
        let foreign = match foreign {
            Ok(hash) => Ok(identity.keep_foreign(&hash)?),
            Err(why) => Err(why),
        };
        let hash = match (identity.emulator(), foreign) {
            (Some(_emulator), foreign) => {
                fake_hash::imported(given, user.text("salt")?, foreign.ok())
            }
            (None, Ok(hash)) => hash,
            (None, Err(why)) => return wrong(why),
        };
        account.set_password(hash, now);
    }
    Ok(account)
}

/// The second factors that a user of an import brings along, under the ids that they had.
fn imported_factors(
    identity: &Identity,
    account: &Account,
    user: &Body,
) -> Result<Vec<Factor>, Import> {
    let wrong = |why: &str| Err(Import::Wrong(why.to_owned()));
    let list = user.objects("mfaInfo")?.unwrap_or_default();
    if list.is_empty() {
        return Ok(Vec::new());
    }
    if account.email.is_none() {
        return wrong("Second factor account requires email to be presented.");
    }
    if !account.has_verified_email() {
        return wrong("Second factor account requires email to be verified.");
    }
    for info in &list {
        if info.filled("phoneInfo")?.is_none() {
            return wrong("Second factor not supported.");
        }
    }
    match factors(identity, &list, FactorIds::GivenOrMade) {
        Ok(factors) => Ok(factors),
        Err(Refusal::Protocol(_, why, _)) if why == "DUPLICATE_MFA_ENROLLMENT_ID" => {
            wrong("Enrollment id already exists.")
        }
        Err(Refusal::Protocol(..)) => wrong("Phone number format is invalid"),
        Err(why) => Err(Import::Refused(why)),
    }
}

/// Writes an account that was brought along, or says why not.
async fn take_in(call: &Call<'_>, account: Account, overwrite: bool) -> Answer<Option<String>> {
    let account = match accounts::by_id(&call.identity.db, account.id.as_str()).await? {
        None => account,
        Some(known) if overwrite => {
            let mut tx = call.identity.db.begin().await?;
            revoke_all(&mut tx, &known.id).await?;
            tx.commit().await?;
            account.in_place_of(&known)
        }
        Some(_) => {
            let why = "localId belongs to an existing account - can not overwrite.";
            return Ok(Some(why.into()));
        }
    };
    match write(call, &account, "imported").await {
        Ok(()) => Ok(None),
        Err(Refusal::Protocol(_, why, _)) => Ok(Some(match &*why {
            "EMAIL_EXISTS" => "email exists in other account in database".into(),
            "PHONE_NUMBER_EXISTS" => "phone number exists in other account in database".into(),
            "FEDERATED_USER_ID_ALREADY_LINKED" => {
                "raw id exists in other account in database".into()
            }
            other => other.to_owned(),
        })),
        Err(Refusal::Moved) => Ok(Some("the account was changed at the same time".into())),
        Err(why) => Err(why),
    }
}

const SHORTEST_COOKIE: Duration = Duration::from_secs(5 * 60);
const LONGEST_COOKIE: Duration = Duration::from_secs(14 * 24 * 3600);

/// `projects/{p}:createSessionCookie`: what an ID token says, for longer.
pub async fn session_cookie(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let lives = body.number("validDuration")?.unwrap_or(LONGEST_COOKIE.as_secs() as i64);
    let lives = u64::try_from(lives).map(Duration::from_secs);
    let lives = lives.ok().filter(|lives| (SHORTEST_COOKIE..=LONGEST_COOKIE).contains(lives));
    let Some(token) = body.filled("idToken")? else { return refuse("MISSING_ID_TOKEN") };
    let Some(lives) = lives else { return refuse("INVALID_DURATION") };
    let mut claims = identity.holder(Some(token)).await?.claims;
    let now = identity.clock.now();
    claims.insert("iss".into(), sessions::cookie_issuer(identity).into());
    claims.insert("iat".into(), (now.0 / 1000).into());
    claims.insert("exp".into(), (now.plus(lives).0 / 1000).into());
    Ok(json!({ "sessionCookie": identity.keys.sign(&claims)? }))
}
