//! Admin API, for service accounts: create, list, find, delete and import accounts, and create session
//! cookies.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use platform::Timestamp;
use platform::text::clean_name;
use serde_json::{Value, json};

use crate::account_api::{account_json, linked_provider};
use crate::accounts::{self, Account, AccountId, SortOrder};
use crate::emulator::fake_hash;
use crate::http::Call;
use crate::phone::phone_number;
use crate::protocol::{ApiError, ApiFields, ApiResult, refuse};
use crate::second_factor::{self, Factor, FactorIds};
use crate::sessions::{check_attributes, revoke_sessions};
use crate::sign_in::{MAX_NAME, check_length, display_name};
use crate::{Identity, imported_hashes, sessions};

/// Per call: created, listed or deleted.
const MAX_ACCOUNTS: usize = 1000;
/// Per call.
const MAX_LOOKUPS: usize = 100;
/// Plain passwords to hash, per import.
const MAX_PASSWORDS: usize = 100;
const DEFAULT_PAGE_SIZE: i64 = 20;
const MAX_QUERY_SIZE: i64 = 500;

/// The account that `localId` names.
pub async fn find_account(call: &Call<'_>) -> ApiResult<Account> {
    let Some(id) = call.body.filled("localId")? else { return refuse("MISSING_LOCAL_ID") };
    match accounts::find_by_id(&call.identity.db, id).await? {
        Some(account) => Ok(account),
        None => refuse("USER_NOT_FOUND"),
    }
}

