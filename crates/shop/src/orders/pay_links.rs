//! Links to the page on which an order is paid. They hold a key, so that whoever has the link can pay: a guest, the reader of
//! an e-mail, or a browser that comes back from a provider without cookies.

use platform::secret::Secret;

use super::Order;
use crate::ids::OrderId;

const KEY_BYTES: usize = 16;

/// Cheap to clone.
#[derive(Clone)]
pub struct PayLinks(Option<Secret>);

impl PayLinks {
    pub fn new(secret: Secret) -> Self {
        Self(Some(secret))
    }

    /// For commands that do not know the shop's secret: no order has a link.
    pub fn none() -> Self {
        Self(None)
    }

    /// 32 hexadecimal digits.
    pub fn key(&self, order: &OrderId) -> Option<String> {
        let derived = self.0.as_ref()?.derive(&format!("pay link {order}"));
        Some(derived[..KEY_BYTES].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Compares in constant time.
    pub fn is_key(&self, order: &OrderId, key: &str) -> bool {
        let Some(right) = self.key(order) else { return false };
        let differences = right.bytes().zip(key.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        right.len() == key.len() && differences == 0
    }

    pub fn path(&self, order: &Order) -> Option<String> {
        Some(format!("/pay/{}?key={}", order.number, self.key(&order.id)?))
    }
}
