//! Cart quotes: a pure function from lines, settings and time to every amount that a shopper sees, and
//! its endpoint. Clients never compute prices.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::error::{ErrorBody, Field};
use platform::http::{JsonBody, whole_number};
use platform::{Context, Db, Error, Language, Money, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalog::{self, ChosenOptions, LineVariant, ProductId, TextField, VariantId};
use crate::error_responses::BadRequest;
use crate::validation;
use media::Picture;

pub const MAX_LINES: usize = 100;
/// Units of one variant.
pub const MAX_QUANTITY: i64 = 100;

/// What is charged in addition to the goods.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
#[group(id = "charges")]
pub struct Charges {
    /// Delivery cost of an order, in US dollars
    #[arg(
        long,
        env = "HAAT_SHIPPING",
        value_name = "AMOUNT",
        default_value = "40",
        help_heading = "The shop"
    )]
    pub shipping: Money,
    /// VAT that the checkout adds to an order, in US dollars
    #[arg(
        long,
        env = "HAAT_VAT",
        value_name = "AMOUNT",
        default_value = "120",
        help_heading = "The shop"
    )]
    pub vat: Money,
    /// Free delivery when the goods cost more than this, in US dollars [default: never; in a demo 99]
    #[arg(long, env = "HAAT_FREE_DELIVERY_OVER", value_name = "AMOUNT", help_heading = "The shop")]
    pub free_delivery_over: Option<Money>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
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

/// Computes a quote for quantities from 1 to 100. Amounts saturate instead of overflowing.
pub fn quote(
    wanted: &[(VariantId, i64)],
    goods: &HashMap<VariantId, LineVariant>,
    charges: &Charges,
    now: Timestamp,
) -> Quote {
    let lines: Vec<QuotedLine> =
        wanted.iter().map(|(id, qtn)| line(id, *qtn, goods.get(id), now)).collect();
    let sub_total = lines.iter().fold(Money::ZERO, |sum, line| saturating_add(sum, line.total));
    let bought = lines.iter().any(|line| line.qtn > 0);
    let free = charges.free_delivery_over.is_some_and(|over| sub_total > over);
    let shipping = if bought && !free { charges.shipping } else { Money::ZERO };
    let vat = if bought { charges.vat } else { Money::ZERO };
    let cart_total = saturating_add(sub_total, shipping);
    let total = saturating_add(cart_total, vat);
    let known = wanted.iter().filter_map(|(id, _)| goods.get(id));
    let changes_at = known.filter_map(|variant| variant.price.next_price_change(now)).min();
    Quote { lines, sub_total, shipping, vat, cart_total, total, now, changes_at }
}

fn line(id: &VariantId, wanted: i64, variant: Option<&LineVariant>, now: Timestamp) -> QuotedLine {
    let stock = variant.map_or(0, |variant| variant.available().min(MAX_QUANTITY.max(variant.qtn)));
    let qtn = wanted.min(stock);
    let buy_price = variant.map_or(Money::ZERO, |variant| variant.price.at(now));
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
        total: Money::cents(buy_price.as_cents().saturating_mul(qtn)),
        change: match qtn {
            0 => Some(LineChange::Gone),
            _ if qtn < wanted => Some(LineChange::Less),
            _ => None,
        },
        untranslated: variant.map(|variant| variant.untranslated.clone()).unwrap_or_default(),
    }
}

fn saturating_add(amount: Money, more: Money) -> Money {
    Money::cents(amount.as_cents().saturating_add(more.as_cents()))
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
    now: Timestamp,
    wanted: &[(VariantId, i64)],
    language: Option<Language>,
) -> Result<HashMap<VariantId, LineVariant>> {
    let ids: Vec<VariantId> = wanted.iter().map(|(id, _)| id.clone()).collect();
    let variants = catalog::line_variants(db, now, &ids, language).await?;
    Ok(variants.into_iter().map(|variant| (variant.id.clone(), variant)).collect())
}

