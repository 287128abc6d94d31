//! A shop under load: one or more servers on one database that can be killed and restarted, and an HTTP client for
//! its buyers.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use platform::Db;
use serde_json::{Value, json};

use crate::BenchResult;
use crate::forwarder::Upstreams;
use crate::process::{self, ShopProcess};

const SECRET: &str = "for the load of a bench alone, and nothing else";
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseEngine {
    Sqlite,
    Postgres,
}

impl DatabaseEngine {
    /// The available engines: PostgreSQL only under `scripts/with-postgres`.
    pub fn all() -> Vec<Self> {
        match std::env::var("HAAT_TEST_POSTGRES") {
            Ok(_) => vec![Self::Sqlite, Self::Postgres],
            Err(_) => {
                println!("without PostgreSQL: scripts/with-postgres starts one");
                vec![Self::Sqlite]
            }
        }
    }
}

/// An import file like `products_json`, in which each second one is another variant of the product before it.
pub fn variants_json(variants: usize, units: i64, price: impl Fn(usize) -> i64) -> String {
    let variant = |n: usize, colour: &str| {
        json!({ "_id": format!("goods-{n}"), "options": { "Colour": colour }, "sku": format!("G{n}"),
                "qtn": units, "realPrice": price(n) as f64 / 100.0 })
    };
    let product = |n: usize| {
        let colours = ["Sand", "Ink"];
        let count = colours.len().min(variants - n);
        let listed: Vec<Value> = (0..count).map(|next| variant(n + next, colours[next])).collect();
        json!({ "_id": format!("goods-{n}"), "category": "range", "name": format!("Goods {n}"),
                "sku": format!("G{n}"), "img": ["/demo/audio.svg"], "variants": listed,
                "realPrice": price(n) as f64 / 100.0 })
    };
    let products: Vec<Value> = (0..variants).step_by(2).map(product).collect();
    let range = json!({ "_id": "range", "name": "Range", "img": "/demo/audio.svg" });
    json!({ "categories": [range], "products": products }).to_string()
}

/// An import file with products in one category, each with the same stock.
pub fn products_json(products: usize, units: i64, price: impl Fn(usize) -> i64) -> String {
    let products: Vec<Value> = (0..products)
        .map(|n| {
            json!({ "_id": format!("goods-{n}"), "category": "range", "name": format!("Goods {n}"),
                    "sku": format!("G{n}"), "img": ["/demo/audio.svg"], "qtn": units,
                    "realPrice": price(n) as f64 / 100.0 })
        })
        .collect();
    let range = json!({ "_id": "range", "name": "Range", "img": "/demo/audio.svg" });
    json!({ "categories": [range], "products": products }).to_string()
}

/// How a shop is set up besides the defaults.
#[derive(Clone, Default)]
pub struct ShopSetup {
    /// Options of the servers.
    pub options: Vec<String>,
    /// Where the addresses of the servers are listed.
    pub upstreams: Upstreams,
}

pub struct LoadShop {
    data: PathBuf,
    options: Vec<String>,
    setup: ShopSetup,
    pub url: String,
    servers: Mutex<Vec<Option<ShopProcess>>>,
    started: Condvar,
}

impl LoadShop {
    /// Creates a database with these products, and starts the servers.
    pub async fn open(
        dir: &Path,
        engine: DatabaseEngine,
        servers: usize,
        products: &str,
        setup: ShopSetup,
    ) -> BenchResult<Self> {
        let data = dir.join(format!("{engine:?}"));
        std::fs::create_dir_all(&data)?;
        let mut options = vec!["--secret".to_owned(), SECRET.to_owned()];
        let url = match engine {
            DatabaseEngine::Sqlite => format!("sqlite://{}", data.join("haat.db").display()),
            DatabaseEngine::Postgres => {
                let url = database().await?;
                options.extend(["--database-url".to_owned(), url.clone()]);
                url
            }
        };
        let file = data.join("goods.json");
        std::fs::write(&file, products)?;
        let options_now: Vec<&str> = options.iter().map(String::as_str).collect();
        process::run(&data, &[&["import", &file.to_string_lossy()], &options_now[2..]].concat())?;
        let shop = Self {
            data,
            options,
            setup,
            url,
            servers: Mutex::new((0..servers).map(|_| None).collect()),
            started: Condvar::new(),
        };
        for server in 0..servers {
            shop.reopen(server)?;
        }
        Ok(shop)
    }

    /// Runs a command of the program on this shop, and answers what it prints.
    pub fn command(&self, args: &[&str]) -> BenchResult<String> {
        let database = self.options[2..].iter().map(String::as_str);
        let args: Vec<&str> = args.iter().copied().chain(database).collect();
        process::run(&self.data, &args)
    }

    /// The same for a command that needs the servers' secret.
    pub fn command_with_secret(&self, args: &[&str]) -> BenchResult<String> {
        self.command(&[args, &["--secret", SECRET]].concat())
    }

    /// Waits until the job queue is empty.
    pub async fn wait_until_idle(&self) -> BenchResult {
        let db = Db::open(&self.url).await?;
        while platform::jobs::queue_depth(&db).await?.0 > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        db.close().await;
        Ok(())
    }

