//! `haat serve`: runs the shop.

use std::collections::BTreeSet;
use std::future::pending;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use http_server::{HttpService, ServiceSettings};
use include_dir::{Dir, include_dir};
use media::{self, DeleteFiles, EncodeSizes, Media, StoreBuiltIn};
use payment_providers::{Capture, PaymentSettings};
use platform::Amount;
use platform::http_client::HttpClient;
use platform::jobs::Worker;
use platform::time_zone::TimeZone;
use search::IndexDir;
use server::app::App;
use server::assets::Assets;
use server::builder::{AppParts, SignIn};
use server::external_identity::{self, ExternalKeys};
use server::privacy::Privacy;
use server::render::storefront_service;
use server::routes::metrics_router;
use server::ssr::RenderLimits;
use server::{demo, metrics, seo};
use shop::addresses::Countries;
use shop::base_currency;
use shop::catalog::{PopularityUpdates, PublishProduct, SaleBoundary};
use shop::content::ShopDetails;
use shop::delivery::DeliveryDays;
use shop::gift_cards::SendGiftCard;
use shop::orders;
use shop::payments::Gateways;
use shop::pricing::ChargeSettings;
use shop::retention::DeleteExpired;
use tokio::task::JoinSet;

use super::identity::{IdentityParts, bind, open_identity};
use super::served_settings::ServedSettings;
use super::{CommandResult, ServerOptions, content, demo_payments, jobs, open_db, shutdown_signal};

static STOREFRONT: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../web/dist");

/// Named, or clap lists these options under the heading of the flattened struct before them.
const HEADING: &str = "Storefront";

#[derive(clap::Args)]
pub struct Serve {
    #[command(flatten)]
    pub server: ServerOptions,
    /// Maximum size of the page cache, in MiB of memory
    #[arg(long, env = "HAAT_PAGE_CACHE", value_name = "MIB", default_value_t = 64, help_heading = HEADING)]
    page_cache: u64,
    /// Maximum size of the picture cache, in MiB of memory
    #[arg(long, env = "HAAT_PICTURE_CACHE", value_name = "MIB", default_value_t = 32, help_heading = HEADING)]
    picture_cache: u64,
    /// Threads for server-side rendering [default: one per core]
    #[arg(long, env = "HAAT_RENDER_THREADS", value_name = "N", help_heading = HEADING)]
    render_threads: Option<usize>,
    /// A folder with a built storefront to use instead of the embedded one
    #[arg(long, env = "HAAT_WEB_DIR", value_name = "DIR", help_heading = HEADING)]
    pub web_dir: Option<PathBuf>,
    /// The folder of the shop's content: posts, pages, questions [default: templates; in a demo its own]
    #[arg(long, env = "HAAT_CONTENT_DIR", value_name = "DIR", help_heading = HEADING)]
    pub content_dir: Option<PathBuf>,
    /// Names of attributes by which shoppers filter products, separated by commas; for those with few different values
    /// [default: none; in a demo Crystal, Finish and Movement]
    #[arg(
        long,
        env = "HAAT_FILTER_ATTRIBUTES",
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = HEADING
    )]
    filter_attributes: Option<Vec<String>>,
    #[command(flatten)]
    pub charges: ChargeSettings,
    /// Show as the price before a reduction the lowest one of so many days before it, as the EU requires with 30; 0 shows
    /// the list price
    #[arg(
        long,
        env = "HAAT_LOWEST_PRICE_DAYS",
        value_name = "DAYS",
        default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(0..=365),
        help_heading = "The shop"
    )]
    pub lowest_price_days: u16,
    /// The countries that the shop delivers to, separated by commas, its own first: BD, IN; all for all. Addresses then
    /// have the parts of their country [default: an address is a text]
    #[arg(long, env = "HAAT_COUNTRIES", value_name = "CODES", help_heading = "The shop")]
    countries: Option<Countries>,
    /// The shop's time zone, for promotions on some weekdays or at some hours: a name such as Asia/Dhaka
    #[arg(
        long,
        env = "HAAT_TIME_ZONE",
        value_name = "NAME",
        default_value = "UTC",
        help_heading = "The shop"
    )]
    time_zone: TimeZone,
    #[command(flatten)]
    pub orders: orders::OrderSettings,
    #[command(flatten)]
    pub payments: PaymentSettings,
    #[command(flatten)]
    pub external: external_identity::ExternalIdentitySettings,
    #[command(flatten)]
    metrics: metrics::MetricsSettings,
}

