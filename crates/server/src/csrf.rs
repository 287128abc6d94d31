//! Protection against cross-site request forgery (CSRF): forms are accepted from the shop's own pages only.
//! Requests without a browser's headers (a mail program that unsubscribes, for example) are allowed: they carry
//! no visitor's session.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use http_server::Negotiated;
use platform::Error;

use crate::app::App;

pub async fn refuse_cross_site(
    State(app): State<Arc<App>>,
    negotiated: Negotiated,
    request: Request,
    next: Next,
) -> Response {
    if *request.method() != Method::POST || is_same_origin(request.headers(), &app.context.origin) {
        return next.run(request).await;
    }
    let message = "This form was sent by another site. Please send it from the shop's own page.";
    let why = Error::refused(StatusCode::FORBIDDEN, "cross_site", message);
    app.error(request.uri(), negotiated, why)
}

fn is_same_origin(headers: &HeaderMap, own: &str) -> bool {
    let text = |value: &axum::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    if let Some(site) = headers.get("sec-fetch-site").map(text) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(ORIGIN).map(text) else { return true };
    // Without a public_url the shop may have several host names, so the Host header counts too.
    let host = headers.get(HOST).map(text);
    let named = origin.split_once("://").map(|(_, host)| host.to_owned());
    origin == own || (named.is_some() && named == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_same_origin_forms_are_accepted() {
        let own = "https://shop.example";
        let headers = |pairs: &[(&'static str, &str)]| -> HeaderMap {
            pairs
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect()
        };
        for (sent, good) in [
            (&[][..], true),
            (&[("sec-fetch-site", "same-origin")], true),
            (&[("sec-fetch-site", "none")], true),
            (&[("sec-fetch-site", "cross-site")], false),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "cross-site"), ("origin", own)], false),
            (&[("origin", own)], true),
            (&[("origin", "null")], false),
            (&[("origin", "https://evil.example"), ("host", "shop.example")], false),
            (&[("origin", "http://localhost:8080"), ("host", "localhost:8080")], true),
        ] {
            assert_eq!(is_same_origin(&headers(sent), own), good, "{sent:?}");
        }
    }
}
