//! Limits on orders: how often they are placed and cancelled, and how much of the stock a customer who
//! has not paid can hold. None is in the way of somebody who shops.

use std::time::Duration;

use axum::http::StatusCode;
use base::http::Peer;
use base::{Clock, Db, Error, Money, Result, Tx};

use super::Order;
use crate::allowance::{Allowance, spend};
use crate::customers::{self, Proof};
use crate::payments::PaymentState;

const HOUR: Duration = Duration::from_secs(3600);
/// Many people share a network.
const NETWORK: i64 = 10;

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits on orders")]
#[group(id = "order_limits")]
pub struct Limits {
    /// How many orders a customer may place in an hour, and how many they may cancel; ten times as many
    /// from one network [default: 30; in a demo no limit]
    #[arg(long, env = "HAAT_ORDERS_PER_HOUR", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub orders_per_hour: Option<u32>,
    /// What the unpaid orders of a customer may come to, in US dollars, before the e-mail address or a
    /// phone number must be proven [default: 1000; in a demo no limit]
    #[arg(long, env = "HAAT_UNPROVEN_MAX", value_name = "AMOUNT")]
    pub unproven_max: Option<Money>,
    /// What the unpaid orders of any customer may come to, in US dollars [default: 5000; in a demo no limit]
    #[arg(long, env = "HAAT_UNPAID_MAX", value_name = "AMOUNT")]
    pub unpaid_max: Option<Money>,
    /// How many units the unpaid orders of any customer may hold [default: 100; in a demo no limit]
    #[arg(long, env = "HAAT_UNPAID_UNITS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unpaid_units: Option<u32>,
    /// Hours after which an unpaid order that the shop has not confirmed is cancelled, where the customer
    /// has proven neither the e-mail address nor a phone number; 0 is never [default: 48; in a demo never]
    #[arg(
        long,
        env = "HAAT_RELEASE_UNPROVEN",
        value_name = "HOURS",
        value_parser = clap::value_parser!(u32).range(0..=8760)
    )]
    pub release_unproven: Option<u32>,
}

impl Default for Limits {
    /// As in a shop that says nothing else.
    fn default() -> Self {
        Self::none().with_defaults()
    }
}

impl Limits {
    /// No limit at all.
    pub fn none() -> Self {
        Self {
            orders_per_hour: None,
            unproven_max: None,
            unpaid_max: None,
            unpaid_units: None,
            release_unproven: None,
        }
    }

    /// Fills in what was left out, as every shop does that is not a demo.
    pub fn with_defaults(self) -> Self {
        Self {
            orders_per_hour: self.orders_per_hour.or(Some(30)),
            unproven_max: self.unproven_max.or(Some(Money::cents(100_000))),
            unpaid_max: self.unpaid_max.or(Some(Money::cents(500_000))),
            unpaid_units: self.unpaid_units.or(Some(100)),
            release_unproven: self.release_unproven.or(Some(48)),
        }
    }

    /// How long an unpaid order of a customer who has proven nothing is kept.
    pub fn released_after(&self) -> Option<Duration> {
        self.release_unproven.filter(|hours| *hours > 0).map(|hours| HOUR * hours)
    }

    fn caps(&self) -> bool {
        self.unproven_max.is_some() || self.unpaid_max.is_some() || self.unpaid_units.is_some()
    }

    /// Counts that a customer does something to an order; refuses where it is once too often.
    pub async fn count(
        &self,
        (db, clock): (&Db, &Clock),
        what: &str,
        customer: &str,
        peer: Option<Peer>,
    ) -> Result<()> {
        let Some(most) = self.orders_per_hour.map(i64::from) else { return Ok(()) };
        let by_customer = (format!("{what} by {customer}"), Allowance { most, window: HOUR });
        let by_network = peer.map(|peer| {
            let most = most * NETWORK;
            (format!("{what} from {}", peer.network()), Allowance { most, window: HOUR })
        });
        let subjects: Vec<_> = [by_customer].into_iter().chain(by_network).collect();
        spend(db, clock, &subjects).await
    }

