//! Content pages: blog, about, contact, policies.

use serde_json::Value;
use test_support::eventually;
use test_support::on_both;

use super::*;

on_both!(TestApp:
    content_pages_are_complete_without_javascript,
    a_post_shows_its_products_and_adjacent_posts,
    an_unknown_post_is_not_found,
    only_the_contact_page_allows_a_map,
);

async fn content_pages_are_complete_without_javascript(app: TestApp) {
    for (address, title, shown) in [
        ("/blog", "<title>Blog · Haat", "What the words on a watch mean"),
        ("/blog/looking-after-leather", "<title>Looking after leather · Haat", "Leather is skin"),
        ("/about", "<title>About Us · Haat", "How do I place an order?"),
        ("/contact", "<title>Contact Us · Haat", "8:00am-5:00pm"),
        ("/privacy", "<title>Privacy Policies · Haat", "Children under 13"),
        ("/terms_condition", "<title>Terms Of Use · Haat", "2-3 weeks"),
        ("/refund", "<title>Refund Policies · Haat", "7 to 15 working days"),
        ("/return", "<title>Return Policies · Haat", "within 7 days of delivery"),
    ] {
        let page = app.get(address).await;
        assert_eq!(page.status, StatusCode::OK, "{address}");
        let markup = page.markup();
        let (head, body) = markup.split_once("</head>").unwrap();
        assert!(head.contains(title), "{address}: {head}");
        assert!(head.contains("name=\"description\" content=\""), "{address}");
        assert!(
            head.contains(&format!("rel=\"canonical\" href=\"https://haat.example{address}\""))
        );
        assert!(head.contains("property=\"og:title\""), "{address}");
        assert!(body.contains(shown), "{address}");
        assert_eq!(body.matches("<h1").count(), 1, "{address}");
        assert!(!markup.contains("{{shop."), "{address}");
    }
    // They depend only on the categories: a second request renders nothing.
    let renders = app.renders().await;
    app.get("/about?x=1").await;
    assert_eq!(app.renders().await, renders);

    let about = app.get("/about").await;
    assert!(about.text().contains("\"@type\":\"FAQPage\""));
    assert!(about.text().contains("<details") && about.text().contains("<summary"));
    let contact = app.get("/contact").await;
    assert!(contact.markup().contains("mailto:hello@haat.example"), "filled from the settings");
    assert!(contact.markup().contains("Find an agent"));
    let home = app.get("/").await;
    assert!(home.text().contains("https://haat.example/search?q={search_term_string}"));
    assert!(home.text().contains("rel=\"manifest\""));
    let blog = app.get("/blog").await;
    assert!(blog.text().contains("type=\"application/rss+xml\""));
    let data = app.get_as("/blog", &[("accept", "application/json")]).await.json();
    let dates = data["props"]["posts"].as_array().unwrap();
    assert_eq!(dates.len(), 6);
    assert!(dates.is_sorted_by_key(|post| std::cmp::Reverse(post["date"].to_string())));
}

async fn a_post_shows_its_products_and_adjacent_posts(app: TestApp) {
    let page = app.get("/blog/the-words-on-a-watch").await;
    assert!(page.text().contains("\"@type\":\"BlogPosting\""));
    assert!(page.text().contains("\"@type\":\"BreadcrumbList\""));
    let post =
        app.get_as("/blog/the-words-on-a-watch", &[("accept", "application/json")]).await.json();
    let props = &post["props"];
    let products: Vec<&str> = props["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["_id"].as_str().unwrap())
        .collect();
    assert_eq!(
        products,
        ["lode-automatic-watch", "vesper-dress-watch", "harbour-dive-watch", "croft-field-watch"]
    );
    assert_eq!(props["previous"]["slug"], "looking-after-leather");
    assert_eq!(props["next"], Value::Null);
    assert!(props["post"]["minutes"].as_i64().unwrap() >= 3);

    // A changed price is shown below the text.
    let renders = app.renders().await;
    app.import(
        r#"{"products": [{"_id": "lode-automatic-watch", "category": "watches", "name": "Lode II",
           "sku": "HT-X", "img": ["/demo/watches.svg"], "realPrice": 1, "qtn": 5}]}"#,
    )
    .await;
    eventually("the card has changed", async || {
        app.get("/blog/the-words-on-a-watch").await.markup().contains("Lode II")
    })
    .await;
    assert!(app.renders().await > renders);
}

async fn an_unknown_post_is_not_found(app: TestApp) {
    for address in ["/blog/nothing", "/blog/Looking-After-Leather", "/blog/a/b", "/newsletter/x"] {
        assert_eq!(app.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
}

async fn only_the_contact_page_allows_a_map(app: TestApp) {
    let policy = |answer: &TestResponse| answer.header("content-security-policy").to_owned();
    assert!(policy(&app.get("/contact").await).contains("frame-src https://www.openstreetmap.org"));
    for other in ["/", "/about", "/privacy", "/nothing"] {
        assert!(!policy(&app.get(other).await).contains("openstreetmap"), "{other}");
    }
    assert!(!app.get("/contact").await.markup().contains("<iframe"), "not before a click");
}
