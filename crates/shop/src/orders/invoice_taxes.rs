//! The taxes on invoices and credit notes: the rates of each line, the sums by rate, and what the law wants said about them.

use messages::{Messages, format};
use platform::{Language, Money};
use serde::Serialize;
use utoipa::ToSchema;

use super::Order;
use crate::catalog::VariantId;
use crate::pricing::{TaxLine, TaxRelief, TaxSum};

/// What is charged of a tax at one rate, in the order's currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InvoiceTax {
    /// The tax and its rate, or why nothing is charged.
    pub name: String,
    /// What it is charged on, without the tax.
    pub net: String,
    pub tax: String,
    /// Both together.
    pub gross: String,
}

/// The taxes of a document.
pub(super) struct DocumentTaxes<'d> {
    pub order: &'d Order,
    pub taxes: &'d [TaxLine],
    /// The flat amount of a shop without rates.
    pub flat: Money,
    pub language: Language,
}

impl DocumentTaxes<'_> {
    /// The rates of a line, such as `15%`; empty where there are none.
    pub fn rates(&self, line: &VariantId) -> String {
        let of_line = self.taxes.iter().filter(|tax| tax.line.as_ref() == Some(line));
        let rates = of_line.map(|tax| format!("{}%", format::digits(self.language, tax.percent)));
        let mut rates: Vec<String> = rates.collect();
        rates.dedup();
        rates.join(" + ")
    }

    pub fn table(&self, amount: impl Fn(Money) -> String) -> Vec<InvoiceTax> {
        let row = |sum: &TaxSum| InvoiceTax {
            name: self.name(sum),
            net: amount(sum.net),
            tax: amount(sum.amount),
            gross: amount(sum.net + sum.amount),
        };
        TaxSum::of(self.taxes).iter().map(row).collect()
    }

    fn name(&self, sum: &TaxSum) -> String {
        let key = match sum.relief {
            Some(TaxRelief::Export) => "server.taxOfExport",
            Some(TaxRelief::Exempt) => "server.taxOfExempt",
            None => "server.taxAt",
        };
        let percent = format::digits(self.language, sum.rate);
        Messages::text(self.language, key, &[("tax", &sum.label), ("percent", &percent)])
    }

    /// All taxes together, also those that the prices include.
    pub fn total(&self) -> Money {
        match self.taxes.is_empty() {
            true => self.flat,
            false => Money::sum(self.taxes.iter().map(|tax| tax.amount), self.order.currency),
        }
    }

    /// Why nothing is charged, and the tax in the base currency.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let has = |relief| self.taxes.iter().any(|tax| tax.relief == Some(relief));
        let text = |key, args: messages::Args<'_>| Messages::text(self.language, key, args);
        if has(TaxRelief::Export) {
            notes.push(text("pdf.export", &[]));
        }
        if has(TaxRelief::Exempt) {
            notes.push(match self.order.tax_number.as_str() {
                "" => text("pdf.exempt", &[]),
                number => text("pdf.exemptNumber", &[("number", &number)]),
            });
        }
        let (base, total) = (self.order.base.currency, self.total());
        // A flat VAT is no tax by law.
        if self.order.currency != base && total.is_positive() && !self.taxes.is_empty() {
            let tax = format::money(self.language, self.order.tax_in_base(total));
            let rate = format::digits(self.language, self.order.base.rate);
            let currency = self.order.currency;
            notes.push(text(
                "pdf.taxInBase",
                &[("tax", &tax), ("rate", &rate), ("currency", &currency), ("base", &base)],
            ));
        }
        notes
    }
}

impl Order {
    /// All its taxes together, also those that the prices include.
    pub(super) fn all_taxes(&self) -> Money {
        match self.taxes.is_empty() {
            true => self.vat,
            false => Money::sum(self.taxes.iter().map(|tax| tax.amount), self.currency),
        }
    }

    /// An amount of tax in the base currency, at the order's rate; the whole VAT as in the books.
    pub(super) fn tax_in_base(&self, tax: Money) -> Money {
        match tax == self.vat {
            true => self.base.vat,
            false => self.base.rate.to_base(tax, self.base.currency),
        }
    }
}
