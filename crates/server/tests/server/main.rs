//! The program through its public face: HTTP through the router, and the command line as a process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod api;
mod content;
mod content_files;
mod credit;
mod customers;
mod demo;
mod door;
mod exports;
mod forms;
mod found;
mod letters;
mod limits;
mod media;
mod orders;
mod pages;
mod profile;
mod program;
mod quote;
mod renders;
mod reviews;
mod revocation;
mod search;
mod strangers;
mod thousand;
mod wishlist;

use std::path::Path;
use std::sync::Arc;

use ::media::{Limits as PictureLimits, Media, Store, settings::Settings as PictureSettings};
use ::search::{Follower, Home, Search};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use base::Money;
use base::auth::Tokens;
use base::cache::Cache;
use base::config::{Retention, Shopfront};
use base::revisions::Revisions;
use base::secret::Secret;
use http_body_util::BodyExt;
use identity::{Identity, Place, Providers};
use server::app::{App, Parts};
use server::assets::Assets;
use server::door::Door;
use server::found::ADDRESSES_IN_A_PART;
use server::pages::IdentitySettings;
use server::ssr::{Limits, Renderer};
use shop::catalog::{self, Format, Import};
use shop::content::{Content, Facts, Files};
use shop::quote::Charges;
use shop::stock_alerts::StockAlerts;
use test_support::{Engine, TestDb, eventually};

const CONTENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo/content");
const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");

const ORIGIN: &str = "https://haat.example";

fn secret() -> Secret {
    Secret::new(&"test".repeat(8)).unwrap()
}

async fn start_identity(given: &TestDb) -> Identity {
    let settings = identity::Settings {
        project_id: "haat".into(),
        project_number: "1".into(),
        api_key: "haat-storefront".into(),
        authorized_domains: vec![],
        anonymous_sign_in: None,
        sign_ups_per_hour: 30,
        sms_per_hour: 8,
        sms_countries: vec![],
    };
    let place = Place { origin: ORIGIN.into(), shop_name: "Haat".into(), sends_texts: true };
    let (db, clock, random) = (given.db.clone(), given.clock.clone(), given.random.clone());
    Identity::start(db, clock, random, &secret(), settings, place, Providers::default())
        .await
        .unwrap()
}

/// The demo shop behind its router, with a database of its own.
struct TestApp {
    door: Door,
    given: TestDb,
    revisions: Revisions,
    media: Media,
    store: Store,
    identity: Identity,
    alerts: StockAlerts,
    dir: tempfile::TempDir,
}

impl TestApp {
    async fn new(engine: Engine) -> Self {
        Self::with(engine, |routes| routes, None).await
    }

    /// With a bundle that stands in for the storefront's, and routes beside the program's own.
    async fn with(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
    ) -> Self {
        Self::with_pictures(engine, more, bundle, PictureLimits::default(), None).await
    }

    /// With a map for search engines in parts of so many addresses.
    async fn with_map(engine: Engine, addresses_in_a_part: i64) -> Self {
        let limits = PictureLimits::default();
        Self::build(engine, |routes| routes, None, limits, None, addresses_in_a_part).await
    }

    /// With pictures kept and made as a test wants it.
    async fn with_pictures(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
    ) -> Self {
        Self::build(engine, more, bundle, limits, store, ADDRESSES_IN_A_PART).await
    }

    async fn build(
        engine: Engine,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        addresses_in_a_part: i64,
    ) -> Self {
        let given = TestDb::filled(engine, "demo", async |given| {
            let TestDb { db, clock, .. } = given;
            let pictures = server::demo::pictures().unwrap();
            catalog::demo::open(db, clock, &server::demo::FILES, &pictures).await.unwrap();
            // Makes the key that signs, which takes a while.
            start_identity(given).await;
        });
        let given = given.await;
        Self::on(given, more, bundle, limits, store, addresses_in_a_part).await
    }

    /// Another server on the same database.
    async fn beside(&self) -> Self {
        let (given, limits) = (self.given.beside().await, PictureLimits::default());
        Self::on(given, |routes| routes, None, limits, None, ADDRESSES_IN_A_PART).await
    }

