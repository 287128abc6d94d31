//! The lowest price of the last days before a price reduction (Directive 98/6/EC, Article 6a): past prices of variants, and
//! what of them is shown as the price before. Alone writes `past_prices`; rows are added and never changed.

use std::collections::HashMap;

use platform::db::{SqlValue, in_list, statement};
use platform::{Clock, Db, Exchange, Money, Result, Timestamp, Tx};

use super::price::PRICE_COLUMNS;
use super::{CatalogView, Price, StoredPrice, VariantId};
use crate::settings::duration_of_days;

/// What was in force up to this long ago is kept: a year, and the longest setting before it.
const KEPT_DAYS: u32 = 2 * 365;

/// A price and its offer, in force from this time until the next one.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct PastPrice {
    pub since: Timestamp,
    #[sqlx(flatten)]
    pub price: StoredPrice,
}

/// The lowest price in so many days before the present one began to be charged, from the prices since when each was in
/// force, the oldest first. `None` where no other price is known.
///
/// Offers start and end by the clock, so prices are taken from the times between all changes, not from rows. Prices in
/// another currency are converted at the present rate, so that a change of the rate is no reduction.
pub fn lowest_before(
    history: &[PastPrice],
    days: u16,
    (now, to): (Timestamp, Exchange),
) -> Option<Money> {
    let mut charged: Vec<(Timestamp, Money)> = Vec::new();
    for (place, PastPrice { since, price }) in history.iter().enumerate() {
        let end = history.get(place + 1).map_or(Timestamp(i64::MAX), |next| next.since);
        let turns = [price.sale_start, price.sale_end].into_iter().flatten();
        let mut starts: Vec<Timestamp> =
            turns.filter(|turn| since < turn && *turn < end).chain([*since]).collect();
        starts.sort_unstable();
        for start in starts.into_iter().filter(|start| *start <= now) {
            let amount = price.at(start, to);
            if charged.last().is_none_or(|(_, before)| *before != amount) {
                charged.push((start, amount));
            }
        }
    }
    let ((began, _), before) = charged.split_last()?;
    let from = began.minus(duration_of_days(days.into()));
    // Each was charged until the next one.
    let ends = charged.iter().skip(1).map(|(start, _)| *start);
    let within = before.iter().zip(ends).filter(|(_, end)| *end > from);
    within.map(|((_, amount), _)| *amount).min_by_key(|amount| amount.minor())
}

impl Price {
    /// Shows this price instead of the list price, and none where it is not above the present one.
    fn compare_with(&mut self, lowest: Option<Money>) {
        let shown = lowest.filter(|lowest| lowest.minor() > self.buy_price.minor());
        self.real_price = shown.unwrap_or(self.buy_price);
    }

    fn is_reduced(&self) -> bool {
        self.buy_price.minor() < self.real_price.minor()
    }
}

/// Replaces the list price of reduced variants by the lowest one before the reduction, with one query for all of them, where
/// the shop shows that.
pub(super) async fn compare(
    db: &Db,
    CatalogView { now, to, lowest_price_days: days, .. }: CatalogView,
    prices: impl Iterator<Item = (VariantId, &mut Price)>,
) -> Result<()> {
    if days == 0 {
        return Ok(());
    }
    let reduced: Vec<_> = prices.filter(|(_, price)| price.is_reduced()).collect();
    if reduced.is_empty() {
        return Ok(());
    }
    let ids = reduced.iter().map(|(id, _)| SqlValue::from(id)).collect();
    let history = history_of(db, ids).await?;
    for (id, price) in reduced {
        let known = history.get(&id).map_or(&[][..], Vec::as_slice);
        price.compare_with(lowest_before(known, days, (now, to)));
    }
    Ok(())
}

async fn history_of(db: &Db, ids: Vec<SqlValue>) -> Result<HashMap<VariantId, Vec<PastPrice>>> {
    #[derive(sqlx::FromRow)]
    struct PastPriceRow {
        variant: VariantId,
        #[sqlx(flatten)]
        past: PastPrice,
    }
    let sql = format!(
        "select variant, since, {PRICE_COLUMNS} from past_prices where {} order by variant, since",
        in_list("variant", 1, ids.len())
    );
    let rows: Vec<PastPriceRow> = db.query(sql).bind_all(ids).all().await?;
    let mut history: HashMap<VariantId, Vec<PastPrice>> = HashMap::new();
    for PastPriceRow { variant, past } in rows {
        history.entry(variant).or_default().push(past);
    }
    Ok(history)
}

/// Notes a variant's new price, in the transaction that writes it.
pub(super) fn record(tx: &mut Tx, variant: &VariantId, price: &StoredPrice, now: Timestamp) {
    // Of two changes in a millisecond the later one counts.
    let sql = "insert into past_prices
                 (variant, since, real_price, offer_price, sale_start, sale_end, fixed_prices)
               values ($1, $2, $3, $4, $5, $6, $7)
               on conflict (variant, since) do update set real_price = excluded.real_price,
                 offer_price = excluded.offer_price, sale_start = excluded.sale_start,
                 sale_end = excluded.sale_end, fixed_prices = excluded.fixed_prices";
    let insert = statement(sql).bind(variant).bind(now);
    let insert = insert.bind(price.real_price).bind(price.offer_price);
    let insert = insert.bind(price.sale_start).bind(price.sale_end);
    tx.defer(insert.bind(&price.fixed_prices));
}

