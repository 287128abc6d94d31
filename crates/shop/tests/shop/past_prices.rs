//! The lowest price of the last days before a reduction: in products, variants, lists and the cart's variants, across imports
//! and offers that start and end by the clock.

use std::time::Duration;

use platform::{Currency, Timestamp};
use response_cache::Cache;
use serde_json::{Value, json};
use shop::catalog::{self, CatalogView, Import, ImportFormat};
use shop::{retention, settings::Retention};
use test_support::on_both;

use super::test_shop::{ME, Shop, routes, view};

on_both!(Shop:
    a_reduction_is_compared_with_the_lowest_price_before_it,
    the_list_price_is_shown_where_the_shop_does_not_say_otherwise,
    an_import_that_changes_no_price_adds_no_past_price,
    each_currency_has_its_own_lowest_price,
    past_prices_are_deleted_when_they_cannot_matter_any_more,
);

const DAY: Duration = Duration::from_secs(24 * 3600);

fn in_europe(mut shop: Shop) -> Shop {
    shop.context.context.lowest_price_days = 30;
    shop.routes = routes(&shop.context);
    shop
}

impl Shop {
    /// The price of a vase from now on, with the fields of an offer.
    async fn price_vase(&self, real: f64, offer: Value) {
        let mut vase = json!({ "_id": "vase", "category": "light", "name": "Vase", "sku": "V",
            "img": ["/v.svg"], "qtn": 5, "realPrice": real, "offerPrice": null, "saleStart": null, "saleEnd": null });
        for (field, value) in offer.as_object().unwrap() {
            vase[field] = value.clone();
        }
        self.import(&json!({ "products": [vase] }).to_string()).await;
        self.revisions.poll(&self.given.db).await.unwrap();
    }

    /// What is struck through and what is charged: the same in every answer.
    async fn shown(&mut self) -> (f64, f64) {
        // A cache would serve what was right a moment ago.
        self.context.cache = Cache::new(1 << 20, self.revisions.clone(), self.given.clock.clone());
        self.routes = routes(&self.context);
        let price =
            |of: &Value| (of["realPrice"].as_f64().unwrap(), of["buyPrice"].as_f64().unwrap());
        let product = self.get("/api/products/vase", ME).await.body;
        let line = self.get("/api/variants?ids=vase", ME).await.body;
        let listed = self.get("/api/category/light", ME).await.body["products"].clone();
        let listed = listed.as_array().unwrap().iter().find(|one| one["_id"] == "vase").unwrap();
        let view = CatalogView {
            lowest_price_days: self.context.context.lowest_price_days,
            ..view(self.given.clock.now())
        };
        let cards =
            catalog::cards_by_id(&self.given.db, view, &["vase".parse().unwrap()]).await.unwrap();
        let card = serde_json::to_value(&cards[0]).unwrap();
        let variants = self.get("/api/products/vase/variants", ME).await.body;
        for other in [&line[0], listed, &card, &variants[0], &product["variants"][0]] {
            assert_eq!(price(other), price(&product), "{other}");
        }
        price(&product)
    }

    async fn after_days(&mut self, days: u32) -> (f64, f64) {
        self.given.clock.advance(DAY * days);
        self.shown().await
    }

    fn in_days(&self, days: u32) -> Timestamp {
        self.given.clock.now().plus(DAY * days)
    }
}

async fn a_reduction_is_compared_with_the_lowest_price_before_it(shop: Shop) {
    let mut shop = in_europe(shop);
    shop.price_vase(80.0, json!({})).await;
    assert_eq!(shop.shown().await, (80.0, 80.0));
    // Raised, and reduced twenty days later by an offer that begins by the clock.
    shop.given.clock.advance(DAY * 100);
    let (start, end) = (shop.in_days(20), shop.in_days(30));
    shop.price_vase(100.0, json!({ "offerPrice": 70, "saleStart": start, "saleEnd": end })).await;
    assert_eq!(shop.after_days(19).await, (100.0, 100.0));
    assert_eq!(shop.after_days(1).await, (80.0, 70.0));
    // As long as it runs, also where it is extended.
    let end = shop.in_days(60);
    shop.price_vase(100.0, json!({ "offerPrice": 70, "saleStart": start, "saleEnd": end })).await;
    assert_eq!(shop.after_days(40).await, (80.0, 70.0));
    assert_eq!(shop.after_days(21).await, (100.0, 100.0));
    // So soon after it, the same offer is no reduction, and a lower one is.
    shop.price_vase(100.0, json!({ "offerPrice": 70 })).await;
    assert_eq!(shop.shown().await, (70.0, 70.0));
    shop.given.clock.advance(DAY);
    shop.price_vase(100.0, json!({ "offerPrice": 60 })).await;
    assert_eq!(shop.shown().await, (70.0, 60.0));
}

