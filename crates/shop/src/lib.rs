//! The shop's domain, one module per noun. Callers are known by a verified token; this crate never uses
//! identity.

pub mod addresses;
pub mod base_currency;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod contact_messages;
pub mod content;
mod context;
pub mod credit;
pub mod customers;
pub mod delivery;
pub mod demo;
mod error_responses;
mod form_token;
pub mod gift_cards;
pub mod ids;
pub mod newsletter;
pub mod order_subscribers;
pub mod orders;
pub mod payments;
pub mod pricing;
pub mod promotions;
pub mod retention;
pub mod reviews;
mod schemas;
pub mod settings;
pub mod settlement;
pub mod shop_profiles;
pub mod stock_alerts;
mod string_enum;
pub mod taxes;
mod validation;
pub mod wishlist;

use utoipa_axum::router::OpenApiRouter;

pub use context::ShopContext;

/// The routes of all modules.
pub fn router() -> OpenApiRouter<ShopContext> {
    let modules = [
        addresses::router(),
        cart::router(),
        catalog::router(),
        checkout::router(),
        credit::router(),
        customers::router(),
        gift_cards::router(),
        contact_messages::router(),
        newsletter::router(),
        orders::router(),
        payments::router(),
        pricing::router(),
        reviews::router(),
        settlement::router(),
        stock_alerts::router(),
        wishlist::router(),
    ];
    modules.into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge)
}
