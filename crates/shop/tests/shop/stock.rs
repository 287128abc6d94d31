//! What an import does to stock while the shop sells.

use std::time::Duration;

use base::Timestamp;
use shop::catalog::{self, Format, Import, Summary};
use shop::orders::Step;
use test_support::on_both;
use tokio::task::JoinSet;

use crate::stand::{GOODS, ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop:
    importing_again_never_undoes_sales,
    a_count_and_orders_at_the_same_time_agree,
);

const HOUR: Duration = Duration::from_secs(3600);

async fn import(shop: &Shop, text: &str, at: Option<Timestamp>) -> base::Result<Summary> {
    let format = if text.starts_with('{') { Format::Json } else { Format::Csv };
    let mut rows = Import::parse(text, format)?;
    rows.stock_at = at;
    catalog::import(&shop.given.db, &shop.given.clock, &rows).await
}

fn lamp(stock: &str) -> String {
    format!(
        r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
             "img": ["/l.svg", "/m.svg"], "realPrice": 30{stock}}}]}}"#
    )
}

async fn importing_again_never_undoes_sales(shop: Shop) {
    let clock = shop.given.clock.clone();
    let opened = clock.now();
    clock.advance(HOUR);
    let first = shop.place(ME, one_lamp(), ONE_LAMP).await;
    assert_eq!(shop.stock("lamp").await, (49, 1));

    // The same file again, and without a count.
    let said = import(&shop, GOODS, None).await.unwrap();
    assert_eq!((said.stock_kept, said.products.unchanged), (1, 3), "{said}");
    assert!(said.to_string().contains("stock: of 1 product left as it is"), "{said}");
    assert!(said.to_string().contains("--stock-at"), "{said}");
    assert_eq!(import(&shop, &lamp(""), None).await.unwrap().stock_kept, 0);
    assert_eq!(shop.stock("lamp").await, (49, 1));
    // With the moment of its count: what was sold since is taken off.
    assert_eq!(import(&shop, GOODS, Some(opened)).await.unwrap().products.updated, 0);
    assert_eq!(shop.stock("lamp").await, (49, 1));

    // A count after the sale; then another sale, and the first one is called off.
    clock.advance(HOUR);
    let counted = clock.now();
    clock.advance(HOUR);
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    let dated = lamp(&format!(r#", "qtn": 30, "unitsSold": 100, "stockAt": "{counted}""#));
    import(&shop, &dated, Some(opened)).await.unwrap();
    assert_eq!(shop.stock("lamp").await, (29, 101), "the row's own moment counts");
    shop.take(&first, Step::Cancel).await;
    assert_eq!(shop.stock("lamp").await, (30, 100));
    import(&shop, &dated, None).await.unwrap();
    assert_eq!(shop.stock("lamp").await, (30, 100));
    let said = import(&shop, &lamp(r#", "qtn": 0"#), Some(opened)).await.unwrap();
    assert_eq!((said.oversold, shop.stock("lamp").await.0), (1, 0), "{said}");

    // What came in and what was lost, in CSV.
    let change = |by: &str| {
        format!(
            "_id;category;name;sku;img;realPrice;stockChange\nlamp;light;Lamp;L1;/l.svg;30,00;{by}\n"
        )
    };
    import(&shop, &change("+12"), None).await.unwrap();
    import(&shop, &change("-2"), None).await.unwrap();
    assert_eq!(shop.stock("lamp").await.0, 10);
    for (text, at, why) in [
        (change("-11"), None, "line 2, column 7: stockChange: -11 is too much: there are 10"),
        (lamp(r#", "qtn": 3"#), Some(clock.now().plus(HOUR)), "lies ahead"),
        (lamp("").replace("lamp", "new").replace("L1", "N1"), None, "qtn: is missing"),
    ] {
        let said = import(&shop, &text, at).await.unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(shop.stock("lamp").await.0, 10);
}

async fn a_count_and_orders_at_the_same_time_agree(shop: Shop) {
    let counted = shop.given.clock.now();
    shop.given.clock.advance(HOUR);
    let mut work = JoinSet::new();
    for buyer in 0..6 {
        let token = shop.token(&format!("buyer{buyer}@haat.example"));
        let orders = shop.orders.clone();
        work.spawn(async move {
            let request = axum::http::Request::post("/api/orders")
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {token}"))
                .extension(base::http::Peer([10, 0, 0, 1].into()))
                .body(axum::body::Body::from(order(one_lamp(), ONE_LAMP).to_string()))
                .unwrap();
            let answer = tower::ServiceExt::oneshot(routes(&orders), request).await.unwrap();
            assert_eq!(answer.status(), 201);
        });
        let (db, clock) = (shop.given.db.clone(), shop.given.clock.clone());
        work.spawn(async move {
            let mut rows = Import::parse(&lamp(r#", "qtn": 20"#), Format::Json).unwrap();
            rows.stock_at = Some(counted);
            catalog::import(&db, &clock, &rows).await.unwrap();
        });
    }
    while let Some(done) = work.join_next().await {
        done.unwrap();
    }
    let (left, _) = shop.stock("lamp").await;
    // Whichever came last, a count at that moment says so many now.
    assert_eq!(left, 14);
}
