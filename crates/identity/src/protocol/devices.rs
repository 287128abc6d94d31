//! Signed-in devices: lets users list their sessions and end them. The protocol has no such operations,
//! so these paths are our own.

use std::sync::Arc;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use platform::auth::bearer_token;
use platform::http::ClientIp;
use serde_json::{Value, json};

use crate::accounts;
use crate::crypto::hash_token;
use crate::security_log::AuthEvent;
use crate::services::Services;
use crate::sessions::revoke_sessions;
use crate::wire::{ApiError, ApiFields, ApiResult, google_error};

const MAX_BYTES: usize = 16 << 10;

pub fn router(identity: Arc<Services>) -> Router {
    Router::new()
        .route("/auth/devices", post(list))
        .route("/auth/devices/leave", post(sign_out))
        .route("/auth/devices/end", post(sign_out_everywhere))
        .with_state(identity)
}

/// Lists the sessions of the account behind the ID token. The refresh token, if sent too, identifies the
/// current one.
async fn list(
    State(identity): State<Arc<Services>>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    respond(async {
        let body = read_body(request).await?;
        let account = identity.sessions.authenticate(bearer_token(&headers)).await?.account;
        let current = body.filled("refreshToken")?.map(hash_token);
        let devices = identity.sessions.list_devices(&account, current.as_deref()).await?;
        Ok(json!({ "devices": devices }))
    })
    .await
}

/// Ends the session of a refresh token. The response does not reveal whether there was one.
async fn sign_out(State(identity): State<Arc<Services>>, request: Request) -> Response {
    respond(async {
        let body = read_body(request).await?;
        if let Some(token) = body.filled("refreshToken")? {
            identity
                .db
                .query("update refresh_tokens set revoked = $2 where hash = $1")
                .bind(hash_token(token))
                .bind(true)
                .execute()
                .await?;
        }
        Ok(json!({}))
    })
    .await
}

/// Ends all sessions of the account behind the ID token, including the current one.
async fn sign_out_everywhere(
    State(identity): State<Arc<Services>>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let client_ip = request.extensions().get::<ClientIp>().map(|peer| peer.0);
    respond(async {
        loop {
            let mut account = identity.sessions.authenticate(bearer_token(&headers)).await?.account;
            let event = AuthEvent { kind: "signed_out_everywhere", client_ip, agent: None };
            account.revoke_tokens(identity.clock.now());
            let mut tx = identity.db.begin().await?;
            match accounts::save(&mut tx, &account).await {
                // The account was changed by a concurrent call: load it again.
                Err(ApiError::Conflict) => continue,
                saved => saved?,
            }
            revoke_sessions(&mut tx, &account.id).await?;
            identity.log.record(&mut tx, event, Some(&account.id)).await?;
            tx.commit().await?;
            return Ok(json!({}));
        }
    })
    .await
}

async fn respond(work: impl Future<Output = ApiResult<Value>>) -> Response {
    let mut response = match work.await {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => refusal.into_response(),
    };
    let no_store = axum::http::HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, no_store);
    response
}

async fn read_body(request: Request) -> ApiResult<ApiFields> {
    let bytes: Bytes = to_bytes(request.into_body(), MAX_BYTES).await.map_err(|_| {
        let why = "Request payload is too large.";
        google_error(StatusCode::PAYLOAD_TOO_LARGE, "INVALID_ARGUMENT", why)
    })?;
    ApiFields::parse(&bytes)
}
