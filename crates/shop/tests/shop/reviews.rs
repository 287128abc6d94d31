//! Reviews through HTTP: who may write, what is shown to whom, and that the rating follows, whoever does
//! what at the same time.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base::Money;
use base::cache::Cache;
use base::revisions::Revisions;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use shop::catalog;
use shop::content::Facts;
use shop::orders::{Step, Taken};
use shop::reviews::{self, Guestbook, Judged, ReviewId, Reviews, Sender, State, Verdict};
use test_support::Engine;
use test_support::on_both;
use tokio::task::JoinSet;
use tower::ServiceExt;

use super::stand::{ONE_LAMP, Shop, order};

on_both!(Stand:
    only_who_bought_may_write,
    a_review_is_written_changed_and_deleted,
    an_import_leaves_what_reviews_made,
    a_link_waits_for_the_shopkeeper,
    who_was_refused_is_looked_at_first,
    what_is_called_off_cannot_be_reviewed,
    a_vote_counts_once,
    many_at_once_make_one_mean,
    reviews_come_in_their_order_ten_at_a_time,
    pages_follow_what_changed,
    a_customer_is_forgotten,
    nobody_writes_without_end,
);

const MINA: &str = "mina@haat.example";
const NILA: &str = "nila@haat.example";
const OMAR: &str = "omar@haat.example";
const MINE: &str = "/api/products/lamp/reviews/mine";
const LIST: &str = "/api/products/lamp/reviews";

/// A shop of three products, and the book that its reviews are written in.
struct Stand {
    shop: Shop,
    book: Guestbook,
}

struct Answer {
    status: StatusCode,
    body: Value,
}

impl Stand {
    async fn new(engine: Engine) -> Self {
        let shop = Shop::new(engine).await;
        let facts = Facts {
            name: "Haat".into(),
            email: "hello@haat.example".into(),
            phone: "+880 1".into(),
            address: "Dhaka".into(),
            ..Facts::default()
        };
        let book = Guestbook {
            db: shop.given.db.clone(),
            clock: shop.given.clock.clone(),
            random: shop.given.random.clone(),
            sender: Sender { shop: facts, origin: Some("https://haat.example".into()) },
        };
        for (email, name) in [(MINA, "Mina Das"), (NILA, "Nila"), (OMAR, "Omar")] {
            book.db
                .query("insert into customers (id, email, name, created_at) values ($1, $2, $3, 0)")
                .bind(format!("uid-{email}").as_str())
                .bind(email)
                .bind(name)
                .execute()
                .await
                .unwrap();
        }
        Self { shop, book }
    }

    /// Nothing is kept from one question to the next.
    async fn routes(&self) -> Router {
        let Guestbook { db, clock, .. } = &self.book;
        let cache = Cache::new(1 << 20, Revisions::start(db).await.unwrap(), clock.clone());
        let tokens = self.shop.orders.tokens.clone();
        let state = Reviews { book: self.book.clone(), cache, tokens };
        Router::new().nest("/api", reviews::router().with_state(state).into())
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

    /// Places an order, which is paid when it arrives.
    async fn orders(&self, email: &str) -> String {
        self.shop.place(email, json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP).await
    }

    /// Places one that arrives.
    async fn buys(&self, email: &str) {
        let number = self.orders(email).await;
        self.shop.advance(&number, 4).await;
    }

    /// Places one that is paid at once, with store credit.
    async fn pays(&self, email: &str) -> String {
        let Guestbook { db, clock, random, .. } = &self.book;
        let total = Money::cents((ONE_LAMP * 100.0) as i64);
        let uid = format!("uid-{email}");
        shop::credit::grant(db, clock, random, &uid, total, "A gift").await.unwrap();
        let mut order = order(json!([{ "_id": "lamp", "qtn": 1 }]), ONE_LAMP);
        order["credit"] = json!(ONE_LAMP);
        let placed = self.shop.post("/api/orders", email, &order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.body);
        placed.body["number"].as_str().unwrap().to_owned()
    }

    /// The lamp's rating and how many reviews made it.
    async fn rating(&self) -> (f64, i64) {
        let id = "lamp".parse().unwrap();
        let lamp =
            catalog::product(&self.book.db, self.book.clock.now(), &id).await.unwrap().unwrap();
        (lamp.rating, lamp.reviews)
    }

    async fn subjects(&self) -> Vec<(String, String)> {
        let letters = self.shop.letters().await.into_iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        letters
            .map(|letter| (text(&letter["to"]), text(&letter["subject"])))
            .filter(|(_, subject)| subject.contains("review"))
            .collect()
    }
}

fn id_of(answer: &Value) -> ReviewId {
    answer["review"]["_id"].as_str().unwrap().parse().unwrap()
}

async fn only_who_bought_may_write(stand: Stand) {
    assert_eq!(stand.mine(MINA).await["mayWrite"], false);
    let refused = stand.write(MINA, 5, "Good", "It shines.").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    // Neither paid nor there: anybody could do that, and call it off.
    let number = stand.orders(MINA).await;
    for _ in 0..4 {
        assert_eq!(stand.mine(MINA).await["mayWrite"], false);
        let refused = stand.write(MINA, 5, "Good", "It shines.").await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
        stand.shop.advance(&number, 1).await;
    }
    assert_eq!(stand.mine(MINA).await["mayWrite"], true);
    // What is on its way back was there, and what is paid at once need not be there yet.
    stand.shop.take(&number, Step::AskToReturn(&[])).await;
    stand.shop.advance(&number, 2).await;
    assert_eq!(stand.mine(MINA).await["mayWrite"], true);
    stand.pays(OMAR).await;
    assert_eq!(stand.mine(OMAR).await["mayWrite"], true);
    // What somebody else bought, or what else one bought, is no reason.
    assert_eq!(stand.write(NILA, 1, "Bad", "No.").await.status, StatusCode::FORBIDDEN);
    let review = json!({ "rating": 5, "title": "Good", "body": "It shines." });
    let bulb = "/api/products/bulb/reviews/mine";
    assert_eq!(stand.ask("PUT", bulb, MINA, review.clone()).await.status, StatusCode::FORBIDDEN);

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
        let answer = stand.ask(method, path, email, body.clone()).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path} {body} {}", answer.body);
    }
    assert_eq!(stand.shop.count("reviews").await, 0);
}

