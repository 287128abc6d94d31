use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http_body_util::BodyExt;
use md5::{Digest, Md5};
use media::settings::MediaSettings;
use media::{AVIF, Media, MediaLimits, PictureId, PictureStore, import_picture};
use platform::jobs::Worker;
use proptest::prelude::*;
use test_support::{Engine, TestDb, eventually, on_both};
use tokio::task::JoinSet;
use tower::ServiceExt;

use super::picture_files::*;

on_both!(Given:
    every_size_is_served_in_every_format,
    webp_is_served_until_the_avif_is_encoded,
    a_transparent_picture_stays_transparent,
    pictures_are_never_enlarged,
    invalid_picture_urls_are_404_without_encoding,
    conditional_requests_get_304,
    concurrent_requests_encode_a_size_once,
    an_overloaded_encoder_is_answered_with_the_master_or_503,
    few_masters_are_read_at_a_time,
    a_half_written_picture_is_never_served,
    encoded_sizes_are_stored_and_encoded_again_when_deleted,
    a_job_encodes_sizes_ahead,
    identical_files_are_one_picture,
    pictures_can_be_stored_in_s3,
);

struct Given {
    db: TestDb,
    dir: tempfile::TempDir,
}

impl Given {
    async fn new(engine: Engine) -> Self {
        Self { db: TestDb::new(engine).await, dir: tempfile::tempdir().unwrap() }
    }

    fn store(&self) -> PictureStore {
        MediaSettings::default().store(self.dir.path(), &self.db.clock).unwrap()
    }

    fn shop(&self, limits: MediaLimits) -> Shop {
        Shop::on(self, self.store(), limits)
    }

    /// Stores a picture, as an import does.
    async fn store_picture(&self, store: &PictureStore, file: &[u8]) -> PictureId {
        let (taken, master) = import_picture(file).unwrap();
        media::store_master(store, &taken, master).await.unwrap();
        let mut tx = self.db.db.begin().await.unwrap();
        media::insert_picture(&mut tx, &self.db.clock, &taken).await.unwrap();
        tx.commit().await.unwrap();
        taken.id
    }
}

struct Shop {
    media: Media,
    routes: Router,
}

impl Shop {
    fn on(given: &Given, store: PictureStore, limits: MediaLimits) -> Self {
        let media = Media::start(given.db.db.clone(), store, limits);
        Self { routes: media::router(media.clone()), media }
    }

