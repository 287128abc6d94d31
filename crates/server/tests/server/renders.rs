//! Renders that misbehave, seen from outside.

use std::time::{Duration, Instant};

use super::*;

/// A bundle whose product pages misbehave as their id says; the others are fine.
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
async fn a_page_that_cannot_be_rendered_is_left_to_the_browser() {
    let app = TestApp::with(Engine::Sqlite, |routes| routes, Some(BUNDLE)).await;
    for id in ["skerry-turntable", "quern-pepper-mill", "portway-structured-tote"] {
        let began = Instant::now();
        let page = app.get(&format!("/product/{id}")).await;
        assert!(began.elapsed() < Duration::from_secs(10), "{id}: nobody waits for it");
        assert_eq!(page.status, StatusCode::OK, "{id}");
        assert!(page.text().contains("<div id=\"root\"></div>"), "{id}: for the browser to fill");
        assert!(page.text().contains(&format!("\"_id\":\"{id}\"")), "{id}: with the data");
        assert!(page.text().contains("data-code=\"/assets/"), "{id}");
        assert!(page.text().contains("rel=\"icon\" href=\"/favicon.svg\""), "{id}: its icon");
        let other = app.get("/").await;
        assert!(other.text().contains("rendered home"), "after {id}");
        app.given.clock.advance(Duration::from_secs(10));
    }
}

#[tokio::test]
async fn a_failing_page_is_not_tried_again_for_every_visitor() {
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
async fn random_addresses_cause_no_render_storm() {
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
