//! The shop itself, one module per noun. Learns who asks from a verified token, never from identity.

pub mod catalog;
pub mod customers;
pub mod media;
