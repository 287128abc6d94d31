//! The HTTP client for other servers, which are not trusted: each request is a new connection with a
//! timeout, follows no redirect, and reads a limited number of bytes. Errors never contain a query or a
//! body, which may be secret.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HOST, USER_AGENT};
use axum::http::request::Builder;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::Error;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_JSON_BYTES: usize = 1 << 20;

/// Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    /// Created with the first HTTPS request: most shops send none.
    tls: Arc<OnceCell<TlsConnector>>,
    timeout: Duration,
    /// Whether it connects to public IP addresses only.
    public_only: bool,
}

/// Why a request failed, with its URL without the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpClientError {
    /// A 4xx response.
    Refused { address: String, status: StatusCode },
    /// The server cannot be reached, or its response cannot be used.
    Unavailable { address: String, why: String },
}

pub type HttpResult<T> = Result<T, HttpClientError>;
type Response = (HeaderMap, Bytes);

impl fmt::Display for HttpClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { address, status } => write!(f, "{address} answered {status}"),
            Self::Unavailable { address, why } => write!(f, "{address}: {why}"),
        }
    }
}

impl std::error::Error for HttpClientError {}

impl From<HttpClientError> for Error {
    fn from(why: HttpClientError) -> Self {
        Self::Unavailable(why.into())
    }
}

impl Default for HttpClient {
    fn default() -> Self {
        Self::new()
    }
}

impl HttpClient {
    pub fn new() -> Self {
        Self { tls: Arc::default(), timeout: DEFAULT_TIMEOUT, public_only: false }
    }

    /// For URLs that others wrote (SSRF): they must not reach this machine, its network, or the cloud's
    /// metadata service.
    pub fn public_only(self) -> Self {
        Self { public_only: true, ..self }
    }

    /// The timeout is for the whole exchange, including the body.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The JSON at a URL, and its `max-age`.
    pub async fn get_json(&self, url: &str) -> HttpResult<(Value, Option<Duration>)> {
        let (headers, value) = self.send_for_json(url, Request::get(url), Bytes::new()).await?;
        Ok((value, max_age(&headers)))
    }

    pub async fn get_json_with_bearer(&self, url: &str, token: &str) -> HttpResult<Value> {
        let request = Request::get(url).header(AUTHORIZATION, format!("Bearer {token}"));
        Ok(self.send_for_json(url, request, Bytes::new()).await?.1)
    }

    pub async fn post_form(&self, url: &str, fields: &[(&str, &str)]) -> HttpResult<Value> {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        Ok(self.send_for_json(url, request, form.into()).await?.1)
    }

    /// Posts JSON, and answers the JSON of the response.
    pub async fn post_for_json(&self, url: &str, body: &Value) -> HttpResult<Value> {
        let request = Request::post(url).header(CONTENT_TYPE, "application/json");
        Ok(self.send_for_json(url, request, body.to_string().into()).await?.1)
    }

