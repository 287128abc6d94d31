//! Messages and numbers in English and Bangla, and what all catalogues must agree on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use platform::{Money, Timestamp};

use super::*;

const BANGLA: &str = "bn";

fn language(code: &str) -> Language {
    code.parse().unwrap()
}

fn bangla() -> Language {
    language(BANGLA)
}

fn format(code: &str, message: &str, args: Args<'_>) -> String {
    Formatter { language: language(code), args }.format(&parse(message).unwrap())
}

#[test]
fn arguments_are_inserted_as_they_are() {
    let message = "{greeting}, {count} of {count, number}: {missing}";
    let args: Args<'_> = &[("greeting", &"<Hi> {x}"), ("count", &1_234_567)];
    assert_eq!(format("en", message, args), "<Hi> {x}, 1234567 of 1,234,567: ");
    assert_eq!(format(BANGLA, message, args), "<Hi> {x}, 1234567 of ১২,৩৪,৫৬৭: ");
}

#[test]
fn plurals_follow_the_rules_of_the_language() {
    let message = "{n, plural, =5 {five} one {one #} few {few #} many {many #} other {other #}}";
    for (code, wanted) in [
        ("en", ["other 0", "one 1", "other 2", "five", "other 1,000"]),
        (BANGLA, ["one ০", "one ১", "other ২", "five", "other ১,০০০"]),
        ("ru", ["many 0", "one 1", "few 2", "five", "many 1,000"]),
        ("ja", ["other 0", "other 1", "other 2", "five", "other 1,000"]),
    ] {
        let texts = [0, 1, 2, 5, 1000].map(|n| format(code, message, &[("n", &n)]));
        assert_eq!(texts, wanted, "{code}");
    }
}

#[test]
fn selects_choose_by_value() {
    let message = "{verified, select, true {yes} other {no, {name}}}";
    assert_eq!(format("en", message, &[("verified", &true)]), "yes");
    assert_eq!(format("en", message, &[("verified", &"x"), ("name", &"Rahim")]), "no, Rahim");
}

#[test]
fn a_missing_translation_falls_back_to_english_and_a_missing_key_to_itself() {
    assert_eq!(Messages::text(language("fr"), "server.subTotal", &[]), "Sub Total");
    assert_eq!(Messages::text(bangla(), "server.subTotal", &[]), "উপমোট");
    assert_eq!(Messages::text(bangla(), "server.none", &[]), "server.none");
}

#[test]
fn numbers_money_and_dates_are_written_as_in_the_browser() {
    let (en, bn) = (Language::ENGLISH, bangla());
    for (number, english, bengali) in [
        (0, "0", "০"),
        (999, "999", "৯৯৯"),
        (1000, "1,000", "১,০০০"),
        (99_999, "99,999", "৯৯,৯৯৯"),
        (100_000, "100,000", "১,০০,০০০"),
        (1_234_567, "1,234,567", "১২,৩৪,৫৬৭"),
        (123_456_789, "123,456,789", "১২,৩৪,৫৬,৭৮৯"),
        (-1_234, "-1,234", "-১,২৩৪"),
    ] {
        assert_eq!(format::number(en, number), english);
        assert_eq!(format::number(bn, number), bengali);
    }
    let money = |minor, code: &str| Money::new(minor, code.parse().unwrap());
    for (amount, english, bengali) in [
        (money(123_456_705, "USD"), "$1,234,567.05", "$১২,৩৪,৫৬৭.০৫"),
        (money(-5, "USD"), "-$0.05", "-$০.০৫"),
        (money(14_875_700, "BDT"), "৳148,757", "৳১,৪৮,৭৫৭"),
        (money(14_875_750, "BDT"), "৳148,757.50", "৳১,৪৮,৭৫৭.৫০"),
        (money(1_234_567, "KWD"), "KWD\u{a0}1,234.567", "KWD\u{a0}১,২৩৪.৫৬৭"),
        (money(1_234_567, "JPY"), "¥1,234,567", "¥১২,৩৪,৫৬৭"),
    ] {
        assert_eq!(format::money(en, amount), english);
        assert_eq!(format::money(bn, amount), bengali);
        if !amount.is_negative() {
            assert_eq!(format::amount(bn, english), bengali, "from {english}");
        }
    }
    for (text, english, bengali) in [
        ("$1,000,000.00", "$1,000,000.00", "$১০,০০,০০০.০০"),
        ("৳148,757", "৳148,757", "৳১,৪৮,৭৫৭"),
        ("1000", "1,000", "১,০০০"),
        ("PATCH", "PATCH", "PATCH"),
        ("H2", "H2", "H2"),
        ("-5", "-5", "-5"),
        ("1.x", "1.x", "1.x"),
    ] {
        assert_eq!(format::amount(en, text), english);
        assert_eq!(format::amount(bn, text), bengali);
    }
    let (may, december) = (Timestamp(1_777_852_799_999), Timestamp(1_798_675_200_000));
    assert_eq!(format::date(en, may), "3 May 2026");
    assert_eq!(format::date(bn, may), "৩ মে ২০২৬");
    assert_eq!(format::date(en, december), "31 December 2026");
    assert_eq!(format::date(bn, december), "৩১ ডিসেম্বর ২০২৬");
}

