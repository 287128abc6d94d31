//! The catalogue and the content in Bangla: the demo shop completely, and what another shop leaves untranslated.

use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::program::{Sandbox, text};
use super::*;

on_both!(TestApp:
    the_api_answers_in_the_language_of_the_request,
    no_text_of_a_demo_product_is_english_in_bangla,
    every_page_of_the_demo_is_translated,
    an_untranslated_product_falls_back_and_says_so,
    filters_are_translated_and_their_values_are_not,
    feeds_and_the_manifest_are_translated,
);

const JSON: [(&str, &str); 1] = [("accept", "application/json")];

fn strings<'v>(value: &'v Value, path: &str, found: &mut Vec<(String, &'v str)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text)),
        Value::Array(items) => items.iter().for_each(|item| strings(item, path, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| strings(item, &format!("{path}.{name}"), found));
        }
        _ => {}
    }
}

/// Fields that are no texts, or proper names.
const NO_TEXTS: [&str; 29] = [
    "_id",
    "id",
    "sku",
    "brand",
    "src",
    "img",
    "colour",
    "placeholder",
    "category",
    "createdAt",
    "saleStart",
    "saleEnd",
    "productType",
    "slug",
    "date",
    "updated",
    "link",
    "icon",
    "now",
    "next",
    "flashEnds",
    "policy",
    "value",
    "originals",
    "param",
    "status",
    "at",
    "sort",
    "view",
];

/// Names that are written in Latin letters in any language.
const NAMES: [&str; 8] =
    ["Google", "Facebook", "Haat", "OpenStreetMap", "Global", "Privacy", "Control", "Argon"];

/// Words of a text in Latin letters, without markup, code, e-mail addresses, units and names.
fn latin_words(text: &str) -> Vec<String> {
    let parts = text.split('<').filter(|part| !part.starts_with("code>"));
    let parts = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let plain = parts.collect::<Vec<_>>().join(" ");
    let words = plain.split_whitespace().filter(|word| !word.contains('@'));
    let words = words.flat_map(|word| word.split(|ch: char| !ch.is_ascii_alphabetic()));
    let is_english =
        |word: &&str| word.len() > 3 && word.contains(char::is_lowercase) && !NAMES.contains(word);
    words.filter(is_english).map(str::to_owned).collect()
}

fn english_in(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    strings(value, "", &mut found);
    let is_text = |path: &str| !path.split('.').any(|name| NO_TEXTS.contains(&name));
    let texts = found.into_iter().filter(|(path, _)| is_text(path));
    let words = texts.flat_map(|(path, text)| {
        latin_words(text).into_iter().map(move |word| format!("{path}: {word} in {text:.60}"))
    });
    words.collect()
}

async fn the_api_answers_in_the_language_of_the_request(app: TestApp) {
    let path = "/api/products/tarn-over-ear-headphones";
    let english = app.get(path).await.json();
    assert_eq!(english["name"], "Tarn Over-Ear Headphones");
    let by_parameter = app.get(&format!("{path}?language=bn")).await.json();
    let by_header = app.get_as(path, &[("accept-language", "bn, en;q=0.8")]).await.json();
    assert_eq!(by_parameter, by_header);
    let name = by_parameter["name"].as_str().unwrap();
    assert!(!name.is_ascii(), "{name}");
    assert_eq!(by_parameter["untranslated"], Value::Null);
    assert_eq!(app.get(&format!("{path}?language=fr")).await.json(), english);

    for path in ["/api/products?limit=3", "/api/products?q=headphones", "/api/search?q=headphones"]
    {
        let answer = app.get(&format!("{path}&language=bn")).await.json();
        let products = answer.as_array().unwrap_or_else(|| answer["products"].as_array().unwrap());
        assert!(!products.is_empty());
        for product in products {
            assert!(!product["name"].as_str().unwrap().is_ascii(), "{path}: {product}");
        }
    }
    let categories = app.get("/api/category?language=bn").await.json();
    assert_eq!(categories[0]["name"], "অডিও");
    let category = app.get("/api/category/audio?language=bn").await.json();
    assert_eq!(category["name"], "অডিও");
    assert!(!category["products"][0]["name"].as_str().unwrap().is_ascii());
    let suggested = app.get("/api/search/suggestions?q=headph&language=bn").await.json();
    assert!(!suggested["products"][0]["name"].as_str().unwrap().is_ascii(), "{suggested}");
}

