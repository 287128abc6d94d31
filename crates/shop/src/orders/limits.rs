//! Limits on orders: how many a customer may place and cancel per hour, and how much unpaid stock one
//! may hold. Ordinary shoppers never reach them.

use std::time::Duration;

use axum::http::StatusCode;
use platform::http::ClientIp;
use platform::rate_limit::{self, Limit};
use platform::{Amount, Clock, Currency, Db, Error, MinorUnits, Money, Result, Tx};

use super::{Order, guests};
use crate::customers::{self, Verified};
use crate::payments::PaymentState;

const HOUR: Duration = Duration::from_secs(3600);
/// Many people share a network.
const NETWORK: u32 = 10;

// By default there are no limits.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits on orders")]
#[group(id = "order_limits")]
pub struct OrderLimits {
    /// Orders that a customer may place per hour, and may cancel; ten times as many from one network
    /// [default: 30; in a demo no limit]
    #[arg(long, env = "HAAT_ORDERS_PER_HOUR", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub orders_per_hour: Option<u32>,
    /// Largest total of a customer's unpaid orders, in the base currency, before the e-mail address or
    /// a phone number must be verified [default: 1000 USD, in other currencies and in a demo no limit]
    #[arg(long, env = "HAAT_UNPROVEN_MAX", value_name = "AMOUNT")]
    pub unproven_max: Option<Amount>,
    /// Largest total of any customer's unpaid orders, in the base currency [default: 5000 USD, in other currencies and in
    /// a demo no limit]
    #[arg(long, env = "HAAT_UNPAID_MAX", value_name = "AMOUNT")]
    pub unpaid_max: Option<Amount>,
    /// Most units in any customer's unpaid orders [default: 100; in a demo no limit]
    #[arg(long, env = "HAAT_UNPAID_UNITS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unpaid_units: Option<u32>,
    /// Hours after which an unpaid order is cancelled when the shop has not confirmed it and the
    /// customer has verified neither e-mail address nor phone number; 0 for never [default: 48; in a
    /// demo never]
    #[arg(
        long,
        env = "HAAT_RELEASE_UNPROVEN",
        value_name = "HOURS",
        value_parser = clap::value_parser!(u32).range(0..=8760)
    )]
    pub release_unproven: Option<u32>,
}

impl OrderLimits {
    /// Fills in the limits of a shop that sets none; a demo has no limits.
    pub fn with_defaults(self, base: Currency) -> Self {
        let amount = |units| (base == Currency::USD).then_some(Amount::units(units));
        Self {
            orders_per_hour: self.orders_per_hour.or(Some(30)),
            unproven_max: self.unproven_max.or(amount(1000)),
            unpaid_max: self.unpaid_max.or(amount(5000)),
            unpaid_units: self.unpaid_units.or(Some(100)),
            release_unproven: self.release_unproven.or(Some(48)),
        }
    }

    /// Refuses amounts with more decimals than the base currency has.
    pub fn check(&self, base: Currency) -> Result<(), String> {
        for (name, amount) in [("unproven_max", self.unproven_max), ("unpaid_max", self.unpaid_max)]
        {
            amount.map(|amount| amount.named(name, base)).transpose()?;
        }
        Ok(())
    }

    /// How long an unpaid order of an unverified customer is kept.
    pub fn auto_cancel_after(&self) -> Option<Duration> {
        self.release_unproven.filter(|hours| *hours > 0).map(|hours| HOUR * hours)
    }

    fn caps(&self) -> bool {
        self.unproven_max.is_some() || self.unpaid_max.is_some() || self.unpaid_units.is_some()
    }

    /// Counts an action of a customer against the hourly limits.
    pub async fn count(
        &self,
        (db, clock): (&Db, &Clock),
        what: &str,
        customer: &str,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        let Some(most) = self.orders_per_hour else { return Ok(()) };
        let by_customer = (format!("{what} by {customer}"), Limit::per_hour(most));
        let by_network = peer.map(|peer| {
            let limit = Limit::per_hour(most.saturating_mul(NETWORK));
            (format!("{what} from {}", peer.network()), limit)
        });
        let subjects: Vec<_> = [by_customer].into_iter().chain(by_network).collect();
        rate_limit::consume(db, clock, &subjects).await
    }

    /// Refuses an unpaid order above the customer's limits; returns what the customer has verified.
    /// Locks the customer, so that concurrent orders are counted one after the other.
    pub async fn check_unpaid(
        &self,
        tx: &mut Tx,
        order: &Order,
        in_token: Verified,
        pays_online: bool,
    ) -> Result<Verified> {
        if !self.caps() || order.to_pay().is_zero() {
            return Ok(in_token);
        }
        // The token may be older than the verification.
        let known = match order.is_guest() {
            true => guests::lock(tx, order).await?,
            false => customers::lock_and_read_verified(tx, &order.customer, &order.email).await?,
        };
        let verified = known.or(in_token);
        let open = open_unpaid(tx, "o.customer", &order.customer).await?;
        let units = open.units + order.lines.iter().map(|line| line.quantity).sum::<i64>();
        // What is paid before it is delivered is no risk, but it holds goods.
        let now = if pays_online { Money::zero(order.base.currency) } else { order.base.to_pay() };
        let amount = if pays_online { now } else { open.amount.of(order.base.currency) + now };
        match self.refusal(units, amount, verified) {
            Some(why) => Err(why),
            None => Ok(verified),
        }
    }