    async fn ask(&self, method: Method, address: &str, tag: Option<&str>) -> Answer {
        let mut request = Request::builder().method(method).uri(address);
        if let Some(tag) = tag {
            request = request.header("if-none-match", tag);
        }
        let request = request.body(Body::empty()).unwrap();
        let (parts, body) = self.routes.clone().oneshot(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    async fn get(&self, address: &str) -> Answer {
        self.ask(Method::GET, address, None).await
    }
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn every_size_is_served_in_every_format(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(1700, 1000)).await;
    let shop = given.shop(MediaLimits::default());
    for width in [160, 320, 480, 640, 800, 1200, 1600] {
        // Large AVIFs are too slow to encode in a debug build.
        for (ending, content_type) in
            [("avif", "image/avif"), ("webp", "image/webp"), ("jpg", "image/jpeg")]
        {
            if ending == "avif" && width > 800 {
                continue;
            }
            let address = format!("/media/{id}/{width}.{ending}");
            let answer = if ending == "avif" {
                get_final(&shop, &address).await
            } else {
                shop.get(&address).await
            };
            assert_eq!(answer.status, StatusCode::OK, "{width}.{ending}");
            let kept_as = if AVIF || ending != "avif" { content_type } else { "image/webp" };
            assert_eq!(answer.header("content-type"), kept_as);
            assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
            let seen = read(&answer.body);
            let height = (1000 * width + 850) / 1700;
            assert_eq!((seen.0, seen.1), (width, height), "{width}.{ending}");
            let off = mean_difference(&seen.2, &photo(width, height));
            assert!(off < 4.0, "{width}.{ending} is {off} off");
            for (right, bottom, colour) in [
                (false, false, [220, 30, 30]),
                (true, false, [30, 180, 30]),
                (false, true, [30, 30, 220]),
                (true, true, [250, 250, 250]),
            ] {
                let found = corner(&seen, right, bottom);
                assert!(near(found, colour), "{width}.{ending}: {found:?} for {colour:?}");
            }
        }
    }
}

/// Requests a picture until it is the final format.
async fn get_final(shop: &Shop, address: &str) -> Answer {
    let mut answer = shop.get(address).await;
    eventually("a picture that is made", async || {
        answer = shop.get(address).await;
        answer.header("cache-control").contains("immutable")
    })
    .await;
    answer
}

async fn webp_is_served_until_the_avif_is_encoded(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(900, 600)).await;
    let shop = given.shop(MediaLimits::default());
    let address = format!("/media/{id}/640.avif");
    let first = shop.get(&address).await;
    assert_eq!(first.status, StatusCode::OK);
    assert_eq!(first.header("content-type"), "image/webp");
    assert_eq!(read_webp(&first.body).0, 640);
    if !AVIF {
        // A build without AVIF never has anything better.
        assert_eq!(first.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(shop.media.stats().made, 1);
        return;
    }
    assert_eq!(first.header("cache-control"), "public, max-age=60");
    let then = get_final(&shop, &address).await;
    assert_eq!(then.header("content-type"), "image/avif");
    assert_ne!(first.header("etag"), then.header("etag"));
    // One WebP and one AVIF, however often it was requested.
    assert_eq!(shop.media.stats().made, 2);
}

async fn a_transparent_picture_stays_transparent(given: Given) {
    let clear = [10, 200, 10, 0].repeat(200 * 200);
    let mut pixels = clear;
    pixels[..200 * 100 * 4].copy_from_slice(&[200, 10, 10, 255].repeat(200 * 100));
    let id =
        given.store_picture(&given.store(), &png(200, 200, png::ColorType::Rgba, &pixels)).await;
    let shop = given.shop(MediaLimits::default());
    for ending in ["avif", "webp"] {
        let answer = get_final(&shop, &format!("/media/{id}/160.{ending}")).await;
        let master = import_picture(&answer.body).unwrap().1;
        let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(&master)).unwrap();
        assert!(decoder.has_alpha(), "{ending}");
        let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.read_image(&mut pixels).unwrap();
        let opacity = |y: usize| pixels[(y * 160 + 80) * 4 + 3];
        assert!(opacity(20) > 245 && opacity(140) < 10, "{ending}");
    }
    let jpeg = read(&shop.get(&format!("/media/{id}/160.jpg")).await.body);
    assert!(near(corner(&jpeg, false, true), [255, 255, 255]));
}

async fn pictures_are_never_enlarged(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(300, 200)).await;
    let shop = given.shop(MediaLimits::default());
    let addresses = [320, 480, 1600].map(|width| format!("/media/{id}/{width}.webp"));
    let answers = [
        shop.get(&addresses[0]).await,
        shop.get(&addresses[1]).await,
        shop.get(&addresses[2]).await,
    ];
    for answer in &answers {
        let (width, height, _) = read_webp(&answer.body);
        assert_eq!((width, height), (300, 200));
    }
    assert_eq!(shop.media.stats().made, 1);
}

async fn invalid_picture_urls_are_404_without_encoding(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(300, 200)).await;
    let shop = given.shop(MediaLimits::default());
    for address in [
        format!("/media/{id}/300.webp"),
        format!("/media/{id}/0320.webp"),
        format!("/media/{id}/320.png"),
        format!("/media/{id}/320.webp.jpg"),
        format!("/media/{id}/320"),
        format!("/media/{}/320.webp", "0".repeat(40)),
        "/media/x/320.webp".to_owned(),
        format!("/media/..%2f..%2f{id}/320.webp"),
        format!("/media/{}/320.webp", id.to_string().to_uppercase()),
    ] {
        let answer = shop.get(&address).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    assert_eq!(shop.media.stats().made, 0);
    assert!(!given.dir.path().join("media/made").exists());
}

