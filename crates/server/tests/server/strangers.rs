//! Access control: a customer can never read or change another customer's data. Every operation of the OpenAPI
//! description and every page has a line here; the test fails for one without, and says what to add.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::Method;
use serde_json::{Value, json};
use shop::orders::Step;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    no_call_reads_or_changes_another_customers_data,
    no_page_contains_personal_data,
    the_identity_service_isolates_accounts,
);

/// A customer with an order, a cart, a wishlist, an address, store credit, a gift card and a review. A new module that stores
/// customer data adds some to `customer_with_data`.
struct Person {
    uid: String,
    email: String,
    name: String,
    id_token: String,
    refresh_token: String,
    access_token: String,
    number: String,
    /// The id of an address.
    address: String,
    /// A third customer's review.
    seen_review: String,
    /// The code of a gift card that was sent to the address.
    gift_card: String,
}

const PASSWORD: &str = "Secret1!";
const SIGN_UP: &str = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
const LOOKUP: &str = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=haat-storefront";
const PHONE: &str = "+8801711000001";
const ADDRESS: &str = "7 Hidden Lane, Sylhet";
const PRODUCT: &str = "tarn-over-ear-headphones";
/// Of no order.
const NO_KEY: &str = "0123456789abcdef0123456789abcdef";

async fn customer_with_data(app: &TestApp, name: &str) -> Person {
    let email = format!("{}@haat.example", name.to_lowercase());
    let body = json!({ "email": email, "password": PASSWORD, "displayName": name });
    let new = app.request("POST", SIGN_UP, "", body).await.json();
    let text = |field: &str| new[field].as_str().unwrap().to_owned();
    let id_token = text("idToken");
    let saved = json!({ "name": name, "email": email });
    assert_eq!(
        app.request("POST", "/api/user", &id_token, saved).await.status,
        StatusCode::CREATED
    );
    // With a verified address a customer may have several open orders.
    let access_token = app.verify_email(&email, &id_token).await;
    let put = json!({ "lines": [{ "_id": "quern-pepper-mill", "qtn": 2 }] });
    assert_eq!(app.request("PATCH", "/api/cart", &access_token, put).await.status, StatusCode::OK);
    let wishes = json!({ "products": [PRODUCT] });
    assert_eq!(
        app.request("POST", "/api/wishlist", &access_token, wishes).await.status,
        StatusCode::OK
    );
    // A delivered order can be reviewed, an open one cancelled.
    app.receive_order(&access_token, name).await;
    let placed = app.request("POST", "/api/orders", &access_token, order(name)).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
    app.review(&access_token).await;
    let address = json!({ "name": name, "phone": PHONE, "address": ADDRESS });
    let addresses = app.request("POST", "/api/addresses", &access_token, address).await.json();
    let TestDb { db, clock, random, .. } = &app.given;
    let (uid, ten) = (text("localId"), usd(1000));
    shop::credit::grant(db, clock, random, &uid, ten, "For the wait").await.unwrap();
    let gift_card = app.gift_card(&email).await;
    Person {
        gift_card,
        uid,
        address: addresses[0]["_id"].as_str().unwrap().to_owned(),
        seen_review: app.writers_review(name).await,
        refresh_token: text("refreshToken"),
        number: placed.json()["number"].as_str().unwrap().to_owned(),
        email,
        name: name.to_owned(),
        id_token,
        access_token,
    }
}

impl TestApp {
    /// Places an order that is then delivered.
    async fn receive_order(&self, token: &str, name: &str) {
        let placed = self.request("POST", "/api/orders", token, order(name)).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        let number = placed.json()["number"].as_str().unwrap().parse().unwrap();
        for step in [Step::Advance; 4] {
            self.book().apply(&number, step, "").await.unwrap();
        }
    }

    /// Reviews the product that all have bought, and returns the review's id.
    async fn review(&self, token: &str) -> String {
        let path = format!("/api/products/{PRODUCT}/reviews/mine");
        let review = json!({ "rating": 4, "title": "Good", "body": "They fold flat." });
        let written = self.request("PUT", &path, token, review).await;
        assert_eq!(written.status, StatusCode::OK, "{}", written.text());
        written.json()["review"]["_id"].as_str().unwrap().to_owned()
    }

