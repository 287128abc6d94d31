//! Tax rates, exemptions and classes of goods by the command line, beside a running shop.

use std::process::{Child, Stdio};

use platform::Db;
use serde_json::{Value, json};
use test_support::{eventually, on_both};

use super::program::{Sandbox, text};

on_both!(Sandbox:
    tax_rates_are_managed_by_the_command_line,
    tax_rates_that_are_set_at_once_are_all_kept,
    exemptions_are_managed_by_the_command_line,
    products_have_a_tax_class_in_import_and_export,
);

const GOODS: &str = r#"{"categories": [{"_id": "bowls", "name": "Bowls", "img": "/favicon.svg"}],
    "products": [{"_id": "bowl", "category": "bowls", "name": "Bowl", "sku": "B1",
      "img": ["/favicon.svg"], "realPrice": 20, "qtn": 40}]}"#;

impl Sandbox {
    fn refuses(&self, args: &[&str], why: &str) {
        let output = self.run(args);
        let said = text(&output);
        assert!(!output.status.success() && said.contains(why), "{args:?}: {said}");
    }

    fn taxes(&self, args: &[&str]) -> String {
        self.printed(&[&["taxes"], args].concat())
    }
}

async fn tax_rates_are_managed_by_the_command_line(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let shop = sandbox.open_with(&["--countries", "BD,DE", "--shipping", "10", "--vat", "7"]);
    let quoted = |country: &str| shop.quote(json!({ "destination": { "country": country } }));
    let none = "Prices do not include the tax; rounding per line; delivery taxed: goods\n";
    assert_eq!(sandbox.taxes(&["list"]), none);
    assert_eq!((&quoted("BD")["vat"], &quoted("BD")["taxes"]), (&json!(7), &json!([])));

    // Two bowls cost 40, and their delivery 10.
    let list = sandbox.taxes(&["preset", "bd"]);
    assert!(list.contains("delivery taxed: standard") && list.lines().count() == 7, "{list}");
    eventually("the rates hold", async || quoted("BD")["vat"] == 7.5).await;
    assert_eq!(quoted("DE")["taxes"][0]["relief"], "export");
    let german = ["set", "de", "--percent", "19 %", "--country", "DE", "--title", "MwSt"];
    let list =
        sandbox.taxes(&[&german[..], &["--from", "2026-01-01", "--until", "2099-12-31"]].concat());
    let row = "de              MwSt   19 %  standard     DE  2026-01-01 – 2099-12-31";
    assert!(list.lines().any(|line| line.trim_end() == row), "{list}");
    eventually("it is no export any more", async || quoted("DE")["vat"] == 9.5).await;
    let list = sandbox.taxes(&["set", "bd-standard", "--percent", "10", "--country", "BD"]);
    assert!(list.lines().count() == 8 && list.contains("10 %  standard     BD\n"), "{list}");
    eventually("the rate is replaced", async || quoted("BD")["vat"] == 5.0).await;
    let said = sandbox.taxes(&["rules", "--prices-include-tax", "true", "--rounding", "order"]);
    assert!(said.starts_with("Prices include the tax; rounding per order;"), "{said}");
    let said = sandbox.taxes(&["rules", "--delivery", "none"]);
    assert!(
        said.starts_with("Prices include the tax; rounding per order; delivery taxed: none"),
        "{said}"
    );
    // 40 × 10 ÷ 110 = 3.64.
    eventually("prices include the tax", async || {
        quoted("BD")["taxes"][0]["amount"] == 3.64 && quoted("BD")["vat"] == 0
    })
    .await;

    let at = sandbox.taxes(&["at", "--country", "BD", "--class", "reduced-7-5"]);
    assert_eq!(at, "bd-reduced-7-5  VAT  7.5 %\n");
    let day = ["at", "--country", "DE", "--json", "--day"];
    let at = |day_of: &str| -> Value {
        serde_json::from_str(&sandbox.taxes(&[&day[..], &[day_of]].concat())).unwrap()
    };
    assert_eq!(at("2026-01-01"), json!([{ "_id": "de", "name": "MwSt", "percent": 19 }]));
    assert_eq!([at("2025-12-31"), at("2100-01-01")], [json!([]), json!([])]);

    let duty =
        ["set", "sd", "--percent", "20", "--title", "SD", "--country", "BD", "--region", "Khulna"];
    sandbox.taxes(&duty);
    sandbox.taxes(&[
        "set",
        "sd-vat",
        "--percent",
        "15",
        "--class",
        "drinks",
        "--compound",
        "--country",
        "BD",
    ]);
    let at = ["at", "--country", "BD", "--region", "Khulna", "--class", "drinks"];
    assert_eq!(sandbox.taxes(&at), "sd      SD   20 %\nsd-vat  VAT  15 %\n");

    // What is exported is imported as it was.
    let file = sandbox.dir.path().join("taxes.json");
    let path = file.to_str().unwrap();
    assert_eq!(sandbox.taxes(&["export", path]), "");
    let exported = std::fs::read_to_string(&file).unwrap();
    assert_eq!(sandbox.taxes(&["export"]), exported);
    let list = sandbox.taxes(&["list"]);
    for id in ["bd-standard", "sd", "sd-vat"] {
        assert!(
            !sandbox.taxes(&["remove", id]).lines().any(|line| line.starts_with(&format!("{id} ")))
        );
    }
    assert_eq!(sandbox.taxes(&["import", path]), list);
    assert_eq!(sandbox.taxes(&["export"]), exported);
}

