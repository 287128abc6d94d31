//! Quotes of random carts and worked examples.

use std::collections::{BTreeMap, HashMap};

use platform::db::Json;
use platform::time_zone::TimeZone;
use platform::{Amount, Currency, Exchange, Money, Timestamp};
use proptest::prelude::*;

use super::http::{Cart, CartLine};
use super::*;
use crate::catalog::{FixedPrice, LineVariant, StoredPrice, VariantId};
use crate::delivery::{DeliveryMethod, DeliveryZone, MethodPrice};
use crate::payments::PaymentProvider;
use crate::promotions::{
    CodeState, Conditions, Effect, Goods, Promotion, PromotionCode, PromotionTerms,
    ShopperPromotions,
};
use crate::taxes::TaxTable;

fn usd(cents: i64) -> Money {
    Money::new(cents, Currency::USD)
}

fn charges(free_delivery_over: Option<i64>) -> Charges {
    let free_delivery_over = free_delivery_over.map(usd);
    Charges { shipping: usd(4000), vat: usd(12000), free_delivery_over }
}

fn nobody() -> ShopperPromotions {
    ShopperPromotions::for_tests(Vec::new())
}

/// Without delivery zones.
fn quote_of(
    wanted: &[(VariantId, i64)],
    goods: &HashMap<VariantId, LineVariant>,
    charges: &Charges,
    shopper: &ShopperPromotions,
    at: (Exchange, Timestamp),
) -> Quote {
    let payment = PaymentTerms::without_tender(PaymentProvider::CashOnDelivery, at.0.currency);
    quote_to(&[], payment, wanted, goods, (charges, shopper), at)
}

fn quote_to(
    zones: &[DeliveryZone],
    payment: PaymentTerms,
    wanted: &[(VariantId, i64)],
    goods: &HashMap<VariantId, LineVariant>,
    (charges, shopper): (&Charges, &ShopperPromotions),
    at: (Exchange, Timestamp),
) -> Quote {
    let time_zone = TimeZone::default();
    let shipment = Shipment::new((zones, &time_zone), None, None);
    let (table, day) = (TaxTable::default(), time_zone.day(at.1));
    let taxes = TaxTerms::new(&table, "", None, day);
    quote(wanted, goods, PricingRules { charges, shipment, shopper, taxes, payment }, at)
}

/// Everywhere, by one method.
pub(super) fn zone(price: i64, free_over: Option<i64>, fee: i64) -> DeliveryZone {
    let amount = |cents| Amount::from(usd(cents));
    DeliveryZone {
        id: "world".parse().unwrap(),
        name: "World".into(),
        places: Vec::new(),
        methods: vec![DeliveryMethod {
            id: "post".parse().unwrap(),
            name: "Post".into(),
            translations: BTreeMap::new(),
            price: MethodPrice::Flat(amount(price)),
            free_over: free_over.map(amount),
            cash_on_delivery_fee: Some(amount(fee)),
            days: None,
            skip: Vec::new(),
            pickup: None,
        }],
    }
}

const IN_DOLLARS: fn() -> Exchange = || Exchange::base(Currency::USD);

