//! What an import does to the stock of a product that the shop knows. A file is older than the sales that
//! came after it, so a count is worth something only with the moment at which it was counted.

use std::collections::HashMap;

use base::{Result, Timestamp, Tx};

use super::{NewProduct, Wrong};
use crate::catalog::{Product, ProductId};
use crate::orders::Status;

/// What a row says about the stock of a known product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    Nothing,
    /// So many, but not when: changes nothing.
    Undated,
    /// There were so many at that moment.
    CountedAt(Timestamp),
    /// So many came or went.
    Change(i64),
}

/// What becomes of a product's stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stock {
    pub qtn: i64,
    pub units_sold: i64,
    /// More were sold since the count than were counted.
    pub oversold: bool,
}

impl Stock {
    pub fn of(product: &Product) -> Self {
        Self { qtn: product.qtn, units_sold: product.units_sold, oversold: false }
    }
}

/// What was sold since the moments that a file names, each read once.
#[derive(Default)]
pub struct SoldSince(HashMap<Timestamp, HashMap<ProductId, i64>>);

impl SoldSince {
    /// What becomes of the stock of `old`, which is locked: whoever buys it waits, and every order for it
    /// that there is can be seen.
    pub async fn stock(
        &mut self,
        tx: &mut Tx,
        row: &NewProduct,
        stated: Stated,
        old: &Product,
    ) -> Result<std::result::Result<Stock, Wrong>> {
        let kept = Stock::of(old);
        Ok(match stated {
            Stated::Nothing | Stated::Undated => Ok(kept),
            Stated::Change(by) => match old.qtn.checked_add(by).filter(|qtn| *qtn >= 0) {
                Some(qtn) => Ok(Stock { qtn, ..kept }),
                None => Err(("stockChange", format!("{by} is too much: there are {}", old.qtn))),
            },
            Stated::CountedAt(moment) => {
                let sold = self.sold(tx, moment, &old.id).await?;
                let counted = row.qtn.unwrap_or(old.qtn) - sold;
                let units_sold = match row.names("unitsSold") {
                    true => (row.units_sold + sold).max(0),
                    false => old.units_sold,
                };
                Ok(Stock { qtn: counted.max(0), units_sold, oversold: counted < 0 })
            }
        })
    }

    /// How many of a product were sold after `moment`, less those whose order was called off after it.
    async fn sold(&mut self, tx: &mut Tx, moment: Timestamp, id: &ProductId) -> Result<i64> {
        if let Some(sold) = self.0.get(&moment) {
            return Ok(sold.get(id).copied().unwrap_or(0));
        }
        let taken: Vec<(ProductId, i64)> = tx
            .query(
                "select l.product, cast(sum(l.quantity) as bigint)
                 from orders o join order_lines l on l.order_id = o.id
                 where o.created_at > $1 group by l.product",
            )
            .bind(moment)
            .all()
            .await?;
        let put_back: Vec<(ProductId, i64)> = tx
            .query(
                "select l.product, cast(sum(l.quantity) as bigint)
                 from orders o join order_events e on e.order_id = o.id
                   join order_lines l on l.order_id = o.id
                 where o.status = $1 and e.status = $1 and e.at > $2 group by l.product",
            )
            .bind(Status::Cancelled)
            .bind(moment)
            .all()
            .await?;
        let mut sold: HashMap<ProductId, i64> = taken.into_iter().collect();
        for (product, quantity) in put_back {
            *sold.entry(product).or_default() -= quantity;
        }
        let of_this = sold.get(id).copied().unwrap_or(0);
        self.0.insert(moment, sold);
        Ok(of_this)
    }
}