const DEMO_FREE_DELIVERY_OVER: Amount = Amount::units(99);
const DEMO_DELIVERY_DAYS: DeliveryDays = DeliveryDays::new(2, 4);
const DEMO_FILTER_ATTRIBUTES: [&str; 3] = ["Crystal", "Finish", "Movement"];

pub async fn serve(options: Serve) -> CommandResult {
    let Serve { server, page_cache, picture_cache, render_threads, web_dir, .. } = options;
    let Serve { content_dir, mut charges, mut orders, external, metrics, .. } = options;
    let mut filter_attributes = options.filter_attributes;
    let mut server = server.with_defaults()?;
    let content_dir = content_dir.as_deref();
    if server.demo {
        demo::check()?;
        // The demo's home page promises these.
        charges.free_delivery_over.get_or_insert(DEMO_FREE_DELIVERY_OVER);
        orders.delivery_days.get_or_insert(DEMO_DELIVERY_DAYS);
        orders.guests.guest_checkout.get_or_insert(true);
        filter_attributes.get_or_insert(DEMO_FILTER_ATTRIBUTES.map(String::from).into());
    }
    // The storefront does not use anonymous accounts.
    server.identity.anonymous_sign_in.get_or_insert(false);
    let external = external.check()?;
    let languages = server.languages()?;
    let assets = assets(web_dir.as_deref())?;
    assets.check_languages(&languages)?;
    let (db, clock, random) = open_db(&server.settings).await?;
    let base = base_currency::agree(&db, server.currencies.base.currency).await?;
    let currencies = server.currencies.currencies(base)?;
    let charges = charges.charges(base)?;
    if !server.demo {
        orders.limits = orders.limits.with_defaults(base);
        orders.guests = orders.guests.with_defaults();
    }
    orders.limits.check(base)?;
    let mut tx = db.begin().await?;
    base_currency::establish(&mut tx, base).await?;
    tx.commit().await?;
    let pictures = Arc::new(demo::pictures()?);
    if server.demo
        && let Some(summary) =
            shop::demo::seed(&db, &clock, &random, base, &demo::FILES, &pictures).await?
    {
        tracing::info!("the demo shop is filled: {}", summary.to_string().replace('\n', "; "));
    }
    let mut render_limits = RenderLimits::default();
    render_limits.threads = render_threads.unwrap_or(render_limits.threads).max(1);

    let store = server.media.store(&server.settings.data_dir, &clock)?.with(pictures.clone());
    store.delete_unfinished(&clock).await;
    let from = (server.demo, content_dir);
    let facts = ShopDetails::new(&server.front)
        .with_languages(&languages)
        .with_retention(&server.retention)
        .with_charges(&charges, orders.return_window);
    let content = content::open(from, &facts, (&db, &clock, &store), &pictures).await?;
    let templates = content.default.templates();
    if !templates.is_empty() {
        let names = templates.join(", ");
        tracing::warn!(names, "pages are still templates; write your own (content_dir)");
    }
    let limits =
        media::MediaLimits { cache_bytes: picture_cache << 20, ..media::MediaLimits::default() };
    let media = Media::start(db.clone(), store, limits);
    let retention = server.retention.clone();
    let worker = Worker::new(db.clone(), clock.clone(), random.clone())
        .register::<SaleBoundary>((db.clone(), clock.clone()))
        .register::<PublishProduct>((db.clone(), clock.clone()))
        .register::<EncodeSizes>(media.clone())
        .register::<DeleteFiles>(media.clone())
        .register::<StoreBuiltIn>(media.clone())
        .every(PopularityUpdates::new(db.clone(), clock.clone()))
        .every(DeleteExpired { db: db.clone(), clock: clock.clone(), retention });
    // No demo providers with an external identity provider.
    let demo_providers = server.demo && external.is_none();
    let names = content
        .translations
        .iter()
        .map(|(language, content)| (*language, content.shop.translate(&server.front).shop_name));
    let names = names.collect();
    let parts = open_identity(&server, names, demo_providers, &db, &clock, &random, worker).await?;
    let IdentityParts { listener, here, origin, secret, identity, sends_sms, worker, extra } =
        parts;
    orders.guests.check(base, sends_sms)?;
    let metrics_listener = match &metrics.metrics_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let hosts = server.demo.then(|| server.allowed_hosts(&origin));
    let behind_proxy = server.http.trust_proxy || server.public_url.is_some();
    let mut background = JoinSet::new();
    let mut routes_of_demo = extra;
    let mut payments = options.payments;
    if server.demo && payments.is_empty() {
        let (at, source) = ((here.as_str(), origin.as_str()), (&clock, &random));
        let (router, stand_ins) =
            demo_payments::open(&server.settings.data_dir, at, source, payments)?;
        routes_of_demo = routes_of_demo.merge(router);
        payments = stand_ins;
    }
    let gateways = Gateways::new(payments.gateways(&db, &clock, &secret)?);
    let sign_in = match &external {
        Some(project) => {
            let client = HttpClient::new();
            let keys = ExternalKeys::start(client.clone(), project.keys_url.clone()).await;
            background.spawn(keys.clone().run());
            SignIn::external(project, &keys, client)
        }
        None => SignIn::own(&identity, &origin),
    };
    let sms_limits = sends_sms.then(|| server.identity.sms_limits());
    let served = (server.demo, &secret, sms_limits.clone());
    orders.invoices.time_zone = options.time_zone.clone();
    let served = ServedSettings::new(&server.front, &languages, &origin, content_dir, served);
    served.with_invoices(&orders.invoices).store(&db).await?;
    let (app, routes, indexer) = App::build(AppParts {
        db: db.clone(),
        clock,
        random: random.clone(),
        secret,
        origin,
        languages,
        currencies,
        profile: server.front,
        retention: server.retention.clone(),
        charges,
        lowest_price_days: options.lowest_price_days,
        time_zone: options.time_zone,
        countries: options.countries.unwrap_or_default(),
        orders,
        gateways,
        reserve_payments: payments.stripe_capture == Capture::Shipping,
        content,
        media,
        assets,
        render_limits,
        page_cache_bytes: page_cache << 20,
        index_dir: IndexDir::lock(&server.settings.data_dir)?,
        filter_attributes: attribute_names(filter_attributes.unwrap_or_default()),
        urls_per_sitemap: seo::URLS_PER_SITEMAP,
        sign_in,
        sends_email: server.demo || server.mail.smtp_host.is_some(),
        sms_limits,
        jobs: worker.counters(),
        metrics_access: metrics::MetricsAccess::new(&metrics, behind_proxy),
        demo: server.demo,
    })
    .await?;
    let Privacy { eraser, orders, .. } = app.privacy.clone();
    let worker = orders.register(eraser.register(worker));
    let worker = worker.register::<SendGiftCard>(app.gift_cards.clone());
    let worker = app.settlement.register(worker);
    if worker.kinds() != BTreeSet::from(jobs::KINDS) {
        return Err("jobs: KINDS, which `haat jobs retry` uses, lists other kinds".into());
    }
    if let Some((kind, count)) = worker.unknown_kinds().await?.first() {
        return Err(format!(
            "jobs: {count} queued jobs are of the kind {kind}, which this version cannot run. Start the version \
             that queued them, or delete them: haat jobs discard --kind {kind}"
        )
        .into());
    }
    let revisions = app.pages.revisions.clone();
    background.spawn(revisions.clone().poll_forever(db.clone()));
    background.spawn(indexer.run());
    let working = worker.start();
    background.spawn(app.stock_alerts.clone().run(revisions));
    background.spawn(identity.run_key_rotation());

    let stop = shutdown_signal()?;
    print_line!("Haat is open at {here}");
    if let Some((listener, here)) = metrics_listener {
        let service =
            HttpService::new(metrics_router(app.clone()), ServiceSettings::default(), &random);
        background.spawn(http_server::serve(listener, server.http, service, pending()));
        print_line!("Metrics are at {here}/metrics");
    }
    let service = storefront_service(app, routes.merge(routes_of_demo), hosts, &random);
    http_server::serve(listener, server.http, service, stop).await;
    working.shut_down().await;
    background.shutdown().await;
    db.close().await;
    Ok(())
}

/// Without spaces around the commas, and empty names.
fn attribute_names(names: Vec<String>) -> BTreeSet<String> {
    let names = names.iter().map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// The built storefront.
pub fn assets(dir: Option<&Path>) -> Result<Assets, String> {
    match dir {
        Some(dir) => Assets::from_dir(dir),
        None => Assets::new(files(&STOREFRONT)),
    }
}

pub fn files(dir: &'static Dir) -> Vec<(String, Bytes)> {
    fn walk(dir: &'static Dir, found: &mut Vec<(String, Bytes)>) {
        for file in dir.files() {
            let path = file.path().to_string_lossy().into_owned();
            found.push((path, Bytes::from_static(file.contents())));
        }
        dir.dirs().for_each(|dir| walk(dir, found));
    }
    let mut found = Vec::new();
    walk(dir, &mut found);
    found
}
