//! Numbers of invoices and credit notes: no gaps, no number twice, and documents that do not change.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use platform::{Clock, Random, Timestamp};
use serde_json::{Value, json};
use shop::orders::StepOutcome::Done;
use shop::orders::{
    InvoiceForm, InvoiceSettings, NumberFormat, OrderNumber, OrderStatus, OrderStore, ReturnLine,
    Step,
};
use shop::taxes::{self, TaxRules};
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp};

on_both!(Shop:
    an_invoice_is_numbered_when_the_goods_are_shipped,
    a_cancelled_order_takes_no_number,
    numbers_have_no_gaps_under_concurrent_and_killed_steps,
    the_numbers_begin_again_each_year,
    an_issued_invoice_keeps_its_seller,
    a_number_that_is_taken_changes_nothing,
    documents_of_earlier_versions_keep_their_numbers,
    the_journal_has_each_document_once,
    documents_have_the_tax_by_rate,
    the_form_of_bangladesh_has_every_amount,
    a_long_order_renders_in_the_form_of_bangladesh,
);

impl Shop {
    async fn documents(&self, number: &str) -> Vec<Value> {
        let path = format!("/api/orders/{number}/invoice");
        self.get(&path, ME).await.body["documents"].as_array().unwrap().clone()
    }

    /// Title and number of each document.
    async fn titles(&self, number: &str) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let title = |one: &Value| format!("{} {}", text(&one["title"]), text(&one["number"]));
        self.documents(number).await.iter().map(title).collect()
    }

    /// Number and time of the documents of a series, in the order of their numbers.
    async fn issued(&self, series: &str) -> Vec<(i64, Timestamp)> {
        let sql = "select number, issued_at from invoices where series = $1 order by number";
        self.given.db.query(sql).bind(series).all().await.unwrap()
    }

    async fn refund_all(&self, number: &str) {
        assert!(matches!(self.apply(number, Step::RequestReturn(&[])).await, Done(_)));
        self.advance(number, 2).await;
    }
}

fn fact<'d>(document: &'d Value, name: &str) -> Option<&'d str> {
    let mut facts = document["facts"].as_array().unwrap().iter();
    facts.find(|fact| fact["name"] == name).and_then(|fact| fact["value"].as_str())
}

async fn an_invoice_is_numbered_when_the_goods_are_shipped(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&number, 2).await;
    assert_eq!(shop.titles(&number).await, [format!("Pro forma invoice {number}")]);
    let pro_forma = &shop.documents(&number).await[0];
    assert_eq!(fact(pro_forma, "Invoice number"), None);
    assert_eq!(fact(pro_forma, "Order number"), Some(number.as_str()));
    assert_eq!(shop.count("invoices").await, 0);
    shop.given.clock.advance(Duration::from_secs(24 * 3600));
    shop.advance(&number, 1).await;
    assert_eq!(shop.titles(&number).await, ["Invoice INV-2026-0001"]);
    let invoice = &shop.documents(&number).await[0];
    assert_eq!(fact(invoice, "Invoice number"), Some("INV-2026-0001"));
    assert_eq!(fact(invoice, "Date"), Some("16 November 2026"));
    assert_eq!(fact(invoice, "Order date"), Some("15 November 2026"));
    assert_eq!(invoice["seller"]["taxNumber"], "BIN 000123456-0101");
    // Payment takes no second number, and a refund one of the other series.
    shop.advance(&number, 1).await;
    assert_eq!(shop.titles(&number).await, ["Invoice INV-2026-0001"]);
    shop.given.clock.advance(Duration::from_secs(24 * 3600));
    shop.refund_all(&number).await;
    let titles = shop.titles(&number).await;
    assert_eq!(titles, ["Invoice INV-2026-0001", "Credit note CN-2026-0001"]);
    let note = &shop.documents(&number).await[1];
    assert_eq!(fact(note, "Date"), Some("17 November 2026"));
    assert_eq!(fact(note, "Invoice number"), Some("INV-2026-0001"));
    assert_eq!(fact(note, "Invoice date"), Some("16 November 2026"));
    let order = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    let issued = json!([
        { "kind": "invoice", "number": "INV-2026-0001", "issuedAt": "2026-11-16T09:00:00.000Z" },
        { "kind": "credit_note", "number": "CN-2026-0001", "issuedAt": "2026-11-17T09:00:00.000Z" },
    ]);
    assert_eq!(order["invoices"], issued);
}

