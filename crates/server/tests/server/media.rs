//! Pictures: imported by the command line, in page data, and served.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use platform::http_client::HttpClient;
use shop::catalog::PictureSource;
use test_support::on_both;

use super::program::{Sandbox, text};
use super::*;

on_both!(Sandbox:
    imported_pictures_are_served_by_a_running_shop,
    an_invalid_picture_is_reported_by_row_and_nothing_is_imported,
);

const LAMP: &[u8] = include_bytes!("lamp.webp");

fn products_json(lamp: &str, shade: &str) -> String {
    format!(
        r#"{{"categories": [{{"_id": "light", "name": "Light", "img": "pictures/lamp.webp"}}],
           "products": [
             {{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
               "img": [{lamp}], "realPrice": 30, "qtn": 3}},
             {{"_id": "shade", "category": "light", "name": "Shade", "sku": "S1",
               "img": [{shade}], "realPrice": 9, "qtn": 3}}]}}"#
    )
}

/// An HTTP server that returns the lamp's picture at any URL.
fn web() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", LAMP.len());
            let _ = stream.write_all(&[head.as_bytes(), LAMP].concat());
        }
    });
    format!("http://{address}/lamp?secret=1")
}

pub fn get(address: &str, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8_lossy(&answer[..end]).into_owned(), answer.split_off(end + 4))
}

async fn imported_pictures_are_served_by_a_running_shop(sandbox: Sandbox) {
    std::fs::create_dir(sandbox.dir.path().join("pictures")).unwrap();
    std::fs::write(sandbox.dir.path().join("pictures/lamp.webp"), LAMP).unwrap();
    let url = web();
    let lamp = r#"{"src": "pictures/lamp.webp", "alt": "A lamp on a table."}, "/favicon.svg""#;
    let file = products_json(lamp, &format!("{url:?}"));
    sandbox.file("goods.json", &file);
    // An import file cannot reach this machine's network, unless that is allowed (SSRF).
    let refused = sandbox.run(&["import", "goods.json"]);
    assert!(!refused.status.success());
    assert!(text(&refused).contains("not a public address"), "{}", text(&refused));
    let args = ["import", "goods.json", "--import-private-addresses"];
    let output = sandbox.run(&args);
    assert!(output.status.success(), "{}", text(&output));
    let again = text(&sandbox.run(&args));
    assert!(again.contains("products: 0 added, 0 updated, 2 unchanged"), "{again}");

    let shop = sandbox.open_with(&[]);
    let (_, lamp) = get(&shop.address, "/api/products/lamp");
    let lamp: serde_json::Value = serde_json::from_slice(&lamp).unwrap();
    let picture = &lamp["pictures"][0];
    assert_eq!((&lamp["img"][0], &lamp["img"][1]), (&picture["src"], &"/favicon.svg".into()));
    let src = picture["src"].as_str().unwrap();
    assert!(src.starts_with("/media/") && src.ends_with("/1200.jpg"), "{src}");
    assert!(picture["width"].as_i64().unwrap() > 0 && picture["height"].as_i64().unwrap() > 0);
    assert!(picture["colour"].as_str().unwrap().starts_with('#'));
    assert!(picture["placeholder"].as_str().unwrap().starts_with("data:image/webp"));
    assert_eq!(picture["alt"], "A lamp on a table.");
    let other = &lamp["pictures"][1];
    assert_eq!((&other["width"], &other["alt"]), (&serde_json::Value::Null, &"".into()));
    // The same bytes from a URL are the same picture.
    let (_, shade) = get(&shop.address, "/api/products/shade");
    let shade: serde_json::Value = serde_json::from_slice(&shade).unwrap();
    assert_eq!(shade["img"][0], lamp["img"][0]);
    let (_, light) = get(&shop.address, "/api/category/light");
    let light: serde_json::Value = serde_json::from_slice(&light).unwrap();
    assert_eq!(light["picture"]["src"], lamp["img"][0]);

    let (head, body) = get(&shop.address, &src.replace("1200.jpg", "320.webp"));
    assert!(
        head.starts_with("HTTP/1.1 200") && head.contains("content-type: image/webp"),
        "{head}"
    );
    assert!(head.contains("immutable") && body.starts_with(b"RIFF"));
    assert!(head.contains("cross-origin-resource-policy: cross-origin"), "{head}");
    let (head, _) = get(&shop.address, &src.replace("1200.jpg", "321.webp"));
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    let (_, page) = get(&shop.address, "/category/light");
    assert!(String::from_utf8_lossy(&page).contains("placeholder"));
    let checked = text(&sandbox.run(&["check"]));
    assert!(checked.contains("pictures: stored in "), "{checked}");
}

