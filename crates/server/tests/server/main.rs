//! Integration tests: HTTP requests to the router, and the command line as a process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod api;
mod content;
mod content_files;
mod credit;
mod currencies;
mod customers;
mod demo;
mod email_delivery;
mod emails;
mod exports;
mod forms;
mod gift_cards;
mod guests;
mod invoices;
mod jobs;
mod languages;
mod limits;
mod media;
mod middleware;
mod orders;
mod pages;
mod pdf_text;
mod profile;
mod program;
mod promotions;
mod quote;
mod reviews;
mod revocation;
mod search;
mod search_fallback;
mod seo;
mod service_accounts;
mod ssr;
mod stock;
mod strangers;
mod taxes;
mod translations;
mod upgrade;
mod wishlist;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ::media::{
    Media, MediaLimits as PictureLimits, PictureStore, settings::MediaSettings as PictureSettings,
};
use ::search::{IndexDir, Indexer, Search};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use http_server::HttpService;
use identity::{Identity, Providers, Site};
use platform::revisions::Revisions;
use platform::secret::Secret;
use platform::time_zone::TimeZone;
use platform::{Currencies, Currency, Language, Languages, Money, Timestamp};
use server::app::App;
use server::assets::Assets;
use server::builder::{AppParts, SignIn};
use server::render::storefront_service;
use server::seo::URLS_PER_SITEMAP;
use server::ssr::RenderLimits;
use shop::addresses::Countries;
use shop::catalog::{self, Import, ImportFormat};
use shop::content::{ContentFiles, Contents, ShopDetails};
use shop::delivery::DeliveryDays;
use shop::gift_cards::{GiftCardEmailSender, NewGiftCard, issue};
use shop::orders::OrderSettings;
use shop::payments::Gateways;
use shop::pricing::Charges;
use shop::settings::{Retention, ShopProfile};
use shop::stock_alerts::StockAlerts;
use test_support::{Engine, TestDb, eventually};

const CONTENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo/content");
const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");

const ORIGIN: &str = "https://haat.example";
const BANGLA_NAME: &str = "হাট";

fn bangla() -> Language {
    "bn".parse().unwrap()
}

fn shop_profile() -> ShopProfile {
    ShopProfile {
        shop_name: "Haat".into(),
        tagline: "Good things.".into(),
        phone: "+880 1".into(),
        email: "hello@haat.example".into(),
        address: "Dhaka".into(),
        tax_number: String::new(),
    }
}

fn usd(cents: i64) -> Money {
    Money::new(cents, Currency::USD)
}

fn currencies() -> Currencies {
    Currencies::new(Currency::USD, vec!["BDT=120.5".parse().unwrap()]).unwrap()
}

fn secret() -> Secret {
    Secret::new(&"test".repeat(8)).unwrap()
}

fn english_and_bangla() -> Languages {
    Languages::new(vec![Language::ENGLISH, bangla()], None).unwrap()
}

async fn start_identity(given: &TestDb, languages: &Languages) -> Identity {
    let settings = identity::ProjectSettings {
        project_id: "haat".into(),
        project_number: "1".into(),
        api_key: "haat-storefront".into(),
        authorized_domains: vec![],
        anonymous_sign_in: None,
        sign_ups_per_hour: 30,
        sms_per_hour: 8,
        sms_countries: vec![],
    };
    let place = Site {
        origin: ORIGIN.into(),
        shop_name: "Haat".into(),
        translated_names: [(bangla(), BANGLA_NAME.to_owned())].into(),
        languages: languages.clone(),
        sends_sms: true,
    };
    let (db, clock, random) = (given.db.clone(), given.clock.clone(), given.random.clone());
    Identity::start(db, clock, random, &secret(), settings, place, Providers::default())
        .await
        .unwrap()
}

async fn demo_db(engine: Engine) -> TestDb {
    TestDb::from_template(engine, "demo", async |given| {
        let TestDb { db, clock, random, .. } = given;
        let pictures = server::demo::pictures().unwrap();
        shop::demo::seed(db, clock, random, Currency::USD, &server::demo::FILES, &pictures)
            .await
            .unwrap();
        // Creates the signing key, which takes a while.
        start_identity(given, &Languages::default()).await;
    })
    .await
}

/// What some tests set otherwise.
struct ShopSettings {
    languages: Languages,
    countries: Countries,
    orders: OrderSettings,
}