async fn a_cancelled_order_takes_no_number(shop: Shop) {
    let (first, second) =
        (shop.place(ME, one_lamp(), ONE_LAMP).await, shop.place(ME, one_lamp(), ONE_LAMP).await);
    shop.advance(&first, 2).await;
    assert!(matches!(shop.apply(&first, Step::Cancel).await, Done(_)));
    shop.advance(&second, 3).await;
    assert_eq!(shop.titles(&first).await, [format!("Pro forma invoice {first}")]);
    assert_eq!(shop.titles(&second).await, ["Invoice INV-2026-0001"]);
}

/// Advances an order until it is delivered. Some attempts are dropped half-way, as by a server that is killed.
async fn deliver(store: OrderStore, number: OrderNumber, random: Random) {
    loop {
        let [high, low] = random.bytes::<2>();
        let polls = usize::from(high) * 16 + usize::from(low);
        let killed = async {
            for _ in 0..polls {
                tokio::task::yield_now().await;
            }
        };
        let outcome = tokio::select! {
            biased;
            outcome = store.apply(&number, Step::Advance, "") => outcome.unwrap(),
            () = killed, if high % 2 == 0 => continue,
        };
        match outcome {
            Done(OrderStatus::Shipped) => {}
            _ => return,
        }
    }
}

async fn numbers_have_no_gaps_under_concurrent_and_killed_steps(shop: Shop) {
    const ORDERS: usize = 32;
    let mut numbers: Vec<OrderNumber> = Vec::new();
    for buyer in 0..ORDERS {
        let email = format!("buyer-{buyer}@haat.example");
        let number = shop.place(&email, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, 3 - 1).await;
        numbers.push(number.parse().unwrap());
    }
    // The clock of the other server is behind.
    let other = shop.given.second_connection().await;
    let mut second = shop.order_store();
    second.db = other.db.clone();
    second.clock = Clock::fixed_at(shop.given.clock.now().minus(Duration::from_secs(90)));
    let servers = [shop.order_store(), second];
    let mut steps = tokio::task::JoinSet::new();
    for (place, number) in numbers.iter().enumerate() {
        for (server, store) in servers.iter().enumerate() {
            let random = Random::seeded((server * ORDERS + place) as u64);
            steps.spawn(deliver(store.clone(), *number, random));
        }
    }
    steps.join_all().await;
    let issued = shop.issued("INV-2026-{number}").await;
    let expected: Vec<i64> = (1..=ORDERS as i64).collect();
    assert_eq!(issued.iter().map(|(number, _)| *number).collect::<Vec<_>>(), expected);
    assert!(issued.is_sorted_by_key(|(_, at)| *at), "{issued:?}");
    let sql = "select count(distinct order_id), count(distinct written) from invoices";
    let counts: (i64, i64) = shop.given.db.query(sql).one().await.unwrap();
    assert_eq!(counts, (ORDERS as i64, ORDERS as i64));

    // Refunds, whose credit notes are another series.
    let store = &servers[1];
    for number in &numbers[..8] {
        for step in [Step::RequestReturn(&[]), Step::Advance] {
            assert!(matches!(store.apply(number, step, "").await.unwrap(), Done(_)));
        }
    }
    let mut refunds = tokio::task::JoinSet::new();
    for number in &numbers[..8] {
        for store in servers.clone() {
            let number = *number;
            refunds.spawn(async move { store.apply(&number, Step::Advance, "").await.unwrap() });
        }
    }
    let done = refunds.join_all().await.into_iter().filter(|outcome| matches!(outcome, Done(_)));
    assert_eq!(done.count(), 8);
    let notes = shop.issued("CN-2026-{number}").await;
    assert_eq!(
        notes.iter().map(|(number, _)| *number).collect::<Vec<_>>(),
        (1..=8).collect::<Vec<_>>()
    );
    assert!(notes.is_sorted_by_key(|(_, at)| *at), "{notes:?}");
}

