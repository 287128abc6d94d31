//! Accounts: addresses, the photo, data export and deletion.

use std::time::Duration;

use ::media as pictures;
use platform::jobs::Worker;
use serde_json::{Value, json};
use server::privacy::AccountEraser;
use shop::order_subscribers::order_store;
use shop::orders::{OrderEmailSender, OrderEmails, OrderStore, PayLinks, Step};
use shop::shop_profiles::ShopProfiles;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    one_of_the_addresses_is_the_default,
    addresses_are_private_and_limited,
    a_photo_is_cropped_square_without_metadata,
    an_invalid_photo_is_refused_with_a_message,
    a_replaced_or_removed_photo_is_deleted,
    all_personal_data_is_exported_after_a_recent_sign_in,
    a_deleted_account_is_erased_and_its_orders_are_anonymized,
    an_account_deleted_by_identity_is_erased_too,
);

const RAHIM: &str = "rahim@haat.example";
const KEY: &str = "?key=haat-storefront";

impl TestApp {
    async fn customer(&self, email: &str) -> (String, String) {
        let id_token = self.id_token(email).await;
        let access = self.access_token(&id_token, email).await;
        (id_token, access)
    }

    async fn signed_in(&self, email: &str) -> TestResponse {
        let path = format!("/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword{KEY}");
        let body = json!({ "email": email, "password": "Secret1!" });
        self.request("POST", &path, "", body).await
    }

    async fn confirmed(&self, email: &str) -> String {
        let sql =
            "update accounts set email_verified = $2, revision = revision + 1 where email = $1";
        self.given.db.query(sql).bind(email).bind(true).execute().await.unwrap();
        self.signed_in(email).await.json()["idToken"].as_str().unwrap().to_owned()
    }

    async fn put_photo(&self, token: &str, file: Vec<u8>) -> TestResponse {
        let request = Request::put("/api/account/photo")
            .header("authorization", format!("Bearer {token}"))
            .header("content-length", file.len())
            .body(Body::from(file));
        self.send(request.unwrap()).await
    }

    fn worker(&self) -> Worker {
        let TestDb { db, clock, random, .. } = &self.given;
        let (db, clock, random) = (db.clone(), clock.clone(), random.clone());
        let media = self.media.clone();
        let worker = Worker::new(db.clone(), clock.clone(), random.clone())
            .register::<pictures::DeleteFiles>(media);
        AccountEraser { db, clock, random, identity: Some(self.identity.clone()) }.register(worker)
    }

    async fn number_of(&self, what: &str) -> i64 {
        let (count,): (i64,) =
            self.given.db.query(format!("select count(*) from {what}")).one().await.unwrap();
        count
    }

