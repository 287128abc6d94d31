//! Invoices in the languages of the shop. `HAAT_TEST_INVOICES=FOLDER` keeps the PDF files, to look at them.

use std::io::{Read, Write};
use std::net::TcpStream;

use messages::{Messages, format};
use serde_json::{Value, json};
use test_support::on_both;

use super::orders::{request, sign_up};
use super::program::{Sandbox, Shop};
use super::*;

on_both!(TestApp: an_invoice_is_in_the_language_of_its_order,);

const BUYER: &str = "buyer@haat.example";

impl TestApp {
    /// Places an order in a language, and returns its number.
    async fn buy_in(&self, language: Language, token: &str) -> String {
        let order = json!({ "name": "মিতালী দাস", "phone": "01711000000", "total": 91_220, "currency": "BDT",
                            "address": "১২ মার্কেট লেন, লক্ষ্মীবাজার\nঢাকা ১১০০",
                            "lines": [{ "_id": "tarn-over-ear-headphones", "qtn": 3 }] });
        let path = format!("/api/orders?language={language}");
        let placed = self.request("POST", &path, token, order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        placed.json()["number"].as_str().unwrap().to_owned()
    }

    async fn invoice(&self, number: &str, language: Language, token: &str) -> Value {
        let path = format!("/api/orders/{number}/invoice?language={language}");
        self.request("GET", &path, token, json!({})).await.json()
    }
}

async fn an_invoice_is_in_the_language_of_its_order(app: TestApp) {
    let token = app.verified_customer(BUYER).await;
    for language in [Language::ENGLISH, bangla()] {
        let number = app.buy_in(language, &token).await;
        let path = format!("/api/orders/{number}/invoice.pdf?language=en");
        let pdf = app.request("GET", &path, &token, json!({})).await;
        assert_eq!(pdf.status, StatusCode::OK);
        let lang = format!("/Lang ({language})");
        assert!(pdf.body.windows(lang.len()).any(|bytes| bytes == lang.as_bytes()), "{language}");
        if let Some(folder) = std::env::var_os("HAAT_TEST_INVOICES") {
            std::fs::write(Path::new(&folder).join(format!("{language}.pdf")), &pdf.body).unwrap();
        }
    }

    // The page shows it in the language of the visit.
    let number = app.buy_in(Language::ENGLISH, &token).await;
    let document = |invoice: &Value| invoice["documents"][0].clone();
    let english = document(&app.invoice(&number, Language::ENGLISH, &token).await);
    assert_eq!(english["title"], "Invoice");
    assert_eq!(english["facts"][2]["value"], "15 November 2026");
    let invoice = app.invoice(&number, bangla(), &token).await;
    assert_eq!(invoice["seller"]["name"], BANGLA_NAME);
    let bangla = document(&invoice);
    assert_eq!(bangla["title"], "ইনভয়েস");
    let mut texts = Vec::new();
    collect_texts(&bangla, &mut texts);
    let codes = [number.as_str(), "INV-", "HT-AUD-001"];
    for text in &texts {
        let rest = codes.iter().fold(text.clone(), |text, code| text.replace(code, ""));
        assert!(!rest.contains(|letter: char| letter.is_ascii_alphanumeric()), "{text}");
    }
    let expected = [
        ("ইনভয়েস নম্বর", format!("INV-{number}")),
        ("পেমেন্টের মাধ্যম", "ক্যাশ অন ডেলিভারি".to_owned()),
        ("ইনভয়েসের মোট", "৳৯১,২২০".to_owned()),
    ];
    for (name, value) in expected {
        let at = texts.iter().position(|text| text == name).unwrap_or_else(|| panic!("{texts:?}"));
        // Keys are in alphabetical order: "name" and "value", but "amount" and "name".
        assert!(texts[at + 1] == value || texts[at - 1] == value, "{name}: {texts:?}");
    }
}

/// All strings in a JSON value.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| collect_texts(field, texts)),
        _ => {}
    }
}

mod amounts {
    use super::*;

    on_both!(Sandbox: the_pdf_has_the_amounts_of_its_order,);
}

