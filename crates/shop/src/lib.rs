//! The shop itself, one module per noun. Learns who asks from a verified token, never from identity.

mod allowance;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod content;
pub mod customers;
mod forms;
pub mod media;
pub mod messages;
pub mod newsletter;
pub mod orders;
pub mod payments;
pub mod quote;
pub mod search;
pub mod tidy;
mod words;
