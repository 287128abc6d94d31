//! Searches in a shop whose index is not complete.

use serde_json::Value;
use test_support::on_both;

use super::*;

on_both!(UnindexedApp:
    products_are_found_before_the_index_is_complete,
    filters_and_sort_orders_work_before_the_index_is_complete,
    pages_get_their_facets_when_the_index_is_complete,
);

/// A shop in which nobody builds the index yet.
struct UnindexedApp(TestApp);

impl UnindexedApp {
    async fn new(engine: Engine) -> Self {
        let (given, limits) = (demo_db(engine).await, PictureLimits::default());
        Self(TestApp::unindexed(given, |routes| routes, None, limits, None, URLS_PER_SITEMAP).await)
    }

    async fn props(&self, address: &str) -> Value {
        let page = self.0.get_as(address, &[("accept", "application/json")]).await;
        assert_eq!(page.status, StatusCode::OK, "{address}: {}", page.text());
        page.json()["props"].clone()
    }
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap()).collect()
}

async fn products_are_found_before_the_index_is_complete(app: UnindexedApp) {
    let ready = app.0.get("/readyz").await;
    assert_eq!((ready.status, ready.header("x-haat-build").len()), (StatusCode::OK, 16));
    assert!(ready.text().contains("search index is being built"), "{}", ready.text());

    // Name, brand, SKU, the beginning of words, another form of a word.
    for q in ["turntable", "veldrun", "ht-aud-006", "skerry+tur", "Turntables+by+Veldrun"] {
        let page = app.props(&format!("/search?q={q}")).await;
        assert!(ids(&page["products"]).contains(&"skerry-turntable"), "{q}: {page}");
        assert_eq!(page["facets"], Value::Null);
        let suggested = app.0.get(&format!("/api/search/suggestions?q={q}")).await.json();
        assert!(!ids(&suggested["products"]).is_empty(), "{q}: {suggested}");
        let listed = app.0.get(&format!("/api/products?q={q}")).await;
        assert!(ids(&listed.json()).contains(&"skerry-turntable"), "{q}");
        assert_eq!(listed.header("x-total-count"), page["total"].to_string(), "{q}");
    }
    let suggested = app.0.get("/api/search/suggestions?q=skerry").await.json();
    assert_eq!(ids(&suggested["products"]), ["skerry-turntable"]);
    let within = app.0.get("/api/search/suggestions?q=skerry&category=lighting").await.json();
    assert_eq!(ids(&within["products"]), Vec::<&str>::new());
    let nothing = app.props("/search?q=%25").await;
    assert_eq!(nothing["total"], 0);
    assert_eq!(nothing["popular"].as_array().unwrap().len(), 8);
    let html = app.0.get("/search?q=turntable").await;
    assert!(html.markup().contains("Skerry Turntable") && !html.markup().contains("<fieldset"));
}

async fn filters_and_sort_orders_work_before_the_index_is_complete(app: UnindexedApp) {
    let all = app.props("/search?size=20&page=4").await;
    assert_eq!((&all["total"], ids(&all["products"]).len()), (&Value::from(64), 4));
    assert_eq!(app.0.get("/search?size=20&page=5").await.status, StatusCode::NOT_FOUND);
    let audio = app.props("/category/audio?colour=Walnut&min=100&sort=price-asc").await;
    let prices: Vec<f64> = audio["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["buyPrice"].as_f64().unwrap())
        .collect();
    assert!(prices.is_sorted() && !prices.is_empty() && prices[0] >= 100.0, "{prices:?}");
    assert_eq!(app.props("/category/audio?brand=Veldrun").await["total"], 8);
    let two = app.0.get("/api/products?brand=Veldrun&brand=Ombrick&limit=200").await.json();
    assert_eq!(two.as_array().unwrap().len(), 24);
}

async fn pages_get_their_facets_when_the_index_is_complete(app: UnindexedApp) {
    let addresses = ["/search?q=turntable", "/category/audio", "/category/audio?brand=Veldrun"];
    for address in addresses {
        assert_eq!(app.props(address).await["facets"], Value::Null, "{address}");
    }
    app.0.build_index().await;
    for address in addresses {
        let brands = app.props(address).await["facets"]["brands"].clone();
        assert!(!brands.as_array().unwrap().is_empty(), "{address}");
    }
    assert_eq!(app.0.get("/readyz").await.text(), "ready\n");
}
