//! HTML form handlers for browsers without JavaScript: they do the same as the API, and redirect to a page.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequestParts, Path, RawQuery};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Form, Router};
use http_server::Negotiated;
use messages::Messages;
use platform::http::{ClientIp, FormFields};
use platform::{Error, Result};
use serde::Deserialize;
use shop::contact_messages::NewMessage;
use shop::newsletter::NewSubscriber;
use shop::payments::PaymentProvider;
use shop::stock_alerts::{NewStockAlert, StockAlertOutcome};

use crate::app::App;

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/contact", post(send_message))
        .route("/newsletter", post(subscribe))
        .route("/newsletter/confirm", post(confirm))
        .route("/newsletter/leave", post(unsubscribe))
        .route("/back-in-stock", post(request_stock_alert))
        .route("/back-in-stock/leave", post(cancel_stock_alert))
        .route("/currency", post(choose_currency))
        .route("/pay/{number}", post(pay))
        .route("/pay/{number}/cancel", post(give_up_order))
}

/// The request of a form, answered by a redirect or by an error page.
struct FormRequest {
    app: Arc<App>,
    address: Uri,
    negotiated: Negotiated,
}

impl FromRequestParts<Arc<App>> for FormRequest {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> std::result::Result<Self, Infallible> {
        let negotiated = Negotiated::from_request_parts(parts, app).await?;
        Ok(Self { app: app.clone(), address: parts.uri.clone(), negotiated })
    }
}

impl FormRequest {
    fn redirect(&self, next: Result<impl AsRef<str>>) -> Response {
        match next {
            Ok(next) => Redirect::to(&self.localize(next.as_ref())).into_response(),
            Err(why) => self.error(why),
        }
    }

    fn text(&self, key: &str) -> String {
        Messages::text(self.negotiated.language, key, &[]) + "\n"
    }

    /// The address of a page in the language of the form.
    fn localize(&self, path: &str) -> String {
        self.app.context.languages.localize(self.negotiated.language, path)
    }

    fn error(&self, why: Error) -> Response {
        self.app.error(&self.address, self.negotiated, why)
    }

    /// `result`: whether the link was valid. Also for the one-click unsubscribe of mail programs, which follow no
    /// redirect (RFC 8058).
    fn unsubscribed(&self, body: &str, page: &str, result: Result<bool>) -> Response {
        if !body.contains("List-Unsubscribe=One-Click") {
            let step = |valid| if valid { "left" } else { "stale" };
            return self.redirect(result.map(|valid| format!("{page}/{}", step(valid))));
        }
        match result {
            Ok(true) => self.text("server.unsubscribed").into_response(),
            Ok(false) => (StatusCode::NOT_FOUND, self.text("server.invalidLink")).into_response(),
            Err(why) => why.into_response(),
        }
    }
}

type ParsedForm<T> = Result<FormFields<T>>;

async fn send_message(
    request: FormRequest,
    peer: Option<ClientIp>,
    form: ParsedForm<NewMessage>,
) -> Response {
    let language = request.negotiated.language;
    let sent = async { request.app.contact_messages.submit(form?.0, language, peer).await };
    request.redirect(sent.await.map(|()| "/contact/sent"))
}

/// With what an order is to be paid, by the form of a page without JavaScript.
#[derive(Deserialize)]
struct PayForm {
    key: String,
    payment: PaymentProvider,
}

#[derive(Deserialize)]
struct GiveUpForm {
    key: String,
}

/// Sends the shopper to the provider's page, or back to ours, which says what holds now.
async fn pay(
    request: FormRequest,
    Path(number): Path<String>,
    form: ParsedForm<PayForm>,
) -> Response {
    let next = async {
        let FormFields(PayForm { key, payment }) = form?;
        let settlement = &request.app.settlement;
        let (order, _) = settlement.by_key(&number, &key).await?;
        match settlement.pay_again(&order, payment).await {
            Ok(page) => Ok(Redirect::to(&page)),
            Err(Error::Refused { status: StatusCode::CONFLICT, .. }) => {
                Ok(Redirect::to(&request.localize(&format!("/pay/{number}?key={key}"))))
            }
            Err(why) => Err(why),
        }
    };
    match next.await {
        Ok(redirect) => redirect.into_response(),
        Err(why) => request.error(why),
    }
}

