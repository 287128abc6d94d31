//! `haat serve`: the whole shop.

use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;

use ::identity::Identity;
use axum::body::Bytes;
use base::auth::Tokens;
use base::cache::Cache;
use base::client::Client;
use base::jobs::Worker;
use base::revisions::Revisions;
use base::{Clock, Money, Random};
use include_dir::{Dir, include_dir};
use media::{self, Media};
use search::{Follower, Home, Search};
use server::app::{App, Parts, operators_router};
use server::assets::Assets;
use server::demo;
use server::door::{Door, PlainDoor};
use server::found;
use server::hosted::{self, HostedKeys};
use server::listen;
use server::metrics;
use server::pages::IdentitySettings;
use server::personal::People;
use server::ssr::{Limits, Renderer};
use shop::catalog;
use shop::content::Facts;
use shop::orders::{self, Book, DeliveryDays, Sender};
use shop::quote::Charges;
use tokio::task::JoinSet;

use super::identity::{Opened, bind, open_identity};
use super::{Outcome, Place, content, log, open, stopped};

static STOREFRONT: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../web/dist");

#[derive(clap::Args)]
pub struct Serve {
    #[command(flatten)]
    pub place: Place,
    /// Memory for kept pages, in MiB
    #[arg(long, env = "HAAT_PAGE_CACHE", value_name = "MIB", default_value_t = 64)]
    page_cache: u64,
    /// Memory for pictures that were asked for lately, in MiB
    #[arg(long, env = "HAAT_PICTURE_CACHE", value_name = "MIB", default_value_t = 32)]
    picture_cache: u64,
    /// Threads that render pages [default: one per core]
    #[arg(long, env = "HAAT_RENDER_THREADS", value_name = "N")]
    render_threads: Option<usize>,
    /// A built storefront to use instead of the one inside the program
    #[arg(long, env = "HAAT_WEB_DIR", value_name = "DIR")]
    web_dir: Option<PathBuf>,
    /// The shop's own texts: posts, pages, questions [default: those inside the program]
    #[arg(long, env = "HAAT_CONTENT_DIR", value_name = "DIR")]
    pub content_dir: Option<PathBuf>,
    #[command(flatten)]
    pub charges: Charges,
    #[command(flatten)]
    pub orders: orders::Settings,
    #[command(flatten)]
    pub hosted: hosted::Settings,
    #[command(flatten)]
    metrics: metrics::Settings,
}

const DEMO_DELIVERS_OVER: Money = Money::cents(9900);
const DEMO_DELIVERS_IN: DeliveryDays = DeliveryDays::new(2, 4);

