//! Gift cards by the command line, beside a running shop.

use serde_json::{Value, json};
use test_support::on_both;

use super::orders::{open, request, sign_up};
use super::program::{Sandbox, Shop, text};

on_both!(Sandbox:
    cards_are_issued_spent_and_given_back,
    cards_are_changed_and_imported_by_the_command_line,
    a_command_with_another_secret_issues_no_card,
);

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

fn checked(shop: &Shop, code: &str) -> Value {
    let body = json!({ "code": code });
    request(shop, "POST", "/api/gift-cards/check", "", &body).1
}

async fn cards_are_issued_spent_and_given_back(sandbox: Sandbox) {
    let shop = open(&sandbox);
    let issue = ["gift-cards", "issue", "50", "--count", "2", "--expires", "2099-12-31", "--json"];
    let issued = parsed(&sandbox.printed(&issue));
    let code = issued[0]["code"].as_str().unwrap();
    assert_eq!((issued.as_array().unwrap().len(), code.len()), (2, 19), "{issued}");
    let seen = checked(&shop, &code.to_lowercase().replace('-', ""));
    assert_eq!([&seen["balance"], &seen["spendable"]], [50, 50], "{seen}");
    assert_eq!(seen["expiresAt"], "2099-12-31T23:59:59.000Z");

    // In a running shop it is spent.
    let token = sign_up(&shop, "rahim@haat.example");
    let (_, products) = request(&shop, "GET", "/api/products", "", &Value::Null);
    let mut products = products.as_array().unwrap().iter();
    let product = products.find(|product| product["qtn"].as_i64() > Some(20)).unwrap();
    let total = product["buyPrice"].as_f64().unwrap() + 5.0;
    let order = json!({ "name": "Rahim", "phone": "01700000000", "address": "Dhaka", "total": total,
                        "lines": [{ "_id": product["_id"], "qtn": 1 }],
                        "giftCards": [{ "code": code, "amount": 12.5 }] });
    let (head, placed) = request(&shop, "POST", "/api/orders", &token, &order);
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {placed}");
    let number = placed["number"].as_str().unwrap();
    let shown = sandbox.printed(&["orders", "show", number]);
    let line = format!("gift card •••• {}  −$12.50", &code[15..]);
    assert!(shown.contains(&line) && shown.contains("to pay $"), "{shown}");
    let shown = sandbox.printed(&["gift-cards", "show", code]);
    for part in ["$37.50 of $50.00", "spent", "-$12.50", number, "until 2099-12-31"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains(code), "the code is shown once");
    sandbox.printed(&["orders", "cancel", number]);
    let id = issued[0]["_id"].as_str().unwrap();
    let shown = parsed(&sandbox.printed(&["gift-cards", "show", id, "--json"]));
    assert_eq!(shown["giftCard"]["balance"], 50);
    let kinds: Vec<&Value> =
        shown["entries"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["returned", "spent", "issued"]);
}

async fn cards_are_changed_and_imported_by_the_command_line(sandbox: Sandbox) {
    let shop = open(&sandbox);
    let to = "mina@haat.example";
    let sent =
        sandbox.printed(&["gift-cards", "issue", "20", "--to", to, "--note", "For the wait"]);
    let code = sent.split_whitespace().next().unwrap();
    test_support::eventually("the card arrives", async || {
        shop.get("/dev/mail").contains("A gift card of")
    })
    .await;
    let list = sandbox.printed(&["gift-cards", "list"]);
    for part in ["$20.00 of $20.00", to, "For the wait"] {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert!(!list.contains(code));
    let adjusted = sandbox.printed(&["gift-cards", "adjust", code, "-5", "--note", "Mistake"]);
    assert!(adjusted.contains("corrected") && adjusted.contains("$15.00 of $20.00"), "{adjusted}");
    sandbox.printed(&["gift-cards", "adjust", code, "10.50", "--expires", "2098-01-31"]);
    let seen = checked(&shop, code);
    assert_eq!((&seen["balance"], &seen["state"]), (&json!(25.5), &json!("active")));
    assert_eq!(seen["expiresAt"], "2098-01-31T23:59:59.000Z");
    for (action, state) in [("disable", "disabled"), ("enable", "active")] {
        sandbox.printed(&["gift-cards", action, code]);
        assert_eq!(checked(&shop, code)["state"], state);
    }
    let file = sandbox.file(
        "cards.json",
        r#"{"giftCards": [{"code": "OLD-SHOP-0001", "amount": 12.5, "note": "From the old shop"},
            {"code": "OLD-SHOP-0002", "amount": 7, "expiresAt": "2099-01-31T23:59:59Z"}]}"#,
    );
    let import = ["gift-cards", "import", file.to_str().unwrap()];
    assert!(sandbox.printed(&import).contains("2 gift cards, 0 were there"));
    assert!(sandbox.printed(&import).contains("0 gift cards, 2 were there"));
    assert_eq!(checked(&shop, "old shop 0001")["balance"], 12.5);
    let wrong = sandbox.file("wrong.json", r#"{"giftCards": [{"code": "SHORT", "amount": 5}]}"#);
    let wrong = wrong.to_str().unwrap();
    for (args, why) in [
        (&["gift-cards", "issue"][..], "an amount is required"),
        (&["gift-cards", "issue", "0"], "above 0"),
        (&["gift-cards", "issue", "five"], "not an amount"),
        (&["gift-cards", "issue", "5", "--count", "0"], "1 to 100000"),
        (&["gift-cards", "issue", "5", "--count", "2", "--to", to], "one card"),
        (&["gift-cards", "issue", "5", "--expires", "2020-01-01"], "expired already"),
        (&["gift-cards", "issue", "5", "--expires", "soon"], "expected a day"),
        (&["gift-cards", "issue", "5", "--to", "nobody"], "--to"),
        (&["gift-cards", "show"], "a code or an id is required"),
        (&["gift-cards", "show", "AAAA-BBBB-CCCC-DDDD"], "there is no gift card"),
        (&["gift-cards", "adjust", code], "an amount or --expires"),
        (&["gift-cards", "adjust", code, "-25.51"], "only $25.50 is left"),
        (&["gift-cards", "adjust", code, "x"], "not an amount"),
        (&["gift-cards", "list", "--count", "3"], "only for haat gift-cards issue"),
        (&["gift-cards", "show", code, "--note", "x"], "issue and adjust"),
        (&["gift-cards", "show", code, "5"], "only for haat gift-cards adjust"),
        (&["gift-cards", "import", wrong], "8 to 40 letters and digits"),
        (&["gift-cards", "import", "/nowhere.json"], "No such file"),
    ] {
        let output = sandbox.run(args);
        assert!(
            !output.status.success() && text(&output).contains(why),
            "{args:?}: {}",
            text(&output)
        );
        assert!(!text(&output).contains("AAAA-BBBB"), "a code is not repeated");
    }
}

async fn a_command_with_another_secret_issues_no_card(sandbox: Sandbox) {
    let shop = open(&sandbox);
    let other = "another-secret-of-more-than-32-characters";
    let refused = sandbox.run(&["gift-cards", "issue", "5", "--secret", other]);
    assert!(
        !refused.status.success() && text(&refused).contains("served with another secret"),
        "{}",
        text(&refused)
    );
    assert_eq!(sandbox.printed(&["gift-cards", "list"]), "");
    drop(shop);
}
