//! Signing in by a hosted Google project instead of the shop's own service: the browser talks to it,
//! and the shop knows its tokens by the keys that it publishes.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use base::auth::{KeyFinder, Revocation};
use base::client::{Client, Failure};
use jsonwebtoken::DecodingKey;
use serde_json::{Value, json};
use tokio::sync::Notify;

const GOOGLE_KEYS: &str =
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com";
const GOOGLE_ACCOUNTS: &str = "https://identitytoolkit.googleapis.com";
/// Keys are fetched again as their publisher says, within these bounds.
const SOONEST: Duration = Duration::from_secs(60);
const LATEST: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Hosted sign-in")]
#[group(id = "hosted")]
pub struct Settings {
    /// A hosted Google project to sign in by, instead of the shop's own service
    #[arg(long, env = "HAAT_HOSTED_PROJECT_ID", value_name = "ID")]
    hosted_project_id: Option<String>,
    #[arg(long, env = "HAAT_HOSTED_API_KEY", value_name = "KEY")]
    hosted_api_key: Option<String>,
    #[arg(long, env = "HAAT_HOSTED_AUTH_DOMAIN", value_name = "HOST")]
    hosted_auth_domain: Option<String>,
    /// Where the service is, when it is not Google's own
    #[arg(long, env = "HAAT_HOSTED_URL", value_name = "URL", value_parser = crate::origin)]
    hosted_url: Option<String>,
}

/// A hosted project, completely named.
#[derive(Clone, Debug)]
pub struct Host {
    pub project_id: String,
    pub api_key: String,
    pub auth_domain: String,
    pub url: Option<String>,
    pub keys_url: String,
}

impl Host {
    /// Asks the host whether an ID token is still good (`accounts:lookup`). A host that does not answer
    /// has not said yes.
    pub fn revocation(&self, client: Client) -> Revocation {
        let service = match &self.url {
            Some(url) => format!("{url}/identitytoolkit.googleapis.com"),
            None => GOOGLE_ACCOUNTS.to_owned(),
        };
        let url = format!("{service}/v1/accounts:lookup?key={}", self.api_key);
        Revocation::Hosted(Arc::new(move |token, issued_at| {
            let (client, url) = (client.clone(), url.clone());
            Box::pin(async move {
                match client.ask_json(&url, &json!({ "idToken": token })).await {
                    Ok(found) => Ok(is_good(&found["users"][0], issued_at)),
                    // Expired, revoked, disabled or deleted.
                    Err(Failure::Refused { status: StatusCode::BAD_REQUEST, .. }) => Ok(false),
                    Err(why) => Err(why.into()),
                }
            })
        }))
    }
}

/// Whether a token of this Unix time opens the account that was found.
fn is_good(account: &Value, issued_at: i64) -> bool {
    let valid_since = account["validSince"].as_str().and_then(|text| text.parse::<i64>().ok());
    account["localId"].is_string()
        && account["disabled"] != true
        && valid_since.is_none_or(|valid_since| issued_at >= valid_since)
}

impl Settings {
    /// The project, if there is one; half a project is a mistake.
    pub fn check(&self) -> Result<Option<Host>, String> {
        // What is empty is not set.
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
                Ok(Some(Host { project_id, api_key, auth_domain, url, keys_url }))
            }
            (None, None, None) if hosted_url.is_none() => Ok(None),
            _ => Err("a hosted project wants hosted_project_id, hosted_api_key and \
                      hosted_auth_domain together"
                .into()),
        }
    }
}

/// The host's published keys, kept fresh.
#[derive(Clone)]
pub struct HostedKeys(Arc<Kept>);

struct Kept {
    client: Client,
    url: String,
    keys: RwLock<BTreeMap<String, DecodingKey>>,
    /// Somebody came with a key that is not known yet.
    unknown: Notify,
}

impl HostedKeys {
    /// Fetches the keys; a host that cannot be reached now is asked again.
    pub async fn start(client: Client, url: String) -> Self {
        let (keys, unknown) = (RwLock::default(), Notify::new());
        let kept = Self(Arc::new(Kept { client, url, keys, unknown }));
        kept.fetch().await;
        kept
    }

    pub fn finder(&self) -> KeyFinder {
        let kept = self.0.clone();
        Arc::new(move |id| {
            let keys = kept.keys.read().unwrap_or_else(PoisonError::into_inner);
            let found = keys.get(id).cloned();
            if found.is_none() {
                kept.unknown.notify_one();
            }
            found
        })
    }

    /// Fetches them when they are old, or when somebody brings one that is new, but not all the time.
    pub async fn keep(self) {
        let mut fresh_for = SOONEST;
        // A host that could not be reached at the start is asked again soon.
        for wait in [2, 4, 8, 16] {
            if self.0.keys.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
                tokio::time::sleep(Duration::from_secs(wait)).await;
                fresh_for = self.fetch().await;
            }
        }
        loop {
            tokio::time::sleep(SOONEST).await;
            let grow_old = tokio::time::sleep(fresh_for.saturating_sub(SOONEST));
            tokio::select! {
                () = grow_old => {}
                () = self.0.unknown.notified() => {}
            }
            fresh_for = self.fetch().await;
        }
    }

    async fn fetch(&self) -> Duration {
        let (answer, max_age) = match self.0.client.get_json(&self.0.url).await {
            Ok(answer) => answer,
            Err(why) => {
                tracing::error!(%why, "could not fetch the hosted project's keys");
                return SOONEST;
            }
        };
        let text = |key: &Value, name: &str| key[name].as_str().map(str::to_owned);
        let keys = answer["keys"].as_array().into_iter().flatten().filter_map(|key| {
            let (n, e) = (text(key, "n")?, text(key, "e")?);
            Some((text(key, "kid")?, DecodingKey::from_rsa_components(&n, &e).ok()?))
        });
        let keys: BTreeMap<_, _> = keys.collect();
        if keys.is_empty() {
            tracing::error!("the hosted project publishes no keys; those from before are kept");
            return SOONEST;
        }
        *self.0.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        max_age.unwrap_or(SOONEST).clamp(SOONEST, LATEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_says_which_tokens_are_good() {
        let account = |more: Value| {
            let mut account = json!({ "localId": "a" });
            account.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            account
        };
        assert!(is_good(&account(json!({})), 100));
        assert!(is_good(&account(json!({ "validSince": "100", "disabled": false })), 100));
        assert!(!is_good(&account(json!({ "validSince": "101" })), 100));
        assert!(!is_good(&account(json!({ "disabled": true })), 100));
        assert!(!is_good(&Value::Null, 100));
    }
}
