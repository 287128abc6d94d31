//! Known devices: an encrypted cookie that a browser gets after a sign-in to an account with a verified
//! e-mail address. Known devices have their own rate limits, so that attackers who use up an account's
//! limits do not lock its owner out.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::Identity;
use crate::http::Call;

const COOKIE_NAME: &str = "haat_device";
const PURPOSE: &str = "known device";
const YEAR_IN_SECONDS: u32 = 365 * 24 * 3600;
/// Several people may share a browser.
const MAX_ADDRESSES: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownDevice {
    id: String,
    /// E-mail addresses of the accounts that signed in on it, the latest first.
    addresses: Vec<String>,
}

impl KnownDevice {
    pub fn from_cookie(identity: &Identity, headers: &HeaderMap) -> Option<Self> {
        let cookies = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';')).map(str::trim);
        let sealed = cookies.find_map(|pair| pair.strip_prefix(COOKIE_NAME)?.strip_prefix('='))?;
        identity.unseal(PURPOSE, sealed)
    }
}

impl Call<'_> {
    /// The id of the client's device, if the account of this e-mail address has signed in on it.
    pub fn known_device(&self, address: &str) -> Option<&str> {
        let device = self.device.as_ref()?;
        device.addresses.iter().any(|known| known == address).then_some(device.id.as_str())
    }

    /// Marks the client's device as known to the account of this verified e-mail address.
    pub fn remember_device(&self, address: &str) {
        if self.identity.is_emulator() {
            return;
        }
        let new = || KnownDevice {
            id: URL_SAFE_NO_PAD.encode(self.identity.random.bytes::<12>()),
            addresses: Vec::new(),
        };
        let mut device = self.device.clone().unwrap_or_else(new);
        device.addresses.retain(|known| known != address);
        device.addresses.insert(0, address.to_owned());
        device.addresses.truncate(MAX_ADDRESSES);
        let _ = self.new_device.set(device);
    }

    /// The `Set-Cookie` header for a device that was updated by this call.
    pub fn device_cookie(&self) -> Option<HeaderValue> {
        let sealed = self.identity.seal(PURPOSE, self.new_device.get()?).ok()?;
        let secure = if self.identity.origin().starts_with("https:") { "; Secure" } else { "" };
        let cookie = format!(
            "{COOKIE_NAME}={sealed}; Path=/identitytoolkit.googleapis.com; Max-Age={YEAR_IN_SECONDS}; \
             HttpOnly; SameSite=Strict{secure}"
        );
        HeaderValue::try_from(cookie).ok()
    }
}