/// The arguments of a message and how each is used.
fn arguments(message: &Message, found: &mut BTreeMap<String, BTreeSet<&'static str>>) {
    for part in message {
        let (name, kind, branches) = match part {
            Part::Text(_) => continue,
            Part::Argument(name) => (name, "text", &[][..]),
            Part::Number(name) => (name, "number", &[][..]),
            Part::Plural(name, branches) => (name, "number", &branches[..]),
            Part::Select(name, branches) => (name, "select", &branches[..]),
        };
        found.entry(name.clone()).or_default().insert(kind);
        branches.iter().for_each(|(_, message)| arguments(message, found));
    }
}

#[test]
fn all_languages_have_the_same_messages_with_the_same_arguments() {
    let mut wrong = Vec::new();
    let mut read_all: BTreeMap<&str, BTreeMap<String, _>> = BTreeMap::new();
    for (code, namespace, json) in FILES {
        for (key, message) in read(json).unwrap_or_else(|why| panic!("{code}/{namespace}: {why}")) {
            let mut found = BTreeMap::new();
            match message {
                Ok(message) => arguments(&message, &mut found),
                Err(why) => wrong.push(format!("{code}/{namespace}: {key}: {why}")),
            }
            // The compiler of the web's messages has the same rule, for typed arguments.
            for (name, kinds) in found.iter().filter(|(_, kinds)| kinds.len() > 1) {
                wrong.push(format!("{code}/{namespace}: {key}: {{{name}}} is used as {kinds:?}"));
            }
            read_all.entry(code).or_default().insert(format!("{namespace}.{key}"), found);
        }
    }
    let source = &read_all["en"];
    for (code, messages) in &read_all {
        for (key, arguments) in source {
            match messages.get(key) {
                None => wrong.push(format!("{code}: {key} is missing")),
                Some(own) if own != arguments => {
                    wrong.push(format!("{code}: {key} has {own:?} instead of {arguments:?}"));
                }
                Some(_) => {}
            }
        }
        let unknown = messages.keys().filter(|key| !source.contains_key(*key));
        wrong.extend(unknown.map(|key| format!("{code}: {key} is not in English")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read_all.len() >= 2);
}

/// Every key in Rust is a literal, so that this test finds it.
#[test]
fn every_message_is_used_and_every_key_exists() {
    let mut used = BTreeSet::new();
    find_keys(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut used);
    let existing: BTreeSet<String> = CATALOGUES["en"].keys().cloned().collect();
    // Shared with the web. Keys of errors are made from their codes.
    let of_rust = |key: &&String| !key.starts_with("format.") && !key.starts_with("errors.");
    let unused: Vec<_> = existing.difference(&used).filter(of_rust).collect();
    let missing: Vec<_> = used.difference(&existing).collect();
    assert!(unused.is_empty(), "in messages/en, but nowhere in Rust: {unused:?}");
    assert!(missing.is_empty(), "in Rust, but not in messages/en: {missing:?}");
}

/// The string literals like `"email.greeting"` in the sources, tests left out.
fn find_keys(folder: &Path, keys: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() {
            if name != "tests" {
                find_keys(&entry, keys);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let source = fs::read_to_string(&entry).unwrap();
            keys.extend(source.split('"').filter(|text| is_key(text)).map(str::to_owned));
        }
    }
}

/// Names of a job and of files.
const NOT_KEYS: [&str; 3] = ["sms.send", "email.html", "email.txt"];

fn is_key(text: &str) -> bool {
    let Some((namespace, key)) = text.split_once('.') else { return false };
    FILES.iter().any(|(_, known, _)| *known == namespace)
        && key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !NOT_KEYS.contains(&text)
}
