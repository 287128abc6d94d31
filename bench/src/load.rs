//! A load that costs little itself: keep-alive connections that send the same request again and again
//! and only count the bytes that come back.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Outcome;

const CONNECTIONS: usize = 32;

pub struct Answer {
    pub content_type: String,
    pub encoding: String,
    pub body: Vec<u8>,
}

fn request(path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\naccept-encoding: gzip, br\r\n\r\n"
    )
}

/// One answer, whole.
pub fn get(address: &str, path: &str) -> Outcome<Answer> {
    ask(address, path, &request(path))
}

/// The same for whoever wants to read it.
pub fn get_plain(address: &str, path: &str) -> Outcome<Vec<u8>> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n");
    Ok(ask(address, path, &request)?.body)
}

fn ask(address: &str, path: &str, request: &str) -> Outcome<Answer> {
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
    Ok(Answer { content_type: header("content-type"), encoding: header("content-encoding"), body })
}

/// What a form or a JSON body is answered.
pub fn post(address: &str, path: &str, content_type: &str, body: &str) -> Outcome<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}"
    )?;
    let (head, answer) = read(&mut stream)?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {head}").into());
    }
    Ok(answer)
}

fn read(stream: &mut TcpStream) -> Outcome<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 64 << 10];
    loop {
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Err("the connection broke off".into());
        }
        bytes.extend_from_slice(&chunk[..count]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.ok_or("an answer without a length")?;
        if bytes.len() >= end + 4 + length {
            return Ok((head, bytes.split_off(end + 4)));
        }
    }
}

/// How many answers a second `CONNECTIONS` clients get, each asking again as soon as it is answered.
pub fn per_second(address: &str, path: &str, time: Duration) -> Outcome<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let request = request(path);
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.as_bytes())?;
    let (head, body) = read(&mut stream)?;
    // Every answer to the same request is as long as the first.
    let length = head.len() + 4 + body.len();
    let count = AtomicU64::new(0);
    let began = Instant::now();
    let client = async || -> std::io::Result<()> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = tokio::net::TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut answer = vec![0; length];
        while began.elapsed() < time {
            stream.write_all(request.as_bytes()).await?;
            stream.read_exact(&mut answer).await?;
            if !answer.starts_with(b"HTTP/1.1 200") {
                return Err(std::io::Error::other("an answer that is not 200"));
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