async fn the_numbers_begin_again_each_year(shop: Shop) {
    let settings = |format: &str| InvoiceSettings {
        invoice_number: Some(format.parse::<NumberFormat>().unwrap()),
        time_zone: "Asia/Dhaka".parse().unwrap(),
        ..InvoiceSettings::default()
    };
    let ship = async |format: &str| {
        let number = shop.place(ME, one_lamp(), 190.0).await;
        shop.advance(&number, 2).await;
        let mut store = shop.order_store();
        store.invoices = settings(format);
        let step = store.apply(&number.parse().unwrap(), Step::Advance, "").await.unwrap();
        assert!(matches!(step, Done(_)));
        let documents = shop.documents(&number).await;
        let date = fact(&documents[0], "Date").unwrap().to_owned();
        (documents[0]["number"].as_str().unwrap().to_owned(), date)
    };
    let at = async |time: &str| {
        let time = Timestamp::parse(time).unwrap();
        shop.given.clock.advance(time.since(shop.given.clock.now()));
    };
    let pair = |number: &str, date: &str| (number.to_owned(), date.to_owned());
    // The year and the day are those of Dhaka.
    at("2026-12-31T17:59:59Z").await;
    assert_eq!(ship("A{year}-{number}").await, pair("A2026-0001", "31 December 2026"));
    assert_eq!(ship("A{year}-{number:6}").await, pair("A2026-000002", "31 December 2026"));
    assert_eq!(ship("{year:7}/{number}").await, pair("2026-27/0001", "31 December 2026"));
    at("2026-12-31T18:00:00Z").await;
    assert_eq!(ship("A{year}-{number}").await, pair("A2027-0001", "1 January 2027"));
    assert_eq!(ship("{year:7}/{number}").await, pair("2026-27/0002", "1 January 2027"));
    assert_eq!(ship("A2026-{number}").await, pair("A2026-0003", "1 January 2027"));
}

async fn an_issued_invoice_keeps_its_seller(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.advance(&number, 2).await;
    assert_eq!(shop.documents(&number).await[0]["seller"]["name"], "Haat");
    shop.advance(&number, 1).await;
    let sql = "update invoices set terms = replace(terms, 'Haat', 'Haat as it was')";
    assert_eq!(shop.given.db.query(sql).execute().await.unwrap(), 1);
    let document = &shop.documents(&number).await[0];
    assert_eq!(document["seller"]["name"], "Haat as it was");
    assert_eq!(document["seller"]["address"], "12 Market Lane\nDhaka");
}

/// The shop changes its formats so that another series writes the same number.
async fn a_number_that_is_taken_changes_nothing(shop: Shop) {
    let with = |format: &str| {
        let mut store = shop.order_store();
        store.invoices.invoice_number = Some(format.parse().unwrap());
        store
    };
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, 2).await;
        numbers.push(number.parse::<OrderNumber>().unwrap());
    }
    let first = with("{number:1}-1").apply(&numbers[0], Step::Advance, "").await.unwrap();
    assert_eq!(first, Done(OrderStatus::Shipped));
    let refused = with("1-{number:1}").apply(&numbers[1], Step::Advance, "").await.unwrap_err();
    let why = format!("{refused:?}");
    assert!(why.contains("invoice_number: another document has the number 1-1"), "{why}");
    assert_eq!((shop.count("invoices").await, shop.count("invoice_series").await), (1, 1));
    let second = with("INV {number}").apply(&numbers[1], Step::Advance, "").await.unwrap();
    assert_eq!(second, Done(OrderStatus::Shipped));
    assert_eq!(shop.titles(&numbers[1].to_string()).await, ["Invoice INV 0001"]);
}

