//! Accounts: the user record, its credentials and linked providers, and their SQL.

use std::hash::{DefaultHasher, Hash, Hasher};

use platform::db::{self, is_unique_violation};
use platform::{Clock, Db, Id, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::protocol::{ApiError, ApiResult, refuse};
use crate::second_factor::{self, Factor};

/// An account's id (`localId`, `uid`). Imports and custom tokens may choose their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct AccountId(String);

impl AccountId {
    pub fn new(clock: &Clock, random: &Random) -> Self {
        Self(Id::<Account>::new(clock, random).to_string())
    }

    pub fn parse(text: &str) -> Option<Self> {
        let valid_length = !text.is_empty() && text.chars().count() <= 128;
        (valid_length && !text.contains(char::is_control)).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&AccountId> for db::Value {
    fn from(id: &AccountId) -> Self {
        Self::from(id.as_str())
    }
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Account {
    pub id: AccountId,
    /// Optimistic lock; 0 for an account that is not stored yet.
    revision: i64,
    pub email: Option<String>,
    pub email_verified: Option<bool>,
    /// Whether it has signed in by e-mail link.
    pub email_link: bool,
    pub initial_email: Option<String>,
    pub password_hash: Option<String>,
    pub password_updated_at: Option<Timestamp>,
    pub display_name: Option<String>,
    pub photo_url: Option<String>,
    pub phone_number: Option<String>,
    pub disabled: bool,
    pub custom_auth: bool,
    pub custom_attributes: Option<String>,
    /// Whether it has ever had an entry in `provider_user_info`.
    pub linked: bool,
    /// Tokens issued before are invalid; 0 while none were revoked.
    pub valid_since: Timestamp,
    /// Tokens of another generation are invalid (`platform::auth`).
    pub token_generation: i64,
    pub created_at: Timestamp,
    pub last_login_at: Option<Timestamp>,
    pub last_refresh_at: Option<Timestamp>,
    /// Whether the user has withdrawn a second factor.
    pub factors_withdrawn: bool,
    #[sqlx(skip)]
    pub providers: Vec<LinkedProvider>,
    #[sqlx(skip)]
    pub factors: Vec<Factor>,
    /// `fingerprint()` at the time it was loaded.
    #[sqlx(skip)]
    loaded_fingerprint: u64,
}

/// A social provider that is linked to an account, and what it knows about the user.
#[derive(Clone, Debug, Default, PartialEq, Hash, sqlx::FromRow)]
pub struct LinkedProvider {
    pub provider_id: String,
    pub raw_id: String,
    pub federated_id: Option<String>,
    pub email: Option<String>,
    pub display_name: Option<String>,
    pub photo_url: Option<String>,
    pub screen_name: Option<String>,
}

/// Returned instead of a password hash where the protocol requires one: "REDACTED" in base64.
pub const REDACTED: &str = "UkVEQUNURUQ=";

const COLUMNS: &str =
    "id, revision, email, email_verified, email_link, initial_email, password_hash,
    password_updated_at, display_name, photo_url, phone_number, disabled, custom_auth,
    custom_attributes, linked, valid_since, created_at, last_login_at, last_refresh_at,
    token_generation";

/// Read with an account, but written by `second_factor`.
const READ_ONLY: &str = "factors_withdrawn";

impl Account {
    pub fn new(id: AccountId, now: Timestamp) -> Self {
        Self {
            id,
            revision: 0,
            email: None,
            email_verified: None,
            email_link: false,
            initial_email: None,
            password_hash: None,
            password_updated_at: None,
            display_name: None,
            photo_url: None,
            phone_number: None,
            disabled: false,
            custom_auth: false,
            custom_attributes: None,
            linked: false,
            valid_since: Timestamp(0),
            // Not 0, because a later account may get the same id.
            token_generation: now.0,
            created_at: now,
            last_login_at: None,
            last_refresh_at: None,
            factors_withdrawn: false,
            providers: Vec::new(),
            factors: Vec::new(),
            loaded_fingerprint: 0,
        }
    }

    /// This account after `bump_revision`.
    pub fn after_bump(mut self) -> Self {
        self.revision += 1;
        self
    }

    /// This account, ready to be saved over an existing one.
    pub fn overwriting(mut self, other: &Self) -> Self {
        self.revision = other.revision;
        let next = other.token_generation.saturating_add(1);
        self.token_generation = self.token_generation.max(next);
        self
    }

    /// Detects changes that need the optimistic lock: all but names, photos and sign-in times.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let address = (&self.email, self.email_verified, self.email_link, &self.initial_email);
        let password = (&self.password_hash, self.password_updated_at.map(|at| at.0));
        let admin = (self.disabled, self.custom_auth, &self.custom_attributes);
        let tokens = (self.valid_since.0, self.token_generation);
        let others = (&self.phone_number, self.created_at.0, &self.providers);
        (address, password, admin, tokens, others).hash(&mut hasher);
        hasher.finish()
    }

    pub fn set_password(&mut self, hash: String, now: Timestamp) {
        self.password_hash = Some(hash);
        self.password_updated_at = Some(now);
        self.revoke_tokens(now);
    }

    /// Revokes all tokens issued until now.
    pub fn revoke_tokens(&mut self, now: Timestamp) {
        self.revoke_tokens_before(now, now);
    }

    /// Revokes tokens with a `valid_since` that an admin chose. That has a resolution of seconds, so the
    /// generation changes too, which revokes every token issued until now.
    pub fn revoke_tokens_before(&mut self, valid_since: Timestamp, now: Timestamp) {
        self.valid_since = valid_since;
        self.token_generation = now.0.max(self.token_generation.saturating_add(1));
    }

    pub fn has_verified_email(&self) -> bool {
        self.email_verified == Some(true)
    }

    /// Removes all credentials that somebody else may have added, before the owner of the e-mail address
    /// gets the account.
    pub fn drop_unverified(&mut self) {
        self.password_hash = None;
        self.email_link = false;
        self.phone_number = None;
        self.providers.clear();
    }

    /// Also removes the name and photo that somebody else may have set.
    pub fn drop_unverified_profile(&mut self) {
        self.drop_unverified();
        (self.display_name, self.photo_url) = (None, None);
    }

    pub fn provider(&self, id: &str) -> Option<&LinkedProvider> {
        self.providers.iter().find(|provider| provider.provider_id == id)
    }

    /// Links a provider, replacing an existing link to it.
    pub fn link(&mut self, provider: LinkedProvider) {
        match self.providers.iter_mut().find(|known| known.provider_id == provider.provider_id) {
            Some(known) => *known = provider,
            None => self.providers.push(provider),
        }
    }

    /// `providerUserInfo`: the sign-in methods of the account.
    pub fn provider_user_info(&self) -> Vec<Value> {
        let mut list = Vec::new();
        if let Some(email) = &self.email
            && (self.password_hash.is_some() || self.email_link)
        {
            list.push(json_object([
                ("providerId", Some("password".into())),
                ("email", Some(email.clone().into())),
                ("federatedId", Some(email.clone().into())),
                ("rawId", Some(email.clone().into())),
                ("displayName", self.display_name.clone().map(Value::from)),
                ("photoUrl", self.photo_url.clone().map(Value::from)),
            ]));
        }
        list.extend(self.providers.iter().map(|provider| {
            json_object([
                ("providerId", Some(provider.provider_id.clone().into())),
                ("rawId", Some(provider.raw_id.clone().into())),
                ("federatedId", provider.federated_id.clone().map(Value::from)),
                ("email", provider.email.clone().map(Value::from)),
                ("displayName", provider.display_name.clone().map(Value::from)),
                ("photoUrl", provider.photo_url.clone().map(Value::from)),
                ("screenName", provider.screen_name.clone().map(Value::from)),
            ])
        }));
        if let Some(phone) = &self.phone_number {
            list.push(json!({ "providerId": "phone", "phoneNumber": phone, "rawId": phone }));
        }
        list
    }

    /// `None` for an account that never had a sign-in method.
    pub fn listed_providers(&self) -> Option<Value> {
        let list = self.provider_user_info();
        (self.linked || !list.is_empty()).then(|| list.into())
    }

    /// `firebase.identities`: every identifier of the account.
    pub fn identities(&self) -> Map<String, Value> {
        let mut identities = Map::new();
        if let Some(email) = &self.email {
            identities.insert("email".into(), json!([email]));
        }
        if let Some(phone) = &self.phone_number {
            identities.insert("phone".into(), json!([phone]));
        }
        for provider in &self.providers {
            identities.insert(provider.provider_id.clone(), json!([provider.raw_id]));
        }
        identities
    }
}

/// A JSON object without the absent fields.
pub fn json_object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}

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
    account.factors = second_factor::find_by_account(db, &account.id).await?;
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

pub async fn list_sorted(db: &Db, sort: SortOrder, limit: i64, skip: i64) -> Result<Vec<Account>> {
    let SortOrder { column, descending } = sort;
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS}, {READ_ONLY} from accounts order by {column} {direction}, id {direction}
         limit $1 offset $2"
    );
    load_all_relations(db, db.query(sql).bind(limit).bind(skip).all().await?).await
}

pub struct SortOrder {
    pub column: &'static str,
    pub descending: bool,
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
fn column_values(account: &Account) -> [db::Value; 18] {
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