    /// A review by another customer.
    async fn writers_review(&self, of: &str) -> String {
        let email = format!("writer-{}@haat.example", of.to_lowercase());
        let body = json!({ "email": email, "password": PASSWORD });
        let new = self.request("POST", SIGN_UP, "", body).await.json();
        let token = self.access_token(new["idToken"].as_str().unwrap(), &email).await;
        self.receive_order(&token, "Writer").await;
        self.review(&token).await
    }
}

fn order(name: &str) -> Value {
    json!({ "name": name, "phone": PHONE, "address": ADDRESS, "total": 359,
            "lines": [{ "_id": PRODUCT, "qtn": 1 }] })
}

/// The access rule of an operation, with a request for the owner's data where possible.
struct Call {
    access: Access,
    path: String,
    body: Value,
    /// Whether it needs the ID token instead of the access token.
    by_id_token: bool,
    /// Whether it needs none in a shop where guests order. In the shop of these tests they do not.
    by_guests: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Access {
    /// Public, without a token: the response has no personal data.
    Public,
    /// The caller's own data by token; the request cannot name another customer. Without a token, 401.
    OwnData,
    /// The request names the owner's data; others get this status. Without a token, 401.
    OwnerOnly(u16),
}

impl Call {
    /// Whether the description requires this call's kind of token. Without one, an empty alternative allows the call.
    fn described_token(&self, description: &Value, line: &str) -> bool {
        let (method, path) = line.split_once(' ').unwrap();
        let security = &description["paths"][path][method.to_lowercase()]["security"];
        let scheme = if self.by_id_token { "idToken" } else { "accessToken" };
        match self.by_guests {
            true => *security == json!([{}, { scheme: [] }]),
            false => *security == json!([{ scheme: [] }]),
        }
    }
}

fn public(path: &str, body: Value) -> Call {
    Call { access: Access::Public, path: path.into(), body, by_id_token: false, by_guests: false }
}

fn own_data(path: &str, body: Value) -> Call {
    Call { access: Access::OwnData, path: path.into(), body, by_id_token: false, by_guests: false }
}

fn owner_only(refused_with: u16, path: String, body: Value) -> Call {
    Call {
        access: Access::OwnerOnly(refused_with),
        path,
        body,
        by_id_token: false,
        by_guests: false,
    }
}

fn by_id_token(call: Call) -> Call {
    Call { by_id_token: true, ..call }
}

fn by_guests(call: Call) -> Call {
    Call { by_guests: true, ..call }
}

/// One line per operation of the description: `METHOD path`, and a request.
#[rustfmt::skip]
fn calls(owner: &Person) -> Vec<(&'static str, Call)> {
    let Person { email, number, address, seen_review, gift_card, .. } = owner;
    let nothing = json!({});
    let mine = format!("/api/products/{PRODUCT}/reviews/mine");
    let helpful = format!("/api/reviews/{seen_review}/helpful");
    let moved = json!({ "name": "X", "phone": PHONE, "address": "X" });
    let lines = json!({ "lines": [{ "_id": PRODUCT, "qtn": 1 }] });
    let specified = json!({ "firstname": "X", "email": email, "phone": PHONE, "address": "X",
                            "getState": [{ "_id": PRODUCT, "qtn": 1 }], "grandPrice": 359 });
    vec![
        ("GET /api/products", public("/api/products", nothing.clone())),
        ("GET /api/products/{id}", public("/api/products/quern-pepper-mill", nothing.clone())),
        ("GET /api/products/{id}/variants", public("/api/products/quern-pepper-mill/variants", nothing.clone())),
        ("GET /api/variants", public("/api/variants?ids=quern-pepper-mill", nothing.clone())),
        ("GET /api/category", public("/api/category", nothing.clone())),
        ("GET /api/category/{id}", public("/api/category/audio", nothing.clone())),
        ("GET /api/search", public("/api/search?q=mill", nothing.clone())),
        ("GET /api/search/suggestions", public("/api/search/suggestions?q=mi", nothing.clone())),
        ("GET /api/countries", public("/api/countries", nothing.clone())),
        // The shop of these tests delivers to no country: an address is a text.
        ("GET /api/countries/{code}", public("/api/countries/BD", nothing.clone())),
        ("GET /api/payments", public("/api/payments", nothing.clone())),
        ("GET /api/pass", public("/api/pass", nothing.clone())),
        ("POST /api/quote", public("/api/quote", lines.clone())),
        ("POST /api/contact", public("/api/contact", json!({ "name": "X", "email": "x@haat.example", "message": "X" }))),
        ("POST /api/newsletter", public("/api/newsletter", json!({ "email": "x@haat.example" }))),
        ("POST /api/stock-alerts", public("/api/stock-alerts", json!({ "product": "skerry-turntable", "email": "x@haat.example" }))),
        // Whoever has the code may see the balance, and nothing else.
        ("POST /api/gift-cards/check", public("/api/gift-cards/check", json!({ "code": gift_card }))),
        // Whoever has the link may see how far the order is paid, and pay it; this is not the link.
        ("GET /api/pay/{number}", public(&format!("/api/pay/{number}?key={NO_KEY}"), nothing.clone())),
        ("POST /api/pay/{number}", public(&format!("/api/pay/{number}?key={NO_KEY}"), json!({ "payment": "card" }))),
        ("POST /api/pay/{number}/cancel", public(&format!("/api/pay/{number}/cancel?key={NO_KEY}"), nothing.clone())),
        ("POST /api/track", public("/api/track", json!({ "number": number, "email": "x@haat.example" }))),

        ("GET /api/user/jwt", by_id_token(owner_only(403, format!("/api/user/jwt?email={email}"), nothing.clone()))),
        ("POST /api/user", by_id_token(owner_only(403, "/api/user".into(), json!({ "name": "X", "email": email })))),
        ("PUT /api/user/{email}", owner_only(403, format!("/api/user/{email}"), json!({ "displayName": "X" }))),

        ("GET /api/cart", own_data("/api/cart", nothing.clone())),
        ("PATCH /api/cart", own_data("/api/cart", lines.clone())),
        ("POST /api/cart/join", own_data("/api/cart/join", lines)),

        ("GET /api/wishlist", own_data("/api/wishlist", nothing.clone())),
        ("POST /api/wishlist", own_data("/api/wishlist", json!({ "products": [PRODUCT] }))),
        ("PUT /api/wishlist/{product}", own_data("/api/wishlist/quern-pepper-mill", nothing.clone())),
        ("DELETE /api/wishlist/{product}", own_data(&format!("/api/wishlist/{PRODUCT}"), nothing.clone())),
        ("POST /api/wishlist/share", own_data("/api/wishlist/share", nothing.clone())),
        ("DELETE /api/wishlist/share", own_data("/api/wishlist/share", nothing.clone())),

        // Reviews are public with their author's name; this product has none.
        ("GET /api/products/{id}/reviews", public("/api/products/quern-pepper-mill/reviews", nothing.clone())),
        ("GET /api/products/{id}/reviews/mine", own_data(&mine, nothing.clone())),
        ("PUT /api/products/{id}/reviews/mine", own_data(&mine, json!({ "rating": 1, "title": "X", "body": "X" }))),
        ("DELETE /api/products/{id}/reviews/mine", own_data(&mine, nothing.clone())),
        ("PUT /api/reviews/{id}/helpful", own_data(&helpful, nothing.clone())),
        ("DELETE /api/reviews/{id}/helpful", own_data(&helpful, nothing.clone())),

        ("GET /api/addresses", own_data("/api/addresses", nothing.clone())),
        ("POST /api/addresses", own_data("/api/addresses", moved.clone())),
        ("PUT /api/addresses/{id}", owner_only(404, format!("/api/addresses/{address}"), moved)),
        ("DELETE /api/addresses/{id}", owner_only(404, format!("/api/addresses/{address}"), nothing.clone())),
        ("GET /api/credit", own_data("/api/credit", nothing.clone())),
        ("PUT /api/account/photo", own_data("/api/account/photo", nothing.clone())),
        ("DELETE /api/account/photo", own_data("/api/account/photo", nothing.clone())),
        ("GET /api/account/data", by_id_token(own_data("/api/account/data", nothing.clone()))),
        ("DELETE /api/account", by_id_token(own_data("/api/account", nothing.clone()))),

        ("POST /api/order", owner_only(403, "/api/order".into(), specified)),
        ("GET /api/order/s/", owner_only(403, format!("/api/order/s/?email={email}"), nothing.clone())),
        ("POST /api/orders", by_guests(own_data("/api/orders", order("X")))),
        ("POST /api/orders/claim", owner_only(404, "/api/orders/claim".into(), json!({ "number": number }))),
        ("POST /api/orders/phone-code", public("/api/orders/phone-code", json!({ "phone": PHONE }))),
        ("GET /api/orders", own_data("/api/orders", nothing.clone())),
        ("GET /api/orders/{number}", owner_only(404, format!("/api/orders/{number}"), nothing.clone())),
        ("GET /api/orders/{number}/invoice", owner_only(404, format!("/api/orders/{number}/invoice"), nothing.clone())),
        ("GET /api/orders/{number}/invoice.pdf", owner_only(404, format!("/api/orders/{number}/invoice.pdf"), nothing.clone())),
        ("POST /api/orders/{number}/return", owner_only(404, format!("/api/orders/{number}/return"), json!({ "note": "X" }))),
        ("POST /api/orders/{number}/cancel", owner_only(404, format!("/api/orders/{number}/cancel"), nothing)),
    ]
}

/// One line per page, by its name in the description, with URLs that contain the owner's data.
#[rustfmt::skip]
fn pages(owner: &Person) -> Vec<(&'static str, Vec<String>)> {
    let Person { email, number, uid, .. } = owner;
    let plain = |address: &str| vec![address.to_owned()];
    vec![
        ("home", plain("/")),
        ("category", plain("/category/audio")),
        ("search", plain("/search?q=mill")),
        ("product", plain("/product/quern-pepper-mill")),
        ("cart", vec!["/cart".into(), "/cart?step=checkout".into(), format!("/cart?step=completed&number={number}")]),
        ("checkout", plain("/checkout")),
        ("gift-card", vec!["/gift-card".into(), "/gift-card?code=AAAA-BBBB-CCCC-DDDD".into()]),
        ("pay", vec![format!("/pay/{number}?key={NO_KEY}")]),
        ("track", vec![format!("/track?number={number}&email={email}")]),
        ("account", vec![format!("/account?uid={uid}"), format!("/account/orders?number={number}"),
                         format!("/account/orders/{number}"),
                         format!("/account/profile?uid={uid}"), format!("/account/credit?uid={uid}")]),
        ("wishlist", vec![format!("/wishlist?email={email}")]),
        // A shared wishlist shows its owner's name; this one is not shared.
        ("shared-wishlist", plain("/wishlist/0123456789abcdef0123456789abcdef")),
        ("back-in-stock", plain("/back-in-stock/leave")),
        ("login", vec![format!("/login?email={email}")]),
        ("register", plain("/register")),
        ("signup", plain("/signup")),
        ("auth-action", plain("/auth/action?mode=resetPassword&oobCode=x")),
        ("api-docs", plain("/api/docs")),
        ("blog", plain("/blog")),
        ("post", plain("/blog/looking-after-leather")),
        ("about", plain("/about")),
        ("contact", vec!["/contact".into(), "/contact/sent".into()]),
        ("policy", plain("/privacy")),
        ("newsletter", plain("/newsletter/sent")),
        ("offline", plain("/offline")),
        ("dev-ui", plain("/dev/ui")),
        ("not-found", vec![format!("/account/{number}")]),
        ("error", plain("/product/%ff")),
    ]
}

impl Person {
    fn token(&self, call: &Call) -> &str {
        if call.by_id_token { &self.id_token } else { &self.access_token }
    }

