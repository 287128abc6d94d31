//! The SQL of accounts, their linked providers and second factors. Only this module writes these tables.

use platform::db::{self, is_unique_violation};
use platform::{Db, Result, Timestamp, Tx};

use super::account::{Account, AccountId};
use super::factor::Factor;
use crate::wire::{ApiError, ApiResult, refuse};

const COLUMNS: &str =
    "id, revision, email, email_verified, email_link, initial_email, password_hash,
    password_updated_at, display_name, photo_url, phone_number, disabled, custom_auth,
    custom_attributes, linked, valid_since, created_at, last_login_at, last_refresh_at,
    token_generation";

/// Read with an account, but written by `delete_factor` and `mark_factors_replaced`.
const READ_ONLY: &str = "factors_withdrawn";

pub async fn find_by_id(db: &Db, id: &str) -> Result<Option<Account>> {
    find_by(db, "id", id).await
}

pub async fn find_by_email(db: &Db, email: &str) -> Result<Option<Account>> {
    find_by(db, "email", email).await
}

/// Costs the same whether the account exists or not, so that timing reveals nothing.
pub async fn find_id_by_email(db: &Db, email: &str) -> Result<Option<AccountId>> {
    let found: Option<(AccountId,)> =
        db.query("select id from accounts where email = $1").bind(email).optional().await?;
    Ok(found.map(|(id,)| id))
}

pub async fn find_by_phone_number(db: &Db, number: &str) -> Result<Option<Account>> {
    find_by(db, "phone_number", number).await
}

/// The first account with a linked provider that knows this e-mail address.
pub async fn find_by_provider_email(db: &Db, email: &str) -> Result<Option<Account>> {
    let sql = "select account from account_providers where email = $1 order by account limit 1";
    match db.query(sql).bind(email).optional::<(AccountId,)>().await? {
        Some((id,)) => find_by_id(db, id.as_str()).await,
        None => Ok(None),
    }
}

pub async fn find_by_provider(db: &Db, provider: &str, raw_id: &str) -> Result<Option<Account>> {
    let found: Option<(AccountId,)> = db
        .query("select account from account_providers where provider_id = $1 and raw_id = $2")
        .bind(provider)
        .bind(raw_id)
        .optional()
        .await?;
    let Some((id,)) = found else { return Ok(None) };
    let account = find_by_id(db, id.as_str()).await?;
    // It may have been unlinked between the two queries.
    let linked = |account: &Account| account.provider(provider).is_some_and(|p| p.raw_id == raw_id);
    Ok(account.filter(linked))
}

async fn find_by(db: &Db, column: &'static str, value: &str) -> Result<Option<Account>> {
    let sql = format!("select {COLUMNS}, {READ_ONLY} from accounts where {column} = $1");
    match db.query(sql).bind(value).optional::<Account>().await? {
        Some(account) => load_relations(db, account).await.map(Some),
        None => Ok(None),
    }
}

async fn load_relations(db: &Db, mut account: Account) -> Result<Account> {
    account.providers = db
        .query(
            "select provider_id, raw_id, federated_id, email, display_name, photo_url, screen_name
             from account_providers where account = $1 order by place, provider_id",
        )
        .bind(&account.id)
        .all()
        .await?;
    account.factors = find_factors(db, &account.id).await?;
    account.loaded_fingerprint = account.fingerprint();
    Ok(account)
}

/// `None` for an account that is disabled or deleted.
pub async fn token_generation(db: &Db, id: &str) -> Result<Option<i64>> {
    let sql = "select token_generation from accounts where id = $1 and disabled = $2";
    let found: Option<(i64,)> = db.query(sql).bind(id).bind(false).optional().await?;
    Ok(found.map(|(generation,)| generation))
}

/// Accounts in the order of their ids, after `after`.
pub async fn list_page(db: &Db, after: &str, limit: i64) -> Result<Vec<Account>> {
    let sql =
        format!("select {COLUMNS}, {READ_ONLY} from accounts where id > $1 order by id limit $2");
    load_all_relations(db, db.query(sql).bind(after).bind(limit).all().await?).await
}

/// `direction` is `asc` or `desc`.
pub async fn list_sorted(
    db: &Db,
    column: &'static str,
    direction: &'static str,
    limit: i64,
    skip: i64,
) -> Result<Vec<Account>> {
    let sql = format!(
        "select {COLUMNS}, {READ_ONLY} from accounts order by {column} {direction}, id {direction}
         limit $1 offset $2"
    );
    load_all_relations(db, db.query(sql).bind(limit).bind(skip).all().await?).await
}

pub async fn count(db: &Db) -> Result<i64> {
    let (count,): (i64,) = db.query("select count(*) from accounts").one().await?;
    Ok(count)
}

