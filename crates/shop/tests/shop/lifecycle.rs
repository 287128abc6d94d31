//! Drafts, archived products, and the time between them.

use std::time::Duration;

use axum::http::StatusCode;
use platform::jobs::Worker;
use platform::revisions::Revisions;
use platform::{Currency, PageRequest, Timestamp};
use serde_json::json;
use shop::catalog::{
    self, Import, ImportFormat, Product, ProductFilter, ProductId, ProductStatus, PublishProduct,
};
use shop::orders::Step;
use test_support::on_both;

use super::test_shop::{ME, ONE_LAMP, Shop, one_lamp, order, view};

on_both!(Shop:
    a_draft_is_shown_nowhere_until_it_is_published,
    an_archived_product_has_a_page_and_is_not_sold,
    a_draft_is_published_at_its_time,
    chosen_products_are_related_first,
    invalid_lifecycles_are_refused,
);

const HOUR: Duration = Duration::from_secs(3600);

fn lamp(more: &str) -> String {
    format!(
        r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
             "img": ["/l.svg", "/m.svg"], "realPrice": 30, "offerPrice": 25.5{more}}}]}}"#
    )
}

fn id(text: &str) -> ProductId {
    text.parse().unwrap()
}

impl Shop {
    async fn product(&self, name: &str) -> Option<Product> {
        let (db, now) = (&self.given.db, self.given.clock.now());
        catalog::product(db, view(now), &id(name)).await.unwrap()
    }

    /// Whether the lamp is in each list, and counted.
    async fn is_listed(&self) -> bool {
        let (db, now) = (&self.given.db, self.given.clock.now());
        let all = ProductFilter::default();
        let newest = catalog::newest(db, view(now), &all, &PageRequest::first(10)).await.unwrap();
        let cards = catalog::newest_cards(db, view(now), 10).await.unwrap();
        let card = catalog::cards_by_id(db, view(now), &[id("lamp")]).await.unwrap();
        let bulb = self.product("bulb").await.unwrap();
        let related = catalog::related(db, view(now), &bulb, 10).await.unwrap();
        let sitemap = catalog::sitemap_items(db, 0, 10).await.unwrap();
        let light = catalog::category(db, &"light".parse().unwrap(), None).await.unwrap().unwrap();
        let listed = [
            newest.items.iter().any(|one| one.id == id("lamp")),
            cards.iter().any(|one| one.id == id("lamp")),
            !card.is_empty(),
            related.iter().any(|one| one.id == id("lamp")),
            sitemap.iter().any(|(one, _)| *one == id("lamp")),
            catalog::count_products(db, &all).await.unwrap() == 3,
            light.products == 3,
            catalog::categories(db, None).await.unwrap()[0].products == 3,
        ];
        assert!(listed.iter().all(|one| *one == listed[0]), "{listed:?}");
        listed[0]
    }
}