    fn servers(&self) -> MutexGuard<'_, Vec<Option<ShopProcess>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn reopen(&self, server: usize) -> BenchResult {
        let mut options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        options.extend(["--demo", "--log", "off", "--render-threads", "1"]);
        // The buyers compute their totals without free delivery.
        options.extend(["--free-delivery-over", "1000000"]);
        options.extend(self.setup.options.iter().map(String::as_str));
        let shop = ShopProcess::open(&self.data, &options)?;
        self.setup.upstreams.set(server, &shop.address);
        self.servers()[server] = Some(shop);
        self.started.notify_all();
        Ok(())
    }

    pub fn kill(&self, server: usize) {
        self.setup.upstreams.remove(server);
        let shop = self.servers()[server].take();
        drop(shop);
    }

    /// Kills all servers.
    pub fn close(&self) {
        let servers = self.servers().len();
        (0..servers).for_each(|server| self.kill(server));
    }

    /// Starts all servers.
    pub fn reopen_all(&self) -> BenchResult {
        let servers = self.servers().len();
        (0..servers).try_for_each(|server| self.reopen(server))
    }

    /// The address of a running server; waits if there is none.
    pub fn address(&self, seed: usize) -> String {
        let mut servers = self.servers();
        loop {
            let open: Vec<&ShopProcess> = servers.iter().flatten().collect();
            if !open.is_empty() {
                return open[seed % open.len()].address.clone();
            }
            servers = self.started.wait(servers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Creates accounts with access tokens, as a browser does.
    pub fn accounts(&self, count: usize) -> BenchResult<Vec<BuyerAccount>> {
        (0..count)
            .map(|n| {
                let email = format!("buyer-{n}@haat.example");
                let body = json!({ "email": email, "password": "Secret1!" }).to_string();
                let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
                let (status, new) = send_request(&self.address(n), "POST", path, &[], &body)?;
                let id_token =
                    new["idToken"].as_str().ok_or(format!("{status}: {new}"))?.to_owned();
                let uid = new["localId"].as_str().unwrap_or_default().to_owned();
                let account = BuyerAccount { uid, email, id_token, token: Mutex::default() };
                account.renew_token(&self.address(n))?;
                Ok(account)
            })
            .collect()
    }
}

/// Creates a PostgreSQL database with synchronous commits.
async fn database() -> BenchResult<String> {
    let server = std::env::var("HAAT_TEST_POSTGRES")?;
    let name = format!("load_{}_{}", std::process::id(), platform::Clock::system().now().0);
    let admin = Db::open(&format!("{server}/postgres")).await?;
    admin.query(format!("create database {name}")).execute().await?;
    admin.query(format!("alter database {name} set synchronous_commit = on")).execute().await?;
    admin.close().await;
    Ok(format!("{server}/{name}"))
}

pub struct BuyerAccount {
    pub uid: String,
    pub email: String,
    id_token: String,
    token: Mutex<String>,
}

impl BuyerAccount {
    pub fn bearer(&self) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        format!("Bearer {token}")
    }

    /// Gets a new access token: each expires after 15 minutes.
    pub fn renew_token(&self, address: &str) -> BenchResult {
        let path = format!("/api/user/jwt?email={}", self.email);
        let bearer = format!("Bearer {}", self.id_token);
        let (status, body) =
            send_request(address, "GET", &path, &[("authorization", &bearer)], "")?;
        let token = body["accessToken"].as_str().ok_or(format!("{status}: {body}"))?;
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token.to_owned();
        Ok(())
    }
}

/// Sends one request over a new connection.
pub fn send_request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> std::io::Result<(u16, Value)> {
    Connection::open(address)?.send(method, path, headers, body)
}

/// A response.
pub struct HttpAnswer {
    pub status: u16,
    /// Where the browser is sent; empty where it stays.
    pub location: String,
    pub body: Vec<u8>,
}

/// A keep-alive connection.
pub struct Connection(TcpStream);

impl Connection {
    pub fn open(address: &str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
        Ok(Self(stream))
    }

    /// Sends and receives JSON.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> std::io::Result<(u16, Value)> {
        let headers: Vec<_> =
            headers.iter().copied().chain([("content-type", "application/json")]).collect();
        let HttpAnswer { status, body, .. } = self.exchange(method, path, &headers, body)?;
        Ok((status, serde_json::from_slice(&body).map_err(|_| broken())?))
    }

    pub fn exchange(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> std::io::Result<HttpAnswer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        self.0.write_all((head + body).as_bytes())?;
        self.read_response()
    }

    fn read_response(&mut self) -> std::io::Result<HttpAnswer> {
        let (mut response, mut chunk) = (Vec::new(), [0; 16 << 10]);
        loop {
            let count = self.0.read(&mut chunk)?;
            if count == 0 {
                return Err(broken());
            }
            response.extend_from_slice(&chunk[..count]);
            let Some(end) = response.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = String::from_utf8_lossy(&response[..end]);
            let header = |name| head.lines().find_map(|line| line.strip_prefix(name));
            let length = header("content-length: ").and_then(|length| length.parse().ok());
            let length: usize = length.ok_or_else(broken)?;
            if response.len() < end + 4 + length {
                continue;
            }
            let status = head.get(9..12).and_then(|status| status.parse().ok());
            let location = header("location: ").unwrap_or_default().to_owned();
            let status = status.ok_or_else(broken)?;
            return Ok(HttpAnswer { status, location, body: response.split_off(end + 4) });
        }
    }
}

fn broken() -> std::io::Error {
    std::io::ErrorKind::UnexpectedEof.into()
}
