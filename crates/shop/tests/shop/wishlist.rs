//! Wishlists and stock alerts through HTTP.

use std::ops::Deref;
use std::time::Duration;

use axum::extract::FromRef;
use axum::http::StatusCode;
use serde_json::{Value, json};
use shop::settings::Retention;
use shop::stock_alerts::StockAlerts;
use shop::wishlist;
use test_support::Engine;
use test_support::on_both;

use super::test_shop::{Answer, Shop};

on_both!(WishlistShop:
    a_wishlist_is_stored_on_the_server,
    a_guests_wishlist_is_merged_at_sign_in,
    a_wishlist_has_at_most_a_hundred_products,
    concurrent_wishlist_changes_succeed,
    an_invalid_wish_is_refused,
    wishlists_are_private,
    a_shared_list_is_visible_until_sharing_ends,
    a_stock_alert_is_sent_once,
    a_cancelled_order_triggers_stock_alerts,
    two_servers_send_one_email,
    invalid_stock_alerts_are_refused,
    unsubscribing_deletes_all_alerts_of_an_address,
    stock_alerts_expire_after_a_year,
    wishlist_data_is_exported_and_erased,
);

const ME: &str = "rahim@haat.example";
const OTHER: &str = "other@haat.example";

struct WishlistShop {
    shop: Shop,
    alerts: StockAlerts,
}

impl Deref for WishlistShop {
    type Target = Shop;
    fn deref(&self) -> &Shop {
        &self.shop
    }
}

impl WishlistShop {
    async fn new(engine: Engine) -> Self {
        let shop = Shop::new(engine).await;
        let alerts = StockAlerts::from_ref(&shop.context);
        Self { shop, alerts }
    }

    /// Adds a product a second after the one before.
    async fn wish(&self, product: &str) -> Answer {
        self.given.clock.advance(Duration::from_secs(1));
        self.as_customer("PUT", &format!("/api/wishlist/{product}"), ME).await
    }

    async fn wait_for(&self, product: &str, email: &str) -> Answer {
        let body = json!({ "product": product, "email": email });
        self.ask("POST", "/api/stock-alerts", &[], body.to_string()).await
    }

    async fn set_stock(&self, qtn: i64) {
        let last = json!({ "_id": "last", "category": "light", "name": "Last one", "sku": "O1",
                           "img": ["/o.svg"], "realPrice": 100, "qtn": qtn });
        self.import(&json!({ "products": [last] }).to_string()).await;
    }

    /// Recipients and subjects of the stock alerts sent so far.
    async fn alerts_sent(&self) -> Vec<(String, String)> {
        self.alerts.send_due().await.unwrap();
        let text = |email: &Value, key: &str| email[key].as_str().unwrap().to_owned();
        let mut alerts_sent: Vec<_> = self
            .emails()
            .await
            .iter()
            .map(|email| (text(email, "to"), text(email, "subject")))
            .filter(|(_, subject)| subject.ends_with("is back in stock"))
            .collect();
        alerts_sent.sort_unstable();
        alerts_sent
    }
}

