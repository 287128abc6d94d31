//! The taxes of a cart: a pure function of what is paid for each line and for the delivery.
//!
//! A tax is added to what is paid, or is part of it where prices include tax; then an export or an exempt customer is
//! charged the price without it, by an adjustment. It is rounded half up, per line or, for lines with the same rates,
//! per order; then it is shared out by largest remainder, so that the lines add up to it and a partial return is worth
//! exactly what was paid for it.

use platform::time_zone::CalendarDay;
use platform::{Currency, Language, Money};
use postal_address::{Country, Destination};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::rounding::{apportion, rounded, smallest_step};
use super::{Adjustment, AdjustmentKind};
use crate::catalog::VariantId;
use crate::string_enum::string_enum;
use crate::taxes::{
    DeliveryTax, LocalRates, TaxClass, TaxExemption, TaxPercent, TaxRate, TaxRounding, TaxRules,
    TaxTable,
};

/// A tax of a line or, without one, of the delivery with its fee.
#[derive(Clone, Debug, PartialEq)]
pub struct TaxLine {
    /// The tax, in the language of the request.
    pub label: String,
    pub percent: TaxPercent,
    pub line: Option<VariantId>,
    /// What it is charged on, without the tax.
    pub net: Money,
    pub amount: Money,
    /// Whether the amount is part of the prices.
    pub included: bool,
    /// Why nothing is charged.
    pub relief: Option<TaxRelief>,
}

string_enum! {
    pub enum TaxRelief {
        /// The goods leave the country.
        Export = "export",
        /// The customer pays no tax.
        Exempt = "exempt",
    }
}

/// What is charged of a tax at one rate.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TaxSum {
    /// The tax, in the language of the request.
    pub label: String,
    /// A percentage.
    #[schema(value_type = f64)]
    pub rate: TaxPercent,
    /// What it is charged on, without the tax.
    pub net: Money,
    pub amount: Money,
    /// Whether the amount is part of the prices, or added to them.
    pub included: bool,
    /// Why nothing is charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relief: Option<TaxRelief>,
}

impl TaxSum {
    /// The sums by tax and rate, in the order in which they come first.
    pub fn of(taxes: &[TaxLine]) -> Vec<Self> {
        let mut sums: Vec<Self> = Vec::new();
        for TaxLine { label, percent, net, amount, included, relief, .. } in taxes {
            let known = sums.iter_mut().find(|sum| {
                let Self { label: name, rate, included: is_part, relief: why, .. } = sum;
                (name, rate, is_part, why) == (label, percent, included, relief)
            });
            match known {
                Some(sum) => {
                    sum.net = sum.net.saturating_add(*net);
                    sum.amount = sum.amount.saturating_add(*amount);
                }
                None => sums.push(Self {
                    label: label.clone(),
                    rate: *percent,
                    net: *net,
                    amount: *amount,
                    included: *included,
                    relief: *relief,
                }),
            }
        }
        sums
    }
}

/// For JSON: by tax and rate.
pub fn serialize_sums<S: Serializer>(taxes: &[TaxLine], to: S) -> Result<S::Ok, S::Error> {
    TaxSum::of(taxes).serialize(to)
}

/// By which rules a customer is taxed.
#[derive(Clone, Copy)]
pub struct TaxTerms<'t> {
    rules: &'t TaxRules,
    exemption: Option<&'t TaxExemption>,
    /// The shop's own country.
    home: Option<Country>,
    day: CalendarDay,
}

impl<'t> TaxTerms<'t> {
    /// `customer` is the account's id; empty without one.
    pub fn new(
        table: &'t TaxTable,
        customer: &str,
        home: Option<Country>,
        day: CalendarDay,
    ) -> Self {
        let exemption = table.exemptions.get(customer);
        Self { rules: &table.rules, exemption, home, day }
    }

    pub fn has_rates(&self) -> bool {
        !self.rules.rates.is_empty()
    }

    /// The customer's, where there is an exemption.
    pub fn tax_number(&self) -> Option<&'t str> {
        self.exemption.map(|one| &*one.tax_number)
    }
}

/// What is paid for a line, after reductions.
pub(super) struct PaidLine<'l> {
    pub line: &'l VariantId,
    /// Of the goods; `None` where they are not taxed.
    pub class: Option<&'l str>,
    pub paid: Money,
}

/// What a cart is charged besides its prices.
#[derive(Default)]
pub(super) struct CartTaxes {
    /// The taxes that the prices include and that are not charged.
    pub relief: Vec<Adjustment>,
    pub taxes: Vec<TaxLine>,
}

