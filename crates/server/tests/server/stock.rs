//! The stock of a product by the command line, beside a running shop.

use std::process::Output;

use serde_json::Value;
use test_support::{eventually, on_both};

use super::program::{Sandbox, text};

on_both!(Sandbox: stock_is_shown_and_changed_by_the_command_line,);

const GOODS: &str = r#"{"categories": [{"_id": "bowls", "name": "Bowls", "img": "/favicon.svg"}],
    "products": [{"_id": "bowl", "category": "bowls", "name": "Bowl", "sku": "B1",
      "img": ["/favicon.svg"], "realPrice": 20, "qtn": 4},
      {"_id": "plate", "category": "bowls", "name": "Plate", "sku": "P1", "img": ["/favicon.svg"],
       "realPrice": 9, "variants": [{"options": {"Glaze": "White"}, "qtn": 50},
         {"options": {"Glaze": "Green"}, "sku": "P1-G", "qtn": 60, "lowStock": 70}]}]}"#;

/// What a command prints, without the log.
fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

async fn stock_is_shown_and_changed_by_the_command_line(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    assert!(sandbox.run(&["import", goods.to_str().unwrap()]).status.success());
    let shop = sandbox.open_with(&[]);
    assert!(shop.get("/api/products/bowl").contains("\"qtn\":4"));

    let broken = ["stock", "adjust", "bowl", "-3", "--reason", "Broken on the way"];
    let output = sandbox.run(&broken);
    assert!(output.status.success(), "{}", text(&output));
    let newest = lines(&output).swap_remove(0);
    assert!(newest.ends_with("corrected  -3  1  command line, Broken on the way"), "{newest}");
    eventually("the page shows it", async || shop.get("/product/bowl").contains("only 1 left"))
        .await;
    assert!(sandbox.run(&["stock", "set", "bowl", "40"]).status.success());
    let output = sandbox.run(&["stock", "history", "bowl", "--json"]);
    let history: Value = serde_json::from_slice(&output.stdout).unwrap();
    let changes: Vec<_> =
        history.as_array().unwrap().iter().map(|entry| entry["change"].as_i64().unwrap()).collect();
    assert_eq!(changes, [39, -3, 4]);
    let one = sandbox.run(&["stock", "history", "bowl", "--limit", "1"]);
    assert_eq!(lines(&one).len(), 1, "{}", text(&one));

    let low = |most| lines(&sandbox.run(&["stock", "low", "--most", most]));
    let green = "60  plate--green  P1-G  Plate (Green)";
    assert_eq!(low("39"), [green], "below its own limit");
    assert_eq!(low("40"), ["40  bowl          B1    Bowl", green]);
    assert!(sandbox.run(&["stock", "adjust", "P1-G", "11"]).status.success());
    let of_green = lines(&sandbox.run(&["stock", "history", "plate--green"]));
    assert!(of_green[0].contains("received  +11  71"), "{of_green:?}");
    for (args, why) in [
        (&["stock", "history"][..], "an id or an SKU is required"),
        (&["stock", "low", "3"], "lists all variants"),
        (&["stock", "history", "bowl", "3"], "units are only for"),
        (&["stock", "adjust", "bowl", "-41"], "there are 40; the stock is from 0 to"),
        (&["stock", "set", "bowl"], "the number of units is required"),
        (&["stock", "set", "bowl", "-1"], "there are 40; the stock is from 0 to"),
        (&["stock", "set", "bowl", "1.5"], "invalid value '1.5'"),
        (&["stock", "history", "pot"], "there is no product or variant pot"),
        (&["stock", "set", "pot", "1"], "there is no product or variant pot"),
        (&["stock", "set", "bowl", "1", "--reason", "a\nb"], "characters in one line"),
    ] {
        let output = sandbox.run(args);
        assert!(!output.status.success() && text(&output).contains(why), "{}", text(&output));
    }
    let after = sandbox.run(&["stock", "history", "bowl"]);
    assert_eq!(lines(&after).len(), 3, "{}", text(&after));
}
