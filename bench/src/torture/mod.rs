//! The crash test (`make torture`): 64 buyers order the same few products while the servers are killed, and PostgreSQL
//! and the payment providers too. A third of them pays by a provider, whose calls fail and whose webhooks are lost, late,
//! repeated and forged. Then it checks consistency: every acknowledged order exists once with its lines, stock and sales
//! add up to the initial stock and to the journal, spent gift cards and store credit match their ledgers, no promotion
//! was used more often than it may be, and every payment is what the providers' books say (`money`).

mod buyer;
mod cart;
mod check;
mod finish;
mod money;
mod payer;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use platform::{Db, Random};
use serde_json::Value;

use self::buyer::Placed;
use self::payer::Page;
use crate::BenchResult;
use crate::forwarder::{self, Upstreams};
use crate::load_shop::{self, BuyerAccount, DatabaseEngine, LoadShop, ShopSetup};
use crate::provider_process::{Behaviour, ProviderProcess};

const PRODUCTS: usize = 20;
const UNITS: i64 = 25;
const BUYERS: usize = 64;
const ACCOUNTS: usize = 8;
/// The store credit of each account: less than its buyers try to spend.
const CREDIT: i64 = 50_000;
/// Gift cards, which all buyers share, and what is on each: less than they try to spend.
const CARDS: usize = 20;
const CARD: i64 = 20_000;
/// What each code takes off, in cents.
const DISCOUNT: i64 = 100;
/// How many orders can use the code `LIMITED`; every account can use `ONCE` in one order.
const LIMITED: i64 = 100;
/// Codes for one order each.
const BATCH: usize = 50;

#[derive(Clone, Copy)]
pub struct Plan {
    attempts: usize,
    kills: usize,
    database_kills: usize,
    provider_kills: usize,
    /// How many orders may hold goods without being paid or cancelled by their buyers.
    stay_open: usize,
}

pub const FULL: Plan =
    Plan { attempts: 10_000, kills: 20, database_kills: 3, provider_kills: 10, stay_open: 30 };
/// For `make test`.
pub const SHORT: Plan =
    Plan { attempts: 450, kills: 3, database_kills: 1, provider_kills: 2, stay_open: 20 };

/// What is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Victim {
    Server,
    Database,
    Providers,
}

/// On both databases, or on PostgreSQL only.
pub fn torture(dir: &Path, plan: Plan, postgres_only: bool) -> BenchResult {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let engines = DatabaseEngine::all().into_iter();
    for engine in engines.filter(|engine| !postgres_only || *engine == DatabaseEngine::Postgres) {
        let began = Instant::now();
        let servers = if engine == DatabaseEngine::Postgres { 2 } else { 1 };
        let mut trial = runtime.block_on(Trial::open(dir, plan, engine, servers))?;
        let kills = trial.run(runtime.handle(), servers)?;
        let loaded = began.elapsed();
        let late = trial.finish(&runtime)?;
        let finished = began.elapsed();
        let (orders, payments) = trial.check(&runtime)?;
        println!(
            "{engine:?}, {servers} server(s): {} attempts by {BUYERS} buyers, {orders}, {} refused with a quote, {} \
             responses lost, {kills}; {payments}, {late} paid too late; {:.0} s, of which {:.0} until all is settled \
             and {:.0} to check: consistent",
            plan.attempts,
            trial.refused.load(Ordering::Relaxed),
            trial.lost.load(Ordering::Relaxed),
            began.elapsed().as_secs_f64(),
            (finished - loaded).as_secs_f64(),
            (began.elapsed() - finished).as_secs_f64(),
        );
    }
    Ok(())
}

struct Trial {
    engine: DatabaseEngine,
    shop: LoadShop,
    /// The shop's origin.
    origin: String,
    providers: ProviderProcess,
    accounts: Vec<BuyerAccount>,
    codes: Vec<String>,
    /// The codes of the gift cards.
    cards: Vec<String>,
    plan: Plan,
    attempts: AtomicUsize,
    refused: AtomicUsize,
    lost: AtomicUsize,
    stay_open: AtomicUsize,
    placed: Mutex<Vec<Placed>>,
    /// The pages of those who pay when it is too late.
    late: Mutex<Vec<Page>>,
}

impl Trial {
    async fn open(
        dir: &Path,
        plan: Plan,
        engine: DatabaseEngine,
        servers: usize,
    ) -> BenchResult<Self> {
        let upstreams = Upstreams::default();
        let origin = forwarder::start(&upstreams).await?;
        let folder = dir.join(format!("{engine:?}-providers"));
        let providers = ProviderProcess::start(folder, &origin).await?;
        let mut options = providers.shop_options();
        let others =
            ["--public-url", &origin, "--payment-hold", "5", "--currencies", "BDT=1 to 0.01"];
        options.extend(others.map(str::to_owned));
        let products = load_shop::variants_json(PRODUCTS, UNITS, cart::price);
        let setup = ShopSetup { options, upstreams };
        let shop = LoadShop::open(dir, engine, servers, &products, setup).await?;
        let accounts = shop.accounts(ACCOUNTS)?;
        let amount = (CREDIT / 100).to_string();
        for BuyerAccount { uid, .. } in &accounts {
            shop.command(&["credit", "grant", uid, &amount, "--reason", "For the trial"])?;
        }
        let codes = create_promotions(&shop)?;
        let cards = issue_gift_cards(&shop)?;
        Ok(Self {
            engine,
            shop,
            origin,
            providers,
            accounts,
            codes,
            cards,
            plan,
            attempts: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
            stay_open: AtomicUsize::new(0),
            placed: Mutex::default(),
            late: Mutex::default(),
        })
    }