async fn give_up_order(
    request: FormRequest,
    Path(number): Path<String>,
    form: ParsedForm<GiveUpForm>,
) -> Response {
    let next = async {
        let FormFields(GiveUpForm { key }) = form?;
        let settlement = &request.app.settlement;
        let (order, _) = settlement.by_key(&number, &key).await?;
        settlement.give_up(&order).await?;
        Ok(format!("/pay/{number}?key={key}"))
    };
    request.redirect(next.await)
}

async fn subscribe(
    request: FormRequest,
    peer: Option<ClientIp>,
    form: ParsedForm<NewSubscriber>,
) -> Response {
    let language = request.negotiated.language;
    let sent = async { request.app.newsletter.subscribe(form?.0, language, peer).await };
    request.redirect(sent.await.map(|()| "/newsletter/sent"))
}

async fn confirm(request: FormRequest, RawQuery(query): RawQuery) -> Response {
    let result = request.app.newsletter.confirm(token(query.as_deref())).await;
    let next = |valid| if valid { "/newsletter/confirmed" } else { "/newsletter/stale" };
    request.redirect(result.map(next))
}

async fn unsubscribe(request: FormRequest, RawQuery(query): RawQuery, body: String) -> Response {
    let result = request.app.newsletter.unsubscribe(token(query.as_deref())).await;
    request.unsubscribed(&body, "/newsletter", result)
}

async fn request_stock_alert(
    request: FormRequest,
    peer: Option<ClientIp>,
    form: ParsedForm<NewStockAlert>,
) -> Response {
    let next = async {
        let FormFields(new) = form?;
        let language = request.negotiated.language;
        Ok(match request.app.stock_alerts.submit(&new, language, None, peer).await? {
            StockAlertOutcome::Accepted => "/back-in-stock/asked".to_owned(),
            StockAlertOutcome::InStock(product) if product.as_str() == new.product.as_str() => {
                format!("/product/{product}")
            }
            StockAlertOutcome::InStock(product) => {
                format!("/product/{product}?variant={}", new.product)
            }
        })
    };
    request.redirect(next.await)
}

async fn cancel_stock_alert(
    request: FormRequest,
    RawQuery(query): RawQuery,
    body: String,
) -> Response {
    let result = request.app.stock_alerts.unsubscribe(token(query.as_deref())).await;
    request.unsubscribed(&body, "/back-in-stock", result)
}

fn token(query: Option<&str>) -> &str {
    let mut pairs = query.unwrap_or_default().split('&');
    pairs.find_map(|pair| pair.strip_prefix("token=")).unwrap_or_default()
}

#[derive(Deserialize)]
struct CurrencyForm {
    currency: String,
    #[serde(default)]
    back: String,
}

/// The header's currency select, for browsers without JavaScript.
async fn choose_currency(
    request: FormRequest,
    form: std::result::Result<Form<CurrencyForm>, FormRejection>,
) -> Response {
    let form = form.map_err(|why| Error::invalid("currency", why.body_text()));
    let response = form.and_then(|Form(form)| request.set_currency(&form));
    response.unwrap_or_else(|why| request.error(why))
}

impl FormRequest {
    fn set_currency(&self, CurrencyForm { currency, back }: &CurrencyForm) -> Result<Response> {
        let currencies = &self.app.context.currencies;
        currencies.offered(currency).ok_or_else(|| currencies.unknown_currency("currency"))?;
        let secure = if self.app.over_tls { "; Secure" } else { "" };
        let cookie = format!("currency={currency}; Path=/; Max-Age=31536000; SameSite=Lax{secure}");
        let headers = [
            (SET_COOKIE, HeaderValue::try_from(cookie).map_err(Error::internal)?),
            (LOCATION, HeaderValue::try_from(self.local_redirect(back)).map_err(Error::internal)?),
        ];
        Ok((StatusCode::SEE_OTHER, headers, Body::empty()).into_response())
    }

    /// Redirects within this shop only (no open redirect); without a language prefix, in that of the form.
    fn local_redirect(&self, target: &str) -> String {
        let target = if is_local(target) { target } else { "/" };
        let path = target.split('?').next().unwrap_or_default();
        match self.app.context.languages.split_path(path) {
            (Some(_), _) => target.to_owned(),
            (None, _) => self.localize(target),
        }
    }
}

/// Whether a path with its query string stays at this origin.
pub fn is_local(target: &str) -> bool {
    let path = target.starts_with('/') && !target.starts_with("//") && !target.contains('\\');
    path && target.bytes().all(|byte| byte.is_ascii_graphic())
}