async fn conditional_requests_get_304(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(300, 200)).await;
    let shop = given.shop(MediaLimits::default());
    let address = format!("/media/{id}/160.webp");
    let whole = shop.get(&address).await;
    let tag = whole.header("etag");
    let again = shop.ask(Method::GET, &address, Some(tag)).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("cache-control"), whole.header("cache-control"));
    let other = shop.ask(Method::GET, &address, Some("\"other\"")).await;
    assert_eq!(other.body, whole.body);
    let head = shop.ask(Method::HEAD, &address, None).await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("content-length"), whole.body.len().to_string());
    assert_eq!(head.header("etag"), tag);
    let posted = shop.ask(Method::POST, &address, None).await;
    assert_eq!(posted.status, StatusCode::METHOD_NOT_ALLOWED);
}

async fn concurrent_requests_encode_a_size_once(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(900, 600)).await;
    let shop = Arc::new(given.shop(MediaLimits::default()));
    let asking: Vec<_> = (0..100)
        .map(|number| {
            let (shop, address) = (shop.clone(), format!("/media/{id}/640.webp"));
            tokio::spawn(async move {
                if number == 0 {
                    // The first client disconnects before it is encoded.
                    let _ =
                        tokio::time::timeout(Duration::from_millis(1), shop.get(&address)).await;
                }
                shop.get(&address).await.body
            })
        })
        .collect();
    let mut bodies = Vec::new();
    for one in asking {
        bodies.push(one.await.unwrap());
    }
    assert!(bodies.iter().all(|body| !body.is_empty() && *body == bodies[0]));
    assert_eq!(shop.media.stats().made, 1);
}

async fn an_overloaded_encoder_is_answered_with_the_master_or_503(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(1700, 1000)).await;
    let limits = MediaLimits { threads: 1, max_queued: 2, ..MediaLimits::default() };
    let shop = Arc::new(given.shop(limits));
    let addresses: Vec<String> = [160, 320, 480, 640, 800, 1200]
        .into_iter()
        .flat_map(|width| ["webp", "jpg"].map(|kind| format!("/media/{id}/{width}.{kind}")))
        .collect();
    let asking: Vec<_> = addresses
        .iter()
        .cloned()
        .map(|address| {
            let shop = shop.clone();
            tokio::spawn(async move { shop.get(&address).await })
        })
        .collect();
    let (mut refused, mut refused_webp, mut substituted) = (0, 0, 0);
    for (address, one) in addresses.iter().zip(asking) {
        let answer = one.await.unwrap();
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            refused_webp += usize::from(address.ends_with(".webp"));
            assert_eq!(
                (answer.header("retry-after"), answer.header("cache-control")),
                ("2", "no-store")
            );
            refused += 1;
        } else {
            assert_eq!(answer.status, StatusCode::OK);
            if answer.header("cache-control") == "public, max-age=60" {
                assert_eq!(answer.header("content-type"), "image/webp");
                assert_eq!(read(&answer.body).0, 1700, "{address}");
                substituted += 1;
            }
        }
    }
    assert!(refused_webp <= 2, "up to four masters are read at a time");
    assert!(refused > 0 && substituted > 0, "{refused} refused, {substituted} substituted");
    for address in addresses {
        assert_eq!(shop.get(&address).await.status, StatusCode::OK, "{address}");
    }
}

