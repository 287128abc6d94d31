//! A customer's picture: theirs to give and to take away. The identity provider is told its address by
//! the browser, so that it is the same with a hosted one.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::StatusCode;
use base::auth::Caller;
use base::error::ErrorBody;
use base::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Customers, set_photo};
use crate::allowance::{self, Allowance};
use media::{self, MOST_BYTES, PictureId};

/// Decoding is the dearest thing that a stranger can ask for.
const BY_CUSTOMER: Allowance = Allowance { most: 20, window: Duration::from_secs(3600) };
/// How long a file may take to arrive: it takes the room of another meanwhile.
const ARRIVES_WITHIN: Duration = Duration::from_secs(20);

/// How the description calls the bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes what is read from the body itself")]
struct PhotoFile(Vec<u8>);

#[derive(Serialize, ToSchema)]
pub struct Photo {
    /// The whole address of the picture.
    #[serde(rename = "photoURL")]
    photo_url: String,
}

/// Give or replace one's picture
#[utoipa::path(
    put, path = "/account/photo", tag = "Customers",
    request_body(content = inline(PhotoFile), content_type = "application/octet-stream",
        description = "A JPEG, PNG, WebP or AVIF of at most 20 MiB, 8,000 pixels each way and 16 \
         million in all. Its middle is kept, as a square, without anything that the camera noted"),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Photo),
        (status = 400, description = "What is wrong with the file", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 408, body = ErrorBody),
        (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
pub async fn give_photo(
    State(customers): State<Customers>,
    caller: Caller,
    body: Body,
) -> Result<Json<Photo>> {
    let Customers { db, clock, random, media, .. } = &customers;
    allowance::spend(db, clock, &[(format!("photo of {}", caller.uid), BY_CUSTOMER)]).await?;
    let room = media.upload_room().await?;
    let file = arrived(body).await?;
    let taken = media.take_portrait(clock, random, room, file).await?;
    let mut tx = db.begin().await?;
    media::list_portrait(&mut tx, clock, &taken).await?;
    let before = set_photo(&mut tx, &caller.uid, Some(&taken.id)).await?;
    if let Some(before) = before {
        media::remove_portrait(&mut tx, clock, random, &before).await?;
    }
    tx.commit().await?;
    Ok(Json(Photo { photo_url: customers.photo_url(&taken.id) }))
}

async fn arrived(body: Body) -> Result<Bytes> {
    let refused = |status, code, message| Error::Refused { status, code, message };
    let read = tokio::time::timeout(ARRIVES_WITHIN, to_bytes(body, MOST_BYTES)).await;
    let read = read.map_err(|_| {
        let message = "The photo took too long to arrive.".into();
        refused(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
    })?;
    read.map_err(|_| {
        let message = format!("A photo may have at most {} MiB.", MOST_BYTES >> 20).into();
        refused(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    })
}

/// Take one's picture away
#[utoipa::path(
    delete, path = "/account/photo", tag = "Customers",
    security(("accessToken" = [])),
    responses(
        (status = 204, description = "Wants the shop's access token as Bearer. Taking away what is not \
         there changes nothing"),
        (status = 401, body = ErrorBody),
    )
)]
pub async fn take_photo_away(
    State(customers): State<Customers>,
    caller: Caller,
) -> Result<StatusCode> {
    let Customers { db, clock, random, .. } = &customers;
    let mut tx = db.begin().await?;
    if let Some(before) = set_photo(&mut tx, &caller.uid, None).await? {
        media::remove_portrait(&mut tx, clock, random, &before).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

impl Customers {
    fn photo_url(&self, id: &PictureId) -> String {
        format!("{}/media/{id}/320.jpg", self.origin)
    }
}
