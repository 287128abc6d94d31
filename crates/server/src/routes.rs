//! The router of everything but the pages.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http_server::{Negotiated, RouteLabel};
use platform::Error;
use platform::error::Result;
use platform::http::ClientIp;
use utoipa::openapi::OpenApi;

use crate::app::App;
use crate::csrf::refuse_cross_site;
use crate::{feeds, forms, seo};

pub fn router(app: &Arc<App>, other: Router, openapi: &OpenApi) -> Router {
    let description: Bytes = openapi.to_json().unwrap_or_default().into();
    Router::new()
        .route("/healthz", get("alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(public_metrics))
        .route(
            "/api/openapi.json",
            get(|| async { ([("content-type", "application/json")], description) }),
        )
        .merge(seo::router())
        .merge(translated(app))
        .with_state(app.clone())
        .merge(other)
        .merge(media::router(app.media.clone()))
        .route_layer(middleware::from_fn_with_state(app.clone(), label_route))
        .method_not_allowed_fallback({
            let app = app.clone();
            move |variant, request| method_not_allowed(State(app.clone()), variant, request)
        })
        .fallback_service(get(file).fallback(method_not_allowed).with_state(app.clone()))
}

/// What is under the prefix of a language too: the router of `/bn/…` but the pages.
pub fn localized_router(app: &Arc<App>) -> Router {
    translated(app)
        .with_state(app.clone())
        .route_layer(middleware::from_fn_with_state(app.clone(), label_route))
        .method_not_allowed_fallback({
            let app = app.clone();
            move |variant, request| method_not_allowed(State(app.clone()), variant, request)
        })
        .fallback_service(get(not_found).fallback(method_not_allowed).with_state(app.clone()))
}

/// What differs between the languages.
fn translated(app: &Arc<App>) -> Router<Arc<App>> {
    let form_routes =
        forms::router().route_layer(middleware::from_fn_with_state(app.clone(), refuse_cross_site));
    Router::new().merge(seo::manifest_router()).merge(feeds::router()).merge(form_routes)
}

/// The fallback of the router: a static file, or the page "not found".
pub async fn file(State(app): State<Arc<App>>, variant: Negotiated, request: Request) -> Response {
    let (path, headers) = (request.uri().path(), request.headers());
    let file = path.strip_prefix('/').and_then(|path| app.assets.respond(path, headers));
    match file {
        Some(mut file) => {
            file.extensions_mut().insert(RouteLabel("file"));
            file
        }
        None if is_api(path) => Error::NotFound("address").into_response(),
        None => app.page(None, variant, headers).await,
    }
}

/// The page "not found".
pub async fn not_found(
    State(app): State<Arc<App>>,
    variant: Negotiated,
    headers: HeaderMap,
) -> Response {
    app.page(None, variant, &headers).await
}

pub fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/api"
}

async fn label_route(
    State(app): State<Arc<App>>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    response.extensions_mut().insert(RouteLabel(app.metrics.intern_route(path.as_str())));
    response
}

async fn ready(State(app): State<Arc<App>>) -> Result<Response> {
    let (_,): (i64,) = app.context.db.query("select cast(1 as bigint)").one().await?;
    // The shop can serve: until the index is complete, searches use the database.
    let text = match app.pages.search.is_ready() {
        true => "ready\n",
        false => "ready; the search index is being built\n",
    };
    Ok(([("x-haat-build", app.assets.build.clone())], text).into_response())
}

pub fn metrics_router(app: Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get("alive\n"))
        .route("/metrics", get(internal_metrics))
        .with_state(app)
}

async fn public_metrics(
    State(app): State<Arc<App>>,
    peer: Option<ClientIp>,
    headers: HeaderMap,
) -> Result<Response> {
    app.metrics_access.check(peer, &headers)?;
    metrics_text(&app).await
}

async fn internal_metrics(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response> {
    app.metrics_access.check_token(&headers)?;
    metrics_text(&app).await
}

async fn metrics_text(app: &App) -> Result<Response> {
    let db = &app.context.db;
    let text = app.metrics.text(db, &app.cache, &app.media, &app.renderer, &app.jobs).await?;
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([("content-type", content_type)], text).into_response())
}

async fn method_not_allowed(
    State(app): State<Arc<App>>,
    variant: Negotiated,
    request: Request,
) -> Response {
    let (status, method) = (StatusCode::METHOD_NOT_ALLOWED, request.method());
    let message = format!("{method} is not allowed for this address.");
    let why = Error::refused(status, "method_not_allowed", message).with("method", method);
    app.error(request.uri(), variant, why)
}
