//! Store credit in the shopkeeper's hand: the command line, beside a running shop.

use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::orders::{ask, open, sign_up};
use super::program::{Shop, Stage, said};

on_both!(Stage: credit_is_granted_and_refunded_by_the_command_line,);

const ME: &str = "rahim@haat.example";

/// The account that a refusal names.
fn for_unconfirmed(said: &str) -> String {
    assert!(said.contains("nobody has confirmed that"), "{said}");
    said.trim().rsplit(' ').next().unwrap().to_owned()
}

/// Confirms an address by the code in its e-mail, and signs in.
async fn confirm(shop: &Shop, email: &str) -> String {
    let call = |verb: &str, body: Value| {
        let path =
            format!("/identitytoolkit.googleapis.com/v1/accounts:{verb}?key=haat-storefront");
        ask(shop, "POST", &path, "", &body).1
    };
    let credentials = json!({ "email": email, "password": "Secret1!" });
    let id_token = call("signInWithPassword", credentials.clone())["idToken"].clone();
    call("sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": id_token }));
    let mut code = None;
    eventually("the code is there", async || {
        let list = shop.get("/dev/mail");
        let (before, _) = list.split_once(">Confirm your e-mail address</a>").unwrap_or_default();
        let Some((_, address)) = before.rsplit_once("href=\"") else { return false };
        let letter = shop.get(address.trim_end_matches('"'));
        code = letter.split("oobCode=").nth(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
        });
        code.is_some()
    })
    .await;
    let code: String = code.unwrap();
    call("update", json!({ "oobCode": code }));
    let proven = call("signInWithPassword", credentials)["idToken"].clone();
    let path = format!("/api/user/jwt?email={email}");
    let (_, access) = ask(shop, "GET", &path, proven.as_str().unwrap(), &Value::Null);
    access["accessToken"].as_str().unwrap().to_owned()
}

async fn credit_is_granted_and_refunded_by_the_command_line(stage: Stage) {
    let shop = open(&stage);
    // Somebody registers with an address that nobody has confirmed: it may be another's.
    sign_up(&shop, ME);
    let grant = ["credit", "grant", ME, "2.50", "--reason", "For the trouble", "--json"];
    let uid = for_unconfirmed(&said(&stage.run(&grant)));
    let by_id = stage.run(&["credit", "list", &uid]);
    assert!(by_id.status.success() && said(&by_id).contains("$0.00"), "{}", said(&by_id));
    let token = confirm(&shop, ME).await;
    let list = stage.run(&["credit", "list", "Rahim@Haat.example"]);
    assert!(list.status.success() && said(&list).contains("$0.00"), "{}", said(&list));
    let granted = stage.run(&grant);
    assert!(granted.status.success(), "{}", said(&granted));
    let granted: Value = serde_json::from_slice(&granted.stdout).unwrap();
    assert_eq!(
        (&granted["balance"], &granted["entries"][0]["kind"]),
        (&json!(2.5), &json!("granted"))
    );

    // A running shop spends it, and gives it back with the rest.
    let (_, products) = ask(&shop, "GET", "/api/products", "", &Value::Null);
    let mut products = products.as_array().unwrap().iter();
    let product = products.find(|product| product["qtn"].as_i64() > Some(20)).unwrap();
    let price = product["buyPrice"].as_f64().unwrap();
    let order = json!({ "name": "Rahim", "phone": "01700000000", "address": "Dhaka", "credit": 2.5,
                        "lines": [{ "_id": product["_id"], "qtn": 1 }], "total": price + 5.0 });
    let (head, placed) = ask(&shop, "POST", "/api/orders", &token, &order);
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {placed}");
    let number = placed["number"].as_str().unwrap();
    let refund = ["orders", "refund", number, "--as-credit"];
    let early = stage.run(&refund);
    assert!(!early.status.success() && said(&early).contains("is placed"), "{}", said(&early));
    for _ in 0..4 {
        assert!(stage.run(&["orders", "advance", number]).status.success());
    }
    let path = format!("/api/orders/{number}/return");
    let (head, _) = ask(&shop, "POST", &path, &token, &json!({}));
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(stage.run(&["orders", "advance", number]).status.success());
    let all = [&refund[..], &["--amount", "100000"]].concat();
    let much = stage.run(&all);
    assert!(!much.status.success() && said(&much).contains("more cannot"), "{}", said(&much));
    let refunded = stage.run(&refund);
    assert!(refunded.status.success(), "{}", said(&refunded));
    for part in ["refunded", "store credit $2.50, to pay", "as store credit"] {
        assert!(said(&refunded).contains(part), "{part}: {}", said(&refunded));
    }
    let again = stage.run(&refund);
    assert!(!again.status.success() && said(&again).contains("is refunded"), "{}", said(&again));

    let (_, credit) = ask(&shop, "GET", "/api/credit", &token, &Value::Null);
    assert_eq!(credit["balance"].as_f64(), Some(price));
    let list = stage.run(&["credit", "list", ME]);
    for part in ["granted", "For the trouble", "spent", "-$2.50", "refund", number] {
        assert!(said(&list).contains(part), "{part}: {}", said(&list));
    }
    for (args, why) in [
        (&["credit", "list", "nobody@haat.example"][..], "there is no customer"),
        (&["credit", "grant", ME][..], "an amount is wanted"),
        (&["credit", "grant", ME, "0", "--reason", "x"][..], "an amount is wanted"),
        (&["credit", "grant", ME, "5"][..], "--reason is wanted"),
        (&["credit", "grant", ME, "5", "--reason", "a\nb"][..], "in one line"),
        (&["credit", "grant", ME, "five", "--reason", "x"][..], "not an amount"),
        (&["orders", "advance", number, "--as-credit"][..], "haat orders refund alone"),
    ] {
        let output = stage.run(args);
        assert!(!output.status.success() && said(&output).contains(why), "{}", said(&output));
    }
}
