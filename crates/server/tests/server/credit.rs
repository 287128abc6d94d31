//! Store credit by the command line, beside a running shop.

use serde_json::{Value, json};
use test_support::eventually;
use test_support::on_both;

use super::orders::{open, request, sign_up};
use super::program::{Sandbox, Shop, text};

on_both!(Sandbox: credit_is_granted_and_refunded_by_the_command_line,);

const ME: &str = "rahim@haat.example";

/// The account id in the error message.
fn unverified_id(text: &str) -> String {
    assert!(text.contains("is not verified"), "{text}");
    text.trim().rsplit(' ').next().unwrap().to_owned()
}

/// Verifies an address by the code in its e-mail, and signs in.
async fn confirm(shop: &Shop, email: &str) -> String {
    let call = |verb: &str, body: Value| {
        let path =
            format!("/identitytoolkit.googleapis.com/v1/accounts:{verb}?key=haat-storefront");
        request(shop, "POST", &path, "", &body).1
    };
    let credentials = json!({ "email": email, "password": "Secret1!" });
    let id_token = call("signInWithPassword", credentials.clone())["idToken"].clone();
    call("sendOobCode", json!({ "requestType": "VERIFY_EMAIL", "idToken": id_token }));
    let mut code = None;
    eventually("the code is sent", async || {
        let list = shop.get("/dev/mail");
        let (before, _) = list.split_once(">Confirm your e-mail address</a>").unwrap_or_default();
        let Some((_, address)) = before.rsplit_once("href=\"") else { return false };
        let email = shop.get(address.trim_end_matches('"'));
        code = email.split("oobCode=").nth(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
        });
        code.is_some()
    })
    .await;
    let code: String = code.unwrap();
    call("update", json!({ "oobCode": code }));
    let proven = call("signInWithPassword", credentials)["idToken"].clone();
    let path = format!("/api/user/jwt?email={email}");
    let (_, access) = request(shop, "GET", &path, proven.as_str().unwrap(), &Value::Null);
    access["accessToken"].as_str().unwrap().to_owned()
}

async fn credit_is_granted_and_refunded_by_the_command_line(sandbox: Sandbox) {
    let shop = open(&sandbox);
    // Somebody registers with an address that is not verified: it may belong to somebody else.
    sign_up(&shop, ME);
    let grant = ["credit", "grant", ME, "2.50", "--reason", "For the trouble", "--json"];
    let uid = unverified_id(&text(&sandbox.run(&grant)));
    let by_id = sandbox.run(&["credit", "list", &uid]);
    assert!(by_id.status.success() && text(&by_id).contains("$0.00"), "{}", text(&by_id));
    let token = confirm(&shop, ME).await;
    let list = sandbox.run(&["credit", "list", "Rahim@Haat.example"]);
    assert!(list.status.success() && text(&list).contains("$0.00"), "{}", text(&list));
    let granted = sandbox.run(&grant);
    assert!(granted.status.success(), "{}", text(&granted));
    let granted: Value = serde_json::from_slice(&granted.stdout).unwrap();
    assert_eq!(
        (&granted["balance"], &granted["entries"][0]["kind"]),
        (&json!(2.5), &json!("granted"))
    );

    // In a running shop it is spent, and refunded with the rest.
    let (_, products) = request(&shop, "GET", "/api/products", "", &Value::Null);
    let mut products = products.as_array().unwrap().iter();
    let product = products.find(|product| product["qtn"].as_i64() > Some(20)).unwrap();
    let price = product["buyPrice"].as_f64().unwrap();
    let order = json!({ "name": "Rahim", "phone": "01700000000", "address": "Dhaka", "credit": 2.5,
                        "lines": [{ "_id": product["_id"], "qtn": 1 }], "total": price + 5.0 });
    let (head, placed) = request(&shop, "POST", "/api/orders", &token, &order);
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {placed}");
    let number = placed["number"].as_str().unwrap();
    let refund = ["orders", "refund", number, "--as-credit"];
    let early = sandbox.run(&refund);
    assert!(!early.status.success() && text(&early).contains("is placed"), "{}", text(&early));
    for _ in 0..4 {
        assert!(sandbox.run(&["orders", "advance", number]).status.success());
    }
    let path = format!("/api/orders/{number}/return");
    let (head, _) = request(&shop, "POST", &path, &token, &json!({}));
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(sandbox.run(&["orders", "advance", number]).status.success());
    let all = [&refund[..], &["--amount", "100000"]].concat();
    let much = sandbox.run(&all);
    assert!(
        !much.status.success() && text(&much).contains("can still be refunded"),
        "{}",
        text(&much)
    );
    let refunded = sandbox.run(&refund);
    assert!(refunded.status.success(), "{}", text(&refunded));
    for part in ["refunded", "store credit $2.50, to pay", "as store credit"] {
        assert!(text(&refunded).contains(part), "{part}: {}", text(&refunded));
    }
    let again = sandbox.run(&refund);
    assert!(!again.status.success() && text(&again).contains("is refunded"), "{}", text(&again));

    let (_, credit) = request(&shop, "GET", "/api/credit", &token, &Value::Null);
    assert_eq!(credit["balance"].as_f64(), Some(price));
    let list = sandbox.run(&["credit", "list", ME]);
    for part in ["granted", "For the trouble", "spent", "-$2.50", "refund", number] {
        assert!(text(&list).contains(part), "{part}: {}", text(&list));
    }
    for (args, why) in [
        (&["credit", "list", "nobody@haat.example"][..], "there is no customer"),
        (&["credit", "grant", ME][..], "an amount above 0 is required"),
        (&["credit", "grant", ME, "0", "--reason", "x"][..], "an amount above 0 is required"),
        (&["credit", "grant", ME, "5"][..], "--reason is required"),
        (&["credit", "grant", ME, "5", "--reason", "a\nb"][..], "in one line"),
        (&["credit", "grant", ME, "five", "--reason", "x"][..], "not an amount"),
        (&["orders", "advance", number, "--as-credit"][..], "only for haat orders refund"),
    ] {
        let output = sandbox.run(args);
        assert!(!output.status.success() && text(&output).contains(why), "{}", text(&output));
    }
}
