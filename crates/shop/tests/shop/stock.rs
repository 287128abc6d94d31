//! Stock imports while the shop sells.

use std::time::Duration;

use platform::{Currency, Timestamp};
use shop::catalog::{self, Import, ImportFormat, ImportSummary, StockTarget};
use shop::orders::Step;
use test_support::on_both;
use tokio::task::JoinSet;

use crate::test_shop::{GOODS, ME, ONE_LAMP, Shop, one_lamp, order, routes};

on_both!(Shop:
    repeated_imports_never_undo_sales,
    concurrent_counts_and_orders_agree,
    every_change_is_in_the_journal,
    concurrent_adjustments_and_orders_agree,
);

const HOUR: Duration = Duration::from_secs(3600);

async fn import(shop: &Shop, text: &str, at: Option<Timestamp>) -> platform::Result<ImportSummary> {
    let format = if text.starts_with('{') { ImportFormat::Json } else { ImportFormat::Csv };
    let mut rows = Import::parse(text, format, Currency::USD)?;
    rows.stock_at = at;
    catalog::import(&shop.given.db, &shop.given.clock, &shop.given.random, &rows).await
}

fn lamp(stock: &str) -> String {
    format!(
        r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
             "img": ["/l.svg", "/m.svg"], "realPrice": 30{stock}}}]}}"#
    )
}

