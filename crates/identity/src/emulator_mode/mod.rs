//! Emulator mode: the state of an emulated project that is not in its database. Each relaxed check needs
//! the `Emulator` that only this mode has.

mod config;
pub mod fake_hash;

use std::sync::Mutex;

use config::{Config, lock};
use serde_json::Value;

use crate::crypto::hash_token;

#[derive(Default)]
pub struct Emulator {
    pub config: Config,
    pub email_codes: UnusedCodes,
    pub sms_codes: UnusedCodes,
}

impl Emulator {
    pub fn clear(&self) {
        lock(&self.email_codes.0).clear();
        lock(&self.sms_codes.0).clear();
        self.config.reset();
    }
}

/// The codes that were sent and not used yet, as the emulator lists them, by the hash of their token.
#[derive(Default)]
pub struct UnusedCodes(Mutex<Vec<(String, Value)>>);

impl UnusedCodes {
    pub fn add(&self, token: &str, entry: Value) {
        lock(&self.0).push((hash_token(token), entry));
    }

    pub fn remove(&self, hash: &str) {
        lock(&self.0).retain(|(known, _)| known != hash);
    }

    pub fn list(&self) -> Vec<Value> {
        lock(&self.0).iter().map(|(_, entry)| entry.clone()).collect()
    }
}

/// Whether a bearer token is an owner's: "owner", or an access token of a Google service account.
pub fn is_owner(token: &str) -> bool {
    token.eq_ignore_ascii_case("owner") || token.starts_with("ya29.")
}
