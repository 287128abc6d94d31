//! Fixed prices in other currencies: import and export, and what is shown, sorted by and charged.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use platform::jobs::Worker;
use platform::revisions::Revisions;
use platform::{Currency, Error};
use response_cache::Cache;
use serde_json::{Value, json};
use shop::ShopContext;
use shop::catalog::{self, Import, ImportFormat, export};
use test_support::on_both;
use tower::ServiceExt;

use super::test_shop::{ME, Shop, order, routes};

on_both!(Shop:
    a_shopper_is_charged_the_fixed_price_of_their_currency,
    lists_are_sorted_by_the_lowest_present_fixed_price,
    variants_have_the_products_fixed_prices_or_their_own,
    a_price_list_without_other_currencies_keeps_fixed_prices,
    a_csv_file_has_fixed_prices_of_variants,
    errors_name_the_fixed_price_of_a_variant,
    an_export_with_fixed_prices_can_be_imported_again,
);

const MUG: &str = r#"{"_id": "mug", "category": "light", "name": "Mug", "sku": "M1", "img": ["/m.svg"],
    "realPrice": 20"#;
const IN_TAKA: &str = r#", "qtn": 9, "realPrice:BDT": 2200, "offerPrice:BDT": 1900,
    "saleEnd": "2026-11-15T11:00:00Z""#;

fn file(more: &str) -> String {
    format!("{{\"products\": [{MUG}{more}}}]}}")
}

async fn try_import(shop: &Shop, text: &str, format: ImportFormat) -> Result<String, Error> {
    let mut rows = Import::parse(text, format, Currency::USD)?;
    rows.stock_at = Some(shop.given.clock.now());
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    catalog::import(db, clock, random, &rows).await.map(|summary| summary.to_string())
}

impl Shop {
    /// An answer that is not cached.
    async fn page(&self, path: &str) -> Value {
        let (db, clock) = (&self.given.db, self.given.clock.clone());
        let cache = Cache::new(1 << 20, Revisions::load(db).await.unwrap(), clock);
        let context = ShopContext { cache, ..self.context.clone() };
        let mut request = Request::get(path).body(Body::empty()).unwrap();
        let to = context.context.currencies.of_request(request.uri(), request.headers()).unwrap();
        request.extensions_mut().insert(to);
        let response = routes(&context).oneshot(request).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&body).unwrap()
    }
}

/// Imports the mug with these fields.
async fn import(shop: &Shop, more: &str) {
    try_import(shop, &file(more), ImportFormat::Json).await.unwrap();
}

/// The variants of the mug with their price in the base currency and their fixed prices, list price and offer.
async fn prices(shop: &Shop) -> Vec<String> {
    let sql = "select id, real_price, fixed_prices from variants
               where product = 'mug' and status = 'active' order by position";
    let rows: Vec<(String, i64, String)> = shop.given.db.query(sql).all().await.unwrap();
    let row = |(id, real, fixed): (String, i64, String)| {
        let fixed: Value = serde_json::from_str(&fixed).unwrap();
        let of_currency = |(code, price): (&String, &Value)| {
            format!(", {code} {} {}", price["real"], price["offer"])
        };
        format!(
            "{id} {real}{}",
            fixed.as_object().unwrap().iter().map(of_currency).collect::<String>()
        )
    };
    rows.into_iter().map(row).collect()
}

/// The lowest prices by which the mug is sorted in other currencies: fixed ones, and those that are converted.
async fn sort_prices(shop: &Shop) -> Vec<(String, Option<i64>, Option<i64>)> {
    let sql = "select currency, fixed, converted from product_prices where product = 'mug'
               order by currency";
    shop.given.db.query(sql).all().await.unwrap()
}

fn row(
    currency: &str,
    fixed: Option<i64>,
    converted: Option<i64>,
) -> (String, Option<i64>, Option<i64>) {
    (currency.into(), fixed, converted)
}

