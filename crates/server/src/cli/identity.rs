//! `haat identity`: the identity service without the shop, and the emulator.

use std::error::Error;

use ::identity::emulator::Projects;
use ::identity::{DELETED, Deleted, Identity, Place as Stand, Providers, StandIn};
use axum::Router;
use base::client::Client;
use base::jobs::{self, Worker};
use base::mail::{self, Mailer};
use base::seat::Seat;
use base::secret::Secret;
use base::sms::{self, Texter};
use base::{Clock, Db, Random};
use server::door::PlainDoor;
use server::host::Hosts;
use server::{dev, listen};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::{Outcome, Place, log, open, stopped};

/// The project of an emulator that is told no other. Google's tools, too, reach for nothing real
/// where a project's name begins with demo-.
const DEMO_PROJECT: &str = "demo-haat";

#[derive(clap::Args)]
pub struct Alone {
    #[command(flatten)]
    place: Place,
    /// Play Google's auth emulator: believe everybody, keep nothing. For tests only
    #[arg(long)]
    emulator: bool,
}

pub async fn alone(options: Alone) -> Outcome {
    let Alone { place, emulator } = options;
    let place = place.completed()?;
    log(&place.settings)?;
    if emulator {
        return emulate(place).await;
    }
    let (clock, random) = (Clock::system(), Random::system());
    let db = open(&place.settings, &clock).await?;
    let worker = Worker::new(db.clone(), clock.clone(), random.clone());
    let plays = place.demo;
    let opened = open_identity(&place, plays, &db, &clock, &random, worker).await?;
    let Opened { listener, here, origin, identity, worker, extra, .. } = opened;
    // There is no shop here that would have anything to forget.
    let worker = worker.on(DELETED, |_: Deleted| async { Ok(()) });
    let mut background = JoinSet::new();
    let working = worker.start();
    background.spawn(identity.clone().keep(place.retention.clone()));
    let pages = ::identity::action_router(identity.clone());
    let routes = ::identity::router(identity).merge(pages).merge(extra);
    let hosts = place.demo.then(|| Hosts::of(&origin));
    let door = PlainDoor::new(routes, &random, origin.starts_with("https:")).under(hosts);
    let stop = stopped()?;
    print_line!("Haat identity is open at {here}");
    let answer = move |request| door.clone().answer(request);
    listen::serve(listener, place.listening, answer, stop).await;
    working.finish().await;
    background.shutdown().await;
    db.close().await;
    Ok(())
}

async fn emulate(place: Place) -> Outcome {
    let folder = tempfile::tempdir()?;
    let (clock, random) = (Clock::movable(), Random::system());
    let (listener, here) = bind(&place.listen).await?;
    let origin = place.public_url.unwrap_or_else(|| here.clone());
    let mut settings = place.identity;
    if settings.project_id == ::identity::DEFAULT_PROJECT {
        settings.project_id = DEMO_PROJECT.into();
    }
    // Any key is good here; this one stands in the links.
    settings.api_key = "fake-api-key".into();
    let hosts = Some(Hosts::of(&origin));
    let stand = Stand { origin, shop_name: place.front.shop_name, sends_texts: true };
    let projects = Projects::new(folder.path().to_owned(), clock, random.clone(), settings, stand);
    projects.main().await?;
    let door = PlainDoor::new(::identity::emulator_router(projects), &random, false).under(hosts);
    let stop = stopped()?;
    print_line!("Haat identity is open at {here}");
    let answer = move |request| door.clone().answer(request);
    listen::serve(listener, place.listening, answer, stop).await;
    Ok(())
}

pub async fn bind(listen: &str) -> Result<(TcpListener, String), Box<dyn Error>> {
    let listener = TcpListener::bind(listen).await.map_err(|why| format!("{listen}: {why}"))?;
    let here = format!("http://{}", listener.local_addr()?);
    Ok((listener, here))
}

/// The identity service with what carries its letters, and where it will listen.
pub struct Opened {
    pub listener: TcpListener,
    /// Where it listens.
    pub here: String,
    /// Where people reach it.
    pub origin: String,
    pub secret: Secret,
    pub identity: Identity,
    pub worker: Worker,
    /// What a demo has beside.
    pub extra: Router,
}

/// `plays`: whether a stand-in plays the providers that are not set up.
pub async fn open_identity(
    place: &Place,
    plays: bool,
    db: &Db,
    clock: &Clock,
    random: &Random,
    worker: Worker,
) -> Result<Opened, Box<dyn Error>> {
    place.social.check()?;
    let (listener, here) = bind(&place.listen).await?;
    let origin = place.public_url.clone().unwrap_or_else(|| here.clone());
    let secret = place.settings.secret(random)?;
    let stand_in = if plays {
        StandIn::for_missing(&place.social, &here, &origin, clock, random)
    } else {
        None
    };
    let providers = Providers::new(&place.social, &Client::new(), clock, stand_in.as_ref())?;
    let seat = take_seat(place, db, clock, random).await?;
    let worker = worker.on_seat(seat.name());
    let mailer = Mailer::new(&place.mail, place.demo, db, clock.clone(), seat)?;
    let letters_are_kept = matches!(mailer, Mailer::Keep(..));
    // A shop that sends real letters shows nobody's codes at /dev/mail, so it keeps no texts either.
    let texter = Texter::new(&place.sms, letters_are_kept, clock.clone())?;
    let shop_name = place.front.shop_name.clone();
    let sends_texts = !matches!(texter, Texter::Nowhere);
    let stand = Stand { origin: origin.clone(), shop_name, sends_texts };
    let identity = Identity::start(
        db.clone(),
        clock.clone(),
        random.clone(),
        &secret,
        place.identity.clone(),
        stand,
        providers,
    )
    .await?;

    let worker = worker
        .on(mail::SEND, move |posted| mailer.clone().send(posted))
        .on(sms::SEND, move |posted| texter.clone().send(posted));
    let mut extra = Router::new();
    if letters_are_kept {
        extra = extra.merge(dev::router(db.clone()));
    }
    if let Some(stand_in) = stand_in {
        tracing::warn!("demo: anybody can sign in as anybody (/dev/provider plays providers)");
        extra = extra.merge(::identity::stand_in_router(stand_in));
    }
    Ok(Opened { listener, here, origin, secret, identity, worker, extra })
}

/// A seat for this process. What whoever sat there had in hand when it was killed is settled first, and
/// then free.
async fn take_seat(
    place: &Place,
    db: &Db,
    clock: &Clock,
    random: &Random,
) -> Result<Seat, base::Error> {
    let (seat, left) = Seat::take(&place.settings.data_dir, clock, random);
    for seat in left.iter().chain([&seat]) {
        mail::settle(db, clock, seat).await?;
        jobs::free(db, seat.name()).await?;
    }
    Ok(seat)
}
