//! Orders per second, compared with a bare transaction of as many writes on the same engine; and orders and quotes in a
//! shop with many promotions, delivery zones and tax rates, compared with one without any; and webhooks per second.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx_postgres::{PgPool, PgPoolOptions};
use sqlx_sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::load_shop::{self, BuyerAccount, Connection, DatabaseEngine, LoadShop, ShopSetup};
use crate::provider_process::stripe_options;
use crate::{BenchResult, ROUNDS, median, percentile, webhooks};

const TIME: Duration = Duration::from_secs(4);
const BUYERS: usize = 16;
const PRODUCTS: usize = 200;
const PROMOTIONS: usize = 100;
const ZONES: usize = 50;
const TAX_RATES: usize = 60;
const QUOTES: usize = 2000;
/// Nobody asks the payment provider of orders that are paid in cash.
const NO_API: &str = "http://127.0.0.1:9";
/// The writes of an order of two lines: the idempotency key, two products, the order, its lines, its event, its e-mail,
/// its payment; and the deletion from the cart.
const INSERTS: usize = 6;
const UPDATES: usize = 2;

pub fn measure(dir: &Path) -> BenchResult {
    println!("\norders of two lines, a second, {BUYERS} buyers, {ROUNDS} rounds, medians");
    println!(
        "{:<44} {:>10} {:>10} {:>7} {:>9} {:>9}",
        "", "haat", "bare", "ratio", "p50 ms", "p99 ms"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    for engine in DatabaseEngine::all() {
        let products = load_shop::products_json(PRODUCTS, 1_000_000, |_| 1000);
        let setup = ShopSetup { options: stripe_options(NO_API), ..ShopSetup::default() };
        let shop = runtime.block_on(LoadShop::open(dir, engine, 1, &products, setup))?;
        let accounts = shop.accounts(BUYERS)?;
        let bare = dir.join(format!("bare-{engine:?}.db"));
        let bare = match engine {
            DatabaseEngine::Sqlite => format!("sqlite://{}", bare.display()),
            DatabaseEngine::Postgres => shop.url.clone(),
        };
        let bare = runtime.block_on(BareTransaction::open(&bare))?;
        let (mut ours, mut bares, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            // The e-mails of the previous round must not slow down the baseline.
            runtime.block_on(shop.wait_until_idle())?;
            bares.push(runtime.block_on(bare.per_second())?);
            ours.push(measure_round(&shop, &accounts, &mut times)?);
        }
        let plain_quote = quote_ms(&shop)?;
        print_row(&format!("{engine:?}"), (median(ours), median(bares)), &mut times);
        create_rules(dir, &shop)?;
        let (mut ours, mut bares, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            runtime.block_on(shop.wait_until_idle())?;
            bares.push(runtime.block_on(bare.per_second())?);
            ours.push(measure_round(&shop, &accounts, &mut times)?);
        }
        let rules = format!("  {PROMOTIONS} promotions, {ZONES} zones, {TAX_RATES} tax rates");
        print_row(&rules, (median(ours), median(bares)), &mut times);
        println!("  a quote: {plain_quote:.2} ms, with these rules {:.2} ms", quote_ms(&shop)?);
        webhooks::measure(&shop)?;
    }
    Ok(())
}

fn print_row(name: &str, (ours, bare): (f64, f64), times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    println!(
        "{name:<44} {ours:>10.0} {bare:>10.0} {:>7.2} {:>9.1} {:>9.1}",
        ours / bare,
        percentile(times, 50),
        percentile(times, 99)
    );
}

/// Promotions that are all looked at, of which none changes the total; zones, of which the last one costs what the
/// setting does; and tax rates, of which the last one takes of every order here what the setting does.
fn create_rules(dir: &Path, shop: &LoadShop) -> BenchResult {
    let promotion = |n: usize| {
        let percent = json!({ "percent": 1 + n % 50 });
        json!({ "title": format!("Promotion {n}"), "effect": percent, "conditions": { "minSubTotal": 1_000_000 + n } })
    };
    let promotions: Vec<_> = (0..PROMOTIONS).map(promotion).collect();
    let zone = |n: usize| {
        let places = match n + 1 < ZONES {
            true => {
                json!([{ "country": "BD", "postcodes": [format!("{}-{}", 1000 + n * 10, 1009 + n * 10)] }])
            }
            false => json!([]),
        };
        let method = json!({ "_id": "standard", "name": "Standard", "price": 40, "days": "2-4" });
        json!({ "_id": format!("zone-{n}"), "name": format!("Zone {n}"), "places": places, "methods": [method] })
    };
    let zones: Vec<_> = (0..ZONES).map(zone).collect();
    // Of $30 of goods and $40 of delivery it is $120.
    let everywhere = json!({ "_id": "everywhere", "name": "VAT", "percent": 171.429 });
    let rate = |n: usize| {
        let postcodes = [format!("{}-{}", 1000 + n * 10, 1009 + n * 10)];
        let places = json!([{ "country": "BD", "postcodes": postcodes }]);
        json!({ "_id": format!("rate-{n}"), "name": "VAT", "percent": 15, "places": places })
    };
    let rates: Vec<_> = (1..TAX_RATES).map(rate).chain([everywhere]).collect();
    for (command, content) in [
        ("promotions", json!({ "promotions": promotions })),
        ("delivery", json!({ "zones": zones })),
        ("taxes", json!({ "rates": rates })),
    ] {
        let file = dir.join(format!("{command}.json"));
        std::fs::write(&file, content.to_string())?;
        shop.command(&[command, "import", &file.to_string_lossy()])?;
    }
    let began = Instant::now();
    loop {
        let quote = send_quote(&mut Connection::open(&shop.address(0))?)?;
        if quote.contains("Standard") && quote.contains("171.429") {
            return Ok(());
        }
        if began.elapsed() > TIME {
            return Err("the zones and tax rates are not used".into());
        }
    }
}

/// The median time of a quote of three lines.
fn quote_ms(shop: &LoadShop) -> BenchResult<f64> {
    let mut connection = Connection::open(&shop.address(0))?;
    let mut times = Vec::with_capacity(QUOTES);
    for _ in 0..QUOTES {
        let sent = Instant::now();
        send_quote(&mut connection)?;
        times.push(sent.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(median(times))
}

fn send_quote(connection: &mut Connection) -> BenchResult<String> {
    let line = |n: usize| json!({ "_id": format!("goods-{n}"), "qtn": 2 });
    let cart = json!({ "lines": [line(1), line(2), line(3)], "destination": { "country": "BD", "postcode": "9999" } });
    match connection.send("POST", "/api/quote", &[], &cart.to_string())? {
        (200, body) => Ok(body.to_string()),
        (status, body) => Err(format!("{status} {body}").into()),
    }
}

/// Orders per second, and the milliseconds of each.
fn measure_round(
    shop: &LoadShop,
    accounts: &[BuyerAccount],
    times: &mut Vec<f64>,
) -> BenchResult<f64> {
    let (began, all) = (Instant::now(), Mutex::new(Vec::new()));
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let buyers: Vec<_> = accounts
            .iter()
            .map(|account| {
                let (all, count) = (&all, &count);
                scope.spawn(move || -> Result<(), String> {
                    let (address, bearer) = (shop.address(0), account.bearer());
                    let mut connection =
                        Connection::open(&address).map_err(|why| why.to_string())?;
                    let mut own = Vec::new();
                    while began.elapsed() < TIME {
                        let n = count.fetch_add(1, Ordering::Relaxed);
                        let key = format!("{n}-{:?}", began);
                        let key: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
                        let headers =
                            [("authorization", bearer.as_str()), ("idempotency-key", key.as_str())];
                        let sent = Instant::now();
                        let response = connection.send("POST", "/api/orders", &headers, &order(n));
                        match response.map_err(|why| why.to_string())? {
                            (201, _) => own.push(sent.elapsed().as_secs_f64() * 1000.0),
                            (status, body) => return Err(format!("{status} {body}")),
                        }
                    }
                    all.lock().map_err(|why| why.to_string())?.extend(own);
                    Ok(())
                })
            })
            .collect();
        for buyer in buyers {
            buyer.join().map_err(|_| "a buyer panicked")??;
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    })?;
    let took = began.elapsed().as_secs_f64();
    let all = all.into_inner().map_err(|why| why.to_string())?;
    times.extend(&all);
    Ok(all.len() as f64 / took)
}

fn order(n: usize) -> String {
    let (one, other) = (n % PRODUCTS, (n + 7) % PRODUCTS);
    json!({ "name": "Buyer", "phone": "12345", "address": "12 Market Lane, Dhaka", "total": 190,
            "lines": [{ "_id": format!("goods-{one}"), "qtn": 1 },
                      { "_id": format!("goods-{other}"), "qtn": 2 }] })
    .to_string()
}

/// As many rows in one transaction through the driver, without any logic.
struct BareTransaction {
    pool: Pool,
    count: AtomicUsize,
}

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs the same code on either pool.
macro_rules! on {
    ($pool:expr, $it:ident => $work:expr) => {
        match $pool {
            Pool::Sqlite($it) => $work,
            Pool::Postgres($it) => $work,
        }
    };
}

impl BareTransaction {
    async fn open(url: &str) -> BenchResult<Self> {
        let pool = match url.strip_prefix("sqlite://") {
            Some(path) => {
                let options = SqliteConnectOptions::new()
                    .filename(path)
                    .create_if_missing(true)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full);
                // SQLite has one writer at a time.
                Pool::Sqlite(
                    SqlitePoolOptions::new().max_connections(1).connect_with(options).await?,
                )
            }
            None => Pool::Postgres(
                PgPoolOptions::new().max_connections(BUYERS as u32).connect(url).await?,
            ),
        };
        for sql in [
            "create table bare_rows (id text primary key, body text not null)",
            "create table bare_stock (id bigint primary key, left_over bigint not null)",
        ] {
            on!(&pool, pool => sqlx::query(sql).execute(pool).await.map(|_| ())?);
        }
        for id in 0..PRODUCTS as i64 {
            let sql = "insert into bare_stock (id, left_over) values ($1, 1000000)";
            on!(&pool, pool => sqlx::query(sql).bind(id).execute(pool).await.map(|_| ())?);
        }
        Ok(Self { pool, count: AtomicUsize::new(0) })
    }

    async fn per_second(&self) -> BenchResult<f64> {
        let began = Instant::now();
        let done = AtomicUsize::new(0);
        let writer = async || -> BenchResult {
            while began.elapsed() < TIME {
                self.write().await?;
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        futures_util::future::try_join_all((0..BUYERS).map(|_| writer())).await?;
        Ok(done.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64())
    }

    async fn write(&self) -> BenchResult {
        let n = self.count.fetch_add(1, Ordering::Relaxed);
        let mut ids = [n % PRODUCTS, (n + 7) % PRODUCTS];
        ids.sort_unstable();
        on!(&self.pool, pool => {
            let mut tx = pool.begin().await?;
            for id in &ids[..UPDATES] {
                let sql = "update bare_stock set left_over = left_over - 1
                           where id = $1 and left_over >= 1";
                sqlx::query(sql).bind(*id as i64).execute(&mut *tx).await?;
            }
            for part in 0..INSERTS {
                sqlx::query("insert into bare_rows (id, body) values ($1, $2)")
                    .bind(format!("{n}-{part}"))
                    .bind("x".repeat(300))
                    .execute(&mut *tx)
                    .await?;
            }
            sqlx::query("delete from bare_rows where id = $1 and body in ($2, $3)")
                .bind("none")
                .bind("one")
                .bind("other")
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }
}