impl CartTaxes {
    /// What is added to the prices.
    pub fn added(&self, currency: Currency) -> Money {
        let added = self.taxes.iter().filter(|tax| !tax.included);
        Money::sum(added.map(|tax| tax.amount), currency)
    }
}

/// The taxes of a destination.
pub(super) struct Taxation<'t> {
    rules: &'t TaxRules,
    rates: LocalRates<'t>,
    relief: Option<TaxRelief>,
    language: Option<Language>,
}

/// A rate as it is charged on the price without any tax, in units of `ONE`.
#[derive(Clone, Copy)]
struct Factor<'t> {
    rate: &'t TaxRate,
    factor: i128,
}

const ONE: i128 = (TaxPercent::ALL as i128) * (TaxPercent::ALL as i128);

/// An amount with its rates.
struct Taxed<'t> {
    line: Option<VariantId>,
    paid: Money,
    factors: Vec<Factor<'t>>,
}

impl<'t> Taxation<'t> {
    /// `None` in a shop without rates, and where the country is not known and no rate is for everywhere: then a flat tax is
    /// charged. What is picked up is taxed where the shop is.
    pub fn new(
        terms: TaxTerms<'t>,
        destination: Option<&Destination>,
        is_pickup: bool,
        language: Option<Language>,
    ) -> Option<Self> {
        let TaxTerms { rules, home, day, .. } = terms;
        let own = home.map(Destination::of_country);
        let place = if is_pickup { own.as_ref() } else { destination };
        let country = place.map(|place| place.country);
        let local = rules.rates_at(place, day);
        if rules.rates.is_empty() || (country.is_none() && local.is_empty()) {
            return None;
        }
        let is_abroad = home.is_some() && country.is_some() && country != home;
        let exempt = terms.exemption.filter(|one| one.holds_in(country));
        let exempt = exempt.map(|_| TaxRelief::Exempt);
        let export = (local.is_empty() && is_abroad).then_some(TaxRelief::Export);
        let rates = if export.is_some() { rules.rates_at(own.as_ref(), day) } else { local };
        Some(Self { rules, rates, relief: exempt.or(export), language })
    }