async fn few_masters_are_read_at_a_time(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(1700, 1000)).await;
    let limits = MediaLimits { timeout: Duration::ZERO, ..MediaLimits::default() };
    let shop = Arc::new(given.shop(limits));
    let address = format!("/media/{id}/1200.webp");
    let mut asking = JoinSet::new();
    for _ in 0..50 {
        let (shop, address) = (shop.clone(), address.clone());
        asking.spawn(async move { shop.get(&address).await.status });
    }
    let answers = asking.join_all().await;
    let count = |status| answers.iter().filter(|answer| **answer == status).count();
    let (substituted, refused) = (count(StatusCode::OK), count(StatusCode::SERVICE_UNAVAILABLE));
    assert!(substituted >= 4 && refused > 0, "{substituted} substituted, {refused} refused");
    assert_eq!(substituted + refused, 50);

    // A master that cannot be read; the encoder may find that out before the time is over.
    let master = given.dir.path().join(format!("media/masters/{}/{id}.webp", &id.as_str()[..2]));
    std::fs::remove_file(&master).unwrap();
    std::fs::create_dir(&master).unwrap();
    let status = shop.get(&format!("/media/{id}/800.webp")).await.status;
    let known = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::INTERNAL_SERVER_ERROR];
    assert!(known.contains(&status), "{status}");
}

async fn a_half_written_picture_is_never_served(given: Given) {
    let store = given.store();
    let id = given.store_picture(&store, &png_photo(300, 200)).await;
    let shop = given.shop(MediaLimits::default());
    let whole = shop.get(&format!("/media/{id}/160.webp")).await.body;
    // What a process killed while writing leaves behind.
    let unfinished = given.dir.path().join("media/unfinished");
    let left = unfinished.join("4711-0");
    std::fs::write(&left, &whole[..whole.len() / 2]).unwrap();
    // Written at the time of the fixed clock, whatever the machine's clock says.
    let now = UNIX_EPOCH + Duration::from_millis(given.db.clock.now().0 as u64);
    std::fs::File::options().write(true).open(&left).unwrap().set_modified(now).unwrap();
    let again = given.shop(MediaLimits::default());
    assert_eq!(again.get(&format!("/media/{id}/160.webp")).await.body, whole);
    store.delete_unfinished(&given.db.clock).await;
    assert!(left.exists(), "another process may be writing it");
    given.db.clock.advance(Duration::from_secs(30 * 24 * 3600));
    store.delete_unfinished(&given.db.clock).await;
    assert!(!left.exists());
}

async fn encoded_sizes_are_stored_and_encoded_again_when_deleted(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(300, 200)).await;
    let address = format!("/media/{id}/160.jpg");
    let first = given.shop(MediaLimits::default());
    let made = first.get(&address).await.body;
    let second = given.shop(MediaLimits::default());
    assert_eq!(second.get(&address).await.body, made);
    assert_eq!(second.get(&address).await.body, made);
    assert_eq!((second.media.stats().made, second.media.stats().hits), (0, 1));
    std::fs::remove_dir_all(given.dir.path().join("media/made")).unwrap();
    let third = given.shop(MediaLimits::default());
    assert_eq!(third.get(&address).await.body, made);
    assert_eq!(third.media.stats().made, 1);
}

async fn a_job_encodes_sizes_ahead(given: Given) {
    let id = given.store_picture(&given.store(), &png_photo(300, 200)).await;
    let shop = given.shop(MediaLimits::default());
    let media = shop.media.clone();
    let TestDb { db, clock, random, .. } = &given.db;
    let worker = Worker::new(db.clone(), clock.clone(), random.clone());
    assert_eq!(worker.register::<media::EncodeSizes>(media).run_due().await.unwrap(), 1);
    // 160 and the picture's own 300, in every format.
    let sizes = if AVIF { 6 } else { 4 };
    let folder = given.dir.path().join(format!("media/made/{}/{id}", &id.as_str()[..2]));
    eventually("all sizes", async || {
        std::fs::read_dir(&folder).is_ok_and(|files| files.count() == sizes)
    })
    .await;
    assert_eq!(shop.get(&format!("/media/{id}/800.avif")).await.status, StatusCode::OK);
    assert_eq!(shop.media.stats().made, sizes as u64);
}