async fn load_all_relations(db: &Db, found: Vec<Account>) -> Result<Vec<Account>> {
    let mut accounts = Vec::with_capacity(found.len());
    for account in found {
        accounts.push(load_relations(db, account).await?);
    }
    Ok(accounts)
}

/// Inserts or updates an account, without its providers and second factors. `EMAIL_EXISTS` when another
/// account has its address, `ApiError::Conflict` when it was changed since it was loaded.
pub async fn save(tx: &mut Tx, account: &Account) -> ApiResult<()> {
    let written = if account.revision == 0 {
        insert(tx, account).await
    } else if account.loaded_fingerprint == account.fingerprint() {
        update_profile_fields(tx, account).await
    } else {
        update(tx, account).await
    };
    match written {
        Ok(1) => Ok(()),
        Ok(_) => Err(ApiError::Conflict),
        Err(why) if is_unique_violation(&why, "email") => refuse("EMAIL_EXISTS"),
        Err(why) if is_unique_violation(&why, "phone_number") => refuse("PHONE_NUMBER_EXISTS"),
        // Another call created an account with this id at the same time.
        Err(why) if is_unique_violation(&why, "accounts") => Err(ApiError::Conflict),
        Err(why) => Err(why.into()),
    }
}

async fn insert(tx: &mut Tx, account: &Account) -> Result<u64> {
    let sql = format!(
        "insert into accounts ({COLUMNS})
         values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
           $19)"
    );
    tx.query(sql).bind(&account.id).bind_all(column_values(account)).execute().await
}

async fn update(tx: &mut Tx, account: &Account) -> Result<u64> {
    tx.query(
        "update accounts set revision = revision + 1, email = $2, email_verified = $3,
           email_link = $4, initial_email = $5, password_hash = $6, password_updated_at = $7,
           display_name = $8, photo_url = $9, phone_number = $10, disabled = $11,
           custom_auth = $12, custom_attributes = $13, linked = linked or $14, valid_since = $15,
           created_at = $16, last_login_at = $17, last_refresh_at = $18, token_generation = $19
         where id = $1 and revision = $20",
    )
    .bind(&account.id)
    .bind_all(column_values(account))
    .bind(account.revision)
    .execute()
    .await
}

/// All columns but `id` and `revision`, in the order of `COLUMNS`.
fn column_values(account: &Account) -> [db::SqlValue; 18] {
    [
        account.email.clone().into(),
        account.email_verified.into(),
        account.email_link.into(),
        account.initial_email.clone().into(),
        account.password_hash.clone().into(),
        account.password_updated_at.into(),
        account.display_name.clone().into(),
        account.photo_url.clone().into(),
        account.phone_number.clone().into(),
        account.disabled.into(),
        account.custom_auth.into(),
        account.custom_attributes.clone().into(),
        (!account.provider_user_info().is_empty()).into(),
        account.valid_since.into(),
        account.created_at.into(),
        account.last_login_at.into(),
        account.last_refresh_at.into(),
        account.token_generation.into(),
    ]
}

/// Does not increment the revision, so concurrent sign-ins do not conflict.
async fn update_profile_fields(tx: &mut Tx, account: &Account) -> Result<u64> {
    tx.query(
        "update accounts set display_name = $2, photo_url = $3, last_login_at = $4,
           last_refresh_at = $5
         where id = $1 and revision = $6",
    )
    .bind(&account.id)
    .bind(account.display_name.clone())
    .bind(account.photo_url.clone())
    .bind(account.last_login_at)
    .bind(account.last_refresh_at)
    .bind(account.revision)
    .execute()
    .await
}

/// Updates `last_refresh_at`, unless the account was changed since it was loaded.
pub async fn record_refresh(db: &Db, account: &Account, now: Timestamp) -> ApiResult<()> {
    let updated = db
        .query("update accounts set last_refresh_at = $2 where id = $1 and revision = $3")
        .bind(&account.id)
        .bind(now)
        .bind(account.revision)
        .execute()
        .await?;
    if updated == 1 { Ok(()) } else { Err(ApiError::Conflict) }
}

/// Increments the revision of an account whose second factors are replaced in this transaction.
pub async fn mark_factors_replaced(tx: &mut Tx, id: &AccountId) -> Result<()> {
    tx.query("update accounts set revision = revision + 1, factors_withdrawn = $2 where id = $1")
        .bind(id)
        .bind(false)
        .execute()
        .await
        .map(drop)
}

/// Increments the revision of an account when a related row changes.
pub async fn bump_revision(tx: &mut Tx, account: &Account) -> ApiResult<()> {
    let updated = tx
        .query("update accounts set revision = revision + 1 where id = $1 and revision = $2")
        .bind(&account.id)
        .bind(account.revision)
        .execute()
        .await?;
    if updated == 1 { Ok(()) } else { Err(ApiError::Conflict) }
}