async fn the_list_price_is_shown_where_the_shop_does_not_say_otherwise(mut shop: Shop) {
    shop.price_vase(80.0, json!({})).await;
    shop.given.clock.advance(DAY);
    shop.price_vase(100.0, json!({ "offerPrice": 90 })).await;
    assert_eq!(shop.shown().await, (100.0, 90.0));
    // What a new product cost before is not known.
    let shop = in_europe(shop);
    shop.import(
        r#"{"products": [{"_id": "vat", "category": "light", "name": "Vat", "sku": "VT",
        "img": ["/v.svg"], "qtn": 5, "realPrice": 100, "offerPrice": 70}]}"#,
    )
    .await;
    let vat = shop.get("/api/products/vat", ME).await.body;
    assert_eq!((&vat["realPrice"], &vat["buyPrice"]), (&json!(70), &json!(70)));
}

async fn an_import_that_changes_no_price_adds_no_past_price(shop: Shop) {
    shop.price_vase(80.0, json!({})).await;
    let before = shop.count("past_prices").await;
    let sql = "select count(*) from variants where not exists
                 (select 1 from past_prices where past_prices.variant = variants.id)";
    let (missing,): (i64,) = shop.given.db.query(sql).one().await.unwrap();
    assert_eq!(missing, 0, "every variant has its price");
    shop.given.clock.advance(DAY);
    let vase = |name: &str| {
        format!(
            r#"{{"products": [{{"_id": "vase", "category": "light", "name": "{name}", "sku": "V",
            "img": ["/v.svg"], "realPrice": 80}}]}}"#
        )
    };
    let rows = Import::parse(&vase("Vase"), ImportFormat::Json, Currency::USD).unwrap();
    let (db, clock, random) = (&shop.given.db, &shop.given.clock, &shop.given.random);
    assert_eq!(catalog::import(db, clock, random, &rows).await.unwrap().products.unchanged, 1);
    shop.import(&vase("Tall vase")).await;
    assert_eq!(shop.count("past_prices").await, before);
    shop.price_vase(80.0, json!({ "saleStart": shop.in_days(1), "offerPrice": 70 })).await;
    assert_eq!(shop.count("past_prices").await, before + 1);
}

async fn each_currency_has_its_own_lowest_price(shop: Shop) {
    let mut shop = in_europe(shop);
    shop.price_vase(80.0, json!({ "realPrice:EUR": 60 })).await;
    shop.given.clock.advance(DAY);
    shop.price_vase(100.0, json!({ "realPrice:EUR": 90 })).await;
    shop.given.clock.advance(DAY);
    let offer = json!({ "offerPrice": 70, "realPrice:EUR": 90, "offerPrice:EUR": 75 });
    shop.price_vase(100.0, offer).await;
    assert_eq!(shop.shown().await, (80.0, 70.0));
    let euros = shop.get("/api/products/vase?currency=EUR", ME).await.body;
    // 75 is not below the 60 of two days before.
    assert_eq!((&euros["realPrice"], &euros["buyPrice"]), (&json!(75), &json!(75)));
    let taka = shop.get("/api/products/vase?currency=BDT", ME).await.body;
    assert_eq!((&taka["realPrice"], &taka["buyPrice"]), (&json!(9640), &json!(8435)));
}

async fn past_prices_are_deleted_when_they_cannot_matter_any_more(shop: Shop) {
    let mut shop = in_europe(shop);
    let (db, clock) = (shop.given.db.clone(), shop.given.clock.clone());
    let vases = async || {
        let sql = "select count(*) from past_prices where variant = 'vase'";
        db.query(sql).one::<(i64,)>().await.unwrap().0
    };
    let delete = async || {
        retention::delete_expired(&db, &clock, &Retention::default()).await.unwrap();
    };
    shop.price_vase(80.0, json!({})).await;
    shop.given.clock.advance(DAY * 400);
    shop.price_vase(100.0, json!({ "offerPrice": 70 })).await;
    shop.given.clock.advance(DAY * 364);
    delete().await;
    assert_eq!((shop.shown().await, vases().await), ((80.0, 70.0), 2));
    shop.given.clock.advance(DAY * 400);
    delete().await;
    assert_eq!(vases().await, 1, "the present price stays");
    assert_eq!(shop.get("/api/variants?ids=vase", ME).await.body[0]["realPrice"], 70);
}
