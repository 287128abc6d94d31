//! Variants: import, prices, stock, carts, orders, wishlists, alerts and reviews of the colour that was chosen.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::http::StatusCode;
use platform::{Currency, Error, Timestamp};
use serde_json::{Value, json};
use shop::catalog::{self, CatalogView, Import, ImportFormat, Product, Variant};
use shop::orders::Step;
use test_support::on_both;

use super::test_shop::{ME, Shop, order, view};

on_both!(Shop:
    combinations_become_variants,
    colours_are_a_short_form_of_an_option,
    listed_variants_have_their_own_prices_and_stock,
    an_update_keeps_what_it_does_not_name,
    variants_keep_their_ids_when_options_come_and_go,
    a_dropped_variant_is_archived_and_can_come_back,
    a_csv_file_has_a_row_for_each_variant,
    an_export_can_be_imported_again,
    renamed_options_and_values_keep_their_variants,
    what_is_owed_survives_an_export,
    errors_name_the_variant,
    two_colours_are_two_lines,
    a_product_id_means_the_default_variant,
    a_back_order_is_sold_and_promised,
    the_last_one_of_a_colour_is_sold_once,
    the_choice_of_a_url_is_resolved,
    many_variants_are_listed_in_pages,
    what_was_chosen_is_named_in_wishes_alerts_and_reviews,
);

const SHIRT: &str = r#"{"_id": "shirt", "category": "light", "name": "Shirt", "sku": "S1",
    "img": ["/s.svg", "/s-ink.svg"], "realPrice": 20"#;
const TWO_OPTIONS: &str = r#", "options": [{"name": "Colour", "values": ["Chalk", "Ink"]},
    {"name": "Size", "values": ["S", "M"]}]"#;

fn file(more: &str) -> String {
    format!("{{\"products\": [{SHIRT}{more}}}]}}")
}

async fn try_import(shop: &Shop, text: &str, format: ImportFormat) -> Result<String, Error> {
    let mut rows = Import::parse(text, format, Currency::USD)?;
    rows.stock_at = Some(shop.given.clock.now());
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    catalog::import(db, clock, random, &rows).await.map(|summary| summary.to_string())
}

async fn shirt(shop: &Shop) -> (Product, Vec<Variant>) {
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let product =
        catalog::product(db, view(now), &"shirt".parse().unwrap()).await.unwrap().unwrap();
    let variants = catalog::variants_from(db, view(now), &product, 0, 5_000).await.unwrap();
    (product, variants)
}

/// The ids of the variants with their values and stock.
async fn stock(shop: &Shop) -> Vec<(String, String, i64)> {
    let (_, variants) = shirt(shop).await;
    let row = |one: Variant| (one.id.to_string(), one.chosen.text(), one.qtn);
    variants.into_iter().map(row).collect()
}

fn row(id: &str, values: &str, qtn: i64) -> (String, String, i64) {
    (id.into(), values.into(), qtn)
}

async fn combinations_become_variants(shop: Shop) {
    let in_ink = r#"{"src": "/s-ink.svg", "colour": "Ink"}"#;
    let text = file(&format!("{TWO_OPTIONS}, \"qtn\": 7"));
    shop.import(&text.replace("\"/s-ink.svg\"", in_ink)).await;
    assert_eq!(
        stock(&shop).await,
        [
            row("shirt", "Chalk, S", 7),
            row("shirt--chalk-m", "Chalk, M", 0),
            row("shirt--ink-s", "Ink, S", 0),
            row("shirt--ink-m", "Ink, M", 0),
        ],
        "all of the stock is the first one's"
    );
    let (product, variants) = shirt(&shop).await;
    assert_eq!(
        (product.totals.qtn, product.totals.variant_count, product.totals.price_from),
        (7, 4, None)
    );
    assert_eq!((variants[1].img.as_str(), variants[2].img.as_str()), ("/s.svg", "/s-ink.svg"));
    assert_eq!(variants[3].sku, "S1", "without an SKU of its own");
}