impl Default for ShopSettings {
    fn default() -> Self {
        Self {
            languages: english_and_bangla(),
            countries: Countries::default(),
            orders: OrderSettings {
                delivery_days: Some(DeliveryDays::new(2, 4)),
                ..OrderSettings::default()
            },
        }
    }
}

/// The demo shop's HTTP service, with its own database.
struct TestApp {
    service: HttpService,
    given: TestDb,
    revisions: Revisions,
    media: Media,
    store: PictureStore,
    identity: Identity,
    alerts: StockAlerts,
    search: Search,
    indexer: Mutex<Option<Indexer>>,
    dir: tempfile::TempDir,
    /// The language that requests ask for.
    speaks: Option<Language>,
}

impl TestApp {
    async fn new(engine: Engine) -> Self {
        Self::with(engine, |routes| routes, None).await
    }

    /// With another bundle than the storefront's, and additional routes.
    async fn with(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
    ) -> Self {
        Self::with_pictures(engine, more, bundle, PictureLimits::default(), None).await
    }

    /// With so many URLs per part of the sitemap.
    async fn with_sitemap_size(engine: Engine, urls_per_sitemap: i64) -> Self {
        let limits = PictureLimits::default();
        Self::build(engine, |routes| routes, None, limits, None, urls_per_sitemap).await
    }

    /// With other settings of pictures.
    async fn with_pictures(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
    ) -> Self {
        Self::build(engine, more, bundle, limits, store, URLS_PER_SITEMAP).await
    }

    async fn build(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        urls_per_sitemap: i64,
    ) -> Self {
        Self::on(demo_db(engine).await, more, bundle, limits, store, urls_per_sitemap).await
    }

    /// A shop whose first language is Bangla.
    async fn in_bangla(engine: Engine) -> Self {
        let (given, limits) = (demo_db(engine).await, PictureLimits::default());
        let languages = Languages::new(vec![Language::ENGLISH, bangla()], Some(bangla())).unwrap();
        let settings = ShopSettings { languages, ..ShopSettings::default() };
        Self::start(given, |routes| routes, None, limits, None, URLS_PER_SITEMAP, settings).await
    }

    /// Another server on the same database.
    async fn second_server(&self) -> Self {
        let (given, limits) = (self.given.second_connection().await, PictureLimits::default());
        Self::on(given, |routes| routes, None, limits, None, URLS_PER_SITEMAP).await
    }

    async fn on(
        given: TestDb,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        urls_per_sitemap: i64,
    ) -> Self {
        let app = Self::unindexed(given, more, bundle, limits, store, urls_per_sitemap).await;
        app.build_index().await;
        app
    }

    /// With a search index that nobody builds until `build_index`.
    async fn unindexed(
        given: TestDb,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        urls_per_sitemap: i64,
    ) -> Self {
        let settings = ShopSettings::default();
        Self::start(given, more, bundle, limits, store, urls_per_sitemap, settings).await
    }

