//! Taking connections: bounded in number, in the size and the time of their headers, and finished
//! politely when the program is told to stop.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::door::Door;

const MOST_CONNECTIONS: usize = 10_000;
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Twice what `Door` lets pass, so that most that are too large get an answer in words.
const READ_BUFFER: usize = 128 << 10;
const FINISH_WITHIN: Duration = Duration::from_secs(20);

/// Serves until `stop`, then lets what is in flight finish.
pub async fn serve(listener: TcpListener, door: Door, stop: impl Future<Output = ()>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_buf_size(READ_BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(READ_BUFFER as u32)
        .max_concurrent_streams(128)
        .keep_alive_interval(Some(Duration::from_secs(30)));
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);

    loop {
        let Ok(seat) = room.clone().acquire_owned().await else { break };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(why) => {
                    // Out of file descriptors, mostly: others will close theirs.
                    tracing::warn!(%why, "could not take a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let _ = stream.set_nodelay(true);
        let door = door.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let door = door.clone();
            async move { Ok::<_, Infallible>(door.answer(request.map(Body::new)).await) }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection.into_owned());
        tokio::spawn(async move {
            if let Err(why) = connection.await {
                tracing::debug!(why, "a connection broke off");
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