/// `POST projects/{p}/accounts`
pub async fn create(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let now = identity.clock.now();
    let id = match body.filled("localId")? {
        Some(id) => match AccountId::parse(id) {
            Some(id) if accounts::find_by_id(&identity.db, id.as_str()).await?.is_none() => id,
            Some(_) => return refuse("DUPLICATE_LOCAL_ID"),
            None => return refuse("INVALID_LOCAL_ID"),
        },
        None => AccountId::new(&identity.clock, &identity.random),
    };
    let mut account = identity.new_account(id);
    account.last_login_at = identity.is_emulator().then_some(now);
    account.display_name = display_name(call)?;
    account.photo_url = body.string("photoUrl")?.map(str::to_owned);
    account.disabled = body.bool("disabled")?.unwrap_or(false);
    account.email_verified = Some(body.bool("emailVerified")?.unwrap_or(false));
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
    account.factors = parse_mfa(identity, &given, FactorIds::Generated)?;
    if let Some(password) = body.filled("password")? {
        check_length(password)?;
        account.set_password(identity.hasher.hash(password).await?, now);
    }
    save(call, &account, "created").await?;
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

/// Parses second factors; a repeated phone number is ignored.
pub fn parse_mfa(identity: &Identity, mfa: &[ApiFields], ids: FactorIds) -> ApiResult<Vec<Factor>> {
    let (now, mut factors) = (identity.clock.now(), Vec::<Factor>::new());
    for info in mfa {
        let factor = parse_factor(info, now)?;
        if factors.iter().any(|known| known.phone_number == factor.phone_number) {
            continue;
        }
        let given = info.filled("mfaEnrollmentId")?.filter(|_| ids != FactorIds::Generated);
        let id = match given {
            Some(given) => given.to_owned(),
            None if ids == FactorIds::Provided => {
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

/// Parses a second factor, still without an id.
fn parse_factor(info: &ApiFields, now: Timestamp) -> ApiResult<Factor> {
    let Some(number) = info.filled("phoneInfo")?.and_then(phone_number) else {
        return refuse("INVALID_MFA_PHONE_NUMBER : Invalid format.");
    };
    let name = info.filled("displayName")?.map(|name| clean_name(name, MAX_NAME));
    let since = info.filled("enrolledAt")?.and_then(Timestamp::parse).unwrap_or(now);
    Ok(Factor::phone(String::new(), number, name, since))
}

/// Saves an account with its providers and second factors.
async fn save(call: &Call<'_>, account: &Account, event: &'static str) -> ApiResult<()> {
    let mut tx = call.identity.db.begin().await?;
    accounts::save(&mut tx, account).await?;
    accounts::save_providers(&mut tx, account).await?;
    second_factor::replace_all(&mut tx, account).await?;
    call.identity.record_event(&mut tx, call.event(event), Some(&account.id)).await?;
    Ok(tx.commit().await?)
}

/// `accounts:lookup` by id, e-mail address, phone number or provider.
pub async fn lookup(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let (db, mut found) = (&identity.db, Vec::<Account>::new());
    let (ids, addresses) = (body.strings("localId")?, body.strings("email")?);
    let numbers = body.strings("phoneNumber")?;
    let providers = body.objects("federatedUserId")?.unwrap_or_default();
    if ids.len() + addresses.len() + numbers.len() + providers.len() > MAX_LOOKUPS {
        return refuse("INVALID_ARGUMENT : At most 100 accounts are looked up at once.");
    }
    for id in ids {
        found.extend(accounts::find_by_id(db, id).await?);
    }
    for address in addresses {
        found.extend(accounts::find_by_email(db, &address.to_lowercase()).await?);
    }
    for number in numbers {
        found.extend(accounts::find_by_phone_number(db, number).await?);
    }
    for known in providers {
        let part = |name: &str| Ok::<_, ApiError>(known.string(name)?.unwrap_or_default());
        found.extend(accounts::find_by_provider(db, part("providerId")?, part("rawId")?).await?);
    }
    let mut seen = BTreeSet::new();
    found.retain(|account| seen.insert(account.id.as_str().to_owned()));
    let mut answer = json!({ "kind": "identitytoolkit#GetAccountInfoResponse" });
    if !found.is_empty() {
        answer["users"] = found.iter().map(|account| account_json(identity, account)).collect();
    }
    Ok(answer)
}

/// `GET accounts:batchGet`: all accounts, paginated.
pub async fn list(call: &Call<'_>) -> ApiResult {
    let limit = call.body.integer("maxResults")?.unwrap_or(DEFAULT_PAGE_SIZE);
    let limit = limit.clamp(1, MAX_ACCOUNTS as i64);
    let after = call.body.string("nextPageToken")?.unwrap_or_default();
    let page = accounts::list_page(&call.identity.db, after, limit).await?;
    let mut answer = json!({
        "kind": "identitytoolkit#DownloadAccountResponse",
        "users": page.iter().map(|account| account_json(call.identity, account)).collect::<Value>(),
    });
    if let Some(last) = page.last().filter(|_| page.len() as i64 == limit) {
        answer["nextPageToken"] = last.id.as_str().into();
    }
    Ok(answer)
}

/// `accounts:query`
pub async fn query(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let mut found = None;
    if let Some(wanted) = body.objects("expression")?.unwrap_or_default().first() {
        let db = &identity.db;
        let account = if let Some(address) = wanted.filled("email")? {
            accounts::find_by_email(db, &address.to_lowercase()).await?
        } else if let Some(number) = wanted.filled("phoneNumber")? {
            accounts::find_by_phone_number(db, number).await?
        } else {
            accounts::find_by_id(db, wanted.string("userId")?.unwrap_or_default()).await?
        };
        found = Some(Vec::from_iter(account));
    }
    let count = match &found {
        Some(found) => found.len() as i64,
        None => accounts::count(&identity.db).await?,
    };
    let mut answer = json!({ "recordsCount": count.to_string() });
    if body.bool("returnUserInfo")? == Some(false) {
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
    let column = match body.enum_value("sortBy", COLUMNS)? {
        Some("NAME") => "display_name",
        Some("CREATED_AT") => "created_at",
        Some("LAST_LOGIN_AT") => "last_login_at",
        Some("USER_EMAIL") => "email",
        _ => "id",
    };
    let order = body.enum_value("order", &["ORDER_UNSPECIFIED", "ASC", "DESC"])?;
    let order = SortOrder { column, descending: order == Some("DESC") };
    let limit = body.integer("limit")?.unwrap_or(MAX_QUERY_SIZE).clamp(1, MAX_QUERY_SIZE);
    let skip = body.integer("offset")?.unwrap_or(0).max(0);
    let found = match found {
        Some(found) => found,
        None => accounts::list_sorted(&identity.db, order, limit, skip).await?,
    };
    answer["userInfo"] = found.iter().map(|account| account_json(identity, account)).collect();
    Ok(answer)
}

/// `accounts:batchDelete`
pub async fn delete_all(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let ids = body.strings("localIds")?;
    if ids.is_empty() || ids.len() > MAX_ACCOUNTS {
        return refuse("LOCAL_ID_LIST_EXCEEDS_LIMIT");
    }
    let force = body.bool("force")? == Some(true);
    let (mut errors, mut to_delete) = (Vec::new(), BTreeMap::new());
    for (index, id) in ids.into_iter().enumerate() {
        let account = accounts::find_by_id(&identity.db, id).await?;
        let Some(account) = account else { continue };
        if force || account.disabled {
            to_delete.insert(id, account);
        } else {
            let message = "NOT_DISABLED : Disable the account before batch deletion.";
            errors.push(json!({ "index": index, "localId": id, "message": message }));
        }
    }
    let mut tx = identity.db.begin().await?;
    for account in to_delete.values() {
        identity.delete_in(&mut tx, account, call.event("deleted")).await?;
    }
    tx.commit().await?;
    Ok(if errors.is_empty() { json!({}) } else { json!({ "errors": errors }) })
}

/// `accounts:batchCreate`: imports accounts with their password hashes.
pub async fn import(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let users = body.objects("users")?.unwrap_or_default();
    if users.is_empty() {
        return refuse("MISSING_USER_ACCOUNT");
    }
    if users.len() > MAX_ACCOUNTS {
        return refuse("MAXIMUM_USER_COUNT_EXCEEDED : Can not import more than 1000 users.");
    }
    let unique = body.bool("sanityCheck")? == Some(true);
    check_unique(&users, "localId", "DUPLICATE_LOCAL_ID")?;
    if unique {
        if !identity.allows_duplicate_emails() {
            check_unique(&users, "email", "DUPLICATE_EMAIL")?;
        }
        check_unique_providers(&users)?;
    }
    let overwrite = body.bool("allowOverwrite")? == Some(true);
    let plain = users.iter().filter(|user| user.as_map().contains_key("rawPassword")).count();
    if plain > MAX_PASSWORDS {
        return refuse(
            "MAXIMUM_USER_COUNT_EXCEEDED : Can not hash more than 100 passwords at once.",
        );
    }
    let mut errors = Vec::new();
    for (index, user) in users.iter().enumerate() {
        let failed = match parse_user(identity, body, user).await {
            Ok(account) => save_user(call, account, overwrite).await?,
            Err(UserError::User(why)) => Some(why),
            Err(UserError::Request(why)) => return Err(why),
        };
        errors.extend(failed.map(|message| json!({ "index": index, "message": message })));
    }
    Ok(json!({ "kind": "identitytoolkit#UploadAccountResponse", "error": errors }))
}

fn check_unique(users: &[ApiFields], field: &str, refusal: &str) -> ApiResult<()> {
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

fn check_unique_providers(users: &[ApiFields]) -> ApiResult<()> {
    let mut seen = BTreeSet::new();
    for user in users {
        for info in user.objects("providerUserInfo")?.unwrap_or_default() {
            if let Some(provider) = linked_provider(&info)?
                && !seen.insert((provider.provider_id.clone(), provider.raw_id.clone()))
            {
                let (id, raw_id) = (provider.provider_id, provider.raw_id);
                return refuse(format!("DUPLICATE_RAW_ID : Provider id({id}), Raw id({raw_id})"));
            }
        }
    }
    Ok(())
}

/// Why an import failed: because of one user, or because of the whole request.
enum UserError {
    User(String),
    Request(ApiError),
}

impl<R: Into<ApiError>> From<R> for UserError {
    fn from(why: R) -> Self {
        Self::Request(why.into())
    }
}

/// Parses one user of an import.
async fn parse_user(
    identity: &Identity,
    call: &ApiFields,
    user: &ApiFields,
) -> Result<Account, UserError> {
    let reject = |why: &str| Err(UserError::User(why.to_owned()));
    let now = identity.clock.now();
    let Some(id) = user.filled("localId")? else { return reject("localId is missing") };
    let Some(id) = AccountId::parse(id) else { return reject("localId is invalid") };
    let mut account = Account::new(id, now);
    account.revoke_tokens(now);
    account.disabled = user.bool("disabled")?.unwrap_or(false);
    account.email_verified = Some(user.bool("emailVerified")?.unwrap_or(false));
    account.display_name = user.string("displayName")?.map(|name| clean_name(name, MAX_NAME));
    account.photo_url = user.string("photoUrl")?.map(str::to_owned);
    if let Some(address) = user.filled("email")? {
        let Some(address) = identity.email(address) else { return reject("email is invalid") };
        account.email = Some(address);
    }
    if let Some(number) = user.filled("phoneNumber")? {
        let Some(number) = phone_number(number) else {
            return reject("phone number format is invalid");
        };
        account.phone_number = Some(number);
    }
    if let Some(attributes) = user.filled("customAttributes")? {
        match check_attributes(attributes) {
            Ok(()) => account.custom_attributes = Some(attributes.to_owned()),
            Err(ApiError::Protocol(_, why, _)) if why.starts_with("FORBIDDEN_CLAIM") => {
                return reject("Custom claims provided include a reserved claim.");
            }
            Err(ApiError::Protocol(_, why, _)) if why == "CLAIMS_TOO_LARGE" => {
                return reject("Custom claims provided are too large.");
            }
            Err(_) => return reject("Invalid custom claims provided."),
        }
    }
    for info in user.objects("providerUserInfo")?.unwrap_or_default() {
        if ["password", "phone"].contains(&info.string("providerId")?.unwrap_or_default()) {
            continue;
        }
        let Some(provider) = linked_provider(&info)? else {
            return reject("federatedId or (providerId & rawId) is required");
        };
        account.link(provider);
    }
    account.factors = parse_user_factors(identity, &account, user)?;
    if let Some(millis) = user.integer("createdAt")? {
        account.created_at = Timestamp(millis);
    }
    account.last_login_at = user.integer("lastLoginAt")?.map(Timestamp);
    if let Some(password) = user.filled("rawPassword")? {
        if check_length(password).is_err() {
            return reject("Password is too short or too long");
        }
        account.set_password(identity.hasher.hash(password).await?, now);
    } else if let Some(given) = user.filled("passwordHash")? {
        let imported = imported_hashes::parse(call.as_map(), user.as_map());
        let imported = match imported {
            Ok(hash) => Ok(identity.seal_imported_hash(&hash)?),
            Err(why) => Err(why),
        };
        let hash = match (identity.emulator(), imported) {
            (Some(_emulator), imported) => {
                fake_hash::from_import(given, user.string("salt")?, imported.ok())
            }
            (None, Ok(hash)) => hash,
            (None, Err(why)) => return reject(why),
        };
        account.set_password(hash, now);
    }
    Ok(account)
}

/// Parses the second factors of an imported user, which keep their ids.
fn parse_user_factors(
    identity: &Identity,
    account: &Account,
    user: &ApiFields,
) -> Result<Vec<Factor>, UserError> {
    let reject = |why: &str| Err(UserError::User(why.to_owned()));
    let list = user.objects("mfaInfo")?.unwrap_or_default();
    if list.is_empty() {
        return Ok(Vec::new());
    }
    if account.email.is_none() {
        return reject("Second factor account requires email to be presented.");
    }
    if !account.has_verified_email() {
        return reject("Second factor account requires email to be verified.");
    }
    for info in &list {
        if info.filled("phoneInfo")?.is_none() {
            return reject("Second factor not supported.");
        }
    }
    match parse_mfa(identity, &list, FactorIds::ProvidedOrGenerated) {
        Ok(factors) => Ok(factors),
        Err(ApiError::Protocol(_, why, _)) if why == "DUPLICATE_MFA_ENROLLMENT_ID" => {
            reject("Enrollment id already exists.")
        }
        Err(ApiError::Protocol(..)) => reject("Phone number format is invalid"),
        Err(why) => Err(UserError::Request(why)),
    }
}

/// Saves an imported account. `Some` is the reason why it was not saved.
async fn save_user(call: &Call<'_>, account: Account, replace: bool) -> ApiResult<Option<String>> {
    let account = match accounts::find_by_id(&call.identity.db, account.id.as_str()).await? {
        None => account,
        Some(known) if replace => {
            let mut tx = call.identity.db.begin().await?;
            revoke_sessions(&mut tx, &known.id).await?;
            tx.commit().await?;
            account.overwriting(&known)
        }
        Some(_) => {
            let why = "localId belongs to an existing account - can not overwrite.";
            return Ok(Some(why.into()));
        }
    };
    match save(call, &account, "imported").await {
        Ok(()) => Ok(None),
        Err(ApiError::Protocol(_, why, _)) => Ok(Some(match &*why {
            "EMAIL_EXISTS" => "email exists in other account in database".into(),
            "PHONE_NUMBER_EXISTS" => "phone number exists in other account in database".into(),
            "FEDERATED_USER_ID_ALREADY_LINKED" => {
                "raw id exists in other account in database".into()
            }
            other => other.to_owned(),
        })),
        Err(ApiError::Conflict) => Ok(Some("the account was changed at the same time".into())),
        Err(why) => Err(why),
    }
}

const MIN_COOKIE_TTL: Duration = Duration::from_secs(5 * 60);
const MAX_COOKIE_TTL: Duration = Duration::from_secs(14 * 24 * 3600);

/// `projects/{p}:createSessionCookie`: the claims of an ID token with a longer lifetime.
pub async fn create_session_cookie(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let ttl = body.integer("validDuration")?.unwrap_or(MAX_COOKIE_TTL.as_secs() as i64);
    let ttl = u64::try_from(ttl).map(Duration::from_secs);
    let ttl = ttl.ok().filter(|ttl| (MIN_COOKIE_TTL..=MAX_COOKIE_TTL).contains(ttl));
    let Some(token) = body.filled("idToken")? else { return refuse("MISSING_ID_TOKEN") };
    let Some(ttl) = ttl else { return refuse("INVALID_DURATION") };
    let mut claims = identity.authenticate(Some(token)).await?.claims;
    let now = identity.clock.now();
    claims.insert("iss".into(), sessions::session_cookie_issuer(identity).into());
    claims.insert("iat".into(), (now.0 / 1000).into());
    claims.insert("exp".into(), (now.plus(ttl).0 / 1000).into());
    Ok(json!({ "sessionCookie": identity.keys.sign(&claims)? }))
}