async fn a_review_is_written_changed_and_deleted(stand: Stand) {
    stand.buys(MINA).await;
    stand.buys(NILA).await;
    let empty = stand.list("").await;
    assert_eq!(empty["summary"], json!({ "rating": 0.0, "count": 0, "stars": [0, 0, 0, 0, 0] }));
    assert_eq!((&empty["pages"], &empty["pageNumber"]), (&json!(1), &json!(1)));

    let written = stand.write(MINA, 4, " Good ", "It <b>shines</b>.\r\nA lot.").await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.body);
    let review = &written.body["review"];
    assert_eq!((&review["state"], &review["name"]), (&json!("shown"), &json!("Mina Das")));
    assert_eq!(written.body["summary"]["count"], 1);
    assert_eq!(stand.rating().await, (4.0, 1));
    stand.write(NILA, 5, "Fine", "Yes.").await;
    assert_eq!(stand.rating().await, (4.5, 2));
    let list = stand.list("").await;
    assert_eq!(list["summary"]["stars"], json!([0, 0, 0, 1, 1]));
    let seen = list["reviews"].as_array().unwrap();
    let mina = seen.iter().find(|review| review["name"] == "Mina Das").unwrap();
    assert_eq!(mina["body"], "It <b>shines</b>.\nA lot.");
    assert_eq!((&mina["title"], &mina["editedAt"]), (&json!("Good"), &Value::Null));
    for secret in ["customer", "state", "note", "email"] {
        assert!(mina.get(secret).is_none(), "{secret}");
    }

    // The same again is the same; other words are an edit.
    stand.shop.given.clock.advance(std::time::Duration::from_secs(60));
    let again = stand.write(MINA, 4, "Good", "It <b>shines</b>.\nA lot.").await;
    assert_eq!(again.body["review"], *review);
    let edited = stand.write(MINA, 2, "Hm", "It hums.").await.body;
    assert_eq!(edited["review"]["_id"], review["_id"]);
    assert_eq!(edited["review"]["createdAt"], review["createdAt"]);
    assert_eq!(edited["review"]["editedAt"], "2026-11-15T09:01:00.000Z");
    assert_eq!(stand.rating().await, (3.5, 2));
    assert_eq!(stand.shop.count("reviews").await, 2);

    for _ in 0..2 {
        let gone = stand.ask("DELETE", MINE, MINA, Value::Null).await;
        assert_eq!((gone.status, &gone.body["review"]), (StatusCode::OK, &Value::Null));
        assert_eq!(gone.body["mayWrite"], true);
        assert_eq!(stand.rating().await, (5.0, 1));
    }
}

