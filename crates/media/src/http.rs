//! `/media/{id}/{width}.{avif|webp|jpg}`: what an address means never changes, so it is kept for ever.

use axum::Router;
use axum::body::Body;
use axum::extract::{RawPathParams, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base::cache::has;
use base::{Error, Result};

use crate::{Media, PictureId, Size, well_formed};

const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// For a WebP that stands in for an AVIF. A browser that takes the one takes the other.
const FOR_NOW: &str = "public, max-age=60";
/// For a person's own picture: in their browser, and not for long after it is taken away.
const FOR_ONE: &str = "private, max-age=3600";

pub fn router(media: Media) -> Router {
    Router::new().route("/media/{id}/{size}", get(picture)).with_state(media)
}

async fn picture(
    State(media): State<Media>,
    params: RawPathParams,
    request: HeaderMap,
) -> Response {
    let answer = async {
        let (id, size) = named(&params).ok_or(Error::NotFound("picture"))?;
        let made = media.get(id, size).await?;
        let has_it = has(&request, &made.etag);
        let body = if has_it { Body::empty() } else { Body::from(made.body.clone()) };
        let mut response = Response::new(body);
        if has_it {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(made.kind.content_type()));
        let kept = match (made.personal, made.stands_in) {
            (true, _) => FOR_ONE,
            (false, true) => FOR_NOW,
            (false, false) => FOR_EVER,
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
        headers.insert(ETAG, made.etag.clone());
        if !made.personal {
            // E-mails show the shop's pictures in pages of other sites.
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

fn named(params: &RawPathParams) -> Option<(PictureId, Size)> {
    let mut parts = params.iter().map(|(_, part)| part);
    Some((well_formed(parts.next()?)?, parts.next()?.parse().ok()?))
}
