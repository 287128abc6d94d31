//! Invoices in the languages of the shop. `HAAT_TEST_INVOICES=FOLDER` keeps the PDF files, to look at them.

use serde_json::{Value, json};
use test_support::on_both;

use super::*;

on_both!(TestApp: an_invoice_is_in_the_language_of_its_order,);

const BUYER: &str = "buyer@haat.example";

impl TestApp {
    /// Places an order in a language, and returns its number.
    async fn buy_in(&self, language: Language, token: &str) -> String {
        let order = json!({ "name": "মিতালী দাস", "phone": "01711000000", "total": 91_220, "currency": "BDT",
                            "address": "১২ মার্কেট লেন, লক্ষ্মীবাজার\nঢাকা ১১০০",
                            "lines": [{ "_id": "tarn-over-ear-headphones", "qtn": 3 }] });
        let path = format!("/api/orders?language={language}");
        let placed = self.request("POST", &path, token, order).await;
        assert_eq!(placed.status, StatusCode::CREATED, "{}", placed.text());
        placed.json()["number"].as_str().unwrap().to_owned()
    }

    async fn invoice(&self, number: &str, language: Language, token: &str) -> Value {
        let path = format!("/api/orders/{number}/invoice?language={language}");
        self.request("GET", &path, token, json!({})).await.json()
    }
}

async fn an_invoice_is_in_the_language_of_its_order(app: TestApp) {
    let token = app.verified_customer(BUYER).await;
    for language in [Language::ENGLISH, bangla()] {
        let number = app.buy_in(language, &token).await;
        let path = format!("/api/orders/{number}/invoice.pdf?language=en");
        let pdf = app.request("GET", &path, &token, json!({})).await;
        assert_eq!(pdf.status, StatusCode::OK);
        let lang = format!("/Lang ({language})");
        assert!(pdf.body.windows(lang.len()).any(|bytes| bytes == lang.as_bytes()), "{language}");
        if let Some(folder) = std::env::var_os("HAAT_TEST_INVOICES") {
            std::fs::write(Path::new(&folder).join(format!("{language}.pdf")), &pdf.body).unwrap();
        }
    }

    // The page shows it in the language of the visit.
    let number = app.buy_in(Language::ENGLISH, &token).await;
    let document = |invoice: &Value| invoice["documents"][0].clone();
    let english = document(&app.invoice(&number, Language::ENGLISH, &token).await);
    assert_eq!(english["title"], "Invoice");
    assert_eq!(english["facts"][2]["value"].as_str().unwrap().len(), "2026-05-03".len());
    let invoice = app.invoice(&number, bangla(), &token).await;
    assert_eq!(invoice["seller"]["name"], BANGLA_NAME);
    let bangla = document(&invoice);
    assert_eq!(bangla["title"], "ইনভয়েস");
    let mut texts = Vec::new();
    collect_texts(&bangla, &mut texts);
    let codes = [number.as_str(), "INV-", "HT-AUD-001"];
    for text in &texts {
        let rest = codes.iter().fold(text.clone(), |text, code| text.replace(code, ""));
        assert!(!rest.contains(|letter: char| letter.is_ascii_alphanumeric()), "{text}");
    }
    let expected = [
        ("ইনভয়েস নম্বর", format!("INV-{number}")),
        ("পেমেন্টের মাধ্যম", "ক্যাশ অন ডেলিভারি".to_owned()),
        ("ইনভয়েসের মোট", "৳৯১,২২০".to_owned()),
    ];
    for (name, value) in expected {
        let at = texts.iter().position(|text| text == name).unwrap_or_else(|| panic!("{texts:?}"));
        // Keys are in alphabetical order: "name" and "value", but "amount" and "name".
        assert!(texts[at + 1] == value || texts[at - 1] == value, "{name}: {texts:?}");
    }
}

/// All strings in a JSON value.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| collect_texts(field, texts)),
        _ => {}
    }
}
