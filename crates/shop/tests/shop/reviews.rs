//! Reviews through HTTP: who may write, who sees what, and that the rating is right under concurrency.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::FromRef;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use platform::Context;
use platform::revisions::Revisions;
use response_cache::Cache;
use serde_json::{Value, json};
use shop::catalog;
use shop::orders::Step;
use shop::orders::StepOutcome::Done;
use shop::reviews::{
    self, Moderation, ModerationOutcome, ReviewId, ReviewState, ReviewStore, Reviews,
};
use test_support::Engine;
use test_support::on_both;
use tokio::task::JoinSet;
use tower::ServiceExt;

use super::test_shop::{ONE_LAMP, Shop, order, routes, usd, view};

on_both!(ReviewShop:
    only_buyers_may_write,
    a_review_is_written_changed_and_deleted,
    an_import_does_not_change_ratings,
    reviews_with_links_are_queued,
    edits_of_a_refused_review_are_queued,
    cancelled_purchases_cannot_be_reviewed,
    a_vote_counts_once,
    concurrent_reviews_result_in_the_right_rating,
    reviews_are_sorted_and_paginated,
    cache_tags_follow_the_reviews,
    erasing_a_customer_deletes_reviews_and_votes,
    writing_is_rate_limited,
);

const MINA: &str = "mina@haat.example";
const NILA: &str = "nila@haat.example";
const OMAR: &str = "omar@haat.example";
const MINE: &str = "/api/products/lamp/reviews/mine";
const LIST: &str = "/api/products/lamp/reviews";

/// A shop of three products with its review store.
struct ReviewShop {
    shop: Shop,
    store: ReviewStore,
}

struct Answer {
    status: StatusCode,
    body: Value,
}

impl ReviewShop {
    async fn new(engine: Engine) -> Self {
        let shop = Shop::new(engine).await;
        let Reviews { store, .. } = Reviews::from_ref(&shop.context);
        for (email, name) in [(MINA, "Mina Das"), (NILA, "Nila"), (OMAR, "Omar")] {
            store
                .db
                .query("insert into customers (id, email, name, created_at) values ($1, $2, $3, 0)")
                .bind(format!("uid-{email}").as_str())
                .bind(email)
                .bind(name)
                .execute()
                .await
                .unwrap();
        }
        Self { shop, store }
    }

    /// A new cache for every request.
    async fn routes(&self) -> Router {
        let mut shop = self.shop.context.clone();
        let Context { db, clock, .. } = &shop.context;
        let revisions = Revisions::load(db).await.unwrap();
        shop.cache = Cache::new(1 << 20, revisions, clock.clone());
        routes(&shop)
    }

