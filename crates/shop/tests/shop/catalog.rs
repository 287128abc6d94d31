use std::time::Duration;

use axum::body::Bytes;
use media::{BuiltIn, PictureIndex};
use platform::jobs::{self, Worker};
use platform::revisions::Revisions;
use platform::{Currency, Timestamp};
use shop::catalog::{self, Import, ImportFormat, ImportSummary, ProductId};
use shop::demo;
use shop::reviews::{self, ReviewPageQuery};
use test_support::TestDb;
use test_support::on_both;

use super::test_shop::view;

on_both!(TestDb:
    an_import_adds_updates_and_skips_unchanged_rows,
    fields_missing_from_the_file_stay_unchanged,
    concurrent_imports_do_not_deadlock,
    a_refused_import_changes_nothing,
    cache_tags_of_changed_products_are_bumped,
    prices_change_when_a_sale_starts_and_ends,
    categories_count_their_products,
    the_demo_is_seeded_once_and_its_sale_is_extended,
);

pub const DEMO: demo::DemoFiles = demo::DemoFiles {
    catalog: include_str!("../../../../demo/catalog.json"),
    reviews: include_str!("../../../../demo/reviews.txt"),
    promotions: include_str!("../../../../demo/promotions.json"),
};

/// Placeholder files under the names in the demo's index.
pub fn demo_pictures() -> BuiltIn {
    let index = include_bytes!("../../../../demo/pictures/index.json");
    let names: PictureIndex = serde_json::from_slice(index).unwrap();
    BuiltIn::new(index, names.into_keys().map(|name| (name, Bytes::from_static(b"a master"))))
        .unwrap()
}

fn goods(lamp: &str) -> String {
    format!(
        r#"{{"categories": [{{"_id": "light", "name": "Light", "img": "/l.svg"}},
                           {{"_id": "seats", "name": "Seats", "img": "/s.svg"}}],
            "products": [
              {{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1", "img": ["/l.svg"],
                "realPrice": 30, "qtn": 3{lamp}}},
              {{"_id": "chair", "category": "seats", "name": "Chair", "sku": "C1", "img": ["/c.svg"],
                "realPrice": 90.5, "offerPrice": 20, "qtn": 0, "unitsSold": 9}},
              {{"_id": "stool", "category": "seats", "name": "Stool", "sku": "S1", "img": ["/c.svg"],
                "realPrice": 40, "qtn": 5, "unitsSold": 2}}]}}"#
    )
}

async fn import(given: &TestDb, text: &str) -> platform::Result<ImportSummary> {
    let rows = Import::parse(text, ImportFormat::Json, Currency::USD)?;
    catalog::import(&given.db, &given.clock, &given.random, &rows).await
}

fn id(text: &str) -> ProductId {
    text.parse().unwrap()
}

async fn product(given: &TestDb, name: &str) -> catalog::Product {
    catalog::product(&given.db, view(given.clock.now()), &id(name)).await.unwrap().unwrap()
}

fn with_stock(mut product: catalog::Product, qtn: i64) -> catalog::Product {
    product.totals.qtn = qtn;
    product
}

