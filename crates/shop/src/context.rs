//! The state of the shop's routers: the platform's context, what only the shop needs, and each module's
//! state, made from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::FromRef;
use email::sms_limits::SmsLimits;
use media::Media;
use platform::{Context, Language};
use response_cache::Cache;

use crate::addresses::Countries;
use crate::catalog::StockCache;
use crate::contact_messages::ContactMessages;
use crate::delivery::DeliveryZones;
use crate::gift_cards::{GiftCardEmailSender, GiftCardSender};
use crate::newsletter::Newsletter;
use crate::order_subscribers::order_store;
use crate::orders::{Guests, OrderEmailSender, OrderSettings, Orders, PayLinks};
use crate::payments::{Gateways, Intake, PaymentStore, Recorder};
use crate::pricing::{Charges, ShopRules};
use crate::promotions::ActivePromotions;
use crate::reviews::{ReviewEmailSender, ReviewStore, Reviews};
use crate::settings::{Retention, ShopProfile};
use crate::settlement::Settlement;
use crate::shop_profiles::ShopProfiles;
use crate::stock_alerts::StockAlerts;
use crate::taxes::Taxes;

/// Cheap to clone.
#[derive(Clone)]
pub struct ShopContext {
    pub context: Context,
    pub cache: Cache,
    pub media: Media,
    pub profile: Arc<ShopProfile>,
    pub profiles: Arc<ShopProfiles>,
    pub retention: Arc<Retention>,
    pub charges: Charges,
    pub promotions: ActivePromotions,
    pub countries: Countries,
    pub zones: DeliveryZones,
    pub taxes: Taxes,
    pub orders: OrderSettings,
    pub gateways: Gateways,
    pub intake: Intake,
    /// Whether money is reserved when an order is placed, and taken when it is shipped.
    pub reserve_payments: bool,
    /// None in a shop that sends no text messages.
    pub sms_limits: Option<SmsLimits>,
    pub stock_cache: StockCache,
    /// Who answers a message, and when, in each language (`content::ContactForm`).
    pub contact_replies: Arc<BTreeMap<Language, String>>,
}

macro_rules! from_fields {
    ($($field:ident: $type:ty),*) => {
        $(impl FromRef<ShopContext> for $type {
            fn from_ref(shop: &ShopContext) -> Self {
                shop.$field.clone()
            }
        })*
    };
}

from_fields!(context: Context, cache: Cache, media: Media, countries: Countries, gateways: Gateways, intake: Intake);

impl FromRef<ShopContext> for ShopRules {
    fn from_ref(shop: &ShopContext) -> Self {
        Self {
            charges: shop.charges.clone(),
            promotions: shop.promotions.clone(),
            zones: shop.zones.clone(),
            taxes: shop.taxes.clone(),
            countries: shop.countries.clone(),
            guest_checkout: shop.orders.guests.is_enabled(),
        }
    }
}

impl FromRef<ShopContext> for ContactMessages {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, .. } = shop.context.clone();
        Self {
            db,
            clock,
            random,
            secret,
            profiles: shop.profiles.clone(),
            retention: shop.retention.clone(),
            replies: shop.contact_replies.clone(),
        }
    }
}

impl FromRef<ShopContext> for Newsletter {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, origin, .. } = shop.context.clone();
        let (profiles, retention) = (shop.profiles.clone(), shop.retention.clone());
        Self { db, clock, random, secret, profiles, origin, retention }
    }
}

impl FromRef<ShopContext> for Orders {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, languages, currencies, secret, .. } =
            shop.context.clone();
        let (profiles, origin) = (shop.profiles.clone(), Some(origin));
        let order_emails = shop.orders.order_emails;
        let sms_limits = shop.sms_limits.clone();
        let sender =
            OrderEmailSender { profiles, origin, order_emails, sms_limits: sms_limits.clone() };
        Self {
            store: order_store(
                db,
                clock,
                random,
                sender,
                shop.orders.invoices.clone(),
                PayLinks::new(secret.clone()),
            ),
            stock_cache: shop.stock_cache.clone(),
            charges: shop.charges.clone(),
            promotions: shop.promotions.clone(),
            settings: shop.orders.clone(),
            guests: Guests { secret: secret.clone(), sms_limits },
            profile: shop.profile.clone(),
            languages,
            currencies,
            countries: shop.countries.clone(),
            zones: shop.zones.clone(),
            taxes: shop.taxes.clone(),
            gateways: shop.gateways.clone(),
            secret,
        }
    }
}

impl FromRef<ShopContext> for Settlement {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, .. } = shop.context.clone();
        let orders = Orders::from_ref(shop);
        Self {
            recorder: Recorder {
                store: PaymentStore { db, clock, random },
                gateways: shop.gateways.clone(),
            },
            hold: orders.settings.payment_hold(),
            orders: orders.store,
            profiles: shop.profiles.clone(),
            origin,
            reserve: shop.reserve_payments,
        }
    }
}

impl FromRef<ShopContext> for GiftCardSender {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, secret, currencies, .. } = shop.context.clone();
        let emails = GiftCardEmailSender { profiles: shop.profiles.clone(), origin: Some(origin) };
        Self { db, clock, random, secret, base: currencies.base(), emails }
    }
}

impl FromRef<ShopContext> for Reviews {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, .. } = shop.context.clone();
        let (profiles, origin) = (shop.profiles.clone(), Some(origin));
        let sender = ReviewEmailSender { profiles, origin };
        Self { store: ReviewStore { db, clock, random, sender }, cache: shop.cache.clone() }
    }
}

impl FromRef<ShopContext> for StockAlerts {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, origin, .. } = shop.context.clone();
        Self { db, clock, random, secret, profiles: shop.profiles.clone(), origin }
    }
}
