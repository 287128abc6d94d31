//! The program's state and its routes.

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
use base::auth::Tokens;
use base::cache::Cache;
use base::config::{Retention, Shopfront};
use base::error::Result;
use base::http::Peer;
use base::jobs::Tally;
use base::revisions::Revisions;
use base::secret::Secret;
use base::{Clock, Currency, Db, Error, Random};
use identity::Identity;
use media::{self, Media};
use search::{Finding, Search};
use serde::Deserialize;
use shop::addresses::Addresses;
use shop::cart::Carts;
use shop::catalog::{Catalog, Shelf};
use shop::content::{self, Facts};
use shop::credit::Ledger;
use shop::customers::Customers;
use shop::messages::Messages;
use shop::newsletter::Newsletter;
use shop::orders::{self, Book, Orders, Sender};
use shop::quote::{Charges, Quotes};
use shop::reviews::{self, Guestbook, Reviews};
use shop::stock_alerts::StockAlerts;
use shop::wishlist::Wishlists;

use crate::api::{self, Api};
use crate::assets::Assets;
use crate::document::{content_security_policy, policy_with_map};
use crate::door::{Counted, RequestIds};
use crate::metrics::{self, Metrics};
use crate::pages::{IdentitySettings, Pages, Terms};
use crate::personal::{People, Personal};
use crate::same_origin::refuse_cross_site;
use crate::ssr::Renderer;
use crate::storefront::{Wish, file};
use crate::{feeds, forms, found};

/// What the program is made of.
pub struct Parts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub revisions: Revisions,
    pub search: Search,
    pub cache: Cache,
    pub media: Media,
    pub renderer: Renderer,
    pub assets: Assets,
    pub front: Shopfront,
    pub content: content::Content,
    pub secret: Secret,
    /// How many addresses a part of the map for search engines holds.
    pub addresses_in_a_part: i64,
    pub charges: Charges,
    /// Whether the pages that only a developer needs are there.
    pub demo: bool,
    pub retention: Retention,
    pub orders: orders::Settings,
    /// Where the shop stands, for addresses that must be whole.
    pub origin: String,
    pub jobs: Arc<Tally>,
    /// The shop's own service, unless a hosted one stands in for it.
    pub identity: Option<Identity>,
    pub tokens: Tokens,
    pub sign_in: IdentitySettings,
    pub sends_email: bool,
    pub metrics_access: metrics::Access,
}

#[derive(Clone)]
pub struct App(Arc<Inner>);

