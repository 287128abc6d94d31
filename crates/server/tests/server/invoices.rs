//! Invoices in the languages of the shop. `HAAT_TEST_INVOICES=FOLDER` keeps the PDF files, to look at them.

use std::io::{Read, Write};
use std::net::TcpStream;

use messages::{Messages, format};
use serde_json::{Value, json};
use shop::orders::{Step, StepOutcome};
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

    async fn ship(&self, number: &str) {
        for _ in 0..3 {
            let step = self.book().apply(&number.parse().unwrap(), Step::Advance, "").await;
            assert!(matches!(step.unwrap(), StepOutcome::Done(_)));
        }
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
    assert_eq!(english["title"], "Pro forma invoice");
    assert_eq!(english["facts"][1]["value"], "15 November 2026");
    let pro_forma = document(&app.invoice(&number, bangla(), &token).await);
    assert_eq!(pro_forma["seller"]["name"], BANGLA_NAME);
    app.ship(&number).await;
    let english = document(&app.invoice(&number, Language::ENGLISH, &token).await);
    assert_eq!(
        (&english["title"], &english["number"]),
        (&json!("Invoice"), &json!("INV-2026-0001"))
    );
    let mut bangla = document(&app.invoice(&number, bangla(), &token).await);
    // The shop's own words.
    bangla.as_object_mut().unwrap().remove("seller");
    assert_eq!(bangla["title"], "ইনভয়েস");
    let mut texts = Vec::new();
    collect_texts(&bangla, &mut texts);
    let codes = [number.as_str(), "INV-2026-0001", "HT-AUD-001", "USD", "BDT"];
    for text in &texts {
        let rest = codes.iter().fold(text.clone(), |text, code| text.replace(code, ""));
        assert!(!rest.contains(|letter: char| letter.is_ascii_alphanumeric()), "{text}");
    }
    let expected = [
        ("ইনভয়েস নম্বর", "INV-2026-0001".to_owned()),
        ("পেমেন্টের মাধ্যম", "ক্যাশ অন ডেলিভারি".to_owned()),
        ("ইনভয়েসের মোট", "৳৯১,২২০".to_owned()),
    ];
    for (name, value) in expected {
        let at = texts.iter().position(|text| text == name).unwrap_or_else(|| panic!("{texts:?}"));
        // Keys are in alphabetical order: "name" and "value", but "amount" and "name".
        assert!(texts[at + 1] == value || texts[at - 1] == value, "{name}: {texts:?}");
    }
}

mod commands {
    use super::*;

    on_both!(Sandbox: documents_are_numbered_by_the_settings_of_the_running_shop,);
}

