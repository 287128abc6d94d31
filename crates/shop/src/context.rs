//! The state of the shop's routers: the platform's context, what only the shop needs, and each module's
//! state, made from them.

use std::sync::Arc;

use axum::extract::FromRef;
use media::Media;
use platform::Context;
use response_cache::Cache;

use crate::catalog::StockCache;
use crate::messages::Messages;
use crate::newsletter::Newsletter;
use crate::order_subscribers::order_store;
use crate::orders::{OrderEmailSender, OrderSettings, Orders};
use crate::quote::Charges;
use crate::reviews::{ReviewEmailSender, ReviewStore, Reviews};
use crate::settings::{Retention, ShopProfile};
use crate::stock_alerts::StockAlerts;

/// Cheap to clone.
#[derive(Clone)]
pub struct ShopContext {
    pub context: Context,
    pub cache: Cache,
    pub media: Media,
    pub profile: Arc<ShopProfile>,
    pub retention: Arc<Retention>,
    pub charges: Charges,
    pub orders: OrderSettings,
    pub stock_cache: StockCache,
    /// Who answers a message, and when (`content::ContactForm`).
    pub contact_reply: Arc<str>,
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

from_fields!(context: Context, cache: Cache, media: Media, charges: Charges);

impl FromRef<ShopContext> for Messages {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, .. } = shop.context.clone();
        Self {
            db,
            clock,
            random,
            secret,
            profile: shop.profile.clone(),
            retention: shop.retention.clone(),
            reply: shop.contact_reply.clone(),
        }
    }
}

impl FromRef<ShopContext> for Newsletter {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, origin, .. } = shop.context.clone();
        let (profile, retention) = (shop.profile.clone(), shop.retention.clone());
        Self { db, clock, random, secret, profile, origin, retention }
    }
}

impl FromRef<ShopContext> for Orders {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, .. } = shop.context.clone();
        let (profile, origin) = (shop.profile.clone(), Some(origin));
        let sender = OrderEmailSender { profile, origin, order_emails: shop.orders.order_emails };
        Self {
            store: order_store(db, clock, random, sender),
            stock_cache: shop.stock_cache.clone(),
            charges: shop.charges.clone(),
            settings: shop.orders.clone(),
            profile: shop.profile.clone(),
        }
    }
}

impl FromRef<ShopContext> for Reviews {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, origin, .. } = shop.context.clone();
        let sender = ReviewEmailSender { profile: shop.profile.clone(), origin: Some(origin) };
        Self { store: ReviewStore { db, clock, random, sender }, cache: shop.cache.clone() }
    }
}

impl FromRef<ShopContext> for StockAlerts {
    fn from_ref(shop: &ShopContext) -> Self {
        let Context { db, clock, random, secret, origin, .. } = shop.context.clone();
        Self { db, clock, random, secret, profile: shop.profile.clone(), origin }
    }
}