async fn identical_files_are_one_picture(given: Given) {
    let store = given.store();
    let file = png_photo(300, 200);
    let first = given.store_picture(&store, &file).await;
    assert_eq!(given.store_picture(&store, &file).await, first);
    let known = media::find_by_source(&given.db.db, &media::hash(&file)).await.unwrap();
    assert_eq!(known, Some(first.clone()));
    let addresses = [media::picture_url(&first), "/demo/audio.svg".to_owned()];
    let found = media::find_pictures(&given.db.db, addresses.iter()).await.unwrap();
    let ours = &found[&addresses[0]];
    assert_eq!((ours.width, ours.height), (Some(300), Some(200)));
    assert_eq!(ours.colour.as_deref(), Some("#c8b4a0"));
    let placeholder = ours.placeholder.as_deref().unwrap();
    assert!(placeholder.starts_with("data:image/webp;base64,"));
    assert!(placeholder.len() <= 300, "{} bytes", placeholder.len());
    assert_eq!(found[&addresses[1]].width, None);
}

/// A local S3 server that checks signatures.
async fn s3() -> (MediaSettings, Arc<Mutex<Vec<String>>>) {
    use std::collections::HashMap;
    let objects: Arc<Mutex<HashMap<String, Bytes>>> = Arc::default();
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let routes = {
        let log = log.clone();
        Router::new().fallback(move |request: Request<Body>| async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let path = parts.uri.path().to_owned();
            log.lock().unwrap().push(format!("{} {path}", parts.method));
            if !signed(&parts, &body) {
                return (StatusCode::FORBIDDEN, Bytes::new());
            }
            let mut objects = objects.lock().unwrap();
            if parts.method == Method::PUT {
                objects.insert(path, body);
                return (StatusCode::OK, Bytes::new());
            }
            match objects.get(&path) {
                Some(object) => (StatusCode::OK, object.clone()),
                None => (StatusCode::NOT_FOUND, Bytes::new()),
            }
        })
    };
    tokio::spawn(async move { axum::serve(listener, routes).await });
    let settings = MediaSettings {
        media_s3_endpoint: Some(format!("http://{host}")),
        media_s3_bucket: Some("shop".into()),
        media_s3_region: "eu-1".into(),
        media_s3_key: Some("key".into()),
        media_s3_secret: Some("secret".into()),
    };
    (settings, log)
}

/// Whether the query has the signature of this request, with AWS Signature Version 4.
fn signed(parts: &Parts, body: &[u8]) -> bool {
    use aws_lc_rs::{digest, hmac};
    let sign = |key: &[u8], text: &str| {
        hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let sha = |bytes: &[u8]| hex(digest::digest(&digest::SHA256, bytes).as_ref());
    let header = |name: &str| parts.headers.get(name).map_or("", |value| value.to_str().unwrap());
    let (method, path) = (&parts.method, parts.uri.path());
    let (names, content) = if method == Method::PUT {
        ("content-md5;content-type;host", BASE64_STANDARD.encode(Md5::digest(body)))
    } else {
        ("host", String::new())
    };
    let query = parts.uri.query().and_then(|query| query.rsplit_once("&X-Amz-Signature="));
    let Some((query, signature)) = query else { return false };
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)).unwrap();
    let time = value("X-Amz-Date=");
    let scope = format!("{}/eu-1/s3/aws4_request", &time[..8]);
    let headers: String =
        names.split(';').map(|name| format!("{name}:{}\n", header(name))).collect();
    let canonical = format!("{method}\n{path}\n{query}\n{headers}\n{names}\nUNSIGNED-PAYLOAD");
    let text = ["AWS4-HMAC-SHA256", time, &scope, &sha(canonical.as_bytes())].join("\n");
    let key = scope.split('/').fold(b"AWS4secret".to_vec(), |key, part| sign(&key, part));
    value("X-Amz-SignedHeaders=") == names.replace(';', "%3B")
        && value("X-Amz-Credential=") == format!("key/{scope}").replace('/', "%2F")
        && header("content-md5") == content
        && hex(&sign(&key, &text)) == signature
}

