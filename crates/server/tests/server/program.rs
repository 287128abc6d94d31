//! The program as a process: commands, settings, signals and crashes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use test_support::{PATIENCE, eventually, on_both};

use super::*;

on_both!(Sandbox:
    an_empty_shop_starts_and_the_demo_is_seeded_once,
    a_killed_shop_restarts_with_all_committed_data,
    a_running_shop_shows_an_import,
    an_invalid_import_is_reported_by_line_and_changes_nothing,
    a_stopped_shop_finishes_requests_in_flight,
    many_servers_start_on_one_database_at_once,
    no_acknowledged_account_is_lost_in_a_crash,
);

/// The program, without the settings of the machine on which the tests run.
fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_haat"));
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"HAAT_") {
            command.env_remove(name);
        }
    }
    command.current_dir(dir);
    command
}

/// A data directory and a database for the program as a process.
pub struct Sandbox {
    pub dir: tempfile::TempDir,
    database: Vec<String>,
}

impl Sandbox {
    pub async fn new(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let database = match engine {
            Engine::Sqlite => {
                vec!["--data-dir".into(), dir.path().join("data").display().to_string()]
            }
            Engine::Postgres => vec!["--database-url".into(), TestDb::new(engine).await.url],
        };
        Self { dir, database }
    }

    pub fn sqlite() -> Self {
        let database = vec!["--data-dir".into(), "data".into()];
        Self { dir: tempfile::tempdir().unwrap(), database }
    }

    pub fn haat(&self, args: &[&str]) -> Command {
        let mut command = program(self.dir.path());
        command.args(args).args(&self.database);
        // All tests have the same IP address.
        command.env("HAAT_SIGN_UPS_PER_HOUR", "100000");
        command
    }

    pub fn database_url(&self) -> String {
        match &self.database[..] {
            [flag, url] if flag == "--database-url" => url.clone(),
            _ => format!("sqlite://{}", self.dir.path().join("data/haat.db").display()),
        }
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.haat(args).output().unwrap()
    }

    fn open(&self) -> Shop {
        self.open_with(&["--demo"])
    }

    pub fn open_with(&self, options: &[&str]) -> Shop {
        self.open_logging(options, Stdio::null())
    }

    fn open_logging(&self, options: &[&str], log: Stdio) -> Shop {
        let mut command = self.haat(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(options);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let address = next_address(&mut stdout, "Haat is open at http://");
        Shop { address, child, stdout }
    }

    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// The next line of output after this prefix.
fn next_address(stdout: &mut impl BufRead, words: &str) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    line.trim().strip_prefix(words).unwrap_or_else(|| panic!("{line:?}")).to_owned()
}

pub struct Shop {
    pub address: String,
    child: Child,
    stdout: BufReader<ChildStdout>,
}

/// A page that the server leaves to the browser, because its render took too long on a busy machine.
const UNRENDERED: &str = "<div id=\"root\"></div>";

impl Shop {
    /// Requests an unrendered page again.
    pub fn get(&self, path: &str) -> String {
        let start = Instant::now();
        loop {
            let answer = self.request("GET", path);
            if !answer.contains(UNRENDERED) {
                return answer;
            }
            assert!(start.elapsed() < PATIENCE, "{path} is not rendered within {PATIENCE:?}");
        }
    }

