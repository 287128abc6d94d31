//! A customer's picture: theirs to give and to take away. The identity provider is told its address by
//! the browser, so that it is the same with a hosted one.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::StatusCode;
use base::auth::Caller;
use base::error::ErrorBody;
use base::{Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Customers, set_photo};
use crate::allowance::{self, Allowance};
use crate::media::{self, MOST_BYTES, PictureId};

/// Decoding is the dearest thing that a stranger can ask for.
const BY_CUSTOMER: Allowance = Allowance { most: 20, window: Duration::from_secs(3600) };

#[derive(Serialize, ToSchema)]
pub struct Photo {
    /// The whole address of the picture.
    #[serde(rename = "photoURL")]
    photo_url: String,
}

/// Give or replace one's picture
#[utoipa::path(
    put, path = "/account/photo", tag = "Customers",
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "A JPEG, PNG, WebP or AVIF of at most 20 MiB, 12,000 pixels each way and 50 \
         million in all. Its middle is kept, as a square, without anything that the camera noted"),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Photo),
        (status = 400, description = "What is wrong with the file", body = ErrorBody),
        (status = 401, body = ErrorBody),
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
    let file = to_bytes(body, MOST_BYTES).await.map_err(|_| Error::Refused {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        code: "too_large",
        message: format!("A photo may have at most {} MiB.", MOST_BYTES >> 20).into(),
    })?;
    let taken = media.take_portrait(clock, random, file).await?;
    let mut tx = db.begin().await?;
    media::list_portrait(&mut tx, clock, &taken).await?;
    let before = set_photo(&mut tx, &caller.uid, Some(&taken.id)).await?;
    if let Some(before) = before {
        media::remove_portrait(&mut tx, clock, random, &before).await?;
    }
    tx.commit().await?;
    Ok(Json(Photo { photo_url: customers.photo_url(&taken.id) }))
}

/// Take one's picture away
#[utoipa::path(
    delete, path = "/account/photo", tag = "Customers",
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
