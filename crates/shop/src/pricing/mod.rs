//! What a cart costs: a pure function from lines, rules, shopper and time to every amount that is shown and charged, and
//! its endpoint. Clients never compute prices.

mod charges;
mod discounts;
mod http;
mod payment_fee;
mod quote;
mod rounding;
mod shipping;
#[cfg(test)]
mod tax_tests;
mod taxes;
#[cfg(test)]
mod tests;

pub use charges::{ChargeSettings, Charges};
pub use discounts::{Adjustment, AdjustmentKind, CodeOutcome, CodeRefusal};
pub use http::{Cart, CartLine, MAX_LINES, MAX_QUANTITY, ShopRules, load_variants, router};
pub use payment_fee::PaymentTerms;
pub use quote::{LineChange, PricingRules, Quote, QuotedLine, quote};
pub use shipping::Shipment;
pub use taxes::{TaxLine, TaxRelief, TaxSum, TaxTerms, serialize_sums};
