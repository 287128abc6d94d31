//! Project configuration of the emulator, which the Admin SDKs can read and change.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::wire::{ApiFields, ApiResult, google_error};

const DUPLICATE_EMAILS: [&str; 2] = ["signIn", "allowDuplicateEmails"];
const EMAIL_PRIVACY: [&str; 2] = ["emailPrivacyConfig", "enableImprovedEmailPrivacy"];

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub struct Config(Mutex<Value>);

impl Default for Config {
    fn default() -> Self {
        Self(Mutex::new(default_config()))
    }
}

fn default_config() -> Value {
    json!({
        "signIn": { "allowDuplicateEmails": false },
        "emailPrivacyConfig": { "enableImprovedEmailPrivacy": false },
    })
}

impl Config {
    pub fn allows_duplicate_emails(&self) -> bool {
        self.bool(DUPLICATE_EMAILS)
    }

    pub fn email_privacy(&self) -> bool {
        self.bool(EMAIL_PRIVACY)
    }

    fn bool(&self, [part, name]: [&str; 2]) -> bool {
        lock(&self.0)[part][name] == true
    }

    pub fn all(&self) -> Value {
        lock(&self.0).clone()
    }

    /// The part that `/emulator/v1/projects/{p}/config` returns.
    pub fn subset(&self) -> Value {
        json!({
            "signIn": { "allowDuplicateEmails": self.allows_duplicate_emails() },
            "emailPrivacyConfig": { "enableImprovedEmailPrivacy": self.email_privacy() },
        })
    }

    pub fn reset(&self) {
        *lock(&self.0) = default_config();
    }

    /// Updates the fields in `mask` (paths with dots, separated by commas). Without a mask, all other
    /// fields are reset.
    pub fn update(&self, given: &ApiFields, mask: Option<&str>) -> ApiResult<()> {
        for [part, name] in [DUPLICATE_EMAILS, EMAIL_PRIVACY] {
            if let Some(part) = given.object(part)? {
                part.bool(name)?;
            }
        }
        let given = Value::Object(given.as_map().clone());
        let triggers = &given["blockingFunctions"]["triggers"];
        if !triggers.is_null() && *triggers != json!({}) {
            let why = "Blocking functions are not implemented.";
            return Err(google_error(StatusCode::NOT_IMPLEMENTED, why));
        }
        let mut config = lock(&self.0);
        let mask = match mask {
            Some(mask) => mask.to_owned(),
            None => {
                *config = default_config();
                field_paths(&given).join(",")
            }
        };
        for path in mask.split(',') {
            let steps: Vec<&str> = path.split('.').collect();
            if let Some(value) = steps.iter().try_fold(&given, |at, step| at.get(step)) {
                set_path(&mut config, &steps, value.clone());
            }
        }
        Ok(())
    }
}

/// The paths of all fields, at most two levels deep.
fn field_paths(given: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, part) in given.as_object().into_iter().flatten() {
        match part.as_object() {
            Some(part) => paths.extend(part.keys().map(|inner| format!("{name}.{inner}"))),
            None => paths.push(name.clone()),
        }
    }
    paths
}

/// Sets the value at a path, creating the objects that contain it.
fn set_path(target: &mut Value, steps: &[&str], value: Value) {
    let Some((step, rest)) = steps.split_first() else {
        *target = value;
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    set_path(&mut target[*step], rest, value);
}