    /// Refuses an unpaid order that would hold more than its customer may; answers what is proven of the
    /// customer. Two orders of one customer wait for each other here.
    pub async fn check_unpaid(&self, tx: &mut Tx, order: &Order, told: Proof) -> Result<Proof> {
        if !self.caps() || order.to_pay() == Money::ZERO {
            return Ok(told);
        }
        // The token may be older than the proof.
        let known = customers::hold_with_proof(tx, &order.customer, &order.email).await?;
        let proof = known.or(told);
        let open = open_unpaid(tx, &order.customer).await?;
        let units = open.units + order.lines.iter().map(|line| line.quantity).sum::<i64>();
        match self.refusal(units, open.amount + order.to_pay(), proof) {
            Some(why) => Err(why),
            None => Ok(proof),
        }
    }

    /// Why so much may not be held without being paid.
    fn refusal(&self, units: i64, amount: Money, proof: Proof) -> Option<Error> {
        let refused = |code, message: String| {
            Some(Error::Refused { status: StatusCode::FORBIDDEN, code, message: message.into() })
        };
        if let Some(most) = self.unpaid_units.map(i64::from).filter(|most| units > *most) {
            let message = format!(
                "All your unpaid orders together may hold {most} items, and with this one it would be \
                 {units}. Order fewer, or get in touch with us."
            );
            return refused("too_many_unpaid", message);
        }
        if let Some(most) = self.unpaid_max.filter(|most| amount > *most) {
            let message = format!(
                "All your unpaid orders together may come to {most}, and with this one it would be \
                 {amount}. Order less, or get in touch with us."
            );
            return refused("too_much_unpaid", message);
        }
        let most = self.unproven_max.filter(|most| amount > *most && !proof.any())?;
        let message = format!(
            "Before we deliver for more than {most} without payment, please confirm your e-mail address: \
             open the link in the e-mail that we sent you, then place the order again."
        );
        refused("unproven", message)
    }
}

/// What a customer has ordered and not paid.
#[derive(sqlx::FromRow)]
struct OpenUnpaid {
    units: i64,
    amount: Money,
}

async fn open_unpaid(tx: &mut Tx, customer: &str) -> Result<OpenUnpaid> {
    // A payment that is neither taken nor called off belongs to an order that is open.
    tx.query(
        "select cast(coalesce(sum(p.amount), 0) as bigint) as amount,
           cast(coalesce(sum((select sum(l.quantity) from order_lines l where l.order_id = o.id)), 0)
             as bigint) as units
         from orders o join payments p on p.order_id = o.id
         where o.customer = $1 and p.state in ($2, $3)",
    )
    .bind(customer)
    .bind(PaymentState::Pending)
    .bind(PaymentState::Authorised)
    .one()
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_held_without_being_paid() {
        let limits = Limits::default();
        let (nothing, email) = (Proof::default(), Proof { email: true, phone: false });
        let phone = Proof { email: false, phone: true };
        let code = |units, dollars: i64, proof| {
            limits.refusal(units, Money::cents(dollars * 100), proof).map(|why| why.code())
        };
        assert_eq!(code(100, 1_000, nothing), None);
        assert_eq!(code(1, 1_001, nothing), Some("unproven"));
        assert_eq!((code(1, 1_001, email), code(1, 1_001, phone)), (None, None));
        assert_eq!(code(101, 1, email), Some("too_many_unpaid"));
        assert_eq!(code(1, 5_001, email), Some("too_much_unpaid"));
        assert!(Limits::none().refusal(9_999, Money::cents(i64::MAX / 2), nothing).is_none());
    }

    #[test]
    fn the_command_lines_defaults_are_the_defaults() {
        #[derive(clap::Parser)]
        struct Alone {
            #[command(flatten)]
            limits: Limits,
        }
        let parsed = <Alone as clap::Parser>::try_parse_from(["haat"]).unwrap().limits;
        assert_eq!(format!("{:?}", parsed.with_defaults()), format!("{:?}", Limits::default()));
    }
}
