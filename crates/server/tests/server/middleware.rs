use axum::routing::get;

use super::*;

async fn bug() {
    if true {
        panic!("a bug")
    }
}

async fn app() -> TestApp {
    let more =
        |routes: Router| routes.route("/test/panic", get(bug)).route("/api/test/panic", get(bug));
    TestApp::with(Engine::Sqlite, more, None).await
}

#[tokio::test]
async fn a_panic_does_not_affect_other_requests() {
    let app = app().await;
    let page = app.get("/test/panic").await;
    assert_eq!(page.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(page.text().contains("<title>Unexpected Application Error!</title>"));
    assert!(page.text().contains(page.header("x-request-id")));
    assert!(!page.text().contains("a bug"), "internal details are not shown");
    let json = app.get("/api/test/panic").await;
    assert_eq!(json.json()["error"]["code"], "internal");
    assert_eq!(app.get("/").await.status, StatusCode::OK);
    assert!(app.get("/metrics").await.text().contains("haat_http_panics_total 2"));
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let app = app().await;
    for address in [
        "/",
        "/nothing",
        "/api/products",
        "/api/nothing",
        "/healthz",
        "/test/panic",
        "/favicon.svg",
    ] {
        let answer = app.get(address).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("script-src 'self' 'sha256-"), "{address}");
        assert!(policy.contains("frame-ancestors 'none'"), "{address}");
        assert!(policy.contains("img-src 'self' data:;"), "{address}");
        assert!(answer.header("permissions-policy").contains("camera=()"), "{address}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{address}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{address}");
        assert_eq!(
            answer.header("referrer-policy"),
            "strict-origin-when-cross-origin",
            "{address}"
        );
        assert_eq!(answer.header("strict-transport-security"), "max-age=31536000", "{address}");
        assert_eq!(answer.header("x-request-id").len(), 16, "{address}");
    }
}

#[tokio::test]
async fn too_large_requests_are_refused_in_the_right_format() {
    let app = app().await;
    let big = "x".repeat(40 << 10);
    for address in ["/", "/api/products"] {
        let answer = app.get_as(address, &[("x-big", &big)]).await;
        assert_eq!(answer.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "{address}");
        let body = Request::post(address).header("content-length", 10 << 20);
        let answer = app.send(body.body(Body::from(vec![b'x'; 10 << 20])).unwrap()).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{address}");
        let kind = if address == "/" { "text/html; charset=utf-8" } else { "application/json" };
        assert_eq!(answer.header("content-type"), kind, "{address}");
    }
}

#[tokio::test]
async fn pages_allow_only_get_and_head() {
    let app = app().await;
    for method in ["POST", "DELETE", "PUT", "OPTIONS"] {
        let request = Request::builder().method(method).uri("/product/skerry-turntable");
        let answer = app.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    let page = Request::post("/").header("accept", "text/html").body(Body::empty()).unwrap();
    assert_eq!(app.send(page).await.header("content-type"), "text/html; charset=utf-8");
    let head = Request::head("/").body(Body::empty()).unwrap();
    assert_eq!(app.send(head).await.status, StatusCode::OK);
}

#[tokio::test]
async fn health_and_metrics_are_served_to_this_machine_only() {
    let app = app().await;
    assert_eq!(app.get("/healthz").await.text(), "alive\n");
    // Other machines cannot read them, directly or through a proxy.
    for (peer, header) in
        [("203.0.113.7", "x-none"), ("127.0.0.1", "x-forwarded-for"), ("::1", "forwarded")]
    {
        let peer = platform::http::ClientIp(peer.parse().unwrap());
        let request = Request::get("/metrics").extension(peer).header(header, "203.0.113.7");
        let answer = app.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{peer:?}");
    }
    let ready = app.get("/readyz").await;
    assert_eq!((ready.status, ready.header("x-haat-build").len()), (StatusCode::OK, 16));
    app.get("/").await;
    app.get("/").await;
    app.get("/api/products").await;
    let metrics = app.get("/metrics").await;
    for line in [
        "haat_http_request_seconds_count{route=\"home\",status=\"200\"} 2",
        "haat_http_request_seconds_count{route=\"/api/products\",status=\"200\"} 1",
        "haat_cache_hits_total 1",
        "haat_cache_misses_total 2",
        "haat_renders_total 1",
        "haat_render_queue 0",
        "haat_jobs_queued 11",
        "# EOF",
    ] {
        assert!(metrics.text().contains(line), "{line}\n{}", metrics.text());
    }
}

/// A repeated request skips the router.
#[tokio::test]
async fn a_repeated_request_is_answered_like_the_first() {
    let app = app().await;
    let product = "/product/quern-pepper-mill?from=mail";
    for address in [product, "/api/products?limit=2", "/api/products/quern-pepper-mill"] {
        let (first, again) = (app.get(address).await, app.get(address).await);
        let headers = |answer: &TestResponse| {
            let mut headers = answer.headers.clone();
            assert!(headers.remove("x-request-id").is_some());
            assert_eq!(headers.remove("server-timing").is_some(), address == product);
            // The router sets it, and otherwise the connection.
            headers.remove("content-length");
            headers
        };
        assert_eq!((headers(&first), first.text()), (headers(&again), again.text()), "{address}");
        let unchanged = app.get_as(address, &[("if-none-match", first.header("etag"))]).await;
        assert_eq!(unchanged.status, StatusCode::NOT_MODIFIED, "{address}");
        let personal = app.get_as(address, &[("authorization", "Bearer x")]).await;
        assert_eq!(personal.header("cache-control"), "no-store", "{address}");
        let large = "x".repeat(40_000);
        let refused = app.get_as(address, &[("x-large", &large)]).await;
        assert_eq!(refused.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "{address}");
    }
    let taka = app.get_as(product, &[("cookie", "currency=BDT")]).await;
    assert!(taka.text().contains('৳') && taka.text() != app.get(product).await.text());
    let json = app.get_as(product, &[("accept", "application/json")]).await;
    assert_eq!(json.json()["page"], "product");

    app.import(
        r#"{"products": [{"_id": "quern-pepper-mill", "category": "kitchen", "name": "Quern renamed",
            "sku": "HT-KIT-900", "img": ["/favicon.svg"], "realPrice": 77.7, "qtn": 1}]}"#,
    )
    .await;
    eventually("the page shows the change", async || {
        app.get(product).await.text().contains("Quern renamed")
    })
    .await;
    let metrics = app.get("/metrics").await;
    let hits = |line: &&str| line.starts_with(r#"haat_http_request_seconds_count{route="product""#);
    assert!(metrics.text().lines().any(|line| hits(&line)), "{}", metrics.text());
}
