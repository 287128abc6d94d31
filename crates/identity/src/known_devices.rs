//! Known devices: an encrypted cookie that a browser gets after a sign-in to an account with a verified
//! e-mail address. Known devices have their own rate limits, so that attackers who use up an account's
//! limits do not lock its owner out.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::Random;
use platform::secret::Secret;
use serde::{Deserialize, Serialize};

use crate::crypto::{seal, unseal};
use crate::wire::cookies;

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
    pub fn new(random: &Random) -> Self {
        Self { id: URL_SAFE_NO_PAD.encode(random.bytes::<12>()), addresses: Vec::new() }
    }

    pub fn from_cookie(secret: &Secret, headers: &HeaderMap) -> Option<Self> {
        cookies(headers, COOKIE_NAME).find_map(|sealed| unseal(secret, PURPOSE, sealed))
    }

    /// The id, if the account of this e-mail address has signed in on this device.
    pub fn id_for(&self, address: &str) -> Option<&str> {
        self.addresses.iter().any(|known| known == address).then_some(self.id.as_str())
    }

    /// This device, known to the account of this verified e-mail address.
    pub fn with_address(mut self, address: &str) -> Self {
        self.addresses.retain(|known| known != address);
        self.addresses.insert(0, address.to_owned());
        self.addresses.truncate(MAX_ADDRESSES);
        self
    }

    /// The `Set-Cookie` header.
    pub fn to_cookie(&self, secret: &Secret, origin: &str) -> Option<HeaderValue> {
        let sealed = seal(secret, PURPOSE, self).ok()?;
        let secure = if origin.starts_with("https:") { "; Secure" } else { "" };
        let cookie = format!(
            "{COOKIE_NAME}={sealed}; Path=/identitytoolkit.googleapis.com; Max-Age={YEAR_IN_SECONDS}; \
             HttpOnly; SameSite=Strict{secure}"
        );
        HeaderValue::try_from(cookie).ok()
    }
}