pub(super) fn variant(number: usize, cents: i64, stock: i64) -> LineVariant {
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

pub(super) fn exchanges() -> impl Strategy<Value = Exchange> {
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
    let offered = offered.map(|text| text.parse::<platform::exchange::OfferedCurrency>().unwrap());
    proptest::sample::select([None].into_iter().chain(offered.map(Some)).collect::<Vec<_>>())
        .prop_map(|offered| {
            let code = offered.map_or(Currency::USD, |offered| offered.currency);
            let offered = offered.into_iter().collect();
            platform::Currencies::new(Currency::USD, offered).unwrap().exchange(code).unwrap()
        })
}

pub(super) fn promotion(effect: Effect) -> Promotion {
    Promotion {
        id: "promotion".parse().unwrap(),
        title: "Spring".into(),
        translations: Json(BTreeMap::new()),
        terms: Json(PromotionTerms {
            effect,
            goods: Goods::default(),
            conditions: Conditions::default(),
        }),
        priority: 0,
        combines: true,
        by_code: false,
        starts_at: None,
        ends_at: None,
        max_uses: None,
        max_uses_per_customer: None,
    }
}

fn effects() -> impl Strategy<Value = Effect> {
    let percent = || {
        (1i64..=10_000).prop_map(|hundredths| {
            format!("{}.{:02}", hundredths / 100, hundredths % 100).parse().unwrap()
        })
    };
    let amount = || (1i64..200_000).prop_map(|cents| Money::new(cents, Currency::USD).into());
    let buy_get = (1i64..4, 1i64..4, percent());
    prop_oneof![
        percent().prop_map(Effect::Percent),
        amount().prop_map(Effect::Amount),
        amount().prop_map(Effect::FixedPrice),
        buy_get.prop_map(|(buy, get, percent)| Effect::BuyGet { buy, get, percent }),
        (0usize..6).prop_map(|line| Effect::Gift(format!("p{line}").parse().unwrap())),
        Just(Effect::FreeDelivery),
    ]
}

pub(super) fn promotions() -> impl Strategy<Value = Vec<Promotion>> {
    let goods = proptest::option::of(0usize..6);
    let least = (proptest::option::of(1i64..500_000), proptest::option::of(1i64..10));
    let one = (effects(), goods, least, -2i64..3, proptest::bool::weighted(0.7));
    proptest::collection::vec(one, 0..6).prop_map(|rows| {
        let mut promotions = Vec::new();
        for (effect, only, (amount, units), priority, combines) in rows {
            let mut one = Promotion { priority, combines, ..promotion(effect) };
            one.id = format!("promotion-{}", promotions.len()).parse().unwrap();
            let product = |line: usize| format!("p{line}").parse().unwrap();
            one.terms.0.goods.products = only.map(product).into_iter().collect();
            let usd = |cents| Amount::from(Money::new(cents, Currency::USD));
            one.terms.0.conditions.min_sub_total = amount.map(usd);
            one.terms.0.conditions.min_quantity = units;
            promotions.push(one);
        }
        promotions
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// In every currency, with every effect and condition: everything adds up, nothing is below zero, and nobody pays
    /// more than without promotions.
    #[test]
    fn promotions_reduce_what_is_paid_and_everything_adds_up(
        lines in proptest::collection::vec((0i64..100_000, 0i64..12, 1i64..12), 0..7),
        free in proptest::option::of(0i64..1_000_000),
        all in promotions(),
        to in exchanges(),
    ) {
        let mut goods = HashMap::new();
        let mut wanted = Vec::new();
        for (number, (cents, stock, qtn)) in lines.into_iter().enumerate() {
            let variant = variant(number, cents, stock);
            wanted.push((variant.id.clone(), qtn));
            goods.insert(variant.id.clone(), variant);
        }
        let charges = charges(free);
        let at = (to, Timestamp(0));
        let shopper = ShopperPromotions::for_tests(all.clone());
        let quoted = quote_of(&wanted, &goods, &charges, &shopper, at);
        let zero = Money::zero(to.currency);
        let adjusted = quoted.adjustments.iter().fold(zero, |sum, one| sum + one.amount);
        prop_assert!(quoted.adjustments.iter().all(|one| one.amount.is_negative()));
        prop_assert_eq!(quoted.discount, -adjusted);
        let total = quoted.sub_total + adjusted + quoted.shipping + quoted.vat;
        prop_assert_eq!(quoted.total, total);
        for line in &quoted.lines {
            let of_line = quoted.adjustments.iter().filter(|one| one.line.as_ref() == Some(&line.id));
            prop_assert!(!of_line.fold(line.total, |left, one| left + one.amount).is_negative());
        }
        let delivery = quoted.adjustments.iter().filter(|one| one.line.is_none());
        prop_assert!(!delivery.fold(quoted.shipping, |left, one| left + one.amount).is_negative());
        let plain = quote_of(&wanted, &goods, &charges, &nobody(), at);
        prop_assert!(quoted.total <= plain.total);
        let applied: Vec<&Promotion> =
            all.iter().filter(|one| quoted.redemptions.iter().any(|used| used.promotion == one.id)).collect();
        prop_assert!(applied.len() <= 1 || applied.iter().all(|one| one.combines));
        let named = quoted.adjustments.iter().all(|one| applied.iter().any(|used| Some(&used.id) == one.promotion.as_ref()));
        prop_assert!(named);
    }
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
        let quote = quote_of(&wanted, &goods, &charges, &nobody(), (to, Timestamp(0)));
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

    /// Whatever the promotions, also where the delivery is free, and around the border at which no cash is left to pay.
    #[test]
    fn the_fee_is_part_of_the_totals_where_cash_is_left_to_pay(
        (wanted, goods) in carts(0i64..=1_000_000),
        (price, free_over, cents) in (0i64..10_000, proptest::option::of(0i64..1_000_000), 1i64..5_000),
        all in promotions(),
        to in exchanges(),
    ) {
        let (zones, charges) = ([zone(price, free_over, cents)], charges(None));
        let shopper = ShopperPromotions::for_tests(all);
        let zero = Money::zero(to.currency);
        let quoted = |provider, tender| {
            let payment = PaymentTerms { provider, tender };
            let at = (to, Timestamp(0));
            quote_to(&zones, payment, &wanted, &goods, (&charges, &shopper), at)
        };
        let without = quoted(PaymentProvider::GiftCard, zero);
        prop_assert_eq!(without.payment_fee, zero);
        let fee = without.chosen_delivery().map_or(zero, |method| method.cash_on_delivery_fee);
        let bought = without.lines.iter().any(|line| line.qtn > 0);
        prop_assert_eq!(fee, if bought { to.price(usd(cents)) } else { zero });
        let step = Money::new(1, to.currency);
        let bare = without.total;
        for (tender, charged) in [(zero, bare > zero), (bare - step, true), (bare, false), (bare + step, false)] {
            let quote = quoted(PaymentProvider::CashOnDelivery, tender);
            prop_assert_eq!(quote.payment_fee, if charged { fee } else { zero });
            prop_assert_eq!(&quote.adjustments, &without.adjustments);
            prop_assert_eq!((quote.shipping, &quote.delivery), (without.shipping, &without.delivery));
            let goods = quote.sub_total - quote.discount + quote.shipping;
            prop_assert_eq!(quote.cart_total, goods + quote.payment_fee);
            prop_assert_eq!(quote.total, goods + quote.payment_fee + quote.vat);
        }
    }

    #[test]
    fn quantities_are_capped_by_request_and_stock(
        (wanted, goods) in carts(0i64..1_000_000),
    ) {
        let quote = quote_of(&wanted, &goods, &charges(None), &nobody(), (IN_DOLLARS(), Timestamp(0)));
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
        let quote = quote_of(&wanted, &goods, &charges(None), &nobody(), (to, Timestamp(0)));
        prop_assert!(!quote.sub_total.is_negative());
        prop_assert!(quote.total >= quote.cart_total && quote.cart_total >= quote.sub_total);
    }

    #[test]
    fn repeated_variants_are_added_up(first in 1i64..=100, second in 1i64..=100) {
        let id: VariantId = "p1".parse().unwrap();
        let lines = [first, second].map(|qtn| CartLine { id: id.clone(), qtn });
        let parsed = Cart::of(lines.into()).parse();
        match parsed {
            Ok((wanted, _)) => prop_assert_eq!(wanted, vec![(id, first + second)]),
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
    let quoted =
        |now| quote_of(&wanted, &goods, &charges(None), &nobody(), (IN_DOLLARS(), Timestamp(now)));
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
    let line = |qtn| {
        quote_of(&[(lamp.id.clone(), qtn)], &goods, &charges(None), &nobody(), view).lines.remove(0)
    };
    assert_eq!((line(2).qtn, line(2).back_order, line(2).change), (2, None, None));
    assert_eq!((line(9).qtn, line(9).back_order, line(9).change), (9, Some(Timestamp(99)), None));
}

/// What the first promotions take off a cart of two lamps at $30 and a shade at $45.50.
fn discounts_of(promotions: Vec<Promotion>) -> Vec<(Option<String>, i64)> {
    let goods =
        HashMap::from([variant(1, 3000, 9), variant(2, 4550, 9)].map(|one| (one.id.clone(), one)));
    let wanted = [("p1".parse().unwrap(), 2), ("p2".parse().unwrap(), 1)];
    let at = (IN_DOLLARS(), Timestamp(0));
    let quote =
        quote_of(&wanted, &goods, &charges(None), &ShopperPromotions::for_tests(promotions), at);
    let row = |one: Adjustment| (one.line.map(|line| line.to_string()), one.amount.minor());
    quote.adjustments.into_iter().map(row).collect()
}

#[test]
fn each_effect_reduces_its_goods() {
    let of = |effect| discounts_of(vec![promotion(effect)]);
    let on = |line: &str, cents| (Some(line.to_owned()), cents);
    let amount = |text: &str| text.parse::<Amount>().unwrap();
    // 10 % of $105.50 are $10.55: $6 of the lamps and $4.55 of the shade.
    assert_eq!(of(Effect::Percent("10".parse().unwrap())), [on("p1", -600), on("p2", -455)]);
    // $7 by what the lines cost: 3.981… and 3.019…
    assert_eq!(of(Effect::Amount(amount("7"))), [on("p1", -398), on("p2", -302)]);
    assert_eq!(of(Effect::FixedPrice(amount("40"))), [on("p2", -550)]);
    let buy_get =
        |percent: &str| Effect::BuyGet { buy: 2, get: 1, percent: percent.parse().unwrap() };
    assert_eq!(of(buy_get("100")), [on("p1", -3000)]);
    assert_eq!(of(buy_get("50")), [on("p1", -1500)]);
    assert_eq!(of(Effect::Gift("p2".parse().unwrap())), [on("p2", -4550)]);
    assert_eq!(of(Effect::Gift("p3".parse().unwrap())), []);
    assert_eq!(of(Effect::FreeDelivery), [(None, -4000)]);
}

#[test]
fn promotions_that_combine_are_applied_by_priority_and_others_alone_where_they_save_more() {
    let named = |id: &str, percent: &str, priority, combines| Promotion {
        id: id.parse().unwrap(),
        priority,
        combines,
        ..promotion(Effect::Percent(percent.parse().unwrap()))
    };
    let sum = |all: Vec<Promotion>| -> i64 { discounts_of(all).iter().map(|(_, off)| off).sum() };
    // 10 % of $105.50, and 10 % of the remaining $94.95.
    let two = || vec![named("a", "10", 0, true), named("b", "10", 1, true)];
    assert_eq!(sum(two()), -1055 - 950);
    let with = |percent| two().into_iter().chain([named("c", percent, 9, false)]).collect();
    assert_eq!(sum(with("15")), -1055 - 950);
    assert_eq!(sum(with("20")), -2110);
    let five = promotion(Effect::Amount("5".parse().unwrap()));
    // The amount comes after the percentage: 10 % of $105.50, and not of $100.50.
    assert_eq!(sum(vec![five, named("b", "10", 0, true)]), -1055 - 500);
}

#[test]
fn a_promotion_that_would_cost_the_free_delivery_is_not_applied() {
    let goods = HashMap::from([variant(1, 3000, 9)].map(|one| (one.id.clone(), one)));
    let wanted = [("p1".parse().unwrap(), 1)];
    let total = |cents| {
        let promotions = vec![promotion(Effect::Amount(usd(cents).into()))];
        let (shopper, at) =
            (ShopperPromotions::for_tests(promotions), (IN_DOLLARS(), Timestamp(0)));
        quote_of(&wanted, &goods, &charges(Some(2950)), &shopper, at).cart_total.minor()
    };
    assert_eq!([total(49), total(50), total(2900)], [2951, 3000, 3000]);
}

#[test]
fn a_code_is_applied_or_says_why_not() {
    let code: PromotionCode = "SPRING".parse().unwrap();
    let goods = HashMap::from([variant(1, 3000, 9)].map(|one| (one.id.clone(), one)));
    let outcome = |change: fn(&mut Promotion, &mut ShopperPromotions)| {
        let mut one = promotion(Effect::Percent("10".parse().unwrap()));
        one.by_code = true;
        let mut shopper = nobody();
        shopper.codes = vec![(code.clone(), CodeState::Usable(one.id.clone(), false))];
        change(&mut one, &mut shopper);
        shopper.promotions = vec![one].into();
        let wanted = [("p1".parse().unwrap(), 2)];
        let at = (IN_DOLLARS(), Timestamp(1000));
        let quote = quote_of(&wanted, &goods, &charges(None), &shopper, at);
        let [outcome] = &quote.codes[..] else { panic!("{:?}", quote.codes) };
        assert_eq!(outcome.applied, !quote.adjustments.is_empty());
        assert_eq!(outcome.applied, outcome.reason.is_none());
        let reason = outcome.reason.as_ref();
        let params =
            |reason: &CodeRefusal| reason.params.values().cloned().collect::<Vec<_>>().join(" ");
        reason.map(|reason| (reason.code, params(reason)))
    };
    let plain = |code| Some((code, String::new()));
    assert_eq!(outcome(|_, _| {}), None);
    assert_eq!(outcome(|one, _| one.ends_at = Some(Timestamp(1000))), plain("code_ended"));
    assert_eq!(outcome(|one, _| one.starts_at = Some(Timestamp(1001))), plain("code_not_started"));
    assert_eq!(
        outcome(|one, _| one.terms.0.conditions.hours = Some("10:00-11:00".parse().unwrap())),
        plain("code_not_now")
    );
    assert_eq!(
        outcome(|one, _| one.terms.0.conditions.min_sub_total = Some(Amount::units(72))),
        Some(("code_min_sub_total", "72.00 12.00".to_owned()))
    );
    assert_eq!(
        outcome(|one, _| one.terms.0.conditions.min_quantity = Some(5)),
        Some(("code_min_quantity", "5 3".to_owned()))
    );
    assert_eq!(
        outcome(|one, _| one.terms.0.conditions.currencies = vec![Currency::BDT]),
        Some(("code_other_currency", "BDT".to_owned()))
    );
    assert_eq!(
        outcome(|one, _| one.terms.0.goods.brands = vec!["Other".into()]),
        plain("code_no_goods")
    );
    assert_eq!(
        outcome(|one, shopper| {
            one.terms.0.conditions.first_order = true;
            shopper.has_ordered = true;
        }),
        plain("code_first_order")
    );
    assert_eq!(
        outcome(|one, shopper| {
            one.max_uses_per_customer = Some(2);
            shopper.uses.insert(one.id.clone(), 2);
        }),
        plain("code_already_used")
    );
    assert_eq!(
        outcome(|one, shopper| {
            shopper.used_up.insert(one.id.clone());
        }),
        plain("code_used_up")
    );
    assert_eq!(
        outcome(|_, shopper| shopper.codes[0].1 = CodeState::Unknown),
        plain("unknown_code")
    );
}

#[test]
fn an_empty_cart_costs_nothing() {
    let quote =
        quote_of(&[], &HashMap::new(), &charges(None), &nobody(), (IN_DOLLARS(), Timestamp(0)));
    assert_eq!((quote.lines.len(), quote.total, quote.shipping), (0, usd(0), usd(0)));
}

#[test]
fn quantities_and_lines_are_limited() {
    let line = |qtn| CartLine { id: "p1".parse().unwrap(), qtn };
    for qtn in [0, -1, 101, i64::MIN, i64::MAX] {
        assert!(Cart::of(vec![line(qtn)]).parse().is_err(), "{qtn}");
        assert!(Cart::of(vec![line(1), line(qtn)]).parse().is_err(), "{qtn}");
    }
    let many = (0..=MAX_LINES)
        .map(|number| CartLine { id: format!("p{number}").parse().unwrap(), qtn: 1 });
    assert!(Cart::of(many.clone().collect()).parse().is_err());
    assert!(Cart::of(many.skip(1).collect()).parse().is_ok());
}
