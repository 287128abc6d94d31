//! Languages: addresses, cached pages, forms, the API's choice, and what is kept about people.

use axum::routing::get;
use messages::Messages;
use platform::language::Language;
use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp:
    the_language_is_the_prefix_of_the_address,
    cached_pages_of_two_languages_do_not_mix,
    forms_keep_the_language_of_their_page,
    search_engines_find_every_language,
    feeds_and_the_manifest_exist_in_each_language,
    a_customer_has_a_language,
    orders_subscribers_and_alerts_remember_their_language,
    errors_have_codes_and_parameters,
    bangla_digits_are_accepted,
);

const LAMP: &str = "/product/skerry-turntable";
const JSON: [(&str, &str); 1] = [("accept", "application/json")];

fn html_tag(page: &TestResponse) -> &str {
    page.text().split('>').nth(1).unwrap()
}

impl TestApp {
    async fn page_json(&self, address: &str) -> Value {
        self.get_as(address, &JSON).await.json()
    }

    async fn send_json(
        &self,
        (method, path): (&str, &str),
        token: &str,
        language: &str,
        body: &Value,
    ) -> TestResponse {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {token}"))
            .header("accept-language", language)
            .header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}

async fn the_language_is_the_prefix_of_the_address(app: TestApp) {
    for (address, language, url) in [
        ("/", "en", "/"),
        ("/bn", "bn", "/"),
        ("/bn/", "bn", "/"),
        ("/bn/cart?step=checkout&x=1", "bn", "/cart?step=checkout"),
        ("/bn/search?q=lamp", "bn", "/search?q=lamp"),
        ("/bn/api/docs", "bn", "/api/docs"),
        ("/api/docs?language=bn", "en", "/api/docs"),
    ] {
        let page = app.page_json(address).await;
        assert_eq!((&page["language"], &page["url"]), (&json!(language), &json!(url)), "{address}");
        assert_eq!(page["shop"]["languages"], json!(["en", "bn"]), "{address}");
    }
    assert_eq!(html_tag(&app.get(LAMP).await), "<html lang=\"en\" dir=\"ltr\"");
    let bangla = app.get(&format!("/bn{LAMP}")).await;
    assert_eq!(html_tag(&bangla), "<html lang=\"bn\" dir=\"ltr\"");
    assert!(bangla.text().contains("rel=\"manifest\" href=\"/bn/manifest.webmanifest\""));

    // The choice is a cookie, and a page shows what its address says.
    let chosen = [("cookie", "language=bn"), ("accept-language", "bn")];
    assert_eq!(html_tag(&app.get_as("/", &chosen).await), "<html lang=\"en\" dir=\"ltr\"");

    // The default language has one address.
    for (address, location) in [
        ("/en", "/"),
        ("/en/", "/"),
        ("/en/cart?step=checkout", "/cart?step=checkout"),
        ("/en/bn/cart", "/bn/cart"),
    ] {
        let moved = app.get(address).await;
        assert_eq!(moved.status, StatusCode::PERMANENT_REDIRECT, "{address}");
        assert_eq!(moved.header("location"), location, "{address}");
    }
    for (address, language) in [
        ("/en//evil.example", "en"),
        ("/fr/cart", "en"),
        ("/bn/nothing", "bn"),
        ("/bn/product/nothing", "bn"),
        ("/bn/fr/cart", "bn"),
        ("/bn/bn/cart", "bn"),
        // These are in no language.
        ("/bn/api/products", "bn"),
        ("/bn/healthz", "bn"),
        ("/bn/robots.txt", "bn"),
        ("/bn/favicon.svg", "bn"),
    ] {
        let missing = app.get(address).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{address}");
        let tag = format!("<html lang=\"{language}\" dir=\"ltr\"");
        assert_eq!(html_tag(&missing), tag, "{address}");
    }
    let refused = Request::post("/bn/cart").header("accept", "text/html").body(Body::empty());
    let refused = app.send(refused.unwrap()).await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(html_tag(&refused), "<html lang=\"bn\" dir=\"ltr\"");
}

async fn cached_pages_of_two_languages_do_not_mix(app: TestApp) {
    let bangla = format!("/bn{LAMP}");
    // The second time they are answered without the router.
    for _ in 0..2 {
        for (address, language) in [(LAMP, "en"), (&bangla, "bn")] {
            let page = app.get(address).await;
            assert!(html_tag(&page).contains(&format!("lang=\"{language}\"")), "{address}");
            assert_eq!(app.page_json(address).await["language"], language, "{address}");
        }
    }
    assert_eq!(app.renders().await, 2);
    let tag = |page: &TestResponse| page.header("etag").to_owned();
    let (english, bangla) = (tag(&app.get(LAMP).await), app.get(&bangla).await);
    assert_ne!(english, tag(&bangla));
    assert_eq!(bangla.header("vary"), "accept, accept-encoding, cookie");
    let product = app.get(&format!("/api{}", LAMP.replace("product", "products"))).await;
    assert_eq!(product.header("vary"), "accept-encoding, accept-language, x-currency");
}

#[tokio::test]
async fn an_api_call_chooses_its_language() {
    let more = |routes: Router| {
        routes.route("/api/test/language", get(async |language: Language| language.to_string()))
    };
    let app = TestApp::with(Engine::Sqlite, more, None).await;
    for (query, accepted, wanted) in [
        ("", "", "en"),
        ("", "bn-BD,bn;q=0.9,en;q=0.8", "bn"),
        ("?language=en", "bn", "en"),
        ("?language=bn", "en", "bn"),
        ("?language=fr", "bn", "bn"),
    ] {
        let address = format!("/api/test/language{query}");
        let answer = app.get_as(&address, &[("accept-language", accepted)]).await;
        assert_eq!(answer.text(), wanted, "{query} {accepted}");
    }
    let description = app.get("/api/openapi.json").await.json();
    let parameters = &description["paths"]["/api/orders"]["post"]["parameters"];
    let named = |parameter: &Value| parameter["name"] == "language" && parameter["in"] == "query";
    assert!(parameters.as_array().unwrap().iter().any(named), "{parameters}");
}

async fn forms_keep_the_language_of_their_page(app: TestApp) {
    for (path, form, location) in [
        ("/bn/contact", "name=R&email=r%40example.com&message=M", "/bn/contact/sent"),
        ("/contact", "name=R&email=s%40example.com&message=M", "/contact/sent"),
        ("/bn/newsletter", "email=r%40example.com", "/bn/newsletter/sent"),
        ("/bn/newsletter/confirm?token=x", "", "/bn/newsletter/stale"),
        ("/bn/newsletter/leave?token=x", "", "/bn/newsletter/stale"),
        (
            "/bn/back-in-stock",
            "product=skerry-turntable&email=r%40example.com",
            "/bn/back-in-stock/asked",
        ),
        (
            "/bn/back-in-stock",
            "product=tarn-over-ear-headphones&email=r%40example.com",
            "/bn/product/tarn-over-ear-headphones",
        ),
        ("/bn/currency", "currency=BDT&back=/cart?step=checkout", "/bn/cart?step=checkout"),
        ("/bn/currency", "currency=BDT&back=/bn/cart", "/bn/cart"),
        ("/bn/currency", "currency=BDT", "/bn"),
        ("/bn/currency", "currency=BDT&back=//evil.example", "/bn"),
        ("/currency", "currency=BDT&back=/bn?x=1", "/bn?x=1"),
        ("/currency", "currency=BDT&back=/", "/"),
    ] {
        let answer = app.post_form(path, form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path} {form}: {}", answer.text());
        assert_eq!(answer.header("location"), location, "{path} {form}");
    }
    let wrong = app.post_form("/bn/contact", "name=R&email=x&message=M").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(html_tag(&wrong), "<html lang=\"bn\" dir=\"ltr\"");
    let sentence = Messages::text(bangla(), "errors.badEmail", &[]);
    assert!(wrong.text().contains(&format!("<title>{sentence}</title>")), "{}", wrong.text());
    assert!(wrong.text().contains("<a href=\"/bn\">হোম</a></noscript>"));
    let one_click = "List-Unsubscribe=One-Click";
    let invalid = app.post_form("/bn/newsletter/leave?token=x", one_click).await;
    assert_eq!(invalid.text(), "এই লিংকটি সঠিক নয়।\n");
    let foreign = Request::post("/bn/contact").header("sec-fetch-site", "cross-site");
    let foreign = app.send(foreign.body(Body::empty()).unwrap()).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert_eq!(html_tag(&foreign), "<html lang=\"bn\" dir=\"ltr\"");
}

async fn search_engines_find_every_language(app: TestApp) {
    let map = app.get("/sitemap.xml").await;
    let url = |language: &str, prefix: &str| {
        format!(
            "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" \
             href=\"https://haat.example{prefix}{LAMP}\"/>"
        )
    };
    let alternates = [url("en", ""), url("bn", "/bn"), url("x-default", "")].concat();
    assert_eq!(map.text().matches(&alternates).count(), 2, "in both languages' entries");
    assert!(map.text().contains("href=\"https://haat.example/bn\"/>"));
    let robots = app.get("/robots.txt").await;
    for line in ["Disallow: /cart\n", "Disallow: /bn/cart\n", "Disallow: /bn/account\n"] {
        assert!(robots.text().contains(line), "{line}");
    }
}

async fn feeds_and_the_manifest_exist_in_each_language(app: TestApp) {
    let manifest = app.get("/bn/manifest.webmanifest").await.json();
    let values = ["lang", "dir", "start_url", "scope"].map(|name| manifest[name].clone());
    assert_eq!(json!(values), json!(["bn", "ltr", "/bn", "/"]));
    assert_eq!(app.get("/manifest.webmanifest").await.json()["start_url"], "/");
    for _ in 0..2 {
        for (prefix, language) in [("", "en"), ("/bn", "bn")] {
            let feed = app.get(&format!("{prefix}/blog/feed.xml")).await;
            assert!(feed.text().contains(&format!("<language>{language}</language>")));
            let link = format!("<link>https://haat.example{prefix}/blog/looking-after-leather<");
            assert!(feed.text().contains(&link), "{prefix}");
        }
    }
    let products = app.get("/bn/feeds/google.xml").await;
    assert!(products.text().contains(&format!("<link>https://haat.example/bn{LAMP}?variant=")));
}

async fn a_customer_has_a_language(app: TestApp) {
    let id_token = app.id_token("rahim@haat.example").await;
    let me = "/api/user/rahim@haat.example";
    let registered = app.send_json(("POST", "/api/user"), &id_token, "bn", &json!({})).await;
    assert_eq!(registered.json()["language"], "bn", "{}", registered.text());
    let token = app.access_token(&id_token, "rahim@haat.example").await;
    // Another visit in another language changes nothing; the profile does.
    let name = json!({ "displayName": "Rahim" });
    let renamed = app.send_json(("PUT", me), &token, "en", &name).await;
    assert_eq!(renamed.json()["language"], "bn");
    let chosen = json!({ "displayName": "Rahim", "language": "en" });
    assert_eq!(app.send_json(("PUT", me), &token, "bn", &chosen).await.json()["language"], "en");
    for wrong in ["fr", "", "EN"] {
        let wrong = json!({ "displayName": "Rahim", "language": wrong });
        let answer = app.send_json(("PUT", me), &token, "bn", &wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    // Also the choice in the storefront, when an access token is fetched.
    let exchange = async |cookie: &str| {
        let request = Request::get("/api/user/jwt?email=rahim@haat.example")
            .header("authorization", format!("Bearer {id_token}"))
            .header("cookie", cookie);
        let answer = app.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::OK);
        app.send_json(("PUT", me), &token, "en", &name).await.json()["language"].take()
    };
    assert_eq!(exchange("currency=BDT; language=bn").await, "bn");
    assert_eq!(exchange("language=fr").await, "bn");
    assert_eq!(exchange("language=en").await, "en");
    // As it was stored before languages existed.
    app.given.db.query("update customers set language = null").execute().await.unwrap();
    assert_eq!(exchange("currency=BDT").await, "en");
}

async fn orders_subscribers_and_alerts_remember_their_language(app: TestApp) {
    let id_token = app.id_token("rahim@haat.example").await;
    let token = app.access_token(&id_token, "rahim@haat.example").await;
    let lines = json!([{ "_id": "quern-pepper-mill", "qtn": 1 }]);
    let quote = app.request("POST", "/api/quote", "", json!({ "lines": lines })).await.json();
    let order = json!({ "name": "রহিম", "phone": "০১৭০০-০০০০০০", "address": "Dhanmondi",
        "lines": lines, "total": quote["total"] });
    let placed = app.send_json(("POST", "/api/orders"), &token, "bn", &order).await;
    assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
    assert_eq!(
        (&placed.json()["language"], &placed.json()["phone"]),
        (&json!("bn"), &json!("01700-000000"))
    );
    let number = placed.json()["number"].as_str().unwrap().to_owned();
    let stored = app.request("GET", &format!("/api/orders/{number}"), &token, json!({})).await;
    assert_eq!(stored.json()["language"], "bn");

    app.post_form("/bn/newsletter", "email=r%40example.com").await;
    app.post_form("/newsletter", "email=s%40example.com").await;
    app.post_form("/bn/back-in-stock", "product=skerry-turntable&email=r%40example.com").await;
    for (sql, wanted) in [
        ("select language from subscribers order by email", &["bn", "en"][..]),
        ("select language from stock_alerts", &["bn"]),
    ] {
        let found: Vec<(Language,)> = app.given.db.query(sql).all().await.unwrap();
        let found: Vec<String> = found.iter().map(|(language,)| language.to_string()).collect();
        assert_eq!(found, wanted, "{sql}");
    }
}

async fn errors_have_codes_and_parameters(app: TestApp) {
    let error = async |path: &str, body: Value| {
        app.request("POST", path, "", body).await.json()["error"].take()
    };
    let message = |text: String| json!({ "name": "R", "email": "r@example.com", "message": text });
    for (body, code, params) in [
        (message("x".repeat(5_001)), "too_long", json!({ "most": "5000" })),
        (message(String::new()), "required", Value::Null),
        (json!({ "name": "R", "email": "x", "message": "M" }), "bad_email", Value::Null),
        (
            json!({ "name": "R".repeat(101), "email": "r@example.com", "message": "M" }),
            "line_too_long",
            json!({ "most": "100" }),
        ),
    ] {
        let why = error("/api/contact", body).await;
        assert_eq!((&why["code"], &why["fields"][0]["code"]), (&json!("invalid"), &json!(code)));
        assert_eq!(why["fields"][0]["params"], params, "{why}");
    }
    let missing = app.get("/api/products/nothing").await.json();
    assert_eq!(missing["error"]["params"], json!({ "what": "product" }));
    let page = app.send(Request::post("/bn/cart").body(Body::empty()).unwrap()).await;
    let data = page.text().split("id=\"page\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["props"]["code"], "method_not_allowed");
    assert_eq!(data["props"]["params"], json!({ "method": "POST" }));
    assert_eq!((&data["url"], &data["language"]), (&json!("/cart"), &json!("bn")));
}

async fn bangla_digits_are_accepted(app: TestApp) {
    let filtered = app.page_json("/bn/search?min=%E0%A7%A8%E0%A7%A6&page=%E0%A7%A7").await;
    assert_eq!(filtered["url"], "/search?min=20");
    let tracked =
        app.post_json("/api/track", json!({ "number": "০০০০-০০০০", "email": "x" }), "10.0.0.1");
    // A valid number of no order.
    assert_eq!(tracked.await.json()["error"]["code"], "not_found");
}
