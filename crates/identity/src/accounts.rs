//! An account: who somebody is and what proves it.

use std::hash::{DefaultHasher, Hash, Hasher};

use base::db::{self, is_taken};
use base::{Clock, Db, Id, Random, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::protocol::{Answer, Refusal, refuse};
use crate::second_factor::{self, Factor};

/// An account's name in the protocol. We make short ones; shops that move here, and custom tokens,
/// bring their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct AccountId(String);

impl AccountId {
    pub fn new(clock: &Clock, random: &Random) -> Self {
        Self(Id::<Account>::new(clock, random).to_string())
    }

    pub fn parse(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.chars().count() <= 128;
        (fits && !text.contains(char::is_control)).then(|| Self(text.to_owned()))
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
    /// 0 for one that is not written yet.
    revision: i64,
    pub email: Option<String>,
    pub email_verified: Option<bool>,
    /// Whether it has signed in by a link in a mail.
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
    /// Whether it has ever had a way to sign in that can be listed.
    pub linked: bool,
    /// Tokens from before are worth nothing; 0 while nothing was revoked.
    pub valid_since: Timestamp,
    /// Tokens of another generation are worth nothing (`base::auth`).
    pub token_generation: i64,
    pub created_at: Timestamp,
    pub last_login_at: Option<Timestamp>,
    pub last_refresh_at: Option<Timestamp>,
    /// Whether its holder has withdrawn a second factor.
    pub factors_withdrawn: bool,
    #[sqlx(skip)]
    pub providers: Vec<Provider>,
    #[sqlx(skip)]
    pub factors: Vec<Factor>,
    /// What it was when it was read.
    #[sqlx(skip)]
    print: u64,
}

/// What a social provider knows of an account.
#[derive(Clone, Debug, Default, PartialEq, Hash, sqlx::FromRow)]
pub struct Provider {
    pub provider_id: String,
    pub raw_id: String,
    pub federated_id: Option<String>,
    pub email: Option<String>,
    pub display_name: Option<String>,
    pub photo_url: Option<String>,
    pub screen_name: Option<String>,
}

/// What stands in place of a password's hash where the protocol wants one: "REDACTED".
pub const REDACTED: &str = "UkVEQUNURUQ=";

const COLUMNS: &str =
    "id, revision, email, email_verified, email_link, initial_email, password_hash,
    password_updated_at, display_name, photo_url, phone_number, disabled, custom_auth,
    custom_attributes, linked, valid_since, created_at, last_login_at, last_refresh_at,
    token_generation";

/// What is read beside, and written by whoever changes second factors.
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
            // Not 0, because an id may be given to another account later.
            token_generation: now.0,
            created_at: now,
            last_login_at: None,
            last_refresh_at: None,
            factors_withdrawn: false,
            providers: Vec::new(),
            factors: Vec::new(),
            print: 0,
        }
    }

    /// This account after `touch`.
    pub fn moved(mut self) -> Self {
        self.revision += 1;
        self
    }

    /// This account, to be written over one that is there.
    pub fn in_place_of(mut self, other: &Self) -> Self {
        self.revision = other.revision;
        let next = other.token_generation.saturating_add(1);
        self.token_generation = self.token_generation.max(next);
        self
    }

    /// Tells whether anything was changed that matters: not the names, nor the times of signing in.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let address = (&self.email, self.email_verified, self.email_link, &self.initial_email);
        let password = (&self.password_hash, self.password_updated_at.map(|moment| moment.0));
        let admin = (self.disabled, self.custom_auth, &self.custom_attributes);
        let tokens = (self.valid_since.0, self.token_generation);
        let others = (&self.phone_number, self.created_at.0, &self.providers);
        (address, password, admin, tokens, others).hash(&mut hasher);
        hasher.finish()
    }

    pub fn set_password(&mut self, hash: String, now: Timestamp) {
        self.password_hash = Some(hash);
        self.password_updated_at = Some(now);
        self.revoke(now);
    }

    /// From now on, tokens that were issued before are worth nothing.
    pub fn revoke(&mut self, now: Timestamp) {
        self.revoke_before(now, now);
    }

    /// The same, with the moment that an admin names. It counts in seconds, so a token of that second
    /// may be older than the call; all that were issued until now are revoked.
    pub fn revoke_before(&mut self, valid_since: Timestamp, now: Timestamp) {
        self.valid_since = valid_since;
        self.token_generation = now.0.max(self.token_generation.saturating_add(1));
    }

    pub fn has_verified_email(&self) -> bool {
        self.email_verified == Some(true)
    }

    /// Takes away every way to sign in that somebody else may have made, before the address's owner
    /// gets the account.
    pub fn forget_unproven(&mut self) {
        self.password_hash = None;
        self.email_link = false;
        self.phone_number = None;
        self.providers.clear();
    }

    /// The same, with the name and the picture that they may have given it.
    pub fn forget_unproven_person(&mut self) {
        self.forget_unproven();
        (self.display_name, self.photo_url) = (None, None);
    }

    pub fn provider(&self, id: &str) -> Option<&Provider> {
        self.providers.iter().find(|provider| provider.provider_id == id)
    }

    /// Adds what a provider knows, in place of what it knew before.
    pub fn link(&mut self, provider: Provider) {
        match self.providers.iter_mut().find(|known| known.provider_id == provider.provider_id) {
            Some(known) => *known = provider,
            None => self.providers.push(provider),
        }
    }

    /// The ways to sign in that it has, as the protocol lists them.
    pub fn provider_user_info(&self) -> Vec<Value> {
        let mut list = Vec::new();
        if let Some(email) = &self.email
            && (self.password_hash.is_some() || self.email_link)
        {
            list.push(object([
                ("providerId", Some("password".into())),
                ("email", Some(email.clone().into())),
                ("federatedId", Some(email.clone().into())),
                ("rawId", Some(email.clone().into())),
                ("displayName", self.display_name.clone().map(Value::from)),
                ("photoUrl", self.photo_url.clone().map(Value::from)),
            ]));
        }
        list.extend(self.providers.iter().map(|provider| {
            object([
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

    /// The same, or nothing while there has never been any.
    pub fn listed_providers(&self) -> Option<Value> {
        let list = self.provider_user_info();
        (self.linked || !list.is_empty()).then(|| list.into())
    }

    /// `firebase.identities`: everything it can be known by.
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

/// An object of the fields that are there.
pub fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let there = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect())
}

pub async fn by_id(db: &Db, id: &str) -> Result<Option<Account>> {
    by(db, "id", id).await
}

pub async fn by_email(db: &Db, email: &str) -> Result<Option<Account>> {
    by(db, "email", email).await
}

/// Whose an address is, at the same cost whether it is anybody's or not.
pub async fn id_by_email(db: &Db, email: &str) -> Result<Option<AccountId>> {
    let found: Option<(AccountId,)> =
        db.query("select id from accounts where email = $1").bind(email).optional().await?;
    Ok(found.map(|(id,)| id))
}

pub async fn by_phone_number(db: &Db, number: &str) -> Result<Option<Account>> {
    by(db, "phone_number", number).await
}

/// The first account of which a provider knows this address.
pub async fn by_provider_email(db: &Db, email: &str) -> Result<Option<Account>> {
    let sql = "select account from account_providers where email = $1 order by account limit 1";
    match db.query(sql).bind(email).optional::<(AccountId,)>().await? {
        Some((id,)) => by_id(db, id.as_str()).await,
        None => Ok(None),
    }
}

/// The account that a provider knows by `raw_id`.
pub async fn by_provider(db: &Db, provider: &str, raw_id: &str) -> Result<Option<Account>> {
    let found: Option<(AccountId,)> = db
        .query("select account from account_providers where provider_id = $1 and raw_id = $2")
        .bind(provider)
        .bind(raw_id)
        .optional()
        .await?;
    let Some((id,)) = found else { return Ok(None) };
    let account = by_id(db, id.as_str()).await?;
    // It may have been unlinked between the two questions.
    let known = |account: &Account| account.provider(provider).is_some_and(|p| p.raw_id == raw_id);
    Ok(account.filter(known))
}

async fn by(db: &Db, column: &'static str, value: &str) -> Result<Option<Account>> {
    let sql = format!("select {COLUMNS}, {READ_ONLY} from accounts where {column} = $1");
    match db.query(sql).bind(value).optional::<Account>().await? {
        Some(account) => complete(db, account).await.map(Some),
        None => Ok(None),
    }
}

async fn complete(db: &Db, mut account: Account) -> Result<Account> {
    account.providers = db
        .query(
            "select provider_id, raw_id, federated_id, email, display_name, photo_url, screen_name
             from account_providers where account = $1 order by place, provider_id",
        )
        .bind(&account.id)
        .all()
        .await?;
    account.factors = second_factor::of(db, &account.id).await?;
    account.print = account.fingerprint();
    Ok(account)
}

/// The generation of an account's tokens; none where it is disabled or deleted.
pub async fn token_generation(db: &Db, id: &str) -> Result<Option<i64>> {
    let sql = "select token_generation from accounts where id = $1 and disabled = $2";
    let found: Option<(i64,)> = db.query(sql).bind(id).bind(false).optional().await?;
    Ok(found.map(|(generation,)| generation))
}

/// Accounts in the order of their ids, from behind `after`.
pub async fn page(db: &Db, after: &str, most: i64) -> Result<Vec<Account>> {
    let sql =
        format!("select {COLUMNS}, {READ_ONLY} from accounts where id > $1 order by id limit $2");
    complete_all(db, db.query(sql).bind(after).bind(most).all().await?).await
}

/// A part of all accounts, in another order.
pub async fn sorted(db: &Db, by: Order, most: i64, skip: i64) -> Result<Vec<Account>> {
    let Order { column, descending } = by;
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS}, {READ_ONLY} from accounts order by {column} {direction}, id {direction}
         limit $1 offset $2"
    );
    complete_all(db, db.query(sql).bind(most).bind(skip).all().await?).await
}

pub struct Order {
    pub column: &'static str,
    pub descending: bool,
}

pub async fn count(db: &Db) -> Result<i64> {
    let (count,): (i64,) = db.query("select count(*) from accounts").one().await?;
    Ok(count)
}

async fn complete_all(db: &Db, found: Vec<Account>) -> Result<Vec<Account>> {
    let mut page = Vec::with_capacity(found.len());
    for account in found {
        page.push(complete(db, account).await?);
    }
    Ok(page)
}

/// Writes an account, new or changed, but for its providers and second factors. `EMAIL_EXISTS` when
/// another has its address; `Refusal::Moved` when it was changed since it was read.
pub async fn put(tx: &mut Tx, account: &Account) -> Answer<()> {
    let written = if account.revision == 0 {
        insert(tx, account).await
    } else if account.print == account.fingerprint() {
        put_lightly(tx, account).await
    } else {
        update(tx, account).await
    };
    match written {
        Ok(1) => Ok(()),
        Ok(_) => Err(Refusal::Moved),
        Err(why) if is_taken(&why, "email") => refuse("EMAIL_EXISTS"),
        Err(why) if is_taken(&why, "phone_number") => refuse("PHONE_NUMBER_EXISTS"),
        // Somebody else made an account of this id at the same time.
        Err(why) if is_taken(&why, "accounts") => Err(Refusal::Moved),
        Err(why) => Err(why.into()),
    }
}

async fn insert(tx: &mut Tx, account: &Account) -> Result<u64> {
    let sql = format!(
        "insert into accounts ({COLUMNS})
         values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
           $19)"
    );
    tx.query(sql).bind(&account.id).bind_all(values(account)).execute().await
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
    .bind_all(values(account))
    .bind(account.revision)
    .execute()
    .await
}

/// Everything but the id and the revision, in the order of the columns.
fn values(account: &Account) -> [db::Value; 18] {
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

/// Nothing was changed that matters: many may do that at once, and none makes another wait.
async fn put_lightly(tx: &mut Tx, account: &Account) -> Result<u64> {
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

/// Notes when a session was renewed, unless the account was changed since it was read.
pub async fn note_refresh(db: &Db, account: &Account, now: Timestamp) -> Answer<()> {
    let noted = db
        .query("update accounts set last_refresh_at = $2 where id = $1 and revision = $3")
        .bind(&account.id)
        .bind(now)
        .bind(account.revision)
        .execute()
        .await?;
    if noted == 1 { Ok(()) } else { Err(Refusal::Moved) }
}

/// Moves the revision of an account whose factors are replaced in this transaction too.
pub async fn bump(tx: &mut Tx, id: &AccountId) -> Result<()> {
    tx.query("update accounts set revision = revision + 1, factors_withdrawn = $2 where id = $1")
        .bind(id)
        .bind(false)
        .execute()
        .await
        .map(drop)
}

/// Marks an account as changed when something beside its row is.
pub async fn touch(tx: &mut Tx, account: &Account) -> Answer<()> {
    let touched = tx
        .query("update accounts set revision = revision + 1 where id = $1 and revision = $2")
        .bind(&account.id)
        .bind(account.revision)
        .execute()
        .await?;
    if touched == 1 { Ok(()) } else { Err(Refusal::Moved) }
}

/// Writes what providers know of an account, in place of what was there.
pub async fn put_providers(tx: &mut Tx, account: &Account) -> Answer<()> {
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
            Err(why) if is_taken(&why, "raw_id") => {
                return refuse("FEDERATED_USER_ID_ALREADY_LINKED");
            }
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}

pub async fn delete(tx: &mut Tx, id: &AccountId) -> Answer<()> {
    let gone = tx.query("delete from accounts where id = $1").bind(id).execute().await?;
    if gone == 1 { Ok(()) } else { Err(Refusal::Moved) }
}
