//! Fixed prices in an import file: prices in other currencies than the base currency, in fields and columns such as
//! `realPrice:BDT`. Pure functions.

use std::collections::BTreeMap;

use platform::{Amount, Currency, Money};
use serde::de::{Error as _, MapAccess};

use super::columns::closest_column;
use super::rows::{NamedError, check_amount};
use super::split_fields::ReadField;
use crate::catalog::{FixedPrice, FixedPrices};

const REAL: &str = "realPrice";
const OFFER: &str = "offerPrice";

/// What a row says about a price: `None` where the file does not contain it, `Some(None)` where it is empty.
type PriceInput = Option<Option<Amount>>;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct FixedPriceInput {
    real: PriceInput,
    offer: PriceInput,
}

/// The fixed prices in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedPriceInputs(BTreeMap<Currency, FixedPriceInput>);

/// The price and the currency of a name such as `realPrice:BDT`, or what is wrong with it.
pub fn parse_name(name: &str) -> Option<Result<(&'static str, Currency), String>> {
    let (field, code) = name.split_once(':')?;
    let field = [REAL, OFFER].into_iter().find(|price| *price == field)?;
    let unknown = |_| match closest_price(name) {
        Some(meant) => format!("{code:?} is no currency code; did you mean {meant}?"),
        None => format!("{code:?} is no currency code; expected one such as in {field}:BDT"),
    };
    Some(code.parse().map(|currency| (field, currency)).map_err(unknown))
}

/// The fixed price that a misspelt name means: `realPrice:BDT` for `price_bdt`.
pub fn closest_price(name: &str) -> Option<String> {
    let (start, _) = name.char_indices().rev().nth(2)?;
    let (field, code) = name.split_at(start);
    let currency: Currency = code.to_uppercase().parse().ok()?;
    let field = closest_column(field, &[REAL, OFFER])?;
    Some(format!("{field}:{currency}"))
}

impl ReadField for FixedPriceInputs {
    fn read_field<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        let (field, currency) = match parse_name(name) {
            Some(parsed) => parsed.map_err(A::Error::custom)?,
            None => return Ok(false),
        };
        let input = self.0.entry(currency).or_default();
        let price = if field == REAL { &mut input.real } else { &mut input.offer };
        match price.replace(map.next_value()?) {
            Some(_) => Err(A::Error::custom("duplicate field")),
            None => Ok(true),
        }
    }
}

impl FixedPriceInputs {
    /// A price that the row has in this currency.
    pub fn field_in(&self, currency: Currency) -> Option<&'static str> {
        self.0.get(&currency).map(|input| if input.real.is_some() { REAL } else { OFFER })
    }

    /// Its errors, at most one per currency, with their fields: `realPrice:BDT`. An offer without a list price is one
    /// only where the file says that there is none, or after `complete`.
    pub fn validate(&self) -> Vec<NamedError> {
        let check = |(currency, input): (&Currency, &FixedPriceInput)| input.check(*currency).err();
        self.0.iter().filter_map(check).collect()
    }

    /// Fills in the prices of a product that its row does not contain. Without a list price there is no offer.
    pub fn complete(&mut self, old: &FixedPrices) {
        for (&currency, &FixedPrice { real, offer }) in old {
            let amount = |minor: i64| Amount::from(Money::new(minor, currency));
            let input = self.0.entry(currency).or_default();
            let keeps_offer = offer < real && input.real != Some(None);
            input.real.get_or_insert(Some(amount(real)));
            input.offer.get_or_insert(keeps_offer.then(|| amount(offer)));
        }
        for input in self.0.values_mut() {
            input.real.get_or_insert(None);
        }
    }

    /// The fixed prices of a product, after `complete`.
    pub fn prices(&self) -> FixedPrices {
        let price = |(currency, input): (&Currency, &FixedPriceInput)| {
            Some((*currency, fixed_price(*currency, input.real.flatten()?, input.offer.flatten())))
        };
        self.0.iter().filter_map(price).collect()
    }

    /// Puts the prices of a variant over those that it has without them. Its list price has its own offer, or none.
    /// `removes`: an empty field removes a price; otherwise it leaves the product's.
    pub fn apply_to_variant(
        &self,
        prices: &mut FixedPrices,
        removes: bool,
    ) -> Result<(), NamedError> {
        for (&currency, FixedPriceInput { real, offer }) in &self.0 {
            let (real, is_empty) = (real.flatten(), *real == Some(None));
            let offer = offer.flatten();
            if !removes && real.is_none() && offer.is_none() {
                continue;
            }
            let other = prices.remove(&currency).filter(|_| !(removes && is_empty));
            let other = other.map(|price| Money::new(price.real, currency).into());
            match (real.or(other), offer) {
                (Some(real), offer) => {
                    prices.insert(currency, fixed_price(currency, real, offer));
                }
                (None, Some(_)) => return Err(without_list_price(currency)),
                (None, None) => {}
            }
        }
        Ok(())
    }
}