async fn the_pdf_has_the_amounts_of_its_order(sandbox: Sandbox) {
    let rates = "BDT=120.5, JPY=149.2, KWD=0.30715";
    let charges = ["--shipping", "4.25", "--vat", "12.10", "--free-delivery-over", "1000000"];
    let shop = sandbox.open_with(&[&["--demo", "--currencies", rates], &charges[..]].concat());
    let token = sign_up(&shop, BUYER);
    for (language, currency) in [
        (Language::ENGLISH, Currency::USD),
        (bangla(), "BDT".parse().unwrap()),
        (Language::ENGLISH, "JPY".parse().unwrap()),
        (bangla(), "KWD".parse().unwrap()),
    ] {
        let number = buy(&shop, &token, &format!("language={language}&currency={currency}"));
        let get = |path: String| request(&shop, "GET", &path, &token, &Value::Null).1;
        let order = get(format!("/api/orders/{number}"));
        assert_eq!(order["currency"], currency.to_string());
        let invoice = get(format!("/api/orders/{number}/invoice?language={language}"));
        let pdf = download(&shop, &format!("/api/orders/{number}/invoice.pdf"), &token);
        if let Some(folder) = std::env::var_os("HAAT_TEST_INVOICES") {
            let file = format!("{language}-{currency}.pdf");
            std::fs::write(Path::new(&folder).join(file), &pdf).unwrap();
        }
        let lines = pdf_text::lines(&pdf);
        let compared =
            Compared { order, invoice: invoice["documents"][0].clone(), lines, language };
        assert_eq!(compared.compare(), Ok(()), "{:#?}", compared.lines);
        compared.changes_are_noticed(currency);
    }
}

fn buy(shop: &Shop, token: &str, query: &str) -> String {
    let lines = json!([{ "_id": "tarn-over-ear-headphones", "qtn": 3 },
                       { "_id": "quern-pepper-mill", "qtn": 1 }]);
    let post = |path: &str, body: Value| {
        let (head, answer) = request(shop, "POST", &format!("{path}?{query}"), token, &body);
        assert!(head.starts_with("HTTP/1.1 20"), "{head} {answer}");
        answer
    };
    let quote = post("/api/quote", json!({ "lines": lines }));
    let order = json!({ "name": "মিতালী দাস", "phone": "01711000000", "address": "Dhaka",
                        "lines": lines, "total": quote["total"] });
    post("/api/orders", order)["number"].as_str().unwrap().to_owned()
}