async fn colours_are_a_short_form_of_an_option(shop: Shop) {
    shop.import(&file(r#", "colours": ["Chalk", "Ink"], "qtn": 3"#)).await;
    assert_eq!(stock(&shop).await, [row("shirt", "Chalk", 3), row("shirt--ink", "Ink", 0)]);
    assert_eq!(shirt(&shop).await.0.options[0].param, "colour");
    let both = file(r#", "colours": ["Ink"], "options": []"#);
    let why = try_import(&shop, &both, ImportFormat::Json).await.unwrap_err();
    assert!(why.message().contains("not both"), "{why}");
}

const LISTED: &str = r#", "variants": [
    {"options": {"Colour": "Chalk"}, "qtn": 5},
    {"options": {"Colour": "Ink"}, "sku": "S1-INK", "qtn": 2, "realPrice": 25, "offerPrice": 22,
     "weight": 320, "img": "/s-ink.svg"},
    {"options": {"Colour": "Moss"}, "_id": "moss-shirt", "barcode": "4006381333931", "img": "/moss.svg"}]"#;

async fn listed_variants_have_their_own_prices_and_stock(shop: Shop) {
    shop.import(&file(LISTED)).await;
    assert_eq!(
        stock(&shop).await,
        [row("shirt", "Chalk", 5), row("shirt--ink", "Ink", 2), row("moss-shirt", "Moss", 0)]
    );
    let (product, variants) = shirt(&shop).await;
    let price = |at: usize| variants[at].price.buy_price.minor();
    assert_eq!([price(0), price(1), price(2)], [2000, 2200, 2000]);
    assert_eq!(product.totals.price_from.map(|price| price.minor()), Some(2000));
    assert_eq!((variants[1].sku.as_str(), variants[1].weight), ("S1-INK", Some(320)));
    assert_eq!(
        (variants[2].img.as_str(), variants[2].barcode.as_str()),
        ("/moss.svg", "4006381333931")
    );
    assert_eq!(product.img[2].colour.as_deref(), Some("Moss"), "the picture is the product's too");
    let history = shop.stock_history("shirt--ink").await;
    assert_eq!((history.len(), history[0].change, history[0].actor.as_str()), (1, 2, "import"));
}

async fn an_update_keeps_what_it_does_not_name(shop: Shop) {
    shop.import(&file(LISTED)).await;
    let before = stock(&shop).await;
    let summary = try_import(&shop, &file(LISTED), ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 1 unchanged"), "{summary}");
    // The product's price is that of the variants that cost the same.
    let cheaper = file("").replace("\"realPrice\": 20", "\"realPrice\": 18");
    try_import(&shop, &cheaper, ImportFormat::Json).await.unwrap();
    assert_eq!(stock(&shop).await, before);
    let (_, variants) = shirt(&shop).await;
    let prices: Vec<i64> = variants.iter().map(|one| one.price.buy_price.minor()).collect();
    assert_eq!(prices, [1800, 2200, 1800]);
    // A product's stock is its default variant's.
    try_import(&shop, &file(r#", "stockChange": 4"#), ImportFormat::Json).await.unwrap();
    assert_eq!(shop.stock("shirt").await.0, 9);
    assert_eq!(shop.stock("shirt--ink").await.0, 2);
}

async fn variants_keep_their_ids_when_options_come_and_go(shop: Shop) {
    shop.import(&file(r#", "qtn": 4"#)).await;
    shop.import(&file(r#", "colours": ["Chalk", "Ink"]"#)).await;
    assert_eq!(stock(&shop).await, [row("shirt", "Chalk", 4), row("shirt--ink", "Ink", 0)]);
    let more = r#", "variants": [
        {"options": {"Colour": "Chalk", "Size": "S"}}, {"options": {"Colour": "Chalk", "Size": "M"}, "qtn": 1},
        {"options": {"Colour": "Ink", "Size": "S"}, "stockChange": 3}]"#;
    shop.import(&file(more)).await;
    assert_eq!(
        stock(&shop).await,
        [
            row("shirt", "Chalk, S", 4),
            row("shirt--chalk-m", "Chalk, M", 1),
            row("shirt--ink", "Ink, S", 3)
        ]
    );
    // A value that is renamed: the default variant stays, others by their SKUs.
    let renamed = r#", "variants": [{"options": {"Colour": "Sand", "Size": "S"}}]"#;
    shop.import(&file(renamed)).await;
    assert_eq!(stock(&shop).await, [row("shirt", "Sand, S", 4)]);
    let (product, _) = shirt(&shop).await;
    assert_eq!(product.options[0].values, ["Sand"], "values that no variant has are dropped");
    shop.import(&file(r#", "options": []"#)).await;
    assert_eq!(stock(&shop).await, [row("shirt", "", 4)]);
}

async fn a_dropped_variant_is_archived_and_can_come_back(shop: Shop) {
    shop.import(&file(LISTED)).await;
    let without_ink =
        r#", "variants": [{"options": {"Colour": "Chalk"}}, {"options": {"Colour": "Moss"}}]"#;
    shop.import(&file(without_ink)).await;
    let lines = json!([{ "_id": "shirt--ink", "qtn": 1 }]);
    let refused = shop.post("/api/orders", ME, &order(lines.clone(), 182.0)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("gone"))
    );
    // Its SKU may be used again meanwhile.
    shop.import(&file(LISTED)).await;
    let ids: Vec<String> = stock(&shop).await.into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["shirt", "shirt--ink", "moss-shirt"]);
    shop.place(ME, lines, 182.0).await;
    // Two variants can exchange their values.
    let exchanged = LISTED.replace("Chalk", "X").replace("Moss", "Chalk").replace('X', "Moss");
    let exchanged = exchanged.replacen("{\"options\"", "{\"_id\": \"shirt\", \"options\"", 1);
    shop.import(&file(&exchanged)).await;
    let rows = stock(&shop).await;
    assert_eq!(
        (rows[0].1.as_str(), rows[2].0.as_str(), rows[2].1.as_str()),
        ("Moss", "moss-shirt", "Chalk")
    );
}

const CSV: &str = "_id,category,name,sku,img,realPrice,offerPrice,qtn,option:Colour,option:Size,weight,options@bn\n\
    shirt,light,Shirt,S1,/s.svg,20,,5,Chalk,S,300,রং: চক | কালি; মাপ: এস | এম\n\
    shirt,,,S1-M,,22,18,2,Chalk,M,310,\n\
    shirt,,,S1-INK,/s-ink.svg [Ink] The shirt in ink.,,,1,Ink,S,300,\n\
    cap,light,Cap,C1,/c.svg,9,,3,,,,\n";

async fn a_csv_file_has_a_row_for_each_variant(shop: Shop) {
    try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    assert_eq!(
        stock(&shop).await,
        [
            row("shirt", "Chalk, S", 5),
            row("shirt--chalk-m", "Chalk, M", 2),
            row("shirt--ink-s", "Ink, S", 1)
        ]
    );
    let (product, variants) = shirt(&shop).await;
    let names: Vec<&str> = product.options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["Colour", "Size"]);
    assert_eq!((variants[1].price.buy_price.minor(), variants[1].weight), (1800, Some(310)));
    assert_eq!((variants[2].img.as_str(), variants[2].sku.as_str()), ("/s-ink.svg", "S1-INK"));
    assert_eq!(product.img[1].alt, "The shirt in ink.");
    let bangla = Some("bn".parse().unwrap());
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let id = "shirt".parse().unwrap();
    let translated = catalog::product(db, CatalogView { language: bangla, ..view(now) }, &id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (translated.options[1].name.as_str(), &translated.options[1].values[1]),
        ("মাপ", &"এম".to_owned())
    );
    assert_eq!(
        (translated.options[1].originals[1].as_str(), translated.options[1].param.as_str()),
        ("M", "size")
    );
    let again = try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    assert!(again.ends_with("0 added, 0 updated, 2 unchanged"), "{again}");
    let twice = CSV.replace("Ink,S", "Chalk,S");
    let why = try_import(&shop, &twice, ImportFormat::Csv).await.unwrap_err().message();
    assert!(why.contains("line 4") && why.contains("twice"), "{why}");
}

async fn an_export_can_be_imported_again(shop: Shop) {
    try_import(&shop, CSV, ImportFormat::Csv).await.unwrap();
    shop.import(&format!(
        "{{\"products\": [{}}}]}}",
        SHIRT.replace("shirt", "coat").replace("S1", "K1").to_owned()
            + LISTED.replace("moss-shirt", "moss-coat").replace("S1-INK", "K1-INK").as_str()
    ))
    .await;
    let (rows, next) =
        catalog::export::export_products(&shop.given.db, Currency::USD, None).await.unwrap();
    assert!(next.is_none());
    let json = json!({ "products": rows }).to_string();
    let summary = try_import(&shop, &json, ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 6 unchanged"), "{summary}");
    let languages = ["bn".parse().unwrap()].into();
    let options = catalog::export::option_names(&shop.given.db).await.unwrap();
    let columns = catalog::export::product_columns(&languages, &options);
    let mut csv = columns.join("\t");
    for row in rows.into_iter().flat_map(|row| row.into_variant_rows()) {
        csv += &format!("\n{}", row.cells(&columns).unwrap().join("\t"));
    }
    let summary = try_import(&shop, &csv, ImportFormat::Csv).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 6 unchanged"), "{summary}\n{csv}");
}

async fn renamed_options_and_values_keep_their_variants(shop: Shop) {
    let sizes = r##", "options": [{"name": "Size", "values": ["S", {"name": "M", "swatch": "#aabbcc"}]}],
        "variants": [{"options": {"Size": "S"}, "qtn": 5}, {"options": {"Size": "M"}, "qtn": 3}]"##;
    shop.import(&file(sizes)).await;
    let fits = r#", "variants": [{"options": {"Fit": "M"}}, {"options": {"Fit": "S"}}, {"options": {"Fit": "L"}, "stockChange": 2}]"#;
    shop.import(&file(fits)).await;
    assert_eq!(
        stock(&shop).await,
        [row("shirt--m", "M", 3), row("shirt", "S", 5), row("shirt--l", "L", 2)]
    );
    // A variant that came in place of another one with the same value is not confused with it.
    let of = |first: &str, second: &str| {
        format!(r#", "variants": [{{"options": {{"Fit": "S"}}}}, {first}, {second}]"#)
    };
    let (m, l) = (r#"{"options": {"Fit": "M"}}"#, r#"{"options": {"Fit": "L"}}"#);
    shop.import(&file(&of(l, r#"{"options": {"Fit": "XL"}, "qtn": 1}"#))).await;
    let renamed = r#"{"_id": "shirt--xl", "options": {"Fit": "M"}}"#;
    shop.import(&file(&of(l, renamed))).await;
    shop.import(&file(r#", "brand": "Fennholt""#)).await;
    let ids: Vec<_> = stock(&shop).await.into_iter().map(|(id, values, _)| (id, values)).collect();
    assert_eq!(ids[2], ("shirt--xl".to_owned(), "M".to_owned()));
    // Swatches stay when a value comes.
    let swatch =
        |values: &str| format!(r#", "options": [{{"name": "Fit", "values": [{values}]}}]"#);
    shop.import(&file(&swatch(r##""S", {"name": "M", "swatch": "#aabbcc"}, "L""##))).await;
    shop.import(&file(&of(m, r#"{"options": {"Fit": "New"}, "qtn": 1}"#))).await;
    let (product, _) = shirt(&shop).await;
    assert_eq!(product.options[0].values, ["S", "M", "New"]);
    assert_eq!(product.options[0].swatches, [None, Some("#aabbcc".to_owned()), None]);
}

async fn what_is_owed_survives_an_export(shop: Shop) {
    let promised = r#", "variants": [{"options": {"Colour": "Chalk"}, "qtn": 1, "backOrder": "2026-12-24T00:00:00Z"},
        {"options": {"Colour": "Ink"}, "sku": "S1-INK", "qtn": 4}]"#;
    shop.import(&file(promised)).await;
    shop.place(ME, json!([{ "_id": "shirt", "qtn": 3 }]), 220.0).await;
    let (rows, _) =
        catalog::export::export_products(&shop.given.db, Currency::USD, None).await.unwrap();
    let json = json!({ "products": rows }).to_string();
    let summary = try_import(&shop, &json, ImportFormat::Json).await.unwrap();
    assert!(summary.ends_with("0 added, 0 updated, 4 unchanged"), "{summary}");
    assert_eq!(shop.stock("shirt").await, (-2, 3));
    // A part of what is owed comes in after the back-order has ended.
    let ended = json.replace("\"2026-12-24T00:00:00.000Z\"", "null");
    try_import(&shop, &ended, ImportFormat::Json).await.unwrap();
    let (db, journal) = (&shop.given.db, (&shop.given.clock, &shop.given.random));
    let id = "shirt".parse().unwrap();
    let target = catalog::StockTarget::Adjust(1);
    let changed = catalog::change_stock(db, journal, &id, target, "", "").await.unwrap();
    assert_eq!(changed, Some((-2, -1)));
    assert!(
        catalog::change_stock(db, journal, &id, catalog::StockTarget::Adjust(-1), "", "")
            .await
            .is_err()
    );
}

async fn errors_name_the_variant(shop: Shop) {
    for (variants, why) in [
        (r#"[{"options": {"Colour": "Chalk"}, "qtn": -1}]"#, "Chalk: -1 is not between"),
        (
            r#"[{"options": {"Colour": "Chalk"}}, {"options": {"Colour": "Chalk"}}]"#,
            "appears twice",
        ),
        (
            r#"[{"options": {"Colour": "Chalk"}, "qtn": 1}, {"options": {"Size": "M"}}]"#,
            "has no Size",
        ),
        (r#"[{"options": {"Colour": "Chalk"}, "qtn": 1, "offerPrice": 21}]"#, "offerPrice"),
        (
            r#"[{"options": {"Colour": "Chalk"}, "qtn": 1, "sku": "B1"}]"#,
            "B1 is the SKU of another product",
        ),
        (r#"[{"options": {"Sort": "Up"}, "qtn": 1}]"#, "\"Sort\" is not possible as a name"),
        (r#"[{"options": {"Colour": "Chalk"}}]"#, "a new product needs its stock"),
        ("[]", "needs at least one"),
        (
            r#"[{"options": {"Colour": "A"}, "qtn": 1}, {"_id": "x", "options": {"Colour": "B"}}, {"_id": "x", "options": {"Colour": "C"}}]"#,
            "_id: appears twice",
        ),
        (
            r#"[{"options": {"Colour": "A"}, "qtn": 1}, {"options": {"Colour": "B"}, "sku": "S1"}]"#,
            "appears twice in this file",
        ),
        (
            r#"[{"options": {"Colour": "A"}, "qtn": 1, "saleEnd": "2027-01-01T00:00:00Z"}]"#,
            "needs a price",
        ),
    ] {
        let text = file(&format!(", \"variants\": {variants}"));
        let error = try_import(&shop, &text, ImportFormat::Json).await.unwrap_err().message();
        assert!(error.contains(why), "{variants}: {error}");
    }
    shop.import(&file(LISTED)).await;
    for (file, why) in [
        (file(r#", "colours": ["Ink", "Moss"]"#), "Chalk is missing: it is the default variant"),
        (
            file(
                r#", "variants": [{"options": {"Colour": "Chalk"}}, {"options": {"Colour": "Red"}, "stockChange": -1}]"#,
            ),
            "-1 is too much",
        ),
    ] {
        let error = try_import(&shop, &file, ImportFormat::Json).await.unwrap_err().message();
        assert!(error.contains(why), "{file}: {error}");
    }
    let many: Vec<String> = (0..50).map(|n| format!("\"v{n}\"")).collect();
    let values = many.join(",");
    let options = format!(
        ", \"qtn\": 1, \"options\": [{{\"name\": \"A\", \"values\": [{values}]}}, {{\"name\": \"B\", \"values\": [{values}]}}]"
    );
    let error = try_import(&shop, &file(&options), ImportFormat::Json).await.unwrap_err().message();
    assert!(error.contains("2500 combinations, 2048 are allowed"), "{error}");
}

async fn two_colours_are_two_lines(shop: Shop) {
    shop.import(&file(LISTED)).await;
    let lines = json!([{ "_id": "shirt", "qtn": 1 }, { "_id": "shirt--ink", "qtn": 2 }]);
    let cart = shop.patch("/api/cart", ME, &json!({ "lines": lines })).await.body;
    let line = |at: usize| {
        (&cart["lines"][at]["_id"], &cart["lines"][at]["product"], &cart["lines"][at]["options"])
    };
    assert_eq!(line(0), (&json!("shirt"), &json!("shirt"), &json!({ "Colour": "Chalk" })));
    assert_eq!(line(1), (&json!("shirt--ink"), &json!("shirt"), &json!({ "Colour": "Ink" })));
    let number = shop.place(ME, lines, 224.0).await;
    let placed = shop.get(&format!("/api/orders/{number}"), ME).await.body;
    assert_eq!(placed["lines"][1]["options"], json!({ "Colour": "Ink" }));
    assert_eq!(
        (&placed["lines"][1]["sku"], &placed["lines"][1]["picture"]),
        (&json!("S1-INK"), &json!("/s-ink.svg"))
    );
    let invoice = shop.get(&format!("/api/orders/{number}/invoice"), ME).await.body;
    assert_eq!(invoice["documents"][0]["items"][1]["options"], "Ink");
    let email = shop.emails().await.pop().unwrap();
    let text = email["text"].as_str().unwrap();
    assert!(text.contains("1 × Shirt (Chalk)") && text.contains("2 × Shirt (Ink)"), "{text}");
    assert!(shop.get("/api/cart", ME).await.body["lines"].as_array().unwrap().is_empty());
    // One colour of the order comes back.
    shop.advance(&number, 4).await;
    let back = json!({ "lines": [{ "_id": "shirt--ink", "qtn": 1 }] });
    let answer = shop.post(&format!("/api/orders/{number}/return"), ME, &back).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    shop.advance(&number, 2).await;
    assert_eq!((shop.stock("shirt").await, shop.stock("shirt--ink").await), ((4, 1), (1, 1)));
}

async fn a_product_id_means_the_default_variant(shop: Shop) {
    shop.import(&file(LISTED)).await;
    let quote = json!({ "lines": [{ "_id": "shirt", "qtn": 1 }] });
    let quoted = shop.post("/api/quote", ME, &quote).await.body;
    assert_eq!(quoted["lines"][0]["options"], json!({ "Colour": "Chalk" }));
    let specified = json!({ "firstname": "Rahim", "email": ME, "phone": "+880 1700 000 000",
        "address": "Dhaka", "getState": [{ "_id": "shirt", "qtn": 1 }], "grandPrice": 180 });
    let placed = shop.post("/api/order", ME, &specified).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
    assert_eq!(placed.body["getState"][0][0]["options"], json!({ "Colour": "Chalk" }));
    assert_eq!(shop.stock("shirt").await.0, 4);
}

async fn a_back_order_is_sold_and_promised(shop: Shop) {
    let promised = r#", "variants": [{"options": {"Colour": "Chalk"}, "qtn": 1, "backOrder": "2026-12-24T00:00:00Z"}]"#;
    shop.import(&file(promised)).await;
    let line = json!([{ "_id": "shirt", "qtn": 3 }]);
    let quoted = shop.post("/api/quote", ME, &json!({ "lines": line })).await.body;
    let date = json!("2026-12-24T00:00:00.000Z");
    assert_eq!((&quoted["lines"][0]["qtn"], &quoted["lines"][0]["backOrder"]), (&json!(3), &date));
    let number = shop.place(ME, line.clone(), 220.0).await;
    assert_eq!(shop.stock("shirt").await, (-2, 3));
    assert_eq!(shirt(&shop).await.0.totals.qtn, 0);
    // Sales stop again, and what is owed stays owed.
    shop.import(&file(
        &promised.replace("\"2026-12-24T00:00:00Z\"", "null").replace("\"qtn\": 1, ", ""),
    ))
    .await;
    let refused = shop.post("/api/orders", ME, &order(line, 220.0)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("stock"))
    );
    shop.apply(&number, Step::Cancel).await;
    assert_eq!(shop.stock("shirt").await, (1, 0));
}

const COLOURS: usize = 50;

async fn the_last_one_of_a_colour_is_sold_once(shop: Shop) {
    let attempts = if std::env::var("HAAT_TEST_ALL").is_ok() { 200 } else { 8 };
    let variant = |n: usize| json!({ "_id": format!("shirt-{n}"), "options": { "Colour": format!("C{n}") }, "qtn": 1 });
    let mut variants: Vec<Value> = (0..COLOURS).map(variant).collect();
    variants[0]["_id"] = json!("shirt");
    shop.import(&file(&format!(", \"variants\": {}", json!(variants)))).await;
    let (shop, sold) = (Arc::new(shop), Arc::new(AtomicI64::new(0)));
    let buyers: Vec<_> = (0..16)
        .map(|buyer| {
            let (shop, sold) = (shop.clone(), sold.clone());
            tokio::spawn(async move {
                for attempt in (0..COLOURS * attempts).filter(|attempt| attempt % 16 == buyer) {
                    let n = attempt % COLOURS;
                    let id = if n == 0 { "shirt".to_owned() } else { format!("shirt-{n}") };
                    let lines = json!([{ "_id": id, "qtn": 1 }]);
                    let answer = shop.post("/api/orders", ME, &order(lines, 180.0)).await;
                    match answer.status {
                        StatusCode::CREATED => drop(sold.fetch_add(1, Ordering::Relaxed)),
                        status => assert_eq!(
                            (status, &answer.body["error"]["code"]),
                            (StatusCode::CONFLICT, &json!("stock"))
                        ),
                    }
                }
            })
        })
        .collect();
    for buyer in buyers {
        buyer.await.unwrap();
    }
    assert_eq!(sold.load(Ordering::Relaxed), COLOURS as i64);
    for n in 1..COLOURS {
        assert_eq!(shop.stock(&format!("shirt-{n}")).await, (0, 1));
    }
}

async fn the_choice_of_a_url_is_resolved(shop: Shop) {
    shop.import(&file(&format!("{TWO_OPTIONS}, \"qtn\": 7"))).await;
    let (db, id) = (&shop.given.db, "shirt".parse().unwrap());
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    };
    for (params, choice) in [
        (
            &[("size", "M"), ("x", "1"), ("colour", "Ink")][..],
            &[("colour", "Ink"), ("size", "M")][..],
        ),
        (&[("colour", "Red")], &[]),
        (&[("variant", "shirt--ink-s")], &[("colour", "Ink"), ("size", "S")]),
        (&[("variant", "lamp")], &[]),
    ] {
        assert_eq!(
            catalog::find_choice(db, &id, &pairs(params)).await.unwrap(),
            pairs(choice),
            "{params:?}"
        );
    }
    let (product, _) = shirt(&shop).await;
    let choose = async |wanted: &[(&str, &str)]| {
        catalog::choose(db, view(Timestamp(0)), &product, &pairs(wanted)).await.unwrap()
    };
    // Without a choice the first in stock; else the first that has the value.
    assert_eq!(choose(&[]).await.values, ["Chalk", "S"]);
    assert_eq!(choose(&[("colour", "Ink")]).await.values, ["Ink", "S"]);
    catalog::change_stock(
        db,
        (&shop.given.clock, &shop.given.random),
        &"shirt--ink-m".parse().unwrap(),
        catalog::StockTarget::Set(1),
        "",
        "",
    )
    .await
    .unwrap();
    let ink = choose(&[("colour", "Ink")]).await;
    assert_eq!(
        (ink.values.join(" "), ink.variants.len(), ink.has_all_variants),
        ("Ink M".to_owned(), 4, true)
    );
    assert_eq!(ink.variant.unwrap().id.as_str(), "shirt--ink-m");
}

async fn many_variants_are_listed_in_pages(shop: Shop) {
    let values = |letter: char, count: usize| -> Value {
        (0..count).map(|n| format!("{letter}{n}")).collect()
    };
    let options = json!([{ "name": "Colour", "values": values('c', 16) }, { "name": "Size", "values": values('s', 16) },
        { "name": "Length", "values": values('l', 8) }]);
    shop.import(&file(&format!(", \"qtn\": 1, \"options\": {options}"))).await;
    let first = shop.get("/api/products/shirt", ME).await.body;
    assert_eq!(
        (first["variants"].as_array().unwrap().len(), &first["variantsNext"]),
        (100, &json!("100"))
    );
    let mut seen = 0;
    let mut path = "/api/products/shirt/variants?limit=200".to_owned();
    loop {
        let page = shop.get(&path, ME).await;
        seen += page.body.as_array().unwrap().len();
        let Some(next) = page.headers.get("x-next-cursor") else { break };
        path = format!("/api/products/shirt/variants?limit=200&cursor={}", next.to_str().unwrap());
    }
    assert_eq!(seen, 2_048);
    let (product, _) = shirt(&shop).await;
    let choice = catalog::choose(&shop.given.db, view(Timestamp(0)), &product, &[]).await.unwrap();
    assert_eq!((choice.variants.len(), choice.has_all_variants), (16 + 16 + 8 - 2, false));
    for wrong in ["limit=0", "cursor=-1", "cursor=x"] {
        let answer = shop.get(&format!("/api/products/shirt/variants?{wrong}"), ME).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

async fn what_was_chosen_is_named_in_wishes_alerts_and_reviews(shop: Shop) {
    shop.import(&file(LISTED)).await;
    for id in ["moss-shirt", "shirt--ink"] {
        shop.as_customer("PUT", &format!("/api/wishlist/{id}"), ME).await;
    }
    let wishes = shop.get("/api/wishlist", ME).await.body;
    let mut ids: Vec<&str> =
        wishes["products"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["moss-shirt", "shirt--ink"]);
    let cards = shop.get("/api/variants?ids=moss-shirt,nothing,shirt--ink,lamp", ME).await.body;
    let card = |at: usize| {
        (&cards[at]["_id"], &cards[at]["product"], &cards[at]["options"], &cards[at]["qtn"])
    };
    assert_eq!(
        card(0),
        (&json!("moss-shirt"), &json!("shirt"), &json!({ "Colour": "Moss" }), &json!(0))
    );
    assert_eq!(
        card(1),
        (&json!("shirt--ink"), &json!("shirt"), &json!({ "Colour": "Ink" }), &json!(2))
    );
    assert_eq!((&cards[2]["_id"], cards.as_array().unwrap().len()), (&json!("lamp"), 3));

    let number = shop.place(ME, json!([{ "_id": "shirt--ink", "qtn": 1 }]), 182.0).await;
    shop.advance(&number, 4).await;
    let bearer = format!("Bearer {}", shop.token(ME));
    let review = json!({ "rating": 5, "title": "Soft", "body": "And warm." }).to_string();
    let written = shop
        .ask("PUT", "/api/products/shirt/reviews/mine", &[("authorization", &bearer)], review)
        .await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.body);
    let seen = shop.get("/api/products/shirt/reviews", ME).await.body;
    assert_eq!(seen["reviews"][0]["options"], json!({ "Colour": "Ink" }));
}
