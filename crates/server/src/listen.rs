//! Taking connections: bounded in number, in the size and the time of their headers, and finished
//! politely when the program is told to stop.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use base::http::Peer;
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

/// Serves until `stop`, then lets what is in flight finish. Behind a proxy that is trusted, a request
/// comes from where the proxy says.
pub async fn serve<A, F>(
    listener: TcpListener,
    trust_proxy: bool,
    answer: A,
    stop: impl Future<Output = ()>,
) where
    A: Fn(Request<Body>) -> F + Clone + Send + 'static,
    F: Future<Output = Response> + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(READ_BUFFER);
    let room = Arc::new(Semaphore::new(most_connections()));
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
        let socket = SockRef::from(&stream);
        let _ = socket.set_tcp_nodelay(true);
        let _ = socket.set_tcp_user_timeout(Some(TAKEN_WITHIN));
        let answer = answer.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
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
            drop(seat);
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

/// Where the nearest proxy saw the request come from: the last address of its list, because all before
/// it may be made up by whoever asks.
fn told_by_proxy(headers: &HeaderMap) -> Option<IpAddr> {
    let list = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    list.rsplit(',').next()?.trim().parse().ok()
}