async fn documents_of_earlier_versions_keep_their_numbers(shop: Shop) {
    let mut numbers = Vec::new();
    for steps in [1, 3, 4] {
        let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, steps).await;
        numbers.push(number);
    }
    let [packing, shipped, refunded] = &numbers[..] else { panic!("{numbers:?}") };
    // The first of two returns is refused, and has no credit note.
    for step in [Step::RequestReturn(&[]), Step::RefuseReturn] {
        assert!(matches!(shop.apply(refunded, step).await, Done(_)));
    }
    shop.given.clock.advance(Duration::from_secs(2 * 24 * 3600));
    shop.refund_all(refunded).await;
    let db = &shop.given.db;
    for undo in [
        "drop table invoices",
        "drop table invoice_series",
        "delete from migrations where name = '0048_invoices'",
    ] {
        db.query(undo).execute().await.unwrap();
    }
    db.migrate(&shop.given.clock).await.unwrap();
    assert_eq!(shop.titles(packing).await, [format!("Pro forma invoice {packing}")]);
    assert_eq!(shop.titles(shipped).await, [format!("Invoice INV-{shipped}")]);
    let expected = [format!("Invoice INV-{refunded}"), format!("Credit note CN-{refunded}-1")];
    assert_eq!(shop.titles(refunded).await, expected);
    let documents = shop.documents(refunded).await;
    assert_eq!(fact(&documents[0], "Date"), Some("15 November 2026"));
    assert_eq!(fact(&documents[1], "Date"), Some("17 November 2026"));
    // What comes later begins the series, and no document is issued twice.
    shop.advance(shipped, 1).await;
    shop.advance(packing, 2).await;
    assert_eq!(shop.titles(shipped).await, [format!("Invoice INV-{shipped}")]);
    assert_eq!(shop.titles(packing).await, ["Invoice INV-2026-0001"]);
    shop.refund_all(shipped).await;
    let expected = [format!("Invoice INV-{shipped}"), "Credit note CN-2026-0001".to_owned()];
    assert_eq!(shop.titles(shipped).await, expected);
}

async fn the_journal_has_each_document_once(shop: Shop) {
    let mut seen = HashSet::new();
    for _ in 0..3 {
        let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
        shop.advance(&number, 4).await;
        shop.given.clock.advance(Duration::from_secs(3600));
        seen.insert(number);
    }
    let number = seen.iter().next().unwrap().clone();
    shop.refund_all(&number).await;
    let until = Timestamp(i64::MAX);
    let journal = shop.order_store().journal(Timestamp(0), until).await.unwrap();
    let numbers: Vec<&str> = journal.iter().map(|entry| entry.number.as_str()).collect();
    assert_eq!(numbers, ["INV-2026-0001", "INV-2026-0002", "INV-2026-0003", "CN-2026-0001"]);
    for entry in &journal {
        assert_eq!(entry.net + entry.tax, entry.total);
        assert_eq!(entry.base_net + entry.base_tax, entry.base_total);
    }
    let (invoice, note) = (&journal[0], &journal[3]);
    assert_eq!((invoice.tax.minor(), invoice.total.minor()), (12_000, 18_550));
    // Everything but the delivery.
    assert_eq!((note.tax.minor(), note.total.minor()), (-12_000, -14_550));
    assert_eq!((note.order.to_string(), note.date.as_str()), (number, "2026-11-15"));
    assert!(note.invoice.starts_with("INV-2026-"));
    let later = journal[2].issued_at;
    let part = shop.order_store().journal(later, until).await.unwrap();
    assert_eq!(part, journal[2..]);
    assert_eq!(shop.order_store().journal(Timestamp(0), later).await.unwrap(), journal[..2]);
}

