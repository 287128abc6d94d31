//! No overselling: many concurrent buyers with overlapping carts, until nothing is left.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use axum::http::StatusCode;
use platform::Random;
use serde_json::{Value, json};
use test_support::on_both;

use super::test_shop::Shop;

on_both!(Shop:
    concurrent_orders_never_oversell,
    the_last_ones_of_a_variant_are_sold_once,
    imports_and_orders_run_concurrently,
);

const PRODUCTS: usize = 20;
const UNITS: i64 = 25;
const BUYERS: usize = 64;
const ATTEMPTS: usize = 10;

fn price(product: usize) -> i64 {
    100 + 37 * product as i64
}

fn goods() -> String {
    let products: Vec<Value> = (0..PRODUCTS)
        .map(|n| {
            json!({ "_id": format!("goods-{n}"), "category": "range", "name": format!("Goods {n}"),
                    "sku": format!("G{n}"), "img": ["/g.svg"], "qtn": UNITS,
                    "realPrice": price(n) as f64 / 100.0 })
        })
        .collect();
    json!({ "categories": [{ "_id": "range", "name": "Range", "img": "/r.svg" }],
            "products": products })
    .to_string()
}

fn order(cart: &HashMap<usize, i64>) -> Value {
    let cents: i64 = cart.iter().map(|(product, qtn)| price(*product) * qtn).sum();
    let lines: Vec<Value> = cart
        .iter()
        .map(|(product, qtn)| json!({ "_id": format!("goods-{product}"), "qtn": qtn }))
        .collect();
    json!({ "name": "Buyer", "phone": "12345", "address": "Dhaka", "lines": lines,
            "total": (16_000 + cents) as f64 / 100.0 })
}

fn random_cart(rng: &Random) -> HashMap<usize, i64> {
    let [lines, rest @ ..] = rng.bytes::<9>();
    rest.chunks(2)
        .take(1 + usize::from(lines % 4))
        .map(|pair| (usize::from(pair[0]) % PRODUCTS, 1 + i64::from(pair[1] % 3)))
        .collect()
}

/// What is still available, according to a refusal.
fn available(quote: &Value) -> HashMap<usize, i64> {
    let lines = quote["lines"].as_array().unwrap().iter();
    lines
        .map(|line| {
            let product = line["_id"].as_str().unwrap().strip_prefix("goods-").unwrap();
            (product.parse().unwrap(), line["qtn"].as_i64().unwrap())
        })
        .filter(|(_, qtn)| *qtn > 0)
        .collect()
}

async fn concurrent_orders_never_oversell(shop: Shop) {
    shop.import(&goods()).await;
    let shop = Arc::new(shop);
    let sold = Arc::new(AtomicI64::new(0));
    let refused = Arc::new(AtomicI64::new(0));
    let buyers: Vec<_> = (0..BUYERS)
        .map(|buyer| {
            let (shop, sold, refused) = (shop.clone(), sold.clone(), refused.clone());
            tokio::spawn(async move {
                let rng = Random::seeded(buyer as u64);
                let email = format!("buyer-{buyer}@haat.example");
                for attempt in 0..ATTEMPTS {
                    let mut cart = random_cart(&rng);
                    for try_ in 0.. {
                        let key = format!("{attempt}-{try_}");
                        let answer =
                            shop.post_with_key("/api/orders", &email, &key, &order(&cart)).await;
                        if answer.status == StatusCode::CREATED {
                            sold.fetch_add(cart.values().sum(), Ordering::Relaxed);
                            break;
                        }
                        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
                        assert_eq!(answer.body["error"]["code"], "stock", "{}", answer.body);
                        refused.fetch_add(1, Ordering::Relaxed);
                        cart = available(&answer.body["quote"]);
                        if cart.is_empty() {
                            break;
                        }
                    }
                }
            })
        })
        .collect();
    for buyer in buyers {
        buyer.await.unwrap();
    }
    let (sold, refused) = (sold.load(Ordering::Relaxed), refused.load(Ordering::Relaxed));
    let (mut left, mut counted) = (0, 0);
    for product in 0..PRODUCTS {
        let (qtn, units_sold) = shop.stock(&format!("goods-{product}")).await;
        assert!(qtn >= 0 && qtn + units_sold == UNITS, "goods-{product}: {qtn} and {units_sold}");
        (left, counted) = (left + qtn, counted + units_sold);
    }
    assert_eq!((left, counted, sold), (0, 500, 500), "{refused} refused");
    assert!(refused > 0);
    let db = &shop.given.db;
    let (lines,): (i64,) =
        db.query("select cast(sum(quantity) as bigint) from order_lines").one().await.unwrap();
    assert_eq!(lines, 500);
    let query = "select count(*) from orders o where
        (select count(*) from payments p where p.order_id = o.id and p.amount = o.total - o.gift_cards - o.credit) <> 1
        or (select count(*) from order_events e where e.order_id = o.id) <> 1
        or (select sum(price * quantity) from order_lines l where l.order_id = o.id) <> o.sub_total";
    let (wrong,): (i64,) = db.query(query).one().await.unwrap();
    assert_eq!(wrong, 0);
}

