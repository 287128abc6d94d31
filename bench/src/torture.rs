//! The crash test (`make torture`): 64 buyers order the same few products while the servers are killed, and PostgreSQL
//! too. Then it checks consistency: every acknowledged order exists once with its lines, stock and sales add up to the
//! initial stock and to the journal, spent gift cards and store credit match their ledgers, and no promotion was used more
//! often than it may be.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use platform::{Db, Random};
use serde_json::{Value, json};

use crate::BenchResult;
use crate::load_shop::{self, BuyerAccount, DatabaseEngine, LoadShop, send_request};

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

type BuyerCart = BTreeMap<usize, i64>;

#[derive(Clone, Copy)]
pub struct Plan {
    attempts: usize,
    kills: usize,
    database_kills: usize,
}

pub const FULL: Plan = Plan { attempts: 10_000, kills: 20, database_kills: 3 };
/// For `make test`.
pub const SHORT: Plan = Plan { attempts: 600, kills: 3, database_kills: 1 };

/// On both databases, or on PostgreSQL only.
pub fn torture(dir: &Path, plan: Plan, postgres_only: bool) -> BenchResult {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let engines = DatabaseEngine::all().into_iter();
    for engine in engines.filter(|engine| !postgres_only || *engine == DatabaseEngine::Postgres) {
        let began = Instant::now();
        let servers = if engine == DatabaseEngine::Postgres { 2 } else { 1 };
        let products = load_shop::variants_json(PRODUCTS, UNITS, price);
        let shop = runtime.block_on(LoadShop::open(dir, engine, servers, &products))?;
        let mut trial = Trial::new(shop, plan)?;
        let kills = trial.run(runtime.handle(), engine, servers)?;
        runtime.block_on(trial.check())?;
        println!(
            "{engine:?}, {servers} server(s): {} attempts by {BUYERS} buyers, {} orders placed, {} \
             cancelled, {} refused with a quote, {} responses lost, {kills}, {:.0} s: consistent",
            plan.attempts,
            trial.bought().len(),
            trial.cancelled.load(Ordering::Relaxed),
            trial.refused.load(Ordering::Relaxed),
            trial.lost.load(Ordering::Relaxed),
            began.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}

fn price(product: usize) -> i64 {
    100 + 37 * product as i64
}

/// What a cart costs with delivery and VAT.
fn total(cart: &BuyerCart, code: &str) -> i64 {
    let discount = if code.is_empty() { 0 } else { DISCOUNT };
    16_000 - discount + cart.iter().map(|(product, qtn)| price(*product) * qtn).sum::<i64>()
}

/// What pays for an order, besides its payment: gift cards by their codes, and store credit.
#[derive(Clone, Debug, Default)]
struct Tender {
    cards: Vec<(String, i64)>,
    credit: i64,
}

impl Tender {
    fn by_cards(&self) -> i64 {
        self.cards.iter().map(|(_, cents)| cents).sum()
    }

    /// Not more than this total: the credit is lowered first.
    fn at_most(mut self, total: i64) -> Self {
        let mut left = total;
        for (_, cents) in &mut self.cards {
            *cents = (*cents).min(left);
            left -= *cents;
        }
        self.cards.retain(|(_, cents)| *cents > 0);
        Self { credit: self.credit.min(left), ..self }
    }
}

fn order(cart: &BuyerCart, code: &str, tender: &Tender) -> String {
    let card =
        |(code, cents): &(String, i64)| json!({ "code": code, "amount": *cents as f64 / 100.0 });
    let line =
        |(product, qtn): (&usize, &i64)| json!({ "_id": format!("goods-{product}"), "qtn": qtn });
    json!({ "name": "Buyer", "phone": "12345", "address": "Dhaka",
            "lines": cart.iter().map(line).collect::<Vec<_>>(),
            "codes": if code.is_empty() { vec![] } else { vec![code] },
            "giftCards": tender.cards.iter().map(card).collect::<Vec<_>>(),
            "total": total(cart, code) as f64 / 100.0, "credit": tender.credit as f64 / 100.0 })
    .to_string()
}

/// An order that was acknowledged and not cancelled.
struct Bought {
    account: usize,
    key: String,
    cart: BuyerCart,
    code: String,
    tender: Tender,
    number: String,
}

/// The response to an order.
enum PlaceResult {
    Placed(String),
    /// The cart reduced to the available stock.
    Reduced(BuyerCart),
    LessCredit,
    /// A gift card cannot pay its part.
    WithoutCards,
    /// The code cannot be used any more.
    WithoutCode,
}

struct Trial {
    shop: LoadShop,
    accounts: Vec<BuyerAccount>,
    codes: Vec<String>,
    /// The codes of the gift cards.
    cards: Vec<String>,
    plan: Plan,
    attempts: AtomicUsize,
    refused: AtomicUsize,
    lost: AtomicUsize,
    cancelled: AtomicI64,
    bought: Mutex<Vec<Bought>>,
}

impl Trial {
    fn new(shop: LoadShop, plan: Plan) -> BenchResult<Self> {
        let accounts = shop.accounts(ACCOUNTS)?;
        let amount = (CREDIT / 100).to_string();
        for BuyerAccount { uid, .. } in &accounts {
            shop.command(&["credit", "grant", uid, &amount, "--reason", "For the trial"])?;
        }
        let codes = create_promotions(&shop)?;
        let cards = issue_gift_cards(&shop)?;
        Ok(Self {
            shop,
            accounts,
            codes,
            cards,
            plan,
            attempts: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
            cancelled: AtomicI64::new(0),
            bought: Mutex::default(),
        })
    }

    fn bought(&self) -> std::sync::MutexGuard<'_, Vec<Bought>> {
        self.bought.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(
        &mut self,
        runtime: &tokio::runtime::Handle,
        engine: DatabaseEngine,
        servers: usize,
    ) -> BenchResult<String> {
        let trial = &*self;
        std::thread::scope(|scope| {
            let buyers: Vec<_> = (0..BUYERS)
                .map(|buyer| scope.spawn(move || trial.buy(buyer).map_err(|why| why.to_string())))
                .collect();
            let killed = trial.kill_at_random(runtime, engine, servers);
            for buyer in buyers {
                buyer.join().map_err(|_| "a buyer panicked")??;
            }
            killed
        })
    }

    /// Kills and restarts servers at random points.
    fn kill_at_random(
        &self,
        runtime: &tokio::runtime::Handle,
        engine: DatabaseEngine,
        servers: usize,
    ) -> BenchResult<String> {
        let random = Random::system();
        let Plan { attempts, kills, mut database_kills } = self.plan;
        if engine == DatabaseEngine::Sqlite {
            database_kills = 0;
        }
        let point = |_| u32::from_le_bytes(random.bytes()) as usize % (attempts * 19 / 20);
        let mut points: Vec<usize> = (0..kills + database_kills).map(point).collect();
        points.sort_unstable();
        let every = (kills + database_kills) / database_kills.max(1);
        let mut database_killed = 0;
        for (place, point) in points.into_iter().enumerate() {
            while self.attempts.load(Ordering::Relaxed) < point {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            if database_killed < database_kills && place % every == 0 {
                database_killed += 1;
                runtime.block_on(kill_database(&self.shop.url))?;
                continue;
            }
            let server = usize::from(random.bytes::<1>()[0]) % servers;
            self.shop.kill(server);
            // A database that was just killed may still be recovering.
            while let Err(why) = self.shop.reopen(server) {
                if database_kills == 0 {
                    return Err(why);
                }
            }
        }
        Ok(format!("server killed {kills} times, database {database_killed}"))
    }

    /// One buyer: orders random carts, accepts less stock, and cancels most orders.
    fn buy(&self, buyer: usize) -> BenchResult {
        let random = Random::system();
        while self.attempts.fetch_add(1, Ordering::Relaxed) < self.plan.attempts {
            let attempt = self.attempts.load(Ordering::Relaxed);
            let (key, cart) = (
                format!("{buyer}-{attempt}-{:x}", u64::from_le_bytes(random.bytes())),
                random_cart(&random),
            );
            let code = self.random_code(&random);
            // None, some, or all of the total.
            let credit = total(&cart, code) * i64::from(random.bytes::<1>()[0] % 5) / 4;
            let tender = Tender { cards: self.random_cards(&random), credit };
            let tender = tender.at_most(total(&cart, code));
            // Most orders are cancelled, so that there is stock to compete for; near the end all orders are kept.
            let keeps = attempt > self.plan.attempts * 9 / 10 || random.bytes::<1>()[0] < 2;
            self.attempt(buyer, key, (cart, code), tender, keeps)?;
        }
        Ok(())
    }

    fn attempt(
        &self,
        buyer: usize,
        key: String,
        (mut cart, mut code): (BuyerCart, &str),
        mut tender: Tender,
        keeps: bool,
    ) -> BenchResult {
        for again in 0.. {
            let key = format!("{key}-{again}");
            match self.place(buyer, &key, &order(&cart, code, &tender))? {
                PlaceResult::Placed(number) if keeps => {
                    let account = buyer % ACCOUNTS;
                    let code = code.to_owned();
                    self.bought().push(Bought { account, key, cart, code, tender, number });
                    return Ok(());
                }
                PlaceResult::Placed(number) => {
                    let path = format!("/api/orders/{number}/cancel");
                    let (status, body) = self.send(buyer, &path, "", "")?;
                    if status != 200 || body["status"] != "cancelled" {
                        return Err(format!("cancelling: {status} {body}").into());
                    }
                    self.cancelled.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                PlaceResult::Reduced(rest) if rest.is_empty() => return Ok(()),
                PlaceResult::Reduced(rest) => {
                    tender = tender.at_most(total(&rest, code));
                    cart = rest;
                }
                PlaceResult::LessCredit => tender.credit = 0,
                PlaceResult::WithoutCards => tender.cards.clear(),
                PlaceResult::WithoutCode => code = "",
            }
        }
        Ok(())
    }

    /// None, one or two gift cards, in any order.
    fn random_cards(&self, random: &Random) -> Vec<(String, i64)> {
        let [count, one, other, cents] = random.bytes().map(usize::from);
        let (one, cents) = (one % CARDS, 1 + cents as i64 * 25);
        let other = (one + 1 + other % (CARDS - 1)) % CARDS;
        let cards = [(self.cards[one].clone(), cents), (self.cards[other].clone(), cents / 2 + 1)];
        cards.into_iter().take(count % 3).collect()
    }

    /// A code of each kind, or none.
    fn random_code(&self, random: &Random) -> &str {
        let [kind, which] = random.bytes();
        match kind % 4 {
            0 => "",
            1 => "LIMITED",
            2 => "ONCE",
            _ => &self.codes[usize::from(which) % self.codes.len()],
        }
    }

    fn place(&self, buyer: usize, key: &str, order: &str) -> BenchResult<PlaceResult> {
        let (status, body) = self.send(buyer, "/api/orders", key, order)?;
        match status {
            200 | 201 => {
                let number = body["number"].as_str().ok_or("an order without number")?;
                Ok(PlaceResult::Placed(number.to_owned()))
            }
            409 if body["error"]["code"] == "stock" => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(PlaceResult::Reduced(available_cart(&body["quote"])?))
            }
            409 if body["error"]["code"] == "credit" => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(PlaceResult::LessCredit)
            }
            409 if body["error"]["code"] == "gift_card" => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(PlaceResult::WithoutCards)
            }
            409 if body["error"]["code"] == "price" && order_has_code(order) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(PlaceResult::WithoutCode)
            }
            _ => Err(format!("placing: {status} {body}").into()),
        }
    }

    /// Retries until there is a response: a server that is killed, or has lost its database, gives none.
    fn send(&self, buyer: usize, path: &str, key: &str, body: &str) -> BenchResult<(u16, Value)> {
        let account = &self.accounts[buyer % ACCOUNTS];
        for turn in buyer.. {
            let (address, bearer) = (self.shop.address(turn), account.bearer());
            let mut headers = vec![("authorization", bearer.as_str())];
            if !key.is_empty() {
                headers.push(("idempotency-key", key));
            }
            match send_request(&address, "POST", path, &headers, body) {
                Ok((401, _)) => drop(account.renew_token(&address)),
                Ok((503, _)) | Err(_) => drop(self.lost.fetch_add(1, Ordering::Relaxed)),
                Ok(answer) => return Ok(answer),
            }
            std::thread::yield_now();
        }
        Err("never answered".into())
    }

    async fn check(&mut self) -> BenchResult {
        // Buy the remaining stock, so that everything is sold.
        for product in 0..PRODUCTS {
            let (key, all) = (format!("rest-{product}"), BuyerCart::from([(product, UNITS)]));
            self.attempt(product, key, (all, ""), Tender::default(), true)?;
        }
        for Bought { account, key, cart, code, tender, number } in self.bought().iter() {
            let order = order(cart, code, tender);
            let (status, body) = self.send(*account, "/api/orders", key, &order)?;
            if status != 200 || body["number"] != json!(number) {
                return Err(format!("{key} gave {number}, and now {status} {body}").into());
            }
        }
        self.shop.close();
        let db = Db::open(&self.shop.url).await?;
        let bought = self.bought.get_mut().unwrap_or_else(PoisonError::into_inner);
        let cancelled = self.cancelled.load(Ordering::Relaxed);
        check_equal("active orders", active_orders(&db).await?, expected_orders(bought))?;
        let count = async |sql: &'static str| -> BenchResult<i64> {
            let (count,): (i64,) = db.query(sql).one().await?;
            Ok(count)
        };
        let orders = count("select count(*) from orders").await?;
        check_equal("orders", orders, bought.len() as i64 + cancelled)?;
        check_equal(
            "cancelled",
            count("select count(*) from orders where status = 'cancelled'").await?,
            cancelled,
        )?;
        check_equal("placings", count("select count(*) from placings").await?, orders)?;
        check_equal("payments", count("select count(*) from payments").await?, orders)?;
        check_equal(
            "events",
            count("select count(*) from order_events").await?,
            orders + cancelled,
        )?;
        let emails =
            "select count(*) from (select id from stored_emails where subject like 'Your order%'
            union select id from jobs where kind = 'mail.send'
              and payload like '%\"subject\":\"Your order%') emails";
        check_equal("e-mails", count(emails).await?, orders + cancelled)?;
        let wrong = "select count(*) from variants where qtn <> 0 or units_sold <> 25";
        check_equal("variants not sold out exactly", count(wrong).await?, 0)?;
        let wrong = "select count(*) from variants v where v.qtn <>
            (select coalesce(sum(e.change), 0) from stock_entries e where e.variant = v.id)";
        check_equal("variants whose stock is not the sum of its journal", count(wrong).await?, 0)?;
        let spent = bought.iter().map(|bought| bought.tender.by_cards()).sum::<i64>();
        let left = "select cast(sum(balance) as bigint) from gift_cards";
        check_equal("left on gift cards", count(left).await?, CARD * CARDS as i64 - spent)?;
        let wrong = "select count(*) from gift_cards c where balance <>
            (select sum(amount) from gift_card_entries e where e.card = c.id)";
        check_equal("gift cards that do not add up", count(wrong).await?, 0)?;
        let wrong = "select count(*) from orders o where
            coalesce((select sum(amount) from gift_card_entries e where e.order_id = o.id), 0)
              <> case when o.status = 'cancelled' then 0 else -o.gift_cards end
            or o.gift_cards <> coalesce((select sum(amount) from order_gift_cards g where g.order_id = o.id), 0)";
        check_equal("orders not paid by their gift cards", count(wrong).await?, 0)?;
        let spent = bought.iter().map(|bought| bought.tender.credit).sum::<i64>();
        let left = "select cast(sum(balance) as bigint) from credit_accounts";
        check_equal("credit left", count(left).await?, CREDIT * ACCOUNTS as i64 - spent)?;
        let wrong = "select count(*) from credit_accounts a where balance <>
            (select sum(amount) from credit_entries e where e.account = a.id)";
        check_equal("accounts that do not add up", count(wrong).await?, 0)?;
        let wrong = "select count(*) from orders o where
            coalesce((select sum(amount) from credit_entries e where e.order_id = o.id), 0)
              <> case when o.status = 'cancelled' then 0 else -o.credit end
            or (select count(*) from payments p where p.order_id = o.id
                and p.amount = o.total - o.gift_cards - o.credit) <> 1";
        check_equal("orders not paid as agreed", count(wrong).await?, 0)?;
        let with_codes = bought.iter().filter(|bought| !bought.code.is_empty()).count() as i64;
        let uses = "select count(*) from promotion_uses";
        check_equal("orders with a code", count(uses).await?, with_codes)?;
        let wrong = "select count(*) from promotions p where max_uses is not null and (uses > max_uses or uses <>
            (select count(*) from promotion_uses u where u.promotion = p.id))";
        check_equal("promotions used too often", count(wrong).await?, 0)?;
        let wrong = "select count(*) from promotion_codes c where max_uses is not null and (uses > max_uses or uses <>
            (select count(*) from promotion_uses u where u.code = c.code))";
        check_equal("codes used too often", count(wrong).await?, 0)?;
        let wrong = "select count(*) from promotion_customers where uses > 1";
        check_equal("customers who used a promotion too often", count(wrong).await?, 0)?;
        let wrong = "select count(*) from orders o where o.discount <>
            -coalesce((select sum(a.amount) from order_adjustments a where a.order_id = o.id), 0)";
        check_equal("orders whose discount does not add up", count(wrong).await?, 0)?;
        db.close().await;
        Ok(())
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