async fn an_import_leaves_what_reviews_made(stand: Stand) {
    let lamp = |rating: f64| {
        format!(
            r#"{{"products": [{{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1",
                "img": ["/l.svg"], "realPrice": 30, "offerPrice": 25.5, "qtn": 50, "rating": {rating}}}]}}"#
        )
    };
    stand.shop.import(&lamp(3.5)).await;
    assert_eq!(stand.rating().await, (0.0, 0), "nobody said so");
    stand.buys(MINA).await;
    stand.write(MINA, 1, "Bad", "It hums.").await;
    assert_eq!(stand.rating().await, (1.0, 1));
    stand.shop.import(&lamp(4.5)).await;
    assert_eq!(stand.rating().await, (1.0, 1));
    stand.ask("DELETE", MINE, MINA, Value::Null).await;
    assert_eq!(stand.rating().await, (0.0, 0));
}

async fn a_link_waits_for_the_shopkeeper(stand: Stand) {
    stand.buys(MINA).await;
    let waiting = stand.write(MINA, 5, "Good", "Cheaper at lamps.example/x").await.body;
    assert_eq!(waiting["review"]["state"], "queued");
    assert_eq!(stand.mine(MINA).await["review"]["state"], "queued");
    assert_eq!(stand.list("").await["reviews"], json!([]));
    assert_eq!(stand.rating().await, (0.0, 0));
    let notice = ("hello@haat.example".to_owned(), "A review of Lamp waits".to_owned());
    assert_eq!(stand.subjects().await, std::slice::from_ref(&notice));
    // Mended while it waits, and spoilt again, the shop is written to again.
    stand.write(MINA, 5, "Good", "It shines.").await;
    assert_eq!(stand.rating().await, (5.0, 1));
    let id = id_of(&stand.write(MINA, 5, "Good", "www.lamps.example").await.body);
    assert_eq!(stand.rating().await, (0.0, 0));
    stand.write(MINA, 4, "Good", "www.lamps.example too").await;
    assert_eq!(stand.subjects().await, [notice.clone(), notice]);
    assert_eq!(stand.book.list(Some(State::Queued), 9).await.unwrap().len(), 1);

    assert_eq!(stand.book.judge(&id, Verdict::Approve, "").await.unwrap(), Judged::Done);
    assert_eq!(stand.rating().await, (4.0, 1));
    assert_eq!(stand.list("").await["reviews"][0]["body"], "www.lamps.example too");
    let again = stand.book.judge(&id, Verdict::Approve, "").await.unwrap();
    assert_eq!(again, Judged::NotNow(State::Shown));
    let none = stand.book.judge(&"none".parse().unwrap(), Verdict::Refuse, "x").await.unwrap();
    assert_eq!(none, Judged::NoSuchReview);
}

async fn who_was_refused_is_looked_at_first(stand: Stand) {
    stand.buys(MINA).await;
    let id = id_of(&stand.write(MINA, 1, "Bad", "The seller is a crook.").await.body);
    let refused = stand.book.judge(&id, Verdict::Refuse, "It insults somebody.").await.unwrap();
    assert_eq!(refused, Judged::Done);
    assert_eq!(stand.rating().await, (0.0, 0));
    let mine = stand.mine(MINA).await["review"].clone();
    assert_eq!(
        (&mine["state"], &mine["note"]),
        (&json!("refused"), &json!("It insults somebody."))
    );
    assert_eq!(stand.subjects().await, [(MINA.to_owned(), "Your review of Lamp".to_owned())]);
    for text in ["The seller is a fox.", "It hums."] {
        let edited = stand.write(MINA, 1, "Bad", text).await.body;
        assert_eq!(edited["review"]["state"], "queued", "{text}");
    }
    stand.book.judge(&id, Verdict::Approve, "").await.unwrap();
    assert_eq!(
        stand.write(MINA, 2, "Bad", "It hums a bit.").await.body["review"]["state"],
        "shown"
    );
    assert_eq!(stand.rating().await, (2.0, 1));
}