async fn pictures_can_be_stored_in_s3(given: Given) {
    let (settings, log) = s3().await;
    let store = settings.store(given.dir.path(), &given.db.clock).unwrap();
    assert!(store.location().ends_with("/shop"));
    let id = given.store_picture(&store, &png_photo(300, 200)).await;
    let address = format!("/media/{id}/160.webp");
    let first = Shop::on(&given, store.clone(), MediaLimits::default());
    let made = first.get(&address).await;
    assert_eq!(made.status, StatusCode::OK);
    assert_eq!(read_webp(&made.body).0, 160);
    let second = Shop::on(&given, store, MediaLimits::default());
    assert_eq!(second.get(&address).await.body, made.body);
    assert_eq!(second.media.stats().made, 0);
    let asked = log.lock().unwrap().clone();
    let master = format!("PUT /shop/masters/{}/{id}.webp", &id.as_str()[..2]);
    assert!(asked.contains(&master), "{asked:?}");

    // A wrong secret is refused, and is not in the error.
    let wrong = MediaSettings { media_s3_secret: Some("guess".into()), ..settings.clone() };
    let store = wrong.store(given.dir.path(), &given.db.clock).unwrap();
    let why = store.get("masters/x").await.unwrap_err().to_string();
    assert!(why.contains("403") && !why.contains("guess"), "{why}");
    let third = Shop::on(&given, store, MediaLimits::default());
    assert_eq!(third.get(&address).await.status, StatusCode::SERVICE_UNAVAILABLE);
    let half = MediaSettings { media_s3_key: None, ..wrong };
    let why = half.store(given.dir.path(), &given.db.clock).err().unwrap();
    assert!(why.contains("media_s3_key"), "{why}");
    for endpoint in ["s3.example", "ftp://s3.example", "http://"] {
        let bad = MediaSettings { media_s3_endpoint: Some(endpoint.into()), ..settings.clone() };
        let why = bad.store(given.dir.path(), &given.db.clock).err().unwrap();
        assert!(why.contains("media_s3_endpoint"), "{endpoint}: {why}");
    }
}

#[test]
fn every_input_format_is_decoded() {
    let wanted = photo(400, 300);
    let grey: Vec<u8> = (0..400 * 300).map(|at| (at / 400) as u8 / 2).collect();
    for (name, file) in [
        ("JPEG", jpeg(400, 300, false, None)),
        ("progressive JPEG", jpeg(400, 300, true, None)),
        ("PNG", png_photo(400, 300)),
        ("WebP", webp(400, 300)),
        ("AVIF", avif(400, 300)),
    ]
    .into_iter()
    .filter(|(name, _)| AVIF || *name != "AVIF")
    {
        let (width, height, pixels) = read(&file);
        assert_eq!((width, height), (400, 300), "{name}");
        let off = mean_difference(&pixels, &wanted);
        assert!(off < 3.0, "{name} is {off} off");
    }
    let (taken, master) = import_picture(&png(400, 300, png::ColorType::Grayscale, &grey)).unwrap();
    assert_eq!((taken.metadata.width, taken.bytes), (400, master.len()));
}

#[test]
fn photos_are_rotated_by_exif_and_stripped_of_metadata() {
    let mut file = jpeg(400, 300, false, Some(&exif(6)));
    // A polyglot file.
    file.extend(b"PK\x03\x04<script>alert(1)</script>");
    assert!(contains(&file, "GPS-OF-MY-HOUSE"));
    let (taken, master) = import_picture(&file).unwrap();
    assert_eq!((taken.metadata.width, taken.metadata.height), (300, 400));
    let seen = read_webp(&master);
    // Rotated clockwise, the bottom left corner is at the top left.
    assert!(near(corner(&seen, false, false), [30, 30, 220]));
    assert!(near(corner(&seen, true, false), [220, 30, 30]));
    assert!(near(corner(&seen, true, true), [30, 180, 30]));
    for trace in ["GPS-OF-MY-HOUSE", "Exif", "EXIF", "ICCP", "XMP", "<script", "PK\x03"] {
        assert!(!contains(&master, trace), "{trace}");
    }
    assert!(!contains(&import_picture(&png_photo(40, 30)).unwrap().1, "GPS-OF-MY-HOUSE"));
}

