//! Where somebody is signed in, for them to see and to end. The protocol has nothing for that, so these
//! are paths of our own.

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use base::auth::bearer;
use base::http::Peer;
use base::{Result, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Identity;
use crate::accounts::{self, Account};
use crate::protocol::{Answer, Body, Refusal, generic};
use crate::sessions::{Event, hash, revoke_all};

/// More than anybody reads.
const MOST: i64 = 50;
const MOST_BYTES: usize = 16 << 10;

pub fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/devices", post(list))
        .route("/auth/devices/leave", post(leave))
        .route("/auth/devices/end", post(end))
        .with_state(identity)
}

/// A session, as its owner sees it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// The browser's own words; null where it said nothing.
    agent: Option<String>,
    signed_in_at: Timestamp,
    used_at: Timestamp,
    /// Whether it is the one that asks.
    here: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    hash: String,
    agent: Option<String>,
    created_at: Timestamp,
    used_at: Timestamp,
}

/// The open sessions of whoever sends the ID token as Bearer. The refresh token, if it is sent too, tells
/// which of them is this one.
async fn list(State(identity): State<Identity>, headers: HeaderMap, request: Request) -> Response {
    answer(async {
        let body = read(request).await?;
        let account = identity.holder(bearer(&headers)).await?.account;
        let here = body.filled("refreshToken")?.map(hash);
        Ok(json!({ "devices": of(&identity, &account, here.as_deref()).await? }))
    })
    .await
}

/// The last used first.
pub async fn of(identity: &Identity, account: &Account, here: Option<&str>) -> Result<Vec<Device>> {
    let rows: Vec<Row> = identity
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
        .bind(MOST)
        .all()
        .await?;
    let device = |row: Row| Device {
        agent: row.agent,
        signed_in_at: row.created_at,
        used_at: row.used_at,
        here: here == Some(row.hash.as_str()),
    };
    Ok(rows.into_iter().map(device).collect())
}

/// Ends one session, by its refresh token: whoever signs out is not a device any more. Nobody is told
/// whether there was one.
async fn leave(State(identity): State<Identity>, request: Request) -> Response {
    answer(async {
        let body = read(request).await?;
        if let Some(token) = body.filled("refreshToken")? {
            identity
                .db
                .query("update refresh_tokens set revoked = $2 where hash = $1")
                .bind(hash(token))
                .bind(true)
                .execute()
                .await?;
        }
        Ok(json!({}))
    })
    .await
}

/// Ends every session of whoever sends the ID token as Bearer, the one that asks among them.
async fn end(State(identity): State<Identity>, headers: HeaderMap, request: Request) -> Response {
    let address = request.extensions().get::<Peer>().map(|peer| peer.0);
    answer(async {
        loop {
            let mut account = identity.holder(bearer(&headers)).await?.account;
            let event = Event { kind: "signed_out_everywhere", address, agent: None };
            account.revoke(identity.clock.now());
            let mut tx = identity.db.begin().await?;
            match accounts::put(&mut tx, &account).await {
                // Somebody changed the account meanwhile: it is looked at anew.
                Err(Refusal::Moved) => continue,
                put => put?,
            }
            revoke_all(&mut tx, &account.id).await?;
            identity.note(&mut tx, event, Some(&account.id)).await?;
            tx.commit().await?;
            return Ok(json!({}));
        }
    })
    .await
}

async fn answer(work: impl Future<Output = Answer<Value>>) -> Response {
    let mut response = match work.await {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => refusal.into_response(),
    };
    let never = axum::http::HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, never);
    response
}

async fn read(request: Request) -> Answer<Body> {
    let bytes: Bytes = to_bytes(request.into_body(), MOST_BYTES).await.map_err(|_| {
        let why = "Request payload is too large.";
        generic(StatusCode::PAYLOAD_TOO_LARGE, "INVALID_ARGUMENT", why)
    })?;
    Body::parse(&bytes)
}
