//! A cheap load generator: keep-alive connections that repeat one request and only count the bytes of the responses.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::BenchResult;

const CONNECTIONS: usize = 32;

pub struct HttpResponse {
    pub content_type: String,
    pub encoding: String,
    pub body: Vec<u8>,
}

fn request(path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\naccept-encoding: gzip, br\r\n\r\n"
    )
}

pub fn get(address: &str, path: &str) -> BenchResult<HttpResponse> {
    send(address, path, &request(path))
}

/// Without compression.
pub fn get_plain(address: &str, path: &str) -> BenchResult<Vec<u8>> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n");
    Ok(send(address, path, &request)?.body)
}

fn send(address: &str, path: &str, request: &str) -> BenchResult<HttpResponse> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.write_all(request.as_bytes())?;
    let (head, body) = read(&mut stream)?;
    let header = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap_or_default().to_owned()
    };
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {head}").into());
    }
    Ok(HttpResponse {
        content_type: header("content-type"),
        encoding: header("content-encoding"),
        body,
    })
}

pub fn post(address: &str, path: &str, content_type: &str, body: &str) -> BenchResult<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}"
    )?;
    let (head, response) = read(&mut stream)?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {head}").into());
    }
    Ok(response)
}

fn read(stream: &mut TcpStream) -> BenchResult<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 64 << 10];
    loop {
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Err("the connection was closed".into());
        }
        bytes.extend_from_slice(&chunk[..count]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.ok_or("a response without Content-Length")?;
        if bytes.len() >= end + 4 + length {
            return Ok((head, bytes.split_off(end + 4)));
        }
    }
}

/// Responses per second to `CONNECTIONS` clients, each sending its next request after a response.
pub fn per_second(address: &str, path: &str, time: Duration) -> BenchResult<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let request = request(path);
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.as_bytes())?;
    let (head, body) = read(&mut stream)?;
    // All responses to one request have the same length.
    let length = head.len() + 4 + body.len();
    let count = AtomicU64::new(0);
    let began = Instant::now();
    let client = async || -> std::io::Result<()> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = tokio::net::TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut response = vec![0; length];
        while began.elapsed() < time {
            stream.write_all(request.as_bytes()).await?;
            stream.read_exact(&mut response).await?;
            if !response.starts_with(b"HTTP/1.1 200") {
                return Err(std::io::Error::other("a response that is not 200"));
            }
            count.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    };
    runtime.block_on(async {
        let clients = (0..CONNECTIONS).map(|_| client());
        futures_util::future::try_join_all(clients).await
    })?;
    Ok(count.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64())
}
