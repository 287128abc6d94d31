//! Emulator mode: the state of an emulated project that is not in its database. Each relaxed check needs
//! the `Emulator` that only this mode has.

mod config;
pub mod fake_hash;

use std::sync::Mutex;

use config::{Config, lock};
use serde_json::{Value, json};

use crate::crypto::hash_token;
use crate::wire::{ApiFields, ApiResult};

#[derive(Default)]
pub struct Emulator {
    pub config: Config,
    email_codes: Mutex<Vec<(String, Value)>>,
    sms_codes: Mutex<Vec<(String, Value)>>,
}

impl Emulator {
    pub fn oob_created(&self, kind: &str, email: &str, new: Option<&str>, code: &str, link: &str) {
        let mut entry = json!({
            "email": email,
            "requestType": kind,
            "oobCode": code,
            "oobLink": link,
        });
        if let Some(new) = new {
            entry["newEmail"] = new.into();
        }
        lock(&self.email_codes).push((hash_token(code), entry));
    }

    pub fn oob_used(&self, code: &str) {
        lock(&self.email_codes).retain(|(hash, _)| hash != code);
    }

    pub fn sms_code_sent(&self, number: &str, session: &str, code: &str) {
        let entry = json!({ "code": code, "phoneNumber": number, "sessionInfo": session });
        lock(&self.sms_codes).push((hash_token(session), entry));
    }

    pub fn sms_code_used(&self, session: &str) {
        lock(&self.sms_codes).retain(|(hash, _)| hash != session);
    }

    /// The unused e-mail codes.
    pub fn email_codes(&self) -> Vec<Value> {
        list_values(&self.email_codes)
    }

    /// The unused codes of text messages.
    pub fn sms_codes(&self) -> Vec<Value> {
        list_values(&self.sms_codes)
    }

    /// Changes the settings that `mask` names.
    pub fn update_config(&self, given: &ApiFields, mask: Option<&str>) -> ApiResult {
        self.config.update(given.as_map(), mask)?;
        Ok(self.config.all())
    }

    pub fn clear(&self) {
        lock(&self.email_codes).clear();
        lock(&self.sms_codes).clear();
        self.config.reset();
    }
}

/// Whether a bearer token is an owner's: "owner", or an access token of a Google service account.
pub fn is_owner(token: &str) -> bool {
    token.eq_ignore_ascii_case("owner") || token.starts_with("ya29.")
}

fn list_values(list: &Mutex<Vec<(String, Value)>>) -> Vec<Value> {
    lock(list).iter().map(|(_, value)| value.clone()).collect()
}