    async fn ask(&self, method: &str, path: &str, email: &str, body: Value) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !email.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.shop.token(email)));
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = request.header("content-type", "application/json").body(Body::from(body));
        let response = self.routes().await.oneshot(request.unwrap()).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8_lossy(&body);
        Answer { status, body: serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{text}")) }
    }

    async fn write(&self, email: &str, stars: i64, title: &str, text: &str) -> Answer {
        let review = json!({ "rating": stars, "title": title, "body": text });
        self.ask("PUT", MINE, email, review).await
    }

    async fn list(&self, query: &str) -> Value {
        let answer = self.ask("GET", &format!("{LIST}?{query}"), "", Value::Null).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    async fn mine(&self, email: &str) -> Value {
        self.ask("GET", MINE, email, Value::Null).await.body
    }

    /// Places an order that is paid on delivery.
    async fn orders(&self, email: &str) -> String {
        self.shop.place(email, json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP).await
    }

    /// Places an order that is delivered.
    async fn buys(&self, email: &str) {
        let number = self.orders(email).await;
        self.shop.advance(&number, 4).await;
    }

    /// Places an order that is paid with store credit.
    async fn pays(&self, email: &str) -> String {
        let ReviewStore { db, clock, random, .. } = &self.store;
        let total = usd((ONE_LAMP * 100.0) as i64);
        let uid = format!("uid-{email}");
        shop::credit::grant(db, clock, random, &uid, total, "A gift").await.unwrap();
        let mut order = order(json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP);
        order["credit"] = json!(ONE_LAMP);
        let placed = self.shop.post("/api/orders", email, &order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        placed.body["number"].as_str().unwrap().to_owned()
    }

    /// The lamp's rating and number of reviews.
    async fn rating(&self) -> (f64, i64) {
        let id = "lamp".parse().unwrap();
        let lamp = catalog::product(&self.store.db, view(self.store.clock.now()), &id)
            .await
            .unwrap()
            .unwrap();
        (lamp.rating, lamp.reviews)
    }

    async fn subjects(&self) -> Vec<(String, String)> {
        let emails = self.shop.emails().await.into_iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        emails
            .map(|email| (text(&email["to"]), text(&email["subject"])))
            .filter(|(_, subject)| subject.contains("review"))
            .collect()
    }
}

fn id_of(answer: &Value) -> ReviewId {
    answer["review"]["_id"].as_str().unwrap().parse().unwrap()
}

async fn only_buyers_may_write(fixture: ReviewShop) {
    assert_eq!(fixture.mine(MINA).await["mayWrite"], false);
    let refused = fixture.write(MINA, 5, "Good", "It shines.").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    // Neither paid nor delivered is no purchase: it could be cancelled for free.
    let number = fixture.orders(MINA).await;
    for _ in 0..4 {
        assert_eq!(fixture.mine(MINA).await["mayWrite"], false);
        let refused = fixture.write(MINA, 5, "Good", "It shines.").await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
        fixture.shop.advance(&number, 1).await;
    }
    assert_eq!(fixture.mine(MINA).await["mayWrite"], true);
    // A returned product was bought; so was one that is paid but not delivered.
    fixture.shop.apply(&number, Step::RequestReturn(&[])).await;
    fixture.shop.advance(&number, 2).await;
    assert_eq!(fixture.mine(MINA).await["mayWrite"], true);
    fixture.pays(OMAR).await;
    assert_eq!(fixture.mine(OMAR).await["mayWrite"], true);
    // Another customer's purchase, or of another product, does not count.
    assert_eq!(fixture.write(NILA, 1, "Bad", "No.").await.status, StatusCode::FORBIDDEN);
    let review = json!({ "rating": 5, "title": "Good", "body": "It shines." });
    let bulb = "/api/products/bulb/reviews/mine";
    assert_eq!(fixture.ask("PUT", bulb, MINA, review.clone()).await.status, StatusCode::FORBIDDEN);

    for (method, path, email, body, status) in [
        ("PUT", MINE, "", review.clone(), 401),
        ("GET", MINE, "", Value::Null, 401),
        ("DELETE", MINE, "", Value::Null, 401),
        ("PUT", "/api/products/none/reviews/mine", MINA, review.clone(), 404),
        ("GET", "/api/products/none/reviews/mine", MINA, Value::Null, 404),
        ("DELETE", "/api/products/none/reviews/mine", MINA, Value::Null, 404),
        ("GET", "/api/products/none/reviews", "", Value::Null, 404),
        ("GET", "/api/products/a%20b/reviews", "", Value::Null, 400),
        ("PUT", MINE, MINA, json!({ "rating": 4.5, "title": "a", "body": "b" }), 400),
        ("PUT", MINE, MINA, json!({ "title": "a", "body": "b" }), 400),
        ("PUT", MINE, MINA, json!({ "rating": 0, "title": "a", "body": "b" }), 400),
        ("PUT", MINE, MINA, json!({ "rating": 5, "title": "", "body": "b" }), 400),
        ("PUT", MINE, MINA, json!({ "rating": 5, "title": "a", "body": "x".repeat(2001) }), 400),
        ("PUT", MINE, MINA, json!([]), 400),
    ] {
        let answer = fixture.ask(method, path, email, body.clone()).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path} {body} {}", answer.body);
    }
    assert_eq!(fixture.shop.count("reviews").await, 0);
}

