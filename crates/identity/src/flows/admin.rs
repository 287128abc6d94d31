//! Admin API, for service accounts: create, list, find and delete accounts, and create session cookies.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use platform::Tx;
use serde_json::{Value, json};

use super::account_deletion;
use super::account_json::{FactorIds, account_json, display_name, parse_mfa};
use super::call::Call;
use crate::accounts::{self, Account, AccountId};
use crate::passwords::check_length;
use crate::phone_codes::required_phone_number;
use crate::sessions;
use crate::wire::{ApiError, ApiResult, refuse, without_nulls};

/// Per call: created, listed or deleted.
pub const MAX_ACCOUNTS: usize = 1000;
/// Per call.
const MAX_LOOKUPS: usize = 100;
const DEFAULT_PAGE_SIZE: i64 = 20;
const MAX_QUERY_SIZE: i64 = 500;

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
    let mut account = identity.new_account_with_id(id);
    account.last_login_at = identity.is_emulator().then_some(now);
    account.display_name = display_name(body)?;
    account.photo_url = body.string("photoUrl")?.map(str::to_owned);
    account.disabled = body.bool("disabled")?.unwrap_or(false);
    account.email_verified = Some(body.bool("emailVerified")?.unwrap_or(false));
    if let Some(address) = body.filled("email")? {
        let Some(address) = identity.email(address) else { return refuse("INVALID_EMAIL") };
        account.email = Some(address);
    }
    if let Some(number) = body.filled("phoneNumber")? {
        account.phone_number = Some(required_phone_number(Some(number))?);
    }
    let given = body.objects("mfaInfo")?.unwrap_or_default();
    account.factors = parse_mfa(identity, &given, FactorIds::Generated)?;
    if let Some(password) = body.filled("password")? {
        check_length(password)?;
        account.set_password(identity.hasher.hash(password).await?, now);
    }
    let mut tx = identity.db.begin().await?;
    save(call, &mut tx, &account, "created").await?;
    tx.commit().await?;
    Ok(without_nulls(json!({
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": account.id,
        "displayName": account.display_name,
        "email": account.email,
    })))
}

/// Saves an account with its providers and second factors.
pub async fn save(
    call: &Call<'_>,
    tx: &mut Tx,
    account: &Account,
    event: &'static str,
) -> ApiResult<()> {
    accounts::save(tx, account).await?;
    accounts::save_providers(tx, account).await?;
    accounts::replace_factors(tx, account).await?;
    Ok(call.record(tx, event, Some(&account.id)).await?)
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
    let last = page.last().filter(|_| page.len() as i64 == limit);
    Ok(without_nulls(json!({
        "kind": "identitytoolkit#DownloadAccountResponse",
        "users": page.iter().map(|account| account_json(call.identity, account)).collect::<Value>(),
        "nextPageToken": last.map(|account| &account.id),
    })))
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
    let direction = if order == Some("DESC") { "desc" } else { "asc" };
    let limit = body.integer("limit")?.unwrap_or(MAX_QUERY_SIZE).clamp(1, MAX_QUERY_SIZE);
    let skip = body.integer("offset")?.unwrap_or(0).max(0);
    let found = match found {
        Some(found) => found,
        None => accounts::list_sorted(&identity.db, column, direction, limit, skip).await?,
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
        account_deletion::delete_in(identity, &mut tx, account, call.event("deleted")).await?;
    }
    tx.commit().await?;
    Ok(if errors.is_empty() { json!({}) } else { json!({ "errors": errors }) })
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
    let claims = sessions::authenticate(identity, Some(token)).await?.claims;
    Ok(json!({ "sessionCookie": sessions::sign_cookie(identity, claims, ttl)? }))
}