    /// Refuses to add a guest's unpaid order to those of a customer, whose row is locked, where it is above the limits.
    pub async fn check_claim(
        &self,
        tx: &mut Tx,
        customer: &str,
        order: &Order,
        verified: Verified,
    ) -> Result<()> {
        if !self.caps() {
            return Ok(());
        }
        let claimed = open_unpaid(tx, "o.id", order.id.as_str()).await?;
        let open = open_unpaid(tx, "o.customer", customer).await?;
        let base = order.base.currency;
        let amount = open.amount.of(base) + claimed.amount.of(base);
        let is_open = claimed.units > 0;
        let refused = self.refusal(open.units + claimed.units, amount, verified);
        refused.filter(|_| is_open).map_or(Ok(()), Err)
    }

    /// The error when this many unpaid units or this amount, in the base currency, is above a limit.
    fn refusal(&self, units: i64, amount: Money, verified: Verified) -> Option<Error> {
        let refused = |code, message: String| Error::refused(StatusCode::FORBIDDEN, code, message);
        if let Some(most) = self.unpaid_units.map(i64::from).filter(|most| units > *most) {
            let message = format!(
                "All your unpaid orders together may hold {most} items, and with this one it would be \
                 {units}. Order fewer, or get in touch with us."
            );
            let why = refused("too_many_unpaid", message);
            return Some(why.with("most", most).with("units", units));
        }
        let limit = |most: Option<Amount>| most.and_then(|most| most.of(amount.currency()));
        if let Some(most) = limit(self.unpaid_max).filter(|most| amount > *most) {
            let message = format!(
                "All your unpaid orders together may come to {most}, and with this one it would be \
                 {amount}. Order less, or get in touch with us."
            );
            let why = refused("too_much_unpaid", message);
            return Some(why.with("most", most).with("amount", amount));
        }
        let most = limit(self.unproven_max).filter(|most| amount > *most && !verified.any())?;
        let message = format!(
            "Before we deliver for more than {most} without payment, please confirm your e-mail address: \
             open the link in the e-mail that we sent you, then place the order again."
        );
        Some(refused("unproven", message).with("most", most))
    }
}

/// Units and amount of unpaid orders.
#[derive(sqlx::FromRow)]
struct OpenUnpaid {
    units: i64,
    /// In the base currency.
    amount: MinorUnits,
}

/// Of the orders with this value in a column.
async fn open_unpaid(tx: &mut Tx, column: &str, value: &str) -> Result<OpenUnpaid> {
    // Only open orders have a payment that is neither captured, failed nor voided.
    tx.query(
        format!("select cast(coalesce(sum(case when exists
               (select 1 from payments c where c.order_id = o.id and c.provider <> 'cash_on_delivery') then 0
               else o.base_total - o.base_gift_cards - o.base_credit end), 0) as bigint) as amount,
           cast(coalesce(sum((select sum(l.quantity) from order_lines l where l.order_id = o.id)), 0)
             as bigint) as units
         from orders o
         where {column} = $1 and o.status <> 'cancelled' and exists
           (select 1 from payments p where p.order_id = o.id and p.state in ($2, $3, $4))"),
    )
    .bind(value)
    .bind(PaymentState::Pending)
    .bind(PaymentState::Processing)
    .bind(PaymentState::Authorised)
    .one()
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpaid_orders_are_limited_by_units_amount_and_verification() {
        let limits = OrderLimits::default().with_defaults(Currency::USD);
        let usd = |dollars: i64| Money::new(dollars * 100, Currency::USD);
        let (nothing, email) = (Verified::default(), Verified { email: true, phone: false });
        let phone = Verified { email: false, phone: true };
        let code = |units, dollars: i64, verified| {
            limits.refusal(units, usd(dollars), verified).map(|why| why.code())
        };
        assert_eq!(code(100, 1_000, nothing), None);
        assert_eq!(code(1, 1_001, nothing), Some("unproven"));
        assert_eq!((code(1, 1_001, email), code(1, 1_001, phone)), (None, None));
        assert_eq!(code(101, 1, email), Some("too_many_unpaid"));
        assert_eq!(code(1, 5_001, email), Some("too_much_unpaid"));
        assert!(OrderLimits::default().refusal(9_999, usd(i64::MAX / 200), nothing).is_none());
    }

    #[test]
    fn the_command_line_sets_no_limits_by_default() {
        #[derive(clap::Parser)]
        struct Args {
            #[command(flatten)]
            limits: OrderLimits,
        }
        let args = <Args as clap::Parser>::try_parse_from(["haat"]).unwrap().limits;
        assert_eq!(format!("{args:?}"), format!("{:?}", OrderLimits::default()));
    }
}
