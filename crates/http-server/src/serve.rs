//! The HTTP server (hyper): accepts connections, limits their number and their headers, and shuts down
//! gracefully.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use clap::builder::BoolishValueParser;
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use platform::http::ClientIp;
use rustix::process::{Resource, getrlimit, setrlimit};
use socket2::SockRef;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::HttpService;

const MAX_CONNECTIONS: usize = 10_000;
/// File descriptors for the database, the log and so on.
const RESERVED_DESCRIPTORS: usize = 256;
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Four times the middleware's header limit, so that most requests beyond it get an error response.
const READ_BUFFER: usize = 128 << 10;
/// A connection is closed when the browser does not acknowledge data for this long.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Refused connections are logged at most this often.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\
    retry-after: 5\r\ncontent-length: 0\r\n\r\n";

#[derive(Clone, Copy, Debug, clap::Args)]
#[group(id = "listening")]
pub struct HttpSettings {
    /// Trust the X-Forwarded-For header; set it behind a reverse proxy
    #[arg(long, env = "HAAT_TRUST_PROXY", value_parser = BoolishValueParser::new())]
    pub trust_proxy: bool,
    /// Maximum concurrent connections from one IPv4 address or IPv6 /64; 0 for no limit. Ignored with
    /// --trust-proxy, where all connections come from the proxy
    #[arg(long, env = "HAAT_CONNECTIONS_PER_NETWORK", value_name = "N", default_value_t = 512)]
    pub connections_per_network: usize,
}

/// Serves until `stop`, then finishes the requests in flight. With `trust_proxy` the client's address is the one
/// in X-Forwarded-For.
pub fn serve(
    listener: TcpListener,
    settings: HttpSettings,
    service: HttpService,
    stop: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture {
    run(listener, settings, service, Box::pin(stop))
}

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Boxed and not generic, so that it is compiled as part of this crate.
fn run(
    listener: TcpListener,
    settings: HttpSettings,
    service: HttpService,
    stop: BoxFuture,
) -> BoxFuture {
    Box::pin(accept_connections(listener, settings, service, stop))
}

async fn accept_connections(
    listener: TcpListener,
    HttpSettings { trust_proxy, connections_per_network }: HttpSettings,
    service: HttpService,
    mut stop: BoxFuture,
) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(READ_BUFFER);
    let max = max_connections();
    let permits = Arc::new(Semaphore::new(max));
    let max_per_network = match (trust_proxy, connections_per_network) {
        (true, _) | (_, 0) => max,
        // One network never gets all connections.
        (false, max_per_network) => max_per_network.min(max / 2),
    };
    let networks = ConnectionLimiter::new(max_per_network);
    let proxy_warning = Arc::new(Once::new());
    let graceful = GracefulShutdown::new();

    loop {
        let accepted = async {
            let permit = permits.clone().acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(why) => {
                tracing::warn!(%why, "could not accept a connection");
                tokio::task::yield_now().await;
                continue;
            }
        };
        let Some(guard) = networks.acquire(ClientIp(peer.ip()).network()) else {
            let _ = stream.try_write(REFUSAL);
            continue;
        };
        let socket = SockRef::from(&stream);
        let _ = socket.set_tcp_nodelay(true);
        let _ = socket.set_tcp_user_timeout(Some(SEND_TIMEOUT));
        let (handler, proxy_warning) = (service.clone(), proxy_warning.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            if !trust_proxy && request.headers().contains_key(X_FORWARDED_FOR) {
                proxy_warning.call_once(warn_about_proxy);
            }
            let forwarded = trust_proxy.then(|| forwarded_for(request.headers())).flatten();
            request.extensions_mut().insert(ClientIp(forwarded.unwrap_or(peer.ip())));
            handler.clone().handle(request).map(Ok::<_, Infallible>)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            match connection.await {
                Err(why) if why.is_parse() || why.is_parse_too_large() => {
                    tracing::info!(%peer, %why, "invalid HTTP request");
                }
                Err(why) => tracing::debug!(%peer, %why, "connection closed with an error"),
                Ok(()) => {}
            }
            drop((permit, guard));
        });
    }
    drop(listener);
    tracing::info!("stopping: finishing requests in flight");
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

/// Limited by the number of open files, which is first raised to the hard limit.
fn max_connections() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
    let files = getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok());
    files.map_or(MAX_CONNECTIONS, |files| {
        files.saturating_sub(RESERVED_DESCRIPTORS).clamp(16, MAX_CONNECTIONS)
    })
}

fn warn_about_proxy() {
    tracing::warn!(
        "ignored the X-Forwarded-For header of a request. If there is a reverse proxy in front of \
         this server, set trust_proxy: otherwise all visitors count as one and share its limits. \
         (Visitors can send the header too. Logged once.)"
    );
}

/// Limits the concurrent connections per network.
#[derive(Clone)]
struct ConnectionLimiter(Arc<Mutex<ConnectionCounts>>);

struct ConnectionCounts {
    max: usize,
    open: HashMap<String, usize>,
    refused: u64,
    logged_at: Option<Instant>,
}

/// Counts one connection of a network until it is dropped.
struct ConnectionGuard {
    limiter: ConnectionLimiter,
    network: String,
}

impl ConnectionLimiter {
    fn new(max: usize) -> Self {
        let counts = ConnectionCounts { max, open: HashMap::new(), refused: 0, logged_at: None };
        Self(Arc::new(Mutex::new(counts)))
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionCounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` where the network has reached its limit.
    fn acquire(&self, network: String) -> Option<ConnectionGuard> {
        let mut counts = self.lock();
        let max = counts.max;
        let open = counts.open.entry(network.clone()).or_default();
        if *open >= max {
            counts.refuse(&network);
            return None;
        }
        *open += 1;
        drop(counts);
        Some(ConnectionGuard { limiter: self.clone(), network })
    }
}

impl ConnectionCounts {
    fn refuse(&mut self, network: &str) {
        self.refused += 1;
        if self.logged_at.is_none_or(|logged_at| logged_at.elapsed() > LOG_INTERVAL) {
            let (refused, max) = (self.refused, self.max);
            tracing::warn!(network, max, refused, "too many connections of one network");
            (self.logged_at, self.refused) = (Some(Instant::now()), 0);
        }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut counts = self.limiter.lock();
        if let Some(open) = counts.open.get_mut(&self.network) {
            *open -= 1;
            if *open == 0 {
                counts.open.remove(&self.network);
            }
        }
    }
}

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The client's address as the nearest proxy saw it: the last one of the list, because a client can forge the
/// others.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let list = headers.get_all(X_FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    list.rsplit(',').next()?.trim().parse().ok()
}
