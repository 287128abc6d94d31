//! Failing server-side rendering, as HTTP clients see it.

use super::*;

/// A bundle whose product pages fail in different ways, by product id.
const BUNDLE: &str = r#"
    globalThis.render = (json) => {
        const { page, url } = JSON.parse(json);
        if (page === "product") {
            if (url.includes("turntable")) throw new Error("no such component");
            if (url.includes("mill")) for (;;);
            const all = []; for (;;) all.push(new Array(10000).fill({}));
        }
        return ["<title>" + page + "</title>", "<h1>rendered " + page + "</h1>"];
    };
"#;

#[tokio::test]
async fn a_failed_render_falls_back_to_the_browser() {
    let app = TestApp::with(Engine::Sqlite, |routes| routes, Some(BUNDLE)).await;
    for id in ["skerry-turntable", "quern-pepper-mill", "portway-structured-tote"] {
        let address = format!("/product/{id}");
        let page = tokio::time::timeout(Duration::from_secs(50), app.get(&address)).await;
        let page = page.unwrap_or_else(|_| panic!("{id}: the request waits for the render"));
        assert_eq!(page.status, StatusCode::OK, "{id}");
        assert!(page.text().contains("<div id=\"root\"></div>"), "{id}: rendered by the browser");
        assert!(page.text().contains(&format!("\"_id\":\"{id}\"")), "{id}: with the data");
        assert!(page.text().contains("data-code=\"/assets/"), "{id}");
        assert!(page.text().contains("rel=\"icon\" href=\"/favicon.svg\""), "{id}: its icon");
        let other = app.get("/").await;
        assert!(other.text().contains("rendered home"), "after {id}");
        app.given.clock.advance(Duration::from_secs(10));
    }
}

#[tokio::test]
async fn a_failed_render_is_cached_for_a_while() {
    let app = TestApp::with(Engine::Sqlite, |routes| routes, Some(BUNDLE)).await;
    for _ in 0..20 {
        app.get("/product/skerry-turntable").await;
    }
    let failures = async || {
        let metrics = app.get("/metrics").await;
        let mut lines = metrics.text().lines();
        lines.find_map(|line| line.strip_prefix("haat_render_failures_total ")?.parse::<u32>().ok())
    };
    assert_eq!(failures().await, Some(1));
    app.given.clock.advance(Duration::from_secs(5));
    app.get("/product/skerry-turntable").await;
    assert_eq!(failures().await, Some(2));
}

#[tokio::test]
async fn random_urls_do_not_fill_the_cache() {
    let app = TestApp::new(Engine::Sqlite).await;
    app.get("/").await;
    app.get("/nothing").await;
    for n in 0..300 {
        let (unknown, campaign) = (format!("/x{n}/{n}"), format!("/?q{n}={n}"));
        assert_eq!(app.get(&unknown).await.status, StatusCode::NOT_FOUND);
        assert_eq!(app.get(&format!("/product/x{n}")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(app.get(&campaign).await.status, StatusCode::OK);
    }
    let metrics = app.get("/metrics").await;
    assert!(metrics.text().contains("haat_renders_total 2"), "{}", metrics.text());
    assert!(metrics.text().contains("haat_cache_entries 2"), "{}", metrics.text());
}
