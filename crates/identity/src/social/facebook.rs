//! Facebook sign-in. Facebook is not an OpenID Connect provider: its access tokens are checked with
//! `debug_token`, then used to get the profile.

use aws_lc_rs::hmac;
use platform::Clock;
use platform::http_client::HttpClient;
use serde_json::Value;

use super::oidc::{encode_query, invalid_idp, is_token_like, provider_error};
use super::settings::Credentials;
use crate::crypto::hex;
use crate::wire::{ApiResult, JwtClaims};

pub struct Facebook {
    pub credentials: Credentials,
    pub dialog_url: String,
    pub graph_url: String,
    pub client: HttpClient,
    pub clock: Clock,
}

impl Facebook {
    /// The profile behind an access token. The token must be issued for our app id, because the owners
    /// of other apps have tokens of their users, too.
    pub async fn check_access_token(&self, token: &str) -> ApiResult<JwtClaims> {
        if !is_token_like(token) {
            return invalid_idp("The access token is malformed.");
        }
        let Self { credentials: Credentials { id, secret }, graph_url, client, .. } = self;
        let app_token = format!("{id}|{secret}");
        let query = encode_query(&[("input_token", token), ("access_token", &app_token)]);
        let answer = client.get_json(&format!("{graph_url}/debug_token?{query}")).await;
        let (answer, _) = answer.map_err(|why| {
            // Facebook also responds so to a wrong app secret, which the shopkeeper needs to know.
            tracing::warn!(%why, "Facebook rejected the check of an access token");
            provider_error(why, "Facebook does not know the access token.")
        })?;
        let token_info = &answer["data"];
        if token_info["is_valid"] != true {
            return invalid_idp("The access token is invalid.");
        }
        if text(&token_info["app_id"]).as_deref() != Some(id) {
            return invalid_idp("The access token was issued for another app.");
        }
        // 0 is never.
        let expires_at = token_info["expires_at"].as_i64().unwrap_or(0);
        if expires_at != 0 && expires_at.saturating_mul(1000) <= self.clock.now().0 {
            return invalid_idp("The access token has expired.");
        }
        let proof =
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), token.as_bytes());
        let query = encode_query(&[
            ("fields", "id,name,first_name,last_name,email,picture"),
            ("access_token", token),
            ("appsecret_proof", &hex(proof)),
        ]);
        let answer = client.get_json(&format!("{graph_url}/me?{query}")).await;
        let (answer, _) = answer
            .map_err(|why| provider_error(why, "Facebook returns no user for the access token."))?;
        let Value::Object(person) = answer else {
            return invalid_idp("Facebook returns no user for the access token.");
        };
        let user = text(&token_info["user_id"]);
        if user.is_some() && person.get("id").and_then(text) == user {
            Ok(person)
        } else {
            invalid_idp("The access token belongs to another user.")
        }
    }
}

/// Ids are strings in some responses and numbers in others.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
