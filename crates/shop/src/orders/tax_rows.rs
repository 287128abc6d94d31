//! The taxes of an order as documents list them.

use messages::{Messages, format};
use platform::{Language, Money};

use super::Order;
use crate::pricing::{TaxLine, TaxRelief, TaxSum};

/// Names and amounts.
pub struct TaxRows {
    /// Added to the prices.
    pub added: Vec<(String, Money)>,
    /// Part of the prices.
    pub included: Vec<(String, Money)>,
}

impl Order {
    pub fn tax_rows(&self, language: Language) -> TaxRows {
        tax_rows(&self.taxes, self.vat, language)
    }
}

/// Of some taxes or, without any, of a flat amount.
pub(super) fn tax_rows(taxes: &[TaxLine], flat: Money, language: Language) -> TaxRows {
    if taxes.is_empty() {
        let vat = Messages::text(language, "server.vat", &[]);
        return TaxRows { added: vec![(vat, flat)], included: Vec::new() };
    }
    let (included, added): (Vec<TaxSum>, Vec<TaxSum>) =
        TaxSum::of(taxes).into_iter().partition(|sum| sum.included);
    let rows = |sums: Vec<TaxSum>, key| {
        let row = |sum: &TaxSum| (tax_name(sum, key, language), sum.amount);
        sums.iter().map(row).collect()
    };
    TaxRows { added: rows(added, "server.taxAt"), included: rows(included, "server.taxIncluded") }
}

fn tax_name(sum: &TaxSum, key: &str, language: Language) -> String {
    let key = match sum.relief {
        Some(TaxRelief::Export) => "server.taxOfExport",
        Some(TaxRelief::Exempt) => "server.taxOfExempt",
        None => key,
    };
    let percent = format::digits(language, sum.rate);
    Messages::text(language, key, &[("tax", &sum.label), ("percent", &percent)])
}
