//! The application state (`App`) and the router.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRef, MatchedPath, Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Router};
use http_server::{Negotiated, RouteLabel};
use identity::Identity;
use media::{self, Media};
use platform::auth::{KeyFinder, Revocation, Tokens};
use platform::error::Result;
use platform::http::ClientIp;
use platform::http_client::HttpClient;
use platform::jobs::JobCounters;
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::{Clock, Context, Currency, Db, Error, Random};
use response_cache::Cache;
use search::{IndexDir, Indexer, Search, SearchState};
use serde::Deserialize;
use shop::ShopContext;
use shop::catalog::StockCache;
use shop::content::Content;
use shop::messages::Messages;
use shop::newsletter::Newsletter;
use shop::orders::OrderSettings;
use shop::quote::Charges;
use shop::settings::{Retention, ShopProfile};
use shop::stock_alerts::StockAlerts;
use utoipa::openapi::OpenApi;

use crate::api::{self, Api};
use crate::assets::Assets;
use crate::csrf::refuse_cross_site;
use crate::document::{content_security_policy, policy_with_map};
use crate::external_identity::{ExternalKeys, ExternalProject};
use crate::metrics::{Metrics, MetricsAccess};
use crate::pages::{IdentitySettings, Pages, Terms};
use crate::privacy::Privacy;
use crate::render::file;
use crate::ssr::{RenderLimits, Renderer};
use crate::{feeds, forms, seo};

/// What differs between the program and the tests. `App::build` makes the rest from it.
pub struct AppParts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    /// The shop's public origin, for absolute URLs.
    pub origin: String,
    pub profile: ShopProfile,
    pub retention: Retention,
    pub charges: Charges,
    pub orders: OrderSettings,
    pub content: Content,
    pub media: Media,
    pub assets: Assets,
    pub render_limits: RenderLimits,
    pub page_cache_bytes: u64,
    pub index_dir: IndexDir,
    pub urls_per_sitemap: i64,
    pub sign_in: SignIn,
    pub sends_email: bool,
    pub jobs: Arc<JobCounters>,
    pub metrics_access: MetricsAccess,
    /// Whether the developer's pages exist.
    pub demo: bool,
}

/// Where customers sign in: the shop's own identity service, or an external one.
pub struct SignIn {
    pub settings: IdentitySettings,
    pub keys: KeyFinder,
    pub revocation: Revocation,
    pub own: Option<Identity>,
}

impl SignIn {
    pub fn own(identity: &Identity, origin: &str) -> Self {
        Self {
            settings: IdentitySettings::own(identity, origin),
            keys: identity.key_finder(),
            revocation: identity.revocation(),
            own: Some(identity.clone()),
        }
    }

    pub fn external(project: &ExternalProject, keys: &ExternalKeys, client: HttpClient) -> Self {
        Self {
            settings: IdentitySettings::external(project),
            keys: keys.finder(),
            revocation: project.revocation(client),
            own: None,
        }
    }

    fn tokens(&self, clock: Clock, secret: &Secret) -> Tokens {
        let project = self.settings.project_id.clone();
        let (issuer, keys) = (Identity::issuer_for(&project), self.keys.clone());
        Tokens::new(clock, secret, issuer, project, keys, self.revocation.clone())
    }
}

/// The state of the storefront, which handlers share as `Arc<App>`.
pub struct App {
    pub context: Context,
    pub cache: Cache,
    pub media: Media,
    pub renderer: Renderer,
    pub assets: Assets,
    pub metrics: Metrics,
    pub metrics_access: MetricsAccess,
    pub pages: Pages,
    pub over_tls: bool,
    pub policy: HeaderValue,
    pub policy_with_map: HeaderValue,
    pub messages: Messages,
    pub newsletter: Newsletter,
    pub stock_alerts: StockAlerts,
    pub privacy: Privacy,
    pub urls_per_sitemap: i64,
    jobs: Arc<JobCounters>,
}

