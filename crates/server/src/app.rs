//! The application state (`App`) and the router.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::FormRejection;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Form, Router};
use http_server::{Negotiated, RouteLabel};
use identity::Identity;
use media::{self, Media};
use platform::auth::Tokens;
use platform::error::Result;
use platform::http::ClientIp;
use platform::jobs::JobCounters;
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::{Clock, Currency, Db, Error, Random};
use response_cache::Cache;
use search::{Search, SearchState};
use serde::Deserialize;
use shop::addresses::Addresses;
use shop::cart::Carts;
use shop::catalog::{Catalog, StockCache};
use shop::content::{self, ShopDetails};
use shop::credit::Ledger;
use shop::customers::Customers;
use shop::messages::Messages;
use shop::newsletter::Newsletter;
use shop::order_subscribers::order_store;
use shop::orders::{self, OrderEmailSender, Orders};
use shop::quote::{Charges, Quotes};
use shop::reviews::{self, ReviewStore, Reviews};
use shop::settings::{Retention, ShopProfile};
use shop::stock_alerts::StockAlerts;
use shop::wishlist::Wishlists;

use crate::api::{self, Api};
use crate::assets::Assets;
use crate::csrf::refuse_cross_site;
use crate::document::{content_security_policy, policy_with_map};
use crate::metrics::{self, Metrics};
use crate::pages::{IdentitySettings, Pages, Terms};
use crate::privacy::{AccountEraser, Privacy};
use crate::render::file;
use crate::ssr::Renderer;
use crate::{feeds, forms, seo};

/// The services and settings from which `App` is built.
pub struct AppParts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub revisions: Revisions,
    pub search: Search,
    pub cache: Cache,
    pub media: Media,
    pub renderer: Renderer,
    pub assets: Assets,
    pub front: ShopProfile,
    pub content: content::Content,
    pub secret: Secret,
    pub urls_per_sitemap: i64,
    pub charges: Charges,
    /// Whether the developer's pages exist.
    pub demo: bool,
    pub retention: Retention,
    pub orders: orders::OrderSettings,
    /// The shop's public origin, for absolute URLs.
    pub origin: String,
    pub jobs: Arc<JobCounters>,
    /// The shop's own identity service, unless an external one is used.
    pub identity: Option<Identity>,
    pub tokens: Tokens,
    pub sign_in: IdentitySettings,
    pub sends_email: bool,
    pub metrics_access: metrics::MetricsAccess,
}

#[derive(Clone)]
pub struct App(Arc<Inner>);