    /// The number of a new order of one product.
    async fn order(&self, token: &str) -> shop::orders::OrderNumber {
        let products = self.get("/api/products").await.json();
        let plenty = |product: &&Value| product["qtn"].as_i64() > Some(20);
        let id = products.as_array().unwrap().iter().find(plenty).unwrap()["_id"].clone();
        let lines = json!([{ "_id": id, "qtn": 1 }]);
        let quote = self.request("POST", "/api/quote", "", json!({ "lines": lines })).await.json();
        let order = json!({ "name": "Rahim Uddin", "phone": "01700000000", "address": "Dhanmondi",
            "lines": lines, "total": quote["total"] });
        let placed = self.request("POST", "/api/orders", token, order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        placed.json()["number"].as_str().unwrap().parse().unwrap()
    }

    pub fn book(&self) -> OrderStore {
        let TestDb { db, clock, random, .. } = &self.given;
        let profile = shop_profile();
        let sender = OrderEmailSender {
            profiles: Arc::new(ShopProfiles::new(profile, Languages::default())),
            origin: None,
            order_emails: OrderEmails::Each,
            sms_limits: None,
        };
        order_store(
            db.clone(),
            clock.clone(),
            random.clone(),
            sender,
            Default::default(),
            PayLinks::new(secret()),
        )
    }
}

fn address(place: &str) -> Value {
    json!({ "name": "Rahim", "phone": "+880 1700 000 000", "address": place })
}

fn places(answer: &TestResponse) -> Vec<(String, bool)> {
    let list = answer.json();
    let place = |one: &Value| {
        (one["address"].as_str().unwrap().to_owned(), one["usual"].as_bool().unwrap())
    };
    list.as_array().unwrap_or_else(|| panic!("{list}")).iter().map(place).collect()
}

async fn one_of_the_addresses_is_the_default(app: TestApp) {
    let (_, token) = app.customer(RAHIM).await;
    let empty = app.request("GET", "/api/addresses", &token, json!({})).await;
    assert_eq!(empty.text(), "[]");
    let first = app.request("POST", "/api/addresses", &token, address("Dhaka\r\n1205 ")).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
    assert_eq!(places(&first), [("Dhaka\n1205".to_owned(), true)]);
    app.given.clock.advance(Duration::from_secs(1));
    app.request("POST", "/api/addresses", &token, address("Khulna")).await;
    app.given.clock.advance(Duration::from_secs(1));
    let mut usual = address("Sylhet");
    usual["usual"] = json!(true);
    let third = app.request("POST", "/api/addresses", &token, usual).await;
    let shown = places(&third);
    let names: Vec<&str> = shown.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(names, ["Sylhet", "Dhaka\n1205", "Khulna"]);
    assert_eq!(shown.iter().filter(|(_, usual)| *usual).count(), 1);

    let sylhet = format!("/api/addresses/{}", third.json()[0]["_id"].as_str().unwrap());
    // The default address stays the default when it is edited.
    let changed = app.request("PUT", &sylhet, &token, address("Rajshahi")).await;
    assert_eq!(places(&changed)[0], ("Rajshahi".to_owned(), true));
    let rest = app.request("DELETE", &sylhet, &token, json!({})).await;
    assert_eq!(places(&rest), [("Dhaka\n1205".to_owned(), true), ("Khulna".to_owned(), false)]);
    let again = app.request("DELETE", &sylhet, &token, json!({})).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);

    for (field, wrong) in [
        ("name", json!("")),
        ("name", json!("x".repeat(201))),
        ("phone", json!("call me")),
        ("address", json!(" \n ")),
        ("address", json!("a\u{0}b")),
        ("address", json!("x".repeat(1001))),
    ] {
        let mut bad = address("Dhaka");
        bad[field] = wrong;
        let answer = app.request("POST", "/api/addresses", &token, bad).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["error"]["fields"][0]["name"], field);
    }
}

async fn addresses_are_private_and_limited(app: TestApp) {
    let (_, mine) = app.customer(RAHIM).await;
    let (_, theirs) = app.customer("mallory@haat.example").await;
    let list = app.request("POST", "/api/addresses", &mine, address("Dhaka")).await.json();
    let path = format!("/api/addresses/{}", list[0]["_id"].as_str().unwrap());
    for method in ["PUT", "DELETE"] {
        let answer = app.request(method, &path, &theirs, address("Elsewhere")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method}");
        let answer = app.request(method, &path, "", address("Elsewhere")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method}");
    }
    assert_eq!(app.request("GET", "/api/addresses", &theirs, json!({})).await.text(), "[]");
    let kept = app.request("GET", "/api/addresses", &mine, json!({})).await;
    assert_eq!(places(&kept), [("Dhaka".to_owned(), true)]);

    // Also concurrently, there are at most twenty.
    let many = (0..25).map(|place| {
        app.request("POST", "/api/addresses", &mine, address(&format!("House {place}")))
    });
    let answers = futures_util::future::join_all(many).await;
    let full = answers.iter().filter(|answer| answer.status == StatusCode::CONFLICT);
    assert!(full.clone().all(|answer| answer.json()["error"]["code"] == "addresses_full"));
    assert_eq!(full.count(), 6);
    assert_eq!(app.number_of("addresses").await, 20);
}

/// One of the demo's pictures as JPEG.
async fn jpeg(app: &TestApp) -> Vec<u8> {
    let products = app.get("/api/products?limit=1").await.json();
    let src = products[0]["img"][0].as_str().unwrap().replace("1200.jpg", "480.jpg");
    let answer = app.get(&src).await;
    assert_eq!(answer.header("content-type"), "image/jpeg", "{src}");
    answer.body
}