    /// What a response to another customer must not contain, except for what that customer sent.
    fn traces(&self, sent: &str) -> Vec<&str> {
        let Self { uid, email, name, number, .. } = self;
        let traces = [uid, email, name, number, PHONE, ADDRESS];
        traces.into_iter().filter(|trace| !sent.contains(*trace)).collect()
    }
}

impl TestApp {
    async fn call(&self, line: &str, call: &Call, token: &str) -> TestResponse {
        let method = line.split(' ').next().unwrap();
        self.request(method, &call.path, token, call.body.clone()).await
    }

    /// All data that the API shows to its owner.
    async fn personal_data(&self, owner: &Person) -> Vec<(&'static str, StatusCode, Vec<u8>)> {
        let mut shown = Vec::new();
        for (line, call) in calls(owner) {
            if line.starts_with("GET ") && call.access != Access::Public && !call.by_id_token {
                let answer = self.call(line, &call, &owner.access_token).await;
                assert_eq!(answer.status, StatusCode::OK, "{line}: {}", answer.text());
                shown.push((line, answer.status, own(answer.body)));
            }
        }
        let account = self.request("POST", LOOKUP, "", json!({ "idToken": owner.id_token })).await;
        shown.push(("account", account.status, account.body));
        shown
    }

    /// Sends a body that must not be read before the token is checked.
    async fn refuses_before_reading(&self, line: &str, call: &Call, token: &str) {
        let read = Arc::new(AtomicBool::new(false));
        let body = Body::from_stream(futures_util::stream::once({
            let read = read.clone();
            async move {
                read.store(true, Ordering::SeqCst);
                Ok::<_, std::io::Error>(vec![b' '; 1 << 16])
            }
        }));
        let request = Request::builder()
            .method(line.split(' ').next().unwrap())
            .uri(&call.path)
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        let answer = self.send(request.body(body).unwrap()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{line}: {}", answer.text());
        assert!(!read.load(Ordering::SeqCst), "{line} reads what a stranger sends");
    }

    fn assert_no_traces(&self, line: &str, answer: &TestResponse, owner: &Person, sent: &str) {
        let text = String::from_utf8_lossy(&answer.body);
        for trace in owner.traces(sent) {
            assert!(!text.contains(trace), "{line} tells {trace} to somebody else: {text}");
        }
    }
}

async fn no_call_reads_or_changes_another_customers_data(app: TestApp) {
    let owner = customer_with_data(&app, "Ayesha").await;
    let other = customer_with_data(&app, "Mallory").await;
    let calls = calls(&owner);

    let description = app.get("/api/openapi.json").await.json();
    let described: Vec<String> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    for call in &described {
        assert!(
            calls.iter().any(|(line, _)| line == call),
            "{call} is new: say in calls() of strangers.rs whom it answers, public, own_data or \
             owner_only, and let customer_with_data() make what it could show"
        );
    }
    for (line, _) in &calls {
        assert!(described.iter().any(|call| call == line), "{line} is gone: take its line out");
    }

    let before = app.personal_data(&owner).await;
    for (line, call) in &calls {
        let sent = format!("{} {}", call.path, call.body);
        for token in ["", "x", &format!("{}x", owner.token(call))] {
            let nobody = app.call(line, call, token).await;
            assert!(!nobody.status.is_server_error(), "{line}: {}", nobody.status);
            if token.is_empty() {
                let described = call.described_token(&description, line);
                let refused = nobody.status == StatusCode::UNAUTHORIZED;
                assert_eq!(described, refused, "{line}: the `security` of its description");
            }
            if call.access != Access::Public {
                assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "{line} without a token");
                assert_eq!(nobody.header("cache-control"), "no-store", "{line}");
                app.refuses_before_reading(line, call, token).await;
            }
            app.assert_no_traces(line, &nobody, &owner, &sent);
        }
        let answer = app.call(line, call, other.token(call)).await;
        assert!(!answer.status.is_server_error(), "{line}: {}", answer.status);
        if let Access::OwnerOnly(status) = call.access {
            assert_eq!(answer.status, status, "{line} by somebody else: {}", answer.text());
        }
        // The other customer's own data is allowed; a PDF is not searchable as text.
        app.assert_no_traces(line, &answer, &owner, &format!("{sent} {PHONE} {ADDRESS}"));
    }
    assert!(app.personal_data(&owner).await == before, "somebody else changed what is the owner's");

