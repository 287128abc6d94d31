//! HTML form handlers for browsers without JavaScript: they do the same as the API, and redirect to a page.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use http_server::Negotiated;
use platform::Result;
use platform::http::{ClientIp, FormFields};
use shop::messages::NewMessage;
use shop::newsletter::NewSubscriber;
use shop::stock_alerts::{NewStockAlert, StockAlertOutcome};

use crate::app::App;
use crate::pages::{NewsletterStep, StockAlertStep};

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/contact", post(send_message))
        .route("/newsletter", post(subscribe))
        .route("/newsletter/confirm", post(confirm))
        .route("/newsletter/leave", post(unsubscribe))
        .route("/back-in-stock", post(request_stock_alert))
        .route("/back-in-stock/leave", post(cancel_stock_alert))
}

type ParsedForm<T> = Result<FormFields<T>>;

async fn send_message(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<ClientIp>,
    form: ParsedForm<NewMessage>,
) -> Response {
    let result = async { app.messages.submit(form_fields(form)?, peer).await };
    redirect(&app, &address, &headers, result.await.map(|()| "/contact/sent".to_owned()))
}

async fn subscribe(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<ClientIp>,
    form: ParsedForm<NewSubscriber>,
) -> Response {
    let result = async { app.newsletter.subscribe(form_fields(form)?, peer).await };
    redirect(&app, &address, &headers, result.await.map(|()| NewsletterStep::Sent.to_string()))
}

async fn confirm(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let result = app.newsletter.confirm(token(query.as_deref())).await;
    let next = |good| if good { NewsletterStep::Confirmed } else { NewsletterStep::Stale };
    redirect(&app, &address, &headers, result.map(|good| next(good).to_string()))
}

/// Also for the one-click unsubscribe of mail programs, which follow no redirect (RFC 8058).
async fn unsubscribe(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: String,
) -> Response {
    let result = app.newsletter.unsubscribe(token(query.as_deref())).await;
    if is_one_click(&body) {
        return one_click_response(result);
    }
    let next = |good| if good { NewsletterStep::Left } else { NewsletterStep::Stale };
    redirect(&app, &address, &headers, result.map(|good| next(good).to_string()))
}

async fn request_stock_alert(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<ClientIp>,
    form: ParsedForm<NewStockAlert>,
) -> Response {
    let result = async {
        let new = form_fields(form)?;
        Ok(match app.stock_alerts.submit(&new, None, peer).await? {
            StockAlertOutcome::Accepted => StockAlertStep::Asked.to_string(),
            StockAlertOutcome::InStock => format!("/product/{}", new.product),
        })
    };
    redirect(&app, &address, &headers, result.await)
}

/// Also for the one-click unsubscribe of mail programs.
async fn cancel_stock_alert(
    State(app): State<Arc<App>>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: String,
) -> Response {
    let result = app.stock_alerts.unsubscribe(token(query.as_deref())).await;
    if is_one_click(&body) {
        return one_click_response(result);
    }
    let next = |good| if good { StockAlertStep::Left } else { StockAlertStep::Stale };
    redirect(&app, &address, &headers, result.map(|good| next(good).to_string()))
}

fn is_one_click(body: &str) -> bool {
    body.contains("List-Unsubscribe=One-Click")
}

fn one_click_response(result: Result<bool>) -> Response {
    match result {
        Ok(true) => "You have unsubscribed.\n".into_response(),
        Ok(false) => (StatusCode::NOT_FOUND, "This link is not valid.\n").into_response(),
        Err(why) => why.into_response(),
    }
}

fn token(query: Option<&str>) -> &str {
    let mut pairs = query.unwrap_or_default().split('&');
    pairs.find_map(|pair| pair.strip_prefix("token=")).unwrap_or_default()
}

fn form_fields<T>(form: ParsedForm<T>) -> Result<T> {
    form.map(|FormFields(form)| form)
}

fn redirect(app: &App, address: &Uri, headers: &HeaderMap, next: Result<String>) -> Response {
    match next {
        Ok(next) => Redirect::to(&next).into_response(),
        Err(why) => app.error(address, Negotiated::from_headers(headers), why),
    }
}
