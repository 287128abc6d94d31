//! Builds the application: the same for the program and the tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::extract::FromRef;
use axum::http::HeaderValue;
use email::sms_limits::SmsLimits;
use identity::Identity;
use media::Media;
use platform::auth::{KeyFinder, Revocation, Tokens};
use platform::error::Result;
use platform::http_client::HttpClient;
use platform::jobs::JobCounters;
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::time_zone::TimeZone;
use platform::{Clock, Context, Currencies, Db, Languages, Random};
use response_cache::Cache;
use search::{IndexDir, Indexer, Search, SearchState};
use shop::ShopContext;
use shop::addresses::Countries;
use shop::catalog::StockCache;
use shop::contact_messages::ContactMessages;
use shop::content::Contents;
use shop::delivery::DeliveryZones;
use shop::gift_cards::GiftCardSender;
use shop::newsletter::Newsletter;
use shop::orders::OrderSettings;
use shop::payments::{Gateways, Intake};
use shop::pricing::Charges;
use shop::promotions::ActivePromotions;
use shop::settings::{Retention, ShopProfile};
use shop::settlement::{self, Settlement};
use shop::shop_profiles::ShopProfiles;
use shop::stock_alerts::StockAlerts;
use shop::taxes::Taxes;

use crate::api::{self, Api};
use crate::app::App;
use crate::assets::Assets;
use crate::document::{content_security_policy, policy_with_map, policy_with_payment};
use crate::external_identity::{ExternalKeys, ExternalProject};
use crate::metrics::{Metrics, MetricsAccess};
use crate::pages::Pages;
use crate::privacy::Privacy;
use crate::props::IdentitySettings;
use crate::routes;
use crate::ssr::{RenderLimits, Renderer};