    pub fn get_with_token(&self, path: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
            authorization: Bearer {token}\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    pub fn try_post(&self, path: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.address)?;
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
            content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    fn request(&self, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// Waits for the process to exit.
    pub fn wait(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn products_json(from: usize, to: usize) -> String {
    let products: Vec<String> = (from..to)
        .map(|n| {
            format!(
                r#"{{"_id": "extra-{n}", "category": "audio", "name": "Extra {n}", "sku": "X-{n}",
                    "img": ["/favicon.svg"], "realPrice": 5, "qtn": 1}}"#
            )
        })
        .collect();
    format!(r#"{{"products": [{}]}}"#, products.join(","))
}

async fn an_empty_shop_starts_and_the_demo_is_seeded_once(sandbox: Sandbox) {
    for _ in 0..2 {
        let shop = sandbox.open();
        let answer = shop.get("/api/products?limit=1");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(answer.contains("x-total-count: 64"), "{answer}");
        assert!(shop.get("/").contains("Flash Deal"));
        let head = shop.request("HEAD", "/");
        assert!(head.starts_with("HTTP/1.1 200 OK") && head.ends_with("\r\n\r\n"), "{head}");
    }
    let check = sandbox.run(&["check"]);
    assert!(check.status.success() && text(&check).contains("64 products"), "{}", text(&check));
    for (args, line) in [
        (&["check", "--demo"][..], "texts: shown at /dev/mail"),
        (&["check", "--demo", "--smtp-host", "mail.example"][..], "texts: no gateway is set,"),
        (&["check", "--sms-url", "https://sms.example/?key=k"][..], "texts: sent by sms.example\n"),
    ] {
        let output = text(&sandbox.run(args));
        assert!(output.contains(line), "{output}");
    }
}

async fn a_killed_shop_restarts_with_all_committed_data(sandbox: Sandbox) {
    drop(sandbox.open());
    let mut committed = 64;
    for round in 0..4 {
        let shop = sandbox.open();
        let file = sandbox.file("goods.json", &products_json(round * 300, round * 300 + 300));
        let mut import = sandbox.haat(&["import", file.to_str().unwrap()]);
        let mut import = import.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        if round % 2 == 0 {
            let output = import.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", text(&output));
            committed += 300;
        } else {
            // Killed at an arbitrary point: the import is applied completely or not at all.
            for _ in 0..round * 20 {
                shop.get("/healthz");
            }
            import.kill().unwrap();
            import.wait().unwrap();
        }
        shop.signal("-KILL");
        drop(shop);
        let shop = sandbox.open();
        let answer = shop.get("/api/products?limit=1");
        let total =
            answer.split("x-total-count: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let total: i32 = total.unwrap().parse().unwrap();
        assert!(total == committed || (round % 2 == 1 && total == committed + 300), "{total}");
        committed = total;
    }
}

async fn a_running_shop_shows_an_import(sandbox: Sandbox) {
    let shop = sandbox.open();
    assert!(!shop.get("/category/audio").contains("Extra 0"));
    let file = sandbox.file("goods.json", &products_json(0, 1));
    let output = sandbox.run(&["import", file.to_str().unwrap()]);
    assert!(
        text(&output).contains("products: 1 added, 0 updated, 0 unchanged"),
        "{}",
        text(&output)
    );
    let seen = async || shop.get("/category/audio").contains("Extra 0");
    eventually("the import is seen", seen).await;
}

async fn an_invalid_import_is_reported_by_line_and_changes_nothing(sandbox: Sandbox) {
    let shop = sandbox.open();
    let csv = "_id,category,name,sku,img,realPrice,qtn\n\
               new,audio,New,N1,/favicon.svg,5,1\n\
               bad,audio,Bad,N2,/favicon.svg,five,1\n";
    let file = sandbox.file("goods.csv", csv);
    let output = sandbox.run(&["import", file.to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(text(&output).contains("goods.csv: line 3, column 6: realPrice"), "{}", text(&output));
    assert!(shop.get("/api/products/new").starts_with("HTTP/1.1 404"));
    let misspelt = csv.replace("realPrice", "realPrize").replace("five", "5");
    std::fs::write(&file, misspelt).unwrap();
    let output = text(&sandbox.run(&["import", file.to_str().unwrap()]));
    let meant = "line 1, column 6: there is no column \"realPrize\"; did you mean realPrice?";
    assert!(output.contains(meant), "{output}");
    let soon = text(&sandbox.run(&["import", file.to_str().unwrap(), "--stock-at", "soon"]));
    assert!(soon.contains("now, or a time like 2026-11-15T09:30:00Z"), "{soon}");
    std::fs::write(&file, csv.replace("five", "5")).unwrap();
    for (stock_at, line) in [
        (&[][..], "products: 2 added"),
        (&[][..], "products: 0 added, 0 updated, 2 unchanged\n"),
        (&["--stock-at", "now"][..], "products: 0 added, 0 updated, 2 unchanged\n"),
    ] {
        let args = [&["import", file.to_str().unwrap()][..], stock_at].concat();
        let output = text(&sandbox.run(&args));
        assert!(output.contains(line), "{output}");
    }

    std::fs::write(&file, b"_id,name\n\xff\xfe,x\n").unwrap();
    assert!(text(&sandbox.run(&["import", file.to_str().unwrap()])).contains("line 2: not UTF-8"));
    assert!(text(&sandbox.run(&["import", "nothing.json"])).contains("nothing.json"));
    assert!(text(&sandbox.run(&["import", "goods.xml"])).contains(".json or .csv"));
}

async fn a_stopped_shop_finishes_requests_in_flight(sandbox: Sandbox) {
    let mut shop = sandbox.open();
    // A request whose body is incomplete is in flight; `100 Continue` shows that the shop waits for the rest.
    let mut open = TcpStream::connect(&shop.address).unwrap();
    let form = "content-type: application/x-www-form-urlencoded\r\ncontent-length: 12\r\nexpect: 100-continue";
    write!(open, "POST /currency HTTP/1.1\r\nhost: localhost\r\n{form}\r\n\r\n").unwrap();
    let mut go_on = [0; 25];
    open.read_exact(&mut go_on).unwrap();
    assert!(go_on.starts_with(b"HTTP/1.1 100 Continue"));
    shop.signal("-TERM");
    eventually("no new connections", async || TcpStream::connect(&shop.address).is_err()).await;
    write!(open, "currency=BDT").unwrap();
    let mut answer = String::new();
    open.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 303 See Other"), "{answer}");
    let status = shop.child.wait().unwrap();
    assert!(status.success(), "{status}");
}

async fn many_servers_start_on_one_database_at_once(sandbox: Sandbox) {
    let shops: Vec<Shop> = std::thread::scope(|scope| {
        let opening: Vec<_> = (0..3).map(|_| scope.spawn(|| sandbox.open())).collect();
        opening.into_iter().map(|shop| shop.join().unwrap()).collect()
    });
    for shop in shops {
        assert!(shop.get("/api/products?limit=1").contains("x-total-count: 64"));
    }
}

async fn no_acknowledged_account_is_lost_in_a_crash(sandbox: Sandbox) {
    let shop = sandbox.open();
    let body = |n: usize| format!(r#"{{"email": "user{n}@haat.example", "password": "Secret1!"}}"#);
    let sign_up = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
    // 500 concurrent requests; the shop is killed after some responses.
    let answered = AtomicUsize::new(0);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..500)
            .map(|n| {
                let (shop, body, answered) = (&shop, body(n), &answered);
                scope.spawn(move || {
                    let answer = shop.try_post(sign_up, &body).ok()?;
                    let (head, json) = answer.split_once("\r\n\r\n")?;
                    if !head.starts_with("HTTP/1.1 200") {
                        return None; // beyond the limit of concurrent password hashing
                    }
                    answered.fetch_add(1, Ordering::SeqCst);
                    let json: serde_json::Value = serde_json::from_str(json).ok()?;
                    Some(json["idToken"].as_str().unwrap().to_owned())
                })
            })
            .collect();
        // The shop needs the cores too.
        let all_ended = || askers.iter().all(|asker| asker.is_finished());
        while answered.load(Ordering::SeqCst) < 40 && !all_ended() {
            std::thread::sleep(Duration::from_millis(1));
        }
        shop.signal("-KILL");
        askers.into_iter().filter_map(|asker| asker.join().unwrap()).collect()
    });
    assert!(acknowledged.len() >= 40, "{}", acknowledged.len());
    drop(shop);
    let shop = sandbox.open();
    let lookup = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=haat-storefront";
    for token in acknowledged {
        let answer = shop.try_post(lookup, &format!(r#"{{"idToken": "{token}"}}"#)).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
}

#[test]
fn invalid_settings_are_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("haat.toml"), "lisen = \"127.0.0.1:0\"").unwrap();
    let haat = || {
        let mut command = program(dir.path());
        // A free port: a shop may be running on the default one.
        command.env("HAAT_LISTEN", "127.0.0.1:0");
        command
    };
    let file = haat().arg("serve").output().unwrap();
    assert!(!file.status.success() && text(&file).contains("haat.toml: lisen"), "{}", text(&file));
    std::fs::remove_file(dir.path().join("haat.toml")).unwrap();
    for (args, env, named) in [
        (&["serve", "--lisen", "x"][..], None, "--lisen"),
        (&["serve"][..], Some(("HAAT_LISEN", "x")), "HAAT_LISEN"),
        (&["serve", "--listen", "nowhere"][..], None, "nowhere"),
        (&["serve", "--bdt-rate", "free"][..], None, "bdt-rate"),
        (&["serve", "--public-url", "shop"][..], None, "public-url"),
        (&["serve", "--database-url", "postgres://127.0.0.1:1/x"][..], None, "database"),
        (&["serve", "--database-url", "mysql"][..], None, "database_url"),
        (&["check", "--bdt-rate", "free"][..], None, "bdt-rate"),
        (&["serve", "--currency", "EURO"][..], None, "the code of a currency"),
        (&["serve", "--currencies", "EUR"][..], None, "a currency and its rate"),
        (&["serve", "--currencies", "EUR=0"][..], None, "a rate above 0"),
        (&["serve", "--currencies", "EUR=0.92 to 0"][..], None, "rounded to a step"),
        (&["serve", "--currencies", "EUR=0.92 on Monday"][..], None, "the day of the rate"),
        (&["serve", "--currencies", "EUR=0.92,EUR=1"][..], None, "EUR is named twice"),
        (&["check", "--currencies", "USD=1"][..], None, "USD is named twice"),
        (&["check", "--shipping", "1.005"][..], None, "USD has 2 decimals"),
        (&["check", "--unpaid-max", "0.001"][..], None, "USD has 2 decimals"),
        (&["serve"][..], Some(("HAAT_SECRET", "short")), "secret"),
        (&["serve", "--google-client-id", "a"][..], None, "google_client_secret is missing"),
        (&["check"][..], Some(("HAAT_FACEBOOK_APP_SECRET", "a")), "facebook_app_id is missing"),
        (&["check", "--oidc-id", "company"][..], None, "oidc.company"),
        (&["serve", "--config", "nothing.toml"][..], None, "nothing.toml"),
        (&["serve", "--web-dir", "nothing"][..], None, "nothing"),
        (&["serve", "--languages", "english"][..], None, "two or three lower-case letters"),
        (&["serve", "--languages", "en", "--language", "bn"][..], None, "none of the languages"),
        (&["serve", "--languages", "en,xx"][..], None, "no messages in xx"),
        (&["check", "--languages", "en,xx"][..], None, "no messages in xx"),
        (&["serve", "--sms-url", "gateway"][..], None, "sms-url"),
        (
            &["serve", "--listen", "127.0.0.1:0", "--smtp-host", "localhost", "--smtp-user", "me"]
                [..],
            None,
            "smtp_password",
        ),
        (&["serve", "--email", "Haat <hello@haat.example>"][..], None, "e-mail address alone"),
        (&["serve", "--mail-from", "hello@localhost"][..], None, "mail-from"),
        (&["serve", "--sms-countries", "880"][..], None, "sms-countries"),
        // A demo without access control runs on loopback only.
        (&["serve", "--demo", "--listen", "0.0.0.0:0"][..], None, "demo providers"),
        (
            &["identity", "--demo", "--listen", "127.0.0.1:0", "--smtp-host", "127.0.0.1"][..],
            None,
            "demo providers",
        ),
        (
            &["identity", "--demo", "--listen=127.0.0.1:0", "--public-url=https://shop.example"][..],
            None,
            "demo providers",
        ),
        (
            &[
                "identity",
                "--demo",
                "--listen=127.0.0.1:0",
                "--public-url=https://shop.example",
                "--google-client-id=a",
                "--google-client-secret=b",
                "--facebook-app-id=c",
                "--facebook-app-secret=d",
            ][..],
            None,
            "/dev/mail",
        ),
    ] {
        let output = haat().args(args).envs(env).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert!(text(&output).contains(named), "{args:?}: {}", text(&output));
    }
}

#[test]
fn a_check_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let output = program(dir.path()).arg("check").env("HAAT_DEMO", "1").output().unwrap();
    assert!(output.status.success() && text(&output).contains("none yet"), "{}", text(&output));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn demo_providers_exist_only_in_the_demo() {
    let paths = ["authorize", "token", "keys", ".well-known/openid-configuration"];
    let answers = |shop: &Shop| {
        paths.map(|path| shop.get(&format!("/dev/provider/{path}"))[9..12].to_owned())
    };
    let start = "/auth/start?provider=google.com&state=0123456789abcdef";
    let sandbox = Sandbox::sqlite();
    let shop = sandbox.open();
    assert_eq!(answers(&shop), ["400", "405", "200", "200"]);
    let sent = shop.get(start);
    assert!(sent.starts_with("HTTP/1.1 303"), "{sent}");
    assert!(sent.contains(&format!("location: http://{}/dev/provider/authorize?", shop.address)));
    assert!(sent.contains("cross-origin-opener-policy: unsafe-none"), "{sent}");
    assert!(shop.get("/login").contains("\"providers\":[\"google.com\",\"facebook.com\"]"));
    assert!(shop.get("/login").contains("\"sendsEmail\":true"));
    drop(shop);

    let shop = sandbox.open_with(&[]);
    assert_eq!(answers(&shop), ["404", "404", "404", "404"]);
    assert!(shop.get(start).contains("data-error=\"operation-not-allowed\""));
    let login = shop.get("/login");
    assert!(login.contains("\"providers\":[]") && !login.contains("data-provider"));
    // There is no mail server either, so no page promises an e-mail.
    assert!(login.contains("\"sendsEmail\":false"));
    assert!(shop.get("/").contains("This shop cannot send e-mail yet."));
    drop(shop);

    let own = ["--demo", "--google-client-id=a", "--google-client-secret=b"];
    let own = [&own[..], &["--facebook-app-id=c", "--facebook-app-secret=d"]].concat();
    // With real providers and a mail server a demo may be public.
    let own = [&own[..], &["--smtp-host=127.0.0.1", "--public-url=https://shop.example"]].concat();
    let shop = sandbox.open_with(&own);
    assert_eq!(answers(&shop), ["404", "404", "404", "404"]);
}

#[test]
fn idle_connections_block_neither_others_nor_the_shutdown() {
    let sandbox = Sandbox::sqlite();
    let mut shop = sandbox.open();
    let silent: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(&shop.address).unwrap()).collect();
    assert!(shop.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    shop.signal("-TERM");
    assert!(shop.child.wait().unwrap().success());
    drop(silent);
}

#[test]
fn endless_headers_are_cut_off() {
    let sandbox = Sandbox::sqlite();
    let shop = sandbox.open();
    let mut stream = TcpStream::connect(&shop.address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: localhost\r\nx-big: ").unwrap();
    let chunk = [b'x'; 16 << 10];
    let mut sent = 0;
    // 10 MB, or until the shop closes the connection.
    while sent < 10 << 20 && stream.write_all(&chunk).is_ok() {
        sent += chunk.len();
    }
    assert!(sent < 10 << 20, "the shop took it all");
    assert!(shop.get("/healthz").starts_with("HTTP/1.1 200 OK"));
}

/// The response to one request with these headers.
fn answer_to(mut stream: TcpStream, path: &str, headers: &str) -> String {
    let mut answer = String::new();
    let sent = write!(stream, "GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    // A refused connection may be closed before the request is sent.
    let _ = sent.and_then(|()| stream.read_to_string(&mut answer));
    answer
}

fn connected(address: &str) -> TcpStream {
    TcpStream::connect(address).unwrap()
}

#[test]
fn a_demo_checks_the_host_header_and_warns_about_an_untrusted_proxy() {
    let sandbox = Sandbox::sqlite();
    let log = sandbox.dir.path().join("log");
    let log_to = || Stdio::from(std::fs::File::create(&log).unwrap());
    let shop = sandbox.open_logging(&["--demo", "--allowed-hosts", "till,desk"], log_to());
    let status = |host: &str, path: &str| {
        answer_to(connected(&shop.address), path, &format!("host: {host}\r\n"))[9..12].to_owned()
    };
    for path in ["/dev/mail", "/", "/api/products"] {
        for host in ["evil.example", "127.0.0.1.evil.example:8080", "evil", "evil:8080"] {
            assert_eq!(status(host, path), "421", "{host}{path}");
        }
        for host in ["localhost", "127.0.0.1:8080", "[::1]:8080", "till:80", &shop.address] {
            assert_eq!(status(host, path), "200", "{host}{path}");
        }
    }
    assert_eq!(status("localhost", "/metrics"), "200");
    for _ in 0..2 {
        let forwarded = "x-forwarded-for: 203.0.113.7\r\n";
        let answer = answer_to(connected(&shop.address), "/metrics", forwarded);
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log.matches("set trust_proxy").count(), 1, "{log}");
}

#[test]
fn metrics_can_have_a_separate_address_and_a_token() {
    let sandbox = Sandbox::sqlite();
    let apart = ["--metrics-listen", "127.0.0.1:0", "--metrics-token", "let me see"];
    let mut shop = sandbox.open_with(&apart);
    let address = next_address(&mut shop.stdout, "Metrics are at http://");
    let address = address.strip_suffix("/metrics").unwrap();
    let token = "authorization: Bearer let me see\r\n";
    for (at, headers, status) in [
        (shop.address.as_str(), token, "404"),
        (address, token, "200"),
        (address, "authorization: Bearer let me se\r\n", "401"),
        (address, "", "401"),
    ] {
        let answer = answer_to(connected(at), "/metrics", headers);
        assert_eq!(&answer[9..12], status, "{answer}");
    }
    assert!(answer_to(connected(address), "/api/products", token).starts_with("HTTP/1.1 404"));
    drop(shop);
    let shop = sandbox.open_with(&["--metrics-token", "let me see", "--trust-proxy"]);
    for (headers, status) in [(token, "200"), ("", "401")] {
        let answer = answer_to(connected(&shop.address), "/metrics", headers);
        assert_eq!(&answer[9..12], status, "{answer}");
    }
    drop(shop);
    let shop = sandbox.open_with(&["--public-url", "https://shop.example"]);
    assert_eq!(&answer_to(connected(&shop.address), "/metrics", "")[9..12], "403");
}

#[test]
fn data_files_are_private_to_the_user() {
    let sandbox = Sandbox::sqlite();
    let data = sandbox.dir.path().join("data");
    let others_can = |path: &std::path::Path| {
        let mode = std::fs::symlink_metadata(path).unwrap().permissions().mode();
        mode & 0o077 != 0
    };
    let all = || {
        let mut found = vec![data.clone()];
        let mut at = 0;
        while at < found.len() {
            if let Ok(entries) = std::fs::read_dir(&found[at]) {
                found.extend(entries.map(|entry| entry.unwrap().path()));
            }
            at += 1;
        }
        found
    };
    drop(sandbox.open());
    let made = all();
    for name in ["haat.db", "secret.key", "index.lock"] {
        assert!(made.contains(&data.join(name)), "{name} in {made:?}");
    }
    for path in &made {
        assert!(!others_can(path), "{} is made for all", path.display());
    }
    // Files of an earlier version that was killed while it wrote its index, and a file that is not the shop's.
    let other = data.join("notes.txt");
    std::fs::write(&other, "mine").unwrap();
    for folder in ["index", "index.new", "index.old", "media/masters"] {
        std::fs::create_dir_all(data.join(folder)).unwrap();
        std::fs::write(data.join(folder).join("file"), "x").unwrap();
    }
    for path in all() {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    drop(sandbox.open());
    for path in all().iter().filter(|path| **path != other) {
        assert!(!others_can(path), "{} is left open", path.display());
    }
    assert!(others_can(&other));
}

#[tokio::test]
async fn connections_per_network_are_limited() {
    let sandbox = Sandbox::sqlite();
    let shop = sandbox.open_with(&["--connections-per-network", "4"]);
    let mut silent: Vec<TcpStream> = (0..4).map(|_| connected(&shop.address)).collect();
    let refused = answer_to(connected(&shop.address), "/healthz", "");
    assert!(!refused.starts_with("HTTP/1.1 200"), "{refused}");
    // Another network can connect, and this one after it closes a connection.
    let elsewhere =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    elsewhere.bind(&SocketAddr::from(([127, 0, 0, 2], 0)).into()).unwrap();
    elsewhere.connect(&shop.address.parse::<SocketAddr>().unwrap().into()).unwrap();
    let answer = answer_to(elsewhere.into(), "/healthz", "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    silent.pop();
    eventually("the shop has noticed it", async || {
        answer_to(connected(&shop.address), "/healthz", "").starts_with("HTTP/1.1 200")
    })
    .await;
    drop((silent, shop));
    let shop = sandbox.open_with(&["--connections-per-network", "4", "--trust-proxy"]);
    let silent: Vec<TcpStream> = (0..20).map(|_| connected(&shop.address)).collect();
    assert!(shop.get("/healthz").starts_with("HTTP/1.1 200"));
    drop(silent);
}
