//! Customer photos: upload and delete. The browser tells the identity provider the URL, so that
//! external providers work the same.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::StatusCode;
use platform::auth::Customer;
use platform::error::ErrorBody;
use platform::rate_limit::{self, Limit};
use platform::{Context, Error, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::set_photo;
use crate::error_responses::TooManyRequests;
use media::{self, MAX_PICTURE_BYTES, Media};

/// Decoding is the most expensive call of the API.
const BY_CUSTOMER: Limit = Limit::per_hour(20);
/// A slow upload blocks one of few slots.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(20);

/// Describes a binary body in OpenAPI.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes what is read from the body itself")]
struct PhotoFile(Vec<u8>);

#[derive(Serialize, ToSchema)]
#[schema(as = Photo)]
pub struct CustomerPhoto {
    /// The absolute URL of the photo.
    #[serde(rename = "photoURL")]
    photo_url: String,
}

/// Upload or replace one's photo
#[utoipa::path(
    put, path = "/account/photo", tag = "Customers",
    request_body(content = inline(PhotoFile), content_type = "application/octet-stream",
        description = "A JPEG, PNG, WebP or AVIF of at most 20 MiB, 8,000 pixels per side and 16 \
         million in all. It is cropped to a square and stripped of metadata"),
    security(("accessToken" = [])),
    responses(
        (status = 200, body = CustomerPhoto),
        (status = 400, description = "The file is not usable", body = ErrorBody),
        (status = 408, body = ErrorBody),
        (status = 413, body = ErrorBody),
        TooManyRequests,
    )
)]
pub async fn upload_photo(
    State(context): State<Context>,
    State(media): State<Media>,
    caller: Customer,
    body: Body,
) -> Result<Json<CustomerPhoto>> {
    let Context { db, clock, random, origin, .. } = &context;
    rate_limit::consume(db, clock, &[(format!("photo of {}", caller.uid), BY_CUSTOMER)]).await?;
    let room = media.upload_permit().await?;
    let file = read_file(body).await?;
    let photo = media.store_avatar(clock, random, room, file).await?;
    let mut tx = db.begin().await?;
    media::insert_avatar(&mut tx, clock, &photo).await?;
    let previous = set_photo(&mut tx, &caller.uid, Some(&photo.id)).await?;
    if let Some(previous) = previous {
        media::remove_avatar(&mut tx, clock, random, &previous).await?;
    }
    tx.commit().await?;
    Ok(Json(CustomerPhoto { photo_url: format!("{origin}/media/{}/320.jpg", photo.id) }))
}

async fn read_file(body: Body) -> Result<Bytes> {
    let read = tokio::time::timeout(UPLOAD_TIMEOUT, to_bytes(body, MAX_PICTURE_BYTES)).await;
    let read = read.map_err(|_| {
        let message = "The photo took too long to arrive.";
        Error::refused(StatusCode::REQUEST_TIMEOUT, "photo_too_slow", message)
    })?;
    read.map_err(|_| {
        let most = MAX_PICTURE_BYTES >> 20;
        let message = format!("A photo may have at most {most} MiB.");
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        Error::refused(status, "photo_too_large", message).with("most", most)
    })
}

/// Delete one's photo
#[utoipa::path(
    delete, path = "/account/photo", tag = "Customers",
    security(("accessToken" = [])),
    responses((status = 204, description = "Also when there is no photo"))
)]
pub async fn delete_photo(
    State(Context { db, clock, random, .. }): State<Context>,
    caller: Customer,
) -> Result<StatusCode> {
    let mut tx = db.begin().await?;
    if let Some(previous) = set_photo(&mut tx, &caller.uid, None).await? {
        media::remove_avatar(&mut tx, &clock, &random, &previous).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