async fn a_review_is_written_changed_and_deleted(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    fixture.buys(NILA).await;
    let empty = fixture.list("").await;
    assert_eq!(empty["summary"], json!({ "rating": 0.0, "count": 0, "stars": [0, 0, 0, 0, 0] }));
    assert_eq!((&empty["pages"], &empty["pageNumber"]), (&json!(1), &json!(1)));

    let written = fixture.write(MINA, 4, " Good ", "It <b>shines</b>.\r\nA lot.").await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.body);
    let review = &written.body["review"];
    assert_eq!((&review["state"], &review["name"]), (&json!("shown"), &json!("Mina Das")));
    assert_eq!(written.body["summary"]["count"], 1);
    assert_eq!(fixture.rating().await, (4.0, 1));
    fixture.write(NILA, 5, "Fine", "Yes.").await;
    assert_eq!(fixture.rating().await, (4.5, 2));
    let list = fixture.list("").await;
    assert_eq!(list["summary"]["stars"], json!([0, 0, 0, 1, 1]));
    let seen = list["reviews"].as_array().unwrap();
    let mina = seen.iter().find(|review| review["name"] == "Mina Das").unwrap();
    assert_eq!(mina["body"], "It <b>shines</b>.\nA lot.");
    assert_eq!((&mina["title"], &mina["editedAt"]), (&json!("Good"), &Value::Null));
    for secret in ["customer", "state", "note", "email"] {
        assert!(mina.get(secret).is_none(), "{secret}");
    }

    // The same text changes nothing; another one is an edit.
    fixture.shop.given.clock.advance(std::time::Duration::from_secs(60));
    let again = fixture.write(MINA, 4, "Good", "It <b>shines</b>.\nA lot.").await;
    assert_eq!(again.body["review"], *review);
    let edited = fixture.write(MINA, 2, "Hm", "It hums.").await.body;
    assert_eq!(edited["review"]["_id"], review["_id"]);
    assert_eq!(edited["review"]["createdAt"], review["createdAt"]);
    assert_eq!(edited["review"]["editedAt"], "2026-11-15T09:01:00.000Z");
    assert_eq!(fixture.rating().await, (3.5, 2));
    assert_eq!(fixture.shop.count("reviews").await, 2);

    for _ in 0..2 {
        let gone = fixture.ask("DELETE", MINE, MINA, Value::Null).await;
        assert_eq!((gone.status, &gone.body["review"]), (StatusCode::OK, &Value::Null));
        assert_eq!(gone.body["mayWrite"], true);
        assert_eq!(fixture.rating().await, (5.0, 1));
    }
}

async fn an_import_does_not_change_ratings(fixture: ReviewShop) {
    let lamp = |rating: f64| {
        format!(
            r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
                "img": ["/l.svg"], "realPrice": 30, "offerPrice": 25.5, "qtn": 50, "rating": {rating}}}]}}"#
        )
    };
    fixture.shop.import(&lamp(3.5)).await;
    assert_eq!(fixture.rating().await, (0.0, 0), "it has no reviews");
    fixture.buys(MINA).await;
    fixture.write(MINA, 1, "Bad", "It hums.").await;
    assert_eq!(fixture.rating().await, (1.0, 1));
    fixture.shop.import(&lamp(4.5)).await;
    assert_eq!(fixture.rating().await, (1.0, 1));
    fixture.ask("DELETE", MINE, MINA, Value::Null).await;
    assert_eq!(fixture.rating().await, (0.0, 0));
}

async fn reviews_with_links_are_queued(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    let waiting = fixture.write(MINA, 5, "Good", "Cheaper at lamps.example/x").await.body;
    assert_eq!(waiting["review"]["state"], "queued");
    assert_eq!(fixture.mine(MINA).await["review"]["state"], "queued");
    assert_eq!(fixture.list("").await["reviews"], json!([]));
    assert_eq!(fixture.rating().await, (0.0, 0));
    let notice = ("hello@haat.example".to_owned(), "A review of Lamp waits".to_owned());
    assert_eq!(fixture.subjects().await, std::slice::from_ref(&notice));
    // Edited to be visible and then queued again, the shop is notified again.
    fixture.write(MINA, 5, "Good", "It shines.").await;
    assert_eq!(fixture.rating().await, (5.0, 1));
    let id = id_of(&fixture.write(MINA, 5, "Good", "www.lamps.example").await.body);
    assert_eq!(fixture.rating().await, (0.0, 0));
    fixture.write(MINA, 4, "Good", "www.lamps.example too").await;
    assert_eq!(fixture.subjects().await, [notice.clone(), notice]);
    assert_eq!(fixture.store.list(Some(ReviewState::Queued), 9).await.unwrap().len(), 1);

    assert_eq!(
        fixture.store.moderate(&id, Moderation::Approve, "").await.unwrap(),
        ModerationOutcome::Done
    );
    assert_eq!(fixture.rating().await, (4.0, 1));
    assert_eq!(fixture.list("").await["reviews"][0]["body"], "www.lamps.example too");
    let again = fixture.store.moderate(&id, Moderation::Approve, "").await.unwrap();
    assert_eq!(again, ModerationOutcome::NotAllowed(ReviewState::Shown));
    let none =
        fixture.store.moderate(&"none".parse().unwrap(), Moderation::Refuse, "x").await.unwrap();
    assert_eq!(none, ModerationOutcome::ReviewNotFound);
}

