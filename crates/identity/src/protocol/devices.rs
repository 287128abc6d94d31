//! Signed-in devices: lets users list their sessions and end them. The protocol has no such operations,
//! so these paths are our own.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use platform::auth::bearer_token;
use platform::http::ClientIp;
use serde_json::{Value, json};

use crate::accounts;
use crate::crypto::hash_token;
use crate::security_log::{self, AuthEvent};
use crate::services::Services;
use crate::sessions::{self, revoke_sessions};
use crate::wire::{ApiError, ApiFields, ApiResult, read_body};

const MAX_BYTES: usize = 16 << 10;

pub fn router(identity: Arc<Services>) -> Router {
    Router::new()
        .route("/auth/devices", post(list))
        .route("/auth/devices/leave", post(sign_out))
        .route("/auth/devices/end", post(sign_out_everywhere))
        .layer(map_response(forbid_caching))
        .with_state(identity)
}

async fn forbid_caching(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Lists the sessions of the account behind the ID token. The refresh token, if sent too, identifies the
/// current one.
async fn list(
    State(identity): State<Arc<Services>>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<Value>> {
    let body = ApiFields::parse(&read_body(body, MAX_BYTES).await?)?;
    let account = sessions::authenticate(&identity, bearer_token(&headers)).await?.account;
    let current = body.filled("refreshToken")?.map(hash_token);
    let devices = sessions::list_devices(&identity, &account, current.as_deref()).await?;
    Ok(Json(json!({ "devices": devices })))
}

/// Ends the session of a refresh token. The response does not reveal whether there was one.
async fn sign_out(State(identity): State<Arc<Services>>, body: Body) -> ApiResult<Json<Value>> {
    let body = ApiFields::parse(&read_body(body, MAX_BYTES).await?)?;
    if let Some(token) = body.filled("refreshToken")? {
        identity
            .db
            .query("update refresh_tokens set revoked = $2 where hash = $1")
            .bind(hash_token(token))
            .bind(true)
            .execute()
            .await?;
    }
    Ok(Json(json!({})))
}

/// Ends all sessions of the account behind the ID token, including the current one.
async fn sign_out_everywhere(
    State(identity): State<Arc<Services>>,
    client_ip: Option<ClientIp>,
    headers: HeaderMap,
) -> ApiResult<Json<Value>> {
    let client_ip = client_ip.map(|ClientIp(ip)| ip);
    loop {
        let mut account = sessions::authenticate(&identity, bearer_token(&headers)).await?.account;
        account.revoke_tokens(identity.clock.now());
        let mut tx = identity.db.begin().await?;
        match accounts::save(&mut tx, &account).await {
            // The account was changed by a concurrent call: load it again.
            Err(ApiError::Conflict) => continue,
            saved => saved?,
        }
        revoke_sessions(&mut tx, &account.id).await?;
        let event = AuthEvent { kind: "signed_out_everywhere", client_ip, agent: None };
        security_log::record(&identity, &mut tx, event, Some(&account.id)).await?;
        tx.commit().await?;
        return Ok(Json(json!({})));
    }
}
