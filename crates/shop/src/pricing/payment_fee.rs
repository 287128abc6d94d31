//! The fee for cash on delivery: charged where something is paid in cash.

use platform::{Currency, Money};

use crate::payments::PaymentProvider;

/// How a total is to be paid.
#[derive(Clone, Copy, Debug)]
pub struct PaymentTerms {
    pub provider: PaymentProvider,
    /// What gift cards and store credit pay of it, in the shopper's currency.
    pub tender: Money,
}

impl PaymentTerms {
    pub fn without_tender(provider: PaymentProvider, currency: Currency) -> Self {
        Self { provider, tender: Money::zero(currency) }
    }

    /// What is charged of the delivery method's fee. Nothing where no cash is left to pay of the total without the fee.
    pub(super) fn charged(self, fee: Money, total_without_fee: Money) -> Money {
        let is_cash = self.provider == PaymentProvider::CashOnDelivery;
        match is_cash && total_without_fee > self.tender {
            true => fee,
            false => Money::zero(fee.currency()),
        }
    }
}