    // The requests are valid: their owner is not refused.
    for (line, call) in &calls {
        let answer = app.call(line, call, owner.token(call)).await;
        let refused = [401, 403, 404].contains(&answer.status.as_u16());
        let meant = ["POST /api/track", "GET /api/countries/{code}", "POST /api/orders/phone-code"];
        // The key is that of no order.
        let meant = meant.contains(line) || line.contains("/api/pay/{number}");
        assert_eq!(refused, meant, "{line} by its owner: {}", answer.status);
        if call.access != Access::Public {
            assert_eq!(answer.header("cache-control"), "no-store", "{line}");
        }
    }

    // Both tokens of a revoked session are refused.
    let ended = app.request("POST", "/auth/devices/end", &owner.id_token, json!({})).await;
    assert_eq!(ended.status, StatusCode::OK, "{}", ended.text());
    for (line, call) in calls.iter().filter(|(_, call)| call.access != Access::Public) {
        let answer = app.call(line, call, owner.token(call)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{line}: {}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store", "{line}");
        app.refuses_before_reading(line, call, owner.token(call)).await;
    }
}

async fn no_page_contains_personal_data(app: TestApp) {
    let owner = customer_with_data(&app, "Ayesha").await;
    let pages = pages(&owner);
    let description = app.get("/api/openapi.json").await.json();
    let kinds = description["components"]["schemas"]["PageProps"]["oneOf"].as_array().unwrap();
    for kind in kinds {
        let name = kind["properties"]["page"]["enum"][0].as_str().unwrap();
        let told = pages.iter().any(|(page, _)| *page == name);
        assert!(told, "{name} is a new page: give it a line in pages() of strangers.rs");
    }
    assert_eq!(pages.len(), kinds.len(), "a page is gone: take its line out");

    let bearer = format!("Bearer {}", owner.access_token);
    let cookie = format!("accessToken={}", owner.access_token);
    for address in pages.iter().flat_map(|(_, addresses)| addresses) {
        for form in ["text/html", "application/json"] {
            let plain = [("accept", form)];
            let signed = [("accept", form), ("authorization", &bearer), ("cookie", &cookie)];
            let nobody = app.get_as(address, &plain).await;
            let holder = app.get_as(address, &signed).await;
            assert!(!nobody.status.is_server_error(), "{address}: {}", nobody.status);
            for answer in [&nobody, &holder] {
                // Not even data of the URL: the page is cached for all visitors.
                app.assert_no_traces(address, answer, &owner, "");
            }
            assert_eq!(stripped(&nobody), stripped(&holder), "{address} differs by who asks");
        }
    }
}

/// Without the product's rating, which others may change.
fn own(body: Vec<u8>) -> Vec<u8> {
    match serde_json::from_slice(&body) {
        Ok(Value::Object(mut fields)) => {
            fields.remove("summary");
            serde_json::to_vec(&fields).unwrap()
        }
        _ => body,
    }
}

/// Without the request id, which an error shows.
fn stripped(answer: &TestResponse) -> (StatusCode, String) {
    let id = answer.header("x-request-id").to_owned();
    (answer.status, answer.text().replace(&id, "").to_owned())
}

async fn the_identity_service_isolates_accounts(app: TestApp) {
    let owner = customer_with_data(&app, "Ayesha").await;
    let other = customer_with_data(&app, "Mallory").await;
    let before = app.personal_data(&owner).await;
    let mut addresses = identity::operation_paths("haat");
    // After deleting its own account the other has no token left for the rest.
    addresses.sort_by_key(|(_, path)| path.contains("delete"));
    for (method, path) in addresses {
        // The other's token with the owner's identifiers.
        let body = json!({
            "idToken": other.id_token, "localId": owner.uid, "email": owner.email, "displayName": "X",
            "newEmail": "x@haat.example", "requestType": "PASSWORD_RESET", "returnOobLink": false,
            "grant_type": "refresh_token", "refresh_token": format!("{}x", owner.refresh_token),
        });
        let with_key = format!("{path}?key=haat-storefront&localId={}", owner.uid);
        let body = if method == Method::GET { json!({}) } else { body };
        for token in ["", "x", &other.id_token, &other.access_token] {
            let answer = app.request(method.as_str(), &with_key, token, body.clone()).await;
            let line = format!("{method} {path}");
            assert_ne!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "{line}");
            if path.contains("/projects/") {
                assert!(answer.status.is_client_error(), "{line} is for admins: {}", answer.text());
            }
            // A response may repeat the address of the request.
            app.assert_no_traces(&line, &answer, &owner, &owner.email);
        }
    }
    assert!(app.personal_data(&owner).await == before, "somebody else changed the owner's account");
    let sign_in =
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=haat-storefront";
    let body = json!({ "email": owner.email, "password": PASSWORD, "returnSecureToken": true });
    assert_eq!(app.request("POST", sign_in, "", body).await.status, StatusCode::OK);
    let refresh = "/securetoken.googleapis.com/v1/token?key=haat-storefront";
    let body = json!({ "grant_type": "refresh_token", "refresh_token": owner.refresh_token });
    assert_eq!(app.request("POST", refresh, "", body).await.status, StatusCode::OK);
}
