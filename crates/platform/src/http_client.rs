//! The HTTP client for other servers, which are not trusted: reqwest, with its limits in one place. A request
//! has a timeout, follows no redirect, uses no proxy, and reads a limited number of bytes; where others wrote
//! the URL (SSRF), it reaches public IP addresses only. Errors never contain a query or a body, which may be
//! secret.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{ACCEPT, CACHE_CONTROL};
use axum::http::{HeaderMap, Method, StatusCode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};
use serde_json::Value;
use tokio::net::lookup_host;
use tokio::sync::OnceCell;

use crate::Error;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// Short, so that a request rarely meets a connection that the server is closing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
const MAX_JSON_BYTES: usize = 1 << 20;
const NOT_PUBLIC: &str = "not a public address";

/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct HttpClient {
    clients: Arc<Clients>,
    timeout: Duration,
    /// Whether it connects to public IP addresses only.
    public_only: bool,
}

/// Built with the first request: most shops send none. Only the client for HTTPS needs the system's root
/// certificates, which a small container may not have.
#[derive(Default)]
struct Clients {
    http: OnceCell<Client>,
    https: OnceCell<Client>,
}

/// Why a request failed, with its URL without the query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpClientError {
    /// A 4xx response.
    #[error("{address} answered {status}")]
    Refused { address: String, status: StatusCode },
    /// The server cannot be reached, or its response cannot be used.
    #[error("{address}: {why}")]
    Unavailable { address: String, why: String },
}

pub type HttpResult<T> = Result<T, HttpClientError>;