/// Quote a cart
#[utoipa::path(
    post, path = "/quote", tag = "Cart", params(Language), request_body = Cart,
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
    JsonBody(cart): JsonBody<Cart>,
) -> Result<Json<Quote>> {
    let wanted = cart.parse()?;
    let Context { db, clock, languages, .. } = &context;
    let (now, language) = (clock.now(), languages.translation(language));
    let goods = load_variants(db, now, &wanted, language).await?;
    Ok(Json(quote(&wanted, &goods, &charges, now)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::Price;

    const CHARGES: Charges = Charges {
        shipping: Money::cents(4000),
        vat: Money::cents(12000),
        free_delivery_over: None,
    };

    fn variant(number: usize, cents: i64, stock: i64) -> LineVariant {
        let price = Price::new(Money::cents(cents), None, None, None);
        LineVariant::for_tests(&format!("p{number}"), &format!("Product {number}"), price, stock)
    }

    /// A cart and its variants, some of them unknown.
    fn carts(
        price: impl Strategy<Value = i64>,
    ) -> impl Strategy<Value = (Vec<(VariantId, i64)>, HashMap<VariantId, LineVariant>)> {
        let one = (price, 0i64..150, 1i64..=MAX_QUANTITY, any::<bool>());
        proptest::collection::vec(one, 0..=MAX_LINES).prop_map(|rows| {
            let mut goods = HashMap::new();
            let mut wanted = Vec::new();
            for (number, (cents, stock, qtn, known)) in rows.into_iter().enumerate() {
                let variant = variant(number, cents, stock);
                wanted.push((variant.id.clone(), qtn));
                if known {
                    goods.insert(variant.id.clone(), variant);
                }
            }
            (wanted, goods)
        })
    }

    proptest! {
        #[test]
        fn totals_are_the_sums_of_the_lines_and_charges(
            (wanted, goods) in carts(0i64..=10_000_000_000),
            free in proptest::option::of(0i64..1_000_000),
        ) {
            let free_delivery_over = free.map(Money::cents);
            let charges = Charges { free_delivery_over, ..CHARGES };
            let quote = quote(&wanted, &goods, &charges, Timestamp(0));
            let sum: Money = quote.lines.iter().map(|line| line.buy_price * line.qtn).sum();
            prop_assert_eq!(quote.sub_total, sum);
            prop_assert_eq!(quote.cart_total, sum + quote.shipping);
            prop_assert_eq!(quote.total, sum + quote.shipping + quote.vat);
            let bought = quote.lines.iter().any(|line| line.qtn > 0);
            prop_assert_eq!(quote.vat, if bought { CHARGES.vat } else { Money::ZERO });
            let pays = bought && free.is_none_or(|over| sum <= Money::cents(over));
            prop_assert_eq!(quote.shipping, if pays { CHARGES.shipping } else { Money::ZERO });
        }

        #[test]
        fn quantities_are_capped_by_request_and_stock(
            (wanted, goods) in carts(0i64..1_000_000),
        ) {
            let quote = quote(&wanted, &goods, &CHARGES, Timestamp(0));
            prop_assert_eq!(quote.lines.len(), wanted.len());
            for (line, (id, wanted)) in quote.lines.iter().zip(&wanted) {
                prop_assert_eq!(&line.id, id);
                prop_assert_eq!(line.qtn, line.stock.min(*wanted));
                prop_assert_eq!(line.change == Some(LineChange::Gone), line.qtn == 0);
                prop_assert_eq!(line.change.is_none(), line.qtn == *wanted);
            }
        }

        #[test]
        fn amounts_do_not_overflow((wanted, goods) in carts(0i64..=i64::MAX)) {
            let quote = quote(&wanted, &goods, &CHARGES, Timestamp(0));
            prop_assert!(quote.sub_total >= Money::ZERO);
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
        lamp.price = Price::new(
            Money::cents(1000),
            Some(Money::cents(700)),
            Some(Timestamp(10)),
            Some(Timestamp(20)),
        );
        let wanted = [(lamp.id.clone(), 2)];
        let goods = HashMap::from([(lamp.id.clone(), lamp)]);
        let at = |now| quote(&wanted, &goods, &CHARGES, Timestamp(now)).sub_total.as_cents();
        assert_eq!([at(9), at(10), at(19), at(20)], [2000, 1400, 1400, 2000]);
        let changes = |now| quote(&wanted, &goods, &CHARGES, Timestamp(now)).changes_at;
        let (start, end) = (Some(Timestamp(10)), Some(Timestamp(20)));
        assert_eq!([changes(9), changes(10), changes(20)], [start, end, None]);
    }

    #[test]
    fn a_back_order_is_promised_for_what_is_not_in_stock() {
        let mut lamp = variant(1, 1000, 2);
        lamp.back_order = Some(Timestamp(99));
        let goods = HashMap::from([(lamp.id.clone(), lamp.clone())]);
        let line =
            |qtn| quote(&[(lamp.id.clone(), qtn)], &goods, &CHARGES, Timestamp(0)).lines.remove(0);
        assert_eq!((line(2).qtn, line(2).back_order, line(2).change), (2, None, None));
        assert_eq!(
            (line(9).qtn, line(9).back_order, line(9).change),
            (9, Some(Timestamp(99)), None)
        );
    }

    #[test]
    fn an_empty_cart_costs_nothing() {
        let quote = quote(&[], &HashMap::new(), &CHARGES, Timestamp(0));
        assert_eq!((quote.lines.len(), quote.total, quote.shipping), (0, Money::ZERO, Money::ZERO));
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