    /// The taxes of the lines and of the delivery.
    pub fn apply(&self, lines: &[PaidLine<'_>], delivery: Money) -> CartTaxes {
        let currency = delivery.currency();
        let taxed = lines.iter().filter_map(|PaidLine { line, class, paid }| {
            let factors = self.factors((*class)?);
            Some(Taxed { line: Some((*line).clone()), paid: *paid, factors })
        });
        let mut taxed: Vec<Taxed<'_>> = taxed.collect();
        taxed.extend(self.delivery(&taxed, delivery));
        let amounts = self.amounts(&taxed);
        let mut cart = CartTaxes::default();
        for (Taxed { line, paid, factors }, amounts) in taxed.iter().zip(&amounts) {
            let tax = Money::sum(amounts.iter().copied(), currency);
            let is_part = self.rules.prices_include_tax;
            let net = if is_part { *paid - tax } else { *paid };
            let mut plain = net;
            for (Factor { rate, .. }, amount) in factors.iter().zip(amounts) {
                let row = TaxLine {
                    label: rate.name(self.language).to_owned(),
                    percent: rate.percent,
                    line: line.clone(),
                    net: if rate.compound { plain } else { net },
                    amount: *amount,
                    included: is_part,
                    relief: self.relief,
                };
                if !rate.compound {
                    plain = plain.saturating_add(*amount);
                }
                cart.taxes.push(match self.relief {
                    Some(_) => TaxLine {
                        percent: TaxPercent::ZERO,
                        net,
                        amount: Money::zero(currency),
                        included: false,
                        ..row
                    },
                    None => row,
                });
            }
            if is_part && self.relief.is_some() && tax.is_positive() {
                cart.relieve(line.as_ref(), &self.label(factors), tax);
            }
        }
        cart
    }

    /// The delivery as what is taxed: like the goods, it has a part for each combination of rates.
    fn delivery(&self, lines: &[Taxed<'t>], delivery: Money) -> Vec<Taxed<'t>> {
        let part = |paid, factors| Taxed { line: None, paid, factors };
        let class = match &self.rules.delivery {
            _ if delivery.is_zero() => return Vec::new(),
            DeliveryTax::None => return Vec::new(),
            DeliveryTax::Class(class) => return vec![part(delivery, self.factors(class.as_str()))],
            DeliveryTax::Goods => TaxClass::STANDARD,
        };
        let mut groups: Vec<(Vec<Factor<'t>>, i64)> = Vec::new();
        for Taxed { paid, factors, .. } in lines {
            match groups.iter_mut().find(|(known, _)| is_same(known, factors)) {
                Some((_, sum)) => *sum = sum.saturating_add(paid.minor()),
                None => groups.push((factors.clone(), paid.minor())),
            }
        }
        let weights: Vec<i64> = groups.iter().map(|(_, sum)| *sum).collect();
        if weights.iter().all(|weight| *weight == 0) {
            // With goods for nothing, it is taxed like the first of them.
            let first = groups.into_iter().next().map(|(factors, _)| factors);
            return vec![part(delivery, first.unwrap_or_else(|| self.factors(class)))];
        }
        // Of whole taka in whole taka.
        let step = smallest_step(delivery);
        let shares = apportion(delivery.minor() / step, &weights).into_iter();
        let shares = shares.map(|share| Money::new(share * step, delivery.currency()));
        let parts = groups.into_iter().zip(shares);
        parts.map(|((factors, _), share)| part(share, factors)).collect()
    }

    fn factors(&self, class: &str) -> Vec<Factor<'t>> {
        let rates = self.rates.of_class(class);
        let plain = rates.iter().filter(|rate| !rate.compound);
        let plain: i128 = plain.map(|rate| i128::from(rate.percent.thousandths())).sum();
        let all = i128::from(TaxPercent::ALL);
        let factor = |rate: &'t TaxRate| {
            let on = if rate.compound { all + plain } else { all };
            Factor { rate, factor: i128::from(rate.percent.thousandths()) * on }
        };
        rates.into_iter().map(factor).collect()
    }

    /// The taxes of each of these, by their rates.
    fn amounts(&self, taxed: &[Taxed<'_>]) -> Vec<Vec<Money>> {
        let mut amounts: Vec<Vec<Money>> = taxed.iter().map(|_| Vec::new()).collect();
        for (place, Taxed { factors, .. }) in taxed.iter().enumerate() {
            let is_alike = |at: &usize| is_same(&taxed[*at].factors, factors);
            let group: Vec<usize> = match self.rules.rounding {
                TaxRounding::Line => vec![place],
                // Of each group, when its first one is reached.
                TaxRounding::Order if (0..place).any(|at| is_alike(&at)) => continue,
                TaxRounding::Order => (place..taxed.len()).filter(is_alike).collect(),
            };
            let currency = taxed[place].paid.currency();
            let paid = Money::sum(group.iter().map(|at| taxed[*at].paid), currency);
            let weights: Vec<i64> = group.iter().map(|at| taxed[*at].paid.minor()).collect();
            let of_all: i128 = factors.iter().map(|one| one.factor).sum();
            let (mut left, mut plain) = (paid, paid);
            for Factor { rate, factor } in factors {
                let tax = if self.rules.prices_include_tax {
                    // Of a small amount, many taxes that are rounded up would be more than it.
                    let tax = rounded(paid, *factor, ONE + of_all).min(left);
                    left = left - tax;
                    tax
                } else {
                    // On the other taxes as they are charged.
                    let on = if rate.compound { plain } else { paid };
                    let percent = i128::from(rate.percent.thousandths());
                    let tax = rounded(on, percent, i128::from(TaxPercent::ALL));
                    if !rate.compound {
                        plain = plain.saturating_add(tax);
                    }
                    tax
                };
                let shares = apportion(tax.minor(), &weights);
                for (at, share) in group.iter().zip(shares) {
                    amounts[*at].push(Money::new(share, currency));
                }
            }
        }
        amounts
    }

    /// The names of the taxes.
    fn label(&self, factors: &[Factor<'_>]) -> String {
        let names: Vec<&str> = factors.iter().map(|one| one.rate.name(self.language)).collect();
        names.join(", ")
    }
}

impl CartTaxes {
    fn relieve(&mut self, line: Option<&VariantId>, label: &str, tax: Money) {
        // The delivery may have parts.
        let known = self.relief.iter_mut().find(|one| line.is_none() && one.line.is_none());
        match known {
            Some(delivery) => delivery.amount = delivery.amount - tax,
            None => self.relief.push(Adjustment {
                kind: AdjustmentKind::TaxRelief,
                label: label.to_owned(),
                amount: -tax,
                line: line.cloned(),
                promotion: None,
                code: None,
            }),
        }
    }
}

fn is_same(one: &[Factor<'_>], other: &[Factor<'_>]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.rate.id == other.rate.id)
}
