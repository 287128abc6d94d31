//! HTTP API of quotes.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{FromRef, State};
use platform::auth::Customer;
use platform::error::{ErrorBody, Field};
use platform::http::{ClientIp, JsonBody, whole_number};
use platform::rate_limit::{self, Limit};
use platform::{Context, Db, Error, Exchange, Language, Result};
use postal_address::{AddressInput, Destination};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Charges, PaymentTerms, PricingRules, Quote, Shipment, TaxTerms, quote};
use crate::addresses::Countries;
use crate::catalog::{self, CatalogView, LineVariant, VariantId};
use crate::customers::Verified;
use crate::delivery::{DeliveryZones, MethodId};
use crate::error_responses::BadRequest;
use crate::payments::PaymentProvider;
use crate::promotions::{ActivePromotions, Buyer, CodeList, CodeState};
use crate::taxes::Taxes;
use crate::validation;

/// Unknown codes from one network.
const GUESSES: Limit = Limit::per_hour(100);

pub const MAX_LINES: usize = 100;
/// Units of one variant.
pub const MAX_QUANTITY: i64 = 100;

/// What prices a cart.
#[derive(Clone)]
pub struct ShopRules {
    pub charges: Charges,
    pub promotions: ActivePromotions,
    pub zones: DeliveryZones,
    pub taxes: Taxes,
    pub countries: Countries,
    /// Whether customers can order without an account.
    pub guest_checkout: bool,
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    ShopRules: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(post_quote))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Cart {
    /// At most 100. Repeated variants are added up.
    #[schema(max_items = 100)]
    pub(crate) lines: Vec<CartLine>,
    /// Codes of promotions, at most 10.
    #[serde(default)]
    #[schema(max_items = 10, required = false)]
    pub(crate) codes: Vec<String>,
    /// Where it goes; the shop's own country by default.
    #[serde(default)]
    #[schema(required = false)]
    pub(crate) destination: Option<TypedDestination>,
    /// The id of a delivery method; the first one by default.
    #[serde(default)]
    #[schema(required = false, value_type = Option<String>)]
    pub(crate) delivery: Option<MethodId>,
    /// How it is to be paid: cash on delivery may cost a fee. `gift_card` or `store_credit` where these pay everything.
    #[serde(default)]
    #[schema(required = false)]
    pub(crate) payment: PaymentProvider,
}

/// As much of an address as is known. Parts that are not valid, or not yet, are ignored.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TypedDestination {
    /// Two letters, of a country that the shop delivers to.
    #[schema(required = true)]
    country: String,
    region: String,
    district: String,
    postcode: String,
}

impl TypedDestination {
    fn parse(self) -> Result<Destination> {
        let Self { country, region, district, postcode } = self;
        let input = AddressInput { country, region, district, postcode, ..AddressInput::default() };
        let known = Destination::parse(&input).or_else(|errors| {
            let mut input = input;
            for part in errors.iter().map(|error| error.field) {
                match part {
                    "region" => input.region.clear(),
                    "district" => input.district.clear(),
                    "postcode" => input.postcode.clear(),
                    _ => {}
                }
            }
            Destination::parse(&input)
        });
        let wrong = || Field::new("destination.country", "unknown_country", "is no country");
        known.map_err(|_| wrong().into())
    }
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

/// The lines of a cart: variants and quantities in its order, each variant once.
pub type WantedLines = Vec<(VariantId, i64)>;

impl Cart {
    pub fn of(lines: Vec<CartLine>) -> Self {
        let payment = PaymentProvider::default();
        Self { lines, codes: Vec::new(), destination: None, delivery: None, payment }
    }

    pub fn parse(self) -> Result<(WantedLines, CodeList)> {
        let codes = CodeList::parse(self.codes)?;
        if self.lines.len() > MAX_LINES {
            return Err(validation::too_many_lines("lines", MAX_LINES).into());
        }
        let mut wanted = WantedLines::new();
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
        Ok((wanted, codes))
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
///
/// With an access token, promotions that depend on the customer are judged for the caller; without one, as for somebody
/// new, and in a shop with `guest_checkout` they are not applied.
#[utoipa::path(
    post, path = "/quote", tag = "Cart", params(Language, Exchange), request_body = Cart,
    security((), ("accessToken" = [])),
    responses(
        (status = 200, body = Quote),
        (status = 422, description = "More than 100 of one variant in several lines", body = ErrorBody),
        BadRequest,
    )
)]
async fn post_quote(
    State(context): State<Context>,
    State(shop): State<ShopRules>,
    caller: Option<Customer>,
    peer: Option<ClientIp>,
    language: Language,
    to: Exchange,
    JsonBody(mut cart): JsonBody<Cart>,
) -> Result<Json<Quote>> {
    let ShopRules { charges, promotions, zones, taxes, countries, guest_checkout } = shop;
    let destination = match cart.destination.take() {
        Some(typed) => Some(typed.parse()?),
        None => countries.own().map(Destination::of_country),
    };
    let method = cart.delivery.take();
    let payment = PaymentTerms::without_tender(cart.payment, to.currency);
    let (wanted, mut codes) = cart.parse()?;
    let guesses = peer.map(|peer| format!("unknown codes from {}", peer.network()));
    let guesses = guesses.filter(|_| !codes.codes.is_empty());
    let (db, clock) = (&context.db, &context.clock);
    if let Some(key) = &guesses
        && rate_limit::is_used_up(db, clock.now(), key, GUESSES).await?
    {
        codes = codes.ignored();
    }
    let view = CatalogView::new(&context, language, to);
    let email = caller.as_ref().map(|caller| caller.email.to_lowercase());
    let buyer = match &caller {
        Some(caller) => Buyer {
            customer: &caller.uid,
            verified_email: email.as_deref().filter(|_| Verified::of(caller).email),
            verified_phone: caller.verified_phone.as_deref(),
            is_guest: false,
        },
        None if guest_checkout => Buyer::GUEST,
        None => Buyer::default(),
    };
    let shopper = promotions.shopper(&context.db, buyer, &codes, (view.language, view.now)).await?;
    let goods = load_variants(&context.db, view, &wanted).await?;
    let time_zone = &zones.time_zone;
    let zones = zones.get(&context.db).await?;
    let shipment = Shipment::new((&zones, time_zone), destination.as_ref(), method.as_ref());
    let (day, table) = (taxes.time_zone.day(view.now), taxes.get(&context.db).await?);
    let taxes = TaxTerms::new(&table, buyer.customer, countries.own(), day);
    let rules = PricingRules { charges: &charges, shipment, shopper: &shopper, taxes, payment };
    if let Some(key) = guesses {
        let unknown =
            shopper.codes.iter().filter(|(_, state)| *state == CodeState::Unknown).count();
        let counted = vec![(key, GUESSES); unknown];
        if !counted.is_empty() {
            rate_limit::allows(db, clock, &counted).await?;
        }
    }
    Ok(Json(quote(&wanted, &goods, rules, (to, view.now))))
}
