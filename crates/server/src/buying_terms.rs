//! What a product page says about delivery, returns and taxes.

use platform::{Amount, Exchange, Money, Result};
use postal_address::Destination;
use serde::Serialize;
use shop::catalog::Product;
use shop::delivery::{DeliveryDays, DeliveryMethod, MethodPrice, zone_of};
use shop::taxes::{TaxClass, TaxPercent};
use utoipa::ToSchema;

use crate::pages::Pages;

/// Where there are delivery zones, by the first method in the shop's own country that is no pickup.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuyingTerms {
    /// The delivery time; null where it is not known.
    #[schema(required)]
    pub delivery: Option<DeliveryDays>,
    /// Null where it depends on the goods, or nothing is delivered there.
    #[schema(required)]
    pub shipping: Option<Money>,
    /// Delivery is free above this subtotal; null where it never is.
    #[schema(required)]
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which goods can be returned.
    pub return_days: u16,
    /// Of how many days before a reduction the price before it is the lowest; 0: it is the list price.
    pub lowest_price_days: u16,
    /// The taxes that the prices include.
    pub included_taxes: Vec<String>,
}

impl Pages {
    pub(crate) async fn buying_terms(&self, product: &Product) -> Result<BuyingTerms> {
        let own = self.countries.own().map(Destination::of_country);
        let zones = self.zones.get(&self.db).await?;
        let terms = BuyingTerms {
            return_days: self.orders.return_window,
            lowest_price_days: self.lowest_price_days,
            ..BuyingTerms::default()
        };
        let terms = match zones.is_empty() {
            true => {
                let charges = self.charges.shown(self.to);
                BuyingTerms {
                    delivery: self.orders.delivery_days,
                    shipping: Some(charges.shipping),
                    free_delivery_over: charges.free_delivery_over,
                    ..terms
                }
            }
            false => {
                let methods = zone_of(&zones, own.as_ref()).map(|zone| &zone.methods[..]);
                let mut methods = methods.unwrap_or_default().iter();
                let first = methods.find(|method| method.pickup.is_none());
                first.map_or(terms.clone(), |method| terms.delivered_by(method, self.to))
            }
        };
        let included_taxes = self.included_taxes(product, own.as_ref()).await?;
        Ok(BuyingTerms { included_taxes, ..terms })
    }

    async fn included_taxes(
        &self,
        product: &Product,
        own: Option<&Destination>,
    ) -> Result<Vec<String>> {
        let table = self.taxes.get(&self.db).await?;
        if !table.rules.prices_include_tax {
            return Ok(Vec::new());
        }
        let day = self.taxes.time_zone.day(self.clock.now());
        let rates =
            table.rules.rates_at(own, day).of_class(TaxClass::of_product(&product.tax_class));
        let charged = rates.into_iter().filter(|rate| rate.percent > TaxPercent::ZERO);
        Ok(charged.map(|rate| rate.name(self.translation()).to_owned()).collect())
    }
}

impl BuyingTerms {
    fn delivered_by(self, method: &DeliveryMethod, to: Exchange) -> Self {
        let shown = |amount: Amount| amount.of(to.base).map(|amount| to.price(amount));
        Self {
            delivery: method.days,
            shipping: match &method.price {
                MethodPrice::Flat(price) => shown(*price),
                MethodPrice::ByWeight { .. } | MethodPrice::BySubTotal { .. } => None,
            },
            free_delivery_over: method.free_over.and_then(shown),
            ..self
        }
    }
}
