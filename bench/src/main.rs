//! `make bench`: what measures the shop. Speeds are ratios against a bare axum handler that answers
//! the same bytes in the same run, because machines differ and ratios less so. `bench NAME` measures
//! a part: pages, accounts, orders, pictures, goods or finding. `bench torture [short] [postgres]` measures nothing: it
//! breaks what it can (see there).

mod accounts;
mod finding;
mod goods;
mod house;
mod load;
mod orders;
mod pictures;
mod shop;
mod torture;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::shop::Shop;

/// The same as the shop's: a hash that asks the system for its 19 MiB each time would flatter the shop.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(3);

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().collect();
    if let [_, bare, from, file, content_type, encoding] = args.as_slice()
        && bare == "bare"
    {
        return shop::bare([from, file, content_type, encoding]);
    }
    let dir = tempfile::tempdir()?;
    if args.get(1).is_some_and(|arg| arg == "torture") {
        let said = |word: &str| args[2..].iter().any(|arg| arg == word);
        let plan = if said("short") { torture::SHORT } else { torture::WHOLE };
        return torture::torture(dir.path(), plan, said("postgres"));
    }
    let wanted = |part: &str| args.len() < 2 || args[1..].iter().any(|arg| arg == part);
    let demo = dir.path().join("demo");
    drop(Shop::open(&demo, &["--demo"])?);
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
    if wanted("goods") {
        many_goods(&demo, dir.path())?;
    }
    if wanted("finding") {
        finding::measure(dir.path())?;
    }
    Ok(())
}

/// What is served from the cache, beside a bare server of the same bytes.
fn pages(demo: &Path) -> Outcome {
    println!("requests per second, {ROUNDS} rounds of {} s each, medians", ROUND.as_secs());
    println!("{:<28} {:>10} {:>10} {:>7}", "", "haat", "bare axum", "ratio");
    let shop = Shop::open(demo, &[])?;
    for (name, path) in [
        ("home page, kept", "/"),
        ("product page, kept", "/product/skerry-turntable"),
        ("GET /api/products?limit=24", "/api/products?limit=24"),
    ] {
        let (haat, bare) = race(&shop, path, "memory")?;
        println!("{name:<28} {haat:>10.0} {bare:>10.0} {:>7.2}", haat / bare);
    }
    Ok(())
}

/// What more goods cost.
fn many_goods(demo: &Path, dir: &Path) -> Outcome {
    let stocked = dir.join("stocked");
    let file = dir.join("goods.json");
    goods::write(&file, 100_000)?;
    let began = Instant::now();
    shop::run(&stocked, &["import", &file.to_string_lossy()])?;
    println!("\nimport of 100,000 products: {:.1} s", began.elapsed().as_secs_f64());

    println!("\n{:<28} {:>10} {:>12}", "", "64", "100,000");
    let small = Figures::of(demo, &["/product/skerry-turntable", "/category/audio"])?;
    let large = Figures::of(&stocked, &["/product/goods-50000", "/category/range-3"])?;
    let line = |name: &str, unit: &str, small: f64, large: f64| {
        println!("{name:<28} {small:>7.1} {unit:<3} {large:>7.1} {unit}");
    };
    line("start-up", "ms", small.start_ms, large.start_ms);
    line("memory under load", "MiB", small.memory_mib, large.memory_mib);
    for ((name, small), (_, large)) in small.pages.iter().zip(&large.pages) {
        line(&format!("{name} page, not kept"), "ms", small.total_ms, large.total_ms);
        line("  of which the render", "ms", small.render_ms, large.render_ms);
    }
    Ok(())
}

/// Turn about, so that a slow moment of the machine hits both.
fn race(shop: &Shop, path: &str, bare_from: &str) -> Outcome<(f64, f64)> {
    let answer = load::get(&shop.address, path)?;
    let bare = shop::Bare::serving(&answer, bare_from)?;
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
    fn of(data: &Path, [product, category]: &[&str; 2]) -> Outcome<Self> {
        let starts = (0..5).map(|_| -> Outcome<f64> {
            let began = Instant::now();
            let _shop = Shop::open(data, &[])?;
            Ok(began.elapsed().as_secs_f64() * 1000.0)
        });
        let start_ms = median(starts.collect::<Outcome<Vec<f64>>>()?);
        // A shop that keeps no page makes each one anew.
        let shop = Shop::open(data, &["--page-cache", "0"])?;
        let mut pages = Vec::new();
        for (name, path) in [("home", "/"), ("category", category), ("product", product)] {
            pages.push((name, uncached(&shop, path)?));
        }
        Ok(Self { start_ms, memory_mib: loaded(data)?, pages })
    }
}

/// The memory of a shop that keeps pages as usual, after fifty clients have walked its whole list.
fn loaded(data: &Path) -> Outcome<f64> {
    let shop = Shop::open(data, &[])?;
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

fn uncached(shop: &Shop, path: &str) -> Outcome<Uncached> {
    let (renders, seconds) = shop.renders()?;
    let times = (0..200).map(|_| -> Outcome<f64> {
        let began = Instant::now();
        load::get(&shop.address, path)?;
        Ok(began.elapsed().as_secs_f64() * 1000.0)
    });
    let total_ms = median(times.collect::<Outcome<Vec<f64>>>()?);
    let (renders_after, seconds_after) = shop.renders()?;
    let render_ms = (seconds_after - seconds) * 1000.0 / (renders_after - renders);
    Ok(Uncached { total_ms, render_ms })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What so many of a hundred stay within, of sorted times.
fn part(times: &[f64], of_hundred: usize) -> f64 {
    times.get((times.len() * of_hundred / 100).min(times.len() - 1)).copied().unwrap_or(0.0)
}