    fn placed(&self) -> MutexGuard<'_, Vec<Placed>> {
        self.placed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn late(&self) -> MutexGuard<'_, Vec<Page>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one more order may hold goods until the end.
    fn may_stay_open(&self) -> bool {
        self.stay_open.fetch_add(1, Ordering::Relaxed) < self.plan.stay_open
    }

    fn run(&self, runtime: &tokio::runtime::Handle, servers: usize) -> BenchResult<String> {
        std::thread::scope(|scope| {
            let buyers: Vec<_> = (0..BUYERS)
                .map(|buyer| scope.spawn(move || self.buy(buyer).map_err(|why| why.to_string())))
                .collect();
            let killed = self.kill_at_random(runtime, servers);
            for buyer in buyers {
                buyer.join().map_err(|_| "a buyer panicked")??;
            }
            killed
        })
    }

    /// Kills and restarts servers, the database and the providers at random points.
    fn kill_at_random(
        &self,
        runtime: &tokio::runtime::Handle,
        servers: usize,
    ) -> BenchResult<String> {
        let random = Random::system();
        let Plan { attempts, kills, mut database_kills, provider_kills, .. } = self.plan;
        if self.engine == DatabaseEngine::Sqlite {
            database_kills = 0;
        }
        let victims = std::iter::repeat_n(Victim::Server, kills)
            .chain(std::iter::repeat_n(Victim::Database, database_kills))
            .chain(std::iter::repeat_n(Victim::Providers, provider_kills));
        let point = || u32::from_le_bytes(random.bytes()) as usize % (attempts * 19 / 20);
        let mut schedule: Vec<_> = victims.map(|victim| (point(), victim)).collect();
        schedule.sort_unstable();
        for (point, victim) in schedule {
            while self.attempts.load(Ordering::Relaxed) < point {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            match victim {
                Victim::Database => runtime.block_on(kill_database(&self.shop.url))?,
                Victim::Providers => self.providers.restart(Behaviour::Faulty)?,
                Victim::Server => {
                    let server = usize::from(random.bytes::<1>()[0]) % servers;
                    self.shop.kill(server);
                    // A database that was just killed may still be recovering.
                    while let Err(why) = self.shop.reopen(server) {
                        if database_kills == 0 {
                            return Err(why);
                        }
                    }
                }
            }
        }
        Ok(format!(
            "server killed {kills} times, database {database_kills}, providers {provider_kills}"
        ))
    }
}

/// Promotions that take the same off, and of which each order uses one; the codes of the batch.
fn create_promotions(shop: &LoadShop) -> BenchResult<Vec<String>> {
    let off = (DISCOUNT / 100).to_string();
    let create = ["promotions", "create"];
    let terms = ["--amount", &off, "--exclusive"];
    let (limit, count) = (LIMITED.to_string(), BATCH.to_string());
    shop.command(&[&create[..], &["LIMITED"], &terms, &["--limit", &limit]].concat())?;
    shop.command(&[&create[..], &["ONCE"], &terms, &["--per-customer", "1"]].concat())?;
    shop.command(&[&create[..], &["BATCH"], &terms].concat())?;
    let codes = shop.command(&["promotions", "codes", "BATCH", "--count", &count])?;
    Ok(codes.lines().map(str::to_owned).collect())
}

fn issue_gift_cards(shop: &LoadShop) -> BenchResult<Vec<String>> {
    let (amount, count) = ((CARD / 100).to_string(), CARDS.to_string());
    let issue = ["gift-cards", "issue", &amount, "--count", &count, "--json"];
    let issued: Value = serde_json::from_str(&shop.command_with_secret(&issue)?)?;
    let codes = issued.as_array().into_iter().flatten().filter_map(|card| card["code"].as_str());
    Ok(codes.map(str::to_owned).collect())
}

/// Kills one of PostgreSQL's processes: it ends all the others, throws its memory away and recovers.
async fn kill_database(url: &str) -> BenchResult {
    let db = Db::open(url).await?;
    let (process,): (i64,) = db.query("select cast(pg_backend_pid() as bigint)").one().await?;
    let killed = std::process::Command::new("kill").args(["-9", &process.to_string()]).status()?;
    if killed.success() { Ok(()) } else { Err("the database could not be killed".into()) }
}