pub async fn serve(options: Serve) -> Outcome {
    let Serve { place, page_cache, picture_cache, render_threads, web_dir, .. } = options;
    let Serve { content_dir, mut charges, mut orders, hosted, metrics, .. } = options;
    let mut place = place.completed()?;
    let content_dir = content_dir.as_deref();
    if place.demo {
        demo::check()?;
        // Its home page promises so.
        charges.free_delivery_over.get_or_insert(DEMO_DELIVERS_OVER);
        orders.delivery_days.get_or_insert(DEMO_DELIVERS_IN);
    } else {
        orders.limits = orders.limits.with_defaults();
    }
    // The storefront does not use them.
    place.identity.anonymous_sign_in.get_or_insert(false);
    log(&place.settings)?;
    let hosted = hosted.check()?;
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&place.settings, &clock).await?;
    let pictures = Arc::new(demo::pictures()?);
    if place.demo
        && let Some(summary) = catalog::demo::open(&db, &clock, &demo::FILES, &pictures).await?
    {
        tracing::info!("the demo shop is filled: {}", summary.to_string().replace('\n', "; "));
    }
    let mut assets = match web_dir {
        Some(dir) => Assets::from_dir(&dir)?,
        None => Assets::new(files(&STOREFRONT))?,
    };
    let mut limits = Limits::default();
    limits.threads = render_threads.unwrap_or(limits.threads).max(1);
    let renderer = Renderer::start(std::mem::take(&mut assets.bundle), limits);

    let store = place.media.store(&place.settings.data_dir, &clock)?.with(pictures.clone());
    store.tidy(&clock).await;
    let from = (place.demo, content_dir);
    let facts = Facts::of(&place.front).keeping(&place.retention).selling(&charges, &orders);
    let content = content::open(from, &facts, (&db, &clock, &store), &pictures).await?;
    let templates = content.templates();
    if !templates.is_empty() {
        let names = templates.join(", ");
        tracing::warn!(names, "pages are still templates; write your own (content_dir)");
    }
    let limits = media::Limits { kept: picture_cache << 20, ..media::Limits::default() };
    let media = Media::start(db.clone(), store, limits);
    let worker = {
        let (db, clock, media) = (db.clone(), clock.clone(), media.clone());
        Worker::new(db.clone(), clock.clone(), random.clone())
            .on(catalog::SALE_TURNS, move |turn| {
                catalog::sale_turns(db.clone(), clock.clone(), turn)
            })
            .on(media::MAKE_SIZES, {
                let media = media.clone();
                move |job| media.clone().make_sizes(job)
            })
            .on(media::FORGET, {
                let media = media.clone();
                move |job| media.clone().forget(job)
            })
            .on(media::KEEP_BUILT_IN, move |job| media.clone().keep_built_in(job))
    };
    // Nobody is played where a hosted project says who somebody is.
    let plays = place.demo && hosted.is_none();
    let opened = open_identity(&place, plays, &db, &clock, &random, worker).await?;
    let Opened { listener, here, origin, secret, identity, worker, extra } = opened;
    let apart = match &metrics.metrics_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let hosts = place.demo.then(|| place.hosts(&origin));
    let fronted = place.listening.trust_proxy || place.public_url.is_some();
    let people = People {
        db: db.clone(),
        clock: clock.clone(),
        random: random.clone(),
        identity: hosted.is_none().then(|| identity.clone()),
    };
    let book = Book {
        db: db.clone(),
        clock: clock.clone(),
        random: random.clone(),
        sender: Sender::new(&place.front, Some(origin.clone()), orders.order_emails),
    };
    let worker = book.clone().on(people.on(worker));
    let mut background = JoinSet::new();
    let (sign_in, keys, revocation) = match &hosted {
        Some(host) => {
            let client = Client::new();
            let keys = HostedKeys::start(client.clone(), host.keys_url.clone()).await;
            background.spawn(keys.clone().keep());
            (IdentitySettings::hosted(host), keys.finder(), host.revocation(client))
        }
        None => {
            let sign_in = IdentitySettings::own(&identity, &origin);
            (sign_in, identity.key_finder(), identity.revocation())
        }
    };
    let project = sign_in.project_id.clone();
    let issuer = Identity::issuer_of(&project);
    let tokens = Tokens::new(clock.clone(), &secret, issuer, project, keys, revocation);

    let revisions = Revisions::start(&db).await?;
    let search = Search::new(db.clone(), clock.clone(), revisions.clone());
    let follower = Follower {
        search: search.clone(),
        db: db.clone(),
        revisions: revisions.clone(),
        home: Home::claim(&place.settings.data_dir)?,
    };
    let (app, routes) = App::build(Parts {
        db: db.clone(),
        random,
        revisions: revisions.clone(),
        search,
        cache: Cache::new(page_cache << 20, revisions.clone(), clock.clone()),
        media,
        clock,
        renderer,
        assets,
        front: place.front,
        content,
        secret,
        addresses_in_a_part: found::ADDRESSES_IN_A_PART,
        charges,
        orders,
        demo: place.demo,
        retention: place.retention.clone(),
        sign_in,
        sends_email: place.demo || place.mail.smtp_host.is_some(),
        origin,
        jobs: worker.tally(),
        identity: hosted.is_none().then(|| identity.clone()),
        tokens,
        metrics_access: metrics::Access::new(&metrics, fronted),
    });
    background.spawn(revisions.clone().follow(db.clone()));
    background.spawn(follower.follow());
    let working = worker.start();
    background.spawn(shop::tidy::keep(db.clone(), Clock::system(), place.retention.clone()));
    background.spawn(catalog::keep_popularity(db.clone(), Clock::system()));
    background.spawn(book.keep_releasing());
    background.spawn(app.stock_alerts.clone().keep(revisions));
    background.spawn(identity.keep(place.retention));

    let stop = stopped()?;
    print_line!("Haat is open at {here}");
    if let Some((listener, here)) = apart {
        let door = PlainDoor::new(operators_router(app.clone()), &Random::system(), false);
        let answer = move |request| door.clone().answer(request);
        background.spawn(listen::serve(listener, place.listening, answer, pending()));
        print_line!("Metrics are at {here}/metrics");
    }
    let door = Door::new(app, routes.merge(extra)).under(hosts);
    let answer = move |request| door.clone().answer(request);
    listen::serve(listener, place.listening, answer, stop).await;
    working.finish().await;
    background.shutdown().await;
    db.close().await;
    Ok(())
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