async fn a_shopper_is_charged_the_fixed_price_of_their_currency(shop: Shop) {
    import(&shop, IN_TAKA).await;
    let seen = async |currency: &str| {
        let path = format!("/api/products/mug?currency={currency}");
        let page = shop.page(&path).await;
        let body = json!({ "lines": [{ "_id": "mug", "qtn": 2 }] });
        let headers = [("x-currency", currency)];
        let quote = shop.ask("POST", "/api/quote", &headers, body.to_string()).await.body;
        let line = &quote["lines"][0];
        assert_eq!(page["buyPrice"], line["buyPrice"], "{currency}");
        assert_eq!(page["variants"][0]["buyPrice"], line["buyPrice"], "{currency}");
        let number = |value: &Value| value.as_f64().unwrap();
        assert_eq!(number(&line["total"]), number(&line["buyPrice"]) * 2.0, "{currency}");
        let prices = ["realPrice", "offerPrice", "buyPrice"].map(|field| number(&page[field]));
        (prices, quote)
    };
    assert_eq!(seen("BDT").await.0, [2200.0, 1900.0, 1900.0]);
    assert_eq!(seen("USD").await.0, [20.0, 20.0, 20.0]);
    assert_eq!(seen("EUR").await.0, [17.99, 17.99, 17.99]);
    assert_eq!(seen("JPY").await.0, [3024.0, 3024.0, 3024.0]);

    let (_, quote) = seen("BDT").await;
    let lines = json!([{ "_id": "mug", "qtn": 2 }]);
    let mut body = order(lines, quote["total"].as_f64().unwrap());
    body["currency"] = json!("BDT");
    let placed = shop.post("/api/orders", ME, &body).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    let number = placed.body["number"].as_str().unwrap();
    let ordered = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(
        (&ordered["lines"][0]["buyPrice"], &ordered["lines"][0]["total"], &ordered["subTotal"]),
        (&json!(1900), &json!(3800), &json!(3800))
    );
    let amount = |of: &Value, field: &str| of[field].as_f64().unwrap();
    let charges = amount(&ordered, "shipping") + amount(&ordered, "vat");
    assert_eq!(3800.0 + charges, amount(&ordered, "total"), "{ordered}");
    // 3,800 taka at 120.5, not twice 20 dollars.
    let cents = |field: &str| (amount(&ordered["base"], field) * 100.0).round() as i64;
    assert_eq!(cents("subTotal"), 3154, "{ordered}");
    assert_eq!(cents("subTotal") + cents("shipping") + cents("vat"), cents("total"), "{ordered}");

    // The offer ends, and then the fixed price.
    shop.given.clock.advance(Duration::from_secs(2 * 3600));
    assert_eq!(seen("BDT").await.0, [2200.0, 1900.0, 2200.0]);
    let revisions = Revisions::load(&shop.given.db).await.unwrap();
    let before = revisions.latest();
    let removed = file(r#", "realPrice:BDT": null"#);
    let summary = try_import(&shop, &removed, ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 1 updated, 0 unchanged"), "{summary}");
    assert_eq!(seen("BDT").await.0, [2410.0, 2410.0, 2410.0]);
    revisions.poll(&shop.given.db).await.unwrap();
    let tags = [
        catalog::product_tag(&"mug".parse().unwrap()),
        catalog::category_tag(&"light".parse().unwrap()),
        catalog::catalog_tag(),
    ];
    assert!(tags.into_iter().all(|tag| revisions.changed_since(before, &[tag])));
}

async fn lists_are_sorted_by_the_lowest_present_fixed_price(shop: Shop) {
    let (db, clock) = (shop.given.db.clone(), shop.given.clock.clone());
    let worker = Worker::new(db.clone(), clock.clone(), shop.given.random.clone())
        .register::<catalog::SaleBoundary>((db, clock));
    import(&shop, IN_TAKA).await;
    assert_eq!(sort_prices(&shop).await, [row("BDT", Some(190_000), None)]);
    let variants = r#", "variants": [{"options": {"Colour": "Chalk"}},
        {"options": {"Colour": "Ink"}, "realPrice": 15, "qtn": 1},
        {"options": {"Colour": "Moss"}, "realPrice:JPY": 1000, "realPrice:BDT": 1500, "qtn": 1}]"#;
    import(&shop, variants).await;
    let with_moss = [row("BDT", Some(150_000), Some(1500)), row("JPY", Some(1000), Some(1500))];
    assert_eq!(sort_prices(&shop).await, with_moss);

    // A variant that is not sold any more counts no longer.
    let without_moss = r#", "variants": [{"options": {"Colour": "Chalk"}},
        {"options": {"Colour": "Ink"}, "realPrice": 15}]"#;
    import(&shop, without_moss).await;
    assert_eq!(sort_prices(&shop).await, [row("BDT", Some(190_000), Some(1500))]);
    shop.given.clock.advance(Duration::from_secs(2 * 3600));
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(sort_prices(&shop).await, [row("BDT", Some(220_000), Some(1500))]);
    import(&shop, r#", "offerPrice:BDT": null, "realPrice:EUR": 18.5"#).await;
    let with_euros = [row("BDT", Some(220_000), Some(1500)), row("EUR", Some(1850), Some(1500))];
    assert_eq!(sort_prices(&shop).await, with_euros);
    import(&shop, r#", "realPrice:BDT": null, "realPrice:EUR": null"#).await;
    assert_eq!(sort_prices(&shop).await, []);
}

async fn variants_have_the_products_fixed_prices_or_their_own(shop: Shop) {
    let variants = r#", "variants": [{"options": {"Colour": "Chalk"}},
        {"options": {"Colour": "Ink"}, "realPrice": 25},
        {"options": {"Colour": "Moss"}, "realPrice:BDT": 2500},
        {"options": {"Colour": "Sand"}, "realPrice": 30, "realPrice:BDT": 3000, "offerPrice:BDT": 2800},
        {"options": {"Colour": "Rust"}, "offerPrice:BDT": 1800}]"#;
    import(&shop, &format!("{IN_TAKA}{variants}")).await;
    let stored = [
        "mug 2000, BDT 220000 190000",
        "mug--ink 2500",
        "mug--moss 2000, BDT 250000 250000",
        "mug--sand 3000, BDT 300000 280000",
        "mug--rust 2000, BDT 220000 180000",
    ];
    assert_eq!(prices(&shop).await, stored);
    let again = try_import(&shop, &file(&format!("{IN_TAKA}{variants}")), ImportFormat::Json).await;
    assert!(again.unwrap().ends_with("0 added, 0 updated, 1 unchanged"));

    // Without a list of variants, those with the product's price follow it, also in one currency.
    import(&shop, r#", "realPrice:BDT": 2300, "realPrice:EUR": 19"#).await;
    let euros = "EUR 1900 1900";
    assert_eq!(
        prices(&shop).await,
        [
            format!("mug 2000, BDT 230000 190000, {euros}"),
            "mug--ink 2500".into(),
            format!("mug--moss 2000, BDT 250000 250000, {euros}"),
            "mug--sand 3000, BDT 300000 280000".into(),
            format!("mug--rust 2000, BDT 220000 180000, {euros}"),
        ]
    );
    let text = file(r#", "realPrice:EUR": null"#).replace("\"realPrice\": 20", "\"realPrice\": 21");
    let summary = try_import(&shop, &text, ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 1 updated, 0 unchanged"), "{summary}");
    assert_eq!(
        prices(&shop).await,
        [
            "mug 2100, BDT 230000 190000",
            "mug--ink 2500",
            "mug--moss 2100, BDT 250000 250000",
            "mug--sand 3000, BDT 300000 280000",
            "mug--rust 2100, BDT 220000 180000",
        ]
    );
}

async fn a_price_list_without_other_currencies_keeps_fixed_prices(shop: Shop) {
    let variants = r#", "variants": [{"options": {"Colour": "Chalk"}},
        {"options": {"Colour": "Sand"}, "realPrice": 30, "realPrice:BDT": 3000, "offerPrice:BDT": 2800}]"#;
    import(&shop, &format!("{IN_TAKA}{variants}")).await;
    let stock_list = "_id,category,name,sku,img,realPrice,qtn,option:Colour\n\
        mug,light,Mug,M1,/m.svg,20,4,Chalk\nmug,,,,,31,3,Sand\n";
    try_import(&shop, stock_list, ImportFormat::Csv).await.unwrap();
    // As in the base currency, a variant with a price has its own offer, or none.
    assert_eq!(
        prices(&shop).await,
        ["mug 2000, BDT 220000 220000", "mug--sand 3100, BDT 300000 300000"]
    );
    // Empty fields remove them.
    let removed = r#", "variants": [{"options": {"Colour": "Chalk"}},
        {"options": {"Colour": "Sand"}, "realPrice": 30, "realPrice:BDT": null}]"#;
    import(&shop, removed).await;
    assert_eq!(prices(&shop).await, ["mug 2000, BDT 220000 220000", "mug--sand 3000"]);
}

const CSV: &str = "_id;category;name;sku;img;realPrice;qtn;option:Colour;realPrice:BDT;offerPrice:BDT;realPrice:JPY\n\
    mug;light;Mug;M1;/m.svg;20;5;Chalk;2200,50;1900;\n\
    mug;;;;;;2;Ink;;;\n\
    mug;;;;;25;1;Moss;;;2500\n\
    mug;;;;;;1;Sand;2500;;\n\
    cup;light;Cup;C1;/c.svg;9;3;;990;;1400\n";

async fn a_csv_file_has_fixed_prices_of_variants(shop: Shop) {
    try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    let stored = [
        "mug 2000, BDT 220050 190000",
        "mug--ink 2000, BDT 220050 190000",
        "mug--moss 2500, JPY 2500 2500",
        "mug--sand 2000, BDT 250000 250000",
    ];
    assert_eq!(prices(&shop).await, stored);
    let again = try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    assert!(again.ends_with("0 added, 0 updated, 2 unchanged"), "{again}");
    let emptied = CSV.replace("2200,50;1900", ";").replace("990;;1400", ";;1400");
    let summary = try_import(&shop, &emptied, ImportFormat::Csv).await.unwrap();
    assert!(summary.ends_with("0 added, 2 updated, 0 unchanged"), "{summary}");
    assert_eq!(
        prices(&shop).await,
        [
            "mug 2000",
            "mug--ink 2000",
            "mug--moss 2500, JPY 2500 2500",
            "mug--sand 2000, BDT 250000 250000"
        ]
    );
}

async fn errors_name_the_fixed_price_of_a_variant(shop: Shop) {
    import(&shop, r#", "qtn": 1"#).await;
    for (variant, why) in [
        (r#""offerPrice:BDT": 5"#, "variants: Ink: offerPrice:BDT: needs a list price"),
        (
            r#""realPrice:BDT": 5, "offerPrice:BDT": 6"#,
            "Ink: offerPrice:BDT: is not between 0 and realPrice:BDT",
        ),
        (r#""realPrice:JPY": 0.5"#, "Ink: realPrice:JPY: 0.5 has more decimals than JPY"),
        (r#""realPrice:BDT": -5"#, "Ink: realPrice:BDT: must not be negative"),
        (r#""saleEnd": "2026-12-01T00:00:00Z", "realPrice:BDT": 5"#, "saleStart: needs a price"),
    ] {
        let text = file(&format!(
            ", \"variants\": [{{\"options\": {{\"Colour\": \"Ink\"}},\n {variant}}}]"
        ));
        let error = try_import(&shop, &text, ImportFormat::Json).await.unwrap_err().message();
        assert!(error.starts_with("line 2, column ") && error.contains(why), "{variant}: {error}");
    }
    // Of a variant's offer and its product's list price, and of a stored offer.
    let offer = r#", "realPrice:BDT": 5, "variants": [{"options": {"Colour": "Ink"}, "offerPrice:BDT": 6}]"#;
    let error = try_import(&shop, &file(offer), ImportFormat::Json).await.unwrap_err().message();
    assert!(error.contains("Ink: is not between 0 and realPrice:BDT"), "{error}");
    import(&shop, IN_TAKA).await;
    for (fields, why) in [
        (r#", "realPrice:BDT": 1800"#, "offerPrice:BDT: is not between 0 and realPrice:BDT"),
        (
            r#", "offerPrice:EUR": 1"#,
            "column 22: offerPrice:EUR: needs a list price, realPrice:EUR",
        ),
    ] {
        let error = try_import(&shop, &file(fields), ImportFormat::Json).await.unwrap_err();
        assert!(error.message().contains(why), "{fields}: {}", error.message());
    }
    let csv = CSV.replace(";;;;25;1;Moss;;;2500", ";;;;25;1;Moss;;9;2500");
    let error = try_import(&shop, &csv, ImportFormat::Csv).await.unwrap_err().message();
    let wanted = "line 4, column 10: offerPrice:BDT: needs a list price, realPrice:BDT";
    assert_eq!(error, wanted);
}

async fn an_export_with_fixed_prices_can_be_imported_again(shop: Shop) {
    let (db, base) = (&shop.given.db, Currency::USD);
    try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    let plate = r#"{"_id": "plate", "category": "light", "name": "Plate", "sku": "P1", "img": ["/p.svg"],
        "realPrice": 8, "offerPrice": 7, "saleEnd": "2026-12-01T00:00:00Z", "realPrice:KWD": 2.125,
        "offerPrice:KWD": 1.5, "realPrice:EUR": 7, "variants": [
            {"options": {"Size": "S"}, "qtn": 2}, {"options": {"Size": "M"}, "realPrice": 8},
            {"options": {"Size": "L"}, "realPrice": 9, "offerPrice:KWD": 2, "realPrice:KWD": 2.5},
            {"options": {"Size": "XL"}, "realPrice:JPY": 1500, "realPrice:EUR": 11}]}"#;
    shop.import(&format!("{{\"products\": [{plate}]}}")).await;
    let before: Vec<(String, String)> =
        db.query("select id, fixed_prices from variants order by id").all().await.unwrap();
    let (rows, _) = export::export_products(db, base, None).await.unwrap();
    let json = json!({ "products": rows }).to_string();
    let summary = try_import(&shop, &json, ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 6 unchanged"), "{summary}\n{json}");

    let options = export::option_names(db).await.unwrap();
    let mut columns = export::product_columns(&[].into(), &options);
    let fixed = export::fixed_price_columns(db).await.unwrap();
    let of = |code: &str| [format!("realPrice:{code}"), format!("offerPrice:{code}")];
    assert_eq!(fixed, ["BDT", "EUR", "JPY", "KWD"].map(of).concat());
    columns.extend(fixed);
    let mut csv = columns.join("\t");
    for row in rows.into_iter().flat_map(|row| row.into_variant_rows()) {
        csv += &format!("\n{}", row.cells(&columns).unwrap().join("\t"));
    }
    let summary = try_import(&shop, &csv, ImportFormat::Csv).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 6 unchanged"), "{summary}\n{csv}");

    // Both files say all of it.
    for (text, format) in [(&json, ImportFormat::Json), (&csv, ImportFormat::Csv)] {
        db.query("update variants set fixed_prices = '{}'").execute().await.unwrap();
        try_import(&shop, text, format).await.unwrap();
        let after: Vec<(String, String)> =
            db.query("select id, fixed_prices from variants order by id").all().await.unwrap();
        assert_eq!(after, before);
    }
}
