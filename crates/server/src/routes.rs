//! The router of everything but the pages.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::FormRejection;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use http_server::{Negotiated, RouteLabel};
use platform::error::Result;
use platform::http::ClientIp;
use platform::{Currency, Error};
use serde::Deserialize;
use utoipa::openapi::OpenApi;

use crate::app::App;
use crate::csrf::refuse_cross_site;
use crate::render::file;
use crate::{feeds, forms, seo};

pub fn router(app: &Arc<App>, other: Router, openapi: &OpenApi) -> Router {
    let description: Bytes = openapi.to_json().unwrap_or_default().into();
    let form_routes = Router::new()
        .route("/currency", post(choose_currency))
        .merge(forms::router())
        .route_layer(middleware::from_fn_with_state(app.clone(), refuse_cross_site));
    Router::new()
        .route("/healthz", get("alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(public_metrics))
        .route(
            "/api/openapi.json",
            get(|| async { ([("content-type", "application/json")], description) }),
        )
        .merge(seo::router())
        .merge(feeds::router())
        .merge(form_routes)
        .with_state(app.clone())
        .merge(other)
        .merge(media::router(app.media.clone()))
        .route_layer(middleware::from_fn_with_state(app.clone(), label_route))
        .method_not_allowed_fallback({
            let app = app.clone();
            move |request| method_not_allowed(State(app.clone()), request)
        })
        .fallback_service(get(file).fallback(method_not_allowed).with_state(app.clone()))
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

async fn method_not_allowed(State(app): State<Arc<App>>, request: Request) -> Response {
    let why = Error::Refused {
        status: StatusCode::METHOD_NOT_ALLOWED,
        code: "method_not_allowed",
        message: format!("{} is not allowed for this address.", request.method()).into(),
    };
    app.error(request.uri(), Negotiated::from_headers(request.headers()), why)
}

#[derive(Deserialize)]
struct CurrencyForm {
    currency: String,
    #[serde(default)]
    back: String,
}

/// The header's currency select, for browsers without JavaScript.
async fn choose_currency(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    form: std::result::Result<Form<CurrencyForm>, FormRejection>,
) -> Response {
    let form = form.map_err(|why| Error::invalid("currency", why.body_text()));
    let response = form.and_then(|Form(form)| set_currency_cookie(&form, app.over_tls));
    response.unwrap_or_else(|why| app.error(&address, Negotiated::from_headers(&headers), why))
}

fn set_currency_cookie(
    CurrencyForm { currency, back }: &CurrencyForm,
    over_tls: bool,
) -> Result<Response> {
    if currency.parse::<Currency>().is_err() {
        return Err(Error::invalid("currency", "USD or BDT"));
    }
    let secure = if over_tls { "; Secure" } else { "" };
    let cookie = format!("currency={currency}; Path=/; Max-Age=31536000; SameSite=Lax{secure}");
    let headers = [
        (SET_COOKIE, HeaderValue::try_from(cookie).map_err(Error::internal)?),
        (LOCATION, HeaderValue::try_from(local_redirect(back)).map_err(Error::internal)?),
    ];
    Ok((StatusCode::SEE_OTHER, headers, Body::empty()).into_response())
}

/// Redirects within this shop only (no open redirect).
fn local_redirect(target: &str) -> &str {
    let local = target.starts_with('/') && !target.starts_with("//") && !target.contains('\\');
    if local && target.bytes().all(|byte| byte.is_ascii_graphic()) { target } else { "/" }
}
