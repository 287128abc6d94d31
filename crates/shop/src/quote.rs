//! Cart quotes: a pure function from lines, settings and time to every amount that a shopper sees, and
//! its endpoint. Clients never compute prices.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::error::{ErrorBody, Field};
use platform::http::{JsonBody, whole_number};
use platform::{
    Amount, Context, Currency, Db, Error, Exchange, Language, Money, Result, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{
    self, CatalogView, ChosenOptions, LineVariant, ProductId, TextField, VariantId,
};
use crate::error_responses::BadRequest;
use crate::validation;
use media::Picture;

pub const MAX_LINES: usize = 100;
/// Units of one variant.
pub const MAX_QUANTITY: i64 = 100;

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
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// Of all amounts.
    pub currency: Currency,
    pub lines: Vec<QuotedLine>,
    pub sub_total: Money,
    pub shipping: Money,
    /// Charged at checkout.
    pub vat: Money,
    /// Sub total and shipping, as the cart shows it.
    pub cart_total: Money,
    /// Sub total, shipping and VAT: what an order is charged.
    pub total: Money,
    /// The time of this quote.
    pub now: Timestamp,
    /// When a sale of one of the lines starts or ends next; null when none does.
    #[schema(required)]
    pub changes_at: Option<Timestamp>,
}

/// A line of the cart with its current price and stock.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotedLine {
    /// The variant.
    #[serde(rename = "_id")]
    pub id: VariantId,
    pub product: ProductId,
    #[schema(value_type = BTreeMap<String, String>)]
    pub options: ChosenOptions,
    /// Empty for an unknown variant.
    pub name: String,
    pub img: String,
    pub picture: Picture,
    pub buy_price: Money,
    /// The available quantity, at most the requested one.
    pub qtn: i64,
    /// Units that can be ordered.
    pub stock: i64,
    /// When it can be had, where the quantity is not in stock; null where it is.
    #[schema(required)]
    pub back_order: Option<Timestamp>,
    pub total: Money,
    #[schema(required)]
    pub change: Option<LineChange>,
    /// The texts that are in the default language, because they are not translated to the requested one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<TextField>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LineChange {
    /// Out of stock or unknown.
    Gone,
    /// Fewer in stock than requested.
    Less,
}

/// Computes a quote for quantities from 1 to 100 in a currency. Unit prices and charges are converted and rounded once, so
/// that everything adds up. Amounts saturate instead of overflowing.
pub fn quote(
    wanted: &[(VariantId, i64)],
    goods: &HashMap<VariantId, LineVariant>,
    charges: &Charges,
    (to, now): (Exchange, Timestamp),
) -> Quote {
    let (currency, charges) = (to.currency, charges.shown(to));
    let lines: Vec<QuotedLine> =
        wanted.iter().map(|(id, qtn)| line(id, *qtn, goods.get(id), (to, now))).collect();
    let sub_total = Money::sum(lines.iter().map(|line| line.total), currency);
    let bought = lines.iter().any(|line| line.qtn > 0);
    let free = charges.free_delivery_over.is_some_and(|over| sub_total > over);
    let shipping = if bought && !free { charges.shipping } else { Money::zero(currency) };
    let vat = if bought { charges.vat } else { Money::zero(currency) };
    let cart_total = sub_total.saturating_add(shipping);
    let total = cart_total.saturating_add(vat);
    let known = wanted.iter().filter_map(|(id, _)| goods.get(id));
    let changes_at = known.filter_map(|variant| variant.stored.next_price_change(now)).min();
    Quote { currency, lines, sub_total, shipping, vat, cart_total, total, now, changes_at }
}