pub struct Inner {
    pub db: Db,
    pub clock: Clock,
    pub cache: Cache,
    pub media: Media,
    pub renderer: Renderer,
    pub assets: Assets,
    pub metrics: Metrics,
    pub pages: Pages,
    pub origin: String,
    pub over_tls: bool,
    pub policy: HeaderValue,
    pub policy_with_map: HeaderValue,
    pub messages: Messages,
    pub newsletter: Newsletter,
    pub stock_alerts: StockAlerts,
    pub urls_per_sitemap: i64,
    pub metrics_access: metrics::MetricsAccess,
    jobs: Arc<JobCounters>,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// The state, and the router of everything but the pages.
    pub fn build(parts: AppParts) -> (Self, Router) {
        let AppParts { db, clock, random, revisions, cache, media, .. } = parts;
        let AppParts { renderer, assets, front, origin, jobs, identity, tokens, sign_in, .. } =
            parts;
        let AppParts { charges, orders, demo, retention, search, sends_email, .. } = parts;
        let catalog = Catalog { db: db.clone(), clock: clock.clone(), cache: cache.clone() };
        let customers = Customers {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            tokens: tokens.clone(),
            media: media.clone(),
            origin: origin.clone(),
        };
        let addresses = Addresses {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            tokens: tokens.clone(),
        };
        let AppParts { content, secret, urls_per_sitemap, .. } = parts;
        let messages = Messages {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            shop: ShopDetails::new(&front).with_retention(&retention),
            reply: content.contact_form.reply.clone(),
        };
        let newsletter = Newsletter {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            shop_name: front.shop_name.clone(),
            origin: origin.clone(),
            retention,
        };
        let stock_alerts = StockAlerts {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret,
            tokens: tokens.clone(),
            shop_name: front.shop_name.clone(),
            origin: origin.clone(),
        };
        let wishlists = Wishlists {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            tokens: tokens.clone(),
        };
        let terms = Terms::new(&orders, &charges);
        let quotes = Quotes { db: db.clone(), clock: clock.clone(), charges: charges.clone() };
        let carts = Carts { db: db.clone(), clock: clock.clone(), tokens: tokens.clone() };
        let credit = Ledger { db: db.clone(), tokens: tokens.clone() };
        let sender = OrderEmailSender::new(&front, Some(origin.clone()), orders.order_emails);
        let reviews = Reviews {
            store: ReviewStore {
                db: db.clone(),
                clock: clock.clone(),
                random: random.clone(),
                sender: reviews::ReviewEmailSender {
                    shop: ShopDetails::new(&front),
                    origin: Some(origin.clone()),
                },
            },
            cache: cache.clone(),
            tokens: tokens.clone(),
        };
        let orders = Orders {
            store: order_store(db.clone(), clock.clone(), random.clone(), sender),
            stock_cache: StockCache::default(),
            tokens,
            charges,
            settings: orders,
            rate: front.bdt_rate,
            shop: ShopDetails::new(&front),
        };
        let privacy = Privacy {
            eraser: AccountEraser {
                db: db.clone(),
                clock: clock.clone(),
                random: random.clone(),
                identity: identity.clone(),
            },
            tokens: orders.tokens.clone(),
            orders: orders.store.clone(),
            settings: orders.settings.clone(),
        };
        let (api, openapi) = api::router(Api {
            catalog,
            customers,
            addresses,
            privacy,
            messages: messages.clone(),
            newsletter: newsletter.clone(),
            quotes,
            carts,
            orders,
            reviews,
            credit,
            search: SearchState {
                db: db.clone(),
                clock: clock.clone(),
                cache: cache.clone(),
                search: search.clone(),
            },
            wishlists,
            stock_alerts: stock_alerts.clone(),
        });
        let policy = content_security_policy(&sign_in.hosts());
        let header = |policy: &str| {
            HeaderValue::from_str(policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'"))
        };
        let description: Bytes = openapi.to_json().unwrap_or_default().into();
        let app = Self(Arc::new(Inner {
            pages: Pages {
                db: db.clone(),
                clock: clock.clone(),
                revisions,
                search,
                front: Arc::new(front),
                identity: sign_in,
                sends_email,
                openapi: Arc::new(serde_json::to_value(&openapi).unwrap_or_default()),
                categories: Arc::default(),
                content: Arc::new(content),
                terms,
                demo,
            },
            over_tls: origin.starts_with("https://"),
            policy: header(&policy),
            policy_with_map: header(&policy_with_map(&policy)),
            messages,
            newsletter,
            stock_alerts,
            urls_per_sitemap,
            metrics: Metrics::default(),
            metrics_access: parts.metrics_access,
            db,
            clock,
            cache,
            media: media.clone(),
            renderer,
            assets,
            origin,
            jobs,
        }));
        let form_routes = Router::new()
            .route("/currency", post(choose_currency))
            .merge(forms::router())
            .route_layer(middleware::from_fn_with_state(app.clone(), refuse_cross_site));
        let routes = Router::new()
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
            .merge(api)
            .merge(media::router(media))
            .merge(identity.map(identity::router).unwrap_or_default())
            .route_layer(middleware::from_fn_with_state(app.clone(), label_route))
            .method_not_allowed_fallback({
                let app = app.clone();
                move |request| method_not_allowed(State(app.clone()), request)
            })
            .fallback_service(get(file).fallback(method_not_allowed).with_state(app.clone()));
        (app, routes)
    }
}

async fn label_route(
    State(app): State<App>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    response.extensions_mut().insert(RouteLabel(app.metrics.intern_route(path.as_str())));
    response
}

async fn ready(State(app): State<App>) -> Result<Response> {
    let (_,): (i64,) = app.db.query("select cast(1 as bigint)").one().await?;
    Ok(([("x-haat-build", app.assets.build.clone())], "ready\n").into_response())
}

pub fn metrics_router(app: App) -> Router {
    Router::new()
        .route("/healthz", get("alive\n"))
        .route("/metrics", get(internal_metrics))
        .with_state(app)
}

async fn public_metrics(
    State(app): State<App>,
    peer: Option<Extension<ClientIp>>,
    headers: HeaderMap,
) -> Result<Response> {
    app.metrics_access.check(peer.map(|Extension(peer)| peer), &headers)?;
    metrics_text(&app).await
}

async fn internal_metrics(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    app.metrics_access.check_token(&headers)?;
    metrics_text(&app).await
}

async fn metrics_text(app: &App) -> Result<Response> {
    let text = app.metrics.text(&app.db, &app.cache, &app.media, &app.renderer, &app.jobs).await?;
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([("content-type", content_type)], text).into_response())
}

async fn method_not_allowed(State(app): State<App>, request: Request) -> Response {
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
    State(app): State<App>,
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
