//! Reviews on the product's page, and their moderation by the command line.

use platform::Db;
use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::orders::{rahim_buys, request};
use super::program::{Sandbox, Shop, text};

on_both!(Sandbox: a_queued_review_is_moderated_by_the_command_line,);

async fn a_queued_review_is_moderated_by_the_command_line(sandbox: Sandbox) {
    let shop = sandbox.open_with(&["--demo", "--shipping", "0", "--vat", "0"]);
    let (token, product, order) = rahim_buys(&shop, 0.0);
    let product = product["_id"].as_str().unwrap();
    let mine = format!("/api/products/{product}/reviews/mine");
    let review = |body: &str| json!({ "rating": 2, "title": "Dim", "body": body });
    // Cash on delivery: it is paid when delivered.
    let (head, _) = request(&shop, "PUT", &mine, &token, &review("It hums."));
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    for _ in 0..4 {
        let number = order["number"].as_str().unwrap();
        assert!(sandbox.run(&["orders", "advance", number]).status.success());
    }
    let (head, answer) = request(&shop, "PUT", &mine, &token, &review("See www.lamps.example"));
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {answer}");
    let id = answer["review"]["_id"].as_str().unwrap();

    let page = || shop.get(&format!("/product/{product}"));
    assert!(!page().contains("www.lamps.example") && !page().contains("aggregateRating"));
    let list = sandbox.run(&["reviews", "list", "--state", "queued"]);
    assert!(list.status.success() && text(&list).contains(id), "{}", text(&list));
    printed_names_have_no_control_characters(&sandbox, &shop, id).await;
    let show = sandbox.run(&["reviews", "show", id]);
    for part in [id, "queued", "2/5", "Dim", "See www.lamps.example", product] {
        assert!(text(&show).contains(part), "{part}: {}", text(&show));
    }
    let approve = sandbox.run(&["reviews", "approve", id, "--json"]);
    let now: Value = serde_json::from_slice(&approve.stdout).unwrap();
    assert_eq!(now["state"], "shown");
    // A running shop shows the text, the rating, and the structured data of both.
    let shown = async || {
        let page = page();
        let data = "\"aggregateRating\":{\"@type\":\"AggregateRating\",\"ratingValue\":2,\"reviewCount\":1";
        page.contains("www.lamps.example") && page.contains(data)
    };
    eventually("the page shows it", shown).await;
    let rated = async || {
        let path = format!("/api/products/{product}");
        let (_, product) = request(&shop, "GET", &path, "", &Value::Null);
        (product["rating"].as_f64(), product["reviews"].as_i64()) == (Some(2.0), Some(1))
    };
    eventually("the API has the rating", rated).await;

    let refuse = sandbox.run(&["reviews", "refuse", id, "--why", "It advertises."]);
    assert!(text(&refuse).contains("refused: It advertises."), "{}", text(&refuse));
    let gone = async || !page().contains("www.lamps.example");
    eventually("the page shows it no longer", gone).await;
    for (args, why) in [
        (&["reviews", "show"][..], "id is required"),
        (&["reviews", "show", "none"][..], "there is no review"),
        (&["reviews", "approve", "a b"][..], "an id is"),
        (&["reviews", "refuse", id][..], "--why is required"),
        (&["reviews", "refuse", id, "--why", "x"][..], "is refused already"),
        (&["reviews", "list", "--state", "lost"][..], "is none of shown"),
    ] {
        let output = sandbox.run(args);
        assert!(!output.status.success() && text(&output).contains(why), "{}", text(&output));
    }
    let told = async || shop.get("/dev/mail").contains("Your review of");
    eventually("the author is notified", told).await;
}

/// Names are sanitized on input; older ones are escaped when printed.
async fn printed_names_have_no_control_characters(sandbox: &Sandbox, shop: &Shop, id: &str) {
    let sent = "\u{1b}]0;title\u{7}\u{9b}2J  Mina\u{202e}\r\n Das";
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
    let account =
        json!({ "email": "mina@haat.example", "password": "Secret1!", "displayName": sent });
    let (_, new) = request(shop, "POST", path, "", &account);
    assert_eq!(new["displayName"], "]0;title2J Mina Das");
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    let plant = "update reviews set name = $1, title = $1, body = $1 where id = $2";
    let (before,): (String,) =
        db.query("select body from reviews where id = $1").bind(id).one().await.unwrap();
    db.query(plant).bind(sent).bind(id).execute().await.unwrap();
    for args in
        [&["reviews", "list"][..], &["reviews", "show", id], &["reviews", "show", id, "--json"]]
    {
        let output = sandbox.run(args);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("\\u001b]0;title\\u0007\\u009b2J"), "{text:?}");
        let bad = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
        assert!(!text.contains(bad), "{text:?}");
        if args.contains(&"--json") {
            let now: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(now["name"], sent);
        }
    }
    let restore = "update reviews set name = 'Rahim', title = 'Dim', body = $1 where id = $2";
    db.query(restore).bind(before).bind(id).execute().await.unwrap();
    db.close().await;
}