fn wished(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body["products"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect()
}

fn many(ids: std::ops::Range<usize>) -> Vec<String> {
    ids.map(|place| format!("p{place}")).collect()
}

/// Products with the ids p0, p1, …
fn goods(count: usize) -> String {
    let product = |id: &String| {
        json!({ "_id": id, "category": "light", "name": id, "sku": id, "img": ["/l.svg"],
                "realPrice": 1, "qtn": 1 })
    };
    json!({ "products": many(0..count).iter().map(product).collect::<Vec<_>>() }).to_string()
}

async fn a_wishlist_is_stored_on_the_server(shop: WishlistShop) {
    let none = shop.get("/api/wishlist", ME).await;
    assert_eq!((wished(&none), &none.body["share"]), (vec![], &Value::Null));
    shop.wish("lamp").await;
    shop.wish("bulb").await;
    // Adding it twice keeps its place.
    assert_eq!(wished(&shop.wish("lamp").await), ["bulb", "lamp"]);
    assert_eq!(wished(&shop.get("/api/wishlist", ME).await), ["bulb", "lamp"]);
    for _ in 0..2 {
        let fewer = shop.as_customer("DELETE", "/api/wishlist/bulb", ME).await;
        assert_eq!(wished(&fewer), ["lamp"]);
    }
}

async fn a_guests_wishlist_is_merged_at_sign_in(shop: WishlistShop) {
    shop.wish("lamp").await;
    shop.given.clock.advance(Duration::from_secs(1));
    let guest = json!({ "products": ["last", "lamp", "gone", "bulb"] });
    for _ in 0..2 {
        let joined = shop.post("/api/wishlist", ME, &guest).await;
        assert_eq!(wished(&joined), ["last", "bulb", "lamp"]);
    }
}

async fn a_wishlist_has_at_most_a_hundred_products(shop: WishlistShop) {
    shop.import(&goods(102)).await;
    shop.post("/api/wishlist", ME, &json!({ "products": many(0..99) })).await;
    shop.wish("p99").await;
    let full = shop.wish("p100").await;
    assert_eq!(full.status, StatusCode::CONFLICT);
    assert_eq!(full.body["error"]["code"], "wishlist_full");
    assert_eq!(wished(&shop.wish("p0").await).len(), 100);
    let joined = shop.post("/api/wishlist", ME, &json!({ "products": many(50..102) })).await;
    assert_eq!(wished(&joined).len(), 100);
    assert_eq!(shop.count("wishes").await, 100);
    shop.as_customer("DELETE", "/api/wishlist/p0", ME).await;
    let joined = shop.post("/api/wishlist", ME, &json!({ "products": many(50..102) })).await;
    assert_eq!(wished(&joined)[0], "p100");
}

async fn concurrent_wishlist_changes_succeed(shop: WishlistShop) {
    let add = || shop.as_customer("PUT", "/api/wishlist/lamp", ME);
    let remove = || shop.as_customer("DELETE", "/api/wishlist/bulb", ME);
    let (one, other) =
        (json!({ "products": ["bulb", "last"] }), json!({ "products": ["last", "bulb"] }));
    let join = |body| shop.post("/api/wishlist", ME, body);
    let (a, b, c, d, e) = tokio::join!(add(), add(), join(&one), join(&other), remove());
    for answer in [a, b, c, d, e] {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
    let share = || shop.as_customer("POST", "/api/wishlist/share", ME);
    let (one, other) = tokio::join!(share(), share());
    assert_eq!(one.body["share"], other.body["share"]);
}

async fn an_invalid_wish_is_refused(shop: WishlistShop) {
    for body in [
        json!({ "products": many(0..101) }),
        json!({ "products": ["no such/id"] }),
        json!({ "products": "lamp" }),
        json!({}),
        json!([]),
    ] {
        let answer = shop.post("/api/wishlist", ME, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.body);
    }
    assert_eq!(shop.wish("gone").await.status, StatusCode::NOT_FOUND);
    assert_eq!(shop.wish("a%20b").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(shop.count("wishes").await, 0);
}

async fn wishlists_are_private(shop: WishlistShop) {
    shop.wish("lamp").await;
    shop.as_customer("POST", "/api/wishlist/share", ME).await;
    let theirs = shop.as_customer("DELETE", "/api/wishlist/lamp", OTHER).await;
    assert_eq!((wished(&theirs), &theirs.body["share"]), (vec![], &Value::Null));
    shop.as_customer("DELETE", "/api/wishlist/share", OTHER).await;
    let mine = shop.get("/api/wishlist", ME).await;
    assert_eq!((wished(&mine), mine.body["share"].is_string()), (vec!["lamp"], true));
    for (method, path) in [
        ("GET", "/api/wishlist"),
        ("POST", "/api/wishlist"),
        ("PUT", "/api/wishlist/lamp"),
        ("DELETE", "/api/wishlist/lamp"),
        ("POST", "/api/wishlist/share"),
        ("DELETE", "/api/wishlist/share"),
    ] {
        for bearer in [None, Some(("authorization", "Bearer x.y.z"))] {
            let headers: Vec<_> = bearer.into_iter().collect();
            let body = json!({ "products": ["bulb"] }).to_string();
            let answer = shop.ask(method, path, &headers, body).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
        }
    }
}

async fn a_shared_list_is_visible_until_sharing_ends(shop: WishlistShop) {
    let db = &shop.given.db;
    let address = |answer: &Answer| answer.body["share"].as_str().unwrap().to_owned();
    let shown = async |address: &str| {
        let token = address.strip_prefix("/wishlist/").unwrap();
        assert!(wishlist::is_share_token(token), "{token}");
        wishlist::shared(db, token).await.unwrap()
    };
    let first = address(&shop.as_customer("POST", "/api/wishlist/share", ME).await);
    assert_eq!(address(&shop.as_customer("POST", "/api/wishlist/share", ME).await), first);
    assert_eq!(shown(&first).await, Some((String::new(), vec![])));
    let added = shop.wish("lamp").await;
    assert_eq!(address(&added), first);
    let (_, products) = shown(&first).await.unwrap();
    assert_eq!(products.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["lamp"]);

    let ended = shop.as_customer("DELETE", "/api/wishlist/share", ME).await;
    assert_eq!((&ended.body["share"], shown(&first).await), (&Value::Null, None));
    let second = address(&shop.as_customer("POST", "/api/wishlist/share", ME).await);
    assert_ne!(first, second);
    assert_eq!(shown(&first).await, None);
}

async fn a_stock_alert_is_sent_once(shop: WishlistShop) {
    shop.set_stock(0).await;
    for email in ["A@Example.com", "a@example.com", "b@example.com"] {
        let answer = shop.wait_for("last", email).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.body);
        assert_eq!(answer.body, json!({ "received": true }));
    }
    assert_eq!(shop.count("stock_alerts").await, 2);
    assert_eq!(shop.alerts_sent().await, []);
    shop.set_stock(3).await;
    let subject = "Last one is back in stock".to_owned();
    let both = ["a@example.com", "b@example.com"].map(|to| (to.to_owned(), subject.clone()));
    assert_eq!(shop.alerts_sent().await, both);
    assert_eq!(shop.count("stock_alerts").await, 0);
    // Later stock changes send no further e-mail.
    shop.set_stock(0).await;
    shop.set_stock(5).await;
    assert_eq!(shop.alerts_sent().await, both);

    let emails = shop.emails().await;
    let text = emails[0]["text"].as_str().unwrap();
    assert!(text.contains("https://haat.example/product/last"), "{text}");
    assert!(text.contains("https://haat.example/back-in-stock/leave?token="), "{text}");
}

async fn a_cancelled_order_triggers_stock_alerts(shop: WishlistShop) {
    let number = shop.place(ME, json!([{ "_id": "last", "qtn": 1 }]), 260.0).await;
    shop.wait_for("last", OTHER).await;
    assert_eq!(shop.alerts_sent().await, []);
    let cancelled = shop.post(&format!("/api/orders/{number}/cancel"), ME, &json!({})).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
    assert_eq!(
        shop.alerts_sent().await,
        [(OTHER.to_owned(), "Last one is back in stock".to_owned())]
    );
}

async fn two_servers_send_one_email(shop: WishlistShop) {
    shop.set_stock(0).await;
    for place in 0..5 {
        shop.wait_for("last", &format!("r{place}@example.com")).await;
    }
    shop.set_stock(1).await;
    let (one, other) = (shop.alerts.clone(), shop.alerts.clone());
    let (one, other) = tokio::join!(one.send_due(), other.send_due());
    one.and(other).unwrap();
    assert_eq!(shop.alerts_sent().await.len(), 5);
}

async fn invalid_stock_alerts_are_refused(shop: WishlistShop) {
    let there = shop.wait_for("last", "a@example.com").await;
    assert_eq!(there.status, StatusCode::CONFLICT);
    assert_eq!(there.body["error"]["code"], "in_stock");
    shop.set_stock(0).await;
    assert_eq!(shop.wait_for("gone", "a@example.com").await.status, StatusCode::NOT_FOUND);
    for wrong in ["", "x", "a@b.c\r\nbcc: d@e.f"] {
        let answer = shop.wait_for("last", wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.body["error"]["fields"][0]["name"], "email");
    }
    let body = json!({ "product": "last", "email": "a@example.com" });
    let bearer = [("authorization", "Bearer x.y.z")];
    let answer = shop.ask("POST", "/api/stock-alerts", &bearer, body.to_string()).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    let mut body = body;
    body["website"] = "https://spam.example".into();
    let answer = shop.ask("POST", "/api/stock-alerts", &[], body.to_string()).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    assert_eq!(shop.count("stock_alerts").await, 0);

    for time in 0..11 {
        let answer = shop.wait_for("last", "often@example.com").await;
        let wanted = if time < 10 { StatusCode::ACCEPTED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, wanted, "{time}");
    }
}

async fn unsubscribing_deletes_all_alerts_of_an_address(shop: WishlistShop) {
    let bulb = json!({ "_id": "bulb", "category": "light", "name": "Bulb", "sku": "B1",
                       "img": ["/b.svg"], "realPrice": 2.25, "qtn": 0 });
    shop.import(&json!({ "products": [bulb] }).to_string()).await;
    shop.set_stock(0).await;
    for (product, email) in [("last", ME), ("bulb", ME), ("bulb", OTHER)] {
        shop.wait_for(product, email).await;
    }
    shop.set_stock(1).await;
    assert_eq!(shop.alerts_sent().await.len(), 1);
    let emails = shop.emails().await;
    let text = emails[0]["text"].as_str().unwrap();
    let token = text.split("leave?token=").nth(1).unwrap().trim().to_owned();
    for wrong in ["", "x", &"a".repeat(40), &token[1..]] {
        shop.alerts.unsubscribe(wrong).await.unwrap();
    }
    assert_eq!(shop.count("stock_alerts").await, 2);
    for _ in 0..2 {
        assert!(shop.alerts.unsubscribe(&token).await.unwrap());
    }
    assert_eq!(shop.count("stock_alerts where email = 'other@haat.example'").await, 1);
    assert_eq!(shop.count("stock_alerts").await, 1);
}

async fn stock_alerts_expire_after_a_year(shop: WishlistShop) {
    shop.set_stock(0).await;
    shop.wait_for("last", ME).await;
    let (db, clock) = (&shop.given.db, &shop.given.clock);
    for (days, left) in [(364, 1), (2, 0)] {
        clock.advance(Duration::from_secs(days * 24 * 3600));
        shop::retention::delete_expired(db, clock, &Retention::default()).await.unwrap();
        assert_eq!(shop.count("stock_alerts").await, left, "{days}");
    }
}

async fn wishlist_data_is_exported_and_erased(shop: WishlistShop) {
    let (db, uid) = (&shop.given.db, format!("uid-{ME}"));
    let sql = "insert into customers (id, email, name, created_at) values ($1, $2, 'Rahim', $3)";
    db.query(sql).bind(uid.as_str()).bind(ME).bind(shop.given.clock.now()).execute().await.unwrap();
    shop.wish("lamp").await;
    shop.as_customer("POST", "/api/wishlist/share", ME).await;
    shop.as_customer("PUT", "/api/wishlist/lamp", OTHER).await;
    shop.set_stock(0).await;
    let body = json!({ "product": "last", "email": "work@example.com" });
    shop.post("/api/stock-alerts", ME, &body).await;
    // Before signing in.
    shop.wait_for("last", ME).await;
    shop.wait_for("last", OTHER).await;

    let kept = serde_json::to_value(wishlist::export(db, &uid).await.unwrap()).unwrap();
    assert_eq!(
        (&kept["wishes"][0]["product"], &kept["wishes"][0]["name"]),
        (&json!("lamp"), &json!("Lamp"))
    );
    assert!(kept["wishes"][0]["addedAt"].is_string() && kept["share"].is_string(), "{kept}");
    assert_eq!(kept["stockAlerts"].as_array().unwrap().len(), 1);
    assert_eq!(kept["stockAlerts"][0]["email"], "work@example.com");

    // Alerts of an address that is not verified may be a stranger's.
    for (verified_email, alerts) in [(None, 2), (Some(ME), 1)] {
        let mut tx = db.begin().await.unwrap();
        wishlist::erase(&mut tx, &uid, verified_email).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(shop.count("stock_alerts").await, alerts, "{verified_email:?}");
    }
    let left = serde_json::to_value(wishlist::export(db, &uid).await.unwrap()).unwrap();
    assert_eq!(left, json!({ "wishes": [], "share": null, "stockAlerts": [] }));
    assert_eq!(shop.count("wishes").await, 1);
    assert_eq!(shop.count("shared_wishlists").await, 0);
}
