//! Service accounts by the command line.

use std::collections::BTreeSet;

use serde_json::Value;
use test_support::on_both;

use super::program::{Sandbox, text};

on_both!(Sandbox: service_accounts_are_listed_as_a_table_and_as_json,);

async fn service_accounts_are_listed_as_a_table_and_as_json(sandbox: Sandbox) {
    for name in ["till", "warehouse"] {
        let created = sandbox.run(&["service-account", "create", name]);
        assert!(created.status.success(), "{}", text(&created));
    }
    let json = sandbox.run(&["service-account", "list", "--json"]);
    let json: Vec<Value> = serde_json::from_slice(&json.stdout).unwrap();
    let table = sandbox.run(&["service-account", "list"]);
    let table = String::from_utf8(table.stdout).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((json.len(), lines.len()), (2, 2), "{table}");
    let mut columns = BTreeSet::new();
    for (account, line) in json.iter().zip(lines) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let expected = ["email", "keyId", "createdAt"].map(|name| account[name].as_str().unwrap());
        assert_eq!(cells, expected, "{table}");
        columns.insert(line.find(cells[1]));
    }
    assert_eq!(columns.len(), 1, "{table}");
}