async fn what_is_called_off_cannot_be_reviewed(stand: Stand) {
    let (first, second) = (stand.pays(MINA).await, stand.pays(MINA).await);
    stand.orders(MINA).await;
    stand.write(MINA, 1, "Bad", "It hums.").await;
    let cancel = async |number: &str| {
        let number = number.parse().unwrap();
        let taken = stand.shop.orders.book.take(&number, Step::Withdraw, "").await.unwrap();
        assert!(matches!(taken, Taken::Done(_)));
    };
    cancel(&first).await;
    assert_eq!(stand.rating().await, (1.0, 1));
    cancel(&second).await;
    assert_eq!(stand.rating().await, (0.0, 0));
    assert_eq!(stand.mine(MINA).await["review"]["state"], "queued");
    assert_eq!(stand.write(MINA, 2, "Bad", "Still.").await.body["review"]["state"], "queued");
    stand.ask("DELETE", MINE, MINA, Value::Null).await;
    assert_eq!(stand.mine(MINA).await["mayWrite"], false);
    assert_eq!(stand.write(MINA, 2, "Bad", "Again.").await.status, StatusCode::FORBIDDEN);
}

async fn a_vote_counts_once(stand: Stand) {
    stand.buys(MINA).await;
    let id = id_of(&stand.write(MINA, 5, "Good", "It shines.").await.body);
    let path = format!("/api/reviews/{id}/helpful");
    let vote = async |method: &str, email: &str| stand.ask(method, &path, email, Value::Null).await;
    assert_eq!(vote("PUT", MINA).await.status, StatusCode::FORBIDDEN);
    assert_eq!(vote("PUT", "").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(vote("DELETE", NILA).await.body["helpful"], 0);
    let both =
        tokio::join!(vote("PUT", NILA), vote("PUT", NILA), vote("PUT", OMAR), vote("PUT", NILA));
    for answer in [both.0, both.1, both.2, both.3] {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
    assert_eq!(stand.list("").await["reviews"][0]["helpful"], 2);
    assert_eq!(stand.mine(NILA).await["helpful"], json!([id]));
    assert_eq!(stand.mine(MINA).await["helpful"], json!([]));
    let gone = tokio::join!(vote("DELETE", NILA), vote("DELETE", NILA));
    assert_eq!((&gone.0.body["helpful"], &gone.1.body["helpful"]), (&json!(1), &json!(1)));
    // Neither rating nor edit touches the votes; what is not shown cannot be voted for.
    stand.write(MINA, 4, "Good", "It shines.").await;
    assert_eq!(stand.list("").await["reviews"][0]["helpful"], 1);
    stand.write(MINA, 4, "Good", "See x.com").await;
    assert_eq!(vote("PUT", NILA).await.status, StatusCode::NOT_FOUND);
    let none = stand.ask("PUT", "/api/reviews/none/helpful", NILA, Value::Null).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

async fn many_at_once_make_one_mean(stand: Stand) {
    let emails: Vec<String> = (0..8).map(|n| format!("buyer-{n}@haat.example")).collect();
    for email in &emails {
        stand.buys(email).await;
    }
    let stand = Arc::new(stand);
    // Each writes three times over, all at once.
    let mut writes = JoinSet::new();
    for email in &emails {
        for stars in [1, 5, 3] {
            let (stand, email) = (stand.clone(), email.clone());
            writes
                .spawn(async move { stand.write(&email, stars, "Said", "At once.").await.status });
        }
    }
    assert_eq!(writes.join_all().await, [StatusCode::OK; 24]);
    let summary = stand.list("").await["summary"].clone();
    assert_eq!(summary["count"], 8);
    assert_eq!(stand.rating().await, (summary["rating"].as_f64().unwrap(), 8));
    // Half go while others change their minds.
    let mut changes = JoinSet::new();
    for (n, email) in emails.into_iter().enumerate() {
        let stand = stand.clone();
        changes.spawn(async move {
            match n % 2 {
                0 => stand.ask("DELETE", MINE, &email, Value::Null).await.status,
                _ => stand.write(&email, 4, "Said", "Anew.").await.status,
            }
        });
    }
    assert_eq!(changes.join_all().await, [StatusCode::OK; 8]);
    assert_eq!(stand.rating().await, (4.0, 4));
    assert_eq!(stand.list("").await["reviews"][0]["name"], "A customer");
}

async fn reviews_come_in_their_order_ten_at_a_time(stand: Stand) {
    for n in 0..12 {
        let email = format!("buyer-{n}@haat.example");
        stand.buys(&email).await;
        stand.shop.given.clock.advance(std::time::Duration::from_secs(1));
        stand.write(&email, 1 + n % 5, &format!("No {n}"), "Said.").await;
    }
    let titles = async |query: &str| -> Vec<String> {
        let page = stand.list(query).await;
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
    let third = stand.list("sort=oldest").await["reviews"][2]["_id"].as_str().unwrap().to_owned();
    stand.ask("PUT", &format!("/api/reviews/{third}/helpful"), MINA, Value::Null).await;
    assert_eq!(titles("sort=helpful").await[..2], ["No 2", "No 11"]);
    let page = stand.list("page=2&sort=helpful").await;
    assert_eq!(
        (&page["pages"], &page["pageNumber"], &page["sort"]),
        (&json!(2), &json!(2), &json!("helpful"))
    );
    for (query, field) in
        [("sort=best", "sort"), ("page=0", "page"), ("page=1001", "page"), ("page=x", "page")]
    {
        let answer = stand.ask("GET", &format!("{LIST}?{query}"), "", Value::Null).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.body["error"]["fields"][0]["name"], field);
    }
}

async fn pages_follow_what_changed(stand: Stand) {
    stand.buys(MINA).await;
    let db = &stand.book.db;
    let product = "lamp".parse().unwrap();
    let scopes = [
        reviews::scope_of_reviews(&product),
        catalog::scope_of_product(&product),
        catalog::scope_of_category(&"light".parse().unwrap()),
        catalog::whole(),
    ];
    let moved = async |revisions: &Revisions, since: i64| {
        revisions.look(db).await.unwrap();
        scopes.each_ref().map(|scope| revisions.moved_since(since, std::slice::from_ref(scope)))
    };
    let revisions = Revisions::start(db).await.unwrap();
    let at = revisions.latest();
    let id = id_of(&stand.write(MINA, 5, "Good", "It shines.").await.body);
    assert_eq!(moved(&revisions, at).await, [true; 4]);
    // Other words or a vote are the reviews' alone.
    let at = revisions.latest();
    stand.write(MINA, 5, "Good", "It shines a lot.").await;
    assert_eq!(moved(&revisions, at).await, [true, false, false, false]);
    let at = revisions.latest();
    stand.ask("PUT", &format!("/api/reviews/{id}/helpful"), NILA, Value::Null).await;
    assert_eq!(moved(&revisions, at).await, [true, false, false, false]);
    // What is said twice, or to nobody, moves nothing.
    let at = revisions.latest();
    stand.ask("PUT", &format!("/api/reviews/{id}/helpful"), NILA, Value::Null).await;
    stand.write(MINA, 5, "Good", "It shines a lot.").await;
    assert_eq!(moved(&revisions, at).await, [false; 4]);
}

async fn a_customer_is_forgotten(stand: Stand) {
    for email in [MINA, NILA] {
        stand.buys(email).await;
    }
    let mina = id_of(&stand.write(MINA, 1, "Bad", "It hums.").await.body);
    let nila = id_of(&stand.write(NILA, 5, "Good", "It shines.").await.body);
    for (id, email) in [(&mina, NILA), (&nila, MINA), (&nila, OMAR)] {
        stand.ask("PUT", &format!("/api/reviews/{id}/helpful"), email, Value::Null).await;
    }
    let db = &stand.book.db;
    let uid = format!("uid-{MINA}");
    let kept = reviews::of_customer(db, &uid).await.unwrap();
    assert_eq!((kept.written.len(), kept.written[0].review.title.as_str()), (1, "Bad"));
    assert_eq!(kept.helpful, [nila]);
    let mut tx = db.begin().await.unwrap();
    let moved = reviews::forget(&mut tx, &uid).await.unwrap();
    assert!(moved.contains(&reviews::scope_of_reviews(&"lamp".parse().unwrap())));
    assert!(moved.contains(&catalog::scope_of_product(&"lamp".parse().unwrap())));
    base::revisions::changed(&mut tx, moved).await.unwrap();
    tx.commit().await.unwrap();
    let kept = reviews::of_customer(db, &uid).await.unwrap();
    assert!(kept.written.is_empty() && kept.helpful.is_empty());
    assert_eq!(stand.rating().await, (5.0, 1));
    assert_eq!(stand.list("").await["reviews"][0]["helpful"], 1);
    // The votes for what is gone went with it.
    assert_eq!(stand.shop.count("review_votes").await, 1);
}

async fn nobody_writes_without_end(stand: Stand) {
    stand.buys(MINA).await;
    for n in 0..30 {
        let answer = stand.write(MINA, 5, "Good", &format!("Again {n}.")).await;
        assert_eq!(answer.status, StatusCode::OK, "{n}");
    }
    let answer = stand.write(MINA, 5, "Good", "Once more.").await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(stand.mine(MINA).await["review"]["body"], "Again 29.");
}
