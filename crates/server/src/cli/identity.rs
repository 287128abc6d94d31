//! `haat identity`: runs the identity service without the shop, or the emulator.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::IpAddr;

use ::identity::emulator::Projects;
use ::identity::{AccountDeleted, DemoProvider, Identity, Providers, Site};
use axum::Router;
use axum::http::Uri;
use email::sms::{SendText, SmsSender};
use email::{DiscardEmail, Mailer, SendEmail};
use http_server::{HttpService, ServiceSettings};
use platform::http_client::HttpClient;
use platform::jobs::Worker;
use platform::secret::Secret;
use platform::{Clock, Db, Language, Random};
use server::dev_mailbox;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::{CommandResult, ServerOptions, init_logging, open_db, shutdown_signal};

/// The emulator's default project. With the prefix demo- Google's tools use no real resources either.
const DEMO_PROJECT: &str = "demo-haat";

#[derive(clap::Args)]
pub struct IdentityServer {
    /// Behave like Google's auth emulator: check no credentials and store nothing. For tests only
    #[arg(long)]
    emulator: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub async fn serve(options: IdentityServer) -> CommandResult {
    let IdentityServer { server, emulator } = options;
    let server = server.with_defaults()?;
    if emulator {
        return serve_emulator(server).await;
    }
    let (db, clock, random) = open_db(&server.settings).await?;
    let worker = Worker::new(db.clone(), clock.clone(), random.clone());
    let parts =
        open_identity(&server, BTreeMap::new(), server.demo, &db, &clock, &random, worker).await?;
    let IdentityParts { listener, here, origin, identity, worker, extra, .. } = parts;
    // Without a shop there is no customer data to erase.
    let worker = worker.register::<AccountDeleted>(Box::new(|_| Box::pin(async { Ok(()) })));
    let mut background = JoinSet::new();
    let working = worker.start();
    background.spawn(identity.clone().run_key_rotation());
    let pages = ::identity::email_action_router(identity.clone());
    let routes = ::identity::router(identity).merge(pages).merge(extra);
    let hosts = server.demo.then(|| server.allowed_hosts(&origin));
    let over_tls = origin.starts_with("https:");
    let settings = ServiceSettings { over_tls, hosts, ..ServiceSettings::default() };
    let service = HttpService::new(routes, settings, &random);
    let stop = shutdown_signal()?;
    print_line!("Haat identity is open at {here}");
    http_server::serve(listener, server.http, service, stop).await;
    working.shut_down().await;
    background.shutdown().await;
    db.close().await;
    Ok(())
}

async fn serve_emulator(server: ServerOptions) -> CommandResult {
    init_logging(&server.settings)?;
    let folder = tempfile::tempdir()?;
    let (clock, random) = (Clock::movable(), Random::system());
    let (listener, here) = bind(&server.listen).await?;
    let origin = server.public_url.clone().unwrap_or_else(|| here.clone());
    let hosts = Some(server.allowed_hosts(&origin));
    let languages = server.languages()?;
    let mut settings = server.identity;
    if settings.project_id == ::identity::DEFAULT_PROJECT {
        settings.project_id = DEMO_PROJECT.into();
    }
    // The emulator accepts any key; this one is used in links.
    settings.api_key = "fake-api-key".into();
    let shop_name = server.front.shop_name;
    let translated_names = BTreeMap::new();
    let site = Site { origin, shop_name, translated_names, languages, sends_sms: true };
    let projects = Projects::new(folder.path().to_owned(), clock, random.clone(), settings, site);
    projects.default_project().await?;
    let routes = ::identity::emulator_router(projects);
    let settings = ServiceSettings { hosts, ..ServiceSettings::default() };
    let service = HttpService::new(routes, settings, &random);
    let stop = shutdown_signal()?;
    print_line!("Haat identity is open at {here}");
    http_server::serve(listener, server.http, service, stop).await;
    Ok(())
}

pub async fn bind(listen: &str) -> Result<(TcpListener, String), Box<dyn Error>> {
    let listener = TcpListener::bind(listen).await.map_err(|why| format!("{listen}: {why}"))?;
    let here = format!("http://{}", listener.local_addr()?);
    Ok((listener, here))
}

/// The identity service with its worker and listener.
pub struct IdentityParts {
    pub listener: TcpListener,
    pub here: String,
    pub origin: String,
    pub secret: Secret,
    pub identity: Identity,
    pub sends_sms: bool,
    pub worker: Worker,
    pub extra: Router,
}

/// `demo_providers`: whether demo providers replace the social providers that are not configured.
pub async fn open_identity(
    server: &ServerOptions,
    translated_names: BTreeMap<Language, String>,
    demo_providers: bool,
    db: &Db,
    clock: &Clock,
    random: &Random,
    worker: Worker,
) -> Result<IdentityParts, Box<dyn Error>> {
    server.social.check()?;
    let (listener, here) = bind(&server.listen).await?;
    let origin = server.public_url.clone().unwrap_or_else(|| here.clone());
    let secret = server.settings.secret(random)?;
    let demo_provider = if demo_providers {
        DemoProvider::for_unconfigured(&server.social, &here, &origin, clock, random)
    } else {
        None
    };
    let is_private = is_private(listener.local_addr()?.ip(), &origin);
    check_demo(server, is_private, demo_provider.is_some())?;
    let providers =
        Providers::new(&server.social, &HttpClient::new(), clock, demo_provider.as_ref())?;
    let mailer = Mailer::new(&server.mail, server.demo, db, clock.clone())?;
    let has_dev_mailbox = matches!(mailer, Mailer::DevMailbox(..));
    // With a real mail server there is no /dev/mail, so text messages are not stored there either.
    let texter = SmsSender::new(&server.sms, has_dev_mailbox, clock.clone())?;
    let shop_name = server.front.shop_name.clone();
    let sends_sms = !matches!(texter, SmsSender::Unconfigured);
    let languages = server.languages()?;
    let site = Site { origin: origin.clone(), shop_name, translated_names, languages, sends_sms };
    let identity = Identity::start(
        db.clone(),
        clock.clone(),
        random.clone(),
        &secret,
        server.identity.clone(),
        site,
        providers,
    )
    .await?;

    let worker = worker
        .register::<SendEmail>(mailer)
        .register::<DiscardEmail>(())
        .register::<SendText>(texter)
        .every(identity.delete_expired(server.account_retention()));
    let mut extra = Router::new();
    if has_dev_mailbox {
        extra = extra.merge(dev_mailbox::router(db.clone()));
    }
    if let Some(provider) = demo_provider {
        tracing::warn!("demo: anyone can sign in as anyone (/dev/provider)");
        extra = extra.merge(::identity::demo_provider_router(provider));
    }
    Ok(IdentityParts { listener, here, origin, secret, identity, sends_sms, worker, extra })
}

/// Whether only this machine can reach the server: both its listener and its public URL are on loopback.
fn is_private(listens_at: IpAddr, origin: &str) -> bool {
    let uri: Option<Uri> = origin.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    let is_loopback = host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    listens_at.is_loopback() && is_loopback
}

/// A demo shows its e-mails with their codes, and its demo providers allow anyone to sign in as anyone. Neither may be
/// reachable from outside, and demo providers must not open accounts of people who get real e-mails.
fn check_demo(server: &ServerOptions, is_private: bool, has_providers: bool) -> Result<(), String> {
    let sends = server.mail.smtp_host.is_some();
    if has_providers && (sends || !is_private) {
        return Err("demo: with the demo providers for Google and Facebook anyone can sign in as anyone, so they run \
                    only on a loopback address (listen, public_url) and without a mail server (smtp_host). Set \
                    google_client_id and facebook_app_id as well, or leave out demo"
            .into());
    }
    if server.demo && !sends && !is_private {
        return Err("demo: without a mail server (smtp_host) all e-mails are shown at /dev/mail, so the shop must be on \
                    a loopback address (listen, public_url)"
            .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_private_if_its_listener_and_public_url_are_on_loopback() {
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