    /// Posts JSON, and ignores the body of the response. The key lets the server recognise a retry.
    pub async fn post_json(
        &self,
        url: &str,
        bearer: Option<&str>,
        idempotency_key: &str,
        body: &Value,
    ) -> HttpResult<()> {
        let mut request = Request::post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", idempotency_key);
        if let Some(token) = bearer {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        self.send(url, request, body.to_string().into()).await.map(drop)
    }

    pub async fn get_bytes(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        max_bytes: usize,
    ) -> HttpResult<Bytes> {
        let request = with_headers(Request::get(url), headers);
        Ok(self.transfer(url, request, Bytes::new(), max_bytes).await?.1)
    }

    pub async fn put_bytes(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Bytes,
    ) -> HttpResult<()> {
        let request = with_headers(Request::put(url), headers);
        self.transfer(url, request, body, MAX_JSON_BYTES).await.map(drop)
    }

    pub async fn delete(&self, url: &str, headers: &[(&'static str, String)]) -> HttpResult<()> {
        let request = with_headers(Request::delete(url), headers);
        self.transfer(url, request, Bytes::new(), MAX_JSON_BYTES).await.map(drop)
    }

    async fn send_for_json(
        &self,
        url: &str,
        request: Builder,
        body: Bytes,
    ) -> HttpResult<(HeaderMap, Value)> {
        let (headers, bytes) = self.send(url, request, body).await?;
        let value = serde_json::from_slice(&bytes).map_err(|_| unavailable(url, "not JSON"))?;
        Ok((headers, value))
    }

    async fn send(&self, url: &str, request: Builder, body: Bytes) -> HttpResult<Response> {
        let request = request.header(ACCEPT, "application/json");
        self.transfer(url, request, body, MAX_JSON_BYTES).await
    }

    async fn transfer(
        &self,
        url: &str,
        request: Builder,
        body: Bytes,
        max_bytes: usize,
    ) -> HttpResult<Response> {
        let request = request
            .header(USER_AGENT, "haat")
            .body(Full::new(body))
            .map_err(|_| unavailable(url, "not an address, or not a header"))?;
        let late = || unavailable(url, &format!("no answer within {:?}", self.timeout));
        tokio::time::timeout(self.timeout, self.exchange(url, request, max_bytes))
            .await
            .map_err(|_| late())?
    }

    async fn exchange(
        &self,
        url: &str,
        mut request: Request<Full<Bytes>>,
        max_bytes: usize,
    ) -> HttpResult<Response> {
        let address = request.uri().clone();
        let host = address.host().ok_or_else(|| unavailable(url, "not an absolute URL"))?;
        let over_tls = match address.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(unavailable(url, "neither http nor https")),
        };
        // The request line has the path only, the Host header the name.
        let name = address.authority().map_or(host, |authority| authority.as_str());
        let name = name.rsplit_once('@').map_or(name, |(_, name)| name);
        let name = HeaderValue::try_from(name).map_err(|_| unavailable(url, "not a name"))?;
        request.headers_mut().insert(HOST, name);
        let path = address.path_and_query().map_or("/", |path| path.as_str());
        *request.uri_mut() = path.parse::<Uri>().map_err(|_| unavailable(url, "not an address"))?;

        let port = address.port_u16().unwrap_or(if over_tls { 443 } else { 80 });
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let stream = self.connect(url, host, port).await?;
        if !over_tls {
            return send_request(url, stream, request, max_bytes).await;
        }
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|_| unavailable(url, "not a name that a certificate can have"))?;
        let tls = self.tls.get_or_try_init(connector).await.map_err(|why| failed(url, &why))?;
        let stream = tls.connect(name, stream).await.map_err(|why| failed(url, &why))?;
        send_request(url, stream, request, max_bytes).await
    }

    /// Connects to the IP addresses that were checked: a second lookup of the name could answer others.
    async fn connect(&self, url: &str, host: &str, port: u16) -> HttpResult<TcpStream> {
        let found = lookup_host((host, port)).await.map_err(|why| failed(url, &why))?;
        let found: Vec<SocketAddr> =
            found.filter(|found| !self.public_only || is_public(found.ip())).collect();
        if found.is_empty() {
            return Err(unavailable(url, "not a public address"));
        }
        TcpStream::connect(&found[..]).await.map_err(|why| failed(url, &why))
    }
}

/// Whether an IP address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => {
            let parts = address.segments();
            // IPv4 inside IPv6: NAT64 and 6to4.
            let inner = |high: u16, low: u16| {
                let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
                is_public_v4(Ipv4Addr::new(a, b, c, d))
            };
            match parts {
                [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => inner(high, low),
                // Teredo, protocol assignments, documentation.
                [0x2001, 0..=0x1ff | 0xdb8, ..] => false,
                // Global unicast.
                [first, ..] => first & 0xe000 == 0x2000,
            }
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        [0 | 10 | 127 | 224..=255, ..] => true,
        // Carrier-grade NAT, also one cloud's metadata service.
        [100, 64..=127, ..] => true,
        // Link-local, also most clouds' metadata services.
        [169, 254, ..] => true,
        [172, 16..=31, ..] | [192, 168, ..] | [192, 0, 0, _] => true,
        // Documentation and benchmarking.
        [192, 0, 2, _] | [198, 18..=19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Azure's platform services.
        [168, 63, 129, 16] => true,
        _ => false,
    };
    !special
}

/// Uses the system's root certificates.
async fn connector() -> Result<TlsConnector, Box<dyn std::error::Error + Send + Sync>> {
    let load = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs);
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(load.await?.certs);
    if roots.is_empty() {
        return Err("the system has no root certificates (Debian's package ca-certificates)".into());
    }
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn send_request(
    url: &str,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
    max_bytes: usize,
) -> HttpResult<Response> {
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|why| failed(url, &why))?;
    let answer = async {
        let response = sender.send_request(request).await.map_err(|why| failed(url, &why))?;
        let (parts, body) = response.into_parts();
        let status = parts.status;
        match status {
            _ if status.is_success() => {}
            // Temporary, although they are 4xx.
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
                return Err(unavailable(url, &format!("answered {status}")));
            }
            _ if status.is_client_error() => {
                return Err(HttpClientError::Refused { address: without_query(url), status });
            }
            _ => return Err(unavailable(url, &format!("answered {status}"))),
        }
        let read = Limited::new(body, max_bytes).collect().await;
        let body = read.map_err(|_| unavailable(url, "too long, or broken off"))?;
        Ok((parts.headers, body.to_bytes()))
    };
    // hyper's connection makes progress only while it is polled.
    tokio::pin!(answer);
    tokio::select! {
        answer = &mut answer => answer,
        ended = connection => match ended {
            Ok(()) => answer.await,
            Err(why) => Err(failed(url, &why)),
        },
    }
}

