//! What a product page says about delivery, returns and taxes.

use platform::{Amount, Exchange, Result};
use postal_address::Destination;
use shop::catalog::Product;
use shop::delivery::{DeliveryMethod, MethodPrice, zone_of};
use shop::taxes::{TaxClass, TaxPercent};

use crate::pages::Pages;
use crate::props::BuyingTerms;

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
