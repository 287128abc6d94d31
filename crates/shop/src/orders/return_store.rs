//! The returns' SQL. A return is written once, and moved by guarded updates.

use std::collections::HashMap;

use base::db::write;
use base::{Db, Result, Timestamp, Tx};

use super::returns::Worth;
use super::{Back, OrderId, OrderReturn, ReturnLine, ReturnState};

/// An order's returns, the first one first.
pub async fn of_order(db: &Db, id: &OrderId) -> Result<Vec<OrderReturn>> {
    let mut returns: Vec<OrderReturn> = db
        .query(
            "select place, state, requested_at, settled_at, goods, vat, credit, paid
             from order_returns where order_id = $1 order by place",
        )
        .bind(id)
        .all()
        .await?;
    if returns.is_empty() {
        return Ok(returns);
    }
    #[derive(sqlx::FromRow)]
    struct Belonging {
        return_place: i64,
        #[sqlx(flatten)]
        line: ReturnLine,
    }
    let lines: Vec<Belonging> = db
        .query(
            "select return_place, product, quantity from order_return_lines
             where order_id = $1 order by return_place, product",
        )
        .bind(id)
        .all()
        .await?;
    let mut of: HashMap<i64, Vec<ReturnLine>> = HashMap::new();
    for Belonging { return_place, line } in lines {
        of.entry(return_place).or_default().push(line);
    }
    for one in &mut returns {
        one.lines = of.remove(&one.place).unwrap_or_default();
    }
    Ok(returns)
}

/// Writes a new return; says no where another one has its place.
pub async fn put(
    tx: &mut Tx,
    id: &OrderId,
    place: i64,
    now: Timestamp,
    lines: &[ReturnLine],
) -> Result<bool> {
    let written = tx
        .query(
            "insert into order_returns (order_id, place, state, requested_at)
             values ($1, $2, $3, $4) on conflict (order_id, place) do nothing",
        )
        .bind(id)
        .bind(place)
        .bind(ReturnState::Requested)
        .bind(now)
        .execute()
        .await?;
    if written == 0 {
        return Ok(false);
    }
    for line in lines {
        tx.later(
            write(
                "insert into order_return_lines (order_id, return_place, product, quantity)
                 values ($1, $2, $3, $4)",
            )
            .bind(id)
            .bind(place)
            .bind(&line.product)
            .bind(line.quantity),
        );
    }
    Ok(true)
}

/// What becomes of a return, with what was given back for it.
pub struct Settled {
    pub to: ReturnState,
    pub worth: Worth,
    pub back: Back,
}

/// Moves a return on; says no where somebody else was faster.
pub async fn settle(
    tx: &mut Tx,
    id: &OrderId,
    from: &OrderReturn,
    now: Timestamp,
    settled: &Settled,
) -> Result<bool> {
    let Settled { to, worth, back } = settled;
    let ended = matches!(to, ReturnState::Refused | ReturnState::Refunded);
    let moved = tx
        .query(
            "update order_returns set state = $4, settled_at = $5, goods = $6, vat = $7, credit = $8,
               paid = $9
             where order_id = $1 and place = $2 and state = $3",
        )
        .bind(id)
        .bind(from.place)
        .bind(from.state)
        .bind(*to)
        .bind(ended.then_some(now))
        .bind(worth.goods)
        .bind(worth.vat)
        .bind(back.credit)
        .bind(back.paid)
        .execute()
        .await?;
    Ok(moved > 0)
}