fn order_has_code(order: &str) -> bool {
    !order.contains(r#""codes":[]"#)
}

/// The orders in the database that were not cancelled, with their lines.
async fn active_orders(db: &Db) -> BenchResult<BTreeMap<String, BuyerCart>> {
    let rows: Vec<(String, String, i64)> = db
        .query(
            "select o.number, l.variant, l.quantity from orders o
             left join order_lines l on l.order_id = o.id where o.status = 'placed'",
        )
        .all()
        .await?;
    let mut orders: BTreeMap<String, BuyerCart> = BTreeMap::new();
    for (number, product, quantity) in rows {
        let product = product.strip_prefix("goods-").unwrap_or_default().parse()?;
        orders.entry(number).or_default().insert(product, quantity);
    }
    Ok(orders)
}

fn expected_orders(bought: &[Bought]) -> BTreeMap<String, BuyerCart> {
    bought.iter().map(|bought| (bought.number.clone(), bought.cart.clone())).collect()
}

fn check_equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> BenchResult {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}").into()) }
}

fn random_cart(random: &Random) -> BuyerCart {
    let [lines, rest @ ..] = random.bytes::<9>();
    rest.chunks(2)
        .take(1 + usize::from(lines % 4))
        .map(|pair| (usize::from(pair[0]) % PRODUCTS, 1 + i64::from(pair[1] % 3)))
        .collect()
}

fn available_cart(quote: &Value) -> BenchResult<BuyerCart> {
    let lines = quote["lines"].as_array().ok_or("a refusal without a quote")?;
    let mut rest = BuyerCart::new();
    for line in lines {
        let product = line["_id"].as_str().and_then(|id| id.strip_prefix("goods-"));
        let quantity = line["qtn"].as_i64().ok_or("a line without qtn")?;
        if quantity > 0 {
            rest.insert(product.ok_or("a line without _id")?.parse()?, quantity);
        }
    }
    Ok(rest)
}

/// Kills one of PostgreSQL's processes: it ends all the others, throws its memory away and recovers.
async fn kill_database(url: &str) -> BenchResult {
    let db = Db::open(url).await?;
    let (process,): (i64,) = db.query("select cast(pg_backend_pid() as bigint)").one().await?;
    let killed = std::process::Command::new("kill").args(["-9", &process.to_string()]).status()?;
    if killed.success() { Ok(()) } else { Err("the database could not be killed".into()) }
}
