//! Stock of existing products in an import. Sales go on after a file was written, so a count is only
//! usable with the time at which it was counted.

use std::collections::HashMap;

use platform::{Result, Timestamp, Tx};

use super::rows::FieldError;
use super::variants::PlannedVariant;
use crate::catalog::{Variant, VariantId};

/// What a row says about the stock of an existing variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockInput {
    Nothing,
    /// A count without a time; ignored.
    Undated,
    CountedAt(Timestamp),
    /// Added to the current stock.
    Change(i64),
}

/// The new stock of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockLevel {
    pub qtn: i64,
    pub units_sold: i64,
    /// More units were sold since the count than were counted.
    pub oversold: bool,
}

/// Units sold since a time, by variant; each time is queried once.
#[derive(Default)]
pub struct SoldSince(HashMap<Timestamp, HashMap<VariantId, i64>>);

impl SoldSince {
    /// The new stock of an existing variant, whose row is locked: no order for it can commit meanwhile.
    pub async fn stock(
        &mut self,
        tx: &mut Tx,
        planned: &PlannedVariant,
        old: &Variant,
    ) -> Result<std::result::Result<StockLevel, FieldError>> {
        let unchanged = StockLevel { qtn: old.qtn, units_sold: old.units_sold, oversold: false };
        let sells_on = planned.variant.back_order.is_some();
        // Below 0 are units that were sold before they came in.
        let least = if sells_on { i64::MIN } else { old.qtn.min(0) };
        Ok(match planned.stock {
            StockInput::Nothing | StockInput::Undated => Ok(unchanged),
            StockInput::Change(by) => match old.qtn.checked_add(by).filter(|qtn| *qtn >= least) {
                Some(qtn) => Ok(StockLevel { qtn, ..unchanged }),
                None => Err(("stockChange", format!("{by} is too much: there are {}", old.qtn))),
            },
            StockInput::CountedAt(time) => {
                let sold = self.sold(tx, time, &old.id).await?;
                let said = planned.counted.unwrap_or(old.qtn);
                let counted = said - sold;
                let units_sold = match planned.units_sold {
                    Some(units_sold) => (units_sold + sold).max(0),
                    None => old.units_sold,
                };
                let oversold = !sells_on && counted < said.min(0);
                let qtn = if oversold { said.min(0) } else { counted };
                Ok(StockLevel { qtn, units_sold, oversold })
            }
        })
    }

    /// Units sold after `time`, less those whose order was cancelled after it.
    async fn sold(&mut self, tx: &mut Tx, time: Timestamp, id: &VariantId) -> Result<i64> {
        if let Some(sold) = self.0.get(&time) {
            return Ok(sold.get(id).copied().unwrap_or(0));
        }
        let ordered: Vec<(VariantId, i64)> = tx
            .query(
                "select l.variant, cast(sum(l.quantity) as bigint)
                 from orders o join order_lines l on l.order_id = o.id
                 where o.created_at > $1 group by l.variant",
            )
            .bind(time)
            .all()
            .await?;
        let cancelled: Vec<(VariantId, i64)> = tx
            .query(
                "select l.variant, cast(sum(l.quantity) as bigint)
                 from orders o join order_events e on e.order_id = o.id
                   join order_lines l on l.order_id = o.id
                 where o.status = 'cancelled' and e.status = 'cancelled' and e.at > $1
                 group by l.variant",
            )
            .bind(time)
            .all()
            .await?;
        let mut sold: HashMap<VariantId, i64> = ordered.into_iter().collect();
        for (variant, quantity) in cancelled {
            *sold.entry(variant).or_default() -= quantity;
        }
        let units = sold.get(id).copied().unwrap_or(0);
        self.0.insert(time, sold);
        Ok(units)
    }
}
