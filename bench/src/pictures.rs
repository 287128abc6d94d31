//! Pictures: requests per second of a cached one, sizes encoded per second compared with the bare encoders, and how a
//! flood of new sizes slows down the pages.

use std::io::BufWriter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use media::{self, Size};
use picture::Master;

use crate::process::{self, ShopProcess};
use crate::{BenchResult, compare, load, median};

const PICTURES: usize = 10;
const SIZES: [&str; 5] = ["320.webp", "640.webp", "800.webp", "640.avif", "800.avif"];
const CLIENTS: usize = 200;
const PAGE: &str = "/product/pictured-0";

pub fn measure(dir: &Path) -> BenchResult {
    let data = dir.join("pictured");
    write_catalog(dir)?;
    process::run(&data, &["import", &dir.join("pictured.json").to_string_lossy()])?;
    let addresses = addresses(&data)?;

    println!("\n{:<28} {:>10} {:>10} {:>7}", "", "haat", "bare axum", "ratio");
    {
        let shop = ShopProcess::open(&data, &[])?;
        let path = addresses[0].replace("1200.jpg", "800.webp");
        load::get(&shop.address, &path)?;
        for (name, from) in [("cached, vs. file", "disk"), ("cached, vs. memory", "memory")] {
            let (haat, bare) = compare(&shop, &path, from)?;
            println!("picture {name:<20} {haat:>10.0} {bare:>10.0} {:>7.2}", haat / bare);
        }
    }
    std::fs::remove_dir_all(data.join("media/made"))?;

    // Cached pages, and pages that are rendered each time.
    for (name, options) in [("cached", &[][..]), ("rendered", &["--page-cache", "0"])] {
        let shop = ShopProcess::open(&data, options)?;
        load::get(&shop.address, PAGE)?;
        let quiet = latencies(&shop, &AtomicBool::new(false), Duration::from_secs(3))?;
        let flooded = flood(&shop, &addresses)?;
        let ratio = |of: fn(&mut Vec<f64>) -> f64| {
            let (quiet, loud) = (of(&mut quiet.clone()), of(&mut flooded.pages.clone()));
            format!("{quiet:.1} → {loud:.1} ms, {:.2} ×", loud / quiet)
        };
        println!(
            "{CLIENTS} requests for {} new sizes, latency of {name} pages: median {}, p95 {}",
            PICTURES * SIZES.len(),
            ratio(|times| median(std::mem::take(times))),
            ratio(|times| {
                times.sort_by(f64::total_cmp);
                times[times.len() * 95 / 100]
            })
        );
        println!(
            "  {:.1} sizes encoded per second; bare encoders {:.1}",
            flooded.per_second,
            encoder_rate(dir)?
        );
        std::fs::remove_dir_all(data.join("media/made"))?;
    }
    Ok(())
}

struct FloodResult {
    pages: Vec<f64>,
    per_second: f64,
}

