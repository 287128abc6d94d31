//! Shared wishlists, and stock alerts without JavaScript.

use serde_json::json;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    a_shared_wishlist_is_a_page_until_sharing_ends,
    stock_alerts_work_without_javascript,
);

const TURNTABLE: &str = "skerry-turntable";
const HEADPHONES: &str = "tarn-over-ear-headphones";

async fn a_shared_wishlist_is_a_page_until_sharing_ends(app: TestApp) {
    let email = "anna.karim@haat.example";
    let id_token = app.id_token(email).await;
    let name = json!({ "name": "Anna <b>K</b>", "email": email });
    app.request("POST", "/api/user", &id_token, name).await;
    let token = app.access_token(&id_token, email).await;
    let wishes = json!({ "products": [HEADPHONES, TURNTABLE] });
    app.request("POST", "/api/wishlist", &token, wishes).await;
    let shared = app.request("POST", "/api/wishlist/share", &token, json!({})).await.json();
    let address = shared["share"].as_str().unwrap();

    let page = app.get(address).await;
    assert_eq!(page.status, StatusCode::OK);
    let markup = page.markup();
    assert!(markup.contains("Anna &lt;b&gt;K&lt;/b&gt;"), "{markup}");
    assert!(markup.contains("Tarn Over-Ear Headphones") && markup.contains("Skerry Turntable"));
    assert!(markup.contains("name=\"robots\" content=\"noindex\""));
    assert!(!page.text().contains(email), "nothing but the name");
    assert_eq!(page.header("referrer-policy"), "no-referrer");

    // A removed product and a new name are visible immediately: the page is not cached.
    app.request("DELETE", &format!("/api/wishlist/{TURNTABLE}"), &token, json!({})).await;
    let name = json!({ "displayName": "Anna Karim" });
    app.request("PUT", &format!("/api/user/{email}"), &token, name).await;
    let markup = app.get(address).await.markup();
    assert!(markup.contains("Anna Karim’s wishlist") && !markup.contains("Skerry Turntable"));

    app.request("DELETE", "/api/wishlist/share", &token, json!({})).await;
    let ended = app.get(address).await;
    assert_eq!(ended.status, StatusCode::NOT_FOUND);
    assert!(!ended.text().contains("Anna"));
    for nothing in ["/wishlist/0123456789abcdef0123456789abcdef", "/wishlist/x", "/wishlist/share"]
    {
        assert_eq!(app.get(nothing).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
}

async fn stock_alerts_work_without_javascript(app: TestApp) {
    let page = app.get(&format!("/product/{TURNTABLE}")).await;
    assert!(page.markup().contains("action=\"/back-in-stock\""));
    let there = app.get(&format!("/product/{HEADPHONES}")).await;
    assert!(!there.markup().contains("action=\"/back-in-stock\""));

    let asked = app
        .post_form("/back-in-stock", "product=skerry-turntable&email=r%40example.com&website=")
        .await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text());
    assert_eq!(asked.header("location"), "/back-in-stock/asked");
    assert!(app.get("/back-in-stock/asked").await.markup().contains("We will write to you"));
    let back = app
        .post_form("/back-in-stock", "product=tarn-over-ear-headphones&email=r%40example.com")
        .await;
    assert_eq!(back.header("location"), format!("/product/{HEADPHONES}"));
    for wrong in ["product=skerry-turntable&email=x", "product=..&email=r%40example.com", ""] {
        let answer = app.post_form("/back-in-stock", wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(answer.header("content-type").starts_with("text/html"), "{wrong}");
    }

    // Mail programs follow links of e-mails: only the button unsubscribes.
    let token = "a".repeat(40);
    let look = app.get(&format!("/back-in-stock/leave?token={token}")).await;
    assert_eq!((look.status, look.header("referrer-policy")), (StatusCode::OK, "no-referrer"));
    assert!(!look.text().contains(&token), "a kept page holds nobody's token");
    let pressed = app.post_form(&format!("/back-in-stock/leave?token={token}"), "").await;
    assert_eq!(pressed.header("location"), "/back-in-stock/left");
    let stale = app.post_form("/back-in-stock/leave?token=x", "").await;
    assert_eq!(stale.header("location"), "/back-in-stock/stale");
    let one_click = "List-Unsubscribe=One-Click";
    let left = app.post_form(&format!("/back-in-stock/leave?token={token}"), one_click).await;
    assert_eq!(left.status, StatusCode::OK);
    let not_ours = app.post_form("/back-in-stock/leave", one_click).await;
    assert_eq!(not_ours.status, StatusCode::NOT_FOUND);
    assert_eq!(app.count("select count(*) from stock_alerts").await, 1);
}
