//! Taking connections: bounded in number, in the size and the time of their headers, and finished
//! politely when the program is told to stop.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use base::http::Peer;
use clap::builder::BoolishValueParser;
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rustix::process::{Resource, getrlimit, setrlimit};
use socket2::SockRef;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

const MOST_CONNECTIONS: usize = 10_000;
/// Descriptors that the database, the log and the rest need beside connections.
const SPARE_DESCRIPTORS: usize = 256;
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Four times what `Door` lets pass, so that most that are too large get an answer in words.
const READ_BUFFER: usize = 128 << 10;
/// A browser that has not taken what was sent by then is gone.
const TAKEN_WITHIN: Duration = Duration::from_secs(30);
const FINISH_WITHIN: Duration = Duration::from_secs(20);

/// How often the log tells of connections that were refused.
const TOLD_EVERY: Duration = Duration::from_secs(60);
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\
    retry-after: 5\r\ncontent-length: 0\r\n\r\n";

/// Whom to believe, and how many connections to take.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(id = "listening")]
pub struct Settings {
    /// Behind a proxy: believe its X-Forwarded-For
    #[arg(long, env = "HAAT_TRUST_PROXY", value_parser = BoolishValueParser::new())]
    pub trust_proxy: bool,
    /// Connections from one IPv4 address or IPv6 /64 at a time; 0 for any number. Not counted with
    /// --trust-proxy, where all come from the proxy
    #[arg(long, env = "HAAT_CONNECTIONS_PER_NETWORK", value_name = "N", default_value_t = 512)]
    pub connections_per_network: usize,
}

/// Serves until `stop`, then lets what is in flight finish. Behind a proxy that is trusted, a request
/// comes from where the proxy says.
pub async fn serve<A, F>(
    listener: TcpListener,
    Settings { trust_proxy, connections_per_network }: Settings,
    answer: A,
    stop: impl Future<Output = ()>,
) where
    A: Fn(Request<Body>) -> F + Clone + Send + 'static,
    F: Future<Output = Response> + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(READ_BUFFER);
    let most = most_connections();
    let room = Arc::new(Semaphore::new(most));
    let most_of_one = match (trust_proxy, connections_per_network) {
        (true, _) | (_, 0) => most,
        // However few there may be in all, no network has them all.
        (false, most_of_one) => most_of_one.min(most / 2),
    };
    let networks = Networks::new(most_of_one);
    let distrusted = Arc::new(Once::new());
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);

    loop {
        let accepted = async {
            let seat = room.clone().acquire_owned().await;
            (seat, listener.accept().await)
        };
        let (seat, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(why) => {
                tracing::warn!(%why, "could not take a connection");
                tokio::task::yield_now().await;
                continue;
            }
        };
        let Some(place) = networks.enter(Peer(peer.ip()).network()) else {
            let _ = stream.try_write(REFUSAL);
            continue;
        };
        let socket = SockRef::from(&stream);
        let _ = socket.set_tcp_nodelay(true);
        let _ = socket.set_tcp_user_timeout(Some(TAKEN_WITHIN));
        let (answer, distrusted) = (answer.clone(), distrusted.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            if !trust_proxy && request.headers().contains_key(X_FORWARDED_FOR) {
                distrusted.call_once(warn_of_proxy);
            }
            let told = trust_proxy.then(|| told_by_proxy(request.headers())).flatten();
            request.extensions_mut().insert(Peer(told.unwrap_or(peer.ip())));
            answer(request).map(Ok::<_, Infallible>)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            match connection.await {
                Err(why) if why.is_parse() || why.is_parse_too_large() => {
                    tracing::info!(%peer, %why, "not a request");
                }
                Err(why) => tracing::debug!(%peer, %why, "a connection broke off"),
                Ok(()) => {}
            }
            drop((seat, place));
        });
    }
    drop(listener);
    tracing::info!("stopping: finishing what is in flight");
    if tokio::time::timeout(FINISH_WITHIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections did not finish in time");
    }
}

/// As many as there may be open files, of which we ask for as many as we are allowed.
fn most_connections() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
    let files = getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok());
    files.map_or(MOST_CONNECTIONS, |files| {
        files.saturating_sub(SPARE_DESCRIPTORS).clamp(16, MOST_CONNECTIONS)
    })
}

fn warn_of_proxy() {
    tracing::warn!(
        "a request came with X-Forwarded-For, which is not believed. If a proxy stands in front of \
         this server, set trust_proxy: else all visitors count as one and share its limits. \
         (Visitors can send the header too. Said once.)"
    );
}

/// Connections counted by the network that they come from.
#[derive(Clone)]
struct Networks(Arc<Mutex<Counts>>);

struct Counts {
    most: usize,
    open: HashMap<String, usize>,
    refused: u64,
    told: Option<Instant>,
}

/// One connection of a network, until it is dropped.
struct Connected {
    networks: Networks,
    network: String,
}

impl Networks {
    fn new(most: usize) -> Self {
        let counts = Counts { most, open: HashMap::new(), refused: 0, told: None };
        Self(Arc::new(Mutex::new(counts)))
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more connection, unless the network has as many as it may have.
    fn enter(&self, network: String) -> Option<Connected> {
        let mut counts = self.lock();
        let most = counts.most;
        let open = counts.open.entry(network.clone()).or_default();
        if *open >= most {
            counts.refuse(&network);
            return None;
        }
        *open += 1;
        drop(counts);
        Some(Connected { networks: self.clone(), network })
    }
}

impl Counts {
    fn refuse(&mut self, network: &str) {
        self.refused += 1;
        if self.told.is_none_or(|told| told.elapsed() > TOLD_EVERY) {
            let (refused, most) = (self.refused, self.most);
            tracing::warn!(network, most, refused, "too many connections of one network");
            (self.told, self.refused) = (Some(Instant::now()), 0);
        }
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut counts = self.networks.lock();
        if let Some(open) = counts.open.get_mut(&self.network) {
            *open -= 1;
            if *open == 0 {
                counts.open.remove(&self.network);
            }
        }
    }
}

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// Where the nearest proxy saw the request come from: the last address of its list, because all before
/// it may be made up by whoever asks.
fn told_by_proxy(headers: &HeaderMap) -> Option<IpAddr> {
    let list = headers.get_all(X_FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    list.rsplit(',').next()?.trim().parse().ok()
}