    async fn on(
        given: TestDb,
        more: impl FnOnce(Router) -> Router,
        bundle: Option<&str>,
        limits: PictureLimits,
        store: Option<PictureSettings>,
        addresses_in_a_part: i64,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let pictures = Arc::new(server::demo::pictures().unwrap());
        let store = store.unwrap_or_default().store(dir.path(), &given.clock).unwrap();
        let store = store.with(pictures.clone());
        let media = Media::start(given.db.clone(), store.clone(), limits);
        let mut assets = Assets::from_dir(&Path::new(WEB).join("dist")).unwrap();
        let bundle = bundle.map_or_else(|| std::mem::take(&mut assets.bundle), str::to_owned);
        let revisions = Revisions::start(&given.db).await.unwrap();
        let search = Search::new(given.db.clone(), given.clock.clone(), revisions.clone());
        let follower = Follower {
            search: search.clone(),
            db: given.db.clone(),
            revisions: revisions.clone(),
            home: Home::claim(dir.path()).unwrap(),
        };
        tokio::spawn(follower.follow());
        eventually("the index is there", async || search.is_ready()).await;
        let origin = ORIGIN.to_owned();
        let secret = secret();
        let identity = start_identity(&given).await;
        let clock = given.clock.clone();
        let (issuer, audience) = (identity.issuer(), identity.audience());
        let (keys, revocation) = (identity.key_finder(), identity.revocation());
        let tokens = Tokens::new(clock, &secret, issuer, audience, keys, revocation);
        let front = Shopfront {
            shop_name: "Haat".into(),
            tagline: "Good things.".into(),
            phone: "+880 1".into(),
            email: "hello@haat.example".parse().unwrap(),
            address: "Dhaka".into(),
            bdt_rate: "120.5".parse().unwrap(),
        };
        let files = Files::default().under(Path::new(CONTENT)).unwrap();
        let content = Content::read(&files, &Facts::of(&front), &|_| None).unwrap();
        let (app, routes) = App::build(Parts {
            db: given.db.clone(),
            clock: given.clock.clone(),
            random: given.random.clone(),
            revisions: revisions.clone(),
            search,
            cache: Cache::new(8 << 20, revisions.clone(), given.clock.clone()),
            media: media.clone(),
            renderer: Renderer::start(bundle, Limits { threads: 1, ..Limits::default() }),
            assets,
            front,
            content,
            secret,
            addresses_in_a_part,
            charges: Charges {
                shipping: Money::cents(4000),
                vat: Money::cents(12000),
                free_delivery_over: None,
            },
            demo: false,
            retention: Retention::default(),
            orders: shop::orders::Settings {
                delivery_days: Some(shop::orders::DeliveryDays::new(2, 4)),
                ..shop::orders::Settings::default()
            },
            sign_in: IdentitySettings::own(&identity, &origin),
            sends_email: true,
            origin,
            jobs: Arc::default(),
            identity: Some(identity.clone()),
            tokens,
            metrics_access: server::metrics::Access::default(),
        });
        let alerts = app.stock_alerts.clone();
        let door = Door::new(app, more(routes));
        Self { door, given, revisions, media, store, identity, alerts, dir }
    }

    async fn get(&self, address: &str) -> Answer {
        self.send(Request::get(address).body(Body::empty()).unwrap()).await
    }

    async fn get_as(&self, address: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::get(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.door.clone().answer(request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// How many pages have been rendered.
    async fn renders(&self) -> u64 {
        let metrics = self.get("/metrics").await;
        let mut lines = metrics.text().lines();
        lines.find_map(|line| line.strip_prefix("haat_renders_total ")?.parse().ok()).unwrap()
    }

    /// Takes in changed goods and sees to it that the change is seen.
    async fn import(&self, text: &str) {
        let mut rows = Import::parse(text, Format::Json).unwrap();
        let TestDb { db, clock, .. } = &self.given;
        rows.stock_at = Some(clock.now());
        catalog::import(db, clock, &rows).await.unwrap();
        self.revisions.look(db).await.unwrap();
    }
}

#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// What a reader sees of a page: its markup, without React's seams and the inlined data.
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