async fn an_invalid_picture_is_reported_by_row_and_nothing_is_imported(sandbox: Sandbox) {
    std::fs::create_dir(sandbox.dir.path().join("pictures")).unwrap();
    std::fs::write(sandbox.dir.path().join("pictures/lamp.webp"), LAMP).unwrap();
    let script = "<svg><script>alert(1)</script></svg>";
    std::fs::write(sandbox.dir.path().join("pictures/bad.jpg"), script).unwrap();
    std::fs::write(sandbox.dir.path().join("pictures/half.webp"), &LAMP[..LAMP.len() / 2]).unwrap();
    for (bad, why) in [
        ("pictures/bad.jpg", "is an SVG"),
        ("pictures/half.webp", "ends too early"),
        ("pictures/none.jpg", "cannot be read"),
        ("../goods.json", "is no picture"),
        ("http://127.0.0.1:1/x.jpg", "cannot be fetched"),
    ] {
        sandbox.file("goods.json", &products_json(r#""pictures/lamp.webp""#, &format!("{bad:?}")));
        let output = sandbox.run(&["import", "goods.json"]);
        let words = text(&output);
        assert!(!output.status.success(), "{words}");
        assert!(words.contains("goods.json: line 6, column ") && words.contains(why), "{words}");
    }
    let shop = sandbox.open_with(&[]);
    let (head, body) = get(&shop.address, "/api/products");
    assert!(head.contains("x-total-count: 0"), "{head}");
    assert_eq!(body, b"[]");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_data_has_what_pictures_need() {
    let app = TestApp::new(Engine::Sqlite).await;
    std::fs::write(app.dir.path().join("lamp.webp"), LAMP).unwrap();
    let text = products_json(r#""lamp.webp""#, r#""/favicon.svg", "lamp.webp""#);
    let text = text.replace("pictures/lamp.webp", "lamp.webp");
    let mut rows = Import::parse(&text, ImportFormat::Json, Currency::USD).unwrap();
    let TestDb { db, clock, random, .. } = &app.given;
    let from = PictureSource {
        db,
        store: &app.store,
        client: HttpClient::new(),
        base_dir: app.dir.path(),
    };
    rows.import_pictures(&from).await.unwrap();
    catalog::import(db, clock, random, &rows).await.unwrap();
    app.revisions.poll(db).await.unwrap();

    let data = app.get_as("/category/light", &[("accept", "application/json")]).await.json();
    let cards = data["props"]["products"].as_array().unwrap();
    let shade = cards.iter().find(|card| card["_id"] == "shade").unwrap();
    // The second picture of a card loads on hover and needs no placeholder.
    assert!(shade["pictures"][1]["colour"].is_string());
    assert!(shade["pictures"][1]["placeholder"].is_null());
    let product = app.get_as("/product/lamp", &[("accept", "application/json")]).await.json();
    let picture = &product["props"]["product"]["pictures"][0];
    assert!(picture["placeholder"].as_str().unwrap().len() <= 300);
    let answer = app.get(picture["src"].as_str().unwrap()).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "image/jpeg"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(app.media.stats().made, 1);
    let metrics = app.get("/metrics").await;
    assert!(metrics.text().contains("haat_pictures_made_total 1"));
}
