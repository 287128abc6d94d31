//! Export of subscribers and messages by the command line.

use std::process::Output;

use serde_json::Value;
use test_support::eventually;
use test_support::on_both;

use super::program::{Sandbox, Shop, text};

on_both!(Sandbox: subscribers_and_messages_are_exported_by_date,);

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The URL of the newest e-mail to an address.
async fn newest_email(shop: &Shop, to: &str) -> String {
    let mut address = None;
    eventually("the e-mail is sent", async || {
        let list = shop.get("/dev/mail");
        let item = list.split("<li>").find(|item| item.contains(&format!("to {to},")));
        address = item.and_then(|item| item.split('"').nth(1).map(str::to_owned));
        address.is_some()
    })
    .await;
    address.unwrap()
}

async fn subscribers_and_messages_are_exported_by_date(sandbox: Sandbox) {
    let shop = sandbox.open_with(&["--demo"]);
    for reader in ["mitali", "undecided"] {
        let body = format!(r#"{{"email": "{reader}@example.com"}}"#);
        assert!(shop.try_post("/api/newsletter", &body).unwrap().starts_with("HTTP/1.1 202"));
    }
    let email = shop.get(&newest_email(&shop, "mitali@example.com").await);
    let confirm = email.split("/newsletter/confirm?token=").nth(1).unwrap();
    let token = confirm.split('"').next().unwrap();
    shop.try_post(&format!("/newsletter/confirm?token={token}"), "").unwrap();
    let body =
        r#"{"name": "=cmd()", "email": "rahim@example.com", "message": "One, \"two\"\nthree"}"#;
    assert!(shop.try_post("/api/contact", body).unwrap().starts_with("HTTP/1.1 202"));

    let url = ["--public-url", "https://shop.example"];
    let readers = printed(&sandbox.run(&[&["subscribers"], &url[..]].concat()));
    let lines: Vec<&str> = readers.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "email,confirmed,language,leave"), "{readers}");
    assert!(lines[1].starts_with("mitali@example.com,20"), "{readers}");
    let leave = lines[1].split(",https://shop.example").nth(1).unwrap();
    let json = sandbox.run(&["subscribers", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json[0]["email"], "mitali@example.com");

    let messages = printed(&sandbox.run(&["messages"]));
    assert!(messages.starts_with("at,name,email,message\n"), "{messages}");
    assert!(
        messages.contains(",'=cmd(),rahim@example.com,\"One, \"\"two\"\"\nthree\""),
        "{messages}"
    );
    let json = sandbox.run(&["messages", "--format", "json", "--since", "2020-01-01"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json[0]["name"], json.as_array().unwrap().len()), (&"=cmd()".into(), 1));
    for command in ["messages", "subscribers"] {
        let old = sandbox.run(&[command, "--format", "json", "--until", "2020-01-01"]);
        assert_eq!(printed(&old).trim(), "[]", "{command}");
        let wrong = sandbox.run(&[command, "--since", "yesterday"]);
        assert!(!wrong.status.success() && text(&wrong).contains("2026-11-30"), "{}", text(&wrong));
    }

    // The exported link unsubscribes.
    let left = shop.try_post(leave, "").unwrap();
    assert!(left.contains("location: /newsletter/left"), "{left}");
    assert_eq!(printed(&sandbox.run(&["subscribers"])).lines().count(), 1);
}