async fn edits_of_a_refused_review_are_queued(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    let id = id_of(&fixture.write(MINA, 1, "Bad", "The seller is a crook.").await.body);
    let refused =
        fixture.store.moderate(&id, Moderation::Refuse, "It insults somebody.").await.unwrap();
    assert_eq!(refused, ModerationOutcome::Done);
    assert_eq!(fixture.rating().await, (0.0, 0));
    let mine = fixture.mine(MINA).await["review"].clone();
    assert_eq!(
        (&mine["state"], &mine["note"]),
        (&json!("refused"), &json!("It insults somebody."))
    );
    assert_eq!(fixture.subjects().await, [(MINA.to_owned(), "Your review of Lamp".to_owned())]);
    for text in ["The seller is a fox.", "It hums."] {
        let edited = fixture.write(MINA, 1, "Bad", text).await.body;
        assert_eq!(edited["review"]["state"], "queued", "{text}");
    }
    fixture.store.moderate(&id, Moderation::Approve, "").await.unwrap();
    assert_eq!(
        fixture.write(MINA, 2, "Bad", "It hums a bit.").await.body["review"]["state"],
        "shown"
    );
    assert_eq!(fixture.rating().await, (2.0, 1));
}

async fn cancelled_purchases_cannot_be_reviewed(fixture: ReviewShop) {
    let (first, second) = (fixture.pays(MINA).await, fixture.pays(MINA).await);
    fixture.orders(MINA).await;
    fixture.write(MINA, 1, "Bad", "It hums.").await;
    let cancel = async |number: &str| {
        let number = number.parse().unwrap();
        let taken =
            fixture.shop.order_store().apply(&number, Step::CustomerCancel, "").await.unwrap();
        assert!(matches!(taken, Done(_)));
    };
    cancel(&first).await;
    assert_eq!(fixture.rating().await, (1.0, 1));
    cancel(&second).await;
    assert_eq!(fixture.rating().await, (0.0, 0));
    assert_eq!(fixture.mine(MINA).await["review"]["state"], "queued");
    assert_eq!(fixture.write(MINA, 2, "Bad", "Still.").await.body["review"]["state"], "queued");
    fixture.ask("DELETE", MINE, MINA, Value::Null).await;
    assert_eq!(fixture.mine(MINA).await["mayWrite"], false);
    assert_eq!(fixture.write(MINA, 2, "Bad", "Again.").await.status, StatusCode::FORBIDDEN);
}