pub struct Inner {
    pub db: Db,
    pub clock: Clock,
    pub request_ids: RequestIds,
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
    pub addresses_in_a_part: i64,
    pub metrics_access: metrics::Access,
    jobs: Arc<Tally>,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// The program's state, and the routes beside its pages.
    pub fn build(parts: Parts) -> (Self, Router) {
        let Parts { db, clock, random, revisions, cache, media, .. } = parts;
        let Parts { renderer, assets, front, origin, jobs, identity, tokens, sign_in, .. } = parts;
        let Parts { charges, orders, demo, retention, search, sends_email, .. } = parts;
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
        let Parts { content, secret, addresses_in_a_part, .. } = parts;
        let messages = Messages {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            facts: Facts::of(&front).keeping(&retention),
            reply: content.contact_form.reply.clone(),
        };
        let newsletter = Newsletter {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            secret: secret.clone(),
            shop_name: front.shop_name.clone(),
            origin: origin.clone(),
            kept: retention,
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
        let sender = Sender::new(&front, Some(origin.clone()), orders.order_emails);
        let reviews = Reviews {
            book: Guestbook {
                db: db.clone(),
                clock: clock.clone(),
                random: random.clone(),
                sender: reviews::Sender { shop: Facts::of(&front), origin: Some(origin.clone()) },
            },
            cache: cache.clone(),
            tokens: tokens.clone(),
        };
        let orders = Orders {
            book: Book { db: db.clone(), clock: clock.clone(), random: random.clone(), sender },
            shelf: Shelf::default(),
            tokens,
            charges,
            settings: orders,
            rate: front.bdt_rate,
            shop: Facts::of(&front),
        };
        let personal = Personal {
            people: People {
                db: db.clone(),
                clock: clock.clone(),
                random: random.clone(),
                identity: identity.clone(),
            },
            tokens: orders.tokens.clone(),
            book: orders.book.clone(),
            settings: orders.settings.clone(),
        };
        let (api, openapi) = api::router(Api {
            catalog,
            customers,
            addresses,
            personal,
            messages: messages.clone(),
            newsletter: newsletter.clone(),
            quotes,
            carts,
            orders,
            reviews,
            credit,
            finding: Finding {
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
            addresses_in_a_part,
            metrics: Metrics::default(),
            metrics_access: parts.metrics_access,
            request_ids: RequestIds::new(&random),
            db,
            clock,
            cache,
            media: media.clone(),
            renderer,
            assets,
            origin,
            jobs,
        }));
        let own_forms = Router::new()
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
            .merge(found::router())
            .merge(feeds::router())
            .merge(own_forms)
            .with_state(app.clone())
            .merge(api)
            .merge(media::router(media))
            .merge(identity.map(identity::router).unwrap_or_default())
            .route_layer(middleware::from_fn_with_state(app.clone(), count_by_route))
            .method_not_allowed_fallback({
                let app = app.clone();
                move |request| method_not_allowed(State(app.clone()), request)
            })
            .fallback_service(get(file).fallback(method_not_allowed).with_state(app.clone()));
        (app, routes)
    }
}

async fn count_by_route(
    State(app): State<App>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    response.extensions_mut().insert(Counted(app.metrics.name(path.as_str())));
    response
}

async fn ready(State(app): State<App>) -> Result<Response> {
    let (_,): (i64,) = app.db.query("select cast(1 as bigint)").one().await?;
    Ok(([("x-haat-build", app.assets.build.clone())], "ready\n").into_response())
}

/// What answers at `metrics_listen`.
pub fn operators_router(app: App) -> Router {
    Router::new()
        .route("/healthz", get("alive\n"))
        .route("/metrics", get(operators_metrics))
        .with_state(app)
}

async fn public_metrics(
    State(app): State<App>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
) -> Result<Response> {
    app.metrics_access.check(peer.map(|Extension(peer)| peer), &headers)?;
    metrics_text(&app).await
}

async fn operators_metrics(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    app.metrics_access.check_apart(&headers)?;
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
        message: format!("{} is not for this address.", request.method()).into(),
    };
    app.error(request.uri(), Wish::of(request.headers()), why)
}

#[derive(Deserialize)]
struct CurrencyChoice {
    currency: String,
    #[serde(default)]
    back: String,
}

/// The header's currency select, for browsers without JavaScript.
async fn choose_currency(
    State(app): State<App>,
    address: Uri,
    headers: HeaderMap,
    form: std::result::Result<Form<CurrencyChoice>, FormRejection>,
) -> Response {
    let choice = form.map_err(|why| Error::invalid("currency", why.body_text()));
    let answer = choice.and_then(|Form(choice)| remember_currency(&choice, app.over_tls));
    answer.unwrap_or_else(|why| app.error(&address, Wish::of(&headers), why))
}

fn remember_currency(
    CurrencyChoice { currency, back }: &CurrencyChoice,
    over_tls: bool,
) -> Result<Response> {
    if currency.parse::<Currency>().is_err() {
        return Err(Error::invalid("currency", "USD or BDT"));
    }
    let secure = if over_tls { "; Secure" } else { "" };
    let cookie = format!("currency={currency}; Path=/; Max-Age=31536000; SameSite=Lax{secure}");
    let headers = [
        (SET_COOKIE, HeaderValue::try_from(cookie).map_err(Error::internal)?),
        (LOCATION, HeaderValue::try_from(own_address(back)).map_err(Error::internal)?),
    ];
    Ok((StatusCode::SEE_OTHER, headers, Body::empty()).into_response())
}

/// An address of this shop, whatever was asked for: nobody is sent elsewhere from here.
fn own_address(asked: &str) -> &str {
    let local = asked.starts_with('/') && !asked.starts_with("//") && !asked.contains('\\');
    if local && asked.bytes().all(|byte| byte.is_ascii_graphic()) { asked } else { "/" }
}