async fn a_draft_is_shown_nowhere_until_it_is_published(shop: Shop) {
    assert!(shop.is_listed().await);
    let revisions = Revisions::load(&shop.given.db).await.unwrap();
    let before = revisions.latest();
    shop.import(&lamp(r#", "status": "draft""#)).await;
    revisions.poll(&shop.given.db).await.unwrap();
    let tags = [catalog::product_tag(&id("lamp")), catalog::categories_tag()];
    assert!(tags.iter().all(|tag| revisions.changed_since(before, std::slice::from_ref(tag))));
    assert!(!shop.is_listed().await);
    assert!(shop.product("lamp").await.is_none());
    assert!(!catalog::product_exists(&shop.given.db, &id("lamp")).await.unwrap());
    let refused = shop.post("/api/orders", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("gone"))
    );
    let wish = shop.as_customer("PUT", "/api/wishlist/lamp", ME).await;
    assert_eq!(wish.status, StatusCode::NOT_FOUND);
    let review = json!({ "rating": 5, "title": "Good", "body": "Bright." });
    for (method, path) in
        [("GET", "/api/products/lamp/reviews"), ("DELETE", "/api/products/lamp/reviews/mine")]
    {
        assert_eq!(
            shop.as_customer(method, path, ME).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let bearer = format!("Bearer {}", shop.token(ME));
    let (mine, headers) = ("/api/products/lamp/reviews/mine", [("authorization", bearer.as_str())]);
    let written = shop.ask("PUT", mine, &headers, review.to_string()).await;
    assert_eq!(written.status, StatusCode::NOT_FOUND);
    assert_eq!(shop.count("reviews").await, 0);
    // A file that does not name the status keeps it.
    shop.import(&lamp("")).await;
    assert!(!shop.is_listed().await);
    shop.import(&lamp(r#", "status": "active""#)).await;
    assert!(shop.is_listed().await);
    shop.place(ME, one_lamp(), ONE_LAMP).await;
}

async fn an_archived_product_has_a_page_and_is_not_sold(shop: Shop) {
    let number = shop.place(ME, one_lamp(), ONE_LAMP).await;
    shop.as_customer("PUT", "/api/wishlist/lamp", ME).await;
    let wished = async || shop.get("/api/wishlist", ME).await.body["products"].clone();
    assert_eq!(wished().await, json!(["lamp"]));
    shop.import(&lamp(r#", "status": "archived""#)).await;
    assert_eq!(wished().await, json!([]));
    assert!(!shop.is_listed().await);
    assert_eq!(shop.product("lamp").await.unwrap().status, ProductStatus::Archived);
    let answer = shop.get("/api/products/lamp", ME).await;
    assert_eq!((answer.status, &answer.body["status"]), (StatusCode::OK, &json!("archived")));
    // Also where checkout has the product in its cache.
    let refused = shop.post("/api/orders", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::CONFLICT, &json!("gone"))
    );
    let alert = json!({ "product": "lamp", "email": "mina@mail.example" });
    assert_eq!(shop.post("/api/stock-alerts", ME, &alert).await.status, StatusCode::NOT_FOUND);
    // What was bought can be cancelled.
    assert_eq!(shop.stock("lamp").await, (49, 1));
    shop.apply(&number, Step::Cancel).await;
    assert_eq!(shop.stock("lamp").await, (50, 0));
}

async fn a_draft_is_published_at_its_time(shop: Shop) {
    let (db, clock) = (shop.given.db.clone(), shop.given.clock.clone());
    let worker = Worker::new(db.clone(), clock.clone(), shop.given.random.clone())
        .register::<PublishProduct>((db.clone(), clock.clone()))
        .register::<catalog::SaleBoundary>((db.clone(), clock.clone()));
    let (first, second) = (clock.now().plus(HOUR), clock.now().plus(HOUR * 2));
    let draft = |at: Timestamp| lamp(&format!(r#", "status": "draft", "publishAt": "{at}""#));
    shop.import(&draft(first)).await;
    // Put off.
    shop.import(&draft(second)).await;
    clock.advance(HOUR);
    worker.run_due().await.unwrap();
    assert!(!shop.is_listed().await);
    clock.advance(HOUR);
    worker.run_due().await.unwrap();
    assert!(shop.is_listed().await);
    let now = clock.now();
    let newest = catalog::newest_cards(&db, view(now), 1).await.unwrap();
    assert_eq!(newest[0].id, id("lamp"), "as new as its publication");
    // The same file again changes nothing, and a new draft whose time has come is active.
    let rows = Import::parse(&draft(second), ImportFormat::Json, Currency::USD).unwrap();
    let summary = catalog::import(&db, &clock, &shop.given.random, &rows).await.unwrap();
    assert_eq!(summary.products.unchanged, 1);
    // Withdrawn, it stays a draft, and is new again when it is active again.
    shop.import(&lamp(r#", "status": "draft""#)).await;
    assert!(!shop.is_listed().await);
    clock.advance(HOUR);
    shop.import(&lamp(r#", "status": "active""#)).await;
    assert!(shop.is_listed().await);
    assert_eq!(shop.product("lamp").await.unwrap().created_at, clock.now());
    let late = draft(first).replace("\"lamp\"", "\"late\"").replace("L1", "L2");
    shop.import(&late.replace("\"realPrice\"", "\"qtn\": 1, \"realPrice\"")).await;
    assert_eq!(shop.product("late").await.unwrap().status, ProductStatus::Active);
}

async fn chosen_products_are_related_first(shop: Shop) {
    let (db, now) = (&shop.given.db, shop.given.clock.now());
    let related = async |limit| {
        let lamp = shop.product("lamp").await.unwrap();
        let cards = catalog::related(db, view(now), &lamp, limit).await.unwrap();
        cards.into_iter().map(|card| card.id.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(related(5).await, ["last", "bulb"]);
    shop.import(&lamp(r#", "related": ["bulb"]"#)).await;
    assert_eq!(related(5).await, ["bulb", "last"]);
    assert_eq!(related(1).await, ["bulb"]);
    // An archived one is not shown.
    let bulb = r#"{"products": [{"_id": "bulb", "category": "light", "name": "Bulb", "sku": "B1",
        "img": ["/b.svg"], "realPrice": 2.25, "status": "archived"}]}"#;
    shop.import(bulb).await;
    assert_eq!(related(5).await, ["last"]);
}

async fn invalid_lifecycles_are_refused(shop: Shop) {
    for (more, why) in [
        (r#", "status": "gone""#, "unknown variant `gone`, expected one of `draft`, `active`"),
        (r#", "publishAt": "soon""#, "\"soon\" is not a timestamp"),
        (r#", "related": ["nothing"]"#, "related: there is no product nothing"),
        (r#", "related": ["lamp"]"#, "related: contains the product itself"),
        (r#", "related": ["bulb", "bulb"]"#, "related: contains \"bulb\" twice"),
        (r#", "related": ["a b"]"#, "an id is 1 to 64"),
    ] {
        let text = lamp(more);
        let refused = match Import::parse(&text, ImportFormat::Json, Currency::USD) {
            Ok(rows) => {
                let (db, clock) = (&shop.given.db, &shop.given.clock);
                catalog::import(db, clock, &shop.given.random, &rows).await.unwrap_err()
            }
            Err(refused) => refused,
        };
        assert!(refused.to_string().contains(why), "{more}: {refused}");
    }
    assert!(shop.is_listed().await);
}
