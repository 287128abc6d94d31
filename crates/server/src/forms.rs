//! The shop's forms as a browser without JavaScript sends them: what is done is what the API does, and
//! the answer is the address of a page.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Extension, Router};
use base::Result;
use base::http::{FormFields, Peer};
use shop::messages::NewMessage;
use shop::newsletter::NewSubscriber;
use shop::stock_alerts::{Asked, NewStockAlert};

use crate::app::App;
use crate::pages::{AlertMoment, Moment};
use crate::storefront::Wish;

pub fn router() -> Router<App> {
    Router::new()
        .route("/contact", post(message))
        .route("/newsletter", post(subscribe))
        .route("/newsletter/confirm", post(confirm))
        .route("/newsletter/leave", post(leave))
        .route("/back-in-stock", post(ask_for_goods))
        .route("/back-in-stock/leave", post(stop_waiting))
}

type Filled<T> = Result<FormFields<T>>;

async fn message(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
    form: Filled<NewMessage>,
) -> Response {
    let done = async { app.messages.take(filled(form)?, sender(peer)).await };
    answer(&app, &address, &headers, done.await.map(|()| "/contact/sent".to_owned()))
}

async fn subscribe(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
    form: Filled<NewSubscriber>,
) -> Response {
    let done = async { app.newsletter.take(filled(form)?, sender(peer)).await };
    answer(&app, &address, &headers, done.await.map(|()| Moment::Sent.to_string()))
}

async fn confirm(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let done = app.newsletter.confirm(token(query.as_deref())).await;
    let next = |good| if good { Moment::Confirmed } else { Moment::Stale };
    answer(&app, &address, &headers, done.map(|good| next(good).to_string()))
}

/// Also for mail programs that offer to leave: they send one field, and follow no redirect (RFC 8058).
async fn leave(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: String,
) -> Response {
    let done = app.newsletter.leave(token(query.as_deref())).await;
    if is_one_click(&body) {
        return one_click(done);
    }
    let next = |good| if good { Moment::Left } else { Moment::Stale };
    answer(&app, &address, &headers, done.map(|good| next(good).to_string()))
}

async fn ask_for_goods(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
    form: Filled<NewStockAlert>,
) -> Response {
    let done = async {
        let new = filled(form)?;
        Ok(match app.stock_alerts.take(&new, None, sender(peer)).await? {
            Asked::Noted => AlertMoment::Asked.to_string(),
            Asked::InStock => format!("/product/{}", new.product),
        })
    };
    answer(&app, &address, &headers, done.await)
}

/// Also for mail programs, like the newsletter's.
async fn stop_waiting(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: String,
) -> Response {
    let done = app.stock_alerts.leave(token(query.as_deref())).await;
    if is_one_click(&body) {
        return one_click(done);
    }
    let next = |good| if good { AlertMoment::Left } else { AlertMoment::Stale };
    answer(&app, &address, &headers, done.map(|good| next(good).to_string()))
}

fn is_one_click(body: &str) -> bool {
    body.contains("List-Unsubscribe=One-Click")
}

fn one_click(done: Result<bool>) -> Response {
    match done {
        Ok(true) => "You have left.\n".into_response(),
        Ok(false) => (StatusCode::NOT_FOUND, "This link is none of ours.\n").into_response(),
        Err(why) => why.into_response(),
    }
}

fn token(query: Option<&str>) -> &str {
    let mut pairs = query.unwrap_or_default().split('&');
    pairs.find_map(|pair| pair.strip_prefix("token=")).unwrap_or_default()
}

fn filled<T>(form: Filled<T>) -> Result<T> {
    form.map(|FormFields(form)| form)
}

fn sender(peer: Option<Extension<Peer>>) -> Option<Peer> {
    peer.map(|Extension(peer)| peer)
}

fn answer(app: &App, address: &Uri, headers: &HeaderMap, next: Result<String>) -> Response {
    match next {
        Ok(next) => Redirect::to(&next).into_response(),
        Err(why) => app.error(address, Wish::of(headers), why),
    }
}