/// Requests all new sizes at once, each several times, while a client requests pages.
fn flood(shop: &ShopProcess, addresses: &[String]) -> BenchResult<FloodResult> {
    let wanted: Vec<String> = addresses
        .iter()
        .flat_map(|address| SIZES.map(|size| address.replace("1200.jpg", size)))
        .collect();
    let (done, failed) = (AtomicBool::new(false), AtomicUsize::new(0));
    let began = Instant::now();
    let (pages, took) = std::thread::scope(|scope| {
        let pages = scope.spawn(|| {
            latencies(shop, &done, Duration::from_secs(120)).map_err(|why| why.to_string())
        });
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (path, failed) = (&wanted[client % wanted.len()], &failed);
                scope.spawn(move || {
                    if load::get(&shop.address, path).is_err() {
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        clients.into_iter().for_each(|client| drop(client.join()));
        // All requests are answered; the AVIFs for which a WebP was served are still being encoded.
        while encoded(shop) < wanted.len() as f64 && began.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(100));
        }
        let took = began.elapsed();
        done.store(true, Ordering::Relaxed);
        (pages.join(), took)
    });
    let failed = failed.load(Ordering::Relaxed);
    if failed > 0 {
        println!("  {failed} were refused with Retry-After");
    }
    let pages = pages.map_err(|_| "the clients of pages panicked")??;
    Ok(FloodResult { pages, per_second: encoded(shop) / took.as_secs_f64() })
}

fn encoded(shop: &ShopProcess) -> f64 {
    shop.metric("haat_pictures_made_total ").unwrap_or_default()
}

/// The latencies of pages, in milliseconds.
fn latencies(shop: &ShopProcess, done: &AtomicBool, max: Duration) -> BenchResult<Vec<f64>> {
    let began = Instant::now();
    let mut times = Vec::new();
    while (times.is_empty() || !done.load(Ordering::Relaxed)) && began.elapsed() < max {
        let sent = Instant::now();
        load::get(&shop.address, PAGE)?;
        times.push(sent.elapsed().as_secs_f64() * 1000.0);
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(times)
}

/// Sizes per second that all cores encode without a shop.
fn encoder_rate(dir: &Path) -> BenchResult<f64> {
    let (_, master) = media::import_picture(&std::fs::read(dir.join("picture-0.png"))?)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let encoders = (0..cores).map(|_| scope.spawn(|| encode_all(&master)));
        let encoders: Vec<_> = encoders.collect();
        encoders.into_iter().try_for_each(|encoder| encoder.join().unwrap_or(Err("a panic".into())))
    })?;
    Ok((SIZES.len() * cores) as f64 / began.elapsed().as_secs_f64())
}

fn encode_all(master: &[u8]) -> Result<(), String> {
    let master = Master::open(master)?;
    for size in SIZES {
        let size: Size = size.parse().map_err(|()| "not a size")?;
        master.encode(size.width, size.format)?;
    }
    Ok(())
}

fn addresses(data: &Path) -> BenchResult<Vec<String>> {
    let shop = ShopProcess::open(data, &[])?;
    let list = load::get_plain(&shop.address, "/api/products?limit=200")?;
    let list: serde_json::Value = serde_json::from_slice(&list)?;
    let products = list.as_array().ok_or("not a list")?;
    let first = |product: &serde_json::Value| product["img"][0].as_str().map(str::to_owned);
    products.iter().map(|product| first(product).ok_or_else(|| "no picture".into())).collect()
}

/// Products with pictures like photographs: soft shapes and light, with sensor noise.
fn write_catalog(dir: &Path) -> BenchResult {
    let mut products = Vec::new();
    for number in 0..PICTURES {
        write_picture(&dir.join(format!("picture-{number}.png")), number as u32)?;
        products.push(format!(
            r#"{{"_id": "pictured-{number}", "category": "range", "name": "Pictured {number}",
                "sku": "P-{number}", "img": ["picture-{number}.png"], "realPrice": 5, "qtn": 1}}"#
        ));
    }
    let catalog = format!(
        r#"{{"categories": [{{"_id": "range", "name": "Range", "img": "/favicon.svg"}}],
            "products": [{}]}}"#,
        products.join(",")
    );
    Ok(std::fs::write(dir.join("pictured.json"), catalog)?)
}

fn write_picture(path: &Path, seed: u32) -> BenchResult {
    let (width, height) = (1600u32, 1600u32);
    let mut grain = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    for y in 0..height {
        for x in 0..width {
            let (across, down) = (x as f32 / width as f32, y as f32 / height as f32);
            let turn = seed as f32 * 0.7;
            let inside =
                (across - 0.5).hypot(down - 0.5) < 0.3 + 0.05 * (8.0 * across + turn).sin();
            let light = 0.6 + 0.3 * (3.0 * across + turn).sin() * (2.0 * down).cos();
            grain ^= grain << 13;
            grain ^= grain >> 17;
            grain ^= grain << 5;
            let noise = (grain % 7) as f32 - 3.0;
            let colour = if inside { [150.0, 90.0, 60.0] } else { [235.0, 228.0, 218.0] };
            pixels.extend(colour.map(|value: f32| (value * light + noise).clamp(0.0, 255.0) as u8));
        }
    }
    let mut encoder =
        png::Encoder::new(BufWriter::new(std::fs::File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
