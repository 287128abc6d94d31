//! What visitors sent, taken out by the command line: the program as a process.

use std::process::Output;

use serde_json::Value;
use test_support::eventually;
use test_support::on_both;

use super::program::{Shop, Stage, said};

on_both!(Stage: subscribers_and_messages_are_taken_out_by_date,);

/// What goes into the file, without what is logged beside it.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The address of the newest letter to somebody, once it is there.
async fn letter(shop: &Shop, to: &str) -> String {
    let mut address = None;
    eventually("the letter is there", async || {
        let list = shop.get("/dev/mail");
        let item = list.split("<li>").find(|item| item.contains(&format!("to {to},")));
        address = item.and_then(|item| item.split('"').nth(1).map(str::to_owned));
        address.is_some()
    })
    .await;
    address.unwrap()
}

async fn subscribers_and_messages_are_taken_out_by_date(stage: Stage) {
    let shop = stage.open_with(&["--demo"]);
    for reader in ["mitali", "undecided"] {
        let body = format!(r#"{{"email": "{reader}@example.com"}}"#);
        assert!(shop.try_post("/api/newsletter", &body).unwrap().starts_with("HTTP/1.1 202"));
    }
    let letter = shop.get(&letter(&shop, "mitali@example.com").await);
    let confirm = letter.split("/newsletter/confirm?token=").nth(1).unwrap();
    let token = confirm.split('"').next().unwrap();
    shop.try_post(&format!("/newsletter/confirm?token={token}"), "").unwrap();
    let body =
        r#"{"name": "=cmd()", "email": "rahim@example.com", "message": "One, \"two\"\nthree"}"#;
    assert!(shop.try_post("/api/contact", body).unwrap().starts_with("HTTP/1.1 202"));

    let url = ["--public-url", "https://shop.example"];
    let readers = printed(&stage.run(&[&["subscribers"], &url[..]].concat()));
    let lines: Vec<&str> = readers.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "email,confirmed,leave"), "{readers}");
    assert!(lines[1].starts_with("mitali@example.com,20"), "{readers}");
    let leave = lines[1].split(",https://shop.example").nth(1).unwrap();
    let json = stage.run(&["subscribers", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json[0]["email"], "mitali@example.com");

    let messages = printed(&stage.run(&["messages"]));
    assert!(messages.starts_with("at,name,email,message\n"), "{messages}");
    assert!(
        messages.contains(",'=cmd(),rahim@example.com,\"One, \"\"two\"\"\nthree\""),
        "{messages}"
    );
    let json = stage.run(&["messages", "--format", "json", "--since", "2020-01-01"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json[0]["name"], json.as_array().unwrap().len()), (&"=cmd()".into(), 1));
    for command in ["messages", "subscribers"] {
        let old = stage.run(&[command, "--format", "json", "--until", "2020-01-01"]);
        assert_eq!(printed(&old).trim(), "[]", "{command}");
        let wrong = stage.run(&[command, "--since", "yesterday"]);
        assert!(!wrong.status.success() && said(&wrong).contains("2026-11-30"), "{}", said(&wrong));
    }

    // The link that was taken out is the one by which a reader leaves.
    let left = shop.try_post(leave, "").unwrap();
    assert!(left.contains("location: /newsletter/left"), "{left}");
    assert_eq!(printed(&stage.run(&["subscribers"])).lines().count(), 1);
}