/// Goods with three rates, one of them with a duty below the VAT, and cards without tax.
async fn taxed_goods(shop: &Shop, prices_include_tax: bool) {
    let rate = |id: &str, name: &str, class: &str, percent: f64| {
        json!({ "_id": id, "name": name, "class": class, "percent": percent,
                "translations": { "bn": if name == "SD" { "সম্পূরক শুল্ক" } else { "ভ্যাট" } } })
    };
    let mut on_duty = rate("vat-duty", "VAT", "duty", 15.0);
    on_duty["compound"] = json!(true);
    let rules = json!({ "pricesIncludeTax": prices_include_tax, "delivery": "standard",
        "rates": [rate("vat", "VAT", "standard", 15.0), rate("low", "VAT", "low", 7.5),
                  rate("sd", "SD", "duty", 20.0), on_duty] });
    let rules: TaxRules = serde_json::from_value(rules).unwrap();
    taxes::import(&shop.given.db, rules).await.unwrap();
    let product = |id: &str, class: &str, price: f64, name: &str| {
        json!({ "_id": id, "category": "light", "name": name, "sku": id.to_uppercase(), "img": ["/l.svg"],
                "realPrice": price, "qtn": 99, "taxClass": class })
    };
    let products = [
        product("desk", "standard", 99.9, "Desk"),
        product(
            "book",
            "low",
            12.35,
            "The Book of Lamps, their Makers and their Shades, in three volumes",
        ),
        product("perfume", "duty", 33.33, "Perfume"),
    ];
    shop.import(&json!({ "products": products }).to_string()).await;
    shop.revisions.poll(&shop.given.db).await.unwrap();
}

fn basket() -> Value {
    json!([{ "_id": "desk", "qtn": 2 }, { "_id": "book", "qtn": 3 }, { "_id": "perfume", "qtn": 1 }])
}

