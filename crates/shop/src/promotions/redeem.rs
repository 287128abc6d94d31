//! Uses of promotions: counted in the placing transaction by guarded updates, so that no limit is ever exceeded, and given
//! back when the order is cancelled. Rows are locked in the order of the promotions' ids (decision 012).

use platform::db::{Json, SqlValue, in_list, statement};
use platform::{Id, Result, Timestamp, Tx};

use super::{Promotion, PromotionCode, PromotionId};
use crate::ids::OrderId;

/// Under which the uses of a customer are counted: a hash with the shop's secret, because what is hashed is personal.
pub enum CustomerKeyMarker {}
pub type CustomerKey = Id<CustomerKeyMarker>;

/// A promotion that an order uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redemption {
    pub promotion: PromotionId,
    pub code: Option<PromotionCode>,
    /// Whether the promotion, and the code, may be used only so often.
    pub limited: bool,
    pub code_limited: bool,
    pub customer_limit: Option<i64>,
}

impl Redemption {
    pub fn new(promotion: &Promotion, code: Option<(&PromotionCode, bool)>) -> Self {
        Self {
            promotion: promotion.id.clone(),
            code: code.map(|(code, _)| code.clone()),
            limited: promotion.max_uses.is_some(),
            code_limited: code.is_some_and(|(_, limited)| limited),
            customer_limit: promotion.customer_limit(),
        }
    }
}

/// Counts the uses of an order. False where a limit is reached or a promotion has ended: then the caller rolls back.
pub async fn redeem(
    tx: &mut Tx,
    order: &OrderId,
    customer: &[CustomerKey],
    redemptions: &[Redemption],
    now: Timestamp,
) -> Result<bool> {
    if redemptions.is_empty() {
        return Ok(true);
    }
    let mut redemptions: Vec<&Redemption> = redemptions.iter().collect();
    redemptions.sort_by(|one, other| one.promotion.cmp(&other.promotion));
    if !all_are_active(tx, &redemptions, now).await? {
        return Ok(false);
    }
    for redemption in redemptions {
        let Redemption { promotion, code, limited, code_limited, customer_limit } = redemption;
        if *limited {
            let sql = "update promotions set uses = uses + 1 where id = $1 and uses < max_uses";
            if tx.query(sql).bind(promotion).execute().await? == 0 {
                return Ok(false);
            }
        }
        if let Some(code) = code.as_ref().filter(|_| *code_limited) {
            let sql =
                "update promotion_codes set uses = uses + 1 where code = $1 and uses < max_uses";
            if tx.query(sql).bind(code.as_str()).execute().await? == 0 {
                return Ok(false);
            }
        }
        let keys = match customer_limit {
            Some(most) => {
                for key in customer {
                    if !count_customer(tx, promotion, key, *most).await? {
                        return Ok(false);
                    }
                }
                customer.to_vec()
            }
            None => Vec::new(),
        };
        tx.defer(
            statement(
                "insert into promotion_uses (order_id, promotion, code, customer_keys)
                 values ($1, $2, $3, $4)",
            )
            .bind(order)
            .bind(promotion)
            .bind(code.as_ref().map_or("", PromotionCode::as_str))
            .bind(&Json(keys)),
        );
    }
    Ok(true)
}

async fn all_are_active(tx: &mut Tx, redemptions: &[&Redemption], now: Timestamp) -> Result<bool> {
    let ids: Vec<SqlValue> = redemptions.iter().map(|one| SqlValue::from(&one.promotion)).collect();
    let sql = format!(
        "select count(*) from promotions where (ends_at is null or ends_at > $1) and {}",
        in_list("id", 2, ids.len())
    );
    let (active,): (i64,) = tx.query(sql).bind(now).bind_all(ids).one().await?;
    Ok(active == redemptions.len() as i64)
}

async fn count_customer(
    tx: &mut Tx,
    promotion: &PromotionId,
    key: &CustomerKey,
    most: i64,
) -> Result<bool> {
    let counted = tx
        .query(
            "insert into promotion_customers (promotion, customer_key, uses) values ($1, $2, 1)
             on conflict (promotion, customer_key) do update set uses = promotion_customers.uses + 1
               where promotion_customers.uses < $3",
        )
        .bind(promotion)
        .bind(key)
        .bind(most)
        .execute()
        .await?;
    Ok(counted == 1)
}

/// Forgets who used the promotions of these orders, which are selected by a condition on `orders`.
pub async fn anonymize(tx: &mut Tx, orders: &str, values: Vec<SqlValue>) -> Result<()> {
    let sql = format!(
        "update promotion_uses set customer_keys = '[]'
         where customer_keys <> '[]' and order_id in (select id from orders where {orders})"
    );
    tx.query(sql).bind_all(values).execute().await.map(drop)
}

/// Gives the uses of a cancelled order back.
pub async fn give_back(tx: &mut Tx, order: &OrderId) -> Result<()> {
    let mut uses: Vec<(PromotionId, String, Json<Vec<CustomerKey>>)> = tx
        .query("select promotion, code, customer_keys from promotion_uses where order_id = $1")
        .bind(order)
        .all()
        .await?;
    // Not by the database, whose collation may be another order.
    uses.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for (promotion, code, keys) in &uses {
        tx.query("update promotions set uses = uses - 1 where id = $1 and uses > 0 and max_uses is not null")
            .bind(promotion)
            .execute()
            .await?;
        if !code.is_empty() {
            tx.query("update promotion_codes set uses = uses - 1 where code = $1 and uses > 0")
                .bind(code.as_str())
                .execute()
                .await?;
        }
        for key in &keys.0 {
            tx.query(
                "update promotion_customers set uses = uses - 1
                 where promotion = $1 and customer_key = $2 and uses > 0",
            )
            .bind(promotion)
            .bind(key)
            .execute()
            .await?;
        }
    }
    if !uses.is_empty() {
        let sql = "delete from promotion_uses where order_id = $1";
        tx.query(sql).bind(order).execute().await?;
    }
    Ok(())
}