fn line(
    id: &VariantId,
    wanted: i64,
    variant: Option<&LineVariant>,
    (to, now): (Exchange, Timestamp),
) -> QuotedLine {
    let stock = variant.map_or(0, |variant| variant.available().min(MAX_QUANTITY.max(variant.qtn)));
    let qtn = wanted.min(stock);
    let free = Money::zero(to.currency);
    let buy_price = variant.map_or(free, |variant| variant.stored.at(now, to));
    QuotedLine {
        id: id.clone(),
        product: variant.map_or_else(|| id.cast(), |variant| variant.product.clone()),
        options: variant.map(|variant| variant.options.clone()).unwrap_or_default(),
        name: variant.map_or_else(String::new, |variant| variant.name.clone()),
        img: variant
            .and_then(|variant| variant.img.first())
            .map_or_else(String::new, |photo| photo.src.clone()),
        picture: variant.and_then(|variant| variant.pictures.first().cloned()).unwrap_or_default(),
        buy_price,
        qtn,
        stock,
        back_order: variant.filter(|variant| variant.qtn < qtn).and_then(|one| one.back_order),
        total: buy_price.saturating_mul(qtn),
        change: match qtn {
            0 => Some(LineChange::Gone),
            _ if qtn < wanted => Some(LineChange::Less),
            _ => None,
        },
        untranslated: variant.map(|variant| variant.untranslated.clone()).unwrap_or_default(),
    }
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Charges: FromRef<S>,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(post_quote))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Cart {
    /// At most 100. Repeated variants are added up.
    #[schema(max_items = 100)]
    pub(crate) lines: Vec<CartLine>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct CartLine {
    /// A variant's id; a product's id means its default variant.
    #[serde(rename = "_id")]
    pub(crate) id: VariantId,
    /// 1 to 100.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(deserialize_with = "whole_number")]
    pub(crate) qtn: i64,
}

impl Cart {
    /// Variants and quantities in the order of the cart, each variant once.
    pub fn parse(self) -> Result<Vec<(VariantId, i64)>> {
        if self.lines.len() > MAX_LINES {
            return Err(validation::too_many_lines("lines", MAX_LINES).into());
        }
        let mut wanted: Vec<(VariantId, i64)> = Vec::new();
        for (place, CartLine { id, qtn }) in self.lines.into_iter().enumerate() {
            let known = wanted.iter().position(|(before, _)| *before == id);
            let before = known.map_or(0, |at| wanted[at].1);
            let wrong = || {
                let message = format!("from 1 to {MAX_QUANTITY} of one variant");
                let field = Field::new(format!("lines.{place}.qtn"), "bad_quantity", message);
                field.with("most", MAX_QUANTITY)
            };
            if !(1..=MAX_QUANTITY).contains(&qtn) {
                return Err(wrong().into());
            }
            if before + qtn > MAX_QUANTITY {
                return Err(Error::unprocessable(wrong()));
            }
            match known {
                Some(at) => wanted[at].1 += qtn,
                None => wanted.push((id, qtn)),
            }
        }
        Ok(wanted)
    }
}

/// Reads the variants of a cart; unknown ones are missing from the result.
pub async fn load_variants(
    db: &Db,
    view: CatalogView,
    wanted: &[(VariantId, i64)],
) -> Result<HashMap<VariantId, LineVariant>> {
    let ids: Vec<VariantId> = wanted.iter().map(|(id, _)| id.clone()).collect();
    let variants = catalog::line_variants(db, view, &ids).await?;
    Ok(variants.into_iter().map(|variant| (variant.id.clone(), variant)).collect())
}

/// Quote a cart
#[utoipa::path(
    post, path = "/quote", tag = "Cart", params(Language, Exchange), request_body = Cart,
    responses(
        (status = 200, body = Quote),
        (status = 422, description = "More than 100 of one variant in several lines", body = ErrorBody),
        BadRequest,
    )
)]
async fn post_quote(
    State(context): State<Context>,
    State(charges): State<Charges>,
    language: Language,
    to: Exchange,
    JsonBody(cart): JsonBody<Cart>,
) -> Result<Json<Quote>> {
    let wanted = cart.parse()?;
    let view = CatalogView::new(&context, language, to);
    let goods = load_variants(&context.db, view, &wanted).await?;
    Ok(Json(quote(&wanted, &goods, &charges, (to, view.now))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::{FixedPrice, StoredPrice};

    fn usd(cents: i64) -> Money {
        Money::new(cents, Currency::USD)
    }

    fn charges(free_delivery_over: Option<i64>) -> Charges {
        let free_delivery_over = free_delivery_over.map(usd);
        Charges { shipping: usd(4000), vat: usd(12000), free_delivery_over }
    }

    const IN_DOLLARS: fn() -> Exchange = || Exchange::base(Currency::USD);

    fn variant(number: usize, cents: i64, stock: i64) -> LineVariant {
        let price = StoredPrice::new(usd(cents), None, None, None);
        LineVariant::for_tests(&format!("p{number}"), &format!("Product {number}"), price, stock)
    }

    /// A cart and its variants, some of them unknown, and some with a fixed price in taka.
    fn carts(
        price: impl Strategy<Value = i64>,
    ) -> impl Strategy<Value = (Vec<(VariantId, i64)>, HashMap<VariantId, LineVariant>)> {
        let fixed = proptest::option::weighted(0.3, 0i64..100_000_000);
        let one = (price, fixed, 0i64..150, 1i64..=MAX_QUANTITY, any::<bool>());
        proptest::collection::vec(one, 0..=MAX_LINES).prop_map(|rows| {
            let mut goods = HashMap::new();
            let mut wanted = Vec::new();
            for (number, (cents, fixed, stock, qtn, known)) in rows.into_iter().enumerate() {
                let mut variant = variant(number, cents, stock);
                if let Some(real) = fixed {
                    let fixed = FixedPrice { real, offer: real };
                    variant.stored.fixed_prices.0.insert(Currency::BDT, fixed);
                }
                wanted.push((variant.id.clone(), qtn));
                if known {
                    goods.insert(variant.id.clone(), variant);
                }
            }
            (wanted, goods)
        })
    }

    fn exchanges() -> impl Strategy<Value = Exchange> {
        let offered = [
            "BDT=120.5",
            "BDT=121.37 to 10",
            "BDT=0.3 to 5",
            "EUR=0.92",
            "EUR=0.92 to .99",
            "JPY=151.2",
            "KWD=0.307",
            "BHD=0.377 to .99",
            "KRW=1388.123 to 100",
        ];
        let offered =
            offered.map(|text| text.parse::<platform::exchange::OfferedCurrency>().unwrap());
        proptest::sample::select([None].into_iter().chain(offered.map(Some)).collect::<Vec<_>>())
            .prop_map(|offered| {
                let code = offered.map_or(Currency::USD, |offered| offered.currency);
                let offered = offered.into_iter().collect();
                platform::Currencies::new(Currency::USD, offered).unwrap().exchange(code).unwrap()
            })
    }

    proptest! {
        /// In every currency and by every rule of rounding.
        #[test]
        fn totals_are_the_sums_of_the_lines_and_charges(
            (wanted, goods) in carts(0i64..=10_000_000_000),
            free in proptest::option::of(0i64..1_000_000),
            to in exchanges(),
        ) {
            let charges = charges(free);
            let quote = quote(&wanted, &goods, &charges, (to, Timestamp(0)));
            let zero = Money::zero(to.currency);
            prop_assert!(quote.lines.iter().all(|line| line.total == line.buy_price * line.qtn));
            let sum = quote.lines.iter().fold(zero, |sum, line| sum + line.total);
            prop_assert_eq!(quote.sub_total, sum);
            prop_assert_eq!(quote.cart_total, sum + quote.shipping);
            prop_assert_eq!(quote.total, sum + quote.shipping + quote.vat);
            let bought = quote.lines.iter().any(|line| line.qtn > 0);
            prop_assert_eq!(quote.vat, if bought { to.price(charges.vat) } else { zero });
            let over = charges.free_delivery_over.map(|over| to.price(over));
            let pays = bought && over.is_none_or(|over| sum <= over);
            prop_assert_eq!(quote.shipping, if pays { to.price(charges.shipping) } else { zero });
        }

        #[test]
        fn quantities_are_capped_by_request_and_stock(
            (wanted, goods) in carts(0i64..1_000_000),
        ) {
            let quote = quote(&wanted, &goods, &charges(None), (IN_DOLLARS(), Timestamp(0)));
            prop_assert_eq!(quote.lines.len(), wanted.len());
            for (line, (id, wanted)) in quote.lines.iter().zip(&wanted) {
                prop_assert_eq!(&line.id, id);
                prop_assert_eq!(line.qtn, line.stock.min(*wanted));
                prop_assert_eq!(line.change == Some(LineChange::Gone), line.qtn == 0);
                prop_assert_eq!(line.change.is_none(), line.qtn == *wanted);
            }
        }

        #[test]
        fn amounts_do_not_overflow((wanted, goods) in carts(0i64..=i64::MAX), to in exchanges()) {
            let quote = quote(&wanted, &goods, &charges(None), (to, Timestamp(0)));
            prop_assert!(!quote.sub_total.is_negative());
            prop_assert!(quote.total >= quote.cart_total && quote.cart_total >= quote.sub_total);
        }

        #[test]
        fn repeated_variants_are_added_up(first in 1i64..=100, second in 1i64..=100) {
            let id: VariantId = "p1".parse().unwrap();
            let lines = [first, second].map(|qtn| CartLine { id: id.clone(), qtn });
            let parsed = Cart { lines: lines.into() }.parse();
            match parsed {
                Ok(wanted) => prop_assert_eq!(wanted, vec![(id, first + second)]),
                Err(_) => prop_assert!(first + second > MAX_QUANTITY),
            }
        }
    }

    #[test]
    fn prices_follow_the_clock() {
        let mut lamp = variant(1, 1000, 5);
        let (start, end) = (Some(Timestamp(10)), Some(Timestamp(20)));
        lamp.stored = StoredPrice::new(usd(1000), Some(usd(700)), start, end);
        let wanted = [(lamp.id.clone(), 2)];
        let goods = HashMap::from([(lamp.id.clone(), lamp)]);
        let quoted = |now| quote(&wanted, &goods, &charges(None), (IN_DOLLARS(), Timestamp(now)));
        let at = |now| quoted(now).sub_total.minor();
        assert_eq!([at(9), at(10), at(19), at(20)], [2000, 1400, 1400, 2000]);
        let changes = |now| quoted(now).changes_at;
        assert_eq!([changes(9), changes(10), changes(20)], [start, end, None]);
    }

    #[test]
    fn a_back_order_is_promised_for_what_is_not_in_stock() {
        let mut lamp = variant(1, 1000, 2);
        lamp.back_order = Some(Timestamp(99));
        let goods = HashMap::from([(lamp.id.clone(), lamp.clone())]);
        let view = (IN_DOLLARS(), Timestamp(0));
        let line =
            |qtn| quote(&[(lamp.id.clone(), qtn)], &goods, &charges(None), view).lines.remove(0);
        assert_eq!((line(2).qtn, line(2).back_order, line(2).change), (2, None, None));
        assert_eq!(
            (line(9).qtn, line(9).back_order, line(9).change),
            (9, Some(Timestamp(99)), None)
        );
    }

    #[test]
    fn an_empty_cart_costs_nothing() {
        let quote = quote(&[], &HashMap::new(), &charges(None), (IN_DOLLARS(), Timestamp(0)));
        assert_eq!((quote.lines.len(), quote.total, quote.shipping), (0, usd(0), usd(0)));
    }

    #[test]
    fn quantities_and_lines_are_limited() {
        let line = |qtn| CartLine { id: "p1".parse().unwrap(), qtn };
        for qtn in [0, -1, 101, i64::MIN, i64::MAX] {
            assert!(Cart { lines: vec![line(qtn)] }.parse().is_err(), "{qtn}");
            assert!(Cart { lines: vec![line(1), line(qtn)] }.parse().is_err(), "{qtn}");
        }
        let many = (0..=MAX_LINES)
            .map(|number| CartLine { id: format!("p{number}").parse().unwrap(), qtn: 1 });
        assert!(Cart { lines: many.clone().collect() }.parse().is_err());
        assert!(Cart { lines: many.skip(1).collect() }.parse().is_ok());
    }
}
