//! `haat identity`: the identity service without the shop, and the emulator.

use std::error::Error;
use std::net::IpAddr;

use ::identity::emulator::Projects;
use ::identity::{DELETED, Deleted, Identity, Place as Stand, Providers, StandIn};
use axum::Router;
use axum::http::Uri;
use base::client::Client;
use base::jobs::{self, Worker};
use base::mail::{self, Mailer};
use base::seat::Seat;
use base::secret::Secret;
use base::sms::{self, Texter};
use base::{Clock, Db, Random};
use server::door::PlainDoor;
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
    let hosts = place.demo.then(|| place.hosts(&origin));
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
    let origin = place.public_url.clone().unwrap_or_else(|| here.clone());
    let hosts = Some(place.hosts(&origin));
    let mut settings = place.identity;
    if settings.project_id == ::identity::DEFAULT_PROJECT {
        settings.project_id = DEMO_PROJECT.into();
    }
    // Any key is good here; this one stands in the links.
    settings.api_key = "fake-api-key".into();
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
    let is_private = is_private(listener.local_addr()?.ip(), &origin);
    accept_demo(place, is_private, stand_in.is_some())?;
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
        .on(mail::DISCARD, |_: mail::Posted| async { Ok(()) })
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

/// Whether only this machine reaches the program: it listens on loopback, and so do its links lead.
fn is_private(listens_at: IpAddr, origin: &str) -> bool {
    let uri: Option<Uri> = origin.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    let is_loopback = host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    listens_at.is_loopback() && is_loopback
}

/// A demo shows everybody its e-mails with their codes, and its stand-ins let anybody in as anybody.
/// Strangers must reach neither, and stand-ins must not open the accounts of people who get real e-mails.
fn accept_demo(place: &Place, is_private: bool, has_stand_ins: bool) -> Result<(), String> {
    let sends = place.mail.smtp_host.is_some();
    if has_stand_ins && (sends || !is_private) {
        return Err("demo: the stand-ins for Google and Facebook let anybody in as anybody, so they run only on \
                    a loopback address (listen, public_url) and without a mail server (smtp_host). Set up \
                    google_client_id and facebook_app_id as well, or leave out demo"
            .into());
    }
    if place.demo && !sends && !is_private {
        return Err("demo: without a mail server (smtp_host) everybody's e-mails are shown at /dev/mail, so the \
                    shop must be on a loopback address (listen, public_url)"
            .into());
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_private_where_it_listens_and_is_reached_on_loopback() {
        let (here, all) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0]));
        for origin in ["http://127.0.0.1:8080", "http://localhost:3000", "http://[::1]:80"] {
            assert!(is_private(here, origin) && !is_private(all, origin), "{origin}");
        }
        for origin in ["https://shop.example", "http://10.0.0.1:80", "http://localhost.example", ""]
        {
            assert!(!is_private(here, origin), "{origin}");
        }
    }
}
