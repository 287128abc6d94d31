use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Form, Json, RawQuery};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use futures_util::stream::{self, StreamExt};
use platform::Error;
use platform::http_client::{HttpClient, HttpClientError};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

async fn serve(routes: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

fn chunk() -> Result<Bytes, Infallible> {
    Ok(Bytes::from_static(&[b' '; 10_000]))
}

/// A server with one route for each kind of response.
async fn server() -> String {
    let echo = |headers: HeaderMap, body: Value| {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        json!({
            "authorization": header(AUTHORIZATION.as_str()),
            "key": header("idempotency-key"),
            "host": header("host"),
            "body": body,
        })
    };
    let routes = Router::new()
        .route(
            "/json",
            get(move |headers: HeaderMap, RawQuery(query): RawQuery| async move {
                ([(CACHE_CONTROL, "public, max-age=60")], Json(echo(headers, json!(query))))
            }),
        )
        .route(
            "/form",
            post(move |headers: HeaderMap, Form(fields): Form<Vec<(String, String)>>| async move {
                Json(echo(headers, json!(fields)))
            }),
        )
        .route(
            "/hook",
            post(|headers: HeaderMap, Json(body): Json<Value>| async move {
                let right = headers["authorization"] == "Bearer token"
                    && headers["idempotency-key"] == "event-1"
                    && body == json!({ "a": 1 });
                if right { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST }
            }),
        )
        .route("/html", get(|| async { "<h1>secret</h1>" }))
        .route("/moved", get(|| async { (StatusCode::FOUND, [(LOCATION, "/json")]) }))
        .route("/refused", get(|| async { (StatusCode::UNAUTHORIZED, "secret") }))
        .route("/busy", get(|| async { (StatusCode::TOO_MANY_REQUESTS, "secret") }))
        .route("/broken", get(|| async { (StatusCode::BAD_GATEWAY, "secret") }))
        .route("/long", get(|| async { format!("\"{}\"", "x".repeat(1 << 20)) }))
        .route("/endless", get(|| async { Body::from_stream(stream::repeat(chunk())) }))
        .route("/never", get(std::future::pending::<&str>))
        .route(
            "/half",
            get(|| async { Body::from_stream(stream::iter([chunk()]).chain(stream::pending())) }),
        );
    format!("http://{}", serve(routes).await)
}

#[tokio::test]
async fn requests_and_responses_are_complete() {
    let (server, client) = (server().await, HttpClient::new());
    let (answer, max_age) = client.get_json(&format!("{server}/json?a=b%20c")).await.unwrap();
    assert_eq!(answer["body"], "a=b%20c");
    assert_eq!(format!("http://{}", answer["host"].as_str().unwrap()), server);
    assert_eq!(max_age, Some(Duration::from_secs(60)));

    let answer = client.get_json_with_bearer(&format!("{server}/json"), "token").await.unwrap();
    assert_eq!(answer["authorization"], "Bearer token");
    let fields = [("code", "a&b=c"), ("name", "à")];
    let answer = client.post_form(&format!("{server}/form"), &fields).await.unwrap();
    assert_eq!(answer["body"], json!([["code", "a&b=c"], ["name", "à"]]));
    let hook = format!("{server}/hook");
    client.post_json(&hook, Some("token"), "event-1", &json!({ "a": 1 })).await.unwrap();
    let refused = client.post_json(&hook, Some("other"), "event-1", &json!({ "a": 1 })).await;
    assert!(matches!(
        refused,
        Err(HttpClientError::Refused { status: StatusCode::BAD_REQUEST, .. })
    ));
}

#[tokio::test]
async fn errors_contain_no_secrets() {
    let server = server().await;
    let client = HttpClient::new();
    let impatient = HttpClient::new().with_timeout(Duration::from_millis(500));
    // Bound, so that nobody else gets the port, but without a listener.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let unused = format!("http://{}", socket.local_addr().unwrap());
    let over_tls = server.replace("http:", "https:");
    for (url, words) in [
        (format!("{server}/html"), "not JSON"),
        (format!("{server}/moved"), "302"),
        (format!("{server}/busy"), "429"),
        (format!("{server}/broken"), "502"),
        (format!("{server}/long"), "too long"),
        (format!("{server}/endless"), "too long"),
        (format!("{server}/never"), "within 500ms"),
        (format!("{server}/half"), "within 500ms"),
        (format!("{unused}/json"), "refused"),
        (format!("{over_tls}/json"), "/json: "),
        ("ftp://127.0.0.1/".into(), "neither http nor https"),
        ("/json".into(), "without a scheme"),
        ("http://a b/".into(), "not an address"),
    ] {
        // Only what never ends is given up early: a busy machine may take long for the others.
        let client = if words.starts_with("within") { &impatient } else { &client };
        let failure = client.get_json(&format!("{url}?token=secret")).await.unwrap_err();
        assert!(matches!(failure, HttpClientError::Unavailable { .. }), "{url}: {failure:?}");
        let message = failure.to_string();
        assert!(message.contains(words), "{url}: {message}");
        assert!(!format!("{failure:?}").contains("secret"), "{failure:?}");
        assert!(matches!(Error::from(failure), Error::Unavailable(_)));
    }
    let refused = client.get_json(&format!("{server}/refused?token=secret")).await.unwrap_err();
    let (address, status) = (format!("{server}/refused"), StatusCode::UNAUTHORIZED);
    assert_eq!(refused, HttpClientError::Refused { address, status });
    let bad = client.get_json_with_bearer(&format!("{server}/json"), "secret\n").await;
    assert!(!bad.unwrap_err().to_string().contains("secret"));
}

#[tokio::test]
async fn urls_of_others_reach_only_public_addresses() {
    let (server, client) = (server().await, HttpClient::new());
    let port = server.rsplit_once(':').unwrap().1;
    let url = |host: &str| format!("http://{host}:{port}/json");
    for host in ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost"] {
        client.get_json(&url(host)).await.unwrap();
    }
    let client = client.public_only();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "LocalHost",
        "user:secret@127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
    ] {
        let failure = client.get_json(&url(host)).await.unwrap_err().to_string();
        assert!(failure.ends_with(": not a public address"), "{host}: {failure}");
        assert!(!failure.contains("secret"), "{failure}");
    }
}

#[tokio::test]
async fn an_untrusted_certificate_is_rejected() {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        TlsAcceptor::from(Arc::new(config)).accept(stream).await
    });
    let failure = HttpClient::new().get_json(&address).await.unwrap_err().to_string();
    assert!(failure.contains("certificate") || failure.contains("root"), "{failure}");
}
