//! The HTTP route `/media/{id}/{width}.{avif|webp|jpg}`. The content of a URL never changes, so browsers
//! cache it without revalidation.

use axum::Router;
use axum::extract::{RawPathParams, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use platform::{Error, Result};
use response_cache::conditional_response;

use crate::{Media, PictureId, Size, well_formed};

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// For a WebP that is the substitute of an AVIF.
const ONE_MINUTE: &str = "public, max-age=60";
/// For avatars: only in the browser, and not for long after the removal.
const PRIVATE: &str = "private, max-age=3600";

pub fn router(media: Media) -> Router {
    Router::new().route("/media/{id}/{size}", get(picture)).with_state(media)
}

async fn picture(
    State(media): State<Media>,
    params: RawPathParams,
    request: HeaderMap,
) -> Response {
    let answer = async {
        let (id, size) = parse_path(&params).ok_or(Error::NotFound("picture"))?;
        let encoded = media.get(id, size).await?;
        let etag = encoded.etag.clone();
        let mut response = conditional_response(&request, StatusCode::OK, &encoded.body, etag);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(encoded.format.content_type()));
        let cache_control = match (encoded.personal, encoded.is_substitute) {
            (true, _) => PRIVATE,
            (false, true) => ONE_MINUTE,
            (false, false) => IMMUTABLE,
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
        if !encoded.personal {
            // Webmail shows the shop's e-mails, and the pictures in them, on other sites.
            let everywhere = HeaderValue::from_static("cross-origin");
            headers.insert("cross-origin-resource-policy", everywhere);
        }
        Result::Ok(response)
    };
    answer.await.unwrap_or_else(|why: Error| {
        let busy = matches!(why, Error::Unavailable(_));
        let mut response = why.into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if busy {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    })
}

fn parse_path(params: &RawPathParams) -> Option<(PictureId, Size)> {
    let mut parts = params.iter().map(|(_, part)| part);
    Some((well_formed(parts.next()?)?, parts.next()?.parse().ok()?))
}
