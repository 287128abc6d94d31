//! Signed-in devices: lets users list their sessions and end them. The protocol has no such operations,
//! so these paths are our own.

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use platform::auth::bearer_token;
use platform::http::ClientIp;
use platform::{Result, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Identity;
use crate::accounts::{self, Account};
use crate::protocol::{ApiError, ApiFields, ApiResult, google_error};
use crate::sessions::{AuthEvent, hash_token, revoke_sessions};

const MAX_DEVICES: i64 = 50;
const MAX_BYTES: usize = 16 << 10;

pub fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/devices", post(list))
        .route("/auth/devices/leave", post(sign_out))
        .route("/auth/devices/end", post(sign_out_everywhere))
        .with_state(identity)
}

/// A session, as its owner sees it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedInDevice {
    /// The User-Agent header.
    agent: Option<String>,
    signed_in_at: Timestamp,
    used_at: Timestamp,
    /// Whether it is the session that sent the request.
    #[serde(rename = "here")]
    is_current: bool,
}

#[derive(sqlx::FromRow)]
struct DeviceRow {
    hash: String,
    agent: Option<String>,
    created_at: Timestamp,
    used_at: Timestamp,
}

/// Lists the sessions of the account behind the ID token. The refresh token, if sent too, identifies the
/// current one.
async fn list(State(identity): State<Identity>, headers: HeaderMap, request: Request) -> Response {
    respond(async {
        let body = read_body(request).await?;
        let account = identity.authenticate(bearer_token(&headers)).await?.account;
        let current = body.filled("refreshToken")?.map(hash_token);
        Ok(json!({ "devices": list_devices(&identity, &account, current.as_deref()).await? }))
    })
    .await
}

/// The most recently used first.
pub async fn list_devices(
    identity: &Identity,
    account: &Account,
    current: Option<&str>,
) -> Result<Vec<SignedInDevice>> {
    let rows: Vec<DeviceRow> = identity
        .db
        .query(
            "select hash, agent, created_at, used_at from refresh_tokens
             where account = $1 and revoked = $2 and created_at >= $3 and token_generation = $4
             order by used_at desc, created_at desc, hash limit $5",
        )
        .bind(&account.id)
        .bind(false)
        .bind(account.valid_since)
        .bind(account.token_generation)
        .bind(MAX_DEVICES)
        .all()
        .await?;
    let device = |row: DeviceRow| SignedInDevice {
        agent: row.agent,
        signed_in_at: row.created_at,
        used_at: row.used_at,
        is_current: current == Some(row.hash.as_str()),
    };
    Ok(rows.into_iter().map(device).collect())
}

/// Ends the session of a refresh token. The response does not reveal whether there was one.
async fn sign_out(State(identity): State<Identity>, request: Request) -> Response {
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
    State(identity): State<Identity>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let client_ip = request.extensions().get::<ClientIp>().map(|peer| peer.0);
    respond(async {
        loop {
            let mut account = identity.authenticate(bearer_token(&headers)).await?.account;
            let event = AuthEvent { kind: "signed_out_everywhere", client_ip, agent: None };
            account.revoke_tokens(identity.clock.now());
            let mut tx = identity.db.begin().await?;
            match accounts::save(&mut tx, &account).await {
                // The account was changed by a concurrent call: load it again.
                Err(ApiError::Conflict) => continue,
                saved => saved?,
            }
            revoke_sessions(&mut tx, &account.id).await?;
            identity.record_event(&mut tx, event, Some(&account.id)).await?;
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
