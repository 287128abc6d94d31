//! Benchmarks (`make bench`). Speeds are ratios to a bare axum handler that returns the same bytes in the same run,
//! because ratios differ less between machines. `bench NAME` runs one part: pages, accounts, orders, pictures,
//! catalog or search. `bench torture [short] [postgres]` is a crash test (see there).

mod accounts;
mod catalog;
mod forwarder;
mod load;
mod load_shop;
mod orders;

mod pictures;
mod process;
mod provider_process;
mod search;
mod torture;
mod webhooks;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::ShopProcess;

/// The same as the shop's: with the system allocator, the 19 MiB of each bare password hash would cost more.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(3);

type BenchResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> BenchResult {
    let args: Vec<String> = std::env::args().collect();
    if let [_, bare, from, file, content_type, encoding] = args.as_slice()
        && bare == "bare"
    {
        return process::bare([from, file, content_type, encoding]);
    }
    if let [_, stand_ins, folder, origin, shop, behaviour] = args.as_slice()
        && stand_ins == "payment-stand-ins"
    {
        return provider_process::serve([folder, origin, shop, behaviour]);
    }
    let dir = tempfile::tempdir()?;
    if args.get(1).is_some_and(|arg| arg == "torture") {
        let has = |word: &str| args[2..].iter().any(|arg| arg == word);
        let plan = if has("short") { torture::SHORT } else { torture::FULL };
        return torture::torture(dir.path(), plan, has("postgres"));
    }
    let wanted = |part: &str| args.len() < 2 || args[1..].iter().any(|arg| arg == part);
    let demo = dir.path().join("demo");
    drop(ShopProcess::open(&demo, &["--demo"])?);
    if wanted("pages") {
        pages(&demo)?;
    }
    if wanted("accounts") {
        accounts::measure(&demo, &dir.path().join("keys.db"))?;
    }
    if wanted("orders") {
        orders::measure(dir.path())?;
    }
    if wanted("pictures") {
        pictures::measure(dir.path())?;
    }
    if wanted("catalog") {
        large_catalog(&demo, dir.path())?;
    }
    if wanted("search") {
        search::measure(dir.path())?;
    }
    Ok(())
}

/// Cached responses, compared with a bare server of the same bytes.
fn pages(demo: &Path) -> BenchResult {
    println!("requests per second, {ROUNDS} rounds of {} s each, medians", ROUND.as_secs());
    println!("{:<28} {:>10} {:>10} {:>7}", "", "haat", "bare axum", "ratio");
    let shop = ShopProcess::open(demo, &[])?;
    for (name, path) in [
        ("home page, cached", "/"),
        ("product page, cached", "/product/skerry-turntable"),
        ("GET /api/products?limit=24", "/api/products?limit=24"),
    ] {
        let (haat, bare) = compare(&shop, path, "memory")?;
        println!("{name:<28} {haat:>10.0} {bare:>10.0} {:>7.2}", haat / bare);
    }
    Ok(())
}

/// A small and a large catalogue compared.
fn large_catalog(demo: &Path, dir: &Path) -> BenchResult {
    let large_data = dir.join("large");
    let file = dir.join("catalog.json");
    catalog::write(&file, 100_000)?;
    let began = Instant::now();
    process::run(&large_data, &["import", &file.to_string_lossy()])?;
    println!("\nimport of 100,000 products: {:.1} s", began.elapsed().as_secs_f64());

    println!("\n{:<28} {:>10} {:>12}", "", "64", "100,000");
    let small = Figures::measure(demo, &["/product/skerry-turntable", "/category/audio"])?;
    let large = Figures::measure(&large_data, &["/product/goods-50000", "/category/range-3"])?;
    let line = |name: &str, unit: &str, small: f64, large: f64| {
        println!("{name:<28} {small:>7.1} {unit:<3} {large:>7.1} {unit}");
    };
    line("start-up", "ms", small.start_ms, large.start_ms);
    line("memory under load", "MiB", small.memory_mib, large.memory_mib);
    for ((name, small), (_, large)) in small.pages.iter().zip(&large.pages) {
        line(&format!("{name} page, not cached"), "ms", small.total_ms, large.total_ms);
        line("  of which the render", "ms", small.render_ms, large.render_ms);
    }
    Ok(())
}

/// In alternating rounds, so that a slow phase of the machine affects both.
fn compare(shop: &ShopProcess, path: &str, bare_from: &str) -> BenchResult<(f64, f64)> {
    let response = load::get(&shop.address, path)?;
    let bare = process::BareServer::start(&response, bare_from)?;
    let (mut haats, mut bares) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bares.push(load::per_second(&bare.address, path, ROUND)?);
        haats.push(load::per_second(&shop.address, path, ROUND)?);
    }
    Ok((median(haats), median(bares)))
}

struct Figures {
    start_ms: f64,
    memory_mib: f64,
    pages: Vec<(&'static str, Uncached)>,
}

struct Uncached {
    total_ms: f64,
    render_ms: f64,
}

impl Figures {
    fn measure(data: &Path, [product, category]: &[&str; 2]) -> BenchResult<Self> {
        let starts = (0..5).map(|_| -> BenchResult<f64> {
            let began = Instant::now();
            let _shop = ShopProcess::open(data, &[])?;
            Ok(began.elapsed().as_secs_f64() * 1000.0)
        });
        let start_ms = median(starts.collect::<BenchResult<Vec<f64>>>()?);
        // Without a page cache every page is rendered.
        let shop = ShopProcess::open(data, &["--page-cache", "0"])?;
        let mut pages = Vec::new();
        for (name, path) in [("home", "/"), ("category", category), ("product", product)] {
            pages.push((name, uncached(&shop, path)?));
        }
        Ok(Self { start_ms, memory_mib: memory_under_load(data)?, pages })
    }
}

/// The memory of a shop with its page cache, after fifty clients have read its list.
fn memory_under_load(data: &Path) -> BenchResult<f64> {
    let shop = ShopProcess::open(data, &[])?;
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..50)
            .map(|client| {
                let address = &shop.address;
                scope.spawn(move || {
                    for page in 0..20 {
                        let limit = 1 + (client * 20 + page) % 200;
                        let _ = load::get(address, &format!("/api/products?limit={limit}"));
                        let _ =
                            load::get(address, &format!("/product/goods-{}", client * 997 + page));
                    }
                })
            })
            .collect();
        clients.into_iter().for_each(|client| drop(client.join()));
    });
    shop.memory_mib()
}

fn uncached(shop: &ShopProcess, path: &str) -> BenchResult<Uncached> {
    let (renders, seconds) = shop.renders()?;
    let times = (0..200).map(|_| -> BenchResult<f64> {
        let began = Instant::now();
        load::get(&shop.address, path)?;
        Ok(began.elapsed().as_secs_f64() * 1000.0)
    });
    let total_ms = median(times.collect::<BenchResult<Vec<f64>>>()?);
    let (renders_after, seconds_after) = shop.renders()?;
    let render_ms = (seconds_after - seconds) * 1000.0 / (renders_after - renders);
    Ok(Uncached { total_ms, render_ms })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A percentile of sorted times.
fn percentile(times: &[f64], percent: usize) -> f64 {
    times.get((times.len() * percent / 100).min(times.len() - 1)).copied().unwrap_or(0.0)
}
