//! Stock of existing products in an import. Sales go on after a file was written, so a count is only
//! usable with the time at which it was counted.

use std::collections::HashMap;

use platform::{Result, Timestamp, Tx};

use super::rows::{FieldError, NewProduct};
use crate::catalog::{Product, ProductId};

/// What a row says about the stock of an existing product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockInput {
    Nothing,
    /// A count without a time; ignored.
    Undated,
    CountedAt(Timestamp),
    /// Added to the current stock.
    Change(i64),
}

/// The new stock of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockLevel {
    pub qtn: i64,
    pub units_sold: i64,
    /// More units were sold since the count than were counted.
    pub oversold: bool,
}

impl StockLevel {
    pub fn of(product: &Product) -> Self {
        Self { qtn: product.qtn, units_sold: product.units_sold, oversold: false }
    }
}

/// Units sold since a time, by product; each time is queried once.
#[derive(Default)]
pub struct SoldSince(HashMap<Timestamp, HashMap<ProductId, i64>>);

impl SoldSince {
    /// The new stock of `old`, whose row is locked: no order for it can commit meanwhile.
    pub async fn stock(
        &mut self,
        tx: &mut Tx,
        row: &NewProduct,
        input: StockInput,
        old: &Product,
    ) -> Result<std::result::Result<StockLevel, FieldError>> {
        let unchanged = StockLevel::of(old);
        Ok(match input {
            StockInput::Nothing | StockInput::Undated => Ok(unchanged),
            StockInput::Change(by) => match old.qtn.checked_add(by).filter(|qtn| *qtn >= 0) {
                Some(qtn) => Ok(StockLevel { qtn, ..unchanged }),
                None => Err(("stockChange", format!("{by} is too much: there are {}", old.qtn))),
            },
            StockInput::CountedAt(time) => {
                let sold = self.sold(tx, time, &old.id).await?;
                let counted = row.qtn.unwrap_or(old.qtn) - sold;
                let units_sold = match row.has_field("unitsSold") {
                    true => (row.units_sold + sold).max(0),
                    false => old.units_sold,
                };
                Ok(StockLevel { qtn: counted.max(0), units_sold, oversold: counted < 0 })
            }
        })
    }

    /// Units sold after `time`, less those whose order was cancelled after it.
    async fn sold(&mut self, tx: &mut Tx, time: Timestamp, id: &ProductId) -> Result<i64> {
        if let Some(sold) = self.0.get(&time) {
            return Ok(sold.get(id).copied().unwrap_or(0));
        }
        let ordered: Vec<(ProductId, i64)> = tx
            .query(
                "select l.product, cast(sum(l.quantity) as bigint)
                 from orders o join order_lines l on l.order_id = o.id
                 where o.created_at > $1 group by l.product",
            )
            .bind(time)
            .all()
            .await?;
        let cancelled: Vec<(ProductId, i64)> = tx
            .query(
                "select l.product, cast(sum(l.quantity) as bigint)
                 from orders o join order_events e on e.order_id = o.id
                   join order_lines l on l.order_id = o.id
                 where o.status = 'cancelled' and e.status = 'cancelled' and e.at > $1
                 group by l.product",
            )
            .bind(time)
            .all()
            .await?;
        let mut sold: HashMap<ProductId, i64> = ordered.into_iter().collect();
        for (product, quantity) in cancelled {
            *sold.entry(product).or_default() -= quantity;
        }
        let units = sold.get(id).copied().unwrap_or(0);
        self.0.insert(time, sold);
        Ok(units)
    }
}