async fn no_text_of_a_demo_product_is_english_in_bangla(app: TestApp) {
    let products = app.get("/api/products?language=bn").await.json();
    let products = products.as_array().unwrap();
    assert_eq!(products.len(), 64);
    for product in products {
        assert_eq!(product["untranslated"], Value::Null, "{}", product["_id"]);
        assert_eq!(english_in(product), Vec::<String>::new(), "{}", product["_id"]);
    }
}

/// Options and attributes with the names that are shown.
fn show_labels(facets: &mut Value) {
    for kind in ["options", "attributes"] {
        for facet in facets.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(label) = facet.get("label").cloned() {
                facet["name"] = label;
            }
        }
    }
}

async fn every_page_of_the_demo_is_translated(app: TestApp) {
    let map = app.get("/sitemap.xml").await;
    let paths: Vec<&str> = map
        .text()
        .split("<loc>https://haat.example")
        .skip(1)
        .filter_map(|part| part.split("</loc>").next())
        .filter(|path| *path == "/bn" || path.starts_with("/bn/"))
        .collect();
    assert!(paths.len() > 80, "{}", paths.len());
    for path in paths {
        let page = app.get_as(path, &JSON).await.json();
        assert_eq!(page["language"], "bn", "{path}");
        let mut props = page["props"].clone();
        // People wrote them in English.
        props["reviews"] = Value::Null;
        show_labels(&mut props["facets"]);
        assert_eq!(english_in(&props), Vec::<String>::new(), "{path}");
        let text = props.to_string();
        assert!(!text.contains("\"lang\"") && !text.contains("\"untranslated\""), "{path}");
        assert_eq!(page["shop"]["name"], "হাট");
        assert_eq!(page["shop"]["categories"][0]["name"], "অডিও");
        for link in text.split("href=\\\"/").skip(1) {
            assert!(link.starts_with("bn/") || link.starts_with("bn\\\""), "{path}: {link:.40}");
        }
    }
    // The contact form is below the section with this id.
    let contact = app.get_as("/bn/contact", &JSON).await.json();
    assert_eq!(contact["props"]["article"]["text"]["sections"][1]["id"], "write-to-us");
    let english = app.get_as("/", &JSON).await.json();
    assert_eq!(english["shop"]["name"], "Haat");
    assert_eq!(english["shop"]["categories"][0]["name"], "Audio");
}

