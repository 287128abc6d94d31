//! Facebook, which has a way of its own: its access token is looked at by itself, and then used to ask
//! who holds it.

use aws_lc_rs::hmac;
use base::Clock;
use base::client::Client;
use serde_json::{Map, Value};

use super::oidc::{believe, hexadecimal, invalid, plain, query};
use super::settings::Credentials;
use crate::protocol::Answer;

pub struct Facebook {
    pub credentials: Credentials,
    pub dialog_url: String,
    pub graph_url: String,
    pub client: Client,
    pub clock: Clock,
}

impl Facebook {
    /// Who holds an access token, when it was made for us. An app id is all that tells our tokens from
    /// those which any other app's owner collects.
    pub async fn holder(&self, token: &str) -> Answer<Map<String, Value>> {
        if !plain(token) {
            return invalid("The access token is not one.");
        }
        let Self { credentials: Credentials { id, secret }, graph_url, client, .. } = self;
        let ourselves = format!("{id}|{secret}");
        let asked = query(&[("input_token", token), ("access_token", &ourselves)]);
        let answer = client.get_json(&format!("{graph_url}/debug_token?{asked}")).await;
        let (answer, _) = answer.map_err(|why| {
            // So it refuses a wrong app secret, too, which the shopkeeper would want to know.
            tracing::warn!(%why, "Facebook did not look at an access token");
            believe(why, "Facebook does not know the access token.")
        })?;
        let made = &answer["data"];
        if made["is_valid"] != true {
            return invalid("The access token is not good.");
        }
        if text(&made["app_id"]).as_deref() != Some(id) {
            return invalid("The access token was made for another app.");
        }
        // Zero is never.
        let ends = made["expires_at"].as_i64().unwrap_or(0);
        if ends != 0 && ends.saturating_mul(1000) <= self.clock.now().0 {
            return invalid("The access token has expired.");
        }
        let proof =
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), token.as_bytes());
        let asked = query(&[
            ("fields", "id,name,first_name,last_name,email,picture"),
            ("access_token", token),
            ("appsecret_proof", &hexadecimal(proof)),
        ]);
        let answer = client.get_json(&format!("{graph_url}/me?{asked}")).await;
        let (answer, _) = answer
            .map_err(|why| believe(why, "Facebook does not tell who holds the access token."))?;
        let Value::Object(person) = answer else {
            return invalid("Facebook does not tell who holds the access token.");
        };
        let user = text(&made["user_id"]);
        if user.is_some() && person.get("id").and_then(text) == user {
            Ok(person)
        } else {
            invalid("The access token is somebody else's.")
        }
    }
}

/// Ids are texts in some of its answers and numbers in others.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