async fn a_vote_counts_once(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    let id = id_of(&fixture.write(MINA, 5, "Good", "It shines.").await.body);
    let path = format!("/api/reviews/{id}/helpful");
    let vote =
        async |method: &str, email: &str| fixture.ask(method, &path, email, Value::Null).await;
    assert_eq!(vote("PUT", MINA).await.status, StatusCode::FORBIDDEN);
    assert_eq!(vote("PUT", "").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(vote("DELETE", NILA).await.body["helpful"], 0);
    let both =
        tokio::join!(vote("PUT", NILA), vote("PUT", NILA), vote("PUT", OMAR), vote("PUT", NILA));
    for answer in [both.0, both.1, both.2, both.3] {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
    assert_eq!(fixture.list("").await["reviews"][0]["helpful"], 2);
    assert_eq!(fixture.mine(NILA).await["helpful"], json!([id]));
    assert_eq!(fixture.mine(MINA).await["helpful"], json!([]));
    let gone = tokio::join!(vote("DELETE", NILA), vote("DELETE", NILA));
    assert_eq!((&gone.0.body["helpful"], &gone.1.body["helpful"]), (&json!(1), &json!(1)));
    // Edits keep the votes; a hidden review cannot be voted for.
    fixture.write(MINA, 4, "Good", "It shines.").await;
    assert_eq!(fixture.list("").await["reviews"][0]["helpful"], 1);
    fixture.write(MINA, 4, "Good", "See x.com").await;
    assert_eq!(vote("PUT", NILA).await.status, StatusCode::NOT_FOUND);
    let none = fixture.ask("PUT", "/api/reviews/none/helpful", NILA, Value::Null).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

async fn concurrent_reviews_result_in_the_right_rating(fixture: ReviewShop) {
    let emails: Vec<String> = (0..8).map(|n| format!("buyer-{n}@haat.example")).collect();
    for email in &emails {
        fixture.buys(email).await;
    }
    let fixture = Arc::new(fixture);
    // Each customer writes three times concurrently.
    let mut writes = JoinSet::new();
    for email in &emails {
        for stars in [1, 5, 3] {
            let (fixture, email) = (fixture.clone(), email.clone());
            writes.spawn(
                async move { fixture.write(&email, stars, "Said", "At once.").await.status },
            );
        }
    }
    assert_eq!(writes.join_all().await, [StatusCode::OK; 24]);
    let summary = fixture.list("").await["summary"].clone();
    assert_eq!(summary["count"], 8);
    assert_eq!(fixture.rating().await, (summary["rating"].as_f64().unwrap(), 8));
    // Half delete theirs while others edit.
    let mut changes = JoinSet::new();
    for (n, email) in emails.into_iter().enumerate() {
        let fixture = fixture.clone();
        changes.spawn(async move {
            match n % 2 {
                0 => fixture.ask("DELETE", MINE, &email, Value::Null).await.status,
                _ => fixture.write(&email, 4, "Said", "Anew.").await.status,
            }
        });
    }
    assert_eq!(changes.join_all().await, [StatusCode::OK; 8]);
    assert_eq!(fixture.rating().await, (4.0, 4));
    assert_eq!(fixture.list("").await["reviews"][0]["name"], "");
}

async fn reviews_are_sorted_and_paginated(fixture: ReviewShop) {
    for n in 0..12 {
        let email = format!("buyer-{n}@haat.example");
        fixture.buys(&email).await;
        fixture.shop.given.clock.advance(std::time::Duration::from_secs(1));
        fixture.write(&email, 1 + n % 5, &format!("No {n}"), "Said.").await;
    }
    let titles = async |query: &str| -> Vec<String> {
        let page = fixture.list(query).await;
        let reviews = page["reviews"].as_array().unwrap().iter();
        reviews.map(|review| review["title"].as_str().unwrap().to_owned()).collect()
    };
    let first = titles("").await;
    assert_eq!((first.len(), first[0].as_str(), first[9].as_str()), (10, "No 11", "No 2"));
    assert_eq!(titles("page=2&sort=").await, ["No 1", "No 0"]);
    assert_eq!(titles("sort=oldest&page=2").await, ["No 10", "No 11"]);
    assert_eq!(titles("sort=highest").await[..3], ["No 9", "No 4", "No 8"]);
    assert_eq!(titles("sort=lowest").await[..3], ["No 10", "No 5", "No 0"]);
    assert_eq!(titles("page=1000").await, Vec::<String>::new());
    let third = fixture.list("sort=oldest").await["reviews"][2]["_id"].as_str().unwrap().to_owned();
    fixture.ask("PUT", &format!("/api/reviews/{third}/helpful"), MINA, Value::Null).await;
    assert_eq!(titles("sort=helpful").await[..2], ["No 2", "No 11"]);
    let page = fixture.list("page=2&sort=helpful").await;
    assert_eq!(
        (&page["pages"], &page["pageNumber"], &page["sort"]),
        (&json!(2), &json!(2), &json!("helpful"))
    );
    for (query, field) in
        [("sort=best", "sort"), ("page=0", "page"), ("page=1001", "page"), ("page=x", "page")]
    {
        let answer = fixture.ask("GET", &format!("{LIST}?{query}"), "", Value::Null).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.body["error"]["fields"][0]["name"], field);
    }
}

async fn cache_tags_follow_the_reviews(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    let db = &fixture.store.db;
    let product = "lamp".parse().unwrap();
    let scopes = [
        reviews::reviews_tag(&product),
        catalog::product_tag(&product),
        catalog::category_tag(&"light".parse().unwrap()),
        catalog::catalog_tag(),
    ];
    let moved = async |revisions: &Revisions, since: i64| {
        revisions.poll(db).await.unwrap();
        scopes.each_ref().map(|scope| revisions.changed_since(since, std::slice::from_ref(scope)))
    };
    let revisions = Revisions::load(db).await.unwrap();
    let at = revisions.latest();
    let id = id_of(&fixture.write(MINA, 5, "Good", "It shines.").await.body);
    assert_eq!(moved(&revisions, at).await, [true; 4]);
    // Another text or a vote bumps the reviews tag only.
    let at = revisions.latest();
    fixture.write(MINA, 5, "Good", "It shines a lot.").await;
    assert_eq!(moved(&revisions, at).await, [true, false, false, false]);
    let at = revisions.latest();
    fixture.ask("PUT", &format!("/api/reviews/{id}/helpful"), NILA, Value::Null).await;
    assert_eq!(moved(&revisions, at).await, [true, false, false, false]);
    // Repeated votes and unchanged texts bump nothing.
    let at = revisions.latest();
    fixture.ask("PUT", &format!("/api/reviews/{id}/helpful"), NILA, Value::Null).await;
    fixture.write(MINA, 5, "Good", "It shines a lot.").await;
    assert_eq!(moved(&revisions, at).await, [false; 4]);
}

async fn erasing_a_customer_deletes_reviews_and_votes(fixture: ReviewShop) {
    for email in [MINA, NILA] {
        fixture.buys(email).await;
    }
    let mina = id_of(&fixture.write(MINA, 1, "Bad", "It hums.").await.body);
    let nila = id_of(&fixture.write(NILA, 5, "Good", "It shines.").await.body);
    for (id, email) in [(&mina, NILA), (&nila, MINA), (&nila, OMAR)] {
        fixture.ask("PUT", &format!("/api/reviews/{id}/helpful"), email, Value::Null).await;
    }
    let db = &fixture.store.db;
    let uid = format!("uid-{MINA}");
    let kept = reviews::export(db, &uid).await.unwrap();
    assert_eq!((kept.written.len(), kept.written[0].review.title.as_str()), (1, "Bad"));
    assert_eq!(kept.helpful, [nila]);
    let mut tx = db.begin().await.unwrap();
    let moved = reviews::erase(&mut tx, &uid).await.unwrap();
    assert!(moved.contains(&reviews::reviews_tag(&"lamp".parse().unwrap())));
    assert!(moved.contains(&catalog::product_tag(&"lamp".parse().unwrap())));
    platform::revisions::bump(&mut tx, moved).await.unwrap();
    tx.commit().await.unwrap();
    let kept = reviews::export(db, &uid).await.unwrap();
    assert!(kept.written.is_empty() && kept.helpful.is_empty());
    assert_eq!(fixture.rating().await, (5.0, 1));
    assert_eq!(fixture.list("").await["reviews"][0]["helpful"], 1);
    // The votes for the deleted review are deleted too.
    assert_eq!(fixture.shop.count("review_votes").await, 1);
}

async fn writing_is_rate_limited(fixture: ReviewShop) {
    fixture.buys(MINA).await;
    for n in 0..30 {
        let answer = fixture.write(MINA, 5, "Good", &format!("Again {n}.")).await;
        assert_eq!(answer.status, StatusCode::OK, "{n}");
    }
    let answer = fixture.write(MINA, 5, "Good", "Once more.").await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(fixture.mine(MINA).await["review"]["body"], "Again 29.");
}