fn download(shop: &Shop, path: &str, token: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(&shop.address).unwrap();
    let head = "host: localhost\r\nconnection: close";
    write!(stream, "GET {path} HTTP/1.1\r\n{head}\r\nauthorization: Bearer {token}\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let at = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    answer.split_off(at + 4)
}

/// An order and its invoice by the API, and the lines of the PDF.
#[derive(Clone)]
struct Compared {
    order: Value,
    invoice: Value,
    lines: Vec<String>,
    language: Language,
}

impl Compared {
    /// Whether each amount of the order is in the invoice and in the PDF, and no other one; and whether they add up.
    fn compare(&self) -> Result<(), String> {
        let Self { order, invoice, lines, language } = self;
        let currency: Currency = order["currency"].as_str().unwrap().parse().unwrap();
        let (items, sums) = (list(&invoice["items"]), list(&invoice["sums"]));
        let mut of_items = 0;
        for (line, item) in list(&order["lines"]).iter().zip(items) {
            let [price, amount] =
                ["price", "amount"].map(|name| written(&item[name], currency, *language));
            equal("price", price, minor(&line["buyPrice"], currency))?;
            equal("amount", amount, minor(&line["total"], currency))?;
            equal("price of all", price * line["qtn"].as_i64().unwrap(), amount)?;
            of_items += amount;
            let quantity = format::digits(*language, &line["qtn"]);
            let end = format!("{quantity}{}{}", text(&item["price"]), text(&item["amount"]));
            let shown = lines.iter().filter(|line| line.ends_with(&end)).count();
            equal(&end, shown as i64, 1)?;
        }
        let total_at = sums.iter().position(|sum| sum["total"] == true).unwrap();
        let mut parts = 0;
        for (at, sum) in sums.iter().enumerate() {
            let amount = written(&sum["amount"], currency, *language);
            if at < total_at {
                parts += amount;
            }
            let line = format!("{}{}", text(&sum["name"]), text(&sum["amount"]));
            equal(&line, lines.iter().filter(|shown| **shown == line).count() as i64, 1)?;
        }
        for (name, key) in [
            ("subTotal", "server.subTotal"),
            ("shipping", "server.shipping"),
            ("vat", "server.vat"),
            ("total", "pdf.invoiceTotal"),
        ] {
            let label = Messages::text(*language, key, &[]);
            let sum = sums.iter().find(|sum| sum["name"] == label).unwrap();
            let amount = written(&sum["amount"], currency, *language);
            equal(name, amount, minor(&order[name], currency))?;
        }
        equal("items", of_items, minor(&order["subTotal"], currency))?;
        equal("sums", parts, minor(&order["total"], currency))?;
        equal("items", items.len() as i64, list(&order["lines"]).len() as i64)?;
        let amounts = lines.iter().filter(|line| line.contains(&sign(currency))).count();
        equal("lines with amounts", amounts as i64, (items.len() + sums.len()) as i64)
    }

    fn changes_are_noticed(&self, currency: Currency) {
        let names = ["/subTotal", "/shipping", "/vat", "/total"].map(String::from);
        let of_lines = (0..list(&self.order["lines"]).len())
            .flat_map(|line| ["buyPrice", "total"].map(|name| format!("/lines/{line}/{name}")));
        for path in names.into_iter().chain(of_lines) {
            let mut changed = self.clone();
            let amount = changed.order.pointer_mut(&path).unwrap();
            let more = minor(amount, currency) + 1;
            *amount = json!(more as f64 / currency.minor_per_unit() as f64);
            assert!(changed.compare().is_err(), "{path}");
        }
        let with_amount = |line: &&String| line.contains(&sign(currency));
        for line in self.lines.iter().filter(with_amount) {
            let mut changed = self.clone();
            for other in changed.lines.iter_mut().filter(|other| *other == line) {
                let last = other.pop().unwrap();
                let digit = (digit_of(last).unwrap() + 1) % 10;
                *other += &format::digits(self.language, digit);
            }
            assert!(changed.compare().is_err(), "{line}");
        }
    }
}

fn equal(what: &str, found: i64, expected: i64) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// In the smallest units.
fn minor(amount: &Value, currency: Currency) -> i64 {
    (amount.as_f64().unwrap() * currency.minor_per_unit() as f64).round() as i64
}

/// The symbol, or the code and a no-break space.
fn sign(currency: Currency) -> String {
    currency.symbol().map_or_else(|| format!("{currency}\u{a0}"), str::to_owned)
}

/// The amount of a text such as `৳১২,৩৪৫.৬০`, in the smallest units. All its digits are the language's.
fn written(amount: &Value, currency: Currency, language: Language) -> i64 {
    let amount = text(amount);
    let (is_negative, amount) =
        amount.strip_prefix('−').map_or((false, amount), |amount| (true, amount));
    let bare = amount.strip_prefix(&sign(currency)).unwrap();
    let (whole, decimals) = bare.split_once('.').unwrap_or((bare, ""));
    let places = currency.decimals() as usize;
    assert!(decimals.is_empty() || decimals.chars().count() == places, "{amount}");
    let zeros = "0".repeat(if decimals.is_empty() { places } else { 0 });
    let plain: String = [whole, decimals]
        .concat()
        .chars()
        .filter(|letter| *letter != ',')
        .map(|letter| {
            assert_eq!(letter.is_ascii_digit(), language == Language::ENGLISH, "{amount}");
            char::from_digit(digit_of(letter).unwrap(), 10).unwrap()
        })
        .collect();
    let minor: i64 = (plain + &zeros).parse().unwrap();
    if is_negative { -minor } else { minor }
}

/// The value of a digit, in English or Bangla.
fn digit_of(letter: char) -> Option<u32> {
    letter.to_digit(10).or_else(|| u32::from(letter).checked_sub(0x9e6).filter(|value| *value < 10))
}
