//! An account: who somebody is and what proves it.

use base::db::is_taken;
use base::{Db, Error, Id, Result, Timestamp, Tx};
use serde_json::{Map, Value, json};

use crate::protocol::{Answer, refuse};

pub type AccountId = Id<Account>;

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Account {
    pub id: AccountId,
    pub email: Option<String>,
    pub email_verified: bool,
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
    /// Seconds.
    pub valid_since: i64,
    pub created_at: Timestamp,
    pub last_login_at: Option<Timestamp>,
    pub last_refresh_at: Option<Timestamp>,
    #[sqlx(skip)]
    pub providers: Vec<Provider>,
}

/// What a social provider knows of an account.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
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

const COLUMNS: &str = "id, email, email_verified, email_link, initial_email, password_hash,
    password_updated_at, display_name, photo_url, phone_number, disabled, custom_auth,
    custom_attributes, valid_since, created_at, last_login_at, last_refresh_at";

impl Account {
    pub fn new(id: AccountId, now: Timestamp) -> Self {
        Self {
            id,
            email: None,
            email_verified: false,
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
            valid_since: now.0 / 1000,
            created_at: now,
            last_login_at: None,
            last_refresh_at: None,
            providers: Vec::new(),
        }
    }

    pub fn set_password(&mut self, hash: String, now: Timestamp) {
        self.password_hash = Some(hash);
        self.password_updated_at = Some(now);
        self.valid_since = now.0 / 1000;
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
        if let Some(phone) = &self.phone_number {
            list.push(json!({ "providerId": "phone", "phoneNumber": phone, "rawId": phone }));
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
        list
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

async fn by(db: &Db, column: &'static str, value: &str) -> Result<Option<Account>> {
    let sql = format!("select {COLUMNS} from accounts where {column} = $1");
    let Some(mut account) = db.query(sql).bind(value).optional::<Account>().await? else {
        return Ok(None);
    };
    account.providers = db
        .query(
            "select provider_id, raw_id, federated_id, email, display_name, photo_url, screen_name
             from account_providers where account = $1 order by provider_id",
        )
        .bind(&account.id)
        .all()
        .await?;
    Ok(Some(account))
}

/// Writes an account, new or changed. `EMAIL_EXISTS` when another has its address.
pub async fn put(tx: &mut Tx, account: &Account) -> Answer<()> {
    let written = tx
        .query(
            "insert into accounts (id, email, email_verified, email_link, initial_email, password_hash,
               password_updated_at, display_name, photo_url, phone_number, disabled, custom_auth,
               custom_attributes, valid_since, created_at, last_login_at, last_refresh_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
             on conflict (id) do update set email = excluded.email,
               email_verified = excluded.email_verified, email_link = excluded.email_link,
               initial_email = excluded.initial_email, password_hash = excluded.password_hash,
               password_updated_at = excluded.password_updated_at,
               display_name = excluded.display_name, photo_url = excluded.photo_url,
               phone_number = excluded.phone_number, disabled = excluded.disabled,
               custom_auth = excluded.custom_auth, custom_attributes = excluded.custom_attributes,
               valid_since = excluded.valid_since, last_login_at = excluded.last_login_at,
               last_refresh_at = excluded.last_refresh_at",
        )
        .bind(&account.id)
        .bind(account.email.clone())
        .bind(account.email_verified)
        .bind(account.email_link)
        .bind(account.initial_email.clone())
        .bind(account.password_hash.clone())
        .bind(account.password_updated_at)
        .bind(account.display_name.clone())
        .bind(account.photo_url.clone())
        .bind(account.phone_number.clone())
        .bind(account.disabled)
        .bind(account.custom_auth)
        .bind(account.custom_attributes.clone())
        .bind(account.valid_since)
        .bind(account.created_at)
        .bind(account.last_login_at)
        .bind(account.last_refresh_at)
        .execute()
        .await;
    match written {
        Ok(_) => Ok(()),
        Err(why) if is_taken(&why, "email") => refuse("EMAIL_EXISTS"),
        Err(why) if is_taken(&why, "phone_number") => refuse("PHONE_NUMBER_EXISTS"),
        Err(why) => Err(why.into()),
    }
}

pub async fn delete(tx: &mut Tx, id: &AccountId) -> Result<()> {
    let gone = tx.query("delete from accounts where id = $1").bind(id).execute().await?;
    if gone == 1 { Ok(()) } else { Err(Error::NotFound("account")) }
}

/// Takes a way to sign in from an account.
pub async fn unlink(tx: &mut Tx, id: &AccountId, provider: &str) -> Result<()> {
    tx.query("delete from account_providers where account = $1 and provider_id = $2")
        .bind(id)
        .bind(provider)
        .execute()
        .await
        .map(drop)
}