async fn tax_rates_that_are_set_at_once_are_all_kept(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let ids = ["a", "b", "c", "d"];
    let set = |id: &&str| {
        let mut command = sandbox.haat(&["taxes", "set", id, "--title", id, "--percent", "5"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let started: Vec<Child> = ids.iter().map(set).collect();
    for mut command in started {
        assert!(command.wait().unwrap().success());
    }
    assert_eq!(sandbox.taxes(&["list"]).lines().count(), 1 + ids.len());
}

/// Once, because the answers do not depend on the database.
#[test]
fn wrong_tax_rates_are_refused_with_the_reason() {
    let sandbox = Sandbox::sqlite();
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let list = sandbox.taxes(&["preset", "bd"]);
    let unknown = sandbox.file(
        "unknown.json",
        r#"{"rates": [{"_id": "a", "name": "VAT", "percent": 1, "zone": 1}]}"#,
    );
    let place = sandbox.file(
        "place.json",
        r#"{"rates": [{"_id": "a", "name": "VAT", "percent": 1, "places": [{"country": "BD", "region": "Texas"}]}]}"#,
    );
    let percent = sandbox
        .file("percent.json", r#"{"rates": [{"_id": "a", "name": "VAT", "percent": 1000.5}]}"#);
    let set = |more: &[&'static str]| [&["taxes", "set", "x"], more].concat();
    for (args, why) in [
        (vec!["taxes", "remove", "nothing"], "there is no rate nothing"),
        (vec!["taxes", "remove"], "a name is required"),
        (vec!["taxes", "set", "a b", "--percent", "1"], "an id is 1 to 64"),
        (vec!["taxes", "preset", "us"], "is none of bd, eu"),
        (vec!["taxes", "preset", "eu"], "there are rates already"),
        (vec!["taxes", "at"], "--country is required"),
        (
            vec!["taxes", "at", "--country", "BD", "--region", "Texas"],
            "is no region of the country",
        ),
        (vec!["taxes", "rules", "--rounding", "never"], "is none of line, order"),
        (vec!["taxes", "rules", "--delivery", "Free!"], "a tax class is 1 to 40"),
        (vec!["taxes", "rules", "--prices-include-tax", "maybe"], "invalid value 'maybe'"),
        (vec!["taxes", "import", "/nowhere.json"], "No such file"),
        (vec!["taxes", "import", unknown.to_str().unwrap()], "unknown field `zone`"),
        (vec!["taxes", "import", place.to_str().unwrap()], "is no region of the country"),
        (vec!["taxes", "import", percent.to_str().unwrap()], "a percentage from 0 to 1000"),
        (set(&[]), "--percent is required"),
        (set(&["--percent=-1"]), "a percentage from 0 to 1000"),
        (set(&["--percent", "1.2345"]), "a percentage from 0 to 1000"),
        (set(&["--percent", "1", "--title", " "]), "a name has 1 to 40"),
        (set(&["--percent", "1", "--class", "Books"]), "a tax class is 1 to 40"),
        (set(&["--percent", "1", "--country", "XX"]), "the code of a country"),
        (set(&["--percent", "1", "--region", "Dhaka"]), "--region requires --country"),
        (set(&["--percent", "1", "--from", "2026-02-30"]), "is no day"),
        (
            set(&["--percent", "1", "--from", "2026-02-03", "--until", "2026-02-02"]),
            "until is a day before from",
        ),
    ] {
        sandbox.refuses(&args, why);
    }
    assert_eq!(sandbox.taxes(&["list"]), list);
}

async fn exemptions_are_managed_by_the_command_line(sandbox: Sandbox) {
    let goods = sandbox.file("goods.json", GOODS);
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    let db = Db::open(&sandbox.database_url()).await.unwrap();
    for (id, email, verified) in
        [("rahim-1", "rahim@haat.example", true), ("mina-1", "mina@haat.example", false)]
    {
        let sql = "insert into customers (id, email, name, email_verified, created_at) values ($1, $2, '', $3, 0)";
        db.query(sql).bind(id).bind(email).bind(verified).execute().await.unwrap();
    }
    db.close().await;
    assert_eq!(sandbox.taxes(&["exemptions"]), "");
    let number = ["--tax-number", "001234567-0101"];
    let said = sandbox.taxes(&[&["exempt", "Rahim@Haat.example"], &number[..]].concat());
    assert_eq!(said, "rahim@haat.example  001234567-0101  everywhere\n");
    // A second time, it is replaced; an unverified address needs the id.
    let said =
        sandbox.taxes(&["exempt", "rahim-1", "--tax-number", " EU 7 ", "--country", "FR,AT"]);
    assert_eq!(said, "rahim@haat.example  EU 7  FR, AT\n");
    sandbox.taxes(&[&["exempt", "mina-1"], &number[..]].concat());
    let list: Value = serde_json::from_str(&sandbox.taxes(&["exemptions", "--json"])).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2, "{list}");
    let rahim = list.as_array().unwrap().iter().find(|one| one["email"] == "rahim@haat.example");
    assert_eq!(rahim.unwrap()["countries"], json!(["FR", "AT"]));
    let long = "1".repeat(41);
    for (args, why) in [
        (
            &["taxes", "exempt", "nobody@haat.example", "--tax-number", "1"][..],
            "there is no customer",
        ),
        (&["taxes", "exempt", "mina@haat.example", "--tax-number", "1"], "is not verified"),
        (&["taxes", "exempt", "rahim-1"], "--tax-number is required"),
        (&["taxes", "exempt", "rahim-1", "--tax-number", " "], "a tax number has 1 to 40"),
        (&["taxes", "exempt", "rahim-1", "--tax-number", &long], "a tax number has 1 to 40"),
        (&["taxes", "exempt", "rahim-1", "--tax-number", "a\nb"], "a tax number has 1 to 40"),
        (
            &["taxes", "exempt", "rahim-1", "--tax-number", "1", "--country", "EU"],
            "the code of a country",
        ),
        (&["taxes", "unexempt"], "a name is required"),
        (&["taxes", "unexempt", "nobody@haat.example"], "there is no customer"),
    ] {
        sandbox.refuses(args, why);
    }
    let left = sandbox.taxes(&["unexempt", "rahim@haat.example"]);
    assert!(left.starts_with("mina@haat.example") && left.lines().count() == 1, "{left}");
    sandbox
        .refuses(&["taxes", "unexempt", "rahim@haat.example"], "rahim@haat.example is not exempt");
}

async fn products_have_a_tax_class_in_import_and_export(sandbox: Sandbox) {
    let class = |class: &str| {
        GOODS.replace("\"qtn\": 40", &format!("\"qtn\": 40, \"taxClass\": \"{class}\""))
    };
    let goods = sandbox.file("goods.json", &class("reduced-5"));
    sandbox.printed(&["import", goods.to_str().unwrap()]);
    sandbox.taxes(&["preset", "bd"]);
    let shop = sandbox.open_with(&["--countries", "BD", "--shipping", "10"]);
    let taxes = || shop.quote(json!({}))["taxes"].clone();
    // 5 % of two bowls at 20, and 15 % of the delivery.
    let rates = |taxes: Value| -> Vec<Value> {
        taxes.as_array().unwrap().iter().map(|tax| json!([tax["rate"], tax["amount"]])).collect()
    };
    assert_eq!(rates(taxes()), [json!([5, 2]), json!([15, 1.5])]);
    for name in ["out.json", "out.csv"] {
        let file = sandbox.dir.path().join(name);
        let path = file.to_str().unwrap();
        sandbox.printed(&["export", path]);
        assert!(std::fs::read_to_string(&file).unwrap().contains("reduced-5"), "{name}");
        let standard = sandbox.file("standard.json", &class("standard"));
        sandbox.printed(&["import", standard.to_str().unwrap()]);
        eventually("the standard rate holds", async || rates(taxes()) == [json!([15, 7.5])]).await;
        sandbox.printed(&["import", path]);
        eventually("it is reduced again", async || rates(taxes()).len() == 2).await;
    }
    // Without the column, it stays; an empty one is the standard class.
    let without = sandbox.file("without.json", GOODS);
    sandbox.printed(&["import", without.to_str().unwrap()]);
    assert_eq!(rates(taxes()).len(), 2);
    let empty = sandbox.file("empty.json", &class(""));
    sandbox.printed(&["import", empty.to_str().unwrap()]);
    eventually("the standard rate holds", async || rates(taxes()) == [json!([15, 7.5])]).await;
    let wrong = sandbox.file("wrong.json", &class("Reduced 5"));
    sandbox.refuses(&["import", wrong.to_str().unwrap()], "taxClass");
}