/// What differs between the program and the tests. `App::build` makes the rest from it.
pub struct AppParts {
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub secret: Secret,
    /// The shop's public origin, for absolute URLs.
    pub origin: String,
    pub languages: Languages,
    pub currencies: Currencies,
    pub profile: ShopProfile,
    pub retention: Retention,
    pub charges: Charges,
    /// Of how many days before a reduction the lowest price is shown as the price before; 0: the list price is.
    pub lowest_price_days: u16,
    pub time_zone: TimeZone,
    pub countries: Countries,
    pub orders: OrderSettings,
    /// The configured payment providers.
    pub gateways: Gateways,
    /// Whether money is reserved when an order is placed, and taken when it is shipped.
    pub reserve_payments: bool,
    pub content: Contents,
    pub media: Media,
    pub assets: Assets,
    pub render_limits: RenderLimits,
    pub page_cache_bytes: u64,
    pub index_dir: IndexDir,
    /// The names of the attributes by which products are filtered.
    pub filter_attributes: BTreeSet<String>,
    pub urls_per_sitemap: i64,
    pub sign_in: SignIn,
    pub sends_email: bool,
    /// None in a shop that sends no text messages.
    pub sms_limits: Option<SmsLimits>,
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

impl App {
    /// The state, the router of everything but the pages, and the indexer, which the caller runs.
    pub async fn build(mut parts: AppParts) -> Result<(Arc<Self>, Router, Indexer)> {
        let bundle = std::mem::take(&mut parts.assets.bundle);
        let renderer = Renderer::start(bundle, parts.render_limits);
        let (db, clock) = (parts.db, parts.clock);
        let revisions = Revisions::load(&db).await?;
        let search =
            Search::new(db.clone(), revisions.clone(), &parts.languages, parts.filter_attributes);
        let indexer = Indexer {
            search: search.clone(),
            db: db.clone(),
            clock: clock.clone(),
            revisions: revisions.clone(),
            dir: parts.index_dir,
        };
        let profiles = ShopProfiles::new(parts.profile.clone(), parts.languages.clone())
            .with_content(&parts.content);
        let reply = |language| parts.content.in_language(language).contact_form.reply.clone();
        let contact_replies =
            parts.languages.iter().map(|language| (language, reply(language))).collect();
        let secret = parts.secret.clone();
        let sends_sms = parts.sms_limits.is_some();
        let guest_checkout = parts.orders.guests.is_enabled();
        let gateways = parts.gateways;
        let intake =
            Intake::start(gateways.clone(), db.clone(), clock.clone(), parts.random.clone());
        let shop = ShopContext {
            context: Context {
                tokens: Arc::new(parts.sign_in.tokens(clock.clone(), &parts.secret)),
                db: db.clone(),
                clock: clock.clone(),
                random: parts.random,
                secret: parts.secret,
                origin: parts.origin.into(),
                languages: parts.languages.clone(),
                currencies: parts.currencies.clone(),
                lowest_price_days: parts.lowest_price_days,
            },
            cache: Cache::new(parts.page_cache_bytes, revisions.clone(), clock.clone()),
            profile: Arc::new(parts.profile),
            profiles: Arc::new(profiles),
            retention: Arc::new(parts.retention),
            media: parts.media.clone(),
            charges: parts.charges,
            promotions: ActivePromotions::new(
                revisions.clone(),
                parts.time_zone.clone(),
                secret.clone(),
            ),
            countries: parts.countries,
            zones: DeliveryZones::new(revisions.clone(), parts.time_zone.clone()),
            taxes: Taxes::new(revisions.clone(), parts.time_zone),
            orders: parts.orders,
            gateways: gateways.clone(),
            intake,
            reserve_payments: parts.reserve_payments,
            sms_limits: parts.sms_limits,
            stock_cache: StockCache::default(),
            contact_replies: Arc::new(contact_replies),
        };
        let context = shop.context.clone();
        let privacy = Privacy::new(&shop, parts.sign_in.own.clone());
        let (api, openapi) = api::router(Some(&Api {
            search: SearchState {
                db: db.clone(),
                clock: clock.clone(),
                cache: shop.cache.clone(),
                search: search.clone(),
                languages: parts.languages.clone(),
                lowest_price_days: parts.lowest_price_days,
            },
            privacy: privacy.clone(),
            shop: shop.clone(),
        }));
        let policy = content_security_policy(&parts.sign_in.settings.hosts());
        let header = |policy: &str| {
            HeaderValue::from_str(policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'"))
        };
        let pages = Pages {
            language: parts.languages.default_language(),
            languages: parts.languages.clone(),
            to: parts.currencies.in_base(),
            currencies: parts.currencies,
            db,
            clock,
            revisions,
            search,
            front: shop.profile.clone(),
            identity: parts.sign_in.settings,
            sends_email: parts.sends_email,
            sends_sms,
            guest_checkout,
            openapi: Arc::new(serde_json::to_value(&openapi).unwrap_or_default()),
            categories: Arc::default(),
            content: Arc::new(parts.content.default.clone()),
            orders: shop.orders.clone(),
            charges: shop.charges.clone(),
            lowest_price_days: parts.lowest_price_days,
            countries: shop.countries.clone(),
            zones: shop.zones.clone(),
            taxes: shop.taxes.clone(),
            payments: gateways.methods(&shop.context.currencies).into(),
            settlement: Settlement::from_ref(&shop),
            demo: parts.demo,
        };
        let others = parts.languages.iter().skip(1);
        let translations =
            others.map(|language| pages.in_language(language, &parts.content)).collect();
        let app = Arc::new(Self {
            pages,
            translations,
            over_tls: context.origin.starts_with("https://"),
            policy: header(&policy),
            policy_with_map: header(&policy_with_map(&policy)),
            policy_with_payment: header(&policy_with_payment(&policy, &gateways.page_origins())),
            contact_messages: ContactMessages::from_ref(&shop),
            newsletter: Newsletter::from_ref(&shop),
            stock_alerts: StockAlerts::from_ref(&shop),
            gift_cards: GiftCardSender::from_ref(&shop),
            settlement: Settlement::from_ref(&shop),
            privacy,
            urls_per_sitemap: parts.urls_per_sitemap,
            metrics: Metrics::default(),
            metrics_access: parts.metrics_access,
            context,
            cache: shop.cache.clone(),
            media: parts.media,
            renderer,
            assets: parts.assets,
            jobs: parts.jobs,
        });
        let identity = parts.sign_in.own.map(identity::router).unwrap_or_default();
        let payments = settlement::web_router().with_state(shop);
        let routes = routes::router(&app, api.merge(identity).merge(payments), &openapi);
        Ok((app, routes, indexer))
    }
}