#[test]
fn large_pictures_are_downscaled_on_import() {
    let (taken, _) = import_picture(&jpeg(4000, 1000, false, None)).unwrap();
    assert_eq!((taken.metadata.width, taken.metadata.height), (2400, 600));
}

fn refused(file: &[u8]) -> String {
    import_picture(file).map(|(taken, _)| taken.id).unwrap_err().to_string()
}

#[test]
fn decompression_bombs_are_refused_by_their_header() {
    // Headers that claim 60 000 × 60 000 pixels.
    let mut png = png_photo(8, 8);
    png[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let crc = {
        let mut crc = !0u32;
        for byte in &png[12..29] {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        !crc
    };
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    let mut jpeg = jpeg(16, 16, false, None);
    let frame = jpeg.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xea, 0x60, 0xea, 0x60]);
    for file in [png, jpeg] {
        let why = refused(&file);
        assert!(why.contains("60000 × 60000") && why.contains("12000"), "{why}");
    }
    // A few kilobytes that would decode to 64 million pixels.
    let zeros = vec![0; 8000 * 8000 * 3];
    let file = self::png(8000, 8000, png::ColorType::Rgb, &zeros);
    assert!(file.len() < 1 << 20);
    let why = refused(&file);
    assert!(why.contains("8000 × 8000") && why.contains("50 million"), "{why}");
    let why = refused(&vec![0xff; (20 << 20) + 1]);
    assert!(why.contains("20 MiB"), "{why}");
}

#[test]
fn other_file_types_are_refused() {
    for (file, why) in [
        (&b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"[..], "SVG"),
        (b"GIF89a\x01\0\x01\0\0\0\0;", "GIF"),
        (b"<!doctype html><p>Not found", "web page"),
        (b"\xff\xd8\xff<svg onload=alert(1)>", "JPEG"),
        (b"\x89PNG\r\n\x1a\n<script>", "PNG"),
        (b"RIFF\x04\0\0\0WEBP", "WebP"),
        (b"\0\0\0\x14ftypavif\0\0\0\0avif", if AVIF { "a broken AVIF" } else { "does not read" }),
        (b"", "empty"),
    ] {
        let message = refused(file);
        assert!(message.contains(why), "{message}");
    }
    // Animations are refused.
    let config = webp::WebPConfig::new().unwrap();
    let mut moving = webp::AnimEncoder::new(8, 8, &config);
    let frame = photo(8, 8);
    let negative: Vec<u8> = frame.iter().map(|value| 255 - value).collect();
    moving.add_frame(webp::AnimFrame::from_rgb(&frame, 8, 8, 0));
    moving.add_frame(webp::AnimFrame::from_rgb(&negative, 8, 8, 100));
    assert!(refused(&moving.encode()).contains("animated"));
}

#[test]
fn truncated_files_are_refused() {
    for (name, file) in [
        ("JPEG", jpeg(200, 150, false, Some(&exif(1)))),
        ("progressive JPEG", jpeg(200, 150, true, None)),
        ("PNG", png_photo(200, 150)),
        ("WebP", webp(200, 150)),
        ("AVIF", avif(200, 150)),
    ]
    .into_iter()
    .filter(|(name, _)| AVIF || *name != "AVIF")
    {
        assert!(import_picture(&file).is_ok(), "{name}");
        for part in 0..40 {
            let end = file.len() * part / 40;
            let message = import_picture(&file[..end]).err();
            assert!(message.is_some(), "{name} of {} bytes ends at {end}", file.len());
        }
        assert!(import_picture(&file[..file.len() - 1]).is_err() || name == "PNG", "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn corrupted_files_never_panic(
        which in 0usize..5,
        wrong in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut file = match which {
            0 => jpeg(48, 32, false, Some(&exif(3))),
            1 => jpeg(48, 32, true, None),
            2 => png_photo(48, 32),
            3 if AVIF => avif(48, 32),
            _ => webp(48, 32),
        };
        for (place, byte) in wrong {
            let place = place.index(file.len());
            file[place] = byte;
        }
        let _ = import_picture(&file);
    }
}