impl App {
    /// The state, the router of everything but the pages, and the indexer, which the caller runs.
    pub async fn build(mut parts: AppParts) -> Result<(Arc<Self>, Router, Indexer)> {
        let bundle = std::mem::take(&mut parts.assets.bundle);
        let renderer = Renderer::start(bundle, parts.render_limits);
        let (db, clock) = (parts.db, parts.clock);
        let revisions = Revisions::load(&db).await?;
        let search = Search::new(db.clone(), clock.clone(), revisions.clone());
        let indexer = Indexer {
            search: search.clone(),
            db: db.clone(),
            revisions: revisions.clone(),
            dir: parts.index_dir,
        };
        let shop = ShopContext {
            context: Context {
                tokens: Arc::new(parts.sign_in.tokens(clock.clone(), &parts.secret)),
                db: db.clone(),
                clock: clock.clone(),
                random: parts.random,
                secret: parts.secret,
                origin: parts.origin.into(),
            },
            cache: Cache::new(parts.page_cache_bytes, revisions.clone(), clock.clone()),
            profile: Arc::new(parts.profile),
            retention: Arc::new(parts.retention),
            media: parts.media.clone(),
            charges: parts.charges,
            orders: parts.orders,
            stock_cache: StockCache::default(),
            contact_reply: parts.content.contact_form.reply.as_str().into(),
        };
        let context = shop.context.clone();
        let privacy = Privacy::new(&shop, parts.sign_in.own.clone());
        let (api, openapi) = api::router(Some(&Api {
            search: SearchState {
                db: db.clone(),
                clock: clock.clone(),
                cache: shop.cache.clone(),
                search: search.clone(),
            },
            privacy: privacy.clone(),
            shop: shop.clone(),
        }));
        let policy = content_security_policy(&parts.sign_in.settings.hosts());
        let header = |policy: &str| {
            HeaderValue::from_str(policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'"))
        };
        let app = Arc::new(Self {
            pages: Pages {
                db,
                clock,
                revisions,
                search,
                front: shop.profile.clone(),
                identity: parts.sign_in.settings,
                sends_email: parts.sends_email,
                openapi: Arc::new(serde_json::to_value(&openapi).unwrap_or_default()),
                categories: Arc::default(),
                content: Arc::new(parts.content),
                terms: Terms::new(&shop.orders, &shop.charges),
                demo: parts.demo,
            },
            over_tls: context.origin.starts_with("https://"),
            policy: header(&policy),
            policy_with_map: header(&policy_with_map(&policy)),
            messages: Messages::from_ref(&shop),
            newsletter: Newsletter::from_ref(&shop),
            stock_alerts: StockAlerts::from_ref(&shop),
            privacy,
            urls_per_sitemap: parts.urls_per_sitemap,
            metrics: Metrics::default(),
            metrics_access: parts.metrics_access,
            context,
            cache: shop.cache,
            media: parts.media,
            renderer,
            assets: parts.assets,
            jobs: parts.jobs,
        });
        let identity = parts.sign_in.own.map(identity::router).unwrap_or_default();
        let routes = app.routes(api.merge(identity), &openapi);
        Ok((app, routes, indexer))
    }

    fn routes(self: &Arc<Self>, other: Router, openapi: &OpenApi) -> Router {
        let description: Bytes = openapi.to_json().unwrap_or_default().into();
        let form_routes = Router::new()
            .route("/currency", post(choose_currency))
            .merge(forms::router())
            .route_layer(middleware::from_fn_with_state(self.clone(), refuse_cross_site));
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
            .with_state(self.clone())
            .merge(other)
            .merge(media::router(self.media.clone()))
            .route_layer(middleware::from_fn_with_state(self.clone(), label_route))
            .method_not_allowed_fallback({
                let app = self.clone();
                move |request| method_not_allowed(State(app.clone()), request)
            })
            .fallback_service(get(file).fallback(method_not_allowed).with_state(self.clone()))
    }
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
