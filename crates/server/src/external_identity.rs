//! An external identity provider (a hosted Google Identity Platform project) instead of the shop's own service:
//! the browser signs in there, and the shop verifies its tokens with its published keys.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use jsonwebtoken::DecodingKey;
use platform::auth::{KeyFinder, Revocation};
use platform::http_client::{HttpClient, HttpClientError};
use serde_json::{Value, json};
use tokio::sync::Notify;

const GOOGLE_KEYS: &str =
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";
const GOOGLE_ACCOUNTS: &str = "https://identitytoolkit.googleapis.com";
/// Keys are refreshed after their `max-age`, within these bounds.
const MIN_REFRESH: Duration = Duration::from_secs(60);
const MAX_REFRESH: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Hosted sign-in")]
#[group(id = "hosted")]
pub struct ExternalIdentitySettings {
    /// The id of a hosted Google project to sign in with, instead of the shop's own identity service
    #[arg(long, env = "HAAT_HOSTED_PROJECT_ID", value_name = "ID")]
    hosted_project_id: Option<String>,
    /// The project's API key
    #[arg(long, env = "HAAT_HOSTED_API_KEY", value_name = "KEY")]
    hosted_api_key: Option<String>,
    /// The project's auth domain, such as my-project.firebaseapp.com
    #[arg(long, env = "HAAT_HOSTED_AUTH_DOMAIN", value_name = "HOST")]
    hosted_auth_domain: Option<String>,
    /// The URL of the hosted service, if it is not Google's: for tests
    #[arg(long, env = "HAAT_HOSTED_URL", value_name = "URL", value_parser = crate::origin)]
    hosted_url: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ExternalProject {
    pub project_id: String,
    pub api_key: String,
    pub auth_domain: String,
    pub url: Option<String>,
    pub keys_url: String,
}

impl ExternalProject {
    /// Asks the provider whether an ID token is still valid (`accounts:lookup`). No response is an error.
    pub fn revocation(&self, client: HttpClient) -> Revocation {
        let service = match &self.url {
            Some(url) => format!("{url}/identitytoolkit.googleapis.com"),
            None => GOOGLE_ACCOUNTS.to_owned(),
        };
        let url = format!("{service}/v1/accounts:lookup?key={}", self.api_key);
        Revocation::Hosted(Arc::new(move |token, issued_at| {
            let (client, url) = (client.clone(), url.clone());
            Box::pin(async move {
                match client.post_for_json(&url, &json!({ "idToken": token })).await {
                    Ok(found) => Ok(is_valid(&found["users"][0], issued_at)),
                    // Expired, revoked, disabled or deleted.
                    Err(HttpClientError::Refused { status: StatusCode::BAD_REQUEST, .. }) => {
                        Ok(false)
                    }
                    Err(why) => Err(why.into()),
                }
            })
        }))
    }
}

/// Whether a token issued at this Unix time is valid for the account.
fn is_valid(account: &Value, issued_at: i64) -> bool {
    let valid_since = account["validSince"].as_str().and_then(|text| text.parse::<i64>().ok());
    account["localId"].is_string()
        && account["disabled"] != true
        && valid_since.is_none_or(|valid_since| issued_at >= valid_since)
}

impl ExternalIdentitySettings {
    /// The project, if it is set; an incomplete one is an error.
    pub fn check(&self) -> Result<Option<ExternalProject>, String> {
        // An empty setting counts as not set.
        let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let hosted_url = &self.hosted_url;
        let (project_id, api_key) = (set(&self.hosted_project_id), set(&self.hosted_api_key));
        let keys_url = match hosted_url {
            Some(url) => format!("{url}/auth/jwks.json"),
            None => GOOGLE_KEYS.to_owned(),
        };
        match (project_id, api_key, set(&self.hosted_auth_domain)) {
            (Some(project_id), Some(api_key), Some(auth_domain)) => {
                let url = hosted_url.clone();
                Ok(Some(ExternalProject { project_id, api_key, auth_domain, url, keys_url }))
            }
            (None, None, None) if hosted_url.is_none() => Ok(None),
            _ => Err("a hosted project needs hosted_project_id, hosted_api_key and \
                      hosted_auth_domain together"
                .into()),
        }
    }
}

/// The provider's public keys, refreshed in the background.
#[derive(Clone)]
pub struct ExternalKeys(Arc<KeySet>);

struct KeySet {
    client: HttpClient,
    url: String,
    keys: RwLock<BTreeMap<String, DecodingKey>>,
    /// Notified when a token has an unknown key id.
    unknown: Notify,
}

impl ExternalKeys {
    /// Fetches the keys; if that fails, `run` retries.
    pub async fn start(client: HttpClient, url: String) -> Self {
        let (keys, unknown) = (RwLock::default(), Notify::new());
        let key_set = Self(Arc::new(KeySet { client, url, keys, unknown }));
        key_set.fetch().await;
        key_set
    }

    pub fn finder(&self) -> KeyFinder {
        let key_set = self.0.clone();
        Arc::new(move |id| {
            let keys = key_set.keys.read().unwrap_or_else(PoisonError::into_inner);
            let found = keys.get(id).cloned();
            if found.is_none() {
                key_set.unknown.notify_one();
            }
            found
        })
    }

    /// Refreshes the keys when they expire or when a token has an unknown key id, at most once per `MIN_REFRESH`.
    pub async fn run(self) {
        let mut max_age_left = MIN_REFRESH;
        // Retry soon after a failed fetch at the start.
        for wait in [2, 4, 8, 16] {
            if self.0.keys.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
                tokio::time::sleep(Duration::from_secs(wait)).await;
                max_age_left = self.fetch().await;
            }
        }
        loop {
            tokio::time::sleep(MIN_REFRESH).await;
            let expired = tokio::time::sleep(max_age_left.saturating_sub(MIN_REFRESH));
            tokio::select! {
                () = expired => {}
                () = self.0.unknown.notified() => {}
            }
            max_age_left = self.fetch().await;
        }
    }

    async fn fetch(&self) -> Duration {
        let (answer, max_age) = match self.0.client.get_json(&self.0.url).await {
            Ok(answer) => answer,
            Err(why) => {
                tracing::error!(%why, "could not fetch the hosted project's keys");
                return MIN_REFRESH;
            }
        };
        let text = |key: &Value, name: &str| key[name].as_str().map(str::to_owned);
        let keys = answer["keys"].as_array().into_iter().flatten().filter_map(|key| {
            let (n, e) = (text(key, "n")?, text(key, "e")?);
            Some((text(key, "kid")?, DecodingKey::from_rsa_components(&n, &e).ok()?))
        });
        let keys: BTreeMap<_, _> = keys.collect();
        if keys.is_empty() {
            tracing::error!("the hosted project publishes no keys; keeping the previous ones");
            return MIN_REFRESH;
        }
        *self.0.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        max_age.unwrap_or(MIN_REFRESH).clamp(MIN_REFRESH, MAX_REFRESH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_checked_against_the_account() {
        let account = |more: Value| {
            let mut account = json!({ "localId": "a" });
            account.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            account
        };
        assert!(is_valid(&account(json!({})), 100));
        assert!(is_valid(&account(json!({ "validSince": "100", "disabled": false })), 100));
        assert!(!is_valid(&account(json!({ "validSince": "101" })), 100));
        assert!(!is_valid(&account(json!({ "disabled": true })), 100));
        assert!(!is_valid(&Value::Null, 100));
    }
}