/// A response with any status.
#[derive(Debug)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

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
        Self { clients: Arc::default(), timeout: DEFAULT_TIMEOUT, public_only: false }
    }

    /// For URLs that others wrote (SSRF): they must not reach this machine, its network, or the cloud's
    /// metadata service.
    pub fn public_only(self) -> Self {
        Self { clients: Arc::default(), public_only: true, ..self }
    }

    /// The timeout is for the whole exchange, including the body.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The JSON at a URL, and its `max-age`.
    pub async fn get_json(&self, url: &str) -> HttpResult<(Value, Option<Duration>)> {
        let (headers, value) = self.send_for_json(Method::GET, url, |request| request).await?;
        Ok((value, max_age(&headers)))
    }

    pub async fn get_json_with_bearer(&self, url: &str, token: &str) -> HttpResult<Value> {
        let answer = self.send_for_json(Method::GET, url, |request| request.bearer_auth(token));
        Ok(answer.await?.1)
    }

    pub async fn post_form(&self, url: &str, fields: &[(&str, &str)]) -> HttpResult<Value> {
        Ok(self.send_for_json(Method::POST, url, |request| request.form(fields)).await?.1)
    }

    /// Posts JSON, and answers the JSON of the response.
    pub async fn post_for_json(&self, url: &str, body: &Value) -> HttpResult<Value> {
        Ok(self.send_for_json(Method::POST, url, |request| request.json(body)).await?.1)
    }

    /// Posts JSON, and ignores the body of the response. The key lets the server recognise a retry.
    pub async fn post_json(
        &self,
        url: &str,
        bearer: Option<&str>,
        idempotency_key: &str,
        body: &Value,
    ) -> HttpResult<()> {
        let fill = |request: RequestBuilder| {
            let request = request.header(ACCEPT, "application/json").json(body);
            let request = request.header("idempotency-key", idempotency_key);
            bearer.into_iter().fold(request, RequestBuilder::bearer_auth)
        };
        self.send(Method::POST, url, MAX_JSON_BYTES, fill).await.map(drop)
    }

    pub async fn get_bytes(&self, url: &str, max_bytes: usize) -> HttpResult<Bytes> {
        Ok(self.send(Method::GET, url, max_bytes, |request| request).await?.1)
    }

    pub async fn put_bytes(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> HttpResult<()> {
        let fill = |request: RequestBuilder| {
            headers
                .iter()
                .fold(request.body(body), |request, (name, value)| request.header(*name, *value))
        };
        self.send(Method::PUT, url, MAX_JSON_BYTES, fill).await.map(drop)
    }

    pub async fn delete(&self, url: &str) -> HttpResult<()> {
        self.send(Method::DELETE, url, MAX_JSON_BYTES, |request| request).await.map(drop)
    }

    async fn send_for_json(
        &self,
        method: Method,
        url: &str,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> HttpResult<(HeaderMap, Value)> {
        let fill = |request: RequestBuilder| fill(request.header(ACCEPT, "application/json"));
        let (headers, bytes) = self.send(method, url, MAX_JSON_BYTES, fill).await?;
        let value = serde_json::from_slice(&bytes).map_err(|_| unavailable(url, "not JSON"))?;
        Ok((headers, value))
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        max_bytes: usize,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> HttpResult<(HeaderMap, Bytes)> {
        let HttpResponse { status, headers, body } =
            self.request(method, url, max_bytes, fill).await?;
        check_status(url, status)?;
        Ok((headers, body))
    }

    /// The response whatever its status, for APIs that explain in the body why they refuse.
    pub async fn exchange(
        &self,
        method: Method,
        url: &str,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> HttpResult<HttpResponse> {
        self.request(method, url, MAX_JSON_BYTES, fill).await
    }

    async fn request(
        &self,
        method: Method,
        url: &str,
        max_bytes: usize,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> HttpResult<HttpResponse> {
        let target = Url::parse(url).map_err(|_| unavailable(url, "not an address"))?;
        if !matches!(target.scheme(), "http" | "https") {
            return Err(unavailable(url, "neither http nor https"));
        }
        // An IP address in the URL is not looked up, so the resolver does not see it.
        let host = target.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if self.public_only && host.parse().is_ok_and(|ip| !is_public(ip)) {
            return Err(unavailable(url, NOT_PUBLIC));
        }
        let client = self.client(target.scheme() == "https").await;
        let client = client.map_err(|why| unavailable(url, &root_cause(why.as_ref())))?;
        let failed = |why: reqwest::Error| {
            if why.is_timeout() {
                return unavailable(url, &format!("no answer within {:?}", self.timeout));
            }
            unavailable(url, &root_cause(&why.without_url()))
        };
        let request = fill(client.request(method, target)).timeout(self.timeout);
        let mut response = request.send().await.map_err(failed)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > max_bytes {
                return Err(unavailable(url, "too long"));
            }
            body.extend_from_slice(&chunk);
        }
        let headers = std::mem::take(response.headers_mut());
        Ok(HttpResponse { status: response.status(), headers, body: body.into() })
    }

    async fn client(&self, https: bool) -> Result<&Client, BoxError> {
        let cell = if https { &self.clients.https } else { &self.clients.http };
        let build = || async {
            let builder = Client::builder()
                .user_agent("haat")
                .redirect(Policy::none())
                // A proxy would look the name up again.
                .no_proxy()
                .pool_idle_timeout(IDLE_TIMEOUT)
                .dns_resolver(Resolver { public_only: self.public_only });
            let builder = if https { builder } else { builder.tls_certs_only([]) };
            // It reads the certificates from the disk.
            Ok(tokio::task::spawn_blocking(|| builder.build()).await??)
        };
        cell.get_or_try_init(build).await
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Answers the IP addresses that the client then connects to: it looks nothing up again.
struct Resolver {
    public_only: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let public_only = self.public_only;
        Box::pin(async move {
            // The client sets the port.
            let found = lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> =
                found.filter(|found| !public_only || is_public(found.ip())).collect();
            if found.is_empty() {
                return Err(NOT_PUBLIC.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn check_status(url: &str, status: StatusCode) -> HttpResult<()> {
    let temporary = [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
    if status.is_success() {
        Ok(())
    } else if status.is_client_error() && !temporary {
        Err(HttpClientError::Refused { address: without_query(url), status })
    } else {
        Err(unavailable(url, &format!("answered {status}")))
    }
}

/// The innermost error, which says what failed. The others only wrap it.
fn root_cause(why: &(dyn std::error::Error + 'static)) -> String {
    std::iter::successors(Some(why), |why| why.source()).last().unwrap_or(why).to_string()
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

fn unavailable(url: &str, why: &str) -> HttpClientError {
    HttpClientError::Unavailable { address: without_query(url), why: why.to_owned() }
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
