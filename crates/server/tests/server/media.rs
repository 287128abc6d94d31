//! Pictures from the command line to the page: taken in by an import, shown in props, served.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use base::client::Client;
use shop::catalog::Pictures;
use test_support::on_both;

use super::program::{Stage, said};
use super::*;

on_both!(Stage:
    an_import_takes_in_pictures_and_a_running_shop_serves_them,
    a_bad_picture_is_refused_by_its_row_and_nothing_is_taken_in,
);

const LAMP: &[u8] = include_bytes!("lamp.webp");

fn goods(lamp: &str, shade: &str) -> String {
    format!(
        r#"{{"categories": [{{"_id": "light", "name": "Light", "img": "pictures/lamp.webp"}}],
           "products": [
             {{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
               "img": [{lamp}], "realPrice": 30, "qtn": 3}},
             {{"_id": "shade", "category": "light", "name": "Shade", "sku": "S1",
               "img": [{shade}], "realPrice": 9, "qtn": 3}}]}}"#
    )
}

/// Serves the lamp at any address on this machine.
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

async fn an_import_takes_in_pictures_and_a_running_shop_serves_them(stage: Stage) {
    std::fs::create_dir(stage.dir.path().join("pictures")).unwrap();
    std::fs::write(stage.dir.path().join("pictures/lamp.webp"), LAMP).unwrap();
    let url = web();
    let lamp = r#"{"src": "pictures/lamp.webp", "alt": "A lamp on a table."}, "/favicon.svg""#;
    let file = goods(lamp, &format!("{url:?}"));
    stage.file("goods.json", &file);
    // A file that somebody else wrote reaches nothing on this machine, unless it is allowed to.
    let refused = stage.run(&["import", "goods.json"]);
    assert!(!refused.status.success());
    assert!(said(&refused).contains("not a public address"), "{}", said(&refused));
    let args = ["import", "goods.json", "--import-private-addresses"];
    let output = stage.run(&args);
    assert!(output.status.success(), "{}", said(&output));
    let again = said(&stage.run(&args));
    assert!(again.contains("products: 0 added, 0 updated, 2 unchanged"), "{again}");

    let shop = stage.open_with(&[]);
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
    // The same bytes from an address are the same picture.
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
    let checked = said(&stage.run(&["check"]));
    assert!(checked.contains("pictures: kept in "), "{checked}");
}

async fn a_bad_picture_is_refused_by_its_row_and_nothing_is_taken_in(stage: Stage) {
    std::fs::create_dir(stage.dir.path().join("pictures")).unwrap();
    std::fs::write(stage.dir.path().join("pictures/lamp.webp"), LAMP).unwrap();
    let script = "<svg><script>alert(1)</script></svg>";
    std::fs::write(stage.dir.path().join("pictures/bad.jpg"), script).unwrap();
    std::fs::write(stage.dir.path().join("pictures/half.webp"), &LAMP[..LAMP.len() / 2]).unwrap();
    for (bad, why) in [
        ("pictures/bad.jpg", "is an SVG"),
        ("pictures/half.webp", "ends too early"),
        ("pictures/none.jpg", "cannot be read"),
        ("../goods.json", "is no picture"),
        ("http://127.0.0.1:1/x.jpg", "cannot be had"),
    ] {
        stage.file("goods.json", &goods(r#""pictures/lamp.webp""#, &format!("{bad:?}")));
        let output = stage.run(&["import", "goods.json"]);
        let words = said(&output);
        assert!(!output.status.success(), "{words}");
        assert!(words.contains("goods.json: line 6, column ") && words.contains(why), "{words}");
    }
    let shop = stage.open_with(&[]);
    let (head, body) = get(&shop.address, "/api/products");
    assert!(head.contains("x-total-count: 0"), "{head}");
    assert_eq!(body, b"[]");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_says_what_it_needs_to_show_pictures() {
    let app = TestApp::new(Engine::Sqlite).await;
    std::fs::write(app.dir.path().join("lamp.webp"), LAMP).unwrap();
    let text = goods(r#""lamp.webp""#, r#""/favicon.svg", "lamp.webp""#);
    let text = text.replace("pictures/lamp.webp", "lamp.webp");
    let mut rows = Import::parse(&text, Format::Json).unwrap();
    let TestDb { db, clock, .. } = &app.given;
    let from = Pictures { db, store: &app.store, client: Client::new(), beside: app.dir.path() };
    rows.take_pictures(&from).await.unwrap();
    catalog::import(db, clock, &rows).await.unwrap();
    app.revisions.look(db).await.unwrap();

    let data = app.get_as("/category/light", &[("accept", "application/json")]).await.json();
    let cards = data["props"]["products"].as_array().unwrap();
    let shade = cards.iter().find(|card| card["_id"] == "shade").unwrap();
    // The second picture of a card comes on hover, so its placeholder would only be weight.
    assert!(shade["pictures"][1]["colour"].is_string());
    assert!(shade["pictures"][1]["placeholder"].is_null());
    let product = app.get_as("/product/lamp", &[("accept", "application/json")]).await.json();
    let picture = &product["props"]["product"]["pictures"][0];
    assert!(picture["placeholder"].as_str().unwrap().len() <= 300);
    let answer = app.get(picture["src"].as_str().unwrap()).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "image/jpeg"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(app.media.counts().made, 1);
    let metrics = app.get("/metrics").await;
    assert!(metrics.text().contains("haat_pictures_made_total 1"));
}
