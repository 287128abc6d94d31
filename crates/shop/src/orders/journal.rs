//! The journal of issued invoices and credit notes, for the accountant: net amounts, tax and totals. Credit notes are negative.

use std::collections::HashMap;

use platform::db::{SqlValue, in_list};
use platform::{Currency, Money, Result, Timestamp};
use serde::Serialize;

use super::issued::{DocumentKind, IssuedDocument};
use super::return_store::list_returns;
use super::{Order, OrderId, OrderNumber, OrderReturn, OrderStore, return_taxes};
use crate::pricing::{TaxLine, TaxSum};

/// How many documents are read at once.
const CHUNK: usize = 200;

/// An issued document with its amounts, in the order's currency and in the base currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    pub kind: DocumentKind,
    pub number: String,
    pub issued_at: Timestamp,
    /// Its day at the shop, such as 2026-11-30.
    pub date: String,
    pub order: OrderNumber,
    /// The number of the invoice that a credit note is for; empty for invoices.
    pub invoice: String,
    pub currency: Currency,
    pub net: Money,
    pub tax: Money,
    pub total: Money,
    /// The tax and what it is charged on, by rate.
    pub rates: Vec<RateSum>,
    pub base_currency: Currency,
    pub base_net: Money,
    pub base_tax: Money,
    pub base_total: Money,
}

/// The tax of one rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RateSum {
    /// The tax, in the language of the order.
    pub tax_name: String,
    /// In percent, and why nothing is charged: `15%`, `0% export`.
    pub rate: String,
    pub net: Money,
    pub tax: Money,
}

impl From<&TaxSum> for RateSum {
    fn from(sum: &TaxSum) -> Self {
        let why = sum.relief.map_or_else(String::new, |relief| format!(" {relief}"));
        Self {
            tax_name: sum.label.clone(),
            rate: format!("{}%{why}", sum.rate),
            net: sum.net,
            tax: sum.amount,
        }
    }
}

/// The taxes of a credit note, their sum, and its total: all negative.
fn credited(
    order: &Order,
    returns: &[OrderReturn],
    back: &OrderReturn,
) -> (Vec<TaxLine>, Money, Money) {
    let negative = |tax: TaxLine| TaxLine { net: -tax.net, amount: -tax.amount, ..tax };
    let taxes: Vec<TaxLine> =
        return_taxes(order, returns, back).into_iter().map(negative).collect();
    let tax = match taxes.is_empty() {
        true => -back.vat,
        false => Money::sum(taxes.iter().map(|tax| tax.amount), order.currency),
    };
    (taxes, tax, -back.given_back())
}

#[derive(sqlx::FromRow)]
struct JournalRow {
    order_id: OrderId,
    #[sqlx(flatten)]
    document: IssuedDocument,
}

impl OrderStore {
    /// The documents issued from one time on and before another, the oldest first.
    pub async fn journal(&self, from: Timestamp, until: Timestamp) -> Result<Vec<JournalEntry>> {
        let rows: Vec<JournalRow> = self
            .db
            .query(
                "select order_id, kind, return_place, written, issued_at, terms from invoices
                 where issued_at >= $1 and issued_at < $2
                 order by issued_at, series, number, written",
            )
            .bind(from)
            .bind(until)
            .all()
            .await?;
        let mut entries = Vec::with_capacity(rows.len());
        for chunk in rows.chunks(CHUNK) {
            let ids: Vec<&OrderId> = chunk.iter().map(|row| &row.order_id).collect();
            let orders = self.by_ids(&ids).await?;
            let invoices = self.invoice_numbers(&ids).await?;
            for row in chunk {
                let Some(order) = orders.get(&row.order_id) else { continue };
                let invoice = invoices.get(&row.order_id).map_or("", String::as_str);
                entries.push(self.journal_entry(row, order, invoice).await?);
            }
        }
        Ok(entries)
    }

    async fn journal_entry(
        &self,
        row: &JournalRow,
        order: &Order,
        invoice: &str,
    ) -> Result<JournalEntry> {
        let IssuedDocument { kind, number, issued_at, return_place, .. } = &row.document;
        let (taxes, tax, total) = match kind {
            DocumentKind::Invoice => (order.taxes.clone(), order.all_taxes(), order.total),
            DocumentKind::CreditNote => {
                let returns = list_returns(&self.db, order).await?;
                let of_it = returns.iter().find(|one| one.place == *return_place);
                let zero = Money::zero(order.currency);
                of_it.map_or((Vec::new(), zero, zero), |one| credited(order, &returns, one))
            }
        };
        let base = order.base.currency;
        let in_base = |amount: Money| match kind {
            DocumentKind::Invoice => order.base.rate.to_base(amount, base),
            DocumentKind::CreditNote => -order.base.rate.to_base(-amount, base),
        };
        let (base_tax, base_total) = match kind {
            DocumentKind::Invoice => (order.tax_in_base(tax), order.base.total),
            DocumentKind::CreditNote => (in_base(tax), in_base(total)),
        };
        Ok(JournalEntry {
            kind: *kind,
            number: number.clone(),
            issued_at: *issued_at,
            date: row.document.local_time().to_string()[..10].to_owned(),
            order: order.number,
            invoice: match kind {
                DocumentKind::Invoice => String::new(),
                DocumentKind::CreditNote => invoice.to_owned(),
            },
            currency: order.currency,
            net: total - tax,
            tax,
            total,
            rates: TaxSum::of(&taxes).iter().map(RateSum::from).collect(),
            base_currency: base,
            base_net: base_total - base_tax,
            base_tax,
            base_total,
        })
    }

    async fn invoice_numbers(&self, orders: &[&OrderId]) -> Result<HashMap<OrderId, String>> {
        let sql = format!(
            "select order_id, written from invoices where kind = 'invoice' and {}",
            in_list("order_id", 1, orders.len())
        );
        let ids = orders.iter().map(|id| SqlValue::from(*id));
        let rows: Vec<(OrderId, String)> = self.db.query(sql).bind_all(ids).all().await?;
        Ok(rows.into_iter().collect())
    }
}