impl FixedPriceInput {
    fn check(self, currency: Currency) -> Result<(), NamedError> {
        for (field, price) in [(REAL, self.real), (OFFER, self.offer)] {
            let Some(amount) = price.flatten() else { continue };
            check_amount(field, amount, currency)
                .map_err(|(field, why)| (format!("{field}:{currency}"), why))?;
        }
        match (self.real, self.offer.flatten()) {
            (Some(None), Some(_)) => Err(without_list_price(currency)),
            (Some(Some(real)), Some(offer)) if offer > real => Err(too_high_offer(currency)),
            _ => Ok(()),
        }
    }
}

/// Refuses an offer that is not below its list price, which a variant may have from its product.
pub fn check_offers(prices: &FixedPrices) -> Result<(), NamedError> {
    match prices.iter().find(|(_, price)| price.offer > price.real) {
        Some((currency, _)) => Err(too_high_offer(*currency)),
        None => Ok(()),
    }
}

fn too_high_offer(currency: Currency) -> NamedError {
    (format!("{OFFER}:{currency}"), format!("is not between 0 and {REAL}:{currency}"))
}

fn without_list_price(currency: Currency) -> NamedError {
    (format!("{OFFER}:{currency}"), format!("needs a list price, {REAL}:{currency}"))
}

