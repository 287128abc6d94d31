//! Promotions and delivery zones by the command line, beside a running shop.

use serde_json::{Value, json};
use test_support::{eventually, on_both};

use super::program::{Sandbox, Shop, text};

on_both!(Sandbox:
    promotions_are_managed_by_the_command_line,
    delivery_zones_are_managed_by_the_command_line,
);

const GOODS: &str = r#"{"categories": [{"_id": "bowls", "name": "Bowls", "img": "/favicon.svg"}],
    "products": [{"_id": "bowl", "category": "bowls", "name": "Bowl", "sku": "B1",
      "img": ["/favicon.svg"], "realPrice": 20, "qtn": 40}]}"#;

impl Sandbox {
    /// What a command prints, which must succeed.
    pub fn printed(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Shop {
    /// The quote of two bowls.
    pub fn quote(&self, more: Value) -> Value {
        let mut body = json!({ "lines": [{ "_id": "bowl", "qtn": 2 }] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = self.try_post("/api/quote", &body.to_string()).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}"))
    }
}

async fn promotions_are_managed_by_the_command_line(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let shop = sandbox.open_with(&[]);
    let quoted = |code: &str| shop.quote(json!({ "codes": [code] }));
    assert_eq!(quoted("SPRING")["codes"][0]["reason"]["code"], "unknown_code");

    let create = ["promotions", "create", "spring", "--percent", "12.5", "--min", "30"];
    let shown = sandbox.printed(&create);
    assert!(shown.contains("SPRING") && shown.contains("12.5 %"), "{shown}");
    let quote = quoted("Spring");
    assert_eq!([&quote["discount"], &quote["cartTotal"]], [5, 75], "{quote}");
    let bogof = [
        "promotions",
        "create",
        "--title",
        "Two for one",
        "--buy",
        "1",
        "--get",
        "1",
        "--exclusive",
    ];
    sandbox.printed(&bogof);
    eventually("the automatic one saves more", async || quoted("SPRING")["discount"] == 20).await;
    assert_eq!(quoted("SPRING")["codes"][0]["reason"]["code"], "better_offer");
    let list: Value =
        serde_json::from_str(&sandbox.printed(&["promotions", "list", "--json"])).unwrap();
    let automatic = list.as_array().unwrap().iter().find(|one| one["byCode"] == false).unwrap();
    let id = automatic["_id"].as_str().unwrap();
    sandbox.printed(&["promotions", "end", id]);
    eventually("it has ended", async || quoted("SPRING")["discount"] == 5).await;
    assert_eq!(sandbox.printed(&["promotions", "list"]).lines().count(), 1);
    assert_eq!(sandbox.printed(&["promotions", "list", "--ended"]).lines().count(), 2);

    let codes =
        sandbox.printed(&["promotions", "codes", "SPRING", "--count", "3", "--prefix", "vip-"]);
    let codes: Vec<&str> = codes.lines().collect();
    assert!(codes.len() == 3 && codes.iter().all(|code| code.starts_with("VIP-")), "{codes:?}");
    assert_eq!(quoted(codes[0])["discount"], 5);
    assert!(sandbox.printed(&["promotions", "codes", "SPRING"]).contains("0 of 1"));
    let file = sandbox.file(
        "promotions.json",
        r#"{"promotions": [{"_id": "flat", "codes": ["FLAT"], "effect": {"amount": 7.5}, "limit": 3}]}"#,
    );
    sandbox.printed(&["promotions", "import", file.to_str().unwrap()]);
    assert_eq!(quoted("FLAT")["discount"], 7.5);
    let wrong = sandbox
        .file("wrong.json", r#"{"promotions": [{"codes": ["X"], "effect": {"percent": 0}}]}"#);
    for (args, why) in [
        (
            &["promotions", "create", "SPRING", "--percent", "5"][..],
            "a promotion with the code SPRING already",
        ),
        (&["promotions", "create", "X", "--percent", "101"], "a percentage above 0 and up to 100"),
        (
            &["promotions", "create", "X", "--percent", "5", "--amount", "5"],
            "one of --percent, --amount",
        ),
        (&["promotions", "create", "X"], "one of --percent, --amount"),
        (&["promotions", "create", "--percent", "5"], "a title is required"),
        (&["promotions", "create", "ten%", "--percent", "5"], "letters, digits and hyphens"),
        (&["promotions", "create", "X", "--buy", "2"], "--get"),
        (&["promotions", "create", "X", "--amount", "0.001"], "decimals"),
        (
            &["promotions", "end", "SPRING", "--until", "2027-01-01"],
            "is only for haat promotions create",
        ),
        (&["promotions", "end", "NOPE"], "there is no promotion"),
        (&["promotions", "end", id], "has ended already"),
        (&["promotions", "codes", id, "--count", "3"], "applied without a code"),
        (&["promotions", "list", "--percent", "3"], "is only for haat promotions create"),
        (&["promotions", "import", wrong.to_str().unwrap()], "a percentage above 0"),
    ] {
        let output = sandbox.run(args);
        assert!(
            !output.status.success() && text(&output).contains(why),
            "{args:?}: {}",
            text(&output)
        );
    }
}

async fn delivery_zones_are_managed_by_the_command_line(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let shop = sandbox.open_with(&["--countries", "BD,US"]);
    let quoted = |country: &str| shop.quote(json!({ "destination": { "country": country } }));
    assert_eq!([&quoted("US")["shipping"], &quoted("US")["deliveries"]], [&json!(40), &json!([])]);

    sandbox.printed(&[
        "delivery",
        "set",
        "home",
        "--country",
        "BD",
        "--price",
        "2",
        "--days",
        "2-4",
    ]);
    eventually("the zone counts", async || quoted("BD")["shipping"] == 2).await;
    assert_eq!(quoted("US")["undeliverable"], true);
    let world = ["delivery", "set", "world", "--price", "20", "--free-over", "39"];
    let list = sandbox.printed(&[&world[..], &["--cash-on-delivery-fee", "1.5"]].concat());
    assert!(list.contains("everywhere else") && list.contains("$20.00"), "{list}");
    assert!(list.contains("cash on delivery $1.50"), "{list}");
    eventually("it is free over 39", async || quoted("US")["undeliverable"] == false).await;
    assert_eq!([&quoted("US")["shipping"], &quoted("US")["paymentFee"]], [0.0, 1.5]);
    let said = sandbox.printed(&["delivery", "quote", "--country", "US", "--sub-total", "10"]);
    assert!(said.contains("Standard") && said.contains("$20.00"), "{said}");
    assert!(said.contains("cash on delivery $1.50"), "{said}");

    let file = sandbox.dir.path().join("zones.json");
    sandbox.printed(&["delivery", "export", file.to_str().unwrap()]);
    sandbox.printed(&["delivery", "remove", "world"]);
    eventually("it is gone", async || quoted("US")["undeliverable"] == true).await;
    sandbox.printed(&["delivery", "import", file.to_str().unwrap()]);
    eventually("it is back", async || quoted("US")["undeliverable"] == false).await;
    let wrong = sandbox.file(
        "wrong.json",
        r#"{"zones": [{"_id": "a", "name": "A", "places": [{"country": "BD", "region": "Texas"}],
            "methods": [{"_id": "m", "name": "M", "price": 1}]}]}"#,
    );
    for (args, why) in [
        (&["delivery", "remove", "world2"][..], "there is no zone world2"),
        (&["delivery", "set", "x", "--country", "XX", "--price", "1"], "country"),
        (&["delivery", "set", "x"], "--price is required"),
        (&["delivery", "quote", "--country", "DE", "--weight", "x"], "invalid value"),
        (&["delivery", "import", wrong.to_str().unwrap()], "is no region of the country"),
        (&["delivery", "import", "/nowhere.json"], "No such file"),
    ] {
        let output = sandbox.run(args);
        assert!(
            !output.status.success() && text(&output).contains(why),
            "{args:?}: {}",
            text(&output)
        );
    }
    assert_eq!(sandbox.printed(&["delivery", "list"]).lines().count(), 2);
}