async fn repeated_imports_never_undo_sales(shop: Shop) {
    let clock = shop.given.clock.clone();
    let opened = clock.now();
    clock.advance(HOUR);
    let first = shop.place(ME, one_lamp(), ONE_LAMP).await;
    assert_eq!(shop.stock("lamp").await, (49, 1));

    // The same file again, and without a count.
    let summary = import(&shop, GOODS, None).await.unwrap();
    assert_eq!((summary.stock_ignored, summary.products.unchanged), (1, 3), "{summary}");
    assert!(summary.to_string().contains("stock: of 1 product unchanged"), "{summary}");
    assert!(summary.to_string().contains("--stock-at"), "{summary}");
    assert_eq!(import(&shop, &lamp(""), None).await.unwrap().stock_ignored, 0);
    assert_eq!(shop.stock("lamp").await, (49, 1));
    // With the time of the count, later sales are subtracted.
    assert_eq!(import(&shop, GOODS, Some(opened)).await.unwrap().products.updated, 0);
    assert_eq!(shop.stock("lamp").await, (49, 1));

    // A count after the sale; then another sale, and the first one is cancelled.
    clock.advance(HOUR);
    let counted = clock.now();
    clock.advance(HOUR);
    shop.place(ME, one_lamp(), ONE_LAMP).await;
    let dated = lamp(&format!(r#", "qtn": 30, "unitsSold": 100, "stockAt": "{counted}""#));
    import(&shop, &dated, Some(opened)).await.unwrap();
    assert_eq!(shop.stock("lamp").await, (29, 101), "the row's own moment counts");
    shop.apply(&first, Step::Cancel).await;
    assert_eq!(shop.stock("lamp").await, (30, 100));
    import(&shop, &dated, None).await.unwrap();
    assert_eq!(shop.stock("lamp").await, (30, 100));
    let summary = import(&shop, &lamp(r#", "qtn": 0"#), Some(opened)).await.unwrap();
    assert_eq!((summary.oversold, shop.stock("lamp").await.0), (1, 0), "{summary}");

    // Stock changes, in CSV.
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
        (lamp(r#", "qtn": 3"#), Some(clock.now().plus(HOUR)), "is in the future"),
        (lamp("").replace("lamp", "new").replace("L1", "N1"), None, "qtn: is missing"),
    ] {
        let summary = import(&shop, &text, at).await.unwrap_err().to_string();
        assert!(summary.contains(why), "{summary}");
    }
    assert_eq!(shop.stock("lamp").await.0, 10);
}

async fn concurrent_counts_and_orders_agree(shop: Shop) {
    let counted = shop.given.clock.now();
    shop.given.clock.advance(HOUR);
    let mut work = JoinSet::new();
    for buyer in 0..6 {
        let token = shop.token(&format!("buyer{buyer}@haat.example"));
        let context = shop.context.clone();
        work.spawn(async move {
            let request = axum::http::Request::post("/api/orders")
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {token}"))
                .extension(platform::http::ClientIp([10, 0, 0, 1].into()))
                .body(axum::body::Body::from(order(one_lamp(), ONE_LAMP).to_string()))
                .unwrap();
            let answer = tower::ServiceExt::oneshot(routes(&context), request).await.unwrap();
            assert_eq!(answer.status(), 201);
        });
        let (db, clock) = (shop.given.db.clone(), shop.given.clock.clone());
        let random = shop.given.random.clone();
        work.spawn(async move {
            let mut rows =
                Import::parse(&lamp(r#", "qtn": 20"#), ImportFormat::Json, Currency::USD).unwrap();
            rows.stock_at = Some(counted);
            catalog::import(&db, &clock, &random, &rows).await.unwrap();
        });
    }
    while let Some(done) = work.join_next().await {
        done.unwrap();
    }
    let (left, _) = shop.stock("lamp").await;
    // Whichever came last, the stock is the count less the six sales.
    assert_eq!(left, 14);
}

/// Changes the lamp's stock by hand.
async fn change(shop: &Shop, target: StockTarget) -> platform::Result<Option<(i64, i64)>> {
    let journal = (&shop.given.clock, &shop.given.random);
    let lamp = "lamp".parse().unwrap();
    catalog::change_stock(&shop.given.db, journal, &lamp, target, "Counted", "Mina").await
}

async fn every_change_is_in_the_journal(shop: Shop) {
    let clock = shop.given.clock.clone();
    let mut expected = vec![("received", 50, 50, None)];
    let later = || clock.advance(HOUR);

    later();
    let first = shop.place(ME, one_lamp(), ONE_LAMP).await;
    expected.push(("sold", -1, 49, Some(first.clone())));
    later();
    shop.apply(&first, Step::Cancel).await;
    expected.push(("returned", 1, 50, Some(first)));
    later();
    import(&shop, &lamp(r#", "stockChange": 5"#), None).await.unwrap();
    expected.push(("received", 5, 55, None));
    later();
    import(&shop, &lamp(r#", "stockChange": -2"#), None).await.unwrap();
    expected.push(("corrected", -2, 53, None));
    later();
    import(&shop, &lamp(r#", "qtn": 60"#), Some(clock.now())).await.unwrap();
    expected.push(("corrected", 7, 60, None));
    for (target, kind, by) in [
        (StockTarget::Adjust(12), "received", 12),
        (StockTarget::Adjust(-30), "corrected", -30),
        (StockTarget::Set(9), "corrected", -33),
        (StockTarget::Set(0), "corrected", -9),
    ] {
        later();
        let before = expected.last().unwrap().2;
        assert_eq!(change(&shop, target).await.unwrap(), Some((before, before + by)));
        expected.push((kind, by, before + by, None));
    }
    // What changes nothing, or is refused, is no entry.
    assert_eq!(change(&shop, StockTarget::Set(0)).await.unwrap(), Some((0, 0)));
    import(&shop, &lamp(r#", "qtn": 3"#), None).await.unwrap();
    for target in [
        StockTarget::Adjust(-1),
        StockTarget::Set(-1),
        StockTarget::Set(1_000_000_001),
        StockTarget::Adjust(i64::MAX),
        StockTarget::Adjust(i64::MIN),
    ] {
        let why = change(&shop, target).await.unwrap_err().to_string();
        assert!(why.contains("there are 0"), "{why}");
    }
    let refused = shop.post("/api/orders", ME, &order(one_lamp(), ONE_LAMP)).await;
    assert_eq!(refused.status, 409);

    let history = shop.stock_history("lamp").await;
    let found: Vec<_> = history
        .iter()
        .rev()
        .map(|entry| (entry.kind.as_str(), entry.change, entry.stock, entry.number.clone()))
        .collect();
    assert_eq!(found, expected);
    let newest = &history[0];
    assert_eq!((newest.reason.as_str(), newest.actor.as_str()), ("Counted", "Mina"));
    assert_eq!((history[4].actor.as_str(), history[9].actor.as_str()), ("import", "import"));
    assert_eq!(shop.stock("lamp").await.0, 0);

    // A program of an earlier version sells without entries: a count corrects the journal.
    let db = &shop.given.db;
    db.query("update variants set qtn = 7 where id = 'lamp'").execute().await.unwrap();
    assert_eq!(catalog::unexplained_stock(db).await.unwrap(), 1);
    assert_eq!(change(&shop, StockTarget::Set(7)).await.unwrap(), Some((7, 7)));
    assert_eq!(catalog::unexplained_stock(db).await.unwrap(), 0);
    assert_eq!(shop.stock("lamp").await.0, 7);

    let journal = (&clock, &shop.given.random);
    let unknown = "nothing".parse().unwrap();
    let target = StockTarget::Set(1);
    let changed = catalog::change_stock(&shop.given.db, journal, &unknown, target, "", "").await;
    assert_eq!(changed.unwrap(), None);
}

async fn concurrent_adjustments_and_orders_agree(shop: Shop) {
    let both = async |buyer: u8| {
        let email = format!("buyer{buyer}@haat.example");
        let sold = shop.place(&email, one_lamp(), ONE_LAMP);
        let (_, changed) = tokio::join!(sold, change(&shop, StockTarget::Adjust(3)));
        changed.unwrap();
    };
    tokio::join!(both(0), both(1), both(2), both(3), both(4), both(5));
    assert_eq!(shop.stock("lamp").await, (50 + 6 * 3 - 6, 6));
}
