//! A shop for load: one or more servers of one database, that can be killed and opened again, and what
//! buyers say to them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::Db;
use serde_json::{Value, json};

use crate::Outcome;
use crate::shop::{self, Shop};

const SECRET: &str = "for the load of a bench alone, and nothing else";
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// Which database a house stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// Those that can be had: PostgreSQL where `scripts/with-postgres` has started one.
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

/// Goods, all in one range, as many of each.
pub fn goods(products: usize, units: i64, price: impl Fn(usize) -> i64) -> String {
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

pub struct House {
    data: PathBuf,
    options: Vec<String>,
    pub url: String,
    servers: Mutex<Vec<Option<Shop>>>,
    opened: Condvar,
}

impl House {
    /// A house of its own database with these goods, and its servers open.
    pub async fn open(dir: &Path, engine: Engine, servers: usize, goods: &str) -> Outcome<Self> {
        let data = dir.join(format!("{engine:?}"));
        std::fs::create_dir_all(&data)?;
        let mut options = vec!["--secret".to_owned(), SECRET.to_owned()];
        let url = match engine {
            Engine::Sqlite => format!("sqlite://{}", data.join("haat.db").display()),
            Engine::Postgres => {
                let url = database().await?;
                options.extend(["--database-url".to_owned(), url.clone()]);
                url
            }
        };
        let file = data.join("goods.json");
        std::fs::write(&file, goods)?;
        let options_now: Vec<&str> = options.iter().map(String::as_str).collect();
        shop::run(&data, &[&["import", &file.to_string_lossy()], &options_now[2..]].concat())?;
        let house = Self {
            data,
            options,
            url,
            servers: Mutex::new((0..servers).map(|_| None).collect()),
            opened: Condvar::new(),
        };
        for place in 0..servers {
            house.reopen(place)?;
        }
        Ok(house)
    }

    /// The shopkeeper's hand: a command on what the servers keep.
    pub fn command(&self, args: &[&str]) -> Outcome {
        let database = self.options[2..].iter().map(String::as_str);
        let args: Vec<&str> = args.iter().copied().chain(database).collect();
        shop::run(&self.data, &args)
    }

    /// Waits until nothing is left to be done afterwards: no letter, no size of a picture.
    pub async fn idle(&self) -> Outcome {
        let db = Db::open(&self.url).await?;
        while base::jobs::depth(&db).await?.0 > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        db.close().await;
        Ok(())
    }

    fn servers(&self) -> MutexGuard<'_, Vec<Option<Shop>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn reopen(&self, place: usize) -> Outcome {
        let mut options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        options.extend(["--demo", "--log", "off", "--render-threads", "1"]);
        // What the buyers reckon with.
        options.extend(["--free-delivery-over", "1000000"]);
        let shop = Shop::open(&self.data, &options)?;
        self.servers()[place] = Some(shop);
        self.opened.notify_all();
        Ok(())
    }

    /// Ends a server in the middle of whatever it does.
    pub fn kill(&self, place: usize) {
        let shop = self.servers()[place].take();
        drop(shop);
    }

    pub fn close(&self) {
        self.servers().iter_mut().for_each(|shop| drop(shop.take()));
    }

    /// The address of one that is open; waits for one where there is none.
    pub fn address(&self, dice: usize) -> String {
        let mut servers = self.servers();
        loop {
            let open: Vec<&Shop> = servers.iter().flatten().collect();
            if !open.is_empty() {
                return open[dice % open.len()].address.clone();
            }
            servers = self.opened.wait(servers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Accounts with their access tokens, made as a browser makes them.
    pub fn accounts(&self, count: usize) -> Outcome<Vec<Account>> {
        (0..count)
            .map(|n| {
                let email = format!("buyer-{n}@haat.example");
                let body = json!({ "email": email, "password": "Secret1!" }).to_string();
                let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
                let (status, new) = ask(&self.address(n), "POST", path, &[], &body)?;
                let id_token =
                    new["idToken"].as_str().ok_or(format!("{status}: {new}"))?.to_owned();
                let uid = new["localId"].as_str().unwrap_or_default().to_owned();
                let account = Account { uid, email, id_token, token: Mutex::default() };
                account.renew(&self.address(n))?;
                Ok(account)
            })
            .collect()
    }
}

/// A database of its own, in which what is acknowledged is on its way to the disk.
async fn database() -> Outcome<String> {
    let server = std::env::var("HAAT_TEST_POSTGRES")?;
    let name = format!("load_{}_{}", std::process::id(), base::Clock::system().now().0);
    let admin = Db::open(&format!("{server}/postgres")).await?;
    admin.query(format!("create database {name}")).execute().await?;
    admin.query(format!("alter database {name} set synchronous_commit = on")).execute().await?;
    admin.close().await;
    Ok(format!("{server}/{name}"))
}

pub struct Account {
    pub uid: String,
    pub email: String,
    id_token: String,
    token: Mutex<String>,
}

impl Account {
    pub fn bearer(&self) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        format!("Bearer {token}")
    }

    /// Gets another access token: each lives for a quarter of an hour.
    pub fn renew(&self, address: &str) -> Outcome {
        let path = format!("/api/user/jwt?email={}", self.email);
        let bearer = format!("Bearer {}", self.id_token);
        let (status, body) = ask(address, "GET", &path, &[("authorization", &bearer)], "")?;
        let token = body["accessToken"].as_str().ok_or(format!("{status}: {body}"))?;
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token.to_owned();
        Ok(())
    }
}

/// One question over a connection of its own, and its answer.
pub fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> std::io::Result<(u16, Value)> {
    Line::open(address)?.ask(method, path, headers, body)
}

/// A connection that is kept open, as browsers do.
pub struct Line(TcpStream);

impl Line {
    pub fn open(address: &str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWERED_WITHIN))?;
        Ok(Self(stream))
    }

    pub fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> std::io::Result<(u16, Value)> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let length = body.len();
        head += &format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        self.0.write_all((head + body).as_bytes())?;
        self.answer()
    }

    fn answer(&mut self) -> std::io::Result<(u16, Value)> {
        let broken = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let (mut answer, mut chunk) = (Vec::new(), [0; 16 << 10]);
        loop {
            let count = self.0.read(&mut chunk)?;
            if count == 0 {
                return Err(broken());
            }
            answer.extend_from_slice(&chunk[..count]);
            let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = String::from_utf8_lossy(&answer[..end]);
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.and_then(|n| n.parse().ok()).ok_or_else(broken)?;
            if answer.len() < end + 4 + length {
                continue;
            }
            let status =
                head.get(9..12).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
            return Ok((status, serde_json::from_slice(&answer[end + 4..]).map_err(|_| broken())?));
        }
    }
}
