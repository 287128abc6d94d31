//! What is charged in addition to the goods.

use platform::{Amount, Currency, Exchange, Money};

/// What is charged in addition to the goods, as settings: in the shop's base currency.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
#[group(id = "charges")]
pub struct ChargeSettings {
    /// Delivery cost of an order, in the base currency
    #[arg(
        long,
        env = "HAAT_SHIPPING",
        value_name = "AMOUNT",
        default_value = "40",
        help_heading = "The shop"
    )]
    pub shipping: Amount,
    /// VAT that the checkout adds to an order, in the base currency
    #[arg(
        long,
        env = "HAAT_VAT",
        value_name = "AMOUNT",
        default_value = "120",
        help_heading = "The shop"
    )]
    pub vat: Amount,
    /// Free delivery when the goods cost more than this, in the base currency [default: never; in a demo 99]
    #[arg(long, env = "HAAT_FREE_DELIVERY_OVER", value_name = "AMOUNT", help_heading = "The shop")]
    pub free_delivery_over: Option<Amount>,
}

impl ChargeSettings {
    pub fn charges(&self, base: Currency) -> Result<Charges, String> {
        let free_over = self.free_delivery_over.map(|over| over.named("free_delivery_over", base));
        Ok(Charges {
            shipping: self.shipping.named("shipping", base)?,
            vat: self.vat.named("vat", base)?,
            free_delivery_over: free_over.transpose()?,
        })
    }
}

/// What is charged in addition to the goods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charges {
    pub shipping: Money,
    pub vat: Money,
    pub free_delivery_over: Option<Money>,
}

impl Charges {
    /// As a shopper is shown and charged them.
    pub fn shown(&self, to: Exchange) -> Self {
        Self {
            shipping: to.price(self.shipping),
            vat: to.price(self.vat),
            free_delivery_over: self.free_delivery_over.map(|over| to.price(over)),
        }
    }

    /// The delivery of goods that cost this.
    pub fn shipping_of(&self, sub_total: Money) -> Money {
        let free = self.free_delivery_over.is_some_and(|over| sub_total > over);
        if free { Money::zero(self.shipping.currency()) } else { self.shipping }
    }
}