/// Of amounts that are checked.
fn fixed_price(currency: Currency, real: Amount, offer: Option<Amount>) -> FixedPrice {
    let minor = |amount: Amount| amount.of(currency).map_or(0, Money::minor);
    FixedPrice { real: minor(real), offer: minor(offer.unwrap_or(real)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::import::{Import, ImportFormat};

    const CODES: [&str; 3] = ["BDT", "JPY", "KWD"];

    fn of(code: &str, real: i64, offer: i64) -> (Currency, FixedPrice) {
        (code.parse().unwrap(), FixedPrice { real, offer })
    }

    fn json_file(more: &str) -> String {
        format!(
            r#"{{"products": [
  {{"_id": "lamp", "category": "light", "name": "Lamp", "sku": "L1", "img": ["/l.svg"], "realPrice": 30, "qtn": 3,
  {more}}}]}}"#
        )
    }

    fn inputs(more: &str) -> FixedPriceInputs {
        let file = json_file(more);
        let import = Import::parse(&file, ImportFormat::Json, Currency::USD).unwrap();
        import.products[0].value.fixed_prices.clone()
    }

    #[test]
    fn json_and_csv_parse_to_the_same_prices() {
        let json = inputs(
            r#""realPrice:BDT": 1200.5, "offerPrice:BDT": 990, "realPrice:JPY": null, "offerPrice:JPY": null"#,
        );
        for (separator, amount) in [(",", "1200.5"), (";", "1200,5"), ("\t", "1200.50")] {
            let header = "_id,category,name,sku,img,realPrice,qtn,realPrice:BDT,offerPrice:BDT,realPrice:JPY,offerPrice:JPY";
            let row = "lamp,light,Lamp,L1,/l.svg,30,3,{},990,,\n".replace(',', separator);
            let csv = header.replace(',', separator) + "\n" + &row.replace("{}", amount);
            let csv = Import::parse(&csv, ImportFormat::Csv, Currency::USD).unwrap();
            assert_eq!(csv.products[0].value.fixed_prices, json);
        }
        let mut completed = json;
        completed.complete(&FixedPrices::new());
        assert_eq!(completed.prices(), FixedPrices::from([of("BDT", 120_050, 99_000)]));
    }

    #[test]
    fn json_errors_name_line_and_column() {
        for (fields, wanted) in [
            (r#""realPrice:BDT": -1"#, "line 3, column 3: realPrice:BDT: must not be negative"),
            (r#""realPrice:JPY": 1.5"#, "realPrice:JPY: 1.5 has more decimals than JPY"),
            (r#""realPrice:KWD": 1.0005"#, "1.0005 is not an amount"),
            (
                r#""realPrice:BDT": 5, "offerPrice:BDT": 6"#,
                "line 3, column 23: offerPrice:BDT: is not between 0 and realPrice:BDT",
            ),
            (
                r#""realPrice:BDT": null, "offerPrice:BDT": 6"#,
                "line 3, column 26: offerPrice:BDT: needs a list price, realPrice:BDT",
            ),
            (
                r#""offerPrice:USD": 5"#,
                "line 3, column 3: offerPrice:USD: USD is the shop's base currency; expected offerPrice",
            ),
            (
                r#""variants": [{"realPrice:USD": 5}]"#,
                "line 3, column 17: realPrice:USD: USD is the shop's base currency; expected realPrice",
            ),
            (
                r#""realPrice:XAU": 5"#,
                "line 3, column 17: \"XAU\" is no currency code; expected one such as in realPrice:BDT",
            ),
            (r#""realPrice:bdt": 5"#, "\"bdt\" is no currency code; did you mean realPrice:BDT?"),
            (r#""realprice:BDT": 5"#, "unknown field `realprice:BDT`; did you mean realPrice:BDT?"),
            (
                r#""variants": [{"price_bdt": 5}]"#,
                "unknown field `price_bdt`; did you mean realPrice:BDT?",
            ),
            (r#""realPrice:BDT": 5, "realPrice:BDT": 5"#, "duplicate field"),
            (r#""realPrice:BDT": null, "realPrice:BDT": 5"#, "duplicate field"),
            (r#""realPrice:BDT": "5""#, "line 3, column 22: invalid type: string"),
            (r#""saleStart:BDT": null"#, "unknown field `saleStart:BDT`"),
        ] {
            let error = Import::parse(&json_file(fields), ImportFormat::Json, Currency::USD);
            let error = error.unwrap_err().to_string();
            assert!(
                error.starts_with("line 3, column ") && error.contains(wanted),
                "{fields}: {error}"
            );
        }
    }

    #[test]
    fn csv_errors_name_line_and_column() {
        let parse = |columns: &str, cells: &str| {
            let header = "_id,category,name,sku,img,realPrice,qtn";
            let file = format!("{header},{columns}\nb,c,B,s,/i,1,1,{cells}\n");
            Import::parse(&file, ImportFormat::Csv, Currency::USD).unwrap_err().to_string()
        };
        for (columns, cells, wanted) in [
            ("realPrice:BDT", "x", "line 2, column 8: realPrice:BDT: \"x\" is not a price like"),
            ("realPrice:BDT", "-5", "line 2, column 8: realPrice:BDT: \"-5\" is not a price like"),
            ("realPrice:JPY", "1.5", "line 2, column 8: realPrice:JPY: 1.5 has more decimals"),
            (
                "realPrice:BDT,offerPrice:BDT",
                "5,6",
                "line 2, column 9: offerPrice:BDT: is not between 0 and realPrice:BDT",
            ),
            (
                "realPrice:BDT,offerPrice:BDT",
                ",6",
                "line 2, column 9: offerPrice:BDT: needs a list price, realPrice:BDT",
            ),
            (
                "realPrice:USD",
                "6",
                "line 1, column 8: realPrice:USD: USD is the shop's base currency; expected realPrice",
            ),
            ("realPrice:TAKA", "6", "line 1, column 8: realPrice:TAKA: \"TAKA\" is no currency"),
            (
                "realPrice:bdt",
                "6",
                "line 1, column 8: realPrice:bdt: \"bdt\" is no currency code; did",
            ),
            (
                "Price BDT",
                "6",
                "line 1, column 8: there is no column \"Price BDT\"; did you mean realPrice:BDT?",
            ),
            (
                "sale_price_bdt",
                "6",
                "line 1, column 8: there is no column \"sale_price_bdt\"; did you mean offerPrice:BDT?",
            ),
            (
                "realPrice:BDT,realPrice:BDT",
                "6,6",
                "line 1, column 9: realPrice:BDT: there are two columns of this name",
            ),
        ] {
            let error = parse(columns, cells);
            assert!(error.starts_with(wanted), "{columns}: {error}");
        }
        let categories = "_id,name,img,realPrice:BDT\nlight,Light,/l.svg,5\n";
        let error = Import::parse(categories, ImportFormat::Csv, Currency::USD).unwrap_err();
        assert!(error.to_string().contains("the column sku is missing"), "{error}");
    }

    #[test]
    fn what_a_row_of_a_product_does_not_contain_stays() {
        let old = || FixedPrices::from([of("BDT", 120_000, 99_000), of("JPY", 1500, 1500)]);
        for (fields, wanted) in [
            (r#""brand": "x""#, old()),
            (
                r#""realPrice:BDT": 1300"#,
                FixedPrices::from([of("BDT", 130_000, 99_000), of("JPY", 1500, 1500)]),
            ),
            (
                r#""offerPrice:JPY": 1400"#,
                FixedPrices::from([of("BDT", 120_000, 99_000), of("JPY", 1500, 1400)]),
            ),
            (
                r#""offerPrice:BDT": null, "realPrice:KWD": 3.125"#,
                FixedPrices::from([
                    of("BDT", 120_000, 120_000),
                    of("JPY", 1500, 1500),
                    of("KWD", 3125, 3125),
                ]),
            ),
            (r#""realPrice:BDT": null"#, FixedPrices::from([of("JPY", 1500, 1500)])),
        ] {
            let mut inputs = inputs(fields);
            inputs.complete(&old());
            assert_eq!(inputs.validate(), [], "{fields}");
            assert_eq!(inputs.prices(), wanted, "{fields}");
        }
        for (fields, field) in
            [(r#""realPrice:BDT": 900"#, "BDT"), (r#""offerPrice:KWD": 1"#, "KWD")]
        {
            let mut inputs = inputs(fields);
            inputs.complete(&old());
            assert_eq!(inputs.validate()[0].0, format!("offerPrice:{field}"));
        }
    }

    #[test]
    fn an_empty_field_of_a_variant_means_the_price_that_it_has_without_it() {
        let other = || FixedPrices::from([of("BDT", 120_000, 99_000), of("JPY", 1500, 1500)]);
        let empty = r#""realPrice:BDT": null, "offerPrice:BDT": null"#;
        for (fields, removes, wanted) in [
            (empty, false, other()),
            (empty, true, FixedPrices::from([of("JPY", 1500, 1500)])),
            (
                r#""realPrice:BDT": 1300"#,
                false,
                FixedPrices::from([of("BDT", 130_000, 130_000), of("JPY", 1500, 1500)]),
            ),
            (
                r#""offerPrice:BDT": 950"#,
                false,
                FixedPrices::from([of("BDT", 120_000, 95_000), of("JPY", 1500, 1500)]),
            ),
            (
                r#""offerPrice:BDT": null"#,
                true,
                FixedPrices::from([of("BDT", 120_000, 120_000), of("JPY", 1500, 1500)]),
            ),
        ] {
            let mut prices = other();
            inputs(fields).apply_to_variant(&mut prices, removes).unwrap();
            assert_eq!(prices, wanted, "{fields}");
        }
        let offer = inputs(r#""offerPrice:KWD": 2"#);
        let error = offer.apply_to_variant(&mut other(), true).unwrap_err();
        assert_eq!(error, without_list_price("KWD".parse().unwrap()));
    }

    fn some_prices() -> impl Strategy<Value = FixedPrices> {
        let price = (0i64..50, 0i64..50)
            .prop_map(|(real, less)| FixedPrice { real, offer: (real - less).max(0) });
        let of_code = proptest::sample::select(&CODES[..]).prop_map(|code| code.parse().unwrap());
        proptest::collection::btree_map(of_code, price, 0..=3)
    }

    fn some_inputs() -> impl Strategy<Value = FixedPriceInputs> {
        let price = || proptest::option::of(proptest::option::of(0i64..50));
        let amount = |currency: Currency, price: Option<Option<i64>>| {
            price.map(|price| price.map(|minor| Money::new(minor, currency).into()))
        };
        let of_code =
            proptest::sample::select(&CODES[..]).prop_map(|code| code.parse::<Currency>().unwrap());
        proptest::collection::vec((of_code, price(), price()), 0..=3).prop_map(move |prices| {
            let input = |(currency, real, offer)| {
                let (real, offer) = (amount(currency, real), amount(currency, offer));
                (currency, FixedPriceInput { real, offer })
            };
            FixedPriceInputs(prices.into_iter().map(input).collect())
        })
    }

    proptest! {
        #[test]
        fn importing_a_product_twice_changes_nothing(row in some_inputs(), old in some_prices()) {
            let completed = |old: &FixedPrices| {
                let mut row = row.clone();
                row.complete(old);
                row
            };
            let new = completed(&old).prices();
            if completed(&old).validate().is_empty() {
                prop_assert!(check_offers(&new).is_ok());
                prop_assert!(completed(&new).validate().is_empty());
                prop_assert_eq!(completed(&new).prices(), new);
            }
        }

        #[test]
        fn importing_a_variant_twice_changes_nothing(
            row in some_inputs(), old in some_prices(), removes: bool,
        ) {
            let mut new = old.clone();
            if row.apply_to_variant(&mut new, removes).is_ok() {
                // A variant that removes prices starts from its own, another one from the product's.
                let mut again = if removes { new.clone() } else { old.clone() };
                if removes {
                    again.values_mut().for_each(|price| price.offer = price.real);
                }
                row.apply_to_variant(&mut again, removes).unwrap();
                let named = |prices: &FixedPrices| -> FixedPrices {
                    prices.iter().filter(|(code, _)| row.0.contains_key(code)).map(|(code, price)| (*code, *price)).collect()
                };
                prop_assert_eq!(named(&again), named(&new));
            }
        }
    }
}
