//! SQL of returns. A return is inserted once and changed by guarded updates only.

use std::collections::HashMap;

use platform::db::statement;
use platform::{Currency, Db, MinorUnits, Result, Timestamp, Tx};

use super::returns::ReturnValue;
use super::{Order, OrderId, OrderReturn, RefundSplit, ReturnLine, ReturnState};

#[derive(sqlx::FromRow)]
struct ReturnRow {
    place: i64,
    #[sqlx(try_from = "String")]
    state: ReturnState,
    requested_at: Timestamp,
    settled_at: Option<Timestamp>,
    goods: MinorUnits,
    vat: MinorUnits,
    gift_cards: MinorUnits,
    credit: MinorUnits,
    paid: MinorUnits,
}

impl ReturnRow {
    fn of(self, currency: Currency) -> OrderReturn {
        let Self { place, state, requested_at, settled_at, .. } = self;
        OrderReturn {
            place,
            state,
            requested_at,
            settled_at,
            goods: self.goods.of(currency),
            vat: self.vat.of(currency),
            gift_cards: self.gift_cards.of(currency),
            credit: self.credit.of(currency),
            paid: self.paid.of(currency),
            lines: Vec::new(),
        }
    }
}

/// An order's returns, the oldest first.
pub async fn list_returns(db: &Db, Order { id, currency, .. }: &Order) -> Result<Vec<OrderReturn>> {
    let rows: Vec<ReturnRow> = db
        .query(
            "select place, state, requested_at, settled_at, goods, vat, gift_cards, credit, paid
             from order_returns where order_id = $1 order by place",
        )
        .bind(id)
        .all()
        .await?;
    let mut returns: Vec<OrderReturn> = rows.into_iter().map(|row| row.of(*currency)).collect();
    if returns.is_empty() {
        return Ok(returns);
    }
    #[derive(sqlx::FromRow)]
    struct ReturnLineRow {
        return_place: i64,
        #[sqlx(flatten)]
        line: ReturnLine,
    }
    let lines: Vec<ReturnLineRow> = db
        .query(
            "select return_place, variant, quantity from order_return_lines
             where order_id = $1 order by return_place, variant",
        )
        .bind(id)
        .all()
        .await?;
    let mut by_return: HashMap<i64, Vec<ReturnLine>> = HashMap::new();
    for ReturnLineRow { return_place, line } in lines {
        by_return.entry(return_place).or_default().push(line);
    }
    for one in &mut returns {
        one.lines = by_return.remove(&one.place).unwrap_or_default();
    }
    Ok(returns)
}

/// Inserts a return; false when another one has its index.
pub async fn insert(
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
        tx.defer(
            statement(
                "insert into order_return_lines (order_id, return_place, variant, quantity)
                 values ($1, $2, $3, $4)",
            )
            .bind(id)
            .bind(place)
            .bind(&line.variant)
            .bind(line.quantity),
        );
    }
    Ok(true)
}

/// A return's new state, with its value and refund.
pub struct ReturnUpdate {
    pub to: ReturnState,
    pub worth: ReturnValue,
    pub back: RefundSplit,
}

/// Updates a return; false when it was changed concurrently.
pub async fn update(
    tx: &mut Tx,
    id: &OrderId,
    from: &OrderReturn,
    now: Timestamp,
    update: &ReturnUpdate,
) -> Result<bool> {
    let ReturnUpdate { to, worth, back } = update;
    let ended = matches!(to, ReturnState::Refused | ReturnState::Refunded);
    let moved = tx
        .query(
            "update order_returns set state = $4, settled_at = $5, goods = $6, vat = $7, credit = $8,
               paid = $9, gift_cards = $10
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
        .bind(back.gift_cards)
        .execute()
        .await?;
    Ok(moved > 0)
}
