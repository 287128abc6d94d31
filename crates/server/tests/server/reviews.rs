//! Reviews as they are seen on the product's page, and the shopkeeper's hand on them.

use base::Db;
use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::orders::{ask, rahim_buys};
use super::program::{Shop, Stage, said};

on_both!(Stage: a_review_waits_for_the_command_line,);

async fn a_review_waits_for_the_command_line(stage: Stage) {
    let shop = stage.open_with(&["--demo", "--shipping", "0", "--vat", "0"]);
    let (token, product, order) = rahim_buys(&shop, 0.0);
    let product = product["_id"].as_str().unwrap();
    let mine = format!("/api/products/{product}/reviews/mine");
    let review = |body: &str| json!({ "rating": 2, "title": "Dim", "body": body });
    // It is paid when it arrives.
    let (head, _) = ask(&shop, "PUT", &mine, &token, &review("It hums."));
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    for _ in 0..4 {
        let number = order["number"].as_str().unwrap();
        assert!(stage.run(&["orders", "advance", number]).status.success());
    }
    let (head, answer) = ask(&shop, "PUT", &mine, &token, &review("See www.lamps.example"));
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {answer}");
    let id = answer["review"]["_id"].as_str().unwrap();

    let page = || shop.get(&format!("/product/{product}"));
    assert!(!page().contains("www.lamps.example") && !page().contains("aggregateRating"));
    let list = stage.run(&["reviews", "list", "--state", "queued"]);
    assert!(list.status.success() && said(&list).contains(id), "{}", said(&list));
    no_name_speaks_to_the_terminal(&stage, &shop, id).await;
    let show = stage.run(&["reviews", "show", id]);
    for part in [id, "queued", "2/5", "Dim", "See www.lamps.example", product] {
        assert!(said(&show).contains(part), "{part}: {}", said(&show));
    }
    let approve = stage.run(&["reviews", "approve", id, "--json"]);
    let now: Value = serde_json::from_slice(&approve.stdout).unwrap();
    assert_eq!(now["state"], "shown");
    // A running shop follows: the text, the rating, and what a search engine reads of both.
    let shown = async || {
        let page = page();
        let data = "\"aggregateRating\":{\"@type\":\"AggregateRating\",\"ratingValue\":2,\"reviewCount\":1";
        page.contains("www.lamps.example") && page.contains(data)
    };
    eventually("the page shows it", shown).await;
    let (_, product) = ask(&shop, "GET", &format!("/api/products/{product}"), "", &Value::Null);
    assert_eq!((product["rating"].as_f64(), product["reviews"].as_i64()), (Some(2.0), Some(1)));

    let refuse = stage.run(&["reviews", "refuse", id, "--why", "It advertises."]);
    assert!(said(&refuse).contains("refused: It advertises."), "{}", said(&refuse));
    let gone = async || !page().contains("www.lamps.example");
    eventually("the page shows it no longer", gone).await;
    for (args, why) in [
        (&["reviews", "show"][..], "id is wanted"),
        (&["reviews", "show", "none"][..], "there is no review"),
        (&["reviews", "approve", "a b"][..], "an id is"),
        (&["reviews", "refuse", id][..], "--why is wanted"),
        (&["reviews", "refuse", id, "--why", "x"][..], "is refused already"),
        (&["reviews", "list", "--state", "lost"][..], "is none of shown"),
    ] {
        let output = stage.run(args);
        assert!(!output.status.success() && said(&output).contains(why), "{}", said(&output));
    }
    let told = async || shop.get("/dev/mail").contains("Your review of");
    eventually("the writer is told", told).await;
}

/// Names are cleaned where they come in; what came in before is escaped where it is printed.
async fn no_name_speaks_to_the_terminal(stage: &Stage, shop: &Shop, id: &str) {
    let sent = "\u{1b}]0;title\u{7}\u{9b}2J  Mina\u{202e}\r\n Das";
    let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=haat-storefront";
    let account =
        json!({ "email": "mina@haat.example", "password": "Secret1!", "displayName": sent });
    let (_, new) = ask(shop, "POST", path, "", &account);
    assert_eq!(new["displayName"], "]0;title2J Mina Das");
    let db = Db::open(&stage.database_url()).await.unwrap();
    let plant = "update reviews set name = $1, title = $1, body = $1 where id = $2";
    let (before,): (String,) =
        db.query("select body from reviews where id = $1").bind(id).one().await.unwrap();
    db.query(plant).bind(sent).bind(id).execute().await.unwrap();
    for args in
        [&["reviews", "list"][..], &["reviews", "show", id], &["reviews", "show", id, "--json"]]
    {
        let output = stage.run(args);
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