/// Deletes prices that ended so long ago that no reduction is compared with them.
pub(crate) async fn delete_expired(db: &Db, clock: &Clock) -> Result<()> {
    db.query(
        "delete from past_prices where exists
           (select 1 from past_prices later where later.variant = past_prices.variant
              and later.since > past_prices.since and later.since < $1)",
    )
    .bind(clock.now().minus(duration_of_days(KEPT_DAYS)))
    .execute()
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use platform::Currency;
    use proptest::prelude::*;

    use super::*;

    const DAY: i64 = 24 * 3600 * 1000;

    fn usd(cents: i64) -> Money {
        Money::new(cents, Currency::USD)
    }

    fn at(day: i64) -> Timestamp {
        Timestamp(day * DAY)
    }

    /// From this day on: list price, and an offer between two days.
    fn from(since: i64, real: i64, offer: Option<(i64, Option<i64>, Option<i64>)>) -> PastPrice {
        let (offer, start, end) = offer.map_or((None, None, None), |(offer, start, end)| {
            (Some(usd(offer)), start.map(at), end.map(at))
        });
        PastPrice { since: at(since), price: StoredPrice::new(usd(real), offer, start, end) }
    }

    fn lowest(history: &[PastPrice], now: i64) -> Option<i64> {
        let view = (at(now), Exchange::base(Currency::USD));
        lowest_before(history, 30, view).map(|amount| amount.minor())
    }

    #[test]
    fn the_lowest_price_is_of_the_days_before_the_reduction_began() {
        let offer = |start, end| Some((70, Some(start), Some(end)));
        // The list price, until the offer starts by the clock.
        let simple = [from(0, 100, offer(50, 60))];
        assert_eq!(
            (lowest(&simple, 49), lowest(&simple, 50), lowest(&simple, 59)),
            (None, Some(100), Some(100))
        );
        // Raised shortly before: the lower price counts.
        let raised = [from(0, 80, None), from(40, 100, offer(50, 60))];
        assert_eq!(lowest(&raised, 55), Some(80));
        // Long before: it does not any more.
        let raised = [from(0, 80, None), from(20, 100, offer(50, 60))];
        assert_eq!(lowest(&raised, 55), Some(100));
        // Charged on the last of the thirty days.
        let raised = [from(0, 80, None), from(21, 100, offer(50, 60))];
        assert_eq!(lowest(&raised, 55), Some(80));
        // A second offer so soon is no reduction.
        let again = [from(0, 100, offer(10, 20)), from(30, 100, offer(35, 60))];
        assert_eq!(lowest(&again, 40), Some(70));
        // An offer that is extended began when it began.
        let extended = [from(0, 100, offer(10, 20)), from(15, 100, offer(10, 90))];
        assert_eq!(lowest(&extended, 80), Some(100));
        // A second step of a reduction is compared with the first one.
        let step = [from(0, 100, offer(10, 90)), from(15, 100, Some((60, None, None)))];
        assert_eq!(lowest(&step, 16), Some(70));
        // Nothing is known of before.
        assert_eq!(
            (lowest(&[], 5), lowest(&[from(0, 100, Some((70, None, None)))], 5)),
            (None, None)
        );
    }

    fn histories() -> impl Strategy<Value = Vec<PastPrice>> {
        let moment = || proptest::option::of(0i64..90);
        let one = (0i64..90, 1i64..6, 0i64..6, moment(), moment());
        proptest::collection::vec(one, 1..6).prop_map(|mut rows| {
            rows.sort_unstable();
            rows.dedup_by_key(|(since, ..)| *since);
            let row =
                |(since, real, offer, start, end): (i64, i64, i64, Option<i64>, Option<i64>)| {
                    from(since, real, Some((offer.min(real), start, end)))
                };
            rows.into_iter().map(row).collect()
        })
    }

    proptest! {
        /// The same by looking at every day: everything in these histories changes at midnight.
        #[test]
        fn it_is_the_lowest_price_of_each_day(history in histories(), now in 0i64..100) {
            let charged = |day: i64| {
                let row = history.iter().rfind(|past| past.since <= at(day))?;
                Some(row.price.at(at(day), Exchange::base(Currency::USD)).minor())
            };
            let present = charged(now);
            let first = history[0].since.0 / DAY;
            let began = (first..=now).rev().take_while(|day| charged(*day) == present).last();
            let expected = began.and_then(|began| {
                (began - 30..began).filter_map(charged).min()
            });
            prop_assert_eq!(lowest(&history, now), expected);
        }
    }
}