/// Orders the basket in a currency and language, and returns the order's number.
async fn buy(shop: &Shop, query: &str) -> String {
    let path = format!("/api/quote?{query}");
    let quote = shop.post(&path, ME, &json!({ "lines": basket() })).await.body;
    let mut body = json!({ "name": "Rahim Uddin", "phone": "01711000000",
        "address": "House 12, Road 5, Dhanmondi\nDhaka 1205", "lines": basket() });
    body["total"] = quote["total"].clone();
    let placed = shop.post(&format!("/api/orders?{query}"), ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{} {quote}", placed.body);
    placed.body["number"].as_str().unwrap().to_owned()
}

/// `HAAT_TEST_INVOICES=FOLDER` keeps the file, to look at it.
async fn pdf(shop: &Shop, number: &str, name: &str) {
    let path = format!("/api/orders/{number}/invoice.pdf");
    let bearer = format!("Bearer {}", shop.token(ME));
    let (parts, pdf) = shop.fetch("GET", &path, &[("authorization", &bearer)], Body::empty()).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert!(pdf.starts_with(b"%PDF-"));
    if let Some(folder) = std::env::var_os("HAAT_TEST_INVOICES") {
        std::fs::write(Path::new(&folder).join(name), &pdf).unwrap();
    }
}

/// In cents: `$1,234.50`, `−$4.00`.
fn cents(text: &Value) -> i64 {
    let text = text.as_str().unwrap();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let amount: i64 = digits.parse().unwrap();
    if text.starts_with('−') { -amount } else { amount }
}

fn column(rows: &Value, name: &str) -> i64 {
    rows.as_array().unwrap().iter().map(|row| cents(&row[name])).sum()
}

async fn documents_have_the_tax_by_rate(shop: Shop) {
    for included in [false, true] {
        taxed_goods(&shop, included).await;
        let number = buy(&shop, "currency=USD").await;
        shop.advance(&number, 4).await;
        let order = shop.get(&format!("/api/orders/{number}"), ME).await.body;
        let cents_of = |value: &Value| (value.as_f64().unwrap() * 100.0).round() as i64;
        let invoice = &shop.documents(&number).await[0];
        let rates: Vec<&Value> =
            invoice["items"].as_array().unwrap().iter().map(|item| &item["taxRate"]).collect();
        assert_eq!(rates, ["15%", "7.5%", "20% + 15%"]);
        let names: Vec<&str> = invoice["taxes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tax| tax["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["VAT 15%", "VAT 7.5%", "SD 20%"]);
        let of_order: i64 =
            order["taxes"].as_array().unwrap().iter().map(|tax| cents_of(&tax["amount"])).sum();
        assert_eq!(column(&invoice["taxes"], "tax"), of_order);
        for tax in invoice["taxes"].as_array().unwrap() {
            assert_eq!(cents(&tax["net"]) + cents(&tax["tax"]), cents(&tax["gross"]));
        }
        let name = |sum: &Value| sum["name"].as_str().unwrap().to_owned();
        let sums: Vec<String> = invoice["sums"].as_array().unwrap().iter().map(name).collect();
        let prefix = if included { "Includes VAT 15%" } else { "VAT 15%" };
        assert!(sums.contains(&prefix.to_owned()), "{sums:?}");
        assert_eq!(invoice["notes"], json!([]));
        pdf(&shop, &number, &format!("taxes-{included}.pdf")).await;

        // Unit by unit: the taxes of all credit notes are those of the goods.
        for lines in [&[("desk", 1)][..], &[("desk", 1), ("book", 2)], &[]] {
            let lines: Vec<ReturnLine> = lines
                .iter()
                .map(|(id, quantity)| ReturnLine {
                    variant: id.parse().unwrap(),
                    quantity: *quantity,
                })
                .collect();
            assert!(matches!(shop.apply(&number, Step::RequestReturn(&lines)).await, Done(_)));
            shop.advance(&number, 2).await;
        }
        let documents = shop.documents(&number).await;
        let notes = &documents[1..];
        let taxed: i64 = notes.iter().map(|note| column(&note["taxes"], "tax")).sum();
        let store = shop.order_store();
        let (order, _) = store.by_number(&number.parse().unwrap()).await.unwrap().unwrap();
        let of_goods = order.taxes.iter().filter(|tax| tax.line.is_some());
        assert_eq!(taxed, of_goods.map(|tax| tax.amount.minor()).sum::<i64>());
        let given = |note: &Value| {
            let sums = note["sums"].as_array().unwrap();
            cents(&sums.iter().find(|sum| sum["total"] == true).unwrap()["amount"])
        };
        let delivery = order.taxes.iter().filter(|tax| tax.line.is_none() && !tax.included);
        let delivery = order.shipping.minor() + delivery.map(|tax| tax.amount.minor()).sum::<i64>();
        assert_eq!(notes.iter().map(given).sum::<i64>(), order.total.minor() - delivery);

        let journal = store.journal(Timestamp(0), Timestamp(i64::MAX)).await.unwrap();
        let of_order: Vec<_> = journal.iter().filter(|entry| entry.order == order.number).collect();
        assert_eq!(of_order.len(), 4);
        for entry in &of_order {
            let taxes: i64 = entry.rates.iter().map(|sum| sum.tax.minor()).sum();
            assert_eq!((taxes, entry.net + entry.tax), (entry.tax.minor(), entry.total));
        }
        let left: i64 = of_order.iter().map(|entry| entry.total.minor()).sum();
        assert_eq!(left, delivery);
    }
}

/// The value of a number in Bangla.
fn bangla_number(text: &str) -> i64 {
    let digits = text.chars().filter_map(|letter| u32::from(letter).checked_sub(0x9e6));
    digits.fold(0, |number, digit| number * 10 + i64::from(digit))
}

async fn the_form_of_bangladesh_has_every_amount(mut shop: Shop) {
    taxed_goods(&shop, false).await;
    let invoices = &mut shop.context.orders.invoices;
    invoices.invoice_form = Some(InvoiceForm::Mushak);
    invoices.invoice_signatory = Some("Karim Ahmed, Manager".to_owned());
    invoices.time_zone = "Asia/Dhaka".parse().unwrap();
    let number = buy(&shop, "currency=BDT&language=bn").await;
    shop.advance(&number, 2).await;
    assert_eq!(shop.documents(&number).await[0]["mushak"], Value::Null);
    shop.advance(&number, 2).await;
    let form = &shop.documents(&number).await[0]["mushak"];
    assert_eq!((&form["number"], &form["title"]), (&json!("মূসক-৬.৩"), &json!("কর চালানপত্র")));
    let value = |facts: &Value, place: usize| facts[place]["value"].as_str().unwrap().to_owned();
    assert_eq!(value(&form["seller"], 1), "BIN 000123456-0101");
    assert_eq!(value(&form["issue"], 0), "INV-2026-0001");
    assert_eq!(value(&form["issue"], 1), "১৫/১১/২০২৬");
    assert_eq!(value(&form["issue"], 2), "১৫:০০");
    assert_eq!(
        [value(&form["signatory"], 0), value(&form["signatory"], 1)],
        ["Karim Ahmed", "Manager"]
    );
    let (order, _) = shop.order_store().by_number(&number.parse().unwrap()).await.unwrap().unwrap();
    let cell = |row: &Value, place: usize| bangla_number(row[place].as_str().unwrap());
    let rows = form["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "{form}");
    let taka = |money: i64| money / 100;
    for place in [5, 7, 9, 10] {
        let sum: i64 = rows.iter().map(|row| cell(row, place)).sum();
        assert_eq!(sum, cell(&form["totals"], place), "{place}");
    }
    assert_eq!(cell(&form["totals"], 10), taka(order.total.minor()));
    let of = |label: &str| {
        let taxes = order.taxes.iter().filter(|tax| tax.label == label);
        taka(taxes.map(|tax| tax.amount.minor()).sum())
    };
    assert_eq!(cell(&form["totals"], 7), of("সম্পূরক শুল্ক"));
    assert_eq!(cell(&form["totals"], 9), of("ভ্যাট"));
    assert_eq!((&rows[2][6], &rows[2][8]), (&json!("২০%"), &json!("১৫%")));
    for row in rows {
        assert_eq!(row.as_array().unwrap().len(), form["columns"].as_array().unwrap().len());
        assert_eq!(cell(row, 5) + cell(row, 7) + cell(row, 9), cell(row, 10));
    }
    shop.refund_all(&number).await;
    let note = &shop.documents(&number).await[1]["mushak"];
    assert_eq!((&note["number"], &note["title"]), (&json!("মূসক-৬.৭"), &json!("ক্রেডিট নোট")));
    assert_eq!(note["rows"][0][1], "INV-2026-0001, ১৫/১১/২০২৬");
    let returns = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(cell(&note["totals"], 7) as f64, returns["returns"][0]["paid"].as_f64().unwrap());
    pdf(&shop, &number, "mushak.pdf").await;

    // The form of an issued document stays.
    shop.context.orders.invoices.invoice_form = None;
    assert_eq!(shop.documents(&number).await[0]["mushak"]["number"], "মূসক-৬.৩");
    let dollars = buy(&shop, "currency=USD&language=en").await;
    shop.advance(&dollars, 3).await;
    assert_eq!(shop.documents(&dollars).await[0]["mushak"], Value::Null);
}

/// Many lines, and words that do not break.
async fn a_long_order_renders_in_the_form_of_bangladesh(mut shop: Shop) {
    shop.context.orders.invoices.invoice_form = Some(InvoiceForm::Mushak);
    let product = |place: usize| {
        json!({ "_id": format!("p{place}"), "category": "light", "sku": format!("P{place}"),
                "name": format!("{} মিতালী {place}", "x".repeat(place)), "img": ["/l.svg"],
                "realPrice": 99_999, "qtn": 99 })
    };
    let goods: Vec<Value> = (0..60).map(product).collect();
    shop.import(&json!({ "products": goods }).to_string()).await;
    let lines: Vec<Value> =
        (0..60).map(|place| json!({ "_id": format!("p{place}"), "qtn": 9 })).collect();
    let quote = json!({ "lines": lines });
    let total = shop.post("/api/quote?currency=BDT", ME, &quote).await.body["total"].clone();
    let order = json!({ "name": "W".repeat(200), "phone": "01711000000", "address": "ক\n".repeat(40),
                        "lines": lines, "total": total });
    let placed = shop.post("/api/orders?currency=BDT", ME, &order).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap();
    shop.advance(number, 3).await;
    pdf(&shop, number, "mushak-long.pdf").await;
}
