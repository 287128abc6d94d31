//! Known devices: a sealed cookie that a browser gets when an account with a proven address is entered on
//! it. Whoever has it is counted apart, so that strangers who use up an account's rate limit keep out
//! nobody who was there before.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::Identity;
use crate::http::Call;

const NAME: &str = "haat_device";
const PURPOSE: &str = "known device";
const YEAR_IN_SECONDS: u32 = 365 * 24 * 3600;
/// A family may share a browser.
const MOST_ADDRESSES: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Device {
    id: String,
    /// Whose accounts were entered on it, the last one first.
    addresses: Vec<String>,
}

impl Device {
    pub fn of(identity: &Identity, headers: &HeaderMap) -> Option<Self> {
        let cookies = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';')).map(str::trim);
        let sealed = cookies.find_map(|cookie| cookie.strip_prefix(NAME)?.strip_prefix('='))?;
        identity.unsealed(PURPOSE, sealed)
    }
}

impl Call<'_> {
    /// The device that the call comes from, where the account of this address was entered on it.
    pub fn known_device(&self, address: &str) -> Option<&str> {
        let device = self.device.as_ref()?;
        device.addresses.iter().any(|known| known == address).then_some(device.id.as_str())
    }

    /// The account of this address, which is proven, was entered from here.
    pub fn remember_device(&self, address: &str) {
        if self.identity.is_lax() {
            return;
        }
        let new = || Device {
            id: URL_SAFE_NO_PAD.encode(self.identity.random.bytes::<12>()),
            addresses: Vec::new(),
        };
        let mut device = self.device.clone().unwrap_or_else(new);
        device.addresses.retain(|known| known != address);
        device.addresses.insert(0, address.to_owned());
        device.addresses.truncate(MOST_ADDRESSES);
        let _ = self.remembered.set(device);
    }

    /// What the browser is to keep.
    pub fn device_cookie(&self) -> Option<HeaderValue> {
        let sealed = self.identity.sealed(PURPOSE, self.remembered.get()?).ok()?;
        let secure = if self.identity.origin().starts_with("https:") { "; Secure" } else { "" };
        let cookie = format!(
            "{NAME}={sealed}; Path=/identitytoolkit.googleapis.com; Max-Age={YEAR_IN_SECONDS}; \
             HttpOnly; SameSite=Strict{secure}"
        );
        HeaderValue::try_from(cookie).ok()
    }
}