async fn an_untranslated_product_falls_back_and_says_so(app: TestApp) {
    let lamp = |more: &str| {
        format!(
            r#"{{"products": [{{"_id": "plain", "category": "audio", "name": "Plain", "sku": "P1", "brand": "B",
               "img": ["/demo/watches.svg"], "realPrice": 5, "qtn": 9, "fullDescription": "Very plain."{more}}}]}}"#
        )
    };
    app.import(&lamp("")).await;
    let page = app.get_as("/bn/product/plain", &JSON).await.json();
    assert_eq!(page["props"]["product"]["untranslated"], json!(["name", "fullDescription"]));
    assert_eq!(page["props"]["category"]["name"], "অডিও");
    let page = app.get_as("/product/plain", &JSON).await.json();
    assert_eq!(page["props"]["product"]["untranslated"], Value::Null);
    app.import(&lamp(r#", "name@bn": "সাদামাটা""#)).await;
    eventually("pages and lists are translated", async || {
        let page = app.get_as("/bn/product/plain", &JSON).await.json();
        let home = app.get_as("/bn", &JSON).await.json();
        page["props"]["product"]["name"] == "সাদামাটা"
            && page["props"]["product"]["untranslated"] == json!(["fullDescription"])
            && home["props"]["products"][0]["name"] == "সাদামাটা"
    })
    .await;
    let page = app.get_as("/product/plain", &JSON).await.json();
    assert_eq!(page["props"]["product"]["name"], "Plain");
}

async fn filters_are_translated_and_their_values_are_not(app: TestApp) {
    let page = app.get_as("/bn/category/audio", &JSON).await.json();
    let colours = page["props"]["facets"]["colours"].as_array().unwrap();
    let sand = colours.iter().find(|colour| colour["value"] == "Sand").unwrap();
    assert_eq!(sand["name"], "বালু");
    let page = app.get_as("/bn/category/audio?colour=Sand", &JSON).await.json();
    assert_eq!(page["props"]["chosen"]["colours"], json!(["Sand"]));
    assert!(page["props"]["total"].as_i64().unwrap() > 0);
    assert!(!page["props"]["products"][0]["summary"].as_str().unwrap().is_ascii());
    let page = app.get_as("/category/audio", &JSON).await.json();
    assert_eq!(page["props"]["facets"]["colours"][0]["name"], Value::Null);
    let page = app
        .get_as(
            "/bn/category/computers?option=Storage:%E0%A7%A7+%E0%A6%9F%E0%A6%BF%E0%A6%AC%E0%A6%BF",
            &JSON,
        )
        .await
        .json();
    assert_eq!(page["props"]["chosen"]["options"], json!([{"name": "Storage", "value": "1 TB"}]));
    let facets = page["props"]["facets"]["options"].as_array().unwrap();
    let storage = facets.iter().find(|facet| facet["name"] == "Storage").unwrap();
    assert_eq!(storage["label"], "স্টোরেজ");
    let page = app.get_as("/bn/category/furniture", &JSON).await.json();
    let finish = &page["props"]["facets"]["attributes"][0];
    assert!(!finish["label"].as_str().unwrap().is_ascii(), "{finish}");
    assert!(!finish["values"][0]["name"].as_str().unwrap().is_ascii(), "{finish}");
    let search = app.get_as("/bn/search?q=headphones", &JSON).await.json();
    assert_eq!(search["props"]["facets"]["categories"][0]["name"], "অডিও");
}

async fn feeds_and_the_manifest_are_translated(app: TestApp) {
    let feed = app.get("/bn/feeds/google.xml").await;
    assert!(feed.text().contains("<title>হাট</title>"), "{:.400}", feed.text());
    assert!(!feed.text().contains("Over-Ear Headphones"));
    assert!(app.get("/feeds/google.xml").await.text().contains("Over-Ear Headphones"));
    let blog = app.get("/bn/blog/feed.xml").await;
    assert!(!blog.text().contains("Looking after leather"), "{:.400}", blog.text());
    assert_eq!(app.get("/bn/manifest.webmanifest").await.json()["name"], "হাট");
}

const BOTH: [&str; 2] = ["--languages", "en,bn"];

#[test]
fn an_import_refuses_translations_that_cannot_be_by_line_and_column() {
    let sandbox = Sandbox::sqlite();
    let import = |name: &str, text_of_file: &str, more: &[&str]| {
        let file = sandbox.file(name, text_of_file);
        text(&sandbox.run(&[&["import", file.to_str().unwrap()], more].concat()))
    };
    let csv = |column: &str| format!("_id,name,img,{column}\nlight,Light,/favicon.svg,আলো\n");
    for (column, why) in [
        (
            "name@xx",
            "line 1, column 4: name@xx: \"xx\" is no language code; expected one such as in name@bn",
        ),
        ("img@bn", "line 1, column 4: img@bn: img has no translations; these have: name"),
        ("name@en", "line 1, column 4: name@en: en is the shop's default language; expected name"),
    ] {
        let output = import("wrong.csv", &csv(column), &BOTH);
        assert!(output.contains(why), "{column}: {output}");
    }
    let output = import("goods.csv", &csv("name@bn"), &BOTH);
    assert!(
        output.contains("categories: 1 added") && !output.contains("translations:"),
        "{output}"
    );
    let output = import("goods.csv", &csv("name@bn"), &[]);
    assert!(
        output.contains("1 unchanged") && output.contains("translations: stored to bn too"),
        "{output}"
    );
}

#[test]
fn missing_translations_of_content_are_hints() {
    let sandbox = Sandbox::sqlite();
    for folder in ["words/posts", "words/bn/posts", "words/bn/pages"] {
        std::fs::create_dir_all(sandbox.dir.path().join(folder)).unwrap();
    }
    let post = |title: &str| {
        format!("---\ntitle: {title}\ndate: 2026-11-01\nsummary: S\n---\nHello [x](/cart)\n")
    };
    sandbox.file("words/posts/2026-11-01-one.md", &post("One"));
    sandbox.file("words/posts/two.md", &post("Two"));
    sandbox.file("words/bn/posts/one.md", "---\ntitle: এক\nsummary: স\n---\nকথা [x](/cart)\n");
    sandbox.file("words/bn/shop.json", r#"{"tagline": "ভালো জিনিস।"}"#);
    let options = [&["--content-dir", "words"], &BOTH[..]].concat();
    let check = || text(&sandbox.run(&[&["check"], &options[..]].concat()));
    let checked = check();
    assert!(checked.contains("content: good, with 2 posts"), "{checked}");
    let hint = "content: not translated to bn, shown in the default language: ";
    assert!(checked.contains(hint) && checked.contains("posts/two.md"), "{checked}");
    assert!(!checked.contains("posts/one.md"), "{checked}");

    let shop = sandbox.open_with(&options);
    let page = |path: &str| shop.get(path);
    let one = page("/bn/blog/one");
    assert!(one.contains("এক") && one.contains("href=\"/bn/cart\""), "{one}");
    let two = page("/bn/blog/two");
    assert!(two.contains("\"lang\":\"en\"") && two.contains("href=\"/bn/cart\""), "{two}");
    assert!(page("/blog/one").contains("href=\"/cart\""));
    drop(shop);

    sandbox.file("words/bn/posts/three.md", &post("Three"));
    assert!(
        check().contains("three is the slug of no post in the default language"),
        "{}",
        check()
    );
}

#[test]
fn an_exported_catalogue_is_imported_again() {
    let (demo, sandbox) = (Sandbox::sqlite(), Sandbox::sqlite());
    let goods = r#"{"categories": [{"_id": "light", "name": "Light", "name@bn": "আলো", "img": "/favicon.svg"}],
        "products": [
          {"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1", "realPrice": 30, "offerPrice": 25.5,
           "saleEnd": "2099-01-01T00:00:00Z", "qtn": 3, "colours": ["Sand", "Ink"], "tags": ["desk"],
           "img": [{"src": "/favicon.svg", "alt": "A lamp.", "alt@bn": "বাতি।"}, {"src": "/icons/192.png", "colour": "Ink"}],
           "attributes": [{"name": "Height", "value": "9 cm"}, {"name": "Cable", "value": "2: 3 m"}],
           "name@bn": "বাতি", "fullDescription@bn": "ছোট।\n\nবাতি।", "tags@bn": ["টেবিল", "আলো"], "colours@bn": ["", "কালি"],
           "attributes@bn": [{"name": "উচ্চতা", "value": "৯ সেমি"}, {"name": "", "value": ""}]},
          {"_id": "bulb", "category": "light", "name": "Bulb, \"small\"", "sku": "B1", "img": ["/favicon.svg"],
           "realPrice": 2, "qtn": 0, "name@de": "Birne"}]}"#;
    let file = demo.file("goods.json", goods);
    demo.run(&["import", file.to_str().unwrap()]);
    let export = |name: &str, more: &[&str]| {
        let path = demo.dir.path().join(name);
        let output = demo.run(&[&["export", path.to_str().unwrap()], more].concat());
        assert!(output.status.success(), "{}", text(&output));
        path
    };
    let import = |path: &Path| text(&sandbox.run(&["import", path.to_str().unwrap()]));
    let json = export("all.json", &[]);
    let (categories, products) =
        (export("categories.csv", &["--categories"]), export("products.csv", &[]));
    assert!(
        import(&json).contains("products: 2 added"),
        "{}",
        std::fs::read_to_string(&json).unwrap()
    );
    assert!(import(&json).contains("products: 0 added, 0 updated, 2 unchanged"));
    for path in [&categories, &products] {
        let output = import(path);
        assert!(output.contains("0 updated") && !output.contains("1 added"), "{output}");
        assert!(output.contains("1 unchanged") || output.contains("2 unchanged"), "{output}");
    }
    let header = std::fs::read_to_string(&products).unwrap();
    let columns = header.lines().next().unwrap();
    let translated = "name@de,fullDescription@de,options@de,tags@de,attributes@de,alt@de";
    assert!(columns.ends_with(translated), "{columns}");
    let wrong = demo.file("bar.json", &goods.replace("\"desk\"", "\"a|b\""));
    demo.run(&["import", wrong.to_str().unwrap()]);
    let output = demo.run(&["export", demo.dir.path().join("x.csv").to_str().unwrap()]);
    assert!(text(&output).contains("lamp: tags contains a |"), "{}", text(&output));
}