async fn an_import_adds_updates_and_skips_unchanged_rows(given: TestDb) {
    let summary = import(&given, &goods("")).await.unwrap().to_string();
    assert_eq!(
        summary,
        "categories: 2 added, 0 updated, 0 unchanged\nproducts: 3 added, 0 updated, 0 unchanged"
    );
    let summary = import(&given, &goods(r#", "rating": 4.5, "colours": ["Sand"]"#)).await.unwrap();
    assert_eq!((summary.products.updated, summary.products.unchanged), (1, 2));
    let lamp = product(&given, "lamp").await;
    assert_eq!(lamp.rating, 0.0, "it has no reviews");
    assert_eq!(lamp.options[0].values, ["Sand"]);
}

async fn fields_missing_from_the_file_stay_unchanged(given: TestDb) {
    let full =
        r#", "brand": "Fennholt", "offerPrice": 20, "rating": 4.5, "unitsSold": 7, "tags": ["a"]"#;
    import(&given, &goods(full)).await.unwrap();
    let before = product(&given, "lamp").await;
    let csv = "_id,category,name,sku,img,realPrice,qtn\nlamp,light,Lamp,L1,/l.svg,30,9\n";
    let mut rows = Import::parse(csv, ImportFormat::Csv, Currency::USD).unwrap();
    rows.stock_at = Some(given.clock.now());
    catalog::import(&given.db, &given.clock, &given.random, &rows).await.unwrap();
    let after = product(&given, "lamp").await;
    assert_eq!(after, with_stock(before, 9));

    import(&given, &goods(r#", "offerPrice": null, "tags": []"#)).await.unwrap();
    let cleared = product(&given, "lamp").await;
    assert_eq!(cleared.price.buy_price.minor(), 3000);
    assert_eq!((cleared.tags.len(), cleared.units_sold), (0, 7));
    // A photo given by URL alone keeps its alternative text and colour, while the colour exists.
    let words = r#"[{"src": "/l.svg", "alt": "A lamp.", "colour": "Ink"}]"#;
    let worded = goods(r#", "colours": ["Sand", "Ink"]"#).replacen(r#"["/l.svg"]"#, words, 1);
    import(&given, &worded).await.unwrap();
    let before = product(&given, "lamp").await;
    let picture = &before.pictures[0];
    assert_eq!((picture.alt.as_str(), picture.in_colour.as_deref()), ("A lamp.", Some("Ink")));
    catalog::import(&given.db, &given.clock, &given.random, &rows).await.unwrap();
    assert_eq!(product(&given, "lamp").await, with_stock(before, 9));
    import(&given, &goods(r#", "colours": ["Sand"]"#)).await.unwrap();
    let picture = &product(&given, "lamp").await.pictures[0];
    assert_eq!((picture.alt.as_str(), picture.in_colour.as_deref()), ("A lamp.", None));
    // A new list price below the stored offer price is refused.
    import(&given, &goods(full)).await.unwrap();
    let cheaper = goods("").replace("\"realPrice\": 30", "\"realPrice\": 10");
    let why = import(&given, &cheaper).await.unwrap_err().to_string();
    assert!(why.contains("offerPrice"), "{why}");
}

async fn concurrent_imports_do_not_deadlock(given: TestDb) {
    import(&given, &goods("")).await.unwrap();
    let row = |id: &str, qtn: usize| {
        format!(
            r#"{{"_id": "{id}", "category": "seats", "name": "N", "sku": "{id}", "img": ["/n.svg"], "realPrice": 100, "qtn": {qtn}}}"#
        )
    };
    let both = (0..20).map(|n| {
        let rows = if n % 2 == 0 {
            [row("chair", n), row("stool", n)]
        } else {
            [row("stool", n), row("chair", n)]
        };
        let text = format!(r#"{{"products": [{}]}}"#, rows.join(","));
        let (db, clock) = (given.db.clone(), given.clock.clone());
        let random = given.random.clone();
        tokio::spawn(async move {
            let mut rows = Import::parse(&text, ImportFormat::Json, Currency::USD).unwrap();
            rows.stock_at = Some(clock.now());
            catalog::import(&db, &clock, &random, &rows).await
        })
    });
    for one in both.collect::<Vec<_>>() {
        one.await.unwrap().unwrap();
    }
}

async fn a_refused_import_changes_nothing(given: TestDb) {
    import(&given, &goods("")).await.unwrap();
    let before = Revisions::load(&given.db).await.unwrap().latest();
    let row = |id: &str, category: &str, sku: &str| {
        format!(
            r#"{{"products": [
            {{"_id": "new", "category": "light", "name": "N", "sku": "N1", "img": ["/n.svg"], "realPrice": 1, "qtn": 1}},
            {{"_id": "{id}", "category": "{category}", "name": "N", "sku": "{sku}", "img": ["/n.svg"], "realPrice": 1, "qtn": 1}}]}}"#
        )
    };
    let why = import(&given, &row("newer", "nowhere", "N2")).await.unwrap_err().to_string();
    assert!(why.contains("line 3, column 30") && why.contains("no category nowhere"), "{why}");
    let why = import(&given, &row("newer", "light", "C1")).await.unwrap_err().to_string();
    assert!(why.contains("line 3") && why.contains("SKU of another"), "{why}");
    let found = catalog::product(&given.db, view(given.clock.now()), &id("new")).await.unwrap();
    assert_eq!(found, None);
    assert_eq!(Revisions::load(&given.db).await.unwrap().latest(), before);
}

async fn cache_tags_of_changed_products_are_bumped(given: TestDb) {
    import(&given, &goods("")).await.unwrap();
    let revisions = Revisions::load(&given.db).await.unwrap();
    let before = revisions.latest();
    import(&given, &goods(r#", "brand": "Fennholt""#)).await.unwrap();
    revisions.poll(&given.db).await.unwrap();
    let moved = |scope| revisions.changed_since(before, &[scope]);
    assert!(moved(catalog::catalog_tag()));
    assert!(moved(catalog::product_tag(&id("lamp"))));
    assert!(moved(catalog::category_tag(&"light".parse().unwrap())));
    assert!(!moved(catalog::product_tag(&id("chair"))));
    assert!(!moved(catalog::category_tag(&"seats".parse().unwrap())));
}

async fn prices_change_when_a_sale_starts_and_ends(given: TestDb) {
    let sale = r#", "offerPrice": 20, "saleStart": "2026-11-15T10:00:00Z", "saleEnd": "2026-11-15T11:00:00Z""#;
    import(&given, &goods(sale)).await.unwrap();
    let (db, clock) = (given.db.clone(), given.clock.clone());
    let worker = Worker::new(db.clone(), clock.clone(), given.random.clone())
        .register::<catalog::SaleBoundary>((db, clock));
    let revisions = Revisions::load(&given.db).await.unwrap();
    let sorted = async || {
        let (price,): (i64,) = given
            .db
            .query("select sort_price from products where id = 'lamp'")
            .one()
            .await
            .unwrap();
        price
    };

    for (hour, price) in [(0, 3000), (1, 2000), (1, 3000)] {
        given.clock.advance(Duration::from_secs(hour * 3600));
        let before = revisions.latest();
        let turned = worker.run_due().await.unwrap();
        assert_eq!(turned, hour);
        assert_eq!(product(&given, "lamp").await.price.buy_price.minor(), price);
        assert_eq!(sorted().await, price);
        revisions.poll(&given.db).await.unwrap();
        let moved = revisions.changed_since(before, &[catalog::product_tag(&id("lamp"))]);
        assert_eq!(moved, turned > 0);
    }
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (0, 0));
    // Repeated imports of a sale enqueue one job for its start and one for its end.
    for number in 0..5 {
        let later =
            sale.replace("2026-11-15", "2026-11-16") + &format!(r#", "brand": "Brand {number}""#);
        import(&given, &goods(&later)).await.unwrap();
    }
    assert_eq!(jobs::queue_depth(&given.db).await.unwrap(), (2, 0));
}

async fn categories_count_their_products(given: TestDb) {
    import(&given, &goods("")).await.unwrap();
    let categories = catalog::categories(&given.db, None).await.unwrap();
    let counts: Vec<_> = categories.iter().map(|one| (one.id.as_str(), one.products)).collect();
    assert_eq!(counts, [("light", 1), ("seats", 2)]);
}

async fn the_demo_is_seeded_once_and_its_sale_is_extended(given: TestDb) {
    let TestDb { db, clock, random, .. } = &given;
    let pictures = demo_pictures();
    let summary =
        demo::seed(db, clock, random, Currency::USD, &DEMO, &pictures).await.unwrap().unwrap();
    assert!(summary.products.added >= 60 && summary.categories.added == 8, "{summary}");
    assert_eq!(demo::seed(db, clock, random, Currency::USD, &DEMO, &pictures).await.unwrap(), None);
    let cards = catalog::newest_cards(db, view(clock.now()), 100).await.unwrap();
    assert!(cards.iter().all(|card| card.pictures.len() == 2));
    // Every rating comes from reviews.
    let mut without = 0;
    for card in &cards {
        let reviews = reviews::page(db, &card.id, ReviewPageQuery::default(), None).await.unwrap();
        assert!((card.rating - reviews.summary.rating).abs() < 1e-9, "{card:?}");
        assert!(reviews.reviews.iter().all(|review| review.created_at < clock.now()));
        without += usize::from(reviews.summary.count == 0);
    }
    assert!((1..=10).contains(&without), "{without} without a review");
    let front = &cards[0].pictures[0];
    assert!(front.width.is_some() && front.placeholder.is_some() && !front.alt.is_empty());
    let running =
        async |now: Timestamp| catalog::flash_sale(db, view(now), 50).await.unwrap().len();
    let sale = running(clock.now()).await;
    assert!(sale >= 6);
    clock.advance(Duration::from_secs(4 * 24 * 3600));
    assert_eq!(running(clock.now()).await, 0);
    demo::seed(db, clock, random, Currency::USD, &DEMO, &pictures).await.unwrap();
    assert_eq!(running(clock.now()).await, sale);
}
