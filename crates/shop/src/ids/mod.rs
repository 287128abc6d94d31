//! Ids of orders. A leaf module: payments and credit name an order without importing `orders`, which
//! imports them. The ids of products are in `catalog`, below all other nouns.

mod order_number;

use platform::Id;

pub use order_number::{InvalidOrderNumber, OrderNumber};

pub type OrderId = Id<OrderMarker>;

/// The type that `OrderId` is an id of.
pub enum OrderMarker {}