/// The same file with EXIF data, and with a web page and an archive appended.
fn with_notes(jpeg: &[u8]) -> Vec<u8> {
    let mut exif =
        b"Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x25\x88\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    exif.extend(b"GPS-OF-MY-HOUSE");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let tail = b"<script>alert('POLYGLOT')</script>PK\x03\x04POLYGLOT";
    [&jpeg[..2], b"\xff\xe1", &length[..], &exif, &jpeg[2..], &tail[..]].concat()
}

/// The same file with another size in its header.
fn of_size(jpeg: &[u8], width: u16, height: u16) -> Vec<u8> {
    let mut file = jpeg.to_vec();
    let at = file.windows(2).position(|marker| matches!(marker, [0xff, 0xc0 | 0xc2])).unwrap();
    file[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
    file[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
    file
}

fn path_of(photo: &TestResponse) -> String {
    let photo = photo.json();
    let url = photo["photoURL"].as_str().unwrap_or_else(|| panic!("{photo}"));
    url.strip_prefix("https://haat.example").unwrap().to_owned()
}

async fn a_photo_is_cropped_square_without_metadata(app: TestApp) {
    let (_, token) = app.customer(RAHIM).await;
    let file = with_notes(&jpeg(&app).await);
    let given = app.put_photo(&token, file.clone()).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.text());
    let path = path_of(&given);
    let id = path.split('/').nth(2).unwrap();
    assert!(id.len() == 40 && path.ends_with("/320.jpg"), "{path}");
    let sql = "select width, height, personal from pictures where id = $1";
    let row: (i64, i64, bool) = app.given.db.query(sql).bind(id).one().await.unwrap();
    assert!(row.0 == row.1 && row.2, "{row:?}");
    // The same file gets another id each time, so that URLs cannot be guessed.
    assert_ne!(path_of(&app.put_photo(&token, file).await), path);

    let (_, other) = app.customer("karim@haat.example").await;
    let path = path_of(&app.put_photo(&other, with_notes(&jpeg(&app).await)).await);
    let id = path.split('/').nth(2).unwrap();
    let master = app.store.get(&format!("masters/{}/{id}.webp", &id[..2])).await.unwrap().unwrap();
    let mut files = vec![master.to_vec()];
    for size in ["160.jpg", "320.jpg", "640.webp", "1600.webp"] {
        let answer = app.get(&path.replace("320.jpg", size)).await;
        assert_eq!(answer.status, StatusCode::OK, "{size}");
        // Only the browser may cache it, and not forever.
        assert_eq!(answer.header("cache-control"), "private, max-age=3600");
        files.push(answer.body);
    }
    for bytes in files {
        for secret in [&b"GPS-OF"[..], b"POLYGLOT", b"Exif", b"EXIF", b"script"] {
            let found = bytes.windows(secret.len()).any(|part| part == secret);
            assert!(!found, "{}", String::from_utf8_lossy(secret));
        }
    }
    assert_eq!(app.get(&path.replace("320.jpg", "320.avif")).await.status, StatusCode::NOT_FOUND);
}

async fn an_invalid_photo_is_refused_with_a_message(app: TestApp) {
    let (id_token, token) = app.customer(RAHIM).await;
    let good = jpeg(&app).await;
    for (file, why) in [
        (vec![], "is empty"),
        (b"GIF89a/*\xff\xd8\xff*/=alert(1)".to_vec(), "is a GIF"),
        (b"%PDF-1.7 \xff\xd8\xff\xe0".to_vec(), "is a PDF"),
        (b"<svg onload=alert(1)>".to_vec(), "is an SVG"),
        ([b"<!doctype html><script>".to_vec(), good.clone()].concat(), "is a web page"),
        (b"PK\x03\x04".to_vec(), "is no picture"),
        (good[..good.len() / 2].to_vec(), "JPEG"),
        (of_size(&good, 4001, 4000), "16 million"),
        (of_size(&good, 60_000, 10), "8000 each way"),
        (one_colour_webp(10_000, 5000), "16 million"),
    ] {
        let answer = app.put_photo(&token, file).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{why}: {}", answer.text());
        let error = &answer.json()["error"];
        let text = error["fields"][0]["message"].as_str().unwrap();
        assert!(text.starts_with("This file ") && text.contains(why), "{why}: {text}");
    }
    // Too large, with and without Content-Length.
    let large = [good.clone(), vec![0; 20 << 20]].concat();
    let answer = app.put_photo(&token, large.clone()).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text());
    let silent = Request::put("/api/account/photo")
        .header("authorization", format!("Bearer {token}"))
        .body(Body::from_stream(futures_util::stream::iter(
            large
                .chunks(1 << 20)
                .map(|part| Ok::<_, std::io::Error>(part.to_vec()))
                .collect::<Vec<_>>(),
        )))
        .unwrap();
    let answer = app.send(silent).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text());
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("20 MiB"));
    // Other paths have a lower limit.
    let cart = Request::patch("/api/cart").header("content-length", 2 << 20).body(Body::empty());
    assert_eq!(app.send(cart.unwrap()).await.status, StatusCode::PAYLOAD_TOO_LARGE);

    for nobody in ["", "x", &id_token] {
        let answer = app.put_photo(nobody, good.clone()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(app.number_of("pictures where personal").await, 0);
    // Uploads are rate limited.
    let mut last = StatusCode::OK;
    for _ in 0..12 {
        last = app.put_photo(&token, vec![1]).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

/// A WebP of 28 bytes that decodes to many pixels (decompression bomb).
fn one_colour_webp(width: u64, height: u64) -> Vec<u8> {
    // No transforms, no colour cache, no meta codes, and five prefix codes with one symbol each.
    let codes = (0..5).fold(0, |codes, code| codes | 1 << (3 + 4 * code));
    let bits = (width - 1) | (height - 1) << 14 | codes << 32;
    [&b"RIFF\x14\0\0\0WEBPVP8L\x08\0\0\0\x2f"[..], &bits.to_le_bytes()[..7]].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_are_decoded_one_at_a_time_even_after_a_disconnect() {
    let app = Arc::new(TestApp::new(Engine::Sqlite).await);
    let decoding = async |app: &TestApp| {
        let metrics = app.get("/metrics").await;
        let mut lines = metrics.text().lines();
        let count = lines.find_map(|line| line.strip_prefix("haat_photos_decoding ")).unwrap();
        count.parse::<u32>().unwrap()
    };
    let (_, token) = app.customer(RAHIM).await;
    // Repeated, because a busy machine may see too late that it is being decoded.
    eventually("a client disconnects while its photo is decoded", async || {
        let (own, token) = (app.clone(), token.clone());
        let large =
            tokio::spawn(async move { own.put_photo(&token, one_colour_webp(4000, 4000)).await });
        while !large.is_finished() && decoding(&app).await == 0 {}
        large.abort();
        large.await.is_err_and(|why| why.is_cancelled())
    })
    .await;
    let small = app.put_photo(&token, one_colour_webp(8, 8)).await;
    assert_eq!(small.status, StatusCode::OK, "{}", small.text());
    assert_eq!(decoding(&app).await, 0, "the large one had ended first");
}

async fn a_replaced_or_removed_photo_is_deleted(app: TestApp) {
    let (_, token) = app.customer(RAHIM).await;
    let worker = app.worker();
    let file = jpeg(&app).await;
    let first = path_of(&app.put_photo(&token, file.clone()).await);
    assert_eq!(app.get(&first).await.status, StatusCode::OK);
    let second = path_of(&app.put_photo(&token, file).await);
    assert_eq!(app.get(&first).await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.get(&second).await.status, StatusCode::OK);
    // The cleanup job keeps files that have a row.
    app.given.clock.advance(Duration::from_secs(700));
    worker.run_due().await.unwrap();
    assert_eq!(app.get(&second).await.status, StatusCode::OK);

    let token = app.access_token(&app.confirmed(RAHIM).await, RAHIM).await;
    let (_, mallory) = app.customer("mallory@haat.example").await;
    for token in [&mallory, &token, &token] {
        let answer = app.request("DELETE", "/api/account/photo", token, json!({})).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        let shown = if *token == mallory { StatusCode::OK } else { StatusCode::NOT_FOUND };
        assert_eq!(app.get(&second).await.status, shown);
    }
    worker.run_due().await.unwrap();
    for path in [first, second] {
        let id = path.split('/').nth(2).unwrap().to_owned();
        let kept =
            [format!("masters/{}/{id}.webp", &id[..2]), format!("made/{}/{id}/320.jpg", &id[..2])];
        for name in kept {
            assert!(app.store.get(&name).await.unwrap().is_none(), "{name}");
        }
    }
}

async fn all_personal_data_is_exported_after_a_recent_sign_in(app: TestApp) {
    let (id_token, token) = app.customer(RAHIM).await;
    app.request("POST", "/api/addresses", &token, address("Dhaka")).await;
    let number = app.order(&token).await.to_string();
    app.given
        .db
        .query(
            "insert into tax_exemptions (customer, tax_number, created_at)
             select id, '001', 1 from customers where email = $1",
        )
        .bind(RAHIM)
        .execute()
        .await
        .unwrap();
    let message = json!({ "name": "Rahim", "email": RAHIM, "message": "Is the lamp oak?" });
    app.request("POST", "/api/contact", "", message.clone()).await;
    app.request("POST", "/api/newsletter", "", json!({ "email": RAHIM })).await;

    let told = app.request("GET", "/api/account/data", &id_token, json!({})).await;
    assert_eq!(told.status, StatusCode::OK, "{}", told.text());
    assert!(told.header("content-disposition").contains("my-data.json"));
    assert_eq!(told.header("cache-control"), "no-store");
    let data = told.json();
    assert_eq!(data["profile"]["email"], RAHIM);
    assert_eq!(data["addresses"][0]["address"], "Dhaka");
    assert_eq!(data["wishlist"]["wishes"], json!([]));
    assert_eq!(data["orders"][0]["number"], number.as_str());
    assert_eq!(data["orders"][0]["history"][0]["status"], "placed");
    assert_eq!(data["account"]["securityEvents"][0]["kind"], "sign_up");
    assert!(data["account"]["devices"].as_array().unwrap().len() == 1);
    assert!(!told.text().contains("password") || !told.text().contains("argon2"));
    // The address is not verified, so data stored under it is not exported.
    assert!(data.get("messages").is_none() && data.get("newsletter").is_none());
    let proven = app.confirmed(RAHIM).await;
    let data = app.request("GET", "/api/account/data", &proven, json!({})).await.json();
    assert_eq!(data["messages"][0]["message"], "Is the lamp oak?", "{data}");
    assert_eq!(data["newsletter"]["email"], RAHIM);

    app.given.clock.advance(Duration::from_secs(301));
    for method in ["GET /api/account/data", "DELETE /api/account"] {
        let (method, path) = method.split_once(' ').unwrap();
        let stale = app.request(method, path, &proven, json!({})).await;
        assert_eq!(stale.status, StatusCode::FORBIDDEN);
        assert_eq!(stale.json()["error"]["code"], "stale_sign_in");
        // An access token is not enough.
        let shops = app.request(method, path, &token, json!({})).await;
        assert_eq!(shops.status, StatusCode::UNAUTHORIZED);
    }
}

async fn a_deleted_account_is_erased_and_its_orders_are_anonymized(app: TestApp) {
    let (_, token) = app.customer(RAHIM).await;
    let (_, other) = app.customer("karim@haat.example").await;
    let theirs = app.order(&other).await;
    app.request("POST", "/api/addresses", &other, address("Bogra")).await;
    app.request("POST", "/api/addresses", &token, address("Dhaka")).await;
    let photo = path_of(&app.put_photo(&token, jpeg(&app).await).await);
    let (arrived, open) = (app.order(&token).await, app.order(&token).await);
    let cart = json!({ "lines": [{ "_id": "quern-pepper-mill", "qtn": 1 }] });
    app.request("PATCH", "/api/cart", &token, cart).await;
    app.given
        .db
        .query(
            "insert into wishes (customer, variant, added_at) select id, 'lamp', 1 from customers",
        )
        .execute()
        .await
        .unwrap();
    let message = json!({ "name": "Rahim", "email": RAHIM, "message": "Is the lamp oak?" });
    app.request("POST", "/api/contact", "", message).await;
    app.request("POST", "/api/newsletter", "", json!({ "email": RAHIM })).await;
    let (book, worker) = (app.book(), app.worker());
    book.apply(&arrived, Step::CustomerCancel, "I moved to Dhanmondi 12").await.unwrap();

    let proven = app.confirmed(RAHIM).await;
    for _ in 0..2 {
        let gone = app.request("DELETE", "/api/account", &proven, json!({})).await;
        assert_eq!(gone.status, StatusCode::ACCEPTED, "{}", gone.text());
    }
    worker.run_due().await.unwrap();
    assert_eq!(app.number_of("customers").await, 1);
    assert_eq!(app.number_of("addresses").await, 1);
    assert_eq!(app.number_of("wishes").await, 1);
    for nothing in ["carts", "messages", "subscribers", "pictures where personal", "tax_exemptions"]
    {
        assert_eq!(app.number_of(nothing).await, 0, "{nothing}");
    }
    assert_eq!(app.get(&photo).await.status, StatusCode::NOT_FOUND);
    assert_eq!(app.signed_in(RAHIM).await.status, StatusCode::BAD_REQUEST);
    let (order, _) = book.by_number(&arrived).await.unwrap().unwrap();
    for text in [&order.customer, &order.email, &order.name, &order.phone, &order.address] {
        assert_eq!(text, "");
    }
    assert!(order.total.is_positive() && order.lines.len() == 1);
    assert_eq!(app.number_of("order_events where note <> ''").await, 0);
    // The order cannot be tracked with an empty e-mail address.
    let track = json!({ "number": arrived.to_string(), "email": "" });
    let tracked = app.request("POST", "/api/track", "", track).await;
    assert_eq!(tracked.status, StatusCode::NOT_FOUND);
    let (order, _) = book.by_number(&theirs).await.unwrap().unwrap();
    assert_eq!(order.email, "karim@haat.example");

    // An order in delivery keeps its customer's address.
    let (order, _) = book.by_number(&open).await.unwrap().unwrap();
    assert_eq!(order.address, "Dhanmondi");
    // A tab that was open before the deletion is signed out.
    let late = app.request("POST", "/api/addresses", &token, address("Dhaka")).await;
    assert_eq!(late.status, StatusCode::UNAUTHORIZED);
    let late =
        app.request("GET", &format!("/api/user/jwt?email={RAHIM}"), &proven, json!({})).await;
    assert_eq!(late.status, StatusCode::UNAUTHORIZED);
    app.given.clock.advance(Duration::from_secs(76 * 60));
    worker.run_due().await.unwrap();
    assert_eq!(app.number_of("customers").await, 1);

    for _ in 0..4 {
        book.apply(&open, Step::Advance, "").await.unwrap();
    }
    app.given.clock.advance(Duration::from_secs(24 * 3600));
    worker.run_due().await.unwrap();
    let (order, _) = book.by_number(&open).await.unwrap().unwrap();
    assert_eq!((order.address.as_str(), order.customer.as_str()), ("", ""));
    app.given.clock.advance(Duration::from_secs(24 * 3600));
    worker.run_due().await.unwrap();
    assert_eq!(app.number_of("jobs where kind = 'customers.forget'").await, 0);
}

async fn an_account_deleted_by_identity_is_erased_too(app: TestApp) {
    let (id_token, token) = app.customer(RAHIM).await;
    app.request("POST", "/api/addresses", &token, address("Dhaka")).await;
    // His address is not verified: a subscription of that address stays.
    app.request("POST", "/api/newsletter", "", json!({ "email": RAHIM })).await;
    for (product, by) in [("skerry-turntable", ""), ("strand-stoneware-vase", token.as_str())] {
        let alert = json!({ "product": product, "email": RAHIM });
        let noted = app.request("POST", "/api/stock-alerts", by, alert).await;
        assert_eq!(noted.status, StatusCode::ACCEPTED, "{}", noted.text());
    }
    let path = format!("/identitytoolkit.googleapis.com/v1/accounts:delete{KEY}");
    let gone = app.request("POST", &path, "", json!({ "idToken": id_token })).await;
    assert_eq!(gone.status, StatusCode::OK, "{}", gone.text());
    app.worker().run_due().await.unwrap();
    assert_eq!((app.number_of("customers").await, app.number_of("addresses").await), (0, 0));
    assert_eq!(app.number_of("subscribers").await, 1);
    assert_eq!(app.number_of("stock_alerts where variant = 'skerry-turntable'").await, 1);
    assert_eq!(app.number_of("stock_alerts").await, 1);
}
