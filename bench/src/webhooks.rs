//! Intake of webhooks: signed events of Stripe, each another one, until the shop has stored them. What follows from them
//! is done by jobs meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aws_lc_rs::hmac;
use payment_stand_ins::stripe::WEBHOOK_SECRET;
use platform::{Clock, Random};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::load_shop::LoadShop;
use crate::{BenchResult, ROUNDS, median, percentile};

const TIME: Duration = Duration::from_secs(4);
/// A provider that has much to tell opens many.
const CONNECTIONS: usize = 64;
const PATH: &str = "/webhooks/payments/stripe";

/// Events a second, and how long each waits for its answer.
pub fn measure(shop: &LoadShop) -> BenchResult {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut rates, mut times) = (Vec::new(), Vec::new());
    let sender = Sender::new();
    for _ in 0..ROUNDS {
        runtime.block_on(shop.wait_until_idle())?;
        rates.push(runtime.block_on(sender.round(&shop.address(0), &mut times))?);
    }
    times.sort_by(f64::total_cmp);
    let (half, most) = (percentile(&times, 50), percentile(&times, 99));
    let rate = median(rates);
    println!(
        "  webhooks of Stripe: {rate:.0} a second over {CONNECTIONS} connections, p50 {half:.1} ms, p99 {most:.1} ms"
    );
    Ok(())
}

struct Sender {
    key: hmac::Key,
    clock: Clock,
    /// Of this run, so that no event was seen before.
    run: String,
    count: AtomicUsize,
}

impl Sender {
    fn new() -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, WEBHOOK_SECRET.as_bytes()),
            clock: Clock::system(),
            run: format!("{:016x}", u64::from_le_bytes(Random::system().bytes())),
            count: AtomicUsize::new(0),
        }
    }

    async fn round(&self, address: &str, times: &mut Vec<f64>) -> BenchResult<f64> {
        let (began, all) = (Instant::now(), Mutex::new(Vec::new()));
        let connection = async || -> BenchResult {
            let mut stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let mut own = Vec::new();
            while began.elapsed() < TIME {
                let request = self.request();
                let sent = Instant::now();
                stream.write_all(&request).await?;
                read_answer(&mut stream).await?;
                own.push(sent.elapsed().as_secs_f64() * 1000.0);
            }
            all.lock().map_err(|why| why.to_string())?.extend(own);
            Ok(())
        };
        let connections = (0..CONNECTIONS).map(|_| connection());
        futures_util::future::try_join_all(connections).await?;
        let took = began.elapsed().as_secs_f64();
        let all = all.into_inner().map_err(|why| why.to_string())?;
        times.extend(&all);
        Ok(all.len() as f64 / took)
    }

    /// A session that was paid, as Stripe tells of it.
    fn request(&self) -> Vec<u8> {
        let n = self.count.fetch_add(1, Ordering::Relaxed);
        let seconds = self.clock.now().0.div_euclid(1000);
        let payment = format!("{}{n:010}", self.run);
        let address = format!("https://shop.example/payments/return/{payment}/{}", self.run);
        let event = json!({
            "id": format!("evt_{payment}"), "object": "event", "api_version": "2026-07-29.dahlia",
            "created": seconds, "livemode": false, "pending_webhooks": 1, "type": "checkout.session.completed",
            "request": { "id": null, "idempotency_key": null },
            "data": { "object": {
                "id": format!("cs_{payment}"), "object": "checkout.session", "adaptive_pricing": { "enabled": false },
                "amount_subtotal": 19_000, "amount_total": 19_000, "cancel_url": address, "success_url": address,
                "client_reference_id": payment, "created": seconds, "currency": "usd", "customer": null,
                "customer_email": "buyer@haat.example", "expires_at": seconds + 3600, "livemode": false, "locale": "en",
                "metadata": { "payment": payment, "order": "H-1" }, "mode": "payment",
                "payment_intent": format!("pi_{payment}"), "payment_method_types": ["card"], "payment_status": "paid",
                "status": "complete", "ui_mode": "hosted_page", "url": null,
            } },
        })
        .to_string();
        let tag = hmac::sign(&self.key, format!("{seconds}.{event}").as_bytes());
        let signature: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json; charset=utf-8\r\n\
             stripe-signature: t={seconds},v1={signature}\r\ncontent-length: {}\r\n\r\n{event}",
            event.len()
        )
        .into_bytes()
    }
}

/// The answer has no body.
async fn read_answer(stream: &mut TcpStream) -> BenchResult {
    let (mut answer, mut chunk) = (Vec::new(), [0; 2048]);
    while !answer.ends_with(b"\r\n\r\n") {
        match stream.read(&mut chunk).await? {
            0 => return Err("the connection was closed".into()),
            count => answer.extend_from_slice(&chunk[..count]),
        }
    }
    match answer.starts_with(b"HTTP/1.1 200") {
        true => Ok(()),
        false => Err(format!("a webhook: {}", String::from_utf8_lossy(&answer)).into()),
    }
}
