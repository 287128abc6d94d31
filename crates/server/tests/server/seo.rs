//! SEO: the sitemap, robots.txt, the web app manifest, and feeds.

use std::time::Duration;

use test_support::eventually;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    the_sitemap_lists_every_page,
    the_product_feed_follows_googles_specification,
    the_blog_feed_has_the_whole_text,
    robots_txt_and_manifest_are_served,
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_sitemap_is_split() {
    let app = TestApp::with_sitemap_size(Engine::Sqlite, 25).await;
    let index = app.get("/sitemap.xml").await;
    let parts: Vec<&str> = between(index.text(), "<sitemap><loc>", "</loc>");
    assert_eq!(parts.len(), 8, "{parts:?}");
    let mut all = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let path = part.strip_prefix("https://haat.example").unwrap();
        let answer = app.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let found: Vec<String> =
            between(answer.text(), "<loc>", "</loc>").into_iter().map(str::to_owned).collect();
        assert!(found.len() == 24 || place == 7, "{}", found.len());
        all.extend(found);
    }
    let total = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), total, "each address once");
    assert_eq!(all.iter().filter(|address| address.contains("/product/")).count(), 2 * 64);
    for nothing in ["/sitemap/0.xml", "/sitemap/9.xml", "/sitemap/01.xml", "/sitemap/x.xml"] {
        assert_eq!(app.get(nothing).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|part| part.split(after).next()).collect()
}

async fn the_sitemap_lists_every_page(app: TestApp) {
    let map = app.get("/sitemap.xml").await;
    assert_eq!(map.header("content-type"), "application/xml; charset=utf-8");
    let addresses = between(map.text(), "<loc>https://haat.example", "</loc>");
    // Home, eight categories, the blog and its six posts, six pages, 64 products, in two languages.
    assert_eq!(addresses.len(), 2 * (1 + 8 + 7 + 6 + 64));
    for address in [
        "/",
        "/category/audio",
        "/blog/looking-after-leather",
        "/terms_condition",
        "/product/skerry-turntable",
        "/bn",
        "/bn/product/skerry-turntable",
    ] {
        assert!(addresses.contains(&address), "{address}");
    }
    assert!(
        map.text().contains("<loc>https://haat.example/blog</loc><lastmod>2026-11-08</lastmod>")
    );
    app.import(
        r#"{"products": [{"_id": "new-thing", "category": "audio", "name": "New", "sku": "N",
           "img": ["/demo/audio.svg"], "realPrice": 1, "qtn": 5}]}"#,
    )
    .await;
    eventually("the new product is listed", async || {
        app.get("/sitemap.xml").await.text().contains("/product/new-thing")
    })
    .await;
}

async fn the_product_feed_follows_googles_specification(app: TestApp) {
    app.import(
        r#"{"products": [{"_id": "odd", "category": "audio", "name": "A & B <i>\"c\"</i>", "sku": "O",
           "brand": "Rahim & Sons", "img": ["/demo/audio.svg", "/demo/a?b=1&c=2"],
           "realPrice": 12.5, "offerPrice": 10, "saleEnd": "2026-12-01T00:00:00Z", "qtn": 0,
           "fullDescription": "]]> \u0007</description><script>"}]}"#,
    )
    .await;
    let feed = app.get("/feeds/google.xml").await;
    assert_eq!(feed.header("content-type"), "application/xml; charset=utf-8");
    let items = between(feed.text(), "<item>", "</item>");
    // One for each variant.
    assert_eq!(items.len(), 190);
    let ink = "<g:id>tarn-over-ear-headphones--ink</g:id>";
    let ink = items.iter().find(|item| item.contains(ink)).unwrap();
    for wanted in [
        "<title>Tarn Over-Ear Headphones (Ink)</title>",
        "/product/tarn-over-ear-headphones?variant=tarn-over-ear-headphones--ink</link>",
        "<g:item_group_id>tarn-over-ear-headphones</g:item_group_id><g:color>Ink</g:color>",
        "<g:mpn>HT-AUD-001-INK</g:mpn>",
    ] {
        assert!(ink.contains(wanted), "{wanted} in {ink}");
    }
    assert!(feed.text().ends_with("</channel></rss>\n"));
    let odd = items.iter().find(|item| item.contains("<g:id>odd</g:id>")).unwrap();
    for wanted in [
        "<title>A &amp; B &lt;i&gt;&quot;c&quot;&lt;/i&gt;</title>",
        "<description>]]&gt; &lt;/description&gt;&lt;script&gt;</description>",
        "<link>https://haat.example/product/odd</link>",
        "<g:image_link>https://haat.example/demo/audio.svg</g:image_link>",
        "<g:additional_image_link>https://haat.example/demo/a?b=1&amp;c=2</g:additional_image_link>",
        "<g:availability>out_of_stock</g:availability>",
        "<g:price>12.50 USD</g:price><g:sale_price>10.00 USD</g:sale_price>",
        "/2026-12-01T00:00:00.000Z</g:sale_price_effective_date>",
        "<g:brand>Rahim &amp; Sons</g:brand><g:mpn>O</g:mpn><g:condition>new</g:condition>",
    ] {
        assert!(odd.contains(wanted), "{wanted} in {odd}");
    }
    app.given.clock.advance(Duration::from_secs(30 * 24 * 3600));
    let later = app.get("/feeds/google.xml").await;
    let odd = between(later.text(), "<g:id>odd</g:id>", "</item>")[0].to_owned();
    assert!(!odd.contains("sale_price"), "the offer is over: {odd}");
}

async fn the_blog_feed_has_the_whole_text(app: TestApp) {
    let feed = app.get("/blog/feed.xml").await;
    assert_eq!(feed.header("content-type"), "application/rss+xml; charset=utf-8");
    let items = between(feed.text(), "<item>", "</item>");
    assert_eq!(items.len(), 6);
    assert!(items[0].contains("<pubDate>Sun, 8 Nov 2026 00:00:00 +0000</pubDate>"), "{}", items[0]);
    assert!(
        items[0].contains("&lt;a href=&quot;https://haat.example/product/lode-automatic-watch")
    );
    assert!(items[0].contains("On land it times eggs."));
    let own = "<atom:link href=\"https://haat.example/blog/feed.xml\" rel=\"self\"";
    assert!(feed.text().contains(own));
}

async fn robots_txt_and_manifest_are_served(app: TestApp) {
    let robots = app.get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    for line in ["Disallow: /api/", "Disallow: /cart", "Sitemap: https://haat.example/sitemap.xml"]
    {
        assert!(robots.text().contains(line), "{line}");
    }
    let manifest = app.get("/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert_eq!(manifest.json()["name"], "Haat");
    for icon in manifest.json()["icons"].as_array().unwrap() {
        let file = app.get(icon["src"].as_str().unwrap()).await;
        assert_eq!(file.status, StatusCode::OK, "{icon}");
        assert_eq!(file.header("content-type"), icon["type"].as_str().unwrap());
    }
}