fn with_headers(request: Builder, headers: &[(&'static str, String)]) -> Builder {
    headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
}

fn unavailable(url: &str, why: &str) -> HttpClientError {
    HttpClientError::Unavailable { address: without_query(url), why: why.to_owned() }
}

/// Only for errors of connections, which contain no path and no content.
fn failed(url: &str, why: &dyn fmt::Display) -> HttpClientError {
    unavailable(url, &why.to_string())
}

/// The URL without what may be secret: the query, and user and password before an `@`.
fn without_query(url: &str) -> String {
    let address = url.split(['?', '#']).next().unwrap_or_default();
    match address.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').map_or((rest, None), |(h, p)| (h, Some(p)));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            path.map_or(format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
        }
        None => "an address without a scheme".to_owned(),
    }
}

/// The `max-age` of `Cache-Control`.
fn max_age(headers: &HeaderMap) -> Option<Duration> {
    let directives =
        headers.get_all(CACHE_CONTROL).into_iter().filter_map(|line| line.to_str().ok());
    let mut directives = directives.flat_map(|line| line.split(',')).map(str::trim);
    let seconds = directives.find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        name.eq_ignore_ascii_case("max-age").then(|| value.trim_matches('"').parse().ok())?
    });
    seconds.map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_contain_no_secrets() {
        for (url, shown) in [
            ("https://a.example/b/c?token=secret#secret", "https://a.example/b/c"),
            ("https://user:secret@a.example", "https://a.example"),
            ("secret", "an address without a scheme"),
        ] {
            assert_eq!(without_query(url), shown);
        }
    }

    #[test]
    fn only_internet_addresses_are_public() {
        for address in ["93.184.216.34", "100.128.0.1", "172.32.0.1", "2606:2800:220:1::1"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.100.100.200",
            "127.0.0.1",
            "168.63.129.16",
            "169.254.169.254",
            "172.31.255.255",
            "192.168.0.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2001:0:1::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "fd00:ec2::254",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn max_age_is_read_from_cache_control() {
        for (line, seconds) in [
            ("public, max-age=19845, must-revalidate", Some(19845)),
            ("Max-Age=\"5\"", Some(5)),
            ("no-store", None),
            ("max-age=soon", None),
            ("s-maxage=5", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CACHE_CONTROL, line.parse().unwrap());
            assert_eq!(max_age(&headers), seconds.map(Duration::from_secs), "{line}");
        }
    }
}
