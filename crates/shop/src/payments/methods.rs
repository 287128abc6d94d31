//! What a shopper can pay with: the ways whose providers are configured, with the currencies and amounts that they take.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRef, State};
use payment_providers::{Gateway, GatewayKind};
use platform::error::Field;
use platform::{Context, Currencies, Currency, Error, Money};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::PaymentProvider;

/// The configured providers. Cheap to clone.
#[derive(Clone, Default)]
pub struct Gateways(Arc<[Gateway]>);

/// A way to pay.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PaymentMethod {
    pub provider: PaymentProvider,
    pub title: &'static str,
    /// Whether it can be chosen.
    pub enabled: bool,
    /// What it takes of the shop's currencies; none where it cannot be chosen.
    pub amounts: Vec<AmountRange>,
}

/// What can be paid in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct AmountRange {
    pub currency: Currency,
    /// Null where there is no limit.
    #[schema(required)]
    pub min: Option<Money>,
    /// Null where there is no limit.
    #[schema(required)]
    pub max: Option<Money>,
}

impl Gateways {
    pub fn new(gateways: Vec<Gateway>) -> Self {
        Self(gateways.into())
    }

    pub fn get(&self, kind: GatewayKind) -> Option<&Gateway> {
        self.0.iter().find(|one| one.kind() == kind)
    }

    pub fn of(&self, provider: PaymentProvider) -> Option<&Gateway> {
        self.get(provider.gateway()?)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Gateway> {
        self.0.iter()
    }

    /// The origins of the providers' pages, for the content security policy.
    pub fn page_origins(&self) -> Vec<String> {
        let mut origins: Vec<String> = self.0.iter().flat_map(Gateway::page_origins).collect();
        origins.sort();
        origins.dedup();
        origins
    }

    /// What can be paid with a way in a currency; `None` where it cannot be chosen.
    fn range(&self, provider: PaymentProvider, currency: Currency) -> Option<AmountRange> {
        match provider.gateway() {
            None => Some(AmountRange { currency, min: None, max: None }),
            Some(kind) => {
                let (min, max) = self.get(kind)?.range(currency)?;
                Some(AmountRange { currency, min: Some(min), max: Some(max) })
            }
        }
    }

    /// Refuses what a shopper cannot pay in this way, before anything is asked of the provider.
    pub fn check(&self, provider: PaymentProvider, amount: Money) -> Result<(), Error> {
        let Some(gateway) = provider.gateway() else { return Ok(()) };
        if self.get(gateway).is_none() {
            return Err(unavailable(provider));
        }
        let title = provider.title();
        let field = |message: String| {
            Field::new("payment", "payment_amount", message).with("provider", title)
        };
        match self.range(provider, amount.currency()) {
            None => {
                let message = format!("{title} does not take {}", amount.currency());
                Err(Error::unprocessable(field(message).with("currency", amount.currency())))
            }
            Some(AmountRange { min: Some(min), max: Some(max), .. })
                if amount < min || amount > max =>
            {
                let message = format!("{title} takes from {min} to {max}");
                Err(Error::unprocessable(field(message).with("least", min).with("most", max)))
            }
            Some(_) => Ok(()),
        }
    }

    /// The ways to pay, those that can be chosen first.
    pub fn methods(&self, currencies: &Currencies) -> Vec<PaymentMethod> {
        let method = |provider: PaymentProvider| {
            let amounts: Vec<AmountRange> =
                currencies.codes().filter_map(|code| self.range(provider, code)).collect();
            let enabled = !amounts.is_empty();
            PaymentMethod { provider, title: provider.title(), enabled, amounts }
        };
        let mut methods: Vec<PaymentMethod> = PaymentProvider::ALL.map(method).into();
        methods.retain(|method| method.enabled || method.provider.is_always_listed());
        methods.sort_by_key(|method| !method.enabled);
        methods
    }

    /// With what an order that awaits this amount can be paid.
    pub fn methods_for(&self, amount: Money) -> Vec<PaymentMethod> {
        let method = |provider: PaymentProvider| {
            provider.gateway()?;
            self.check(provider, amount).ok()?;
            let amounts = self.range(provider, amount.currency()).into_iter().collect();
            Some(PaymentMethod { provider, title: provider.title(), enabled: true, amounts })
        };
        PaymentProvider::ALL.into_iter().filter_map(method).collect()
    }
}

/// The error for a way to pay that is not configured.
pub fn unavailable(provider: PaymentProvider) -> Error {
    let message = format!("{} is not offered yet", provider.title());
    Error::unprocessable(Field::new("payment", "payment_unavailable", message))
}

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Gateways: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list))
}

/// List the ways to pay
#[utoipa::path(
    get, path = "/payments", tag = "Orders",
    responses((status = 200, body = Vec<PaymentMethod>))
)]
async fn list(
    State(gateways): State<Gateways>,
    State(context): State<Context>,
) -> Json<Vec<PaymentMethod>> {
    Json(gateways.methods(&context.currencies))
}