async fn documents_are_numbered_by_the_settings_of_the_running_shop(sandbox: Sandbox) {
    let settings = |address: &'static str| {
        [
            "--demo",
            "--tax-number",
            "000123456-0101",
            "--address",
            address,
            "--time-zone",
            "Asia/Dhaka",
            "--invoice-number",
            "R{number:6}",
            "--shipping",
            "0",
            "--vat",
            "10",
        ]
    };
    let shop = sandbox.open_with(&settings("1 Old Road"));
    let token = sign_up(&shop, BUYER);
    let number = buy(&shop, &token, "currency=BDT");
    let haat = |args: &[&str]| {
        let output = sandbox.run(args);
        assert!(output.status.success(), "{}", program::text(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    for _ in 0..4 {
        haat(&["orders", "advance", &number]);
    }
    drop(shop);
    let shop = sandbox.open_with(&settings("2 New Road"));
    let token = sign_up(&shop, "other@haat.example");
    let other = buy(&shop, &token, "currency=USD");
    haat(&["orders", "advance", &other]);
    let shown = haat(&["orders", "show", &number]);
    assert!(shown.contains("invoice R000001 of 20"), "{shown}");
    let (_, invoice) =
        request(&shop, "GET", &format!("/api/orders/{other}/invoice"), &token, &Value::Null);
    assert_eq!(invoice["documents"][0]["seller"]["address"], "2 New Road");
    for _ in 0..2 {
        haat(&["orders", "advance", &other]);
    }

    let printed = haat(&["invoices", "list", "--csv"]);
    let lines: Vec<&str> = printed.lines().collect();
    let names = "date,kind,number,invoice,order,currency,net,tax,total";
    assert!(lines[0].starts_with(names), "{printed}");
    assert_eq!(lines.len(), 3, "{printed}");
    assert!(lines[1].contains(&format!(",invoice,R000001,,{number},BDT,")), "{printed}");
    assert!(lines[2].contains(&format!(",invoice,R000002,,{other},USD,")), "{printed}");
    let journal: Value = serde_json::from_str(&haat(&["invoices", "list", "--json"])).unwrap();
    assert_eq!((&journal[1]["tax"], &journal[1]["baseTax"]), (&json!(10), &json!(10)));
    assert_eq!((&journal[0]["baseTax"], &journal[0]["order"]), (&json!(10), &json!(number)));
    let table = haat(&["invoices", "list", "--from", journal[0]["date"].as_str().unwrap()]);
    assert_eq!(table.lines().count(), 2, "{table}");
    assert_eq!(haat(&["invoices", "list", "--until", "2020-01-01"]), "");

    for (args, why) in [
        (["invoices", "list", "--from", "yesterday"], "expected a day like"),
        (["orders", "list", "--invoice-number", "INV"], "{number} is required"),
        (["orders", "list", "--invoice-form", "A4"], "is none of"),
    ] {
        let output = sandbox.run(&args);
        assert!(!output.status.success() && program::text(&output).contains(why), "{args:?}");
    }
    let backwards =
        sandbox.run(&["invoices", "list", "--from", "2026-02-01", "--until", "2026-01-01"]);
    assert!(program::text(&backwards).contains("--until is before --from"));

    // The first invoice keeps the address at its issue.
    let sql = "select terms from invoices where written = 'R000001'";
    let db = platform::Db::open(&sandbox.database_url()).await.unwrap();
    let (terms,): (String,) = db.query(sql).one().await.unwrap();
    assert!(terms.contains("1 Old Road") && terms.contains("000123456-0101"), "{terms}");
    db.close().await;
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

/// Orders with random lines, reductions, delivery and taxes: what the invoice and its PDF say adds up to what was charged.
mod random_orders {
    use platform::db::Json;
    use platform::{ExchangeRate, Random};
    use shop::orders::{BaseAmounts, Order, OrderDetails, OrderLine, OrderNumber, OrderStatus};
    use shop::payments::{OrderPayment, PaymentProvider, PaymentState, PaymentStatus};
    use shop::pricing::{Adjustment, AdjustmentKind, TaxLine};
    use shop::taxes::TaxPercent;

    use super::*;

    struct Dice(Random);

    impl Dice {
        /// From 0 to `most`.
        fn roll(&self, most: u32) -> i64 {
            i64::from(u32::from_le_bytes(self.0.bytes::<4>()) % (most + 1))
        }
    }

    fn adjustment(line: Option<&OrderLine>, off: Money) -> Adjustment {
        Adjustment {
            kind: AdjustmentKind::Amount,
            label: "Spring, for everything that the garden and the balcony need".into(),
            amount: -off,
            line: line.map(|line| line.variant.clone()),
            promotion: "spring".parse().ok(),
            code: None,
        }
    }

    /// The taxes of an amount that was paid: VAT and, of every third line, a duty.
    fn taxes(dice: &Dice, line: Option<&OrderLine>, paid: Money, included: bool) -> Vec<TaxLine> {
        let names: &[&str] = if dice.roll(2) == 0 { &["SD", "VAT"] } else { &["VAT"] };
        let percents: Vec<i64> =
            names.iter().map(|_| [0, 5_000, 7_500, 15_000][dice.roll(3) as usize]).collect();
        let of_all = if included { percents.iter().sum::<i64>() } else { 0 };
        let amount = |percent: &i64| paid.minor() * percent / (100_000 + of_all);
        let all: i64 = if included { percents.iter().map(amount).sum() } else { 0 };
        let tax = |(name, percent): (&&str, &i64)| TaxLine {
            label: (*name).to_owned(),
            percent: TaxPercent::from_thousandths(*percent),
            line: line.map(|line| line.variant.clone()),
            net: Money::new(paid.minor() - all, paid.currency()),
            amount: Money::new(amount(percent), paid.currency()),
            included,
            relief: None,
        };
        names.iter().zip(&percents).map(tax).collect()
    }

    fn order(seed: u64, currency: Currency) -> Order {
        let dice = Dice(Random::seeded(seed));
        let money = |minor| Money::new(minor, currency);
        let rate: ExchangeRate = "120.5".parse().unwrap();
        let base = |amount| rate.to_base(amount, Currency::USD);
        let line = |place: i64| {
            let (price, quantity) = (money(dice.roll(2_000_000)), 1 + dice.roll(8));
            OrderLine {
                variant: format!("p{place}").parse().unwrap(),
                product: format!("p{place}").parse().unwrap(),
                options: Json::default(),
                name: "A lamp with a name that takes more than a line "
                    .repeat(dice.roll(3) as usize + 1),
                sku: format!("S{place}"),
                picture: String::new(),
                price,
                quantity,
                total: price * quantity,
                base_total: base(price * quantity),
            }
        };
        let lines: Vec<OrderLine> = (0..=dice.roll(11)).map(line).collect();
        let included = dice.roll(1) == 0;
        let has_rates = dice.roll(3) > 0;
        let (mut adjustments, mut rows, mut paid_sum) = (Vec::new(), Vec::new(), money(0));
        for line in &lines {
            let off = money(line.total.minor() * dice.roll(100) / 400);
            if off.is_positive() {
                adjustments.push(adjustment(Some(line), off));
            }
            paid_sum = paid_sum + line.total - off;
            rows.extend(taxes(&dice, Some(line), line.total - off, included));
        }
        let (shipping, payment_fee) = (money(dice.roll(9_000)), money(dice.roll(1) * 500));
        let off = money(shipping.minor() / 2);
        if off.is_positive() && dice.roll(1) == 0 {
            adjustments.push(adjustment(None, off));
        }
        let discount = -Money::sum(adjustments.iter().map(|one| one.amount), currency);
        let sub_total = Money::sum(lines.iter().map(|line| line.total), currency);
        let charged = sub_total - discount + shipping + payment_fee;
        rows.extend(taxes(&dice, None, charged - paid_sum, included));
        if !has_rates {
            rows.clear();
        }
        let added =
            Money::sum(rows.iter().filter(|tax| !tax.included).map(|tax| tax.amount), currency);
        let vat = if has_rates { added } else { money(dice.roll(90_000)) };
        let total = charged + vat;
        Order {
            id: "o".parse().unwrap(),
            number: OrderNumber::new(&Random::seeded(seed)),
            customer: "c".into(),
            email: BUYER.into(),
            name: "Mitali Das".into(),
            phone: "01711000000".into(),
            address: "Dhaka".into(),
            postal_address: None,
            currency,
            base: BaseAmounts {
                currency: Currency::USD,
                rate,
                sub_total: base(sub_total),
                discount: base(discount),
                shipping: base(shipping),
                payment_fee: base(payment_fee),
                vat: base(vat),
                total: base(total),
                gift_cards: usd(0),
                credit: usd(0),
            },
            language: None,
            sub_total,
            adjustments,
            discount,
            shipping,
            delivery: None,
            payment_fee,
            vat,
            taxes: rows,
            tax_number: String::new(),
            total,
            gift_cards: Vec::new(),
            credit: money(0),
            created_at: Timestamp(1_763_200_000_000),
            lines,
        }
    }

    fn details(order: Order) -> OrderDetails {
        let (zero, changed_at) = (Money::zero(order.currency), order.created_at);
        OrderDetails {
            payment: OrderPayment {
                provider: PaymentProvider::CashOnDelivery,
                state: PaymentState::Authorised,
                amount: order.total,
                refunded: zero,
                changed_at,
                code: String::new(),
                disputed: false,
            },
            payments: Vec::new(),
            payment_status: PaymentStatus::Unpaid,
            pay_url: None,
            order,
            status: OrderStatus::Placed,
            history: Vec::new(),
            can_cancel: true,
            return_until: None,
            returnable: Vec::new(),
            returns: Vec::new(),
            invoices: Vec::new(),
            sold_gift_cards: Vec::new(),
        }
    }

    #[test]
    fn the_invoice_adds_up_to_what_was_charged() {
        for seed in 0..96 {
            let currency = [Currency::USD, Currency::BDT][(seed / 16) as usize % 2];
            let language = if seed % 3 == 0 { bangla() } else { Language::ENGLISH };
            let details = details(order(seed, currency));
            let order = &details.order;
            let invoice = details.invoice(&shop_profile(), language);
            let [document] = &invoice.documents[..] else { panic!("{seed}") };
            let amount = |text: &str| written(&json!(text), currency, language);
            let items: i64 = document.items.iter().map(|item| amount(&item.amount)).sum();
            assert_eq!(items, order.sub_total.minor(), "{seed}");
            let total_at = document.sums.iter().position(|sum| sum.total).unwrap();
            let parts = document.sums[..total_at].iter().map(|sum| amount(&sum.amount));
            assert_eq!(parts.sum::<i64>(), order.total.minor(), "{seed}");
            assert_eq!(amount(&document.sums[total_at].amount), order.total.minor());
            let taxes: i64 = document.taxes.iter().map(|tax| amount(&tax.tax)).sum();
            assert_eq!(taxes, order.taxes.iter().map(|tax| tax.amount.minor()).sum::<i64>());
            for tax in &document.taxes {
                assert_eq!(amount(&tax.net) + amount(&tax.tax), amount(&tax.gross), "{seed}");
            }
            assert_eq!(document.notes.is_empty(), currency == Currency::USD || taxes == 0);

            // Writing it takes far longer than all the rest.
            if seed % 16 > 0 {
                continue;
            }
            let lines = pdf_text::lines(&invoice.pdf().unwrap());
            let count = |text: &str| lines.iter().filter(|line| line.ends_with(text)).count();
            for item in &document.items {
                let quantity = format::digits(language, item.quantity);
                let text = format!("{}{quantity}{}{}", item.tax_rate, item.price, item.amount);
                assert!(count(&text) >= 1, "{seed}: {text} {lines:#?}");
            }
            for sum in &document.sums {
                assert!(count(&sum.amount) >= 1, "{seed}: {} {lines:#?}", sum.amount);
            }
            for tax in &document.taxes {
                let text = format!("{}{}{}{}", tax.name, tax.net, tax.tax, tax.gross);
                assert_eq!(count(&text), 1, "{seed}: {text} {lines:#?}");
            }
            for note in &document.notes {
                assert_eq!(count(note), 1, "{seed}: {note}");
            }
        }
    }
}