/// Replaces the linked providers of an account.
pub async fn save_providers(tx: &mut Tx, account: &Account) -> ApiResult<()> {
    tx.query("delete from account_providers where account = $1")
        .bind(&account.id)
        .execute()
        .await?;
    for (place, provider) in (0i64..).zip(&account.providers) {
        let written = tx
            .query(
                "insert into account_providers (account, provider_id, raw_id, federated_id, email,
                   display_name, photo_url, screen_name, place)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            )
            .bind(&account.id)
            .bind(provider.provider_id.as_str())
            .bind(provider.raw_id.as_str())
            .bind(provider.federated_id.clone())
            .bind(provider.email.clone())
            .bind(provider.display_name.clone())
            .bind(provider.photo_url.clone())
            .bind(provider.screen_name.clone())
            .bind(place)
            .execute()
            .await;
        match written {
            Ok(_) => {}
            Err(why) if is_unique_violation(&why, "raw_id") => {
                return refuse("FEDERATED_USER_ID_ALREADY_LINKED");
            }
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}

pub async fn delete(tx: &mut Tx, id: &AccountId) -> ApiResult<()> {
    let deleted = tx.query("delete from accounts where id = $1").bind(id).execute().await?;
    if deleted == 1 { Ok(()) } else { Err(ApiError::Conflict) }
}

/// Deletes accounts without a credential that were last used before `unused`, or before `anonymous` if
/// anyone has ever signed in to them; at most `limit`. Returns their ids.
pub async fn delete_unused(
    tx: &mut Tx,
    unused: Timestamp,
    anonymous: Timestamp,
    limit: i64,
) -> Result<Vec<AccountId>> {
    // The condition is repeated, because an account may be used between the two parts of the statement.
    const UNUSED: &str = "not linked and not custom_auth and email is null
       and (coalesce(last_refresh_at, created_at) < $1
         or (coalesce(last_refresh_at, created_at) < $2 and last_login_at is not null))";
    let sql = format!(
        "delete from accounts where {UNUSED}
         and id in (select id from accounts where {UNUSED} limit $3) returning id"
    );
    let deleted: Vec<(AccountId,)> =
        tx.query(sql).bind(unused).bind(anonymous).bind(limit).all().await?;
    Ok(deleted.into_iter().map(|(id,)| id).collect())
}

async fn find_factors(db: &Db, account: &AccountId) -> Result<Vec<Factor>> {
    db.query(
        "select id, phone_number, sealed_key, last_step, display_name, enrolled_at
         from second_factors where account = $1 order by place, enrolled_at, id",
    )
    .bind(account)
    .all()
    .await
}

/// Replaces the second factors of an account.
pub async fn replace_factors(tx: &mut Tx, account: &Account) -> Result<()> {
    tx.query("delete from second_factors where account = $1").bind(&account.id).execute().await?;
    for factor in &account.factors {
        insert_factor(tx, &account.id, factor).await?;
    }
    Ok(())
}

/// Inserts a factor after the existing ones.
pub async fn insert_factor(tx: &mut Tx, account: &AccountId, factor: &Factor) -> Result<()> {
    tx.query(
        "insert into second_factors
           (id, account, phone_number, sealed_key, last_step, display_name, enrolled_at, place)
         values ($1, $2, $3, $4, $5, $6, $7,
           (select coalesce(max(place), 0) + 1 from second_factors where account = $2))",
    )
    .bind(factor.id.as_str())
    .bind(account)
    .bind(factor.phone_number.clone())
    .bind(factor.sealed_key.clone())
    .bind(factor.last_step)
    .bind(factor.display_name.clone())
    .bind(factor.enrolled_at)
    .execute()
    .await
    .map(drop)
}

/// Deletes a factor that the user withdraws.
pub async fn delete_factor(tx: &mut Tx, account: &AccountId, factor: &str) -> Result<()> {
    tx.query("delete from second_factors where account = $1 and id = $2")
        .bind(account)
        .bind(factor)
        .execute()
        .await?;
    tx.query("update accounts set factors_withdrawn = $2 where id = $1")
        .bind(account)
        .bind(true)
        .execute()
        .await
        .map(drop)
}

/// Records the time step of a used TOTP code. False if it, or a later one, was used already: of two
/// concurrent calls with the same code, one fails.
pub async fn record_totp_step(
    tx: &mut Tx,
    account: &AccountId,
    factor: &Factor,
    step: i64,
) -> Result<bool> {
    let updated = tx
        .query(
            "update second_factors set last_step = $2
             where id = $1 and account = $3 and (last_step is null or last_step < $2)",
        )
        .bind(factor.id.as_str())
        .bind(step)
        .bind(account)
        .execute()
        .await?;
    Ok(updated == 1)
}
