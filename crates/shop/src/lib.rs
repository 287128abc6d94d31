//! The shop's domain, one module per noun. Callers are known by a verified token; this crate never uses
//! identity.

pub mod addresses;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod content;
pub mod credit;
pub mod customers;
mod form_token;
pub mod messages;
pub mod newsletter;
pub mod orders;
pub mod payments;
pub mod quote;
pub mod rate_limit;
pub mod retention;
pub mod reviews;
mod schemas;
pub mod stock_alerts;
mod string_enum;
mod validation;
pub mod wishlist;
