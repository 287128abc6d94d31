//! The shop itself, one module per noun. Learns who asks from a verified token, never from identity.

pub mod addresses;
pub mod allowance;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod content;
pub mod credit;
pub mod customers;
mod forms;
pub mod messages;
pub mod newsletter;
pub mod orders;
mod pass;
pub mod payments;
pub mod quote;
pub mod reviews;
mod schemas;
pub mod stock_alerts;
pub mod tidy;
pub mod wishlist;
mod words;
