//! The account: the user record with its credentials and linked providers.

use std::hash::{DefaultHasher, Hash, Hasher};

use platform::{Clock, Id, Random, Timestamp, db};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::factor::Factor;
use crate::wire::without_nulls;

/// An account's id (`localId`, `uid`). Imports and custom tokens may choose their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
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

impl From<&AccountId> for db::SqlValue {
    fn from(id: &AccountId) -> Self {
        Self::from(id.as_str())
    }
}

#[derive(Clone, Debug, Default, sqlx::FromRow)]
pub struct Account {
    pub id: AccountId,
    /// Optimistic lock; 0 for an account that is not stored yet.
    pub(super) revision: i64,
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
    pub(super) loaded_fingerprint: u64,
}

/// A social provider that is linked to an account, and what it knows about the user.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct LinkedProvider {
    pub provider_id: String,
    pub raw_id: String,
    pub federated_id: Option<String>,
    pub email: Option<String>,
    pub display_name: Option<String>,
    pub photo_url: Option<String>,
    pub screen_name: Option<String>,
}

impl Account {
    pub fn new(id: AccountId, now: Timestamp) -> Self {
        // The generation is not 0, because a later account may get the same id.
        Self { id, created_at: now, token_generation: now.0, ..Self::default() }
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
    pub(super) fn fingerprint(&self) -> u64 {
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
            list.push(without_nulls(json!({
                "providerId": "password",
                "email": email,
                "federatedId": email,
                "rawId": email,
                "displayName": self.display_name,
                "photoUrl": self.photo_url,
            })));
        }
        list.extend(self.providers.iter().map(|provider| without_nulls(json!(provider))));
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