    async fn start(
        given: TestDb,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        urls_per_sitemap: i64,
        settings: ShopSettings,
    ) -> Self {
        let ShopSettings { languages, countries, orders } = settings;
        let dir = tempfile::tempdir().unwrap();
        let pictures = Arc::new(server::demo::pictures().unwrap());
        let store = store.unwrap_or_default().store(dir.path(), &given.clock).unwrap();
        let store = store.with(pictures.clone());
        let media = Media::start(given.db.clone(), store.clone(), limits);
        let mut assets = Assets::from_dir(&Path::new(WEB).join("dist")).unwrap();
        // On a busy machine a page must not be left to the browser.
        let wall = Duration::from_secs(60);
        let mut render_limits = RenderLimits { threads: 1, wall, ..RenderLimits::default() };
        match bundle {
            Some(bundle) => assets.bundle = bundle.to_owned(),
            None => render_limits.cpu = wall,
        }
        let identity = start_identity(&given, &languages).await;
        let mut profile = shop_profile();
        if languages.default_language() == bangla() {
            profile.shop_name = BANGLA_NAME.into();
        }
        let files = ContentFiles::default().overlay(Path::new(CONTENT), &languages).unwrap();
        let details = ShopDetails::new(&profile).with_languages(&languages);
        let content = Contents::read(&files, &details, &|_| None).unwrap();
        let (app, routes, indexer) = App::build(AppParts {
            db: given.db.clone(),
            clock: given.clock.clone(),
            random: given.random.clone(),
            secret: secret(),
            origin: ORIGIN.to_owned(),
            languages,
            currencies: currencies(),
            profile,
            retention: Retention::default(),
            charges: Charges { shipping: usd(4000), vat: usd(12000), free_delivery_over: None },
            lowest_price_days: 0,
            time_zone: TimeZone::default(),
            countries,
            orders,
            gateways: Gateways::default(),
            reserve_payments: false,
            content,
            media: media.clone(),
            assets,
            render_limits,
            page_cache_bytes: 8 << 20,
            index_dir: IndexDir::lock(dir.path()).unwrap(),
            filter_attributes: ["Finish".to_owned()].into(),
            urls_per_sitemap,
            sign_in: SignIn::own(&identity, ORIGIN),
            sends_email: true,
            sms_limits: Some(email::sms_limits::SmsLimits::new(8, Vec::new())),
            jobs: Arc::default(),
            metrics_access: server::metrics::MetricsAccess::default(),
            demo: false,
        })
        .await
        .unwrap();
        let (search, indexer) = (app.pages.search.clone(), Mutex::new(Some(indexer)));
        let (alerts, revisions) = (app.stock_alerts.clone(), app.pages.revisions.clone());
        let service = storefront_service(app, more(routes), None, &given.random);
        Self {
            service,
            given,
            revisions,
            media,
            store,
            identity,
            alerts,
            search,
            indexer,
            dir,
            speaks: None,
        }
    }

    /// The language of the e-mails to those who send requests.
    fn language(&self) -> Language {
        self.speaks.unwrap_or(Language::ENGLISH)
    }

    async fn build_index(&self) {
        let indexer = self.indexer.lock().unwrap().take().unwrap();
        tokio::spawn(indexer.run());
        eventually("the index is ready", async || self.search.is_ready()).await;
    }

    async fn get(&self, address: &str) -> TestResponse {
        self.send(Request::get(address).body(Body::empty()).unwrap()).await
    }

    async fn get_as(&self, address: &str, headers: &[(&str, &str)]) -> TestResponse {
        let mut request = Request::get(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn send(&self, mut request: Request<Body>) -> TestResponse {
        if let Some(language) = self.speaks {
            for name in ["accept-language", "x-firebase-locale"] {
                let code = language.to_string().parse().unwrap();
                request.headers_mut().entry(name).or_insert(code);
            }
        }
        let response = self.service.clone().handle(request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        TestResponse { status: parts.status, headers: parts.headers, body }
    }

    async fn renders(&self) -> u64 {
        let metrics = self.get("/metrics").await;
        let mut lines = metrics.text().lines();
        lines.find_map(|line| line.strip_prefix("haat_renders_total ")?.parse().ok()).unwrap()
    }

    /// Sends a gift card to somebody, and returns its code.
    async fn gift_card(&self, email: &str) -> String {
        let TestDb { db, clock, random, .. } = &self.given;
        let profiles = self.alerts.profiles.clone();
        let sender = GiftCardEmailSender { profiles, origin: Some(ORIGIN.into()) };
        let new = NewGiftCard {
            amount: usd(5000),
            expires_at: Timestamp::parse("2099-12-31T23:59:59Z"),
            note: "For the wait".into(),
            recipient: Some(email.parse().unwrap()),
            language: Some(self.language()),
        };
        let secret = secret();
        let issued = issue(db, (clock, random), &secret, &new, (1, &sender)).await.unwrap();
        issued[0].1.to_string()
    }

    /// Imports products, and makes this server notice the change.
    async fn import(&self, text: &str) {
        let mut rows = Import::parse(text, ImportFormat::Json, Currency::USD).unwrap();
        let TestDb { db, clock, random, .. } = &self.given;
        rows.stock_at = Some(clock.now());
        catalog::import(db, clock, random, &rows).await.unwrap();
        self.revisions.poll(db).await.unwrap();
    }
}

#[derive(Debug)]
struct TestResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl TestResponse {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The visible markup of a page, without React's comments and the inlined data.
    fn markup(&self) -> String {
        self.text()
            .split("<script type=\"application/json\"")
            .next()
            .unwrap()
            .replace("<!-- -->", "")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.text()))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