fn bowl(variant: usize) -> String {
    if variant == 0 { "bowl".to_owned() } else { format!("bowl-{variant}") }
}

/// Many buyers want the last ones of the variants of one product. `make test-all` has 10,000 attempts.
async fn the_last_ones_of_a_variant_are_sold_once(shop: Shop) {
    const VARIANTS: usize = 50;
    const LEFT: i64 = 3;
    let attempts = if std::env::var_os("HAAT_TEST_ALL").is_some() { 10_000 } else { 600 };
    let variants: Vec<Value> = (0..=VARIANTS)
        .map(|n| {
            // Of the first one there is plenty.
            let qtn = if n == 0 { 1_000_000 } else { LEFT };
            json!({ "_id": bowl(n), "options": { "Glaze": format!("Glaze {n}") }, "qtn": qtn })
        })
        .collect();
    let values: Vec<String> = (0..=VARIANTS).map(|n| format!("Glaze {n}")).collect();
    let goods = json!({ "categories": [{ "_id": "range", "name": "Range", "img": "/r.svg" }],
        "products": [{ "_id": "bowl", "category": "range", "name": "Bowl", "sku": "B", "img": ["/g.svg"],
            "realPrice": 10, "options": [{ "name": "Glaze", "values": values }], "variants": variants }] });
    shop.import(&goods.to_string()).await;
    let shop = Arc::new(shop);
    let sold: Arc<Vec<AtomicI64>> = Arc::new((0..=VARIANTS).map(|_| AtomicI64::new(0)).collect());
    let next = Arc::new(AtomicUsize::new(0));
    let buyers: Vec<_> = (0..BUYERS)
        .map(|buyer| {
            let (shop, sold, next) = (shop.clone(), sold.clone(), next.clone());
            tokio::spawn(async move {
                let email = format!("buyer-{buyer}@haat.example");
                loop {
                    let attempt = next.fetch_add(1, Ordering::Relaxed);
                    if attempt >= attempts {
                        break;
                    }
                    // Of the first one there is plenty.
                    let variant = attempt % (VARIANTS + 1);
                    let body = json!({ "name": "Buyer", "phone": "12345", "address": "Dhaka", "total": 170,
                        "lines": [{ "_id": bowl(variant), "qtn": 1 }] });
                    let answer = shop.post("/api/orders", &email, &body).await;
                    match answer.status {
                        StatusCode::CREATED => sold[variant].fetch_add(1, Ordering::Relaxed),
                        // Those of another variant are never in the way.
                        StatusCode::CONFLICT if variant > 0 => {
                            assert_eq!(answer.body["error"]["code"], "stock", "{}", answer.body);
                            0
                        }
                        status => panic!("{variant}: {status} {}", answer.body),
                    };
                }
            })
        })
        .collect();
    for buyer in buyers {
        buyer.await.unwrap();
    }
    for (variant, sold) in sold.iter().enumerate() {
        let sold = sold.load(Ordering::Relaxed);
        let (qtn, units_sold) = shop.stock(&bowl(variant)).await;
        let before = if variant == 0 { 1_000_000 } else { LEFT };
        assert_eq!((qtn, units_sold), (before - sold, sold), "bowl-{variant}");
        assert!(variant == 0 || sold == LEFT, "bowl-{variant}: {sold}");
    }
}

async fn imports_and_orders_run_concurrently(shop: Shop) {
    shop.import(&goods()).await;
    let shop = Arc::new(shop);
    let buyers: Vec<_> = (0..16)
        .map(|buyer| {
            let shop = shop.clone();
            tokio::spawn(async move {
                let rng = Random::seeded(buyer as u64);
                for _ in 0..8 {
                    let cart = random_cart(&rng);
                    let answer = shop.post("/api/orders", "b@haat.example", &order(&cart)).await;
                    let fine = matches!(answer.status, StatusCode::CREATED | StatusCode::CONFLICT);
                    assert!(fine, "{} {}", answer.status, answer.body);
                }
            })
        })
        .collect();
    for round in 0..6 {
        // Low stock, so that every order bumps cache tags; rows in another order than the orders'
        // lines.
        let text = goods().replace("Goods ", &format!("Round {round} goods "));
        shop.import(&text.replace("\"qtn\":25", "\"qtn\":9")).await;
    }
    for buyer in buyers {
        buyer.await.unwrap();
    }
}
